//! Linear arithmetic over reals and integers: the theory of the atoms `form <= bound` and
//! `form < bound`.
//!
//! Every form, be it an opaque term or a sum of such, is a column of a simplex tableau; every
//! literal is a bound on its column. An atom is kept as the threshold `t` for which it says
//! `x <= t`, with `t = b - δ` for `x < b`; its negation says `x >= t⁺` with `t⁺ = t + 1` for
//! integer forms and `t⁺ = t + δ` for others. Integers are decided at the final check by case
//! distinctions that the search carries out, so every contradiction is one of linear inequalities.
//!
//! | part | job |
//! |---|---|
//! | `tableau` | sparse rows and pivoting |
//! | `bounds` | limits of columns, with their literals |
//! | `simplex` | the assignment, and the search for a feasible one |
//! | `propagate` | implied literals |
//! | `explain` | Farkas lemmas, and their checker |
//! | `integer` | case distinctions for integers |
//! | `definition` | terms that arithmetic defines by facts |
//! | `apart`, `distinct` | groups of terms whose values all differ, and how they are recognised |
//! | `between` | shared terms between the sides of an interpolation |
//! | `optimum` | extreme values of columns |
//! | `model` | concrete values |
//!
//! Invariant: `levels` remembers the lengths of all trails; `pop` cuts every one of them. Columns
//! and atoms are permanent.
//!
//! Source: [DdM06].

mod apart;
mod between;
mod bounds;
mod definition;
mod distinct;
mod explain;
mod integer;
mod model;
mod optimum;
mod propagate;
mod simplex;
mod tableau;

#[cfg(test)]
mod tests;

use shofar_base::{Budget, Idx, IndexVec, Lit, Map, Outcome, Set, Var, index_type};
use shofar_num::{Delta, Rational};
use shofar_term::eval::{Model, Value};
use shofar_term::{Relation, Symbol, Term, TermStore};

use self::apart::Groups;
pub(crate) use self::between::Between;
use self::bounds::{Bound, End};
pub(crate) use self::definition::{facts, halves, parts};
use self::integer::IntegerState;
pub use self::integer::SPLIT_LIMIT;
use self::propagate::{Cause, Reason};
use self::simplex::{Feasibility, Simplex};
use self::tableau::{Column, Row};
use crate::inequality::{Inequality, is_farkas_refutation};
use crate::interpolate::{self, LinearAlgorithm, Weighted};
use crate::project;
use crate::theory::{
    Check, Color, Coloring, Effort, Farkas, Labelled, Lemma, SharedValues, Side, Theory,
};

index_type!(
    /// A registered atom.
    struct AtomId
);

/// What can be chosen about the arithmetic solver.
#[derive(Clone, Debug)]
pub struct Options {
    /// Rows with more entries than this do not propagate; 0 turns row propagation off.
    pub propagation_row_length: usize,
    /// Case distinctions for integers in one query before giving up.
    pub split_limit: u32,
    /// Case distinctions for integers in one query before the search branches along flat
    /// directions.
    pub splits_before_plans: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { propagation_row_length: 40, split_limit: 4_000, splits_before_plans: 12 }
    }
}

/// Counters of work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Calls of `check`.
    pub checks: u64,
    /// Basis exchanges.
    pub pivots: u64,
    /// Lemmas for contradictions.
    pub conflicts: u64,
    /// Literals found to be implied.
    pub implied: u64,
    /// Integer branches on one term.
    pub branches: u64,
    /// Integer splits on other forms.
    pub cuts: u64,
    /// Integer branches along directions with few values.
    pub flat: u64,
    /// Integer values repaired without a split.
    pub patches: u64,
}

/// An atom `column <= threshold`, or else `column >= successor`.
#[derive(Clone, Debug)]
struct Atom {
    column: Column,
    threshold: Delta,
    successor: Delta,
    var: Var,
    /// Whether the integers asked for it.
    is_split: bool,
    asserted: Option<bool>,
    implied: Option<(bool, Reason)>,
}

