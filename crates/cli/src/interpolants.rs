//! The commands that ask for interpolants.
//!
//! Interpolants of sequences and trees belong to the last refutation and speak of named assertions.
//! Those of a graph and of a formula with marked positions are questions of their own, about the
//! formulas of the command: what is asserted plays no part, and whether there are interpolants is
//! decided there and then.
//!
//! With `:produce-interpolants` every question keeps its proof. Without it, the question is asked
//! once more by a solver that keeps one when the first interpolant is asked for, so that scripts
//! need no option.

use shofar_base::{Budget, GaveUp, Map, Outcome, Set};
use shofar_smt::{
    Answer, Dag, DagAnswer, DagEdge, DagVertex, Disjunctive, Marked, PartId, Position, Solver,
    UnsatView,
};
use shofar_smtlib::{Above, Graph, Interpolant, MarkedFormula, Partition};
use shofar_term::print::{print, quote};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term};

use crate::reply::{Reply, Response};
use crate::session::Session;

impl Session {
    /// `get-interpolants`.
    pub(crate) fn interpolants(&mut self, partition: &Partition) -> Reply {
        let proven = self.prove()?;
        let groups = if partition.groups.is_empty() {
            sequence_of_all(&proven)?
        } else {
            groups(&self.part_names(&proven), partition)?
        };
        let start_of_subtree = match &partition.start_of_subtree[..] {
            [] => &vec![0; groups.len()],
            given => given,
        };
        let how = self.settings.interpolation();
        let (solver, mut cx) = self.refuted(&proven);
        let interpolants =
            refutation(solver).tree_interpolants(&mut cx, &groups, start_of_subtree, &how);
        let interpolants = interpolants.map_err(|why| self.no_interpolants(&why))?;
        self.sequence(&interpolants)
    }
    fn sequence(&self, interpolants: &[Term]) -> Reply {
        self.check_printable(interpolants)?;
        let shown: Vec<String> =
            interpolants.iter().map(|&term| print(&self.store, term)).collect();
        Ok(Response::Text(format!("({})", shown.join("\n "))))
    }
    /// `get-interpolant` and its relatives.
    pub(crate) fn interpolant(&mut self, wanted: &Interpolant) -> Reply {
        match wanted {
            Interpolant::Conjecture { name, formula } => {
                let denied = self.store.not(*formula);
                let budget = self.question_budget();
                let (mut solver, _) = self.retold();
                let mut cx = Cx::new(&mut self.store, &budget);
                let refutation = match solver.check_assuming(&mut cx, &[denied]) {
                    Ok(Answer::Unsat(refutation)) => refutation,
                    // As cvc5 says that there is none.
                    Ok(Answer::Sat(_)) => return Ok(Response::Text("fail".to_owned())),
                    Err(why) => return Err(self.no_interpolants(&why)),
                };
                let how = self.settings.interpolation();
                let found = refutation.interpolant_of_assumptions(&mut cx, &[denied], &how);
                let found = found.map_err(|why| self.no_interpolants(&why))?;
                self.check_printable(&[found])?;
                let (name, found) = (quote(name), print(&self.store, found));
                Ok(Response::Text(format!("(define-fun {name} () Bool {found})")))
            }
            Interpolant::Groups(groups) => {
                let proven = self.prove()?;
                let a = self.members(&proven, groups)?;
                let how = self.settings.interpolation();
                let (solver, mut cx) = self.refuted(&proven);
                let found = refutation(solver).interpolant_with(&mut cx, &a, &how);
                self.single(found)
            }
            Interpolant::Assumptions => {
                let proven = self.prove()?;
                let assumed: Vec<Term> = self.assumed.iter().map(|quoted| quoted.term).collect();
                let how = self.settings.interpolation();
                let (solver, mut cx) = self.refuted(&proven);
                let found = refutation(solver).interpolant_of_assumptions(&mut cx, &assumed, &how);
                self.single(found)
            }
            Interpolant::Formulas(formulas) => self.interpolants_of(formulas),
        }
    }
    fn single(&mut self, found: Outcome<Term>) -> Reply {
        let found = found.map_err(|why| self.no_interpolants(&why))?;
        self.check_printable(&[found])?;
        Ok(Response::Text(print(&self.store, found)))
    }
    /// `compute-interpolant`.
    fn interpolants_of(&mut self, formulas: &[Term]) -> Reply {
        self.check_printable(formulas)?;
        let budget = self.question_budget();
        let mut solver = Solver::new(self.settings.proving_options());
        let groups: Vec<Vec<PartId>> =
            formulas.iter().map(|&formula| vec![solver.add(&mut self.store, formula)]).collect();
        let how = self.settings.interpolation();
        let mut cx = Cx::new(&mut self.store, &budget);
        let found = match solver.check(&mut cx) {
            Ok(Answer::Sat(_)) => {
                return Err("there are no interpolants: the formulas are satisfiable".to_owned());
            }
            Ok(Answer::Unsat(refutation)) => {
                refutation.sequence_interpolants(&mut cx, &groups, &how)
            }
            Err(why) => Err(why),
        };
        let found = found.map_err(|why| self.no_interpolants(&why))?;
        self.sequence(&found)
    }
    /// A solver that keeps proofs, with everything that is asserted, and the parts of the
    /// assertions.
    fn retold(&mut self) -> (Solver, Vec<PartId>) {
        let mut solver = Solver::new(self.settings.proving_options());
        for condition in self.env.side_conditions() {
            solver.add(&mut self.store, condition);
        }
        let assertions = self.assertions.iter();
        let parts = assertions.map(|known| solver.add(&mut self.store, known.term)).collect();
        (solver, parts)
    }
    /// Makes sure that there is a proof of the last refutation: where none was kept, the question
    /// is asked once more.
    fn prove(&mut self) -> Result<Proven, String> {
        self.last_refutation()?;
        let budget = self.answer_budget();
        if self.settings.interpolants {
            let parts = self.assertions.iter().map(|known| known.part).collect();
            return Ok(Proven { again: None, parts, budget });
        }
        let question = self.question_budget();
        let (mut solver, parts) = self.retold();
        let assumed: Vec<Term> = self.assumed.iter().map(|quoted| quoted.term).collect();
        let answer = solver.check_assuming(&mut Cx::new(&mut self.store, &question), &assumed);
        if let Err(why) = answer.map(|_| ()) {
            return Err(self.no_interpolants(&why));
        }
        let parts = parts.into_iter().map(Some).collect();
        Ok(Proven { again: Some(Box::new(solver)), parts, budget })
    }
    /// The solver that has the proof, and what it takes to go on.
    fn refuted<'s>(&'s mut self, proven: &'s Proven) -> (&'s Solver, Cx<'s>) {
        let solver = proven.again.as_deref().or(self.solver.as_ref());
        let solver = solver.expect("there is a refutation");
        (solver, Cx::new(&mut self.store, &proven.budget))
    }
    /// `get-dag-interpolants`.
    pub(crate) fn dag_interpolants(&mut self, graph: &Graph) -> Reply {
        let (top, budget) = (self.store.top(), self.question_budget());
        let labels = graph.vertices.iter().map(|vertex| vertex.label.unwrap_or(top));
        let edge = |edge: &shofar_smtlib::Edge| DagEdge {
            from: edge.from,
            to: edge.to,
            label: edge.label,
        };
        let mut dag = Dag {
            vertices: labels.map(|label| DagVertex { label, params: Vec::new() }).collect(),
            edges: graph.edges.iter().map(edge).collect(),
            entry: graph.entry,
            exit: graph.exit,
        };
        let formulas: Vec<Term> = (dag.edges.iter().map(|edge| edge.label))
            .chain(dag.vertices.iter().map(|vertex| vertex.label))
            .collect();
        self.check_printable(&formulas)?;
        dag.share_symbols(&self.store);
        let (options, how) = (self.settings.proving_options(), self.settings.interpolation());
        let answer = dag.solve(&mut Cx::new(&mut self.store, &budget), &options, &how);
        let path = match answer.map_err(|why| self.no_interpolants(&why))? {
            DagAnswer::Interpolants(found) => {
                let names = graph.vertices.iter().map(|vertex| vertex.name.as_str());
                return Ok(self.pairs(names.zip(found)));
            }
            DagAnswer::Path(path) => path,
        };
        let ends = path.iter().map(|&at| dag.edges[at].to);
        let passed: Vec<_> = std::iter::once(dag.entry)
            .chain(ends)
            .map(|at| quote(&graph.vertices[at].name).into_owned())
            .collect();
        let passed = passed.join(" ");
        Err(match path.last() {
            Some(&last) if dag.edges[last].to != dag.exit => format!(
                "there are no interpolants: the path {passed} can be taken to where its last label does not hold"
            ),
            Some(_) | None => format!("there are no interpolants: the path {passed} can be taken"),
        })
    }
    /// `get-disjunctive-interpolants`.
    pub(crate) fn disjunctive_interpolants(&mut self, formula: &MarkedFormula) -> Reply {
        let budget = self.question_budget();
        let mut formulas: Vec<Term> = formula.marks.iter().map(|mark| mark.formula).collect();
        formulas.push(formula.formula);
        self.check_printable(&formulas)?;
        // What is above a mark comes behind it in the list.
        let mut marked = Marked::root(formula.formula);
        let mut place = vec![None; formula.marks.len()];
        for (at, mark) in formula.marks.iter().enumerate().rev() {
            let above = match mark.above {
                Above::Nothing => None,
                Above::Whole => Some(0),
                Above::Mark(above) => place[above],
            };
            place[at] = above.map(|above| {
                let place = Some((above, mark.flag));
                marked.positions.push(Position { formula: mark.formula, place });
                marked.positions.len() - 1
            });
        }
        let (options, how) = (self.settings.proving_options(), self.settings.interpolation());
        let answer = marked.solve(&mut Cx::new(&mut self.store, &budget), &options, &how);
        let found = match answer.map_err(|why| self.no_interpolants(&why))? {
            Disjunctive::Model(_) => {
                return Err("there are no interpolants: the formula is satisfiable".to_owned());
            }
            Disjunctive::Interpolants(found) => found,
        };
        // The formula does not depend on what is below nothing.
        let top = self.store.top();
        let found: Vec<Term> =
            place.iter().map(|place| place.map_or(top, |at| found[at])).collect();
        let names = formula.marks.iter().map(|mark| mark.name.as_str());
        Ok(self.pairs(names.zip(found)))
    }

    fn no_interpolants(&mut self, why: &GaveUp) -> String {
        self.has_bug |= matches!(why, GaveUp::Wrong(_));
        format!("there are no interpolants: {why}")
    }
    /// Names with their interpolants, as `get-value` prints values.
    fn pairs<'n>(&self, pairs: impl Iterator<Item = (&'n str, Term)>) -> Response {
        let shown: Vec<String> = pairs
            .map(|(name, term)| format!("({} {})", quote(name), print(&self.store, term)))
            .collect();
        Response::Text(format!("({})", shown.join("\n ")))
    }
    /// The parts of the assertions that have names.
    fn part_names(&self, proven: &Proven) -> Map<&str, PartId> {
        let known = self.assertions.iter().zip(&proven.parts);
        known.filter_map(|(known, &part)| Some((known.name.as_deref()?, part?))).collect()
    }
    /// The parts of the assertions in some groups; a name is a group of one.
    fn members(&self, proven: &Proven, groups: &[String]) -> Result<Vec<PartId>, String> {
        let mut members = Vec::new();
        for group in groups {
            let before = members.len();
            for (assertion, &part) in self.assertions.iter().zip(&proven.parts) {
                let is_member = [&assertion.group, &assertion.name]
                    .into_iter()
                    .any(|label| label.as_deref() == Some(group));
                members.extend(part.filter(|_| is_member));
            }
            if members.len() == before {
                return Err(format!("no assertion belongs to the group `{group}`"));
            }
        }
        Ok(members)
    }
    /// Constants that stand for divisions by zero mean nothing to the reader of an interpolant, nor
    /// along a path.
    fn check_printable(&self, formulas: &[Term]) -> Result<(), String> {
        let symbols = free_symbols(&self.store, formulas);
        let divisions = self.env.zero_divisions();
        let is_inner =
            |&&symbol: &&Symbol| divisions.iter().any(|division| division.symbol == symbol);
        match symbols.iter().find(is_inner) {
            Some(_) => {
                Err("the interpolants speak about divisions by zero, which is not supported"
                    .to_owned())
            }
            None => Ok(()),
        }
    }
}

