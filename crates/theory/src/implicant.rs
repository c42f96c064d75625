//! Implicants: a conjunction of literals, true in a model, that implies a formula.
//!
//! Walking down from the formula, a true conjunction asks for all its parts, a true disjunction for
//! one of them, an equivalence or a choice for what the model says. Everything asked for without a
//! choice is collected first; then a disjunction takes a part that is there already, else the one
//! that asks for the fewest literals. A choice between numbers inside an atom is replaced by its
//! branch, and its condition is asked for too, so the literals contain only symbols and functions,
//! and `div`, `mod` and `to_int` over them. Formulas to which functions are applied are treated
//! alike. A false equality becomes the strict inequality that the model satisfies, because
//! projection works on convex constraints.
//!
//! Invariant: every asked-for pair `(φ, v)` has `φ = v` in the model, and each is walked over once.
//!
//! Source: [KGC16] §5, which uses such implicants to make the input of model-based projection a
//! conjunction. DIVERGENCE [KGC16]: the number of literals, not the order of the disjuncts, decides
//! which disjunct is taken.

use shofar_base::{Map, Set};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::{Kind, Sort, Term, TermStore, View};

/// Literals true in `model` whose conjunction implies `formula`, which is itself true in `model`.
///
/// A literal is a Boolean symbol, a predicate with its arguments, `Same`, `Le`, `Lt` or the
/// negation of one of these, or `Eq`.
///
/// ```
/// use shofar_term::eval::{Model, Value};
/// use shofar_term::{Sort, TermStore};
/// use shofar_theory::implicant::implicant;
/// let mut store = TermStore::new();
/// let (x, y) = (store.var("x", Sort::INT), store.var("y", Sort::INT));
/// let (less, more) = (store.lt(x, y), store.lt(y, x));
/// let either = store.or(&[less, more]);
/// let symbol = store.declare("x", &[], Sort::INT);
/// let mut model = Model::new();
/// model.set(symbol, Value::Number(5.into()));
/// assert_eq!(implicant(&mut store, either, &model), [more]);
/// ```
pub fn implicant(store: &mut TermStore, formula: Term, model: &Model) -> Vec<Term> {
    let mut walk = Walk::new(model);
    assert!(walk.holds(store, formula), "the formula is true in the model");
    walk.ask(formula, true);
    while let Some((term, value)) = walk.next(store) {
        walk.step(store, term, value);
    }
    walk.literals
}

/// Why a term has a value in the model of a solver.
pub(crate) const VALUED: &str = "there is a table for every function, and no quantifier";

struct Walk<'a> {
    evaluator: Evaluator<'a>,
    /// How many literals a subterm asks for, counted without sharing.
    costs: Map<Term, u32>,
    asked: Set<(Term, bool)>,
    forced: Vec<(Term, bool)>,
    /// Junctions of which one part is enough.
    choices: Vec<(Term, bool)>,
    /// Arithmetic terms without their choices.
    resolved: Map<Term, Term>,
    literals: Vec<Term>,
    known_literals: Set<Term>,
}

