//! Data types: sorts whose values are made by constructors from the values of their fields.
//!
//! Types that refer to each other are declared as one group. A field of the group's own types says
//! which one by its place in the group, so that groups can be compared and found again: the same
//! group always gives the same sorts. Each constructor and each field has a handle of its own,
//! because names may repeat.
//!
//! Invariants: every type has a value without infinite nesting, and knows a constructor with which
//! the smallest one begins; a type recurs only directly, never through arrays.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use shofar_base::{Idx, index_type};

use crate::sort::{Cardinality, DEEPEST_SORT, SortEntry, SortFacts};
use crate::{Sort, TermStore};

index_type!(
    /// A constructor of a data type.
    pub struct Constructor
);
index_type!(
    /// A field of a constructor, and the selector that reads it.
    pub struct Field
);

/// The sort of a field in a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldSort {
    /// A sort that is known already.
    Known(Sort),
    /// The type at this place of the same group.
    Own(usize),
}

/// A constructor in a declaration: its name, and the names and sorts of its fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConstructorDeclaration {
    /// Its name, unquoted.
    pub name: Box<str>,
    /// The names of its selectors, unquoted, and what they yield.
    pub fields: Vec<(Box<str>, FieldSort)>,
}

/// A data type in a declaration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DataDeclaration {
    /// Its name, unquoted.
    pub name: Box<str>,
    /// Its constructors, at least one.
    pub constructors: Vec<ConstructorDeclaration>,
}

/// Why a group cannot be declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadData {
    /// The type at this place has no value.
    Empty(usize),
    /// The type at this place nests others too deeply.
    TooDeep(usize),
}

/// A data type in the table of sorts.
#[derive(Clone, Debug)]
pub(crate) struct DataEntry {
    group: Arc<Vec<DataDeclaration>>,
    place: usize,
    constructors: Arc<[Constructor]>,
    /// The smallest value begins with this one.
    default: Constructor,
    is_recursive: bool,
}

impl DataEntry {
    pub(crate) fn name(&self) -> &str {
        &self.group[self.place].name
    }
    pub(crate) fn constructors(&self) -> &[Constructor] {
        &self.constructors
    }
    pub(crate) fn group(&self) -> (&[DataDeclaration], usize) {
        (&self.group, self.place)
    }
}

// What an entry is, is said by its group and its place in it; the rest follows.
impl PartialEq for DataEntry {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place && self.group == other.group
    }
}
impl Eq for DataEntry {}
impl Hash for DataEntry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.place.hash(state);
        self.group.hash(state);
    }
}

#[derive(Clone, Debug)]
pub(crate) struct ConstructorEntry {
    name: Box<str>,
    sort: Sort,
    fields: Arc<[Field]>,
    has_twin: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct FieldEntry {
    name: Box<str>,
    sort: Sort,
    constructor: Constructor,
    place: usize,
}

/// The tables of constructors and fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct DataTables {
    constructors: Vec<ConstructorEntry>,
    fields: Vec<FieldEntry>,
}

impl DataTables {
    /// Whether there are constructors of this name that take the same fields, which have a twin
    /// from now on.
    fn mark_twins(&mut self, name: &str, fields: &[Field]) -> bool {
        let sort = |field: &Field| self.fields[field.index()].sort;
        let mut found = false;
        for entry in self.constructors.iter_mut().filter(|entry| *entry.name == *name) {
            if entry.fields.iter().map(sort).eq(fields.iter().map(sort)) {
                (entry.has_twin, found) = (true, true);
            }
        }
        found
    }
}

