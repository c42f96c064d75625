//! Terms as straight-line code, for evaluating them millions of times.
//!
//! Every node of the terms' graph is a register; inputs come first, constants are written once. A
//! run computes the rest in order.
//!
//! Source: the textbook translation of expressions into straight-line code, as in [ALSU06] §6.2.

use shofar_base::Map;
use shofar_num::{Rational, div_euclid, mod_euclid};
use shofar_term::eval::Value;
use shofar_term::visit::postorder;
use shofar_term::{ArithKind, Kind, Symbol, Term, TermStore};

type Register = usize;

#[derive(Clone, Debug)]
enum Operation {
    Not(Register),
    And(Vec<Register>),
    Or(Vec<Register>),
    Iff(Register, Register),
    Same(Register, Register),
    Ite([Register; 3]),
    Sum(Vec<(Rational, Register)>, Rational),
    Le(Register, Rational),
    Lt(Register, Rational),
    Eq(Register, Rational),
    Div(Register, Rational),
    Mod(Register, Rational),
    ToInt(Register),
}

/// Code for some terms.
#[derive(Clone, Debug)]
pub(super) struct Program {
    inputs: usize,
    registers: Vec<Value>,
    code: Vec<(Register, Operation)>,
    outputs: Vec<Register>,
}

impl Program {
    /// Code for `terms` over `inputs`; other symbols are false or 0.
    pub(super) fn new(store: &TermStore, terms: &[Term], inputs: &[Symbol]) -> Self {
        let mut this = Self {
            inputs: inputs.len(),
            registers: inputs.iter().map(|&s| Value::default_of(store, store.result(s))).collect(),
            code: Vec::new(),
            outputs: Vec::new(),
        };
        let of_input: Map<Symbol, Register> =
            inputs.iter().enumerate().map(|(i, &s)| (s, i)).collect();
        let mut register: Map<Term, Register> = Map::default();
        for term in postorder(store, terms) {
            if let Some(symbol) = store.symbol(term)
                && let Some(&input) = of_input.get(&symbol)
            {
                register.insert(term, input);
                continue;
            }
            register.insert(term, this.registers.len());
            if let Some(operation) = operation(store, term, &register) {
                this.code.push((this.registers.len(), operation));
            }
            this.registers.push(constant(store, term));
        }
        this.outputs = terms.iter().map(|t| register[t]).collect();
        this
    }
    /// Runs the code on these values of the inputs.
    pub(super) fn run(&mut self, inputs: &[Value]) {
        self.registers[..self.inputs].clone_from_slice(inputs);
        for (target, operation) in &self.code {
            let value = execute(operation, &self.registers);
            self.registers[*target] = value;
        }
    }
    /// The value of term number `index`.
    pub(super) fn output(&self, index: usize) -> &Value {
        &self.registers[self.outputs[index]]
    }
    /// Whether formula number `index` is true.
    pub(super) fn holds(&self, index: usize) -> bool {
        truth(&self.registers, self.outputs[index])
    }
}

/// The value of a constant; of other terms, a value of their sort.
fn constant(store: &TermStore, term: Term) -> Value {
    if let Some(value) = store.as_number(term) {
        return Value::Number(value.clone());
    }
    if term == store.top() { Value::Bool(true) } else { Value::default_of(store, store.sort(term)) }
}

fn operation(store: &TermStore, term: Term, register: &Map<Term, Register>) -> Option<Operation> {
    let all = |parts: &[Term]| parts.iter().map(|p| register[p]).collect();
    Some(match store.kind(term) {
        Kind::True | Kind::False | Kind::Symbol(_) => return None,
        Kind::App(..) | Kind::Quantified(..) | Kind::Array(_) | Kind::Data(_) | Kind::Bits(_) => {
            unreachable!("steps speak of arithmetic only")
        }
        Kind::Not(p) => Operation::Not(register[&p]),
        Kind::And(parts) => Operation::And(all(parts)),
        Kind::Or(parts) => Operation::Or(all(parts)),
        Kind::Iff(p, q) => Operation::Iff(register[&p], register[&q]),
        Kind::Ite(c, yes, no) => Operation::Ite([register[&c], register[&yes], register[&no]]),
        Kind::Same(a, b) => Operation::Same(register[&a], register[&b]),
        Kind::Arith(kind) => return arithmetic(kind, register),
    })
}

