//! From formulas to clauses.
//!
//! Every subformula and every atom has one SAT variable that stands for it, in all parts and
//! scopes. The clauses that tie it to its subterms are valid by themselves and stay; only the
//! clauses of a part's top level belong to the part, and carry the guard of its scope. Definitions
//! are polarity-aware [PG86]: only the direction in use is written down.
//!
//! `ite`, `div`, `mod` and `to_int` terms are variables of their theory like any symbol; the
//! clauses that define them are valid as well and mention only their own symbols. Applications are
//! shared by the theories under their own handle. Definitions and purified terms are not kept per
//! part, as one would expect of an interpolating solver. Since each stands for a term, an
//! interpolant that mentions it mentions that term, so nothing auxiliary can leak, and parts share
//! their encoding.
//!
//! Operations on arrays and data are applications as well. What is special about them comes as
//! instances of axioms, valid clauses that are written when a candidate for a model violates them.
//!
//! A variable is *active* in the polarities in which a live part needs it. The search decides
//! active variables only, so what a popped scope leaves behind costs next to nothing until the
//! solver is rebuilt. Invariant: an active variable's definition is written in its active
//! polarities, and the variables there are active.

mod vectors;

use std::collections::BTreeSet;

use shofar_base::{IndexVec, Lit, Map, Set, Var};
use shofar_sat as sat;
use shofar_term::{ArithKind, DataKind, Kind, Term, TermStore, View};
use shofar_theory::{Theories, Theory};

use crate::PartId;
use crate::bits::Circuits;
use crate::leaf::{Leaf, Leaves};

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;
const BOTH: u8 = 3;

fn flip(polarity: u8) -> u8 {
    (polarity >> 1 | polarity << 1) & BOTH
}

/// What is known about a SAT variable.
#[derive(Clone, Copy, Debug)]
struct Meaning {
    /// The term it stands for; none for guards.
    term: Option<Term>,
    /// Polarities in which the definition is written.
    defined: u8,
    /// Polarities in which live parts need it.
    active: u8,
}

/// Where a group of different terms comes from.
///
/// Invariant: the theories and the encoding have the same groups, those of live parts, in the order
/// of the parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub(crate) part: PartId,
    /// What its clauses are weakened by.
    pub(crate) guard: Option<Lit>,
}

/// The correspondence of terms and SAT variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encoding {
    var_of: Map<Term, Var>,
    meaning: IndexVec<Var, Meaning>,
    /// What activation changed, to be undone by `pop`.
    activated: Vec<(Var, u8)>,
    queue: Vec<(Var, u8)>,
    clause: Vec<Lit>,
    pub(crate) leaves: Leaves,
    /// What was met that no theory supports.
    pub(crate) unsupported: Option<&'static str>,
    /// Whether there are formulas over vectors.
    pub(crate) has_bits: bool,
    circuits: Circuits,
    /// The bits of the vectors that theories know, as formulas.
    vectors: Map<Term, Box<[Term]>>,
    /// The instances of axioms that are written down, as sorted clauses.
    instances: Set<Box<[Term]>>,
    /// The products of unknowns that were met.
    pub(crate) products: BTreeSet<Term>,
    /// The operations on vectors that were met and are too wide for circuits.
    pub(crate) wide: BTreeSet<Term>,
    active_vars: usize,
    /// Asserted equalities that were written as their bounds, since no functions watched them.
    bounded_equalities: Vec<Term>,
    /// The origins of the groups of different terms that are left to the theories: they keep the
    /// values apart where they can, and the clauses of pairs that agree in spite of that are
    /// written in the middle of the search.
    pub(crate) groups: Vec<Origin>,
}

