//! Questions for interpolants: random splits of named assertions into two groups, sequences and
//! trees, under all algorithms.
//!
//! A tree is written in left-to-right post-order: a parenthesis opens the subtree of a further
//! child of the next element outside it, as in `(get-interpolants A B (C D) E)`, where `E` has the
//! children `B` (whose child is `A`) and `D`.

use shofar_base::Rng;

use crate::case::Feature;

/// The propositional labellings.
pub const BOOLEAN_ALGORITHMS: [&str; 3] = ["mcmillan", "pudlak", "mcmillan-dual"];
/// The arithmetic algorithms from strongest to weakest result.
pub const ARITHMETIC_ALGORITHMS: [&str; 5] =
    ["decomposed", "farkas", "factor", "dual-farkas", "dual-decomposed"];

/// Options and `get-interpolants` commands for the live assertions `names`.
pub fn questions(rng: &mut Rng, feature: Feature, names: &[String]) -> Vec<String> {
    if names.len() < 2 {
        return Vec::new();
    }
    let mut commands = Vec::new();
    if feature == Feature::Strength {
        let groups = partition(rng, names, 2);
        let boolean = *rng.pick(&BOOLEAN_ALGORITHMS);
        for arithmetic in ARITHMETIC_ALGORITHMS {
            commands.extend(options(rng, boolean, arithmetic));
            commands.push(format!("(get-interpolants {})", groups.join(" ")));
        }
        return commands;
    }
    for _ in 0..=rng.below(3) {
        let (boolean, arithmetic) =
            (*rng.pick(&BOOLEAN_ALGORITHMS), *rng.pick(&ARITHMETIC_ALGORITHMS));
        commands.extend(options(rng, boolean, arithmetic));
        let most = names.len();
        let groups = match feature {
            Feature::Sequence => {
                let count = (3 + rng.below(3)).min(most);
                partition(rng, names, count)
            }
            Feature::Tree => {
                let count = (3 + rng.below(4)).min(most);
                let groups = partition(rng, names, count);
                vec![tree(rng, &groups)]
            }
            Feature::Random
            | Feature::PlantedModel
            | Feature::PlantedContradiction
            | Feature::Incremental
            | Feature::Assumptions
            | Feature::Core
            | Feature::Interpolant
            | Feature::Strength => partition(rng, names, 2),
        };
        commands.push(format!("(get-interpolants {})", groups.join(" ")));
    }
    commands
}

fn options(rng: &mut Rng, boolean: &str, arithmetic: &str) -> Vec<String> {
    let mut commands = vec![
        format!("(set-option :interpolation-bool-algorithm {boolean})"),
        format!("(set-option :interpolation-lra-algorithm {arithmetic})"),
    ];
    if arithmetic == "factor" {
        commands.push(format!("(set-option :interpolation-lra-factor 0.{})", rng.range(1, 9)));
    }
    if rng.chance(5) {
        commands.push("(set-option :certify-interpolants true)".to_owned());
    }
    commands
}

/// Random non-empty groups that cover all names: a name, or a conjunction of names.
fn partition(rng: &mut Rng, names: &[String], count: usize) -> Vec<String> {
    let mut groups: Vec<Vec<&str>> = vec![Vec::new(); count];
    let in_order = rng.chance(40);
    let mut order: Vec<&str> = names.iter().map(String::as_str).collect();
    if !in_order {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
    }
    for (i, name) in order.iter().enumerate() {
        let group = if i < count {
            i
        } else if in_order {
            // Neighbours stay together, as the steps of an unrolling would.
            i * count / order.len()
        } else {
            rng.below(count)
        };
        groups[group].push(name);
    }
    groups
        .iter()
        .map(|group| {
            if let [one] = group.as_slice() {
                (*one).to_owned()
            } else {
                format!("(and {})", group.join(" "))
            }
        })
        .collect()
}

/// Lays the groups out as a random tree in post-order; the last one is the root.
fn tree(rng: &mut Rng, groups: &[String]) -> String {
    let (root, below) = groups.split_last().expect("at least one group");
    if below.is_empty() {
        return root.clone();
    }
    let children = 1 + rng.below(below.len().min(3));
    let mut texts = Vec::new();
    let mut rest = below;
    for child in 0..children {
        let left = children - child - 1;
        let size = if left == 0 { rest.len() } else { 1 + rng.below(rest.len() - left) };
        let (subtree, others) = rest.split_at(size);
        rest = others;
        let text = tree(rng, subtree);
        texts.push(if child == 0 { text } else { format!("({text})") });
    }
    texts.push(root.clone());
    texts.join(" ")
}
