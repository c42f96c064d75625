//! The functions of arrays, bit-vectors and data types, applied to arguments.
//!
//! Their names are not reserved: where a script declares a function of the same name, it means its
//! own. Names of constructors and selectors may stand for several functions, which the sorts of the
//! arguments tell apart; where there is one only, arguments are checked when they arrive.
//!
//! Source: [SMTLIB] theories `ArraysEx`, `FixedSizeBitVectors`, and §3.6 on data types.

use shofar_base::{Diagnostic, Idx, Read};
use shofar_term::print::{print_sort, quote};
use shofar_term::{BitsOp, Constructor, Field, Sort, Term};

use crate::apply::arguments;
use crate::bitvector::{BitsFunction, Direction, Limit, Order, Overflow};
use crate::builtin::{BUILTINS, WORDS};
use crate::elaborate::{Elaborator, Frame};
use crate::names::Name;
use crate::overload::DataName;
use crate::sums::Value;

/// A function with a fixed meaning, unless the script declares its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Select,
    Store,
    /// `(as const S)`.
    Const(Sort),
    Bits(BitsFunction),
    Construct(Constructor),
    Field(Field),
    Is(Constructor),
    /// A constructor or selector; the arguments tell which.
    Overloaded(DataName),
    /// A test for a constructor; the argument tells which.
    OverloadedIs(DataName),
    /// A value with another value in this field, if it has the field.
    Update(Field),
    /// Conjunction of integers as numbers of so many bits.
    AndOfInts(u32),
    /// Another name of `=>`.
    Implies,
    /// Equality of formulas.
    Iff,
    /// Another name of `ite`.
    If,
}

const fn op(op: BitsOp) -> Operation {
    Operation::Bits(BitsFunction::Op(op))
}
const fn negated(op: BitsOp) -> Operation {
    Operation::Bits(BitsFunction::Negated(op))
}
const fn compare(op: BitsOp, order: Order) -> Operation {
    Operation::Bits(BitsFunction::Compare(op, order))
}
const fn bits(function: BitsFunction) -> Operation {
    Operation::Bits(function)
}
const fn overflow(overflow: Overflow) -> Operation {
    Operation::Bits(BitsFunction::Overflow(overflow))
}

/// Those that are names. Every environment numbers them in this order, behind the builtins and
/// words.
///
/// The names that end in `_i` are z3's for divisions by what is not zero, of which this is one
/// extension. Those from `bvredand` on are no part of the standard, but solvers of bit-vectors, and
/// z3, know them.
pub(crate) const OPERATIONS: [(&str, Operation); 61] = [
    ("select", Operation::Select),
    ("store", Operation::Store),
    ("concat", op(BitsOp::Concat)),
    ("bvnot", op(BitsOp::Not)),
    ("bvand", op(BitsOp::And)),
    ("bvor", op(BitsOp::Or)),
    ("bvxor", op(BitsOp::Xor)),
    ("bvnand", negated(BitsOp::And)),
    ("bvnor", negated(BitsOp::Or)),
    ("bvxnor", negated(BitsOp::Xor)),
    ("bvneg", Operation::Bits(BitsFunction::Neg)),
    ("bvadd", op(BitsOp::Add)),
    ("bvsub", Operation::Bits(BitsFunction::Sub)),
    ("bvmul", op(BitsOp::Mul)),
    ("bvudiv", op(BitsOp::Udiv)),
    ("bvurem", op(BitsOp::Urem)),
    ("bvsdiv", op(BitsOp::Sdiv)),
    ("bvsrem", op(BitsOp::Srem)),
    ("bvsmod", op(BitsOp::Smod)),
    ("bvudiv_i", op(BitsOp::Udiv)),
    ("bvurem_i", op(BitsOp::Urem)),
    ("bvsdiv_i", op(BitsOp::Sdiv)),
    ("bvsrem_i", op(BitsOp::Srem)),
    ("bvsmod_i", op(BitsOp::Smod)),
    ("bvshl", op(BitsOp::Shl)),
    ("bvlshr", op(BitsOp::Lshr)),
    ("bvashr", op(BitsOp::Ashr)),
    ("bvule", compare(BitsOp::Ule, Order::Le)),
    ("bvult", compare(BitsOp::Ule, Order::Lt)),
    ("bvuge", compare(BitsOp::Ule, Order::Ge)),
    ("bvugt", compare(BitsOp::Ule, Order::Gt)),
    ("bvsle", compare(BitsOp::Sle, Order::Le)),
    ("bvslt", compare(BitsOp::Sle, Order::Lt)),
    ("bvsge", compare(BitsOp::Sle, Order::Ge)),
    ("bvsgt", compare(BitsOp::Sle, Order::Gt)),
    ("bvcomp", Operation::Bits(BitsFunction::Comp)),
    ("bvnego", overflow(Overflow::Neg)),
    ("bvuaddo", overflow(Overflow::Uadd)),
    ("bvsaddo", overflow(Overflow::Sadd)),
    ("bvusubo", overflow(Overflow::Usub)),
    ("bvssubo", overflow(Overflow::Ssub)),
    ("bvumulo", overflow(Overflow::Umul)),
    ("bvsmulo", overflow(Overflow::Smul)),
    ("bvsdivo", overflow(Overflow::Sdiv)),
    ("ubv_to_int", Operation::Bits(BitsFunction::ToNat)),
    ("bv2nat", Operation::Bits(BitsFunction::ToNat)),
    ("bv2int", Operation::Bits(BitsFunction::ToNat)),
    ("sbv_to_int", Operation::Bits(BitsFunction::ToInt)),
    ("bvredand", bits(BitsFunction::Reduce(BitsOp::And))),
    ("bvredor", bits(BitsFunction::Reduce(BitsOp::Or))),
    ("bvredxor", bits(BitsFunction::Reduce(BitsOp::Xor))),
    ("bvite", bits(BitsFunction::Choose)),
    ("ext_rotate_left", bits(BitsFunction::RotateBy(Direction::Left))),
    ("ext_rotate_right", bits(BitsFunction::RotateBy(Direction::Right))),
    ("bvumul_noovfl", bits(BitsFunction::Fits(Limit::Unsigned))),
    ("bvsmul_noovfl", bits(BitsFunction::Fits(Limit::Largest))),
    ("bvsmul_noudfl", bits(BitsFunction::Fits(Limit::Smallest))),
    ("implies", Operation::Implies),
    ("iff", Operation::Iff),
    ("<=>", Operation::Iff),
    ("if", Operation::If),
];

