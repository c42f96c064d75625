//! What has to be known about a program before it becomes clauses: what functions do with global variables, where the program is
//! cut into pieces, and which variables matter there.
//!
//! *Cut points* are the targets of jumps backwards, so that pieces between them have no cycles; further ones are added where too
//! many paths would lead through a piece, or too many calls. A variable is an argument of the predicate of a cut point if it is
//! *live* there: if some path reads it before it is written.

use std::collections::BTreeSet;

use shofar_base::{IndexVec, Map};
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

use super::program::{
    Block, BlockId, End, Function, FunctionId, Instruction, Program, Role, VarId,
};

/// More paths than this do not meet in a block without a predicate.
const MOST_PATHS: usize = 8;
/// A piece has no more calls than this.
const MOST_CALLS: usize = 2;

/// What others have to know about a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Signature {
    /// Global variables that are read or written.
    touched: BTreeSet<VarId>,
    /// Those that are written.
    modified: BTreeSet<VarId>,
    /// Whether something that must not happen can happen in it.
    pub(super) fails: bool,
    pub(super) is_called: bool,
    /// Parameters and global variables that may have other values at the end.
    pub(super) carried: Vec<VarId>,
    /// The parameters, and the global variables that matter.
    pub(super) inputs: Vec<VarId>,
}

impl Signature {
    /// The global variables that are written.
    pub(super) fn outputs(&self) -> Vec<VarId> {
        self.modified.iter().copied().collect()
    }
}

/// The signatures of all functions.
pub(super) fn signatures(store: &TermStore, program: &Program) -> IndexVec<FunctionId, Signature> {
    let mut signatures: IndexVec<FunctionId, Signature> =
        program.functions.iter().map(|function| own(store, program, function)).collect();
    for function in &program.functions {
        for callee in callees(function) {
            signatures[callee].is_called = true;
        }
    }
    loop {
        let mut has_changed = false;
        for id in signatures.handles() {
            let mut next = signatures[id].clone();
            for callee in callees(&program.functions[id]) {
                let callee = &signatures[callee];
                next.touched.extend(&callee.touched);
                next.modified.extend(&callee.modified);
                next.fails |= callee.fails;
            }
            let size = |s: &Signature| (s.touched.len(), s.modified.len(), s.fails);
            has_changed |= size(&next) != size(&signatures[id]);
            signatures[id] = next;
        }
        if !has_changed {
            break;
        }
    }
    for id in signatures.handles() {
        let function = &program.functions[id];
        let written = written(function);
        let signature = &mut signatures[id];
        let parameters = function.parameters.iter().copied();
        signature.inputs = parameters.clone().chain(signature.touched.iter().copied()).collect();
        let changed = parameters.filter(|parameter| written.contains(parameter));
        signature.carried = changed.chain(signature.modified.iter().copied()).collect();
    }
    signatures
}

/// What a function does by itself.
fn own(store: &TermStore, program: &Program, function: &Function) -> Signature {
    let mut signature = Signature::default();
    let is_global = |variable: &VarId| program.variables[*variable].role == Role::Global;
    signature.modified = written(function).into_iter().filter(is_global).collect();
    signature.touched = signature.modified.clone();
    for &block in &reached(function) {
        let block = &function.blocks[block];
        signature.fails |= matches!(block.end, End::Violation(..));
        let mut terms: Vec<Term> = block.instructions.iter().flat_map(uses).collect();
        terms.extend(condition(block));
        let used = variables(store, function, &terms).into_iter();
        signature.touched.extend(used.filter(is_global));
    }
    signature
}

fn callees(function: &Function) -> Vec<FunctionId> {
    let mut callees = Vec::new();
    for &block in &reached(function) {
        for instruction in &function.blocks[block].instructions {
            if let Instruction::Call { callee, .. } = instruction {
                callees.push(*callee);
            }
        }
    }
    callees
}

/// The variables that a function writes, by itself.
fn written(function: &Function) -> BTreeSet<VarId> {
    let blocks = reached(function);
    let instructions = blocks.iter().flat_map(|&block| &function.blocks[block].instructions);
    instructions.filter_map(target).collect()
}

/// The variable that an instruction writes.
fn target(instruction: &Instruction) -> Option<VarId> {
    match instruction {
        Instruction::Set { variable, .. }
        | Instruction::SetElement { variable, .. }
        | Instruction::Any { variable, .. } => Some(*variable),
        Instruction::Call { result, .. } => *result,
        Instruction::Assume(_) => None,
    }
}

/// The terms that an instruction evaluates.
fn uses(instruction: &Instruction) -> Vec<Term> {
    match instruction {
        Instruction::Set { value, .. } => vec![*value],
        Instruction::SetElement { array, .. } => vec![*array],
        Instruction::Any { .. } => Vec::new(),
        Instruction::Assume(condition) => vec![*condition],
        Instruction::Call { arguments, .. } => arguments.clone(),
    }
}

fn condition(block: &Block) -> Option<Term> {
    match &block.end {
        End::Branch { condition, .. } => Some(*condition),
        End::Goto(_) | End::Return(_) | End::Violation(..) | End::Stop => None,
    }
}

/// The variables of a function that occur in terms.
fn variables(store: &TermStore, function: &Function, terms: &[Term]) -> Vec<VarId> {
    let symbols: Map<Symbol, VarId> = function.symbols(store);
    let found = free_symbols(store, terms).into_iter();
    found.filter_map(|symbol| symbols.get(&symbol).copied()).collect()
}

/// The blocks that can be reached, those that are jumped to from before first.
pub(super) fn reached(function: &Function) -> Vec<BlockId> {
    walk(function).0
}

