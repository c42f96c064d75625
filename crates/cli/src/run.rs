//! Feeds a script to whoever executes it, command by command.
//!
//! A file is read as a whole. From a pipe or a terminal every command is executed as soon as it is
//! complete, and what it prints is flushed before the program waits for more. What comes from a
//! pipe and is compressed, or begins as no script does, is read to its end first, as a file is.

use std::io::{Cursor, ErrorKind, IsTerminal as _, Read, Stdin};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::process::ExitCode;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use shofar_base::Diagnostic;
use shofar_smtlib::{Commands, Sentence, Step};

use crate::arguments::SmtArguments;
use crate::input;
use crate::limits::Limits;
use crate::output::Channel;
use crate::reply::Flow;
use crate::session::Session;
use crate::text::{BUG, Complaint, REFUSED, Text, fail};
use crate::unpack::{is_archive, may_be_archive};
use crate::watchdog::{Debt, Enforcement, Watch};

/// How much is read from a stream at once, at most.
const PIECE: usize = 1 << 16;
/// What is said to a person who has started the program without a file.
const WAITING: &str =
    "reading SMT-LIB commands from the terminal; end with Ctrl-D; --help shows options\n";

/// Where a script comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It is there as a whole.
    File,
    /// It comes in pieces, and who writes them may wait for answers.
    Pipe,
    /// A person types it.
    Terminal,
}

/// When no further command is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// More may come.
    Waiting,
    /// The script is over.
    End,
}

/// A script that is being read.
pub(crate) struct Script {
    pub(crate) name: String,
    pub(crate) commands: Commands,
}

impl Script {
    /// How an error is said.
    pub(crate) fn complaint(&self, error: &Diagnostic) -> Complaint {
        Complaint::new(error, &self.name, &self.commands.source())
    }
}

/// Executes commands.
pub(crate) trait Interpreter {
    /// Says where the script comes from; what is there as a whole is given as a whole.
    fn open(&mut self, origin: Origin);
    /// Answers the questions of a text that is there as a whole, if it is no script but written in
    /// another language; says whether it is.
    fn answer_text(&mut self, file: Option<&Path>, text: &[u8]) -> bool;
    /// Whether a text from a pipe that begins like this has to be there as a whole; nothing if more
    /// of it has to be seen. Scripts need not be.
    fn wants_whole(&self, _begin: &[u8]) -> Option<bool> {
        Some(false)
    }
    /// Takes note of a further part of the text.
    fn append(&mut self, text: &[u8]);
    /// The next command.
    fn next(&mut self, commands: &mut Commands) -> Result<Step, Diagnostic>;
    /// Executes a command.
    fn execute(&mut self, sentence: Sentence, script: &Script) -> Flow;
    /// Hears of a command that could not be read.
    fn refuse(&mut self, error: &Diagnostic, script: &Script) -> Flow;
    /// All commands that are there have been executed; what was printed is to be flushed.
    fn pause(&mut self, pause: Pause, script: &Script) -> Flow;
}

/// Executes a script from a file or from standard input; `Err` says why it could not be read.
pub(crate) fn run(
    interpreter: &mut dyn Interpreter,
    file: Option<&Path>,
    errors: &Channel,
) -> Result<(), String> {
    let file = file.filter(|file| file.as_os_str() != "-");
    let mut stdin = std::io::stdin();
    if file.is_some() || has_file_as_input() {
        return run_file(interpreter, file, || input::read(file));
    }
    if stdin.is_terminal() && interpreter.wants_whole(b"") != Some(true) {
        errors.write(WAITING);
        interpreter.open(Origin::Terminal);
        return run_stream(interpreter, &mut stdin);
    }
    run_begun(interpreter, Vec::new())
}

/// Executes a script from a pipe whose beginning has been read.
pub(crate) fn run_begun(interpreter: &mut dyn Interpreter, begin: Vec<u8>) -> Result<(), String> {
    let mut stdin = std::io::stdin();
    let (begin, is_whole) = beginning(interpreter, &mut stdin, begin)?;
    let mut stream = Cursor::new(begin).chain(stdin);
    if is_whole {
        return run_file(interpreter, None, || {
            let mut raw = Vec::new();
            let done = stream.read_to_end(&mut raw);
            done.map_err(|error| format!("cannot read the input: {error}"))?;
            input::plain(raw, &input::name(None))
        });
    }
    interpreter.open(Origin::Pipe);
    run_stream(interpreter, &mut stream)
}

/// Answers or executes what is read as a whole.
fn run_file(
    interpreter: &mut dyn Interpreter,
    file: Option<&Path>,
    read: impl FnOnce() -> Result<Vec<u8>, String>,
) -> Result<(), String> {
    interpreter.open(Origin::File);
    let text = read()?;
    if !interpreter.answer_text(file, &text) {
        run_opened(interpreter, input::name(file), text);
    }
    Ok(())
}

/// Executes a script that has been read.
pub(crate) fn run_whole(interpreter: &mut dyn Interpreter, text: Text) {
    interpreter.open(Origin::File);
    run_opened(interpreter, text.name, text.bytes);
}

fn run_opened(interpreter: &mut dyn Interpreter, name: String, text: Vec<u8>) {
    interpreter.append(&text);
    let mut script = Script { name, commands: Commands::of_text(text) };
    run_commands(interpreter, &mut script);
}

/// Whether standard input is a file.
pub(crate) fn has_file_as_input() -> bool {
    let file = std::io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
    file.and_then(|file| file.metadata()).is_ok_and(|metadata| metadata.is_file())
}

