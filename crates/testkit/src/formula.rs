//! Random formulas, each with its value in a model that was chosen beforehand.
//!
//! A [`Formulas`] holds the declared variables with their planted values. Every term it makes is a
//! [`Node`]: text, sort and value. So a caller can make an assertion true in the planted model by
//! negating it when its value is false, and the script is satisfiable by construction. A value is
//! `None` where the model says nothing: after an overflow, under a division by zero, or in a call
//! of a defined function with parameters.
//!
//! Names bound by `let` may shadow declared ones, since that is where readers of SMT-LIB go wrong.

use std::cmp::Ordering;

use shofar_base::Rng;

use crate::function::Function;
use crate::logic::{Arithmetic, Logic, Sort, Theory};
use crate::ratio::Ratio;
pub use crate::value::Value;

/// A symbol in scope and its planted value.
#[derive(Clone, Debug)]
pub struct Variable {
    /// As printed, with bars if it needs them.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// Its value in the planted model, if it has a known one.
    pub value: Option<Value>,
}

/// A generated term.
#[derive(Clone, Debug)]
pub struct Node {
    /// SMT-LIB text.
    pub text: String,
    /// Its sort.
    pub sort: Sort,
    /// Its value in the planted model, if known.
    pub value: Option<Value>,
}

impl Node {
    pub(crate) fn new(text: impl Into<String>, sort: Sort, value: Option<Value>) -> Self {
        Self { text: text.into(), sort, value }
    }
    fn number(&self) -> Option<Ratio> {
        match self.value {
            Some(Value::Number(n)) => Some(n),
            Some(_) | None => None,
        }
    }
    /// The truth value, if known.
    pub fn truth(&self) -> Option<bool> {
        match self.value {
            Some(Value::Bool(b)) => Some(b),
            Some(_) | None => None,
        }
    }
}

/// A function defined with parameters.
#[derive(Clone, Debug)]
struct Definition {
    name: String,
    parameters: Vec<Sort>,
    result: Sort,
}

/// Generator of terms over the symbols in scope.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// The logic whose syntax is kept to.
    pub logic: Logic,
    /// Declared constants, oldest first.
    pub variables: Vec<Variable>,
    /// Declared functions with arguments, oldest first.
    pub functions: Vec<Function>,
    /// Declared sorts, oldest first.
    pub free_sorts: Vec<Sort>,
    /// Sorts of arrays, data types and bit-vectors in use, with all their parts.
    pub compound: Vec<Sort>,
    definitions: Vec<Definition>,
    pub(crate) bound: Vec<Variable>,
    /// How many applications of functions are open around the term being made.
    pub(crate) nesting: usize,
    fresh: usize,
    largest: i128,
}

/// What a generated script may look like: how large its numbers are.
fn largest_number(rng: &mut Rng) -> i128 {
    match rng.below(100) {
        0..80 => 5,
        80..93 => 30,
        93..98 => 1_000_000,
        _ => 3_000_000_000_000_000_000_000,
    }
}

impl Formulas {
    /// A generator without symbols.
    pub fn new(rng: &mut Rng, logic: Logic) -> Self {
        let largest = largest_number(rng);
        Self {
            logic,
            variables: Vec::new(),
            functions: Vec::new(),
            free_sorts: Vec::new(),
            compound: Vec::new(),
            definitions: Vec::new(),
            bound: Vec::new(),
            nesting: 0,
            fresh: 0,
            largest,
        }
    }

    /// Keeps numbers small, where large ones would only make the other solver slow.
    pub fn keep_small(&mut self) {
        self.largest = self.largest.min(30);
    }

    /// Declares a constant with a random planted value; returns the command.
    pub fn declare(&mut self, rng: &mut Rng, sort: Sort) -> String {
        let plain = format!("{}{}", sort.prefix(), self.variables.len());
        let name = match rng.below(30) {
            0 => format!("|{plain}|"),
            1 => format!("|{plain} '|"),
            2 => format!("{plain}!~$"),
            _ => plain,
        };
        let value = Value::random(rng, sort);
        self.variables.push(Variable { name: name.clone(), sort, value: Some(value) });
        if rng.chance(50) {
            format!("(declare-const {name} {sort})")
        } else {
            format!("(declare-fun {name} () {sort})")
        }
    }

