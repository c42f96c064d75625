//! Lemmas as bytes: what about, over which parameters, up to which bound, and who proved it.

use shofar_base::wire::{Reader, Wire, Writer};
use shofar_base::{Idx, Set};
use shofar_term::symbols::free_symbols;
use shofar_term::{Bound, Excluded, Lemma, Level, Subject, Symbol, Term, TermStore};

use super::{Roots, is_quantifier_free, read_terms, write_terms};

const MAGIC: &[u8] = b"shofar lemma 1\n";

/// A lemma as bytes.
pub fn export_lemma(store: &mut TermStore, lemma: &Lemma) -> Vec<u8> {
    let params: Vec<Term> = lemma.params.iter().map(|&param| store.constant(param)).collect();
    let subject = match lemma.subject {
        Subject::Predicate(symbol) => Some(store.app(symbol, &params)),
        Subject::State => None,
    };
    let mut roots: Vec<Term> = subject.into_iter().chain(params).collect();
    roots.push(lemma.formula);
    roots.extend(lemma.excludes.map(|excluded| excluded.points));
    let mut out = Writer::new(MAGIC);
    write_terms(&mut out, store, &roots);
    out.byte(subject.is_some().into());
    out.length(lemma.params.len());
    write_level(
        &mut out,
        match lemma.bound {
            Bound::Within(level) => Some(level),
            Bound::Always => None,
        },
    );
    write_level(&mut out, lemma.excludes.map(|excluded| excluded.distance));
    out.text(&lemma.prover);
    out.finish()
}

/// The lemma in `bytes`, with terms of `store`. Nobody has to believe it.
pub fn import_lemma(store: &mut TermStore, bytes: &[u8]) -> Wire<Lemma> {
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
    let bound = read_level(bytes)?.map_or(Bound::Always, Bound::Within);
    let excludes = match read_level(bytes)? {
        Some(distance) => Some(Excluded { points: roots.formula(bytes, store)?, distance }),
        None => None,
    };
    roots.end(bytes)?;
    let formulas: Vec<Term> =
        excludes.iter().map(|excluded| excluded.points).chain([formula]).collect();
    bytes.require(is_quantifier_free(store, &formulas), "a lemma with a quantifier")?;
    let is_local = free_symbols(store, &formulas).iter().all(|symbol| params.contains(symbol));
    bytes.require(is_local, "a lemma about something else than its parameters")?;
    let prover = bytes.text()?.to_owned().into();
    bytes.end()?;
    let subject = subject.map_or(Subject::State, Subject::Predicate);
    Ok(Lemma { subject, params, formula, bound, prover, excludes })
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

    /// 0 ≤ x ≤ y, about a predicate or about states.
    fn lemmas(store: &mut TermStore) -> Vec<Lemma> {
        let predicate = store.declare("p", &[Sort::INT, Sort::INT], Sort::BOOL);
        let params: Vec<Symbol> =
            ["x", "y"].iter().map(|name| store.declare(name, &[], Sort::INT)).collect();
        let (x, y, zero) = (store.constant(params[0]), store.constant(params[1]), store.int(0));
        let (low, high) = (store.le(zero, x), store.le(x, y));
        let formula = store.and(&[low, high]);
        let lemma = Lemma {
            subject: Subject::Predicate(predicate),
            params,
            formula,
            bound: Bound::Always,
            prover: "spacer".into(),
            excludes: None,
        };
        let excludes = Some(Excluded { points: store.not(formula), distance: Level::new(300) });
        let bound = Bound::Within(Level::new(7));
        let other = Lemma { subject: Subject::State, bound, excludes, ..lemma.clone() };
        vec![lemma, other]
    }

    #[test]
    fn lemmas_come_back_through_another_store() {
        let (mut own, mut other) = (TermStore::new(), TermStore::new());
        other.var("y", Sort::INT);
        for lemma in lemmas(&mut own) {
            let there = import_lemma(&mut other, &export_lemma(&mut own, &lemma)).unwrap();
            let back = import_lemma(&mut own, &export_lemma(&mut other, &there)).unwrap();
            assert_eq!(back, lemma);
        }
    }

    #[test]
    fn hostile_bytes_are_refused_or_lemmas() {
        let (mut own, mut rng, mut refused) = (TermStore::new(), Rng::new(3), 0);
        for lemma in lemmas(&mut own) {
            let bytes = export_lemma(&mut own, &lemma);
            for end in 0..bytes.len() {
                assert!(import_lemma(&mut TermStore::new(), &bytes[..end]).is_err());
            }
            for _ in 0..5000 {
                let mut damaged = bytes.clone();
                for _ in 0..=rng.below(3) {
                    let at = rng.below(damaged.len());
                    damaged[at] = rng.below(256).try_into().unwrap();
                }
                let mut store = TermStore::new();
                match import_lemma(&mut store, &damaged) {
                    Ok(lemma) => {
                        let again = export_lemma(&mut store, &lemma);
                        assert_eq!(import_lemma(&mut store, &again), Ok(lemma));
                    }
                    Err(_) => refused += 1,
                }
            }
        }
        assert!(refused > 5000, "{refused}");
    }
}
