//! The terms of one clause without arrays: what is read is an expression over cells of variables.
//!
//! `a[i]` of a variable is a cell, a new variable of the element's sort; the same read is the same
//! cell. A read of `store(b, j, v)` at `i` is `ite(i = j, v, b[i])`, one of a constant array its
//! element, and a read goes through `ite` and through outer reads: `a[i][j]` is read from `a` at
//! the path `i, j`. Whatever else has a simple value and is neither arithmetic nor about
//! bit-vectors (fields, tests) is an arbitrary value, the same one for the same term.
//!
//! Invariant: [`Reads::image`] of a term has been made before a read needs it, since terms are
//! visited children first.

use shofar_base::Map;
use shofar_term::visit::postorder;
use shofar_term::{ArrayKind, Kind, Sort, Term, TermStore};

use crate::foreign::is_simple;

/// Names for new variables; clauses share them.
#[derive(Default)]
pub(super) struct Names(Map<Sort, Vec<Term>>);

/// An array term and an index path, which has as many indices as are needed to get to a scalar.
type Read = (Term, Vec<Term>);

/// What an equation between terms of other sorts becomes.
pub(super) struct Equation {
    /// The truth value that stands for it.
    pub(super) holds: Term,
    pub(super) sides: [Term; 2],
}

/// A cell of a variable.
pub(super) struct CellVariable {
    /// The variable, or another term that no law reads through.
    pub(super) array: Term,
    pub(super) path: Vec<Term>,
    /// What stands for the cell.
    pub(super) value: Term,
}

/// The reads of a clause.
pub(super) struct Reads<'n> {
    names: &'n mut Names,
    used: Map<Sort, usize>,
    image: Map<Term, Term>,
    done: Map<Read, Term>,
    /// In the order in which they were made.
    pub(super) cells: Vec<CellVariable>,
    /// Equations between terms that are no scalars.
    pub(super) equations: Vec<Equation>,
}

/// What has to be known before a read.
enum Shape {
    Cell,
    Same(Read),
    Scalar(Term),
    /// Without a condition, it may be either.
    Choice {
        condition: Option<Term>,
        yes: Result<Term, Read>,
        no: Result<Term, Read>,
    },
}

