//! Random systems of Horn clauses over Bool, Int and Real, safe and unsafe ones.
//!
//! A system depends on the seed and its number only. Its [`Shape`] goes round: one predicate with
//! loops, acyclic, linear with several predicates, nonlinear. Half of them keep every number within
//! a few values, so that they can be decided by exhaustion; the others count, with guards. The same
//! clause is written in several ways: terms as arguments or equations, negated existentials,
//! disjunctions, nested quantifiers.

use shofar_base::Rng;

use crate::horn_theory;
use crate::logic::Sort;

/// Which clauses a system has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One predicate: facts, steps, queries.
    Loop,
    /// Every predicate is derived from earlier ones only.
    Acyclic,
    /// Several predicates, one premise.
    Linear,
    /// Several predicates and premises.
    Nonlinear,
}

impl Shape {
    /// All of them, in the order in which systems go round.
    pub const ALL: [Shape; 4] = [Shape::Loop, Shape::Acyclic, Shape::Linear, Shape::Nonlinear];
}

/// A random system.
#[derive(Clone, Debug)]
pub struct HornCase {
    /// Which clauses it has.
    pub shape: Shape,
    declarations: Vec<String>,
    clauses: Vec<String>,
}

impl HornCase {
    /// The system with this number.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut rng = Rng::new(seed ^ Rng::new(number).bits());
        let shape = Shape::ALL[usize::try_from(number % 4).expect("below four")];
        Generator::new(&mut rng, shape).case()
    }
    /// The system with this number over arrays, data types and bit-vectors.
    pub fn with_theories(seed: u64, number: u64) -> Self {
        horn_theory::draw(seed, number)
    }
    pub(crate) fn of(shape: Shape, declarations: Vec<String>, clauses: Vec<String>) -> Self {
        Self { shape, declarations, clauses }
    }
    /// The commands: logic, declarations, assertions, the question.
    pub fn script(&self) -> Vec<String> {
        let logic = std::iter::once("(set-logic HORN)".to_owned());
        let clauses = self.clauses.iter().map(|clause| format!("(assert {clause})"));
        let question = std::iter::once("(check-sat)".to_owned());
        logic.chain(self.declarations.iter().cloned()).chain(clauses).chain(question).collect()
    }
}

/// A variable or a term in scope.
type Pool = Vec<(String, Sort)>;

/// A clause in the making.
#[derive(Default)]
struct Draft {
    variables: Pool,
    premises: Vec<String>,
    constraints: Vec<String>,
}

impl Draft {
    fn variable(&mut self, name: String, sort: Sort) -> String {
        self.variables.push((name.clone(), sort));
        name
    }
}

struct Generator<'r> {
    rng: &'r mut Rng,
    shape: Shape,
    /// The sorts in use, as often as they are likely.
    palette: Vec<Sort>,
    /// Numbers are kept between zero and this.
    limit: Option<i64>,
    /// The arguments of each predicate.
    preds: Vec<Vec<Sort>>,
}

