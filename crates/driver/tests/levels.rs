//! Problems about arrays, decided at levels of abstraction and certified on the clauses as they
//! are.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use shofar_base::StopHandle;
use shofar_chc::{ChcSystem, Clause, PredAtom, Verdict};
use shofar_check::HornInput;
use shofar_driver::{Event, Failure, Settings, Solved, solve};
use shofar_engine::{EngineInfo, engine};
use shofar_term::{Sort, Term, TermStore};

/// A loop that writes `written` at 0, 1, … into an array that begins with zeros; something is asked
/// of `i` and `a` in it.
fn filling(
    store: &mut TermStore,
    written: i64,
    query: impl FnOnce(&mut TermStore, Term, Term) -> Term,
) -> ChcSystem {
    let sort = store.array_sort(Sort::INT, Sort::INT);
    let symbol = store.declare("p", &[Sort::INT, sort], Sort::BOOL);
    let mut system = ChcSystem::new();
    let pred = system.add_pred(symbol);
    let (i, a, top) = (store.var("i", Sort::INT), store.var("a", sort), store.top());
    let (zero, one, written) = (store.int(0), store.int(1), store.int(written));
    let (empty, next) = (store.constant_array(sort, zero), store.add(&[i, one]));
    let after = store.store(a, i, written);
    let atom = |i, a| PredAtom { pred, args: vec![i, a] };
    let clause = |head, body, constraint| Clause { head, body, constraint, span: None };
    system.add_clause(clause(Some(atom(zero, empty)), vec![], top));
    system.add_clause(clause(Some(atom(next, after)), vec![atom(i, a)], top));
    let bad = query(store, i, a);
    system.add_clause(clause(None, vec![atom(i, a)], bad));
    system
}

fn answer(
    mut store: TermStore,
    system: &ChcSystem,
    engines: Vec<&'static EngineInfo>,
) -> (Result<Solved, Failure>, Vec<String>) {
    let input = HornInput::of_system(&mut store, system.clone());
    let deadline = Some(Instant::now() + Duration::from_secs(20));
    let settings = Settings { engines, deadline, ..Settings::default() };
    let mut heard = Vec::new();
    let mut observe = |event: &Event| match event {
        Event::LevelBegins(name) => heard.push(format!("{name} begins")),
        Event::LevelEnded(name, why) => heard.push(format!("{name} ends: {why}")),
        Event::Pass(_)
        | Event::Start(..)
        | Event::Pause(_)
        | Event::Stop(..)
        | Event::Panicked(..)
        | Event::Found(_)
        | Event::NoThread(_)
        | Event::Hints(..)
        | Event::Rejected(..)
        | Event::Misled(..)
        | Event::Exchanged(_) => (),
    };
    let result = solve(store, &input, &settings, &StopHandle::default(), &mut observe);
    (result, heard)
}

#[test]
fn what_needs_no_array_is_proved_without() {
    let mut store = TermStore::new();
    let system = filling(&mut store, 1, |s, i, _| {
        let zero = s.int(0);
        s.lt(i, zero)
    });
    let (solved, heard) = answer(store, &system, Vec::new());
    let solved = solved.unwrap();
    assert!(matches!(solved.certified.verdict(), Verdict::Safe(_)));
    // Slicing may have seen it before.
    if let Some(level) = solved.level {
        assert_eq!((level, heard.len()), ("forget", 1));
    }
}

#[test]
fn an_engine_of_the_users_choice_works_at_a_level() {
    let mut store = TermStore::new();
    let system = filling(&mut store, 1, |s, i, a| {
        let (zero, read) = (s.int(0), s.select(a, i));
        let (below, there) = (s.lt(i, zero), s.lt(read, zero));
        s.and(&[below, there])
    });
    let (solved, _) = answer(store, &system, vec![engine("spacer").unwrap()]);
    let solved = solved.unwrap();
    assert_eq!((solved.engine, solved.level), ("spacer", Some("forget")));
}

