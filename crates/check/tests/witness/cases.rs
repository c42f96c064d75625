//! Systems with known witnesses.

use shofar_base::{Budget, Idx};
use shofar_chc::print::{Lines, print_model, print_refutation};
use shofar_chc::{
    ChcSystem, Clause, ClauseId, Definition, Derivation, DerivationStep, Interpretation, PredAtom,
    PredId, Verdict, formal_params,
};
use shofar_check::{
    Certified, HornInput, Objection, Rigour, Unread, Witness, parse_witness, validate_with,
};
use shofar_term::eval::{Model, Value};
use shofar_term::{Cx, Sort, Term, TermStore};

/// A store, an input, and the predicates in order.
pub(crate) struct Case {
    pub(crate) store: TermStore,
    pub(crate) input: HornInput,
    pub(crate) preds: Vec<PredId>,
}

impl Case {
    pub(crate) fn validate(&mut self, witness: Witness) -> Result<Certified, Objection> {
        self.validate_with(witness, Rigour::default())
    }
    pub(crate) fn validate_with(
        &mut self,
        witness: Witness,
        rigour: Rigour,
    ) -> Result<Certified, Objection> {
        let budget = Budget::unlimited();
        validate_with(&mut Cx::new(&mut self.store, &budget), &self.input, witness, rigour)
            .expect("there is no limit")
    }
    pub(crate) fn parse(&mut self, text: &str) -> Result<Witness, Unread> {
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut self.store, &budget);
        parse_witness(&mut cx, text.as_bytes(), self.input.system())
    }
    /// Whether the text is read and found valid.
    pub(crate) fn accepts(&mut self, text: &str) -> bool {
        self.parse(text).is_ok_and(|witness| self.validate(witness).is_ok())
    }
    pub(crate) fn print(&mut self, witness: &Witness) -> String {
        let mut out = Vec::new();
        let system = self.input.system();
        match witness {
            Verdict::Safe(model) => print_model(&mut out, &mut self.store, system, model),
            Verdict::Unsafe(derivation) => {
                print_refutation(&mut out, &self.store, system, &Lines::unknown(), derivation)
            }
        }
        .expect("vectors accept text");
        String::from_utf8(out).expect("the text is UTF-8")
    }
    /// The model of bodies over the formal parameters, one for each predicate.
    pub(crate) fn model(
        &mut self,
        body: impl Fn(&mut TermStore, PredId, &[Term]) -> Term,
    ) -> Witness {
        let mut model = Interpretation::new();
        for &pred in &self.preds {
            let params = formal_params(&mut self.store, self.input.system(), pred);
            let args: Vec<Term> = params.iter().map(|&p| self.store.constant(p)).collect();
            let body = body(&mut self.store, pred, &args);
            model.define(pred, Definition { params, body });
        }
        Verdict::Safe(model)
    }
}

pub(crate) fn number(value: i64) -> Value {
    Value::Number(value.into())
}

pub(crate) fn clause(body: Vec<PredAtom>, constraint: Term, head: Option<PredAtom>) -> Clause {
    Clause { head, body, constraint, span: None }
}

/// `x = 0 → inv(x)`, `inv(x) ∧ x < n → inv(x + 1)`, and `inv(x) ∧ ¬(0 ≤ x ≤ n) → false`: the only
/// model is `0 ≤ x ≤ n`.
pub(crate) fn counter(n: i64) -> Case {
    let mut s = TermStore::new();
    let mut system = ChcSystem::new();
    let symbol = s.declare("the inv", &[Sort::INT], Sort::BOOL);
    let inv = system.add_pred(symbol);
    let (x, zero, one, limit) = (s.var("x", Sort::INT), s.int(0), s.int(1), s.int(n));
    let atom = |arg: Term| PredAtom { pred: inv, args: vec![arg] };
    let (init, below, next) = (s.eq(x, zero), s.lt(x, limit), s.add(&[x, one]));
    system.add_clause(clause(vec![], init, Some(atom(x))));
    system.add_clause(clause(vec![atom(x)], below, Some(atom(next))));
    let (low, high) = (s.lt(x, zero), s.gt(x, limit));
    let outside = s.or(&[low, high]);
    system.add_clause(clause(vec![atom(x)], outside, None));
    let input = HornInput::of_system(&mut s, system);
    Case { store: s, input, preds: vec![inv] }
}

