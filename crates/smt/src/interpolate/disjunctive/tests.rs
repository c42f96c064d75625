//! Marked formulas with known and with random interpolants, all of which the check accepts.

use shofar_base::{Budget, Rng};

use super::*;

struct Test {
    store: TermStore,
    budget: Budget,
}

impl Test {
    fn new() -> Self {
        Self { store: TermStore::new(), budget: Budget::unlimited() }
    }
    fn solve(&mut self, marked: &Marked) -> Disjunctive {
        let cx = &mut Cx::new(&mut self.store, &self.budget);
        marked.solve(cx, &Options::default(), &Interpolation::default()).expect("no limit")
    }
    fn interpolants(&mut self, marked: &Marked) -> Vec<Term> {
        match self.solve(marked) {
            Disjunctive::Interpolants(interpolants) => interpolants,
            Disjunctive::Model(_) => panic!("the formula is unsatisfiable"),
        }
    }
    fn accepts(&mut self, marked: &Marked, interpolants: &[Term]) -> bool {
        let cx = &mut Cx::new(&mut self.store, &self.budget);
        marked.check(cx, interpolants).expect("no limit").is_ok()
    }
}

/// The formula of the thrice unfolded greatest common divisor: root, `g`, and two copies of `g1`.
fn gcd(s: &mut TermStore) -> Marked {
    let [m, n, r, a, b] = ["M", "N", "R", "A", "B"].map(|name| s.var(name, Sort::INT));
    let zero = s.int(0);
    let [g, left, right] = [0, 1, 2].map(|_| Marked::flag(s));
    let [g_holds, left_holds, right_holds] = [g, left, right].map(|flag| s.constant(flag));
    let query = [s.ge(m, zero), s.eq(m, n), g_holds, s.gt(r, m)];
    let root = s.and(&query);
    let base = [s.eq(m, n), s.eq(r, m)];
    let difference = s.sub(m, n);
    let first = [s.gt(m, n), s.eq(a, difference), left_holds];
    let difference = s.sub(n, m);
    let second = [s.lt(m, n), s.eq(b, difference), right_holds];
    let ways = [s.and(&base), s.and(&first), s.and(&second)];
    let at_g = s.or(&ways);
    let (equal, same) = (s.eq(a, n), s.eq(r, a));
    let at_left = s.and(&[equal, same]);
    let (equal, same) = (s.eq(m, b), s.eq(r, m));
    let at_right = s.and(&[equal, same]);
    Marked {
        positions: vec![
            Position { formula: root, place: None },
            Position { formula: at_g, place: Some((0, g)) },
            Position { formula: at_left, place: Some((1, left)) },
            Position { formula: at_right, place: Some((1, right)) },
        ],
    }
}

#[test]
fn positions_below_a_disjunction() {
    let mut t = Test::new();
    let marked = gcd(&mut t.store);
    let found = t.interpolants(&marked);
    assert!(t.accepts(&marked, &found));
    let s = &mut t.store;
    let [m, n, r] = ["M", "N", "R"].map(|name| s.var(name, Sort::INT));
    let (equal, bound) = (s.eq(m, n), s.ge(m, r));
    let (reference, top, bottom) = (s.implies(equal, bound), s.top(), s.bottom());
    assert!(t.accepts(&marked, &[bottom, reference, top, top]));
    assert!(!t.accepts(&marked, &[bottom, top, top, top]), "the root does not imply false");
    assert!(!t.accepts(&marked, &[bottom, bound, top, top]), "g does not imply it");
    let s = &mut t.store;
    let (foreign, zero) = (s.var("A", Sort::INT), s.int(0));
    let local = s.ge(foreign, zero);
    let weaker = s.or(&[reference, local]);
    assert!(!t.accepts(&marked, &[bottom, weaker, top, top]), "A does not occur outside");
}

#[test]
fn a_satisfiable_formula_has_a_model() {
    let mut t = Test::new();
    let mut marked = gcd(&mut t.store);
    let (m, r) = (t.store.var("M", Sort::INT), t.store.var("R", Sort::INT));
    let g = marked.positions[1].place.expect("it is below the root").1;
    let g_holds = t.store.constant(g);
    let less = t.store.lt(r, m);
    marked.positions[0].formula = t.store.and(&[less, g_holds]);
    let Disjunctive::Model(model) = t.solve(&marked) else { panic!("gcd(3, 5) is less") };
    let mut evaluator = shofar_term::eval::Evaluator::with_defaults(&model);
    assert_eq!(evaluator.holds(&t.store, less), Ok(true));
    assert_eq!(evaluator.holds(&t.store, marked.positions[1].formula), Ok(true));
}

#[test]
fn nested_conjunctions_are_a_sequence_with_divisibility() {
    let mut t = Test::new();
    let s = &mut t.store;
    let [z, k, m] = ["z", "k", "m"].map(|name| s.var(name, Sort::INT));
    let (twice, one) = (s.scale(&2.into(), k), s.int(1));
    let even = s.eq(z, twice);
    let odd = s.scale(&2.into(), m);
    let odd = s.add(&[odd, one]);
    let odd = s.eq(z, odd);
    let flag = Marked::flag(s);
    let holds = s.constant(flag);
    let mut marked = Marked::root(s.and(&[odd, holds]));
    marked.positions.push(Position { formula: even, place: Some((0, flag)) });
    let found = t.interpolants(&marked);
    assert!(t.accepts(&marked, &found));
    assert_eq!(free_symbols(&t.store, &found), [t.store.declare("z", &[], Sort::INT)]);
}

/// Random and/or trees over a few variables, marked at every second level.
#[test]
fn random_formulas() {
    let mut rng = Rng::new(3);
    let (mut refuted, mut satisfied) = (0, 0);
    for _ in 0..120 {
        let mut t = Test::new();
        let s = &mut t.store;
        let mut marked = Marked::root(s.top());
        let mut next = 0;
        while next < marked.positions.len() {
            let mut ways = Vec::new();
            for _ in 0..=rng.below(3) {
                let mut way = Vec::new();
                for _ in 0..2 {
                    let name = |rng: &mut Rng| format!("x{}", rng.below(4));
                    let x = s.var(&name(&mut rng), Sort::INT);
                    let y = s.var(&name(&mut rng), Sort::INT);
                    let more = s.int(rng.range(-2, 3));
                    let sum = s.add(&[y, more]);
                    way.push(if rng.chance(40) { s.eq(x, sum) } else { s.lt(x, sum) });
                }
                if marked.positions.len() < 6 && rng.chance(60) {
                    let flag = Marked::flag(s);
                    way.push(s.constant(flag));
                    let (formula, place) = (s.top(), Some((next, flag)));
                    marked.positions.push(Position { formula, place });
                }
                ways.push(s.and(&way));
            }
            marked.positions[next].formula = s.or(&ways);
            next += 1;
        }
        match t.solve(&marked) {
            Disjunctive::Model(_) => satisfied += 1,
            Disjunctive::Interpolants(found) => {
                assert!(t.accepts(&marked, &found));
                refuted += 1;
            }
        }
    }
    assert!(refuted > 20 && satisfied > 20, "both occur: {refuted} and {satisfied}");
}
