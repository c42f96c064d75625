//! The cluster without a server: damaged messages, and whole runs on a hub that loses, doubles, delays and reorders.

mod damage;
mod hostile;
mod languages;
mod latency;
pub(crate) mod runs;
mod seats;
