//! Random programs in C whose meaning C defines, for comparisons with compilers.
//!
//! A program has global variables and arrays of all integer types, functions that call each other
//! and change them, also arrays that are passed, and a `main` with all kinds of statements. Side
//! effects are everywhere, but two of them never meet in an expression without a sequence point:
//! each expression comes with what it reads and writes, and operands that would interfere are
//! replaced. Loops, recursion and jumps back are bounded by counters. What may happen all the same
//! is an overflow, a division by zero, a shift by too many places and an index out of bounds: these
//! are part of what is compared.
//!
//! Everything that has been computed goes into the global variable `seen`, so that its last value
//! tells runs apart. A program reads one input at most, whose values are listed
//! ([`CProgram::inputs`]). It is a tree of lines, so that it can be made smaller.
//!
//! A program depends on the seed and its number only.

mod expression;
mod statement;

use std::collections::BTreeSet;

use shofar_base::Rng;

/// A piece of a program: a line, with lines inside of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The line, or how it begins.
    pub open: String,
    /// What is inside.
    pub inner: Vec<Piece>,
    /// How it ends, if something is inside of it.
    pub close: String,
}

impl Piece {
    pub(crate) fn line(line: impl Into<String>) -> Self {
        Self { open: line.into(), inner: Vec::new(), close: String::new() }
    }
    pub(crate) fn block(open: impl Into<String>, inner: Vec<Piece>) -> Self {
        Self { open: open.into(), inner, close: "}".to_owned() }
    }
    fn write(&self, out: &mut String) {
        out.push_str(&self.open);
        out.push('\n');
        for piece in &self.inner {
            piece.write(out);
        }
        if !self.close.is_empty() {
            out.push_str(&self.close);
            out.push('\n');
        }
    }
}

/// A global variable: its name, whether it is unsigned, and how many numbers it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalVariable {
    /// Its name.
    pub name: String,
    /// Whether its numbers are unsigned.
    pub is_unsigned: bool,
    /// The lengths of an array.
    pub lengths: Vec<usize>,
}

/// A program.
#[derive(Clone, Debug)]
pub struct CProgram {
    /// What is declared and defined, `main` last.
    pub pieces: Vec<Piece>,
    /// The global variables.
    pub globals: Vec<GlobalVariable>,
    /// The names that a linker would see.
    pub names: Vec<String>,
    /// The values that its input may have; none if it has no input.
    pub inputs: Vec<i64>,
}

/// What stands in front of every program, in one line.
pub const PROLOGUE: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); \
    extern void reach_error(void);";

impl CProgram {
    /// The program with this number. If `is_bitwise`, all bit operations may occur, else those with
    /// constants only.
    pub fn new(seed: u64, number: u64, is_bitwise: bool) -> Self {
        let rng = Rng::new(
            seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ number.wrapping_mul(0x1405_7b7e_f767_814f),
        );
        Draft::new(rng, is_bitwise).program()
    }
    /// The text with something in front of the end of `main`.
    pub fn text(&self, last: &str) -> String {
        let mut text = format!("{PROLOGUE}\n");
        for (at, piece) in self.pieces.iter().enumerate() {
            let mut piece = piece.clone();
            if at + 1 == self.pieces.len() && !last.is_empty() {
                piece.inner.push(Piece::line(last));
            }
            piece.write(&mut text);
        }
        text
    }
}

/// What an expression reads and writes, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    reads: BTreeSet<String>,
    writes: BTreeSet<String>,
}

impl Touched {
    fn add(&mut self, other: &Touched) {
        self.reads.extend(other.reads.iter().cloned());
        self.writes.extend(other.writes.iter().cloned());
    }
    /// Whether the order of the two matters.
    fn interferes(&self, other: &Touched) -> bool {
        let meets = |a: &Touched, b: &Touched| {
            a.writes.iter().any(|name| b.reads.contains(name) || b.writes.contains(name))
        };
        meets(self, other) || meets(other, self)
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    text: String,
    touched: Touched,
}

/// A variable that may be used.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    lengths: Vec<usize>,
    /// A parameter, whose index has to be in bounds since compilers do not look.
    is_passed: bool,
    /// A counter of a loop is not to be changed.
    is_constant: bool,
}

/// A function that may be called.
#[derive(Clone, Debug)]
struct Callee {
    name: String,
    /// Nothing for a number; the lengths of an array.
    parameters: Vec<Option<Vec<usize>>>,
    /// What it does to global variables.
    touched: Touched,
    /// Which arrays it writes, by parameter.
    is_recursive: bool,
}

/// A program in the making.
pub(crate) struct Draft {
    rng: Rng,
    is_bitwise: bool,
    globals: Vec<(GlobalVariable, String)>,
    callees: Vec<Callee>,
    /// What is visible.
    variables: Vec<Variable>,
    /// What the function at hand touches.
    touched: Touched,
    counters: usize,
    labels: usize,
    /// How many statements there may be.
    fuel: usize,
    /// Loops and switches around.
    loops: usize,
    switches: usize,
    is_main: bool,
}

