//! Counterexamples with loops, refined at once for any number of repetitions.
//!
//! A counterexample is a path from a fact to a query. Its repetitions are folded into a [scheme](super::scheme), and every loop is
//! replaced by a step that does it any number of times: a *meta-trace*, which is recursion-free again. If it has no model,
//! what [`NormalForm::solve`] finds before a loop, `I`, becomes an *inductive* formula `J = I ∨ ∃n. I ∘ Lⁿ`, unless what it finds behind the
//! loop is inductive already; with `J` among the predicates no trace of the scheme is left. Symbols within a cycle get the
//! interpolants of the cycle between `J` and `J`. If the meta-trace has a model, its path is executed step by step, and what
//! that derives refutes the clauses.
//!
//! Closures are exact if each loop has one cycle of a known class. Otherwise they over-approximate all cycles of a loop (by the octagonal hull);
//! if that is not enough, an under-approximation takes the cycles one after another in the order of the path.
//!
//! Of a clause with several premises the path takes the one with the largest derivation. What the others derive is what their
//! nodes say; so nothing that comes through such clauses is refuted here.
//!
//! Invariants: `J` includes `I` and is checked to be inductive; a derivation is returned only if every step of it was evaluated.
//!
//! Source: [HIKKR12] §4 and §5. Symbols: `L_i↻` → [`Cycle`], `I_i'`, `I_i''` → `before`, `behind`.
//! DIVERGENCE [HIKKR12] §4: a scheme always begins with a fact, so that what is feasible needs no second check of a composition.

use shofar_accelerate::{Exact, Over, Relation, exact, over};
use shofar_base::{GaveUp, IndexVec, Outcome};
use shofar_chc::{Derivation, PredId};
use shofar_mbp::eliminate;
use shofar_rf::{NormalForm, Solved};
use shofar_smt::{Interpolation, Options, implies};
use shofar_term::compact::compact;
use shofar_term::size::dag_size;
use shofar_term::substitute::rename;
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Sort, Symbol, Term, TermStore};

use super::execute::execute;
use super::predicates::Predicates;
use super::refine::said_of;
use super::scheme::{Item, Path, Step, is_bounded};
use super::statistics::Statistics;
use super::tree::Tree;
use crate::rule::Rule;

/// Closures with larger formulas are not used.
const LARGEST: usize = 800;
/// So often the elimination of a count may look at its budget.
const ALLOWANCE: u32 = 20_000;

/// What a scheme is good for.
pub(super) enum Folded {
    /// One of its traces derives `false`.
    Counterexample(Derivation),
    /// Predicates that exclude its traces.
    Excluded(Vec<(PredId, Term)>),
}

/// A cycle with its closures, over constants before and after.
struct Cycle {
    /// Its steps in the path.
    steps: Vec<usize>,
    pre: Vec<Symbol>,
    post: Vec<Symbol>,
    relation: Relation,
    exact: Option<Exact>,
}

/// How loops are replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Exact,
    Over,
    Under,
}

/// A loop of a meta-trace.
struct Accelerated {
    /// The numbers of the symbols before and behind it.
    before: usize,
    /// `∃n ≥ 1. Lⁿ` over the constants of those symbols and a count.
    formula: Term,
    count: Symbol,
    cycles: Vec<usize>,
}

/// A trace in which loops are single steps.
pub(super) struct MetaTrace {
    /// For each symbol, what it is a copy of and its arguments.
    pub(super) symbols: Vec<(PredId, Vec<Symbol>)>,
    /// What leads to each symbol, and at last to `false`.
    pub(super) moves: Vec<Move>,
    loops: Vec<Accelerated>,
}

/// What leads from one symbol of a meta-trace to the next.
pub(super) struct Move {
    pub(super) formula: Term,
    pub(super) by: By,
}

/// The clauses of a move.
pub(super) enum By {
    /// One clause, with what stands for its locals.
    Clause(Step, Vec<Term>),
    /// A cycle, as often as the count says; not at all if it is 0.
    Cycle(Vec<Step>, Symbol),
}

