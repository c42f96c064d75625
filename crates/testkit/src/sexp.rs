//! S-expressions: just enough of SMT-LIB's concrete syntax to take scripts and answers apart.
//!
//! The kit deliberately does not use the solver's own reader: a fault there must not hide itself.
//! Atoms keep their source text, so printing gives back what was read up to white space and
//! comments. Reading is iterative; the functions on trees recurse, which is fine for generated
//! scripts but not for arbitrary input.

use std::collections::BTreeSet;
use std::fmt;

use crate::bits;

/// An atom with its source text, or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexp {
    /// A symbol, keyword, number or string, spelled as in the source.
    Atom(String),
    /// A parenthesised list.
    List(Vec<Sexp>),
}

impl Sexp {
    /// The atom's text, if this is an atom.
    pub fn atom(&self) -> Option<&str> {
        match self {
            Sexp::Atom(text) => Some(text),
            Sexp::List(_) => None,
        }
    }
    /// The elements, if this is a list.
    pub fn list(&self) -> Option<&[Sexp]> {
        match self {
            Sexp::Atom(_) => None,
            Sexp::List(items) => Some(items),
        }
    }
    /// The first element of a list, if it is an atom: the name of a command or of an operator.
    pub fn head(&self) -> Option<&str> {
        self.list()?.first()?.atom()
    }
    /// The elements of a list after its head; empty for atoms.
    pub fn arguments(&self) -> &[Sexp] {
        self.list().and_then(|items| items.get(1..)).unwrap_or(&[])
    }
    /// Number of atoms and lists.
    pub fn size(&self) -> usize {
        match self {
            Sexp::Atom(_) => 1,
            Sexp::List(items) => 1 + items.iter().map(Sexp::size).sum::<usize>(),
        }
    }
}

impl fmt::Display for Sexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sexp::Atom(text) => f.write_str(text),
            Sexp::List(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" ")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Reads all expressions of `text`; an error says what is wrong and at which byte.
pub fn parse_all(text: &str) -> Result<Vec<Sexp>, String> {
    let mut open: Vec<Vec<Sexp>> = vec![Vec::new()];
    for token in tokens(text) {
        let token = token?;
        match token.text {
            "(" => open.push(Vec::new()),
            ")" => {
                let items = open.pop().expect("the outermost level is never popped");
                let parent =
                    open.last_mut().ok_or_else(|| format!("byte {}: stray `)`", token.at))?;
                parent.push(Sexp::List(items));
            }
            atom => {
                open.last_mut()
                    .expect("one level is always open")
                    .push(Sexp::Atom(atom.to_owned()));
            }
        }
    }
    let top = open.pop().expect("one level is always open");
    if open.is_empty() { Ok(top) } else { Err("a `(` is never closed".to_owned()) }
}

/// Reads exactly one expression.
pub fn parse_one(text: &str) -> Result<Sexp, String> {
    let mut all = parse_all(text)?;
    match (all.pop(), all.is_empty()) {
        (Some(one), true) => Ok(one),
        _ => Err(format!("expected one expression: {text}")),
    }
}

/// A lexical token and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// The source text.
    pub text: &'a str,
    /// Byte offset.
    pub at: usize,
}

/// The tokens of `text` in order; stops after the first error.
pub fn tokens(text: &str) -> impl Iterator<Item = Result<Token<'_>, String>> {
    let mut at = 0;
    let mut failed = false;
    std::iter::from_fn(move || {
        if failed {
            return None;
        }
        at = skip_blank(text, at);
        if at == text.len() {
            return None;
        }
        let start = at;
        let Some(end) = token_end(text, start) else {
            failed = true;
            return Some(Err(format!("byte {start}: unterminated string or quoted symbol")));
        };
        at = end;
        Some(Ok(Token { text: &text[start..end], at: start }))
    })
}

/// The first position at or after `at` that is neither white space nor in a comment.
fn skip_blank(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while at < bytes.len() {
        if bytes[at].is_ascii_whitespace() {
            at += 1;
        } else if bytes[at] == b';' {
            at = text[at..].find('\n').map_or(text.len(), |line| at + line);
        } else {
            break;
        }
    }
    at
}

