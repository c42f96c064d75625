//! What texts are read as: `check(input, expected)` compares the printed clauses, or the error.

use shofar_base::Source;
use shofar_chc::read::{
    CommandRole, HornProblem, HornReader, HornScript, Polarity, Request, Rest, Status, read_horn,
};
use shofar_chc::serial::{export_problem, import_problem};
use shofar_chc::{Clause, PredAtom};
use shofar_smtlib::{Commands, Step};
use shofar_term::TermStore;
use shofar_term::print::print;

fn atom(store: &TermStore, problem: &HornProblem, atom: &PredAtom) -> String {
    let name = store.name(problem.system.symbol(atom.pred));
    let args: Vec<String> = atom.args.iter().map(|&arg| print(store, arg)).collect();
    if args.is_empty() { name.to_owned() } else { format!("({name} {})", args.join(" ")) }
}

fn show(store: &TermStore, problem: &HornProblem, clause: &Clause) -> String {
    let mut parts: Vec<String> = clause.body.iter().map(|a| atom(store, problem, a)).collect();
    if clause.constraint != store.top() {
        parts.push(print(store, clause.constraint));
    }
    let head = clause.head.as_ref().map_or("false".to_owned(), |head| atom(store, problem, head));
    if parts.is_empty() { head } else { format!("{} -> {head}", parts.join(", ")) }
}

fn clauses(store: &TermStore, problem: &HornProblem) -> Vec<String> {
    problem.system.assert_well_formed(store);
    assert_eq!(problem.origin.len(), problem.system.clause_count());
    problem.system.clauses().map(|(_, clause)| show(store, problem, clause)).collect()
}

fn read(text: &str) -> (TermStore, Result<HornScript, String>) {
    let mut store = TermStore::new();
    let result = read_horn(text.as_bytes(), &mut store).map_err(|error| {
        let headline = error.headline("", &Source::new(text.as_bytes()));
        let notes = error.notes.iter().fold(String::new(), |all, note| all + " [" + note + "]");
        format!("{}{notes}", &headline[1..])
    });
    (store, result)
}

const DECLARATIONS: &str = "(set-logic HORN)(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun r () Bool)\
    (declare-fun s () Bool)(declare-fun b (Bool Int) Bool)(declare-fun w (Real) Bool)\n";

/// The clauses of an assertion over p, q (Int), r, s (no arguments), b (Bool, Int), w (Real).
fn check(formula: &str, expected: &[&str]) {
    let (store, result) = read(&format!("{DECLARATIONS}(assert {formula})(check-sat)"));
    let script = result.unwrap_or_else(|error| panic!("{formula}: {error}"));
    assert_eq!(script.problems.len(), 1);
    assert_eq!(script.problems[0].system.pred_count(), 6);
    assert_eq!(clauses(&store, &script.problems[0]), expected, "for {formula}");
}

/// The error of a text behind the declarations; they are line 1.
fn check_error(text: &str, expected: &str) {
    let (_, result) = read(&format!("{DECLARATIONS}{text}"));
    assert_eq!(result.err().as_deref(), Some(expected), "for {text}");
}

#[test]
fn the_competition_format() {
    check("(forall ((x Int)) (=> (= x 0) (p x)))", &["(= x 0) -> (p x)"]);
    check("(forall ((x Int)) (p x))", &["(p x)"]);
    check("r", &["r"]);
    check("(forall ((x Int) (y Int)) (=> (and (p x) (q y) (< x y) (> y 3)) (q y)))", &[]);
    check(
        "(forall ((x Int) (y Int)) (=> (and (p x) (q y) (< x y)) r))",
        &["(p x), (q y), (< x y) -> r"],
    );
    check("(forall ((x Int)) (=> (and (p x) (> x 5)) false))", &["(p x), (>= x 6) -> false"]);
}

#[test]
fn arguments_may_be_any_terms() {
    check("(p 0)", &["(p 0)"]);
    check("(=> (p 0) (q 1))", &["(p 0) -> (q 1)"]);
    check("(forall ((x Int)) (=> (p (+ x 1)) (p (* 2 x))))", &["(p (+ x 1)) -> (p (* 2 x))"]);
    check("(forall ((x Int) (y Bool)) (=> (b y x) (b (not y) x)))", &["(b y x) -> (b (not y) x)"]);
    check("(forall ((x Int)) (b (> x 0) x))", &["(b (>= x 1) x)"]);
    check("(forall ((x Int)) (=> (p x) (w x)))", &["(p x) -> (w (to_real x))"]);
    check("(w 1)", &["(w 1.0)"]);
    check(
        "(forall ((x Real)) (=> (w (/ x 2)) (w 0.5)))",
        &["(w (* (/ 1.0 2.0) x)) -> (w (/ 1.0 2.0))"],
    );
    check(
        "(forall ((x Int)) (=> (= (mod x 3) 1) (p (div x (- 2)))))",
        &["(= (mod x 3) 1) -> (p (- (div x 2)))"],
    );
    check(
        "(forall ((x Int)) (=> (< (abs x) 2) (p x)))",
        &["(<= (ite (<= x (- 1)) (- x) x) 1) -> (p x)"],
    );
}

