//! Every operation of `Rational` against a plain model: fractions of big integers that are never
//! reduced.

use std::cmp::Ordering;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use dashu_int::IBig;
use proptest::prelude::*;
use shofar_num::{Delta, Rational, div_euclid, div_exact, extended_gcd, gcd, lcm, mod_euclid};

/// An unreduced fraction; the denominator is positive.
#[derive(Clone, Debug)]
struct Model(IBig, IBig);

impl Model {
    /// The model and the value of the same text.
    fn both(num: &IBig, den: &IBig) -> (Model, Rational) {
        let value = format!("{num}/{den}").parse().expect("a number");
        (Model(num.clone(), den.clone()), value)
    }
    /// Whether `value` is this number and is its only representation: equal to and hashing like the
    /// parsed text.
    fn is(&self, value: &Rational) -> bool {
        let fresh: Rational = format!("{}/{}", self.0, self.1).parse().expect("a number");
        fresh == *value && hash(&fresh) == hash(value) && fresh.to_string() == value.to_string()
    }
    fn add(&self, other: &Model) -> Model {
        Model(&self.0 * &other.1 + &other.0 * &self.1, &self.1 * &other.1)
    }
    fn neg(&self) -> Model {
        Model(-&self.0, self.1.clone())
    }
    fn mul(&self, other: &Model) -> Model {
        Model(&self.0 * &other.0, &self.1 * &other.1)
    }
    fn recip(&self) -> Model {
        if self.0 < IBig::ZERO {
            Model(-&self.1, -&self.0)
        } else {
            Model(self.1.clone(), self.0.clone())
        }
    }
    fn cmp(&self, other: &Model) -> Ordering {
        (&self.0 * &other.1).cmp(&(&other.0 * &self.1))
    }
}

fn hash(value: &Rational) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

/// Integers with a liking for the borders of the machine words.
fn integer() -> impl Strategy<Value = IBig> {
    let edges = prop::sample::select(vec![
        IBig::from(i64::MIN),
        IBig::from(i64::MAX),
        IBig::from(u64::MAX),
        IBig::from(1u64 << 63),
        IBig::from(1u64 << 32),
        IBig::from(i128::MIN),
        IBig::from(i128::MAX),
        IBig::ZERO,
    ]);
    prop_oneof![
        4 => (-6i64..=6).prop_map(IBig::from),
        2 => any::<i32>().prop_map(IBig::from),
        2 => any::<i64>().prop_map(IBig::from),
        3 => (edges, -2i32..=2).prop_map(|(edge, offset)| edge + offset),
        1 => (any::<i128>(), any::<i128>()).prop_map(|(a, b)| IBig::from(a) * IBig::from(b)),
    ]
}

