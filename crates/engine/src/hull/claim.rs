//! What can be said of all points of a set: values, equations, bounds, and remainders.
//!
//! Equations are a basis of all linear ones. Bounds and remainders are about single arguments, and
//! about sums and differences of two where there are not too many, as in octagons. They are also
//! about combinations that stay the same along the longest known path, since that is often so along
//! the others, too, with other values. If an argument is Boolean, the same is said of the points
//! where it is true, and of those where it is false.
//!
//! Source: [Kar76] for equations, [Min06] for bounds.

use shofar_num::{Rational, gcd, mod_euclid};
use shofar_term::eval::Value;
use shofar_term::{Sort, Term, TermStore};

use crate::orthogonal::{orthogonals, primitive};

/// Pairs of arguments are looked at if there are at most so many arguments.
const MOST_IN_PAIRS: usize = 8;
/// Points and pairs to be looked at; beyond that, only single arguments are.
const MOST_WORK: usize = 2_000_000;
/// More Boolean arguments than this are not distinguished by their values.
const MOST_GUARDS: usize = 4;

/// How many tiers of claims there are.
pub(super) const TIERS: usize = 8;

/// Values of arguments.
pub(crate) type Point = Vec<Value>;

/// A linear combination of arguments of one sort, given by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form(Vec<(usize, Rational)>);

impl Form {
    fn value(&self, point: &[Value]) -> Rational {
        let mut value = Rational::ZERO;
        for (at, coefficient) in &self.0 {
            if let Some(number) = point[*at].as_number() {
                value.add_mul(coefficient, number);
            }
        }
        value
    }
    fn term(&self, store: &mut TermStore, args: &[Term]) -> Term {
        let summands: Vec<Term> = self.0.iter().map(|(at, c)| store.scale(c, args[*at])).collect();
        store.add(&summands)
    }
}

/// What a claim says where its guard holds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fact {
    /// A Boolean argument has this value.
    Is(usize, bool),
    Equal(Form, Rational),
    AtMost(Form, Rational),
    /// The second number is the remainder by the first.
    Remainder(Form, Rational, Rational),
}

/// Something that is said of the arguments of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// A Boolean argument and the value for which the fact is claimed; none for all points.
    guard: Option<(usize, bool)>,
    fact: Fact,
}

impl Claim {
    /// How hard the claim is to read: the lower, the better.
    pub(crate) fn tier(&self) -> usize {
        let of_fact = match &self.fact {
            Fact::Is(..) | Fact::Equal(..) => 0,
            Fact::AtMost(form, _) if form.0.len() == 1 => 0,
            Fact::Remainder(form, ..) if form.0.len() == 1 => 1,
            Fact::AtMost(..) => 2,
            Fact::Remainder(..) => 3,
        };
        of_fact + if self.guard.is_some() { TIERS / 2 } else { 0 }
    }
    /// Whether the claim holds for `point`.
    pub(crate) fn holds(&self, point: &[Value]) -> bool {
        if self.guard.is_some_and(|(at, value)| point[at] != Value::Bool(value)) {
            return true;
        }
        match &self.fact {
            Fact::Is(at, value) => point[*at] == Value::Bool(*value),
            Fact::Equal(form, value) => form.value(point) == *value,
            Fact::AtMost(form, bound) => form.value(point) <= *bound,
            Fact::Remainder(form, modulus, remainder) => {
                mod_euclid(&form.value(point), modulus).as_ref() == Some(remainder)
            }
        }
    }
    /// Makes the claim hold for `point` by raising its bound to the next of `thresholds`, which are
    /// sorted; whether that is possible.
    pub(crate) fn widen(&mut self, point: &[Value], thresholds: &[Rational]) -> bool {
        let Fact::AtMost(form, bound) = &mut self.fact else { return false };
        let value = form.value(point);
        let next = thresholds.get(thresholds.partition_point(|t| *t < value));
        next.map(|next| *bound = next.clone()).is_some()
    }
    /// The claim with its bound raised to the next of `thresholds`, which are sorted; nothing if it
    /// has no bound, or is there already.
    pub(crate) fn moved_to(&self, thresholds: &[Rational]) -> Option<Self> {
        let Fact::AtMost(form, bound) = &self.fact else { return None };
        let next = thresholds.get(thresholds.partition_point(|t| *t < *bound))?;
        let fact = Fact::AtMost(form.clone(), next.clone());
        (next != bound).then_some(Self { guard: self.guard, fact })
    }
    /// What the claim says of `args`.
    pub(crate) fn term(&self, store: &mut TermStore, args: &[Term]) -> Term {
        let fact = match &self.fact {
            Fact::Is(at, value) => literal(store, args, *at, *value),
            Fact::Equal(form, value) => compared(store, form, args, value, TermStore::eq),
            Fact::AtMost(form, bound) => compared(store, form, args, bound, TermStore::le),
            Fact::Remainder(form, modulus, remainder) => {
                let form = form.term(store, args);
                let (is, should) =
                    (store.modulo(form, modulus), store.number(remainder.clone(), Sort::INT));
                store.eq(is, should)
            }
        };
        let Some((at, value)) = self.guard else { return fact };
        let guard = literal(store, args, at, value);
        store.implies(guard, fact)
    }
}

