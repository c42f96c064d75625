//! From the text of a refutation to a derivation; the format is described in `shofar_chc::print`.
//!
//! Whether the steps are right is not decided here, but that they speak about clauses, variables
//! and predicates of the problem, and that a step derives what it says it does, since a derivation
//! does not repeat that. A text that does not is well-formed, but no refutation of this problem.

use shofar_base::{Budget, Diagnostic, Idx, Map, Span};
use shofar_chc::{ChcSystem, ClauseId, Derivation, DerivationStep, PredId, Repeat};
use shofar_num::Rational;
use shofar_term::eval::{Evaluator, Model, Value};
use shofar_term::value::{Flaw, NamedValues};
use shofar_term::{Sort, Symbol, TermStore};

use super::model::printed_name;
use super::scan::{Kind, Scan, Token};
use super::{Read, Unread};
use crate::objection::counted;

/// Reads the steps and the closing parenthesis; `admitted` are further variables that a step by a
/// clause may give values to.
pub(super) fn read(
    scan: &mut Scan<'_>,
    system: &ChcSystem,
    admitted: &dyn Fn(ClauseId) -> Vec<Symbol>,
    store: &TermStore,
    budget: &Budget,
) -> Read<Derivation> {
    let mut reader = Reader {
        scan,
        system,
        admitted,
        store,
        variables: (0..system.clause_count()).map(|_| None).collect(),
        preds: system.preds().map(|p| (printed_name(store, system.symbol(p)), p)).collect(),
        named: NamedValues::default(),
    };
    let mut derivation = Derivation::default();
    let mut around: Vec<OpenRepeat> = Vec::new();
    loop {
        let token = reader.scan.next()?;
        match token.kind {
            Kind::Close => match around.pop() {
                None => return Ok(derivation),
                Some(repeat) => around.extend(reader.half_ends(token, repeat, &mut derivation)?),
            },
            Kind::Open => {
                budget.check()?;
                let head = reader.scan.next()?;
                if head.is("repeat") {
                    around.push(reader.repeat(&mut derivation)?);
                } else {
                    let step = reader.step(head, derivation.steps.len())?;
                    derivation.steps.push(step);
                }
            }
            Kind::Word | Kind::Quoted | Kind::String | Kind::End => {
                return Err(token.unexpected("a step"));
            }
        }
    }
}

/// A repeat whose first or last iteration is being read.
#[derive(Clone, Copy)]
struct OpenRepeat {
    /// Its number.
    number: usize,
    /// Whether it is the last one.
    in_last: bool,
}

/// The variables of a clause by name; those that share a name are in the order of their symbols.
type Variables = Map<String, Vec<Symbol>>;

struct Reader<'r, 't> {
    scan: &'r mut Scan<'t>,
    system: &'r ChcSystem,
    admitted: &'r dyn Fn(ClauseId) -> Vec<Symbol>,
    store: &'r TermStore,
    /// The variables of the clauses seen so far.
    variables: Vec<Option<Variables>>,
    preds: Map<String, PredId>,
    /// The values that have a name.
    named: NamedValues,
}

/// The attributes of a step, as they come.
#[derive(Default)]
struct Parts<'t> {
    clause: Option<ClauseId>,
    assignment: Option<Model>,
    premises: Option<Vec<usize>>,
    derives: Option<(Token<'t>, Claim)>,
}

/// What a step says it derives.
#[derive(PartialEq, Eq)]
enum Claim {
    False,
    Fact(PredId, Vec<Value>),
}

