//! Contradictions planted with arrays, data types and bit-vectors: an instance of an axiom is
//! denied.
//!
//! | theory | what is denied |
//! |---|---|
//! | arrays | reading what was written, or elsewhere; writes at different places commute; writing what is there; equal arrays have equal elements; constant arrays; finitely many places tell arrays apart |
//! | data | injectivity, distinctness and selectors of constructors; some constructor fits; a term is not part of itself; enumerations are small |
//! | bits | identities of the operators; orders; ranges and round trips of conversions |
//!
//! The terms of an instance are hidden: behind names that equations introduce, behind conditionals
//! with equal branches, and behind the disguises of [`crate::planted`]. Names are declared freshly
//! or shared with the rest of the script.

use shofar_base::Rng;

use crate::formula::Formulas;
use crate::logic::{Arithmetic, Sort};
use crate::planted::names;
use crate::value::Value;
use crate::{arrays, data};

/// Assertions (as terms) that are contradictory; what they need is declared.
pub(crate) fn plant(
    rng: &mut Rng,
    formulas: &mut Formulas,
    declarations: &mut Vec<String>,
) -> Vec<String> {
    let sort = *rng.pick(&formulas.compound);
    let mut planter = Planter { rng, formulas, declarations, rows: Vec::new() };
    match sort {
        Sort::Array(_) => planter.array(sort),
        Sort::Data(_) => planter.datum(sort),
        Sort::Bits(width) => planter.bits(width),
        Sort::Bool | Sort::Int | Sort::Real | Sort::Free(_) => {
            unreachable!("{sort} is not compound")
        }
    }
    planter.rows
}

/// What is needed to write the rows.
struct Planter<'a> {
    rng: &'a mut Rng,
    formulas: &'a mut Formulas,
    declarations: &'a mut Vec<String>,
    rows: Vec<String>,
}

