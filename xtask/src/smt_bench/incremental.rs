//! Family c: ten thousand small queries in one script, as an engine for Horn clauses would put
//! them.

use shofar_base::Rng;

use super::problem::{Family, Problem, Script, literal};

const QUERIES: usize = 10_000;
const VARIABLES: usize = 8;

/// All problems of the family.
pub(crate) fn problems() -> Vec<Problem> {
    let mut all = Vec::new();
    for (logic, sort) in [("QF_LRA", "Real"), ("QF_LIA", "Int")] {
        all.push(scopes(logic, sort, QUERIES, Growth::None));
        all.push(scopes(logic, sort, QUERIES, Growth::Lemmas));
        all.push(assumptions(logic, sort));
        all.push(frames(logic, sort));
    }
    all
}

/// Whether the base grows while the queries run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Growth {
    None,
    Lemmas,
}

/// A random constraint `±a·x ± b·y (± c·z) ⋈ k`.
fn constraint(rng: &mut Rng, count: usize) -> String {
    let mut parts = Vec::new();
    for _ in 0..2 + rng.below(2) {
        let coefficient = rng.range(-3, 3);
        if coefficient != 0 {
            parts.push(format!("(* {} x{})", literal(coefficient), rng.below(count)));
        }
    }
    parts.push(literal(rng.range(-5, 5)));
    let operator = *rng.pick(&["<=", ">=", "<", ">", "<=", ">=", "="]);
    format!("({operator} (+ {} 0) {})", parts.join(" "), literal(rng.range(-10, 10)))
}

/// A clause of constraints.
fn clause(rng: &mut Rng, count: usize) -> String {
    let size = 1 + rng.below(2);
    let parts: Vec<String> = (0..size).map(|_| constraint(rng, count)).collect();
    if size == 1 { parts[0].clone() } else { format!("(or {})", parts.join(" ")) }
}

fn base(rng: &mut Rng, logic: &str, sort: &str) -> Script {
    let mut script = Script::new(logic);
    for i in 0..VARIABLES {
        script.declare(&format!("x{i}"), sort);
    }
    for i in 0..VARIABLES {
        let next = (i + 1) % VARIABLES;
        script.assert(&format!("(and (<= (- 100) x{i}) (<= x{i} 100) (<= (- x{i} x{next}) 30))"));
    }
    for _ in 0..6 {
        let formula = clause(rng, VARIABLES);
        script.assert(&format!("(or {formula} (> x0 (- 100)))"));
    }
    script
}

/// Push, a few assertions, check, pop.
pub(crate) fn scopes(logic: &str, sort: &str, queries: usize, growth: Growth) -> Problem {
    let mut rng = Rng::new(11);
    let mut script = base(&mut rng, logic, sort);
    for query in 0..queries {
        if growth == Growth::Lemmas && query % 100 == 99 {
            // What has been learned stays; it is weak enough to keep the base satisfiable.
            let (a, b) = (rng.below(VARIABLES), rng.below(VARIABLES));
            script.assert(&format!("(<= (- x{a} x{b}) {})", rng.range(90, 190)));
        }
        script.line("(push 1)");
        for _ in 0..2 + rng.below(3) {
            let formula = clause(&mut rng, VARIABLES);
            script.assert(&formula);
        }
        script.line("(check-sat)");
        script.line("(pop 1)");
    }
    let name = if growth == Growth::Lemmas { "scopes-growing" } else { "scopes" };
    script.finish(Family::Incremental, format!("{name}-{logic}"))
}

/// Guarded clauses switched on by assumptions.
fn assumptions(logic: &str, sort: &str) -> Problem {
    let mut rng = Rng::new(12);
    let mut script = base(&mut rng, logic, sort);
    let guards = 40;
    for i in 0..guards {
        script.declare(&format!("g{i}"), "Bool");
        let formula = constraint(&mut rng, VARIABLES);
        script.assert(&format!("(=> g{i} {formula})"));
    }
    for _ in 0..QUERIES {
        let chosen: Vec<String> =
            (0..2 + rng.below(4)).map(|_| format!("g{}", rng.below(guards))).collect();
        script.line(&format!("(check-sat-assuming ({}))", chosen.join(" ")));
    }
    script.finish(Family::Incremental, format!("assumptions-{logic}"))
}

/// A transition relation asked again and again from different cubes, as in property-directed
/// reachability.
fn frames(logic: &str, sort: &str) -> Problem {
    let mut rng = Rng::new(13);
    let mut script = Script::new(logic);
    let width = 4;
    for i in 0..2 * width {
        script.declare(&format!("x{i}"), sort);
    }
    script.declare("b", "Bool");
    for i in 0..width {
        let (other, shift) = ((i + 1) % width, rng.range(1, 4));
        let next = i + width;
        script.assert(&format!("(= x{next} (ite b (+ x{i} {shift}) (ite (> x{i} x{other}) (- x{i} x{other}) x{other})))"));
    }
    for level in 0..10 {
        script.declare(&format!("f{level}"), "Bool");
    }
    for query in 0..QUERIES {
        let level = rng.below(10);
        if query % 20 == 0 {
            let (i, j) = (rng.below(width), rng.below(width));
            script.assert(&format!("(=> f{level} (<= (- x{i} x{j}) {}))", rng.range(5, 60)));
        }
        script.line("(push 1)");
        for _ in 0..2 {
            let (i, bound) = (width + rng.below(width), rng.range(-10, 40));
            script.assert(&format!("({} x{i} {})", *rng.pick(&["<=", ">="]), literal(bound)));
        }
        let (i, bound) = (rng.below(width), rng.range(-10, 20));
        script.assert(&format!("(>= x{i} {})", literal(bound)));
        let active: Vec<String> = (level..10).map(|level| format!("f{level}")).collect();
        script.line(&format!("(check-sat-assuming ({}))", active.join(" ")));
        script.line("(pop 1)");
    }
    script.finish(Family::Incremental, format!("frames-{logic}"))
}
