//! A name of a pointer, array or function type goes: each use becomes what it stands for, around what is
//! declared there. What is named without a declarator of its own is for `aliases`.

use super::{declarators, first, is};
use crate::aliases::head;
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "typedefs",
    summary: "expands a name of a pointer, array or function type where it is used, and deletes it",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "typedef float *p, a[3];\nint main() { p x, y[2]; return 0; }\n",
            keep: &["float", "x", "y[2]", "return"],
            after: "typedef float a[3];\nint main() { float *x, *y[2]; return 0; }\n",
        },
        Example {
            language: "c",
            before: "typedef float a[3];\nint main() { a *c; return sizeof(c); }\n",
            keep: &["float ", "*c", "return sizeof(c)"],
            after: "int main() { float (*c)[3]; return sizeof(c); }\n",
        },
        Example {
            language: "c",
            before: "typedef struct s { int a; } *(*f)(int);\nf x;\n",
            keep: &["*", "x", ")(int)"],
            after: "struct s { int a; };\nstruct s *(*x)(int);\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        let definitions = file.bindings().definitions().iter();
        definitions.filter_map(move |d| expanded(file, id, d)).collect::<Vec<_>>()
    });
    vec![Group::deletions(units.collect()).doubtful()]
}

fn expanded(file: &Parsed, id: FileId, definition: &Definition) -> Option<Unit> {
    let tree = file.tree();
    let [place] = definition.places[..] else { return None };
    let whole = tree.ancestors(place.name).find(|&n| is(tree, n, "type_definition"))?;
    if definition.sort != Sort::Type || definition.uses.is_empty() || tree.has(whole, Role::Alias) {
        return None;
    }
    let typed = tree.child_with(whole, Role::Type)?;
    let path = std::iter::once(place.name).chain(tree.ancestors(place.name));
    let item = tree.range(path.take_while(|&n| n != whole).last()?);
    let (name, range) = (tree.range(place.name), tree.range(typed));
    let head = head(tree, typed);
    let mut units = match head.filter(|_| place.whole == whole) {
        None => vec![Unit::Drop { file: id, node: place.whole }],
        // The type is defined here: that stays.
        Some(_) => [tree.range(whole).start..range.start, range.end..item.end]
            .map(|range| Unit::Cut { file: id, range: range.start as u32..range.end as u32 })
            .into(),
    };
    let alias = Expansion {
        file,
        id,
        typed: &file.text[range.start..head.unwrap_or(range.end)],
        before: &file.text[item.start..name.start],
        after: &file.text[name.end..item.end],
    };
    for &node in definition.uses.iter().filter(|&&n| !tree.is_within(n, place.whole)) {
        alias.expand(node, &mut units)?;
    }
    Some(Unit::Together(units.into()))
}

/// A type, and what its declarator says before and after the name.
struct Expansion<'a> {
    file: &'a Parsed,
    id: FileId,
    typed: &'a [u8],
    before: &'a [u8],
    after: &'a [u8],
}

impl Expansion<'_> {
    fn expand(&self, node: NodeId, units: &mut Vec<Unit>) -> Option<()> {
        let Self { file, id, typed, before, after } = *self;
        let tree = file.tree();
        let replaced = |node, by: Vec<u8>| Unit::Replace { file: id, node, by: Source::made(by) };
        let items: Vec<NodeId> = declarators(tree, tree.parent(node)?).filter(|&n| n != node).collect();
        if items.is_empty() {
            units.push(replaced(node, [typed, b" ", before, after].concat()));
            return Some(());
        }
        units.push(replaced(node, typed.to_vec()));
        for item in items {
            let item = first(tree, item).filter(|_| is(tree, item, "init_declarator")).unwrap_or(item);
            // What stands behind a name binds closer than what stands before it.
            let is_looser = tree.kind_name(item).ends_with("pointer_declarator");
            let binds = is_looser && after.first().is_some_and(|c| matches!(c, b'[' | b'('));
            let (open, close) = if binds { (&b"("[..], &b")"[..]) } else { (&b""[..], &b""[..]) };
            let (first, last) = (tree.first_leaf(item), tree.last_leaf(item));
            let text = |node| file.node_text(node);
            if first == last {
                units.push(replaced(first, [before, open, text(first), close, after].concat()));
            } else {
                units.push(replaced(first, [before, open, text(first)].concat()));
                units.push(replaced(last, [text(last), close, after].concat()));
            }
        }
        Some(())
    }
}
