//! Expressions: their types, whether they stand for places, and what their operands may not be.

use super::Checker;
use super::scopes::{Named, Object};
use super::types::{Floating, Function, Integer, Type};
use crate::tree::NodeId;
use std::rc::Rc;

/// The type of an expression.
struct Term {
    ty: Type,
    /// Whether it may stand for a place in memory.
    is_place: bool,
}

impl Term {
    const UNKNOWN: Self = Self { ty: Type::Unknown, is_place: true };

    fn place(ty: Type) -> Self {
        Self { ty, is_place: true }
    }

    fn value(ty: Type) -> Self {
        Self { ty, is_place: false }
    }
}

impl Checker<'_> {
    /// The type of an expression's value.
    pub(super) fn value(&mut self, node: NodeId) -> Type {
        self.operand(node).ty.decayed()
    }

    /// The expressions among the parts of a node.
    pub(super) fn values(&mut self, node: NodeId) {
        for part in self.parts(node) {
            self.value(part);
        }
    }

    /// An expression that decides.
    pub(super) fn condition(&mut self, node: NodeId) {
        let value = self.value(node);
        self.error_if(!value.may_be_scalar());
    }

    /// An expression that must be an integer constant.
    pub(super) fn constant(&mut self, node: NodeId) {
        let value = self.value(node);
        let is_right = value.may_be_integer() && self.is_constant(node);
        self.error_if(!is_right);
    }

    /// Whether the value of an expression may be a constant, or the address of something static (C11, 6.6).
    pub(super) fn is_constant(&mut self, node: NodeId) -> bool {
        self.deeper(|checker| checker.is_shallowly_constant(node)).unwrap_or(true)
    }

    fn is_shallowly_constant(&mut self, node: NodeId) -> bool {
        let parts = self.parts(node);
        match (self.kind(node), &parts[..]) {
            ("call_expression", [name, ..]) => self.may_be_foreign(self.text(*name)),
            ("assignment_expression" | "update_expression", _) => false,
            ("sizeof_expression" | "alignof_expression" | "offsetof_expression" | "string_literal", _) => {
                true
            }
            ("pointer_expression", [part]) if self.text(node).starts_with(b"&") => {
                self.is_static_place(*part)
            }
            ("identifier" | "subscript_expression" | "field_expression" | "pointer_expression", _) => {
                // An array or a function stands for its address; the value of a variable is no constant.
                let errors = self.errors;
                let operand = self.operand(node);
                self.errors = errors;
                let is_address = matches!(operand.ty, Type::Array(..) | Type::Function(_));
                !operand.is_place || operand.ty.is_unknown() || is_address && self.is_static_place(node)
            }
            _ => parts.into_iter().all(|part| self.is_constant(part)),
        }
    }

    /// Whether an expression may stand for a place whose address is known before the program runs.
    fn is_static_place(&mut self, node: NodeId) -> bool {
        let parts = self.parts(node);
        match (self.kind(node), &parts[..]) {
            ("parenthesized_expression", [part]) => self.is_static_place(*part),
            ("subscript_expression", [array, index]) => self.is_constant(*array) && self.is_constant(*index),
            ("pointer_expression", [part]) => self.is_constant(*part),
            ("field_expression", [object, field]) => match self.operator(node, *object, *field) {
                "->" => self.is_constant(*object),
                _ => self.is_static_place(*object),
            },
            _ => true,
        }
    }

    /// The initializer of a variable. That of a static one must be constant.
    pub(super) fn initializer(&mut self, ty: &Type, value: NodeId, is_static: bool) {
        self.deeper(|checker| checker.shallow_initializer(ty, value, is_static));
    }

    fn shallow_initializer(&mut self, ty: &Type, value: NodeId, is_static: bool) {
        if self.kind(value) == "initializer_list" {
            let element = match ty {
                Type::Array(element, _) => Type::clone(element),
                _ => Type::Unknown,
            };
            for part in self.parts(value) {
                let part = match self.kind(part) {
                    "initializer_pair" => self.parts(part).last().copied().unwrap_or(part),
                    _ => part,
                };
                // Braces around the elements of an inner array may be missing.
                let is_whole = self.kind(part) == "initializer_list" || element.may_be_scalar();
                let inner = Some(&element).filter(|inner| is_whole && !matches!(inner, Type::Array(..)));
                self.initializer(inner.unwrap_or(&Type::Unknown), part, is_static);
            }
            return;
        }
        let operand = self.operand(value);
        let is_string = matches!(self.kind(value), "string_literal" | "concatenated_string");
        let is_wrong = match ty {
            Type::Array(..) => {
                !is_string && self.kind(value) != "compound_literal_expression" && !operand.ty.is_unknown()
            }
            _ => !operand.ty.clone().decayed().is_assignable_to(ty),
        };
        self.error_if(is_wrong);
        let has_address =
            matches!(operand.ty, Type::Array(..) | Type::Function(_)) || self.text(value).starts_with(b"&");
        let is_cut = matches!(ty, Type::Integer(Integer::Sized(..=32, _))) && has_address;
        let is_constant = !is_static || !is_cut && self.is_constant(value);
        self.error_if(!is_constant);
    }

    fn operand(&mut self, node: NodeId) -> Term {
        self.deeper(|checker| checker.shallow_operand(node)).unwrap_or(Term::UNKNOWN)
    }

    fn shallow_operand(&mut self, node: NodeId) -> Term {
        let parts = self.parts(node);
        match (self.kind(node), &parts[..]) {
            ("identifier" | "null" | "true" | "false", _) => self.name(node),
            ("number_literal", _) => Term::value(number(self.text(node))),
            ("char_literal", _) => Term::value(Type::INT),
            ("string_literal" | "concatenated_string", _) => {
                Term::place(Type::Array(Rc::new(Type::Integer(Integer::Char)), true))
            }
            ("parenthesized_expression" | "extension_expression", [part]) => match self.kind(*part) {
                "compound_statement" => {
                    self.declaration_or_statement(*part);
                    Term::UNKNOWN
                }
                "identifier" if matches!(self.scopes.find(self.text(*part)), Some(Named::Typedef(_))) => {
                    // The grammar cannot tell `sizeof(type)` and `(type)(value)` from expressions.
                    Term::UNKNOWN
                }
                _ => self.operand(*part),
            },
            ("comma_expression", [left, right]) => {
                self.value(*left);
                Term::value(self.value(*right))
            }
            ("unary_expression", [part]) => self.unary(node, *part),
            ("pointer_expression", [part]) => self.pointer(node, *part),
            ("update_expression", [part]) => {
                let operand = self.operand(*part);
                let is_wrong = !is_modifiable(&operand) || !operand.ty.may_be_scalar();
                self.error_if(is_wrong || self.points_to_incomplete(&operand.ty));
                Term::value(operand.ty)
            }
            ("assignment_expression", [left, right]) => self.assignment(node, *left, *right),
            ("binary_expression", [left, right]) => {
                let (a, b) = (self.value(*left), self.value(*right));
                let operator = self.operator(node, *left, *right);
                Term::value(self.binary(operator, a, b))
            }
            ("conditional_expression", [condition, branches @ ..]) => {
                self.condition(*condition);
                let types: Vec<Type> = branches.iter().map(|&branch| self.value(branch)).collect();
                match &types[..] {
                    [a, b] => {
                        let is_wrong = a.is_record() != b.is_record() && !a.is_unknown() && !b.is_unknown();
                        self.error_if(is_wrong);
                        let is_null = |ty: &Type| matches!(ty, Type::Integer(_) | Type::Void);
                        Term::value(if is_null(a) || a.is_unknown() { b.clone() } else { a.clone() })
                    }
                    [only] => Term::value(only.clone()),
                    _ => Term::UNKNOWN,
                }
            }
            ("call_expression", [function, arguments]) => self.call(*function, *arguments),
            ("field_expression", [object, field]) => self.field(node, *object, *field),
            ("subscript_expression", [array, index]) => {
                let (a, b) = (self.value(*array), self.value(*index));
                self.subscript(&a, &b)
            }
            ("cast_expression", [ty, value]) => {
                if self.is_operand_in_brackets(*ty) {
                    self.value(*value);
                    return Term::value(Type::Unknown);
                }
                let ty = self.type_descriptor(*ty);
                let value = self.value(*value);
                Term::value(self.cast(ty, &value))
            }
            ("compound_literal_expression", [ty, value]) => {
                let ty = self.type_descriptor(*ty);
                self.error_if(matches!(ty, Type::Function(_) | Type::Void));
                self.initializer(&ty, *value, self.scopes.is_file());
                Term::place(ty)
            }
            ("sizeof_expression" | "alignof_expression", [part]) => {
                let size_of = match self.kind(*part) {
                    "type_descriptor" if self.is_operand_in_brackets(*part) => Type::Unknown,
                    "type_descriptor" => self.type_descriptor(*part),
                    _ => self.operand(*part).ty,
                };
                self.error_if(!size_of.is_void() && self.is_incomplete(&size_of));
                Term::value(Type::Integer(Integer::Any))
            }
            ("offsetof_expression", _) => Term::value(Type::Integer(Integer::Any)),
            _ => Term::UNKNOWN,
        }
    }

    /// Whether brackets hold the name of a variable, although the grammar takes it for that of a type.
    fn is_operand_in_brackets(&self, ty: NodeId) -> bool {
        match self.parts(ty)[..] {
            [name] => {
                self.kind(name) == "type_identifier"
                    && matches!(self.scopes.find(self.text(name)), Some(Named::Object(_) | Named::Constant))
            }
            _ => false,
        }
    }

    fn name(&mut self, node: NodeId) -> Term {
        let name = self.text(node);
        match self.scopes.find(name) {
            Some(Named::Object(object)) => Term::place(object.ty.clone()),
            Some(Named::Constant) => Term::value(Type::Integer(Integer::Any)),
            Some(Named::Typedef(_)) => {
                self.error();
                Term::UNKNOWN
            }
            None => {
                self.error_if(!self.may_be_foreign(name));
                Term::UNKNOWN
            }
        }
    }

    /// The operator between two operands.
    fn operator(&self, node: NodeId, left: NodeId, right: NodeId) -> &'static str {
        let between = self.tree.children(node).filter(|&part| left < part && part < right);
        between.filter(|&part| !self.tree.is_named(part)).map(|part| self.kind(part)).next().unwrap_or("")
    }

    fn unary(&mut self, node: NodeId, part: NodeId) -> Term {
        let value = self.value(part);
        let operator = self.text(node).first().copied().unwrap_or_default();
        let is_right = match operator {
            b'!' => value.may_be_scalar(),
            b'~' => value.may_be_integer(),
            _ => value.may_be_number(),
        };
        self.error_if(!is_right);
        Term::value(if operator == b'!' { Type::INT } else { value })
    }

    fn pointer(&mut self, node: NodeId, part: NodeId) -> Term {
        let operand = self.operand(part);
        if self.text(node).starts_with(b"&") {
            let is_function = matches!(operand.ty, Type::Function(_));
            self.error_if(!operand.is_place && !is_function);
            return Term::value(Type::pointer_to(operand.ty));
        }
        match operand.ty.decayed() {
            Type::Pointer(target) => Term::place(Type::clone(&target)),
            other => {
                self.error_if(!other.is_unknown());
                Term::UNKNOWN
            }
        }
    }

    /// Whether a type points to something whose size is not known; GNU C takes `void` and functions for bytes.
    fn points_to_incomplete(&self, ty: &Type) -> bool {
        matches!(ty, Type::Pointer(target) if !target.is_void() && self.is_incomplete(target))
    }

    fn assignment(&mut self, node: NodeId, left: NodeId, right: NodeId) -> Term {
        let place = self.operand(left);
        let value = self.value(right);
        self.error_if(!is_modifiable(&place));
        let operator = self.operator(node, left, right);
        match operator.strip_suffix('=').filter(|operator| !operator.is_empty()) {
            None => self.error_if(!value.is_assignable_to(&place.ty)),
            Some(operator) => drop(self.binary(operator, place.ty.clone().decayed(), value)),
        }
        Term::value(place.ty)
    }

    /// The type of two decayed operands with an operator between them.
    fn binary(&mut self, operator: &str, a: Type, b: Type) -> Type {
        let are_scalar = a.may_be_scalar() && b.may_be_scalar();
        if !are_scalar {
            self.error();
            return Type::Unknown;
        }
        let is_sum = matches!(operator, "+" | "-");
        if is_sum && (self.points_to_incomplete(&a) || self.points_to_incomplete(&b)) {
            self.error();
            return Type::Unknown;
        }
        let is_right = match operator {
            "+" => (!a.is_pointer() || b.may_be_integer()) && (!b.is_pointer() || a.may_be_integer()),
            "-" if a.is_pointer() => b.may_be_integer() || b.is_pointer(),
            "-" => !b.is_pointer() || a.is_unknown(),
            "*" | "/" => a.may_be_number() && b.may_be_number(),
            "%" | "&" | "|" | "^" | "<<" | ">>" => a.may_be_integer() && b.may_be_integer(),
            "==" | "!=" | "<" | ">" | "<=" | ">=" => {
                !(a.is_pointer() && b.is_floating() || b.is_pointer() && a.is_floating())
            }
            _ => true,
        };
        self.error_if(!is_right);
        match operator {
            _ if !is_right || a.is_unknown() || b.is_unknown() => Type::Unknown,
            "-" if a.is_pointer() && b.is_pointer() => Type::Integer(Integer::Any),
            "+" | "-" if a.is_pointer() => a,
            "+" if b.is_pointer() => b,
            "+" | "-" | "*" | "/" if a.is_floating() || b.is_floating() => Type::Floating(Floating::Any),
            _ => Type::Integer(Integer::Any),
        }
    }

    fn call(&mut self, function: NodeId, arguments: NodeId) -> Term {
        let is_name = self.kind(function) == "identifier";
        let name = self.text(function);
        if is_name && self.scopes.find(name).is_none() {
            // A function that nothing declares returns `int`; compilers warn of it.
            if !self.may_be_foreign(name) {
                let function = Function { result: Type::INT, parameters: None, is_variadic: false };
                let ty = Type::Function(Rc::new(function));
                let implied = Object { ty, is_static: false, is_defined: false, is_extern: true };
                self.scopes.declare_at_file_level(name, Named::Object(implied));
            }
            self.values(arguments);
            let is_foreign = self.may_be_foreign(name);
            return Term::value(if is_foreign { Type::Unknown } else { Type::INT });
        }
        if is_name && matches!(self.scopes.find(name), Some(Named::Typedef(_))) {
            // A declaration of a name in brackets, which the grammar takes for a call.
            return Term::UNKNOWN;
        }
        let called = self.value(function);
        let values: Vec<Type> = self.parts(arguments).into_iter().map(|part| self.value(part)).collect();
        self.error_if(values.iter().any(Type::is_void));
        let target = match &called {
            Type::Pointer(target) => Type::clone(target),
            other => other.clone(),
        };
        match target {
            Type::Function(function) => {
                self.arguments(&function, &values);
                let is_value = !function.result.is_void();
                self.error_if(is_value && self.is_incomplete(&function.result));
                Term::value(function.result.clone())
            }
            other => {
                self.error_if(!other.is_unknown());
                Term::value(Type::Unknown)
            }
        }
    }

    fn arguments(&mut self, function: &Function, values: &[Type]) {
        let Some(parameters) = &function.parameters else { return };
        let is_right = match function.is_variadic {
            true => values.len() >= parameters.len(),
            false => values.len() == parameters.len(),
        };
        let fits = |(parameter, value): (&Type, &Type)| value.is_void() || value.is_assignable_to(parameter);
        self.error_if(!is_right || !parameters.iter().zip(values).all(fits));
    }

    fn field(&mut self, node: NodeId, object: NodeId, field: NodeId) -> Term {
        let is_arrow = self.operator(node, object, field) == "->";
        let operand = self.operand(object);
        let ty = match operand.ty.clone().decayed() {
            Type::Pointer(target) if is_arrow => Type::clone(&target),
            other if is_arrow && !other.is_unknown() => {
                self.error();
                return Term::UNKNOWN;
            }
            other => other,
        };
        let found = match ty {
            Type::Record(record) => match &self.scopes.record(record).fields {
                Some(fields) => fields.get(self.text(field)).cloned(),
                None if !self.is_whole => return Term::UNKNOWN,
                None => None,
            },
            Type::Unknown => return Term::UNKNOWN,
            _ => None,
        };
        self.error_if(found.is_none());
        Term { ty: found.unwrap_or(Type::Unknown), is_place: is_arrow || operand.is_place }
    }

    fn subscript(&mut self, a: &Type, b: &Type) -> Term {
        let (pointer, index) = if a.is_pointer() || !b.is_pointer() { (a, b) } else { (b, a) };
        self.error_if(!index.may_be_integer());
        match pointer {
            Type::Pointer(target) => {
                self.error_if(!target.is_void() && self.is_incomplete(target));
                Term::place(Type::clone(target))
            }
            other => {
                self.error_if(!other.is_unknown());
                Term::UNKNOWN
            }
        }
    }

    fn cast(&mut self, ty: Type, value: &Type) -> Type {
        let is_right = match &ty {
            Type::Void => true,
            _ if value.is_void() => false,
            Type::Record(_) => {
                value.is_unknown() || matches!((&ty, value), (Type::Record(a), Type::Record(b)) if a == b)
            }
            Type::Array(..) | Type::Function(_) => false,
            Type::Pointer(_) => value.may_be_scalar() && !value.is_floating(),
            Type::Floating(_) => value.may_be_number(),
            _ => value.may_be_scalar(),
        };
        self.error_if(!is_right);
        ty
    }
}

/// Whether a place can be assigned to.
fn is_modifiable(operand: &Term) -> bool {
    operand.is_place && !matches!(operand.ty, Type::Array(..) | Type::Function(_))
}

/// The type of a number.
fn number(text: &[u8]) -> Type {
    let is_hexadecimal = text.starts_with(b"0x") || text.starts_with(b"0X");
    let marks: &[u8] = if is_hexadecimal { b".pP" } else { b".eE" };
    match text.iter().any(|c| marks.contains(c)) {
        true => Type::Floating(Floating::Any),
        false => Type::Integer(Integer::Any),
    }
}
