//! The circuits against evaluation, for all values of small vectors.

use shofar_base::Budget;
use shofar_num::Bits;
use shofar_term::eval::{Model, Value, evaluate};
use shofar_term::{Cx, Sort, Symbol};

use super::*;
use crate::{Answer, Options, Solver};

/// Two variables of a width, and all their values.
fn pairs(store: &mut TermStore, width: u32) -> ([Symbol; 2], Vec<Model>) {
    let sort = store.bits_sort(width);
    let [x, y] = ["x", "y"].map(|name| store.declare(name, &[], sort));
    let value = |n: i64| Value::bits(Bits::new(width, &n.into()));
    let mut models = Vec::new();
    for a in 0..1i64 << width {
        for b in 0..1i64 << width {
            let mut model = Model::new();
            model.set(x, value(a));
            model.set(y, value(b));
            models.push(model);
        }
    }
    ([x, y], models)
}

/// Evaluation of the bits of `vector`, which are formulas over the bits of its operands.
fn agrees(store: &mut TermStore, vector: Term, models: &[Model]) {
    let made = circuit(store, vector);
    for model in models {
        let expected = evaluate(store, vector, model).expect("it has a value");
        let expected = expected.as_bits().expect("it is a vector").clone();
        for (&bit, at) in made.iter().zip(0..) {
            let found = evaluate(store, bit, model).expect("it has a value");
            assert_eq!(found, Value::Bool(expected.bit(at)), "bit {at} under {model:?}");
        }
    }
}

#[test]
fn circuits_compute_what_evaluation_says() {
    for width in 1..=4 {
        let mut store = TermStore::new();
        let ([x, y], models) = pairs(&mut store, width);
        let (x, y) = (store.constant(x), store.constant(y));
        for op in BitsOp::ALL.into_iter().filter(|op| op.is_binary()) {
            let vector = store.bits_op(op, &[x, y]);
            agrees(&mut store, vector, &models);
        }
        for factor in -8..8 {
            let factor = store.bits_of(width, factor);
            let vector = store.bits_op(BitsOp::Mul, &[factor, x]);
            if store.symbol(vector).is_none() && store.as_bits(vector).is_none() {
                agrees(&mut store, vector, &models);
            }
        }
        let vectors = [
            store.bits_op(BitsOp::Not, &[x]),
            store.bits_op(BitsOp::Concat, &[x, y]),
            store.bits_op(BitsOp::SignExtend(2), &[x]),
            store.bits_op(BitsOp::ZeroExtend(2), &[x]),
        ];
        for vector in vectors {
            agrees(&mut store, vector, &models);
        }
    }
}

#[test]
fn comparisons_mean_what_evaluation_says() {
    for width in 1..=4 {
        let mut store = TermStore::new();
        let ([x, y], models) = pairs(&mut store, width);
        let (x, y) = (store.constant(x), store.constant(y));
        let atoms = [
            store.bits_op(BitsOp::Ule, &[x, y]),
            store.bits_op(BitsOp::Sle, &[x, y]),
            store.eq(x, y),
        ];
        for atom in atoms {
            let Meaning::Formula(formula) = Circuits::default().meaning(&mut store, atom) else {
                panic!("a comparison means a formula")
            };
            for model in &models {
                let expected = evaluate(&store, atom, model);
                assert_eq!(evaluate(&store, formula, model), expected, "{model:?}");
            }
        }
    }
}

/// Whether the conjunction has a model; a model is checked.
fn is_satisfiable(store: &mut TermStore, formulas: &[Term]) -> bool {
    let budget = Budget::unlimited();
    let cx = &mut Cx::new(store, &budget);
    let mut solver = Solver::new(Options::default());
    for &formula in formulas {
        solver.add(cx.store, formula);
    }
    let Answer::Sat(model) = solver.check(cx).expect("it is decided") else { return false };
    let model = model.assignment(cx.store);
    for &formula in formulas {
        let value = shofar_term::eval::evaluate_with_defaults(cx.store, formula, &model);
        assert_eq!(value, Ok(Value::Bool(true)), "the model is one: {model:?}");
    }
    true
}

