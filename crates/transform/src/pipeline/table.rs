//! The table of passes, with their parameters.

use crate::invariants::{Domains, Effect, Effort};
use crate::{
    AbstractProducts, Accelerate, DropCertain, DropDetermined, DropUnderivable, DropUseless,
    Eliminate, FixConstants, Flatten, FreeArguments, IntBlast, Invariants, Loops, MergeParallel,
    Naturals, Normalize, Pass, Simplify, SliceArguments, SplitDisjunctions, Subsume,
};

/// A row of the table of passes.
pub struct PassInfo {
    /// What a user calls it.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// What can be chosen.
    pub parameters: &'static [Parameter],
    /// Makes one.
    pub make: fn(&PassOptions) -> Box<dyn Pass>,
}

/// A parameter of a pass.
pub struct Parameter {
    /// How it is written.
    pub name: &'static str,
    /// What it says.
    pub about: &'static str,
    /// Its values.
    pub choices: &'static [Choice],
    /// The values if nothing is written.
    pub default: &'static [&'static str],
    /// Whether it takes several values, joined by `+`.
    pub is_list: bool,
}

/// A value of a parameter.
pub struct Choice {
    /// How it is written.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Chooses it.
    pub(super) set: fn(&mut PassOptions),
}

/// The parameters of all passes; each pass reads its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassOptions {
    pub(super) domains: Domains,
    pub(super) effect: Effect,
    pub(super) effort: Effort,
    pub(super) loops: Loops,
}

const fn choice(name: &'static str, about: &'static str, set: fn(&mut PassOptions)) -> Choice {
    Choice { name, about, set }
}

const DOMAINS: Parameter = Parameter {
    name: "domains",
    about: "what is looked for, joined by `+`",
    choices: &[
        choice("intervals", "bounds of arguments, which are always looked for", |_| ()),
        choice("equalities", "linear equations", |o| o.domains.equalities = true),
        choice("octagons", "bounds of sums and differences of two arguments", |o| {
            o.domains.octagons = true;
        }),
        choice("congruences", "remainders of arguments", |o| o.domains.congruences = true),
        choice("all", "all of these", |o| o.domains = Domains::ALL),
    ],
    default: &["intervals", "equalities", "octagons"],
    is_list: true,
};

const EFFECT: Parameter = Parameter {
    name: "effect",
    about: "what becomes of what is found",
    choices: &[
        choice("strengthen", "it joins the bodies of clauses", |o| o.effect = Effect::Strengthen),
        choice("hint", "engines get it as hints", |o| o.effect = Effect::Hint),
        choice("drop", "clauses that it contradicts are dropped; others stay as they are", |o| {
            o.effect = Effect::Drop;
        }),
    ],
    default: &["strengthen"],
    is_list: false,
};

const EFFORT: Parameter = Parameter {
    name: "effort",
    about: "how much work it may be",
    choices: &[
        choice("low", "about a tenth of a second", |o| o.effort = Effort::Low),
        choice("medium", "about a second", |o| o.effort = Effort::Medium),
        choice("high", "as much as other passes need for many clauses", |o| {
            o.effort = Effort::High;
        }),
    ],
    default: &["medium"],
    is_list: false,
};

const LOOPS: Parameter = Parameter {
    name: "loops",
    about: "what becomes of loops all of whose disjuncts have a shortcut",
    choices: &[
        choice("keep", "they stay", |o| o.loops = Loops::Kept),
        choice("replace", "shortcuts take their place", |o| o.loops = Loops::Replaced),
    ],
    default: &["keep"],
    is_list: false,
};

const fn plain(
    name: &'static str,
    about: &'static str,
    make: fn(&PassOptions) -> Box<dyn Pass>,
) -> PassInfo {
    PassInfo { name, about, parameters: &[], make }
}

/// All passes from clauses to clauses.
pub const PASSES: &[PassInfo] = &[
    plain("normalize", "make arguments distinct variables", |_| Box::new(Normalize)),
    plain("products", "replace products of unknowns by variables", |_| Box::new(AbstractProducts)),
    plain("flatten", "replace records and variants by their fields", |_| Box::new(Flatten)),
    plain("int_blast", "replace bit-vectors by integers", |_| Box::new(IntBlast::default())),
    plain("naturals", "replace numbers made of zero and successor by integers", |_| {
        Box::new(Naturals)
    }),
    plain("simplify", "simplify constraints and drop clauses with contradictory ones", |_| {
        Box::new(Simplify::default())
    }),
    plain("underivable", "drop predicates that no chain of clauses derives", |_| {
        Box::new(DropUnderivable)
    }),
    plain("useless", "drop predicates that no query depends on", |_| Box::new(DropUseless)),
    plain("constants", "drop arguments that are always the same constant", |_| {
        Box::new(FixConstants)
    }),
    plain("slice", "drop arguments that no query depends on", |_| Box::new(SliceArguments)),
    plain("certain", "drop predicates without arguments that are derivable", |_| {
        Box::new(DropCertain)
    }),
    plain("free", "drop arguments that are derivable with every value or with none", |_| {
        Box::new(FreeArguments)
    }),
    plain("eliminate", "resolve predicates away while that makes the system smaller", |_| {
        Box::new(Eliminate::default())
    }),
    plain("merge", "merge clauses with the same predicates into one", |_| {
        Box::new(MergeParallel::default())
    }),
    plain("determined", "drop arguments that linear equations determine", |_| {
        Box::new(DropDetermined)
    }),
    plain("split", "make several clauses of one with a disjunction", |_| {
        Box::new(SplitDisjunctions)
    }),
    plain("subsume", "drop clauses that others imply", |_| Box::new(Subsume)),
    PassInfo {
        name: "accelerate",
        about: "add shortcuts for loops whose effect is known in closed form",
        parameters: &[LOOPS],
        make: |options| Box::new(Accelerate { loops: options.loops }),
    },
    PassInfo {
        name: "invariants",
        about: "find invariants by abstract interpretation",
        parameters: &[DOMAINS, EFFECT, EFFORT],
        make: |&PassOptions { domains, effect, effort, .. }| {
            Box::new(Invariants { domains, effect, effort })
        },
    },
];

impl PassInfo {
    /// The pass by itself, and with each value of each parameter, as it is written in a pipeline.
    pub fn forms(&self) -> impl Iterator<Item = String> {
        let with_values = self.parameters.iter().flat_map(|parameter| {
            let form =
                |choice: &Choice| format!("{}({}={})", self.name, parameter.name, choice.name);
            parameter.choices.iter().map(form)
        });
        std::iter::once(self.name.to_owned()).chain(with_values)
    }
}
