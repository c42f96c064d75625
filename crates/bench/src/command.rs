//! Commands that run a solver on a file: words with placeholders.
//!
//! `{}` stands for the file, `{timeout}` for the limit in whole seconds (rounded up, because many
//! solvers take no fractions), `{shofar}` for this executable. Words are separated by blanks;
//! quotes and backslashes work as in a shell, but nothing is ever given to one. A command without
//! `{}` gets the file as its last word.
use std::path::Path;

/// A command and the name it has in tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedCommand {
    /// What tables call it; no two commands of a run share one.
    pub(crate) name: String,
    /// The words, before placeholders are replaced; at least one.
    pub(crate) words: Vec<String>,
}

impl NamedCommand {
    /// This executable with some options; it takes its limit as it is, with fractions.
    pub(crate) fn of_shofar(options: &str, seconds: f64) -> Result<Self, String> {
        let mut words = vec!["{shofar}".to_owned(), "--timeout".to_owned(), seconds.to_string()];
        words.extend(split_words(options)?);
        words.push("{}".to_owned());
        Ok(Self { name: "shofar".to_owned(), words })
    }
    /// Whether the solver is told its limit, so that it can end by itself.
    pub(crate) fn knows_limit(&self) -> bool {
        let first = self.words.first().map(String::as_str);
        first == Some("{shofar}") || self.words.iter().any(|word| word.contains("{timeout}"))
    }
    /// The words as they are run.
    pub(crate) fn instantiate(&self, executable: &Path, file: &Path, seconds: f64) -> Vec<String> {
        let (file, executable) = (file.to_string_lossy(), executable.to_string_lossy());
        let whole_seconds = format!("{:.0}", seconds.ceil());
        let fill = |word: &String| fill(word, &file, &whole_seconds, &executable);
        let mut words: Vec<String> = self.words.iter().map(fill).collect();
        if !self.words.iter().any(|word| word.contains("{}")) {
            words.push(file.into_owned());
        }
        words
    }
}

/// One pass over the word, so that a file whose name looks like a placeholder stays what it is.
fn fill(word: &str, file: &str, seconds: &str, executable: &str) -> String {
    let places = [("{}", file), ("{timeout}", seconds), ("{shofar}", executable)];
    let mut filled = String::with_capacity(word.len() + file.len());
    let mut rest = word;
    while let Some(start) = rest.find('{') {
        filled.push_str(&rest[..start]);
        rest = &rest[start..];
        let (place, value) =
            places.into_iter().find(|(place, _)| rest.starts_with(place)).unwrap_or(("{", "{"));
        filled.push_str(value);
        rest = &rest[place.len()..];
    }
    filled + rest
}

/// Reads `NAME=COMMAND`.
pub(crate) fn parse_named(text: &str) -> Result<NamedCommand, String> {
    let (name, command) = text.split_once('=').ok_or("NAME=COMMAND is needed")?;
    let usable = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
    if name.is_empty() || !name.chars().all(usable) {
        return Err("the name must consist of letters, digits and -_.+".to_owned());
    }
    let words = split_words(command)?;
    if words.is_empty() {
        return Err("the command is empty".to_owned());
    }
    Ok(NamedCommand { name: name.to_owned(), words })
}

/// Splits at blanks, as a shell does: '…' keeps everything, "…" everything but a backslash, which
/// keeps the next character.
pub fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None | Some('"')) => {
                let next = letters.next().ok_or("nothing follows the last backslash")?;
                word.get_or_insert_default().push(next);
            }
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, Some(open)) if letter == open => quote = None,
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            (_, _) => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err("a quote is never closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(split_words(text).unwrap(), expected, "for {text}");
    }

    #[test]
    fn words_are_split_as_in_a_shell() {
        check("", &[]);
        check("  a  b\tc ", &["a", "b", "c"]);
        check(r#"a'b c'd "e f" '' \ "#, &["ab cd", "e f", "", " "]);
        check(r#"'\' "\"" "#, &["\\", "\""]);
        assert!(split_words("'a").is_err());
        assert!(split_words("a\\").is_err());
    }

    #[test]
    fn placeholders_are_replaced_once() {
        let command = parse_named("z3=z3 -T:{timeout} {x} {}").unwrap();
        assert!(command.knows_limit());
        let words = command.instantiate(Path::new("/s"), Path::new("a {timeout}.smt2"), 2.5);
        assert_eq!(words, ["z3", "-T:3", "{x}", "a {timeout}.smt2"]);
    }

    #[test]
    fn the_file_comes_last_if_nobody_says_where() {
        let command = parse_named("golem=golem -q").unwrap();
        assert!(!command.knows_limit());
        let words = command.instantiate(Path::new("/s"), Path::new("f"), 1.0);
        assert_eq!(words, ["golem", "-q", "f"]);
    }

    #[test]
    fn names_are_needed() {
        for text in ["z3", "=z3", "a b=z3", "a/b=z3", "z3=", "z3='"] {
            assert!(parse_named(text).is_err(), "for {text}");
        }
    }

    #[test]
    fn this_program_gets_limit_and_options() {
        let command = NamedCommand::of_shofar("--engine kind", 0.5).unwrap();
        assert!(command.knows_limit());
        let words = command.instantiate(Path::new("/bin/shofar"), Path::new("f"), 0.5);
        assert_eq!(words, ["/bin/shofar", "--timeout", "0.5", "--engine", "kind", "f"]);
    }
}
