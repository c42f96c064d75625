//! `shofar info` and `shofar graph`: what the clauses of a problem look like.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use shofar_base::Budget;
use shofar_chc::read::HornProblem;
use shofar_chc::{ChcGraph, ChcSystem};
use shofar_draw::{Captions, graph_dot, graph_svg};
use shofar_rf::{Class, Form};
use shofar_term::print::print_sort;
use shofar_term::{Cx, Sort, TermStore};
use shofar_transform::{Measure, is_arithmetic, passes_before_abstraction};

use crate::arguments::{GraphArguments, InfoArguments};
use crate::language_options::LanguageArguments;
use crate::output::Channel;
use crate::report::quoted;
use crate::text::{Text, fail};

/// `shofar info FILE`.
pub(crate) fn info(arguments: &InfoArguments) -> ExitCode {
    let json = arguments.json;
    let status =
        with_problems(arguments.file.as_deref(), &arguments.languages, move |_, store, problem| {
            let mut rows = rows(store, &problem.system);
            let facts = problem.explain.iter().flat_map(|explain| explain.facts());
            rows.extend(facts.map(|(name, value)| (name, Shown::Text(value))));
            if json {
                let fields: Vec<String> = rows
                    .iter()
                    .map(|(key, value)| {
                        format!("{}:{}", quoted(&key.replace(' ', "_")), value.json())
                    })
                    .collect();
                return format!("{{{}}}\n", fields.join(","));
            }
            let line = |(key, value): &(&str, Shown)| {
                format!("{:<13} {}\n", format!("{key}:"), value.text())
            };
            rows.iter().map(line).collect()
        });
    if let (false, Ok(output)) = (json, &status) {
        output.write(&format!("\n{}", legend()));
    }
    status.map_or_else(|code| code, |output| output.close(ExitCode::SUCCESS))
}

/// What the words of `shofar info` mean.
const WORDS: [(&str, &str); 15] = [
    (
        "shape",
        "how predicates depend on each other: acyclic, one transition system, loops in a chain or a DAG, linear, nonlinear",
    ),
    ("predicates", "the unknowns that clauses are about"),
    ("arguments", "those of all predicates together"),
    ("sorts", "those of arguments and variables"),
    ("clauses", "as solvers get them: what is trivially true is left out"),
    ("facts", "clauses that derive a predicate from none"),
    ("queries", "clauses that derive false"),
    ("self-loops", "predicates that depend on themselves in one step"),
    ("components", "sets of predicates that depend on each other"),
    (
        "fragments",
        "classes of clauses that these belong to, see docs/formats.md, \"Recursion-free problems\"",
    ),
    ("well-founded", "whether no chain of resolutions is infinite"),
    ("interpolants", "the form of interpolants that solves clauses without recursion"),
    ("solvability", "how hard it is to decide such clauses over linear integer arithmetic"),
    ("data model", "the sizes of the types of C"),
    ("flattened", "what is left when records are flattened and arguments of no use dropped"),
];

/// The words with their meanings, one a line.
pub(crate) fn legend() -> String {
    let line = |(word, meaning): &(&str, &str)| format!("; {word:<13} {meaning}\n");
    WORDS.iter().map(line).collect()
}

/// What `shofar info --help` says at its end.
pub(crate) fn help() -> String {
    let line = |(word, meaning): &(&str, &str)| format!("  {word:<13} {meaning}\n");
    let lines: String = WORDS.iter().map(line).collect();
    format!("What is told:\n{}", lines.trim_end())
}

/// What is told about the clauses.
pub(crate) fn rows(store: &TermStore, system: &ChcSystem) -> Vec<(&'static str, Shown)> {
    let graph = ChcGraph::new(system);
    let measure = Measure::of(store, system);
    let recursive = system.preds().filter(|&p| graph.has_loop(p)).count();
    let class = Class::of(system);
    let form = class.form();
    let mut rows = vec![
        ("shape", Shown::Text(graph.shape().to_string())),
        ("predicates", Shown::Number(measure.preds)),
        ("arguments", Shown::Number(measure.arguments)),
        ("sorts", Shown::Text(sorts(store, system))),
        ("clauses", Shown::Number(measure.clauses)),
        ("facts", Shown::Number(system.clauses().filter(|(_, c)| c.is_fact()).count())),
        ("queries", Shown::Number(graph.queries().len())),
        ("self-loops", Shown::Number(recursive)),
        ("components", Shown::Number(graph.components().len())),
        ("fragments", Shown::List(class.names())),
        ("well-founded", well_founded(class)),
        ("interpolants", Shown::Text(form.map_or("none", Form::name).to_owned())),
        ("solvability", Shown::Text(form.map_or("undecidable", Form::complexity).to_owned())),
    ];
    rows.extend(flattened(store, system).map(|left| ("flattened", Shown::Text(left))));
    rows
}

