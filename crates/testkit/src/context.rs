//! What is declared, defined and asserted at each point of a script.
//!
//! The judge needs this to state, for a printed model, core or interpolant, the question that
//! decides whether it is right. Scopes are kept by remembering the lengths of the lists, since
//! `pop` only ever drops their ends.

use std::collections::{BTreeMap, BTreeSet};

use crate::sexp::{Sexp, free_symbols, symbol_name};

/// A live assertion.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// From `(! … :named n)` at the top of the assertion.
    pub name: Option<String>,
    /// The asserted term without that annotation.
    pub term: Sexp,
}

/// A declared constant or function.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// As printed.
    pub name: String,
    /// The sorts of its arguments as printed, none for a constant.
    pub parameters: Vec<String>,
    /// As printed.
    pub sort: String,
}

/// The state of a script after some of its commands.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Commands in scope that declare or define sorts and data types.
    pub sorts: Vec<Sexp>,
    /// Declared constants and functions in scope.
    pub declarations: Vec<Declaration>,
    /// `define-fun` commands in scope.
    pub definitions: Vec<Sexp>,
    /// Assertions in scope.
    pub assertions: Vec<Assertion>,
    /// Values of options and of `:status`, as last set.
    pub options: BTreeMap<String, String>,
    scopes: Vec<[usize; 4]>,
}

impl Context {
    /// Applies a command; those that only ask something change nothing.
    pub fn apply(&mut self, command: &Sexp) {
        let arguments = command.arguments();
        match (command.head(), arguments) {
            (Some("declare-const"), [name, sort]) => self.declare(name, &[], sort),
            (Some("declare-fun"), [name, Sexp::List(parameters), sort]) => {
                self.declare(name, parameters, sort);
            }
            (
                Some("declare-sort" | "define-sort" | "declare-datatype" | "declare-datatypes"),
                _,
            ) => self.sorts.push(command.clone()),
            (Some("define-fun" | "define-const"), _) => self.definitions.push(command.clone()),
            (Some("assert"), [term]) => self.assertions.push(assertion(term)),
            (Some("push"), _) => {
                for _ in 0..count(arguments) {
                    self.scopes.push([
                        self.sorts.len(),
                        self.declarations.len(),
                        self.definitions.len(),
                        self.assertions.len(),
                    ]);
                }
            }
            (Some("pop"), _) => {
                for _ in 0..count(arguments) {
                    self.pop();
                }
            }
            (Some("reset"), _) => *self = Self::default(),
            (Some("reset-assertions"), _) => {
                *self = Self { options: std::mem::take(&mut self.options), ..Self::default() };
            }
            (Some("set-option" | "set-info"), [key, value]) => {
                self.options.insert(key.to_string(), value.to_string());
            }
            _ => {}
        }
    }

    /// Closes a scope. Global declarations and definitions stay.
    fn pop(&mut self) {
        let Some([sorts, declarations, definitions, assertions]) = self.scopes.pop() else {
            return;
        };
        self.assertions.truncate(assertions);
        if self.options.get(":global-declarations").map(String::as_str) != Some("true") {
            self.sorts.truncate(sorts);
            self.declarations.truncate(declarations);
            self.definitions.truncate(definitions);
        }
    }

    fn declare(&mut self, name: &Sexp, parameters: &[Sexp], sort: &Sexp) {
        self.declarations.push(Declaration {
            name: name.to_string(),
            parameters: parameters.iter().map(Sexp::to_string).collect(),
            sort: sort.to_string(),
        });
    }

    /// The live assertion with this name.
    pub fn named(&self, name: &str) -> Option<&Assertion> {
        self.assertions
            .iter()
            .find(|a| a.name.as_deref().map(symbol_name) == Some(symbol_name(name)))
    }

    /// Commands that declare and define what is in scope.
    pub fn prelude(&self) -> Vec<String> {
        let declared = self
            .declarations
            .iter()
            .map(|d| format!("(declare-fun {} ({}) {})", d.name, d.parameters.join(" "), d.sort));
        let sorts = self.sorts.iter().map(Sexp::to_string);
        sorts.chain(declared).chain(self.definitions.iter().map(Sexp::to_string)).collect()
    }

    /// Names of the declared symbols in `term`, definitions looked through; constructors and
    /// selectors mean the same everywhere.
    pub fn symbols(&self, term: &Sexp) -> BTreeSet<String> {
        let mut found = self.free_symbols(term);
        let of_types: BTreeSet<String> = self.sorts.iter().flat_map(data_symbols).collect();
        found.retain(|name| !of_types.contains(name));
        found
    }

