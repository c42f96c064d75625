//! Cells that a predicate always has: what an array argument has at constants and at other
//! arguments.
//!
//! A cell at an index that nobody names needs a quantifier. Many reads are at an index that the
//! predicate has anyway, as in `balances[this]`, or at a constant: such a cell, a [`Watch`], is one
//! argument more and nothing else. Clauses keep their shape, and models stay free of quantifiers.
//!
//! Which cells to watch is learned from refutations that were spurious: the conjuncts that
//! contradict each other when they are replayed read arrays, and a cell is wanted wherever an atom
//! of the clause can say what is read ([`wanted`]). A wanted cell is followed through the clauses
//! ([`closure`]): an atom that has the same array, or one that it is made of by writes, gets a cell
//! there, too, if it can say the index.
//!
//! Invariant: no predicate has more than [`MOST`] watches, so the closure is finite.
//!
//! Source: [MIGPB21] §4: the indices of violated instances of axioms are what the next abstraction
//! has to know. DIVERGENCE [MIGPB21]: indices that no argument has stay with the levels that
//! quantify over one, instead of becoming prophecy variables.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use shofar_base::{Map, Outcome, Set};
use shofar_chc::{ChcSystem, Clause, ClauseId, PredAtom, PredId};
use shofar_num::{Bits, Rational};
use shofar_term::solve::solvable;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{ArrayKind, Cx, Sort, Term, TermStore};

use super::layout::{Place, path_of};
use crate::foreign::{Definitions, is_simple};
use crate::solve::definition_of;

/// A predicate has no more watches than this.
const MOST: usize = 24;
/// In so many ways an index may be said by the arguments of an atom.
const MOST_WAYS: usize = 2;

/// An index that a predicate can say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Index {
    /// A number, or a bit-vector by its value in the binary system.
    Number(Rational),
    /// The argument at this place.
    Argument(usize),
}

/// A cell of an array argument at an index path that the predicate can say.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Watch {
    pred: PredId,
    arg: usize,
    at: Vec<Index>,
}

impl Watch {
    /// The path of the cell in an array that has these index sorts.
    pub(super) fn places(&self, store: &mut TermStore, sorts: &[Sort]) -> Vec<Place> {
        let place = |(index, &sort): (&Index, &Sort)| match index {
            Index::Number(value) => Place::Fixed(match store.bits_width(sort) {
                Some(width) => store.bits(&Bits::new(width, value)),
                None => store.number(value.clone(), sort),
            }),
            Index::Argument(at) => Place::Argument(*at),
        };
        self.at.iter().zip(sorts).map(place).collect()
    }
    /// The predicate.
    pub(super) fn pred(&self) -> PredId {
        self.pred
    }
    /// The place of the array among its arguments.
    pub(super) fn arg(&self) -> usize {
        self.arg
    }
    /// The path in terms of an atom.
    fn path(&self, store: &mut TermStore, atom: &PredAtom) -> Option<Vec<Term>> {
        let sorts = path_of(store, store.sort(*atom.args.get(self.arg)?))?;
        let places = self.places(store, &sorts);
        let term = |place: &Place| match *place {
            Place::Fixed(term) => Some(term),
            Place::Argument(at) => atom.args.get(at).copied(),
            Place::Slot(_) => None,
        };
        places.iter().map(term).collect()
    }
}

/// A set of watches.
pub type Watches = BTreeSet<Watch>;

/// The watches that spurious refutations ask for; who holds a copy hears of them.
#[derive(Clone, Debug, Default)]
pub struct Wanted(Arc<Mutex<Watches>>);

impl Wanted {
    /// All that were asked for so far.
    pub fn watches(&self) -> Watches {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
    pub(super) fn add(&self, watches: Watches) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(watches);
    }
}

