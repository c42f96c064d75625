//! Every pass alone and random compositions, on random systems: the verdict stays, and witnesses
//! come back valid.

mod support;

use shofar_base::{Budget, Rng};
use shofar_chc::{ChcSystem, Transformation, Verdict};
use shofar_term::{Cx, TermStore};
use shofar_transform::{PASSES, PassInfo, Pipeline, default_pipeline};
use support::random::{Config, system};
use support::{saturate, validate};

const LIMIT: usize = 150;

fn configs(seed: u64) -> Config {
    let mut rng = Rng::new(seed);
    Config {
        preds: 1 + rng.below(5),
        clauses: 4 + rng.below(8),
        max_body: 1 + rng.below(3),
        uniform: rng.chance(20),
        wild_arguments: rng.chance(40),
    }
}

/// What a random system turned out to be.
#[derive(Default, Debug)]
struct Tally {
    safe: usize,
    unsafe_: usize,
}

/// Checks `pipeline` on the random system of `seed`.
fn check(pipeline: &Pipeline, seed: u64, tally: &mut Tally) {
    let (mut store, mut rng) = (TermStore::new(), Rng::new(seed));
    let source = system(&mut store, &mut rng, configs(seed));
    let budget = Budget::unlimited();
    let cx = &mut Cx::new(&mut store, &budget);
    let Some(expected) = saturate::solve(cx, &source, LIMIT) else { return };
    let (target, back) = pipeline.apply(cx, source.clone()).expect("there is no limit");
    target.assert_well_formed(cx.store);
    let found = saturate::solve(cx, &target, 4 * LIMIT).expect("targets have no more facts");
    match (found, expected) {
        (Verdict::Safe(model), Verdict::Safe(_)) => {
            tally.safe += 1;
            validate::model(cx, &target, &model);
            let model = back.model(cx, model).expect("models come back");
            validate::model(cx, &source, &model);
        }
        (Verdict::Unsafe(refutation), Verdict::Unsafe(_)) => {
            tally.unsafe_ += 1;
            validate::derivation(cx, &target, &refutation);
            let refutation = back.refutation(cx, refutation).expect("refutations come back");
            validate::derivation(cx, &source, &refutation);
        }
        (Verdict::Safe(_), Verdict::Unsafe(_)) | (Verdict::Unsafe(_), Verdict::Safe(_)) => {
            panic!("seed {seed}: the verdict changed")
        }
    }
}

fn check_many(name: &str, seeds: std::ops::Range<u64>, pipeline: impl Fn(&mut Rng) -> Pipeline) {
    let mut tally = Tally::default();
    for seed in seeds.clone() {
        let pipeline = pipeline(&mut Rng::new(seed ^ 0x5eed));
        let run = || check(&pipeline, seed, &mut tally);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        assert!(result.is_ok(), "{name}: seed {seed}, passes {pipeline}: see above");
    }
    let enough = usize::try_from(seeds.end - seeds.start).expect("few seeds") / 20;
    assert!(tally.safe >= enough && tally.unsafe_ >= enough, "{name}: both verdicts: {tally:?}");
}

fn forms() -> Vec<String> {
    PASSES.iter().flat_map(PassInfo::forms).collect()
}

fn pipeline(text: &str) -> Pipeline {
    text.parse().expect("it is well written")
}

#[test]
fn every_pass_alone() {
    for form in forms() {
        check_many(&form, 0..120, |_| pipeline(&form));
    }
}

#[test]
fn random_compositions() {
    let forms = forms();
    check_many("random", 1_000..1_250, |rng| {
        let count = 2 + rng.below(6);
        let texts: Vec<&str> = (0..count).map(|_| rng.pick(&forms).as_str()).collect();
        let text = texts.join(",");
        pipeline(&match rng.below(4) {
            0 => format!("simplify,until_stable(rounds=3,{text})"),
            1 => format!("when(nonlinear,{text}),when(arguments<4,{text})"),
            _ => text,
        })
    });
}

#[test]
fn the_default_pipeline() {
    check_many("default", 2_000..2_250, |_| default_pipeline());
}

#[test]
fn nothing_happens_to_nothing() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, _) = default_pipeline().apply(cx, ChcSystem::new()).expect("there is no limit");
    assert_eq!((target.clause_count(), target.pred_count()), (0, 0));
}
