//! Bindings: the definitions of names, their scopes, and their uses.
//!
//! A language's `bindings.scm` tells which nodes define names, of which sort, and which nodes open scopes;
//! everything else is the same for all languages. The resolver is tolerant: a use without a definition is
//! unresolved, and names that only types could tell apart (fields and methods of the same name) share a
//! definition.

mod resolver;
#[cfg(test)]
mod tests;

pub(crate) use self::resolver::resolve;
use crate::edit::FileId;
use crate::tree::{NodeId, Tree};
use std::collections::BTreeSet;

/// The sort of thing that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// A variable.
    Variable,
    /// A parameter of a function.
    Parameter,
    /// A function or method.
    Function,
    /// A type, used by its name alone.
    Type,
    /// A structure, union or enumeration, used by the keyword and the name.
    Tag,
    /// A field of a structure or object.
    Field,
    /// A constant of an enumeration.
    Constant,
    /// A label to jump to.
    Label,
    /// A macro of the preprocessor.
    Macro,
    /// A name that comes from another file.
    Import,
    /// A name space.
    Namespace,
}

/// The sorts, as captures in `bindings.scm` spell them.
const SORTS: &[(&str, Sort)] = &[
    ("variable", Sort::Variable),
    ("parameter", Sort::Parameter),
    ("function", Sort::Function),
    ("type", Sort::Type),
    ("tag", Sort::Tag),
    ("field", Sort::Field),
    ("constant", Sort::Constant),
    ("label", Sort::Label),
    ("macro", Sort::Macro),
    ("import", Sort::Import),
    ("namespace", Sort::Namespace),
];

/// A name space: names of different spaces are never confused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Names that stand for themselves.
    Ordinary,
    /// Names behind `struct`, `union` or `enum`.
    Tag,
    /// Names of parts of objects.
    Field,
    /// Names of places to jump to.
    Label,
    /// Names of parameters in calls.
    Keyword,
    /// Uses behind the name of a class or name space: what is visible everywhere, else a member of any class.
    Qualified,
}

impl Sort {
    /// The space that names of this sort are in.
    pub fn space(self) -> Space {
        match self {
            Self::Tag => Space::Tag,
            Self::Field => Space::Field,
            Self::Label => Space::Label,
            _ => Space::Ordinary,
        }
    }
}

/// The meaning of a capture in `bindings.scm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// `@SORT`: the names defined in this node, down to the next node with such a capture, are of this sort.
    Holder(Sort),
    /// `@definition`: a name that is defined here; `@definition.SORT`: of this sort, whatever the node around
    /// it says.
    Definition(Option<Sort>),
    /// `@use.SORT`: a use in the space of that sort.
    Use(Sort),
    /// `@path`: a path whose last part is the name, as in `import "a/b"`.
    Path,
    /// `@keyword`: the name in an argument `name=value`: a use of a parameter of what the nearest
    /// [`crate::role::Role::Call`] around it calls.
    Keyword,
    /// `@constructor`: the name of a function that is called when the class around it is called.
    Constructor,
    /// `@base`: the name of a class from which the class around it is derived.
    Base,
    /// `@constructing.own` and `@constructing.base`: the nearest [`crate::role::Role::Call`] around this word, such as `super`,
    /// calls the constructor of the class around it, or of its base classes.
    Constructing {
        /// Whether it is that of the base classes.
        base: bool,
    },
    /// `@introduction`: a use that declares the name where nothing else does, as that of `b` in `void f(struct b *);`.
    Introduction,
    /// `@callee`: the name of the called thing, in the nearest [`crate::role::Role::Call`] around it.
    Callee,
    /// `@scope`: names defined inside this node are visible inside it.
    Scope,
    /// `@use.qualified`: a use behind the name of a class or name space.
    Qualified,
    /// `@mention`: a use, although another pattern may call it a definition.
    Mention,
    /// `@member`: a definition outside the class, behind its name, of one of its members.
    Member,
    /// `@scope.class`: names defined inside this node are visible inside it, but not in nested scopes; they
    /// are also fields.
    ClassScope,
    /// `@scope.members`: names defined inside this node are visible inside it and in nested scopes; they are
    /// also fields, and a name that nothing else defines is a field, of a base class perhaps.
    MemberScope,
    /// `@scope.own`: a `@scope` in which the names that this node holds are visible, too, such as a loop with its variable.
    OwnScope,
    /// `@owner`: the name of what owns the names in the statement around it.
    Owner,
    /// `@owned`: a name that can be reached only behind that of its owner.
    Owned,
    /// `@hoisted`: names of this scope are visible before their definitions, too; `@hoisted.SORT`: only names
    /// of this sort.
    Hoisted(Option<Sort>),
    /// `@outer`: a name that this scope shares with the scope around it.
    Outer,
    /// `@global`: a name that this scope shares with the whole file.
    Global,
    /// `@before`: what is inside this node is read before the names that its parent defines are known, as the last `x` of
    /// `let x = x;` in Rust.
    Before,
}