impl Encoding {
    pub(crate) fn new(proofs: bool) -> Self {
        Self { leaves: Leaves::new(proofs), ..Self::default() }
    }
    /// The term `var` stands for, unless it is a guard.
    pub(crate) fn term(&self, var: Var) -> Option<Term> {
        self.meaning[var].term
    }
    /// The variable that stands for `term`, if there is one.
    pub(crate) fn var_of(&self, term: Term) -> Option<Var> {
        self.var_of.get(&term).copied()
    }
    /// Every variable, with its term, in order.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (Var, Term)> + '_ {
        self.meaning.handles().filter_map(|v| Some((v, self.meaning[v].term?)))
    }
    /// Where the trail of activations stands.
    pub(crate) fn mark(&self) -> usize {
        self.activated.len()
    }
    /// Makes inactive what became active since `mark`.
    pub(crate) fn deactivate(&mut self, mark: usize, sat: &mut sat::Solver) {
        while self.activated.len() > mark {
            let (var, before) = self.activated.pop().expect("longer than the mark");
            self.meaning[var].active = before;
            if before == 0 {
                self.active_vars -= 1;
                sat.set_decision(var, false);
            }
        }
    }
    /// Lets go of a variable that the search was asked to decide, unless a live part needs it.
    pub(crate) fn retire_split(&self, var: Var, sat: &mut sat::Solver) {
        if self.meaning[var].active == 0 {
            sat.set_decision(var, false);
        }
    }
    /// Whether a live part needs `term`.
    pub(crate) fn is_live(&self, term: Term) -> bool {
        self.var_of(term).is_some_and(|var| self.meaning[var].active != 0)
    }
    /// How many variables live parts need.
    pub(crate) fn active_vars(&self) -> usize {
        self.active_vars
    }
    /// Enters a variable that the SAT solver has just made.
    pub(crate) fn enter(&mut self, var: Var, term: Option<Term>) {
        let entered = self.meaning.push(Meaning { term, defined: 0, active: 0 });
        assert_eq!(entered, var, "SAT variables are entered in order");
        if let Some(term) = term {
            self.var_of.insert(term, var);
        }
    }
}

/// Everything that takes part in encoding.
pub(crate) struct Encoder<'a> {
    pub(crate) store: &'a mut TermStore,
    pub(crate) sat: &'a mut sat::Solver,
    pub(crate) theories: &'a mut Theories,
    pub(crate) known: &'a mut Encoding,
}

