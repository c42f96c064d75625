//! No bytes make the reader panic or hang, and depth costs memory, not stack.

use shofar_base::Rng;
use shofar_smtlib::{Command, Commands, Environment, Step};
use shofar_term::TermStore;

/// Reads everything, in pieces; returns how many commands and errors there were.
fn read_all(text: &[u8], piece: usize) -> (usize, usize) {
    let (mut env, mut store) = (Environment::new(), TermStore::new());
    let mut commands = Commands::new();
    let (mut good, mut bad) = (0, 0);
    let mut pieces = text.chunks(piece);
    loop {
        match commands.next(&mut env, &mut store) {
            Ok(Step::Sentence(_)) => good += 1,
            Ok(Step::End) => return (good, bad),
            Ok(Step::NeedInput) => match pieces.next() {
                Some(piece) => commands.feed(piece),
                None => commands.finish(),
            },
            Err(error) => {
                assert!(!error.render("input", &commands.source()).is_empty());
                bad += 1;
            }
        }
    }
}

const SEEDS: [&str; 7] = [
    "(declare-datatypes ((L 0) (T 0)) (((nil) (cons (head Int) (tail L))) ((t (f (Array Int L)) (g (_ BitVec 4))))))\
     (declare-const x L)(declare-const y T)(assert (= (select (f y) (head x)) (cons 1 nil)))(push 1)\
     (assert (match x ((nil true) ((cons a b) ((_ is nil) b)))))(assert (is-cons (select (f y) 1)))(pop 1)",
    "(declare-const b (_ BitVec 8))(declare-datatypes () ((C red (mix (one C) (two C)))))(declare-const c C)\
     (assert (bvult ((_ extract 5 2) b) #b0101))(assert (= (concat #xa ((_ repeat 2) #b10)) (bvadd b (_ bv3 8) b)))\
     (assert (= ((as const (Array C Int)) 3) (store ((as const (Array C Int)) 4) (as red C) (bv2nat (bvneg b)))))",
    "(set-logic QF_LIRA)(declare-fun x () Int)(declare-const |a b| Real)(assert (! (<= (+ x (* 2 x)) (- 5)) :named n))\
     (assert (let ((y (div x 3)) (z (mod x 0))) (= y (ite (> z 1) y z))))(check-sat)(get-value (x (+ x 1)))",
    "(define-fun f ((a Int) (b Int)) Int (* a b))(declare-const y Int)(assert (= (f 2 y) (f y 3)))(push 2)\
     (assert ((_ divisible 3) (abs y)))(assert (= (/ y 0) (/ 1 0.0)))(pop 1)(check-sat-assuming ((< y 1)))(pop)",
    "(set-option :produce-interpolants true)(declare-const p Bool)(assert (! (xor p true) :named A :w 3))\
     (assert (! (=> p false p) :named B))(check-sat)(get-interpolants A (B (A) (and A B)) B)(echo \"a\"\"b\")",
    "(declare-const p Bool)(declare-const k Int)(get-dag-interpolants ((a b (< k 0)) (b c p) (b c (> k 2))) ((b (! p :named e))))\
     (get-disjunctive-interpolants (and (! (or e (! (< k 0) :named m)) :named n) (let ((z (! p :named o))) (or z (> k 0)))))",
    "; comment (\n(set-info :source |multi\nline|)(declare-const u Real)(assert (distinct (to_real (to_int u)) 1.50 u))\
     (get-info :name)(get-option :x)(reset-assertions)(assert (is_int (as u Real)))(exit)",
];

#[test]
fn the_seeds_are_sound() {
    for seed in &SEEDS[..6] {
        for piece in [1, 7, 1000] {
            assert_eq!(read_all(seed.as_bytes(), piece).1, 0, "{seed}");
        }
    }
}

fn mutate(rng: &mut Rng, text: &mut Vec<u8>) {
    let snippets: [&[u8]; 20] = [
        b"(as ",
        b"match ",
        b"(Array ",
        b"(declare-datatypes ",
        b"#b",
        b"999999999 ",
        b"(",
        b")",
        b"|",
        b"\"",
        b";",
        b"((",
        b"))",
        b" let ",
        b"(! ",
        b"(_ ",
        b":named",
        b" 0 ",
        b"\xc3",
        b"(assert ",
    ];
    for _ in 0..rng.range(1, 6) {
        if text.is_empty() {
            return;
        }
        let at = rng.below(text.len());
        let end = (at + rng.below(12)).min(text.len());
        match rng.below(5) {
            0 => text[at] = rng.bits().to_le_bytes()[0],
            1 => drop(text.drain(at..end)),
            2 => {
                let copy = text[at..end].to_vec();
                let to = rng.below(text.len());
                text.splice(to..to, copy);
            }
            3 => drop(text.splice(at..at, rng.pick(&snippets).iter().copied())),
            _ => {
                let to = rng.below(text.len());
                text.swap(at, to);
            }
        }
    }
}

/// Everything that comes out, errors as they are shown, and how many terms were made.
fn transcript(mut commands: Commands) -> Vec<String> {
    let (mut env, mut store) = (Environment::new(), TermStore::new());
    let mut lines = Vec::new();
    loop {
        match commands.next(&mut env, &mut store) {
            Ok(Step::End | Step::NeedInput) => break,
            Ok(Step::Sentence(sentence)) => lines.push(format!("{sentence:?}")),
            Err(error) => lines.push(error.render("input", &commands.source())),
        }
    }
    lines.push(format!("{} terms, {:?}", store.len(), env.declared()));
    lines
}

fn check_ahead(text: &[u8]) {
    let (alone, helped) =
        (Commands::of_text(text.to_vec()), Commands::scanned_ahead(text.to_vec()));
    assert_eq!(transcript(alone), transcript(helped), "{}", String::from_utf8_lossy(text));
}

