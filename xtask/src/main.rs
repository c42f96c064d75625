//! Development tasks: `cargo xtask tidy`, `corpus`, `crosscheck`, `horn`, `c`, `smt-bench`,
//! `strategy`, `sharing` and `fuzz`.
//!
//! Architecture invariant: tasks look at the solver from outside, as a process that reads scripts,
//! or at the source as text. The exceptions are `horn`, which solves tens of thousands of tiny
//! problems through the libraries, as the program does, `strategy`, which looks at the same figures
//! of a problem as the program, and `c`, which runs the interpreter of programs.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a task talks to its terminal")]

mod c;
mod corpus;
mod crosscheck;
mod fuzz;
mod horn;
mod process;
mod sharing;
mod smt_bench;
mod strategy;
mod table;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Development tasks of Shofar.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check the house rules that the compiler does not know: layers, file sizes, citations, names.
    Tidy(tidy::Options),
    /// Compare answers, models, cores and interpolants with z3 on random scripts.
    Crosscheck(crosscheck::Options),
    /// Compare all engines with each other and with z3 on random systems of Horn clauses.
    Horn(horn::Options),
    /// Compare answers about random programs in C, and their executions, with gcc.
    C(c::Options),
    /// Run the corpus and the examples through the program.
    Corpus(corpus::Options),
    /// Measure against z3 on generated families of problems.
    SmtBench(smt_bench::Options),
    /// Measure the engines alone and fit the table of the default strategy.
    Strategy(strategy::Options),
    /// Measure cooperating instances of property-directed k-induction.
    Sharing(sharing::Options),
    /// Feed damaged scripts to the solver; it must neither die nor hang.
    Fuzz(fuzz::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Tidy(options) => tidy::run(&options),
        Task::Crosscheck(options) => crosscheck::run(&options),
        Task::Horn(options) => horn::run(&options),
        Task::C(options) => c::run(&options),
        Task::Corpus(options) => corpus::run(&options),
        Task::SmtBench(options) => smt_bench::run(&options),
        Task::Strategy(options) => strategy::run(&options),
        Task::Sharing(options) => sharing::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
