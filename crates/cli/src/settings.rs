//! The options of SMT-LIB scripts.
//!
//! The names for interpolation follow `OpenSMT`, whose numbers are accepted beside our words.
//! Options that decide how the solver is built cannot change once it is. `:timeout` is z3's:
//! milliseconds for each question.

use std::time::{Duration, Instant};

use shofar_num::Rational;
use shofar_smt::{BoolAlgorithm, Evidence, Interpolation, LinearAlgorithm, Options};
use shofar_smtlib::AttributeValue;

use crate::output::Channel;
use crate::reply::{Reply, Response};

/// The options of a session, with their defaults.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "SMT-LIB has as many independent flags")]
pub(crate) struct Settings {
    pub(crate) print_success: bool,
    pub(crate) models: bool,
    pub(crate) assignments: bool,
    pub(crate) cores: bool,
    pub(crate) minimal_cores: bool,
    pub(crate) unsat_assumptions: bool,
    pub(crate) interpolants: bool,
    proofs: bool,
    certify: bool,
    boolean: BoolAlgorithm,
    linear: LinearChoice,
    factor: Rational,
    global_declarations: bool,
    pub(crate) seed: u64,
    /// Milliseconds for each question.
    timeout: u32,
    resource_limit: u32,
    pub(crate) verbosity: u32,
    regular: String,
    diagnostic: String,
}

/// The value of `:timeout` that means there is none.
const NO_TIMEOUT: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinearChoice {
    Farkas,
    DualFarkas,
    Factor,
    Decomposed,
    DualDecomposed,
}

const BOOLEAN: [(&str, &str, BoolAlgorithm); 3] = [
    ("mcmillan", "0", BoolAlgorithm::McMillan),
    ("pudlak", "1", BoolAlgorithm::Pudlak),
    ("mcmillan-dual", "2", BoolAlgorithm::McMillanDual),
];

const LINEAR: [(&str, &str, LinearChoice); 5] = [
    ("farkas", "0", LinearChoice::Farkas),
    ("dual-farkas", "2", LinearChoice::DualFarkas),
    ("factor", "3", LinearChoice::Factor),
    ("decomposed", "4", LinearChoice::Decomposed),
    ("dual-decomposed", "5", LinearChoice::DualDecomposed),
];

/// What became of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accepted {
    /// It is set.
    Set,
    /// It is set; the regular output is to be redirected.
    Regular,
    /// It is set; the diagnostic output is to be redirected.
    Diagnostic,
    /// There is no such option.
    Unsupported,
}

impl Accepted {
    /// Leads the channels where the option says.
    pub(crate) fn redirect(
        self,
        value: &AttributeValue,
        regular: &Channel,
        diagnostic: &Channel,
    ) -> Reply {
        let channel = match self {
            Accepted::Unsupported => return Ok(Response::Unsupported),
            Accepted::Set => return Ok(Response::Success),
            Accepted::Regular => regular,
            Accepted::Diagnostic => diagnostic,
        };
        match channel.redirect(value.text()) {
            Ok(()) => Ok(Response::Success),
            Err(error) => Err(format!("cannot open `{}`: {error}", value.text())),
        }
    }
}

