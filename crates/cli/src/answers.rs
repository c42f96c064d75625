//! What the commands that ask something print.

use shofar_base::Set;
use shofar_smt::{Answer, ModelView, PartId, Stats, UnsatView};
use shofar_smtlib::{Partial, Quoted, ZeroDivision};
use shofar_term::Cx;
use shofar_term::eval::{Evaluator, FunctionTable, Model, NoValue, Value};
use shofar_term::print::{print, quote};
use shofar_term::value::print_value;

use crate::horn_session::CORES_ARE_OFF;
use crate::model::print_model;
use crate::reply::{Reply, Response, about, reason_unknown};
use crate::session::{Session, Status};

impl Session {
    fn last_model(&self) -> Result<ModelView<'_>, String> {
        if !self.settings.models {
            return Err(
                "models are off: `(set-option :produce-models true)` switches them on".to_owned()
            );
        }
        match self.solver.as_ref().and_then(shofar_smt::Solver::last_answer) {
            Some(Answer::Sat(model)) if self.status == Status::Sat => Ok(model),
            Some(_) | None => Err(
                "there is no model: the last command that changed or checked something was not a \
                check-sat that answered sat"
                    .to_owned(),
            ),
        }
    }
    pub(crate) fn last_refutation(&self) -> Result<UnsatView<'_>, String> {
        match self.solver.as_ref().and_then(shofar_smt::Solver::last_answer) {
            Some(Answer::Unsat(refutation)) if self.status == Status::Unsat => Ok(refutation),
            Some(_) | None => Err("there is no refutation: the last command that changed or checked something was not a \
                check-sat that answered unsat"
                .to_owned()),
        }
    }
    /// The complaint about a term that the model has no value for.
    fn no_value(&self, NoValue(term): NoValue) -> String {
        format!("the model has no value for {}", print(&self.store, term))
    }
    /// The last model, with tables for the functions and selectors that it says nothing about.
    fn whole_model(&self) -> Result<Model, String> {
        let mut model = self.last_model()?.assignment(&self.store);
        for &symbol in self.env.declared() {
            if !self.store.params(symbol).is_empty() && model.function(symbol).is_none() {
                let default = Value::default_of(&self.store, self.store.result(symbol));
                model.set_function(symbol, FunctionTable::constant(default));
            }
        }
        let constructors = self.store.data_types().filter_map(|sort| self.store.constructors(sort));
        for &constructor in constructors.flatten() {
            for &field in self.store.constructor_fields(constructor) {
                if model.selector(field).is_none() {
                    let default = Value::default_of(&self.store, self.store.field_sort(field));
                    model.set_selector(field, FunctionTable::constant(default));
                }
            }
        }
        Ok(model)
    }
    /// `get-model`.
    pub(crate) fn model(&self) -> Reply {
        let model = self.whole_model()?;
        Ok(Response::Text(print_model(&self.store, self.env.declared(), &model)))
    }
    /// The model, extended to divisions by zero that the assertions do not mention: they must be
    /// functions as well.
    fn total_model(&self) -> Result<Model, String> {
        let mut model = self.whole_model()?;
        let all = self.env.zero_divisions();
        let mut known: Vec<(Partial, Value, Value)> = Vec::new();
        let (given, missing): (Vec<&ZeroDivision>, Vec<&ZeroDivision>) =
            all.iter().partition(|division| model.get(division.symbol).is_some());
        for division in given.into_iter().chain(missing) {
            let mut evaluator = Evaluator::with_defaults(&model);
            let mut value = |term| evaluator.evaluate(&self.store, term);
            // Functions that are out of scope have no table, and what is asked does not mention
            // them.
            let Ok(dividend) = value(division.dividend) else { continue };
            let same = known
                .iter()
                .find(|(operator, d, _)| *operator == division.operator && *d == dividend);
            let value = match same {
                Some((_, _, value)) => value.clone(),
                None => value(division.value).map_err(|none| self.no_value(none))?,
            };
            model.set(division.symbol, value.clone());
            known.push((division.operator, dividend, value));
        }
        Ok(model)
    }
    /// `get-value`.
    pub(crate) fn values(&self, terms: &[Quoted]) -> Reply {
        let model = self.total_model()?;
        let mut evaluator = Evaluator::with_defaults(&model);
        let mut pairs = Vec::with_capacity(terms.len());
        for quoted in terms {
            let value = evaluator.evaluate(&self.store, quoted.term);
            let value = value.map_err(|none| self.no_value(none))?;
            let value = print_value(&self.store, &value, self.store.sort(quoted.term));
            pairs.push(format!("({} {value})", quoted.text));
        }
        Ok(Response::Text(format!("({})", pairs.join("\n "))))
    }
    /// `eval`.
    pub(crate) fn eval(&self, quoted: &Quoted) -> Reply {
        let model = self.total_model()?;
        let value = Evaluator::with_defaults(&model).evaluate(&self.store, quoted.term);
        let value = value.map_err(|none| self.no_value(none))?;
        Ok(Response::Text(print_value(&self.store, &value, self.store.sort(quoted.term))))
    }
    /// `get-assignment`.
    pub(crate) fn assignment(&self) -> Reply {
        if !self.settings.assignments {
            return Err(
                "assignments are off: `(set-option :produce-assignments true)` switches them on"
                    .to_owned(),
            );
        }
        let model = self.total_model()?;
        let mut evaluator = Evaluator::with_defaults(&model);
        let named = self.env.named().filter(|&(_, term)| self.store.sort(term).is_bool());
        let mut pairs = Vec::new();
        for (name, term) in named {
            let holds = evaluator.holds(&self.store, term).map_err(|none| self.no_value(none))?;
            pairs.push(format!("({} {holds})", quote(name)));
        }
        Ok(Response::Text(format!("({})", pairs.join(" "))))
    }
    /// `get-assertions`.
    pub(crate) fn list_assertions(&self) -> Response {
        let shown: Vec<String> =
            self.assertions.iter().map(|assertion| print(&self.store, assertion.term)).collect();
        Response::Text(format!("({})", shown.join("\n ")))
    }

    /// `get-unsat-core`.
    pub(crate) fn unsat_core(&mut self) -> Reply {
        if !self.settings.cores && !self.settings.minimal_cores {
            return Err(CORES_ARE_OFF.to_owned());
        }
        self.last_refutation()?;
        let solver = self.solver.as_ref().expect("there is a refutation");
        let Some(Answer::Unsat(refutation)) = solver.last_answer() else {
            unreachable!("there is a refutation")
        };
        let parts = if self.settings.minimal_cores {
            let mut cx = Cx::new(&mut self.store, &self.budget);
            // Not minimal is better than none.
            refutation.minimal_core(&mut cx).unwrap_or_else(|_| refutation.core())
        } else {
            refutation.core()
        };
        let parts: Set<PartId> = parts.into_iter().collect();
        let in_core = self
            .assertions
            .iter()
            .filter(|assertion| assertion.part.is_some_and(|part| parts.contains(&part)));
        let names: Vec<_> =
            in_core.filter_map(|assertion| assertion.name.as_deref().map(quote)).collect();
        Ok(Response::Text(format!("({})", names.join(" "))))
    }
    /// `get-unsat-assumptions`.
    pub(crate) fn unsat_assumptions(&self) -> Reply {
        if !self.settings.unsat_assumptions {
            return Err(
                "they are off: `(set-option :produce-unsat-assumptions true)` switches them on"
                    .to_owned(),
            );
        }
        let failed = self.last_refutation()?.failed();
        let texts: Vec<&str> = self
            .assumed
            .iter()
            .filter(|quoted| failed.contains(&quoted.term))
            .map(|quoted| quoted.text.as_str())
            .collect();
        Ok(Response::Text(format!("({})", texts.join(" "))))
    }
    /// `get-info`.
    pub(crate) fn info(&self, keyword: &str) -> Response {
        let level;
        let value = match keyword {
            ":error-behavior" if self.conversation => "continued-execution",
            ":error-behavior" => "immediate-exit",
            ":assertion-stack-levels" => {
                level = self.env.level().to_string();
                &level
            }
            ":reason-unknown" => match &self.reason_unknown {
                Some(why) => reason_unknown(why),
                None => return Response::Unsupported,
            },
            ":all-statistics" => return Response::Text(self.statistics()),
            _ => match about(keyword) {
                Some(value) => value,
                None => return Response::Unsupported,
            },
        };
        Response::info(keyword, value)
    }
    /// The counters, as `get-info :all-statistics` wants them.
    pub(crate) fn statistics(&self) -> String {
        let mut entries = vec![(":terms", self.store.len() as u64)];
        if let Some(solver) = &self.solver {
            entries.extend(counters(&solver.stats()));
        }
        let shown: Vec<String> =
            entries.iter().map(|(key, value)| format!("{key} {value}")).collect();
        format!("({})", shown.join("\n "))
    }
}

fn counters(stats: &Stats) -> Vec<(&'static str, u64)> {
    let sat = &stats.sat;
    vec![
        (":checks", stats.checks),
        (":rebuilds", stats.rebuilds),
        (":decisions", sat.decisions),
        (":propagations", sat.propagations),
        (":conflicts", sat.conflicts),
        (":restarts", sat.restarts),
        (":learnt", sat.learnt),
        (":lemmas", sat.lemmas),
        (":theory-propagations", sat.theory_propagations),
        (":final-checks", sat.final_checks),
        (":pivots", stats.theory.pivots),
        (":theory-conflicts", stats.theory.conflicts),
        (":integer-branches", stats.theory.branches),
        (":integer-cuts", stats.theory.cuts),
    ]
}
