//! Runs of the interpreter by itself, with inputs that are given: for tests against compilers.

use lang_c::driver::{Config, Flavor, parse_preprocessed};
use shofar_base::{Diagnostic, Span};

use super::super::nesting::measure;
use super::super::source::prepare;
use super::super::types;
use super::code::{Program, Shape};
use super::compile::compile;
use super::compute::Fault;
use super::kind::{DataModel, Kind, Signed};
use super::machine::{End, Happening, Limits, Machine, World};
use super::memory::Contents;
use super::scope::{Places, Refusal};

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Alone {
    /// How it has ended.
    pub end: AloneEnd,
    /// The values of variables that live as long as the program: one, or those of the elements.
    pub finals: Vec<(String, Vec<i128>)>,
}

/// How a run has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AloneEnd {
    /// By itself.
    Finished,
    /// With something that must not happen, and where.
    Violation(Fault, Span),
    /// At an assumption that does not hold.
    Excluded,
    /// It takes too long, or too much memory.
    OverLimit,
    /// It needs a value that is not given.
    Open(Span),
    /// Something is not modelled.
    Inconclusive(String, Span),
}

/// The stack of the thread that compiles, as that of the reader.
const STACK: usize = 512 << 20;

/// Runs a program with these inputs, for so many instructions.
pub fn run_alone(
    text: &[u8],
    (model, signed): (DataModel, Signed),
    inputs: &[i128],
    instructions: u64,
) -> Result<Alone, Diagnostic> {
    let compiled = compiled(text, (model, signed))?;
    let world = Given { inputs: inputs.to_vec(), next: 0 };
    let mut machine = Machine::new(&compiled, world);
    let end = match machine.run(Limits { instructions, numbers: 1 << 20 }) {
        End::Finished => AloneEnd::Finished,
        End::Violation(fault, at) => AloneEnd::Violation(fault, at),
        End::Excluded(_) => AloneEnd::Excluded,
        End::OverLimit => AloneEnd::OverLimit,
        End::Open(at) => AloneEnd::Open(at),
        End::Inconclusive(what, at) => AloneEnd::Inconclusive(what.to_owned(), at),
        End::Objection(what, at) => AloneEnd::Inconclusive(what, at),
    };
    Ok(Alone { end, finals: machine.finals() })
}

/// The code of a program.
pub(super) fn compiled(
    text: &[u8],
    (model, signed): (DataModel, Signed),
) -> Result<Program, Diagnostic> {
    let header_model = match model {
        DataModel::Lp64 => types::DataModel::Lp64,
        DataModel::Ilp32 => types::DataModel::Ilp32,
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let spawned = thread.spawn_scoped(scope, || {
            let prepared = prepare(text, header_model)?;
            measure(&prepared.text[prepared.offset..])?;
            let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
            let tree = parse_preprocessed(&config, prepared.text)
                .map_err(|error| Diagnostic::new(Span::new(0, 0), error.to_string()))?;
            let places = Places { text, offset: prepared.offset };
            let code = compile(&tree.unit, places, &prepared.constants, (model, signed));
            code.map_err(|Refusal { what, at }| Diagnostic::new(at, what))
        });
        let failed = |what: &str| Diagnostic::new(Span::new(0, 0), what.to_owned());
        let joined = spawned.map(std::thread::ScopedJoinHandle::join);
        joined.map_err(|_| failed("no thread"))?.map_err(|_| failed("a panic"))?
    })
}

/// Inputs that are given, in order.
struct Given {
    inputs: Vec<i128>,
    next: usize,
}

impl World for Given {
    fn input(&mut self, _: &str, kind: Kind, _: Span) -> Option<i128> {
        let given = self.inputs.get(self.next).copied().filter(|given| kind.holds(*given));
        self.next += 1;
        given
    }
    fn open(&mut self, _: &str, _: Kind, _: Span) -> Option<i128> {
        None
    }
    fn open_array(&mut self, _: &str, _: &Shape, _: Span) -> Contents {
        Contents::default()
    }
    fn open_result(&mut self, _: &str, _: Kind, _: Span) -> Option<i128> {
        None
    }
    fn happens(&mut self, _: Span, _: &Happening<'_>) -> Result<(), String> {
        Ok(())
    }
    fn goes_on(&mut self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, options: (DataModel, Signed), inputs: &[i128]) -> Alone {
        let run = run_alone(text.as_bytes(), options, inputs, 100_000);
        run.unwrap_or_else(|error| panic!("{text}: {} at {:?}", error.message, error.span))
    }
    const USUAL: (DataModel, Signed) = (DataModel::Lp64, Signed::Checked);

    /// The final value of the only global variable.
    fn check(text: &str, inputs: &[i128], expected: &[i128]) {
        let run = run(text, USUAL, inputs);
        assert_eq!(run.end, AloneEnd::Finished, "{text}");
        assert_eq!(run.finals[0].1, expected, "{text}");
    }
    fn check_end(text: &str, options: (DataModel, Signed), expected: Result<(), (Fault, &str)>) {
        let end = run(text, options, &[]).end;
        match (end, expected) {
            (AloneEnd::Finished, Ok(())) => {}
            (AloneEnd::Violation(fault, at), Err((expected, place))) => {
                assert_eq!((fault, &text[at.start..at.end]), (expected, place), "{text}");
            }
            (end, _) => panic!("{text}: {end:?}"),
        }
    }

