//! Recursion-free clauses of any shape, expanded only as far as it takes.
//!
//! The clauses form a DAG of conjunctions and disjunctions, whose expansion into a tree may be
//! exponentially large. A [`Fragment`] is an upper part of that tree in normal form; a *lemma*
//! about its predicate, at first `true`, stands for each leaf. Lemmas always hold of what is
//! derivable: the lemmas about the body of a clause and its constraint imply those about its
//! head. One question about a fragment ([`NormalForm::solve`](crate::NormalForm::solve)) gives
//!
//! - a solution: the interpolants of its inner nodes are new lemmas, because they follow from those
//!   of the leaves. If the fragment is the one of the clauses for `false`, the lemmas are a
//!   solution of all clauses.
//! - a derivation from facts about leaves. If all of these have been derived before, so is what the
//!   fragment is about. Otherwise the first fact that is not known becomes the goal of a fragment
//!   of its own, which ends with a derivation of that fact or with lemmas that exclude it; both
//!   serve every occurrence of the predicate, so nothing is expanded twice for the same reason. A
//!   leaf that was asked about too often is expanded in place, with children of its own.
//!
//! A leaf is asked about a bounded number of times and expanded at most once, so the search ends:
//! at worst with the expansion. Children of clauses that exclude each other are shared, which
//! factors common parts out of disjunctions.
//!
//! Each connected component is solved by itself. Linear clauses are no exception, though DAG
//! interpolants of their graph ([`LinearGraph`](crate::LinearGraph)) would need no copies: for a
//! ladder of 12 steps with two symbols each, that took more than a minute in a debug build, and
//! this search about a second (2026-11). Optimised builds were not compared.
//!
//! Source: [RHK13b] (recursion-free clauses by expansion and disjunctive interpolation; lazy
//! expansion guided by models, and restructuring of DAGs). DIVERGENCE [RHK13b]: a part that models
//! point to is first tried as a question of its own, whose answer is kept as a lemma or a fact
//! [KGC16], rather than copied at once.

mod facts;
mod fragment;

use shofar_base::{GaveUp, IndexVec, Outcome};
use shofar_chc::{
    ChcGraph, ClauseId, Definition, Derivation, Interpretation, NormalSystem, PredId, Verdict,
    formal_params,
};
use shofar_term::{Cx, Symbol, Term, TermStore};

use crate::components::queries_by_component;
use crate::normal_form::Solved;
use crate::{Class, Form, Options};
use facts::{Fact, Facts};
use fragment::Fragment;

/// So often one leaf is asked about before it is expanded.
const MOST_PER_LEAF: usize = 8;
/// So often facts about one predicate are asked for.
const MOST_PER_PRED: usize = 100;

/// What a search has counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Questions about fragments.
    pub questions: u64,
    /// Fragments that were made.
    pub fragments: u64,
    /// Copies of clauses in all fragments.
    pub copies: u64,
    /// Connected components that were looked at.
    pub components: u64,
    /// Questions answered by sequence interpolants.
    pub sequences: u64,
    /// Questions answered by tree interpolants.
    pub trees: u64,
    /// Questions answered by disjunctive interpolants.
    pub disjunctive: u64,
}

impl Counts {
    /// One more question of this form.
    fn count(&mut self, form: Form) {
        self.questions += 1;
        match form {
            Form::Sequence => self.sequences += 1,
            Form::Tree => self.trees += 1,
            Form::Dag | Form::Disjunctive | Form::Expansion => self.disjunctive += 1,
        }
    }
}

/// A solution of recursion-free clauses, or a derivation of `false` from them.
pub fn solve(
    cx: &mut Cx<'_>,
    system: &NormalSystem,
    options: &Options,
) -> Outcome<Verdict<NormalSystem>> {
    Ok(solve_counting(cx, system, options)?.0)
}

