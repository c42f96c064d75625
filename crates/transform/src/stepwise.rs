//! Refutations that are translated step by step, folded ones included.
//!
//! A way back that turns each step into steps of the source, given what its premises derive there,
//! is a [`StepWise`] one. Nothing else needs to know about repeats. Of a repeat of the target three
//! iterations are translated: the first one, the one behind it, and the last one. The second one is
//! not kept; together with the first one it tells how much what they derive in the source grows in
//! an iteration, and so what the last but one derives, which is what the last one is translated
//! from.
//!
//! Invariant: the repeat that is made of the first and the last iteration in the source has affine
//! values: by the same clauses, and with the values that the first two predict. If the first
//! iterations are not like the later ones (a value that was chosen, an argument that only the first
//! one sets), up to [`MOST_PEELED`] of them become steps of their own. What cannot be had is
//! expanded, or given up as incomplete if it is longer than [`LONGEST`]. The validator does not
//! depend on any of this.

use std::ops::Range;

use shofar_base::{GaveUp, Map, Outcome};
use shofar_chc::{ChcSystem, Derivation, DerivationStep, Repeat, interpolate};
use shofar_num::Rational;
use shofar_term::eval::{Model, Value};
use shofar_term::{Cx, TermStore};

/// So many iterations at the beginning of a repeat may differ from the others.
const MOST_PEELED: usize = 4;
/// Refutations of so many steps are expanded where they cannot be translated otherwise.
pub(crate) const LONGEST: usize = 100_000;

/// A way back that goes step by step.
pub(crate) trait StepWise {
    /// Appends the counterparts of `step`, at least one, to those of the steps before it; the last
    /// one derives what it derives.
    fn step(
        &self,
        cx: &mut Cx<'_>,
        made: &mut Made,
        step: DerivationStep,
        premises: Vec<usize>,
    ) -> Outcome<()>;
    /// Whose clauses the counterparts instantiate.
    fn source(&self) -> &ChcSystem;
}

/// What was translated so far.
#[derive(Default)]
pub(crate) struct Made {
    pub(crate) derivation: Derivation,
    /// Steps that stand for a later iteration than the listed one, with the arguments of what that
    /// derives.
    meant: Map<usize, Vec<Value>>,
}

impl Made {
    /// The arguments of what `steps`, none of which derives `false`, derive.
    pub(crate) fn facts(
        &self,
        store: &TermStore,
        source: &ChcSystem,
        steps: &[usize],
    ) -> Outcome<Vec<Vec<Value>>> {
        let fact = |&step: &usize| {
            if let Some(args) = self.meant.get(&step) {
                return Ok(args.clone());
            }
            let fact = self.derivation.fact(store, source, step)?;
            Ok(fact.ok_or(GaveUp::wrong("a premise derives false"))?.1)
        };
        steps.iter().map(fact).collect()
    }
}

/// The counterpart of `refutation`.
pub(crate) fn translate(
    cx: &mut Cx<'_>,
    back: &dyn StepWise,
    refutation: Derivation,
) -> Outcome<Derivation> {
    if refutation.is_ground() {
        return translate_ground(cx, back, refutation);
    }
    if !refutation.is_nested() {
        return Err(GaveUp::wrong("the repeats of a refutation are not nested"));
    }
    let Derivation { steps, repeats } = &refutation;
    let mut translation = Translation::new(back, steps.len());
    let mut made = Made::default();
    match translation.range(cx, &mut made, 0..steps.len(), steps, repeats) {
        Ok(_) => Ok(made.derivation),
        Err(GaveUp::Incomplete(_) | GaveUp::Wrong(_)) => {
            let expanded = refutation.expanded(cx.store, LONGEST)?;
            translate_ground(cx, back, expanded)
        }
        Err(why) => Err(why),
    }
}

fn translate_ground(
    cx: &mut Cx<'_>,
    back: &dyn StepWise,
    refutation: Derivation,
) -> Outcome<Derivation> {
    let mut translation = Translation::new(back, refutation.steps.len());
    let mut made = Made::default();
    made.derivation.steps.reserve(refutation.steps.len());
    for (at, step) in refutation.steps.into_iter().enumerate() {
        translation.step(cx, &mut made, at, step)?;
    }
    Ok(made.derivation)
}

struct Translation<'a> {
    back: &'a dyn StepWise,
    /// What each listed step has become.
    counterparts: Vec<usize>,
    /// How many repeats are around what is being translated.
    depth: usize,
}

/// An iteration in the source: its steps, and the repeats within them.
struct Block {
    steps: Range<usize>,
    repeats: Range<usize>,
}

