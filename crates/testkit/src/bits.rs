//! Random terms of bit-vectors with all operators of SMT-LIB, and conversions from and to integers.
//!
//! Variables have a few widths; terms of other widths come by extraction, extension and
//! concatenation.

use shofar_base::Rng;

use crate::formula::{Formulas, Node, application};
use crate::logic::{Arithmetic, Sort};
use crate::ratio::Ratio;
use crate::value::Value;
use crate::word::Word;

/// Vectors do not get wider than this.
const WIDEST: u8 = 18;

/// Binary operators on vectors of one width.
pub const BINARY: [&str; 18] = [
    "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr",
    "bvashr", "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvadd",
];
/// Comparisons.
pub const COMPARISONS: [&str; 8] =
    ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"];

/// A literal in one of its spellings.
pub fn literal(rng: &mut Rng, word: Word) -> String {
    let width = word.width();
    match rng.below(3) {
        0 if width.is_multiple_of(4) => {
            format!("#x{:0digits$x}", word.unsigned(), digits = usize::from(width / 4))
        }
        1 => format!("(_ bv{} {width})", word.unsigned()),
        _ => word.to_string(),
    }
}

impl Node {
    pub(crate) fn word(&self) -> Option<Word> {
        match self.value {
            Some(Value::Bits(word)) => Some(word),
            Some(
                Value::Bool(_)
                | Value::Number(_)
                | Value::Element(_)
                | Value::Array(_)
                | Value::Data(_, _),
            )
            | None => None,
        }
    }
}

fn node(text: String, width: u8, value: Option<Word>) -> Node {
    Node::new(text, Sort::Bits(width), value.map(Value::Bits))
}

impl Formulas {
    /// A random term of this width, nested about `depth` deep.
    pub fn bit_vector(&mut self, rng: &mut Rng, width: u8, depth: usize) -> Node {
        if depth == 0 {
            return self.bit_leaf(rng, width);
        }
        let below = depth - 1;
        match rng.below(20) {
            0..9 => self.bit_operation(rng, width, below),
            9 | 10 => {
                let operator = *rng.pick(&["bvnot", "bvneg"]);
                let inner = self.bit_vector(rng, width, below);
                let value = inner.word().map(|word| word.unary(operator));
                node(application(operator, &[inner]), width, value)
            }
            11 | 12 => self.extract(rng, width, below),
            13 => self.extend(rng, width, below),
            14 => self.concat(rng, width, below),
            15 => self.rotate(rng, width, below),
            16 => self.ite(rng, Sort::Bits(width), below),
            17 => self.bind(rng, Sort::Bits(width), below),
            18 if width == 1 => {
                let inner = 1 + u8::try_from(rng.below(6)).expect("below six");
                let (a, b) =
                    (self.bit_vector(rng, inner, below), self.bit_vector(rng, inner, below));
                let value = a.word().zip(b.word()).map(|(a, b)| a.binary("bvcomp", b));
                node(application("bvcomp", &[a, b]), 1, value)
            }
            _ => self.bit_leaf(rng, width),
        }
    }
    fn bit_leaf(&mut self, rng: &mut Rng, width: u8) -> Node {
        let unknown = if rng.chance(75) { self.unknown(rng, Sort::Bits(width)) } else { None };
        if let Some(node) = unknown {
            return node;
        }
        // A variable of another width, made to fit.
        let widths: Vec<u8> = self.bit_widths();
        if self.nesting < 2 && !widths.is_empty() && rng.chance(60) {
            self.nesting += 1;
            let node = if widths.iter().any(|w| *w > width) && rng.chance(60) {
                self.extract(rng, width, 0)
            } else {
                self.extend(rng, width, 0)
            };
            self.nesting -= 1;
            return node;
        }
        let word = Word::random(rng, width);
        node(literal(rng, word), width, Some(word))
    }
    /// Widths of the declared vectors.
    pub(crate) fn bit_widths(&self) -> Vec<u8> {
        let width = |sort: &Sort| match sort {
            Sort::Bits(width) => Some(*width),
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::Free(_)
            | Sort::Array(_)
            | Sort::Data(_) => None,
        };
        self.compound.iter().filter_map(width).collect()
    }
    fn bit_operation(&mut self, rng: &mut Rng, width: u8, depth: usize) -> Node {
        let operator = *rng.pick(&BINARY);
        let associative = matches!(operator, "bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor");
        let count = if associative && rng.chance(15) { 3 } else { 2 };
        let nodes: Vec<Node> = (0..count).map(|_| self.bit_vector(rng, width, depth)).collect();
        let words: Option<Vec<Word>> = nodes.iter().map(Node::word).collect();
        let value = words.and_then(|w| w.into_iter().reduce(|a, b| a.binary(operator, b)));
        node(application(operator, &nodes), width, value)
    }
    fn extract(&mut self, rng: &mut Rng, width: u8, depth: usize) -> Node {
        let wider: Vec<u8> = self.bit_widths().into_iter().filter(|w| *w > width).collect();
        let from = if wider.is_empty() || rng.chance(20) {
            (width + u8::try_from(rng.below(4)).expect("below four")).min(WIDEST.max(width))
        } else {
            *rng.pick(&wider)
        };
        let inner = self.bit_vector(rng, from, depth);
        let low = u8::try_from(rng.below(usize::from(from - width) + 1)).expect("a width is small");
        let high = low + width - 1;
        let value = inner.word().map(|word| word.extract(high, low));
        node(format!("((_ extract {high} {low}) {})", inner.text), width, value)
    }
    fn extend(&mut self, rng: &mut Rng, width: u8, depth: usize) -> Node {
        let narrower: Vec<u8> = self.bit_widths().into_iter().filter(|w| *w <= width).collect();
        let from = if narrower.is_empty() || rng.chance(30) {
            1 + u8::try_from(rng.below(usize::from(width))).expect("a width is small")
        } else {
            *rng.pick(&narrower)
        };
        let by = width - from;
        let inner = self.bit_vector(rng, from, depth);
        if rng.chance(50) {
            let value = inner.word().map(|word| word.sign_extend(by));
            return node(format!("((_ sign_extend {by}) {})", inner.text), width, value);
        }
        let value = inner.word().map(|word| word.zero_extend(by));
        node(format!("((_ zero_extend {by}) {})", inner.text), width, value)
    }
    fn concat(&mut self, rng: &mut Rng, width: u8, depth: usize) -> Node {
        if width.is_multiple_of(2) && rng.chance(30) || width == 1 {
            let times = if width == 1 { 1 } else { 2 };
            let inner = self.bit_vector(rng, width / times, depth);
            let value = inner.word().map(|w| if times == 1 { w } else { w.concat(w) });
            return node(format!("((_ repeat {times}) {})", inner.text), width, value);
        }
        let left = 1 + u8::try_from(rng.below(usize::from(width) - 1)).expect("a width is small");
        let (a, b) = (self.bit_vector(rng, left, depth), self.bit_vector(rng, width - left, depth));
        let value = a.word().zip(b.word()).map(|(a, b)| a.concat(b));
        node(application("concat", &[a, b]), width, value)
    }
    fn rotate(&mut self, rng: &mut Rng, width: u8, depth: usize) -> Node {
        let by = u8::try_from(rng.below(12)).expect("below twelve");
        let inner = self.bit_vector(rng, width, depth);
        let to_left = rng.chance(50);
        let value = inner
            .word()
            .map(|word| word.rotate_left(if to_left { by } else { width - by % width }));
        let name = if to_left { "rotate_left" } else { "rotate_right" };
        node(format!("((_ {name} {by}) {})", inner.text), width, value)
    }

