//! Sets of numbers, as they are described by comparisons of one term.
//!
//! A set is given by the cuts at which membership changes; a cut lies just before or just after a
//! number. The cuts of a set of integers lie just before integers, so that equal sets are equal as
//! values. A truth value is 0 or 1 here.

use shofar_num::Rational;

use crate::compact::Junction;
use crate::{ArithKind, Relation, Sort, Term, TermStore};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Cut {
    at: Rational,
    /// Whether it lies just after the number.
    after: bool,
}

/// A set of numbers; see the module documentation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Range {
    /// Whether numbers below all cuts belong to it.
    from_start: bool,
    /// Increasing.
    cuts: Vec<Cut>,
}

/// What a term of some kind can be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Domain {
    Real,
    Int,
    /// The integers from 0 to below this.
    Below(Rational),
}

impl Domain {
    fn of(store: &TermStore, form: Term) -> Self {
        if store.sort(form).is_bool() {
            Domain::Below(Rational::from(2))
        } else if let Some(ArithKind::Mod(_, modulus)) = store.arith(form) {
            Domain::Below(modulus.clone())
        } else if store.sort(form).is_int() {
            Domain::Int
        } else {
            Domain::Real
        }
    }
    fn universe(&self) -> Range {
        match self {
            Domain::Real | Domain::Int => Range { from_start: true, cuts: Vec::new() },
            Domain::Below(end) => {
                let cuts = [Rational::ZERO, end.clone()].map(|at| Cut { at, after: false });
                Range { from_start: false, cuts: cuts.to_vec() }
            }
        }
    }
    /// The cut just before or after a number, which is an integer unless all is real.
    fn cut(&self, at: &Rational, after: bool) -> Cut {
        match self {
            Domain::Real => Cut { at: at.clone(), after },
            Domain::Int | Domain::Below(_) if after => {
                Cut { at: at.floor() + Rational::ONE, after: false }
            }
            Domain::Int | Domain::Below(_) => Cut { at: at.ceil(), after: false },
        }
    }
}

