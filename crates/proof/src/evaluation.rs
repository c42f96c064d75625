//! What an operation on bit-vectors is where its arguments have values.
//!
//! A clause says that an operation has some value unless an argument differs from the value that
//! the clause gives it. It is valid if the operation has that value for these arguments.

use shofar_num::Bits;
use shofar_term::{BitsKind, BitsOp, Kind, Term, TermStore};

use crate::Literal;

/// Whether `clause` tells the value of some operation whose arguments have values.
pub(crate) fn is_evaluation(store: &TermStore, clause: &[Literal]) -> bool {
    clause.iter().filter(|literal| literal.positive).any(|literal| {
        let Kind::Same(a, b) = store.kind(literal.atom) else { return false };
        [(a, b), (b, a)].into_iter().any(|(operation, value)| {
            store
                .as_bits(value)
                .is_some_and(|v| result(store, clause, operation).as_ref() == Some(v))
        })
    })
}

/// The value of an operation whose arguments have those values that the clause denies.
fn result(store: &TermStore, clause: &[Literal], operation: Term) -> Option<Bits> {
    let Some(BitsKind::Op(op, &[a, b])) = store.bits_kind(operation) else { return None };
    let [a, b] = [a, b].map(|arg| argument(store, clause, arg));
    let (a, b) = (a?, b?);
    match op {
        BitsOp::Mul => Some(a.mul(b)),
        BitsOp::Udiv => Some(a.udiv(b)),
        BitsOp::Urem => Some(a.urem(b)),
        BitsOp::Sdiv => Some(a.sdiv(b)),
        BitsOp::Srem => Some(a.srem(b)),
        BitsOp::Smod => Some(a.smod(b)),
        BitsOp::Not
        | BitsOp::And
        | BitsOp::Or
        | BitsOp::Xor
        | BitsOp::Add
        | BitsOp::Shl
        | BitsOp::Lshr
        | BitsOp::Ashr
        | BitsOp::Concat
        | BitsOp::Extract(..)
        | BitsOp::SignExtend(_)
        | BitsOp::ZeroExtend(_)
        | BitsOp::Ule
        | BitsOp::Sle => None,
    }
}

/// The value of an argument: it is one, or the clause denies that it is one.
fn argument<'s>(store: &'s TermStore, clause: &[Literal], arg: Term) -> Option<&'s Bits> {
    if let Some(value) = store.as_bits(arg) {
        return Some(value);
    }
    clause.iter().filter(|literal| !literal.positive).find_map(|literal| {
        let Kind::Same(a, b) = store.kind(literal.atom) else { return None };
        let other = match arg {
            arg if arg == a => b,
            arg if arg == b => a,
            _ => return None,
        };
        store.as_bits(other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axiom::is_axiom;
    use shofar_num::Rational;

    #[test]
    fn the_value_of_an_operation_is_computed() {
        let mut store = TermStore::new();
        let sort = store.bits_sort(700);
        let [x, y] = ["x", "y"].map(|name| {
            let symbol = store.declare(name, &[], sort);
            store.constant(symbol)
        });
        let value = |n: i64| Bits::new(700, &Rational::from(n));
        for op in
            [BitsOp::Mul, BitsOp::Udiv, BitsOp::Urem, BitsOp::Sdiv, BitsOp::Srem, BitsOp::Smod]
        {
            let operation = store.bits_op(op, &[x, y]);
            let clause = store.bits_at(operation, &[value(-20), value(3)]);
            assert!(is_axiom(&store, &clause), "{op:?}");
            for missing in 0..clause.len() {
                let mut shorter = clause.clone();
                shorter.remove(missing);
                assert!(!is_axiom(&store, &shorter), "{op:?} without {missing}");
            }
            let other = store.bits_at(operation, &[value(-21), value(3)]);
            let wrong = [clause[0], clause[1], other[2]];
            assert_eq!(is_axiom(&store, &wrong), clause[2] == other[2], "{op:?}");
        }
    }
}
