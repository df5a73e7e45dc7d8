//! What joins the names of modules: each import, and each export from elsewhere, with the definition that it stands for.

use super::exports::{DEFAULT, Exported, Exports, WHOLE};
use super::imports::{Import, import_of, strings};
use crate::File;
use crate::file::Key;
use crate::referrers::Referrers;
use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

/// What is joined with a definition of another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joined {
    /// A definition, which stands for the same thing, perhaps under another name.
    Definition(Key),
    /// A name.
    Name(FileId, NodeId),
}

/// All that is joined, each with the definition that it is joined with. O(nodes log nodes).
pub(crate) fn joined<'a>(referrers: &Referrers<'a>, files: &[File<'a>]) -> Vec<(Key, Joined)> {
    let modules = files.iter().map(|&file| {
        let targets = strings(referrers, file);
        (file.id, Module { file, exports: Exports::new(file), targets: targets.into_iter().collect() })
    });
    let mut joins = Joins { modules: modules.collect(), found: Vec::new() };
    for &file in files {
        joins.read(file);
    }
    joins.found
}

/// A module: what it exports, and what its strings name.
struct Module<'a> {
    file: File<'a>,
    exports: Exports<'a>,
    targets: BTreeMap<NodeId, Option<FileId>>,
}

struct Joins<'a> {
    modules: BTreeMap<FileId, Module<'a>>,
    found: Vec<(Key, Joined)>,
}

/// An export that leads through more modules than this is not followed.
const STEPS: usize = 16;

impl<'a> Joins<'a> {
    /// The definition that an export of a module stands for.
    fn exported(&self, module: FileId, name: &[u8]) -> Option<Key> {
        let mut at = (module, name);
        for _ in 0..STEPS {
            let module = self.modules.get(&at.0)?;
            let stars = &module.exports.stars;
            let (source, name) = match (module.exports.all.get(at.1), &stars[..]) {
                (Some(&Exported::Own(index)), _) => return Some((at.0, index)),
                (Some(&Exported::Elsewhere(source, name)), _) => {
                    (source, name.map_or(at.1, |name| module.file.node_text(name)))
                }
                (None, &[source]) if at.1 != DEFAULT => (source, at.1),
                _ => return None,
            };
            at = (module.targets.get(&source).copied().flatten()?, name);
        }
        None
    }

    /// Joins what a file imports.
    fn read(&mut self, file: File<'a>) {
        let Some(module) = self.modules.get(&file.id) else { return };
        let places: Vec<(NodeId, FileId)> =
            module.targets.iter().filter_map(|(&string, target)| Some((string, (*target)?))).collect();
        for (string, target) in places {
            match import_of(file, string) {
                Some(Import::Statement(statement)) => self.read_statement(file, statement, target),
                Some(Import::Call(call)) => self.read_call(file, call, target),
                Some(Import::Dynamic) | None => {}
            }
        }
    }

    fn read_statement(&mut self, file: File<'a>, statement: NodeId, target: FileId) {
        let mut due: Vec<NodeId> = file.named_children(statement).collect();
        while let Some(node) = due.pop() {
            match file.kind_name(node) {
                "import_clause" | "named_imports" | "export_clause" => due.extend(file.named_children(node)),
                "identifier" => self.join_definition(file, node, target, DEFAULT),
                "namespace_import" => {
                    file.named_children(node).for_each(|name| self.join_members(file, name, target));
                }
                "import_specifier" => self.join_item(file, node, target),
                "export_specifier" => {
                    file.named_children(node).take(1).for_each(|name| self.join_name(file, name, target));
                }
                _ => {}
            }
        }
    }

    fn read_call(&mut self, file: File<'a>, call: NodeId, target: FileId) {
        let Some(parent) = file.parent(call) else { return };
        if let Some(name) = property(file, parent, call) {
            self.join_name(file, name, target);
        }
        let of_variable = Some(parent).filter(|&n| file.kind_name(n) == "variable_declarator");
        let Some(left) = of_variable.and_then(|n| file.named_children(n).next()) else { return };
        match file.kind_name(left) {
            "identifier" => {
                self.join_definition(file, left, target, WHOLE);
                self.join_members(file, left, target);
            }
            "object_pattern" => file.named_children(left).for_each(|item| self.join_item(file, item, target)),
            _ => {}
        }
    }

    /// Joins `a` or `a as b` in an import, or `a` or `a: b` in a pattern.
    fn join_item(&mut self, file: File<'a>, item: NodeId, target: FileId) {
        let mut names = file.named_children(item);
        match (names.next(), names.next()) {
            (None, _) => self.join_definition(file, item, target, file.node_text(item)),
            (Some(name), None) => self.join_definition(file, name, target, file.node_text(name)),
            (Some(name), Some(local)) => {
                self.join_name(file, name, target);
                self.join_definition(file, local, target, file.node_text(name));
            }
        }
    }

    /// Joins what a name of the file defines with an export.
    fn join_definition(&mut self, file: File<'a>, name: NodeId, target: FileId, export: &[u8]) {
        let own = file.bindings().of(name);
        if let (Some(key), Some(own)) = (self.exported(target, export), own) {
            self.found.push((key, Joined::Definition((file.id, own))));
        }
    }

    /// Joins a name with the export of this name.
    fn join_name(&mut self, file: File<'a>, name: NodeId, target: FileId) {
        if let Some(key) = self.exported(target, file.node_text(name)) {
            self.found.push((key, Joined::Name(file.id, name)));
        }
    }

    /// Joins the members of a module behind its name.
    fn join_members(&mut self, file: File<'a>, name: NodeId, target: FileId) {
        let uses: Vec<NodeId> = file.definition(name).map_or(Vec::new(), |d| file.uses(d).collect());
        for used in uses {
            if let Some(name) = file.parent(used).and_then(|parent| property(file, parent, used)) {
                self.join_name(file, name, target);
            }
        }
    }
}

/// The property in a member expression with this object.
fn property(file: File<'_>, node: NodeId, object: NodeId) -> Option<NodeId> {
    let mut parts = file.named_children(node);
    let is_member = file.kind_name(node) == "member_expression" && parts.next() == Some(object);
    parts.next().filter(|_| is_member)
}