#[test]
fn shapes_of_queries() {
    check("(not r)", &["r -> false"]);
    check("(not (exists ((x Int)) (and (p x) (> x 5))))", &["(p x), (>= x 6) -> false"]);
    check("(forall ((unused Bool)) (=> r false))", &["r -> false"]);
    check("(=> r false)", &["r -> false"]);
    check("(or (not r) (not s))", &["r, s -> false"]);
    check("false", &["false"]);
    check("true", &[]);
}

#[test]
fn shapes_of_clauses() {
    check("(forall () (=> r s))", &["r -> s"]);
    check("(forall ((x Int)) (or (not (p x)) (<= x 0) (q x)))", &["(p x), (>= x 1) -> (q x)"]);
    check(
        "(forall ((x Int)) (=> (p x) (=> (> x 0) (=> r (q x)))))",
        &["r, (p x), (>= x 1) -> (q x)"],
    );
    check("(forall ((x Int)) (=> (p x) (> x 0) r (q x)))", &["r, (p x), (>= x 1) -> (q x)"]);
    check(
        "(forall ((x Int)) (=> (p x) (forall ((y Int)) (=> (q y) (p (+ x y))))))",
        &["(p x), (q y) -> (p (+ x y))"],
    );
    check(
        "(forall ((x Int)) (=> (exists ((y Int)) (and (p y) (= x (+ y 1)))) (p x)))",
        &["(p y), (= x (+ y 1)) -> (p x)"],
    );
    check(
        "(forall ((x Int)) (=> (p x) (and (q x) r (> x 0))))",
        &["(p x) -> r", "(p x) -> (q x)", "(p x), (<= x 0) -> false"],
    );
    check(
        "(forall ((x Int)) (=> (or (p x) (and (q x) (> x 0)) (< x 5)) r))",
        &["(p x) -> r", "(q x), (>= x 1) -> r", "(<= x 4) -> r"],
    );
    check(
        "(forall ((x Int)) (let ((y (+ x 1))) (let ((a (p y))) (=> a (q y)))))",
        &["(p (+ x 1)) -> (q (+ x 1))"],
    );
    check(
        "(let ((a r)) (and (=> a s) (forall ((x Int)) (=> a (p x)))))",
        &["r -> s", "r -> (p x)"],
    );
    check(
        "(forall ((x Int)) (= (p x) (> x 0)))",
        &["(p x), (<= x 0) -> false", "(>= x 1) -> (p x)"],
    );
    check("(= r (and s (p 0)))", &["r -> s", "r -> (p 0)", "s, (p 0) -> r"]);
    check(
        "(forall ((x Int)) (ite (> x 0) (p x) (q x)))",
        &["(<= x 0) -> (q x)", "(>= x 1) -> (p x)"],
    );
    check(
        "(forall ((x Int)) (=> (ite (> x 0) (p x) (q x)) r))",
        &["(q x), (<= x 0) -> r", "(p x), (>= x 1) -> r"],
    );
    check(
        "(forall ((x Int) (y Int) (z Int)) (=> (distinct x y z) (p x)))",
        &["(and (not (= x y)) (not (= x z)) (not (= y z))) -> (p x)"],
    );
    check(
        "(! (forall ((x Int)) (! (=> (p x) (! r :named inner)) :weight 3)) :named whole)",
        &["(p x) -> r"],
    );
    check("(not (=> r (not s)))", &["s", "r"]);
}

