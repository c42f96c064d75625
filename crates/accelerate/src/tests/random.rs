//! Random loops: what their closures say is what executing them does.

use shofar_base::Rng;
use shofar_term::eval::Evaluator;
use shofar_term::{Sort, Term};

use super::Setting;

/// How many loops are tried.
fn loops() -> u64 {
    if std::env::var_os("SHOFAR_LONG_TESTS").is_some() { 5_000 } else { 300 }
}

/// A deterministic loop: the update of each variable, and guards over values before.
struct Random {
    setting: Setting,
    updates: Vec<Term>,
    guards: Vec<Term>,
}

impl Random {
    fn new(rng: &mut Rng) -> Self {
        let count = 1 + rng.below(3);
        let mut setting = Setting::ints(count);
        let mut updates = Vec::new();
        for at in 0..count {
            let constant = rng.range(-3, 3);
            let monomials: Vec<(i64, usize)> = match rng.below(10) {
                0..6 => vec![(1, at)],
                6 => vec![(1, rng.below(count))],
                7 => vec![(-1, rng.below(count))],
                8 => vec![],
                _ => vec![(rng.range(-1, 2), at), (rng.range(-1, 1), rng.below(count))],
            };
            let monomials: Vec<(i64, Term)> =
                monomials.iter().map(|&(c, at)| (c, setting.pre(at))).collect();
            updates.push(setting.sum(&monomials, constant));
        }
        let guards = (0..rng.below(4)).map(|_| guard(rng, &mut setting, count)).collect();
        Self { setting, updates, guards }
    }
    /// The state after one step, if the guards allow it.
    fn step(&self, state: &[i64]) -> Option<Vec<i64>> {
        let allowed = self.guards.iter().all(|&g| self.setting.holds(g, state, state, 0));
        allowed.then(|| self.updates.iter().map(|&u| self.value(u, state)).collect())
    }
    fn value(&self, term: Term, state: &[i64]) -> i64 {
        let mut model = shofar_term::eval::Model::new();
        for (&(pre, _), &value) in self.setting.pairs.iter().zip(state) {
            model.set(pre, shofar_term::Value::Number(value.into()));
        }
        let value = Evaluator::new(&model).number(&self.setting.store, term).unwrap();
        value.to_i64().unwrap()
    }
    /// The states after 0, 1, … steps, as long as the guards allow it and values are small.
    fn run(&self, start: &[i64], steps: usize) -> Vec<Vec<i64>> {
        let mut states = vec![start.to_vec()];
        while states.len() <= steps
            && let Some(next) = self.step(&states[states.len() - 1])
        {
            states.push(next);
        }
        states
    }
}

fn guard(rng: &mut Rng, s: &mut Setting, count: usize) -> Term {
    let (x, y) = (s.pre(rng.below(count)), s.pre(rng.below(count)));
    let side = match rng.below(3) {
        0 => s.sum(&[(1, x)], 0),
        1 => s.sum(&[(1, x), (rng.range(-1, 1), y)], 0),
        _ => s.sum(&[(rng.range(-2, 2), x), (rng.range(-2, 2), y)], 0),
    };
    let bound = s.store.int(rng.range(-8, 8));
    match rng.below(6) {
        0 | 1 => s.store.le(side, bound),
        2 => s.store.ge(side, bound),
        3 => {
            let equal = s.store.eq(side, bound);
            s.store.not(equal)
        }
        4 => {
            let rest = s.store.modulo(side, &rng.range(2, 4).into());
            let bound = s.store.int(rng.range(0, 3));
            s.store.le(rest, bound)
        }
        _ => {
            let quotient = s.store.div(side, &rng.range(2, 3).into());
            s.store.le(quotient, bound)
        }
    }
}

/// Compares closure and execution from some states; true if there is a closure.
fn compare(seed: u64) -> bool {
    let rng = &mut Rng::new(seed);
    let mut random = Random::new(rng);
    let mut literals = random.guards.clone();
    for (at, &update) in random.updates.clone().iter().enumerate() {
        let post = random.setting.post(at);
        literals.push(random.setting.store.eq(post, update));
    }
    let Some(closure) = random.setting.exact(&literals) else { return false };
    let (formula, without) = random.setting.formulas(&closure);
    let dims = random.updates.len();
    for _ in 0..8 {
        let start: Vec<i64> = (0..dims).map(|_| rng.range(-9, 9)).collect();
        let states = random.run(&start, 40);
        for count in 0..14 {
            let reached = states.get(count);
            let mut target = reached.cloned().unwrap_or_else(|| states[states.len() - 1].clone());
            let n = i64::try_from(count).unwrap();
            let expected = count > 0 && reached.is_some();
            assert_eq!(random.setting.holds(formula, &start, &target, n), expected, "{seed}");
            target[rng.below(dims)] += rng.range(-2, 2);
            let expected = count > 0 && reached == Some(&target);
            assert_eq!(random.setting.holds(formula, &start, &target, n), expected, "{seed}");
            if let Some(without) = without {
                let expected = states[1..].contains(&target);
                let holds = random.setting.holds(without, &start, &target, 0);
                assert_eq!(holds, expected, "{seed}: {start:?} {target:?}");
            }
        }
    }
    true
}

