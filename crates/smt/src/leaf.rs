//! Where the leaf clauses of a proof come from.
//!
//! A leaf is a clause of a part, a clause that defines the meaning of a term (valid, over the
//! symbols of that term), a theory lemma with its certificate, or an instance of an axiom, which is
//! valid by itself. The tag on a SAT clause is the index of its leaf.

use shofar_sat::Tag;
use shofar_term::Term;
use shofar_theory::{Certificate, Lemma};

use crate::PartId;

/// The origin of a leaf clause.
#[derive(Clone, Debug)]
pub(crate) enum Leaf {
    /// A clause of the clause form of a part.
    Part(PartId),
    /// A valid clause that ties a term to its subterms.
    Definition(Term),
    /// A theory lemma: the literals that contradict each other, and why they do.
    Lemma(Box<Lemma<Certificate>>),
    /// An instance of an axiom of arrays or data.
    Axiom,
    /// A clause that switches off a popped scope; no proof uses it.
    Retired,
}

impl Leaf {
    fn is_same_origin(&self, other: &Self) -> bool {
        match (self, other) {
            (Leaf::Part(a), Leaf::Part(b)) => a == b,
            (Leaf::Definition(a), Leaf::Definition(b)) => a == b,
            (Leaf::Retired, Leaf::Retired) | (Leaf::Axiom, Leaf::Axiom) => true,
            (
                Leaf::Part(_) | Leaf::Definition(_) | Leaf::Lemma(_) | Leaf::Axiom | Leaf::Retired,
                _,
            ) => false,
        }
    }
}

/// The leaves seen so far; keeps nothing when no proof is wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves {
    wanted: bool,
    kept: Vec<Leaf>,
    certificates: usize,
}

impl Leaves {
    pub(crate) fn new(wanted: bool) -> Self {
        Self { wanted, kept: Vec::new(), certificates: 0 }
    }
    /// The tag for a clause of this origin.
    pub(crate) fn tag(&mut self, leaf: impl FnOnce() -> Leaf) -> Tag {
        if !self.wanted {
            return Tag(0);
        }
        let leaf = leaf();
        if !self.kept.last().is_some_and(|last| last.is_same_origin(&leaf)) {
            if let Leaf::Lemma(lemma) = &leaf {
                self.certificates += lemma.certificate.weight();
            }
            self.kept.push(leaf);
        }
        Tag(u32::try_from(self.kept.len() - 1).expect("fewer than 2^32 leaves"))
    }
    /// What `tag` stands for.
    pub(crate) fn get(&self, tag: Tag) -> &Leaf {
        &self.kept[tag.0 as usize]
    }
    /// A measure of the memory held.
    pub(crate) fn weight(&self) -> usize {
        self.kept.len() + self.certificates
    }
}
