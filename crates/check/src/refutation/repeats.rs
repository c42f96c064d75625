//! Steps within repeats: one check for all iterations, without unrolling.
//!
//! What a list of steps with repeats means is said in `shofar_chc` (`Repeat`): it stands for a
//! ground derivation with one step for each *slot* (a step up to the choice of iterations) and each
//! vector of indices in the slot's [`Domain`]. The listed copies of a slot are its corners. For
//! each slot it is checked that
//! 1. counts and numbers are affine forms of the indices with exactly the listed values at all
//!    corners; integers have integral coefficients, counts are at least 1; values of other sorts
//!    are the same in all copies;
//! 2. the constraint is true for all indices, by [`Reading`];
//! 3. each premise derives what the body needs, for all indices: a copy's premises hold where the
//!    index of a repeat is 0 if the copy is in the first range, and from 1 on if it is in the last;
//!    on each such part both sides are forms, and compared at corners;
//! 4. the assertion that the clause came from is false for all indices if the premises hold and the
//!    conclusion does not.
//!
//! Soundness. Let `s` be a slot and `k` indices in its domain. By 1, the affine values at `k` are
//! values of the right sorts (an integral form is integral at integral points). By 2 and 4 they
//! make an instance of the clause, justified by the assertion: a [`Reading`] says "true" or "false"
//! only of what is so at all elements of the domain, because every element is a convex combination
//! of corners ([`super::form`]). By 3, a premise at `k` is an element of another slot's domain:
//! indices shared with it are the same, or smaller by one in the repeat that is entered again,
//! where `k` has at least 1; those of other repeats are 0 or the last value, which exists since
//! counts are at least 1. Two affine forms that are equal at the corners of a part are equal on it,
//! so the premise derives what is needed. It comes earlier in the order of execution (lexicographic
//! in indices and places): a premise is listed before its copy, and if both are in the same repeat
//! but in different ranges, its index is the smaller one. So the expansion, which is finite, is a
//! ground derivation. Steps outside of repeats are checked as ground steps; a listed copy that they
//! name is an element of its slot's domain. ∎
//!
//! Neither a solver nor any code of those who find closed forms is used.

use shofar_base::Map;
use shofar_chc::{ClauseId, PredAtom, PredId, Repeat};
use shofar_num::Rational;
use shofar_term::eval::{Model, Value};
use shofar_term::{Sort, Symbol};

use super::form::{Domain, Form, Quantity, Span};
use super::reading::Reading;
use super::{Checker, Variable};
use crate::objection::Fault;
use crate::skeleton::Skeleton;

/// A fault, and the listed step that shows it.
type Found<T> = Result<T, (usize, Fault)>;

/// Which of the two listed iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Half {
    First,
    Last,
}

/// What a slot derives, for all its indices.
type Conclusion = Option<(PredId, Vec<Quantity>)>;

/// Where listed steps are among the repeats, and what is known about slots.
pub(super) struct Repeats<'a> {
    /// As they are listed.
    all: &'a [Repeat],
    /// The innermost repeat around each.
    parents: Vec<Option<usize>>,
    /// By beginning and length.
    numbers: Map<(usize, usize), usize>,
    /// The domains of slots, by the repeats around them in first ranges.
    domains: Map<Vec<usize>, Domain>,
    /// What slots derive, by their first copy.
    conclusions: Map<usize, Conclusion>,
}

/// The repeats around a step, from the outside to the inside.
type Place = Vec<(usize, Half)>;

