//! Replaying resolutions.
//!
//! Atoms are numbered in the order in which leaves mention them; a literal is twice the number of
//! its atom, plus one if it is negative. A clause under construction is a list of literals and a
//! flag for each literal that says whether it is in; the list may still name some that have left.
//!
//! Source: [ZM03].

use shofar_base::Map;
use shofar_term::Term;

use crate::{Literal, Reason};

/// A literal by number.
type Code = u32;

/// The numbers of atoms.
#[derive(Debug, Default)]
pub(crate) struct Atoms {
    numbers: Map<Term, u32>,
    atoms: Vec<Term>,
}

impl Atoms {
    /// The code of a literal, whose atom may be new.
    pub(crate) fn enter(&mut self, literal: Literal) -> Code {
        let atoms = &mut self.atoms;
        let number = *self.numbers.entry(literal.atom).or_insert_with(|| {
            atoms.push(literal.atom);
            u32::try_from(atoms.len() - 1).expect("fewer than 2^31 atoms")
        });
        2 * number + u32::from(!literal.positive)
    }
    /// The positive literal of an atom that some leaf has mentioned.
    fn positive(&self, atom: Term) -> Option<Code> {
        self.numbers.get(&atom).map(|number| 2 * number)
    }
    /// The literal with this code.
    pub(crate) fn literal(&self, code: Code) -> Literal {
        Literal { atom: self.atoms[code as usize / 2], positive: code.is_multiple_of(2) }
    }
}

/// A clause under construction.
#[derive(Debug, Default)]
pub(crate) struct Resolvent {
    present: Vec<bool>,
    codes: Vec<Code>,
}

impl Resolvent {
    fn has(&self, code: Code) -> bool {
        self.present.get(code as usize).copied().unwrap_or(false)
    }
    /// Adds the literals of a clause but for `except`.
    pub(crate) fn add(
        &mut self,
        atoms: &Atoms,
        clause: &[Code],
        except: Option<Code>,
    ) -> Result<(), Reason> {
        for &code in clause.iter().filter(|&&code| Some(code) != except) {
            if self.has(code ^ 1) {
                return Err(Reason::Tautology(atoms.literal(code).atom));
            }
            if !self.has(code) {
                let needed = (code | 1) as usize + 1;
                if self.present.len() < needed {
                    self.present.resize(needed, false);
                }
                self.present[code as usize] = true;
                self.codes.push(code);
            }
        }
        Ok(())
    }
    /// Resolves with a clause upon an atom.
    pub(crate) fn resolve(
        &mut self,
        atoms: &Atoms,
        pivot: Term,
        clause: &[Code],
    ) -> Result<(), Reason> {
        let positive = atoms.positive(pivot).ok_or(Reason::NoPivot(pivot))?;
        let here = if self.has(positive) { positive } else { positive + 1 };
        if !self.has(here) || !clause.contains(&(here ^ 1)) {
            return Err(Reason::NoPivot(pivot));
        }
        self.present[here as usize] = false;
        self.add(atoms, clause, Some(here ^ 1))
    }
    /// The clause; what is under construction is empty again.
    pub(crate) fn take(&mut self) -> Box<[Code]> {
        let present = &mut self.present;
        let is_in = |code: &Code| std::mem::replace(&mut present[*code as usize], false);
        self.codes.drain(..).filter(is_in).collect()
    }
}
