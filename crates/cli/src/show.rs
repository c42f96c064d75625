//! `shofar info` and `shofar graph`: what the clauses of a problem look like. `shofar engines`: what can solve them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use shofar_base::Budget;
use shofar_chc::read::HornProblem;
use shofar_chc::{ChcGraph, ChcSystem};
use shofar_draw::{Captions, graph_dot, graph_svg};
use shofar_engine::{ENGINES, EngineInfo};
use shofar_term::print::print_sort;
use shofar_term::{Cx, Sort, TermStore};
use shofar_transform::{Measure, is_arithmetic, passes_before_abstraction};

use crate::arguments::{GraphArguments, InfoArguments};
use crate::output::Channel;
use crate::text::{Text, fail};

/// `shofar info FILE`.
pub(crate) fn info(arguments: &InfoArguments) -> ExitCode {
    with_problems(arguments.file.as_deref(), |_, store, problem| {
        let graph = ChcGraph::new(&problem.system);
        let measure = Measure::of(store, &problem.system);
        let recursive = problem.system.preds().filter(|&p| graph.has_loop(p)).count();
        format!(
            "shape:        {}\npredicates:   {}\narguments:    {}\nsorts:        {}\nclauses:      {}\nfacts:        {}\nqueries:      {}\nself-loops:   {}\ncomponents:   {}\n",
            graph.shape(),
            measure.preds,
            measure.arguments,
            sorts(store, &problem.system),
            measure.clauses,
            problem.system.clauses().filter(|(_, c)| c.is_fact()).count(),
            graph.queries().len(),
            recursive,
            graph.components().len(),
        ) + &simplified(store, &problem.system)
    })
}

/// What the passes leave of clauses about arrays, data types or bits: records are flattened, unneeded arguments dropped.
fn simplified(store: &TermStore, system: &ChcSystem) -> String {
    if is_arithmetic(store, system) {
        return String::new();
    }
    let (mut store, budget) = (store.clone(), Budget::unlimited());
    let mut cx = Cx::new(&mut store, &budget);
    match passes_before_abstraction().run(&mut cx, system.clone(), &mut |_| ()) {
        Ok((left, _)) => {
            let arguments = Measure::of(&store, &left).arguments;
            format!("flattened:    {arguments} arguments of sorts {}\n", sorts(&store, &left))
        }
        Err(why) => format!("flattened:    {why}\n"),
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
    with_problems(arguments.file.as_deref(), move |text, store, problem| {
        let captions = Captions::new(problem, &text.bytes);
        let draw = if svg { graph_svg } else { graph_dot };
        draw(store, &problem.system, &captions)
    })
}

/// `shofar engines`.
pub(crate) fn engines() -> ExitCode {
    let (output, _) = Channel::standard();
    for EngineInfo { name, about, cites, options, .. } in ENGINES {
        output.write(&format!("{name:<10} {about} [{cites}]\n"));
        for option in options.iter().flat_map(|group| group.options) {
            output.write(&format!("{:<10}   --{}: {}\n", "", option.name, option.about));
        }
    }
    output.close(ExitCode::SUCCESS)
}

fn with_problems(
    file: Option<&Path>,
    show: impl Fn(&Text, &TermStore, &HornProblem) -> String,
) -> ExitCode {
    let (output, errors) = Channel::standard();
    let text = match Text::read(file) {
        Ok(text) => text,
        Err(message) => return fail(&message, &errors),
    };
    let mut store = TermStore::new();
    let problems = match text.clauses(&mut store, &errors) {
        Ok(problems) => problems,
        Err(code) => return code,
    };
    for problem in &problems {
        output.write(&show(&text, &store, problem));
    }
    output.close(ExitCode::SUCCESS)
}
