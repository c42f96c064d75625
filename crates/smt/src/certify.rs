//! Independent checks of evidence with a fresh solver.

use shofar_base::{Lit, Outcome};
use shofar_sat::Step;
use shofar_term::print::print;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Term};
use shofar_theory::{Certificate, Lemma, Theories, Theory};

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

/// The self-check of debug builds: whatever evidence there is stands by itself. Without evidence there is nothing to check.
///
/// A core is decided again by a fresh solver, which may give up; a proof is replayed but for its leaves.
pub(crate) fn check_refutation(cx: &mut Cx<'_>, view: UnsatView<'_>) -> Result<(), Objection> {
    if view.solver.options.evidence == Evidence::Plain {
        return Ok(());
    }
    if view.solver.options.evidence == Evidence::Proofs
        && let Err(objection) = check_resolutions(view)
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

fn check_resolutions(view: UnsatView<'_>) -> Result<(), Objection> {
    let expected: Vec<_> = view.solver.sat.failed().iter().map(|&l| !l).collect();
    match view.proof() {
        Some(proof) => {
            proof.check(&expected).map_err(|error| Objection(format!("resolution: {error}")))
        }
        None => Ok(()),
    }
}

/// Replays a refutation: resolution steps, certificates of lemmas, and every other leaf against its formula.
pub(crate) fn check_proof(cx: &mut Cx<'_>, view: UnsatView<'_>) -> Outcome<Result<(), Objection>> {
    let Some(proof) = view.proof() else { return Ok(Ok(())) };
    let known = &view.solver.known;
    if let Err(objection) = check_resolutions(view) {
        return Ok(Err(objection));
    }
    for id in proof.ids() {
        let Step::Leaf { lits, tag } = proof.step(id) else { continue };
        let literals: Vec<(Term, bool)> =
            lits.iter().filter_map(|l| Some((known.term(l.var())?, l.is_positive()))).collect();
        let premise = match known.leaves.get(tag) {
            Leaf::Lemma(lemma) => {
                if !is_certified(cx, view, lits, lemma) {
                    return Ok(Err(Objection(format!(
                        "a lemma has a wrong certificate: {literals:?}"
                    ))));
                }
                continue;
            }
            Leaf::Part(id) => view.solver.parts.iter().find(|p| p.id == *id).map(|p| p.formula),
            Leaf::Definition(_) | Leaf::Retired => Some(cx.store.top()),
        };
        let Some(premise) = premise else {
            return Ok(Err(Objection("a leaf belongs to a part that is gone".to_owned())));
        };
        let clause: Vec<Term> =
            literals.iter().map(|&(t, p)| if p { t } else { cx.store.not(t) }).collect();
        let clause = cx.store.or(&clause);
        if !implies(cx, limited(), &[premise], clause)? {
            return Ok(Err(Objection(format!(
                "a leaf does not follow: {}",
                print(cx.store, clause)
            ))));
        }
    }
    Ok(Ok(()))
}

/// Whether the negated literals of a clause contradict each other by this certificate.
fn is_certified(
    cx: &Cx<'_>,
    view: UnsatView<'_>,
    clause: &[Lit],
    lemma: &Lemma<Certificate>,
) -> bool {
    let atom = |lit: Lit| Some((view.solver.known.term(lit.var())?, lit.is_positive()));
    let literals: Option<Vec<_>> = lemma.lits.iter().map(|&lit| atom(lit)).collect();
    lemma.lits.iter().all(|&lit| clause.contains(&!lit))
        && literals.is_some_and(|l| Theories::certifies(cx.store, &l, &lemma.certificate))
}
