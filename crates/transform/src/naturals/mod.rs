//! Integers instead of natural numbers made of zero and successor.
//!
//! A data type with one constructor without fields and one whose only field is of the type itself
//! has the natural numbers as its values, up to names. So its terms become integers that are not
//! negative: zero is 0, a successor is one more, the tester of successors is `≥ 1`, equality stays
//! equality. A source clause holds for data exactly if the target clause holds for the numbers,
//! with one exception: the selector of zero is not specified, becomes an arbitrary number, and
//! makes the pass an over-approximation. Clauses keep their ids.
//!
//! - Refutations: numerals. A number of more than [`LARGEST`] successors is refused. Where a step
//!   depends on a predecessor of zero, other values are looked for ([`crate::replay`]).
//! - Models: comparisons of a variable with a small number become testers of iterated selectors,
//!   `x = y + c` becomes `x = s(…s(y))`. What else a formula may say of numbers, such as `x ≤ y`,
//!   data cannot say without recursion; then the way back gives up.
//!
//! What the pass does not read, such types inside other data types, arrays or functions, it leaves
//! as it is.
//!
//! Source: none; the encoding is folklore.

mod unfold;

use shofar_base::{GaveUp, IndexVec, Map, Outcome, Set};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, ClauseId, Definition, Derivation, DerivationStep,
    Exactness, Interpretation, PredAtom, Translated, formal_params,
};
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::value::DataValue;
use shofar_term::visit::postorder;
use shofar_term::{Constructor, Cx, DataKind, Field, Kind, Sort, Symbol, Term, TermStore};

use crate::Pass;
use crate::back::unchanged;
use crate::replay::{Candidate, replay};
use crate::reshape::redeclared;
use crate::stepwise::LONGEST;
use unfold::Unfolding;

/// The largest number that becomes a value.
const LARGEST: i64 = 1_000_000;

/// Replaces natural numbers made of zero and successor by integers; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Naturals;

/// A type of natural numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numerals {
    pub(crate) zero: Constructor,
    pub(crate) successor: Constructor,
    pub(crate) predecessor: Field,
}

impl Numerals {
    /// What `sort` consists of, if its values are numerals.
    pub(crate) fn of(store: &TermStore, sort: Sort) -> Option<Self> {
        let &[a, b] = store.constructors(sort)? else { return None };
        let fields = |constructor| store.constructor_fields(constructor);
        let (zero, successor) = if fields(a).is_empty() { (a, b) } else { (b, a) };
        let &[predecessor] = fields(successor) else { return None };
        let fits = fields(zero).is_empty() && store.field_sort(predecessor) == sort;
        fits.then_some(Self { zero, successor, predecessor })
    }
    /// The numeral of `number`.
    fn value(self, store: &TermStore, number: &Rational) -> Outcome<Value> {
        let count = number.to_i64().filter(|count| (0..=LARGEST).contains(count));
        let count = count.ok_or(GaveUp::incomplete("a natural number is too large"))?;
        let mut value = Value::Data(DataValue::new(store, self.zero, Vec::new()));
        for _ in 0..count {
            value = Value::Data(DataValue::new(store, self.successor, vec![value]));
        }
        Ok(value)
    }
}

impl Pass for Naturals {
    fn name(&self) -> &'static str {
        "naturals"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        let numerals = readable(cx.store, &source);
        if numerals.is_empty() {
            return Ok(unchanged(source));
        }
        let mut target = predicates(cx.store, &source, &numerals);
        let mut integers: Map<Symbol, Symbol> = Map::default();
        let mut exact = IndexVec::new();
        for (_, clause) in source.clauses() {
            cx.budget.check()?;
            let mut translation = Translation::new(&numerals, &mut integers);
            let clause = translation.clause(cx.store, clause);
            let _: ClauseId = exact.push(translation.of_zero.is_none());
            target.add_clause(clause);
        }
        Ok((target, Box::new(ToData { source, numerals, integers, exact })))
    }
}

