//! The predicates of a program: what they are about, and what they are called.

use shofar_base::Span;
use shofar_chc::{PredAtom, PredId};
use shofar_term::{Sort, Term};

use super::encode::{Encoder, Path};
use super::program::{BlockId, End, Function, FunctionId, HeadKind, Instruction, VarId};
use crate::names::rename_functions;

/// The value that a function returns, in its summary; no variable is called so.
pub(super) const RESULT: &str = "return";
/// What the names of values at the entry end with.
pub(super) const ENTRY: &str = "@entry";

/// What a predicate is about.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) function: String,
    /// The definition of the function.
    pub(super) within: Span,
    pub(super) span: Span,
    pub(super) kind: PlaceKind,
    /// The variables whose values are the arguments.
    pub(super) params: Vec<VarId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceKind {
    Entry,
    /// At the condition of a loop.
    Loop,
    /// In front of the body of a loop that looks at its condition last.
    Repeat,
    Label,
    /// Between statements.
    Inside,
    Summary,
}

impl Encoder<'_> {
    /// The values of carried variables at the entry, in the clauses of a function.
    pub(super) fn entry_terms(&mut self, id: FunctionId) -> Vec<Term> {
        let carried = self.signatures[id].carried.clone();
        if !self.signatures[id].has_summary {
            return Vec::new();
        }
        let mut terms = Vec::with_capacity(carried.len());
        for variable in carried {
            let variable = self.variable(variable);
            let sort = variable.shape.sort(self.store);
            terms.push(self.store.var(&format!("{}{ENTRY}", variable.name), sort));
        }
        terms
    }
    /// The atom of a cut point, with the values at the end of `path`.
    pub(super) fn location(&mut self, id: FunctionId, block: BlockId, path: &Path) -> PredAtom {
        let live = self.flows[id].live(block);
        let has_summary = self.signatures[id].has_summary;
        let mut args: Vec<Term> = if has_summary { path.entry.clone() } else { Vec::new() };
        args.extend(live.iter().map(|&variable| path.value(self.variable(variable))));
        if let Some(&pred) = self.cuts.get(&(id, block)) {
            return PredAtom { pred, args };
        }
        let mut params = Vec::new();
        if has_summary {
            for &variable in &self.signatures[id].carried {
                params.push((format!("{}{ENTRY}", self.variable(variable).name), variable));
            }
        }
        params.extend(live.iter().map(|&id| (self.variable(id).name.clone(), id)));
        let function = &self.program.functions[id];
        let (span, kind) = self.place_of(id, block);
        let line = self.listing.line(span.start);
        let name = match kind {
            PlaceKind::Entry => format!("{}.entry", function.name),
            PlaceKind::Loop | PlaceKind::Repeat | PlaceKind::Label => {
                format!("{}.{line}", function.name)
            }
            PlaceKind::Inside | PlaceKind::Summary => format!("{}.{line}.inside", function.name),
        };
        let pred = self.declare(&name, params, function, (span, kind));
        self.cuts.insert((id, block), pred);
        PredAtom { pred, args }
    }
    /// Where a cut point is in the text.
    pub(super) fn place_of(&self, id: FunctionId, block: BlockId) -> (Span, PlaceKind) {
        let function = &self.program.functions[id];
        if block == function.entry() {
            return (function.span, PlaceKind::Entry);
        }
        if let Some(head) = function.blocks[block].head {
            let kind = match head.kind {
                HeadKind::Loop => PlaceKind::Loop,
                HeadKind::Repeat => PlaceKind::Repeat,
                HeadKind::Label => PlaceKind::Label,
            };
            return (head.span, kind);
        }
        (first_span(function, block).unwrap_or(function.span), PlaceKind::Inside)
    }
    pub(super) fn summary(&mut self, id: FunctionId) -> PredId {
        if let Some(&pred) = self.summaries.get(&id) {
            return pred;
        }
        let function = &self.program.functions[id];
        let signature = &self.signatures[id];
        let mut params = Vec::new();
        for &input in &signature.inputs {
            let suffix = if signature.carried.contains(&input) { ENTRY } else { "" };
            params.push((format!("{}{suffix}", self.variable(input).name), input));
        }
        params.extend(function.result.map(|result| (RESULT.to_owned(), result)));
        let outputs = signature.outputs();
        params.extend(outputs.into_iter().map(|id| (self.variable(id).name.clone(), id)));
        let at = (function.span, PlaceKind::Summary);
        let pred = self.declare(&format!("{}/summary", function.name), params, function, at);
        self.summaries.insert(id, pred);
        pred
    }
    fn declare(
        &mut self,
        name: &str,
        params: Vec<(String, VarId)>,
        function: &Function,
        (span, kind): (Span, PlaceKind),
    ) -> PredId {
        let mut sorts: Vec<Sort> = Vec::with_capacity(params.len());
        for (_, variable) in &params {
            let variable = self.variable(*variable);
            sorts.push(variable.shape.sort(self.store));
        }
        let (mut names, params): (Vec<String>, Vec<VarId>) = params.into_iter().unzip();
        rename_functions(&mut names);
        let unique = self.unique(name);
        let symbol = self.store.declare(&unique, &sorts, Sort::BOOL);
        let pred = self.encoded.system.add_pred(symbol);
        self.encoded.system.name_params(pred, names);
        let (function, within) = (function.name.clone(), function.span);
        self.encoded.places.push(Place { function, within, span, kind, params });
        pred
    }
    /// A name that no predicate has.
    fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        let count = self.names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count > 1 {
            unique = format!("{name}.{count}");
        }
        unique
    }
}

/// The first place that is mentioned in a block or behind it.
fn first_span(function: &Function, block: BlockId) -> Option<Span> {
    let mut block = block;
    for _ in 0..function.blocks.len() {
        let content = &function.blocks[block];
        let spans = content.instructions.iter().filter_map(|instruction| match instruction {
            Instruction::Set { span, .. }
            | Instruction::SetElement { span, .. }
            | Instruction::Any { span, .. }
            | Instruction::Call { span, .. } => Some(*span),
            Instruction::Assume(_) => None,
        });
        let at_end = match &content.end {
            End::Branch { span, .. } => *span,
            End::Return(span) | End::Violation { span, .. } => Some(*span),
            End::Goto(_) | End::Stop => None,
        };
        if let Some(span) = spans.chain(at_end).next() {
            return Some(span);
        }
        let End::Goto(next) = content.end else { return None };
        block = next;
    }
    None
}