#[test]
fn binders_of_one_name_are_different_variables() {
    check(
        "(forall ((x Int)) (=> (and (p x) (exists ((x Int)) (q x))) r))",
        &["(p x), (q x!0) -> r"],
    );
    check(
        "(and (forall ((x Int)) (p x)) (forall ((x Int)) (=> (p x) (q x))))",
        &["(p x)", "(p x!0) -> (q x!0)"],
    );
    check("(forall ((r Bool)) (=> r s))", &["r!0 -> s"]);
    let text = "(declare-fun p (Int) Bool)(define-fun f ((y Int)) Bool (exists ((x Int)) (and (p x) (> x y))))\
        (declare-fun g () Bool)(assert (forall ((x Int)) (=> (and (f x) (f 7)) g)))(check-sat)";
    let (store, result) = read(text);
    let shown = clauses(&store, &result.unwrap().problems[0]);
    assert_eq!(shown, ["(p x!1), (p x!1!2), (and (> x!1 x) (>= x!1!2 8)) -> g"]);
}

#[test]
fn what_is_not_horn() {
    check_error(
        "(assert (or r s))",
        "2:1: this is not Horn: it derives a disjunction of 2 atoms, of `r`, `s` [a Horn clause derives at most one predicate]",
    );
    check_error(
        "\n(assert (forall ((x Int)) (=> (p x) (or (q x) (q 0)))))",
        "3:1: this is not Horn: it derives a disjunction of 2 atoms, of `q` [a Horn clause derives at most one predicate]",
    );
    check_error(
        "(assert (xor r s))",
        "2:1: this is not Horn: it derives a disjunction of 2 atoms, of `r`, `s` [a Horn clause derives at most one predicate]",
    );
    let alternation = "quantifier alternation is not supported: this `exists` is existential in the clause [supported are `forall` around clauses and in heads, and `exists` in bodies]";
    check_error("(assert (exists ((x Int)) (p x)))", &format!("2:9: {alternation}"));
    check_error("(assert (=> r (exists ((x Int)) (p x))))", &format!("2:15: {alternation}"));
    check_error("(assert (= r (exists ((x Int)) (p x))))", &format!("2:14: {alternation}"));
    check_error(
        "(assert (=> (forall ((x Int)) (p x)) r))",
        &format!("2:13: {}", alternation.replace("this `exists`", "this `forall`")),
    );
    check_error(
        "(assert (forall ((x Int)) (b (p x) x)))",
        "2:30: the predicate `p` occurs inside a term [predicates are supported where formulas are: in heads and bodies]",
    );
    check_error(
        "(assert (forall ((x Int)) (=> (= x (ite (p x) 1 0)) r)))",
        "2:41: the predicate `p` occurs inside a term [predicates are supported where formulas are: in heads and bodies]",
    );
}

#[test]
fn what_is_not_supported_names_itself() {
    check_error(
        "(declare-const c Int)",
        "2:16: `c` is a constant of sort Int outside of any clause: Horn clauses have predicates and bound variables only [a script that is not about Horn clauses is run by `shofar smt`]",
    );
    check_error(
        "(declare-fun f (Int) Int)",
        "2:14: `f` is a function to Int: uninterpreted functions are not supported, only predicates are",
    );
    check_error(
        "(declare-fun f ((_ FloatingPoint 8 24)) Bool)",
        "2:20: the sort `FloatingPoint` is not supported [floating-point numbers are not supported] [the supported sorts are Bool, Int, Real, bit-vectors, arrays and declared data types]",
    );
    check_error(
        "(declare-datatypes ((l 1)) ((par (X) ((nil)))))",
        "2:22: data types with parameters are not supported: `l`",
    );
    check_error(
        "(assert (forall ((a (Array Int Int))) (=> (forall ((k Int)) (> (select a k) 0)) r)))",
        "2:43: quantifier alternation is not supported: this `forall` is existential in the clause [supported are `forall` around clauses and in heads, and `exists` in bodies]",
    );
    check_error(
        "(assert (forall ((a (Array Int Bool))(c (Array Int Bool))) (=> (= c (store a 0 (p 1))) r)))",
        "2:80: the predicate `p` occurs inside a term [predicates are supported where formulas are: in heads and bodies]",
    );
    check_error(
        "(declare-sort S 0)",
        "2:15: `S` is an uninterpreted sort, which Horn clauses may not have",
    );
    check_error(
        "(declare-fun f (String) Bool)",
        "2:17: the sort `String` is not supported [strings and sequences are not supported] [the supported sorts are Bool, Int, Real, bit-vectors, arrays and declared data types]",
    );
    check_error(
        "(assert (forall ((x Int)(y Int)) (=> (= x (mod y y)) (p x))))",
        "2:43: `mod` needs a number as divisor to be linear [only linear arithmetic is supported, and its clause does not fix the value of `y`]",
    );
    check_error(
        "(assert (forall ((x Int)) (=> (= x (div x 0)) (p x))))",
        "2:36: division by zero has no fixed value and is not supported in Horn clauses",
    );
    check_error("(assert (p 0 1))", "2:9: `p` takes 1 argument, found 2");
    check_error("(assert (p true))", "2:12: expected a term of sort Int, found Bool");
    check_error("(assert (p x))", "2:12: unknown symbol `x`");
    check_error("(assert p)", "2:9: `p` is a function and needs arguments");
    check_error(
        "(assert (forall ((x Int) (x Int)) (p x)))",
        "2:27: `x` is bound twice by one quantifier",
    );
    check_error(
        "(assert (forall ((x Int)) (+ x 1)))",
        "2:27: expected a term of sort Bool, found Int",
    );
    check_error(
        "(assert r)(rule r)",
        "2:11: `assert` and `check-sat` cannot be mixed with `rule` and `query`",
    );
    let constant = "`c` is a constant of sort Int outside of any clause: Horn clauses have predicates and bound variables only [a script that is not about Horn clauses is run by `shofar smt`]";
    check_error("(declare-fun c () Int)(assert (p c))", &format!("2:1: {constant}"));
    check_error("(declare-fun c () Int)(rule (p c))", &format!("2:1: {constant}"));
    check_error("(rule (p 0))(declare-fun c () Int)(query (p c))", &format!("2:13: {constant}"));
    let mixed = "`assert` and `check-sat` cannot be mixed with `rule` and `query`";
    check_error("(rule (p 0))(assert (p 1))", &format!("2:13: {mixed}"));
    check_error("(rule (p 0))(assert (=> (and s (p 1)) r))", &format!("2:13: {mixed}"));
    check_error("(rule (p 0))(check-sat)", &format!("2:13: {mixed}"));
    check_error(
        "(assert (forall ((z Bool)) (=> z r)))(declare-fun z () Bool)",
        "2:51: `z` is both a variable of sort Bool and a predicate [give one of them another name, or declare the predicate first]",
    );
}

