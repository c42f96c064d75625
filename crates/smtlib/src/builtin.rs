//! The functions of the Core and arithmetic theories, and what to say about the ones of other
//! theories.
//!
//! Source: [SMTLIB] theories Core, Ints, Reals, `Reals_Ints`.

use shofar_base::Idx;
use shofar_term::Relation;

use crate::names::Name;

/// A function with a fixed meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    True,
    False,
    Not,
    And,
    Or,
    Xor,
    Implies,
    Eq,
    Distinct,
    Ite,
    Add,
    Sub,
    Mul,
    Divide,
    Div,
    Mod,
    Abs,
    Le,
    Lt,
    Ge,
    Gt,
    ToReal,
    ToInt,
    IsInt,
}

/// All of them by name.
pub(crate) const BUILTINS: [(&str, Builtin); 24] = [
    ("true", Builtin::True),
    ("false", Builtin::False),
    ("not", Builtin::Not),
    ("and", Builtin::And),
    ("or", Builtin::Or),
    ("xor", Builtin::Xor),
    ("=>", Builtin::Implies),
    ("=", Builtin::Eq),
    ("distinct", Builtin::Distinct),
    ("ite", Builtin::Ite),
    ("+", Builtin::Add),
    ("-", Builtin::Sub),
    ("*", Builtin::Mul),
    ("/", Builtin::Divide),
    ("div", Builtin::Div),
    ("mod", Builtin::Mod),
    ("abs", Builtin::Abs),
    ("<=", Builtin::Le),
    ("<", Builtin::Lt),
    (">=", Builtin::Ge),
    (">", Builtin::Gt),
    ("to_real", Builtin::ToReal),
    ("to_int", Builtin::ToInt),
    ("is_int", Builtin::IsInt),
];

/// A word that begins a special form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Let,
    Annotation,
    As,
    Underscore,
    Forall,
    Exists,
    Match,
    Lambda,
    Par,
}

/// All of them. Every environment numbers their names in this order, behind the builtins.
pub(crate) const WORDS: [(&str, Word); 9] = [
    ("let", Word::Let),
    ("!", Word::Annotation),
    ("as", Word::As),
    ("_", Word::Underscore),
    ("forall", Word::Forall),
    ("exists", Word::Exists),
    ("match", Word::Match),
    ("lambda", Word::Lambda),
    ("par", Word::Par),
];

impl Word {
    /// The word that a simple symbol of this name is.
    #[inline]
    pub(crate) fn of(name: Name) -> Option<Self> {
        let place = name.index().checked_sub(BUILTINS.len())?;
        WORDS.get(place).map(|&(_, word)| word)
    }
}

/// What a function expects of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expects {
    Bool,
    /// Int or Real, wanted as part of a linear combination.
    Linear,
    /// An integer, wanted as a term.
    Int,
    /// Int or Real, wanted as a term.
    Number,
    /// Like the arguments before it; numbers as part of a linear combination.
    Alike,
    /// Like the arguments before it, as a term.
    AlikeTerm,
}

