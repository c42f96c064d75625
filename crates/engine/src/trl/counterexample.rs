//! From a path of relations to a run.
//!
//! A step by a relation of the system is a step of the run. A step by an exact relation is a number of iterations of its word; a translation
//! visits known states between the iterations, and the states within an iteration are asked for. A relation that over-approximates
//! may have led to states that no run reaches: its word is unrolled as often as the path says, if that is short, and the whole
//! path is asked for again. If there is no run, the relation is to blame.

use shofar_base::{GaveUp, Outcome};
use shofar_chc::{Moment, Run};
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Model, Value};
use shofar_term::{Cx, Term};

use super::relation::{Kind, RelId};
use super::search::{Search, Trace};

/// Longer runs are not written down.
const LONGEST: usize = 200_000;
/// Paths with over-approximating relations are unrolled up to this length.
const UNROLLED: usize = 200;

/// What a path of relations to a bad state is worth.
pub(super) enum Concrete {
    Run(Run),
    /// There need not be such a run, because of this relation.
    Spurious(RelId),
}

type State = Vec<Value>;

/// The run that `trace` stands for.
pub(super) fn concretize(
    cx: &mut Cx<'_>,
    search: &mut Search,
    trace: &Trace,
) -> Outcome<Concrete> {
    let relations: Vec<RelId> = trace.letters.iter().map(|letter| letter.relation).collect();
    let over = relations.iter().find(|&&id| search.relations[id].kind == Kind::Over);
    let Some(&over) = over else {
        return expanded(cx, search, &relations, &trace.model).map(Concrete::Run);
    };
    let Some(unrolled) = unrolled(cx, search, trace) else { return Ok(Concrete::Spurious(over)) };
    let mut solver = Solver::new(Options::default());
    let (init, bad) = (search.space.ts.init, search.space.ts.bad);
    let end = unrolled.len();
    for (formula, time) in [(init, 0), (bad, end)] {
        let formula = search.space.timed(cx.store, formula, time, time + 1);
        solver.add(cx.store, formula);
    }
    for (time, &id) in unrolled.iter().enumerate() {
        let formula = search.relations[id].formula;
        let formula = search.space.timed(cx.store, formula, time, time + 1);
        solver.add(cx.store, formula);
    }
    let model = match solver.check(cx)? {
        Answer::Unsat(_) => return Ok(Concrete::Spurious(over)),
        Answer::Sat(model) => model.assignment(cx.store),
    };
    expanded(cx, search, &unrolled, &model).map(Concrete::Run)
}

/// The relations of `trace`, with words instead of those that over-approximate; none if there are too many.
fn unrolled(cx: &mut Cx<'_>, search: &mut Search, trace: &Trace) -> Option<Vec<RelId>> {
    let mut result = Vec::new();
    for (time, letter) in trace.letters.iter().enumerate() {
        let count = count_at(cx, search, &trace.model, time).to_i64()?;
        let mut open = vec![(letter.relation, count)];
        while let Some((id, times)) = open.pop() {
            let relation = &search.relations[id];
            if relation.kind != Kind::Over {
                result.push(id);
            } else {
                for _ in 0..times {
                    open.extend(relation.word.iter().rev().map(|letter| (letter.relation, 1)));
                    if open.len() > UNROLLED {
                        return None;
                    }
                }
            }
            if result.len() > UNROLLED {
                return None;
            }
        }
    }
    Some(result)
}

/// The value of the count at a time; 1 if it has none.
fn count_at(cx: &mut Cx<'_>, search: &mut Search, model: &Model, time: usize) -> Rational {
    let (from, to) = (Moment::At(time), Moment::At(time + 1));
    let copies = search.space.moments.locals(cx.store, &[search.space.count], from, to);
    match model.get(copies[0]) {
        Some(Value::Number(count)) => count.clone(),
        Some(_) | None => Rational::ONE,
    }
}

fn state_at(cx: &mut Cx<'_>, search: &mut Search, model: &Model, time: usize) -> State {
    let symbols = search.space.moments.state(cx.store, Moment::At(time));
    symbols.iter().map(|&symbol| model.get_or_default(cx.store, symbol)).collect()
}

/// A part of a path: so many iterations of an exact relation between two states, or one step of the system.
struct Part {
    relation: RelId,
    count: Rational,
    from: State,
    to: State,
}

