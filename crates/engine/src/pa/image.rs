//! Images of clauses under Cartesian abstraction.
//!
//! For a clause `C ∧ p₁(t̄₁) ∧ … ∧ pₙ(t̄ₙ) → p(t̄)` and sets `Qᵢ ⊆ Π(pᵢ)`, the image is
//! `{φ ∈ Π(p) | C ∧ ⋀Qᵢ[t̄ᵢ] ⊨ φ[t̄]}`, unless `C ∧ ⋀Qᵢ[t̄ᵢ]` is contradictory. Each clause has a
//! solver of its own that knows `C`; predicates are assumptions.
//!
//! Nothing is asked twice. A refutation leaves the assumptions that it needed: whatever contains
//! them has the same answer. A model leaves a *sample*, with the predicates that are true in it: it
//! satisfies every body whose sets it includes, and no predicate that is false in it is in the
//! image. Predicates that come later are evaluated in the samples when they are met.
//!
//! Invariant: a question that is not answered within the solver's limits counts as *not entailed*,
//! and as *consistent*; images only become weaker.
//!
//! Source: [RHK13]; [BPR01] for Cartesian abstraction. DIVERGENCE [RHK13]: answers are kept as
//! cores and samples, so that they serve other sets of predicates as well.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model};
use shofar_term::substitute::Substitution;
use shofar_term::{Cx, Phase, Symbol, Term, TermStore};

use super::predicates::{Predicates, Subset};
use super::statistics::Statistics;
use crate::rule::Rule;

/// So many samples are kept for a clause; the oldest one goes first.
const SAMPLES: usize = 200;

/// Images of all clauses; see the module documentation.
pub(super) struct Images(Vec<ClauseImages>);

impl Images {
    pub(super) fn new(store: &mut TermStore, rules: &[Rule], seed: u64) -> Self {
        Self(rules.iter().map(|rule| ClauseImages::new(store, rule, seed)).collect())
    }
    /// The image of clause number `clause` for a set of predicates for each premise; none if the
    /// body is contradictory. A clause without a head has an empty image.
    pub(super) fn image(
        &mut self,
        cx: &mut Cx<'_>,
        predicates: &Predicates,
        stats: &mut Statistics,
        clause: usize,
        body: &[&Subset],
    ) -> Outcome<Option<Subset>> {
        let images = &mut self.0[clause];
        images.learn(cx.store, predicates);
        let head = images.rule.head.as_ref().map(|(pred, _)| *pred);
        let mut wanted = Subset::first(images.head.len());
        if let Some(pred) = head {
            wanted.subtract(predicates.forgotten(pred));
        }
        cx.phase(Phase::Solving, |cx| images.image(cx, stats, body, wanted))
    }
}

impl Images {
    /// Predicates of `body`, whose image is known, because of which it is contradictory, or entails
    /// a predicate of the head.
    pub(super) fn core(
        &self,
        clause: usize,
        body: &[&Subset],
        entailed: Option<usize>,
    ) -> Option<&[Subset]> {
        let images = &self.0[clause];
        let cores =
            entailed.map_or(&images.contradictory, |predicate| &images.entailing[predicate]);
        cores.iter().find(|core| includes(body, core)).map(Vec::as_slice)
    }
}

/// Sets of predicates for the premises of a clause.
type Sets = Vec<Subset>;

/// Which of a growing list of predicates are true in a model.
#[derive(Clone, Default)]
struct Truth {
    holding: Subset,
    /// So many predicates have been evaluated.
    known: usize,
}

/// A model of a clause, with the predicates that are true in it.
struct Sample {
    model: Model,
    body: Vec<Truth>,
    head: Truth,
}

/// What is known about a clause.
struct ClauseImages {
    rule: Rule,
    solver: Solver,
    /// For each premise, the predicates of its symbol said of its formals.
    body: Vec<Vec<Term>>,
    /// The predicates of the head said of its arguments, and their negations.
    head: Vec<(Term, Term)>,
    /// Which predicate of which premise an assumption stands for.
    meaning: Map<Term, Vec<(usize, usize)>>,
    samples: Vec<Sample>,
    /// Where the next sample goes when there are enough.
    next_sample: usize,
    /// Bodies that are contradictory.
    contradictory: Vec<Sets>,
    /// For each predicate of the head, bodies that entail it.
    entailing: Vec<Vec<Sets>>,
}