/// The blocks in an order in which only jumps backwards lead to earlier ones, and the targets of these.
fn walk(function: &Function) -> (Vec<BlockId>, BTreeSet<BlockId>) {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks: IndexVec<BlockId, Mark> = function.blocks.iter().map(|_| Mark::New).collect();
    let (mut order, mut targets) = (Vec::new(), BTreeSet::new());
    let mut stack = vec![(function.entry(), 0)];
    marks[function.entry()] = Mark::Open;
    while let Some((block, next)) = stack.pop() {
        let successors = function.blocks[block].successors();
        let Some(&successor) = successors.get(next) else {
            marks[block] = Mark::Done;
            order.push(block);
            continue;
        };
        stack.push((block, next + 1));
        match marks[successor] {
            Mark::New => {
                marks[successor] = Mark::Open;
                stack.push((successor, 0));
            }
            Mark::Open => {
                targets.insert(successor);
            }
            Mark::Done => {}
        }
    }
    order.reverse();
    (order, targets)
}

/// Where a function is cut, and which variables matter where.
#[derive(Debug)]
pub(super) struct Flow {
    /// The cut points, in the order of the program.
    pub(super) cuts: Vec<BlockId>,
    is_cut: IndexVec<BlockId, bool>,
    live: IndexVec<BlockId, BTreeSet<VarId>>,
}

impl Flow {
    pub(super) fn of(
        store: &TermStore,
        program: &Program,
        signatures: &IndexVec<FunctionId, Signature>,
        id: FunctionId,
    ) -> Self {
        let function = &program.functions[id];
        let (order, targets) = walk(function);
        let mut is_cut: IndexVec<BlockId, bool> = function.blocks.iter().map(|_| false).collect();
        for &target in &targets {
            is_cut[target] = true;
        }
        let signature = &signatures[id];
        if signature.is_called && signature.fails {
            is_cut[function.entry()] = true;
        }
        cut_more(function, &order, &mut is_cut);
        let live = liveness(store, function, signatures, signature, &order);
        let cuts = order.into_iter().filter(|&block| is_cut[block]).collect();
        Self { cuts, is_cut, live }
    }
    pub(super) fn is_cut(&self, block: BlockId) -> bool {
        self.is_cut[block]
    }
    /// The variables that are live at the beginning of a block, in the order of their declarations.
    pub(super) fn live(&self, block: BlockId) -> Vec<VarId> {
        self.live[block].iter().copied().collect()
    }
}

/// Cuts where too many paths meet or too many calls follow each other.
fn cut_more(function: &Function, order: &[BlockId], is_cut: &mut IndexVec<BlockId, bool>) {
    let zero = |_: &Block| (0usize, 0usize);
    // How many paths lead to a block from the cut points before it, and how many calls are on them at most.
    let mut arriving: IndexVec<BlockId, (usize, usize)> =
        function.blocks.iter().map(zero).collect();
    arriving[function.entry()] = (1, 0);
    for &block in order {
        let calls = function.blocks[block].instructions.iter();
        let own = calls.filter(|i| matches!(i, Instruction::Call { .. })).count();
        let (paths, before) = arriving[block];
        if paths > MOST_PATHS || before > 0 && before + own > MOST_CALLS {
            is_cut[block] = true;
        }
        let (paths, before) = if is_cut[block] { (1, 0) } else { (paths, before) };
        for successor in function.blocks[block].successors() {
            let (known, calls) = arriving[successor];
            arriving[successor] = (known + paths, calls.max(before + own));
        }
    }
}

/// The variables that are live at the beginning of each block.
fn liveness(
    store: &TermStore,
    function: &Function,
    signatures: &IndexVec<FunctionId, Signature>,
    signature: &Signature,
    order: &[BlockId],
) -> IndexVec<BlockId, BTreeSet<VarId>> {
    let symbols = function.symbols(store);
    let of_terms = |terms: &[Term]| -> Vec<VarId> {
        let found = free_symbols(store, terms).into_iter();
        found.filter_map(|symbol| symbols.get(&symbol).copied()).collect()
    };
    let mut live: IndexVec<BlockId, BTreeSet<VarId>> =
        function.blocks.iter().map(|_| BTreeSet::new()).collect();
    loop {
        let mut has_changed = false;
        for &block in order.iter().rev() {
            let content = &function.blocks[block];
            let mut now: BTreeSet<VarId> = match &content.end {
                End::Return(_) if signature.is_called => at_return(function, signature),
                End::Return(_) | End::Violation(..) | End::Stop => BTreeSet::new(),
                End::Goto(_) | End::Branch { .. } => {
                    let next = content.successors().into_iter();
                    next.flat_map(|next| live[next].iter().copied()).collect()
                }
            };
            now.extend(condition(content).into_iter().flat_map(|term| of_terms(&[term])));
            for instruction in content.instructions.iter().rev() {
                if let Some(target) = target(instruction) {
                    now.remove(&target);
                }
                if let Instruction::Call { callee, .. } = instruction {
                    let callee = &signatures[*callee];
                    for variable in &callee.modified {
                        now.remove(variable);
                    }
                    now.extend(&callee.touched);
                }
                now.extend(of_terms(&uses(instruction)));
            }
            has_changed |= now != live[block];
            live[block] = now;
        }
        if !has_changed {
            return live;
        }
    }
}

/// What the summary of a function needs when it returns.
fn at_return(function: &Function, signature: &Signature) -> BTreeSet<VarId> {
    let kept = signature.inputs.iter().filter(|input| !signature.carried.contains(input));
    kept.chain(&signature.modified).chain(&function.result).copied().collect()
}
