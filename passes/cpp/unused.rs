//! Deletes definitions that nothing uses, each with all that only it reaches, in large batches.
//!
//! Most of a preprocessed C++ program is of this sort: a library, whose headers use each other. In C and Python, the
//! pass `definitions` alone takes about as few runs.

use super::items;
use crate::reach::{LARGE, Reach};
use crate::{Base, Example, Grain, Group, Pass};

pub(crate) const PASS: Pass = Pass {
    name: "unused",
    summary: "deletes definitions that nothing uses, with what only they use, if a file is large or has many of them",
    languages: &["cpp"],
    grain: Grain::Coarse,
    examples: &[Example {
        language: "cpp",
        before: "typedef int t;\nint two(t a) { return a; }\nint one() { return two(A); }\nint A; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n; int o; int p; int q; int r; int s; int u; int v; int w; int x; int y; int z;\nint main() { return A; }\n",
        keep: &[
            "main", "A", "int c;", "int d;", "int e;", "int f;", "int g;", "int h;", "int i;", "int j;",
            "int k;", "int l;", "int m;", "int n;", "int o;", "int p;", "int q;", "int r;", "int s;",
            "int u;", "int v;", "int w;", "int x;", "int y;", "int z;",
        ],
        after: "int A; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n; int o; int p; int q; int r; int s; int u; int v; int w; int x; int y; int z;\nint main() { return A; }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// A small file with fewer unused definitions is left to other passes, whose units go further.
const MANY: usize = 24;

fn plan(base: &Base) -> Vec<Group> {
    let reaches = PASS.files(base).map(|file| (file.tokens().len(), items::reach(file)));
    let is_worth_a_run = |(tokens, reach): &(usize, Reach)| match reach.roots().count() {
        0 | 1 => false,
        roots => roots >= MANY || *tokens >= LARGE,
    };
    let reaches = reaches.filter(is_worth_a_run);
    reaches.map(|(_, reach)| Group::reaching(reach).doubtful()).collect()
}
