//! Random expressions, with what they read and write.

use super::{Callee, Draft, Drawn, Touched, Variable};

/// Constants of all types.
const CONSTANTS: [&str; 22] = [
    "0", "1", "2", "3", "7", "10", "255", "1u", "3u", "40000u", "2L", "5UL", "1LL", "4ULL", "0x10",
    "0xFFu", "017", "'a'", "65535", "127", "-1", "100",
];

impl Draft {
    fn plain(text: impl Into<String>) -> Drawn {
        Drawn { text: text.into(), touched: Touched::default() }
    }
    fn constant(&mut self) -> Drawn {
        Self::plain(*self.rng.pick(&CONSTANTS))
    }
    /// An expression of this depth at most.
    pub(super) fn expression(&mut self, depth: usize) -> Drawn {
        if depth == 0 || self.rng.chance(15) {
            return if self.rng.chance(25) { self.constant() } else { self.read() };
        }
        match self.rng.below(100) {
            0..34 => self.arithmetic(depth),
            34..42 => {
                let inner = self.expression(depth - 1);
                let sign = *self.rng.pick(&["-", "~", "!", "+"]);
                Drawn { text: format!("({sign} {})", inner.text), touched: inner.touched }
            }
            42..50 => {
                let inner = self.expression(depth - 1);
                let ctype = self.ctype().0;
                Drawn { text: format!("(({ctype}){})", inner.text), touched: inner.touched }
            }
            50..58 => {
                let operator = *self.rng.pick(&["&&", "||"]);
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                Self::in_order(&[a, b], |texts| format!("({} {operator} {})", texts[0], texts[1]))
            }
            58..64 => {
                let parts = [depth - 1, depth - 1, depth - 1].map(|depth| self.expression(depth));
                Self::in_order(&parts, |t| format!("({} ? {} : {})", t[0], t[1], t[2]))
            }
            64..67 => {
                let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
                Self::in_order(&[a, b], |texts| format!("({}, {})", texts[0], texts[1]))
            }
            67..82 => self.assignment(depth),
            82..92 => self.call(depth),
            _ => self.read(),
        }
    }
    /// Parts between which there are sequence points.
    fn in_order(parts: &[Drawn], join: impl Fn(&[&str]) -> String) -> Drawn {
        let mut touched = Touched::default();
        for part in parts {
            touched.add(&part.touched);
        }
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        Drawn { text: join(&texts), touched }
    }
    fn arithmetic(&mut self, depth: usize) -> Drawn {
        let a = self.expression(depth - 1);
        let mut b = self.expression(depth - 1);
        let operator = *self.rng.pick(&[
            "+", "+", "-", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=",
            "==", "!=", "<", "==",
        ]);
        let needs_constant = match operator {
            "*" | "<<" | ">>" => self.rng.chance(85),
            "/" | "%" => self.rng.chance(80),
            "&" | "|" | "^" => !self.is_bitwise || self.rng.chance(70),
            _ => false,
        };
        if needs_constant || a.touched.interferes(&b.touched) {
            b = Self::plain(*self.rng.pick(match operator {
                "<<" | ">>" => &["1", "2", "3u", "0"],
                "/" | "%" => &["2", "3", "-2", "7u", "5L"],
                _ => &["3", "0xF0u", "2", "255", "1"],
            }));
        }
        let mut touched = a.touched;
        touched.add(&b.touched);
        Drawn { text: format!("({} {operator} {})", a.text, b.text), touched }
    }

