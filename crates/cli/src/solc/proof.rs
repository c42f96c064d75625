//! Refutations in the form of z3's proofs, as far as Solidity's compiler reads them.
//!
//! ```text
//! ((proof (mp NODE true false)))      NODE ::= ((_ hyper-res 0) true NODE* FACT)      FACT ::= pred | (pred value*)
//! ```
//! A node derives its fact from those of the nodes in it. The compiler looks at no more than that:
//! it takes neither notice of the clauses, in whose place stands `true`, nor of the steps that lead
//! from the first node to `false`. From the facts of the predicates that it has made it reads the
//! transactions of a counterexample.
//!
//! The text is a tree: the compiler expands what is shared by `let` before it looks. So a
//! derivation with much sharing, or a deep one, on which the compiler would run out of its stack,
//! is cut: nodes at some depth stand without those in them. The first node and those in it are
//! never cut, because the compiler fails if they lack the called function.
//!
//! Invariant: what is cut is the past; the last transactions are there.

use std::collections::BTreeMap;

use shofar_chc::{ChcSystem, Derivation};
use shofar_term::TermStore;
use shofar_term::print::quote;
use shofar_term::value::print_value;

/// So many nodes may be inside each other. The compiler in WebAssembly can cope with a thousand,
/// and fails at four thousand.
const DEEPEST: usize = 800;
/// So many nodes may be written, unless a node with those in it has more.
const MOST: u64 = 100_000;

/// `derivation`, a refutation of `system`, as the compiler reads it.
pub(super) fn print(store: &TermStore, system: &ChcSystem, derivation: &Derivation) -> String {
    let last = derivation.steps.len() - 1;
    // A query of the compiler is about one predicate.
    let root = match derivation.steps[last].premises[..] {
        [premise] => premise,
        _ => last,
    };
    let depth = depth(derivation, root);
    let mut facts: Vec<Option<String>> = vec![None; derivation.steps.len()];
    let mut out = String::from("((proof (mp");
    let mut work = vec![Piece::Open(root, 0)];
    while let Some(piece) = work.pop() {
        match piece {
            Piece::Open(step, level) => {
                out.push_str(" ((_ hyper-res 0) true");
                work.push(Piece::Close(step));
                if level < depth {
                    let premises = derivation.steps[step].premises.iter().rev();
                    work.extend(premises.map(|&premise| Piece::Open(premise, level + 1)));
                }
            }
            Piece::Close(step) => {
                let fact = || fact(store, system, derivation, step);
                out.push(' ');
                out.push_str(facts[step].get_or_insert_with(fact));
                out.push(')');
            }
        }
    }
    out.push_str(" true false)))\n");
    out
}

/// A part of the text that is still to be written.
enum Piece {
    /// The node of a step at some depth.
    Open(usize, usize),
    /// The fact of a step, which ends its node.
    Close(usize),
}

/// At which depth the tree is cut.
fn depth(derivation: &Derivation, root: usize) -> usize {
    // How often each step occurs at a level.
    let mut level: BTreeMap<usize, u64> = BTreeMap::from([(root, 1)]);
    let mut count: u64 = 1;
    for depth in 0..DEEPEST {
        let mut next: BTreeMap<usize, u64> = BTreeMap::new();
        for (&step, &times) in &level {
            for &premise in &derivation.steps[step].premises {
                let known = next.entry(premise).or_default();
                *known = known.saturating_add(times);
                count = count.saturating_add(times);
            }
        }
        if next.is_empty() || count > MOST {
            return depth.max(1);
        }
        level = next;
    }
    DEEPEST
}

/// What a step derives.
fn fact(store: &TermStore, system: &ChcSystem, derivation: &Derivation, step: usize) -> String {
    let fact = derivation.fact(store, system, step).expect("what was validated has values");
    let Some((pred, values)) = fact else {
        return "false".to_owned();
    };
    let name = quote(store.name(system.symbol(pred)));
    if values.is_empty() {
        return name.into_owned();
    }
    let sorts = system.sorts(store, pred);
    let values = values.iter().zip(sorts).map(|(value, &sort)| print_value(store, value, sort));
    format!("({name} {})", values.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use shofar::{Answer, Problem, Solver};

    use super::*;

    fn proof(text: &str) -> String {
        let outcome = Solver::new().solve(Problem::from_text(text.as_bytes()).unwrap());
        let Answer::Unsafe(refutation) = outcome.answer else { panic!("{text} is unsafe") };
        crate::solc::print_proof(&refutation)
    }

    #[test]
    fn a_tree_of_facts() {
        let text = "(set-logic HORN)
            (declare-fun |p 1| (Int Bool) Bool) (declare-fun error () Bool)
            (assert (|p 1| (- 1) true))
            (assert (forall ((x Int) (b Bool)) (=> (|p 1| x b) (|p 1| (+ x 1) (not b)))))
            (assert (forall ((x Int) (b Bool)) (=> (and (|p 1| x b) (= x 0)) error)))
            (assert (forall ((UNUSED Bool)) (=> error false)))(check-sat)";
        let node = "((_ hyper-res 0) true";
        let expected = format!(
            "((proof (mp {node} {node} {node} (|p 1| (- 1) true)) (|p 1| 0 false)) error) true false)))\n"
        );
        assert_eq!(proof(text), expected);
    }

    #[test]
    fn a_query_about_two_facts() {
        let text = "(declare-fun p (Int) Bool)(assert (p 1))(assert (p 2))
            (assert (=> (and (p 1) (p 2)) false))(check-sat)";
        let proof = proof(text);
        assert!(proof.ends_with(" (p 2)) false) true false)))\n"), "{proof}");
    }

    #[test]
    fn what_is_deep_or_large_is_cut() {
        let deep = "(declare-fun p (Int) Bool)(assert (p 0))
            (assert (forall ((x Int)) (=> (and (p x) (< x 2000)) (p (+ x 1)))))
            (assert (=> (p 2000) false))(check-sat)";
        let proof = proof(deep);
        assert_eq!(proof.matches("hyper-res").count(), DEEPEST + 1);
        assert!(proof.contains("true (p 1200)) (p 1201))"), "the past is cut");
        let large = "(declare-fun q (Int) Bool)(assert (q 0))
            (assert (forall ((x Int) (y Int)) (=> (and (q x) (q y) (= x y)) (q (+ x 1)))))
            (assert (=> (q 30) false))(check-sat)";
        let nodes = super::tests::proof(large).matches("hyper-res").count();
        assert!((1 << 15..=100_000).contains(&nodes), "{nodes}");
    }
}