fn literal(store: &mut TermStore, args: &[Term], at: usize, value: bool) -> Term {
    if value { args[at] } else { store.not(args[at]) }
}

fn compared(
    store: &mut TermStore,
    form: &Form,
    args: &[Term],
    number: &Rational,
    relation: impl Fn(&mut TermStore, Term, Term) -> Term,
) -> Term {
    let form = form.term(store, args);
    let number = store.number(number.clone(), store.sort(form));
    relation(store, form, number)
}

/// What holds for all `points`, at least one, of a predicate with arguments of these sorts; what is
/// the least likely to be of use comes first. Bounds are also claimed of `further` combinations.
pub(crate) fn claims(sorts: &[Sort], points: &[Point], further: &[Form]) -> Vec<Claim> {
    let all: Vec<&Point> = points.iter().collect();
    let mut found = Vec::new();
    let booleans: Vec<usize> = (0..sorts.len()).filter(|&i| sorts[i] == Sort::BOOL).collect();
    let mut values = Vec::new();
    for &at in &booleans {
        let [yes, no] = [true, false].map(|value| -> Vec<&Point> {
            all.iter().copied().filter(|p| p[at] == Value::Bool(value)).collect()
        });
        if yes.is_empty() || no.is_empty() {
            values.push(Claim { guard: None, fact: Fact::Is(at, no.is_empty()) });
        } else if booleans.len() <= MOST_GUARDS {
            found.extend(facts(sorts, &yes, Some((at, true))));
            found.extend(facts(sorts, &no, Some((at, false))));
        }
    }
    for form in further {
        let ranges = ranges(&all, form, Sort::REAL).into_iter();
        found.extend(ranges.map(|fact| Claim { guard: None, fact }));
    }
    found.extend(facts(sorts, &all, None));
    found.extend(values);
    found
}

/// The combinations of at least two arguments that are the same in all `points` of a path.
pub(crate) fn constant_forms(sorts: &[Sort], points: &[Point]) -> Vec<Form> {
    let all: Vec<&Point> = points.iter().collect();
    let mut forms = Vec::new();
    for sort in [Sort::INT, Sort::REAL] {
        let columns: Vec<usize> = (0..sorts.len()).filter(|&i| sorts[i] == sort).collect();
        for fact in if all.is_empty() { Vec::new() } else { affine_hull(&all, &columns) } {
            if let Fact::Equal(form, _) = fact
                && form.0.len() > 1
            {
                forms.push(form);
            }
        }
    }
    forms
}

fn facts(sorts: &[Sort], points: &[&Point], guard: Option<(usize, bool)>) -> Vec<Claim> {
    let (mut pairs, mut singles, mut equations) = (Vec::new(), Vec::new(), Vec::new());
    for sort in [Sort::INT, Sort::REAL] {
        let columns: Vec<usize> = (0..sorts.len()).filter(|&i| sorts[i] == sort).collect();
        equations.extend(affine_hull(points, &columns));
        let count = columns.len();
        for &at in &columns {
            let form = Form(vec![(at, Rational::ONE)]);
            singles.extend(ranges(points, &form, sort));
        }
        if count > MOST_IN_PAIRS || points.len() * count * count > MOST_WORK {
            continue;
        }
        for (i, &first) in columns.iter().enumerate() {
            for &second in &columns[i + 1..] {
                for sign in [Rational::ONE, -Rational::ONE] {
                    let form = Form(vec![(first, Rational::ONE), (second, sign)]);
                    pairs.extend(ranges(points, &form, sort));
                }
            }
        }
    }
    let facts = pairs.into_iter().chain(singles).chain(equations);
    facts.map(|fact| Claim { guard, fact }).collect()
}

/// The bounds of `form`, and its remainder if that is always the same; nothing if it is constant,
/// which is an equation.
fn ranges(points: &[&Point], form: &Form, sort: Sort) -> Vec<Fact> {
    let first = form.value(points[0]);
    let (mut least, mut greatest, mut step) = (first.clone(), first.clone(), Rational::ZERO);
    for point in &points[1..] {
        let value = form.value(point);
        if sort.is_int() && !step.is_one() {
            step = gcd(&step, &(&value - &first));
        }
        if value < least {
            least = value;
        } else if value > greatest {
            greatest = value;
        }
    }
    if least == greatest {
        return Vec::new();
    }
    let opposite = Form(form.0.iter().map(|(at, c)| (*at, -c.clone())).collect());
    let mut facts = Vec::new();
    if sort.is_int()
        && step > Rational::ONE
        && let Some(remainder) = mod_euclid(&first, &step)
    {
        facts.push(Fact::Remainder(form.clone(), step, remainder));
    }
    facts.push(Fact::AtMost(opposite, -least));
    facts.push(Fact::AtMost(form.clone(), greatest));
    facts
}

