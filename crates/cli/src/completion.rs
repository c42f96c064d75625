//! Completions for shells, made from the definition of the command line.
//!
//! What `clap_complete` writes knows options and their values, but neither a value behind an equals
//! sign in bash, nor lists that are separated by commas. These are added here: for bash by a
//! function in front of the generated one, for zsh and fish by the words with which these shells
//! complete lists.

use std::any::TypeId;
use std::fmt::Write as _;
use std::process::ExitCode;

use clap::{Arg, Args, Command, CommandFactory as _};
use clap_complete::Shell;
use shofar_transform::Pipeline;

use crate::arguments::Arguments;
use crate::output::Channel;

/// For which shell.
#[derive(Debug, Args)]
pub(crate) struct CompletionArguments {
    /// The shell.
    pub(crate) shell: Shell,
}

/// Prints completions.
pub(crate) fn completions(arguments: &CompletionArguments) -> ExitCode {
    let (output, _) = Channel::standard();
    output.write(&script(arguments.shell));
    output.close(ExitCode::SUCCESS)
}

fn script(shell: Shell) -> String {
    let mut command = Arguments::command();
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "shofar", &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let options = valued_options(&command);
    if shell == Shell::Bash {
        return text + &bash(&options);
    }
    let syntax = [(Shell::Zsh, &ZSH), (Shell::Fish, &FISH)];
    match syntax.into_iter().find(|(known, _)| *known == shell) {
        Some((_, syntax)) => lists(text, &options, syntax),
        None => text,
    }
}

/// An option that takes one of several words, or some of them.
struct Valued {
    /// As it is written, with its dashes.
    names: Vec<String>,
    /// What its value is called.
    called: String,
    words: Vec<String>,
    is_list: bool,
}

/// The options of all commands that take one of several words, each once.
fn valued_options(command: &Command) -> Vec<Valued> {
    let mut found: Vec<Valued> = Vec::new();
    let mut commands: Vec<&Command> = vec![command];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands());
        for argument in command.get_opts().filter(|argument| argument.get_action().takes_values()) {
            let Some(option) = Valued::of(argument) else { continue };
            match found.iter_mut().find(|known| known.names == option.names) {
                Some(known) => {
                    let new = option.words.iter().filter(|word| !known.words.contains(word));
                    let new: Vec<String> = new.cloned().collect();
                    known.words.extend(new);
                }
                None => found.push(option),
            }
        }
    }
    found
}

impl Valued {
    fn of(argument: &Arg) -> Option<Self> {
        let words: Vec<String> =
            argument.get_possible_values().iter().map(|v| v.get_name().to_owned()).collect();
        let long = argument.get_long().map(|name| format!("--{name}"));
        let short = argument.get_short().map(|name| format!("-{name}"));
        let called = argument.get_value_names().and_then(|names| names.first());
        (!words.is_empty()).then(|| Self {
            names: long.into_iter().chain(short).collect(),
            called: called.map_or_else(String::new, ToString::to_string),
            words,
            is_list: argument.get_value_delimiter() == Some(',')
                || argument.get_value_parser().type_id() == TypeId::of::<Pipeline>(),
        })
    }
}

