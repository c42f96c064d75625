//! Answers confirmed by runs.
//!
//! A refutation is replayed: the run has to arrive at the violation that was told, at its place,
//! with all values as told. A proof is confirmed if the program needs nothing from outside and its
//! run ends without a violation; else some runs with inputs that are chosen here look for one. A
//! run that is over its limits, or that meets something which is not modelled, decides nothing.

use lang_c::ast::TranslationUnit;
use shofar_base::{Budget, Span};
use shofar_chc::read::Confirmation;

use super::super::program::Counted;
use super::super::source::Constant;
use super::super::types::{self, Arithmetic};
use super::code::{Program, Shape};
use super::compile::compile;
use super::compute::Fault;
use super::kind::{DataModel, Kind, Signed};
use super::machine::{End, Happening, Limits, Machine, World};
use super::memory::Contents;
use super::replay::Replay;
use super::scope::{Places, Refusal};
use crate::execution::{Execution, Listing};

/// A run that follows an execution: each moment that is told takes some instructions.
const REPLAYED: Limits = Limits { instructions: 50_000_000, numbers: 1 << 21 };
/// A run that needs nothing from outside.
const CLOSED: Limits = Limits { instructions: 3_000_000, numbers: 1 << 20 };
/// A run with inputs that are chosen here.
const CHOSEN: Limits = Limits { instructions: 200_000, numbers: 1 << 20 };
/// How many of these there are.
const RUNS: u64 = 4;

/// Knows what a program does, by running it.
#[derive(Debug)]
pub(in crate::c) struct Oracle {
    code: Result<Program, Refusal>,
    counted: Counted,
}

impl Oracle {
    /// The oracle of a tree, which is about the text that begins at `offset`.
    pub(in crate::c) fn new(
        unit: &TranslationUnit,
        text: &[u8],
        offset: usize,
        constants: &[Constant],
        (arithmetic, model, counted): (Arithmetic, types::DataModel, Counted),
    ) -> Self {
        let signed = match arithmetic {
            Arithmetic::Mathematical => Signed::Mathematical,
            Arithmetic::Checked => Signed::Checked,
        };
        let model = match model {
            types::DataModel::Lp64 => DataModel::Lp64,
            types::DataModel::Ilp32 => DataModel::Ilp32,
        };
        let places = Places { text, offset };
        Self { code: compile(unit, places, constants, (model, signed)), counted }
    }
    fn code(&self, listing: &Listing) -> Result<&Program, Confirmation> {
        self.code.as_ref().map_err(|Refusal { what, at }| {
            let line = listing.line(at.start);
            Confirmation::Undecided(format!("the interpreter does not know {what} in line {line}"))
        })
    }
    /// Whether the program does what is told of variables with these names.
    pub(in crate::c) fn replays(
        &self,
        listing: &Listing,
        (execution, names): (&Execution, &[&str]),
        budget: &Budget,
    ) -> Confirmation {
        let program = match self.code(listing) {
            Ok(program) => program,
            Err(undecided) => return undecided,
        };
        if execution.is_cut {
            let why = "the execution is too long to be replayed";
            return Confirmation::Undecided(why.to_owned());
        }
        let world = Replay::new(execution, names, || budget.check().is_ok());
        let mut machine = Machine::new(program, world);
        let end = machine.run(REPLAYED);
        let mut world = machine.into_world();
        let is_complete = world.is_complete();
        let refuted = |what: String| {
            let what = format!("the execution is not one of the program: {what}");
            // What a function gives back that has no value to give back is not told.
            if world.has_guessed {
                Confirmation::Undecided(what)
            } else {
                Confirmation::Refuted(what)
            }
        };
        match end {
            End::Violation(..) if is_complete => {
                Confirmation::Confirmed("the program was run and does what is told".to_owned())
            }
            End::Violation(fault, at) => {
                let line = listing.line(at.start);
                refuted(format!("{} in line {line}, and more is told", fault.words()))
            }
            End::Finished => refuted("its run ends without a violation".to_owned()),
            End::Excluded(at) => {
                refuted(format!("an assumption in line {} does not hold", listing.line(at.start)))
            }
            End::Objection(what, at) => {
                refuted(format!("in line {}: {what}, which is not told", listing.line(at.start)))
            }
            End::OverLimit | End::Open(_) | End::Inconclusive(..) => undecided(&end, listing),
        }
    }
    /// Whether no run violates anything, as far as runs can tell.
    pub(in crate::c) fn finds_nothing(&self, listing: &Listing, budget: &Budget) -> Confirmation {
        let program = match self.code(listing) {
            Ok(program) => program,
            Err(undecided) => return undecided,
        };
        let closed = run(program, CLOSED, None, budget);
        if closed == End::Finished || self.is_ignored(&closed) {
            let how = "the program needs no inputs, and its run ends without a violation";
            return Confirmation::Confirmed(how.to_owned());
        }
        let needs_more = matches!(closed, End::Open(_));
        let mut ends = vec![closed];
        for choice in (0..RUNS).filter(|_| needs_more) {
            ends.push(run(program, CHOSEN, Some(choice), budget));
        }
        for end in ends.iter().filter(|end| !self.is_ignored(end)) {
            if let End::Violation(fault, at) = end {
                let (line, what) = (listing.line(at.start), fault.words());
                return Confirmation::Refuted(format!(
                    "the program has a run with {what} in line {line}"
                ));
            }
        }
        if needs_more {
            return Confirmation::Undecided(format!("{RUNS} runs found nothing"));
        }
        undecided(&ends[0], listing)
    }
    /// Whether a run ends by a violation that does not count.
    fn is_ignored(&self, end: &End) -> bool {
        match (self.counted, end) {
            (Counted::Overflows, End::Violation(fault, _)) => *fault != Fault::Overflow,
            (Counted::All | Counted::Overflows, _) => false,
        }
    }
    /// Whether some run goes on for ever, as far as the run of a program without inputs can tell.
    pub(in crate::c) fn goes_on(&self, listing: &Listing, budget: &Budget) -> Confirmation {
        let program = match self.code(listing) {
            Ok(program) => program,
            Err(undecided) => return undecided,
        };
        let end = run(program, CLOSED, None, budget);
        match end {
            End::Finished | End::Violation(..) | End::Excluded(_) => {
                let what = "the program needs no inputs, and its run ends";
                Confirmation::Refuted(what.to_owned())
            }
            End::OverLimit | End::Open(_) | End::Inconclusive(..) | End::Objection(..) => {
                undecided(&end, listing)
            }
        }
    }
}

