//! Tests of the exchange: what is said by one seat is heard by another one, in its own terms.

use std::sync::atomic::{AtomicBool, Ordering};

use shofar_base::{Budget, Idx};
use shofar_chc::read::read_horn;
use shofar_chc::{Interpretation, Verdict, formal_params};
use shofar_check::{HornInput, validate};
use shofar_term::print::print;
use shofar_term::{Exchange, Excluded, Level};
use shofar_transform::SingleLoop;

use super::*;
use crate::schedule::ItemId;

const COUNTER: &[u8] = b"(declare-fun p (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 5)) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y x)))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (>= y 5))))
(check-sat)";

/// A system in a new store.
fn counter() -> (TermStore, NormalSystem) {
    let mut store = TermStore::new();
    let script = read_horn(COUNTER, &mut store).expect("it is well written");
    let system = NormalSystem::of(&mut store, script.problems[0].system.clone());
    (store, system)
}

/// `0 ≤ x`, which is inductive, `5 ≤ y`, which is together with the first, and `x ≤ 9`, which is
/// wrong.
fn claims(store: &mut TermStore, system: &NormalSystem) -> Vec<Message> {
    let pred = system.preds().next().expect("there is one");
    let params = formal_params(store, system, pred);
    let [x, y] = [params[0], params[1]].map(|param| store.constant(param));
    let [zero, five, nine] = [0, 5, 9].map(|number| store.int(number));
    let formulas = [store.le(zero, x), store.le(five, y), store.le(x, nine)];
    let message = |formula| Message {
        subject: Subject::Predicate(system.symbol(pred)),
        params: params.clone(),
        formula,
        says: Says::holds(Bound::Always),
        sender: "one".into(),
    };
    formulas.map(message).to_vec()
}

/// Whether somebody took something in.
static HEARD: AtomicBool = AtomicBool::new(false);

fn member(name: &'static str) -> Member<'static> {
    Member { name, item: ItemId::from_index(name.len()), heard: &HEARD }
}

fn seat<'a>(board: &'a Board, me: &'static str, system: &'a NormalSystem) -> Seat<'a> {
    Seat::new(board, member(me), system, Given::default(), Subjects::Predicates)
}

/// What a seat hears, as text.
fn heard(seat: &Seat<'_>, store: &mut TermStore) -> Vec<(String, Says)> {
    let budget = Budget::unlimited();
    let messages = seat.receive(&mut Cx::new(store, &budget)).expect("there is no limit");
    messages.iter().map(|m| (print(store, m.formula), m.says)).collect()
}

#[test]
fn invariants_reach_engines_that_start_later_and_models_come_back() {
    let (mut store, system) = counter();
    let (mut own, board) = (store.clone(), Board::new(Sharing::All, None));
    for claim in claims(&mut own, &system) {
        seat(&board, "one", &system).publish(&mut own, &claim);
    }
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let started = board.strengthen(&mut cx, "later", &system).expect("there is no limit");
    let (Some((strong, back)), given) = started else { panic!("there are lemmas") };
    assert_eq!(given.0.given.len(), 2);
    let pred = strong.preds().next().expect("there is one");
    let mut model = Interpretation::new();
    model.define_constant(cx.store, &strong, pred, true);
    let input = HornInput::of_system(cx.store, (*strong).clone());
    let checked = validate(&mut cx, &input, Verdict::Safe(model.clone()));
    assert!(checked.expect("there is no limit").is_ok(), "the query follows from the lemmas");
    let input = HornInput::of_system(cx.store, (*system).clone());
    let model = back.model(&mut cx, model).expect("there is no limit");
    let checked = validate(&mut cx, &input, Verdict::Safe(model));
    assert!(checked.expect("there is no limit").is_ok(), "the lemmas are part of the model");
    board.used("later", &given);
    let entry =
        |sent, taken, used| Traffic { from: "one".into(), to: "later".into(), sent, taken, used };
    assert_eq!(board.traffic(), [entry(3, 2, 2)]);
}