/// One past the token that starts at `start`; `None` if a quoted token has no end.
fn token_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    match rest.as_bytes()[0] {
        b'(' | b')' => Some(start + 1),
        b'|' => rest[1..].find('|').map(|end| start + end + 2),
        b'"' => {
            let mut from = 1;
            loop {
                let close = from + rest[from..].find('"')?;
                if rest.as_bytes().get(close + 1) != Some(&b'"') {
                    return Some(start + close + 1);
                }
                from = close + 2;
            }
        }
        _ => {
            let stop =
                |c: char| c.is_ascii_whitespace() || matches!(c, '(' | ')' | ';' | '"' | '|');
            Some(start + rest.find(stop).unwrap_or(rest.len()))
        }
    }
}

/// The name a symbol token stands for: `|x|` and `x` are the same symbol.
pub fn symbol_name(token: &str) -> &str {
    token.strip_prefix('|').and_then(|inner| inner.strip_suffix('|')).unwrap_or(token)
}

/// Words of the logics that are not user symbols.
const RESERVED: &[&str] = &[
    "true",
    "false",
    "and",
    "or",
    "not",
    "=>",
    "xor",
    "=",
    "distinct",
    "ite",
    "+",
    "-",
    "*",
    "/",
    "<",
    "<=",
    ">",
    ">=",
    "div",
    "mod",
    "abs",
    "to_real",
    "to_int",
    "is_int",
    "_",
    "divisible",
    "let",
    "!",
    "as",
    "select",
    "store",
    "const",
    "concat",
    "bv2nat",
    "bv2int",
    "ubv_to_int",
    "sbv_to_int",
];

/// Whether a name is one of the operators on bit-vectors, of which there are many.
fn is_bit_operator(name: &str) -> bool {
    bits::BINARY.contains(&name)
        || bits::COMPARISONS.contains(&name)
        || ["bvnot", "bvneg", "bvcomp"].contains(&name)
}

/// Names of the symbols that occur free in `term`, less the reserved ones.
pub fn free_symbols(term: &Sexp) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect_symbols(term, &mut Vec::new(), &mut found);
    found
}

fn collect_symbols(term: &Sexp, bound: &mut Vec<String>, found: &mut BTreeSet<String>) {
    match term {
        Sexp::Atom(text) => {
            let name = symbol_name(text);
            let literal =
                text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | ':' | '#'));
            let reserved = RESERVED.contains(&name) || is_bit_operator(name);
            if !literal && !reserved && !bound.iter().any(|b| b == name) {
                found.insert(name.to_owned());
            }
        }
        Sexp::List(items) => match items.as_slice() {
            [Sexp::Atom(head), Sexp::List(bindings), body] if head == "let" => {
                for binding in bindings {
                    if let Some(value) = binding.arguments().first() {
                        collect_symbols(value, bound, found);
                    }
                }
                let outer = bound.len();
                bound.extend(
                    bindings.iter().filter_map(Sexp::head).map(|name| symbol_name(name).to_owned()),
                );
                collect_symbols(body, bound, found);
                bound.truncate(outer);
            }
            // An indexed name is never a user's, and a sort beside a name is no symbol of the term.
            [Sexp::Atom(head), ..] if head == "_" => {}
            [Sexp::Atom(head), inner, ..] if head == "!" || head == "as" => {
                collect_symbols(inner, bound, found);
            }
            _ => items.iter().for_each(|item| collect_symbols(item, bound, found)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints() {
        let text = "(assert (! (= |a b| \"x \"\" y\") :named n)) ; comment\n(check-sat)";
        let all = parse_all(text).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].to_string(), "(assert (! (= |a b| \"x \"\" y\") :named n))");
        assert!(parse_all("(a").is_err());
        assert!(parse_all("a)").is_err());
        assert!(parse_all("|a").is_err());
    }

    #[test]
    fn bound_names_are_not_free() {
        let check = |text: &str, expected: &[&str]| {
            let found = free_symbols(&parse_one(text).unwrap());
            assert_eq!(found.into_iter().collect::<Vec<_>>(), expected, "{text}");
        };
        check("(let ((x (+ x 1)) (z y)) (< x z 2.5))", &["x", "y"]);
        check("(and |p q| ((_ divisible 3) |y|))", &["p q", "y"]);
        check("(let ((x 1)) (let ((y x)) (> y w)))", &["w"]);
        check("(bvult ((_ extract 3 0) x) (bvadd #x3 (_ bv5 4)))", &["x"]);
        check(
            "(= (store a i ((_ int_to_bv 4) y)) ((as const (Array Int T)) c))",
            &["a", "c", "i", "y"],
        );
    }
}
