//! From a path of relations to a run.
//!
//! A step by a relation of the system is a step of the run. A step by a relation with a closed form
//! is a number of iterations of its word; what states are visited between iterations follows from
//! the closed form, and the states within an iteration are asked for. Many iterations become a
//! repeat of the run where they are alike ([`super::repeats`]), otherwise they are written down. A
//! relation that over-approximates may have led to states that no run reaches: the path is asked
//! for again, with closed forms in the place of such relations, or with their words, unrolled as
//! often as the path says if that is short. If there is no run, the relation is to blame.

use shofar_base::{GaveUp, Outcome};
use shofar_chc::{Moment, Run};
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Model, Value};
use shofar_term::substitute::substitute;
use shofar_term::{Cx, Sort, Symbol, Term};

use super::affine::{State, moved};
use super::relation::{Kind, RelId};
use super::repeats;
use super::search::{Search, Trace};

/// Longer runs are not written down.
const LONGEST: usize = 200_000;
/// Of more iterations than this, those that are no single steps are not written down.
const MOST_ITERATIONS: i64 = 200_000;
/// More iterations of a single step than this become a repeat.
const FOLDED: i64 = 1_000;
/// More iterations of a longer word than this become a repeat: each one is a query otherwise.
const FOLDED_WORDS: i64 = 8;
const TOO_LONG: &str = "the counterexample is too long to be written down";
/// Paths with over-approximating relations are unrolled up to this length.
const UNROLLED: usize = 200;

/// What a path of relations to a bad state is worth.
pub(super) enum Concrete {
    Run(Run),
    /// There need not be such a run, because of this relation.
    Spurious(RelId),
}

/// The run that `trace` stands for.
pub(super) fn concretize(cx: &mut Cx<'_>, search: &mut Search, trace: &Trace) -> Outcome<Concrete> {
    let relations: Vec<RelId> = trace.letters.iter().map(|letter| letter.relation).collect();
    let over = relations.iter().rev().find(|&&id| search.relations[id].kind == Kind::Over);
    let Some(&over) = over else {
        return expanded(cx, search, &relations, &trace.model).map(Concrete::Run);
    };
    let Some(real) = unrolled(cx, search, trace) else { return Ok(Concrete::Spurious(over)) };
    let mut solver = Solver::new(Options::default());
    for (formula, time) in [(search.space.ts.init, 0), (search.space.ts.bad, real.len())] {
        let formula = search.space.timed(cx.store, formula, time, time + 1);
        solver.add(cx.store, formula);
    }
    for (time, &id) in real.iter().enumerate() {
        let formula = search.real(id);
        let formula = search.space.timed(cx.store, formula, time, time + 1);
        solver.add(cx.store, formula);
    }
    let model = match solver.check(cx)? {
        Answer::Unsat(_) => return Ok(Concrete::Spurious(over)),
        Answer::Sat(model) => model.assignment(cx.store),
    };
    expanded(cx, search, &real, &model).map(Concrete::Run)
}

impl Search {
    /// What the steps and repetitions of a relation are, which is exact or has a closed form.
    fn real(&self, id: RelId) -> Term {
        let relation = &self.relations[id];
        relation.closed.as_ref().map_or(relation.formula, |closed| closed.formula)
    }
}

