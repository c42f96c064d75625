//! A hash table of handles, for interning.
//!
//! What a handle stands for lives in the caller's vectors; the table knows its hash and asks the
//! caller whether two things are the same. A slot is the hash and the handle side by side, so that
//! looking one up costs one access to memory, most others are told apart by their hash alone, and
//! growing does not look at what the handles stand for. Slots are probed one after the other; at
//! most two thirds of them are taken.

use std::num::NonZeroU64;

/// A taken slot: the hash, then the handle plus one, so that no slot is zero. Empty tables come
/// zeroed from the system.
type Slot = NonZeroU64;

/// Handles by their hashes; see the module.
#[derive(Clone, Debug)]
pub struct HandleTable {
    /// As many as a power of two.
    slots: Vec<Option<Slot>>,
    taken: usize,
}

/// How many slots an empty table has.
const FEWEST: usize = 16;

impl Default for HandleTable {
    fn default() -> Self {
        Self { slots: vec![None; FEWEST], taken: 0 }
    }
}

impl HandleTable {
    /// The handle with this hash that is the same according to the caller.
    #[inline]
    pub fn find(&self, hash: u32, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        let last = self.slots.len() - 1;
        let mut at = hash as usize;
        while let Some(slot) = self.slots[at & last] {
            if hash_of(slot) == hash {
                let handle = handle_of(slot);
                if same(handle) {
                    return Some(handle);
                }
            }
            at += 1;
        }
        None
    }
    /// Adds a handle that is not in the table. Panics on `u32::MAX`.
    pub fn insert(&mut self, hash: u32, handle: u32) {
        if (self.taken + 1) * 3 > self.slots.len() * 2 {
            self.grow();
        }
        let after = handle.checked_add(1).expect("handles are below the largest number");
        let slot = Slot::new(u64::from(hash) << 32 | u64::from(after));
        place(&mut self.slots, slot.expect("the handle plus one is not zero"));
        self.taken += 1;
    }
    #[cold]
    fn grow(&mut self) {
        let mut slots = vec![None; self.slots.len() * 2];
        for slot in self.slots.iter().flatten() {
            place(&mut slots, *slot);
        }
        self.slots = slots;
    }
}

#[inline]
fn hash_of(slot: Slot) -> u32 {
    (slot.get() >> 32) as u32
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the handle is the lower half")]
fn handle_of(slot: Slot) -> u32 {
    slot.get() as u32 - 1
}

/// Puts a slot where probing finds it.
fn place(slots: &mut [Option<Slot>], slot: Slot) {
    let last = slots.len() - 1;
    let mut at = hash_of(slot) as usize & last;
    while slots[at].is_some() {
        at = (at + 1) & last;
    }
    slots[at] = Some(slot);
}

/// A hash of words, with its bits mixed well enough for [`HandleTable`].
#[derive(Clone, Copy, Debug)]
pub struct WordHash(u64);

impl WordHash {
    /// The hash of a first word.
    #[inline]
    pub fn new(word: u64) -> Self {
        Self(word.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    /// With a further word.
    #[inline]
    #[must_use]
    pub fn word(self, word: u64) -> Self {
        Self((self.0.rotate_left(29) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    /// The hash; the upper half of the product depends on all bits.
    #[inline]
    pub fn finish(self) -> u32 {
        (self.word(self.0 >> 32).0 >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_inserted_is_found() {
        let mut table = HandleTable::default();
        let hash = |k: u32| if k.is_multiple_of(7) { 3 } else { WordHash::new(k.into()).finish() };
        for k in 0..1000 {
            assert_eq!(table.find(hash(k), |handle| handle == k), None);
            table.insert(hash(k), k);
        }
        for k in 0..1000 {
            assert_eq!(table.find(hash(k), |handle| handle == k), Some(k));
        }
        assert_eq!(table.find(hash(5), |_| false), None);
    }

    #[test]
    fn similar_words_have_different_hashes() {
        let mut hashes: Vec<u32> = (0..300u64)
            .flat_map(|a| (0..300u64).map(move |b| WordHash::new(a).word(b << 32).finish()))
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert!(hashes.len() > 89_900, "{} of 90000", hashes.len());
    }
}
