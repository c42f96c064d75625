//! Products of unknowns: one factor of which is fixed by the clause, and the text with the number
//! in its place, are read as the same formula and the same clauses.

use std::fmt::Write as _;

use shofar_base::{Rng, Source};
use shofar_chc::read::{Assertion, HornScript, read_horn};
use shofar_chc::{Clause, PredAtom};
use shofar_term::visit::postorder;
use shofar_term::{Term, TermStore};

const DECLARATIONS: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun r () Bool)(declare-fun w (Real) Bool)\
    (define-fun times ((a Int) (b Int)) Int (* a b))(define-fun three () Int 3)\
    (define-fun remainder ((a Int) (b Int)) Int (mod a b))\n";

fn read(store: &mut TermStore, text: &str) -> Result<HornScript, String> {
    let text = format!("{DECLARATIONS}{text}(check-sat)");
    read_horn(text.as_bytes(), store).map_err(|error| {
        let notes = error.notes.iter().fold(String::new(), |all, note| all + " [" + note + "]");
        error.headline("", &Source::new(text.as_bytes()))[1..].to_owned() + &notes
    })
}

/// Body, constraint and head.
type Parts = (Vec<PredAtom>, Term, Option<PredAtom>);

/// What was read: the formulas and the clauses.
fn contents(script: &HornScript) -> (Vec<Term>, Vec<Parts>) {
    let problem = &script.problems[0];
    let parts = |(_, c): (_, &Clause)| (c.body.clone(), c.constraint, c.head.clone());
    (
        problem.assertions.iter().map(|Assertion { formula, .. }| *formula).collect(),
        problem.system.clauses().map(parts).collect(),
    )
}

const BINDERS: &str = "((x Int) (y Int) (j Int) (k Int) (m Int) (u Real) (v Real) (b Bool))";

/// Both bodies mean the same.
fn same(with_product: &str, written_out: &str) {
    let mut store = TermStore::new();
    let [one, other] = [with_product, written_out].map(|formula| {
        let text = format!("(assert (forall {BINDERS} {formula}))");
        let script = read(&mut store, &text).unwrap_or_else(|error| panic!("{formula}: {error}"));
        contents(&script)
    });
    assert_eq!(one, other, "{with_product} and {written_out}");
}

/// The error of a text behind the declarations; they are line 1.
fn refused(text: &str, expected: &str) {
    let found = read(&mut TermStore::new(), text).err();
    assert_eq!(found.as_deref(), Some(expected), "for {text}");
}

