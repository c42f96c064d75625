//! Integers for bit-vectors: every clause says the same of the integers, and witnesses come back.
//!
//! Vectors have at most three bits, so that all values can be tried: what evaluation says of the
//! vectors is compared with what a query says of the integers.

mod support;

use shofar_base::{Budget, Rng};
use shofar_chc::{
    ChcSystem, Clause, Definition, Exactness, Interpretation, PredAtom, Verdict, formal_params,
};
use shofar_num::{Bits, Rational};
use shofar_smt::{Answer, Options, Solver};
use shofar_term::eval::{Model, Value, evaluate};
use shofar_term::print::print;
use shofar_term::symbols::free_symbols;
use shofar_term::{BitsOp, Cx, Sort, Symbol, Term, TermStore};
use shofar_transform::{IntBlast, Pass};
use support::{saturate, validate};

/// The only variable that is an integer.
fn integer(store: &mut TermStore) -> Term {
    store.var("n", Sort::INT)
}

/// A random vector of `width` bits over variables of widths 1 to 3.
fn vector(store: &mut TermStore, rng: &mut Rng, pool: &[Term], width: u32, depth: usize) -> Term {
    let same: Vec<Term> = pool.iter().copied().filter(|&t| store.width(t) == width).collect();
    if depth == 0 || rng.chance(15) {
        if same.is_empty() || rng.chance(25) {
            return store.bits_of(width, rng.range(0, 7));
        }
        return *rng.pick(&same);
    }
    let mut sub = |store: &mut TermStore, width| vector(store, rng, pool, width, depth - 1);
    let (a, b) = (sub(store, width), sub(store, width));
    let other = 1 + u32::try_from(depth % 3).expect("small");
    let narrow = sub(store, other);
    match rng.below(24) {
        0 => store.bits_op(BitsOp::Not, &[a]),
        1 => store.bits_op(BitsOp::And, &[a, b]),
        2 => store.bits_op(BitsOp::Or, &[a, b]),
        3 => store.bits_op(BitsOp::Xor, &[a, b]),
        4 | 5 => store.bits_op(BitsOp::Add, &[a, b]),
        6 => store.bits_op(BitsOp::Add, &[a, b, a]),
        7 => store.bits_op(BitsOp::Mul, &[a, b]),
        8 => store.bits_op(BitsOp::Udiv, &[a, b]),
        9 => store.bits_op(BitsOp::Urem, &[a, b]),
        10 => store.bits_op(BitsOp::Sdiv, &[a, b]),
        11 => store.bits_op(BitsOp::Srem, &[a, b]),
        12 => store.bits_op(BitsOp::Smod, &[a, b]),
        13 => store.bits_op(BitsOp::Shl, &[a, b]),
        14 => store.bits_op(BitsOp::Lshr, &[a, b]),
        15 => store.bits_op(BitsOp::Ashr, &[a, b]),
        16 if width > other => {
            let high = vector(store, rng, pool, width - other, depth - 1);
            store.bits_op(BitsOp::Concat, &[high, narrow])
        }
        17 if width > other => {
            let more = u16::try_from(width - other).expect("small");
            store.bits_op(BitsOp::SignExtend(more), &[narrow])
        }
        18 if width > other => {
            let more = u16::try_from(width - other).expect("small");
            store.bits_op(BitsOp::ZeroExtend(more), &[narrow])
        }
        19 | 20 => {
            let wide = store.bits_op(BitsOp::Concat, &[a, narrow]);
            let low = u16::try_from(rng.below(other as usize + 1)).expect("small");
            let high = low + u16::try_from(width).expect("small") - 1;
            store.bits_op(BitsOp::Extract(high, low), &[wide])
        }
        21 => {
            let number = if rng.chance(50) { store.bits_to_nat(a) } else { integer(store) };
            let shift = store.int(rng.range(-5, 5));
            let integer = store.add(&[number, shift]);
            store.bits_of_int(width, integer)
        }
        22 => {
            let condition = atom(store, rng, pool, depth - 1);
            store.ite(condition, a, b)
        }
        _ => a,
    }
}

fn atom(store: &mut TermStore, rng: &mut Rng, pool: &[Term], depth: usize) -> Term {
    let width = 1 + u32::try_from(rng.below(3)).expect("small");
    let (a, b) = (vector(store, rng, pool, width, depth), vector(store, rng, pool, width, depth));
    match rng.below(4) {
        0 => store.bits_op(BitsOp::Ule, &[a, b]),
        1 => store.bits_op(BitsOp::Sle, &[a, b]),
        2 => store.eq(a, b),
        _ => {
            let (a, b) = (store.bits_to_int(a), store.bits_to_nat(b));
            store.le(a, b)
        }
    }
}

