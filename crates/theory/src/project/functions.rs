//! Projection of cubes with functions and uninterpreted sorts, as far as it exists.
//!
//! 1. An eliminated function goes first: each of its applications becomes a constant that is
//!    eliminated as well, and where two applications have equal arguments in the model, their
//!    arguments and results are equal; otherwise some argument differs.
//! 2. An eliminated constant that a function is applied to, or whose sort is uninterpreted, is
//!    replaced by a term that an equation says it is equal to, else by a term of the cube that has
//!    the same value in the model.
//! 3. What is left is for arithmetic.
//!
//! Operations on arrays, data and bit-vectors count as functions that stay.
//!
//! A constant under a function that stays, with a value that no other term has, cannot be
//! eliminated without quantifiers; the answer is [`GaveUp::Incomplete`] then, never a projection
//! that does not imply the cube.
//!
//! Source: [Ack54] for step 1; step 2 is the substitution of [LW93] for equalities. The notion is
//! that of [KGC16] §5.

use shofar_base::{GaveUp, Map, Outcome, Set};
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::substitute::substitute;
use shofar_term::visit::postorder;
use shofar_term::{Kind, Linear, Symbol, Term, TermStore};

use super::purify::touched;
use crate::implicant::{VALUED, implicant};

/// Literals over the symbols outside `eliminate` that are true in `model` and imply
/// `∃ eliminate. ∧ cube`.
pub(crate) fn project(
    store: &mut TermStore,
    cube: &[Term],
    eliminate: &[Symbol],
    model: &Model,
) -> Outcome<Vec<Term>> {
    let is_function_free = |&t: &Term| store.sort(t).is_bool() || store.sort(t).is_arithmetic();
    let plain = |&t: &Term| is_function_free(&t) && !is_application(store, t);
    if postorder(store, cube).iter().all(plain) {
        return Ok(super::project(store, cube, eliminate, model));
    }
    let mut functions = Functions {
        store,
        cube: cube.to_vec(),
        eliminate: eliminate.to_vec(),
        model: model.clone(),
    };
    functions.remove_functions()?;
    functions.remove_arguments()?;
    functions.is_right()?;
    let Functions { cube, eliminate, model, .. } = functions;
    Ok(super::project(store, &cube, &eliminate, &model))
}

/// Whether `term` applies a function, or an operation that arithmetic knows nothing about.
fn is_application(store: &TermStore, term: Term) -> bool {
    let kind = store.kind(term);
    matches!(kind, Kind::App(..) | Kind::Array(_) | Kind::Data(_) | Kind::Bits(_))
}

struct Functions<'a> {
    store: &'a mut TermStore,
    cube: Vec<Term>,
    eliminate: Vec<Symbol>,
    /// The model, with values for the constants that applications have become.
    model: Model,
}

