//! The whole way from a problem to a certified verdict.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use shofar_base::{Budget, GaveUp, Outcome, StopHandle};
use shofar_chc::{BackTranslation, ChcSystem, Interpretation, Verdict};
use shofar_check::{Certified, HornInput, validate};
use shofar_term::{Cx, Observer, TermStore};
use shofar_transform::{Normalize, PassReport, Pipeline, default_pipeline};

use crate::contest::{Field, Finish, panic_text};
use crate::relay::Relay;
use crate::schedule::{Numbers, Schedule};
use crate::settings::{Preprocessing, Settings};
use crate::small;

/// How long engines that were told to stop are waited for.
const GRACE: Duration = Duration::from_millis(30);

/// What the search for a smaller model is called.
const SMALL_MODELS: &str = "small models";

/// How long the parts took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Preprocessing.
    pub preprocessing: Duration,
    /// The winner's turns.
    pub engine: Duration,
    /// Translating the witness back, and making it small.
    pub translation: Duration,
    /// Validating it.
    pub validation: Duration,
}

/// A certified verdict.
pub struct Solved {
    /// The verdict with its validated witness.
    pub certified: Certified,
    /// The store in which its terms live.
    pub store: TermStore,
    /// Who found it.
    pub engine: &'static str,
    /// How long it took.
    pub times: Times,
    /// What the engine counted.
    pub figures: Vec<(&'static str, u64)>,
}

/// Why there is no verdict.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// What ended the work, if it was ended.
    pub stopped: Option<GaveUp>,
    /// What each engine said.
    pub engines: Vec<(&'static str, String)>,
    /// Witnesses that did not pass; each is a bug.
    pub rejected: Vec<String>,
}

/// Something worth telling while the work goes on.
#[derive(Clone, Debug)]
pub enum Event<'e> {
    /// A pass is done.
    Pass(&'e PassReport),
    /// An engine starts its turn.
    Start(&'static str, Option<Duration>),
    /// An engine has ended without a verdict; this is why, and what it counted.
    Stop(&'static str, String, &'e [(&'static str, u64)]),
    /// An engine has failed with this message; a bug.
    Panicked(&'static str, &'e str),
    /// A witness did not pass.
    Rejected(&'static str, &'e str),
}

type Back = Box<dyn BackTranslation<ChcSystem, ChcSystem>>;

/// Decides `input`, whose terms live in `store`; `handle` stops it from outside.
pub fn solve(
    mut store: TermStore,
    input: &HornInput<'_>,
    settings: &Settings,
    handle: &StopHandle,
    observe: &mut dyn FnMut(&Event<'_>),
) -> Result<Solved, Failure> {
    let budget = Budget::with_handle(handle, settings.deadline);
    let start = Instant::now();
    let mut cx =
        Cx::new(&mut store, &budget).watched_by(settings.observer.as_deref(), "preprocessing");
    let prepared = preprocess(&mut cx, input.system(), settings, observe);
    let (system, back) =
        prepared.map_err(|why| Failure { stopped: Some(why), ..Failure::default() })?;
    let times = Times { preprocessing: start.elapsed(), ..Times::default() };
    let field = Field {
        store: Arc::new(store),
        system: Arc::new(system),
        options: settings.options.clone(),
        handle: StopHandle::default(),
        deadline: settings.deadline,
        observer: settings.observer.clone(),
    };
    let observer = settings.observer.as_deref();
    let failure = Failure::default();
    let result = Judge { input, back, times, budget, observer, failure, start }
        .hold(&field, settings, observe);
    field.handle.stop(GaveUp::Cancelled);
    result
}

fn preprocess(
    cx: &mut Cx<'_>,
    system: &ChcSystem,
    settings: &Settings,
    observe: &mut dyn FnMut(&Event<'_>),
) -> Outcome<(ChcSystem, Back)> {
    let (default, nothing);
    let pipeline = match &settings.preprocessing {
        Preprocessing::Default => {
            default = default_pipeline();
            &default
        }
        Preprocessing::Nothing => {
            nothing = Pipeline::new(vec![Box::new(Normalize)]);
            &nothing
        }
        Preprocessing::Passes(pipeline) => pipeline,
    };
    pipeline.run(cx, system.clone(), &mut |report| observe(&Event::Pass(report)))
}

/// Takes what the contenders bring and looks at it.
struct Judge<'j> {
    input: &'j HornInput<'j>,
    back: Back,
    times: Times,
    budget: Budget,
    observer: Option<&'j dyn Observer>,
    failure: Failure,
    start: Instant,
}

impl Judge<'_> {
    fn hold(
        mut self,
        field: &Field,
        settings: &Settings,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Solved, Failure> {
        let (home, arrivals) = channel();
        let schedule = if settings.engines.is_empty() {
            Schedule::default_for(Numbers::of(&field.store, &field.system), settings.threads)
        } else {
            Schedule::of(&settings.engines, settings.threads)
        };
        let mut relay = Relay::new(schedule);
        loop {
            relay.turn(field, &home, observe);
            if relay.schedule.is_over() {
                return Err(self.failure);
            }
            let arrival = arrivals.recv_timeout(relay.patience());
            let has_verdict = matches!(&arrival, Ok(Finish { outcome: Ok(_), .. }));
            if !has_verdict && let Err(why) = self.is_time() {
                field.handle.stop(why);
                self.failure.stopped = Some(why);
                take_leave(&arrivals, observe);
                return Err(self.failure);
            }
            let finish = match arrival {
                Ok(finish) => finish,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => unreachable!("we hold a sender ourselves"),
            };
            self.times.engine = relay.leave(finish.place);
            let model = match &finish.outcome {
                Ok(Verdict::Safe(model)) if settings.small_models => Some(model.clone()),
                _ => None,
            };
            if let Some(mut solved) = self.judge(finish, observe) {
                field.handle.stop(GaveUp::Cancelled);
                if let Some(model) = model {
                    self.shorten(&mut solved, field, &model, observe);
                }
                return Ok(solved);
            }
        }
    }
    /// The budget looks at the clock only now and then; here every look counts.
    fn is_time(&self) -> Outcome<()> {
        (0..64).try_for_each(|_| self.budget.check())
    }
    fn judge(&mut self, finish: Finish, observe: &mut dyn FnMut(&Event<'_>)) -> Option<Solved> {
        let Finish { info, mut store, outcome, figures, panic, .. } = finish;
        let verdict = match outcome {
            Ok(verdict) => verdict,
            Err(GaveUp::Wrong(objection)) => return self.reject(info.name, objection, observe),
            Err(why) => {
                match &panic {
                    Some(message) => observe(&Event::Panicked(info.name, message)),
                    None => observe(&Event::Stop(info.name, why.to_string(), &figures)),
                }
                let text = panic.unwrap_or_else(|| why.to_string());
                self.failure.engines.retain(|(name, _)| *name != info.name);
                self.failure.engines.push((info.name, text));
                return None;
            }
        };
        // A witness of the wrong shape may break its translation; that is an objection like any other.
        let certified = catch_unwind(AssertUnwindSafe(|| self.certify(&mut store, verdict)))
            .unwrap_or_else(|payload| Ok(Err(panic_text(&*payload))));
        match certified {
            Ok(Ok(certified)) => {
                let times = self.times;
                Some(Solved { certified, store, engine: info.name, times, figures })
            }
            Ok(Err(objection)) => self.reject(info.name, &objection, observe),
            Err(GaveUp::Wrong(objection)) => self.reject(info.name, objection, observe),
            Err(why) => {
                self.failure
                    .engines
                    .push((info.name, format!("the witness could not be finished: {why}")));
                None
            }
        }
    }
    /// Tells of a wrong claim.
    fn reject(
        &mut self,
        engine: &'static str,
        objection: &str,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Option<Solved> {
        observe(&Event::Rejected(engine, objection));
        self.failure.rejected.push(format!("{engine}: {objection}"));
        None
    }
    /// Replaces the model by a smaller one, if one is found in time and is certified.
    fn shorten(
        &mut self,
        solved: &mut Solved,
        field: &Field,
        model: &Interpretation,
        observe: &mut dyn FnMut(&Event<'_>),
    ) {
        let start = Instant::now();
        let Solved { store, certified, times, .. } = solved;
        let end = small::end(self.start, times.validation, field.deadline);
        let budget = Budget::nested(&StopHandle::default(), &self.budget.stop_handle(), Some(end));
        let smaller = catch_unwind(AssertUnwindSafe(|| {
            let mut cx = Cx::new(store, &budget).watched_by(self.observer, SMALL_MODELS);
            let Some(model) = small::smaller_model(&mut cx, &field.system, model)? else {
                return Ok(None);
            };
            self.certify(store, Verdict::Safe(model)).map(Some)
        }));
        match smaller {
            Ok(Ok(Some(Ok(smaller)))) => *certified = smaller,
            Ok(Ok(Some(Err(objection)))) => observe(&Event::Rejected(SMALL_MODELS, &objection)),
            Ok(Ok(None) | Err(_)) => (),
            Err(payload) => observe(&Event::Panicked(SMALL_MODELS, &panic_text(&*payload))),
        }
        times.translation += start.elapsed();
    }
    fn certify(
        &mut self,
        store: &mut TermStore,
        verdict: Verdict<ChcSystem>,
    ) -> Outcome<Result<Certified, String>> {
        let mut cx = Cx::new(store, &self.budget).watched_by(self.observer, "translation");
        let start = Instant::now();
        let verdict = match verdict {
            Verdict::Safe(model) => Verdict::Safe(self.back.model(&mut cx, model)?),
            Verdict::Unsafe(refutation) => {
                Verdict::Unsafe(self.back.refutation(&mut cx, refutation)?)
            }
        };
        self.times.translation = start.elapsed();
        let start = Instant::now();
        let mut cx = cx.watched_by(self.observer, "validation");
        let checked = validate(&mut cx, self.input, verdict)?;
        self.times.validation = start.elapsed();
        Ok(checked.map_err(|objection| objection.describe(cx.store, self.input)))
    }
}

/// Hears those who stop at once, for what they counted.
fn take_leave(arrivals: &Receiver<Finish>, observe: &mut dyn FnMut(&Event<'_>)) {
    let end = Instant::now() + GRACE;
    while let Ok(finish) = arrivals.recv_timeout(end.saturating_duration_since(Instant::now())) {
        if let Finish { info, outcome: Err(why), figures, .. } = finish {
            observe(&Event::Stop(info.name, why.to_string(), &figures));
        }
    }
}
