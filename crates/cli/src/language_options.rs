//! The options of languages on the command line, made from what the table of front ends declares.
//!
//! Every [`ReadOption`] becomes an argument of all commands that read problems. Which language a
//! text is written in is known only when it is there: an option that this language does not have is
//! refused then, since it would have no effect. The property that is asked about is no option of
//! reading alone, because it decides what is done with the problem.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use shofar::{FRONT_ENDS, FrontEnd, OptionError, Property, ReadOption, ReadOptions};
use shofar_chc::read::PROPERTY;

/// How texts are to be read, as the command line says.
#[derive(Clone, Debug, Default)]
pub(crate) struct LanguageArguments {
    given: Vec<(&'static str, String)>,
}

impl LanguageArguments {
    /// The options for a text of this language about which `property` is asked.
    pub(crate) fn options_for(
        &self,
        language: &FrontEnd,
        property: Property,
    ) -> Result<ReadOptions, OptionError> {
        let mut given: Vec<(&str, &str)> =
            self.given.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let is_told = language.options.contains(&PROPERTY);
        if is_told && property == Property::Termination {
            given.push((PROPERTY.name, "termination"));
        }
        language.options_with(&given)
    }
}

impl LanguageArguments {
    /// Takes these values for options that the command line does not have.
    pub(crate) fn suggest(&mut self, values: impl Iterator<Item = (&'static str, &'static str)>) {
        for (name, value) in values {
            if !self.given.iter().any(|(known, _)| *known == name) {
                self.given.push((name, value.to_owned()));
            }
        }
    }
}

impl Args for LanguageArguments {
    fn augment_args(command: Command) -> Command {
        command.args(options().into_iter().map(argument))
    }
    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for LanguageArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut this = Self::default();
        this.update_from_arg_matches(matches)?;
        Ok(this)
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for option in options() {
            let value = matches.get_one::<String>(option.name);
            self.given.extend(value.map(|value| (option.name, value.clone())));
        }
        Ok(())
    }
}

/// The options of all languages, each once.
fn options() -> Vec<&'static ReadOption> {
    let mut options: Vec<&'static ReadOption> = Vec::new();
    for option in FRONT_ENDS.iter().flat_map(|row| row.options) {
        let is_known = options.iter().any(|known| known.name == option.name);
        if !is_known && option.name != PROPERTY.name {
            options.push(option);
        }
    }
    options
}

fn argument(option: &'static ReadOption) -> Arg {
    let help = format!("{} [default: {}]", option.about, option.values[0]);
    Arg::new(option.name)
        .long(option.name)
        .value_name("HOW")
        .value_parser(PossibleValuesParser::new(option.values))
        .help(help)
        .help_heading("Languages")
        .hide_short_help(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_refused_for_languages_that_do_not_have_it() {
        for row in FRONT_ENDS {
            for option in options() {
                let given = vec![(option.name, option.values[0].to_owned())];
                let read = LanguageArguments { given }.options_for(row, Property::Safety);
                let is_known = row.options.iter().any(|known| known.name == option.name);
                assert_eq!(read.is_ok(), is_known, "{} {}", row.name, option.name);
            }
        }
    }

    #[test]
    fn options_of_one_name_offer_the_same() {
        for option in FRONT_ENDS.iter().flat_map(|row| row.options) {
            let same = |other: &&ReadOption| other.name == option.name && *other != option;
            assert!(!FRONT_ENDS.iter().flat_map(|row| row.options).any(|other| same(&other)));
            assert!(!option.values.is_empty() && !option.about.is_empty(), "{}", option.name);
        }
    }
}
