//! What is told while the work goes on.

use std::time::Duration;

use shofar_base::Statistics;
use shofar_transform::PassReport;

use crate::exchange::Traffic;

/// Something worth telling while the work goes on. Events own what they tell, so they travel from
/// threads to the caller as they are.
#[derive(Clone, Debug)]
pub enum Event {
    /// A pass is done.
    Pass(PassReport),
    /// An engine gets a time slice; nothing is no limit.
    Start(&'static str, Option<Duration>),
    /// The time slice of an engine is over.
    Pause(&'static str),
    /// An engine has ended without a verdict; this is why, and what it counted.
    Stop(&'static str, String, Statistics),
    /// An engine, or a pass of a level, has failed with this message; a bug.
    Panicked(&'static str, String),
    /// An engine has found a witness, which is translated back and validated now.
    Found(&'static str),
    /// The system gives us no thread for this engine or level; it works in the calling one.
    NoThread(&'static str),
    /// A witness did not pass.
    Rejected(&'static str, String),
    /// How many hints were given, and how many are about the clauses that the engines get.
    Hints(usize, usize),
    /// What an engine found after it heard others did not pass, for this reason; it began anew
    /// without them.
    Misled(&'static str, String),
    /// What one engine got from another one.
    Exchanged(Traffic),
    /// A level of abstraction begins.
    LevelBegins(&'static str),
    /// A level of abstraction has ended without a verdict; this is why.
    LevelEnded(&'static str, String),
}
