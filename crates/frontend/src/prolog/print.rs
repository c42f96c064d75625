//! Clauses as Prolog-style text, for this program and for Eldarica.
//!
//! Every subterm stands in brackets, so nothing depends on how tightly operators bind. Variables
//! are called `X1`, `X2`, …; names of predicates lose the characters that Eldarica does not read. A
//! choice between numbers becomes a variable with a disjunction. Sorts other than the integers
//! cannot be written.

use std::fmt::Write as _;
use std::io::{self, Write};

use shofar_base::{Map, Set};
use shofar_chc::{ChcSystem, Clause, ClauseId, PredAtom, PredId};
use shofar_num::Rational;
use shofar_term::print::print_sort;
use shofar_term::size::tree_size;
use shofar_term::substitute::Substitution;
use shofar_term::{ArithKind, Kind, Sort, Sum, Term, TermStore, visit};

/// Larger formulas are not written out.
const MOST_NODES: u64 = 20_000_000;
/// Names with a meaning of their own.
const RESERVED: [&str; 4] = ["true", "false", "mod", "div"];

/// Writes `system` in Prolog style, with a line in front of each clause that `comment` says
/// something about.
pub fn print_prolog(
    out: &mut dyn Write,
    store: &mut TermStore,
    system: &ChcSystem,
    comment: &dyn Fn(ClauseId) -> Option<String>,
) -> io::Result<()> {
    let names = pred_names(store, system);
    if system.clause_count() == 0 {
        // A text without clauses would be refused, as one from which they are missing.
        return writeln!(out, "false :- 0 = 1.");
    }
    for (id, clause) in system.clauses() {
        let text = Writer::of(store, system, clause, &names)?;
        if let Some(comment) = comment(id) {
            writeln!(out, "% {comment}")?;
        }
        writeln!(out, "{}", text.text)?;
    }
    Ok(())
}

/// What the predicates are called.
fn pred_names(store: &TermStore, system: &ChcSystem) -> Map<PredId, String> {
    let mut taken: Set<String> = RESERVED.iter().map(|&word| word.to_owned()).collect();
    let mut names = Map::default();
    for pred in system.preds() {
        let own = store.name(system.symbol(pred));
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = own.chars().map(plain).collect();
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            name.insert(0, 'p');
        }
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        names.insert(pred, name);
    }
    names
}

fn refused(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("Prolog-style clauses cannot say {what}"))
}

/// The text of a clause in the making.
struct Writer<'s> {
    store: &'s mut TermStore,
    text: String,
    variables: Map<Term, usize>,
}

