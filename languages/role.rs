//! Roles: the purpose of a node, whatever the grammar calls it.

use std::fmt;

/// Defines the roles together with their captures, so that no role lacks one.
macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $capture:literal,)*) => {
        /// The purpose of a node. A node may have several roles; a language's `roles.scm` assigns them by
        /// captures of the same name in snake case (`@statement`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Role {
            $($(#[$doc])* $role,)*
        }

        /// Every role with the name of its capture.
        pub const ROLES: &[(&str, Role)] = &[$(($capture, Role::$role),)*];
    };
}

roles! {
    /// An element of a sequence of statements or definitions, which only line ends or terminators separate.
    Statement = "statement",
    /// A statement or comment that describes the next statement, and goes with it.
    Attribute = "attribute",
    /// A sequence of statements, enclosed by braces or marked by indentation.
    Block = "block",
    /// A part of a statement that can replace the whole statement: the body of a loop, a branch.
    Body = "body",
    /// A statement that stands in functions only, although the grammar takes it at the level of the file, too.
    Inner = "inner",
    /// An expression: it has a value.
    Expression = "expression",
    /// A number, string or other constant.
    Literal = "literal",
    /// A name, at its definition or a use.
    Name = "name",
    /// The name or the description of a type.
    Type = "type",
    /// A definition of another name for a type.
    Alias = "alias",
    /// In an alias: the type that is given the name.
    Aliased = "aliased",
    /// In an alias: the name.
    AliasName = "alias_name",
    /// A node with a function's name and parameters: the definition, or the declarator in it.
    Function = "function",
    /// In a function: its name.
    FunctionName = "function_name",
    /// In a function: the list of its parameters.
    Parameters = "parameters",
    /// An assignment to a variable, or a declaration with a value.
    Variable = "variable",
    /// In a variable: its name.
    VariableName = "variable_name",
    /// In a variable or any other assignment: the value.
    Value = "value",
    /// In an assignment: the variable or part that is assigned to.
    Target = "target",
    /// A negation: its last child is the negated expression.
    Negation = "negation",
    /// An access through the first child: to a field, an element, the target of a pointer, or the result of a
    /// call.
    Access = "access",
    /// The expression that a function returns: that of a `return` statement, or the last one of a body.
    Returned = "returned",
    /// A call of something that has a name, which [`crate::bindings::Bindings::call`] gives.
    Call = "call",
    /// In a call: the list of its arguments.
    Arguments = "arguments",
    /// The list of the type parameters of a class or function.
    TypeParameters = "type_parameters",
    /// The list of the types that stand for type parameters, behind the name of a class or function.
    TypeArguments = "type_arguments",
    /// What types must meet and no value has as its type: a trait in the bounds of a type parameter.
    Constraint = "constraint",
    /// The members of a class or structure, in braces.
    Members = "members",
    /// A member that its class may have to have: it stands for one of the same name in another class or interface.
    Override = "override",
    /// What computes the name of a called function or member: an expression in the place of the name, between brackets behind the
    /// object, or an argument of a call that looks the name up.
    ComputedName = "computed_name",
    /// An item that begins with the name of a field and gives it its value.
    FieldValue = "field_value",
    /// A name that stands for a field and for a variable: the second `a` of `let a = 1; A { a }`. What takes the place of the variable
    /// follows the name and a colon.
    Shorthand = "shorthand",
    /// In a case of a match: what a value must be like. A case goes with what its pattern names, and so does one of several
    /// patterns.
    Pattern = "pattern",
    /// What cannot be absent although the grammar says so. One at the level of the file stays even when the rest goes.
    Needed = "needed",
    /// A comment.
    Comment = "comment",
    /// The punctuation between two items of a list.
    Separator = "separator",
    /// The punctuation at the end of an item, which is deleted with it.
    Terminator = "terminator",
    /// A node in which white space is significant: a string that spans lines.
    Verbatim = "verbatim",
}

/// As many bytes as a node of a tree has room for.
const BYTES: usize = 5;

const _: () = assert!(ROLES.len() <= 8 * BYTES, "a role is a bit of `Roles`");

/// A set of roles.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Roles([u8; BYTES]);

impl Roles {
    /// The set without any role.
    pub const NONE: Self = Self([0; BYTES]);

    /// The set of one role.
    pub const fn of(role: Role) -> Self {
        let (byte, bit) = place(role);
        let mut bytes = [0; BYTES];
        bytes[byte] = bit;
        Self(bytes)
    }

    /// Adds a role.
    pub fn insert(&mut self, role: Role) {
        let (byte, bit) = place(role);
        self.0[byte] |= bit;
    }

    /// Whether the set has `role`.
    pub const fn has(self, role: Role) -> bool {
        let (byte, bit) = place(role);
        self.0[byte] & bit != 0
    }
}

/// The byte and the bit of a role.
const fn place(role: Role) -> (usize, u8) {
    (role as usize / 8, 1 << (role as u8 % 8))
}

impl fmt::Debug for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ROLES.iter().filter(|(_, role)| self.has(*role)).map(|(name, _)| name);
        f.debug_set().entries(names).finish()
    }
}
