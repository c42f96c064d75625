//! Chains of relations whose states are affine in the indices of the repeats around them.
//!
//! Within a repeat a part of a run is not one part but many, one for each iteration. What is
//! written down are those at the *corners* of the set of all iterations: each index at 0 or at its
//! last value. If the states between are affine functions of the indices, a conjunction of linear
//! literals that holds at all corners holds everywhere, since its solutions are convex. A
//! divisibility holds everywhere if it holds at the origin and does not change with any index, for
//! which one more point with an index of 1 is looked at.
//!
//! So the states of all iterations are the solution of one query, in which the unknowns are the
//! values at the origin and their slopes: the indices of the points are numbers. Which of the cases
//! of a formula is taken everywhere is decided by a solution at the first point alone. Iterations
//! that may go on in more than one way are alike if such a solution exists for the states between
//! them ([`steady`]).
//!
//! Source: [FG24] for words of accelerated steps; chains with slopes are our own.

use shofar_base::Outcome;
use shofar_num::Rational;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::substitute::substitute;
use shofar_term::{Cx, Linear, Sort, Symbol, Term, TermStore};

use super::linearize::{Quotients, is_linear, linearized};
use super::space::Space;

/// The values of a state.
pub(super) type State = Vec<Value>;

/// The state with `times` times the increments added to its numbers.
pub(super) fn moved(state: &State, by: &[Rational], times: &Rational) -> State {
    let value = |(value, by): (&Value, &Rational)| match value {
        Value::Number(value) => Value::Number(value + &(by * times)),
        Value::Bool(_) | Value::Element(..) | Value::Bits(_) | Value::Data(_) | Value::Array(_) => {
            value.clone()
        }
    };
    state.iter().zip(by).map(value).collect()
}

/// The indices at which a part of a run within repeats is looked at: the corners, then points that
/// show slopes.
#[derive(Clone, Debug)]
pub(super) struct Points {
    indices: Vec<Vec<Rational>>,
    /// Which point of the repeats further out each one belongs to.
    pub(super) parents: Vec<usize>,
    pub(super) corners: usize,
}

impl Points {
    /// Outside of repeats there is one.
    pub(super) fn outside() -> Self {
        Self { indices: vec![Vec::new()], parents: vec![0], corners: 1 }
    }
    /// The points within a further repeat, which has so many iterations at each of these. The
    /// corners that belong to corner `c` are `2c`, its first iteration, and `2c + 1`, its last
    /// one.
    pub(super) fn within(&self, counts: &[Rational]) -> Self {
        let mut result =
            Self { indices: Vec::new(), parents: Vec::new(), corners: 2 * self.corners };
        for (corner, count) in counts.iter().enumerate().take(self.corners) {
            result.add(self, corner, Rational::ZERO);
            result.add(self, corner, count - &Rational::ONE);
        }
        for point in self.corners..self.len() {
            result.add(self, point, Rational::ZERO);
        }
        let is_long = |corner: &usize| counts[*corner] > Rational::from(2);
        if let Some(corner) = (0..self.corners).find(is_long) {
            result.add(self, corner, Rational::ONE);
        }
        result
    }
    fn add(&mut self, outer: &Self, parent: usize, index: Rational) {
        let mut indices = outer.indices[parent].clone();
        indices.push(index);
        self.indices.push(indices);
        self.parents.push(parent);
    }
    pub(super) fn len(&self) -> usize {
        self.indices.len()
    }
    /// How many repeats are around them.
    pub(super) fn depth(&self) -> usize {
        self.indices[0].len()
    }
    /// The innermost index of a point.
    pub(super) fn last_index(&self, point: usize) -> &Rational {
        self.indices[point].last().expect("the points are within a repeat")
    }
}

/// How often a link of a chain is gone through.
#[derive(Clone, Debug)]
pub(super) enum Times {
    /// Its formula is about one step.
    Once,
    /// So often at each point, which is the value of this symbol in its formula.
    Given(Symbol, Vec<Rational>),
    /// As often as the query finds out.
    Open(Symbol),
}

/// A relation between consecutive states.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) formula: Term,
    pub(super) times: Times,
}

/// A chain: its states and how often each link is gone through, at each point.
pub(super) struct Chain {
    pub(super) states: Vec<Vec<State>>,
    pub(super) counts: Vec<Vec<Rational>>,
}

/// States from `from` to `to`, which are given for each point, along `links`, affine in the
/// indices; none if there are none, or if that cannot be told.
pub(super) fn chain(
    cx: &mut Cx<'_>,
    space: &Space,
    points: &Points,
    links: &[Link],
    from: &[State],
    to: &[State],
) -> Outcome<Option<Chain>> {
    let first = Query { space, points, links, from, to, unknowns: Vec::new(), counts: Vec::new() };
    let first = first.with_unknowns(cx.store);
    let Some(model) = first.solve(cx, links, &[0])? else { return Ok(None) };
    if points.len() == 1 {
        return Ok(Some(first.read(cx.store, &model)));
    }
    let all: Vec<usize> = (0..points.len()).collect();
    let mut tried = None;
    for quotients in [Quotients::Same, Quotients::Any] {
        let Some(cubes) = first.cubes(cx, &model, quotients) else { continue };
        let formulas: Vec<Term> = cubes.iter().map(|link| link.formula).collect();
        if tried.as_ref() == Some(&formulas) {
            break;
        }
        if let Some(model) = first.solve(cx, &cubes, &all)? {
            return Ok(Some(first.read(cx.store, &model)));
        }
        tried = Some(formulas);
    }
    Ok(None)
}

