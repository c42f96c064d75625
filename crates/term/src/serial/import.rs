//! Reading terms from bytes that may be anything.
//!
//! Invariant: a node is passed to a constructor of the store only after everything the constructor
//! takes for granted has been checked, so no input can make it panic.

use shofar_base::Idx;
use shofar_base::wire::{self, Wire};
use shofar_num::Rational;

use super::{MAGIC, tag};
use crate::sort::BUILT_IN;
use crate::{Linear, Quantifier, Sort, Symbol, Term, TermStore};

/// Reads what [`write_number`](super::write_number) wrote.
pub fn read_number(bytes: &mut wire::Reader<'_>) -> Wire<Rational> {
    match bytes.byte()? {
        0 => {
            let code = bytes.number()?;
            Ok(Rational::from((code >> 1).cast_signed() ^ -((code & 1).cast_signed())))
        }
        1 => {
            let parsed = bytes.text()?.parse();
            parsed.map_err(|_| bytes.error("not a number"))
        }
        _ => Err(bytes.error("unknown form of a number")),
    }
}

/// The roots of an export, as terms of `store`; in the exporting store, the very same terms.
pub fn import(store: &mut TermStore, bytes: &[u8]) -> Wire<Vec<Term>> {
    let (sorts, symbols, nodes) = (Vec::new(), Vec::new(), Vec::new());
    let bytes = wire::Reader::new(bytes, MAGIC)?;
    let mut reader = Reader { store, bytes, sorts, symbols, nodes };
    for _ in 0..reader.bytes.length()? {
        reader.declared_sort()?;
    }
    for _ in 0..reader.bytes.length()? {
        let symbol = reader.declaration()?;
        reader.symbols.push(symbol);
    }
    for _ in 0..reader.bytes.length()? {
        let node = reader.node()?;
        reader.nodes.push(node);
    }
    let mut roots = Vec::new();
    for _ in 0..reader.bytes.length()? {
        let at = reader.bytes.number()?;
        let root = usize::try_from(at).ok().and_then(|at| reader.nodes.get(at).copied());
        roots.push(root.ok_or_else(|| reader.bytes.error("no such node"))?);
    }
    reader.bytes.end()?;
    Ok(roots)
}

pub(super) struct Reader<'a> {
    pub(super) store: &'a mut TermStore,
    pub(super) bytes: wire::Reader<'a>,
    pub(super) sorts: Vec<Sort>,
    symbols: Vec<Symbol>,
    nodes: Vec<Term>,
}

