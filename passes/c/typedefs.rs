//! Expands a typedef of a pointer, array or function type: each use becomes the type, wrapped around the name
//! that is declared there. The pass `aliases` expands typedefs without such a declarator.

use super::{FAMILY, declarators, first, is};
use crate::aliases::head;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "typedefs",
    summary: "expands a typedef of a pointer, array or function type where it is used, and deletes it",
    languages: FAMILY,
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
        Example {
            language: "cpp",
            before: "typedef float *p;\nclass c { p x; };\n",
            keep: &["float", "x"],
            after: "class c { float *x; };\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let expanded =
        PASS.files(base).flat_map(|file| file.definitions().filter_map(move |d| expanded(file, d)));
    vec![Group::deletions(expanded).doubtful()]
}

fn expanded(file: File<'_>, definition: &Definition) -> Option<Unit> {
    let [place] = definition.places[..] else { return None };
    let whole = file.ancestors(place.name).find(|&n| is(&file, n, "type_definition"))?;
    if definition.sort != Sort::Type || definition.uses.is_empty() || file.has(whole, Role::Alias) {
        return None;
    }
    let typed = file.child_with(whole, Role::Type)?;
    let path = std::iter::once(place.name).chain(file.ancestors(place.name));
    let item = file.range(path.take_while(|&n| n != whole).last()?);
    let (name, range) = (file.range(place.name), file.range(typed));
    let head = head(&file, typed);
    let mut units = match head.filter(|_| place.whole == whole) {
        None => vec![file.drop(place.whole)],
        // The type is defined here: its definition is kept.
        Some(_) => [file.range(whole).start..range.start, range.end..item.end]
            .map(|range| file.cut(range.start..range.end))
            .into(),
    };
    let alias = Expansion {
        file,
        typed: &file.text()[range.start..head.unwrap_or(range.end)],
        before: &file.text()[item.start..name.start],
        after: &file.text()[name.end..item.end],
    };
    for node in file.uses(definition).filter(|&n| !file.is_within(n, place.whole)) {
        alias.expand(node, &mut units)?;
    }
    Some(Unit::together(units))
}

/// A type, and the parts of its declarator before and behind the name.
struct Expansion<'a> {
    file: File<'a>,
    typed: &'a [u8],
    before: &'a [u8],
    after: &'a [u8],
}

impl Expansion<'_> {
    fn expand(&self, node: NodeId, units: &mut Vec<Unit>) -> Option<()> {
        let Self { file, typed, before, after } = *self;
        let items: Vec<NodeId> = declarators(&file, file.parent(node)?).filter(|&n| n != node).collect();
        if items.is_empty() {
            units.push(file.replace(node, [typed, b" ", before, after].concat()));
            return Some(());
        }
        units.push(file.replace(node, typed.to_vec()));
        for item in items {
            let item = first(&file, item).filter(|_| is(&file, item, "init_declarator")).unwrap_or(item);
            // A declarator behind a name binds tighter than one before it.
            let is_looser = file.kind_name(item).ends_with("pointer_declarator");
            let binds = is_looser && after.first().is_some_and(|c| matches!(c, b'[' | b'('));
            let (open, close) = if binds { (&b"("[..], &b")"[..]) } else { (&b""[..], &b""[..]) };
            let (first, last) = (file.first_leaf(item), file.last_leaf(item));
            let text = |node| file.node_text(node);
            if first == last {
                units.push(file.replace(first, [before, open, text(first), close, after].concat()));
            } else {
                units.push(file.replace(first, [before, open, text(first)].concat()));
                units.push(file.replace(last, [text(last), close, after].concat()));
            }
        }
        Some(())
    }
}
