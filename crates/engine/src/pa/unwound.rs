//! The clauses of an and/or tree as formulas.
//!
//! Every copy `v` of a relation symbol has *arguments*, constants that the clause above it speaks
//! about, and *values*, terms with which a clause derives it. What copy `v` says is that, if it is
//! wanted, one of its ways is taken, and that a way which is taken derives its values from the
//! arguments of its kids. Values and arguments are not tied to each other here: a refinement says
//! how ([`refine`](super::refine)). What a node of the graph has of predicates already is said
//! about the arguments of its copies, so that refutations and interpolants are relative to it.
//!
//! Where there is no choice, no truth value is needed: a copy with one way is as wanted as its kids
//! are.
//!
//! Invariant: the formulas below a copy share nothing with the others but whether it is wanted and,
//! when tied, its arguments.
//!
//! Source: [RHK13] (body-disjoint clauses as a disjunctive interpolation problem). Symbols: `a_p` →
//! `wanted`.

use shofar_chc::{Derivation, DerivationStep};
use shofar_term::eval::{Evaluator, Model, NoValue};
use shofar_term::{Sort, Symbol, Term, TermStore};

use super::predicates::Predicates;
use super::refine::said_of;
use super::tree::{Copy, Tree};
use crate::rule::{Instance, Rule};

/// A copy of a relation symbol.
pub(super) struct Said {
    /// What stands for it in the clause above.
    pub(super) args: Vec<Term>,
    /// With what it is derived.
    pub(super) values: Vec<Term>,
    /// Whether the clause above is taken.
    pub(super) wanted: Term,
    /// What it says.
    pub(super) formula: Term,
    pub(super) ways: Vec<SaidWay>,
}

/// A way to derive a copy.
pub(super) struct SaidWay {
    /// Whether it is taken.
    taken: Term,
    /// The clause, said of the arguments of the kids.
    pub(super) instance: Instance,
    /// What is known about the arguments of the kids.
    pub(super) known: Term,
}

/// A tree as formulas; see the module documentation.
pub(super) struct Unwound {
    pub(super) copies: Vec<Said>,
}

