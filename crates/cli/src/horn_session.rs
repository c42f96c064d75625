//! Executes the commands of a script of Horn clauses.
//!
//! A question is answered when the next command comes that is not a request, or when none is there:
//! so it is known whether its model is going to be read and whether its clauses are needed any
//! more, and who waits at the other end of a pipe has the answer at once. Requests that come before
//! wait for the answer.
//!
//! A command that is refused costs an error, and the script goes on; but if it was a part of the
//! problem, questions about it have no answer but `unknown`. The first word on standard output is
//! what others look at: in a file that is there as a whole, errors before the first answer come
//! behind it.

mod beginning;
mod cores;
mod numbering;
mod termination;

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use shofar::{FrontEnd, Property, Texts, front_end_for};
use shofar_base::{Diagnostic, GaveUp, Source};
use shofar_chc::read::{CommandRole, HornProblem, HornReader, Request, Rest, SMT_LIB};
use shofar_check::{InputText, Rereader};
use shofar_driver::Workers;
use shofar_smtlib::{AttributeValue, Command, Commands, Sentence, Step};
use shofar_term::TermStore;

use crate::arguments::{PropertyArgument, WitnessStyle};
use crate::input;
use crate::output::Channel;
use crate::question::{Answered, Configuration, QuestionOptions, join};
use crate::reply::{Flow, Reply, Response, about, reason_unknown};
use crate::run::{Interpreter, Origin, Pause, Script};
use crate::settings::{Settings, string};
use crate::solc::Dialect;
use crate::task::TaskFacts;
use crate::text::{BUG, Complaint, NO_QUESTION, REFUSED};
use crate::watchdog::{AnswerState, Watch};
pub(crate) use cores::CORES_ARE_OFF;
use numbering::Numbering;

/// So many errors of a file are told one by one: finding the line takes a look at the whole text.
const MOST_ERRORS: usize = 100;
/// Why a question has no answer if a part of its problem was refused.
const NOT_WHOLE: &str = "a part of the problem was refused";

/// What is said to who asks about an answer that is not there.
const NO_ANSWER: &str = "there is no answer that this could be about: the last command that changed or checked something \
    was not a question";

/// How the script went, for the exit status.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    answers: usize,
    errors: usize,
    /// Errors that cost a part of the problem, or an answer.
    has_refused: bool,
    has_bug: bool,
}

/// The state of a script in execution.
pub(crate) struct HornSession<'p> {
    configuration: Configuration<'p>,
    watch: Watch,
    output: Channel,
    errors: Channel,
    origin: Origin,
    /// Of the script, for statistics.
    name: String,
    reader: HornReader,
    store: TermStore,
    settings: Settings,
    /// Whether the script has said that it is going to ask for models.
    announces_models: bool,
    /// What has been read, to tell the lines of clauses.
    text: Vec<u8>,
    /// Reads it again for the validator.
    rereader: Arc<Mutex<Rereader>>,
    /// Reads it again for those who want clauses as they are written.
    numbering: Numbering,
    /// How many questions have been asked.
    questions: usize,
    /// Requests that wait for the answer to the open question.
    waiting: Vec<Sentence>,
    /// Errors that wait for the first answer.
    held: String,
    /// The last answer, if nothing has changed since.
    last: Option<Answered>,
    record: Record,
}

impl<'p> HornSession<'p> {
    /// A session with nothing asserted.
    pub(crate) fn new(
        configuration: Configuration<'p>,
        watch: Watch,
        output: Channel,
        errors: Channel,
    ) -> Self {
        let settings = Settings::new(configuration.arguments.seed);
        Self {
            configuration,
            watch,
            output,
            errors,
            origin: Origin::Pipe,
            name: String::new(),
            reader: HornReader::default(),
            store: TermStore::new(),
            settings,
            announces_models: false,
            text: Vec::new(),
            rereader: Arc::default(),
            numbering: Numbering::default(),
            questions: 0,
            waiting: Vec::new(),
            held: String::new(),
            last: None,
            record: Record::default(),
        }
    }
    /// The exit status, after the script is over.
    pub(crate) fn end(&self) -> ExitCode {
        let Record { answers, errors, has_refused, has_bug } = self.record;
        let is_heard = !self.output.is_broken();
        if answers == 0 && errors == 0 && is_heard && self.origin != Origin::Terminal {
            self.errors.write(&format!("shofar: {NO_QUESTION}\n"));
        }
        if let Some(style) =
            self.configuration.arguments.stats.filter(|_| answers == 0 && errors > 0)
        {
            let answer = self.configuration.give_up(GaveUp::unsupported(NOT_WHOLE), &self.name);
            self.errors.write(&answer.statistics.render(style));
        }
        self.configuration.end();
        ExitCode::from(if let Some(status) = self.watch.asked_to_end() {
            status
        } else if has_bug {
            BUG
        } else if has_refused || answers == 0 && errors > 0 {
            REFUSED
        } else {
            0
        })
    }

