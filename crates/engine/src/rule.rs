//! Clauses as engines use them: over variables of their own.
//!
//! A rule speaks about *formals*, constants that stand for the arguments of its body, and about
//! *locals*, its other variables. The head's arguments are terms; the guard is what else the clause
//! says. There are two ways to make one:
//!
//! - *Solved* ([`Rule::of_system`]): all rules share their formals, locals are the clause's
//!   variables that are no function of these, and the head's arguments are terms over both. In a
//!   clause `p(x) ∧ x' = x + 1 → p(x')` nothing remains for the guard: the head is `p(f + 1)`. So
//!   deterministic systems are executed rather than searched when their arguments are known values.
//!   A transition system has such rules as well ([`Rule::of_loop`]): its state variables are the
//!   formals.
//! - *Apart* ([`Rule::apart`]): no variable occurs in another rule, but for the arguments of the
//!   head, which are those that all rules with that head share. The guard is the constraint. So all
//!   rules can be told to solvers at the same time.

use std::ops::Deref;

use shofar_base::{Idx, Map};
use shofar_chc::{Clause, ClauseId, LinearSystem, NormalSystem, PredId, TransitionSystem};
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model, NoValue};
use shofar_term::substitute::Substitution;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{Sort, Symbol, Term, TermStore};

use crate::definitions::Definitions;

/// A predicate of a body with its formals.
#[derive(Clone, Debug)]
pub(crate) struct Premise {
    pub(crate) pred: PredId,
    pub(crate) formals: Vec<Symbol>,
}

/// The constants that stand for arguments of bodies; all rules of a system share them.
#[derive(Default)]
struct Formals(Map<(usize, usize, Sort), Symbol>);

impl Formals {
    fn get(&mut self, store: &mut TermStore, atom: usize, index: usize, sort: Sort) -> Symbol {
        *self.0.entry((atom, index, sort)).or_insert_with(|| store.fresh("formal", sort))
    }
}

/// A clause over variables of its own; see the module documentation.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) clause: ClauseId,
    pub(crate) head: Option<(PredId, Vec<Term>)>,
    pub(crate) body: Vec<Premise>,
    pub(crate) guard: Term,
    pub(crate) locals: Vec<Symbol>,
    /// Every variable of the clause that is no formal, as a term over formals and locals.
    pub(crate) variables: Vec<(Symbol, Term)>,
}

/// A rule with at most one premise.
#[derive(Clone, Debug)]
pub(crate) struct LinearRule(Rule);

impl LinearRule {
    /// The rules of all clauses, in their order.
    pub(crate) fn of_system(store: &mut TermStore, system: LinearSystem<'_>) -> Vec<Self> {
        Rule::of_system(store, &system).into_iter().map(Self).collect()
    }
    /// The rules of a loop; see [`Rule::of_loop`].
    pub(crate) fn of_loop(store: &mut TermStore, ts: &TransitionSystem) -> [Self; 3] {
        Rule::of_loop(store, ts).map(Self)
    }
    /// The predicate of the body, if there is one.
    pub(crate) fn premise(&self) -> Option<&Premise> {
        self.0.body.first()
    }
}

impl Deref for LinearRule {
    type Target = Rule;
    fn deref(&self) -> &Rule {
        &self.0
    }
}

/// A rule said of particular arguments.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub(crate) head: Vec<Term>,
    pub(crate) guard: Term,
    /// What stands for the rule's locals.
    pub(crate) locals: Vec<Term>,
}

