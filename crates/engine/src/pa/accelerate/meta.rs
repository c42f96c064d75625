//! Meta-traces: schemes whose loops are single steps.
//!
//! A loop becomes a step that takes its cycles any number of times, also not at all. How exactly
//! depends on what is wanted:
//!
//! - *exact*: the closure of the only cycle;
//! - *over*: what all sequences of the cycles satisfy, by their octagonal hull;
//! - *under*: the cycles one after another, in the order of the path, each by a closure whose
//!   iterations can be computed. A cycle that has no such closure is made smaller, around a step
//!   that can be taken where the loop begins; behind the closure of what is left the path takes the
//!   cycle as often as it did. So the path is among the traces in any case.
//!
//! Invariant: the path is a trace of each of these, and the traces of an under-approximation are
//! traces of the scheme.
//!
//! Source: [HIKKR12] §5.
//! DIVERGENCE [HIKKR12] §5: there, an under-approximation has loops with closures only; those
//! without are made smaller here.

use shofar_accelerate::{Exact, Over, Progress, Relation, over, under};
use shofar_base::{GaveUp, Outcome};
use shofar_chc::PredId;
use shofar_num::Rational;
use shofar_rf::{NormalForm, Solved};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Model, Value};
use shofar_term::size::dag_size;
use shofar_term::substitute::rename;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use super::Folded;
use super::execute::{execute, value_terms};
use super::scheme::{Item, Turn};
use super::trace::{Cycle, Said, Trace};

/// Closures with larger formulas are not used.
const LARGEST: usize = 800;
/// A cycle without a closure that the path takes more often is not repeated in an
/// under-approximation.
const MOST_COPIES: usize = 12;

/// How loops are replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    Exact,
    Over,
    Under,
}

/// A loop of a meta-trace.
pub(super) struct Accelerated {
    /// The item of the scheme that it belongs to.
    item: usize,
    /// The number of the symbol before it; the next one is behind it.
    pub(super) before: usize,
    /// `∃n ≥ 1. Lⁿ` over the constants of those symbols and a count.
    pub(super) formula: Term,
    pub(super) count: Symbol,
    /// The cycles that its predicates have to be inductive for.
    pub(super) cycles: Vec<usize>,
}

/// A trace in which loops are single steps.
#[derive(Default)]
pub(super) struct MetaTrace {
    /// For each symbol, what it is a copy of and its arguments.
    pub(super) symbols: Vec<(PredId, Vec<Symbol>)>,
    /// What leads to each symbol, and at last to `false`.
    pub(super) moves: Vec<Move>,
    pub(super) loops: Vec<Accelerated>,
    /// The item of the scheme that is being taken.
    item: usize,
}

/// What leads from one symbol of a meta-trace to the next.
pub(super) struct Move {
    pub(super) formula: Term,
    pub(super) by: By,
}

/// The clauses of a move.
pub(super) enum By {
    /// One step of the path, as it is said.
    Step(usize, Said),
    /// A cycle, as often as the count says; not at all if it is 0.
    Cycle {
        /// Its place in the trace.
        cycle: usize,
        count: Symbol,
        /// How its iterations are computed, if they can be.
        progress: Option<Progress>,
    },
}

/// What came out of a meta-trace.
pub(super) enum Tried {
    /// Predicates, or a counterexample.
    Found(Folded),
    /// It has a model, with these iterations of the loops of the scheme, but that says nothing
    /// about the clauses.
    Feasible(Guide),
    /// Nothing.
    Nothing,
}

/// First iterations of loops, by the item of the scheme, as far as something is known about them.
pub(super) type Guide = Vec<Option<Iteration>>;

/// A state in front of a loop, and where an iteration leads from there if all change as much.
#[derive(Clone)]
pub(super) struct Iteration {
    from: Vec<Value>,
    to: Vec<Value>,
}

/// A closure that is exact, or not.
enum Either {
    Exact(Exact),
    Over(Over),
}

impl Either {
    fn formula(&self, store: &mut TermStore, count: Term) -> Term {
        match self {
            Either::Exact(closure) => closure.formula(store, count),
            Either::Over(closure) => closure.formula(store, count),
        }
    }
}

