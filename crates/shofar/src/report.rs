//! What was done to answer a question, and how long it took.

use std::borrow::Cow;
use std::time::Duration;

use shofar_base::Statistics;
use shofar_base::wire::{Reader, Wire, Writer};
use shofar_driver::{Event, Solved, Times, Traffic};

/// Times and counts of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The engine whose answer it is.
    pub engine: Option<String>,
    /// The level of abstraction at which it found the answer, where there are several.
    pub level: Option<String>,
    /// How many levels had begun.
    pub levels: u32,
    /// How long the whole took.
    pub total: Duration,
    /// How long the parts took that led to the answer.
    pub times: Times,
    /// How long each pass took, all its rounds together.
    pub passes: Vec<(String, Duration)>,
    /// How many time slices engines had.
    pub slices: u32,
    /// What the engine counted.
    pub counts: Statistics,
    /// What engines got from each other.
    pub traffic: Vec<Traffic>,
    /// What the text itself had to say about the verdict, if its language has a way to find out.
    pub confirmation: Option<String>,
}

impl Report {
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::Pass(report) => {
                match self.passes.iter_mut().find(|(name, _)| *name == report.name) {
                    Some((_, sum)) => *sum += report.time,
                    None => self.passes.push((report.name.to_owned(), report.time)),
                }
            }
            Event::Start(..) => self.slices += 1,
            Event::LevelBegins(_) => self.levels += 1,
            Event::Exchanged(traffic) => self.traffic.push(traffic.clone()),
            Event::Pause(_)
            | Event::Stop(..)
            | Event::Panicked(..)
            | Event::Rejected(..)
            | Event::Found(_)
            | Event::Misled(..)
            | Event::LevelEnded(..)
            | Event::Hints(..)
            | Event::NoThread(_) => (),
        }
    }
    pub(crate) fn solved(&mut self, solved: &Solved) {
        self.engine = Some(solved.engine.to_owned());
        self.level = solved.level.map(str::to_owned);
        self.times = solved.times;
        self.counts.clone_from(&solved.statistics);
    }
    /// Writes the report for another process.
    pub fn write(&self, out: &mut Writer) {
        for name in [&self.engine, &self.level] {
            out.text(name.as_deref().unwrap_or_default());
        }
        out.number(self.levels.into());
        let Times { preprocessing, engine, translation, validation } = self.times;
        for time in [self.total, preprocessing, engine, translation, validation] {
            write_time(out, time);
        }
        out.length(self.passes.len());
        for (name, time) in &self.passes {
            out.text(name);
            write_time(out, *time);
        }
        out.number(self.slices.into());
        self.counts.write(out);
        out.length(self.traffic.len());
        for Traffic { from, to, sent, taken, used } in &self.traffic {
            out.text(from);
            out.text(to);
            for count in [sent, taken, used] {
                out.number(*count);
            }
        }
        out.text(self.confirmation.as_deref().unwrap_or_default());
    }
    /// Reads what [`write`](Self::write) wrote.
    pub fn read(bytes: &mut Reader<'_>) -> Wire<Self> {
        let mut name = || -> Wire<Option<String>> {
            Ok(Some(bytes.text()?.to_owned()).filter(|name| !name.is_empty()))
        };
        let (engine, level) = (name()?, name()?);
        let levels = read_count(bytes)?;
        let total = read_time(bytes)?;
        let times = Times {
            preprocessing: read_time(bytes)?,
            engine: read_time(bytes)?,
            translation: read_time(bytes)?,
            validation: read_time(bytes)?,
        };
        let passes = (0..bytes.length()?)
            .map(|_| Ok((bytes.text()?.to_owned(), read_time(bytes)?)))
            .collect::<Wire<_>>()?;
        let slices = read_count(bytes)?;
        let counts = Statistics::read(bytes)?;
        let traffic = (0..bytes.length()?).map(|_| read_traffic(bytes)).collect::<Wire<_>>()?;
        let confirmation = Some(bytes.text()?.to_owned()).filter(|said| !said.is_empty());
        Ok(Self {
            engine,
            level,
            levels,
            total,
            times,
            passes,
            slices,
            counts,
            traffic,
            confirmation,
        })
    }
}

fn read_traffic(bytes: &mut Reader<'_>) -> Wire<Traffic> {
    let mut name = || Ok(Cow::Owned(bytes.text()?.to_owned()));
    let (from, to) = (name()?, name()?);
    Ok(Traffic { from, to, sent: bytes.number()?, taken: bytes.number()?, used: bytes.number()? })
}

/// In nanoseconds.
fn write_time(out: &mut Writer, time: Duration) {
    out.number(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
}

fn read_count(bytes: &mut Reader<'_>) -> Wire<u32> {
    u32::try_from(bytes.number()?).map_err(|_| bytes.error("a number is too large"))
}

fn read_time(bytes: &mut Reader<'_>) -> Wire<Duration> {
    bytes.number().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_come_back() {
        let report = Report {
            engine: Some("spacer".to_owned()),
            level: Some("cells".to_owned()),
            levels: 3,
            total: Duration::from_micros(1_234_567),
            times: Times { engine: Duration::from_millis(3), ..Times::default() },
            passes: vec![("slice".to_owned(), Duration::from_nanos(5))],
            slices: 7,
            counts: [("lemmas", 12), ("levels", 3)].into_iter().collect(),
            traffic: vec![Traffic {
                from: "spacer".into(),
                to: "pa".into(),
                sent: 300,
                taken: 2,
                used: 1,
            }],
            confirmation: Some("confirmed: it was run".to_owned()),
        };
        let mut out = Writer::new(b"");
        report.write(&mut out);
        let bytes = out.finish();
        let read = |bytes| {
            let mut reader = Reader::new(bytes, b"")?;
            let report = Report::read(&mut reader)?;
            reader.end().map(|()| report)
        };
        assert_eq!(read(&bytes), Ok(report));
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_err());
        }
    }
}
