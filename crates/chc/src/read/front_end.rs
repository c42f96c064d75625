//! What a language of problems has to say about itself.
//!
//! The table of all front ends is in the crate `shofar`; `docs/adding-a-front-end.md` tells how a row is added.

use shofar_base::Diagnostic;
use shofar_term::TermStore;

use super::{HornProblem, read_horn};

/// A language that problems are written in.
#[derive(Clone, Copy, Debug)]
pub struct FrontEnd {
    /// What a user calls it.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// The extensions of its files, in lower case and without the dot.
    pub extensions: &'static [&'static str],
    /// Whether a text looks like one of this language; a look at its beginning is enough.
    pub recognises: fn(&[u8]) -> bool,
    /// Reads a text: one problem for each question in it. The spans of the clauses lead back to the text.
    pub read: fn(&[u8], &mut TermStore) -> Result<Vec<HornProblem>, Diagnostic>,
}

/// SMT-LIB, with z3's rules and queries.
pub const SMT_LIB: FrontEnd = FrontEnd {
    name: "smt-lib",
    about: "SMT-LIB scripts of Horn clauses, also with the rules and queries of z3",
    extensions: &["smt2"],
    recognises: begins_with_a_command,
    read: |text, store| read_horn(text, store).map(|script| script.problems),
};

/// Whether the first thing behind blanks and comments is a parenthesis.
fn begins_with_a_command(mut text: &[u8]) -> bool {
    loop {
        text = text.trim_ascii_start();
        match text {
            [b'(', ..] => return true,
            [b';', ..] => match text.iter().position(|&byte| byte == b'\n') {
                Some(end) => text = &text[end..],
                None => return false,
            },
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_begin_with_a_command() {
        for script in ["(check-sat)", " \n; (no)\n ;\n(set-logic HORN)"] {
            assert!((SMT_LIB.recognises)(script.as_bytes()), "{script}");
        }
        for other in ["", ";", "; (only a comment)", "start 0", "p(X) :- q(X)."] {
            assert!(!(SMT_LIB.recognises)(other.as_bytes()), "{other}");
        }
    }
}
