//! Deletes a definition with everything that needs it, or replaces its uses by the simplest text for their
//! place.

use crate::dead::dead;
use crate::file::Key;
use crate::gone::{Gone, Node, bereft, lost, subject};
use crate::lacking::Lacking;
use crate::links::Links;
use crate::reach::large;
use crate::uses::{user, without};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::bindings::{Definition, Place, Sort};
use lopper_languages::edit::FileId;
use lopper_languages::references::Naming;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "definitions",
    summary: "deletes a definition with everything that uses it, or replaces its uses by a constant",
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "c",
            before: "typedef int t;\nt a, b;\nt f() { return a; }\nint main() { f(); b = 1; return b; }\n",
            keep: &["main", "b = 1"],
            after: "int b;\nint main() { b = 1; return b; }\n",
        },
        Example {
            language: "smtlib",
            before: "(declare-fun a () Bool)\n(define-fun b () Bool (not a))\n(assert b)\n(assert (or a true))\n(check-sat)\n",
            keep: &["(assert (or ", "(check-sat)"],
            after: "(assert (or true true))\n(check-sat)\n",
        },
        Example {
            language: "wat",
            before: "(module (type $t (func)) (func $f (type $t) (nop)) (func $g (param $a i32) (call $f)) (func (drop (i32.const 1))))\n",
            keep: &["(module ", " (func (drop (i32.const 1)))"],
            after: "(module (func (drop (i32.const 1))))\n",
        },
        Example {
            language: "scheme",
            before: "(define (f a) (* a 2))\n(define (g a) (f a))\n(display 1)\n",
            keep: &["(display 1)"],
            after: "(display 1)\n",
        },
        Example {
            language: "c",
            before: "enum { A, B = 7 };\nint x, *p = &x;\nint main() { int y; return g(x = 2, p[1] + A, B, y); }\n",
            keep: &["return g(", ", "],
            after: "enum { };\nint main() { return g(2, 0 + 0, 7, 0); }\n",
        },
        Example {
            language: "c",
            before: "struct s { int m; };\n#define GET(p, k) (((struct s *)p)->m + k)\nint k;\nint f(void *p) { return GET(p, 1); }\nint main() { return k; }\n",
            keep: &["int k", "main", "return k"],
            after: "int k;\nint main() { return k; }\n",
        },
        Example {
            language: "python",
            before: "import os\nclass A:\n    def f(self): return os.sep\n    def g(self): return self.f()\nx = A().g()\nprint(1)\n",
            keep: &["print(1)", "class", "def g"],
            after: "class A:\n    def g(self): pass\nprint(1)\n",
        },
        Example {
            language: "python",
            before: "class A:\n    @property\n    def f(self):\n        return 1\n    def g(self):\n        return self.f\n@a.b\ndef h():\n    return 2\nx = A().f + h()\nprint(1)\n",
            keep: &["class A", "print(1)"],
            after: "class A:\n    pass\nprint(1)\n",
        },
        Example {
            language: "javascript",
            before: "import { m } from \"m\";\nconst k = 2;\nfunction f(a) { return a + k; }\nfunction g(b) { return m(f(b)); }\nconsole.log(g(1), k);\n",
            keep: &["console.log"],
            after: "console.log(0, 0);\n",
        },
        Example {
            language: "javascript",
            before: "function a() {}\nfunction b() {}\nmodule.exports = { b, a, c: () => a, d: a };\n",
            keep: &["function b", "module.exports = { b"],
            after: "function b() {}\nmodule.exports = { b };\n",
        },
        Example {
            language: "javascript",
            before: "function a() {}\nfunction b() {}\nexport { b, a as c };\n",
            keep: &["function b", "export { b"],
            after: "function b() {}\nexport { b };\n",
        },
        Example {
            language: "java",
            before: "import a.Map;\nclass A {\n    Map<A, int[]> b;\n    Map.Entry<A> f(Map c) { return new Map<A>(); }\n}\n",
            keep: &["class A {", " b;", "f(", " c)", "return new "],
            after: "class A {\n    int b;\n    int f(int c) { return new int(); }\n}\n",
        },
        Example {
            language: "rust",
            before: "enum E { A, B(u8) }\nstruct S<T>(T);\nfn f(a: S<u8>, b: &E) -> Vec<E> { g(E::A, E::B(1), S::<u8>::new()) }\n",
            keep: &["fn f(a: ", " b: &", "-> Vec<", "g(", ", "],
            after: "fn f(a: (), b: &()) -> Vec<()> { g(0, 0, 0) }\n",
        },
        Example {
            language: "rust",
            before: "trait A {}\nimpl A for u8 {}\nfn f<T: A + Clone, U: A>(t: T, a: &dyn A, v: Vec<U>) where v::W<T>: A {}\n",
            keep: &["fn f<T", "Clone, U", ">(t: T, a: &", ", v: Vec<U>)"],
            after: "fn f<T: Clone, U>(t: T, a: &(), v: Vec<U>) {}\n",
        },
        Example {
            language: "rust",
            before: "fn f(a: u8) -> u8 { a + 1 }\nfn main() { let k = 2; let x = f(1); g(x, k); }\n",
            keep: &["fn main", "g("],
            after: "fn main() { g(0, 0); }\n",
        },
        Example {
            language: "rust",
            before: "struct S { a: u8, b: u8 }\nfn f(b: u8) -> S { S { a: 1, b } }\n",
            keep: &["struct S {", "b: u8 }", "S { ", "b }"],
            after: "struct S { b: u8 }\nfn f(b: u8) -> S { S { b } }\n",
        },
        Example {
            language: "rust",
            before: "use a::{b, c::{d, e}};\nfn f(b: u8) -> d { let x = b::g(); e(b) }\n",
            keep: &["use a::{", "c::{", "e}", "fn f(b: u8)", "e(b)"],
            after: "use a::{ c::{ e}};\nfn f(b: u8) -> () { e(b) }\n",
        },
        Example {
            language: "rust",
            before: "use a::{b::{self}, c};\nuse a::d::{self};\nfn f() -> b::B { c(d::g()) }\n",
            keep: &["c}", "fn f()", "c("],
            after: "use a::{ c};\nfn f() -> () { c(0) }\n",
        },
        Example {
            language: "rust",
            before: "enum E { A, B(u8), C }\nfn f(e: Option<E>) -> u8 {\n    match e {\n        Some(E::A) | None => 1,\n        Some(E::B(x)) if x > 1 => x,\n        Some(E::C) => 2,\n    }\n}\n",
            keep: &["enum E {", "C }", "fn f(e:", "match e", "None => 1", "Some(E::C) => 2"],
            after: "enum E { C }\nfn f(e: Option<E>) -> u8 {\n    match e {\n        None => 1,\n        Some(E::C) => 2,\n    }\n}\n",
        },
        Example {
            language: "java",
            before: "class A {\n    static int k = 2;\n    static int f(int a) { return a + k; }\n    void g() { int x = f(1); h(x, k); }\n}\n",
            keep: &["void g", "h("],
            after: "class A {\n    void g() { h(0, 0); }\n}\n",
        },
        Example {
            language: "go",
            before: "package p\nconst k = 2\ntype t struct{ a int }\nfunc f(a int) int { return a + k }\nfunc main() {\n\tx := f(1)\n\tvar s t\n\tg(x, k, s)\n}\n",
            keep: &["package p", "func main", "g("],
            after: "package p\nfunc main() {\n\tg(0, 0, 0)\n}\n",
        },
        Example {
            language: "go",
            before: "=== a.go\npackage main\nimport q \"m/p\"\nfunc main() {\n\tx := q.F(q.K)\n\tg(x)\n\ti(1)\n}\n=== b.go\npackage main\nfunc g(a int) {}\nfunc i(a int) {}\n=== go.mod\nmodule m\n=== p/c.go\npackage p\nconst K = 1\nfunc F(a int) int { return h(a) }\n=== p/d.go\npackage p\nfunc h(a int) int { return a }\n",
            keep: &["func main", "i(1)", "func i(", "module m"],
            after: "=== a.go\npackage main\nfunc main() {\n\ti(1)\n}\n=== b.go\npackage main\nfunc i(a int) {}\n=== go.mod\nmodule m\n=== p/c.go\npackage p\n=== p/d.go\npackage p\n",
        },
        Example {
            language: "php",
            before: "<?php\nclass A { const B = 'x', C = 1; const D = 2; function f() { return self::B . A::C . static::D; } }\n",
            keep: &["<?php", "class A", "C = 1", "function f()", "return ", " . A::C . "],
            after: "<?php\nclass A { const C = 1; function f() { return 'x' . A::C . 2; } }\n",
        },
        Example {
            language: "lua",
            before: "local k = 2\nlocal function f(a) return a + k end\nlocal x = f(1)\nprint(x, k)\n",
            keep: &["print("],
            after: "print(0, 0)\n",
        },
        Example {
            language: "c",
            before: "=== a.c\n#include \"a.h\"\nstatic int k;\nstruct s *f(int x) { return x; }\nenum e g = B;\n=== a.h\nenum e { A, B = 7 };\nstruct s { int m; };\nextern struct s *f(int x);\n=== main.c\n#include \"a.h\"\nstatic int k;\nint main() { f(1)->m = 2; return B + k; }\n",
            keep: &["return", "+ k", "int main", "#include", "static int k;\nint main"],
            after: "=== a.c\n#include \"a.h\"\n=== a.h\n=== main.c\n#include \"a.h\"\nstatic int k;\nint main() { return 7 + k; }\n",
        },
        Example {
            language: "python",
            before: "=== a.py\nfrom b import A, f as g, k\nimport b\nA().m(g(k))\nprint(b.h(1), k)\n=== b.py\nclass A:\n    def m(self, x): pass\n    def n(self): pass\ndef f(x): return x\ndef h(x): return x\nk = 1\n",
            keep: &["print(", "k)", "k = 1", "import", "class A"],
            after: "=== a.py\nfrom b import A, k\nimport b\nprint(0, k)\n=== b.py\nclass A:\n    pass\nk = 1\n",
        },
        Example {
            language: "javascript",
            before: "=== a.js\nimport d, { f as g, k } from './b.js';\nimport * as n from './b.js';\nlog(k, [g(k), 1], d(2), n.h(3));\n=== b.js\nimport { m } from './m.js';\nexport function f(x) { return x; }\nfunction h(x) { return m(x); }\nexport const k = 1;\nexport { h };\nexport default function e() {}\n=== m.js\nexport { l as m } from './o.js';\n=== o.js\nfunction l() {}\nexport { l };\n",
            keep: &["log(k", ", 1]", "k = 1", "import * as n", "k }"],
            after: "=== a.js\nimport { k } from './b.js';\nimport * as n from './b.js';\nlog(k, [0, 1], 0, 0);\n=== b.js\nexport const k = 1;\n=== m.js\n=== o.js\n",
        },
        Example {
            language: "yaml",
            before: "base: &base\n  size: 1\none: *base\ntwo: 2\n",
            keep: &["two"],
            after: "two: 2\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A definition with more dependent nodes than this is left to other passes.
const MOST: usize = 512;
/// The largest number of uses that are followed for one definition. In a preprocessed program of 6 MB, many definitions hang
/// together with much of a library.
const STEPS: usize = 4096;

fn plan(base: &Base) -> Vec<Group> {
    let (links, mentions) = (Links::new(base), mentions(base));
    let definitions = links.definitions().filter(|(_, d)| d.sort != Sort::Parameter);
    let mut subjects: Vec<u64> = Vec::new();
    let ways = definitions.map(|(key, definition)| {
        let ways = Going { base, links: &links, mentions: &mentions }.ways(key, definition);
        subjects.extend((0..ways.len()).map(|way| subject(base, definition, way)));
        ways
    });
    let group = Group::choices(ways).doubtful();
    let lacking = Lacking::new(PASS.files(base)).among(base, group.units());
    let dead = Group::deletions(dead_ones(base, &links));
    vec![dead, group.lacking(lacking).about(subjects).freeing(|| large(base))]
}

/// Fewer dead definitions are no group of their own.
const MANY: usize = 8;

/// Deletes the functions and classes that nothing else mentions: most of a package, once one test is left. Together they are
/// likely to go in one run, which the definitions around them would spoil. For single files of C and C++, there is the pass
/// `unused`.
fn dead_ones(base: &Base, links: &Links<'_>) -> Vec<Unit> {
    let counts = |file: File<'_>| base.is_of_several() || file.language().naming() != Naming::Includes;
    let dead = dead(base, links, counts);
    let gone = |key: &Key| {
        let places = links.get(*key).places.iter();
        Unit::together(places.map(|place| Unit::Drop { file: place.file, node: place.whole }))
    };
    if dead.len() < MANY { Vec::new() } else { dead.iter().map(gone).collect() }
}

/// For each word, the macros whose replacement contains it although no name there is a use, because the grammar does not accept the
/// replacement.
type Mentions<'a> = BTreeMap<&'a [u8], Vec<Node>>;

fn mentions(base: &Base) -> Mentions<'_> {
    let mut mentions = Mentions::new();
    for file in PASS.files(base) {
        for definition in file.definitions().filter(|d| d.sort == Sort::Macro) {
            for place in file.places(definition) {
                // The macro's own name and its parameters are nodes, and names in a replacement that the grammar accepts.
                let named = file.descendants(place.whole).filter(|&n| file.has(n, Role::Name));
                let own: BTreeSet<&[u8]> = named.map(|n| file.node_text(n)).collect();
                let range = file.range(place.whole);
                let from = file.tokens().partition_point(|token| (token.start as usize) < range.start);
                let inside = file.tokens()[from..].iter().take_while(|token| token.range().end <= range.end);
                let words: BTreeSet<&[u8]> = inside.map(|token| &file.text()[token.range()]).collect();
                for word in words.difference(&own) {
                    mentions.entry(word).or_default().push((file.id, place.whole));
                }
            }
        }
    }
    mentions
}

