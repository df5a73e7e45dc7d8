//! A trivial file of each kind: the smallest one that the tools for such files accept.

use std::path::Path;

/// The trivial files, by the endings of their names.
const PROGRAMS: &[(&[&str], &str)] = &[
    (&["c", "i", "cc", "cpp", "cxx", "c++", "ii", "m", "mm"], "int main(void) { return 0; }\n"),
    (&["h", "hh", "hpp"], "int x;\n"),
    (&["py", "pyi", "pyw"], "pass\n"),
    (&["rs"], "fn main() {}\n"),
    (&["go"], "package main\n\nfunc main() {}\n"),
    (&["java"], "class A {}\n"),
    (&["js", "mjs", "cjs", "ts", "jsx", "tsx"], ";\n"),
    (&["cs"], "class A { static void Main() {} }\n"),
    (&["rb", "sh", "bash", "pl", "lua"], "# nothing\n"),
    (&["php"], "<?php\n"),
    (&["json"], "{}\n"),
    (&["yaml", "yml"], "a: 1\n"),
    (&["toml"], "a = 1\n"),
    (&["html", "xml", "svg"], "<a></a>\n"),
    (&["css"], "a {}\n"),
    (&["sql"], "SELECT 1;\n"),
    (&["smt2"], "(check-sat)\n"),
    (&["ll"], "define void @f() {\n  ret void\n}\n"),
];

/// The trivial file of the same kind as this one; `None` if the kind is not known.
pub(super) fn program(name: &Path) -> Option<&'static str> {
    let ending = name.extension()?.to_str()?;
    PROGRAMS.iter().find(|(endings, _)| endings.contains(&ending)).map(|(_, program)| *program)
}
