//! Junctions of junctions of literals, by what they say of each term.
//!
//! A disjunction is a list of *cubes*, and a cube says of some terms which values they have. A
//! conjunction is treated as the negation of the disjunction of what its parts exclude, so one set
//! of laws is enough:
//!
//! - Cubes that differ in one term only become one: `(x = 0 ∧ p) ∨ (x = 1 ∧ p)` becomes
//!   `0 ≤ x ≤ 1 ∧ p`.
//! - A cube inside another one goes.
//! - Beside a cube about one term only, another cube need not say what that one leaves over:
//!   `x > 0 ∨ (x ≤ 0 ∧ p)` becomes `x > 0 ∨ p`.
//! - What all cubes say is said once.
//!
//! The work is limited for each junction, so that all of it is linear in the size of the formula.

use shofar_base::{Map, Set};

use super::range::Range;
use crate::compact::Junction;
use crate::{Kind, Term, TermStore};

/// Cubes are not compared in pairs if there are more.
const MOST_COMPARED: usize = 200;
/// Cubes that differ in one term are looked for if cubes times terms are at most so many.
const MOST_MERGED: usize = 1_000_000;
/// How often the laws are applied, since one may make room for another.
const ROUNDS: usize = 3;

/// What a conjunction says of each term, sorted by term; no range is empty or everything.
type Cube = Vec<(Term, Range)>;

/// The junction of `parts`, by the laws.
pub(super) fn junction(store: &mut TermStore, junction: Junction, parts: &[Term]) -> Term {
    let mut cubes = Vec::new();
    for &part in parts {
        match cube(store, junction, part) {
            None => (),
            Some(cube) if cube.is_empty() => return junction.dual().make(store, &[]),
            Some(cube) => cubes.push(cube),
        }
    }
    for _ in 0..ROUNDS {
        let before: usize = cubes.iter().map(|cube| cube.len() + 1).sum();
        merge(store, &mut cubes);
        if !relieve(store, &mut cubes) {
            return junction.dual().make(store, &[]);
        }
        drop_contained(&mut cubes);
        if cubes.iter().map(|cube| cube.len() + 1).sum::<usize>() == before {
            break;
        }
    }
    let mut common = take_common(&mut cubes);
    common.extend(take_bounds(store, &mut cubes));
    let rest = if cubes.iter().any(Vec::is_empty) {
        junction.dual().make(store, &[])
    } else {
        let mut formulas = Vec::new();
        for cube in &cubes {
            formulas.extend(formulas_of(store, junction, cube));
        }
        junction.make(store, &formulas)
    };
    if common.is_empty() {
        return rest;
    }
    let mut formulas = inner_formulas(store, junction.dual(), junction.dual(), &common);
    formulas.push(rest);
    junction.dual().make(store, &formulas)
}

/// What a part of a disjunction says, or a part of a conjunction excludes; nothing if that is
/// contradictory.
fn cube(store: &mut TermStore, outer: Junction, part: Term) -> Option<Cube> {
    let mut cube: Cube = Vec::new();
    for mut literal in inner_parts(store, outer.dual(), part) {
        if outer == Junction::And {
            literal = store.not(literal);
        }
        if literal == store.bottom() {
            return None;
        }
        if literal == store.top() {
            continue;
        }
        let (form, range) = Range::of_literal(store, literal);
        match cube.iter_mut().find(|(other, _)| *other == form) {
            Some((_, known)) => *known = known.intersection(&range),
            None => cube.push((form, range)),
        }
    }
    if cube.iter().any(|(_, range)| range.is_empty()) {
        return None;
    }
    cube.retain(|(form, range)| *range != Range::universe(store, *form));
    cube.sort_unstable_by_key(|(form, _)| *form);
    Some(cube)
}

/// The parts of `part` if it is a junction of this kind, seen through a negation; else itself.
fn inner_parts(store: &mut TermStore, inner: Junction, part: Term) -> Vec<Term> {
    let (term, negated) = store.strip_not(part);
    let wanted = if negated { inner.dual() } else { inner };
    let is_wanted = match wanted {
        Junction::And => matches!(store.kind(term), Kind::And(_)),
        Junction::Or => matches!(store.kind(term), Kind::Or(_)),
    };
    if !is_wanted {
        return vec![part];
    }
    let mut parts = store.children(term).to_vec();
    if negated {
        for part in &mut parts {
            *part = store.not(*part);
        }
    }
    parts
}

/// Joins cubes that differ in one term only.
fn merge(store: &TermStore, cubes: &mut Vec<Cube>) {
    let mut forms: Vec<Term> = cubes.iter().flatten().map(|(form, _)| *form).collect();
    forms.sort_unstable();
    forms.dedup();
    if forms.len() * cubes.len() > MOST_MERGED {
        return;
    }
    for form in forms {
        let universe = Range::universe(store, form);
        let mut place: Map<Cube, usize> = Map::default();
        let mut joined: Vec<Cube> = Vec::with_capacity(cubes.len());
        for mut cube in cubes.drain(..) {
            let Ok(at) = cube.binary_search_by_key(&form, |(other, _)| *other) else {
                joined.push(cube);
                continue;
            };
            let (_, range) = cube.remove(at);
            if let Some(&there) = place.get(&cube) {
                let (_, known) = &mut joined[there][at];
                *known = known.union(&range);
            } else {
                place.insert(cube.clone(), joined.len());
                cube.insert(at, (form, range));
                joined.push(cube);
            }
        }
        for cube in &mut joined {
            cube.retain(|(other, range)| *other != form || *range != universe);
        }
        *cubes = joined;
    }
}

