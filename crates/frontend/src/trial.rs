//! Trials of readers: what a text is read as, and where and why it is refused.

use shofar_base::Diagnostic;
use shofar_chc::print::print_horn;
use shofar_chc::read::{FrontEnd, HornProblem};
use shofar_term::TermStore;

/// The first problem of a text, read with these options and the others as usual.
pub(crate) fn try_read(
    language: &FrontEnd,
    text: &str,
    options: &[(&str, &str)],
) -> Result<(TermStore, HornProblem), Diagnostic> {
    let mut store = TermStore::new();
    let options = language.options_with(options).unwrap();
    let mut problems = (language.read)(text.as_bytes(), &options, &mut store)?;
    for problem in &problems {
        problem.system.assert_well_formed(&store);
    }
    Ok((store, problems.remove(0)))
}

/// The clauses of a text as assertions, one in a line.
pub(crate) fn assertions(language: &FrontEnd, text: &str, options: &[(&str, &str)]) -> Vec<String> {
    let read = try_read(language, text, options);
    let (mut store, problem) =
        read.unwrap_or_else(|error| panic!("{text}: {} at {:?}", error.message, error.span));
    let mut out = Vec::new();
    print_horn(&mut out, &mut store, &problem.system, &[]).unwrap();
    let script = String::from_utf8(out).unwrap();
    script.lines().filter(|line| line.starts_with("(assert")).map(str::to_owned).collect()
}

/// A text is refused at this part of it, with a message that contains `message`.
pub(crate) fn check_refused(
    language: &FrontEnd,
    text: &str,
    options: &[(&str, &str)],
    (place, message): (&str, &str),
) {
    let Err(error) = try_read(language, text, options) else { panic!("it is read: {text}") };
    assert!(error.message.contains(message), "{text}: {}", error.message);
    let shown = &text[error.span.start..error.span.end];
    assert_eq!(shown, place, "{text}: {}", error.message);
}
