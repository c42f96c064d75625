//! VMT: transition systems, as SMT-LIB with annotations.
//!
//! ```text
//! (declare-fun x () Int) (declare-fun xn () Int)
//! (define-fun .x () Int (! x :next xn))
//! (define-fun .init () Bool (! (= x 0) :init true))
//! (define-fun .trans () Bool (! (= xn (+ x 2)) :trans true))
//! (define-fun .odd () Bool (! (not (= x 7)) :invar-property 0))
//! ```
//! A symbol with `:next` is a variable of the state, together with its next value; any other one is
//! an input, which a step may choose. Each property is a question, in the order of the text. The
//! reader of SMT-LIB does the work; here is what the annotations mean.
//!
//! - `:invar-property n`: the formula holds in every reachable state. A model of the clauses is an
//!   inductive invariant.
//! - `:live-property n`: on every infinite run the formula holds from some moment on (`F G p`). The
//!   question is reduced to safety by looking for a lasso, see `lasso`. That is exact for finitely
//!   many states only, so that for other systems, such as those with integers, the property is
//!   refused.
//!
//! Refused are also several formulas for the initial states or the steps, properties about inputs
//! or next values, functions, other kinds of properties, and assertions.
//!
//! Source: [CGT22].

mod explain;
mod lasso;
mod system;

use shofar_base::Diagnostic;
use shofar_chc::read::{Asks, FrontEnd, HornProblem, Texts};
use shofar_smtlib::{Command, Commands, Environment, Step};
use shofar_term::TermStore;

use system::Model;

/// The row of the table of front ends.
pub const VMT: FrontEnd = FrontEnd {
    name: "vmt",
    about: "VMT: transition systems with properties, as SMT-LIB with annotations",
    extensions: &["vmt"],
    // It begins as SMT-LIB does; only the name of a file tells them apart.
    recognises: |_| false,
    texts: Texts::Whole,
    asks: Asks::Either,
    options: &[],
    read: |text, _, store| read(text, store),
};

/// Reads a text: a problem for each property.
fn read(text: &[u8], store: &mut TermStore) -> Result<Vec<HornProblem>, Diagnostic> {
    let mut env = Environment::with_annotations();
    let mut commands = Commands::of_text(text.to_vec());
    let mut model = Model::default();
    while let Step::Sentence(sentence) = commands.next(&mut env, store)? {
        if !is_allowed(store, &sentence.command) {
            let message = "this command has no meaning in a transition system";
            return Err(Diagnostic::new(sentence.span, message));
        }
        for annotation in env.take_annotations() {
            model.note(store, &env, annotation, sentence.span)?;
        }
        if !env.zero_divisions().is_empty() {
            return Err(Diagnostic::new(sentence.span, "division by zero is not supported"));
        }
        if sentence.command == Command::Exit {
            break;
        }
    }
    model.problems(store, text)
}

/// Whether a command may stand in a text; `(assert true)` may, so that others read the text as a
/// script.
fn is_allowed(store: &TermStore, command: &Command) -> bool {
    if let Command::Assert { term, .. } = command {
        return *term == store.top();
    }
    matches!(
        command,
        Command::SetLogic(_)
            | Command::SetOption { .. }
            | Command::SetInfo { .. }
            | Command::Declare(_)
            | Command::Define { .. }
            | Command::Exit
    )
}

#[cfg(test)]
mod tests;
