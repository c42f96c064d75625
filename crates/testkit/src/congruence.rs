//! Contradictions planted with functions: whatever the functions are, the assertions have no model.
//!
//! | kind | why there is no model |
//! |---|---|
//! | chain | equal ends of a chain of equations have different images |
//! | diamond | the same, and each link of the chain holds by one of two paths |
//! | orbit | from `fᵃ(x) = x` and `fᵇ(x) = x` follows `fᵍ(x) = x` for the greatest common divisor `g` |
//! | ladder | two runs through the same functions from equal starts end differently |
//! | truth values | a function has at most two values over the truth values |
//! | sums | terms that arithmetic makes equal have different images |
//! | cases | a number between two bounds has another image than each number there is between them |
//!
//! The functions of a ladder occur in neighbouring rows only, so that they are local to one side of
//! most splits.

use shofar_base::Rng;

use crate::formula::Formulas;
use crate::logic::{Arithmetic, Sort};
use crate::planted::names;
use crate::ratio::Ratio;

/// Contradictions that need functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Congruence {
    /// Equations in a row.
    Chain,
    /// Equations in a row, each by one of two paths.
    Diamond,
    /// Powers of a function.
    Orbit,
    /// Two runs through the same functions.
    Ladder,
    /// Functions of truth values.
    Truths,
    /// Arguments that are equal by arithmetic.
    Sums,
    /// Finitely many arguments.
    Cases,
}

impl Congruence {
    /// A kind for this arithmetic.
    pub(crate) fn choose(rng: &mut Rng, arithmetic: Arithmetic) -> Self {
        const FREE: [Congruence; 6] = [
            Congruence::Chain,
            Congruence::Chain,
            Congruence::Diamond,
            Congruence::Orbit,
            Congruence::Ladder,
            Congruence::Truths,
        ];
        const REALS: [Congruence; 3] = [Congruence::Sums, Congruence::Sums, Congruence::Ladder];
        const INTEGERS: [Congruence; 3] = [Congruence::Sums, Congruence::Cases, Congruence::Cases];
        let with_numbers: &[Congruence] = match arithmetic {
            Arithmetic::None => &FREE,
            Arithmetic::Lra | Arithmetic::Rdl => &REALS,
            Arithmetic::Lia | Arithmetic::Lira | Arithmetic::Idl => &INTEGERS,
        };
        if rng.chance(50) { *rng.pick(&FREE) } else { *rng.pick(with_numbers) }
    }

    /// Assertions (as terms) that are contradictory; what they need is declared.
    pub(crate) fn plant(
        self,
        rng: &mut Rng,
        formulas: &mut Formulas,
        declarations: &mut Vec<String>,
    ) -> Vec<String> {
        let sort = carrier(rng, formulas, declarations);
        let mut planter = Planter { rng, formulas, declarations, sort };
        match self {
            Congruence::Chain => planter.chain(),
            Congruence::Diamond => planter.diamond(),
            Congruence::Orbit => planter.orbit(),
            Congruence::Ladder => planter.ladder(),
            Congruence::Truths => planter.truths(),
            Congruence::Sums => planter.sums(),
            Congruence::Cases => planter.cases(),
        }
    }
}

/// A sort with equations: declared, or numbers.
fn carrier(rng: &mut Rng, formulas: &mut Formulas, declarations: &mut Vec<String>) -> Sort {
    let numbers = formulas.logic.number_sorts();
    if formulas.free_sorts.is_empty() && numbers.is_empty() {
        declarations.extend(formulas.declare_sort(rng));
    }
    let sorts: Vec<Sort> = numbers.iter().chain(&formulas.free_sorts).copied().collect();
    *rng.pick(&sorts)
}

/// What is needed to write the rows.
struct Planter<'a> {
    rng: &'a mut Rng,
    formulas: &'a mut Formulas,
    declarations: &'a mut Vec<String>,
    /// The sort that equations are about.
    sort: Sort,
}

