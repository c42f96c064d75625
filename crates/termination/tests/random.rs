//! Random systems whose states lie in a small box, against explicit execution: a system runs
//! forever exactly if a cycle of states is reached.
//!
//! With `SHOFAR_LONG_TESTS=1`, ten times as many.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use shofar::Solver;
use shofar_base::Rng;
use shofar_frontend::ARI;
use shofar_term::TermStore;
use shofar_termination::{Options, analyse};

/// All values lie between `-BOX` and `BOX`.
const BOX: i64 = 2;

/// `x·a + y·b + z·c + d`
type Form = [i64; 4];
/// A location with the values of `x` and `y`.
type State = (usize, i64, i64);

struct Rule {
    from: usize,
    to: usize,
    /// Forms that are not negative.
    guard: Vec<Form>,
    next: [Form; 2],
}

fn value(form: Form, x: i64, y: i64, z: i64) -> i64 {
    form[0] * x + form[1] * y + form[2] * z + form[3]
}

fn coefficient(rng: &mut Rng) -> i64 {
    *rng.pick(&[-1, 0, 0, 1])
}

fn rule(rng: &mut Rng) -> Rule {
    let mut form = |z: bool| -> Form {
        let free = if z { coefficient(rng) } else { 0 };
        [coefficient(rng), coefficient(rng), free, *rng.pick(&[-1, 0, 1])]
    };
    let guard = vec![form(false)];
    let next = [form(true), form(false)];
    let (from, to) = (*rng.pick(&[0, 1]), *rng.pick(&[0, 1]));
    Rule { from, to, guard, next }
}

fn in_box(value: i64) -> bool {
    (-BOX..=BOX).contains(&value)
}

fn successors(rules: &[Rule], (at, x, y): State) -> BTreeSet<State> {
    let mut result = BTreeSet::new();
    for rule in rules.iter().filter(|rule| rule.from == at) {
        for z in -BOX..=BOX {
            let next = rule.next.map(|form| value(form, x, y, z));
            let applies = rule.guard.iter().all(|&form| value(form, x, y, z) >= 0);
            if applies && next.into_iter().all(in_box) {
                result.insert((rule.to, next[0], next[1]));
            }
        }
    }
    result
}

/// Whether a cycle is reached from the first location with some values in the box: states from
/// which no end is forced.
fn runs_forever(rules: &[Rule]) -> bool {
    let mut reached: BTreeSet<State> = BTreeSet::new();
    let mut open: Vec<State> = Vec::new();
    for x in -BOX..=BOX {
        open.extend((-BOX..=BOX).map(|y| (0, x, y)));
    }
    while let Some(state) = open.pop() {
        if reached.insert(state) {
            open.extend(successors(rules, state));
        }
    }
    // States without successors are taken away until none is left to take.
    loop {
        let goes_on = |&state: &State| successors(rules, state).iter().any(|s| reached.contains(s));
        let rest: BTreeSet<State> = reached.iter().copied().filter(goes_on).collect();
        if rest.len() == reached.len() {
            return !rest.is_empty();
        }
        reached = rest;
    }
}

fn shown(form: Form) -> String {
    let [a, b, c, d] =
        form.map(|number| if number < 0 { format!("(- {})", -number) } else { number.to_string() });
    format!("(+ (* {a} x) (* {b} y) (* {c} z) {d})")
}

fn text(rules: &[Rule]) -> String {
    let mut text = String::from("(format LCTRS)(theory Ints)(fun start (-> Int Int Int))");
    text += "(fun p0 (-> Int Int Int))(fun p1 (-> Int Int Int))(entrypoint start)\n";
    let within = |term: &str| format!("(<= (- {BOX}) {term}) (<= {term} {BOX})");
    let _ =
        writeln!(text, "(rule (start x y) (p0 x y) :guard (and {} {}))", within("x"), within("y"));
    for rule in rules {
        let next = rule.next.map(shown);
        let mut guard = format!("{} {} {}", within("z"), within(&next[0]), within(&next[1]));
        for &form in &rule.guard {
            let _ = write!(guard, " (>= {} 0)", shown(form));
        }
        let (from, to) = (rule.from, rule.to);
        let _ = writeln!(
            text,
            "(rule (p{from} x y) (p{to} {} {}) :guard (and {guard}))",
            next[0], next[1]
        );
    }
    text
}

#[test]
fn answers_agree_with_explicit_execution() {
    let count = if std::env::var_os("SHOFAR_LONG_TESTS").is_some() { 300 } else { 30 };
    let mut rng = Rng::new(11);
    let (mut yes, mut no, mut maybe) = (0, 0, 0);
    for round in 0..count {
        let rules: Vec<Rule> = (0..*rng.pick(&[1, 2, 3])).map(|_| rule(&mut rng)).collect();
        let text = text(&rules);
        let mut store = TermStore::new();
        let problem = ARI.read_plainly(text.as_bytes(), &mut store).unwrap().remove(0);
        let deadline = Some(Instant::now() + Duration::from_secs(4));
        let solver = Solver::new().with_threads(1);
        let mut analysis =
            analyse(store, &problem.system, &Options { solver, deadline, ..Options::default() });
        let expected = if runs_forever(&rules) { "NO" } else { "YES" };
        match analysis.word() {
            "MAYBE" => maybe += 1,
            word => {
                let explanation = analysis.explanation(text.as_bytes());
                assert_eq!(word, expected, "round {round}:\n{text}\n{explanation}");
                if word == "YES" { yes += 1 } else { no += 1 }
            }
        }
    }
    assert!(yes * 8 >= count && no * 8 >= count, "{yes} YES, {no} NO, {maybe} MAYBE");
    assert!(maybe * 4 <= count, "{yes} YES, {no} NO, {maybe} MAYBE");
}