/// Whether chains of resolutions end, and what follows from it.
fn well_founded(class: Class) -> Shown {
    let why = if class.recursion_free {
        "without recursion no chain of resolutions is infinite; renamable-Horn without a change of sign"
    } else {
        "some predicate depends on itself, so a chain of resolutions is infinite"
    };
    Shown::Flag(class.recursion_free, why)
}

/// How long may be spent on what is told about flattened clauses.
const FLATTENING: Duration = Duration::from_secs(2);

/// What the passes leave of clauses about arrays, data types or bits: records are flattened,
/// unneeded arguments dropped.
fn flattened(store: &TermStore, system: &ChcSystem) -> Option<String> {
    if is_arithmetic(store, system) {
        return None;
    }
    let (mut store, budget) = (store.clone(), Budget::until(Instant::now() + FLATTENING));
    let mut cx = Cx::new(&mut store, &budget);
    Some(match passes_before_abstraction().run(&mut cx, system.clone(), &mut |_| ()) {
        Ok((left, _)) => {
            let arguments = Measure::of(&store, &left).arguments;
            format!("{arguments} arguments of sorts {}", sorts(&store, &left))
        }
        Err(why) => why.to_string(),
    })
}

/// A value that is told.
pub(crate) enum Shown {
    Number(usize),
    Text(String),
    List(Vec<&'static str>),
    /// Yes or no, and why.
    Flag(bool, &'static str),
}

impl Shown {
    fn text(&self) -> String {
        match self {
            Shown::Number(number) => number.to_string(),
            Shown::Text(text) => text.clone(),
            Shown::List(items) if items.is_empty() => "none".to_owned(),
            Shown::List(items) => items.join(", "),
            Shown::Flag(true, why) => format!("yes: {why}"),
            Shown::Flag(false, why) => format!("no: {why}"),
        }
    }
    fn json(&self) -> String {
        match self {
            Shown::Number(number) => number.to_string(),
            Shown::Text(text) => quoted(text),
            Shown::List(items) => {
                let items: Vec<String> = items.iter().map(|item| quoted(item)).collect();
                format!("[{}]", items.join(","))
            }
            Shown::Flag(holds, _) => holds.to_string(),
        }
    }
}

/// The sorts of arguments and variables.
fn sorts(store: &TermStore, system: &ChcSystem) -> String {
    let arguments = system.preds().flat_map(|pred| system.sorts(store, pred)).copied();
    let variables = system.clauses().flat_map(|(_, clause)| clause.variables(store));
    let sorts: BTreeSet<Sort> =
        arguments.chain(variables.map(|variable| store.result(variable))).collect();
    let texts: Vec<_> = sorts.into_iter().map(|sort| print_sort(store, sort)).collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

/// `shofar graph FILE`.
pub(crate) fn graph(arguments: &GraphArguments) -> ExitCode {
    let svg = arguments.svg;
    let status = with_problems(
        arguments.file.as_deref(),
        &arguments.languages,
        move |text, store, problem| {
            let captions = Captions::new(problem, &text.bytes);
            let draw = if svg { graph_svg } else { graph_dot };
            draw(store, &problem.system, &captions)
        },
    );
    status.map_or_else(|code| code, |output| output.close(ExitCode::SUCCESS))
}

fn with_problems(
    file: Option<&Path>,
    languages: &LanguageArguments,
    show: impl Fn(&Text, &TermStore, &HornProblem) -> String,
) -> Result<Channel, ExitCode> {
    let (output, errors) = Channel::standard();
    let text = match Text::read(file) {
        Ok(text) => text,
        Err(message) => return Err(fail(&message, &errors)),
    };
    let mut store = TermStore::new();
    let problems = text.clauses(languages, &mut store, &errors)?;
    for problem in &problems {
        output.write(&show(&text, &store, problem));
    }
    Ok(output)
}
