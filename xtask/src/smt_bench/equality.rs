//! Family f: equality with uninterpreted functions, alone and over sums.
//!
//! Chains are deep applications that a congruence closure has to follow, diamonds have
//! exponentially many ways from one end to the other, and sums let arithmetic and functions tell
//! each other equalities in turn. Each comes as a contradiction and with a model.

use super::problem::{Family, Problem, Script};

/// All problems of the family.
pub(crate) fn problems() -> Vec<Problem> {
    let mut all = Vec::new();
    all.extend([500, 2000, 8000].map(tower));
    all.extend([(233, 144), (987, 610), (2584, 1597)].map(|(n, m)| cycle(n, m)));
    for last in ["unsat", "sat"] {
        all.extend([20, 60, 180].map(|n| diamonds(n, last)));
        all.extend([4, 8, 16].map(|n| grids(n, last)));
        all.extend(
            [(10, "Int"), (40, "Int"), (10, "Real"), (40, "Real")]
                .map(|(n, sort)| sums(n, sort, last)),
        );
        all.extend([4, 6, 8].map(|n| permutations(n, last)));
    }
    all
}

fn declare_function(script: &mut Script, name: &str, arguments: &str, result: &str) {
    script.line(&format!("(declare-fun {name} ({arguments}) {result})"));
}

fn universe() -> Script {
    let mut script = Script::new("QF_UF");
    script.line("(declare-sort U 0)");
    script
}

/// `a = b`, and `n` applications of `f` to each, one at a time, give different results.
fn tower(n: usize) -> Problem {
    let mut script = universe();
    declare_function(&mut script, "f", "U", "U");
    for side in ["a", "b"] {
        for i in 0..=n {
            script.declare(&format!("{side}{i}"), "U");
        }
        for i in 0..n {
            script.assert(&format!("(= {side}{} (f {side}{i}))", i + 1));
        }
    }
    script.assert("(= a0 b0)");
    script.assert(&format!("(not (= a{n} b{n}))"));
    script.check(Family::Equality, format!("tower-{n}"))
}

/// `fⁿ(a) = a` and `fᵐ(a) = a` for coprime numbers, but `f(a) ≠ a`.
fn cycle(n: usize, m: usize) -> Problem {
    let mut script = universe();
    declare_function(&mut script, "f", "U", "U");
    for i in 0..=n {
        script.declare(&format!("a{i}"), "U");
    }
    for i in 0..n {
        script.assert(&format!("(= a{} (f a{i}))", i + 1));
    }
    script.assert(&format!("(= a{n} a0)"));
    script.assert(&format!("(= a{m} a0)"));
    script.assert("(not (= a1 a0))");
    script.check(Family::Equality, format!("cycle-{n}-{m}"))
}

/// From `x0` to `xn`, each step through `y` or through `z`.
fn diamonds(n: usize, answer: &str) -> Problem {
    let mut script = universe();
    for i in 0..=n {
        for name in ["x", "y", "z"] {
            script.declare(&format!("{name}{i}"), "U");
        }
    }
    for i in 0..n {
        let way = |via: &str| format!("(and (= x{i} {via}{i}) (= {via}{i} x{}))", i + 1);
        let broken = answer == "sat" && i == n / 2;
        let other = if broken { "(= y0 z0)".to_owned() } else { way("z") };
        script.assert(&format!("(or {} {other})", way("y")));
    }
    script.assert(&format!("(not (= x0 x{n}))"));
    script.check(Family::Equality, format!("diamonds-{n}-{answer}"))
}

/// A commutative and associative operation on a few elements, given by disjunctions.
fn grids(n: usize, answer: &str) -> Problem {
    let mut script = universe();
    declare_function(&mut script, "g", "U U", "U");
    for i in 0..n {
        for name in ["u", "v"] {
            script.declare(&format!("{name}{i}"), "U");
        }
    }
    for i in 0..n {
        script.assert(&format!("(or (= u{i} v{i}) (= (g u{i} u0) (g v{i} u0)))"));
        script.assert(&format!("(= (g u{i} u0) u{i})"));
        script.assert(&format!("(= (g v{i} u0) v{i})"));
    }
    let fold =
        |name: &str| (0..n).fold(format!("{name}0"), |inner, i| format!("(g {name}{i} {inner})"));
    let right = if answer == "sat" { format!("(g u0 {})", fold("v")) } else { fold("v") };
    script.assert(&format!("(not (= {} {right}))", fold("u")));
    script.check(Family::Equality, format!("grids-{n}-{answer}"))
}

/// Two runs of `x' = x + f(x) + f(x + 1)` from one start end in one place, unless one of them may
/// choose.
fn sums(n: usize, sort: &str, answer: &str) -> Problem {
    let logic = if sort == "Int" { "QF_UFLIA" } else { "QF_UFLRA" };
    let mut script = Script::new(logic);
    declare_function(&mut script, "f", sort, sort);
    for side in ["x", "y"] {
        for i in 0..=n {
            script.declare(&format!("{side}{i}"), sort);
        }
        for i in 0..n {
            let step =
                format!("(= {side}{} (+ {side}{i} (f {side}{i}) (f (+ {side}{i} 1))))", i + 1);
            let chooses = answer == "sat" && side == "y" && i == n / 2;
            let step = if chooses { format!("(or {step} (> y{} y{i}))", i + 1) } else { step };
            script.assert(&step);
        }
    }
    script.assert("(<= x0 y0)");
    script.assert("(>= x0 y0)");
    script.assert(&format!("(not (= x{n} y{n}))"));
    script.check(Family::Equality, format!("sums-{n}-{sort}-{answer}"))
}

/// An injective function on `n` numbers has `n` values; fewer are too few.
fn permutations(n: usize, answer: &str) -> Problem {
    let mut script = Script::new("QF_UFLIA");
    declare_function(&mut script, "f", "Int", "Int");
    declare_function(&mut script, "g", "Int", "Int");
    let most = if answer == "sat" { n } else { n - 1 };
    for i in 0..n {
        script.assert(&format!("(= (g (f {i})) {i})"));
        script.assert(&format!("(and (<= 1 (f {i})) (<= (f {i}) {most}))"));
    }
    script.check(Family::Equality, format!("permutations-{n}-{answer}"))
}
