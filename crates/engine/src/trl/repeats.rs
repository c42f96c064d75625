//! Many iterations of a relation as (nested) repeats of a run.
//!
//! The states between the iterations of a relation in closed form are, after a prefix, arithmetic
//! progressions: every period adds the same increments. So the iterations of all periods but some
//! at the beginning and at the end become one repeat, whose first and last iteration are written
//! down. What happens within an iteration is a chain of the letters of the relation's word, with
//! states that are affine in the number of the iteration ([`super::affine`]). A letter that is a
//! relation in closed form itself becomes a repeat within the repeat; its count is affine in the
//! number of the outer iteration, too.
//!
//! Invariant: the pieces of a part at different corners have the same shape, and what lies between
//! the corners is a run: all that is asked for is linear in the indices.

use shofar_base::{GaveUp, Outcome};
use shofar_chc::Run;
use shofar_num::Rational;
use shofar_term::{Cx, Linear, Term};

use super::affine::{Apart, Chain, Link, Points, State, Steady, Times, chain, moved, steady};
use super::relation::{Closed, Kind, RelId};
use super::search::Search;
use super::space::Space;

/// So many iterations are written down one by one.
const SHORT: i64 = 8;
/// More repeats are not nested, and have more corners.
const DEEPEST: usize = 4;
/// Words within words are not looked at further.
const MOST_LEVELS: usize = 40;
/// Longer chains are not asked for.
const LONGEST_CHAIN: usize = 200;

/// A number of iterations of a relation, or a step of the system, at each point of the repeats
/// around it.
pub(super) struct Part {
    pub(super) relation: RelId,
    pub(super) counts: Vec<Rational>,
    pub(super) from: Vec<State>,
    pub(super) to: Vec<State>,
}

/// The part as a run that begins behind its first state; given up as incomplete if its iterations
/// are not alike.
pub(super) fn folded(cx: &mut Cx<'_>, search: &mut Search, part: Part) -> Outcome<Run> {
    let mut pieces = Folding { search, level: 0 }.pieces(cx, &Points::outside(), part)?;
    Ok(pieces.swap_remove(0))
}

fn unlike() -> GaveUp {
    GaveUp::incomplete("the iterations of a loop of a counterexample are not alike")
}

struct Folding<'s> {
    search: &'s Search,
    /// How many words are around what is being written.
    level: usize,
}

