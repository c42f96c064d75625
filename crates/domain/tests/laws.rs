//! The laws of domains, by enumeration of the points of a small square.

use shofar_base::{Idx, IndexVec, Rng};
use shofar_domain::{
    Congruences, Constraint, Dim, Domain, Equalities, Form, Intervals, Leaf, Numbers, Octagon,
    Relation, Space,
};
use shofar_num::Rational;

const SIDE: i64 = 4;

type Point = IndexVec<Dim, Rational>;

fn points() -> Vec<Point> {
    let side = -SIDE..=SIDE;
    let point =
        |x: i64| side.clone().map(move |y| [x, y].into_iter().map(Rational::from).collect());
    side.clone().flat_map(point).collect()
}

fn space() -> Space {
    [Numbers::Integer; 2].into_iter().collect()
}

fn dims() -> Vec<Dim> {
    space().handles().collect()
}

fn form(x: i64, y: i64) -> Form {
    Form::new(vec![(Dim::from_index(0), x.into()), (Dim::from_index(1), y.into())])
}

fn constraint(rng: &mut Rng) -> Constraint {
    let form = form(rng.range(-2, 2), rng.range(-2, 2));
    let relation = match rng.below(8) {
        0..=2 => Relation::AtMost,
        3 => Relation::Below,
        4 | 5 => Relation::Equal,
        6 => Relation::Differs,
        _ => Relation::Congruent(Rational::from(2 + rng.range(0, 2))),
    };
    Constraint { form, relation, bound: rng.range(-4, 4).into() }
}

/// The square as constraints, so that enumeration sees everything.
fn square() -> Vec<Constraint> {
    let sides = [form(1, 0), form(0, 1)];
    let bounds = |side: &Form| {
        [
            Constraint::at_most(side.clone(), SIDE.into()),
            Constraint::at_least(side, &(-SIDE).into()),
        ]
    };
    sides.iter().flat_map(bounds).collect()
}

/// The image of a conjunction and of a value; nothing if it is found to be empty.
fn image<D: Domain>(cube: &[Constraint], premise: Option<&D>) -> Option<D> {
    let (space, dims) = (space(), dims());
    let mut ranges = Intervals::of_space(&space);
    let known = premise.is_none_or(|value| D::tighten(&mut ranges, &space, (value, &dims)));
    if !known || !ranges.propagate(&space, cube) {
        return None;
    }
    let leaf = Leaf { space: &space, cube, ranges: &ranges };
    let premises: Vec<_> = premise.map(|value| (value, &dims[..])).into_iter().collect();
    D::image(leaf, &premises, &dims)
}

fn contains<D: Domain>(value: &D, point: &Point) -> bool {
    value.constraints().iter().all(|constraint| constraint.holds(point))
}

fn random<D: Domain>(rng: &mut Rng) -> (Vec<Constraint>, Option<D>) {
    let mut cube = square();
    for _ in 0..=rng.below(3) {
        cube.push(constraint(rng));
    }
    let value = image(&cube, None);
    (cube, value)
}

fn check<D: Domain>() {
    let points = points();
    for seed in 0..400 {
        let rng = &mut Rng::new(seed);
        let (first, a) = random::<D>(rng);
        let (second, b) = random::<D>(rng);
        let inside = |cube: &[Constraint], p: &Point| cube.iter().all(|c| c.holds(p));
        for (cube, value) in [(&first, &a), (&second, &b)] {
            for point in points.iter().filter(|p| inside(cube, p)) {
                let value = value.as_ref().expect("an image with a point is not empty");
                assert!(contains(value, point), "seed {seed}: {value:?} lacks {point:?}");
            }
        }
        let (Some(a), Some(b)) = (a, b) else { continue };
        assert!(a.includes(&a) && D::top(2).includes(&a), "seed {seed}");
        assert_eq!(image(&a.constraints(), None), Some(a.clone()), "seed {seed}: they say it all");
        let (mut joined, mut other) = (a.clone(), b.clone());
        joined.join(&b);
        other.join(&a);
        assert!(joined.includes(&a) && joined.includes(&b), "seed {seed}: {a:?} {b:?} {joined:?}");
        assert!(joined.includes(&other) && other.includes(&joined), "seed {seed}: join commutes");
        let mut widened = a.clone();
        widened.widen(&joined, &[]);
        assert!(widened.includes(&joined), "seed {seed}: widening goes up");
        for point in &points {
            let (in_a, in_b) = (contains(&a, point), contains(&b, point));
            assert!(!(in_a || in_b) || contains(&joined, point), "seed {seed}");
            assert!(!contains(&joined, point) || contains(&widened, point), "seed {seed}");
            if a.includes(&b) {
                assert!(!in_b || in_a, "seed {seed}: inclusion is about points");
            }
        }
        // A value as a premise says the same as its constraints.
        if let Some(met) = image(&second, Some(&a)) {
            for point in points.iter().filter(|p| contains(&a, p) && inside(&second, p)) {
                assert!(contains(&met, point), "seed {seed}: {met:?} lacks {point:?}");
            }
        } else {
            let both = |p: &&Point| contains(&a, p) && inside(&second, p);
            assert!(!points.iter().any(|p| both(&p)), "seed {seed}: a point is lost");
        }
    }
}

