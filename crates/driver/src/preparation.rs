//! What an engine wants done to its clauses before it gets them.
//!
//! Engines know no passes; they say what they want ([`Preparation`]), and what they find is
//! translated back before anybody else sees it.
//!
//! Invariant: predicates keep their names and their meaning, so what an engine proves of them holds
//! of the clauses as they were.

use shofar_base::{Outcome, Set, Statistics};
use shofar_chc::{
    BackTranslation, ChcSystem, Engine, NormalSystem, Preparation, Unchanged, Verdict,
};
use shofar_term::{Cx, Term};
use shofar_transform::{Accelerate, Loops, Pipeline};

/// What is counted besides what the engine counts.
const SHORTCUTS: &str = "shortcuts";

/// The verdict of `engine` about `system`, after the preparation it wants.
pub(crate) fn solve_prepared(
    cx: &mut Cx<'_>,
    engine: &mut dyn Engine<NormalSystem>,
    system: &NormalSystem,
    statistics: &mut Statistics,
) -> Outcome<Verdict<NormalSystem>> {
    let pipeline = match engine.preparation() {
        Preparation::Nothing => {
            let outcome = engine.solve(cx, system);
            *statistics = engine.statistics();
            return outcome;
        }
        Preparation::Shortcuts => {
            Pipeline::new(vec![Box::new(Accelerate { loops: Loops::Replaced })])
        }
    };
    let (prepared, back) = pipeline.run_to_normal(cx, (**system).clone(), &mut |_| ())?;
    let known: Set<Term> = system.clauses().map(|(_, clause)| clause.constraint).collect();
    let added =
        prepared.clauses().filter(|(_, clause)| !known.contains(&clause.constraint)).count();
    let outcome = engine.solve(cx, &prepared);
    *statistics = engine.statistics();
    statistics.push(SHORTCUTS, added as u64);
    let back = BackTranslation::<NormalSystem, ChcSystem>::then(Unchanged, back);
    outcome?.translate_back(cx, &back)
}