impl<'t> Reader<'_, 't> {
    /// The beginning of a repeat, behind the word.
    fn repeat(&mut self, derivation: &mut Derivation) -> Read<OpenRepeat> {
        let token = self.scan.next()?;
        let digits = token.kind == Kind::Word && token.text.bytes().all(|b| b.is_ascii_digit());
        let count: Option<Rational> = token.text.parse().ok().filter(|_| digits);
        let count = count.ok_or_else(|| token.unexpected("the number of iterations"))?;
        self.half("first")?;
        let (number, start) = (derivation.repeats.len(), derivation.steps.len());
        derivation.repeats.push(Repeat { start, length: 0, count });
        Ok(OpenRepeat { number, in_last: false })
    }
    /// The beginning of one of the two iterations.
    fn half(&mut self, word: &str) -> Read<()> {
        self.scan.expect(Kind::Open, &format!("`({word}`"))?;
        let token = self.scan.next()?;
        if token.is(word) { Ok(()) } else { Err(token.unexpected(&format!("`{word}`"))) }
    }
    /// The end of one of the two iterations, which was read; what is open then.
    fn half_ends(
        &mut self,
        token: Token<'t>,
        open: OpenRepeat,
        derivation: &mut Derivation,
    ) -> Read<Option<OpenRepeat>> {
        let Derivation { steps, repeats } = derivation;
        let repeat = &mut repeats[open.number];
        if !open.in_last {
            repeat.length = steps.len() - repeat.start;
            if repeat.length == 0 {
                return Err(token.unexpected("a step"));
            }
            self.half("last")?;
            return Ok(Some(OpenRepeat { in_last: true, ..open }));
        }
        if steps.len() != repeat.end() {
            let first = counted(repeat.length, "step");
            return Err(token.misfit(format!("the first iteration has {first}")));
        }
        self.scan.expect(Kind::Close, "`)`")?;
        Ok(None)
    }
    /// The step with this number, behind its first word.
    fn step(&mut self, head: Token<'t>, number: usize) -> Read<DerivationStep> {
        if !head.is("step") {
            return Err(head.unexpected("`step` or `repeat`"));
        }
        let (token, found) = self.natural("the number of the step")?;
        if found != number {
            return Err(token.misfit(format!("this is step {number}")));
        }
        let mut parts = Parts::default();
        loop {
            let token = self.scan.next()?;
            if token.kind == Kind::Close {
                return self.finish(head, parts);
            }
            self.attribute(token, &mut parts)?;
        }
    }
    fn attribute(&mut self, token: Token<'t>, parts: &mut Parts<'t>) -> Read<()> {
        let twice = match (token.kind, token.text) {
            (Kind::Word, ":clause") => parts.clause.replace(self.clause()?).is_some(),
            (Kind::Word, ":line") => {
                self.natural("a line")?;
                false
            }
            (Kind::Word, ":name") => {
                self.scan.name("a name")?;
                false
            }
            (Kind::Word, ":values") => {
                let Some(clause) = parts.clause else {
                    return Err(token.error("`:clause` comes before `:values`"));
                };
                parts.assignment.replace(self.values(clause)?).is_some()
            }
            (Kind::Word, ":premises") => parts.premises.replace(self.premises()?).is_some(),
            (Kind::Word, ":derives") => parts.derives.replace((token, self.claim()?)).is_some(),
            _ => {
                return Err(token.unexpected(
                    "`:clause`, `:name`, `:line`, `:values`, `:premises` or `:derives`",
                ));
            }
        };
        if twice { Err(token.error(format!("`{}` occurs twice", token.text))) } else { Ok(()) }
    }
    fn finish(&self, head: Token<'t>, parts: Parts<'t>) -> Read<DerivationStep> {
        let Some(clause) = parts.clause else { return Err(head.error("`:clause` is missing")) };
        let Some(premises) = parts.premises else {
            return Err(head.error("`:premises` are missing"));
        };
        let assignment = parts.assignment.unwrap_or_default();
        if let Some((token, claim)) = parts.derives {
            let derived = match &self.system.clause(clause).head {
                None => Claim::False,
                Some(head) => {
                    let mut evaluator = Evaluator::with_defaults(&assignment);
                    let values = head.args.iter().map(|&t| evaluator.evaluate(self.store, t));
                    let Ok(values) = values.collect::<Result<_, _>>() else {
                        return Err(token.misfit("what the step derives has no value"));
                    };
                    Claim::Fact(head.pred, values)
                }
            };
            if derived != claim {
                return Err(token.misfit("clause and values derive something else"));
            }
        }
        Ok(DerivationStep { clause, assignment, premises })
    }
    /// A number such as those of steps and clauses.
    fn natural(&mut self, expected: &str) -> Read<(Token<'t>, usize)> {
        let token = self.scan.next()?;
        let digits = token.kind == Kind::Word && token.text.bytes().all(|b| b.is_ascii_digit());
        match token.text.parse() {
            Ok(number) if digits => Ok((token, number)),
            Ok(_) | Err(_) => Err(token.unexpected(expected)),
        }
    }
    fn clause(&mut self) -> Read<ClauseId> {
        let (token, number) = self.natural("the number of a clause")?;
        let count = self.system.clause_count();
        if number < count {
            return Ok(ClauseId::from_index(number));
        }
        let clauses = counted(count, "clause");
        Err(token.misfit(format!("the problem has {clauses}, numbered from 0")))
    }
    fn premises(&mut self) -> Read<Vec<usize>> {
        self.scan.expect(Kind::Open, "a list of steps")?;
        let mut premises = Vec::new();
        while !self.close()? {
            premises.push(self.natural("the number of a step")?.1);
        }
        Ok(premises)
    }
    fn values(&mut self, clause: ClauseId) -> Read<Model> {
        self.scan.expect(Kind::Open, "a list of values")?;
        let mut assignment = Model::new();
        loop {
            let token = self.scan.next()?;
            match token.kind {
                Kind::Close => return Ok(assignment),
                Kind::Open => {
                    let name = self.scan.name("the name of a variable")?;
                    let symbol = self.variable(clause, name, &assignment)?;
                    let value = self.value(self.store.result(symbol))?;
                    self.scan.expect(Kind::Close, "`)`")?;
                    assignment.set(symbol, value);
                }
                Kind::Word | Kind::Quoted | Kind::String | Kind::End => {
                    return Err(token.unexpected("a variable with its value"));
                }
            }
        }
    }
    /// The variable of this name that has no value yet.
    fn variable(&mut self, clause: ClauseId, name: Token<'t>, assignment: &Model) -> Read<Symbol> {
        let (store, system) = (self.store, self.system);
        let variables = self.variables[clause.index()].get_or_insert_with(|| {
            let mut variables = Variables::default();
            let mut symbols = system.clause(clause).variables(store);
            symbols.extend((self.admitted)(clause));
            symbols.sort_unstable();
            symbols.dedup();
            for symbol in symbols {
                variables.entry(printed_name(store, symbol)).or_default().push(symbol);
            }
            variables
        });
        let Some(symbols) = variables.get(name.text) else {
            let clause = clause.index();
            let message = format!("clause {clause} has no variable `{}`", name.text);
            return Err(name.misfit(message));
        };
        let open = symbols.iter().find(|&&s| assignment.get(s).is_none());
        open.copied().ok_or_else(|| name.misfit(format!("`{}` has two values", name.text)))
    }
    fn claim(&mut self) -> Read<Claim> {
        let token = self.scan.next()?;
        if token.is("false") {
            return Ok(Claim::False);
        }
        if token.is_name() {
            return Ok(Claim::Fact(self.pred(token)?, Vec::new()));
        }
        if token.kind != Kind::Open {
            return Err(token.unexpected("what the step derives"));
        }
        let name = self.scan.name("the name of a predicate")?;
        let pred = self.pred(name)?;
        let sorts = self.system.sorts(self.store, pred);
        let mut values = Vec::with_capacity(sorts.len());
        while !self.close()? {
            let Some(&sort) = sorts.get(values.len()) else {
                return Err(wrong_arity(name, sorts.len()));
            };
            values.push(self.value(sort)?);
        }
        if values.len() < sorts.len() {
            return Err(wrong_arity(name, sorts.len()));
        }
        Ok(Claim::Fact(pred, values))
    }
    /// Whether a parenthesis closes here, which is then read.
    fn close(&mut self) -> Read<bool> {
        let mut ahead = self.scan.clone();
        let closes = ahead.next()?.kind == Kind::Close;
        if closes {
            *self.scan = ahead;
        }
        Ok(closes)
    }
    fn pred(&self, name: Token<'t>) -> Read<PredId> {
        let unknown = || name.misfit(format!("there is no predicate `{}`", name.text));
        self.preds.get(name.text).copied().ok_or_else(unknown)
    }

    /// A literal of this sort.
    fn value(&mut self, sort: Sort) -> Read<Value> {
        let first = self.scan.next()?;
        let span = self.scan.skip(first)?;
        self.named.read(self.store, self.scan.text(span), sort).map_err(|bad| {
            let place = Span::new(span.start + bad.place.start, span.start + bad.place.end);
            match bad.flaw {
                Flaw::Malformed => Unread::malformed(place, bad.message),
                Flaw::Misfit => Box::new(Unread::Misfit(Diagnostic::new(place, bad.message))),
            }
        })
    }
}

fn wrong_arity(name: Token<'_>, wanted: usize) -> Box<Unread> {
    name.misfit(format!("`{}` is declared with {}", name.text, counted(wanted, "argument")))
}
