//! From the definitions of a text to an interpretation.
//!
//! The definitions are handed to the front end for SMT-LIB as a script. Then every predicate is
//! applied to fresh constants, which stand for its arguments from then on; the front end expands
//! the call, and what it gives is the body. The front end is in its mode for Horn clauses, in which
//! it reads quantifiers and knows no constants; the arguments are declared as variables of rules.

use shofar_base::{Diagnostic, Idx, Map, Span};
use shofar_chc::{ChcSystem, Definition, Interpretation, PredId};
use shofar_smtlib::{Command, Commands, Environment, Sentence, Step, product};
use shofar_term::print::{print_sort, print_sort_declarations, quote};
use shofar_term::symbols::{declared_sorts, with_parts};
use shofar_term::visit::postorder;
use shofar_term::{Cx, Sort, Symbol, TermStore};

use super::define::{Definitions, Entry};
use super::scan::{Kind, Scan};
use super::{Read, Unread};
use crate::quantifiers::without_quantifiers;

/// The model that the definitions at the place `whole` of `text` make.
pub(super) fn read(
    cx: &mut Cx<'_>,
    text: &str,
    whole: Span,
    definitions: &Definitions<'_>,
    system: &ChcSystem,
) -> Read<Interpretation> {
    check_complete(cx.store, whole, definitions, system)?;
    for pred in system.preds() {
        check_signature(cx.store, system, pred, definitions)?;
    }
    let mut script = Script::new(text);
    script.declare_types(cx.store, system);
    for entry in definitions.ordered(text)? {
        cx.budget.check()?;
        script.define(cx.store, entry)?;
    }
    let mut model = Interpretation::new();
    for pred in system.preds() {
        cx.budget.check()?;
        let entry = entry_of(cx.store, system, pred, definitions);
        let mut definition = script.definition(cx.store, system, pred, entry)?;
        definition.body = without_quantifiers(cx, definition.body)?;
        model.define(pred, definition);
    }
    Ok(model)
}

fn entry_of<'d, 't>(
    store: &TermStore,
    system: &ChcSystem,
    pred: PredId,
    definitions: &'d Definitions<'t>,
) -> &'d Entry<'t> {
    let name = printed_name(store, system.symbol(pred));
    definitions.get(&name).expect("every predicate is defined")
}

/// The name of a symbol as texts have it, without bars.
pub(super) fn printed_name(store: &TermStore, symbol: Symbol) -> String {
    let quoted = quote(store.name(symbol));
    quoted.trim_matches('|').to_owned()
}

/// How many missing definitions a complaint lists.
const LISTED: usize = 10;

fn check_complete(
    store: &TermStore,
    whole: Span,
    definitions: &Definitions<'_>,
    system: &ChcSystem,
) -> Read<()> {
    let names = system.preds().map(|pred| printed_name(store, system.symbol(pred)));
    let missing: Vec<String> = names.filter(|n| definitions.get(n).is_none()).collect();
    let [first, others @ ..] = &missing[..] else { return Ok(()) };
    let mut error = Diagnostic::new(whole, format!("the predicate `{first}` is not defined"));
    if !others.is_empty() {
        let shown: Vec<&str> = others.iter().take(LISTED).map(String::as_str).collect();
        let more = if others.len() > LISTED { ", …" } else { "" };
        error = error.note(format!("nor are {}{more}", shown.join(", ")));
    }
    Err(Box::new(Unread::Misfit(error)))
}

/// Whether parameters and result have the sorts of the declaration.
fn check_signature(
    store: &TermStore,
    system: &ChcSystem,
    pred: PredId,
    definitions: &Definitions<'_>,
) -> Read<()> {
    let entry = entry_of(store, system, pred, definitions);
    let declared = system.sorts(store, pred);
    let fits = entry.params.len() == declared.len()
        && entry
            .params
            .iter()
            .zip(declared)
            .all(|((_, found), sort)| is_same_text(found, &print_sort(store, *sort)))
        && entry.result == "Bool";
    if fits {
        return Ok(());
    }
    let sorts: Vec<String> =
        declared.iter().map(|&sort| print_sort(store, sort).into_owned()).collect();
    let message = format!("`{}` is declared as ({}) Bool", entry.name.text, sorts.join(" "));
    Err(entry.name.misfit(message))
}

/// Whether two expressions have the same tokens.
fn is_same_text(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (Scan::new(one), Scan::new(other));
    loop {
        let (Ok(a), Ok(b)) = (one.next(), other.next()) else { return false };
        let same_kind = a.kind == b.kind || a.is_name() && b.is_name();
        if !same_kind || a.text != b.text {
            return false;
        }
        if a.kind == Kind::End {
            return true;
        }
    }
}

