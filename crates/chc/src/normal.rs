//! Clauses whose arguments are distinct variables.
//!
//! In a normal clause all arguments of all atoms are variables, and no variable is an argument
//! twice; what an argument has to be is said by equations in the constraint. To resolve two such
//! clauses is to rename, and so is to say one of states at some time. So passes, rules of engines
//! and the single-loop construction ask for a [`NormalSystem`], whose atoms carry
//! symbols ([`NormalAtom`]).
//!
//! Invariant: [`NormalSystem`] is made by normalising only; its atoms are those of its clauses. A
//! clause keeps its id and all its variables when it is made normal, so both kinds of witness stay
//! what they are: a model is a model, and a derivation only knows the values of some
//! further variables.

use std::ops::Deref;

use shofar_base::{IndexVec, Map, Set};
use shofar_term::{Sort, Symbol, TermStore};

use crate::{
    ChcSystem, Clause, ClauseId, Derivation, Interpretation, PredAtom, PredId, Problem, Verdict,
};

/// A predicate applied to distinct variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NormalAtom {
    /// The predicate.
    pub pred: PredId,
    /// The variables; no other atom of the clause has one of them.
    pub args: Vec<Symbol>,
}

impl NormalAtom {
    /// The same atom with terms.
    pub fn to_atom(&self, store: &mut TermStore) -> PredAtom {
        let args = self.args.iter().map(|&symbol| store.constant(symbol)).collect();
        PredAtom { pred: self.pred, args }
    }
}

/// A system of normal clauses; see the module documentation.
#[derive(Clone, Debug, Default)]
pub struct NormalSystem {
    system: ChcSystem,
    /// The atoms of each clause, body first.
    atoms: IndexVec<ClauseId, Vec<NormalAtom>>,
}

impl NormalSystem {
    /// The normal form of `system`; clauses that are normal stay as they are.
    pub fn of(store: &mut TermStore, system: ChcSystem) -> Self {
        Self::already(store, system).unwrap_or_else(|system| {
            let mut names = Names::default();
            let (mut clauses, mut atoms) = (Vec::new(), IndexVec::new());
            for (_, clause) in system.clauses() {
                let (clause, own) = match atoms_of(store, clause) {
                    Some(own) => (clause.clone(), own),
                    None => normal(store, clause, &mut names),
                };
                clauses.push(clause);
                let _: ClauseId = atoms.push(own);
            }
            Self { system: system.with_clauses(clauses), atoms }
        })
    }
    /// `system` if all its clauses are normal; otherwise it comes back.
    #[expect(clippy::result_large_err, reason = "what is refused is needed again")]
    pub fn already(store: &TermStore, system: ChcSystem) -> Result<Self, ChcSystem> {
        let atoms: Option<_> =
            system.clauses().map(|(_, clause)| atoms_of(store, clause)).collect();
        match atoms {
            Some(atoms) => Ok(Self { system, atoms }),
            None => Err(system),
        }
    }
    /// The atoms of a clause: its body, then its head.
    pub fn atoms(&self, id: ClauseId) -> &[NormalAtom] {
        &self.atoms[id]
    }
    /// The body of a clause.
    pub fn body(&self, id: ClauseId) -> &[NormalAtom] {
        &self.atoms[id][..self.system.clause(id).body.len()]
    }
    /// The head of a clause, unless it is a query.
    pub fn head(&self, id: ClauseId) -> Option<&NormalAtom> {
        self.atoms[id].get(self.system.clause(id).body.len())
    }
    /// The variables that are arguments of a clause: those of its body, then those of its head.
    pub fn arguments(&self, id: ClauseId) -> impl Iterator<Item = Symbol> {
        self.atoms[id].iter().flat_map(|atom| atom.args.iter().copied())
    }
    /// The clauses, whatever their form.
    pub fn into_clauses(self) -> ChcSystem {
        self.system
    }
}

impl Deref for NormalSystem {
    type Target = ChcSystem;
    fn deref(&self) -> &ChcSystem {
        &self.system
    }
}

impl Problem for NormalSystem {
    type Model = Interpretation;
    type Refutation = Derivation;
}

