//! Random assertions mean what their clauses mean.
//!
//! Everything is propositional, so an assertion can be evaluated under each interpretation of its
//! predicates, quantifiers included, by an evaluator that knows nothing of clauses.

use shofar_base::{Map, Rng};
use shofar_chc::read::{HornProblem, read_horn};
use shofar_chc::{Clause, PredAtom};
use shofar_term::eval::{Model, Value, evaluate};
use shofar_term::{Sort, TermStore};

/// A formula; `Flag(k)` is a predicate without arguments, `Unary` has one, `Defined` is the
/// function of the script.
#[derive(Clone, Debug)]
enum Formula {
    Variable(&'static str),
    Flag(usize),
    Unary(Box<Formula>),
    Defined(Box<Formula>),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Same(Box<Formula>, Box<Formula>),
    Ite(Box<Formula>, Box<Formula>, Box<Formula>),
    Quantified(&'static str, &'static str, Box<Formula>),
    /// `let` of the name `l`, which is used twice.
    Twice(Box<Formula>, Box<Formula>),
}

use Formula::*;

impl Formula {
    fn text(&self) -> String {
        let list =
            |parts: &[Formula]| parts.iter().map(Formula::text).collect::<Vec<_>>().join(" ");
        match self {
            Variable(name) => (*name).to_owned(),
            Flag(k) => format!("f{k}"),
            Unary(argument) => format!("(u {})", argument.text()),
            Defined(argument) => format!("(d {})", argument.text()),
            Not(inner) => format!("(not {})", inner.text()),
            And(parts) => format!("(and {})", list(parts)),
            Or(parts) => format!("(or {})", list(parts)),
            Implies(a, b) => format!("(=> {} {})", a.text(), b.text()),
            Same(a, b) => format!("(= {} {})", a.text(), b.text()),
            Ite(c, a, b) => format!("(ite {} {} {})", c.text(), a.text(), b.text()),
            Quantified(word, name, body) => format!("({word} (({name} Bool)) {})", body.text()),
            Twice(bound, body) => {
                format!("(let ((l {})) (or (and l {}) (and l f0)))", bound.text(), body.text())
            }
        }
    }
}

/// A random formula that counts positively or not, over the variables in scope.
fn generate(rng: &mut Rng, depth: usize, positive: bool, scope: &[&'static str]) -> Formula {
    let argument = |rng: &mut Rng| {
        let variable = Variable(if scope.is_empty() { "true" } else { rng.pick::<&str>(scope) });
        if rng.chance(30) { Not(Box::new(variable)) } else { variable }
    };
    if depth == 0 || rng.chance(15) {
        // Positive predicates are rare, so that many formulas are Horn.
        if positive && rng.chance(70) || rng.chance(20) {
            return argument(rng);
        }
        if !positive && rng.chance(30) {
            return Defined(Box::new(argument(rng)));
        }
        return if rng.chance(50) { Flag(rng.below(3)) } else { Unary(Box::new(argument(rng))) };
    }
    let sub = |rng: &mut Rng, positive| Box::new(generate(rng, depth - 1, positive, scope));
    match rng.below(20) {
        0..=2 => Not(sub(rng, !positive)),
        3..=5 => And((0..rng.range(1, 3)).map(|_| *sub(rng, positive)).collect()),
        6..=8 => Or((0..rng.range(1, 3)).map(|_| *sub(rng, positive)).collect()),
        9..=11 => Implies(sub(rng, !positive), sub(rng, positive)),
        12 => Same(sub(rng, positive), sub(rng, positive)),
        13 => Ite(Box::new(argument(rng)), sub(rng, positive), sub(rng, positive)),
        14 => Defined(Box::new(argument(rng))),
        15 => Twice(sub(rng, positive), sub(rng, positive)),
        _ => {
            let natural = if positive { "forall" } else { "exists" };
            let word = if rng.chance(5) { "forall" } else { natural };
            let name = *rng.pick(&["x", "y"]);
            let inner: Vec<&'static str> = scope.iter().copied().chain([name]).collect();
            Quantified(word, name, Box::new(generate(rng, depth - 1, positive, &inner)))
        }
    }
}

/// The truth values of f0, f1, f2, (u false), (u true), as bits.
type Interpretation = usize;

fn holds(
    formula: &Formula,
    defined: &Formula,
    preds: Interpretation,
    scope: &Map<&str, bool>,
) -> bool {
    let value = |inner: &Formula| holds(inner, defined, preds, scope);
    match formula {
        Variable("true") => true,
        Variable(name) => scope[name],
        Flag(k) => preds >> k & 1 == 1,
        Unary(argument) => preds >> (3 + usize::from(value(argument))) & 1 == 1,
        Defined(argument) => {
            let inner: Map<&str, bool> = [("y", value(argument))].into_iter().collect();
            holds(defined, defined, preds, &inner)
        }
        Not(inner) => !value(inner),
        And(parts) => parts.iter().all(value),
        Or(parts) => parts.iter().any(value),
        Implies(a, b) => !value(a) || value(b),
        Same(a, b) => value(a) == value(b),
        Ite(c, a, b) => {
            if value(c) {
                value(a)
            } else {
                value(b)
            }
        }
        Quantified(word, name, body) => {
            let mut under = [false, true].into_iter().map(|choice| {
                let mut inner = scope.clone();
                inner.insert(name, choice);
                holds(body, defined, preds, &inner)
            });
            if *word == "forall" { under.all(|v| v) } else { under.any(|v| v) }
        }
        Twice(bound, body) => value(bound) && (value(body) || value(&Flag(0))),
    }
}

fn atom_holds(
    store: &TermStore,
    problem: &HornProblem,
    atom: &PredAtom,
    preds: Interpretation,
    point: &Model,
) -> bool {
    let name = store.name(problem.system.symbol(atom.pred));
    let bit = match atom.args.first() {
        Some(&argument) => {
            3 + usize::from(evaluate(store, argument, point) == Ok(Value::Bool(true)))
        }
        None => name[1..].parse().expect("flags are numbered"),
    };
    preds >> bit & 1 == 1
}

/// Whether the clause is valid under the interpretation.
fn clause_holds(
    store: &TermStore,
    problem: &HornProblem,
    clause: &Clause,
    preds: Interpretation,
) -> bool {
    let variables = clause.variables(store);
    (0..1usize << variables.len()).all(|choice| {
        let mut point = Model::default();
        for (k, &variable) in variables.iter().enumerate() {
            assert_eq!(store.result(variable), Sort::BOOL);
            point.set(variable, Value::Bool(choice >> k & 1 == 1));
        }
        let body = evaluate(store, clause.constraint, &point) == Ok(Value::Bool(true))
            && clause.body.iter().all(|a| atom_holds(store, problem, a, preds, &point));
        !body || clause.head.as_ref().is_some_and(|a| atom_holds(store, problem, a, preds, &point))
    })
}

/// The body of the definition, which does not call itself; often it has a variable of its own.
fn definition(rng: &mut Rng) -> Formula {
    let scope: &[&'static str] = if rng.chance(70) { &["y", "x"] } else { &["y"] };
    loop {
        let body = generate(rng, 2, false, scope);
        if !body.text().contains("(d ") {
            if scope.len() == 1 {
                return body;
            }
            // That the variable depends on the parameter tells calls apart.
            let same = Same(Box::new(Variable("x")), Box::new(Variable("y")));
            let body = if rng.chance(50) { And(vec![same, body]) } else { body };
            return Quantified("exists", "x", Box::new(body));
        }
    }
}

#[test]
fn clauses_mean_what_the_assertion_means() {
    let mut rng = Rng::new(7);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..20_000 {
        let defined = definition(&mut rng);
        let formula = generate(&mut rng, 4, true, &[]);
        let text = format!(
            "(declare-fun f0 () Bool)(declare-fun f1 () Bool)(declare-fun f2 () Bool)(declare-fun u (Bool) Bool)\
             (define-fun d ((y Bool)) Bool {})\n(assert {})(check-sat)",
            defined.text(),
            formula.text()
        );
        let mut store = TermStore::new();
        let script = match read_horn(text.as_bytes(), &mut store) {
            Ok(script) => script,
            Err(error) => {
                let known = ["this is not Horn", "quantifier alternation", "a quantifier inside"];
                assert!(known.iter().any(|k| error.message.starts_with(k)), "{text}: {error:?}");
                rejected += 1;
                continue;
            }
        };
        accepted += 1;
        let problem = &script.problems[0];
        problem.system.assert_well_formed(&store);
        for preds in 0..32 {
            let wanted = holds(&formula, &defined, preds, &Map::default());
            let mut clauses = problem.system.clauses();
            let found = clauses.all(|(_, clause)| clause_holds(&store, problem, clause, preds));
            assert_eq!(found, wanted, "{text} under {preds:b}");
        }
    }
    assert!(accepted > 5_000 && rejected > 500, "{accepted} accepted, {rejected} rejected");
}