/// The text is read, and has a product of unknowns.
fn kept(text: &str) {
    let mut store = TermStore::new();
    let script = read(&mut store, text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let terms: Vec<Term> =
        script.problems[0].system.clauses().flat_map(|(_, clause)| clause.terms()).collect();
    let has_product = postorder(&store, &terms).into_iter().any(|t| store.as_times(t).is_some());
    assert!(has_product, "{text}");
}

#[test]
fn equations_of_the_clause_fix_factors() {
    same("(=> (and (p x) (= k 3)) (p (* k x)))", "(=> (and (p x) (= k 3)) (p (* 3 x)))");
    same(
        "(=> (and (p x) (= k (- 3))) (p (* x k)))",
        "(=> (and (p x) (= k (- 3))) (p (* x (- 3))))",
    );
    same("(=> (and (p x) (= k 0)) (p (* x k)))", "(=> (and (p x) (= k 0)) (p 0))");
    same(
        "(=> (and (= k (+ j 1)) (= j 2) (p x) (= y (* k x))) (p y))",
        "(=> (and (= k (+ j 1)) (= j 2) (p x) (= y (* 3 x))) (p y))",
    );
    same(
        "(=> (and (= (+ k k j) 8) (= j (* 2 1)) (p x)) (p (* (+ k 1) x)))",
        "(=> (and (= (+ k k j) 8) (= j 2) (p x)) (p (* 4 x)))",
    );
    same(
        "(=> (p x) (=> (and r (= k 3)) (p (* k x))))",
        "(=> (p x) (=> (and r (= k 3)) (p (* 3 x))))",
    );
    same(
        "(=> (let ((f (= k 3))) (and (p x) f)) (let ((g (* k x))) (p (+ g g))))",
        "(=> (and (p x) (= k 3)) (p (* 6 x)))",
    );
    same(
        "(=> (and (p x) (exists ((n Int)) (and (= n 5) (= y (* n x))))) (p y))",
        "(=> (and (p x) (exists ((n Int)) (and (= n 5) (= y (* 5 x))))) (p y))",
    );
}

#[test]
fn products_fix_further_factors() {
    same(
        "(=> (and (= k 2) (= j (* k k)) (= m (* j k)) (p x)) (p (* m x)))",
        "(=> (and (= k 2) (= j 4) (= m (* j 2)) (p x)) (p (* 8 x)))",
    );
    same(
        "(=> (and (= k 2) (= j 3) (p x)) (p (* k x j)))",
        "(=> (and (= k 2) (= j 3) (p x)) (p (* 6 x)))",
    );
    same(
        "(=> (and (= k 2) (= j 3) (p x)) (p (* k (* 5 (+ x j) j))))",
        "(=> (and (= k 2) (= j 3) (p x)) (p (* 30 (+ x j))))",
    );
}

#[test]
fn bounds_that_meet_fix_factors() {
    same(
        "(=> (and (>= k 3) (<= k 3) (p x)) (p (* k x)))",
        "(=> (and (>= k 3) (<= k 3) (p x)) (p (* 3 x)))",
    );
    same(
        "(=> (and (> k 2) (< k 4) (p x)) (p (* k x)))",
        "(=> (and (> k 2) (< k 4) (p x)) (p (* 3 x)))",
    );
    same(
        "(=> (and (>= u 3) (not (< 3 u)) (w v)) (w (* u v)))",
        "(=> (and (>= u 3) (not (< 3 u)) (w v)) (w (* 3 v)))",
    );
}

#[test]
fn quotients_and_reals() {
    same("(=> (and (= k 3) (p x)) (p (div x k)))", "(=> (and (= k 3) (p x)) (p (div x 3)))");
    same(
        "(=> (and (= k (- 3)) (p x)) (p (mod x k)))",
        "(=> (and (= k (- 3)) (p x)) (p (mod x 3)))",
    );
    same("(=> (and (= u 1.5) (w v)) (w (* u v)))", "(=> (and (= u 1.5) (w v)) (w (* 1.5 v)))");
    same("(=> (and (= u 1.5) (w v)) (w (/ v u)))", "(=> (and (= u 1.5) (w v)) (w (/ v 1.5)))");
    same(
        "(=> (and (= k 3) (w v)) (w (* (to_real k) v)))",
        "(=> (and (= k 3) (w v)) (w (* 3.0 v)))",
    );
    same(
        "(=> (and (= (* 2 u) 3) (p x)) (w (* u (to_real x))))",
        "(=> (and (= (* 2 u) 3) (p x)) (w (* 1.5 (to_real x))))",
    );
    same(
        "(=> (and (= k 3) (p x) (> (abs (* k x)) 5)) (p 0))",
        "(=> (and (= k 3) (p x) (> (abs (* 3 x)) 5)) (p 0))",
    );
}

#[test]
fn choices_are_contexts() {
    same("(=> (p x) (p (ite (= k 3) (* k x) 0)))", "(=> (p x) (p (ite (= k 3) (* 3 x) 0)))");
    same(
        "(=> (and (p x) (= k 3)) (p (ite (> (* k x) 5) x y)))",
        "(=> (and (p x) (= k 3)) (p (ite (> (* 3 x) 5) x y)))",
    );
    same(
        "(=> (and (p x) b (= k (ite b 3 4))) (p (* k x)))",
        "(=> (and (p x) b (= k (ite b 3 4))) (p (* 3 x)))",
    );
    same(
        "(=> (and (p x) (or (and (= k 3) (= y (* k x))) (and (= k 4) (= y (* x k))))) (p y))",
        "(=> (and (p x) (or (and (= k 3) (= y (* 3 x))) (and (= k 4) (= y (* x 4))))) (p y))",
    );
}

#[test]
fn definitions_are_expanded() {
    same("(=> (and (p x) (= k 3)) (p (times k x)))", "(=> (and (p x) (= k 3)) (p (* 3 x)))");
    same("(=> (p x) (p (* three x)))", "(=> (p x) (p (* 3 x)))");
    refused(
        "(assert (forall ((x Int) (k Int)) (=> (and (p x) (= k 3)) (p (times k x)))))\n(assert (forall ((x Int) (k Int)) (=> (p x) (p (remainder x k)))))",
        "3:48: in the expansion of `remainder`: `mod` needs a number as divisor to be linear [only linear arithmetic is supported, and its clause does not fix the value of `k`]",
    );
}

#[test]
fn what_is_not_fixed_stays_a_product() {
    // By another clause only.
    kept("(assert (p 3))(assert (forall ((x Int) (k Int)) (=> (and (p x) (p k)) (p (* k x)))))");
    // In another branch only.
    kept("(assert (forall ((x Int) (k Int)) (=> (and (p x) (or (= k 3) (= x 1))) (p (* k x)))))");
    kept("(assert (forall ((x Int) (k Int)) (=> (and (p x) (or (and (= k 3) r) (p (* k x)))) r)))");
    // An equation that is to be derived is not given.
    kept("(assert (forall ((x Int) (k Int)) (=> (p (* k x)) (= k 3))))");
    kept("(assert (forall ((x Int) (k Int)) (=> (p x) (p (* (* x x) (* 2 k))))))");
}

#[test]
fn a_quotient_by_zero_is_refused() {
    refused(
        "(assert (forall ((x Int) (k Int)) (=> (and (p x) (= k 0)) (p (div x k)))))",
        "2:62: division by zero has no fixed value and is not supported in Horn clauses",
    );
    refused(
        "(assert (forall ((x Int) (k Int)) (=> (p x) (p (mod x k)))))",
        "2:48: `mod` needs a number as divisor to be linear [only linear arithmetic is supported, and its clause does not fix the value of `k`]",
    );
}

#[test]
fn rules_and_queries() {
    let mut store = TermStore::new();
    let text = |k: &str| {
        format!("(set-logic HORN)(declare-rel p (Int))(declare-var x Int)(declare-var k Int)(rule (p 2))(rule (=> (and (p x) (= k 3)) (p (* {k} x))))(query (and (p x) (= k 2) (< (* {k} x) 0)))").replace("(* 3 x) 0", "(* 2 x) 0")
    };
    let [one, other] = ["k", "3"]
        .map(|k| contents(&read_horn(text(k).as_bytes(), &mut store).expect("it is well written")));
    assert_eq!(one, other);
}

/// A text twice: with variables as factors, and with their values.
struct Pair {
    variables: String,
    numbers: String,
}

impl Pair {
    fn push(&mut self, text: &str) {
        self.variables += text;
        self.numbers += text;
    }
    /// A product of one of the fixed variables and a term, perhaps with another product inside.
    fn product(&mut self, rng: &mut Rng, fixed: &[(String, i64)], depth: usize) {
        if depth == 0 || fixed.is_empty() || rng.chance(30) {
            self.push(["x", "y", "(+ x 1)", "(- y x)", "(ite b x 2)"][rng.below(5)]);
            return;
        }
        let (name, value) = rng.pick(fixed).clone();
        let (operator, swapped) = match rng.below(6) {
            0 if value != 0 => ("div", true),
            1 if value != 0 => ("mod", true),
            2 => ("*", true),
            _ => ("*", false),
        };
        let number = if value < 0 { format!("(- {})", -value) } else { value.to_string() };
        self.push(&format!("({operator} "));
        if !swapped {
            self.variables += &(name.clone() + " ");
            self.numbers += &(number.clone() + " ");
        }
        self.product(rng, fixed, depth - 1);
        if swapped {
            self.variables += &(" ".to_owned() + &name);
            self.numbers += &(" ".to_owned() + &number);
        }
        self.push(")");
    }
}

/// A random clause: equations fix some variables, each in one of several ways, and products by them
/// occur everywhere.
fn clause(rng: &mut Rng) -> Pair {
    let mut pair = Pair { variables: String::new(), numbers: String::new() };
    let mut fixed: Vec<(String, i64)> = Vec::new();
    let mut late = ("2".to_owned(), "2".to_owned());
    pair.push("(=> (and (p x)");
    for name in ["k", "j", "m"].iter().take(1 + rng.below(3)) {
        let value = i64::try_from(rng.below(9)).expect("it is small") - 4;
        match (rng.below(4), fixed.last().cloned()) {
            (0, _) => pair.push(&format!(" (>= {name} (- {value} 0)) (<= {name} (- {value} 0))")),
            (1, Some((other, known))) => {
                pair.push(&format!(" (= (- {name} {other}) (- {} 0))", value - known));
            }
            (2, Some((other, known))) => {
                // The value is a product itself, so it is known later than the others.
                let rest = value - known * known;
                let text = |a: &str| format!(" (= {name} (+ (* {a} {a}) (- {rest} 0)))");
                pair.variables += &text(&other);
                pair.numbers += &text(&format!("(- {known} 0)"));
                late = ((*name).to_owned(), format!("(- {value} 0)"));
                continue;
            }
            _ => pair.push(&format!(" (= (- {value} 0) {name})")),
        }
        fixed.push(((*name).to_owned(), value));
    }
    pair.push(" (or r (< ");
    pair.product(rng, &fixed, 3);
    pair.push(" 5)) (<= y ");
    pair.product(rng, &fixed, 3);
    pair.push(")) (p (ite (> (* x ");
    pair.variables += &late.0;
    pair.numbers += &late.1;
    pair.push(") ");
    pair.product(rng, &fixed, 2);
    pair.push(") ");
    pair.product(rng, &fixed, 3);
    pair.push(" y)))");
    // Negative numbers are not literals.
    for text in [&mut pair.variables, &mut pair.numbers] {
        for digit in 0..=99 {
            *text = text.replace(&format!("(- -{digit} 0)"), &format!("(- {digit})"));
        }
    }
    pair
}

#[test]
fn random_clauses() {
    for seed in 0..2000 {
        let pair = clause(&mut Rng::new(seed));
        same(&pair.variables, &pair.numbers);
    }
}

#[test]
fn chains_and_depths_take_linear_time() {
    // Each value is known from the next one.
    let count = 20_000;
    let mut text = String::from("(assert (forall ((x Int)");
    for k in 0..=count {
        let _ = write!(text, "(k{k} Int)");
    }
    text += ") (=> (and (p x)";
    for k in 0..count {
        let _ = write!(text, "(= k{k} (+ k{} 1))", k + 1);
    }
    let _ = write!(text, "(= k{count} 2)) (p (* k0 x)))))");
    let script = read(&mut TermStore::new(), &text).expect("all values are fixed");
    assert_eq!(script.problems[0].system.clause_count(), 1);
    let depth = 100_000;
    let text = format!(
        "(assert (forall ((x Int)(k Int)) (=> (and (= k 1) (p x)) (p {}x{}))))",
        "(+ 1 (* k ".repeat(depth),
        "))".repeat(depth)
    );
    let script = read(&mut TermStore::new(), &text).expect("all factors are fixed");
    assert_eq!(script.problems[0].system.clause_count(), 1);
}
