//! Folded refutations: judged without unrolling, never accepted unless every step that they stand
//! for is right.

use shofar_base::{Budget, Idx, Rng};
use shofar_chc::read::{HornProblem, read_horn};
use shofar_chc::{ClauseId, Derivation, Verdict};
use shofar_check::{
    Blame, Doubt, HornInput, Judgement, Rigour, given_answers, judge, parse_witness, validate,
};
use shofar_num::Rational;
use shofar_term::eval::Value;
use shofar_term::{Cx, TermStore};

/// A problem with a folded refutation. In both, `{…}` is a linear expression in `N`, such as
/// `{N-1}` or `{2N+3}`.
struct Example {
    name: &'static str,
    problem: &'static str,
    refutation: &'static str,
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "one loop",
        problem: "(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x {N})) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (>= x {N})) false)))",
        refutation: "(step 0 :clause 0 :premises ())
(repeat {N} (first (step 1 :clause 1 :values ((x 0)) :premises (0) :derives (p 1)))
(last (step 2 :clause 1 :values ((x {N-1})) :premises (1) :derives (p {N}))))
(step 3 :clause 2 :values ((x {N})) :premises (2) :derives false)",
    },
    Example {
        name: "two phases",
        problem: "(declare-fun p (Int Int) Bool)(assert (p 0 {N}))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (ite (< x {N}) y (+ y 1))))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x {2N}) (= y x)) false)))",
        refutation: "(step 0 :clause 0 :premises ())
(repeat {N} (first (step 1 :clause 1 :values ((x 0) (y {N})) :premises (0)))
(last (step 2 :clause 1 :values ((x {N-1}) (y {N})) :premises (1) :derives (p {N} {N}))))
(repeat {N} (first (step 3 :clause 1 :values ((x {N}) (y {N})) :premises (2)))
(last (step 4 :clause 1 :values ((x {2N-1}) (y {2N-1})) :premises (3) :derives (p {2N} {2N}))))
(step 5 :clause 2 :values ((x {2N}) (y {2N})) :premises (4))",
    },
    Example {
        name: "nested, the same count",
        problem: "(declare-fun p (Int Int) Bool)(assert (p 0 0))
(assert (forall ((i Int) (j Int)) (=> (and (p i j) (< j 7)) (p i (+ j 1)))))
(assert (forall ((i Int) (j Int)) (=> (and (p i j) (>= j 7) (< i {N})) (p (+ i 1) 0))))
(assert (forall ((i Int) (j Int)) (=> (and (p i j) (>= i {N})) false)))",
        refutation: "(step 0 :clause 0 :premises ())
(repeat {N} (first
 (repeat 7 (first (step 1 :clause 1 :values ((i 0) (j 0)) :premises (0)))
  (last (step 2 :clause 1 :values ((i 0) (j 6)) :premises (1) :derives (p 0 7))))
 (step 3 :clause 2 :values ((i 0) (j 7)) :premises (2) :derives (p 1 0)))
(last
 (repeat 7 (first (step 4 :clause 1 :values ((i {N-1}) (j 0)) :premises (3)))
  (last (step 5 :clause 1 :values ((i {N-1}) (j 6)) :premises (4))))
 (step 6 :clause 2 :values ((i {N-1}) (j 7)) :premises (5) :derives (p {N} 0))))
(step 7 :clause 3 :values ((i {N}) (j 0)) :premises (6))",
    },
    Example {
        name: "nested, counts that grow",
        problem: "(declare-fun p (Int Int) Bool)(assert (p 1 0))
(assert (forall ((i Int) (j Int)) (=> (and (p i j) (< j i)) (p i (+ j 1)))))
(assert (forall ((i Int) (j Int)) (=> (and (p i j) (>= j i)) (p (+ i 1) 0))))
(assert (forall ((i Int) (j Int)) (=> (and (p i j) (> i {N})) false)))",
        refutation: "(step 0 :clause 0 :premises ())
(repeat {N} (first
 (repeat 1 (first (step 1 :clause 1 :values ((i 1) (j 0)) :premises (0)))
  (last (step 2 :clause 1 :values ((i 1) (j 0)) :premises (1))))
 (step 3 :clause 2 :values ((i 1) (j 1)) :premises (2) :derives (p 2 0)))
(last
 (repeat {N} (first (step 4 :clause 1 :values ((i {N}) (j 0)) :premises (3)))
  (last (step 5 :clause 1 :values ((i {N}) (j {N-1})) :premises (4))))
 (step 6 :clause 2 :values ((i {N}) (j {N})) :premises (5) :derives (p {N+1} 0))))
(step 7 :clause 3 :values ((i {N+1}) (j 0)) :premises (6))",
    },
    Example {
        name: "a modular guard and a flag",
        problem: "(declare-fun p (Int Bool) Bool)(declare-fun q (Int Bool) Bool)(assert (p 3 true))
(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (or b (< x 0)) (= (mod x 6) 3)) (q (+ x 1) (not b)))))
(assert (forall ((x Int) (b Bool)) (=> (and (q x b) (not b) (distinct x 0)) (p (+ x 5) (not b)))))
(assert (forall ((x Int) (b Bool)) (=> (and (p x b) (= (div x 6) {N})) false)))",
        refutation: "(step 0 :clause 0 :premises ())
