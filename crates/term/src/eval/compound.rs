//! Values of arrays, data and bit-vectors.
//!
//! What a selector yields of a value that another constructor made, SMT-LIB leaves open. If the
//! model does not say it, such a term has no value, and neither has anything whose value depends on
//! it: a conjunction with a false part is false all the same. No default is ever chosen here, so
//! what holds by evaluation holds whatever such selectors yield.

use shofar_num::Bits;
use smallvec::SmallVec;

use super::{Evaluator, Known, NoValue};
use crate::bitvector::{Folded, fold};
use crate::value::{ArrayValue, DataValue, Value};
use crate::{ArrayKind, BitsKind, DataKind, Kind, Term, TermStore};

impl Evaluator<'_> {
    pub(super) fn array(
        &mut self,
        store: &TermStore,
        term: Term,
        kind: ArrayKind,
    ) -> Option<Value> {
        match kind {
            ArrayKind::Select(a, i) => {
                self.need(store, &[a, i])?;
                let index = self.cached(store, i)?;
                Some(self.array_value(store, a).get(&index).clone())
            }
            ArrayKind::Store(a, i, v) => {
                self.need(store, &[a, i, v])?;
                let (index, element) = (self.cached(store, i)?, self.cached(store, v)?);
                Some(Value::Array(self.array_value(store, a).with(store, index, element)))
            }
            ArrayKind::Const(v) => {
                self.need(store, &[v])?;
                Some(Value::Array(ArrayValue::constant(store.sort(term), self.cached(store, v)?)))
            }
        }
    }
    fn array_value(&self, store: &TermStore, term: Term) -> &ArrayValue {
        match self.other(store, term) {
            Value::Array(array) => array,
            Value::Bool(_)
            | Value::Number(_)
            | Value::Element(..)
            | Value::Bits(_)
            | Value::Data(_) => panic!("an array has an array as its value"),
        }
    }
    fn other(&self, store: &TermStore, term: Term) -> &Value {
        // The term is no number, so its value lies in the cache or in the model, not in the store.
        if let Some(value) = self.cache.get(&term) {
            return value;
        }
        let symbol = store.symbol(term).expect("a term without a value in the cache is a constant");
        self.model.get(symbol).expect("a known constant has a value")
    }
    pub(super) fn data(
        &mut self,
        store: &TermStore,
        term: Term,
        kind: DataKind<'_>,
    ) -> Option<Value> {
        match kind {
            DataKind::Construct(constructor, fields) => {
                self.need(store, fields)?;
                let values = fields.iter().filter_map(|&f| self.cached(store, f)).collect();
                Some(Value::Data(DataValue::new(store, constructor, values)))
            }
            DataKind::Is(constructor, inner) => {
                self.need(store, &[inner])?;
                Some(Value::Bool(self.data_value(store, inner).constructor() == constructor))
            }
            DataKind::Field(field, inner) => {
                self.need(store, &[inner])?;
                let data = self.data_value(store, inner);
                if data.constructor() == store.field_constructor(field) {
                    return Some(data.fields()[store.field_place(field)].clone());
                }
                if let Some(table) = self.model.selector(field) {
                    return Some(table.get(&[Value::Data(data.clone())]).clone());
                }
                self.unspecified.insert(term, term);
                None
            }
        }
    }
    fn data_value(&self, store: &TermStore, term: Term) -> &DataValue {
        match self.other(store, term) {
            Value::Data(data) => data,
            Value::Bool(_)
            | Value::Number(_)
            | Value::Element(..)
            | Value::Bits(_)
            | Value::Array(_) => panic!("a term of a data type has data as its value"),
        }
    }
    pub(super) fn bits(&mut self, store: &TermStore, kind: BitsKind<'_>) -> Option<Value> {
        match kind {
            BitsKind::Value(value) => Some(Value::bits(value.clone())),
            BitsKind::OfInt(width, integer) => {
                self.need(store, &[integer])?;
                Some(Value::bits(Bits::new(width, self.amount(store, integer))))
            }
            BitsKind::ToNat(bits) => {
                self.need(store, &[bits])?;
                Some(Value::Number(self.bits_value(store, bits).to_nat().clone()))
            }
            BitsKind::Op(op, args) => {
                self.need(store, args)?;
                let values: SmallVec<[&Bits; 4]> =
                    args.iter().map(|&arg| self.bits_value(store, arg)).collect();
                Some(match fold(op, &values) {
                    Folded::Bits(bits) => Value::bits(bits),
                    Folded::Truth(value) => Value::Bool(value),
                })
            }
        }
    }
    fn bits_value(&self, store: &TermStore, term: Term) -> &Bits {
        self.other(store, term).as_bits().expect("a bit-vector has bits as its value")
    }

    /// The error of a term whose value depends on a selector that is not specified.
    pub(super) fn specified(&self, term: Term) -> Result<(), NoValue> {
        if self.unspecified.is_empty() {
            return Ok(());
        }
        self.unspecified.get(&term).map_or(Ok(()), |&selector| Err(NoValue(selector)))
    }
    pub(super) fn unspecified_at(&self, term: Term) -> Option<Known<'static>> {
        if self.unspecified.is_empty() {
            return None;
        }
        self.unspecified.get(&term).map(|&selector| Known::Unspecified(selector))
    }
    pub(super) fn has_unspecified_child(&self, store: &TermStore, term: Term) -> bool {
        !self.unspecified.is_empty()
            && store.children(term).iter().any(|child| self.unspecified.contains_key(child))
    }
    /// The value of a term if it does not depend on its children without one; what is needed for
    /// that is pushed.
    pub(super) fn unspecified_step(&mut self, store: &TermStore, term: Term) -> Option<Value> {
        let kind = store.kind(term);
        if let Kind::And(parts) | Kind::Or(parts) = kind {
            let zero = matches!(kind, Kind::Or(_));
            let decides = |&part: &Term| self.known(store, part) == Some(Known::Bool(zero));
            if parts.iter().any(decides) {
                return Some(Value::Bool(zero));
            }
        }
        if let Kind::Ite(condition, yes, no) = kind {
            self.need(store, &[condition])?;
            if let Some(Known::Bool(holds)) = self.known(store, condition) {
                let chosen = if holds { yes } else { no };
                self.need(store, &[chosen])?;
                if !self.unspecified.contains_key(&chosen) {
                    return self.cached(store, chosen);
                }
                let selector = self.unspecified[&chosen];
                self.unspecified.insert(term, selector);
                return None;
            }
        }
        self.need(store, store.children(term))?;
        let blamed = store.children(term).iter().find_map(|child| self.unspecified.get(child));
        let selector = *blamed.expect("the caller has found one");
        self.unspecified.insert(term, selector);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Model, evaluate, evaluate_with_defaults};
    use crate::model::FunctionTable;
    use crate::{ConstructorDeclaration, DataDeclaration, FieldSort, Sort};

    #[test]
    fn arrays_read_what_was_written() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let (a, i, j) = (s.var("a", sort), s.var("i", Sort::INT), s.var("j", Sort::INT));
        let (one, two) = (s.int(1), s.int(2));
        let first = s.store(a, i, one);
        let both = s.store(first, j, two);
        let reads = [s.select(both, i), s.select(both, j), s.select(both, one)];
        let mut model = Model::new();
        for (at, expected) in [(0, [2, 2, 0]), (1, [1, 2, 1])] {
            model.set(s.symbol(i).expect("a constant"), Value::Number(at.into()));
            let values = reads.map(|t| evaluate_with_defaults(&s, t, &model));
            assert_eq!(values, expected.map(|n| Ok(Value::Number(n.into()))));
        }
    }

    #[test]
    fn what_depends_on_a_wrong_selector_has_no_value() {
        let mut s = TermStore::new();
        let some = ConstructorDeclaration {
            name: "some".into(),
            fields: vec![("get".into(), FieldSort::Known(Sort::INT))],
        };
        let none = ConstructorDeclaration { name: "none".into(), fields: Vec::new() };
        let data = DataDeclaration { name: "O".into(), constructors: vec![none, some] };
        let sort = s.declare_data(vec![data]).expect("well-founded")[0];
        let [none, some] = *s.constructors(sort).expect("data") else { panic!("two") };
        let get = s.constructor_fields(some)[0];
        let (x, b) = (s.var("x", sort), s.var("b", Sort::BOOL));
        let (inner, zero) = (s.field(get, x), s.int(0));
        let positive = s.lt(zero, inner);
        let is_some = s.is(some, x);
        let guarded = s.and(&[is_some, positive]);
        let either = s.or(&[positive, b]);
        let choice = s.ite(is_some, inner, zero);
        let mut model = Model::new();
        let nothing = Value::Data(DataValue::new(&s, none, Vec::new()));
        model.set(s.symbol(x).expect("a constant"), nothing.clone());
        model.set(s.symbol(b).expect("a constant"), Value::Bool(false));
        assert_eq!(evaluate(&s, guarded, &model), Ok(Value::Bool(false)));
        assert_eq!(evaluate(&s, choice, &model), Ok(Value::Number(0.into())));
        assert_eq!(evaluate(&s, positive, &model), Err(NoValue(inner)));
        assert_eq!(evaluate_with_defaults(&s, either, &model), Err(NoValue(inner)));
        model.set(s.symbol(b).expect("a constant"), Value::Bool(true));
        assert_eq!(evaluate(&s, either, &model), Ok(Value::Bool(true)));
        model.set_selector(get, FunctionTable::constant(Value::Number(5.into())));
        assert_eq!(evaluate(&s, guarded, &model), Ok(Value::Bool(false)));
        assert_eq!(evaluate(&s, positive, &model), Ok(Value::Bool(true)));
    }
}
