//! UPPAAL: networks of timed automata, in XML or in textual form.
//!
//! ```text
//! clock x;  chan press;
//! process Lamp() { state off, on { x <= 5 }; init off;
//!   trans off -> on { sync press?; assign x = 0; }, on -> off { guard x >= 5; }; }
//! process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
//! system Lamp, User;
//! ```
//! | file | what |
//! |---|---|
//! | `piece` | texts of labels, with their places in the file |
//! | `draft` | what a text says before names have meanings |
//! | `xml`, `xta` | from a file to a draft |
//! | `tag` | the elements of XML |
//! | `state` | what a state is made of, and what names stand for |
//! | `declare`, `plan`, `label`, `query` | declarations, the list of processes, labels of locations and edges, queries |
//! | `reading`, `bounds` | what expressions mean, and which values they may have |
//! | `network`, `elaborate`, `edge` | processes with labels as terms, and how they and their edges are made of templates |
//! | `moves` | what a network can do |
//! | `encode` | clauses as one product, by Owicki and Gries, and by rely and guarantee: all exact |
//! | `parameterised` | clauses for any number of instances: proofs only |
//! | `explain` | executions and invariants in the words of the text |
//!
//! Time is real, or integer by option, which is another meaning for strict bounds: with guards and
//! invariants that are not strict, both reach the same locations and values [HMP92]. What UPPAAL
//! has and this reader has not is refused at its place.
//!
//! Source: [BDL04], [HRSY14]. DIVERGENCE [BDL04]: no functions, records, scalar sets,
//! floating-point numbers, stochastic features and priorities; indices are inside of their arrays
//! by the declared ranges.

mod bounds;
mod declare;
mod draft;
mod edge;
mod elaborate;
mod encode;
mod explain;
mod label;
mod moves;
mod network;
mod parameterised;
mod piece;
mod plan;
mod query;
mod reading;
mod state;
mod tag;
mod xml;
mod xta;

use std::sync::Arc;

use shofar_base::{Diagnostic, Span};
use shofar_chc::Exactness;
use shofar_chc::read::{
    Asks, FrontEnd, HornProblem, Instance, OptionScope, Polarity, ReadOption, ReadOptions, Texts,
};
use shofar_term::{Sort, TermStore};

use crate::execution::Listing;
use crate::expression::Operators;
use crate::lexer::{Cursor, Slashes, Syntax};
use crate::operation::{Computation, Connective, Op};
use draft::Draft;
use elaborate::Instances;
use encode::{Clauses, Encoder, Encoding};
use explain::Words;
use moves::Move;
use network::Network;
use parameterised::{INSTANCES, Parameterised};
use query::{Quantity, Query};

/// The row of the table of front ends.
pub const UPPAAL: FrontEnd = FrontEnd {
    name: "uppaal",
    about: "UPPAAL: networks of timed automata with clocks, integers and channels, in XML or textual form",
    extensions: &["xml", "xta", "ta"],
    recognises,
    texts: Texts::Whole,
    asks: Asks::Safety,
    options: &[ENCODE, TIME],
    read,
};

const ENCODE: ReadOption = ReadOption {
    scope: OptionScope::Job,
    name: "encode",
    values: &["product", "og", "rg", "parameterised"],
    about: "how a network of processes becomes clauses",
};

const TIME: ReadOption = ReadOption {
    scope: OptionScope::Job,
    name: "time",
    values: &["real", "int"],
    about: "which numbers times are",
};

const SYNTAX: Syntax = Syntax {
    comment: None,
    slashes: Slashes::Comment,
    signs: &[
        "<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", ":=", "+=", "-=", "*=", "/=", "%=", "|=",
        "&=", "^=", "++", "--", "->", "<<", ">>", "<?", ">?", "<", ">", "=", "!", "?", ":", "+",
        "-", "*", "/", "%", "&", "|", "^", "(", ")", "[", "]", "{", "}", ",", ";", ".",
    ],
    quote: b'"',
    has_decimals: false,
    has_members: true,
};

const OPERATORS: Operators = Operators {
    prefix: &[("not", Op::Not, 7), ("!", Op::Not, 7), ("-", Op::Neg, 7)],
    infix: &[
        ("imply", Op::Connect(Connective::Implies), 1),
        ("or", Op::Connect(Connective::Or), 1),
        ("||", Op::Connect(Connective::Or), 1),
        ("and", Op::Connect(Connective::And), 2),
        ("&&", Op::Connect(Connective::And), 2),
        ("==", Op::Equal, 3),
        ("!=", Op::Unequal, 3),
        ("<", Op::Compute(Computation::Lt), 4),
        ("<=", Op::Compute(Computation::Le), 4),
        (">", Op::Compute(Computation::Gt), 4),
        (">=", Op::Compute(Computation::Ge), 4),
        ("+", Op::Compute(Computation::Add), 5),
        ("-", Op::Compute(Computation::Sub), 5),
        ("*", Op::Compute(Computation::Mul), 6),
        ("/", Op::Quotient, 6),
        ("%", Op::Remainder, 6),
    ],
    application: &[("(", ")"), ("[", "]")],
    brackets_connectives: false,
};

/// The most variables of a state.
const MOST_VARIABLES: usize = 1_000;
/// The most processes of a network.
const MOST_PROCESSES: usize = 100;
/// The most edges of a process, moves of a network, and unfoldings of a query.
const MOST_MOVES: usize = 20_000;
/// The most arguments of predicates in all clauses.
const MOST_ARGUMENTS: usize = 40_000_000;

