//! Quantified Boolean formulas as clauses.
//!
//! The variables are integers that are 0 or 1. A symbol `C_j_i` holds of the values that satisfy
//! the `i`-th literal of clause `j`, `C_j` of those that satisfy the clause, and `F_k` of the
//! values of the first variables with which the rest of the formula is true. The formula is true
//! exactly if `F_0()` can be derived, that is, if the clauses are not solvable.
//!
//! Source: [RHK13b] (the lower bound for Booleans). Variables are counted from 0 here, so that
//! `F_{i+1}` there is `F_i`.

use shofar_chc::{ChcSystem, Clause, PredAtom, PredId};
use shofar_term::{Quantifier, Sort, Term, TermStore};

/// A closed formula in prenex form: quantifiers of variables 1 to n, and clauses of literals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Qbf {
    /// The quantifier and the number of each variable, outermost first.
    pub prefix: Vec<(Quantifier, usize)>,
    /// Literals as in DIMACS: the number of a variable, negative if it is negated.
    pub clauses: Vec<Vec<i64>>,
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QbfError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for QbfError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl Qbf {
    /// Reads QDIMACS: lines `a 1 2 0` and `e 3 0`, then clauses `1 -3 0`; variables without a
    /// quantifier are existential and outermost.
    pub fn parse(text: &str) -> Result<Self, QbfError> {
        let mut this = Self::default();
        for (at, line) in text.lines().enumerate() {
            let wrong = |message: String| QbfError { line: at + 1, message };
            let words: Vec<&str> = line.split_whitespace().collect();
            let (quantifier, numbers) = match words.as_slice() {
                [] | ["c" | "p", ..] => continue,
                ["a", rest @ ..] => (Some(Quantifier::Forall), rest),
                ["e", rest @ ..] => (Some(Quantifier::Exists), rest),
                all => (None, all),
            };
            let [numbers @ .., "0"] = numbers else {
                return Err(wrong("the line does not end with 0".to_owned()));
            };
            let mut literals = Vec::new();
            for word in numbers {
                let literal = word.parse::<i32>().ok().filter(|&number| number != 0);
                literals
                    .push(literal.ok_or_else(|| wrong(format!("`{word}` is no literal")))?.into());
            }
            let Some(quantifier) = quantifier else {
                this.clauses.push(literals);
                continue;
            };
            for literal in literals {
                let variable = usize::try_from(literal)
                    .ok()
                    .filter(|variable| this.position(*variable).is_none());
                let variable = variable.ok_or_else(|| wrong("not a new variable".to_owned()))?;
                this.prefix.push((quantifier, variable));
            }
        }
        this.bind_free();
        Ok(this)
    }
    /// The place of a variable in the prefix.
    fn position(&self, variable: usize) -> Option<usize> {
        self.prefix.iter().position(|&(_, other)| other == variable)
    }
    fn bind_free(&mut self) {
        let mut free: Vec<usize> = self.clauses.iter().flatten().map(|&l| number(l)).collect();
        free.sort_unstable();
        free.dedup();
        free.retain(|&variable| self.position(variable).is_none());
        let free = free.into_iter().map(|variable| (Quantifier::Exists, variable));
        self.prefix.splice(0..0, free);
    }
}

fn number(literal: i64) -> usize {
    usize::try_from(literal.unsigned_abs()).unwrap_or(usize::MAX)
}

/// Clauses that are solvable exactly if the formula is false.
pub fn qbf(store: &mut TermStore, formula: &Qbf) -> ChcSystem {
    let mut system = ChcSystem::new();
    let count = formula.prefix.len();
    let variables: Vec<Term> =
        (1..=count).map(|i| store.var(&format!("x{i}"), Sort::INT)).collect();
    let values = [store.int(0), store.int(1)];
    let mut matrix = Vec::new();
    for (j, literals) in formula.clauses.iter().enumerate() {
        let clause = declare(store, &mut system, &format!("C_{j}"), count);
        for (i, &literal) in literals.iter().enumerate() {
            let own = declare(store, &mut system, &format!("C_{j}_{i}"), count);
            let place = formula.position(number(literal)).expect("every variable is bound");
            let is_so = store.eq(variables[place], values[usize::from(literal > 0)]);
            add(&mut system, Some((own, &variables)), &[], is_so);
            let top = store.top();
            add(&mut system, Some((clause, &variables)), &[(own, &variables)], top);
        }
        matrix.push(clause);
    }
    let holds: Vec<PredId> =
        (0..=count).map(|k| declare(store, &mut system, &format!("F_{k}"), k)).collect();
    let top = store.top();
    let body: Vec<(PredId, &[Term])> = matrix.iter().map(|&c| (c, &variables[..])).collect();
    add(&mut system, Some((holds[count], &variables)), &body, top);
    for (k, &(quantifier, _)) in formula.prefix.iter().enumerate() {
        let before = &variables[..k];
        let both = values.map(|value| [before, &[value]].concat());
        let [low, high] = [&both[0], &both[1]].map(|args| (holds[k + 1], args.as_slice()));
        match quantifier {
            Quantifier::Forall => add(&mut system, Some((holds[k], before)), &[low, high], top),
            Quantifier::Exists => {
                add(&mut system, Some((holds[k], before)), &[low], top);
                add(&mut system, Some((holds[k], before)), &[high], top);
            }
        }
    }
    add(&mut system, None, &[(holds[0], &[])], top);
    system
}

fn declare(store: &mut TermStore, system: &mut ChcSystem, name: &str, arity: usize) -> PredId {
    system.add_pred(store.declare(name, &vec![Sort::INT; arity], Sort::BOOL))
}

fn add(
    system: &mut ChcSystem,
    head: Option<(PredId, &[Term])>,
    body: &[(PredId, &[Term])],
    constraint: Term,
) {
    let atom = |(pred, args): (PredId, &[Term])| PredAtom { pred, args: args.to_vec() };
    let (head, body) = (head.map(atom), body.iter().map(|&pair| atom(pair)).collect());
    system.add_clause(Clause { head, body, constraint, span: None });
}