/// States between iterations that progress by the same amounts.
pub(super) struct Steady {
    /// What an iteration adds.
    pub(super) by: Vec<Rational>,
    /// The first of them at each point.
    pub(super) start: Vec<State>,
    /// Behind the last iteration.
    pub(super) end: Vec<State>,
}

/// Whether a part has an iteration before or behind those that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Apart {
    pub(super) head: bool,
    pub(super) tail: bool,
}

/// Iterations of `once`, so many at each point, that are alike although more than one state may
/// follow another, between `from` and `to`.
pub(super) fn steady(
    cx: &mut Cx<'_>,
    space: &Space,
    points: &Points,
    (once, counts, apart): (Term, &[Rational], Apart),
    from: &[State],
    to: &[State],
) -> Outcome<Option<Steady>> {
    if !cx.store.conjuncts(&[once]).iter().all(|&literal| is_linear(cx.store, literal)) {
        return Ok(None);
    }
    let (inner, symbols) = (points.within(counts), &space.ts.state);
    let mut unknowns = Vec::new();
    for &symbol in symbols {
        let sort = cx.store.result(symbol);
        unknowns.push(Affine::unknown(cx.store, sort, inner.depth()));
    }
    let at = |store: &mut TermStore, outer: &[Rational], index: &Rational| -> Vec<Term> {
        let mut indices = outer.to_vec();
        indices.push(index.clone());
        unknowns.iter().map(|unknown| unknown.at(store, &indices)).collect()
    };
    let mut solver = Solver::new(Options::default());
    for (point, &parent) in inner.parents.iter().enumerate() {
        let (outer, index) = (&points.indices[parent], inner.last_index(point));
        let before = at(cx.store, outer, index);
        let after = at(cx.store, outer, &(index + &Rational::ONE));
        let step = space.between(cx.store, once, &before, &after);
        solver.add(cx.store, step);
    }
    for (point, outer) in points.indices.iter().enumerate() {
        let [from, to] = [&from[point], &to[point]].map(|state| constants(cx.store, space, state));
        let first = at(cx.store, outer, &Rational::ZERO);
        let last = at(cx.store, outer, &counts[point]);
        for (is_apart, before, after) in [(apart.head, &from, &first), (apart.tail, &last, &to)] {
            let link = if is_apart {
                space.between(cx.store, once, before, after)
            } else {
                let equal: Vec<Term> =
                    before.iter().zip(after).map(|(&a, &b)| cx.store.eq(a, b)).collect();
                cx.store.and(&equal)
            };
            solver.add(cx.store, link);
        }
    }
    let model = match solver.check(cx)? {
        Answer::Unsat(_) => return Ok(None),
        Answer::Sat(model) => model.assignment(cx.store),
    };
    let mut states = |index: &dyn Fn(usize) -> Rational| -> Vec<State> {
        let state = |point: usize| {
            let terms = at(cx.store, &points.indices[point], &index(point));
            terms.into_iter().map(|term| value(cx.store, &model, term)).collect()
        };
        (0..points.len()).map(state).collect()
    };
    let start = states(&|_| Rational::ZERO);
    let end = states(&|point| counts[point].clone());
    let slope = |unknown: &Affine| match unknown.slopes.last() {
        Some(&slope) => value(cx.store, &model, slope).as_number().cloned(),
        None => None,
    };
    let by = unknowns.iter().map(|it| slope(it).unwrap_or(Rational::ZERO)).collect();
    Ok(Some(Steady { by, start, end }))
}

fn constants(store: &mut TermStore, space: &Space, state: &State) -> Vec<Term> {
    let state = state.iter().zip(&space.ts.state);
    state.map(|(value, &symbol)| store.value_term(value, store.result(symbol))).collect()
}

/// A value that is affine in the indices.
struct Affine {
    base: Term,
    /// None for truth values, which are the same everywhere.
    slopes: Vec<Term>,
}

impl Affine {
    fn unknown(store: &mut TermStore, sort: Sort, depth: usize) -> Self {
        let mut fresh = |name: &str| {
            let symbol = store.fresh(name, sort);
            store.constant(symbol)
        };
        let base = fresh("base");
        let depth = if sort.is_arithmetic() { depth } else { 0 };
        let slopes = (0..depth).map(|_| fresh("slope")).collect();
        Self { base, slopes }
    }
    fn at(&self, store: &mut TermStore, indices: &[Rational]) -> Term {
        if self.slopes.is_empty() {
            return self.base;
        }
        let mut sum = Linear::new();
        sum.add_term(&Rational::ONE, self.base);
        for (slope, index) in self.slopes.iter().zip(indices) {
            sum.add_term(index, *slope);
        }
        store.sum(&sum, store.sort(self.base))
    }
}

