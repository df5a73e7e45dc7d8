//! Declarations: the types that they give to names, and what they may not declare.

use super::scopes::{Fields, Named, Object, Tag};
use super::types::{Function, Integer, Type};
use super::{Body, Checker};
use crate::tree::NodeId;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Words that the grammar takes for storage classes, although they may stand beside one.
const INLINE: [&[u8]; 5] = [b"inline", b"__inline", b"__inline__", b"__forceinline", b"_Noreturn"];

/// What the words before the declarators of a declaration say.
pub(super) struct Specifiers {
    ty: Type,
    is_static: bool,
    is_extern: bool,
}

/// The parts of a structure, a union or an enumeration.
struct Tagged<'a> {
    name: Option<&'a [u8]>,
    /// Its members or constants.
    list: Option<NodeId>,
    /// What the name means, in this scope alone if the list follows.
    known: Option<Tag>,
}

/// A declarator with its type.
#[derive(Default)]
pub(super) struct Declared {
    name: Option<NodeId>,
    ty: Option<Type>,
    /// The innermost list of parameters: that of a function's definition.
    parameters: Option<NodeId>,
}

impl<'a> Checker<'a> {
    /// Whether a node is a declarator, of a name or of none.
    fn is_declarator(&self, node: NodeId) -> bool {
        matches!(
            self.kind(node),
            "identifier"
                | "field_identifier"
                | "type_identifier"
                | "primitive_type"
                | "pointer_declarator"
                | "array_declarator"
                | "function_declarator"
                | "parenthesized_declarator"
                | "attributed_declarator"
                | "abstract_pointer_declarator"
                | "abstract_array_declarator"
                | "abstract_function_declarator"
                | "abstract_parenthesized_declarator"
                | "init_declarator"
        )
    }

    fn is_type_specifier(&self, node: NodeId) -> bool {
        matches!(
            self.kind(node),
            "primitive_type"
                | "sized_type_specifier"
                | "type_identifier"
                | "struct_specifier"
                | "union_specifier"
                | "enum_specifier"
                | "macro_type_specifier"
        )
    }

    /// The specifiers of a declaration, and the parts behind its type.
    fn specifiers(&mut self, node: NodeId) -> (Specifiers, Vec<NodeId>) {
        let parts = self.parts(node);
        let storage = parts.iter().filter(|&&part| self.kind(part) == "storage_class_specifier");
        let storage = storage.map(|&part| self.text(part)).filter(|word| !INLINE.contains(word));
        let storage: Vec<&[u8]> = storage.collect();
        let has = |word: &[u8]| storage.contains(&word);
        let (is_static, is_extern) = (has(b"static"), has(b"extern"));
        self.error_if(storage.len() > 1 && !has(b"__thread") && !has(b"_Thread_local"));
        let at = parts.iter().position(|&part| self.is_type_specifier(part));
        let ty = at.map_or(Type::INT, |at| self.type_of(parts[at]));
        let rest = parts[at.map_or(0, |at| at + 1)..].to_vec();
        (Specifiers { ty, is_static, is_extern }, rest)
    }

    /// The type that a specifier names.
    pub(super) fn type_of(&mut self, node: NodeId) -> Type {
        match self.kind(node) {
            "primitive_type" => {
                let word = self.text(node);
                match Type::of_words(std::iter::once(word).filter(|word| !word.is_empty())) {
                    Some(ty) => ty,
                    None => self.type_named(word),
                }
            }
            "sized_type_specifier" => {
                let words =
                    self.text(node).split(|c| c.is_ascii_whitespace()).filter(|word| !word.is_empty());
                let words: Vec<&[u8]> =
                    words.filter(|word| !matches!(*word, b"const" | b"volatile")).collect();
                let ty = Type::of_words(words.into_iter());
                self.error_if(ty.is_none() && self.macros.is_empty());
                ty.unwrap_or(Type::Unknown)
            }
            "type_identifier" => self.type_named(self.text(node)),
            "struct_specifier" => self.record(node, false),
            "union_specifier" => self.record(node, true),
            "enum_specifier" => self.enumeration(node),
            _ => Type::Unknown,
        }
    }