/// Refines counterexamples by acceleration.
pub(super) struct Accelerator<'r> {
    pub(super) rules: &'r [Rule],
    pub(super) predicates: &'r Predicates,
    pub(super) interpolation: &'r Interpolation,
    pub(super) seed: u64,
    pub(super) delay: usize,
}

impl Accelerator<'_> {
    /// Finds out about the scheme of the path of `tree`; nothing if it has no loops, or none that can be accelerated.
    pub(super) fn refine(
        &self,
        cx: &mut Cx<'_>,
        stats: &mut Statistics,
        tree: &Tree,
    ) -> Outcome<Option<Folded>> {
        let Some((path, sides)) = spine(tree, self.rules) else { return Ok(None) };
        let scheme = path.fold(self.delay);
        if scheme.iter().all(|item| matches!(item, Item::Step(_))) {
            return Ok(None);
        }
        let mut trace = Trace { accelerator: self, tree, path, sides, cycles: Vec::new() };
        let Some(places) = trace.close_cycles(cx, &scheme)? else { return Ok(None) };
        let is_exact = trace.cycles.iter().all(|cycle| cycle.exact.is_some());
        if is_exact && is_bounded(&scheme) {
            let found = trace.solve(cx, &scheme, &places, Precision::Exact)?;
            stats.exact += u64::from(found.is_some());
            return Ok(found);
        }
        let found = trace.solve(cx, &scheme, &places, Precision::Over)?;
        if let Some(Folded::Excluded(_)) = found {
            stats.over += 1;
            return Ok(found);
        }
        if !is_exact {
            return Ok(None);
        }
        let found = trace.solve(cx, &scheme, &places, Precision::Under)?;
        stats.under += u64::from(found.is_some());
        Ok(found)
    }
}

/// The path of a tree through the premises with the largest derivations, and the copies beside it, for each step; nothing if
/// copies have several ways.
fn spine(tree: &Tree, rules: &[Rule]) -> Option<(Path, Vec<Vec<usize>>)> {
    if tree.copies.iter().any(|copy| copy.ways.len() != 1) {
        return None;
    }
    let mut sizes = vec![1; tree.copies.len()];
    for at in (0..sizes.len()).rev() {
        let below: usize = tree.copies[at].ways[0].kids.iter().map(|&kid| sizes[kid]).sum();
        sizes[at] += below;
    }
    let (mut path, mut sides, mut at) = (Path::default(), Vec::new(), 0);
    loop {
        let way = &tree.copies[at].ways[0];
        let premise = (0..way.kids.len()).max_by_key(|&premise| sizes[way.kids[premise]]);
        path.symbols.extend(tree.copies[at].pred);
        path.steps.push(Step { clause: way.clause, premise: premise.unwrap_or(0) });
        sides.push(way.kids.clone());
        debug_assert_eq!(rules[way.clause].body.len(), way.kids.len());
        match premise {
            Some(premise) => at = way.kids[premise],
            None => break,
        }
    }
    path.steps.reverse();
    path.symbols.reverse();
    sides.reverse();
    Some((path, sides))
}

/// A path on its way to predicates.
struct Trace<'t, 'r> {
    accelerator: &'t Accelerator<'r>,
    tree: &'t Tree,
    path: Path,
    /// For each step, the copies of its premises.
    sides: Vec<Vec<usize>>,
    cycles: Vec<Cycle>,
}

/// A step said of some arguments.
struct Said {
    formula: Term,
    head: Vec<Term>,
    locals: Vec<Term>,
    /// All constants that are no arguments of the path.
    own: Vec<Symbol>,
}

