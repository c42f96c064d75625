//! One system, decided in many ways.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use shofar_base::{Budget, Rng, StopHandle};
use shofar_chc::Verdict;
use shofar_chc::print::{Lines, print_model, print_refutation};
use shofar_chc::read::{HornProblem, SMT_LIB, read_horn};
use shofar_check::{HornInput, InputText, Rigour, parse_witness, validate_with};
use shofar_driver::{Event, Preprocessing, Settings, Solved, solve};
use shofar_engine::{ENGINES, EngineInfo, EngineOptions};
use shofar_term::{Cx, TermStore};
use shofar_testkit::case::Answer;
use shofar_testkit::sexp::Sexp;
use shofar_transform::{PASSES, PassInfo};

/// An answer may come so much later than its limit; more is a fault.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is done before the engines start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passes {
    /// The usual passes.
    Usual,
    /// None.
    Nothing,
    /// A few, drawn by lot.
    Random,
}

impl Passes {
    const ALL: [Passes; 3] = [Passes::Usual, Passes::Nothing, Passes::Random];

    fn preprocessing(self, number: u64) -> Preprocessing {
        match self {
            Passes::Usual => Preprocessing::Default,
            Passes::Nothing => Preprocessing::Nothing,
            Passes::Random => {
                let mut rng = Rng::new(number);
                let forms: Vec<String> = PASSES.iter().flat_map(PassInfo::forms).collect();
                let texts: Vec<&str> =
                    (0..=rng.below(6)).map(|_| rng.pick(&forms).as_str()).collect();
                Preprocessing::Passes(texts.join(",").parse().expect("it is in the table"))
            }
        }
    }
}

/// Who decides a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variety {
    /// Every engine and the default strategy.
    Everybody,
    /// The default strategy and one engine in turn.
    Turns,
}

/// A way to decide a system.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    /// None is the default strategy.
    pub(crate) engine: Option<&'static EngineInfo>,
    pub(crate) passes: Passes,
}

impl Manner {
    /// Every engine and the default strategy, with the usual passes, without any, and with random
    /// ones.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Passes::ALL.into_iter().flat_map(|passes| {
            let engines = ENGINES.iter().map(Some).chain([None]);
            engines.map(move |engine| Self { engine, passes })
        })
    }
    /// Those in which the system with this number is decided: always the usual passes, and one of
    /// the others in turn.
    fn of(number: u64, variety: Variety) -> impl Iterator<Item = Self> {
        let engines = u64::try_from(ENGINES.len()).expect("there are few engines");
        let turn = ENGINES.get(usize::try_from(number % engines).expect("a small number"));
        let is_heard = move |engine: Option<&'static EngineInfo>| match variety {
            Variety::Everybody => true,
            Variety::Turns => engine.is_none_or(|e| turn.is_some_and(|t| t.name == e.name)),
        };
        Self::all().filter(move |manner| {
            let in_turn = match manner.passes {
                Passes::Usual => true,
                Passes::Nothing => number.is_multiple_of(3),
                Passes::Random => number % 3 == 1,
            };
            in_turn && is_heard(manner.engine)
        })
    }
    /// What it is called in tables.
    pub(crate) fn name(self) -> String {
        let engine = self.engine.map_or("default", |engine| engine.name);
        match self.passes {
            Passes::Usual => engine.to_owned(),
            Passes::Nothing => format!("{engine}, no passes"),
            Passes::Random => format!("{engine}, random passes"),
        }
    }
}

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// Two of ours contradict each other.
    Verdict,
    /// One of ours contradicts z3.
    Reference,
    /// A witness did not pass the validator.
    Rejected,
    /// A witness does not pass after it was printed and read.
    RoundTrip,
    /// z3 does not confirm a model.
    Model,
    /// Something panicked.
    Panic,
    /// An answer came much too late.
    Late,
    /// The text was refused.
    Refused,
}

/// Something wrong.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) message: String,
}

/// What one way of deciding came to.
pub(crate) struct Result {
    pub(crate) manner: Manner,
    pub(crate) answer: Answer,
    /// A model as it is printed.
    pub(crate) model: Option<String>,
    /// Why there is no answer.
    why: String,
    time: Duration,
}

/// A system and everything said about it.
pub(crate) struct Contest {
    pub(crate) script: Vec<Sexp>,
    pub(crate) results: Vec<Result>,
    pub(crate) opinion: Option<Answer>,
    /// Models that z3 has confirmed.
    pub(crate) confirmed: u64,
    pub(crate) faults: Vec<Fault>,
}