impl<'a> Walk<'a> {
    fn new(model: &'a Model) -> Self {
        Self {
            evaluator: Evaluator::with_defaults(model),
            costs: Map::default(),
            asked: Set::default(),
            forced: Vec::new(),
            choices: Vec::new(),
            resolved: Map::default(),
            literals: Vec::new(),
            known_literals: Set::default(),
        }
    }
    fn holds(&mut self, store: &TermStore, formula: Term) -> bool {
        self.evaluator.holds(store, formula).expect(VALUED)
    }
    /// How many literals `root` asks for; counted when somebody wants to know, because most parts
    /// of a formula leave no choice.
    fn cost_of(&mut self, store: &TermStore, root: Term) -> u32 {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.costs.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            self.open_parts(store, term, &mut stack);
            if stack.len() == before {
                let cost = self.cost(store, term);
                self.costs.insert(term, cost);
                stack.pop();
            }
        }
        self.costs[&root]
    }
    /// Adds those terms to `open` of which the cost of `term` is made and whose own is not known.
    fn open_parts(&mut self, store: &TermStore, term: Term, open: &mut Vec<Term>) {
        let (costs, evaluator) = (&self.costs, &mut self.evaluator);
        let children = store.children(term).iter().copied();
        let is_open = |part: &Term| !costs.contains_key(part);
        let kind = store.kind(term);
        if let Kind::And(_) | Kind::Or(_) = kind {
            let value = evaluator.holds(store, term).expect(VALUED);
            let all = value == matches!(kind, Kind::And(_));
            let is_part = |part: &Term| all || evaluator.holds(store, *part) == Ok(value);
            open.extend(children.filter(is_open).filter(is_part));
        } else if let Kind::Ite(condition, yes, no) = kind {
            let chosen = if evaluator.holds(store, condition).expect(VALUED) { yes } else { no };
            open.extend([condition, chosen].into_iter().filter(is_open));
        } else {
            open.extend(children.filter(is_open));
        }
    }
    /// The cost of a term from those of its parts.
    fn cost(&mut self, store: &TermStore, term: Term) -> u32 {
        match store.kind(term) {
            Kind::True | Kind::False => 0,
            Kind::Symbol(_) => u32::from(store.sort(term).is_bool()),
            Kind::And(parts) => self.junction_cost(store, term, parts, true),
            Kind::Or(parts) => self.junction_cost(store, term, parts, false),
            Kind::Ite(condition, yes, no) => {
                let chosen = if self.holds(store, condition) { yes } else { no };
                self.costs[&condition].saturating_add(self.costs[&chosen])
            }
            // An atom costs one literal more than what its terms need; so does no other term.
            Kind::Arith(_) | Kind::Same(..) | Kind::Array(_) | Kind::Data(_) | Kind::Bits(_) => {
                let atom = u32::from(store.sort(term).is_bool());
                self.total(store.children(term)).saturating_add(atom)
            }
            Kind::App(..) | Kind::Quantified(..) | Kind::Not(_) | Kind::Iff(..) => {
                self.total(store.children(term))
            }
        }
    }
    fn total(&self, terms: &[Term]) -> u32 {
        terms.iter().fold(0, |total: u32, part| total.saturating_add(self.costs[part]))
    }
    /// All parts if the junction has the value that needs them all, else the cheapest part of that
    /// value.
    fn junction_cost(
        &mut self,
        store: &TermStore,
        term: Term,
        parts: &[Term],
        needs_all: bool,
    ) -> u32 {
        let value = self.holds(store, term);
        if value == needs_all {
            return self.total(parts);
        }
        let costs = &self.costs;
        let evaluator = &mut self.evaluator;
        let fitting = parts.iter().filter(|&&part| evaluator.holds(store, part) == Ok(value));
        fitting.map(|part| costs[part]).min().expect("one part gives the junction its value")
    }

    fn ask(&mut self, term: Term, value: bool) {
        if self.asked.insert((term, value)) {
            self.forced.push((term, value));
        }
    }
    /// What to walk over next: forced things first, then one part of a pending junction.
    fn next(&mut self, store: &TermStore) -> Option<(Term, bool)> {
        loop {
            if let Some(pair) = self.forced.pop() {
                return Some(pair);
            }
            let (junction, value) = self.choices.pop()?;
            let part = self.choose(store, junction, value);
            self.ask(part, value);
        }
    }
    fn choose(&mut self, store: &TermStore, junction: Term, value: bool) -> Term {
        let parts = store.children(junction);
        let there = |&&part: &&Term| {
            let (inner, negated) = store.strip_not(part);
            self.asked.contains(&(part, value)) || self.asked.contains(&(inner, value != negated))
        };
        if let Some(&part) = parts.iter().find(there) {
            return part;
        }
        let evaluator = &mut self.evaluator;
        let mut fitting = parts.to_vec();
        fitting.retain(|&part| evaluator.holds(store, part) == Ok(value));
        if let [only] = fitting[..] {
            return only;
        }
        let cheapest = fitting.into_iter().min_by_key(|&part| self.cost_of(store, part));
        cheapest.expect("one part gives the junction its value")
    }

    fn step(&mut self, store: &mut TermStore, term: Term, value: bool) {
        match store.view(term) {
            View::Constant(_) => {}
            View::Predicate(_, []) | View::Quantified(..) => self.literal(store, term, value),
            View::Predicate(_, args) => {
                let args: Vec<Term> = args.to_vec();
                let args: Vec<Term> = args.into_iter().map(|a| self.resolve(store, a)).collect();
                let atom = store.rebuild(term, &args);
                self.literal(store, atom, value);
            }
            View::Not(inner) => self.ask(inner, !value),
            View::And(parts) if value => parts.iter().rev().for_each(|&part| self.ask(part, true)),
            View::Or(parts) if !value => parts.iter().rev().for_each(|&part| self.ask(part, false)),
            View::And(_) | View::Or(_) => self.choices.push((term, value)),
            View::Iff(p, q) => {
                for side in [q, p] {
                    let side_value = self.holds(store, side);
                    self.ask(side, side_value);
                }
            }
            View::Ite(condition, yes, no) => {
                let holds = self.holds(store, condition);
                self.ask(if holds { yes } else { no }, value);
                self.ask(condition, holds);
            }
            View::Atom => self.atom(store, term, value),
            View::Term => unreachable!("only formulas are asked for"),
        }
    }
    fn atom(&mut self, store: &mut TermStore, atom: Term, value: bool) {
        let atom = match *store.children(atom) {
            [form] => {
                let form = self.resolve(store, form);
                store.rebuild(atom, &[form])
            }
            [a, b] => {
                let sides = [self.resolve(store, a), self.resolve(store, b)];
                store.rebuild(atom, &sides)
            }
            _ => unreachable!("an atom compares one or two terms"),
        };
        // Rebuilding may have put a negation in front, or taken an equality apart.
        let (atom, negated) = store.strip_not(atom);
        let value = value != negated;
        if !is_atom(store, atom) {
            self.ask(atom, value);
        } else if !value && let Some((form, bound)) = store.equation(atom) {
            let bound = bound.clone();
            let below = self.evaluator.number(store, form).expect(VALUED) < bound;
            let bound = store.number(bound, Sort::REAL);
            let strict = if below { store.lt(form, bound) } else { store.gt(form, bound) };
            self.literal(store, strict, true);
        } else {
            self.literal(store, atom, value);
        }
    }
    fn literal(&mut self, store: &mut TermStore, atom: Term, value: bool) {
        let literal = if value { atom } else { store.not(atom) };
        if literal != store.top() && self.known_literals.insert(literal) {
            self.literals.push(literal);
        }
    }
    /// `root` with every choice replaced by its branch, and every formula that is an argument by
    /// its value; conditions and arguments are asked for.
    fn resolve(&mut self, store: &mut TermStore, root: Term) -> Term {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.resolved.contains_key(&term) {
                stack.pop();
                continue;
            }
            if store.sort(term).is_bool() {
                let holds = self.holds(store, term);
                self.ask(term, holds);
                self.resolved.insert(term, store.bool(holds));
                stack.pop();
                continue;
            }
            if let Kind::Ite(condition, yes, no) = store.kind(term) {
                let holds = self.holds(store, condition);
                let chosen = if holds { yes } else { no };
                if let Some(&result) = self.resolved.get(&chosen) {
                    self.ask(condition, holds);
                    self.resolved.insert(term, result);
                    stack.pop();
                } else {
                    stack.push(chosen);
                }
                continue;
            }
            let before = stack.len();
            let children = store.children(term);
            stack.extend(children.iter().filter(|child| !self.resolved.contains_key(*child)));
            if stack.len() == before {
                let children: Vec<Term> =
                    children.iter().map(|child| self.resolved[child]).collect();
                let result = store.rebuild(term, &children);
                self.resolved.insert(term, result);
                stack.pop();
            }
        }
        self.resolved[&root]
    }
}