/// The definitions of a base, which go with what needs them.
#[derive(Clone, Copy)]
struct Going<'a> {
    base: &'a Base,
    links: &'a Links<'a>,
    mentions: &'a Mentions<'a>,
}

impl<'a> Going<'a> {
    fn file(self, id: FileId) -> File<'a> {
        File { id, parsed: self.base.file(id) }
    }

    /// The ways to delete a definition: with the statements that need it, or alone.
    fn ways(self, key: Key, definition: &Definition) -> Vec<Unit> {
        let drop = |&(file, node): &Node| Unit::Drop { file, node };
        let closure = self.dependents(key, definition);
        let mut ways: Vec<Unit> = closure.iter().map(|gone| Unit::together(gone.iter().map(drop))).collect();
        if !definition.uses.is_empty() && definition.uses.len() <= MOST {
            let wholes: Vec<Node> = definition.places.iter().map(|place| (place.file, place.whole)).collect();
            let value = (definition.sort == Sort::Constant).then(|| self.value(definition));
            let uses = definition.uses.iter().map(|used| (used.file, used.name));
            let left = uses.filter(|node| !self.is_within_any(*node, &wholes));
            let uses = left.map(|node| {
                let access = self.access(node, value.is_some());
                without(self.file(node.0), access, value.clone())
            });
            ways.push(Unit::together(wholes.iter().map(drop).chain(uses)));
        }
        ways
    }

    /// The nodes to delete with a definition, so that no statement lacks a definition that it needs: the
    /// statements with its uses, and those with the uses of the definitions in them. `None` if there are too
    /// many.
    fn dependents(self, key: Key, definition: &'a Definition) -> Option<Vec<Node>> {
        if definition.uses.len() > MOST {
            return None;
        }
        let base = self.base;
        let mut gone = Gone::default();
        let mut due: Vec<Node> = self.needing(definition).map(|(_, node)| node).collect();
        let mut seen = BTreeSet::from([key]);
        let mut steps = definition.uses.len();
        while let Some((id, node)) = due.pop() {
            if gone.contains(base, (id, node)) {
                continue;
            }
            gone.insert(base, (id, node));
            let file = self.file(id);
            let names = || file.bindings().within(&file, node);
            for lost in lost(self.links, id, names(), &mut seen, |place| gone.contains(base, place)) {
                steps += if lost.uses.len() > MOST { STEPS } else { lost.uses.len() };
                let left = self.needing(lost).filter(|(name, _)| !gone.contains(base, *name));
                due.extend(left.map(|(_, node)| node));
            }
            let bereft = bereft(file, names());
            steps += bereft.len();
            due.extend(bereft.into_iter().map(|used| (id, user(&file, used))));
            if steps > STEPS || gone.len() > MOST || seen.len() > MOST {
                return None;
            }
        }
        Some(gone.nodes().collect())
    }

    /// The places of a definition, what cannot stay without its uses, and the macros that mention it: each behind the name
    /// that makes it needed.
    fn needing(self, definition: &Definition) -> impl Iterator<Item = (Node, Node)> {
        let places =
            definition.places.iter().map(|place| ((place.file, place.name), (place.file, place.whole)));
        let uses = definition.uses.iter().map(|used| (used.file, used.name));
        let name = definition.places.first().map(|place| self.file(place.file).node_text(place.name));
        let is_local =
            definition.scope != NodeId::ROOT && matches!(definition.sort, Sort::Variable | Sort::Label);
        let macros = name.filter(|_| !is_local).and_then(|name| self.mentions.get(name));
        places
            .chain(uses.map(move |(file, name)| ((file, name), (file, user(&self.file(file), name)))))
            .chain(macros.into_iter().flatten().map(|&node| (node, node)))
    }

    /// A use, with the module or object through which another file reaches it, or the class of a constant.
    fn access(self, (file, node): Node, is_constant: bool) -> NodeId {
        let file = self.file(file);
        let access = file.parent(node).filter(|&n| file.has(n, Role::Access));
        let is_distant = is_constant || file.bindings().of(node).is_none();
        let is_through = |&n: &NodeId| is_distant && file.children(n).next() != Some(node);
        access.filter(is_through).unwrap_or(node)
    }

    fn is_within_any(self, (file, node): Node, nodes: &[Node]) -> bool {
        let tree = self.base.file(file).tree();
        nodes.iter().any(|&(other, n)| other == file && tree.is_within(node, n))
    }

    /// The value of a constant of an enumeration, for its uses. A node stands for itself only in its own file.
    fn value(self, definition: &Definition) -> Source {
        let place = definition.places[0];
        let file = self.file(place.file);
        match value_of(file, definition) {
            Source::Node(node) if definition.uses.iter().any(|used| used.file != place.file) => {
                Source::made(file.node_text(node))
            }
            value => value,
        }
    }
}

