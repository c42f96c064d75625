//! Who runs when: every solver on every file, some at the same time.
//!
//! The solvers of a file run one after the other, beginning with another one for each file, so that
//! noise on the machine and warm caches fall on all of them alike. Workers take the next piece of
//! work as soon as they are free; results come back through a channel to one thread, which alone
//! writes.
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;

use shofar_base::{Map, Set};

use crate::command::NamedCommand;
use crate::process::{self, Ended, Limits, WALL_PER_CPU};
use crate::record::{Measure, Measured};
use crate::suite::Instance;

/// How often we look around while nothing ends.
const PAUSE: Duration = Duration::from_millis(50);
/// Seconds in which a solver that knows its limit may end by itself.
const GRACE: f64 = 1.0;

/// A run.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) instances: Vec<Instance>,
    pub(crate) solvers: Vec<NamedCommand>,
    /// This program.
    pub(crate) executable: PathBuf,
    pub(crate) timeout: f64,
    pub(crate) measure: Measure,
    /// Resident bytes.
    pub(crate) memory: Option<u64>,
    pub(crate) jobs: usize,
}

/// One solver on one file, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    instance: usize,
    solver: usize,
}

/// What happens while a plan is carried out.
#[derive(Debug)]
pub(crate) enum Event {
    /// A solver has ended.
    Result(Measured),
    /// Nothing, for a while.
    Pause,
}

/// What somebody else is asked to do: this program on every file.
#[derive(Clone, Debug)]
pub struct Errand {
    /// The files.
    pub instances: Vec<Instance>,
    /// Options for the program.
    pub options: Vec<String>,
    /// The limit on each file in seconds.
    pub timeout: f64,
    /// Which seconds.
    pub measure: Measure,
    /// The limit on memory in megabytes.
    pub memory: Option<u64>,
}

/// What is heard from elsewhere.
#[derive(Clone, Debug)]
pub enum News {
    /// How the program ended on a file, by its position.
    Result(usize, Ended),
    /// Nothing, for a while.
    Pause,
}

/// Somebody who runs this program on other machines.
pub trait Elsewhere {
    /// Runs an errand, and tells what comes of it, until everything is done or `interrupted` is
    /// set.
    fn run(
        &self,
        errand: &Errand,
        interrupted: &AtomicBool,
        tell: &mut dyn FnMut(News) -> Result<(), String>,
    ) -> Result<(), String>;
}

impl Plan {
    /// What is left to do, in order.
    pub(crate) fn pieces(&self, done: &[Measured]) -> Vec<Piece> {
        let key = |solver: &str, suite: &str, file: &str| {
            (solver.to_owned(), suite.to_owned(), file.to_owned())
        };
        let done: Set<_> = done.iter().map(|r| key(&r.solver, &r.suite, &r.file)).collect();
        let mut pieces = Vec::new();
        for (number, instance) in self.instances.iter().enumerate() {
            for turn in 0..self.solvers.len() {
                let solver = (number + turn) % self.solvers.len();
                let name = &self.solvers[solver].name;
                if !done.contains(&key(name, &instance.suite, &instance.name)) {
                    pieces.push(Piece { instance: number, solver });
                }
            }
        }
        pieces
    }

