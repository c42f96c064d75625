//! Declarations and rules, and the clauses they mean.

use shofar_base::{Diagnostic, Map, Set, Span};
use shofar_chc::{ChcSystem, Clause, PredAtom, PredId};
use shofar_term::{Sort, TermStore};

use super::sexp::{Sexp, Sexps};
use super::sorts::Variables;
use super::terms::Terms;
use crate::names::rename_functions;

/// The clauses of a text of `length` bytes.
pub(super) fn clauses(
    store: &mut TermStore,
    sexps: &Sexps<'_>,
    length: usize,
) -> Result<ChcSystem, Diagnostic> {
    let mut reader = Reader {
        store,
        sexps,
        terms: Terms::default(),
        system: ChcSystem::new(),
        functions: Map::default(),
        sorts: Set::default(),
        defined: Set::default(),
        named: Set::default(),
        entry: None,
        has_theory: false,
    };
    let end = Span::new(length, length);
    let (&first, rest) = (sexps.roots.split_first())
        .ok_or_else(|| Diagnostic::new(end, "expected `(format LCTRS)`"))?;
    reader.format(first)?;
    for &item in rest {
        reader.item(item)?;
    }
    match (reader.entry, reader.has_theory) {
        (Some(_), true) => Ok(reader.system),
        (None, _) => Err(Diagnostic::new(end, "there is no `entrypoint`")),
        (_, false) => Err(Diagnostic::new(end, "there is no `(theory Ints)`")),
    }
}

struct Reader<'r, 't> {
    store: &'r mut TermStore,
    sexps: &'r Sexps<'t>,
    terms: Terms,
    system: ChcSystem,
    /// The function symbols.
    functions: Map<&'t str, PredId>,
    /// Declared sorts, which only results may have.
    sorts: Set<&'t str>,
    /// The names that `define-fun` defines.
    defined: Set<&'t str>,
    /// The functions whose arguments have names.
    named: Set<PredId>,
    entry: Option<PredId>,
    has_theory: bool,
}

