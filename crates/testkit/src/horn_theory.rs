//! Random systems of Horn clauses over arrays, data types and bit-vectors.
//!
//! A system depends on the seed and its number only. Its [`Family`] goes round: random clauses, and
//! programs with random parts in the shapes that tools produce. Safe and unsafe ones come from the
//! same templates: bounds, properties and updates are drawn.

use shofar_base::Rng;

use crate::data;
use crate::formula::{Formulas, Variable};
use crate::horn::{HornCase, Shape};
use crate::horn_program;
use crate::logic::{Logic, Sort};

/// What a system is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Random clauses over random sorts.
    Random,
    /// Loops over arrays of integers.
    Arrays,
    /// Contracts: records of arrays as state, transactions as tuples, summaries of functions, an
    /// interface.
    Contract,
    /// A heap: an array of a variant.
    Heap,
    /// Recursive functions on lists as relations.
    Lists,
    /// The same on naturals.
    Naturals,
    /// Loops over bit-vectors.
    Words,
}

impl Family {
    /// All of them, in the order in which systems go round.
    pub const ALL: [Family; 8] = [
        Family::Random,
        Family::Arrays,
        Family::Contract,
        Family::Words,
        Family::Random,
        Family::Lists,
        Family::Heap,
        Family::Naturals,
    ];
}

/// Logics of random clauses, by frequency.
const LOGICS: [Logic; 6] =
    [Logic::ALIA, Logic::ALIA, Logic::DTLIA, Logic::BV, Logic::ABV, Logic::BVLIA];

/// The system with this number.
pub(crate) fn draw(seed: u64, number: u64) -> HornCase {
    let mut rng = Rng::new(seed ^ Rng::new(number).bits());
    let family = Family::ALL[usize::try_from(number % 8).expect("below eight")];
    let (shape, declarations, clauses) = match family {
        Family::Random => Clauses::new(&mut rng).system(),
        Family::Arrays => horn_program::array_loop(&mut rng),
        Family::Contract => horn_program::contract(&mut rng),
        Family::Heap => horn_program::heap(&mut rng),
        Family::Lists => horn_program::lists(&mut rng),
        Family::Naturals => horn_program::naturals(&mut rng),
        Family::Words => horn_program::words(&mut rng),
    };
    HornCase::of(shape, declarations, clauses)
}

/// Random clauses over the sorts that a logic offers.
struct Clauses<'r> {
    rng: &'r mut Rng,
    formulas: Formulas,
    types: Vec<String>,
    shape: Shape,
    preds: Vec<Vec<Sort>>,
}

