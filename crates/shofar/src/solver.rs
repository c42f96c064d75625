//! The solver: how problems are to be solved, and solving them.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use shofar_base::{Budget, Instant, StopHandle};
use shofar_chc::read::{Confirmation, Evidence, HornProblem, Instance};
use shofar_chc::{Exactness, Verdict};
use shofar_check::Rigour;
use shofar_driver::{Event, Failure, Preprocessing, Relay, Settings, Solved, Workers};
use shofar_engine::{EngineInfo, EngineOptions, engine};
use shofar_term::{Observer, Sharing};
use shofar_transform::Pipeline;

use crate::{Outcome, Problem, Report};

/// How problems are solved. Everything has a default: the usual passes, the default strategy, two
/// threads, no limit.
///
/// ```
/// use std::time::Duration;
/// use shofar::Solver;
/// let solver = Solver::new()
///     .with_engines(&["spacer", "bmc"])?
///     .with_timeout(Duration::from_secs(60))
///     .with_threads(1)
///     .with_seed(7);
/// assert!(Solver::new().with_engines(&["oracle"]).is_err());
/// # Ok::<(), shofar::UnknownName>(())
/// ```
#[derive(Clone, Default)]
pub struct Solver {
    pub(crate) settings: Settings,
    /// How long each question may take; the deadline of the settings holds for all of them.
    pub(crate) timeout: Option<Duration>,
    pub(crate) stop: StopHandle,
}

/// There is no engine of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName(pub String);

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no `{}`", self.0)
    }
}

impl std::error::Error for UnknownName {}

