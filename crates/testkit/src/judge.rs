//! Judges the output of a solver for a script: what is wrong at once, and what a second opinion
//! must still confirm.
//!
//! A printed model, core or interpolant is turned into an [`Obligation`]: a small script with one
//! `check-sat` and the answer it must have. The judge needs nothing but the text of the script and
//! of the output, so a script shrunken by [`crate::shrink`] is judged exactly like the one it came
//! from.
//!
//! | printed | obligations |
//! |---|---|
//! | model | the assertions hold under its definitions, which cover all declared constants and functions |
//! | values | assertions and `term = value` are satisfiable together, by the printed model if there is one |
//! | core | its assertions and the unnamed ones are unsatisfiable |
//! | unsat assumptions | the same with the assertions and those assumptions |
//! | interpolants | children and group imply the node's interpolant, the root gives false; only shared symbols |
//! | interpolants of graphs and marked formulas | see [`crate::shapes`] |
//! | interpolants of two strengths | over the reals, for two groups, the stronger implies the weaker |

use crate::case::Answer;
use crate::context::{Context, Declaration};
use crate::elements::Elements;
use crate::partition::Partition;
use crate::sexp::{Sexp, parse_all, symbol_name};
use crate::shapes::{self, Claims};
use crate::split::ARITHMETIC_ALGORITHMS;

/// What a fault or an obligation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Two solvers disagree.
    Answer,
    /// The answer is not the one known by construction.
    Status,
    /// An error was reported for a script that is fine.
    Error,
    /// The output does not have the form that the commands ask for.
    Shape,
    /// A model.
    Model,
    /// Values of terms.
    Value,
    /// An unsat core.
    Core,
    /// Unsat assumptions.
    Assumptions,
    /// An interpolant that does not separate.
    Interpolant,
    /// An interpolant with a symbol that is not shared.
    Symbols,
    /// Interpolants in the wrong order of strength.
    Strength,
    /// The process died.
    Crash,
    /// The process did not finish.
    Timeout,
}

/// Something that is wrong without asking anybody.
#[derive(Clone, Debug)]
pub struct Fault {
    /// What it is about.
    pub kind: Kind,
    /// In words.
    pub message: String,
}

/// A question for a reference solver.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What it is about.
    pub kind: Kind,
    /// Declarations and assertions; the `check-sat` is left to the asker.
    pub commands: Vec<String>,
    /// What the reference solver must say.
    pub expected: Answer,
}

/// All that follows from an output.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    /// The solver's answers in order.
    pub answers: Vec<Answer>,
    /// What is wrong at once.
    pub faults: Vec<Fault>,
    /// What must be confirmed.
    pub obligations: Vec<Obligation>,
    /// What the solver said it cannot do.
    pub declined: Option<String>,
}

/// Judges `output`, given the answers of a reference solver where there are any.
pub fn judge(script: &[Sexp], output: &str, reference: &[Answer]) -> Judgement {
    let mut judge = Judge { reference, ..Judge::default() };
    let replies = match parse_all(output) {
        Ok(replies) => replies,
        Err(message) => {
            judge.fault(Kind::Shape, format!("unreadable output: {message}"));
            return judge.result;
        }
    };
    let mut replies = replies.iter();
    for command in script {
        if !judge.result.faults.is_empty() {
            break;
        }
        if !answers(command) {
            judge.context.apply(command);
            continue;
        }
        match replies.next() {
            // After `unknown` there is neither a model nor a refutation; the error ends the solver,
            // and that is all.
            Some(reply) if reply.head() == Some("error") && judge.gave_up() => return judge.result,
            Some(reply) if is_refusal(reply) => {
                judge.result.declined = Some(format!("{command}: {reply}"));
                return judge.result;
            }
            Some(reply) if reply.head() == Some("error") => {
                judge.fault(Kind::Error, format!("{command}: {reply}"));
            }
            Some(reply) => judge.reply(command, reply),
            None => judge.fault(Kind::Shape, format!("no reply to {command}")),
        }
    }
    if judge.result.faults.is_empty()
        && let Some(reply) = replies.next()
    {
        if is_refusal(reply) {
            judge.result.declined = Some(reply.to_string());
            return judge.result;
        }
        let kind = if reply.head() == Some("error") { Kind::Error } else { Kind::Shape };
        judge.fault(kind, format!("unexpected reply {reply}"));
    }
    judge.result
}

