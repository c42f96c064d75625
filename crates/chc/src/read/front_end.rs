//! What a language of problems has to say about itself.
//!
//! The table of all front ends is in the crate `shofar`; `docs/adding-a-front-end.md` tells how a
//! row is added.
//!
//! A language may leave open how a text is to be understood, for instance whether numbers of a
//! program overflow. Such choices are [`ReadOption`]s of its row; what is chosen travels as
//! [`ReadOptions`], also to the validator, which reads the text again.

use std::fmt;

use shofar_base::Diagnostic;
use shofar_term::TermStore;

use super::{Form, HornProblem, read_horn_as};

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
    /// How texts are answered.
    pub texts: Texts,
    /// What they ask about a program.
    pub asks: Asks,
    /// What can be chosen about how texts are read.
    pub options: &'static [ReadOption],
    /// Reads a text: one problem for each question in it. The spans of the clauses lead back to
    /// the text.
    pub read: Reader,
}

/// How texts of a language are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// They are scripts: each command is answered before the next one is read.
    Script,
    /// They are read as a whole.
    Whole,
    /// They are read as a whole, but begin as scripts do, with a parenthesis, behind which they
    /// have this word.
    WholeAfter(&'static str),
}

/// What is asked about a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Property {
    /// That no query can be derived.
    #[default]
    Safety,
    /// That all runs end.
    Termination,
}

/// What texts of a language ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Safety only: the steps of a derivation are not those of runs.
    Safety,
    /// Safety, or termination for users who want to know that: the rules of the clauses are the
    /// steps of runs, one for one.
    Either,
    /// Termination only.
    Termination,
}

impl Asks {
    /// What is asked if nobody says otherwise.
    pub fn usual(self) -> Property {
        match self {
            Asks::Safety | Asks::Either => Property::Safety,
            Asks::Termination => Property::Termination,
        }
    }
    /// Whether this can be asked.
    pub fn includes(self, property: Property) -> bool {
        self == Asks::Either || property == self.usual()
    }
}

/// Turns a text into problems.
pub type Reader = fn(&[u8], &ReadOptions, &mut TermStore) -> Result<Vec<HornProblem>, Diagnostic>;

impl FrontEnd {
    /// What is chosen if nobody says anything.
    pub fn defaults(&self) -> ReadOptions {
        let first = |option: &ReadOption| (option.name, option.values[0]);
        ReadOptions { chosen: self.options.iter().map(first).collect(), form: Form::Solved }
    }
    /// The options with these values, and the others as usual.
    pub fn options_with(&self, given: &[(&str, &str)]) -> Result<ReadOptions, OptionError> {
        let mut options = self.defaults();
        for &(name, value) in given {
            let error = |choices| OptionError {
                option: name.to_owned(),
                value: value.to_owned(),
                language: self.name,
                choices,
            };
            let known = self.options.iter().find(|option| option.name == name);
            let known = known.ok_or_else(|| error(&[]))?;
            let chosen = known.values.iter().find(|choice| **choice == value);
            let chosen = chosen.ok_or_else(|| error(known.values))?;
            options.chosen.retain(|(other, _)| *other != name);
            options.chosen.push((known.name, chosen));
        }
        Ok(options)
    }
    /// Reads a text with all options as usual.
    pub fn read_plainly(
        &self,
        text: &[u8],
        store: &mut TermStore,
    ) -> Result<Vec<HornProblem>, Diagnostic> {
        (self.read)(text, &self.defaults(), store)
    }
}

/// Whether an option is a part of what is asked, and may come from another machine with the
/// problem.
///
/// Every declaration of an option says it, so a new option that names a file, or writes one, does
/// not become settable by strangers without a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionScope {
    /// A part of the question: it says how to read or to solve a problem, and names nothing on the
    /// machine. Jobs of a cluster may carry it.
    Job,
    /// For the command line of this machine only: files, limits, what is printed.
    Machine,
}

/// A choice about how texts of a language are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOption {
    /// Whether a job of a cluster may carry it.
    pub scope: OptionScope,
    /// Its name, as on the command line but without dashes.
    pub name: &'static str,
    /// What can be chosen; the first one is chosen if nobody says anything.
    pub values: &'static [&'static str],
    /// What it is about, in a line.
    pub about: &'static str,
}

/// Which property of a program the problem is about: `safety`, or `termination`, for which the
/// problem has the steps of the program, and no question.
pub const PROPERTY: ReadOption = ReadOption {
    scope: OptionScope::Job,
    name: "property",
    values: &["safety", "termination"],
    about: "what is asked about a program",
};

/// How a text is to be read: a value for every option of its language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    chosen: Vec<(&'static str, &'static str)>,
    form: Form,
}

impl ReadOptions {
    /// The same choices, and clauses in this form, if there is more than one form in the language.
    #[must_use]
    pub fn in_form(self, form: Form) -> Self {
        Self { form, ..self }
    }
    /// The form of the clauses.
    pub fn form(&self) -> Form {
        self.form
    }
    /// What is chosen for [`PROPERTY`], which the language declares.
    pub fn property(&self) -> Property {
        if self.get(PROPERTY.name) == PROPERTY.values[0] {
            Property::Safety
        } else {
            Property::Termination
        }
    }
    /// What is chosen for the option with this name, which the language declares.
    pub fn get(&self, name: &str) -> &'static str {
        let found = self.chosen.iter().find(|(known, _)| *known == name);
        found.expect("a reader asks for options that its row declares").1
    }
}

/// An option or a value of it that a language does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionError {
    /// The name of the option.
    pub option: String,
    /// What was to be chosen.
    pub value: String,
    /// The language.
    pub language: &'static str,
    /// What can be chosen; nothing if the language does not know the option.
    pub choices: &'static [&'static str],
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { option, value, language, choices } = self;
        if choices.is_empty() {
            return write!(f, "--{option} has no meaning for a text of the language {language}");
        }
        write!(f, "--{option} is one of {}, not {value}", choices.join(", "))
    }
}

impl std::error::Error for OptionError {}

/// SMT-LIB, with z3's rules and queries.
pub const SMT_LIB: FrontEnd = FrontEnd {
    name: "smt-lib",
    about: "SMT-LIB scripts of Horn clauses, also with the rules and queries of z3",
    extensions: &["smt2"],
    recognises: begins_with_a_command,
    texts: Texts::Script,
    asks: Asks::Either,
    options: &[],
    read: |text, options, store| {
        read_horn_as(options.form, text, store).map(|script| script.problems)
    },
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

    #[test]
    fn options_are_chosen_among_those_of_the_row() {
        const SIZE: ReadOption = ReadOption {
            scope: OptionScope::Job,
            name: "size",
            values: &["small", "large"],
            about: "how large",
        };
        let row = FrontEnd { options: &[SIZE, PROPERTY], ..SMT_LIB };
        assert_eq!(row.defaults().get("size"), "small");
        let chosen = row.options_with(&[("size", "large")]).unwrap();
        assert_eq!((chosen.get("size"), chosen.get("property")), ("large", "safety"));
        for (given, message) in [
            (("size", "huge"), "--size is one of small, large, not huge"),
            (("time", "int"), "--time has no meaning for a text of the language smt-lib"),
        ] {
            assert_eq!(row.options_with(&[given]).unwrap_err().to_string(), message);
        }
    }
}
