//! How a problem is to be solved.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Instant;

use shofar_check::Rigour;
use shofar_engine::{EngineInfo, EngineOptions};
use shofar_term::Observer;
use shofar_transform::Pipeline;

use crate::exchange::Relay;

/// What is done to the clauses before the engines see them.
pub enum Preprocessing {
    /// The usual passes.
    Default,
    /// Nothing but what engines need.
    Nothing,
    /// These passes.
    Passes(Pipeline),
}

/// How a problem is to be solved.
pub struct Settings {
    /// These engines only; none means the default strategy.
    pub engines: Vec<&'static EngineInfo>,
    /// How engines are set up.
    pub options: EngineOptions,
    /// How many of them work at the same time.
    pub threads: usize,
    /// If engines take turns by steps instead of by the clock, so many count as a millisecond: with one thread, every run is the
    /// same then. Clauses about arrays, data or bits take turns by the clock all the same.
    pub steps_per_millisecond: Option<NonZeroU32>,
    /// What is done before.
    pub preprocessing: Preprocessing,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Whether models are going to be read, so that time may be spent on making them small.
    pub small_models: bool,
    /// When making models small has to end, if that is before the deadline.
    pub small_models_until: Option<Instant>,
    /// How much the validator takes on trust.
    pub rigour: Rigour,
    /// Who carries messages between engines here and in other processes. Levels of abstraction, which see different clauses, do not
    /// use it.
    pub relay: Option<Arc<dyn Relay>>,
    /// Who hears of every question put to a solver.
    pub observer: Option<Arc<dyn Observer>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            engines: Vec::new(),
            options: EngineOptions::default(),
            threads: 2,
            steps_per_millisecond: None,
            preprocessing: Preprocessing::Default,
            deadline: None,
            small_models: false,
            small_models_until: None,
            rigour: Rigour::default(),
            relay: None,
            observer: None,
        }
    }
}
