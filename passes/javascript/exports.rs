//! What a module exports, by its tree, in both styles: `export` and `module.exports`.

use crate::File;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// What stands for something that a module exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exported {
    /// The definition with this index.
    Own(usize),
    /// The value of this expression.
    Value(NodeId),
    /// What another module exports: the string that names the module, and the name there if it is another one.
    Elsewhere(NodeId, Option<NodeId>),
}

/// A name under which something is exported; all of a module in the style of `module.exports` has an empty one.
pub(super) type Key<'a> = &'a [u8];

/// The name of all that a module exports as one value.
pub(super) const WHOLE: Key<'static> = b"";
/// The name of the default export.
pub(super) const DEFAULT: Key<'static> = b"default";

/// The exports of a module.
#[derive(Default)]
pub(super) struct Exports<'a> {
    /// What it exports, by name.
    pub(super) all: BTreeMap<Key<'a>, Exported>,
    /// The sources of `export *`.
    pub(super) stars: Vec<NodeId>,
    /// Whether `import` or `export` shows that it is an ES module.
    pub(super) is_modern: bool,
    /// The statements that export, but for declarations, each with the names that it exports.
    pub(super) statements: BTreeMap<NodeId, Vec<Key<'a>>>,
    /// The declarations behind `export`, with their statements.
    pub(super) declarations: Vec<(NodeId, NodeId)>,
    /// Assignments of exports that are the values of variables, with the values that they assign.
    pub(super) chained: Vec<(NodeId, NodeId)>,
    /// In the style of `module.exports`: the nodes that stand for the object with all exports.
    pub(super) objects: Vec<NodeId>,
    /// The statements that put another value in its place, with that value.
    pub(super) whole: Vec<(NodeId, NodeId)>,
    /// Members of that object whose values the module uses, by their names.
    pub(super) members: Vec<(Key<'a>, NodeId)>,
    /// Whether everything exported is in `all`: no object stands for itself, and nothing is exported twice.
    pub(super) is_known: bool,
}

impl<'a> Exports<'a> {
    /// The exports of a file. O(nodes log nodes).
    pub(super) fn new(file: File<'a>) -> Self {
        let mut exports = Self { is_known: true, ..Self::default() };
        for statement in file.named_children(NodeId::ROOT) {
            match file.kind_name(statement) {
                "import_statement" => exports.is_modern = true,
                "export_statement" => exports.read(file, statement),
                _ => {}
            }
        }
        if !exports.is_modern {
            let mut given = BTreeSet::new();
            file.nodes().filter(|&node| stands_for_exports(file, node)).for_each(|node| {
                exports.objects.push(node);
                exports.read_object(file, node, &mut given);
            });
        }
        exports
    }

    fn add(&mut self, statement: NodeId, key: Key<'a>, exported: Exported) {
        self.is_known &= self.all.insert(key, exported).is_none();
        self.statements.entry(statement).or_default().push(key);
    }

    /// Reads an `export`.
    fn read(&mut self, file: File<'a>, statement: NodeId) {
        self.is_modern = true;
        let is_default = file.children(statement).any(|n| file.kind_name(n) == "default");
        let source = file.named_children(statement).find(|&n| file.kind_name(n) == "string");
        let part =
            file.named_children(statement).find(|&n| !matches!(file.kind_name(n), "string" | "comment"));
        let Some(part) = part else {
            self.stars.extend(source);
            self.statements.entry(statement).or_default();
            return;
        };
        match file.kind_name(part) {
            "export_clause" => {
                self.statements.entry(statement).or_default();
                for item in file.named_children(part) {
                    let names: Vec<NodeId> = file.children(item).filter(|&n| is_name(file, n)).collect();
                    let (Some(&name), Some(&key)) = (names.first(), names.last()) else {
                        self.is_known = false;
                        continue;
                    };
                    let exported = match source {
                        Some(source) => Some(Exported::Elsewhere(source, Some(name))),
                        None => file.bindings().of(name).map(Exported::Own),
                    };
                    match exported {
                        Some(exported) => self.add(statement, file.node_text(key), exported),
                        None => self.is_known = false,
                    }
                }
            }
            "namespace_export" => self.is_known = false,
            _ if is_default => {
                let name = file.named_children(part).next().filter(|_| is_declaration(file, part));
                match name.and_then(|name| file.bindings().of(name)) {
                    Some(own) => {
                        self.is_known &= self.all.insert(DEFAULT, Exported::Own(own)).is_none();
                        self.declarations.push((statement, part));
                    }
                    None => {
                        let own = Some(part).filter(|&n| file.kind_name(n) == "identifier");
                        let own = own.and_then(|name| file.bindings().of(name)).map(Exported::Own);
                        self.add(statement, DEFAULT, own.unwrap_or(Exported::Value(part)));
                    }
                }
            }
            _ => {
                for (name, index) in file.bindings().within(file.tree(), part) {
                    let definition = &file.bindings().definitions()[index];
                    if definition.scope == NodeId::ROOT && definition.places[0].name == name {
                        let own = Exported::Own(index);
                        self.is_known &= self.all.insert(file.node_text(name), own).is_none();
                    }
                }
                self.declarations.push((statement, part));
            }
        }
    }