/// The beginning of standard input, as far as `is_enough` wants to see it, or all of it.
pub(crate) fn begin_of_input(is_enough: impl Fn(&[u8]) -> bool) -> Result<Vec<u8>, String> {
    let (mut stdin, mut begin, mut piece) = (std::io::stdin(), Vec::new(), vec![0; PIECE]);
    while !is_enough(&begin) {
        match read(&mut stdin, &mut piece)? {
            0 => break,
            count => begin.extend_from_slice(&piece[..count]),
        }
    }
    Ok(begin)
}

/// As many bytes as are needed to know whether a stream is compressed or has to be there as a
/// whole, and whether it is so; some of them have been read.
fn beginning(
    interpreter: &dyn Interpreter,
    stdin: &mut Stdin,
    mut begin: Vec<u8>,
) -> Result<(Vec<u8>, bool), String> {
    let mut piece = vec![0; PIECE];
    loop {
        if is_archive(&begin) {
            return Ok((begin, true));
        }
        let is_plain = !may_be_archive(&begin);
        if let Some(is_whole) = interpreter.wants_whole(&begin).filter(|_| is_plain) {
            return Ok((begin, is_whole));
        }
        match read(stdin, &mut piece)? {
            0 => return Ok((begin, false)),
            count => begin.extend_from_slice(&piece[..count]),
        }
    }
}

fn read(stream: &mut dyn Read, piece: &mut [u8]) -> Result<usize, String> {
    loop {
        match stream.read(piece) {
            Ok(count) => return Ok(count),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(format!("cannot read the input: {error}")),
        }
    }
}

fn run_stream(interpreter: &mut dyn Interpreter, stream: &mut dyn Read) -> Result<(), String> {
    let mut script = Script { name: input::name(None), commands: Commands::new() };
    let mut piece = vec![0; PIECE];
    while run_commands(interpreter, &mut script) == Flow::Continue {
        // Whoever executes can do better if it knows what follows.
        if !has_input() && interpreter.pause(Pause::Waiting, &script) == Flow::Exit {
            break;
        }
        match read(stream, &mut piece)? {
            0 => script.commands.finish(),
            count => {
                interpreter.append(&piece[..count]);
                script.commands.feed(&piece[..count]);
            }
        }
    }
    Ok(())
}

/// Whether standard input has something to read, or its end, at once.
fn has_input() -> bool {
    let stdin = std::io::stdin();
    let mut descriptors = [PollFd::new(&stdin, PollFlags::IN)];
    poll(&mut descriptors, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready > 0)
}

/// Executes the commands that are there; says whether more input is needed.
fn run_commands(interpreter: &mut dyn Interpreter, script: &mut Script) -> Flow {
    loop {
        let flow = match interpreter.next(&mut script.commands) {
            Ok(Step::NeedInput) => return Flow::Continue,
            Ok(Step::End) => {
                interpreter.pause(Pause::End, script);
                return Flow::Exit;
            }
            Ok(Step::Sentence(sentence)) => interpreter.execute(sentence, script),
            Err(error) => interpreter.refuse(&error, script),
        };
        if flow == Flow::Exit {
            interpreter.pause(Pause::End, script);
            return Flow::Exit;
        }
    }
}

/// `shofar smt`: executes a script.
pub(crate) fn smt(arguments: &SmtArguments) -> ExitCode {
    let (output, errors) = Channel::standard();
    let memory = arguments.memory.map(|megabytes| megabytes.get().saturating_mul(1 << 20));
    let limits = Limits::new(arguments.timeout, arguments.cpu_timeout, memory);
    let watch = Watch::start(limits, Enforcement::Script, Debt::Nothing, (&output, &errors));
    let channels = (output.clone(), errors.clone());
    let mut session = Session::new(watch, limits, channels, arguments);
    let done = run(&mut session, arguments.file.as_deref(), &errors);
    if arguments.stats {
        session.diagnostic.write(&(session.statistics() + "\n"));
    }
    let code = match done {
        Ok(()) if session.has_bug => ExitCode::from(BUG),
        Ok(()) if session.has_failed => ExitCode::from(REFUSED),
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => fail(&message, &session.diagnostic),
    };
    output.close(session.diagnostic.close(code))
}

impl Interpreter for Session {
    fn open(&mut self, origin: Origin) {
        self.conversation = origin == Origin::Terminal;
    }
    fn answer_text(&mut self, _: Option<&Path>, _: &[u8]) -> bool {
        false
    }
    fn append(&mut self, _: &[u8]) {}
    fn next(&mut self, commands: &mut Commands) -> Result<Step, Diagnostic> {
        commands.next(&mut self.env, &mut self.store)
    }
    fn execute(&mut self, sentence: Sentence, script: &Script) -> Flow {
        let span = sentence.span;
        match self.execute(sentence) {
            Ok(flow) if !self.regular.is_broken() => flow,
            Ok(_) => Flow::Exit,
            Err(message) => self.refuse(&Diagnostic::new(span, message), script),
        }
    }
    /// A script ends after an error, unless a person types it, who would rather go on after a
    /// mistake.
    fn refuse(&mut self, error: &Diagnostic, script: &Script) -> Flow {
        let Complaint { answer, picture } = script.complaint(error);
        self.regular.write(&answer);
        self.regular.flush();
        self.diagnostic.write(&picture);
        self.has_failed |= !self.conversation;
        if self.conversation { Flow::Continue } else { Flow::Exit }
    }
    fn pause(&mut self, _: Pause, _: &Script) -> Flow {
        self.regular.flush();
        if self.regular.is_broken() { Flow::Exit } else { Flow::Continue }
    }
}
