//! Random statements.

use super::{Draft, Drawn, Piece};

impl Draft {
    /// As many statements as there is fuel for.
    pub(super) fn statements(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        while self.fuel > 0 {
            pieces.extend(self.statement(2));
        }
        pieces
    }
    fn some(&mut self, depth: usize) -> Vec<Piece> {
        let outside = self.variables.len();
        let mut pieces = Vec::new();
        for _ in 0..=self.rng.below(2) {
            pieces.extend(self.statement(depth));
        }
        self.variables.truncate(outside);
        pieces
    }
    fn note(&mut self, drawn: &Drawn) {
        self.touched.add(&drawn.touched);
    }
    fn condition(&mut self) -> String {
        let drawn = self.expression(2);
        self.note(&drawn);
        drawn.text
    }
    fn effect(&mut self) -> Piece {
        let drawn = self.assignment(3);
        self.note(&drawn);
        Piece::line(format!("{};", drawn.text))
    }
    /// Puts a value into `seen`; functions do so, too, so it must not be touched in the value.
    fn observe(&mut self) -> Piece {
        let drawn = self.expression(2);
        self.note(&drawn);
        if drawn.touched.writes.contains("calls") {
            return Piece::line(format!("{};", drawn.text));
        }
        for set in [&mut self.touched.reads, &mut self.touched.writes] {
            set.insert("seen".to_owned());
        }
        Piece::line(format!("seen = seen * 31u + (unsigned){};", drawn.text))
    }
    fn counter(&mut self) -> String {
        self.counters += 1;
        format!("i{}", self.counters)
    }
    /// A statement, or several that belong together.
    fn statement(&mut self, depth: usize) -> Vec<Piece> {
        self.fuel = self.fuel.saturating_sub(1);
        let choice = if depth == 0 { self.rng.below(58) } else { self.rng.below(100) };
        match choice {
            0..34 => vec![self.effect()],
            34..48 => vec![self.observe()],
            48..52 => vec![self.leave()],
            52..54 => vec![self.assertion()],
            54..58 => vec![self.declaration()],
            58..68 => self.choice(depth),
            68..80 => vec![self.repeat(depth)],
            80..90 => vec![self.switch(depth)],
            90..95 => self.jump_back(depth),
            _ => self.jump_forward(depth),
        }
    }
    /// Leaves a loop or a switch under a condition.
    fn leave(&mut self) -> Piece {
        let condition = self.condition();
        let word = match (self.loops > 0, self.switches > 0) {
            (true, _) if self.rng.chance(50) => "continue",
            (true, _) | (_, true) => "break",
            (false, false) => return Piece::line(format!("if ({condition}) seen += 5u;")),
        };
        Piece::line(format!("if ({condition}) {word};"))
    }
    /// Something that holds most of the time.
    fn assertion(&mut self) -> Piece {
        let condition = self.condition();
        if !self.is_main || self.rng.chance(60) {
            return Piece::line(format!("if ({condition}) seen ^= 9u;"));
        }
        if self.rng.chance(30) {
            return Piece::line(format!("if (!({condition})) reach_error();"));
        }
        Piece::line(format!("assert({condition});"))
    }
    fn declaration(&mut self) -> Piece {
        let (name, ctype) = (self.counter(), self.ctype().0);
        let drawn = self.expression(2);
        self.note(&drawn);
        let piece = Piece::line(format!("{ctype} {name} = {};", drawn.text));
        self.variable(name, Vec::new(), false);
        piece
    }
    fn choice(&mut self, depth: usize) -> Vec<Piece> {
        let mut yes = Piece::block(format!("if ({}) {{", self.condition()), self.some(depth - 1));
        if self.rng.chance(50) {
            return vec![yes];
        }
        "} else {".clone_into(&mut yes.close);
        let mut inner = std::mem::take(&mut yes.inner);
        inner.push(Piece::line("} else {"));
        inner.extend(self.some(depth - 1));
        vec![Piece::block(yes.open, inner)]
    }
    /// A loop that ends after a few rounds.
    fn repeat(&mut self, depth: usize) -> Piece {
        let (counter, rounds) = (self.counter(), 1 + self.rng.below(3));
        let outside = self.variables.len();
        self.variable(counter.clone(), Vec::new(), false);
        if let Some(last) = self.variables.last_mut() {
            last.is_constant = true;
        }
        self.loops += 1;
        let inner = self.some(depth - 1);
        self.loops -= 1;
        self.variables.truncate(outside);
        let also =
            if self.rng.chance(30) { format!(" && {}", self.condition()) } else { String::new() };
        match self.rng.below(3) {
            0 => Piece::block(
                format!("for (int {counter} = 0; {counter} < {rounds}{also}; {counter}++) {{"),
                inner,
            ),
            1 => {
                let head = format!("while ({counter}-- > 0{also}) {{");
                let declared = Piece::line(format!("int {counter} = {rounds};"));
                Piece::block("{", vec![declared, Piece::block(head, inner)])
            }
            _ => {
                let mut body = Piece::block("do {", inner);
                body.close = format!("}} while (--{counter} > 0{also});");
                let declared = Piece::line(format!("int {counter} = {rounds};"));
                Piece::block("{", vec![declared, body])
            }
        }
    }
    fn switch(&mut self, depth: usize) -> Piece {
        let mut condition = self.condition();
        if self.rng.chance(50) {
            condition = format!("({condition}) & 3");
        }
        let mut cases = vec!["0", "1", "2", "3", "-1", "'a'", "255"];
        let (mut inner, mut has_default) = (Vec::new(), false);
        self.switches += 1;
        // A `continue` would belong to the loop around.
        let loops = std::mem::replace(&mut self.loops, 0);
        for _ in 0..2 + self.rng.below(3) {
            if !has_default && self.rng.chance(20) {
                has_default = true;
                inner.push(Piece::line("default:"));
            } else {
                let at = self.rng.below(cases.len());
                inner.push(Piece::line(format!("case {}:", cases.remove(at))));
            }
            inner.extend(self.cases(depth));
            if self.rng.chance(60) {
                inner.push(Piece::line("break;"));
            }
        }
        inner.push(Piece::line(";"));
        self.switches -= 1;
        self.loops = loops;
        Piece::block(format!("switch ({condition}) {{"), inner)
    }
    /// What belongs to a case: no declaration that others would pass over.
    fn cases(&mut self, depth: usize) -> Vec<Piece> {
        let inner = self.some(depth - 1);
        vec![Piece::block("{", inner)]
    }
    fn jump_back(&mut self, depth: usize) -> Vec<Piece> {
        self.labels += 1;
        let (label, counter) = (format!("again{}", self.labels), self.counter());
        let mut inner = vec![Piece::line(format!("int {counter} = 0;"))];
        inner.push(Piece::line(format!("{label}: ;")));
        inner.extend(self.some(depth - 1));
        let condition = self.condition();
        let rounds = 1 + self.rng.below(3);
        inner.push(Piece::line(format!(
            "if ({counter}++ < {rounds} && ({condition})) goto {label};"
        )));
        vec![Piece::block("{", inner)]
    }
    fn jump_forward(&mut self, depth: usize) -> Vec<Piece> {
        self.labels += 1;
        let label = format!("out{}", self.labels);
        let mut inner = vec![Piece::line(format!("if ({}) goto {label};", self.condition()))];
        inner.extend(self.some(depth - 1));
        inner.push(Piece::line(format!("{label}: ;")));
        inner.extend(self.some(depth - 1));
        vec![Piece::block("{", inner)]
    }
}
