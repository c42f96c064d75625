//! Random loops, executed, folded, damaged: what is folded is accepted exactly if what it stands
//! for is.

use std::fmt::Write;

use shofar_base::Rng;
use shofar_chc::Derivation;

use super::folded::{Case, mutate};

/// Longer executions are cut.
const LONGEST: usize = 300;

/// What a clause demands of a value.
#[derive(Clone, Copy)]
enum Guard {
    Below(usize, i64),
    AtLeast(usize, i64),
    /// The remainder by a number.
    Remainder(usize, i64, i64),
    /// One value is below another one.
    Less(usize, usize),
}

/// What becomes of a value: a constant, or another value and a constant.
#[derive(Clone, Copy)]
enum Update {
    Reset(i64),
    Plus(usize, i64),
    /// The remainder of the sum by a number.
    Round(usize, i64, i64),
}

/// Clauses about one predicate, of which the first that applies is taken.
struct Program {
    width: usize,
    clauses: Vec<(Vec<Guard>, Vec<Update>)>,
}

impl Guard {
    fn random(rng: &mut Rng, width: usize) -> Self {
        let at = rng.below(width);
        match rng.below(8) {
            0..4 => Self::Below(at, rng.range(1, 40)),
            4 => Self::AtLeast(at, rng.range(-5, 20)),
            5 if width > 1 => Self::Less(at, (at + 1) % width),
            _ => {
                let m = rng.range(2, 4);
                Self::Remainder(at, m, rng.range(0, m - 1))
            }
        }
    }
    fn holds(self, state: &[i64]) -> bool {
        match self {
            Self::Below(at, bound) => state[at] < bound,
            Self::AtLeast(at, bound) => state[at] >= bound,
            Self::Remainder(at, m, rest) => state[at].rem_euclid(m) == rest,
            Self::Less(at, other) => state[at] < state[other],
        }
    }
    fn text(self) -> String {
        match self {
            Self::Below(at, bound) => format!("(< x{at} {})", number(bound)),
            Self::AtLeast(at, bound) => format!("(>= x{at} {})", number(bound)),
            Self::Remainder(at, m, rest) => format!("(= (mod x{at} {m}) {rest})"),
            Self::Less(at, other) => format!("(< x{at} x{other})"),
        }
    }
}

impl Update {
    fn random(rng: &mut Rng, at: usize, width: usize) -> Self {
        match rng.below(12) {
            0..8 => Self::Plus(at, rng.range(-1, 2)),
            8 | 9 => Self::Reset(rng.range(-2, 3)),
            10 => Self::Plus(rng.below(width), rng.range(-1, 1)),
            _ => Self::Round(at, 1, rng.range(2, 12)),
        }
    }
    fn value(self, state: &[i64]) -> i64 {
        match self {
            Self::Reset(to) => to,
            Self::Plus(at, by) => state[at] + by,
            Self::Round(at, by, m) => (state[at] + by).rem_euclid(m),
        }
    }
    fn text(self) -> String {
        match self {
            Self::Reset(to) => number(to),
            Self::Plus(at, by) => format!("(+ x{at} {})", number(by)),
            Self::Round(at, by, m) => format!("(mod (+ x{at} {}) {m})", number(by)),
        }
    }
}

fn number(value: i64) -> String {
    if value < 0 { format!("(- {})", -value) } else { value.to_string() }
}

/// The texts of all, each behind a space.
fn joined<T>(all: impl IntoIterator<Item = T>, text: impl Fn(T) -> String) -> String {
    all.into_iter().map(text).flat_map(|text| [" ".to_owned(), text]).collect()
}

