//! Reads a DIMACS file, says whether it is satisfiable and how long that took.
//!
//! `cargo run --release -p shofar-sat --example dimacs -- FILE [--proof]`; with `--proof`, a
//! refutation is logged and replayed.

use std::io::{self, Write};
use std::time::Instant;

use shofar_base::{Budget, Idx, Lit, Var};
use shofar_sat::{Answer, NoTheory, Options, Solver, Tag};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("usage: dimacs FILE [--proof]")?;
    let proofs = arguments.iter().any(|argument| argument == "--proof");
    let begin = Instant::now();
    let mut solver = Solver::new(Options { proofs, ..Options::default() });
    read(&mut solver, &std::fs::read_to_string(path)?)?;
    let read_after = begin.elapsed();
    let answer = solver.solve(&mut NoTheory, &[], &Budget::unlimited());
    let mut out = io::stdout().lock();
    let answer = match answer {
        Ok(Answer::Sat) => "sat",
        Ok(Answer::Unsat) => "unsat",
        Err(_) => "unknown",
    };
    writeln!(out, "{answer}  read {read_after:.2?}, solved after {:.2?}", begin.elapsed())?;
    writeln!(out, "{:#?}", solver.stats())?;
    if let Some(proof) = solver.refutation() {
        let begin = Instant::now();
        proof.check(&[])?;
        writeln!(out, "proof of {} steps replayed in {:.2?}", proof.len(), begin.elapsed())?;
    }
    Ok(())
}

fn read(solver: &mut Solver, text: &str) -> Result<(), Box<dyn std::error::Error>> {
    let mut clause = Vec::new();
    let mut number = 0;
    for line in text.lines().filter(|line| !line.starts_with(['c', 'p', '%'])) {
        for word in line.split_whitespace() {
            let literal: i64 = word.parse()?;
            if literal == 0 {
                solver.add_clause(&clause, Tag(number));
                clause.clear();
                number += 1;
                continue;
            }
            let var = Var::from_index(usize::try_from(literal.unsigned_abs())? - 1);
            while solver.vars() <= var.index() {
                solver.new_var();
            }
            clause.push(Lit::new(var, literal > 0));
        }
    }
    Ok(())
}
