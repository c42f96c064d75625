//! Terms as standard SMT-LIB text.
//!
//! The canonical atoms are written the way people write them: `¬(form ≤ b)` becomes `(> form b)`,
//! or `(>= form b+1)` over the integers. What a form subtracts stands on the other side:
//! `x - y ≤ 3` becomes `(<= x (+ y 3))`, which is also easier to decide for solvers that do not
//! look for a sum of differences. Integer monomials of real sums get the `to_real` that is implicit
//! in the store, and numbers are written in the syntax of their sort.
//!
//! Subterms with several parents become `let` variables, unless they are tiny. The bindings are
//! grouped by how deeply they build on each other, so the text is at most linear in the graph and
//! nests no more `let`s than needed. Invariant: a `let` name is no free symbol of the term, hence
//! nothing is captured. A quantifier opens a scope of its own: what its body shares
//! is bound inside, where its variables are.
//!
//! The text of a symbol with `|` or `\` in its name, which SMT-LIB cannot write and the parser
//! never makes, has `!7c` or `!5c` instead.

mod declarations;

use std::borrow::Cow;

use shofar_base::Map;
use shofar_num::Rational;

use crate::symbols::free_symbols;
use crate::{
    ArithKind, ArrayKind, BitsKind, BitsOp, Constructor, DataKind, Kind, Quantifier, Relation,
    Sort, SortKind, Sum, Term, TermStore,
};

pub use declarations::print_sort_declarations;

/// A subterm lighter than this is repeated instead of being named.
const LIGHT: u64 = 6;

/// `term` in the syntax of SMT-LIB 2, shared subterms bound by `let`.
pub fn print(store: &TermStore, term: Term) -> String {
    let mut printer = Printer {
        store,
        prefix: unused_prefix(store, term),
        named: 0,
        scopes: Vec::new(),
        out: String::new(),
        work: vec![Piece::Scope(term)],
    };
    printer.run();
    printer.out
}

/// A sort, its name quoted where that is needed.
pub fn print_sort(store: &TermStore, sort: Sort) -> Cow<'_, str> {
    match store.sort_kind(sort) {
        SortKind::Bool => Cow::Borrowed("Bool"),
        SortKind::Int => Cow::Borrowed("Int"),
        SortKind::Real => Cow::Borrowed("Real"),
        SortKind::Uninterpreted(name) | SortKind::Data(name, _) => quote(name),
        SortKind::Bits(width) => Cow::Owned(format!("(_ BitVec {width})")),
        SortKind::Array(index, element) => {
            let (index, element) = (print_sort(store, index), print_sort(store, element));
            Cow::Owned(format!("(Array {index} {element})"))
        }
    }
}

/// A number in the syntax of its sort: `5`, `(- 5)`, `2.0`, `(/ (- 1.0) 3.0)`.
pub fn print_number(value: &Rational, sort: Sort) -> String {
    let point = if sort.is_real() { ".0" } else { "" };
    let signed = |number: &Rational| {
        let digits = number.abs();
        if number.is_negative() {
            format!("(- {digits}{point})")
        } else {
            format!("{digits}{point}")
        }
    };
    if value.is_integer() {
        signed(value)
    } else {
        format!("(/ {} {}.0)", signed(&value.numerator()), value.denominator())
    }
}

/// The words of SMT-LIB 2.7 that are no symbols although they look like some.
const RESERVED: &str = "! _ as BINARY DECIMAL exists HEXADECIMAL forall let match NUMERAL par STRING assert \
    check-sat check-sat-assuming declare-const declare-datatype declare-datatypes \
    declare-fun declare-sort define-const define-fun define-fun-rec define-funs-rec \
    define-sort echo exit get-assertions get-assignment get-info get-model get-option \
    get-proof get-unsat-assumptions get-unsat-core get-value lambda pop push reset \
    reset-assertions set-info set-logic set-option";

/// The name of a symbol as SMT-LIB writes it, with bars if it needs them.
pub fn quote(name: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte);
    let simple = name.bytes().all(plain)
        && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
        && !RESERVED.split(' ').any(|word| word == name);
    if simple {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("|{}|", name.replace('|', "!7c").replace('\\', "!5c")))
}

