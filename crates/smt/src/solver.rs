//! The solver: parts in scopes above a SAT solver and a theory.
//!
//! A scope is a guard literal, assumed in every check while the scope is open; popping it makes the
//! guard false for good. What stays behind (definitions, atoms, lemmas) is switched off, and thrown
//! away by a rebuild when it outweighs what is alive. So `push` and `pop` cost nothing, and ten
//! thousand rounds leave no trace.

use shofar_base::{Budget, Lit, Outcome, index_type};
use shofar_base::{GaveUp, Idx};
use shofar_sat as sat;
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::print::print;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Question, Symbol, Term, TermStore};
use shofar_theory::{self as theory, Outside, SPLIT_LIMIT, Theories, Theory};

use crate::answer::{Answer, ModelView, UnsatView};
use crate::certify;
use crate::encode::{Encoder, Encoding};
use crate::hook::{Hook, HookState};
use crate::leaf::Leaf;
use crate::options::{Evidence, Options};

index_type!(
    /// A formula that was added; interpolation and cores speak of these.
    pub struct PartId
);

/// The boxes in which integer values are looked for when the search without bounds does not end.
const SMALL_VALUES: [i64; 2] = [16, 4096];

/// By how much the limit on case distinctions grows where the search does not give up.
const MORE_SPLITS: u32 = 4;

/// Why the search may give up where there are arrays or data.
const NO_MODEL: &str = "values of arrays, data and functions of bit-vectors";
/// Why the search may give up where there are products of unknowns.
const NO_PRODUCT: &str = "products of unknowns";
/// Why the search may give up where there are operations on vectors that have no circuit.
const NO_WIDE: &str = "products and quotients of wide bit-vectors";
/// So often a candidate is refined for one question if there are products of unknowns, or wide ones
/// without patience.
const MOST_PRODUCTS: usize = 200;

/// A live formula.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) id: PartId,
    pub(crate) formula: Term,
    /// The part's own guard, if cores are wanted.
    pub(crate) guard: Option<Lit>,
    /// The symbols of the formula, if proofs are wanted, for interpolation.
    pub(crate) symbols: Box<[Symbol]>,
}

#[derive(Clone, Debug)]
struct Scope {
    /// Made when the first part is added.
    guard: Option<Lit>,
    parts: usize,
    activated: usize,
}

/// What the last check left.
#[derive(Clone, Debug)]
pub(crate) enum Last {
    Nothing,
    Sat,
    Unsat,
}

/// Counters of a solver's life.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Checks asked.
    pub checks: u64,
    /// Times the solver was rebuilt to throw away dead scopes.
    pub rebuilds: u64,
    /// What the SAT solver counted since the last rebuild.
    pub sat: sat::Stats,
    /// What the theory counted since the last rebuild.
    pub theory: theory::Stats,
}