fn is_atom(store: &TermStore, formula: Term) -> bool {
    match store.view(formula) {
        View::Atom | View::Predicate(..) | View::Constant(_) | View::Quantified(..) => true,
        View::Not(_) | View::And(_) | View::Or(_) | View::Iff(..) | View::Ite(..) | View::Term => {
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_base::Rng;
    use shofar_num::Rational;
    use shofar_term::Relation;
    use shofar_term::eval::Value;
    use shofar_term::visit::postorder;

    #[test]
    fn choices_inside_atoms_go() {
        let mut s = TermStore::new();
        let (x, y, three) = (s.var("x", Sort::INT), s.var("y", Sort::INT), s.int(3));
        let size = s.abs(x);
        let rest = s.modulo(size, &5.into());
        let goal = s.lt(rest, y);
        let differs = s.eq(size, three);
        let differs = s.not(differs);
        let formula = s.and(&[goal, differs]);
        let mut model = Model::new();
        model.set(s.declare("x", &[], Sort::INT), Value::Number((-7).into()));
        model.set(s.declare("y", &[], Sort::INT), Value::Number(4.into()));
        let literals = implicant(&mut s, formula, &model);
        let minus = s.neg(x);
        let rest = s.modulo(minus, &5.into());
        let zero = s.int(0);
        let mut expected = vec![s.lt(rest, y), s.lt(x, zero), s.gt(minus, three)];
        let mut found = literals.clone();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_disjunct_that_is_there_is_taken() {
        let mut s = TermStore::new();
        let [p, q, r] = ["p", "q", "r"].map(|name| s.var(name, Sort::BOOL));
        let either = s.or(&[p, q]);
        let both = s.and(&[q, r]);
        let formula = s.and(&[either, both]);
        let mut model = Model::new();
        for name in ["p", "q", "r"] {
            model.set(s.declare(name, &[], Sort::BOOL), Value::Bool(true));
        }
        let mut found = implicant(&mut s, formula, &model);
        found.sort_unstable();
        assert_eq!(found, [q, r]);
    }

    #[test]
    fn a_million_levels_need_no_stack() {
        let mut s = TermStore::new();
        let (p, x, zero) = (s.var("p", Sort::BOOL), s.var("x", Sort::INT), s.int(0));
        let one = s.int(1);
        let mut count = x;
        for _ in 0..100_000 {
            let next = s.ite(p, zero, count);
            count = s.add(&[next, one]);
        }
        let mut formula = s.ge(count, zero);
        for _ in 0..100_000 {
            let step = s.or(&[p, formula]);
            formula = s.iff(step, p);
            formula = s.not(formula);
        }
        let literals = implicant(&mut s, formula, &Model::new());
        assert!(literals.len() <= 3);
    }

    /// Terms to build formulas from: the last ones are the deepest.
    fn random_formula(rng: &mut Rng, s: &mut TermStore) -> Term {
        let mut formulas = ["p", "q"].map(|name| s.var(name, Sort::BOOL)).to_vec();
        let mut integers = ["x", "y"].map(|name| s.var(name, Sort::INT)).to_vec();
        integers.push(s.int(3));
        let mut reals = vec![s.var("r", Sort::REAL)];
        for _ in 0..12 {
            let (a, b) = (*rng.pick(&formulas), *rng.pick(&formulas));
            let (i, j) = (*rng.pick(&integers), *rng.pick(&integers));
            let (u, v) = (*rng.pick(&reals), *rng.pick(&reals));
            let a = if rng.chance(50) { s.not(a) } else { a };
            match rng.below(12) {
                0 => formulas.push(s.and(&[a, b])),
                1 => formulas.push(s.or(&[a, b])),
                2 => formulas.push(s.iff(a, b)),
                3 => integers.push(s.ite(a, i, j)),
                4 => reals.push(s.ite(a, u, v)),
                5 => integers.push(s.modulo(i, &3.into())),
                6 => integers.push(s.to_int(u)),
                7 => integers.push(s.sub(i, j)),
                8 => reals.push(s.add(&[i, u, v])),
                9 => formulas.push(s.eq(i, j)),
                10 => formulas.push(s.lt(u, v)),
                _ => formulas.push(s.le(i, j)),
            }
        }
        let last = formulas.split_off(formulas.len().saturating_sub(4));
        let (all, any) = (s.and(&last[1..]), s.or(&last[..2]));
        s.xor(all, any)
    }

    fn random_model(rng: &mut Rng, s: &mut TermStore) -> Model {
        let mut model = Model::new();
        for name in ["p", "q"] {
            model.set(s.declare(name, &[], Sort::BOOL), Value::Bool(rng.chance(50)));
        }
        for name in ["x", "y"] {
            let value = Value::Number(rng.range(-3, 3).into());
            model.set(s.declare(name, &[], Sort::INT), value);
        }
        let value = Value::Number(Rational::new(rng.range(-6, 6), 2));
        model.set(s.declare("r", &[], Sort::REAL), value);
        model
    }

    fn is_literal(s: &TermStore, literal: Term) -> bool {
        let (atom, negated) = s.strip_not(literal);
        let no_choice = postorder(s, &[atom]).iter().all(|&t| !matches!(s.kind(t), Kind::Ite(..)));
        let relation = s.comparison(atom).map(|(relation, ..)| relation);
        let arithmetic = matches!(relation, Some(Relation::Le | Relation::Lt));
        let equality = relation == Some(Relation::Eq) && !negated;
        no_choice && (arithmetic || equality || s.symbol(atom).is_some())
    }

    #[test]
    fn implicants_are_true_and_imply() {
        let mut hits = 0;
        for seed in 0..3000 {
            let rng = &mut Rng::new(seed);
            let mut s = TermStore::new();
            let formula = random_formula(rng, &mut s);
            let model = random_model(rng, &mut s);
            if !Evaluator::with_defaults(&model).holds(&s, formula).unwrap() {
                continue;
            }
            let literals = implicant(&mut s, formula, &model);
            assert!(literals.iter().all(|&l| is_literal(&s, l)), "seed {seed}");
            let cube = s.and(&literals);
            assert!(Evaluator::with_defaults(&model).holds(&s, cube).unwrap(), "seed {seed}");
            for _ in 0..20 {
                let other = random_model(rng, &mut s);
                let mut evaluator = Evaluator::with_defaults(&other);
                if evaluator.holds(&s, cube).unwrap() {
                    hits += 1;
                    assert!(evaluator.holds(&s, formula).unwrap(), "seed {seed}");
                }
            }
        }
        assert!(hits > 1000, "the law was hardly tested: {hits}");
    }
}
