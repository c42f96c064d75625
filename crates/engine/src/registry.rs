//! All engines, by name.

use shofar_chc::{ChcSystem, Engine, TransitionSystem};

use crate::bmc::{Bmc, BmcOptions};
use crate::dar::Dar;
use crate::imc::Imc;
use crate::kind::{Kind, KindOptions};
use crate::lawi::{Lawi, LawiOptions};
use crate::options::FixpointOptions;
use crate::pdkind::{PdKind, PdKindOptions};
use crate::spacer::{Spacer, SpacerOptions};
use crate::tpa::{Tpa, TpaOptions, Variant};

/// How engines are set up.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// Perturbs ties in the search; the same seed gives the same run.
    pub seed: u64,
    /// For `bmc`: the longest derivation to look for in linear systems.
    pub max_steps: Option<usize>,
    /// For `kind`: the largest `k`.
    pub max_k: Option<usize>,
    /// For `spacer`: how it works.
    pub spacer: SpacerOptions,
    /// For `tpa` and `split-tpa`: how they work.
    pub tpa: TpaOptions,
    /// For `pdkind`: how it works.
    pub pdkind: PdKindOptions,
    /// For `lawi`: how it works.
    pub lawi: LawiOptions,
}

/// What an engine understands, and how it is made.
#[derive(Clone, Copy, Debug)]
pub enum Make {
    /// Systems of clauses.
    Chc(fn(&EngineOptions) -> Box<dyn Engine<ChcSystem>>),
    /// Transition systems.
    Ts(fn(&EngineOptions) -> Box<dyn Engine<TransitionSystem>>),
    /// Loops.
    Loops {
        /// For systems of clauses whose cycles are all loops of one predicate.
        several: fn(&EngineOptions) -> Box<dyn Engine<ChcSystem>>,
        /// For transition systems.
        one: fn(&EngineOptions) -> Box<dyn Engine<TransitionSystem>>,
    },
}

/// A row of the table of engines.
#[derive(Clone, Copy, Debug)]
pub struct EngineInfo {
    /// What the user calls it.
    pub name: &'static str,
    /// Where it comes from; a key of the bibliography.
    pub cites: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Which clauses it understands.
    pub fragment: Fragment,
    /// How it is made.
    pub make: Make,
}

/// Which clauses an engine understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fragment {
    /// Any.
    Any,
    /// Those with at most one predicate in their body.
    Linear,
}

/// Every engine, in the order in which help lists them.
pub const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        name: "spacer",
        cites: "VCSG20",
        about: "property-directed reachability with global guidance: any clauses",
        fragment: Fragment::Any,
        make: Make::Chc(|o| {
            Box::new(Spacer::new(SpacerOptions { seed: o.seed, ..o.spacer.clone() }))
        }),
    },
    EngineInfo {
        name: "bmc",
        cites: "BCCZ99",
        about: "bounded model checking: shortest derivations, any clauses",
        fragment: Fragment::Any,
        make: Make::Chc(|o| {
            Box::new(Bmc::new(BmcOptions { seed: o.seed, max_steps: o.max_steps }))
        }),
    },
    EngineInfo {
        name: "kind",
        cites: "SSS00",
        about: "k-induction: properties that are inductive after k steps",
        fragment: Fragment::Linear,
        make: Make::Ts(|o| Box::new(Kind::new(KindOptions { seed: o.seed, max_k: o.max_k }))),
    },
    EngineInfo {
        name: "split-tpa",
        cites: "BFHS22b",
        about: "transition power abstraction, split: transition invariants and deep counterexamples",
        fragment: Fragment::Linear,
        make: Make::Loops {
            several: |o| Box::new(tpa(o, Variant::Split)),
            one: |o| Box::new(tpa(o, Variant::Split)),
        },
    },
    EngineInfo {
        name: "tpa",
        cites: "BFHS22",
        about: "transition power abstraction: deep counterexamples",
        fragment: Fragment::Linear,
        make: Make::Loops {
            several: |o| Box::new(tpa(o, Variant::Whole)),
            one: |o| Box::new(tpa(o, Variant::Whole)),
        },
    },
    EngineInfo {
        name: "pdkind",
        cites: "JD16",
        about: "property-directed k-induction: bounded invariants strengthen the property",
        fragment: Fragment::Linear,
        make: Make::Ts(|o| {
            Box::new(PdKind::new(PdKindOptions { seed: o.seed, ..o.pdkind.clone() }))
        }),
    },
    EngineInfo {
        name: "imc",
        cites: "McM03",
        about: "interpolation-based model checking: over-approximated images of what is reached",
        fragment: Fragment::Linear,
        make: Make::Ts(|o| Box::new(Imc::new(fixpoint(o)))),
    },
    EngineInfo {
        name: "lawi",
        cites: "McM06",
        about: "lazy abstraction with interpolants: an unwinding whose leaves are covered, linear clauses",
        fragment: Fragment::Linear,
        make: Make::Chc(|o| Box::new(Lawi::new(LawiOptions { seed: o.seed, ..o.lawi.clone() }))),
    },
    EngineInfo {
        name: "dar",
        cites: "VGS13",
        about: "dual approximated reachability: interpolants from both ends, linear clauses",
        fragment: Fragment::Linear,
        make: Make::Chc(|o| Box::new(Dar::new(fixpoint(o)))),
    },
];

fn fixpoint(options: &EngineOptions) -> FixpointOptions {
    FixpointOptions { seed: options.seed, ..FixpointOptions::default() }
}

fn tpa(options: &EngineOptions, variant: Variant) -> Tpa {
    Tpa::new(TpaOptions { seed: options.seed, variant, ..options.tpa.clone() })
}

/// The engine that the user calls `name`.
pub fn engine(name: &str) -> Option<&'static EngineInfo> {
    ENGINES.iter().find(|e| e.name == name)
}
