//! The text of a program before it is parsed: comments, directives and headers.
//!
//! No preprocessor is run. Comments and directives are replaced by blanks, so that every place
//! keeps its offset. What can be understood without a preprocessor is: markers of lines
//! (`# 12 "file.c"`), the headers of [`HEADERS`], and names for constants (`#define N 10`), which
//! are looked up where they are used. Pragmas for compilers are passed over. Everything else is
//! refused.
//!
//! Types that headers declare have to be known to the parser; their declarations are put in front
//! of the text, and [`Prepared::offset`] says how long they are.

use shofar_base::{Diagnostic, Span};

use super::types::{DataModel, Int, Literal};

/// A text that can be parsed.
#[derive(Debug)]
pub(super) struct Prepared {
    /// ASCII only: declarations of headers, then the program without comments and directives.
    pub(super) text: String,
    /// Where the program begins.
    pub(super) offset: usize,
    /// Names for constants.
    pub(super) constants: Vec<Constant>,
}

/// A name for a constant.
#[derive(Debug)]
pub(super) struct Constant {
    pub(super) name: String,
    pub(super) value: Literal,
    /// It has this meaning behind this place of the program.
    pub(super) from: usize,
}

/// A header: what it declares for the parser, and its constants.
struct Header {
    name: &'static str,
    types: &'static str,
    constants: &'static [(&'static str, i128, Int)],
}

/// The headers that are understood; others declare what is not supported anyway.
const HEADERS: [Header; 8] = [
    Header { name: "assert.h", types: "", constants: &[] },
    Header {
        name: "stdio.h",
        types: "typedef struct shofar_file FILE;",
        constants: &[("EOF", -1, Int::INT)],
    },
    Header { name: "string.h", types: "typedef unsigned long size_t;", constants: &[] },
    Header { name: "stdlib.h", types: "typedef unsigned long size_t;", constants: &[] },
    Header { name: "stddef.h", types: "typedef unsigned long size_t;", constants: &[] },
    Header {
        name: "stdbool.h",
        types: "typedef _Bool bool;",
        constants: &[("true", 1, Int::INT), ("false", 0, Int::INT)],
    },
    Header {
        name: "limits.h",
        types: "",
        constants: &[
            ("CHAR_BIT", 8, Int::INT),
            ("SCHAR_MIN", -128, Int::INT),
            ("SCHAR_MAX", 127, Int::INT),
            ("UCHAR_MAX", 255, Int::INT),
            ("CHAR_MIN", -128, Int::INT),
            ("CHAR_MAX", 127, Int::INT),
            ("SHRT_MIN", -32_768, Int::INT),
            ("SHRT_MAX", 32_767, Int::INT),
            ("USHRT_MAX", 65_535, Int::INT),
            ("INT_MIN", -2_147_483_648, Int::INT),
            ("INT_MAX", 2_147_483_647, Int::INT),
            ("UINT_MAX", 4_294_967_295, Int::UNSIGNED),
            ("LLONG_MIN", -9_223_372_036_854_775_808, Int::LONG_LONG),
            ("LLONG_MAX", 9_223_372_036_854_775_807, Int::LONG_LONG),
            ("ULLONG_MAX", 18_446_744_073_709_551_615, Int::UNSIGNED_LONG_LONG),
        ],
    },
    Header {
        name: "stdint.h",
        types: "typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long int64_t; \
            typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; \
            typedef unsigned long long uint64_t; typedef long intptr_t; typedef unsigned long uintptr_t;",
        constants: &[
            ("INT8_MIN", -128, Int::INT),
            ("INT8_MAX", 127, Int::INT),
            ("UINT8_MAX", 255, Int::INT),
            ("INT16_MIN", -32_768, Int::INT),
            ("INT16_MAX", 32_767, Int::INT),
            ("UINT16_MAX", 65_535, Int::INT),
            ("INT32_MIN", -2_147_483_648, Int::INT),
            ("INT32_MAX", 2_147_483_647, Int::INT),
            ("UINT32_MAX", 4_294_967_295, Int::UNSIGNED),
            ("INT64_MIN", -9_223_372_036_854_775_808, Int::LONG_LONG),
            ("INT64_MAX", 9_223_372_036_854_775_807, Int::LONG_LONG),
            ("UINT64_MAX", 18_446_744_073_709_551_615, Int::UNSIGNED_LONG_LONG),
        ],
    },
];

/// What pragmas begin with that are for compilers: warnings, optimisation, floating-point numbers.
const IGNORED_PRAGMAS: [&str; 3] = ["GCC ", "clang ", "STDC "];

/// Words that cannot be names for constants.
const KEYWORDS: &[&str] = &[
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "_Bool",
];

