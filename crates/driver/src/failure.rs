//! Why there is no verdict, in the words of who asked.

use std::time::Duration;

use shofar_base::GaveUp;
use shofar_base::wire::{Reader, Wire, Writer};
use shofar_engine::{ENGINES, EngineInfo, Fragment};

/// Why there is no verdict.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// What ended the work, if it was ended.
    pub stopped: Option<GaveUp>,
    /// What each engine that ended by itself said.
    pub engines: Vec<(String, String)>,
    /// Witnesses that did not pass; each is a bug.
    pub rejected: Vec<String>,
    /// Whether a clause of the simplified problem has several predicates in its body.
    pub is_nonlinear: bool,
    /// How long it took.
    pub time: Duration,
}

impl Failure {
    /// The failure of work that ended before the engines began; a wrong claim is no reason to give
    /// up, but a bug.
    pub(crate) fn before_engines(why: GaveUp, time: Duration) -> Self {
        match why {
            GaveUp::Wrong(what) => {
                Self { rejected: vec![format!("preprocessing: {what}")], time, ..Self::default() }
            }
            GaveUp::Timeout
            | GaveUp::Memory
            | GaveUp::Cancelled
            | GaveUp::Unsupported(_)
            | GaveUp::Incomplete(_) => Self { stopped: Some(why), time, ..Self::default() },
        }
    }
    /// Adds the failure of a level of abstraction, or of the only view of the clauses.
    pub(crate) fn add(&mut self, other: Self, level: Option<&'static str>) {
        let Some(level) = level else {
            self.rejected.extend(other.rejected);
            self.engines.extend(other.engines);
            self.stopped = self.stopped.take().or(other.stopped);
            return;
        };
        self.rejected.extend(other.rejected.into_iter().map(|why| format!("{level}: {why}")));
        let engines = other.engines.into_iter();
        self.engines.extend(engines.map(|(engine, why)| (format!("{engine} ({level})"), why)));
        if let Some(why) = other.stopped {
            self.engines.push((level.to_owned(), why.to_string()));
        }
    }
    /// The reason in a line: the word of SMT-LIB first, then what it means for this problem.
    pub fn reason(&self) -> String {
        let mut parts = vec![self.headline()];
        if self.is_nonlinear {
            parts.push(nonlinear());
        }
        // An engine that noticed the limit before anybody else has nothing to add.
        let stopped = self.stopped.as_ref().map(GaveUp::to_string);
        let others = self.engines.iter().filter(|(_, why)| Some(why) != stopped.as_ref());
        parts.extend(others.map(|(name, why)| format!("{name} gave up: {why}")));
        parts.join("; ")
    }
    fn headline(&self) -> String {
        let seconds = self.time.as_secs_f64();
        match &self.stopped {
            Some(why @ GaveUp::Timeout) => format!("{why}: no engine finished in {seconds:.1} s"),
            Some(why @ GaveUp::Memory) => {
                format!("{why}: the memory limit was reached after {seconds:.1} s")
            }
            Some(why @ GaveUp::Cancelled) => format!("{why} after {seconds:.1} s"),
            Some(why @ (GaveUp::Unsupported(_) | GaveUp::Incomplete(_) | GaveUp::Wrong(_))) => {
                why.to_string()
            }
            None if self.rejected.is_empty() => "incomplete: no engine decides it".to_owned(),
            None => "a witness did not pass its check".to_owned(),
        }
    }
    /// One of the words that SMT-LIB has for `:reason-unknown`.
    pub fn word(&self) -> &'static str {
        match self.stopped {
            Some(GaveUp::Timeout) => "timeout",
            Some(GaveUp::Memory) => "memout",
            Some(GaveUp::Cancelled) => "cancelled",
            Some(GaveUp::Unsupported(_) | GaveUp::Incomplete(_) | GaveUp::Wrong(_)) | None => {
                "incomplete"
            }
        }
    }
}

impl Failure {
    /// Writes it for another process.
    pub fn write(&self, out: &mut Writer) {
        out.byte(self.stopped.is_some().into());
        if let Some(why) = &self.stopped {
            why.write(out);
        }
        out.length(self.engines.len());
        for (name, said) in &self.engines {
            out.text(name);
            out.text(said);
        }
        out.length(self.rejected.len());
        for rejected in &self.rejected {
            out.text(rejected);
        }
        out.byte(self.is_nonlinear.into());
        out.number(u64::try_from(self.time.as_nanos()).unwrap_or(u64::MAX));
    }
    /// Reads what [`write`](Self::write) wrote.
    pub fn read(bytes: &mut Reader<'_>) -> Wire<Self> {
        let stopped = if flag(bytes)? { Some(GaveUp::read(bytes)?) } else { None };
        let engines = (0..bytes.length()?)
            .map(|_| Ok((bytes.text()?.to_owned(), bytes.text()?.to_owned())))
            .collect::<Wire<_>>()?;
        let rejected =
            (0..bytes.length()?).map(|_| bytes.text().map(str::to_owned)).collect::<Wire<_>>()?;
        let is_nonlinear = flag(bytes)?;
        let time = Duration::from_nanos(bytes.number()?);
        Ok(Self { stopped, engines, rejected, is_nonlinear, time })
    }
}

fn flag(bytes: &mut Reader<'_>) -> Wire<bool> {
    match bytes.byte()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(bytes.error("neither true nor false")),
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason())
    }
}

impl std::error::Error for Failure {}

/// Who is left where clauses are nonlinear.
fn nonlinear() -> String {
    let any = |info: &&EngineInfo| info.fragment == Fragment::Any;
    let names: Vec<&str> = ENGINES.iter().filter(any).map(|info| info.name).collect();
    let (last, others) = names.split_last().expect("some engine understands any clauses");
    format!("the clauses are nonlinear, to which only {} and {last} apply", others.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_about_the_problem() {
        let failure = Failure {
            stopped: Some(GaveUp::Timeout),
            is_nonlinear: true,
            engines: vec![("spacer".to_owned(), "timeout".to_owned())],
            time: Duration::from_secs(5),
            ..Failure::default()
        };
        assert_eq!(
            failure.reason(),
            "timeout: no engine finished in 5.0 s; \
             the clauses are nonlinear, to which only spacer, bmc, pa and houdini apply"
        );
        assert_eq!(failure.word(), "timeout");
        let failure = Failure {
            engines: vec![("kind".to_owned(), "incomplete: k is too large".to_owned())],
            ..Failure::default()
        };
        assert!(failure.reason().ends_with("kind gave up: incomplete: k is too large"));
        assert_eq!(failure.word(), "incomplete");
    }
}
