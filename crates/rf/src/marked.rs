//! A formula with marked positions as clauses: the converse of what [`NormalForm::solve`] does.
//!
//! Each marked position becomes a symbol, whose parameters are the constants that occur both there
//! and elsewhere; the root becomes `false`. What stands at a position is a disjunction of
//! conjunctions of flags, which are the body of a clause, and formulas without flags, which are its
//! constraint. Disjunctions with flags inside such a conjunction become symbols of their own, so
//! the clauses have the size of the formula. Interpolants of the formula solve the clauses, and a
//! solution of the clauses is an interpolant at every position.
//!
//! | formula ([`Marked`]) | clauses |
//! |---|---|
//! | binary | `A → p(x̄)`, `B ∧ p(x̄) → false` |
//! | sequence | linear and tree-like |
//! | tree, symmetric | tree-like |
//! | any | body-disjoint |
//!
//! Source: [RHK13] (body-disjoint clauses and disjunctive interpolation).

use shofar_base::{Map, Set};
use shofar_chc::PredId;
use shofar_smt::Marked;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

use crate::NormalForm;

/// One way to derive what stands somewhere.
struct Way {
    constraint: Term,
    /// The places that it needs.
    body: Vec<usize>,
}

/// A marked position, or a disjunction with flags below a conjunction.
struct Place {
    above: Option<usize>,
    ways: Vec<Way>,
}

impl NormalForm {
    /// The clauses of a formula, and the symbol of each marked position, which the root has none
    /// of. Nothing if a position is used more than once.
    pub fn of_marked(
        store: &mut TermStore,
        marked: &Marked,
    ) -> Option<(Self, Vec<Option<PredId>>)> {
        let places = places(store, marked)?;
        let params = params(store, &places);
        let mut form = Self::new();
        let symbols: Vec<Option<PredId>> = (places.iter().zip(params))
            .map(|(place, params)| place.above.map(|_| form.add_symbol(params)))
            .collect();
        for (place, head) in places.iter().zip(&symbols) {
            for way in &place.ways {
                let body = way.body.iter().filter_map(|&at| symbols[at]).collect();
                form.add_clause(*head, body, way.constraint);
            }
        }
        Some((form, symbols[..marked.positions.len()].to_vec()))
    }
}

/// The places of a formula; the marked positions come first, in their order.
fn places(store: &mut TermStore, marked: &Marked) -> Option<Vec<Place>> {
    let mut position_of: Map<Term, usize> = Map::default();
    let mut places = Vec::new();
    let mut open: Vec<(usize, Term)> = Vec::new();
    for (at, position) in marked.positions.iter().enumerate() {
        if let Some((_, flag)) = position.place {
            position_of.insert(store.constant(flag), at);
        }
        places.push(Place { above: None, ways: Vec::new() });
        open.push((at, position.formula));
    }
    let mut is_used = vec![false; marked.positions.len()];
    while let Some((at, formula)) = open.pop() {
        let flagged = flagged(store, &position_of, formula);
        let ways =
            if flagged.contains(&formula) { store.disjuncts(&[formula]) } else { vec![formula] };
        for way in ways {
            let (mut constraint, mut body) = (Vec::new(), Vec::new());
            for part in store.conjuncts(&[way]) {
                if let Some(&below) = position_of.get(&part) {
                    if std::mem::replace(&mut is_used[below], true) {
                        return None;
                    }
                    places[below].above = Some(at);
                    body.push(below);
                } else if flagged.contains(&part) {
                    body.push(places.len());
                    open.push((places.len(), part));
                    places.push(Place { above: Some(at), ways: Vec::new() });
                } else {
                    constraint.push(part);
                }
            }
            let constraint = store.and(&constraint);
            places[at].ways.push(Way { constraint, body });
        }
    }
    // What the formula does not depend on is still below something.
    for (place, position) in places.iter_mut().zip(&marked.positions) {
        place.above = place.above.or(position.place.map(|(above, _)| above));
    }
    Some(places)
}

/// The conjunctions and disjunctions of `formula`, down from it, that have flags.
fn flagged(store: &TermStore, position_of: &Map<Term, usize>, formula: Term) -> Set<Term> {
    let (mut seen, mut flagged): (Set<Term>, Set<Term>) = (Set::default(), Set::default());
    // A term comes a second time when its parts are done.
    let mut stack = vec![(formula, false)];
    while let Some((term, is_done)) = stack.pop() {
        let parts = store.conjunction(term).or_else(|| store.disjunction(term)).unwrap_or(&[]);
        if is_done {
            if parts.iter().any(|part| flagged.contains(part)) {
                flagged.insert(term);
            }
        } else if position_of.contains_key(&term) {
            flagged.insert(term);
        } else if seen.insert(term) {
            stack.push((term, true));
            stack.extend(parts.iter().map(|&part| (part, false)));
        }
    }
    flagged
}

/// The constants that occur both at a place or below it, and elsewhere; sorted.
fn params(store: &TermStore, places: &[Place]) -> Vec<Vec<Symbol>> {
    let mut occurrences: Vec<(Symbol, usize)> = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let constraints: Vec<Term> = place.ways.iter().map(|way| way.constraint).collect();
        let symbols = free_symbols(store, &constraints);
        let constants = symbols.into_iter().filter(|&s| store.params(s).is_empty());
        occurrences.extend(constants.map(|symbol| (symbol, at)));
    }
    occurrences.sort_unstable();
    let mut params: Vec<Vec<Symbol>> = vec![Vec::new(); places.len()];
    let mut occurring = vec![0_usize; places.len()];
    for of_symbol in occurrences.chunk_by(|a, b| a.0 == b.0) {
        // How many occurrences there are at each place or below it; a symbol is shared where it is
        // not all of them.
        let mut touched = Vec::new();
        for &(_, at) in of_symbol {
            let mut next = Some(at);
            while let Some(place) = next {
                if occurring[place] == 0 {
                    touched.push(place);
                }
                occurring[place] += 1;
                next = places[place].above;
            }
        }
        for place in touched {
            if occurring[place] < of_symbol.len() {
                params[place].push(of_symbol[0].0);
            }
            occurring[place] = 0;
        }
    }
    params
}

