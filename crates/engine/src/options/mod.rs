//! Options of engines: declared once, beside the engine, and known to the rest of the program
//! through the registry.
//!
//! An engine has a struct of typed options, and an [`OptionGroup`] that says how users set its
//! fields: the name of each option, what values it takes, a line of help, and a setter. The command
//! line parses what the groups declare; help, manual and the list of engines print them. Nothing
//! outside an engine's folder names one of its options.
//!
//! [`EngineOptions`] carries the structs of all engines under their types, so that a new engine
//! adds no field anywhere.
//!
//! Invariant: setting an option to the default it declares changes nothing.

mod choices;
mod store;

pub(crate) use choices::{LINEAR_SOURCE, linear_choices};
pub use shofar_chc::read::OptionScope;
pub use store::{EngineOptions, OwnOptions, StateHints};

/// The options of an engine, or of several that share them.
#[derive(Clone, Copy, Debug)]
pub struct OptionGroup {
    /// What help puts above them.
    pub heading: &'static str,
    /// The options, in the order in which help lists them.
    pub options: &'static [EngineOption],
}

/// An option as users see it.
#[derive(Clone, Copy, Debug)]
pub struct EngineOption {
    /// Whether a job of a cluster may carry it.
    pub scope: OptionScope,
    /// The name behind `--`.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// What it takes, and what that sets.
    pub value: OptionValue,
    /// What holds if it is not given.
    pub default: DefaultValue,
    /// Where it comes from, if not from the source of the engine; a key of the bibliography.
    pub cites: Option<&'static str>,
}

/// What holds if an option is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// What the name of a flag says is not done.
    NotDone,
    /// This value.
    Value(&'static str),
    /// What no value says.
    Told(&'static str),
}

/// What an option takes, with its setters.
#[derive(Clone, Copy, Debug)]
pub enum OptionValue {
    /// Nothing.
    Flag(fn(&mut EngineOptions)),
    /// A number.
    Number {
        /// What help calls it.
        called: &'static str,
        /// The smallest.
        least: usize,
        /// The largest, if there is one.
        most: Option<usize>,
        /// The setter.
        set: fn(&mut EngineOptions, usize),
    },
    /// One of several words.
    OneOf {
        /// What help calls it.
        called: &'static str,
        /// The words.
        choices: &'static [Choice],
    },
    /// Some of several words, separated by commas.
    AnyOf {
        /// What help calls them.
        called: &'static str,
        /// The words.
        choices: &'static [Choice],
    },
}

/// A word that an option takes.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The word.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// The setter.
    pub set: fn(&mut EngineOptions),
}

impl EngineOption {
    /// An option from the source of its engine that does nothing if it is not given.
    pub const fn new(
        scope: OptionScope,
        name: &'static str,
        about: &'static str,
        value: OptionValue,
    ) -> Self {
        Self { scope, name, about, value, default: DefaultValue::NotDone, cites: None }
    }
    /// The option, with this value if it is not given.
    #[must_use]
    pub const fn with_default(mut self, default: &'static str) -> Self {
        self.default = DefaultValue::Value(default);
        self
    }
    /// The option, with a default that is no value of it.
    #[must_use]
    pub const fn else_told(mut self, default: &'static str) -> Self {
        self.default = DefaultValue::Told(default);
        self
    }
    /// The option, which comes from this source.
    #[must_use]
    pub const fn citing(mut self, key: &'static str) -> Self {
        self.cites = Some(key);
        self
    }
    /// Sets what `text` says; `Err` says what is needed instead. A flag takes no text.
    pub fn set(&self, options: &mut EngineOptions, text: &str) -> Result<(), String> {
        match self.value {
            OptionValue::Flag(set) => set(options),
            OptionValue::Number { least, most, set, .. } => {
                let fits =
                    |number: &usize| least <= *number && most.is_none_or(|most| *number <= most);
                let number = text.parse().ok().filter(fits);
                set(options, number.ok_or_else(|| range(least, most))?);
            }
            OptionValue::OneOf { choices, .. } | OptionValue::AnyOf { choices, .. } => {
                let choice = choices.iter().find(|choice| choice.name == text);
                (choice.ok_or_else(|| words(choices))?.set)(options);
            }
        }
        Ok(())
    }
}

fn range(least: usize, most: Option<usize>) -> String {
    match most {
        Some(most) => format!("a number from {least} to {most} is needed"),
        None => format!("a number of at least {least} is needed"),
    }
}

fn words(choices: &[Choice]) -> String {
    let names: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
    format!("one of {} is needed", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::option_groups;

    fn all() -> impl Iterator<Item = &'static EngineOption> {
        option_groups().flat_map(|group| group.options)
    }

    #[test]
    fn defaults_change_nothing() {
        for option in all() {
            let DefaultValue::Value(default) = option.default else { continue };
            let mut options = EngineOptions::default();
            assert_eq!(option.set(&mut options, default), Ok(()), "--{}", option.name);
            let expected = format!("{:?}", options.defaults());
            assert_eq!(format!("{options:?}"), expected, "--{}", option.name);
        }
    }

    #[test]
    fn options_with_values_have_defaults() {
        for option in all() {
            let is_flag = matches!(option.value, OptionValue::Flag(_));
            assert_eq!(option.default == DefaultValue::NotDone, is_flag, "--{}", option.name);
        }
    }

    #[test]
    fn other_values_change_something() {
        for option in all() {
            let values: Vec<&str> = match option.value {
                OptionValue::Flag(_) => vec![""],
                OptionValue::Number { .. } => vec!["2"],
                OptionValue::OneOf { choices, .. } | OptionValue::AnyOf { choices, .. } => {
                    choices.iter().map(|choice| choice.name).collect()
                }
            };
            let changes = values.iter().any(|value| {
                let mut options = EngineOptions::default();
                assert_eq!(option.set(&mut options, value), Ok(()), "--{} {value}", option.name);
                format!("{options:?}") != format!("{:?}", options.defaults())
            });
            assert!(changes, "--{} sets something", option.name);
        }
    }

    #[test]
    fn names_are_unique() {
        let names: Vec<&str> = all().map(|option| option.name).collect();
        for (i, name) in names.iter().enumerate() {
            assert!(!names[..i].contains(name), "--{name} is declared twice");
        }
    }

    #[test]
    fn values_out_of_range_are_answered() {
        let option = |name: &str| all().find(|option| option.name == name).expect("it exists");
        let mut options = EngineOptions::default();
        let refusal = option("instances").set(&mut options, "65");
        assert_eq!(refusal, Err("a number from 1 to 64 is needed".to_owned()));
        let refusal = option("pdkind-depth").set(&mut options, "0");
        assert_eq!(refusal, Err("a number of at least 1 is needed".to_owned()));
        let refusal = option("pdkind-order").set(&mut options, "latest");
        assert_eq!(refusal, Err("one of newest, oldest, nearest is needed".to_owned()));
    }
}