/// Leaves out of cubes what other cubes, about one term each, make superfluous; false if nothing is
/// left of one, which is then everything.
fn relieve(store: &TermStore, cubes: &mut Vec<Cube>) -> bool {
    let mut alone: Map<Term, Range> = Map::default();
    for cube in &*cubes {
        if let [(form, range)] = cube.as_slice() {
            alone.insert(*form, range.clone());
        }
    }
    let mut is_left = true;
    cubes.retain_mut(|cube| {
        if cube.len() < 2 {
            is_left &= !cube.is_empty();
            return true;
        }
        let is_contained = cube
            .iter()
            .any(|(form, range)| alone.get(form).is_some_and(|other| range.is_subset(other)));
        if is_contained {
            return false;
        }
        cube.retain(|(form, range)| {
            let is_rest = |other: &Range| other.union(range) == Range::universe(store, *form);
            !alone.get(form).is_some_and(is_rest)
        });
        is_left &= !cube.is_empty();
        true
    });
    is_left
}

/// Leaves out cubes that are contained in others.
fn drop_contained(cubes: &mut Vec<Cube>) {
    if cubes.len() > MOST_COMPARED {
        return;
    }
    let mut position = 0;
    while position < cubes.len() {
        let is_inside =
            |other: usize| other != position && is_contained(&cubes[position], &cubes[other]);
        if (0..cubes.len()).any(is_inside) {
            cubes.remove(position);
        } else {
            position += 1;
        }
    }
}

fn is_contained(inner: &Cube, outer: &Cube) -> bool {
    outer.len() <= inner.len()
        && outer.iter().all(|(form, range)| {
            let found = inner.binary_search_by_key(form, |(other, _)| *other);
            found.is_ok_and(|at| inner[at].1.is_subset(range))
        })
}

/// Takes out what all cubes say, if there are several.
fn take_common(cubes: &mut [Cube]) -> Cube {
    let [first, others @ ..] = &*cubes else { return Vec::new() };
    if others.is_empty() {
        return Vec::new();
    }
    let is_common = |part: &&(Term, Range)| {
        let there = |cube: &Cube| cube.binary_search_by_key(&part.0, |(form, _)| *form);
        others.iter().all(|cube| there(cube).is_ok_and(|at| cube[at].1 == part.1))
    };
    let common: Cube = first.iter().filter(is_common).cloned().collect();
    let forms: Set<Term> = common.iter().map(|(form, _)| *form).collect();
    for cube in cubes {
        cube.retain(|(form, _)| !forms.contains(form));
    }
    common
}

/// Takes out bounds that all cubes have, where that makes at least two of them shorter.
fn take_bounds(store: &TermStore, cubes: &mut [Cube]) -> Cube {
    let mut common = Vec::new();
    let forms: Vec<Term> = cubes.first().into_iter().flatten().map(|(form, _)| *form).collect();
    for form in forms {
        let universe = Range::universe(store, form);
        for side in 0..2 {
            let range = |cube: &Cube| {
                let at = cube.binary_search_by_key(&form, |(other, _)| *other).ok()?;
                Some(cube[at].1.clone())
            };
            let Some(bound) = range(&cubes[0]).and_then(|r| r.bounds()[side].clone()) else {
                continue;
            };
            let ranges: Option<Vec<Range>> = cubes.iter().map(range).collect();
            let Some(ranges) = ranges else { break };
            let is_shared = ranges.iter().all(|r| r.bounds()[side].as_ref() == Some(&bound));
            let gain = ranges.iter().filter(|r| r.is_wide(store, form)).count();
            if !is_shared || gain < 2 || !bound.is_subset(&universe) {
                continue;
            }
            for cube in &mut *cubes {
                for (_, range) in cube.iter_mut().filter(|(other, _)| *other == form) {
                    *range = range.without_bound(&bound);
                }
                cube.retain(|(other, range)| *other != form || *range != universe);
            }
            common.push((form, bound));
        }
    }
    common
}

/// The formulas whose junction says what `cube` does as a part of a junction of kind `outer`.
fn formulas_of(store: &mut TermStore, outer: Junction, cube: &Cube) -> Vec<Term> {
    let inner = outer.dual();
    if let [(form, range)] = cube.as_slice() {
        let range = meant(store, outer, *form, range);
        let (junction, formulas) = range.formulas(store, *form, outer);
        return if junction == outer { formulas } else { vec![junction.make(store, &formulas)] };
    }
    let formulas = inner_formulas(store, inner, inner, cube);
    vec![inner.make(store, &formulas)]
}

/// The formulas for the parts of a cube, to be joined by `inner`.
fn inner_formulas(
    store: &mut TermStore,
    inner: Junction,
    preferred: Junction,
    cube: &Cube,
) -> Vec<Term> {
    let mut parts = Vec::new();
    for (form, range) in cube {
        let range = meant(store, inner.dual(), *form, range);
        let (junction, formulas) = range.formulas(store, *form, preferred);
        if junction == inner {
            parts.extend(formulas);
        } else {
            parts.push(junction.make(store, &formulas));
        }
    }
    parts
}

/// The values themselves in a disjunction, and the others in a conjunction, where cubes say what is
/// excluded.
fn meant(store: &TermStore, outer: Junction, form: Term, range: &Range) -> Range {
    match outer {
        Junction::Or => range.clone(),
        Junction::And => Range::universe(store, form).without(range),
    }
}
