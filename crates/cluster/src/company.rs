//! Those who work on other seats of a job: what a seat tells them, and what it hears of them.
//!
//! Lemmas go over a subject of the job to whoever listens; nothing is stored, and what gets lost
//! was help and no more. A seat that comes later says hello, and the others say once more what they
//! said last. What a lemma is only solvers know; here it is bytes, within limits. Who says wrong
//! things costs the time of finding that out: solvers believe nothing of it.
//!
//! | limit | why |
//! |---|---|
//! | [`LONGEST_LEMMA`] | what solvers send is much shorter |
//! | [`KEPT`], [`PAUSE`] | whoever says hello again and again gets few answers |

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use shofar_base::wire::{Reader, Wire, Writer};

use crate::digest::Digest;
use crate::hub::{Hub, HubError, Listener, Topic};
use crate::message::MOST_SEATS;

/// No lemma has more bytes.
pub(crate) const LONGEST_LEMMA: usize = 16 << 10;
/// So many lemmas of a seat are said again to those who come later.
const KEPT: usize = 200;
/// How long it takes until they are said again the next time.
const PAUSE: Duration = Duration::from_secs(1);

const LEMMA: &[u8] = b"shofar-lemma-1\n";

/// What a seat says to the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Which seat.
    pub seat: u32,
    /// What it says.
    pub says: Says,
}

/// What is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// Somebody has come, and would like to know what was said before.
    Hello,
    /// Something that a solver found out.
    Lemma(Vec<u8>),
}

impl Word {
    /// The bytes to be sent.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::new(LEMMA);
        out.number(self.seat.into());
        match &self.says {
            Says::Hello => out.byte(0),
            Says::Lemma(lemma) => {
                out.byte(1);
                out.block(lemma);
            }
        }
        out.finish()
    }
    /// Reads what [`encode`](Self::encode) wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Wire<Self> {
        let bytes = &mut Reader::new(bytes, LEMMA)?;
        let seat = u32::try_from(bytes.number()?).ok().filter(|&seat| seat < MOST_SEATS);
        let seat = seat.ok_or_else(|| bytes.error("there is no such seat"))?;
        let says = match bytes.byte()? {
            0 => Says::Hello,
            1 => {
                let lemma = bytes.block()?;
                bytes.require(lemma.len() <= LONGEST_LEMMA, "a lemma is too long")?;
                Says::Lemma(lemma.to_owned())
            }
            _ => return Err(bytes.error("an unknown word")),
        };
        bytes.end()?;
        Ok(Self { seat, says })
    }
}

/// A seat among others.
pub(crate) struct Company<'c> {
    hub: &'c dyn Hub,
    job: Digest,
    seat: u32,
    listener: Mutex<Box<dyn Listener>>,
    said: Mutex<Spoken>,
}

/// What a seat has said.
#[derive(Default)]
struct Spoken {
    /// The last lemmas.
    last: VecDeque<Vec<u8>>,
    /// When they were said again.
    repeated: Option<Instant>,
    /// Whether somebody has come since.
    is_asked: bool,
}