impl Unwound {
    pub(super) fn new(
        store: &mut TermStore,
        rules: &[Rule],
        predicates: &Predicates,
        tree: &Tree,
    ) -> Self {
        let top = store.top();
        let nobody = || Said {
            args: Vec::new(),
            values: Vec::new(),
            wanted: top,
            formula: top,
            ways: Vec::new(),
        };
        let mut this = Self { copies: tree.copies.iter().map(|_| nobody()).collect() };
        // A copy comes before its kids, so whether it is wanted is known.
        for at in 0..tree.copies.len() {
            this.say(store, rules, predicates, tree, at);
        }
        this
    }
    fn say(
        &mut self,
        store: &mut TermStore,
        rules: &[Rule],
        predicates: &Predicates,
        tree: &Tree,
        at: usize,
    ) {
        let ways = &tree.copies[at].ways;
        let wanted = self.copies[at].wanted;
        for way in ways {
            let taken = if ways.len() == 1 { wanted } else { flag(store) };
            for (premise, &kid) in rules[way.clause].body.iter().zip(&way.kids) {
                self.copies[kid].args = fresh_copies(store, &premise.formals);
                self.copies[kid].wanted = taken;
            }
            let args: Vec<&[Term]> =
                way.kids.iter().map(|&kid| self.copies[kid].args.as_slice()).collect();
            let instance = rules[way.clause].instantiate(store, &args);
            let known = self.known(store, predicates, tree, &way.kids);
            self.copies[at].ways.push(SaidWay { taken, instance, known });
        }
        match &self.copies[at].ways[..] {
            [SaidWay { instance, known, .. }] => {
                let values = instance.head.clone();
                let facts = store.and(&[instance.guard, *known]);
                self.copies[at].formula = store.implies(wanted, facts);
                self.copies[at].values = values;
            }
            _ => self.say_choice(store, at),
        }
    }
    /// What the arguments of these kids are known to satisfy.
    fn known(
        &self,
        store: &mut TermStore,
        predicates: &Predicates,
        tree: &Tree,
        kids: &[usize],
    ) -> Term {
        let mut parts = Vec::new();
        for &kid in kids {
            let Copy { pred: Some(pred), known, .. } = &tree.copies[kid] else { continue };
            let known = predicates.conjunction(store, *pred, known);
            parts.push(said_of(store, known, predicates.params(*pred), &self.copies[kid].args));
        }
        store.and(&parts)
    }
    /// That one of several ways is taken.
    fn say_choice(&mut self, store: &mut TermStore, at: usize) {
        let copy = &mut self.copies[at];
        for &arg in &copy.args {
            let symbol = store.fresh("value", store.sort(arg));
            copy.values.push(store.constant(symbol));
        }
        let taken: Vec<Term> = copy.ways.iter().map(|way| way.taken).collect();
        let any = store.or(&taken);
        let mut parts = vec![store.implies(copy.wanted, any)];
        for SaidWay { taken, instance, known } in &copy.ways {
            let mut facts = vec![instance.guard, *known];
            let pairs = copy.values.iter().zip(&instance.head);
            facts.extend(pairs.map(|(&value, &head)| store.eq(value, head)));
            let facts = store.and(&facts);
            parts.push(store.implies(*taken, facts));
        }
        copy.formula = store.and(&parts);
    }
    /// That the values of copy number `at` are its arguments, if it is wanted.
    pub(super) fn same(&self, store: &mut TermStore, at: usize) -> Term {
        let Said { args, values, wanted, .. } = &self.copies[at];
        let pairs: Vec<Term> = args.iter().zip(values).map(|(&a, &v)| store.eq(a, v)).collect();
        let same = store.and(&pairs);
        store.implies(*wanted, same)
    }
    /// The derivation that `model` describes, in which values are arguments.
    pub(super) fn derivation(
        &self,
        store: &TermStore,
        rules: &[Rule],
        tree: &Tree,
        model: &Model,
    ) -> Result<Derivation, NoValue> {
        let mut evaluator = Evaluator::with_defaults(model);
        let mut taken: Vec<Option<usize>> = vec![None; self.copies.len()];
        let mut stack = vec![0];
        while let Some(at) = stack.pop() {
            let is_taken = |&way: &usize| {
                let flag = self.copies[at].ways[way].taken;
                evaluator.holds(store, flag) == Ok(true)
            };
            let way = (0..self.copies[at].ways.len()).find(is_taken);
            let way = way.expect("a copy that is wanted is derived in some way");
            taken[at] = Some(way);
            stack.extend(&tree.copies[at].ways[way].kids);
        }
        let mut derivation = Derivation::default();
        let mut step_of = vec![0; self.copies.len()];
        // Kids come after the copies above them.
        for at in (0..self.copies.len()).rev() {
            let Some(way) = taken[at] else { continue };
            let (rule, kids) = {
                let way = &tree.copies[at].ways[way];
                (&rules[way.clause], &way.kids)
            };
            let args: Vec<&[Term]> =
                kids.iter().map(|&kid| self.copies[kid].args.as_slice()).collect();
            let locals = &self.copies[at].ways[way].instance.locals;
            let assignment = rule.values(store, &mut evaluator, &args, locals)?;
            let premises = kids.iter().map(|&kid| step_of[kid]).collect();
            step_of[at] = derivation.steps.len();
            derivation.steps.push(DerivationStep { clause: rule.clause, assignment, premises });
        }
        Ok(derivation)
    }
}

/// New constants like these.
fn fresh_copies(store: &mut TermStore, symbols: &[Symbol]) -> Vec<Term> {
    let mut copies = Vec::new();
    for &symbol in symbols {
        let (name, sort) = (store.name(symbol).to_owned(), store.result(symbol));
        let copy = store.fresh(&name, sort);
        copies.push(store.constant(copy));
    }
    copies
}

/// A new truth value.
fn flag(store: &mut TermStore) -> Term {
    let symbol = store.fresh("taken", Sort::BOOL);
    store.constant(symbol)
}
