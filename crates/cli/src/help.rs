//! What `-h` and `--help` print, made from the definition of the command line.
//!
//! `-h` has the options that are used most, in one list; `--help` has those of all engines
//! together, by heading, with what each of their values means. Options of single engines are in
//! neither: `shofar engines NAME` tells them, and so does the manual. An option says by
//! `hide_short_help` and `hide_long_help` where it is not told.
//!
//! Every row, and every text at the end, is laid out in the width of the terminal.

use clap::builder::{PossibleValue, StyledStr, Styles};
use clap::{Arg, ArgAction, Command};

use crate::layout::{below, columns, fill, row, width};

/// How far terms are indented.
const INDENT: usize = 2;
/// No explanation starts further to the right, so that a long term does not make all explanations
/// narrow.
const FURTHEST: usize = 34;
/// What the pages consist of: the parser fills in the first two parts, and tells `-h` from `--help`
/// by the last one.
const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}";

/// Which page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Page {
    /// That of `-h`.
    Short,
    /// That of `--help`.
    Long,
}

/// The command with pages of help in the width of the terminal, in every subcommand.
pub(crate) fn with_pages(command: Command) -> Command {
    with_pages_in(command, width())
}

/// The command with pages of help in this width.
fn with_pages_in(command: Command, width: usize) -> Command {
    let mut built = command.clone();
    built.build();
    attach(command, &built, width)
}

fn attach(command: Command, built: &Command, width: usize) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let command = names.iter().fold(command, |command, name| {
        let Some(below) = built.find_subcommand(name) else { return command };
        command.mut_subcommand(name, |subcommand| attach(subcommand, below, width))
    });
    command
        .term_width(width)
        .help_template(TEMPLATE)
        .before_help(page(built, Page::Short, width))
        .before_long_help(page(built, Page::Long, width))
}

/// What stands below the usage.
fn page(command: &Command, page: Page, width: usize) -> String {
    let styles = command.get_styles();
    let mut sections = Vec::new();
    let subcommands: Vec<Row> = command
        .get_subcommands()
        .filter(|subcommand| !subcommand.is_hide_set())
        .map(|subcommand| Row::of_command(subcommand, styles))
        .collect();
    if !subcommands.is_empty() {
        sections.push(section("Commands", &subcommands, styles, width));
    }
    let told = |argument: &&Arg| {
        !argument.is_hide_set()
            && match page {
                Page::Short => !argument.is_hide_short_help_set(),
                Page::Long => !argument.is_hide_long_help_set(),
            }
    };
    let mut headings: Vec<&str> = Vec::new();
    let mut rows: Vec<Vec<Row>> = Vec::new();
    for argument in command.get_arguments().filter(told) {
        let heading = heading(argument, page);
        let at = headings.iter().position(|&known| known == heading).unwrap_or_else(|| {
            headings.push(heading);
            rows.push(Vec::new());
            headings.len() - 1
        });
        rows[at].push(Row::of_argument(argument, page, styles));
    }
    // What belongs to no heading, such as `--help`, comes last.
    let general = headings.iter().position(|&heading| heading == OPTIONS);
    let order = (0..headings.len()).filter(|&at| Some(at) != general).chain(general);
    sections.extend(order.map(|at| section(headings[at], &rows[at], styles, width)));
    sections.extend(footer(command, page).map(|text| fill(&text.to_string(), width)));
    sections.join("\n")
}

const OPTIONS: &str = "Options";

fn heading(argument: &Arg, page: Page) -> &str {
    match (argument.is_positional(), page) {
        (true, Page::Short | Page::Long) => "Arguments",
        (false, Page::Short) => OPTIONS,
        (false, Page::Long) => argument.get_help_heading().unwrap_or(OPTIONS),
    }
}

fn footer(command: &Command, page: Page) -> Option<&StyledStr> {
    match page {
        Page::Short => command.get_after_help(),
        Page::Long => command.get_after_long_help().or(command.get_after_help()),
    }
}

