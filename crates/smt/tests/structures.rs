//! Random formulas over arrays and data: models evaluate to true, proofs replay with all their
//! leaves, interpolants pass their check, and hardly anything stays unknown.
//!
//! In debug builds the solver checks its own models, proofs and interpolants, so running is most of
//! the test.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shofar_base::{Budget, Rng};
use shofar_smt::{Answer, Options, PartId, Solver};
use shofar_term::{
    ConstructorDeclaration, Cx, DataDeclaration, FieldSort, Sort, SortKind, Term, TermStore,
};

/// A generator of formulas over a few constants of each sort.
struct Random {
    rng: Rng,
    sorts: Vec<Sort>,
}

fn declare(s: &mut TermStore, name: &str, constructors: &[(&str, &[(&str, FieldSort)])]) -> Sort {
    let constructors = constructors
        .iter()
        .map(|(name, fields)| ConstructorDeclaration {
            name: (*name).into(),
            fields: fields.iter().map(|(name, sort)| ((*name).into(), *sort)).collect(),
        })
        .collect();
    s.declare_data(vec![DataDeclaration { name: name.into(), constructors }]).unwrap()[0]
}

/// Sorts that belong together; a formula uses those of one family.
fn family(s: &mut TermStore, number: usize) -> Vec<Sort> {
    let (int, boolean) = (Sort::INT, Sort::BOOL);
    match number {
        0 => vec![int, s.array_sort(int, int)],
        1 => {
            let (index, element) = (s.declare_sort("I"), s.declare_sort("E"));
            vec![index, element, s.array_sort(index, element)]
        }
        2 => {
            let row = s.array_sort(int, int);
            vec![int, row, s.array_sort(int, row), s.array_sort(row, int)]
        }
        3 => {
            let arrays = [(int, boolean), (boolean, int), (boolean, boolean)];
            let arrays = arrays.map(|(index, element)| s.array_sort(index, element));
            [vec![int], arrays.to_vec()].concat()
        }
        4 => {
            let head = ("head", FieldSort::Known(int));
            let tail = ("tail", FieldSort::Own(0));
            let list = declare(s, "List", &[("nil", &[]), ("cons", &[head, tail])]);
            vec![int, list, s.array_sort(int, list)]
        }
        5 => {
            let color = declare(s, "Color", &[("red", &[]), ("green", &[]), ("blue", &[])]);
            let some = ("it", FieldSort::Known(color));
            let option = declare(s, "Option", &[("none", &[]), ("some", &[some])]);
            vec![color, option, s.array_sort(color, option), s.array_sort(option, boolean)]
        }
        _ => {
            let row = s.array_sort(int, int);
            let fields = [
                ("n", FieldSort::Known(int)),
                ("p", FieldSort::Known(boolean)),
                ("a", FieldSort::Known(row)),
            ];
            let record = declare(s, "Record", &[("record", &fields)]);
            vec![int, row, record, s.array_sort(record, int)]
        }
    }
}

