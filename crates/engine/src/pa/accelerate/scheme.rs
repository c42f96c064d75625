//! Trace schemes: paths with their repetitions folded into loops.
//!
//! A path visits relation symbols by clauses. Where it comes back to a symbol, the clauses since
//! then are a *cycle*; a cycle that follows `δ` copies of itself becomes a *loop* at the symbol,
//! with all its copies. So with `δ = 2` the path `σλλτ` stays as it is and `σλλλτ` becomes
//! `σ·λ*·τ`. A loop that is met again with another cycle has several. A scheme in which every loop
//! has one cycle is *bounded*.
//!
//! Invariants: the path is one of the traces of its scheme, with every loop repeating its cycles in
//! the order that is kept with it; a cycle visits no symbol twice and contains no loop.
//!
//! Source: [HIKKR12] §4 (folding, Fig. 3). Symbols: `δ` → `delay`, `L_i↻q_i` → [`Item::Loop`].

use shofar_chc::PredId;

/// A step of a path: a clause, and the premise through which the path comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) clause: usize,
    pub(super) premise: usize,
}

/// A piece of a scheme; see the module documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// Step number `at` of the path.
    Step(usize),
    /// Cycles at one symbol, each given by the numbers of its steps in the path.
    Loop {
        /// Different cycles.
        cycles: Vec<Vec<usize>>,
        /// The order in which the path takes them.
        order: Vec<Turn>,
    },
}

/// A cycle that a path takes some times in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Which of the cycles of its loop.
    pub(super) cycle: usize,
    /// How often.
    pub(super) times: usize,
}

/// The path from a fact to a query: step `i` leads to symbol `i`, and one more leads to `false`.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub(super) steps: Vec<Step>,
    pub(super) symbols: Vec<PredId>,
}

impl Path {
    /// The scheme of the path.
    pub(super) fn fold(&self, delay: usize) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        for at in 0..self.steps.len() {
            items.push(Item::Step(at));
            if at < self.symbols.len() {
                self.close(&mut items, at, delay);
            }
        }
        items
    }
    /// Folds the cycle that ends with step `last`, if there is one.
    fn close(&self, items: &mut Vec<Item>, last: usize, delay: usize) {
        let Some(begin) = self.cycle(items, last) else { return };
        let cycle = steps(&items[begin..]);
        let word = self.word(&cycle);
        let (mut copies, mut first) = (0, begin);
        while let Some(before) = first.checked_sub(cycle.len())
            && self.word(&steps(&items[before..first])) == word
            && items[before..first].iter().all(is_step)
        {
            (copies, first) = (copies + 1, before);
        }
        let has_loop = first > 0 && !is_step(&items[first - 1]);
        if has_loop && let Item::Loop { cycles, order } = &mut items[first - 1] {
            let known = cycles.iter().position(|known| self.word(known) == word);
            if known.is_none() && copies < delay {
                return;
            }
            let number = known.unwrap_or_else(|| {
                cycles.push(cycle);
                cycles.len() - 1
            });
            match order.last_mut() {
                Some(last) if last.cycle == number => last.times += copies + 1,
                Some(_) | None => order.push(Turn { cycle: number, times: copies + 1 }),
            }
            items.truncate(first);
        } else if copies >= delay {
            items.truncate(first);
            let order = vec![Turn { cycle: 0, times: copies + 1 }];
            items.push(Item::Loop { cycles: vec![cycle], order });
        }
    }
    /// Where the elementary cycle begins that ends with step `last`.
    fn cycle(&self, items: &[Item], last: usize) -> Option<usize> {
        let mut seen: Vec<PredId> = Vec::new();
        for begin in (0..items.len()).rev() {
            let Item::Step(at) = &items[begin] else { return None };
            // The symbol from which this step starts.
            let from = self.symbols[at.checked_sub(1)?];
            if from == self.symbols[last] {
                return Some(begin);
            }
            if seen.contains(&from) {
                return None;
            }
            seen.push(from);
        }
        None
    }
    /// The clauses of these steps.
    pub(super) fn word(&self, steps: &[usize]) -> Vec<Step> {
        steps.iter().map(|&at| self.steps[at]).collect()
    }
}

fn is_step(item: &Item) -> bool {
    matches!(item, Item::Step(_))
}

/// The numbers of the steps in front of the first loop.
fn steps(items: &[Item]) -> Vec<usize> {
    items
        .iter()
        .map_while(|item| if let Item::Step(at) = item { Some(*at) } else { None })
        .collect()
}

/// Whether every loop has one cycle.
pub(super) fn is_bounded(scheme: &[Item]) -> bool {
    scheme.iter().all(|item| match item {
        Item::Step(_) => true,
        Item::Loop { cycles, .. } => cycles.len() == 1,
    })
}

#[cfg(test)]
mod tests {
    use shofar_base::Idx;

    use super::*;

    /// A path from its symbols, where a step is named by a letter; the last letter leads to
    /// `false`.
    fn path(symbols: &[usize], letters: &str) -> Path {
        let steps = letters.bytes().map(|b| Step { clause: usize::from(b), premise: 0 }).collect();
        Path { steps, symbols: symbols.iter().map(|&s| PredId::from_index(s)).collect() }
    }

    /// A scheme as text: loops in parentheses, their cycles separated by bars, behind them which is
    /// taken how often.
    fn show(path: &Path, delay: usize) -> String {
        let letter = |at: usize| char::from(u8::try_from(path.steps[at].clause).unwrap());
        let mut text = String::new();
        for item in path.fold(delay) {
            match item {
                Item::Step(at) => text.push(letter(at)),
                Item::Loop { cycles, order } => {
                    let words: Vec<String> =
                        cycles.iter().map(|c| c.iter().map(|&at| letter(at)).collect()).collect();
                    text.extend(["(", &words.join("|"), ")"]);
                    let turns = order.iter().map(|turn| format!("{}^{}", turn.cycle, turn.times));
                    text += &turns.collect::<Vec<String>>().join(",");
                }
            }
        }
        text
    }

    #[test]
    fn a_loop_within_a_cycle_is_left_alone() {
        // q1 –P→ q2 –Q→ q2 –R→ q1 –P→ q2 –R→ q1, from a fact and to a query.
        let path = path(&[1, 2, 2, 1, 2, 1], "fPQRPRe");
        assert_eq!(show(&path, 0), "fP(Q|RP)0^1,1^1Re");
        assert!(!is_bounded(&path.fold(0)));
        assert_eq!(show(&path, usize::MAX), "fPQRPRe");
    }

    #[test]
    fn the_delay_says_how_many_copies_come_first() {
        let (two, three) = (path(&[1, 1, 1], "fLLe"), path(&[1, 1, 1, 1], "fLLLe"));
        assert_eq!(show(&two, 2), "fLLe");
        assert_eq!(show(&three, 2), "f(L)0^3e");
        assert_eq!(show(&two, 1), "f(L)0^2e");
        let long = path(&[1, 2, 1, 2, 1, 2, 1], "fABABABe");
        assert_eq!(show(&long, 1), "f(AB)0^3e");
        let turns = path(&[1, 1, 1, 1, 1, 1, 1], "fLLMMLLe");
        assert_eq!(show(&turns, 1), "f(L|M)0^2,1^2,0^2e");
        assert!(is_bounded(&long.fold(1)) && !is_bounded(&turns.fold(1)));
    }
}
