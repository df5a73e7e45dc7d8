//! The names without which nothing can use an item of a C++ program, and the classes whose members it needs.

use crate::c::{child, is};
use crate::cpp::items::{Items, Way, declared};
use crate::cpp::spaces::Space;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

/// A name that at least this many items define is taken for that of overloaded functions, each of which is called with
/// objects of its parameters' types. With fewer definitions, an argument may be converted to a type that no caller names.
const OVERLOADED: usize = 3;

impl Items<'_> {
    /// Gives each item the names without which nothing can use it.
    pub(super) fn guard(&mut self) {
        let file = self.file;
        let mut definers = vec![0; self.is_type.len()];
        self.items.iter().flat_map(|item| &item.names).for_each(|&name| definers[name as usize] += 1);
        for at in 0..self.items.len() {
            let item = &self.items[at];
            if item.parent.is_some() {
                continue;
            }
            let (header, space) = (self.header(item.node), self.places[at]);
            let mut guards: Vec<u32> = Vec::new();
            if is(&file, item.node, "template_instantiation") {
                guards.extend(self.types_in(item.node, space));
            }
            let is_guide = self.is_guide(item.node);
            guards.extend(item.names.iter().filter(|_| is_guide));
            for &node in &header {
                match file.kind_name(node) {
                    // A member outside of its class.
                    "qualified_identifier" if self.is_declared(node) => {
                        guards.extend(self.types_in(node, space))
                    }
                    // A specialization of a function or variable.
                    "template_function" if self.is_declared(node) => {
                        let name = file.node_text(file.first_leaf(node));
                        guards.extend(self.meant(name, Way::From(space)).first());
                        guards.extend(self.types_in(node, space));
                    }
                    // A specialization of a class.
                    "template_type" if self.is_declared(node) => guards.extend(self.types_in(node, space)),
                    _ => {}
                }
            }
            let is_operator = || header.iter().any(|&n| is(&file, n, "operator_name"));
            let needs_guards = is_guide || self.is_outer(at as u32);
            let mut needs = if needs_guards { guards.clone() } else { Vec::new() };
            let is_overloaded =
                |names: &[u32]| names.iter().any(|&name| definers[name as usize] >= OVERLOADED);
            if item.names.is_empty() && is_operator() || is_overloaded(&item.names) {
                // An overloaded function is called with objects of its types.
                let mut lists = file.descendants(item.node).filter(|&n| is(&file, n, "parameter_list"));
                guards.extend(lists.next().iter().flat_map(|&n| self.types_in(n, space)));
                needs.extend(guards.iter().filter(|_| self.function_body(item.node).is_some()));
            }
            needs.extend(self.classes_in(item.node, space));
            needs.sort_unstable();
            needs.dedup();
            guards.sort_unstable();
            guards.dedup();
            (self.items[at].guards, self.items[at].needs) = (guards, needs);
        }
    }

    /// Whether a node is the name of what a declaration declares.
    pub(super) fn is_declared(&self, node: NodeId) -> bool {
        let file = self.file;
        let Some(around) = file.parent(node) else { return false };
        match file.kind_name(around) {
            "function_declarator" | "init_declarator" => file.named_children(around).next() == Some(node),
            "declaration" | "class_specifier" | "struct_specifier" | "union_specifier" => {
                !file.has(node, Role::Type)
            }
            _ => false,
        }
    }

    /// The types that a node names, without those in arguments of arguments: a use of the specialization
    /// `S<T, void_t<F<T>>>` need not name F.
    fn types_in(&self, node: NodeId, space: Space) -> Vec<u32> {
        let file = self.file;
        let mut types = Vec::new();
        let mut open = vec![(node, 0)];
        while let Some((node, depth)) = open.pop() {
            let depth = depth + usize::from(is(&file, node, "template_argument_list"));
            if depth < 2 {
                types.extend(self.type_named(node, space));
                open.extend(file.named_children(node).map(|part| (part, depth)));
            }
        }
        types
    }

    /// The type that a name means. A parameter of a template may have the name of a type elsewhere.
    fn type_named(&self, name: NodeId, space: Space) -> Option<u32> {
        let file = self.file;
        let around = file.parent(name).filter(|&n| is(&file, n, "qualified_identifier"));
        let scope = around.and_then(|n| file.named_children(n).next()).filter(|&n| n != name);
        let way = match (around, scope) {
            (None, _) | (_, None) => Way::From(space),
            (_, Some(scope)) if is(&file, scope, "namespace_identifier") => Way::In(file.node_text(scope)),
            _ => Way::Any,
        };
        self.meant(file.node_text(name), way).into_iter().find(|&number| self.is_type[number as usize])
    }

    /// The classes that an item inherits from, or of which it defines variables.
    fn classes_in(&self, node: NodeId, space: Space) -> Vec<u32> {
        let file = self.file;
        let node = declared(file, node);
        let parts = || file.named_children(node);
        let is_extern = |n: NodeId| file.node_text(n) == b"extern";
        let is_object = |n: NodeId| {
            let name = file.named_children(n).next().filter(|_| is(&file, n, "init_declarator"));
            is(&file, name.unwrap_or(n), "identifier")
        };
        let types: Vec<NodeId> = match file.kind_name(node) {
            "class_specifier" | "struct_specifier" => child(&file, node, "base_class_clause")
                .into_iter()
                .flat_map(|n| file.named_children(n))
                .collect(),
            "declaration" if parts().any(is_object) && !parts().any(is_extern) => {
                parts().filter(|&n| file.has(n, Role::Type)).collect()
            }
            _ => Vec::new(),
        };
        types.into_iter().filter_map(|n| self.type_named(self.name_of(n), space)).collect()
    }

    /// The name of a type, without its qualifiers and arguments.
    fn name_of(&self, mut node: NodeId) -> NodeId {
        let file = self.file;
        loop {
            let inner = match file.kind_name(node) {
                "qualified_identifier" => file.named_children(node).last(),
                "template_type" => file.named_children(node).next(),
                _ => None,
            };
            let Some(inner) = inner else { return node };
            node = inner;
        }
    }
}