impl<'a> Translation<'a> {
    fn new(back: &'a dyn StepWise, length: usize) -> Self {
        Self { back, counterparts: vec![0; length], depth: 0 }
    }
    fn step(
        &mut self,
        cx: &mut Cx<'_>,
        made: &mut Made,
        at: usize,
        step: DerivationStep,
    ) -> Outcome<()> {
        cx.budget.check()?;
        let premises = step.premises.iter().map(|&premise| self.counterparts[premise]).collect();
        self.back.step(cx, made, step, premises)?;
        self.counterparts[at] = made.derivation.steps.len() - 1;
        Ok(())
    }
    /// Translates the listed steps in `range`, which are `steps` at present, with these repeats.
    /// Calls are nested as deep as repeats.
    fn range(
        &mut self,
        cx: &mut Cx<'_>,
        made: &mut Made,
        range: Range<usize>,
        steps: &[DerivationStep],
        repeats: &[Repeat],
    ) -> Outcome<Block> {
        let (from, inner) = (made.derivation.steps.len(), made.derivation.repeats.len());
        let (mut at, mut number) = (range.start, 0);
        while at < range.end {
            let Some(repeat) = repeats.get(number).filter(|repeat| repeat.start == at) else {
                self.step(cx, made, at, steps[at - range.start].clone())?;
                at += 1;
                continue;
            };
            let behind = |end: usize| repeats.partition_point(|other| other.start < end);
            let (middle, end) = (behind(repeat.last().start), behind(repeat.end()));
            let cycle = Cycle {
                repeat,
                first: &steps[at - range.start..][..repeat.length],
                last: &steps[at - range.start + repeat.length..][..repeat.length],
                inner: (&repeats[number + 1..middle], &repeats[middle..end]),
            };
            self.depth += 1;
            self.cycle(cx, made, &cycle)?;
            self.depth -= 1;
            (at, number) = (repeat.end(), end);
        }
        let steps = from..made.derivation.steps.len();
        Ok(Block { steps, repeats: inner..made.derivation.repeats.len() })
    }
    fn cycle(&mut self, cx: &mut Cx<'_>, made: &mut Made, cycle: &Cycle<'_>) -> Outcome<()> {
        let repeat = cycle.repeat;
        let mut block = self.range(cx, made, repeat.first(), cycle.first, cycle.inner.0)?;
        let initial = self.counterparts[repeat.first()].to_vec();
        self.counterparts.copy_within(repeat.first(), repeat.last().start);
        let mut count = repeat.count.clone();
        if count.is_one() && self.depth > 1 {
            let copies = doubled(made, &block);
            self.counterparts[repeat.last()].iter_mut().for_each(|it| *it += copies);
        }
        // Iterations that are not like those behind them stay as they are.
        for peeled in 1..=MOST_PEELED + 1 {
            if count.is_one() {
                break;
            }
            if peeled > MOST_PEELED {
                return Err(unlike());
            }
            let mark = (made.derivation.steps.len(), made.derivation.repeats.len());
            let second = self.iteration(cx, made, cycle, &whole(peeled))?;
            count -= Rational::from(1);
            let is_last = count.is_one();
            if !is_alike(&made.derivation, &block, &second) {
                self.counterparts.copy_within(repeat.last(), repeat.start);
                block = second;
                continue;
            }
            let mut last = second;
            if !is_last {
                last = self.last(cx, made, cycle, &block, mark, &count)?;
            }
            let length = last.steps.len();
            let whole =
                Repeat { start: block.steps.start, length, count: &count + &Rational::from(1) };
            made.derivation.repeats.insert(block.repeats.start, whole);
            break;
        }
        self.counterparts[repeat.first()].copy_from_slice(&initial);
        Ok(())
    }
    /// Iteration `k` of the target, behind the one before it.
    fn iteration(
        &mut self,
        cx: &mut Cx<'_>,
        made: &mut Made,
        cycle: &Cycle<'_>,
        k: &Rational,
    ) -> Outcome<Block> {
        let (steps, repeats) = cycle.at(cx.store, k).ok_or_else(unlike)?;
        self.range(cx, made, cycle.repeat.last(), &steps, &repeats)
    }
    /// The last iteration in the place of the second one, which begins at `mark`, `count`
    /// iterations behind `first`.
    fn last(
        &mut self,
        cx: &mut Cx<'_>,
        made: &mut Made,
        cycle: &Cycle<'_>,
        first: &Block,
        mark: (usize, usize),
        count: &Rational,
    ) -> Outcome<Block> {
        let source = self.back.source();
        let second = made.derivation.steps.split_off(mark.0);
        let inner = made.derivation.repeats.split_off(mark.1);
        for (at, step) in first.steps.clone().zip(&second) {
            let Some((_, here)) = made.derivation.fact(cx.store, source, at)? else { continue };
            let there = Derivation::ground(vec![step.clone()]).fact(cx.store, source, 0)?;
            let (_, there) = there.ok_or_else(unlike)?;
            let later = count - &Rational::from(1);
            let args = here.iter().zip(&there).map(|(a, b)| extrapolate(a, b, &later));
            made.meant.insert(at, args.collect::<Option<_>>().ok_or_else(unlike)?);
        }
        let last = self.range(cx, made, cycle.repeat.last(), cycle.last, cycle.inner.1)?;
        for at in first.steps.clone() {
            made.meant.remove(&at);
        }
        let Derivation { steps, repeats } = &made.derivation;
        let fits = is_alike(&made.derivation, first, &last)
            && steps[first.steps.clone()].iter().zip(&second).zip(&steps[last.steps.clone()]).all(
                |((a, b), c)| {
                    is_predicted(cx.store, [&a.assignment, &b.assignment, &c.assignment], count)
                },
            )
            && repeats[first.repeats.clone()]
                .iter()
                .zip(&inner)
                .zip(&repeats[last.repeats.clone()])
                .all(|((a, b), c)| &a.count + &(&(&b.count - &a.count) * count) == c.count);
        if fits { Ok(last) } else { Err(unlike()) }
    }
}