impl TermStore {
    /// Declares data types that may refer to each other; their sorts in order. The same group gives
    /// the same sorts.
    pub fn declare_data(&mut self, group: Vec<DataDeclaration>) -> Result<Vec<Sort>, BadData> {
        let group = Arc::new(group);
        let defaults = default_constructors(&group)?;
        let first = DataEntry {
            group: Arc::clone(&group),
            place: 0,
            constructors: Arc::default(),
            default: Constructor::from_index(0),
            is_recursive: false,
        };
        let base = match self.find_sort(&SortEntry::Data(first)) {
            Some(sort) => sort.index(),
            None => self.append_group(&group, &defaults)?,
        };
        Ok((0..group.len()).map(|place| Sort::from_index(base + place)).collect())
    }
    /// Enters a group that is not known yet; where its sorts begin.
    fn append_group(
        &mut self,
        group: &Arc<Vec<DataDeclaration>>,
        defaults: &[Default],
    ) -> Result<usize, BadData> {
        let base = self.sort_count();
        let recursive = recursive_types(group);
        let mut entries = Vec::new();
        for (place, data) in group.iter().enumerate() {
            let facts = self.data_facts(group, place, recursive[place], defaults);
            if facts.depth > DEEPEST_SORT {
                return Err(BadData::TooDeep(place));
            }
            entries.push((place, data, facts));
        }
        for (place, data, facts) in entries {
            let sort = Sort::from_index(base + place);
            let constructors: Arc<[Constructor]> =
                data.constructors.iter().map(|c| self.push_constructor(c, sort, base)).collect();
            let entry = DataEntry {
                group: Arc::clone(group),
                place,
                default: constructors[defaults[place].constructor],
                constructors,
                is_recursive: recursive[place],
            };
            let made = self.intern_sort(SortEntry::Data(entry), facts);
            debug_assert_eq!(made, sort, "a new group has new sorts");
        }
        Ok(base)
    }
    fn push_constructor(
        &mut self,
        declaration: &ConstructorDeclaration,
        sort: Sort,
        base: usize,
    ) -> Constructor {
        let tables = &mut self.data;
        let constructor = Constructor::from_index(tables.constructors.len());
        let mut fields = Vec::new();
        for (place, (name, field)) in declaration.fields.iter().enumerate() {
            let sort = match field {
                FieldSort::Known(sort) => *sort,
                FieldSort::Own(place) => Sort::from_index(base + place),
            };
            fields.push(Field::from_index(tables.fields.len()));
            tables.fields.push(FieldEntry { name: name.clone(), sort, constructor, place });
        }
        let name = declaration.name.clone();
        let has_twin = tables.mark_twins(&name, &fields);
        tables.constructors.push(ConstructorEntry { name, sort, fields: fields.into(), has_twin });
        constructor
    }
    fn data_facts(
        &self,
        group: &[DataDeclaration],
        place: usize,
        is_recursive: bool,
        defaults: &[Default],
    ) -> SortFacts {
        let known = |data: &DataDeclaration| {
            let fields = data.constructors.iter().flat_map(|c| &c.fields);
            let sorts = fields.filter_map(|(_, field)| match field {
                FieldSort::Known(sort) => Some(self.sort_depth(*sort)),
                FieldSort::Own(_) => None,
            });
            sorts.max().unwrap_or(0)
        };
        let deepest = group.iter().map(known).max().unwrap_or(0);
        let depth = deepest + 1 + defaults[place].depth;
        let size = if is_recursive { Cardinality::Infinite } else { self.data_size(group, place) };
        SortFacts { size, depth }
    }
    /// How many values a type has that does not recur. Types of the group that it refers to are
    /// counted, too; those that recur are infinite.
    fn data_size(&self, group: &[DataDeclaration], place: usize) -> Cardinality {
        // Every round settles one more level of references; without recursion there are no more
        // levels than types.
        let mut sizes = vec![None; group.len()];
        for _ in 0..group.len() {
            for at in 0..group.len() {
                if sizes[at].is_none() {
                    sizes[at] = self.data_size_from(&group[at], &sizes);
                }
            }
        }
        sizes[place].unwrap_or(Cardinality::Infinite)
    }
    fn data_size_from(
        &self,
        data: &DataDeclaration,
        sizes: &[Option<Cardinality>],
    ) -> Option<Cardinality> {
        let mut total = Cardinality::Few(0);
        for constructor in &data.constructors {
            let mut product = Cardinality::Few(1);
            for (_, field) in &constructor.fields {
                product = product.times(match field {
                    FieldSort::Known(sort) => self.cardinality(*sort),
                    FieldSort::Own(place) => sizes[*place]?,
                });
            }
            total = total.plus(product);
        }
        Some(total)
    }
    fn data_entry(&self, sort: Sort) -> Option<&DataEntry> {
        let at = sort.index().checked_sub(crate::sort::BUILT_IN.len())?;
        match &self.sorts[at] {
            SortEntry::Data(entry) => Some(entry),
            SortEntry::Uninterpreted(_) | SortEntry::Array(..) | SortEntry::Bits(_) => None,
        }
    }
    /// The group that the data type `sort` was declared in, and its place there.
    pub fn data_group(&self, sort: Sort) -> Option<(&[DataDeclaration], usize)> {
        self.data_entry(sort).map(DataEntry::group)
    }
    /// All data types, in the order of their handles.
    pub fn data_types(&self) -> impl Iterator<Item = Sort> {
        let all = self.sorts.iter().enumerate();
        let data = all.filter(|(_, entry)| matches!(entry, SortEntry::Data(_)));
        data.map(|(at, _)| Sort::from_index(crate::sort::BUILT_IN.len() + at))
    }
    /// The names of all constructors and selectors, unquoted.
    pub fn data_names(&self) -> impl Iterator<Item = &str> {
        let constructors = self.data.constructors.iter().map(|entry| &*entry.name);
        constructors.chain(self.data.fields.iter().map(|entry| &*entry.name))
    }
    /// Whether values of the data type `sort` may contain values of the same type.
    pub fn is_recursive(&self, sort: Sort) -> bool {
        self.data_entry(sort).is_some_and(|entry| entry.is_recursive)
    }
    /// The constructor with which the smallest value of a data type begins.
    pub fn default_constructor(&self, sort: Sort) -> Option<Constructor> {
        self.data_entry(sort).map(|entry| entry.default)
    }
    /// The name of a constructor, unquoted.
    pub fn constructor_name(&self, constructor: Constructor) -> &str {
        &self.data.constructors[constructor.index()].name
    }
    /// Whether a constructor of another data type has the same name and takes the same fields, so
    /// that the name and the arguments do not tell which of them is meant.
    pub fn has_twin(&self, constructor: Constructor) -> bool {
        self.data.constructors[constructor.index()].has_twin
    }
    /// The data type that a constructor makes values of.
    pub fn constructor_sort(&self, constructor: Constructor) -> Sort {
        self.data.constructors[constructor.index()].sort
    }
    /// The fields of a constructor in order.
    pub fn constructor_fields(&self, constructor: Constructor) -> &[Field] {
        &self.data.constructors[constructor.index()].fields
    }
    /// The name of the selector of a field, unquoted.
    pub fn field_name(&self, field: Field) -> &str {
        &self.data.fields[field.index()].name
    }
    /// The sort of a field.
    pub fn field_sort(&self, field: Field) -> Sort {
        self.data.fields[field.index()].sort
    }
    /// The constructor that has a field.
    pub fn field_constructor(&self, field: Field) -> Constructor {
        self.data.fields[field.index()].constructor
    }
    /// Which of its constructor's fields it is.
    pub fn field_place(&self, field: Field) -> usize {
        self.data.fields[field.index()].place
    }
}

