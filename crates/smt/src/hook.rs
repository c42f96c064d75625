//! The theory as the SAT solver sees it.
//!
//! Forwards assignments of theory atoms, turns contradictions into clauses with a tag for the proof, and gives the
//! integers' case distinctions a variable. A split `form ≤ bound` over the integers needs no clause: the negation of the
//! atom *is* `form ≥ bound + 1`, so it is enough that the search decides it. Disequalities that were left to the theory
//! get their clauses here, when it has found no other way.

use shofar_base::{Budget, Lit, Map, Outcome, Var};
use shofar_num::Rational;
use shofar_sat::{Consequences, Propagator, Tag};
use shofar_term::{Linear, Term, TermStore};
use shofar_theory::{Arith, Check, Effort, Lemma, Split, Theory};

use crate::distinct::Origin;
use crate::encode::Encoding;
use crate::leaf::Leaf;

/// How often values are moved away from each other in one final check; moving may spoil other values.
const MOST_ROUNDS: u32 = 3;

/// The theory's side of one search.
pub(crate) struct Hook<'a> {
    pub(crate) store: &'a mut TermStore,
    pub(crate) arith: &'a mut Arith,
    pub(crate) known: &'a mut Encoding,
    pub(crate) budget: &'a Budget,
    pub(crate) state: &'a mut HookState,
}

/// What the hook keeps between calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct HookState {
    level: u32,
    /// A contradiction found while asserting, reported at the next propagation.
    clash: Option<Lemma>,
    implied: Vec<Lit>,
    clause: Vec<Lit>,
    /// Variables of case distinctions since the last call of [`Self::take_splits`], and the side to try first, if it matters:
    /// the one toward zero, so that a search without bounds does not run away.
    splits: Map<Var, Option<bool>>,
}

impl HookState {
    /// The variables that the search was asked to decide for the integers' sake.
    pub(crate) fn take_splits(&mut self) -> Vec<Var> {
        let mut splits: Vec<Var> = std::mem::take(&mut self.splits).into_keys().collect();
        splits.sort_unstable();
        splits
    }
}

impl Hook<'_> {
    fn lemma(&mut self, lemma: Lemma, out: &mut Consequences) {
        let tag = self.clause_of(lemma);
        out.lemma(&self.state.clause, tag);
    }
    /// Writes the clause of `lemma` to the buffer and returns its tag.
    fn clause_of(&mut self, lemma: Lemma) -> Tag {
        self.state.clause.clear();
        self.state.clause.extend(lemma.lits.iter().map(|&l| !l));
        self.known.leaves.tag(|| Leaf::Lemma(lemma.lits.into_iter().zip(lemma.farkas).collect()))
    }
    fn split(&mut self, split: Split, out: &mut Consequences) {
        let toward_zero = !split.bound.is_negative();
        let mut linear = Linear::from_monomials(split.form, -split.bound);
        linear.scale(&linear.primitive_factor());
        let atom = self.store.le_zero(&linear);
        let lit = self.literal(atom, out);
        self.state.splits.insert(lit.var(), Some(toward_zero == lit.is_positive()));
    }
    /// The literal of an arithmetic atom or its negation, which the search will decide.
    fn literal(&mut self, atom: Term, out: &mut Consequences) -> Lit {
        let (atom, negated) = self.store.strip_not(atom);
        let var = self.known.var_of(atom).unwrap_or_else(|| {
            let var = out.new_var();
            self.known.enter(var, Some(atom));
            self.arith.register(self.store, atom, var);
            var
        });
        out.decide(var);
        self.state.splits.entry(var).or_default();
        Lit::new(var, !negated)
    }
    /// Writes the disequalities down that do not hold.
    fn divide_collisions(&mut self, out: &mut Consequences) {
        for (group, (x, x_offset), (y, y_offset)) in self.arith.collisions() {
            let Origin { part, guard } = self.known.groups[group];
            let mut linear = Linear::from_monomials(
                vec![(Rational::ONE, x), (Rational::MINUS_ONE, y)],
                x_offset - y_offset,
            );
            let below = self.store.lt_zero(&linear);
            linear.scale(&Rational::MINUS_ONE);
            let above = self.store.lt_zero(&linear);
            let sides = [self.literal(below, out), self.literal(above, out)];
            self.state.clause.clear();
            self.state.clause.extend(sides);
            self.state.clause.extend(guard.map(|guard| !guard));
            let tag = self.known.leaves.tag(|| Leaf::Part(part));
            out.lemma(&self.state.clause, tag);
        }
    }
}

impl Propagator for Hook<'_> {
    fn assign(&mut self, lit: Lit) {
        if self.state.clash.is_none() {
            self.state.clash = self.arith.assert(lit).err();
        }
    }
    fn new_level(&mut self) {
        self.state.level += 1;
        self.arith.push();
    }
    fn backtrack(&mut self, level: u32) {
        self.state.clash = None;
        if level < self.state.level {
            self.arith.pop(self.state.level - level);
            self.state.level = level;
        }
    }
    fn propagate(&mut self, out: &mut Consequences) -> Outcome<()> {
        if let Some(lemma) = self.state.clash.take() {
            self.lemma(lemma, out);
            return Ok(());
        }
        match self.arith.check(self.budget, Effort::Quick)? {
            Check::Conflict(lemma) => self.lemma(lemma, out),
            Check::Consistent | Check::Split(_) => {
                self.arith.implied(&mut self.state.implied);
                for lit in self.state.implied.drain(..) {
                    out.implied(lit);
                }
            }
        }
        Ok(())
    }
    fn final_check(&mut self, out: &mut Consequences) -> Outcome<()> {
        for round in 0.. {
            match self.arith.check(self.budget, Effort::Final)? {
                Check::Conflict(lemma) => self.lemma(lemma, out),
                Check::Split(split) => self.split(split, out),
                Check::Consistent if round < MOST_ROUNDS && self.arith.separate() => continue,
                Check::Consistent => self.divide_collisions(out),
            }
            break;
        }
        Ok(())
    }
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) -> Tag {
        let lemma = self.arith.explain(lit);
        let tag = self.clause_of(lemma);
        clause.clear();
        clause.extend_from_slice(&self.state.clause);
        tag
    }
    fn phase(&self, var: Var) -> Option<bool> {
        self.state.splits.get(&var).copied().flatten().or_else(|| self.arith.phase(var))
    }
}
