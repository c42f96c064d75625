//! Declarations of data types: `declare-datatype`, and `declare-datatypes` as in SMT-LIB 2.6 and
//! before.
//!
//! A whole declaration is read before anything of it has a meaning, with the declared types as
//! parameters of the sorts of fields. Then the types are split into groups that refer to each
//! other, which the store gets one after the other, each after those that it uses; so a type may
//! stand inside arrays unless it contains itself.
//!
//! Source: [SMTLIB] §4.2.3; before version 2.6, the form of z3:
//! `(declare-datatypes () ((T (c (f S)) d)))`. DIVERGENCE: no types with parameters, and no
//! recursion through arrays.

use shofar_base::{Diagnostic, Read, Set, components};
use shofar_term::{
    BadData, ConstructorDeclaration, DEEPEST_SORT, DataDeclaration, FieldSort, Sort,
};

use crate::command::Command;
use crate::environment::Meaning;
use crate::names::Name;
use crate::parse::Parser;
use crate::sexpr::{self, expect_close, expect_open, is_symbol, unexpected};
use crate::shape::Shape;
use crate::token::{Token, TokenKind};

/// A type as it was written.
struct Declared {
    token: Token,
    constructors: Vec<Constructed>,
}

struct Constructed {
    name: Name,
    fields: Vec<(Name, Token, Shape)>,
}

impl Parser<'_, '_> {
    /// `declare-datatype`, behind the word.
    pub(crate) fn declare_datatype(&mut self) -> Read<Command> {
        let token = self.env.sorts.new_name(self.lexer)?;
        let names = [self.lexer.token_bytes(token).into()];
        let constructors = self.body_of_type(&names, token)?;
        self.declare_types(&[Declared { token, constructors }])
    }
    /// `declare-datatypes`, behind the word.
    pub(crate) fn declare_datatypes(&mut self) -> Read<Command> {
        expect_open(self.lexer)?;
        let tokens = self.types_with_arities()?;
        if tokens.is_empty() {
            return self.declare_old();
        }
        let names = self.names_of_types(&tokens)?;
        expect_open(self.lexer)?;
        let mut types = Vec::with_capacity(tokens.len());
        for token in tokens {
            types.push(Declared { token, constructors: self.body_of_type(&names, token)? });
        }
        expect_close(self.lexer)?;
        self.declare_types(&types)
    }
    /// `((T 0) (U 0))`, behind its parenthesis.
    fn types_with_arities(&mut self) -> Read<Vec<Token>> {
        let mut tokens = Vec::new();
        loop {
            let open = self.lexer.next()?;
            if open.kind == TokenKind::Close {
                return Ok(tokens);
            }
            if is_symbol(open) {
                return Err(self.parametric(open));
            }
            if open.kind != TokenKind::Open {
                return Err(unexpected(self.lexer, "a type with its arity", open));
            }
            let token = self.env.sorts.new_name(self.lexer)?;
            let arity = sexpr::expect(self.lexer, TokenKind::Numeral, "a numeral")?;
            if self.lexer.token_bytes(arity) != b"0" {
                return Err(self.parametric(token));
            }
            expect_close(self.lexer)?;
            tokens.push(token);
        }
    }
    /// `((T (c (f S)) d) …)`, behind the empty list of parameters.
    fn declare_old(&mut self) -> Read<Command> {
        let list = expect_open(self.lexer)?;
        // The names of all types come first, since they may refer to later ones.
        let mut tokens = Vec::new();
        while self.lexer.peek()?.kind == TokenKind::Open {
            let open = self.lexer.next()?;
            tokens.push(self.env.sorts.new_name(self.lexer)?);
            self.lexer.rewind(open.start());
            let open = self.lexer.next()?;
            sexpr::skip(self.lexer, open)?;
        }
        let names = self.names_of_types(&tokens)?;
        self.lexer.rewind(list.end());
        let mut types = Vec::new();
        for token in tokens {
            expect_open(self.lexer)?;
            self.lexer.next()?;
            types.push(Declared { token, constructors: self.constructors(&names, token)? });
        }
        expect_close(self.lexer)?;
        if types.is_empty() {
            return Err(self.lexer.error_at(list, "no data type is declared"));
        }
        self.declare_types(&types)
    }
    fn names_of_types(&self, tokens: &[Token]) -> Read<Vec<Box<[u8]>>> {
        let mut seen = Set::default();
        let mut names: Vec<Box<[u8]>> = Vec::new();
        for &token in tokens {
            let name: Box<[u8]> = self.lexer.token_bytes(token).into();
            if !seen.insert(name.clone()) {
                let text = self.lexer.token_str(token);
                let message = format!("the data type `{text}` is declared twice");
                return Err(self.lexer.error_at(token, message));
            }
            names.push(name);
        }
        Ok(names)
    }
    fn parametric(&self, token: Token) -> Box<Diagnostic> {
        let text = self.lexer.token_str(token);
        self.lexer
            .error_at(token, format!("data types with parameters are not supported: `{text}`"))
    }