/// The types of numerals that occur only where the pass can follow them.
fn readable(store: &TermStore, system: &ChcSystem) -> Map<Sort, Numerals> {
    let built_in = 3;
    if store.sort_count() == built_in {
        return Map::default();
    }
    let roots: Vec<Term> = system.clauses().flat_map(|(_, clause)| clause.terms()).collect();
    let terms = postorder(store, &roots);
    let arguments = system.preds().flat_map(|pred| system.sorts(store, pred).to_vec());
    let mut sorts: Vec<Sort> = terms.iter().map(|&t| store.sort(t)).chain(arguments).collect();
    sorts.sort_unstable();
    sorts.dedup();
    let mut refused: Set<Sort> = Set::default();
    for &term in &terms {
        let own = store.children(term).iter().chain([&term]).map(|&t| store.sort(t));
        let own: Vec<Sort> = own.filter(|sort| !sort.is_bool()).collect();
        let kind = store.kind(term);
        let follows = if let Kind::Data(_) = kind {
            // Those of the type itself are followed; in others it is a field.
            own.iter().all(|&sort| sort == own[0] && Numerals::of(store, sort).is_some())
        } else {
            !matches!(kind, Kind::App(..) | Kind::Array(_) | Kind::Quantified(..))
        };
        if !follows {
            refused.extend(own);
        }
    }
    for &sort in &sorts {
        if Numerals::of(store, sort).is_none() {
            refuse_parts(store, sort, &mut refused);
        }
    }
    let kept = sorts.into_iter().filter(|sort| !refused.contains(sort));
    kept.filter_map(|sort| Some((sort, Numerals::of(store, sort)?))).collect()
}

/// Refuses all sorts of which values of `sort` are made.
fn refuse_parts(store: &TermStore, sort: Sort, refused: &mut Set<Sort>) {
    let mut work = vec![sort];
    let mut seen: Set<Sort> = Set::default();
    while let Some(sort) = work.pop() {
        if !seen.insert(sort) {
            continue;
        }
        let mut parts: Vec<Sort> = Vec::new();
        if let Some((index, element)) = store.array_parts(sort) {
            parts.extend([index, element]);
        }
        for &constructor in store.constructors(sort).unwrap_or_default() {
            let fields = store.constructor_fields(constructor);
            parts.extend(fields.iter().map(|&field| store.field_sort(field)));
        }
        refused.extend(parts.iter().copied());
        work.extend(parts);
    }
}

/// A system without clauses, over the predicates of `source` in the same order with integers for
/// numerals.
fn predicates(
    store: &mut TermStore,
    source: &ChcSystem,
    numerals: &Map<Sort, Numerals>,
) -> ChcSystem {
    let integer = |&sort: &Sort| if numerals.contains_key(&sort) { Sort::INT } else { sort };
    redeclared(store, source, |_, sorts| sorts.iter().map(integer).collect())
}

/// A clause on its way.
struct Translation<'a> {
    numerals: &'a Map<Sort, Numerals>,
    integers: &'a mut Map<Symbol, Symbol>,
    images: Map<Term, Term>,
    facts: Vec<Term>,
    /// What the selector of zero is, if somebody may ask.
    of_zero: Option<Term>,
}

