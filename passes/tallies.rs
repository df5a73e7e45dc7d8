//! Deletes items of a list, or statements, together with the number that says how many there are.

use crate::functions::items_of;
use crate::uses::statement;
use crate::{Base, Example, File, Group, Pass};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "tallies",
    summary: "deletes items or statements together with the number that counts them: [u8; 2] = [1, 2], f(2, a, b), t.plan(2)",
    needs: |language| language.roles().contains("@call"),
    examples: &[
        Example {
            language: "javascript",
            before: "test('a', t => {\n  t.plan(3)\n  let a = f(1)\n  t.equal(a, 1)\n  t.ok(g)\n  t.equal(h(2), 3)\n})\n",
            keep: &["test('a', t => {\n  t.plan(", "let a = f(1)", "h(2), 3)"],
            after: "test('a', t => {\n  t.plan(1)\n  let a = f(1)\n  t.equal(h(2), 3)\n})\n",
        },
        Example {
            language: "rust",
            before: "static A: [u8; 3] = [f(1, 2), 2, 3];\n",
            keep: &["static A: [u8; ", "f(1, 2)"],
            after: "static A: [u8; 1] = [f(1, 2)];\n",
        },
        Example {
            language: "c",
            before: "int b = f(3, a, 1, g(2)) + h(2, a);\n",
            keep: &["int b = f(", "g(2)", "h(2, a)"],
            after: "int b = f(1, g(2)) + h(2, a);\n",
        },
        Example {
            language: "python",
            before: "class A(B):\n    def test(self):\n        self.assertEqual(len(f([g(1), 2, 3])), 3)\n",
            keep: &["class A(B)", "def test(self)", "self.assertEqual(len(f([", "g(1)", ")), "],
            after: "class A(B):\n    def test(self):\n        self.assertEqual(len(f([g(1)])), 1)\n",
        },
        Example {
            language: "go",
            before: "var a = [4]int{1, 2, 3, 4}\n",
            keep: &["int{1, ", "4}"],
            after: "var a = [2]int{1, 4}\n",
        },
        Example {
            language: "llvm",
            before: "@a = global [3 x i32] [i32 1, i32 2, i32 3]\n",
            keep: &["i32 2"],
            after: "@a = global [1 x i32] [i32 2]\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The numbers that are taken for counts: of one item, other passes delete the whole list.
const COUNTS: std::ops::RangeInclusive<usize> = 2..=9999;
/// How many statements behind a number are looked through: each number in a long list of calls would see all others.
const STATEMENTS: usize = 256;
/// The number of groups: among many numbers, some count something by chance.
const GROUPS: usize = 32;

fn plan(base: &Base) -> Vec<Group> {
    PASS.files(base).flat_map(groups).take(GROUPS).collect()
}

/// A group for each list beside a number that counts its items, and for each sequence of statements behind one. O(n log n) for n nodes.
fn groups(file: File<'_>) -> impl Iterator<Item = Group> {
    let lists = lists(file);
    file.with(Role::Literal).flat_map(move |literal| {
        let number = std::str::from_utf8(file.node_text(literal)).ok().and_then(|text| text.parse().ok());
        let Some(number) = number.filter(|number| COUNTS.contains(number)) else { return Vec::new() };
        let around = statement(file.tree(), literal);
        let lists = lists.get(&(around, number)).map_or(&[][..], Vec::as_slice);
        let next = lists.partition_point(|&list| list < literal);
        let last = lists[..next].iter().rfind(|&&list| !file.is_within(literal, list));
        let items = |list: Option<&NodeId>| list.map(|&list| items_of(file.tree(), list));
        let counted = [
            items(lists.get(next)),
            items(last),
            beside(file, literal, number),
            behind(file, literal, around, number),
        ];
        let group = |items: Vec<NodeId>| {
            let units = items.into_iter().map(|item| file.drop(item));
            Group::deletions(units).counted(file.id, file.range(literal), number)
        };
        counted.into_iter().flatten().map(group).collect()
    })
}

/// The lists with separators, in the order of the text, by the statement around them and the number of their items.
fn lists(file: File<'_>) -> BTreeMap<(NodeId, usize), Vec<NodeId>> {
    let mut lists: BTreeMap<(NodeId, usize), Vec<NodeId>> = BTreeMap::new();
    let is_list = |node: &NodeId| file.children(*node).any(|child| file.has(child, Role::Separator));
    for list in file.nodes().filter(is_list) {
        let count = items_of(file.tree(), list).len();
        lists.entry((statement(file.tree(), list), count)).or_default().push(list);
    }
    lists
}

/// The items behind a number that is the first item of the same list, if it counts them: `f(2, a, b)`.
fn beside(file: File<'_>, literal: NodeId, number: usize) -> Option<Vec<NodeId>> {
    let tree = file.tree();
    // In some languages, an argument is a node of its own around the value.
    let is_item = |n: &NodeId| tree.next_sibling(*n).is_some_and(|n| file.has(n, Role::Separator));
    let alone = |n: &NodeId| file.range(*n) == file.range(literal);
    let around = std::iter::once(literal).chain(tree.ancestors(literal));
    let item = around.take_while(alone).find(is_item)?;
    let items = items_of(tree, tree.parent(item)?);
    (items.len() == number + 1 && items[0] == item).then(|| items[1..].to_vec())
}

/// The statements behind a call with a number, if they begin with the same word and if it counts them: what a test announces
/// with `t.plan(2)`.
fn behind(file: File<'_>, literal: NodeId, around: NodeId, number: usize) -> Option<Vec<NodeId>> {
    let tree = file.tree();
    tree.ancestors(literal).take_while(|&n| n != around).find(|&n| file.has(n, Role::Arguments))?;
    let first =
        |node: NodeId| file.tokens_in(file.range(node)).first().map(|token| &file.text()[token.range()]);
    let next = std::iter::successors(tree.next_sibling(around), |&node| tree.next_sibling(node));
    let word = first(around);
    let is_alike = |&node: &NodeId| file.has(node, Role::Statement) && first(node) == word;
    let alike: Vec<NodeId> = next.take(STATEMENTS).filter(is_alike).take(number + 1).collect();
    (alike.len() == number).then_some(alike)
}
