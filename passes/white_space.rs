//! Normalises white space: each statement on a line of its own, and no superfluous blanks.

use crate::spacing::Spacing;
use crate::{Base, Blank, Example, File, Group, Pass, Unit};

pub(crate) const PASS: Pass = Pass {
    name: "white-space",
    summary: "shortens the white space between tokens to the usual minimum",
    examples: &[
        Example {
            language: "c",
            before: "    int\nf ( int   a )\n{\n        if (a)\n                g ( a ,\n 1 ) ;\n}\n",
            keep: &["f"],
            after: "int f(int a) {\n  if (a)\n    g(a, 1);\n}\n",
        },
        Example {
            language: "cpp",
            before: "template<class T>\n  int f() {\n        g();\n    }\n",
            keep: &["f"],
            after: "template<class T> int f() {\n  g();\n}\n",
        },
        Example {
            language: "rust",
            before: "type A = B<C<D<E> > >;\nfn f() { | | A.0 .b }\n",
            keep: &["A"],
            after: "type A = B<C<D<E>>>;\nfn f() { || A.0.b }\n",
        },
        Example {
            language: "python",
            before: "class A :\n        x   =  [ 1 ,\n  2 ] + \\\n  3\n        def f ( self ) :\n                return  'a  b'\n",
            keep: &["A"],
            after: "class A:\n    x = [1, 2] + 3\n    def f(self):\n        return 'a  b'\n",
        },
        Example {
            language: "go",
            before: "package p\n\nfunc f() {\n\t\tif a {\n\t\t\t\tg(b,\n\t\t\t\t  1)\n\t\t\t}\n\t\t}\n",
            keep: &["package p"],
            after: "package p\nfunc f() {\n\tif a {\n\t\tg(b, 1)\n\t}\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    vec![Group::deletions(PASS.files(base).flat_map(blanks))]
}

fn blanks(file: File<'_>) -> Vec<Unit> {
    let spacing = Spacing::of(file);
    let mut units = Vec::new();
    if let Some(blanks) = spacing.before_first_token() {
        units.push(file.cut(blanks));
    }
    for i in 0..spacing.gaps() {
        let (Some(gap), Some(blank)) = (spacing.gap(i), spacing.shortest(i)) else { continue };
        if spacing.are_one(i) {
            continue;
        }
        let length = blank.len();
        if length < gap.len()
            || (length == gap.len() && blank == Blank::One && file.text()[gap.clone()] != *b" ")
        {
            units.push(file.blank(gap, blank));
        }
    }
    units.extend(joined(file, &spacing));
    units
}

/// Joins the brackets that close lists of types within each other, as in `A<B<C> >`, the bars of `| | a`, and `a.0 .b`. A blank alone
/// cannot be deleted there, since it keeps tokens apart.
fn joined(file: File<'_>, spacing: &Spacing<'_>) -> Vec<Unit> {
    let tokens = file.tokens();
    let mut units = Vec::new();
    let mut end = 0;
    for first in 0..spacing.gaps() {
        if first < end || !spacing.are_one(first) {
            continue;
        }
        end = (first..spacing.gaps()).find(|&i| !spacing.are_one(i)).unwrap_or(spacing.gaps());
        let range = tokens[first].range().start..tokens[end].range().end;
        let mut text = file.text()[range.clone()].to_vec();
        text.retain(|c| !c.is_ascii_whitespace());
        units.extend((text.len() < range.len()).then(|| file.write(range, text)));
    }
    units
}
