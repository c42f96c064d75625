//! Clauses in normal form as one formula with marked positions.
//!
//! `enc` is the disjunction over the clauses for `false` of `C ∧ enc(p₁) ∧ … ∧ enc(pₙ)`, where
//! `enc(p)` is the same of the clauses for `p`, marked. The size is that of the clauses. The
//! formula is unsatisfiable exactly if the clauses are solvable; the disjunctive interpolant at the
//! position of `p` is a formula for `p`, and a model shows at every position which clause was used.
//!
//! Symbols that no clause for `false` depends on get `true`.
//!
//! Source: [RHK13b] (body-disjoint clauses and disjunctive interpolation). Symbols: `enc` →
//! [`Encoding`], `l_p` → `Encoding::position`.

use shofar_base::{GaveUp, IndexVec, Map, Outcome};
use shofar_chc::{ClauseId, Derivation, DerivationStep, PredId};
use shofar_smt::{Disjunctive, Marked, Position};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::substitute::Substitution;
use shofar_term::{Cx, Term, TermStore};

use crate::Options;
use crate::normal_form::{NormalForm, Solved};

/// Solves clauses in normal form.
pub(crate) fn solve(cx: &mut Cx<'_>, form: &NormalForm, options: &Options) -> Outcome<Solved> {
    let encoding = Encoding::of(cx.store, form);
    let solver = shofar_smt::Options { seed: options.seed, ..shofar_smt::Options::default() };
    Ok(match encoding.marked.solve(cx, &solver, &options.interpolation)? {
        Disjunctive::Model(model) => {
            Solved::Counterexample(encoding.derivation(cx.store, form, &model)?)
        }
        Disjunctive::Interpolants(found) => Solved::Solution(
            encoding.position.iter().map(|at| at.map_or(cx.store.top(), |at| found[at])).collect(),
        ),
    })
}

/// The formula of the clauses without marks.
pub(crate) fn formula(store: &mut TermStore, form: &NormalForm) -> Term {
    let encoding = Encoding::of(store, form);
    let mut by = Substitution::default();
    // What is marked below a position comes after it.
    let mut formula = store.bottom();
    for position in encoding.marked.positions.iter().rev() {
        formula = by.apply(store, position.formula);
        if let Some((_, flag)) = position.place {
            by.bind(store.constant(flag), formula);
        }
    }
    formula
}

/// The formula of the clauses.
struct Encoding {
    marked: Marked,
    /// The position of each symbol that a clause for `false` depends on.
    position: IndexVec<PredId, Option<usize>>,
    /// The clauses for each symbol.
    deriving: IndexVec<PredId, Vec<ClauseId>>,
    queries: Vec<ClauseId>,
}