impl From<Verdict<NormalSystem>> for Verdict<ChcSystem> {
    fn from(verdict: Verdict<NormalSystem>) -> Self {
        match verdict {
            Verdict::Safe(model) => Verdict::Safe(model),
            Verdict::Unsafe(refutation) => Verdict::Unsafe(refutation),
        }
    }
}

/// The atoms of a clause, if it is normal.
fn atoms_of(store: &TermStore, clause: &Clause) -> Option<Vec<NormalAtom>> {
    let mut seen: Set<Symbol> = Set::default();
    let atoms = clause.body.iter().chain(&clause.head).map(|atom| {
        let own = atom.args.iter().map(|&arg| store.symbol(arg).filter(|&it| seen.insert(it)));
        Some(NormalAtom { pred: atom.pred, args: own.collect::<Option<_>>()? })
    });
    atoms.collect()
}

/// New variables by sort; clauses share them.
#[derive(Default)]
struct Names(Map<Sort, Vec<Symbol>>);

impl Names {
    /// The new variable number `index` of `sort`.
    fn get(&mut self, store: &mut TermStore, sort: Sort, index: usize) -> Symbol {
        let names = self.0.entry(sort).or_default();
        while names.len() <= index {
            names.push(store.fresh("a", sort));
        }
        names[index]
    }
}

fn normal(store: &mut TermStore, clause: &Clause, names: &mut Names) -> (Clause, Vec<NormalAtom>) {
    let mut result = clause.clone();
    let mut parts = vec![clause.constraint];
    let mut seen: Set<Symbol> = Set::default();
    let mut used: Map<Sort, usize> = Map::default();
    let mut atoms = Vec::new();
    // Body first, so that its variables keep their names.
    for atom in result.body.iter_mut().chain(&mut result.head) {
        let mut args = Vec::with_capacity(atom.args.len());
        for arg in &mut atom.args {
            if let Some(symbol) = store.symbol(*arg).filter(|&symbol| seen.insert(symbol)) {
                args.push(symbol);
                continue;
            }
            let sort = store.sort(*arg);
            let next = used.entry(sort).or_default();
            let name = names.get(store, sort, *next);
            *next += 1;
            let variable = store.constant(name);
            parts.push(store.eq(variable, *arg));
            *arg = variable;
            args.push(name);
        }
        atoms.push(NormalAtom { pred: atom.pred, args });
    }
    result.constraint = store.and(&parts);
    (result, atoms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_become_distinct_variables() {
        let mut s = TermStore::new();
        let mut system = ChcSystem::new();
        let pred = system.add_pred(s.declare("p", &[Sort::INT, Sort::INT], Sort::BOOL));
        let (x, one) = (s.var("x", Sort::INT), s.int(1));
        let more = s.add(&[x, one]);
        let (twice, next) = (vec![x, x], vec![x, more]);
        let clause = Clause {
            head: Some(PredAtom { pred, args: next }),
            body: vec![PredAtom { pred, args: twice }],
            constraint: s.top(),
            span: None,
        };
        let id = system.add_clause(clause.clone());
        assert!(NormalSystem::already(&s, system.clone()).is_err());
        let normal = NormalSystem::of(&mut s, system);
        let made = normal.clause(id);
        let head = made.head.as_ref().expect("it keeps its head");
        assert_eq!(made.body[0].args[0], x, "what is a variable already stays");
        let equations = [(made.body[0].args[1], x), (head.args[0], x), (head.args[1], more)];
        let equations = equations.map(|(name, term)| s.eq(name, term));
        assert_eq!(made.constraint, s.and(&equations));
        let terms: Vec<PredAtom> = normal.atoms(id).iter().map(|it| it.to_atom(&mut s)).collect();
        assert_eq!((&terms[..1], terms.get(1)), (&made.body[..], made.head.as_ref()));
        assert_eq!((normal.body(id).len(), normal.head(id)), (1, normal.atoms(id).last()));
        let again = NormalSystem::already(&s, normal.clone().into_clauses());
        assert_eq!(again.map(|again| again.clause(id).clone()).ok().as_ref(), Some(made));
    }
}