/// Whether a reply says that something is beyond the solver, which is neither an answer nor wrong.
fn is_refusal(reply: &Sexp) -> bool {
    let text = reply.to_string();
    let reasons = ["unsupported", "not supported", "incomplete: "];
    reply.head() == Some("error") && reasons.iter().any(|reason| text.contains(reason))
}

/// Whether a command prints a reply.
fn answers(command: &Sexp) -> bool {
    command.head().is_some_and(|head| {
        head.starts_with("check-")
            || head.starts_with("get-")
            || ["echo", "eval", "query"].contains(&head)
    })
}

/// Whether an element of a model is the `define-fun` of this constant or function.
fn defines(item: &Sexp, declaration: &Declaration) -> bool {
    let name = item.arguments().first().and_then(Sexp::atom);
    item.head() == Some("define-fun")
        && name.map(symbol_name) == Some(symbol_name(&declaration.name))
}

/// Whether a definition has as many parameters as the declaration; their sorts may be spelt by
/// abbreviations.
fn fits(definition: &Sexp, declaration: &Declaration) -> bool {
    let parameters = definition.arguments().get(1).and_then(Sexp::list);
    parameters.is_some_and(|parameters| parameters.len() == declaration.parameters.len())
}

#[derive(Default)]
struct Judge<'a> {
    context: Context,
    reference: &'a [Answer],
    result: Judgement,
    /// Assumptions of the last check.
    assumptions: Vec<Sexp>,
    /// Definitions of the model printed since the last check.
    model: Option<Vec<String>>,
    /// Elements of declared sorts printed since the last check.
    elements: Elements,
    /// Interpolants printed since the last check: arguments and labelling, strength, formulas.
    interpolants: Vec<(String, usize, Vec<Sexp>)>,
}

