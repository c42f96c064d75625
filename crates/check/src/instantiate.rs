//! Claims with quantifiers, which definitions of the form `∀k. φ` bring into them.
//!
//! To be shown is that a claim is valid. A quantifier that counts as universal is taken away by a
//! new constant, which stands for any value. One that counts as existential is replaced by some of
//! its instances: what is shown then is more than was claimed, so nothing wrong is ever confirmed,
//! and that it cannot be shown says nothing. The instances are taken at all terms at which the
//! claim reads or writes arrays and at the new constants, twice, because instances read arrays at
//! further terms. Where the claim compares arrays, a new constant stands for an index at which they
//! differ if they do; that is said as a condition of the claim.
//!
//! Source: [BMS06] §4, the instances that decide the array property fragment. DIVERGENCE [BMS06]:
//! no instance is made for a value that is different from all indices, unless there is no index;
//! the definitions that passes make do not need one.

use shofar_base::{GaveUp, Map, Outcome, Set};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::visit::postorder;
use shofar_term::{ArrayKind, Cx, Kind, Quantifier, Sort, Symbol, Term, TermStore, View};

/// A quantifier has no more instances than this.
const MOST_INSTANCES: usize = 1_000;
/// How often instances are made.
const ROUNDS: usize = 2;

/// Whether a quantifier is in `formula`.
pub(crate) fn has_quantifier(store: &TermStore, formula: Term) -> bool {
    postorder(store, &[formula]).iter().any(|&term| store.quantified(term).is_some())
}

/// What is shown in place of a claim with quantifiers.
pub(crate) struct Stronger {
    /// A formula without quantifiers that implies the claim.
    pub(crate) formula: Term,
    /// Whether a quantifier would have had more instances than it may.
    pub(crate) is_capped: bool,
}

/// A formula without quantifiers that implies `claim`.
pub(crate) fn stronger(cx: &mut Cx<'_>, claim: Term) -> Outcome<Stronger> {
    let found = occurrences(cx.store, claim)?;
    let (mut map, mut new) = (Map::default(), Vec::new());
    for &(term, positive) in &found {
        let (quantifier, body, variables) = parts(cx.store, term);
        if (quantifier == Quantifier::Forall) == positive {
            let constants = constants(cx.store, &variables);
            map.insert(term, instance(cx.store, body, &variables, &constants));
            new.extend(constants);
        }
    }
    let claim = substitute(cx.store, &map, &[claim])[0];
    let differences = differences(cx.store, claim, &mut new);
    let weak: Vec<Term> =
        found.iter().map(|&(term, _)| term).filter(|term| !map.contains_key(term)).collect();
    // Without instances, `∀` says nothing where it counts negatively, and `∃` nothing where it
    // counts positively.
    let mut instances: Map<Term, Term> = Map::default();
    for &term in &weak {
        let (quantifier, ..) = parts(cx.store, term);
        instances.insert(term, cx.store.bool(quantifier == Quantifier::Forall));
    }
    let mut result = substitute(cx.store, &instances, &[claim])[0];
    // What is simplified away at one time may be needed at the next, so indices are kept.
    let mut at = Indices::default();
    at.add(cx.store, &new);
    let mut is_capped = false;
    for _ in 0..ROUNDS {
        at.add(cx.store, &array_indices(cx.store, result));
        for &term in &weak {
            cx.budget.check()?;
            at.complete(cx.store, term);
            let (made, count) = instantiated(cx.store, term, &at.by_sort);
            is_capped |= count > MOST_INSTANCES;
            instances.insert(term, made);
        }
        result = substitute(cx.store, &instances, &[claim])[0];
    }
    Ok(Stronger { formula: cx.store.implies(differences, result), is_capped })
}

