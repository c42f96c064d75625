//! Shofar in the place of the solvers that Solidity's compiler and verifiers of C programs call.
//!
//! The model checker of the compiler looks for programs called `eld` and `z3`, verifiers for these
//! and `golem`. `shofar solc-shim DIR` puts scripts with these names into a folder; each calls this
//! program as `shofar as eld …` and so on, which takes the command lines that the others give to
//! the three and answers in the form that they read.
//!
//! | file | what |
//! |---|---|
//! | `call` | the command lines |
//! | `readable` | which definitions of a model the compiler can read |
//! | `proof` | refutations as the proofs of z3 that it reads |
//! | `derivation` | refutations as Eldarica and Golem list them, which verifiers read |
//! | `ground` | questions without predicates |
//! | `install` | the scripts |
//!
//! Invariant: standard output begins with `sat`, `unsat` or `unknown`, whatever happens. What
//! stands behind the word is such that the compiler reads it: it takes an answer with a text that
//! it does not understand for no answer at all.
//!
//! Under the name of `z3` the compiler also asks questions without predicates (its bounded model
//! checker). These go to the SMT solver.
//!
//! Who calls may wait for the answer with the pipe open, so a script from a pipe is executed as it
//! comes.

mod call;
mod derivation;
mod ground;
mod install;
mod proof;
mod readable;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use shofar::Refutation;
use shofar_chc::{ChcSystem, Derivation};
use shofar_term::TermStore;

use crate::arguments::{Arguments, AsArguments, SolveArguments};
use crate::horn;
use crate::output::{Channel, printed};
use crate::run::{begin_of_input, has_file_as_input, run_begun, run_whole};
use crate::text::{Text, fail};
use call::{Call, Request};

pub(crate) use call::Guise;
pub(crate) use install::install;
pub(crate) use readable::readable;

/// `shofar as SOLVER …`: answers as the solver would.
pub(crate) fn answer(arguments: &AsArguments) -> ExitCode {
    let errors = Channel::stderr();
    let (request, notes) = Request::read(arguments.solver, &arguments.words);
    for note in notes {
        errors.write(&format!("shofar: {note}\n"));
    }
    match request {
        Request::Version => version(),
        Request::Solve(call) => solve(&call).unwrap_or_else(|message| {
            Channel::standard().0.write("unknown\n");
            fail(&message, &errors)
        }),
    }
}

fn version() -> ExitCode {
    let text = Arguments::command().render_version();
    printed(io::Write::write_all(&mut io::stdout(), text.as_bytes()))
}

/// Answers a query; `Err` says why it could not be read.
fn solve(call: &Call) -> Result<ExitCode, String> {
    let seconds = call.seconds().unwrap_or(call::USUAL_SECONDS);
    if call.file.is_none() && !has_file_as_input() {
        let begin = begin_of_input(|text| call.is_horn(text).is_some())?;
        return Ok(if call.is_horn(&begin).unwrap_or(false) {
            horn::run_pipe(&solve_arguments(call), begin)
        } else {
            ground::answer(seconds, |script| run_begun(script, begin))
        });
    }
    let text = Text::read(call.file.as_deref())?;
    Ok(if call.is_horn(&text.bytes).unwrap_or(false) {
        horn::run_text(&solve_arguments(call), text)
    } else {
        ground::answer(seconds, |script| {
            run_whole(script, text);
            Ok(())
        })
    })
}

/// The options of `shofar FILE` that do what the call asks for.
fn solve_arguments(call: &Call) -> SolveArguments {
    let matches = Arguments::command().get_matches_from(call.words());
    let arguments = Arguments::from_arg_matches(&matches);
    let mut arguments = arguments.expect("the words are options of ours").solve;
    arguments.dialect = call.dialect();
    arguments
}

/// In which form witnesses are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// In our own.
    #[default]
    Own,
    /// As Solidity's compiler reads them.
    Solc,
    /// The same, but refutations as Eldarica lists them.
    Eldarica,
    /// Refutations as Golem lists them.
    Golem,
}

/// Refutations of more steps are not written step by step for the compiler, which shows the last
/// ones.
const MOST_EXPANDED: usize = 100_000;

/// A refutation as the compiler reads it.
pub(crate) fn print_proof(refutation: &Refutation) -> String {
    print(refutation, proof::print)
}

/// A refutation as Eldarica lists it.
pub(crate) fn print_eldarica(refutation: &Refutation) -> String {
    print(refutation, derivation::eldarica)
}

/// A refutation as Golem lists it.
pub(crate) fn print_golem(refutation: &Refutation) -> String {
    print(refutation, derivation::golem)
}

fn print(
    refutation: &Refutation,
    print: fn(&TermStore, &ChcSystem, &Derivation) -> String,
) -> String {
    let (store, derivation) = (refutation.store(), refutation.derivation());
    // A longer one is printed without what lies between the iterations that are listed.
    let expanded = derivation.clone().expanded(store, MOST_EXPANDED);
    let ground = expanded.as_ref().unwrap_or(derivation);
    print(store, refutation.system(), ground)
}