    /// Defines a nullary function by a random term; it is a variable from then on. Returns the
    /// command.
    pub fn define(&mut self, rng: &mut Rng) -> String {
        let sort = *rng.pick(&self.sorts());
        let body = self.term(rng, sort, 1);
        let name = format!("d{}", self.variables.len());
        self.variables.push(Variable { name: name.clone(), sort, value: body.value.clone() });
        format!("(define-fun {name} () {sort} {})", definite(&body))
    }

    /// Defines a function with parameters, whose calls have no known value. Returns the command.
    pub fn define_function(&mut self, rng: &mut Rng) -> String {
        let sorts = self.sorts();
        let result = *rng.pick(&sorts);
        let name = format!("f{}", self.definitions.len());
        let parameters: Vec<Sort> = (0..=rng.below(2)).map(|_| *rng.pick(&sorts)).collect();
        let names = ["p", "q"];
        let outer = self.bound.len();
        for (sort, name) in parameters.iter().zip(names) {
            self.bound.push(Variable { name: name.into(), sort: *sort, value: None });
        }
        let body = self.term(rng, result, 1);
        self.bound.truncate(outer);
        let list: Vec<String> =
            parameters.iter().zip(names).map(|(sort, name)| format!("({name} {sort})")).collect();
        self.definitions.push(Definition { name: name.clone(), parameters, result });
        format!("(define-fun {name} ({}) {result} {})", list.join(" "), definite(&body))
    }

    /// A random term of the given sort, nested about `depth` deep.
    pub fn term(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        match sort {
            Sort::Bool => self.boolean(rng, depth),
            Sort::Int | Sort::Real => self.arithmetic(rng, sort, depth),
            Sort::Free(_) => self.element(rng, sort, depth),
            Sort::Bits(width) => self.bit_vector(rng, width, depth),
            Sort::Array(_) => self.array(rng, sort, depth),
            Sort::Data(_) => self.datum(rng, sort, depth),
        }
    }

    /// A random formula.
    pub fn boolean(&mut self, rng: &mut Rng, depth: usize) -> Node {
        if depth == 0 || rng.chance(15) {
            return self.atom(rng);
        }
        let below = depth - 1;
        match rng.below(20) {
            0..4 => self.connective(rng, "and", below),
            4..9 => self.connective(rng, "or", below),
            9..12 => {
                let inner = self.boolean(rng, below);
                negate(&inner)
            }
            12 | 13 => self.connective(rng, "=>", below),
            14 => self.connective(rng, "xor", below),
            15 => self.connective(rng, "=", below),
            16 => {
                let (a, b) = (self.boolean(rng, below), self.boolean(rng, below));
                let value = a.truth().zip(b.truth()).map(|(a, b)| Value::Bool(a != b));
                Node::new(format!("(distinct {} {})", a.text, b.text), Sort::Bool, value)
            }
            17 => self.ite(rng, Sort::Bool, below),
            18 => self.bind(rng, Sort::Bool, below),
            _ => self.call(rng, Sort::Bool).unwrap_or_else(|| self.atom(rng)),
        }
    }

    fn connective(&mut self, rng: &mut Rng, operator: &str, depth: usize) -> Node {
        let count = if rng.chance(70) { 2 } else { 3 };
        let nodes: Vec<Node> = (0..count).map(|_| self.boolean(rng, depth)).collect();
        let truths: Option<Vec<bool>> = nodes.iter().map(Node::truth).collect();
        let value = truths.map(|t| {
            Value::Bool(match operator {
                "and" => t.iter().all(|x| *x),
                "or" => t.iter().any(|x| *x),
                "=>" => t[count - 1] || t[..count - 1].iter().any(|x| !x),
                "xor" => t.iter().fold(false, |acc, x| acc ^ x),
                _ => t.windows(2).all(|w| w[0] == w[1]),
            })
        });
        Node::new(application(operator, &nodes), Sort::Bool, value)
    }