impl Functions<'_> {
    fn value(&self, term: Term) -> Value {
        Evaluator::with_defaults(&self.model).evaluate(self.store, term).expect(VALUED)
    }
    fn replace(&mut self, from: Term, to: Term) {
        let mut map = Map::default();
        map.insert(from, to);
        let before = std::mem::take(&mut self.cube);
        let after = substitute(self.store, &map, &before);
        for (old, new) in before.into_iter().zip(after) {
            if old == new {
                self.cube.push(new);
            } else {
                // Equalities may have been taken apart.
                self.cube.extend(implicant(self.store, new, &self.model));
            }
        }
    }
    /// Checks that all literals are true in the model, and that arithmetic can care for what is
    /// left.
    fn is_right(&self) -> Outcome<()> {
        let mut evaluator = Evaluator::with_defaults(&self.model);
        let eliminated: Set<Symbol> = self.eliminate.iter().copied().collect();
        let with_any = touched(self.store, &self.cube, &eliminated);
        let is_left = |&t: &Term| with_any.contains(&t) && is_application(self.store, t);
        let is_wrong = self.cube.iter().any(|&t| evaluator.holds(self.store, t) != Ok(true))
            || postorder(self.store, &self.cube).iter().any(is_left);
        if is_wrong { Err(GaveUp::incomplete("projection of an argument")) } else { Ok(()) }
    }
    /// Replaces the applications of eliminated functions by constants, the innermost first.
    fn remove_functions(&mut self) -> Outcome<()> {
        let eliminated: Set<Symbol> = self.eliminate.iter().copied().collect();
        let mut seen: Vec<(Symbol, Vec<Term>, Term)> = Vec::new();
        loop {
            let next = postorder(self.store, &self.cube).into_iter().find_map(|t| {
                match self.store.application(t) {
                    Some((f, args)) if !args.is_empty() && eliminated.contains(&f) => {
                        Some((t, f, args.to_vec()))
                    }
                    Some(_) | None => None,
                }
            });
            let Some((application, f, args)) = next else { return Ok(()) };
            let value = self.value(application);
            let symbol = self
                .store
                .fresh(self.store.name(f).to_owned().as_str(), self.store.sort(application));
            self.model.set(symbol, value);
            self.eliminate.push(symbol);
            let constant = self.store.constant(symbol);
            self.replace(application, constant);
            for (_, others, result) in
                seen.iter().filter(|(g, ..)| *g == f).cloned().collect::<Vec<_>>()
            {
                self.keep_consistent((&args, constant), (&others, result))?;
            }
            seen.push((f, args, constant));
        }
    }
    /// Adds what makes two applications of one function fit together, in the way in which they do
    /// in the model.
    fn keep_consistent(
        &mut self,
        (args, result): (&[Term], Term),
        (other_args, other_result): (&[Term], Term),
    ) -> Outcome<()> {
        let pairs: Vec<(Term, Term)> =
            args.iter().copied().zip(other_args.iter().copied()).filter(|(a, b)| a != b).collect();
        let apart = pairs.iter().copied().find(|&(a, b)| self.value(a) != self.value(b));
        if let Some((a, b)) = apart {
            let literal = self.difference(a, b)?;
            self.cube.push(literal);
            return Ok(());
        }
        for (a, b) in pairs.into_iter().chain([(result, other_result)]) {
            if self.store.sort(a).is_bool() {
                return Err(GaveUp::incomplete("projection of a predicate"));
            }
            let literal = self.store.eq(a, b);
            if literal != self.store.top() {
                self.cube.push(literal);
            }
        }
        Ok(())
    }
    /// A literal that says how two terms differ in the model.
    fn difference(&mut self, a: Term, b: Term) -> Outcome<Term> {
        match (self.value(a), self.value(b)) {
            (Value::Number(x), Value::Number(y)) => {
                Ok(if x < y { self.store.lt(a, b) } else { self.store.lt(b, a) })
            }
            (Value::Element(..), Value::Element(..)) => {
                let same = self.store.eq(a, b);
                Ok(self.store.not(same))
            }
            (Value::Bits(_) | Value::Data(_) | Value::Array(_), _) => {
                Err(GaveUp::incomplete("projection of a bit-vector, a data type or an array"))
            }
            (Value::Bool(_) | Value::Number(_) | Value::Element(..), _) => {
                Err(GaveUp::incomplete("projection of a predicate"))
            }
        }
    }
    /// Replaces eliminated constants that functions are applied to, or of uninterpreted sorts.
    fn remove_arguments(&mut self) -> Outcome<()> {
        while let Some(x) = self.next_argument() {
            let constant = self.store.constant(x);
            let definition = match self.definition(x, constant) {
                Some(term) => term,
                None => self.twin(x, constant)?,
            };
            self.replace(constant, definition);
        }
        Ok(())
    }
    fn next_argument(&mut self) -> Option<Symbol> {
        let all = postorder(self.store, &self.cube);
        let candidates = self.eliminate.clone();
        candidates.into_iter().find(|&x| {
            if !self.store.params(x).is_empty() {
                return false;
            }
            let constant = self.store.constant(x);
            let sort = self.store.sort(constant);
            if !sort.is_bool() && !sort.is_arithmetic() {
                return all.contains(&constant);
            }
            let with_x = touched(self.store, &self.cube, &[x].into_iter().collect());
            all.iter().any(|&t| is_application(self.store, t) && with_x.contains(&t))
        })
    }
    /// A term without `x` that an equation of the cube says `x` is equal to.
    fn definition(&mut self, x: Symbol, constant: Term) -> Option<Term> {
        let only: Set<Symbol> = [x].into_iter().collect();
        let with_x = touched(self.store, &self.cube, &only);
        for literal in self.cube.clone() {
            if let Kind::Same(a, b) = self.store.kind(literal) {
                for (one, other) in [(a, b), (b, a)] {
                    if one == constant && !with_x.contains(&other) {
                        return Some(other);
                    }
                }
            }
            if let Some((form, bound)) = self.store.equation(literal) {
                let mut linear = self.store.linear(form);
                linear.constant -= bound;
                if let Some(term) = self.solve(&linear, constant, &with_x) {
                    return Some(term);
                }
            }
        }
        None
    }
    /// The term that `constant` equals if `linear` is zero, unless fractions of integers or the
    /// constant itself are needed.
    fn solve(&mut self, linear: &Linear, constant: Term, with_x: &Set<Term>) -> Option<Term> {
        let coefficient = linear.coefficient(constant)?.clone();
        let sort = self.store.sort(constant);
        let others = linear.monomials().iter().filter(|(_, t)| *t != constant);
        let pure = others.clone().all(|(_, t)| !with_x.contains(t));
        let unit = coefficient.is_one() || coefficient == Rational::MINUS_ONE;
        let integral = others.clone().all(|(_, t)| self.store.sort(*t).is_int());
        if !pure || (sort.is_int() && !(unit && integral)) {
            return None;
        }
        let mut rest = linear.clone();
        rest.add_term(&-&coefficient, constant);
        rest.scale(&-coefficient.recip());
        Some(self.store.sum(&rest, sort))
    }
    /// A term of the cube without `x` that has its value in the model; one without eliminated
    /// symbols if there is one.
    fn twin(&mut self, x: Symbol, constant: Term) -> Outcome<Term> {
        let (sort, value) = (self.store.sort(constant), self.value(constant));
        let only: Set<Symbol> = [x].into_iter().collect();
        let all: Set<Symbol> = self.eliminate.iter().copied().collect();
        let with_x = touched(self.store, &self.cube, &only);
        let with_any = touched(self.store, &self.cube, &all);
        let mut twins: Vec<Term> = postorder(self.store, &self.cube);
        twins.retain(|&t| self.store.sort(t) == sort && !with_x.contains(&t));
        twins.retain(|&t| self.value(t) == value);
        let kept = twins.iter().copied().find(|t| !with_any.contains(t));
        let twin = kept.or(twins.first().copied());
        twin.ok_or(GaveUp::incomplete("projection of an argument of a function"))
    }
}