impl Random {
    fn constant(&mut self, s: &mut TermStore, sort: Sort) -> Term {
        let place = self.sorts.iter().position(|&own| own == sort).unwrap();
        let name = format!("x{place}_{}", self.rng.below(3));
        s.var(&name, sort)
    }
    /// A term with an operation on arrays or data at its top, if there is one of that sort.
    fn operation(&mut self, s: &mut TermStore, sort: Sort, depth: usize) -> Option<Term> {
        let from = *self.rng.pick(&self.sorts);
        if self.rng.chance(50)
            && let Some((index, element)) = s.array_parts(from)
            && element == sort
        {
            let (a, i) = (self.term(s, from, depth), self.term(s, index, depth));
            return Some(s.select(a, i));
        }
        if let Some(constructors) = s.constructors(from) {
            let constructor = *self.rng.pick(constructors);
            let fields = s.constructor_fields(constructor).to_vec();
            if let Some(&field) = fields.iter().find(|&&f| s.field_sort(f) == sort) {
                let whole = self.term(s, from, depth);
                return Some(s.field(field, whole));
            }
        }
        match s.sort_kind(sort) {
            SortKind::Array(index, element) => {
                let v = self.term(s, element, depth);
                if self.rng.chance(15) {
                    return Some(s.constant_array(sort, v));
                }
                let (a, i) = (self.term(s, sort, depth), self.term(s, index, depth));
                Some(s.store(a, i, v))
            }
            SortKind::Data(_, constructors) => {
                let constructor = *self.rng.pick(constructors);
                let fields = s.constructor_fields(constructor).to_vec();
                let args: Vec<Term> = fields
                    .into_iter()
                    .map(|f| {
                        let sort = s.field_sort(f);
                        self.term(s, sort, depth)
                    })
                    .collect();
                Some(s.construct(constructor, &args))
            }
            SortKind::Int => Some(s.int(self.rng.range(0, 2))),
            SortKind::Bool | SortKind::Real | SortKind::Uninterpreted(_) | SortKind::Bits(_) => {
                None
            }
        }
    }
    fn term(&mut self, s: &mut TermStore, sort: Sort, depth: usize) -> Term {
        if sort.is_bool() {
            return if self.rng.chance(50) {
                s.var("p", sort)
            } else {
                s.bool(self.rng.chance(50))
            };
        }
        if depth > 0 && self.rng.chance(8) {
            let c = self.formula(s, 0);
            let [a, b] = [(); 2].map(|()| self.term(s, sort, depth - 1));
            return s.ite(c, a, b);
        }
        let made = if depth > 0 && self.rng.chance(60) {
            self.operation(s, sort, depth - 1)
        } else {
            None
        };
        made.unwrap_or_else(|| self.constant(s, sort))
    }
    fn formula(&mut self, s: &mut TermStore, depth: usize) -> Term {
        if depth == 0 || self.rng.chance(50) {
            if self.rng.chance(15)
                && let Some(read) = self.operation(s, Sort::BOOL, 1)
            {
                return read;
            }
            let sort = *self.rng.pick(&self.sorts);
            let [a, b] = [(); 2].map(|()| self.term(s, sort, 2));
            let atom = match s.constructors(sort) {
                Some(constructors) if self.rng.chance(35) => {
                    let constructor = *self.rng.pick(constructors);
                    s.is(constructor, a)
                }
                Some(_) | None => s.eq(a, b),
            };
            return if self.rng.chance(45) { s.not(atom) } else { atom };
        }
        let [a, b] = [(); 2].map(|()| self.formula(s, depth - 1));
        match self.rng.below(5) {
            0 => s.and(&[a, b]),
            1 => s.iff(a, b),
            _ => s.or(&[a, b]),
        }
    }
}

/// The answer to random formulas, and whether an interpolant of their halves was found.
fn ask(seed: u64, number: usize) -> (Option<bool>, bool) {
    let mut s = TermStore::new();
    let sorts = family(&mut s, number);
    let mut random = Random { rng: Rng::new(seed), sorts };
    let count = 3 + random.rng.below(7);
    let formulas: Vec<Term> = (0..count).map(|_| random.formula(&mut s, 2)).collect();
    let mut solver = Solver::new(Options::with_proofs());
    let parts: Vec<PartId> = formulas.iter().map(|&t| solver.add(&mut s, t)).collect();
    let budget = Budget::unlimited();
    let cx = &mut Cx::new(&mut s, &budget);
    match solver.check(cx) {
        Ok(Answer::Sat(view)) => {
            let model = view.assignment(cx.store);
            let mut evaluator = shofar_term::eval::Evaluator::with_defaults(&model);
            assert!(formulas.iter().all(|&t| evaluator.holds(cx.store, t) == Ok(true)), "{seed}");
            (Some(true), false)
        }
        Ok(Answer::Unsat(view)) => {
            assert_eq!(view.check_proof(cx), Ok(Ok(())), "{seed}");
            (Some(false), view.interpolant(cx, &parts[..count / 2]).is_ok())
        }
        Err(_) => (None, false),
    }
}

#[test]
fn random_formulas_are_decided() {
    let (mut sat, mut unsat, mut unknown, mut interpolants) = (0, 0, 0, 0);
    for number in 0..7 {
        for seed in 0..150 {
            let (answer, has_interpolant) = ask(seed, number);
            match answer {
                Some(true) => sat += 1,
                Some(false) => unsat += 1,
                None => unknown += 1,
            }
            interpolants += usize::from(has_interpolant);
        }
    }
    assert!(sat > 100 && unsat > 100, "{sat} sat, {unsat} unsat, {unknown} unknown");
    assert!(unknown <= 10, "{sat} sat, {unsat} unsat, {unknown} unknown");
    assert!(interpolants > unsat / 3, "{interpolants} interpolants of {unsat}");
}