/// What stands behind the generated script for bash: `=` is a word of its own there, and `,` is
/// none.
const BASH: &str = r#"
_shofar_complete() {
    local cur="${COMP_WORDS[COMP_CWORD]}" prev="" lead="" values
    if (( COMP_CWORD > 0 )); then
        prev="${COMP_WORDS[COMP_CWORD-1]}"
    fi
    if [[ "$cur" == "=" ]]; then
        cur=""
    elif [[ "$prev" == "=" ]] && (( COMP_CWORD > 1 )); then
        prev="${COMP_WORDS[COMP_CWORD-2]}"
    elif [[ "$cur" == --*=* ]]; then
        prev="${cur%%=*}"
        lead="$prev="
        cur="${cur#*=}"
    elif [[ "$cur" != *,* ]]; then
        _shofar "$@"
        return
    fi
    values="$(_shofar_values "$prev")"
    if [[ -z "$values" ]]; then
        _shofar "$@"
        return
    fi
    if [[ "$cur" == *,* ]] && _shofar_is_list "$prev"; then
        lead="$lead${cur%,*},"
        cur="${cur##*,}"
    fi
    COMPREPLY=( $(compgen -P "$lead" -W "$values" -- "$cur") )
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _shofar_complete -o nosort -o bashdefault -o default shofar
else
    complete -F _shofar_complete -o bashdefault -o default shofar
fi
"#;

fn bash(options: &[Valued]) -> String {
    let (mut values, mut lists) = (String::new(), Vec::new());
    for Valued { names, words, is_list, .. } in options {
        // Writing to a string cannot fail.
        let _ = writeln!(values, "        {}) echo \"{}\" ;;", names.join("|"), words.join(" "));
        if *is_list {
            lists.push(names.join("|"));
        }
    }
    let lists = lists.join("|");
    format!(
        "\n_shofar_values() {{\n    case \"$1\" in\n{values}    esac\n}}\n\
         \n_shofar_is_list() {{\n    case \"$1\" in\n        {lists}) return 0 ;;\n    esac\n    return 1\n}}\n{BASH}"
    )
}

/// How a shell writes the values of an option, and completes a list of them.
struct Syntax {
    /// What stands in front of an option with this name, and behind it.
    option: fn(&str) -> String,
    /// What stands in front of the values.
    begin: fn(&Valued) -> String,
    /// What stands behind them.
    end: &'static str,
    /// What replaces all that.
    list: fn(&Valued) -> String,
}

const ZSH: Syntax = Syntax {
    option: |name| {
        if name.starts_with("--") { format!("'*{name}=[") } else { format!("'*{name}+[") }
    },
    begin: |option| format!(":{}:((", option.called),
    end: "))'",
    list: |o| format!(":{}:_values -s , {} {}'", o.called, o.called, o.words.join(" ")),
};

const FISH: Syntax = Syntax {
    option: |name| format!(" -l {} -d '", name.trim_start_matches('-')),
    begin: |_| " -a \"".to_owned(),
    end: "\"\n",
    list: |option| format!(" -a \"(__fish_append , {})\"\n", option.words.join(" ")),
};

/// The script with the values of lists completed as lists.
fn lists(mut script: String, options: &[Valued], syntax: &Syntax) -> String {
    for option in options.iter().filter(|option| option.is_list) {
        for name in &option.names {
            let mut from = 0;
            while let Some(range) = values_in(&script[from..], name, option, syntax) {
                let (start, end) = (from + range.0, from + range.1);
                let list = (syntax.list)(option);
                script.replace_range(start..end, &list);
                from = start + list.len();
            }
        }
    }
    script
}

/// Where the values of the next option with this name stand.
fn values_in(script: &str, name: &str, option: &Valued, syntax: &Syntax) -> Option<(usize, usize)> {
    let at = script.find(&(syntax.option)(name))?;
    let begin = (syntax.begin)(option);
    let start = at + script[at..].find(&begin)?;
    let end = start + begin.len() + script[start + begin.len()..].find(syntax.end)?;
    Some((start, end + syntax.end.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_completed_as_lists() {
        let zsh = script(Shell::Zsh);
        let expected = ":NAMES:_values -s , NAMES spacer bmc kind";
        // The option has two names, and stands in two commands.
        assert_eq!(zsh.matches(expected).count(), 4);
        assert!(zsh.contains(":OFF:_values -s , OFF subsume conjecture concretize'"));
        assert!(zsh.contains("'--share=["), "what is no list stays");
        let fish = script(Shell::Fish);
        assert_eq!(fish.matches("-a \"(__fish_append , spacer bmc kind").count(), 2);
        assert_eq!(fish.matches("-a \"(__fish_append , subsume conjecture").count(), 2);
        assert_eq!(fish.matches('"').count() % 2, 0);
    }
}
