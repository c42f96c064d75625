//! Predicates are resolved away.
//!
//! A predicate that no clause has both in its head and in its body, and no body twice, can be
//! eliminated: every clause that derives it is resolved with every clause that uses it. This
//! summarises chains, contracts nodes and inlines clauses; it is done while it does not make more
//! clauses, makes no body longer than both bodies it is made of, and lets constraints
//! grow by a bounded amount only. Cheap eliminations come first, so that long chains are contracted
//! from all sides and the work stays near-linear. Every resolvent is simplified at once, since
//! elimination leaves behind variables that are no longer arguments.
//!
//! The idea is that of clause-distribution with a growth limit in SAT preprocessing [EB05], here
//! for predicates of Horn clauses.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{ChcSystem, Clause, ClauseId, NormalSystem, PredId, Translated};
use shofar_term::{Cx, TermStore};

use crate::Pass;
use crate::back::{Eliminated, Meaning, Origin, WayBack, kept, unchanged};
use crate::drop::{mapped, predicates};
use crate::normalize::on_normal;
use crate::resolve::{Work, resolve};

/// Resolves predicates away; see the module documentation.
#[derive(Clone, Copy, Debug)]
pub struct Eliminate {
    /// One elimination may make constraints larger by this many subterms, or by half.
    pub growth: usize,
    /// All together may make constraints larger by this factor.
    pub total_factor: usize,
}

impl Default for Eliminate {
    fn default() -> Self {
        Self { growth: 150, total_factor: 3 }
    }
}

impl Pass for Eliminate {
    fn name(&self) -> &'static str {
        "eliminate"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        on_normal(cx, source, |cx, source| {
            let mut elimination = Elimination::new(cx.store, &source, *self);
            elimination.run(cx)?;
            if elimination.eliminated.is_empty() {
                return Ok(unchanged(source.into_clauses()));
            }
            Ok(elimination.finish(cx, source))
        })
    }
}

/// The live clauses around a predicate, in numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    ins: usize,
    outs: usize,
    in_size: usize,
    out_size: usize,
    /// Source clauses that the clauses were made of.
    instances: usize,
    /// Clauses that derive or use it and have a long body.
    long_ins: usize,
    long_outs: usize,
    /// Clauses that forbid its elimination.
    blocking: usize,
}

/// The clauses while predicates disappear.
struct Elimination {
    limits: Eliminate,
    works: Vec<Option<Work>>,
    /// The clauses that derive each predicate, also dead ones.
    incoming: IndexVec<PredId, Vec<usize>>,
    /// The clauses that use each predicate, also dead ones.
    outgoing: IndexVec<PredId, Vec<usize>>,
    around: IndexVec<PredId, Around>,
    gone: IndexVec<PredId, bool>,
    eliminated: Vec<Eliminated>,
    /// By how much constraints may still grow in all.
    allowance: usize,
    queue: BinaryHeap<Reverse<(usize, PredId)>>,
}

