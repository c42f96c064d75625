//! Data: values of all classes of data types, or instances of the axioms that say why there are
//! none.
//!
//! A class with a constructor term is made by that constructor of the values of its arguments; a
//! class of a type with one constructor only, of the values of its fields, if any of them is
//! mentioned or there are few values. Any other class is a *leaf*: as no selector or tester needs
//! to know more about it, it gets a value of its own, of a constructor that no tester denies. If
//! only finitely many values are left for a leaf, a case distinction on its constructor is asked
//! for ([`Axiom::Exhaustion`]).
//!
//! Then everything that is said about data is compared with the values: further constructor terms
//! of a class ([`Axiom::Constructors`]), selectors, testers, and equalities that are false. A class
//! that would contain itself gives [`Axiom::Acyclicity`].
//!
//! The encoder ties testers to constructors: `is(c, t)` implies `t = c(f₁(t), …)`, and a selector
//! brings the tester of its constructor. So a leaf is never a value of a constructor whose
//! selectors are applied to it.
//!
//! Source: [BST07]. DIVERGENCE [BST07]: rules are applied to a complete assignment only, and leaves
//! get values instead of case distinctions wherever infinitely many are left.

mod compare;

use shofar_base::{GaveUp, Map, Outcome, Set};
use shofar_term::eval::Value;
use shofar_term::value::DataValue;
use shofar_term::{Cardinality, Constructor, DataKind, Field, Sort, Term};

use crate::candidate::{Candidate, NO_VALUE};
use crate::euf::Node;
use crate::euf::head::Head;
use crate::fresh::{is_endless, nth, nth_made_by};
use crate::instance::Axiom;

/// How often leaves get other values before the search gives up.
const MOST_TRIES: usize = 200;

/// How the value of a class is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// By this constructor term.
    Made(Node),
    /// Of its fields.
    Record(Constructor),
    /// Freely.
    Leaf,
}

/// What is said about a class.
#[derive(Clone, Debug, Default)]
struct Said {
    /// Constructor terms.
    made: Vec<Node>,
    /// Selectors that are applied to it.
    fields: Vec<(Field, Node)>,
    /// Testers that are applied to it.
    tests: Vec<(Constructor, Node)>,
}

/// The classes of one stage.
struct Classes<'c> {
    all: &'c [Node],
    said: Map<Node, Said>,
    shapes: Map<Node, Shape>,
    /// Of a leaf: which of the values that are left for it is taken.
    numbers: Map<Node, u64>,
}

impl Classes<'_> {
    fn shape(&self, class: Node) -> Option<Shape> {
        self.shapes.get(&class).copied()
    }
}