#[test]
fn invariants_are_confirmed_before_engines_at_work_hear_of_them() {
    let (mut store, system) = counter();
    let (mut own, board) = (store.clone(), Board::new(Sharing::All, None));
    let [one, two, six] = ["one", "second", "a third"].map(|me| seat(&board, me, &system));
    let claims = claims(&mut own, &system);
    // By itself this one is not inductive; it waits.
    one.publish(&mut own, &claims[1]);
    assert_eq!(heard(&two, &mut store), []);
    one.publish(&mut own, &claims[2]);
    one.publish(&mut own, &claims[0]);
    let always = Says::holds(Bound::Always);
    let confirmed = heard(&two, &mut store);
    assert!(confirmed.len() == 2 && confirmed.iter().all(|(_, says)| *says == always));
    assert_eq!(heard(&two, &mut store), [], "once is enough");
    // Another one need not confirm it again, and gets all of it; so does the one who said it.
    assert_eq!(board.confirmed().len(), 2);
    assert_eq!(heard(&six, &mut store.clone()).len(), 2);
    assert_eq!(heard(&one, &mut own).len(), 2);
}

#[test]
fn nothing_known_changes_nothing() {
    let (mut store, system) = counter();
    let budget = Budget::unlimited();
    let mut cx = Cx::new(&mut store, &budget);
    let board = Board::new(Sharing::All, None);
    let (strengthened, _) = board.strengthen(&mut cx, "one", &system).expect("there is no limit");
    assert!(strengthened.is_none());
}

#[test]
fn nothing_is_said_where_nothing_is_shared() {
    let (mut store, system) = counter();
    let board = Board::new(Sharing::None, None);
    let (one, two) = (seat(&board, "one", &system), seat(&board, "second", &system));
    for claim in claims(&mut store, &system) {
        for says in [claim.says, Says::Reached, Says::Hint] {
            one.publish(&mut store, &Message { says, ..claim.clone() });
        }
    }
    let claims = claims(&mut store, &system);
    assert!(!one.publish_inductive(&mut store, &claims));
    assert_eq!(heard(&two, &mut store), []);
    assert!(board.traffic().is_empty() && board.confirmed().is_empty());
}

#[test]
fn what_is_known_to_be_inductive_is_not_asked_about() {
    let (mut store, system) = counter();
    let board = Board::new(Sharing::Induct, None);
    let (one, two) = (seat(&board, "one", &system), seat(&board, "second", &system));
    // The last of them is not inductive. Whoever says that it is has to be right; here nobody asks.
    let claims = claims(&mut store, &system);
    assert!(one.publish_inductive(&mut store, &claims));
    assert_eq!(board.confirmed().len(), claims.len());
    assert_eq!(heard(&one, &mut store), [], "the one who says so knows it");
    let none = Budget::unlimited().part(0);
    let mut cx = Cx::new(&mut store, &none);
    assert_eq!(two.receive(&mut cx).map(|told| told.len()), Ok(claims.len()));
    // What is only said to hold always has to be shown.
    let bounded = Message { says: Says::holds(Bound::Within(Level::new(1))), ..claims[0].clone() };
    assert!(!one.publish_inductive(&mut store, &[bounded]));
    assert_eq!(board.confirmed().len(), claims.len());
}

#[test]
fn what_is_no_formula_over_its_parameters_is_refused() {
    let (mut store, system) = counter();
    let board = Board::new(Sharing::All, None);
    let (one, two) = (seat(&board, "one", &system), seat(&board, "second", &system));
    let claim = claims(&mut store, &system).swap_remove(0);
    let local = store.fresh("input", shofar_term::Sort::INT);
    let (local, zero) = (store.constant(local), store.int(0));
    let foreign = store.le(local, zero);
    let bounded = Says::holds(Bound::Within(Level::new(3)));
    one.publish(&mut store, &Message { formula: foreign, says: bounded, ..claim.clone() });
    let few = claim.params[..1].to_vec();
    one.publish(&mut store, &Message { params: few, says: bounded, ..claim.clone() });
    one.publish(&mut store, &Message { subject: Subject::State, says: bounded, ..claim.clone() });
    assert_eq!(heard(&two, &mut store), []);
    one.publish(&mut store, &Message { says: bounded, ..claim });
    assert_eq!(heard(&two, &mut store).len(), 1);
}

