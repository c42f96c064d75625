//! Random scripts, each exercising one feature of an SMT solver.
//!
//! A [`Case`] is a script with open ends: what may be asked after a `check-sat` depends on its
//! answer, since asking for a model after `unsat` is an error. So a case is drawn first, then the
//! answers are obtained from a reference solver ([`Case::draft`]), and [`Case::finish`] puts the
//! fitting questions behind each `check-sat`. Answers known by construction are written into the
//! script as `(set-info :status …)`, so that the script alone says all.
//!
//! A case depends on the seed and its number only.

use shofar_base::Rng;

pub use crate::feature::Feature;
use crate::formula::{Formulas, negate};
use crate::function::Mark;
use crate::logic::{Logic, Sort, Theory};
use crate::planted::Contradiction;
use crate::split;

/// What a solver says to a `check-sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// It does not know.
    Unknown,
}

impl Answer {
    /// The word of SMT-LIB.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown => "unknown",
        }
    }
    /// The answer spelled `word`.
    pub fn from_word(word: &str) -> Option<Self> {
        [Answer::Sat, Answer::Unsat, Answer::Unknown]
            .into_iter()
            .find(|answer| answer.word() == word)
    }
}

/// Logics by frequency.
const LOGICS: [Logic; 16] = [
    Logic::LRA,
    Logic::LRA,
    Logic::LIA,
    Logic::LIA,
    Logic::LIRA,
    Logic::RDL,
    Logic::IDL,
    Logic::BOOL,
    Logic::UF,
    Logic::UF,
    Logic::UFLIA,
    Logic::UFLIA,
    Logic::UFLRA,
    Logic::UFLIRA,
    Logic::UFIDL,
    Logic::UFRDL,
];

/// Logics with arrays, data types and bit-vectors, by frequency.
const THEORIES: [Logic; 15] = [
    Logic::AX,
    Logic::ALIA,
    Logic::ALIA,
    Logic::AUFLIA,
    Logic::DT,
    Logic::DTLIA,
    Logic::UFDTLIA,
    Logic::BV,
    Logic::BV,
    Logic::ABV,
    Logic::UFBV,
    Logic::AUFBV,
    Logic::UFDTBV,
    Logic::BVLIA,
    Logic::MIXED,
];

/// A line of a case.
#[derive(Clone, Debug)]
enum Step {
    Command(String),
    Check { command: String, known: Option<Answer>, on_sat: Vec<String>, on_unsat: Vec<String> },
}

/// A script whose questions after each check are still to be chosen.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its logic.
    pub logic: Logic,
    /// What it exercises.
    pub feature: Feature,
    steps: Vec<Step>,
}

impl Case {
    /// The case with this number; the same for the same seed.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut rng = generator(seed, number);
        let feature = Feature::of(number);
        // The order of strengths is a fact about the reals.
        let logics: &[Logic] = if feature == Feature::Strength {
            &[Logic::LRA, Logic::LRA, Logic::RDL]
        } else {
            &LOGICS
        };
        let logic = *rng.pick(logics);
        Writer::new(rng, logic, feature).write()
    }

    /// The case with this number in a logic with arrays, data types or bit-vectors.
    pub fn with_theories(seed: u64, number: u64) -> Self {
        let mut rng = generator(seed, number);
        let drawn = Feature::of(number);
        // The order of strengths is a fact about the reals.
        let feature = if drawn == Feature::Strength { Feature::PlantedModel } else { drawn };
        let logic = *rng.pick(&THEORIES);
        Writer::new(rng, logic, feature).write()
    }

    /// The commands without the questions that depend on answers.
    pub fn draft(&self) -> Vec<&str> {
        self.steps
            .iter()
            .map(|step| match step {
                Step::Command(command) | Step::Check { command, .. } => command.as_str(),
            })
            .collect()
    }

    /// Whether one of these answers, one for each check, is not the one known by construction.
    pub fn contradicts(&self, answers: &[Answer]) -> bool {
        let known = self.steps.iter().filter_map(|step| match step {
            Step::Command(_) => None,
            Step::Check { known, .. } => Some(*known),
        });
        let differs = |(known, answer): (Option<Answer>, &Answer)| {
            *answer != Answer::Unknown && known.is_some_and(|known| known != *answer)
        };
        known.zip(answers).any(differs)
    }

    /// The commands with the questions that fit `answers`, one for each check.
    pub fn finish(&self, answers: &[Answer]) -> Vec<String> {
        let mut answers = answers.iter();
        let mut script = Vec::new();
        for step in &self.steps {
            match step {
                Step::Command(command) => script.push(command.clone()),
                Step::Check { command, known, on_sat, on_unsat } => {
                    if let Some(known) = known {
                        script.push(format!("(set-info :status {})", known.word()));
                    }
                    script.push(command.clone());
                    match answers.next() {
                        Some(Answer::Sat) => script.extend(on_sat.iter().cloned()),
                        Some(Answer::Unsat) => script.extend(on_unsat.iter().cloned()),
                        Some(Answer::Unknown) | None => {}
                    }
                }
            }
        }
        script
    }
}

