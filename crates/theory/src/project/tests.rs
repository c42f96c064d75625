//! The laws of projection on random cubes, against a search for the eliminated values.

use shofar_base::Rng;
use shofar_num::{Rational, div_euclid, mod_euclid};
use shofar_term::eval::Value;
use shofar_term::symbols::free_symbols;

use super::*;

const NAMES: [(&str, Sort); 6] = [
    ("x", Sort::INT),
    ("w", Sort::INT),
    ("r", Sort::REAL),
    ("y", Sort::INT),
    ("z", Sort::INT),
    ("s", Sort::REAL),
];
type Point = [Rational; 6];
type Row = [i64; 6];

#[derive(Clone, Debug)]
enum Inner {
    Mod(i64),
    Div(i64),
    /// Floor of the row over this denominator.
    Floor(i64),
}

/// `row·v + factor·inner(row'·v + k') + k ⋈ 0`.
#[derive(Clone, Debug)]
struct Atom {
    row: Row,
    constant: Rational,
    inner: Option<(i64, Inner, Row, i64)>,
    relation: Relation,
}

fn dot(row: &Row, point: &Point) -> Rational {
    row.iter().zip(point).map(|(&c, v)| Rational::from(c) * v).sum()
}

impl Atom {
    fn inner_value(&self, point: &Point) -> Rational {
        let Some((factor, inner, row, constant)) = &self.inner else { return Rational::ZERO };
        let argument = dot(row, point) + Rational::from(*constant);
        let value = match inner {
            Inner::Mod(n) => mod_euclid(&argument, &(*n).into()).unwrap(),
            Inner::Div(n) => div_euclid(&argument, &(*n).into()).unwrap(),
            Inner::Floor(n) => (argument / Rational::from(*n)).floor(),
        };
        value * Rational::from(*factor)
    }
    fn value(&self, point: &Point) -> Rational {
        dot(&self.row, point) + &self.constant + self.inner_value(point)
    }
    fn holds(&self, point: &Point) -> bool {
        let value = self.value(point);
        match &self.relation {
            Relation::Le => !value.is_positive(),
            Relation::Lt => value.is_negative(),
            Relation::Eq => value.is_zero(),
            Relation::Divides(_) => unreachable!("not generated"),
        }
    }
    fn random(rng: &mut Rng, live: &[usize], inside: &[usize], point: &Point) -> Self {
        let some = |rng: &mut Rng, from: &[usize], percent: u64| {
            let mut row = [0; 6];
            for &v in from {
                if rng.chance(percent) {
                    row[v] = rng.range(-3, 3);
                }
            }
            row
        };
        let mut atom = Atom {
            row: some(rng, live, 50),
            constant: Rational::ZERO,
            inner: None,
            relation: Relation::Le,
        };
        if rng.chance(30) {
            let n = rng.range(2, 5);
            let integers: Vec<usize> =
                inside.iter().copied().filter(|&v| NAMES[v].1 == Sort::INT).collect();
            let (inner, row) = match rng.below(3) {
                0 => (Inner::Mod(n), some(rng, &integers, 60)),
                1 => (Inner::Div(n), some(rng, &integers, 60)),
                _ => (Inner::Floor(n.min(3)), some(rng, inside, 60)),
            };
            if rng.chance(40) {
                atom.row = [0; 6];
            }
            atom.inner = Some((rng.range(1, 2), inner, row, rng.range(-3, 3)));
        }
        // The model satisfies the atom by the choice of its constant or of its direction.
        atom.constant = rng.range(-8, 8).into();
        let value = atom.value(point);
        if rng.chance(20) {
            atom.constant -= value;
            atom.relation = Relation::Eq;
        } else if value.is_positive() {
            atom.constant -= value + Rational::from(rng.range(0, 3));
        }
        if atom.relation == Relation::Le && atom.value(point).is_negative() && rng.chance(30) {
            atom.relation = Relation::Lt;
        }
        atom
    }
    fn bound(v: usize, sign: i64, limit: i64) -> Self {
        let mut row = [0; 6];
        row[v] = sign;
        Atom { row, constant: (-limit).into(), inner: None, relation: Relation::Le }
    }
    fn term(&self, store: &mut TermStore, vars: &[Term; 6]) -> Term {
        let mut parts = vec![store.number(self.constant.clone(), Sort::REAL)];
        for (&c, &v) in self.row.iter().zip(vars) {
            parts.push(store.scale(&c.into(), v));
        }
        if let Some((factor, inner, row, constant)) = &self.inner {
            let mut sum = vec![store.int(*constant)];
            for (&c, &v) in row.iter().zip(vars).filter(|&(&c, _)| c != 0) {
                sum.push(store.scale(&c.into(), v));
            }
            let sum = store.add(&sum);
            let inner = match inner {
                Inner::Mod(n) => store.modulo(sum, &(*n).into()),
                Inner::Div(n) => store.div(sum, &(*n).into()),
                Inner::Floor(n) => {
                    let share = store.scale(&Rational::new(1, *n), sum);
                    store.to_int(share)
                }
            };
            parts.push(store.scale(&(*factor).into(), inner));
        }
        let linear = store.add(&parts);
        let linear = store.linear(linear);
        match self.relation {
            Relation::Le => store.le_zero(&linear),
            Relation::Lt => store.lt_zero(&linear),
            Relation::Eq => store.eq_zero(&linear),
            Relation::Divides(_) => unreachable!("not generated"),
        }
    }
}

