//! Sorts with parameters in them.

use shofar_term::{DEEPEST_SORT, Sort, TermStore};

/// Larger shapes are refused; each abbreviation may double what it is made of.
const LARGEST: usize = 20_000;

/// A step of a shape in postfix order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Sort(Sort),
    Parameter(usize),
    /// The sort of arrays from the last but one to the last.
    Array,
}

/// What a sort expression stands for: a sort, or one that depends on parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Sort(Sort),
    /// In postfix order; at least one parameter occurs.
    Open(Vec<Step>),
}

impl Shape {
    /// The parameter at this place.
    pub(crate) fn parameter(place: usize) -> Shape {
        Shape::Open(vec![Step::Parameter(place)])
    }
    fn steps(&self) -> Vec<Step> {
        match self {
            Shape::Sort(sort) => vec![Step::Sort(*sort)],
            Shape::Open(steps) => steps.clone(),
        }
    }
    /// The parameters that occur.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = usize> {
        let steps: &[Step] = match self {
            Shape::Sort(_) => &[],
            Shape::Open(steps) => steps,
        };
        steps.iter().filter_map(|step| match step {
            Step::Parameter(place) => Some(*place),
            Step::Sort(_) | Step::Array => None,
        })
    }
    /// The parameter that this is, if it is nothing else.
    pub(crate) fn as_parameter(&self) -> Option<usize> {
        match self {
            Shape::Open(steps) => match **steps {
                [Step::Parameter(place)] => Some(place),
                _ => None,
            },
            Shape::Sort(_) => None,
        }
    }
    /// Arrays from `index` to `element`, unless that is too large.
    pub(crate) fn array(store: &mut TermStore, index: &Shape, element: &Shape) -> Option<Shape> {
        if let (Shape::Sort(index), Shape::Sort(element)) = (index, element) {
            return array(store, *index, *element).map(Shape::Sort);
        }
        let mut steps = index.steps();
        steps.extend(element.steps());
        steps.push(Step::Array);
        (steps.len() <= LARGEST).then_some(Shape::Open(steps))
    }
    /// The same with arguments in place of the parameters, unless that is too large.
    pub(crate) fn fill(&self, store: &mut TermStore, arguments: &[Shape]) -> Option<Shape> {
        let steps = match self {
            Shape::Sort(_) => return Some(self.clone()),
            Shape::Open(steps) => steps,
        };
        let size = |place: usize| match &arguments[place] {
            Shape::Sort(_) => 1,
            Shape::Open(steps) => steps.len(),
        };
        if steps.len() + self.parameters().map(size).sum::<usize>() > LARGEST {
            return None;
        }
        let mut stack: Vec<Shape> = Vec::new();
        for step in steps {
            let next = match *step {
                Step::Sort(sort) => Shape::Sort(sort),
                Step::Parameter(place) => arguments[place].clone(),
                Step::Array => {
                    let element = stack.pop().expect("an array has an element sort");
                    let index = stack.pop().expect("an array has an index sort");
                    Shape::array(store, &index, &element)?
                }
            };
            stack.push(next);
        }
        stack.pop()
    }
}

fn array(store: &mut TermStore, index: Sort, element: Sort) -> Option<Sort> {
    let depth = store.sort_depth(index).max(store.sort_depth(element));
    (depth < DEEPEST_SORT).then(|| store.array_sort(index, element))
}
