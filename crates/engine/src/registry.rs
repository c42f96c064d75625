//! All engines, by name.

use shofar_chc::{Engine, NormalSystem, TransitionSystem};

use crate::bmc::{Bmc, BmcOptions};
use crate::dar::Dar;
use crate::fixpoint_options::FixpointOptions;
use crate::houdini::{Houdini, HoudiniOptions};
use crate::ic3ia::{self, Ic3ia, Ic3iaOptions};
use crate::imc::Imc;
use crate::kind::{Kind, KindOptions};
use crate::lawi::{self, Lawi, LawiOptions};
use crate::options::{EngineOptions, OptionGroup, StateHints};
use crate::pa::{self, Pa, PaOptions};
use crate::pdkind::{self, PdKind, PdKindOptions};
use crate::rf::Rf;
use crate::spacer::{self, Spacer, SpacerOptions};
use crate::tpa::{self, Tpa, TpaOptions, Variant};
use crate::trl::{self, Trl, TrlOptions};

/// What an engine understands, and how it is made.
#[derive(Clone, Copy, Debug)]
pub enum Make {
    /// Systems of clauses.
    Chc(fn(&EngineOptions) -> Box<dyn Engine<NormalSystem>>),
    /// Transition systems.
    Ts(fn(&EngineOptions) -> Box<dyn Engine<TransitionSystem>>),
    /// Loops.
    Loops {
        /// For systems of clauses whose cycles are all loops of one predicate.
        several: fn(&EngineOptions) -> Box<dyn Engine<NormalSystem>>,
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
    /// Whether the clauses that it gets are strengthened by what other engines have proved.
    pub is_strengthened: bool,
    /// What users can set, if anything; engines that are variants of each other share a group.
    pub options: Option<&'static OptionGroup>,
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
    /// Those in which no predicate depends on itself.
    RecursionFree,
}

/// Every engine, in the order in which help lists them.
pub const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        name: "spacer",
        cites: "VCSG20",
        about: "property-directed reachability with global guidance: any clauses",
        fragment: Fragment::Any,
        is_strengthened: true,
        options: Some(&spacer::OPTIONS),
        make: Make::Chc(|o| Box::new(Spacer::new(SpacerOptions { seed: o.seed, ..o.own() }))),
    },
    EngineInfo {
        name: "bmc",
        cites: "BCCZ99",
        about: "bounded model checking: shortest derivations, any clauses",
        fragment: Fragment::Any,
        is_strengthened: true,
        options: None,
        make: Make::Chc(|o| Box::new(Bmc::new(BmcOptions { seed: o.seed, ..o.own() }))),
    },
    EngineInfo {
        name: "kind",
        cites: "SSS00",
        about: "k-induction: properties that are inductive after k steps",
        fragment: Fragment::Linear,
        is_strengthened: true,
        options: None,
        make: Make::Ts(|o| Box::new(Kind::new(KindOptions { seed: o.seed, ..o.own() }))),
    },
    EngineInfo {
        name: "split-tpa",
        cites: "BFHS22b",
        about: "transition power abstraction, split: transition invariants and deep counterexamples",
        fragment: Fragment::Linear,
        is_strengthened: true,
        options: Some(&tpa::OPTIONS),
        make: Make::Loops {
            several: |o| Box::new(power_abstraction(o, Variant::Split)),
            one: |o| Box::new(power_abstraction(o, Variant::Split)),
        },
    },
    EngineInfo {
        name: "tpa",
        cites: "BFHS22",
        about: "transition power abstraction: deep counterexamples",
        fragment: Fragment::Linear,
        is_strengthened: true,
        options: Some(&tpa::OPTIONS),
        make: Make::Loops {
            several: |o| Box::new(power_abstraction(o, Variant::Whole)),
            one: |o| Box::new(power_abstraction(o, Variant::Whole)),
        },
    },
    EngineInfo {
        name: "pdkind",
        cites: "JD16",
        about: "property-directed k-induction: bounded invariants strengthen the property",
        fragment: Fragment::Linear,
        is_strengthened: true,
        options: Some(&pdkind::OPTIONS),
        make: Make::Ts(|o| Box::new(bounded_invariants(o))),
    },
    EngineInfo {
        name: "ic3ia",
        cites: "CGMT14",
        about: "IC3 with implicit predicate abstraction: many Boolean variables and some numbers",
        fragment: Fragment::Linear,
        is_strengthened: true,
        options: Some(&ic3ia::OPTIONS),
        make: Make::Ts(|o| Box::new(implicit_abstraction(o))),
    },
    EngineInfo {
        name: "trl",
        cites: "FG25",
        about: "transitive relation learning: loops become relations that stand for any number of iterations",
        fragment: Fragment::Linear,
        // Closed forms of loops are lost among further literals.
        is_strengthened: false,
        options: Some(&trl::OPTIONS),
        make: Make::Ts(|o| Box::new(Trl::new(TrlOptions { seed: o.seed, ..o.own() }))),
    },
    EngineInfo {
        name: "imc",
        cites: "McM03",
        about: "interpolation-based model checking: over-approximated images of what is reached",
        fragment: Fragment::Linear,
        is_strengthened: true,
        options: None,
        make: Make::Ts(|o| Box::new(Imc::new(fixpoint(o)))),
    },
    EngineInfo {
        name: "lawi",
        cites: "McM06",
        about: "lazy abstraction with interpolants: an unwinding whose leaves are covered, linear clauses",
        fragment: Fragment::Linear,
        is_strengthened: true,
        options: Some(&lawi::OPTIONS),
        make: Make::Chc(|o| Box::new(Lawi::new(LawiOptions { seed: o.seed, ..o.own() }))),
    },
    EngineInfo {
        name: "dar",
        cites: "VGS13",
        about: "dual approximated reachability: interpolants from both ends, linear clauses",
        fragment: Fragment::Linear,
        is_strengthened: true,
        options: None,
        make: Make::Chc(|o| Box::new(Dar::new(fixpoint(o)))),
    },
    EngineInfo {
        name: "rf",
        cites: "RHK13b",
        about: "recursion-free clauses: lazy expansion and disjunctive interpolation",
        fragment: Fragment::RecursionFree,
        is_strengthened: true,
        options: None,
        make: Make::Chc(|o| Box::new(Rf::new(o.seed))),
    },
    EngineInfo {
        name: "pa",
        cites: "RHK13",
        about: "predicate abstraction: sets of predicates from tree and disjunctive interpolants, any clauses",
        fragment: Fragment::Any,
        is_strengthened: true,
        options: Some(&pa::OPTIONS),
        make: Make::Chc(|o| Box::new(Pa::new(PaOptions { seed: o.seed, ..o.own() }))),
    },
    EngineInfo {
        name: "houdini",
        cites: "FL01",
        about: "largest inductive part of what executions, clauses and other engines suggest: any clauses",
        fragment: Fragment::Any,
        is_strengthened: true,
        options: None,
        make: Make::Chc(|o| Box::new(Houdini::new(HoudiniOptions { seed: o.seed }))),
    },
];

