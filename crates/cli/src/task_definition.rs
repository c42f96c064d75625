//! Definitions of verification tasks, as the competition on software verification has them (`.yml`,
//! format 2.0 and 2.1).
//!
//! A definition names the program, what is asked about it, and the data model of its machine. In
//! front of every command that reads a problem it is replaced by what it says: the file is the
//! program, and the options are those of the definition unless the command line has others. Of
//! several properties the first one that can be answered is asked about.
//!
//! | property file | question |
//! |---|---|
//! | `unreach-call.prp` | safety |
//! | `no-overflow.prp` | safety, with an overflow as the only violation |
//! | `termination.prp` | termination |

use std::path::{Path, PathBuf};

use shofar_base::{Diagnostic, Source, Span};

use crate::arguments::{Arguments, PropertyArgument, SolveArguments, Task};
use crate::input;
use crate::language_options::LanguageArguments;
use crate::text::Complaint;
use crate::yaml::{Content, Node, parse};

/// What a definition says.
#[derive(Debug, PartialEq, Eq)]
struct Definition {
    program: String,
    property: PropertyArgument,
    /// The option of the reader of C, with its value.
    arithmetic: Choice,
    model: Option<&'static str>,
}

/// An option of a reader with its value, if there is one.
type Choice = Option<(&'static str, &'static str)>;

/// The properties that can be asked about, in the order in which they are chosen.
const PROPERTIES: [(&str, PropertyArgument, Choice); 3] = [
    ("unreach-call", PropertyArgument::Safety, None),
    ("no-overflow", PropertyArgument::Safety, Some(("c-arith", "overflow-only"))),
    ("termination", PropertyArgument::Termination, None),
];

/// Puts a definition's program and options in the place of the definition, wherever the command
/// line names one.
pub(crate) fn resolve(arguments: &mut Arguments) -> Result<(), Complaint> {
    match &mut arguments.task {
        None => resolve_solve(&mut arguments.solve)?,
        Some(Task::Solve(solve)) => resolve_solve(solve)?,
        Some(Task::Check(check)) => {
            replace(&mut check.file, &mut check.languages, None)?;
        }
        Some(Task::Info(info)) => {
            let Some(file) = &mut info.file else { return Ok(()) };
            replace(file, &mut info.languages, None)?;
        }
        Some(Task::Graph(graph)) => {
            let Some(file) = &mut graph.file else { return Ok(()) };
            replace(file, &mut graph.languages, None)?;
        }
        Some(Task::Translate(translate)) => {
            let Some(file) = &mut translate.file else { return Ok(()) };
            replace(file, &mut translate.languages, None)?;
        }
        #[cfg(feature = "cluster")]
        Some(
            Task::Submit(_)
            | Task::Worker(_)
            | Task::Collect(_)
            | Task::Cancel(_)
            | Task::Cluster(_),
        ) => {}
        Some(
            Task::Smt(_)
            | Task::Engines(_)
            | Task::Passes(_)
            | Task::Bench(_)
            | Task::StandBy
            | Task::SolcShim(_)
            | Task::As(_)
            | Task::Generate(_)
            | Task::Manual(_)
            | Task::Completions(_),
        ) => {}
    }
    Ok(())
}

fn resolve_solve(solve: &mut SolveArguments) -> Result<(), Complaint> {
    let Some(file) = &mut solve.file else { return Ok(()) };
    let property = replace(file, &mut solve.languages, solve.property)?;
    solve.property = solve.property.or(property);
    Ok(())
}

/// Replaces a file by the program that it names if it is a definition; says what is asked then.
fn replace(
    file: &mut PathBuf,
    languages: &mut LanguageArguments,
    wanted: Option<PropertyArgument>,
) -> Result<Option<PropertyArgument>, Complaint> {
    let extension = file.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    if !matches!(extension.as_deref(), Some("yml" | "yaml")) {
        return Ok(None);
    }
    let bytes = input::read(Some(file.as_path())).map_err(|why| Complaint::of_option(&why))?;
    let name = input::name(Some(file.as_path()));
    let complaint = |error: &Diagnostic| Complaint::new(error, &name, &Source::new(&bytes));
    let definition = definition(&bytes, wanted).map_err(|error| complaint(&error))?;
    languages.suggest(definition.arithmetic.into_iter());
    languages.suggest(definition.model.map(|model| ("data-model", model)).into_iter());
    *file = file.parent().unwrap_or(Path::new("")).join(definition.program);
    Ok(Some(definition.property))
}

/// Reads a definition.
fn definition(bytes: &[u8], wanted: Option<PropertyArgument>) -> Result<Definition, Diagnostic> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Diagnostic::new(Span::new(at, at + 1), "this is no UTF-8")
    })?;
    let root = parse(text)?;
    let version = required(&root, "format_version")?;
    if !matches!(scalar(version)?, "2.0" | "2.1") {
        let message = "only versions 2.0 and 2.1 of task definitions are supported";
        return Err(Diagnostic::new(version.span, message));
    }
    let files = required(&root, "input_files")?;
    let program = match &files.content {
        Content::Sequence(items) => {
            let [only] = &items[..] else {
                let message = "tasks of several files are not supported";
                return Err(Diagnostic::new(files.span, message));
            };
            scalar(only)?
        }
        Content::Scalar(_) | Content::Nothing | Content::Mapping(_) => scalar(files)?,
    };
    let (property, arithmetic) = asked(required(&root, "properties")?, wanted)?;
    let model = match root.get("options") {
        Some(options) => model(options)?,
        None => None,
    };
    Ok(Definition { program: program.to_owned(), property, arithmetic, model })
}

