//! Clauses from scripts in the simplest dialect: `(forall (…) (=> body head))`, or the same without
//! prefix.

use shofar_base::Map;
use shofar_chc::{ChcSystem, Clause, NormalSystem, PredAtom, TransitionSystem};
use shofar_smtlib::{Command, Commands, Environment, Step};
use shofar_term::substitute::substitute;
use shofar_term::symbols::free_symbols;
use shofar_term::{Kind, Quantifier, Symbol, Term, TermStore};

/// The clauses of a script.
pub(crate) fn system(store: &mut TermStore, text: &str) -> NormalSystem {
    let mut commands = Commands::of_text(format!("(set-logic HORN)\n{text}").into_bytes());
    let mut env = Environment::new();
    let mut system = ChcSystem::new();
    while let Step::Sentence(sentence) = commands.next(&mut env, store).expect("a script") {
        if let Command::Declare(symbol) = sentence.command {
            system.add_pred(symbol);
        } else if let Command::Assert { term, .. } = sentence.command {
            add_clause(store, &mut system, term);
        }
    }
    system.assert_well_formed(store);
    NormalSystem::of(store, system)
}

fn add_clause(store: &mut TermStore, system: &mut ChcSystem, term: Term) {
    let mut body = term;
    if let Some((Quantifier::Forall, inner, _)) = store.quantified(term) {
        body = inner;
    }
    let mut clause = Clause { head: None, body: Vec::new(), constraint: store.top(), span: None };
    let mut constraint = Vec::new();
    let mut stack = vec![(body, true)];
    while let Some((term, is_conclusion)) = stack.pop() {
        if let Kind::Not(inner) = store.kind(term) {
            stack.push((inner, !is_conclusion));
        } else if let (Kind::Or(parts), true) | (Kind::And(parts), false) =
            (store.kind(term), is_conclusion)
        {
            stack.extend(parts.iter().rev().map(|&p| (p, is_conclusion)));
        } else if let Some((symbol, args)) = predicate(store, system, term) {
            atom(system, &mut clause, symbol, args, is_conclusion);
        } else {
            constraint.push(if is_conclusion { store.not(term) } else { term });
        }
    }
    clause.constraint = store.and(&constraint);
    system.add_clause(clause);
}

fn predicate<'s>(
    store: &'s TermStore,
    system: &ChcSystem,
    term: Term,
) -> Option<(Symbol, &'s [Term])> {
    if let Some(symbol) = store.symbol(term) {
        return system.pred(symbol).map(|_| (symbol, &[][..]));
    }
    if let Kind::App(symbol, args) = store.kind(term) { Some((symbol, args)) } else { None }
}

fn atom(
    system: &mut ChcSystem,
    clause: &mut Clause,
    symbol: Symbol,
    args: &[Term],
    is_conclusion: bool,
) {
    let atom = PredAtom { pred: system.add_pred(symbol), args: args.to_vec() };
    if is_conclusion {
        assert!(clause.head.replace(atom).is_none(), "one head");
    } else {
        clause.body.push(atom);
    }
}

/// A linear system about one predicate as a transition system.
pub(crate) fn transition_system(
    store: &mut TermStore,
    system: &ChcSystem,
) -> Option<TransitionSystem> {
    let mut preds = system.preds();
    let (Some(pred), None) = (preds.next(), preds.next()) else { return None };
    let sorts = system.sorts(store, pred).to_vec();
    let names = |store: &mut TermStore, prefix: &str| -> Vec<Symbol> {
        sorts
            .iter()
            .enumerate()
            .map(|(i, &s)| store.declare(&format!("{prefix}{i}"), &[], s))
            .collect()
    };
    let (state, next) = (names(store, "state!"), names(store, "next!"));
    let (mut init, mut step, mut bad) = (Vec::new(), Vec::new(), Vec::new());
    for (id, clause) in system.clauses() {
        let mut local: Map<Term, Term> = Map::default();
        for symbol in free_symbols(store, &clause.terms()) {
            let (name, sort) = (store.name(symbol).to_owned(), store.result(symbol));
            let copy = store.declare(&format!("{name}.{id:?}"), &[], sort);
            local.insert(store.constant(symbol), store.constant(copy));
        }
        let mut facts = vec![substitute(store, &local, &[clause.constraint])[0]];
        let head_vars = if clause.body.is_empty() { &state } else { &next };
        let sides = clause.body.iter().map(|a| (a, &state));
        for (atom, symbols) in sides.chain(clause.head.iter().map(|a| (a, head_vars))) {
            for (arg, &symbol) in substitute(store, &local, &atom.args).into_iter().zip(symbols) {
                let constant = store.constant(symbol);
                facts.push(store.eq(constant, arg));
            }
        }
        let formula = store.and(&facts);
        match (clause.body.len(), &clause.head) {
            (0, Some(_)) => init.push(formula),
            (1, Some(_)) => step.push(formula),
            (1, None) => bad.push(formula),
            _ => return None,
        }
    }
    let (init, step, bad) = (store.or(&init), store.or(&step), store.or(&bad));
    Some(TransitionSystem { state, next, init, step, bad })
}