impl Range {
    /// The term that `literal` speaks about, and the values for which it is true.
    pub(super) fn of_literal(store: &TermStore, literal: Term) -> (Term, Range) {
        let (atom, negated) = store.strip_not(literal);
        let (relation, form, number) = match store.comparison(atom) {
            Some((relation, form, bound)) => (relation, form, bound.clone()),
            None => (Relation::Eq, atom, Rational::ONE),
        };
        let domain = Domain::of(store, form);
        let is_equation = relation == Relation::Eq;
        let cuts = match relation {
            Relation::Eq => vec![domain.cut(&number, false), domain.cut(&number, true)],
            Relation::Le => vec![domain.cut(&number, true)],
            Relation::Lt => vec![domain.cut(&number, false)],
        };
        let universe = domain.universe();
        let range = Range { from_start: !is_equation, cuts }.intersection(&universe);
        (form, if negated { universe.without(&range) } else { range })
    }
    /// All values that `form` can have.
    pub(super) fn universe(store: &TermStore, form: Term) -> Range {
        Domain::of(store, form).universe()
    }
    pub(super) fn is_empty(&self) -> bool {
        !self.from_start && self.cuts.is_empty()
    }
    pub(super) fn union(&self, other: &Range) -> Range {
        self.combined(other, |a, b| a || b)
    }
    pub(super) fn intersection(&self, other: &Range) -> Range {
        self.combined(other, |a, b| a && b)
    }
    pub(super) fn without(&self, other: &Range) -> Range {
        self.combined(other, |a, b| a && !b)
    }
    pub(super) fn is_subset(&self, other: &Range) -> bool {
        self.without(other).is_empty()
    }
    fn combined(&self, other: &Range, keep: impl Fn(bool, bool) -> bool) -> Range {
        let (mut inside, mut inside_other) = (self.from_start, other.from_start);
        let mut is_kept = keep(inside, inside_other);
        let mut result = Range { from_start: is_kept, cuts: Vec::new() };
        let (mut mine, mut others) = (self.cuts.iter().peekable(), other.cuts.iter().peekable());
        loop {
            let cut = match (mine.peek(), others.peek()) {
                (Some(&a), Some(&b)) => a.min(b),
                (Some(&cut), None) | (None, Some(&cut)) => cut,
                (None, None) => return result,
            };
            if mine.next_if_eq(&cut).is_some() {
                inside = !inside;
            }
            if others.next_if_eq(&cut).is_some() {
                inside_other = !inside_other;
            }
            if keep(inside, inside_other) != is_kept {
                is_kept = !is_kept;
                result.cuts.push(cut.clone());
            }
        }
    }
    /// The formulas whose junction says that `form` is in the set, as few as possible; if there is
    /// a choice, they are to be joined by `preferred`.
    pub(super) fn formulas(
        &self,
        store: &mut TermStore,
        form: Term,
        preferred: Junction,
    ) -> (Junction, Vec<Term>) {
        let universe = Range::universe(store, form);
        if *self == universe {
            return (Junction::And, Vec::new());
        }
        let sort = store.sort(form);
        if sort.is_bool() {
            let is_true = self.cuts.first().is_some_and(|cut| !cut.at.is_zero());
            let literal = if is_true { form } else { store.not(form) };
            let literals = if self.is_empty() { Vec::new() } else { vec![literal] };
            return (Junction::Or, literals);
        }
        // What the term cannot be may be allowed as well, if that is shorter.
        let [below, above] = universe.beyond();
        let extended = [self.clone(), self.union(&below), self.union(&above)];
        let both = extended[1].union(&above);
        let ways = extended.iter().chain([&both]).flat_map(|range| {
            let way = |junction| (range.atoms(sort, junction), range, junction);
            [preferred, preferred.dual()].map(way)
        });
        // The first of the best ways is taken.
        let (_, range, junction) = ways.min_by_key(|way| way.0).expect("there are some ways");
        (junction, range.joined(store, form, junction))
    }
    /// How many atoms [`joined`](Self::joined) makes.
    fn atoms(&self, sort: Sort, junction: Junction) -> usize {
        let count = |piece: &Piece<'_>| match piece {
            (None, None) => 0,
            (Some(low), Some(high)) if is_point(sort, low, high) => 1,
            (Some(_), Some(_)) => 2,
            (Some(_), None) | (None, Some(_)) => 1,
        };
        match junction {
            Junction::Or => self.pieces().iter().map(count).sum(),
            Junction::And => self.complement().pieces().iter().map(count).sum(),
        }
    }
    /// The numbers below all of the set, and those above all of it.
    fn beyond(&self) -> [Range; 2] {
        let nothing = Range { from_start: false, cuts: Vec::new() };
        let below = match self.cuts.first() {
            Some(cut) if !self.from_start => Range { from_start: true, cuts: vec![cut.clone()] },
            Some(_) | None => nothing.clone(),
        };
        let above = match self.cuts.last() {
            Some(cut) if !self.is_to_end() => Range { from_start: false, cuts: vec![cut.clone()] },
            Some(_) | None => nothing,
        };
        [below, above]
    }
    /// Whether numbers above all cuts belong to it.
    fn is_to_end(&self) -> bool {
        self.from_start == self.cuts.len().is_multiple_of(2)
    }
    /// The least bounds of the set from below and from above, as far as there are some, each as the
    /// set it describes.
    pub(super) fn bounds(&self) -> [Option<Range>; 2] {
        self.beyond().map(|beyond| (!beyond.is_empty()).then(|| beyond.complement()))
    }
    /// The set without its bound from one side, one of [`bounds`](Self::bounds).
    pub(super) fn without_bound(&self, bound: &Range) -> Range {
        self.union(&bound.complement())
    }
    /// Whether a bound is said by an atom of its own.
    pub(super) fn is_wide(&self, store: &TermStore, form: Term) -> bool {
        let pieces = self.pieces();
        !matches!(pieces.as_slice(), [(Some(low), Some(high))] if is_point(store.sort(form), low, high))
    }
    fn complement(&self) -> Range {
        Range { from_start: !self.from_start, cuts: self.cuts.clone() }
    }
    /// That `form` is in one of the pieces of the set, or in none of the pieces between them.
    fn joined(&self, store: &mut TermStore, form: Term, junction: Junction) -> Vec<Term> {
        match junction {
            Junction::Or => {
                self.pieces().into_iter().map(|piece| inside(store, form, piece)).collect()
            }
            Junction::And => {
                let mut parts = Vec::new();
                for piece in self.complement().pieces() {
                    let excluded = inside(store, form, piece);
                    parts.push(store.not(excluded));
                }
                parts
            }
        }
    }
    /// The intervals of the set.
    fn pieces(&self) -> Vec<Piece<'_>> {
        let mut pieces = Vec::new();
        let mut low = self.from_start.then_some(None);
        for cut in &self.cuts {
            match low.take() {
                Some(low) => pieces.push((low, Some(cut))),
                None => low = Some(Some(cut)),
            }
        }
        pieces.extend(low.map(|low| (low, None)));
        pieces
    }
}

/// An interval by its ends, as far as there are some.
type Piece<'r> = (Option<&'r Cut>, Option<&'r Cut>);

/// Whether there is just one number of this sort between two cuts.
fn is_point(sort: Sort, low: &Cut, high: &Cut) -> bool {
    if sort.is_real() { low.at == high.at } else { &low.at + &Rational::ONE == high.at }
}

/// That `form` is in an interval.
fn inside(store: &mut TermStore, form: Term, piece: Piece<'_>) -> Term {
    let sort = store.sort(form);
    let mut number = |cut: &Cut| store.number(cut.at.clone(), sort);
    match piece {
        (Some(low), Some(high)) if is_point(sort, low, high) => {
            let value = number(low);
            store.eq(form, value)
        }
        (low, high) => {
            let (low, high) = (low.map(|c| (number(c), c)), high.map(|c| (number(c), c)));
            let mut parts = Vec::new();
            if let Some((value, cut)) = low {
                parts.push(if cut.after { store.gt(form, value) } else { store.ge(form, value) });
            }
            if let Some((value, cut)) = high {
                parts.push(if cut.after { store.le(form, value) } else { store.lt(form, value) });
            }
            store.and(&parts)
        }
    }
}
