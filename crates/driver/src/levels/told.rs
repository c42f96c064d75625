//! Events that travel from the thread of a level to who asked the question.

use std::time::Duration;

use shofar_base::Statistics;
use shofar_transform::PassReport;

use crate::exchange::Traffic;
use crate::solve::Event;

/// An [`Event`] that borrows nothing.
pub(super) enum Told {
    Pass(PassReport),
    Start(&'static str, Option<Duration>),
    Pause(&'static str),
    Stop(&'static str, String, Statistics),
    Panicked(&'static str, String),
    Found(&'static str),
    NoThread(&'static str),
    Rejected(&'static str, String),
    Hints(usize, usize),
    Exchanged(Traffic),
    Misled(&'static str, String),
    LevelBegins(&'static str),
    LevelEnded(&'static str, String),
}

impl Told {
    pub(super) fn of(event: &Event<'_>) -> Self {
        match *event {
            Event::Pass(report) => Told::Pass(report.clone()),
            Event::Start(name, slice) => Told::Start(name, slice),
            Event::Pause(name) => Told::Pause(name),
            Event::Stop(name, ref why, statistics) => {
                Told::Stop(name, why.clone(), statistics.clone())
            }
            Event::Panicked(name, message) => Told::Panicked(name, message.to_owned()),
            Event::Found(name) => Told::Found(name),
            Event::NoThread(name) => Told::NoThread(name),
            Event::Rejected(name, why) => Told::Rejected(name, why.to_owned()),
            Event::Hints(given, left) => Told::Hints(given, left),
            Event::Exchanged(traffic) => Told::Exchanged(traffic.clone()),
            Event::Misled(name, why) => Told::Misled(name, why.to_owned()),
            Event::LevelBegins(name) => Told::LevelBegins(name),
            Event::LevelEnded(name, why) => Told::LevelEnded(name, why.to_owned()),
        }
    }
    pub(super) fn tell(&self, observe: &mut dyn FnMut(&Event<'_>)) {
        observe(&match self {
            Told::Pass(report) => Event::Pass(report),
            Told::Start(name, slice) => Event::Start(name, *slice),
            Told::Pause(name) => Event::Pause(name),
            Told::Stop(name, why, statistics) => Event::Stop(name, why.clone(), statistics),
            Told::Panicked(name, message) => Event::Panicked(name, message),
            Told::Found(name) => Event::Found(name),
            Told::NoThread(name) => Event::NoThread(name),
            Told::Rejected(name, why) => Event::Rejected(name, why),
            Told::Hints(given, left) => Event::Hints(*given, *left),
            Told::Exchanged(traffic) => Event::Exchanged(traffic),
            Told::Misled(name, why) => Event::Misled(name, why),
            Told::LevelBegins(name) => Event::LevelBegins(name),
            Told::LevelEnded(name, why) => Event::LevelEnded(name, why),
        });
    }
}
