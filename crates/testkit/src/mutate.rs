//! Damages texts, to see how a reader takes bad input: byte by byte, and token by token.
//!
//! Byte damage finds holes in the lexer, token damage gets past it into sorts, arities, scopes and
//! commands. A mutant is a function of the generator's state alone, so a seed and a number name it.
//! The tokens that are put in are those of a [`Vocabulary`]: of SMT-LIB, or of other texts in the
//! same language.

use shofar_base::Rng;

/// Tokens that are worth putting where they do not belong.
const DICTIONARY: &[&str] = &[
    "(",
    ")",
    "()",
    "(()",
    "let",
    "ite",
    "=>",
    "xor",
    "distinct",
    "and",
    "or",
    "not",
    "+",
    "-",
    "*",
    "/",
    "div",
    "mod",
    "abs",
    "to_real",
    "to_int",
    "is_int",
    "(_ divisible 3)",
    "(_ divisible 0)",
    "_",
    "!",
    ":named",
    "as",
    "forall",
    "exists",
    "match",
    "Int",
    "Real",
    "Bool",
    "(Array Int Int)",
    "true",
    "false",
    "0",
    "1",
    "2.5",
    "0.0",
    "#xff",
    "#b01",
    "99999999999999999999999999999999999999999999",
    "1e5",
    "00",
    "1.",
    "-1",
    "\"str\"",
    "\"",
    "|",
    "|a b|",
    "||",
    ";",
    "assert",
    "check-sat",
    "check-sat-assuming",
    "push",
    "pop",
    "get-model",
    "get-value",
    "get-unsat-core",
    "get-interpolants",
    "get-dag-interpolants",
    "get-disjunctive-interpolants",
    "get-info",
    "get-option",
    "set-option",
    "set-logic",
    "declare-const",
    "declare-fun",
    "define-fun",
    "define-fun-rec",
    "declare-sort",
    "define-sort",
    "(declare-sort U0 0)",
    "(declare-sort U0 1)",
    "(declare-fun g0 (U0 Bool) U0)",
    "U0",
    "g0",
    "(as @U0!0 U0)",
    "declare-datatypes",
    "declare-datatype",
    "(declare-datatypes ((T0 0)) (((c0) (c1 (s0 T0) (s1 Int)))))",
    "(declare-datatypes () ((T1 e0 (e1 (f1 T1)))))",
    "(declare-datatypes ((T2 0) (T3 0)) (((m0 (g0 T3))) ((m1) (m2 (g2 T2)))))",
    "(declare-datatypes ((E0 0)) (((z0 (r0 E0)))))",
    "(par (X) ((p0 (q0 X))))",
    "c0",
    "(c1 c0 0)",
    "(_ is c1)",
    "is-c1",
    "(as c0 T0)",
    "(match c0 ((c0 0) ((c1 x y) y)))",
    "select",
    "store",
    "((as const (Array Int Int)) 0)",
    "((as const (Array Bool Int)) true)",
    "(Array (Array Int Int) (Array Int Bool))",
    "(Array Int)",
    "(_ BitVec 4)",
    "(_ BitVec 0)",
    "(_ BitVec 99999999999)",
    "(_ BitVec 4294967296)",
    "(_ bv5 4)",
    "(_ bv99 4)",
    "#b",
    "#x",
    "#b0101",
    "bvadd",
    "bvmul",
    "bvudiv",
    "bvsmod",
    "bvsdiv_i",
    "bvashr",
    "bvcomp",
    "bvult",
    "bvsge",
    "concat",
    "(_ extract 3 0)",
    "(_ extract 0 3)",
    "(_ extract 99999999999999999999 0)",
    "(_ zero_extend 2)",
    "(_ sign_extend 4294967295)",
    "(_ rotate_left 7)",
    "(_ repeat 3)",
    "(_ repeat 1000000000)",
    "(_ int_to_bv 4)",
    "(_ int2bv 4)",
    "ubv_to_int",
    "sbv_to_int",
    "bv2nat",
    "reset",
    "reset-assertions",
    "exit",
    "echo",
    "(push 1)",
    "(pop 1)",
    "(pop 99)",
    "(push 18446744073709551616)",
    "(check-sat)",
    "(get-model)",
    "(get-unsat-core)",
    "(assert false)",
    "(reset)",
    "(exit)",
    "QF_LIA",
    "QF_LRA",
    "QF_UF",
    "QF_UFLIA",
    "QF_AX",
    "QF_ALIA",
    "QF_DT",
    "QF_BV",
    "HORN",
    ":produce-interpolants",
    ":global-declarations",
    ":print-success",
    ":status",
    "\u{0}",
    "\u{7f}",
    "\u{e9}",
    "\u{feff}",
];

