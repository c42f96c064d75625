//! Assertions without quantifiers, made by the validator itself.
//!
//! An assertion of Horn clauses is universal: a `∀` that counts positively, or an `∃` that counts
//! negatively, may be pulled to the front, and there it is left out, since all variables of a
//! clause are universal. The reader of problems does the same before it makes clauses; what
//! witnesses are checked against does not depend on it, because it is done here once more, by other
//! code, from the assertion as it was written.
//!
//! Pulling out needs different variables for different quantifiers: a variable that is free
//! somewhere, or that another quantifier has, is renamed. The names are taken from the reader's
//! formula as long as they are not in use, because refutations give values to variables by these
//! names; a bad choice would only make a step fail its check. One quantified formula that occurs
//! twice with the same sign needs one set of variables only: `F(∀x.P, ∀x.P)` and `∀x. F(P, P)` say
//! the same for a monotone `F`.
//!
//! Invariant: `taken` has every variable of the result that a quantifier still to come must not
//! use.

use shofar_base::{Map, Set};
use shofar_smtlib::product;
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{Kind, Quantifier, Symbol, Term, TermStore};

use crate::occurrences::opened;

/// A formula and whether it counts positively.
type Signed = (Term, bool);

/// What `written` says, without quantifiers; nothing if it is not universal.
///
/// `read` is what the reader made of it. Where products of unknowns occur, which are no linear
/// arithmetic as they stand, that is the result. `listed` has the names of bound variables where
/// the clauses are as they are written.
pub(crate) fn without_quantifiers(
    store: &mut TermStore,
    written: Term,
    read: Term,
    listed: &[Symbol],
) -> Option<Term> {
    let body = match store.quantified(written) {
        Some((Quantifier::Forall, body, variables)) if keeps_names(store, variables, listed) => {
            body
        }
        Some((Quantifier::Forall | Quantifier::Exists, ..)) | None => written,
    };
    let order = postorder(store, &[body]);
    if order.iter().any(|&term| product(store, term).is_some()) {
        return Some(read);
    }
    if !order.iter().any(|&term| store.quantified(term).is_some()) {
        return Some(body);
    }
    if !listed.is_empty() {
        return opened(store, written, listed);
    }
    let names = free_symbols(store, &[read]);
    let taken = unbound(store, written);
    let (open, done, contents) = (Map::default(), Map::default(), Map::default());
    let mut opening = Opening { store, names, taken, open, done, contents };
    opening.run((written, true))
}

/// Whether the listed names, if there are any, are those that the variables have.
fn keeps_names(store: &TermStore, variables: &[Term], listed: &[Symbol]) -> bool {
    listed.is_empty() || listed.starts_with(&symbols(store, variables))
}

/// The symbols that occur outside of the quantifiers that bind them.
pub(crate) fn unbound(store: &TermStore, formula: Term) -> Set<Symbol> {
    let mut free: Map<Term, Vec<Symbol>> = Map::default();
    for term in postorder(store, &[formula]) {
        let mut own: Vec<Symbol> = Vec::new();
        if let Some((_, body, variables)) = store.quantified(term) {
            let bound: Vec<Symbol> = symbols(store, variables);
            own.extend(free[&body].iter().filter(|symbol| !bound.contains(symbol)));
        } else {
            if let Kind::Symbol(symbol) = store.kind(term) {
                own.push(symbol);
            }
            own.extend(store.children(term).iter().flat_map(|child| &free[child]));
            own.sort_unstable();
            own.dedup();
        }
        free.insert(term, own);
    }
    free.remove(&formula).unwrap_or_default().into_iter().collect()
}

/// The symbols of variables.
pub(crate) fn symbols(store: &TermStore, variables: &[Term]) -> Vec<Symbol> {
    let symbol = |&variable: &Term| {
        if let Kind::Symbol(symbol) = store.kind(variable) { Some(symbol) } else { None }
    };
    variables.iter().filter_map(symbol).collect()
}

enum Task {
    Open(Signed),
    Close(Signed),
}

/// Takes the quantifiers of one assertion away.
struct Opening<'s> {
    store: &'s mut TermStore,
    /// Names for variables that need another one, in order.
    names: Vec<Symbol>,
    taken: Set<Symbol>,
    /// The body of each quantified formula, with its variables renamed.
    open: Map<Signed, Term>,
    done: Map<Signed, Term>,
    /// Whether a quantifier is in a term.
    contents: Map<Term, bool>,
}