/// The equations of the least affine space around the points, in these columns.
fn affine_hull(points: &[&Point], columns: &[usize]) -> Vec<Fact> {
    let mut directions: Vec<Vec<Rational>> = Vec::new();
    loop {
        let mut equations: Vec<(Form, Rational)> = Vec::new();
        for normal in orthogonals(directions.clone(), columns.len()) {
            let monomials =
                columns.iter().copied().zip(primitive(normal)).filter(|(_, c)| !c.is_zero());
            let form = Form(monomials.collect());
            let value = form.value(points[0]);
            equations.push((form, value));
        }
        let is_outside =
            |point: &&&Point| equations.iter().any(|(form, value)| form.value(point) != *value);
        // Each point outside adds a dimension, so there are not many.
        let Some(outside) = points.iter().find(is_outside) else {
            return equations.into_iter().map(|(form, value)| Fact::Equal(form, value)).collect();
        };
        let difference = |&at: &usize| match (outside[at].as_number(), points[0][at].as_number()) {
            (Some(there), Some(here)) => there - here,
            (None, _) | (_, None) => Rational::ZERO,
        };
        directions.push(columns.iter().map(difference).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_term::print::print;

    fn check(sorts: &[Sort], points: &[&[&str]], expected: &str) {
        let value = |text: &&str| match *text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            number => Value::Number(number.parse().expect("a number")),
        };
        let points: Vec<Point> = points.iter().map(|p| p.iter().map(value).collect()).collect();
        let mut store = TermStore::new();
        let named = sorts.iter().zip(["x", "y", "z"]);
        let args: Vec<Term> = named.map(|(&sort, name)| store.var(name, sort)).collect();
        let found = claims(sorts, &points, &[]);
        for claim in &found {
            assert!(points.iter().all(|p| claim.holds(p)), "{claim:?}");
        }
        let texts: Vec<String> = found
            .iter()
            .map(|claim| {
                let term = claim.term(&mut store, &args);
                print(&store, term)
            })
            .collect();
        assert_eq!(texts.join(" "), expected);
    }

    #[test]
    fn points_on_a_line() {
        check(
            &[Sort::INT; 2],
            &[&["0", "1"], &["4", "9"], &["8", "17"]],
            "(= (mod (+ x y) 12) 1) (>= (+ x y) 1) (<= (+ x y) 25) (= (mod (+ x (* 3 y)) 4) 3) \
             (>= (+ x 9) y) (< x y) (= (mod x 4) 0) (>= x 0) (<= x 8) (= (mod y 8) 1) (>= y 1) (<= y 17) \
             (= (+ (* 2 x) 1) y)",
        );
    }

    #[test]
    fn one_point_has_values_only() {
        check(&[Sort::REAL, Sort::BOOL], &[&["1/2", "false"]], "(= x (/ 1.0 2.0)) (not y)");
    }

    #[test]
    fn points_with_a_switch() {
        check(
            &[Sort::BOOL, Sort::INT],
            &[&["true", "3"], &["false", "0"], &["false", "1"]],
            "(or (= y 3) (not x)) (or x (>= y 0)) (or x (<= y 1)) (>= y 0) (<= y 3)",
        );
    }

    #[test]
    fn what_is_constant_on_a_path_has_bounds_elsewhere() {
        let point = |x: i64, y: i64| [x, y].map(|v| Value::Number(v.into())).to_vec();
        let sorts = [Sort::REAL; 2];
        let path = [point(1, 3), point(2, 6), point(3, 9)];
        let forms = constant_forms(&sorts, &path);
        assert_eq!(forms.len(), 1);
        let found = claims(&sorts, &[&path[..], &[point(1, 4)]].concat(), &forms);
        let is_inside = |p: &[Value]| found.iter().all(|claim| claim.holds(p));
        assert!(is_inside(&point(2, 7)) && !is_inside(&point(2, 5)));
    }

    #[test]
    fn bounds_are_raised_to_thresholds() {
        let point = |value: i64| vec![Value::Number(value.into())];
        let mut found = claims(&[Sort::INT], &[point(0), point(1), point(3)], &[]);
        let thresholds: Vec<Rational> = [-5, 2, 10].map(Rational::from).to_vec();
        let upper = found.last_mut().expect("an upper bound");
        assert!(!upper.holds(&point(4)) && upper.widen(&point(4), &thresholds));
        assert!(upper.holds(&point(10)) && !upper.holds(&point(11)));
        assert!(!upper.widen(&point(11), &thresholds));
    }
}