impl<'a> Repeats<'a> {
    /// The repeats of a derivation, which are nested as they must be.
    pub(super) fn new(repeats: &'a [Repeat]) -> Self {
        let number = |(number, repeat): (usize, &Repeat)| ((repeat.start, repeat.length), number);
        let numbers = repeats.iter().enumerate().map(number).collect();
        let (mut parents, mut around) = (Vec::with_capacity(repeats.len()), Vec::new());
        for (number, repeat) in repeats.iter().enumerate() {
            while around.last().is_some_and(|&outer: &usize| repeats[outer].end() <= repeat.start) {
                around.pop();
            }
            parents.push(around.last().copied());
            around.push(number);
        }
        Self {
            all: repeats,
            parents,
            numbers,
            domains: Map::default(),
            conclusions: Map::default(),
        }
    }
    /// Where the outermost repeat around `step` ends, if there is one.
    pub(super) fn end_around(&self, step: usize) -> Option<usize> {
        self.place(step).first().map(|&(number, _)| self.all[number].end())
    }
    fn place(&self, step: usize) -> Place {
        // Of the repeats that begin before the step, the last one is around it, or lies in one that
        // is.
        let begun = self.all.partition_point(|repeat| repeat.start <= step);
        let (mut place, mut next) = (Place::new(), begun.checked_sub(1));
        while let Some(number) = next {
            let repeat = &self.all[number];
            if repeat.first().contains(&step) {
                place.push((number, Half::First));
            } else if repeat.last().contains(&step) {
                place.push((number, Half::Last));
            }
            next = self.parents[number];
        }
        place.reverse();
        place
    }
    /// The first copy of the slot of a step in this place.
    fn first_copy(&self, step: usize, place: &[(usize, Half)]) -> usize {
        let length = |&(number, half): &(usize, Half)| match half {
            Half::First => 0,
            Half::Last => self.all[number].length,
        };
        step - place.iter().map(length).sum::<usize>()
    }
    /// All copies of the slot whose first copy this is, in the order of [`Domain::listed`]; the
    /// repeats around it are `around`.
    fn copies(&self, first: usize, around: &[usize]) -> Vec<usize> {
        around.iter().fold(vec![first], |copies, &number| {
            let length = self.all[number].length;
            copies.into_iter().flat_map(|copy| [copy, copy + length]).collect()
        })
    }
    /// The domain of a slot with these repeats around its first copy.
    fn domain(&mut self, around: &[usize]) -> Found<Domain> {
        if let Some(domain) = self.domains.get(around) {
            return Ok(domain.clone());
        }
        let mut domain = Domain::default();
        for (level, &number) in around.iter().enumerate() {
            let Repeat { start, length, .. } = self.all[number];
            let starts = self.copies(start, &around[..level]);
            let count = |&start: &usize| self.all[self.numbers[&(start, length)]].count.clone();
            let counts: Vec<Rational> = starts.iter().map(count).collect();
            let form = domain.fit(&counts).filter(Form::is_integral);
            let form = form.ok_or((start, Fault::Count))?;
            domain.counts.push(form);
        }
        self.domains.insert(around.to_vec(), domain.clone());
        Ok(domain)
    }
    /// The indices at which the slot of the listed step `target` is meant as a premise of the
    /// listed step `from`, as forms over the indices of the latter's slot.
    fn meant(&mut self, from: &[(usize, Half)], target: &[(usize, Half)]) -> Found<Vec<Form>> {
        let around = self.around(target);
        let domain = self.domain(&around)?;
        let mut indices: Vec<Form> = Vec::with_capacity(target.len());
        let mut is_shared = true;
        for (level, &(number, half)) in target.iter().enumerate() {
            let here = from.get(level).filter(|(own, _)| is_shared && *own == number);
            let last = || domain.counts[level].of(&indices).plus(&Rational::from(-1), &one());
            let index = match (here, half) {
                (Some((_, own)), half) if *own == half => Form::index(level, 0),
                (Some((_, Half::Last)), Half::First) => Form::index(level, -1),
                (Some(_), _) | (None, Half::Last) => last(),
                (None, Half::First) => Form::constant(Rational::from(0)),
            };
            is_shared = here.is_some_and(|(_, own)| *own == half);
            indices.push(index);
        }
        Ok(indices)
    }
    /// The repeats around the first copy of a slot with a copy in this place.
    fn around(&self, place: &[(usize, Half)]) -> Vec<usize> {
        let mut moved = 0;
        let mut around = Vec::with_capacity(place.len());
        for &(number, half) in place {
            let Repeat { start, length, .. } = self.all[number];
            around.push(self.numbers[&(start - moved, length)]);
            if half == Half::Last {
                moved += length;
            }
        }
        around
    }
}