    /// The type of a name that stands where a type must.
    fn type_named(&mut self, name: &[u8]) -> Type {
        match self.scopes.find(name) {
            Some(Named::Typedef(ty)) => return ty.clone(),
            Some(_) => self.error(),
            None => self.error_if(!self.may_be_foreign(name)),
        }
        Type::Unknown
    }

    /// Whether a name stands for a type here, as far as that is known.
    pub(super) fn may_be_type(&self, name: &[u8]) -> bool {
        match self.scopes.find(name) {
            Some(named) => matches!(named, Named::Typedef(_)),
            None => self.may_be_foreign(name),
        }
    }

    /// The parts of a structure, a union or an enumeration whose members or constants stand in a list of this kind.
    fn tagged(&self, node: NodeId, list: &str) -> Tagged<'a> {
        let parts = self.parts(node);
        let name = parts.iter().find(|&&part| self.kind(part) == "type_identifier").map(|&n| self.text(n));
        let list = parts.iter().copied().find(|&part| self.kind(part) == list);
        let known = name.and_then(|name| match list {
            Some(_) => self.scopes.tag_here(name),
            None => self.scopes.tag(name),
        });
        Tagged { name, list, known }
    }

    /// A structure or a union, with or without its members.
    fn record(&mut self, node: NodeId, is_union: bool) -> Type {
        let Tagged { name, list, known } = self.tagged(node, "field_declaration_list");
        let record = match known {
            Some(Tag::Record(record)) => {
                let other = self.scopes.record(record);
                let is_twice = list.is_some() && other.fields.is_some();
                self.error_if(is_twice || other.is_union != is_union);
                if is_twice { self.scopes.new_record(is_union) } else { record }
            }
            known => {
                self.error_if(known.is_some());
                let record = self.scopes.new_record(is_union);
                if let Some(name) = name {
                    self.scopes.declare_tag(name, Tag::Record(record));
                }
                record
            }
        };
        if let Some(list) = list {
            let fields = self.deeper(|checker| checker.fields(list)).unwrap_or_default();
            self.scopes.complete(record, fields);
        }
        Type::Record(record)
    }

    fn fields(&mut self, list: NodeId) -> Fields<'a> {
        let mut fields = Fields::new();
        for item in self.parts(list) {
            if self.kind(item) != "field_declaration" {
                continue;
            }
            let (specifiers, rest) = self.specifiers(item);
            let mut has_declarator = false;
            for part in rest {
                if self.kind(part) == "bitfield_clause" {
                    has_declarator = true;
                    self.error_if(!specifiers.ty.may_be_integer());
                    self.values(part);
                }
                if !self.is_declarator(part) {
                    continue;
                }
                has_declarator = true;
                let declared = self.declarator(part, specifiers.ty.clone(), false);
                let ty = declared.ty.unwrap_or(Type::Unknown);
                self.error_if(matches!(ty, Type::Function(_)) || self.is_incomplete(&ty));
                if let Some(name) = declared.name {
                    let is_second = fields.insert(self.text(name), ty).is_some();
                    self.error_if(is_second);
                }
            }
            if let (false, Type::Record(inner)) = (has_declarator, specifiers.ty) {
                let inner = self.scopes.record(inner).fields.clone();
                fields.extend(inner.unwrap_or_default());
            }
        }
        fields
    }

    fn enumeration(&mut self, node: NodeId) -> Type {
        let Tagged { name, list, known } = self.tagged(node, "enumerator_list");
        let enumeration = match known {
            Some(Tag::Enumeration(enumeration)) => enumeration,
            other => {
                self.error_if(other.is_some());
                let enumeration = self.scopes.new_enumeration();
                if let Some(name) = name {
                    self.scopes.declare_tag(name, Tag::Enumeration(enumeration));
                }
                enumeration
            }
        };
        if let Some(list) = list {
            self.error_if(self.scopes.is_enumerated(enumeration));
            let constants = self.parts(list);
            self.error_if(!constants.iter().any(|&constant| self.kind(constant) == "enumerator"));
            for constant in constants {
                if self.kind(constant) != "enumerator" {
                    continue;
                }
                let parts = self.parts(constant);
                if let Some(&value) = parts.get(1) {
                    self.constant(value);
                }
                if let Some(&name) = parts.first() {
                    self.error_if(self.scopes.here(self.text(name)).is_some());
                    self.scopes.declare(self.text(name), Named::Constant);
                }
            }
            self.scopes.enumerate(enumeration);
        }
        Type::Integer(Integer::Enumeration(enumeration))
    }

    /// The type of a type's name, as in a cast.
    pub(super) fn type_descriptor(&mut self, node: NodeId) -> Type {
        let (specifiers, rest) = self.specifiers(node);
        let declarator = rest.into_iter().find(|&part| self.is_declarator(part));
        match declarator {
            Some(declarator) => self.declarator(declarator, specifiers.ty, false).ty.unwrap_or(Type::Unknown),
            None => specifiers.ty,
        }
    }

    /// The name of a declarator and its type, where `ty` is the type of the specifiers.
    fn declarator(&mut self, node: NodeId, ty: Type, is_definition: bool) -> Declared {
        self.deeper(|checker| checker.shallow_declarator(node, ty, is_definition)).unwrap_or_default()
    }

    fn shallow_declarator(&mut self, node: NodeId, ty: Type, is_definition: bool) -> Declared {
        let parts = self.parts(node);
        let inner = parts.iter().copied().find(|&part| self.is_declarator(part));
        let (ty, parameters) = match self.kind(node) {
            "identifier" | "field_identifier" | "type_identifier" | "primitive_type" => {
                return Declared { name: Some(node), ty: Some(ty), parameters: None };
            }
            "pointer_declarator" | "abstract_pointer_declarator" => (Type::pointer_to(ty), None),
            "array_declarator" | "abstract_array_declarator" => {
                self.error_if(
                    matches!(ty, Type::Function(_) | Type::Array(_, false)) || self.is_incomplete(&ty),
                );
                let inner = match self.kind(node) {
                    "array_declarator" => inner,
                    _ => parts.iter().copied().find(|&part| self.is_abstract(part)),
                };
                let mut is_sized = false;
                for part in parts {
                    if Some(part) != inner && self.kind(part) != "type_qualifier" {
                        is_sized = true;
                        let size = self.value(part);
                        self.error_if(!size.may_be_integer());
                        let is_right = !self.scopes.is_file() || self.is_constant(part);
                        self.error_if(!is_right);
                    }
                }
                return self.inside(inner, Type::Array(Rc::new(ty), is_sized), None, is_definition);
            }
            "function_declarator" | "abstract_function_declarator" => {
                self.error_if(matches!(ty, Type::Function(_) | Type::Array(..)));
                let list = parts.iter().copied().find(|&part| self.kind(part) == "parameter_list");
                let (parameters, is_variadic) = match list {
                    Some(list) => self.parameters(list, is_definition),
                    None => (None, false),
                };
                (Type::Function(Rc::new(Function { result: ty, parameters, is_variadic })), list)
            }
            _ => (ty, None),
        };
        self.inside(inner, ty, parameters, is_definition)
    }

    fn is_abstract(&self, node: NodeId) -> bool {
        self.kind(node).starts_with("abstract_")
    }

    /// What stands inside of a declarator that makes this type, and has these parameters if it is one of a function.
    fn inside(
        &mut self,
        inner: Option<NodeId>,
        ty: Type,
        list: Option<NodeId>,
        is_definition: bool,
    ) -> Declared {
        let Some(inner) = inner else { return Declared { name: None, ty: Some(ty), parameters: list } };
        let declared = self.declarator(inner, ty, is_definition);
        Declared { parameters: declared.parameters.or(list), ..declared }
    }

    /// The types of parameters, `None` if they are not told, and whether any number of arguments may follow.
    fn parameters(&mut self, list: NodeId, is_definition: bool) -> (Option<Vec<Type>>, bool) {
        let parts = self.parts(list);
        let is_variadic = parts.iter().any(|&part| self.kind(part) == "variadic_parameter")
            || self.tree.children(list).any(|part| self.kind(part) == "...");
        if parts.is_empty() && !is_variadic {
            return (None, false);
        }
        let names = parts.iter().filter(|&&part| self.is_bare_name(part)).count();
        if names > 0 {
            // Names without types, as before C89.
            self.error_if(names < parts.len());
            return (None, false);
        }
        self.scopes.open();
        let mut types = Vec::new();
        let declarations = parts.iter().filter(|&&part| self.kind(part) == "parameter_declaration");
        for &part in &declarations.copied().collect::<Vec<_>>() {
            let (name, ty) = self.parameter(part);
            if ty.is_void() {
                let is_alone = parts.len() == 1 && !is_variadic;
                self.error_if(!is_alone);
                if is_alone && name.is_none() {
                    continue;
                }
            }
            self.error_if(is_definition && self.is_incomplete(&ty));
            if let Some(name) = name {
                self.error_if(self.scopes.here(name).is_some());
                self.scopes.declare(name, variable(ty.clone()));
            }
            types.push(ty);
        }
        self.scopes.close();
        (Some(types), is_variadic)
    }

    /// Whether a parameter is a name without a type: one that is no type's.
    fn is_bare_name(&self, parameter: NodeId) -> bool {
        if self.kind(parameter) == "identifier" {
            return true;
        }
        match self.parts(parameter)[..] {
            [only] => self.kind(only) == "type_identifier" && !self.may_be_type(self.text(only)),
            _ => false,
        }
    }

    fn parameter(&mut self, node: NodeId) -> (Option<&'a [u8]>, Type) {
        let (specifiers, rest) = self.specifiers(node);
        let declarator = rest.into_iter().find(|&part| self.is_declarator(part));
        let declared = match declarator {
            Some(declarator) => self.declarator(declarator, specifiers.ty, false),
            None => Declared { ty: Some(specifiers.ty), ..Declared::default() },
        };
        (declared.name.map(|name| self.text(name)), declared.ty.unwrap_or(Type::Unknown).decayed())
    }

    /// A declaration of variables, functions or types.
    pub(super) fn declaration(&mut self, node: NodeId) {
        let is_typedef = self.kind(node) == "type_definition"
            || self.parts(node).iter().any(|&part| self.text(part) == b"typedef");
        if self.is_product(node) {
            return;
        }
        let (specifiers, rest) = self.specifiers(node);
        for part in rest.into_iter().filter(|&part| self.is_declarator(part)).collect::<Vec<_>>() {
            let inner = self.parts(part);
            let (declarator, value) = match (self.kind(part), &inner[..]) {
                ("init_declarator", [declarator, .., value]) => (*declarator, Some(*value)),
                _ => (part, None),
            };
            let declared = self.declarator(declarator, specifiers.ty.clone(), false);
            let Some((name, ty)) = declared.name.zip(declared.ty) else { continue };
            let name = self.text(name);
            if is_typedef {
                self.declare_type(name, ty);
                continue;
            }
            self.declare(name, &specifiers, &ty, value.is_some());
            if let Some(value) = value {
                let is_static = self.scopes.is_file() || specifiers.is_static;
                self.initializer(&ty, value, is_static);
            }
        }
    }

    /// Whether `a * b;`, which the grammar takes for a declaration, multiplies.
    fn is_product(&self, node: NodeId) -> bool {
        match self.parts(node)[..] {
            [left, right] => {
                self.kind(left) == "type_identifier"
                    && self.kind(right) == "pointer_declarator"
                    && matches!(self.scopes.find(self.text(left)), Some(Named::Object(_) | Named::Constant))
            }
            _ => false,
        }
    }

    fn declare_type(&mut self, name: &'a [u8], ty: Type) {
        let is_wrong = match self.scopes.here(name) {
            Some(Named::Typedef(other)) => !other.is_compatible(&ty),
            other => other.is_some(),
        };
        self.error_if(is_wrong);
        self.scopes.declare(name, Named::Typedef(ty));
    }

    fn declare(&mut self, name: &'a [u8], specifiers: &Specifiers, ty: &Type, is_defined: bool) {
        let is_function = matches!(ty, Type::Function(_));
        let is_file = self.scopes.is_file();
        if !is_function && self.is_incomplete(ty) {
            match is_file && !is_defined {
                // Compilers accept such a variable, too, as long as nothing uses it.
                _ if ty.is_void() && is_file || specifiers.is_extern && !is_defined => {}
                true => self.incomplete.push(ty.clone()),
                false => self.error(),
            }
        }
        let mut object = Object {
            ty: ty.clone(),
            is_static: specifiers.is_static,
            is_defined,
            is_extern: specifiers.is_extern || is_function,
        };
        if !is_file && !is_function && !is_defined && !specifiers.is_extern {
            self.error_if(matches!(ty, Type::Array(_, false)));
        }
        match self.scopes.here(name).cloned() {
            None if !is_file && object.is_extern => {
                let other = self.scopes.at_file_level(name);
                let fits = match other {
                    Some(Named::Object(other)) => other.ty.is_compatible(ty),
                    _ => true,
                };
                self.error_if(!fits);
            }
            None => {}
            Some(Named::Object(other)) => {
                let is_linked = is_file || other.is_extern && object.is_extern;
                let is_hidden_later = object.is_static && !other.is_static;
                let is_shown_later = other.is_static && !object.is_static && !object.is_extern;
                let fits = is_linked && other.ty.is_compatible(ty) && !is_hidden_later && !is_shown_later;
                self.error_if(!fits || is_defined && other.is_defined);
                object.is_defined |= other.is_defined;
                object.is_static |= other.is_static;
                object.is_extern &= other.is_extern;
                // A declaration with parameters tells more than one without.
                let has_parameters = |ty: &Type| matches!(ty, Type::Function(f) if f.parameters.is_some());
                if fits && has_parameters(&other.ty) {
                    object.ty = other.ty;
                }
            }
            Some(_) => self.error(),
        }
        self.scopes.declare(name, Named::Object(object));
    }

    /// A function with its body.
    pub(super) fn definition(&mut self, node: NodeId) {
        let (specifiers, rest) = self.specifiers(node);
        let declarator = rest.iter().copied().find(|&part| self.is_declarator(part));
        let body = rest.iter().copied().find(|&part| self.kind(part) == "compound_statement");
        let Some((declarator, body)) = declarator.zip(body) else { return };
        let declared = self.declarator(declarator, specifiers.ty.clone(), true);
        let ty = declared.ty.unwrap_or(Type::Unknown);
        let result = match &ty {
            Type::Function(function) => function.result.clone(),
            other => {
                self.error_if(!other.is_unknown());
                Type::Unknown
            }
        };
        self.error_if(!result.is_void() && self.is_incomplete(&result));
        match declared.name {
            Some(name) => self.declare(self.text(name), &specifiers, &ty, true),
            None => self.error(),
        }
        self.scopes.open();
        if let Some(list) = declared.parameters {
            self.declare_parameters(
                list,
                rest.iter().copied().filter(|&part| self.kind(part) == "declaration").collect(),
            );
        }
        let outer = self.function.replace(Body { result, labels: BTreeSet::new(), gotos: Vec::new() });
        let (loops, switches) = (std::mem::take(&mut self.loops), std::mem::take(&mut self.switches));
        self.statements(body);
        (self.loops, self.switches) = (loops, switches);
        if let Some(Body { labels, gotos, .. }) = std::mem::replace(&mut self.function, outer) {
            let lost = gotos.iter().filter(|label| !labels.contains(*label)).count();
            self.errors += lost;
        }
        self.scopes.close();
    }

    /// Declares the parameters of a function in the scope of its body; with the declarations between them and the body.
    fn declare_parameters(&mut self, list: NodeId, declarations: Vec<NodeId>) {
        let parts = self.parts(list);
        let mut bare = BTreeSet::new();
        for part in parts {
            if self.is_bare_name(part) {
                bare.insert(self.text(part));
                self.scopes.declare(self.text(part), variable(Type::INT));
            } else if self.kind(part) == "parameter_declaration" {
                // Its errors are known already.
                let errors = self.errors;
                let (name, ty) = self.parameter(part);
                self.errors = errors;
                if let Some(name) = name {
                    self.scopes.declare(name, variable(ty));
                }
            }
        }
        for declaration in declarations {
            let (specifiers, rest) = self.specifiers(declaration);
            for part in rest.into_iter().filter(|&part| self.is_declarator(part)).collect::<Vec<_>>() {
                let declared = self.declarator(part, specifiers.ty.clone(), false);
                let Some((name, ty)) = declared.name.zip(declared.ty) else { continue };
                self.error_if(!bare.contains(self.text(name)) || self.is_incomplete(&ty));
                self.scopes.declare(self.text(name), variable(ty.decayed()));
            }
        }
    }
}

/// A variable of this type.
fn variable(ty: Type) -> Named {
    Named::Object(Object { ty, is_static: false, is_defined: true, is_extern: false })
}