impl Encoding {
    fn of(store: &mut TermStore, form: &NormalForm) -> Self {
        let mut this = Self {
            marked: Marked::root(store.bottom()),
            position: form.symbols().map(|_| None).collect(),
            deriving: form.symbols().map(|_| Vec::new()).collect(),
            queries: Vec::new(),
        };
        for (id, clause) in form.clauses() {
            match clause.head {
                Some(head) => this.deriving[head].push(id),
                None => this.queries.push(id),
            }
        }
        let queries = this.queries.clone();
        let mut open = this.mark(store, form, 0, &queries);
        while let Some(symbol) = open.pop() {
            let clauses = this.deriving[symbol].clone();
            let position = this.position[symbol].expect("what is open has a position");
            open.extend(this.mark(store, form, position, &clauses));
        }
        this
    }
    /// Says what stands at a position; returns the symbols that are marked below it.
    fn mark(
        &mut self,
        store: &mut TermStore,
        form: &NormalForm,
        at: usize,
        clauses: &[ClauseId],
    ) -> Vec<PredId> {
        let (mut ways, mut below) = (Vec::new(), Vec::new());
        for &id in clauses {
            let clause = form.clause(id);
            let mut way = vec![clause.constraint];
            for &symbol in &clause.body {
                if self.position[symbol].is_none() {
                    let place = Some((at, Marked::flag(store)));
                    self.position[symbol] = Some(self.marked.positions.len());
                    self.marked.positions.push(Position { formula: store.top(), place });
                    below.push(symbol);
                }
                let (above, flag) = self.place(symbol);
                assert_eq!(above, at, "a symbol is used by the clauses of one head");
                way.push(store.constant(flag));
            }
            ways.push(store.and(&way));
        }
        self.marked.positions[at].formula = store.or(&ways);
        below
    }
    fn place(&self, symbol: PredId) -> (usize, shofar_term::Symbol) {
        let position = self.position[symbol].expect("the symbol is marked");
        self.marked.positions[position].place.expect("a symbol is not the root")
    }
    /// The derivation that `model` describes, premises first.
    fn derivation(
        &self,
        store: &mut TermStore,
        form: &NormalForm,
        model: &Model,
    ) -> Outcome<Derivation> {
        let mut evaluator = Evaluator::with_defaults(model);
        let mut derivation = Derivation::default();
        let mut step_of: Map<PredId, usize> = Map::default();
        // What is derived by which clause, and how many of its premises are.
        let mut stack: Vec<(Option<PredId>, ClauseId, usize)> =
            vec![(None, self.taken(store, form, &mut evaluator, &self.queries)?, 0)];
        while let Some(&mut (symbol, id, ref mut next)) = stack.last_mut() {
            let body = &form.clause(id).body;
            if let Some(&open) = body.get(*next) {
                *next += 1;
                if !step_of.contains_key(&open) {
                    let clause = self.taken(store, form, &mut evaluator, &self.deriving[open])?;
                    stack.push((Some(open), clause, 0));
                }
                continue;
            }
            stack.pop();
            let mut assignment = Model::new();
            for variable in form.variables(store, id) {
                let constant = store.constant(variable);
                assignment.set(variable, evaluator.evaluate(store, constant)?);
            }
            let premises = body.iter().map(|symbol| step_of[symbol]).collect();
            if let Some(symbol) = symbol {
                step_of.insert(symbol, derivation.steps.len());
            }
            derivation.steps.push(DerivationStep { clause: id, assignment, premises });
        }
        Ok(derivation)
    }
    /// The clause of which the model says that it is used.
    fn taken(
        &self,
        store: &mut TermStore,
        form: &NormalForm,
        model: &mut Evaluator<'_>,
        clauses: &[ClauseId],
    ) -> Outcome<ClauseId> {
        for &id in clauses {
            let clause = form.clause(id);
            let mut way: Vec<Term> = Vec::with_capacity(1 + clause.body.len());
            for &symbol in &clause.body {
                way.push(store.constant(self.place(symbol).1));
            }
            way.push(clause.constraint);
            let way = store.and(&way);
            if model.holds(store, way)? {
                return Ok(id);
            }
        }
        Err(GaveUp::wrong("a model of the clauses uses none for a symbol"))
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::{Budget, Rng};
    use shofar_term::{Sort, Symbol};

    use super::*;

    fn ints(store: &mut TermStore, names: &[&str]) -> Vec<Symbol> {
        names.iter().map(|name| store.declare(name, &[], Sort::INT)).collect()
    }

    fn decide(store: &mut TermStore, form: &NormalForm) -> Solved {
        let budget = Budget::unlimited();
        let cx = &mut Cx::new(store, &budget);
        let solved = form.solve(cx, &Options::default()).expect("no limit");
        if let Solved::Solution(solution) = &solved {
            assert_eq!(form.violated(cx, solution), Ok(None));
            for symbol in form.symbols() {
                let symbols = shofar_term::symbols::free_symbols(cx.store, &[solution[symbol]]);
                assert!(symbols.iter().all(|s| form.params(symbol).contains(s)));
            }
        }
        if let Solved::Counterexample(derivation) = &solved {
            assert_derivation(cx.store, form, derivation);
        }
        solved
    }

    /// Every step holds, and takes the arguments that its premises derive.
    fn assert_derivation(store: &TermStore, form: &NormalForm, derivation: &Derivation) {
        for step in &derivation.steps {
            let clause = form.clause(step.clause);
            let mut evaluator = Evaluator::with_defaults(&step.assignment);
            assert_eq!(evaluator.holds(store, clause.constraint), Ok(true));
            assert_eq!(step.premises.len(), clause.body.len());
            for (&premise, &symbol) in step.premises.iter().zip(&clause.body) {
                let other = &derivation.steps[premise];
                assert_eq!(form.clause(other.clause).head, Some(symbol));
                for &param in form.params(symbol) {
                    assert_eq!(step.assignment.get(param), other.assignment.get(param));
                }
            }
        }
        let last = derivation.steps.last().expect("there is a step");
        assert_eq!(form.clause(last.clause).head, None);
    }

    /// McCarthy's function unwound once, as a tree of states: the last clause derives `false` from
    /// a result that is not 91.
    #[test]
    fn a_tree_of_states() {
        let mut s = TermStore::new();
        let [x6, y6, x5, nf, recf, n1] =
            ["x6", "y6", "x5", "nf", "recf", "n1"].map(|n| s.var(n, Sort::INT));
        let mut form = NormalForm::new();
        let params = [&["x6", "y6"], &["nf", "recf"], &["n1", "rec1"], &["x5", "y5"]];
        let [r6, rf, r1, r5] = params.map(|names| form.add_symbol(ints(&mut s, names)));
        let (ninety_one, ten, hundred) = (s.int(91), s.int(10), s.int(100));
        let right = s.eq(y6, ninety_one);
        let wrong = s.not(right);
        form.add_clause(None, vec![r6], wrong);
        let call = [s.eq(x5, x6), s.eq(x6, nf), s.eq(y6, recf)];
        let call = s.and(&call);
        form.add_clause(Some(r6), vec![r5, rf], call);
        let less = s.sub(nf, ten);
        let result = [s.eq(nf, n1), s.eq(recf, less)];
        let result = s.and(&result);
        form.add_clause(Some(rf), vec![r1], result);
        let large = s.gt(n1, hundred);
        let fact = form.add_clause(Some(r1), vec![], large);
        let small = s.le(x5, hundred);
        form.add_clause(Some(r5), vec![], small);
        assert!(matches!(decide(&mut s, &form), Solved::Solution(_)));
        let all = s.le(n1, hundred);
        form.constrain(fact, all);
        let Solved::Counterexample(derivation) = decide(&mut s, &form) else {
            panic!("the result of the call may be anything up to 90")
        };
        assert_eq!(derivation.steps.len(), 5);
    }

    #[test]
    fn symbols_without_clauses_and_symbols_that_nobody_needs() {
        let mut s = TermStore::new();
        let mut form = NormalForm::new();
        let [p, q, r] = ["x", "y", "z"].map(|name| form.add_symbol(ints(&mut s, &[name])));
        let top = s.top();
        form.add_clause(None, vec![p], top);
        form.add_clause(Some(q), vec![r], top);
        let Solved::Solution(solution) = decide(&mut s, &form) else { panic!("p has no clause") };
        assert_eq!(solution[p], s.bottom());
        assert_eq!((solution[q], solution[r]), (s.top(), s.top()));
        let mut bare = NormalForm::new();
        bare.add_clause(None, vec![], top);
        assert!(matches!(decide(&mut s, &bare), Solved::Counterexample(d) if d.steps.len() == 1));
    }

    /// Random clauses: whatever the answer, its evidence is checked.
    #[test]
    fn random_clauses() {
        let mut rng = Rng::new(11);
        let (mut solvable, mut refuted) = (0, 0);
        for _ in 0..150 {
            let mut s = TermStore::new();
            let mut form = NormalForm::new();
            let mut open = vec![None];
            while let Some(head) = open.pop() {
                let mut own = head.map_or(Vec::new(), |h: PredId| form.params(h).to_vec());
                own.extend(ints(&mut s, &[&format!("l{}", form.clauses().count())]));
                for _ in 0..=rng.below(2) {
                    let (mut variables, mut body) = (own.clone(), Vec::new());
                    for _ in 0..rng.below(3) {
                        let count = form.symbols().count();
                        if count < 7 {
                            let names = [format!("x{count}"), format!("y{count}")];
                            let params = ints(&mut s, &[&names[0], &names[1]]);
                            variables.extend(&params);
                            body.push(form.add_symbol(params));
                            open.push(body.last().copied());
                        }
                    }
                    let mut parts = Vec::new();
                    for _ in 0..2 {
                        let (a, b) = (*rng.pick(&variables), *rng.pick(&variables));
                        let (a, b) = (s.constant(a), s.constant(b));
                        let more = s.int(rng.range(-2, 3));
                        let sum = s.add(&[b, more]);
                        parts.push(if rng.chance(30) { s.eq(a, sum) } else { s.le(a, sum) });
                    }
                    let constraint = s.and(&parts);
                    form.add_clause(head, body, constraint);
                }
            }
            match decide(&mut s, &form) {
                Solved::Solution(_) => solvable += 1,
                Solved::Counterexample(_) => refuted += 1,
            }
        }
        assert!(solvable > 10 && refuted > 10, "both occur: {solvable} and {refuted}");
    }
}