/// An incremental SMT solver; see the [crate] documentation.
pub struct Solver {
    pub(crate) options: Options,
    pub(crate) sat: sat::Solver,
    pub(crate) theories: Theories,
    pub(crate) known: Encoding,
    hook: HookState,
    pub(crate) parts: Vec<Part>,
    scopes: Vec<Scope>,
    /// Guards of popped scopes that the SAT solver does not know to be false yet.
    retired: Vec<Lit>,
    next_part: usize,
    /// The assumptions of the last check.
    pub(crate) assumed: Vec<(Term, Lit)>,
    pub(crate) last: Last,
    checks: u64,
    /// How often candidates for a model were refined since the last question.
    refinements: usize,
    rebuilds: u64,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

fn sat_solver(options: &Options) -> sat::Solver {
    sat::Solver::new(sat::Options {
        proofs: options.evidence == Evidence::Proofs,
        seed: options.seed,
        ..sat::Options::default()
    })
}

fn split_limit(options: &Options) -> u32 {
    options.integer_splits.unwrap_or(theory::Options::default().split_limit)
}

fn theories(options: &Options) -> Theories {
    let split_limit = split_limit(options);
    Theories::new(theory::Options { split_limit, ..theory::Options::default() })
}

impl Solver {
    /// A solver without formulas.
    pub fn new(options: Options) -> Self {
        Self {
            sat: sat_solver(&options),
            theories: theories(&options),
            known: Encoding::new(options.evidence == Evidence::Proofs),
            hook: HookState::default(),
            parts: Vec::new(),
            scopes: Vec::new(),
            retired: Vec::new(),
            next_part: 0,
            assumed: Vec::new(),
            last: Last::Nothing,
            checks: 0,
            refinements: 0,
            rebuilds: 0,
            options,
        }
    }
    /// Adds `formula` to the innermost scope.
    pub fn add(&mut self, store: &mut TermStore, formula: Term) -> PartId {
        self.return_to_root(store);
        let id = PartId::from_index(self.next_part);
        self.next_part += 1;
        let guard = self.guard_for_part(store);
        self.encoder(store).add_part(formula, id, guard);
        let own = if self.options.evidence == Evidence::Cores { guard } else { None };
        let symbols = match self.options.evidence {
            Evidence::Proofs => free_symbols(store, &[formula]).into(),
            Evidence::Plain | Evidence::Cores => Box::default(),
        };
        self.parts.push(Part { id, formula, guard: own, symbols });
        id
    }
    /// The guard that the next part's clauses carry.
    fn guard_for_part(&mut self, store: &mut TermStore) -> Option<Lit> {
        if self.options.evidence == Evidence::Cores {
            return Some(self.encoder(store).guard());
        }
        let scope = self.scopes.len().checked_sub(1)?;
        if self.scopes[scope].guard.is_none() {
            self.scopes[scope].guard = Some(self.encoder(store).guard());
        }
        self.scopes[scope].guard
    }
    /// Opens a scope.
    pub fn push(&mut self) {
        self.scopes.push(Scope {
            guard: None,
            parts: self.parts.len(),
            activated: self.known.mark(),
        });
    }
    /// Closes the innermost `levels` scopes and forgets what was added in them.
    pub fn pop(&mut self, levels: usize) {
        for _ in 0..levels {
            let scope = self.scopes.pop().expect("a scope is open");
            self.retired.extend(scope.guard);
            self.forget_groups(scope.parts);
            self.retired.extend(self.parts.drain(scope.parts..).filter_map(|p| p.guard));
            self.known.deactivate(scope.activated, &mut self.sat);
        }
        self.last = Last::Nothing;
    }
    /// Forgets the groups of different terms that belong to the parts from this place on.
    fn forget_groups(&mut self, parts: usize) {
        let Some(first) = self.parts.get(parts) else { return };
        let groups = &mut self.known.groups;
        groups.truncate(groups.partition_point(|origin| origin.part < first.id));
        self.theories.forget_groups(groups.len());
    }
    /// How many scopes are open.
    pub fn scopes(&self) -> usize {
        self.scopes.len()
    }
    /// Decides the live formulas.
    pub fn check(&mut self, cx: &mut Cx<'_>) -> Outcome<Answer<'_>> {
        self.check_assuming(cx, &[])
    }
    /// Decides the live formulas together with `assumptions`.
    pub fn check_assuming(&mut self, cx: &mut Cx<'_>, assumptions: &[Term]) -> Outcome<Answer<'_>> {
        self.checks += 1;
        self.return_to_root(cx.store);
        if self.is_cluttered() {
            self.rebuild(cx)?;
        }
        let mark = self.known.mark();
        self.assumed.clear();
        for &formula in assumptions {
            let lit = self.encoder(cx.store).assumption(formula);
            self.assumed.push((formula, lit));
        }
        let result = self.search_in_steps(cx);
        for var in self.hook.take_splits() {
            self.known.retire_split(var, &mut self.sat);
        }
        self.known.deactivate(mark, &mut self.sat);
        self.tell(cx, &result);
        match result? {
            sat::Answer::Sat => {
                debug_assert!(
                    self.is_model(cx.store, &self.assignment(cx.store)),
                    "the model satisfies every formula"
                );
                self.last = Last::Sat;
            }
            sat::Answer::Unsat => {
                self.last = Last::Unsat;
                debug_assert_eq!(certify::check_refutation(cx, UnsatView { solver: self }), Ok(()));
            }
        }
        Ok(self.last_answer().expect("it has just been found"))
    }
    /// Tells whoever watches about the question that was just answered.
    fn tell(&self, cx: &Cx<'_>, result: &Outcome<sat::Answer>) {
        let Some(watched) = cx.watched.filter(|w| w.observer.wants_questions()) else { return };
        let formulas: Vec<Term> = self.parts.iter().map(|p| p.formula).collect();
        let assumptions: Vec<Term> = self.assumed.iter().map(|&(t, _)| t).collect();
        let answer = result.clone().map(|answer| answer == sat::Answer::Sat);
        let question =
            Question { store: cx.store, formulas: &formulas, assumptions: &assumptions, answer };
        watched.observer.asked(watched.who, &question);
    }
    /// Searches; if the integers take too many case distinctions, looks for small values before
    /// giving up, or before going on with a higher limit.
    fn search_in_steps(&mut self, cx: &mut Cx<'_>) -> Outcome<sat::Answer> {
        let goes_on = self.options.is_patient && self.options.integer_splits.is_none();
        let usual = split_limit(&self.options);
        let mut limit = usual;
        loop {
            let result = self.search_in_boxes(cx);
            let is_over = result != Err(GaveUp::incomplete(SPLIT_LIMIT));
            if is_over || !goes_on {
                self.theories.limit_splits(usual);
                return result;
            }
            self.return_to_root(cx.store);
            limit = limit.saturating_mul(MORE_SPLITS);
            self.theories.limit_splits(limit);
        }
    }
    fn search_in_boxes(&mut self, cx: &mut Cx<'_>) -> Outcome<sat::Answer> {
        let result = self.search(cx, &[]);
        for largest in SMALL_VALUES {
            let Err(GaveUp::Incomplete(_)) = result else { return result };
            self.return_to_root(cx.store);
            let box_lits = self.integer_box(cx.store, largest);
            match self.search(cx, &box_lits) {
                Ok(sat::Answer::Sat) => return Ok(sat::Answer::Sat),
                Ok(sat::Answer::Unsat)
                    if !self.sat.failed().iter().any(|l| box_lits.contains(l)) =>
                {
                    return Ok(sat::Answer::Unsat);
                }
                Ok(sat::Answer::Unsat) => {}
                Err(GaveUp::Incomplete(_)) => break,
                Err(why) => return Err(why),
            }
        }
        result
    }
    /// Literals that keep every integer symbol of the live formulas between `-largest` and
    /// `largest`.
    fn integer_box(&mut self, store: &mut TermStore, largest: i64) -> Vec<Lit> {
        let formulas: Vec<Term> = self
            .parts
            .iter()
            .map(|p| p.formula)
            .chain(self.assumed.iter().map(|&(t, _)| t))
            .collect();
        let (low, high) = (store.int(-largest), store.int(largest));
        let mut lits = Vec::new();
        for symbol in free_symbols(store, &formulas) {
            if store.result(symbol).is_int() && store.params(symbol).is_empty() {
                let x = store.constant(symbol);
                for bound in [store.ge(x, low), store.le(x, high)] {
                    lits.push(self.encoder(store).assumption(bound));
                }
            }
        }
        lits
    }
    fn search(&mut self, cx: &mut Cx<'_>, further: &[Lit]) -> Outcome<sat::Answer> {
        if let Some(what) = self.known.unsupported {
            return Err(GaveUp::unsupported(what));
        }
        self.theories.begin_query();
        self.refinements = 0;
        loop {
            let answer = self.search_once(cx, further)?;
            if answer == sat::Answer::Unsat || !self.refine(cx)? {
                return Ok(answer);
            }
        }
    }
    fn search_once(&mut self, cx: &mut Cx<'_>, further: &[Lit]) -> Outcome<sat::Answer> {
        let mut assumptions: Vec<Lit> = self.scopes.iter().filter_map(|s| s.guard).collect();
        if self.options.evidence == Evidence::Cores {
            assumptions.extend(self.parts.iter().filter_map(|p| p.guard));
        }
        assumptions.extend(self.assumed.iter().map(|&(_, lit)| lit));
        assumptions.extend_from_slice(further);
        let mut hook = Hook {
            store: cx.store,
            theories: &mut self.theories,
            known: &mut self.known,
            budget: cx.budget,
            state: &mut self.hook,
        };
        self.sat.solve(&mut hook, &assumptions, cx.budget)
    }
    /// Builds values for arrays and data, compares those of functions of vectors, and looks at
    /// operations that have no circuit. The result is whether the search has to go on, with new
    /// instances of axioms.
    ///
    /// Whatever was built is evaluated before it counts: with these theories, no model that fails
    /// is ever an answer.
    fn refine(&mut self, cx: &mut Cx<'_>) -> Outcome<bool> {
        let has_products = !self.known.products.is_empty();
        let has_wide = !self.known.wide.is_empty();
        if !self.theories.needs_refinement() && !has_products && !has_wide {
            return Ok(false);
        }
        cx.budget.check()?;
        let (known, sat) = (&self.known, &self.sat);
        let value = |store: &TermStore, term: Term| {
            if store.bits_width(store.sort(term)).is_some() {
                return known.vector(store, sat, term).map(Value::bits);
            }
            let (formula, negated) = store.strip_not(term);
            let truth = sat.value(known.var_of(formula)?.positive())?;
            store.sort(term).is_bool().then_some(Value::Bool(truth != negated))
        };
        let outside = Outside { is_live: &|term| known.is_live(term), value: &value };
        let instances = self.theories.refine(cx.store, outside)?;
        let mut instances: Vec<Vec<Term>> = instances.into_iter().map(|i| i.clause).collect();
        if instances.is_empty() {
            let assignment = self.assignment(cx.store);
            if self.is_model(cx.store, &assignment) {
                return Ok(false);
            }
            debug_assert!(has_products || has_wide, "what was built of arrays and data is a model");
            instances = self.violated_products(cx.store, &assignment);
            instances.extend(self.known.violated_wide(cx.store, &self.sat));
        }
        self.return_to_root(cx.store);
        let mut is_new = false;
        for instance in instances {
            debug_assert!(
                shofar_proof::is_axiom(cx.store, &instance),
                "an instance is not valid: {}",
                {
                    let clause = cx.store.or(&instance);
                    print(cx.store, clause)
                }
            );
            is_new |= self.encoder(cx.store).instance(&instance);
        }
        self.refinements += 1;
        let is_bounded = has_products || has_wide && !self.options.is_patient;
        if is_new && (!is_bounded || self.refinements < MOST_PRODUCTS) {
            return Ok(true);
        }
        Err(GaveUp::incomplete(match (has_products, has_wide) {
            (true, _) => NO_PRODUCT,
            (false, true) => NO_WIDE,
            (false, false) => NO_MODEL,
        }))
    }
    /// What the products of live formulas are where their first factors have the values that they
    /// have here, and that those with the same factors are the same.
    fn violated_products(&self, store: &mut TermStore, assignment: &Model) -> Vec<Vec<Term>> {
        let products: Vec<Term> =
            self.known.products.iter().copied().filter(|&p| self.known.is_live(p)).collect();
        let mut evaluator = Evaluator::with_defaults(assignment);
        let (mut instances, mut factors) = (Vec::new(), Vec::new());
        for product in products {
            let (a, b) = store.as_times(product).expect("a product");
            let [Ok(first), Ok(second)] = [a, b].map(|factor| evaluator.number(store, factor))
            else {
                continue;
            };
            instances.push(store.product_at(product, &first));
            factors.push((product, first, second));
        }
        for (at, (one, a, b)) in factors.iter().enumerate() {
            for (other, c, d) in &factors[..at] {
                if a == d && b == c {
                    instances.extend(store.product_exchange(*one, *other));
                }
            }
        }
        instances
    }
    /// The last answer, as long as nothing was added or popped since.
    pub fn last_answer(&self) -> Option<Answer<'_>> {
        match &self.last {
            Last::Nothing => None,
            Last::Sat => Some(Answer::Sat(ModelView { solver: self })),
            Last::Unsat => Some(Answer::Unsat(UnsatView { solver: self })),
        }
    }
    /// The live formulas with their parts.
    pub fn formulas(&self) -> impl Iterator<Item = (PartId, Term)> + '_ {
        self.parts.iter().map(|p| (p.id, p.formula))
    }
    /// Counters.
    pub fn stats(&self) -> Stats {
        Stats {
            checks: self.checks,
            rebuilds: self.rebuilds,
            sat: self.sat.stats(),
            theory: self.theories.stats(),
        }
    }
    /// Makes the theories care for a term that no formula mentions.
    pub(crate) fn mention(&mut self, store: &mut TermStore, term: Term) {
        self.return_to_root(store);
        self.encoder(store).mention(term);
    }
    fn encoder<'a>(&'a mut self, store: &'a mut TermStore) -> Encoder<'a> {
        Encoder { store, sat: &mut self.sat, theories: &mut self.theories, known: &mut self.known }
    }
    /// Undoes the search and switches off popped scopes, so that clauses can be added.
    fn return_to_root(&mut self, store: &mut TermStore) {
        self.last = Last::Nothing;
        let budget = Budget::unlimited();
        let mut hook = Hook {
            store,
            theories: &mut self.theories,
            known: &mut self.known,
            budget: &budget,
            state: &mut self.hook,
        };
        self.sat.backtrack_to_root(&mut hook);
        for guard in self.retired.drain(..) {
            let tag = self.known.leaves.tag(|| Leaf::Retired);
            self.sat.add_clause(&[!guard], tag);
        }
    }
    /// Whether dead scopes outweigh what is alive so much that starting anew is cheaper.
    fn is_cluttered(&self) -> bool {
        let live = self.known.active_vars() + self.parts.len();
        self.sat.vars() > 3 * live + 1_000 || self.known.leaves.weight() > 2_000_000 + 200 * live
    }
    fn rebuild(&mut self, cx: &mut Cx<'_>) -> Outcome<()> {
        cx.budget.check()?;
        self.rebuilds += 1;
        self.sat = sat_solver(&self.options);
        self.theories = theories(&self.options);
        self.known = Encoding::new(self.options.evidence == Evidence::Proofs);
        self.hook = HookState::default();
        self.retired.clear();
        let parts = std::mem::take(&mut self.parts);
        let mut scopes = std::mem::take(&mut self.scopes).into_iter().peekable();
        for (i, part) in parts.into_iter().enumerate() {
            while scopes.next_if(|s| s.parts <= i).is_some() {
                self.push();
            }
            let guard = self.guard_for_part(cx.store);
            self.encoder(cx.store).add_part(part.formula, part.id, guard);
            let own = if self.options.evidence == Evidence::Cores { guard } else { None };
            self.parts.push(Part { guard: own, ..part });
        }
        for _ in scopes {
            self.push();
        }
        Ok(())
    }
}