/// Tokens that are bad in any language.
const BAD: &[&str] = &[
    "99999999999999999999999999999999999999999999",
    "0x7fffffffffffffffffffffff",
    "-1",
    "00",
    "1e5",
    "1.",
    "\"",
    "'",
    "\\",
    "/*",
    "*/",
    "//",
    "<!--",
    "-->",
    "<![CDATA[",
    "&lt;",
    "&#0;",
    "&#x110000;",
    "\u{0}",
    "\u{7f}",
    "\u{e9}",
    "\u{feff}",
    "\u{1f600}",
];

/// What deep texts of SMT-LIB are made of.
const NESTS: &[(&str, &str)] = &[
    ("(not ", ")"),
    ("(- ", ")"),
    ("(+ 1 ", ")"),
    ("(let ((x 1)) ", ")"),
    ("(", ")"),
    ("(ite true ", ")"),
    ("(and ", ")"),
];

/// What deep texts of other languages are made of.
const OTHER_NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("-", ""),
    ("- ", ""),
    ("!", ""),
    ("not ", ""),
    ("1 + ", ""),
    ("x = ", ""),
    ("x ? 1 : ", ""),
    ("if (x) ", ""),
    ("<a>", "</a>"),
    ("(and ", ")"),
];

/// The tokens that a text is damaged with.
pub struct Vocabulary {
    words: Vec<String>,
    nests: &'static [(&'static str, &'static str)],
    /// Whether a byte belongs to one token with another such byte before it.
    is_solid: fn(u8) -> bool,
}

impl Vocabulary {
    /// The tokens of SMT-LIB.
    pub fn smt_lib() -> Self {
        let words = DICTIONARY.iter().map(|&word| word.to_owned()).collect();
        let is_solid = |byte: u8| !(byte.is_ascii_whitespace() || matches!(byte, b'(' | b')'));
        Self { words, nests: NESTS, is_solid }
    }
    /// The tokens that occur in texts of a language, and some that are bad in any.
    pub fn of_texts(texts: &[String]) -> Self {
        let is_solid = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'');
        let tokens = texts.iter().flat_map(|text| rough_tokens(text.as_bytes(), is_solid));
        let tokens = tokens.map(|token| String::from_utf8_lossy(&token).into_owned());
        let mut words: Vec<String> = tokens.filter(|word| !word.trim().is_empty()).collect();
        words.sort();
        words.dedup();
        // Half of what is put in is bad if the language has few words; never less than one in ten.
        let bad = BAD.iter().cycle().take(BAD.len().max(words.len() / 9));
        words.extend(bad.map(|&word| word.to_owned()));
        Self { words, nests: OTHER_NESTS, is_solid }
    }
}

/// A damaged copy of `script`, which is in SMT-LIB.
pub fn mutate(rng: &mut Rng, script: &str) -> Vec<u8> {
    mutate_with(rng, &Vocabulary::smt_lib(), script)
}

/// A damaged copy of `text`.
pub fn mutate_with(rng: &mut Rng, vocabulary: &Vocabulary, text: &str) -> Vec<u8> {
    let rounds = 1 + rng.below(4);
    let mut text = text.as_bytes().to_vec();
    for _ in 0..rounds {
        if rng.chance(45) {
            damage_bytes(rng, &mut text);
        } else {
            text = damage_tokens(rng, vocabulary, &text);
        }
    }
    text
}

fn damage_bytes(rng: &mut Rng, text: &mut Vec<u8>) {
    if text.is_empty() {
        text.push(b'(');
        return;
    }
    let at = rng.below(text.len());
    let length = (1 + rng.below(12)).min(text.len() - at);
    match rng.below(7) {
        0 => text[at] ^= 1 << rng.below(8),
        1 => text[at] = byte(rng),
        2 => text.insert(at, byte(rng)),
        3 => {
            text.drain(at..at + length);
        }
        4 => {
            let copy = text[at..at + length].to_vec();
            let to = rng.below(text.len());
            text.splice(to..to, copy);
        }
        5 => text.truncate(at),
        _ => {
            let other = rng.below(text.len());
            text.swap(at, other);
        }
    }
}

