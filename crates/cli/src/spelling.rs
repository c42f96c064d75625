//! What people write who come from other solvers, or who mistype.
//!
//! One table says how options of z3, Golem and Eldarica are spelt here. Where the meaning is the
//! same, the option is replaced before the command line is parsed; where it is not, the answer is
//! the right spelling. Nothing is guessed.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::Path;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

/// What becomes of an option of another solver.
#[derive(Clone, Copy, Debug)]
enum Becomes {
    /// These words of ours.
    Words(&'static [&'static str]),
    /// This option of ours, with what stands behind the colon.
    Valued(&'static str),
    /// Nothing, and neither does the word behind it, which is its value.
    NothingWithValue,
    /// Nothing but its value, the word behind it.
    Value,
    /// A refusal that says what to write.
    Answer(&'static str),
}

/// An option of another solver.
struct Row {
    /// As it is written; a colon or an equals sign at the end stands before a value.
    theirs: &'static str,
    whose: &'static str,
    becomes: Becomes,
}

const fn row(theirs: &'static str, whose: &'static str, becomes: Becomes) -> Row {
    Row { theirs, whose, becomes }
}

const WITNESS: Becomes = Becomes::Words(&["--witness"]);
const NOTHING: Becomes = Becomes::Words(&[]);

/// All of them.
const TABLE: &[Row] = &[
    row("-in", "z3, Eldarica", Becomes::Words(&["-"])),
    row("-T:", "z3", Becomes::Valued("--timeout")),
    row("-memory:", "z3", Becomes::Valued("--memory")),
    row("-smt2", "z3", NOTHING),
    row("-model", "z3", WITNESS),
    row(
        "-t:",
        "z3, Eldarica",
        Becomes::Answer(
            "write `--timeout SECONDS` (z3 counts milliseconds here, Eldarica seconds)",
        ),
    ),
    row("-v:", "z3", Becomes::Answer("write `-v` or `-vv`")),
    row("--print-witness", "Golem", WITNESS),
    row("--validate", "Golem", NOTHING),
    row("--logic=", "Golem", NOTHING),
    row("--logic", "Golem", Becomes::NothingWithValue),
    row("-l", "Golem", Becomes::NothingWithValue),
    row("--input", "Golem", Becomes::Value),
    row("-i", "Golem", Becomes::Value),
    row("-ssol", "Eldarica", WITNESS),
    row("-cex", "Eldarica", WITNESS),
    row("-horn", "Eldarica", NOTHING),
    row("-hsmt", "Eldarica", NOTHING),
    row("-portfolio", "Eldarica", NOTHING),
    row(
        "-sp",
        "Eldarica",
        Becomes::Answer("write `--witness`, which prints models for people and programs"),
    ),
    row(
        "-rt:",
        "Eldarica",
        Becomes::Answer("there are no restarts; `--timeout SECONDS` limits the time"),
    ),
    row(
        "-abstract:",
        "Eldarica",
        Becomes::Answer("`--engine pa --pa-abstraction TEMPLATES` chooses the templates"),
    ),
];

/// The section of the help about them, made from the table.
pub(crate) fn help() -> String {
    let mut text = "Coming from z3, Golem or Eldarica:\n".to_owned();
    for Row { theirs, whose, becomes } in TABLE {
        let value = if theirs.ends_with([':', '=']) { "N" } else { "" };
        let ours = match becomes {
            Becomes::Words([]) => "understood; nothing to do".to_owned(),
            Becomes::Words(words) => words.join(" "),
            Becomes::Valued(option) => format!("{option} N"),
            Becomes::NothingWithValue => {
                "understood with its value; the logic is in the file".to_owned()
            }
            Becomes::Value => "the file by itself".to_owned(),
            Becomes::Answer(answer) => (*answer).to_owned(),
        };
        let theirs = format!("{theirs}{value}");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {theirs:<17}  {ours} [{whose}]");
    }
    text + "  key=value          no counterpart; engines have options of their own [z3]"
}

/// The command line in our spelling, or what to say about it. The first word is the program.
pub(crate) fn respell(words: Vec<OsString>, subcommands: &[&str]) -> Result<Vec<OsString>, String> {
    let first = words.get(1).and_then(|word| word.to_str());
    if let Some(word) = first
        && !subcommands.contains(&word)
    {
        check_subcommand(word, subcommands)?;
    }
    let is_smt = first == Some("smt");
    if !is_smt && first != Some("solve") && first.is_some_and(|word| subcommands.contains(&word)) {
        return Ok(words);
    }
    let mut respelt: Vec<OsString> = Vec::with_capacity(words.len());
    let mut rest = words.into_iter().peekable();
    while let Some(word) = rest.next() {
        if word == "--" {
            respelt.push(word);
            respelt.extend(rest);
            break;
        }
        let Some(text) = word.to_str() else {
            respelt.push(word);
            continue;
        };
        if let Some(hint) = separated_style(&respelt, text) {
            return Err(hint);
        }
        check_parameter(text)?;
        let Some((row, value)) = lookup(text) else {
            respelt.push(word);
            continue;
        };
        match row.becomes {
            Becomes::Words(["--witness"]) if is_smt => {
                return Err(format!("{text} is for Horn clauses; a script asks by `(get-model)`"));
            }
            Becomes::Words(ours) => {
                // Two options of theirs may be the same one of ours.
                let is_new = |ours: &&str| !respelt.iter().any(|known| known == ours);
                let new: Vec<OsString> =
                    ours.iter().copied().filter(|w| is_new(w)).map(OsString::from).collect();
                respelt.extend(new);
            }
            Becomes::Valued(ours) => respelt.extend([OsString::from(ours), OsString::from(value)]),
            Becomes::NothingWithValue => drop(rest.next()),
            Becomes::Value => respelt.extend(rest.next()),
            Becomes::Answer(answer) => {
                return Err(format!("{text} is an option of {}: {answer}", row.whose));
            }
        }
    }
    Ok(respelt)
}

/// The row of an option, and the value in it.
fn lookup(text: &str) -> Option<(&'static Row, &str)> {
    TABLE.iter().find_map(|row| {
        if row.theirs.ends_with([':', '=']) {
            text.strip_prefix(row.theirs).map(|value| (row, value))
        } else {
            (text == row.theirs).then_some((row, ""))
        }
    })
}

/// The values of options that are written with an equals sign.
const STYLES: [(&str, &[&str], &str); 3] = [
    ("--witness", &["short", "full", "summary"], "--witness"),
    ("-w", &["short", "full", "summary"], "--witness"),
    ("--stats", &["human", "json"], "--stats"),
];

/// The hint at the equals sign, if the value of such an option stands apart from it.
fn separated_style(before: &[OsString], text: &str) -> Option<String> {
    let previous = before.last()?;
    let (_, _, option) =
        STYLES.iter().find(|(option, values, _)| previous == option && values.contains(&text))?;
    (!Path::new(text).exists()).then(|| {
        format!("there is no file {text}; the style of {option} is written with an equals sign: {option}={text}")
    })
}

/// Complains about `key=value`, unless it is an option or a file.
fn check_parameter(text: &str) -> Result<(), String> {
    let Some((key, value)) = text.split_once('=') else { return Ok(()) };
    let is_key = key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "._".contains(c));
    if !is_key || Path::new(text).exists() {
        return Ok(());
    }
    let hint = match key {
        "fp.engine" => format!("; an engine is chosen by `--engine {value}`"),
        "timeout" => "; `--timeout` takes seconds".to_owned(),
        _ => String::new(),
    };
    Err(format!("{text} is a parameter of z3, which has no counterpart here{hint}"))
}

