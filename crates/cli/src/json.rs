//! Witnesses as JSON, for `--witness=json`.
//!
//! The line says what the printed model or refutation says, and is made of it, so that the two
//! cannot differ. Formulas and values are texts of SMT-LIB, since numbers may be larger than what
//! readers of JSON take; a formula is there as a tree of operators, too.

use std::fmt::Write as _;

use crate::report::quoted;

/// An S-expression of a printed witness.
#[derive(Debug, PartialEq, Eq)]
enum Item<'t> {
    Atom(&'t str),
    /// With its text.
    List(&'t str, Vec<Item<'t>>),
}

/// The line for the evidence behind an answer, as it is printed.
pub(crate) fn of_evidence(word: &str, evidence: &str) -> String {
    let items = items(evidence);
    let (kind, content) = match items.first() {
        Some(Item::List(_, parts)) if parts.first() == Some(&Item::Atom("refutation")) => {
            ("refutation", format!("\"steps\":{}", list(&parts[1..], step)))
        }
        Some(Item::List(_, parts)) => {
            let parts = parts.iter().filter(|part| matches!(part, Item::List(..)));
            let parts: Vec<&Item<'_>> = parts.collect();
            ("model", format!("\"definitions\":{}", list(&parts, |part| definition(part))))
        }
        Some(Item::Atom(_)) | None => ("nothing", "\"steps\":[]".to_owned()),
    };
    format!("{{\"format\":1,\"verdict\":{},\"kind\":{},{content}}}", quoted(word), quoted(kind))
}

/// The expressions of a text that this program has printed.
fn items(text: &str) -> Vec<Item<'_>> {
    let bytes = text.as_bytes();
    let mut open: Vec<(usize, Vec<Item<'_>>)> = Vec::new();
    let mut here = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        at += 1;
        match bytes[start] {
            b'(' => open.push((start, std::mem::take(&mut here))),
            b')' => {
                if let Some((begin, around)) = open.pop() {
                    let parts = std::mem::replace(&mut here, around);
                    here.push(Item::List(&text[begin..at], parts));
                }
            }
            b';' => at += length(&bytes[at..], |byte| byte == b'\n'),
            quote @ (b'|' | b'"') => {
                at = bytes.len().min(at + 1 + length(&bytes[at..], |byte| byte == quote));
                here.push(Item::Atom(&text[start..at]));
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => {
                at += length(&bytes[at..], |b| b.is_ascii_whitespace() || b"()|\";".contains(&b));
                here.push(Item::Atom(&text[start..at]));
            }
        }
    }
    here
}

/// How many bytes stand before the first one that ends something.
fn length(bytes: &[u8], ends: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| ends(byte)).unwrap_or(bytes.len())
}

/// Nested expressions are dropped one by one, as a formula may be nested deeply.
impl Drop for Item<'_> {
    fn drop(&mut self) {
        let mut rest = Vec::from([self.take_parts()]);
        while let Some(parts) = rest.pop() {
            rest.extend(parts.into_iter().map(|mut part| part.take_parts()));
        }
    }
}

impl<'t> Item<'t> {
    fn take_parts(&mut self) -> Vec<Item<'t>> {
        match self {
            Item::Atom(_) => Vec::new(),
            Item::List(_, parts) => std::mem::take(parts),
        }
    }
    fn text(&self) -> &'t str {
        match self {
            Item::Atom(text) | Item::List(text, _) => text,
        }
    }
    fn parts(&self) -> &[Item<'t>] {
        match self {
            Item::Atom(_) => &[],
            Item::List(_, parts) => parts,
        }
    }
    /// The text in one line.
    fn line(&self) -> String {
        quoted(&self.text().split('\n').map(str::trim).collect::<Vec<_>>().join(" "))
    }
    /// The name that a symbol stands for, without bars.
    fn name(&self) -> String {
        let text = self.text();
        let inner = text.strip_prefix('|').and_then(|text| text.strip_suffix('|'));
        quoted(inner.unwrap_or(text))
    }
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    let shown: Vec<String> = items.iter().map(show).collect();
    format!("[{}]", shown.join(","))
}

/// A step or a repeat.
fn step(item: &Item<'_>) -> String {
    match item.parts() {
        [Item::Atom("repeat"), count, first, last] => {
            let inner = |half: &Item<'_>| list(half.parts().get(1..).unwrap_or_default(), step);
            format!(
                "{{\"repeat\":{},\"first\":{},\"last\":{}}}",
                quoted(count.text()),
                inner(first),
                inner(last)
            )
        }
        [Item::Atom("step"), number, attributes @ ..] => {
            let mut text = format!("{{\"step\":{}", number.text());
            for pair in attributes.chunks_exact(2) {
                let [Item::Atom(keyword), value] = pair else { continue };
                let shown = match *keyword {
                    ":clause" | ":line" => value.text().to_owned(),
                    ":premises" => list(value.parts(), |premise| premise.text().to_owned()),
                    ":values" => values(value),
                    ":name" => value.name(),
                    _ => value.line(),
                };
                let _ = write!(text, ",{}:{shown}", quoted(keyword.trim_start_matches(':')));
            }
            text + "}"
        }
        _ => item.line(),
    }
}

fn values(item: &Item<'_>) -> String {
    list(item.parts(), |pair| match pair.parts() {
        [name, value] => format!("{{\"name\":{},\"value\":{}}}", name.name(), value.line()),
        _ => pair.line(),
    })
}

/// What a predicate means.
fn definition(item: &Item<'_>) -> String {
    let [_, name, params, _, body] = item.parts() else { return item.line() };
    let (name, params, formula) = (name.name(), variables(params), body.line());
    let tree = tree(body);
    format!("{{\"name\":{name},\"parameters\":{params},\"formula\":{formula},\"tree\":{tree}}}")
}