impl Contest {
    /// Decides the system of `script` in every way that its number asks for.
    pub(crate) fn hold(script: Vec<Sexp>, number: u64, limit: Duration, variety: Variety) -> Self {
        let text = super::text(&script).into_bytes();
        let mut contest =
            Self { script, results: Vec::new(), opinion: None, confirmed: 0, faults: Vec::new() };
        for manner in Manner::of(number, variety) {
            let mut faults = Vec::new();
            let trial = || Trial { text: &text, manner, number, faults: &mut faults }.run(limit);
            let start = Instant::now();
            match catch_unwind(AssertUnwindSafe(trial)) {
                Ok(result) => contest.results.extend(result),
                Err(payload) => {
                    let text = payload.downcast_ref::<String>().map(String::as_str);
                    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
                    let message = format!("outside the engines: {}", text.unwrap_or("a panic"));
                    faults.push(Fault { kind: FaultKind::Panic, message });
                }
            }
            if start.elapsed() > limit + PATIENCE {
                let message = format!("it took {:.1} s", start.elapsed().as_secs_f64());
                faults.push(Fault { kind: FaultKind::Late, message });
            }
            let name = manner.name();
            contest.faults.extend(
                faults
                    .into_iter()
                    .map(|f| Fault { message: format!("{name}: {}", f.message), kind: f.kind }),
            );
        }
        contest.compare();
        contest
    }
    /// The names of those who gave this answer.
    fn who(&self, answer: Answer) -> String {
        let names = self.results.iter().filter(|r| r.answer == answer).map(|r| r.manner.name());
        names.collect::<Vec<_>>().join("; ")
    }
    fn compare(&mut self) {
        let (sat, unsat) = (self.who(Answer::Sat), self.who(Answer::Unsat));
        if !sat.is_empty() && !unsat.is_empty() {
            let message = format!("sat say {sat}; unsat say {unsat}");
            self.faults.push(Fault { kind: FaultKind::Verdict, message });
        }
    }
    /// Compares with what z3 says.
    pub(crate) fn hear(&mut self, opinion: Option<Answer>) {
        self.opinion = opinion;
        let opposite = match opinion {
            Some(Answer::Sat) => Answer::Unsat,
            Some(Answer::Unsat) => Answer::Sat,
            Some(Answer::Unknown) | None => return,
        };
        let who = self.who(opposite);
        if !who.is_empty() {
            let message = format!("{} say {who}, z3 says otherwise", opposite.word());
            self.faults.push(Fault { kind: FaultKind::Reference, message });
        }
    }
    /// What everybody says, as comments.
    pub(crate) fn describe(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for r in &self.results {
            let (name, word) = (r.manner.name(), r.answer.word());
            lines.push(format!("; {name}: {word} {} {:.3} s", r.why, r.time.as_secs_f64()));
        }
        lines.push(format!("; z3: {}", self.opinion.map_or("nothing", Answer::word)));
        lines.join("\n")
    }
}

/// One way of deciding a system.
struct Trial<'t> {
    text: &'t [u8],
    manner: Manner,
    number: u64,
    faults: &'t mut Vec<Fault>,
}

impl Trial<'_> {
    fn fault(&mut self, kind: FaultKind, message: impl Into<String>) {
        self.faults.push(Fault { kind, message: message.into() });
    }
    fn read(&mut self, store: &mut TermStore) -> Option<HornProblem> {
        match read_horn(self.text, store) {
            Ok(script) => {
                let problem = script.problems.into_iter().next();
                if problem.is_none() {
                    self.fault(FaultKind::Refused, "there is no question");
                }
                problem
            }
            Err(diagnostic) => {
                self.fault(FaultKind::Refused, format!("{diagnostic:?}"));
                None
            }
        }
    }
    fn run(mut self, limit: Duration) -> Option<Result> {
        let mut store = TermStore::new();
        let problem = self.read(&mut store)?;
        let text = InputText::of(&SMT_LIB, &SMT_LIB.defaults(), &self.text.into(), 0);
        let input = HornInput::of_problem(&problem).with_text(text);
        let start = Instant::now();
        let settings = Settings {
            engines: self.manner.engine.into_iter().collect(),
            options: EngineOptions::with_seed(self.number % 5),
            preprocessing: self.manner.passes.preprocessing(self.number),
            deadline: Some(start + limit),
            rigour: Rigour::Proofs,
            ..Settings::default()
        };
        let mut panics = Vec::new();
        let outcome = solve(store, &input, &settings, &StopHandle::default(), &mut |event| {
            if let Event::Panicked(_, message) = event {
                panics.push(message.clone());
            }
        });
        let time = start.elapsed();
        for message in panics {
            self.fault(FaultKind::Panic, message);
        }
        let (manner, model) = (self.manner, None);
        match outcome {
            Ok(solved) => {
                let (answer, witness) = print_witness(solved, &problem);
                self.read_back(&witness);
                let model = (answer == Answer::Sat).then_some(witness);
                Some(Result { manner, answer, model, why: String::new(), time })
            }
            Err(failure) => {
                for message in &failure.rejected {
                    self.fault(FaultKind::Rejected, message);
                }
                let why = failure.engines.iter().map(|(_, why)| why.clone());
                let why = why.chain(failure.stopped.map(|s| s.to_string())).collect::<Vec<_>>();
                Some(Result { manner, answer: Answer::Unknown, model, why: why.join(", "), time })
            }
        }
    }
    /// Reads problem and witness anew and validates.
    fn read_back(&mut self, witness: &str) {
        let mut store = TermStore::new();
        let Some(problem) = self.read(&mut store) else { return };
        let budget = Budget::until(Instant::now() + Duration::from_secs(5));
        let mut cx = Cx::new(&mut store, &budget);
        let parsed = match parse_witness(&mut cx, witness.as_bytes(), &problem.system) {
            Ok(parsed) => parsed,
            Err(unread) => {
                self.fault(FaultKind::RoundTrip, format!("{unread:?} in\n{witness}"));
                return;
            }
        };
        let input = HornInput::of_problem(&problem);
        match validate_with(&mut cx, &input, parsed, Rigour::Proofs) {
            Ok(Ok(_)) => {}
            Ok(Err(objection)) => {
                let objection = objection.describe(&store, &input);
                self.fault(FaultKind::RoundTrip, format!("{objection} in\n{witness}"));
            }
            Err(why) => self.fault(FaultKind::RoundTrip, format!("{why} in\n{witness}")),
        }
    }
}