fn formula(store: &mut TermStore, rng: &mut Rng, pool: &[Term], depth: usize) -> Term {
    let (a, b) = (atom(store, rng, pool, depth), atom(store, rng, pool, depth));
    match rng.below(4) {
        0 => store.and(&[a, b]),
        1 => store.or(&[a, b]),
        2 => store.not(a),
        _ => a,
    }
}

/// All values of `variables`.
fn valuations(store: &TermStore, variables: &[Symbol]) -> Vec<Model> {
    let mut all = vec![Model::new()];
    for &symbol in variables {
        let values: Vec<Value> = match store.bits_width(store.result(symbol)) {
            Some(width) => {
                (0..1i64 << width).map(|n| Value::bits(Bits::new(width, &n.into()))).collect()
            }
            None => [-4i64, 0, 3, 9].map(|n| Value::Number(n.into())).to_vec(),
        };
        let extend = |model: &Model, value: &Value| {
            let mut model = model.clone();
            model.set(symbol, value.clone());
            model
        };
        all = all.iter().flat_map(|m| values.iter().map(move |v| extend(m, v))).collect();
    }
    all
}

fn variables(store: &mut TermStore) -> (Vec<Symbol>, Vec<Term>) {
    let mut symbols = Vec::new();
    for (name, width) in [("x", 3), ("y", 2), ("z", 1)] {
        let sort = store.bits_sort(width);
        symbols.push(store.declare(name, &[], sort));
    }
    let terms = symbols.iter().map(|&symbol| store.constant(symbol)).collect();
    (symbols, terms)
}

/// The system `constraint → p(variables)`.
fn one_clause(store: &mut TermStore, terms: &[Term], constraint: Term) -> ChcSystem {
    let sorts: Vec<Sort> = terms.iter().map(|&term| store.sort(term)).collect();
    let symbol = store.declare("p", &sorts, Sort::BOOL);
    let mut system = ChcSystem::new();
    let pred = system.add_pred(symbol);
    let head = Some(PredAtom { pred, args: terms.to_vec() });
    system.add_clause(Clause { head, body: Vec::new(), constraint, span: None });
    system
}

/// Whether the clause of the target derives the integers that the vectors are.
fn derives(cx: &mut Cx<'_>, clause: &Clause, symbols: &[Symbol], values: &Model) -> bool {
    let mut solver = Solver::new(Options::default());
    solver.add(cx.store, clause.constraint);
    let head = clause.head.as_ref().expect("it derives");
    for (&arg, &symbol) in head.args.iter().zip(symbols) {
        if let Some(number) = values.get(symbol).and_then(Value::as_number).cloned() {
            let number = cx.store.number(number, Sort::INT);
            let is_number = cx.store.eq(arg, number);
            solver.add(cx.store, is_number);
            continue;
        }
        let bits = values.get(symbol).and_then(Value::as_bits).expect("it is a vector").clone();
        let (nat, int) = (bits.to_nat().clone(), bits.to_int());
        let (nat, int) = (cx.store.number(nat, Sort::INT), cx.store.number(int, Sort::INT));
        let either = [cx.store.eq(arg, nat), cx.store.eq(arg, int)];
        let either = cx.store.or(&either);
        solver.add(cx.store, either);
    }
    matches!(solver.check(cx).expect("small queries are decided"), Answer::Sat(_))
}

/// Compares random clauses with their integers; how many were exact.
fn compare_clauses(pass: IntBlast, seeds: std::ops::Range<u64>) -> usize {
    let mut exact = 0;
    for seed in seeds {
        let (mut store, mut rng, budget) = (TermStore::new(), Rng::new(seed), Budget::unlimited());
        let (mut symbols, mut terms) = variables(&mut store);
        let mut parts = vec![formula(&mut store, &mut rng, &terms, 3)];
        let n = integer(&mut store);
        if rng.chance(50) {
            let (low, high) = (store.int(rng.range(-3, 2)), store.int(rng.range(3, 8)));
            parts.extend([store.ge(n, low), store.le(n, high)]);
        }
        let constraint = store.and(&parts);
        if free_symbols(&store, &[constraint]).contains(&store.symbol(n).expect("a variable")) {
            symbols.push(store.symbol(n).expect("a variable"));
            terms.push(n);
        }
        let source = one_clause(&mut store, &terms, constraint);
        let cx = &mut Cx::new(&mut store, &budget);
        let (target, back) = pass.apply(cx, source.clone()).expect("there is no limit");
        target.assert_well_formed(cx.store);
        exact += usize::from(back.exactness() == Exactness::Exact);
        let clause = target.clauses().next().expect("there is one").1.clone();
        for values in valuations(cx.store, &symbols) {
            let holds = evaluate(cx.store, constraint, &values) == Ok(Value::Bool(true));
            let derives = derives(cx, &clause, &symbols, &values);
            let right = match back.exactness() {
                Exactness::Exact => holds == derives,
                Exactness::Over => !holds || derives,
            };
            assert!(right, "seed {seed}: {values:?}: the vectors say {holds}");
        }
    }
    exact
}

