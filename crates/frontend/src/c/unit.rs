//! What stands outside of functions: declarations, global variables, and which functions there are.

use lang_c::ast::{
    Declaration, ExternalDeclaration, FunctionDefinition, Identifier, Initializer, TranslationUnit,
};
use lang_c::span::Node;
use shofar_base::Diagnostic;
use shofar_term::Term;

use super::lower::Lowering;
use super::parameters::Callable;
use super::program::{Role, Shape, VarId, Variable};
use super::scope::{CType, Entity, Storage};

impl<'a> Lowering<'a> {
    /// Takes note of everything that stands outside of functions.
    pub(super) fn unit(&mut self, unit: &'a TranslationUnit) -> Result<(), Diagnostic> {
        for external in &unit.0 {
            match &external.node {
                ExternalDeclaration::Declaration(declaration) => {
                    self.global_declaration(&declaration.node)?;
                }
                ExternalDeclaration::StaticAssert(assertion) => self.static_assertion(assertion)?,
                ExternalDeclaration::FunctionDefinition(definition) => {
                    self.definition(definition)?;
                }
            }
        }
        self.close_effects();
        Ok(())
    }
    fn definition(&mut self, node: &'a Node<FunctionDefinition>) -> Result<(), Diagnostic> {
        let definition = &node.node;
        let (base, _) = self.specified(&definition.specifiers)?;
        let declared = self.declared(base, &definition.declarator.node)?;
        let (Some(name), CType::Function(result)) = (declared.name, declared.ctype) else {
            return self.refuse(&definition.declarator.span, "this form of a function");
        };
        if let Some(old) = definition.declarations.first() {
            return self.refuse(&old.span, "a declaration of parameters in the old style");
        }
        let at = self.at(&name.span);
        self.declare(&name.node.name, Entity::Function((*result).clone()), at)?;
        let callable = Callable::new(definition, *result, self.at(&node.span));
        if self.callables.insert(name.node.name.clone(), callable).is_some() {
            let message = format!("there are two functions `{}`", name.node.name);
            return Err(Diagnostic::new(at, message));
        }
        Ok(())
    }
    fn global_declaration(&mut self, declaration: &Declaration) -> Result<(), Diagnostic> {
        let (base, storage) = self.specified(&declaration.specifiers)?;
        for declarator in &declaration.declarators {
            let declared = self.declared(base.clone(), &declarator.node.declarator.node)?;
            let Some(name) = declared.name else { continue };
            let initializer = declarator.node.initializer.as_ref();
            match declared.ctype {
                ctype if storage == Storage::Typedef => {
                    let at = self.at(&name.span);
                    self.declare(&name.node.name, Entity::Type(ctype), at)?;
                }
                // What is only announced may have any value, and many names of headers are.
                CType::Data(_) if storage == Storage::Extern && initializer.is_none() => {
                    if self.scopes.find(&name.node.name).is_none() {
                        let elsewhere = Entity::Refused("a variable that is defined elsewhere");
                        let at = self.at(&name.span);
                        self.declare(&name.node.name, elsewhere, at)?;
                    }
                }
                CType::Data(shape) => self.global(name, shape, initializer)?,
                CType::Function(result) => {
                    let at = self.at(&name.span);
                    self.declare(&name.node.name, Entity::Function(*result), at)?;
                }
                CType::Void => return self.refuse(&name.span, "a variable of type `void`"),
                CType::Refused(what) => {
                    let at = self.at(&name.span);
                    self.declare(&name.node.name, Entity::Refused(what), at)?;
                }
            }
        }
        Ok(())
    }
    /// A global variable, which may be declared several times.
    fn global(
        &mut self,
        name: &Node<Identifier>,
        shape: Shape,
        initializer: Option<&Node<Initializer>>,
    ) -> Result<(), Diagnostic> {
        let (shape, value) = self.constant_initial(shape, initializer)?;
        let at = self.at(&name.span);
        if let Some(Entity::Variable(known)) = self.scopes.find(&name.node.name).cloned() {
            if self.variables[known].shape != shape {
                let message = format!("`{}` is declared with another type before", name.node.name);
                return Err(Diagnostic::new(at, message));
            }
            if let (Some(value), Some(global)) =
                (value, self.globals.iter_mut().find(|(variable, _)| *variable == known))
            {
                global.1 = value;
            }
            return Ok(());
        }
        let variable = self.new_global(&name.node.name, shape, value);
        self.declare(&name.node.name, Entity::Variable(variable), at)?;
        Ok(())
    }
    fn new_global(&mut self, name: &str, shape: Shape, value: Option<Term>) -> VarId {
        let value = value.unwrap_or_else(|| shape.zero(self.store));
        let sort = shape.sort(self.store);
        let term = self.store.var(name, sort);
        let name = name.to_owned();
        self.global_names.insert(name.clone());
        let variable = Variable { name, shape, role: Role::Global, term };
        let variable = self.variables.push(variable);
        self.globals.push((variable, value));
        variable
    }
    /// A variable of a function that lives as long as the program.
    pub(super) fn static_variable(
        &mut self,
        name: &Node<Identifier>,
        shape: Shape,
        initializer: Option<&Node<Initializer>>,
    ) -> Result<VarId, Diagnostic> {
        if let Some(&known) = self.statics.get(&name.span.start) {
            return Ok(known);
        }
        let (shape, value) = self.constant_initial(shape, initializer)?;
        // Variables of other functions never have such a name.
        let mut unique = format!("{}.static", name.node.name);
        while self.global_names.contains(&unique) {
            unique.push('\'');
        }
        let variable = self.new_global(&unique, shape, value);
        self.statics.insert(name.span.start, variable);
        Ok(variable)
    }
}