impl Fact {
    /// The fact that a capture of this name stands for.
    pub(crate) fn named(capture: &str) -> Option<Self> {
        let sort = |name: &str| SORTS.iter().find(|(n, _)| *n == name).map(|(_, sort)| *sort);
        match capture.split_once('.') {
            Some(("definition", name)) => sort(name).map(|sort| Self::Definition(Some(sort))),
            Some(("use", "qualified")) => Some(Self::Qualified),
            Some(("scope", "members")) => Some(Self::MemberScope),
            Some(("scope", "own")) => Some(Self::OwnScope),
            Some(("constructing", "own")) => Some(Self::Constructing { base: false }),
            Some(("constructing", "base")) => Some(Self::Constructing { base: true }),
            Some(("use", name)) => sort(name).map(Self::Use),
            Some(("scope", "class")) => Some(Self::ClassScope),
            Some(("hoisted", name)) => sort(name).map(|sort| Self::Hoisted(Some(sort))),
            Some(_) => None,
            None => match capture {
                "definition" => Some(Self::Definition(None)),
                "scope" => Some(Self::Scope),
                "mention" => Some(Self::Mention),
                "member" => Some(Self::Member),
                "keyword" => Some(Self::Keyword),
                "path" => Some(Self::Path),
                "constructor" => Some(Self::Constructor),
                "base" => Some(Self::Base),
                "introduction" => Some(Self::Introduction),
                "callee" => Some(Self::Callee),
                "owner" => Some(Self::Owner),
                "owned" => Some(Self::Owned),
                "hoisted" => Some(Self::Hoisted(None)),
                "outer" => Some(Self::Outer),
                "global" => Some(Self::Global),
                "before" => Some(Self::Before),
                name => sort(name).map(Self::Holder),
            },
        }
    }
}

/// A place where a name is defined, declared or given a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file of both nodes.
    pub file: FileId,
    /// The name.
    pub name: NodeId,
    /// The statement or the item of a list that must be deleted to delete the definition at this place.
    pub whole: NodeId,
}

/// A use of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Use {
    /// The file of the node.
    pub file: FileId,
    /// The name.
    pub name: NodeId,
}

/// A call of something that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Call {
    /// The file of both nodes.
    pub file: FileId,
    /// The whole call.
    pub whole: NodeId,
    /// The name of the called thing, or the word that stands for it, such as `super`.
    pub callee: NodeId,
}

/// A thing that has a name. Its places, uses and calls are sorted by file, then by position; in the bindings of a
/// file, all of them are in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The sort.
    pub sort: Sort,
    /// The node in which the name is visible, in the file of the first place.
    pub scope: NodeId,
    /// The places where it is defined, declared or given a value; never empty.
    pub places: Vec<Place>,
    /// All other names that stand for it.
    pub uses: Vec<Use>,
    /// The calls among the uses; for a class, also the calls of its constructor by words such as `super`.
    pub calls: Vec<Call>,
}