fn arithmetic(kind: ArithKind<'_>, register: &Map<Term, Register>) -> Option<Operation> {
    Some(match kind {
        ArithKind::Number(_) => return None,
        ArithKind::Sum(sum) => {
            let monomials = sum.iter().map(|(c, t)| (c.clone(), register[&t])).collect();
            Operation::Sum(monomials, sum.constant().clone())
        }
        ArithKind::Le(form, bound) => Operation::Le(register[&form], bound.clone()),
        ArithKind::Lt(form, bound) => Operation::Lt(register[&form], bound.clone()),
        ArithKind::Eq(form, bound) => Operation::Eq(register[&form], bound.clone()),
        ArithKind::Div(a, divisor) => Operation::Div(register[&a], divisor.clone()),
        ArithKind::Mod(a, divisor) => Operation::Mod(register[&a], divisor.clone()),
        ArithKind::ToInt(a) => Operation::ToInt(register[&a]),
    })
}

fn execute(operation: &Operation, registers: &[Value]) -> Value {
    let holds = |&r: &Register| truth(registers, r);
    let divided = "divisors in terms are not zero";
    match operation {
        Operation::Not(p) => Value::Bool(!holds(p)),
        Operation::And(parts) => Value::Bool(parts.iter().all(holds)),
        Operation::Or(parts) => Value::Bool(parts.iter().any(holds)),
        Operation::Iff(p, q) => Value::Bool(holds(p) == holds(q)),
        Operation::Same(a, b) => Value::Bool(registers[*a] == registers[*b]),
        Operation::Ite([c, yes, no]) => registers[if holds(c) { *yes } else { *no }].clone(),
        Operation::Sum(monomials, constant) => {
            let mut total = constant.clone();
            for (coefficient, r) in monomials {
                total.add_mul(coefficient, number(registers, *r));
            }
            Value::Number(total)
        }
        Operation::Le(r, bound) => Value::Bool(number(registers, *r) <= bound),
        Operation::Lt(r, bound) => Value::Bool(number(registers, *r) < bound),
        Operation::Eq(r, bound) => Value::Bool(number(registers, *r) == bound),
        Operation::Div(r, d) => Value::Number(div_euclid(number(registers, *r), d).expect(divided)),
        Operation::Mod(r, d) => Value::Number(mod_euclid(number(registers, *r), d).expect(divided)),
        Operation::ToInt(r) => Value::Number(number(registers, *r).floor()),
    }
}

fn truth(registers: &[Value], r: Register) -> bool {
    registers[r].as_bool().expect("a formula has a truth value")
}

fn number(registers: &[Value], r: Register) -> &Rational {
    registers[r].as_number().expect("an arithmetic term has a number as its value")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_term::Sort;

    #[test]
    fn a_step_of_a_loop() {
        let mut s = TermStore::new();
        let (x, y) = (s.var("x", Sort::INT), s.var("y", Sort::INT));
        let inputs = ["x", "y"].map(|n| s.declare(n, &[], Sort::INT));
        let (two, five) = (s.int(2), s.int(5));
        let (half, rest) = (s.div(x, &2.into()), s.modulo(x, &2.into()));
        let sum = s.add(&[half, y, two]);
        let less = s.lt(rest, y);
        let chosen = s.ite(less, sum, five);
        let mut program = Program::new(&s, &[chosen, less], &inputs);
        let values = |x: i64, y: i64| [x, y].map(|v| Value::Number(v.into()));
        program.run(&values(7, 3));
        assert_eq!((program.output(0), program.holds(1)), (&Value::Number(8.into()), true));
        program.run(&values(7, 1));
        assert_eq!((program.output(0), program.holds(1)), (&Value::Number(5.into()), false));
    }
}