/// Values of the real variable 2 between which nothing changes, each with a point between it and
/// the next.
fn real_candidates(cube: &[Atom], point: &mut Point) -> Vec<Rational> {
    point[2] = Rational::ZERO;
    let mut roots = vec![Rational::ZERO];
    for atom in cube {
        let slope = Rational::from(atom.row[2]);
        let Some((factor, Inner::Floor(n), row, k)) = &atom.inner else {
            if !slope.is_zero() {
                roots.push(-atom.value(point) / slope);
            }
            continue;
        };
        let plain = dot(&atom.row, point) + &atom.constant;
        let inner_slope = Rational::new(row[2], *n);
        let inner_plain = (dot(row, point) + Rational::from(*k)) / Rational::from(*n);
        for floor in -60..=60 {
            let floor = Rational::from(floor);
            if !inner_slope.is_zero() {
                roots.push((&floor - &inner_plain) / &inner_slope);
            }
            if !slope.is_zero() {
                roots.push(-(&plain + Rational::from(*factor) * &floor) / &slope);
            }
        }
    }
    // Where floors are involved, the cube keeps the variable in a box.
    if cube
        .iter()
        .any(|atom| matches!(atom.inner, Some((_, Inner::Floor(_), row, _)) if row[2] != 0))
    {
        roots.retain(|root| root.abs() <= Rational::from(8));
    }
    roots.sort();
    roots.dedup();
    let mut all = vec![&roots[0] - Rational::ONE, &roots[roots.len() - 1] + Rational::ONE];
    all.extend(roots.windows(2).map(|pair| (&pair[0] + &pair[1]) / Rational::from(2)));
    all.extend(roots);
    all
}

/// Whether values for `eliminate` (integers within `window`) satisfy the cube, the others as in
/// `point`.
fn exists(cube: &[Atom], eliminate: &[usize], window: i64, point: &mut Point) -> bool {
    let Some((&v, others)) = eliminate.split_first() else {
        return cube.iter().all(|atom| atom.holds(point));
    };
    if NAMES[v].1 == Sort::REAL {
        for value in real_candidates(cube, point) {
            point[v] = value;
            if exists(cube, others, window, point) {
                return true;
            }
        }
        return false;
    }
    (0..=2 * window).any(|k| {
        // 0, -1, 1, -2, 2, and so on: witnesses tend to be small.
        let value = if k % 2 == 0 { k / 2 } else { -(k + 1) / 2 };
        point[v] = value.into();
        exists(cube, others, window, point)
    })
}

struct Setting {
    eliminate: &'static [usize],
    /// Variables in the linear part, and under `div`, `mod` and `to_int`.
    live: &'static [usize],
    inside: &'static [usize],
    /// Bounds on the eliminated variables that the cube itself contains.
    boxed: Option<i64>,
    window: i64,
    runs: u64,
}