impl Settings {
    /// The defaults, with the seed of the command line.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            print_success: false,
            models: true,
            assignments: false,
            cores: false,
            minimal_cores: false,
            unsat_assumptions: true,
            interpolants: false,
            proofs: false,
            certify: false,
            boolean: BoolAlgorithm::default(),
            linear: LinearChoice::Decomposed,
            factor: Rational::new(1, 2),
            global_declarations: false,
            seed,
            timeout: NO_TIMEOUT,
            resource_limit: 0,
            verbosity: 0,
            regular: "stdout".to_owned(),
            diagnostic: "stderr".to_owned(),
        }
    }
    /// When a question that is asked now has to be answered, if it has a limit of its own; `usual`
    /// is that of the command line.
    pub(crate) fn question_deadline(&self, usual: Option<f64>) -> Option<Instant> {
        let own = (1..NO_TIMEOUT).contains(&self.timeout);
        let own = own.then(|| Duration::from_millis(u64::from(self.timeout)));
        let limit = own.into_iter().chain(usual.map(Duration::from_secs_f64)).min()?;
        Some(Instant::now() + limit)
    }
    /// How the solver has to be built.
    pub(crate) fn solver_options(&self) -> Options {
        let evidence = if self.interpolants || self.proofs {
            Evidence::Proofs
        } else if self.cores || self.minimal_cores {
            Evidence::Cores
        } else {
            Evidence::Plain
        };
        let integer_splits = (self.resource_limit > 0).then_some(self.resource_limit);
        Options { evidence, seed: self.seed, integer_splits, is_patient: true }
    }
    /// How a solver is built that is asked for interpolants.
    pub(crate) fn proving_options(&self) -> Options {
        Options { evidence: Evidence::Proofs, ..self.solver_options() }
    }
    /// How interpolants are to be made.
    pub(crate) fn interpolation(&self) -> Interpolation {
        let linear = match self.linear {
            LinearChoice::Farkas => LinearAlgorithm::Farkas,
            LinearChoice::DualFarkas => LinearAlgorithm::DualFarkas,
            LinearChoice::Factor => LinearAlgorithm::Factor(self.factor.clone()),
            LinearChoice::Decomposed => LinearAlgorithm::Decomposed,
            LinearChoice::DualDecomposed => LinearAlgorithm::DualDecomposed,
        };
        Interpolation { boolean: self.boolean, linear, certify: self.certify }
    }
    fn flag(&mut self, keyword: &str) -> Option<&mut bool> {
        match keyword {
            ":print-success" => Some(&mut self.print_success),
            ":produce-models" => Some(&mut self.models),
            ":produce-assignments" => Some(&mut self.assignments),
            ":produce-unsat-cores" => Some(&mut self.cores),
            ":minimal-unsat-cores" => Some(&mut self.minimal_cores),
            ":produce-unsat-assumptions" => Some(&mut self.unsat_assumptions),
            ":produce-interpolants" => Some(&mut self.interpolants),
            ":produce-proofs" => Some(&mut self.proofs),
            ":certify-interpolants" => Some(&mut self.certify),
            ":global-declarations" => Some(&mut self.global_declarations),
            _ => None,
        }
    }
    /// Sets an option; `Err` says what is wrong with the value.
    pub(crate) fn set(
        &mut self,
        keyword: &str,
        value: &AttributeValue,
    ) -> Result<Accepted, String> {
        if let Some(flag) = self.flag(keyword) {
            *flag = truth(keyword, value)?;
            return Ok(Accepted::Set);
        }
        match keyword {
            ":random-seed" => self.seed = number(keyword, value)?,
            ":timeout" => self.timeout = number(keyword, value)?,
            ":reproducible-resource-limit" => self.resource_limit = number(keyword, value)?,
            ":verbosity" => self.verbosity = number(keyword, value)?,
            ":interpolation-bool-algorithm" => self.boolean = choice(keyword, value, &BOOLEAN)?,
            ":interpolation-lra-algorithm" => self.linear = choice(keyword, value, &LINEAR)?,
            ":interpolation-lra-factor" => self.factor = unit_fraction(keyword, value)?,
            ":regular-output-channel" => {
                value.text().clone_into(&mut self.regular);
                return Ok(Accepted::Regular);
            }
            ":diagnostic-output-channel" => {
                value.text().clone_into(&mut self.diagnostic);
                return Ok(Accepted::Diagnostic);
            }
            _ => return Ok(Accepted::Unsupported),
        }
        Ok(Accepted::Set)
    }
    /// The value of an option as SMT-LIB writes it.
    pub(crate) fn get(&self, keyword: &str) -> Option<String> {
        if let Some(flag) = self.clone().flag(keyword) {
            return Some(flag.to_string());
        }
        Some(match keyword {
            ":random-seed" => self.seed.to_string(),
            ":timeout" => self.timeout.to_string(),
            ":reproducible-resource-limit" => self.resource_limit.to_string(),
            ":verbosity" => self.verbosity.to_string(),
            ":interpolation-bool-algorithm" => chosen(&self.boolean, &BOOLEAN),
            ":interpolation-lra-algorithm" => chosen(&self.linear, &LINEAR),
            ":interpolation-lra-factor" => format!("\"{}\"", self.factor),
            ":regular-output-channel" => string(&self.regular),
            ":diagnostic-output-channel" => string(&self.diagnostic),
            _ => return None,
        })
    }
}