/// The front end, and where in the text its input comes from.
struct Script {
    commands: Commands,
    env: Environment,
    /// How many bytes it was fed.
    fed: usize,
    /// How the names of arguments begin; the text has no such name.
    prefix: String,
    arguments: Map<(usize, Sort), Symbol>,
}

impl Script {
    fn new(text: &str) -> Self {
        let mut prefix = String::from("argument!");
        while text.contains(&prefix) {
            prefix.push('!');
        }
        Self {
            commands: Commands::new(),
            env: Environment::for_horn(),
            fed: 0,
            prefix,
            arguments: Map::default(),
        }
    }
    /// Declares the data types of the problem: first those of the predicates, then others that do
    /// not clash with them.
    fn declare_types(&mut self, store: &mut TermStore, system: &ChcSystem) {
        let symbols: Vec<Symbol> = system.preds().map(|pred| system.symbol(pred)).collect();
        let mut sorts = declared_sorts(store, &symbols);
        let others: Vec<Sort> = store.data_types().filter(|sort| !sorts.contains(sort)).collect();
        sorts.extend(with_parts(store, others));
        for declaration in print_sort_declarations(store, &sorts) {
            // What clashes was in another scope, and what is missing then has no meaning in the
            // text, either.
            let _ = self.run(store, &declaration);
        }
    }
    /// Elaborates one command; places in errors count from its beginning.
    fn run(&mut self, store: &mut TermStore, command: &str) -> Result<Sentence, Diagnostic> {
        let base = self.fed;
        self.commands.feed(command.as_bytes());
        // The reader forgets what it has read line by line.
        self.commands.feed(b"\n");
        self.fed += command.len() + 1;
        match self.commands.next(&mut self.env, store) {
            Ok(Step::Sentence(sentence)) => Ok(sentence),
            Ok(Step::NeedInput | Step::End) => {
                let whole = Span::new(0, command.len());
                Err(Diagnostic::new(whole, "this definition does not end properly"))
            }
            Err(mut error) => {
                let local = |at: usize| at.saturating_sub(base).min(command.len());
                error.span = Span::new(local(error.span.start), local(error.span.end));
                Err(error)
            }
        }
    }
    fn define(&mut self, store: &mut TermStore, entry: &Entry<'_>) -> Read<()> {
        let start = entry.span.start;
        self.run(store, entry.source).map(|_| ()).map_err(|mut error| {
            error.span = Span::new(start + error.span.start, start + error.span.end);
            Box::new(Unread::Malformed(error))
        })
    }
    /// The meaning of a predicate, over constants of ours.
    fn definition(
        &mut self,
        store: &mut TermStore,
        system: &ChcSystem,
        pred: PredId,
        entry: &Entry<'_>,
    ) -> Read<Definition> {
        let sorts = system.sorts(store, pred).to_vec();
        let params = self.params(store, &sorts);
        let mut call = quote(store.name(system.symbol(pred))).into_owned();
        if !params.is_empty() {
            let args: Vec<&str> = params.iter().map(|&p| store.name(p)).collect();
            call = format!("({call} {})", args.join(" "));
        }
        let sentence = self.run(store, &format!("(assert {call})")).map_err(|mut error| {
            error.span = entry.body;
            Box::new(Unread::Malformed(error))
        })?;
        let Command::Assert { term: body, .. } = sentence.command else {
            unreachable!("an assertion was read")
        };
        // A product of unknowns is kept as a marker, which means nothing here.
        if let Some(found) =
            postorder(store, &[body]).into_iter().find_map(|term| product(store, term))
        {
            let diagnostic = Diagnostic::new(entry.body, found.operator.complaint());
            return Err(Box::new(Unread::Malformed(diagnostic)));
        }
        Ok(Definition { params, body })
    }
    fn params(&mut self, store: &mut TermStore, sorts: &[Sort]) -> Vec<Symbol> {
        let mut params = Vec::with_capacity(sorts.len());
        for (at, &sort) in sorts.iter().enumerate() {
            if let Some(&symbol) = self.arguments.get(&(at, sort)) {
                params.push(symbol);
                continue;
            }
            let name = format!("{}{at}!{}", self.prefix, sort.index());
            let declared =
                self.run(store, &format!("(declare-var {name} {})", print_sort(store, sort)));
            declared.expect("the name is new");
            let symbol = store.declare(&name, &[], sort);
            self.arguments.insert((at, sort), symbol);
            params.push(symbol);
        }
        params
    }
}
