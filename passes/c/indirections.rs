//! Removes a level of indirection: an array or a pointer becomes its element or target, in its declarations
//! and all uses.

use super::{FAMILY, child, first, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "indirections",
    summary: "removes a dimension of an array, or a level of a pointer, in all its uses",
    languages: FAMILY,
    proves: true,
    examples: &[
        Example {
            language: "c",
            before: "float g[2][2] = {{1, 2}, {3, 4}};\nint main() { return h(g[0][i], g[1][g[0][0]]); }\n",
            keep: &["float", "4", "return h(", ","],
            after: "float g = 4;\nint main() { return h(g, g); }\n",
        },
        Example {
            language: "c",
            before: "float g[2][2] = {1, 2};\nint main() { return h(g[0][i]); }\n",
            keep: &["float", "2", "return h(g"],
            after: "float g = 2;\nint main() { return h(g); }\n",
        },
        Example {
            language: "c",
            before: "struct s { int *f; } x;\nint f(int **a) { struct s *p = &x; p->f = &y; return *p->f + **a; }\n",
            keep: &["f(int", "return", "y", "+"],
            after: "struct s { int f; } x;\nint f(int a) { struct s p = x; p.f = y; return p.f + a; }\n",
        },
        Example {
            language: "cpp",
            before: "class c { int *f; int g() { return *f; } };\nint h() { int a[2] = {1, 2}; return a[1]; }\n",
            keep: &["g() { return", "int a", "2", "return a"],
            after: "class c { int f; int g() { return f; } };\nint h() { int a = 2; return a; }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        file.definitions().map(move |definition| Flattening { file, units: Vec::new() }.ways(definition))
    });
    vec![Group::choices(ways).doubtful()]
}

/// The units that remove a level from one definition.
struct Flattening<'a> {
    file: File<'a>,
    units: Vec<Unit>,
}

impl Flattening<'_> {
    /// Two ways, which keep the last or the first element of an array's initial value; or one that keeps the
    /// value, if it is a flat list for an array of arrays.
    fn ways(mut self, definition: &Definition) -> Vec<Unit> {
        let file = self.file;
        let names = || file.places(definition).map(|place| place.name);
        let declarators: Vec<(NodeId, NodeId)> =
            names().filter_map(|name| Some((name, declarator(&file, name)?))).collect();
        if declarators.is_empty() {
            return Vec::new();
        }
        declarators.iter().for_each(|&(name, declarator)| self.keep(declarator, name));
        file.uses(definition).for_each(|node| self.flatten_use(node));
        let values = declarators.iter().filter_map(|&(_, declarator)| initial(&file, declarator));
        let values: Vec<NodeId> = values.collect();
        let is_flat = |&value: &NodeId| {
            let mut elements = file.children(value).filter(|&n| file.is_named(n));
            is(&file, value, "initializer_list") && !elements.any(|n| is(&file, n, "initializer_list"))
        };
        let nests = |&(_, around): &(NodeId, NodeId)| declarator(&file, around).is_some();
        if declarators.iter().any(nests) && values.iter().any(is_flat) {
            return vec![Unit::together(self.units)];
        }
        let mut ways = vec![self.units.clone()];
        if values.iter().any(|&value| is(&file, value, "initializer_list")) {
            ways.push(self.units.clone());
        }
        for (way, last) in ways.iter_mut().zip([true, false]) {
            std::mem::swap(&mut self.units, way);
            values.iter().for_each(|&value| self.flatten_value(value, last));
            std::mem::swap(&mut self.units, way);
        }
        ways.into_iter().map(Unit::together).collect()
    }

    fn cut(&mut self, range: Range<usize>) {
        let file = self.file;
        if !range.is_empty() {
            self.units.push(file.cut(range.start..range.end));
        }
    }

    /// Keeps only a part of a node.
    fn keep(&mut self, node: NodeId, part: NodeId) {
        let (whole, part) = (&self.file.range(node), &self.file.range(part));
        self.cut(whole.start..part.start);
        self.cut(part.end..whole.end);
    }

    fn flatten_use(&mut self, name: NodeId) {
        let file = self.file;
        let field = file.parent(name).filter(|&n| is(&file, n, "field_expression"));
        let node = field.filter(|&n| first(&file, n) != Some(name)).unwrap_or(name);
        let Some(parent) = file.parent(node).filter(|&n| first(&file, n) == Some(node)) else { return };
        let operator =
            |text: &[u8]| file.children(parent).find(|&n| !file.is_named(n) && file.node_text(n) == text);
        let value = file.child_with(parent, Role::Value);
        match file.kind_name(parent) {
            "subscript_expression" => self.keep(parent, node),
            "pointer_expression" if operator(b"*").is_some() => self.keep(parent, node),
            "field_expression" => {
                if let Some(arrow) = operator(b"->") {
                    self.units.push(file.replace(arrow, "."));
                }
            }
            _ => value.into_iter().for_each(|value| self.flatten_value(value, true)),
        }
    }

    /// Removes a level from a value: an element of an array, or the operand of `&`.
    fn flatten_value(&mut self, value: NodeId, last: bool) {
        let file = self.file;
        let address = child(&file, value, "&").filter(|_| is(&file, value, "pointer_expression"));
        let elements = || file.children(value).filter(|&n| file.is_named(n) && !file.has(n, Role::Comment));
        if address.is_some() {
            first(&file, value).into_iter().for_each(|operand| self.keep(value, operand));
        } else if is(&file, value, "initializer_list") {
            let element = if last { elements().last() } else { elements().next() };
            element.into_iter().for_each(|element| self.keep(value, element));
        }
    }
}

/// The array or pointer declarator directly around a name.
fn declarator(tree: &Tree, name: NodeId) -> Option<NodeId> {
    let is_level = |n: &NodeId| is(tree, *n, "array_declarator") || is(tree, *n, "pointer_declarator");
    tree.parent(name).filter(is_level)
}

fn initial(tree: &Tree, declarator: NodeId) -> Option<NodeId> {
    let holder = tree
        .ancestors(declarator)
        .find(|&n| !tree.kind_name(n).ends_with("_declarator") || is(tree, n, "init_declarator"))?;
    tree.child_with(holder, Role::Value).filter(|_| is(tree, holder, "init_declarator"))
}
