//! Leaves in the words of the source: `x.f`, `a[i].f`, and definitions over leaves said that way.
//!
//! The path of a leaf tells how to reach it from a variable of the source: by fields, tags and
//! indices. A leaf inside of an array is an array itself, for which the source has no term, but its
//! elements have one. So a definition comes back if it reads arrays that were taken apart at
//! places. Of equations of such arrays as a whole, it comes back if they are conjuncts: where all
//! leaves of an array equal constants, the array does; otherwise the elements are equal at all
//! indices, which takes a universal quantifier in front.

use shofar_base::{GaveUp, Map, Outcome};
use shofar_term::eval::{Model, evaluate};
use shofar_term::{
    ArrayKind, Constructor, Field, Kind, Quantifier, Sort, Symbol, Term, TermStore, Value,
};

use super::layout::{Index, Layout, Shape};

/// One part of the way to a leaf.
#[derive(Clone, Debug)]
enum Step {
    /// The field of a record.
    Field(Field),
    /// The field of a constructor, if it made the value.
    Case(Constructor, Field),
    /// The constructor that made the value.
    Tag(Vec<Constructor>),
    /// The element at an index, for which so many leaves are needed.
    Element(Index, usize),
}

/// A leaf, as far as it is reached.
#[derive(Clone, Debug)]
struct Reached {
    /// A term of the source.
    term: Term,
    /// The steps still to go; the first one is an element.
    steps: std::collections::VecDeque<Step>,
    /// Testers without which the leaf is junk.
    guards: Vec<Term>,
    /// The first leaves of the index that is needed next.
    indices: Vec<Term>,
}

/// What became of a term.
#[derive(Clone, Debug)]
enum Said {
    /// A term of the source.
    Term(Term),
    /// An array that the source has elements of.
    Array(Reached),
}