/// Fibonacci numbers by derivation trees:
/// `fib(0, 1, b)`, `fib(1, 1, b)`, `fib(n, u, b) ∧ fib(n + 1, v, b) → fib(n + 2, u + v, b)`, and
/// `fib(n, v, b) ∧ n = last → false`. `b` is a Boolean, `true` throughout; a real `r = n / 2`
/// occurs in the constraint of the step.
pub(crate) fn fibonacci(last: i64) -> (Case, Derivation) {
    let mut s = TermStore::new();
    let mut system = ChcSystem::new();
    let symbol = s.declare("fib", &[Sort::INT, Sort::INT, Sort::BOOL], Sort::BOOL);
    let fib = system.add_pred(symbol);
    let [n, m, u, v, k, w] = ["n", "m", "u", "v", "k", "w"].map(|name| s.var(name, Sort::INT));
    let (b, r) = (s.var("b", Sort::BOOL), s.var("r", Sort::REAL));
    let atom = |args: [Term; 3]| PredAtom { pred: fib, args: args.to_vec() };
    for start in [0, 1] {
        let (place, one) = (s.int(start), s.int(1));
        let (is_place, is_one) = (s.eq(n, place), s.eq(v, one));
        let constraint = s.and(&[is_place, is_one, b]);
        system.add_clause(clause(vec![], constraint, Some(atom([n, v, b]))));
    }
    let (one, two) = (s.int(1), s.int(2));
    let (next, after, sum) = (s.add(&[n, one]), s.add(&[n, two]), s.add(&[u, v]));
    let twice = s.add(&[r, r]);
    let conditions = [s.eq(m, next), s.eq(k, after), s.eq(w, sum), s.eq(twice, n), b];
    let constraint = s.and(&conditions);
    let body = vec![atom([n, u, b]), atom([m, v, b])];
    system.add_clause(clause(body, constraint, Some(atom([k, w, b]))));
    let end = s.int(last);
    let reached = s.eq(n, end);
    system.add_clause(clause(vec![atom([n, v, b])], reached, None));

    let derivation = fibonacci_steps(&mut s, last);
    let input = HornInput::of_system(&mut s, system);
    (Case { store: s, input, preds: vec![fib] }, derivation)
}

fn fibonacci_steps(s: &mut TermStore, last: i64) -> Derivation {
    let mut step = |clause: usize, values: &[(&str, i64)], premises: Vec<usize>| {
        let mut assignment = Model::new();
        for &(name, value) in values {
            assignment.set(s.declare(name, &[], Sort::INT), number(value));
        }
        assignment.set(s.declare("b", &[], Sort::BOOL), Value::Bool(true));
        if clause == 2 {
            let half = shofar_num::Rational::new(values[0].1, 2);
            assignment.set(s.declare("r", &[], Sort::REAL), Value::Number(half));
        }
        DerivationStep { clause: ClauseId::from_index(clause), assignment, premises }
    };
    let mut steps =
        vec![step(0, &[("n", 0), ("v", 1)], vec![]), step(1, &[("n", 1), ("v", 1)], vec![])];
    let (mut u, mut v) = (1, 1);
    for (at, n) in (0..last - 1).enumerate() {
        let values = [("n", n), ("m", n + 1), ("k", n + 2), ("u", u), ("v", v), ("w", u + v)];
        steps.push(step(2, &values, vec![at, at + 1]));
        (u, v) = (v, u + v);
    }
    let end = steps.len() - 1;
    steps.push(step(3, &[("n", last), ("v", v)], vec![end]));
    Derivation::ground(steps)
}
