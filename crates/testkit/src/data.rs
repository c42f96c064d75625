//! The data types that scripts declare, their values, and random terms of them.
//!
//! The types are a table: enumerations, units, records, variants, naturals, lists, trees, mutually
//! recursive ones, and some with numbers, arrays and bit-vectors inside. A script declares those it
//! uses, groups of them together, in one of the syntaxes that there are. A selector on the wrong
//! constructor has no known value.

use shofar_base::Rng;

use crate::arrays;
use crate::formula::{Formulas, Node, application};
use crate::logic::Sort;
use crate::value::Value;

/// A constructor and its fields.
#[derive(Debug)]
pub struct Constructor {
    /// Its name.
    pub name: &'static str,
    /// Selectors and their sorts.
    pub fields: &'static [(&'static str, Sort)],
}

/// A data type.
#[derive(Debug)]
pub struct Type {
    /// Its name.
    pub name: &'static str,
    /// Constructors; the first one with the fewest data types inside leads to a finite value.
    pub constructors: &'static [Constructor],
    /// How many of the following entries are declared together with this one.
    pub together: usize,
}

const fn constant(name: &'static str) -> Constructor {
    Constructor { name, fields: &[] }
}

const fn alone(name: &'static str, constructors: &'static [Constructor]) -> Type {
    Type { name, constructors, together: 0 }
}

macro_rules! constructor {
    ($name:literal $(, $selector:literal : $sort:expr)*) => {
        Constructor { name: $name, fields: &[$(($selector, $sort)),*] }
    };
}

/// The number of the enumeration.
pub const COLOR: u8 = 0;
/// The number of the lists of integers.
pub const INT_LIST: u8 = 8;
/// The number of the record of integers.
pub const POINT: u8 = 9;
/// The number of the lists of colours.
pub const LIST: u8 = 4;
const ROSE: u8 = 6;

/// All types; constants come first, so that the first constructor of a type leads to a finite
/// value.
pub const TYPES: &[Type] = &[
    alone("Color", &[constant("red"), constant("green"), constant("blue")]),
    alone("Unit", &[constant("unit")]),
    alone("Card", &[constructor!("card", "suit": Sort::Data(COLOR), "face": Sort::Bool)]),
    alone("Nat", &[constant("zero"), constructor!("succ", "pred": Sort::Data(3))]),
    alone(
        "Colors",
        &[
            constant("nil"),
            constructor!("cons", "head": Sort::Data(COLOR), "tail": Sort::Data(LIST)),
        ],
    ),
    alone(
        "Tree",
        &[
            constant("leaf"),
            constructor!("node", "left": Sort::Data(5), "mark": Sort::Bool, "right": Sort::Data(5)),
        ],
    ),
    Type {
        name: "Rose",
        constructors: &[constructor!("rose", "children": Sort::Data(7))],
        together: 1,
    },
    alone(
        "Forest",
        &[constant("none"), constructor!("some", "top": Sort::Data(ROSE), "rest": Sort::Data(7))],
    ),
    alone(
        "IntList",
        &[
            constant("inil"),
            constructor!("icons", "ihead": Sort::Int, "itail": Sort::Data(INT_LIST)),
        ],
    ),
    alone("Point", &[constructor!("point", "px": Sort::Int, "py": Sort::Int)]),
    alone(
        "|Odd One|",
        &[
            constant("|no ne|"),
            constructor!("|so me|", "|va lue|": Sort::Int),
            constructor!("where!", "at": Sort::Data(POINT)),
            constructor!("flag", "truth": Sort::Bool),
        ],
    ),
    alone(
        "Wallet",
        &[constructor!("wallet", "balances": Sort::Array(arrays::INT_TO_INT), "count": Sort::Int)],
    ),
    alone("Reg", &[constructor!("reg", "low": Sort::Bits(3), "high": Sort::Bits(2))]),
    alone("Maybe", &[constant("nothing"), constructor!("just", "it": Sort::Bool)]),
    alone(
        "Expr",
        &[
            constructor!("lit", "val": Sort::Int),
            constructor!("add", "lhs": Sort::Data(14), "rhs": Sort::Data(14)),
            constructor!("neg", "arg": Sort::Data(14)),
        ],
    ),
    alone(
        "Stack",
        &[constant("empty"), constructor!("frame", "cell": Sort::Bits(3), "below": Sort::Data(15))],
    ),
];

