//! A name becomes a short one, wherever it stands for the same thing.
//!
//! Where the parser lost its way, or no grammar is known, what a name stands for is not known either: then all tokens
//! that spell it are one thing.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::lexer::{Token, TokenKind};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "rename",
    summary: "gives what the program defines names of one letter",
    grain: Grain::Finish,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "c",
            before: "int first, a;\nint twice(int value) { return value + first; }\nint main() { return twice(a); }\n",
            keep: &["main"],
            after: "int b, a;\nint c(int d) { return d + b; }\nint main() { return c(a); }\n",
        },
        Example {
            language: "python",
            before: "from m import name\nclass Table:\n    def get(self, key=name): return self.get(key=key)\n",
            keep: &["get"],
            after: "from m import a\nclass b:\n    def get(d, e=a): return d.get(e=e)\n",
        },
        Example {
            language: "text",
            before: "let name = other(name);\n",
            keep: &["let", "("],
            after: "let b = c(b);\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        let text = |token: &Token| &file.text[token.range()];
        let taken: BTreeSet<&[u8]> = file.tokens.iter().map(text).collect();
        let names = short_names().filter(move |name| !taken.contains(name.as_bytes()));
        let unknown = spelled_alike(file);
        let definitions = file.bindings().definitions().iter();
        let bound =
            definitions.map(|d| d.places.iter().map(|p| p.name).chain(d.uses.iter().copied()).collect());
        // A name that is bound in one place and lost in another is one thing.
        let bound = bound.filter(|nodes: &Vec<_>| !unknown.contains_key(file.node_text(nodes[0])));
        let all: Vec<Vec<NodeId>> = bound.chain(unknown.values().cloned()).collect();
        // A name that is as short as can be needs none.
        let long = all.into_iter().filter(|nodes| file.node_text(nodes[0]).len() > 1);
        let renamed = long.zip(names).filter_map(move |(nodes, name)| renamed(file, id, &nodes, &name));
        renamed.collect::<Vec<_>>()
    });
    vec![Group::deletions(units.collect()).doubtful()]
}

/// The names that nothing is known of because the file, or a part of it, could not be read: for each spelling all
/// tokens of it.
fn spelled_alike(file: &Parsed) -> BTreeMap<&[u8], Vec<NodeId>> {
    let tree = file.tree();
    let knows_names = tree.nodes().any(|node| tree.has(node, Role::Name));
    if knows_names && file.syntax.errors == 0 {
        return BTreeMap::new();
    }
    let words = file.tokens.iter().filter(|token| token.kind == TokenKind::Word);
    let nodes = words.filter_map(|token| tree.innermost_at(token.range()));
    let names = nodes.filter(|&node| tree.is_named(node) && (!knows_names || tree.has(node, Role::Name)));
    let mut spellings: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    names.for_each(|node| spellings.entry(file.node_text(node)).or_default().push(node));
    spellings.retain(|_, nodes| nodes.iter().any(|&node| file.bindings().of(node).is_none()));
    spellings
}

/// The names of one letter, then those of two and so on.
fn short_names() -> impl Iterator<Item = String> {
    let longer = |names: &Vec<String>| {
        let add = |name: &String| ('a'..='z').map(|c| format!("{name}{c}")).collect::<Vec<_>>();
        Some(names.iter().flat_map(add).collect())
    };
    std::iter::successors(Some(('a'..='z').map(String::from).collect()), longer).flatten()
}

fn renamed(file: &Parsed, id: FileId, nodes: &[NodeId], name: &str) -> Option<Unit> {
    if file.node_text(nodes[0]).len() <= name.len() {
        return None;
    }
    let replaced = nodes.iter().map(|&node| Unit::Replace { file: id, node, by: Source::made(name) });
    Some(Unit::Together(replaced.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::c::C;
    use std::sync::Arc;

    fn renamed_as_one(text: &str) -> Option<String> {
        let base = Base { files: vec![Arc::new(Parsed::new(&C, text.into()))] };
        assert!(base.file(0).syntax.errors > 0, "this is to be a text that does not parse");
        let group = plan(&base).into_iter().next()?;
        let all: Vec<usize> = (0..group.units().len()).collect();
        let candidate = group.render(&base, &all).ok()?;
        String::from_utf8(candidate.apply(0, &base.file(0).text)).ok()
    }

    #[test]
    fn names_that_the_parser_lost_are_renamed_by_their_spelling() {
        let lost = "g_78[][0], * g_166 = g_78[0];";
        assert_eq!(renamed_as_one(lost).as_deref(), Some("b[][0], * a = b[0];"));
    }

    #[test]
    fn a_name_that_is_bound_here_and_lost_there_is_one_name() {
        let both = "int total; f(){ total = 1; } total[][0], * other = 2;";
        assert_eq!(renamed_as_one(both).as_deref(), Some("int a; f(){ a = 1; } a[][0], * b = 2;"));
    }
}
