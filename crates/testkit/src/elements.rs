//! Elements of declared sorts in what a solver prints.
//!
//! A sort without literals has elements all the same, and a solver that prints a model must call
//! them something. SMT-LIB has abstract values, `(as @name sort)` ([SMTLIB] §4.1.6); z3 writes
//! `sort!val!0` and declares such constants within the model. Neither says anything to a solver
//! that reads the definitions back, so the judge declares the elements it meets and asserts that
//! they differ.

use std::collections::BTreeMap;

use crate::sexp::{Sexp, symbol_name};

/// The elements met so far: the sort of each, by its name without bars.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Elements(BTreeMap<String, String>);

impl Elements {
    /// Remembers the elements in a printed term or definition, given the commands that declare
    /// sorts.
    pub(crate) fn collect(&mut self, printed: &Sexp, sorts: &[Sexp]) {
        match printed {
            Sexp::Atom(text) => {
                let name = symbol_name(text);
                if let Some(sort) = sort_of_element(name, sorts) {
                    self.0.insert(name.to_owned(), sort);
                }
            }
            Sexp::List(items) => match items.as_slice() {
                [word, Sexp::Atom(name), sort]
                    if word.atom() == Some("as") && symbol_name(name).starts_with('@') =>
                {
                    self.0.insert(symbol_name(name).to_owned(), sort.to_string());
                }
                _ => items.iter().for_each(|item| self.collect(item, sorts)),
            },
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

/// The sort whose element is called this in the manner of z3.
fn sort_of_element(name: &str, sorts: &[Sexp]) -> Option<String> {
    let (sort, number) = name.rsplit_once("!val!")?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let declared = sorts.iter().filter_map(|command| command.arguments().first()?.atom());
    let mut spelt = declared.filter(|spelling| is_number && symbol_name(spelling) == sort);
    spelt.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexp::parse_all;

    #[test]
    fn elements_differ_within_their_sort() {
        let printed = "(define-fun f ((x S)) T (ite (= x (as @S!0 S)) (as |@T T!1| |T T|) (as |@T T!0| |T T|)))
            (as @S!0 S) (= a S!val!2) (as y Int) (f |T T!val!3|) V!val!0 S!val! S!val!x";
        let sorts = parse_all("(declare-sort S 0)(declare-sort |T T| 0)").unwrap();
        let mut elements = Elements::default();
        for item in parse_all(printed).unwrap() {
            elements.collect(&item, &sorts);
        }
        let expected = [
            "(declare-fun |@S!0| () S)",
            "(declare-fun |@T T!0| () |T T|)",
            "(declare-fun |@T T!1| () |T T|)",
            "(declare-fun |S!val!2| () S)",
            "(declare-fun |T T!val!3| () |T T|)",
            "(assert (distinct |@S!0| |S!val!2|))",
            "(assert (distinct |@T T!0| |@T T!1| |T T!val!3|))",
        ];
        assert_eq!(elements.commands(), expected);
    }
}
