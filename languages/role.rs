//! Roles: what a node is for, whatever the grammar calls it.

use std::fmt;

/// What a node is for. A node may have several roles; `roles.scm` of a language gives them by
/// captures of the same name in snake case (`@statement`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Role {
    /// Stands in a sequence of its like, separated by nothing or by line ends.
    Statement,
    /// A sequence of statements: what braces or indentation enclose.
    Block,
    /// A part of a statement that can stand for the whole: the body of a loop, a branch.
    Body,
    /// Has a value.
    Expression,
    /// A number, string or other constant.
    Literal,
    /// A definition's or use's name.
    Name,
    /// Names or describes a type.
    Type,
    /// Gives a type another name.
    Alias,
    /// In an alias: the type that gets the name.
    Aliased,
    /// In an alias: the name.
    AliasName,
    /// Has a function's name and its parameters: a definition, or the declarator in one.
    Function,
    /// In a function: its name.
    FunctionName,
    /// In a function: the list of its parameters.
    Parameters,
    /// Gives a variable its value: an assignment, or a declaration with one.
    Variable,
    /// In a variable: its name.
    VariableName,
    /// In a variable or any other assignment: the value.
    Value,
    /// In an assignment: what is set.
    Target,
    /// Says that its last child is not so.
    Negation,
    /// Reaches something through its first child: a field, an element, what it points to or returns.
    Access,
    /// What a statement gives back to the caller.
    Returned,
    /// A call of something that has a name.
    Call,
    /// In a call: the name.
    Callee,
    /// In a call: the list of its arguments.
    Arguments,
    /// A comment.
    Comment,
    /// The punctuation between two items of a list.
    Separator,
    /// The punctuation that ends an item and goes with it.
    Terminator,
    /// White space inside means something: a string that spans lines.
    Verbatim,
}

/// Every role with the capture name that gives it.
pub const ROLES: &[(&str, Role)] = &[
    ("statement", Role::Statement),
    ("block", Role::Block),
    ("body", Role::Body),
    ("expression", Role::Expression),
    ("literal", Role::Literal),
    ("name", Role::Name),
    ("type", Role::Type),
    ("alias", Role::Alias),
    ("aliased", Role::Aliased),
    ("alias_name", Role::AliasName),
    ("function", Role::Function),
    ("function_name", Role::FunctionName),
    ("parameters", Role::Parameters),
    ("variable", Role::Variable),
    ("variable_name", Role::VariableName),
    ("value", Role::Value),
    ("target", Role::Target),
    ("negation", Role::Negation),
    ("access", Role::Access),
    ("returned", Role::Returned),
    ("call", Role::Call),
    ("callee", Role::Callee),
    ("arguments", Role::Arguments),
    ("comment", Role::Comment),
    ("separator", Role::Separator),
    ("terminator", Role::Terminator),
    ("verbatim", Role::Verbatim),
];

/// A set of roles.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Roles(u32);

impl Roles {
    /// The set without any role.
    pub const NONE: Self = Self(0);

    /// The set of one role.
    pub const fn of(role: Role) -> Self {
        Self(1 << role as u8)
    }

    /// Adds a role.
    pub fn insert(&mut self, role: Role) {
        self.0 |= Self::of(role).0;
    }

    /// Whether the set has `role`.
    pub const fn has(self, role: Role) -> bool {
        self.0 & Self::of(role).0 != 0
    }
}

impl fmt::Debug for Roles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = ROLES.iter().filter(|(_, role)| self.has(*role)).map(|(name, _)| name);
        f.debug_set().entries(names).finish()
    }
}
