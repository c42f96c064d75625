//! What pictures say about clauses: a short name to be shown, and the text of the clause for those
//! who point at it.
//!
//! A clause is called as the user named its assertion or rule, else by its number, which is the one
//! that refutations use. Its text is what the user wrote; an assertion that stands for several
//! clauses is the text of all of them.

use std::fmt::Write as _;

use shofar_base::{Idx, IndexVec};
use shofar_chc::ClauseId;
use shofar_chc::print::Lines;
use shofar_chc::read::HornProblem;

/// More characters of one clause are not shown.
const LONGEST_TEXT: usize = 600;
/// After so many characters about several clauses, the rest are counted only.
const LONGEST_LIST: usize = 1500;
/// The names of more clauses are counted only.
const NAMES_SHOWN: usize = 4;

/// Names and texts of the clauses of a problem.
#[derive(Clone, Debug, Default)]
pub struct Captions {
    captions: IndexVec<ClauseId, ClauseCaption>,
}

#[derive(Clone, Debug, Default)]
struct ClauseCaption {
    name: Option<String>,
    line: Option<usize>,
    text: Option<String>,
}

impl Captions {
    /// The captions of the clauses of `problem`, which was read from `text`.
    pub fn new(problem: &HornProblem, text: &[u8]) -> Self {
        let lines = Lines::new(problem, text);
        let caption = |(id, &origin): (ClauseId, &usize)| {
            let assertion = &problem.assertions[origin];
            let written = text.get(assertion.span.start..assertion.span.end);
            ClauseCaption {
                name: assertion.name.clone(),
                line: lines.of(id),
                text: written.map(beginning),
            }
        };
        let clauses = problem.system.clauses().map(|(id, _)| id);
        Self { captions: clauses.zip(&problem.origin).map(caption).collect() }
    }
    /// Nothing is known but the numbers.
    pub fn unknown() -> Self {
        Self::default()
    }
    /// What clauses drawn as one are called.
    pub(crate) fn label(&self, clauses: &[ClauseId]) -> String {
        let mut names: Vec<String> = Vec::new();
        for &clause in clauses {
            let named = self.of(clause).and_then(|caption| caption.name.clone());
            let name = named.unwrap_or_else(|| clause.index().to_string());
            // Clauses of one assertion follow each other.
            if names.last() != Some(&name) {
                names.push(name);
            }
            if names.len() > NAMES_SHOWN {
                return format!("{}, … ({})", names[..NAMES_SHOWN].join(", "), clauses.len());
            }
        }
        names.join(", ")
    }
    /// What is known about clauses drawn as one.
    pub(crate) fn about(&self, clauses: &[ClauseId]) -> String {
        let mut about = String::new();
        for (told, &clause) in clauses.iter().enumerate() {
            if about.len() > LONGEST_LIST {
                let _ = write!(about, "\n… and {} more", clauses.len() - told);
                break;
            }
            if told > 0 {
                about.push('\n');
            }
            about.push_str(&self.tell(clause));
        }
        about
    }
    fn tell(&self, clause: ClauseId) -> String {
        let mut told = format!("clause {}", clause.index());
        let Some(ClauseCaption { name, line, text }) = self.of(clause) else { return told };
        if let Some(line) = line {
            let _ = write!(told, ", line {line}");
        }
        if let Some(name) = name {
            let _ = write!(told, ", {name}");
        }
        if let Some(text) = text {
            let _ = write!(told, ":\n{text}");
        }
        told
    }
    fn of(&self, clause: ClauseId) -> Option<&ClauseCaption> {
        self.captions.get(clause)
    }
}

/// The beginning of a text, without reading the rest of it.
fn beginning(text: &[u8]) -> String {
    // A character has at most four bytes.
    let enough = &text[..text.len().min(4 * LONGEST_TEXT)];
    let decoded = String::from_utf8_lossy(enough);
    if enough.len() == text.len() && decoded.chars().count() <= LONGEST_TEXT {
        return decoded.into_owned();
    }
    decoded.chars().take(LONGEST_TEXT).chain(" …".chars()).collect()
}

/// A name of at most `longest` characters. What is left out is in the middle, because generated
/// names often differ at their ends.
pub(crate) fn shortened(name: &str, longest: usize) -> String {
    let count = name.chars().count();
    if count <= longest {
        return name.to_owned();
    }
    let tail = (longest - 1) / 2;
    let head = longest - 1 - tail;
    let mut short: String = name.chars().take(head).collect();
    short.push('…');
    short.extend(name.chars().skip(count - tail));
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_chc::read::read_horn;
    use shofar_term::TermStore;

    #[test]
    fn clauses_are_called_as_the_user_calls_them() {
        let text = b"(set-logic HORN)\n(declare-fun p (Int) Bool)\n\
            (assert (! (p 0) :named start))\n\
            (assert (forall ((x Int)) (=> (p x) (and (p (+ x 1)) (p (- x 1))))))\n(check-sat)";
        let mut store = TermStore::new();
        let script = read_horn(text, &mut store).unwrap();
        let captions = Captions::new(&script.problems[0], text);
        let clause = ClauseId::from_index;
        assert_eq!(captions.label(&[clause(0)]), "start");
        assert_eq!(captions.label(&[clause(1), clause(2)]), "1, 2");
        let about = captions.about(&[clause(0)]);
        assert_eq!(about, "clause 0, line 3, start:\n(assert (! (p 0) :named start))");
        assert!(captions.about(&[clause(1)]).starts_with("clause 1, line 4:\n(assert (forall"));
    }

    #[test]
    fn much_is_cut() {
        assert_eq!(shortened("abcdefghij", 10), "abcdefghij");
        assert_eq!(shortened("abcdefghijk", 10), "abcde…hijk");
        assert_eq!(shortened("äöüäöüäöüäö", 4), "äö…ö");
        let long = "é".repeat(1_000_000);
        assert_eq!(beginning(long.as_bytes()).chars().count(), LONGEST_TEXT + 2);
        let clauses: Vec<ClauseId> = (0..1000).map(ClauseId::from_index).collect();
        assert_eq!(Captions::unknown().label(&clauses), "0, 1, 2, 3, … (1000)");
        let about = Captions::unknown().about(&clauses);
        assert!(about.len() < 2 * LONGEST_LIST && about.contains(" more"), "{about}");
    }
}