    /// Reads a statement that replaces the object with all exports.
    fn replace(&mut self, file: File<'a>, statement: NodeId, value: NodeId, given: &mut BTreeSet<Key<'a>>) {
        self.statements.entry(statement).or_default();
        if stands_for_exports(file, value) {
            return;
        }
        self.whole.push((statement, value));
        self.all.insert(WHOLE, own_or_value(file, value));
        self.is_known &= given.is_empty();
        if file.kind_name(value) != "object" {
            given.insert(WHOLE);
            return;
        }
        for item in file.named_children(value).filter(|&n| file.kind_name(n) != "comment") {
            match item_of_object(file, item) {
                Some((key, exported)) => {
                    given.insert(key);
                    self.add(statement, key, exported);
                }
                None => self.is_known = false,
            }
        }
    }

    /// Reads a node that stands for the object with all exports.
    fn read_object(&mut self, file: File<'a>, node: NodeId, given: &mut BTreeSet<Key<'a>>) {
        let Some(parent) = file.parent(node) else { return };
        if let Some((statement, value, is_outermost)) = replaced(file, node) {
            if is_outermost {
                self.replace(file, statement, value, given);
            }
            return;
        }
        if left_of(file, node).is_some_and(|left| stands_for_exports(file, left)) {
            return;
        }
        let property = file.named_children(parent).nth(1).filter(|_| {
            file.kind_name(parent) == "member_expression" && file.named_children(parent).next() == Some(node)
        });
        let Some(property) = property else {
            self.is_known = false;
            return;
        };
        let key = file.node_text(property);
        if let Some(value) = assigned(file, parent) {
            self.is_known &= !given.contains(WHOLE) && given.insert(key);
            let statement = file.parent(parent).and_then(|n| file.parent(n)).unwrap_or(parent);
            self.add(statement, key, own_or_value(file, value));
        } else if let Some((assignment, value, own)) = chained(file, parent) {
            self.is_known &= !given.contains(WHOLE) && given.insert(key);
            self.is_known &= self.all.insert(key, Exported::Own(own)).is_none();
            self.chained.push((assignment, value));
        } else {
            self.members.push((key, parent));
            self.is_known &= !file.parent(parent).is_some_and(|above| is_changed(file, above, parent));
        }
    }
}

/// Whether a node changes the thing that another node inside it stands for.
pub(super) fn is_changed(file: File<'_>, node: NodeId, thing: NodeId) -> bool {
    let kind = file.kind_name(node);
    matches!(kind, "assignment_expression" | "augmented_assignment_expression" | "update_expression")
        && file.named_children(node).next() == Some(thing)
}

