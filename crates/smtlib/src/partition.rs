//! The partitions that interpolants are asked for.
//!
//! `(get-interpolants A B C)` is a sequence. A parenthesised list opens a subtree beside what was
//! read before, and the next element behind it is the parent of both: in
//! `(get-interpolants A (B C) D)` the root `D` has the children `A` and `C`, and `C` has the child
//! `B`. An element is the name of an assertion or a conjunction `(and n1 n2 …)` of names.
//!
//! Source: [CHN12] §4, the notation of `SMTInterpol` for trees in postorder with the start of each
//! subtree.

use shofar_base::{Read, Span};

use crate::lexer::Lexer;
use crate::sexpr;
use crate::token::{Token, TokenKind};

/// One element of a partition: the conjunction of some named assertions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The names.
    pub names: Vec<String>,
    /// Where the element stands.
    pub span: Span,
}

/// A partition in form of a tree; without groups, the sequence of all assertions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    /// The nodes in postorder; the last one is the root.
    pub groups: Vec<Group>,
    /// For each node, the first node of the subtree below it; all 0 for a sequence.
    pub start_of_subtree: Vec<usize>,
}

/// The elements of `get-interpolants`, and the closing parenthesis of the command.
pub(crate) fn partition(lexer: &mut Lexer<'_>) -> Read<Partition> {
    let mut partition = Partition::default();
    // The first node of every open list, and whether the list ends with an element yet.
    let mut lists = vec![(0usize, false)];
    while let Some((start, complete)) = lists.last_mut() {
        let start = *start;
        let token = lexer.next()?;
        let group = match token.kind {
            TokenKind::Close if !*complete => {
                return Err(lexer
                    .error_at(token, "a list of partitions must end with the root of its tree"));
            }
            TokenKind::Close => {
                lists.pop();
                continue;
            }
            TokenKind::Open if begins_conjunction(lexer)? => conjunction(lexer, token)?,
            TokenKind::Open => {
                *complete = false;
                lists.push((partition.groups.len(), false));
                continue;
            }
            TokenKind::Symbol | TokenKind::Quoted => single(lexer, token),
            TokenKind::Keyword
            | TokenKind::Numeral
            | TokenKind::Decimal
            | TokenKind::Hexadecimal
            | TokenKind::Binary
            | TokenKind::String
            | TokenKind::End => {
                return Err(sexpr::unexpected(lexer, "the name of an assertion", token));
            }
        };
        *complete = true;
        partition.groups.push(group);
        partition.start_of_subtree.push(start);
    }
    Ok(partition)
}

fn begins_conjunction(lexer: &mut Lexer<'_>) -> Read<bool> {
    let head = lexer.peek()?;
    Ok(lexer.token_bytes(head) == b"and")
}

fn single(lexer: &Lexer<'_>, token: Token) -> Group {
    Group {
        names: vec![lexer.token_str(token).to_owned()],
        span: lexer.span(token.start(), token.end()),
    }
}

fn conjunction(lexer: &mut Lexer<'_>, open: Token) -> Read<Group> {
    lexer.next()?;
    let mut names = Vec::new();
    loop {
        let token = lexer.next()?;
        if sexpr::is_symbol(token) {
            names.push(lexer.token_str(token).to_owned());
        } else if token.kind == TokenKind::Close && !names.is_empty() {
            return Ok(Group { names, span: lexer.span(open.start(), token.end()) });
        } else {
            return Err(sexpr::unexpected(lexer, "the name of an assertion", token));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut lexer = Lexer::new(text.as_bytes(), 0);
        let shown = match partition(&mut lexer) {
            Ok(partition) => {
                let nodes = partition.groups.iter().zip(&partition.start_of_subtree);
                nodes
                    .map(|(group, start)| format!("{}@{start}", group.names.join("&")))
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            Err(error) => format!("{}: {}", error.span.start, error.message),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn sequences_and_trees() {
        check("A B C)", "A@0 B@0 C@0");
        check("A (and B C))", "A@0 B&C@0");
        check("A (B) C)", "A@0 B@1 C@0");
        check("A (B (C) D) E)", "A@0 B@1 C@2 D@1 E@0");
        check("(A) B)", "A@0 B@0");
        check("A (B C) (D) E)", "A@0 B@1 C@1 D@3 E@0");
    }

    #[test]
    fn what_is_no_tree() {
        check(")", "0: a list of partitions must end with the root of its tree");
        check("A (B))", "5: a list of partitions must end with the root of its tree");
        check("A (and))", "6: expected the name of an assertion, found `)`");
        check("A 1)", "2: expected the name of an assertion, found a numeral");
    }
}
