//! What commands of scripts answer.

use shofar_base::GaveUp;

/// Whether a script goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Continue,
    Exit,
}

/// What a command answers; an error message otherwise.
pub(crate) type Reply = Result<Response, String>;

/// What a command answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Response {
    /// Nothing but that it succeeded.
    Success,
    /// That it is not supported.
    Unsupported,
    /// A text.
    Text(String),
    /// Nothing: the answer has been given.
    Given,
}

impl Response {
    /// What is printed, if anything is.
    pub(crate) fn text(self, print_success: bool) -> Option<String> {
        match self {
            Response::Success => print_success.then(|| "success\n".to_owned()),
            Response::Unsupported => Some("unsupported\n".to_owned()),
            Response::Text(text) => Some(text + "\n"),
            Response::Given => None,
        }
    }
    /// The answer to `get-info`.
    pub(crate) fn info(keyword: &str, value: &str) -> Self {
        Response::Text(format!("({keyword} {value})"))
    }
}

/// What the program says about itself when a script asks.
pub(crate) fn about(keyword: &str) -> Option<&'static str> {
    match keyword {
        ":name" => Some("\"Shofar\""),
        ":version" => Some(concat!("\"", env!("CARGO_PKG_VERSION"), "\"")),
        ":authors" => Some("\"the authors of Shofar\""),
        _ => None,
    }
}

/// Why there was no answer, as `get-info :reason-unknown` says it.
pub(crate) fn reason_unknown(why: &GaveUp) -> &'static str {
    match why {
        GaveUp::Timeout => "timeout",
        GaveUp::Memory => "memout",
        GaveUp::Cancelled => "cancelled",
        GaveUp::Unsupported(_) | GaveUp::Incomplete(_) | GaveUp::Wrong(_) => "incomplete",
    }
}