/// How the smallest value of a type begins, and how deep it is.
#[derive(Clone, Copy, Debug)]
struct Default {
    constructor: usize,
    depth: u32,
}

/// For every type of the group the first constructor that needs the least nesting.
fn default_constructors(group: &[DataDeclaration]) -> Result<Vec<Default>, BadData> {
    let mut found: Vec<Option<Default>> = vec![None; group.len()];
    for depth in 0.. {
        let mut new = Vec::new();
        for (place, data) in group.iter().enumerate().filter(|(place, _)| found[*place].is_none()) {
            let ready = |c: &ConstructorDeclaration| {
                c.fields.iter().all(|(_, field)| match field {
                    FieldSort::Known(_) => true,
                    FieldSort::Own(other) => found[*other].is_some(),
                })
            };
            if let Some(constructor) = data.constructors.iter().position(ready) {
                new.push((place, Default { constructor, depth }));
            }
        }
        if new.is_empty() {
            break;
        }
        for (place, default) in new {
            found[place] = Some(default);
        }
    }
    let settled = |(place, default): (usize, Option<Default>)| default.ok_or(BadData::Empty(place));
    found.into_iter().enumerate().map(settled).collect()
}

/// Which types of the group contain themselves.
fn recursive_types(group: &[DataDeclaration]) -> Vec<bool> {
    let uses = |place: usize| {
        let fields = group[place].constructors.iter().flat_map(|c| &c.fields);
        fields.filter_map(|(_, field)| match field {
            FieldSort::Own(other) => Some(*other),
            FieldSort::Known(_) => None,
        })
    };
    let reaches_itself = |place: usize| {
        let mut seen = vec![false; group.len()];
        let mut open: Vec<usize> = uses(place).collect();
        while let Some(next) = open.pop() {
            if next == place {
                return true;
            }
            if !std::mem::replace(&mut seen[next], true) {
                open.extend(uses(next));
            }
        }
        false
    };
    (0..group.len()).map(reaches_itself).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    fn constructor(name: &str, fields: &[(&str, FieldSort)]) -> ConstructorDeclaration {
        let fields = fields.iter().map(|(name, sort)| ((*name).into(), *sort)).collect();
        ConstructorDeclaration { name: name.into(), fields }
    }
    fn data(name: &str, constructors: Vec<ConstructorDeclaration>) -> DataDeclaration {
        DataDeclaration { name: name.into(), constructors }
    }
    fn list() -> Vec<DataDeclaration> {
        let head = ("head", FieldSort::Known(Sort::INT));
        let cons = constructor("cons", &[head, ("tail", FieldSort::Own(0))]);
        vec![data("List", vec![cons, constructor("nil", &[])])]
    }

    #[test]
    fn values_of_records_of_records_share_their_parts() {
        let mut s = TermStore::new();
        let depth = 60;
        let mut records: Vec<DataDeclaration> = (0..depth)
            .map(|at| {
                let fields = [("left", FieldSort::Own(at + 1)), ("right", FieldSort::Own(at + 1))];
                let fields = fields.map(|(name, sort)| (format!("{name}{at}").into(), sort));
                let made =
                    ConstructorDeclaration { name: format!("c{at}").into(), fields: fields.into() };
                data(&format!("R{at}"), vec![made])
            })
            .collect();
        records.push(data("E", vec![constructor("e1", &[]), constructor("e2", &[])]));
        let sort = s.declare_data(records).expect("well-founded")[0];
        let [one, other] = [Value::default_of(&s, sort), Value::default_of(&s, sort)];
        // Each is a graph of sixty parts of its own.
        assert_eq!(one, other);
        assert!(one.is_longer_than(1 << 20));
        let terms = [&one, &other].map(|value| s.value_term(value, sort));
        assert_eq!(terms[0], terms[1]);
        assert!(crate::value::print_value(&s, &one, sort).len() < 10_000);
    }

    #[test]
    fn the_same_group_gives_the_same_sorts() {
        let mut s = TermStore::new();
        let list_sort = s.declare_data(list()).expect("well-founded")[0];
        assert_eq!(s.declare_data(list()), Ok(vec![list_sort]));
        let [cons, nil] = *s.constructors(list_sort).expect("a data type") else {
            panic!("two constructors")
        };
        assert_eq!((s.constructor_name(cons), s.constructor_name(nil)), ("cons", "nil"));
        assert_eq!(s.default_constructor(list_sort), Some(nil));
        assert!(s.is_recursive(list_sort) && !s.is_finite(list_sort));
        let [head, tail] = *s.constructor_fields(cons) else { panic!("two fields") };
        assert_eq!((s.field_sort(head), s.field_sort(tail)), (Sort::INT, list_sort));
        assert_eq!((s.field_constructor(tail), s.field_place(tail)), (cons, 1));
    }

    #[test]
    fn mutual_recursion_and_sizes() {
        let mut s = TermStore::new();
        let color = data("Color", vec![constructor("red", &[]), constructor("blue", &[])]);
        let pair = constructor(
            "pair",
            &[
                ("a", FieldSort::Own(0)),
                ("b", FieldSort::Known(Sort::BOOL)),
                ("c", FieldSort::Own(0)),
            ],
        );
        let sorts = s.declare_data(vec![color, data("Pair", vec![pair])]).expect("well-founded");
        let sizes: Vec<Cardinality> = sorts.iter().map(|&sort| s.cardinality(sort)).collect();
        assert_eq!(sizes, [Cardinality::Few(2), Cardinality::Few(8)]);
        let node = constructor("node", &[("children", FieldSort::Own(1))]);
        let cons = constructor("cons", &[("h", FieldSort::Own(0)), ("t", FieldSort::Own(1))]);
        let forest = data("Forest", vec![cons, constructor("empty", &[])]);
        let sorts = s.declare_data(vec![data("Tree", vec![node]), forest]).expect("well-founded");
        assert!(sorts.iter().all(|&sort| s.is_recursive(sort)));
    }

    #[test]
    fn a_type_without_values_is_refused() {
        let mut s = TermStore::new();
        let endless = data("Stream", vec![constructor("next", &[("rest", FieldSort::Own(0))])]);
        assert_eq!(s.declare_data(vec![endless]), Err(BadData::Empty(0)));
    }
}