#[test]
fn states_and_predicates_understand_each_other() {
    let text = b"(declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool)
(assert (p 0)) (assert (forall ((x Int)) (=> (p x) (q x (+ x 1)))))
(assert (forall ((x Int) (y Int)) (=> (q x y) (p y))))
(assert (forall ((x Int)) (=> (p x) (>= x 0)))) (check-sat)";
    let mut store = TermStore::new();
    let script = read_horn(text, &mut store).expect("it is well written");
    let system = NormalSystem::of(&mut store, script.problems[0].system.clone());
    let budget = Budget::unlimited();
    let (mut loops, board) = (store.clone(), Board::new(Sharing::All, None));
    let (ts, places) =
        SingleLoop::of(&mut Cx::new(&mut loops, &budget), system.clone()).expect("it is linear");
    let of_states =
        Seat::new(&board, member("ts"), &system, Given::default(), Subjects::States(&places));
    let of_clauses = seat(&board, "one", &system);
    let q = system.preds().last().expect("there are two");
    let params = formal_params(&mut store, &system, q);
    let [x, y] = [params[0], params[1]].map(|param| store.constant(param));
    let formula = store.le(x, y);
    let excluded = Excluded { points: store.lt(y, x), distance: Level::new(1) };
    let lemma = Message {
        subject: Subject::Predicate(system.symbol(q)),
        params,
        formula,
        says: Says::Holds { bound: Bound::Within(Level::new(4)), excludes: Some(excluded) },
        sender: "one".into(),
    };
    of_clauses.publish(&mut store, &lemma);
    let received = of_states.receive(&mut Cx::new(&mut loops, &budget)).expect("no limit");
    let [there] = &received[..] else { panic!("one message: {received:?}") };
    assert_eq!((there.subject, &there.params), (Subject::State, &ts.state));
    // What comes back about states is about the location of q, and says the same.
    let back = Message { sender: "ts".into(), says: Says::Hint, ..there.clone() };
    of_states.publish(&mut loops, &back);
    let heard = of_clauses.receive(&mut Cx::new(&mut store, &budget)).expect("no limit");
    let [here] = &heard[..] else { panic!("one message: {heard:?}") };
    assert_eq!(here.subject, lemma.subject);
    assert_eq!(print(&store, here.formula), print(&store, lemma.formula));
    assert!(!HEARD.load(Ordering::Relaxed));
    of_states.took(there);
    assert!(HEARD.load(Ordering::Relaxed));
    of_states.credit_states(&loops, there.formula);
    let used: Vec<u64> = board.traffic().iter().map(|t| t.used).collect();
    assert_eq!(used, [1, 0]);
}

/// Keeps what is sent, and tells what it was given.
#[derive(Default)]
struct Kept {
    sent: Mutex<Vec<Vec<u8>>>,
    coming: Mutex<Vec<Vec<u8>>>,
}

impl Relay for Kept {
    fn send(&self, message: Vec<u8>) {
        self.sent.lock().expect("nobody panics").push(message);
    }
    fn poll(&self) -> Vec<Vec<u8>> {
        std::mem::take(&mut *self.coming.lock().expect("nobody panics"))
    }
}

/// A process of its own: terms, clauses and a board.
struct There {
    kept: Arc<Kept>,
    board: Board,
    store: TermStore,
    system: NormalSystem,
}

fn process(text: &[u8]) -> There {
    let (mut store, kept) = (TermStore::new(), Arc::new(Kept::default()));
    let script = read_horn(text, &mut store).expect("it is well written");
    let system = NormalSystem::of(&mut store, script.problems[0].system.clone());
    let incoming = Arc::new(Incoming::new(Arc::clone(&kept) as Arc<dyn Relay>));
    let outside = Outside::new(incoming, &mut store, &system);
    There { kept, board: Board::new(Sharing::All, Some(outside)), store, system }
}

impl There {
    /// Says something, and returns what goes out.
    fn says(&mut self, messages: &[Message]) -> Vec<Vec<u8>> {
        let one = seat(&self.board, "one", &self.system);
        for message in messages {
            one.publish(&mut self.store, message);
        }
        std::mem::take(&mut *self.kept.sent.lock().expect("nobody panics"))
    }
    /// What it makes of such bytes.
    fn hears(&mut self, bytes: Vec<Vec<u8>>) -> usize {
        *self.kept.coming.lock().expect("nobody panics") = bytes;
        heard(&seat(&self.board, "second", &self.system), &mut self.store).len()
    }
}