#[test]
fn clauses_say_the_same_of_integers() {
    assert!(compare_clauses(IntBlast::default(), 0..150) > 120);
}

#[test]
fn what_integers_do_not_show_is_left_open() {
    let exact = compare_clauses(IntBlast { bitwise: 0, shifts: 0 }, 1_000..1_080);
    assert!((5..75).contains(&exact), "{exact} are exact");
}

/// A random formula over integers.
fn linear_formula(store: &mut TermStore, rng: &mut Rng, pool: &[Term], depth: usize) -> Term {
    if depth > 0 {
        let (a, b) = (
            linear_formula(store, rng, pool, depth - 1),
            linear_formula(store, rng, pool, depth - 1),
        );
        return match rng.below(3) {
            0 => store.and(&[a, b]),
            1 => store.or(&[a, b]),
            _ => store.iff(a, b),
        };
    }
    let mut sum = vec![store.int(rng.range(-9, 9))];
    for &term in pool {
        let factor = Rational::from(rng.range(-3, 3));
        let mut part = store.scale(&factor, term);
        match rng.below(5) {
            0 => part = store.div(part, &rng.range(2, 5).into()),
            1 => part = store.modulo(part, &rng.range(2, 5).into()),
            2 => {
                let (zero, other) = (store.int(0), *rng.pick(pool));
                let condition = store.le(other, zero);
                part = store.ite(condition, part, other);
            }
            _ => (),
        }
        sum.push(part);
    }
    let (sum, zero) = (store.add(&sum), store.int(0));
    if rng.chance(30) { store.eq(sum, zero) } else { store.le(sum, zero) }
}

#[test]
fn models_become_comparisons_of_vectors() {
    for seed in 0..300 {
        let (mut store, mut rng, budget) = (TermStore::new(), Rng::new(seed), Budget::unlimited());
        let (_, terms) = variables(&mut store);
        let signed = rng.chance(50);
        let op = if signed { BitsOp::SignExtend(2) } else { BitsOp::ZeroExtend(2) };
        let mut parts = Vec::new();
        for &term in &terms {
            let wide = store.bits_op(op, &[term]);
            let constant = store.bits_of(store.width(wide), 1);
            parts.push(store.bits_op(BitsOp::Ule, &[wide, constant]));
        }
        let constraint = store.and(&parts);
        let source = one_clause(&mut store, &terms, constraint);
        let cx = &mut Cx::new(&mut store, &budget);
        let (target, back) = IntBlast::default().apply(cx, source.clone()).expect("no limit");
        let pred = target.preds().next().expect("there is one");
        let params = formal_params(cx.store, &target, pred);
        let pool: Vec<Term> = params.iter().map(|&param| cx.store.constant(param)).collect();
        let body = linear_formula(cx.store, &mut rng, &pool, 2);
        let mut model = Interpretation::new();
        model.define(pred, Definition { params: params.clone(), body });
        let model = back.model(cx, model).expect("models come back");
        let definition = model.get(pred).expect("it is defined").clone();
        for values in valuations(cx.store, &definition.params) {
            let mut integers = Model::new();
            for (&from, &to) in definition.params.iter().zip(&params) {
                let bits = values.get(from).and_then(Value::as_bits).expect("it is a vector");
                let number = if signed { bits.to_int() } else { bits.to_nat().clone() };
                integers.set(to, Value::Number(number));
            }
            let of_integers = evaluate(cx.store, body, &integers);
            let of_vectors = evaluate(cx.store, definition.body, &values);
            let (text, of) = (print(cx.store, definition.body), print(cx.store, body));
            assert_eq!(of_integers, of_vectors, "seed {seed}, signed {signed}: {of} as {text}");
        }
    }
}