impl Operation {
    /// The operation of this name.
    #[inline]
    pub(crate) fn of(name: Name) -> Option<Self> {
        let place = name.index().checked_sub(BUILTINS.len() + WORDS.len())?;
        OPERATIONS.get(place).map(|&(_, operation)| operation)
    }
}

impl Elaborator<'_, '_> {
    /// What a name of constructors and selectors stands for in front of arguments.
    pub(crate) fn data_function(&self, name: DataName) -> Operation {
        let overloads = self.env.overloads(name);
        match (&*overloads.constructors, &*overloads.fields) {
            ([constructor], []) => Operation::Construct(*constructor),
            ([], [field]) => Operation::Field(*field),
            _ => Operation::Overloaded(name),
        }
    }
    /// The test for the constructors of this name.
    pub(crate) fn tester(&self, name: DataName) -> Operation {
        match *self.env.overloads(name).constructors {
            [constructor] => Operation::Is(constructor),
            _ => Operation::OverloadedIs(name),
        }
    }
    /// Checks an argument of an operation; the ones before it are the last values.
    pub(crate) fn accept_operand(
        &mut self,
        operation: Operation,
        position: usize,
        value: Value,
        start: usize,
    ) -> Read<Term> {
        let term = self.make_term(value);
        let sort = self.store.sort(term);
        let wanted = match operation {
            Operation::Select | Operation::Store if position == 0 => {
                if self.store.array_parts(sort).is_none() {
                    return Err(self.wrong_sort(start, "Array", sort));
                }
                None
            }
            Operation::Select | Operation::Store => {
                let array = self.work.values[self.work.values.len() - position];
                let (index, element) =
                    self.store.array_parts(self.sort_of(array)).expect("the array comes first");
                match position {
                    1 => Some(index),
                    2 => Some(element),
                    _ => None,
                }
            }
            Operation::Const(sort) => self.store.array_parts(sort).map(|(_, element)| element),
            Operation::Bits(function) => {
                return self.accept_bits(function, position, term, start);
            }
            Operation::Construct(constructor) => {
                let fields = self.store.constructor_fields(constructor);
                fields.get(position).map(|&field| self.store.field_sort(field))
            }
            Operation::Field(field) => {
                Some(self.store.constructor_sort(self.store.field_constructor(field)))
            }
            Operation::Is(constructor) => Some(self.store.constructor_sort(constructor)),
            Operation::Update(field) => match position {
                0 => Some(self.store.constructor_sort(self.store.field_constructor(field))),
                1 => Some(self.store.field_sort(field)),
                _ => None,
            },
            Operation::AndOfInts(_) => Some(Sort::INT),
            Operation::Implies | Operation::Iff => Some(Sort::BOOL),
            Operation::If => match position {
                0 => Some(Sort::BOOL),
                2 => Some(self.sort_of(self.work.values[self.work.values.len() - 1])),
                _ => None,
            },
            Operation::Overloaded(_) | Operation::OverloadedIs(_) => None,
        };
        match wanted {
            // Too many arguments are reported at the closing parenthesis, with their number.
            None => Ok(term),
            Some(wanted) => self.coerce(term, wanted).ok_or_else(|| {
                let expected = print_sort(self.store, wanted);
                self.wrong_sort(start, &expected, sort)
            }),
        }
    }
    /// An operation applied to the values of its frame.
    pub(crate) fn apply_operation(&mut self, operation: Operation, frame: Frame) -> Read<Value> {
        let terms = self.take_terms(frame.values);
        let result = self.operate(operation, &terms, frame);
        self.work.terms = terms;
        result.map(Value::Term)
    }
    fn operate(&mut self, operation: Operation, terms: &[Term], frame: Frame) -> Read<Term> {
        let wanted = match operation {
            Operation::Const(_)
            | Operation::Field(_)
            | Operation::Is(_)
            | Operation::OverloadedIs(_) => 1,
            Operation::Construct(constructor) => self.store.constructor_fields(constructor).len(),
            Operation::Select | Operation::Update(_) | Operation::AndOfInts(_) => 2,
            Operation::Store | Operation::If => 3,
            // Chains of at least two.
            Operation::Implies | Operation::Iff => terms.len().max(2),
            Operation::Bits(function) => return self.apply_bits(function, terms, frame),
            Operation::Overloaded(name) => return self.apply_overloaded(name, terms, frame),
        };
        if terms.len() != wanted {
            let (name, wanted) = (self.operation_name(operation), arguments(wanted));
            let message = format!("`{name}` takes {wanted}, found {}", terms.len());
            return Err(self.error(frame, message));
        }
        Ok(match operation {
            Operation::Select => self.store.select(terms[0], terms[1]),
            Operation::Store => self.store.store(terms[0], terms[1], terms[2]),
            Operation::Const(sort) => self.store.constant_array(sort, terms[0]),
            Operation::Construct(constructor) => self.store.construct(constructor, terms),
            Operation::Field(field) => self.store.field(field, terms[0]),
            Operation::Is(constructor) => self.store.is(constructor, terms[0]),
            Operation::OverloadedIs(name) => {
                let sort = self.store.sort(terms[0]);
                match self.env.overloads(name).of_sort(self.store, sort) {
                    Some(constructor) => self.store.is(constructor, terms[0]),
                    None => return Err(self.no_overload(operation, terms, frame)),
                }
            }
            Operation::Update(field) => self.update(field, terms[0], terms[1]),
            Operation::AndOfInts(width) => {
                let [a, b] = [terms[0], terms[1]].map(|term| self.store.bits_of_int(width, term));
                let both = self.store.bits_op(BitsOp::And, &[a, b]);
                self.store.bits_to_nat(both)
            }
            Operation::Implies => {
                let (&last, premises) = terms.split_last().expect("there are two");
                let mut parts: Vec<Term> =
                    premises.iter().map(|&premise| self.store.not(premise)).collect();
                parts.push(last);
                self.store.or(&parts)
            }
            Operation::Iff => {
                let links: Vec<Term> =
                    terms.windows(2).map(|pair| self.store.iff(pair[0], pair[1])).collect();
                self.store.and(&links)
            }
            Operation::If => self.store.ite(terms[0], terms[1], terms[2]),
            Operation::Bits(_) | Operation::Overloaded(_) => unreachable!("they are done"),
        })
    }
    /// `whole` with another value in `field`; a value of another constructor stays as it is.
    fn update(&mut self, field: Field, whole: Term, part: Term) -> Term {
        let constructor = self.store.field_constructor(field);
        let fields = self.store.constructor_fields(constructor).to_vec();
        let parts: Vec<Term> = fields
            .into_iter()
            .map(|own| if own == field { part } else { self.store.field(own, whole) })
            .collect();
        let (test, made) =
            (self.store.is(constructor, whole), self.store.construct(constructor, &parts));
        self.store.ite(test, made, whole)
    }
    /// The one constructor or selector of this name that takes these arguments.
    fn apply_overloaded(&mut self, name: DataName, terms: &[Term], frame: Frame) -> Read<Term> {
        let overloads = self.env.overloads(name);
        if let [term] = *terms
            && let Some(field) = overloads.selector(self.store, self.store.sort(term))
        {
            return Ok(self.store.field(field, term));
        }
        let takes = |constructor: &Constructor| {
            let fields = self.store.constructor_fields(*constructor).iter();
            let sorts = fields.map(|&field| self.store.field_sort(field));
            sorts.eq(terms.iter().map(|&term| self.store.sort(term)))
        };
        let candidates: Vec<Constructor> =
            overloads.constructors.iter().copied().filter(takes).collect();
        match *candidates {
            [constructor] => Ok(self.store.construct(constructor, terms)),
            [] => self.construct_coerced(name, terms, frame),
            [first, ..] => Err(self.ambiguous(first, candidates.len(), frame)),
        }
    }
    /// The one constructor of this name that takes these arguments if integers may be real numbers.
    fn construct_coerced(&mut self, name: DataName, terms: &[Term], frame: Frame) -> Read<Term> {
        let mut found = None;
        for constructor in self.env.overloads(name).constructors.clone() {
            let fields = self.store.constructor_fields(constructor).to_vec();
            if fields.len() != terms.len() {
                continue;
            }
            let coerced: Option<Vec<Term>> = terms
                .iter()
                .zip(fields)
                .map(|(&term, field)| self.coerce(term, self.store.field_sort(field)))
                .collect();
            if let Some(coerced) = coerced {
                if found.is_some() {
                    return Err(self.ambiguous(constructor, 2, frame));
                }
                found = Some((constructor, coerced));
            }
        }
        match found {
            Some((constructor, coerced)) => Ok(self.store.construct(constructor, &coerced)),
            None => Err(self.no_overload(Operation::Overloaded(name), terms, frame)),
        }
    }
    /// The constant that a name of constructors and selectors stands for alone.
    pub(crate) fn data_constant(&mut self, name: DataName) -> Result<Term, String> {
        match *self.env.overloads(name).constants(self.store) {
            [constructor] => Ok(self.store.construct(constructor, &[])),
            [] => Err("is a function and needs arguments".to_owned()),
            [first, ..] => {
                let sort = print_sort(self.store, self.store.constructor_sort(first));
                let name = quote(self.store.constructor_name(first));
                Err(format!("is a constant of several data types: write `(as {name} {sort})`"))
            }
        }
    }
    fn ambiguous(&self, first: Constructor, count: usize, frame: Frame) -> Box<Diagnostic> {
        let name = quote(self.store.constructor_name(first));
        let sort = print_sort(self.store, self.store.constructor_sort(first));
        let message = format!(
            "`{name}` is a constructor of {count} data types: write `((as {name} {sort}) …)`"
        );
        self.error(frame, message)
    }
    fn no_overload(&self, operation: Operation, terms: &[Term], frame: Frame) -> Box<Diagnostic> {
        let sorts: Vec<_> =
            terms.iter().map(|&term| print_sort(self.store, self.store.sort(term))).collect();
        let name = self.operation_name(operation);
        self.error(frame, format!("no `{name}` takes arguments of sorts ({})", sorts.join(" ")))
    }
    /// What a message calls the operation.
    fn operation_name(&self, operation: Operation) -> String {
        let constructors = |name: DataName| {
            let overloads = self.env.overloads(name);
            let constructor = overloads.constructors.first().copied();
            match (constructor, overloads.fields.first()) {
                (Some(constructor), _) => quote(self.store.constructor_name(constructor)),
                (None, Some(&field)) => quote(self.store.field_name(field)),
                (None, None) => unreachable!("the name stands for something"),
            }
        };
        match operation {
            Operation::Select
            | Operation::Store
            | Operation::Bits(_)
            | Operation::Implies
            | Operation::Iff
            | Operation::If => {
                let found = OPERATIONS.iter().find(|(_, known)| *known == operation);
                found.map_or("this function", |(name, _)| name).to_owned()
            }
            Operation::Const(sort) => format!("(as const {})", print_sort(self.store, sort)),
            Operation::Construct(constructor) => {
                quote(self.store.constructor_name(constructor)).into_owned()
            }
            Operation::Field(field) => quote(self.store.field_name(field)).into_owned(),
            Operation::Is(constructor) => {
                format!("(_ is {})", quote(self.store.constructor_name(constructor)))
            }
            Operation::Update(field) => {
                format!("(_ update {})", quote(self.store.field_name(field)))
            }
            Operation::AndOfInts(width) => format!("(_ iand {width})"),
            Operation::Overloaded(name) => constructors(name).into_owned(),
            Operation::OverloadedIs(name) => format!("(_ is {})", constructors(name)),
        }
    }
}