/// Says of all arrays that `claim` compares that they are equal or differ at a new constant.
fn differences(store: &mut TermStore, claim: Term, new: &mut Vec<Term>) -> Term {
    let mut facts = Vec::new();
    for term in postorder(store, &[claim]) {
        let Kind::Same(mut a, mut b) = store.kind(term) else { continue };
        let mut at = Vec::new();
        while let Some((index, _)) = store.array_parts(store.sort(a)) {
            let symbol = store.fresh("differs", index);
            at.push(store.constant(symbol));
            let last = at[at.len() - 1];
            (a, b) = (store.select(a, last), store.select(b, last));
        }
        if !at.is_empty() {
            let same = store.eq(a, b);
            let differ = store.not(same);
            facts.push(store.or(&[term, differ]));
            new.extend(at);
        }
    }
    store.and(&facts)
}

/// Quantified formulas, each with whether it counts positively.
fn occurrences(store: &TermStore, claim: Term) -> Outcome<Vec<(Term, bool)>> {
    let mut signs: Map<Term, bool> = Map::default();
    let (mut found, mut seen) = (Vec::new(), Set::default());
    let mut stack = vec![(claim, true)];
    while let Some((term, positive)) = stack.pop() {
        if !seen.insert((term, positive)) {
            continue;
        }
        match store.view(term) {
            View::Not(inner) => stack.push((inner, !positive)),
            View::And(inner) | View::Or(inner) => {
                stack.extend(inner.iter().map(|&part| (part, positive)));
            }
            View::Iff(a, b) => {
                stack.extend([a, b].into_iter().flat_map(|part| [(part, true), (part, false)]));
            }
            View::Ite(condition, a, b) => {
                stack.extend([(condition, true), (condition, false), (a, positive), (b, positive)]);
            }
            View::Quantified(_, body, _) => {
                if has_quantifier(store, body) || signs.get(&term) == Some(&!positive) {
                    return Err(GaveUp::incomplete("the quantifiers of a model are too entangled"));
                }
                signs.insert(term, positive);
                found.push((term, positive));
            }
            View::Constant(_) | View::Predicate(..) | View::Atom | View::Term => {}
        }
    }
    Ok(found)
}

fn parts(store: &TermStore, term: Term) -> (Quantifier, Term, Vec<Term>) {
    let (quantifier, body, variables) = store.quantified(term).expect("it is quantified");
    (quantifier, body, variables.to_vec())
}

fn constants(store: &mut TermStore, variables: &[Term]) -> Vec<Term> {
    let constant = |&variable: &Term| {
        let symbol = store.fresh("any", store.sort(variable));
        store.constant(symbol)
    };
    variables.iter().map(constant).collect()
}

fn instance(store: &mut TermStore, body: Term, variables: &[Term], terms: &[Term]) -> Term {
    let map: Map<Term, Term> = variables.iter().copied().zip(terms.iter().copied()).collect();
    substitute(store, &map, &[body])[0]
}

/// Terms at which instances are made.
#[derive(Default)]
struct Indices {
    by_sort: Map<Sort, Vec<Term>>,
    seen: Set<Term>,
}

impl Indices {
    fn add(&mut self, store: &TermStore, terms: &[Term]) {
        for &term in terms {
            if self.seen.insert(term) {
                self.by_sort.entry(store.sort(term)).or_default().push(term);
            }
        }
    }
    /// Adds a value for each variable of a quantifier of whose sort there is no index, so that it
    /// has an instance at all: it may say something that does not depend on the variable.
    fn complete(&mut self, store: &mut TermStore, term: Term) {
        let (_, _, variables) = parts(store, term);
        for variable in variables {
            let sort = store.sort(variable);
            if !self.by_sort.contains_key(&sort) {
                let value = store.default_term(sort);
                self.add(store, &[value]);
            }
        }
    }
}

/// Where `formula` reads and writes arrays.
fn array_indices(store: &TermStore, formula: Term) -> Vec<Term> {
    let index = |term: Term| match store.array_kind(term)? {
        ArrayKind::Select(_, index) | ArrayKind::Store(_, index, _) => Some(index),
        ArrayKind::Const(_) => None,
    };
    postorder(store, &[formula]).into_iter().filter_map(index).collect()
}

