//! What transition power abstraction tells other engines.
//!
//! Sent: if there is one initial state, what the newest relations say about the states that they
//! connect it with: that holds within as many steps as the relation stands for. Taken: nothing
//! while it works, since all relations would have to be asked about anew; what is known when it
//! starts is in its steps.

use shofar_base::{Map, Outcome};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::substitute::substitute;
use shofar_term::{Bound, Cx, Level, Says, Term};

use super::asked;
use super::reach::Powers;
use super::sequence::{Power, Relation};
use crate::ts::sharing::tell;

/// The name under which messages are published.
const SENDER: &str = "tpa";

impl Powers {
    /// Tells others what the relations that element `n` made say about the states after the initial
    /// one.
    pub(super) fn tell(&self, cx: &mut Cx<'_>, n: Power) -> Outcome<()> {
        let (Some(_), Some(steps)) = (cx.exchange, n.next().steps()) else { return Ok(()) };
        let Some(start) = self.only_initial_state(cx)? else { return Ok(()) };
        for &relation in asked(self.options.variant) {
            let steps = match relation {
                Relation::AtMost => steps,
                Relation::Below => steps - 1,
                // These do not contain the states on the way.
                Relation::Exactly => continue,
            };
            let Ok(level) = u32::try_from(steps).map(Level::new) else { continue };
            let conjuncts = self.sequences.conjuncts(relation, n.next()).to_vec();
            for conjunct in substitute(cx.store, &start, &conjuncts) {
                let formula = self.names.ts.unprimed(cx.store, conjunct);
                tell(cx, SENDER, &self.names.ts, formula, Says::holds(Bound::Within(level)));
            }
        }
        Ok(())
    }
    /// The values of the state variables at the beginning, if there is only one way to begin.
    fn only_initial_state(&self, cx: &mut Cx<'_>) -> Outcome<Option<Map<Term, Term>>> {
        let mut solver = Solver::new(Options::default());
        solver.add(cx.store, self.names.init);
        let model = match solver.check(cx)? {
            Answer::Unsat(_) => return Ok(None),
            Answer::Sat(model) => model.assignment(cx.store),
        };
        let (mut values, mut equations) = (Map::default(), Vec::new());
        for &symbol in &self.names.ts.state {
            let value = model.get_or_default(cx.store, symbol);
            let value = cx.store.value_term(&value, cx.store.result(symbol));
            let variable = cx.store.constant(symbol);
            equations.push(cx.store.eq(variable, value));
            values.insert(variable, value);
        }
        let point = cx.store.and(&equations);
        let elsewhere = cx.store.not(point);
        Ok(match solver.check_assuming(cx, &[elsewhere])? {
            Answer::Sat(_) => None,
            Answer::Unsat(_) => Some(values),
        })
    }
}
