//! Makes a failing script small: first by leaving out commands, then by simplifying terms.
//!
//! Commands go by delta debugging [ZH02]: remove ever smaller runs while the script still fails.
//! Terms go by trying, for each subterm from the outermost inwards, simple replacements: a
//! constant, one of its own arguments, or itself with one argument less. Sorts that the script
//! declares have no literals; there, its first constants are the simple terms. What still fails is
//! kept. The caller decides what "fails" means and how many tries it can afford.

use crate::sexp::Sexp;

/// A small script on which `fails` still holds, found with at most `tries` calls of it.
pub fn shrink(
    script: Vec<Sexp>,
    tries: usize,
    fails: &mut dyn FnMut(&[Sexp]) -> bool,
) -> Vec<Sexp> {
    let mut shrinker = Shrinker { script, tries, fails };
    loop {
        let before: usize = shrinker.size();
        shrinker.drop_commands();
        shrinker.simplify_terms();
        if shrinker.size() == before || shrinker.tries == 0 {
            return shrinker.script;
        }
    }
}

struct Shrinker<'f> {
    script: Vec<Sexp>,
    tries: usize,
    fails: &'f mut dyn FnMut(&[Sexp]) -> bool,
}

impl Shrinker<'_> {
    fn size(&self) -> usize {
        self.script.iter().map(Sexp::size).sum()
    }

    /// Takes `candidate` if it still fails.
    fn attempt(&mut self, candidate: Vec<Sexp>) -> bool {
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        let failed = (self.fails)(&candidate);
        if failed {
            self.script = candidate;
        }
        failed
    }

    fn drop_commands(&mut self) {
        let mut run = self.script.len() / 2;
        while run > 0 {
            let mut at = 0;
            while at < self.script.len() {
                let mut candidate = self.script.clone();
                candidate.drain(at..(at + run).min(candidate.len()));
                if !self.attempt(candidate) {
                    at += run;
                }
            }
            run /= 2;
        }
    }

    fn simplify_terms(&mut self) {
        for command in 0..self.script.len() {
            if self.script[command].head() != Some("assert")
                && self.script[command].head() != Some("define-fun")
            {
                continue;
            }
            // Paths are visited outermost first; a replacement makes the paths below it different,
            // so start over.
            let constants = free_constants(&self.script);
            let mut path_index = 0;
            loop {
                let paths = paths(&self.script[command]);
                let Some(path) = paths.get(path_index) else { break };
                let term = at(&self.script[command], path);
                let improved = replacements(term, &constants).into_iter().any(|replacement| {
                    let mut candidate = self.script.clone();
                    *at_mut(&mut candidate[command], path) = replacement;
                    self.attempt(candidate)
                });
                if !improved {
                    path_index += 1;
                }
            }
        }
    }
}

/// Positions of all subterms of the last argument of a command, outermost first.
fn paths(command: &Sexp) -> Vec<Vec<usize>> {
    let last = command.arguments().len();
    let mut all = vec![vec![last]];
    let mut next = 0;
    while next < all.len() {
        let path = all[next].clone();
        next += 1;
        if let Sexp::List(items) = at(command, &path) {
            for (i, _) in items.iter().enumerate().skip(1) {
                let mut inner = path.clone();
                inner.push(i);
                all.push(inner);
            }
        }
    }
    all
}

fn at<'a>(term: &'a Sexp, path: &[usize]) -> &'a Sexp {
    path.iter().fold(term, |term, &i| &term.list().expect("a path leads through lists")[i])
}

fn at_mut<'a>(term: &'a mut Sexp, path: &[usize]) -> &'a mut Sexp {
    path.iter().fold(term, |term, &i| match term {
        Sexp::List(items) => &mut items[i],
        Sexp::Atom(_) => panic!("a path leads through lists"),
    })
}