/// A prefix that starts no symbol of `term`.
fn unused_prefix(store: &TermStore, term: Term) -> String {
    let symbols = free_symbols(store, &[term]);
    let mut prefix = String::from("a!");
    while symbols.iter().any(|&symbol| store.name(symbol).starts_with(&prefix))
        || store.data_names().any(|name| name.starts_with(&prefix))
    {
        prefix.push('!');
    }
    prefix
}

/// The subterms whose text is part of the text of `term`; a negated inequality shows its form only,
/// and a quantified formula is a scope of its own.
fn printed_children(store: &TermStore, term: Term) -> &[Term] {
    let (shown, negated) = store.strip_not(term);
    if let Kind::Quantified(..) = store.kind(term) {
        &[]
    } else if negated && is_inequality(store, shown) {
        store.children(shown)
    } else {
        store.children(term)
    }
}

fn is_inequality(store: &TermStore, atom: Term) -> bool {
    matches!(store.comparison(atom), Some((Relation::Le | Relation::Lt, ..)))
}

/// How much text `term` has of its own, in units of a short word; a negation may show the number of
/// its atom.
fn own_weight(store: &TermStore, term: Term) -> u64 {
    let (shown, _) = store.strip_not(term);
    let kind = store.kind(shown);
    let extra = if let Kind::Symbol(symbol) | Kind::App(symbol, _) = kind {
        store.name(symbol).len() / 32
    } else if let Kind::Arith(kind) = kind {
        numbers_weight(kind)
    } else if let Kind::Quantified(..) = kind {
        // Its text is not looked at; it is long enough to get a name.
        return LIGHT;
    } else {
        0
    };
    1 + extra as u64
}

/// What its numbers add to the weight of an arithmetic term.
fn numbers_weight(kind: ArithKind<'_>) -> usize {
    let number = |value: &Rational| value.bits() / 64;
    match kind {
        ArithKind::Sum(sum) => {
            number(sum.constant()) + sum.iter().map(|(c, _)| number(c)).sum::<usize>()
        }
        ArithKind::Number(value)
        | ArithKind::Le(_, value)
        | ArithKind::Lt(_, value)
        | ArithKind::Eq(_, value)
        | ArithKind::Div(_, value)
        | ArithKind::Mod(_, value) => number(value),
        ArithKind::ToInt(_) => 0,
    }
}

/// What gets a name, innermost first: a binding of one level uses names of lower levels only.
struct Plan {
    levels: Vec<Vec<Term>>,
}

/// What the plan knows about a subterm.
#[derive(Clone, Copy, Default)]
struct Facts {
    parents: u32,
    weight: u64,
    /// How many levels of bindings its own text needs.
    depth: usize,
}

impl Facts {
    fn is_named(&self) -> bool {
        self.parents > 1 && self.weight >= LIGHT
    }
}

impl Plan {
    fn new(store: &TermStore, root: Term) -> Self {
        let order = postorder(store, root);
        let mut facts: Map<Term, Facts> =
            order.iter().map(|&term| (term, Facts::default())).collect();
        for &term in &order {
            for child in printed_children(store, term) {
                let child = facts.get_mut(child).expect("children are in the order");
                child.parents = child.parents.saturating_add(1);
            }
        }
        let mut levels: Vec<Vec<Term>> = Vec::new();
        for &term in &order {
            let (mut weight, mut depth) = (own_weight(store, term), 0);
            for child in printed_children(store, term).iter().map(|child| facts[child]) {
                weight = weight.saturating_add(child.weight);
                depth = depth.max(child.depth + usize::from(child.is_named()));
            }
            let known = facts.get_mut(&term).expect("every term of the order has facts");
            *known = Facts { parents: known.parents, weight, depth };
            if known.is_named() {
                levels.resize_with(levels.len().max(depth + 1), Vec::new);
                levels[depth].push(term);
            }
        }
        Self { levels }
    }
}

/// The subterms that show in the text, children first.
fn postorder(store: &TermStore, root: Term) -> Vec<Term> {
    let (mut order, mut seen) = (Vec::new(), shofar_base::Set::default());
    let mut stack = vec![(root, false)];
    while let Some((term, expanded)) = stack.pop() {
        if expanded {
            order.push(term);
        } else if seen.insert(term) {
            stack.push((term, true));
            stack.extend(printed_children(store, term).iter().rev().map(|&child| (child, false)));
        }
    }
    order
}

