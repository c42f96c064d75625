//! How a problem is to be solved.

use std::num::NonZeroU32;
use std::sync::Arc;

use shofar_base::Instant;
use shofar_check::Rigour;
use shofar_engine::{EngineInfo, EngineOptions};
use shofar_term::Observer;
use shofar_transform::Pipeline;

use crate::exchange::Relay;

/// What is done to the clauses before the engines see them.
#[derive(Clone, Default)]
pub enum Preprocessing {
    /// The usual passes.
    #[default]
    Default,
    /// Nothing but what engines need.
    Nothing,
    /// These passes.
    Passes(Pipeline),
}

/// How a problem is to be solved: the one set of settings, from the library to the worker.
#[derive(Clone)]
pub struct Settings {
    /// These engines only; none means the default strategy.
    pub engines: Vec<&'static EngineInfo>,
    /// How engines are set up.
    pub options: EngineOptions,
    /// How many of them work at the same time.
    pub threads: usize,
    /// How many steps count as a millisecond, if engines and levels of abstraction take turns by
    /// steps instead of by the clock: with one thread, every run is the same then.
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
    /// Carries messages between engines here and in other processes.
    pub relay: Option<Arc<dyn Relay>>,
    /// Hears of every question put to a solver.
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

impl Settings {
    /// When the search for a smaller model has to end.
    pub(crate) fn end_of_small_models(&self) -> Option<Instant> {
        self.deadline.into_iter().chain(self.small_models_until).min()
    }
}