impl Candidate<'_> {
    /// Gives values to classes of data types, or asks for instances.
    pub(crate) fn build_data(&mut self, all: &[Node]) -> Outcome<()> {
        if all.is_empty() {
            return Ok(());
        }
        let mut classes = self.gather(all);
        self.exhaust_leaves(&classes);
        if !self.instances.is_empty() {
            return Ok(());
        }
        for _ in 0..MOST_TRIES {
            for &class in all {
                self.structures.of_class.remove(&class);
            }
            for &class in all.iter().filter(|&&c| classes.shape(c) == Some(Shape::Leaf)) {
                let value = self.leaf_value(&classes, class)?;
                self.structures.of_class.insert(class, value);
            }
            self.evaluate_classes(&classes)?;
            if !self.instances.is_empty() {
                return Ok(());
            }
            let Some(leaf) = self.compare_data(&classes)? else { return Ok(()) };
            *classes.numbers.entry(leaf).or_default() += 1;
        }
        Err(GaveUp::incomplete("values of data types that differ"))
    }
    fn gather<'c>(&self, all: &'c [Node]) -> Classes<'c> {
        let mut said: Map<Node, Said> = all.iter().map(|&c| (c, Said::default())).collect();
        for &node in &self.applications {
            let Some((head, args)) = self.euf.application(node) else { continue };
            let class = |n: Node| self.euf.class(n);
            match head {
                Head::Construct(_) => {
                    if let Some(said) = said.get_mut(&class(node)) {
                        said.made.push(node);
                    }
                }
                Head::Field(field) => {
                    if let Some(said) = said.get_mut(&class(args[0])) {
                        said.fields.push((field, node));
                    }
                }
                Head::Is(constructor) => {
                    if let Some(said) = said.get_mut(&class(args[0])) {
                        said.tests.push((constructor, node));
                    }
                }
                Head::Function(_) | Head::Select | Head::Store | Head::Const(_) => {}
            }
        }
        let mut shapes = Map::default();
        let mut numbers = Map::default();
        let mut leaves = 0;
        for &class in all {
            let sort = self.store.sort(self.euf.term(class));
            let shape = match (said[&class].made.first(), self.store.constructors(sort)) {
                (Some(&node), _) => Shape::Made(node),
                (None, Some(&[only])) if !self.is_plain(&said[&class], sort) => Shape::Record(only),
                (None, _) => {
                    numbers.insert(class, leaves);
                    leaves += 1;
                    Shape::Leaf
                }
            };
            shapes.insert(class, shape);
        }
        Classes { all, said, shapes, numbers }
    }
    /// Whether nothing is said about a record, and there are so many that one more can be chosen
    /// freely. Then it is a leaf: what its fields are need not be decided, which would take
    /// exponentially many decisions for records of records.
    fn is_plain(&self, said: &Said, sort: Sort) -> bool {
        let has_many = match self.store.cardinality(sort) {
            Cardinality::Few(_) => false,
            Cardinality::Many | Cardinality::Infinite => true,
        };
        has_many && said.fields.is_empty() && said.tests.is_empty()
    }
    /// The constructors with infinitely many values that nobody denies for a leaf.
    fn endless_constructors(&self, classes: &Classes<'_>, class: Node) -> Vec<Constructor> {
        let sort = self.store.sort(self.euf.term(class));
        let denied = |c: &Constructor| {
            let tests = &classes.said[&class].tests;
            tests.iter().any(|&(of, node)| of == *c && self.euf.truth_of(node) != Some(true))
        };
        let constructors = self.store.constructors(sort).unwrap_or_default().iter().copied();
        constructors.filter(|c| is_endless(self.store, *c) && !denied(c)).collect()
    }
    /// Asks for a case distinction on leaves with finitely many values.
    fn exhaust_leaves(&mut self, classes: &Classes<'_>) {
        for &class in classes.all {
            let sort = self.store.sort(self.euf.term(class));
            if classes.shape(class) != Some(Shape::Leaf)
                || self.store.constructors(sort).is_some_and(|all| all.len() == 1)
                || !self.endless_constructors(classes, class).is_empty()
            {
                continue;
            }
            let term = self.plain_member(class).unwrap_or(self.euf.term(class));
            let constructors = self.store.constructors(self.store.sort(term));
            let constructors = constructors.unwrap_or_default().to_vec();
            let clause = constructors.into_iter().map(|c| self.store.is(c, term)).collect();
            self.ask(Axiom::Exhaustion, clause);
        }
    }
    fn leaf_value(&self, classes: &Classes<'_>, class: Node) -> Outcome<Value> {
        let number = classes.numbers.get(&class).copied().unwrap_or_default();
        let sort = self.store.sort(self.euf.term(class));
        let is_free = classes.said[&class].tests.is_empty();
        let value = if is_free && number == 0 {
            Some(Value::default_of(self.store, sort))
        } else if is_free {
            nth(self.store, sort, number)
        } else {
            let endless = self.endless_constructors(classes, class);
            endless.first().and_then(|&c| nth_made_by(self.store, c, number))
        };
        value.ok_or_else(|| GaveUp::incomplete(NO_VALUE))
    }
    /// The nodes that a class is made of, in the order of the constructor's fields, and what
    /// contains them; a record may have fields that nobody mentions.
    fn parts(&self, classes: &Classes<'_>, class: Node) -> (Option<Node>, Vec<Option<Node>>) {
        match classes.shape(class) {
            Some(Shape::Made(node)) => {
                let args = self.euf.application(node).map_or(&[][..], |(_, args)| args);
                (Some(node), args.iter().map(|&a| Some(a)).collect())
            }
            Some(Shape::Record(constructor)) => {
                let mentioned = &classes.said[&class].fields;
                let node = |f: &Field| mentioned.iter().find(|(g, _)| g == f).map(|&(_, n)| n);
                (None, self.store.constructor_fields(constructor).iter().map(node).collect())
            }
            Some(Shape::Leaf) | None => (None, Vec::new()),
        }
    }
    /// Gives values to all classes that are no leaves, each after its parts.
    fn evaluate_classes(&mut self, classes: &Classes<'_>) -> Outcome<()> {
        let mut open: Set<Node> = Set::default();
        for &start in classes.all {
            let mut stack = vec![start];
            while let Some(&class) = stack.last() {
                if self.structures.of_class.contains_key(&class) {
                    stack.pop();
                    open.remove(&class);
                    continue;
                }
                let (_, parts) = self.parts(classes, class);
                let waiting = parts.iter().flatten().map(|&n| self.euf.class(n)).find(|c| {
                    classes.said.contains_key(c) && !self.structures.of_class.contains_key(c)
                });
                match waiting {
                    Some(part) if part == class || open.contains(&part) => {
                        open.insert(class);
                        self.ask_acyclicity(classes, &stack, part);
                        return Ok(());
                    }
                    Some(part) => {
                        open.insert(class);
                        stack.push(part);
                    }
                    None => {
                        let value = self.made_value(classes, class, &parts)?;
                        self.structures.of_class.insert(class, value);
                    }
                }
            }
        }
        Ok(())
    }
    fn made_value(
        &self,
        classes: &Classes<'_>,
        class: Node,
        parts: &[Option<Node>],
    ) -> Outcome<Value> {
        let constructor = match classes.shape(class) {
            Some(Shape::Made(node)) => self.constructor(node),
            Some(Shape::Record(constructor)) => Some(constructor),
            Some(Shape::Leaf) | None => None,
        };
        let constructor = constructor.ok_or_else(|| GaveUp::incomplete(NO_VALUE))?;
        let fields = self.store.constructor_fields(constructor).iter().zip(parts);
        let value = |(&field, part): (&Field, &Option<Node>)| match part {
            Some(node) => self.known_value(*node),
            None => Ok(Value::default_of(self.store, self.store.field_sort(field))),
        };
        let fields = fields.map(value).collect::<Outcome<_>>()?;
        Ok(Value::Data(DataValue::new(self.store, constructor, fields)))
    }
    fn constructor(&self, node: Node) -> Option<Constructor> {
        match self.store.data_kind(self.euf.term(node))? {
            DataKind::Construct(constructor, _) => Some(constructor),
            DataKind::Field(..) | DataKind::Is(..) => None,
        }
    }
    /// The classes from `part` on in the stack contain each other in a circle.
    fn ask_acyclicity(&mut self, classes: &Classes<'_>, stack: &[Node], part: Node) {
        let start = stack.iter().position(|&c| c == part).expect("an open class is on the stack");
        let circle = &stack[start..];
        let mut clause = Vec::new();
        for (at, &class) in circle.iter().enumerate() {
            let next = circle[(at + 1) % circle.len()];
            let (_, parts) = self.parts(classes, class);
            let inside = parts.into_iter().flatten().find(|&n| self.euf.class(n) == next);
            let inside = self.euf.term(inside.expect("the next class is a part of this one"));
            let container = self.container(classes, next, inside);
            self.unless_equal(&mut clause, inside, container);
        }
        self.ask(Axiom::Acyclicity, clause);
    }
    /// The term of a class that contains its parts: its constructor term, or the record whose
    /// fields they are.
    fn container(&self, classes: &Classes<'_>, class: Node, fallback: Term) -> Term {
        let (made, parts) = self.parts(classes, class);
        if let Some(node) = made {
            return self.euf.term(node);
        }
        let field = parts.into_iter().flatten().next();
        let whole = field.and_then(|n| self.euf.application(n)).and_then(|(_, args)| args.first());
        whole.map_or(fallback, |&n| self.euf.term(n))
    }
}
