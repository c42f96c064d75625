//! The options of all engines, each under its type.

use std::any::{Any, TypeId};
use std::fmt::Debug;

use shofar_term::{Sharing, Term};

/// Formulas over the state variables that may be part of an invariant, for engines that decide
/// transition systems.
///
/// They come with the problem and not from a user of the engine, but reach it in the same way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateHints(pub Vec<Term>);

/// A struct of options of an engine.
pub trait OwnOptions: Any + Clone + Debug + Default + Send + Sync {}

impl<T: Any + Clone + Debug + Default + Send + Sync> OwnOptions for T {}

/// Options of some type.
trait AnyOptions: Debug + Send + Sync {
    fn copied(&self) -> Box<dyn AnyOptions>;
    #[cfg(test)]
    fn default_copy(&self) -> Box<dyn AnyOptions>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<T: OwnOptions> AnyOptions for T {
    fn copied(&self) -> Box<dyn AnyOptions> {
        Box::new(self.clone())
    }
    #[cfg(test)]
    fn default_copy(&self) -> Box<dyn AnyOptions> {
        Box::new(T::default())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// How engines are set up.
#[derive(Debug, Default)]
pub struct EngineOptions {
    /// Perturbs ties in the search; the same seed gives the same run.
    pub seed: u64,
    /// What engines, and the instances of one, tell each other.
    pub sharing: Sharing,
    /// What was changed, in the order in which it was first changed.
    own: Vec<(TypeId, Box<dyn AnyOptions>)>,
}

impl Clone for EngineOptions {
    fn clone(&self) -> Self {
        let own = self.own.iter().map(|(id, options)| (*id, (**options).copied())).collect();
        Self { seed: self.seed, sharing: self.sharing, own }
    }
}

impl EngineOptions {
    /// The defaults with this seed.
    pub fn with_seed(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }
    /// The options of type `T`; the default if nothing was changed.
    pub fn own<T: OwnOptions>(&self) -> T {
        let id = TypeId::of::<T>();
        let options = self.own.iter().find(|(other, _)| *other == id);
        options.and_then(|(_, o)| (**o).as_any().downcast_ref::<T>()).cloned().unwrap_or_default()
    }
    /// The options of type `T`, to be changed.
    pub fn own_mut<T: OwnOptions>(&mut self) -> &mut T {
        let id = TypeId::of::<T>();
        let at = self.own.iter().position(|(other, _)| *other == id).unwrap_or_else(|| {
            self.own.push((id, Box::new(T::default())));
            self.own.len() - 1
        });
        (*self.own[at].1).as_any_mut().downcast_mut().expect("options are kept under their type")
    }
    /// The same with every option that was set as it is by default.
    #[cfg(test)]
    pub(crate) fn defaults(&self) -> Self {
        let own = self.own.iter().map(|(id, options)| (*id, (**options).default_copy())).collect();
        Self { seed: 0, sharing: self.sharing, own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Depth(u32);
    #[derive(Clone, Debug, Default, PartialEq)]
    struct Width(u32);

    #[test]
    fn options_are_found_under_their_type() {
        let mut options = EngineOptions::default();
        options.own_mut::<Depth>().0 = 3;
        let mut copy = options.clone();
        copy.own_mut::<Depth>().0 += 1;
        assert_eq!((options.own(), copy.own()), (Depth(3), Depth(4)));
        assert_eq!(options.own::<Width>(), Width(0));
        assert_eq!(copy.defaults().own::<Depth>(), Depth(0));
    }
}
