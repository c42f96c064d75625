//! Interpolants of proofs by congruence.
//!
//! Every step of a path is given to a side that has the symbols of both its ends. A step by
//! congruence between a term of A and a term of B is divided by an application to shared terms: the
//! paths between their arguments change sides somewhere, and where they do they pass through a
//! shared term. Then each stretch of a path that belongs to one side and is used by the other one
//! has shared ends, so it proves a shared equality. A's stretches prove theirs from equalities that
//! B's stretches prove, and vice versa; the conjunction of what A proves,
//! `premises by B → conclusion`, is the interpolant.
//!
//! A literal counts for its label. If its atom is shared but the terms that it equates belong to
//! the other side only (as `x = y` does for `x + z` and `y + z`), the literal itself is what the
//! sides tell each other.
//!
//! Invariant: what crosses between the sides is a formula over shared symbols. Invariant: a path
//! refers to earlier ones.
//!
//! Source: [FGGKT12] §4 and §5 (coloured congruence graphs, and how to colour them by shared
//! applications); the division into what the sides prove for each other is the one that [McM05]
//! makes of its rules for equality. DIVERGENCE [FGGKT12] §5: premises are gathered for each stretch
//! at once, not by the mutual recursion of the paper, so that depth is no limit.

use std::collections::BTreeSet;

use shofar_base::{Map, Set};
use shofar_term::{Term, TermStore};

use super::certificate::{Clash, Congruence, Path, Why};
use crate::theory::{Color, Coloring, Labelled, Side};

/// A step that belongs to one side.
#[derive(Clone, Debug)]
struct Step {
    side: Side,
    why: Why,
}

/// A path whose steps have sides; there is one term more than there are steps.
#[derive(Clone, Debug)]
struct Colored {
    terms: Vec<Term>,
    steps: Vec<Step>,
}

/// Consecutive steps of one side: the path, and the range of steps.
type Stretch = (usize, usize, usize);

fn other(side: Side) -> Side {
    match side {
        Side::A => Side::B,
        Side::B => Side::A,
    }
}

fn has_all(color: Color, side: Side) -> bool {
    match color {
        Color::Shared => true,
        Color::A => side == Side::A,
        Color::B => side == Side::B,
        Color::Mixed => false,
    }
}

struct Walk<'w> {
    store: &'w mut TermStore,
    literals: &'w [Labelled],
    coloring: &'w mut dyn Coloring,
    paths: Vec<Colored>,
    /// What a side needs from the other one to prove that the ends of a path are equal.
    premises: Map<(usize, Side), BTreeSet<Term>>,
    /// Stretches that a side has to prove for the other one.
    open: Vec<(Stretch, Side)>,
    known: Set<(Stretch, Side)>,
    conjuncts: Vec<Term>,
    /// The applications to shared terms that divide steps.
    middles: Vec<Term>,
}

/// The applications to shared terms that divide the steps of a proof between the sides; terms
/// without a side are shared.
pub(super) fn middles(
    store: &mut TermStore,
    proof: &Congruence,
    side: &Map<Term, Side>,
) -> Vec<Term> {
    struct Sides<'s>(&'s Map<Term, Side>);
    impl Coloring for Sides<'_> {
        fn color(&mut self, _: &TermStore, term: Term) -> Color {
            self.0.get(&term).map_or(Color::Shared, |side| match side {
                Side::A => Color::A,
                Side::B => Color::B,
            })
        }
    }
    let steps = proof.paths.iter().flat_map(Path::steps);
    let mut literals: Vec<Labelled> = Vec::new();
    for (from, edge) in steps {
        if let Why::Literal(i) = edge.why {
            let in_b = [from, edge.to].iter().any(|t| side.get(t) == Some(&Side::B));
            let side = if in_b { Side::B } else { Side::A };
            let literal = Labelled { atom: store.top(), positive: true, side };
            literals.resize(literals.len().max(i + 1), literal);
            literals[i] = literal;
        }
    }
    let mut coloring = Sides(side);
    let mut walk = Walk::new(store, &literals, &mut coloring);
    walk.color(proof);
    walk.middles
}

/// An interpolant of the literals of A and those of B.
pub(super) fn interpolate(
    store: &mut TermStore,
    literals: &[Labelled],
    proof: &Congruence,
    coloring: &mut dyn Coloring,
) -> Term {
    if literals.iter().all(|l| l.side == Side::B) {
        return store.top();
    }
    if literals.iter().all(|l| l.side == Side::A) {
        return store.bottom();
    }
    let mut walk = Walk::new(store, literals, coloring);
    walk.color(proof);
    walk.contradict(proof.clash);
    while let Some((stretch, side)) = walk.open.pop() {
        walk.prove(stretch, side);
    }
    walk.store.and(&walk.conjuncts)
}

