//! Templates: the terms by which interpolants are told what to speak about.
//!
//! A template of a relation symbol is a term over its parameters, with a direction and a cost. In
//! the direction [`Both`] it allows any condition on the term, [`Up`] allows bounds from below
//! only, [`Down`] bounds from above only. Only symbols that depend on themselves have templates: it
//! is for them that a predicate has to hold after every further step.
//!
//! They are found from the clauses; what costs less is preferred:
//!
//! 1. forms that no step changes, [`Both`]: the vectors orthogonal to all changes of the arguments,
//!    which are found from models of the clauses; constants are the simplest of these, then
//!    relations between few arguments; and conditions that are arguments;
//! 2. forms that clauses compare with a number, in the direction that steps do not change them;
//! 3. those in the other direction, and remainders of arguments that steps change by multiples of a
//!    number;
//! 4. arguments and, if there are few, their sums and differences, [`Up`] and [`Down`].
//!
//! Hints of users cost what they say; where nothing is said, they come first.
//!
//! All arguments in both directions are among them, so that all templates together exclude nothing.
//!
//! Source: [LRS16] §5 (term, octagon and relational templates, costs). DIVERGENCE [LRS16] §6: forms
//! that no step changes are computed exactly, for clauses with any constraint, instead of read off
//! assignments.
//!
//! [`Both`]: Direction::Both
//! [`Up`]: Direction::Up
//! [`Down`]: Direction::Down

mod changes;

use shofar_base::{Idx as _, IndexVec, Outcome, Set};
use shofar_chc::{ChcGraph, Hint, HintKind, NormalSystem, PredId};
use shofar_num::Rational;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{Cx, Symbol, Term, TermStore};

use super::options::Templates;
use super::predicates::Predicates;
use crate::rule::Rule;
use changes::Changes;

/// Of more arguments than these, sums and differences are no templates.
const MOST_PAIRED: usize = 7;
/// So many forms that clauses compare are templates of one symbol.
const MOST_FORMS: usize = 24;

/// What may be said about a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Direction {
    /// Anything.
    Both,
    /// That it is at least something.
    Up,
    /// That it is at most something.
    Down,
}

impl Direction {
    /// How the term below, `value`, is related to the one above.
    pub(super) fn relate(self, store: &mut TermStore, value: Term, above: Term) -> Term {
        match self {
            Direction::Both => store.eq(value, above),
            Direction::Up => store.le(value, above),
            Direction::Down => store.ge(value, above),
        }
    }
}

/// A template; see the module documentation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Template {
    pub(super) term: Term,
    pub(super) direction: Direction,
    pub(super) cost: u32,
}

/// The templates of all symbols; those without any are not abstracted.
pub(super) struct Families(pub(super) IndexVec<PredId, Vec<Template>>);

impl Families {
    /// The templates of the kinds that are `wanted`.
    pub(super) fn new(
        cx: &mut Cx<'_>,
        system: &NormalSystem,
        rules: &[Rule],
        predicates: &Predicates,
        wanted: Templates,
    ) -> Outcome<Self> {
        let mut families: IndexVec<PredId, Vec<Template>> =
            system.preds().map(|_| Vec::new()).collect();
        if !wanted.is_on() {
            return Ok(Self(families));
        }
        let graph = ChcGraph::new(system);
        for component in graph.components() {
            let is_recursive = component.len() > 1 || graph.has_loop(component[0]);
            if is_recursive {
                for &pred in &component {
                    let params = predicates.params(pred);
                    let mut family = Family::new(cx.store, pred, params);
                    let users = graph.outgoing(pred).iter();
                    let users: Vec<&Rule> = users.map(|user| &rules[user.index()]).collect();
                    family.find(cx, &users, wanted)?;
                    families[pred] = family.templates;
                }
            }
        }
        Ok(Self(families))
    }
    /// Adds the terms of `hints` about symbols that have templates, before those of the same cost;
    /// how many there are.
    pub(super) fn add_hints(
        &mut self,
        store: &mut TermStore,
        hints: &[Hint],
        predicates: &Predicates,
    ) -> usize {
        let mut count = 0;
        for hint in hints {
            let (directions, cost): (&[Direction], u32) = match hint.kind {
                HintKind::Predicate => continue,
                HintKind::Term { cost } => (&[Direction::Both], cost),
                HintKind::Bounds { cost } => (&[Direction::Up, Direction::Down], cost),
            };
            let family = &mut self.0[hint.pred];
            if family.is_empty() {
                continue;
            }
            let params = predicates.params(hint.pred);
            let args: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
            let term = hint.apply(store, &args);
            count += 1;
            for &direction in directions {
                let at = family.partition_point(|known| known.cost < cost);
                family.insert(at, Template { term, direction, cost });
            }
        }
        count
    }
    /// Whether there are any.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }
}

