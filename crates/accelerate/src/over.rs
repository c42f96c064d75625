//! Over-approximations: closures of the octagonal hull.
//!
//! The hull of some relations is the smallest octagon over values before and after the step that
//! the domain of octagons finds around all of them. Its closure includes every sequence of steps of
//! any of them. Where there is one relation only, parts of it that have an exact closure keep it,
//! and what it says of values before the first step and after the last one is kept for the others;
//! so bounded choices `x' = x + t` with `l ≤ t ≤ u` become `nl ≤ x' − x ≤ nu`.
//!
//! Source: [HIKKR12] §5 (over-approximation of loops with several paths).
//! DIVERGENCE [HIKKR12]: which over-approximation is taken is left open there; the octagonal hull
//! is ours.

use shofar_base::{IndexVec, Map, Outcome};
use shofar_domain::{Constraint, Dim, Domain, Form, Intervals, Leaf, Numbers, Octagon, Space};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Linear, Relation as Comparison, Sort, Symbol, Term, TermStore};

use crate::closure::{Closure, Over, Part};
use crate::normal::{Loop, side};
use crate::{Relation, exact_part};

/// What all sequences of steps of `relations` satisfy, each step of any of them; nothing if nothing
/// is known. All relations are over the same variables, and there is at least one.
pub fn over(cx: &mut Cx<'_>, relations: &[Relation]) -> Outcome<Option<Over>> {
    let variables = relations[0].variables().to_vec();
    debug_assert!(relations.iter().all(|relation| relation.variables() == variables));
    let parts = match relations {
        [only] => alone(cx, only)?,
        several => {
            let bodies: Vec<&[Term]> = several.iter().map(Relation::literals).collect();
            hull_parts(cx, &variables, &bodies)?
        }
    };
    let says_something = parts.iter().any(|part| !part.is_free());
    Ok(says_something.then_some(Over(Closure { variables, parts })))
}

/// The closure of each part of a relation, exact where possible.
fn alone(cx: &mut Cx<'_>, relation: &Relation) -> Outcome<Vec<Part>> {
    let Some(whole) = Loop::new(cx.store, relation) else { return Ok(vec![Part::empty()]) };
    let mut parts = Vec::new();
    for part in whole.parts(cx.store) {
        cx.budget.check()?;
        if let Some(closure) = exact_part(cx, &part)? {
            parts.push(closure);
            continue;
        }
        let literals = part.literals(cx.store);
        let variables: Vec<(Symbol, Symbol)> =
            part.variables.iter().map(|v| (v.pre, v.post)).collect();
        parts.extend(hull_parts(cx, &variables, &[&literals])?);
        parts.push(ends(cx.store, relation.literals(), &variables));
    }
    Ok(parts)
}

/// What `literals` say of values before the first step only, and after the last one only.
fn ends(store: &TermStore, literals: &[Term], variables: &[(Symbol, Symbol)]) -> Part {
    let is_end = |literal: &Term| {
        let symbols = free_symbols(store, &[*literal]);
        !symbols.is_empty()
            && (symbols.iter().all(|s| variables.iter().any(|(pre, _)| pre == s))
                || symbols.iter().all(|s| variables.iter().any(|(_, post)| post == s)))
    };
    Part::always(store, literals.iter().copied().filter(is_end).collect())
}

/// The closure of the octagonal hull of conjunctions.
fn hull_parts(
    cx: &mut Cx<'_>,
    variables: &[(Symbol, Symbol)],
    bodies: &[&[Term]],
) -> Outcome<Vec<Part>> {
    let Some(hull) = hull(cx.store, variables, bodies) else { return Ok(vec![Part::empty()]) };
    let hull = Relation::new(cx.store, variables, &hull).expect("a hull is about its variables");
    let Some(whole) = Loop::new(cx.store, &hull) else { return Ok(vec![Part::empty()]) };
    let mut parts = Vec::new();
    for part in whole.parts(cx.store) {
        cx.budget.check()?;
        let closure = exact_part(cx, &part)?;
        parts.push(closure.unwrap_or_else(|| Part::free(cx.store)));
    }
    Ok(parts)
}