impl Folding<'_> {
    /// The part at each corner. Calls are nested as deep as words, up to a limit.
    fn pieces(&mut self, cx: &mut Cx<'_>, points: &Points, part: Part) -> Outcome<Vec<Run>> {
        cx.budget.check()?;
        if self.search.relations[part.relation].kind == Kind::Original {
            let ends = part.to.into_iter().take(points.corners);
            return Ok(ends.map(|state| Run::ground(vec![state])).collect());
        }
        if self.level > MOST_LEVELS {
            return Err(unlike());
        }
        self.level += 1;
        let first = &part.counts[0];
        let pieces = match first.to_i64().filter(|&count| count <= SHORT) {
            Some(_) if part.counts.iter().any(|count| count != first) => {
                self.repeated(cx, points, &part)
            }
            Some(1) => self.word(cx, points, &part, 1),
            Some(count) => self.unrolled(cx, points, &part, count),
            None => self.repeated(cx, points, &part),
        };
        self.level -= 1;
        pieces
    }
    /// The part as a number of periods of its progression, the first and the last of which are
    /// written down.
    fn repeated(&mut self, cx: &mut Cx<'_>, points: &Points, part: &Part) -> Outcome<Vec<Run>> {
        let split = match self.split(cx, points, part)? {
            Some(split) => split,
            None => self.steady(cx, points, part)?.ok_or_else(unlike)?,
        };
        let inner = points.within(&split.periods);
        if inner.depth() > DEEPEST {
            return Err(unlike());
        }
        let state = |later: &Rational| -> Vec<State> {
            let at = |point: usize| {
                let times = inner.last_index(point) + later;
                moved(&split.start[inner.parents[point]], &split.by, &times)
            };
            (0..inner.len()).map(at).collect()
        };
        let counts = vec![Rational::ONE; inner.len()];
        let (from, to) = (state(&Rational::ZERO), state(&Rational::ONE));
        let period = Part { relation: part.relation, counts, from, to };
        let iterations = self.word(cx, &inner, &period, split.period)?;
        let mut pieces = self.ends(cx, points, split.head)?;
        for (corner, piece) in pieces.iter_mut().enumerate() {
            let [first, last] = [&iterations[2 * corner], &iterations[2 * corner + 1]];
            let length = first.states.len();
            let mut repeats = first.repeats.clone();
            repeats.extend(last.repeats.iter().map(|repeat| repeat.moved(0, length)));
            let (first, last) = (first.states.clone(), last.states.clone());
            piece.repeat(first, last, split.periods[corner].clone(), &repeats);
        }
        let tail = self.ends(cx, points, split.tail)?;
        append(&mut pieces, tail);
        Ok(pieces)
    }
    /// What comes before or behind the periods.
    fn ends(&mut self, cx: &mut Cx<'_>, points: &Points, part: Option<Part>) -> Outcome<Vec<Run>> {
        match part {
            None => Ok(vec![Run::default(); points.corners]),
            Some(part) => {
                let count = part.counts[0].to_i64().ok_or_else(unlike)?;
                self.unrolled(cx, points, &part, count)
            }
        }
    }
    /// The part as so many iterations one by one.
    fn unrolled(
        &mut self,
        cx: &mut Cx<'_>,
        points: &Points,
        part: &Part,
        count: i64,
    ) -> Outcome<Vec<Run>> {
        let formula = self.search.relations[part.relation].once;
        let count = usize::try_from(count).map_err(|_| unlike())?;
        let links = vec![Link { formula, times: Times::Once }; count];
        let chain = self.chain(cx, points, &links, part)?.ok_or_else(unlike)?;
        let mut pieces = vec![Run::default(); points.corners];
        for ends in chain.states.windows(2) {
            let (from, to) = (ends[0].clone(), ends[1].clone());
            let counts = vec![Rational::ONE; points.len()];
            let iteration = Part { relation: part.relation, counts, from, to };
            append(&mut pieces, self.word(cx, points, &iteration, 1)?);
        }
        Ok(pieces)
    }
    /// So many words of the relation between the ends of a part.
    fn word(
        &mut self,
        cx: &mut Cx<'_>,
        points: &Points,
        part: &Part,
        times: usize,
    ) -> Outcome<Vec<Run>> {
        let relations = &self.search.relations;
        let word = &relations[part.relation].word;
        let (mut letters, mut links) = (Vec::new(), Vec::new());
        for letter in word.iter().cycle().take(times * word.len()) {
            let link = match &relations[letter.relation].closed {
                None => Link { formula: letter.implicant, times: Times::Once },
                Some(closed) => {
                    let formula = cx.store.and(&[closed.formula, letter.implicant]);
                    Link { formula, times: Times::Open(closed.count) }
                }
            };
            letters.push(letter.relation);
            links.push(link);
        }
        let chain = self.chain(cx, points, &links, part)?.ok_or_else(unlike)?;
        let mut pieces = vec![Run::default(); points.corners];
        let ends = chain.states.windows(2).zip(chain.counts);
        for (relation, (ends, counts)) in letters.into_iter().zip(ends) {
            let (from, to) = (ends[0].clone(), ends[1].clone());
            append(&mut pieces, self.pieces(cx, points, Part { relation, counts, from, to })?);
        }
        Ok(pieces)
    }
    fn chain(
        &self,
        cx: &mut Cx<'_>,
        points: &Points,
        links: &[Link],
        part: &Part,
    ) -> Outcome<Option<Chain>> {
        if links.len() > LONGEST_CHAIN {
            return Ok(None);
        }
        chain(cx, &self.search.space, points, links, &part.from, &part.to)
    }
}

/// The iterations of a part: some at the beginning, periods of a progression, and some at the end.
struct Split {
    head: Option<Part>,
    /// Before the periods.
    start: Vec<State>,
    /// What a period adds to each variable of the state.
    by: Vec<Rational>,
    /// How many iterations a period has.
    period: usize,
    /// How many there are at each point.
    periods: Vec<Rational>,
    tail: Option<Part>,
}

/// How the states between iterations follow each other.
struct Progression {
    /// How many iterations come before it at least.
    prefix: usize,
    /// How many iterations a period has.
    period: usize,
    /// What a period adds to each variable of the state.
    by: Vec<Rational>,
    /// The closed form, and that the state after `n` iterations is what the progression says.
    formula: Term,
}

impl Progression {
    /// The progression of a relation, if it has one.
    fn of(cx: &mut Cx<'_>, space: &Space, closed: &Closed) -> Option<Self> {
        let progress = closed.progress.as_ref()?;
        let (ts, period) = (&space.ts, whole(progress.period));
        let mut by = vec![Rational::ZERO; ts.state.len()];
        for (&place, increment) in closed.places.iter().zip(&progress.increments) {
            by[place] = increment.clone();
        }
        let count = cx.store.constant(closed.count);
        let mut parts = vec![closed.formula];
        for ((&now, &then), by) in ts.state.iter().zip(&ts.next).zip(&by) {
            let [now, then] = [now, then].map(|symbol| cx.store.constant(symbol));
            if by.is_zero() {
                parts.push(cx.store.eq(now, then));
                continue;
            }
            let mut linear = Linear::new();
            linear.add_term(&period, then);
            linear.add_term(&-&period, now);
            linear.add_term(&-by, count);
            parts.push(cx.store.eq_zero(&linear));
        }
        let formula = cx.store.and(&parts);
        Some(Self { prefix: progress.prefix, period: progress.period, by, formula })
    }
}