    /// Executes a command; no question is open.
    fn perform(&mut self, sentence: Sentence, script: &Script) {
        let role = CommandRole::of(&sentence.command);
        let is_option = matches!(sentence.command, Command::SetOption { .. });
        match self.respond(sentence) {
            // Scripts set options of other solvers without wanting to hear of it.
            Ok(Response::Unsupported) if is_option && !self.settings.print_success => {}
            Ok(response) => {
                if let Some(text) = response.text(self.settings.print_success) {
                    self.output.write(&text);
                }
            }
            Err(error) => self.complain(&error, role, script),
        }
    }
    fn respond(&mut self, sentence: Sentence) -> Result<Response, Diagnostic> {
        if CommandRole::of(&sentence.command) != CommandRole::Request {
            self.last = None;
        }
        let span = sentence.span;
        let reply = match Request::of(&sentence.command) {
            Some(Request::Model) => self.model(),
            Some(Request::Proof) => self.proof(),
            Some(Request::Echo(text)) => Ok(Response::Text(string(&text))),
            Some(Request::Info(keyword)) => Ok(self.info(&keyword)),
            Some(Request::Option(keyword)) => {
                Ok(self.settings.get(&keyword).map_or(Response::Unsupported, Response::Text))
            }
            None => self.obey(&sentence.command),
        };
        let response = reply.map_err(|message| Diagnostic::new(span, message))?;
        self.reader.execute(&mut self.store, sentence)?;
        // The answer to a question comes later.
        Ok(if self.reader.is_asked() { Response::Given } else { response })
    }
    /// Does what the reader alone does not.
    fn obey(&mut self, command: &Command) -> Reply {
        if let Command::SetOption { keyword, value } = command {
            self.set_option(keyword, value)
        } else if *command == Command::GetUnsatCore {
            self.unsat_core()
        } else if *command == Command::Reset {
            self.reset()
        } else {
            Ok(Response::Success)
        }
    }
    fn model(&mut self) -> Reply {
        let answer = self.last.as_mut().ok_or(NO_ANSWER)?;
        let dialect = self.configuration.arguments.dialect;
        answer.model(dialect).map(|text| Response::Text(text.trim_end().to_owned()))
    }
    fn proof(&mut self) -> Reply {
        let answer = self.last.as_mut().ok_or(NO_ANSWER)?;
        self.numbering.apply(answer, &self.text).map_err(|why| why.to_string())?;
        let arguments = self.configuration.arguments;
        let style = arguments.witness.unwrap_or(WitnessStyle::Full);
        let proof = answer.proof(style, arguments.dialect, &self.text);
        proof.map(|text| Response::Text(text.trim_end().to_owned()))
    }
    fn set_option(&mut self, keyword: &str, value: &AttributeValue) -> Reply {
        let accepted = self.settings.set(keyword, value)?;
        if keyword == ":produce-models" {
            self.announces_models = value.as_bool() == Some(true);
        }
        accepted.redirect(value, &self.output, &self.errors)
    }
    fn reset(&mut self) -> Reply {
        self.settings = Settings::new(self.configuration.arguments.seed);
        self.announces_models = false;
        let back = self.output.redirect("stdout").and_then(|()| self.errors.redirect("stderr"));
        match back {
            Ok(()) => Ok(Response::Success),
            Err(error) => Err(format!("cannot write the output: {error}")),
        }
    }
    /// `get-info`.
    fn info(&self, keyword: &str) -> Response {
        let level = self.reader.environment().level().to_string();
        let last = self.last.as_ref();
        let value = match keyword {
            ":error-behavior" => Some("continued-execution"),
            ":assertion-stack-levels" => Some(level.as_str()),
            ":status" => Some(last.map_or("unknown", Answered::word)),
            ":reason-unknown" => last.and_then(Answered::why).as_ref().map(reason_unknown),
            ":all-statistics" => {
                return last.map_or(Response::Unsupported, |answer| {
                    Response::Text(answer.statistics.entries())
                });
            }
            _ => about(keyword),
        };
        value.map_or(Response::Unsupported, |value| Response::info(keyword, value))
    }