impl Program {
    fn random(rng: &mut Rng) -> Self {
        let width = 1 + rng.below(3);
        let mut clauses = Vec::new();
        for _ in 0..rng.below(3) {
            let guards = (0..=rng.below(2)).map(|_| Guard::random(rng, width)).collect();
            let updates: Vec<Update> =
                (0..width).map(|at| Update::random(rng, at, width)).collect();
            clauses.push((guards, updates));
        }
        // Loops in loops, each of which starts those before it again.
        if rng.chance(50) {
            for level in 0..width {
                let update = |at: usize| match at.cmp(&level) {
                    std::cmp::Ordering::Less => Update::Reset(0),
                    std::cmp::Ordering::Equal => Update::Plus(at, 1),
                    std::cmp::Ordering::Greater => Update::Plus(at, 0),
                };
                let guard = if level + 1 < width && rng.chance(40) {
                    Guard::Less(level, level + 1)
                } else {
                    Guard::Below(level, rng.range(1, 9))
                };
                clauses.push((vec![guard], (0..width).map(update).collect()));
            }
        }
        let last = (0..width).map(|at| Update::random(rng, at, width)).collect();
        clauses.push((Vec::new(), last));
        // A clause that changes nothing is no clause to those who read it.
        for (_, updates) in &mut clauses {
            let is_kept = |(at, update): (usize, &Update)| matches!(update, Update::Plus(from, 0) if *from == at);
            if updates.iter().enumerate().all(is_kept) {
                updates[0] = Update::Plus(0, 1);
            }
        }
        Self { width, clauses }
    }
    /// The states of an execution of so many steps, each with the clause that leads on.
    fn execution(&self, start: Vec<i64>, steps: usize) -> (Vec<(Vec<i64>, usize)>, Vec<i64>) {
        let (mut state, mut execution) = (start, Vec::new());
        for _ in 0..steps {
            let applies = |(guards, _): &(Vec<Guard>, _)| guards.iter().all(|g| g.holds(&state));
            let clause = self.clauses.iter().position(applies).expect("the last one applies");
            let next = self.clauses[clause].1.iter().map(|update| update.value(&state)).collect();
            execution.push((std::mem::replace(&mut state, next), clause));
        }
        (execution, state)
    }
    /// The clauses, with a fact for the first state and a query for the last one.
    fn problem(&self, first: &[i64], last: &[i64]) -> String {
        let list = |values: &[i64]| -> String { joined(values, |&value| number(value)) };
        let quantified: String = joined(0..self.width, |at| format!("(x{at} Int)"));
        let state: String = joined(0..self.width, |at| format!("x{at}"));
        let sorts = " Int".repeat(self.width);
        let mut text =
            format!("(set-logic HORN)(declare-fun p ({sorts}) Bool)(assert (p{}))\n", list(first));
        for (guards, updates) in &self.clauses {
            let guards: String = joined(guards, |guard| guard.text());
            let next: String = joined(updates, |update| update.text());
            let _ = writeln!(
                text,
                "(assert (forall ({quantified}) (=> (and (p{state}){guards}) (p{next}))))"
            );
        }
        let equal =
            last.iter().enumerate().map(|(at, &value)| format!(" (= x{at} {})", number(value)));
        let equal: String = equal.collect();
        let _ = write!(text, "(assert (forall ({quantified}) (=> (and (p{state}){equal}) false)))");
        text + "(check-sat)"
    }
}

/// A problem and the refutation that an execution is, step by step.
fn case(rng: &mut Rng) -> Case {
    let program = Program::random(rng);
    let start: Vec<i64> = (0..program.width).map(|_| rng.range(-3, 3)).collect();
    let (execution, last) = program.execution(start.clone(), rng.below(LONGEST + 1));
    let values = |state: &[i64]| -> String {
        let value = |(at, &value): (usize, &i64)| format!("(x{at} {})", number(value));
        state.iter().enumerate().map(value).collect()
    };
    let mut text = "unsat (refutation (step 0 :clause 0 :premises ())\n".to_owned();
    for (at, (state, clause)) in execution.iter().enumerate() {
        let (step, values) = (at + 1, values(state));
        let _ = writeln!(
            text,
            "(step {step} :clause {} :values ({values}) :premises ({at}))",
            clause + 1
        );
    }
    let (step, query) = (execution.len() + 1, program.clauses.len() + 1);
    let values = values(&last);
    let _ =
        write!(text, "(step {step} :clause {query} :values ({values}) :premises ({})))", step - 1);
    Case::new(&program.problem(&start, &last), &text)
}

/// Folding is the inverse of expanding, and what is folded is accepted: a cycle has affine values
/// and one way through its clauses.
#[test]
fn random_executions_are_right_folded_and_expanded() {
    let (mut rng, mut folded, mut nested, mut listed, mut open) = (Rng::new(17), 0, 0, 0, 0);
    for _ in 0..300 {
        let mut case = case(&mut rng);
        let ground = case.derivation.clone();
        assert!(case.accepts(ground.clone()), "an execution is a refutation");
        let short = ground.folded();
        if short.is_ground() {
            continue;
        }
        folded += 1;
        nested +=
            usize::from((0..short.repeats.len()).any(|at| !short.inner_repeats(at).0.is_empty()));
        listed += short.steps.len();
        assert!(case.accepts_expanded(short.clone()));
        let expanded = short.clone().expanded(&case.store, LONGEST + 2).expect("it is short");
        let shown = |derivation: &Derivation| -> Vec<_> {
            let steps = derivation.steps.iter();
            steps.map(|step| (step.clause, step.premises.clone())).collect()
        };
        assert_eq!(shown(&expanded), shown(&ground));
        open += usize::from(!case.accepts(short));
    }
    assert!(folded > 150 && nested > 10, "{folded} are folded, {nested} of them twice");
    assert!(listed < folded * LONGEST / 4, "{listed} steps are listed for {folded}");
    // A remainder may have two quotients in a cycle, which is not judged.
    assert!(open * 10 < folded, "{open} of {folded} are not judged");
}

#[test]
fn a_thousand_mutations_of_random_executions_are_accepted_only_if_every_step_is_right() {
    let (mut rng, mut damaged, mut accepted) = (Rng::new(23), 0, 0);
    while damaged < 1_000 {
        let mut case = case(&mut rng);
        let short = case.derivation.folded();
        if short.is_ground() || !case.accepts(short.clone()) {
            continue;
        }
        for _ in 0..8 {
            let mut mutant = short.clone();
            for _ in 0..=rng.below(3) {
                if !mutant.repeats.is_empty() {
                    mutate(&case, &mut mutant, &mut rng);
                }
            }
            damaged += 1;
            if case.accepts(mutant.clone()) {
                accepted += 1;
                assert!(case.accepts_expanded(mutant.clone()), "{mutant:?}");
            }
        }
    }
    assert!(accepted < 300, "{accepted} mutants are no damage");
}
