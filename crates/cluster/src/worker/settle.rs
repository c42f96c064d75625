//! What came of a job, as a report, and where it is stored.

use std::sync::atomic::Ordering;
use std::time::Duration;

use shofar_bench::{Answer, Ended, Printed};

use super::Worker;
use crate::blob;
use crate::clock;
use crate::digest::Digest;
use crate::hub::{Created, HubError, Store, Topic};
use crate::message::{
    Content, Ending, Job, LONGEST_ANSWER, LONGEST_LINE, LONGEST_STATISTICS, Record, Report, shorten,
};

/// How many packed bytes of an answer travel inside its report.
const INLINE: usize = 128 << 10;

impl Worker<'_> {
    /// A report of what a solver said.
    pub(super) fn report(
        &self,
        job: &Job,
        ended: Ended,
        printed: Printed,
        attempts: u32,
    ) -> Result<Report, HubError> {
        let Ended { answer, wall, cpu, exit, message } = ended;
        self.cpu.fetch_add(milliseconds(cpu), Ordering::Relaxed);
        let (answer, message, output) = if answer.is_verdict() && printed.is_cut {
            let why = format!("the witness is longer than {} MB", LONGEST_ANSWER >> 20);
            (Answer::Unknown, Some(why), Vec::new())
        } else if answer.is_verdict() {
            (answer, message, printed.output)
        } else {
            (answer, message, Vec::new())
        };
        let packed = blob::pack(&output);
        let output = if packed.len() <= INLINE {
            Content::Inline(packed)
        } else {
            Content::Stored(self.patience().with(|| blob::put(self.hub, &output))?)
        };
        Ok(Report {
            spec: job.spec.clone(),
            seat: job.seat,
            name: job.name.clone(),
            ending: Ending::Answered(answer),
            wall: milliseconds(wall),
            cpu: milliseconds(cpu),
            exit,
            message: message.map(|text| shorten(&text, LONGEST_LINE)),
            statistics: printed.statistics.map(|text| shorten(&text, LONGEST_STATISTICS)),
            worker: self.name.clone(),
            version: self.version.clone(),
            ended: clock::now(),
            attempts,
            output,
        })
    }
    /// Stores what came out: as the result of the job, or as the ending of one of its seats.
    pub(super) fn settle(
        &self,
        id: &Digest,
        report: &Report,
        mut record: Record,
    ) -> Result<(), HubError> {
        if report.spec.seats == 1 || report.ending.is_verdict() {
            return self.store(id, report);
        }
        record.ended = Some(report.clone());
        self.keep_record(id, report.seat, &record)?;
        let mut first = None;
        for seat in 0..report.spec.seats {
            match self.record(id, seat)?.ended {
                None => return Ok(()),
                Some(report) => first = first.or(Some(report)),
            }
        }
        self.store(id, first.as_ref().unwrap_or(report))
    }
    fn store(&self, id: &Digest, report: &Report) -> Result<(), HubError> {
        let bytes = report.encode();
        let create = || self.hub.create(Store::Results, id.as_str(), &bytes);
        match self.patience().with(create)? {
            Created::New => tracing::info!("{}: {}", report.name, report.ending.word()),
            Created::Exists => self.compare(id, report)?,
        }
        if report.spec.seats > 1 {
            // Who does not hear it finds the result when it is done.
            let _ = self.hub.tell(Topic::Cancel, id.as_str(), b"");
        }
        Ok(())
    }
    /// Somebody else was faster: the job was redelivered, or this is a second try of ours.
    fn compare(&self, id: &Digest, report: &Report) -> Result<(), HubError> {
        let stored = self.patience().with(|| self.hub.read(Store::Results, id.as_str()))?;
        let stored = stored.and_then(|bytes| Report::decode(&bytes).ok());
        let other = stored.filter(|stored| {
            let both = stored.ending.is_verdict() && report.ending.is_verdict();
            both && stored.ending != report.ending
        });
        if let Some(other) = other {
            tracing::error!(
                "{}: {} here, but {} by {}; whoever collects will see who is right",
                report.name,
                report.ending.word(),
                other.ending.word(),
                other.worker
            );
        }
        Ok(())
    }
}

fn milliseconds(seconds: f64) -> u64 {
    u64::try_from(Duration::try_from_secs_f64(seconds).unwrap_or_default().as_millis())
        .unwrap_or(u64::MAX)
}
