//! The time slices that decide most problems soonest.
//!
//! A strategy costs the time until a problem is decided, and twice the limit if it is not (PAR-2).
//! Slices are chosen greedily by problems decided per millisecond, the classical approximation, and
//! then improved by changing, exchanging, inserting and removing single ones as long as that pays.
//! Engines count as slower than measured, so that a slice that fits to the millisecond is not
//! mistaken for a good one.

use shofar_engine::ENGINES;

use super::data::{Ran, Sample};

/// A slice: the place of an engine in the registry, and milliseconds.
pub(crate) type Slice = (usize, u64);

/// How long a slice can be.
const LENGTHS: [u64; 9] = [30, 60, 120, 250, 500, 1000, 2000, 3000, 5000];
/// What an engine needs, in hundredths of what was measured.
const MARGIN: u64 = 120;
/// What a slice must save to stand in the table, in milliseconds per problem.
const SLICE_COST: u64 = 4;

/// When slices that are used in order decide a problem.
pub(crate) fn decided_at(slices: &[Slice], sample: &Sample, limit: u64) -> Option<u64> {
    replay(slices, sample, limit, 100)
}

fn replay(slices: &[Slice], sample: &Sample, limit: u64, percent: u64) -> Option<u64> {
    let mut worked = [0; 32];
    let mut now = 0;
    for &(engine, slice) in slices {
        let done = worked[engine];
        let (end, decides) = match sample.runs[engine] {
            Ran::Decided(time) => (time * percent / 100, true),
            Ran::GaveUp(time) => (time * percent / 100, false),
            Ran::Endless => (u64::MAX, false),
        };
        if end <= done && !decides {
            continue; // It has given up before.
        }
        let needed = end.saturating_sub(done);
        if needed <= slice {
            now += needed;
            if decides {
                return (now <= limit).then_some(now);
            }
        } else {
            now += slice;
        }
        worked[engine] = done.saturating_add(slice);
        if now > limit {
            return None;
        }
    }
    None
}

/// PAR-2 in milliseconds, with a margin, and a little for every slice.
pub(crate) fn cost(slices: &[Slice], samples: &[&Sample], limit: u64) -> u64 {
    let one = |sample: &&Sample| replay(slices, sample, limit, MARGIN).unwrap_or(2 * limit);
    let sum: u64 = samples.iter().map(one).sum();
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    sum + SLICE_COST * count(slices.len()) * count(samples.len().max(10))
}

/// The slices for problems like these.
pub(crate) fn fit(samples: &[&Sample], limit: u64) -> Vec<Slice> {
    let mut left = limit;
    let mut slices = improve(greedy(samples, limit), samples, limit);
    for slice in &mut slices {
        slice.1 = slice.1.min(left);
        left -= slice.1;
    }
    slices.retain(|&(_, slice)| slice > 0);
    if let Some(last) = slices.last_mut() {
        last.1 += left;
    }
    slices
}

fn greedy(samples: &[&Sample], limit: u64) -> Vec<Slice> {
    let mut slices: Vec<Slice> = Vec::new();
    let mut used = 0;
    while used < limit {
        let open: Vec<&Sample> = samples
            .iter()
            .copied()
            .filter(|sample| replay(&slices, sample, limit, MARGIN).is_none())
            .collect();
        let mut best: Option<(u64, u64, Slice)> = None;
        for engine in 0..ENGINES.len() {
            for slice in LENGTHS.into_iter().filter(|&slice| used + slice <= limit) {
                let mut longer = slices.clone();
                longer.push((engine, slice));
                let decides = |s: &&&Sample| replay(&longer, s, limit, MARGIN).is_some();
                let gain = u64::try_from(open.iter().filter(decides).count()).unwrap_or(0);
                let is_better = match best {
                    Some((most, time, _)) => gain * time > most * slice,
                    None => gain > 0,
                };
                if is_better {
                    best = Some((gain, slice, (engine, slice)));
                }
            }
        }
        let Some((_, time, slice)) = best else { break };
        slices.push(slice);
        used += time;
    }
    if slices.is_empty() { vec![(0, limit)] } else { slices }
}

/// Changes one slice at a time as long as that lowers the cost.
fn improve(mut slices: Vec<Slice>, samples: &[&Sample], limit: u64) -> Vec<Slice> {
    let mut best = cost(&slices, samples, limit);
    loop {
        let candidates = neighbours(&slices);
        let costs = candidates.into_iter().map(|other| (cost(&other, samples, limit), other));
        match costs.min_by_key(|(cost, _)| *cost) {
            Some((cost, other)) if cost < best => (best, slices) = (cost, other),
            Some(_) | None => return slices,
        }
    }
}

/// All strategies that differ in one slice, or in the order of two.
fn neighbours(slices: &[Slice]) -> Vec<Vec<Slice>> {
    let mut all = Vec::new();
    for at in 0..slices.len() {
        for length in LENGTHS {
            let mut other = slices.to_vec();
            other[at].1 = length;
            all.push(other);
        }
        if slices.len() > 1 {
            let mut other = slices.to_vec();
            other.remove(at);
            all.push(other);
        }
        for to in 0..at {
            let mut other = slices.to_vec();
            let moved = other.remove(at);
            other.insert(to, moved);
            all.push(other);
        }
    }
    for at in 0..=slices.len() {
        for engine in 0..ENGINES.len() {
            for length in LENGTHS {
                let mut other = slices.to_vec();
                other.insert(at, (engine, length));
                all.push(other);
            }
        }
    }
    all.iter().map(|slices| joined(slices)).collect()
}

/// The same strategy with neighbouring slices of one engine as one.
fn joined(slices: &[Slice]) -> Vec<Slice> {
    let mut joined: Vec<Slice> = Vec::new();
    for &(engine, slice) in slices {
        match joined.last_mut() {
            Some(last) if last.0 == engine => last.1 += slice,
            Some(_) | None => joined.push((engine, slice)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use shofar_driver::{Feature, Features};

    use super::*;

    fn sample(runs: &[(usize, Ran)]) -> Sample {
        let mut all = vec![Ran::Endless; ENGINES.len()];
        for &(engine, ran) in runs {
            all[engine] = ran;
        }
        let features = Features::from_values([0; Feature::ALL.len()]);
        Sample { suite: String::new(), features, runs: all }
    }

    #[test]
    fn an_engine_goes_on_where_it_was_paused() {
        let problem = sample(&[(0, Ran::Decided(300)), (1, Ran::GaveUp(20))]);
        let slices = [(0, 100), (1, 500), (0, 250)];
        assert_eq!(decided_at(&slices, &problem, 5000), Some(100 + 20 + 200));
        assert_eq!(decided_at(&slices, &problem, 300), None);
        assert_eq!(decided_at(&slices[..2], &problem, 5000), None);
    }

    #[test]
    fn quick_engines_come_first() {
        let easy = sample(&[(2, Ran::Decided(20))]);
        let hard = sample(&[(1, Ran::Decided(1500))]);
        let samples = vec![&easy, &easy, &easy, &hard, &hard];
        let slices = fit(&samples, 5000);
        assert_eq!(slices[0].0, 2);
        assert!(samples.iter().all(|sample| decided_at(&slices, sample, 5000).is_some()));
    }
}