    /// Says that a command was refused.
    fn complain(&mut self, error: &Diagnostic, role: CommandRole, script: &Script) {
        self.record.errors += 1;
        self.name.clone_from(&script.name);
        self.record.has_refused |= role != CommandRole::Request;
        let is_file = self.origin == Origin::File;
        if !is_file || self.record.errors <= MOST_ERRORS {
            let Complaint { answer, picture } = script.complaint(error);
            self.errors.write(&picture);
            // Who takes us for another solver looks at the first word only.
            let is_held = is_file || self.configuration.arguments.dialect != Dialect::Own;
            if is_held && self.record.answers == 0 {
                self.held += &answer;
            } else {
                self.output.write(&answer);
            }
        }
        if role == CommandRole::Question {
            self.watch.finish();
            self.tell("unknown\n");
            if self.origin == Origin::File {
                self.watch.begin(None);
            }
        }
    }
    /// Gives an answer, and says behind it what was held back.
    fn tell(&mut self, text: &str) {
        self.output.write(text);
        self.record.answers += 1;
        self.release();
        self.output.flush();
    }
    fn release(&mut self) {
        self.output.write(&std::mem::take(&mut self.held));
    }

    /// Answers the open question, and the requests that wait for the answer.
    fn answer(&mut self, rest: Rest, script: &Script) -> Flow {
        let is_whole = self.reader.is_whole();
        let Some(problem) = self.reader.problem(rest) else { return Flow::Continue };
        let problem = if is_whole { Ok(problem) } else { Err(GaveUp::unsupported(NOT_WHOLE)) };
        let text = InputText::script(&self.rereader, self.questions);
        self.numbering.ask(self.questions);
        self.questions += 1;
        if self.answer_problem(problem, text, rest, &script.name) == Flow::Exit {
            return Flow::Exit;
        }
        for sentence in std::mem::take(&mut self.waiting) {
            self.perform(sentence, script);
        }
        if self.origin == Origin::File && rest == Rest::More {
            self.watch.begin(None);
        }
        Flow::Continue
    }
    /// Answers a question about a problem, or gives it up, and prints the answer.
    fn answer_problem(
        &mut self,
        problem: Result<HornProblem, GaveUp>,
        text: InputText,
        rest: Rest,
        name: &str,
    ) -> Flow {
        let own = self.settings.question_deadline(self.configuration.arguments.query_timeout);
        let options = self.question_options(own, text);
        let handle = self.watch.begin(own);
        let is_late = self.configuration.limits.is_late();
        let problem = problem.and_then(|p| if is_late { Err(GaveUp::Timeout) } else { Ok(p) });
        let problem = problem.and_then(|problem| self.with_hints(problem));
        let (answer, workers) = match problem {
            Err(why) => (self.configuration.give_up(why, name), Workers::default()),
            Ok(problem) => {
                let store = match rest {
                    Rest::More => self.store.clone(),
                    Rest::Nothing => std::mem::take(&mut self.store),
                };
                self.configuration.decide(store, problem, &options, &handle, name)
            }
        };
        match self.watch.finish() {
            AnswerState::Due => self.give(answer, AnswerState::Due),
            AnswerState::Given => {
                let late = self.configuration.give_up(GaveUp::Timeout, name);
                self.give(late, AnswerState::Given);
            }
        }
        // The end of the process is the end of its threads.
        if rest == Rest::More {
            join(workers);
        }
        if self.watch.asked_to_end().is_some() { Flow::Exit } else { Flow::Continue }
    }
    /// The problem with the hints of the command line, if these are about it.
    fn with_hints(&mut self, mut problem: HornProblem) -> Result<HornProblem, GaveUp> {
        match self.configuration.add_hints(&mut self.store, &mut problem) {
            Ok(()) => Ok(problem),
            Err(Complaint { answer, picture }) => {
                self.errors.write(&picture);
                self.held += &answer;
                self.record.errors += 1;
                self.record.has_refused = true;
                Err(GaveUp::unsupported("the hints were refused"))
            }
        }
    }
    /// Answers the questions of a text that is not a script.
    fn answer_whole(&mut self, front_end: &FrontEnd, property: Property, name: &str, text: &[u8]) {
        let options = match self.configuration.arguments.languages.options_for(front_end, property)
        {
            Ok(options) => options,
            Err(error) => return self.refuse_text(&Complaint::of_option(&error)),
        };
        let problems = match (front_end.read)(text, &options, &mut self.store) {
            Ok(problems) => problems,
            Err(error) => {
                return self.refuse_text(&Complaint::new(&error, name, &Source::new(text)));
            }
        };
        if property == Property::Termination {
            return self.answer_termination(&problems, text);
        }
        let count = problems.len();
        let whole: Arc<[u8]> = text.into();
        for (question, problem) in problems.into_iter().enumerate() {
            let rest = if question + 1 < count { Rest::More } else { Rest::Nothing };
            let text = InputText::of(front_end, &options, &whole, question);
            if self.answer_problem(Ok(problem), text, rest, name) == Flow::Exit {
                return;
            }
        }
    }
    /// Says that a text as a whole is refused.
    fn refuse_text(&mut self, complaint: &Complaint) {
        self.errors.write(&complaint.picture);
        self.held += &complaint.answer;
        (self.record.errors, self.record.has_refused) = (1, true);
        // It is the answer, and none but this one is owed.
        self.watch.finish();
        self.tell(self.watch.unknown());
    }
    fn question_options(&self, own: Option<Instant>, text: InputText) -> QuestionOptions {
        let asks = self.waiting.iter().any(|sentence| sentence.command == Command::GetModel);
        // Of a file it is known what it asks for.
        let may_ask = self.announces_models && self.origin != Origin::File;
        let arguments = self.configuration.arguments;
        let reads_witness = arguments.witness.is_some() && !arguments.leash;
        QuestionOptions {
            deadline: own.into_iter().chain(self.configuration.limits.deadline).min(),
            seed: self.settings.seed,
            small_models: reads_witness || asks || may_ask,
            text,
        }
    }
    /// The witness of a verification task; if there is none for the language, that is said.
    fn yaml(&mut self, answer: &mut Answered) -> String {
        let facts = TaskFacts::of(&self.name, &self.text, answer.word());
        let Some(text) = answer.yaml(&facts.task()) else {
            let message = "there are witnesses of this form for programs in C only, and for executions that are not too long";
            self.errors.write(&format!("shofar: {message}\n"));
            self.record.has_refused |= answer.word() != "unknown";
            return String::new();
        };
        text
    }
    /// Whether the script asks for the evidence that the option is about: then it is printed once,
    /// as the answer to the script. Other solvers do not print a model twice either.
    fn is_asked_for(&self, answer: &Answered, style: WitnessStyle, dialect: Dialect) -> bool {
        let asks = |command| self.waiting.iter().any(|sentence| sentence.command == command);
        match style {
            WitnessStyle::Full | WitnessStyle::Short | WitnessStyle::Summary => {
                answer.has_model() && asks(Command::GetModel)
                    || answer.has_refutation() && dialect == Dialect::Own && asks(Command::GetProof)
            }
            WitnessStyle::Json | WitnessStyle::Source | WitnessStyle::Yaml => {
                dialect != Dialect::Own && answer.has_model() && asks(Command::GetModel)
            }
        }
    }
    /// Puts a refutation in the clauses of the text, if that is how it is printed.
    fn number_clauses(&mut self, answer: &mut Answered, dialect: Dialect) {
        if dialect != Dialect::Own {
            return;
        }
        if let Err(why) = self.numbering.apply(answer, &self.text) {
            let message = format!("the clauses of the refutation have no numbers: {why}");
            self.errors.write(&format!("shofar: {message}\n"));
        }
    }
    /// Prints an answer, and what there is to say about it.
    fn give(&mut self, mut answer: Answered, state: AnswerState) {
        let mut text = match state {
            AnswerState::Due => format!("{}\n", answer.word()),
            AnswerState::Given => String::new(),
        };
        let dialect = self.configuration.arguments.dialect;
        let style = self.configuration.arguments.witness;
        if let Some(style) = style.filter(|&style| !self.is_asked_for(&answer, style, dialect)) {
            self.number_clauses(&mut answer, dialect);
            text += &match style {
                WitnessStyle::Full | WitnessStyle::Short | WitnessStyle::Summary => {
                    answer.witness(style, dialect, &self.text).unwrap_or_default()
                }
                WitnessStyle::Json => answer.json(&self.text),
                WitnessStyle::Source => answer.in_source(&self.text),
                WitnessStyle::Yaml => self.yaml(&mut answer),
            };
        }
        // The verdict and its witness are written as a whole, never half.
        self.tell(&text);
        if self.configuration.arguments.core && answer.has_refutation() {
            let core = self.core_of(&mut answer);
            self.output.write(&core);
        }
        for line in answer.remarks() {
            self.errors.write(&format!("shofar: {line}\n"));
        }
        if let Some(style) = self.configuration.arguments.stats {
            self.errors.write(&answer.statistics.render(style));
        }
        self.record.has_bug |= answer.has_bug();
        self.last = Some(answer);
    }
}