/// Complains about a first word that looks like a misspelt subcommand and is no file.
fn check_subcommand(word: &str, subcommands: &[&str]) -> Result<(), String> {
    if word.starts_with('-') || word.contains(['.', '/', '=']) || Path::new(word).exists() {
        return Ok(());
    }
    match nearest(word, subcommands) {
        Some(near) => {
            Err(format!("there is no file and no command {word}; did you mean `shofar {near}`?"))
        }
        None => Ok(()),
    }
}

/// The name that differs from `word` in at most two letters, the closest if there are several.
pub(crate) fn nearest<'n>(word: &str, names: &[&'n str]) -> Option<&'n str> {
    let close = names.iter().map(|&name| (distance(word, name), name));
    let (far, name) = close.min_by_key(|&(far, _)| far)?;
    let limit = if name.len() <= 4 { 1 } else { 2 };
    (far <= limit).then_some(name)
}

/// What to write instead of `word`.
pub(crate) fn hint(word: &str, names: &[&str]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let near =
        nearest(word, names).map_or_else(String::new, |near| format!("; did you mean {near}?"));
    format!("{near} (there are {})", names.join(", "))
}

/// How many letters have to be added, removed, changed or swapped with a neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// Reads one of several names, which completions offer.
#[derive(Clone, Copy)]
pub(crate) struct Names {
    what: &'static str,
    /// The names, with what they mean.
    list: fn() -> Vec<(&'static str, &'static str)>,
}

