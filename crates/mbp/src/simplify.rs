//! Formulas without parts that the other parts make superfluous.
//!
//! Every part of a formula stands in a context: beside it in a conjunction hold the other
//! conjuncts, beside it in a disjunction the other disjuncts do not hold. A part that follows from
//! its context is true there, and one that contradicts it is false there. What is left
//! is equivalent to the formula. The context of a part consists of what has become of the others,
//! so no two parts justify each other's absence.
//!
//! Parts that are hard to read are looked at first, since they are the ones that go if there is a
//! choice. If the budget is used up, the rest of the formula stays as it is.
//!
//! Source: [DDA10] §3, the algorithm for redundancy-free formulas. Symbols: `α` is `context`.
//! DIVERGENCE [DDA10]: a junction is looked at as a whole before its parts are.

use shofar_base::GaveUp;
use shofar_smt::{Answer, Options, Solver};
use shofar_term::size::tree_size;
use shofar_term::tidy::tidy;
use shofar_term::{Cx, Term, TermStore};

/// Larger formulas stay as they are.
const LARGEST: u64 = 4_000;
/// How often the whole formula is looked at, since what goes late may have been in the context of
/// what stayed early.
const ROUNDS: usize = 2;

/// A formula that is equivalent to `formula`, no longer as text, and without superfluous parts as
/// far as the budget allows.
///
/// ```
/// use shofar_base::Budget;
/// use shofar_term::{Cx, Sort, TermStore};
/// let mut store = TermStore::new();
/// let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::INT));
/// let zero = store.int(0);
/// let (first, second) = (store.ge(x, zero), store.ge(y, x));
/// let third = store.ge(y, zero);
/// let all = store.and(&[first, second, third]);
/// let budget = Budget::unlimited();
/// let simple = shofar_mbp::simplify(&mut Cx::new(&mut store, &budget), all);
/// assert_eq!(store.conjuncts(&[simple]).len(), 2);
/// ```
pub fn simplify(cx: &mut Cx<'_>, formula: Term) -> Term {
    let mut best = tidy(cx.store, formula);
    if tree_size(cx.store, &[best]) > LARGEST {
        return best;
    }
    for _ in 0..ROUNDS {
        let less = Pass::new().run(cx, best);
        let next = tidy(cx.store, less);
        if next == best {
            break;
        }
        best = next;
    }
    best
}

/// Conjunction or disjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Junction {
    And,
    Or,
}

/// A junction whose parts are being looked at.
struct Frame {
    junction: Junction,
    /// What has become of the parts; those that are gone are missing.
    parts: Vec<Option<Term>>,
    /// The parts that have not been looked at, the next one last.
    open: Vec<usize>,
    /// The part that is being looked at.
    current: usize,
}

struct Pass {
    solver: Solver,
    frames: Vec<Frame>,
    /// Whether questions can still be asked.
    is_over: bool,
}

impl Pass {
    fn new() -> Self {
        Self { solver: Solver::new(Options::default()), frames: Vec::new(), is_over: false }
    }
    fn run(&mut self, cx: &mut Cx<'_>, root: Term) -> Term {
        let mut done = self.enter(cx, root);
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return done.expect("without frames, the formula is done");
            };
            if let Some(part) = done.take() {
                frame.replace(cx.store, part);
            }
            let Some(next) = frame.open.pop() else {
                let frame = self.frames.pop().expect("there is a last one");
                done = Some(frame.finish(cx.store));
                continue;
            };
            frame.current = next;
            if let Some(part) = frame.parts[next] {
                done = self.enter(cx, part);
            }
        }
    }
    /// What becomes of `part` in its context, if that is known already; else its own parts are
    /// looked at from now on.
    fn enter(&mut self, cx: &mut Cx<'_>, part: Term) -> Option<Term> {
        let context = self.context(cx.store);
        let contrary = cx.store.not(part);
        if self.excludes(cx, &context, contrary) {
            return Some(cx.store.top());
        }
        if self.excludes(cx, &context, part) {
            return Some(cx.store.bottom());
        }
        let Some((junction, parts)) = junction(cx.store, part).filter(|_| !self.is_over) else {
            return Some(part);
        };
        let mut open: Vec<usize> = (0..parts.len()).collect();
        open.sort_by_key(|&i| weight(cx.store, parts[i]));
        let parts = parts.into_iter().map(Some).collect();
        self.frames.push(Frame { junction, parts, open, current: 0 });
        None
    }
    /// What holds wherever the current part matters.
    fn context(&self, store: &mut TermStore) -> Vec<Term> {
        let mut context = Vec::new();
        for frame in &self.frames {
            for (i, part) in frame.parts.iter().enumerate() {
                let Some(part) = part.filter(|_| i != frame.current) else { continue };
                context.push(match frame.junction {
                    Junction::And => part,
                    Junction::Or => store.not(part),
                });
            }
        }
        context
    }
    /// Whether `part` is known to contradict `context`.
    fn excludes(&mut self, cx: &mut Cx<'_>, context: &[Term], part: Term) -> bool {
        if self.is_over {
            return false;
        }
        let assumptions = [context, &[part]].concat();
        match self.solver.check_assuming(cx, &assumptions) {
            Ok(Answer::Unsat(_)) => true,
            Ok(Answer::Sat(_)) => false,
            Err(why) => {
                self.is_over = !matches!(why, GaveUp::Unsupported(_));
                false
            }
        }
    }
}

impl Frame {
    /// Puts what has become of the current part in its place.
    fn replace(&mut self, store: &TermStore, part: Term) {
        let (unit, zero) = match self.junction {
            Junction::And => (store.top(), store.bottom()),
            Junction::Or => (store.bottom(), store.top()),
        };
        self.parts[self.current] = (part != unit).then_some(part);
        if part == zero {
            // It decides the junction, whatever the other parts are.
            self.parts = vec![Some(zero)];
            self.open.clear();
        }
    }
    fn finish(self, store: &mut TermStore) -> Term {
        let parts: Vec<Term> = self.parts.into_iter().flatten().collect();
        match self.junction {
            Junction::And => store.and(&parts),
            Junction::Or => store.or(&parts),
        }
    }
}

/// The parts of a conjunction or disjunction, seen through a negation.
fn junction(store: &mut TermStore, term: Term) -> Option<(Junction, Vec<Term>)> {
    let (inner, negated) = store.strip_not(term);
    let (junction, parts) = if let Some(parts) = store.conjunction(inner) {
        (if negated { Junction::Or } else { Junction::And }, parts.to_vec())
    } else if let Some(parts) = store.disjunction(inner) {
        (if negated { Junction::And } else { Junction::Or }, parts.to_vec())
    } else {
        return None;
    };
    let part = |part: Term| if negated { store.not(part) } else { part };
    Some((junction, parts.into_iter().map(part).collect()))
}

/// How hard a part is to read: most of all if it only says that numbers differ.
fn weight(store: &TermStore, part: Term) -> (bool, u64) {
    let (atom, negated) = store.strip_not(part);
    let is_difference = negated && store.equation(atom).is_some();
    (is_difference, tree_size(store, &[part]))
}