(repeat {N} (first (step 1 :clause 1 :values ((x 3) (b true)) :premises (0))
 (step 2 :clause 2 :values ((x 4) (b false)) :premises (1) :derives (p 9 true)))
(last (step 3 :clause 1 :values ((x {6N-3}) (b true)) :premises (2))
 (step 4 :clause 2 :values ((x {6N-2}) (b false)) :premises (3) :derives (p {6N+3} true))))
(step 5 :clause 3 :values ((x {6N+3}) (b true)) :premises (4))",
    },
    Example {
        name: "a fact from outside, and a sum in the loop",
        problem: "(declare-fun p (Int Int) Bool)(declare-fun step (Int) Bool)(assert (p 0 0))
(assert (forall ((d Int)) (=> (and (> d 1) (< d 4)) (step d))))
(assert (forall ((x Int) (y Int) (d Int)) (=> (and (step d) (p x y)) (p (+ x d) (- y (* 2 d))))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x {2N})) false)))",
        refutation: "(step 0 :clause 0 :premises ())
(step 1 :clause 1 :values ((d 3)) :premises ())
(repeat {N} (first (step 2 :clause 2 :values ((x 0) (y 0) (d 3)) :premises (1 0)))
(last (step 3 :clause 2 :values ((x {3N-3}) (y {-6N+6}) (d 3)) :premises (1 2) :derives (p {3N} {-6N}))))
(step 4 :clause 3 :values ((x {3N}) (y {-6N})) :premises (3))",
    },
    Example {
        name: "a counter modulo a number, in rounds",
        problem: "(declare-fun p (Int Int) Bool)(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (mod (+ x 1) 10) (+ y (div (+ x 1) 10))))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= y {N})) false)))",
        refutation: "(step 0 :clause 0 :premises ())
(repeat {N} (first
 (repeat 9 (first (step 1 :clause 1 :values ((x 0) (y 0)) :premises (0)))
  (last (step 2 :clause 1 :values ((x 8) (y 0)) :premises (1) :derives (p 9 0))))
 (step 3 :clause 1 :values ((x 9) (y 0)) :premises (2) :derives (p 0 1)))
(last
 (repeat 9 (first (step 4 :clause 1 :values ((x 0) (y {N-1})) :premises (3)))
  (last (step 5 :clause 1 :values ((x 8) (y {N-1})) :premises (4))))
 (step 6 :clause 1 :values ((x 9) (y {N-1})) :premises (5) :derives (p 0 {N}))))
(step 7 :clause 2 :values ((x 0) (y {N})) :premises (6))",
    },
    Example {
        name: "real numbers",
        problem: "(declare-fun p (Real) Bool)(assert (p 0.0))
(assert (forall ((x Real)) (=> (and (p x) (< x {N}.0)) (p (+ x 0.5)))))
(assert (forall ((x Real)) (=> (and (p x) (>= x {N}.0)) false)))",
        refutation: "(step 0 :clause 0 :premises ())
(repeat {2N} (first (step 1 :clause 1 :values ((x 0.0)) :premises (0)))
(last (step 2 :clause 1 :values ((x (- {N}.0 0.5))) :premises (1) :derives (p {N}.0))))
(step 3 :clause 2 :values ((x {N}.0)) :premises (2))",
    },
];

