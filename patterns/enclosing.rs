//! Whether a program may stand in a definition: it becomes the body of definitions that another program has.

use crate::source::indented;
use lopper_languages::Parsed;
use lopper_languages::bindings::Sort;
use lopper_languages::layout::Layout;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use std::collections::BTreeMap;

/// So many definitions of each kind are tried, those with the shortest heads.
const TRIED: usize = 3;

/// By so much the body of a definition is indented.
const INDENTATION: &[u8] = b"    ";

/// A program as the body of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enclosed {
    /// The kind of the definition.
    pub kind: String,
    /// The whole text.
    pub text: Vec<u8>,
}

/// A program in the body of each kind of definition that another one has, if it can be read there. In the order of the kinds.
pub fn enclosed(excerpt: &Parsed, program: &Parsed) -> Vec<Enclosed> {
    let mut heads: BTreeMap<&str, Vec<&[u8]>> = BTreeMap::new();
    let tree = program.tree();
    for definition in program.bindings(0).definitions() {
        if !matches!(definition.sort, Sort::Function | Sort::Type | Sort::Tag | Sort::Namespace) {
            continue;
        }
        for (whole, body) in definition.places.iter().filter_map(|place| with_body(tree, place.name)) {
            let head = program.text[tree.range(whole).start..tree.range(body).start].trim_ascii_end();
            heads.entry(tree.kind_name(whole)).or_default().push(head);
        }
    }
    let mut all = Vec::new();
    for (kind, mut heads) in heads {
        heads.sort_by_key(|head| (head.len(), *head));
        heads.dedup();
        let texts = heads.into_iter().take(TRIED).map(|head| with_head(head, excerpt));
        let is_read = |text: &Vec<u8>| {
            Parsed::new(excerpt.language, text.clone()).syntax().errors <= excerpt.syntax().errors
        };
        all.extend(texts.filter(is_read).map(|text| Enclosed { kind: kind.to_owned(), text }));
    }
    all
}

/// The definition around a name that has a body behind it, and the body.
fn with_body(tree: &Tree, name: NodeId) -> Option<(NodeId, NodeId)> {
    let mut around = tree.ancestors(name).take_while(|&node| !tree.has(node, Role::Block));
    around.find_map(|node| {
        let mut bodies = tree.children(node).filter(|&child| tree.has(child, Role::Block) && child > name);
        Some((node, bodies.next()?))
    })
}

fn with_head(head: &[u8], excerpt: &Parsed) -> Vec<u8> {
    let body = excerpt.text.trim_ascii_end();
    match excerpt.language.layout() {
        Layout::Indented => [head, b"\n", INDENTATION, &indented(body, INDENTATION), b"\n"].concat(),
        _ => [head, b" {\n", body, b"\n}\n"].concat(),
    }
}