impl Solver {
    /// A solver with the defaults.
    pub fn new() -> Self {
        Self::default()
    }
    /// Only these engines, instead of the default strategy.
    pub fn with_engines(mut self, names: &[&str]) -> Result<Self, UnknownName> {
        let named = |name: &&str| engine(name).ok_or_else(|| UnknownName((*name).to_owned()));
        self.settings.engines = names.iter().map(named).collect::<Result<_, _>>()?;
        Ok(self)
    }
    /// Only these engines, which need not be in the table.
    pub fn with_engine_table(mut self, engines: Vec<&'static EngineInfo>) -> Self {
        self.settings.engines = engines;
        self
    }
    /// How engines are set up.
    pub fn with_engine_options(mut self, options: EngineOptions) -> Self {
        self.settings.options = options;
        self
    }
    /// Perturbs ties in the search; the same seed gives the same run of an engine.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.settings.options.seed = seed;
        self
    }
    /// How many engines work at the same time.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.settings.threads = threads;
        self
    }
    /// Engines take turns by steps instead of by the clock, so many for a millisecond; with one
    /// thread, every run is the same then.
    pub fn with_steps_per_millisecond(mut self, steps: NonZeroU32) -> Self {
        self.settings.steps_per_millisecond = Some(steps);
        self
    }
    /// What engines tell each other.
    pub fn with_sharing(mut self, sharing: Sharing) -> Self {
        self.settings.options.sharing = sharing;
        self
    }
    /// Somebody who carries messages between engines here and in other processes that work on the
    /// same problem.
    pub fn with_relay(mut self, relay: Arc<dyn Relay>) -> Self {
        self.settings.relay = Some(relay);
        self
    }
    /// Only these passes before the engines, as `shofar passes` tells how they are written.
    ///
    /// ```
    /// use shofar::Solver;
    /// let passes = "simplify,until_stable(slice,eliminate),when(clauses>=1000,invariants(effect=drop))";
    /// let solver = Solver::new().with_passes(passes.parse()?);
    /// let error = "simplify,magic".parse::<shofar::transform::Pipeline>().unwrap_err();
    /// assert_eq!(error.to_string(), "column 10: there is no pass `magic`");
    /// # Ok::<(), shofar::transform::PipelineError>(())
    /// ```
    pub fn with_passes(mut self, passes: Pipeline) -> Self {
        self.settings.preprocessing = Preprocessing::Passes(passes);
        self
    }
    /// The engines get the clauses as they are.
    pub fn without_preprocessing(mut self) -> Self {
        self.settings.preprocessing = Preprocessing::Nothing;
        self
    }
    /// How long each question may take.
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }
    /// When all questions have to be over.
    pub fn with_deadline(mut self, deadline: Instant) -> Self {
        self.settings.deadline = Some(deadline);
        self
    }
    /// Spends some time on making models small, but not beyond `until`.
    pub fn with_small_models(mut self, until: Option<Instant>) -> Self {
        self.settings.small_models = true;
        self.settings.small_models_until = until;
        self
    }
    /// How much the validator takes on trust; the default is the SMT solver, in debug builds
    /// nobody.
    pub fn with_rigour(mut self, rigour: Rigour) -> Self {
        self.settings.rigour = rigour;
        self
    }
    /// Somebody who hears of every question put to the SMT solver.
    pub fn with_observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.settings.observer = Some(observer);
        self
    }
    /// The handle by which another thread stops the solver. Once stopped, it stays so until it is
    /// [reset](StopHandle::reset).
    ///
    /// ```
    /// use shofar::{Answer, GaveUp, Problem, Solver};
    /// let text = b"(declare-fun p (Int) Bool)(assert (p 0))
    ///     (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))(check-sat)";
    /// let solver = Solver::new();
    /// let handle = solver.stop_handle();
    /// std::thread::spawn(move || handle.stop(GaveUp::Cancelled)).join().unwrap();
    /// let outcome = solver.solve(Problem::from_text(text)?);
    /// let Answer::Unknown(failure) = outcome.answer else { panic!("it was stopped before") };
    /// assert_eq!(failure.stopped, Some(GaveUp::Cancelled));
    /// # Ok::<(), shofar::InputError>(())
    /// ```
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }
    /// Solves under somebody else's handle.
    pub fn stopped_by(mut self, handle: StopHandle) -> Self {
        self.stop = handle;
        self
    }

    /// Decides a problem. All threads have ended when it returns.
    pub fn solve(&self, problem: Problem) -> Outcome {
        self.solve_with(problem, &mut |_| ())
    }
    /// Decides a problem, and tells what is going on: passes, time slices of engines, witnesses.
    ///
    /// ```
    /// use shofar::{Event, Problem, Solver};
    /// let text = b"(declare-fun p (Int) Bool)(assert (p 0))
    ///     (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
    ///     (assert (forall ((x Int)) (=> (p x) (>= x 0))))(check-sat)";
    /// let mut slices = Vec::new();
    /// let solver = Solver::new().without_preprocessing();
    /// let outcome = solver.solve_with(Problem::from_text(text)?, &mut |event| {
    ///     if let Event::Start(engine, _) = event {
    ///         slices.push(*engine);
    ///     }
    /// });
    /// assert_eq!(outcome.word(), "sat");
    /// assert_eq!(outcome.report.engine.as_deref(), slices.last().copied());
    /// # Ok::<(), shofar::InputError>(())
    /// ```
    pub fn solve_with(&self, problem: Problem, tell: &mut dyn FnMut(&Event)) -> Outcome {
        let (outcome, workers) = self.answer(problem, tell);
        workers.join();
        outcome
    }
    /// Decides a problem like [`solve_with`](Self::solve_with), but does not wait for the threads
    /// of engines that lost: they have been told to stop, and whoever asked joins them when it
    /// suits.
    pub fn answer(&self, problem: Problem, tell: &mut dyn FnMut(&Event)) -> (Outcome, Workers) {
        let settings = self.settings(Instant::now());
        let (instance, origin) = (problem.horn.instance.clone(), problem.origin.clone());
        let text = Arc::clone(&problem.text);
        let (outcome, workers, is_refuted) = self.decide(problem, &settings, tell);
        let instance = instance.zip(origin).filter(|_| is_refuted);
        let refuted = instance.and_then(|(Instance { options, about }, origin)| {
            let origin = origin.with_options(&options)?;
            let budget = Budget::with_handle(&self.stop, settings.deadline);
            let (store, horn) = origin.read_again(&budget).ok()?;
            let instance = Problem { store, horn: horn.into(), text, origin: Some(origin) };
            let (outcome, workers, is_refuted) = self.decide(instance, &settings, tell);
            is_refuted.then_some((outcome.about_instance(about), workers))
        });
        match refuted {
            None => (outcome, workers),
            Some(refuted) => {
                workers.join();
                refuted
            }
        }
    }
    /// Decides the clauses of a problem; says also whether they are refuted.
    fn decide(
        &self,
        problem: Problem,
        settings: &Settings,
        tell: &mut dyn FnMut(&Event),
    ) -> (Outcome, Workers, bool) {
        let start = Instant::now();
        let mut report = Report::default();
        let input = problem.input();
        let Problem { store, horn, text, origin } = problem;
        let (result, workers) =
            shofar_driver::answer(store, &input, settings, &self.stop, &mut |event| {
                report.note(event);
                tell(event);
            });
        let budget = Budget::with_handle(&self.stop, settings.deadline);
        let result = result.and_then(|solved| confirmed(solved, &horn, &budget, &mut report));
        let mut is_refuted = false;
        if let Ok(solved) = &result {
            report.solved(solved);
            is_refuted = matches!(solved.certified.verdict(), Verdict::Unsafe(_));
        }
        report.total = start.elapsed();
        (Outcome::new(horn, text, origin, result, report), workers, is_refuted)
    }
    /// The settings for a question that is asked now.
    pub(crate) fn settings(&self, start: Instant) -> Settings {
        let timeout = self.timeout.and_then(|timeout| start.checked_add(timeout));
        let deadline = self.settings.deadline.into_iter().chain(timeout).min();
        Settings { deadline, ..self.settings.clone() }
    }
}

/// The verdict, unless the text itself says something else than the clauses.
fn confirmed(
    solved: Solved,
    horn: &HornProblem,
    budget: &Budget,
    report: &mut Report,
) -> Result<Solved, Failure> {
    let Some(explain) = &horn.explain else { return Ok(solved) };
    let evidence = match solved.certified.verdict() {
        Verdict::Safe(model) => Evidence::Model(model),
        // It is no verdict about the text.
        Verdict::Unsafe(_) if horn.exactness == Exactness::Over => return Ok(solved),
        Verdict::Unsafe(refutation) => Evidence::Refutation(refutation),
    };
    let said = match explain.confirm(&solved.store, horn, evidence, budget) {
        Confirmation::NotAsked => return Ok(solved),
        Confirmation::Confirmed(how) => format!("confirmed: {how}"),
        Confirmation::Undecided(why) => format!("not confirmed: {why}"),
        Confirmation::Refuted(why) => {
            return Err(Failure { rejected: vec![why], ..Failure::default() });
        }
    };
    report.confirmation = Some(said);
    Ok(solved)
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let engines: Vec<&str> = self.settings.engines.iter().map(|info| info.name).collect();
        f.debug_struct("Solver")
            .field("engines", &engines)
            .field("options", &self.settings.options)
            .field("threads", &self.settings.threads)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