/// A refutation with a proof.
struct Proven {
    /// The solver of its own that has the proof; none if that of the session has it.
    again: Option<Box<Solver>>,
    /// The parts of the assertions there.
    parts: Vec<Option<PartId>>,
    budget: Budget,
}

fn refutation(solver: &Solver) -> UnsatView<'_> {
    let Some(Answer::Unsat(refutation)) = solver.last_answer() else {
        unreachable!("there is a refutation")
    };
    refutation
}

/// A group for each assertion.
fn sequence_of_all(proven: &Proven) -> Result<Vec<Vec<PartId>>, String> {
    let groups: Vec<_> = proven.parts.iter().flatten().map(|&part| vec![part]).collect();
    if groups.len() < 2 {
        return Err("interpolants need at least two assertions".to_owned());
    }
    Ok(groups)
}

/// The parts of each group; no part belongs to two.
fn groups(part_of: &Map<&str, PartId>, partition: &Partition) -> Result<Vec<Vec<PartId>>, String> {
    let mut used = Set::default();
    let mut groups = Vec::with_capacity(partition.groups.len());
    for group in &partition.groups {
        let mut parts = Vec::with_capacity(group.names.len());
        for name in &group.names {
            let part = part_of.get(name.as_str()).copied();
            let part = part.ok_or_else(|| format!("no assertion has the name `{name}`"))?;
            if !used.insert(part) {
                return Err(format!("`{name}` occurs twice in the partition"));
            }
            parts.push(part);
        }
        groups.push(parts);
    }
    Ok(groups)
}
