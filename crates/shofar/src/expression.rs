//! Formulas written as expressions of Rust, for clauses that a program makes.
//!
//! Expressions know nothing of a store: they become SMT-LIB, which a [`Session`](crate::Session)
//! reads like any other text. So sorts are checked in one place, and what does not fit is an error
//! with its place in the text. Subterms are shared: an expression that occurs twice is written
//! once.

use std::ops;
use std::rc::Rc;

use shofar_base::{Map, Set};
use shofar_term::print::quote;

/// A term or formula over variables of clauses.
///
/// ```
/// use shofar::{boolean, int};
/// let (x, y, b) = (int("x"), int("y"), boolean("b"));
/// let formula = (&x + 2 * &y).le(10).and(b.or(x.equals(&y)));
/// assert_eq!(formula.to_string(), "(and (<= (+ x (* 2 y)) 10) (or b (= x y)))");
/// ```
#[derive(Clone, Debug)]
pub struct Expr(Rc<Node>);

#[derive(Debug)]
enum Node {
    /// A variable, with its name and sort as they are written.
    Variable(String, String),
    /// A number or a truth value.
    Literal(String),
    /// An operator, function or predicate; the name is as it is written.
    Apply(String, Vec<Expr>),
}

/// An integer variable.
pub fn int(name: &str) -> Expr {
    variable(name, "Int")
}

/// A real variable.
pub fn real(name: &str) -> Expr {
    variable(name, "Real")
}

/// A variable that is true or false.
pub fn boolean(name: &str) -> Expr {
    variable(name, "Bool")
}

/// A variable of a sort that is written as in SMT-LIB, such as `(Array Int Int)`.
pub fn variable(name: &str, sort: &str) -> Expr {
    Expr(Rc::new(Node::Variable(quote(name).into_owned(), sort.to_owned())))
}

/// A predicate of clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// As it is written.
    name: String,
    sorts: Vec<String>,
}

impl Relation {
    /// A predicate over arguments of these sorts, which are written as in SMT-LIB.
    pub fn new(name: &str, sorts: &[&str]) -> Self {
        let sorts = sorts.iter().map(|&sort| sort.to_owned()).collect();
        Self { name: quote(name).into_owned(), sorts }
    }
    /// The predicate of these arguments.
    pub fn of<E: Into<Expr>>(&self, args: impl IntoIterator<Item = E>) -> Expr {
        Expr::apply(&self.name, args.into_iter().map(Into::into).collect())
    }
    /// Its declaration in SMT-LIB.
    pub(crate) fn declaration(&self) -> String {
        format!("(declare-fun {} ({}) Bool)", self.name, self.sorts.join(" "))
    }
}

/// Methods with one operand besides, which become operators of SMT-LIB.
macro_rules! methods {
    ($($(#[$meta:meta])* $name:ident: $operator:literal),* $(,)?) => {$(
        $(#[$meta])*
        #[must_use]
        pub fn $name(&self, other: impl Into<Expr>) -> Self {
            Self::apply($operator, vec![self.clone(), other.into()])
        }
    )*};
}

impl Expr {
    methods! {
        /// `self < other`.
        lt: "<",
        /// `self ≤ other`.
        le: "<=",
        /// `self > other`.
        gt: ">",
        /// `self ≥ other`.
        ge: ">=",
        /// Both are equal.
        equals: "=",
        /// Both differ.
        differs: "distinct",
        /// Both hold.
        and: "and",
        /// One of both holds.
        or: "or",
        /// `other` holds if this does.
        implies: "=>",
        /// The element of an array at an index.
        select: "select",
    }
    /// The negation of a formula.
    #[must_use]
    pub fn not(&self) -> Self {
        Self::apply("not", vec![self.clone()])
    }
    /// `then` where this formula holds, else `otherwise`.
    #[must_use]
    pub fn ite(&self, then: impl Into<Expr>, otherwise: impl Into<Expr>) -> Self {
        Self::apply("ite", vec![self.clone(), then.into(), otherwise.into()])
    }
    /// An array with another element at an index.
    #[must_use]
    pub fn store(&self, index: impl Into<Expr>, element: impl Into<Expr>) -> Self {
        Self::apply("store", vec![self.clone(), index.into(), element.into()])
    }
    /// An operator or function of SMT-LIB that has no method here.
    pub fn apply(operator: &str, args: Vec<Expr>) -> Self {
        Self(Rc::new(Node::Apply(operator.to_owned(), args)))
    }
    fn args(&self) -> &[Expr] {
        match &*self.0 {
            Node::Apply(_, args) => args,
            Node::Variable(..) | Node::Literal(_) => &[],
        }
    }
    fn key(&self) -> *const Node {
        Rc::as_ptr(&self.0)
    }
    /// All subterms, each once, behind those that it is made of.
    fn postorder(&self) -> Vec<&Expr> {
        let (mut done, mut stack): (Set<*const Node>, _) = (Set::default(), vec![(self, false)]);
        let mut order = Vec::new();
        while let Some((term, is_open)) = stack.pop() {
            if is_open {
                order.push(term);
            } else if done.insert(term.key()) {
                stack.push((term, true));
                stack.extend(term.args().iter().rev().map(|arg| (arg, false)));
            }
        }
        order
    }
    /// Writes the term, in which those that have names stand under them.
    fn write(
        &self,
        f: &mut std::fmt::Formatter<'_>,
        names: &Map<*const Node, usize>,
    ) -> std::fmt::Result {
        // What is still to be written: terms, and parentheses that close them.
        let mut stack = vec![Some(self)];
        let mut is_first = true;
        while let Some(next) = stack.pop() {
            let Some(term) = next else {
                f.write_str(")")?;
                continue;
            };
            if !std::mem::take(&mut is_first) {
                f.write_str(" ")?;
            }
            match &*term.0 {
                _ if names.contains_key(&term.key()) => {
                    write!(f, "shared!{}", names[&term.key()])?;
                }
                Node::Variable(text, _) | Node::Literal(text) => f.write_str(text)?,
                Node::Apply(operator, args) if args.is_empty() => f.write_str(operator)?,
                Node::Apply(operator, args) => {
                    write!(f, "({operator}")?;
                    stack.push(None);
                    stack.extend(args.iter().rev().map(Some));
                }
            }
        }
        Ok(())
    }
    /// The variables with their sorts, in the order in which they occur.
    fn variables(&self) -> Vec<(&str, &str)> {
        let mut known: Vec<(&str, &str)> = Vec::new();
        let mut seen = Set::default();
        for term in self.postorder() {
            if let Node::Variable(name, sort) = &*term.0
                && seen.insert((name.as_str(), sort.as_str()))
            {
                known.push((name, sort));
            }
        }
        known
    }
    /// The formula, for all values of its variables.
    pub(crate) fn closed(&self) -> String {
        let variables: Vec<String> =
            self.variables().iter().map(|(name, sort)| format!("({name} {sort})")).collect();
        if variables.is_empty() {
            return self.to_string();
        }
        format!("(forall ({}) {self})", variables.join(" "))
    }
}

impl std::fmt::Display for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let order = self.postorder();
        let mut uses: Map<*const Node, usize> = Map::default();
        for arg in order.iter().flat_map(|term| term.args()) {
            *uses.entry(arg.key()).or_default() += 1;
        }
        // Terms that are written once, in front of all others, and the names by which they are
        // used.
        let mut names: Map<*const Node, usize> = Map::default();
        for term in order {
            let is_shared = uses.get(&term.key()).is_some_and(|&uses| uses > 1);
            if is_shared && !term.args().is_empty() {
                write!(f, "(let ((shared!{} ", names.len())?;
                term.write(f, &names)?;
                write!(f, ")) ")?;
                names.insert(term.key(), names.len());
            }
        }
        self.write(f, &names)?;
        (0..names.len()).try_for_each(|_| f.write_str(")"))
    }
}

