//! What a command means for a problem: whether it states a part of it, asks about it, or wants
//! something else.
//!
//! A script goes on after a command that was refused. The answers that follow are right only if the
//! command was no part of the problem, which its name has to tell, since it may be unreadable
//! otherwise. Of a name that nobody knows the worst is assumed: `(asert (p 0))` is a clause that is
//! missing. Without arguments it cannot be one.

use shofar_smtlib::Command;

use super::Request;

/// What a command is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandRole {
    /// It belongs to the problem: clauses, declarations, scopes.
    Statement,
    /// It asks whether the clauses have a model.
    Question,
    /// It asks for something else, or sets something; the problem is the same without it.
    Request,
}

/// Commands of SMT-LIB and z3 that state nothing, besides those that begin with `get-` and `set-`.
const REQUESTS: [&str; 15] = [
    "apply",
    "check-sat-assuming",
    "check-sat-assuming-model",
    "check-sat-using",
    "compute-interpolant",
    "dbg",
    "display",
    "echo",
    "eval",
    "exit",
    "help",
    "help-tactic",
    "labels",
    "model-add",
    "simplify",
];

impl CommandRole {
    /// What a command is about that could be read.
    pub fn of(command: &Command) -> Self {
        match command {
            Command::CheckSat | Command::Query(_) => CommandRole::Question,
            Command::Declare(_)
            | Command::DeclareVar(_)
            | Command::Define { .. }
            | Command::Assert { .. }
            | Command::Rule { .. }
            | Command::Push(_)
            | Command::Pop(_)
            | Command::Reset
            | Command::ResetAssertions => CommandRole::Statement,
            Command::SetLogic(_)
            | Command::SetOption { .. }
            | Command::SetInfo { .. }
            | Command::CheckSatAssuming(_)
            | Command::GetModel
            | Command::GetValue(_)
            | Command::Eval(_)
            | Command::GetAssignment
            | Command::GetAssertions
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::GetInterpolants(_)
            | Command::GetInterpolant(_)
            | Command::GetDagInterpolants(_)
            | Command::GetDisjunctiveInterpolants(_)
            | Command::GetProof
            | Command::GetInfo(_)
            | Command::GetOption(_)
            | Command::Echo(_)
            | Command::Exit => CommandRole::Request,
        }
    }
    /// What a command is about that could not be read, by its text; what is no command may have
    /// been meant as any.
    pub fn of_text(text: &[u8]) -> Self {
        let (name, rest) = name(text);
        let is_known = name.starts_with("get-")
            || name.starts_with("set-")
            || REQUESTS.binary_search(&name.as_str()).is_ok();
        match name.as_str() {
            "check-sat" | "query" => CommandRole::Question,
            _ if is_known => CommandRole::Request,
            "" | "assert" | "rule" | "push" | "pop" | "reset" | "reset-assertions" => {
                CommandRole::Statement
            }
            _ if rest == b")" => CommandRole::Request,
            _ => CommandRole::Statement,
        }
    }
}

/// Whether a command of this text, which could not be read, opens or closes scopes.
pub(super) fn moves_scopes(text: &[u8]) -> bool {
    matches!(name(text).0.as_str(), "push" | "pop" | "")
}

/// The name of a command, and what follows it.
fn name(text: &[u8]) -> (String, &[u8]) {
    let rest = blank(text.strip_prefix(b"(").unwrap_or_default());
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"();\"|".contains(byte);
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    (String::from_utf8_lossy(&rest[..end]).into_owned(), blank(&rest[end..]))
}

/// The text behind blanks and comments.
fn blank(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        if !text.starts_with(b";") {
            return text;
        }
        let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
        text = &text[end..];
    }
}

impl Request {
    /// What a command asks for; nothing if it does not ask, or for something that Horn clauses do
    /// not have.
    pub fn of(command: &Command) -> Option<Self> {
        if let Command::Echo(text) = command {
            Some(Request::Echo(text.clone()))
        } else if let Command::GetInfo(keyword) = command {
            Some(Request::Info(keyword.clone()))
        } else if let Command::GetOption(keyword) = command {
            Some(Request::Option(keyword.clone()))
        } else if *command == Command::GetModel {
            Some(Request::Model)
        } else {
            (*command == Command::GetProof).then_some(Request::Proof)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: CommandRole) {
        assert_eq!(CommandRole::of_text(text.as_bytes()), expected, "for {text}");
    }

    #[test]
    fn the_name_tells_what_a_command_is_about() {
        assert!(REQUESTS.is_sorted());
        for text in ["(asert (p 0))", "(assert", "", "( ; (get-model)\n assert-soft p)", "(pop)"] {
            check(text, CommandRole::Statement);
        }
        for text in ["(get-value (x))", "( simplify (p 0))", "(foo)", "(frob ; x\n )"] {
            check(text, CommandRole::Request);
        }
        check("(check-sat 1)", CommandRole::Question);
        check("(query\n(p 0))", CommandRole::Question);
    }
}