impl<'n> Reads<'n> {
    pub(super) fn new(names: &'n mut Names) -> Self {
        Self {
            names,
            used: Map::default(),
            image: Map::default(),
            done: Map::default(),
            cells: Vec::new(),
            equations: Vec::new(),
        }
    }
    /// A variable that the clause does not have yet.
    pub(super) fn new_variable(&mut self, store: &mut TermStore, sort: Sort) -> Term {
        let next = self.used.entry(sort).or_default();
        let names = self.names.0.entry(sort).or_default();
        while names.len() <= *next {
            let symbol = store.fresh("c", sort);
            names.push(store.constant(symbol));
        }
        *next += 1;
        names[*next - 1]
    }
    /// Makes the images of all scalars in `roots`.
    pub(super) fn visit(&mut self, store: &mut TermStore, roots: &[Term]) {
        for term in postorder(store, roots) {
            if is_simple(store, store.sort(term)) && !self.image.contains_key(&term) {
                let image = self.make(store, term);
                self.image.insert(term, image);
            }
        }
    }
    fn make(&mut self, store: &mut TermStore, term: Term) -> Term {
        let kind = store.kind(term);
        if let Kind::Array(ArrayKind::Select(array, index)) = kind {
            let index = self.index(index);
            return self.read(store, array, vec![index]);
        }
        let is_simple = |&part: &Term| is_simple(store, store.sort(part));
        if let Kind::Same(a, b) = kind
            && !is_simple(&a)
        {
            let holds = self.new_variable(store, Sort::BOOL);
            self.equations.push(Equation { holds, sides: [a, b] });
            return holds;
        }
        let is_opaque = match store.application(term) {
            Some((_, args)) => !args.iter().all(is_simple),
            None => matches!(kind, Kind::Quantified(..) | Kind::Data(_) | Kind::Array(_)),
        };
        if is_opaque {
            return self.new_variable(store, store.sort(term));
        }
        let children: Vec<Term> =
            store.children(term).iter().map(|child| self.image[child]).collect();
        store.rebuild(term, &children)
    }
    /// What has become of a scalar that was visited.
    pub(super) fn image(&self, term: Term) -> Term {
        self.image[&term]
    }
    /// What has become of an index, which stays as it is if it is no scalar.
    fn index(&self, term: Term) -> Term {
        self.image.get(&term).copied().unwrap_or(term)
    }
    /// What `array`, which was visited, has at `path`.
    pub(super) fn read(&mut self, store: &mut TermStore, array: Term, path: Vec<Term>) -> Term {
        let whole = (array, path);
        let mut stack = vec![whole.clone()];
        while let Some(read) = stack.last() {
            if self.done.contains_key(read) {
                stack.pop();
                continue;
            }
            let read = read.clone();
            let shape = self.shape(store, &read);
            let needed: Vec<Read> = match &shape {
                Shape::Cell | Shape::Scalar(_) => Vec::new(),
                Shape::Same(other) => vec![other.clone()],
                Shape::Choice { yes, no, .. } => {
                    [yes, no].into_iter().filter_map(|part| part.clone().err()).collect()
                }
            };
            let before = stack.len();
            stack.extend(needed.into_iter().filter(|other| !self.done.contains_key(other)));
            if stack.len() == before {
                let value = self.value(store, &read, shape);
                self.done.insert(read, value);
                stack.pop();
            }
        }
        self.done[&whole]
    }
    fn shape(&self, store: &mut TermStore, (array, path): &Read) -> Shape {
        let into = |value: Term| -> Result<Term, Read> {
            if path.len() == 1 { Ok(self.index(value)) } else { Err((value, path[1..].to_vec())) }
        };
        let of = |part: Result<Term, Read>| part.map_or_else(Shape::Same, Shape::Scalar);
        let below = |inner: Term| Err((inner, path.clone()));
        match store.array_kind(*array) {
            Some(ArrayKind::Store(inner, index, value)) => {
                let (index, at) = (self.index(index), path[0]);
                if index == at {
                    of(into(value))
                } else if store.differ(index, at) {
                    of(below(inner))
                } else {
                    let is_known = is_simple(store, store.sort(index));
                    let condition = is_known.then(|| store.eq(index, at));
                    Shape::Choice { condition, yes: into(value), no: below(inner) }
                }
            }
            Some(ArrayKind::Const(value)) => of(into(value)),
            Some(ArrayKind::Select(inner, index)) => {
                let longer = std::iter::once(self.index(index)).chain(path.iter().copied());
                Shape::Same((inner, longer.collect()))
            }
            None => store.choice(*array).map_or(Shape::Cell, |[condition, yes, no]| {
                let condition = Some(self.image[&condition]);
                Shape::Choice { condition, yes: below(yes), no: below(no) }
            }),
        }
    }
    fn value(&mut self, store: &mut TermStore, read: &Read, shape: Shape) -> Term {
        match shape {
            Shape::Scalar(value) => value,
            Shape::Same(other) => self.done[&other],
            Shape::Choice { condition, yes, no } => {
                let [yes, no] = [yes, no].map(|part| part.unwrap_or_else(|read| self.done[&read]));
                let condition = condition.unwrap_or_else(|| self.new_variable(store, Sort::BOOL));
                store.ite(condition, yes, no)
            }
            Shape::Cell => {
                let mut sort = store.sort(read.0);
                for _ in &read.1 {
                    sort = store.array_parts(sort).expect("the path fits the array").1;
                }
                let value = self.new_variable(store, sort);
                let (array, path) = read.clone();
                self.cells.push(CellVariable { array, path, value });
                value
            }
        }
    }
}