#[test]
fn too_many_clauses_are_an_error_not_a_hang() {
    let choices: Vec<String> = (0..40).map(|k| format!("(or (p {k}) (q {k}))")).collect();
    let choices = choices.concat();
    check_error(
        &format!("(assert (=> (and {choices}) r))"),
        "2:1: this assertion stands for too many clauses [disjunctions in bodies and conjunctions in heads are distributed]",
    );
}

#[test]
fn rules_and_queries() {
    let text = "(declare-rel inv (Int Int))(declare-rel fail ())(declare-var x Int)(declare-var y Int)\
        (rule (=> (= x 0) (inv x y)) start)(rule (=> (inv x y) (inv (+ x 1) y)))(rule (=> (and (inv x y) (< x 0)) fail))\
        (query fail :print-certificate true)(query inv)(query (exists ((x Int)) (inv x 3)))";
    let (store, result) = read(text);
    let script = result.unwrap();
    let rules =
        ["(= x 0) -> (inv x y)", "(inv x y) -> (inv (+ x 1) y)", "(inv x y), (<= x (- 1)) -> fail"];
    let queries = ["fail -> false", "(inv argument!0 argument!1) -> false", "(inv x!2 3) -> false"];
    assert_eq!(script.problems.len(), 3);
    for (problem, query) in script.problems.iter().zip(queries) {
        let expected: Vec<&str> = rules.into_iter().chain([query]).collect();
        assert_eq!(clauses(&store, problem), expected);
        assert_eq!(problem.polarity, Polarity::Inverted);
    }
    assert_eq!(script.problems[0].assertions[0].name.as_deref(), Some("start"));
}