    /// A comparison of two vectors, nested less than `depth`.
    pub(crate) fn bit_comparison(&mut self, rng: &mut Rng, width: u8, depth: usize) -> Node {
        let operator = *rng.pick(&COMPARISONS);
        let (left, right) = (rng.below(depth), rng.below(depth.min(2)));
        let (a, b) = (self.bit_vector(rng, width, left), self.bit_vector(rng, width, right));
        let value = a.word().zip(b.word()).map(|(a, b)| Value::Bool(a.compare(operator, b)));
        Node::new(application(operator, &[a, b]), Sort::Bool, value)
    }
    /// A vector as an integer.
    pub(crate) fn bits_to_int(&mut self, rng: &mut Rng) -> Node {
        let width = *rng.pick(&self.bit_widths());
        let inner = self.bit_vector(rng, width, 1);
        let operator = *rng.pick(&["ubv_to_int", "ubv_to_int", "sbv_to_int", "bv2nat"]);
        let number = inner
            .word()
            .map(|word| if operator == "sbv_to_int" { word.signed() } else { word.unsigned() });
        let value = number.map(|n| Value::Number(Ratio::int(n)));
        Node::new(application(operator, &[inner]), Sort::Int, value)
    }
    /// An integer as a vector.
    pub(crate) fn int_to_bits(&mut self, rng: &mut Rng, width: u8) -> Node {
        let inner = self.arithmetic(rng, Sort::Int, 1);
        let value = match inner.value {
            Some(Value::Number(n)) => n.to_int().map(|n| Word::of_int(width, n)),
            Some(_) | None => None,
        };
        let operator = *rng.pick(&["int_to_bv", "int2bv"]);
        node(format!("((_ {operator} {width}) {})", inner.text), width, value)
    }
    /// Whether there are both integers and vectors.
    pub(crate) fn converts_bits(&self) -> bool {
        self.logic.arithmetic == Arithmetic::Lia && !self.bit_widths().is_empty()
    }
}