/// Makes a text ready for the parser.
pub(super) fn prepare(text: &[u8], model: DataModel) -> Result<Prepared, Diagnostic> {
    let (out, types, constants) = (text.to_vec(), String::new(), Vec::new());
    let mut cleaner = Cleaner { model, text, at: 0, out, types, constants };
    cleaner.run()?;
    let Cleaner { out, types, constants, .. } = cleaner;
    let mut text = types;
    if !text.is_empty() {
        text.push('\n');
    }
    let offset = text.len();
    let clean = String::from_utf8(out);
    text.push_str(&clean.expect("what is not ASCII has been refused or replaced"));
    Ok(Prepared { text, offset, constants })
}

struct Cleaner<'t> {
    model: DataModel,
    text: &'t [u8],
    at: usize,
    /// The text, in which more and more is blank.
    out: Vec<u8>,
    types: String,
    constants: Vec<Constant>,
}

impl Cleaner<'_> {
    fn run(&mut self) -> Result<(), Diagnostic> {
        let mut begins_line = true;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => begins_line = true,
                b' ' | b'\t' => {}
                b'\r' | b'\x0b' | b'\x0c' => self.out[self.at] = b' ',
                b'#' if begins_line => {
                    self.directive()?;
                    continue;
                }
                b'/' if matches!(self.peek(1), Some(b'/' | b'*')) => {
                    self.comment()?;
                    continue;
                }
                b'"' | b'\'' => {
                    self.quoted(byte)?;
                    begins_line = false;
                    continue;
                }
                b'\\' => self.continued()?,
                0x21..=0x7e => begins_line = false,
                _ => {
                    let message = "this character has no meaning in a program";
                    return Err(Diagnostic::new(Span::new(self.at, self.at + 1), message));
                }
            }
            self.at += 1;
        }
        Ok(())
    }
    fn peek(&self, further: usize) -> Option<u8> {
        self.text.get(self.at + further).copied()
    }
    /// Makes everything up to `end` blank, but for line breaks.
    fn blank(&mut self, end: usize) {
        for byte in &mut self.out[self.at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        self.at = end;
    }
    fn comment(&mut self) -> Result<(), Diagnostic> {
        let rest = &self.text[self.at..];
        let length = if rest.starts_with(b"//") {
            Some(rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()))
        } else {
            rest.windows(2).skip(2).position(|pair| pair == b"*/").map(|place| place + 4)
        };
        let Some(length) = length else {
            let span = Span::new(self.at, self.at + 2);
            return Err(Diagnostic::new(span, "this comment does not end"));
        };
        if rest.starts_with(b"//") && rest[..length].ends_with(b"\\") {
            let span = Span::new(self.at + length - 1, self.at + length);
            return Err(Diagnostic::new(span, "a comment that goes on in the next line"));
        }
        self.blank(self.at + length);
        Ok(())
    }
    /// A string or a character, which keep what they are made of as far as it is ASCII.
    fn quoted(&mut self, quote: u8) -> Result<(), Diagnostic> {
        let start = self.at;
        self.at += 1;
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => break,
                b'\\' => self.at += 1,
                _ if byte == quote => {
                    self.at += 1;
                    return Ok(());
                }
                0x20..=0x7e => {}
                _ => self.out[self.at] = b'?',
            }
            self.at += 1;
        }
        Err(Diagnostic::new(Span::new(start, start + 1), "this quote does not end in its line"))
    }
    /// A line that goes on in the next one: between tokens, this is a blank.
    fn continued(&mut self) -> Result<(), Diagnostic> {
        let is_blank = |byte: Option<u8>| matches!(byte, None | Some(b' ' | b'\t' | b'\n'));
        let before = self.at.checked_sub(1).map(|before| self.out[before]);
        if self.peek(1) == Some(b'\n') && (is_blank(before) || is_blank(self.peek(2))) {
            self.out[self.at] = b' ';
            return Ok(());
        }
        let span = Span::new(self.at, self.at + 1);
        Err(Diagnostic::new(span, "a backslash has no meaning here"))
    }

    /// A directive, up to the end of its line.
    fn directive(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let line = String::from_utf8_lossy(&rest[..length]).into_owned();
        // What follows the directive is a comment, or belongs to it.
        let line = line.split("//").next().unwrap_or_default().trim_end();
        let line = line.split("/*").next().unwrap_or_default().trim_end();
        let span = Span::new(start, start + line.len().min(length));
        let refused = |message: &str| Err(Diagnostic::new(span, message.to_owned()));
        if rest[..length].trim_ascii_end().ends_with(b"\\") {
            return refused("a directive of several lines is not supported");
        }
        let body = line[1..].trim_start();
        let (word, arguments) = body.split_once([' ', '\t']).unwrap_or((body, ""));
        let arguments = arguments.trim();
        match word {
            // Whom it is for is not here; it does not change what the program means.
            "pragma" if IGNORED_PRAGMAS.iter().any(|whose| arguments.starts_with(whose)) => {}
            "" | "line" | "ident" => {}
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => {}
            "include" => {
                let name = arguments.strip_prefix('<').and_then(|name| name.strip_suffix('>'));
                let Some(header) = HEADERS.iter().find(|header| Some(header.name) == name) else {
                    return refused("this header is not supported");
                };
                self.include(header, start);
            }
            "define" => match self.constant(arguments) {
                Some((name, value)) => {
                    self.constants.push(Constant { name, value, from: start + length });
                }
                None => return refused("only names for integers are supported: `#define N 10`"),
            },
            _ => return refused("this directive is not supported, since no preprocessor is run"),
        }
        // A comment that begins in the line may end in another one.
        let code = line.len().min(length);
        self.blank(start + code);
        Ok(())
    }
    fn include(&mut self, header: &Header, from: usize) {
        if !self.types.contains(header.types) {
            self.types.push_str(header.types);
        }
        let (long, size) = (self.model.long(), self.model.long().unsigned());
        let top = (1i128 << (long.bits - 1)) - 1;
        let limits = [
            ("LONG_MIN", -top - 1, long),
            ("LONG_MAX", top, long),
            ("ULONG_MAX", 2 * top + 1, size),
        ];
        let limits = &limits[if header.name == "limits.h" { 0 } else { limits.len() }..];
        for &(name, value, int) in header.constants.iter().chain(limits) {
            if !self.constants.iter().any(|constant| constant.name == name) {
                let value = Literal { value, int };
                self.constants.push(Constant { name: name.to_owned(), value, from });
            }
        }
    }
    /// A name and a constant: a number, a character or an earlier name, perhaps negated or in
    /// brackets.
    fn constant(&self, text: &str) -> Option<(String, Literal)> {
        let (name, mut value) = text.split_once([' ', '\t'])?;
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !name.starts_with(|first: char| first.is_ascii_digit());
        let is_new = !self.constants.iter().any(|constant| constant.name == name);
        if !is_name || !is_new || KEYWORDS.contains(&name) {
            return None;
        }
        value = value.trim();
        while let Some(inner) = value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            value = inner.trim();
        }
        let (value, is_negated) = match value.strip_prefix('-') {
            Some(rest) => (rest.trim(), true),
            None => (value, false),
        };
        let known = self.constants.iter().find(|constant| constant.name == value);
        let literal = match known {
            Some(constant) => constant.value,
            None => Literal::parse(self.model, value)?,
        };
        let literal = if is_negated { literal.negated()? } else { literal };
        Some((name.to_owned(), literal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_directives_become_blanks() {
        let text = b"# 1 \"a.c\"\nint /* x\n */ y; // z\n#define N (-3) // three\n  char c = '/'; \"//\"\n";
        let prepared = prepare(text, DataModel::Lp64).unwrap();
        assert_eq!(prepared.text.len(), text.len());
        assert_eq!(
            prepared.text.trim(),
            "int     \n    y;     \n                       \n  char c = '/'; \"//\""
        );
        assert_eq!(
            (prepared.constants[0].name.as_str(), prepared.constants[0].value.value),
            ("N", -3)
        );
    }

    #[test]
    fn headers_declare_types_and_constants() {
        let prepared =
            prepare(b"#include <limits.h>\n#include <stdbool.h>\nbool b;", DataModel::Lp64)
                .unwrap();
        assert!(prepared.text.starts_with("typedef _Bool bool;\n"));
        assert!(
            prepared
                .constants
                .iter()
                .any(|c| c.name == "INT_MAX" && c.value.value == 2_147_483_647)
        );
        assert!(&prepared.text[prepared.offset..].ends_with("bool b;"));
    }

    #[test]
    fn what_needs_a_preprocessor_is_refused() {
        for (text, place) in [
            ("int x;\n#include <pthread.h>\n", "#include <pthread.h>"),
            ("#pragma omp parallel", "#pragma omp parallel"),
            ("#include \"a.h\"", "#include \"a.h\""),
            ("#define F(x) x", "#define F(x) x"),
            ("#define N 1 + 2", "#define N 1 + 2"),
            ("#define while 1", "#define while 1"),
            ("#define A 1\n#define A 2", "#define A 2"),
            ("#ifdef A", "#ifdef A"),
            ("#define N \\\n 1", "#define N \\"),
            ("/* no end", "/*"),
            ("char *s = \"no end\n\";", "\""),
            ("in\\\nt x;", "\\"),
            ("int x = 1 \u{1} ;", "\u{1}"),
        ] {
            let error = prepare(text.as_bytes(), DataModel::Lp64).unwrap_err();
            assert_eq!(&text[error.span.start..error.span.end], place, "{text}");
        }
    }
}
