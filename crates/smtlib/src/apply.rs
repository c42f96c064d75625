//! The functions of the theories, applied to arguments of the right sorts, and the calls of defined
//! functions.

use shofar_base::{Diagnostic, Read};
use std::sync::Arc;

use shofar_num::Rational;
use shofar_term::{Linear, Relation, Sort, Term};

use crate::builtin::Builtin;
use crate::definition::{Body, DefinitionId};
use crate::division::Partial;
use crate::elaborate::{Elaborator, Frame, Workspace};
use crate::lexer::Lexer;
use crate::product::Operator;
use crate::sums::{Combination, Value, join};

/// How deep textual expansions may be inside each other.
const DEEPEST_EXPANSION: usize = 100;
/// So many terms are some ten million pairs.
const MOST_DISTINCT: usize = 5000;

impl Elaborator<'_, '_> {
    /// The function applied to the values of its frame.
    pub(crate) fn apply(&mut self, builtin: Builtin, frame: Frame) -> Read<Value> {
        self.check_arity(builtin, frame)?;
        if builtin == Builtin::Distinct {
            self.check_pairs(frame)?;
        }
        match builtin {
            Builtin::Add | Builtin::Sub | Builtin::Mul | Builtin::Divide | Builtin::ToReal => {
                self.apply_linear(builtin, frame).map(Value::Sum)
            }
            Builtin::Le | Builtin::Lt | Builtin::Ge | Builtin::Gt | Builtin::Eq => {
                Ok(Value::Term(self.compare(builtin, frame)))
            }
            Builtin::Div | Builtin::Mod => self.divide_integers(builtin, frame).map(Value::Term),
            Builtin::True
            | Builtin::False
            | Builtin::Not
            | Builtin::And
            | Builtin::Or
            | Builtin::Xor
            | Builtin::Implies
            | Builtin::Distinct
            | Builtin::Ite
            | Builtin::Abs
            | Builtin::ToInt
            | Builtin::IsInt => Ok(Value::Term(self.apply_terms(builtin, frame))),
        }
    }
    fn check_arity(&self, builtin: Builtin, frame: Frame) -> Read<()> {
        let found = self.work.values.len() - frame.values;
        let (least, most) = builtin.arity();
        if found >= least && most.is_none_or(|most| found <= most) {
            return Ok(());
        }
        let wanted = if most == Some(least) {
            arguments(least)
        } else {
            format!("at least {}", arguments(least))
        };
        Err(self.error(frame, format!("`{}` takes {wanted}, found {found}", builtin.name())))
    }
    /// What `distinct` stands for grows with the square of its arguments.
    fn check_pairs(&self, frame: Frame) -> Read<()> {
        let count = self.work.values.len() - frame.values;
        if count <= MOST_DISTINCT {
            return Ok(());
        }
        Err(self.error(
            frame,
            format!("`distinct` takes at most {MOST_DISTINCT} arguments, found {count}"),
        ))
    }
    pub(crate) fn error(&self, frame: Frame, message: String) -> Box<Diagnostic> {
        self.lexer.error(frame.open, self.lexer.offset(), message)
    }
    /// The complaint about something that is not linear; it may become so when the parameters are
    /// known.
    fn nonlinear(&mut self, frame: Frame, operator: Operator) -> Box<Diagnostic> {
        self.deferrable = self.parametric;
        let span = self.lexer.span(frame.open, self.lexer.offset());
        Box::new(
            Diagnostic::new(span, operator.complaint()).note("only linear arithmetic is supported"),
        )
    }
    /// The arguments that begin at this place, all of them terms.
    pub(crate) fn take_terms(&mut self, values: usize) -> Vec<Term> {
        let mut terms = std::mem::take(&mut self.work.terms);
        terms.clear();
        while let Some(&Value::Term(term)) = self.work.values.get(values + terms.len()) {
            terms.push(term);
        }
        if values + terms.len() == self.work.values.len() {
            self.work.values.truncate(values);
            return terms;
        }
        terms.clear();
        // From the last to the first, since only the last linear combination can be taken from its
        // stack.
        while self.work.values.len() > values {
            let value = self.work.values.pop().expect("the frame has values");
            let term = self.make_term(value);
            terms.push(term);
        }
        terms.reverse();
        terms
    }
    fn apply_terms(&mut self, builtin: Builtin, frame: Frame) -> Term {
        let terms = self.take_terms(frame.values);
        let store = &mut *self.store;
        let result = match builtin {
            Builtin::True => store.top(),
            Builtin::False => store.bottom(),
            Builtin::Not => store.not(terms[0]),
            Builtin::And => store.and(&terms),
            Builtin::Or => store.or(&terms),
            Builtin::Xor => terms[1..].iter().fold(terms[0], |left, &right| store.xor(left, right)),
            Builtin::Implies => {
                let (&last, premises) =
                    terms.split_last().expect("an implication has two arguments");
                let mut parts: Vec<Term> =
                    premises.iter().map(|&premise| store.not(premise)).collect();
                parts.push(last);
                store.or(&parts)
            }
            Builtin::Distinct => store.distinct(&terms),
            Builtin::Ite => store.ite(terms[0], terms[1], terms[2]),
            Builtin::Abs => store.abs(terms[0]),
            Builtin::ToInt => store.to_int(terms[0]),
            Builtin::IsInt => store.is_int(terms[0]),
            Builtin::Eq
            | Builtin::Add
            | Builtin::Sub
            | Builtin::Mul
            | Builtin::Divide
            | Builtin::Div
            | Builtin::Mod
            | Builtin::Le
            | Builtin::Lt
            | Builtin::Ge
            | Builtin::Gt
            | Builtin::ToReal => unreachable!("`apply` sends these elsewhere"),
        };
        self.work.terms = terms;
        result
    }