/// Instances of a quantified formula at these terms, and how many there are, of which no more than
/// [`MOST_INSTANCES`] are made.
fn instantiated(store: &mut TermStore, term: Term, at: &Map<Sort, Vec<Term>>) -> (Term, usize) {
    let (quantifier, body, variables) = parts(store, term);
    let choices: Vec<&[Term]> = variables
        .iter()
        .map(|&variable| at.get(&store.sort(variable)).map_or(&[][..], Vec::as_slice))
        .collect();
    let count = choices.iter().fold(1usize, |product, c| product.saturating_mul(c.len()));
    let mut result = Vec::new();
    for number in 0..count.min(MOST_INSTANCES) {
        let mut rest = number;
        let digit = |terms: &&[Term]| {
            let chosen = terms[rest % terms.len()];
            rest /= terms.len();
            chosen
        };
        let chosen: Vec<Term> = choices.iter().map(digit).collect();
        result.push(instance(store, body, &variables, &chosen));
    }
    let all = match quantifier {
        Quantifier::Forall => store.and(&result),
        Quantifier::Exists => store.or(&result),
    };
    (all, count)
}

/// `formula` with new constants for the variables that its quantifiers bind, so that no argument
/// can be mistaken for one.
pub(crate) fn apart(store: &mut TermStore, formula: Term) -> Term {
    let order = postorder(store, &[formula]);
    let bound: Vec<Term> = order
        .iter()
        .filter_map(|&term| store.quantified(term))
        .flat_map(|(_, _, variables)| variables.to_vec())
        .collect();
    let new = constants(store, &bound);
    let map: Map<Term, Term> = bound.into_iter().zip(new).collect();
    substitute(store, &map, &[formula])[0]
}

/// The symbols of `formula` that no quantifier binds where they are bound anywhere.
pub(crate) fn unbound(store: &TermStore, formula: Term) -> Vec<Symbol> {
    let mut symbols = free_symbols(store, &[formula]);
    let bound: Set<Symbol> = postorder(store, &[formula])
        .into_iter()
        .filter_map(|term| store.quantified(term))
        .flat_map(|(_, _, variables)| variables.iter().filter_map(|&v| store.symbol(v)))
        .collect();
    symbols.retain(|symbol| !bound.contains(symbol));
    symbols
}

#[cfg(test)]
mod tests {
    use shofar_base::Budget;
    use shofar_term::eval::{Model, Value, evaluate_with_defaults};
    use shofar_term::value::ArrayValue;

    use super::*;

    fn shown(store: &mut TermStore, claim: Term) -> Term {
        let budget = Budget::unlimited();
        let found = stronger(&mut Cx::new(store, &budget), claim).expect("there is no limit");
        assert!(!found.is_capped);
        found.formula
    }

