//! Prints a tree for people and for programs, with a line per node.

use lopper_languages::Parsed;
use lopper_languages::role::ROLES;
use lopper_languages::tree::NodeId;
use std::fmt::Write;

/// The depth from which nodes are not indented further, or a deep tree would be mostly blanks.
const INDENTED: usize = 100;

/// The tree of a file: each node with its kind and bytes, each leaf with its text, and the facts for passes
/// in brackets.
pub(crate) fn tree(file: &Parsed) -> String {
    let tree = file.tree();
    let mut out = String::new();
    for (node, depth) in depths(file) {
        let range = tree.range(node);
        let indent = 2 * depth.min(INDENTED);
        let kind = tree.kind_name(node);
        // The kind of a grammar's terminal is its text, which may contain line ends.
        let kind = if kind.contains(char::is_control) { json_string(kind) } else { kind.to_owned() };
        let _ = write!(out, "{:indent$}{kind} {}..{}", "", range.start, range.end);
        if tree.is_leaf(node) {
            let _ = write!(out, " {}", json_string(&String::from_utf8_lossy(file.node_text(node))));
        }
        let facts = facts(file, node);
        if !facts.is_empty() {
            let _ = write!(out, " [{}]", facts.join(", "));
        }
        out.push('\n');
    }
    out
}

/// The tree as JSON lines: `node` and `parent` are line numbers from 0; a leaf has its `text`.
pub(crate) fn tree_as_json(file: &Parsed) -> String {
    let tree = file.tree();
    let mut out = String::new();
    for node in tree.nodes() {
        let range = tree.range(node);
        let parent = tree.parent(node).map_or_else(|| "null".to_owned(), |p| p.0.to_string());
        let kind = json_string(tree.kind_name(node));
        let _ = write!(out, "{{\"node\":{},\"parent\":{parent},\"kind\":{kind}", node.0);
        let _ = write!(out, ",\"start\":{},\"end\":{}", range.start, range.end);
        let facts: Vec<String> = facts(file, node).iter().map(|fact| json_string(fact)).collect();
        let _ = write!(out, ",\"facts\":[{}]", facts.join(","));
        if tree.is_leaf(node) {
            let text = String::from_utf8_lossy(file.node_text(node));
            let _ = write!(out, ",\"text\":{}", json_string(&text));
        }
        out.push_str("}\n");
    }
    out
}

/// A text as a JSON string.
pub(crate) fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The nodes with their depths, in O(nodes).
fn depths(file: &Parsed) -> impl Iterator<Item = (NodeId, usize)> {
    let tree = file.tree();
    let mut open: Vec<NodeId> = Vec::new();
    tree.nodes().map(move |node| {
        while open.last().is_some_and(|&o| !tree.is_within(node, o)) {
            open.pop();
        }
        open.push(node);
        (node, open.len() - 1)
    })
}

/// The facts that passes see of a node: flags, roles, and its filler or constant.
fn facts(file: &Parsed, node: NodeId) -> Vec<String> {
    let tree = file.tree();
    let flags = [("error", tree.is_error(node)), ("optional", tree.is_optional(node))];
    let flags = flags.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name);
    let roles = ROLES.iter().filter(|(_, role)| tree.has(node, *role)).map(|(name, _)| *name);
    let filler = tree.filler(node).map(|filler| format!("filler {}", json_string(filler)));
    flags.chain(roles).map(str::to_owned).chain(filler).collect()
}