impl<'r> Clauses<'r> {
    fn new(rng: &'r mut Rng) -> Self {
        let logic = *rng.pick(&LOGICS);
        let mut formulas = Formulas::new(rng, logic);
        formulas.keep_small();
        let mut types = formulas.declare_theory(rng);
        types.retain(|command| command.starts_with("(declare-datatype"));
        formulas.variables.clear();
        let shape = *rng.pick(&[Shape::Loop, Shape::Loop, Shape::Linear, Shape::Nonlinear]);
        let palette = formulas.sorts();
        let count = if shape == Shape::Loop { 1 } else { 2 + rng.below(2) };
        let sorts = |rng: &mut Rng| -> Vec<Sort> {
            (0..=rng.below(3)).map(|_| *rng.pick(&palette)).collect()
        };
        let shared = sorts(rng);
        let own = |rng: &mut Rng| if rng.chance(60) { shared.clone() } else { sorts(rng) };
        let preds = (0..count).map(|_| own(rng)).collect();
        Self { rng, formulas, types, shape, preds }
    }
    fn system(mut self) -> (Shape, Vec<String>, Vec<String>) {
        let count = self.preds.len();
        let mut clauses = vec![self.clause(&[], Some(0))];
        let heads: Vec<usize> = match self.shape {
            Shape::Loop | Shape::Acyclic => vec![0; 1 + self.rng.below(3)],
            Shape::Linear | Shape::Nonlinear => {
                let more = self.rng.below(3);
                (1..count).chain((0..more).map(|_| self.rng.below(count))).collect()
            }
        };
        for head in heads {
            let first =
                if head > 0 && self.rng.chance(70) { head - 1 } else { self.rng.below(count) };
            let mut premises = vec![first];
            if self.shape == Shape::Nonlinear && self.rng.chance(50) {
                premises.push(self.rng.below(count));
            }
            clauses.push(self.clause(&premises, Some(head)));
        }
        for _ in 0..=self.rng.below(2) {
            let last = if self.rng.chance(70) { count - 1 } else { self.rng.below(count) };
            clauses.push(self.clause(&[last], None));
        }
        let mut declarations = std::mem::take(&mut self.types);
        for (number, sorts) in self.preds.iter().enumerate() {
            let sorts: Vec<String> = sorts.iter().map(Sort::to_string).collect();
            declarations.push(format!("(declare-fun p{number} ({}) Bool)", sorts.join(" ")));
        }
        (self.shape, declarations, clauses)
    }
    fn clause(&mut self, premises: &[usize], head: Option<usize>) -> String {
        let mut body = Vec::new();
        self.formulas.bound.clear();
        for (number, &pred) in premises.iter().enumerate() {
            let sorts = self.preds[pred].clone();
            let names: Vec<String> = (0..)
                .zip(&sorts)
                .map(|(at, sort): (usize, &Sort)| self.variable(&format!("b{number}{at}"), *sort))
                .collect();
            body.push(apply(pred, &names));
        }
        if self.rng.chance(40) {
            let sort = *self.rng.pick(&self.formulas.sorts());
            self.variable("l", sort);
        }
        let guards = if head.is_none() { 1 + self.rng.below(2) } else { self.rng.below(3) };
        let mut constraints = Vec::new();
        for _ in 0..guards {
            let depth = self.rng.below(2);
            constraints.push(self.formulas.boolean(self.rng, depth).text);
        }
        let head = match head {
            None => "false".to_owned(),
            Some(pred) => self.head(pred, premises.is_empty(), &mut constraints),
        };
        body.extend(constraints);
        close(&self.formulas.bound, &body, &head)
    }
    fn variable(&mut self, name: &str, sort: Sort) -> String {
        self.formulas.bound.push(Variable { name: name.to_owned(), sort, value: None });
        name.to_owned()
    }
    fn head(&mut self, pred: usize, is_fact: bool, constraints: &mut Vec<String>) -> String {
        let mut names = Vec::new();
        for (at, sort) in self.preds[pred].clone().into_iter().enumerate() {
            let before = format!("b0{at}");
            let has_before = self.formulas.bound.iter().any(|v| v.name == before && v.sort == sort);
            let value = match self.rng.below(10) {
                0..3 if has_before => before,
                3..7 if has_before => self.step(&before, sort),
                _ => self.formulas.term(self.rng, sort, 1).text,
            };
            if self.rng.chance(if is_fact { 60 } else { 40 }) {
                names.push(value);
                continue;
            }
            constraints.push(format!("(= h{at} {value})"));
            names.push(format!("h{at}"));
        }
        // Names of the head come last, so that no term of the body is made of them.
        for (at, sort) in self.preds[pred].clone().into_iter().enumerate() {
            if names[at] == format!("h{at}") {
                self.variable(&format!("h{at}"), sort);
            }
        }
        apply(pred, &names)
    }
    /// A value, changed a little.
    fn step(&mut self, name: &str, sort: Sort) -> String {
        match sort {
            Sort::Bool => format!("(not {name})"),
            Sort::Int => format!("(+ {name} {})", 1 + self.rng.below(2)),
            Sort::Bits(width) => {
                let operator = *self.rng.pick(&["bvadd", "bvadd", "bvmul", "bvxor", "bvshl"]);
                format!("({operator} {name} (_ bv1 {width}))")
            }
            Sort::Array(_) => {
                let (index, element) = crate::arrays::parts(sort);
                let place = self.formulas.term(self.rng, index, 0).text;
                let content = self.formulas.term(self.rng, element, 0).text;
                format!("(store {name} {place} {content})")
            }
            Sort::Data(_) => self.wrapped(name, sort),
            Sort::Real | Sort::Free(_) => name.to_owned(),
        }
    }
    /// A constructor around a value, if the type is recursive.
    fn wrapped(&mut self, name: &str, sort: Sort) -> String {
        let recursive = data::of(sort)
            .constructors
            .iter()
            .find_map(|c| Some((c, c.fields.iter().position(|(_, field)| *field == sort)?)));
        let Some((constructor, place)) = recursive else { return name.to_owned() };
        let mut fields = Vec::new();
        for (at, (_, field)) in constructor.fields.iter().enumerate() {
            let text = if at == place {
                name.to_owned()
            } else {
                self.formulas.term(self.rng, *field, 0).text
            };
            fields.push(text);
        }
        data::construct(constructor, &fields)
    }
}

fn apply(pred: usize, args: &[String]) -> String {
    if args.is_empty() { format!("p{pred}") } else { format!("(p{pred} {})", args.join(" ")) }
}

/// The clause over these variables.
fn close(variables: &[Variable], body: &[String], head: &str) -> String {
    let body = match body {
        [] => "true".to_owned(),
        [one] => one.clone(),
        _ => format!("(and {})", body.join(" ")),
    };
    let text = format!("(=> {body} {head})");
    if variables.is_empty() {
        return text;
    }
    let binders: Vec<String> =
        variables.iter().map(|v| format!("({} {})", v.name, v.sort)).collect();
    format!("(forall ({}) {text})", binders.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexp::{free_symbols, parse_all, parse_one};

    #[test]
    fn systems_are_well_formed_texts_and_repeat() {
        for number in 0..400 {
            let script = draw(3, number).script();
            assert_eq!(script, draw(3, number).script());
            let commands = parse_all(&script.join("\n")).expect("the script is well-formed");
            assert_eq!(commands.len(), script.len());
        }
    }

    #[test]
    fn clauses_bind_their_variables() {
        for number in (0..400).step_by(4) {
            for command in draw(5, number).script() {
                let command = parse_one(&command).expect("one command");
                let [clause] = command.arguments() else { continue };
                let [binders, body] = clause.arguments() else { continue };
                let bound: Vec<&str> =
                    binders.list().unwrap_or(&[]).iter().filter_map(|b| b.head()).collect();
                let is_variable = |name: &String| {
                    name.starts_with(['b', 'h'])
                        && name[1..].starts_with(|c: char| c.is_ascii_digit())
                };
                for name in free_symbols(body).iter().filter(|name| is_variable(name)) {
                    assert!(bound.contains(&name.as_str()), "{name} in {command}");
                }
            }
        }
    }
}
