//! What arrays, data types and bit-vectors have in common: which sorts a script uses, and terms
//! that lead from one to another.
//!
//! A script draws a few of the sorts that its logic has and everything they are made of. A term of
//! any sort may then be an element of an array, a field of a constructor or a conversion, so the
//! theories meet each other and arithmetic everywhere.

use shofar_base::Rng;

use crate::formula::{Formulas, Node, application};
use crate::logic::{Arithmetic, Logic, Sort, Theory};
use crate::value::Value;
use crate::{arrays, data};

/// Observations of compound terms are not nested deeper than this.
const DEEPEST: usize = 3;

/// A way to a term of some sort from a compound one.
enum Observation {
    Select(Sort),
    Field(Sort, usize, usize),
    ToInt,
    ToBits(u8),
}

/// Whether the logic has the sort with all its parts.
fn is_available(logic: Logic, sort: Sort) -> bool {
    let mut open = vec![sort];
    let mut seen: Vec<Sort> = Vec::new();
    while let Some(sort) = open.pop() {
        if seen.contains(&sort) {
            continue;
        }
        seen.push(sort);
        let is_there = match sort {
            Sort::Bool => true,
            Sort::Int => logic.arithmetic == Arithmetic::Lia,
            Sort::Real => false,
            // Sorts are declared where nothing else is there to make arrays of.
            Sort::Free(_) => logic == Logic::AX,
            Sort::Bits(_) => logic.theory.has_bits(),
            Sort::Array(_) => logic.theory.has_arrays(),
            Sort::Data(_) => logic.theory.has_data(),
        };
        if !is_there {
            return false;
        }
        open.extend(parts(sort));
    }
    true
}

/// The sorts that a sort is made of directly.
fn parts(sort: Sort) -> Vec<Sort> {
    match sort {
        Sort::Bool | Sort::Int | Sort::Real | Sort::Free(_) | Sort::Bits(_) => Vec::new(),
        Sort::Array(_) => {
            let (index, element) = arrays::parts(sort);
            vec![index, element]
        }
        Sort::Data(_) => data::field_sorts(sort).collect(),
    }
}

impl Formulas {
    /// Draws sorts of the theory, declares what has to be, and variables of them; returns the
    /// commands.
    pub fn declare_theory(&mut self, rng: &mut Rng) -> Vec<String> {
        let mut commands = Vec::new();
        if self.logic == Logic::AX {
            commands.extend(self.declare_sort(rng));
            commands.extend(self.declare_sort(rng));
        }
        self.draw_sorts(rng);
        let types: Vec<u8> = (0..).zip(data::TYPES).map(|(number, _)| number).collect();
        let used: Vec<u8> =
            types.into_iter().filter(|n| self.compound.contains(&Sort::Data(*n))).collect();
        commands.extend(data::declarations(rng, &used));
        for sort in self.compound.clone() {
            for _ in 0..=rng.below(3) {
                commands.push(self.declare(rng, sort));
            }
        }
        commands
    }
    /// Fills `compound` with sorts that the logic has, closed under parts.
    fn draw_sorts(&mut self, rng: &mut Rng) {
        let theory = self.logic.theory;
        let mut wanted: Vec<Sort> = Vec::new();
        if theory.has_bits() {
            let width = |rng: &mut Rng| Sort::Bits(1 + u8::try_from(rng.below(9)).expect("small"));
            let count = if theory == Theory::Bits { 1 + rng.below(3) } else { rng.below(2) };
            wanted.extend((0..count).map(|_| width(rng)));
        }
        let arrays = (0..).zip(arrays::SORTS).map(|(number, _)| Sort::Array(number));
        let types = (0..).zip(data::TYPES).map(|(number, _)| Sort::Data(number));
        for table in [arrays.collect::<Vec<_>>(), types.collect()] {
            let there: Vec<Sort> =
                table.into_iter().filter(|sort| is_available(self.logic, *sort)).collect();
            if there.is_empty() {
                continue;
            }
            let most = if theory == Theory::All { 2 } else { 3 };
            wanted.extend((0..=rng.below(most)).map(|_| *rng.pick(&there)));
        }
        let mut at = 0;
        while at < wanted.len() {
            for part in parts(wanted[at]) {
                if !wanted.contains(&part) {
                    wanted.push(part);
                }
            }
            at += 1;
        }
        let is_compound =
            |sort: &Sort| matches!(sort, Sort::Bits(_) | Sort::Array(_) | Sort::Data(_));
        wanted.retain(is_compound);
        wanted.sort();
        wanted.dedup();
        self.compound = wanted;
    }

    /// A part of a compound term: a variable or a literal, where depth is used up.
    pub(crate) fn component(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        if sort != Sort::Bool {
            return self.term(rng, sort, depth);
        }
        if self.nesting < 2 && rng.chance(15) {
            return self.boolean(rng, depth.min(1));
        }
        let variable = if rng.chance(75) { self.variable(rng, Sort::Bool) } else { None };
        variable.unwrap_or_else(|| {
            let truth = rng.chance(50);
            Node::new(truth.to_string(), Sort::Bool, Some(Value::Bool(truth)))
        })
    }