/// The relations of `trace`, with words instead of those that over-approximate and have no closed
/// form; none if there are too many.
fn unrolled(cx: &mut Cx<'_>, search: &mut Search, trace: &Trace) -> Option<Vec<RelId>> {
    let mut result = Vec::new();
    for (time, letter) in trace.letters.iter().enumerate() {
        let count = search.space.count;
        let count = count_at(cx, search, &trace.model, time, count);
        let mut open = vec![(letter.relation, count.ceil().to_i64()?)];
        while let Some((id, times)) = open.pop() {
            let relation = &search.relations[id];
            if relation.kind != Kind::Over || relation.closed.is_some() {
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

/// The value of a count at a time; 1 if it has none.
fn count_at(
    cx: &mut Cx<'_>,
    search: &mut Search,
    model: &Model,
    time: usize,
    count: Symbol,
) -> Rational {
    let (from, to) = (Moment::At(time), Moment::At(time + 1));
    let copies = search.space.moments.locals(cx.store, &[count], from, to);
    match model.get(copies[0]) {
        Some(Value::Number(count)) => count.clone(),
        Some(_) | None => Rational::ONE,
    }
}

fn state_at(cx: &mut Cx<'_>, search: &mut Search, model: &Model, time: usize) -> State {
    let symbols = search.space.moments.state(cx.store, Moment::At(time));
    symbols.iter().map(|&symbol| model.get_or_default(cx.store, symbol)).collect()
}

/// A part of a path: so many iterations of a relation between two states, or one step of the
/// system.
#[derive(Clone)]
struct Part {
    relation: RelId,
    count: Rational,
    from: State,
    to: State,
}

/// The part of a path in `model` at `time`, which uses this relation.
fn part_at(
    cx: &mut Cx<'_>,
    search: &mut Search,
    model: &Model,
    time: usize,
    relation: RelId,
) -> Part {
    let [from, to] = [time, time + 1].map(|time| state_at(cx, search, model, time));
    let count = search.relations[relation].closed.as_ref().map(|closed| closed.count);
    let count = count.map_or(Rational::ONE, |count| count_at(cx, search, model, time, count));
    Part { relation, count, from, to }
}

/// The run of a path in `model` that uses these relations, which are exact or have closed forms.
fn expanded(
    cx: &mut Cx<'_>,
    search: &mut Search,
    relations: &[RelId],
    model: &Model,
) -> Outcome<Run> {
    let mut run = Run::ground(vec![state_at(cx, search, model, 0)]);
    let mut open = Vec::new();
    for (time, &relation) in relations.iter().enumerate().rev() {
        open.push(part_at(cx, search, model, time, relation));
    }
    while let Some(part) = open.pop() {
        cx.budget.check()?;
        if search.relations[part.relation].kind == Kind::Original {
            run.states.push(part.to);
        } else if part.count.is_one() {
            within(cx, search, &part, &mut open)?;
        } else if let Some(piece) = folded(cx, search, &part)? {
            run.append(piece);
        } else if let Some(iterations) = Iterations::of(search, &part) {
            iterations.write(part, &mut open)?;
        } else {
            halves(cx, search, part, &mut open)?;
        }
        if run.states.len() + open.len() > LONGEST {
            return Err(GaveUp::incomplete(TOO_LONG));
        }
    }
    Ok(run)
}

/// A part of many iterations with repeats, if they are alike.
fn folded(cx: &mut Cx<'_>, search: &mut Search, part: &Part) -> Outcome<Option<Run>> {
    let word = &search.relations[part.relation].word;
    let is_step = |id: RelId| search.relations[id].kind == Kind::Original;
    let most = match word[..] {
        [only] if is_step(only.relation) => FOLDED,
        _ => FOLDED_WORDS,
    };
    if part.count <= Rational::from(most) {
        return Ok(None);
    }
    let Part { relation, count, from, to } = part.clone();
    let part = repeats::Part { relation, counts: vec![count], from: vec![from], to: vec![to] };
    match repeats::folded(cx, search, part) {
        Ok(run) => Ok(Some(run)),
        Err(GaveUp::Incomplete(_)) => Ok(None),
        Err(why) => Err(why),
    }
}

/// Iterations each of which adds the same.
struct Iterations {
    /// The first state, with the truth values that there are between iterations.
    base: State,
    by: Vec<Rational>,
}

impl Iterations {
    /// The iterations of a part, if each adds the same.
    fn of(search: &Search, part: &Part) -> Option<Self> {
        let closed = search.relations[part.relation].closed.as_ref()?;
        let progress = closed.progress.as_ref()?;
        if (progress.prefix, progress.period) != (0, 1) {
            return None;
        }
        let mut by = vec![Rational::ZERO; part.from.len()];
        for (&place, increment) in closed.places.iter().zip(&progress.increments) {
            by[place] = increment.clone();
        }
        let mut base = part.from.clone();
        for &place in &closed.set {
            base[place] = part.to[place].clone();
        }
        Some(Self { base, by })
    }
    /// The state after so many of them.
    fn after(&self, count: &Rational) -> State {
        moved(&self.base, &self.by, count)
    }
    /// Writes them down one by one. What the relation is not about changes in the last one.
    fn write(&self, part: Part, open: &mut Vec<Part>) -> Outcome<()> {
        let Part { relation, count, from, to } = part;
        let count = count.to_i64().filter(|&count| count <= MOST_ITERATIONS);
        let Some(count) = count else { return Err(GaveUp::incomplete(TOO_LONG)) };
        let mut after = to;
        for done in (0..count).rev() {
            let before = if done == 0 { from.clone() } else { self.after(&done.into()) };
            let count = Rational::ONE;
            open.push(Part { relation, count, from: before.clone(), to: after });
            after = before;
        }
        Ok(())
    }
}

/// Half of the iterations, and the others.
fn halves(cx: &mut Cx<'_>, search: &mut Search, part: Part, open: &mut Vec<Part>) -> Outcome<()> {
    let closed = search.relations[part.relation].closed.clone();
    let closed = closed.expect("what is repeated has a closed form");
    let first = (&part.count * &Rational::new(1, 2)).floor();
    let counts = [first.clone(), &part.count - &first];
    let mut solver = Solver::new(Options::default());
    for (time, count) in counts.iter().enumerate() {
        let number = cx.store.number(count.clone(), Sort::INT);
        let symbol = cx.store.constant(closed.count);
        let map = [(symbol, number)].into_iter().collect();
        let formula = substitute(cx.store, &map, &[closed.formula])[0];
        let formula = search.space.timed(cx.store, formula, time, time + 1);
        solver.add(cx.store, formula);
    }
    for (time, state) in [(0, &part.from), (2, &part.to)] {
        let formula = is_state(cx, search, state, time);
        solver.add(cx.store, formula);
    }
    let model = match solver.check(cx)? {
        Answer::Unsat(_) => return Err(GaveUp::wrong("iterations that are none")),
        Answer::Sat(model) => model.assignment(cx.store),
    };
    let (middle, relation) = (state_at(cx, search, &model, 1), part.relation);
    let [first, second] = counts;
    open.push(Part { relation, count: second, from: middle.clone(), to: part.to });
    open.push(Part { relation, count: first, from: part.from, to: middle });
    Ok(())
}

/// The steps of one iteration.
fn within(cx: &mut Cx<'_>, search: &mut Search, part: &Part, open: &mut Vec<Part>) -> Outcome<()> {
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
        let formula = search.real(id);
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
        open.push(part_at(cx, search, &model, time, relation));
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