impl Builtin {
    /// How many arguments it takes: at least the first number, at most the second if there is one.
    pub(crate) fn arity(self) -> (usize, Option<usize>) {
        match self {
            Builtin::True | Builtin::False => (0, Some(0)),
            Builtin::Not | Builtin::Abs | Builtin::ToReal | Builtin::ToInt | Builtin::IsInt => {
                (1, Some(1))
            }
            Builtin::Mod => (2, Some(2)),
            Builtin::Ite => (3, Some(3)),
            // The standard asks for two arguments of `and`, `or`, `+` and `*`; all solvers take one
            // as well.
            Builtin::And | Builtin::Or | Builtin::Add | Builtin::Sub | Builtin::Mul => (1, None),
            Builtin::Xor
            | Builtin::Implies
            | Builtin::Eq
            | Builtin::Distinct
            | Builtin::Divide
            | Builtin::Div
            | Builtin::Le
            | Builtin::Lt
            | Builtin::Ge
            | Builtin::Gt => (2, None),
        }
    }
    /// What it expects of argument number `position`, counted from 0.
    pub(crate) fn expects(self, position: usize) -> Expects {
        match self {
            Builtin::True
            | Builtin::False
            | Builtin::Not
            | Builtin::And
            | Builtin::Or
            | Builtin::Xor
            | Builtin::Implies => Expects::Bool,
            Builtin::Eq => Expects::Alike,
            Builtin::Distinct => Expects::AlikeTerm,
            Builtin::Ite => {
                if position == 0 {
                    Expects::Bool
                } else {
                    Expects::AlikeTerm
                }
            }
            Builtin::Add
            | Builtin::Sub
            | Builtin::Mul
            | Builtin::Divide
            | Builtin::Le
            | Builtin::Lt
            | Builtin::Ge
            | Builtin::Gt
            | Builtin::ToReal => Expects::Linear,
            Builtin::Div | Builtin::Mod => Expects::Int,
            Builtin::Abs | Builtin::ToInt | Builtin::IsInt => Expects::Number,
        }
    }
    /// Which earlier argument an [`Expects::Alike`] one is compared with.
    pub(crate) fn first_alike(self) -> usize {
        usize::from(self == Builtin::Ite)
    }
    /// How a comparison relates a difference of its arguments to zero, and which of them is the
    /// minuend.
    #[inline]
    pub(crate) fn relation(self) -> Option<(Relation, usize)> {
        Some(match self {
            Builtin::Eq => (Relation::Eq, 0),
            Builtin::Le => (Relation::Le, 0),
            Builtin::Lt => (Relation::Lt, 0),
            Builtin::Ge => (Relation::Le, 1),
            Builtin::Gt => (Relation::Lt, 1),
            Builtin::True
            | Builtin::False
            | Builtin::Not
            | Builtin::And
            | Builtin::Or
            | Builtin::Xor
            | Builtin::Implies
            | Builtin::Distinct
            | Builtin::Ite
            | Builtin::Add
            | Builtin::Sub
            | Builtin::Mul
            | Builtin::Divide
            | Builtin::Div
            | Builtin::Mod
            | Builtin::Abs
            | Builtin::ToReal
            | Builtin::ToInt
            | Builtin::IsInt => return None,
        })
    }
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        let found = BUILTINS.iter().find(|&&(_, builtin)| builtin == self);
        found.expect("the table has every builtin").0
    }
}

/// What the name of an unknown function or sort betrays, for a helpful message.
pub(crate) fn foreign(name: &str) -> Option<&'static str> {
    match name {
        "const" => Some("a constant array is written `((as const S) v)`"),
        "Array" => Some("a sort of arrays is written `(Array I E)`"),
        "BitVec" => Some("a sort of bit-vectors is written `(_ BitVec n)`"),
        "forall" | "exists" => Some("quantifiers are not supported"),
        "extract" | "zero_extend" | "sign_extend" | "repeat" | "rotate_left" | "rotate_right"
        | "int2bv" | "int_to_bv" => Some("this function has indices: `((_ f n) x)`"),
        "FloatingPoint" | "RoundingMode" | "Float32" | "Float64" => {
            Some("floating-point numbers are not supported")
        }
        "String" | "RegLan" | "Seq" => Some("strings and sequences are not supported"),
        "exp" | "sin" | "cos" | "^" => Some("only linear arithmetic is supported"),
        "==" => Some("equality is written `=`"),
        "!=" => Some("disequality is written `distinct`"),
        _ if name.starts_with("fp.") => Some("floating-point numbers are not supported"),
        _ if name.starts_with("str.") || name.starts_with("re.") || name.starts_with("seq.") => {
            Some("strings and sequences are not supported")
        }
        _ => None,
    }
}

/// The digits of what was meant as a negative number.
pub(crate) fn negated_number(name: &str) -> Option<&str> {
    let digits = name.strip_prefix('-')?;
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_number.then_some(digits)
}