impl Judge<'_> {
    fn fault(&mut self, kind: Kind, message: String) {
        self.result.faults.push(Fault { kind, message });
    }

    /// Whether the last answer was `unknown`.
    fn gave_up(&self) -> bool {
        self.result.answers.last() == Some(&Answer::Unknown)
    }

    fn require(
        &mut self,
        kind: Kind,
        expected: Answer,
        mut commands: Vec<String>,
        assertions: &[String],
    ) {
        commands.extend(assertions.iter().map(|term| format!("(assert {term})")));
        self.result.obligations.push(Obligation { kind, commands, expected });
    }

    fn reply(&mut self, command: &Sexp, reply: &Sexp) {
        match command.head() {
            Some("check-sat" | "check-sat-assuming") => self.answer(command, reply),
            // What a query asks for is a predicate, not a list of assumptions.
            Some("query") => self.answer(&Sexp::List(Vec::new()), reply),
            Some("get-model") => self.model(reply),
            Some("get-value") => self.values(command, reply),
            Some("eval") => {
                let terms = command.arguments().iter().take(1);
                self.confirm_values(terms.map(|term| (term, reply)).collect());
            }
            Some("get-unsat-core") => self.core(reply),
            Some("get-unsat-assumptions") => self.unsat_assumptions(reply),
            Some("get-interpolants") => self.interpolants(command, reply),
            Some("get-dag-interpolants") => {
                self.shaped(command, shapes::graph(&self.context, command, reply));
            }
            Some("get-disjunctive-interpolants") => {
                self.shaped(command, shapes::marked(&self.context, command, reply));
            }
            _ => {}
        }
    }

    fn answer(&mut self, command: &Sexp, reply: &Sexp) {
        let Some(answer) = reply.atom().and_then(Answer::from_word) else {
            return self.fault(Kind::Shape, format!("{command}: {reply} is no answer"));
        };
        let at = self.result.answers.len();
        self.result.answers.push(answer);
        self.assumptions = command.arguments().first().and_then(Sexp::list).unwrap_or(&[]).to_vec();
        self.model = None;
        self.elements = Elements::default();
        self.interpolants.clear();
        let known =
            self.context.options.remove(":status").and_then(|word| Answer::from_word(&word));
        let differs = |other: Answer| {
            other != answer && other != Answer::Unknown && answer != Answer::Unknown
        };
        if let Some(other) = self.reference.get(at).copied()
            && differs(other)
        {
            let message =
                format!("check {at}: {} but the reference says {}", answer.word(), other.word());
            self.fault(Kind::Answer, message);
        } else if let Some(known) = known
            && differs(known)
        {
            let message =
                format!("check {at}: {} but {} by construction", answer.word(), known.word());
            self.fault(Kind::Status, message);
        }
    }

    /// The asserted terms and the assumptions of the last check.
    fn asserted(&self) -> Vec<String> {
        let terms = self.context.assertions.iter().map(|a| a.term.to_string());
        terms.chain(self.assumptions.iter().map(Sexp::to_string)).collect()
    }

    /// Commands that give the symbols in scope their meaning in the printed model.
    fn interpretation(&self, model: &[String]) -> Vec<String> {
        let mut commands: Vec<String> = self.context.sorts.iter().map(Sexp::to_string).collect();
        commands.extend(self.elements.commands());
        commands.extend_from_slice(model);
        commands.extend(self.context.definitions.iter().map(Sexp::to_string));
        commands
    }

    fn model(&mut self, reply: &Sexp) {
        let mut model = Vec::new();
        for item in reply.list().unwrap_or(&[]) {
            self.elements.collect(item, &self.context.sorts);
        }
        for declaration in &self.context.declarations {
            let definitions: Vec<&Sexp> = reply
                .list()
                .unwrap_or(&[])
                .iter()
                .filter(|item| defines(item, declaration))
                .collect();
            let [definition] = definitions.as_slice() else {
                let message =
                    format!("the model defines {} {} times", declaration.name, definitions.len());
                return self.fault(Kind::Model, message);
            };
            if !fits(definition, declaration) {
                let message = format!("{definition} has not the arguments of its declaration");
                return self.fault(Kind::Model, message);
            }
            model.push(definition.to_string());
        }
        let commands = self.interpretation(&model);
        let asserted = self.asserted();
        self.require(Kind::Model, Answer::Sat, commands, &asserted);
        self.model = Some(model);
    }

    fn values(&mut self, command: &Sexp, reply: &Sexp) {
        let terms = command.arguments().first().and_then(Sexp::list).unwrap_or(&[]);
        let pairs = reply.list().unwrap_or(&[]);
        if terms.len() != pairs.len() {
            return self.fault(Kind::Shape, format!("{command}: {reply}"));
        }
        let mut values = Vec::with_capacity(terms.len());
        for (term, pair) in terms.iter().zip(pairs) {
            let Some([_, value]) = pair.list() else {
                return self.fault(Kind::Shape, format!("{command}: {pair} is no pair"));
            };
            values.push((term, value));
        }
        self.confirm_values(values);
    }

    /// Terms have these values, in the printed model if there is one.
    fn confirm_values(&mut self, values: Vec<(&Sexp, &Sexp)>) {
        let mut asserted = self.asserted();
        for (term, value) in values {
            self.elements.collect(value, &self.context.sorts);
            asserted.push(format!("(= {term} {value})"));
        }
        let commands = match &self.model {
            Some(model) => self.interpretation(model),
            None => self.context.prelude().into_iter().chain(self.elements.commands()).collect(),
        };
        self.require(Kind::Value, Answer::Sat, commands, &asserted);
    }

    fn core(&mut self, reply: &Sexp) {
        let names: Vec<&str> = reply.list().unwrap_or(&[]).iter().filter_map(Sexp::atom).collect();
        let mut asserted: Vec<String> = self
            .context
            .assertions
            .iter()
            .filter(|a| a.name.is_none())
            .map(|a| a.term.to_string())
            .collect();
        for (i, name) in names.iter().enumerate() {
            match self.context.named(name) {
                Some(assertion) if !names[..i].contains(name) => {
                    asserted.push(assertion.term.to_string());
                }
                _ => {
                    return self
                        .fault(Kind::Core, format!("{name} is repeated or not asserted: {reply}"));
                }
            }
        }
        let commands = self.context.prelude();
        self.require(Kind::Core, Answer::Unsat, commands, &asserted);
    }

    fn unsat_assumptions(&mut self, reply: &Sexp) {
        let chosen = reply.list().unwrap_or(&[]);
        if let Some(foreign) = chosen.iter().find(|literal| !self.assumptions.contains(literal)) {
            return self.fault(Kind::Assumptions, format!("{foreign} was not assumed: {reply}"));
        }
        let mut asserted: Vec<String> =
            self.context.assertions.iter().map(|a| a.term.to_string()).collect();
        asserted.extend(chosen.iter().map(Sexp::to_string));
        let commands = self.context.prelude();
        self.require(Kind::Assumptions, Answer::Unsat, commands, &asserted);
    }

    fn interpolants(&mut self, command: &Sexp, reply: &Sexp) {
        let partition = match Partition::new(&self.context, command.arguments()) {
            Ok(partition) => partition,
            Err(message) => return self.fault(Kind::Shape, message),
        };
        let interpolants = reply.list().unwrap_or(&[]).to_vec();
        if interpolants.len() + 1 != partition.len() {
            return self.fault(Kind::Shape, format!("{} groups, but {reply}", partition.len()));
        }
        for (node, interpolant) in interpolants.iter().enumerate() {
            let shared = partition.shared_symbols(&self.context, node);
            if let Some(foreign) =
                self.context.symbols(interpolant).into_iter().find(|s| !shared.contains(s))
            {
                let message = format!(
                    "`{foreign}` is not shared, in interpolant {node} of {command}: {interpolant}"
                );
                return self.fault(Kind::Symbols, message);
            }
        }
        for node in 0..partition.len() {
            let mut asserted: Vec<String> =
                partition.terms(node).iter().map(Sexp::to_string).collect();
            asserted.extend(
                partition.children(node).into_iter().map(|child| interpolants[child].to_string()),
            );
            if let Some(interpolant) = interpolants.get(node) {
                asserted.push(format!("(not {interpolant})"));
            }
            let commands = self.context.prelude();
            self.require(Kind::Interpolant, Answer::Unsat, commands, &asserted);
        }
        self.compare_strength(command, &interpolants);
    }

    /// Interpolants of a graph or at marked positions.
    fn shaped(&mut self, command: &Sexp, claims: Result<Claims, String>) {
        let claims = match claims {
            Ok(claims) => claims,
            Err(message) => return self.fault(Kind::Shape, message),
        };
        let functions = self.context.declarations.iter().filter(|d| !d.parameters.is_empty());
        let functions: Vec<String> = functions.map(|d| symbol_name(&d.name).to_owned()).collect();
        for (interpolant, shared) in claims.scopes {
            let symbols = self.context.symbols(&interpolant);
            let is_foreign = |s: &&String| !shared.contains(*s) && !functions.contains(s);
            if let Some(foreign) = symbols.iter().find(is_foreign) {
                let message = format!("`{foreign}` is not shared, in {interpolant} of {command}");
                return self.fault(Kind::Symbols, message);
            }
        }
        for asserted in claims.contradictions {
            let commands = self.context.prelude();
            self.require(Kind::Interpolant, Answer::Unsat, commands, &asserted);
        }
    }

    /// For one proof, split and labelling the arithmetic algorithms are ordered by strength
    /// ([BHKS19] §4.2 for the reals).
    fn compare_strength(&mut self, command: &Sexp, interpolants: &[Sexp]) {
        let option = |key: &str| self.context.options.get(key).cloned();
        let Some(boolean) = option(":interpolation-bool-algorithm") else { return };
        let Some(algorithm) = option(":interpolation-lra-algorithm") else { return };
        let Some(strength) = ARITHMETIC_ALGORITHMS.iter().position(|name| *name == algorithm)
        else {
            return;
        };
        // Integers have no such order, and lemmas about other theories are not made by these
        // algorithms.
        let is_real = |d: &Declaration| {
            ["Bool", "Real"].contains(&d.sort.as_str()) && d.parameters.is_empty()
        };
        let all_real = self.context.declarations.iter().all(is_real);
        let question = format!("{command} {boolean}");
        for (earlier_question, earlier, formulas) in self.interpolants.clone() {
            // Two factors are not comparable by name alone. In sequences and trees the algorithms
            // may be mixed, since not every one of them keeps the side conditions.
            let one = interpolants.len() == 1;
            if !one || !all_real || earlier_question != question || earlier == strength {
                continue;
            }
            for (old, new) in formulas.iter().zip(interpolants) {
                let (strong, weak) = if earlier < strength { (old, new) } else { (new, old) };
                let asserted = [strong.to_string(), format!("(not {weak})")];
                let commands = self.context.prelude();
                self.require(Kind::Strength, Answer::Unsat, commands, &asserted);
            }
        }
        self.interpolants.push((question, strength, interpolants.to_vec()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexp::parse_all;

    fn check(
        script: &str,
        output: &str,
        reference: &[Answer],
        faults: &[Kind],
        obligations: &[Kind],
    ) {
        let judgement = judge(&parse_all(script).unwrap(), output, reference);
        let found: Vec<Kind> = judgement.faults.iter().map(|fault| fault.kind).collect();
        assert_eq!(found, faults, "{output}: {:?}", judgement.faults);
        let open: Vec<Kind> =
            judgement.obligations.iter().map(|obligation| obligation.kind).collect();
        assert_eq!(open, obligations, "{output}");
    }

    #[test]
    fn answers_and_models() {
        let script =
            "(declare-const x Int)(assert (> x 2))(set-info :status sat)(check-sat)(get-model)";
        let model = "sat\n((define-fun x () Int 3))";
        check(script, model, &[Answer::Sat], &[], &[Kind::Model]);
        check(script, model, &[Answer::Unsat], &[Kind::Answer], &[]);
        check(script, "unsat\n()", &[], &[Kind::Status], &[]);
        check(script, "sat\n()", &[], &[Kind::Model], &[]);
        check(script, "sat", &[], &[Kind::Shape], &[]);
        check(script, "sat\n(error \"oh\")", &[], &[Kind::Error], &[]);
        check(script, "unknown\n(error \"no model\")", &[], &[], &[]);
        let refused = "sat\n(error \"there is no model: unsupported: arrays\")";
        check(script, refused, &[], &[], &[]);
        assert!(judge(&parse_all(script).unwrap(), refused, &[]).declined.is_some());
    }

    #[test]
    fn models_of_functions() {
        let script = "(declare-sort S 0)(declare-fun f (S Int) S)(declare-const a S)(assert (distinct a (f a 1)))
            (check-sat)(get-model)(get-value ((f a 2)))";
        let elements = "(as @S!0 S)";
        let f = "(define-fun f ((x S) (y Int)) S (as @S!1 S))";
        let output = format!("sat ((define-fun a () S {elements}) {f}) (((f a 2) (as @S!2 S)))");
        check(script, &output, &[], &[], &[Kind::Model, Kind::Value]);
        let judgement = judge(&parse_all(script).unwrap(), &output, &[]);
        let [model, value] = judgement.obligations.as_slice() else { panic!("two obligations") };
        assert_eq!(model.commands[0], "(declare-sort S 0)");
        assert!(model.commands.iter().any(|c| c == "(assert (distinct |@S!0| |@S!1|))"));
        assert!(value.commands.iter().any(|c| c == "(assert (distinct |@S!0| |@S!1| |@S!2|))"));
        assert!(value.commands.iter().any(|c| c == "(assert (= (f a 2) (as @S!2 S)))"));
        let evaluated = script.replace("(get-value ((f a 2)))", "(eval (f a 2))");
        let values = output.replace("(((f a 2) (as @S!2 S)))", "(as @S!2 S)");
        check(&evaluated, &values, &[], &[], &[Kind::Model, Kind::Value]);
        let missing = format!("sat ((define-fun a () S {elements})) ()");
        check(script, &missing, &[], &[Kind::Model], &[]);
        let wrong = output.replace(" (y Int)", "");
        check(script, &wrong, &[], &[Kind::Model], &[]);
    }

    #[test]
    fn function_symbols_are_symbols() {
        let script = "(declare-fun f (Int) Int)(declare-const x Int)(declare-const y Int)
            (assert (! (= x y) :named A))(assert (! (distinct (f x) (f y)) :named B))
            (check-sat)(get-interpolants A B)";
        check(script, "unsat ((= x y))", &[], &[], &[Kind::Interpolant; 2]);
        check(script, "unsat ((= (f x) (f y)))", &[], &[Kind::Symbols], &[]);
    }

    #[test]
    fn interpolants_of_graphs_and_marked_formulas() {
        let script = "(declare-const x Int)(declare-const y Int)
            (get-dag-interpolants ((a b (= x 0)) (b c (< x y)) (c d (< y 0))) ((b (>= x 0))))";
        let three = [Kind::Interpolant; 3];
        check(script, "((a true) (b (>= x 0)) (c (> y 0)) (d false))", &[], &[], &three);
        check(script, "((a true) (b (>= y 0)) (c (> y 0)) (d false))", &[], &[Kind::Symbols], &[]);
        check(script, "((a true) (b true) (c true) (d true))", &[], &[Kind::Shape], &[]);
        check(script, "((a true) (b true) (c true))", &[], &[Kind::Shape], &[]);
        let script = "(declare-const x Int)(declare-const y Int)
            (get-disjunctive-interpolants (and (< x 0) (or (! (and (= x y) (! (> y 0) :named p)) :named q) (> x 1))))";
        check(script, "((p (> y 0)) (q (> x 0)))", &[], &[], &three);
        check(script, "((p (> y 0)) (q (> y 0)))", &[], &[Kind::Symbols], &[]);
        check(script, "((p (> y 0)))", &[], &[Kind::Shape], &[]);
    }

    #[test]
    fn interpolants() {
        let script = "(declare-const x Real)(declare-const y Real)(declare-const z Real)
            (set-option :interpolation-bool-algorithm pudlak)
            (assert (! (and (< x y) (< y 0)) :named A))(assert (! (> x z) :named B))(assert (! (> z 0) :named C))
            (check-sat)(set-option :interpolation-lra-algorithm farkas)(get-interpolants A B C)
            (set-option :interpolation-lra-algorithm dual-farkas)(get-interpolants A B C)";
        let three = [Kind::Interpolant; 3];
        let once = "unsat ((< x 0) (< z 0))";
        let all = [&three[..], &three].concat();
        check(script, &format!("{once} ((<= x 0) (<= z 0))"), &[], &[], &all);
        check(script, &format!("{once} ((< y 0) (<= z 0))"), &[], &[Kind::Symbols], &three);
        check(script, &format!("{once} ((< x 0))"), &[], &[Kind::Shape], &three);
        let script = script.replace("A B C", "A (and B C)");
        let all = [
            Kind::Interpolant,
            Kind::Interpolant,
            Kind::Interpolant,
            Kind::Interpolant,
            Kind::Strength,
        ];
        check(&script, "unsat ((< x 0)) ((<= x 0))", &[], &[], &all);
    }
}
