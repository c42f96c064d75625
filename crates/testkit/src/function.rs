//! Declared sorts and functions, and random terms made with them.
//!
//! A planted model interprets a function by hashing: the value of an application is drawn by a
//! generator whose seed is made of the function's salt and the values of the arguments. So a
//! function has a value everywhere, equal arguments give equal values, and an application carries
//! its value like every other [`Node`].
//!
//! Invariant: a declared sort has a constant, and no `let` hides it behind another sort; there are
//! no literals to fall back on.

use shofar_base::Rng;

use crate::formula::{Formulas, Node, Value, application, negate};
use crate::logic::{Arithmetic, Sort, Theory};

/// Applications are not nested deeper than this, but for planted ones.
const DEEPEST: usize = 3;

/// A declared function with at least one argument.
#[derive(Clone, Debug)]
pub struct Function {
    /// As printed, with bars if it needs them.
    pub name: String,
    /// The sorts of its arguments.
    pub parameters: Vec<Sort>,
    /// The sort of its applications.
    pub result: Sort,
    salt: u64,
}

impl Function {
    /// Its value for these arguments in the planted model.
    pub fn value(&self, arguments: &[Value]) -> Value {
        let seed = arguments.iter().fold(self.salt, |seed, argument| {
            let text = argument.key();
            text.bytes()
                .fold(Rng::new(seed).bits(), |seed, byte| Rng::new(seed ^ u64::from(byte)).bits())
        });
        Value::random(&mut Rng::new(seed), self.result)
    }
    /// The same symbol in another model.
    pub fn reinterpreted(&self, rng: &mut Rng) -> Self {
        Self { salt: rng.bits(), ..self.clone() }
    }
    /// The command that declares it.
    fn declaration(&self) -> String {
        let parameters: Vec<String> = self.parameters.iter().map(Sort::to_string).collect();
        format!("(declare-fun {} ({}) {})", self.name, parameters.join(" "), self.result)
    }
}

/// How many symbols were in scope, to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    variables: usize,
    functions: usize,
    free_sorts: usize,
}

impl Formulas {
    /// The symbols in scope.
    pub fn mark(&self) -> Mark {
        Mark {
            variables: self.variables.len(),
            functions: self.functions.len(),
            free_sorts: self.free_sorts.len(),
        }
    }
    /// Forgets the symbols declared since the mark was made.
    pub fn release(&mut self, mark: Mark) {
        self.variables.truncate(mark.variables);
        self.functions.truncate(mark.functions);
        self.free_sorts.truncate(mark.free_sorts);
    }

    /// The sorts of the logic and of the script.
    pub fn sorts(&self) -> Vec<Sort> {
        [self.logic.sorts(), &self.free_sorts, &self.compound].concat()
    }
    /// Declares a sort and constants of it; returns the commands.
    pub fn declare_sort(&mut self, rng: &mut Rng) -> Vec<String> {
        let number = u8::try_from(self.free_sorts.len()).expect("few sorts are declared");
        let sort = Sort::Free(number);
        self.free_sorts.push(sort);
        let mut commands = vec![format!("(declare-sort {sort} 0)")];
        for _ in 0..2 + rng.below(3) {
            commands.push(self.declare(rng, sort));
        }
        commands
    }
    /// Declares a function with a random signature; returns the command.
    pub fn declare_random_function(&mut self, rng: &mut Rng) -> String {
        let arity = *rng.pick(&[1, 1, 1, 2, 2, 3]);
        let parameters = (0..arity).map(|_| self.signature_sort(rng)).collect();
        let result = self.signature_sort(rng);
        self.declare_function(rng, parameters, result)
    }
    /// Declares a function; returns the command.
    pub fn declare_function(
        &mut self,
        rng: &mut Rng,
        parameters: Vec<Sort>,
        result: Sort,
    ) -> String {
        let plain = format!("g{}", self.functions.len());
        let name = if rng.chance(8) { format!("|{plain} '|") } else { plain };
        let function = Function { name, parameters, result, salt: rng.bits() };
        let command = function.declaration();
        self.functions.push(function);
        command
    }
    /// A sort for an argument or a result; truth values are the rarest.
    fn signature_sort(&self, rng: &mut Rng) -> Sort {
        let numbers = self.logic.number_sorts();
        let others: Vec<Sort> =
            numbers.iter().chain(&self.free_sorts).chain(&self.compound).copied().collect();
        if others.is_empty() || rng.chance(20) { Sort::Bool } else { *rng.pick(&others) }
    }

