//! The command lines of `submit`, `worker`, `collect` and `cluster`.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use shofar_bench::positive_seconds;

use crate::access::HubArguments;
use crate::failure::{Failure, failures};
use crate::message::{MOST_ATTEMPTS, MOST_SEATS};
use crate::priority::Priority;
use crate::rows::Format;

/// What `shofar submit --help` says at its end.
pub(crate) const SUBMIT_HELP: &str = "\
The journal is the ledger: it names every problem before the hub knows of it, and `shofar collect`
writes the results into it. Problems that are in it already are not submitted twice.

Examples:
  shofar submit suites --timeout 60 --hub nats://head:4222 --journal night.jsonl
  shofar submit hard.smt2 --seats 4 --timeout 3600 --options \"--check-proofs\"
  shofar submit urgent.smt2 --priority high
  shofar submit --retry timeout,memout --timeout 600 --journal night.jsonl

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
Without, it prints the results of all submitters that are on the hub, until the queue is empty.

Examples:
  shofar collect --hub nats://head:4222 --journal night.jsonl > results.jsonl
  shofar collect --journal night.jsonl --format csv > results.csv
  shofar collect --journal night.jsonl --retry worker-lost,rejected-witness
  shofar collect --journal night.jsonl --now --hub nats://head:4222

Exit status: 0, 1 if a result was rejected, 2 if it could not be done, 130 after Ctrl-C.";

/// What `shofar cancel --help` says at its end.
pub(crate) const CANCEL_HELP: &str = "\
Workers that are solving a cancelled problem stop; its result is `withdrawn`. The journal may be in use by
`shofar collect`, which receives that as the result.

Example:
  shofar cancel hard.smt2 --journal night.jsonl --hub nats://head:4222

Exit status: 0, also if a result came first, or 2 if it could not be done.";

/// What to submit.
#[derive(Debug, Args)]
#[command(after_help = SUBMIT_HELP)]
pub struct SubmitArguments {
    /// Files, folders with problems, or lists of files as for `shofar bench`.
    #[arg(value_name = "FILES|SUITE", required_unless_present = "retry", conflicts_with = "retry")]
    pub(crate) sources: Vec<PathBuf>,
    /// Only this suite (may be given several times).
    #[arg(long, value_name = "NAME")]
    pub(crate) suite: Vec<String>,
    /// Submit the problems of the journal again that have no verdict for one of these reasons:
    /// all, or some of unknown, timeout, memout, refused-input, error, rejected-witness,
    /// worker-lost, cancelled. Limits and options that are given replace theirs.
    #[arg(long, value_name = "FAILURES", value_parser = retried)]
    pub(crate) retry: Option<Failures>,
    /// Seconds for each problem [default: 60].
    #[arg(short, long, value_name = "SECONDS", value_parser = positive_seconds)]
    pub(crate) timeout: Option<f64>,
    /// Limit CPU seconds, and allow four times as much by the clock.
    #[arg(long)]
    pub(crate) cpu: bool,
    /// Megabytes for each problem.
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<NonZeroU64>,
    /// Options for solving, separated by blanks.
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub(crate) options: Option<String>,
    /// How many workers try a problem at the same time, each in its own way; the first verdict
    /// ends it [default: 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SEATS)))]
    pub(crate) seats: Option<u32>,
    /// How often a problem is given to a worker until it counts as crashed [default: 4].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_ATTEMPTS)))]
    pub(crate) attempts: Option<u32>,
    /// Which problems workers take first [default: normal].
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) priority: Option<Priority>,
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
    /// Seconds without a word after which a problem goes to another worker; counts when the queue
    /// is made.
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
    /// Cancel all that is open, and end; `shofar cancel` cancels one problem.
    #[arg(long, requires = "journal")]
    pub(crate) withdraw: bool,
    /// Submit the problems again first that have no verdict for one of these reasons, as
    /// `shofar submit --retry` does.
    #[arg(long, requires = "journal", conflicts_with = "withdraw", value_name = "FAILURES", value_parser = retried)]
    pub(crate) retry: Option<Failures>,
    /// How results are printed.
    #[arg(long, value_enum, default_value = "jsonl", value_name = "HOW")]
    pub(crate) format: Format,
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
    /// Serve a page about it, and /status.json, /health and /metrics, on this address; without a
    /// host, to this machine only.
    #[arg(long, value_name = "[HOST:]PORT", value_parser = web_address)]
    pub(crate) web: Option<WebAddress>,
    #[command(flatten)]
    pub(crate) hub: HubArguments,
}

/// Which problems to cancel.
#[derive(Debug, Args)]
#[command(after_help = CANCEL_HELP)]
pub struct CancelArguments {
    /// Files as the journal calls them, or names of jobs.
    #[arg(value_name = "FILE|JOB", required = true)]
    pub(crate) names: Vec<String>,
    /// The journal of what was submitted.
    #[arg(long, value_name = "FILE", default_value = "shofar.jsonl")]
    pub(crate) journal: PathBuf,
    #[command(flatten)]
    pub(crate) hub: HubArguments,
}

/// Which failures are retried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failures(pub(crate) Vec<Failure>);

fn retried(text: &str) -> Result<Failures, String> {
    failures(text).map(Failures)
}

/// Where a page is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WebAddress {
    /// What the user wrote in front of the port, if anything: a name or an address.
    pub host: Option<String>,
    /// The port.
    pub port: u16,
}

fn web_address(text: &str) -> Result<WebAddress, String> {
    let (host, port) = match text.rsplit_once(':') {
        None => (None, text),
        Some((host, port)) => (Some(host), port),
    };
    let usable = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    let is_host = |host: &str| !host.is_empty() && host.chars().all(usable);
    match (host, port.parse()) {
        (None, Ok(port)) => Ok(WebAddress { host: None, port }),
        (Some(host), Ok(port)) if is_host(host) => {
            Ok(WebAddress { host: Some(host.to_owned()), port })
        }
        (_, _) => Err("HOST:PORT or PORT is needed".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_for_this_machine_unless_a_host_is_given() {
        let of = |host: &str, port| WebAddress { host: Some(host.to_owned()), port };
        assert_eq!(web_address("8080"), Ok(WebAddress { host: None, port: 8080 }));
        assert_eq!(web_address("0.0.0.0:80"), Ok(of("0.0.0.0", 80)));
        assert_eq!(web_address("[::1]:80"), Ok(of("[::1]", 80)));
        assert_eq!(web_address("head:80"), Ok(of("head", 80)));
        for wrong in ["far", ":80", "a b:80", "head:http", "head:80000", "head/:80"] {
            assert!(web_address(wrong).is_err(), "{wrong}");
        }
    }
}
