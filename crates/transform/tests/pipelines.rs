//! The language of pipelines: what is read, what is refused and where, and what conditions and
//! rounds do.

use shofar_base::{Budget, Rng};
use shofar_chc::read::read_horn;
use shofar_term::{Cx, TermStore};
use shofar_transform::{
    DEFAULT_PASSES, PASSES, PASSES_BEFORE_ABSTRACTION, PassInfo, Pipeline, PipelineError,
};

fn parse(text: &str) -> Result<Pipeline, PipelineError> {
    text.parse()
}

/// Checks that `text` is read and printed as `printed`, which is read as the same.
fn check(text: &str, printed: &str) {
    let found = parse(text).expect("it is well written").to_string();
    assert_eq!(found, printed);
    assert_eq!(parse(&found).expect("what is printed can be read").to_string(), found);
}

#[test]
fn what_is_printed_is_read_as_the_same() {
    check(DEFAULT_PASSES, DEFAULT_PASSES);
    check(PASSES_BEFORE_ABSTRACTION, PASSES_BEFORE_ABSTRACTION);
    for form in PASSES.iter().flat_map(PassInfo::forms) {
        check(&form, &form);
    }
    check(" slice , useless ", "slice,useless");
    check(
        "invariants ( domains = octagons + all , effect = hint )",
        "invariants(domains=octagons+all,effect=hint)",
    );
    check(
        "when(clauses >= 1000, until_stable(rounds = 9, slice)), until_stable(rounds=3,\nfree)",
        "when(clauses>=1000,until_stable(rounds=9,slice)),until_stable(rounds=3,free)",
    );
    check(
        "when(linear,when(arguments<5,slice,free),merge)",
        "when(linear,when(arguments<5,slice,free),merge)",
    );
}

#[test]
fn mistakes_are_told_with_their_column() {
    for (text, error) in [
        ("", "column 1: a pass is missing"),
        ("slice,", "column 7: a pass is missing"),
        ("slice free", "column 7: `,` or the end is missing"),
        ("slice)", "column 6: `,` or the end is missing"),
        ("slice,  magic", "column 9: there is no pass `magic`"),
        ("slice()", "column 7: a parameter is missing"),
        ("slice(a=b)", "column 7: there is no parameter of slice `a`"),
        ("invariants(effect=drip)", "column 19: there is no value of effect `drip`"),
        ("invariants(effect=drop+hint)", "column 23: `,` or `)` is missing"),
        ("invariants(effect=drop,effect=hint)", "column 24: `effect` is given twice"),
        ("invariants(effect)", "column 18: `=` is missing"),
        ("when(nonlinear)", "column 15: `,` before a pass is missing"),
        ("when(clause>=3,slice)", "column 6: there is no condition `clause`"),
        ("when(clauses=3,slice)", "column 13: `>=` or `<` is missing"),
        ("when(clauses>=x,slice)", "column 15: a number is missing"),
        ("when(clauses>=-3,slice)", "column 15: a number is missing"),
        ("when(clauses<99999999999999999999,slice)", "column 14: a number is missing"),
        ("until_stable", "column 13: `(` is missing"),
        ("until_stable(turns=3,slice)", "column 14: there is no parameter of until_stable `turns`"),
        ("until_stable(rounds=0,slice)", "column 21: a number of rounds from 1 to 100 is missing"),
        ("until_stable(slice", "column 19: `,` or `)` is missing"),
        ("é,slice", "column 1: there is no pass `é`"),
    ] {
        assert_eq!(
            parse(text).err().map(|error| error.to_string()).as_deref(),
            Some(error),
            "{text}"
        );
    }
    let deep = "when(linear,".repeat(100_000);
    assert_eq!(
        parse(&deep).err().map(|error| error.to_string()).as_deref(),
        Some("column 97: groups are nested more than 8 deep")
    );
}

/// Nothing panics, and what is read is printed so that it is read again.
#[test]
fn damaged_texts() {
    let texts = [
        DEFAULT_PASSES,
        "until_stable(rounds=3,slice,when(clauses>=1000,invariants(domains=octagons+all,effect=hint)))",
        "when(arguments<7,accelerate(loops=replace)),until_stable(simplify,free)",
    ];
    let pieces = [
        "(", ")", ",", "=", "+", ">=", "<", " ", "\u{e9}", "\u{2003}", "-", "_", "\0", "7", "when",
        "rounds",
    ];
    let (mut rng, mut read) = (Rng::new(7), 0);
    for _ in 0..20_000 {
        let mut text: Vec<char> = rng.pick(&texts).chars().collect();
        for _ in 0..=rng.below(3) {
            let at = rng.below(text.len() + 1);
            let end = (at + rng.below(4)).min(text.len());
            let piece = if rng.chance(50) { *rng.pick(&pieces) } else { "" };
            text.splice(at..end, piece.chars());
        }
        let text: String = text.into_iter().collect();
        match parse(&text) {
            Ok(pipeline) => {
                check(&text, &pipeline.to_string());
                read += 1;
            }
            Err(error) => {
                assert!(1 <= error.column && error.column <= text.chars().count() + 1, "{text}");
            }
        }
    }
    assert!(read > 500, "{read} are still pipelines");
}

/// The passes that run on a chain of two predicates behind a loop.
fn runs(passes: &str) -> Vec<&'static str> {
    let text = "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool) (declare-fun r (Int) Bool)
        (assert (p 0)) (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
        (assert (forall ((x Int)) (=> (p x) (q x)))) (assert (forall ((x Int)) (=> (q x) (r x))))
        (assert (forall ((x Int)) (=> (and (r x) (< x 0)) false))) (check-sat)";
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let script = read_horn(text.as_bytes(), &mut store).expect("the text is well-formed");
    let system = script.problems[0].system.clone();
    let mut cx = Cx::new(&mut store, &budget);
    let mut found = Vec::new();
    let pipeline = parse(passes).expect("it is well written");
    let result = pipeline.run(&mut cx, system, &mut |report| found.push(report.name));
    result.expect("there is no limit");
    found
}

#[test]
fn conditions_and_rounds() {
    assert_eq!(runs("when(linear,slice,free),when(nonlinear,merge)"), ["slice", "free"]);
    assert_eq!(runs("when(clauses>=5,slice),when(clauses>=6,free)"), ["slice"]);
    assert_eq!(runs("when(predicates<3,slice),when(arguments<4,free)"), ["free"]);
    // The condition is asked when its turn comes.
    assert_eq!(
        runs("when(predicates<2,slice),eliminate,when(predicates<2,free)"),
        ["eliminate", "free"]
    );
    assert_eq!(runs("until_stable(useless)"), ["useless"], "nothing changes");
    assert_eq!(runs("until_stable(eliminate)"), ["eliminate", "eliminate"]);
    assert_eq!(runs("until_stable(rounds=1,eliminate)"), ["eliminate"]);
}
