//! Which variable to decide next, and its sign.
//!
//! Variables wait in a binary heap, the most active first. A variable that takes part in a conflict
//! is bumped; instead of decaying all activities, the bump grows (EVSIDS), and everything is scaled
//! down when it gets too large. Assigned variables are dropped from the heap lazily and come back
//! on backtracking. The sign is the one the variable had last.
//!
//! Invariant: every unassigned eligible variable is in the heap; `place[v]` is its index there.
//! Ties go to the variable that was higher up before, which is a function of the run so far: equal
//! runs decide equally.
//!
//! Source: [ES03] §4 (variable order), [BF15] (EVSIDS and its kin compared), [PD07] (phase saving).

use shofar_base::{IndexVec, Rng, Var};

const RESCALE_ABOVE: f64 = 1e100;
const DECAY: f64 = 0.95;

/// Activities, the heap over them, and saved phases.
#[derive(Debug)]
pub(crate) struct Order {
    activity: IndexVec<Var, f64>,
    phase: IndexVec<Var, bool>,
    place: IndexVec<Var, Option<u32>>,
    /// Whether the search may decide the variable; the others get values by propagation only.
    eligible: IndexVec<Var, bool>,
    heap: Vec<Var>,
    bump: f64,
    noise: Option<Rng>,
}

impl Order {
    /// An empty order; a seed other than 0 perturbs the initial activities.
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            activity: IndexVec::new(),
            phase: IndexVec::new(),
            place: IndexVec::new(),
            eligible: IndexVec::new(),
            heap: Vec::new(),
            bump: 1.0,
            noise: (seed != 0).then(|| Rng::new(seed)),
        }
    }
    /// One more variable, with the phase `false`.
    pub(crate) fn add_var(&mut self) {
        let initial = match &mut self.noise {
            Some(rng) => {
                f64::from(u16::try_from(rng.below(1000)).expect("below 1000")) * 1e-6 * self.bump
            }
            None => 0.0,
        };
        let var = self.activity.push(initial);
        self.phase.push(false);
        self.place.push(None);
        self.eligible.push(true);
        self.insert(var);
    }
    /// The phase the variable had last.
    #[inline]
    pub(crate) fn phase(&self, var: Var) -> bool {
        self.phase[var]
    }
    /// Remembers the phase of a variable that loses its value, and lets it wait for a decision
    /// again.
    #[inline]
    pub(crate) fn release(&mut self, var: Var, phase: bool) {
        self.phase[var] = phase;
        self.insert(var);
    }
    /// How active the variable was lately.
    pub(crate) fn activity(&self, var: Var) -> f64 {
        self.activity[var]
    }
    /// Makes the variable more active.
    pub(crate) fn bump(&mut self, var: Var) {
        self.activity[var] += self.bump;
        if self.activity[var] > RESCALE_ABOVE {
            for activity in &mut self.activity {
                *activity /= RESCALE_ABOVE;
            }
            self.bump /= RESCALE_ABOVE;
        }
        if let Some(place) = self.place[var] {
            self.sift_up(place as usize);
        }
    }
    /// Lets later bumps count more.
    pub(crate) fn decay(&mut self) {
        self.bump /= DECAY;
    }
    /// The most active variable waiting.
    pub(crate) fn peek(&self) -> Option<Var> {
        self.heap.first().copied()
    }
    /// Takes out the most active variable.
    pub(crate) fn pop(&mut self) -> Option<Var> {
        let top = self.heap.first().copied()?;
        let last = self.heap.pop().expect("the heap has a first element");
        self.place[top] = None;
        if last != top {
            self.put(0, last);
            self.sift_down(0);
        }
        Some(top)
    }
    /// Lets the search decide `var`, or forbids it.
    pub(crate) fn set_eligible(&mut self, var: Var, eligible: bool) {
        self.eligible[var] = eligible;
        self.insert(var);
    }
    /// Whether the search may decide `var`.
    #[inline]
    pub(crate) fn is_eligible(&self, var: Var) -> bool {
        self.eligible[var]
    }
    fn insert(&mut self, var: Var) {
        if self.place[var].is_none() && self.eligible[var] {
            self.heap.push(var);
            self.put(self.heap.len() - 1, var);
            self.sift_up(self.heap.len() - 1);
        }
    }
    #[inline]
    fn put(&mut self, place: usize, var: Var) {
        self.heap[place] = var;
        self.place[var] = Some(u32::try_from(place).expect("fewer than 2^32 variables"));
    }
    fn sift_up(&mut self, mut place: usize) {
        let var = self.heap[place];
        let activity = self.activity[var];
        while place > 0 {
            let above = self.heap[(place - 1) / 2];
            if self.activity[above] >= activity {
                break;
            }
            self.put(place, above);
            place = (place - 1) / 2;
        }
        self.put(place, var);
    }
    fn sift_down(&mut self, mut place: usize) {
        let var = self.heap[place];
        let activity = self.activity[var];
        loop {
            let mut child = 2 * place + 1;
            let Some(&left) = self.heap.get(child) else { break };
            let mut best = left;
            if let Some(&right) = self.heap.get(child + 1)
                && self.activity[right] > self.activity[left]
            {
                child += 1;
                best = right;
            }
            if activity >= self.activity[best] {
                break;
            }
            self.put(place, best);
            place = child;
        }
        self.put(place, var);
    }
}

#[cfg(test)]
mod tests {
    use shofar_base::Idx;

    use super::*;

    #[test]
    fn variables_come_out_most_active_first() {
        let mut order = Order::new(7);
        (0..200).for_each(|_| order.add_var());
        let mut rng = Rng::new(3);
        for _ in 0..2000 {
            order.bump(Var::from_index(rng.below(200)));
            order.decay();
        }
        let mut last = f64::INFINITY;
        for _ in 0..200 {
            let var = order.pop().expect("all are waiting");
            assert!(order.activity(var) <= last);
            last = order.activity(var);
        }
        assert_eq!(order.pop(), None);
        order.release(Var::from_index(5), true);
        assert_eq!(
            (order.pop(), order.phase(Var::from_index(5))),
            (Some(Var::from_index(5)), true)
        );
    }
}