/// Literals of an octagon around the points of all conjunctions; nothing if there are no points.
fn hull(
    store: &mut TermStore,
    variables: &[(Symbol, Symbol)],
    bodies: &[&[Term]],
) -> Option<Vec<Term>> {
    let numbers = |sort: Sort| if sort.is_int() { Numbers::Integer } else { Numbers::Real };
    let symbols = variables.iter().flat_map(|&(pre, post)| [pre, post]);
    let symbols: Vec<Symbol> =
        symbols.filter(|&symbol| store.result(symbol).is_arithmetic()).collect();
    let names: IndexVec<Dim, Term> = symbols.iter().map(|&s| store.constant(s)).collect();
    let space: Space = symbols.iter().map(|&s| numbers(store.result(s))).collect();
    let dims: Map<Term, Dim> = names.handles().map(|dim| (names[dim], dim)).collect();
    let to: Vec<Dim> = names.handles().collect();
    let mut result: Option<Octagon> = None;
    for body in bodies {
        let cube: Vec<Constraint> =
            body.iter().filter_map(|&literal| constraint(store, &dims, literal)).collect();
        let mut ranges = Intervals::of_space(&space);
        if !ranges.propagate(&space, &cube) {
            continue;
        }
        let leaf = Leaf { space: &space, cube: &cube, ranges: &ranges };
        let Some(image) = Octagon::image(leaf, &[], &to) else { continue };
        match &mut result {
            None => result = Some(image),
            Some(result) => result.join(&image),
        }
    }
    let constraints = result?.constraints();
    Some(constraints.iter().map(|constraint| literal(store, &names, constraint)).collect())
}

/// A literal as the domains see it; nothing if they cannot.
fn constraint(store: &TermStore, dims: &Map<Term, Dim>, literal: Term) -> Option<Constraint> {
    let (linear, relation) = side(store, literal)?;
    let monomials = linear.monomials().iter().map(|(c, t)| Some((*dims.get(t)?, c.clone())));
    let form = Form::new(monomials.collect::<Option<Vec<_>>>()?);
    let bound = -&linear.constant;
    let relation = match relation {
        Some(Comparison::Le) => shofar_domain::Relation::AtMost,
        Some(Comparison::Lt) => shofar_domain::Relation::Below,
        Some(Comparison::Eq) => shofar_domain::Relation::Equal,
        None => shofar_domain::Relation::Differs,
    };
    Some(Constraint { form, relation, bound })
}

/// A constraint of an octagon as a literal; what octagons do not say is true.
fn literal(store: &mut TermStore, names: &IndexVec<Dim, Term>, constraint: &Constraint) -> Term {
    let monomials = constraint.form.monomials().iter().map(|(dim, c)| (c.clone(), names[*dim]));
    let linear = Linear::from_monomials(monomials.collect(), -&constraint.bound);
    match &constraint.relation {
        shofar_domain::Relation::AtMost => store.le_zero(&linear),
        shofar_domain::Relation::Below => store.lt_zero(&linear),
        shofar_domain::Relation::Equal => store.eq_zero(&linear),
        shofar_domain::Relation::Differs | shofar_domain::Relation::Congruent(_) => store.top(),
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;

    use super::*;
    use crate::tests::Setting;

    fn hull_of(s: &mut Setting, bodies: &[Vec<Term>]) -> Option<Term> {
        let relations: Vec<Relation> = bodies.iter().map(|body| s.relation(body)).collect();
        let (count, budget) = (s.store.constant(s.count), Budget::unlimited());
        let closure = over(&mut Cx::new(&mut s.store, &budget), &relations).unwrap()?;
        Some(closure.formula(&mut s.store, count))
    }

    #[test]
    fn steps_of_different_length_are_bounded_by_the_count() {
        let mut s = Setting::ints(2);
        let bodies = [1, 3].map(|by| vec![s.update(0, &[(1, 0)], by), s.update(1, &[(1, 1)], -1)]);
        let formula = hull_of(&mut s, &bodies).unwrap();
        assert!(s.holds(formula, &[0, 0], &[8, -4], 4));
        assert!(s.holds(formula, &[0, 0], &[4, -4], 4));
        assert!(!s.holds(formula, &[0, 0], &[3, -4], 4));
        assert!(!s.holds(formula, &[0, 0], &[13, -4], 4));
        assert!(!s.holds(formula, &[0, 0], &[8, -3], 4));
    }

    #[test]
    fn what_grows_keeps_its_guard_and_the_rest_is_exact() {
        let mut s = Setting::ints(2);
        let (a, one) = (s.pre(0), s.store.int(1));
        let positive = s.store.ge(a, one);
        let body = vec![positive, s.update(0, &[(2, 0)], 0), s.update(1, &[(1, 1)], 1)];
        let formula = hull_of(&mut s, &[body]).unwrap();
        assert!(s.holds(formula, &[1, 0], &[8, 3], 3));
        assert!(!s.holds(formula, &[0, 0], &[8, 3], 3) && !s.holds(formula, &[1, 0], &[8, 3], 2));
    }
}
