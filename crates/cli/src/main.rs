//! The program `shofar`: arguments, files, printing. Everything else is in the crates below.
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the command line |
//! | `horn` | decides scripts of Horn clauses |
//! | `horn_session` | executes their commands |
//! | `question` | decides one problem, and prints the answer |
//! | `check` | validates witnesses |
//! | `show` | describes and draws clauses |
//! | `translate` | writes clauses in another language |
//! | `text` | the texts of problems |
//! | `report` | log and statistics of a Horn problem |
//! | `progress` | the line that tells how far the work is |
//! | `dump` | writes the questions put to the SMT solver as scripts |
//! | `generate` | writes clauses that are hard on purpose |
//! | `log` | what `-v` shows |
//! | `bench` | runs suites of problems |
//! | `cluster` | has problems solved by many machines |
//! | `solc` | stands in for the solvers that Solidity's compiler calls |
//! | `spelling` | what other solvers' options are called here |
//! | `command_line` | from the words of the command line to arguments |
//! | `input` | files, plain or compressed |
//! | `unpack` | compressed files |
//! | `help` | what `-h` and `--help` print |
//! | `help_text` | the texts at the end of it |
//! | `layout` | paragraphs and rows in the width of a terminal |
//! | `engines` | the table of engines and of their options, for people |
//! | `manual` | the manual page |
//! | `completion` | completions for shells |
//! | `version` | number and commit |
//! | `engine_options` | the options that engines declare |
//! | `job_options` | which options a job of a cluster may carry |
//! | `language_options` | the options that languages declare |
//! | `task` | what the witness of a verification task says about itself |
//! | `run` | feeds a script to a session, command by command |
//! | `session` | executes the commands of `shofar smt` |
//! | `reply` | what commands answer |
//! | `settings` | the options of SMT-LIB |
//! | `answers` | what the commands that ask something print |
//! | `output` | the channels that are written to |
//! | `limits` | limits on time and memory |
//! | `watchdog` | enforces them |
//! | `signals` | Ctrl-C and the like |
//! | `supervisor` | answers for a process that has no memory left |
//! | `frames` | what that process tells it |
//! | `own_stack` | room where the system gives the main thread little |
//! | `leash` | ends with who started the process |
//! | `stand_by` | a process that is there before its problem |
//!
//! Architecture invariant: only this crate, `bench` and `cluster` read files, print, or look at the
//! clock beyond a budget's deadline.

mod answers;
mod arguments;
mod bench;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
mod command_line;
mod completion;
#[cfg(test)]
mod damage;
mod dump;
mod engine_options;
mod engines;
mod frames;
mod generate;
mod help;
mod help_text;
mod horn;
mod horn_session;
mod input;
mod interpolants;
#[cfg(feature = "cluster")]
mod job_options;
mod json;
mod language_options;
mod layout;
mod leash;
mod limits;
mod log;
mod manual;
mod model;
mod output;
mod own_stack;
mod passes;
mod progress;
mod question;
mod reply;
mod report;
mod run;
mod session;
mod settings;
mod show;
mod signals;
mod solc;
mod spelling;
mod stand_by;
mod supervisor;
mod task;
mod task_definition;
mod text;
mod translate;
mod unpack;
mod version;
mod watchdog;
mod yaml;

use std::ffi::OsString;
use std::process::ExitCode;

use arguments::Task;
use supervisor::Role;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    signals::catch();
    match supervisor::role(std::env::args_os().collect()) {
        Role::Done(code) => code,
        Role::Work(words) => own_stack::run(|| follow(words.clone())),
    }
}

/// Does what the words of the command line say.
fn follow(words: Vec<OsString>) -> ExitCode {
    let mut arguments = match command_line::parse_words(words) {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => error.exit(),
        Err(help) => return output::printed(help.print()),
    };
    if !listens(arguments.task.as_ref()) {
        signals::leave();
    }
    if let Err(complaint) = task_definition::resolve(&mut arguments) {
        return text::refuse_task(&complaint, arguments.task.is_none());
    }
    match &arguments.task {
        None => horn::run(&arguments.solve),
        // The parser turns it into the task above.
        Some(Task::Solve(arguments)) => horn::run(arguments),
        Some(Task::Check(arguments)) => check::check(arguments),
        Some(Task::Info(arguments)) => show::info(arguments),
        Some(Task::Graph(arguments)) => show::graph(arguments),
        Some(Task::Translate(arguments)) => translate::translate(arguments),
        Some(Task::Smt(arguments)) => run::smt(arguments),
        Some(Task::Engines(arguments)) => engines::engines(arguments),
        Some(Task::Passes(arguments)) => passes::passes(arguments),
        Some(Task::Bench(arguments)) => bench::bench(arguments),
        #[cfg(feature = "cluster")]
        Some(Task::Submit(arguments)) => cluster::submit(arguments),
        #[cfg(feature = "cluster")]
        Some(Task::Worker(arguments)) => cluster::worker(arguments),
        #[cfg(feature = "cluster")]
        Some(Task::Collect(arguments)) => cluster::collect(arguments),
        #[cfg(feature = "cluster")]
        Some(Task::Cancel(arguments)) => cluster::cancel(arguments),
        #[cfg(feature = "cluster")]
        Some(Task::Cluster(arguments)) => cluster::cluster(arguments),
        Some(Task::StandBy) => stand_by::stand_by(),
        Some(Task::SolcShim(arguments)) => solc::install(arguments),
        Some(Task::As(arguments)) => solc::answer(arguments),
        Some(Task::Generate(arguments)) => generate::generate(arguments),
        Some(Task::Manual(arguments)) => manual::manual(arguments),
        Some(Task::Completions(arguments)) => completion::completions(arguments),
    }
}

/// Whether a command begins by listening to signals.
fn listens(task: Option<&Task>) -> bool {
    let Some(task) = task else { return true };
    match task {
        Task::Solve(_) | Task::Check(_) | Task::Smt(_) | Task::Bench(_) => true,
        #[cfg(feature = "cluster")]
        Task::Submit(_)
        | Task::Worker(_)
        | Task::Collect(_)
        | Task::Cancel(_)
        | Task::Cluster(_) => true,
        Task::Info(_)
        | Task::Graph(_)
        | Task::Translate(_)
        | Task::Engines(_)
        | Task::Passes(_)
        | Task::StandBy
        | Task::SolcShim(_)
        | Task::As(_)
        | Task::Generate(_)
        | Task::Manual(_)
        | Task::Completions(_) => false,
    }
}