    pub(crate) fn ite(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        let (c, a, b) = (
            self.boolean(rng, depth.min(1)),
            self.term(rng, sort, depth),
            self.term(rng, sort, depth),
        );
        let value = c.truth().and_then(|c| if c { a.value.clone() } else { b.value.clone() });
        Node::new(format!("(ite {} {} {})", c.text, a.text, b.text), sort, value)
    }

    /// A parallel `let`; now and then its name shadows a declared one.
    pub(crate) fn bind(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        let count = 1 + rng.below(2);
        let mut bindings: Vec<Variable> = Vec::new();
        let mut texts = Vec::new();
        for _ in 0..count {
            let bound_sort = *rng.pick(&self.sorts());
            let node = self.term(rng, bound_sort, depth.min(1));
            // There are no literals of declared sorts, so one of their names must not hide the
            // others.
            let shadows = rng.chance(20) && !self.variables.is_empty();
            let shadowed = shadows.then(|| rng.pick(&self.variables));
            let name = shadowed
                .filter(|variable| !variable.sort.is_free() || variable.sort == bound_sort)
                .map(|variable| variable.name.clone())
                .filter(|name| bindings.iter().all(|b| b.name != *name))
                .unwrap_or_else(|| {
                    self.fresh += 1;
                    format!("?l{}", self.fresh)
                });
            texts.push(format!("({name} {})", node.text));
            bindings.push(Variable { name, sort: bound_sort, value: node.value });
        }
        let outer = self.bound.len();
        self.bound.extend(bindings);
        let body = self.term(rng, sort, depth);
        self.bound.truncate(outer);
        Node::new(format!("(let ({}) {})", texts.join(" "), body.text), sort, body.value)
    }

    /// A call of a defined function, if there is one of this sort.
    pub(crate) fn call(&mut self, rng: &mut Rng, sort: Sort) -> Option<Node> {
        let fitting: Vec<Definition> =
            self.definitions.iter().filter(|d| d.result == sort).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let definition = rng.pick(&fitting).clone();
        let arguments: Vec<Node> =
            definition.parameters.iter().map(|sort| self.term(rng, *sort, 0)).collect();
        Some(Node::new(application(&definition.name, &arguments), sort, None))
    }

    /// A visible symbol of the sort: inner bindings hide outer ones of the same name.
    pub(crate) fn variable(&self, rng: &mut Rng, sort: Sort) -> Option<Node> {
        let mut visible: Vec<&Variable> = Vec::new();
        for variable in self.bound.iter().rev().chain(self.variables.iter().rev()) {
            if visible.iter().all(|v| {
                crate::sexp::symbol_name(&v.name) != crate::sexp::symbol_name(&variable.name)
            }) {
                visible.push(variable);
            }
        }
        visible.retain(|v| v.sort == sort);
        if visible.is_empty() {
            return None;
        }
        let chosen = rng.pick(&visible);
        Some(Node::new(chosen.name.clone(), sort, chosen.value.clone()))
    }

    /// An atomic formula of the logic.
    pub fn atom(&mut self, rng: &mut Rng) -> Node {
        let propositional = self.logic == Logic::BOOL || rng.chance(20);
        if propositional && let Some(node) = self.variable(rng, Sort::Bool) {
            return node;
        }
        let is_theory = self.logic.theory != Theory::None
            && (self.logic.arithmetic == Arithmetic::None || rng.chance(65));
        if is_theory && let Some(node) = self.theory_atom(rng) {
            return node;
        }
        let is_free = self.logic == Logic::UF || self.logic.has_functions && rng.chance(40);
        if is_free && let Some(node) = self.free_atom(rng) {
            return node;
        }
        match self.logic.arithmetic {
            Arithmetic::None => Node::new("true", Sort::Bool, Some(Value::Bool(true))),
            Arithmetic::Idl | Arithmetic::Rdl => self.difference(rng),
            Arithmetic::Lia if rng.chance(8) => self.divisible(rng),
            Arithmetic::Lira if rng.chance(5) => self.divisible(rng),
            Arithmetic::Lira if rng.chance(8) => {
                let inner = self.arithmetic(rng, Sort::Real, 1);
                let value = inner.number().map(|n| Value::Bool(n.is_integer()));
                Node::new(format!("(is_int {})", inner.text), Sort::Bool, value)
            }
            Arithmetic::Lia | Arithmetic::Lra | Arithmetic::Lira => self.comparison(rng),
        }
    }

