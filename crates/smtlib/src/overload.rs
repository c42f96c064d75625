//! The names of constructors and selectors.
//!
//! A name may stand for constructors and selectors of several data types; which one is meant
//! follows from the sorts of the arguments, or from the sort that `as` gives. What a scope has
//! declared is taken back when the scope is closed.

use shofar_base::{IndexVec, index_type};
use shofar_term::{Constructor, Field, Sort, TermStore};

use crate::environment::{Environment, Meaning};
use crate::names::Name;

index_type!(
    /// A name of constructors or selectors.
    pub(crate) struct DataName
);

/// What such a name may stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overloads {
    pub(crate) constructors: Vec<Constructor>,
    pub(crate) fields: Vec<Field>,
}

impl Overloads {
    /// The constructor of this data type.
    pub(crate) fn of_sort(&self, store: &TermStore, sort: Sort) -> Option<Constructor> {
        self.constructors.iter().copied().find(|&c| store.constructor_sort(c) == sort)
    }
    /// The selector that takes this data type.
    pub(crate) fn selector(&self, store: &TermStore, sort: Sort) -> Option<Field> {
        let takes = |field: Field| store.constructor_sort(store.field_constructor(field));
        self.fields.iter().copied().find(|&field| takes(field) == sort)
    }
    /// The constructors that take no arguments.
    pub(crate) fn constants(&self, store: &TermStore) -> Vec<Constructor> {
        let is_constant = |c: &Constructor| store.constructor_fields(*c).is_empty();
        self.constructors.iter().copied().filter(is_constant).collect()
    }
}

#[derive(Clone, Copy, Debug)]
enum Addition {
    Constructor,
    Field,
}

/// All names of constructors and selectors.
#[derive(Clone, Debug, Default)]
pub(crate) struct DataNames {
    entries: IndexVec<DataName, Overloads>,
    additions: Vec<(Name, DataName, Addition)>,
}

impl DataNames {
    /// How many constructors and selectors are in scope.
    pub(crate) fn len(&self) -> usize {
        self.additions.len()
    }
}

impl Environment {
    pub(crate) fn overloads(&self, name: DataName) -> &Overloads {
        &self.data.entries[name]
    }
    /// The constructors and selectors of this name.
    pub(crate) fn constructors_named(&self, name: Name) -> Option<DataName> {
        match self.global(name) {
            Meaning::Data(id) if !self.overloads(id).constructors.is_empty() => Some(id),
            Meaning::Data(_)
            | Meaning::Unbound
            | Meaning::Builtin(_)
            | Meaning::Term(_)
            | Meaning::Definition(_)
            | Meaning::Function(_) => None,
        }
    }
    /// Gives a constructor its name, which is unbound or one of constructors and selectors already.
    pub(crate) fn add_constructor(&mut self, name: Name, constructor: Constructor) {
        let id = self.data_name(name);
        self.data.entries[id].constructors.push(constructor);
        self.data.additions.push((name, id, Addition::Constructor));
    }
    /// Gives a selector its name, which is unbound or one of constructors and selectors already.
    pub(crate) fn add_field(&mut self, name: Name, field: Field) {
        let id = self.data_name(name);
        self.data.entries[id].fields.push(field);
        self.data.additions.push((name, id, Addition::Field));
    }
    fn data_name(&mut self, name: Name) -> DataName {
        if let Meaning::Data(id) = self.global(name) {
            return id;
        }
        let id = self.data.entries.push(Overloads::default());
        self.assign(name, Meaning::Data(id));
        id
    }
    /// Takes back all constructors and selectors but the first `count`.
    pub(crate) fn forget_data(&mut self, count: usize) {
        while self.data.additions.len() > count {
            let Some((name, id, addition)) = self.data.additions.pop() else { return };
            let entry = &mut self.data.entries[id];
            match addition {
                Addition::Constructor => drop(entry.constructors.pop()),
                Addition::Field => drop(entry.fields.pop()),
            }
            if entry.constructors.is_empty() && entry.fields.is_empty() {
                self.assign(name, Meaning::Unbound);
            }
        }
    }
}
