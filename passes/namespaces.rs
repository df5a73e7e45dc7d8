//! Dissolves a namespace: its contents move to the scope around it, and its qualifiers are deleted.

use crate::{Base, Example, File, Grain, Group, Pass, cpp, csharp};

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
    let mut units = cpp::namespaces::dissolved_in(&others);
    units.extend(csharp::namespaces::dissolved_in(&sharp));
    vec![Group::deletions(units).doubtful()]
}
