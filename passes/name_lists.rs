//! Deletes the brackets behind a name wherever the name occurs, or what is in them, or one item of each: the parameters of a
//! function in a language without a grammar.

use crate::levels::outermost;
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
    let whole = |(file, list): (File<'_>, NodeId)| file.cut(deletion(file.parsed, file.range(list)));
    let contents = |(file, list): (File<'_>, NodeId)| {
        let range = file.range(list);
        file.cut(range.start + 1..range.end - 1)
    };
    let filled = |list: &List<'_>| (!list.items.is_empty()).then_some(list.brackets);
    let longest = lists.iter().map(|list| list.items.len()).max().unwrap_or(0);
    let item =
        |at: usize| all(outer(lists, |list| list.items.get(at).copied()).map(|(file, item)| file.drop(item)));
    let lists_go = Unit::together(outer(lists, |list| Some(list.brackets)).map(whole));
    let contents_go = all(outer(lists, filled).map(contents));
    let items_go = (0..longest.min(MOST_ITEMS)).filter_map(item);
    std::iter::once(lists_go).chain(contents_go).chain(items_go).collect()
}

/// A part of each list, without those inside another one: what contains them takes them along.
fn outer<'a>(
    lists: &[List<'a>],
    part: impl Fn(&List<'a>) -> Option<NodeId>,
) -> impl Iterator<Item = (File<'a>, NodeId)> {
    lists.chunk_by(|one, other| one.file.id == other.file.id).flat_map(move |lists| {
        let file = lists[0].file;
        outermost(file, lists.iter().filter_map(&part).collect()).into_iter().map(move |node| (file, node))
    })
}

/// The unit of all these, if they are several: for a single one, other passes are enough.
fn all(units: impl Iterator<Item = Unit>) -> Option<Unit> {
    let units: Vec<Unit> = units.collect();
    (units.len() > 1).then(|| Unit::together(units))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_takes_along_the_items_inside_it_whatever_comes_before() {
        let base = Base::of_example("text", "f(f(1, 2), f(3, 4));\n");
        let [group] = &plan(&base)[..] else { panic!("one group") };
        let results = (0..group.units().len()).map(|unit| {
            let candidate = group.render(&base, &[unit]).expect("no conflict");
            String::from_utf8(candidate.apply(0, &base.file(0).text)).unwrap()
        });
        assert_eq!(results.collect::<Vec<_>>(), ["f;\n", "f(f(4));\n", "f(f(1));\n"]);
    }
}
