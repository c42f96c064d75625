//! Printed terms mean what the terms mean: an independent, strictly sorted evaluator of SMT-LIB
//! text agrees with the store's.

use shofar_base::Map;
use shofar_num::{Rational, div_euclid, mod_euclid};
use shofar_term::eval::{Model, Value, evaluate_with_defaults};
use shofar_term::print::print;
use shofar_term::{Sort, TermStore};

use crate::generator::Generator;

/// A parsed expression.
#[derive(Debug)]
enum Text {
    Word(String),
    List(Vec<Text>),
}

/// A value with its sort.
#[derive(Clone, Debug, PartialEq)]
enum Typed {
    Bool(bool),
    Int(Rational),
    Real(Rational),
    Thing(u32),
}
use Typed::{Bool, Int, Real, Thing};

fn words(text: &str) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ' ' | '(' | ')' => 1,
            '|' => rest[1..].find('|').expect("bars come in pairs") + 2,
            _ => rest.find([' ', '(', ')']).unwrap_or(rest.len()),
        };
        if first != ' ' {
            words.push(rest[..length].to_owned());
        }
        rest = &rest[length..];
    }
    words
}

fn parse(words: &mut std::vec::IntoIter<String>) -> Text {
    match words.next().expect("an expression").as_str() {
        "(" => {
            let mut list = Vec::new();
            while words.as_slice().first().expect("a closing parenthesis") != ")" {
                list.push(parse(words));
            }
            words.next();
            Text::List(list)
        }
        word => Text::Word(word.trim_matches('|').to_owned()),
    }
}

type Scope = Map<String, Typed>;

fn value(text: &Text, scope: &Scope) -> Typed {
    match text {
        Text::Word(word) if word == "true" || word == "false" => Bool(word == "true"),
        Text::Word(word) if word.starts_with(|c: char| c.is_ascii_digit()) => {
            let number = word.parse().expect("a numeral");
            if word.contains('.') { Real(number) } else { Int(number) }
        }
        Text::Word(word) => {
            scope.get(word).unwrap_or_else(|| panic!("{word} is not bound")).clone()
        }
        Text::List(list) => {
            let Text::Word(head) = &list[0] else { panic!("a head is a word") };
            if head == "let" {
                let Text::List(bindings) = &list[1] else { panic!("let has bindings") };
                let mut inner = scope.clone();
                for binding in bindings {
                    let Text::List(pair) = binding else { panic!("a binding is a pair") };
                    let Text::Word(name) = &pair[0] else { panic!("a binding has a name") };
                    inner.insert(name.clone(), value(&pair[1], scope));
                }
                return value(&list[2], &inner);
            }
            apply(head, list[1..].iter().map(|arg| value(arg, scope)).collect())
        }
    }
}

fn apply(head: &str, args: Vec<Typed>) -> Typed {
    match (head, args.as_slice()) {
        ("f", [Int(n)]) => return Int(if n.is_zero() { 5 } else { 1 }.into()),
        ("P", [Int(_), Real(_), Bool(_)]) => return Bool(false),
        ("g", [Thing(_), Int(_)]) => return Thing(0),
        ("=", [Thing(a), Thing(b)]) => return Bool(a == b),
        ("not", [Bool(p)]) => return Bool(!p),
        ("=", [Bool(p), Bool(q)]) => return Bool(p == q),
        ("to_int", [Real(a)]) => return Int(a.floor()),
        ("to_real", [Int(a)]) => return Real(a.clone()),
        ("ite", [Bool(c), a, b]) => {
            assert_eq!(std::mem::discriminant(a), std::mem::discriminant(b));
            return if *c { a.clone() } else { b.clone() };
        }
        ("and" | "or", parts) => {
            let truth = |part: &Typed| matches!(part, Bool(true));
            assert!(parts.iter().all(|part| matches!(part, Bool(_))));
            return Bool(if head == "and" {
                parts.iter().all(truth)
            } else {
                parts.iter().any(truth)
            });
        }
        _ => {}
    }
    let real = matches!(args[0], Real(_));
    let numbers: Vec<Rational> = args
        .into_iter()
        .map(|arg| match arg {
            Int(n) if !real => n,
            Real(n) if real => n,
            other @ (Bool(_) | Int(_) | Real(_) | Thing(_)) => {
                panic!("{head} is applied to {other:?}")
            }
        })
        .collect();
    arithmetic(head, &numbers, real)
}

fn arithmetic(head: &str, numbers: &[Rational], real: bool) -> Typed {
    let number = match (head, numbers) {
        ("+", several) => several.iter().sum(),
        ("-", [a]) => -a,
        ("*", [a, b]) => a * b,
        ("/", [a, b]) if real => a / b,
        ("div", [a, b]) if !real => div_euclid(a, b).expect("no division by zero"),
        ("mod", [a, b]) if !real => mod_euclid(a, b).expect("no division by zero"),
        ("<=", [a, b]) => return Bool(a <= b),
        ("<", [a, b]) => return Bool(a < b),
        (">=", [a, b]) => return Bool(a >= b),
        (">", [a, b]) => return Bool(a > b),
        ("=", [a, b]) => return Bool(a == b),
        other => panic!("{other:?} is not SMT-LIB"),
    };
    if real { Real(number) } else { Int(number) }
}

fn typed(sort: Sort, value: Value) -> Typed {
    match value {
        Value::Bool(p) => Bool(p),
        Value::Number(n) if sort.is_int() => Int(n),
        Value::Number(n) => Real(n),
        Value::Element(_, number) => Thing(number),
        Value::Bits(_) | Value::Data(_) | Value::Array(_) => {
            unreachable!("the generator makes none")
        }
    }
}

fn scope(g: &Generator, model: &Model) -> Scope {
    let entry = |&symbol| {
        let sort = g.store.result(symbol);
        let value = model.get_or_default(&g.store, symbol);
        (g.store.name(symbol).to_owned(), typed(sort, value))
    };
    g.constants.iter().map(entry).collect()
}

#[test]
fn the_text_has_the_value_of_the_term() {
    for seed in 0..500 {
        let mut g = Generator::new(seed, 50);
        let model = g.model();
        let scope = scope(&g, &model);
        for _ in 0..6 {
            let term = g.any();
            let text = print(&g.store, term);
            let mut words = words(&text).into_iter();
            let parsed = parse(&mut words);
            assert!(words.next().is_none(), "one expression: {text}");
            let expected = typed(
                g.store.sort(term),
                evaluate_with_defaults(&g.store, term, &model).expect("it has a value"),
            );
            assert_eq!(value(&parsed, &scope), expected, "seed {seed}: {text}");
        }
    }
}

#[test]
fn numbers_are_written_in_their_sort() {
    let mut store = TermStore::new();
    let cases = [
        ("-5", Sort::INT, "(- 5)"),
        ("-5", Sort::REAL, "(- 5.0)"),
        ("2", Sort::REAL, "2.0"),
        ("1/3", Sort::REAL, "(/ 1.0 3.0)"),
    ];
    for (number, sort, expected) in cases {
        let term = store.number(number.parse().expect("a number"), sort);
        assert_eq!(print(&store, term), expected);
    }
}
