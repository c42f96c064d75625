//! The values that generated terms carry, and the contradictions that are planted, against a plain
//! evaluator of the text.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use shofar_base::Rng;
use shofar_testkit::formula::{Formulas, Value};
use shofar_testkit::function::Function;
use shofar_testkit::logic::{Logic, Sort};
use shofar_testkit::planted::Contradiction;
use shofar_testkit::ratio::Ratio;
use shofar_testkit::sexp::{Sexp, parse_one, symbol_name};

/// What the symbols in scope stand for.
#[derive(Clone, Debug)]
struct Environment {
    values: BTreeMap<String, Value>,
    functions: BTreeMap<String, Function>,
}

/// The value of a term; `None` where a number does not fit.
fn evaluate(term: &Sexp, environment: &Environment) -> Option<Value> {
    let (head, arguments) = match term {
        Sexp::Atom(text) => return leaf(text, environment),
        Sexp::List(items) => (&items[0], &items[1..]),
    };
    let Some(operator) = head.atom() else {
        let by = head.arguments()[1].atom()?.parse().ok()?;
        let n = number(&arguments[0], environment)?.to_int()?;
        return Some(Value::Bool(n.rem_euclid(by) == 0));
    };
    if let Some(function) = environment.functions.get(symbol_name(operator)) {
        let values: Option<Vec<Value>> =
            arguments.iter().map(|argument| evaluate(argument, environment)).collect();
        return values.map(|values| function.value(&values));
    }
    match operator {
        "let" => {
            let mut inner = environment.clone();
            for binding in arguments[0].list()? {
                let name = symbol_name(binding.head()?).to_owned();
                inner.values.insert(name, evaluate(&binding.arguments()[0], environment)?);
            }
            evaluate(&arguments[1], &inner)
        }
        "ite" => {
            let branch = if truth(&arguments[0], environment)? { 1 } else { 2 };
            evaluate(&arguments[branch], environment)
        }
        "not" | "and" | "or" | "=>" | "xor" => connective(operator, arguments, environment),
        "=" | "distinct" | "<" | "<=" | ">" | ">=" => comparison(operator, arguments, environment),
        "is_int" => Some(Value::Bool(number(&arguments[0], environment)?.is_integer())),
        _ => arithmetic(operator, arguments, environment).map(Value::Number),
    }
}

fn leaf(text: &str, environment: &Environment) -> Option<Value> {
    match text {
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        _ => {}
    }
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return environment.values.get(symbol_name(text)).cloned();
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
    let scale = 10i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    Ratio::new(digits, scale).map(Value::Number)
}

fn truth(term: &Sexp, environment: &Environment) -> Option<bool> {
    match evaluate(term, environment) {
        Some(Value::Bool(b)) => Some(b),
        Some(_) | None => None,
    }
}

fn number(term: &Sexp, environment: &Environment) -> Option<Ratio> {
    match evaluate(term, environment) {
        Some(Value::Number(n)) => Some(n),
        Some(_) | None => None,
    }
}

fn connective(operator: &str, arguments: &[Sexp], environment: &Environment) -> Option<Value> {
    let t: Vec<bool> = arguments.iter().map(|a| truth(a, environment)).collect::<Option<_>>()?;
    Some(Value::Bool(match operator {
        "not" => !t[0],
        "and" => !t.contains(&false),
        "or" => t.contains(&true),
        "xor" => t.iter().filter(|x| **x).count() % 2 == 1,
        _ => t.iter().rev().skip(1).fold(*t.last()?, |rest, x| !x || rest),
    }))
}

fn comparison(operator: &str, arguments: &[Sexp], environment: &Environment) -> Option<Value> {
    let values: Vec<Value> =
        arguments.iter().map(|a| evaluate(a, environment)).collect::<Option<_>>()?;
    let holds = |a: &Value, b: &Value| {
        let order = match (a, b) {
            (Value::Number(a), Value::Number(b)) => a.compare(*b)?,
            _ if a == b => Ordering::Equal,
            _ => Ordering::Less,
        };
        Some(match operator {
            "=" => order.is_eq(),
            "distinct" => order.is_ne(),
            "<" => order.is_lt(),
            "<=" => order.is_le(),
            ">" => order.is_gt(),
            _ => order.is_ge(),
        })
    };
    let mut all = true;
    for i in 0..values.len() {
        for j in i + 1..values.len() {
            if operator == "distinct" || j == i + 1 {
                all &= holds(&values[i], &values[j])?;
            }
        }
    }
    Some(Value::Bool(all))
}

