//! Repetitions in a sequence.
//!
//! A sequence of numbers becomes a shorter one of items: an item is a number, or some items
//! repeated. Folding goes from left to right; at each place the period (up to [`LONGEST_PERIOD`])
//! is taken whose repetitions reach furthest. Items are interned, so that folding the result again
//! finds the cycles of nested loops.
//!
//! Cost: a place looks at each period for as long as it matches, and then skips at least the
//! longest match; so a pass is linear in the sequence, times the longest period.

use shofar_base::{Idx, IndexVec};
use shofar_base::{Map, index_type};

index_type!(
    /// A number or a repetition.
    pub(super) struct Item
);

/// What an item stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Repetition {
    /// One element of the sequence.
    One(usize),
    /// Items, `count` times one after the other.
    Repeat {
        /// How often.
        count: usize,
        /// What.
        items: Vec<Item>,
    },
}

/// Longer cycles are not looked for.
const LONGEST_PERIOD: usize = 64;
/// More levels of loops in loops are not looked for.
const DEEPEST: usize = 4;

/// A folded sequence.
#[derive(Debug, Default)]
pub(super) struct Folded {
    repetitions: IndexVec<Item, Repetition>,
    /// How many elements of the sequence each item covers.
    lengths: IndexVec<Item, usize>,
    known: Map<Repetition, Item>,
    sequence: Vec<Item>,
}

impl Folded {
    /// Folds a sequence.
    pub(super) fn new(elements: impl IntoIterator<Item = usize>) -> Self {
        let mut this = Self::default();
        this.sequence = elements.into_iter().map(|e| this.intern(Repetition::One(e))).collect();
        for _ in 0..DEEPEST {
            let before = this.sequence.len();
            this.pass();
            if this.sequence.len() == before {
                break;
            }
        }
        this
    }
    /// The items that cover the sequence.
    pub(super) fn items(&self) -> &[Item] {
        &self.sequence
    }
    /// What an item stands for.
    pub(super) fn repetition(&self, item: Item) -> &Repetition {
        &self.repetitions[item]
    }
    /// How many elements it covers.
    pub(super) fn length(&self, item: Item) -> usize {
        self.lengths[item]
    }
    fn intern(&mut self, repetition: Repetition) -> Item {
        if let Some(&item) = self.known.get(&repetition) {
            return item;
        }
        let length = match &repetition {
            Repetition::One(_) => 1,
            Repetition::Repeat { count, items } => {
                count * items.iter().map(|&i| self.lengths[i]).sum::<usize>()
            }
        };
        self.lengths.push(length);
        let item = self.repetitions.push(repetition.clone());
        debug_assert_eq!(item.index() + 1, self.lengths.len());
        self.known.insert(repetition, item);
        item
    }
    fn pass(&mut self) {
        let sequence = std::mem::take(&mut self.sequence);
        let mut at = 0;
        while at < sequence.len() {
            let (period, count) = best_period(&sequence[at..]);
            if count > 1 {
                let items = sequence[at..at + period].to_vec();
                let item = self.intern(Repetition::Repeat { count, items });
                self.sequence.push(item);
            } else {
                self.sequence.push(sequence[at]);
            }
            at += period * count;
        }
    }
}

/// The period at the beginning of `rest` whose repetitions reach furthest (the shortest such), and
/// how often it repeats.
fn best_period(rest: &[Item]) -> (usize, usize) {
    let (mut period, mut count) = (1, 1);
    for candidate in 1..=LONGEST_PERIOD.min(rest.len() / 2) {
        let matching =
            rest.iter().zip(&rest[candidate..]).take_while(|(here, later)| here == later).count();
        let times = 1 + matching / candidate;
        if times > 1 && times * candidate > period * count {
            (period, count) = (candidate, times);
        }
    }
    (period, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shofar_base::Rng;

    fn unfold(folded: &Folded, items: &[Item], out: &mut Vec<usize>) {
        for &item in items {
            match folded.repetition(item) {
                Repetition::One(element) => out.push(*element),
                Repetition::Repeat { count, items } => {
                    (0..*count).for_each(|_| unfold(folded, items, out));
                }
            }
        }
    }

    #[test]
    fn loops_in_loops_become_one_item() {
        let inner = [&[1, 2][..]; 10].concat();
        let outer = [&inner[..], &[3]].concat().repeat(100);
        let folded = Folded::new([&[0][..], &outer, &[4]].concat());
        assert_eq!(folded.items().len(), 3);
        assert_eq!(folded.length(folded.items()[1]), outer.len());
    }

    #[test]
    fn nothing_is_lost() {
        let mut rng = Rng::new(7);
        for _ in 0..300 {
            let mut elements = Vec::new();
            for _ in 0..rng.below(6) {
                let cycle: Vec<usize> = (0..=rng.below(4)).map(|_| rng.below(3)).collect();
                elements.extend(cycle.repeat(1 + rng.below(5)));
            }
            let folded = Folded::new(elements.iter().copied());
            let mut out = Vec::new();
            unfold(&folded, folded.items(), &mut out);
            assert_eq!(out, elements);
            assert_eq!(
                folded.items().iter().map(|&i| folded.length(i)).sum::<usize>(),
                elements.len()
            );
        }
    }

    #[test]
    fn a_million_elements_take_no_time() {
        let folded = Folded::new((0..1_000_000).map(|i| i % 7));
        assert_eq!(folded.items().len(), 2);
    }
}