/// The definitions of a file, and the definition of each of its names.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    file: FileId,
    definitions: Vec<Definition>,
    /// Every resolved name with its definition, in the order of the text.
    names: Vec<(NodeId, u32)>,
    /// Every name without a definition, with its index in `free`, in the order of the text.
    unresolved: Vec<(NodeId, u32)>,
    /// Names without a definition, grouped by spelling and space, in the order of the text.
    free: Vec<(Space, Vec<NodeId>)>,
    /// The indices of those groups of `free` in which a use declares the name, in ascending order.
    introduced: Vec<usize>,
    /// The definitions whose names can be reached through objects.
    members: BTreeSet<u32>,
    /// All calls of named things, whether defined here or not, in the order of the text.
    calls: Vec<Call>,
    /// The names of the functions that calls of a class call, each after the definition of the class, sorted.
    constructors: Vec<(u32, NodeId)>,
}

impl Bindings {
    /// All definitions, in the order of their first places.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The index of the definition that a name belongs to. O(log names).
    pub fn of(&self, name: NodeId) -> Option<usize> {
        let at = self.names.binary_search_by_key(&name, |(n, _)| *n).ok()?;
        Some(self.names[at].1 as usize)
    }

    /// All names of the file that stand for the same thing as this one, including itself, in the order of the text.
    /// Names without a definition stand for the same thing if they are spelled alike. O(log names), and the time to
    /// sort the result.
    pub fn occurrences(&self, name: NodeId) -> Vec<NodeId> {
        if let Some(index) = self.of(name) {
            let definition = &self.definitions[index];
            let places = definition.places.iter().map(|place| (place.file, place.name));
            let names = places.chain(definition.uses.iter().map(|used| (used.file, used.name)));
            let here = names.filter(|(file, _)| *file == self.file).map(|(_, name)| name);
            let mut names: Vec<NodeId> = here.collect();
            names.sort_unstable();
            return names;
        }
        let at = self.unresolved.binary_search_by_key(&name, |(n, _)| *n);
        at.map_or(vec![], |at| self.free[self.unresolved[at].1 as usize].1.clone())
    }

    /// The names without a definition in the file, in groups of one spelling and space, each in the order of the text.
    pub fn free(&self) -> impl Iterator<Item = (Space, &[NodeId])> {
        self.free.iter().map(|(space, names)| (*space, &names[..]))
    }

    /// The groups of [`free`](Self::free) with a use that declares the name, such as that of `b` in `void f(struct b *);`. The
    /// names stand for types of this file.
    pub fn introduced(&self) -> impl Iterator<Item = &[NodeId]> {
        self.introduced.iter().map(|&group| &self.free[group].1[..])
    }

    /// Whether the name of a definition can be reached through objects.
    pub fn is_member(&self, definition: usize) -> bool {
        self.members.contains(&(definition as u32))
    }

    /// The names of the functions that calls of a class call, each after the index of the definition of the class, sorted.
    pub fn constructors(&self) -> impl Iterator<Item = (usize, NodeId)> {
        self.constructors.iter().map(|&(class, name)| (class as usize, name))
    }

    /// All calls of named things, in the order of the text.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// The call with this node, if the node is a call of a named thing. O(log calls).
    pub fn call(&self, whole: NodeId) -> Option<Call> {
        let at = self.calls.binary_search_by_key(&whole, |call| call.whole).ok()?;
        Some(self.calls[at])
    }

    /// The resolved names inside a node, each with the index of its definition. O(log names) to find the
    /// first.
    pub fn within(&self, tree: &Tree, node: NodeId) -> impl Iterator<Item = (NodeId, usize)> {
        let from = self.names.partition_point(|(n, _)| *n < node);
        let inside = self.names[from..].iter().take_while(move |(n, _)| tree.is_within(*n, node));
        inside.map(|&(name, definition)| (name, definition as usize))
    }
}
