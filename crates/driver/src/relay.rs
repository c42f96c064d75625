//! Engines that take turns.
//!
//! Carries out what the [`Schedule`] says: starts engines, pauses them when their slice has ended and lets them go on when
//! it is their turn again.

use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use shofar_base::StopHandle;

use crate::contest::{Field, Finish};
use crate::schedule::{Schedule, Turn};
use crate::solve::Event;

/// How often the main thread looks whether it has to stop.
const PERIOD: Duration = Duration::from_millis(10);

/// A turn that is being taken.
struct Working {
    turn: Turn,
    since: Instant,
}

/// Engines that take turns.
pub(crate) struct Relay {
    pub(crate) schedule: Schedule,
    working: Vec<Working>,
    /// What pauses the engine at a place; nothing if it has not begun.
    handles: Vec<Option<StopHandle>>,
    /// How long the engine at a place has worked in its turns that are over.
    worked: Vec<Duration>,
}

impl Relay {
    pub(crate) fn new(schedule: Schedule) -> Self {
        let places = schedule.places();
        Self {
            schedule,
            working: Vec::new(),
            handles: vec![None; places],
            worked: vec![Duration::ZERO; places],
        }
    }
    /// Ends the turns that are over and begins those that are due.
    pub(crate) fn turn(
        &mut self,
        field: &Field,
        home: &Sender<Finish>,
        observe: &mut dyn FnMut(&Event<'_>),
    ) {
        let now = Instant::now();
        while self.schedule.is_crowded()
            && let Some(index) = self.working.iter().position(|w| w.left(now).is_zero())
        {
            let over = self.working.swap_remove(index);
            let place = over.turn.place;
            self.worked[place] += now - over.since;
            if let Some(handle) = &self.handles[place] {
                handle.pause();
            }
            self.schedule.pause(place);
            self.begin(now, field, home, observe);
        }
        self.begin(now, field, home, observe);
    }
    fn begin(
        &mut self,
        now: Instant,
        field: &Field,
        home: &Sender<Finish>,
        observe: &mut dyn FnMut(&Event<'_>),
    ) {
        while let Some(turn) = self.schedule.next() {
            observe(&Event::Start(turn.info.name, turn.slice));
            if let Some(handle) = &self.handles[turn.place] {
                handle.resume();
            } else {
                let handle = field.start(turn.place, turn.info, home.clone());
                self.handles[turn.place] = Some(handle);
            }
            self.working.push(Working { turn, since: now });
        }
    }
    /// How long nothing happens by itself.
    pub(crate) fn patience(&self) -> Duration {
        let now = Instant::now();
        let next = self.working.iter().map(|w| w.left(now)).filter(|left| !left.is_zero()).min();
        next.map_or(PERIOD, |left| left.min(PERIOD))
    }
    /// The engine at this place has ended; how long it has worked.
    pub(crate) fn leave(&mut self, place: usize) -> Duration {
        self.schedule.leave(place);
        if let Some(index) = self.working.iter().position(|w| w.turn.place == place) {
            self.worked[place] += self.working.swap_remove(index).since.elapsed();
        }
        self.worked[place]
    }
}

impl Working {
    fn left(&self, now: Instant) -> Duration {
        let slice = self.turn.slice.unwrap_or(Duration::MAX);
        slice.saturating_sub(now.saturating_duration_since(self.since))
    }
}