fn arithmetic(operator: &str, arguments: &[Sexp], environment: &Environment) -> Option<Ratio> {
    let n: Vec<Ratio> = arguments.iter().map(|a| number(a, environment)).collect::<Option<_>>()?;
    match (operator, n.as_slice()) {
        ("-", [one]) => one.checked_neg(),
        ("-", [first, rest @ ..]) => {
            rest.iter().try_fold(*first, |acc, x| acc.checked_add(x.checked_neg()?))
        }
        ("+", all) => all.iter().try_fold(Ratio::int(0), |acc, x| acc.checked_add(*x)),
        ("*", all) => all.iter().try_fold(Ratio::int(1), |acc, x| acc.checked_mul(*x)),
        ("/", [a, b]) => a.checked_div(*b),
        ("abs", [a]) => a.abs(),
        ("to_real", [a]) => Some(*a),
        ("to_int", [a]) => Some(a.floor()),
        ("div" | "mod", [a, b]) => {
            let (a, b) = (a.to_int()?, b.to_int()?);
            // SMT-LIB: a = b·q + r with 0 ≤ r < |b|.
            let quotient = (0..=1)
                .flat_map(|k| [a / b + k, a / b - k])
                .find(|q| (0..b.abs()).contains(&(a - b * q)))?;
            Some(Ratio::int(if operator == "div" { quotient } else { a - b * quotient }))
        }
        _ => panic!("unknown operator {operator}"),
    }
}

fn environment(formulas: &Formulas) -> Environment {
    let known = formulas.variables.iter().filter_map(|v| Some((&v.name, v.value.clone()?)));
    let values = known.map(|(name, value)| (symbol_name(name).to_owned(), value)).collect();
    let functions = formulas.functions.iter();
    let functions = functions.map(|f| (symbol_name(&f.name).to_owned(), f.clone())).collect();
    Environment { values, functions }
}

/// A generator in some logic with symbols of all kinds that it has.
fn formulas(rng: &mut Rng) -> Formulas {
    let logic = *rng.pick(&Logic::ALL);
    let mut formulas = Formulas::new(rng, logic);
    for sort in [Sort::Bool, Sort::Int, Sort::Real, Sort::Int, Sort::Real] {
        formulas.declare(rng, sort);
    }
    if logic.has_functions {
        formulas.declare_signature(rng);
    }
    formulas
}

#[test]
fn carried_values_are_those_of_the_text() {
    let (mut compared, mut applications) = (0, 0);
    for seed in 0..6000 {
        let mut rng = Rng::new(seed);
        let mut formulas = formulas(&mut rng);
        let depth = rng.below(4);
        let sort = *rng.pick(&formulas.sorts());
        let node = formulas.term(&mut rng, sort, depth);
        let value = evaluate(&parse_one(&node.text).unwrap(), &environment(&formulas));
        if let (Some(carried), Some(value)) = (node.value, value) {
            assert_eq!(carried, value, "seed {seed}: {}", node.text);
            compared += 1;
            applications += usize::from(node.text.contains("(g"));
        }
    }
    assert!(compared > 5000, "only {compared} values were known");
    assert!(applications > 1000, "only {applications} of them of applications");
}

#[test]
fn planted_contradictions_hold_at_no_point() {
    for seed in 0..6000 {
        let mut rng = Rng::new(seed);
        let mut formulas = formulas(&mut rng);
        let kind = Contradiction::choose(&mut rng, formulas.logic);
        let (_, terms) = kind.plant(&mut rng, &mut formulas);
        let terms: Vec<Sexp> = terms.iter().map(|t| parse_one(t).unwrap()).collect();
        let mut point = environment(&formulas);
        for _ in 0..30 {
            let holds = |term: &Sexp| truth(term, &point) == Some(true);
            assert!(!terms.iter().all(holds), "seed {seed}: {kind:?} {terms:?} at {point:?}");
            for value in point.values.values_mut() {
                *value = match value {
                    Value::Bool(_) => Value::Bool(rng.chance(50)),
                    Value::Number(_) => Value::Number(Ratio::int(i128::from(rng.range(-3, 3)))),
                    // With two elements there are more points at which equations hold.
                    Value::Element(_) => Value::Element(u8::from(rng.chance(50))),
                    Value::Bits(_) | Value::Array(_) | Value::Data(_, _) => {
                        unreachable!("these logics have numbers and functions only")
                    }
                };
            }
            for function in point.functions.values_mut() {
                *function = function.reinterpreted(&mut rng);
            }
        }
    }
}

/// A row by itself is true at some points and false at others: the contradiction is in all of them
/// together.
#[test]
fn planted_rows_hold_one_by_one() {
    let mut rows = BTreeMap::<bool, usize>::new();
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let mut formulas = formulas(&mut rng);
        let kind = Contradiction::choose(&mut rng, formulas.logic);
        let (_, terms) = kind.plant(&mut rng, &mut formulas);
        let point = environment(&formulas);
        for term in &terms {
            if let Some(holds) = truth(&parse_one(term).unwrap(), &point) {
                *rows.entry(holds).or_default() += 1;
            }
        }
    }
    assert!(rows[&true] > 500 && rows[&false] > 500, "{rows:?}");
}