/// A piece of text still to be written.
enum Piece {
    Term(Term),
    /// The term itself, even if it has a name.
    Whole(Term),
    Text(&'static str),
    Word(String),
    /// From here on the term has this name.
    Named(Term, String),
    /// A term in front of which everything is bound that it shares.
    Scope(Term),
    /// The names of the innermost scope end.
    EndScope,
}

struct Printer<'a> {
    store: &'a TermStore,
    /// How the names begin.
    prefix: String,
    /// How many names there have been.
    named: usize,
    /// What has a name in each of the scopes that are open; the names of outer scopes are not
    /// used, because a variable may be bound in between.
    scopes: Vec<Map<Term, String>>,
    out: String,
    /// What remains to be written, the next piece last.
    work: Vec<Piece>,
}

impl Printer<'_> {
    fn run(&mut self) {
        while let Some(piece) = self.work.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(text),
                Piece::Word(word) => self.out.push_str(&word),
                Piece::Whole(term) => self.push(term),
                Piece::Term(term) => match self.name(term).map(str::to_owned) {
                    Some(name) => self.out.push_str(&name),
                    None => self.push(term),
                },
                Piece::Named(term, name) => {
                    self.scopes.last_mut().expect("a scope is open").insert(term, name);
                }
                Piece::Scope(term) => self.open_scope(term),
                Piece::EndScope => {
                    self.scopes.pop();
                }
            }
        }
    }
    fn name(&self, term: Term) -> Option<&str> {
        self.scopes.last()?.get(&term).map(String::as_str)
    }
    /// Binds what `term` shares, level by level, and then writes it.
    fn open_scope(&mut self, term: Term) {
        self.scopes.push(Map::default());
        let plan = Plan::new(self.store, term);
        let mut pieces = Vec::new();
        for level in &plan.levels {
            pieces.push(Piece::Text("(let ("));
            for (position, &shared) in level.iter().enumerate() {
                self.named += 1;
                let name = format!("{}{}", self.prefix, self.named);
                let space = if position == 0 { "" } else { " " };
                pieces.push(Piece::Word(format!("{space}({name} ")));
                pieces.push(Piece::Whole(shared));
                pieces.push(Piece::Text(")"));
                pieces.push(Piece::Named(shared, name));
            }
            pieces.push(Piece::Text(") "));
        }
        pieces.push(Piece::Whole(term));
        pieces.extend(plan.levels.iter().map(|_| Piece::Text(")")));
        pieces.push(Piece::EndScope);
        self.work.extend(pieces.into_iter().rev());
    }
    fn push(&mut self, term: Term) {
        let pieces = self.pieces(term);
        self.work.extend(pieces.into_iter().rev());
    }
    fn pieces(&self, term: Term) -> Vec<Piece> {
        match self.store.kind(term) {
            Kind::True => vec![Piece::Text("true")],
            Kind::False => vec![Piece::Text("false")],
            Kind::Symbol(symbol) => vec![Piece::Word(quote(self.store.name(symbol)).into_owned())],
            Kind::App(symbol, args) => call(
                Piece::Word(quote(self.store.name(symbol)).into_owned()),
                args.iter().map(|&arg| vec![Piece::Term(arg)]),
            ),
            Kind::Not(p) => self.negation(p),
            Kind::And(parts) => apply("and", parts),
            Kind::Or(parts) => apply("or", parts),
            Kind::Iff(p, q) => apply("=", &[p, q]),
            Kind::Ite(condition, a, b) => apply("ite", &[condition, a, b]),
            Kind::Same(a, b) => apply("=", &[a, b]),
            Kind::Quantified(quantifier, body, bound) => self.quantified(quantifier, body, bound),
            Kind::Arith(kind) => self.arithmetic(kind, self.store.sort(term)),
            Kind::Array(kind) => array(self.store, kind, self.store.sort(term)),
            Kind::Data(kind) => data(self.store, kind),
            Kind::Bits(kind) => bits(kind),
        }
    }
    fn arithmetic(&self, kind: ArithKind<'_>, sort: Sort) -> Vec<Piece> {
        match kind {
            ArithKind::Number(value) => vec![Piece::Word(print_number(value, sort))],
            ArithKind::Sum(sum) => self.sum(sum, sort),
            ArithKind::Le(form, bound) => self.comparison("<=", form, bound),
            ArithKind::Lt(form, bound) => self.comparison("<", form, bound),
            ArithKind::Eq(form, bound) => self.comparison("=", form, bound),
            ArithKind::Div(a, divisor) => self.relation("div", a, divisor),
            ArithKind::Mod(a, divisor) => self.relation("mod", a, divisor),
            ArithKind::ToInt(a) => apply("to_int", &[a]),
        }
    }
    fn quantified(&self, quantifier: Quantifier, body: Term, bound: &[Term]) -> Vec<Piece> {
        let binder = |&variable: &Term| {
            let symbol = self.store.symbol(variable).expect("what is bound is a constant");
            let sort = print_sort(self.store, self.store.sort(variable));
            format!("({} {sort})", quote(self.store.name(symbol)))
        };
        let binders: Vec<String> = bound.iter().map(binder).collect();
        let head = format!("({} ({}) ", quantifier.name(), binders.join(" "));
        vec![Piece::Word(head), Piece::Scope(body), Piece::Text(")")]
    }
    fn negation(&self, p: Term) -> Vec<Piece> {
        match self.store.comparison(p) {
            Some((Relation::Lt, form, bound)) => self.comparison(">=", form, bound),
            Some((Relation::Le, form, bound)) if self.store.sort(form).is_int() => {
                self.comparison(">=", form, &(bound + Rational::ONE))
            }
            Some((Relation::Le, form, bound)) => self.comparison(">", form, bound),
            Some((Relation::Eq, ..)) | None => apply("not", &[p]),
        }
    }
    /// `(operator form bound)`, with what is subtracted on the other side unless the form has a
    /// name.
    fn comparison(&self, operator: &'static str, form: Term, bound: &Rational) -> Vec<Piece> {
        let Some(sum) = self.store.as_sum(form) else {
            return self.relation(operator, form, bound);
        };
        debug_assert!(sum.constant().is_zero(), "the constant of a comparison is its bound");
        let sort = self.store.sort(form);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (coefficient, term) in sum.iter() {
            let side = if coefficient.is_negative() { &mut right } else { &mut left };
            side.push(self.monomial(&coefficient.abs(), term, sort));
        }
        if left.is_empty() || right.is_empty() || self.name(form).is_some() {
            return self.relation(operator, form, bound);
        }
        let operator = match operator {
            "<=" if sort.is_int() && *bound == Rational::MINUS_ONE => "<",
            ">=" if sort.is_int() && bound.is_one() => ">",
            _ => {
                let side = if bound.is_negative() { &mut left } else { &mut right };
                if !bound.is_zero() {
                    side.push(vec![Piece::Word(print_number(&bound.abs(), sort))]);
                }
                operator
            }
        };
        call(Piece::Text(operator), [total(left), total(right)])
    }
    /// `(operator term number)`, the number in the sort of the term.
    fn relation(&self, operator: &'static str, term: Term, number: &Rational) -> Vec<Piece> {
        let number = print_number(number, self.store.sort(term));
        call(Piece::Text(operator), [vec![Piece::Term(term)], vec![Piece::Word(number)]])
    }
    fn sum(&self, sum: Sum<'_>, sort: Sort) -> Vec<Piece> {
        let mut summands: Vec<Vec<Piece>> =
            sum.iter().map(|(c, t)| self.monomial(c, t, sort)).collect();
        if !sum.constant().is_zero() {
            summands.push(vec![Piece::Word(print_number(sum.constant(), sort))]);
        }
        total(summands)
    }
    fn monomial(&self, coefficient: &Rational, term: Term, sort: Sort) -> Vec<Piece> {
        let coerced = sort.is_real() && self.store.sort(term).is_int();
        let term = if coerced { apply("to_real", &[term]) } else { vec![Piece::Term(term)] };
        if coefficient.is_one() {
            term
        } else if *coefficient == Rational::MINUS_ONE {
            call(Piece::Text("-"), [term])
        } else {
            call(Piece::Text("*"), [vec![Piece::Word(print_number(coefficient, sort))], term])
        }
    }
}