    fn divisible(&mut self, rng: &mut Rng) -> Node {
        let inner = self.arithmetic(rng, Sort::Int, 1);
        let by = i128::from(rng.range(1, 6));
        let value =
            inner.number().and_then(Ratio::to_int).map(|n| Value::Bool(n.rem_euclid(by) == 0));
        Node::new(format!("((_ divisible {by}) {})", inner.text), Sort::Bool, value)
    }

    fn comparison(&mut self, rng: &mut Rng) -> Node {
        let sort = self.number_sort(rng);
        let count = if rng.chance(88) { 2 } else { 3 };
        let operator = *rng.pick(&["<", "<=", ">", ">=", "=", "<=", ">=", "distinct"]);
        let depth = if rng.chance(60) { 1 } else { 2 };
        let mut nodes = vec![self.arithmetic(rng, sort, depth)];
        while nodes.len() < count {
            // A mixed comparison relies on the coercion from Int to Real.
            let mixed = self.logic.arithmetic == Arithmetic::Lira
                && sort == Sort::Real
                && operator != "distinct"
                && rng.chance(5);
            let sort = if mixed { Sort::Int } else { sort };
            let depth = usize::from(rng.chance(50));
            nodes.push(self.arithmetic(rng, sort, depth));
        }
        let value = compare_chain(operator, &nodes).map(Value::Bool);
        Node::new(application(operator, &nodes), Sort::Bool, value)
    }

    /// `x - y ⋈ c` or `x ⋈ y`, as the difference logics want it.
    fn difference(&mut self, rng: &mut Rng) -> Node {
        let sort = self.number_sort(rng);
        let operator = *rng.pick(&["<", "<=", ">", ">=", "=", "<=", ">=", "distinct"]);
        let Some((x, y)) = self.unknown(rng, sort).zip(self.unknown(rng, sort)) else {
            // Every number may be shadowed by a propositional binding.
            return Node::new("true", Sort::Bool, Some(Value::Bool(true)));
        };
        if rng.chance(25) {
            let nodes = [x, y];
            let value = compare_chain(operator, &nodes).map(Value::Bool);
            return Node::new(application(operator, &nodes), Sort::Bool, value);
        }
        let c = self.literal(rng, sort);
        let gap = x.number().zip(y.number()).and_then(|(x, y)| x.checked_add(y.checked_neg()?));
        let gap = Node::new(format!("(- {} {})", x.text, y.text), sort, gap.map(Value::Number));
        let nodes = [gap, c];
        let value = compare_chain(operator, &nodes).map(Value::Bool);
        Node::new(application(operator, &nodes), Sort::Bool, value)
    }

    /// Int or Real, as the logic has it.
    pub fn number_sort(&self, rng: &mut Rng) -> Sort {
        match self.logic.arithmetic {
            Arithmetic::Lra | Arithmetic::Rdl => Sort::Real,
            Arithmetic::Lira if rng.chance(50) => Sort::Real,
            Arithmetic::Lia | Arithmetic::Idl | Arithmetic::Lira | Arithmetic::None => Sort::Int,
        }
    }

    /// A random literal.
    fn literal(&self, rng: &mut Rng, sort: Sort) -> Node {
        let size = if rng.chance(85) { self.largest.min(9) } else { self.largest };
        let n = random_below(rng, size);
        match sort {
            Sort::Int
            | Sort::Bool
            | Sort::Free(_)
            | Sort::Bits(_)
            | Sort::Array(_)
            | Sort::Data(_) => {
                Node::new(Ratio::int_text(n), Sort::Int, Some(Value::Number(Ratio::int(n))))
            }
            Sort::Real => {
                let d = if rng.chance(70) { 1 } else { i128::from(rng.range(2, 4)) };
                let value = Ratio::new(n, d).expect("small denominators");
                Node::new(self.real_text(rng, n, d), Sort::Real, Some(Value::Number(value)))
            }
        }
    }