impl Elimination {
    fn new(store: &TermStore, source: &NormalSystem, limits: Eliminate) -> Self {
        let none = || source.preds().map(|_| Vec::new()).collect();
        let mut this = Self {
            limits,
            works: Vec::new(),
            incoming: none(),
            outgoing: none(),
            around: source.preds().map(|_| Around::default()).collect(),
            gone: source.preds().map(|_| false).collect(),
            eliminated: Vec::new(),
            allowance: 1_000,
            queue: BinaryHeap::new(),
        };
        for (id, clause) in source.clauses() {
            let work = Work::new(store, source, id, clause.constraint);
            this.allowance += work.size * (limits.total_factor - 1);
            this.insert(work);
        }
        for pred in source.preds() {
            this.enqueue(pred);
        }
        this
    }
    fn insert(&mut self, work: Work) {
        let at = self.works.len();
        if let Some(head) = &work.head {
            self.incoming[head.pred].push(at);
        }
        for atom in &work.body {
            if self.outgoing[atom.pred].last() != Some(&at) {
                self.outgoing[atom.pred].push(at);
            }
        }
        self.count(&work, |number, more| *number += more);
        self.works.push(Some(work));
    }
    /// Adds `work` to the numbers around its predicates, or takes it away.
    fn count(&mut self, work: &Work, change: fn(&mut usize, usize)) {
        let (long, instances) = (usize::from(work.body.len() > 1), work.template.instances.len());
        if let Some(head) = &work.head {
            let around = &mut self.around[head.pred];
            change(&mut around.ins, 1);
            change(&mut around.in_size, work.size);
            change(&mut around.long_ins, long);
            change(&mut around.instances, instances);
        }
        for (number, atom) in work.body.iter().enumerate() {
            let around = &mut self.around[atom.pred];
            if work.body[..number].iter().any(|other| other.pred == atom.pred) {
                change(&mut around.blocking, 1);
                continue;
            }
            change(&mut around.outs, 1);
            change(&mut around.out_size, work.size);
            change(&mut around.long_outs, long);
            change(&mut around.instances, instances);
            if work.head.as_ref().is_some_and(|head| head.pred == atom.pred) {
                change(&mut around.blocking, 1);
            }
        }
    }
    fn enqueue(&mut self, pred: PredId) {
        if let Some(cost) = self.cost(pred) {
            self.queue.push(Reverse((cost, pred)));
        }
    }
    /// How expensive it is to resolve `pred` away; nothing if it must stay.
    ///
    /// Besides the size of the resolvents this counts what they are made of: otherwise a chain
    /// whose constraints stay small would be contracted from one end, and each step would carry
    /// along all steps before it.
    fn cost(&self, pred: PredId) -> Option<usize> {
        let around = &self.around[pred];
        let (ins, outs) = (around.ins, around.outs);
        let long = around.long_ins > 0 && around.long_outs > 0;
        if self.gone[pred] || around.blocking > 0 || ins * outs > ins + outs || long {
            return None;
        }
        let before = around.in_size + around.out_size;
        let after = around.in_size * outs + around.out_size * ins;
        let growth = after.saturating_sub(before);
        (growth <= self.limits.growth.max(before / 2) && growth <= self.allowance)
            .then_some(after + around.instances)
    }
    fn run(&mut self, cx: &mut Cx<'_>) -> Outcome<()> {
        while let Some(Reverse((promised, pred))) = self.queue.pop() {
            cx.budget.check()?;
            match self.cost(pred) {
                Some(cost) if cost > promised => self.queue.push(Reverse((cost, pred))),
                Some(_) => self.eliminate(cx, pred)?,
                None => (),
            }
        }
        Ok(())
    }
    fn eliminate(&mut self, cx: &mut Cx<'_>, pred: PredId) -> Outcome<()> {
        let incoming = std::mem::take(&mut self.incoming[pred]);
        let incoming = self.take(cx.store, &incoming);
        let outgoing = std::mem::take(&mut self.outgoing[pred]);
        let outgoing = self.take(cx.store, &outgoing);
        let clauses = |works: &[Work], store: &mut TermStore| -> Vec<Clause> {
            works.iter().map(|work| work.to_clause(store)).collect()
        };
        self.eliminated.push(Eliminated {
            pred,
            incoming: clauses(&incoming, cx.store),
            outgoing: clauses(&outgoing, cx.store),
        });
        self.gone[pred] = true;
        let before: usize = incoming.iter().chain(&outgoing).map(|work| work.size).sum();
        let (mut after, mut touched) = (0, Vec::new());
        for work in incoming.iter().chain(&outgoing) {
            touched.extend(work.body.iter().chain(&work.head).map(|atom| atom.pred));
        }
        for (number, inner) in incoming.iter().enumerate() {
            for (other, outer) in outgoing.iter().enumerate() {
                cx.budget.check()?;
                // Whoever is not resolved for the last time is copied, so that live clauses share
                // no variable.
                let inner = inner.copy_unless(cx.store, other + 1 == outgoing.len());
                let outer = outer.copy_unless(cx.store, number + 1 == incoming.len());
                if let Some(work) = resolve(cx, pred, inner, outer)? {
                    after += work.size;
                    self.insert(work);
                }
            }
        }
        self.allowance = (self.allowance + before).saturating_sub(after);
        touched.sort_unstable();
        touched.dedup();
        for pred in touched {
            self.enqueue(pred);
        }
        Ok(())
    }
    /// Takes live clauses out, with variables that nobody else has.
    fn take(&mut self, store: &mut TermStore, clauses: &[usize]) -> Vec<Work> {
        let mut taken = Vec::with_capacity(clauses.len());
        for &at in clauses {
            if let Some(work) = self.works[at].take() {
                self.count(&work, |number, less| *number -= less);
                taken.push(work.apart(store));
            }
        }
        taken
    }
    fn finish(self, cx: &mut Cx<'_>, source: NormalSystem) -> Translated<ChcSystem, ChcSystem> {
        let keep = self.gone.iter().map(|&gone| !gone).collect();
        let (mut target, ids) = predicates(&source, &keep);
        let meanings = source
            .preds()
            .map(|pred| match ids[pred] {
                Some(to) => kept(cx.store, &source, pred, to),
                None => Meaning::Resolved,
            })
            .collect();
        let mut origins: IndexVec<ClauseId, Origin> = IndexVec::new();
        for work in self.works.into_iter().flatten() {
            let clause = match work.untouched {
                Some(id) => source.clause(id).clone(),
                None => work.to_clause(cx.store),
            };
            target.add_clause(mapped(&clause, &ids).expect("no live clause has a lost predicate"));
            let head = clause.head.map_or_else(Vec::new, |head| head.args);
            origins.push(match work.untouched {
                Some(id) => Origin::Same(id),
                None => Origin::Made { head, templates: vec![work.template] },
            });
        }
        let back = WayBack {
            source: source.into_clauses(),
            meanings,
            origins,
            eliminated: self.eliminated,
        };
        (target, Box::new(back))
    }
}
