//! The commands that ask for interpolants.
//!
//! Interpolants of sequences and trees belong to the last refutation and speak of named assertions. Those of a graph and of
//! a formula with marked positions are questions of their own, about the formulas of the command: what is asserted plays no
//! part, and whether there are interpolants is decided there and then.

use shofar_base::{GaveUp, Map, Set};
use shofar_smt::{
    Answer, Dag, DagAnswer, DagEdge, DagVertex, Disjunctive, Marked, PartId, Position,
};
use shofar_smtlib::{Above, Graph, MarkedFormula, Partition};
use shofar_term::print::{print, quote};
use shofar_term::symbols::free_symbols;
use shofar_term::{Cx, Symbol, Term};

use crate::reply::{Reply, Response};
use crate::session::Session;

impl Session {
    /// `get-interpolants`.
    pub(crate) fn interpolants(&mut self, partition: &Partition) -> Reply {
        self.check_interpolants_on()?;
        self.last_refutation()?;
        let groups = self.groups(partition)?;
        let solver = self.solver.as_ref().expect("there is a refutation");
        let Some(Answer::Unsat(refutation)) = solver.last_answer() else {
            unreachable!("there is a refutation")
        };
        let mut cx = Cx::new(&mut self.store, &self.budget);
        let how = self.settings.interpolation();
        let interpolants =
            refutation.tree_interpolants(&mut cx, &groups, &partition.start_of_subtree, &how);
        let interpolants = interpolants.map_err(|why| self.no_interpolants(&why))?;
        self.check_printable(&interpolants)?;
        let shown: Vec<String> =
            interpolants.iter().map(|&term| print(&self.store, term)).collect();
        Ok(Response::Text(format!("({})", shown.join("\n "))))
    }
    /// `get-dag-interpolants`.
    pub(crate) fn dag_interpolants(&mut self, graph: &Graph) -> Reply {
        self.check_interpolants_on()?;
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
        let (options, how) = (self.settings.solver_options(), self.settings.interpolation());
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
        self.check_interpolants_on()?;
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
        let (options, how) = (self.settings.solver_options(), self.settings.interpolation());
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

    fn check_interpolants_on(&self) -> Result<(), String> {
        if self.settings.interpolants {
            return Ok(());
        }
        Err("interpolants are off: `(set-option :produce-interpolants true)` before the first assertion \
            switches them on"
            .to_owned())
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
    /// The parts of each group; no part belongs to two.
    fn groups(&self, partition: &Partition) -> Result<Vec<Vec<PartId>>, String> {
        let part_of: Map<&str, PartId> = self
            .assertions
            .iter()
            .filter_map(|assertion| Some((assertion.name.as_deref()?, assertion.part?)))
            .collect();
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
    /// Constants that stand for divisions by zero mean nothing to the reader of an interpolant, nor along a path.
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