impl Encoder<'_> {
    /// A variable that stands for no term.
    pub(crate) fn guard(&mut self) -> Lit {
        let var = self.sat.new_var();
        self.known.enter(var, None);
        var.positive()
    }
    /// Adds the clauses of `formula` as those of `part`, each weakened by `guard`.
    pub(crate) fn add_part(&mut self, formula: Term, part: PartId, guard: Option<Lit>) {
        let mut conjuncts = vec![(formula, true)];
        // Terms are graphs: without looking back, a shared part would be visited once for every
        // path to it.
        let mut seen: Set<(Term, bool)> = Set::default();
        while let Some((term, positive)) = conjuncts.pop() {
            if !seen.insert((term, positive)) {
                continue;
            }
            match self.store.view(term) {
                View::Not(inner) => conjuncts.push((inner, !positive)),
                View::And(parts) | View::Or(parts)
                    if positive == self.store.conjunction(term).is_some()
                        && let Some(members) =
                            self.theories.keep_apart(self.store, parts, !positive) =>
                {
                    for member in members {
                        self.activate_monomials(member);
                    }
                    self.known.groups.push(Origin { part, guard });
                }
                View::And(parts) if positive => {
                    conjuncts.extend(parts.iter().rev().map(|&t| (t, true)));
                }
                View::Or(parts) if !positive => {
                    conjuncts.extend(parts.iter().rev().map(|&t| (t, false)));
                }
                View::Constant(value) if value == positive => (),
                View::Constant(_)
                | View::And(_)
                | View::Or(_)
                | View::Iff(..)
                | View::Ite(..)
                | View::Quantified(..)
                | View::Predicate(..)
                | View::Atom
                | View::Term => self.add_part_clauses(term, positive, part, guard),
            }
        }
        self.define_all();
    }
    /// A conjunct of a part: a disjunction, an equality or any other formula.
    fn add_part_clauses(&mut self, term: Term, positive: bool, part: PartId, guard: Option<Lit>) {
        if positive
            && !self.theories.watches_equalities()
            && let Some(bounds) = self.store.equation_bounds(term)
        {
            // An asserted equality is its two bounds; its own variable would only be in the way.
            for half in bounds {
                let lit = self.literal(half, POSITIVE);
                self.part_clause(&[lit], part, guard);
            }
            self.known.bounded_equalities.push(term);
            return;
        }
        let mut clause = Vec::new();
        let mut disjuncts = vec![(term, positive)];
        let mut seen: Set<(Term, bool)> = Set::default();
        while let Some((term, positive)) = disjuncts.pop() {
            if !seen.insert((term, positive)) {
                continue;
            }
            match self.store.view(term) {
                View::Not(inner) => disjuncts.push((inner, !positive)),
                View::Or(parts) if positive => {
                    disjuncts.extend(parts.iter().rev().map(|&t| (t, true)));
                }
                View::And(parts) if !positive => {
                    disjuncts.extend(parts.iter().rev().map(|&t| (t, false)));
                }
                View::Constant(value) if value == positive => return,
                View::Constant(_) => (),
                View::And(_)
                | View::Or(_)
                | View::Iff(..)
                | View::Ite(..)
                | View::Quantified(..)
                | View::Predicate(..)
                | View::Atom
                | View::Term => {
                    let lit = self.literal(term, if positive { POSITIVE } else { NEGATIVE });
                    clause.push(lit.xor(!positive));
                }
            }
        }
        self.part_clause(&clause, part, guard);
    }
    fn part_clause(&mut self, lits: &[Lit], part: PartId, guard: Option<Lit>) {
        let tag = self.known.leaves.tag(|| Leaf::Part(part));
        self.known.clause.clear();
        self.known.clause.extend_from_slice(lits);
        self.known.clause.extend(guard.map(|g| !g));
        self.sat.add_clause(&self.known.clause, tag);
    }
    /// Makes the theories care for a term that no formula mentions.
    pub(crate) fn mention(&mut self, term: Term) {
        self.activate_monomials(term);
        self.define_all();
    }
    /// The literal of an arbitrary formula, defined in the direction needed for assuming it.
    pub(crate) fn assumption(&mut self, formula: Term) -> Lit {
        let lit = self.literal(formula, POSITIVE);
        self.define_all();
        lit
    }
    /// The literal that stands for `formula`, active in `polarity`; definitions are written by
    /// [`Self::define_all`].
    fn literal(&mut self, formula: Term, polarity: u8) -> Lit {
        let (term, negated) = self.store.strip_not(formula);
        let var = self.variable(term);
        let is_watched = self.theories.watches_equalities() && self.store.equation(term).is_some();
        // The value of an equality that functions watch has to be right in both cases.
        let polarity = if is_watched { BOTH } else { polarity };
        self.activate(var, if negated { flip(polarity) } else { polarity });
        Lit::new(var, !negated)
    }
    fn variable(&mut self, term: Term) -> Var {
        if let Some(var) = self.known.var_of(term) {
            return var;
        }
        let var = self.sat.new_var();
        self.sat.set_decision(var, false);
        self.known.enter(var, Some(term));
        if self.theories.owns(self.store, term) {
            self.sat.watch(var);
            self.theories.register(self.store, term, var);
        }
        var
    }
    fn activate(&mut self, var: Var, polarity: u8) {
        let meaning = &mut self.known.meaning[var];
        let missing = polarity & !meaning.active;
        if missing == 0 {
            return;
        }
        self.known.activated.push((var, meaning.active));
        if meaning.active == 0 {
            self.known.active_vars += 1;
            let is_formula = meaning.term.is_none_or(|t| self.store.sort(t).is_bool());
            self.sat.set_decision(var, is_formula);
        }
        meaning.active |= missing;
        self.known.queue.push((var, missing));
    }
    fn define_all(&mut self) {
        while let Some((var, polarity)) = self.known.queue.pop() {
            let meaning = &mut self.known.meaning[var];
            let new = polarity & !meaning.defined;
            meaning.defined |= polarity;
            let term = meaning.term.expect("only terms are activated");
            self.define(var, term, polarity, new);
        }
    }
    /// Activates what `term` needs in `polarity` and writes the clauses of the polarities in `new`.
    fn define(&mut self, var: Var, term: Term, polarity: u8, new: u8) {
        match self.store.kind(term) {
            Kind::True => self.clause(&[var.positive()], term, new != 0),
            Kind::False => self.clause(&[var.negative()], term, new != 0),
            Kind::Symbol(_) => (),
            Kind::App(_, args) => {
                let args = args.to_vec();
                self.define_application(term, &args);
                if self.store.as_times(term).is_some() {
                    self.define_product(term);
                }
            }
            Kind::Same(a, _) if self.store.bits_width(self.store.sort(a)).is_some() => {
                self.define_bits(var, term, polarity, new);
            }
            Kind::Same(a, b) => {
                self.activate_monomials(a);
                self.activate_monomials(b);
            }
            Kind::Array(_) => {
                let args = self.store.children(term).to_vec();
                self.define_application(term, &args);
            }
            Kind::Data(_) => {
                let args = self.store.children(term).to_vec();
                self.define_application(term, &args);
                self.define_data(term);
            }
            Kind::Quantified(..) => self.known.unsupported = Some("quantifiers"),
            Kind::Bits(_) => self.define_bits(var, term, polarity, new),
            Kind::And(parts) => {
                let parts = parts.to_vec();
                self.define_junction(var.positive(), term, &parts, false, polarity, new);
            }
            Kind::Or(parts) => {
                let parts = parts.to_vec();
                self.define_junction(var.negative(), term, &parts, true, flip(polarity), flip(new));
            }
            Kind::Iff(a, b) => self.define_iff(var, term, [a, b], new),
            Kind::Ite(c, a, b) if self.store.sort(term).is_bool() => {
                self.define_choice(var, term, [c, a, b], polarity, new);
            }
            Kind::Ite(c, a, b) => self.define_ite(term, [c, a, b], new != 0),
            Kind::Arith(_) => self.define_arithmetic(var, term, polarity, new),
            Kind::Not(_) => unreachable!("a negation has the variable of what it negates"),
        }
    }
    fn define_arithmetic(&mut self, var: Var, term: Term, polarity: u8, new: u8) {
        match self.store.arith(term).expect("the caller has looked") {
            ArithKind::Number(_) => (),
            ArithKind::Eq(..) => {
                let bounds = self.store.equation_bounds(term).expect("it is an equation");
                self.define_junction(var.positive(), term, &bounds, false, polarity, new);
            }
            ArithKind::Le(form, _) | ArithKind::Lt(form, _) => {
                self.activate_monomials(form);
                if let Some(choice) = self.compare_branches(term, form) {
                    self.define_choice(var, term, choice, polarity, new);
                }
            }
            ArithKind::Div(..) | ArithKind::Mod(..) | ArithKind::ToInt(_) => {
                for fact in Theories::facts(self.store, term) {
                    self.fact(fact, term, new != 0);
                }
            }
            ArithKind::Sum(_) => unreachable!("a sum has no variable"),
        }
    }
    fn clause(&mut self, lits: &[Lit], term: Term, write: bool) {
        if write {
            let tag = self.known.leaves.tag(|| Leaf::Definition(term));
            self.sat.add_clause(lits, tag);
        }
    }
    /// `p ↔ ∧ parts`, where each part is negated if `negated`: with the sign of `p` flipped this is
    /// `∨` as well.
    fn define_junction(
        &mut self,
        p: Lit,
        term: Term,
        parts: &[Term],
        negated: bool,
        polarity: u8,
        new: u8,
    ) {
        let wanted = if negated { flip(polarity) } else { polarity };
        let lits: Vec<Lit> = parts.iter().map(|&t| self.literal(t, wanted).xor(negated)).collect();
        for &lit in &lits {
            self.clause(&[!p, lit], term, new & POSITIVE != 0);
        }
        if new & NEGATIVE != 0 {
            let mut long: Vec<Lit> = lits.iter().map(|&l| !l).collect();
            long.push(p);
            self.clause(&long, term, true);
        }
    }
    fn define_iff(&mut self, var: Var, term: Term, sides: [Term; 2], new: u8) {
        let p = var.positive();
        let [a, b] = sides.map(|t| self.literal(t, BOTH));
        self.clause(&[!p, !a, b], term, new & POSITIVE != 0);
        self.clause(&[!p, a, !b], term, new & POSITIVE != 0);
        self.clause(&[p, a, b], term, new & NEGATIVE != 0);
        self.clause(&[p, !a, !b], term, new & NEGATIVE != 0);
    }
    fn define_choice(&mut self, var: Var, term: Term, [c, a, b]: [Term; 3], polarity: u8, new: u8) {
        let p = var.positive();
        let c = self.literal(c, BOTH);
        let (a, b) = (self.literal(a, polarity), self.literal(b, polarity));
        self.clause(&[!p, !c, a], term, new & POSITIVE != 0);
        self.clause(&[!p, c, b], term, new & POSITIVE != 0);
        self.clause(&[p, !c, !a], term, new & NEGATIVE != 0);
        self.clause(&[p, c, !b], term, new & NEGATIVE != 0);
        // Redundant, but lets the branches decide when the condition is open.
        self.clause(&[!p, a, b], term, new & POSITIVE != 0);
        self.clause(&[p, !a, !b], term, new & NEGATIVE != 0);
    }
    /// The comparison of a choice with a number as a choice between comparisons. It is redundant,
    /// but where choices are nested in conditions of choices, it spares the theory long chains
    /// of bounds. A choice as a branch is left alone, because each comparison with a long chain
    /// would be written down for every link.
    fn compare_branches(&mut self, atom: Term, form: Term) -> Option<[Term; 3]> {
        let Kind::Ite(c, a, b) = self.store.kind(form) else { return None };
        let is_number = |t: Term| self.store.as_number(t).is_some();
        let is_choice = |t: Term| matches!(self.store.kind(t), Kind::Ite(..));
        let is_nested = self.store.children(c).iter().any(|&t| is_choice(t));
        if !is_nested || is_choice(a) || is_choice(b) || !(is_number(a) || is_number(b)) {
            return None;
        }
        Some([c, self.store.rebuild(atom, &[a]), self.store.rebuild(atom, &[b])])
    }
    /// Activates the terms in `form` that need a definition.
    fn activate_monomials(&mut self, form: Term) {
        let monomials: Vec<Term> = if let Some(sum) = self.store.as_sum(form) {
            sum.iter().map(|(_, t)| t).collect()
        } else {
            vec![form]
        };
        for term in monomials {
            if self.store.symbol(term).is_none() && self.store.as_number(term).is_none() {
                let var = self.variable(term);
                self.activate(var, BOTH);
            }
        }
    }
    /// Gives an application and its arguments to the theories; formulas among the arguments have to
    /// get a value.
    fn define_application(&mut self, term: Term, args: &[Term]) {
        let watched = self.theories.watches_equalities();
        self.theories.share(self.store, term);
        if !watched && self.theories.watches_equalities() {
            self.offer_equalities();
        }
        self.define_vector(term);
        for &arg in args {
            if self.define_vector(arg) {
                continue;
            }
            match self.store.view(arg) {
                View::Constant(_) => {}
                View::Term => self.activate_monomials(arg),
                View::Not(_)
                | View::And(_)
                | View::Or(_)
                | View::Iff(..)
                | View::Ite(..)
                | View::Quantified(..)
                | View::Predicate(..)
                | View::Atom => {
                    let var = self.literal(arg, BOTH).var();
                    let (formula, _) = self.store.strip_not(arg);
                    self.sat.watch(var);
                    self.theories.register_argument(self.store, formula, var);
                }
            }
        }
    }
    /// A tester says what its argument is made of; a selector brings the tester of its constructor.
    fn define_data(&mut self, term: Term) {
        match self.store.data_kind(term).expect("the caller has looked") {
            DataKind::Construct(..) => {}
            DataKind::Field(field, whole) => {
                let test = self.store.is(self.store.field_constructor(field), whole);
                if !matches!(self.store.view(test), View::Constant(_)) {
                    self.literal(test, BOTH);
                }
            }
            DataKind::Is(constructor, whole) => {
                let fields = self.store.constructor_fields(constructor).to_vec();
                let parts: Vec<Term> =
                    fields.into_iter().map(|f| self.store.field(f, whole)).collect();
                let made = self.store.construct(constructor, &parts);
                let (denied, equality) = (self.store.not(term), self.store.eq(whole, made));
                self.write_instance(&[denied, equality]);
            }
        }
    }
    /// Of a product, the solver knows some laws from the beginning, and others when a candidate for
    /// a model violates them.
    fn define_product(&mut self, term: Term) {
        self.known.products.insert(term);
        for clause in self.store.product_facts(term) {
            self.write_instance(&clause);
        }
    }
    /// Writes down an instance of an axiom, and makes its literals active. The result is whether
    /// anything is new.
    pub(crate) fn instance(&mut self, clause: &[Term]) -> bool {
        let before = self.known.activated.len();
        let is_new = self.write_instance(clause);
        self.define_all();
        is_new || self.known.activated.len() > before
    }
    fn write_instance(&mut self, clause: &[Term]) -> bool {
        let mut clause: Vec<Term> =
            clause.iter().copied().filter(|&t| t != self.store.bottom()).collect();
        clause.sort_unstable();
        clause.dedup();
        let lits: Vec<Lit> = clause.iter().map(|&t| self.literal(t, POSITIVE)).collect();
        let is_new = self.known.instances.insert(clause.into());
        if is_new {
            let tag = self.known.leaves.tag(|| Leaf::Axiom);
            self.sat.add_clause(&lits, tag);
        }
        is_new
    }
    /// Registers the equalities that were encoded before they mattered.
    fn offer_equalities(&mut self) {
        let atoms: Vec<(Var, Term)> = self.known.terms().collect();
        for (var, atom) in atoms {
            if Theories::is_watchable(self.store, atom) {
                self.sat.watch(var);
                self.theories.register(self.store, atom, var);
            }
        }
        for equality in std::mem::take(&mut self.known.bounded_equalities) {
            self.literal(equality, BOTH);
        }
    }
    /// A valid fact as a unit clause.
    fn fact(&mut self, fact: Term, term: Term, write: bool) {
        if fact != self.store.top() {
            let lit = self.literal(fact, POSITIVE);
            self.clause(&[lit], term, write);
        }
    }
    /// `ite(c, a, b)` equals `a` if `c`, else `b`.
    fn define_ite(&mut self, term: Term, [c, a, b]: [Term; 3], write: bool) {
        let c = self.literal(c, BOTH);
        for (branch, guard) in [(a, !c), (b, c)] {
            let halves = match Theories::halves(self.store, term, branch) {
                Some(halves) => halves.to_vec(),
                None => vec![self.store.eq(term, branch)],
            };
            for half in halves {
                let lit = self.literal(half, POSITIVE);
                self.clause(&[guard, lit], term, write);
            }
        }
        if let (Some(x), Some(y)) = (self.store.as_number(a), self.store.as_number(b)) {
            let (low, high) = if x < y { (a, b) } else { (b, a) };
            for fact in [self.store.ge(term, low), self.store.le(term, high)] {
                self.fact(fact, term, write);
            }
        }
    }
}
