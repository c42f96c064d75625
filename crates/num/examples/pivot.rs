//! How fast a tableau pivot is with `Rational`, against rationals that are always big.
//!
//! `cargo run --release --example pivot -p shofar-num`
//!
//! One operation is one `row[j] += factor * pivot[j]`; rows are rebuilt before every pivot, so
//! numbers do not pile up.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::hint::black_box;
use std::time::Instant;

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use shofar_num::Rational;

const ROWS: usize = 40;
const COLUMNS: usize = 60;
const ROUNDS: usize = 200;

/// The operations a pivot needs.
trait Number: Clone {
    fn of(num: &IBig, den: &UBig) -> Self;
    /// `self += a * b`.
    fn add_mul(&mut self, a: &Self, b: &Self);
    /// `-self / pivot`.
    fn eliminate(&self, pivot: &Self) -> Self;
    fn is_zero(&self) -> bool;
}

/// A reduced fraction of big integers, whatever its size.
#[derive(Clone)]
struct AlwaysBig(IBig, UBig);

impl AlwaysBig {
    fn reduced(num: IBig, den: UBig) -> Self {
        let common = (&num).gcd(&den);
        if common.is_one() { AlwaysBig(num, den) } else { AlwaysBig(num / &common, den / common) }
    }
}

impl Number for AlwaysBig {
    fn of(num: &IBig, den: &UBig) -> Self {
        AlwaysBig::reduced(num.clone(), den.clone())
    }
    fn add_mul(&mut self, a: &Self, b: &Self) {
        let (num, den) = (&a.0 * &b.0, &a.1 * &b.1);
        *self = AlwaysBig::reduced(&self.0 * &den + num * &self.1, &self.1 * den);
    }
    fn eliminate(&self, pivot: &Self) -> Self {
        let (sign, magnitude) = pivot.0.clone().into_parts();
        AlwaysBig::reduced(
            -(&self.0 * IBig::from_parts(sign, pivot.1.clone())),
            &self.1 * magnitude,
        )
    }
    fn is_zero(&self) -> bool {
        self.0.is_zero()
    }
}

impl Number for Rational {
    fn of(num: &IBig, den: &UBig) -> Self {
        format!("{num}/{den}").parse().expect("a printed fraction")
    }
    fn add_mul(&mut self, a: &Self, b: &Self) {
        Rational::add_mul(self, a, b);
    }
    fn eliminate(&self, pivot: &Self) -> Self {
        -(self / pivot)
    }
    fn is_zero(&self) -> bool {
        Rational::is_zero(self)
    }
}

/// Nanoseconds per `row[j] += factor * pivot[j]`.
fn pivot<N: Number>(entries: &[(IBig, UBig)]) -> f64 {
    let table: Vec<Vec<N>> = entries
        .chunks(COLUMNS)
        .map(|row| row.iter().map(|(num, den)| N::of(num, den)).collect())
        .collect();
    let (mut operations, mut nanoseconds) = (0u32, 0.0);
    for round in 0..ROUNDS {
        let mut rows = table.clone();
        let chosen = rows.swap_remove(round % ROWS);
        let Some(column) = (0..COLUMNS)
            .find(|j| !chosen[(j + round) % COLUMNS].is_zero())
            .map(|j| (j + round) % COLUMNS)
        else {
            continue;
        };
        let start = Instant::now();
        for row in rows.iter_mut().filter(|row| !row[column].is_zero()) {
            let factor = row[column].eliminate(&chosen[column]);
            for (target, source) in row.iter_mut().zip(&chosen) {
                if !source.is_zero() {
                    target.add_mul(&factor, source);
                    operations += 1;
                }
            }
        }
        nanoseconds += start.elapsed().as_secs_f64() * 1e9;
        black_box(&rows);
    }
    nanoseconds / f64::from(operations)
}

/// A stream of pseudo-random words (a linear congruential generator is enough for a table of
/// coefficients).
fn words() -> impl FnMut() -> u64 {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}

fn main() {
    let mut word = words();
    let mut tables: Vec<(&str, Vec<(IBig, UBig)>)> = Vec::new();
    let mut table = |name, entry: &mut dyn FnMut() -> (IBig, UBig)| {
        tables.push((name, (0..ROWS * COLUMNS).map(|_| entry()).collect()));
    };
    let signs = [-3i64, -2, -1, 1, 2, 3, 0, 0, 0, 0];
    let mut small = || IBig::from(signs[usize::try_from(word() % 10).expect("a small index")]);
    table("units: -1, 0, 1", &mut || (small().signum(), UBig::ONE));
    table("integers: -3..3", &mut || (small(), UBig::ONE));
    table("fractions: -3..3 / 1..4", &mut || {
        (small(), UBig::from(1u8) + UBig::try_from(small() * small()).unwrap_or(UBig::ONE) % 4u8)
    });
    let mut word = words();
    let mut wide = |bits: usize| (0..bits).step_by(31).fold(UBig::ONE, |n, _| (n << 31) + word());
    table("200-bit integers", &mut || (IBig::from(wide(200)), UBig::ONE));
    table("200-bit fractions", &mut || (IBig::from(wide(200)), wide(200)));
    println!("{:26} {:>12} {:>12} {:>8}", "40 x 60 tableau of", "ours ns/op", "big ns/op", "ratio");
    for (name, entries) in &tables {
        let (ours, big) = (pivot::<Rational>(entries), pivot::<AlwaysBig>(entries));
        println!("{name:26} {ours:12.1} {big:12.1} {:8.1}", big / ours);
    }
}
