//! What has to be known about a program before it becomes clauses: what functions do with global
//! variables, where the program is cut into pieces, and which variables matter there.
//!
//! *Cut points* are the targets of jumps backwards, so that pieces between them have no cycles;
//! further ones are added where too many paths would lead through a piece, or too many calls or
//! branches follow each other. A variable is an argument of the predicate of a cut point if it is
//! *live* there: if some path reads it before it is written.

use std::collections::BTreeSet;

use shofar_base::{Idx as _, IndexVec, Map, components};
use shofar_chc::read::Property;
use shofar_term::symbols::free_symbols;
use shofar_term::{Symbol, Term, TermStore};

use super::program::{
    Block, BlockId, End, Function, FunctionId, Instruction, Program, Role, VarId,
};

/// More paths than this do not meet in a block without a predicate.
const MOST_PATHS: usize = 8;
/// A path has no more branches than this: each makes a clause that has all of the path in front of
/// it.
const MOST_BRANCHES: usize = 64;
/// A piece has no more calls than this.
const MOST_CALLS: usize = 2;

/// Whether a value is used is not looked for behind more instructions than this.
const MOST_LOOKED_AT: usize = 1_000;

/// What others have to know about a function.
#[derive(Clone, Debug, Default)]
pub(super) struct Signature {
    /// Global variables that are read or written.
    touched: BTreeSet<VarId>,
    /// Those that are written.
    modified: BTreeSet<VarId>,
    /// Whether something that must not happen can happen in it, so that it is entered with the
    /// values of its calls only.
    pub(super) fails: bool,
    pub(super) is_called: bool,
    /// Whether what it gives back is known to who calls it.
    pub(super) has_summary: bool,
    /// Parameters and global variables that may have other values at the end.
    pub(super) carried: Vec<VarId>,
    /// The parameters, and the global variables that matter.
    pub(super) inputs: Vec<VarId>,
}

impl Signature {
    /// What a function does that this one calls, it does as well.
    fn absorb(&mut self, callee: &Signature) {
        self.touched.extend(&callee.touched);
        self.modified.extend(&callee.modified);
        self.fails |= callee.fails;
    }
    /// The global variables that are written.
    pub(super) fn outputs(&self) -> Vec<VarId> {
        self.modified.iter().copied().collect()
    }
}

/// The signatures of all functions.
pub(super) fn signatures(store: &TermStore, program: &Program) -> IndexVec<FunctionId, Signature> {
    let mut signatures: IndexVec<FunctionId, Signature> =
        program.functions.iter().map(|function| own(store, program, function)).collect();
    let callees: Vec<Vec<usize>> = program.functions.iter().map(callees).collect();
    let id = FunctionId::from_index;
    for &callee in callees.iter().flatten() {
        let signature = &mut signatures[id(callee)];
        signature.is_called = true;
        signature.has_summary = program.property == Property::Safety;
    }
    for group in components(&callees) {
        let mut whole = Signature::default();
        for &member in &group {
            whole.absorb(&signatures[id(member)]);
            for &callee in &callees[member] {
                whole.absorb(&signatures[id(callee)]);
            }
        }
        for member in group {
            signatures[id(member)].absorb(&whole);
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
    // If termination is asked about, only what is entered is of interest.
    let fails = program.property == Property::Termination;
    let mut signature = Signature { fails, ..Signature::default() };
    let is_global = |variable: &VarId| program.variables[*variable].role == Role::Global;
    signature.modified = written(function).into_iter().filter(is_global).collect();
    signature.touched.clone_from(&signature.modified);
    let symbols = function.symbols(store);
    for &block in &reached(function) {
        let block = &function.blocks[block];
        signature.fails |= matches!(block.end, End::Violation { .. });
        let mut terms: Vec<Term> = block.instructions.iter().flat_map(uses).collect();
        terms.extend(condition(block));
        let used = variables(store, &symbols, &terms).into_iter();
        signature.touched.extend(used.filter(is_global));
    }
    signature
}

/// The numbers of the functions that are called, each once.
fn callees(function: &Function) -> Vec<usize> {
    let mut callees = BTreeSet::new();
    for &block in &reached(function) {
        for instruction in &function.blocks[block].instructions {
            if let Instruction::Call { callee, .. } = instruction {
                callees.insert(callee.index());
            }
        }
    }
    callees.into_iter().collect()
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
        End::Goto(_) | End::Return(_) | End::Violation { .. } | End::Stop => None,
    }
}

/// The variables that occur in terms, by the symbols that stand for them.
fn variables(store: &TermStore, symbols: &Map<Symbol, VarId>, terms: &[Term]) -> Vec<VarId> {
    let found = free_symbols(store, terms).into_iter();
    found.filter_map(|symbol| symbols.get(&symbol).copied()).collect()
}

/// The blocks that can be reached, those that are jumped to from before first.
pub(super) fn reached(function: &Function) -> Vec<BlockId> {
    walk(function).0
}

/// The blocks in an order in which only jumps backwards lead to earlier ones, and the targets of
/// these.
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
    /// Whether the value that the instruction with this number writes may be read.
    pub(super) fn is_used(
        &self,
        store: &TermStore,
        program: &Program,
        function: &Function,
        (block, place): (BlockId, usize),
    ) -> bool {
        let content = &function.blocks[block];
        let mut rest = content.instructions[place..].iter();
        let Some(written) = rest.next().and_then(target) else { return false };
        let Some(symbol) = store.symbol(program.variables[written].term) else { return false };
        if rest.len() > MOST_LOOKED_AT {
            return true;
        }
        for instruction in rest {
            if free_symbols(store, &uses(instruction)).contains(&symbol) {
                return true;
            }
            if target(instruction) == Some(written) {
                return false;
            }
        }
        let at_end: Vec<Term> = condition(content).into_iter().collect();
        free_symbols(store, &at_end).contains(&symbol)
            || content.successors().iter().any(|&next| self.live[next].contains(&written))
    }
    /// The variables that are live at the beginning of a block, in the order of their declarations.
    pub(super) fn live(&self, block: BlockId) -> Vec<VarId> {
        self.live[block].iter().copied().collect()
    }
}

