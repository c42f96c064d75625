//! Lemmas by level, and the solvers that know them.
//!
//! A lemma has a [`Bound`]: within a level `l`, it is in every frame up to `l`; always, it is in
//! all of them. One solver per node holds the rules that derive it, each switched by its tag, with
//! the lemmas of the premises and the lemmas of the node itself, each switched by the lowest level
//! that it says something about: its own for the node's lemmas, one more for the premises' lemmas.
//! Nothing is ever removed: a query says by assumptions which levels count. The assumptions that an
//! unsatisfiable query needed tell up to which level the answer is the same.
//!
//! Invariant: a lemma raised to a higher level is asserted again with the new level's switch; the
//! old assertion is weaker and harmless.

use shofar_base::{Idx, IndexVec, Map};
use shofar_smt::{Options, Solver};
use shofar_term::eval::Model;
use shofar_term::substitute::rename;
use shofar_term::{Bound, Level, Sort, Term, TermStore};

use super::rules::{Node, Rules};

/// A lemma of one node: no point of its cube is derivable within its bound.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    /// Literals over the node's formals.
    pub(super) cube: Vec<Term>,
    /// The negation of the cube.
    pub(super) formula: Term,
    pub(super) bound: Bound,
    /// When it got this bound.
    pub(super) since: u64,
    /// Why it could not be raised the last time.
    pub(super) obstacle: Option<Obstacle>,
}

/// A step into a lemma's cube from points that satisfied all lemmas at `when`.
#[derive(Clone, Debug)]
pub(super) struct Obstacle {
    /// The values of the formals of each premise's node, and of the lemma's own node.
    pub(super) points: Vec<(Node, Model)>,
    pub(super) when: u64,
}

/// Whether the lemmas of the node that is asked about count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own {
    /// They do, which makes more obligations blocked.
    Known,
    /// They do not, so that a new lemma does not repeat them.
    Forgotten,
}

/// The solvers of one node, and the levels whose switches they know.
struct Knowledge {
    /// Rules, premises' lemmas and own lemmas.
    steps: Solver,
    /// Own lemmas only.
    points: Solver,
    /// For each level, whether some assertion has its switch.
    levels: IndexVec<Level, bool>,
}

/// All lemmas and the solvers of each node.
pub(super) struct Frames {
    pub(super) lemmas: IndexVec<Node, Vec<Lemma>>,
    knowledge: IndexVec<Node, Knowledge>,
    /// For each level, the truth value that switches it off, and its negation.
    switches: IndexVec<Level, (Term, Term)>,
    level_of: Map<Term, Level>,
    own_off: Term,
    /// Counts changes.
    pub(super) clock: u64,
}