fn number() -> impl Strategy<Value = (Model, Rational)> {
    let positive = integer().prop_map(|n| match n {
        n if n == IBig::ZERO => IBig::ONE,
        n if n < IBig::ZERO => -n,
        n => n,
    });
    let denominator = prop_oneof![1 => Just(IBig::ONE), 2 => positive];
    // A common factor makes reduction to small values likely.
    (integer(), denominator, 1u64..40)
        .prop_map(|(num, den, factor)| Model::both(&(num * factor), &(den * factor)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn arithmetic_agrees_with_the_model((a, x) in number(), (b, y) in number(), (c, z) in number()) {
        prop_assert!(a.add(&b).is(&(&x + &y)));
        prop_assert!(a.add(&b.neg()).is(&(&x - &y)));
        prop_assert!(a.mul(&b).is(&(&x * &y)));
        prop_assert!(a.neg().is(&-&x));
        if !y.is_zero() {
            prop_assert!(b.recip().is(&y.recip()));
            prop_assert!(a.mul(&b.recip()).is(&(&x / &y)));
        }
        let (mut plus, mut minus) = (z.clone(), z.clone());
        plus.add_mul(&x, &y);
        minus.sub_mul(&x, &y);
        prop_assert!(c.add(&a.mul(&b)).is(&plus));
        prop_assert!(c.add(&a.mul(&b).neg()).is(&minus));
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(x == y, x.cmp(&y) == Ordering::Equal);
    }

    #[test]
    fn field_laws((_, x) in number(), (_, y) in number(), (_, z) in number()) {
        prop_assert_eq!((&x + &y) + &z, &x + (&y + &z));
        prop_assert_eq!((&x * &y) * &z, &x * (&y * &z));
        prop_assert_eq!(&x * (&y + &z), &x * &y + &x * &z);
        prop_assert_eq!(&x + &y, &y + &x);
        prop_assert_eq!(&x - &x, Rational::ZERO);
        if !x.is_zero() {
            prop_assert_eq!(&x / &x, Rational::ONE);
            prop_assert_eq!(x.recip().recip(), x.clone());
        }
        let (mut sum, mut product) = (x.clone(), x.clone());
        sum += &y;
        sum -= y.clone();
        prop_assert_eq!(&sum, &x);
        if !y.is_zero() {
            product *= &y;
            product /= y.clone();
            prop_assert_eq!(&product, &x);
        }
    }

    #[test]
    fn parts_rounding_and_text((_, x) in number()) {
        let (num, den) = (x.numerator(), x.denominator());
        prop_assert!(num.is_integer() && den.is_integer() && den.is_positive());
        prop_assert_eq!(gcd(&num, &den), Rational::ONE);
        prop_assert_eq!(Rational::ratio(&num, &den), x.clone());
        let (floor, ceil) = (x.floor(), x.ceil());
        prop_assert!(floor.is_integer() && floor <= x && x < &floor + Rational::ONE);
        prop_assert!(ceil.is_integer() && ceil >= x && x > &ceil - Rational::ONE);
        prop_assert_eq!(x.fract() + floor, x.clone());
        prop_assert_eq!(x.to_string().parse::<Rational>().unwrap(), x.clone());
        prop_assert_eq!(x.abs(), if x.is_negative() { -&x } else { x.clone() });
        prop_assert_eq!(x.signum(), i32::from(x > Rational::ZERO) - i32::from(x < Rational::ZERO));
        prop_assert_eq!(x.to_i64().map(Rational::from), x.to_i64().map(|_| x.clone()));
    }

    #[test]
    fn integer_helpers(a in integer(), b in integer()) {
        let (x, y): (Rational, Rational) = (a.to_string().parse().unwrap(), b.to_string().parse().unwrap());
        let g = gcd(&x, &y);
        let (h, s, t) = extended_gcd(&x, &y);
        prop_assert_eq!(&g, &h);
        prop_assert_eq!(&s * &x + &t * &y, g.clone());
        prop_assert!(!g.is_negative() && s.is_integer() && t.is_integer());
        if g.is_zero() {
            prop_assert!(x.is_zero() && y.is_zero());
        } else {
            prop_assert!((&x / &g).is_integer() && (&y / &g).is_integer());
            prop_assert_eq!(div_exact(&x, &g), &x / &g);
            prop_assert_eq!(div_exact(&y, &-&g), &y / &-&g);
            prop_assert_eq!(&lcm(&x, &y) * &g, (&x * &y).abs());
        }
        match (div_euclid(&x, &y), mod_euclid(&x, &y)) {
            (Some(q), Some(r)) => {
                prop_assert!(q.is_integer() && r.is_integer());
                prop_assert_eq!(&q * &y + &r, x);
                prop_assert!(!r.is_negative() && r < y.abs());
            }
            other => prop_assert!(y.is_zero() && other == (None, None)),
        }
    }

    #[test]
    fn delta_orders_lexicographically((_, x) in number(), (_, y) in number(), (_, k) in number(), (_, l) in number()) {
        let (a, b) = (Delta::new(x.clone(), k.clone()), Delta::new(y.clone(), l.clone()));
        prop_assert_eq!(a.cmp(&b), x.cmp(&y).then(k.cmp(&l)));
        prop_assert_eq!(&(&a + &b) - &b, a.clone());
        prop_assert_eq!(-&a + &a, Delta::ZERO);
        let mut sum = a.clone();
        sum.add_mul(&x, &b);
        prop_assert_eq!(&sum, &(&a + b.scale(&x)));
        sum.sub_mul(&x, &b);
        prop_assert_eq!(&sum, &a);
        // Translation and positive scaling keep the order.
        prop_assert_eq!((&a + &sum).cmp(&(&b + &sum)), a.cmp(&b));
        prop_assert_eq!(a.scale(&Rational::new(2, 3)).cmp(&b.scale(&Rational::new(2, 3))), a.cmp(&b));
        let (floor, ceil) = (Delta::from(a.floor()), Delta::from(a.ceil()));
        let one = Delta::from(Rational::ONE);
        prop_assert!(floor <= a && a < &floor + &one);
        prop_assert!(ceil >= a && a > &ceil - &one);
    }

    #[test]
    fn decimals(whole in 0u64..2000, places in "[0-9]{1,30}", negative: bool) {
        let sign = if negative { "-" } else { "" };
        let decimal: Rational = format!("{sign}{whole}.{places}").parse().unwrap();
        let fraction: Rational = format!("{sign}{whole}{places}/1{}", "0".repeat(places.len())).parse().unwrap();
        prop_assert_eq!(&decimal, &fraction);
        prop_assert_eq!(hash(&decimal), hash(&fraction));
    }
}
