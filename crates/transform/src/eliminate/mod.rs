//! Predicates are resolved away.
//!
//! A predicate that no clause has both in its head and in its body, and no body twice, can be eliminated: every clause that
//! derives it is resolved with every clause that uses it. This summarises chains, contracts nodes and inlines clauses; it
//! is done while it does not make more clauses, makes no body longer than both bodies it is made of, and lets constraints
//! grow by a bounded amount only. Cheap eliminations come first, so that long chains are contracted from all sides and the
//! work stays near-linear. Every resolvent is simplified at once, since elimination leaves behind variables that are no
//! longer arguments.
//!
//! The idea is that of clause-distribution with a growth limit in SAT preprocessing [EB05], here for predicates of Horn clauses.

mod resolve;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use shofar_base::{IndexVec, Outcome};
use shofar_chc::{ChcSystem, Clause, ClauseId, PredId, Translated};
use shofar_term::{Cx, TermStore};

use crate::Pass;
use crate::back::{Eliminated, Meaning, Origin, WayBack, kept, unchanged};
use crate::drop::{mapped, predicates};
use crate::normalize::on_normal;
use resolve::{Work, resolve};

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
                return Ok(unchanged(source));
            }
            Ok(elimination.finish(cx, source))
        })
    }
}

/// The clauses while predicates disappear.
struct Elimination {
    limits: Eliminate,
    works: Vec<Option<Work>>,
    incoming: IndexVec<PredId, Vec<usize>>,
    outgoing: IndexVec<PredId, Vec<usize>>,
    gone: IndexVec<PredId, bool>,
    eliminated: Vec<Eliminated>,
    /// By how much constraints may still grow in all.
    allowance: usize,
    queue: BinaryHeap<Reverse<(usize, PredId)>>,
}

impl Elimination {
    fn new(store: &TermStore, source: &ChcSystem, limits: Eliminate) -> Self {
        let none = || source.preds().map(|_| Vec::new()).collect();
        let mut this = Self {
            limits,
            works: Vec::new(),
            incoming: none(),
            outgoing: none(),
            gone: source.preds().map(|_| false).collect(),
            eliminated: Vec::new(),
            allowance: 1_000,
            queue: BinaryHeap::new(),
        };
        for (id, clause) in source.clauses() {
            let work = Work::new(store, source, id, clause);
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
        self.works.push(Some(work));
    }
    fn enqueue(&mut self, pred: PredId) {
        if let Some(cost) = self.cost(pred) {
            self.queue.push(Reverse((cost, pred)));
        }
    }
    fn live(&self, clauses: &[usize]) -> Vec<usize> {
        clauses.iter().copied().filter(|&at| self.works[at].is_some()).collect()
    }
    /// How large the resolvents of `pred` would be together; nothing if it must stay.
    fn cost(&self, pred: PredId) -> Option<usize> {
        let work = |at: &usize| self.works[*at].as_ref().expect("only live clauses are listed");
        let (incoming, outgoing) = (&self.incoming[pred], &self.outgoing[pred]);
        let (ins, outs) = (incoming.len(), outgoing.len());
        if self.gone[pred] || ins * outs > ins + outs {
            return None;
        }
        let once = |at: &usize| {
            let work = work(at);
            let uses = work.body.iter().filter(|atom| atom.pred == pred).count();
            uses == 1 && work.head.as_ref().is_none_or(|head| head.pred != pred)
        };
        let longest = |list: &[usize]| list.iter().map(|at| work(at).body.len()).max().unwrap_or(0);
        if !outgoing.iter().all(once) || (longest(incoming) > 1 && longest(outgoing) > 1) {
            return None;
        }
        let size = |list: &[usize]| list.iter().map(|at| work(at).size).sum::<usize>();
        let (before, after) =
            (size(incoming) + size(outgoing), size(incoming) * outs + size(outgoing) * ins);
        let growth = after.saturating_sub(before);
        (growth <= self.limits.growth.max(before / 2) && growth <= self.allowance).then_some(after)
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
        let incoming = self.take(cx.store, pred, &self.live(&self.incoming[pred]));
        let outgoing = self.take(cx.store, pred, &self.live(&self.outgoing[pred]));
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
                // Whoever is not resolved for the last time is copied, so that live clauses share no variable.
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
    /// Takes clauses out, with variables that nobody else has.
    fn take(&mut self, store: &mut TermStore, pred: PredId, clauses: &[usize]) -> Vec<Work> {
        let mut taken = Vec::with_capacity(clauses.len());
        for &at in clauses {
            let work = self.works[at].take().expect("the clause is live");
            for atom in work.body.iter().filter(|atom| atom.pred != pred) {
                self.outgoing[atom.pred].retain(|&other| other != at);
            }
            if let Some(head) = work.head.as_ref().filter(|head| head.pred != pred) {
                self.incoming[head.pred].retain(|&other| other != at);
            }
            taken.push(work.apart(store));
        }
        taken
    }
    fn finish(self, cx: &mut Cx<'_>, source: ChcSystem) -> Translated<ChcSystem, ChcSystem> {
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
        let back = WayBack { source, meanings, origins, eliminated: self.eliminated };
        (target, Box::new(back))
    }
}
