//! Which literals of a cube are worth dropping.
//!
//! A literal that many lemmas needed is probably needed by the next one too. So the least active
//! literals are tried first, while the cube is large and a success saves most; and a literal that
//! was refused often in a row is tried only now and then. Activity counts the lemmas that a literal
//! is in, recent ones more.
//!
//! Source: [Bra11] for dropping literals one by one; implementations of it often count like this.
//! The limit is ours.

use shofar_base::Map;
use shofar_term::Term;

use super::rules::Node;

/// How much more the next lemma counts than the last.
const GROWTH: f64 = 1.05;
/// Activities above this are scaled down.
const LARGEST: f64 = 1e100;
/// How often in a row a literal is refused before it is tried less.
const REFUSALS: u32 = 8;
/// How rarely it is tried then.
const RARELY: u32 = 4;

/// What is known about the literals of cubes.
#[derive(Debug)]
pub(super) struct Activity {
    of: Map<(Node, Term), Record>,
    increment: f64,
}

#[derive(Clone, Debug, Default)]
struct Record {
    activity: f64,
    /// How often in a row it could not be dropped, or was not tried.
    refusals: u32,
}

impl Default for Activity {
    fn default() -> Self {
        Self { of: Map::default(), increment: 1.0 }
    }
}

impl Activity {
    /// Puts the literals of a cube in the order in which they are to be tried.
    pub(super) fn sort(&self, node: Node, cube: &mut [Term]) {
        let activity = |t: &Term| self.of.get(&(node, *t)).map_or(0.0, |r| r.activity);
        cube.sort_by(|a, b| activity(a).total_cmp(&activity(b)));
    }
    /// Whether it is worth a query whether the literal can be dropped; counts as a refusal if not.
    pub(super) fn is_hopeful(&mut self, node: Node, literal: Term) -> bool {
        let record = self.of.entry((node, literal)).or_default();
        if record.refusals < REFUSALS || record.refusals.is_multiple_of(RARELY) {
            return true;
        }
        record.refusals += 1;
        false
    }
    /// Remembers whether the literal could be dropped.
    pub(super) fn tried(&mut self, node: Node, literal: Term, dropped: bool) {
        let record = self.of.entry((node, literal)).or_default();
        record.refusals = if dropped { 0 } else { record.refusals + 1 };
    }
    /// Remembers the literals of a lemma.
    pub(super) fn used(&mut self, node: Node, cube: &[Term]) {
        for &literal in cube {
            self.of.entry((node, literal)).or_default().activity += self.increment;
        }
        self.increment *= GROWTH;
        if self.increment > LARGEST {
            self.of.update(|record| record.activity /= LARGEST);
            self.increment /= LARGEST;
        }
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Idx;
    use shofar_term::{Sort, TermStore};

    use super::*;

    #[test]
    fn what_lemmas_need_is_tried_last() {
        let mut s = TermStore::new();
        let [a, b, c] = ["a", "b", "c"].map(|n| s.var(n, Sort::BOOL));
        let (node, other) = (Node::from_index(0), Node::from_index(1));
        let mut activity = Activity::default();
        activity.used(node, &[a, b]);
        activity.used(node, &[a]);
        activity.used(other, &[c]);
        let mut cube = vec![a, b, c];
        activity.sort(node, &mut cube);
        assert_eq!(cube, [c, b, a]);
        for _ in 0..100_000 {
            activity.used(node, &[c]);
        }
        activity.sort(node, &mut cube);
        assert_eq!(cube[2], c, "recent lemmas count more, for any number of them");
    }

    #[test]
    fn what_is_refused_often_is_tried_rarely() {
        let mut s = TermStore::new();
        let a = s.var("a", Sort::BOOL);
        let node = Node::from_index(0);
        let mut activity = Activity::default();
        let mut asked = 0;
        for _ in 0..40 {
            if activity.is_hopeful(node, a) {
                asked += 1;
                activity.tried(node, a, false);
            }
        }
        assert_eq!(asked, REFUSALS + (40 - REFUSALS) / RARELY);
        activity.tried(node, a, true);
        assert!(activity.is_hopeful(node, a), "it begins anew");
        activity.tried(node, a, false);
        assert!(activity.is_hopeful(node, a));
    }
}
