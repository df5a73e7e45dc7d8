//! Roles: what a node is for, whatever the grammar calls it.

use std::fmt;

/// Defines the roles together with the captures that give them, so that none is without one.
macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $capture:literal,)*) => {
        /// What a node is for. A node may have several roles; `roles.scm` of a language gives them by
        /// captures of the same name in snake case (`@statement`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Role {
            $($(#[$doc])* $role,)*
        }

        /// Every role with the capture name that gives it.
        pub const ROLES: &[(&str, Role)] = &[$(($capture, Role::$role),)*];
    };
}

roles! {
    /// Stands in a sequence of its like, separated by nothing or by line ends.
    Statement = "statement",
    /// A sequence of statements: what braces or indentation enclose.
    Block = "block",
    /// A part of a statement that can stand for the whole: the body of a loop, a branch.
    Body = "body",
    /// Has a value.
    Expression = "expression",
    /// A number, string or other constant.
    Literal = "literal",
    /// A definition's or use's name.
    Name = "name",
    /// Names or describes a type.
    Type = "type",
    /// Gives a type another name.
    Alias = "alias",
    /// In an alias: the type that gets the name.
    Aliased = "aliased",
    /// In an alias: the name.
    AliasName = "alias_name",
    /// Has a function's name and its parameters: a definition, or the declarator in one.
    Function = "function",
    /// In a function: its name.
    FunctionName = "function_name",
    /// In a function: the list of its parameters.
    Parameters = "parameters",
    /// Gives a variable its value: an assignment, or a declaration with one.
    Variable = "variable",
    /// In a variable: its name.
    VariableName = "variable_name",
    /// In a variable or any other assignment: the value.
    Value = "value",
    /// In an assignment: what is set.
    Target = "target",
    /// Says that its last child is not so.
    Negation = "negation",
    /// Reaches something through its first child: a field, an element, what it points to or returns.
    Access = "access",
    /// What a statement gives back to the caller.
    Returned = "returned",
    /// A call of something that has a name: [`crate::bindings::Bindings::call`] knows which.
    Call = "call",
    /// In a call: the list of its arguments.
    Arguments = "arguments",
    /// A comment.
    Comment = "comment",
    /// The punctuation between two items of a list.
    Separator = "separator",
    /// The punctuation that ends an item and goes with it.
    Terminator = "terminator",
    /// White space inside means something: a string that spans lines.
    Verbatim = "verbatim",
}

const _: () = assert!(ROLES.len() <= u32::BITS as usize, "a role is a bit of `Roles`");

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