/// A string literal.
pub(crate) fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// `true` or `false`; OpenSMT writes 1 and 0.
fn truth(keyword: &str, value: &AttributeValue) -> Result<bool, String> {
    match (value.as_bool(), value.text()) {
        (Some(truth), _) => Ok(truth),
        (None, "1") => Ok(true),
        (None, "0") => Ok(false),
        (None, _) => Err(format!("`{keyword}` needs `true` or `false`")),
    }
}

fn number<N: std::str::FromStr>(keyword: &str, value: &AttributeValue) -> Result<N, String> {
    value.text().parse().map_err(|_| format!("`{keyword}` needs a numeral"))
}

fn unit_fraction(keyword: &str, value: &AttributeValue) -> Result<Rational, String> {
    let factor = value.text().parse::<Rational>().ok();
    factor
        .filter(|factor| !factor.is_negative() && *factor <= Rational::ONE)
        .ok_or_else(|| format!("`{keyword}` needs a number from 0 to 1, such as 0.5 or \"1/2\""))
}

fn choice<T: Copy>(
    keyword: &str,
    value: &AttributeValue,
    table: &[(&str, &str, T)],
) -> Result<T, String> {
    let text = value.text();
    let found = table.iter().find(|(name, code, _)| text == *name || text == *code);
    found.map(|&(_, _, choice)| choice).ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|&(name, _, _)| name).collect();
        format!("`{keyword}` needs one of {}", names.join(", "))
    })
}

fn chosen<T: PartialEq>(value: &T, table: &[(&str, &str, T)]) -> String {
    let found = table.iter().find(|(_, _, choice)| choice == value);
    found.expect("the table has every choice").0.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(settings: &mut Settings, keyword: &str, text: &str) -> Result<Accepted, String> {
        settings.set(keyword, &AttributeValue::Symbol(text.to_owned()))
    }

    #[test]
    fn what_is_set_is_got() {
        let mut settings = Settings::new(3);
        assert_eq!(settings.get(":random-seed").as_deref(), Some("3"));
        assert_eq!(set(&mut settings, ":interpolation-lra-algorithm", "3"), Ok(Accepted::Set));
        assert_eq!(settings.get(":interpolation-lra-algorithm").as_deref(), Some("factor"));
        assert_eq!(set(&mut settings, ":interpolation-lra-factor", "3/4"), Ok(Accepted::Set));
        assert_eq!(settings.interpolation().linear, LinearAlgorithm::Factor(Rational::new(3, 4)));
        assert_eq!(set(&mut settings, ":produce-unsat-cores", "true"), Ok(Accepted::Set));
        assert_eq!(settings.solver_options().evidence, Evidence::Cores);
        assert_eq!(set(&mut settings, ":no-such-option", "true"), Ok(Accepted::Unsupported));
        assert_eq!(settings.get(":no-such-option"), None);
    }

    #[test]
    fn values_are_checked() {
        let mut settings = Settings::new(0);
        assert!(set(&mut settings, ":produce-models", "maybe").is_err());
        assert!(set(&mut settings, ":interpolation-lra-factor", "3/2").is_err());
        assert!(set(&mut settings, ":interpolation-bool-algorithm", "9").is_err());
        assert!(set(&mut settings, ":verbosity", "x").is_err());
    }
}