    /// An application of a declared function, if there is one of this sort and the term is not too
    /// deep already.
    pub fn apply(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Option<Node> {
        if self.nesting >= DEEPEST {
            return None;
        }
        let fitting: Vec<usize> =
            (0..self.functions.len()).filter(|&i| self.functions[i].result == sort).collect();
        if fitting.is_empty() {
            return None;
        }
        let function = self.functions[*rng.pick(&fitting)].clone();
        // Solvers expand the definitions of a model, so terms that are deep and wide are too large
        // for the judge.
        let nesting = self.nesting;
        self.nesting += if function.parameters.len() > 2 { 2 } else { 1 };
        let arguments: Vec<Node> =
            function.parameters.iter().map(|&sort| self.argument(rng, sort, depth)).collect();
        self.nesting = nesting;
        let values: Option<Vec<Value>> = arguments.iter().map(|node| node.value.clone()).collect();
        let value = values.map(|values| function.value(&values));
        Some(Node::new(application(&function.name, &arguments), sort, value))
    }
    /// An argument of a declared function; formulas are small here.
    fn argument(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        let depth = depth.min(DEEPEST.saturating_sub(self.nesting));
        if sort != Sort::Bool {
            return self.term(rng, sort, depth.saturating_sub(1));
        }
        if self.nesting < 2 && rng.chance(40) {
            return self.boolean(rng, depth.min(1));
        }
        let variable = if rng.chance(70) { self.variable(rng, Sort::Bool) } else { None };
        variable.unwrap_or_else(|| {
            let truth = rng.chance(50);
            Node::new(truth.to_string(), Sort::Bool, Some(Value::Bool(truth)))
        })
    }
    /// A variable, or an application where there are functions.
    pub(crate) fn unknown(&mut self, rng: &mut Rng, sort: Sort) -> Option<Node> {
        if self.logic.has_functions
            && rng.chance(40)
            && let Some(node) = self.apply(rng, sort, 1)
        {
            return Some(node);
        }
        if self.logic.theory != Theory::None
            && rng.chance(35)
            && let Some(node) = self.observe(rng, sort)
        {
            return Some(node);
        }
        self.variable(rng, sort)
    }

    /// A random term of a declared sort, nested about `depth` deep.
    pub fn element(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        if depth == 0 {
            return self.unknown(rng, sort).expect("a declared sort has a visible constant");
        }
        let below = depth - 1;
        let node = match rng.below(10) {
            0..6 => self.apply(rng, sort, depth),
            6 => Some(self.ite(rng, sort, below)),
            7 => Some(self.bind(rng, sort, below)),
            8 => self.call(rng, sort),
            _ => None,
        };
        node.unwrap_or_else(|| self.element(rng, sort, 0))
    }

    /// A predicate, or an equality over a declared sort.
    pub(crate) fn free_atom(&mut self, rng: &mut Rng) -> Option<Node> {
        if self.free_sorts.is_empty() || rng.chance(35) {
            let depth = rng.below(3);
            let node = self.apply(rng, Sort::Bool, depth);
            if node.is_some() || self.free_sorts.is_empty() {
                return node;
            }
        }
        let sort = *rng.pick(&self.free_sorts);
        let operator = if rng.chance(70) { "=" } else { "distinct" };
        let count = if rng.chance(85) { 2 } else { 3 };
        let nodes: Vec<Node> = (0..count)
            .map(|_| {
                let depth = rng.below(3);
                self.element(rng, sort, depth)
            })
            .collect();
        let values: Option<Vec<Value>> = nodes.iter().map(|node| node.value.clone()).collect();
        let value = values.map(|values| {
            let same = |i: usize, j: usize| values[i] == values[j];
            Value::Bool(if operator == "=" {
                (1..count).all(|i| same(i - 1, i))
            } else {
                (1..count).all(|i| (0..i).all(|j| !same(i, j)))
            })
        });
        Some(Node::new(application(operator, &nodes), Sort::Bool, value))
    }

    /// A short clause over flat terms: many of them over few symbols are often contradictory, and
    /// not at first sight.
    pub fn flat_clause(&mut self, rng: &mut Rng) -> Node {
        let count = *rng.pick(&[1, 1, 1, 1, 2, 2, 3]);
        let nesting = std::mem::replace(&mut self.nesting, DEEPEST - 1);
        let literals: Vec<Node> = (0..count).map(|_| self.flat_literal(rng)).collect();
        self.nesting = nesting;
        if let [literal] = literals.as_slice() {
            return literal.clone();
        }
        let truths: Option<Vec<bool>> = literals.iter().map(Node::truth).collect();
        let value = truths.map(|truths| Value::Bool(truths.contains(&true)));
        Node::new(application("or", &literals), Sort::Bool, value)
    }
    fn flat_literal(&mut self, rng: &mut Rng) -> Node {
        let sorts: Vec<Sort> = self.flat_sorts();
        let predicate = if rng.chance(15) { self.apply(rng, Sort::Bool, 0) } else { None };
        let atom = predicate.unwrap_or_else(|| {
            let sort = *rng.pick(&sorts);
            let (a, b) = (self.term(rng, sort, 0), self.term(rng, sort, 0));
            let value = a.value.zip(b.value).map(|(a, b)| Value::Bool(a == b));
            Node::new(format!("(= {} {})", a.text, b.text), Sort::Bool, value)
        });
        if rng.chance(40) { negate(&atom) } else { atom }
    }

    /// Sorts for equations between small terms.
    fn flat_sorts(&self) -> Vec<Sort> {
        let numbers = self.logic.number_sorts();
        numbers.iter().chain(&self.free_sorts).chain(&self.compound).copied().collect()
    }

    /// What a script in a logic with functions declares at its beginning.
    pub fn declare_signature(&mut self, rng: &mut Rng) -> Vec<String> {
        let sorts = match self.logic.arithmetic {
            Arithmetic::None => 1 + usize::from(rng.chance(40)),
            Arithmetic::Lra
            | Arithmetic::Lia
            | Arithmetic::Lira
            | Arithmetic::Rdl
            | Arithmetic::Idl => usize::from(rng.chance(40)),
        };
        let mut commands = Vec::new();
        for _ in 0..sorts {
            commands.extend(self.declare_sort(rng));
        }
        for _ in 0..=rng.below(4) {
            commands.push(self.declare_random_function(rng));
        }
        commands
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::Logic;

    #[test]
    fn equal_arguments_have_equal_values() {
        let mut rng = Rng::new(3);
        let mut formulas = Formulas::new(&mut rng, Logic::UFLIA);
        formulas.declare_function(&mut rng, vec![Sort::Int, Sort::Bool], Sort::Real);
        let function = &formulas.functions[0];
        let points: Vec<Vec<Value>> = (0..40)
            .map(|_| vec![Value::random(&mut rng, Sort::Int), Value::random(&mut rng, Sort::Bool)])
            .collect();
        let values: Vec<Value> = points.iter().map(|point| function.value(point)).collect();
        for (point, value) in points.iter().zip(&values) {
            assert_eq!(function.value(point), *value);
        }
        assert!(values.iter().any(|value| *value != values[0]), "the function is not constant");
        let other = function.reinterpreted(&mut rng);
        assert!(points.iter().any(|point| other.value(point) != function.value(point)));
    }

    #[test]
    fn scopes_forget_what_they_declare() {
        let mut rng = Rng::new(4);
        let mut formulas = Formulas::new(&mut rng, Logic::UF);
        formulas.declare_signature(&mut rng);
        let (mark, sorts) = (formulas.mark(), formulas.free_sorts.len());
        let commands = formulas.declare_sort(&mut rng);
        assert_eq!(
            commands[0],
            format!("(declare-sort {} 0)", Sort::Free(sorts.try_into().unwrap()))
        );
        formulas.declare_random_function(&mut rng);
        formulas.release(mark);
        assert_eq!(formulas.free_sorts.len(), sorts);
    }
}