impl Names {
    /// The names of `what`.
    pub(crate) fn new(what: &'static str, list: fn() -> Vec<(&'static str, &'static str)>) -> Self {
        Self { what, list }
    }
    fn read(self, text: &str) -> Result<String, String> {
        let names: Vec<&str> = (self.list)().into_iter().map(|(name, _)| name).collect();
        if names.contains(&text) {
            return Ok(text.to_owned());
        }
        let what = self.what;
        let problem = if text.is_empty() {
            format!("a name of {what} is missing")
        } else {
            format!("there is no such {what}")
        };
        Err(problem + &hint(text, &names))
    }
}

impl TypedValueParser for Names {
    type Value = String;
    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        let names = *self;
        (move |text: &str| names.read(text)).parse_ref(command, argument, value)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value =
            |(name, about): (&'static str, &'static str)| PossibleValue::new(name).help(about);
        Some(Box::new((self.list)().into_iter().map(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, expected: Result<&str, &str>) {
        let line = std::iter::once("shofar").chain(words.split_whitespace());
        let found = respell(line.map(OsString::from).collect(), &["check", "info", "smt", "bench"]);
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                let found: Vec<&str> = found[1..].iter().filter_map(|word| word.to_str()).collect();
                assert_eq!(found.join(" "), expected, "for {words}");
            }
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{words}: {found}"),
            (found, _) => panic!("{words}: {found:?}"),
        }
    }

    #[test]
    fn the_same_meaning_is_understood() {
        check("-T:5 f", Ok("--timeout 5 f"));
        check("-smt2 -in -memory:100", Ok("- --memory 100"));
        check("-ssol -cex f", Ok("--witness f"));
        check(
            "--print-witness --validate -l QF_LIA --logic=QF_LRA -e bmc -i f",
            Ok("--witness -e bmc f"),
        );
        check("smt -T:5 f", Ok("smt --timeout 5 f"));
        check("bench -T:5 f", Ok("bench -T:5 f"));
        check("-- -in", Ok("-- -in"));
    }

    #[test]
    fn another_meaning_is_answered() {
        check("-t:5 f", Err("write `--timeout SECONDS`"));
        check("-abstract:off f", Err("-abstract:off is an option of Eldarica"));
        check("fp.engine=spacer f", Err("`--engine spacer`"));
        check("smt -model f", Err("(get-model)"));
        check("--witness short f", Err("--witness=short"));
        check("--stats json f", Err("--stats=json"));
    }

    #[test]
    fn misspelt_commands() {
        check("chekc a b", Err("did you mean `shofar check`?"));
        check("inf a", Err("did you mean `shofar info`?"));
        check("problem.smt2", Ok("problem.smt2"));
        check("something", Ok("something"));
    }
}