#[test]
fn what_holds_of_every_cell_is_proved_with_one() {
    let mut store = TermStore::new();
    let system = filling(&mut store, 1, |s, i, a| {
        let (zero, read) = (s.int(0), s.select(a, i));
        s.lt(read, zero)
    });
    let (solved, heard) = answer(store, &system, Vec::new());
    let solved = solved.unwrap_or_else(|failure| panic!("{failure}: {heard:?}"));
    assert!(matches!(solved.certified.verdict(), Verdict::Safe(_)));
    assert_eq!(solved.level, Some("cells"));
    assert_eq!(heard[0], "forget begins");
}

#[test]
fn a_refutation_is_replayed_with_its_arrays() {
    let mut store = TermStore::new();
    let system = filling(&mut store, -1, |s, i, a| {
        let (one, zero, two) = (s.int(1), s.int(0), s.int(2));
        let read = s.select(a, one);
        let (there, late) = (s.lt(read, zero), s.gt(i, two));
        s.and(&[there, late])
    });
    let (solved, heard) = answer(store, &system, Vec::new());
    let solved = solved.unwrap_or_else(|failure| panic!("{failure}: {heard:?}"));
    let Verdict::Unsafe(derivation) = solved.certified.verdict() else { panic!("it is unsafe") };
    assert_eq!(derivation.steps.len(), 5);
}

/// One cell at an index that all arrays share does not relate `m[0][1]` to a counter; the level
/// that watches it does.
#[test]
fn a_cell_that_a_spurious_refutation_asks_for_is_watched() {
    let mut store = TermStore::new();
    let row = store.array_sort(Sort::INT, Sort::INT);
    let sort = store.array_sort(Sort::INT, row);
    let symbol = store.declare("p", &[Sort::INT, sort], Sort::BOOL);
    let mut system = ChcSystem::new();
    let pred = system.add_pred(symbol);
    let (n, m, top) = (store.var("n", Sort::INT), store.var("m", sort), store.top());
    let (zero, one) = (store.int(0), store.int(1));
    let atom = |n, m| PredAtom { pred, args: vec![n, m] };
    let clause = |head, body, constraint| Clause { head, body, constraint, span: None };
    let inner = store.select(m, zero);
    let read = store.select(inner, one);
    let begin = store.eq(read, n);
    system.add_clause(clause(Some(atom(n, m)), vec![], begin));
    let (more, next) = (store.add(&[read, one]), store.add(&[n, one]));
    let inner = store.store(inner, one, more);
    let after = store.store(m, zero, inner);
    system.add_clause(clause(Some(atom(next, after)), vec![atom(n, m)], top));
    let same = store.eq(read, n);
    let differ = store.not(same);
    system.add_clause(clause(None, vec![atom(n, m)], differ));
    let (solved, heard) = answer(store, &system, Vec::new());
    let solved = solved.unwrap_or_else(|failure| panic!("{failure}: {heard:?}"));
    assert!(matches!(solved.certified.verdict(), Verdict::Safe(_)));
    assert_eq!(solved.level, Some("watched cells"), "{heard:?}");
}

/// Levels take turns by steps as engines do: with one thread, every run is the same.
#[test]
fn by_steps_every_run_over_levels_is_the_same() {
    let once = || {
        let mut store = TermStore::new();
        let system = filling(&mut store, 1, |s, i, a| {
            let (zero, read) = (s.int(0), s.select(a, i));
            s.lt(read, zero)
        });
        let input = HornInput::of_system(&mut store, system.clone());
        let deadline = Some(Instant::now() + Duration::from_mins(1));
        let settings = Settings {
            deadline,
            threads: 1,
            steps_per_millisecond: NonZeroU32::new(1),
            ..Settings::default()
        };
        let mut heard = Vec::new();
        let mut observe = |event: &Event| {
            if let Event::LevelBegins(name) | Event::Start(name, _) | Event::Pause(name) = event {
                heard.push((*name).to_owned());
            } else if let Event::LevelEnded(name, _) = event {
                heard.push(format!("{name} ends"));
            }
        };
        let result = solve(store, &input, &settings, &StopHandle::default(), &mut observe);
        let solved = result.unwrap_or_else(|failure| panic!("{failure}: {heard:?}"));
        (solved.engine, solved.level, heard)
    };
    let first = once();
    assert!(first.2.len() > 4, "several levels have their turn: {:?}", first.2);
    for _ in 0..3 {
        assert_eq!(once(), first);
    }
}
