//! Scripts with arrays, data types and bit-vectors: well formed, repeatable, and with everything
//! that the theories have.

use shofar_testkit::bits::{BINARY, COMPARISONS};
use shofar_testkit::case::{Answer, Case};
use shofar_testkit::logic::Logic;
use shofar_testkit::sexp::parse_all;

fn scripts() -> Vec<(Logic, String)> {
    let script = |number| {
        let case = Case::with_theories(9, number);
        (case.logic, case.finish(&[Answer::Sat; 30]).join("\n"))
    };
    (0..3000).map(script).collect()
}

#[test]
fn scripts_are_well_formed_and_repeat() {
    let all = scripts();
    for (number, (_, text)) in (0..).zip(&all).take(200) {
        assert!(parse_all(text).is_ok(), "{text}");
        let again = Case::with_theories(9, number).finish(&[Answer::Sat; 30]);
        assert_eq!(*text, again.join("\n"));
    }
    for logic in Logic::THEORIES {
        assert!(all.iter().any(|(l, _)| *l == logic), "no script in {}", logic.label());
    }
}

#[test]
fn everything_occurs() {
    let refuted = |number| Case::with_theories(9, number).finish(&[Answer::Unsat; 30]).join("\n");
    let text: String =
        scripts().into_iter().map(|(_, text)| text).chain((0..300).map(refuted)).collect();
    let words = [
        "(store ",
        "(select ",
        "((as const ",
        "(Array (Array Int Int) ",
        "(Array Bool ",
        "(Array (_ BitVec ",
        "(declare-datatype ",
        "(declare-datatypes () ",
        "(declare-datatypes ((",
        "(_ is ",
        "(is-",
        "(pred ",
        "(itail ",
        "(rose ",
        "unit",
        "(bvnot ",
        "(bvneg ",
        "(bvcomp ",
        "(concat ",
        "(_ extract ",
        "(_ zero_extend ",
        "(_ sign_extend ",
        "(_ rotate_left ",
        "(_ rotate_right ",
        "(_ repeat ",
        "(ubv_to_int ",
        "(sbv_to_int ",
        "(bv2nat ",
        "(_ int_to_bv ",
        "(_ int2bv ",
        "#x",
        "#b",
        "(_ bv",
        "(get-interpolants ",
        "(get-unsat-core)",
        "(get-value ",
    ];
    for word in words {
        assert!(text.contains(word), "`{word}` never occurs");
    }
    for operator in BINARY.iter().chain(&COMPARISONS) {
        assert!(text.contains(&format!("({operator} ")), "{operator} never occurs");
    }
}

#[test]
fn answers_by_construction_are_kept() {
    let wrong = |number: u64, answer| Case::with_theories(9, number).contradicts(&[answer; 30]);
    // Numbers 2 and 5 modulo ten are planted models and planted contradictions.
    for tens in 0..20 {
        assert!(wrong(10 * tens + 2, Answer::Unsat) && !wrong(10 * tens + 2, Answer::Sat));
        assert!(wrong(10 * tens + 5, Answer::Sat) && !wrong(10 * tens + 5, Answer::Unknown));
    }
}