fn assignment(store: &mut TermStore, point: &Point) -> Model {
    let mut model = Model::new();
    for ((name, sort), value) in NAMES.iter().zip(point) {
        model.set(store.declare(name, &[], *sort), Value::Number(value.clone()));
    }
    model
}

fn random_point(rng: &mut Rng, around: Option<&Point>) -> Point {
    std::array::from_fn(|v| {
        let centre = around.map_or(Rational::ZERO, |point| point[v].clone());
        let reach = if around.is_some() { 2 } else { 4 };
        if NAMES[v].1 == Sort::INT {
            centre + Rational::from(rng.range(-reach, reach))
        } else {
            centre + Rational::new(rng.range(-2 * reach, 2 * reach), rng.range(1, 3))
        }
    })
}

/// Checks the laws and returns at how many points besides the model the projection was true.
fn check(setting: &Setting, seed: u64) -> usize {
    let rng = &mut Rng::new(seed);
    let mut store = TermStore::new();
    let vars = NAMES.map(|(name, sort)| store.var(name, sort));
    let point = random_point(rng, None);
    let count = rng.range(2, 5);
    let mut cube: Vec<Atom> =
        (0..count).map(|_| Atom::random(rng, setting.live, setting.inside, &point)).collect();
    for &v in setting.eliminate {
        if let Some(limit) = setting.boxed {
            cube.extend([Atom::bound(v, 1, limit), Atom::bound(v, -1, limit)]);
        }
    }
    assert!(cube.iter().all(|atom| atom.holds(&point)));
    let literals: Vec<Term> = cube.iter().map(|atom| atom.term(&mut store, &vars)).collect();
    let literals: Vec<Term> = literals.into_iter().filter(|&l| l != store.top()).collect();
    let model = assignment(&mut store, &point);
    let symbols: Vec<Symbol> =
        setting.eliminate.iter().map(|&v| store.declare(NAMES[v].0, &[], NAMES[v].1)).collect();
    let result = project(&mut store, &literals, &symbols, &model);
    let text = format!("seed {seed}: {cube:?} at {point:?}");
    let mut evaluator = Evaluator::with_defaults(&model);
    assert!(
        result.iter().all(|&l| evaluator.holds(&store, l).unwrap()),
        "false in the model, {text}"
    );
    let free = free_symbols(&store, &result);
    assert!(symbols.iter().all(|symbol| !free.contains(symbol)), "not eliminated, {text}");
    let mut hits = 0;
    for _ in 0..12 {
        let mut other = random_point(rng, Some(&point));
        let model = assignment(&mut store, &other);
        let mut evaluator = Evaluator::with_defaults(&model);
        if result.iter().all(|&l| evaluator.holds(&store, l).unwrap()) {
            hits += 1;
            let found = exists(&cube, setting.eliminate, setting.window, &mut other);
            assert!(found, "no witness at {other:?}, {text}");
        }
    }
    hits
}

fn run(setting: &Setting) {
    let hits: usize = (0..setting.runs).map(|seed| check(setting, seed)).sum();
    assert!(hits > usize::try_from(setting.runs).unwrap() / 4, "the laws were hardly tested");
}

#[test]
fn one_integer() {
    run(&Setting {
        eliminate: &[0],
        live: &[0, 3, 4],
        inside: &[0, 3],
        boxed: None,
        window: 400,
        runs: 3000,
    });
}

#[test]
fn one_integer_among_reals() {
    run(&Setting {
        eliminate: &[0],
        live: &[0, 3, 5],
        inside: &[0, 3, 5],
        boxed: None,
        window: 400,
        runs: 2000,
    });
}

#[test]
fn two_integers() {
    run(&Setting {
        eliminate: &[0, 1],
        live: &[0, 1, 3, 4],
        inside: &[0, 1, 3],
        boxed: Some(6),
        window: 6,
        runs: 1000,
    });
}

#[test]
fn one_real() {
    run(&Setting {
        eliminate: &[2],
        live: &[2, 3, 5],
        inside: &[3, 5],
        boxed: None,
        window: 0,
        runs: 1000,
    });
}

#[test]
fn an_integer_and_a_real_under_floors() {
    run(&Setting {
        eliminate: &[0, 2],
        live: &[0, 2, 3, 5],
        inside: &[0, 2, 3, 5],
        boxed: Some(8),
        window: 8,
        runs: 1000,
    });
}

