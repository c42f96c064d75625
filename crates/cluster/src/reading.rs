//! How the text of a job is read, and what is asked about it.
//!
//! Some languages leave open how a text is to be understood, for instance whether the numbers of a
//! program overflow. What was chosen travels among the options of a job, so that the worker solves,
//! and whoever collects validates, the same clauses.
//!
//! What is asked is safety. Whether all runs end is refused, before anything is submitted: the
//! evidence for it is told to people, and nobody could validate again what a worker says.

use std::sync::Arc;

use shofar::chc::read::{HornProblem, PROPERTY};
use shofar::check::InputText;
use shofar::term::TermStore;
use shofar::{Diagnostic, FRONT_ENDS, FrontEnd, Property, ReadOptions};

/// Why some questions are refused.
const TERMINATION: &str = "whether all runs end is decided on this machine only, by `shofar FILE`: \
    what a worker says about it could not be validated again";

/// How a text is read.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    language: &'static FrontEnd,
    options: ReadOptions,
}

impl Reading {
    /// How texts of a language are read with these options of the solver, each one a word.
    pub(crate) fn new(language: &str, options: &[String]) -> Result<Self, String> {
        let known = FRONT_ENDS.iter().find(|known| known.name == language);
        let language = known.ok_or_else(|| format!("the language {language} is not known here"))?;
        let mut given = Vec::new();
        let mut property = language.asks.usual();
        for word in options {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            match name.strip_prefix("--").filter(|name| is_about_reading(name)) {
                None => {}
                Some(name) if name != PROPERTY.name => given.push((name, value)),
                Some(_) if value == PROPERTY.values[0] => {}
                Some(_) => property = Property::Termination,
            }
        }
        match property {
            Property::Safety => {}
            Property::Termination => return Err(TERMINATION.to_owned()),
        }
        let options = language.options_with(&given).map_err(|error| error.to_string())?;
        Ok(Self { language, options })
    }
    /// Where a question of a text, counted from 0, can be read again.
    pub(crate) fn input(&self, text: &Arc<[u8]>, question: usize) -> InputText {
        InputText::of(self.language, &self.options, text, question)
    }
    /// The extension of files of the language.
    pub(crate) fn extension(&self) -> &'static str {
        self.language.extensions[0]
    }
    /// The problems of all questions of a text.
    pub(crate) fn problems(
        &self,
        text: &[u8],
        store: &mut TermStore,
    ) -> Result<Vec<HornProblem>, Diagnostic> {
        (self.language.read)(text, &self.options, store)
    }
}

/// Whether an option with this name, without dashes, says how texts of some language are read, or
/// what is asked.
pub(crate) fn is_about_reading(name: &str) -> bool {
    let mut options = FRONT_ENDS.iter().flat_map(|row| row.options);
    name == PROPERTY.name || options.any(|option| option.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(language: &str, options: &[&str]) -> Result<Reading, String> {
        let options: Vec<String> = options.iter().map(|&word| word.to_owned()).collect();
        Reading::new(language, &options)
    }

    #[test]
    fn every_option_of_a_language_is_known() {
        for row in FRONT_ENDS.iter().filter(|row| row.asks.usual() == Property::Safety) {
            assert_eq!(read(row.name, &["--seed=3"]).unwrap().extension(), row.extensions[0]);
            for option in row.options.iter().filter(|option| option.name != PROPERTY.name) {
                for value in option.values {
                    let word = format!("--{}={value}", option.name);
                    let reading = read(row.name, &[&word]).unwrap();
                    assert_eq!(reading.options.get(option.name), *value);
                }
                for wrong in [format!("--{}", option.name), format!("--{}=x", option.name)] {
                    assert!(read(row.name, &[&wrong]).is_err(), "{wrong}");
                }
            }
        }
    }

    #[test]
    fn options_of_other_languages_are_refused() {
        let why = read("smt-lib", &["--c-arith=int"]).unwrap_err();
        assert!(why.contains("--c-arith has no meaning"), "{why}");
        assert!(read("latin", &[]).unwrap_err().contains("latin"));
    }

    #[test]
    fn termination_is_refused() {
        assert!(read("smt-lib", &["--property=safety"]).is_ok());
        for row in FRONT_ENDS {
            let why = read(row.name, &["--property=termination"]).unwrap_err();
            assert!(why.contains("whether all runs end"), "{why}");
        }
        for row in FRONT_ENDS.iter().filter(|row| row.asks.usual() == Property::Termination) {
            assert!(read(row.name, &["--property=safety"]).is_err(), "{}", row.name);
        }
    }
}