/// The same, with what the search has counted.
pub fn solve_counting(
    cx: &mut Cx<'_>,
    system: &NormalSystem,
    options: &Options,
) -> Outcome<(Verdict<NormalSystem>, Counts)> {
    if !Class::of(system).recursion_free {
        return Err(GaveUp::unsupported("recursive clauses"));
    }
    let mut counts = Counts::default();
    let verdict = Search::new(cx.store, system, options, &mut counts).run(cx);
    let is_solvable = verdict.as_ref().ok().map(|verdict| matches!(verdict, Verdict::Safe(_)));
    crate::observe::tell(cx, &|_| system.clone().into_clauses(), is_solvable);
    Ok((verdict?, counts))
}

/// What is known to hold of everything that can be derived.
struct Lemmas {
    /// The parameters that lemmas are about.
    params: IndexVec<PredId, Vec<Symbol>>,
    conjuncts: IndexVec<PredId, Vec<Term>>,
}

impl Lemmas {
    /// The lemmas about `pred`, said of `args`.
    fn said_of(&self, store: &mut TermStore, pred: PredId, args: &[Symbol]) -> Term {
        let all = store.and(&self.conjuncts[pred]);
        shofar_term::substitute::rename(store, all, &self.params[pred], args)
    }
}

/// What became of a fragment.
enum Step {
    /// Its goal cannot be derived; the lemmas say why.
    Refuted,
    /// Its goal is derived.
    Derived,
    /// A fact has to be known first.
    Ask(Fact),
    /// It has grown.
    Grown,
}

struct Search<'s> {
    system: &'s NormalSystem,
    graph: ChcGraph<'s>,
    derivable: IndexVec<PredId, bool>,
    options: &'s Options,
    lemmas: Lemmas,
    facts: Facts,
    /// How often facts about each predicate were asked for.
    asked: IndexVec<PredId, usize>,
    /// The clauses for `false` of the component in question.
    queries: Vec<ClauseId>,
    counts: &'s mut Counts,
}