    #[test]
    fn statements_do_what_c_says() {
        for (text, expected) in [
            (
                "int r; int main() { for (int i = 0; i < 5; i++) { if (i == 3) continue; r += i; } }",
                7,
            ),
            ("int r; int main() { do { r++; if (r == 4) break; } while (1); }", 4),
            (
                "int r; int main() { switch (2) { case 1: r = 1; case 2: r += 2; case 3: r += 3; break; default: r = 9; } }",
                5,
            ),
            ("int r; int main() { switch (7) { case 1: r = 1; default: r += 8; } }", 8),
            ("int r; int main() { int i = 0; again: r += i; if (++i < 4) goto again; }", 6),
            (
                "int r; int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main() { r = f(10); }",
                55,
            ),
            (
                "int r; void set(int a[], int i) { a[i] = 7; } int main() { int v[3] = {1}; set(v, 2); r = v[0] + v[1] + v[2]; }",
                8,
            ),
            (
                "int r; int main() { int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; m[1][2] += 10; r = m[1][2] * m[0][1]; }",
                32,
            ),
            (
                "int r; int main() { int a[2] = {0, 0}; r = ++a[0] * 10 + a[1]++; r += a[0] + a[1]; }",
                12,
            ),
            ("int r; int main() { int x, y; x = y = 3; r = (x += 2, y -= 1, x * y); }", 10),
            (
                "int r; int n() { static int k = 5; return k++; } int main() { r = n(); r = r * 10 + n(); }",
                56,
            ),
            (
                "int r; int main() { _Bool b = 7; unsigned char c = 300; signed char d = 200; r = b + c + d; }",
                -11,
            ),
            ("int r; int main() { ({ r = 4; goto out; }); r = 5; out: ; }", 4),
            ("int r; int main() { r = 1 + (0 ? 2 : (({ return 0; }), 4)); }", 0),
            (
                "int r; enum { A = 3, B }; typedef long word; int main() { word w = B; r = (int) w + sizeof(word) + sizeof 'a'; }",
                16,
            ),
            ("int r; int main() { unsigned x = 0; x--; r = x == 4294967295u && -1 > 0u; }", 1),
            ("int r = 2; int main() { int i = 1; { int i = 5; r *= i; } r += i; }", 11),
        ] {
            check(text, &[], &[expected]);
        }
        check(
            "int r[3]; int main() { r[1] = __VERIFIER_nondet_int(); r[0] = __VERIFIER_nondet_char(); }",
            &[70_000, -3],
            &[-3, 70_000, 0],
        );
    }

    #[test]
    fn violations_are_found_where_they_happen() {
        let exact = (DataModel::Lp64, Signed::Mathematical);
        for (text, options, expected) in [
            (
                "int main() { int x = 1; assert(x == 2); }",
                USUAL,
                Err((Fault::Assertion, "assert(x == 2)")),
            ),
            ("int main() { int a[3]; a[3] = 1; }", USUAL, Err((Fault::Bounds, "3"))),
            ("int main() { int z = 0; return 1 % z; }", USUAL, Err((Fault::Division, "1 % z"))),
            ("int main() { int x = 2147483647; x++; }", USUAL, Err((Fault::Overflow, "x++"))),
            ("int main() { int x = 2147483647; x++; assert(x > 0); }", exact, Ok(())),
            ("int main() { int n = 32; return 1 << n; }", USUAL, Err((Fault::Shift, "1 << n"))),
            ("int main() { reach_error(); }", USUAL, Err((Fault::Error, "reach_error()"))),
            ("int main() { exit(0); reach_error(); }", USUAL, Ok(())),
            ("int main() { long x = 2147483647; x++; assert(x > 0); }", USUAL, Ok(())),
            (
                "int main() { long x = 2147483647; x++; }",
                (DataModel::Ilp32, Signed::Checked),
                Err((Fault::Overflow, "x++")),
            ),
        ] {
            check_end(text, options, expected);
        }
    }

    #[test]
    fn runs_are_bounded() {
        for text in [
            "int main() { while (1) ; }",
            "int f(int n) { return f(n + 1); } int main() { return f(0); }",
            "int f(int n) { int a[16384]; a[0] = n; return f(n + 1) + a[0]; } int main() { return f(0); }",
        ] {
            assert_eq!(run(text, USUAL, &[]).end, AloneEnd::OverLimit, "{text}");
        }
        let open = "int main() { int x; int y = x; }";
        assert!(matches!(run(open, USUAL, &[]).end, AloneEnd::Open(_)));
        let skipped = "int main() { goto in; { int x = 1; in: return x; } }";
        assert!(matches!(run(skipped, USUAL, &[]).end, AloneEnd::Open(_)));
    }
}