#[test]
fn laws_of_intervals() {
    check::<Intervals>();
}

#[test]
fn laws_of_octagons() {
    check::<Octagon>();
}

#[test]
fn laws_of_equalities() {
    check::<Equalities>();
}

#[test]
fn laws_of_congruences() {
    check::<Congruences>();
}

/// Joins values that grow without end; counts how often the widened one changes.
fn changes<D: Domain>(thresholds: &[Rational]) -> usize {
    let at = |n: i64| {
        let cube = [
            Constraint::equal(form(1, 0), n.into()),
            Constraint::equal(form(0, 1), (n * n).into()),
        ];
        image::<D>(&cube, None).expect("a point")
    };
    let (mut value, mut count) = (at(0), 0);
    for n in 1..60 {
        let mut newer = value.clone();
        newer.join(&at(n));
        if !value.includes(&newer) {
            value.widen(&newer, thresholds);
            count += 1;
        }
    }
    count
}

#[test]
fn widening_ends() {
    let thresholds = [10, 20].map(Rational::from);
    assert!(changes::<Intervals>(&thresholds) <= 6, "two thresholds and infinity for each bound");
    assert!(changes::<Octagon>(&thresholds) <= 20);
    assert!(changes::<Octagon>(&[]) <= 8);
    assert!(changes::<Equalities>(&thresholds) <= 2);
    assert!(changes::<Congruences>(&thresholds) <= 4);
}

#[test]
fn thresholds_stop_widening() {
    let point = |n: i64| {
        image::<Intervals>(&[Constraint::equal(form(1, 0), n.into())], None).expect("a point")
    };
    let mut value = point(0);
    let mut newer = point(0);
    newer.join(&point(3));
    value.widen(&newer, &[1, 7, 100].map(Rational::from));
    let expected =
        [Constraint::at_least(&form(1, 0), &0.into()), Constraint::at_most(form(1, 0), 7.into())];
    assert_eq!(value.constraints(), expected);
}

#[test]
fn octagons_are_tight() {
    let cube =
        [Constraint::at_most(form(1, -1), 0.into()), Constraint::at_most(form(1, 1), 1.into())];
    let value = image::<Octagon>(&cube, None).expect("there are points");
    assert!(value.constraints().contains(&Constraint::at_most(form(1, 0), 0.into())));
}

/// Every bound of a closed octagon is taken by one of its points.
#[test]
fn closed_octagons_are_minimal() {
    let points = points();
    for seed in 0..300 {
        let rng = &mut Rng::new(seed);
        let mut cube = square();
        for _ in 0..3 {
            let sign = |rng: &mut Rng| if rng.chance(50) { 1 } else { -1 };
            let form = form(sign(rng), sign(rng));
            cube.push(Constraint::at_most(form, rng.range(-3, 3).into()));
        }
        let inside: Vec<&Point> =
            points.iter().filter(|p| cube.iter().all(|c| c.holds(p))).collect();
        let Some(value) = image::<Octagon>(&cube, None) else {
            assert!(inside.is_empty(), "seed {seed}");
            continue;
        };
        assert!(!inside.is_empty(), "seed {seed}: integers decide emptiness");
        for Constraint { form, bound, .. } in value.constraints() {
            let most = inside.iter().map(|p| form.value(p)).max();
            assert_eq!(most, Some(bound), "seed {seed}: {form:?}");
        }
    }
}

/// The equations of points are those of the null space: all points of the hull, and no equation
/// more.
#[test]
fn hulls_of_points() {
    for seed in 0..200 {
        let rng = &mut Rng::new(seed);
        let chosen: Vec<[i64; 2]> =
            (0..=rng.below(4)).map(|_| [rng.range(-3, 3), rng.range(-3, 3)]).collect();
        let mut hull: Option<Equalities> = None;
        for [x, y] in &chosen {
            let cube = [
                Constraint::equal(form(1, 0), (*x).into()),
                Constraint::equal(form(0, 1), (*y).into()),
            ];
            let point = image::<Equalities>(&cube, None).expect("a point");
            match &mut hull {
                None => hull = Some(point),
                Some(hull) => hull.join(&point),
            }
        }
        let [first, others @ ..] = &chosen[..] else { unreachable!("at least one") };
        let away: Vec<[i64; 2]> = others
            .iter()
            .map(|p| [p[0] - first[0], p[1] - first[1]])
            .filter(|d| *d != [0, 0])
            .collect();
        let parallel = away.iter().all(|d| d[0] * away[0][1] == d[1] * away[0][0]);
        let dimension = usize::from(!away.is_empty()) + usize::from(!parallel);
        let equations = hull.expect("at least one point").equations();
        assert_eq!(equations.len(), 2 - dimension, "seed {seed}: {chosen:?} {equations:?}");
    }
}