#[test]
fn messages_come_and_go_between_processes() {
    let (mut here, mut there) = (process(COUNTER), process(COUNTER));
    // The other process has terms of its own.
    there.store.fresh("x", shofar_term::Sort::INT);
    let claims = claims(&mut here.store, &here.system);
    let mut sent = here.says(&claims);
    assert_eq!(sent.len(), 3);
    let mut damaged = sent[0].clone();
    damaged.truncate(damaged.len() / 2);
    sent.extend([damaged, b"something else".to_vec(), Vec::new(), sent[0].clone()]);
    assert_eq!(there.hears(sent), 2, "the third is wrong");
    assert!(there.says(&[]).is_empty(), "nothing is sent back");
    let traffic = |from: &'static str, to: &'static str, sent, taken| Traffic {
        from: from.into(),
        to: to.into(),
        sent,
        taken,
        used: 0,
    };
    assert_eq!(here.board.traffic(), [traffic("one", ELSEWHERE, 3, 0)]);
    assert_eq!(there.board.traffic(), [traffic(ELSEWHERE, "second", 3, 0)]);
}

#[test]
fn who_works_on_other_clauses_is_not_heard() {
    let other = String::from_utf8_lossy(COUNTER).replace("(= y 5)", "(= y 4)");
    let (mut here, mut there) = (process(COUNTER), process(other.as_bytes()));
    let claims = claims(&mut here.store, &here.system);
    let sent = here.says(&claims);
    assert_eq!((there.hears(sent.clone()), process(COUNTER).hears(sent)), (0, 2));
    assert_eq!(there.board.traffic(), []);
}

#[test]
fn views_of_one_question_share_a_relay() {
    let other = String::from_utf8_lossy(COUNTER).replace("(= y 5)", "(= y 4)");
    let (mut here, mut there) = (process(COUNTER), process(other.as_bytes()));
    let of_view = |there: &mut There, incoming: &Arc<Incoming>| {
        let outside = Outside::new(Arc::clone(incoming), &mut there.store, &there.system);
        outside.receive(&mut there.store).len()
    };
    let (claims, relay) = (claims(&mut here.store, &here.system), Arc::new(Kept::default()));
    *relay.coming.lock().expect("no thread panics") = here.says(&claims);
    let incoming = Arc::new(Incoming::new(relay));
    // The second view asks first, and the messages about the first one wait for it.
    assert_eq!(of_view(&mut there, &incoming), 0);
    assert_eq!(of_view(&mut here, &incoming), 3);
    assert_eq!(of_view(&mut here, &incoming), 0);
}

#[test]
fn what_is_large_or_about_something_else_stays_outside() {
    let (mut here, mut there) = (process(COUNTER), process(COUNTER));
    let claim = claims(&mut here.store, &here.system).swap_remove(0);
    let store = &mut here.store;
    let q = store.declare("q", &[shofar_term::Sort::INT; 2], shofar_term::Sort::BOOL);
    let [x, y] = [0, 1].map(|at| claim.args(store)[at]);
    let mut large = store.bottom();
    for number in 0..30 {
        let number = store.int(number);
        let parts = [store.eq(x, number), store.lt(y, number)];
        let both = store.and(&parts);
        large = store.or(&[large, both]);
    }
    let outside = here.board.outside.as_ref().expect("there is one");
    let unusable = [
        Message { subject: Subject::Predicate(q), ..claim.clone() },
        Message { subject: Subject::State, ..claim.clone() },
        Message { formula: large, ..claim.clone() },
    ];
    // A seat would not send these; somebody else may.
    for message in &unusable {
        outside.send(&mut here.store, message);
    }
    let sent = std::mem::take(&mut *here.kept.sent.lock().expect("nobody panics"));
    assert_eq!((sent.len(), there.hears(sent)), (3, 0));
    assert_eq!(there.board.pool.all().len(), 0);
    let sent = here.says(&[claim]);
    assert_eq!(there.hears(sent), 1);
}