impl Reader<'_> {
    pub(super) fn sort(&mut self) -> Wire<Sort> {
        let at =
            usize::try_from(self.bytes.number()?).map_err(|_| self.bytes.error("unknown sort"))?;
        if at < BUILT_IN.len() {
            return Ok(Sort::from_index(at));
        }
        self.sorts.get(at - BUILT_IN.len()).copied().ok_or_else(|| self.bytes.error("unknown sort"))
    }
    pub(super) fn number(&mut self) -> Wire<Rational> {
        read_number(&mut self.bytes)
    }
    fn declaration(&mut self) -> Wire<Symbol> {
        let name = self.bytes.text()?.to_owned();
        let mut params = Vec::new();
        for _ in 0..self.bytes.length()? {
            params.push(self.sort()?);
        }
        let result = self.sort()?;
        Ok(self.store.declare(&name, &params, result))
    }
    fn symbol(&mut self) -> Wire<Symbol> {
        let at = self.bytes.number()?;
        let symbol = usize::try_from(at).ok().and_then(|at| self.symbols.get(at).copied());
        symbol.ok_or_else(|| self.bytes.error("no such symbol"))
    }
    pub(super) fn child(&mut self) -> Wire<Term> {
        let back = self.bytes.number()?;
        let at = usize::try_from(back).ok().and_then(|back| self.nodes.len().checked_sub(back));
        at.and_then(|at| self.nodes.get(at).copied())
            .ok_or_else(|| self.bytes.error("no such node"))
    }
    fn formula(&mut self) -> Wire<Term> {
        let child = self.child()?;
        self.bytes.require(self.store.sort(child).is_bool(), "a formula is expected")?;
        Ok(child)
    }
    fn quantity(&mut self) -> Wire<Term> {
        let child = self.child()?;
        self.bytes
            .require(self.store.sort(child).is_arithmetic(), "an arithmetic term is expected")?;
        Ok(child)
    }

    fn node(&mut self) -> Wire<Term> {
        let tag = self.bytes.byte()?;
        match tag {
            tag::TRUE => Ok(self.store.top()),
            tag::FALSE => Ok(self.store.bottom()),
            tag::SYMBOL | tag::APP => self.application(tag),
            tag::NOT => {
                let p = self.formula()?;
                Ok(self.store.not(p))
            }
            tag::AND | tag::OR => {
                let parts = (0..self.bytes.length()?)
                    .map(|_| self.formula())
                    .collect::<Wire<Vec<Term>>>()?;
                Ok(if tag == tag::AND { self.store.and(&parts) } else { self.store.or(&parts) })
            }
            tag::IFF => {
                let (p, q) = (self.formula()?, self.formula()?);
                Ok(self.store.iff(p, q))
            }
            tag::ITE => {
                let (condition, a, b) = (self.formula()?, self.child()?, self.child()?);
                self.bytes.require(
                    self.store.sort(a) == self.store.sort(b),
                    "branches of different sorts",
                )?;
                Ok(self.store.ite(condition, a, b))
            }
            tag::SAME => self.same(),
            tag::FORALL => self.quantified(Quantifier::Forall),
            tag::EXISTS => self.quantified(Quantifier::Exists),
            tag::NUMBER | tag::SUM => self.sum(tag),
            tag::LE | tag::LT | tag::EQ => self.atom(tag),
            tag::DIV | tag::MOD => self.division(tag),
            tag::TO_INT => self.floor(),
            tag::SELECT | tag::STORE | tag::CONST_ARRAY => self.array(tag),
            tag::CONSTRUCT | tag::FIELD | tag::IS => self.data(tag),
            tag::BITS_VALUE | tag::BITS_OP | tag::OF_INT | tag::TO_NAT => self.bits(tag),
            _ => Err(self.bytes.error("unknown kind of node")),
        }
    }
    fn application(&mut self, tag: u8) -> Wire<Term> {
        let symbol = self.symbol()?;
        let params = self.store.params(symbol).to_vec();
        self.bytes.require(
            params.is_empty() == (tag == tag::SYMBOL),
            "a constant has no arguments, a function has some",
        )?;
        let mut args = Vec::with_capacity(params.len());
        for sort in params {
            let arg = self.child()?;
            self.bytes.require(self.store.sort(arg) == sort, "an argument has the wrong sort")?;
            args.push(arg);
        }
        if self.store.is_times(symbol) {
            return Ok(self.store.times(args[0], args[1]));
        }
        Ok(self.store.app(symbol, &args))
    }
    fn same(&mut self) -> Wire<Term> {
        let (a, b) = (self.child()?, self.child()?);
        let sort = self.store.sort(a);
        self.bytes.require(sort == self.store.sort(b), "what is compared has different sorts")?;
        let is_canonical = !sort.is_bool() && !sort.is_arithmetic() && a != b;
        self.bytes.require(is_canonical, "an equality that has another form")?;
        Ok(self.store.eq(a, b))
    }
    fn quantified(&mut self, quantifier: Quantifier) -> Wire<Term> {
        let body = self.formula()?;
        let variables =
            (0..self.bytes.length()?).map(|_| self.child()).collect::<Wire<Vec<Term>>>()?;
        self.bytes.require(!variables.is_empty(), "a quantifier without variables")?;
        let are_constants = variables.iter().all(|&v| self.store.symbol(v).is_some());
        self.bytes.require(are_constants, "what is bound is no constant")?;
        Ok(self.store.quantify(quantifier, body, &variables))
    }
    fn sum(&mut self, tag: u8) -> Wire<Term> {
        let sort = self.sort()?;
        self.bytes.require(sort.is_arithmetic(), "a number has an arithmetic sort")?;
        let constant = self.number()?;
        let mut integral = constant.is_integer();
        let mut monomials = Vec::new();
        for _ in 0..if tag == tag::SUM { self.bytes.length()? } else { 0 } {
            let (coefficient, term) = (self.number()?, self.quantity()?);
            self.bytes.require(self.store.is_plain(term), "a sum inside a sum")?;
            integral &= coefficient.is_integer() && self.store.sort(term).is_int();
            monomials.push((coefficient, term));
        }
        self.bytes.require(sort.is_real() || integral, "an integer has a fractional part")?;
        Ok(self.store.sum(&Linear::from_monomials(monomials, constant), sort))
    }
    fn atom(&mut self, tag: u8) -> Wire<Term> {
        let (form, bound) = (self.quantity()?, self.number()?);
        let mut linear = self.store.linear(form);
        linear.constant -= bound;
        Ok(match tag {
            tag::LE => self.store.le_zero(&linear),
            tag::LT => self.store.lt_zero(&linear),
            _ => self.store.eq_zero(&linear),
        })
    }
    fn division(&mut self, tag: u8) -> Wire<Term> {
        let (a, divisor) = (self.quantity()?, self.number()?);
        self.bytes.require(self.store.sort(a).is_int(), "a dividend is no integer")?;
        self.bytes.require(
            divisor.is_integer() && divisor > Rational::ONE,
            "a divisor is no integer above 1",
        )?;
        let linear = self.store.linear(a);
        let reduced = |n: &Rational| !n.is_negative() && *n < divisor;
        let canonical =
            reduced(&linear.constant) && linear.monomials().iter().all(|(c, _)| reduced(c));
        self.bytes.require(canonical && !linear.is_constant(), "a dividend is not reduced")?;
        Ok(if tag == tag::DIV {
            self.store.div(a, &divisor)
        } else {
            self.store.modulo(a, &divisor)
        })
    }
    fn floor(&mut self) -> Wire<Term> {
        let a = self.quantity()?;
        let linear = self.store.linear(a);
        let integral = |(c, t): &(Rational, Term)| c.is_integer() && self.store.sort(*t).is_int();
        let canonical =
            linear.constant.floor().is_zero() && !linear.monomials().iter().any(integral);
        self.bytes.require(canonical && !linear.is_constant(), "what is rounded is not reduced")?;
        Ok(self.store.to_int(a))
    }
}
