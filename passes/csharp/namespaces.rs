//! Puts the contents of a namespace in its place: qualifiers and directives that name it are deleted.

use crate::c::{all, child, is};
use crate::{File, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

/// For each name of a namespace, what dissolves all namespaces of that name in these files.
pub(crate) fn dissolved_in(files: &[File<'_>]) -> Vec<Unit> {
    let mut names: BTreeSet<&[u8]> = BTreeSet::new();
    for &file in files {
        names.extend(all(file, "namespace_declaration").filter_map(|n| Some(file.node_text(name(file, n)?))));
    }
    let of_name =
        |gone| Unit::together(files.iter().flat_map(|&file| dissolved(file, gone)).collect::<Vec<_>>());
    names.into_iter().map(of_name).collect()
}

/// The name of a namespace, or that in a directive without an alias.
fn name(file: File<'_>, node: NodeId) -> Option<NodeId> {
    let mut named =
        file.children(node).filter(|&n| is(&file, n, "qualified_name") || is(&file, n, "identifier"));
    named.next().filter(|_| child(&file, node, "=").is_none())
}

/// What goes from a file with all namespaces of a name. Directives inside move in front of all others, where a file may
/// have them.
fn dissolved(file: File<'_>, gone: &[u8]) -> Vec<Unit> {
    let is_gone = |n: NodeId| file.node_text(n) == gone;
    let is_named = |node: NodeId, kind: &str| is(&file, node, kind) && name(file, node).is_some_and(is_gone);
    let inside = all(file, "using_directive").filter(|&n| {
        let around = file.ancestors(n).nth(1);
        !is_named(n, "using_directive") && around.is_some_and(|n| is_named(n, "namespace_declaration"))
    });
    let inside: Vec<NodeId> = inside.collect();
    let moved = inside.iter().map(|&n| file.node_text(n)).collect::<Vec<_>>().concat();
    let mut units: Vec<Unit> = inside.iter().map(|&n| file.drop(n)).collect();
    let first = file
        .named_children(NodeId::ROOT)
        .find(|&n| !file.has(n, Role::Comment) && !is_named(n, "using_directive"));
    if let Some(first) = first.filter(|&n| !moved.is_empty() && !is_named(n, "namespace_declaration")) {
        let start = file.range(first).start;
        units.push(file.write(start..start, moved.clone()));
    }
    for node in file.nodes() {
        if is_named(node, "namespace_declaration") {
            let Some(body) = child(&file, node, "declaration_list") else { continue };
            let (Some(open), Some(close)) = (child(&file, body, "{"), child(&file, body, "}")) else {
                continue;
            };
            let opening = file.range(node).start..file.range(open).end;
            units.push(match first == Some(node) {
                true => file.write(opening, moved.clone()),
                false => file.cut(opening),
            });
            units.push(file.cut(file.range(close)));
        } else if is_named(node, "using_directive") {
            units.push(file.drop(node));
        } else if is(&file, node, "qualified_name") || is(&file, node, "member_access_expression") {
            let mut parts = file.children(node);
            let qualifier = parts.next().filter(|&n| is_gone(n) && !is_of_directive(file, node));
            if let (Some(qualifier), Some(dot)) = (qualifier, parts.next()) {
                units.push(file.cut(file.range(qualifier).start..file.range(dot).end));
            }
        }
    }
    units
}

/// Whether a name is that of a namespace, which keeps its length, or of one that a directive names.
fn is_of_directive(file: File<'_>, node: NodeId) -> bool {
    let around = file.parent(node);
    around.is_some_and(|n| is(&file, n, "using_directive") || is(&file, n, "namespace_declaration"))
}
