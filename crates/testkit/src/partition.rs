//! The partition that a `get-interpolants` command speaks of: groups of assertions in a tree.
//!
//! Arguments are names or conjunctions of names in left-to-right post-order; a parenthesised list
//! of arguments is the subtree of a further child of the next argument outside it. `start[i]` is
//! the first node of the subtree of node `i`, so the subtree is `start[i]..=i`; in a plain sequence
//! every `start` is 0 and node `i` has the one child `i - 1`.

use std::collections::BTreeSet;

use crate::context::Context;
use crate::sexp::Sexp;

/// Groups of asserted terms in a tree; the last one is the root.
#[derive(Clone, Debug, Default)]
pub struct Partition {
    groups: Vec<Vec<Sexp>>,
    start: Vec<usize>,
}

impl Partition {
    /// Reads the arguments of a `get-interpolants` command.
    pub fn new(context: &Context, arguments: &[Sexp]) -> Result<Self, String> {
        let mut partition = Self::default();
        partition.read(context, arguments)?;
        Ok(partition)
    }

    fn read(&mut self, context: &Context, arguments: &[Sexp]) -> Result<(), String> {
        let start = self.groups.len();
        for argument in arguments {
            let names = match argument {
                Sexp::Atom(_) => std::slice::from_ref(argument),
                Sexp::List(_) if argument.head() == Some("and") => argument.arguments(),
                Sexp::List(subtree) => {
                    self.read(context, subtree)?;
                    continue;
                }
            };
            let terms = names.iter().map(|name| {
                let assertion = name.atom().and_then(|name| context.named(name));
                assertion.map(|a| a.term.clone()).ok_or_else(|| format!("{name} is not asserted"))
            });
            self.groups.push(terms.collect::<Result<_, _>>()?);
            self.start.push(start);
        }
        Ok(())
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there is no group at all.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The terms of a group.
    pub fn terms(&self, node: usize) -> &[Sexp] {
        &self.groups[node]
    }

    /// The children of a node.
    pub fn children(&self, node: usize) -> Vec<usize> {
        let mut children = Vec::new();
        let mut end = node;
        while end > self.start[node] {
            children.push(end - 1);
            end = self.start[end - 1];
        }
        children
    }

    /// Symbols that occur both in the subtree of `node` and outside it.
    pub fn shared_symbols(&self, context: &Context, node: usize) -> BTreeSet<String> {
        let inside = self.start[node]..=node;
        let symbols = |wanted: bool| -> BTreeSet<String> {
            let groups =
                self.groups.iter().enumerate().filter(|(i, _)| inside.contains(i) == wanted);
            groups.flat_map(|(_, terms)| terms).flat_map(|term| context.symbols(term)).collect()
        };
        symbols(true).intersection(&symbols(false)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexp::parse_all;

    #[test]
    fn post_order() {
        let names = "A B C D E";
        let mut context = Context::default();
        for name in names.split(' ') {
            let command = format!("(assert (! {} :named {name}))", name.to_lowercase());
            context.apply(&parse_all(&command).unwrap()[0]);
        }
        let check = |arguments: &str, expected: &[&[usize]]| {
            let partition = Partition::new(&context, &parse_all(arguments).unwrap()).unwrap();
            let children: Vec<Vec<usize>> =
                (0..partition.len()).map(|i| partition.children(i)).collect();
            assert_eq!(children, expected, "{arguments}");
        };
        check("A B C", &[&[], &[0], &[1]]);
        check("A (B) C", &[&[], &[], &[1, 0]]);
        check("A B (C D) E", &[&[], &[0], &[], &[2], &[3, 1]]);
        check("(and A B) (C (D) E)", &[&[], &[], &[], &[2, 1]]);
        assert!(Partition::new(&context, &parse_all("A F").unwrap()).is_err());
    }
}