/// The type of a data sort.
pub fn of(sort: Sort) -> &'static Type {
    match sort {
        Sort::Data(number) => &TYPES[usize::from(number)],
        Sort::Bool | Sort::Int | Sort::Real | Sort::Free(_) | Sort::Bits(_) | Sort::Array(_) => {
            panic!("{sort} is no data type")
        }
    }
}

/// Sorts of the fields of all constructors.
pub fn field_sorts(sort: Sort) -> impl Iterator<Item = Sort> {
    of(sort).constructors.iter().flat_map(|c| c.fields.iter().map(|(_, sort)| *sort))
}

/// A random value, nested at most about `depth` deep.
pub fn random_value(rng: &mut Rng, sort: Sort, depth: usize) -> Value {
    let constructors = of(sort).constructors;
    let number = if depth == 0 { 0 } else { rng.below(constructors.len()) };
    let field = |(_, field): &(&str, Sort)| match field {
        Sort::Data(_) => random_value(rng, *field, depth.saturating_sub(1)),
        Sort::Bool | Sort::Int | Sort::Real | Sort::Free(_) | Sort::Bits(_) | Sort::Array(_) => {
            Value::random(rng, *field)
        }
    };
    Value::Data(number, constructors[number].fields.iter().map(field).collect())
}

/// All values of a type that has few.
pub fn all_values(sort: Sort) -> Option<Vec<Value>> {
    let is_flat = |field: Sort| matches!(field, Sort::Bool | Sort::Data(COLOR));
    if !field_sorts(sort).all(is_flat) {
        return None;
    }
    let mut all = Vec::new();
    for (number, constructor) in of(sort).constructors.iter().enumerate() {
        let mut rows = vec![Vec::new()];
        for (_, field) in constructor.fields {
            let contents = Value::all(*field)?;
            let extend = |row: &Vec<Value>| -> Vec<Vec<Value>> {
                contents.iter().map(|c| [&row[..], std::slice::from_ref(c)].concat()).collect()
            };
            rows = rows.iter().flat_map(extend).collect();
        }
        all.extend(rows.into_iter().map(|row| Value::Data(number, row)));
    }
    Some(all)
}

/// Commands that declare the types with these numbers, which are sorted and closed under parts.
pub fn declarations(rng: &mut Rng, numbers: &[u8]) -> Vec<String> {
    let mut commands = Vec::new();
    let mut covered = 0;
    for &number in numbers {
        let at = usize::from(number);
        if at < covered {
            continue;
        }
        let group = &TYPES[at..=at + TYPES[at].together];
        covered = at + group.len();
        commands.push(declaration(rng, group));
    }
    commands
}

fn declaration(rng: &mut Rng, group: &[Type]) -> String {
    let bodies: Vec<String> = group.iter().map(body).collect();
    match (rng.below(4), group) {
        (0, [one]) => format!("(declare-datatype {} ({}))", one.name, bodies[0]),
        (1, _) => {
            let old = group.iter().zip(&bodies).map(|(t, body)| format!("({} {body})", t.name));
            format!("(declare-datatypes () ({}))", old.collect::<Vec<_>>().join(" "))
        }
        (_, _) => {
            let names: Vec<String> = group.iter().map(|t| format!("({} 0)", t.name)).collect();
            let bodies: Vec<String> = bodies.iter().map(|body| format!("({body})")).collect();
            format!("(declare-datatypes ({}) ({}))", names.join(" "), bodies.join(" "))
        }
    }
}

fn body(of: &Type) -> String {
    let constructor = |c: &Constructor| {
        let fields = c.fields.iter().map(|(name, sort)| format!(" ({name} {sort})"));
        format!("({}{})", c.name, fields.collect::<String>())
    };
    of.constructors.iter().map(constructor).collect::<Vec<_>>().join(" ")
}

