//! Expands a type alias: each use becomes the type itself, and the alias is deleted.

use crate::functions::{items_of, part};
use crate::uses::statement;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

pub(crate) const PASS: Pass = Pass {
    name: "aliases",
    summary: "expands another name of a type (a typedef) where it is used, and deletes the definition",
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "typedef long double real;\ntypedef real number;\nreal f(void);\nnumber n = 0;\n",
            keep: &["f(", "n = 0"],
            after: "long double f(void);\nlong double n = 0;\n",
        },
        Example {
            language: "rust",
            before: "type Real = f64;\nfn f(x: Real) {}\n",
            keep: &["f(x"],
            after: "fn f(x: f64) {}\n",
        },
        Example {
            language: "c",
            before: "typedef struct s { int a; } t;\nt x;\n",
            keep: &[" x;"],
            after: "struct s { int a; };\nstruct s x;\n",
        },
        Example {
            language: "cpp",
            before: "using real = long double;\nnamespace a { typedef b::c t; }\nreal c;\na::t d;\n",
            keep: &["namespace a { ", "}", " c;", " d;"],
            after: "namespace a { }\nlong double c;\nb::c d;\n",
        },
        Example {
            language: "go",
            before: "package p\n\ntype a struct{ b.C }\n\nfunc f(x a) {}\n",
            keep: &["package p", "struct{ b.C }", "func f(x "],
            after: "package p\n\nfunc f(x struct{ b.C }) {}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let expanded = PASS
        .files(base)
        .flat_map(|file| file.with(Role::Alias).filter_map(move |alias| expansion(file, alias)));
    vec![Group::deletions(expanded).doubtful()]
}

/// Deletes the alias, and replaces each of its uses by the type that it stands for.
fn expansion(file: File<'_>, alias: NodeId) -> Option<Unit> {
    let (aliased, name) = (part(&file, alias, Role::Aliased)?, file.child_with(alias, Role::AliasName)?);
    // Other classes may give the same name to other types.
    if file.bindings().of(name).is_some_and(|definition| file.bindings().is_member(definition)) {
        return None;
    }
    let uses = file.bindings().occurrences(name).into_iter().filter(|&n| !file.is_within(n, alias));
    // Only a type that comes before its other name, as in C, may be defined there.
    let defined = head(&file, aliased).filter(|_| file.range(aliased).end <= file.range(name).start);
    let (by, gone) = match defined {
        None => {
            let whole = Some(statement(&file, alias)).filter(|&n| items_of(&file, n) == [alias]);
            (Source::Node(aliased), vec![file.drop(whole.unwrap_or(alias))])
        }
        // The type is defined here: its definition is kept, and the uses refer to it by its own name.
        Some(head) => {
            let (whole, defined) = (file.range(alias), file.range(aliased));
            let gone =
                vec![file.cut(whole.start..defined.start), file.cut(defined.end..file.range(name).end)];
            (Source::made(&file.text()[defined.start..head]), gone)
        }
    };
    let expanded = uses.map(|node| file.replace(qualified(file, node), by.clone()));
    Some(Unit::together(gone.into_iter().chain(expanded)))
}

/// The type that a name is the end of: with what says where the name is defined.
fn qualified(file: File<'_>, name: NodeId) -> NodeId {
    let mut whole = name;
    while let Some(around) = file.parent(whole).filter(|&n| file.has(n, Role::Type)) {
        if file.range(around).end != file.range(name).end {
            break;
        }
        whole = around;
    }
    whole
}

/// The end of the name in a type that is defined under a name of its own, behind a keyword such as `struct`.
pub(crate) fn head(tree: &Tree, aliased: NodeId) -> Option<usize> {
    tree.children(aliased).next().filter(|&n| !tree.is_named(n))?;
    let mut parts = tree.named_children(aliased);
    let (name, _body) = (parts.next().filter(|&n| tree.has(n, Role::Name))?, parts.next()?);
    Some(tree.range(name).end)
}