fn run(program: &Program, limits: Limits, choice: Option<u64>, budget: &Budget) -> End {
    let world = Chosen { choice, drawn: 0, budget };
    Machine::new(program, world).run(limits)
}

/// Why a run decides nothing.
fn undecided(end: &End, listing: &Listing) -> Confirmation {
    let in_line = |at: &Span| format!("in line {}", listing.line(at.start));
    Confirmation::Undecided(match end {
        End::Inconclusive(what, at) => {
            format!("the interpreter does not know {what} {}", in_line(at))
        }
        End::Open(at) => format!("a value {} is left open", in_line(at)),
        End::Excluded(at) => format!("an assumption {} does not hold", in_line(at)),
        End::OverLimit => "the run takes too long".to_owned(),
        End::Finished => "the run ends".to_owned(),
        End::Violation(fault, at) => format!("{} {}", fault.words(), in_line(at)),
        End::Objection(what, at) => format!("{what} {}", in_line(at)),
    })
}

/// A world that gives nothing, or what is chosen here.
struct Chosen<'b> {
    choice: Option<u64>,
    drawn: u64,
    budget: &'b Budget,
}

impl Chosen<'_> {
    /// Zero at first, then small numbers and ends of ranges.
    fn draw(&mut self, kind: Kind) -> Option<i128> {
        let choice = self.choice?;
        self.drawn += 1;
        let numbers = [0, 1, 2, -1, kind.highest(), 3, kind.lowest(), 10, 7];
        let mixed = choice.wrapping_mul(self.drawn.wrapping_mul(0x9e37_79b9).wrapping_add(choice));
        let at = usize::try_from((mixed >> 3) % 9).unwrap_or(0);
        Some(numbers[if choice == 0 { 0 } else { at }].clamp(kind.lowest(), kind.highest()))
    }
}