/// What is known about a column besides its bounds and its value.
#[derive(Clone, Debug)]
struct Form {
    term: Term,
    integer: bool,
    /// Its atoms, the first `sorted` of them by increasing threshold.
    atoms: Vec<AtomId>,
    sorted: usize,
    /// How many of them are neither asserted nor implied.
    open: u32,
}

/// The lengths of the trails when a scope began.
#[derive(Clone, Copy, Debug)]
struct Level {
    bounds: usize,
    asserted: usize,
    implied: usize,
    causes: usize,
    premises: usize,
}

/// The solver for linear arithmetic; see the module documentation.
#[derive(Clone, Debug)]
pub struct Arith {
    options: Options,
    simplex: Simplex,
    forms: IndexVec<Column, Form>,
    column_of: Map<Term, Column>,
    atoms: IndexVec<AtomId, Atom>,
    atom_of: IndexVec<Var, Option<AtomId>>,
    asserted: Vec<AtomId>,
    /// Implied atoms, oldest first; those from `delivered` on have not been handed out.
    implied: Vec<AtomId>,
    delivered: usize,
    causes: Vec<Cause>,
    premises: Vec<(Lit, Rational)>,
    levels: Vec<Level>,
    /// Columns whose bounds have changed since rows were last searched for implied bounds.
    changed: Vec<Column>,
    /// Scratch of the propagation: the rows to search, and whether a row is among them.
    rows: Vec<Row>,
    integer: IntegerState,
    side: Map<Term, Side>,
    /// Terms that another theory speaks about.
    shared: Set<Term>,
    apart: Groups,
    stats: Stats,
}

impl Arith {
    /// A solver without atoms.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            simplex: Simplex::default(),
            forms: IndexVec::new(),
            column_of: Map::default(),
            atoms: IndexVec::new(),
            atom_of: IndexVec::new(),
            asserted: Vec::new(),
            implied: Vec::new(),
            delivered: 0,
            causes: Vec::new(),
            premises: Vec::new(),
            levels: Vec::new(),
            changed: Vec::new(),
            rows: Vec::new(),
            integer: IntegerState::default(),
            side: Map::default(),
            shared: Set::default(),
            apart: Groups::default(),
            stats: Stats::default(),
        }
    }
    /// The work done so far.
    pub fn stats(&self) -> Stats {
        Stats { pivots: self.simplex.pivots, ..self.stats }
    }

    /// Sets how many case distinctions integers may take in one query.
    pub fn limit_splits(&mut self, limit: u32) {
        self.options.split_limit = limit;
    }

    /// The column of a form, made if need be.
    fn column(&mut self, store: &TermStore, form: Term) -> Column {
        if let Some(&column) = self.column_of.get(&form) {
            return column;
        }
        let Some(sum) = store.as_sum(form) else {
            let integer = store.sort(form).is_int();
            let column = self.simplex.add_column(Box::default(), integer);
            return self.add_form(form, integer, column);
        };
        assert!(sum.constant().is_zero(), "the forms of atoms have no constant");
        let mut definition = Vec::with_capacity(sum.len());
        for (c, t) in sum.iter() {
            definition.push((c.clone(), self.column(store, t)));
        }
        if let [(c, x)] = &definition[..]
            && c.is_one()
        {
            self.column_of.insert(form, *x);
            return *x;
        }
        let integer = definition.iter().all(|(c, x)| c.is_integer() && self.forms[*x].integer);
        let column = self.simplex.add_column(definition.into(), integer);
        self.add_form(form, integer, column)
    }
    fn add_form(&mut self, term: Term, integer: bool, column: Column) -> Column {
        let same = self.forms.push(Form { term, integer, atoms: Vec::new(), sorted: 0, open: 0 });
        debug_assert_eq!(same, column);
        self.column_of.insert(term, column);
        column
    }
    fn atom(&self, var: Var) -> Option<AtomId> {
        self.atom_of.get(var).copied().flatten()
    }
    /// The bound that a literal asserts: its column, its end and its value.
    fn meaning(&self, lit: Lit) -> (Column, End, &Delta) {
        let atom = self.atom(lit.var()).expect("only registered atoms are asserted");
        let atom = &self.atoms[atom];
        if lit.is_positive() {
            (atom.column, End::Upper, &atom.threshold)
        } else {
            (atom.column, End::Lower, &atom.successor)
        }
    }
}

