//! Bounded model checking: derivations of `false`, shortest first.
//!
//! Linear systems are unrolled layer by layer ([`linear`]); a derivation of minimal length is
//! found. Nonlinear systems, and those without cycles, are unfolded into derivation trees on demand
//! ([`unfold`]).
//!
//! Both ways may run out of derivations: then the system is safe, and interpolants of what was
//! unrolled are a model ([`model`], [`layers`]); so are the points of a plain execution that ends
//! or runs in a circle ([`points`]). Before either, which may be huge, a model around some derived
//! points is looked for ([`crate::hull`]). Systems without cycles are always decided.
//!
//! Source: [BCCZ99].

mod feasible;
mod layers;
pub(crate) mod linear;
mod model;
mod points;
mod unfold;

use shofar_base::{GaveUp, Outcome};
use shofar_chc::{ChcGraph, Engine, LinearSystem, NormalSystem, Shape, Verdict};
use shofar_term::{Cx, Stage};

use feasible::Feasible;
pub(crate) use layers::model as bounded_model;
use linear::{Found, Unrolling};
use unfold::{Unfolded, Unfolding};

/// How bounded model checking is set up.
#[derive(Clone, Debug, Default)]
pub struct BmcOptions {
    /// Perturbs ties in the search.
    pub seed: u64,
    /// The longest derivation to look for in linear systems; none is no limit.
    pub max_steps: Option<usize>,
}

/// The engine; see the [module](self) documentation.
#[derive(Clone, Debug, Default)]
pub struct Bmc {
    options: BmcOptions,
}

impl Bmc {
    /// An engine set up like that.
    pub fn new(options: BmcOptions) -> Self {
        Self { options }
    }
    fn unroll(&self, cx: &mut Cx<'_>, system: LinearSystem<'_>) -> Outcome<Verdict<NormalSystem>> {
        let mut unrolling = Unrolling::new(cx, system, self.options.seed);
        loop {
            match unrolling.query(cx)? {
                Found::Refutation(derivation, _) => return Ok(Verdict::Unsafe(derivation)),
                Found::Closed => {
                    return unrolling.model_of_points(cx, &system).map(Verdict::Safe);
                }
                Found::Exhausted => break,
                Found::Nothing => (),
            }
            // The question costs as much as a query, so it is asked ever more rarely.
            if unrolling.depth().is_power_of_two() && unrolling.is_unreachable(cx)? {
                break;
            }
            if self.options.max_steps.is_some_and(|max| unrolling.depth() >= max) {
                return Err(GaveUp::incomplete("no derivation within the limit"));
            }
            tracing::debug!("no derivation through {} layers", unrolling.depth());
            cx.reached(Stage::at("depth", unrolling.depth()));
            unrolling.extend(cx)?;
        }
        bounded_model(cx, &system, &unrolling).map(Verdict::Safe)
    }
    fn unfold(&self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let mut unfolding = Unfolding::new(cx, system, self.options.seed);
        match unfolding.decide(cx)? {
            Unfolded::Refutation(derivation) => Ok(Verdict::Unsafe(derivation)),
            Unfolded::Safe => model::model(cx, system, &unfolding).map(Verdict::Safe),
        }
    }
}

impl Engine<NormalSystem> for Bmc {
    fn solve(&mut self, cx: &mut Cx<'_>, system: &NormalSystem) -> Outcome<Verdict<NormalSystem>> {
        let feasible = Feasible::of(cx, system)?;
        let system = &feasible.system;
        let is_acyclic = ChcGraph::new(system).shape() == Shape::Acyclic;
        let verdict = match LinearSystem::of(system) {
            Some(linear) if !is_acyclic => self.unroll(cx, linear)?,
            Some(_) | None => self.unfold(cx, system)?,
        };
        Ok(match verdict {
            Verdict::Unsafe(derivation) => Verdict::Unsafe(feasible.restore(derivation)),
            Verdict::Safe(model) => Verdict::Safe(model),
        })
    }
}
