//! The line that tells a person how far the work is: time, memory, which engines are at work and
//! where they are.
//!
//! It is shown if standard error is a terminal and nothing is logged there. A thread of its own
//! draws it a few times a second, so that it moves while an engine is busy; what is told in between
//! costs a lock that is nearly always free. Invariant: between [`Progress::end`] and
//! [`Progress::begin`] no line is drawn, and none is on the terminal.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use shofar::Event;
use shofar_term::{Observer, Question, Stage};

use crate::dump::Dump;
use crate::limits::resident;
use crate::output::Channel;

/// How often the line is drawn.
const PERIOD: Duration = Duration::from_millis(250);
/// What is done sooner has no line.
const PATIENCE: Duration = Duration::from_millis(400);
/// Drawing needs little room.
const STACK: usize = 256 << 10;

/// The line, or nothing if it cannot be seen.
#[derive(Clone)]
pub(crate) struct Progress(Option<Arc<Shared>>);

/// What tells and what draws have in common.
struct Shared {
    errors: Channel,
    /// When the run began, and when it has to end.
    start: Instant,
    deadline: Option<Instant>,
    /// The limit on memory in bytes.
    memory: Option<u64>,
    work: Mutex<Option<Work>>,
    /// Held while the line is drawn, so that engines never wait for the terminal.
    pen: Mutex<()>,
}

/// What is being done.
struct Work {
    since: Instant,
    /// When the question has to be answered, if it has a limit of its own.
    deadline: Option<Instant>,
    /// What is done before engines work, or without them.
    what: String,
    /// A level of abstraction.
    level: Option<&'static str>,
    engines: Vec<Engine>,
}

/// An engine, and where it was last.
struct Engine {
    name: &'static str,
    stage: String,
    works: bool,
}

impl Progress {
    /// A line on `errors` for a run that began at `start`, unless it cannot be seen.
    pub(crate) fn new(
        errors: &Channel,
        start: Instant,
        deadline: Option<Instant>,
        memory: Option<u64>,
    ) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::none();
        }
        let errors = errors.clone();
        let shared =
            Shared { errors, start, deadline, memory, work: Mutex::new(None), pen: Mutex::new(()) };
        let shared = Arc::new(shared);
        let drawn = Arc::downgrade(&shared);
        let thread = std::thread::Builder::new().name("progress".to_owned()).stack_size(STACK);
        // Without a thread there is no line.
        match thread.spawn(move || draw(&drawn)) {
            Ok(_) => Self(Some(shared)),
            Err(_) => Self::none(),
        }
    }
    /// No line.
    pub(crate) fn none() -> Self {
        Self(None)
    }
    /// Whether there is a line.
    pub(crate) fn is_shown(&self) -> bool {
        self.0.is_some()
    }
    /// Says that `what` is being done now, which has to be done before `deadline`.
    pub(crate) fn begin(&self, what: &str, deadline: Option<Instant>) {
        if let Some(shared) = &self.0 {
            let (since, what) = (Instant::now(), what.to_owned());
            let engines = Vec::new();
            *shared.work() = Some(Work { since, deadline, what, level: None, engines });
        }
    }
    /// Says that it is done, and removes the line.
    pub(crate) fn end(&self) {
        if let Some(shared) = &self.0 {
            *shared.work() = None;
            let _pen = shared.pen();
            shared.errors.clear_line();
        }
    }
    /// Takes note of what the portfolio tells.
    pub(crate) fn follow(&self, event: &Event) {
        let Some(shared) = &self.0 else { return };
        if let Some(work) = &mut *shared.work() {
            work.follow(event);
        }
    }
    /// Takes note of where an engine is.
    fn reached(&self, who: &str, stage: Stage) {
        let Some(shared) = &self.0 else { return };
        let mut work = shared.work();
        let mut engines = work.iter_mut().flat_map(|work| &mut work.engines);
        if let Some(engine) = engines.find(|engine| engine.name == who) {
            engine.stage.clear();
            // Writing to a string cannot fail.
            let _ = write!(engine.stage, "{stage}");
        }
    }
}

/// Draws the line until nothing can be told any more.
fn draw(shared: &Weak<Shared>) {
    loop {
        std::thread::sleep(PERIOD);
        let Some(shared) = shared.upgrade() else { return };
        // Whoever ends the work waits for the pen, so nothing is drawn behind the end.
        let _pen = shared.pen();
        if let Some(line) = shared.line(Instant::now()) {
            shared.errors.show_line(&line);
        }
    }
}

