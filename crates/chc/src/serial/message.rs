//! Messages as bytes: what about, over which parameters, what is said, and who says so.

use shofar_base::wire::{Reader, Wire, Writer};
use shofar_base::{Idx, Set};
use shofar_term::symbols::free_symbols;
use shofar_term::{Bound, Excluded, Level, Message, Says, Subject, Symbol, Term, TermStore};

use super::{Roots, is_quantifier_free, read_terms, write_terms};

const MAGIC: &[u8] = b"shofar message 1\n";

/// The kinds of messages.
mod kind {
    pub(super) const HOLDS: u8 = 0;
    pub(super) const REACHED: u8 = 1;
    pub(super) const HINT: u8 = 2;
}

/// A message as bytes.
pub fn export_message(store: &mut TermStore, message: &Message) -> Vec<u8> {
    let params = message.args(store);
    let subject = match message.subject {
        Subject::Predicate(symbol) => Some(store.app(symbol, &params)),
        Subject::State => None,
    };
    let mut roots: Vec<Term> = subject.into_iter().chain(params).collect();
    roots.push(message.formula);
    roots.extend(message.says.excludes().map(|excluded| excluded.points));
    let mut out = Writer::new(MAGIC);
    write_terms(&mut out, store, &roots);
    out.byte(subject.is_some().into());
    out.length(message.params.len());
    match message.says {
        Says::Holds { bound, excludes } => {
            out.byte(kind::HOLDS);
            let last = match bound {
                Bound::Within(level) => Some(level),
                Bound::Always => None,
            };
            write_level(&mut out, last);
            write_level(&mut out, excludes.map(|excluded| excluded.distance));
        }
        Says::Reached => out.byte(kind::REACHED),
        Says::Hint => out.byte(kind::HINT),
    }
    out.text(&message.sender);
    out.finish()
}

/// The message in `bytes`, with terms of `store`. Nobody has to believe it.
pub fn import_message(store: &mut TermStore, bytes: &[u8]) -> Wire<Message> {
    let bytes = &mut Reader::new(bytes, MAGIC)?;
    let mut roots = read_terms(bytes, store)?;
    let subject = match bytes.byte()? {
        0 => None,
        1 => Some(roots.predicate(bytes, store)?),
        _ => return Err(bytes.error("an unknown subject")),
    };
    let params = read_params(bytes, store, &mut roots)?;
    if let Some(predicate) = subject {
        let sorts = params.iter().map(|&param| store.result(param));
        bytes.require(sorts.eq(store.params(predicate).iter().copied()), "other parameters")?;
    }
    let formula = roots.formula(bytes, store)?;
    let says = match bytes.byte()? {
        kind::HOLDS => {
            let bound = read_level(bytes)?.map_or(Bound::Always, Bound::Within);
            let excludes = match read_level(bytes)? {
                Some(distance) => Some(Excluded { points: roots.formula(bytes, store)?, distance }),
                None => None,
            };
            Says::Holds { bound, excludes }
        }
        kind::REACHED => Says::Reached,
        kind::HINT => Says::Hint,
        _ => return Err(bytes.error("a message of an unknown kind")),
    };
    roots.end(bytes)?;
    let formulas: Vec<Term> =
        says.excludes().iter().map(|excluded| excluded.points).chain([formula]).collect();
    bytes.require(is_quantifier_free(store, &formulas), "a message with a quantifier")?;
    let is_local = free_symbols(store, &formulas).iter().all(|symbol| params.contains(symbol));
    bytes.require(is_local, "a message about something else than its parameters")?;
    let sender = bytes.text()?.to_owned().into();
    bytes.end()?;
    let subject = subject.map_or(Subject::State, Subject::Predicate);
    Ok(Message { subject, params, formula, says, sender })
}

fn read_params(bytes: &mut Reader<'_>, store: &TermStore, roots: &mut Roots) -> Wire<Vec<Symbol>> {
    let count = bytes.index(roots.len() + 1, "there are too few terms")?;
    let (mut params, mut seen) = (Vec::new(), Set::default());
    for _ in 0..count {
        let param = roots.constant(bytes, store)?;
        bytes.require(seen.insert(param), "a parameter occurs twice")?;
        params.push(param);
    }
    Ok(params)
}

/// 0 for none, else the level plus 1.
fn write_level(out: &mut Writer, level: Option<Level>) {
    out.length(level.map_or(0, |level| level.index() + 1));
}

fn read_level(bytes: &mut Reader<'_>) -> Wire<Option<Level>> {
    let level = u32::try_from(bytes.number()?).map_err(|_| bytes.error("a level is too high"))?;
    Ok(level.checked_sub(1).map(Level::new))
}

#[cfg(test)]
mod tests {
    use shofar_base::Rng;
    use shofar_term::Sort;

    use super::*;

    /// 0 ≤ x ≤ y, about a predicate or about states, said in all ways.
    fn messages(store: &mut TermStore) -> Vec<Message> {
        let predicate = store.declare("p", &[Sort::INT, Sort::INT], Sort::BOOL);
        let params: Vec<Symbol> =
            ["x", "y"].iter().map(|name| store.declare(name, &[], Sort::INT)).collect();
        let (x, y, zero) = (store.constant(params[0]), store.constant(params[1]), store.int(0));
        let (low, high) = (store.le(zero, x), store.le(x, y));
        let formula = store.and(&[low, high]);
        let lemma = Message {
            subject: Subject::Predicate(predicate),
            params,
            formula,
            says: Says::holds(Bound::Always),
            sender: "spacer".into(),
        };
        let excludes = Some(Excluded { points: store.not(formula), distance: Level::new(300) });
        let says = Says::Holds { bound: Bound::Within(Level::new(7)), excludes };
        let other = Message { subject: Subject::State, says, ..lemma.clone() };
        let [reached, hint] =
            [Says::Reached, Says::Hint].map(|says| Message { says, ..lemma.clone() });
        vec![lemma, other, reached, hint]
    }

    #[test]
    fn messages_come_back_through_another_store() {
        let (mut own, mut other) = (TermStore::new(), TermStore::new());
        other.var("y", Sort::INT);
        for message in messages(&mut own) {
            let there = import_message(&mut other, &export_message(&mut own, &message)).unwrap();
            let back = import_message(&mut own, &export_message(&mut other, &there)).unwrap();
            assert_eq!(back, message);
        }
    }

    #[test]
    fn hostile_bytes_are_refused_or_messages() {
        let (mut own, mut rng, mut refused) = (TermStore::new(), Rng::new(3), 0);
        for message in messages(&mut own) {
            let bytes = export_message(&mut own, &message);
            for end in 0..bytes.len() {
                assert!(import_message(&mut TermStore::new(), &bytes[..end]).is_err());
            }
            for _ in 0..5000 {
                let mut damaged = bytes.clone();
                for _ in 0..=rng.below(3) {
                    let at = rng.below(damaged.len());
                    damaged[at] = rng.below(256).try_into().unwrap();
                }
                let mut store = TermStore::new();
                match import_message(&mut store, &damaged) {
                    Ok(message) => {
                        let again = export_message(&mut store, &message);
                        assert_eq!(import_message(&mut store, &again), Ok(message));
                    }
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(refused > 5000, "{refused}");
    }
}
