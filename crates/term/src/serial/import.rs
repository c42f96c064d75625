//! Reading terms from bytes that may be anything.
//!
//! Invariant: a node is passed to a constructor of the store only after everything the constructor takes for granted has
//! been checked, so no input can make it panic.

use shofar_base::Idx;
use shofar_num::Rational;

use super::{ImportError, MAGIC, tag};
use crate::sort::{BUILT_IN, is_built_in_name};
use crate::{Linear, Quantifier, Sort, Symbol, Term, TermStore};

/// The roots of an export, as terms of `store`; in the exporting store, the very same terms.
pub fn import(store: &mut TermStore, bytes: &[u8]) -> Result<Vec<Term>, ImportError> {
    let (sorts, symbols, nodes) = (Vec::new(), Vec::new(), Vec::new());
    let mut reader = Reader { store, bytes, at: 0, sorts, symbols, nodes };
    reader.magic()?;
    for _ in 0..reader.count()? {
        let sort = reader.declared_sort()?;
        reader.sorts.push(sort);
    }
    for _ in 0..reader.count()? {
        let symbol = reader.declaration()?;
        reader.symbols.push(symbol);
    }
    for _ in 0..reader.count()? {
        let node = reader.node()?;
        reader.nodes.push(node);
    }
    let mut roots = Vec::new();
    for _ in 0..reader.count()? {
        let at = reader.varint()?;
        let root = usize::try_from(at).ok().and_then(|at| reader.nodes.get(at).copied());
        roots.push(root.ok_or_else(|| reader.error("no such node"))?);
    }
    reader.require(reader.at == bytes.len(), "bytes after the end")?;
    Ok(roots)
}

type Read<T> = Result<T, ImportError>;

struct Reader<'a> {
    store: &'a mut TermStore,
    bytes: &'a [u8],
    at: usize,
    sorts: Vec<Sort>,
    symbols: Vec<Symbol>,
    nodes: Vec<Term>,
}