fn generator(seed: u64, number: u64) -> Rng {
    Rng::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ Rng::new(number).bits())
}

/// State while a case is being written.
struct Writer {
    rng: Rng,
    formulas: Formulas,
    feature: Feature,
    steps: Vec<Step>,
    /// Names of the live assertions, if they have one.
    live: Vec<Option<String>>,
    /// The size of `live` and the symbols at each open scope.
    scopes: Vec<(usize, Mark)>,
    named: u64,
    counter: usize,
}

impl Writer {
    fn new(mut rng: Rng, logic: Logic, feature: Feature) -> Self {
        let formulas = Formulas::new(&mut rng, logic);
        let named = match feature {
            Feature::Core if rng.chance(50) => 100,
            Feature::Core => 70,
            Feature::Incremental if rng.chance(60) => 100,
            Feature::Random | Feature::PlantedModel | Feature::PlantedContradiction
                if rng.chance(80) =>
            {
                0
            }
            Feature::Random | Feature::PlantedModel | Feature::PlantedContradiction => 30,
            Feature::Incremental | Feature::Assumptions => 0,
            Feature::Interpolant | Feature::Sequence | Feature::Tree | Feature::Strength => 100,
        };
        Self {
            rng,
            formulas,
            feature,
            steps: Vec::new(),
            live: Vec::new(),
            scopes: Vec::new(),
            named,
            counter: 0,
        }
    }

    fn write(mut self) -> Case {
        self.header();
        match self.feature {
            Feature::Random => self.random(),
            Feature::PlantedModel => self.planted_model(),
            Feature::PlantedContradiction | Feature::Core => self.contradiction(),
            Feature::Incremental => self.incremental(),
            Feature::Assumptions => self.assumptions(),
            Feature::Interpolant | Feature::Sequence | Feature::Tree | Feature::Strength => {
                self.interpolation();
            }
        }
        Case { logic: self.formulas.logic, feature: self.feature, steps: self.steps }
    }

    fn command(&mut self, text: impl Into<String>) {
        self.steps.push(Step::Command(text.into()));
    }

    fn header(&mut self) {
        if self.named > 0 && !self.feature.interpolates() {
            self.command("(set-option :produce-unsat-cores true)");
        }
        if self.feature.interpolates()
            || (self.named == 100 && self.feature == Feature::Incremental)
        {
            self.command("(set-option :produce-interpolants true)");
        }
        if self.feature == Feature::Core && self.rng.chance(40) {
            self.command("(set-option :minimal-unsat-cores true)");
        }
        self.command("(set-option :produce-models true)");
        if self.feature == Feature::Assumptions {
            self.command("(set-option :produce-unsat-assumptions true)");
        }
        let logic = self.formulas.logic;
        match self.rng.below(10) {
            0 => {}
            1 => self.command("(set-logic ALL)"),
            _ => self.command(format!("(set-logic {})", logic.name())),
        }
        if self.feature.interpolates() || self.feature == Feature::Incremental {
            self.formulas.keep_small();
        }
        self.declare_some();
    }

    fn declare_some(&mut self) {
        let logic = self.formulas.logic;
        let booleans = if logic == Logic::BOOL { 3 + self.rng.below(5) } else { self.rng.below(4) };
        for _ in 0..booleans {
            let command = self.formulas.declare(&mut self.rng, Sort::Bool);
            self.command(command);
        }
        for &sort in logic.number_sorts() {
            for _ in 0..2 + self.rng.below(3) {
                let command = self.formulas.declare(&mut self.rng, sort);
                self.command(command);
            }
        }
        if logic.theory != Theory::None {
            for command in self.formulas.declare_theory(&mut self.rng) {
                self.command(command);
            }
        }
        if logic.has_functions {
            for command in self.formulas.declare_signature(&mut self.rng) {
                self.command(command);
            }
        }
        if self.rng.chance(15) {
            let command = self.formulas.define(&mut self.rng);
            self.command(command);
        }
        if self.feature != Feature::PlantedModel && self.rng.chance(12) {
            let command = self.formulas.define_function(&mut self.rng);
            self.command(command);
        }
    }