impl Planter<'_> {
    fn names(&mut self, sort: Sort, count: usize) -> Vec<String> {
        names(self.rng, self.formulas, sort, count, self.declarations)
    }
    fn fresh_function(&mut self, parameters: Vec<Sort>, result: Sort) -> String {
        let command = self.formulas.declare_function(self.rng, parameters, result);
        self.declarations.push(command);
        self.formulas.functions.last().expect("just declared").name.clone()
    }
    /// A function of this signature, declared before or now.
    fn function(&mut self, parameters: &[Sort], result: Sort) -> String {
        let known = self
            .formulas
            .functions
            .iter()
            .find(|f| f.parameters == parameters && f.result == result)
            .map(|f| f.name.clone());
        match known {
            Some(name) if self.rng.chance(70) => name,
            Some(_) | None => self.fresh_function(parameters.to_vec(), result),
        }
    }
    /// `a = b` in one of its spellings.
    fn equal(&mut self, a: &str, b: &str) -> String {
        let is_number = !self.sort.is_free();
        let by_differences = self.formulas.logic.arithmetic.is_difference();
        match self.rng.below(5) {
            0 if is_number => format!("(and (<= {a} {b}) (>= {a} {b}))"),
            1 if is_number && !by_differences => format!("(= (+ {a} {b}) (+ {b} {b}))"),
            2 => format!("(not (distinct {a} {b}))"),
            3 => format!("(= {b} {a})"),
            _ => format!("(= {a} {b})"),
        }
    }
    /// Two terms with equal values are said to have different images, or to differ themselves.
    fn differ(&mut self, a: &str, b: &str) -> Vec<String> {
        let sort = self.sort;
        let (mut a, mut b) = (a.to_owned(), b.to_owned());
        for _ in 0..self.rng.below(3) {
            let (function, wide) = if self.rng.chance(70) {
                (self.function(&[sort], sort), None)
            } else {
                let other = self.names(sort, 1).remove(0);
                (self.function(&[sort, sort], sort), Some(other))
            };
            let apply = |x: &str| match &wide {
                Some(other) => format!("({function} {x} {other})"),
                None => format!("({function} {x})"),
            };
            (a, b) = (apply(&a), apply(&b));
        }
        match self.rng.below(4) {
            0 => {
                let predicate = self.function(&[sort], Sort::Bool);
                vec![format!("({predicate} {a})"), format!("(not ({predicate} {b}))")]
            }
            1 if !sort.is_free() => vec![format!("(< {a} {b})")],
            2 => vec![format!("(not (= {b} {a}))")],
            _ => vec![format!("(distinct {a} {b})")],
        }
    }

    fn chain(&mut self) -> Vec<String> {
        let length = 2 + self.rng.below(4);
        let names = self.names(self.sort, length);
        let mut rows: Vec<String> =
            (1..length).map(|i| self.equal(&names[i - 1], &names[i])).collect();
        rows.extend(self.differ(&names[0], &names[length - 1]));
        rows
    }
    fn diamond(&mut self) -> Vec<String> {
        let links = 1 + self.rng.below(3);
        let names = self.names(self.sort, 3 * links + 1);
        let mut rows = Vec::new();
        for link in 0..links {
            let path = |middle: usize| {
                let (a, m, b) = (&names[3 * link], &names[3 * link + middle], &names[3 * link + 3]);
                format!("(and (= {a} {m}) (= {m} {b}))")
            };
            rows.push(format!("(or {} {})", path(1), path(2)));
        }
        rows.extend(self.differ(&names[0], &names[3 * links]));
        rows
    }
    fn orbit(&mut self) -> Vec<String> {
        let function = self.function(&[self.sort], self.sort);
        let name = self.names(self.sort, 1).remove(0);
        let power = |times: usize| {
            let open = format!("({function} ").repeat(times);
            format!("{open}{name}{}", ")".repeat(times))
        };
        let (a, b) = (1 + self.rng.below(6), 1 + self.rng.below(6));
        let (mut g, mut rest) = (a, b);
        while rest != 0 {
            (g, rest) = (rest, g % rest);
        }
        let rows = [self.equal(&power(a), &name), self.equal(&name, &power(b))];
        let times = g * (1 + self.rng.below(2));
        let differ = format!("(not (= {} {name}))", power(times));
        rows.into_iter().chain([differ]).collect()
    }
    fn ladder(&mut self) -> Vec<String> {
        let rungs = 1 + self.rng.below(4);
        let names = self.names(self.sort, 2 * (rungs + 1));
        let (left, right) = names.split_at(rungs + 1);
        let mut rows = vec![self.equal(&left[0], &right[0])];
        for rung in 0..rungs {
            let function = self.fresh_function(vec![self.sort], self.sort);
            for side in [left, right] {
                let image = format!("({function} {})", side[rung]);
                rows.push(self.equal(&side[rung + 1], &image));
            }
        }
        rows.push(format!("(distinct {} {})", left[rungs], right[rungs]));
        rows
    }
    fn truths(&mut self) -> Vec<String> {
        if self.rng.chance(30) {
            let function = self.function(&[Sort::Bool], Sort::Bool);
            let name = self.names(Sort::Bool, 1).remove(0);
            return vec![format!(
                "(xor ({function} ({function} ({function} {name}))) ({function} {name}))"
            )];
        }
        let function = self.function(&[Sort::Bool], self.sort);
        let names = self.names(Sort::Bool, 3);
        let image = |i: usize| format!("({function} {})", names[i]);
        if self.rng.chance(50) {
            return vec![format!("(distinct {} {} {})", image(0), image(1), image(2))];
        }
        let pairs = [(0, 1), (1, 2), (2, 0)];
        pairs.iter().map(|&(i, j)| format!("(not (= {} {}))", image(i), image(j))).collect()
    }

    /// A number sort of the logic; there is one.
    fn number_sort(&mut self) -> Sort {
        *self.rng.pick(self.formulas.logic.number_sorts())
    }
    fn number(&mut self, n: i128, sort: Sort) -> String {
        if sort == Sort::Real {
            self.formulas.real_text(self.rng, n, 1)
        } else {
            Ratio::int_text(n)
        }
    }
    fn sums(&mut self) -> Vec<String> {
        let sort = self.number_sort();
        self.sort = sort;
        let names = self.names(sort, 2);
        let (x, y) = (&names[0], &names[1]);
        let gap = i128::from(self.rng.range(-3, 3));
        let text = self.number(gap, sort);
        let mut rows = if self.rng.chance(50) {
            vec![format!("(= (- {y} {x}) {text})")]
        } else {
            vec![format!("(<= (- {y} {x}) {text})"), format!("(>= (- {y} {x}) {text})")]
        };
        rows.extend(self.differ(&format!("(+ {x} {text})"), y));
        rows
    }
    fn cases(&mut self) -> Vec<String> {
        let result = self.sort;
        let function = self.function(&[Sort::Int], result);
        let name = self.names(Sort::Int, 1).remove(0);
        let (low, width) = (i128::from(self.rng.range(-2, 2)), 1 + self.rng.below(3));
        let points: Vec<String> =
            (0..width).map(|k| Ratio::int_text(low + i128::try_from(k).unwrap_or(0))).collect();
        let mut rows = vec![
            format!("(<= {} {name})", points[0]),
            format!("(>= {} {name})", points[width - 1]),
        ];
        for point in &points {
            rows.push(format!("(not (= ({function} {name}) ({function} {point})))"));
        }
        rows
    }
}