/// A term of a list, and what is said about it.
struct Row {
    term: String,
    text: String,
    /// Values with their meanings, below it.
    values: Vec<(String, String)>,
}

impl Row {
    fn of_command(command: &Command, styles: &Styles) -> Self {
        let about = command.get_about().map_or_else(String::new, ToString::to_string);
        Self { term: literal(command.get_name(), styles), text: about, values: Vec::new() }
    }
    fn of_argument(argument: &Arg, page: Page, styles: &Styles) -> Self {
        let (long, short) = (argument.get_long_help(), argument.get_help());
        let help = match page {
            Page::Short => short,
            Page::Long => long.or(short),
        };
        let mut text = help.map_or_else(String::new, ToString::to_string);
        let told: Vec<PossibleValue> =
            values(argument).into_iter().filter(|value| !value.is_hide_set()).collect();
        let has_meanings = told.iter().any(|value| value.get_help().is_some());
        let mut below = Vec::new();
        if page == Page::Long && has_meanings {
            below.extend(told.iter().map(|value| {
                let meaning = value.get_help().map_or_else(String::new, ToString::to_string);
                (literal(value.get_name(), styles), meaning)
            }));
        } else if !told.is_empty() {
            let names: Vec<&str> = told.iter().map(PossibleValue::get_name).collect();
            text += " [";
            text += &names.join(", ");
            text += "]";
        }
        text.push_str(&default(argument));
        Self { term: term(argument, styles), text, values: below }
    }
}

/// The values that an argument takes, where they are told in the line of help or below it.
fn values(argument: &Arg) -> Vec<PossibleValue> {
    let takes_one = matches!(argument.get_action(), ArgAction::Set | ArgAction::Append);
    if takes_one && !argument.is_hide_possible_values_set() {
        argument.get_possible_values()
    } else {
        Vec::new()
    }
}

fn default(argument: &Arg) -> String {
    let defaults = argument.get_default_values();
    let takes_one = matches!(argument.get_action(), ArgAction::Set | ArgAction::Append);
    let texts: Vec<_> = defaults.iter().map(|value| value.to_string_lossy()).collect();
    if !takes_one || argument.is_hide_default_value_set() || texts.join("").is_empty() {
        return String::new();
    }
    format!(" [default: {}]", texts.join(","))
}

/// How an argument is written.
fn term(argument: &Arg, styles: &Styles) -> String {
    if argument.is_positional() {
        return argument.to_string();
    }
    let written = argument.to_string();
    // `--engine <NAME>`, `--witness[=<STYLE>]`: the name is set apart from what it takes.
    let name = written.find([' ', '[', '=', '<']).unwrap_or(written.len());
    let (name, value) = written.split_at(name);
    match argument.get_short() {
        Some(short) if argument.get_long().is_some() => {
            format!("{}, {}{value}", literal(&format!("-{short}"), styles), literal(name, styles))
        }
        Some(_) => format!("{}{value}", literal(name, styles)),
        None => format!("    {}{value}", literal(name, styles)),
    }
}

fn literal(text: &str, styles: &Styles) -> String {
    let style = styles.get_literal();
    format!("{style}{text}{style:#}")
}

fn section(heading: &str, rows: &[Row], styles: &Styles, width: usize) -> String {
    let style = styles.get_header();
    let mut out = format!("{style}{heading}:{style:#}\n");
    let column = column(rows.iter().map(|row| row.term.as_str()), INDENT);
    for Row { term, text, values } in rows {
        row(&mut out, INDENT, term, column, text, width);
        let indent = below(column, width) + INDENT;
        let meanings = self::column(values.iter().map(|(name, _)| name.as_str()), indent);
        for (name, meaning) in values {
            row(&mut out, indent, name, meanings, meaning, width);
        }
    }
    out
}

/// Where explanations of these terms start.
pub(crate) fn column<'t>(terms: impl Iterator<Item = &'t str>, indent: usize) -> usize {
    let widest = terms.map(columns).filter(|&end| end <= FURTHEST).max().unwrap_or(0);
    indent + widest + INDENT
}
