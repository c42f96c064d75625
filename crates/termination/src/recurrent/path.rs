//! Moves as terms: what a path of transitions demands of the state at its beginning, and which
//! state it leads to.

use shofar_base::Map;
use shofar_chc::{ChcSystem, ClauseId, PredId, formal_params};
use shofar_term::solve::{solvable, solve_for};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

use super::{Move, MoveStep};

/// A path from a location, over the formal parameters there and over what is left open.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) from: PredId,
    pub(crate) to: PredId,
    pub(crate) steps: Vec<MoveStep>,
    /// What has to hold.
    pub(crate) guard: Vec<Term>,
    /// The state at the end.
    pub(crate) state: Vec<Term>,
    /// What is left open.
    pub(crate) open: Vec<Symbol>,
}

impl Path {
    /// The path along transitions that follow each other, with all that equations determine put in
    /// place.
    pub(crate) fn of(
        store: &mut TermStore,
        system: &ChcSystem,
        clauses: &[ClauseId],
    ) -> Option<Self> {
        let from = system.clause(*clauses.first()?).body.first()?.pred;
        let params = formal_params(store, system, from);
        let state: Vec<Term> = params.iter().map(|&param| store.constant(param)).collect();
        let (steps, guard, open) = (Vec::new(), Vec::new(), Vec::new());
        let mut path = Self { from, to: from, steps, guard, state, open };
        for &clause in clauses {
            path.follow(store, system, clause)?;
        }
        path.determine(store);
        Some(path)
    }
    /// Goes one transition further.
    fn follow(&mut self, store: &mut TermStore, system: &ChcSystem, id: ClauseId) -> Option<()> {
        let clause = system.clause(id);
        let ([body], Some(head)) = (clause.body.as_slice(), &clause.head) else { return None };
        if body.pred != self.to {
            return None;
        }
        let mut map: Map<Term, Term> = Map::default();
        for (&arg, &value) in body.args.iter().zip(&self.state) {
            if store.symbol(arg).is_some() && !map.contains_key(&arg) {
                map.insert(arg, value);
            }
        }
        let mut values = Vec::new();
        for symbol in clause.variables(store) {
            let variable = store.constant(symbol);
            if !map.contains_key(&variable) {
                let sort = store.result(symbol);
                let fresh = store.fresh("n", sort);
                self.open.push(fresh);
                let fresh = store.constant(fresh);
                map.insert(variable, fresh);
            }
            values.push((symbol, map[&variable]));
        }
        let args = substitute(store, &map, &body.args);
        for (arg, &value) in args.into_iter().zip(&self.state) {
            let same = store.eq(arg, value);
            self.guard.push(same);
        }
        self.guard.extend(substitute(store, &map, &[clause.constraint]));
        self.state = substitute(store, &map, &head.args);
        self.to = head.pred;
        self.steps.push(MoveStep { clause: id, values });
        Some(())
    }
    /// Puts what equations of the guard say in place of what is left open.
    fn determine(&mut self, store: &mut TermStore) {
        while let Some((symbol, term)) = self.definition(store) {
            self.choose(store, symbol, term);
        }
    }
    fn definition(&self, store: &mut TermStore) -> Option<(Symbol, Term)> {
        for conjunct in store.conjuncts(&self.guard) {
            for symbol in solvable(store, conjunct) {
                if !self.open.contains(&symbol) {
                    continue;
                }
                if let Some(term) = solve_for(store, conjunct, symbol)
                    && !free_symbols(store, &[term]).contains(&symbol)
                {
                    return Some((symbol, term));
                }
            }
        }
        None
    }
    /// Chooses a term for something that is left open.
    pub(crate) fn choose(&mut self, store: &mut TermStore, symbol: Symbol, term: Term) {
        let map: Map<Term, Term> = [(store.constant(symbol), term)].into_iter().collect();
        let guard = store.and(&self.guard);
        let guard = substitute(store, &map, &[guard])[0];
        self.guard = store.conjuncts(&[guard]);
        self.state = substitute(store, &map, &self.state);
        for (_, value) in self.steps.iter_mut().flat_map(|step| &mut step.values) {
            *value = substitute(store, &map, &[*value])[0];
        }
        self.open.retain(|&open| open != symbol);
    }
    /// What has to hold, as one formula.
    pub(crate) fn condition(&self, store: &mut TermStore) -> Term {
        store.and(&self.guard)
    }
    /// A formula over the state at the beginning, said of the state at the end of a path that leads
    /// back.
    pub(crate) fn after(&self, store: &mut TermStore, params: &[Symbol], formula: Term) -> Term {
        let map: Map<Term, Term> = params
            .iter()
            .zip(&self.state)
            .map(|(&param, &value)| (store.constant(param), value))
            .collect();
        substitute(store, &map, &[formula])[0]
    }
    /// The move, if nothing is left open.
    pub(crate) fn to_move(&self) -> Option<Move> {
        self.open.is_empty().then(|| Move { from: self.from, steps: self.steps.clone() })
    }
}
