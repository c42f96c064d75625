//! What a generated script exercises.

/// The feature that a script exercises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Random assertions, a model and values.
    Random,
    /// Assertions that hold in a planted model.
    PlantedModel,
    /// A planted contradiction.
    PlantedContradiction,
    /// Scopes and several checks.
    Incremental,
    /// Assumptions.
    Assumptions,
    /// Unsat cores over named assertions.
    Core,
    /// An interpolant of two groups.
    Interpolant,
    /// A sequence of interpolants.
    Sequence,
    /// A tree of interpolants.
    Tree,
    /// Interpolants of all strengths for one split.
    Strength,
}

impl Feature {
    /// All of them, in the order in which cases go round.
    pub const ALL: [Feature; 10] = [
        Feature::Random,
        Feature::Interpolant,
        Feature::PlantedModel,
        Feature::Incremental,
        Feature::Sequence,
        Feature::PlantedContradiction,
        Feature::Assumptions,
        Feature::Tree,
        Feature::Core,
        Feature::Strength,
    ];
    /// The feature of the case with this number.
    pub(crate) fn of(number: u64) -> Self {
        Self::ALL[usize::try_from(number % 10).unwrap_or(0)]
    }
    /// The name for tables.
    pub fn label(self) -> &'static str {
        match self {
            Feature::Random => "random",
            Feature::PlantedModel => "planted model",
            Feature::PlantedContradiction => "contradiction",
            Feature::Incremental => "incremental",
            Feature::Assumptions => "assumptions",
            Feature::Core => "core",
            Feature::Interpolant => "interpolant",
            Feature::Sequence => "sequence",
            Feature::Tree => "tree",
            Feature::Strength => "strength",
        }
    }
    pub(crate) fn interpolates(self) -> bool {
        matches!(self, Feature::Interpolant | Feature::Sequence | Feature::Tree | Feature::Strength)
    }
}
