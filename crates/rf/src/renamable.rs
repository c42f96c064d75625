//! Sets of propositional clauses that are Horn but for the signs of some variables.
//!
//! A set of clauses is *renamable-Horn* if flipping the signs of some variables leaves at most one
//! positive literal in each clause. Which variables to flip is a 2-SAT problem: of two literals of
//! a clause, one must become negative. The pairs are said with one further variable for each
//! literal ("a literal before this one is positive"), so their number is linear, and a
//! 2-SAT problem is solved by the components of its graph of implications.
//!
//! Sets without an infinite chain of resolutions with their own clauses are renamable-Horn
//! ([`well_founded`]): the graph with an edge `l → l'` for every clause with `¬l` and `l'` is
//! acyclic, and the variables whose negation comes first in a topological order are flipped. So
//! what interpolation solves, Horn solvers do.
//!
//! Source: [Lew78]; [RHK13b] (well-founded clauses).

use std::collections::BTreeSet;

/// A literal: a variable, counted from 0, and whether it is positive.
pub type Literal = (usize, bool);

/// Whether at most one literal of each clause is positive after the variables in `flipped` have
/// changed their signs.
pub fn is_horn(clauses: &[Vec<Literal>], flipped: &[usize]) -> bool {
    let flipped: BTreeSet<usize> = flipped.iter().copied().collect();
    let is_positive = |&&(variable, sign): &&Literal| sign != flipped.contains(&variable);
    clauses.iter().all(|clause| clause.iter().filter(is_positive).count() <= 1)
}

/// Variables to flip such that the clauses become Horn, if there are any; in linear time.
pub fn renaming(clauses: &[Vec<Literal>]) -> Option<Vec<usize>> {
    let variables = clauses.iter().flatten().map(|&(v, _)| v + 1).max().unwrap_or(0);
    let literals: usize = clauses.iter().map(Vec::len).sum();
    let mut graph = Graph::new(variables + literals);
    let mut next = variables;
    for clause in clauses {
        for (at, &(variable, sign)) in clause.iter().enumerate() {
            // Flipping makes a positive literal negative.
            let positive = node(variable, !sign);
            if at > 0 {
                // No literal before is positive, if this one is.
                graph.imply(positive, node(next - 1, false));
                graph.imply(node(next - 1, true), node(next, true));
            }
            graph.imply(positive, node(next, true));
            next += 1;
        }
    }
    let component = graph.components();
    let mut flipped = Vec::new();
    for variable in 0..variables + literals {
        let (yes, no) = (component[node(variable, true)], component[node(variable, false)]);
        if yes == no {
            return None;
        }
        // What is implied has a lower number, and no literal that is true implies its negation.
        if variable < variables && yes < no {
            flipped.push(variable);
        }
    }
    Some(flipped)
}

/// Variables to flip such that clauses without infinite chains of resolutions become Horn; nothing
/// if there may be such chains.
pub fn well_founded(clauses: &[Vec<Literal>]) -> Option<Vec<usize>> {
    let variables = clauses.iter().flatten().map(|&(v, _)| v + 1).max().unwrap_or(0);
    let mut graph = Graph::new(variables);
    for clause in clauses {
        for (at, &(variable, sign)) in clause.iter().enumerate() {
            for (_, &(other, other_sign)) in clause.iter().enumerate().filter(|&(o, _)| o != at) {
                graph.edges[node(variable, !sign)].push(node(other, other_sign));
            }
        }
    }
    let component = graph.components();
    let mut seen = vec![false; component.len()];
    for &number in &component {
        if std::mem::replace(&mut seen[number], true) {
            return None;
        }
    }
    let has_loop = |at: usize| graph.edges[at].contains(&at);
    if (0..component.len()).any(has_loop) {
        return None;
    }
    // A higher number comes first.
    let is_flipped = |&v: &usize| component[node(v, false)] > component[node(v, true)];
    Some((0..variables).filter(is_flipped).collect())
}

/// The node of a literal.
fn node(variable: usize, sign: bool) -> usize {
    2 * variable + usize::from(sign)
}

/// A graph on literals.
struct Graph {
    edges: Vec<Vec<usize>>,
}