/// A random system over two predicates.
fn random_system(store: &mut TermStore, rng: &mut Rng) -> ChcSystem {
    let (_, terms) = variables(store);
    let mut system = ChcSystem::new();
    let (three, two) = (store.bits_sort(3), store.bits_sort(2));
    let symbols =
        [store.declare("p", &[three, two], Sort::BOOL), store.declare("q", &[three], Sort::BOOL)];
    let preds = symbols.map(|symbol| system.add_pred(symbol));
    for index in 0..6 {
        let body = (0..if index == 0 { 0 } else { 1 + rng.below(2) })
            .map(|_| {
                let pred = *rng.pick(&preds);
                let args = if pred == preds[0] { vec![terms[0], terms[1]] } else { vec![terms[0]] };
                PredAtom { pred, args }
            })
            .collect();
        let constraint = formula(store, rng, &terms, 2);
        let head = (index < 5).then(|| {
            let pred = *rng.pick(&preds);
            let first = vector(store, rng, &terms, 3, 2);
            let second = vector(store, rng, &terms, 2, 1);
            let args = if pred == preds[0] { vec![first, second] } else { vec![first] };
            PredAtom { pred, args }
        });
        system.add_clause(Clause { head, body, constraint, span: None });
    }
    system
}

/// Panics if some values of the variables of a clause violate it.
fn validate_model(store: &mut TermStore, system: &ChcSystem, model: &Interpretation) {
    let (mut symbols, _) = variables(store);
    let n = integer(store);
    symbols.extend(store.symbol(n));
    for (id, clause) in system.clauses() {
        let mut claim = vec![clause.constraint];
        for atom in &clause.body {
            claim.push(model.get(atom.pred).expect("it is defined").apply(store, &atom.args));
        }
        if let Some(head) = &clause.head {
            let head = model.get(head.pred).expect("it is defined").apply(store, &head.args);
            claim.push(store.not(head));
        }
        let claim = store.and(&claim);
        for values in valuations(store, &symbols) {
            let violated = evaluate(store, claim, &values).expect("it has a value");
            assert_eq!(violated, Value::Bool(false), "clause {id:?} at {values:?}");
        }
    }
}

#[test]
fn witnesses_of_random_systems_come_back() {
    let (mut safe, mut with_refutation) = (0, 0);
    for seed in 0..80 {
        let (mut store, mut rng, budget) = (TermStore::new(), Rng::new(seed), Budget::unlimited());
        let source = random_system(&mut store, &mut rng);
        source.assert_well_formed(&store);
        let cx = &mut Cx::new(&mut store, &budget);
        let (target, back) = IntBlast::default().apply(cx, source.clone()).expect("no limit");
        match saturate::solve(cx, &target, 100) {
            Some(Verdict::Safe(model)) => {
                safe += 1;
                let model = back.model(cx, model).expect("models come back");
                validate_model(cx.store, &source, &model);
            }
            Some(Verdict::Unsafe(refutation)) if back.exactness() == Exactness::Exact => {
                with_refutation += 1;
                let refutation = back.refutation(cx, refutation).expect("refutations come back");
                validate::derivation(cx, &source, &refutation);
            }
            Some(Verdict::Unsafe(_)) | None => (),
        }
    }
    assert!(safe >= 5 && with_refutation >= 5, "both verdicts: {safe}, {with_refutation}");
}

/// Masks, shifts and products by constants are exact in any width; the readings follow the
/// comparisons.
#[test]
fn wide_vectors_with_constants_are_exact() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let sort = store.bits_sort(256);
    let (x, y) = (store.var("x", sort), store.var("y", sort));
    let (mask, seven) = (store.bits_of(256, 0xff00), store.bits_of(256, 7));
    let masked = store.bits_op(BitsOp::And, &[x, mask]);
    let shifted = store.bits_op(BitsOp::Shl, &[y, seven]);
    let product = store.bits_op(BitsOp::Mul, &[seven, x]);
    let sum = store.bits_op(BitsOp::Add, &[masked, shifted, product]);
    let constraint = store.bits_op(BitsOp::Ule, &[sum, y]);
    let source = one_clause(&mut store, &[x, y], constraint);
    let cx = &mut Cx::new(&mut store, &budget);
    let (target, back) = IntBlast::default().apply(cx, source).expect("there is no limit");
    assert_eq!(back.exactness(), Exactness::Exact);
    let pred = target.preds().next().expect("there is one");
    assert_eq!(target.sorts(cx.store, pred), [Sort::INT, Sort::INT]);
}
