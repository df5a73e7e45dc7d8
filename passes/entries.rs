//! Makes a variable of a container of which the program uses only one entry: `a = {}`, `a[0] = b` and `f(a[0])` become `a = b` and
//! `f(a)`.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "entries",
    summary: "makes a variable of a container of which the program uses only one entry",
    languages: &["javascript", "lua", "php", "python", "ruby", "tsx", "typescript"],
    proves: true,
    examples: &[
        Example {
            language: "python",
            before: "a = {}\ndef f(b):\n    a['c'] = b\n    g(a['c'])\nclass D:\n    e = []\n    def h(self):\n        self.e[0] = 1\n        return self.e[0]\n",
            keep: &[
                "def f(b):",
                " = b\n",
                "g(a",
                "class D:",
                "def h(self):",
                "self.e",
                " = 1\n",
                "return self.e",
            ],
            after: "def f(b):\n    a = b\n    g(a)\nclass D:\n    def h(self):\n        self.e = 1\n        return self.e\n",
        },
        Example {
            language: "javascript",
            before: "const a = {};\na.b = f(1);\ng(a.b);\n",
            keep: &["f(1);", "g(a"],
            after: "a = f(1);\ng(a);\n",
        },
        Example {
            language: "typescript",
            before: "let a: A = [];\na[0] = 1 as B;\ng(a[0]);\n",
            keep: &["1 as B", "g(a"],
            after: "a = 1 as B;\ng(a);\n",
        },
        Example {
            language: "tsx",
            before: "let a = {};\na.b = <c/>;\ng(a.b);\n",
            keep: &["<c/>", "g(a"],
            after: "a = <c/>;\ng(a);\n",
        },
        Example {
            language: "lua",
            before: "local a = {}\na[1] = f()\ng(a[1])\n",
            keep: &["f()", "g(a"],
            after: "a = f()\ng(a)\n",
        },
        Example {
            language: "php",
            before: "<?php\n$a = [];\n$a['b'] = f();\ng($a['b']);\n",
            keep: &["f()", "g($a"],
            after: "<?php\n$a = f();\ng($a);\n",
        },
        Example {
            language: "ruby",
            before: "a = {}\na[:b] = f(1)\ng(a[:b])\n",
            keep: &["f(1)", "g(a"],
            after: "a = f(1)\ng(a)\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A container with more uses stays.
const USES: usize = 32;

fn plan(base: &Base) -> Vec<Group> {
    let units =
        PASS.files(base).flat_map(|file| file.definitions().filter_map(move |d| as_variable(file, d)));
    vec![Group::deletions(units).doubtful()]
}

/// Deletes the first value of a variable, and the key behind each of its uses: `[0]`, or `.b`.
fn as_variable(file: File<'_>, definition: &Definition) -> Option<Unit> {
    let is_variable =
        matches!(definition.sort, Sort::Variable | Sort::Field) && definition.uses.len() <= USES;
    let first = *definition.places.first().filter(|_| is_variable)?;
    let names = || definition.places[1..].iter().map(|place| place.name).chain(file.uses(definition));
    let mut keys: Vec<Range<usize>> = Vec::new();
    let mut is_set = false;
    for name in names() {
        let end = file.range(name).end;
        let access = file.ancestors(name).take(3).find(|&n| file.range(n).end > end)?;
        let key = end..file.range(access).end;
        let is_same = keys.first().is_none_or(|other| file.text()[other.clone()] == file.text()[key.clone()]);
        (is_same && matches!(file.text()[end], b'[' | b'.')).then_some(())?;
        let behind = file.text()[key.end..].trim_ascii_start();
        is_set |= behind.starts_with(b"=") && !behind.starts_with(b"==");
        keys.push(key);
    }
    (is_set && keys.len() > 1).then_some(())?;
    Some(Unit::together(keys.into_iter().map(|key| file.cut(key)).chain([file.drop(first.whole)])))
}