impl<'w> Walk<'w> {
    fn new(
        store: &'w mut TermStore,
        literals: &'w [Labelled],
        coloring: &'w mut dyn Coloring,
    ) -> Self {
        Self {
            store,
            literals,
            coloring,
            paths: Vec::new(),
            premises: Map::default(),
            open: Vec::new(),
            known: Set::default(),
            conjuncts: Vec::new(),
            middles: Vec::new(),
        }
    }
    /// Gives sides to all steps.
    fn color(&mut self, proof: &Congruence) {
        let mut place = Vec::with_capacity(proof.paths.len());
        for path in &proof.paths {
            let colored = self.colored(path, &place);
            place.push(self.paths.len());
            self.paths.push(colored);
        }
    }
    fn knows(&mut self, side: Side, terms: [Term; 2]) -> bool {
        terms.into_iter().all(|t| has_all(self.coloring.color(self.store, t), side))
    }
    fn is_shared(&mut self, term: Term) -> bool {
        self.coloring.color(self.store, term) == Color::Shared
    }
    /// The path with sides; `place` says where its earlier paths are now.
    fn colored(&mut self, path: &Path, place: &[usize]) -> Colored {
        let mut colored = Colored { terms: vec![path.from], steps: Vec::new() };
        for (from, edge) in path.steps() {
            match &edge.why {
                Why::Literal(i) => {
                    let label = self.literals[*i].side;
                    let fits = self.knows(label, [from, edge.to]);
                    let side = if fits { label } else { other(label) };
                    colored.steps.push(Step { side, why: edge.why.clone() });
                }
                Why::Congruent(args) => {
                    let args: Vec<Option<usize>> =
                        args.iter().map(|a| a.map(|p| place[p])).collect();
                    self.color_congruence(&mut colored, [from, edge.to], args);
                }
            }
            colored.terms.push(edge.to);
        }
        colored
    }
    fn color_congruence(&mut self, path: &mut Colored, ends: [Term; 2], args: Vec<Option<usize>>) {
        let fits = [Side::A, Side::B].map(|side| self.knows(side, ends));
        let in_a = |p: &usize| self.paths[*p].steps.iter().all(|step| step.side == Side::A);
        let side = match fits {
            [true, true] if args.iter().flatten().all(in_a) => Side::A,
            [_, true] => Side::B,
            [true, false] => Side::A,
            [false, false] => return self.divide(path, ends, &args),
        };
        path.steps.push(Step { side, why: Why::Congruent(args.into()) });
    }
    /// Divides a step by congruence between terms of different sides by an application to shared
    /// terms.
    fn divide(&mut self, path: &mut Colored, ends: [Term; 2], args: &[Option<usize>]) {
        let [left, right] = ends.map(|t| self.store.children(t).to_vec());
        let first = if self.knows(Side::A, [ends[0]; 2]) { Side::A } else { Side::B };
        // Only an atom that mixes sides leads from one to the other without a shared term between;
        // where such atoms are possible, interpolants are not made of the paths, and the
        // step stays whole.
        let mut places = Vec::with_capacity(args.len());
        for arg in args {
            let place = arg.map(|p| self.shared_term(p));
            if place == Some(None) {
                path.steps.push(Step { side: first, why: Why::Congruent(args.into()) });
                return;
            }
            places.push(place.flatten());
        }
        let (mut middle, mut before, mut behind) = (Vec::new(), Vec::new(), Vec::new());
        for (i, arg) in args.iter().enumerate() {
            let Some(p) = *arg else {
                middle.push(left[i]);
                before.push(None);
                behind.push(None);
                continue;
            };
            let at = places[i].expect("a path between the sides passes through a shared term");
            middle.push(self.paths[p].terms[at]);
            let (head, tail) = self.cut(p, at);
            let forward = self.paths[p].terms[0] == left[i];
            debug_assert!(forward || self.paths[p].terms[0] == right[i]);
            before.push(if forward { head } else { tail });
            behind.push(if forward { tail } else { head });
        }
        let middle = self.store.rebuild(ends[0], &middle);
        self.middles.push(middle);
        path.steps.push(Step { side: first, why: Why::Congruent(before.into()) });
        path.terms.push(middle);
        path.steps.push(Step { side: other(first), why: Why::Congruent(behind.into()) });
    }
    fn shared_term(&mut self, path: usize) -> Option<usize> {
        let count = self.paths[path].terms.len();
        (0..count).find(|&at| self.is_shared(self.paths[path].terms[at]))
    }
    /// The paths up to the term with this index and from it on; nothing where no step is left.
    fn cut(&mut self, path: usize, at: usize) -> (Option<usize>, Option<usize>) {
        let Colored { terms, steps } = self.paths[path].clone();
        let mut piece = |terms: &[Term], steps: &[Step]| {
            (!steps.is_empty()).then(|| {
                self.paths.push(Colored { terms: terms.to_vec(), steps: steps.to_vec() });
                self.paths.len() - 1
            })
        };
        (piece(&terms[..=at], &steps[..at]), piece(&terms[at..], &steps[at..]))
    }