impl Planter<'_> {
    fn names(&mut self, sort: Sort, count: usize) -> Vec<String> {
        names(self.rng, self.formulas, sort, count, self.declarations)
    }
    fn row(&mut self, text: String) {
        self.rows.push(text);
    }
    /// A term that is equal to `text` in every model of the rows.
    fn hide(&mut self, text: &str, sort: Sort) -> String {
        match self.rng.below(8) {
            0..3 => {
                self.declarations.push(self.formulas.declare(self.rng, sort));
                let name = self.formulas.variables.last().expect("just declared").name.clone();
                let equation = self.equation(&name, text);
                self.row(equation);
                name
            }
            3 => {
                let condition = self.names(Sort::Bool, 1).remove(0);
                format!("(ite {condition} {text} {text})")
            }
            4 => format!("(let ((?h {text})) ?h)"),
            _ => text.to_owned(),
        }
    }
    fn equation(&mut self, a: &str, b: &str) -> String {
        match self.rng.below(4) {
            0 => format!("(= {b} {a})"),
            1 => format!("(not (distinct {a} {b}))"),
            _ => format!("(= {a} {b})"),
        }
    }
    /// Two terms that are equal by an axiom are said to differ.
    fn deny(&mut self, a: &str, b: &str, sort: Sort) {
        let (a, b) = (self.hide(a, sort), self.hide(b, sort));
        let text = if self.rng.chance(50) {
            format!("(not (= {a} {b}))")
        } else {
            format!("(distinct {b} {a})")
        };
        self.row(text);
    }

    fn array(&mut self, sort: Sort) {
        let (index, element) = arrays::parts(sort);
        let (a, v) = (self.names(sort, 2), self.names(element, 2));
        let i = self.names(index, 2);
        let (i, j) = (i[0].clone(), i[1].clone());
        let write = |a: &str, i: &str, v: &str| format!("(store {a} {i} {v})");
        let read = |a: &str, i: &str| format!("(select {a} {i})");
        match self.rng.below(10) {
            0 => {
                let written = self.hide(&write(&a[0], &i, &v[0]), sort);
                let place = self.hide(&i, index);
                self.deny(&read(&written, &place), &v[0], element);
            }
            1 => {
                let written = self.hide(&write(&a[0], &i, &v[0]), sort);
                self.row(format!("(distinct {i} {j})"));
                let place = self.hide(&j, index);
                self.deny(&read(&written, &place), &read(&a[0], &j), element);
            }
            2 => {
                let equation = self.equation(&a[0], &a[1]);
                self.row(equation);
                let place = self.hide(&i, index);
                self.deny(&read(&a[0], &i), &read(&a[1], &place), element);
            }
            3 => {
                self.row(format!("(not (= {i} {j}))"));
                let first = self.hide(&write(&a[0], &i, &v[0]), sort);
                let second = self.hide(&write(&a[0], &j, &v[1]), sort);
                self.deny(&write(&first, &j, &v[1]), &write(&second, &i, &v[0]), sort);
            }
            4 => {
                let content = self.hide(&read(&a[0], &i), element);
                self.deny(&write(&a[0], &i, &content), &a[0], sort);
            }
            5 => {
                let left = self.hide(&write(&a[0], &i, &v[0]), sort);
                let right = self.hide(&write(&a[1], &i, &v[1]), sort);
                let equation = self.equation(&left, &right);
                self.row(equation);
                self.deny(&v[0], &v[1], element);
            }
            6 => {
                let (left, right) = (write(&a[0], &i, &v[0]), write(&a[1], &i, &v[1]));
                let equation = self.equation(&left, &right);
                self.row(equation);
                self.row(format!("(distinct {j} {i})"));
                self.deny(&read(&a[0], &j), &read(&a[1], &j), element);
            }
            7 => {
                let constant = self.hide(&format!("((as const {sort}) {})", v[0]), sort);
                let place = self.hide(&i, index);
                self.deny(&read(&constant, &place), &v[0], element);
            }
            8 => self.constant_arrays(sort, &i, &j, &v),
            _ => self.finite_places(sort, &a),
        }
    }
    /// Two constant arrays agree at one place that was not written.
    fn constant_arrays(&mut self, sort: Sort, i: &str, j: &str, v: &[String]) {
        let (_, element) = arrays::parts(sort);
        let constant = |v: &str| format!("((as const {sort}) {v})");
        let left = self.hide(&format!("(store {} {i} {})", constant(&v[0]), v[1]), sort);
        let right = self.hide(&constant(&v[1]), sort);
        let equation = self.equation(&left, &right);
        self.row(equation);
        self.row(format!("(distinct {i} {j})"));
        self.deny(&v[0], &v[1], element);
    }
    /// Arrays that agree everywhere are equal, where there are few places.
    fn finite_places(&mut self, sort: Sort, a: &[String]) {
        let (index, _) = arrays::parts(sort);
        let places = Value::all(index).filter(|all| all.len() <= 8);
        let texts =
            places.and_then(|all| all.iter().map(|v| text(v, index)).collect::<Option<Vec<_>>>());
        let Some(texts) = texts else {
            // Equal arrays at different places of an array of arrays, or simply different.
            let (b, c) = (self.hide(&a[0], sort), self.hide(&a[1], sort));
            let equation = self.equation(&b, &a[1]);
            self.row(equation);
            return self.deny(&a[0], &c, sort);
        };
        for place in texts {
            let equation = self.equation(
                &format!("(select {} {place})", a[0]),
                &format!("(select {} {place})", a[1]),
            );
            self.row(equation);
        }
        self.deny(&a[0], &a[1], sort);
    }

    fn datum(&mut self, sort: Sort) {
        let constructors = data::of(sort).constructors;
        let with_fields: Vec<&data::Constructor> =
            constructors.iter().filter(|c| !c.fields.is_empty()).collect();
        let choice = self.rng.below(7);
        if choice == 0 || with_fields.is_empty() {
            return self.exhausted(sort);
        }
        let constructor = *self.rng.pick(&with_fields);
        let place = self.rng.below(constructor.fields.len());
        let (selector, field) = constructor.fields[place];
        let (x, y) = (self.fields(constructor), self.fields(constructor));
        let (left, right) = (data::construct(constructor, &x), data::construct(constructor, &y));
        let t = self.names(sort, 1).remove(0);
        match choice {
            1 => {
                let (left, right) = (self.hide(&left, sort), self.hide(&right, sort));
                let equation = self.equation(&left, &right);
                self.row(equation);
                self.deny(&x[place], &y[place], field);
            }
            2 if constructors.len() > 1 => {
                let others: Vec<&data::Constructor> =
                    constructors.iter().filter(|c| c.name != constructor.name).collect();
                let other = *self.rng.pick(&others);
                let fields = self.fields(other);
                let (left, right) =
                    (self.hide(&left, sort), self.hide(&data::construct(other, &fields), sort));
                let equation = self.equation(&left, &right);
                self.row(equation);
            }
            3 => {
                let whole = self.hide(&left, sort);
                self.deny(&format!("({selector} {whole})"), &x[place], field);
            }
            4 => {
                let parts = constructor.fields.iter().map(|(s, _)| format!("({s} {t})"));
                let rebuilt = data::construct(constructor, &parts.collect::<Vec<_>>());
                let tester = data::tester(self.rng, constructor);
                let tested = self.hide(&t, sort);
                self.row(format!("({tester} {tested})"));
                self.deny(&rebuilt, &t, sort);
            }
            _ => self.cycle(sort),
        }
    }
    fn fields(&mut self, constructor: &data::Constructor) -> Vec<String> {
        let fields = constructor.fields.iter();
        fields.map(|(_, sort)| self.names(*sort, 2).remove(0)).collect()
    }
    /// No constructor fits, or more values are distinct than there are.
    fn exhausted(&mut self, sort: Sort) {
        if let Some(all) = Value::all(sort).filter(|all| all.len() <= 6)
            && self.rng.chance(60)
        {
            let names = self.names(sort, all.len() + 1);
            if self.rng.chance(50) {
                return self.row(format!("(distinct {})", names.join(" ")));
            }
            for (i, a) in names.iter().enumerate() {
                for b in &names[..i] {
                    self.row(format!("(not (= {a} {b}))"));
                }
            }
            return;
        }
        let t = self.names(sort, 1).remove(0);
        for constructor in data::of(sort).constructors {
            let tester = data::tester(self.rng, constructor);
            let tested = self.hide(&t, sort);
            self.row(format!("(not ({tester} {tested}))"));
        }
    }
    /// A term is a part of itself, by one or more steps, if the type is recursive.
    fn cycle(&mut self, sort: Sort) {
        let steps = 1 + self.rng.below(3);
        let recursive = data::of(sort).constructors.iter().find_map(|c| {
            let place = c.fields.iter().position(|(_, field)| *field == sort)?;
            Some((c, place))
        });
        let Some((constructor, place)) = recursive else { return self.exhausted(sort) };
        let names = self.names(sort, steps);
        for step in 0..steps {
            let mut fields = self.fields(constructor);
            fields[place].clone_from(&names[(step + 1) % steps]);
            let whole = self.hide(&data::construct(constructor, &fields), sort);
            let equation = self.equation(&names[step], &whole);
            self.row(equation);
        }
    }

    fn bits(&mut self, width: u8) {
        let sort = Sort::Bits(width);
        let names = self.names(sort, 2);
        let (x, y) = (names[0].as_str(), names[1].as_str());
        let converts = self.formulas.logic.arithmetic == Arithmetic::Lia;
        match self.rng.below(if converts { 8 } else { 5 }) {
            0..3 => {
                let identities = identities(x, y, width);
                let (left, right) = self.rng.pick(&identities).clone();
                self.deny(&left, &right, sort);
            }
            3 => {
                let order = *self.rng.pick(&["bvult", "bvslt", "bvugt", "bvsgt"]);
                let (a, b) = (self.hide(x, sort), self.hide(y, sort));
                self.row(format!("({order} {a} {b})"));
                let weak = *self.rng.pick(&[order, "="]);
                self.row(format!("({weak} {y} {x})"));
            }
            4 if width <= 2 => {
                let names = self.names(sort, (1 << width) + 1);
                self.row(format!("(distinct {})", names.join(" ")));
            }
            4 => {
                let strict = format!("(bvult {x} (_ bv1 {width}))");
                self.row(strict);
                self.deny(x, &format!("(_ bv0 {width})"), sort);
            }
            5 => {
                let inner = self.hide(&format!("(bvadd {x} {y})"), sort);
                let number = self.hide(&format!("(ubv_to_int {inner})"), Sort::Int);
                let outside =
                    [format!("(< {number} 0)"), format!("(>= {number} {})", 1u64 << width)];
                let row = self.rng.pick(&outside).clone();
                self.row(row);
            }
            6 => {
                let operator = *self.rng.pick(&["ubv_to_int", "sbv_to_int", "bv2nat"]);
                let number = self.hide(&format!("({operator} {x})"), Sort::Int);
                self.deny(&format!("((_ int_to_bv {width}) {number})"), x, sort);
            }
            _ => {
                let name = self.names(Sort::Int, 1).remove(0);
                let word = self.hide(&format!("((_ int2bv {width}) {name})"), sort);
                let modulo = format!("(mod {name} {})", 1u64 << width);
                self.deny(&format!("(ubv_to_int {word})"), &modulo, Sort::Int);
            }
        }
    }
}