    /// Asserts `term`, named or not as the feature wants it.
    fn assert(&mut self, term: &str) {
        if self.rng.chance(self.named) {
            self.counter += 1;
            let name = format!("A{}", self.counter);
            self.command(format!("(assert (! {term} :named {name}))"));
            self.live.push(Some(name));
        } else {
            self.command(format!("(assert {term})"));
            self.live.push(None);
        }
    }

    fn assert_random(&mut self, count: usize) {
        for _ in 0..count {
            let depth = self.rng.below(4);
            let node = self.formulas.boolean(&mut self.rng, depth);
            self.assert(&node.text);
        }
    }

    /// Asserts many short clauses over few symbols, if the logic has functions and chance wants it.
    fn assert_flat(&mut self, most: usize) -> bool {
        let logic = self.formulas.logic;
        let wanted = (logic.has_functions || logic.theory != Theory::None) && self.rng.chance(60);
        if wanted {
            for _ in 0..most / 3 + self.rng.below(most) {
                let node = self.formulas.flat_clause(&mut self.rng);
                self.assert(&node.text);
            }
        }
        wanted
    }

    fn plant(&mut self) {
        let kind = Contradiction::choose(&mut self.rng, self.formulas.logic);
        let (declarations, terms) = kind.plant(&mut self.rng, &mut self.formulas);
        for declaration in declarations {
            self.command(declaration);
        }
        let mut at = 0;
        while at < terms.len() {
            // Some of the noise stands between the planted rows.
            if self.rng.chance(15) {
                self.assert_random(1);
            }
            let together = if self.rng.chance(15) { 2 } else { 1 };
            let rows = &terms[at..terms.len().min(at + together)];
            let text =
                if rows.len() == 1 { rows[0].clone() } else { format!("(and {})", rows.join(" ")) };
            self.assert(&text);
            at += together;
        }
    }

    /// Questions about a model.
    fn model_questions(&mut self) -> Vec<String> {
        let mut questions = Vec::new();
        if self.rng.chance(70) {
            questions.push("(get-model)".to_owned());
        }
        if self.rng.chance(50) {
            let sorts = self.formulas.sorts();
            let terms: Vec<String> = (0..=self.rng.below(3))
                .map(|_| {
                    let sort = *self.rng.pick(&sorts);
                    let depth = self.rng.below(3);
                    self.formulas.term(&mut self.rng, sort, depth).text
                })
                .collect();
            questions.push(format!("(get-value ({}))", terms.join(" ")));
        }
        if self.rng.chance(10) {
            let sort = *self.rng.pick(&self.formulas.sorts());
            let term = self.formulas.term(&mut self.rng, sort, 1).text;
            questions.push(format!("(eval {term})"));
        }
        questions
    }

    /// Questions about a refutation, as far as the names of the assertions allow.
    fn refutation_questions(&mut self) -> Vec<String> {
        let names: Option<Vec<String>> = self.live.iter().cloned().collect();
        let mut questions = Vec::new();
        match self.feature {
            Feature::Core | Feature::PlantedContradiction if self.named > 0 => {
                questions.push("(get-unsat-core)".to_owned());
            }
            Feature::Incremental => {
                if self.named > 0 && self.rng.chance(60) {
                    questions.push("(get-unsat-core)".to_owned());
                }
                if self.named == 100
                    && let Some(names) = names
                    && self.rng.chance(50)
                {
                    questions.extend(split::questions(&mut self.rng, Feature::Interpolant, &names));
                }
            }
            Feature::Interpolant | Feature::Sequence | Feature::Tree | Feature::Strength => {
                let names = names.expect("all assertions of these features are named");
                questions.extend(split::questions(&mut self.rng, self.feature, &names));
            }
            Feature::Random
            | Feature::PlantedModel
            | Feature::PlantedContradiction
            | Feature::Assumptions
            | Feature::Core => {}
        }
        questions
    }

    fn check(&mut self, known: Option<Answer>) {
        let (on_sat, on_unsat) = (self.model_questions(), self.refutation_questions());
        self.steps.push(Step::Check { command: "(check-sat)".to_owned(), known, on_sat, on_unsat });
    }

    fn random(&mut self) {
        if self.assert_flat(24) {
            return self.check(None);
        }
        let count = 1 + self.rng.below(6);
        self.assert_random(count);
        self.check(None);
    }

    fn planted_model(&mut self) {
        for _ in 0..2 + self.rng.below(6) {
            let depth = 1 + self.rng.below(3);
            let node = self.formulas.boolean(&mut self.rng, depth);
            match node.truth() {
                Some(true) => self.assert(&node.text),
                Some(false) => self.assert(&negate(&node).text),
                None => {}
            }
        }
        self.check(Some(Answer::Sat));
    }