/// What is still to be written.
enum Piece {
    Text(&'static str),
    Term(Term),
    Number(Rational),
    Variable(usize),
}

impl<'s> Writer<'s> {
    fn of(
        store: &'s mut TermStore,
        system: &ChcSystem,
        clause: &Clause,
        names: &Map<PredId, String>,
    ) -> io::Result<Self> {
        if tree_size(store, &clause.terms()) > MOST_NODES {
            return Err(refused("formulas of this size"));
        }
        let (clause, choices) = without_choices(store, clause);
        let mut text = Self { store, text: String::new(), variables: Map::default() };
        match &clause.head {
            Some(head) => text.atom(system, head, names)?,
            None => text.text.push_str("false"),
        }
        text.text.push_str(" :- ");
        for atom in &clause.body {
            text.atom(system, atom, names)?;
            text.text.push_str(", ");
        }
        for choice in choices {
            text.term(choice)?;
            text.text.push_str(", ");
        }
        for conjunct in text.store.conjuncts(&[clause.constraint]) {
            if conjunct != text.store.top() {
                text.term(conjunct)?;
                text.text.push_str(", ");
            }
        }
        // A fact has a body, too, since not everyone reads one without.
        if text.text.ends_with(" :- ") {
            text.text.push_str("0 = 0, ");
        }
        text.text.truncate(text.text.len() - 2);
        text.text.push('.');
        Ok(text)
    }
    fn atom(
        &mut self,
        system: &ChcSystem,
        atom: &PredAtom,
        names: &Map<PredId, String>,
    ) -> io::Result<()> {
        let sorts = system.sorts(self.store, atom.pred);
        if let Some(sort) = sorts.iter().find(|sort| !sort.is_int()) {
            return Err(refused(&format!("something about {}", print_sort(self.store, *sort))));
        }
        self.text.push_str(&names[&atom.pred]);
        for (at, &arg) in atom.args.iter().enumerate() {
            self.text.push_str(if at == 0 { "(" } else { ", " });
            self.term(arg)?;
        }
        if !atom.args.is_empty() {
            self.text.push(')');
        }
        Ok(())
    }
    fn term(&mut self, term: Term) -> io::Result<()> {
        let mut todo = vec![Piece::Term(term)];
        while let Some(piece) = todo.pop() {
            match piece {
                Piece::Text(text) => self.text.push_str(text),
                Piece::Number(number) if number.is_negative() => {
                    let _ = write!(self.text, "(- {})", number.abs());
                }
                Piece::Number(number) => self.text.push_str(&number.to_string()),
                Piece::Variable(number) => {
                    let _ = write!(self.text, "X{number}");
                }
                Piece::Term(term) => {
                    let mut pieces = self.pieces(term)?;
                    pieces.reverse();
                    todo.extend(pieces);
                }
            }
        }
        Ok(())
    }
    fn pieces(&mut self, term: Term) -> io::Result<Vec<Piece>> {
        use Piece::{Term as T, Text as S};
        let sort = self.store.sort(term);
        Ok(match self.store.kind(term) {
            Kind::True => vec![S("(0 = 0)")],
            Kind::False => vec![S("(0 = 1)")],
            Kind::Symbol(_) if sort.is_int() => vec![self.variable(term)],
            Kind::Not(inner) => vec![S("\\+ ("), T(inner), S(")")],
            Kind::And(parts) => between(parts, ", "),
            Kind::Or(parts) => between(parts, " ; "),
            Kind::Iff(p, q) => vec![
                S("(("),
                T(p),
                S(", "),
                T(q),
                S(") ; (\\+ ("),
                T(p),
                S("), \\+ ("),
                T(q),
                S(")))"),
            ],
            Kind::Ite(c, p, q) => {
                vec![S("(("), T(c), S(", "), T(p), S(") ; (\\+ ("), T(c), S("), "), T(q), S("))")]
            }
            Kind::App(..) => match self.store.as_times(term) {
                Some((a, b)) => vec![S("("), T(a), S(" * "), T(b), S(")")],
                None => return Err(refused("functions")),
            },
            Kind::Arith(arith) if !sort.is_real() => arithmetic(arith),
            Kind::Symbol(_)
            | Kind::Arith(_)
            | Kind::Same(..)
            | Kind::Quantified(..)
            | Kind::Array(_)
            | Kind::Data(_)
            | Kind::Bits(_) => {
                return Err(refused(&format!("something about {}", print_sort(self.store, sort))));
            }
        })
    }
    fn variable(&mut self, term: Term) -> Piece {
        let next = self.variables.len() + 1;
        Piece::Variable(*self.variables.entry(term).or_insert(next))
    }
}

fn between(parts: &[Term], sign: &'static str) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text("(")];
    for (at, &part) in parts.iter().enumerate() {
        if at > 0 {
            pieces.push(Piece::Text(sign));
        }
        pieces.push(Piece::Term(part));
    }
    pieces.push(Piece::Text(")"));
    pieces
}

fn arithmetic(arith: ArithKind<'_>) -> Vec<Piece> {
    let binary = |a: Term, sign: &'static str, b: &Rational| {
        vec![
            Piece::Text("("),
            Piece::Term(a),
            Piece::Text(sign),
            Piece::Number(b.clone()),
            Piece::Text(")"),
        ]
    };
    match arith {
        ArithKind::Number(number) => vec![Piece::Number(number.clone())],
        ArithKind::Sum(sum) => of_sum(sum),
        ArithKind::Le(form, bound) => binary(form, " =< ", bound),
        ArithKind::Lt(form, bound) => binary(form, " < ", bound),
        ArithKind::Eq(form, bound) => binary(form, " = ", bound),
        ArithKind::Div(a, b) => binary(a, " / ", b),
        ArithKind::Mod(a, b) => binary(a, " mod ", b),
        ArithKind::ToInt(a) => vec![Piece::Term(a)],
    }
}