/// Puts the value of each `{aN+b}` into a text.
fn fill(text: &str, n: i64) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let (inside, after) = behind.split_once('}').expect("braces are closed");
        let (factor, offset) = inside.split_once('N').expect("it is about N");
        let factor = match factor {
            "" => 1,
            "-" => -1,
            number => number.parse().expect("a factor"),
        };
        let offset: i64 = if offset.is_empty() { 0 } else { offset.parse().expect("an offset") };
        let value = factor * n + offset;
        out += before;
        let magnitude = value.abs().to_string();
        let shown = if value < 0 { format!("(- {magnitude})") } else { magnitude };
        out += &shown;
        rest = after;
    }
    // A difference of literals is no literal.
    let text = out + rest;
    let half = |value: i64| format!("(/ {} 2)", 2 * value - 1);
    text.replace(&format!("(- {n}.0 0.5)"), &half(n))
}

impl Example {
    fn problem(&self, n: i64) -> String {
        format!("(set-logic HORN){}(check-sat)", fill(self.problem, n))
    }
    fn witness(&self, n: i64) -> String {
        format!("unsat (refutation {})", fill(self.refutation, n))
    }
}

/// The judgement in words.
fn check(problem: &str, text: &str) -> String {
    let mut store = TermStore::new();
    let script = read_horn(problem.as_bytes(), &mut store).expect("the problem is well-formed");
    let input = HornInput::of_problem(&script.problems[0]);
    let answers = match given_answers(text.as_bytes()) {
        Ok(answers) => answers,
        Err(diagnostic) => return format!("refused: {}", diagnostic.message),
    };
    let [answer] = &answers[..] else { return "refused: not one answer".to_owned() };
    let budget = Budget::unlimited();
    let polarity = script.problems[0].polarity;
    match judge(&mut Cx::new(&mut store, &budget), &input, polarity, answer, Rigour::Solver) {
        Judgement::Valid(certified) => certified.describe(&input, polarity),
        Judgement::Invalid(Blame::Word(message)) => format!("invalid: {message}"),
        Judgement::Invalid(Blame::Text(diagnostic)) => format!("invalid: {}", diagnostic.message),
        Judgement::Invalid(Blame::Witness(objection)) => {
            format!("invalid: {}", objection.describe(&store, &input))
        }
        Judgement::Refused(diagnostic) => format!("refused: {}", diagnostic.message),
        Judgement::Unknown(Doubt::Unsettled(step)) => format!("unknown: step {step}"),
        Judgement::Unknown(doubt) => format!("unknown: {doubt}"),
    }
}

#[test]
fn loops_of_any_length_are_confirmed() {
    for example in EXAMPLES {
        for n in [1, 2, 3, 10, 1_000_000, 1_000_000_000_000] {
            let found = check(&example.problem(n), &example.witness(n));
            assert!(found.starts_with("unsat is confirmed"), "{}, {n}: {found}", example.name);
        }
    }
    let found =
        check(&EXAMPLES[0].problem(1_000_000_000_000), &EXAMPLES[0].witness(1_000_000_000_000));
    let expected = "unsat is confirmed by a refutation of 4 steps, which stand for 1000000000002";
    assert_eq!(found, expected);
}

/// A problem and its folded refutation.
pub(super) struct Case {
    pub(super) store: TermStore,
    problem: HornProblem,
    pub(super) derivation: Derivation,
}

fn case(example: &Example, n: i64) -> Case {
    Case::new(&example.problem(n), &example.witness(n))
}

impl Case {
    pub(super) fn new(problem: &str, witness: &str) -> Self {
        let mut store = TermStore::new();
        let script = read_horn(problem.as_bytes(), &mut store).expect("well-formed");
        let problem = script.problems.into_iter().next().expect("there is one");
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut store, &budget);
        let read = parse_witness(&mut cx, witness.as_bytes(), &problem.system);
        let derivation = match read {
            Ok(Verdict::Unsafe(derivation)) => derivation,
            Ok(Verdict::Safe(_)) => panic!("it is no model"),
            Err(diagnostic) => panic!("{diagnostic:?}"),
        };
        Self { store, problem, derivation }
    }
    pub(super) fn accepts(&mut self, derivation: Derivation) -> bool {
        let input = HornInput::of_problem(&self.problem);
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut self.store, &budget);
        let found = validate(&mut cx, &input, Verdict::Unsafe(derivation));
        found.expect("there is no limit").is_ok()
    }
    pub(super) fn accepts_expanded(&mut self, derivation: Derivation) -> bool {
        let expanded = derivation.expanded(&self.store, 20_000);
        expanded.is_ok_and(|derivation| self.accepts(derivation))
    }
}