#[test]
fn who_talks_too_much_is_not_heard_to_the_end() {
    let (mut here, mut there) = (process(COUNTER), process(COUNTER));
    let claim = claims(&mut here.store, &here.system).swap_remove(0);
    let outside = here.board.outside.as_ref().expect("there is one");
    let x = claim.args(&mut here.store)[0];
    for number in 0..6_000 {
        let number = here.store.int(-number);
        let formula = here.store.le(number, x);
        let says = Says::holds(Bound::Within(Level::new(1)));
        outside.send(&mut here.store, &Message { formula, says, ..claim.clone() });
    }
    let sent = std::mem::take(&mut *here.kept.sent.lock().expect("nobody panics"));
    *there.kept.coming.lock().expect("nobody panics") = sent;
    let two = seat(&there.board, "second", &there.system);
    let counts: Vec<usize> = (0..200).map(|_| heard(&two, &mut there.store).len()).collect();
    assert!(counts.iter().all(|&count| count <= 32), "a few at a time");
    assert_eq!(counts.iter().sum::<usize>(), 4_000);
}

/// Whatever others say: what a seat hears as holding always is inductive.
#[test]
fn nothing_unsound_is_confirmed() {
    let mut rng = shofar_base::Rng::new(5);
    let mut confirmed = 0;
    for _ in 0..8 {
        let (mut here, mut there) = (process(COUNTER), process(COUNTER));
        let claim = claims(&mut here.store, &here.system).swap_remove(0);
        let outside = here.board.outside.as_ref().expect("there is one");
        let args = claim.args(&mut here.store);
        for _ in 0..200 {
            let (one, other) = (*rng.pick(&args), *rng.pick(&args));
            let number = here.store.int(rng.range(-3, 9));
            let side = if rng.chance(60) { number } else { here.store.add(&[other, number]) };
            let formula =
                if rng.chance(50) { here.store.le(one, side) } else { here.store.le(side, one) };
            outside.send(&mut here.store, &Message { formula, ..claim.clone() });
        }
        *there.kept.coming.lock().expect("nobody panics") =
            std::mem::take(&mut *here.kept.sent.lock().expect("nobody panics"));
        let two = seat(&there.board, "second", &there.system);
        let budget = Budget::unlimited();
        for _ in 0..20 {
            let mut cx = Cx::new(&mut there.store, &budget);
            two.receive(&mut cx).expect("there is no limit");
        }
        let parcels = there.board.confirmed().clone();
        let pred = there.system.preds().next().expect("there is one");
        let known: Vec<_> = parcels
            .iter()
            .filter_map(|parcel| read(&mut there.store, &there.system, parcel))
            .map(|local| (pred, local.definition))
            .collect();
        confirmed += known.len();
        let mut cx = Cx::new(&mut there.store, &budget);
        let inductive = Strengthen::inductive(&mut cx, &there.system, known.clone());
        assert_eq!(inductive.expect("there is no limit").invariants().len(), known.len());
    }
    assert!(confirmed > 8, "some of it holds: {confirmed}");
}

/// How long it takes from one engine to another one in the same process, with and without being
/// confirmed.
#[test]
#[ignore = "a measurement"]
fn latency_of_messages() {
    let (mut store, system) = counter();
    let (mut own, board) = (store.clone(), Board::new(Sharing::All, None));
    let (one, two) = (seat(&board, "one", &system), seat(&board, "second", &system));
    let claim = claims(&mut own, &system).swap_remove(0);
    let x = claim.args(&mut own)[0];
    for says in [Says::holds(Bound::Within(Level::new(1))), Says::holds(Bound::Always)] {
        let mut times = Vec::new();
        for number in 1..=300 {
            let number = own.int(-number);
            let formula = own.le(number, x);
            let begin = std::time::Instant::now();
            one.publish(&mut own, &Message { formula, says, ..claim.clone() });
            assert_eq!(heard(&two, &mut store).len(), 1);
            times.push(begin.elapsed());
        }
        times.sort_unstable();
        let line = format!("{says:?}: median {:?}, 99 of 100 within {:?}", times[150], times[297]);
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{line}\n"));
    }
}
