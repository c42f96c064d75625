//! Random formulas over small bit-vectors: answers against all values, proofs through the checker,
//! interpolants by evaluation.

use shofar_base::{Budget, GaveUp, Rng};
use shofar_num::Bits;
use shofar_smt::{Answer, Evidence, Options, Solver};
use shofar_term::eval::{Model, Value, evaluate, evaluate_with_defaults};
use shofar_term::symbols::free_symbols;
use shofar_term::{BitsOp, Cx, Symbol, Term, TermStore};

const WIDTH: u32 = 3;

const OPS: [BitsOp; 14] = [
    BitsOp::And,
    BitsOp::Or,
    BitsOp::Xor,
    BitsOp::Add,
    BitsOp::Add,
    BitsOp::Mul,
    BitsOp::Udiv,
    BitsOp::Urem,
    BitsOp::Sdiv,
    BitsOp::Srem,
    BitsOp::Smod,
    BitsOp::Shl,
    BitsOp::Lshr,
    BitsOp::Ashr,
];

fn vector(store: &mut TermStore, rng: &mut Rng, pool: &[Term], depth: usize) -> Term {
    if depth == 0 {
        return if rng.chance(30) {
            store.bits_of(WIDTH, rng.range(0, 7))
        } else {
            *rng.pick(pool)
        };
    }
    let (a, b) = (vector(store, rng, pool, depth - 1), vector(store, rng, pool, depth - 1));
    match rng.below(OPS.len() + 4) {
        0 => store.bits_op(BitsOp::Not, &[a]),
        1 => {
            let wide = store.bits_op(BitsOp::SignExtend(2), &[a]);
            store.bits_op(BitsOp::Extract(3, 1), &[wide])
        }
        2 => {
            let number = store.bits_to_nat(a);
            let (one, number) = (store.int(rng.range(-9, 9)), store.scale(&3.into(), number));
            let number = store.add(&[one, number]);
            store.bits_of_int(WIDTH, number)
        }
        3 => {
            let condition = store.bits_op(BitsOp::Ule, &[a, b]);
            store.ite(condition, b, a)
        }
        op => store.bits_op(OPS[op - 4], &[a, b]),
    }
}

fn formula(store: &mut TermStore, rng: &mut Rng, pool: &[Term]) -> Term {
    let (a, b) = (vector(store, rng, pool, 2), vector(store, rng, pool, 1));
    let atom = match rng.below(4) {
        0 => store.bits_op(BitsOp::Ule, &[a, b]),
        1 => store.bits_op(BitsOp::Sle, &[a, b]),
        2 => {
            let (a, b) = (store.bits_to_int(a), store.bits_to_nat(b));
            store.lt(a, b)
        }
        _ => store.eq(a, b),
    };
    if rng.chance(40) { store.not(atom) } else { atom }
}

fn variables(store: &mut TermStore) -> Vec<Symbol> {
    let sort = store.bits_sort(WIDTH);
    ["x", "y", "z"].iter().map(|name| store.declare(name, &[], sort)).collect()
}

/// All values of the variables.
fn valuations(symbols: &[Symbol]) -> Vec<Model> {
    let numbers = 0..1i64 << (WIDTH as usize * symbols.len());
    let model = |number: i64| {
        let mut model = Model::new();
        for (at, &symbol) in symbols.iter().enumerate() {
            let part = number >> (WIDTH as usize * at);
            model.set(symbol, Value::bits(Bits::new(WIDTH, &part.into())));
        }
        model
    };
    numbers.map(model).collect()
}

#[test]
fn answers_proofs_and_interpolants() {
    let (mut with_model, mut refuted, mut interpolated) = (0, 0, 0);
    for seed in 0..300 {
        let (mut store, mut rng, budget) = (TermStore::new(), Rng::new(seed), Budget::unlimited());
        let symbols = variables(&mut store);
        let pool: Vec<Term> = symbols.iter().map(|&symbol| store.constant(symbol)).collect();
        // The first two variables are those of one side, the last two those of the other.
        let sides = [&pool[..2], &pool[1..]]
            .map(|own| (0..2).map(|_| formula(&mut store, &mut rng, own)).collect::<Vec<Term>>());
        let all: Vec<Term> = sides.concat();
        let conjunction = store.and(&all);
        let models = valuations(&symbols);
        let truth = |store: &TermStore, formula, model| {
            evaluate(store, formula, model).expect("it has a value") == Value::Bool(true)
        };
        let expected = models.iter().any(|model| truth(&store, conjunction, model));
        let cx = &mut Cx::new(&mut store, &budget);
        let mut solver = Solver::new(Options { evidence: Evidence::Proofs, ..Options::default() });
        let parts: Vec<_> = all.iter().map(|&part| solver.add(cx.store, part)).collect();
        match solver.check(cx).expect("it is decided") {
            Answer::Sat(model) => {
                with_model += 1;
                assert!(expected, "seed {seed} has no model");
                let model = model.assignment(cx.store);
                let holds = evaluate_with_defaults(cx.store, conjunction, &model);
                assert_eq!(holds, Ok(Value::Bool(true)), "seed {seed}: {model:?}");
            }
            Answer::Unsat(proof) => {
                refuted += 1;
                assert!(!expected, "seed {seed} has a model");
                let checked = proof.check_proof(cx).expect("there is no limit");
                assert_eq!(checked, Ok(()), "seed {seed}");
                let interpolant = match proof.interpolant(cx, &parts[..2]) {
                    Ok(interpolant) => interpolant,
                    Err(GaveUp::Unsupported(_) | GaveUp::Incomplete(_)) => continue,
                    Err(why) => panic!("seed {seed}: {why}"),
                };
                interpolated += 1;
                let shared = free_symbols(cx.store, &[interpolant]);
                assert!(shared.iter().all(|symbol| *symbol == symbols[1]), "seed {seed}");
                let (a, b) = (cx.store.and(&sides[0]), cx.store.and(&sides[1]));
                for model in &models {
                    let holds = truth(cx.store, interpolant, model);
                    assert!(holds || !truth(cx.store, a, model), "seed {seed}: A implies it");
                    assert!(!holds || !truth(cx.store, b, model), "seed {seed}: B denies it");
                }
            }
        }
    }
    assert!(with_model > 50 && refuted > 30 && interpolated > 20);
}

/// What a solver does not support it says.
#[test]
fn functions_of_vectors_are_refused() {
    let (mut store, budget) = (TermStore::new(), Budget::unlimited());
    let sort = store.bits_sort(8);
    let f = store.declare("f", &[sort], sort);
    let (x, y) = (store.var("x", sort), store.var("y", sort));
    let (of_x, of_y) = (store.app(f, &[x]), store.app(f, &[y]));
    let (same, equal) = (store.eq(x, y), store.eq(of_x, of_y));
    let differ = store.not(equal);
    let cx = &mut Cx::new(&mut store, &budget);
    let mut solver = Solver::new(Options::default());
    for formula in [same, differ] {
        solver.add(cx.store, formula);
    }
    assert!(!matches!(solver.check(cx), Ok(Answer::Sat(_))));
}