fn of_sum(sum: Sum<'_>) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text("(")];
    for (at, (factor, term)) in sum.iter().enumerate() {
        if at > 0 {
            pieces.push(Piece::Text(" + "));
        }
        if !factor.is_one() {
            pieces.extend([Piece::Number(factor.clone()), Piece::Text(" * ")]);
        }
        pieces.push(Piece::Term(term));
    }
    if !sum.constant().is_zero() {
        pieces.extend([Piece::Text(" + "), Piece::Number(sum.constant().clone())]);
    }
    pieces.push(Piece::Text(")"));
    pieces
}

/// The clause with variables in place of choices between numbers, and what they are.
fn without_choices(store: &mut TermStore, clause: &Clause) -> (Clause, Vec<Term>) {
    let terms = clause.terms();
    let mut done = Substitution::default();
    let mut choices = Vec::new();
    for term in visit::postorder(store, &terms) {
        let Kind::Ite(condition, a, b) = store.kind(term) else { continue };
        if store.sort(term) != Sort::INT {
            continue;
        }
        let symbol = store.fresh("choice", Sort::INT);
        let variable = store.constant(symbol);
        let [condition, a, b] = [condition, a, b].map(|part| done.apply(store, part));
        let (first, second) = (store.eq(variable, a), store.eq(variable, b));
        choices.push(store.ite(condition, first, second));
        done.bind(term, variable);
    }
    if choices.is_empty() {
        return (clause.clone(), choices);
    }
    let mut atom = |store: &mut TermStore, atom: &PredAtom| PredAtom {
        pred: atom.pred,
        args: atom.args.iter().map(|&arg| done.apply(store, arg)).collect(),
    };
    let body = clause.body.iter().map(|a| atom(store, a)).collect();
    let head = clause.head.as_ref().map(|a| atom(store, a));
    let constraint = done.apply(store, clause.constraint);
    (Clause { head, body, constraint, span: clause.span }, choices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PROLOG;
    use shofar_chc::read::SMT_LIB;

    fn printed(script: &str) -> Result<String, String> {
        let mut store = TermStore::new();
        let problem = SMT_LIB.read_plainly(script.as_bytes(), &mut store).unwrap().remove(0);
        let mut out = Vec::new();
        let comment = |id: ClauseId| Some(format!("{id:?}"));
        print_prolog(&mut out, &mut store, &problem.system, &comment)
            .map_err(|error| error.to_string())?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn what_is_written_can_be_read() {
        let shown = printed(
            "(set-logic HORN) (declare-fun |a b| (Int Int) Bool) (declare-fun |-x| () Bool)
            (assert (|a b| 0 (- 1)))
            (assert (forall ((x Int) (y Int)) (=> (and (|a b| x y) (or (> x 3) (= (mod y 2) 1))) (|a b| (ite (< x y) x (+ (* 2 x) (- y) 1)) (div x 3)))))
            (assert (forall ((x Int)) (=> (|a b| x 5) |-x|)))
            (assert (=> |-x| false)) (check-sat)",
        )
        .unwrap();
        let lines: Vec<&str> = shown.lines().filter(|line| !line.starts_with('%')).collect();
        assert_eq!(lines[0], "a_b(0, (- 1)) :- 0 = 0.");
        assert_eq!(lines[2], "p_x :- a_b(X1, 5).");
        assert_eq!(lines[3], "false :- p_x.");
        let mut store = TermStore::new();
        let again = PROLOG.read_plainly(shown.as_bytes(), &mut store).unwrap().remove(0);
        assert_eq!(again.system.clause_count(), 4);
        let mut second = Vec::new();
        print_prolog(&mut second, &mut store, &again.system, &|_| None).unwrap();
        let second = String::from_utf8(second).unwrap();
        assert_eq!(second.lines().count(), 4, "{second}");
    }
    #[test]
    fn what_cannot_be_written_is_refused() {
        let script = "(set-logic HORN) (declare-fun p (Real) Bool) (assert (p 1.5)) (check-sat)";
        assert_eq!(
            printed(script).unwrap_err(),
            "Prolog-style clauses cannot say something about Real"
        );
        let script = "(set-logic HORN) (declare-fun p (Int) Bool)
            (assert (forall ((b Bool)) (=> b (p 1)))) (check-sat)";
        assert!(printed(script).unwrap_err().ends_with("something about Bool"));
    }
}
