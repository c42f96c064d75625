//! Terms over data types, by a few cheap laws.
//!
//! Selectors and testers of a constructor term are decided; a tester of a type with one constructor
//! is true, one of a constructor without fields is an equation; rebuilding a
//! record from all of its fields is the record. Equations between constructor terms are taken
//! apart, and no term equals one that contains it below constructors.

use shofar_base::{Idx, Set};

use crate::store::{Op, position};
use crate::{Constructor, DataKind, Field, Term, TermStore};

/// How many constructor terms the search for a cycle looks at.
const OCCURS_LIMIT: usize = 256;
/// How many pairs of subterms an equation may be taken apart into; beyond, it stays whole.
const PAIR_LIMIT: usize = 10_000;

impl TermStore {
    /// `constructor` applied to its fields.
    pub fn construct(&mut self, constructor: Constructor, fields: &[Term]) -> Term {
        debug_assert!(
            fields
                .iter()
                .map(|&t| self.sort(t))
                .eq(self.constructor_fields(constructor).iter().map(|&f| self.field_sort(f)))
        );
        let sort = self.constructor_sort(constructor);
        if let Some(whole) = self.rebuilt_record(constructor, fields) {
            return whole;
        }
        self.intern(Op::Construct, sort, fields, position(constructor.index()))
    }
    /// The record of which these are all fields, if its type has one constructor only.
    fn rebuilt_record(&self, constructor: Constructor, fields: &[Term]) -> Option<Term> {
        let sort = self.constructor_sort(constructor);
        let Some(DataKind::Field(_, whole)) = self.data_kind(*fields.first()?) else { return None };
        if self.sort(whole) != sort || self.constructors(sort)?.len() != 1 {
            return None;
        }
        let names = self.constructor_fields(constructor);
        let fits = |(&name, &term): (&Field, &Term)| matches!(self.data_kind(term), Some(DataKind::Field(f, t)) if f == name && t == whole);
        names.iter().zip(fields).all(fits).then_some(whole)
    }
    /// The selector of `field` applied to `term`.
    pub fn field(&mut self, field: Field, term: Term) -> Term {
        let constructor = self.field_constructor(field);
        debug_assert_eq!(self.sort(term), self.constructor_sort(constructor));
        if let Some(DataKind::Construct(c, fields)) = self.data_kind(term)
            && c == constructor
        {
            return fields[self.field_place(field)];
        }
        let sort = self.field_sort(field);
        self.intern(Op::Field, sort, &[term], position(field.index()))
    }
    /// Whether `constructor` made the value of `term`.
    pub fn is(&mut self, constructor: Constructor, term: Term) -> Term {
        let sort = self.sort(term);
        debug_assert_eq!(sort, self.constructor_sort(constructor));
        if let Some(DataKind::Construct(c, _)) = self.data_kind(term) {
            return self.bool(c == constructor);
        }
        if self.constructors(sort).is_some_and(|all| all.len() == 1) {
            return self.top();
        }
        if self.constructor_fields(constructor).is_empty() {
            let only = self.construct(constructor, &[]);
            return self.intern_same(term, only);
        }
        self.intern(Op::Is, crate::Sort::BOOL, &[term], position(constructor.index()))
    }
    pub(crate) fn rebuild_data(&mut self, term: Term, children: &[Term]) -> Term {
        match self.data_kind(term) {
            Some(DataKind::Construct(constructor, _)) => self.construct(constructor, children),
            Some(DataKind::Field(field, _)) => self.field(field, children[0]),
            Some(DataKind::Is(constructor, _)) => self.is(constructor, children[0]),
            None => unreachable!("the caller has looked"),
        }
    }
    /// `a = b` for data that are not the same term.
    pub(crate) fn data_eq(&mut self, a: Term, b: Term) -> Term {
        let (mut pairs, mut open) = (Vec::new(), vec![(a, b)]);
        let (whole, mut seen) = ((a, b), Set::default());
        while let Some((a, b)) = open.pop() {
            if a == b || !seen.insert((a, b)) {
                continue;
            }
            if seen.len() > PAIR_LIMIT {
                return self.intern_same(whole.0, whole.1);
            }
            match (self.data_kind(a), self.data_kind(b)) {
                (Some(DataKind::Construct(c, xs)), Some(DataKind::Construct(d, ys))) => {
                    if c != d {
                        return self.bottom();
                    }
                    open.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                (Some(DataKind::Construct(..)), _) if self.contains_below(a, b) => {
                    return self.bottom();
                }
                (_, Some(DataKind::Construct(..))) if self.contains_below(b, a) => {
                    return self.bottom();
                }
                (Some(_) | None, _) => pairs.push((a, b)),
            }
        }
        let mut equations = Vec::with_capacity(pairs.len());
        for (a, b) in pairs {
            let is_data = self.constructors(self.sort(a)).is_some();
            equations.push(if is_data { self.intern_same(a, b) } else { self.part_eq(a, b) });
        }
        self.and(&equations)
    }
    /// Whether `part` stands in `term` with nothing but constructors around it.
    fn contains_below(&self, term: Term, part: Term) -> bool {
        let (mut open, mut looked) = (vec![term], 0);
        while let Some(next) = open.pop() {
            looked += 1;
            if looked > OCCURS_LIMIT {
                return false;
            }
            if let Some(DataKind::Construct(_, fields)) = self.data_kind(next) {
                if fields.contains(&part) {
                    return true;
                }
                open.extend_from_slice(fields);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;
    use crate::data::{ConstructorDeclaration, DataDeclaration, FieldSort};

    fn list(s: &mut TermStore) -> (Sort, Constructor, Constructor) {
        let head = ("head".into(), FieldSort::Known(Sort::INT));
        let cons = ConstructorDeclaration {
            name: "cons".into(),
            fields: vec![head, ("tail".into(), FieldSort::Own(0))],
        };
        let nil = ConstructorDeclaration { name: "nil".into(), fields: Vec::new() };
        let data = DataDeclaration { name: "List".into(), constructors: vec![nil, cons] };
        let sort = s.declare_data(vec![data]).expect("well-founded")[0];
        let [nil, cons] = *s.constructors(sort).expect("a data type") else { panic!("two") };
        (sort, nil, cons)
    }

    #[test]
    fn selectors_testers_and_equations_of_constructor_terms() {
        let mut s = TermStore::new();
        let (sort, nil, cons) = list(&mut s);
        let (x, y, l, m) =
            (s.var("x", Sort::INT), s.var("y", Sort::INT), s.var("l", sort), s.var("m", sort));
        let empty = s.construct(nil, &[]);
        let (xl, ym) = (s.construct(cons, &[x, l]), s.construct(cons, &[y, m]));
        let [head, tail] = *s.constructor_fields(cons) else { panic!("two fields") };
        assert_eq!((s.field(head, xl), s.field(tail, xl)), (x, l));
        assert_eq!((s.is(cons, xl), s.is(nil, xl)), (s.top(), s.bottom()));
        let (heads, tails) = (s.eq(x, y), s.eq(l, m));
        assert_eq!(s.eq(xl, ym), s.and(&[heads, tails]));
        assert_eq!(s.eq(xl, empty), s.bottom());
        assert_eq!(s.eq(l, xl), s.bottom());
        let is_empty = s.eq(l, empty);
        assert_eq!(s.is(nil, l), is_empty);
        // A selector on the wrong constructor stays what it is.
        let odd = s.field(head, empty);
        assert!(matches!(s.data_kind(odd), Some(DataKind::Field(..))));
    }

    #[test]
    fn a_record_made_of_its_own_fields_is_the_record() {
        let mut s = TermStore::new();
        let field = |name: &str| (name.into(), FieldSort::Known(Sort::INT));
        let pair =
            ConstructorDeclaration { name: "mk".into(), fields: vec![field("a"), field("b")] };
        let data = DataDeclaration { name: "P".into(), constructors: vec![pair] };
        let sort = s.declare_data(vec![data]).expect("well-founded")[0];
        let mk = s.constructors(sort).expect("a data type")[0];
        let [a, b] = *s.constructor_fields(mk) else { panic!("two fields") };
        let p = s.var("p", sort);
        let (pa, pb) = (s.field(a, p), s.field(b, p));
        assert_eq!(s.construct(mk, &[pa, pb]), p);
        assert_ne!(s.construct(mk, &[pb, pa]), p);
        assert_eq!(s.is(mk, p), s.top());
    }
}