impl Frames {
    pub(super) fn new(store: &mut TermStore, rules: &Rules, seed: u64) -> Self {
        Self {
            lemmas: rules.deriving.iter().map(|_| Vec::new()).collect(),
            knowledge: solvers(store, rules, seed),
            switches: IndexVec::new(),
            level_of: Map::default(),
            own_off: store.var("own-off!", Sort::BOOL),
            clock: 0,
        }
    }
    /// Begins with new solvers, which know the lemmas as they are now and nothing else.
    pub(super) fn renew(&mut self, store: &mut TermStore, rules: &Rules, seed: u64) {
        self.knowledge = solvers(store, rules, seed);
        for node in rules.deriving.handles() {
            for index in 0..self.lemmas[node].len() {
                self.tell(store, rules, node, index);
            }
        }
    }
    /// The solver for steps into `node`.
    pub(super) fn steps(&mut self, node: Node) -> &mut Solver {
        &mut self.knowledge[node].steps
    }
    /// The solver for points of `node`.
    pub(super) fn points(&mut self, node: Node) -> &mut Solver {
        &mut self.knowledge[node].points
    }
    /// The lemmas of `node` at `level` or higher.
    pub(super) fn at(&self, node: Node, level: Level) -> impl Iterator<Item = Term> + '_ {
        self.lemmas[node].iter().filter(move |l| l.bound.reaches(level)).map(|l| l.formula)
    }
    /// Adds a lemma, unless it is known with that bound; raises it if it is known with a lower one.
    /// True if it is new.
    pub(super) fn add(
        &mut self,
        store: &mut TermStore,
        rules: &Rules,
        node: Node,
        cube: Vec<Term>,
        bound: Bound,
    ) -> bool {
        let inside = store.and(&cube);
        let formula = store.not(inside);
        if let Some(index) = self.lemmas[node].iter().position(|l| l.formula == formula) {
            if self.lemmas[node][index].bound < bound {
                self.raise(store, rules, node, index, bound);
            }
            return false;
        }
        let index = self.lemmas[node].len();
        self.lemmas[node].push(Lemma { cube, formula, bound, since: 0, obstacle: None });
        self.raise(store, rules, node, index, bound);
        true
    }
    /// Lifts a lemma to a higher bound.
    pub(super) fn raise(
        &mut self,
        store: &mut TermStore,
        rules: &Rules,
        node: Node,
        index: usize,
        bound: Bound,
    ) {
        self.clock += 1;
        let lemma = &mut self.lemmas[node][index];
        lemma.bound = bound;
        lemma.since = self.clock;
        lemma.obstacle = None;
        self.tell(store, rules, node, index);
    }
    /// Tells the solvers a lemma with its bound.
    fn tell(&mut self, store: &mut TermStore, rules: &Rules, node: Node, index: usize) {
        let Lemma { formula, bound, .. } = self.lemmas[node][index];
        let own_off = self.own_off;
        let own = self.switched(store, node, bound, &[formula, own_off]);
        self.knowledge[node].steps.add(store, own);
        let point = self.switched(store, node, bound, &[formula]);
        self.knowledge[node].points.add(store, point);
        for &(r, j) in &rules.uses[node] {
            let rule = &rules.all[r];
            let said = rename(store, formula, &rules.formals[node], &rule.body[j].formals);
            let (head, not_tag) = (rules.heads[r], store.not(rules.tags[r]));
            let said = self.switched(store, head, bound.next(), &[said, not_tag]);
            self.knowledge[head].steps.add(store, said);
        }
    }
    /// The disjunction of `parts` and the switch of the bound's level in the solvers of `node`.
    fn switched(
        &mut self,
        store: &mut TermStore,
        node: Node,
        bound: Bound,
        parts: &[Term],
    ) -> Term {
        let mut parts = parts.to_vec();
        if let Bound::Within(level) = bound {
            while self.switches.len() <= level.index() {
                let off = store.var(&format!("off!{}", self.switches.len()), Sort::BOOL);
                let on = store.not(off);
                let new = self.switches.push((off, on));
                self.level_of.insert(on, new);
            }
            parts.push(self.switches[level].0);
            let levels = &mut self.knowledge[node].levels;
            if levels.len() <= level.index() {
                levels.resize(level.index() + 1, false);
            }
            levels[level] = true;
        }
        store.or(&parts)
    }
    /// The assumptions that make the solver for points of a node speak of `level`.
    pub(super) fn point_switches(&self, node: Node, level: Level) -> Vec<Term> {
        let mut assumptions = Vec::new();
        let levels = &self.knowledge[node].levels;
        for l in levels.handles().filter(|&l| levels[l]) {
            let (off, on) = self.switches[l];
            assumptions.push(if l >= level { on } else { off });
        }
        assumptions
    }
    /// The assumptions that make the solver for steps into a node speak of `level`: premises within
    /// `level - 1`, only facts at 0. The node's own lemmas take part if `own` says so.
    pub(super) fn step_switches(
        &self,
        store: &mut TermStore,
        rules: &Rules,
        node: Node,
        level: Level,
        own: Own,
    ) -> Vec<Term> {
        let mut assumptions = self.point_switches(node, level);
        assumptions.push(match own {
            Own::Known => store.not(self.own_off),
            Own::Forgotten => self.own_off,
        });
        if level == Level::ZERO {
            for &r in &rules.deriving[node] {
                if !rules.all[r].body.is_empty() {
                    assumptions.push(store.not(rules.tags[r]));
                }
            }
        }
        assumptions
    }
    /// Up to which level a refutation of steps at `level` holds, given the assumptions that it
    /// needed.
    pub(super) fn holds_until(
        &self,
        store: &mut TermStore,
        rules: &Rules,
        (node, level): (Node, Level),
        failed: &[Term],
    ) -> Bound {
        if level == Level::ZERO {
            let tags = rules.deriving[node].iter().filter(|&&r| !rules.all[r].body.is_empty());
            for &r in tags {
                let off = store.not(rules.tags[r]);
                if failed.contains(&off) {
                    return Bound::Within(level);
                }
            }
        }
        let needed = failed.iter().filter_map(|t| self.level_of.get(t)).copied().min();
        needed.map_or(Bound::Always, Bound::Within)
    }
}

/// The solvers of each node, without lemmas.
fn solvers(store: &mut TermStore, rules: &Rules, seed: u64) -> IndexVec<Node, Knowledge> {
    let mut knowledge: IndexVec<Node, Knowledge> = IndexVec::new();
    for derived in &rules.deriving {
        let mut steps = Solver::new(Options { seed, ..Options::with_proofs() });
        let mut tags = Vec::new();
        for &r in derived {
            let switched = store.implies(rules.tags[r], rules.all[r].guard);
            steps.add(store, switched);
            tags.push(rules.tags[r]);
        }
        let some_rule = store.or(&tags);
        steps.add(store, some_rule);
        let points = Solver::new(Options { seed, ..Options::default() });
        knowledge.push(Knowledge { steps, points, levels: IndexVec::new() });
    }
    knowledge
}
