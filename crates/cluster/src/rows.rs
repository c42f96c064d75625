//! Results as lines of text: JSON, or comma-separated values for a spreadsheet.

use clap::ValueEnum;

use crate::failure::Failure;
use crate::ledger::Outcome;

/// The columns of a table of results.
const COLUMNS: [&str; 18] = [
    "suite", "file", "also", "answer", "failure", "wall", "cpu", "memory", "exit", "engine",
    "worker", "version", "ended", "seat", "attempts", "message", "witness", "job",
];

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A JSON object for each result, one a line.
    Jsonl,
    /// Comma-separated values with a line of column names first.
    Csv,
}

impl Format {
    /// What is printed before the first result.
    pub(crate) fn heading(self) -> Option<String> {
        match self {
            Format::Jsonl => None,
            Format::Csv => Some(COLUMNS.join(",")),
        }
    }
    /// The line of a result.
    pub(crate) fn line(self, outcome: &Outcome) -> Result<String, String> {
        match self {
            Format::Jsonl => serde_json::to_string(outcome).map_err(|error| error.to_string()),
            Format::Csv => Ok(cells(outcome).map(|cell| quoted(&cell)).join(",")),
        }
    }
}

/// The cells of a result, in the order of the columns.
fn cells(outcome: &Outcome) -> [String; COLUMNS.len()] {
    let text = |text: Option<&str>| harmless(text.unwrap_or_default());
    let number = |number: Option<String>| number.unwrap_or_default();
    let witness = outcome.witness.as_ref().map(|path| path.display().to_string());
    [
        text(Some(&outcome.suite)),
        text(Some(&outcome.file)),
        text(Some(&outcome.also.join(" "))),
        outcome.answer.clone(),
        outcome.failure.map_or("", Failure::word).to_owned(),
        format!("{:.3}", outcome.wall),
        format!("{:.3}", outcome.cpu),
        number(outcome.memory.map(|memory| memory.to_string())),
        number(outcome.exit.map(|exit| exit.to_string())),
        text(outcome.engine.as_deref()),
        text(Some(&outcome.worker)),
        text(Some(&outcome.version)),
        outcome.ended.clone(),
        outcome.seat.to_string(),
        outcome.attempts.to_string(),
        text(outcome.message.as_deref()),
        text(witness.as_deref()),
        outcome.job.to_string(),
    ]
}

/// A text that a spreadsheet does not take for a formula: texts come from workers, and from names
/// of files.
fn harmless(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

/// A cell as RFC 4180 writes it.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;

    fn outcome() -> Outcome {
        Outcome {
            job: Digest::of(b"x"),
            suite: "s".to_owned(),
            file: "a, \"b\".smt2".to_owned(),
            also: vec!["c".to_owned(), "d".to_owned()],
            answer: "failed".to_owned(),
            failure: Some(Failure::RefusedInput),
            wall: 0.25,
            cpu: 0.125,
            memory: Some(4096),
            exit: Some(2),
            message: Some("=HYPERLINK(\"x\")".to_owned()),
            engine: None,
            worker: "w".to_owned(),
            version: "1".to_owned(),
            ended: "2026-11-18T20:15:00.000Z".to_owned(),
            seat: 0,
            attempts: 1,
            witness: None,
            lemmas: None,
        }
    }

    #[test]
    fn a_table_has_a_cell_for_every_column() {
        let heading = Format::Csv.heading().unwrap();
        assert!(heading.starts_with("suite,file,also,answer,failure,"));
        let job = Digest::of(b"x");
        let expected = format!(
            "s,\"a, \"\"b\"\".smt2\",c d,failed,refused-input,0.250,0.125,4096,2,,w,1,\
             2026-11-18T20:15:00.000Z,0,1,\"'=HYPERLINK(\"\"x\"\")\",,{job}"
        );
        assert_eq!(Format::Csv.line(&outcome()).unwrap(), expected);
    }

    #[test]
    fn lines_of_json_are_read_again() {
        assert_eq!(Format::Jsonl.heading(), None);
        let line = Format::Jsonl.line(&outcome()).unwrap();
        assert!(line.contains("\"failure\":\"refused-input\""), "{line}");
        assert_eq!(serde_json::from_str::<Outcome>(&line).unwrap(), outcome());
    }
}
