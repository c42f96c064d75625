//! Propositional variables and literals, shared by the SAT core and the theories that hang on it.

use crate::Idx;

crate::index_type!(
    /// A propositional variable.
    pub struct Var
);

/// A variable or its negation, packed as `2·var + sign`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// `var` if `positive`, else its negation.
    #[inline]
    pub fn new(var: Var, positive: bool) -> Self {
        let code = u32::try_from(var.index()).expect("a Var is a u32");
        Self(code << 1 | u32::from(!positive))
    }
    /// The variable.
    #[inline]
    pub fn var(self) -> Var {
        Var::from_index((self.0 >> 1) as usize)
    }
    /// Whether this is the variable itself.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
    /// The literal with the sign flipped if `flip`.
    #[inline]
    pub fn xor(self, flip: bool) -> Self {
        Self(self.0 ^ u32::from(flip))
    }
}

impl Idx for Lit {
    #[inline]
    fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 literals"))
    }
    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl Var {
    /// The literal that says this variable is true.
    #[inline]
    pub fn positive(self) -> Lit {
        Lit::new(self, true)
    }
    /// The literal that says this variable is false.
    #[inline]
    pub fn negative(self) -> Lit {
        Lit::new(self, false)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_positive() { "" } else { "-" }, self.0 >> 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negation_flips_only_the_sign() {
        let v = Var::from_index(7);
        assert_eq!(!v.positive(), v.negative());
        assert_eq!((!v.positive()).var(), v);
        assert!(v.positive().is_positive() && !v.negative().is_positive());
    }
}