#[test]
fn several_questions_with_scopes() {
    let text = "(set-option :timeout 100)(set-logic HORN)(echo \"begin\")(set-info :status sat)\
        (declare-fun a () Bool)(push)(declare-fun c () Bool)(assert (=> c a))(check-sat)(get-model)(pop)\
        (set-info :status unsat)(declare-fun d () Bool)(assert a)(assert (=> a d))(check-sat)(get-proof)(echo \"x\")\
        (assert (not a))(check-sat)(exit)(nonsense";
    let (store, result) = read(text);
    let script = result.unwrap();
    let shown: Vec<Vec<String>> = script.problems.iter().map(|p| clauses(&store, p)).collect();
    assert_eq!(shown, [vec!["c -> a"], vec!["a", "a -> d"], vec!["a", "a -> d", "a -> false"]]);
    let names = |problem: &HornProblem| -> Vec<String> {
        problem.system.preds().map(|p| store.name(problem.system.symbol(p)).to_owned()).collect()
    };
    assert_eq!(names(&script.problems[0]), ["a", "c"]);
    assert_eq!(names(&script.problems[2]), ["a", "d"]);
    let status: Vec<_> = script.problems.iter().map(|problem| problem.status).collect();
    assert_eq!(status, [Some(Status::Sat), Some(Status::Unsat), Some(Status::Unsat)]);
    assert_eq!(script.preamble, [Request::Echo("begin".to_owned())]);
    assert_eq!(script.problems[0].requests, [Request::Model]);
    assert_eq!(script.problems[1].requests, [Request::Proof, Request::Echo("x".to_owned())]);
    assert_eq!(script.options.len(), 1);
    assert_eq!(script.problems[2].origin.as_slice(), [0, 1, 2]);
    assert_eq!(&text[script.problems[2].assertions[2].span.start..][..15], "(assert (not a)");
}

#[test]
fn what_is_no_part_of_the_problem_costs_nothing() {
    for request in ["(get-unsat-core)", "(foo)", "(simplify (+ 1 2))", "(get-value (zzz))"] {
        let (_, result) = read(&format!("(declare-fun r () Bool)(assert r)(check-sat){request}"));
        assert_eq!(result.map(|script| script.problems.len()), Ok(1), "{request}");
    }
    let logics = ["LIA", "QF_LIA", "ALL", "LRA", "UFLIA", "AUFLIA", "QF_BV"];
    for logic in logics {
        let (_, result) = read(&format!("(set-logic {logic})(declare-fun r () Bool)(check-sat)"));
        assert!(result.is_ok(), "{logic}");
    }
    // Numerals of a logic without integers are real.
    let (_, result) = read("(set-logic LRA)(declare-fun q (Real) Bool)(assert (q 5))(check-sat)");
    assert!(result.is_ok());
}

/// Follows a script; for each question, whether its problem is whole.
fn questions(text: &str) -> Vec<bool> {
    let (mut store, mut reader, mut whole) = (TermStore::new(), HornReader::default(), Vec::new());
    let mut commands = Commands::of_text(text.as_bytes().to_vec());
    loop {
        match reader.next(&mut commands, &mut store) {
            Ok(Step::Sentence(sentence)) => {
                let is_question = CommandRole::of(&sentence.command) == CommandRole::Question;
                let done = reader.execute(&mut store, sentence);
                assert_eq!(reader.is_asked(), is_question && done.is_ok());
                if reader.is_asked() {
                    whole.push(reader.is_whole());
                    let problem = reader.problem(Rest::More).expect("a question is open");
                    problem.system.assert_well_formed(&store);
                }
            }
            Ok(Step::NeedInput | Step::End) => return whole,
            Err(_) => {}
        }
    }
}

#[test]
fn a_refused_statement_spoils_its_scope() {
    let head = "(declare-fun p (Int) Bool)(check-sat)";
    let check = |text: &str, expected: &[bool]| {
        assert_eq!(questions(&format!("{head}{text}")), expected, "for {text}");
    };
    check("(asert (p 0))(check-sat)", &[true, false]);
    check("(get-value (zzz))(check-sat)", &[true, true]);
    check("(push)(assert (or (p 0) (p 1)))(check-sat)(pop)(check-sat)", &[true, false, true]);
    check("(push)(assert (p a))(push)(pop)(check-sat)(pop)(check-sat)", &[true, false, true]);
    check("(assert (p a))(push)(check-sat)(pop)(check-sat)", &[true, false, false]);
    check("(push)(push x)(check-sat)(pop)(check-sat)", &[true, false, false]);
    check("(assert (p a))(check-sat)(reset)(check-sat)", &[true, false, true]);
    check("(assert (p a))(reset-assertions)(check-sat)", &[true, true]);
    // A query belongs to its question alone.
    assert_eq!(questions("(declare-rel p ())(query (or p x))(query p)"), [true]);
}

#[test]
fn deep_nesting_needs_no_stack() {
    let depth = 100_000;
    let text = format!(
        "(declare-fun r () Bool)(assert {}r{})(check-sat)",
        "(forall ((x Int)) (=> (exists ((y Int)) (= x y)) ".repeat(depth),
        "))".repeat(depth)
    );
    let (_, result) = read(&text);
    let problem = &result.unwrap().problems[0];
    assert_eq!(problem.system.clause_count(), 1);
}

