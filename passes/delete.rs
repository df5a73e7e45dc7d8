//! Hierarchical deletion: deletes optional nodes, level by level.
//!
//! After Misherghi and Su, "HDD: Hierarchical Delta Debugging" (ICSE 2006), section 3; a level holds the
//! nodes with equally many deletable ancestors, so chains of single children cost nothing.

use crate::lacking::Lacking;
use crate::levels::{has_tokens, levels_with_slight_last};
use crate::reach::large;
use crate::{Base, Example, File, Grain, Group, Pass};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "delete",
    summary: "deletes statements, list items and other optional nodes, level by level",
    grain: Grain::Coarse,
    proves: true,
    reaches: true,
    examples: &[
        Example {
            language: "c",
            before: "struct s { int x; };\nint f(int a, int b) { g(); return h(a, b, 3); }\nint i = 1, j;\n",
            keep: &["int b)", "h(", "j;"],
            after: "int f(int b) { return h(); }\nint j;\n",
        },
        Example {
            language: "python",
            before: "import os\nclass A(B):\n    x = 1\n    def f(self, y=2):\n        return [1, 2]\nz = 3; w = 4\n",
            keep: &["class A", "f(", "w = 4"],
            after: "class A:\n    def f():\n        pass\nw = 4\n",
        },
        Example {
            language: "text",
            before: "[section]\n  a = 1, 2\n  b = (c d)\n[other]\n",
            keep: &["[section]", "b", "d"],
            after: "[section]\n  b (d)\n",
        },
        Example {
            language: "javascript",
            before: "import a, { b } from \"m\";\nclass A extends B {\n  x = 1;\n  f(c, d = 2) { return [c, { e: d, f }]; }\n}\nlet g = 1, h;\n",
            keep: &["class A", "f(", "e: d", "h"],
            after: "class A {\n  f() { return [{ e: d }]; }\n}\nlet h;\n",
        },
        Example {
            language: "rust",
            before: "use std::fmt;\n#[derive(Clone)]\npub struct S<T: Clone> { pub a: T, b: u8 }\nimpl<T> S<T> where T: Copy { fn f(&self, x: u8) -> u8 { g(1, x); x } }\n",
            keep: &["struct S", "b: u8", "impl", "fn f"],
            after: "struct S { b: u8 }\nimpl S<T> { fn f() -> u8 {} }\n",
        },
        Example {
            language: "java",
            before: "import java.util.*;\npublic final class A extends B implements C {\n    private int x = 1, y;\n    void f(int a, int b) throws D { g(a, b); return; }\n}\n",
            keep: &["class A", "y;", "void f"],
            after: "class A {\n    int y;\n    void f() {}\n}\n",
        },
        Example {
            language: "json",
            before: "{\"a\": [1, 2, {\"b\": null}], \"c\": true}\n",
            keep: &["\"b\""],
            after: "{\"a\": [{\"b\": null}]}\n",
        },
        Example {
            language: "go",
            before: "package p\n\nimport \"fmt\"\n\ntype T struct {\n\ta int\n\tb string\n}\n\nfunc f(a int, b ...string) (int, error) { g(1, a); return h(a, 2), nil }\n\nvar x, y = 1, 2\n",
            keep: &["package p", "b string", "func f(", "h(", "y ="],
            after: "package p\n\ntype T struct {\n\tb string\n}\n\nfunc f() { g(); return h() }\n\nvar y = 2\n",
        },
        Example {
            language: "go",
            before: "package p\n\ntype T int\n\nfunc (t T) m(a int) { g() }\n",
            keep: &["m("],
            after: "package p\n\nfunc (T) m() { }\n",
        },
        Example {
            language: "lua",
            before: "local M, n = {}, 1\nfunction M.f(a, b) g(a, 2); return { x = 1, y = h(b, 3) } end\nif n then\n  print(n)\nend\n",
            keep: &["local M", "function M.f(", "y =", "print("],
            after: "local M = 1\nfunction M.f() return { y = h() } end\nif n then\n  print()\nend\n",
        },
        Example {
            language: "toml",
            before: "title = \"x\"\n[a]\nlist = [1, 2, { b = 3, c = 4 }]\nother = true\n[[d]]\ne = 1\n",
            keep: &["list", "c = 4", "[[d]]"],
            after: "[a]\nlist = [{ c = 4 }]\n[[d]]\n",
        },
        Example {
            language: "yaml",
            before: "a: 1\nlist:\n  - x: 1\n    y: [2, {z: 3, w: 4}]\n  - second\nb: text\n",
            keep: &["list", "w: 4"],
            after: "list:\n  -\n    : [{ w: 4}]\n",
        },
        Example {
            language: "css",
            before: "@import \"x.css\";\nh1, .a > b { color: red; margin: 0 auto; }\n@media print { p { margin: 0; } }\n",
            keep: &[".a", "margin: 0 auto", "@media"],
            after: ".a > b { margin: 0 auto; }\n@media print { }\n",
        },
        Example {
            language: "html",
            before: "<html lang=\"en\">\n<body class=\"b\" id=\"i\"><p>one <b>two</b></p><ul><li>3</li></ul></body>\n</html>\n",
            keep: &["id=", "two", "<li>"],
            after: "<body id=\"i\"> two<li></li>\n",
        },
        Example {
            language: "php",
            before: "<?php\nuse A\\B;\nfunction f(int $a, $b = 1) { echo 1; return $a; }\nif (f(2)) { g([1, 2]); } else { h(); }\n",
            keep: &["<?php", "function f", "$b = 1", "g([", "2]"],
            after: "<?php\nfunction f($b = 1) {}\nif (f()) { g([2]); }\n",
        },
        Example {
            language: "ruby",
            before: "require 'x'\nclass A < B\n  def f(a, b = 1)\n    puts a, b\n    return [1, 2]\n  end\nend\n",
            keep: &["class A", "def f(", "b = 1", "2]"],
            after: "class A\n  def f(b = 1)\n    return [2]\n  end\nend\n",
        },
        Example {
            language: "bash",
            before: "set -e\nf() {\n  echo one two\n  ls | wc -l\n}\nif test a; then f; else g; fi\n",
            keep: &["f()", "two", "if test", "f;"],
            after: "f() {\n  echo two\n}\nif test; then f; fi\n",
        },
        Example {
            language: "sql",
            before: "CREATE TABLE t (a INT, b TEXT);\nSELECT a, b FROM t WHERE a > 1 ORDER BY b;\nDROP TABLE t;\n",
            keep: &["SELECT", "b FROM t"],
            after: "SELECT b FROM t;\n",
        },
        Example {
            language: "go",
            before: "package a\n\nimport (\n\t\"b\"\n\t\"c\"\n)\n\nfunc f() {\n\tx, y := c.E()\n\tb.G(x)\n\th(y)\n}\n",
            keep: &["package a", "\t\"c\"", "func f", ", y := c.E()", "h(y)"],
            after: "package a\n\nimport (\n\t\"c\"\n)\n\nfunc f() {\n\t_, y := c.E()\n\th(y)\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let is_wanted = |file: File<'_>, node| {
        file.is_optional(node) && !file.has(node, Role::Comment) && has_tokens(file, node, 1)
    };
    let is_slight = |file: File<'_>, node| file.tokens_in(file.range(node)).is_empty();
    let levels = levels_with_slight_last(|| PASS.files(base), is_wanted, is_slight);
    let gone = |(file, node): (File<'_>, NodeId)| file.drop(node);
    let (reach, lacking) = (large(base), Lacking::new(PASS.files(base)));
    let group = |level: Vec<_>| {
        let group = Group::deletions(level.into_iter().map(gone));
        let lacking = lacking.among(base, group.units());
        group.lacking(lacking).freeing(|| reach.clone())
    };
    levels.into_iter().map(group).collect()
}
