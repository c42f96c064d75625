//! The definitions of a model as pieces of text, and an order in which each comes after those it
//! uses.
//!
//! Only the header of a definition is looked at here; its body is elaborated by the front end for
//! SMT-LIB. Some solvers print auxiliary functions, before or after the predicates that use them.

use shofar_base::{Map, Set, Span};

use super::scan::{Kind, Scan, Token};
use super::{Read, Unread};

/// `(define-fun name ((param sort) …) result body)`.
#[derive(Clone, Debug)]
pub(super) struct Entry<'t> {
    pub(super) name: Token<'t>,
    /// The parameters and the texts of their sorts.
    pub(super) params: Vec<(&'t str, &'t str)>,
    /// The text of the sort of the result.
    pub(super) result: &'t str,
    /// The whole, and its place.
    pub(super) source: &'t str,
    pub(super) span: Span,
    /// The place of the body.
    pub(super) body: Span,
}

/// All definitions of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Definitions<'t> {
    entries: Vec<Entry<'t>>,
    places: Map<&'t str, usize>,
}

impl<'t> Definitions<'t> {
    /// Reads one `define-fun`, or a list of them; `head` is the token behind the parenthesis
    /// `open`.
    pub(super) fn read_some(
        &mut self,
        scan: &mut Scan<'t>,
        open: Token<'t>,
        head: Token<'t>,
    ) -> Read<()> {
        let mut token = match head.kind {
            Kind::Open | Kind::Close => head,
            Kind::Word if head.text == "model" => scan.next()?,
            Kind::Word | Kind::Quoted | Kind::String | Kind::End => {
                return self.read(scan, open, head);
            }
        };
        while token.kind != Kind::Close {
            if token.kind != Kind::Open {
                return Err(token.error("expected a definition"));
            }
            let head = scan.next()?;
            self.read(scan, token, head)?;
            token = scan.next()?;
        }
        Ok(())
    }
    /// Reads the definition that begins with the parenthesis `open` and the word `head`.
    fn read(&mut self, scan: &mut Scan<'t>, open: Token<'t>, head: Token<'t>) -> Read<()> {
        if !head.is("define-fun") {
            return Err(refusal(head));
        }
        let name = scan.name("the name of a function")?;
        let params = read_params(scan)?;
        let first = scan.next()?;
        let result = scan.skip(first)?;
        let first = scan.next()?;
        let body = scan.skip(first)?;
        let close = scan.expect(Kind::Close, "`)`")?;
        if self.places.insert(name.text, self.entries.len()).is_some() {
            return Err(name.error(format!("`{}` is defined twice", name.text)));
        }
        let span = Span::new(open.span.start, close.span.end);
        let (result, source) = (scan.text(result), scan.text(span));
        self.entries.push(Entry { name, params, result, source, span, body });
        Ok(())
    }
    /// The definition of a name.
    pub(super) fn get(&self, name: &str) -> Option<&Entry<'t>> {
        self.places.get(name).map(|&at| &self.entries[at])
    }
    /// All definitions, each after those it uses unless they use each other.
    pub(super) fn ordered(&self, text: &'t str) -> Read<Vec<&Entry<'t>>> {
        let mut order = Vec::with_capacity(self.entries.len());
        let mut seen = vec![false; self.entries.len()];
        for root in 0..self.entries.len() {
            let mut path: Vec<(usize, Vec<usize>)> = Vec::new();
            if !std::mem::replace(&mut seen[root], true) {
                path.push((root, self.uses(text, root)?));
            }
            while let Some((at, uses)) = path.last_mut() {
                match uses.pop() {
                    Some(used) if std::mem::replace(&mut seen[used], true) => {}
                    Some(used) => path.push((used, self.uses(text, used)?)),
                    None => {
                        order.push(&self.entries[*at]);
                        path.pop();
                    }
                }
            }
        }
        Ok(order)
    }
    /// The definitions whose names occur in the body of another and are not its parameters.
    fn uses(&self, text: &'t str, at: usize) -> Read<Vec<usize>> {
        let entry = &self.entries[at];
        let mut seen: Set<&str> = entry.params.iter().map(|&(name, _)| name).collect();
        let mut uses = Vec::new();
        let mut scan = Scan::within(text, entry.body);
        loop {
            let token = scan.next()?;
            if token.kind == Kind::End {
                return Ok(uses);
            }
            if token.is_name()
                && let Some(&used) = self.places.get(token.text)
                && seen.insert(token.text)
            {
                uses.push(used);
            }
        }
    }
}

fn read_params<'t>(scan: &mut Scan<'t>) -> Read<Vec<(&'t str, &'t str)>> {
    scan.expect(Kind::Open, "the list of parameters")?;
    let mut params = Vec::new();
    loop {
        let token = scan.next()?;
        match token.kind {
            Kind::Close => return Ok(params),
            Kind::Open => {
                let name = scan.name("the name of a parameter")?;
                let first = scan.next()?;
                let sort = scan.skip(first)?;
                scan.expect(Kind::Close, "`)`")?;
                params.push((name.text, scan.text(sort)));
            }
            Kind::Word | Kind::Quoted | Kind::String | Kind::End => {
                return Err(token.unexpected("a parameter"));
            }
        }
    }
}

/// The complaint about something else than a definition.
fn refusal(head: Token<'_>) -> Box<Unread> {
    let message = match head.text {
        "define-fun-rec" | "define-funs-rec" => "recursive definitions are not supported",
        "forall" | "declare-fun" | "declare-datatypes" | "declare-sort" => {
            "only `define-fun` is supported in models"
        }
        _ => return head.unexpected("`define-fun`, `model` or `refutation`"),
    };
    head.error(message)
}
