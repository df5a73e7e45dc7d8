//! Puts the definitions of a module in every file that imports it, and deletes the module.

use super::modules::{Moving, importers, ways_to_go, without_words};
use crate::referrers::Referrers;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::edit::FileId;

pub(crate) const PASS: Pass = Pass {
    name: "module-copies",
    summary: "puts the definitions of a module in every file that imports it, and deletes the module",
    languages: &["python"],
    pump: true,
    several: true,
    examples: &[Example {
        language: "python",
        before: "=== a.py\nfrom p.u import f\nprint(f(1))\n=== b.py\ndef g():\n    import p.u\n    return p.u.f(2)\nprint(g())\n=== p/u.py\ndef f(x): return x\n",
        keep: &[
            "=== a.py\n",
            "=== b.py\n",
            "def f(x): return x\n",
            "print(f(1))",
            "def g():\n    ",
            "f(2)\n",
        ],
        after: "=== a.py\ndef f(x): return x\nprint(f(1))\n=== b.py\ndef f(x): return x\ndef g():\n    return f(2)\nprint(g())\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// The largest number of copies.
const MOST: usize = 8;

fn plan(base: &Base) -> Vec<Group> {
    let referrers = Referrers::new(base);
    let ways = PASS.files(base).map(|module| ways_to_copy(&referrers, module));
    vec![Group::choices(ways)]
}

/// The ways to put a module into all files that import it.
fn ways_to_copy(referrers: &Referrers<'_>, module: File<'_>) -> Vec<Unit> {
    let hosts = importers(referrers, module.id);
    if !(2..=MOST).contains(&hosts.len()) {
        return Vec::new();
    }
    let copy = |&host: &FileId| {
        let moving = Moving::new(referrers, module.id, host);
        moving.in_host(true).or_else(|| moving.in_host(false))
    };
    let Some(copies) = hosts.iter().map(copy).collect::<Option<Vec<_>>>() else { return Vec::new() };
    let units = copies.into_iter().flatten().chain(without_words(referrers, module.id));
    ways_to_go(referrers.base, module.id, units.collect())
}
