//! Slices within a view, and turns of several views.

use super::*;
use crate::strategy::TABLE;

const MS: Duration = Duration::from_millis(1);

/// A schedule with one view for engines in this order.
fn one_view(order: &Order, threads: usize) -> Schedule {
    let mut schedule = Schedule::new(threads);
    let view = schedule.add_view(LONGEST);
    schedule.add_engines(view, order);
    schedule
}

fn name(start: Start) -> &'static str {
    match start.work {
        Work::Prepare => "prepare",
        Work::Engine(info) => info.name,
    }
}

/// The next slices with one thread, each used up.
fn names(schedule: &mut Schedule, count: usize) -> Vec<(&'static str, Option<Duration>)> {
    let next = |_| {
        let start = schedule.next(1).expect("an engine waits");
        assert!(schedule.next(1).is_none(), "there is one thread");
        if let Some(length) = start.length {
            schedule.charge(length);
            assert_eq!(schedule.end_slice(), Some(start.item));
        }
        (name(start), start.length)
    };
    (0..count).map(next).collect()
}

#[test]
fn the_row_comes_first_and_then_all_in_growing_rounds() {
    for row in TABLE {
        let mut schedule = one_view(&Order::of_row(row, |_| true), 1);
        let planned: Vec<_> = row
            .slices
            .iter()
            .map(|&(name, slice)| (name, Some(Duration::from_millis(slice))))
            .collect();
        assert_eq!(names(&mut schedule, planned.len()), planned);
        let first = names(&mut schedule, ENGINES.len());
        let second = names(&mut schedule, ENGINES.len());
        for ((name, short), (again, long)) in first.iter().zip(&second) {
            assert_eq!(name, again);
            assert_eq!(short.map(|slice| slice * 2), *long);
        }
    }
}

#[test]
fn engines_that_do_not_apply_have_no_slice() {
    let order = Order::of_row(&TABLE[0], |info| info.name == "bmc");
    assert_eq!(order.engines().count(), 1);
    assert_eq!(names(&mut one_view(&order, 1), 1), [("bmc", None)]);
}

#[test]
fn the_last_engines_have_no_limit() {
    let engines: Vec<&'static EngineInfo> = ENGINES.iter().take(3).collect();
    let mut schedule = one_view(&Order::of(&engines), 2);
    let first = schedule.next(2).expect("a slice");
    let second = schedule.next(2).expect("a slice");
    assert_eq!((first.length, second.length), (Some(WARM_UP), Some(WARM_UP)));
    assert!(schedule.next(2).is_none());
    schedule.leave(first.item);
    assert_eq!(schedule.next(2).map(|slice| slice.length), Some(None));
    // No engine waits, so the slice of the other one has no end.
    schedule.charge(2 * WARM_UP);
    assert_eq!(schedule.end_slice(), None);
}

#[test]
fn an_engine_never_works_twice_at_a_time() {
    let engines: Vec<&'static EngineInfo> = ENGINES.iter().take(2).collect();
    let mut schedule = one_view(&Order::of(&engines), 8);
    let first = schedule.next(8).expect("a slice");
    let second = schedule.next(8).expect("a slice");
    assert!(schedule.next(8).is_none());
    schedule.leave(first.item);
    schedule.leave(second.item);
    assert!(schedule.is_over());
}

/// So many views to prepare, with first turns of 10 ms.
fn views(count: usize, threads: usize) -> (Schedule, Vec<(ViewId, ItemId)>) {
    let mut schedule = Schedule::new(threads);
    let add = |_| {
        let view = schedule.add_view(10 * MS);
        (view, schedule.add_preparation(view))
    };
    let views = (0..count).map(add).collect();
    (schedule, views)
}

#[test]
fn the_first_view_works_alone_and_then_they_take_turns() {
    let (mut schedule, views) = views(3, 2);
    let next = |schedule: &mut Schedule| schedule.next(2).map(|start| start.item);
    assert_eq!(next(&mut schedule), Some(views[0].1));
    assert_eq!(next(&mut schedule), None);
    schedule.charge(5 * MS);
    assert_eq!((schedule.end_turn(), schedule.until_change()), (None, Some(5 * MS)));
    schedule.charge(5 * MS);
    assert_eq!(schedule.end_turn(), Some(vec![views[0].1]));
    assert_eq!(next(&mut schedule), Some(views[1].1));
    assert_eq!(next(&mut schedule), Some(views[2].1));
    assert_eq!(next(&mut schedule), None);
    schedule.leave(views[2].1);
    assert_eq!(next(&mut schedule), Some(views[0].1));
    // No view waits, so no turn ends.
    schedule.charge(100 * MS);
    assert_eq!(schedule.end_turn(), None);
    schedule.leave(views[0].1);
    schedule.leave(views[1].1);
    assert!(schedule.is_over());
}

#[test]
fn a_view_that_ends_makes_room_at_once_and_a_later_one_is_next() {
    let (mut schedule, views) = views(2, 1);
    assert_eq!(schedule.next(1).map(|start| start.view), Some(views[0].0));
    schedule.leave_view(views[0].0);
    let late = schedule.add_view(10 * MS);
    schedule.add_preparation(late);
    assert_eq!(schedule.next(1).map(|start| start.view), Some(late));
    assert!(schedule.is_out(views[0].0) && !schedule.is_out(late));
}

#[test]
fn a_slice_goes_on_in_the_next_turn_of_its_view() {
    let (mut schedule, views) = views(2, 1);
    let (view, preparation) = views[0];
    assert!(schedule.next(1).is_some());
    schedule.charge(4 * MS);
    let engines: Vec<&'static EngineInfo> = ENGINES.iter().take(2).collect();
    assert_eq!(schedule.add_engines(view, &Order::of(&engines)), 2);
    schedule.leave(preparation);
    let first = schedule.next(1).expect("an engine waits");
    assert_eq!(first.length, Some(WARM_UP));
    assert_eq!(schedule.left(first.item), Some(6 * MS), "the turn ends before the slice");
    schedule.spend(first.item, 6 * MS);
    assert_eq!(schedule.end_turn(), Some(vec![first.item]));
    assert_eq!(schedule.next(1).map(|start| start.view), Some(views[1].0));
    schedule.charge(10 * MS);
    assert!(schedule.end_turn().is_some());
    let again = schedule.next(1).expect("its turn has come");
    assert_eq!((again.item, again.length), (first.item, Some(WARM_UP.saturating_sub(6 * MS))));
    // With one view left, its engines share all threads.
    schedule.leave_view(views[1].0);
    assert_eq!(schedule.left(again.item), Some(20 * MS));
}

#[test]
fn a_view_without_a_thread_comes_back_with_its_engines() {
    let (mut schedule, views) = views(1, 1);
    assert!(schedule.next(1).is_some());
    schedule.leave(views[0].1);
    assert!(schedule.is_over());
    schedule.add_engines(views[0].0, &Order::of(&[&ENGINES[0]]));
    assert!(!schedule.is_over());
    assert_eq!(schedule.next(1).map(name), Some(ENGINES[0].name));
}
