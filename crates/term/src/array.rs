//! Arrays: reading, writing and constant arrays, by a few cheap laws.
//!
//! `store(a, i, v)[i]` is `v`; a write over a write at the same index hides it; writing what was
//! read there changes nothing; a constant array has its element everywhere. Writes at different
//! numbers are passed over by a read and kept in the order of their indices, so that the same
//! writes in another order are the same term.

use crate::store::Op;
use crate::{ArrayKind, Kind, Sort, Term, TermStore};

impl TermStore {
    /// `array[index]`.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (_, element) = self.array_parts(self.sort(array)).expect("an array is read");
        let mut at = array;
        loop {
            match self.array_kind(at) {
                Some(ArrayKind::Store(_, i, v)) if i == index => return v,
                Some(ArrayKind::Store(a, i, _)) if self.differ(i, index) => at = a,
                Some(ArrayKind::Const(v)) => return v,
                Some(ArrayKind::Select(..) | ArrayKind::Store(..)) | None => {
                    return self.intern(Op::Select, element, &[at, index], 0);
                }
            }
        }
    }
    /// `array` with `element` at `index`.
    pub fn store(&mut self, array: Term, index: Term, element: Term) -> Term {
        let sort = self.sort(array);
        debug_assert_eq!(self.array_parts(sort), Some((self.sort(index), self.sort(element))));
        if self.is_read(element, array, index) {
            return array;
        }
        match self.array_kind(array) {
            Some(ArrayKind::Store(inner, i, _)) if i == index => self.store(inner, index, element),
            // One step of sorting by insertion; the rest is sorted already.
            Some(ArrayKind::Store(inner, i, v)) if i > index && self.differ(i, index) => {
                self.store_below(inner, (index, element), (i, v))
            }
            Some(ArrayKind::Const(v)) if v == element => array,
            Some(ArrayKind::Store(..) | ArrayKind::Const(_) | ArrayKind::Select(..)) | None => {
                self.intern(Op::Store, sort, &[array, index, element], 0)
            }
        }
    }
    /// Puts a write below those at larger indices.
    fn store_below(&mut self, array: Term, new: (Term, Term), above: (Term, Term)) -> Term {
        let mut pending = vec![above];
        let mut at = array;
        while let Some(ArrayKind::Store(inner, i, v)) = self.array_kind(at)
            && i > new.0
            && self.differ(i, new.0)
        {
            pending.push((i, v));
            at = inner;
        }
        let mut result = match self.array_kind(at) {
            Some(ArrayKind::Store(inner, i, _)) if i == new.0 => self.store(inner, new.0, new.1),
            Some(ArrayKind::Store(..) | ArrayKind::Const(_) | ArrayKind::Select(..)) | None => {
                let sort = self.sort(at);
                if self.is_read(new.1, at, new.0) || self.is_everywhere(new.1, at) {
                    at
                } else {
                    self.intern(Op::Store, sort, &[at, new.0, new.1], 0)
                }
            }
        };
        let sort = self.sort(array);
        for (i, v) in pending.into_iter().rev() {
            result = self.intern(Op::Store, sort, &[result, i, v], 0);
        }
        result
    }
    /// The array of this sort that is `element` everywhere.
    pub fn constant_array(&mut self, sort: Sort, element: Term) -> Term {
        debug_assert_eq!(self.array_parts(sort).map(|p| p.1), Some(self.sort(element)));
        self.intern(Op::ConstArray, sort, &[element], 0)
    }
    /// Whether `element` is what `array` has at `index` already.
    fn is_read(&mut self, element: Term, array: Term, index: Term) -> bool {
        self.op(element) == Op::Select
            && self.children(element)[1] == index
            && self.select(array, index) == element
    }
    fn is_everywhere(&self, element: Term, array: Term) -> bool {
        self.op(array) == Op::ConstArray && self.children(array)[0] == element
    }
    /// Whether two terms of one sort are different in every model, as far as a look at them tells:
    /// different literals, or integers with a fixed distance.
    pub fn differ(&self, a: Term, b: Term) -> bool {
        if a == b {
            return false;
        }
        if self.is_value(a) && self.is_value(b) {
            return true;
        }
        if self.sort(a).is_arithmetic() {
            let has_sum = self.op(a) == Op::Sum || self.op(b) == Op::Sum;
            return has_sum && {
                let (left, right) = (self.linear(a), self.linear(b));
                left.monomials() == right.monomials()
            };
        }
        match (self.kind(a), self.kind(b)) {
            (
                Kind::Data(crate::DataKind::Construct(c, _)),
                Kind::Data(crate::DataKind::Construct(d, _)),
            ) => c != d,
            _ => false,
        }
    }
    pub(crate) fn rebuild_array(&mut self, term: Term, children: &[Term]) -> Term {
        match self.array_kind(term) {
            Some(ArrayKind::Select(..)) => self.select(children[0], children[1]),
            Some(ArrayKind::Store(..)) => self.store(children[0], children[1], children[2]),
            Some(ArrayKind::Const(_)) => self.constant_array(self.sort(term), children[0]),
            None => unreachable!("the caller has looked"),
        }
    }
    /// `a = b` for arrays that are not the same term.
    pub(crate) fn array_eq(&mut self, a: Term, b: Term) -> Term {
        match (self.array_kind(a), self.array_kind(b)) {
            (Some(ArrayKind::Const(x)), Some(ArrayKind::Const(y))) => self.part_eq(x, y),
            (Some(ArrayKind::Store(inner, i, v)), _) if inner == b => {
                let before = self.select(b, i);
                self.part_eq(before, v)
            }
            (_, Some(ArrayKind::Store(inner, i, v))) if inner == a => {
                let before = self.select(a, i);
                self.part_eq(before, v)
            }
            (
                Some(ArrayKind::Store(..) | ArrayKind::Const(_) | ArrayKind::Select(..)) | None,
                _,
            ) => self.intern_same(a, b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_simplify() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let (a, i, j) = (s.var("a", sort), s.var("i", Sort::INT), s.var("j", Sort::INT));
        let [zero, one, two] = [0, 1, 2].map(|n| s.int(n));
        let written = s.store(a, i, one);
        assert_eq!(s.select(written, i), one);
        let after_i = s.add(&[i, one]);
        assert_eq!(s.select(written, after_i), s.select(a, after_i));
        let kept = s.select(written, j);
        assert!(matches!(s.array_kind(kept), Some(ArrayKind::Select(base, _)) if base == written));
        assert_eq!(s.store(written, i, two), s.store(a, i, two));
        let read = s.select(a, i);
        assert_eq!(s.store(a, i, read), a);
        let all = s.constant_array(sort, zero);
        assert_eq!(s.select(all, i), zero);
        assert_eq!(s.store(all, j, zero), all);
        let changed = s.eq(written, a);
        assert_eq!(changed, s.eq(read, one));
    }

    #[test]
    fn writes_at_different_numbers_commute() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let a = s.var("a", sort);
        let numbers: Vec<Term> = (0..6).map(|n| s.int(n)).collect();
        let write = |s: &mut TermStore, order: &[usize]| {
            order.iter().fold(a, |array, &n| s.store(array, numbers[n], numbers[5 - n]))
        };
        let sorted = write(&mut s, &[0, 1, 2, 3, 4, 5]);
        assert_eq!(write(&mut s, &[5, 3, 1, 0, 2, 4]), sorted);
        assert_eq!(write(&mut s, &[2, 2, 5, 4, 3, 1, 0, 1]), sorted);
    }
}