/// An expression may be nested as deep as memory allows, so it is taken apart without recursion.
impl Drop for Node {
    fn drop(&mut self) {
        let Node::Apply(_, args) = self else { return };
        let mut waiting = std::mem::take(args);
        while let Some(Expr(node)) = waiting.pop() {
            if let Some(mut node) = Rc::into_inner(node)
                && let Node::Apply(_, args) = &mut node
            {
                waiting.append(args);
            }
        }
    }
}

impl From<&Expr> for Expr {
    fn from(term: &Expr) -> Self {
        term.clone()
    }
}

impl From<i64> for Expr {
    fn from(number: i64) -> Self {
        let size = number.unsigned_abs();
        let text = if number < 0 { format!("(- {size})") } else { size.to_string() };
        Self(Rc::new(Node::Literal(text)))
    }
}

impl From<i32> for Expr {
    fn from(number: i32) -> Self {
        i64::from(number).into()
    }
}

impl From<bool> for Expr {
    fn from(value: bool) -> Self {
        Self(Rc::new(Node::Literal(value.to_string())))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operator:literal),*) => {$(
        impl<E: Into<Expr>> ops::$trait<E> for Expr {
            type Output = Expr;
            fn $method(self, other: E) -> Expr {
                Expr::apply($operator, vec![self, other.into()])
            }
        }
        impl<E: Into<Expr>> ops::$trait<E> for &Expr {
            type Output = Expr;
            fn $method(self, other: E) -> Expr {
                Expr::apply($operator, vec![self.clone(), other.into()])
            }
        }
        impl ops::$trait<Expr> for i64 {
            type Output = Expr;
            fn $method(self, other: Expr) -> Expr {
                Expr::apply($operator, vec![self.into(), other])
            }
        }
        impl ops::$trait<&Expr> for i64 {
            type Output = Expr;
            fn $method(self, other: &Expr) -> Expr {
                Expr::apply($operator, vec![self.into(), other.clone()])
            }
        }
    )*};
}

operators!(Add add "+", Sub sub "-", Mul mul "*", Rem rem "mod");

impl ops::Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        Expr::apply("-", vec![self])
    }
}

impl ops::Neg for &Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        Expr::apply("-", vec![self.clone()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_terms_are_written_once() {
        let mut term = int("x");
        for _ in 0..3 {
            term = &term + &term;
        }
        let text = term.to_string();
        assert_eq!(
            text,
            "(let ((shared!0 (+ x x))) (let ((shared!1 (+ shared!0 shared!0))) (+ shared!1 shared!1)))"
        );
        let x = int("two words");
        assert_eq!(
            (&x - 3).lt(-1).closed(),
            "(forall ((|two words| Int)) (< (- |two words| 3) (- 1)))"
        );
        assert_eq!(Relation::new("done", &[]).of::<Expr>([]).closed(), "done");
    }

    #[test]
    fn terms_may_be_deep() {
        let mut term = int("x");
        for _ in 0..300_000 {
            term = term + 1;
        }
        assert!(term.to_string().len() > 300_000);
    }
}
