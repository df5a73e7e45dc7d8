//! The scopes of names and tags, and the structures and unions that they name.

use super::types::Type;
use std::collections::BTreeMap;

/// What a name means.
#[derive(Clone, Debug)]
pub(super) enum Named {
    Typedef(Type),
    /// A variable or a function.
    Object(Object),
    /// A constant of an enumeration.
    Constant,
}

/// A variable or a function.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub(super) ty: Type,
    pub(super) is_static: bool,
    /// Whether it has an initializer or a body.
    pub(super) is_defined: bool,
    /// Whether only a declaration with `extern`, or one of a function, stands for it.
    pub(super) is_extern: bool,
}

/// What a tag means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Record(usize),
    Enumeration(usize),
}

/// A structure or a union.
pub(super) struct Record<'a> {
    pub(super) is_union: bool,
    /// `None` until it is complete.
    pub(super) fields: Option<Fields<'a>>,
}

/// The members by their names, those of unnamed members included.
pub(super) type Fields<'a> = BTreeMap<&'a [u8], Type>;

#[derive(Default)]
struct Scope<'a> {
    names: BTreeMap<&'a [u8], Named>,
    tags: BTreeMap<&'a [u8], Tag>,
}

/// All scopes, the innermost last.
pub(super) struct Scopes<'a> {
    scopes: Vec<Scope<'a>>,
    records: Vec<Record<'a>>,
    /// For each enumeration, whether its constants are known.
    enumerations: Vec<bool>,
}

impl Default for Scopes<'_> {
    fn default() -> Self {
        Self { scopes: vec![Scope::default()], records: Vec::new(), enumerations: Vec::new() }
    }
}

impl<'a> Scopes<'a> {
    /// Whether the innermost scope is that of the file.
    pub(super) fn is_file(&self) -> bool {
        self.scopes.len() == 1
    }

    pub(super) fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    fn innermost(&mut self) -> &mut Scope<'a> {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    /// What a name means here.
    pub(super) fn find(&self, name: &[u8]) -> Option<&Named> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name))
    }

    /// What a name means in the innermost scope.
    pub(super) fn here(&self, name: &[u8]) -> Option<&Named> {
        self.scopes.last().and_then(|scope| scope.names.get(name))
    }

    /// What a name means at the level of the file.
    pub(super) fn at_file_level(&self, name: &[u8]) -> Option<&Named> {
        self.scopes.first().and_then(|scope| scope.names.get(name))
    }

    pub(super) fn declare(&mut self, name: &'a [u8], named: Named) {
        self.innermost().names.insert(name, named);
    }

    /// Declares a name at the level of the file.
    pub(super) fn declare_at_file_level(&mut self, name: &'a [u8], named: Named) {
        if let Some(file) = self.scopes.first_mut() {
            file.names.entry(name).or_insert(named);
        }
    }

    pub(super) fn tag(&self, name: &[u8]) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name).copied())
    }

    pub(super) fn tag_here(&self, name: &[u8]) -> Option<Tag> {
        self.scopes.last().and_then(|scope| scope.tags.get(name).copied())
    }

    pub(super) fn declare_tag(&mut self, name: &'a [u8], tag: Tag) {
        self.innermost().tags.insert(name, tag);
    }

    pub(super) fn record(&self, index: usize) -> &Record<'a> {
        &self.records[index]
    }

    pub(super) fn is_enumerated(&self, enumeration: usize) -> bool {
        self.enumerations[enumeration]
    }

    /// A new enumeration without its constants.
    pub(super) fn new_enumeration(&mut self) -> usize {
        self.enumerations.push(false);
        self.enumerations.len() - 1
    }

    pub(super) fn enumerate(&mut self, enumeration: usize) {
        self.enumerations[enumeration] = true;
    }

    /// A new structure or union without its members.
    pub(super) fn new_record(&mut self, is_union: bool) -> usize {
        self.records.push(Record { is_union, fields: None });
        self.records.len() - 1
    }

    pub(super) fn complete(&mut self, record: usize, fields: Fields<'a>) {
        self.records[record].fields = Some(fields);
    }
}