impl Reader<'_> {
    fn error(&self, reason: &'static str) -> ImportError {
        ImportError { offset: self.at, reason }
    }
    fn require(&self, condition: bool, reason: &'static str) -> Read<()> {
        if condition { Ok(()) } else { Err(self.error(reason)) }
    }
    fn magic(&mut self) -> Read<()> {
        self.require(self.bytes.starts_with(MAGIC), "not an export of terms")?;
        self.at = MAGIC.len();
        Ok(())
    }
    fn byte(&mut self) -> Read<u8> {
        let byte = *self.bytes.get(self.at).ok_or_else(|| self.error("unexpected end"))?;
        self.at += 1;
        Ok(byte)
    }
    fn varint(&mut self) -> Read<u64> {
        let mut value = 0u64;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let digit = u64::from(byte & 0x7f);
            self.require(digit << shift >> shift == digit, "a number is too large")?;
            value |= digit << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(self.error("a number is too large"))
    }
    /// How many things of at least one byte follow.
    fn count(&mut self) -> Read<usize> {
        let count = self.varint()?;
        let left = self.bytes.len() - self.at;
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= left)
            .ok_or_else(|| self.error("a length exceeds the input"))
    }
    fn text(&mut self) -> Read<&str> {
        let length = self.count()?;
        let text = std::str::from_utf8(&self.bytes[self.at..self.at + length])
            .map_err(|_| self.error("not UTF-8"))?;
        self.at += length;
        Ok(text)
    }
    fn sort(&mut self) -> Read<Sort> {
        let at = usize::try_from(self.varint()?).map_err(|_| self.error("unknown sort"))?;
        if at < BUILT_IN.len() {
            return Ok(Sort::from_index(at));
        }
        self.sorts.get(at - BUILT_IN.len()).copied().ok_or_else(|| self.error("unknown sort"))
    }
    fn declared_sort(&mut self) -> Read<Sort> {
        let name = self.text()?.to_owned();
        self.require(!is_built_in_name(&name), "a declared sort has the name of a built-in one")?;
        Ok(self.store.declare_sort(&name))
    }
    fn number(&mut self) -> Read<Rational> {
        match self.byte()? {
            0 => {
                let code = self.varint()?;
                Ok(Rational::from((code >> 1).cast_signed() ^ -((code & 1).cast_signed())))
            }
            1 => {
                let parsed = self.text()?.parse();
                parsed.map_err(|_| self.error("not a number"))
            }
            _ => Err(self.error("unknown form of a number")),
        }
    }
    fn declaration(&mut self) -> Read<Symbol> {
        let name = self.text()?.to_owned();
        let mut params = Vec::new();
        for _ in 0..self.count()? {
            params.push(self.sort()?);
        }
        let result = self.sort()?;
        Ok(self.store.declare(&name, &params, result))
    }
    fn symbol(&mut self) -> Read<Symbol> {
        let at = self.varint()?;
        let symbol = usize::try_from(at).ok().and_then(|at| self.symbols.get(at).copied());
        symbol.ok_or_else(|| self.error("no such symbol"))
    }
    fn child(&mut self) -> Read<Term> {
        let back = self.varint()?;
        let at = usize::try_from(back).ok().and_then(|back| self.nodes.len().checked_sub(back));
        at.and_then(|at| self.nodes.get(at).copied()).ok_or_else(|| self.error("no such node"))
    }
    fn formula(&mut self) -> Read<Term> {
        let child = self.child()?;
        self.require(self.store.sort(child).is_bool(), "a formula is expected")?;
        Ok(child)
    }
    fn quantity(&mut self) -> Read<Term> {
        let child = self.child()?;
        self.require(self.store.sort(child).is_arithmetic(), "an arithmetic term is expected")?;
        Ok(child)
    }

    fn node(&mut self) -> Read<Term> {
        let tag = self.byte()?;
        match tag {
            tag::TRUE => Ok(self.store.top()),
            tag::FALSE => Ok(self.store.bottom()),
            tag::SYMBOL | tag::APP => self.application(tag),
            tag::NOT => {
                let p = self.formula()?;
                Ok(self.store.not(p))
            }
            tag::AND | tag::OR => {
                let parts =
                    (0..self.count()?).map(|_| self.formula()).collect::<Read<Vec<Term>>>()?;
                Ok(if tag == tag::AND { self.store.and(&parts) } else { self.store.or(&parts) })
            }
            tag::IFF => {
                let (p, q) = (self.formula()?, self.formula()?);
                Ok(self.store.iff(p, q))
            }
            tag::ITE => {
                let (condition, a, b) = (self.formula()?, self.child()?, self.child()?);
                self.require(
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
            _ => Err(self.error("unknown kind of node")),
        }
    }
    fn application(&mut self, tag: u8) -> Read<Term> {
        let symbol = self.symbol()?;
        let params = self.store.params(symbol).to_vec();
        self.require(
            params.is_empty() == (tag == tag::SYMBOL),
            "a constant has no arguments, a function has some",
        )?;
        let mut args = Vec::with_capacity(params.len());
        for sort in params {
            let arg = self.child()?;
            self.require(self.store.sort(arg) == sort, "an argument has the wrong sort")?;
            args.push(arg);
        }
        Ok(self.store.app(symbol, &args))
    }
    fn same(&mut self) -> Read<Term> {
        let (a, b) = (self.child()?, self.child()?);
        let sort = self.store.sort(a);
        self.require(sort == self.store.sort(b), "what is compared has different sorts")?;
        let is_canonical = !sort.is_bool() && !sort.is_arithmetic() && a != b;
        self.require(is_canonical, "an equality that has another form")?;
        Ok(self.store.eq(a, b))
    }
    fn quantified(&mut self, quantifier: Quantifier) -> Read<Term> {
        let body = self.formula()?;
        let variables = (0..self.count()?).map(|_| self.child()).collect::<Read<Vec<Term>>>()?;
        self.require(!variables.is_empty(), "a quantifier without variables")?;
        let are_constants = variables.iter().all(|&v| self.store.symbol(v).is_some());
        self.require(are_constants, "what is bound is no constant")?;
        Ok(self.store.quantify(quantifier, body, &variables))
    }
    fn sum(&mut self, tag: u8) -> Read<Term> {
        let sort = self.sort()?;
        self.require(sort.is_arithmetic(), "a number has an arithmetic sort")?;
        let constant = self.number()?;
        let mut integral = constant.is_integer();
        let mut monomials = Vec::new();
        for _ in 0..if tag == tag::SUM { self.count()? } else { 0 } {
            let (coefficient, term) = (self.number()?, self.quantity()?);
            self.require(self.store.is_plain(term), "a sum inside a sum")?;
            integral &= coefficient.is_integer() && self.store.sort(term).is_int();
            monomials.push((coefficient, term));
        }
        self.require(sort.is_real() || integral, "an integer has a fractional part")?;
        Ok(self.store.sum(&Linear::from_monomials(monomials, constant), sort))
    }
    fn atom(&mut self, tag: u8) -> Read<Term> {
        let (form, bound) = (self.quantity()?, self.number()?);
        let mut linear = self.store.linear(form);
        linear.constant -= bound;
        Ok(match tag {
            tag::LE => self.store.le_zero(&linear),
            tag::LT => self.store.lt_zero(&linear),
            _ => self.store.eq_zero(&linear),
        })
    }
    fn division(&mut self, tag: u8) -> Read<Term> {
        let (a, divisor) = (self.quantity()?, self.number()?);
        self.require(self.store.sort(a).is_int(), "a dividend is no integer")?;
        self.require(
            divisor.is_integer() && divisor > Rational::ONE,
            "a divisor is no integer above 1",
        )?;
        let linear = self.store.linear(a);
        let reduced = |n: &Rational| !n.is_negative() && *n < divisor;
        let canonical =
            reduced(&linear.constant) && linear.monomials().iter().all(|(c, _)| reduced(c));
        self.require(canonical && !linear.is_constant(), "a dividend is not reduced")?;
        Ok(if tag == tag::DIV {
            self.store.div(a, &divisor)
        } else {
            self.store.modulo(a, &divisor)
        })
    }
    fn floor(&mut self) -> Read<Term> {
        let a = self.quantity()?;
        let linear = self.store.linear(a);
        let integral = |(c, t): &(Rational, Term)| c.is_integer() && self.store.sort(*t).is_int();
        let canonical =
            linear.constant.floor().is_zero() && !linear.monomials().iter().any(integral);
        self.require(canonical && !linear.is_constant(), "what is rounded is not reduced")?;
        Ok(self.store.to_int(a))
    }
}