#[test]
fn mutated_texts_do_not_panic() {
    let seeds = [
        "(set-logic HORN)(declare-fun p (Int Bool) Bool)(declare-fun r () Bool)(push 1)\
         (assert (forall ((x Int) (y Bool)) (=> (and (p x y) (or r (exists ((x Int)) (p x true)))) (p (+ x 1) (not y)))))\
         (assert (! (forall ((x Int)) (ite (> x 0) (p x false) r)) :named c))(check-sat)(get-model)(pop 1)(assert (not r))(check-sat)",
        "(declare-rel p (Int))(declare-var x Int)(declare-var r Bool)(define-fun f ((y Int)) Bool (exists ((x Int)) (and (p x) (< x y))))\
         (rule (=> (and (f x) r) (p (* 2 x))) n)(rule (= (p x) (f 1)))(query p :a b)(reset)(declare-fun p () Bool)(query (f 0))",
    ];
    let mut rng = shofar_base::Rng::new(3);
    let pieces = [
        "(",
        ")",
        "forall ",
        "exists ",
        "((x Int))",
        " p ",
        " r ",
        "(p 0)",
        "(not ",
        "(= ",
        "(reset)",
        "Bool",
        "x",
        "0",
    ];
    for _ in 0..20_000 {
        let mut text = (*rng.pick(&seeds)).to_owned();
        for _ in 0..rng.range(1, 4) {
            let at = rng.below(text.len());
            let end = (at + rng.below(12)).min(text.len());
            text.replace_range(
                at..end,
                if rng.chance(70) { rng.pick::<&str>(&pieces) } else { "" },
            );
        }
        if let (store, Ok(script)) = read(&text) {
            script.problems.iter().for_each(|problem| problem.system.assert_well_formed(&store));
        }
    }
}

#[test]
fn what_a_wrong_command_declares_is_not_there() {
    let mut commands = Commands::of_text(
        b"(declare-fun p (Int) Bool junk)(assert (p 0))(declare-datatype T ((c (f Int))) junk)\
          (declare-fun p (Int) Bool)(declare-datatype T ((f)))(assert (p 1))(check-sat)"
            .to_vec(),
    );
    let (mut store, mut reader, mut errors) = (TermStore::new(), HornReader::default(), Vec::new());
    loop {
        match reader.next(&mut commands, &mut store) {
            Ok(Step::Sentence(sentence)) => {
                reader.execute(&mut store, sentence).expect("it is a clause");
            }
            Ok(Step::End | Step::NeedInput) => break,
            Err(error) => errors.push(error.message),
        }
    }
    let junk = "expected `)`, found a symbol";
    assert_eq!(errors, [junk, "unknown function `p`", junk]);
    assert!(!reader.is_whole());
}

#[test]
fn predicates_over_compound_sorts() {
    let text = "(set-logic HORN)
        (declare-datatypes ((Cell 0) (List 0)) (((cell (key Int) (bytes (Array Int (_ BitVec 8)))))
            ((nil) (cons (head Cell) (tail List)))))
        (declare-fun p (List (Array Int Cell)) Bool)
        (declare-fun q ((_ BitVec 8)) Bool)
        (assert (forall ((l List) (a (Array Int Cell))) (=> (p l a) (p (cons (select a 0) l) a))))
        (assert (forall ((l List) (a (Array Int Cell)) (k Int))
            (=> (and (p l a) ((_ is cons) l) (= k (key (head l)))) (q (select (bytes (select a k)) k)))))
        (assert (forall ((b (_ BitVec 8))) (=> (and (q b) (bvult b #x03)) false)))
        (check-sat)";
    let expected = [
        "(p l a) -> (p (cons (select a 0) l) a)",
        "(p l a), (and ((_ is cons) l) (= k (key (head l)))) -> (q (select (bytes (select a k)) k))",
        "(q b), (not (bvule #x03 b)) -> false",
    ];
    let (mut store, result) = read(text);
    let problem = result.expect("it is read").problems.remove(0);
    assert_eq!(clauses(&store, &problem), expected);
    // The same through bytes, into a store that knows none of the sorts, and into one that knows
    // others.
    let bytes = export_problem(&mut store, &problem);
    for other in ["", "(declare-datatype Other ((nil) (cons (head Int) (tail Other))))(check-sat)"]
    {
        let (mut store, _) = read(other);
        let copy = import_problem(&mut store, &bytes).expect("it is what was written");
        assert_eq!(clauses(&store, &copy), expected);
    }
}
