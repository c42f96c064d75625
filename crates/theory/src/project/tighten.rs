//! Of several bounds on one form, the tightest.
//!
//! Bounds on the same form are recognised by the form's handle, as the constructors of terms bring
//! every atom into one shape. An equality makes the bounds superfluous; a lower bound that meets an
//! upper one becomes an equality.

use shofar_base::Map;
use shofar_num::{Delta, Rational};
use shofar_term::{Comparison, LinearLiteral, Sort, Term, TermStore};

/// What is known of one form; bounds with an infinitesimal are strict.
#[derive(Default)]
struct Range {
    lower: Option<Delta>,
    upper: Option<Delta>,
    equal: Option<Rational>,
}

enum Entry {
    Form(Term),
    Other(Term),
}

/// Literals equivalent to `literals`, which have a common model: per form one lower and one upper
/// bound or one equality.
///
/// ```
/// use shofar_term::{Sort, TermStore};
/// use shofar_theory::project::tighten;
/// let mut store = TermStore::new();
/// let (x, three, five) = (store.var("x", Sort::INT), store.int(3), store.int(5));
/// let (loose, tight) = (store.le(x, five), store.le(x, three));
/// assert_eq!(tighten(&mut store, &[loose, tight]), [tight]);
/// ```
pub fn tighten(store: &mut TermStore, literals: &[Term]) -> Vec<Term> {
    let mut ranges: Map<Term, Range> = Map::default();
    let mut entries = Vec::new();
    for &literal in literals {
        let Some(form) = form_of(store, literal) else {
            entries.push(Entry::Other(literal));
            continue;
        };
        let range = ranges.entry(form).or_insert_with(|| {
            entries.push(Entry::Form(form));
            Range::default()
        });
        range.note(store, literal);
    }
    let mut result = Vec::new();
    for entry in entries {
        match entry {
            Entry::Other(literal) => result.push(literal),
            Entry::Form(form) => ranges[&form].literals(store, form, &mut result),
        }
    }
    let mut seen = shofar_base::Set::default();
    result.retain(|&literal| seen.insert(literal));
    result
}

/// The form of a literal that bounds one; a false equality does not.
fn form_of(store: &TermStore, literal: Term) -> Option<Term> {
    Some(LinearLiteral::of(store, literal)?.form)
}

impl Range {
    fn note(&mut self, store: &TermStore, literal: Term) {
        let Some(LinearLiteral { relation, bound, .. }) = LinearLiteral::of(store, literal) else {
            return;
        };
        let near = |delta: i64| Delta { real: bound.clone(), delta: delta.into() };
        match relation {
            Comparison::Equal => self.equal = Some(bound),
            Comparison::AtMost => self.note_upper(near(0)),
            Comparison::Below => self.note_upper(near(-1)),
            Comparison::AtLeast => self.note_lower(near(0)),
            Comparison::Above => self.note_lower(near(1)),
        }
    }
    fn note_lower(&mut self, bound: Delta) {
        if self.lower.as_ref().is_none_or(|known| bound > *known) {
            self.lower = Some(bound);
        }
    }
    fn note_upper(&mut self, bound: Delta) {
        if self.upper.as_ref().is_none_or(|known| bound < *known) {
            self.upper = Some(bound);
        }
    }
    fn literals(&self, store: &mut TermStore, form: Term, result: &mut Vec<Term>) {
        let met = (self.lower == self.upper).then(|| self.lower.as_ref().map(|b| b.real.clone()));
        if let Some(value) = self.equal.clone().or(met.flatten()) {
            let value = store.number(value, Sort::REAL);
            result.push(store.eq(form, value));
            return;
        }
        if let Some(Delta { real, delta }) = &self.lower {
            let bound = store.number(real.clone(), Sort::REAL);
            let strict = !delta.is_zero();
            result.push(if strict { store.gt(form, bound) } else { store.ge(form, bound) });
        }
        if let Some(Delta { real, delta }) = &self.upper {
            let bound = store.number(real.clone(), Sort::REAL);
            let strict = !delta.is_zero();
            result.push(if strict { store.lt(form, bound) } else { store.le(form, bound) });
        }
    }
}