    /// The constructors of a type, in parentheses.
    fn body_of_type(&mut self, names: &[Box<[u8]>], of: Token) -> Read<Vec<Constructed>> {
        expect_open(self.lexer)?;
        let first = self.lexer.peek()?;
        if first.kind == TokenKind::Symbol && self.lexer.token_bytes(first) == b"par" {
            return Err(self.parametric(of));
        }
        self.constructors(names, of)
    }
    /// The constructors of a type, up to the closing parenthesis.
    fn constructors(&mut self, names: &[Box<[u8]>], of: Token) -> Read<Vec<Constructed>> {
        let mut constructors = Vec::new();
        let (mut seen, mut selectors) = (Set::default(), Set::default());
        loop {
            let token = self.lexer.peek()?;
            if token.kind == TokenKind::Close {
                self.lexer.next()?;
                break;
            }
            let has_fields = token.kind == TokenKind::Open;
            if has_fields {
                self.lexer.next()?;
            }
            let (name, symbol) = self.data_name("the name of a constructor")?;
            if !seen.insert(name) {
                return Err(self.twice("constructor", name, symbol));
            }
            let fields = if has_fields { self.fields(names)? } else { Vec::new() };
            for &(selector, symbol, _) in &fields {
                if !selectors.insert(selector) {
                    return Err(self.twice("selector", selector, symbol));
                }
            }
            constructors.push(Constructed { name, fields });
        }
        if constructors.is_empty() {
            let text = self.lexer.token_str(of);
            let message = format!("the data type `{text}` has no constructor");
            return Err(self.lexer.error_at(of, message));
        }
        Ok(constructors)
    }
    /// The fields of a constructor, up to the closing parenthesis.
    fn fields(&mut self, names: &[Box<[u8]>]) -> Read<Vec<(Name, Token, Shape)>> {
        let mut fields = Vec::new();
        loop {
            let open = self.lexer.next()?;
            if open.kind == TokenKind::Close {
                return Ok(fields);
            }
            if open.kind != TokenKind::Open {
                return Err(unexpected(self.lexer, "a selector with its sort", open));
            }
            let (name, token) = self.data_name("the name of a selector")?;
            let shape = self.env.sorts.expression(self.store, self.lexer, names)?;
            expect_close(self.lexer)?;
            fields.push((name, token, shape));
        }
    }
    /// A name that constructors and selectors may have.
    fn data_name(&mut self, what: &str) -> Read<(Name, Token)> {
        let token = sexpr::symbol(self.lexer, what)?;
        let name = self.env.name_of(self.lexer, token);
        let text = self.env.text(name);
        match self.env.global(name) {
            Meaning::Unbound | Meaning::Data(_) => Ok((name, token)),
            Meaning::Builtin(_) => {
                Err(self.lexer.error_at(token, format!("`{text}` is a function of the theories")))
            }
            Meaning::Term(_) | Meaning::Definition(_) | Meaning::Function(_) => {
                Err(self.lexer.error_at(token, format!("`{text}` is already declared or defined")))
            }
        }
    }
    fn twice(&self, what: &str, name: Name, token: Token) -> Box<Diagnostic> {
        let text = self.env.text(name);
        self.lexer.error_at(token, format!("the {what} `{text}` occurs twice in one data type"))
    }

