//! `shofar engines`: what can solve clauses. `shofar engines NAME`: what an engine is, and its
//! options.
//!
//! Everything is read off the registry of engines; docs/options.md has the same as a page, which a
//! test compares with it.

use std::fmt::Write as _;

use std::process::ExitCode;

use shofar_engine::{
    Choice, DefaultValue, ENGINES, EngineInfo, EngineOption, Fragment, OptionValue, engine, paper,
};

use crate::arguments::EnginesArguments;
use crate::help::column;
use crate::layout::{below, fill, list_width, row, width};
use crate::output::Channel;

/// `shofar engines` and `shofar engines NAME`.
pub(crate) fn engines(arguments: &EnginesArguments) -> ExitCode {
    let (output, _) = Channel::standard();
    output.write(&match arguments.name.as_deref().and_then(engine) {
        Some(engine) => page(engine, width()),
        None => overview(list_width()),
    });
    output.close(ExitCode::SUCCESS)
}

const POINTER: &str = "\
`shofar engines NAME` has the options of an engine and the paper it comes from, `shofar --engine NAME FILE` lets it work alone.";

/// All engines, each with a line.
fn overview(width: usize) -> String {
    let mut out = String::new();
    let column = column(ENGINES.iter().map(|engine| engine.name), 0);
    for EngineInfo { name, about, cites, .. } in ENGINES {
        row(&mut out, 0, name, column, &format!("{about} [{cites}]"), width);
    }
    out.push('\n');
    out + &fill(POINTER, width)
}

/// An engine with its options.
fn page(engine: &EngineInfo, width: usize) -> String {
    let EngineInfo { name, about, cites, .. } = engine;
    let mut out = fill(&format!("{name}: {about}"), width);
    let papers = [*cites].into_iter().chain(options(engine).iter().filter_map(|o| o.cites));
    let mut told: Vec<&str> = Vec::new();
    out.push('\n');
    row(&mut out, 0, "Clauses:", 10, fragment(engine.fragment), width);
    for key in papers {
        if told.contains(&key) {
            continue;
        }
        let head = if told.is_empty() { "Source:" } else { "" };
        let text = paper(key).map_or_else(String::new, |paper| format!("[{key}] {paper}"));
        row(&mut out, 0, head, 10, &text, width);
        told.push(key);
    }
    let options = options(engine);
    if options.is_empty() {
        return out + "\nIt has no options of its own.\n";
    }
    out.push_str("\nOptions:\n");
    let terms: Vec<String> = options.iter().map(term).collect();
    let column = column(terms.iter().map(String::as_str), 2);
    for (option, term) in options.iter().zip(&terms) {
        row(&mut out, 2, term, column, &explanation(option), width);
        let indent = below(column, width) + 2;
        let choices = choices(option);
        let meanings = self::column(choices.iter().map(|choice| choice.name), indent);
        for Choice { name, about, .. } in choices {
            row(&mut out, indent, name, meanings, about, width);
        }
    }
    out
}

fn options(engine: &EngineInfo) -> &'static [EngineOption] {
    engine.options.map_or(&[], |group| group.options)
}

fn fragment(fragment: Fragment) -> &'static str {
    match fragment {
        Fragment::Any => "any",
        Fragment::Linear => "linear ones, with at most one predicate in each body",
        Fragment::RecursionFree => "without recursion",
    }
}

/// How an option is written.
fn term(option: &EngineOption) -> String {
    let name = option.name;
    match option.value {
        OptionValue::Flag(_) => format!("--{name}"),
        OptionValue::Number { called, .. } | OptionValue::OneOf { called, .. } => {
            format!("--{name} <{called}>")
        }
        OptionValue::AnyOf { called, .. } => format!("--{name} <{called},...>"),
    }
}

fn choices(option: &EngineOption) -> &'static [Choice] {
    match option.value {
        OptionValue::Flag(_) | OptionValue::Number { .. } => &[],
        OptionValue::OneOf { choices, .. } | OptionValue::AnyOf { choices, .. } => choices,
    }
}