fn array(store: &TermStore, kind: ArrayKind, sort: Sort) -> Vec<Piece> {
    match kind {
        ArrayKind::Select(a, i) => apply("select", &[a, i]),
        ArrayKind::Store(a, i, v) => apply("store", &[a, i, v]),
        ArrayKind::Const(v) => {
            let head = Piece::Word(format!("(as const {})", print_sort(store, sort)));
            call(head, [vec![Piece::Term(v)]])
        }
    }
}

/// The name of a constructor, with its sort where others have the same name.
pub(crate) fn print_constructor(store: &TermStore, constructor: Constructor) -> String {
    let name = quote(store.constructor_name(constructor));
    if !store.has_twin(constructor) {
        return name.into_owned();
    }
    format!("(as {name} {})", print_sort(store, store.constructor_sort(constructor)))
}

fn data(store: &TermStore, kind: DataKind<'_>) -> Vec<Piece> {
    let one = |head: String, term: Term| call(Piece::Word(head), [vec![Piece::Term(term)]]);
    match kind {
        DataKind::Construct(constructor, fields) => {
            let name = Piece::Word(print_constructor(store, constructor));
            if fields.is_empty() {
                return vec![name];
            }
            call(name, fields.iter().map(|&field| vec![Piece::Term(field)]))
        }
        DataKind::Field(field, term) => one(quote(store.field_name(field)).into_owned(), term),
        DataKind::Is(constructor, term) => {
            one(format!("(_ is {})", quote(store.constructor_name(constructor))), term)
        }
    }
}