    /// One of the spellings of `n / d`.
    pub fn real_text(&self, rng: &mut Rng, n: i128, d: i128) -> String {
        // Where Int exists as well, a bare numeral would be an Int.
        let point =
            if self.logic.arithmetic == Arithmetic::Lira || rng.chance(30) { ".0" } else { "" };
        let size = n.unsigned_abs();
        let body = match (d, rng.below(3)) {
            (1, _) => format!("{size}{point}"),
            (2, 0) => format!("{}.{}", size / 2, if size % 2 == 1 { "5" } else { "0" }),
            (4, 0) => format!("{}.{:02}", size / 4, size % 4 * 25),
            (_, 1) if n < 0 => return format!("(/ (- {size}{point}) {d}{point})"),
            (_, _) => format!("(/ {size}{point} {d}{point})"),
        };
        if n < 0 { format!("(- {body})") } else { body }
    }

    /// A random term of sort Int or Real.
    pub fn arithmetic(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        if depth == 0 || self.logic.arithmetic.is_difference() {
            let variable = if rng.chance(75) { self.unknown(rng, sort) } else { None };
            return variable.unwrap_or_else(|| self.literal(rng, sort));
        }
        let below = depth - 1;
        match (rng.below(20), sort) {
            (0..9, _) => self.sum(rng, sort),
            (9 | 10, _) => {
                let (a, b) = (self.arithmetic(rng, sort, below), self.arithmetic(rng, sort, below));
                let value =
                    a.number().zip(b.number()).and_then(|(a, b)| a.checked_add(b.checked_neg()?));
                Node::new(format!("(- {} {})", a.text, b.text), sort, value.map(Value::Number))
            }
            (11, _) => {
                let inner = self.arithmetic(rng, sort, below);
                scaled(&inner, &self.literal(rng, sort))
            }
            (12, _) => self.ite(rng, sort, below),
            (13, _) => self.bind(rng, sort, below),
            (14, _) => self.call(rng, sort).unwrap_or_else(|| self.arithmetic(rng, sort, below)),
            (_, Sort::Real) => self.real_operation(rng, below),
            (_, _) => self.integer_operation(rng, below),
        }
    }

    /// `c1·x1 + … + ck·xk + c`.
    fn sum(&mut self, rng: &mut Rng, sort: Sort) -> Node {
        let count = 1 + rng.below(3);
        let mut parts = Vec::new();
        for _ in 0..count {
            let leaf = self.arithmetic(rng, sort, 0);
            parts.push(if rng.chance(50) { scaled(&leaf, &self.literal(rng, sort)) } else { leaf });
        }
        if count == 1 || rng.chance(40) {
            parts.push(self.literal(rng, sort));
        }
        let value =
            parts.iter().try_fold(Ratio::int(0), |acc, node| acc.checked_add(node.number()?));
        Node::new(application("+", &parts), sort, value.map(Value::Number))
    }

    fn integer_operation(&mut self, rng: &mut Rng, depth: usize) -> Node {
        if self.logic.arithmetic == Arithmetic::Lira && rng.chance(30) {
            let inner = self.arithmetic(rng, Sort::Real, depth);
            let value = inner.number().map(|n| Value::Number(n.floor()));
            return Node::new(format!("(to_int {})", inner.text), Sort::Int, value);
        }
        let inner = self.arithmetic(rng, Sort::Int, depth);
        let n = inner.number().and_then(Ratio::to_int);
        let (text, value) = match rng.below(6) {
            0 => (format!("(abs {})", inner.text), n.and_then(i128::checked_abs)),
            1 => (format!("(- {})", inner.text), n.and_then(i128::checked_neg)),
            2 | 3 => {
                let by = divisor(rng);
                let value = n.and_then(|n| n.checked_rem_euclid(by));
                (format!("(mod {} {})", inner.text, Ratio::int_text(by)), value)
            }
            _ => {
                let by = divisor(rng);
                let value = n.and_then(|n| n.checked_div_euclid(by));
                (format!("(div {} {})", inner.text, Ratio::int_text(by)), value)
            }
        };
        Node::new(text, Sort::Int, value.map(|n| Value::Number(Ratio::int(n))))
    }