impl Trace<'_, '_> {
    /// Step number `at`, said of `args`.
    fn say(&self, store: &mut TermStore, at: usize, args: &[Term]) -> Said {
        let Step { clause, premise } = self.path.steps[at];
        let rule = &self.accelerator.rules[clause];
        let predicates = self.accelerator.predicates;
        let (mut all, mut parts): (Vec<Vec<Term>>, Vec<Term>) = (Vec::new(), Vec::new());
        let mut own = Vec::new();
        for (number, body) in rule.body.iter().enumerate() {
            if number == premise {
                all.push(args.to_vec());
                continue;
            }
            let symbols: Vec<Symbol> =
                body.formals.iter().map(|&f| store.fresh("side", store.result(f))).collect();
            let terms: Vec<Term> = symbols.iter().map(|&s| store.constant(s)).collect();
            let known = &self.tree.copies[self.sides[at][number]].known;
            let known = predicates.conjunction(store, body.pred, known);
            parts.push(said_of(store, known, predicates.params(body.pred), &terms));
            own.extend(symbols);
            all.push(terms);
        }
        let args: Vec<&[Term]> = all.iter().map(Vec::as_slice).collect();
        let instance = rule.instantiate(store, &args);
        own.extend(instance.locals.iter().filter_map(|&local| store.symbol(local)));
        parts.push(instance.guard);
        Said { formula: store.and(&parts), head: instance.head, locals: instance.locals, own }
    }
    /// Computes the cycles of all loops; for each item of the scheme, which are its own. Nothing if one has no closure.
    fn close_cycles(
        &mut self,
        cx: &mut Cx<'_>,
        scheme: &[Item],
    ) -> Outcome<Option<Vec<Vec<usize>>>> {
        let mut places = Vec::new();
        for item in scheme {
            let mut own = Vec::new();
            if let Item::Loop { cycles, .. } = item {
                for cycle in cycles {
                    let Some(cycle) = self.close_cycle(cx, cycle)? else { return Ok(None) };
                    own.push(self.cycles.len());
                    self.cycles.push(cycle);
                }
            }
            places.push(own);
        }
        Ok(Some(places))
    }
    /// The relation of a cycle, without variables of its own, and its closure.
    fn close_cycle(&self, cx: &mut Cx<'_>, steps: &[usize]) -> Outcome<Option<Cycle>> {
        let symbol = self.path.symbols[steps[steps.len() - 1]];
        let params = self.accelerator.predicates.params(symbol);
        let [pre, post] = ["pre", "post"].map(|name| {
            params
                .iter()
                .map(|&p| cx.store.fresh(name, cx.store.result(p)))
                .collect::<Vec<Symbol>>()
        });
        let (mut parts, mut own) = (Vec::new(), Vec::new());
        let mut args: Vec<Term> = pre.iter().map(|&s| cx.store.constant(s)).collect();
        for &at in steps {
            let said = self.say(cx.store, at, &args);
            parts.push(said.formula);
            own.extend(said.own);
            args = said.head;
        }
        for (&symbol, &value) in post.iter().zip(&args) {
            let name = cx.store.constant(symbol);
            parts.push(cx.store.eq(name, value));
        }
        let mut formula = cx.store.and(&parts);
        if !own.is_empty() {
            let budget = cx.budget.part(ALLOWANCE);
            formula = match eliminate(&mut cx.limited(&budget), formula, &own) {
                Ok(formula) => formula,
                Err(_) => return cx.budget.check().map(|()| None),
            };
        }
        let pairs: Vec<(Symbol, Symbol)> = pre.iter().copied().zip(post.iter().copied()).collect();
        let Some(relation) = Relation::new(cx.store, &pairs, &[formula]) else { return Ok(None) };
        let exact = exact(cx, &relation)?;
        Ok(Some(Cycle { steps: steps.to_vec(), pre, post, relation, exact }))
    }
    /// Predicates or a counterexample, with loops replaced as asked; nothing if that leads nowhere.
    fn solve(
        &self,
        cx: &mut Cx<'_>,
        scheme: &[Item],
        places: &[Vec<usize>],
        precision: Precision,
    ) -> Outcome<Option<Folded>> {
        let Some(meta) = self.meta_trace(cx, scheme, places, precision)? else { return Ok(None) };
        let mut form = NormalForm::new();
        let names: Vec<PredId> =
            meta.symbols.iter().map(|(_, args)| form.add_symbol(args.clone())).collect();
        for (at, step) in meta.moves.iter().enumerate() {
            let body = at.checked_sub(1).map(|before| names[before]);
            form.add_clause(names.get(at).copied(), body.into_iter().collect(), step.formula);
        }
        match (form.solve(cx, &self.options()), precision) {
            (Ok(Solved::Solution(found)), _) => self.predicates(cx, &meta, &found),
            (Ok(Solved::Counterexample(found)), Precision::Exact | Precision::Under) => {
                let derivation = execute(cx.store, self.accelerator.rules, &meta, &found)?;
                Ok(derivation.map(Folded::Counterexample))
            }
            (Ok(Solved::Counterexample(_)), Precision::Over) | (Err(GaveUp::Incomplete(_)), _) => {
                Ok(None)
            }
            (Err(why), _) => Err(why),
        }
    }
    /// The meta-trace of a scheme; nothing if some loop has no closure of this precision.
    fn meta_trace(
        &self,
        cx: &mut Cx<'_>,
        scheme: &[Item],
        places: &[Vec<usize>],
        precision: Precision,
    ) -> Outcome<Option<MetaTrace>> {
        let mut meta = MetaTrace { symbols: Vec::new(), moves: Vec::new(), loops: Vec::new() };
        for (item, own) in scheme.iter().zip(places) {
            match item {
                Item::Step(at) => self.take_step(cx.store, &mut meta, *at),
                Item::Loop { order, .. } if precision == Precision::Under => {
                    for &number in order {
                        let cycle = own[number];
                        let exact = self.cycles[cycle].exact.as_ref();
                        let exact = exact.expect("under-approximations take exact cycles only");
                        let word = self.word(item, number);
                        let closure = |store: &mut TermStore, count| exact.formula(store, count);
                        if !self.take_loop(cx, &mut meta, vec![cycle], word, closure) {
                            return Ok(None);
                        }
                    }
                }
                Item::Loop { .. } => {
                    let word = self.word(item, 0);
                    let is_taken = match self.over_or_exact(cx, own)? {
                        Some(Either::Exact(exact)) => {
                            let closure = |s: &mut TermStore, n| exact.formula(s, n);
                            self.take_loop(cx, &mut meta, own.clone(), word, closure)
                        }
                        Some(Either::Over(over)) => {
                            let closure = |s: &mut TermStore, n| over.formula(s, n);
                            self.take_loop(cx, &mut meta, own.clone(), word, closure)
                        }
                        None => false,
                    };
                    if !is_taken {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(Some(meta))
    }
    fn word(&self, item: &Item, number: usize) -> Vec<Step> {
        match item {
            Item::Step(at) => vec![self.path.steps[*at]],
            Item::Loop { cycles, .. } => self.path.word(&cycles[number]),
        }
    }
    /// The closure of one cycle, exact if possible, or of several.
    fn over_or_exact(&self, cx: &mut Cx<'_>, own: &[usize]) -> Outcome<Option<Either>> {
        if let [only] = own
            && let Some(exact) = &self.cycles[*only].exact
        {
            return Ok(Some(Either::Exact(exact.clone())));
        }
        let first = &self.cycles[own[0]];
        let pairs: Vec<(Symbol, Symbol)> =
            first.pre.iter().copied().zip(first.post.iter().copied()).collect();
        let mut relations = Vec::new();
        for &cycle in own {
            let Cycle { pre, post, relation, .. } = &self.cycles[cycle];
            let from: Vec<Symbol> = pre.iter().chain(post).copied().collect();
            let to: Vec<Symbol> = first.pre.iter().chain(&first.post).copied().collect();
            let literals: Vec<Term> =
                relation.literals().iter().map(|&l| rename(cx.store, l, &from, &to)).collect();
            let relation = Relation::new(cx.store, &pairs, &literals);
            relations.push(relation.expect("renamed to the variables of the first"));
        }
        Ok(over(cx, &relations)?.map(Either::Over))
    }
    fn take_step(&self, store: &mut TermStore, meta: &mut MetaTrace, at: usize) {
        let args: Vec<Term> = meta
            .symbols
            .last()
            .map_or_else(Vec::new, |(_, args)| args.iter().map(|&s| store.constant(s)).collect());
        let said = self.say(store, at, &args);
        let mut parts = vec![said.formula];
        if let Some(&pred) = self.path.symbols.get(at) {
            let args = self.arguments(store, pred);
            for (&arg, &value) in args.iter().zip(&said.head) {
                let name = store.constant(arg);
                parts.push(store.eq(name, value));
            }
            meta.symbols.push((pred, args));
        }
        let by = By::Clause(self.path.steps[at], said.locals);
        meta.moves.push(Move { formula: store.and(&parts), by });
    }
    fn arguments(&self, store: &mut TermStore, pred: PredId) -> Vec<Symbol> {
        let params = self.accelerator.predicates.params(pred);
        params.iter().map(|&p| store.fresh("state", store.result(p))).collect()
    }
    /// Adds a loop; false if its formula is too large.
    fn take_loop(
        &self,
        cx: &mut Cx<'_>,
        meta: &mut MetaTrace,
        cycles: Vec<usize>,
        word: Vec<Step>,
        closure: impl FnOnce(&mut TermStore, Term) -> Term,
    ) -> bool {
        let before = meta.symbols.len() - 1;
        let (pred, here) = meta.symbols[before].clone();
        let there = self.arguments(cx.store, pred);
        let count = cx.store.fresh("count", Sort::INT);
        let times = cx.store.constant(count);
        let formula = closure(cx.store, times);
        if dag_size(cx.store, &[formula]) > LARGEST {
            return false;
        }
        let Cycle { pre, post, .. } = &self.cycles[cycles[0]];
        let from: Vec<Symbol> = pre.iter().chain(post).copied().collect();
        let to: Vec<Symbol> = here.iter().chain(&there).copied().collect();
        let formula = rename(cx.store, formula, &from, &to);
        let mut same: Vec<Term> = Vec::new();
        for (&x, &y) in here.iter().zip(&there) {
            let (x, y) = (cx.store.constant(x), cx.store.constant(y));
            same.push(cx.store.eq(x, y));
        }
        let zero = cx.store.int(0);
        same.push(cx.store.eq(times, zero));
        let not_at_all = cx.store.and(&same);
        let either = cx.store.or(&[not_at_all, formula]);
        meta.moves.push(Move { formula: either, by: By::Cycle(word, count) });
        meta.symbols.push((pred, there));
        meta.loops.push(Accelerated { before, formula, count, cycles });
        true
    }
    /// What becomes a predicate: the formulas of a solution, made inductive at loops; nothing if that fails.
    fn predicates(
        &self,
        cx: &mut Cx<'_>,
        meta: &MetaTrace,
        found: &IndexVec<PredId, Term>,
    ) -> Outcome<Option<Folded>> {
        let mut result: Vec<(PredId, Term)> = Vec::new();
        let mut add = |store: &mut TermStore, at: usize, formula: Term| {
            let (pred, args) = &meta.symbols[at];
            let params = self.accelerator.predicates.params(*pred);
            let formula = rename(store, formula, args, params);
            let formula = compact(store, formula);
            result.push((*pred, formula));
            formula
        };
        let formulas: Vec<Term> = found.iter().copied().collect();
        let is_loop = |at: usize| meta.loops.iter().any(|l| l.before == at || l.before + 1 == at);
        for (at, &formula) in formulas.iter().enumerate() {
            if !is_loop(at) {
                add(cx.store, at, formula);
            }
        }
        let mut inner = Vec::new();
        for accelerated in &meta.loops {
            let Some(inductive) = self.inductive(cx, meta, &formulas, accelerated)? else {
                return Ok(None);
            };
            let said = add(cx.store, accelerated.before + 1, inductive);
            for &cycle in &accelerated.cycles {
                inner.push((cycle, said));
            }
        }
        for (cycle, formula) in inner {
            let Some(within) = self.within(cx, cycle, formula)? else { return Ok(None) };
            result.extend(within);
        }
        Ok(Some(Folded::Excluded(result)))
    }
    /// An inductive formula behind a loop that what is in front of it implies, over the arguments behind.
    fn inductive(
        &self,
        cx: &mut Cx<'_>,
        meta: &MetaTrace,
        formulas: &[Term],
        accelerated: &Accelerated,
    ) -> Outcome<Option<Term>> {
        let Accelerated { before, formula, count, cycles } = accelerated;
        let (here, there) = (&meta.symbols[*before].1, &meta.symbols[before + 1].1);
        let behind = formulas[before + 1];
        let entry = rename(cx.store, formulas[*before], here, there);
        let is_entered = implies(cx, Options::default(), &[entry], behind)?;
        if is_entered && self.is_inductive(cx, there, behind, cycles)? {
            return Ok(Some(behind));
        }
        let repeated = cx.store.and(&[formulas[*before], *formula]);
        let mut gone = here.clone();
        gone.push(*count);
        let known = free_symbols(cx.store, &[repeated]);
        gone.retain(|symbol| known.contains(symbol));
        let budget = cx.budget.part(ALLOWANCE);
        let Ok(image) = eliminate(&mut cx.limited(&budget), repeated, &gone) else {
            return cx.budget.check().map(|()| None);
        };
        let inductive = cx.store.or(&[entry, image]);
        let is_inductive = self.is_inductive(cx, there, inductive, cycles)?;
        Ok(is_inductive.then_some(inductive))
    }
    /// Whether no step of the cycles leads out of `formula`.
    fn is_inductive(
        &self,
        cx: &mut Cx<'_>,
        args: &[Symbol],
        formula: Term,
        cycles: &[usize],
    ) -> Outcome<bool> {
        for &cycle in cycles {
            let Cycle { pre, post, relation, .. } = &self.cycles[cycle];
            let (here, there) =
                (rename(cx.store, formula, args, pre), rename(cx.store, formula, args, post));
            let mut premises = relation.literals().to_vec();
            premises.push(here);
            if !implies(cx, Options::default(), &premises, there)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// Predicates of the symbols within a cycle, if it leads from `formula`, over the parameters of its symbol, to it.
    fn within(
        &self,
        cx: &mut Cx<'_>,
        cycle: usize,
        formula: Term,
    ) -> Outcome<Option<Vec<(PredId, Term)>>> {
        let steps = &self.cycles[cycle].steps;
        let symbol = self.path.symbols[steps[steps.len() - 1]];
        let params = self.accelerator.predicates.params(symbol);
        let (mut form, mut inner) = (NormalForm::new(), Vec::new());
        let mut args: Vec<Term> =
            self.arguments(cx.store, symbol).into_iter().map(|s| cx.store.constant(s)).collect();
        let mut known = said_of(cx.store, formula, params, &args);
        let mut body = Vec::new();
        for (number, &at) in steps.iter().enumerate() {
            let said = self.say(cx.store, at, &args);
            if number + 1 == steps.len() {
                let there = said_of(cx.store, formula, params, &said.head);
                let outside = cx.store.not(there);
                let constraint = cx.store.and(&[known, said.formula, outside]);
                form.add_clause(None, std::mem::take(&mut body), constraint);
                break;
            }
            let pred = self.path.symbols[at];
            let names = self.arguments(cx.store, pred);
            let mut parts = vec![known, said.formula];
            args = names.iter().map(|&name| cx.store.constant(name)).collect();
            parts.extend(args.iter().zip(&said.head).map(|(&arg, &value)| cx.store.eq(arg, value)));
            let constraint = cx.store.and(&parts);
            let name = form.add_symbol(names.clone());
            form.add_clause(Some(name), std::mem::replace(&mut body, vec![name]), constraint);
            inner.push((pred, names));
            known = cx.store.top();
        }
        if inner.is_empty() {
            return Ok(Some(Vec::new()));
        }
        match form.solve(cx, &self.options())? {
            Solved::Counterexample(_) => Ok(None),
            Solved::Solution(found) => {
                let formulas = inner.iter().zip(found.iter());
                let mut result = Vec::new();
                for ((pred, names), &formula) in formulas {
                    let params = self.accelerator.predicates.params(*pred);
                    let formula = rename(cx.store, formula, names, params);
                    result.push((*pred, compact(cx.store, formula)));
                }
                Ok(Some(result))
            }
        }
    }
    fn options(&self) -> shofar_rf::Options {
        let Accelerator { seed, interpolation, .. } = self.accelerator;
        shofar_rf::Options { seed: *seed, interpolation: (*interpolation).clone() }
    }
}

/// A closure that is exact, or not.
enum Either {
    Exact(Exact),
    Over(Over),
}
