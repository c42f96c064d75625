//! Shofar in the place of the solvers that Solidity's compiler calls.
//!
//! The model checker of the compiler looks for programs called `eld` and `z3`. `shofar solc-shim DIR` puts two scripts with
//! these names into a folder; each calls this program as `shofar as eld …` or `shofar as z3 …`, which takes the command lines
//! that the compiler gives to the two and answers in the form that it reads.
//!
//! | file | what |
//! |---|---|
//! | `call` | the command lines |
//! | `readable` | which definitions of a model the compiler can read |
//! | `proof` | refutations as the proofs of z3 that it reads |
//! | `ground` | questions without predicates |
//! | `install` | the scripts |
//!
//! Invariant: standard output begins with `sat`, `unsat` or `unknown`, whatever happens. What stands behind the word is
//! such that the compiler reads it: it takes an answer with a text that it does not understand for no answer at all.
//!
//! Under the name of `z3` the compiler also asks questions without predicates (its bounded model checker). These go to the
//! SMT solver.

mod call;
mod ground;
mod install;
mod proof;
mod readable;

use std::io;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use shofar::Refutation;

use crate::arguments::{Arguments, AsArguments, SolveArguments};
use crate::horn;
use crate::output::{Channel, printed};
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
        Request::Solve(call) => match Text::read(call.file.as_deref()) {
            Ok(text) => solve(&call, text),
            Err(message) => {
                Channel::standard().0.write("unknown\n");
                fail(&message, &errors)
            }
        },
    }
}

fn version() -> ExitCode {
    let text = Arguments::command().render_version();
    printed(io::Write::write_all(&mut io::stdout(), text.as_bytes()))
}

fn solve(call: &Call, text: Text) -> ExitCode {
    if call.is_horn(&text.bytes) {
        let mut arguments = solve_arguments(call);
        arguments.dialect = call.dialect();
        horn::run_text(&arguments, text)
    } else {
        ground::answer(call.seconds().unwrap_or(call::USUAL_SECONDS), text)
    }
}

/// The options of `shofar FILE` that do what the call asks for.
fn solve_arguments(call: &Call) -> SolveArguments {
    let matches = Arguments::command().get_matches_from(call.words());
    let arguments = Arguments::from_arg_matches(&matches);
    arguments.expect("the words are options of ours").solve
}

/// In which form witnesses are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// In our own.
    #[default]
    Own,
    /// As Solidity's compiler reads them.
    Solc,
}

/// Refutations of more steps are not written step by step for the compiler, which shows the last ones.
const MOST_EXPANDED: usize = 100_000;

/// A refutation as the compiler reads it.
pub(crate) fn print_proof(refutation: &Refutation) -> String {
    let (store, derivation) = (refutation.store(), refutation.derivation());
    // A longer one is printed without what lies between the iterations that are listed.
    let expanded = derivation.clone().expanded(store, MOST_EXPANDED);
    let ground = expanded.as_ref().unwrap_or(derivation);
    proof::print(store, refutation.system(), ground)
}
