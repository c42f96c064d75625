//! Passes one after the other.
//!
//! [`PASSES`] names all passes that take clauses to clauses; it feeds the command line and the tests.

use std::time::Duration;

use shofar_base::Outcome;
use shofar_chc::{ChcSystem, NormalSystem, Transformation, Translated};
use shofar_term::{Cx, TermStore};

use crate::back::{Composed, Polished};
use crate::foreign::are_arithmetic;
use crate::normalize::to_normal;
use crate::{
    AbstractProducts, Accelerate, DropCertain, DropDetermined, DropUnderivable, DropUseless,
    Eliminate, FixConstants, Flatten, FreeArguments, IntBlast, Invariants, MergeParallel, Naturals,
    Normalize, Simplify, SliceArguments, SplitDisjunctions, Subsume,
};

/// A pass from clauses to clauses.
///
/// A pass never fails for lack of something to do, and never makes the system much larger; it gives up only when the
/// budget does.
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

/// A row of the table of passes.
pub struct PassInfo {
    /// What a user calls it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// Makes one.
    pub make: fn() -> Box<dyn Pass>,
}

/// From so many clauses on, passes run that find out at once what engines would find out piece by piece.
pub(crate) const MANY_CLAUSES: usize = 1_000;

/// All passes from clauses to clauses.
pub const PASSES: &[PassInfo] = &[
    PassInfo {
        name: "normalize",
        about: "make arguments distinct variables",
        make: || Box::new(Normalize),
    },
    PassInfo {
        name: "products",
        about: "replace products of unknowns by variables",
        make: || Box::new(AbstractProducts),
    },
    PassInfo {
        name: "flatten",
        about: "replace records and variants by their fields",
        make: || Box::new(Flatten),
    },
    PassInfo {
        name: "int_blast",
        about: "replace bit-vectors by integers",
        make: || Box::new(IntBlast::default()),
    },
    PassInfo {
        name: "naturals",
        about: "replace numbers made of zero and successor by integers",
        make: || Box::new(Naturals),
    },
    PassInfo {
        name: "simplify",
        about: "simplify constraints and drop clauses with contradictory ones",
        make: || Box::new(Simplify::default()),
    },
    PassInfo {
        name: "underivable",
        about: "drop predicates that no chain of clauses derives",
        make: || Box::new(DropUnderivable),
    },
    PassInfo {
        name: "useless",
        about: "drop predicates that no query depends on",
        make: || Box::new(DropUseless),
    },
    PassInfo {
        name: "constants",
        about: "drop arguments that are always the same constant",
        make: || Box::new(FixConstants),
    },
    PassInfo {
        name: "slice",
        about: "drop arguments that no query depends on",
        make: || Box::new(SliceArguments),
    },
    PassInfo {
        name: "certain",
        about: "drop predicates without arguments that are derivable",
        make: || Box::new(DropCertain { fewest: 0 }),
    },
    PassInfo {
        name: "certain_many",
        about: "the same, if there are at least a thousand clauses",
        make: || Box::new(DropCertain { fewest: MANY_CLAUSES }),
    },
    PassInfo {
        name: "free",
        about: "drop arguments that are derivable with every value or with none",
        make: || Box::new(FreeArguments),
    },
    PassInfo {
        name: "eliminate",
        about: "resolve predicates away while that makes the system smaller",
        make: || Box::new(Eliminate::default()),
    },
    PassInfo {
        name: "merge",
        about: "merge clauses with the same predicates into one",
        make: || Box::new(MergeParallel::default()),
    },
    PassInfo {
        name: "accelerate",
        about: "add shortcuts for loops whose effect is known in closed form",
        make: || Box::new(Accelerate::default()),
    },
    PassInfo {
        name: "invariants",
        about: "add what intervals, linear equalities and octagons find about predicates",
        make: || Box::new(Invariants::ALL),
    },
    PassInfo {
        name: "guesses",
        about: "give engines what the same domains find as hints",
        make: || Box::new(Invariants::GUESSES),
    },
    PassInfo {
        name: "dead",
        about: "drop clauses that never apply, as far as abstract interpretation can tell",
        make: || Box::new(Invariants::PRUNING),
    },
    PassInfo {
        name: "dead_many",
        about: "the same, if there are at least a thousand clauses",
        make: || Box::new(Invariants::PRUNING_MANY),
    },
    PassInfo {
        name: "intervals",
        about: "add bounds of arguments",
        make: || Box::new(Invariants::INTERVALS),
    },
    PassInfo {
        name: "equalities",
        about: "add bounds of arguments and linear equalities",
        make: || Box::new(Invariants::EQUALITIES),
    },
    PassInfo {
        name: "determined",
        about: "drop arguments that linear equations determine",
        make: || Box::new(DropDetermined::ALWAYS),
    },
    PassInfo {
        name: "determined_nonlinear",
        about: "the same, unless the clauses are linear",
        make: || Box::new(DropDetermined::NONLINEAR),
    },
    PassInfo {
        name: "octagons",
        about: "add bounds of arguments, of their sums and of their differences",
        make: || Box::new(Invariants::OCTAGONS),
    },
    PassInfo {
        name: "congruences",
        about: "add bounds and remainders of arguments",
        make: || Box::new(Invariants::CONGRUENCES),
    },
    PassInfo {
        name: "split",
        about: "make several clauses of one with a disjunction",
        make: || Box::new(SplitDisjunctions),
    },
    PassInfo {
        name: "subsume",
        about: "drop clauses that others imply",
        make: || Box::new(Subsume),
    },
];

