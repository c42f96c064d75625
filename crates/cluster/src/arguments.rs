//! The command lines of `submit`, `worker`, `collect` and `cluster`.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use shofar_bench::positive_seconds;

use crate::access::HubArguments;
use crate::message::{MOST_ATTEMPTS, MOST_SEATS};

/// What `shofar submit --help` says at its end.
pub(crate) const SUBMIT_HELP: &str = "\
The journal is the ledger: it names every problem before the hub knows of it, and `shofar collect`
writes the results into it. Problems that are in it already are not submitted twice.

Examples:
  shofar submit suites --timeout 60 --hub nats://head:4222 --journal night.jsonl
  shofar submit hard.smt2 --seats 4 --timeout 3600 --options \"--check-proofs\"

Exit status: 0, or 2 if something could not be submitted; what is in the journal is submitted by
`shofar collect` then.";

/// What `shofar worker --help` says at its end.
pub(crate) const WORKER_HELP: &str = "\
Every problem is solved by a process of its own. A worker that is stopped by Ctrl-C or SIGTERM gives
back what it has not finished; one that is killed, frozen or cut off loses its problems to others when
their leases are over.

Example:
  shofar worker --hub nats://head:4222 --jobs 4 --memory 2000

Exit status: 0 after Ctrl-C or SIGTERM, 2 if the hub does not let it in.";

/// What `shofar collect --help` says at its end.
pub(crate) const COLLECT_HELP: &str = "\
Every verdict is validated against the clauses before it is printed. With --journal the command ends
when all problems of the journal have their results; it can be ended and started again at any time.
Without, it prints the results of everybody that are on the hub, until the queue is empty.

Examples:
  shofar collect --hub nats://head:4222 --journal night.jsonl > results.jsonl
  shofar collect --journal night.jsonl --now --hub nats://head:4222

Exit status: 0, 1 if a result was rejected, 2 if it could not be done, 130 after Ctrl-C.";

/// What to submit.
#[derive(Debug, Args)]
#[command(after_help = SUBMIT_HELP)]
pub struct SubmitArguments {
    /// Files, folders with problems, or lists of files as for `shofar bench`.
    #[arg(value_name = "FILES|SUITE", required = true)]
    pub(crate) sources: Vec<PathBuf>,
    /// Only this suite (may be given several times).
    #[arg(long, value_name = "NAME")]
    pub(crate) suite: Vec<String>,
    /// Seconds for each problem.
    #[arg(short, long, value_name = "SECONDS", default_value_t = 60.0, value_parser = positive_seconds)]
    pub(crate) timeout: f64,
    /// Limit CPU seconds, and allow four times as much by the clock.
    #[arg(long)]
    pub(crate) cpu: bool,
    /// Megabytes for each problem.
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<NonZeroU64>,
    /// Options for solving, separated by blanks.
    #[arg(long, value_name = "OPTIONS", default_value = "", allow_hyphen_values = true)]
    pub(crate) options: String,
    /// How many workers try a problem at the same time, each in its own way; the first verdict ends it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SEATS)))]
    pub(crate) seats: u32,
    /// How often a problem is given to a worker until it counts as crashed.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_ATTEMPTS)))]
    pub(crate) attempts: u32,
    /// The journal; it is continued if it exists.
    #[arg(long, value_name = "FILE", default_value = "shofar.jsonl")]
    pub(crate) journal: PathBuf,
    #[command(flatten)]
    pub(crate) hub: HubArguments,
    #[command(flatten)]
    pub(crate) lease: LeaseArguments,
}

/// How to work.
#[derive(Debug, Args)]
#[command(after_help = WORKER_HELP)]
pub struct WorkerArguments {
    /// How many problems are solved at the same time [default: half the processors].
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroU32>,
    /// Megabytes for all problems together.
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<NonZeroU64>,
    /// What this worker is called [default: the machine and the process].
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) hub: HubArguments,
    #[command(flatten)]
    pub(crate) lease: LeaseArguments,
}

/// How the queue is made by whoever comes first.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct LeaseArguments {
    /// Seconds without a word after which a problem goes to another worker; counts when the queue is made.
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = positive_seconds)]
    lease: f64,
}

impl Default for LeaseArguments {
    fn default() -> Self {
        Self { lease: 30.0 }
    }
}

impl LeaseArguments {
    /// The lease; no shorter than a busy machine needs for a word.
    pub(crate) fn duration(self) -> Duration {
        Duration::from_secs_f64(self.lease.max(1.0))
    }
}

/// What to collect.
#[derive(Debug, Args)]
#[command(after_help = COLLECT_HELP)]
pub struct CollectArguments {
    /// The journal of what was submitted.
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Take what is there, and wait for nothing.
    #[arg(long, requires = "journal")]
    pub(crate) now: bool,
    /// Nobody waits for what is open: take it off the queue.
    #[arg(long, requires = "journal")]
    pub(crate) withdraw: bool,
    /// The folder for witnesses.
    #[arg(long, value_name = "DIR", default_value = "witnesses")]
    pub(crate) witnesses: PathBuf,
    /// Seconds for the validation of a witness.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = positive_seconds)]
    pub(crate) check_timeout: f64,
    #[command(flatten)]
    pub(crate) hub: HubArguments,
}

/// What to show.
#[derive(Debug, Args)]
pub struct ClusterArguments {
    /// Print what there is as JSON, once.
    #[arg(long)]
    pub(crate) json: bool,
    /// Serve a page about it on this address; without a host, to this machine only.
    #[arg(long, value_name = "[HOST:]PORT", value_parser = address)]
    pub(crate) web: Option<SocketAddr>,
    #[command(flatten)]
    pub(crate) hub: HubArguments,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse::<u16>().ok().map(|port| SocketAddr::from(([127, 0, 0, 1], port)));
    port.or_else(|| text.parse().ok()).ok_or_else(|| "HOST:PORT or PORT is needed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_for_this_machine_unless_somebody_says_otherwise() {
        assert_eq!(address("8080").unwrap().to_string(), "127.0.0.1:8080");
        assert_eq!(address("0.0.0.0:80").unwrap().to_string(), "0.0.0.0:80");
        assert!(address("far").is_err());
    }
}
