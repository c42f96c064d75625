//! Families a and b: loops unrolled to depths 20 to 200, as bounded model checking would ask about
//! them.
//!
//! A loop is a template over its variables: `x` is the value before a step, `x'` after it; `{k}` is
//! the depth and `{h}` half of it. The question is whether the bad states are reached, after the
//! last step or after any step.

use shofar_testkit::sexp::{Sexp, parse_one};

use super::problem::{Family, Problem, Script};

/// When the bad states are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Last,
    Any,
}

/// A loop to unroll.
struct Loop {
    name: &'static str,
    numbers: &'static [&'static str],
    booleans: &'static [&'static str],
    init: &'static str,
    step: &'static str,
    bad: &'static str,
    when: When,
    /// The largest depth that both solvers can be asked for.
    deepest: usize,
}

/// Loops that make sense over both sorts.
const BOTH: &[Loop] = &[
    Loop {
        name: "counter-unsat",
        numbers: &["x", "d"],
        booleans: &[],
        init: "(= x 0)",
        step: "(and (<= 0 d) (<= d 1) (= x' (+ x d)))",
        bad: "(> x {k})",
        when: When::Any,
        deepest: 200,
    },
    Loop {
        name: "counter-sat",
        numbers: &["x", "d"],
        booleans: &[],
        init: "(= x 0)",
        step: "(and (<= 0 d) (<= d 1) (= x' (+ x d)))",
        bad: "(>= x {k})",
        when: When::Any,
        deepest: 200,
    },
    Loop {
        name: "two-phase-unsat",
        numbers: &["x", "y"],
        booleans: &[],
        init: "(and (= x 0) (= y {h}))",
        step: "(and (= x' (+ x 1)) (= y' (ite (< x {h}) y (+ y 1))))",
        bad: "(and (= x {k}) (distinct y {k}))",
        when: When::Any,
        deepest: 200,
    },
    Loop {
        name: "up-and-down-unsat",
        numbers: &["x"],
        booleans: &["down"],
        init: "(and (<= 0 x) (<= x 1) (not down))",
        step: "(and (= x' (ite down (- x 1) (+ x 1))) (= down' (or (and down (> x' 0)) (>= x' {h}))))",
        bad: "(or (> x (+ {h} 1)) (< x (- 1)))",
        when: When::Any,
        deepest: 200,
    },
    Loop {
        name: "reset-unsat",
        numbers: &["x", "d"],
        booleans: &[],
        init: "(and (<= 0 x) (<= x 10))",
        step: "(and (<= 0 d) (<= d 3) (= x' (ite (> x 10) (- x 10) (+ x d))))",
        bad: "(or (> x 13) (< x 0))",
        when: When::Any,
        deepest: 200,
    },
    Loop {
        name: "buffer-balance-unsat",
        numbers: &["c", "p", "q", "u", "v"],
        booleans: &["a", "b"],
        init: "(and (= c 0) (= p 0) (= q 0))",
        step: "(and (= u (ite (and a (< c 5)) 1 0)) (= v (ite (and b (> c 0)) 1 0))
                    (= c' (- (+ c u) v)) (= p' (+ p u)) (= q' (+ q v)))",
        bad: "(distinct c (- p q))",
        when: When::Last,
        deepest: 200,
    },
    Loop {
        name: "buffer-bound-unsat",
        numbers: &["c"],
        booleans: &[],
        init: "(= c 0)",
        step: "(or (and (< c 5) (= c' (+ c 1))) (and (> c 0) (= c' (- c 1))) (= c' c))",
        bad: "(or (> c 6) (< c (- 1)))",
        when: When::Any,
        deepest: 200,
    },
    Loop {
        name: "buffer-full-sat",
        numbers: &["c", "p"],
        booleans: &["a", "b"],
        init: "(and (= c 0) (= p 0))",
        step: "(and (= c' (- (+ c (ite (and a (< c {h})) 1 0)) (ite (and b (> c 0)) 1 0)))
                    (= p' (ite b (+ p 1) p)))",
        bad: "(and (= c 7) (> p {h}))",
        when: When::Any,
        deepest: 150,
    },
    Loop {
        name: "fibonacci-unsat",
        numbers: &["x", "y"],
        booleans: &[],
        init: "(and (>= x 0) (>= y 1) (<= x y))",
        step: "(and (= x' y) (= y' (+ x y)))",
        bad: "(or (< y 0) (> x y))",
        when: When::Last,
        deepest: 200,
    },
    Loop {
        name: "walk-sat",
        numbers: &["x"],
        booleans: &["b"],
        init: "(= x 0)",
        step: "(= x' (ite b (+ x 3) (- x 2)))",
        bad: "(and (>= x {k}) (<= x (+ {k} 2)))",
        when: When::Last,
        deepest: 200,
    },
    Loop {
        name: "lockstep-unsat",
        numbers: &["x", "y", "z", "d"],
        booleans: &["b"],
        init: "(and (= x 0) (= y 0) (= z 0))",
        step: "(and (<= 0 d) (<= d 2) (= x' (+ x d)) (= y' (+ y (ite b d 0))) (= z' (+ z (ite b 0 d))))",
        bad: "(or (> y x) (> z x) (> x (* 2 {k})))",
        when: When::Last,
        deepest: 200,
    },
];

/// Loops over the reals.
const REAL: &[Loop] = &[
    Loop {
        name: "thermostat-unsat",
        numbers: &["t", "d"],
        booleans: &["on"],
        init: "(and (<= 18 t) (<= t 20) on)",
        step: "(and (<= 0 d) (<= d 1) (= t' (ite on (+ t d) (- t d)))
                    (= on' (ite (>= t' 21) false (ite (<= t' 19) true on))))",
        bad: "(> t 22.5)",
        when: When::Any,
        deepest: 200,
    },
    Loop {
        name: "thermostat-sat",
        numbers: &["t", "d", "s"],
        booleans: &["on"],
        init: "(and (<= 18 t) (<= t 20) on (= s 0))",
        step: "(and (<= 0.25 d) (<= d 1) (= t' (ite on (+ t d) (- t d))) (= s' (+ s d))
                    (= on' (ite (>= t' 21) false (ite (<= t' 19) true on))))",
        bad: "(and (> t 21.75) (> s (* 0.9 {k})))",
        when: When::Last,
        deepest: 150,
    },
];

/// Loops over the integers.
const INT: &[Loop] = &[
    Loop {
        name: "parity-unsat",
        numbers: &["x", "d", "e"],
        booleans: &[],
        init: "(= x 0)",
        step: "(= x' (+ x (* 2 d)))",
        bad: "(= x (+ (* 2 e) 1))",
        when: When::Last,
        deepest: 200,
    },
    Loop {
        name: "halving-unsat",
        numbers: &["x"],
        booleans: &[],
        init: "(and (<= 0 x) (<= x 20))",
        step: "(= x' (ite (= (mod x 2) 0) (div x 2) (+ x 3)))",
        bad: "(> x 23)",
        when: When::Any,
        deepest: 20,
    },
    Loop {
        name: "clock-unsat",
        numbers: &["x", "d"],
        booleans: &[],
        init: "(= x 0)",
        step: "(and (<= 0 d) (<= d 3) (= x' (mod (+ x d) 7)))",
        bad: "(or (> x 6) (< x 0))",
        when: When::Any,
        deepest: 150,
    },
    Loop {
        name: "smoothing-unsat",
        numbers: &["x", "y"],
        booleans: &[],
        init: "(and (<= 0 x) (<= x 10) (= y 0))",
        step: "(and (<= 0 x') (<= x' 10) (= y' (div (+ x y) 2)))",
        bad: "(or (> y 10) (< y 0))",
        when: When::Any,
        deepest: 150,
    },
    Loop {
        name: "modular-sat",
        numbers: &["x", "n"],
        booleans: &["b"],
        init: "(and (= x 0) (= n 0))",
        step: "(and (= x' (mod (+ x (ite b 3 5)) 7)) (= n' (ite b (+ n 1) n)))",
        bad: "(and (= x 6) (> n {h}))",
        when: When::Last,
        deepest: 100,
    },
];

const DEPTHS: [usize; 5] = [20, 50, 100, 150, 200];

/// All problems of the two families.
pub(crate) fn problems() -> Vec<Problem> {
    let mut all = Vec::new();
    let sides = [
        (Family::RealUnrolling, REAL, "QF_LRA", "Real"),
        (Family::IntUnrolling, INT, "QF_LIA", "Int"),
    ];
    for (family, own, logic, sort) in sides {
        for unrolled in BOTH.iter().chain(own) {
            for depth in DEPTHS.into_iter().filter(|depth| *depth <= unrolled.deepest) {
                all.push(unroll(unrolled, depth, family, logic, sort));
            }
        }
    }
    all
}

fn unroll(unrolled: &Loop, depth: usize, family: Family, logic: &str, sort: &str) -> Problem {
    let template = |text: &str| {
        let text = text.replace("{k}", &depth.to_string()).replace("{h}", &(depth / 2).to_string());
        parse_one(&text).expect("templates are well formed")
    };
    let (init, step, bad) =
        (template(unrolled.init), template(unrolled.step), template(unrolled.bad));
    let mut script = Script::new(logic);
    for i in 0..=depth {
        for name in unrolled.numbers {
            script.declare(&format!("{name}_{i}"), sort);
        }
        for name in unrolled.booleans {
            script.declare(&format!("{name}_{i}"), "Bool");
        }
    }
    let instance = |formula: &Sexp, i: usize| rename(unrolled, formula, i).to_string();
    script.assert(&instance(&init, 0));
    for i in 0..depth {
        script.assert(&instance(&step, i));
    }
    match unrolled.when {
        When::Last => script.assert(&instance(&bad, depth)),
        When::Any => {
            let bads: Vec<String> = (0..=depth).map(|i| instance(&bad, i)).collect();
            script.assert(&format!("(or {})", bads.join(" ")));
        }
    }
    script.check(family, format!("{}-{depth}", unrolled.name))
}

/// The formula at step `i`.
fn rename(unrolled: &Loop, formula: &Sexp, i: usize) -> Sexp {
    match formula {
        Sexp::List(items) => {
            Sexp::List(items.iter().map(|item| rename(unrolled, item, i)).collect())
        }
        Sexp::Atom(text) => {
            let (name, at) =
                text.strip_suffix('\'').map_or((text.as_str(), i), |name| (name, i + 1));
            if unrolled.numbers.contains(&name) || unrolled.booleans.contains(&name) {
                Sexp::Atom(format!("{name}_{at}"))
            } else {
                formula.clone()
            }
        }
    }
}