    /// Proves the contradiction at the end of the last path.
    fn contradict(&mut self, clash: Clash) {
        let last = self.paths.len() - 1;
        let ends =
            [self.paths[last].terms[0], *self.paths[last].terms.last().expect("has a start")];
        let in_a = self.knows(Side::A, ends);
        let mut premises = BTreeSet::new();
        let side = match clash {
            Clash::Values => {
                let all_in_b = self.knows(Side::B, ends);
                if in_a && !all_in_b { Side::A } else { Side::B }
            }
            Clash::Literal(i) => {
                let label = self.literals[i].side;
                let side = if self.knows(label, ends) { label } else { other(label) };
                self.tell(i, side, &mut premises);
                side
            }
        };
        premises.extend(self.premises_of(last, side));
        self.conclude(premises, self.store.bottom(), side);
    }
    /// Proves that the ends of a stretch are equal, for the other side.
    fn prove(&mut self, (path, from, to): Stretch, side: Side) {
        let mut premises = BTreeSet::new();
        for at in from..to {
            self.add_step_premises(path, at, side, &mut premises);
        }
        let (first, last) = (self.paths[path].terms[from], self.paths[path].terms[to]);
        let conclusion = self.store.eq(first, last);
        self.conclude(premises, conclusion, side);
    }
    fn conclude(&mut self, premises: BTreeSet<Term>, conclusion: Term, side: Side) {
        if side == Side::A {
            let premises: Vec<Term> = premises.into_iter().collect();
            let premise = self.store.and(&premises);
            let conjunct = self.store.implies(premise, conclusion);
            self.conjuncts.push(conjunct);
        }
    }
    /// Uses a literal on `side`: if it counts for the other one, that one has to say so.
    fn tell(&mut self, literal: usize, side: Side, premises: &mut BTreeSet<Term>) {
        let Labelled { atom, positive, side: label } = self.literals[literal];
        if label == side {
            return;
        }
        let formula = if positive { atom } else { self.store.not(atom) };
        match label {
            Side::A => self.conjuncts.push(formula),
            Side::B => {
                premises.insert(formula);
            }
        }
    }
    /// What `side` needs for one of its own steps; the premises of its arguments are there.
    fn add_step_premises(
        &mut self,
        path: usize,
        at: usize,
        side: Side,
        premises: &mut BTreeSet<Term>,
    ) {
        let why = self.paths[path].steps[at].why.clone();
        match why {
            Why::Literal(i) => self.tell(i, side, premises),
            Why::Congruent(args) => {
                for &arg in args.iter().flatten() {
                    premises.extend(self.premises_of(arg, side));
                }
            }
        }
    }
    /// What `side` needs to prove that the ends of a path, which it knows, are equal.
    fn premises_of(&mut self, path: usize, side: Side) -> BTreeSet<Term> {
        let mut stack = vec![path];
        while let Some(&p) = stack.last() {
            if self.premises.contains_key(&(p, side)) {
                stack.pop();
                continue;
            }
            let missing = self.missing_arguments(p, side);
            if missing.is_empty() {
                let premises = self.gather(p, side);
                self.premises.insert((p, side), premises);
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        self.premises[&(path, side)].clone()
    }
    fn missing_arguments(&self, path: usize, side: Side) -> Vec<usize> {
        let own = self.paths[path].steps.iter().filter(|step| step.side == side);
        let mut missing = Vec::new();
        for step in own {
            if let Why::Congruent(args) = &step.why {
                let open = |p: &&usize| !self.premises.contains_key(&(**p, side));
                missing.extend(args.iter().flatten().filter(open));
            }
        }
        missing
    }
    /// Gathers the premises of the own steps, and leaves the stretches of the other side to that
    /// side.
    fn gather(&mut self, path: usize, side: Side) -> BTreeSet<Term> {
        let mut premises = BTreeSet::new();
        let count = self.paths[path].steps.len();
        let mut at = 0;
        while at < count {
            if self.paths[path].steps[at].side == side {
                self.add_step_premises(path, at, side, &mut premises);
                at += 1;
                continue;
            }
            let from = at;
            while at < count && self.paths[path].steps[at].side != side {
                at += 1;
            }
            let stretch = (path, from, at);
            if self.known.insert((stretch, other(side))) {
                self.open.push((stretch, other(side)));
            }
            if side == Side::A {
                let ends = (self.paths[path].terms[from], self.paths[path].terms[at]);
                let premise = self.store.eq(ends.0, ends.1);
                premises.insert(premise);
            }
        }
        premises
    }
}