fn byte(rng: &mut Rng) -> u8 {
    const LIKELY: &[u8] = b"()|\";: \n\t\\!_-+*/<>=0123456789azAZ\0\x7f\xff\xc3\xa9{}[],.'&%#";
    if rng.chance(80) {
        *rng.pick(LIKELY)
    } else {
        u8::try_from(rng.below(256)).expect("below 256")
    }
}

/// Splits roughly at token borders; exactness does not matter here.
fn rough_tokens(text: &[u8], is_solid: fn(u8) -> bool) -> Vec<Vec<u8>> {
    let mut tokens: Vec<Vec<u8>> = Vec::new();
    let mut inside = false;
    for &b in text {
        let solid = is_solid(b);
        match (solid && inside, tokens.last_mut()) {
            (true, Some(last)) => last.push(b),
            _ => tokens.push(vec![b]),
        }
        inside = solid;
    }
    tokens
}

fn damage_tokens(rng: &mut Rng, vocabulary: &Vocabulary, text: &[u8]) -> Vec<u8> {
    let Vocabulary { words, nests, is_solid } = vocabulary;
    let mut tokens = rough_tokens(text, *is_solid);
    if tokens.is_empty() {
        return rng.pick(words).as_bytes().to_vec();
    }
    let at = rng.below(tokens.len());
    let other = rng.below(tokens.len());
    match rng.below(8) {
        0 => {
            tokens.remove(at);
        }
        1 => tokens.insert(at, tokens[other].clone()),
        2 => tokens.swap(at, other),
        3 => {
            let copy = tokens[other].clone();
            tokens[at] = copy;
        }
        4 | 5 => tokens[at] = rng.pick(words).as_bytes().to_vec(),
        6 => tokens.insert(at, [b" ", rng.pick(words).as_bytes(), b" "].concat()),
        _ => nest(rng, nests, &mut tokens, at),
    }
    tokens.concat()
}

/// Wraps a token in many applications, balanced or not.
fn nest(rng: &mut Rng, nests: &[(&str, &str)], tokens: &mut [Vec<u8>], at: usize) {
    let depth = 1 << rng.below(12);
    let (open, close) = *rng.pick(nests);
    let mut text = open.repeat(depth).into_bytes();
    text.extend_from_slice(&tokens[at]);
    let closing = if rng.chance(80) { depth } else { rng.below(depth + 1) };
    text.extend(close.repeat(closing).into_bytes());
    tokens[at] = text;
}

/// Makes a damaging input small by leaving out runs of bytes while `fails` holds, with at most
/// `tries` calls of it.
pub fn shrink_bytes(input: &[u8], tries: usize, fails: &mut dyn FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut text = input.to_vec();
    let mut tries = tries;
    let mut run = text.len().div_ceil(2);
    while run > 0 {
        let (mut at, mut shrunken) = (0, false);
        while at < text.len() && tries > 0 {
            let mut candidate = text.clone();
            candidate.drain(at..(at + run).min(candidate.len()));
            tries -= 1;
            if fails(&candidate) {
                text = candidate;
                shrunken = true;
            } else {
                at += run;
            }
        }
        if !shrunken {
            run /= 2;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_differ_and_repeat() {
        let script = "(declare-const x Int)(assert (< x 5))(check-sat)";
        let mutants = |seed| -> Vec<Vec<u8>> {
            let mut rng = Rng::new(seed);
            (0..50).map(|_| mutate(&mut rng, script)).collect()
        };
        assert_eq!(mutants(1), mutants(1));
        let changed = mutants(2).iter().filter(|m| m.as_slice() != script.as_bytes()).count();
        assert!(changed > 40);
    }

    #[test]
    fn words_of_other_texts_are_put_in() {
        let texts = ["process P() { state a; }".to_owned(), "chan c;".to_owned()];
        let vocabulary = Vocabulary::of_texts(&texts);
        assert!(vocabulary.words.iter().any(|word| word == "process"));
        let mut rng = Rng::new(3);
        let mutants: Vec<Vec<u8>> =
            (0..500).map(|_| mutate_with(&mut rng, &vocabulary, &texts[0])).collect();
        for word in ["chan", "((((", "/*", "{{{{"] {
            let has = |mutant: &Vec<u8>| mutant.windows(word.len()).any(|w| w == word.as_bytes());
            assert!(mutants.iter().any(has), "{word}");
        }
    }

    #[test]
    fn bytes_shrink_to_the_needle() {
        let mut fails = |text: &[u8]| text.windows(2).any(|w| w == b"(|");
        assert_eq!(shrink_bytes(b"(assert (< x (|y z))) more", 1000, &mut fails), b"(|");
    }
}
