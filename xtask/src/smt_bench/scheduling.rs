//! Family d: pigeonhole problems over Booleans and integers, and job shops.
//!
//! A job shop has jobs of one operation on each machine in an order of its own; two operations on a
//! machine do not overlap. The bounds on the makespan are on both sides of the optimum, so that
//! both answers occur.

use shofar_base::Rng;

use super::problem::{Family, Problem, Script};

/// All problems of the family.
pub(crate) fn problems() -> Vec<Problem> {
    let mut all = Vec::new();
    all.extend((5..=8).map(boolean_pigeons));
    all.extend((4..=7).map(integer_pigeons));
    all.extend((4..=7).map(ordered_pigeons));
    for &(seed, jobs, machines, optimum) in SHOPS {
        for (logic, sort) in [("QF_IDL", "Int"), ("QF_RDL", "Real")] {
            for (slack, word) in [(-1, "unsat"), (0, "sat"), (3, "loose")] {
                let bound = optimum + slack;
                let name = format!("shop-{jobs}x{machines}-{word}-{}", &logic[3..]);
                all.push(shop(seed, jobs, machines, bound, logic, sort, name));
            }
        }
    }
    all
}

/// Seed, jobs, machines and the least makespan.
const SHOPS: &[(u64, usize, usize, i64)] =
    &[(1, 5, 5, 41), (2, 6, 6, 53), (3, 7, 6, 57), (4, 8, 6, 59), (5, 8, 8, 70), (6, 10, 5, 58)];

/// Every pigeon has a hole, no hole has two.
fn boolean_pigeons(holes: usize) -> Problem {
    let mut script = Script::new("QF_UF");
    let sits = |pigeon: usize, hole: usize| format!("p{pigeon}_{hole}");
    for pigeon in 0..=holes {
        for hole in 0..holes {
            script.declare(&sits(pigeon, hole), "Bool");
        }
    }
    for pigeon in 0..=holes {
        let somewhere: Vec<String> = (0..holes).map(|hole| sits(pigeon, hole)).collect();
        script.assert(&format!("(or {})", somewhere.join(" ")));
    }
    for hole in 0..holes {
        for pigeon in 0..=holes {
            for other in 0..pigeon {
                script.assert(&format!(
                    "(or (not {}) (not {}))",
                    sits(pigeon, hole),
                    sits(other, hole)
                ));
            }
        }
    }
    script.check(Family::Scheduling, format!("pigeons-bool-{holes}"))
}

/// Distinct integers in an interval that is one too short.
fn integer_pigeons(holes: usize) -> Problem {
    let mut script = Script::new("QF_LIA");
    let names: Vec<String> = (0..=holes).map(|i| format!("h{i}")).collect();
    for name in &names {
        script.declare(name, "Int");
        script.assert(&format!("(and (<= 1 {name}) (<= {name} {holes}))"));
    }
    script.assert(&format!("(distinct {})", names.join(" ")));
    script.check(Family::Scheduling, format!("pigeons-int-{holes}"))
}

/// The same with differences: any two are at least one apart, all within a window.
fn ordered_pigeons(holes: usize) -> Problem {
    let mut script = Script::new("QF_IDL");
    script.declare("zero", "Int");
    for i in 0..=holes {
        script.declare(&format!("h{i}"), "Int");
        script.assert(&format!("(and (<= (- zero h{i}) 0) (<= (- h{i} zero) {}))", holes - 1));
        for j in 0..i {
            script.assert(&format!("(or (<= (- h{i} h{j}) (- 1)) (<= (- h{j} h{i}) (- 1)))"));
        }
    }
    script.check(Family::Scheduling, format!("pigeons-differences-{holes}"))
}

fn shop(
    seed: u64,
    jobs: usize,
    machines: usize,
    bound: i64,
    logic: &str,
    sort: &str,
    name: String,
) -> Problem {
    let mut rng = Rng::new(seed);
    let mut script = Script::new(logic);
    script.declare("zero", sort);
    // Per machine: start of the operation and its duration.
    let mut operations: Vec<Vec<(String, i64)>> = vec![Vec::new(); machines];
    for job in 0..jobs {
        let mut order: Vec<usize> = (0..machines).collect();
        for i in (1..machines).rev() {
            order.swap(i, rng.below(i + 1));
        }
        let mut previous: Option<(String, i64)> = None;
        for machine in order {
            let start = format!("s{job}_{machine}");
            let duration = rng.range(1, 9);
            script.declare(&start, sort);
            match previous {
                None => script.assert(&format!("(<= (- zero {start}) 0)")),
                Some((before, length)) => {
                    script.assert(&format!("(>= (- {start} {before}) {length})"));
                }
            }
            operations[machine].push((start.clone(), duration));
            previous = Some((start, duration));
        }
        if let Some((last, length)) = previous {
            script.assert(&format!("(<= (- {last} zero) {})", bound - length));
        }
    }
    for uses in &operations {
        for (i, (first, length)) in uses.iter().enumerate() {
            for (second, other_length) in &uses[..i] {
                script.assert(&format!("(or (>= (- {second} {first}) {length}) (>= (- {first} {second}) {other_length}))"));
            }
        }
    }
    script.check(Family::Scheduling, name)
}