#[cfg(test)]
mod tests {
    use shofar_base::{Budget, IndexVec, Rng};
    use shofar_smt::{Disjunctive, Interpolation, Position};
    use shofar_term::{Cx, Sort};

    use super::*;
    use crate::{Form, Options, Solved};

    /// Interpolants and solutions are the same: each of one problem is accepted for the other.
    /// Whether there are any.
    fn both_ways(store: &mut TermStore, marked: &Marked) -> (bool, Form) {
        let (form, symbols) = NormalForm::of_marked(store, marked).expect("nothing is used twice");
        let budget = Budget::unlimited();
        let cx = &mut Cx::new(store, &budget);
        let solver = shofar_smt::Options::default();
        let answer = marked.solve(cx, &solver, &Interpolation::default()).expect("no limit");
        let solved = form.solve(cx, &Options::default()).expect("no limit");
        match (answer, solved) {
            (Disjunctive::Interpolants(found), Solved::Solution(solution)) => {
                let bottom = cx.store.bottom();
                let of = |at: &Option<PredId>| at.map_or(bottom, |symbol| solution[symbol]);
                let interpolants: Vec<Term> = symbols.iter().map(of).collect();
                assert_eq!(marked.check(cx, &interpolants), Ok(Ok(())));
                // Places without a mark have no interpolant, which leaves their solution.
                let mut mixed: IndexVec<PredId, Term> = solution;
                for (symbol, interpolant) in symbols.iter().zip(found) {
                    if let Some(symbol) = *symbol {
                        mixed[symbol] = interpolant;
                    }
                }
                if form.symbols().count() + 1 == symbols.len() {
                    assert_eq!(form.violated(cx, &mixed), Ok(None));
                }
                (true, form.form(cx.store))
            }
            (Disjunctive::Model(_), Solved::Counterexample(_)) => (false, form.form(cx.store)),
            (Disjunctive::Interpolants(_), Solved::Counterexample(_))
            | (Disjunctive::Model(_), Solved::Solution(_)) => panic!("they disagree"),
        }
    }

    /// `v{from} + k = v{to}` for some small `k`, or an inequality.
    fn step(s: &mut TermStore, rng: &mut Rng, from: usize, to: usize) -> Term {
        let [x, y] = [from, to].map(|at| s.var(&format!("v{at}"), Sort::INT));
        let k = s.int(rng.range(-2, 3));
        let sum = s.add(&[x, k]);
        if rng.chance(60) { s.eq(y, sum) } else { s.lt(y, sum) }
    }

    #[test]
    fn nested_conjunctions() {
        let mut rng = Rng::new(4);
        let mut solvable = [0; 3];
        for _ in 0..40 {
            let s = &mut TermStore::new();
            let count = 4;
            // A cycle of steps, which contradicts itself half of the time.
            let formulas: Vec<Term> =
                (0..count).map(|at| step(s, &mut rng, at, (at + 1) % count)).collect();
            let (left, right) = (s.and(&formulas[..2]), s.and(&formulas[2..]));
            let binary = Marked::binary(s, left, right);
            let sequence = Marked::sequence(s, &formulas);
            let symmetric = Marked::symmetric(s, &formulas);
            let forms =
                [(binary, Form::Sequence), (sequence, Form::Sequence), (symmetric, Form::Tree)];
            for ((marked, wanted), solvable) in forms.into_iter().zip(&mut solvable) {
                let (has, form) = both_ways(s, &marked);
                assert_eq!(form, wanted);
                *solvable += usize::from(has);
            }
        }
        assert!(solvable[0] > 5 && solvable[0] < 35, "both occur: {solvable:?}");
        assert_eq!((solvable[1], solvable[2]), (solvable[0], solvable[0]));
    }

    #[test]
    fn random_disjunctions() {
        let mut rng = Rng::new(8);
        let (mut solvable, mut refuted) = (0, 0);
        for _ in 0..60 {
            let s = &mut TermStore::new();
            let mut marked = Marked::root(s.top());
            let mut next = 0;
            while next < marked.positions.len() {
                let mut ways = Vec::new();
                for _ in 0..=rng.below(2) {
                    let mut way = Vec::new();
                    for _ in 0..2 {
                        let (from, to) = (rng.below(4), rng.below(4));
                        way.push(step(s, &mut rng, from, to));
                    }
                    if marked.positions.len() < 6 && rng.chance(60) {
                        let flag = Marked::flag(s);
                        let other = step(s, &mut rng, 0, 1);
                        let holds = s.constant(flag);
                        // A disjunction below a conjunction gets a symbol of its own.
                        way.push(if rng.chance(50) { s.or(&[holds, other]) } else { holds });
                        let place = Some((next, flag));
                        marked.positions.push(Position { formula: s.top(), place });
                    }
                    ways.push(s.and(&way));
                }
                marked.positions[next].formula = s.or(&ways);
                next += 1;
            }
            if both_ways(s, &marked).0 { solvable += 1 } else { refuted += 1 }
        }
        assert!(solvable > 10 && refuted > 10, "both occur: {solvable} and {refuted}");
    }
}