impl Shared {
    fn work(&self) -> MutexGuard<'_, Option<Work>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn pen(&self) -> MutexGuard<'_, ()> {
        self.pen.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// What is drawn now, if something takes long enough.
    fn line(&self, now: Instant) -> Option<String> {
        let work = self.work();
        let told = work.as_ref().filter(|work| now >= work.since + PATIENCE)?;
        Some(told.line(self, now, resident()))
    }
}

impl Work {
    fn follow(&mut self, event: &Event) {
        match event {
            Event::Pass(report) => self.what = format!("preprocessing, {} done", report.name),
            Event::Start(name, _) => self.engine(name).works = true,
            Event::Pause(name) => self.engine(name).works = false,
            Event::Found(name) => {
                "checks its witness".clone_into(&mut self.engine(name).stage);
            }
            Event::Stop(name, ..) | Event::Panicked(name, _) | Event::Rejected(name, _) => {
                self.engines.retain(|engine| engine.name != *name);
            }
            Event::Misled(name, _) => "begins anew".clone_into(&mut self.engine(name).stage),
            Event::LevelBegins(name) => self.level = Some(*name),
            Event::LevelEnded(..) | Event::NoThread(_) | Event::Hints(..) | Event::Exchanged(_) => {
            }
        }
    }
    /// The engine of this name; the one that was told of last comes last.
    fn engine(&mut self, name: &'static str) -> &mut Engine {
        let at = self.engines.iter().position(|engine| engine.name == name);
        let at = at.unwrap_or_else(|| {
            self.engines.push(Engine { name, stage: String::new(), works: false });
            self.engines.len() - 1
        });
        &mut self.engines[at]
    }
    fn line(&self, shared: &Shared, now: Instant, memory: Option<u64>) -> String {
        // A limit of the question counts from its beginning, that of the run from the start.
        let (since, deadline) = match (self.deadline, shared.deadline) {
            (Some(own), all) if all.is_none_or(|all| own < all) => (self.since, Some(own)),
            (_, all) => (shared.start, all),
        };
        let mut line = clock(now.saturating_duration_since(since));
        if let Some(deadline) = deadline {
            let _ = write!(line, " of {}", clock(deadline.saturating_duration_since(since)));
        }
        if let Some(memory) = memory {
            let limit = shared.memory.map_or(String::new(), |limit| format!(" of {}", limit >> 20));
            let _ = write!(line, ", {}{limit} MB", memory >> 20);
        }
        let working: Vec<&Engine> = self.engines.iter().filter(|engine| engine.works).collect();
        if working.is_empty() && !self.what.is_empty() {
            let _ = write!(line, " | {}", self.what);
        }
        if let Some(level) = self.level {
            let _ = write!(line, " | {level}");
        }
        for Engine { name, stage, .. } in working {
            let _ = write!(line, " | {name}");
            if !stage.is_empty() {
                let _ = write!(line, ": {stage}");
            }
        }
        line
    }
}

/// Minutes and seconds, with hours where there are any.
fn clock(time: Duration) -> String {
    let seconds = (time + Duration::from_millis(500)).as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        return format!("{hours}:{minutes:02}:{seconds:02}");
    }
    format!("{minutes}:{seconds:02}")
}

/// Hears of questions for `--dump-queries`, and of stages for the line.
pub(crate) struct Spectator {
    pub(crate) dump: Option<Arc<Dump>>,
    pub(crate) progress: Progress,
}

impl Observer for Spectator {
    fn wants_questions(&self) -> bool {
        self.dump.is_some()
    }
    fn asked(&self, who: &str, question: &Question<'_>) {
        if let Some(dump) = &self.dump {
            dump.asked(who, question);
        }
    }
    fn solved(&self, who: &str, script: &dyn Fn() -> String) {
        if let Some(dump) = &self.dump {
            dump.solved(who, script);
        }
    }
    fn reached(&self, who: &str, stage: Stage) {
        self.progress.reached(who, stage);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(deadline: Option<Duration>, memory: Option<u64>) -> Shared {
        let start = Instant::now();
        let deadline = deadline.map(|time| start + time);
        let (errors, work, pen) = (Channel::stderr(), Mutex::new(None), Mutex::new(()));
        Shared { errors, start, deadline, memory, work, pen }
    }
    fn work(since: Instant) -> Work {
        let what = "preprocessing".to_owned();
        Work { since, deadline: None, what, level: None, engines: Vec::new() }
    }

    #[test]
    fn the_line_tells_what_engines_do() {
        let shared = shared(Some(Duration::from_mins(1)), Some(1 << 30));
        let mut work = work(shared.start);
        let now = shared.start + Duration::from_secs(12);
        let line = |work: &Work| work.line(&shared, now, Some(85 << 20));
        assert_eq!(line(&work), "0:12 of 1:00, 85 of 1024 MB | preprocessing");
        work.follow(&Event::Start("spacer", None));
        work.follow(&Event::Start("bmc", Some(Duration::from_secs(1))));
        assert_eq!(line(&work), "0:12 of 1:00, 85 of 1024 MB | spacer | bmc");
        work.follow(&Event::Pause("bmc"));
        work.engine("spacer").stage = Stage::at("level", 12).with(340, "lemmas").to_string();
        let expected = "0:12 of 1:00, 85 of 1024 MB | spacer: level 12, 340 lemmas";
        assert_eq!(line(&work), expected);
        work.follow(&Event::LevelBegins("pairs"));
        work.follow(&Event::Found("spacer"));
        let expected = "0:12 of 1:00, 85 of 1024 MB | pairs | spacer: checks its witness";
        assert_eq!(line(&work), expected);
    }

    #[test]
    fn a_question_may_have_a_limit_of_its_own() {
        let shared = shared(Some(Duration::from_mins(90)), None);
        let mut work = work(shared.start + Duration::from_mins(61));
        let now = shared.start + Duration::from_secs(3665);
        assert_eq!(work.line(&shared, now, None), "1:01:05 of 1:30:00 | preprocessing");
        work.deadline = Some(work.since + Duration::from_secs(10));
        assert_eq!(work.line(&shared, now, None), "0:05 of 0:10 | preprocessing");
    }
}
