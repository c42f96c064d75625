//! Integer arguments with few values as truth values.
//!
//! If every derivable `p(x̄)` has `l ≤ xᵢ < l + 2ⁿ` for a small `n`, then `n` truth values say what the argument is: the digits of
//! `xᵢ - l`. Program counters, flags and states of protocols are such arguments, and predicates about them need no numbers. In a constraint, a
//! literal about encoded variables only becomes a formula over their digits; where a variable is left, an equation says what it is.
//!
//! A derivable fact is within the bounds, so derivations stay what they are. A model `M` of the new clauses becomes `A_p ∧ M_p`, said of the
//! digits of the arguments, where `A` is all that abstract interpretation found: the clauses preserve `A` by themselves.
//!
//! Source: [HR18], as the representation of arguments with finite domains by Boolean ones.

use shofar_base::{GaveUp, Idx, IndexVec, Map, Outcome};
use shofar_chc::{
    BackTranslation, ChcSystem, Clause, ClauseId, Definition, Derivation, Hint, Interpretation,
    NormalSystem, PredAtom, PredId, Translated, formal_params,
};
use shofar_domain::{Constraint, Relation};
use shofar_num::Rational;
use shofar_term::eval::Value;
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use super::analysis::{Known, Lens, on_analysed};
use super::{Back, Direction, LARGE};
use crate::Pass;
use crate::reshape::redeclared;

/// Arguments with more digits stay numbers.
const MOST_DIGITS: usize = 2;
/// Literals about more encoded variables keep these as numbers.
const MOST_VARIABLES: usize = 2;

/// Makes truth values of arguments with few values; see the module documentation.
#[derive(Clone, Copy, Debug, Default)]
pub struct FiniteArguments;

impl Pass for FiniteArguments {
    fn name(&self) -> &'static str {
        "finite"
    }
    fn apply(
        &self,
        cx: &mut Cx<'_>,
        source: ChcSystem,
    ) -> Outcome<Translated<ChcSystem, ChcSystem>> {
        on_analysed(cx, source, &[Lens::Intervals], LARGE, |cx, source, found| {
            let codes: Codes =
                source.preds().map(|pred| codes(cx.store, source, &found.known, pred)).collect();
            if codes.iter().flatten().all(Option::is_none) {
                return Ok(None);
            }
            encoded(cx, source, &found.known, codes).map(Some)
        })
    }
}

/// How the arguments of each predicate are encoded, if they are.
type Codes = IndexVec<PredId, Vec<Option<Code>>>;

/// The numbers from `lower` on that so many digits can say.
#[derive(Clone, Debug)]
struct Code {
    lower: Rational,
    digits: usize,
}

fn codes(store: &TermStore, source: &ChcSystem, known: &Known, pred: PredId) -> Vec<Option<Code>> {
    let sorts = source.sorts(store, pred);
    let facts = known[pred].as_deref().unwrap_or_default();
    let code = |(at, sort): (usize, &Sort)| if sort.is_int() { Code::of(facts, at) } else { None };
    sorts.iter().enumerate().map(code).collect()
}

impl Code {
    /// The code of an argument of which this is known, if it has few values, but more than one.
    fn of(facts: &[Constraint], at: usize) -> Option<Self> {
        let (mut lower, mut upper) = (None, None);
        for Constraint { form, relation, bound } in facts {
            if let ([(dim, c)], Relation::AtMost) = (form.monomials(), relation)
                && dim.index() == at
            {
                let limit = bound / c;
                if c.is_negative() {
                    lower = Some(limit.ceil());
                } else {
                    upper = Some(limit.floor());
                }
            }
        }
        let lower = lower?;
        let last = (upper? - &lower).to_i64().and_then(|last| usize::try_from(last).ok())?;
        let digits = (1..=MOST_DIGITS).find(|&digits| last < 1 << digits)?;
        (last > 0).then_some(Self { lower, digits })
    }
    /// The number that is encoded by `index`.
    fn value(&self, index: usize) -> Rational {
        &self.lower + Rational::from(i64::try_from(index).unwrap_or(i64::MAX))
    }
    /// The number with these digits.
    fn decoded(&self, store: &mut TermStore, digits: &[Term]) -> Term {
        let number = |index| store.number(self.value(index), Sort::INT);
        let leaves: Vec<Term> = (0..1 << self.digits).map(number).collect();
        table(store, digits, leaves)
    }
    /// The digits of an argument.
    fn digits_of(&self, store: &mut TermStore, arg: Term) -> Vec<Term> {
        let mut digits = Vec::new();
        for digit in 0..self.digits {
            let mut cases = Vec::new();
            for index in (0..1 << self.digits).filter(|index| index >> digit & 1 == 1) {
                let number = store.number(self.value(index), Sort::INT);
                cases.push(store.eq(arg, number));
            }
            digits.push(store.or(&cases));
        }
        digits
    }
}

