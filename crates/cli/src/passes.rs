//! `shofar passes`: what is done to clauses before engines see them. `shofar passes NAME`: a pass
//! with its parameters.
//!
//! Everything is read off the table of passes; docs/passes.md has the same as a page, which a test
//! compares with it.

use std::ffi::OsStr;
use std::process::ExitCode;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};
use shofar_transform::{
    DEFAULT_PASSES, PASSES, PASSES_BEFORE_ABSTRACTION, Parameter, Pipeline, PipelineProblem,
};

use crate::arguments::PassesArguments;
use crate::help::column;
use crate::layout::{below, fill, list_width, row, width};
use crate::output::Channel;
use crate::spelling::hint;

/// `shofar passes` and `shofar passes NAME`.
pub(crate) fn passes(arguments: &PassesArguments) -> ExitCode {
    let (output, _) = Channel::standard();
    output.write(&match &arguments.name {
        Some(name) => page(name, width()),
        None => overview(list_width()),
    });
    output.close(ExitCode::SUCCESS)
}

/// How groups are written.
const GROUPS: &str = "\
Groups:
  when(CONDITION, PASSES)     CONDITION is linear, nonlinear, or clauses, predicates or arguments compared with a number, as in clauses>=1000 or arguments<50
  until_stable(PASSES)        at most 10 rounds; until_stable(rounds=N, PASSES) at most N
";

const POINTER: &str = "\
`shofar passes NAME` has the parameters of a pass, `shofar --passes PASSES FILE` runs these instead of the default ones, and `-v` tells what each of them does.";

/// All passes, each with a line, and those that run by default.
fn overview(width: usize) -> String {
    let mut out = String::new();
    let column = column(Pipeline::words().map(|(name, _)| name), 0);
    for (name, about) in Pipeline::words() {
        row(&mut out, 0, name, column, about, width);
    }
    // What is printed with blanks can be read with them.
    let text = format!(
        "\n{GROUPS}\nThe default:\n\n{}\n\nBefore arrays, data types or bit-vectors are abstracted, which the default follows:\n\n{}\n\n{POINTER}",
        DEFAULT_PASSES.replace(',', ", "),
        PASSES_BEFORE_ABSTRACTION.replace(',', ", ")
    );
    out + &fill(&text, width)
}

/// A pass with its parameters.
fn page(name: &str, width: usize) -> String {
    let about = Pipeline::words().find(|(word, _)| *word == name).map_or("", |(_, about)| about);
    let mut out = fill(&format!("{name}: {about}"), width) + "\n";
    let Some(info) = PASSES.iter().find(|info| info.name == name) else {
        return out + &fill(GROUPS, width);
    };
    if info.parameters.is_empty() {
        return out + "It has no parameters.\n";
    }
    out.push_str("Parameters:\n");
    let terms = column(info.parameters.iter().map(|parameter| parameter.name), 2);
    for parameter in info.parameters {
        row(&mut out, 2, parameter.name, terms, &explanation(parameter), width);
        let indent = below(terms, width) + 2;
        let values = column(parameter.choices.iter().map(|choice| choice.name), indent);
        for choice in parameter.choices {
            row(&mut out, indent, choice.name, values, choice.about, width);
        }
    }
    out
}

fn explanation(parameter: &Parameter) -> String {
    format!("{} [default: {}]", parameter.about, parameter.default.join("+"))
}

/// Reads passes as they are written on the command line.
#[derive(Clone, Copy)]
pub(crate) struct PassesParser;

fn read(text: &str) -> Result<Pipeline, String> {
    text.parse().map_err(|error: shofar_transform::PipelineError| match &error.problem {
        PipelineProblem::Unknown { word, known, .. } => format!("{error}{}", hint(word, known)),
        PipelineProblem::Expected(_) | PipelineProblem::Twice(_) | PipelineProblem::TooDeep => {
            error.to_string()
        }
    })
}

impl TypedValueParser for PassesParser {
    type Value = Pipeline;
    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Pipeline, Error> {
        read.parse_ref(command, argument, value)
    }
    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Pipeline::words().map(|(name, about)| PossibleValue::new(name).help(about))))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;

    const PAGE: &str = "docs/passes.md";

    const BEGIN: &str = "\
# Passes

Passes simplify the clauses before engines see them, and translate models and refutations back.
`--passes` runs others than the default ones, in this order, on the command line, in `--options` of `bench` and `submit`, and by `Solver::with_passes` in programs; `--no-preprocess` runs none.
`shofar passes` has this page in short, and `-v` tells what each pass does, and how long it takes.

```
shofar --passes 'simplify,until_stable(slice,eliminate),when(nonlinear,determined)' problem.smt2
```

| text | what happens |
|---|---|
| `a,b` | first `a`, then `b` |
| `a(parameter=value,other=value+value)` | a pass with parameters |
| `when(linear,a,b)`, `when(nonlinear,a,b)` | the passes run if the clauses are linear, or are not |
| `when(clauses>=1000,a,b)`, `when(arguments<50,a,b)` | the passes run if there are so many `clauses`, `predicates` or `arguments` (of all predicates together), or fewer |
| `until_stable(a,b)`, `until_stable(rounds=3,a,b)` | the passes run in rounds, until a round changes neither the numbers of clauses, predicates and arguments nor the size of constraints, 10 times or as often as the text says |

Blanks may stand between words. A mistake is told with its column.

This page is made from the tables of the program: `UPDATE=1 cargo test -p shofar-cli passes_are_on_a_page` writes it anew.
";

    fn markdown() -> String {
        let mut page = BEGIN.to_owned();
        page.push_str("\n## Passes\n\n| pass | what it does |\n|---|---|\n");
        for pass in PASSES {
            let _ = writeln!(page, "| `{}` | {} |", pass.name, pass.about);
        }
        for pass in PASSES.iter().filter(|pass| !pass.parameters.is_empty()) {
            let _ = write!(page, "\n## Parameters of {}\n\n", pass.name);
            page.push_str("| parameter | what it says |\n|---|---|\n");
            for parameter in pass.parameters {
                let _ = write!(page, "| `{}` | {}", parameter.name, explanation(parameter));
                for choice in parameter.choices {
                    let _ = write!(page, "<br>`{}`: {}", choice.name, choice.about);
                }
                page.push_str(" |\n");
            }
        }
        let _ = write!(
            page,
            "\n## The default\n\n```\n{DEFAULT_PASSES}\n```\n\nBefore arrays, data types or bit-vectors are abstracted, which the default follows:\n\n```\n{PASSES_BEFORE_ABSTRACTION}\n```\n"
        );
        page
    }

    #[test]
    fn passes_are_on_a_page() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(PAGE);
        let expected = markdown();
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, &expected).expect("the page can be written");
        }
        let found = std::fs::read_to_string(&path).expect("the page is there");
        assert!(found == expected, "{PAGE} is not what the table says; write it with UPDATE=1");
    }
}
