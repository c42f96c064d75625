//! Reading values.

mod assemble;

use std::ops::Range;

use shofar_base::Map;
use shofar_num::{Bits, Rational};

use super::{ELEMENT, Value};
use crate::print::print_sort;
use crate::{Sort, SortKind, TermStore};

/// What is wrong with a text that should be a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It is no value of any sort.
    Malformed,
    /// It is a value of another sort.
    Misfit,
}

/// Why a text is no value of the sort that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadValue {
    /// What is wrong.
    pub flaw: Flaw,
    /// The same for people.
    pub message: String,
    /// The bytes of the text that it is about.
    pub place: Range<usize>,
}

type Read<T> = Result<T, BadValue>;

/// Numbers nest no deeper than `(- (/ 1.0 2.0))`; one level is for good measure.
const DEEPEST: usize = 3;

/// The value of `sort` that `text` is: `true`, `5`, `(- 5)`, `(/ 1.0 3.0)`, the name of an element,
/// `#x2a`, `(cons 1 nil)` or `(store ((as const (Array Int Int)) 0) 3 7)`; whatever
/// [`print_value`](super::print_value) writes.
///
/// ```
/// use shofar_term::value::{print_value, read_value};
/// use shofar_term::{Sort, TermStore};
/// let store = TermStore::new();
/// let half = read_value(&store, "(- (/ 1.0 2.0))", Sort::REAL).expect("a number");
/// assert_eq!(print_value(&store, &half, Sort::REAL), "(/ (- 1.0) 2.0)");
/// ```
pub fn read_value(store: &TermStore, text: &str, sort: Sort) -> Read<Value> {
    NamedValues::default().read(store, text, sort)
}

/// A value of so many parts, counted as often as they occur, is refused: what compares values must
/// end.
const MOST_PARTS: u64 = 1 << 24;

/// The values that have been given a name, `(! … :named @0)`, in the texts read so far; see
/// [`SharedValues`](super::SharedValues).
#[derive(Debug, Default)]
pub struct NamedValues {
    /// Each with the number of its parts.
    known: Map<String, (Value, u64)>,
}

impl NamedValues {
    /// Reads a value of `sort`, like [`read_value`].
    pub fn read(&mut self, store: &TermStore, text: &str, sort: Sort) -> Read<Value> {
        let mut words = Words { text, at: 0 };
        let value = words.value(store, sort, self)?;
        let rest = words.next();
        if rest.text.is_empty() { Ok(value) } else { Err(rest.unexpected("the end of the value")) }
    }
    /// What a word names, with the number of its parts.
    fn get(&self, store: &TermStore, word: &Word<'_>, sort: Sort) -> Read<(Value, u64)> {
        let Some((value, parts)) = self.known.get(word.text) else {
            return Err(word.bad(Flaw::Malformed, "nothing has this name"));
        };
        if !value.has_sort(store, sort) {
            let sort = print_sort(store, sort);
            return Err(word.misfit(format!("this is not a value of {sort}")));
        }
        Ok((value.clone(), *parts))
    }
}

/// A parenthesis, a word, a quoted symbol with its bars, or nothing at the end.
struct Word<'t> {
    text: &'t str,
    start: usize,
}

impl Word<'_> {
    fn bad(&self, flaw: Flaw, message: impl Into<String>) -> BadValue {
        let place = self.start..self.start + self.text.len();
        BadValue { flaw, message: message.into(), place }
    }
    fn misfit(&self, message: impl Into<String>) -> BadValue {
        self.bad(Flaw::Misfit, message)
    }
    fn unexpected(&self, expected: &str) -> BadValue {
        let found = match self.text {
            "" => "the end of the text".to_owned(),
            text => format!("`{text}`"),
        };
        self.bad(Flaw::Malformed, format!("expected {expected}, found {found}"))
    }
    fn is_truth_value(&self) -> bool {
        self.text == "true" || self.text == "false"
    }
    fn is_parenthesis(&self) -> bool {
        matches!(self.text, "(" | ")" | "")
    }
    /// The text without bars.
    fn name(&self) -> &str {
        let inner = self.text.strip_prefix('|').and_then(|text| text.strip_suffix('|'));
        inner.unwrap_or(self.text)
    }
}

struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    /// The next word.
    fn next(&mut self) -> Word<'t> {
        self.skip_blanks();
        let (start, rest) = (self.at, &self.text[self.at..]);
        let length = match rest.as_bytes().first() {
            None => 0,
            Some(b'(' | b')') => 1,
            Some(b'|') => rest[1..].find('|').map_or(rest.len(), |length| length + 2),
            Some(_) => {
                let ends = |c: char| c.is_ascii_whitespace() || "()|;".contains(c);
                rest.find(ends).unwrap_or(rest.len())
            }
        };
        self.at += length;
        Word { text: &rest[..length], start }
    }
    /// Skips white space and comments.
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.text[self.at..].trim_ascii_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with(';') {
                return;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }
    /// A value of a sort whose values are not made of others.
    fn scalar(&mut self, store: &TermStore, sort: Sort) -> Read<Value> {
        let first = self.next();
        match store.sort_kind(sort) {
            SortKind::Bool if first.is_truth_value() => Ok(Value::Bool(first.text == "true")),
            SortKind::Bool if first.is_parenthesis() => Err(first.unexpected("`true` or `false`")),
            SortKind::Bool => Err(first.misfit("this is neither `true` nor `false`")),
            SortKind::Int | SortKind::Real if first.is_truth_value() => {
                Err(first.misfit("this is not a number"))
            }
            SortKind::Int | SortKind::Real => {
                let number = self.number(&first, DEEPEST)?;
                if sort.is_int() && !number.is_integer() {
                    return Err(first.misfit("this is not an integer"));
                }
                Ok(Value::Number(number))
            }
            SortKind::Bits(_) | SortKind::Array(..) | SortKind::Data(..) => {
                unreachable!("these are read elsewhere")
            }
            SortKind::Uninterpreted(name) => {
                let number = element(&first, name, |n| store.element_name(sort, n));
                number.map(|number| Value::Element(sort, number)).ok_or_else(|| {
                    let sort = print_sort(store, sort);
                    first.misfit(format!("this is not an element of {sort}"))
                })
            }
        }
    }
    /// `#x…`, `#b…` or `(_ bvN w)`, of this width.
    fn bits(&mut self, width: u32) -> Read<Value> {
        let first = self.next();
        let bits = if first.text == "(" {
            self.indexed_bits()?
        } else {
            // The digits of a literal that fits are at most as many as its bits.
            let fits = first.text.len() <= width as usize + 2;
            let literal = if fits { Bits::from_literal(first.text) } else { None };
            match literal {
                Some(bits) => bits,
                None if first.is_parenthesis() => return Err(first.unexpected("a bit-vector")),
                None => return Err(first.misfit(format!("this is not a vector of {width} bits"))),
            }
        };
        if bits.width() != width {
            return Err(first.misfit(format!("this is not a vector of {width} bits")));
        }
        Ok(Value::bits(bits))
    }
    /// `_ bvN w)`.
    fn indexed_bits(&mut self) -> Read<Bits> {
        let (underscore, name, width) = (self.next(), self.next(), self.next());
        if underscore.text != "_" {
            return Err(underscore.unexpected("`_`"));
        }
        let digits = name.text.strip_prefix("bv").unwrap_or("");
        let number = digits.parse::<Rational>();
        let number = number.ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()));
        let Some(number) = number else { return Err(name.unexpected("`bvN`")) };
        let bits = match width.text.parse() {
            Ok(width) if (1..=crate::WIDEST).contains(&width) => Bits::new(width, &number),
            Ok(_) | Err(_) => return Err(width.unexpected("a width")),
        };
        if *bits.to_nat() != number {
            return Err(name.bad(Flaw::Malformed, "this number does not fit into the width"));
        }
        let close = self.next();
        if close.text == ")" { Ok(bits) } else { Err(close.unexpected("`)`")) }
    }
    /// `5`, `5.0`, `(- n)` or `(/ n m)`.
    fn number(&mut self, first: &Word<'t>, depth: usize) -> Read<Rational> {
        if !first.is_parenthesis() {
            return literal(first);
        }
        if first.text != "(" || depth == 0 {
            return Err(first.unexpected("a number"));
        }
        let operator = self.next();
        let operand = self.next();
        let number = self.number(&operand, depth - 1)?;
        let number = match operator.text {
            "-" => -number,
            "/" => {
                let operand = self.next();
                let divisor = self.number(&operand, depth - 1)?;
                if divisor.is_zero() {
                    let message = "a value cannot be divided by zero";
                    return Err(operand.bad(Flaw::Malformed, message));
                }
                number / divisor
            }
            _ => return Err(operator.unexpected("`-` or `/`")),
        };
        let close = self.next();
        if close.text == ")" { Ok(number) } else { Err(close.unexpected("`)`")) }
    }
}