/// The run of a path in `model` that uses these relations, none of which over-approximates.
fn expanded(
    cx: &mut Cx<'_>,
    search: &mut Search,
    relations: &[RelId],
    model: &Model,
) -> Outcome<Run> {
    let mut states = vec![state_at(cx, search, model, 0)];
    let mut open = Vec::new();
    for (time, &relation) in relations.iter().enumerate().rev() {
        let [from, to] = [time, time + 1].map(|time| state_at(cx, search, model, time));
        open.push(Part { relation, count: count_at(cx, search, model, time), from, to });
    }
    while let Some(part) = open.pop() {
        cx.budget.check()?;
        let relation = &search.relations[part.relation];
        if relation.kind == Kind::Original {
            states.push(part.to);
        } else if relation.locals.is_empty() || part.count.is_one() {
            within(cx, search, &part, &mut open)?;
        } else {
            between(&part, &mut open)?;
        }
        if states.len() + open.len() > LONGEST {
            return Err(GaveUp::incomplete("the counterexample is too long to be written down"));
        }
    }
    Ok(Run { states })
}

/// The iterations of a translation.
fn between(part: &Part, open: &mut Vec<Part>) -> Outcome<()> {
    let count = part.count.to_i64().and_then(|count| usize::try_from(count).ok());
    let Some(count) = count.filter(|&count| count <= LONGEST) else {
        return Err(GaveUp::incomplete("the counterexample is too long to be written down"));
    };
    let share = part.count.recip();
    let mut to = part.to.clone();
    for _ in 1..count {
        let before = |(last, (from, end)): (&Value, (&Value, &Value))| match (last, from, end) {
            (Value::Number(last), Value::Number(from), Value::Number(end)) => {
                Value::Number(last - &((end - from) * &share))
            }
            _ => last.clone(),
        };
        let ends = part.from.iter().zip(&part.to);
        let from: State = to.iter().zip(ends).map(before).collect();
        let (relation, count) = (part.relation, Rational::ONE);
        open.push(Part { relation, count, from: from.clone(), to });
        to = from;
    }
    open.push(Part { from: part.from.clone(), to, relation: part.relation, count: Rational::ONE });
    Ok(())
}

/// The steps of one iteration.
fn within(
    cx: &mut Cx<'_>,
    search: &mut Search,
    part: &Part,
    open: &mut Vec<Part>,
) -> Outcome<()> {
    let word: Vec<RelId> =
        search.relations[part.relation].word.iter().map(|letter| letter.relation).collect();
    let is_step = |id: RelId| search.relations[id].kind == Kind::Original;
    if let [only] = word[..]
        && is_step(only)
    {
        let (from, to, count) = (part.from.clone(), part.to.clone(), Rational::ONE);
        open.push(Part { relation: only, count, from, to });
        return Ok(());
    }
    let mut solver = Solver::new(Options::default());
    for (time, &id) in word.iter().enumerate() {
        let formula = search.relations[id].formula;
        let formula = search.space.timed(cx.store, formula, time, time + 1);
        solver.add(cx.store, formula);
    }
    for (time, state) in [(0, &part.from), (word.len(), &part.to)] {
        let formula = is_state(cx, search, state, time);
        solver.add(cx.store, formula);
    }
    let model = match solver.check(cx)? {
        Answer::Unsat(_) => return Err(GaveUp::wrong("an iteration that is none")),
        Answer::Sat(model) => model.assignment(cx.store),
    };
    for (time, &relation) in word.iter().enumerate().rev() {
        let [from, to] = [time, time + 1].map(|time| state_at(cx, search, &model, time));
        open.push(Part { relation, count: count_at(cx, search, &model, time), from, to });
    }
    Ok(())
}

/// That the state at `time` is this one.
fn is_state(cx: &mut Cx<'_>, search: &mut Search, state: &State, time: usize) -> Term {
    let symbols = search.space.moments.state(cx.store, Moment::At(time)).to_vec();
    let mut equations = Vec::new();
    for (symbol, value) in symbols.into_iter().zip(state) {
        let value = cx.store.value_term(value, cx.store.result(symbol));
        let variable = cx.store.constant(symbol);
        equations.push(cx.store.eq(variable, value));
    }
    cx.store.and(&equations)
}
