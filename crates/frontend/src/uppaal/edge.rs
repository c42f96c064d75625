//! The edges of a process: labels become terms, and selections the values that they stand for.

use shofar_base::{Diagnostic, Map};
use shofar_term::substitute::substitute;
use shofar_term::{Sort, Term};

use super::MOST_MOVES;
use super::draft::{self, Template};
use super::elaborate::Elaborator;
use super::label::{Selections, selected};
use super::network::Edge;
use super::piece::Piece;
use super::reading::plain_name;
use super::state::{Meant, Type};
use crate::lexer::TokenKind;

impl Elaborator<'_> {
    /// An edge; if it meets others, one for each value of the selections: whether it can be taken
    /// is then asked about, too.
    pub(super) fn edge(
        &mut self,
        process: &str,
        template: &Template,
        edge: &draft::Edge,
        edges: &mut Vec<Edge>,
    ) -> Result<(), Diagnostic> {
        let selections = self.selections(process, edge.select.as_ref())?;
        if edges.len() >= MOST_MOVES {
            return Err(Diagnostic::new(edge.span, "there are too many edges"));
        }
        if selections.is_empty() || edge.sync.is_none() {
            let symbols = selections.iter().map(|&(_, _, symbol)| symbol).collect::<Vec<_>>();
            edges.push(self.labelled(template, edge, &selections, &symbols)?);
            return Ok(());
        }
        let mut values: Vec<i64> = selections.iter().map(|(_, range, _)| range.low).collect();
        loop {
            if edges.len() >= MOST_MOVES {
                return Err(Diagnostic::new(edge.span, "there are too many edges"));
            }
            let terms: Vec<Term> = values.iter().map(|&value| self.store.int(value)).collect();
            edges.push(self.labelled(template, edge, &selections, &terms)?);
            let next = (0..values.len()).find(|&at| values[at] < selections[at].1.high);
            let Some(next) = next else { return Ok(()) };
            values[next] += 1;
            for (value, (_, range, _)) in values[..next].iter_mut().zip(&selections) {
                *value = range.low;
            }
        }
    }
    /// The edge in which selections have these values.
    fn labelled(
        &mut self,
        template: &Template,
        edge: &draft::Edge,
        selections: &Selections,
        values: &[Term],
    ) -> Result<Edge, Diagnostic> {
        self.names.enter();
        for ((name, ..), &value) in selections.iter().zip(values) {
            self.names.add(name, Meant::Constant(value));
        }
        let mut labels = self.labels();
        let sync = labels.sync(edge.sync.as_ref())?;
        let guard = labels.guard(edge.guard.as_ref())?;
        let effect = labels.update(edge.update.as_ref())?;
        let is_urgent = sync.is_some_and(|sync| self.channels[sync.channel].1.is_urgent);
        if is_urgent && self.state.mentions_time(self.store, guard) {
            let span = edge.guard.as_ref().map_or(edge.span, Piece::span);
            let message = "an edge with an urgent channel has no conditions on clocks";
            return Err(Diagnostic::new(span, message));
        }
        self.names.leave();
        let chosen = selected(self.store, selections);
        let map: Map<Term, Term> = selections
            .iter()
            .zip(values)
            .map(|(&(_, _, symbol), &value)| (symbol, value))
            .collect();
        let chosen = substitute(self.store, &map, &[chosen])[0];
        Ok(Edge {
            source: edge.source,
            target: edge.target,
            guard: self.store.and(&[chosen, guard]),
            sync,
            effect: effect.changes,
            checks: effect.checks,
            label: label(template, edge),
            selected: selections
                .iter()
                .map(|(name, ..)| name.clone())
                .zip(values.to_vec())
                .collect(),
            span: edge.span,
        })
    }
    /// `i : int[0,3], j : id_t`
    fn selections(
        &mut self,
        process: &str,
        piece: Option<&Piece>,
    ) -> Result<Selections, Diagnostic> {
        let Some(piece) = piece else { return Ok(Vec::new()) };
        let mut cursor = piece.cursor()?;
        let mut selections = Selections::new();
        loop {
            let located = |error| piece.locate(error);
            let name = plain_name(&mut cursor, "a name").map_err(located)?;
            let text = cursor.text(name).to_owned();
            cursor.expect(":").map_err(located)?;
            let of = self.declarer(None).type_of(&mut cursor).map_err(located)?;
            let Type::Integer(range) = of else {
                let message = "only bounded integers are selected";
                return Err(Diagnostic::new(piece.place(name.span), message));
            };
            let symbol = self.store.var(&format!("{process}.{text}.select"), Sort::INT);
            self.state.ranges.insert(symbol, range);
            selections.push((text, range, symbol));
            if !cursor.eat(",") {
                break;
            }
        }
        if cursor.peek().kind == TokenKind::End {
            return Ok(selections);
        }
        Err(piece.locate(cursor.unexpected("the end of the label")))
    }
}

/// The labels of an edge as UPPAAL shows them in traces.
fn label(template: &Template, edge: &draft::Edge) -> String {
    let line = |piece: &Option<Piece>, default: &str| match piece {
        Some(piece) => piece.line(),
        None => default.to_owned(),
    };
    let (source, target) = (&template.locations[edge.source], &template.locations[edge.target]);
    format!(
        "{} -> {} {{ {}; {}; {}; }}",
        source.name,
        target.name,
        line(&edge.guard, "1"),
        line(&edge.sync, "tau"),
        line(&edge.update, "1"),
    )
}