impl Opening<'_> {
    fn run(&mut self, whole: Signed) -> Option<Term> {
        let mut tasks = vec![Task::Open(whole)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open(signed) if self.done.contains_key(&signed) => (),
                Task::Open(signed) => {
                    let parts = self.parts(signed)?;
                    tasks.push(Task::Close(signed));
                    tasks.extend(parts.into_iter().rev().map(Task::Open));
                }
                Task::Close(signed) => self.close(signed),
            }
        }
        self.done.get(&whole).copied()
    }
    /// What has to be done before a formula; nothing if a quantifier in it is not universal.
    fn parts(&mut self, (term, positive): Signed) -> Option<Vec<Signed>> {
        if !self.has_quantifier(term) {
            return Some(Vec::new());
        }
        if self.store.quantified(term).is_some() {
            let body = self.enter((term, positive))?;
            self.open.insert((term, positive), body);
            return Some(vec![(body, positive)]);
        }
        let store = &*self.store;
        let same = |parts: &[Term]| parts.iter().map(|&part| (part, positive)).collect();
        if let Kind::Not(inner) = store.kind(term) {
            return Some(vec![(inner, !positive)]);
        }
        if let Kind::And(parts) | Kind::Or(parts) = store.kind(term) {
            return Some(same(parts));
        }
        if let Kind::Ite(condition, yes, no) = store.kind(term)
            && !self.contents[&condition]
        {
            return Some(same(&[yes, no]));
        }
        None
    }
    /// The body of a quantified formula, whose variables nobody else has.
    fn enter(&mut self, (term, positive): Signed) -> Option<Term> {
        let (quantifier, body, variables) = self.store.quantified(term)?;
        let variables = symbols(self.store, variables);
        let occurring = free_symbols(self.store, &[body]);
        let occurs = |variable: &Symbol| occurring.binary_search(variable).is_ok();
        let is_universal = (quantifier == Quantifier::Forall) == positive;
        if !is_universal && variables.iter().any(occurs) {
            return None;
        }
        let mut renaming: Map<Term, Term> = Map::default();
        for variable in variables {
            if !self.taken.insert(variable) {
                let other = self.other_name(variable);
                self.taken.insert(other);
                let (old, new) = (self.store.constant(variable), self.store.constant(other));
                renaming.insert(old, new);
            }
        }
        if renaming.is_empty() {
            return Some(body);
        }
        Some(substitute(self.store, &renaming, &[body])[0])
    }
    /// A variable that is not in use, under the reader's name if there is one.
    fn other_name(&mut self, variable: Symbol) -> Symbol {
        let (name, sort) = (self.store.name(variable).to_owned(), self.store.result(variable));
        let prefix = format!("{name}!");
        let fits = |symbol: &&Symbol| {
            self.store.result(**symbol) == sort
                && self.store.params(**symbol).is_empty()
                && self.store.name(**symbol).starts_with(&prefix)
                && !self.taken.contains(*symbol)
        };
        match self.names.iter().find(fits) {
            Some(&symbol) => symbol,
            None => self.store.fresh(&name, sort),
        }
    }
    /// Puts the results for the parts together.
    fn close(&mut self, (term, positive): Signed) {
        let result = if let Some(&body) = self.open.get(&(term, positive)) {
            self.result((body, positive))
        } else {
            let sign = positive != matches!(self.store.kind(term), Kind::Not(_));
            let children = self.store.children(term).to_vec();
            let children: Vec<Term> =
                children.into_iter().map(|child| self.result((child, sign))).collect();
            self.store.rebuild(term, &children)
        };
        self.done.insert((term, positive), result);
    }
    fn has_quantifier(&mut self, term: Term) -> bool {
        if let Some(&known) = self.contents.get(&term) {
            return known;
        }
        for part in postorder(self.store, &[term]) {
            let has = self.store.quantified(part).is_some()
                || self.store.children(part).iter().any(|child| self.contents[child]);
            self.contents.insert(part, has);
        }
        self.contents[&term]
    }
    /// What has become of a part; what was not opened stays as it is.
    fn result(&self, signed: Signed) -> Term {
        self.done.get(&signed).copied().unwrap_or(signed.0)
    }
}