    /// Carries the pieces out and tells `observe` what happens. If that fails, or a solver cannot
    /// be started, or `interrupted` is set, all solvers are ended; what they would have found
    /// is lost.
    pub(crate) fn carry_out(
        &self,
        pieces: &[Piece],
        interrupted: &AtomicBool,
        mut observe: impl FnMut(Event) -> Result<(), String>,
    ) -> Result<(), String> {
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let (mut started, mut missing) = (0_usize, None);
            for _ in 0..self.jobs.min(pieces.len()) {
                let (sender, next, stop) = (sender.clone(), &next, &stop);
                let thread = std::thread::Builder::new().name("solving".to_owned());
                let work = move || self.work(pieces, next, stop, &sender);
                match thread.spawn_scoped(scope, work) {
                    Ok(_) => started += 1,
                    // Those that have one carry out the pieces of the others, too.
                    Err(error) => missing = Some(error),
                }
            }
            drop(sender);
            let mut outcome = match missing {
                Some(error) if started == 0 => Err(format!("no thread can be started: {error}")),
                Some(_) | None => Ok(()),
            };
            loop {
                let event = match receiver.recv_timeout(PAUSE) {
                    Ok(result) => result.map(Event::Result),
                    Err(RecvTimeoutError::Timeout) => Ok(Event::Pause),
                    Err(RecvTimeoutError::Disconnected) => return outcome,
                };
                outcome = outcome.and(event.and_then(&mut observe));
                if outcome.is_err() || interrupted.load(Ordering::SeqCst) {
                    stop.store(true, Ordering::SeqCst);
                }
            }
        })
    }

    /// Has the pieces carried out by somebody else, who runs this program only.
    pub(crate) fn carry_out_elsewhere(
        &self,
        pieces: &[Piece],
        elsewhere: &dyn Elsewhere,
        options: Vec<String>,
        interrupted: &AtomicBool,
        mut observe: impl FnMut(Event) -> Result<(), String>,
    ) -> Result<(), String> {
        let instance = |piece: &Piece| self.instances[piece.instance].clone();
        let errand = Errand {
            instances: pieces.iter().map(instance).collect(),
            options,
            timeout: self.timeout,
            measure: self.measure,
            memory: self.memory.map(|bytes| bytes >> 20),
        };
        elsewhere.run(&errand, interrupted, &mut |news| match news {
            News::Pause => observe(Event::Pause),
            News::Result(place, ended) => {
                observe(Event::Result(self.measured(pieces[place], ended)))
            }
        })
    }

    /// Takes pieces until none is left.
    fn work(
        &self,
        pieces: &[Piece],
        next: &AtomicUsize,
        stop: &AtomicBool,
        sender: &Sender<Result<Measured, String>>,
    ) {
        while !stop.load(Ordering::SeqCst)
            && let Some(&piece) = pieces.get(next.fetch_add(1, Ordering::SeqCst))
            && let Some(result) = self.measure(piece, stop).transpose()
        {
            // The receiver listens until all workers have ended.
            let _ = sender.send(result);
        }
    }

    /// Runs a solver on a file; `None` if it was stopped.
    fn measure(&self, piece: Piece, stop: &AtomicBool) -> Result<Option<Measured>, String> {
        let instance = &self.instances[piece.instance];
        let solver = &self.solvers[piece.solver];
        let told = match self.measure {
            Measure::Wall => self.timeout,
            Measure::Cpu => self.timeout * WALL_PER_CPU,
        };
        let limits = Limits {
            seconds: self.timeout,
            measure: self.measure,
            grace: if solver.knows_limit() { GRACE } else { 0.0 },
            memory: self.memory,
        };
        let words = solver.instantiate(&self.executable, &instance.path, told);
        let ended = process::run(&words, limits, stop).map_err(|error| {
            format!("{}: cannot run `{}`: {error}", solver.name, words.join(" "))
        })?;
        Ok(ended.map(|ended| self.measured(piece, ended)))
    }
    fn measured(&self, piece: Piece, ended: Ended) -> Measured {
        let instance = &self.instances[piece.instance];
        Measured {
            solver: self.solvers[piece.solver].name.clone(),
            suite: instance.suite.clone(),
            file: instance.name.clone(),
            expected: instance.expected,
            answer: ended.answer,
            wall: ended.wall,
            cpu: ended.cpu,
            exit: ended.exit,
            message: ended.message,
        }
    }

    /// The results on the files of this plan by its solvers, in its order.
    pub(crate) fn arrange(&self, results: Vec<Measured>) -> Vec<Measured> {
        let numbered = self.instances.iter().enumerate();
        let places: Map<(&str, &str), usize> =
            numbered.map(|(number, i)| ((i.suite.as_str(), i.name.as_str()), number)).collect();
        let mut placed: Vec<((usize, usize), Measured)> = Vec::with_capacity(results.len());
        for result in results {
            let instance = places.get(&(result.suite.as_str(), result.file.as_str()));
            let solver = self.solvers.iter().position(|s| s.name == result.solver);
            if let (Some(&instance), Some(solver)) = (instance, solver) {
                // The list may know better by now than when the result was made.
                let expected = self.instances[instance].expected;
                placed.push(((instance, solver), Measured { expected, ..result }));
            }
        }
        placed.sort_by_key(|(place, _)| *place);
        placed.into_iter().map(|(_, result)| result).collect()
    }
}