impl Rule {
    /// The rules of all clauses, in their order.
    pub(crate) fn of_system(store: &mut TermStore, system: &NormalSystem) -> Vec<Rule> {
        let mut formals = Formals::default();
        let ids: Vec<ClauseId> = system.clauses().map(|(id, _)| id).collect();
        ids.into_iter().map(|id| Self::solve(store, &mut formals, system, id)).collect()
    }
    fn solve(
        store: &mut TermStore,
        names: &mut Formals,
        system: &NormalSystem,
        id: ClauseId,
    ) -> Self {
        let clause = system.clause(id);
        let variables = clause.variables(store);
        let mut conjuncts = Vec::new();
        let mut body = Vec::new();
        for (position, atom) in clause.body.iter().enumerate() {
            let mut formals = Vec::new();
            for (index, &arg) in atom.args.iter().enumerate() {
                let sort = store.sort(arg);
                let formal = names.get(store, position, index, sort);
                let term = store.constant(formal);
                // The variable is named first, so that it is solved for rather than anything in the
                // constraint.
                conjuncts.push(store.eq(arg, term));
                formals.push(formal);
            }
            body.push(Premise { pred: atom.pred, formals });
        }
        conjuncts.push(clause.constraint);
        let head = clause.head.as_ref().map(|head| (head.pred, head.args.as_slice()));
        Self::solved_for(store, id, head, body, &conjuncts, &variables)
    }
    /// The rules of a loop: a fact, a step and a query about one predicate, the first, whose
    /// arguments are the state.
    pub(crate) fn of_loop(store: &mut TermStore, ts: &TransitionSystem) -> [Rule; 3] {
        let pred = PredId::from_index(0);
        let [state, next] = [&ts.state, &ts.next]
            .map(|symbols| symbols.iter().map(|&s| store.constant(s)).collect::<Vec<Term>>());
        let here = || vec![Premise { pred, formals: ts.state.clone() }];
        let parts = [
            (Some((pred, state.as_slice())), Vec::new(), ts.init, ts.state.as_slice()),
            (Some((pred, next.as_slice())), here(), ts.step, ts.next.as_slice()),
            (None, here(), ts.bad, &[]),
        ];
        let mut id = 0;
        parts.map(|(head, body, formula, of_head)| {
            let mut variables = ts.locals(store, formula);
            variables.extend(of_head);
            variables.sort_unstable();
            let clause = ClauseId::from_index(id);
            id += 1;
            Self::solved_for(store, clause, head, body, &[formula], &variables)
        })
    }
    /// The rule that says `conjuncts` with what is no function of the formals of `body`;
    /// `variables` are all others, in order.
    fn solved_for(
        store: &mut TermStore,
        clause: ClauseId,
        head: Option<(PredId, &[Term])>,
        body: Vec<Premise>,
        conjuncts: &[Term],
        variables: &[Symbol],
    ) -> Self {
        let (mut definitions, rest) = Definitions::solve(store, conjuncts, variables);
        let guard = store.and(&rest);
        let head = head.map(|(pred, args)| {
            let args: Vec<Term> = args.iter().map(|&arg| definitions.apply(store, arg)).collect();
            (pred, args)
        });
        let mut solved = Vec::new();
        for &symbol in variables {
            let term = store.constant(symbol);
            solved.push((symbol, definitions.apply(store, term)));
        }
        let args = head.iter().flat_map(|(_, args)| args.iter().copied());
        let mut locals = free_symbols(store, &args.chain([guard]).collect::<Vec<Term>>());
        locals.retain(|l| variables.binary_search(l).is_ok());
        Self { clause, head, body, guard, locals, variables: solved }
    }
    /// The rule of a clause with variables of its own, and `head` for the arguments of its head.
    pub(crate) fn apart(
        store: &mut TermStore,
        id: ClauseId,
        clause: &Clause,
        head: &[Symbol],
    ) -> Self {
        let mut map: Map<Term, Term> = Map::default();
        for (&arg, &symbol) in clause.head.iter().flat_map(|atom| &atom.args).zip(head) {
            map.insert(arg, store.constant(symbol));
        }
        let mut body = Vec::new();
        for (position, atom) in clause.body.iter().enumerate() {
            let prefix = format!("r{}.{position}", id.index());
            let formals: Vec<Symbol> =
                atom.args.iter().map(|&arg| store.fresh(&prefix, store.sort(arg))).collect();
            for (&arg, &formal) in atom.args.iter().zip(&formals) {
                map.insert(arg, store.constant(formal));
            }
            body.push(Premise { pred: atom.pred, formals });
        }
        let mut variables = Vec::new();
        let mut locals = Vec::new();
        for symbol in clause.variables(store) {
            let variable = store.constant(symbol);
            if !map.contains_key(&variable) {
                let local = store.fresh(&format!("r{}", id.index()), store.result(symbol));
                map.insert(variable, store.constant(local));
                locals.push(local);
            }
            variables.push((symbol, map[&variable]));
        }
        let guard = Substitution::new(map).apply(store, clause.constraint);
        let head = clause
            .head
            .as_ref()
            .map(|atom| (atom.pred, head.iter().map(|&symbol| store.constant(symbol)).collect()));
        Self { clause: id, head, body, guard, locals, variables }
    }
    /// The rule said of `args`, one list for each premise, with new constants for the locals.
    pub(crate) fn instantiate(&self, store: &mut TermStore, args: &[&[Term]]) -> Instance {
        let mut map: Map<Term, Term> = Map::default();
        for (premise, args) in self.body.iter().zip(args) {
            for (&formal, &arg) in premise.formals.iter().zip(*args) {
                map.insert(store.constant(formal), arg);
            }
        }
        let mut locals = Vec::new();
        for &local in &self.locals {
            let (prefix, sort) = (store.name(local).to_owned(), store.result(local));
            let copy = store.fresh(&prefix, sort);
            let copy = store.constant(copy);
            map.insert(store.constant(local), copy);
            locals.push(copy);
        }
        let mut substitution = Substitution::new(map);
        let guard = substitution.apply(store, self.guard);
        let head = self.head.iter().flat_map(|(_, args)| args);
        let head = head.map(|&t| substitution.apply(store, t)).collect();
        Instance { head, guard, locals }
    }
    /// The values of the clause's variables in `model`, for the instance with `args` and `locals`;
    /// an error if one depends on what a selector yields of a value of another constructor.
    pub(crate) fn values(
        &self,
        store: &TermStore,
        model: &mut Evaluator<'_>,
        args: &[&[Term]],
        locals: &[Term],
    ) -> Result<Model, NoValue> {
        let mut known = Model::new();
        for (premise, args) in self.body.iter().zip(args) {
            for (&formal, &arg) in premise.formals.iter().zip(*args) {
                known.set(formal, model.evaluate(store, arg)?);
            }
        }
        for (&local, &copy) in self.locals.iter().zip(locals) {
            known.set(local, model.evaluate(store, copy)?);
        }
        self.solved(store, &known)
    }
    /// The values of the clause's variables where formals and locals have these.
    pub(crate) fn solved(&self, store: &TermStore, known: &Model) -> Result<Model, NoValue> {
        let mut values = Model::with_capacity(self.variables.len());
        let mut evaluator = Evaluator::with_defaults(known);
        for &(symbol, term) in &self.variables {
            values.set(symbol, evaluator.evaluate(store, term)?);
        }
        Ok(values)
    }
}