impl ClauseImages {
    fn new(store: &mut TermStore, rule: &Rule, seed: u64) -> Self {
        let mut solver = Solver::new(Options { seed, ..Options::default() });
        solver.add(store, rule.guard);
        Self {
            solver,
            body: vec![Vec::new(); rule.body.len()],
            head: Vec::new(),
            meaning: Map::default(),
            samples: Vec::new(),
            next_sample: 0,
            contradictory: Vec::new(),
            entailing: Vec::new(),
            rule: rule.clone(),
        }
    }
    /// Says what is new in `Π` about this clause, and finds out about it in the samples.
    fn learn(&mut self, store: &mut TermStore, predicates: &Predicates) {
        for (at, premise) in self.rule.body.iter().enumerate() {
            let all = predicates.of(premise.pred);
            if self.body[at].len() == all.len() {
                continue;
            }
            let formals: Vec<Term> = premise.formals.iter().map(|&f| store.constant(f)).collect();
            let said =
                say(store, predicates.params(premise.pred), &formals, all, self.body[at].len());
            for term in said {
                self.meaning.entry(term).or_default().push((at, self.body[at].len()));
                self.body[at].push(term);
            }
        }
        if let Some((pred, args)) = &self.rule.head {
            let all = predicates.of(*pred);
            if self.head.len() < all.len() {
                let said = say(store, predicates.params(*pred), args, all, self.head.len());
                for term in said {
                    self.head.push((term, store.not(term)));
                    self.entailing.push(Vec::new());
                }
            }
        }
    }
    /// What of `image` is in the image for `body`.
    fn image(
        &mut self,
        cx: &mut Cx<'_>,
        stats: &mut Statistics,
        body: &[&Subset],
        mut image: Subset,
    ) -> Outcome<Option<Subset>> {
        if self.contradictory.iter().any(|core| includes(body, core)) {
            stats.cached += 1;
            return Ok(None);
        }
        let mut is_consistent = false;
        for sample in &mut self.samples {
            sample.learn(cx.store, &self.body, &self.head);
            if body.iter().zip(&sample.body).all(|(wanted, has)| wanted.is_subset(&has.holding)) {
                is_consistent = true;
                image.intersect(&sample.head.holding);
            }
        }
        let assumptions = self.assumptions(body);
        if is_consistent {
            stats.cached += 1;
        } else if !self.is_consistent(cx, stats, &assumptions, &mut image)? {
            return Ok(None);
        }
        self.entailed(cx, stats, body, assumptions, &mut image)?;
        Ok(Some(image))
    }
    /// The predicates of the body.
    fn assumptions(&self, body: &[&Subset]) -> Vec<Term> {
        let mut assumptions = Vec::new();
        for (at, set) in body.iter().enumerate() {
            assumptions.extend(set.iter().map(|predicate| self.body[at][predicate]));
        }
        assumptions
    }
    /// Whether the clause holds somewhere under `assumptions`; then what is false there is not in
    /// the image.
    fn is_consistent(
        &mut self,
        cx: &mut Cx<'_>,
        stats: &mut Statistics,
        assumptions: &[Term],
        image: &mut Subset,
    ) -> Outcome<bool> {
        stats.queries += 1;
        match self.solver.check_assuming(cx, assumptions) {
            Ok(Answer::Sat(view)) => {
                let model = view.assignment(cx.store);
                self.add_sample(cx.store, model, image);
                Ok(true)
            }
            Ok(Answer::Unsat(view)) => {
                let failed = view.failed();
                let core = self.core(&failed);
                self.contradictory.push(core);
                Ok(false)
            }
            Err(GaveUp::Incomplete(_)) => Ok(true),
            Err(why) => Err(why),
        }
    }
    /// Removes from `image` what `assumptions`, the predicates of `body`, do not entail.
    fn entailed(
        &mut self,
        cx: &mut Cx<'_>,
        stats: &mut Statistics,
        body: &[&Subset],
        mut assumptions: Vec<Term>,
        image: &mut Subset,
    ) -> Outcome<()> {
        for predicate in 0..self.head.len() {
            if !image.contains(predicate) {
                continue;
            }
            if self.entailing[predicate].iter().any(|core| includes(body, core)) {
                stats.cached += 1;
                continue;
            }
            stats.queries += 1;
            assumptions.push(self.head[predicate].1);
            match self.solver.check_assuming(cx, &assumptions) {
                Ok(Answer::Sat(view)) => {
                    let model = view.assignment(cx.store);
                    self.add_sample(cx.store, model, image);
                    // The model says so, but nothing depends on it.
                    image.remove(predicate);
                }
                Ok(Answer::Unsat(view)) => {
                    let failed = view.failed();
                    let core = self.core(&failed);
                    let is_weaker =
                        |known: &Sets| core.iter().zip(known).all(|(a, b)| a.is_subset(b));
                    self.entailing[predicate].retain(|known| !is_weaker(known));
                    self.entailing[predicate].push(core);
                }
                Err(GaveUp::Incomplete(_)) => image.remove(predicate),
                Err(why) => return Err(why),
            }
            assumptions.pop();
        }
        Ok(())
    }
    /// The predicates of the body among `failed`.
    fn core(&self, failed: &[Term]) -> Sets {
        let mut core: Sets = vec![Subset::default(); self.body.len()];
        for term in failed {
            for &(premise, predicate) in self.meaning.get(term).map_or(&[][..], Vec::as_slice) {
                core[premise].insert(predicate);
            }
        }
        core
    }
    /// Keeps a model; what is false in it is removed from `image`.
    fn add_sample(&mut self, store: &TermStore, model: Model, image: &mut Subset) {
        let body = vec![Truth::default(); self.body.len()];
        let mut sample = Sample { model, body, head: Truth::default() };
        sample.learn(store, &self.body, &self.head);
        image.intersect(&sample.head.holding);
        if self.samples.len() < SAMPLES {
            self.samples.push(sample);
        } else {
            self.samples[self.next_sample] = sample;
            self.next_sample = (self.next_sample + 1) % SAMPLES;
        }
    }
}