    fn contradiction(&mut self) {
        let noise = self.rng.below(4);
        self.assert_random(noise);
        if self.feature == Feature::Core && self.rng.chance(35) {
            self.assert_random(4);
            self.check(None);
            return;
        }
        self.plant();
        self.check(Some(Answer::Unsat));
    }

    fn interpolation(&mut self) {
        let pure = self.feature == Feature::Strength && self.rng.chance(50);
        if self.rng.chance(65) {
            let noise = if pure { 0 } else { self.rng.below(3) };
            self.assert_random(noise);
            self.plant();
            // A split needs two groups.
            self.assert_random(2usize.saturating_sub(self.live.len()));
            self.check(Some(Answer::Unsat));
        } else if self.assert_flat(15) {
            self.assert_random(2usize.saturating_sub(self.live.len()));
            self.check(None);
        } else {
            let count = 4 + self.rng.below(5);
            self.assert_random(count);
            self.check(None);
        }
    }

    fn incremental(&mut self) {
        let mut contradictions: Vec<usize> = Vec::new();
        for _ in 0..6 + self.rng.below(14) {
            match self.rng.below(12) {
                0 | 1 => self.push(),
                2 => {
                    if !self.scopes.is_empty() {
                        let levels = 1 + self.rng.below(self.scopes.len().min(2));
                        self.pop(levels);
                        contradictions.retain(|depth| *depth <= self.scopes.len());
                    }
                }
                3 if self.scopes.len() < 4 => {
                    self.push();
                    self.plant();
                    contradictions.push(self.scopes.len());
                }
                4 if self.rng.chance(40) => self.declare_more(),
                5..8 => self.assert_random(1),
                _ => {
                    let known = (!contradictions.is_empty()).then_some(Answer::Unsat);
                    self.check(known);
                }
            }
        }
        self.check((!contradictions.is_empty()).then_some(Answer::Unsat));
    }

    /// A symbol that is forgotten with the present scope.
    fn declare_more(&mut self) {
        let logic = self.formulas.logic;
        if logic.has_functions && self.rng.chance(60) {
            let commands = if self.formulas.free_sorts.len() < 3 && self.rng.chance(30) {
                self.formulas.declare_sort(&mut self.rng)
            } else {
                vec![self.formulas.declare_random_function(&mut self.rng)]
            };
            for command in commands {
                self.command(command);
            }
            return;
        }
        let sort = match (logic.number_sorts(), self.formulas.compound.as_slice()) {
            ([], []) => Sort::Bool,
            (numbers, compound) => *self.rng.pick(&[numbers, compound].concat()),
        };
        let command = self.formulas.declare(&mut self.rng, sort);
        self.command(command);
    }

    fn push(&mut self) {
        self.scopes.push((self.live.len(), self.formulas.mark()));
        self.command("(push 1)");
    }

    fn pop(&mut self, levels: usize) {
        let keep = self.scopes.len() - levels;
        let (live, mark) = self.scopes[keep];
        self.scopes.truncate(keep);
        self.live.truncate(live);
        self.formulas.release(mark);
        self.command(format!("(pop {levels})"));
    }

    fn assumptions(&mut self) {
        let count = 3 + self.rng.below(3);
        let guards: Vec<String> = (0..count)
            .map(|_| {
                let command = self.formulas.declare(&mut self.rng, Sort::Bool);
                self.command(command);
                self.formulas.variables.last().expect("just declared").name.clone()
            })
            .collect();
        let noise = self.rng.below(3);
        self.assert_random(noise);
        for guard in &guards {
            let depth = self.rng.below(3);
            let node = self.formulas.boolean(&mut self.rng, depth);
            self.assert(&format!("(=> {guard} {})", node.text));
        }
        for _ in 0..2 + self.rng.below(4) {
            if self.rng.chance(20) {
                self.check(None);
                continue;
            }
            let literals: Vec<String> = guards
                .iter()
                .filter(|_| self.rng.chance(70))
                .cloned()
                .collect::<Vec<_>>()
                .into_iter()
                .map(|guard| if self.rng.chance(15) { format!("(not {guard})") } else { guard })
                .collect();
            let command = format!("(check-sat-assuming ({}))", literals.join(" "));
            let on_sat = self.model_questions();
            let on_unsat = vec!["(get-unsat-assumptions)".to_owned()];
            self.steps.push(Step::Check { command, known: None, on_sat, on_unsat });
        }
    }
}