/// The application of a constructor to texts.
pub fn construct(constructor: &Constructor, fields: &[String]) -> String {
    if fields.is_empty() {
        constructor.name.to_owned()
    } else {
        format!("({} {})", constructor.name, fields.join(" "))
    }
}

/// One of the spellings of the test for a constructor.
pub fn tester(rng: &mut Rng, constructor: &Constructor) -> String {
    let has_plain_name = !constructor.name.starts_with('|');
    if has_plain_name && rng.chance(25) {
        format!("is-{}", constructor.name)
    } else {
        format!("(_ is {})", constructor.name)
    }
}

impl Formulas {
    /// A random term of a data type, nested about `depth` deep.
    pub fn datum(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        let node = match (depth, rng.below(10)) {
            (0, 0..7) | (_, 7 | 8) => self.unknown(rng, sort),
            (0, _) => None,
            (_, 5) => Some(self.ite(rng, sort, depth - 1)),
            (_, 6) => Some(self.bind(rng, sort, depth - 1)),
            (_, _) => None,
        };
        node.unwrap_or_else(|| self.construct(rng, sort, depth))
    }
    /// A constructor over random terms.
    fn construct(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        let constructors = of(sort).constructors;
        let number = if depth == 0 { 0 } else { rng.below(constructors.len()) };
        let constructor = &constructors[number];
        let fields: Vec<Node> = constructor
            .fields
            .iter()
            .map(|(_, field)| self.component(rng, *field, depth.saturating_sub(1)))
            .collect();
        let values: Option<Vec<Value>> = fields.iter().map(|node| node.value.clone()).collect();
        let texts: Vec<String> = fields.iter().map(|node| node.text.clone()).collect();
        let mut text = construct(constructor, &texts);
        if texts.is_empty() && rng.chance(10) {
            text = format!("(as {text} {sort})");
        }
        Node::new(text, sort, values.map(|values| Value::Data(number, values)))
    }
    /// A field of a random term of data type `from`, at this constructor and place.
    pub(crate) fn field(&mut self, rng: &mut Rng, from: Sort, number: usize, place: usize) -> Node {
        let inner = self.datum(rng, from, 0);
        let (selector, sort) = of(from).constructors[number].fields[place];
        let value = match inner.value {
            Some(Value::Data(actual, ref fields)) if actual == number => {
                Some(fields[place].clone())
            }
            Some(_) | None => None,
        };
        Node::new(application(selector, &[inner]), sort, value)
    }
    /// Whether a random term of the type, nested less than `depth`, has a constructor.
    pub(crate) fn test(&mut self, rng: &mut Rng, sort: Sort, depth: usize) -> Node {
        let below = rng.below(depth.min(2));
        let inner = self.datum(rng, sort, below);
        let number = rng.below(of(sort).constructors.len());
        let value = match inner.value {
            Some(Value::Data(actual, _)) => Some(Value::Bool(actual == number)),
            Some(_) | None => None,
        };
        let tester = tester(rng, &of(sort).constructors[number]);
        Node::new(format!("({tester} {})", inner.text), Sort::Bool, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_constructors_lead_to_values() {
        let mut rng = Rng::new(1);
        for number in 0..u8::try_from(TYPES.len()).unwrap() {
            let sort = Sort::Data(number);
            let Value::Data(constructor, _) = random_value(&mut rng, sort, 0) else {
                panic!("a value of {sort} is data")
            };
            assert_eq!(constructor, 0);
        }
    }

    #[test]
    fn finite_types_are_listed() {
        let count = |number: u8| all_values(Sort::Data(number)).map(|all| all.len());
        assert_eq!(
            (count(COLOR), count(1), count(2), count(13)),
            (Some(3), Some(1), Some(6), Some(3))
        );
        assert_eq!((count(LIST), count(POINT)), (None, None));
    }

    #[test]
    fn declarations_come_in_groups() {
        let mut rng = Rng::new(2);
        let commands = declarations(&mut rng, &[COLOR, ROSE, 7]);
        assert_eq!(commands.len(), 2);
        assert!(commands[1].contains("(rest Forest)") && commands[1].contains("(children Forest)"));
    }
}