/// The statement that puts a value in the place of the object with all exports, which a node stands for, the value, and
/// whether the node is the first one in `exports = module.exports = value`.
fn replaced(file: File<'_>, node: NodeId) -> Option<(NodeId, NodeId, bool)> {
    let sides = |n: NodeId| {
        let mut sides = file.named_children(n).filter(|_| file.kind_name(n) == "assignment_expression");
        sides.next().zip(sides.last())
    };
    let mut outer = file.parent(node).filter(|&n| sides(n).is_some_and(|(left, _)| left == node))?;
    let mut value = sides(outer)?.1;
    while let Some((left, right)) = sides(value).filter(|(left, _)| stands_for_exports(file, *left)) {
        value = if left == right { break } else { right };
    }
    let mut is_outermost = true;
    while let Some(above) = file.parent(outer).filter(|&n| sides(n).is_some()) {
        outer = above;
        is_outermost = false;
    }
    let statement = file.parent(outer).filter(|&n| file.kind_name(n) == "expression_statement")?;
    (file.parent(statement) == Some(NodeId::ROOT)).then_some((statement, value, is_outermost))
}

/// What a value is assigned to.
fn left_of(file: File<'_>, value: NodeId) -> Option<NodeId> {
    let assignment = file.parent(value).filter(|&n| file.kind_name(n) == "assignment_expression")?;
    let mut sides = file.named_children(assignment);
    sides.next().filter(|_| sides.last() == Some(value))
}

/// The value that a statement of the whole file assigns to a node.
fn assigned(file: File<'_>, node: NodeId) -> Option<NodeId> {
    let assignment = file.parent(node).filter(|&n| file.kind_name(n) == "assignment_expression")?;
    let statement = file.parent(assignment).filter(|&n| file.kind_name(n) == "expression_statement")?;
    let mut sides = file.named_children(assignment);
    let is_own = file.parent(statement) == Some(NodeId::ROOT) && sides.next() == Some(node);
    sides.last().filter(|_| is_own)
}

/// The assignment to a node in `const a = node = value` at the outermost level, with the value and the variable.
fn chained(file: File<'_>, node: NodeId) -> Option<(NodeId, NodeId, usize)> {
    let assignment = file.parent(node).filter(|&n| file.kind_name(n) == "assignment_expression")?;
    let declarator = file.parent(assignment).filter(|&n| file.kind_name(n) == "variable_declarator")?;
    let name = file.named_children(declarator).next()?;
    let own = file.bindings().of(name)?;
    let is_global = file.bindings().definitions()[own].scope == NodeId::ROOT;
    let mut sides = file.named_children(assignment);
    let is_left = sides.next() == Some(node) && file.kind_name(name) == "identifier";
    sides.last().filter(|_| is_left && is_global).map(|value| (assignment, value, own))
}

fn own_or_value(file: File<'_>, value: NodeId) -> Exported {
    let own = file.bindings().of(value).filter(|&index| {
        file.kind_name(value) == "identifier" && file.bindings().definitions()[index].scope == NodeId::ROOT
    });
    own.map_or(Exported::Value(value), Exported::Own)
}

/// An item of an object literal: its name and its value.
fn item_of_object<'a>(file: File<'a>, item: NodeId) -> Option<(Key<'a>, Exported)> {
    match file.kind_name(item) {
        "shorthand_property_identifier" => {
            Some((file.node_text(item), Exported::Own(file.bindings().of(item)?)))
        }
        "pair" => {
            let mut parts = file.named_children(item);
            let key = parts.next().filter(|&n| file.kind_name(n) == "property_identifier")?;
            Some((file.node_text(key), own_or_value(file, parts.last()?)))
        }
        _ => None,
    }
}

fn is_name(file: File<'_>, node: NodeId) -> bool {
    matches!(file.kind_name(node), "identifier" | "default")
}

fn is_declaration(file: File<'_>, node: NodeId) -> bool {
    file.kind_name(node).ends_with("_declaration")
}

/// Whether a node is `exports` or `module.exports`, and neither is a name of the file's own.
fn stands_for_exports(file: File<'_>, node: NodeId) -> bool {
    let is_free = |node: NodeId| file.kind_name(node) == "identifier" && file.bindings().of(node).is_none();
    match file.kind_name(node) {
        "identifier" => file.node_text(node) == b"exports" && is_free(node),
        "member_expression" => {
            let mut parts = file.named_children(node);
            let object = parts.next().filter(|&n| file.node_text(n) == b"module" && is_free(n));
            object.is_some() && parts.next().is_some_and(|n| file.node_text(n) == b"exports")
        }
        _ => false,
    }
}
