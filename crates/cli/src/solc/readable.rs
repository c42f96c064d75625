//! Which definitions of a model Solidity's compiler can read.
//!
//! The compiler refuses a whole answer if one definition in it is beyond its reader, so such
//! definitions are left out: it shows those of two predicates at most, and does not ask whether all
//! are there. Its reader knows
//!
//! - numerals, Booleans, bit-vectors in binary and hexadecimal digits, and any function that is
//!   written as one word;
//! - of functions written otherwise `((as const S) v)`, `((_ int2bv n) t)` and
//!   `((_ extract i j) t)`;
//! - the sorts `Int`, `Bool`, arrays of them and records;
//! - `let`, which it expands, so that a small text may become a large one.
//!
//! It also reads quantified formulas, but shows each as `true`, wherever it stands. What would be
//! shown is no invariant, so definitions with quantifiers are left out as well.

use std::collections::BTreeMap;

/// So many words may a definition have after the expansion of `let`.
const MOST: u64 = 200_000;

/// The definitions in `model`, a list of them, that the compiler can read, as such a list.
pub(crate) fn readable(model: &str) -> String {
    let mut lines = vec!["("];
    lines.extend(elements(model).into_iter().filter(|definition| is_readable(definition)));
    lines.push(")");
    lines.join("\n") + "\n"
}

/// The lists in a list.
fn elements(text: &str) -> Vec<&str> {
    let (mut elements, mut depth, mut offset, mut begin) = (Vec::new(), 0_usize, 0, 0);
    for token in tokens(text) {
        // A word between the lists does not begin one.
        offset += text[offset..].find(token).expect("tokens are parts of the text in their order");
        match token {
            "(" => {
                depth += 1;
                if depth == 2 {
                    begin = offset;
                }
            }
            ")" => {
                if depth == 2 {
                    elements.push(&text[begin..=offset]);
                }
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        offset += token.len();
    }
    elements
}

/// A list that is not closed yet.
#[derive(Default)]
struct Open<'t> {
    /// The word at the beginning.
    head: Option<&'t str>,
    /// How many words and lists there are in it.
    count: usize,
    /// How many words there are after the expansion of `let`.
    size: u64,
    role: Role<'t>,
}

/// What a list is good for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Role<'t> {
    /// A term, or a sort.
    #[default]
    Term,
    /// A function that is not one word.
    Function,
    /// The variables of `let` or of the definition.
    Binders(&'t str),
    /// One of them.
    Binder(&'t str),
}

/// Whether the compiler can read a definition.
fn is_readable(definition: &str) -> bool {
    let mut open: Vec<Open<'_>> = Vec::new();
    // The sizes of what `let` names.
    let mut named: BTreeMap<&str, u64> = BTreeMap::new();
    for token in tokens(definition) {
        match token {
            "(" => {
                let role = open.last().map_or(Role::Term, role_in);
                open.push(Open { role, ..Open::default() });
            }
            ")" => {
                let Some(list) = open.pop() else { return false };
                if !list.is_known() || list.size > MOST {
                    return false;
                }
                if list.role == Role::Binder("let") {
                    named.extend(list.head.map(|name| (name, list.size)));
                }
                if let Some(parent) = open.last_mut() {
                    let size = if list.role == Role::Binders("let") { 0 } else { list.size };
                    parent.add(None, size);
                }
            }
            // The reader has no sort of reals.
            "Real" | "forall" | "exists" => return false,
            word => {
                let Some(list) = open.last_mut() else { return false };
                list.add(Some(word), named.get(word).copied().unwrap_or(1));
                let is_function = list.role == Role::Function;
                if list.count == 2 && !is_function && matches!(list.head, Some("_" | "as")) {
                    return false;
                }
                if list.count == 2 && is_function && !is_known_function(list.head, word) {
                    return false;
                }
            }
        }
    }
    open.is_empty()
}

impl<'t> Open<'t> {
    fn add(&mut self, word: Option<&'t str>, size: u64) {
        if self.count == 0 {
            self.head = word;
        }
        self.count += 1;
        self.size = self.size.saturating_add(size);
    }
    /// A function that is not one word has one argument.
    fn is_known(&self) -> bool {
        let is_applied = self.role == Role::Term && self.head.is_none() && self.count > 0;
        !is_applied || self.count == 2
    }
}

/// What a list is that begins in another one now.
fn role_in<'t>(parent: &Open<'t>) -> Role<'t> {
    match (parent.role, parent.head) {
        (Role::Binders(of), _) => Role::Binder(of),
        (Role::Term, None) if parent.count == 0 => Role::Function,
        (Role::Term, Some(word @ "let")) if parent.count == 1 => Role::Binders(word),
        (Role::Term, Some(word @ "define-fun")) if parent.count == 2 => Role::Binders(word),
        (Role::Term | Role::Function | Role::Binder(_), _) => Role::Term,
    }
}

/// Whether `(HEAD WORD …)` is a function that the reader knows.
fn is_known_function(head: Option<&str>, word: &str) -> bool {
    matches!((head, word), (Some("as"), "const") | (Some("_"), "int2bv" | "extract"))
}

/// Parentheses and words; a name in bars is one word.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length = match first {
            '(' | ')' => 1,
            '|' => rest[1..].find('|').map_or(rest.len(), |end| end + 2),
            _ => rest.find(|c: char| c.is_whitespace() || "()|".contains(c)).unwrap_or(rest.len()),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(params: &str, body: &str, expected: bool) {
        let definition = format!("(define-fun |p q| ({params}) Bool {body})");
        assert_eq!(is_readable(&definition), expected, "{definition}");
        let model = format!("(\n(define-fun r () Bool true)\n{definition}\n)\n");
        let rest =
            if expected { model.clone() } else { "(\n(define-fun r () Bool true)\n)\n".into() };
        assert_eq!(readable(&model), rest);
    }

    #[test]
    fn what_the_compiler_reads() {
        check("", "true", true);
        check("(A Int) (B Bool)", "(and B (>= (+ A (* 2 A)) (- 5)) (not (= A 3)))", true);
        check("(A (Array Int Int)) (B |a b|)", "(= (select A 0) (|get x| B))", true);
        check("(A (Array Int Int))", "(= A (store ((as const (Array Int Int)) 0) 1 2))", true);
        check("(A Int)", "(= (bv2nat ((_ int2bv 8) A)) 3)", true);
        check("(A Int)", "(let ((a!1 (+ A 1)) (a!2 3)) (= a!1 a!2))", true);
    }

    #[test]
    fn what_it_does_not_read() {
        check("(A Real)", "true", false);
        check("(A (_ BitVec 8))", "true", false);
        check("(A T)", "((_ is c) A)", false);
        check("(A Int)", "(= ((_ int2bv 8) A) (_ bv3 8))", false);
        check("(A Int)", "(= ((_ zero_extend 8) #b1) #b1)", false);
        check("(A Int)", "(= (as f Int) A)", false);
        check("(A Int)", "(and (> A 0) (forall ((i Int)) (> i A)))", false);
        check("(A Int)", "(exists ((i Int)) (= i A))", false);
        assert!(!is_readable("(define-fun p () Bool (not false)"));
    }

    #[test]
    fn what_would_become_large() {
        let doubled = |times: usize| {
            let mut text = format!("(> a!{times} 0)");
            for i in (1..=times).rev() {
                let before = if i == 1 { "A".to_owned() } else { format!("a!{}", i - 1) };
                text = format!("(let ((a!{i} (+ {before} {before}))) {text})");
            }
            text
        };
        check("(A Int)", &doubled(9), true);
        check("(A Int)", &doubled(20), false);
    }
}