#[test]
fn closures_of_random_loops_agree_with_execution() {
    let accelerated: u64 = (0..loops()).map(|seed| u64::from(compare(seed))).sum();
    assert!(accelerated * 2 > loops(), "most loops of the generator have a closure: {accelerated}");
}

#[test]
fn truth_values_take_part() {
    for seed in 0..loops() / 3 {
        let rng = &mut Rng::new(seed);
        let mut s = Setting::new(&[Sort::BOOL, Sort::BOOL, Sort::INT]);
        let flags = [s.pre(0), s.pre(1)];
        let mut literals = Vec::new();
        let mut updates = Vec::new();
        for at in 0..2 {
            let source = rng.below(4);
            let negated = rng.chance(50);
            let value = match source {
                0 => s.store.bool(negated),
                1 | 2 if negated => s.store.not(flags[source - 1]),
                1 | 2 => flags[source - 1],
                _ => s.store.and(&flags),
            };
            let post = s.post(at);
            literals.push(s.store.iff(post, value));
            updates.push(value);
        }
        let step = rng.range(-2, 2);
        literals.push(s.update(2, &[(1, 2)], step));
        if rng.chance(40) {
            literals.push(flags[rng.below(2)]);
        }
        let relation = s.store.and(&literals);
        // Formulas that mean the same need not be the same handle.
        let Some(closure) = s.exact(&literals) else {
            assert!(updates.iter().any(|&u| s.store.conjunction(u).is_some()), "{seed}");
            continue;
        };
        let (formula, _) = s.formulas(&closure);
        for start in 0..4 {
            let mut state = vec![start & 1, start >> 1, rng.range(-3, 3)];
            let first = state.clone();
            for count in 1..9 {
                let mut next = state.clone();
                for (at, &update) in updates.iter().enumerate() {
                    next[at] = i64::from(s.holds(update, &state, &state, 0));
                }
                next[2] += step;
                let expected = s.holds(relation, &state, &next, 0);
                assert_eq!(s.holds(formula, &first, &next, count), expected, "{seed}");
                if !expected {
                    break;
                }
                state = next;
            }
        }
    }
}

/// The values of a variable in the box.
const VALUES: i64 = 7;

/// A relation between two states of two variables in a box, as successors of each state: a bit for
/// each state.
type Successors = Vec<u64>;

/// The states of the box.
fn states() -> impl Iterator<Item = Vec<i64>> {
    (0..VALUES * VALUES).map(|at| vec![at % VALUES - VALUES / 2, at / VALUES - VALUES / 2])
}

fn composed(first: &Successors, second: &Successors) -> Successors {
    let after = |&middle: &u64| {
        let reached = (0..second.len()).filter(|&at| middle >> at & 1 == 1);
        reached.fold(0, |all, at| all | second[at])
    };
    first.iter().map(after).collect()
}

/// Bounds that keep both states in the box, and some octagonal constraints between them.
fn octagon(rng: &mut Rng, s: &mut Setting) -> Vec<Term> {
    let symbols = [s.pre(0), s.pre(1), s.post(0), s.post(1)];
    let half = VALUES / 2;
    let [low, high] = [-half, half].map(|bound| s.store.int(bound));
    let mut literals = Vec::new();
    for symbol in symbols {
        literals.extend([s.store.ge(symbol, low), s.store.le(symbol, high)]);
    }
    for _ in 0..=rng.below(4) {
        let (x, y) = (rng.below(4), rng.below(4));
        let sign = |rng: &mut Rng| if rng.chance(50) { 1 } else { -1 };
        let (a, b) = (sign(rng), sign(rng));
        let sum =
            if x == y { vec![(a, symbols[x])] } else { vec![(a, symbols[x]), (b, symbols[y])] };
        let (sum, bound) = (s.sum(&sum, 0), s.store.int(rng.range(-2, 4)));
        literals.push(s.store.le(sum, bound));
    }
    literals
}

#[test]
fn closures_of_random_octagons_agree_with_composition() {
    let mut accelerated = 0;
    for seed in 0..loops() {
        let rng = &mut Rng::new(seed);
        let mut s = Setting::ints(2);
        let literals = octagon(rng, &mut s);
        let Some(closure) = s.exact(&literals) else { continue };
        accelerated += 1;
        let (formula, _) = s.formulas(&closure);
        let relation = s.store.and(&literals);
        let box_states: Vec<Vec<i64>> = states().collect();
        let successors = |from: &Vec<i64>| {
            let bits = box_states.iter().enumerate();
            bits.fold(0, |all, (at, to)| all | u64::from(s.holds(relation, from, to, 0)) << at)
        };
        let once: Successors = box_states.iter().map(successors).collect();
        let mut power = once.clone();
        for count in 1..7 {
            for _ in 0..40 {
                let (from, to) = (rng.below(box_states.len()), rng.below(box_states.len()));
                let expected = power[from] >> to & 1 == 1;
                let holds = s.holds(formula, &box_states[from], &box_states[to], count);
                assert_eq!(holds, expected, "{seed}: {count} {from} {to}");
            }
            power = composed(&power, &once);
        }
    }
    assert!(accelerated * 4 > loops(), "many octagons have a closure: {accelerated}");
}
