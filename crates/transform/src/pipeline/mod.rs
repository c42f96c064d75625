//! Passes one after the other, under conditions and in rounds.
//!
//! A [`Pipeline`] is written in a small language, which users and the defaults share:
//!
//! | text | what happens |
//! |---|---|
//! | `simplify` | a pass of the table [`PASSES`] |
//! | `invariants(domains=intervals+octagons,effect=drop)` | a pass with parameters |
//! | `when(clauses>=1000,certain,useless)` | passes under a condition: `linear`, `nonlinear`, or `clauses`, `predicates` or `arguments` compared by `>=` or `<` with a number |
//! | `until_stable(rounds=5,slice,eliminate)` | passes in rounds, until one changes no size, or there were so many |
//!
//! Invariant: the text that a pipeline prints is read as the same pipeline, if its passes are in
//! the table.

mod language;
mod table;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use shofar_base::Outcome;
use shofar_chc::{BackTranslation, ChcSystem, NormalSystem, Transformation, Translated, Unchanged};
use shofar_term::size::dag_size;
use shofar_term::{Cx, Term, TermStore};

use crate::back::Polished;
use crate::foreign::are_arithmetic;
use crate::normalize::to_normal;

pub use language::{PipelineError, PipelineProblem};
pub use table::{Choice, PASSES, Parameter, PassInfo, PassOptions};

/// A pass from clauses to clauses.
///
/// A pass never fails for lack of something to do, and never makes the system much larger; it gives
/// up only when the budget does.
pub trait Pass: Send + Sync {
    /// What a user calls it.
    fn name(&self) -> &'static str;
    /// Makes the new system and the way back.
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>>;
}

/// The passes that run if nothing else is asked for. All but `flatten` are for clauses over
/// numbers.
///
/// From a thousand clauses on, passes run that find out at once what engines would find out piece
/// by piece. On linear clauses engines are mostly slower with the terms that take the place of
/// arguments that are `determined`.
pub const DEFAULT_PASSES: &str = "\
    underivable,useless,products,flatten,naturals,int_blast,normalize,simplify,\
    underivable,useless,constants,when(clauses>=1000,invariants(effect=drop,effort=high)),\
    underivable,useless,slice,when(clauses>=1000,certain),useless,subsume,\
    eliminate,simplify,underivable,useless,merge,\
    eliminate,simplify,constants,slice,merge,\
    eliminate,simplify,subsume,underivable,useless,\
    when(nonlinear,determined),simplify";

/// The passes that prepare clauses with arrays, bits or data types for an abstraction. They leave
/// all predicates in place that matter: what elimination needs, interpolants, is to be had after
/// the abstraction only.
pub const PASSES_BEFORE_ABSTRACTION: &str = "\
    underivable,useless,products,flatten,naturals,normalize,free,slice,simplify,\
    underivable,useless,constants,free,slice,int_blast,simplify,\
    underivable,useless,constants,free,slice,simplify,subsume";

/// [`DEFAULT_PASSES`].
pub fn default_pipeline() -> Pipeline {
    DEFAULT_PASSES.parse().expect("the default passes are well written")
}

/// The passes for clauses that an abstraction is to follow, which [`default_pipeline`] follows in
/// turn.
///
/// What they make of clauses without arrays, bits and recursive types needs no abstraction.
pub fn passes_before_abstraction() -> Pipeline {
    PASSES_BEFORE_ABSTRACTION.parse().expect("these passes are well written")
}

/// How large a system is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Clauses.
    pub clauses: usize,
    /// Predicates.
    pub preds: usize,
    /// Arguments of all predicates together.
    pub arguments: usize,
}

impl Measure {
    /// The size of `system`.
    pub fn of(store: &TermStore, system: &ChcSystem) -> Self {
        let arguments = system.preds().map(|pred| system.sorts(store, pred).len()).sum();
        Self { clauses: system.clause_count(), preds: system.pred_count(), arguments }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { clauses, preds, arguments } = self;
        write!(f, "{clauses} clauses, {preds} predicates, {arguments} arguments")
    }
}

/// What a pass did.
#[derive(Clone, Debug)]
pub struct PassReport {
    /// The pass.
    pub name: &'static str,
    /// The system it was given.
    pub before: Measure,
    /// The system it made.
    pub after: Measure,
    /// How long it took.
    pub time: Duration,
}

impl fmt::Display for PassReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, before, after, time } = self;
        write!(f, "{name}: {before} -> {after} ({:.1} ms)", time.as_secs_f64() * 1e3)
    }
}

/// Passes one after the other; see the module documentation for the text that it is read from and
/// printed as.
#[derive(Clone, Default)]
pub struct Pipeline {
    steps: Vec<Step>,
    /// The text without blanks.
    written: String,
}

