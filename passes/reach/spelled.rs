//! The statements of a file as items, in languages whose bindings tell what a statement defines, but miss uses through objects.

use super::{Item, Reach, items_of, mention};
use crate::File;
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

/// What statements reach, at the level of the file and in functions. O(n log n) for n nodes and tokens.
pub(super) fn reach(file: File<'_>) -> Reach {
    let mut items = items_of(file, file.nodes().filter(|&node| file.has(node, Role::Statement)));
    let names = define(file, &mut items);
    let text = |at: usize| &file.text()[file.tokens()[at].range()];
    mention(file, &mut items, |at, _| names.get(text(at)).copied());
    Reach::new(file.id, items, names.len())
}

/// Gives items the names that they define; returns the numbers of the names.
fn define<'a>(file: File<'a>, items: &mut [Item]) -> BTreeMap<&'a [u8], u32> {
    let mut names = BTreeMap::new();
    let defined = file.bindings().definitions().iter();
    let defined = defined.filter(|definition| !matches!(definition.sort, Sort::Parameter | Sort::Label));
    for place in defined.flat_map(|definition| &definition.places) {
        // The innermost item around the name.
        let mut at = items.partition_point(|item| item.node <= place.name).checked_sub(1);
        while let Some(outer) = at.filter(|&at| !file.is_within(place.name, items[at].node)) {
            at = items[outer].parent.map(|parent| parent as usize);
        }
        let Some(item) =
            at.map(|at| &mut items[at]).filter(|item| is_definition(file, place.whole, item.node))
        else {
            continue;
        };
        let next = names.len() as u32;
        item.names.push(*names.entry(file.node_text(place.name)).or_insert(next));
        item.stays = false;
    }
    names
}

/// Whether a statement is there for what a node in it defines, alone or beside others.
fn is_definition(file: File<'_>, whole: NodeId, statement: NodeId) -> bool {
    let is_alone = |node: NodeId| file.named_children(node).nth(1).is_none();
    let mut around = std::iter::once(whole).chain(file.ancestors(whole)).take_while(|&n| n != statement);
    file.parent(whole) == Some(statement) || around.all(|n| file.parent(n).is_none_or(is_alone))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Base;

    #[test]
    fn a_method_waits_for_its_class_and_for_a_mention_through_an_object() {
        let text = "class A {\n  int f() { return g(); }\n  int g() { int a = 1; return a; }\n}\nclass B {\n  void main(A a) { a.f(); }\n}\nclass C {\n  int h() { return 1; }\n}\n";
        let base = Base::of_example("java", text);
        let file = File { id: 0, parsed: base.file(0) };
        let reach = reach(file);
        let first_line = |node: NodeId| {
            let text = String::from_utf8_lossy(file.node_text(node)).into_owned();
            text.lines().next().unwrap_or_default().to_owned()
        };
        let roots: Vec<_> = reach.roots().map(first_line).collect();
        assert_eq!(
            roots,
            ["class A {", "class B {", "void main(A a) { a.f(); }", "class C {", "int h() { return 1; }"]
        );
        let without = |gone: &[usize]| reach.without(gone).into_iter().map(first_line).collect::<Vec<_>>();
        let methods = ["int f() { return g(); }", "int g() { int a = 1; return a; }"];
        assert_eq!(without(&[2]), [methods[0], methods[1], "void main(A a) { a.f(); }"]);
        assert_eq!(without(&[0, 2]), ["class A {", "void main(A a) { a.f(); }"]);
        assert_eq!(without(&[4]), ["int h() { return 1; }"]);
    }
}
