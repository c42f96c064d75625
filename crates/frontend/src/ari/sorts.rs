//! The sorts of variables that a rule does not declare.
//!
//! `:var` and the left side say what most variables are. Another one is a truth value where one has
//! to stand: as a guard, below a connective, as an argument of that sort, or compared with a truth
//! value. Anywhere else it is an integer; if that is wrong, the reader of terms says so.

use shofar_base::{Diagnostic, Map};
use shofar_term::Sort;

use super::sexp::{Sexp, Sexps};

/// Words that bind variables or annotate terms, which have no place in a rule.
const BINDERS: [&str; 8] = ["let", "forall", "exists", "lambda", "match", "!", "_", "as"];

/// The variables of a rule.
#[derive(Default)]
pub(super) struct Variables<'t> {
    sorts: Map<&'t str, Sort>,
    /// In the order in which they are met.
    pub(super) order: Vec<(&'t str, Sort, Sexp)>,
}

impl<'t> Variables<'t> {
    /// Declares a variable; false if it has another sort already.
    pub(super) fn declare(&mut self, name: &'t str, sort: Sort, at: Sexp) -> bool {
        if let Some(&known) = self.sorts.get(name) {
            return known == sort;
        }
        self.sorts.insert(name, sort);
        self.order.push((name, sort, at));
        true
    }
    /// Declares the variables of a term of this sort that are not declared yet; `is_known` says
    /// what other names mean something.
    pub(super) fn infer(
        &mut self,
        sexps: &Sexps<'t>,
        (root, sort): (Sexp, Sort),
        is_known: &dyn Fn(&str) -> bool,
    ) -> Result<(), Diagnostic> {
        let mut open = vec![(root, sort)];
        while let Some((term, sort)) = open.pop() {
            let Some(parts) = sexps.list(term) else {
                if let Some(name) = sexps.name(term).filter(|name| !is_known(name)) {
                    // Of two uses the first one counts; the reader of terms objects to the other.
                    self.declare(name, self.sorts.get(name).copied().unwrap_or(sort), term);
                }
                continue;
            };
            let Some((&head, arguments)) = parts.split_first() else {
                return Err(sexps.error(term, "expected a term, found `()`"));
            };
            let Some(function) = sexps.atom(head) else {
                return Err(sexps.error(head, "expected the name of a function"));
            };
            if BINDERS.contains(&function) {
                return Err(sexps.error(head, format!("`{function}` is not supported in a rule")));
            }
            for (place, &argument) in arguments.iter().enumerate() {
                open.push((argument, self.operand(sexps, function, (place, arguments), sort)));
            }
        }
        Ok(())
    }
    /// The sort that an operand has to have, if its names do not say it.
    fn operand(
        &self,
        sexps: &Sexps<'t>,
        function: &str,
        (place, arguments): (usize, &[Sexp]),
        sort: Sort,
    ) -> Sort {
        let is_truth = |&sexp: &Sexp| self.is_truth_value(sexps, sexp);
        match function {
            "and" | "or" | "not" | "=>" | "xor" => Sort::BOOL,
            "=" | "distinct" if arguments.iter().any(is_truth) => Sort::BOOL,
            "ite" if place == 0 => Sort::BOOL,
            "ite" => sort,
            _ => Sort::INT,
        }
    }
    /// Whether an operand is a truth value at first sight.
    fn is_truth_value(&self, sexps: &Sexps<'t>, sexp: Sexp) -> bool {
        if let Some(parts) = sexps.list(sexp) {
            let function = parts.first().and_then(|&head| sexps.atom(head));
            let relations =
                ["and", "or", "not", "=>", "xor", "=", "distinct", "<", "<=", ">", ">="];
            return function.is_some_and(|function| relations.contains(&function));
        }
        let Some(name) = sexps.name(sexp) else { return false };
        ["true", "false"].contains(&name) || self.sorts.get(name) == Some(&Sort::BOOL)
    }
}