/// The types, with whether they are unsigned.
const TYPES: [(&str, bool); 14] = [
    ("int", false),
    ("unsigned", true),
    ("char", false),
    ("signed char", false),
    ("unsigned char", true),
    ("short", false),
    ("unsigned short", true),
    ("long", false),
    ("unsigned long", true),
    ("long long", false),
    ("unsigned long long", true),
    ("_Bool", true),
    ("int", false),
    ("unsigned", true),
];
/// Numbers to begin with.
const FIRST: [&str; 14] =
    ["0", "1", "2", "3", "5", "-1", "-2", "7", "100", "127", "128", "255", "65535", "'a'"];

impl Draft {
    fn new(rng: Rng, is_bitwise: bool) -> Self {
        Self {
            rng,
            is_bitwise,
            globals: Vec::new(),
            callees: Vec::new(),
            variables: Vec::new(),
            touched: Touched::default(),
            counters: 0,
            labels: 0,
            fuel: 0,
            loops: 0,
            switches: 0,
            is_main: false,
        }
    }
    fn ctype(&mut self) -> (&'static str, bool) {
        *self.rng.pick(&TYPES)
    }
    fn program(mut self) -> CProgram {
        let mut pieces = self.draw_globals();
        let count = self.rng.below(4);
        for number in 0..count {
            let piece = self.function(number);
            pieces.push(piece);
        }
        let (piece, inputs) = self.main();
        pieces.push(piece);
        let globals: Vec<GlobalVariable> = self.globals.into_iter().map(|(g, _)| g).collect();
        let mut names: Vec<String> = globals.iter().map(|global| global.name.clone()).collect();
        names.extend(self.callees.into_iter().map(|callee| callee.name));
        names.push("main".to_owned());
        CProgram { pieces, globals, names, inputs }
    }
    fn draw_globals(&mut self) -> Vec<Piece> {
        let mut pieces = vec![Piece::line("unsigned seen = 7u;")];
        let seen =
            GlobalVariable { name: "seen".to_owned(), is_unsigned: true, lengths: Vec::new() };
        self.globals.push((seen, "unsigned".to_owned()));
        for number in 0..=self.rng.below(3) {
            let (ctype, is_unsigned) = self.ctype();
            let (name, first) = (format!("g{number}"), *self.rng.pick(&FIRST));
            pieces.push(Piece::line(format!("{ctype} {name} = {first};")));
            self.new_global(name, ctype, is_unsigned, Vec::new());
        }
        for number in 0..=self.rng.below(2) {
            let (ctype, is_unsigned) = self.ctype();
            let name = format!("a{number}");
            let lengths =
                if self.rng.chance(30) { vec![2, 4] } else { vec![*self.rng.pick(&[2, 4, 4, 8])] };
            let shape = brackets(&lengths);
            let first = self.first_array(&lengths);
            pieces.push(Piece::line(format!("{ctype} {name}{shape}{first};")));
            self.new_global(name, ctype, is_unsigned, lengths);
        }
        pieces
    }
    fn new_global(&mut self, name: String, ctype: &str, is_unsigned: bool, lengths: Vec<usize>) {
        let variable = Variable {
            name: name.clone(),
            lengths: lengths.clone(),
            is_passed: false,
            is_constant: false,
        };
        self.variables.push(variable);
        self.globals.push((GlobalVariable { name, is_unsigned, lengths }, ctype.to_owned()));
    }
    /// The first value of an array, which may be left out or be shorter than it.
    fn first_array(&mut self, lengths: &[usize]) -> String {
        if self.rng.chance(20) {
            return String::new();
        }
        let last = lengths[lengths.len() - 1];
        let row = |draft: &mut Self| {
            let count = 1 + draft.rng.below(last);
            let numbers: Vec<&str> = (0..count).map(|_| *draft.rng.pick(&FIRST)).collect();
            format!("{{{}}}", numbers.join(", "))
        };
        if lengths.len() == 1 {
            return format!(" = {}", row(self));
        }
        let rows: Vec<String> = (0..=self.rng.below(lengths[0])).map(|_| row(self)).collect();
        format!(" = {{{}}}", rows.join(", "))
    }