fn print_witness(solved: Solved, problem: &HornProblem) -> (Answer, String) {
    let Solved { certified, mut store, .. } = solved;
    let mut text = Vec::new();
    let (answer, written) = match certified.verdict() {
        Verdict::Safe(model) => {
            (Answer::Sat, print_model(&mut text, &mut store, &problem.system, model))
        }
        Verdict::Unsafe(refutation) => {
            let lines = Lines::unknown();
            let written = print_refutation(&mut text, &store, &problem.system, &lines, refutation);
            (Answer::Unsat, written)
        }
    };
    written.expect("writing to memory does not fail");
    (answer, String::from_utf8_lossy(&text).into_owned())
}

/// Panics are reported as faults, not on the terminal.
pub(crate) fn silence_panics() {
    std::panic::set_hook(Box::new(|_| ()));
}

#[cfg(test)]
mod tests {
    use shofar_engine::Fragment;

    use super::*;

    fn contest(last: &str) -> Contest {
        let text = format!(
            "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))\
             (assert (forall ((x Int)) (=> (and (p x) (< x 3)) (p (+ x 1)))))(assert (not (p {last})))(check-sat)"
        );
        let script = shofar_testkit::sexp::parse_all(&text).expect("the script is well-formed");
        Contest::hold(script, 0, Duration::from_secs(20), Variety::Everybody)
    }

    #[test]
    fn everybody_agrees() {
        for (last, answer) in [("3", Answer::Unsat), ("4", Answer::Sat)] {
            let mut contest = contest(last);
            assert_eq!(contest.results.len(), 2 * (ENGINES.len() + 1));
            // The clauses are recursive, which is not for everybody.
            let applies = |r: &&Result| {
                r.manner.engine.is_none_or(|engine| engine.fragment != Fragment::RecursionFree)
            };
            let mut answers = contest.results.iter().filter(applies).map(|r| r.answer);
            assert!(answers.all(|other| other == answer), "{}", contest.describe());
            contest.hear(Some(answer));
            assert!(contest.faults.is_empty(), "{:?}", contest.faults);
        }
    }

    #[test]
    fn engines_take_turns() {
        let names = |number| -> Vec<String> {
            Manner::of(number, Variety::Turns).map(Manner::name).collect()
        };
        assert_eq!(names(2), [ENGINES[2].name, "default"]);
        assert_eq!(names(0).len(), 4);
    }

    #[test]
    fn contradictions_are_faults() {
        let mut contest = contest("3");
        contest.hear(Some(Answer::Sat));
        assert_eq!(contest.faults[0].kind, FaultKind::Reference);
        contest.results[0].answer = Answer::Sat;
        contest.compare();
        assert_eq!(contest.faults[1].kind, FaultKind::Verdict);
    }

    #[test]
    fn what_cannot_be_read_is_a_fault() {
        let script = shofar_testkit::sexp::parse_all("(assert (p 0))(check-sat)");
        let contest = Contest::hold(
            script.expect("it is a script"),
            2,
            Duration::from_secs(1),
            Variety::Everybody,
        );
        assert!(contest.faults.iter().all(|f| f.kind == FaultKind::Refused));
        assert_eq!(contest.faults.len(), ENGINES.len() + 1);
    }
}