    fn apply_linear(&mut self, builtin: Builtin, frame: Frame) -> Read<Combination> {
        let first = frame.values;
        let Workspace { values, sums, .. } = &mut *self.work;
        let arguments = &values[first..];
        let result = if builtin == Builtin::Mul {
            self.multiply(frame)?
        } else if builtin == Builtin::Divide {
            self.divide(frame)?
        } else if builtin == Builtin::Sub && arguments.len() == 1 {
            sums.product(arguments, 0, &Rational::MINUS_ONE)
        } else {
            let mut sum = sums.add(arguments, builtin == Builtin::Sub);
            if builtin == Builtin::ToReal {
                sum.sort = Sort::REAL;
            }
            sum
        };
        self.work.values.truncate(first);
        Ok(result)
    }
    /// A product in which at most one factor is no number.
    fn multiply(&mut self, frame: Frame) -> Read<Combination> {
        let Workspace { values, sums, .. } = &mut *self.work;
        let arguments = &values[frame.values..];
        let sort = arguments.iter().fold(Sort::INT, |sort, &argument| match argument {
            Value::Sum(sum) => join(sort, sum.sort),
            Value::Term(_) => sort,
        });
        let (mut factor, mut main) = (Rational::ONE, None);
        for k in 0..arguments.len() {
            match (sums.as_number(arguments, k), main) {
                (Some(number), _) => factor *= number,
                (None, None) => main = Some(k),
                (None, Some(_)) => return self.multiply_slowly(sort, frame),
            }
        }
        let mut product = if let Some(main) = main {
            sums.product(arguments, main, &factor)
        } else {
            sums.drop_all(arguments);
            sums.number(factor, sort)
        };
        product.sort = sort;
        Ok(product)
    }
    /// Sums may be numbers although terms occur in them, if they cancel out.
    fn multiply_slowly(&mut self, sort: Sort, frame: Frame) -> Read<Combination> {
        let (numbers, mut terms): (Vec<Linear>, Vec<Linear>) = self
            .work
            .sums
            .take_all(&self.work.values[frame.values..])
            .into_iter()
            .partition(Linear::is_constant);
        let factor =
            numbers.iter().fold(Rational::ONE, |product, number| product * &number.constant);
        if terms.len() > 1 && !factor.is_zero() {
            if !self.keeps_products() {
                return Err(self.nonlinear(frame, Operator::Times));
            }
            let first = self.store.sum(&terms[0], sort);
            let kept = terms[1..].iter().fold(first, |left, right| {
                let right = self.store.sum(right, sort);
                self.keep_product(Operator::Times, [left, right], sort, frame)
            });
            terms = vec![self.store.linear(kept)];
        }
        let mut product = terms.pop().unwrap_or_else(|| Linear::of_constant(Rational::ONE));
        product.scale(&factor);
        Ok(self.work.sums.give(product, sort))
    }
    /// `/` by numbers.
    fn divide(&mut self, frame: Frame) -> Read<Combination> {
        let Workspace { values, sums, .. } = &mut *self.work;
        let arguments = &values[frame.values..];
        let divisor = (1..arguments.len()).try_fold(Rational::ONE, |product, k| {
            sums.as_number(arguments, k).map(|number| product * number)
        });
        if let Some(divisor) = divisor
            && !divisor.is_zero()
        {
            let mut quotient = sums.product(arguments, 0, &divisor.recip());
            quotient.sort = Sort::REAL;
            return Ok(quotient);
        }
        let mut parts = sums.take_all(arguments).into_iter();
        let mut quotient = parts.next().expect("a quotient has two arguments");
        for divisor in parts {
            if !divisor.is_constant() {
                if !self.keeps_products() {
                    return Err(self.nonlinear(frame, Operator::Divide));
                }
                let terms = [&quotient, &divisor].map(|part| self.store.sum(part, Sort::REAL));
                let kept = self.keep_product(Operator::Divide, terms, Sort::REAL, frame);
                quotient = self.store.linear(kept);
            } else if divisor.constant.is_zero() {
                let dividend = self.store.sum(&quotient, Sort::REAL);
                let value = self.divide_by_zero(Partial::Divide, dividend, frame)?;
                quotient = self.store.linear(value);
            } else {
                quotient.scale(&divisor.constant.recip());
            }
        }
        Ok(self.work.sums.give(quotient, Sort::REAL))
    }
    fn divide_by_zero(&mut self, operator: Partial, dividend: Term, frame: Frame) -> Read<Term> {
        if self.parametric {
            // The value depends on the arguments of the call, so the body cannot be shared.
            self.deferrable = true;
            return Err(self.error(frame, "a division by zero".to_owned()));
        }
        if self.env.is_horn() {
            let message =
                "division by zero has no fixed value and is not supported in Horn clauses";
            return Err(self.error(frame, message.to_owned()));
        }
        Ok(self.env.divisions.value(self.store, operator, dividend))
    }
    /// `div` and `mod` by numbers.
    fn divide_integers(&mut self, builtin: Builtin, frame: Frame) -> Read<Term> {
        let terms = self.take_terms(frame.values);
        let mut result = terms[0];
        let is_div = builtin == Builtin::Div;
        for &term in &terms[1..] {
            let Some(divisor) = self.store.as_number(term) else {
                let operator = if is_div { Operator::Div } else { Operator::Mod };
                if !self.keeps_products() {
                    return Err(self.nonlinear(frame, operator));
                }
                result = self.keep_product(operator, [result, term], Sort::INT, frame);
                continue;
            };
            let divisor = divisor.clone();
            result = if divisor.is_zero() {
                self.divide_by_zero(
                    if is_div { Partial::Div } else { Partial::Mod },
                    result,
                    frame,
                )?
            } else if is_div {
                self.store.div(result, &divisor)
            } else {
                self.store.modulo(result, &divisor)
            };
        }
        self.work.terms = terms;
        Ok(result)
    }
    pub(crate) fn apply_divisible(&mut self, place: usize, frame: Frame) -> Read<Value> {
        let divisor = self.work.divisors[place].clone();
        let terms = self.take_terms(frame.values);
        let [term] = terms[..] else {
            return Err(
                self.error(frame, format!("`divisible` takes 1 argument, found {}", terms.len()))
            );
        };
        Ok(Value::Term(self.store.divisible(&divisor, term)))
    }

