//! Sorts as bytes: each after those that it is made of, data types of one group together.

use shofar_base::Idx;
use shofar_base::wire::Wire;

use super::Writer;
use super::import::Reader;
use crate::sort::is_built_in_name;
use crate::{
    BadData, ConstructorDeclaration, DEEPEST_SORT, DataDeclaration, FieldSort, Sort, SortKind,
    WIDEST,
};

mod tag {
    pub(super) const UNINTERPRETED: u8 = 0;
    pub(super) const BITS: u8 = 1;
    pub(super) const ARRAY: u8 = 2;
    pub(super) const DATA: u8 = 3;
    pub(super) const OWN: u8 = 0;
    pub(super) const KNOWN: u8 = 1;
}

impl Writer<'_> {
    pub(super) fn sorts(&mut self) {
        let store = self.store;
        // A group is written where its first type is.
        let is_first = |sort: &Sort| store.data_group(*sort).is_none_or(|(_, place)| place == 0);
        let sorts: Vec<Sort> = self.sorts.iter().copied().filter(is_first).collect();
        self.out.length(sorts.len());
        for sort in sorts {
            match store.sort_kind(sort) {
                SortKind::Uninterpreted(name) => {
                    self.out.byte(tag::UNINTERPRETED);
                    self.out.text(name);
                }
                SortKind::Bits(width) => {
                    self.out.byte(tag::BITS);
                    self.out.number(width.into());
                }
                SortKind::Array(index, element) => {
                    self.out.byte(tag::ARRAY);
                    self.sort(index);
                    self.sort(element);
                }
                SortKind::Data(..) => {
                    let (group, _) = store.data_group(sort).expect("a data type has a group");
                    self.out.byte(tag::DATA);
                    self.group(group);
                }
                SortKind::Bool | SortKind::Int | SortKind::Real => {
                    unreachable!("built-in sorts are not listed")
                }
            }
        }
    }
    fn group(&mut self, group: &[DataDeclaration]) {
        self.out.length(group.len());
        for data in group {
            self.out.text(&data.name);
            self.out.length(data.constructors.len());
            for constructor in &data.constructors {
                self.out.text(&constructor.name);
                self.out.length(constructor.fields.len());
                for (name, field) in &constructor.fields {
                    self.out.text(name);
                    match field {
                        FieldSort::Own(place) => {
                            self.out.byte(tag::OWN);
                            self.out.length(*place);
                        }
                        FieldSort::Known(sort) => {
                            self.out.byte(tag::KNOWN);
                            self.sort(*sort);
                        }
                    }
                }
            }
        }
    }
}

impl Reader<'_> {
    /// Reads one sort, or a group of data types, and adds what was read to the list.
    pub(super) fn declared_sort(&mut self) -> Wire<()> {
        let sort = match self.bytes.byte()? {
            tag::UNINTERPRETED => {
                let name = self.sort_name()?;
                self.store.declare_sort(&name)
            }
            tag::BITS => {
                let width = u32::try_from(self.bytes.number()?).unwrap_or(0);
                self.bytes.require((1..=WIDEST).contains(&width), "no width of bit-vectors")?;
                self.store.bits_sort(width)
            }
            tag::ARRAY => {
                let (index, element) = (self.sort()?, self.sort()?);
                let depth = self.store.sort_depth(index).max(self.store.sort_depth(element));
                self.bytes.require(depth < DEEPEST_SORT, "sorts nest too deeply")?;
                self.store.array_sort(index, element)
            }
            tag::DATA => {
                let group = self.group()?;
                let declared = self.store.declare_data(group).map_err(|bad| match bad {
                    BadData::Empty(_) => self.bytes.error("a data type has no value"),
                    BadData::TooDeep(_) => self.bytes.error("sorts nest too deeply"),
                });
                self.sorts.extend(declared?);
                return Ok(());
            }
            _ => return Err(self.bytes.error("unknown kind of sort")),
        };
        self.sorts.push(sort);
        Ok(())
    }
    fn sort_name(&mut self) -> Wire<Box<str>> {
        let name: Box<str> = self.bytes.text()?.into();
        self.bytes
            .require(!is_built_in_name(&name), "a declared sort has the name of a built-in one")?;
        Ok(name)
    }
    fn group(&mut self) -> Wire<Vec<DataDeclaration>> {
        let count = self.bytes.length()?;
        self.bytes.require(count > 0, "a group without data types")?;
        (0..count).map(|_| self.data_declaration(count)).collect()
    }
    fn data_declaration(&mut self, count: usize) -> Wire<DataDeclaration> {
        let name = self.sort_name()?;
        let constructors = (0..self.bytes.length()?)
            .map(|_| self.constructor_declaration(count))
            .collect::<Wire<Vec<_>>>()?;
        Ok(DataDeclaration { name, constructors })
    }
    fn constructor_declaration(&mut self, count: usize) -> Wire<ConstructorDeclaration> {
        let name = self.bytes.text()?.into();
        let mut fields = Vec::new();
        for _ in 0..self.bytes.length()? {
            let name = self.bytes.text()?.into();
            let field = match self.bytes.byte()? {
                tag::OWN => FieldSort::Own(self.bytes.index(count, "no such type in the group")?),
                tag::KNOWN => FieldSort::Known(self.sort()?),
                _ => return Err(self.bytes.error("unknown kind of field")),
            };
            fields.push((name, field));
        }
        Ok(ConstructorDeclaration { name, fields })
    }
    /// A data type and one of its constructors, which is given by its place.
    pub(super) fn constructor(&mut self) -> Wire<crate::Constructor> {
        let sort = self.sort()?;
        let count = self.store.constructors(sort).map_or(0, <[_]>::len);
        let place = self.bytes.index(count, "no such constructor")?;
        Ok(self.store.constructors(sort).expect("it has constructors")[place])
    }
}

impl Writer<'_> {
    pub(super) fn constructor(&mut self, constructor: crate::Constructor) {
        let sort = self.store.constructor_sort(constructor);
        self.sort(sort);
        let all = self.store.constructors(sort).expect("a data type");
        // Constructors of one type have consecutive handles.
        self.out.length(constructor.index() - all[0].index());
    }
}