impl<'c> Company<'c> {
    /// Takes a seat, and says hello.
    pub(crate) fn join(hub: &'c dyn Hub, job: &Digest, seat: u32) -> Result<Self, HubError> {
        let listener = Mutex::new(hub.follow(Topic::Lemma, job.as_str())?);
        let company = Self { hub, job: job.clone(), seat, listener, said: Mutex::default() };
        company.tell(Says::Hello);
        Ok(company)
    }
    /// Tells the others of a lemma.
    pub(crate) fn say(&self, lemma: Vec<u8>) {
        if lemma.len() > LONGEST_LEMMA {
            return;
        }
        let mut said = self.said();
        if said.last.len() == KEPT {
            said.last.pop_front();
        }
        said.last.push_back(lemma.clone());
        drop(said);
        self.tell(Says::Lemma(lemma));
    }
    /// The next lemma of another seat, if there is one within this time; who has come later is
    /// answered meanwhile.
    pub(crate) fn hear(&self, wait: Duration) -> Option<Vec<u8>> {
        self.repeat();
        let next = self.listener.lock().unwrap_or_else(PoisonError::into_inner).next(wait);
        let (_, bytes) = next?;
        // A line for each message of somebody who sends nonsense would be a log of nonsense.
        let word = Word::decode(&bytes)
            .inspect_err(|why| tracing::debug!("a word of another seat is not understood: {why}"));
        match word.ok().filter(|word| word.seat != self.seat)?.says {
            Says::Hello => {
                self.said().is_asked = true;
                None
            }
            Says::Lemma(lemma) => Some(lemma),
        }
    }
    /// Says again what was said, if somebody has come since the last time.
    fn repeat(&self) {
        let mut said = self.said();
        if !said.is_asked || said.repeated.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        (said.is_asked, said.repeated) = (false, Some(Instant::now()));
        let lemmas: Vec<Vec<u8>> = said.last.iter().cloned().collect();
        drop(said);
        for lemma in lemmas {
            self.tell(Says::Lemma(lemma));
        }
    }
    fn tell(&self, says: Says) {
        let word = Word { seat: self.seat, says };
        // Who does not hear it finds it out himself, or does not.
        let _ = self.hub.tell(Topic::Lemma, self.job.as_str(), &word.encode());
    }
    /// Lemmas are pushed whole, so a thread that panicked did no harm.
    fn said(&self) -> MutexGuard<'_, Spoken> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    /// All that a seat hears now.
    fn heard(company: &Company<'_>) -> Vec<Vec<u8>> {
        (0..600).filter_map(|_| company.hear(Duration::ZERO)).collect()
    }

    #[test]
    fn seats_hear_each_other_and_not_themselves() {
        let (hub, job) = (Memory::new(), Digest::of(b"job"));
        let one = Company::join(&hub, &job, 0).unwrap();
        let two = Company::join(&hub, &job, 1).unwrap();
        let other = Company::join(&hub, &Digest::of(b"another"), 2).unwrap();
        one.say(b"a".to_vec());
        two.say(b"b".to_vec());
        one.say(vec![0; LONGEST_LEMMA + 1]);
        hub.tell(Topic::Lemma, job.as_str(), b"nonsense").unwrap();
        // The first one hears the hello of the second, and says everything again.
        assert_eq!(heard(&one), [b"b"]);
        assert_eq!(heard(&two), [b"a", b"a"]);
        assert!(heard(&other).is_empty());
    }

    #[test]
    fn who_comes_late_is_told_what_was_said() {
        let (hub, job) = (Memory::new(), Digest::of(b"job"));
        let one = Company::join(&hub, &job, 0).unwrap();
        for number in 0..=255 {
            one.say(vec![number]);
        }
        let late = Company::join(&hub, &job, 1).unwrap();
        assert!(heard(&late).is_empty());
        assert!(heard(&one).is_empty());
        let last: Vec<Vec<u8>> = (56..=255).map(|number| vec![number]).collect();
        assert_eq!(heard(&late), last);
        // Whoever says hello again and again is answered once.
        for _ in 0..100 {
            late.tell(Says::Hello);
        }
        assert!(heard(&one).is_empty());
        assert!(heard(&late).is_empty());
    }

    #[test]
    fn words_come_back_and_others_are_refused() {
        for says in [Says::Hello, Says::Lemma(Vec::new()), Says::Lemma(vec![7; LONGEST_LEMMA])] {
            let word = Word { seat: 63, says };
            let bytes = word.encode();
            assert_eq!(Word::decode(&bytes), Ok(word));
            for end in 0..bytes.len().min(40) {
                assert!(Word::decode(&bytes[..end]).is_err());
            }
            assert!(Word::decode(&[bytes.as_slice(), &[0]].concat()).is_err());
        }
        let long = Word { seat: 0, says: Says::Lemma(vec![7; LONGEST_LEMMA + 1]) };
        assert!(Word::decode(&long.encode()).is_err());
        assert!(Word::decode(&Word { seat: 64, says: Says::Hello }.encode()).is_err());
    }
}