impl MetaTrace {
    /// The first iteration of a loop in `model`, if all change as much.
    fn first_iteration(&self, store: &TermStore, of: &Accelerated, model: &Model) -> Iteration {
        let [from, end] = [of.before, of.before + 1].map(|at| {
            let (_, args) = &self.symbols[at];
            args.iter().map(|&arg| model.get_or_default(store, arg)).collect::<Vec<Value>>()
        });
        let count = model.get_or_default(store, of.count);
        let count = count.as_number().filter(|n| n.is_positive()).cloned().unwrap_or(Rational::ONE);
        let step = |(from, end): (&Value, &Value)| match (from, end) {
            (Value::Number(a), Value::Number(b)) => Value::Number(a + &(&(b - a) / &count).floor()),
            (_, end) => end.clone(),
        };
        let to = from.iter().zip(&end).map(step).collect();
        Iteration { from, to }
    }
    /// Values for a step of `cycle` that can be taken behind its moves, if possible like `wanted`,
    /// or from where that starts.
    fn possible_step(
        &self,
        cx: &mut Cx<'_>,
        cycle: &Cycle,
        wanted: Option<&Iteration>,
    ) -> Outcome<Option<Model>> {
        let mut solver = Solver::new(Options::default());
        for step in &self.moves {
            solver.add(cx.store, step.formula);
        }
        let (_, here) = &self.symbols[self.symbols.len() - 1];
        for &literal in cycle.relation.literals() {
            solver.add(cx.store, literal);
        }
        for (&pre, &state) in cycle.pre.iter().zip(here) {
            let (pre, state) = (cx.store.constant(pre), cx.store.constant(state));
            let same = cx.store.eq(pre, state);
            solver.add(cx.store, same);
        }
        let mut assumptions = Vec::new();
        if let Some(Iteration { from, to }) = wanted {
            for (symbols, values) in [(&cycle.pre, from), (&cycle.post, to)] {
                let values = value_terms(cx.store, symbols, values);
                for (&symbol, value) in symbols.iter().zip(values) {
                    let name = cx.store.constant(symbol);
                    assumptions.push(cx.store.eq(name, value));
                }
            }
        }
        let start = &assumptions[..assumptions.len() / 2];
        for assumed in [&assumptions[..], start, &[]] {
            match solver.check_assuming(cx, assumed) {
                Ok(Answer::Sat(model)) => return Ok(Some(model.assignment(cx.store))),
                Ok(Answer::Unsat(_)) | Err(GaveUp::Incomplete(_)) => (),
                Err(why) => return Err(why),
            }
        }
        Ok(None)
    }
}