fn variables(item: &Item<'_>) -> String {
    list(item.parts(), |pair| match pair.parts() {
        [name, sort] => format!("{{\"name\":{},\"sort\":{}}}", name.name(), sort.line()),
        _ => pair.line(),
    })
}

/// What remains to be written of a tree.
enum Rest<'i, 't> {
    Tree(&'i Item<'t>),
    Text(&'static str),
}

/// A formula as a tree: an operator with its arguments, and texts at the leaves.
fn tree(item: &Item<'_>) -> String {
    let (mut text, mut rest) = (String::new(), vec![Rest::Tree(item)]);
    while let Some(next) = rest.pop() {
        let item = match next {
            Rest::Text(piece) => {
                text += piece;
                continue;
            }
            Rest::Tree(item) => item,
        };
        let [head, arguments @ ..] = item.parts() else {
            text += &item.line();
            continue;
        };
        let _ = write!(text, "{{\"op\":{}", head.line());
        let arguments = match (head, arguments) {
            (Item::Atom("forall" | "exists"), [bound, body @ ..]) => {
                let _ = write!(text, ",\"variables\":{}", variables(bound));
                body
            }
            (Item::Atom("let"), [bound, body @ ..]) => {
                text += ",\"bindings\":[";
                rest.push(Rest::Text("]}"));
                push_all(&mut rest, body);
                rest.push(Rest::Text("],\"args\":["));
                let pairs = bound.parts().iter().enumerate().rev();
                for (at, pair) in pairs {
                    rest.push(Rest::Tree(pair));
                    if at > 0 {
                        rest.push(Rest::Text(","));
                    }
                }
                continue;
            }
            // `(_ bv3 8)` is a value.
            (Item::Atom("_"), _) => {
                text.truncate(text.len() - "{\"op\":\"_\"".len());
                text += &item.line();
                continue;
            }
            (Item::Atom(_) | Item::List(..), arguments) => arguments,
        };
        text += ",\"args\":[";
        rest.push(Rest::Text("]}"));
        push_all(&mut rest, arguments);
    }
    text
}

/// Lets arguments be written, with commas between them.
fn push_all<'i, 't>(rest: &mut Vec<Rest<'i, 't>>, arguments: &'i [Item<'t>]) {
    for (at, argument) in arguments.iter().enumerate().rev() {
        rest.push(Rest::Tree(argument));
        if at > 0 {
            rest.push(Rest::Text(","));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(evidence: &str, expected: &str) {
        let line = of_evidence("sat", evidence);
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "{line}");
        let whole = format!("{{\"format\":1,\"verdict\":\"sat\",{expected}}}");
        assert_eq!(line, whole);
    }

    #[test]
    fn evidence_is_told_as_it_is_printed() {
        check("()", "\"kind\":\"model\",\"definitions\":[]");
        check(
            "(\n(define-fun |a b| ((A Int)) Bool (or (<= A (- 3)) (= ((_ f 1) A) (_ bv3 8))))\n)",
            "\"kind\":\"model\",\"definitions\":[{\"name\":\"a b\",\"parameters\":[{\"name\":\"A\",\"sort\":\"Int\"}],\
             \"formula\":\"(or (<= A (- 3)) (= ((_ f 1) A) (_ bv3 8)))\",\
             \"tree\":{\"op\":\"or\",\"args\":[{\"op\":\"<=\",\"args\":[\"A\",{\"op\":\"-\",\"args\":[\"3\"]}]},\
             {\"op\":\"=\",\"args\":[{\"op\":\"(_ f 1)\",\"args\":[\"A\"]},\"(_ bv3 8)\"]}]}}]",
        );
        check(
            "; folded\n(refutation\n(step 0 :clause 1 :name |x y| :line 3 :values ((x (- 1))) :premises (2 1) :derives (p 1))\n)",
            "\"kind\":\"refutation\",\"steps\":[{\"step\":0,\"clause\":1,\"name\":\"x y\",\"line\":3,\
             \"values\":[{\"name\":\"x\",\"value\":\"(- 1)\"}],\"premises\":[2,1],\"derives\":\"(p 1)\"}]",
        );
        check(
            "(refutation (repeat 5 (first (step 0 :clause 0 :premises ())) (last (step 1 :clause 0 :premises (0)))))",
            "\"kind\":\"refutation\",\"steps\":[{\"repeat\":\"5\",\"first\":[{\"step\":0,\"clause\":0,\"premises\":[]}],\
             \"last\":[{\"step\":1,\"clause\":0,\"premises\":[0]}]}]",
        );
    }

    #[test]
    fn trees_have_variables_and_bindings() {
        let tree = |text: &str| tree(&items(text)[0]);
        assert_eq!(
            tree("(forall ((x Int)) (p x))"),
            "{\"op\":\"forall\",\"variables\":[{\"name\":\"x\",\"sort\":\"Int\"}],\"args\":[{\"op\":\"p\",\"args\":[\"x\"]}]}"
        );
        assert_eq!(
            tree("(let ((a (f 1)) (b 2)) a)"),
            "{\"op\":\"let\",\"bindings\":[{\"op\":\"a\",\"args\":[{\"op\":\"f\",\"args\":[\"1\"]}]},\
             {\"op\":\"b\",\"args\":[\"2\"]}],\"args\":[\"a\"]}"
        );
        let deep = "(not ".repeat(100_000) + "p" + &")".repeat(100_000);
        let expected =
            "{\"op\":\"not\",\"args\":[".repeat(100_000) + "\"p\"" + &"]}".repeat(100_000);
        assert!(tree(&deep) == expected);
    }
}