/// The leaf whose index has these digits, the lowest one first.
fn table(store: &mut TermStore, digits: &[Term], mut leaves: Vec<Term>) -> Term {
    debug_assert_eq!(leaves.len(), 1 << digits.len(), "there is a leaf for each index");
    for &digit in digits {
        let pairs = leaves.chunks(2);
        leaves = pairs.map(|pair| store.ite(digit, pair[1], pair[0])).collect();
    }
    leaves[0]
}

/// A variable of a clause, and what stands for it.
struct Variable {
    symbol: Symbol,
    code: Code,
    digits: Vec<Symbol>,
}

impl Variable {
    fn new(store: &mut TermStore, symbol: Symbol, code: &Code) -> Self {
        let fresh = |_| store.fresh("digit", Sort::BOOL);
        Self { symbol, code: code.clone(), digits: (0..code.digits).map(fresh).collect() }
    }
    fn digits(&self, store: &mut TermStore) -> Vec<Term> {
        self.digits.iter().map(|&digit| store.constant(digit)).collect()
    }
    fn decoded(&self, store: &mut TermStore) -> Term {
        let digits = self.digits(store);
        self.code.decoded(store, &digits)
    }
}

/// The clauses with digits.
fn encoded(
    cx: &mut Cx<'_>,
    source: &NormalSystem,
    known: &Known,
    codes: Codes,
) -> Outcome<Translated<ChcSystem, ChcSystem>> {
    let mut target = redeclared(cx.store, source, |pred, sorts| sorts_of(&codes[pred], sorts));
    let mut variables = IndexVec::new();
    for (_, clause) in source.clauses() {
        cx.budget.check()?;
        let mut own = Vec::new();
        let mut atoms: Vec<PredAtom> = Vec::new();
        for atom in clause.body.iter().chain(&clause.head) {
            atoms.push(atom_with_digits(cx.store, atom, &codes[atom.pred], &mut own));
        }
        let head = clause.head.is_some().then(|| atoms.pop()).flatten();
        let constraint = with_digits(cx.store, clause.constraint, &own);
        target.add_clause(Clause { head, body: atoms, constraint, span: clause.span });
        let _: ClauseId = variables.push(own);
    }
    let origins = source.clauses().map(|(id, _)| id).collect();
    let back = Back::new(cx.store, (**source).clone(), origins, known, Direction::Forward);
    Ok((target, Box::new(WithNumbers { back, codes, variables })))
}

fn sorts_of(codes: &[Option<Code>], sorts: &[Sort]) -> Vec<Sort> {
    let mut result = Vec::new();
    for (code, &sort) in codes.iter().zip(sorts) {
        match code {
            None => result.push(sort),
            Some(code) => result.extend(std::iter::repeat_n(Sort::BOOL, code.digits)),
        }
    }
    result
}

/// `atom` with digits, which become those of its variables.
fn atom_with_digits(
    store: &mut TermStore,
    atom: &PredAtom,
    codes: &[Option<Code>],
    variables: &mut Vec<Variable>,
) -> PredAtom {
    let mut args = Vec::new();
    for (&arg, code) in atom.args.iter().zip(codes) {
        match (code, store.symbol(arg)) {
            (Some(code), Some(symbol)) => {
                let variable = Variable::new(store, symbol, code);
                args.extend(variable.digits(store));
                variables.push(variable);
            }
            (Some(_) | None, Some(_) | None) => args.push(arg),
        }
    }
    PredAtom { pred: atom.pred, args }
}

/// `constraint` with digits where it is about encoded variables only, and what the others are.
fn with_digits(store: &mut TermStore, constraint: Term, variables: &[Variable]) -> Term {
    let mut parts = vec![literals_with_digits(store, constraint, variables)];
    let left = free_symbols(store, &parts);
    for variable in variables.iter().filter(|v| left.binary_search(&v.symbol).is_ok()) {
        let number = variable.decoded(store);
        let arg = store.constant(variable.symbol);
        parts.push(store.eq(arg, number));
    }
    store.and(&parts)
}