/// The rules by the predicate of their head, and the queries; positions in the list of rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleIndex {
    deriving: Map<PredId, Vec<usize>>,
    pub(crate) queries: Vec<usize>,
}

impl RuleIndex {
    /// The index of `rules`.
    pub(crate) fn new<'r>(rules: impl IntoIterator<Item = &'r Rule>) -> Self {
        let mut index = Self::default();
        for (position, rule) in rules.into_iter().enumerate() {
            debug_assert_eq!(rule.clause.index(), position, "rules are in the order of clauses");
            match &rule.head {
                Some((pred, _)) => index.deriving.entry(*pred).or_default().push(position),
                None => index.queries.push(position),
            }
        }
        index
    }
    /// The rules whose head is `pred`.
    pub(crate) fn deriving(&self, pred: PredId) -> &[usize] {
        self.deriving.get(&pred).map_or(&[], Vec::as_slice)
    }
}

/// The numbers that forms in `formulas` are compared to, and their neighbours, in increasing order.
pub(crate) fn numbers(store: &TermStore, formulas: &[Term]) -> Vec<Rational> {
    let mut numbers = vec![Rational::ZERO];
    for term in postorder(store, formulas) {
        let compared = store.comparison(term).map(|(.., bound)| bound);
        if let Some(n) = compared.or_else(|| store.as_number(term)) {
            numbers.extend([n - &Rational::ONE, n.clone(), n + &Rational::ONE]);
        } else if let Some(sum) = store.as_sum(term) {
            numbers.push(sum.constant().clone());
        }
    }
    let negated: Vec<Rational> = numbers.iter().map(|n| -n).collect();
    numbers.extend(negated);
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_a_loop_are_solved_for_what_follows_from_the_state() {
        let mut s = TermStore::new();
        let [x, y, x_next, y_next, input] =
            ["x", "y", "x'", "y'", "i"].map(|name| s.declare(name, &[], Sort::INT));
        let [now, then, free, by] = [x, x_next, y_next, input].map(|symbol| s.constant(symbol));
        let (zero, nine) = (s.int(0), s.int(9));
        let init = s.eq(now, zero);
        let sum = s.add(&[now, by]);
        let (equation, bound) = (s.eq(then, sum), s.le(by, nine));
        let ts = TransitionSystem {
            state: vec![x, y],
            next: vec![x_next, y_next],
            init,
            step: s.and(&[equation, bound]),
            bad: s.ge(now, nine),
        };
        let [fact, step, query] = Rule::of_loop(&mut s, &ts);
        let any = s.constant(y);
        assert_eq!(fact.head, Some((PredId::from_index(0), vec![zero, any])));
        assert_eq!((fact.guard, fact.locals), (s.top(), vec![y]));
        assert_eq!(step.head, Some((PredId::from_index(0), vec![sum, free])));
        assert_eq!((step.guard, step.locals.clone()), (bound, vec![y_next, input]));
        assert_eq!((query.guard, query.locals), (ts.bad, Vec::new()));
        let args = [s.int(4), s.int(5)];
        let instance = step.instantiate(&mut s, &[&args]);
        let four_more = s.add(&[args[0], instance.locals[1]]);
        assert_eq!(instance.head[0], four_more);
    }
}