    /// `∀k. a[k] ≥ 0` implies that of `store(a, i, 1)`, and not that of `store(a, i, -1)`.
    #[test]
    fn a_write_keeps_what_holds_everywhere() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let (a, i, k) = (s.var("a", sort), s.var("i", Sort::INT), s.var("k", Sort::INT));
        let everywhere = |s: &mut TermStore, array: Term| {
            let (read, zero) = (s.select(array, k), s.int(0));
            let body = s.ge(read, zero);
            s.quantify(Quantifier::Forall, body, &[k])
        };
        let before = everywhere(&mut s, a);
        for (written, ends) in [(1, true), (-1, false)] {
            let written = s.int(written);
            let array = s.store(a, i, written);
            let after = everywhere(&mut s, array);
            let claim = s.implies(before, after);
            let claim = shown(&mut s, claim);
            assert!(!has_quantifier(&s, claim));
            assert_eq!(holds_for_small_values(&s, claim), ends);
        }
    }

    /// What holds everywhere holds where it is read, although the instance makes the claim trivial.
    #[test]
    fn a_trivial_claim_stays_trivial() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let (a, i, k) = (s.var("a", sort), s.var("i", Sort::INT), s.var("k", Sort::INT));
        let (everywhere, here, zero) = (s.select(a, k), s.select(a, i), s.int(0));
        let (everywhere, here) = (s.ge(everywhere, zero), s.ge(here, zero));
        let everywhere = s.quantify(Quantifier::Forall, everywhere, &[k]);
        let claim = s.implies(everywhere, here);
        let claim = shown(&mut s, claim);
        assert_eq!(claim, s.top());
    }

    /// `∀k. x ≥ 0 ∧ a[k] ≥ x` says something of `x` to who reads no array.
    #[test]
    fn a_quantifier_has_an_instance_although_nothing_is_read() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let (a, k, x) = (s.var("a", sort), s.var("k", Sort::INT), s.var("x", Sort::INT));
        let (read, zero) = (s.select(a, k), s.int(0));
        let (natural, above) = (s.ge(x, zero), s.ge(read, x));
        let both = s.and(&[natural, above]);
        let everywhere = s.quantify(Quantifier::Forall, both, &[k]);
        let claim = s.implies(everywhere, natural);
        let claim = shown(&mut s, claim);
        assert!(!has_quantifier(&s, claim));
        assert!(holds_for_small_values(&s, claim));
    }

    /// If `a[k] = b[k]` for all `k`, then `a = b`: the index at which they would differ is needed.
    #[test]
    fn arrays_that_agree_everywhere_are_equal() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let (a, b, k) = (s.var("a", sort), s.var("b", sort), s.var("k", Sort::INT));
        let (left, right) = (s.select(a, k), s.select(b, k));
        let agree = s.eq(left, right);
        let agree = s.quantify(Quantifier::Forall, agree, &[k]);
        let same = s.eq(a, b);
        let claim = s.implies(agree, same);
        let claim = shown(&mut s, claim);
        assert_eq!(claim, s.top(), "the instance and the difference contradict each other");
    }

    /// `∀ijkl. a[i] + a[j] ≥ a[k] + a[l]` at six indices has 1,296 instances.
    #[test]
    fn too_many_instances_are_told() {
        let mut s = TermStore::new();
        let sort = s.array_sort(Sort::INT, Sort::INT);
        let a = s.var("a", sort);
        let bound = ["i", "j", "k", "l"].map(|name| s.var(name, Sort::INT));
        let [i, j, k, l] = bound.map(|at| s.select(a, at));
        let (left, right) = (s.add(&[i, j]), s.add(&[k, l]));
        let body = s.ge(left, right);
        let all = s.quantify(Quantifier::Forall, body, &bound);
        let reads: Vec<Term> = (0..6)
            .map(|n| {
                let at = s.int(n);
                s.select(a, at)
            })
            .collect();
        let (sum, zero) = (s.add(&reads), s.int(0));
        let goal = s.ge(sum, zero);
        let claim = s.implies(all, goal);
        let budget = Budget::unlimited();
        let found = stronger(&mut Cx::new(&mut s, &budget), claim).expect("there is no limit");
        assert!(found.is_capped);
    }

    /// Whether `claim` holds for constant arrays and numbers from -1 to 1.
    fn holds_for_small_values(s: &TermStore, claim: Term) -> bool {
        let symbols = free_symbols(s, &[claim]);
        let count = u32::try_from(symbols.len()).expect("there are few");
        (0..3usize.pow(count)).all(|code| {
            let (mut model, mut rest) = (Model::new(), code);
            for &symbol in &symbols {
                let digit = i64::try_from(rest % 3).expect("it is small") - 1;
                rest /= 3;
                let (number, sort) = (Value::Number(digit.into()), s.result(symbol));
                let value = if sort.is_int() {
                    number
                } else {
                    Value::Array(ArrayValue::constant(sort, number))
                };
                model.set(symbol, value);
            }
            evaluate_with_defaults(s, claim, &model) == Ok(Value::Bool(true))
        })
    }
}
