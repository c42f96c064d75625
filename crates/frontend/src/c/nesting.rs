//! How deeply a program is nested, before anybody recurses on it.
//!
//! The parser and the lowering of its tree recurse. What can nest is counted token by token:
//! brackets, and within brackets the operators and keywords since the last statement ended, because
//! each of them may be a level of the tree (`a + b + c`, `!!a`, `if (a) if (b)`, `else if`). So the
//! depth of every tree of the parser is at most a small multiple of [`measure`]'s figure, and
//! programs beyond [`DEEPEST`] are refused at the place where they get too deep. The parser tries
//! `++` and `--` in front of what is no expression in exponentially many ways, so that many signs
//! in a row are refused as well; no program has two of these in a row.

use shofar_base::{Diagnostic, Span};

/// Deeper programs are refused.
pub(super) const DEEPEST: usize = 1000;
/// More signs in a row are refused: eight times `--`.
const MOST_SIGNS: usize = 16;

/// The greatest depth of a text without comments.
pub(super) fn measure(text: &str) -> Result<usize, Diagnostic> {
    let bytes = text.as_bytes();
    let mut open: Vec<Open> = vec![Open { bracket: b'{', count: 0, loops: 0, before: 0 }];
    let (mut at, mut deepest, mut signs) = (0, 0, 0);
    while at < bytes.len() {
        let start = at;
        let kind = next(bytes, &mut at);
        match bytes[start] {
            b'+' | b'-' => signs += 1,
            byte if byte.is_ascii_whitespace() => {}
            _ => signs = 0,
        }
        if signs > MOST_SIGNS {
            let message = format!("more than {MOST_SIGNS} signs in a row are not supported");
            return Err(Diagnostic::new(Span::new(start, at), message));
        }
        let Some(innermost) = open.last_mut() else { break };
        match kind {
            Token::Open(bracket) => {
                let before = innermost.before + innermost.count + 1;
                open.push(Open { bracket, count: 0, loops: 0, before });
            }
            Token::Close => {
                let closed = if open.len() > 1 { open.pop() } else { None };
                let is_block = closed.is_some_and(|closed| closed.bracket == b'{');
                if let Some(outer) = open.last_mut() {
                    if is_block && outer.bracket == b'{' && !outer.goes_on(bytes, at) {
                        outer.count = 0;
                    } else {
                        // A bracket may be a cast, an index or a call.
                        outer.count += 1;
                    }
                }
            }
            Token::Semicolon if innermost.bracket == b'{' && !innermost.goes_on(bytes, at) => {
                innermost.count = 0;
            }
            Token::Do => {
                innermost.count += 1;
                innermost.loops += 1;
            }
            Token::Semicolon | Token::Operator | Token::Keyword => innermost.count += 1,
            Token::Other => {}
        }
        let depth = open.last().map_or(0, |open| open.before + open.count);
        deepest = deepest.max(depth);
        if depth > DEEPEST {
            let message = format!("the program is nested more than {DEEPEST} levels deep here");
            return Err(Diagnostic::new(Span::new(start, at), message));
        }
    }
    Ok(deepest)
}

/// A bracket that is open.
struct Open {
    bracket: u8,
    /// What may nest since the last statement.
    count: usize,
    /// How many `do` have no `while` yet.
    loops: usize,
    /// The depth in front of the bracket.
    before: usize,
}

impl Open {
    /// Whether the statement that seems to end here goes on: with `else`, or with the `while` of a
    /// `do`.
    fn goes_on(&mut self, bytes: &[u8], at: usize) -> bool {
        let rest = bytes[at..].trim_ascii_start();
        let is = |word: &[u8]| {
            rest.starts_with(word) && !rest.get(word.len()).is_some_and(|&byte| is_word(byte))
        };
        let is_loop = self.loops > 0 && is(b"while");
        self.loops -= usize::from(is_loop);
        is_loop || is(b"else")
    }
}

enum Token {
    Open(u8),
    Close,
    Semicolon,
    Operator,
    Keyword,
    Do,
    Other,
}

/// The next token, behind which `at` stands then.
fn next(bytes: &[u8], at: &mut usize) -> Token {
    let byte = bytes[*at];
    *at += 1;
    match byte {
        b'(' | b'[' | b'{' => Token::Open(byte),
        b')' | b']' | b'}' => Token::Close,
        b';' => Token::Semicolon,
        b'"' | b'\'' => {
            while *at < bytes.len() && bytes[*at] != byte {
                *at += if bytes[*at] == b'\\' { 2 } else { 1 };
            }
            *at = (*at + 1).min(bytes.len());
            Token::Other
        }
        _ if is_word(byte) => {
            let start = *at - 1;
            while *at < bytes.len() && is_word(bytes[*at]) {
                *at += 1;
            }
            match &bytes[start..*at] {
                b"do" => Token::Do,
                b"if" | b"else" | b"while" | b"for" | b"switch" | b"case" | b"default"
                | b"sizeof" | b"return" | b"struct" | b"union" | b"enum" | b"__extension__"
                | b"typeof" | b"__typeof" | b"__typeof__" | b"_Alignof" => Token::Keyword,
                _ => Token::Other,
            }
        }
        b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'~' | b'!' | b'<' | b'>'
        | b'=' | b'?' | b':' | b'.' => Token::Operator,
        _ => Token::Other,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_is_not_nested() {
        let program = "int main() { int x; x = 1; if (x) { x = 2; } x = f(x, 3); }\n".repeat(1000);
        assert!(measure(&program).unwrap() < 10);
        for piece in ["while (x) x--;", "do x--; while (x);", "do { x--; } while (x); while (x) ;"]
        {
            let program = format!("int main() {{ {} }}", piece.repeat(1000));
            assert!(measure(&program).unwrap() < 20, "{piece}");
        }
    }

    #[test]
    fn many_signs_in_a_row_are_refused() {
        assert!(measure("int main() { x = - - + - -y - - -z-- - --y; }").is_ok());
        let text = format!("int main() {{ {} int x; }}", "-- ".repeat(64));
        let error = measure(&text).unwrap_err();
        assert!(error.message.contains("signs in a row"), "{}", error.message);
        assert!(
            text[error.span.start..].starts_with("--")
                || text[error.span.start..].starts_with("- ")
        );
    }

    #[test]
    fn whatever_nests_is_counted() {
        for piece in [
            "(",
            "{",
            "-(",
            "! ",
            "a + ",
            "a = ",
            "if (a) ",
            "else ",
            "while (b) ",
            "x ? y : ",
            "(int) ",
            "do ",
            "x: ",
        ] {
            let text = piece.repeat(1200);
            let error = measure(&text).unwrap_err();
            assert!(error.span.start < text.len(), "{piece}");
        }
        let chain = "if (a) b; else ".repeat(1200);
        assert!(measure(&chain).is_err());
        let chain = "if (a) { b; } else ".repeat(1200);
        assert!(measure(&chain).is_err());
    }
}