    fn free_symbols(&self, term: &Sexp) -> BTreeSet<String> {
        let mut found = free_symbols(term);
        // A definition can only use earlier ones, so one pass from the last to the first suffices.
        for definition in self.definitions.iter().rev() {
            let parts = definition.arguments();
            let (Some(name), Some(body)) = (parts.first().and_then(Sexp::atom), parts.last())
            else {
                continue;
            };
            if found.remove(symbol_name(name)) {
                let parameters = parts.get(1).and_then(Sexp::list).unwrap_or(&[]);
                let parameters: Vec<&str> =
                    parameters.iter().filter_map(Sexp::head).map(symbol_name).collect();
                found.extend(
                    free_symbols(body).into_iter().filter(|s| !parameters.contains(&s.as_str())),
                );
            }
        }
        found
    }
}

/// Constructors, selectors and old names of testers in a declaration of data types.
fn data_symbols(command: &Sexp) -> BTreeSet<String> {
    let bodies: Vec<&[Sexp]> = match (command.head(), command.arguments()) {
        (Some("declare-datatype"), [_, body]) => body.list().into_iter().collect(),
        // Before SMT-LIB 2.6 the name stood in front of the constructors.
        (Some("declare-datatypes"), [names, bodies]) => {
            let is_old = names.list().is_some_and(<[Sexp]>::is_empty);
            let bodies = bodies.list().unwrap_or(&[]).iter();
            bodies.filter_map(|b| if is_old { Some(b.arguments()) } else { b.list() }).collect()
        }
        _ => Vec::new(),
    };
    let mut found = BTreeSet::new();
    for constructor in bodies.into_iter().flatten() {
        let Some(name) = constructor.atom().or(constructor.head()).map(symbol_name) else {
            continue;
        };
        found.insert(name.to_owned());
        found.insert(format!("is-{name}"));
        let selectors = constructor.arguments().iter().filter_map(Sexp::head);
        found.extend(selectors.map(|selector| symbol_name(selector).to_owned()));
    }
    found
}

/// Levels of a `push` or `pop`.
fn count(arguments: &[Sexp]) -> usize {
    arguments.first().map_or(1, |n| n.atom().and_then(|n| n.parse().ok()).unwrap_or(0))
}

/// Takes `(! term :named n)` apart.
fn assertion(term: &Sexp) -> Assertion {
    if term.head() == Some("!")
        && let [inner, attributes @ ..] = term.arguments()
    {
        let at = attributes.iter().position(|a| a.atom() == Some(":named"));
        let name = at.and_then(|at| attributes.get(at + 1)).map(Sexp::to_string);
        return Assertion { name, term: inner.clone() };
    }
    Assertion { name: None, term: term.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexp::{parse_all, parse_one};

    #[test]
    fn scopes_and_definitions() {
        let script = "(declare-sort S 0)(declare-const x Int)(define-fun f ((a Int)) Bool (< a x))(push 1)(declare-fun y () Int)
            (assert (! (f y) :named n))(push 2)(assert false)(pop 2)";
        let mut context = Context::default();
        parse_all(script).unwrap().iter().for_each(|command| context.apply(command));
        assert_eq!(context.assertions.len(), 1);
        let term = &context.named("n").unwrap().term;
        assert_eq!(context.symbols(term).into_iter().collect::<Vec<_>>(), ["x", "y"]);
        context.apply(&parse_one("(declare-fun g (S Int) S)").unwrap());
        let prelude = context.prelude();
        assert_eq!(prelude[0], "(declare-sort S 0)");
        assert_eq!(prelude[3], "(declare-fun g (S Int) S)");
        context.apply(&parse_one("(pop 1)").unwrap());
        let declared = [
            "(declare-datatype L ((nil) (|c s| (hd Int) (tl L))))",
            "(declare-datatypes ((P 0) (Q 0)) (((p (q Q))) ((none))))",
            "(declare-datatypes () ((E e (f (g E)))))",
        ];
        for text in declared {
            context.apply(&parse_one(text).unwrap());
        }
        let term =
            "(and (is-nil u) ((_ is |c s|) v) (= (hd (|c s| x nil)) (q (p none))) (= (g (f e)) w))";
        let symbols = context.symbols(&parse_one(term).unwrap());
        assert_eq!(symbols.into_iter().collect::<Vec<_>>(), ["u", "v", "w", "x"]);
        context.sorts.truncate(1);
        assert_eq!(context.sorts.len(), 1);
        assert_eq!((context.declarations.len(), context.assertions.len()), (1, 0));
    }
}
