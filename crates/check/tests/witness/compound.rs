//! Witnesses over arrays, data types and bit-vectors, as texts.

use shofar_base::{Budget, Source};
use shofar_chc::Verdict;
use shofar_chc::print::{Lines, print_model, print_refutation};
use shofar_chc::read::read_horn;
use shofar_check::{HornInput, Unread, Witness, parse_witness, validate};
use shofar_term::{Cx, TermStore};

/// A list is put into an array, byte by byte; the two types share the name of a constant.
const PROBLEM: &str = "(set-logic HORN)
(declare-datatypes ((List 0) (Color 0)) (((none) (cons (head (_ BitVec 8)) (tail List))) ((none) (A))))
(declare-fun p (List (Array Int (_ BitVec 8)) Int Color) Bool)
(assert (forall ((l List) (c Color)) (=> (= c (as none Color)) (p l ((as const (Array Int (_ BitVec 8))) #x00) 0 c))))
(assert (forall ((l List) (a (Array Int (_ BitVec 8))) (n Int) (c Color))
    (=> (and (p l a n c) ((_ is cons) l)) (p (tail l) (store a n (head l)) (+ n 1) A))))
(assert (forall ((l List) (a (Array Int (_ BitVec 8))) (n Int) (c Color))
    (=> (and (p l a n c) (bvult #x05 (select a 1))) false)))
(check-sat)
";

const REFUTATION: &str = "unsat
(refutation
(step 0 :clause 0 :line 4 :values ((l (cons #x07 (cons #x09 (as none List)))) (c (as none Color))) :premises ()
  :derives (p (cons #x07 (cons #x09 none)) ((as const (Array Int (_ BitVec 8))) #x00) 0 none))
(step 1 :clause 1 :values ((l (cons #x07 (cons #x09 none))) (a ((as const (Array Int (_ BitVec 8))) #x00)) (n 0) (c none))
  :premises (0))
(step 2 :clause 1 :values ((l (cons #x09 none)) (a (store ((as const (Array Int (_ BitVec 8))) #x00) 0 #x07)) (n 1) (c A))
  :premises (1))
(step 3 :clause 2 :values ((l none) (n 2) (c A)
  (a (store (store ((as const (Array Int (_ BitVec 8))) #x00) 0 #x07) 1 #x09))) :premises (2) :derives false)
)";

struct Case {
    store: TermStore,
    input: HornInput,
}

impl Case {
    fn new() -> Self {
        let mut store = TermStore::new();
        let script = read_horn(PROBLEM.as_bytes(), &mut store).expect("the problem is well-formed");
        let input = HornInput::of_problem(&script.problems[0]);
        Self { store, input }
    }
    fn parse(&mut self, text: &str) -> Result<Witness, String> {
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut self.store, &budget);
        parse_witness(&mut cx, text.as_bytes(), self.input.system()).map_err(
            |unread| match unread {
                Unread::Malformed(error) | Unread::Misfit(error) => {
                    error.headline("witness", &Source::new(text.as_bytes()))
                }
                Unread::GaveUp(why) => why.to_string(),
            },
        )
    }
    fn print(&mut self, witness: &Witness) -> String {
        let (mut out, system) = (Vec::new(), self.input.system());
        match witness {
            Verdict::Safe(model) => print_model(&mut out, &mut self.store, system, model),
            Verdict::Unsafe(derivation) => {
                print_refutation(&mut out, &self.store, system, &Lines::unknown(), derivation)
            }
        }
        .expect("vectors accept text");
        String::from_utf8(out).expect("the text is UTF-8")
    }
    fn is_valid(&mut self, witness: Witness) -> bool {
        let budget = Budget::unlimited();
        let mut cx = Cx::new(&mut self.store, &budget);
        validate(&mut cx, &self.input, witness).expect("there is no limit").is_ok()
    }
}

#[test]
fn a_refutation_is_read_checked_and_printed() {
    let mut case = Case::new();
    let witness = case.parse(REFUTATION).expect("it is a refutation");
    assert!(case.is_valid(witness.clone()));
    let printed = case.print(&witness);
    assert!(printed.contains("(c (as none Color))"), "{printed}");
    let again = case.parse(&printed).expect("it is read again");
    assert_eq!(case.print(&again), printed);
    assert!(case.is_valid(again));
}

#[test]
fn a_wrong_refutation_is_found_out() {
    let wrong = |from: &str, to: &str| {
        assert!(REFUTATION.contains(from));
        let mut case = Case::new();
        let witness = case.parse(&REFUTATION.replacen(from, to, 1))?;
        Ok::<bool, String>(case.is_valid(witness))
    };
    assert_eq!(wrong("(n 1) (c A)", "(n 1) (c none)"), Ok(false));
    assert_eq!(wrong("0 #x07)) (n 1)", "0 #x08)) (n 1)"), Ok(false));
    // The head of an empty list is not specified, so the step proves nothing.
    assert_eq!(wrong("((l (cons #x09 none)) (a", "((l none) (a"), Ok(false));
    let refused = |from: &str, to: &str, expected: &str| {
        let message = wrong(from, to).expect_err("it is not understood");
        assert!(message.contains(expected), "{message}");
    };
    refused("(l none) (n 2)", "(l nil) (n 2)", "`nil` is no constructor of List");
    refused("(c (as none Color))", "(c (as none List))", "a value of Color is expected here");
    refused("0 #x07)) (n 1)", "0 #x7)) (n 1)", "this is not a vector of 8 bits");
    refused("(l none) (n 2)", "(l (cons #x00)) (n 2)", "");
    refused(":derives (p (cons #x07", ":derives (p (cons #x08", "derive something else");
}

#[test]
fn definitions_over_compound_sorts_are_read_and_printed() {
    let mut case = Case::new();
    let text = "sat (define-fun p ((x  List) (a (Array Int\n(_ BitVec 8))) (n Int) (k Color)) Bool
        (or (= k A) (and ((_ is cons) x) (= (select a n) (head x)) (bvule (select a 0) #x05)
            (= x (cons #x01 (as none List))) (match x ((y (= y (tail x))))))))";
    let witness = case.parse(text).expect("it is a model");
    let printed = case.print(&witness);
    let signature = "(define-fun p ((B List) (C (Array Int (_ BitVec 8))) (D Int) (E Color)) Bool";
    assert!(printed.contains(signature), "{printed}");
    let again = case.parse(&printed).expect(&printed);
    assert_eq!(case.print(&again), printed);
    let message = case.parse(&text.replace("(n Int)", "(n Real)")).expect_err("another sort");
    assert!(message.contains("`p` is declared as (List (Array Int (_ BitVec 8)) Int Color) Bool"));
}
