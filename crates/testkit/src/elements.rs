//! Elements of declared sorts in what a solver prints.
//!
//! A sort without literals has elements all the same, and a solver that prints a model must call them something. SMT-LIB has
//! abstract values, `(as @name sort)` ([SMTLIB] §3.6, §4.1.6); z3 declares constants within the model. Neither says anything to a
//! solver that reads the definitions back, so the judge declares the elements it meets and asserts that they differ.

use std::collections::BTreeMap;

use crate::sexp::{Sexp, symbol_name};

/// The elements met so far: sorts by the spelling of the element, bars left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Elements(BTreeMap<String, String>);

impl Elements {
    /// Remembers the abstract values in a printed term or definition.
    pub(crate) fn collect(&mut self, printed: &Sexp) {
        let Some(items) = printed.list() else { return };
        match items {
            [word, Sexp::Atom(name), sort]
                if word.atom() == Some("as") && symbol_name(name).starts_with('@') =>
            {
                self.0.insert(symbol_name(name).to_owned(), sort.to_string());
            }
            _ => items.iter().for_each(|item| self.collect(item)),
        }
    }
    /// Remembers the constants that a model declares by itself.
    pub(crate) fn declared(&mut self, item: &Sexp) {
        if let (Some("declare-fun"), [Sexp::Atom(name), parameters, sort]) =
            (item.head(), item.arguments())
            && parameters.list().is_some_and(<[Sexp]>::is_empty)
        {
            self.0.insert(symbol_name(name).to_owned(), sort.to_string());
        }
    }
    /// Commands that declare the elements and say that those of one sort differ.
    pub(crate) fn commands(&self) -> Vec<String> {
        let mut by_sort: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut commands = Vec::new();
        for (name, sort) in &self.0 {
            commands.push(format!("(declare-fun |{name}| () {sort})"));
            by_sort.entry(sort).or_default().push(format!("|{name}|"));
        }
        let several = by_sort.values().filter(|names| names.len() > 1);
        commands.extend(several.map(|names| format!("(assert (distinct {}))", names.join(" "))));
        commands
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexp::parse_all;

    #[test]
    fn elements_differ_within_their_sort() {
        let printed = "(define-fun f ((x S)) T (ite (= x (as @S!0 S)) (as |@T T!1| |T T|) (as |@T T!0| |T T|)))
            (as @S!0 S) (declare-fun S!val!2 () S) (as y Int)";
        let mut elements = Elements::default();
        for item in parse_all(printed).unwrap() {
            elements.collect(&item);
            elements.declared(&item);
        }
        let expected = [
            "(declare-fun |@S!0| () S)",
            "(declare-fun |@T T!0| () |T T|)",
            "(declare-fun |@T T!1| () |T T|)",
            "(declare-fun |S!val!2| () S)",
            "(assert (distinct |@S!0| |S!val!2|))",
            "(assert (distinct |@T T!0| |@T T!1|))",
        ];
        assert_eq!(elements.commands(), expected);
    }
}