/// The only iteration of a repeat within another one a second time, so that it looks like those
/// with more; how many steps further on it is.
fn doubled(made: &mut Made, block: &Block) -> usize {
    let Derivation { steps, repeats } = &mut made.derivation;
    let (length, from) = (block.steps.len(), block.steps.start);
    for at in block.steps.clone() {
        let mut step = steps[at].clone();
        for premise in step.premises.iter_mut().filter(|premise| **premise >= from) {
            *premise += length;
        }
        steps.push(step);
    }
    for at in block.repeats.clone() {
        let copy = repeats[at].moved(from, from + length);
        repeats.push(copy);
    }
    let count = Rational::from(1);
    repeats.insert(block.repeats.start, Repeat { start: from, length, count });
    length
}

/// A repeat of the target as it is at present.
struct Cycle<'a> {
    repeat: &'a Repeat,
    first: &'a [DerivationStep],
    last: &'a [DerivationStep],
    inner: (&'a [Repeat], &'a [Repeat]),
}

impl Cycle<'_> {
    /// Iteration `k`, which is not the first, in the place of the last one.
    fn at(&self, store: &TermStore, k: &Rational) -> Option<(Vec<DerivationStep>, Vec<Repeat>)> {
        let steps = self.first.iter().chain(self.last).cloned().collect();
        let start = self.repeat.start;
        let outer = self.repeat.moved(start, 0);
        let inner = self.inner.0.iter().chain(self.inner.1).map(|it| it.moved(start, 0));
        let repeats = std::iter::once(outer).chain(inner).collect();
        let piece = Derivation { steps, repeats };
        let iteration = piece.iteration(store, 0, k)?;
        let step = |(step, assignment): (&DerivationStep, Model)| DerivationStep {
            assignment,
            ..step.clone()
        };
        let steps = self.last.iter().zip(iteration.values).map(step).collect();
        Some((steps, iteration.repeats.iter().map(|it| it.moved(0, start)).collect()))
    }
}

fn whole(number: usize) -> Rational {
    Rational::from(u64::try_from(number).expect("it is small"))
}

fn unlike() -> GaveUp {
    GaveUp::incomplete("the iterations of a folded refutation have no common counterpart")
}

/// `a + later·(b − a)`; nothing for values other than numbers that differ.
fn extrapolate(a: &Value, b: &Value, later: &Rational) -> Option<Value> {
    interpolate(a, b, later, &Rational::from(2))
}

/// Whether two iterations are by the same clauses, with the same repeats but for counts.
fn is_alike(derivation: &Derivation, a: &Block, b: &Block) -> bool {
    let clauses = |block: &Block| derivation.steps[block.steps.clone()].iter().map(|s| s.clause);
    let repeats = |block: &Block| {
        let start = block.steps.start;
        derivation.repeats[block.repeats.clone()]
            .iter()
            .map(move |it| (it.start - start, it.length))
    };
    clauses(a).eq(clauses(b)) && repeats(a).eq(repeats(b))
}

/// Whether the third of three models is `later` times as far from the first one as the second one
/// is.
fn is_predicted(store: &TermStore, [a, b, c]: [&Model; 3], later: &Rational) -> bool {
    let symbols = [a, b, c].into_iter().flat_map(|model| model.entries());
    symbols.map(|(symbol, _)| symbol).all(|symbol| {
        let [a, b, c] = [a, b, c].map(|model| model.get_or_default(store, symbol));
        extrapolate(&a, &b, later).as_ref() == Some(&c)
    })
}
