//! Hash-consing: the one handle of each node.
//!
//! Most nodes are looked up in a table. A negation is known by what it negates, and the first atom
//! about a form by the form.

use std::num::NonZeroU32;

use shofar_base::{Idx, WordHash};
use shofar_num::Rational;

use super::{Arity, LEAST_SMALL, Node, Op, SMALL_END, Term, TermStore, hash_of, position};
use crate::Sort;

/// The hash of a node so far: everything but the coefficients of a sum.
#[inline]
fn hash_node(op: Op, sort: Sort, args: &[Term], payload: u32) -> WordHash {
    let head = u64::from(payload) << 32 ^ u64::from(op as u8) << 8 ^ u64::from(sort.word());
    args.iter().fold(WordHash::new(head), |hash, arg| hash.word(arg.index() as u64))
}

impl TermStore {
    /// The one handle for this node.
    pub(crate) fn intern(&mut self, op: Op, sort: Sort, args: &[Term], payload: u32) -> Term {
        let hash = hash_node(op, sort, args, payload).finish();
        let (nodes, all_args) = (&self.nodes, &self.args);
        let same = |id: u32| {
            let node = &nodes[id as usize];
            node.op == op
                && node.sort == sort
                && node.payload == payload
                && node.args(all_args) == args
        };
        let table = if op.is_arithmetic() { &self.arithmetic_table } else { &self.table };
        match table.find(hash, same) {
            Some(id) => Term::from_index(id as usize),
            None => self.append(op, sort, args, payload, hash),
        }
    }
    /// The one handle for a sum of at least one term; `numbers` holds the constant, then the
    /// coefficients.
    pub(crate) fn intern_sum(&mut self, sort: Sort, terms: &[Term], numbers: &[u32]) -> Term {
        let begin = self.intern_coefficients(numbers);
        self.intern(Op::Sum, sort, terms, begin)
    }
    /// The one handle for the first term minus the second, which is younger.
    pub(crate) fn intern_difference(&mut self, sort: Sort, terms: [Term; 2]) -> Term {
        self.intern(Op::Sum, sort, &terms, self.difference)
    }
    /// Where these numbers lie. Most sums share theirs with many others, which are then the same
    /// without a look at them.
    pub(super) fn intern_coefficients(&mut self, numbers: &[u32]) -> u32 {
        let length = position(numbers.len());
        let hash = numbers
            .iter()
            .fold(WordHash::new(length.into()), |hash, &number| hash.word(number.into()))
            .finish();
        let all = &self.coefficients;
        let same = |begin: u32| {
            let begin = begin as usize;
            all[begin - 1] == length && all[begin..][..numbers.len()] == *numbers
        };
        if let Some(begin) = self.coefficient_table.find(hash, same) {
            return begin;
        }
        self.coefficients.push(length);
        let begin = position(self.coefficients.len());
        self.coefficients.extend_from_slice(numbers);
        self.coefficient_table.insert(hash, begin);
        begin
    }
    fn append(&mut self, op: Op, sort: Sort, args: &[Term], payload: u32, hash: u32) -> Term {
        let term = self.push(op, sort, args, payload);
        let table = if op.is_arithmetic() { &mut self.arithmetic_table } else { &mut self.table };
        table.insert(hash, position(term.index()));
        term
    }
    /// The one handle for the negation of `p`, which is neither a negation nor a truth value. `p`
    /// knows it, so that it is not looked up.
    pub(crate) fn intern_not(&mut self, p: Term) -> Term {
        if let Some(id) = self.nodes[p.index()].dependent {
            return Term::from_index(id.get() as usize);
        }
        let term = self.push(Op::Not, Sort::BOOL, &[p], 0);
        self.nodes[p.index()].dependent = NonZeroU32::new(position(term.index()));
        term
    }
    /// The one handle for the atom that compares `form` with this number. The form knows the first
    /// atom about it, and most have no other.
    pub(crate) fn intern_atom(&mut self, op: Op, form: Term, number: u32) -> Term {
        let Some(id) = self.nodes[form.index()].dependent else {
            let term = self.push(op, Sort::BOOL, &[form], number);
            self.nodes[form.index()].dependent = NonZeroU32::new(position(term.index()));
            return term;
        };
        let first = &self.nodes[id.get() as usize];
        if first.op == op && first.payload == number {
            return Term::from_index(id.get() as usize);
        }
        self.intern(op, Sort::BOOL, &[form], number)
    }
    pub(super) fn push(&mut self, op: Op, sort: Sort, args: &[Term], payload: u32) -> Term {
        let id = position(self.nodes.len());
        let (arity, args) = match *args {
            [] => (Arity::None, [self.top; 2]),
            [only] => (Arity::One, [only; 2]),
            [first, second] => (Arity::Two, [first, second]),
            _ => {
                let range = [self.args.len(), args.len()];
                self.args.extend_from_slice(args);
                (Arity::Many, range.map(Term::from_index))
            }
        };
        self.nodes.push(Node { op, arity, sort, payload, args, dependent: None });
        Term::from_index(id as usize)
    }
    /// The one index of this number.
    #[inline]
    pub(crate) fn intern_number(&mut self, number: &Rational) -> u32 {
        if let Some(value) = number.to_i64()
            && (LEAST_SMALL..SMALL_END).contains(&value)
        {
            return u32::try_from(value - LEAST_SMALL).expect("small integers have small indices");
        }
        self.intern_large_number(number)
    }
    fn intern_large_number(&mut self, number: &Rational) -> u32 {
        let hash = hash_of(number);
        let numbers = &self.numbers;
        if let Some(&id) = self.number_table.find(hash, |&id| numbers[id as usize] == *number) {
            return id;
        }
        let id = position(self.numbers.len());
        self.numbers.push(number.clone());
        let numbers = &self.numbers;
        self.number_table.insert_unique(hash, id, |&id| hash_of(&numbers[id as usize]));
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_atoms_about_a_form_are_one_handle_each() {
        let mut store = TermStore::new();
        let x = store.var("x", Sort::INT);
        let numbers = [3, 1, 4, 1, 5].map(|n| store.int(n));
        let atoms = numbers.map(|n| [store.le(x, n), store.eq(x, n), store.ge(x, n)]);
        assert_eq!(numbers.map(|n| [store.le(x, n), store.eq(x, n), store.ge(x, n)]), atoms);
        assert_eq!(atoms[1], atoms[3]);
        let different: std::collections::BTreeSet<Term> = atoms.into_iter().flatten().collect();
        assert_eq!(different.len(), 12);
    }
}