/// The passes that run if nobody says otherwise. All but `flatten` are for clauses over numbers.
const DEFAULT: &[&str] = &[
    "underivable",
    "useless",
    "products",
    "flatten",
    "naturals",
    "int_blast",
    "normalize",
    "simplify",
    "underivable",
    "useless",
    "constants",
    "dead_many",
    "underivable",
    "useless",
    "slice",
    "certain_many",
    "useless",
    "subsume",
    "eliminate",
    "simplify",
    "underivable",
    "useless",
    "merge",
    "eliminate",
    "simplify",
    "constants",
    "slice",
    "merge",
    "eliminate",
    "simplify",
    "subsume",
    "underivable",
    "useless",
    "determined_nonlinear",
    "simplify",
];

/// The passes that prepare clauses with arrays, bits or data types for an abstraction. They leave all predicates in place that
/// matter: what elimination needs, interpolants, is to be had after the abstraction only.
const BEFORE_ABSTRACTION: &[&str] = &[
    "underivable",
    "useless",
    "products",
    "flatten",
    "naturals",
    "normalize",
    "free",
    "slice",
    "simplify",
    "underivable",
    "useless",
    "constants",
    "free",
    "slice",
    "int_blast",
    "simplify",
    "underivable",
    "useless",
    "constants",
    "free",
    "slice",
    "simplify",
    "subsume",
];

/// The passes of these names in this order, or the first name that is not in [`PASSES`].
pub fn passes_by_name<'n>(names: &[&'n str]) -> Result<Pipeline, &'n str> {
    let pass = |&name: &&'n str| {
        let info = PASSES.iter().find(|info| info.name == name).ok_or(name)?;
        Ok((info.make)())
    };
    Ok(Pipeline::new(names.iter().map(pass).collect::<Result<_, &'n str>>()?))
}

/// The passes that run if nobody says otherwise.
pub fn default_pipeline() -> Pipeline {
    passes_by_name(DEFAULT).expect("the default passes are in the table")
}

/// The passes for clauses that an abstraction is to follow, which [`default_pipeline`] follows in turn.
///
/// What they make of clauses without arrays, bits and recursive types needs no abstraction.
pub fn passes_before_abstraction() -> Pipeline {
    passes_by_name(BEFORE_ABSTRACTION).expect("these passes are in the table")
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

impl std::fmt::Display for Measure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

impl std::fmt::Display for PassReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, before, after, time } = self;
        write!(f, "{name}: {before} -> {after} ({:.1} ms)", time.as_secs_f64() * 1e3)
    }
}

/// Passes one after the other.
#[derive(Default)]
pub struct Pipeline {
    passes: Vec<Box<dyn Pass>>,
}

impl Pipeline {
    /// The pipeline of these passes.
    pub fn new(passes: Vec<Box<dyn Pass>>) -> Self {
        Self { passes }
    }
    /// The passes in order.
    pub fn passes(&self) -> impl Iterator<Item = &dyn Pass> {
        self.passes.iter().map(|pass| &**pass)
    }
    /// Applies all passes and tells `observe` what each of them did.
    pub fn run(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
        observe: &mut dyn FnMut(&PassReport),
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let (mut system, mut ways) = (source.clone(), Vec::with_capacity(self.passes.len()));
        for pass in &self.passes {
            cx.budget.check()?;
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
            observe(&PassReport { name: pass.name(), before, after, time });
            ways.push(back);
            system = target;
        }
        Ok((system, Box::new(Polished { source, back: Composed(ways) })))
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