impl<'a> Translation<'a> {
    fn new(numerals: &'a Map<Sort, Numerals>, integers: &'a mut Map<Symbol, Symbol>) -> Self {
        let (images, facts) = (Map::default(), Vec::new());
        Self { numerals, integers, images, facts, of_zero: None }
    }
    fn clause(&mut self, store: &mut TermStore, clause: &Clause) -> Clause {
        for term in postorder(store, &clause.terms()) {
            let image = self.image(store, term);
            self.images.insert(term, image);
        }
        let atom = |atom: &PredAtom| PredAtom {
            pred: atom.pred,
            args: atom.args.iter().map(|arg| self.images[arg]).collect(),
        };
        let (head, body) = (clause.head.as_ref().map(atom), clause.body.iter().map(atom).collect());
        let mut parts = vec![self.images[&clause.constraint]];
        parts.append(&mut self.facts);
        Clause { head, body, constraint: store.and(&parts), span: clause.span }
    }
    fn image(&mut self, store: &mut TermStore, term: Term) -> Term {
        let sort = store.sort(term);
        if let (Some(symbol), true) = (store.symbol(term), self.numerals.contains_key(&sort)) {
            return self.variable(store, symbol);
        }
        let children: Vec<Term> = store.children(term).iter().map(|c| self.images[c]).collect();
        let of = store.children(term).first().map_or(sort, |&child| store.sort(child));
        let known = self.numerals.contains_key(&sort) || self.numerals.contains_key(&of);
        match (store.kind(term), &children[..]) {
            (Kind::Data(DataKind::Construct(..)), []) if known => store.int(0),
            (Kind::Data(DataKind::Construct(..)), &[before]) if known => {
                let one = store.int(1);
                store.add(&[before, one])
            }
            (Kind::Data(DataKind::Field(..)), &[number]) if known => {
                self.predecessor(store, number)
            }
            (Kind::Data(DataKind::Is(constructor, _)), &[number]) if known => {
                let (zero, is_zero) =
                    (store.int(0), store.constructor_fields(constructor).is_empty());
                if is_zero { store.eq(number, zero) } else { store.gt(number, zero) }
            }
            (Kind::Same(..), &[a, b]) if known => store.eq(a, b),
            (Kind::Ite(..), &[condition, a, b]) => store.ite(condition, a, b),
            _ => store.rebuild(term, &children),
        }
    }
    fn variable(&mut self, store: &mut TermStore, symbol: Symbol) -> Term {
        let integer = *self.integers.entry(symbol).or_insert_with(|| {
            let name = store.name(symbol).to_owned();
            store.fresh(&name, Sort::INT)
        });
        self.natural(store, integer)
    }
    fn natural(&mut self, store: &mut TermStore, integer: Symbol) -> Term {
        let (integer, zero) = (store.constant(integer), store.int(0));
        let fact = store.ge(integer, zero);
        self.facts.push(fact);
        integer
    }
    fn predecessor(&mut self, store: &mut TermStore, number: Term) -> Term {
        let of_zero = self.of_zero.unwrap_or_else(|| {
            let symbol = store.fresh("v", Sort::INT);
            self.natural(store, symbol)
        });
        self.of_zero = Some(of_zero);
        let (zero, one) = (store.int(0), store.int(1));
        let (positive, less) = (store.gt(number, zero), store.sub(number, one));
        store.ite(positive, less, of_zero)
    }
}

/// The way back.
struct ToData {
    source: ChcSystem,
    numerals: Map<Sort, Numerals>,
    integers: Map<Symbol, Symbol>,
    exact: IndexVec<ClauseId, bool>,
}

impl BackTranslation<ChcSystem, ChcSystem> for ToData {
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let mut result = Interpretation::new();
        for pred in self.source.preds() {
            cx.budget.check()?;
            let definition = model.get(pred).ok_or(GaveUp::wrong("the model lacks a predicate"))?;
            let params = formal_params(cx.store, &self.source, pred);
            let pairs: Vec<(Symbol, Symbol)> =
                definition.params.iter().copied().zip(params.iter().copied()).collect();
            let mut unfolding = Unfolding::new(cx.store, &pairs);
            let body = unfolding.translate(cx.store, definition.body)?;
            result.define(pred, Definition { params, body });
        }
        Ok(result)
    }
    fn refutation(&self, cx: &mut Cx<'_>, refutation: Derivation) -> Outcome<Derivation> {
        let refutation = refutation.expanded(cx.store, LONGEST)?;
        let (mut steps, mut holds) = (Vec::with_capacity(refutation.steps.len()), true);
        for DerivationStep { clause, assignment, premises } in refutation.steps {
            cx.budget.check()?;
            let values = self.values(cx.store, clause, &assignment)?;
            let constraint = self.source.clause(clause).constraint;
            holds &= self.exact[clause]
                || Evaluator::with_defaults(&values).holds(cx.store, constraint) == Ok(true);
            steps.push(Candidate { clause, premises, values });
        }
        if !holds {
            // A step depends on a predecessor of zero.
            return replay(cx, &self.source, &steps);
        }
        Ok(Derivation::ground(steps.into_iter().map(Candidate::into_step).collect()))
    }
    fn exactness(&self) -> Exactness {
        let exact = self.exact.iter().all(|&exact| exact);
        if exact { Exactness::Exact } else { Exactness::Over }
    }
}

impl ToData {
    /// The values of the source variables of a clause.
    fn values(&self, store: &TermStore, clause: ClauseId, target: &Model) -> Outcome<Model> {
        let mut values = Model::new();
        for symbol in self.source.clause(clause).variables(store) {
            let Some(numerals) = self.numerals.get(&store.result(symbol)) else {
                if let Some(value) = target.get(symbol) {
                    values.set(symbol, value.clone());
                }
                continue;
            };
            let integer = self.integers.get(&symbol).and_then(|&integer| target.get(integer));
            let number = integer.and_then(Value::as_number).cloned().unwrap_or_default();
            values.set(symbol, numerals.value(store, &number)?);
        }
        Ok(values)
    }
}
