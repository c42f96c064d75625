//! The options of engines on the command line, made from what the registry of engines declares.
//!
//! Every option of an [`OptionGroup`](shofar_engine::OptionGroup) becomes an argument.
//! `shofar engines NAME` and the manual tell it, help does not, since it is about one engine. What
//! the user gives goes to the option's setter; this file knows no option by name.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use shofar_engine::{
    Choice, DefaultValue, EngineOption, EngineOptions, OptionValue, option_groups,
};

/// How engines are set up, as the command line says.
#[derive(Clone, Debug, Default)]
pub(crate) struct EngineArguments {
    options: EngineOptions,
}

impl EngineArguments {
    /// The options that were given.
    pub(crate) fn options(&self) -> EngineOptions {
        self.options.clone()
    }
}

impl Args for EngineArguments {
    fn augment_args(command: Command) -> Command {
        let arguments = option_groups().flat_map(|group| {
            group.options.iter().map(|option| argument(option).help_heading(group.heading))
        });
        command.args(arguments)
    }
    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut this = Self::default();
        this.update_from_arg_matches(matches)?;
        Ok(this)
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for option in option_groups().flat_map(|group| group.options) {
            for text in given(option, matches) {
                let set = option.set(&mut self.options, &text);
                set.map_err(|why| Error::raw(clap::error::ErrorKind::InvalidValue, why))?;
            }
        }
        Ok(())
    }
}

/// An option as the parser knows it.
fn argument(option: &'static EngineOption) -> Arg {
    let mut argument = Arg::new(option.name)
        .long(option.name)
        .help(option.about)
        .hide_short_help(true)
        .hide_long_help(true);
    argument = match option.value {
        OptionValue::Flag(_) => argument.action(ArgAction::SetTrue),
        OptionValue::Number { called, .. } => {
            argument.value_name(called).value_parser(move |text: &str| {
                option.set(&mut EngineOptions::default(), text).map(|()| text.to_owned())
            })
        }
        OptionValue::OneOf { called, choices } => {
            argument.value_name(called).value_parser(words(choices))
        }
        OptionValue::AnyOf { called, choices } => argument
            .value_name(called)
            .value_parser(words(choices))
            .action(ArgAction::Append)
            .value_delimiter(','),
    };
    match option.default {
        DefaultValue::Value(default) => argument.default_value(default),
        DefaultValue::NotDone | DefaultValue::Told(_) => argument,
    }
}

fn words(choices: &'static [Choice]) -> PossibleValuesParser {
    let word = |choice: &'static Choice| PossibleValue::new(choice.name).help(choice.about);
    PossibleValuesParser::new(choices.iter().map(word))
}

/// What was given for an option, or its default; for a flag that is set, an empty text.
fn given(option: &EngineOption, matches: &ArgMatches) -> Vec<String> {
    match option.value {
        OptionValue::Flag(_) if matches.get_flag(option.name) => vec![String::new()],
        OptionValue::Flag(_) => Vec::new(),
        OptionValue::Number { .. } | OptionValue::OneOf { .. } | OptionValue::AnyOf { .. } => {
            let values = matches.get_many::<String>(option.name);
            values.map_or_else(Vec::new, |values| values.cloned().collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use shofar_engine::pdkind::{Depth, PdKindOptions};
    use shofar_engine::spacer::{Guidance, SpacerOptions};
    use shofar_engine::tpa::{Elimination, TpaOptions};

    use super::*;

    fn parse(words: &str) -> Result<EngineOptions, Error> {
        let command = EngineArguments::augment_args(Command::new("shofar"));
        let words = std::iter::once("shofar").chain(words.split_whitespace());
        let matches = command.try_get_matches_from(words)?;
        Ok(EngineArguments::from_arg_matches(&matches)?.options())
    }

    #[test]
    fn what_is_given_reaches_the_options_of_the_engine() {
        let options = parse(
            "--spacer-off subsume,concretize --spacer-lifts 3 --tpa-qe --pdkind-depth 2 --instances 4",
        );
        let options = options.expect("these options exist");
        let spacer = options.own::<SpacerOptions>();
        assert_eq!(spacer.guidance, Guidance { conjecture: true, ..Guidance::NONE });
        assert_eq!(spacer.lifts, Some(3));
        assert_eq!(options.own::<TpaOptions>().elimination, Elimination::Full);
        let pdkind = options.own::<PdKindOptions>();
        assert_eq!((pdkind.depth, pdkind.instances), (Depth::AtMost(2), 4));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (words, expected) in [
            ("--instances 0", "a number from 1 to 64 is needed"),
            ("--spacer-lifts many", "a number of at least 0"),
            ("--pdkind-order latest", "newest, oldest, nearest"),
        ] {
            let error = parse(words).expect_err(words).to_string();
            assert!(error.contains(expected), "{words}: {error}");
        }
    }
}