/// The threshold of an atom and the least value above it.
fn thresholds(bound: &Rational, strict: bool, integer: bool) -> (Delta, Delta) {
    if integer {
        let floor = if strict { bound.ceil() - Rational::ONE } else { bound.floor() };
        let next = &floor + &Rational::ONE;
        (floor.into(), next.into())
    } else if strict {
        (Delta::new(bound.clone(), Rational::MINUS_ONE), bound.clone().into())
    } else {
        (bound.clone().into(), Delta::new(bound.clone(), Rational::ONE))
    }
}

impl Arith {
    /// Takes a literal as true if its variable stands for an atom of arithmetic; says whether it
    /// does.
    #[inline]
    pub(crate) fn assert_own(&mut self, lit: Lit) -> Option<Result<(), Lemma<Farkas>>> {
        let id = self.atom(lit.var())?;
        Some(self.assert_atom(id, lit))
    }
    /// Decides the relaxation over the reals; searches for implied literals if it is feasible.
    fn refute_relaxation(&mut self, budget: &Budget) -> Outcome<Option<Lemma<Farkas>>> {
        self.stats.checks += 1;
        if let Feasibility::Stuck(row, end) = self.simplex.solve(budget, &mut self.changed)? {
            self.stats.conflicts += 1;
            return Ok(Some(self.row_conflict(row, end)));
        }
        self.propagate_rows();
        Ok(None)
    }
    fn assert_atom(&mut self, id: AtomId, lit: Lit) -> Result<(), Lemma<Farkas>> {
        if self.atoms[id].asserted == Some(lit.is_positive()) {
            return Ok(());
        }
        self.mark_asserted(id, lit.is_positive());
        let (column, end, value) = self.meaning(lit);
        let limits = self.simplex.bounds.of(column);
        let (subsumed, clash) = match end {
            End::Upper => (
                limits.upper.as_ref().is_some_and(|u| u.value <= *value),
                limits.lower.as_ref().filter(|l| l.value > *value),
            ),
            End::Lower => (
                limits.lower.as_ref().is_some_and(|l| l.value >= *value),
                limits.upper.as_ref().filter(|u| u.value < *value),
            ),
        };
        if let Some(clash) = clash {
            let lemma = self.clash(lit, clash.lit);
            self.stats.conflicts += 1;
            return Err(lemma);
        }
        if !subsumed {
            let bound = Bound { value: value.clone(), lit };
            self.propagate_bound(column, end, &bound);
            self.simplex.bounds.tighten(column, end, bound);
            self.simplex.touch(column);
        }
        Ok(())
    }
}

impl Theory for Arith {
    type Certificate = Farkas;
    type Algorithm = LinearAlgorithm;