#[cfg(test)]
mod tests {
    use shofar_term::Sort;
    use shofar_term::eval::FunctionTable;

    use super::*;

    /// Projects `x` and `h` from what `build` makes of `x`, `y` and the functions `f` and `h`;
    /// everything is 0 in the model.
    fn check(
        build: impl FnOnce(&mut TermStore, [Term; 2], [Symbol; 2]) -> Vec<Term>,
        expected: impl FnOnce(&mut TermStore, Term, Symbol) -> Option<Vec<Term>>,
    ) {
        let mut store = TermStore::new();
        let [x, y] = ["x", "y"].map(|name| store.declare(name, &[], Sort::INT));
        let [f, h] = ["f", "h"].map(|name| store.declare(name, &[Sort::INT], Sort::INT));
        let terms = [store.constant(x), store.constant(y)];
        let cube = build(&mut store, terms, [f, h]);
        let mut model = Model::new();
        for symbol in [f, h] {
            model.set_function(symbol, FunctionTable::constant(Value::Number(Rational::ZERO)));
        }
        let expected = expected(&mut store, terms[1], f);
        assert_eq!(project(&mut store, &cube, &[x, h], &model).ok(), expected);
    }

    #[test]
    fn an_equation_defines_an_argument() {
        check(
            |s, [x, y], [f, _]| {
                let (double, of_x) = (s.scale(&2.into(), y), s.app(f, &[x]));
                vec![s.eq(x, double), s.le(of_x, y)]
            },
            |s, y, f| {
                let double = s.scale(&2.into(), y);
                let of_double = s.app(f, &[double]);
                Some(vec![s.le(of_double, y)])
            },
        );
    }

    #[test]
    fn an_argument_takes_a_term_of_its_value() {
        check(
            |s, [x, y], [f, _]| {
                let of_x = s.app(f, &[x]);
                vec![s.le(x, y), s.le(of_x, y)]
            },
            |s, y, f| {
                let of_y = s.app(f, &[y]);
                Some(vec![s.le(of_y, y)])
            },
        );
    }

    #[test]
    fn a_lonely_argument_stays() {
        check(
            |s, [x, _], [f, _]| {
                let (of_x, one) = (s.app(f, &[x]), s.int(1));
                let other = s.app(f, &[of_x]);
                vec![s.lt(other, one)]
            },
            |_, _, _| None,
        );
    }

    #[test]
    fn an_eliminated_function_leaves_what_its_results_say() {
        check(
            |s, [_, y], [_, h]| {
                let zero = s.int(0);
                let (of_y, of_zero) = (s.app(h, &[y]), s.app(h, &[zero]));
                vec![s.le(of_y, y), s.le(zero, of_zero)]
            },
            |s, y, _| {
                let zero = s.int(0);
                Some(vec![s.eq(y, zero)])
            },
        );
    }
}
