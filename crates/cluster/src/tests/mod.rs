//! The cluster without a server: damaged messages, and whole runs on a hub that loses, doubles,
//! delays and reorders.

pub(crate) mod damage;
mod hostile;
mod jobs;
mod languages;
mod latency;
pub(crate) mod runs;
mod seats;
