//! The hook a theory hangs on.
//!
//! The search tells a [`Propagator`] what is assigned, in trail order, and asks it for consequences
//! when Boolean propagation has nothing left to do. What the propagator has to say goes into
//! [`Consequences`]: literals it can explain later, or clauses. Reasons are asked for only when
//! conflict analysis needs them.
//!
//! Protocol, for one `solve`: `assign*` (root level), `propagate`, then for each level `new_level`,
//! `assign*`, `propagate`, … . `backtrack(k)` keeps the levels `0..=k`, and what was assigned at
//! them. Literals of the root level are reported once and stay; those of a variable that is given
//! to the theory again are reported again. `propagate` is not called again while no watched
//! variable was assigned and nothing was taken back since the last call; so it may add an open
//! lemma without being asked for ever.
//!
//! Source: [NOT06] (the abstract framework), [GHN04] (propagation with lazy explanation).

use shofar_base::{Idx, Lit, Outcome, Var};

use crate::proof::Tag;

/// A theory, as the search sees it.
pub trait Propagator {
    /// A watched variable was assigned; called in trail order, before `propagate`.
    fn assign(&mut self, lit: Lit);
    /// A decision level was opened.
    fn new_level(&mut self);
    /// The levels above `level` were taken back.
    fn backtrack(&mut self, level: u32);
    /// Draws consequences; called after Boolean propagation came to a fixpoint.
    fn propagate(&mut self, out: &mut Consequences) -> Outcome<()>;
    /// Every variable is assigned; adding nothing to `out` means that the assignment is a model.
    fn final_check(&mut self, out: &mut Consequences) -> Outcome<()>;
    /// Writes the valid clause `{lit} ∪ {¬reasons}` in any order to `clause`, which is empty. `lit`
    /// was implied before, and the reasons were assigned (so they are true) at that time.
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) -> Tag;
    /// The sign to try first when deciding `var`.
    fn phase(&self, _var: Var) -> Option<bool> {
        None
    }
}

/// What a propagator has found out during one call.
#[derive(Debug, Default)]
pub struct Consequences {
    pub(crate) implied: Vec<Lit>,
    pub(crate) lits: Vec<Lit>,
    /// Tag of each lemma and where it ends in `lits`.
    pub(crate) lemmas: Vec<(Tag, usize)>,
    pub(crate) vars: usize,
    pub(crate) wanted: Vec<Var>,
    fresh: bool,
}

impl Consequences {
    /// `lit` follows from what is assigned; `explain` will be able to say why.
    pub fn implied(&mut self, lit: Lit) {
        self.implied.push(lit);
    }
    /// A valid clause; it may be conflicting, unit, satisfied or open under the current assignment.
    pub fn lemma(&mut self, lits: &[Lit], tag: Tag) {
        self.lits.extend_from_slice(lits);
        self.lemmas.push((tag, self.lits.len()));
    }
    /// A fresh variable, watched, which can be used at once.
    pub fn new_var(&mut self) -> Var {
        let var = Var::from_index(self.vars);
        self.vars += 1;
        self.fresh = true;
        var
    }
    /// Asks the search to decide `var`, an old or a fresh one, if it has no value.
    pub fn decide(&mut self, var: Var) {
        self.wanted.push(var);
    }
    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.implied.is_empty() && self.lemmas.is_empty() && self.wanted.is_empty() && !self.fresh
    }
    /// Forgets everything; the next new variable is number `vars`.
    pub(crate) fn reset(&mut self, vars: usize) {
        self.implied.clear();
        self.lits.clear();
        self.lemmas.clear();
        self.wanted.clear();
        self.vars = vars;
        self.fresh = false;
    }
}

/// The theory that never has anything to say: plain propositional logic.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTheory;

impl Propagator for NoTheory {
    fn assign(&mut self, _lit: Lit) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _level: u32) {}
    fn propagate(&mut self, _out: &mut Consequences) -> Outcome<()> {
        Ok(())
    }
    fn final_check(&mut self, _out: &mut Consequences) -> Outcome<()> {
        Ok(())
    }
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) -> Tag {
        unreachable!("nothing was implied, so nothing is asked for: {lit:?} {clause:?}")
    }
}