#[test]
fn the_solver_decides_wide_vectors() {
    let mut s = TermStore::new();
    let sort = s.bits_sort(32);
    let (x, y, zero) = (s.var("x", sort), s.var("y", sort), s.bits_of(32, 0));
    let sum = s.bits_op(BitsOp::Add, &[x, y]);
    let (is_zero, negative) =
        (s.bits_op(BitsOp::Sle, &[zero, sum]), s.bits_op(BitsOp::Sle, &[sum, zero]));
    let (x_up, y_up) = (s.bits_op(BitsOp::Sle, &[zero, x]), s.bits_op(BitsOp::Sle, &[zero, y]));
    let (nothing, not_x) = (s.eq(x, zero), s.eq(sum, zero));
    let (some, not_zero) = (s.not(nothing), s.not(not_x));
    // Numbers above zero may have a sum below zero, but it is not zero.
    assert!(is_satisfiable(&mut s, &[negative, x_up, y_up, some]));
    let contrary = s.not(not_zero);
    assert!(!is_satisfiable(&mut s, &[is_zero, contrary, x_up, y_up, some]));
    let three = s.bits_of(32, 3);
    let (tripled, quotient) =
        (s.bits_op(BitsOp::Mul, &[three, x]), s.bits_op(BitsOp::Udiv, &[y, three]));
    let seven = s.bits_of(32, 7);
    let (is_seven, is_three) = (s.eq(tripled, seven), s.eq(quotient, three));
    assert!(is_satisfiable(&mut s, &[is_seven, is_three]));
}

#[test]
fn vectors_and_integers_agree() {
    let mut s = TermStore::new();
    let sort = s.bits_sort(8);
    let (x, n) = (s.var("x", sort), s.var("n", Sort::INT));
    let number = s.bits_to_nat(x);
    let (low, high) = (s.int(300), s.int(301));
    let above = s.ge(number, low);
    assert!(!is_satisfiable(&mut s, &[above]));
    let vector = s.bits_of_int(8, n);
    let (same, within) = (s.eq(vector, x), [s.ge(n, low), s.le(n, high)]);
    let (forty_five, odd) = (s.int(45), s.bits_op(BitsOp::Extract(0, 0), &[x]));
    let (is_45, one) = (s.eq(number, forty_five), s.bits_of(1, 1));
    assert!(is_satisfiable(&mut s, &[same, within[0], within[1], is_45]));
    let is_odd = s.eq(odd, one);
    let is_even = s.not(is_odd);
    assert!(!is_satisfiable(&mut s, &[same, within[0], within[1], is_45, is_even]));
}

/// That two numbers of 32 bits are the same takes as many case distinctions as there are bits, or
/// one law.
#[test]
fn a_shift_by_zero_keeps_the_number() {
    for op in [BitsOp::Shl, BitsOp::Lshr, BitsOp::Ashr] {
        let mut s = TermStore::new();
        let (n, by) = (s.var("n", Sort::INT), s.var("by", Sort::INT));
        let (zero, limit, one) = (s.int(0), s.int(1 << 32), s.int(1));
        let vectors = [s.bits_of_int(32, n), s.bits_of_int(32, by)];
        let shifted = s.bits_op(op, &vectors);
        let number = s.bits_to_nat(shifted);
        let range = [s.ge(n, zero), s.lt(n, limit), s.ge(by, zero)];
        let same = s.eq(number, n);
        let differ = s.not(same);
        let (by_nothing, by_one) = (s.lt(by, one), s.eq(by, one));
        let formula = |last: Term| [range[0], range[1], range[2], differ, last];
        assert!(!is_satisfiable(&mut s, &formula(by_nothing)));
        assert!(is_satisfiable(&mut s, &formula(by_one)));
    }
}