/// `formula` with digits in the literals that are about encoded variables only.
fn literals_with_digits(store: &mut TermStore, formula: Term, variables: &[Variable]) -> Term {
    let mut map = Map::default();
    for term in postorder(store, &[formula]) {
        let is_number = |&child: &Term| !store.sort(child).is_bool();
        let children = store.children(term);
        if store.sort(term).is_bool() && !children.is_empty() && children.iter().all(is_number) {
            let mentioned = free_symbols(store, &[term]);
            let known = variables.iter().filter(|v| mentioned.binary_search(&v.symbol).is_ok());
            let known: Vec<&Variable> = known.collect();
            if known.len() == mentioned.len() && known.len() <= MOST_VARIABLES {
                map.insert(term, literal_with_digits(store, term, &known));
            }
        }
    }
    substitute(store, &map, &[formula])[0]
}

/// A literal that is about these variables only.
fn literal_with_digits(store: &mut TermStore, literal: Term, variables: &[&Variable]) -> Term {
    if let [one, other] = variables {
        let args = [one, other].map(|variable| store.constant(variable.symbol));
        let is_equation = store.eq(args[0], args[1]) == literal;
        if is_equation
            && one.code.lower == other.code.lower
            && one.digits.len() == other.digits.len()
        {
            let pairs = one.digits(store).into_iter().zip(other.digits(store));
            let equal: Vec<Term> = pairs.map(|(a, b)| store.iff(a, b)).collect();
            return store.and(&equal);
        }
    }
    let digits: Vec<Term> = variables.iter().flat_map(|v| v.digits(store)).collect();
    let mut leaves = Vec::new();
    for index in 0..1usize << digits.len() {
        let mut rest = index;
        let mut map = Map::default();
        for variable in variables {
            let own = rest & ((1 << variable.code.digits) - 1);
            rest >>= variable.code.digits;
            let number = store.number(variable.code.value(own), Sort::INT);
            map.insert(store.constant(variable.symbol), number);
        }
        leaves.push(substitute(store, &map, &[literal])[0]);
    }
    table(store, &digits, leaves)
}

/// The way back.
struct WithNumbers {
    /// For models over numbers.
    back: Back,
    codes: Codes,
    variables: IndexVec<ClauseId, Vec<Variable>>,
}

impl BackTranslation<ChcSystem, ChcSystem> for WithNumbers {
    fn hints(&self, store: &mut TermStore, hints: Vec<Hint>) -> Vec<Hint> {
        let mut result = Vec::new();
        for hint in hints {
            let (mut params, mut variables) = (Vec::new(), Vec::new());
            for (&param, code) in hint.params.iter().zip(&self.codes[hint.pred]) {
                match code {
                    None => params.push(param),
                    Some(code) => {
                        let variable = Variable::new(store, param, code);
                        params.extend(&variable.digits);
                        variables.push(variable);
                    }
                }
            }
            let term = literals_with_digits(store, hint.term, &variables);
            let number = |v: &Variable| (store.constant(v.symbol), v.decoded(store));
            let left: Map<Term, Term> = variables.iter().map(number).collect();
            let term = substitute(store, &left, &[term])[0];
            result.push(Hint { params, term, ..hint });
        }
        result
    }
    fn model(&self, cx: &mut Cx<'_>, model: Interpretation) -> Outcome<Interpretation> {
        let mut numbers = Interpretation::new();
        for pred in self.back.source.preds() {
            let found = model.get(pred).ok_or(GaveUp::wrong("the model lacks a predicate"))?;
            let params = formal_params(cx.store, &self.back.source, pred);
            let mut args = Vec::new();
            for (&param, code) in params.iter().zip(&self.codes[pred]) {
                let arg = cx.store.constant(param);
                match code {
                    None => args.push(arg),
                    Some(code) => args.extend(code.digits_of(cx.store, arg)),
                }
            }
            let body = found.apply(cx.store, &args);
            numbers.define(pred, Definition { params, body });
        }
        self.back.model(cx, numbers)
    }
    fn refutation(&self, cx: &mut Cx<'_>, mut refutation: Derivation) -> Outcome<Derivation> {
        for step in &mut refutation.steps {
            for variable in &self.variables[step.clause] {
                let is_set =
                    |&digit: &Symbol| step.assignment.get(digit) == Some(&Value::Bool(true));
                let digit = |(at, digit): (usize, &Symbol)| usize::from(is_set(digit)) << at;
                let index: usize = variable.digits.iter().enumerate().map(digit).sum();
                step.assignment.set(variable.symbol, Value::Number(variable.code.value(index)));
            }
        }
        self.back.refutation(cx, refutation)
    }
}