struct Query<'q> {
    space: &'q Space,
    points: &'q Points,
    links: &'q [Link],
    from: &'q [State],
    to: &'q [State],
    /// The states between the links.
    unknowns: Vec<Vec<Affine>>,
    /// How often links are gone through if that is open.
    counts: Vec<Option<Affine>>,
}

impl Query<'_> {
    fn with_unknowns(mut self, store: &mut TermStore) -> Self {
        let depth = self.points.depth();
        for _ in 1..self.links.len() {
            let unknown = |&symbol: &Symbol| {
                let sort = store.result(symbol);
                Affine::unknown(store, sort, depth)
            };
            self.unknowns.push(self.space.ts.state.iter().map(unknown).collect());
        }
        for link in self.links {
            self.counts.push(match link.times {
                Times::Once | Times::Given(..) => None,
                Times::Open(_) => Some(Affine::unknown(store, Sort::INT, depth)),
            });
        }
        self
    }
    /// The state before link number `time` at a point.
    fn state(&self, store: &mut TermStore, time: usize, point: usize) -> Vec<Term> {
        let known = match time {
            0 => self.from,
            time if time == self.links.len() => self.to,
            time => {
                let indices = &self.points.indices[point];
                return self.unknowns[time - 1].iter().map(|it| it.at(store, indices)).collect();
            }
        };
        constants(store, self.space, &known[point])
    }
    fn count(&self, store: &mut TermStore, time: usize, point: usize) -> Option<(Symbol, Term)> {
        match &self.links[time].times {
            Times::Once => None,
            Times::Given(symbol, counts) => {
                Some((*symbol, store.number(counts[point].clone(), Sort::INT)))
            }
            Times::Open(symbol) => {
                let count = self.counts[time].as_ref().expect("open counts are unknown");
                Some((*symbol, count.at(store, &self.points.indices[point])))
            }
        }
    }
    /// What each variable of link number `time` is at a point.
    fn variables(&self, store: &mut TermStore, time: usize, point: usize) -> Vec<(Symbol, Term)> {
        let mut result = Vec::new();
        for (time, symbols) in [(time, &self.space.ts.state), (time + 1, &self.space.ts.next)] {
            let state = self.state(store, time, point);
            result.extend(symbols.iter().copied().zip(state));
        }
        result.extend(self.count(store, time, point));
        result
    }
    /// A model of these links at these points.
    fn solve(&self, cx: &mut Cx<'_>, links: &[Link], at: &[usize]) -> Outcome<Option<Model>> {
        let mut solver = Solver::new(Options::default());
        for (time, link) in links.iter().enumerate() {
            for &point in at {
                let variables = self.variables(cx.store, time, point);
                let variables =
                    variables.into_iter().map(|(symbol, term)| (cx.store.constant(symbol), term));
                let map = variables.collect();
                let formula = substitute(cx.store, &map, &[link.formula])[0];
                solver.add(cx.store, formula);
            }
        }
        Ok(match solver.check(cx)? {
            Answer::Unsat(_) => None,
            Answer::Sat(model) => Some(model.assignment(cx.store)),
        })
    }
    /// The case of each link that is taken in a model of the first point, if it is linear.
    fn cubes(&self, cx: &mut Cx<'_>, model: &Model, quotients: Quotients) -> Option<Vec<Link>> {
        let mut cubes = Vec::new();
        for (time, link) in self.links.iter().enumerate() {
            let values = self.values(cx.store, model, time);
            let cube = shofar_mbp::project(cx.store, link.formula, &[], &values);
            let literals = linearized(cx.store, cube, &values, quotients);
            if !literals.iter().all(|&literal| is_linear(cx.store, literal)) {
                return None;
            }
            let formula = cx.store.and(&literals);
            cubes.push(Link { formula, times: link.times.clone() });
        }
        Some(cubes)
    }
    /// The variables of link number `time` at the first point.
    fn values(&self, store: &mut TermStore, model: &Model, time: usize) -> Model {
        let mut values = Model::new();
        for (symbol, term) in self.variables(store, time, 0) {
            values.set(symbol, value(store, model, term));
        }
        values
    }
    fn read(&self, store: &mut TermStore, model: &Model) -> Chain {
        let mut chain = Chain { states: Vec::new(), counts: Vec::new() };
        for time in 0..=self.links.len() {
            let mut states = Vec::new();
            for point in 0..self.points.len() {
                let state = self.state(store, time, point);
                states.push(state.into_iter().map(|term| value(store, model, term)).collect());
            }
            chain.states.push(states);
        }
        for time in 0..self.links.len() {
            let mut counts = Vec::new();
            for point in 0..self.points.len() {
                let count =
                    self.count(store, time, point).map(|(_, term)| value(store, model, term));
                let count = count.as_ref().and_then(Value::as_number).cloned();
                counts.push(count.unwrap_or(Rational::ONE));
            }
            chain.counts.push(counts);
        }
        chain
    }
}

fn value(store: &TermStore, model: &Model, term: Term) -> Value {
    let value = Evaluator::with_defaults(model).evaluate(store, term);
    value.expect("sums of constants have values")
}
