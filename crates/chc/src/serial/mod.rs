//! Problems, witnesses and messages as bytes, for another process.
//!
//! | what | written by | read by |
//! |---|---|---|
//! | clauses | [`export_system`] | [`import_system`] |
//! | a problem as it was given | [`export_problem`] | [`import_problem`] |
//! | a model | [`export_model`] | [`import_model`] |
//! | a refutation | [`export_refutation`] | [`import_refutation`] |
//! | a message of an engine to others | [`export_message`] | [`import_message`] |
//!
//! Each form begins with its name, then comes one block of terms ([`shofar_term::serial`], a shared
//! DAG) and behind it how they are put together, as small numbers. A predicate travels as its
//! application to parameters, so that everything that is to be said of sorts and symbols is said by
//! the terms.
//!
//! Invariant: what is read satisfies what
//! [`ChcSystem::assert_well_formed`](crate::ChcSystem::assert_well_formed) asks for, whatever the
//! bytes; a witness that is read has the shape of one, but whether it is one the validator decides.

mod message;
mod problem;
mod system;
mod witness;

use shofar_base::wire::{Reader, Wire, WireError, Writer};
use shofar_term::serial::{export, import};
use shofar_term::visit::postorder;
use shofar_term::{Symbol, Term, TermStore};

pub use message::{export_message, import_message};
pub use problem::{SERIALISED, export_problem, import_problem};
pub use system::{export_system, import_system};
pub use witness::{export_model, export_refutation, import_model, import_refutation};

/// Writes a block of terms.
fn write_terms(out: &mut Writer, store: &TermStore, roots: &[Term]) {
    out.block(&export(store, roots));
}

/// Reads a block of terms.
fn read_terms(bytes: &mut Reader<'_>, store: &mut TermStore) -> Wire<Roots> {
    let block = bytes.block()?;
    let begin = bytes.offset() - block.len();
    let roots = import(store, block)
        .map_err(|error| WireError { offset: begin + error.offset, reason: error.reason })?;
    Ok(Roots { roots: roots.into_iter() })
}

fn is_quantifier_free(store: &TermStore, terms: &[Term]) -> bool {
    postorder(store, terms).into_iter().all(|term| store.quantified(term).is_none())
}

/// The terms of a block, in the order in which they were written.
struct Roots {
    roots: std::vec::IntoIter<Term>,
}

impl Roots {
    fn len(&self) -> usize {
        self.roots.len()
    }
    fn next(&mut self, bytes: &Reader<'_>) -> Wire<Term> {
        self.roots.next().ok_or_else(|| bytes.error("there are too few terms"))
    }
    fn formula(&mut self, bytes: &Reader<'_>, store: &TermStore) -> Wire<Term> {
        let formula = self.next(bytes)?;
        bytes.require(store.sort(formula).is_bool(), "a formula is expected")?;
        Ok(formula)
    }
    /// The predicate that the next root applies.
    fn predicate(&mut self, bytes: &Reader<'_>, store: &TermStore) -> Wire<Symbol> {
        let applied = store.application(self.formula(bytes, store)?).map(|(symbol, _)| symbol);
        applied.ok_or_else(|| bytes.error("a predicate is expected"))
    }
    fn constant(&mut self, bytes: &Reader<'_>, store: &TermStore) -> Wire<Symbol> {
        let root = self.next(bytes)?;
        store.symbol(root).ok_or_else(|| bytes.error("a constant is expected"))
    }
    fn end(&self, bytes: &Reader<'_>) -> Wire<()> {
        bytes.require(self.roots.len() == 0, "there are too many terms")
    }
}