#[test]
fn a_strict_bound_stays_strict() {
    let mut s = TermStore::new();
    let [r, low, mid, u, v] = ["r", "low", "mid", "u", "v"].map(|name| s.var(name, Sort::REAL));
    let cube = [s.lt(low, r), s.le(mid, r), s.le(r, u), s.le(r, v)];
    let mut model = Model::new();
    for (name, value) in [("low", -1), ("u", 1), ("v", 1)] {
        model.set(s.declare(name, &[], Sort::REAL), Value::Number(value.into()));
    }
    let symbol = s.declare("r", &[], Sort::REAL);
    let mut found = project(&mut s, &cube, &[symbol], &model);
    let mut expected = vec![s.lt(low, mid), s.le(mid, u), s.le(mid, v)];
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn parity_is_projected_exactly() {
    let mut s = TermStore::new();
    let (x, y, one) = (s.var("x", Sort::INT), s.var("y", Sort::INT), s.int(1));
    let twice = s.scale(&2.into(), x);
    let odd = s.add(&[twice, one]);
    let cube = [s.eq(y, odd)];
    let mut model = Model::new();
    model.set(s.declare("y", &[], Sort::INT), Value::Number(1.into()));
    let x = s.declare("x", &[], Sort::INT);
    let next = s.add(&[y, one]);
    assert_eq!(project(&mut s, &cube, &[x], &model), [s.divisible(&2.into(), next)]);
}

#[test]
fn a_quotient_is_projected_exactly() {
    let mut s = TermStore::new();
    let (x, y, z) = (s.var("x", Sort::INT), s.var("y", Sort::INT), s.var("z", Sort::INT));
    let (quotient, rest) = (s.div(x, &7.into()), s.modulo(x, &7.into()));
    let cube = [s.eq(y, quotient), s.eq(z, rest)];
    let x = s.declare("x", &[], Sort::INT);
    let result = project(&mut s, &cube, &[x], &Model::new());
    let (zero, six) = (s.int(0), s.int(6));
    assert_eq!(result, [s.ge(z, zero), s.le(z, six)]);
}

#[test]
fn many_divisibilities_merge_exactly() {
    let mut s = TermStore::new();
    let (x, y) = (s.var("x", Sort::INT), s.var("y", Sort::INT));
    let both = s.add(&[x, y]);
    let cube = [s.divisible(&6.into(), x), s.divisible(&10.into(), both)];
    let x = s.declare("x", &[], Sort::INT);
    let result = project(&mut s, &cube, &[x], &Model::new());
    // 6a + y = 10b has a solution exactly if y is even.
    assert_eq!(result, [s.divisible(&2.into(), y)]);
}

#[test]
fn eliminated_booleans_go_and_others_stay() {
    let mut s = TermStore::new();
    let (p, q) = (s.var("p", Sort::BOOL), s.var("q", Sort::BOOL));
    let cube = [s.not(p), s.not(q)];
    let p = s.declare("p", &[], Sort::BOOL);
    assert_eq!(project(&mut s, &cube, &[p], &Model::new()), [cube[1]]);
}

#[test]
fn finitely_many_results() {
    let mut s = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| s.var(name, Sort::INT));
    let (twice, thrice) = (s.scale(&2.into(), x), s.scale(&3.into(), x));
    let quad = s.add(&[x, y]);
    let cube = [s.le(y, twice), s.le(thrice, z), s.divisible(&4.into(), quad)];
    let symbol = s.declare("x", &[], Sort::INT);
    let mut results = std::collections::BTreeSet::new();
    for seed in 0..20_000 {
        let rng = &mut Rng::new(seed);
        let mut model = Model::new();
        for name in ["x", "y", "z"] {
            let value = Value::Number(rng.range(-300, 300).into());
            model.set(s.declare(name, &[], Sort::INT), value);
        }
        let mut evaluator = Evaluator::with_defaults(&model);
        if cube.iter().all(|&l| evaluator.holds(&s, l).unwrap()) {
            results.insert(project(&mut s, &cube, &[symbol], &model));
        }
    }
    assert!(!results.is_empty() && results.len() <= 2 * 12 + 2, "{}", results.len());
}