impl Layout {
    /// `body`, which speaks about the leaves `params` of `variables`, said of `variables`
    /// themselves.
    pub(super) fn say(
        &self,
        store: &mut TermStore,
        body: Term,
        params: &[Symbol],
        variables: &[Symbol],
    ) -> Outcome<Term> {
        let (mut said, mut arrays) = (Map::default(), Vec::new());
        let mut rest = params.iter();
        for &variable in variables {
            let (term, sort) = (store.constant(variable), store.result(variable));
            let mut leaves = Vec::new();
            for steps in self.paths(store, sort) {
                let param = rest.next().ok_or(GaveUp::wrong("the model has too few parameters"))?;
                let reached =
                    Reached { term, steps: steps.into(), guards: Vec::new(), indices: Vec::new() };
                leaves.push(store.constant(*param));
                said.insert(leaves[leaves.len() - 1], self.advance(store, reached)?);
            }
            self.arrays(store, term, &leaves, &mut arrays);
        }
        self.say_conjuncts(store, body, &mut said, &arrays)
    }
    /// Says the conjuncts of `body` one by one, equations of arrays that were taken apart in their
    /// own way.
    fn say_conjuncts(
        &self,
        store: &mut TermStore,
        body: Term,
        said: &mut Map<Term, Said>,
        arrays: &[(Term, Vec<Term>)],
    ) -> Outcome<Term> {
        let (mut bound, mut matrix) = (Vec::new(), body);
        if let Kind::Quantified(Quantifier::Forall, inner, variables) = store.kind(body) {
            (bound, matrix) = (variables.to_vec(), inner);
        }
        let mut parts = store.conjuncts(&[matrix]);
        let mut result = Vec::with_capacity(parts.len());
        for (array, leaves) in arrays {
            let Some((places, value)) = self.constant(store, *array, leaves, &parts) else {
                continue;
            };
            let value = store.value_term(&value, store.sort(*array));
            result.push(store.eq(*array, value));
            parts =
                (0..parts.len()).filter(|at| !places.contains(at)).map(|at| parts[at]).collect();
        }
        for part in parts {
            if let Kind::Same(a, b) = store.kind(part)
                && [a, b].iter().any(|side| matches!(said.get(side), Some(Said::Array(_))))
            {
                self.say_term(store, a, said)?;
                self.say_term(store, b, said)?;
                let (left, right, sort) = (said[&a].clone(), said[&b].clone(), store.sort(a));
                result.push(self.equal_everywhere(store, left, right, sort, &mut bound)?);
                continue;
            }
            self.say_term(store, part, said)?;
            result.push(whole(&said[&part])?);
        }
        let matrix = store.and(&result);
        if bound.is_empty() {
            return Ok(matrix);
        }
        Ok(store.quantify(Quantifier::Forall, matrix, &bound))
    }
    /// That two arrays of `sort` are equal at the indices that are new in `bound`.
    fn equal_everywhere(
        &self,
        store: &mut TermStore,
        mut a: Said,
        mut b: Said,
        mut sort: Sort,
        bound: &mut Vec<Term>,
    ) -> Outcome<Term> {
        loop {
            if let (Said::Term(a), Said::Term(b)) = (&a, &b) {
                return Ok(store.eq(*a, *b));
            }
            let (index, element) = store.array_parts(sort).expect("a leaf of an array is one");
            let at = store.fresh("k", index);
            let at = store.constant(at);
            bound.push(at);
            (a, b) = (self.element(store, a, at)?, self.element(store, b, at)?);
            sort = element;
        }
    }
    /// The element of an array.
    fn element(&self, store: &mut TermStore, array: Said, index: Term) -> Outcome<Said> {
        match array {
            Said::Term(array) => Ok(Said::Term(store.select(array, index))),
            Said::Array(mut reached) => {
                reached.indices.push(index);
                self.advance(store, reached)
            }
        }
    }
    /// The value that the leaves of an array say it has, and the conjuncts among `parts` by which
    /// they do, if they all do.
    fn constant(
        &self,
        store: &TermStore,
        array: Term,
        leaves: &[Term],
        parts: &[Term],
    ) -> Option<(Vec<usize>, Value)> {
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for &leaf in leaves {
            let (at, value) = parts.iter().enumerate().find_map(|(at, &part)| {
                let Kind::Same(a, b) = store.kind(part) else { return None };
                let other = if a == leaf {
                    b
                } else if b == leaf {
                    a
                } else {
                    return None;
                };
                Some((at, evaluate(store, other, &Model::new()).ok()?))
            })?;
            places.push(at);
            values.push(value);
        }
        let value = self.value(store, store.sort(array), &values.iter().collect::<Vec<_>>())?;
        Some((places, value))
    }
    /// The arrays that `term` has among its fields and that were taken apart, with their leaves.
    fn arrays(
        &self,
        store: &mut TermStore,
        term: Term,
        leaves: &[Term],
        found: &mut Vec<(Term, Vec<Term>)>,
    ) {
        match &self.get(store.sort(term)).shape {
            Shape::Array(..) if !leaves.is_empty() => found.push((term, leaves.to_vec())),
            Shape::Record(constructor) => {
                let mut rest = leaves;
                for field in store.constructor_fields(*constructor).to_vec() {
                    let (own, others) = rest.split_at(self.width(store.field_sort(field)));
                    let part = store.field(field, term);
                    self.arrays(store, part, own, found);
                    rest = others;
                }
            }
            Shape::Whole | Shape::Variant(_) | Shape::Array(..) => (),
        }
    }
    /// Says `root` and all its subterms.
    fn say_term(
        &self,
        store: &mut TermStore,
        root: Term,
        said: &mut Map<Term, Said>,
    ) -> Outcome<()> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if said.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(store.children(term).iter().filter(|child| !said.contains_key(*child)));
            if stack.len() == before {
                let result = self.say_node(store, term, said)?;
                said.insert(term, result);
                stack.pop();
            }
        }
        Ok(())
    }
    /// What `term` says, whose children have been said.
    fn say_node(&self, store: &mut TermStore, term: Term, said: &Map<Term, Said>) -> Outcome<Said> {
        if let Kind::Array(ArrayKind::Select(array, index)) = store.kind(term)
            && let Said::Array(reached) = &said[&array]
        {
            let mut reached = reached.clone();
            reached.indices.push(whole(&said[&index])?);
            return self.advance(store, reached);
        }
        let children: Vec<Term> =
            store.children(term).iter().map(|child| whole(&said[child])).collect::<Outcome<_>>()?;
        Ok(Said::Term(store.rebuild(term, &children)))
    }
    /// Goes as far as the indices that are known lead.
    fn advance(&self, store: &mut TermStore, mut reached: Reached) -> Outcome<Said> {
        while let Some(step) = reached.steps.pop_front() {
            reached.term = match step {
                Step::Field(field) => store.field(field, reached.term),
                Step::Case(constructor, field) => {
                    let guard = store.is(constructor, reached.term);
                    reached.guards.push(guard);
                    store.field(field, reached.term)
                }
                Step::Tag(constructors) => Self::tag_of(store, reached.term, &constructors),
                Step::Element(index, count) if reached.indices.len() == count => {
                    let indices = std::mem::take(&mut reached.indices);
                    let index = match index {
                        Index::Whole(_) => indices[0],
                        Index::Split(sort) if self.get(sort).has_arrays => {
                            return Err(GaveUp::incomplete(
                                "the model reads an array at an array of data made of parts",
                            ));
                        }
                        Index::Split(sort) => self.assemble(store, sort, &indices),
                    };
                    store.select(reached.term, index)
                }
                Step::Element(..) => {
                    reached.steps.push_front(step);
                    return Ok(Said::Array(reached));
                }
            };
        }
        let guard = store.and(&reached.guards);
        let junk = store.default_term(store.sort(reached.term));
        Ok(Said::Term(store.ite(guard, reached.term, junk)))
    }
    /// The ways to the leaves of a term of `sort`, in their order.
    fn paths(&self, store: &TermStore, sort: Sort) -> Vec<Vec<Step>> {
        let mut paths = Vec::new();
        let mut below = |first: Step, sort: Sort| {
            for mut rest in self.paths(store, sort) {
                rest.insert(0, first.clone());
                paths.push(rest);
            }
        };
        match &self.get(sort).shape {
            Shape::Whole => return vec![Vec::new()],
            Shape::Record(constructor) => {
                for &field in store.constructor_fields(*constructor) {
                    below(Step::Field(field), store.field_sort(field));
                }
            }
            Shape::Variant(constructors) => {
                for &constructor in constructors {
                    for &field in store.constructor_fields(constructor) {
                        below(Step::Case(constructor, field), store.field_sort(field));
                    }
                }
                paths.insert(0, vec![Step::Tag(constructors.clone())]);
            }
            Shape::Array(index, element) => {
                below(Step::Element(*index, self.indices(*index).len()), *element);
            }
        }
        paths
    }
}

fn whole(said: &Said) -> Outcome<Term> {
    match said {
        Said::Term(term) => Ok(*term),
        Said::Array(_) => Err(GaveUp::incomplete(
            "the model speaks of a part of all elements of an array of data at once",
        )),
    }
}