/// Reads a text: one problem for each query.
fn read(
    text: &[u8],
    options: &ReadOptions,
    store: &mut TermStore,
) -> Result<Vec<HornProblem>, Diagnostic> {
    if u32::try_from(text.len()).is_err() {
        return Err(Diagnostic::new(
            Span::new(0, 0),
            "files above four gigabytes are not supported",
        ));
    }
    let draft = draft(text)?;
    let time_sort = if options.get(TIME.name) == "int" { Sort::INT } else { Sort::REAL };
    let encoding = match options.get(ENCODE.name) {
        "og" => Some(Encoding::OwickiGries),
        "rg" => Some(Encoding::RelyGuarantee),
        "product" => Some(Encoding::Product),
        _ => None,
    };
    let instances =
        if encoding.is_some() { Instances::Listed } else { Instances::Symbolic(INSTANCES) };
    let end = text.len();
    let (mut network, mut names) = elaborate::network(store, &draft, time_sort, instances, end)?;
    let mut queries = Vec::new();
    if let Some(piece) = draft.queries.get(MOST_VARIABLES) {
        return Err(Diagnostic::new(piece.span(), "there are too many queries"));
    }
    for piece in &draft.queries {
        queries.push(query::query(store, &mut network, &mut names, instances, piece)?);
    }
    if queries.is_empty() {
        queries.push(query::error_locations(store, &network, instances, end)?);
    }
    if let Some(encoding) = encoding {
        return exactly(store, text, &network, encoding, &queries);
    }
    let time = options.get(TIME.name);
    let concrete = UPPAAL.options_with(&[(ENCODE.name, ENCODE.values[0]), (TIME.name, time)]);
    for_any_number(store, text, &network, &queries, concrete.ok())
}

fn draft(text: &[u8]) -> Result<Draft, Diagnostic> {
    if text.trim_ascii_start().first() != Some(&b'<') && !text.starts_with(b"\xef\xbb\xbf") {
        return xta::read(text);
    }
    let text = std::str::from_utf8(text).map_err(|error| {
        let at = error.valid_up_to();
        Diagnostic::new(Span::new(at, at + 1), "this is not UTF-8")
    })?;
    xml::read(text)
}

/// The problems of a network as it is.
fn exactly(
    store: &mut TermStore,
    text: &[u8],
    network: &Network,
    encoding: Encoding,
    queries: &[Query],
) -> Result<Vec<HornProblem>, Diagnostic> {
    let everybody: Vec<usize> = (0..network.processes.len()).collect();
    let moves = network.moves(store, &everybody)?;
    let heads = if encoding == Encoding::Product { 1 } else { network.processes.len() };
    let size = moves.len().saturating_mul(heads).saturating_mul(network.state.variables.len());
    if size.saturating_mul(queries.len()) > MOST_ARGUMENTS {
        let message = "the clauses of this network would be too many";
        return Err(Diagnostic::new(queries[0].span, message));
    }
    let mut encoder = Encoder::new(store, network, &moves);
    let preds = encoder.encode(store, encoding);
    let (mut problems, listing) = (Vec::new(), Listing::new(text));
    for query in queries {
        let clauses = encoder.ask(store, &preds, query);
        problems.push(problem(store, &listing, network, &moves, clauses, query));
    }
    Ok(problems)
}

/// The problems of networks with any number of instances.
fn for_any_number(
    store: &mut TermStore,
    text: &[u8],
    network: &Network,
    queries: &[Query],
    concrete: Option<ReadOptions>,
) -> Result<Vec<HornProblem>, Diagnostic> {
    let whole = Span::new(0, text.len());
    let mut encoder = Parameterised::new(store, network, whole)?;
    encoder.encode(store)?;
    let (mut problems, listing) = (Vec::new(), Listing::new(text));
    // The network that the text lists is one of those that the clauses are about, if it has two
    // instances.
    let listed = concrete.zip(network.listed.filter(|&count| count >= 2));
    let instance = listed.map(|(options, count)| Instance {
        options,
        about: format!(
            "the network with {count} instances that the text lists, `--encode product`"
        ),
    });
    for query in queries {
        let clauses = encoder.ask(store, query);
        let problem = problem(store, &listing, network, &encoder.moves, clauses, query);
        let (exactness, instance) = (Exactness::Over, instance.clone());
        problems.push(HornProblem { exactness, instance, ..problem });
    }
    Ok(problems)
}

fn problem(
    store: &mut TermStore,
    listing: &Listing,
    network: &Network,
    moves: &[Move],
    Clauses { system, steps }: Clauses,
    query: &Query,
) -> HornProblem {
    let words = Words::new(listing, network, moves, steps);
    let problem = HornProblem::of_system(store, system);
    let polarity = match query.quantity {
        Quantity::Always => Polarity::Normal,
        Quantity::Possibly => Polarity::Inverted,
    };
    HornProblem { polarity, span: query.span, explain: Some(Arc::new(words)), ..problem }
}

/// Whether a text is a network in XML, or has a process in textual form.
fn recognises(text: &[u8]) -> bool {
    const LOOK: usize = 1 << 16;
    let start = &text[..text.len().min(LOOK)];
    if start.trim_ascii_start().starts_with(b"<") {
        return start.windows(4).any(|window| window == b"<nta");
    }
    let Ok(cursor) = Cursor::new(start, &SYNTAX) else { return false };
    if cursor.is(cursor.peek(), "(") {
        return false;
    }
    (0..start.len())
        .map(|at| (cursor.look(at), at))
        .take_while(|(token, _)| token.span.start < start.len())
        .any(|(token, at)| {
            cursor.is(token, "process")
                && (cursor.is(cursor.look(at + 2), "(") || cursor.is(cursor.look(at + 2), "{"))
        })
}

#[cfg(test)]
mod tests;