/// A decimal number, maybe with a sign.
fn literal(word: &Word<'_>) -> Read<Rational> {
    let digits = word.text.strip_prefix('-').unwrap_or(word.text);
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.ends_with(|c: char| c.is_ascii_digit());
    match word.text.parse() {
        Ok(number) if plain => Ok(number),
        Ok(_) | Err(_) => Err(word.unexpected("a number")),
    }
}

/// The number of the element of the sort with this name, if that is what it is called.
fn element(word: &Word<'_>, sort: &str, called: impl Fn(u32) -> String) -> Option<u32> {
    let name = word.text;
    let name = name.strip_prefix('|').and_then(|n| n.strip_suffix('|')).unwrap_or(name);
    let (marks, number) = name.strip_prefix(sort)?.split_once(ELEMENT.trim_start_matches('!'))?;
    let number = number.parse().ok()?;
    (marks.starts_with('!') && called(number) == name).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::super::print_value;
    use super::*;
    use crate::{ConstructorDeclaration, DataDeclaration, FieldSort};

    #[test]
    fn elements_have_names_of_their_own() {
        let mut store = TermStore::new();
        let sort = store.declare_sort("S");
        let element = Value::Element(sort, 0);
        let constant = store.value_term(&element, sort);
        assert_eq!(print_value(&store, &element, sort), "S!val!0");
        let number = store.declare("S!val!1", &[], Sort::INT);
        let function = store.declare("S!!val!1", &[Sort::INT], sort);
        let user = store.var("S!val!2", sort);
        for (number, name) in [(0, "S!val!0"), (1, "S!!!val!1"), (2, "S!!val!2")] {
            let element = Value::Element(sort, number);
            assert_eq!(print_value(&store, &element, sort), name);
            assert_eq!(read_value(&store, name, sort), Ok(element));
        }
        assert!(read_value(&store, "S!val!2", sort).is_err(), "that is the user's");
        assert_ne!(store.value_term(&Value::Element(sort, 2), sort), user);
        assert_eq!(store.value_term(&element, sort), constant);
        assert_ne!(store.name(number), store.name(function));
    }

    #[test]
    fn what_is_printed_is_read() {
        let mut store = TermStore::new();
        let (plain, odd) = (store.declare_sort("S"), store.declare_sort("a sort"));
        let number = |text: &str| Value::Number(text.parse().expect("a number"));
        let cases = [
            (Value::Bool(true), Sort::BOOL, "true"),
            (number("7"), Sort::INT, "7"),
            (number("-7"), Sort::INT, "(- 7)"),
            (number("-7/3"), Sort::REAL, "(/ (- 7.0) 3.0)"),
            (Value::Element(plain, 0), plain, "S!val!0"),
            (Value::Element(odd, 12), odd, "|a sort!val!12|"),
        ];
        for (value, sort, text) in cases {
            assert_eq!(print_value(&store, &value, sort), text);
            assert_eq!(read_value(&store, text, sort), Ok(value.clone()));
            let other = store.declare_sort("other");
            assert!(value.has_sort(&store, sort) && !value.has_sort(&store, other));
        }
    }

    /// A list of numbers, of which a constant is shared with another type, and an array.
    fn compound(store: &mut TermStore) -> [Sort; 3] {
        let nil = || ConstructorDeclaration { name: "nil".into(), fields: Vec::new() };
        let fields = vec![
            ("head".into(), FieldSort::Known(Sort::INT)),
            ("the tail".into(), FieldSort::Own(0)),
        ];
        let cons = ConstructorDeclaration { name: "a cons".into(), fields };
        let list = DataDeclaration { name: "List".into(), constructors: vec![nil(), cons] };
        let other = DataDeclaration { name: "Other".into(), constructors: vec![nil()] };
        let list = store.declare_data(vec![list]).expect("it has values")[0];
        store.declare_data(vec![other]).expect("it has values");
        let byte = store.bits_sort(8);
        [list, store.array_sort(list, byte), store.array_sort(Sort::BOOL, list)]
    }

    #[test]
    fn compound_values_are_read_as_printed() {
        let mut store = TermStore::new();
        let [list, table, pair] = compound(&mut store);
        let check = |text: &str, sort: Sort, printed: &str| {
            let value = read_value(&store, text, sort).expect(text);
            assert!(value.has_sort(&store, sort));
            assert_eq!(print_value(&store, &value, sort), printed);
            assert_eq!(read_value(&store, printed, sort), Ok(value), "{printed}");
        };
        let nil = "(as nil List)";
        check("nil", list, nil);
        check(
            "((as |a cons| List) (- 3) (|a cons| 1 nil))",
            list,
            &format!("(|a cons| (- 3) (|a cons| 1 {nil}))"),
        );
        let base = "((as const (Array List (_ BitVec 8))) #x00)";
        check(
            &format!("(store (store {base} nil #b00000001) nil (_ bv2 8))"),
            table,
            &format!("(store {base} {nil} #x02)"),
        );
        let all = format!("((as const (Array Bool List)) {nil})");
        check(&format!("(store (store {all} true nil) false nil)"), pair, &all);
    }

    #[test]
    fn what_is_no_compound_value_is_refused_at_its_place() {
        let mut store = TermStore::new();
        let [list, table, _] = compound(&mut store);
        let check = |text: &str, sort: Sort, flaw: Flaw, found: &str| {
            let bad = read_value(&store, text, sort).expect_err(text);
            let place = &text[bad.place.clone()];
            assert_eq!((bad.flaw, place), (flaw, found), "{text}: {}", bad.message);
        };
        check("cons", list, Flaw::Misfit, "cons");
        check("(as nil Other)", list, Flaw::Misfit, "Other");
        check("(nil)", list, Flaw::Malformed, "nil");
        check("|a cons|", list, Flaw::Malformed, "|a cons|");
        check("(|a cons| 1)", list, Flaw::Malformed, ")");
        check("(|a cons| true nil)", list, Flaw::Misfit, "true");
        check("(|a cons| 1 nil nil)", list, Flaw::Malformed, "nil");
        check("(store nil nil #x00)", table, Flaw::Malformed, "nil");
        check("((as const (Array Int (_ BitVec 8))) #x00)", table, Flaw::Misfit, "Int");
        check("((as const (Array List (_ BitVec 8))) #x0)", table, Flaw::Misfit, "#x0");
        check(
            "((as const (Array List (_ BitVec 8))) (_ bv256 8))",
            table,
            Flaw::Malformed,
            "bv256",
        );
        check("(lambda ((x List)) #x00)", table, Flaw::Malformed, "lambda");
        check("(|a cons|", list, Flaw::Malformed, "");
    }

    #[test]
    fn long_lists_and_large_arrays_are_read() {
        let mut store = TermStore::new();
        let [list, ..] = compound(&mut store);
        let count = 200_000;
        let text = "(|a cons| 1 ".repeat(count) + "nil" + &")".repeat(count);
        let value = read_value(&store, &text, list).expect("a list");
        assert_eq!(print_value(&store, &value, list).len(), text.len() + "(as  List)".len());
        let sort = store.array_sort(Sort::INT, Sort::INT);
        let writes = (0..count).fold(String::new(), |all, i| all + " " + &i.to_string() + " 1)");
        let text = "(store ".repeat(count) + "((as const (Array Int Int)) 0)" + &writes;
        let value = read_value(&store, &text, sort).expect("an array");
        assert_eq!(value.as_array().map(|array| array.entries().len()), Some(count));
    }

    #[test]
    fn what_is_no_value_is_refused_at_its_place() {
        let mut store = TermStore::new();
        let sort = store.declare_sort("S");
        let check = |text: &str, sort: Sort, flaw: Flaw, place: Range<usize>| {
            let bad = read_value(&store, text, sort).expect_err(text);
            assert_eq!((bad.flaw, bad.place), (flaw, place), "{text}: {}", bad.message);
        };
        check("0", Sort::BOOL, Flaw::Misfit, 0..1);
        check(" 0.5", Sort::INT, Flaw::Misfit, 1..4);
        check("(/ 1.0 0.0)", Sort::REAL, Flaw::Malformed, 7..10);
        check("(- 1 2)", Sort::INT, Flaw::Malformed, 5..6);
        check("(- (- (- (- 1))))", Sort::INT, Flaw::Malformed, 9..10);
        check("1 1", Sort::INT, Flaw::Malformed, 2..3);
        check("", Sort::INT, Flaw::Malformed, 0..0);
        check("T!val!0", sort, Flaw::Misfit, 0..7);
        check("S!val!99999999999", sort, Flaw::Misfit, 0..17);
        assert_eq!(read_value(&store, "; one\n 1", Sort::INT), Ok(Value::Number(1.into())));
    }
}