/// A literal of a finite sort without declared elements.
fn text(value: &Value, sort: Sort) -> Option<String> {
    match value {
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Bits(word) => Some(word.to_string()),
        Value::Data(number, fields) => {
            let constructor = &data::of(sort).constructors[*number];
            let texts = fields.iter().zip(constructor.fields).map(|(v, (_, sort))| text(v, *sort));
            Some(data::construct(constructor, &texts.collect::<Option<Vec<_>>>()?))
        }
        Value::Number(_) | Value::Element(_) | Value::Array(_) => None,
    }
}

/// Equal terms of this width.
fn identities(x: &str, y: &str, width: u8) -> Vec<(String, String)> {
    let top = width - 1;
    let pairs = [
        (format!("(bvsub (bvadd {x} {y}) {y})"), x.to_owned()),
        (format!("(bvadd (bvnot {x}) (_ bv1 {width}))"), format!("(bvneg {x})")),
        (format!("(bvnot (bvand {x} {y}))"), format!("(bvor (bvnot {x}) (bvnot {y}))")),
        (format!("(bvshl {x} (_ bv1 {width}))"), format!("(bvadd {x} {x})")),
        (format!("(bvadd (bvmul (bvudiv {x} {y}) {y}) (bvurem {x} {y}))"), x.to_owned()),
        (format!("(bvadd (bvmul (bvsdiv {x} {y}) {y}) (bvsrem {x} {y}))"), x.to_owned()),
        (format!("(bvsub {x} {y})"), format!("(bvneg (bvsub {y} {x}))")),
        (format!("((_ rotate_left 2) ((_ rotate_right 2) {x}))"), x.to_owned()),
        (
            format!("(bvadd (bvxor {x} {y}) (bvmul (_ bv2 {width}) (bvand {x} {y})))"),
            format!("(bvadd {x} {y})"),
        ),
        (format!("((_ extract {top} 0) (concat {y} {x}))"), x.to_owned()),
        (format!("((_ extract {top} 0) ((_ sign_extend 3) {x}))"), x.to_owned()),
        (format!("(ite (bvslt {x} {y}) {x} {y})"), format!("(ite (bvsge {x} {y}) {y} {x})")),
        (format!("(bvxnor {x} {y})"), format!("(bvxor {x} (bvnot {y}))")),
        (
            format!("(bvmul {x} (bvadd {y} {x}))"),
            format!("(bvadd (bvmul {x} {x}) (bvmul {y} {x}))"),
        ),
        (
            format!("(bvlshr (bvshl {x} {y}) {y})"),
            format!("(bvand {x} (bvlshr (bvnot (_ bv0 {width})) {y}))"),
        ),
    ];
    // The literal two has no width of one.
    pairs.into_iter().filter(|(left, _)| width > 1 || !left.contains("bv2 ")).collect()
}
