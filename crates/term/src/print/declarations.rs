//! How sorts are declared.

use super::{print_sort, quote};
use crate::{Sort, SortKind, TermStore};

/// The commands that declare `sorts`, which come with all that they are made of, sorted by handle;
/// data types of one group are declared together.
pub fn print_sort_declarations(store: &TermStore, sorts: &[Sort]) -> Vec<String> {
    sorts.iter().filter_map(|&sort| declaration(store, sort)).collect()
}

fn declaration(store: &TermStore, sort: Sort) -> Option<String> {
    match store.sort_kind(sort) {
        SortKind::Uninterpreted(name) => Some(format!("(declare-sort {} 0)", quote(name))),
        SortKind::Data(..) => {
            let (group, place) = store.data_group(sort)?;
            (place == 0).then(|| data_types(store, sort, group.len()))
        }
        SortKind::Bool
        | SortKind::Int
        | SortKind::Real
        | SortKind::Bits(_)
        | SortKind::Array(..) => None,
    }
}

fn data_types(store: &TermStore, first: Sort, count: usize) -> String {
    use shofar_base::Idx as _;
    let sorts: Vec<Sort> = (0..count).map(|at| Sort::from_index(first.index() + at)).collect();
    let names: Vec<String> =
        sorts.iter().map(|&sort| format!("({} 0)", print_sort(store, sort))).collect();
    let bodies: Vec<String> = sorts.iter().map(|&sort| constructors(store, sort)).collect();
    format!("(declare-datatypes ({}) ({}))", names.join(" "), bodies.join(" "))
}

fn constructors(store: &TermStore, sort: Sort) -> String {
    let all = store.constructors(sort).expect("a data type has constructors").iter();
    let one = |&constructor: &crate::Constructor| {
        let mut text = format!("({}", quote(store.constructor_name(constructor)));
        for &field in store.constructor_fields(constructor) {
            let (name, sort) =
                (quote(store.field_name(field)), print_sort(store, store.field_sort(field)));
            text.extend([" (", &name, " ", &sort, ")"]);
        }
        text + ")"
    };
    format!("({})", all.map(one).collect::<Vec<_>>().join(" "))
}
