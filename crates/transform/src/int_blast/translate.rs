//! One clause over integers.
//!
//! Every subterm is translated once, children first, so the graph keeps its sharing. Vectors become
//! [`Number`]s, all other terms are rebuilt. What needs further variables (bits of a number,
//! results that integers do not show) adds *facts* to the constraint: whatever the old variables
//! are, values for the new ones exist that make the facts true, so facts may stand at the top
//! whatever the polarity of the term that asked for them.

use shofar_base::Map;
use shofar_chc::{Clause, PredAtom, PredId};
use shofar_num::{Rational, power_of_two};
use shofar_term::visit::postorder;
use shofar_term::{ArithKind, BitsKind, BitsOp, Kind, Relation, Sort, Symbol, Term, TermStore};

use super::IntBlast;
use super::number::{Number, Range, Reading};
use super::operators::{Gate, Part, Shift};

/// Choices are looked into so deeply for the range of an integer.
const DEEPEST_CHOICE: usize = 4;

/// What a term became.
#[derive(Clone, Debug)]
enum Image {
    /// A vector.
    Vector(Number),
    /// Anything else.
    Other(Term),
}

/// A clause on its way.
pub(super) struct Translation<'s> {
    pub(super) store: &'s mut TermStore,
    pub(super) limits: IntBlast,
    /// What variables became.
    variables: Map<Symbol, (Term, Reading)>,
    images: Map<Term, Image>,
    /// Integers between whose bounds the constraint puts them.
    bounds: Map<Term, Range>,
    /// The bits of numbers, the lowest first, by term and width.
    pub(super) bits: Map<(Term, u32), Vec<Term>>,
    pub(super) facts: Vec<Term>,
    /// Whether the new clause says all that the old one says.
    pub(super) exact: bool,
}