impl Interpreter for HornSession<'_> {
    fn open(&mut self, origin: Origin) {
        self.origin = origin;
        // What comes in pieces is a script; of a file it is seen when it is there.
        let options =
            self.configuration.arguments.languages.options_for(&SMT_LIB, Property::Safety);
        if let (Err(error), Origin::Pipe | Origin::Terminal) = (options, origin) {
            self.errors.write(&Complaint::of_option(&error).picture);
            self.record.has_refused = true;
        }
        if origin == Origin::File {
            // What is in a file is a problem, also while it is being read.
            self.watch.begin(None);
        }
    }
    fn answer_text(&mut self, file: Option<&Path>, text: &[u8]) -> bool {
        let front_end = front_end_for(file, text);
        let asked = self.configuration.arguments.property;
        let property = asked.map_or(front_end.asks.usual(), PropertyArgument::property);
        let ask = match property {
            Property::Safety => "ask for termination only",
            Property::Termination => {
                self.watch.answer_by(termination::MAYBE);
                "do not ask for termination"
            }
        };
        if !front_end.asks.includes(property) {
            let message = format!("{} texts {ask}", front_end.name);
            self.refuse_text(&Complaint::of_option(&message));
            return true;
        }
        let options = self.configuration.arguments.languages.options_for(front_end, property);
        let is_script = front_end.texts == Texts::Script && property == Property::Safety;
        if is_script && options.is_ok() {
            return false;
        }
        self.append(text);
        self.name = input::name(file);
        self.answer_whole(front_end, property, &input::name(file), text);
        self.watch.rest();
        self.output.flush();
        true
    }
    fn wants_whole(&self, begin: &[u8]) -> Option<bool> {
        match self.configuration.arguments.property.map(PropertyArgument::property) {
            Some(Property::Termination) => Some(true),
            Some(Property::Safety) | None => beginning::begins_otherwise(begin),
        }
    }
    fn append(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.rereader.lock().unwrap_or_else(PoisonError::into_inner).hear(text);
    }
    fn next(&mut self, commands: &mut Commands) -> Result<Step, Diagnostic> {
        if self.configuration.limits.is_late() && !self.settings.print_success {
            // Nothing will be decided any more, so what is stated need not be read.
            commands.skip_while(|text| CommandRole::of_text(text) == CommandRole::Statement);
        }
        self.reader.next(commands, &mut self.store)
    }
    fn execute(&mut self, sentence: Sentence, script: &Script) -> Flow {
        let flow = if sentence.command == Command::Exit { Flow::Exit } else { Flow::Continue };
        if self.reader.is_asked() {
            if CommandRole::of(&sentence.command) == CommandRole::Request {
                self.waiting.push(sentence);
                return flow;
            }
            if self.answer(Rest::More, script) == Flow::Exit {
                return Flow::Exit;
            }
        }
        self.perform(sentence, script);
        if self.output.is_broken() { Flow::Exit } else { flow }
    }
    fn refuse(&mut self, error: &Diagnostic, script: &Script) -> Flow {
        let flow = self.answer(Rest::More, script);
        if flow == Flow::Continue {
            self.complain(error, CommandRole::of_text(script.commands.last()), script);
        }
        flow
    }
    fn pause(&mut self, pause: Pause, script: &Script) -> Flow {
        let flow = match pause {
            Pause::Waiting => self.answer(Rest::More, script),
            Pause::End => {
                if self.origin != Origin::Terminal && self.reader.ask_at_end() {
                    let told = "it is answered as if one stood at its end";
                    self.errors.write(&format!("shofar: {NO_QUESTION}; {told}\n"));
                }
                let flow = self.answer(Rest::Nothing, script);
                self.watch.rest();
                flow
            }
        };
        if pause == Pause::End {
            self.release();
            let further = self.record.errors.saturating_sub(MOST_ERRORS);
            if further > 0 && self.origin == Origin::File {
                let message = format!("{further} further commands were refused");
                self.output.write(&format!("(error {})\n", string(&message)));
            }
        }
        self.output.flush();
        if self.output.is_broken() { Flow::Exit } else { flow }
    }
}