/// The value of a constant of an enumeration, as far as its own text gives it.
fn value_of(file: File<'_>, definition: &Definition) -> Source {
    let Place { name, whole, .. } = definition.places[0];
    let mut behind = file.parent(name).into_iter().flat_map(|item| file.named_children(item));
    let value = behind.find(|&n| n == name).and_then(|_| behind.next());
    match value {
        Some(value) => Source::Node(value),
        None => {
            let before = file.parent(whole).map_or(0, |list| {
                file.children(list).take_while(|&n| n != whole).filter(|&n| file.is_named(n)).count()
            });
            Source::made(before.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::base;

    /// The texts after each unit by itself, for C++.
    fn texts(text: &str) -> Vec<String> {
        texts_in("cpp", text)
    }

    fn texts_in(language: &str, text: &str) -> Vec<String> {
        let base = base(language, text.as_bytes());
        let groups = plan(&base);
        let after = |group: &Group, unit: usize| {
            let candidate = group.render(&base, &[unit]).unwrap();
            String::from_utf8(candidate.apply(0, text.as_bytes())).unwrap()
        };
        groups.iter().flat_map(|group| (0..group.units().len()).map(move |unit| after(group, unit))).collect()
    }

    #[test]
    fn a_member_that_is_lost_takes_its_uses_in_the_class_along_although_other_classes_have_such_a_member() {
        let text = "struct r { };\nstruct a { typedef r t; t f(); int g(); };\nstruct b { typedef int t; t f(); };\nb::t h();\n";
        let after = "struct a { int g(); };\nstruct b { typedef int t; t f(); };\nb::t h();\n".to_owned();
        assert!(texts(text).contains(&after), "{:#?}", texts(text));
    }

    #[test]
    fn a_statement_in_the_place_of_a_body_leaves_an_empty_one() {
        let text = "int g();\nint f(int a) { if (a) g(); else return 2; while (a) g(); }\n";
        let after = "int f(int a) { if (a) ; else return 2; while (a) ; }\n".to_owned();
        assert!(texts(text).contains(&after), "{:#?}", texts(text));
    }

    #[test]
    fn a_body_stays_where_a_declaration_may_not_stand() {
        let text = "int g();\nint s::f() { g(); }\nint *s::h() { g(); }\nint i() { g(); }\nint j = 1;\nstruct t { friend int k() requires true { g(); } };\n";
        let after = "int s::f() {}\nint *s::h() {}\nint i() ;\nint j = 1;\nstruct t { friend int k() requires true {} };\n".to_owned();
        assert!(texts(text).contains(&after), "{:#?}", texts(text));
    }

    #[test]
    fn a_macro_goes_with_a_definition_that_it_mentions_unless_that_is_its_own_parameter() {
        let text = "struct s { int m; };\n#define GET(p, k) (((struct s *)p)->m + k)\n#define ADD(m) m + 1\nint f(void *p) { return GET(p, 1); }\nint i = ADD(1);\n";
        let after = "struct s { };\n#define ADD(m) m + 1\nint f(void *p) ;\nint i = ADD(1);\n".to_owned();
        let texts = texts_in("c", text);
        assert!(texts.contains(&after), "{texts:#?}");
    }

    #[test]
    fn a_variant_goes_with_its_cases_and_the_statements_that_make_it() {
        let text = "enum E { A, B(u8) }\nfn f(e: E) -> u8 { match e { E::A => 1, E::B(x) => x } }\nfn main() { f(E::B(1)); f(E::A); }\n";
        let after =
            "enum E { A }\nfn f(e: E) -> u8 { match e { E::A => 1, } }\nfn main() { f(E::A); }\n".to_owned();
        let texts = texts_in("rust", text);
        assert!(texts.contains(&after), "{texts:#?}");
    }

    #[test]
    fn a_class_that_loses_its_members_goes_with_its_declarations_and_uses() {
        let text = "struct r { };\nstruct a;\nstruct a : r { void f(); };\nvoid a::f() { }\nstruct d : a { };\na *x; a z;\nint i;\n";
        assert!(texts(text).contains(&"int i;\n".to_owned()), "{:#?}", texts(text));
    }
}
