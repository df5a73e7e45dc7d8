//! Deletes the brackets behind a name wherever the name occurs, or what is in them, or one item of each: the parameters of a
//! function in a language without a grammar.

use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::layout::deletion;
use lopper_languages::lexer::TokenKind;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "name-lists",
    summary: "deletes the brackets behind a name, their contents or one item, wherever the name occurs",
    languages: &["text"],
    grain: Grain::Fine,
    examples: &[
        Example {
            language: "text",
            before: "fn area(width: u8, height: u8) u8 { return height; }\nlet a = area(1, area(2, 3));\n",
            keep: &["fn area(", "height: u8) u8 { return height; }\nlet a = area("],
            after: "fn area(height: u8) u8 { return height; }\nlet a = area(area(3));\n",
        },
        Example {
            language: "text",
            before: "fn List(comptime T: type) type { return T; }\nvar a: List(u8) = b;\n",
            keep: &["fn List", "type { return T; }\nvar a: List", "= b"],
            after: "fn List type { return T; }\nvar a: List = b;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// Only the first of the items in a list are deleted everywhere: longer lists are data rather than parameters.
const MOST_ITEMS: usize = 16;

/// Brackets behind a name, and the items in them.
struct List<'a> {
    file: File<'a>,
    brackets: NodeId,
    items: Vec<NodeId>,
}

fn plan(base: &Base) -> Vec<Group> {
    let mut lists: BTreeMap<(&[u8], u8), Vec<List<'_>>> = BTreeMap::new();
    for file in PASS.files(base) {
        for brackets in file.with(Role::Block) {
            if let Some(name) = name(file, brackets) {
                let items = items(file, brackets);
                let key = (name, file.text()[file.range(brackets).start]);
                lists.entry(key).or_default().push(List { file, brackets, items });
            }
        }
    }
    let several = lists.into_values().filter(|lists| lists.len() > 1);
    vec![Group::choices(several.map(|lists| alternatives(&lists))).doubtful()]
}

/// The word directly before these brackets.
fn name<'a>(file: File<'a>, brackets: NodeId) -> Option<&'a [u8]> {
    let before = file.range(file.tree().previous_sibling(brackets)?);
    let [word] = file.tokens_in(before.clone()) else { return None };
    let touches = before.end == file.range(brackets).start;
    (word.kind == TokenKind::Word && touches).then(|| &file.text()[before])
}

fn items(file: File<'_>, brackets: NodeId) -> Vec<NodeId> {
    let sections = file.children(brackets).filter(|&part| file.has(part, Role::Statement));
    let parts = sections.flat_map(|section| file.children(section));
    parts.filter(|&part| !file.has(part, Role::Separator)).collect()
}

/// What can be deleted of the lists behind one name.
fn alternatives(lists: &[List<'_>]) -> Vec<Unit> {
    let outermost = outermost(lists);
    let whole = |list: &&List<'_>| list.file.cut(deletion(list.file.parsed, list.file.range(list.brackets)));
    let mut units = vec![Unit::together(outermost.iter().map(whole))];
    let contents = outermost.iter().filter(|list| !list.items.is_empty()).map(|list| {
        let range = list.file.range(list.brackets);
        list.file.cut(range.start + 1..range.end - 1)
    });
    units.extend(all(contents));
    let longest = lists.iter().map(|list| list.items.len()).max().unwrap_or(0);
    units.extend((0..longest.min(MOST_ITEMS)).filter_map(|at| {
        // What is in a deleted item goes with it.
        let mut last: Option<(File<'_>, NodeId)> = None;
        all(lists.iter().filter_map(|list| {
            let item = *list.items.get(at)?;
            let is_inside =
                last.is_some_and(|(file, outer)| file.id == list.file.id && file.is_within(item, outer));
            last = last.filter(|_| is_inside).or(Some((list.file, item)));
            (!is_inside).then(|| list.file.drop(item))
        }))
    }));
    units
}

/// The unit of all these, if they are several: for a single one, other passes are enough.
fn all(units: impl Iterator<Item = Unit>) -> Option<Unit> {
    let units: Vec<Unit> = units.collect();
    (units.len() > 1).then(|| Unit::together(units))
}

/// The lists that are not inside another one.
fn outermost<'a, 'b>(lists: &'b [List<'a>]) -> Vec<&'b List<'a>> {
    let mut kept: Vec<&List<'_>> = Vec::new();
    for list in lists {
        let is_inside = kept.last().is_some_and(|last| {
            last.file.id == list.file.id && last.file.is_within(list.brackets, last.brackets)
        });
        if !is_inside {
            kept.push(list);
        }
    }
    kept
}