/// What an option does, with the numbers that it takes, its default, and its source if that is
/// another one.
fn explanation(option: &EngineOption) -> String {
    let mut text = option.about.to_owned();
    if let OptionValue::Number { least, most, .. } = option.value {
        let end = most.map_or("or more".to_owned(), |most| format!("to {most}"));
        let _ = write!(text, " [{least} {end}]");
    }
    match option.default {
        DefaultValue::NotDone => {}
        DefaultValue::Value(default) | DefaultValue::Told(default) => {
            let _ = write!(text, " [default: {default}]");
        }
    }
    option.cites.map_or(text.clone(), |key| format!("{text} [{key}]"))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::Path;

    use clap::{Arg, CommandFactory as _};
    use shofar_engine::{option_groups, option_owners};

    use super::*;
    use crate::arguments::Arguments;

    const PAGE: &str = "docs/options.md";

    const BEGIN: &str = "\
# Options

`shofar -h` has the options that are used most, `shofar --help` all that are not about a single engine, `shofar engines NAME` those of an engine; [passes.md](passes.md) is about passes.
All of them stand anywhere on the command line of `shofar FILE`, and in `--options` of `bench` and `submit`, unless they name files or limits.
Options of an engine have an effect if this engine runs: alone, or among others, as in the default strategy.

This page is made from the tables of the program: `UPDATE=1 cargo test -p shofar-cli options_are_on_a_page` writes it again.
";

    /// A page of all options of solving, each once.
    fn markdown() -> String {
        let mut page = BEGIN.to_owned();
        let mut command = Arguments::command();
        command.build();
        let mut headings: Vec<&str> = Vec::new();
        let general =
            |argument: &&Arg| !argument.is_hide_set() && !argument.is_hide_long_help_set();
        for argument in command.get_arguments().filter(general) {
            let Some(heading) = argument.get_help_heading() else { continue };
            if !headings.contains(&heading) {
                headings.push(heading);
                let _ = write!(page, "\n## {heading}\n\n| option | what it does |\n|---|---|\n");
            }
            let short = argument.get_short().map_or_else(String::new, |c| format!("`-{c}`, "));
            let help = argument.get_long_help().or(argument.get_help()).expect("it has a line");
            let _ = writeln!(page, "| {short}`{argument}` | {help}{} |", cells(argument));
        }
        for group in option_groups() {
            let owners: Vec<String> =
                option_owners(group.heading).iter().map(|name| format!("`{name}`")).collect();
            let _ = write!(
                page,
                "\n## {}: {}\n\n| option | what it does |\n|---|---|\n",
                group.heading,
                owners.join(", ")
            );
            for option in group.options {
                let values = choices(option).iter().map(|c| (c.name, c.about));
                let values = list(&values.collect::<Vec<_>>());
                let _ = writeln!(page, "| `{}` | {}{values} |", term(option), explanation(option));
            }
        }
        page
    }

    /// The values and the default of a general option.
    fn cells(argument: &Arg) -> String {
        let values = if argument.is_hide_possible_values_set() {
            Vec::new()
        } else {
            argument.get_possible_values()
        };
        let values: Vec<(String, String)> = values
            .iter()
            .map(|v| {
                (v.get_name().to_owned(), v.get_help().map(ToString::to_string).unwrap_or_default())
            })
            .collect();
        let values: Vec<(&str, &str)> =
            values.iter().map(|(name, about)| (name.as_str(), about.as_str())).collect();
        let is_flag = !argument.get_action().takes_values();
        let default = argument.get_default_values().first().filter(|_| !is_flag);
        let default = default.map(|value| format!(" [default: {}]", value.to_string_lossy()));
        let told = if is_flag { String::new() } else { list(&values) };
        format!("{}{told}", default.unwrap_or_default())
    }

    /// Values, each with its meaning if it has one.
    fn list(values: &[(&str, &str)]) -> String {
        let names: Vec<String> = values.iter().map(|(name, _)| format!("`{name}`")).collect();
        if values.iter().all(|(_, about)| about.is_empty()) && !values.is_empty() {
            return format!(" [{}]", names.join(", "));
        }
        let each: Vec<String> =
            values.iter().map(|(name, about)| format!("<br>`{name}`: {about}")).collect();
        each.concat()
    }

    #[test]
    fn options_are_on_a_page() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PAGE);
        let expected = markdown();
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &expected).expect("the page can be written");
        }
        let found = std::fs::read_to_string(&path).expect("the page is there");
        assert!(found == expected, "{PAGE} is not what the tables say; write it with UPDATE=1");
        for option in option_groups().flat_map(|group| group.options) {
            let written = format!("| `{}` |", term(option));
            assert_eq!(found.matches(&written).count(), 1, "{written}");
        }
    }

    #[test]
    fn every_engine_tells_its_options_once() {
        for engine in ENGINES {
            for width in [40, 80, 100] {
                let page = page(engine, width);
                for option in options(engine) {
                    let line = format!("\n  --{}", option.name);
                    let found = page
                        .match_indices(&line)
                        .filter(|(at, _)| {
                            page[at + line.len()..].starts_with(|c: char| c.is_whitespace())
                        })
                        .count();
                    assert_eq!(found, 1, "--{} of {}", option.name, engine.name);
                }
                assert!(page.contains(&format!("[{}]", engine.cites)), "{}", engine.name);
            }
        }
    }
}