#[test]
fn scanning_ahead_changes_nothing() {
    let mut rng = Rng::new(11);
    let horn = "(set-logic HORN)(declare-fun p (Int Bool) Bool)(assert (forall ((x Int) (b Bool)) (=> (p x b) (p (+ x 1) b))))\
        (reset)(declare-fun b () Int)(declare-fun x () Int)(assert (= x b))(assert (= (+ x |b|) y))(check-sat)";
    for _ in 0..3000 {
        let mut text = Vec::new();
        for _ in 0..rng.range(1, 4) {
            let seed = if rng.below(4) == 0 { horn } else { rng.pick(&SEEDS) };
            text.extend_from_slice(seed.replace("(exit)", "(reset)").as_bytes());
        }
        check_ahead(&text);
        mutate(&mut rng, &mut text);
        check_ahead(&text);
    }
}

/// Many chunks, some commands longer than the second thread cares for, tokens that are none, and an
/// end that is missing.
#[test]
fn large_texts_are_read_alike_with_and_without_help() {
    let mut rng = Rng::new(5);
    let mut text = String::from("(declare-fun x () Int)\n");
    while text.len() < 400_000 {
        let name = text.len();
        let line = match rng.below(400) {
            0 => "(assert (= x 1x))".to_owned(),
            1 => format!("(assert (> x unknown{name})) ; ä"),
            2 => "(echo \"a ; b ( \"\"\")".to_owned(),
            3..200 => format!("(declare-fun y{name} () Int)"),
            _ => format!("(assert (<= (+ x (* {name} x)) (- {name}) x))"),
        };
        text.push_str(&line);
        text.push('\n');
    }
    check_ahead(text.as_bytes());
    let sum = "(- (* 2 x) 1) ".repeat(200);
    check_ahead(format!("{text}(assert (= x (+ {sum})))\n(assert (or (= x 0)\n").as_bytes());
    check_ahead(format!("{text}) (check-sat)\n(check-sat)\n").as_bytes());
}

/// The second thread leaves commands alone whose tokens would take too much memory.
#[test]
fn very_long_commands_are_read_alike_with_and_without_help() {
    let sum = "(- (* 2 x) 1) ".repeat(310_000);
    let text =
        format!("(declare-fun x () Int)(assert (= x (+ {sum})))(assert (= x 1))(assert (= x y))");
    let mut direct = Commands::new();
    direct.feed(text.as_bytes());
    direct.finish();
    let helped = Commands::of_text(text.into_bytes());
    assert_eq!(transcript(direct), transcript(helped));
}

#[test]
fn mutated_scripts_never_panic() {
    let rounds = if std::env::var_os("SHOFAR_LONG_TESTS").is_some() { 200_000 } else { 20_000 };
    let mut rng = Rng::new(7);
    let mut bad = 0;
    for _ in 0..rounds {
        let mut text = rng.pick(&SEEDS).as_bytes().to_vec();
        mutate(&mut rng, &mut text);
        let piece = rng.below(200) + 1;
        bad += usize::from(read_all(&text, piece).1 > 0);
    }
    assert!(
        bad > rounds / 2 && bad < rounds,
        "mutations should break most scripts, not all: {bad} of {rounds}"
    );
}

fn asserted(text: String) -> String {
    let (mut env, mut store) = (Environment::new(), TermStore::new());
    let mut commands = Commands::of_text(text.into_bytes());
    let mut last = String::new();
    loop {
        match commands.next(&mut env, &mut store) {
            Ok(Step::Sentence(sentence)) => {
                if let Command::Assert { term, .. } = sentence.command {
                    last = format!("{:?} {}", store.sort(term), store.children(term).len());
                }
            }
            Ok(Step::NeedInput | Step::End) => return last,
            Err(error) => panic!("{}", error.render("input", &commands.source())),
        }
    }
}

const DEEP: usize = 1_000_000;

#[test]
fn deep_connectives() {
    let nested = |head: &str, core: &str, tail: &str| {
        format!(
            "(declare-const p Bool)(declare-const x Int)(assert {}{core}{})",
            head.repeat(DEEP),
            tail.repeat(DEEP)
        )
    };
    assert_eq!(asserted(nested("(not ", "p", ")")), "Bool 0");
    assert_eq!(asserted(nested("(let ((x p)) ", "x", ")")), "Bool 0");
    assert_eq!(asserted(nested("(let ((x ", "p", ")) x)")), "Bool 0");
    assert_eq!(asserted(nested("(! ", "p", " :a b)")), "Bool 0");
    assert_eq!(asserted(nested("(ite p p ", "p", ")")), "Bool 0");
}

fn concat(pieces: impl Iterator<Item = String>) -> String {
    pieces.collect::<Vec<_>>().concat()
}

#[test]
fn deep_sums_are_not_quadratic() {
    let names: Vec<String> = (0..300_000).map(|k| format!("x{}", k % 1000)).collect();
    let declarations: String = concat((0..1000).map(|k| format!("(declare-const x{k} Int)")));
    let right = |head: &str| {
        let opens: String = concat(names.iter().map(|name| format!("({head} {name} ")));
        format!("{declarations}(assert (<= {opens}1{} 0))", ")".repeat(names.len()))
    };
    let left = |head: &str| {
        let closes: String = concat(names.iter().map(|name| format!(" {name})")));
        format!(
            "{declarations}(assert (<= {}1{closes} 0))",
            format!("({head} ").repeat(names.len())
        )
    };
    for head in ["+", "-"] {
        assert_eq!(asserted(right(head)), "Bool 1");
        assert_eq!(asserted(left(head)), "Bool 1");
    }
}
