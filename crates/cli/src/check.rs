//! `shofar check`: validates somebody's witness.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use shofar_base::Budget;
use shofar_check::{HornInput, parse_witness, validate};
use shofar_smtlib::Source;
use shofar_term::{Cx, TermStore};

use crate::arguments::CheckArguments;
use crate::output::Channel;
use crate::text::{NO_QUESTION, REFUSED, Text, fail};

/// `shofar check FILE WITNESS`.
pub(crate) fn check(arguments: &CheckArguments) -> ExitCode {
    let (output, errors) = (Channel::stdout(), Channel::stderr());
    let texts = Text::read(Some(&arguments.file))
        .and_then(|f| Ok((f, Text::read(Some(&arguments.witness))?)));
    let (text, witness_text) = match texts {
        Ok(texts) => texts,
        Err(message) => return fail(&message, &errors),
    };
    let mut store = TermStore::new();
    let script = match text.horn(&mut store, &output, &errors) {
        Ok(script) => script,
        Err(code) => return code,
    };
    let Some(problem) = script.problems.first() else {
        return fail(NO_QUESTION, &errors);
    };
    let witness = match parse_witness(&witness_text.bytes, &problem.system, &mut store) {
        Ok(witness) => witness,
        Err(diagnostic) => {
            witness_text.refuse(&diagnostic, &output, &errors);
            let _ = output.flush();
            return ExitCode::from(REFUSED);
        }
    };
    let deadline =
        arguments.timeout.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let budget = deadline.map_or_else(Budget::unlimited, Budget::until);
    let input = HornInput::of_problem(problem);
    let checked = validate(&mut Cx::new(&mut store, &budget), &input, witness);
    let (answer, code) = match checked {
        Ok(Ok(_)) => ("valid\n".to_owned(), ExitCode::SUCCESS),
        Ok(Err(objection)) => {
            let place = objection.span(&input).map(|span| {
                let position = Source::new(&text.bytes).position(span.start);
                format!("{}:{}:{}: ", text.name, position.line, position.column)
            });
            let text = format!(
                "invalid\n{}{}\n",
                place.unwrap_or_default(),
                objection.describe(&store, &input)
            );
            (text, ExitCode::from(1))
        }
        Err(why) => (format!("unknown\n; {why}\n"), ExitCode::SUCCESS),
    };
    let _ = output.write(&answer).and_then(|()| output.flush());
    code
}
