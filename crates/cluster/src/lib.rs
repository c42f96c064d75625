//! Solving problems on many machines, through a NATS server.
//!
//! ```text
//! submitter ── job ──▶ queue ── job ──▶ worker ── process of shofar
//!     │                                   │
//!  journal ◀── validated ── results ◀─────┘
//! ```
//!
//! | file | what |
//! |---|---|
//! | `digest`, `message` | names by content; what travels, and its limits |
//! | `priority`, `failure`, `clock` | what is taken first; why there is no verdict; times in UTC |
//! | `hub` | what is asked of the hub |
//! | `nats`, `access` | the hub by a NATS server; how to get in |
//! | `blob` | texts on the hub |
//! | `patience` | trying again |
//! | `ledger` | the submitter's journal, which is what counts |
//! | `submit`, `collect`, `judge`, `verify` | jobs out, results in, nobody trusted |
//! | `retry`, `cancel`, `rows` | jobs once more; jobs taken back; results as text |
//! | `worker`, `solve`, `seats` | jobs in, results out |
//! | `options`, `reading` | how to solve, and how to read |
//! | `company`, `socket` | lemmas between those who work on one problem |
//! | `overview`, `tally`, `usage` | which workers are there, and what is done |
//! | `page`, `metrics` | the same for a browser, and for Prometheus |
//! | `remote` | suites over the cluster |
//! | `arguments`, `command` | the commands |
//!
//! Nothing is lost: a job is in the journal before it is in the queue, stays in the queue until its
//! result is stored, and the result is validated by whoever collects it. A worker that dies,
//! freezes or is cut off lets its lease run out; a hub that is restarted goes on with its files,
//! and one that has lost them gets the open jobs again. Jobs are named by their content, so what is
//! done twice is noticed. `docs/cluster.md` tells how to run it.
//!
//! Architecture invariant: the solver knows nothing of this crate, and `async` stays in `nats`.

mod access;
mod arguments;
mod blob;
mod cancel;
mod clock;
mod collect;
mod command;
mod company;
mod digest;
mod failure;
mod hub;
mod judge;
mod ledger;
#[cfg(test)]
mod memory;
mod message;
mod metrics;
mod nats;
mod options;
mod overview;
mod page;
mod patience;
mod priority;
mod reading;
mod remote;
mod retry;
mod rows;
mod seats;
mod socket;
mod solve;
mod submit;
mod tally;
mod usage;
mod verify;
mod worker;

#[cfg(test)]
mod tests;

pub use access::HubArguments;
pub use arguments::{
    CancelArguments, ClusterArguments, CollectArguments, SubmitArguments, WorkerArguments,
};
pub use command::{Collected, Shown, Surroundings, bench, cancel, collect, submit, watch, work};
pub use options::CommandLine;
pub use socket::relay_to;
pub use submit::ReadText;