    fn owns(&self, store: &TermStore, atom: Term) -> bool {
        matches!(store.comparison(atom), Some((Relation::Le | Relation::Lt, ..)))
    }
    fn register(&mut self, store: &TermStore, atom: Term, var: Var) {
        if self.atom(var).is_some() {
            return;
        }
        let (strict, form, bound) = match store.comparison(atom) {
            Some((Relation::Le, form, bound)) => (false, form, bound),
            Some((Relation::Lt, form, bound)) => (true, form, bound),
            Some((Relation::Eq, ..)) | None => {
                panic!("an arithmetic atom is an inequality, not {:?}", store.kind(atom))
            }
        };
        let column = self.column(store, form);
        let (threshold, successor) = thresholds(bound, strict, self.forms[column].integer);
        let id = AtomId::from_index(self.atoms.len());
        self.forms[column].atoms.push(id);
        self.forms[column].open += 1;
        let is_split = self.integer.asked.contains(&atom);
        let (asserted, implied) = (None, None);
        self.atoms.push(Atom { column, threshold, successor, var, is_split, asserted, implied });
        if self.atom_of.len() <= var.index() {
            self.atom_of.resize(var.index() + 1, None);
        }
        self.atom_of[var] = Some(id);
        self.propagate_known(id);
    }
    fn share(&mut self, store: &TermStore, term: Term) {
        for &(_, t) in store.linear(term).monomials() {
            self.column(store, t);
            self.shared.insert(t);
        }
    }
    fn assert(&mut self, lit: Lit) -> Result<(), Lemma<Farkas>> {
        self.assert_own(lit).expect("only registered atoms are asserted")
    }
    fn check(
        &mut self,
        store: &mut TermStore,
        budget: &Budget,
        effort: Effort,
    ) -> Outcome<Check<Farkas>> {
        match effort {
            Effort::Quick => {
                Ok(self.refute_relaxation(budget)?.map_or(Check::Consistent, Check::Conflict))
            }
            Effort::Final => self.check_final(store, budget),
        }
    }
    fn implied(&mut self, out: &mut Vec<Lit>) {
        for &id in &self.implied[self.delivered..] {
            let atom = &self.atoms[id];
            let (positive, _) = atom.implied.expect("atoms on the trail are implied");
            out.push(Lit::new(atom.var, positive));
        }
        self.delivered = self.implied.len();
    }
    fn explain(&mut self, lit: Lit) -> Lemma<Farkas> {
        self.explain_implied(lit)
    }
    fn push(&mut self) {
        self.levels.push(Level {
            bounds: self.simplex.bounds.mark(),
            asserted: self.asserted.len(),
            implied: self.implied.len(),
            causes: self.causes.len(),
            premises: self.premises.len(),
        });
    }
    fn pop(&mut self, levels: u32) {
        let keep = self.levels.len().checked_sub(levels as usize).expect("as many scopes are open");
        let Some(&level) = self.levels.get(keep) else { return };
        self.levels.truncate(keep);
        self.unmark(&level);
        self.causes.truncate(level.causes);
        self.premises.truncate(level.premises);
        self.simplex.backtrack(level.bounds);
    }
    fn phase(&self, var: Var) -> Option<bool> {
        let atom = &self.atoms[self.atom(var)?];
        Some(self.simplex.evaluate(atom.column) <= atom.threshold)
    }
    fn begin_query(&mut self) {
        self.integer.splits = 0;
        self.integer.planning.clear();
    }
    fn restrict_splits(&mut self, side: &Map<Term, Side>) {
        self.side.clone_from(side);
    }
    fn complete(&self, store: &TermStore, shared: &mut SharedValues, model: &mut Model) {
        for (term, value) in self.concrete_values() {
            if self.shared.contains(&term) {
                shared.insert(term, Value::Number(value.clone()));
            }
            if let Some(symbol) = store.symbol(term) {
                model.set(symbol, Value::Number(value));
            }
        }
    }
    fn certifies(store: &TermStore, literals: &[(Term, bool)], farkas: &Farkas) -> bool {
        is_farkas_refutation(store, literals, farkas)
    }
    fn interpolate(
        store: &mut TermStore,
        literals: &[Labelled],
        farkas: &Farkas,
        coloring: &mut dyn Coloring,
        algorithm: &LinearAlgorithm,
    ) -> Term {
        let (mut a, mut b): (Vec<Weighted>, Vec<Weighted>) = (Vec::new(), Vec::new());
        for (literal, k) in literals.iter().zip(farkas) {
            let inequality = Inequality::of_literal(store, literal.atom, literal.positive)
                .expect("a lemma is about bounds of linear forms");
            match literal.side {
                Side::A => a.push((k.clone(), inequality)),
                Side::B => b.push((k.clone(), inequality)),
            }
        }
        let mut terms: Vec<Term> = a
            .iter()
            .chain(&b)
            .flat_map(|(_, i)| i.linear.monomials().iter().map(|&(_, t)| t))
            .collect();
        terms.sort_unstable();
        terms.dedup();
        terms.retain(|&t| coloring.color(store, t) == Color::Shared);
        let is_shared = |t: Term| terms.binary_search(&t).is_ok();
        interpolate::interpolate(store, &a, &b, &is_shared, algorithm)
    }
    fn project(
        store: &mut TermStore,
        cube: &[Term],
        eliminate: &[Symbol],
        model: &Model,
    ) -> Outcome<Vec<Term>> {
        Ok(project::project(store, cube, eliminate, model))
    }
}
