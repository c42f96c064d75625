//! Which options a job of a cluster may carry.
//!
//! Every option says it by an explicit [`OptionScope`]: those of engines and of languages beside
//! their declaration, those of this program in the table below. An option that says nothing is
//! refused; a test fails as well then.
//!
//! Invariant: an option that names a file, limits resources or says what is printed is not of the
//! scope of a job, because jobs come from other machines.

use shofar::FRONT_ENDS;
use shofar_cluster::CommandLine;
use shofar_engine::{OptionScope, option_groups};

use crate::command_line::parse_words;
use crate::spelling;

/// The options of solving that belong to no engine and to no language.
const GENERAL: &[(&str, OptionScope)] = &[
    ("property", OptionScope::Job),
    ("engine", OptionScope::Job),
    ("threads", OptionScope::Job),
    ("share", OptionScope::Job),
    ("steps-per-ms", OptionScope::Job),
    ("seed", OptionScope::Job),
    ("check-proofs", OptionScope::Job),
    ("hints", OptionScope::Machine),
    ("no-preprocess", OptionScope::Job),
    ("passes", OptionScope::Job),
    ("timeout", OptionScope::Machine),
    ("query-timeout", OptionScope::Machine),
    ("cpu-timeout", OptionScope::Machine),
    ("memory", OptionScope::Machine),
    ("witness", OptionScope::Machine),
    ("core", OptionScope::Machine),
    ("stats", OptionScope::Machine),
    ("dump-queries", OptionScope::Machine),
    ("dump-recursion-free", OptionScope::Machine),
    ("verbose", OptionScope::Machine),
    ("leash", OptionScope::Machine),
    ("relay", OptionScope::Machine),
];

/// The options that a job may carry.
pub(crate) struct JobOptions {
    /// Their names, without dashes.
    names: Vec<&'static str>,
    version: String,
}

impl JobOptions {
    /// Those of this program, whose `version` decides whether results of others are its own.
    pub(crate) fn new(version: &str) -> Self {
        let travels = |(name, scope): (&'static str, OptionScope)| match scope {
            OptionScope::Job => Some(name),
            OptionScope::Machine => None,
        };
        Self { names: declared().filter_map(travels).collect(), version: version.to_owned() }
    }
}

/// Every option of solving, with its scope.
fn declared() -> impl Iterator<Item = (&'static str, OptionScope)> {
    let engines = option_groups().flat_map(|group| group.options);
    let languages = FRONT_ENDS.iter().flat_map(|row| row.options);
    GENERAL
        .iter()
        .copied()
        .chain(engines.map(|option| (option.name, option.scope)))
        .chain(languages.map(|option| (option.name, option.scope)))
}

impl CommandLine for JobOptions {
    fn is_about_solving(&self, word: &str) -> bool {
        let name = word.strip_prefix("--").map(|word| word.split('=').next().unwrap_or_default());
        name.is_some_and(|name| self.names.contains(&name))
    }
    fn nearest(&self, word: &str) -> Option<String> {
        let name = word.strip_prefix("--")?.split('=').next()?;
        spelling::nearest(name, &self.names).map(|near| format!("--{near}"))
    }
    fn objection(&self, options: &[String]) -> Option<String> {
        let words = ["shofar"].into_iter().chain(options.iter().map(String::as_str));
        let words = words.chain(["problem.smt2"]).map(Into::into).collect();
        let error = parse_words(words).err()?.to_string();
        let line = error.lines().next().unwrap_or_default();
        Some(line.strip_prefix("error: ").unwrap_or(line).to_owned())
    }
    fn version(&self) -> &str {
        &self.version
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory as _;

    use super::*;
    use crate::arguments::Arguments;

    #[test]
    fn only_options_about_solving_travel() {
        let options = JobOptions::new("1");
        for word in [
            "--engine=kind",
            "--seed=3",
            "--threads=1",
            "--check-proofs",
            "--passes=slice",
            "--pdkind-depth=2",
            "--c-arith=int",
            "--encode=og",
            "--time=int",
            "--property=safety",
        ] {
            assert!(options.is_about_solving(word), "{word}");
        }
        for word in [
            "--dump-queries=/tmp",
            "--hints=/etc/passwd",
            "--timeout=9",
            "--memory=9",
            "--witness",
            "--leash",
            "--relay=/tmp/socket",
            "--no-such-option",
            "--help",
            "-v",
            "file",
            "--",
            "",
        ] {
            assert!(!options.is_about_solving(word), "{word}");
        }
        assert_eq!(options.nearest("--pdkind-dept=2").as_deref(), Some("--pdkind-depth"));
        assert_eq!(options.nearest("--witness=full"), None);
    }

    /// A new option needs a scope before anything compiles or passes.
    #[test]
    fn every_option_has_a_scope_and_every_scope_an_option() {
        let command = Arguments::command();
        let known: BTreeSet<&str> =
            command.get_arguments().filter_map(clap::Arg::get_long).collect();
        let declared: BTreeSet<&str> = declared().map(|(name, _)| name).collect();
        assert_eq!(declared, known);
        let general: BTreeSet<&str> = GENERAL.iter().map(|(name, _)| *name).collect();
        assert_eq!(general.len(), GENERAL.len(), "an option is in the table twice");
    }

    /// An option whose value is a path is for this machine, whatever the table says.
    #[test]
    fn no_option_of_a_job_names_a_file() {
        let (command, options) = (Arguments::command(), JobOptions::new("1"));
        for argument in command.get_arguments() {
            let Some(name) = argument.get_long() else { continue };
            let paths = std::any::TypeId::of::<std::path::PathBuf>();
            let is_path = argument.get_value_parser().type_id() == paths;
            let is_named = argument
                .get_value_names()
                .into_iter()
                .flatten()
                .any(|name| ["FILE", "DIR", "PATH", "SOCKET"].contains(&name.as_str()));
            let travels = options.is_about_solving(&format!("--{name}"));
            assert!(!(travels && (is_path || is_named)), "--{name} names a file");
        }
    }

    #[test]
    fn options_that_make_no_sense_are_refused_before_they_travel() {
        let objection = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            JobOptions::new("1").objection(&words)
        };
        assert_eq!(objection(&[]), None);
        assert_eq!(objection(&["--engine=kind,spacer", "--share=all", "--c-arith=int"]), None);
        for (words, why) in [
            (&["--engine=knid"][..], "knid"),
            (&["--seed"], "--seed"),
            (&["--c-arith=float"], "float"),
            (&["--engine=kind", "--pdkind-depth=2"], "pdkind, which does not run"),
        ] {
            let said = objection(words).unwrap();
            assert!(said.contains(why) && !said.starts_with("error"), "{said}");
        }
    }
}
