//! The check of a whole proof.
//!
//! Every step is looked at once, in order: a leaf by its rule, a chain by replaying its
//! resolutions. The clause that the last step derives must consist of negated assumptions. Then the
//! premises and the assumptions cannot hold together.
//!
//! Source: [ZM03].

use shofar_base::{Budget, Idx as _, Map, Outcome};
use shofar_term::{Term, TermStore};

use crate::bits::Meanings;
use crate::clause_form::ClauseForm;
use crate::resolvent::{Atoms, Resolvent};
use crate::{
    Flaw, Literal, Proof, Reason, Rule, Step, StepId, axiom, congruence, definition, farkas,
};

/// Checks proofs over the terms of one store.
#[derive(Debug, Default)]
pub struct Checker {
    /// The clause forms of the premises seen so far: several proofs tend to stand on the same
    /// ones.
    forms: Map<Term, ClauseForm>,
    /// What formulas over bit-vectors mean, in the proof that is being checked.
    bits: Option<Box<Meanings>>,
}

impl Checker {
    /// A checker that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }
    /// Whether `proof` shows that `premises` and `assumptions` cannot hold together.
    pub fn check(
        &mut self,
        store: &TermStore,
        budget: &Budget,
        premises: &[Term],
        assumptions: &[Term],
        proof: &Proof,
    ) -> Outcome<Result<(), Flaw>> {
        let assumed: Vec<Literal> = assumptions.iter().map(|&a| Literal::of(store, a)).collect();
        let mut replay = Replay::default();
        self.bits = None;
        for (at, step) in proof.steps.iter().enumerate() {
            budget.check()?;
            if let Step::Leaf { clause, rule } = step
                && let Err(reason) = self.check_leaf(store, premises, clause, rule)
            {
                return Ok(Err(flaw(at, reason)));
            }
            if let Err(reason) = replay.step(step) {
                return Ok(Err(flaw(at, reason)));
            }
        }
        Ok(conclude(&replay, &assumed))
    }
    fn check_leaf(
        &mut self,
        store: &TermStore,
        premises: &[Term],
        clause: &[Literal],
        rule: &Rule,
    ) -> Result<(), Reason> {
        let (is_right, reason) = match rule {
            Rule::Premise(at) => {
                let &premise = premises.get(*at).ok_or(Reason::NoPremise(*at))?;
                let form =
                    self.forms.entry(premise).or_insert_with(|| ClauseForm::new(store, premise));
                (form.has(store, clause), Reason::NotOfPremise(*at))
            }
            Rule::Definition(term) => {
                let is_right = definition::is_part(store, clause, *term)
                    || self.is_part_of_bits(store, clause, *term);
                (is_right, Reason::NotOfDefinition(*term))
            }
            Rule::Farkas(coefficients) => {
                (farkas::is_lemma(store, clause, coefficients), Reason::NotFarkas)
            }
            Rule::Congruence => (congruence::is_lemma(store, clause), Reason::NotCongruence),
            Rule::Axiom => {
                let is_valid =
                    crate::product::is_law(store, clause) || axiom::is_instance(store, clause);
                (is_valid, Reason::NotAxiom)
            }
        };
        if is_right { Ok(()) } else { Err(reason) }
    }
    /// Whether `clause` says what a formula over bit-vectors means.
    fn is_part_of_bits(&mut self, store: &TermStore, clause: &[Literal], term: Term) -> bool {
        let is_vector = |&t: &Term| store.bits_width(store.sort(t)).is_some();
        if !store.children(term).iter().chain([&term]).any(is_vector) {
            return false;
        }
        self.bits.get_or_insert_with(|| Box::new(Meanings::new(store))).is_part(clause, term)
    }
}

fn flaw(at: usize, reason: Reason) -> Flaw {
    Flaw { step: Some(StepId::from_index(at)), reason }
}

/// Whether what was derived denies assumptions only.
fn conclude(replay: &Replay, assumed: &[Literal]) -> Result<(), Flaw> {
    let Some(conclusion) = replay.derived.last() else {
        let is_clash = assumed.iter().any(|&literal| assumed.contains(&!literal));
        return if is_clash { Ok(()) } else { Err(Flaw { step: None, reason: Reason::Empty }) };
    };
    let mut literals = conclusion.iter().map(|&code| replay.atoms.literal(code));
    match literals.find(|&literal| !assumed.contains(&!literal)) {
        Some(literal) => Err(flaw(replay.derived.len() - 1, Reason::NotAssumed(literal))),
        None => Ok(()),
    }
}

/// The clauses that were derived so far.
#[derive(Default)]
struct Replay {
    atoms: Atoms,
    derived: Vec<Box<[u32]>>,
    resolvent: Resolvent,
}

impl Replay {
    fn step(&mut self, step: &Step) -> Result<(), Reason> {
        match step {
            Step::Leaf { clause, .. } => {
                let codes: Vec<u32> = clause.iter().map(|&l| self.atoms.enter(l)).collect();
                self.resolvent.add(&self.atoms, &codes, None)?;
            }
            Step::Chain { first, rest } => {
                self.resolvent.add(&self.atoms, earlier(&self.derived, *first)?, None)?;
                for &(pivot, other) in rest {
                    let other = earlier(&self.derived, other)?;
                    self.resolvent.resolve(&self.atoms, pivot, other)?;
                }
            }
        }
        self.derived.push(self.resolvent.take());
        Ok(())
    }
}

fn earlier(derived: &[Box<[u32]>], step: StepId) -> Result<&[u32], Reason> {
    derived.get(step.index()).map(|clause| &**clause).ok_or(Reason::NotEarlier(step))
}