/// The watches that would show what `conflict`, conjuncts of clauses that cannot hold together,
/// reads.
pub(super) fn wanted(
    cx: &mut Cx<'_>,
    source: &ChcSystem,
    conflict: &[(ClauseId, Term)],
) -> Outcome<Watches> {
    let mut conjuncts: BTreeMap<ClauseId, Vec<Term>> = BTreeMap::new();
    for &(clause, conjunct) in conflict {
        conjuncts.entry(clause).or_default().push(conjunct);
    }
    let mut found = Watches::new();
    for (id, conjuncts) in conjuncts {
        cx.budget.check()?;
        let scene = Scene::new(cx.store, source.clause(id));
        let mut by = scene.definitions.substitution();
        let conjuncts: Vec<Term> = conjuncts.iter().map(|&it| by.apply(cx.store, it)).collect();
        for cell in scene.cells(cx.store, reads(cx.store, &conjuncts)) {
            found.extend(scene.watches(cx.store, &cell));
        }
    }
    Ok(found)
}

/// `roots` and what follows from them.
pub(super) fn closure(cx: &mut Cx<'_>, source: &ChcSystem, roots: &Watches) -> Outcome<Watches> {
    let scenes: Vec<Scene> =
        source.clauses().map(|(_, clause)| Scene::new(cx.store, clause)).collect();
    let (mut all, mut count) = (Watches::new(), Map::<PredId, usize>::default());
    let mut queue: VecDeque<Watch> = roots.iter().cloned().collect();
    while let Some(watch) = queue.pop_front() {
        cx.budget.check()?;
        let count = count.entry(watch.pred).or_default();
        if *count == MOST || !all.insert(watch.clone()) {
            continue;
        }
        *count += 1;
        for scene in &scenes {
            for atom in scene.atoms.iter().filter(|atom| atom.pred == watch.pred) {
                let Some(path) = watch.path(cx.store, atom) else { continue };
                for cell in scene.cells(cx.store, vec![(atom.args[watch.arg], path)]) {
                    let further = scene.watches(cx.store, &cell);
                    queue.extend(further.into_iter().filter(|other| !all.contains(other)));
                }
            }
        }
    }
    Ok(all)
}

/// An array term and a path to a scalar.
type Read = (Term, Vec<Term>);

/// A clause, with definitions in place of the arrays that have one.
struct Scene {
    /// The atoms of the body and the head.
    atoms: Vec<PredAtom>,
    definitions: Definitions,
    /// What a variable is equal to: a number if possible.
    equal: Map<Term, Term>,
}

