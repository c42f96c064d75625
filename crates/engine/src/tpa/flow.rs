//! Safety of loops that follow each other.
//!
//! Reachable states flow forward: from states of a loop that are truly reached, the loop is asked
//! for a path to a state from which an edge leads on, to another loop or to a query. What lies
//! behind the edge is reached, too, and the next loop is asked from there. Safe states flow
//! backward: if a loop has no such path, its transition invariant gives states from which nothing
//! unsafe is ever reached, and the loop before need not look for a way there any more. Loops are
//! asked many questions with different ends; the relations that over-approximate their steps are
//! kept from one to the next.
//!
//! Invariant (path): every visit's states are reached from states that the visit before has
//! reached, by its edge.
//!
//! Source: [Bli22] §5.5.5. DIVERGENCE: any acyclic graph of loops, not only a chain, and what flows
//! backward is the whole inductive set of safe states, with conjuncts that are not needed left out.

use shofar_base::Outcome;
use shofar_chc::{LinearSystem, NormalSystem, PredId, Run, Verdict};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::Model;
use shofar_term::{Cx, Symbol, Term};

use super::network::{Edge, Network};
use super::reach::Reached;
use super::{Direction, Elimination, Safety, TpaOptions, TransitionInvariant};

/// A loop on the way, entered by an edge.
#[derive(Debug)]
pub(super) struct Visit {
    pub(super) pred: PredId,
    /// The edge.
    pub(super) entered: Edge,
    /// The states it was entered in; may have locals.
    states: Term,
    /// How states were reached that it can be left from.
    pub(super) way: Option<Way>,
}

/// How states of a loop were reached.
#[derive(Debug)]
pub(super) enum Way {
    /// Along the path of this set, of which every state is reached.
    Any(Reached),
    /// One of them by this run.
    One(Run),
}

/// What came of asking a loop.
enum Left {
    /// It can be left into this one.
    To(Visit),
    /// It can be left by this query.
    By(Edge),
    /// It cannot be left from where it was entered, but for safe states.
    Never,
}

/// The state of the search.
pub(super) struct Flow<'s> {
    system: LinearSystem<'s>,
    pub(super) network: Network,
    options: TpaOptions,
    /// The transition invariants found.
    pub(super) found: Vec<TransitionInvariant>,
}

impl<'s> Flow<'s> {
    pub(super) fn new(cx: &mut Cx<'_>, system: LinearSystem<'s>, options: TpaOptions) -> Self {
        let network = Network::new(cx.store, system, &options);
        Self { system, network, options, found: Vec::new() }
    }
    /// Decides the system: states flow forward and backward until a query is reached or all facts
    /// are safe.
    pub(super) fn decide(&mut self, cx: &mut Cx<'_>) -> Outcome<Verdict<NormalSystem>> {
        for entry in self.network.entries.clone() {
            let Some(pred) = entry.to else {
                if self.connects(cx, cx.store.top(), &entry)?.is_some() {
                    return self.derivation(cx, &mut [], &entry).map(Verdict::Unsafe);
                }
                continue;
            };
            let visit = |states| Visit { pred, entered: entry, states, way: None };
            // What remains of the fact when the safe states grow is asked again.
            while self.connects(cx, cx.store.top(), &entry)?.is_some() {
                let mut path = vec![visit(entry.formula)];
                while let Some(last) = path.last_mut() {
                    match self.leave(cx, last)? {
                        Left::To(next) => path.push(next),
                        Left::By(query) => {
                            return self.derivation(cx, &mut path, &query).map(Verdict::Unsafe);
                        }
                        Left::Never => {
                            path.pop();
                        }
                    }
                }
            }
        }
        Ok(Verdict::Safe(self.network.model(cx.store, &self.system)))
    }
    /// Asks the loop of `visit` for a way out.
    fn leave(&mut self, cx: &mut Cx<'_>, visit: &mut Visit) -> Outcome<Left> {
        let leaving = self.network.leaving(cx.store, visit.pred);
        let powers = &mut self.network.nodes[visit.pred].powers;
        powers.set_ends(cx.store, visit.states, leaving);
        let (states, way) = match powers.check_safety(cx)? {
            Safety::Safe(found, invariant) => {
                tracing::info!("{}: {found}", cx.store.name(self.system.symbol(visit.pred)));
                let states = powers.enough(cx, invariant)?;
                self.network.add_safe(visit.pred, states);
                self.found.push(found);
                return Ok(Left::Never);
            }
            Safety::Unsafe(reached) => match self.options.direction {
                Direction::Forward => (reached.states, Way::Any(reached)),
                // Backward, the states at the other end are known; a run shows what they lead to.
                Direction::Backward => {
                    let run = powers.run(cx, &reached)?;
                    let end = run.states.last().expect("a run has a state");
                    (powers.names.is_state(cx.store, end), Way::One(run))
                }
            },
        };
        visit.way = Some(way);
        self.follow(cx, visit.pred, states)
    }
    /// Follows an edge from `states`, which are left by one, to what is not known to be safe.
    fn follow(&mut self, cx: &mut Cx<'_>, pred: PredId, states: Term) -> Outcome<Left> {
        for edge in self.network.nodes[pred].edges.clone() {
            let Some(model) = self.connects(cx, states, &edge)? else { continue };
            let Some(to) = edge.to else { return Ok(Left::By(edge)) };
            let image = cx.store.and(&[states, edge.formula]);
            let others = self.others(cx, to, image);
            let states = match self.options.elimination {
                Elimination::Projection => shofar_mbp::project(cx.store, image, &others, &model),
                Elimination::Full => shofar_mbp::eliminate(cx, image, &others)?,
            };
            return Ok(Left::To(Visit { pred: to, entered: edge, states, way: None }));
        }
        unreachable!("these states were asked for because an edge leaves them")
    }
    /// All symbols of `image` but the state variables of `pred`.
    fn others(&self, cx: &Cx<'_>, pred: PredId, image: Term) -> Vec<Symbol> {
        let mut symbols = shofar_term::symbols::free_symbols(cx.store, &[image]);
        symbols.retain(|s| !self.network.nodes[pred].state.contains(s));
        symbols
    }
    /// How `edge` leads from one of `states` to what is not known to be safe.
    fn connects(&self, cx: &mut Cx<'_>, states: Term, edge: &Edge) -> Outcome<Option<Model>> {
        let mut solver = Solver::new(Options::default());
        for formula in [states, edge.formula, self.network.not_safe(cx.store, edge)] {
            solver.add(cx.store, formula);
        }
        Ok(match solver.check(cx)? {
            Answer::Sat(model) => Some(model.assignment(cx.store)),
            Answer::Unsat(_) => None,
        })
    }
}
