//! What is said about data, compared with the values of a candidate.
//!
//! Further constructor terms of a class, selectors and testers must agree with the value of the
//! class, and classes that an equality keeps apart must have different values; instances of the
//! axioms say where they do not.
//!
//! Source: [BST07].

use shofar_base::{GaveUp, Outcome};
use shofar_term::Term;
use shofar_term::eval::Value;
use shofar_term::value::DataValue;

use super::{Classes, Said, Shape};
use crate::candidate::Candidate;
use crate::euf::Node;
use crate::instance::Axiom;

impl Candidate<'_> {
    /// Compares what is said about data with the values. The result is a leaf that needs another
    /// value.
    pub(super) fn compare_data(&mut self, classes: &Classes<'_>) -> Outcome<Option<Node>> {
        for &class in classes.all {
            let said = classes.said[&class].clone();
            let value = self.known_value(class)?;
            self.compare_made(&said, &value)?;
            self.compare_fields(&said, &value);
            self.compare_tests(&said, &value)?;
        }
        if !self.instances.is_empty() {
            return Ok(None);
        }
        Ok(self.separate_data(classes))
    }
    /// All constructor terms of a class have its value.
    fn compare_made(&mut self, said: &Said, value: &Value) -> Outcome<()> {
        let Some((&first, others)) = said.made.split_first() else { return Ok(()) };
        for &other in others {
            let args = self.euf.application(other).map_or(&[][..], |(_, args)| args);
            let fields = args.iter().map(|&a| self.known_value(a)).collect::<Outcome<_>>()?;
            let constructor = self.constructor(other).expect("a constructor term");
            let made = Value::Data(DataValue::new(self.store, constructor, fields));
            if made != *value {
                let [s, t] = [first, other].map(|n| self.euf.term(n));
                let mut clause = Vec::new();
                let plain = self.plain_member(first).unwrap_or(t);
                self.unless_equal(&mut clause, plain, s);
                self.unless_equal(&mut clause, plain, t);
                clause.push(self.store.eq(s, t));
                self.ask(Axiom::Constructors, clause);
            }
        }
        Ok(())
    }
    /// A member of the class of `node` that is no constructor term.
    pub(super) fn plain_member(&self, node: Node) -> Option<Term> {
        let members = self.euf.members(self.euf.class(node)).iter();
        members.copied().find(|&n| self.constructor(n).is_none()).map(|n| self.euf.term(n))
    }
    fn compare_fields(&mut self, said: &Said, value: &Value) {
        let Some(data) = value.as_data() else { return };
        for &(field, node) in &said.fields {
            let place = self.store.field_place(field);
            if data.constructor() != self.store.field_constructor(field)
                || self.value(node).is_none_or(|own| own == data.fields()[place])
            {
                continue;
            }
            let Some(&made) = said.made.first() else { continue };
            let Some((_, args)) = self.euf.application(node) else { continue };
            let (whole, term) = (self.euf.term(args[0]), self.euf.term(made));
            let part = self.store.children(term)[place];
            let mut clause = Vec::new();
            self.unless_equal(&mut clause, whole, term);
            let same = self.equality(self.euf.term(node), part);
            clause.push(same);
            self.ask(Axiom::Selector, clause);
        }
    }
    fn compare_tests(&mut self, said: &Said, value: &Value) -> Outcome<()> {
        let made_by = value.as_data().map(DataValue::constructor);
        for &(constructor, node) in &said.tests {
            let is_right = made_by == Some(constructor);
            if self.euf.truth_of(node).is_none_or(|truth| truth == is_right) {
                continue;
            }
            let Some(&made) = said.made.first() else {
                return Err(GaveUp::incomplete("a tester and the value of its argument"));
            };
            let Some((_, args)) = self.euf.application(node) else { continue };
            let (whole, test) = (self.euf.term(args[0]), self.euf.term(node));
            let mut clause = Vec::new();
            self.unless_equal(&mut clause, whole, self.euf.term(made));
            clause.push(if is_right { test } else { self.store.not(test) });
            self.ask(Axiom::Tester, clause);
        }
        Ok(())
    }
    /// Looks for classes that must differ and do not. The result is a leaf among them, if there is
    /// one.
    fn separate_data(&mut self, classes: &Classes<'_>) -> Option<Node> {
        let is_here = |n: Node| classes.said.contains_key(&self.euf.class(n));
        let mut pairs = self.different(|_| true);
        pairs.retain(|&(_, left, right)| is_here(left) && is_here(right));
        for (equality, left, right) in pairs {
            if self.value(left) != self.value(right) {
                continue;
            }
            let ends = [left, right].map(|n| self.euf.class(n));
            let leaf = ends.iter().find(|&&c| classes.shape(c) == Some(Shape::Leaf));
            if let Some(&leaf) = leaf {
                return Some(leaf);
            }
            let shapes = ends.map(|c| classes.shape(c));
            let clause = if let [Some(Shape::Made(one)), Some(Shape::Made(other))] = shapes {
                let [s, t] = [one, other].map(|n| self.euf.term(n));
                let mut clause = vec![equality];
                self.unless_equal(&mut clause, self.euf.term(left), s);
                self.unless_equal(&mut clause, self.euf.term(right), t);
                let same = self.store.eq(s, t);
                clause.push(self.store.not(same));
                clause
            } else {
                self.records_differ(equality, [left, right])
            };
            self.ask(Axiom::Record, clause);
        }
        None
    }
    /// Records that differ have a field that does.
    fn records_differ(&mut self, equality: Term, ends: [Node; 2]) -> Vec<Term> {
        let [x, y] = ends.map(|n| self.euf.term(n));
        let constructors = self.store.constructors(self.store.sort(x)).unwrap_or_default();
        let fields = match constructors {
            &[only] => self.store.constructor_fields(only).to_vec(),
            _ => Vec::new(),
        };
        let mut clause = vec![equality];
        for field in fields {
            let (a, b) = (self.store.field(field, x), self.store.field(field, y));
            let same = self.equality(a, b);
            clause.push(self.store.not(same));
        }
        clause
    }
}
