//! The theory as the SAT solver sees it.
//!
//! Forwards assignments of theory atoms, turns contradictions into clauses with a tag for the
//! proof, and gives case distinctions a variable. It is enough that the search decides the atom,
//! and that the theory which owns it hears of it; an equality between numbers also gets the clauses
//! that tie it to its inequalities. Disequalities that were left to a theory get their clauses
//! here, when it has found no other way.

use shofar_base::{Budget, Lit, Map, Outcome, Var};
use shofar_sat::{Consequences, Propagator, Tag};
use shofar_term::{Term, TermStore};
use shofar_theory::{Certificate, Check, Collision, Effort, Lemma, Split, Theories, Theory};

use crate::encode::{Encoding, Origin};
use crate::leaf::Leaf;

/// The theory's side of one search.
pub(crate) struct Hook<'a> {
    pub(crate) store: &'a mut TermStore,
    pub(crate) theories: &'a mut Theories,
    pub(crate) known: &'a mut Encoding,
    pub(crate) budget: &'a Budget,
    pub(crate) state: &'a mut HookState,
}

/// What the hook keeps between calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct HookState {
    level: u32,
    /// A contradiction found while asserting, reported at the next propagation.
    clash: Option<Lemma<Certificate>>,
    implied: Vec<Lit>,
    clause: Vec<Lit>,
    /// Variables of case distinctions since the last call of [`Self::take_splits`], and the side
    /// to try first, if it matters.
    splits: Map<Var, Option<bool>>,
}

impl HookState {
    /// The variables that the search was asked to decide for the sake of a theory.
    pub(crate) fn take_splits(&mut self) -> Vec<Var> {
        let splits = std::mem::take(&mut self.splits).into_sorted();
        splits.into_iter().map(|(var, _)| var).collect()
    }
}

impl Hook<'_> {
    fn lemma(&mut self, lemma: Lemma<Certificate>, out: &mut Consequences) {
        let tag = self.clause_of(lemma);
        out.lemma(&self.state.clause, tag);
    }
    /// Writes the clause of `lemma` to the buffer and returns its tag.
    fn clause_of(&mut self, lemma: Lemma<Certificate>) -> Tag {
        self.state.clause.clear();
        self.state.clause.extend(lemma.lits.iter().map(|&l| !l));
        debug_assert!(self.is_certified(&lemma), "a lemma has a wrong certificate: {lemma:?}");
        self.known.leaves.tag(|| Leaf::Lemma(Box::new(lemma)))
    }
    fn is_certified(&self, lemma: &Lemma<Certificate>) -> bool {
        let atom = |lit: &Lit| (self.known.term(lit.var()), lit.is_positive());
        let literals: Option<Vec<(Term, bool)>> =
            lemma.lits.iter().map(atom).map(|(term, sign)| Some((term?, sign))).collect();
        literals.is_some_and(|l| Theories::certifies(self.store, &l, &lemma.certificate))
    }
    fn split(&mut self, split: Split, out: &mut Consequences) {
        let lit = self.literal(split.atom, out);
        let phase = split.phase.map(|phase| phase == lit.is_positive());
        self.state.splits.insert(lit.var(), phase);
        let (atom, _) = self.store.strip_not(split.atom);
        if let Some(parts) = Theories::parts(self.store, atom) {
            self.define(lit.var(), atom, parts, out);
        }
    }
    /// Writes down that `atom` is the conjunction of its parts. The encoder may have done so for
    /// good; if not, the clauses may get lost again, and are written anew when the theories ask
    /// for the atom once more.
    fn define(&mut self, var: Var, atom: Term, parts: [Term; 2], out: &mut Consequences) {
        let (whole, [a, b]) = (var.positive(), parts.map(|part| self.literal(part, out)));
        for clause in [&[!whole, a][..], &[!whole, b], &[whole, !a, !b]] {
            let tag = self.known.leaves.tag(|| Leaf::Definition(atom));
            out.lemma(clause, tag);
        }
    }
    /// The literal of an atom or its negation, which the search will decide.
    fn literal(&mut self, atom: Term, out: &mut Consequences) -> Lit {
        let (atom, negated) = self.store.strip_not(atom);
        let var = self.known.var_of(atom).unwrap_or_else(|| {
            let var = out.new_var();
            self.known.enter(var, Some(atom));
            self.theories.register(self.store, atom, var);
            var
        });
        out.decide(var);
        self.state.splits.entry(var).or_default();
        Lit::new(var, !negated)
    }
    /// Writes down that two members of a group differ, as a clause of the part that says so.
    fn divide(&mut self, collision: Collision, out: &mut Consequences) {
        let Origin { part, guard } = self.known.groups[collision.group];
        let sides = collision.cases.map(|case| self.literal(case, out));
        self.state.clause.clear();
        self.state.clause.extend(sides);
        self.state.clause.extend(guard.map(|guard| !guard));
        let tag = self.known.leaves.tag(|| Leaf::Part(part));
        out.lemma(&self.state.clause, tag);
    }
    fn respond(&mut self, check: Check<Certificate>, out: &mut Consequences) {
        match check {
            Check::Consistent => {}
            Check::Conflict(lemma) => self.lemma(lemma, out),
            Check::Split(splits) => {
                for split in splits {
                    self.split(split, out);
                }
            }
            Check::Collision(collisions) => {
                for collision in collisions {
                    self.divide(collision, out);
                }
            }
        }
    }
}

impl Propagator for Hook<'_> {
    fn assign(&mut self, lit: Lit) {
        if self.state.clash.is_none() {
            self.state.clash = self.theories.assert(lit).err();
        }
    }
    fn new_level(&mut self) {
        self.state.level += 1;
        self.theories.push();
    }
    fn backtrack(&mut self, level: u32) {
        self.state.clash = None;
        if level < self.state.level {
            self.theories.pop(self.state.level - level);
            self.state.level = level;
        }
    }
    fn propagate(&mut self, out: &mut Consequences) -> Outcome<()> {
        if let Some(lemma) = self.state.clash.take() {
            self.lemma(lemma, out);
            return Ok(());
        }
        match self.theories.check(self.store, self.budget, Effort::Quick)? {
            Check::Conflict(lemma) => self.lemma(lemma, out),
            found @ (Check::Consistent | Check::Split(_) | Check::Collision(_)) => {
                if let Check::Split(splits) = found {
                    for split in splits {
                        self.split(split, out);
                    }
                }
                self.theories.implied(&mut self.state.implied);
                for lit in self.state.implied.drain(..) {
                    out.implied(lit);
                }
            }
        }
        Ok(())
    }
    fn final_check(&mut self, out: &mut Consequences) -> Outcome<()> {
        let check = self.theories.check(self.store, self.budget, Effort::Final)?;
        self.respond(check, out);
        Ok(())
    }
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) -> Tag {
        let lemma = self.theories.explain(lit);
        let tag = self.clause_of(lemma);
        clause.clear();
        clause.extend_from_slice(&self.state.clause);
        tag
    }
    fn phase(&self, var: Var) -> Option<bool> {
        self.state.splits.get(&var).copied().flatten().or_else(|| self.theories.phase(var))
    }
}