    fn numbers(&self) -> Vec<Variable> {
        self.variables.iter().filter(|variable| variable.lengths.is_empty()).cloned().collect()
    }
    fn arrays(&self) -> Vec<Variable> {
        self.variables.iter().filter(|variable| !variable.lengths.is_empty()).cloned().collect()
    }
    /// The value of a variable or an element.
    fn read(&mut self) -> Drawn {
        let mut place = self.place(false, true);
        let name = place.name;
        place.drawn.touched.reads.insert(name);
        place.drawn
    }
    /// A variable, or an element of an array.
    fn place(&mut self, is_written: bool, may_be_deep: bool) -> Place {
        let arrays = self.arrays();
        if !arrays.is_empty() && self.rng.chance(40) {
            let array = self.rng.pick(&arrays).clone();
            let mut drawn = Self::plain(array.name.clone());
            for (dimension, length) in array.lengths.iter().enumerate() {
                // gcc lets a row behind the last one pass, since its address may be taken.
                let is_safe = array.is_passed || dimension + 1 < array.lengths.len();
                let index = self.index(*length, is_safe, may_be_deep, &drawn.touched);
                drawn.text = format!("{}[{}]", drawn.text, index.text);
                drawn.touched.add(&index.touched);
            }
            return Place { name: array.name, drawn };
        }
        let mut numbers = self.numbers();
        numbers.retain(|number| !(is_written && number.is_constant));
        let number = self.rng.pick(&numbers).clone();
        Place { drawn: Self::plain(number.name.clone()), name: number.name }
    }
    /// An index, which is hardly ever out of bounds.
    fn index(&mut self, length: usize, is_safe: bool, may_be_deep: bool, other: &Touched) -> Drawn {
        let counters: Vec<Variable> =
            self.variables.iter().filter(|variable| variable.is_constant).cloned().collect();
        if !is_safe && self.rng.chance(8) {
            let constant =
                self.rng.below(length + 1).min(length - usize::from(self.rng.chance(70)));
            return Self::plain(constant.to_string());
        }
        if self.rng.chance(30) {
            return Self::plain(self.rng.below(length).to_string());
        }
        if !counters.is_empty() && length >= 4 && self.rng.chance(50) {
            let counter = self.rng.pick(&counters).name.clone();
            let mut drawn = Self::plain(counter.clone());
            drawn.touched.reads.insert(counter);
            return drawn;
        }
        let depth = usize::from(may_be_deep && self.rng.chance(30));
        let inner = if depth == 0 { self.number() } else { self.expression(depth) };
        if inner.touched.interferes(other) {
            return Self::plain("0");
        }
        Drawn { text: format!("{} & {}", inner.text, length - 1), touched: inner.touched }
    }
    fn number(&mut self) -> Drawn {
        let numbers = self.numbers();
        let name = self.rng.pick(&numbers).name.clone();
        let mut drawn = Self::plain(name.clone());
        drawn.touched.reads.insert(name);
        drawn
    }
    /// An assignment, which has the value of what is assigned.
    pub(super) fn assignment(&mut self, depth: usize) -> Drawn {
        let Place { name, drawn: mut target } = self.place(true, depth > 1);
        // An index that changes the array or the variable itself is none.
        if target.touched.writes.contains(&name) {
            return self.read();
        }
        let is_step = self.rng.chance(35);
        if is_step {
            let text = match self.rng.below(4) {
                0 => format!("(++{})", target.text),
                1 => format!("(--{})", target.text),
                2 => format!("({}++)", target.text),
                _ => format!("({}--)", target.text),
            };
            target.touched.reads.insert(name.clone());
            target.touched.writes.insert(name);
            return Drawn { text, touched: target.touched };
        }
        let mut value = self.expression(depth.saturating_sub(1));
        let mut operator = *self
            .rng
            .pick(&["=", "=", "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="]);
        if value.touched.writes.contains(&name) || target.touched.interferes(&value.touched) {
            value = self.constant();
        }
        match operator {
            "<<=" | ">>=" => value = Self::plain(*self.rng.pick(&["1", "2u"])),
            "/=" | "%=" | "*=" => value = Self::plain(*self.rng.pick(&["3", "7u", "-2", "2L"])),
            "&=" | "|=" | "^=" if !self.is_bitwise => {
                value = Self::plain(*self.rng.pick(&["3", "0xF0u", "255"]));
            }
            "=" => {}
            // What reads and writes an element in the same place is left to `=`.
            _ if value.touched.reads.contains(&name) && self.rng.chance(50) => operator = "=",
            _ => {}
        }
        let mut touched = target.touched;
        touched.add(&value.touched);
        if operator != "=" {
            touched.reads.insert(name.clone());
        }
        touched.writes.insert(name);
        Drawn { text: format!("({} {operator} {})", target.text, value.text), touched }
    }
    /// A call whose arguments do not interfere with each other, nor with what the function does.
    fn call(&mut self, depth: usize) -> Drawn {
        if self.callees.is_empty() {
            return self.arithmetic(depth);
        }
        let Callee { name, parameters, touched: effects, is_recursive } =
            self.rng.pick(&self.callees).clone();
        let (mut arguments, mut touched) = (Vec::new(), Touched::default());
        for (at, parameter) in parameters.iter().enumerate() {
            let argument = match parameter {
                Some(lengths) => {
                    let Some(array) = self.argument(lengths) else { return self.read() };
                    array
                }
                None if is_recursive && at + 1 == parameters.len() => {
                    Self::plain(self.rng.below(4).to_string())
                }
                None => self.expression(depth - 1),
            };
            let argument = if argument.touched.interferes(&touched) && parameter.is_none() {
                self.constant()
            } else {
                argument
            };
            touched.add(&argument.touched);
            arguments.push(argument.text);
        }
        touched.add(&effects);
        // Two calls may share what only they see.
        touched.writes.insert("calls".to_owned());
        Drawn { text: format!("{name}({})", arguments.join(", ")), touched }
    }
    /// An array of the type of the first one, with these lengths.
    fn argument(&mut self, lengths: &[usize]) -> Option<Drawn> {
        let first = self.globals.iter().find(|(global, _)| global.lengths == lengths)?;
        let ctype = first.1.clone();
        let fitting: Vec<String> = self
            .globals
            .iter()
            .filter(|(global, other)| global.lengths == lengths && *other == ctype)
            .map(|(global, _)| global.name.clone())
            .collect();
        let name = self.rng.pick(&fitting).clone();
        let mut drawn = Self::plain(name.clone());
        drawn.touched.reads.insert(name.clone());
        drawn.touched.writes.insert(name);
        Some(drawn)
    }
}

/// What can be assigned to, and the variable that it belongs to.
struct Place {
    name: String,
    drawn: Drawn,
}