/// A step of a pipeline.
#[derive(Clone)]
enum Step {
    Pass(Arc<dyn Pass>),
    /// Further steps for clauses of which something holds.
    When(Condition, Vec<Step>),
    /// Steps in at most so many rounds.
    UntilStable {
        rounds: u32,
        steps: Vec<Step>,
    },
}

/// What a system can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    Linear,
    Nonlinear,
    AtLeast(Figure, usize),
    Below(Figure, usize),
}

/// What a system is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Figure {
    Clauses,
    Predicates,
    Arguments,
}

/// Rounds of a group that says no other number.
const ROUNDS: u32 = 10;

/// What passes have made of a system so far.
struct Run<'r> {
    system: ChcSystem,
    /// The way back from there.
    way: Box<dyn BackTranslation<ChcSystem, ChcSystem>>,
    observe: &'r mut dyn FnMut(&PassReport),
}

impl Run<'_> {
    /// The nesting is bounded by the reader of the language.
    fn steps(&mut self, cx: &mut Cx<'_>, steps: &[Step]) -> Outcome<()> {
        for step in steps {
            match step {
                Step::Pass(pass) => self.pass(cx, &**pass)?,
                Step::When(condition, steps) => {
                    if condition.holds(cx.store, &self.system) {
                        self.steps(cx, steps)?;
                    }
                }
                Step::UntilStable { rounds, steps } => {
                    let mut last = self.size(cx.store);
                    for _ in 0..*rounds {
                        self.steps(cx, steps)?;
                        let size = self.size(cx.store);
                        if size == std::mem::replace(&mut last, size) {
                            break;
                        }
                    }
                }
            }
        }
        Ok(())
    }
    fn pass(&mut self, cx: &mut Cx<'_>, pass: &dyn Pass) -> Outcome<()> {
        cx.budget.check()?;
        let mut system = std::mem::take(&mut self.system);
        let (start, before) = (cx.budget.now(), Measure::of(cx.store, &system));
        let hints = system.take_hints();
        let (mut target, back) = pass.apply(cx, system)?;
        if !hints.is_empty() {
            let hints = back.hints(cx.store, hints);
            target.add_hints(hints);
        }
        if cfg!(debug_assertions) {
            target.assert_well_formed(cx.store);
        }
        let after = Measure::of(cx.store, &target);
        let time = cx.budget.now() - start;
        (self.observe)(&PassReport { name: pass.name(), before, after, time });
        let way = std::mem::replace(&mut self.way, Box::new(Unchanged));
        self.way = Box::new(way.then(back));
        self.system = target;
        Ok(())
    }
    /// What changes if a pass does something, and the names of variables do not tell.
    fn size(&self, store: &TermStore) -> (Measure, usize) {
        let constraints: Vec<Term> = self.system.clauses().map(|(_, c)| c.constraint).collect();
        let size = constraints.iter().map(|&constraint| dag_size(store, &[constraint])).sum();
        (Measure::of(store, &self.system), size)
    }
}

impl Condition {
    fn holds(self, store: &TermStore, system: &ChcSystem) -> bool {
        let figure = |figure| {
            let Measure { clauses, preds, arguments } = Measure::of(store, system);
            match figure {
                Figure::Clauses => clauses,
                Figure::Predicates => preds,
                Figure::Arguments => arguments,
            }
        };
        match self {
            Condition::Linear => system.is_linear(),
            Condition::Nonlinear => !system.is_linear(),
            Condition::AtLeast(of, number) => number <= figure(of),
            Condition::Below(of, number) => figure(of) < number,
        }
    }
}

impl Pipeline {
    /// The pipeline of these passes, which need not be in the table.
    pub fn new(passes: Vec<Box<dyn Pass>>) -> Self {
        let names: Vec<&str> = passes.iter().map(|pass| pass.name()).collect();
        let written = names.join(",");
        Self { steps: passes.into_iter().map(|pass| Step::Pass(pass.into())).collect(), written }
    }
    /// Applies all passes and tells `observe` what each of them did.
    pub fn run(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
        observe: &mut dyn FnMut(&PassReport),
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let mut run = Run { system: source.clone(), way: Box::new(Unchanged), observe };
        run.steps(cx, &self.steps)?;
        let Run { system, way: back, .. } = run;
        Ok((system, Box::new(Polished { source, back })))
    }
    /// The same, with a result in normal form, and with hints only that engines understand.
    pub fn run_to_normal(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
        observe: &mut dyn FnMut(&PassReport),
    ) -> Outcome<Translated<ChcSystem, NormalSystem>> {
        let (mut system, back) = self.run(cx, source, observe)?;
        let mut hints = system.take_hints();
        hints.retain(|hint| are_arithmetic(cx.store, &[hint.term]));
        system.add_hints(hints);
        to_normal(cx, (system, back))
    }
}

impl Transformation<ChcSystem, ChcSystem> for Pipeline {
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        self.run(cx, source, &mut |_| ())
    }
}