fn bounded_invariants(options: &EngineOptions) -> PdKind {
    let (seed, sharing) = (options.seed, options.sharing);
    PdKind::new(PdKindOptions { seed, sharing, ..options.own() })
}

fn implicit_abstraction(options: &EngineOptions) -> Ic3ia {
    let StateHints(hints) = options.own();
    Ic3ia::new(Ic3iaOptions { seed: options.seed, hints, ..options.own() })
}

fn fixpoint(options: &EngineOptions) -> FixpointOptions {
    FixpointOptions { seed: options.seed, ..options.own() }
}

fn power_abstraction(options: &EngineOptions, variant: Variant) -> Tpa {
    Tpa::new(TpaOptions { seed: options.seed, variant, ..options.own() })
}

/// The engine that the user calls `name`.
pub fn engine(name: &str) -> Option<&'static EngineInfo> {
    ENGINES.iter().find(|e| e.name == name)
}

/// The groups of options of all engines, each once, in the order of the engines.
pub fn option_groups() -> impl Iterator<Item = &'static OptionGroup> {
    let group = |at: usize| ENGINES[at].options;
    let is_first = move |at: &usize| {
        let heading = |at| group(at).map(|group| group.heading);
        !(0..*at).any(|before| heading(before) == heading(*at))
    };
    (0..ENGINES.len()).filter(is_first).filter_map(group)
}

/// The engines that have the options under this heading; the shortest name first, of which others
/// are variants.
pub fn option_owners(heading: &str) -> Vec<&'static str> {
    let owns = |engine: &&EngineInfo| engine.options.is_some_and(|group| group.heading == heading);
    let mut names: Vec<&str> = ENGINES.iter().filter(owns).map(|engine| engine.name).collect();
    names.sort_by_key(|name| name.len());
    names
}