/// What is asked, by the names of the property files.
fn asked(
    properties: &Node,
    wanted: Option<PropertyArgument>,
) -> Result<(PropertyArgument, Choice), Diagnostic> {
    let Content::Sequence(items) = &properties.content else {
        return Err(Diagnostic::new(properties.span, "a list of properties is expected here"));
    };
    let mut named = Vec::new();
    for item in items {
        let file = required(item, "property_file")?;
        let path = scalar(file)?;
        let name = path.rsplit('/').next().unwrap_or(path);
        named.push((name.strip_suffix(".prp").unwrap_or(name), file.span));
    }
    for (known, property, arithmetic) in PROPERTIES {
        let is_wanted = wanted.is_none_or(|wanted| wanted == property);
        if is_wanted && named.iter().any(|(name, _)| *name == known) {
            return Ok((property, arithmetic));
        }
    }
    if let Some(wanted) = wanted {
        // The command line asks about something else than the definition.
        return Ok((wanted, None));
    }
    let (name, span) = named.first().copied().unwrap_or(("nothing", properties.span));
    let known: Vec<&str> = PROPERTIES.iter().map(|(known, ..)| *known).collect();
    let message = format!("the property `{name}` is not supported");
    Err(Diagnostic::new(span, message).note(format!("supported are {}", known.join(", "))))
}

fn model(options: &Node) -> Result<Option<&'static str>, Diagnostic> {
    if let Some(language) = options.get("language").filter(|node| scalar(node) != Ok("C")) {
        return Err(Diagnostic::new(language.span, "tasks in this language are not supported"));
    }
    let Some(model) = options.get("data_model") else { return Ok(None) };
    match scalar(model)? {
        "ILP32" => Ok(Some("ILP32")),
        "LP64" => Ok(Some("LP64")),
        _ => Err(Diagnostic::new(model.span, "a data model is ILP32 or LP64")),
    }
}

fn required<'n>(node: &'n Node, key: &str) -> Result<&'n Node, Diagnostic> {
    let missing = || Diagnostic::new(node.span, format!("`{key}` is missing here"));
    node.get(key).ok_or_else(missing)
}

fn scalar(node: &Node) -> Result<&str, Diagnostic> {
    match &node.content {
        Content::Scalar(text) => Ok(text),
        Content::Nothing | Content::Sequence(_) | Content::Mapping(_) => {
            Err(Diagnostic::new(node.span, "a value of one line is expected here"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(properties: &[&str], rest: &str) -> String {
        let item = |name: &&str| {
            format!("  - property_file: ../properties/{name}.prp\n    expected_verdict: true\n")
        };
        let properties: String = properties.iter().map(item).collect();
        format!("format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n{properties}{rest}")
    }

    #[test]
    fn the_first_property_that_can_be_answered_is_asked_about() {
        use PropertyArgument::{Safety, Termination};
        let options = "options:\n  language: C\n  data_model: ILP32\n";
        let overflow = Some(("c-arith", "overflow-only"));
        for (properties, wanted, property, arithmetic) in [
            (&["unreach-call"][..], None, Safety, None),
            (&["termination", "no-overflow"], None, Safety, overflow),
            (&["coverage-branches", "termination"], None, Termination, None),
            (&["unreach-call", "termination"], Some(Termination), Termination, None),
            (&["valid-memsafety"], Some(Safety), Safety, None),
        ] {
            let text = task(properties, options);
            let read = definition(text.as_bytes(), wanted).unwrap();
            let (program, model) = ("a.i".to_owned(), Some("ILP32"));
            assert_eq!(read, Definition { program, property, arithmetic, model });
        }
    }

    #[test]
    fn what_is_not_supported_is_refused_at_its_place() {
        for (text, place, message) in [
            (
                task(&["valid-memsafety"], ""),
                "../properties/valid-memsafety.prp",
                "`valid-memsafety`",
            ),
            (task(&["unreach-call"], "options:\n  language: Java\n"), "Java", "language"),
            (task(&["unreach-call"], "options:\n  data_model: LLP64\n"), "LLP64", "data model"),
            ("format_version: '1.0'\n".to_owned(), "'1.0'", "versions"),
            ("format_version: '2.0'\n".to_owned(), "format_version: '2.0'", "`input_files`"),
            (
                "format_version: 2.0\ninput_files:\n  - a.c\n  - b.c\n".to_owned(),
                "- a.c",
                "several files",
            ),
        ] {
            let error = definition(text.as_bytes(), None).unwrap_err();
            assert!(error.message.contains(message), "{text}: {}", error.message);
            assert_eq!(&text[error.span.start..error.span.end], place, "{text}");
        }
    }
}