impl Graph {
    fn new(variables: usize) -> Self {
        Self { edges: vec![Vec::new(); 2 * variables] }
    }
    /// One literal implies another, and the negations the other way round.
    fn imply(&mut self, premise: usize, conclusion: usize) {
        self.edges[premise].push(conclusion);
        self.edges[conclusion ^ 1].push(premise ^ 1);
    }
    /// The strongly connected component of each node: two walks in depth, the second against the
    /// edges. What is implied has a lower number.
    fn components(&self) -> Vec<usize> {
        let mut reversed = vec![Vec::new(); self.edges.len()];
        for (from, targets) in self.edges.iter().enumerate() {
            for &to in targets {
                reversed[to].push(from);
            }
        }
        let mut order = Vec::with_capacity(self.edges.len());
        let mut seen = vec![false; self.edges.len()];
        for root in 0..self.edges.len() {
            walk(&reversed, root, &mut seen, &mut order);
        }
        let mut component = vec![0; self.edges.len()];
        let mut seen = vec![false; self.edges.len()];
        let mut count = 0;
        for &root in order.iter().rev() {
            let mut members = Vec::new();
            walk(&self.edges, root, &mut seen, &mut members);
            count += usize::from(!members.is_empty());
            for member in members {
                component[member] = count - 1;
            }
        }
        component
    }
}

/// Adds the nodes that can be reached from `root` and have not been seen, each when it is left.
fn walk(edges: &[Vec<usize>], root: usize, seen: &mut [bool], left: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[root], true) {
        return;
    }
    let mut path = vec![(root, 0)];
    while let Some((at, next)) = path.last_mut() {
        if let Some(&to) = edges[*at].get(*next) {
            *next += 1;
            if !std::mem::replace(&mut seen[to], true) {
                path.push((to, 0));
            }
        } else {
            left.push(*at);
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Rng;

    use super::*;

    /// Clauses as words of literals, upper case negated.
    fn clauses(text: &str) -> Vec<Vec<Literal>> {
        let literal = |c: char| {
            let letter = u32::from(c.to_ascii_lowercase()) - u32::from('a');
            (usize::try_from(letter).expect("a letter"), c.is_ascii_lowercase())
        };
        text.split_whitespace().map(|word| word.chars().map(literal).collect()).collect()
    }

    fn letters(text: &str) -> Vec<usize> {
        clauses(text).concat().into_iter().map(|(variable, _)| variable).collect()
    }

    #[test]
    fn examples() {
        let set = clauses("xYZ yz X");
        assert!(is_horn(&set, &letters("xy")) && !is_horn(&set, &[]));
        assert!(is_horn(&set, &renaming(&set).expect("it is renamable")));
        assert_eq!(renaming(&clauses("xyz XYZ")), None);
        let terminating = clauses("As aP pB bpr Pq");
        assert!(is_horn(&terminating, &letters("sqrap")));
        let flipped = well_founded(&terminating).expect("no chain is infinite");
        assert!(is_horn(&terminating, &flipped));
        assert!(is_horn(&terminating, &renaming(&terminating).expect("it is renamable")));
        assert_eq!(well_founded(&clauses("aB bA")), None);
    }

    /// Against all ways to flip.
    #[test]
    fn random_sets() {
        let mut rng = Rng::new(23);
        let (mut some, mut none, mut founded) = (0, 0, 0);
        for _ in 0..2_000 {
            let set: Vec<Vec<Literal>> = (0..2 + rng.below(6))
                .map(|_| (0..=rng.below(4)).map(|_| (rng.below(5), rng.chance(50))).collect())
                .collect();
            let ways = (0..32_usize).map(|bits| (0..5).filter(|v| bits >> v & 1 == 1).collect());
            let is_renamable = ways.into_iter().any(|flipped: Vec<usize>| is_horn(&set, &flipped));
            let found = renaming(&set);
            assert_eq!(found.is_some(), is_renamable, "{set:?}");
            if let Some(flipped) = &found {
                assert!(is_horn(&set, flipped), "{set:?}");
                some += 1;
            } else {
                none += 1;
            }
            if let Some(flipped) = well_founded(&set) {
                assert!(is_horn(&set, &flipped), "{set:?}");
                founded += 1;
            }
        }
        assert!(some > 100 && none > 100 && founded > 20, "{some}, {none}, {founded}");
    }
}
