//! What it costs to ask the library: many small problems, and many queries about the same clauses
//! with and without a session.
//!
//! `cargo run --release -p shofar --example embed`

#![allow(clippy::print_stdout, reason = "the example prints what it measures")]

use std::time::{Duration, Instant};

use shofar::{Expr, InputError, Relation, Session, Solver, int};

/// How many problems, and how many queries.
const PROBLEMS: i64 = 1_000;
const QUERIES: i64 = 100;

fn solver() -> Solver {
    Solver::new().with_threads(1).with_timeout(Duration::from_secs(10))
}

/// A loop that adds `step` to `x` as long as it is below `limit`.
fn counter(session: &mut Session, step: i64, limit: i64) -> Result<Expr, InputError> {
    let (x, inv) = (int("x"), Relation::new("inv", &["Int"]));
    session.declare(&inv)?;
    session.rule(inv.of([0]), [])?;
    session.rule(inv.of([&x + step]), [inv.of([&x]), x.lt(limit)])?;
    Ok(inv.of([&x]))
}

/// Two loops, one after the other, that move a sum from one variable to another one.
fn transfer(session: &mut Session) -> Result<Expr, InputError> {
    let (x, y, n) = (int("x"), int("y"), int("n"));
    let (up, down) = (Relation::new("up", &["Int"; 3]), Relation::new("down", &["Int"; 3]));
    session.declare(&up)?;
    session.declare(&down)?;
    session.rule(up.of([&int("n"), &0.into(), &0.into()]), [n.ge(0)])?;
    session.rule(up.of([&n, &(&x + 1), &(&y + 2)]), [up.of([&n, &x, &y]), x.lt(&n)])?;
    session.rule(down.of([&n, &x, &y]), [up.of([&n, &x, &y]), x.ge(&n)])?;
    session.rule(down.of([&n, &(&x - 1), &(&y - 2)]), [down.of([&n, &x, &y]), x.gt(0)])?;
    Ok(down.of([&n, &x, &y]))
}

/// Asks whether `y` and `x` can differ by this much.
fn ask(session: &mut Session, state: &Expr, distance: i64) -> Result<(), InputError> {
    let (x, y) = (int("x"), int("y"));
    session.query(&format!("q{distance}"), [state.clone(), y.lt(2 * &x - distance)])
}

fn main() -> Result<(), InputError> {
    let start = Instant::now();
    let mut words = [0; 2];
    for number in 0..PROBLEMS {
        let mut session = Session::with_solver(solver());
        let state = counter(&mut session, 1 + number % 3, 10 + number % 17)?;
        session.query("bound", [state, int("x").gt(13)])?;
        words[usize::from(session.check().word() == "sat")] += 1;
    }
    let each = start.elapsed() / u32::try_from(PROBLEMS).unwrap_or(1);
    println!("{PROBLEMS} small problems: {} safe, {} not; {each:?} each", words[1], words[0]);

    let start = Instant::now();
    for number in 0..QUERIES {
        let mut session = Session::with_solver(solver());
        let state = transfer(&mut session)?;
        ask(&mut session, &state, number)?;
        assert_eq!(session.check().word(), "sat");
    }
    let without = start.elapsed();

    let start = Instant::now();
    let mut session = Session::with_solver(solver());
    let state = transfer(&mut session)?;
    for number in 0..QUERIES {
        session.push();
        ask(&mut session, &state, number)?;
        assert_eq!(session.check().word(), "sat");
        session.pop();
    }
    let with = start.elapsed();

    let start = Instant::now();
    let mut session = Session::with_solver(solver());
    let state = transfer(&mut session)?;
    for number in 0..QUERIES {
        ask(&mut session, &state, number)?;
    }
    assert!(session.check_each().iter().all(|query| query.outcome.word() == "sat"));
    let together = start.elapsed();

    println!("{QUERIES} queries about the same clauses, each by itself: {without:?} in all");
    let ratio = |time: Duration| time.as_secs_f64() / without.as_secs_f64();
    println!("one after the other in a session: {with:?} ({:.2})", ratio(with));
    println!("all at once: {together:?} ({:.2})", ratio(together));
    Ok(())
}