    fn function(&mut self, number: usize) -> Piece {
        let outside = self.variables.len();
        let name = format!("f{number}");
        let (result, _) = self.ctype();
        let is_recursive = self.rng.chance(20);
        let (mut parameters, mut shown) = (Vec::new(), Vec::new());
        for place in 0..self.rng.below(3) {
            let own = format!("p{place}");
            let array = self.globals.iter().find(|(global, _)| !global.lengths.is_empty()).cloned();
            if let Some((global, ctype)) = array.filter(|_| !is_recursive && self.rng.chance(35)) {
                let inner = brackets(&global.lengths[1..]);
                shown.push(format!("{ctype} {own}[]{inner}"));
                self.variable(own, global.lengths.clone(), true);
                parameters.push(Some(global.lengths));
            } else {
                shown.push(format!("{} {own}", self.ctype().0));
                self.variable(own, Vec::new(), false);
                parameters.push(None);
            }
        }
        if is_recursive {
            shown.push("int depth".to_owned());
            parameters.push(None);
        }
        self.touched = Touched::default();
        (self.fuel, self.is_main) = (2 + self.rng.below(4), false);
        let mut inner = Vec::new();
        if self.rng.chance(20) {
            inner.push(Piece::line(format!("static int kept{number} = 3;")));
            self.variable(format!("kept{number}"), Vec::new(), false);
        }
        if is_recursive {
            inner.push(Piece::line("if (depth <= 0) return 1;"));
            let arguments: Vec<String> = (1..parameters.len())
                .map(|_| self.rng.pick(&FIRST).to_string())
                .chain(["depth - 1".to_owned()])
                .collect();
            let target = self.globals[1].0.name.clone();
            self.touched.writes.insert(target.clone());
            self.touched.reads.insert(target.clone());
            inner.push(Piece::line(format!("int back = {name}({});", arguments.join(", "))));
            inner.push(Piece::line(format!("{target} += back;")));
        }
        inner.extend(self.statements());
        let back = self.expression(2);
        self.touched.add(&back.touched);
        inner.push(Piece::line(format!("return {};", back.text)));
        self.variables.truncate(outside);
        // What a static variable or a parameter is called is nothing that callers know; a static
        // one makes the order of calls matter all the same.
        let touched = std::mem::take(&mut self.touched);
        let shown = if shown.is_empty() { "void".to_owned() } else { shown.join(", ") };
        let piece = Piece::block(format!("{result} {name}({shown}) {{"), inner);
        self.callees.push(Callee { name, parameters, touched, is_recursive });
        piece
    }
    fn main(&mut self) -> (Piece, Vec<i64>) {
        (self.fuel, self.is_main) = (5 + self.rng.below(8), true);
        let mut inner = Vec::new();
        let mut inputs = Vec::new();
        if self.rng.chance(40) {
            let all = [-2, -1, 0, 1, 2, 3, 7, 100, 127, 300];
            let first = self.rng.below(all.len() - 3);
            inputs.extend(&all[first..first + 2 + self.rng.below(2)]);
            let among: Vec<String> = inputs.iter().map(|input| format!("in == {input}")).collect();
            inner.push(Piece::line("int in = __VERIFIER_nondet_int();"));
            inner.push(Piece::line(format!("__VERIFIER_assume({});", among.join(" || "))));
            self.variable("in".to_owned(), Vec::new(), false);
        }
        for number in 0..=self.rng.below(3) {
            let (ctype, first) = (self.ctype().0, *self.rng.pick(&FIRST));
            let first = if inputs.is_empty() || self.rng.chance(60) { first } else { "in" };
            inner.push(Piece::line(format!("{ctype} x{number} = {first};")));
            self.variable(format!("x{number}"), Vec::new(), false);
        }
        if self.rng.chance(40) {
            let (ctype, lengths) = (self.ctype().0, vec![4]);
            let first = self.first_array(&lengths);
            let first = if first.is_empty() { " = {0}".to_owned() } else { first };
            inner.push(Piece::line(format!("{ctype} v[4]{first};")));
            self.variable("v".to_owned(), lengths, false);
        }
        inner.extend(self.statements());
        let locals: Vec<Variable> =
            self.variables.iter().filter(|v| v.lengths.is_empty()).cloned().collect();
        for variable in locals {
            inner.push(Piece::line(format!("seen = seen * 31u + (unsigned){};", variable.name)));
        }
        (Piece::block("int main(void) {", inner), inputs)
    }
    fn variable(&mut self, name: String, lengths: Vec<usize>, is_passed: bool) {
        self.variables.push(Variable { name, lengths, is_passed, is_constant: false });
    }
}

/// Lengths as a declaration has them.
fn brackets(lengths: &[usize]) -> String {
    let each: Vec<String> = lengths.iter().map(|length| format!("[{length}]")).collect();
    each.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_depend_on_their_number_and_have_everything() {
        let all: Vec<String> = (0..300).map(|n| CProgram::new(1, n, true).text("")).collect();
        assert_eq!(all[7], CProgram::new(1, 7, true).text(""));
        assert_ne!(all[7], all[8]);
        let together = all.join("\n");
        for part in [
            "switch (",
            "goto ",
            "do {",
            "while (",
            "for (",
            "break;",
            "continue;",
            "default:",
            "++",
            "--",
            "<<=",
            "%=",
            " ? ",
            " && ",
            " || ",
            "_Bool",
            "unsigned long",
            "[2][4]",
            "static",
            "__VERIFIER_nondet_int()",
            "depth - 1",
            "case ",
            "(signed char)",
        ] {
            assert!(together.contains(part), "{part}");
        }
    }

    #[test]
    fn a_last_line_stands_at_the_end_of_main() {
        let program = CProgram::new(1, 3, false);
        let text = program.text("assert(0);");
        assert!(text.ends_with("assert(0);\n}\n"), "{text}");
        assert_eq!(program.text("").lines().count() + 1, text.lines().count());
    }
}
