//! Dissolves a namespace: its contents move to the scope around it, and its qualifiers are deleted.

use crate::c::{child, is};
use crate::csharp::namespaces::dissolved_in;
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};

pub(crate) const PASS: Pass = Pass {
    name: "namespaces",
    summary: "deletes a namespace with its qualifiers, but not its contents",
    languages: &["cpp", "csharp"],
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "cpp",
            before: "namespace n { int f(int); }\ninline namespace n::m { struct s; }\nusing namespace n;\nint x = ::n::f(1) + n::m::g<n::s>();\n",
            keep: &["int f(int);", "struct s;", "int x = ", "f(1) + ", "m::g<", "s>()"],
            after: " int f(int); \ninline namespace m { struct s; }\nint x = ::f(1) + m::g<s>();\n",
        },
        Example {
            language: "csharp",
            before: "using System;\nusing N.M;\nnamespace N.M { class A { N.M.B b; } }\nnamespace P\n{\n    using System.Text;\n    class C { Encoding e = N.M.A.F(); }\n}\n",
            keep: &[
                "class A {",
                "B b;",
                "class C {",
                "Encoding e = ",
                "A.F()",
                "using System;",
                "using System.Text;",
            ],
            after: "using System.Text;using System;\n class A { B b; } \n\n    class C { Encoding e = A.F(); }\n\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let (sharp, others): (Vec<File<'_>>, Vec<File<'_>>) =
        PASS.files(base).partition(|file| file.language().name() == "csharp");
    let dissolved = others.into_iter().flat_map(|file| {
        let namespaces = file.definitions().filter(|d| d.sort == Sort::Namespace);
        namespaces.filter_map(move |definition| dissolved(file, definition))
    });
    vec![Group::deletions(dissolved.chain(dissolved_in(&sharp))).doubtful()]
}

fn dissolved(file: File<'_>, definition: &Definition) -> Option<Unit> {
    let mut units = Vec::new();
    for place in file.places(definition) {
        let whole = file.parent(place.name).filter(|&n| is(&file, n, "namespace_definition"))?;
        let body = child(&file, whole, "declaration_list")?;
        let (open, close) = (child(&file, body, "{")?, child(&file, body, "}")?);
        units.push(file.cut(file.range(whole).start..file.range(open).end));
        units.push(file.cut(file.range(close)));
    }
    for name in file.uses(definition) {
        let parent = file.parent(name)?;
        let behind = file.next_sibling(name).and_then(|mark| file.next_sibling(mark));
        units.push(match behind.filter(|_| !is(&file, parent, "using_declaration")) {
            Some(behind) => file.cut(file.range(name).start..file.range(behind).start),
            None => file.drop(statement(&file, name)),
        });
    }
    Some(Unit::together(units))
}
