//! ARI: integer transition systems, as the termination competition writes them.
//!
//! ```text
//! (format LCTRS :smtlib 2.6)
//! (theory Ints)
//! (fun start (-> Int Int Int))
//! (fun loop (-> Int Int Int))
//! (entrypoint start)
//! (rule (start x y) (loop x y))
//! (rule (loop x y) (loop (- x y) y) :guard (and (> x 0) (> y 0)))
//! ```
//! | file | what |
//! |---|---|
//! | `sexp` | parentheses and atoms, with their places |
//! | `system` | declarations and rules, and the clauses they mean |
//! | `sorts` | the sorts of variables that are not declared |
//! | `terms` | guards and arguments, read by the reader of SMT-LIB |
//!
//! A function symbol is a control location; its arguments, which are integers or truth values, are
//! the variables there. A run begins at the entry point with any values. A rule leads from the
//! state on its left to the one on its right if the guard holds; a variable that does not occur on
//! the left may have any value. Integers are those of mathematics.
//! ```text
//! (entrypoint f)                         f(x)  ← true
//! (rule (f x) (g t) :guard φ)            g(t)  ← f(x) ∧ φ
//! ```
//! There is no query: the question is whether every run ends.
//!
//! Refused are other formats and theories, calls inside of arguments and several calls on the right
//! of a rule, arguments on the left that are no variables, binders in terms, and costs.
//!
//! Source: the grammar of logically constrained rewrite systems [ARI24], restricted to integer
//! transition systems as in [TC24].

mod sexp;
mod sorts;
mod system;
mod terms;

use shofar_base::{Diagnostic, Span};
use shofar_chc::read::{Asks, FrontEnd, HornProblem, Texts};
use shofar_term::TermStore;

use sexp::Sexps;

/// The word behind the first parenthesis.
const FORMAT: &str = "format";

/// The row of the table of front ends.
pub const ARI: FrontEnd = FrontEnd {
    name: "ari",
    about: "ARI: integer transition systems of the termination competition",
    extensions: &["ari"],
    recognises: |text| sexp::begins_with(text, FORMAT),
    texts: Texts::WholeAfter(FORMAT),
    asks: Asks::Termination,
    options: &[],
    read: |text, _, store| read(text, store).map(|problem| vec![problem]),
};

/// Reads a text as one problem, which has no query.
fn read(text: &[u8], store: &mut TermStore) -> Result<HornProblem, Diagnostic> {
    let sexps = Sexps::read(text)?;
    let system = system::clauses(store, &sexps, text.len())?;
    let mut problem = HornProblem::of_system(store, system);
    problem.span = Span::new(0, text.len());
    Ok(problem)
}

#[cfg(test)]
mod tests;
