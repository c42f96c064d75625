//! What the strategy looks at: a few figures of the simplified clauses.
//!
//! They are cheap (one look at every clause) and coarse, so that a table fitted on some problems
//! speaks for others.

use shofar_chc::{ChcGraph, ChcSystem, Shape};
use shofar_term::size::dag_size;
use shofar_term::visit::postorder;
use shofar_term::{ArithKind, Kind, Sort, Term, TermStore};

/// Something that can be said of a problem by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// 1 if a clause has several predicates in its body.
    Nonlinear,
    /// 1 if a predicate has a Real argument.
    Reals,
    /// 1 if there are cycles other than loops of one predicate.
    Tangled,
    /// Predicates.
    Predicates,
    /// Arguments of all predicates together.
    Arguments,
    /// Arguments of sort Bool.
    Booleans,
    /// Clauses.
    Clauses,
    /// Nodes in the constraints, shared ones once.
    Size,
    /// Terms `ite`, `div`, `mod` and disjunctions in the constraints.
    Choices,
    /// Terms `div` and `mod` in the constraints.
    Remainders,
}

impl Feature {
    /// All of them.
    pub const ALL: [Feature; 10] = [
        Feature::Nonlinear,
        Feature::Reals,
        Feature::Tangled,
        Feature::Predicates,
        Feature::Arguments,
        Feature::Booleans,
        Feature::Clauses,
        Feature::Size,
        Feature::Choices,
        Feature::Remainders,
    ];
}

/// The figures of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features([u64; Feature::ALL.len()]);

impl Features {
    /// The figures of `system`.
    pub fn of(store: &TermStore, system: &ChcSystem) -> Self {
        let sorts: Vec<Sort> =
            system.preds().flat_map(|pred| system.sorts(store, pred)).copied().collect();
        let of_sort = |sort: Sort| sorts.iter().filter(|&&s| s == sort).count();
        let constraints: Vec<Term> = system.clauses().map(|(_, c)| c.constraint).collect();
        let (mut choices, mut remainders) = (0, 0);
        for term in postorder(store, &constraints) {
            match store.kind(term) {
                Kind::Arith(ArithKind::Div(..) | ArithKind::Mod(..)) => remainders += 1,
                Kind::Ite(..) | Kind::Or(_) | Kind::Iff(..) => choices += 1,
                Kind::True
                | Kind::False
                | Kind::Symbol(_)
                | Kind::Not(_)
                | Kind::And(_)
                | Kind::Same(..)
                | Kind::App(..)
                | Kind::Quantified(..)
                | Kind::Arith(_)
                | Kind::Array(_)
                | Kind::Data(_)
                | Kind::Bits(_) => {}
            }
        }
        let is_tangled = match ChcGraph::new(system).shape() {
            Shape::Linear | Shape::Nonlinear => true,
            Shape::Acyclic | Shape::TransitionSystem | Shape::ChainOfLoops | Shape::DagOfLoops => {
                false
            }
        };
        let count = |figure: Feature| match figure {
            Feature::Nonlinear => usize::from(!system.is_linear()),
            Feature::Reals => usize::from(of_sort(Sort::REAL) > 0),
            Feature::Tangled => usize::from(is_tangled),
            Feature::Predicates => system.pred_count(),
            Feature::Arguments => sorts.len(),
            Feature::Booleans => of_sort(Sort::BOOL),
            Feature::Clauses => system.clause_count(),
            Feature::Size => dag_size(store, &constraints),
            Feature::Choices => choices + remainders,
            Feature::Remainders => remainders,
        };
        Self(Feature::ALL.map(|figure| u64::try_from(count(figure)).unwrap_or(u64::MAX)))
    }
    /// The figures in the order of [`Feature::ALL`].
    pub fn from_values(values: [u64; Feature::ALL.len()]) -> Self {
        Self(values)
    }
    /// One figure.
    pub fn get(&self, feature: Feature) -> u64 {
        let at = Feature::ALL.iter().position(|&f| f == feature);
        self.0[at.expect("every feature is in the list")]
    }
}
