//! Borders of the machine words, the sign tables of SMT-LIB, and texts that are long or wrong.

use shofar_num::{Delta, Rational, div_euclid, extended_gcd, gcd, lcm, mod_euclid};

fn q(text: &str) -> Rational {
    text.parse().expect("a number")
}

#[test]
fn a_rational_is_two_words() {
    assert_eq!(size_of::<Rational>(), 16);
}

#[test]
fn words_overflow_into_big_and_come_back() {
    let (min, max) = (Rational::from(i64::MIN), Rational::from(i64::MAX));
    assert_eq!(-&min, q("9223372036854775808"));
    assert_eq!(-(-&min), min);
    assert_eq!((-(-&min)).to_i64(), Some(i64::MIN));
    assert_eq!(&max + &Rational::ONE - &Rational::ONE, max);
    assert_eq!((&max + &Rational::ONE - &Rational::ONE).to_i64(), Some(i64::MAX));
    assert_eq!(&min * &min / &min, min);
    assert_eq!(min.abs(), -&min);
    assert_eq!(min.recip(), Rational::new(1, i64::MIN));
    assert_eq!(min.recip().recip(), min);
    assert_eq!(Rational::new(i64::MIN, i64::MIN), Rational::ONE);
    assert_eq!(Rational::new(i64::MIN, -1), q("9223372036854775808"));
    assert_eq!(&min - &min, Rational::ZERO);
    assert_eq!(&Rational::ZERO - &min, q("9223372036854775808"));
    let mut sum = min.clone();
    sum.sub_mul(&min, &min);
    sum.add_mul(&min, &min);
    assert_eq!(sum.to_i64(), Some(i64::MIN));
    assert_eq!(Rational::from(u64::MAX), q("18446744073709551615"));
    assert_eq!(Rational::from(u64::MAX).recip().denominator(), Rational::from(u64::MAX));
}

#[test]
fn floor_with_a_denominator_beyond_i64() {
    let tiny = Rational::from(u64::MAX).recip();
    assert_eq!((tiny.floor(), tiny.ceil()), (Rational::ZERO, Rational::ONE));
    let below = Rational::from(i64::MIN) * &tiny;
    assert_eq!((below.floor(), below.ceil()), (Rational::MINUS_ONE, Rational::ZERO));
    assert_eq!(q("-7/2").floor(), Rational::from(-4));
    assert_eq!(q("7/2").fract(), q("1/2"));
    assert_eq!(q("-7/2").fract(), q("1/2"));
}

#[test]
fn division_follows_smtlib() {
    let table = [
        (7, 2, 3, 1),
        (-7, 2, -4, 1),
        (7, -2, -3, 1),
        (-7, -2, 4, 1),
        (6, 3, 2, 0),
        (-6, 3, -2, 0),
        (0, -5, 0, 0),
        (1, -5, 0, 1),
        (-1, -5, 1, 4),
    ];
    for (a, b, quotient, remainder) in table {
        // Scaling both sides keeps the quotient and reaches the big path.
        for factor in [q("1"), q("100000000000000000000")] {
            let (a, b) = (Rational::from(a) * &factor, Rational::from(b) * &factor);
            assert_eq!(div_euclid(&a, &b), Some(Rational::from(quotient)), "{a} div {b}");
            assert_eq!(
                mod_euclid(&a, &b),
                Some(Rational::from(remainder) * &factor),
                "{a} mod {b}"
            );
        }
    }
    assert_eq!(div_euclid(&Rational::ONE, &Rational::ZERO), None);
    assert_eq!(mod_euclid(&Rational::ONE, &Rational::ZERO), None);
    let min = Rational::from(i64::MIN);
    assert_eq!(div_euclid(&min, &Rational::MINUS_ONE), Some(-&min));
    assert_eq!(mod_euclid(&min, &Rational::MINUS_ONE), Some(Rational::ZERO));
}

#[test]
fn divisors_at_the_borders() {
    let (zero, min) = (Rational::ZERO, Rational::from(i64::MIN));
    assert_eq!(gcd(&zero, &zero), zero);
    assert_eq!(gcd(&min, &zero), -&min);
    assert_eq!(gcd(&min, &min), -&min);
    assert_eq!(lcm(&min, &zero), zero);
    assert_eq!(lcm(&min, &Rational::MINUS_ONE), -&min);
    assert_eq!(lcm(&Rational::from(4), &Rational::from(-6)), Rational::from(12));
    let (g, s, t) = extended_gcd(&min, &Rational::from(-6));
    assert_eq!((&g, s * &min + t * Rational::from(-6)), (&Rational::from(2), g.clone()));
}

#[test]
#[should_panic(expected = "division by zero")]
fn zero_denominators_panic() {
    let _ = Rational::new(1, 0);
}

#[test]
fn texts() {
    for (text, printed) in [
        ("007", "7"),
        ("-0", "0"),
        ("6/4", "3/2"),
        ("-6/3", "-2"),
        ("1.250", "5/4"),
        ("-0.5", "-1/2"),
        ("2.0", "2"),
        ("0.625", "5/8"),
        ("125.6", "628/5"),
    ] {
        assert_eq!(q(text).to_string(), printed);
    }
    for wrong in [
        "", "-", "+1", "1/0", "1/", "/2", ".5", "1.", "1.5/2", "--1", "1/-2", "1e5", "1_0", " 1",
        "½", "1.2.3", "1/2/3",
    ] {
        assert!(wrong.parse::<Rational>().is_err(), "{wrong:?}");
    }
}

#[test]
fn a_million_digits_do_not_hang() {
    let digits = "1234567895".repeat(100_000);
    assert_eq!(q(&digits).bits(), 3_321_927);
    let decimal = q(&format!("0.{digits}"));
    assert_eq!(decimal.bits(), 3_321_923 + 3_321_926);
    assert_eq!(&decimal - &decimal, Rational::ZERO);
}

#[test]
fn strict_bounds_round_to_the_next_integer() {
    let delta = |real: &str, delta: i64| Delta::new(q(real), Rational::from(delta));
    for (value, floor, ceil) in [
        (delta("3", -1), 2, 3),
        (delta("3", 1), 3, 4),
        (delta("3", 0), 3, 3),
        (delta("7/2", -1), 3, 4),
        (delta("-7/2", 5), -4, -3),
    ] {
        assert_eq!(
            (value.floor(), value.ceil()),
            (Rational::from(floor), Rational::from(ceil)),
            "{value}"
        );
    }
    assert!(delta("3", -1) < delta("3", 0) && delta("3", 1000) < delta("3001/1000", -1000));
    assert!(delta("3", 0).is_real() && !delta("3", 1).is_real() && Delta::default().is_zero());
}