/// What arrives at a block from the cut points before it.
#[derive(Clone, Copy, Default)]
struct Arriving {
    paths: usize,
    /// Calls on a path, at most.
    calls: usize,
    /// Branches on a path, at most.
    branches: usize,
}

/// Cuts where too many paths meet, or too many calls or branches follow each other.
fn cut_more(function: &Function, order: &[BlockId], is_cut: &mut IndexVec<BlockId, bool>) {
    let mut arriving: IndexVec<BlockId, Arriving> =
        function.blocks.iter().map(|_| Arriving::default()).collect();
    arriving[function.entry()].paths = 1;
    for &block in order {
        let calls = function.blocks[block].instructions.iter();
        let own = calls.filter(|i| matches!(i, Instruction::Call { .. })).count();
        let successors = function.blocks[block].successors();
        let branches = usize::from(successors.len() > 1);
        let here = arriving[block];
        let is_long = here.branches + branches > MOST_BRANCHES
            || here.calls > 0 && here.calls + own > MOST_CALLS;
        if here.paths > MOST_PATHS || is_long {
            is_cut[block] = true;
        }
        let here = if is_cut[block] { Arriving { paths: 1, calls: 0, branches: 0 } } else { here };
        for successor in successors {
            let next = &mut arriving[successor];
            next.paths += here.paths;
            next.calls = next.calls.max(here.calls + own);
            next.branches = next.branches.max(here.branches + branches);
        }
    }
}

/// What a block does to the set of live variables: it takes some out, and then puts some in.
#[derive(Default)]
struct Transfer {
    written: BTreeSet<VarId>,
    read: BTreeSet<VarId>,
}

impl Transfer {
    fn of(
        store: &TermStore,
        symbols: &Map<Symbol, VarId>,
        signatures: &IndexVec<FunctionId, Signature>,
        block: &Block,
    ) -> Self {
        let mut this = Self::default();
        this.read(variables(store, symbols, &condition(block).into_iter().collect::<Vec<_>>()));
        for instruction in block.instructions.iter().rev() {
            this.write(target(instruction));
            if let Instruction::Call { callee, .. } = instruction {
                let callee = &signatures[*callee];
                this.write(callee.modified.iter().copied());
                this.read(callee.touched.iter().copied());
            }
            this.read(variables(store, symbols, &uses(instruction)));
        }
        this
    }
    fn write(&mut self, variables: impl IntoIterator<Item = VarId>) {
        for variable in variables {
            self.read.remove(&variable);
            self.written.insert(variable);
        }
    }
    fn read(&mut self, variables: impl IntoIterator<Item = VarId>) {
        self.read.extend(variables);
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
    let transfers: Vec<(BlockId, Transfer)> = order
        .iter()
        .rev()
        .map(|&id| (id, Transfer::of(store, &symbols, signatures, &function.blocks[id])))
        .collect();
    let mut live: IndexVec<BlockId, BTreeSet<VarId>> =
        function.blocks.iter().map(|_| BTreeSet::new()).collect();
    loop {
        let mut has_changed = false;
        for (block, transfer) in &transfers {
            let content = &function.blocks[*block];
            let mut now: BTreeSet<VarId> = match &content.end {
                End::Return(_) if signature.has_summary => at_return(function, signature),
                End::Return(_) | End::Violation { .. } | End::Stop => BTreeSet::new(),
                End::Goto(_) | End::Branch { .. } => {
                    let next = content.successors().into_iter();
                    next.flat_map(|next| live[next].iter().copied()).collect()
                }
            };
            now.retain(|variable| !transfer.written.contains(variable));
            now.extend(&transfer.read);
            has_changed |= now != live[*block];
            live[*block] = now;
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
