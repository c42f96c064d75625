//! A model in the making: values for arrays and data, built bottom up from a complete assignment.
//!
//! Numbers, truth values and elements of uninterpreted sorts have values when the other theories
//! are content. Arrays and data get theirs sort by sort, a sort after those that it is made of.
//! What does not fit together is compared by value, not by class, so it does not matter why two
//! terms are equal; where something does not fit, an instance of the axiom that was violated is
//! asked for, and the candidate is given up. If nothing is left, there is a model.
//!
//! Invariant: an instance is valid, and false in the candidate. There are finitely many, because
//! they speak of subterms of the problem, of reads of its arrays at its indices, and of fields of
//! its records. Only terms that live formulas need are looked at (`live`); what popped scopes left
//! behind has no value.
//!
//! Source: [BB09] (lemmas on demand), [CH15] for arrays, [BST07] for data.

use std::collections::{BTreeMap, BTreeSet};

use shofar_base::{GaveUp, Map, Outcome, Set};
use shofar_term::eval::Value;
use shofar_term::value::DataValue;
use shofar_term::{Field, FieldSort, Kind, Sort, SortKind, Term, TermStore};

use crate::combine::{Numbers, evaluate};
use crate::euf::head::Head;
use crate::euf::model::{Entry, table};
use crate::euf::{Euf, Node, Structures};
use crate::fresh::nth;
use crate::instance::{Axiom, Instance};

/// What a candidate is told by those who know more.
#[derive(Clone, Copy)]
pub struct Outside<'a> {
    /// Whether a live formula needs the term.
    pub is_live: &'a dyn Fn(Term) -> bool,
    /// The value of a formula or of a term of a sort that no theory here cares for, such as
    /// bit-vectors.
    pub value: &'a dyn Fn(&TermStore, Term) -> Option<Value>,
}

/// A model in the making.
pub(crate) struct Candidate<'a> {
    pub(crate) store: &'a mut TermStore,
    pub(crate) euf: &'a Euf,
    numbers: &'a Numbers,
    outside: Outside<'a>,
    elements: Map<Node, Value>,
    pub(crate) structures: Structures,
    pub(crate) instances: Vec<Instance>,
    /// Applications that live formulas need.
    pub(crate) applications: Vec<Node>,
}

/// The arrays and the data of one rank.
#[derive(Default)]
struct Stage {
    arrays: BTreeMap<Sort, Vec<Node>>,
    data: Vec<Node>,
}

/// An application with the value of its result.
type Row = (Node, Value);

/// A number that is larger than those of all sorts that `sort` is made of; types that refer to each
/// other have the same. Sorts nest a little only, so recursion is fine.
fn rank(store: &TermStore, sort: Sort, known: &mut Map<Sort, u32>) -> u32 {
    if let Some(&rank) = known.get(&sort) {
        return rank;
    }
    let parts: Vec<Sort> = match (store.array_parts(sort), store.data_group(sort)) {
        (Some((index, element)), _) => vec![index, element],
        (None, Some((group, _))) => {
            let constructors = group.iter().flat_map(|data| &data.constructors);
            let fields = constructors.flat_map(|constructor| &constructor.fields);
            let known = fields.filter_map(|(_, field)| match field {
                FieldSort::Known(sort) => Some(*sort),
                FieldSort::Own(_) => None,
            });
            known.collect()
        }
        (None, None) => return 0,
    };
    let below = parts.into_iter().map(|part| rank(store, part, known)).max().unwrap_or(0);
    known.insert(sort, below + 1);
    below + 1
}

/// Why the search gives up where a term has no value.
pub(crate) const NO_VALUE: &str = "a term in an array or a data type has no value";