#[test]
fn what_is_folded_is_what_is_expanded() {
    for example in EXAMPLES {
        for n in 1..25 {
            let mut case = case(example, n);
            let expanded = case.derivation.clone().expanded(&case.store, 20_000).expect("short");
            assert!(expanded.is_ground());
            let length = Rational::from(u64::try_from(expanded.steps.len()).expect("short"));
            assert_eq!(length, case.derivation.ground_length(), "{}", example.name);
            assert!(case.accepts(expanded), "{}, {n}", example.name);
        }
    }
}

fn other(rng: &mut Rng, number: &Rational) -> Rational {
    let by = *rng.pick(&[-2, -1, 1, 1, 2, 5]);
    number + Rational::from(by)
}

/// Damages a derivation: a count, a value, a premise, a clause, or the places of repeats.
pub(super) fn mutate(case: &Case, derivation: &mut Derivation, rng: &mut Rng) {
    let count = derivation.steps.len();
    let at = rng.below(count);
    match rng.below(8) {
        0 | 1 => {
            let at = rng.below(derivation.repeats.len());
            let repeat = &mut derivation.repeats[at];
            repeat.count = other(rng, &repeat.count);
        }
        2..=4 => {
            let step = &mut derivation.steps[at];
            if step.clause.index() >= case.problem.system.clause_count() {
                return;
            }
            let variables = case.problem.system.clause(step.clause).variables(&case.store);
            if variables.is_empty() {
                return;
            }
            let symbol = *rng.pick(&variables);
            let changed = match step.assignment.get_or_default(&case.store, symbol) {
                Value::Number(value) => Value::Number(other(rng, &value)),
                Value::Bool(value) => Value::Bool(!value),
                value
                @ (Value::Element(..) | Value::Bits(_) | Value::Data(_) | Value::Array(_)) => value,
            };
            step.assignment.set(symbol, changed);
        }
        5 => {
            let premises = &mut derivation.steps[at].premises;
            if !premises.is_empty() {
                let place = rng.below(premises.len());
                premises[place] = rng.below(count + 1);
            }
        }
        6 => {
            let clause = ClauseId::from_index(rng.below(case.problem.system.clause_count() + 1));
            derivation.steps[at].clause = clause;
            if rng.chance(50)
                && let Some(repeat) =
                    derivation.repeats.iter().find(|repeat| repeat.first().contains(&at))
            {
                let twin = at + repeat.length;
                if let Some(step) = derivation.steps.get_mut(twin) {
                    step.clause = clause;
                }
            }
        }
        _ => {
            let number = rng.below(derivation.repeats.len());
            let repeat = &mut derivation.repeats[number];
            match rng.below(3) {
                0 => repeat.start = rng.below(count + 2),
                1 => repeat.length = rng.below(count + 2),
                _ => {
                    derivation.repeats.remove(number);
                }
            }
        }
    }
}

#[test]
fn two_thousand_mutations_are_accepted_only_if_every_step_is_right() {
    let mut rng = Rng::new(11);
    let (mut damaged, mut accepted) = (0, 0);
    while damaged < 2_000 {
        let example = rng.pick(EXAMPLES);
        let mut case = case(example, rng.range(1, 12));
        let mut mutant = case.derivation.clone();
        for _ in 0..=rng.below(3) {
            if !mutant.repeats.is_empty() {
                mutate(&case, &mut mutant, &mut rng);
            }
        }
        damaged += 1;
        if case.accepts(mutant.clone()) {
            accepted += 1;
            assert!(case.accepts_expanded(mutant.clone()), "{}: {mutant:?}", example.name);
        }
    }
    assert!(accepted < 400, "{accepted} mutants are no damage");
}

/// Every number of a text but those of clauses that may be used as well is forced.
#[test]
fn every_changed_number_of_a_long_loop_is_noticed() {
    let n = 1_000_000_000_000;
    let mut changed = 0;
    for example in EXAMPLES {
        let (problem, text) = (example.problem(n), example.witness(n));
        for (at, c) in text.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
            let other = if c == '9' { '8' } else { char::from(c as u8 + 1) };
            let damaged = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            let found = check(&problem, &damaged);
            assert!(!found.starts_with("unsat is confirmed"), "{}: {damaged}", example.name);
            changed += 1;
        }
    }
    assert!(changed > 400);
}

#[test]
fn a_repeat_uses_one_disjunct() {
    let problem = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (or (< x 50) (> x 20))) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (= x 100)) false)))(check-sat)";
    let text =
        |middle: &str| format!("unsat (refutation (step 0 :clause 0 :premises ()) {middle})");
    let whole = "(repeat 100 (first (step 1 :clause 1 :values ((x 0)) :premises (0)))