    /// A chain of comparisons.
    fn compare(&mut self, builtin: Builtin, frame: Frame) -> Term {
        let (relation, minuend) = builtin.relation().expect("this is a comparison");
        if let [first @ Value::Sum(_), second @ Value::Sum(_)] = self.work.values[frame.values..] {
            self.work.values.truncate(frame.values);
            let difference = self.work.sums.take_difference([first, second], minuend);
            return self.store.compare_zero(difference, relation);
        }
        let terms = self.take_terms(frame.values);
        let mut links = Vec::with_capacity(terms.len());
        for pair in terms.windows(2) {
            let (low, high) = (pair[minuend], pair[1 - minuend]);
            links.push(match relation {
                Relation::Le => self.store.le(low, high),
                Relation::Lt => self.store.lt(low, high),
                Relation::Eq => self.store.eq(low, high),
            });
        }
        self.work.terms = terms;
        self.store.and(&links)
    }
    /// The call of a defined function.
    pub(crate) fn call(&mut self, id: DefinitionId, frame: Frame) -> Read<Value> {
        let terms = self.take_terms(frame.values);
        let definition = self.env.definition(id);
        if terms.len() != definition.params.len() {
            let (name, wanted) =
                (self.env.text(definition.name), arguments(definition.params.len()));
            return Err(
                self.error(frame, format!("`{name}` takes {wanted}, found {}", terms.len()))
            );
        }
        let key = (id, terms.into_boxed_slice());
        if let Some(&result) = self.env.expansions.get(&key) {
            return Ok(Value::Term(result));
        }
        let result = match &definition.body {
            Body::Template(template) => Arc::clone(template).instantiate(self.store, &key.1),
            Body::Text(text) => {
                let count = self.env.kept.len();
                let expanded = self.expand(&Arc::clone(text), &key, frame)?;
                if self.env.kept.len() > count {
                    self.env.unsettled.push(key.clone());
                }
                expanded
            }
        };
        self.env.expansions.insert(key, result);
        Ok(Value::Term(result))
    }
    /// Elaborates the body of a definition for the arguments of a call.
    fn expand(
        &mut self,
        text: &[u8],
        key: &(DefinitionId, Box<[Term]>),
        frame: Frame,
    ) -> Read<Term> {
        let definition = self.env.definition(key.0);
        let (name, result) = (self.env.text(definition.name).to_owned(), definition.result);
        if self.depth >= DEEPEST_EXPANSION {
            return Err(
                self.error(frame, format!("`{name}` is defined through too many definitions"))
            );
        }
        let params: Vec<_> = definition.params.iter().map(|&(param, _)| param).collect();
        let (locals, barrier) = (self.env.locals(), self.env.raise_barrier());
        for (param, &argument) in params.into_iter().zip(&key.1) {
            self.env.bind_local(param, argument);
        }
        let mut lexer = Lexer::new(text, 0);
        let kept = self.env.kept.len();
        let expanded = self.nested(&mut lexer, result);
        self.env.unbind_locals(locals);
        self.env.lower_barrier(barrier);
        let call = self.lexer.span(frame.open, self.lexer.offset());
        self.env.in_expansion(kept, &name, call);
        expanded.map_err(|mut error| {
            error.span = call;
            error.message = format!("in the expansion of `{name}`: {}", error.message);
            error
        })
    }
    fn nested(&mut self, lexer: &mut Lexer<'_>, sort: Sort) -> Read<Term> {
        let first = lexer.next()?;
        let mut inner = Elaborator {
            env: self.env,
            store: self.store,
            lexer,
            work: Box::default(),
            depth: self.depth + 1,
            parametric: self.parametric,
            deferrable: false,
            labels: crate::elaborate::Labels::default(),
            whole: None,
            marks: None,
        };
        let result = inner.term_of_sort(first, sort);
        self.deferrable |= inner.deferrable;
        result
    }
}

/// A number of arguments in words.
pub(crate) fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}