impl<'a> Candidate<'a> {
    pub(crate) fn new(
        store: &'a mut TermStore,
        euf: &'a Euf,
        numbers: &'a Numbers,
        outside: Outside<'a>,
    ) -> Self {
        let elements = euf.elements(store);
        let all = euf.nodes().filter(|&node| euf.application(node).is_some());
        let (applications, idle): (Vec<Node>, Vec<Node>) =
            all.partition(|&node| (outside.is_live)(euf.term(node)));
        let idle = idle.into_iter().collect();
        let (structures, instances) = (Structures { idle, ..Structures::default() }, Vec::new());
        Self { store, euf, numbers, outside, elements, structures, instances, applications }
    }
    /// Builds the model; if the result has instances, there is none yet.
    pub(crate) fn build(mut self) -> Outcome<Result<Structures, Vec<Instance>>> {
        for (_, stage) in self.stages() {
            for (sort, classes) in stage.arrays {
                self.build_arrays(sort, &classes)?;
            }
            self.build_data(&stage.data)?;
            if !self.instances.is_empty() {
                return Ok(Err(self.instances));
            }
        }
        self.compare_functions();
        if !self.instances.is_empty() {
            return Ok(Err(self.instances));
        }
        self.keep_bits();
        Ok(Ok(self.structures))
    }
    /// The classes of arrays and data by the rank of their sorts.
    fn stages(&self) -> BTreeMap<u32, Stage> {
        let mut stages: BTreeMap<u32, Stage> = BTreeMap::new();
        let mut ranks: Map<Sort, u32> = Map::default();
        let mut seen: Set<Node> = Set::default();
        for node in self.euf.nodes() {
            let (term, class) = (self.euf.term(node), self.euf.class(node));
            let sort = self.store.sort(term);
            let is_array = match self.store.sort_kind(sort) {
                SortKind::Array(..) => true,
                SortKind::Data(..) => false,
                SortKind::Bool
                | SortKind::Int
                | SortKind::Real
                | SortKind::Uninterpreted(_)
                | SortKind::Bits(_) => continue,
            };
            let is_needed = self.store.symbol(term).is_some() || (self.outside.is_live)(term);
            if is_needed && seen.insert(class) {
                let stage = stages.entry(rank(self.store, sort, &mut ranks)).or_default();
                if is_array {
                    stage.arrays.entry(sort).or_default().push(class);
                } else {
                    stage.data.push(class);
                }
            }
        }
        stages
    }
    /// The value of a node; nothing if it has none yet.
    pub(crate) fn value(&self, node: Node) -> Option<Value> {
        let term = self.euf.term(node);
        match self.store.sort_kind(self.store.sort(term)) {
            SortKind::Bool => {
                let truth = self.euf.truth_of(node).map(Value::Bool);
                truth.or_else(|| (self.outside.value)(self.store, term))
            }
            SortKind::Int | SortKind::Real => {
                Some(Value::Number(evaluate(self.store, self.numbers, term)))
            }
            SortKind::Uninterpreted(_) => self.elements.get(&self.euf.class(node)).cloned(),
            SortKind::Bits(_) => match self.store.as_bits(term) {
                Some(bits) => Some(Value::bits(bits.clone())),
                None => (self.outside.value)(self.store, term),
            },
            SortKind::Array(..) | SortKind::Data(..) => {
                self.structures.of_class.get(&self.euf.class(node)).cloned()
            }
        }
    }
    pub(crate) fn known_value(&self, node: Node) -> Outcome<Value> {
        self.value(node).ok_or_else(|| GaveUp::incomplete(NO_VALUE))
    }
    /// The pairs of nodes of such sorts that an equality keeps apart, with that equality.
    pub(crate) fn different(&self, has_sort: impl Fn(Sort) -> bool) -> Vec<(Term, Node, Node)> {
        let pairs = self.euf.different_pairs();
        pairs.filter(|&(_, left, _)| has_sort(self.store.sort(self.euf.term(left)))).collect()
    }
    /// A value of `sort` that is not among `used`.
    pub(crate) fn fresh(&self, sort: Sort, used: &BTreeSet<Value>) -> Option<Value> {
        let tries = u64::try_from(used.len()).ok()?.checked_mul(2)?.checked_add(2)?;
        let candidates = (0..tries).map_while(|number| nth(self.store, sort, number));
        candidates.into_iter().find(|value| !used.contains(value))
    }
    /// The atom `a = b`. That of vectors is about these two terms, whatever laws they have, so that
    /// the closure and a checker know it.
    pub(crate) fn equality(&mut self, a: Term, b: Term) -> Term {
        match self.store.bits_width(self.store.sort(a)) {
            Some(_) => self.store.bits_same(a, b),
            None => self.store.eq(a, b),
        }
    }
    pub(crate) fn ask(&mut self, axiom: Axiom, clause: Vec<Term>) {
        self.instances.push(Instance { axiom, clause });
    }
    /// Appends literals to `clause` that are false because two terms of one class are equal.
    ///
    /// An equality that is an atom of these terms is one literal, and the closure implies it.
    /// Others are taken apart when they are made, and the closure would not hear of them, so
    /// what made the terms equal is said instead.
    pub(crate) fn unless_equal(&mut self, clause: &mut Vec<Term>, a: Term, b: Term) {
        if a == b {
            return;
        }
        let equality = self.equality(a, b);
        let is_own = matches!(self.store.kind(equality), Kind::Same(x, y) if x.min(y) == a.min(b) && x.max(y) == a.max(b));
        if is_own {
            clause.push(self.store.not(equality));
            return;
        }
        let [a, b] = [a, b].map(|t| self.euf.find(t).expect("terms of one class are nodes"));
        for (atom, is_true) in self.euf.explanation(a, b) {
            clause.push(if is_true { self.store.not(atom) } else { atom });
        }
    }
    /// Compares the results of functions where the arguments have equal values, and makes tables
    /// for selectors that are applied to values of other constructors.
    fn compare_functions(&mut self) {
        let mut known: Map<(Head, Box<[Value]>), Row> = Map::default();
        let mut rows: BTreeMap<Field, Vec<Entry>> = BTreeMap::new();
        for node in self.applications.clone() {
            let Some((head, args)) = self.euf.application(node) else { continue };
            let Some(result) = self.value(node) else { continue };
            let Some(values) = args.iter().map(|&a| self.value(a)).collect() else { continue };
            let values: Box<[Value]> = values;
            match head {
                Head::Function(_) => {}
                Head::Field(field) => {
                    let made = values[0].as_data().map(DataValue::constructor);
                    if made != Some(self.store.field_constructor(field)) {
                        rows.entry(field).or_default().push((values.clone(), result.clone()));
                    }
                }
                Head::Select | Head::Store | Head::Const(_) | Head::Construct(_) | Head::Is(_) => {
                    continue;
                }
            }
            let first = known.entry((head, values)).or_insert((node, result.clone()));
            if first.1 != result {
                let other = first.0;
                self.ask_congruence(node, other);
            }
        }
        let tables = rows.into_iter().map(|(field, rows)| (field, table(rows)));
        self.structures.selectors = tables.collect();
    }
    fn ask_congruence(&mut self, one: Node, other: Node) {
        let args = |node| self.euf.application(node).map_or(&[][..], |(_, args)| args).to_vec();
        let mut clause = Vec::new();
        for (a, b) in args(one).into_iter().zip(args(other)) {
            let equality = self.equality(self.euf.term(a), self.euf.term(b));
            clause.push(self.store.not(equality));
        }
        let equality = self.equality(self.euf.term(one), self.euf.term(other));
        clause.push(equality);
        self.ask(Axiom::Congruence, clause);
    }
    /// Keeps the values of bit-vectors that the closure knows, which are those of their bits.
    fn keep_bits(&mut self) {
        for node in self.euf.nodes() {
            let sort = self.store.sort(self.euf.term(node));
            if self.store.bits_width(sort).is_some()
                && let Some(value) = self.value(node)
            {
                self.structures.of_node.insert(node, value);
            }
        }
    }
}