(last (step 2 :clause 1 :values ((x 99)) :premises (1))))
(step 3 :clause 2 :values ((x 100)) :premises (2))";
    assert_eq!(check(problem, &text(whole)), "unknown: step 1");
    let parts = "(repeat 40 (first (step 1 :clause 1 :values ((x 0)) :premises (0)))
(last (step 2 :clause 1 :values ((x 39)) :premises (1))))
(repeat 60 (first (step 3 :clause 1 :values ((x 40)) :premises (2)))
(last (step 4 :clause 1 :values ((x 99)) :premises (3))))
(step 5 :clause 2 :values ((x 100)) :premises (4))";
    assert!(check(problem, &text(parts)).starts_with("unsat is confirmed"));
}

/// Ten steps of a counter modulo ten have two quotients, so they are not one repeat.
#[test]
fn a_repeat_has_one_quotient() {
    let problem = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (mod (+ x 1) 10)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 12) (= y 2)) false)))(check-sat)";
    let repeat = |from: usize, count: usize, first: [i64; 2], last: [i64; 2]| {
        format!(
            "(repeat {count} (first (step {} :clause 1 :values ((x {}) (y {})) :premises ({from})))
(last (step {} :clause 1 :values ((x {}) (y {})) :premises ({}))))",
            from + 1,
            first[0],
            first[1],
            from + 2,
            last[0],
            last[1],
            from + 1
        )
    };
    let text = |parts: &[String], last: usize| {
        let parts = parts.concat();
        format!(
            "unsat (refutation (step 0 :clause 0 :premises ()) {parts}
(step {last} :clause 2 :values ((x 12) (y 2)) :premises ({})))",
            last - 1
        )
    };
    let long = [repeat(0, 10, [0, 0], [9, 9]), repeat(2, 2, [10, 0], [11, 1])];
    assert_eq!(check(problem, &text(&long, 5)), "unknown: step 1");
    let step = "(step 3 :clause 1 :values ((x 9) (y 9)) :premises (2) :derives (p 10 0))";
    let cut = [repeat(0, 9, [0, 0], [8, 8]), step.to_owned(), repeat(3, 2, [10, 0], [11, 1])];
    assert!(check(problem, &text(&cut, 6)).starts_with("unsat is confirmed"));
}

#[test]
fn what_is_wrong_is_told() {
    let n = 1_000_000;
    let told = |from: &str, to: &str| {
        let text = EXAMPLES[0].witness(n);
        assert!(text.contains(from), "{from}");
        check(&EXAMPLES[0].problem(n), &text.replacen(from, to, 1))
    };
    let not_affine = "invalid: step 1, by clause 1: the values of `x` between the listed iterations do not follow from these for x = 0";
    assert_eq!(told("repeat 1000000", "repeat 999998"), not_affine);
    assert_eq!(
        told("repeat 1000000", "repeat 2"),
        "invalid: step 2, by clause 1: the body needs (p 999999), but step 1 derives (p 1) for x = 999999"
    );
    assert_eq!(
        told("repeat 1000000", "repeat 0"),
        "invalid: the repeats are not nested, or an iteration has other clauses"
    );
    assert_eq!(
        told("repeat 1000000", "repeat x"),
        "refused: expected the number of iterations, found `x`"
    );
    assert_eq!(told("(last (step 2", "(then (step 2"), "refused: expected `last`, found `then`");
    assert_eq!(
        told(")))\n(last", ")) (step 2 :clause 1 :values ((x 0)) :premises (1)))\n(last"),
        "invalid: this is step 3"
    );
}

/// Pieces of a text cut out or doubled: judged or refused, never a panic.
#[test]
fn damaged_texts_do_not_panic() {
    let mut rng = Rng::new(5);
    for _ in 0..600 {
        let example = rng.pick(EXAMPLES);
        let (problem, mut text) = (example.problem(9), example.witness(9).into_bytes());
        for _ in 0..=rng.below(3) {
            let from = rng.below(text.len());
            let to = (from + rng.below(60)).min(text.len());
            let piece: Vec<u8> = text[from..to].to_vec();
            if rng.chance(60) {
                text.drain(from..to);
            }
            if rng.chance(60) {
                let at = rng.below(text.len() + 1);
                text.splice(at..at, piece);
            }
        }
        check(&problem, &String::from_utf8_lossy(&text));
    }
}