    fn real_operation(&mut self, rng: &mut Rng, depth: usize) -> Node {
        if self.logic.arithmetic == Arithmetic::Lira && rng.chance(50) {
            let inner = self.arithmetic(rng, Sort::Int, depth);
            return Node::new(format!("(to_real {})", inner.text), Sort::Real, inner.value);
        }
        let inner = self.arithmetic(rng, Sort::Real, depth);
        if rng.chance(50) {
            let value = inner.number().and_then(Ratio::checked_neg);
            return Node::new(format!("(- {})", inner.text), Sort::Real, value.map(Value::Number));
        }
        let by = i128::from(rng.range(1, 5)) * if rng.chance(30) { -1 } else { 1 };
        let value = inner.number().and_then(|n| n.checked_div(Ratio::int(by)));
        Node::new(
            format!("(/ {} {})", inner.text, self.real_text(rng, by, 1)),
            Sort::Real,
            value.map(Value::Number),
        )
    }
}

/// The text of a term whose sort does not depend on whether numerals are read as Int or as Real.
fn definite(node: &Node) -> String {
    match node.sort {
        Sort::Real => format!("(+ 0.0 {})", node.text),
        Sort::Bool | Sort::Int | Sort::Free(_) | Sort::Bits(_) | Sort::Array(_) | Sort::Data(_) => {
            node.text.clone()
        }
    }
}

/// A small divisor, sometimes negative.
fn divisor(rng: &mut Rng) -> i128 {
    let size = i128::from(if rng.chance(95) { rng.range(2, 5) } else { rng.range(1, 11) });
    if rng.chance(25) { -size } else { size }
}

/// A number between `-size` and `size`.
pub(crate) fn random_below(rng: &mut Rng, size: i128) -> i128 {
    let span = size.saturating_mul(2).saturating_add(1);
    let wide = (i128::from(rng.bits() >> 1) << 64) | i128::from(rng.bits());
    wide.rem_euclid(span) - size
}

/// `¬node`.
pub fn negate(node: &Node) -> Node {
    Node::new(format!("(not {})", node.text), Sort::Bool, node.truth().map(|b| Value::Bool(!b)))
}

fn scaled(node: &Node, factor: &Node) -> Node {
    let value = node.number().zip(factor.number()).and_then(|(a, b)| a.checked_mul(b));
    Node::new(format!("(* {} {})", factor.text, node.text), node.sort, value.map(Value::Number))
}

pub(crate) fn application(operator: &str, arguments: &[Node]) -> String {
    let texts: Vec<&str> = arguments.iter().map(|node| node.text.as_str()).collect();
    format!("({operator} {})", texts.join(" "))
}

/// The truth of a chained comparison, or of `distinct`.
fn compare_chain(operator: &str, nodes: &[Node]) -> Option<bool> {
    let numbers: Vec<Ratio> = nodes.iter().map(Node::number).collect::<Option<_>>()?;
    let holds = |a: Ratio, b: Ratio| -> Option<bool> {
        let order = a.compare(b)?;
        Some(match operator {
            "<" => order == Ordering::Less,
            "<=" => order != Ordering::Greater,
            ">" => order == Ordering::Greater,
            ">=" => order != Ordering::Less,
            "=" => order == Ordering::Equal,
            _ => order != Ordering::Equal,
        })
    };
    let mut all = true;
    for (i, &a) in numbers.iter().enumerate() {
        let partners = if operator == "distinct" {
            &numbers[i + 1..]
        } else {
            numbers.get(i + 1..i + 2).unwrap_or(&[])
        };
        for &b in partners {
            all &= holds(a, b)?;
        }
    }
    Some(all)
}