impl<'t> Reader<'_, 't> {
    /// `(format LCTRS)`, perhaps with the version of SMT-LIB.
    fn format(&self, item: Sexp) -> Result<(), Diagnostic> {
        let sexps = self.sexps;
        let words: Vec<&str> =
            sexps.list(item).unwrap_or_default().iter().map(|&part| sexps.text(part)).collect();
        match words[..] {
            ["format", "LCTRS"] | ["format", "LCTRS", ":smtlib", _] => Ok(()),
            ["format", other, ..] => {
                let message = format!("the format `{other}` is not supported");
                let note = "integer transition systems begin with `(format LCTRS)`";
                Err(sexps.error(item, message).note(note))
            }
            _ => Err(sexps.error(item, "expected `(format LCTRS)`")),
        }
    }
    fn item(&mut self, item: Sexp) -> Result<(), Diagnostic> {
        let sexps = self.sexps;
        let parts = sexps.list(item).unwrap_or_default();
        let Some((&head, parts)) = parts.split_first() else {
            return Err(sexps.error(item, "expected a declaration or a rule"));
        };
        match sexps.atom(head) {
            Some("theory") => self.theory(item, parts),
            Some("sort") => self.sort(item, parts),
            Some("define-fun") => self.definition(item, parts),
            Some("fun") => self.function(item, parts),
            Some("entrypoint") => self.entrypoint(item, parts),
            Some("rule") => self.rule(item, parts),
            Some(other) => Err(sexps.error(head, format!("`{other}` is not supported"))),
            None => Err(sexps.error(head, "expected a declaration or a rule")),
        }
    }
    fn theory(&mut self, item: Sexp, parts: &[Sexp]) -> Result<(), Diagnostic> {
        match parts {
            [name] if self.sexps.atom(*name) == Some("Ints") => {
                self.has_theory = true;
                Ok(())
            }
            [name] => Err(self.sexps.error(*name, "the only theory is `Ints`")),
            _ => Err(self.sexps.error(item, "expected `(theory Ints)`")),
        }
    }
    fn sort(&mut self, item: Sexp, parts: &[Sexp]) -> Result<(), Diagnostic> {
        match parts {
            &[name] if let Some(name) = self.sexps.name(name) => {
                self.sorts.insert(name);
                Ok(())
            }
            _ => Err(self.sexps.error(item, "expected `(sort NAME)`")),
        }
    }
    fn definition(&mut self, item: Sexp, parts: &[Sexp]) -> Result<(), Diagnostic> {
        let name = parts.first().and_then(|&name| self.sexps.name(name));
        let name = name.ok_or_else(|| self.sexps.error(item, "this definition has no name"))?;
        self.terms.define(self.store, self.sexps, item)?;
        self.defined.insert(name);
        Ok(())
    }
    /// `(fun f (-> Int Bool Int))`, or `(fun f Int)` for one without arguments.
    fn function(&mut self, item: Sexp, parts: &[Sexp]) -> Result<(), Diagnostic> {
        let sexps = self.sexps;
        let [name, kind] = *parts else {
            return Err(sexps.error(item, "expected a name and a type"));
        };
        let name =
            sexps.name(name).ok_or_else(|| sexps.error(name, "expected the name of a function"))?;
        let (arguments, result) = match sexps.list(kind) {
            None => (&[][..], kind),
            Some([arrow, arguments @ .., result])
                if sexps.atom(*arrow) == Some("->") && !arguments.is_empty() =>
            {
                (arguments, *result)
            }
            Some(_) => return Err(sexps.error(kind, "expected a type such as `(-> Int Int)`")),
        };
        if !sexps
            .name(result)
            .is_some_and(|sort| self.sorts.contains(sort) || known(sort).is_some())
        {
            return Err(sexps.error(result, "this sort is not declared"));
        }
        let mut sorts = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let sort = sexps.atom(argument).and_then(known);
            let message = "an argument is an `Int` or a `Bool`";
            sorts.push(sort.ok_or_else(|| sexps.error(argument, message))?);
        }
        let pred = self.system.add_pred(self.store.declare(name, &sorts, Sort::BOOL));
        if self.functions.insert(name, pred).is_some() {
            return Err(sexps.error(item, format!("`{name}` is declared twice")));
        }
        Ok(())
    }
    fn entrypoint(&mut self, item: Sexp, parts: &[Sexp]) -> Result<(), Diagnostic> {
        let [name] = parts else {
            return Err(self.sexps.error(item, "expected `(entrypoint NAME)`"));
        };
        if self.entry.is_some() {
            return Err(self.sexps.error(item, "there are two entry points"));
        }
        let pred = self.known_function(*name)?;
        self.entry = Some(pred);
        let sorts = self.system.sorts(self.store, pred).to_vec();
        let argument = |(at, &sort): (usize, &Sort)| self.store.var(&format!("x{at}"), sort);
        let args = sorts.iter().enumerate().map(argument).collect();
        let constraint = self.store.top();
        let (head, span) = (Some(PredAtom { pred, args }), Some(self.sexps.span(item)));
        self.system.add_clause(Clause { head, body: Vec::new(), constraint, span });
        Ok(())
    }
    /// The function of this name.
    fn known_function(&self, name: Sexp) -> Result<PredId, Diagnostic> {
        let found = self.sexps.name(name).and_then(|name| self.functions.get(name));
        found.copied().ok_or_else(|| {
            let text = self.sexps.text(name);
            self.sexps.error(name, format!("the function `{text}` is not declared"))
        })
    }
    /// A call: its function and its arguments, as many as there have to be.
    fn call(&self, side: Sexp) -> Result<(PredId, &[Sexp]), Diagnostic> {
        let (name, arguments) = match self.sexps.list(side) {
            None => (side, &[][..]),
            Some([name, arguments @ ..]) => (*name, arguments),
            Some([]) => return Err(self.sexps.error(side, "expected a call of a function")),
        };
        let pred = self.known_function(name)?;
        let (wanted, given) = (self.system.sorts(self.store, pred).len(), arguments.len());
        if wanted != given {
            let message = format!("this function has {wanted} arguments, {given} are given");
            return Err(self.sexps.error(side, message));
        }
        Ok((pred, arguments))
    }
    fn rule(&mut self, item: Sexp, parts: &[Sexp]) -> Result<(), Diagnostic> {
        let sexps = self.sexps;
        let [left, right, attributes @ ..] = parts else {
            return Err(sexps.error(item, "a rule has a left and a right side"));
        };
        let (from, left) = self.call(*left)?;
        let left = left.to_vec();
        let mut variables = Variables::default();
        let guard = self.attributes(attributes, &mut variables)?;
        let names = self.left_side(from, &left, &mut variables)?;
        let (to, arguments) = self.call(*right)?;
        let sorts = self.system.sorts(self.store, to);
        let mut wanted: Vec<(Sexp, Sort)> =
            arguments.iter().copied().zip(sorts.iter().copied()).collect();
        wanted.extend(guard.map(|guard| (guard, Sort::BOOL)));
        for &(term, sort) in &wanted {
            self.has_no_call(term)?;
            let is_known =
                |name: &str| ["true", "false"].contains(&name) || self.defined.contains(name);
            variables.infer(sexps, (term, sort), &is_known)?;
        }
        let span = sexps.span(item);
        let mut args = self.terms.read(self.store, sexps, &variables, &wanted, span)?;
        let constraint = match guard {
            Some(_) => args.pop().unwrap_or_else(|| self.store.bottom()),
            None => self.store.top(),
        };
        let sorts = self.system.sorts(self.store, from).to_vec();
        let body = names.iter().zip(&sorts).map(|(name, &sort)| self.store.var(name, sort));
        let body = vec![PredAtom { pred: from, args: body.collect() }];
        self.name_arguments(from, &names);
        let head = Some(PredAtom { pred: to, args });
        self.system.add_clause(Clause { head, body, constraint, span: Some(span) });
        Ok(())
    }
    /// `:guard` and `:var`; the variables are declared, and the guard is the result.
    fn attributes(
        &self,
        attributes: &[Sexp],
        variables: &mut Variables<'t>,
    ) -> Result<Option<Sexp>, Diagnostic> {
        let sexps = self.sexps;
        let (mut guard, mut has_variables) = (None, false);
        for pair in attributes.chunks(2) {
            let (keyword, value) = (pair[0], pair.get(1).copied());
            let Some(value) = value else {
                return Err(sexps.error(keyword, "this attribute has no value"));
            };
            match sexps.atom(keyword) {
                Some(":guard") if guard.is_none() => guard = Some(value),
                Some(":var") if !has_variables => {
                    has_variables = true;
                    let list = sexps.list(value);
                    let list =
                        list.ok_or_else(|| sexps.error(value, "expected a list of variables"))?;
                    for &variable in list {
                        self.declared(variable, variables)?;
                    }
                }
                Some(":guard" | ":var") => {
                    return Err(sexps.error(keyword, "this attribute is given twice"));
                }
                Some(other) => {
                    return Err(sexps.error(keyword, format!("`{other}` is not supported")));
                }
                None => return Err(sexps.error(keyword, "expected `:guard` or `:var`")),
            }
        }
        Ok(guard)
    }
    /// `(x Int)`
    fn declared(&self, variable: Sexp, variables: &mut Variables<'t>) -> Result<(), Diagnostic> {
        let sexps = self.sexps;
        let parsed = match sexps.list(variable) {
            Some([name, sort]) => sexps.name(*name).zip(sexps.atom(*sort).and_then(known)),
            Some(_) | None => None,
        };
        let message = "expected a variable with its sort, such as `(x Int)`";
        let (name, sort) = parsed.ok_or_else(|| sexps.error(variable, message))?;
        if !variables.declare(name, sort, variable) {
            return Err(sexps.error(variable, format!("`{name}` has two sorts")));
        }
        Ok(())
    }
    /// The variables on the left of a rule.
    fn left_side(
        &self,
        from: PredId,
        left: &[Sexp],
        variables: &mut Variables<'t>,
    ) -> Result<Vec<&'t str>, Diagnostic> {
        let sexps = self.sexps;
        let sorts = self.system.sorts(self.store, from);
        let mut names = Vec::with_capacity(left.len());
        for (&argument, &sort) in left.iter().zip(sorts) {
            let is_variable =
                |name: &&str| !["true", "false"].contains(name) && !self.defined.contains(*name);
            let Some(name) = sexps.name(argument).filter(is_variable) else {
                return Err(sexps.error(argument, "an argument on the left has to be a variable"));
            };
            if !variables.declare(name, sort, argument) {
                return Err(sexps.error(argument, format!("`{name}` has two sorts")));
            }
            names.push(name);
        }
        Ok(names)
    }
    /// Refuses a term in which a function of the system is called.
    fn has_no_call(&self, term: Sexp) -> Result<(), Diagnostic> {
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            let Some([head, arguments @ ..]) = self.sexps.list(term) else { continue };
            if self.sexps.name(*head).is_some_and(|name| self.functions.contains_key(name)) {
                let message = "a rule calls one function, and none inside of arguments or guards";
                return Err(self.sexps.error(term, message));
            }
            open.extend(arguments);
        }
        Ok(())
    }
    /// Calls the arguments of a function as its first rule does, if the names are different.
    fn name_arguments(&mut self, pred: PredId, names: &[&str]) {
        let mut names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        rename_functions(&mut names);
        let distinct = names.iter().collect::<Set<&String>>().len();
        if distinct == names.len() && self.named.insert(pred) {
            self.system.name_params(pred, names);
        }
    }
}

/// The sorts of arguments.
fn known(name: &str) -> Option<Sort> {
    match name {
        "Int" => Some(Sort::INT),
        "Bool" => Some(Sort::BOOL),
        _ => None,
    }
}