/// The templates of one symbol on their way.
struct Family<'p> {
    pred: PredId,
    params: &'p [Symbol],
    args: Vec<Term>,
    templates: Vec<Template>,
    seen: Set<(Term, Direction)>,
}

impl<'p> Family<'p> {
    fn new(store: &mut TermStore, pred: PredId, params: &'p [Symbol]) -> Self {
        let args = params.iter().map(|&param| store.constant(param)).collect();
        Self { pred, params, args, templates: Vec::new(), seen: Set::default() }
    }
    fn add(&mut self, term: Term, direction: Direction, cost: u32) {
        if self.seen.insert((term, direction)) {
            self.templates.push(Template { term, direction, cost });
        }
    }
    /// Looks for templates in the rules whose bodies have the symbol.
    fn find(&mut self, cx: &mut Cx<'_>, users: &[&Rule], wanted: Templates) -> Outcome<()> {
        let mut changes = Changes::new(cx.store, users, self.pred, &self.args);
        for at in 0..self.args.len() {
            if !cx.store.sort(self.args[at]).is_arithmetic() {
                self.add(self.args[at], Direction::Both, 1);
            }
        }
        if wanted.relational {
            for (form, size) in changes.constant_forms(cx)? {
                self.add(form, Direction::Both, if size == 1 { 1 } else { 2 });
            }
            for (term, divisor) in changes.strides(cx.store) {
                let remainder = cx.store.modulo(term, &divisor);
                self.add(remainder, Direction::Both, 3);
            }
        }
        if wanted.terms {
            for form in self.compared_forms(cx.store, users) {
                let (grows, falls) = changes.monotone(cx, form)?;
                self.add(form, Direction::Up, if grows { 2 } else { 3 });
                self.add(form, Direction::Down, if falls { 2 } else { 3 });
            }
        }
        for &arg in &self.args.clone() {
            if cx.store.sort(arg).is_arithmetic() {
                self.add(arg, Direction::Up, 4);
                self.add(arg, Direction::Down, 4);
            }
        }
        if wanted.octagons {
            self.pairs(cx.store);
        }
        self.templates.sort_by_key(|template| template.cost);
        Ok(())
    }
    /// Sums and differences of two arguments.
    fn pairs(&mut self, store: &mut TermStore) {
        let numbers: Vec<Term> =
            self.args.iter().copied().filter(|&arg| store.sort(arg).is_arithmetic()).collect();
        if numbers.len() > MOST_PAIRED {
            return;
        }
        for (at, &first) in numbers.iter().enumerate() {
            for &second in &numbers[at + 1..] {
                for form in [store.sub(first, second), store.add(&[first, second])] {
                    self.add(form, Direction::Up, 5);
                    self.add(form, Direction::Down, 5);
                }
            }
        }
    }
    /// The forms over the arguments of one premise or of the head that clauses compare with a
    /// number.
    fn compared_forms(&self, store: &mut TermStore, users: &[&Rule]) -> Vec<Term> {
        let mut forms = Vec::new();
        for rule in users {
            for premise in rule.body.iter().filter(|premise| premise.pred == self.pred) {
                for atom in postorder(store, &[rule.guard]) {
                    let Some((_, form, _)) = store.comparison(atom) else { continue };
                    let inside = free_symbols(store, &[form]);
                    if inside.len() < 2 || !inside.iter().all(|s| premise.formals.contains(s)) {
                        continue;
                    }
                    let form =
                        shofar_term::substitute::rename(store, form, &premise.formals, self.params);
                    if !forms.contains(&form) && forms.len() < MOST_FORMS {
                        forms.push(form);
                    }
                }
            }
        }
        forms
    }
}

/// The sum of `coefficients` times `args`.
fn form(store: &mut TermStore, coefficients: &[Rational], args: &[Term]) -> Term {
    let summands: Vec<Term> = coefficients
        .iter()
        .zip(args)
        .filter(|(coefficient, _)| !coefficient.is_zero())
        .map(|(coefficient, &arg)| store.scale(coefficient, arg))
        .collect();
    store.add(&summands)
}
