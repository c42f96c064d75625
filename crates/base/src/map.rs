//! Hash maps and sets that cannot be iterated over.
//!
//! The order in a hash table depends on the history of the table and on the hash function, and
//! would make runs depend on both. So [`Map`] and [`Set`] offer what is independent of it: looking
//! up, and all entries in the order of their keys. The hash function is fast and fixed, so that the
//! same run takes the same time.
//!
//! Invariant: nothing here gives away the order of the table. `retain` calls its predicate in that
//! order, but takes it by shared reference, so that the predicate keeps no record.

use std::borrow::Borrow;
use std::hash::{BuildHasher as _, Hash};
use std::ops::Index;

use hashbrown::hash_map::Entry;
use rustc_hash::FxBuildHasher;

/// A hash map without iteration.
#[derive(Clone, Debug)]
pub struct Map<K, V>(hashbrown::HashMap<K, V, FxBuildHasher>);

/// A hash set without iteration.
#[derive(Clone, Debug)]
pub struct Set<K>(hashbrown::HashSet<K, FxBuildHasher>);

/// The hash that [`Map`] and [`Set`] use; the same in every run.
pub fn fixed_hash(value: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}

impl<K, V> Default for Map<K, V> {
    #[inline]
    fn default() -> Self {
        Self(hashbrown::HashMap::default())
    }
}

impl<K, V> Map<K, V> {
    /// How many entries there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Removes all entries.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<K: Eq + Hash, V> Map<K, V> {
    /// An empty map with room for so many entries.
    pub fn with_capacity(entries: usize) -> Self {
        Self(hashbrown::HashMap::with_capacity_and_hasher(entries, FxBuildHasher))
    }
    /// The value of `key`.
    #[inline]
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.0.get(key)
    }
    /// The value of `key`, to be changed.
    #[inline]
    pub fn get_mut<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        self.0.get_mut(key)
    }
    /// Whether `key` has a value.
    #[inline]
    pub fn contains_key<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains_key(key)
    }
    /// Gives `key` a value, and returns the one that it had.
    #[inline]
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.0.insert(key, value)
    }
    /// Takes the value of `key` out.
    #[inline]
    pub fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.0.remove(key)
    }
    /// The place of `key`, with a value or without.
    #[inline]
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V, FxBuildHasher> {
        self.0.entry(key)
    }
    /// Prepares for so many more entries.
    pub fn reserve(&mut self, entries: usize) {
        self.0.reserve(entries);
    }
    /// Keeps the entries for which `keep` holds.
    pub fn retain(&mut self, keep: impl Fn(&K, &V) -> bool) {
        self.0.retain(|key, value| keep(key, value));
    }
    /// Changes every value by itself.
    pub fn update(&mut self, change: impl Fn(&mut V)) {
        self.0.values_mut().for_each(change);
    }
    /// Whether `holds` is true of every entry.
    pub fn all(&self, holds: impl Fn(&K, &V) -> bool) -> bool {
        self.0.iter().all(|(key, value)| holds(key, value))
    }
    /// Whether `holds` is true of some entry.
    pub fn any(&self, holds: impl Fn(&K, &V) -> bool) -> bool {
        self.0.iter().any(|(key, value)| holds(key, value))
    }
}

impl<K: Ord, V> Map<K, V> {
    /// The entries in the order of their keys.
    pub fn sorted(&self) -> Vec<(&K, &V)> {
        let mut entries: Vec<(&K, &V)> = self.0.iter().collect();
        entries.sort_unstable_by_key(|&(key, _)| key);
        entries
    }
    /// The entries in the order of their keys, given away.
    pub fn into_sorted(self) -> Vec<(K, V)> {
        let mut entries: Vec<(K, V)> = self.0.into_iter().collect();
        entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        entries
    }
}

impl<K: Eq + Hash, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K: Eq + Hash, V: Eq> Eq for Map<K, V> {}

impl<K: Eq + Hash + Borrow<Q>, Q: Eq + Hash + ?Sized, V> Index<&Q> for Map<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, key: &Q) -> &V {
        &self.0[key]
    }
}

impl<K: Eq + Hash, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}

impl<K: Eq + Hash, V> Extend<(K, V)> for Map<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        self.0.extend(entries);
    }
}

impl<K> Default for Set<K> {
    #[inline]
    fn default() -> Self {
        Self(hashbrown::HashSet::default())
    }
}

impl<K> Set<K> {
    /// How many members there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// Removes all members.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<K: Eq + Hash> Set<K> {
    /// An empty set with room for so many members.
    pub fn with_capacity(members: usize) -> Self {
        Self(hashbrown::HashSet::with_capacity_and_hasher(members, FxBuildHasher))
    }
    /// Adds a member; false if it was one.
    #[inline]
    pub fn insert(&mut self, member: K) -> bool {
        self.0.insert(member)
    }
    /// Whether `member` is one.
    #[inline]
    pub fn contains<Q: Eq + Hash + ?Sized>(&self, member: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.contains(member)
    }
    /// The member that equals `member`.
    #[inline]
    pub fn get<Q: Eq + Hash + ?Sized>(&self, member: &Q) -> Option<&K>
    where
        K: Borrow<Q>,
    {
        self.0.get(member)
    }
    /// Takes `member` out; false if it was none.
    #[inline]
    pub fn remove<Q: Eq + Hash + ?Sized>(&mut self, member: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.0.remove(member)
    }
    /// Keeps the members for which `keep` holds.
    pub fn retain(&mut self, keep: impl Fn(&K) -> bool) {
        self.0.retain(|member| keep(member));
    }
    /// Whether every member is one of `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.is_subset(&other.0)
    }
    /// Whether no member is one of `other`.
    pub fn is_disjoint(&self, other: &Self) -> bool {
        self.0.is_disjoint(&other.0)
    }
}

impl<K: Ord> Set<K> {
    /// The members in order.
    pub fn sorted(&self) -> Vec<&K> {
        let mut members: Vec<&K> = self.0.iter().collect();
        members.sort_unstable();
        members
    }
    /// The members in order, given away.
    pub fn into_sorted(self) -> Vec<K> {
        let mut members: Vec<K> = self.0.into_iter().collect();
        members.sort_unstable();
        members
    }
}

impl<K: Eq + Hash> PartialEq for Set<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K: Eq + Hash> Eq for Set<K> {}

impl<K: Eq + Hash> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(members: I) -> Self {
        Self(members.into_iter().collect())
    }
}

impl<K: Eq + Hash> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, members: I) {
        self.0.extend(members);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_in_order() {
        let keys = [9, 4, 7, 1, 250, 3];
        let map: Map<u32, u32> = keys.iter().map(|&key| (key, key * 2)).collect();
        let sorted: Vec<u32> = map.sorted().into_iter().map(|(&key, _)| key).collect();
        assert_eq!(sorted, [1, 3, 4, 7, 9, 250]);
        assert_eq!(map.into_sorted()[5], (250, 500));
        let set: Set<u32> = keys.into_iter().collect();
        assert_eq!(set.sorted().len(), 6);
        assert_eq!(set.into_sorted(), [1, 3, 4, 7, 9, 250]);
    }
}
