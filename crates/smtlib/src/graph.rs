//! The graphs that interpolants are asked for.
//!
//! `(get-dag-interpolants ((en v φ) (v w ψ) (w ex χ)) ((v λ)))` has a list of edges, each with the
//! names of its ends and a formula, and may have a second list with the labels of vertices.
//! Vertices are whatever the edges mention; their names have nothing to do with the symbols of
//! formulas. The one vertex that no edge leads to is the entry, the one that no edge leaves the
//! exit.
//!
//! Invariant: what is read is acyclic, with one entry and one exit; anything else is an error in
//! its place.
//!
//! Source: [RHK13] (restricted DAG interpolants), after [AGC12].

use shofar_base::{Diagnostic, Map, Read, Span};
use shofar_term::{Sort, Term};

use crate::parse::Parser;
use crate::sexpr::{self, expect_close, expect_open};
use crate::token::{Token, TokenKind};

/// A vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// Its name.
    pub name: String,
    /// What is claimed to hold there.
    pub label: Option<Term>,
    /// Where it is mentioned first.
    pub span: Span,
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The place of the vertex where it starts.
    pub from: usize,
    /// The place of the vertex that it leads to.
    pub to: usize,
    /// When it can be taken.
    pub label: Term,
    /// Where it stands.
    pub span: Span,
}

/// An acyclic graph with one entry and one exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// The vertices, in the order of their first mention.
    pub vertices: Vec<Vertex>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// The vertex that no edge leads to.
    pub entry: usize,
    /// The vertex that no edge leaves.
    pub exit: usize,
}

/// The arguments of `get-dag-interpolants`.
pub(crate) fn graph(parser: &mut Parser<'_, '_>) -> Read<Graph> {
    let mut graph = Graph { vertices: Vec::new(), edges: Vec::new(), entry: 0, exit: 0 };
    let mut places: Map<String, usize> = Map::default();
    let list = expect_open(parser.lexer)?;
    while let Some(open) = element(parser)? {
        let (from, to) =
            (vertex(parser, &mut graph, &mut places)?, vertex(parser, &mut graph, &mut places)?);
        let (label, span) = label(parser, open)?;
        graph.edges.push(Edge { from, to, label, span });
    }
    if graph.edges.is_empty() {
        return Err(parser.lexer.error_at(list, "a graph needs an edge"));
    }
    if parser.lexer.peek()?.kind == TokenKind::Open {
        expect_open(parser.lexer)?;
        while let Some(open) = element(parser)? {
            labelled(parser, &mut graph, &places, open)?;
        }
    }
    graph.check_acyclic()?;
    let (without_incoming, without_outgoing) = graph.ends();
    graph.entry = graph.only(&without_incoming, "no edge leads to", "entry")?;
    graph.exit = graph.only(&without_outgoing, "no edge leaves", "exit")?;
    Ok(graph)
}

/// The next element of a list, by its parenthesis; none at the end.
fn element(parser: &mut Parser<'_, '_>) -> Read<Option<Token>> {
    let token = parser.lexer.next()?;
    if token.kind == TokenKind::Open {
        Ok(Some(token))
    } else if token.kind == TokenKind::Close {
        Ok(None)
    } else {
        Err(sexpr::unexpected(parser.lexer, "`(` or `)`", token))
    }
}

/// The place of the vertex of this name, a new one if there is none.
fn vertex(
    parser: &mut Parser<'_, '_>,
    graph: &mut Graph,
    places: &mut Map<String, usize>,
) -> Read<usize> {
    let token = sexpr::symbol(parser.lexer, "the name of a vertex")?;
    let name = parser.lexer.token_str(token);
    if let Some(&known) = places.get(name) {
        return Ok(known);
    }
    let (name, place) = (name.to_owned(), graph.vertices.len());
    let span = parser.lexer.span(token.start(), token.end());
    places.insert(name.clone(), place);
    graph.vertices.push(Vertex { name, label: None, span });
    Ok(place)
}

/// The formula at the end of the element that began with `open`, and where the element stands.
fn label(parser: &mut Parser<'_, '_>, open: Token) -> Read<(Term, Span)> {
    let first = parser.lexer.next()?;
    let (label, _) = parser.elaborate(first, Some(Sort::BOOL))?;
    let close = expect_close(parser.lexer)?;
    Ok((label, parser.lexer.span(open.start(), close.end())))
}

/// One element of the list of labels.
fn labelled(
    parser: &mut Parser<'_, '_>,
    graph: &mut Graph,
    places: &Map<String, usize>,
    open: Token,
) -> Read<()> {
    let token = sexpr::symbol(parser.lexer, "the name of a vertex")?;
    let name = parser.lexer.token_str(token);
    let Some(&at) = places.get(name) else {
        return Err(parser.lexer.error_at(token, format!("no edge mentions the vertex `{name}`")));
    };
    if graph.vertices[at].label.is_some() {
        return Err(parser.lexer.error_at(token, format!("the vertex `{name}` has two labels")));
    }
    graph.vertices[at].label = Some(label(parser, open)?.0);
    Ok(())
}

impl Graph {
    /// Complains about an edge of a cycle.
    fn check_acyclic(&self) -> Read<()> {
        let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); self.vertices.len()];
        let mut open = vec![0_usize; self.vertices.len()];
        for edge in &self.edges {
            outgoing[edge.from].push(edge.to);
            open[edge.to] += 1;
        }
        let mut done: Vec<usize> = (0..open.len()).filter(|&v| open[v] == 0).collect();
        let mut next = 0;
        while let Some(&vertex) = done.get(next) {
            next += 1;
            for &to in &outgoing[vertex] {
                open[to] -= 1;
                if open[to] == 0 {
                    done.push(to);
                }
            }
        }
        // Some edge comes from a vertex that is left over to each of those, so going backwards ends
        // in a cycle.
        let mut seen = vec![false; self.vertices.len()];
        let Some(mut at) = open.iter().position(|&count| count > 0) else { return Ok(()) };
        let mut into: Vec<Option<&Edge>> = vec![None; self.vertices.len()];
        for edge in self.edges.iter().filter(|edge| open[edge.from] > 0) {
            into[edge.to] = Some(edge);
        }
        loop {
            let edge = into[at].expect("a vertex that is left over has a predecessor that is");
            if std::mem::replace(&mut seen[at], true) {
                let name = &self.vertices[at].name;
                let message = format!("the graph has a cycle through `{name}`");
                return Err(Box::new(Diagnostic::new(edge.span, message)));
            }
            at = edge.from;
        }
    }
    /// The vertices that no edge leads to, and those that none leaves.
    fn ends(&self) -> (Vec<usize>, Vec<usize>) {
        let all = 0..self.vertices.len();
        let (mut entered, mut left) = (vec![false; all.len()], vec![false; all.len()]);
        for edge in &self.edges {
            entered[edge.to] = true;
            left[edge.from] = true;
        }
        (all.clone().filter(|&v| !entered[v]).collect(), all.filter(|&v| !left[v]).collect())
    }
    /// The only vertex of a list.
    fn only(&self, ends: &[usize], why: &str, what: &str) -> Read<usize> {
        let &[end, ref others @ ..] = ends else { unreachable!("acyclic graphs have ends") };
        let Some(&other) = others.first() else { return Ok(end) };
        let (end, other) = (&self.vertices[end], &self.vertices[other]);
        let message = format!("{why} `{}`, nor `{}`: a graph has one {what}", end.name, other.name);
        Err(Box::new(Diagnostic::new(other.span, message)))
    }
}
