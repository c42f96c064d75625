//! Lemmas that engines have proved, for engines that start later.
//!
//! An engine that has not decided the problem in its time slices has often proved lemmas that hold always. Engines that start
//! after it get the clauses strengthened by them, and by what users guess; lemmas that hold up to a bound only are not kept. Terms live in the store of a
//! thread, so lemmas are kept as bytes.
//! Nothing is taken on trust: those that are not inductive together are dropped, and whatever an engine concludes from the
//! others is validated against the input.

use std::sync::{Mutex, PoisonError};

use shofar_base::{GaveUp, Outcome};
use shofar_chc::{ChcSystem, Definition, HintKind, NormalSystem, PredId, Translated};
use shofar_term::size::dag_size;
use shofar_term::{Bound, Cx, Exchange, Lemma, Parcel, Subject, TermStore};
use shofar_transform::Strengthen;

/// Larger lemmas are not kept: they are seldom of use to others, and make every query of theirs slower.
const LARGEST: usize = 40;
/// No more lemmas are kept.
const MOST: usize = 64;

/// How often the budget may be asked while it is found out which lemmas are inductive together.
const EFFORT: u32 = 20_000;

/// What has been proved so far.
#[derive(Default)]
pub(crate) struct Lemmas(Mutex<Vec<Parcel>>);

impl Exchange for Lemmas {
    fn publish(&self, store: &mut TermStore, lemma: &Lemma) {
        let (Subject::Predicate(_), Bound::Always) = (lemma.subject, lemma.bound) else { return };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST || dag_size(store, &[lemma.formula]) > LARGEST {
            return;
        }
        let parcel = lemma.pack(store);
        if !known.iter().any(|other| other.says_the_same(&parcel)) {
            known.push(parcel);
        }
    }
    /// Nothing: what is known when an engine starts is in its clauses.
    fn receive(&self, _: &mut TermStore) -> Vec<Lemma> {
        Vec::new()
    }
}

impl Lemmas {
    /// The clauses strengthened by what is known now, and the way back; nothing if nothing is known that helps.
    pub(crate) fn strengthen(
        &self,
        cx: &mut Cx<'_>,
        system: &NormalSystem,
    ) -> Outcome<Option<Translated<NormalSystem, NormalSystem>>> {
        let mut candidates = self.candidates(cx.store, system);
        candidates.extend(guessed(cx.store, system));
        let part = cx.budget.part(EFFORT);
        let mut limited = cx.limited(&part);
        let strengthen = match Strengthen::inductive(&mut limited, system, candidates) {
            Ok(strengthen) => strengthen,
            Err(GaveUp::Incomplete(_)) => return Ok(None),
            Err(why) => return Err(why),
        };
        Ok((!strengthen.is_empty()).then(|| strengthen.apply(cx.store, system)))
    }
    /// What is known now, in another store.
    fn candidates(&self, store: &mut TermStore, system: &ChcSystem) -> Vec<(PredId, Definition)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let read = |parcel: &Parcel| {
            let Lemma { subject, params, formula: body, .. } = parcel.unpack(store)?;
            let pred = match subject {
                Subject::Predicate(symbol) => system.pred(symbol)?,
                Subject::State => return None,
            };
            Some((pred, Definition { params, body }))
        };
        known.iter().filter_map(read).collect()
    }
}

/// The conjuncts of the formulas that users guess.
fn guessed(store: &TermStore, system: &ChcSystem) -> Vec<(PredId, Definition)> {
    let mut result = Vec::new();
    for hint in system.hints().iter().filter(|hint| hint.kind == HintKind::Predicate) {
        for body in store.conjuncts(&[hint.term]) {
            result.push((hint.pred, Definition { params: hint.params.clone(), body }));
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use shofar_base::Budget;
    use shofar_chc::read::read_horn;
    use shofar_chc::{Interpretation, Verdict, formal_params};
    use shofar_check::{HornInput, validate};
    use shofar_term::Level;

    use super::*;

    const COUNTER: &[u8] = b"(declare-fun p (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 5)) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y x)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (>= y 5))))
(check-sat)";

    #[test]
    fn lemmas_reach_another_store_and_models_come_back() {
        let mut store = TermStore::new();
        let script = read_horn(COUNTER, &mut store).expect("it is well written");
        let system = &script.problems[0].system;
        let pred = system.preds().next().expect("there is one");
        let (mut own, lemmas) = (store.clone(), Lemmas::default());
        let params = formal_params(&mut own, system, pred);
        let [x, y] = [params[0], params[1]].map(|param| own.constant(param));
        let [zero, five, nine] = [0, 5, 9].map(|number| own.int(number));
        // The first is inductive, the second only together with the first, the third is wrong.
        for formula in [own.le(zero, x), own.le(five, y), own.le(x, nine)] {
            let subject = Subject::Predicate(system.symbol(pred));
            let (params, prover) = (params.clone(), "test".into());
            let bound = Bound::Always;
            let lemma = Lemma { subject, params, formula, bound, prover, excludes: None };
            lemmas.publish(&mut own, &lemma);
            // What holds up to a bound, and what is about states, is not for those who start later.
            let bounded = Lemma { bound: Bound::Within(Level::new(9)), ..lemma.clone() };
            let of_states = Lemma { subject: Subject::State, ..lemma };
            for other in [bounded, of_states] {
                lemmas.publish(&mut own, &other);
            }
        }
        assert_eq!(lemmas.0.lock().expect("no thread panicked").len(), 3);
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut store, &budget);
        let normal = NormalSystem::of(cx.store, system.clone());
        let strengthened = lemmas.strengthen(&mut cx, &normal).expect("there is no limit");
        let (strong, back) = strengthened.expect("there are lemmas");
        let mut model = Interpretation::new();
        model.define_constant(cx.store, &strong, pred, true);
        let input = HornInput::of_system(cx.store, Cow::Borrowed(&*strong));
        let checked = validate(&mut cx, &input, Verdict::Safe(model.clone()));
        assert!(checked.expect("there is no limit").is_ok(), "the query follows from the lemmas");
        let input = HornInput::of_problem(&script.problems[0]);
        let model = back.model(&mut cx, model).expect("there is no limit");
        let checked = validate(&mut cx, &input, Verdict::Safe(model));
        assert!(checked.expect("there is no limit").is_ok(), "the lemmas are part of the model");
    }

    #[test]
    fn nothing_known_changes_nothing() {
        let mut store = TermStore::new();
        let script = read_horn(COUNTER, &mut store).expect("it is well written");
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut store, &budget);
        let normal = NormalSystem::of(cx.store, script.problems[0].system.clone());
        let strengthened = Lemmas::default().strengthen(&mut cx, &normal);
        assert!(strengthened.expect("there is no limit").is_none());
    }
}
