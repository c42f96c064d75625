//! What constructors, selectors and testers imply.
//!
//! 1. Equal constructor terms have equal arguments; those of different constructors are a
//!    contradiction.
//! 2. A selector of a constructor term is the argument, a tester is true or false of it.
//! 3. What a tester says to be made by a constructor is that constructor of its fields; so is a
//!    record, whose type has one constructor only.
//! 4. What no constructor made does not exist; neither does what contains itself.
//!
//! Source: [BST07].

use shofar_base::{Map, Set};
use shofar_num::Rational;
use shofar_term::{Constructor, DataKind, Field, Kind, Relation, Term};

use super::{Saturation, scaled};

impl Saturation<'_> {
    /// The constructor terms.
    fn made(&self) -> Vec<(Term, Constructor, &[Term])> {
        let made = |&term: &Term| match self.closure.store.data_kind(term)? {
            DataKind::Construct(constructor, args) => Some((term, constructor, args)),
            DataKind::Field(..) | DataKind::Is(..) => None,
        };
        self.closure.terms.iter().filter_map(made).collect()
    }
    /// A constructor term of each class that has one.
    fn made_of_class(&self) -> Map<usize, Term> {
        self.made().into_iter().map(|(term, _, _)| (self.closure.class_of(term), term)).collect()
    }
    pub(super) fn constructors_differ(&self, classes: [usize; 2]) -> bool {
        let made = self.made_of_class();
        let [one, other] = classes.map(|class| made.get(&class).copied());
        one.zip(other).is_some_and(|(a, b)| self.closure.store.differ(a, b))
    }
    /// Whether two constructor terms differ in their arguments: one pair of arguments differs, or a
    /// conjunction that does not hold says that pairs of arguments are equal.
    pub(super) fn parts_differ(&self, a: Term, b: Term) -> bool {
        let store = self.closure.store;
        let (mut open, mut pairs) = (vec![(a, b)], Vec::new());
        while let Some((a, b)) = open.pop() {
            match (store.data_kind(a), store.data_kind(b)) {
                (Some(DataKind::Construct(c, xs)), Some(DataKind::Construct(d, ys))) if c == d => {
                    open.extend(xs.iter().copied().zip(ys.iter().copied()));
                }
                _ => pairs.push((a, b)),
            }
        }
        if pairs == [(a, b)] {
            return false;
        }
        let says = |part: Term| pairs.iter().any(|&(x, y)| self.says_equal(part, x, y));
        pairs.iter().any(|&(x, y)| self.differ(x, y))
            || self.conjunctions.iter().any(|parts| parts.iter().all(|&part| says(part)))
    }
    /// Whether `formula` holds if and only if `x` and `y` are equal.
    fn says_equal(&self, formula: Term, x: Term, y: Term) -> bool {
        let store = self.closure.store;
        let class = |t: Term| self.closure.class_of(t);
        if let Kind::Same(a, b) | Kind::Iff(a, b) = store.kind(formula) {
            let [a, b, x, y] = [a, b, x, y].map(class);
            return (a, b) == (x, y) || (b, a) == (x, y);
        }
        if store.sort(x).is_bool() {
            let (atom, negated) = store.strip_not(formula);
            let truth = if negated { store.bottom() } else { store.top() };
            return (atom, truth) == (x, y) || (atom, truth) == (y, x);
        }
        let Some((Relation::Eq, form, bound)) = store.comparison(formula) else { return false };
        let (mut zero, mut difference) = (store.linear(form), store.linear(x));
        zero.constant -= bound;
        difference.add_scaled(&Rational::MINUS_ONE, &store.linear(y));
        scaled(zero).is_some_and(|zero| scaled(difference) == Some(zero))
    }
    pub(super) fn derive_data(&mut self) -> bool {
        let store = self.closure.store;
        let first = self.made_of_class();
        let mut equal: Vec<(Term, Term)> = Vec::new();
        for &term in &self.closure.terms {
            let Some(kind) = store.data_kind(term) else { continue };
            let of =
                |t: Term| first.get(&self.closure.class_of(t)).and_then(|&m| store.data_kind(m));
            match kind {
                DataKind::Construct(constructor, args) => {
                    if let Some(DataKind::Construct(c, others)) = of(term)
                        && c == constructor
                    {
                        equal.extend(args.iter().copied().zip(others.iter().copied()));
                    }
                }
                DataKind::Field(field, whole) => {
                    if let Some(DataKind::Construct(c, args)) = of(whole)
                        && c == store.field_constructor(field)
                    {
                        equal.push((term, args[store.field_place(field)]));
                    }
                }
                DataKind::Is(constructor, whole) => {
                    if let Some(DataKind::Construct(c, _)) = of(whole) {
                        let truth = if c == constructor { store.top() } else { store.bottom() };
                        equal.push((term, truth));
                    }
                }
            }
        }
        equal.extend(self.rebuilt());
        equal.into_iter().fold(false, |changed, (a, b)| self.closure.join(a, b) | changed)
    }
    /// The values of fields, by the field and the class that it is taken of.
    fn fields(&self) -> Map<(Field, usize), usize> {
        let store = self.closure.store;
        let class = |t: Term| self.closure.class_of(t);
        let mut fields = Map::default();
        for &term in &self.closure.terms {
            match store.data_kind(term) {
                Some(DataKind::Field(field, whole)) => {
                    fields.insert((field, class(whole)), class(term));
                }
                Some(DataKind::Construct(constructor, args)) => {
                    for (&field, &arg) in store.constructor_fields(constructor).iter().zip(args) {
                        fields.insert((field, class(term)), class(arg));
                    }
                }
                Some(DataKind::Is(..)) | None => {}
            }
        }
        fields
    }
    /// Terms that are equal because they have the same fields, and one constructor made both.
    fn rebuilt(&self) -> Vec<(Term, Term)> {
        let store = self.closure.store;
        let fields = self.fields();
        let top = self.closure.class_of(store.top());
        let mut wholes: Vec<(Constructor, Term)> = Vec::new();
        for &term in &self.closure.terms {
            if let Some(DataKind::Is(constructor, whole)) = store.data_kind(term)
                && self.closure.class_of(term) == top
            {
                wholes.push((constructor, whole));
            }
            if let Some(&[only]) = store.constructors(store.sort(term)) {
                wholes.push((only, term));
            }
        }
        wholes.extend(self.made().into_iter().map(|(term, constructor, _)| (constructor, term)));
        let mut known: Map<(Constructor, Vec<usize>), Term> = Map::default();
        let mut equal = Vec::new();
        for (constructor, whole) in wholes {
            let class = self.closure.class_of(whole);
            let parts = store.constructor_fields(constructor).iter();
            if let Some(parts) = parts.map(|&f| fields.get(&(f, class)).copied()).collect() {
                let other = *known.entry((constructor, parts)).or_insert(whole);
                equal.push((whole, other));
            }
        }
        equal
    }
    /// Whether all constructors are denied for some term.
    pub(super) fn is_exhausted(&self) -> bool {
        let store = self.closure.store;
        let bottom = self.closure.class_of(store.bottom());
        let mut denied: Map<usize, Vec<Constructor>> = Map::default();
        for &term in &self.closure.terms {
            if let Some(DataKind::Is(constructor, whole)) = store.data_kind(term)
                && self.closure.class_of(term) == bottom
            {
                denied.entry(self.closure.class_of(whole)).or_default().push(constructor);
            }
        }
        for &(a, b) in &self.different {
            for (whole, other) in [(a, b), (b, a)] {
                if let Kind::Data(DataKind::Construct(constructor, [])) = store.kind(other) {
                    denied.entry(self.closure.class_of(whole)).or_default().push(constructor);
                }
            }
        }
        self.closure.terms.iter().any(|&term| {
            let Some(all) = store.constructors(store.sort(term)) else { return false };
            let known = denied.get(&self.closure.class_of(term));
            known.is_some_and(|known| all.iter().all(|c| known.contains(c)))
        })
    }
    /// Whether some value would contain itself.
    pub(super) fn has_cycle(&self) -> bool {
        let store = self.closure.store;
        let class = |t: Term| self.closure.class_of(t);
        let mut inside: Map<usize, Vec<usize>> = Map::default();
        for &term in &self.closure.terms {
            match store.data_kind(term) {
                Some(DataKind::Construct(_, args)) => {
                    inside.entry(class(term)).or_default().extend(args.iter().map(|&a| class(a)));
                }
                Some(DataKind::Field(_, whole))
                    if store.constructors(store.sort(whole)).is_some_and(|c| c.len() == 1) =>
                {
                    inside.entry(class(whole)).or_default().push(class(term));
                }
                Some(DataKind::Field(..) | DataKind::Is(..)) | None => {}
            }
        }
        // What contains nothing is done; what contains only what is done is done.
        let mut done: Set<usize> = Set::default();
        loop {
            let before = done.len();
            let mut left = false;
            for (&whole, parts) in inside.sorted() {
                if parts.iter().all(|p| done.contains(p) || !inside.contains_key(p)) {
                    done.insert(whole);
                } else {
                    left = true;
                }
            }
            if !left {
                return false;
            }
            if done.len() == before {
                return true;
            }
        }
    }
}