impl Sample {
    /// Evaluates the predicates that are new since the last time.
    fn learn(&mut self, store: &TermStore, body: &[Vec<Term>], head: &[(Term, Term)]) {
        let is_known = self.head.known == head.len()
            && self.body.iter().zip(body).all(|(truth, all)| truth.known == all.len());
        if is_known {
            return;
        }
        let mut evaluator = Evaluator::with_defaults(&self.model);
        for (truth, all) in self.body.iter_mut().zip(body) {
            truth.learn(store, &mut evaluator, all.iter().copied());
        }
        self.head.learn(store, &mut evaluator, head.iter().map(|&(said, _)| said));
    }
}

impl Truth {
    fn learn(
        &mut self,
        store: &TermStore,
        model: &mut Evaluator<'_>,
        all: impl ExactSizeIterator<Item = Term>,
    ) {
        let count = all.len();
        for (at, predicate) in all.enumerate().skip(self.known) {
            if model.holds(store, predicate) == Ok(true) {
                self.holding.insert(at);
            }
        }
        self.known = count;
    }
}

/// Whether every set of `core` is in that of `body`.
fn includes(body: &[&Subset], core: &[Subset]) -> bool {
    core.iter().zip(body).all(|(needed, has)| needed.is_subset(has))
}

/// The predicates from number `from` on, which are over `params`, said of `args`.
fn say(
    store: &mut TermStore,
    params: &[Symbol],
    args: &[Term],
    predicates: &[Term],
    from: usize,
) -> Vec<Term> {
    let map: Map<Term, Term> =
        params.iter().zip(args).map(|(&param, &arg)| (store.constant(param), arg)).collect();
    let mut substitution = Substitution::new(map);
    predicates[from..].iter().map(|&p| substitution.apply(store, p)).collect()
}