/// The first constant of each sort that the script declares.
fn free_constants(script: &[Sexp]) -> Vec<Sexp> {
    let mut constants: Vec<(Sexp, Sexp)> = Vec::new();
    for command in script {
        let (name, sort) = match (command.head(), command.arguments()) {
            (Some("declare-const"), [name, sort]) => (name, sort),
            (Some("declare-fun"), [name, Sexp::List(parameters), sort])
                if parameters.is_empty() =>
            {
                (name, sort)
            }
            _ => continue,
        };
        let has_literals = matches!(sort.atom(), Some("Bool" | "Int" | "Real"));
        if !has_literals && constants.iter().all(|(_, known)| known != sort) {
            constants.push((name.clone(), sort.clone()));
        }
    }
    constants.into_iter().map(|(name, _)| name).collect()
}

/// Simpler things to put in the place of `term`; ill-sorted ones are refused by the solvers and so
/// never kept.
fn replacements(term: &Sexp, constants: &[Sexp]) -> Vec<Sexp> {
    // An earlier constant is simpler than a later one, else two of them would take turns for ever.
    if constants.contains(term) {
        return Vec::new();
    }
    let mut all = literals_and_parts(term);
    all.extend_from_slice(constants);
    all
}

/// Literals, arguments of the term, and the term with one argument less.
fn literals_and_parts(term: &Sexp) -> Vec<Sexp> {
    let atom = |text: &str| Sexp::Atom(text.to_owned());
    match term {
        Sexp::Atom(text) => {
            let simple = matches!(text.as_str(), "true" | "false" | "0" | "1" | "0.0" | "1.0");
            let number = text.starts_with(|c: char| c.is_ascii_digit());
            match (simple, number) {
                (true, _) => Vec::new(),
                (false, true) => vec![atom("0"), atom("1")],
                (false, false) => vec![atom("true"), atom("false"), atom("0")],
            }
        }
        // Names must stay, for the commands that mention them.
        Sexp::List(_) if term.head() == Some("!") => Vec::new(),
        Sexp::List(items) => {
            let mut all = vec![atom("true"), atom("false"), atom("0"), atom("1")];
            all.extend(items.iter().skip(1).cloned());
            if items.len() > 3 {
                for dropped in 1..items.len() {
                    let mut fewer = items.clone();
                    fewer.remove(dropped);
                    all.push(Sexp::List(fewer));
                }
            }
            all
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexp::parse_all;

    #[test]
    fn keeps_only_what_matters() {
        let text = "(declare-const x Int)(declare-const y Int)(assert (or (< x 5) (and (> y 7) (= (mod x 3) 1))))
            (assert (< y 2))(check-sat)";
        let script = parse_all(text).unwrap();
        let mut fails =
            |candidate: &[Sexp]| candidate.iter().any(|c| c.to_string().contains("(mod x"));
        let small = shrink(script, 1000, &mut fails);
        assert_eq!(small.len(), 1);
        assert_eq!(small[0].to_string(), "(assert (mod x 0))");
    }

    #[test]
    fn applications_shrink_to_constants() {
        let text =
            "(declare-sort S 0)(declare-const a S)(declare-fun b () S)(declare-fun f (S S) S)
            (assert (= (f (f b a) (f a (f b b))) b))(assert (= a b))(check-sat)";
        // Only what z3 would read may fail: the arguments of `f` are terms of sort S.
        let well_sorted =
            |text: &str| ["true", "false", "0", "1"].iter().all(|w| !text.contains(w));
        let mut fails = |candidate: &[Sexp]| {
            let all: Vec<String> = candidate.iter().map(Sexp::to_string).collect();
            let all = all.join(" ");
            let asserted = all.split("(assert").nth(1).unwrap_or_default();
            all.contains("declare-const a S") && asserted.contains("(f ") && well_sorted(asserted)
        };
        let small = shrink(parse_all(text).unwrap(), 1000, &mut fails);
        let asserted = small.iter().find(|c| c.head() == Some("assert")).unwrap();
        assert_eq!(asserted.to_string(), "(assert (f a a))");
    }
}