fn bits(kind: BitsKind<'_>) -> Vec<Piece> {
    let indexed = |head: String, args: &[Term]| {
        call(Piece::Word(head), args.iter().map(|&arg| vec![Piece::Term(arg)]))
    };
    match kind {
        BitsKind::Value(value) => vec![Piece::Word(value.to_string())],
        BitsKind::OfInt(width, term) => indexed(format!("(_ int_to_bv {width})"), &[term]),
        BitsKind::ToNat(term) => apply("ubv_to_int", &[term]),
        BitsKind::Op(op, args) => match op {
            BitsOp::Extract(high, low) => indexed(format!("(_ extract {high} {low})"), args),
            BitsOp::SignExtend(more) => indexed(format!("(_ sign_extend {more})"), args),
            BitsOp::ZeroExtend(more) => indexed(format!("(_ zero_extend {more})"), args),
            BitsOp::Not => apply("bvnot", args),
            BitsOp::And => apply("bvand", args),
            BitsOp::Or => apply("bvor", args),
            BitsOp::Xor => apply("bvxor", args),
            BitsOp::Add => apply("bvadd", args),
            BitsOp::Mul => apply("bvmul", args),
            BitsOp::Udiv => apply("bvudiv", args),
            BitsOp::Urem => apply("bvurem", args),
            BitsOp::Sdiv => apply("bvsdiv", args),
            BitsOp::Srem => apply("bvsrem", args),
            BitsOp::Smod => apply("bvsmod", args),
            BitsOp::Shl => apply("bvshl", args),
            BitsOp::Lshr => apply("bvlshr", args),
            BitsOp::Ashr => apply("bvashr", args),
            BitsOp::Concat => apply("concat", args),
            BitsOp::Ule => apply("bvule", args),
            BitsOp::Sle => apply("bvsle", args),
        },
    }
}

/// The sum of at least one summand.
fn total(mut summands: Vec<Vec<Piece>>) -> Vec<Piece> {
    if summands.len() == 1 { summands.swap_remove(0) } else { call(Piece::Text("+"), summands) }
}

/// `(operator args...)`.
fn apply(operator: &'static str, args: &[Term]) -> Vec<Piece> {
    call(Piece::Text(operator), args.iter().map(|&arg| vec![Piece::Term(arg)]))
}

/// `(head args...)`.
fn call(head: Piece, args: impl IntoIterator<Item = Vec<Piece>>) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text("("), head];
    for arg in args {
        pieces.push(Piece::Text(" "));
        pieces.extend(arg);
    }
    pieces.push(Piece::Text(")"));
    pieces
}

#[cfg(test)]
mod tests;