impl Folding<'_> {
    /// The part with as few iterations as possible beside the periods: at the beginning states may
    /// differ from the progression in truth values, at the end also in what the relation is not
    /// about.
    fn split(&self, cx: &mut Cx<'_>, points: &Points, part: &Part) -> Outcome<Option<Split>> {
        let Some(closed) = &self.search.relations[part.relation].closed else { return Ok(None) };
        let progression = Progression::of(cx, &self.search.space, closed);
        let Some(progression) = &progression else { return Ok(None) };
        let period = whole(progression.period);
        for head in [progression.prefix, progression.prefix + 1] {
            let head = whole(head);
            let rest = &part.counts[0] - &head;
            let rest = &rest - &(&(&rest / &period).floor() * &period);
            for tail in [rest.clone(), &rest + &period] {
                if tail.is_zero() && is_outside(points) {
                    continue;
                }
                let ends = [&head, &tail];
                let split = self.split_at(cx, points, part, (closed, progression), ends)?;
                if split.is_some() {
                    return Ok(split);
                }
            }
        }
        Ok(None)
    }
    /// The split with so many iterations at the beginning and at the end, if there is one.
    fn split_at(
        &self,
        cx: &mut Cx<'_>,
        points: &Points,
        part: &Part,
        (closed, progression): (&Closed, &Progression),
        [head, tail]: [&Rational; 2],
    ) -> Outcome<Option<Split>> {
        let middle = |count: &Rational| &(count - head) - tail;
        let counts: Vec<Rational> = part.counts.iter().map(middle).collect();
        let period = whole(progression.period);
        let periods: Vec<Rational> = counts.iter().map(|count| count / &period).collect();
        if !periods.iter().all(|count| count.is_integer() && count.is_positive()) {
            return Ok(None);
        }
        let constant = |count: &Rational| vec![count.clone(); points.len()];
        let parts = [
            (closed.formula, constant(head)),
            (progression.formula, counts),
            (closed.formula, constant(tail)),
        ];
        let mut links = Vec::new();
        for (formula, counts) in parts.into_iter().filter(|(_, counts)| !counts[0].is_zero()) {
            links.push(Link { formula, times: Times::Given(closed.count, counts) });
        }
        let Some(chain) = self.chain(cx, points, &links, part)? else { return Ok(None) };
        let before = usize::from(!head.is_zero());
        let piece = |count: &Rational, time: usize| {
            let is_there = !count.is_zero();
            let states = |time: usize| chain.states[time].clone();
            is_there.then(|| Part {
                relation: part.relation,
                counts: constant(count),
                from: states(time),
                to: states(time + 1),
            })
        };
        let (head, tail) = (piece(head, 0), piece(tail, before + 1));
        let (start, by) = (chain.states[before].clone(), progression.by.clone());
        Ok(Some(Split { head, start, by, period: progression.period, periods, tail }))
    }
    /// The same for a relation by which more than one state may follow another: iterations that all
    /// add the same, if there are such ones.
    fn steady(&self, cx: &mut Cx<'_>, points: &Points, part: &Part) -> Outcome<Option<Split>> {
        let once = self.search.relations[part.relation].once;
        for (head, tail) in [(false, false), (false, true), (true, false), (true, true)] {
            if !tail && is_outside(points) {
                continue;
            }
            let apart = whole(usize::from(head) + usize::from(tail));
            let counts: Vec<Rational> = part.counts.iter().map(|count| count - &apart).collect();
            if !counts.iter().all(Rational::is_positive) {
                continue;
            }
            let asked = (once, &counts[..], Apart { head, tail });
            let found = steady(cx, &self.search.space, points, asked, &part.from, &part.to)?;
            let Some(Steady { by, start, end }) = found else { continue };
            let piece = |from: &[State], to: &[State]| Part {
                relation: part.relation,
                counts: vec![Rational::ONE; points.len()],
                from: from.to_vec(),
                to: to.to_vec(),
            };
            let head = head.then(|| piece(&part.from, &start));
            let tail = tail.then(|| piece(&end, &part.to));
            return Ok(Some(Split { head, start, by, period: 1, periods: counts, tail }));
        }
        Ok(None)
    }
}

/// Whether a part is outside of repeats, where its last iteration stays apart: the end of a run
/// from a bad state is an initial one, which comes about by other clauses than those before it.
fn is_outside(points: &Points) -> bool {
    points.depth() == 0
}

fn whole(number: usize) -> Rational {
    Rational::from(u64::try_from(number).expect("it is small"))
}

/// Goes on with further pieces, corner by corner.
fn append(pieces: &mut [Run], further: Vec<Run>) {
    for (piece, further) in pieces.iter_mut().zip(further) {
        piece.append(further);
    }
}
