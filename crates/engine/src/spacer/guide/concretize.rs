//! *Concretize*: a part of an obligation in which variables are bounded one by one.
//!
//! If lemmas differ in coefficients, their sums mix variables that should be bounded separately.
//! The part contains a given point of the obligation and implies it, so nothing is guessed: what
//! reaches the part reaches the obligation.
//!
//! Source: [VCSG20] rule *Concretize*. DIVERGENCE: equations are split as well.

use shofar_base::Set;
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model};
use shofar_term::{Comparison, Linear, LinearLiteral, Term, TermStore};

/// The part of `obligation` around a model in which the variables `split` have bounds of their own.
pub(in super::super) fn concretize(
    store: &mut TermStore,
    obligation: &[Term],
    split: &Set<Term>,
    model: &Model,
) -> Vec<Term> {
    let mut cube = Vec::new();
    for &literal in obligation {
        let Some(inequality) = LinearLiteral::of(store, literal) else {
            cube.push(literal);
            continue;
        };
        let form = store.linear(inequality.form);
        let mixed =
            form.monomials().len() > 1 && form.monomials().iter().any(|(_, t)| split.contains(t));
        if !mixed {
            cube.push(literal);
            continue;
        }
        let mut evaluator = Evaluator::with_defaults(model);
        for mut piece in pieces(&form, split, inequality.relation) {
            let mut value = |(c, t): &(Rational, Term)| {
                c * &evaluator.number(store, *t).expect("arithmetic has values in every model")
            };
            let value: Rational = piece.monomials().iter().map(&mut value).sum();
            piece.constant = -value;
            cube.push(if inequality.relation == Comparison::Equal {
                store.eq_zero(&piece)
            } else {
                store.le_zero(&piece)
            });
        }
    }
    cube.sort_unstable();
    cube.dedup();
    cube
}

/// The summands of a form to be bounded from above one by one: each variable of `split`, and the
/// rest together. In an equation, variables with the same coefficient stay together.
fn pieces(form: &Linear, split: &Set<Term>, relation: Comparison) -> Vec<Linear> {
    let sign = if relation.is_upper() { Rational::ONE } else { Rational::MINUS_ONE };
    let mut rest = Linear::new();
    let mut pieces: Vec<(Rational, Linear)> = Vec::new();
    for (c, t) in form.monomials() {
        let c = c * &sign;
        if !split.contains(t) {
            rest.add_term(&c, *t);
            continue;
        }
        let together = pieces.iter_mut().find(|(d, _)| relation == Comparison::Equal && *d == c);
        match together {
            Some((_, piece)) => piece.add_term(&c, *t),
            None => pieces.push((c.clone(), Linear::from_monomials(vec![(c, *t)], Rational::ZERO))),
        }
    }
    let mut pieces: Vec<Linear> = pieces.into_iter().map(|(_, piece)| piece).collect();
    if !rest.is_constant() {
        pieces.push(rest);
    }
    pieces
}