impl Scene {
    fn new(store: &mut TermStore, clause: &Clause) -> Self {
        let definitions = Definitions::of(store, clause.constraint, |_| true);
        let mut by = definitions.substitution();
        let atom = |it: &PredAtom| PredAtom {
            pred: it.pred,
            args: it.args.iter().map(|&arg| by.apply(store, arg)).collect(),
        };
        let atoms = clause.body.iter().chain(&clause.head).map(atom).collect();
        Self { atoms, definitions, equal: equalities(store, clause.constraint) }
    }
    /// What stands for a term and all that are equal to it.
    fn name(&self, term: Term) -> Term {
        self.equal.get(&term).copied().unwrap_or(term)
    }
    /// The cells of variables that the reads depend on.
    fn cells(&self, store: &TermStore, roots: Vec<Read>) -> Vec<Read> {
        let (mut open, mut seen, mut found) = (roots, Set::default(), Vec::new());
        while let Some(read) = open.pop() {
            if !seen.insert(read.clone()) {
                continue;
            }
            let (array, path) = &read;
            let rest = &path[1..];
            match store.array_kind(*array) {
                Some(ArrayKind::Store(inner, index, value)) => {
                    let (index, at) = (self.name(index), self.name(path[0]));
                    if index != at {
                        open.push((inner, path.clone()));
                    }
                    if !store.differ(index, at) {
                        if rest.is_empty() {
                            open.extend(reads(store, &[value]));
                        } else {
                            open.push((value, rest.to_vec()));
                        }
                    }
                }
                Some(ArrayKind::Const(value)) if rest.is_empty() => {
                    open.extend(reads(store, &[value]));
                }
                Some(ArrayKind::Const(value)) => open.push((value, rest.to_vec())),
                Some(ArrayKind::Select(outer, index)) => {
                    let longer = std::iter::once(index).chain(path.iter().copied());
                    open.push((outer, longer.collect()));
                }
                None => {
                    if let Some([_, yes, no]) = store.choice(*array) {
                        open.extend([yes, no].map(|branch| (branch, path.clone())));
                    } else if store.symbol(*array).is_some() {
                        found.push(read);
                    }
                }
            }
        }
        found
    }
    /// The watches of atoms that show the cell.
    fn watches(&self, store: &TermStore, (array, path): &Read) -> Watches {
        let mut found = Watches::new();
        let Some(symbol) = store.symbol(*array) else { return found };
        for atom in &self.atoms {
            for (arg, &term) in atom.args.iter().enumerate() {
                let fits = store.sort(term) == store.sort(*array)
                    && free_symbols(store, &[term]).binary_search(&symbol).is_ok();
                if fits && path_of(store, store.sort(term)).is_some() {
                    let ways = self.ways(store, atom, path);
                    found.extend(ways.into_iter().map(|at| Watch { pred: atom.pred, arg, at }));
                }
            }
        }
        found
    }
    /// How the arguments of `atom` say `path`.
    fn ways(&self, store: &TermStore, atom: &PredAtom, path: &[Term]) -> Vec<Vec<Index>> {
        let mut ways = vec![Vec::new()];
        for &index in path {
            let name = self.name(index);
            let vector = || store.as_bits(name).map(Bits::to_nat);
            let choices: Vec<Index> = if let Some(number) = store.as_number(name).or_else(vector) {
                vec![Index::Number(number.clone())]
            } else {
                let same = |&(_, &arg): &(usize, &Term)| {
                    store.sort(arg) == store.sort(name) && self.name(arg) == name
                };
                let args = atom.args.iter().enumerate().filter(same);
                args.map(|(at, _)| Index::Argument(at)).take(MOST_WAYS).collect()
            };
            let longer = |way: &Vec<Index>| {
                let with = |choice: &Index| way.iter().chain([choice]).cloned().collect();
                choices.iter().map(with).collect::<Vec<Vec<Index>>>()
            };
            ways = ways.iter().flat_map(longer).collect();
        }
        ways
    }
}

/// The reads of scalars in `terms`.
fn reads(store: &TermStore, terms: &[Term]) -> Vec<Read> {
    let read = |term: Term| match store.array_kind(term) {
        Some(ArrayKind::Select(array, index)) if is_simple(store, store.sort(term)) => {
            Some((array, vec![index]))
        }
        Some(ArrayKind::Select(..) | ArrayKind::Store(..) | ArrayKind::Const(_)) | None => None,
    };
    postorder(store, terms).into_iter().filter_map(read).collect()
}

/// What the equations among the conjuncts say that variables are equal to: a variable, or a number.
fn equalities(store: &mut TermStore, constraint: Term) -> Map<Term, Term> {
    let mut pairs: Vec<(Term, Term)> = Vec::new();
    for conjunct in store.conjuncts(&[constraint]) {
        for symbol in solvable(store, conjunct) {
            let variable = store.constant(symbol);
            if store.sort(variable).is_arithmetic()
                && let Some(term) = definition_of(store, conjunct, symbol)
                && (store.symbol(term).is_some() || store.as_number(term).is_some())
            {
                pairs.push((variable, term));
                break;
            }
        }
    }
    let mut equal: Map<Term, Term> = Map::default();
    for (a, b) in pairs {
        let [a, b] = [a, b].map(|term| name_in(&equal, term));
        let (a, b) = if store.as_number(a).is_some() { (b, a) } else { (a, b) };
        if a != b && store.as_number(a).is_none() {
            equal.insert(a, b);
        }
    }
    equal.sorted().into_iter().map(|(&term, &next)| (term, name_in(&equal, next))).collect()
}

fn name_in(equal: &Map<Term, Term>, term: Term) -> Term {
    let mut at = term;
    while let Some(&next) = equal.get(&at) {
        at = next;
    }
    at
}