    /// Gives all types to the store, and their names a meaning.
    fn declare_types(&mut self, types: &[Declared]) -> Read<Command> {
        let uses: Vec<Vec<usize>> = types
            .iter()
            .map(|data| {
                let fields = data.constructors.iter().flat_map(|c| &c.fields);
                fields.flat_map(|(_, _, shape)| shape.parameters()).collect()
            })
            .collect();
        let mut sorts: Vec<Option<Sort>> = vec![None; types.len()];
        for group in components(&uses) {
            let declarations = self.group(types, &group, &sorts)?;
            let made = self.store.declare_data(declarations).map_err(|bad| {
                let (place, what) = match bad {
                    BadData::Empty(place) => (place, "has no finite value".to_owned()),
                    BadData::TooDeep(place) => {
                        (place, format!("nests more than {DEEPEST_SORT} deep"))
                    }
                };
                let token = types[group[place]].token;
                let text = self.lexer.token_str(token);
                self.lexer.error_at(token, format!("the data type `{text}` {what}"))
            })?;
            for (&place, sort) in group.iter().zip(made) {
                sorts[place] = Some(sort);
            }
        }
        let mut first = None;
        for (data, sort) in types.iter().zip(sorts) {
            let sort = sort.expect("every type is in a group");
            let name = self.env.sorts.enter(self.lexer, data.token, sort);
            first.get_or_insert(name);
            self.bind_names(data, sort);
        }
        Ok(Command::Define { name: first.expect("a type is declared") })
    }
    fn bind_names(&mut self, data: &Declared, sort: Sort) {
        let made = self.store.constructors(sort).expect("a data type").to_vec();
        for (written, constructor) in data.constructors.iter().zip(made) {
            self.env.add_constructor(written.name, constructor);
            let fields = self.store.constructor_fields(constructor);
            for ((name, _, _), &field) in written.fields.iter().zip(fields) {
                self.env.add_field(*name, field);
            }
        }
    }
    /// A group of types, when the ones that it uses are known.
    fn group(
        &mut self,
        types: &[Declared],
        group: &[usize],
        sorts: &[Option<Sort>],
    ) -> Read<Vec<DataDeclaration>> {
        let mut declarations = Vec::with_capacity(group.len());
        for &place in group {
            let data = &types[place];
            let mut constructors = Vec::with_capacity(data.constructors.len());
            for constructor in &data.constructors {
                let mut fields: Vec<(Box<str>, FieldSort)> = Vec::new();
                for (name, token, shape) in &constructor.fields {
                    let sort = self.field_sort(shape, group, sorts, *token)?;
                    fields.push((self.env.text(*name).into(), sort));
                }
                let name = self.env.text(constructor.name).into();
                constructors.push(ConstructorDeclaration { name, fields });
            }
            let name = self.lexer.token_str(data.token).into();
            declarations.push(DataDeclaration { name, constructors });
        }
        Ok(declarations)
    }
    fn field_sort(
        &mut self,
        shape: &Shape,
        group: &[usize],
        sorts: &[Option<Sort>],
        token: Token,
    ) -> Read<FieldSort> {
        if let Shape::Sort(sort) = shape {
            return Ok(FieldSort::Known(*sort));
        }
        let own = |place: usize| group.iter().position(|&member| member == place);
        if let Some(place) = shape.as_parameter().and_then(own) {
            return Ok(FieldSort::Own(place));
        }
        if shape.parameters().any(|place| own(place).is_some()) {
            let text = self.lexer.token_str(token);
            let message = format!(
                "data types that contain themselves inside arrays are not supported: `{text}`"
            );
            return Err(self.lexer.error_at(token, message));
        }
        let known: Vec<Shape> =
            sorts.iter().map(|sort| Shape::Sort(sort.unwrap_or(Sort::BOOL))).collect();
        match shape.fill(self.store, &known) {
            Some(Shape::Sort(sort)) => Ok(FieldSort::Known(sort)),
            Some(Shape::Open(_)) | None => {
                let message =
                    format!("sorts that nest more than {DEEPEST_SORT} deep are not supported");
                Err(self.lexer.error_at(token, message))
            }
        }
    }
}