impl<'s> Translation<'s> {
    /// `variables` are the vectors of the clause, with the integers that they become.
    pub(super) fn new(
        store: &'s mut TermStore,
        limits: IntBlast,
        variables: &[(Symbol, Reading, Symbol)],
    ) -> Self {
        let variables = variables
            .iter()
            .map(|&(from, reading, to)| (from, (store.constant(to), reading)))
            .collect();
        Self {
            store,
            limits,
            variables,
            images: Map::default(),
            bounds: Map::default(),
            bits: Map::default(),
            facts: Vec::new(),
            exact: true,
        }
    }
    /// The clause over integers; `arguments` says how the arguments of a predicate are read.
    pub(super) fn clause<'r>(
        &mut self,
        clause: &Clause,
        arguments: impl Fn(PredId) -> &'r [Option<Reading>],
    ) -> Clause {
        self.bounds = bounds(self.store, clause.constraint);
        for term in postorder(self.store, &clause.terms()) {
            let image = self.image(term);
            self.images.insert(term, image);
        }
        let mut atom = |atom: &PredAtom| {
            let readings = arguments(atom.pred);
            let args = atom.args.iter().zip(readings);
            let args = args.map(|(&arg, reading)| match reading {
                Some(reading) => self.read(arg, *reading).term,
                None => self.other(arg),
            });
            PredAtom { pred: atom.pred, args: args.collect() }
        };
        let body = clause.body.iter().map(&mut atom).collect();
        let head = clause.head.as_ref().map(&mut atom);
        let mut parts = vec![self.other(clause.constraint)];
        parts.append(&mut self.facts);
        let constraint = self.store.and(&parts);
        Clause { head, body, constraint, span: clause.span }
    }
    /// The image of a vector, whose own subterms have images.
    pub(super) fn number(&self, term: Term) -> Number {
        match &self.images[&term] {
            Image::Vector(number) => number.clone(),
            Image::Other(_) => unreachable!("vectors become numbers"),
        }
    }
    fn other(&self, term: Term) -> Term {
        match self.images[&term] {
            Image::Other(term) => term,
            Image::Vector(_) => unreachable!("only vectors become numbers"),
        }
    }
    /// The integer that `reading` makes of a vector.
    pub(super) fn read(&mut self, term: Term, reading: Reading) -> Number {
        let number = self.number(term);
        number.wrapped(self.store, self.store.width(term), reading)
    }
    /// An integer of which nothing is known but its range.
    pub(super) fn unknown(&mut self, range: Range) -> Number {
        let symbol = self.store.fresh("v", Sort::INT);
        let term = self.store.constant(symbol);
        self.bound(term, &range);
        Number { term, range }
    }
    /// Says that `term` lies in `range`.
    fn bound(&mut self, term: Term, range: &Range) {
        if let Some((low, high)) = range.bounds() {
            let (low, high) = (low.clone(), high.clone());
            let low = self.store.number(low, Sort::INT);
            let high = self.store.number(high, Sort::INT);
            let bounds = [self.store.ge(term, low), self.store.le(term, high)];
            self.facts.extend(bounds);
        }
    }
    fn image(&mut self, term: Term) -> Image {
        let width = self.store.bits_width(self.store.sort(term));
        if let Some(width) = width {
            return Image::Vector(self.vector(term, width));
        }
        if let Kind::Same(a, b) = self.store.kind(term)
            && let Some(width) = self.store.bits_width(self.store.sort(a))
        {
            let (a, b) = (self.number(a), self.number(b));
            return Image::Other(a.congruent(self.store, &b, width));
        }
        let image = match self.store.bits_kind(term) {
            Some(BitsKind::Op(BitsOp::Ule, &[a, b])) => self.compare(a, b, Reading::Unsigned),
            Some(BitsKind::Op(BitsOp::Sle, &[a, b])) => self.compare(a, b, Reading::Signed),
            Some(BitsKind::ToNat(a)) => self.read(a, Reading::Unsigned).term,
            Some(BitsKind::Op(..) | BitsKind::Value(_) | BitsKind::OfInt(..)) => {
                unreachable!("all others are vectors")
            }
            None => {
                let children: Vec<Term> =
                    self.store.children(term).iter().map(|&child| self.other(child)).collect();
                self.store.rebuild(term, &children)
            }
        };
        Image::Other(image)
    }
    /// What is known of the range of an integer term of the source.
    fn range(&self, integer: Term, depth: usize) -> Range {
        let linear = self.store.linear(integer);
        let mut range = Range::point(&linear.constant);
        for (factor, term) in linear.monomials() {
            range = range.add(&self.range_of_monomial(*term, depth).scale(factor));
        }
        range
    }
    fn range_of_monomial(&self, term: Term, depth: usize) -> Range {
        if let Some(range) = self.bounds.get(&term) {
            return range.clone();
        }
        let kind = self.store.kind(term);
        if let Kind::Arith(ArithKind::Mod(_, divisor)) = kind {
            Range::new(Rational::ZERO, divisor - Rational::ONE)
        } else if let Kind::Bits(BitsKind::ToNat(vector)) = kind {
            Range::window(self.store.width(vector), Reading::Unsigned)
        } else if let Kind::Ite(_, a, b) = kind
            && depth > 0
        {
            self.range(a, depth - 1).join(&self.range(b, depth - 1))
        } else {
            Range::ALL
        }
    }
    fn compare(&mut self, a: Term, b: Term, reading: Reading) -> Term {
        let (a, b) = (self.read(a, reading), self.read(b, reading));
        self.store.le(a.term, b.term)
    }
    fn vector(&mut self, term: Term, width: u32) -> Number {
        if let Some(symbol) = self.store.symbol(term) {
            let (term, reading) = self.variables[&symbol];
            let range = Range::window(width, reading);
            self.bound(term, &range);
            return Number { term, range };
        }
        if let Some([condition, a, b]) = self.store.choice(term) {
            let (condition, a, b) = (self.other(condition), self.number(a), self.number(b));
            return Number::choose(self.store, condition, &a, &b);
        }
        match self.store.bits_kind(term) {
            // Small numbers of either sign give small sums.
            Some(BitsKind::Value(bits)) => {
                let value = bits.to_int();
                Number::constant(self.store, &value)
            }
            Some(BitsKind::OfInt(_, integer)) => {
                let (term, range) = (self.other(integer), self.range(integer, DEEPEST_CHOICE));
                Number { term, range }
            }
            Some(BitsKind::Op(op, args)) => {
                let args = args.to_vec();
                self.operator(op, &args, width)
            }
            Some(BitsKind::ToNat(_)) | None => {
                unreachable!("the pass has looked for such vectors")
            }
        }
    }
    fn operator(&mut self, op: BitsOp, args: &[Term], width: u32) -> Number {
        match (op, args) {
            (BitsOp::Not, &[a]) => {
                let negated = self.number(a).scale(self.store, &Rational::MINUS_ONE);
                let minus_one = Number::constant(self.store, &Rational::MINUS_ONE);
                Number::add(self.store, &[negated, minus_one])
            }
            (BitsOp::Add, args) => {
                let summands: Vec<Number> = args.iter().map(|&arg| self.number(arg)).collect();
                Number::add(self.store, &summands)
            }
            (BitsOp::Mul, &[a, b]) => self.product(a, b, width),
            (BitsOp::And, &[a, b]) => self.bitwise(Gate::And, a, b, width),
            (BitsOp::Or, &[a, b]) => self.bitwise(Gate::Or, a, b, width),
            (BitsOp::Xor, &[a, b]) => self.bitwise(Gate::Xor, a, b, width),
            (BitsOp::Udiv, &[a, b]) => self.unsigned_division(Part::Quotient, a, b, width),
            (BitsOp::Urem, &[a, b]) => self.unsigned_division(Part::Remainder, a, b, width),
            (BitsOp::Sdiv, &[a, b]) => self.signed_division(Part::Quotient, a, b, width),
            (BitsOp::Srem, &[a, b]) => self.signed_division(Part::Remainder, a, b, width),
            (BitsOp::Smod, &[a, b]) => self.signed_division(Part::Modulus, a, b, width),
            (BitsOp::Shl, &[a, b]) => self.shift(Shift::Left, a, b, width),
            (BitsOp::Lshr, &[a, b]) => self.shift(Shift::Logical, a, b, width),
            (BitsOp::Ashr, &[a, b]) => self.shift(Shift::Arithmetic, a, b, width),
            (BitsOp::Concat, &[high, low]) => {
                let factor = power_of_two(self.store.width(low));
                let high = self.number(high).scale(self.store, &factor);
                let low = self.read(low, Reading::Unsigned);
                Number::add(self.store, &[high, low])
            }
            // The bits above are those of a multiple of the new modulus, so they need not be cut
            // off.
            (BitsOp::Extract(_, low), &[a]) => {
                let divisor = power_of_two(low.into());
                self.number(a).quotient(self.store, &divisor)
            }
            (BitsOp::ZeroExtend(_), &[a]) => self.read(a, Reading::Unsigned),
            (BitsOp::SignExtend(_), &[a]) => self.read(a, Reading::Signed),
            _ => {
                unreachable!("comparisons are formulas, and operators have the arguments they take")
            }
        }
    }
}

/// The bounds that conjuncts give to single integer terms. They hold wherever the clause says
/// something, so ranges that are derived from them may be used in all of it.
fn bounds(store: &TermStore, constraint: Term) -> Map<Term, Range> {
    let mut bounds: Map<Term, Range> = Map::default();
    for part in store.conjuncts(&[constraint]) {
        let (atom, negated) = store.strip_not(part);
        let Some((relation, form, bound)) = store.comparison(atom) else { continue };
        if !store.sort(form).is_int() {
            continue;
        }
        let range = bounds.entry(form).or_insert(Range::ALL);
        match (relation, negated) {
            (Relation::Le, false) => range.lower_to(bound),
            (Relation::Le, true) => range.raise_to(&(bound + Rational::ONE)),
            (Relation::Eq, false) => {
                range.lower_to(bound);
                range.raise_to(bound);
            }
            (Relation::Eq, true) | (Relation::Lt, _) => (),
        }
    }
    bounds
}