impl World for Chosen<'_> {
    fn input(&mut self, _: &str, kind: Kind, _: Span) -> Option<i128> {
        self.draw(kind)
    }
    fn open(&mut self, _: &str, kind: Kind, _: Span) -> Option<i128> {
        self.draw(kind)
    }
    fn open_array(&mut self, _: &str, shape: &Shape, _: Span) -> Contents {
        Contents { rest: self.draw(shape.kind), listed: Vec::new() }
    }
    fn open_result(&mut self, _: &str, kind: Kind, _: Span) -> Option<i128> {
        self.draw(kind)
    }
    fn happens(&mut self, _: Span, _: &Happening<'_>) -> Result<(), String> {
        Ok(())
    }
    fn goes_on(&mut self) -> bool {
        self.budget.check().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use shofar_num::Rational;
    use shofar_term::Value;

    use super::super::alone::compiled;
    use super::*;
    use crate::execution::{Moment, Told};

    /// The oracle of a program, and its text.
    fn oracle(text: &str) -> (Oracle, Listing) {
        let code = compiled(text.as_bytes(), (DataModel::Lp64, Signed::Checked));
        let refused =
            |error: shofar_base::Diagnostic| Refusal { what: error.message, at: error.span };
        (
            Oracle { code: code.map_err(refused), counted: Counted::All },
            Listing::new(text.as_bytes()),
        )
    }
    /// What the run of a program says to a proof.
    fn proof(text: &str) -> Confirmation {
        let (oracle, listing) = oracle(text);
        oracle.finds_nothing(&listing, &Budget::unlimited())
    }
    /// What it says to an execution: what happens at which part of the text.
    fn told(text: &str, moments: &[(&str, Told)]) -> Confirmation {
        let (oracle, listing) = oracle(text);
        let moment = |(part, told): &(&str, Told)| {
            let start = text.find(part).unwrap();
            Moment { depth: 0, span: Span::new(start, start + part.len()), told: told.clone() }
        };
        let moments = moments.iter().map(moment).collect();
        let execution = Execution { moments, is_cut: false };
        oracle.replays(&listing, (&execution, &["x"]), &Budget::unlimited())
    }
    fn number(number: i64) -> Value {
        Value::Number(Rational::from(number))
    }
    fn is_refuted(confirmation: &Confirmation, because: &str) {
        match confirmation {
            Confirmation::Refuted(why) => assert!(why.contains(because), "{why}"),
            Confirmation::NotAsked | Confirmation::Confirmed(_) | Confirmation::Undecided(_) => {
                panic!("{confirmation:?}")
            }
        }
    }

    #[test]
    fn proofs_of_programs_that_fail_are_refuted() {
        is_refuted(
            &proof("int h[4];\nint main(void) {\n if (++h[1] == 1) reach_error(); }"),
            "line 3",
        );
        is_refuted(
            &proof("int main(void) { int x = __VERIFIER_nondet_int(); assert(x); }"),
            "assertion",
        );
        for closed in [
            "int main(void) { int x = 1; assert(x); }",
            "int main(void) { int i; for (i = 0; i < 9; i++) ; assert(i == 9); }",
        ] {
            assert!(matches!(proof(closed), Confirmation::Confirmed(_)), "{closed}");
        }
        for open in [
            "int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 12345); }",
            "int main(void) { while (1) ; }",
            "int main(void) { int x; if (x) assert(x); }",
            "int main(void) { __VERIFIER_assume(0); assert(0); }",
        ] {
            assert!(matches!(proof(open), Confirmation::Undecided(_)), "{open}");
        }
    }

    #[test]
    fn a_run_that_ends_does_not_go_on() {
        let goes_on = |text: &str| {
            let (oracle, listing) = oracle(text);
            oracle.goes_on(&listing, &Budget::unlimited())
        };
        is_refuted(&goes_on("int main(void) { int x = 5; while (x > 0) x--; }"), "ends");
        for text in ["int main(void) { while (1) ; }", "int main(void) { int x; while (x) ; }"] {
            assert!(matches!(goes_on(text), Confirmation::Undecided(_)), "{text}");
        }
    }

    #[test]
    fn executions_have_to_happen_as_they_are_told() {
        let text = "int a[2]; int main(void) { int x = __VERIFIER_nondet_int(); int z = ++a[x]; assert(z != 1); }";
        let input = |value| {
            (
                "__VERIFIER_nondet_int()",
                Told::Input("__VERIFIER_nondet_int".to_owned(), number(value)),
            )
        };
        let first =
            |value| ("x = __VERIFIER_nondet_int()", Told::Set("x".to_owned(), number(value)));
        let element = |at, value| {
            ("++a[x]", Told::SetElement("a".to_owned(), vec![number(at)], number(value)))
        };
        let second = |value| ("z = ++a[x]", Told::Set("z".to_owned(), number(value)));
        let end = ("assert(z != 1)", Told::Violate("an assertion is violated", Span::new(0, 0)));
        let right = [input(1), first(1), element(1, 1), second(1), end.clone()];
        assert!(
            matches!(told(text, &right), Confirmation::Confirmed(_)),
            "{:?}",
            told(text, &right)
        );
        is_refuted(
            &told(text, &[input(1), first(1), element(1, 1), second(2), end.clone()]),
            "z = 1",
        );
        is_refuted(
            &told(text, &[input(1), first(1), element(0, 1), second(1), end.clone()]),
            "a[1] = 1",
        );
        is_refuted(&told(text, &[input(1), first(1), second(1), end.clone()]), "a[1] = 1");
        is_refuted(
            &told(text, &[input(2), first(2), element(1, 1), second(1), end.clone()]),
            "out of bounds",
        );
        is_refuted(&told(text, &right[..4]), "assertion");
        let text = "int main(void) { int x = __VERIFIER_nondet_int(); assert(x != 3); }";
        let end = ("assert(x != 3)", Told::Violate("an assertion is violated", Span::new(0, 0)));
        is_refuted(&told(text, &[input(4), first(4), end.clone()]), "without a violation");
        assert!(matches!(told(text, &[input(3), first(3), end]), Confirmation::Confirmed(_)));
    }

    #[test]
    fn variables_without_first_values_have_what_is_told() {
        let text = "int main(void) { int x; int a[3]; assert(x + a[2] != 12); }";
        let end =
            ("assert(x + a[2] != 12)", Told::Violate("an assertion is violated", Span::new(0, 0)));
        let open = |value| ("x", Told::Open(0, number(value)));
        is_refuted(&told(text, &[open(12 + (1 << 33)), end.clone()]), "without a violation");
        assert!(matches!(told(text, &[open(12), end]), Confirmation::Confirmed(_)));
    }
}