impl Trace<'_, '_> {
    /// Predicates or a counterexample, with loops replaced as asked. Under-approximations begin
    /// where `guide` says, if they can.
    pub(super) fn solve(
        &self,
        cx: &mut Cx<'_>,
        scheme: &[Item],
        places: &[Vec<usize>],
        precision: Precision,
        guide: &Guide,
    ) -> Outcome<Tried> {
        let Some(meta) = self.meta_trace(cx, scheme, places, precision, guide)? else {
            return Ok(Tried::Nothing);
        };
        let mut form = NormalForm::new();
        let names: Vec<PredId> =
            meta.symbols.iter().map(|(_, args)| form.add_symbol(args.clone())).collect();
        for (at, step) in meta.moves.iter().enumerate() {
            let body = at.checked_sub(1).map(|before| names[before]);
            form.add_clause(names.get(at).copied(), body.into_iter().collect(), step.formula);
        }
        let found = match form.solve(cx, &self.options()) {
            Ok(Solved::Solution(found)) => {
                let predicates = self.predicates(cx, &meta, &found)?;
                return Ok(predicates.map_or(Tried::Nothing, Tried::Found));
            }
            Ok(Solved::Counterexample(found)) => found,
            Err(GaveUp::Incomplete(_)) => return Ok(Tried::Nothing),
            Err(why) => return Err(why),
        };
        let mut model = Model::new();
        for (symbol, value) in found.steps.iter().flat_map(|step| step.assignment.entries()) {
            model.set(symbol, value.clone());
        }
        if precision != Precision::Over
            && let Some(derivation) = execute(cx, self, &meta, &model)?
        {
            return Ok(Tried::Found(Folded::Counterexample(derivation)));
        }
        let mut guide: Guide = vec![None; scheme.len()];
        for accelerated in &meta.loops {
            guide[accelerated.item] = Some(meta.first_iteration(cx.store, accelerated, &model));
        }
        Ok(Tried::Feasible(guide))
    }
    /// The meta-trace of a scheme; nothing if some loop has no closure of this precision.
    fn meta_trace(
        &self,
        cx: &mut Cx<'_>,
        scheme: &[Item],
        places: &[Vec<usize>],
        precision: Precision,
        guide: &Guide,
    ) -> Outcome<Option<MetaTrace>> {
        let mut meta = MetaTrace::default();
        for (number, (item, own)) in scheme.iter().zip(places).enumerate() {
            meta.item = number;
            let is_taken = match (item, precision) {
                (Item::Step(at), _) => {
                    self.take_step(cx.store, &mut meta, *at);
                    true
                }
                (Item::Loop { order, .. }, Precision::Under) => {
                    let from = guide.get(number).and_then(Option::as_ref);
                    self.take_turns(cx, &mut meta, own, order, from)?
                }
                (Item::Loop { .. }, Precision::Exact | Precision::Over) => {
                    let closure = self.over_or_exact(cx, own)?;
                    closure.is_some_and(|closure| {
                        let progress = match &closure {
                            Either::Exact(exact) => exact.progress(),
                            Either::Over(_) => None,
                        };
                        let say = |store: &mut TermStore, n| closure.formula(store, n);
                        self.take_loop(cx, &mut meta, own[0], own.clone(), progress, say)
                    })
                }
            };
            if !is_taken {
                return Ok(None);
            }
        }
        Ok(Some(meta))
    }
    /// Takes the cycles of a loop one after another; false if that is not possible.
    fn take_turns(
        &self,
        cx: &mut Cx<'_>,
        meta: &mut MetaTrace,
        own: &[usize],
        order: &[Turn],
        from: Option<&Iteration>,
    ) -> Outcome<bool> {
        for turn in order {
            let number = own[turn.cycle];
            let cycle = &self.cycles[number];
            let exact = cycle.exact.as_ref();
            if let Some((exact, progress)) = exact.and_then(|e| Some((e, e.progress()?))) {
                let say = |store: &mut TermStore, n| exact.formula(store, n);
                if !self.take_loop(cx, meta, number, vec![number], Some(progress), say) {
                    return Ok(false);
                }
                continue;
            }
            if turn.times > MOST_COPIES {
                return Ok(false);
            }
            if let Some(step) = meta.possible_step(cx, cycle, from)?
                && let Some(smaller) = under(cx, &cycle.relation, &step)?
            {
                let say = |store: &mut TermStore, n| smaller.formula(store, n);
                // What is inductive for the smaller relation need not be so for the cycle.
                self.take_loop(cx, meta, number, Vec::new(), Some(smaller.progress().clone()), say);
            }
            for &at in (0..turn.times).flat_map(|_| &cycle.steps) {
                self.take_step(cx.store, meta, at);
            }
        }
        Ok(true)
    }
    /// The closure of one cycle, exact if possible, or of several.
    fn over_or_exact(&self, cx: &mut Cx<'_>, own: &[usize]) -> Outcome<Option<Either>> {
        if let [only] = own
            && let Some(exact) = &self.cycles[*only].exact
        {
            return Ok(Some(Either::Exact(exact.clone())));
        }
        let first = &self.cycles[own[0]];
        let pairs: Vec<(Symbol, Symbol)> =
            first.pre.iter().copied().zip(first.post.iter().copied()).collect();
        let mut relations = Vec::new();
        for &cycle in own {
            let Cycle { pre, post, relation, .. } = &self.cycles[cycle];
            let from: Vec<Symbol> = pre.iter().chain(post).copied().collect();
            let to: Vec<Symbol> = first.pre.iter().chain(&first.post).copied().collect();
            let literals: Vec<Term> =
                relation.literals().iter().map(|&l| rename(cx.store, l, &from, &to)).collect();
            let relation = Relation::new(cx.store, &pairs, &literals);
            relations.push(relation.expect("renamed to the variables of the first"));
        }
        Ok(over(cx, &relations)?.map(Either::Over))
    }
    fn take_step(&self, store: &mut TermStore, meta: &mut MetaTrace, at: usize) {
        let args: Vec<Term> = meta
            .symbols
            .last()
            .map_or_else(Vec::new, |(_, args)| args.iter().map(|&s| store.constant(s)).collect());
        let said = self.say(store, at, &args);
        let mut parts = vec![said.formula];
        if let Some(&pred) = self.path.symbols.get(at) {
            let args = self.arguments(store, pred);
            for (&arg, &value) in args.iter().zip(&said.head) {
                let name = store.constant(arg);
                parts.push(store.eq(name, value));
            }
            meta.symbols.push((pred, args));
        }
        meta.moves.push(Move { formula: store.and(&parts), by: By::Step(at, said) });
    }
    /// Adds a loop with the closure that `say` tells, over the constants of cycle `cycle`; false if
    /// its formula is too large.
    fn take_loop(
        &self,
        cx: &mut Cx<'_>,
        meta: &mut MetaTrace,
        cycle: usize,
        cycles: Vec<usize>,
        progress: Option<Progress>,
        say: impl FnOnce(&mut TermStore, Term) -> Term,
    ) -> bool {
        let before = meta.symbols.len() - 1;
        let (pred, here) = meta.symbols[before].clone();
        let there = self.arguments(cx.store, pred);
        let count = cx.store.fresh("count", Sort::INT);
        let times = cx.store.constant(count);
        let formula = say(cx.store, times);
        if dag_size(cx.store, &[formula]) > LARGEST {
            return false;
        }
        let Cycle { pre, post, .. } = &self.cycles[cycle];
        let from: Vec<Symbol> = pre.iter().chain(post).copied().collect();
        let to: Vec<Symbol> = here.iter().chain(&there).copied().collect();
        let formula = rename(cx.store, formula, &from, &to);
        let mut same: Vec<Term> = Vec::new();
        for (&x, &y) in here.iter().zip(&there) {
            let (x, y) = (cx.store.constant(x), cx.store.constant(y));
            same.push(cx.store.eq(x, y));
        }
        let zero = cx.store.int(0);
        same.push(cx.store.eq(times, zero));
        let not_at_all = cx.store.and(&same);
        let either = cx.store.or(&[not_at_all, formula]);
        meta.moves.push(Move { formula: either, by: By::Cycle { cycle, count, progress } });
        meta.symbols.push((pred, there));
        meta.loops.push(Accelerated { item: meta.item, before, formula, count, cycles });
        true
    }
}