fn one() -> Form {
    Form::constant(Rational::from(1))
}

/// A slot that is being checked.
struct Slot {
    clause: ClauseId,
    copies: Vec<usize>,
    domain: Domain,
    /// All corners of the domain.
    corners: Vec<Vec<Rational>>,
    values: Map<Symbol, Quantity>,
    /// The values at the first corner.
    sample: Model,
}

impl Checker<'_> {
    /// Whether the slot of the listed step `index` is right, if this is its first copy.
    pub(super) fn slot(&mut self, repeats: &mut Repeats<'_>, index: usize) -> Found<()> {
        let place = repeats.place(index);
        if repeats.first_copy(index, &place) != index {
            return Ok(());
        }
        let slot = self.read_slot(repeats, index, &place)?;
        let (store, input) = (self.store, self.input);
        let clause = input.system().clause(slot.clause);
        let mut reading = slot.reading(store);
        match reading.truth(clause.constraint) {
            Some(true) => {}
            Some(false) => return Err((index, Fault::Constraint)),
            None => return Err((index, Fault::Unsettled)),
        }
        let mut ground = |atom: &PredAtom| {
            let args = atom.args.iter().map(|&arg| reading.evaluate(arg));
            let args = args.collect::<Option<Vec<_>>>().ok_or((index, Fault::Unsettled))?;
            Ok((atom.pred, args))
        };
        let body: Vec<_> = clause.body.iter().map(&mut ground).collect::<Found<_>>()?;
        let head = clause.head.as_ref().map(ground).transpose()?;
        self.premises_along(repeats, &slot, &body)?;
        if !body.iter().any(|premise| Some(premise) == head.as_ref()) {
            let assertion = input.origin(slot.clause);
            let formula = self.formulas[assertion].expect("those of all steps are there");
            let skeleton = self.skeletons[assertion]
                .get_or_insert_with(|| Skeleton::new(store, input.system(), formula));
            if !skeleton.is_false_along(&mut reading, &body, head.as_ref()) {
                return Err((index, Fault::Unfounded));
            }
        }
        Ok(())
    }
    /// The values of a slot for all its indices.
    fn read_slot(
        &mut self,
        repeats: &mut Repeats<'_>,
        index: usize,
        place: &[(usize, Half)],
    ) -> Found<Slot> {
        let clause = self.derivation.steps[index].clause;
        if !self.has_clause(clause) {
            return Err((index, Fault::NoSuchClause));
        }
        let around = repeats.around(place);
        let (copies, domain) = (repeats.copies(index, &around), repeats.domain(&around)?);
        let corners = domain.listed();
        if let Some(at) = domain_fault(&domain) {
            return Err((repeats.all[around[at]].start, Fault::Count));
        }
        let mut samples = Vec::with_capacity(copies.len());
        for &copy in &copies {
            let assignment = self.assignment(&self.derivation.steps[copy]);
            self.check_sorts(clause, &assignment).map_err(|fault| (copy, fault))?;
            samples.push(assignment);
        }
        let mut values = Map::default();
        let variables = self.variables(clause).to_vec();
        for Variable { symbol, .. } in variables {
            let all = samples.iter().map(|model| model.get_or_default(self.store, symbol));
            let quantity = fit(&domain, self.store.result(symbol), &all.collect::<Vec<_>>());
            values.insert(symbol, quantity.ok_or((index, Fault::NotAffine(symbol)))?);
        }
        let sample = samples.swap_remove(0);
        Ok(Slot { clause, copies, domain, corners, values, sample })
    }
    /// Whether the premises of all copies derive the body, where they are meant.
    fn premises_along(
        &mut self,
        repeats: &mut Repeats<'_>,
        slot: &Slot,
        body: &[(PredId, Vec<Quantity>)],
    ) -> Found<()> {
        let derivation = self.derivation;
        for &copy in &slot.copies {
            let place = repeats.place(copy);
            let part = place.iter().map(|(_, half)| match half {
                Half::First => Span::First,
                Half::Last => Span::Later,
            });
            let corners = slot.domain.corners(part);
            let premises = &derivation.steps[copy].premises;
            if premises.len() != body.len() {
                let (expected, found) = (body.len(), premises.len());
                return Err((copy, Fault::PremiseCount { expected, found }));
            }
            for (&premise, (pred, wanted)) in premises.iter().zip(body) {
                if premise >= copy {
                    return Err((copy, Fault::NotEarlier(premise)));
                }
                let target = repeats.place(premise);
                let indices = repeats.meant(&place, &target)?;
                let conclusion = self.conclusion(repeats, premise, &target)?;
                let found = conclusion.map(|(pred, args)| {
                    (pred, args.iter().map(|arg| arg.of(&indices)).collect::<Vec<_>>())
                });
                for corner in &corners {
                    let at = |args: &[Quantity]| -> Vec<Value> {
                        args.iter().map(|arg| arg.at(corner)).collect()
                    };
                    let wanted = Some((*pred, at(wanted)));
                    let found = found.as_ref().map(|(pred, args)| (*pred, at(args)));
                    if wanted != found {
                        return Err((copy, Fault::Premise { premise, wanted, found }));
                    }
                }
            }
        }
        Ok(())
    }
    /// What the slot of the listed step `index` derives.
    fn conclusion(
        &mut self,
        repeats: &mut Repeats<'_>,
        index: usize,
        place: &[(usize, Half)],
    ) -> Found<Conclusion> {
        if !self.has_clause(self.derivation.steps[index].clause) {
            return Err((index, Fault::NoSuchClause));
        }
        if place.is_empty() {
            let fact = self.fact(&self.derivation.steps[index]);
            let fact = fact.map_err(|why| (index, Fault::from(why)))?;
            let constant = |args: Vec<Value>| args.into_iter().map(Quantity::constant).collect();
            return Ok(fact.map(|(pred, args)| (pred, constant(args))));
        }
        let first = repeats.first_copy(index, place);
        if let Some(known) = repeats.conclusions.get(&first) {
            return Ok(known.clone());
        }
        let outer = repeats.place(first);
        let slot = self.read_slot(repeats, first, &outer)?;
        let head = self.input.system().clause(slot.clause).head.as_ref();
        let mut reading = slot.reading(self.store);
        let derived = head.map(|head| {
            let args = head.args.iter().map(|&arg| reading.evaluate(arg));
            let args = args.collect::<Option<Vec<_>>>().ok_or((first, Fault::Unsettled))?;
            Ok((head.pred, args))
        });
        let derived = derived.transpose()?;
        repeats.conclusions.insert(first, derived.clone());
        Ok(derived)
    }
}

impl Slot {
    fn reading<'s>(&'s self, store: &'s shofar_term::TermStore) -> Reading<'s> {
        let Self { corners, values, sample, .. } = self;
        Reading { store, corners, values, sample, known: Map::default() }
    }
}

/// The level of a count that may be less than 1.
fn domain_fault(domain: &Domain) -> Option<usize> {
    (0..domain.counts.len()).find(|&level| {
        let outer = Domain { counts: domain.counts[..level].to_vec() };
        let count = &domain.counts[level];
        outer.listed().iter().any(|corner| !count.at(corner).is_positive())
    })
}

/// The quantity of a sort that has these values at the listed corners.
fn fit(domain: &Domain, sort: Sort, values: &[Value]) -> Option<Quantity> {
    if !sort.is_arithmetic() {
        let first = &values[0];
        return values.iter().all(|value| value == first).then(|| Quantity::Fixed(first.clone()));
    }
    let numbers = values.iter().map(|value| value.as_number().cloned());
    let form = domain.fit(&numbers.collect::<Option<Vec<_>>>()?)?;
    (!sort.is_int() || form.is_integral()).then_some(Quantity::Number(form))
}
