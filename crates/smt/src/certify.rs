//! Independent checks of evidence: interpolants and cores with a fresh solver, proofs with a
//! checker that knows no solver.

use shofar_base::{Idx as _, Lit, Outcome, Var};
use shofar_num::Rational;
use shofar_proof::{self as proof, Checker, Literal, Rule};
use shofar_sat::{Step, StepId};
use shofar_term::print::print;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Term};
use shofar_theory::{Certificate, Lemma};

use crate::answer::{Answer, UnsatView};
use crate::leaf::Leaf;
use crate::{Evidence, Options, Solver, implies};

/// What is wrong with a piece of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection(pub String);

impl std::fmt::Display for Objection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// How many case distinctions of integers a check of evidence may take.
const SPLITS: u32 = 1_000;

/// What evidence is checked with.
pub(crate) fn limited() -> Options {
    Options { integer_splits: Some(SPLITS), ..Options::default() }
}

/// `a` implies the interpolant, `b` contradicts it, and all its symbols are shared.
pub(crate) fn check_interpolant(
    cx: &mut Cx<'_>,
    a: &[Term],
    b: &[Term],
    interpolant: Term,
) -> Outcome<Result<(), Objection>> {
    let object = |cx: &Cx<'_>, what: &str| {
        Ok(Err(Objection(format!("{what}: {}", print(cx.store, interpolant)))))
    };
    let (left, right) = (free_symbols(cx.store, a), free_symbols(cx.store, b));
    for symbol in free_symbols(cx.store, &[interpolant]) {
        if left.binary_search(&symbol).is_err() || right.binary_search(&symbol).is_err() {
            return object(cx, "a symbol is not shared");
        }
    }
    if !implies(cx, limited(), a, interpolant)? {
        return object(cx, "A does not imply it");
    }
    let negated = cx.store.not(interpolant);
    if !implies(cx, limited(), b, negated)? {
        return object(cx, "B does not contradict it");
    }
    Ok(Ok(()))
}

/// The self-check of debug builds: whatever evidence there is stands by itself. Without evidence
/// there is nothing to check.
///
/// A core is decided again by a fresh solver, which may give up; a proof is checked as a whole.
pub(crate) fn check_refutation(cx: &mut Cx<'_>, view: UnsatView<'_>) -> Result<(), Objection> {
    if view.solver.options.evidence == Evidence::Plain {
        return Ok(());
    }
    if view.solver.options.evidence == Evidence::Proofs
        && let Ok(Err(objection)) = check_proof(cx, view)
    {
        return Err(objection);
    }
    let core = view.core();
    let mut solver = Solver::new(Options::default());
    for (_, formula) in view.solver.formulas().filter(|(id, _)| core.contains(id)) {
        solver.add(cx.store, formula);
    }
    match solver.check_assuming(cx, &view.failed()) {
        Ok(Answer::Sat(_)) => Err(Objection("a core is satisfiable".to_owned())),
        Ok(Answer::Unsat(_)) | Err(_) => Ok(()),
    }
}

/// Checks a refutation with a checker that shares no code with the solver.
pub(crate) fn check_proof(cx: &mut Cx<'_>, view: UnsatView<'_>) -> Outcome<Result<(), Objection>> {
    let premises: Vec<Term> = view.solver.formulas().map(|(_, formula)| formula).collect();
    let assumptions: Vec<Term> = view.solver.assumed.iter().map(|&(term, _)| term).collect();
    let proof = match export(view) {
        Ok(proof) => proof,
        Err(objection) => return Ok(Err(objection)),
    };
    let checked = Checker::new().check(cx.store, cx.budget, &premises, &assumptions, &proof)?;
    Ok(checked.map_err(|flaw| Objection(flaw.describe(cx.store))))
}

/// The refutation as plain data over terms. Premises are the live parts in their order.
///
/// Activation literals are left out: they occur negated only, so that nothing is ever resolved upon
/// them, and stand in the clauses of parts that are alive, for which they are assumed.
pub(crate) fn export(view: UnsatView<'_>) -> Result<proof::Proof, Objection> {
    let Some(refutation) = view.proof() else { return Ok(proof::Proof::default()) };
    let export_step = |id| match refutation.step(id) {
        Step::Leaf { lits, tag } => {
            let clause = lits.iter().filter_map(|&lit| literal(view, lit)).collect();
            let rule = rule(view, lits, view.solver.known.leaves.get(tag))?;
            Ok(proof::Step::Leaf { clause, rule })
        }
        Step::Chain { first, rest } => {
            let link =
                |&(pivot, other): &(Var, StepId)| Ok((pivot_atom(view, pivot)?, step_id(other)));
            let rest = rest.iter().map(link).collect::<Result<_, Objection>>()?;
            Ok(proof::Step::Chain { first: step_id(first), rest })
        }
    };
    let steps = refutation.ids().map(export_step).collect::<Result<_, Objection>>()?;
    Ok(proof::Proof { steps })
}

fn step_id(id: StepId) -> proof::StepId {
    proof::StepId::from_index(id.index())
}

fn literal(view: UnsatView<'_>, lit: Lit) -> Option<Literal> {
    let atom = view.solver.known.term(lit.var())?;
    Some(Literal { atom, positive: lit.is_positive() })
}

fn pivot_atom(view: UnsatView<'_>, pivot: Var) -> Result<Term, Objection> {
    let atom = view.solver.known.term(pivot);
    atom.ok_or_else(|| Objection("an activation literal is resolved upon".to_owned()))
}

/// Why the clause `lits` may stand at a leaf.
fn rule(view: UnsatView<'_>, lits: &[Lit], leaf: &Leaf) -> Result<Rule, Objection> {
    match leaf {
        Leaf::Part(id) => {
            let place = view.solver.parts.binary_search_by_key(id, |part| part.id);
            let gone = |_| Objection("a leaf belongs to a part that is gone".to_owned());
            place.map(Rule::Premise).map_err(gone)
        }
        Leaf::Definition(term) => Ok(Rule::Definition(*term)),
        Leaf::Lemma(lemma) => Ok(lemma_rule(lits, lemma)),
        Leaf::Axiom => Ok(Rule::Axiom),
        Leaf::Retired => Err(Objection("a proof uses a scope that is gone".to_owned())),
    }
}

/// Why the lemma with the clause `lits` is valid; all its literals are atoms of theories.
fn lemma_rule(lits: &[Lit], lemma: &Lemma<Certificate>) -> Rule {
    match &lemma.certificate {
        Certificate::Farkas(coefficients) => {
            let coefficient = |&lit: &Lit| {
                let weighted = lemma.lits.iter().zip(coefficients);
                let own = weighted.filter(|&(&other, _)| other == !lit);
                own.fold(Rational::ZERO, |sum, (_, coefficient)| sum + coefficient)
            };
            Rule::Farkas(lits.iter().map(coefficient).collect())
        }
        Certificate::Congruence(_) => Rule::Congruence,
    }
}