impl<'s> Search<'s> {
    fn new(
        store: &mut TermStore,
        system: &'s NormalSystem,
        options: &'s Options,
        counts: &'s mut Counts,
    ) -> Self {
        let graph = ChcGraph::new(system);
        let derivable = graph.derivable();
        let bottom = store.bottom();
        let none = |pred| if derivable[pred] { Vec::new() } else { vec![bottom] };
        let lemmas = Lemmas {
            params: system.preds().map(|pred| formal_params(store, system, pred)).collect(),
            conjuncts: system.preds().map(none).collect(),
        };
        Self {
            system,
            graph,
            derivable,
            options,
            lemmas,
            facts: Facts::default(),
            asked: system.preds().map(|_| 0).collect(),
            queries: Vec::new(),
            counts,
        }
    }
    fn run(&mut self, cx: &mut Cx<'_>) -> Outcome<Verdict<NormalSystem>> {
        for queries in queries_by_component(self.system, &self.graph) {
            self.counts.components += 1;
            self.queries = queries;
            if self.is_false_derivable(cx)? {
                return Ok(Verdict::Unsafe(self.derivation()));
            }
        }
        Ok(Verdict::Safe(self.solution(cx.store)))
    }
    /// Whether `false` follows from the clauses of the component in question. The last fact is its
    /// derivation, or the lemmas are a solution of these clauses.
    fn is_false_derivable(&mut self, cx: &mut Cx<'_>) -> Outcome<bool> {
        let mut stack = vec![self.fragment(cx.store, None)];
        loop {
            cx.budget.check()?;
            let top = stack.last_mut().expect("the search ends with the first fragment");
            match self.step(cx, top)? {
                Step::Grown => (),
                Step::Ask(fact) => stack.push(self.fragment(cx.store, Some(fact))),
                Step::Derived => {
                    stack.pop();
                    if stack.is_empty() {
                        return Ok(true);
                    }
                }
                Step::Refuted => {
                    stack.pop();
                    let Some(parent) = stack.last_mut() else { return Ok(false) };
                    parent.found = None;
                }
            }
        }
    }
    /// The fragment about a fact, or about `false`, with its first step.
    fn fragment(&mut self, store: &mut TermStore, goal: Option<Fact>) -> Fragment {
        self.counts.fragments += 1;
        let mut fragment = Fragment::of(store, self.system, goal);
        match fragment.top() {
            Some(top) => self.expand(store, &mut fragment, Some(top)),
            None => self.expand(store, &mut fragment, None),
        }
        fragment
    }
    fn expand(&mut self, store: &mut TermStore, fragment: &mut Fragment, node: Option<PredId>) {
        let clauses = match node {
            Some(node) => self.graph.incoming(fragment.copies.pred(node)),
            None => &self.queries,
        };
        let is_possible = |id| self.system.clause(id).body.iter().all(|a| self.derivable[a.pred]);
        let clauses: Vec<_> = clauses.iter().copied().filter(|&id| is_possible(id)).collect();
        self.counts.copies += u64::try_from(clauses.len()).unwrap_or(u64::MAX);
        fragment.expand(store, self.system, node, &clauses);
    }
    fn step(&mut self, cx: &mut Cx<'_>, fragment: &mut Fragment) -> Outcome<Step> {
        let derivation = match fragment.found.take() {
            Some(derivation) => derivation,
            None => match self.question(cx, fragment)? {
                Solved::Counterexample(derivation) => derivation,
                Solved::Solution(interpolants) => {
                    self.learn(cx.store, fragment, &interpolants);
                    return Ok(Step::Refuted);
                }
            },
        };
        let Some((node, fact)) = fragment.missing(&derivation, &self.facts) else {
            self.facts.record(fragment, &derivation);
            return Ok(Step::Derived);
        };
        if self.is_worth_asking(fragment, node, &fact) {
            self.asked[fact.pred] += 1;
            fragment.count_question(node);
            fragment.found = Some(derivation);
            return Ok(Step::Ask(fact));
        }
        self.expand(cx.store, fragment, Some(node));
        Ok(Step::Grown)
    }
    fn question(&mut self, cx: &mut Cx<'_>, fragment: &mut Fragment) -> Outcome<Solved> {
        fragment.tell(cx.store, &self.lemmas);
        self.counts.count(fragment.copies.form.form(cx.store));
        fragment.copies.form.solve(cx, self.options)
    }
    /// Whether a question about `fact` promises more than a copy of the clauses. Facts without
    /// premises are copied at once.
    fn is_worth_asking(&self, fragment: &Fragment, node: PredId, fact: &Fact) -> bool {
        let clauses = self.graph.incoming(fact.pred);
        fact.is_scalar()
            && fragment.questions(node) < MOST_PER_LEAF
            && self.asked[fact.pred] < MOST_PER_PRED
            && !clauses.iter().all(|&id| self.system.clause(id).body.is_empty())
    }
    /// Interpolants of inner nodes are lemmas.
    fn learn(
        &mut self,
        store: &mut TermStore,
        fragment: &Fragment,
        interpolants: &IndexVec<PredId, Term>,
    ) {
        let form = &fragment.copies.form;
        for node in form.symbols().filter(|&node| fragment.is_inner(node)) {
            let pred = fragment.copies.pred(node);
            let lemma = form.said_of(store, node, interpolants[node], &self.lemmas.params[pred]);
            let known = &mut self.lemmas.conjuncts[pred];
            if lemma != store.top() && !known.contains(&lemma) {
                known.push(lemma);
            }
        }
    }
    fn solution(&self, store: &mut TermStore) -> Interpretation {
        let mut model = Interpretation::new();
        for pred in self.system.preds() {
            let params = self.lemmas.params[pred].clone();
            let body = store.and(&self.lemmas.conjuncts[pred]);
            let body = shofar_term::compact::compact(store, body);
            model.define(pred, Definition { params, body });
        }
        model
    }
    fn derivation(&mut self) -> Derivation {
        std::mem::take(&mut self.facts).into_derivation()
    }
}