impl<'r> Generator<'r> {
    fn new(rng: &'r mut Rng, shape: Shape) -> Self {
        let palette = match rng.below(8) {
            0..=2 => vec![Sort::Int],
            3 => vec![Sort::Real],
            4 => vec![Sort::Bool, Sort::Real],
            5 | 6 => vec![Sort::Int, Sort::Int, Sort::Bool],
            _ => vec![Sort::Int, Sort::Real, Sort::Bool],
        };
        let count = match shape {
            Shape::Loop => 1,
            Shape::Acyclic | Shape::Linear => 2 + rng.below(3),
            Shape::Nonlinear => 1 + rng.below(3),
        };
        let limit = rng.chance(50).then(|| rng.range(2, 9));
        let mut generator = Self { rng, shape, palette, limit, preds: Vec::new() };
        let shared = generator.sorts();
        for _ in 0..count {
            let own = if generator.rng.chance(50) { shared.clone() } else { generator.sorts() };
            generator.preds.push(own);
        }
        generator
    }
    fn sorts(&mut self) -> Vec<Sort> {
        let count = *self.rng.pick(&[0, 1, 1, 2, 2, 2, 3, 3, 3, 4]);
        (0..count).map(|_| *self.rng.pick(&self.palette)).collect()
    }
    fn case(mut self) -> HornCase {
        let mut clauses = Vec::new();
        let last = self.preds.len() - 1;
        for _ in 0..=self.rng.below(2) {
            let anywhere = self.shape != Shape::Acyclic && self.rng.chance(25);
            let head = if anywhere { self.rng.below(last + 1) } else { 0 };
            clauses.push(self.clause(&[], Some(head)));
        }
        for head in self.heads() {
            let premises = self.premises(head);
            clauses.push(self.clause(&premises, Some(head)));
        }
        for _ in 0..=self.rng.below(2) {
            let mut premises =
                vec![if self.rng.chance(60) { last } else { self.rng.below(last + 1) }];
            if matches!(self.shape, Shape::Nonlinear | Shape::Acyclic) && self.rng.chance(30) {
                premises.push(self.rng.below(last + 1));
            }
            if self.rng.chance(3) {
                premises.clear();
            }
            clauses.push(self.clause(&premises, None));
        }
        if self.rng.chance(30) {
            let turn = self.rng.below(clauses.len());
            clauses.rotate_left(turn);
        }
        let declarations = self.preds.iter().enumerate().map(|(i, sorts)| {
            let sorts: Vec<String> = sorts.iter().map(Sort::to_string).collect();
            format!("(declare-fun p{i} ({}) Bool)", sorts.join(" "))
        });
        HornCase { shape: self.shape, declarations: declarations.collect(), clauses }
    }
    /// The heads of the clauses with premises.
    fn heads(&mut self) -> Vec<usize> {
        let count = self.preds.len();
        match self.shape {
            Shape::Loop => vec![0; 1 + self.rng.below(4)],
            Shape::Acyclic => {
                let more = (1..count).filter(|_| self.rng.chance(40)).collect::<Vec<_>>();
                (1..count).chain(more).collect()
            }
            Shape::Linear | Shape::Nonlinear => {
                let more = 1 + self.rng.below(5);
                let random = (0..more).map(|_| self.rng.below(count)).collect::<Vec<_>>();
                (1..count).chain(random).collect()
            }
        }
    }
    fn premises(&mut self, head: usize) -> Vec<usize> {
        let (below, most) = match self.shape {
            Shape::Loop => (1, 1),
            Shape::Acyclic => (head, 2),
            Shape::Linear => (self.preds.len(), 1),
            Shape::Nonlinear => (self.preds.len(), 3),
        };
        let count = if most > 1 && self.rng.chance(60) { 1 + self.rng.below(most) } else { 1 };
        let mut premises: Vec<usize> = (0..count).map(|_| self.rng.below(below)).collect();
        if head > 0 && self.rng.chance(70) {
            premises[0] = head - 1;
        }
        premises
    }
    /// A clause with these premises and this head, closed.
    fn clause(&mut self, premises: &[usize], head: Option<usize>) -> String {
        let mut draft = Draft::default();
        for (number, &pred) in premises.iter().enumerate() {
            let mut args = Vec::new();
            for (at, sort) in self.preds[pred].clone().into_iter().enumerate() {
                let reuse = self.rng.chance(10);
                let arg = if reuse {
                    self.term(&draft.variables, sort)
                } else {
                    draft.variable(format!("b{number}{at}"), sort)
                };
                args.push(arg);
            }
            draft.premises.push(apply(pred, &args));
        }
        if self.rng.chance(20) {
            let sort = *self.rng.pick(&self.palette);
            let local = draft.variable("l".to_owned(), sort);
            self.bound(&mut draft, &local, sort);
        }
        let guards = match (head, premises.is_empty()) {
            (None, _) => 1 + self.rng.below(3),
            (Some(_), true) => self.rng.below(2),
            (Some(_), false) => self.rng.below(3),
        };
        for _ in 0..guards {
            let guard = self.guard(&draft.variables);
            draft.constraints.extend(guard);
        }
        let head = head.map(|pred| self.head(&mut draft, pred));
        self.close(&draft, head)
    }
    fn head(&mut self, draft: &mut Draft, pred: usize) -> String {
        let mut args = Vec::new();
        let pool = draft.variables.clone();
        for (at, sort) in self.preds[pred].clone().into_iter().enumerate() {
            let value = self.next_value(&pool, sort, at);
            if self.rng.chance(40) {
                self.bound(draft, &value, sort);
                args.push(value);
                continue;
            }
            let arg = draft.variable(format!("h{at}"), sort);
            if self.rng.chance(90) {
                draft.constraints.push(format!("(= {arg} {value})"));
            } else if sort != Sort::Bool {
                let relation = *self.rng.pick(&["<=", ">=", "<", ">"]);
                draft.constraints.push(format!("({relation} {arg} {value})"));
            }
            self.bound(draft, &arg, sort);
            args.push(arg);
        }
        apply(pred, &args)
    }
    /// What an argument of a head is: mostly the premise's argument at the same place, changed a
    /// little.
    fn next_value(&mut self, pool: &Pool, sort: Sort, at: usize) -> String {
        let same = pool.iter().find(|(name, s)| *s == sort && *name == format!("b0{at}"));
        match same {
            Some((name, _)) if self.rng.chance(75) => match sort {
                _ if self.rng.chance(25) => name.clone(),
                Sort::Bool => format!("(not {name})"),
                Sort::Int => format!("(+ {name} {})", number(self.rng.range(-2, 2))),
                Sort::Real => format!("(+ {name} {})", real(self.rng.range(-2, 2))),
                Sort::Free(_) | Sort::Bits(_) | Sort::Array(_) | Sort::Data(_) => name.clone(),
            },
            Some(_) | None => self.term(pool, sort),
        }
    }
    fn bound(&self, draft: &mut Draft, term: &str, sort: Sort) {
        let Some(limit) = self.limit else { return };
        match sort {
            Sort::Bool | Sort::Free(_) | Sort::Bits(_) | Sort::Array(_) | Sort::Data(_) => {}
            Sort::Int => draft.constraints.push(format!("(<= 0 {term} {limit})")),
            Sort::Real => {
                draft.constraints.push(format!("(and (<= 0.0 {term}) (<= {term} {limit}.0))"));
            }
        }
    }
    fn term(&mut self, pool: &Pool, sort: Sort) -> String {
        let same: Vec<&String> = pool.iter().filter(|(_, s)| *s == sort).map(|(n, _)| n).collect();
        let number_of = |sort| pool.iter().find(|(_, s)| *s == sort).map(|(name, _)| name);
        match sort {
            Sort::Real if self.rng.chance(8) => {
                if let Some(name) = number_of(Sort::Int) {
                    return format!("(to_real {name})");
                }
            }
            Sort::Int if self.rng.chance(8) => {
                if let Some(name) = number_of(Sort::Real) {
                    return format!("(to_int {name})");
                }
            }
            Sort::Bool
            | Sort::Int
            | Sort::Real
            | Sort::Free(_)
            | Sort::Bits(_)
            | Sort::Array(_)
            | Sort::Data(_) => {}
        }
        if same.is_empty() || self.rng.chance(20) {
            return match sort {
                Sort::Bool => if self.rng.chance(50) { "true" } else { "false" }.to_owned(),
                Sort::Int => number(self.rng.range(if self.limit.is_some() { 0 } else { -2 }, 3)),
                Sort::Real => real(self.rng.range(if self.limit.is_some() { 0 } else { -2 }, 4)),
                Sort::Free(_) | Sort::Bits(_) | Sort::Array(_) | Sort::Data(_) => {
                    unreachable!("these systems are over numbers and truth values")
                }
            };
        }
        let (base, other) = ((*self.rng.pick(&same)).clone(), (*self.rng.pick(&same)).clone());
        match sort {
            _ if self.rng.chance(40) => base,
            Sort::Free(_) | Sort::Bits(_) | Sort::Array(_) | Sort::Data(_) => base,
            Sort::Bool => match self.rng.below(4) {
                0 => format!("(not {base})"),
                1 => format!("(and {base} {other})"),
                2 => format!("(xor {base} {other})"),
                _ => self.guard(pool).unwrap_or(base),
            },
            Sort::Int => self.integer(pool, &base, &other),
            Sort::Real => match self.rng.below(4) {
                0 => format!("(+ {base} {})", real(self.rng.range(-3, 3))),
                1 => format!("(- {base} {other})"),
                2 => format!("(* {} {base})", real(self.rng.range(-1, 3))),
                _ => format!("(/ {base} 2.0)"),
            },
        }
    }
    fn integer(&mut self, pool: &Pool, base: &str, other: &str) -> String {
        match self.rng.below(10) {
            0..=3 => format!("(+ {base} {})", number(self.rng.range(-2, 3))),
            4 => format!("(- {base} {other})"),
            5 => format!("(+ {base} {other})"),
            6 => format!("(* {} {base})", number(self.rng.range(-2, 3))),
            7 => format!("(mod {base} {})", self.rng.range(2, 3)),
            8 => format!("(div {base} {})", self.rng.range(2, 3)),
            _ => match self.guard(pool) {
                Some(guard) => format!("(ite {guard} {base} {})", number(self.rng.range(-1, 2))),
                None => format!("(abs {base})"),
            },
        }
    }
    fn guard(&mut self, pool: &Pool) -> Option<String> {
        let one = self.atom(pool)?;
        let text = match self.rng.below(10) {
            0..=5 => one,
            6 => format!("(not {one})"),
            7 => format!("(or {one} {})", self.atom(pool)?),
            8 => format!("(and {one} {})", self.atom(pool)?),
            _ => format!("(= {one} {})", self.atom(pool)?),
        };
        Some(text)
    }
    fn atom(&mut self, pool: &Pool) -> Option<String> {
        if pool.is_empty() {
            return None;
        }
        let (name, sort) = self.rng.pick(pool).clone();
        if sort == Sort::Bool {
            return Some(name);
        }
        let same: Vec<&String> = pool.iter().filter(|(_, s)| *s == sort).map(|(n, _)| n).collect();
        let mut other = (*self.rng.pick(&same)).clone();
        if other == name || self.rng.chance(60) {
            let value = self.rng.range(-1, self.limit.map_or(9, |limit| limit + 1));
            other = if sort == Sort::Int { number(value) } else { real(value) };
        } else if self.rng.chance(30) {
            let value = self.rng.range(-2, 2);
            let value = if sort == Sort::Int { number(value) } else { real(value) };
            other = format!("(+ {other} {value})");
        }
        if sort == Sort::Int && self.rng.chance(12) {
            let by = self.rng.range(2, 3);
            return Some(format!("(= (mod {name} {by}) {})", self.rng.range(0, by - 1)));
        }
        let relation = *self.rng.pick(&["<", "<=", ">", ">=", "=", "distinct"]);
        if sort == Sort::Int && self.rng.chance(10) {
            let (a, b) = (number(self.rng.range(2, 3)), number(self.rng.range(-3, 3)));
            let further = *self.rng.pick(&same);
            return Some(format!("({relation} (+ (* {a} {name}) (* {b} {further})) {other})"));
        }
        Some(format!("({relation} {name} {other})"))
    }
    /// Writes the clause, in one of several ways.
    fn close(&mut self, draft: &Draft, head: Option<String>) -> String {
        let mut body = draft.premises.clone();
        body.extend(draft.constraints.iter().cloned());
        if self.rng.chance(10) {
            body.reverse();
        }
        let conjunction = match body.len() {
            0 => "true".to_owned(),
            1 => body[0].clone(),
            _ => format!("(and {})", body.join(" ")),
        };
        let binders: Vec<String> =
            draft.variables.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
        let bind = |quantifier: &str, binders: &[String], text: String| match binders {
            [] => text,
            _ => format!("({quantifier} ({}) {text})", binders.join(" ")),
        };
        let style = self.rng.below(10);
        let Some(head) = head else {
            if style < 2 {
                return format!("(not {})", bind("exists", &binders, conjunction));
            }
            return bind("forall", &binders, format!("(=> {conjunction} false)"));
        };
        match style {
            0 => {
                let literals: Vec<String> = body.iter().map(|b| format!("(not {b})")).collect();
                let text = if literals.is_empty() {
                    head
                } else {
                    format!("(or {} {head})", literals.join(" "))
                };
                bind("forall", &binders, text)
            }
            1 if binders.len() > 1 => {
                let (outer, inner) = binders.split_at(1);
                let text = bind("forall", inner, format!("(=> {conjunction} {head})"));
                bind("forall", outer, text)
            }
            _ => bind("forall", &binders, format!("(=> {conjunction} {head})")),
        }
    }
}

fn apply(pred: usize, args: &[String]) -> String {
    if args.is_empty() { format!("p{pred}") } else { format!("(p{pred} {})", args.join(" ")) }
}

fn number(value: i64) -> String {
    if value < 0 { format!("(- {})", value.abs()) } else { value.to_string() }
}

/// Half of `value`.
fn real(value: i64) -> String {
    let size = format!("{}.{}", value.abs() / 2, value.abs() % 2 * 5);
    if value < 0 { format!("(- {size})") } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexp::parse_all;

    #[test]
    fn systems_are_well_formed_texts_and_repeat() {
        for number in 0..400 {
            let script = HornCase::new(3, number).script();
            assert_eq!(script, HornCase::new(3, number).script());
            let commands = parse_all(&script.join("\n")).expect("the script is well-formed");
            assert_eq!(commands.len(), script.len());
        }
    }

    #[test]
    fn halves_are_decimals() {
        assert_eq!(
            (real(-3), real(4), number(-2)),
            ("(- 1.5)".into(), "2.0".into(), "(- 2)".into())
        );
    }
}