    /// A term of this sort that looks into a compound one, if there is a way and the term is not
    /// too deep already.
    pub(crate) fn observe(&mut self, rng: &mut Rng, sort: Sort) -> Option<Node> {
        if self.nesting >= DEEPEST {
            return None;
        }
        let mut ways = Vec::new();
        for &from in &self.compound {
            match from {
                Sort::Array(_) if arrays::parts(from).1 == sort => {
                    ways.push(Observation::Select(from));
                }
                Sort::Data(_) => {
                    for (number, constructor) in data::of(from).constructors.iter().enumerate() {
                        let fitting = constructor.fields.iter().enumerate();
                        let fitting = fitting.filter(|(_, (_, field))| *field == sort);
                        ways.extend(
                            fitting.map(|(place, _)| Observation::Field(from, number, place)),
                        );
                    }
                }
                Sort::Bool
                | Sort::Int
                | Sort::Real
                | Sort::Free(_)
                | Sort::Bits(_)
                | Sort::Array(_) => {}
            }
        }
        match sort {
            Sort::Int if self.converts_bits() => ways.push(Observation::ToInt),
            Sort::Bits(width) if self.converts_bits() => ways.push(Observation::ToBits(width)),
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::Free(_)
            | Sort::Bits(_)
            | Sort::Array(_)
            | Sort::Data(_) => {}
        }
        if ways.is_empty() {
            return None;
        }
        self.nesting += 1;
        let node = match *rng.pick(&ways) {
            Observation::Select(from) => self.select(rng, from),
            Observation::Field(from, number, place) => self.field(rng, from, number, place),
            Observation::ToInt => self.bits_to_int(rng),
            Observation::ToBits(width) => self.int_to_bits(rng, width),
        };
        self.nesting -= 1;
        Some(node)
    }

    /// An atom about compound terms, if there are any.
    pub(crate) fn theory_atom(&mut self, rng: &mut Rng) -> Option<Node> {
        let sorts: Vec<Sort> = self.compound.iter().chain(&self.free_sorts).copied().collect();
        if sorts.is_empty() {
            return None;
        }
        if rng.chance(15)
            && let Some(node) = self.observe(rng, Sort::Bool)
        {
            return Some(node);
        }
        let sort = *rng.pick(&sorts);
        // Conditions inside terms are atoms again: the deeper they are, the flatter.
        let nesting = self.nesting;
        self.nesting += 1;
        let depth = 3usize.saturating_sub(nesting).max(1);
        let node = self.theory_relation(rng, sort, depth);
        self.nesting = nesting;
        Some(node)
    }
    /// A test or a relation of terms of this sort, nested less than `depth`.
    fn theory_relation(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        match sort {
            Sort::Data(_) if rng.chance(40) => return self.test(rng, sort, depth),
            Sort::Bits(width) if rng.chance(60) => return self.bit_comparison(rng, width, depth),
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::Free(_)
            | Sort::Bits(_)
            | Sort::Array(_)
            | Sort::Data(_) => {}
        }
        let operator = if rng.chance(75) { "=" } else { "distinct" };
        let count = if rng.chance(88) { 2 } else { 3 };
        let nodes: Vec<Node> = (0..count)
            .map(|_| {
                let below = rng.below(depth);
                self.term(rng, sort, below)
            })
            .collect();
        let values: Option<Vec<Value>> = nodes.iter().map(|node| node.value.clone()).collect();
        let value = values.map(|values| Value::Bool(related(operator, &values)));
        Node::new(application(operator, &nodes), Sort::Bool, value)
    }
}

/// The truth of `=` or `distinct`.
fn related(operator: &str, values: &[Value]) -> bool {
    if operator == "=" {
        return values.windows(2).all(|pair| pair[0] == pair[1]);
    }
    values.iter().enumerate().all(|(i, value)| values[i + 1..].iter().all(|other| other != value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_fit_the_logic_and_come_with_their_parts() {
        for seed in 0..300 {
            let mut rng = Rng::new(seed);
            let logic = *rng.pick(&Logic::THEORIES);
            let mut formulas = Formulas::new(&mut rng, logic);
            formulas.declare_theory(&mut rng);
            assert!(!formulas.compound.is_empty(), "{}", logic.label());
            for &sort in &formulas.compound {
                assert!(is_available(logic, sort), "{sort} in {}", logic.label());
                let is_there = |part: &Sort| match part {
                    Sort::Bits(_) | Sort::Array(_) | Sort::Data(_) => {
                        formulas.compound.contains(part)
                    }
                    Sort::Bool | Sort::Int | Sort::Real | Sort::Free(_) => true,
                };
                assert!(parts(sort).iter().all(is_there), "{sort}");
            }
        }
    }
}
