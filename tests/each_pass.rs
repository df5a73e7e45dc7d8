//! Every pass is worth its place: it has a program whose result is larger without it.

use crate::kit::{as_example, base, reduced_with};
use crate::{several_files, transformations};
use lopper::oracle::{Contents, Verdict};
use lopper::passes::{Base, PASSES, Pass};
use lopper::run::Options;

/// For each pass, a transformation that needs it. For a pass that is not listed, one of its own examples must
/// need it.
const NEEDED: &[(&str, &str)] = &[
    ("delete", "attributes and storage go"),
    ("slices", "a function goes, and what depended on it runs once"),
    ("fillers", "bit-fields become fields"),
    ("optional", "a comparison that holds in more cases lets a value go"),
    ("parameters", "a parameter goes with its argument in every call"),
    ("inline", "a call becomes what is returned"),
    ("fixtures", "a fixture becomes what it returns"),
    ("aliases", "a typedef is expanded in all uses at once"),
    ("typedefs", "a name of a pointer type is expanded"),
    ("indirections", "an array becomes an element"),
    ("addresses", "an address and its access cancel"),
    ("structures", "a structure becomes its field"),
    ("fields", "a field becomes a variable"),
    ("loops", "a loop becomes its first round"),
    ("returns", "a type becomes void"),
    ("prototypes", "old parameters move into the list"),
    ("joins", "declarations become one"),
    ("placements", "a structure is defined where it is used"),
    ("moves", "a local variable becomes global"),
    ("results", "a value that is kept is returned"),
    ("lifts", "a comma becomes a semicolon"),
    ("displays", "a generator becomes a list of its element"),
    ("imports", "an import of a module becomes one of all its names"),
    ("methods", "a method becomes a function, and its class goes"),
    ("attributes", "an attribute becomes a variable"),
    ("properties", "a property becomes an attribute"),
    ("supers", "a method of a base class is done in place"),
    ("bases", "a class becomes its base"),
    ("wrappers", "an object becomes what it wraps"),
    ("breaks", "a condition says when a loop ends"),
    ("unpackings", "an assignment of several values becomes several assignments"),
    ("yields", "a loop that yields its elements becomes what it goes through"),
    ("contexts", "a call runs the code of a function that only it gets"),
    ("rebindings", "a variable that is set again is replaced by its value until then"),
    ("namespaces", "a namespace goes with its qualifiers"),
    ("templates", "a template becomes plain"),
    ("structs", "a class becomes a structure"),
    ("classes", "members leave their class"),
    ("descendants", "operators give way to operands"),
    ("rounds", "a loop becomes one round of it"),
    ("splits", "a condition becomes a statement"),
    ("sinks", "a value finds a smaller use"),
    ("readers", "a variable is read where it is set"),
    ("sets", "a variable is set where it is used"),
    ("formats", "a conversion goes with its argument"),
    ("merges", "two variables become one"),
    ("negations", "a variable is inverted"),
    ("flips", "a flag with the opposite value makes a condition deletable"),
    ("exchanges", "a use finds another variable, and the first one goes"),
    ("type-exchanges", "a function returns a type of a library, and the members of the class go"),
    ("visible-variables", "an expression becomes a variable that is visible there"),
    ("comparisons", "a comparison that holds in more cases lets a value go"),
    ("constants", "a condition becomes true"),
    ("compounds", "an assignment of a target and something else becomes one with an operator"),
    ("increments", "an assignment with an operator becomes an increment"),
    ("operators", "an assignment with an operator becomes a plain one"),
    ("brackets", "the brackets in a macro go"),
    ("lines", "a line of a macro goes"),
    ("substitutes", "an import of a name becomes one of the module"),
    ("identical", "all copies of an argument go at once"),
    ("tokens", "a single token of a macro goes"),
    ("token-windows", "neighbouring tokens of a macro go"),
    ("equal-tokens", "all copies of an operator go at once"),
    ("equal-pieces", "a word goes from all strings"),
    ("masks", "the tokens around a token of a macro go"),
    ("white-space", "what is done before each test is done in the test"),
    ("rename", "a name becomes a letter"),
];

/// Whether the result for a program is larger if `pass` is left out.
fn is_needed(pass: &Pass, language: &str, before: &str, keep: impl Fn(&Contents) -> bool + Sync) -> bool {
    let reduce = |passes: Vec<&'static Pass>| {
        let test = |c: &Contents| if keep(c) { Verdict::Interesting } else { Verdict::Boring };
        let options = Options { passes, ..Options::default() };
        let (outcome, _) = reduced_with(Base::of_example(language, before), &test, &options);
        (outcome.measure, outcome.contents)
    };
    let with = reduce(PASSES.iter().collect());
    let without = reduce(PASSES.iter().filter(|other| other.name != pass.name).collect());
    with < without
}

/// Passes with a test of their own. Line markers could be deleted by `lines`, too, and digits of all equal numbers by
/// `equal-pieces`, but in more runs; `counts` needs a test that counts rows, and `pairs` one that pairs lines.
const SHOWN_BELOW: &[&str] = &[
    "line-markers",
    "unused",
    "declarations",
    "numbers",
    "counts",
    "pairs",
    "packages",
    "generics",
    "fusions",
    "exceptions",
    "constructors",
    "statics",
    "return-types",
    "function-results",
    "immediate-calls",
    "stubs",
];

/// Passes that change several places of a program at once: a language, and a program before and after that, between which no
/// other pass finds a way.
const TOGETHER: &[(&str, &str, &str, &str)] = &[
    (
        "computed-names",
        "javascript",
        "class A { f(a) { this['on' + a](1, a); } onB(b) { g(b, b, h); } }\n",
        "class A { f(a) { this.onB(1, a); } onB(b) { g(b, b, h); } }\n",
    ),
    ("definitions", "c", "enum { A, B = 7 } a;\nint b = B;\n", "enum { A } a;\nint b = 7;\n"),
    ("enumerators", "c", "enum { A = 7 } a[A];\n", "int a[7];\n"),
    ("item-ends", "text", "int[2] a = b;\n", "b;\n"),
    ("columns", "text", "+--+\n|ab|\n+--+\n", "+-+\n|b|\n+-+\n"),
    (
        "mentions",
        "go",
        "package p\nfunc f() { g[int](1, 2) }\nfunc g[T any](T, T)\n",
        "package p\nvar _ = g[int]\nfunc g[T any](T, T)\n",
    ),
    ("variables", "python", "y = g(x)\nprint(y)\nprint(y + 1)\n", "print(g(x))\nprint(g(x) + 1)\n"),
    (
        "first-values",
        "c",
        "void g() { int *a; k(); a = f(); h(a, a); }\n",
        "void g() { k(); int *a = f(); h(a, a); }\n",
    ),
    ("class-functions", "javascript", "class A { *f() { yield 1; } }\n", "function *f() { yield 1; }\n"),
    ("selects", "sql", "SELECT 0 FROM a JOIN b ON 1 IS NOT NULL = 2;\n", "SELECT 1 IS NOT NULL = 2;\n"),
    (
        "table-columns",
        "sql",
        "CREATE TABLE a (b INT, c INT);\nINSERT INTO a VALUES (1, 2);\n",
        "CREATE TABLE a (c INT);\nINSERT INTO a VALUES (2);\n",
    ),
    ("expression-bodies", "javascript", "f(function (a) { return a + 1; });\n", "f((a) => a + 1);\n"),
    ("early-calls", "javascript", "((a = f()) => 0)();\nlog(b);\n", "((a = log(b)) => 0)();\n"),
    ("end-tags", "html", "<p><a>b</a>\n", "<p><a>b\n"),
    ("macros", "c", "#define F(a) x_##a() {}\nF(y)\n", "x_y() {}\n"),
    (
        "traits",
        "cpp",
        "template <class T> struct a { static const int b = sizeof(T); };\nint c = a<int>::b;\n",
        "template <class T> const int a = sizeof(T);\nint c = a<int>;\n",
    ),
    (
        "typed-variables",
        "java",
        "class A { B<C> f() { return null; } int g() { return f().h; } }\n",
        "class A { B<C> f; int g() { return f.h; } }\n",
    ),
    ("name-lists", "text", "def f(a, b) { }\nf(c, 1)\n", "def f(b) { }\nf(1)\n"),
    (
        "stand-ins",
        "text",
        "signal a : bit;\nsignal b : int;\nprocess (a)\nprint(b)\n",
        "signal b : int;\nprocess (b)\nprint(b)\n",
    ),
    ("meanings", "text", "typedef struct packed { bit a; } t;\nt b;\n", "struct packed { bit a; } b;\n"),
    ("standard-headers", "c", "#include <limits.h>\nint a[CHAR_BIT];\n", "int a[8];\n"),
    ("heads", "text", "int f(int) { return 1; }\n", "int f(int);\n"),
    ("arithmetic", "c", "int a = 3 + 1;\n", "int a = 4;\n"),
    ("opposites", "c", "int a = !(b == c);\n", "int a = b != c;\n"),
    ("casts", "cpp", "char *a = static_cast<char *>(f(1));\n", "char *a = (char *)f(1);\n"),
    (
        "operator-functions",
        "cpp",
        "struct a { int operator==(int); };\nint a::operator==(int b) { return b; }\n",
        "struct a { int c(int); };\nint a::c(int b) { return b; }\n",
    ),
    (
        "aggregates",
        "cpp",
        "struct a { int b; a(int c) : b(c) {} };\na d(1), e(2);\n",
        "struct a { int b; };\na d{1}, e{2};\n",
    ),
    (
        "operator-calls",
        "cpp",
        "struct a { int operator[](int b); };\nint d(a e) { return e[1]; }\n",
        "struct a { int c(int b); };\nint d(a e) { return e.c(1); }\n",
    ),
    (
        "member-types",
        "cpp",
        "struct a { using t = float; t b; };\nstruct c { typedef char t; };\na::t d;\nc::t e;\n",
        "struct a { float b; };\nstruct c { typedef char t; };\nfloat d;\nc::t e;\n",
    ),
    (
        "expansions",
        "rust",
        "macro_rules! m { ($a:ident) => { struct $a { b: u8 } }; }\nm! { S }\n",
        "struct S { b: u8 }\n",
    ),
    (
        "enums",
        "rust",
        "enum E { A, B }\nfn f() { g(E::A, E::B, E::A); }\n",
        "struct E;\nfn f() { g(E, E, E); }\n",
    ),
    (
        "makers",
        "rust",
        "struct S(u8);\nimpl S {\n    fn new(a: u8) -> Self { S(a + h()) }\n}\nfn f() { g(S::new(1), S::new(2)); }\n",
        "struct S(u8);\nimpl S {\n}\nfn f() { g(S(1), S(2)); }\n",
    ),
    (
        "provided",
        "rust",
        "trait A { fn f(&self); }\nimpl A for B { fn f(&self) { g(); } }\nimpl A for C { fn f(&self) { g(); } }\n",
        "trait A { fn f(&self) { g(); } }\nimpl A for B {}\nimpl A for C {}\n",
    ),
    (
        "free-functions",
        "rust",
        "struct S;\nimpl S {\n    fn f(&self, a: u8) { g(a, a); }\n}\nfn h(s: S) { s.f(1); i(s); s.f(2); }\n",
        "struct S;\nfn f(a: u8) { g(a, a); }\nfn h(s: S) { f(1); i(s); f(2); }\n",
    ),
    (
        "tuples",
        "rust",
        "struct S { a: u8 }\nfn f(x: S) { g(x.a, S { a: 1 }); }\n",
        "struct S(u8);\nfn f(x: S) { g(x.0, S(1)); }\n",
    ),
    (
        "newtypes",
        "rust",
        "struct S<T>(T);\nimpl<U> A for S<U> {}\nfn f(x: S<u8>) { g(x, S(1)); }\n",
        "impl<U> A for U {}\nfn f(x: u8) { g(x, 1); }\n",
    ),
    (
        "tuple-fields",
        "rust",
        "struct S(u8, u16);\nfn f() { g(S(1, 2)); h(S(3, 4)); }\n",
        "struct S(u16);\nfn f() { g(S(2)); h(S(4)); }\n",
    ),
    (
        "shortcuts",
        "javascript",
        "var o = { m: function () { bug(); } };\np(lib.run(o, 1));\n",
        "var o = { m: 0 };\np((function () { bug(); })());\n",
    ),
    (
        "library-types",
        "cpp",
        "std::string f();\nstruct s { int m(); };\ns g(s a);\n",
        "std::string f();\nstd::string g(std::string a);\n",
    ),
    ("calls", "text", "function f(a) {\ng(a)\n}\nh {\nf(1)\n}\n", "h {\ng(1)\n}\n"),
    ("rare-words", "text", "i {\nint f(int n);\n}\nc {\nint f(int n) { }\n}\n", "i {\n}\nc {\n}\n"),
    ("common-types", "java", "import a.b.*;\nclass A { List b = c; }\n", "class A { Object b = c; }\n"),
    (
        "concepts",
        "cpp",
        "template <class T> concept c = true;\ntemplate <c T> int f(T a) requires c<int>;\ntemplate <c T> struct s;\n",
        "template <class T> int f(T a);\ntemplate <class T> struct s;\n",
    ),
    (
        "in-class",
        "cpp",
        "struct a { static int f(int b); };\nint a::f(int c) { return c; }\n",
        "struct a { static int f(int c) { return c; } };\n",
    ),
    (
        "default-objects",
        "cpp",
        "struct a { a(int x); int b; };\na c(1), d = a(2);\n",
        "struct a { int b; };\na c, d;\n",
    ),
    (
        "scoped-enums",
        "cpp",
        "enum class e { A };\ne x = e::A, y = e::A;\n",
        "enum e { A };\ne x = A, y = A;\n",
    ),
    (
        "members",
        "cpp",
        "struct a { int b; int f(int c) { return c; } };\nint g(a *x) { return x->f(1) + x->b; }\n",
        "int f(int c) { return c; }\nstruct a { int b; };\nint g(a *x) { return f(1) + x->b; }\n",
    ),
    ("joined-bodies", "c", "int f() { g(1); }\nint h() { i(2); }\n", "int f() { g(1); i(2); }\n"),
    (
        "abbreviated-templates",
        "cpp",
        "template <class T> int f(T a) { return g(a); }\n",
        "int f(auto a) { return g(a); }\n",
    ),
    ("autos", "cpp", "int f() { n::s<int> a = g(); }\n", "int f() { auto a = g(); }\n"),
    (
        "structured-bindings",
        "cpp",
        "int f() { auto [a, b] = g(); return b; }\n",
        "int f() { auto a = g(); return a.second; }\n",
    ),
    (
        "test-cases",
        "python",
        "import unittest\nfrom b import c\nclass a(c.d, c.e):\n    def test_f(self):\n        g()\n",
        "import unittest\nclass a(unittest.TestCase):\n    def test_f(self):\n        g()\n",
    ),
    ("ranges", "python", "for a in range(b()):\n    c(a)\n", "for a in range(1000):\n    c(a)\n"),
    (
        "delegations",
        "python",
        "class a:\n    def f(self): return 1\n    def g(self): return self.f()\nprint(a().g(), a().f())\n",
        "class a:\n    def f(self): return 1\n    g = f\nprint(a().g(), a().f())\n",
    ),
    ("appends", "python", "a = []\nb = f()\na.append(b)\ng(a, a)\n", "b = f()\na = [b]\ng(a, a)\n"),
    (
        "variadics",
        "python",
        "class a:\n    def __exit__(b, c, d, e):\n        b.f()\nwith a():\n    g()\n",
        "class a:\n    def __exit__(b, *c):\n        b.f()\nwith a():\n    g()\n",
    ),
    (
        "conditionals",
        "c",
        "#ifdef A\nint a;\n#endif\nint f();\n#ifdef A\nint b;\n#endif\nint x;\n",
        "int f();\nint x;\n",
    ),
    (
        "lambdas",
        "cpp",
        "int f() { auto g = [](int a) { return a; }; return g(1) + g(2); }\n",
        "auto g(int a) { return a; }\nint f() { return g(1) + g(2); }\n",
    ),
    (
        "functors",
        "cpp",
        "int f() { struct { int operator[](int); } a; return a[1] + a[2]; }\n",
        "int f() { int a(int); return a(1) + a(2); }\n",
    ),
    (
        "mods",
        "rust",
        "mod a {\n    use super::h;\n    pub fn f() { h(); }\n}\nfn g() { a::f(); }\nfn h() {}\n",
        "pub fn f() { h(); }\nfn g() { f(); }\nfn h() {}\n",
    ),
    (
        "duplicates",
        "text",
        "(declare-fun a () Int)\n(declare-fun b () Int)\n(assert (< a b))\n",
        "(declare-fun a () Int)\n(assert (< a a))\n",
    ),
    ("objects", "rust", "type A = Box<dyn for<'a> B<C<'a>>>;\n", "type A = for<'a> fn(C<'a>);\n"),
    ("borrows", "rust", "struct S<'a>(b::Iter<'a, u8>);\n", "struct S<'a>(&'a u8);\n"),
    ("bounds", "rust", "impl<T> A for B<T> where T: C {}\n", "impl<T: C> A for B<T> {}\n"),
    (
        "inputs",
        "java",
        "class A {\n    void f() { B x = new B(); x.g(); }\n}\n",
        "class A {\n    void f(B x) { x.g(); }\n}\n",
    ),
    (
        "value-names",
        "llvm",
        "define i32 @f(i32 %0) {\n  %2 = add i32 %0, %0\n  ret i32 %2\n}\n",
        "define i32 @f(i32 %v0) {\n  %v2 = add i32 %v0, %v0\n  ret i32 %v2\n}\n",
    ),
    (
        "blocks",
        "llvm",
        "define i32 @f(i1 %c) {\ne:\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  %v = phi i32 [ 1, %e ], [ 2, %a ]\n  ret i32 %v\n}\n",
        "define i32 @f(i1 %c) {\ne:\n  br label %b\nb:\n  %v = phi i32 [ 1, %e ]\n  ret i32 %v\n}\n",
    ),
    (
        "branches",
        "llvm",
        "define i32 @f(i1 %c) {\ne:\n  br i1 %c, label %a, label %b\na:\n  br label %b\nb:\n  %v = phi i32 [ 1, %e ], [ 2, %a ]\n  ret i32 %v\n}\n",
        "define i32 @f(i1 %c) {\ne:\n  br label %a\na:\n  br label %b\nb:\n  %v = phi i32 [ 2, %a ]\n  ret i32 %v\n}\n",
    ),
    (
        "block-joins",
        "llvm",
        "define i32 @f() {\ne:\n  br label %a\na:\n  %v = phi i32 [ 1, %e ]\n  %w = add i32 %v, %v\n  ret i32 %w\n}\n",
        "define i32 @f() {\ne:\n  %w = add i32 1, 1\n  ret i32 %w\n}\n",
    ),
    (
        "values",
        "llvm",
        "define i64 @f(i64** %p) {\n  %v = load i64*, i64** %p\n  %w = load i64, i64* %v\n  ret i64 %w\n}\n",
        "define i64 @f(i64** %p) {\n  %w = load i64, i64* null\n  ret i64 %w\n}\n",
    ),
    (
        "unused-results",
        "go",
        "package p\n\nfunc f() (int, int) {\n\treturn 1, 2\n}\nfunc g() {\n\ta, _ := f()\n\th(a)\n}\n",
        "package p\n\nfunc f() (int) {\n\treturn 1\n}\nfunc g() {\n\ta := f()\n\th(a)\n}\n",
    ),
    ("callbacks", "javascript", "f(a.map(b => g(b)));\n", "f(g(a));\n"),
    (
        "local-parameters",
        "javascript",
        "function f() { var a; g(a, a = 1); }\n",
        "function f(a) { g(a, a = 1); }\n",
    ),
    (
        "closures",
        "python",
        "def f(g):\n    def h():\n        i()\n    return h\n@f\ndef b(c):\n    j(c)\nb()\n",
        "def b():\n    i()\nb()\n",
    ),
    ("entries", "python", "a = {}\na[0] = b(1)\nc(a[0], a[0])\n", "a = b(1)\nc(a, a)\n"),
    ("tails", "rust", "fn f() { println!(\"{}\", g(1)) }\n", "fn f() { g(1); }\n"),
    ("elements", "python", "for i, a in enumerate(b): f(a)\n", "for a in b: f(a)\n"),
    ("index-loops", "python", "for i in range(len(a)): f(a[i])\n", "for i in a: f(i)\n"),
    (
        "comprehension-loops",
        "python",
        "for a in [f(b) for b in c]:\n    g(a)\n    h(a)\n",
        "for b in c:\n    a = f(b)\n    g(a)\n    h(a)\n",
    ),
    (
        "opaque-results",
        "rust",
        "fn f() -> impl Iterator { a.map(|b| c) }\n",
        "fn f() -> impl Sized { || c }\n",
    ),
    ("tallies", "rust", "static A: [u8; 2] = [x, y];\n", "static A: [u8; 1] = [y];\n"),
    (
        "discards",
        "go",
        "package p\n\nfunc f(a []int) {\n\tb := a[0]\n\tif b > 1 {\n\t\tg(b)\n\t}\n}\n",
        "package p\n\nfunc f(a []int) {\n\tb := a[0]\n\t_ = b\n}\n",
    ),
];

#[test]
fn a_program_changes_in_several_places_at_once_only_with_the_pass_for_that() {
    let tight = |text: &str| text.split_whitespace().collect::<String>();
    for (name, language, before, after) in TOGETHER {
        let pass = PASSES.iter().find(|pass| pass.name == *name).unwrap();
        let agrees = |contents: &Contents| {
            let text = without_blanks(contents);
            text == tight(before) || text == tight(after)
        };
        assert!(is_needed(pass, language, before, agrees), "{name}");
    }
}

#[test]
fn every_pass_has_a_program_whose_result_is_larger_without_it() {
    let mut superfluous = Vec::new();
    let is_shown =
        |name: &str| SHOWN_BELOW.contains(&name) || TOGETHER.iter().any(|(other, ..)| *other == name);
    for pass in PASSES.iter().filter(|pass| !is_shown(pass.name)) {
        if let Some((_, program, keep)) = several_files::LINKED.iter().find(|(name, ..)| *name == pass.name) {
            if !is_needed(pass, "text", program, |contents| several_files::links(contents, keep)) {
                superfluous.push(pass.name);
            }
            continue;
        }
        if let Some((_, program, keep)) = several_files::APART.iter().find(|(name, ..)| *name == pass.name) {
            if !is_needed(pass, "text", program, |contents| several_files::links_each(contents, keep)) {
                superfluous.push(pass.name);
            }
            continue;
        }
        let listed = NEEDED.iter().find(|(name, _)| *name == pass.name);
        let is_needed = match listed {
            Some((_, title)) => {
                let lists = [
                    ("c", transformations::C),
                    ("cpp", transformations::CPP),
                    ("python", transformations::PYTHON),
                ];
                let lines =
                    lists.iter().flat_map(|(language, lines)| lines.iter().map(move |l| (*language, l)));
                let mut lines = lines.filter(|(_, line)| line.0 == *title).peekable();
                assert!(lines.peek().is_some(), "{pass:?}: no transformation is called '{title}'");
                lines.any(|(language, (_, before, keep, _))| {
                    is_needed(pass, language, before, |c| transformations::keeps(language, &c[0], keep))
                })
            }
            None => pass.examples.iter().any(|example| {
                let has = |contents: &Contents| {
                    let text = as_example(contents);
                    example.keep.iter().all(|part| text.contains(part))
                };
                is_needed(pass, example.language, example.before, has)
            }),
        };
        if !is_needed {
            superfluous.push(pass.name);
        }
    }
    assert!(superfluous.is_empty(), "nothing needs {superfluous:?}");
}

#[test]
fn a_preprocessed_program_takes_fewer_runs_with_the_pass_for_line_markers() {
    let function =
        |i: usize| format!("# {i} \"a{i}.c\"\nint f{i}(int a)\n# {i} \"b.c\"\n{{ return a + {i}; }}\n");
    let text: String = (0..12).map(function).collect();
    let keep = |text: &[u8]| transformations::keeps("c", text, &["int f7 ( int", "{ return", "+ 7", "f11"]);
    saves_runs("line-markers", "c", &text, &keep);
}

#[test]
fn a_cycle_of_numbers_takes_fewer_runs_with_the_pass_for_numbers() {
    // Six implications in a circle, among others.
    let circle = [731, 4502, 988, 1177, 640, 3009];
    let edge = |i: usize| format!("{} {}\n{} {}\n", circle[i], circle[(i + 1) % 6], 11 + i, 5 + 7 * i);
    let text: String = (0..6).map(edge).collect();
    let is_circle = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let pair = |line: &str| {
            let mut words = line.split_whitespace();
            let pair = (words.next()?.parse::<u64>().ok()?, words.next()?.parse::<u64>().ok()?);
            words.next().is_none().then_some(pair)
        };
        let edges: std::collections::BTreeMap<u64, u64> = text.lines().filter_map(pair).collect();
        edges.keys().any(|&start| {
            let steps = std::iter::successors(Some(start), |at| edges.get(at).copied());
            let steps: Vec<u64> = steps.take(7).collect();
            let different: std::collections::BTreeSet<u64> = steps.iter().take(6).copied().collect();
            different.len() == 6 && steps.get(6) == Some(&start)
        })
    };
    saves_runs("numbers", "text", &text, &is_circle);
}

#[test]
fn a_table_whose_header_counts_its_rows_ends_smaller_with_the_pass_for_counts() {
    let rows: String = (0..40).map(|i| format!("{} {}\n", 100 + i, 7 * i % 40)).collect();
    let is_table = |contents: &Contents| {
        let text = String::from_utf8_lossy(&contents[0]);
        let mut lines = text.lines();
        let counted = lines.next().and_then(|header| header.strip_prefix("rows ")?.parse().ok());
        let rows: Vec<&str> = lines.collect();
        counted == Some(rows.len()) && ["103 21", "117 39", "131 17"].iter().all(|row| rows.contains(row))
    };
    let pass = PASSES.iter().find(|pass| pass.name == "counts").unwrap();
    assert!(is_needed(pass, "text", &format!("rows 40\n{rows}"), is_table));
}

#[test]
fn a_diff_whose_headers_count_lines_ends_smaller_with_the_pass_for_counts() {
    let context: String = (0..40).map(|i| format!(" line {i} of the file\n")).collect();
    let diff = format!(
        "--- a\n+++ b\n@@ -70,82 +70,83 @@\n{context}-three\n-four\n+five\n+seven\n+eight\n{context}"
    );
    let is_diff = |contents: &Contents| {
        let text = String::from_utf8_lossy(&contents[0]);
        let mut hunks: Vec<[isize; 2]> = Vec::new();
        for line in text.lines() {
            let count = |n: &str| n.split_once(',').and_then(|(_, n)| n.parse().ok());
            if line.starts_with("@@ ") {
                let counts: Vec<isize> = line.split(' ').skip(1).filter_map(count).collect();
                let [old, new] = counts[..] else { return false };
                hunks.push([old, new]);
            } else if let Some(left) = hunks.last_mut() {
                left[0] -= isize::from(!line.starts_with('+'));
                left[1] -= isize::from(!line.starts_with('-'));
            }
        }
        !hunks.is_empty()
            && hunks.iter().all(|left| *left == [0, 0])
            && text.contains("@@\n")
            && text.contains("\n+seven\n")
    };
    let pass = PASSES.iter().find(|pass| pass.name == "counts").unwrap();
    assert!(is_needed(pass, "text", &diff, is_diff));
}

#[test]
fn files_of_go_that_each_need_a_package_become_one_only_with_the_pass_for_them() {
    let text =
        "=== a.go\npackage a\n\nfunc f() { g(1) }\n=== b.go\npackage a\n\nfunc g(b int) { crash(b) }\n";
    let is_package = |contents: &Contents| {
        let texts: Vec<_> = contents.iter().map(|file| String::from_utf8_lossy(file)).collect();
        let has = |part: &&str| texts.iter().any(|text| text.contains(*part));
        texts.iter().all(|text| text.starts_with("package a\n"))
            && ["func f() { g(1) }", "func g(b int) { crash(b) }"].iter().all(has)
    };
    let pass = PASSES.iter().find(|pass| pass.name == "packages").unwrap();
    assert!(is_needed(pass, "go", text, is_package));
}

#[test]
fn lines_that_belong_together_go_only_with_the_pass_for_them() {
    let text =
        "f:\n\t.cfi_startproc\n\tmov a, b\n\t.cfi_endproc\ng:\n\t.cfi_startproc\n\tret\n\t.cfi_endproc\n";
    let is_paired = |contents: &Contents| {
        let text = String::from_utf8_lossy(&contents[0]);
        let mut open = 0;
        let fits = text.lines().all(|line| {
            open += i32::from(line.contains("startproc")) - i32::from(line.contains("endproc"));
            matches!(open, 0 | 1)
        });
        fits && open == 0 && text.contains("mov a, b")
    };
    let pass = PASSES.iter().find(|pass| pass.name == "pairs").unwrap();
    assert!(is_needed(pass, "text", text, is_paired));
}

#[test]
fn classes_that_only_name_each_other_go_in_fewer_runs_with_the_pass_for_what_nothing_uses() {
    // Thirty circles of classes, each of which names the next one in its circle.
    let class = |i: usize| format!("struct c{i} {{ struct c{} *m{i}; }};\n", (i + 30) % 90);
    let classes: String = (0..90).map(class).collect();
    let main = "int main() { n::c70 x; return crash(x); }";
    let text = format!("namespace n {{\n{classes}}}\n{main}\n");
    let test = |contents: &Contents| {
        let text = String::from_utf8_lossy(&contents[0]);
        // Whatever a class names must be there, as for a compiler.
        let is_there = |i: usize| !text.contains(&format!("c{i} *m")) || text.contains(&class(i));
        let is_kept = text.contains(main) && text.contains(&class(70)) && (0..90).all(is_there);
        if is_kept { Verdict::Interesting } else { Verdict::Boring }
    };
    let runs = |names: &[&str]| {
        let passes = PASSES.iter().filter(|pass| names.contains(&pass.name)).collect();
        let options = Options { passes, ..Options::default() };
        let (outcome, log) = reduced_with(base("cpp", text.as_bytes()), &test, &options);
        assert_eq!(String::from_utf8_lossy(&outcome.contents[0]).matches("struct").count() / 2, 3);
        log.tested.len()
    };
    let (with, without) = (runs(&["delete", "unused"]), runs(&["delete"]));
    assert!(with < without, "{with} runs with the pass, {without} without");
}

#[test]
fn functions_that_only_have_to_be_declared_lose_their_bodies_in_fewer_runs_with_the_pass_for_them() {
    // Each function needs one that nothing else needs, and a result.
    let inner = |i: usize| format!("int g{i}(int a) {{ int b = a * {i}; b = b + a; return b - {i}; }}\n");
    let outer = |i: usize| format!("int f{i}(int a) {{ int b = g{i}(a); b = b + 1; return b; }}\n");
    let functions: String = (0..12).map(|i| inner(i) + &outer(i)).collect();
    let calls: String = (0..12).map(|i| format!(" + f{i}(x)")).collect();
    let main = format!("int main() {{ int x = 1; return x{calls}; }}");
    let is_valid = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let is_declared = |name: String| {
            !text.contains(&format!("{name}(a)")) || text.contains(&format!("int {name}(int a)"))
        };
        let names =
            (0..12).all(|i| text.contains(&format!("int f{i}(int a)")) && is_declared(format!("g{i}")));
        let bodies = text.matches('{').count();
        names && text.contains(&main) && bodies <= text.matches("return").count()
    };
    saves_runs("declarations", "cpp", &format!("{functions}{main}\n"), &is_valid);
}

#[test]
fn a_type_parameter_goes_only_with_the_pass_for_them_if_all_its_uses_must_agree() {
    let text = "class A<T> {\n    T t;\n}\nclass C { int c; }\nclass B extends A<String> {}\n";
    let agrees = |contents: &Contents| {
        let text = without_blanks(contents);
        let is_generic = text.contains("classA<T>{");
        let field = if is_generic { "{Tt;}" } else { "{Stringt;}" };
        let base = if is_generic { "extendsA<String>{}" } else { "extendsA{}" };
        text.starts_with("classA")
            && [field, base, "classC{intc;}classB"].iter().all(|part| text.contains(part))
    };
    let pass = PASSES.iter().find(|pass| pass.name == "generics").unwrap();
    assert!(is_needed(pass, "java", text, agrees));
}

#[test]
fn a_class_and_its_base_become_one_only_with_the_pass_for_that() {
    let text = "class A {\n    void f() { g(); }\n}\nclass C { int c; }\nclass B extends A {\n    void h() { f(); }\n}\n";
    let is_one_program = |contents: &Contents| {
        let text = without_blanks(contents);
        let has = |part: &str| text.contains(part);
        // `f` is called where it is known: in its own class, or in a derived one.
        let is_known =
            ["voidf(){g();}voidh(){f();}", "voidh(){f();}voidf(){g();}"].iter().any(|part| has(part))
                || has("classA{voidf(){g();}}") && has("classBextendsA{voidh(){f();}}");
        is_known && has("classC{intc;}") && text.matches('{').count() == text.matches('}').count()
    };
    let pass = PASSES.iter().find(|pass| pass.name == "fusions").unwrap();
    assert!(is_needed(pass, "java", text, is_one_program));
}

#[test]
fn an_exception_goes_from_its_clause_and_its_handler_only_with_the_pass_for_that() {
    let text = "class A {\n    void f() throws E { g(); }\n    int c;\n    void h() {\n        try { f(); } catch (E e) {}\n    }\n}\n";
    let agrees = |contents: &Contents| {
        let text = without_blanks(contents);
        let (thrown, caught) = ("voidf()throwsE{g();}", "voidh(){try{f();}catch(Ee){}}");
        text.contains("intc;")
            && (text.contains(thrown) && text.contains(caught)
                || text.contains("voidf(){g();}") && text.contains("voidh(){f();}"))
    };
    let pass = PASSES.iter().find(|pass| pass.name == "exceptions").unwrap();
    assert!(is_needed(pass, "java", text, agrees));
}

#[test]
fn a_constructor_goes_with_its_arguments_only_with_the_pass_for_that() {
    let text = "class A {\n    A(int a) { f(a, 2, 3); }\n    int c;\n    A d = new A(1);\n}\n";
    let agrees = |contents: &Contents| {
        let text = without_blanks(contents);
        let has = |part: &str| text.contains(part);
        has("intc;") && (has("{A(inta){f(a,2,3);}intc;Ad=newA(1);}") || has("A{intc;Ad=newA();}"))
    };
    let pass = PASSES.iter().find(|pass| pass.name == "constructors").unwrap();
    assert!(is_needed(pass, "java", text, agrees));
}

#[test]
fn an_object_goes_from_a_call_only_with_the_pass_that_makes_methods_static() {
    let text =
        "class A {\n    int f() { return k; }\n    int c;\n    static int h() { return new A().f(); }\n}\n";
    let agrees = |contents: &Contents| {
        let text = without_blanks(contents);
        let object = if text.contains("staticintf(){returnk;}") { "" } else { "newA()." };
        let call = format!("staticinth(){{return{object}f();}}");
        ["intf(){returnk;}", "intc;", &call].iter().all(|part| text.contains(part))
    };
    let pass = PASSES.iter().find(|pass| pass.name == "statics").unwrap();
    assert!(is_needed(pass, "java", text, agrees));
}

#[test]
fn a_return_type_goes_with_the_values_only_with_the_pass_for_that() {
    let text = "fn f() -> u8 {\n    g(a, b, c, d);\n    h(a, b, c, d);\n    1\n}\n";
    let agrees = |contents: &Contents| {
        let text = without_blanks(contents);
        let (returned, value) = if text.contains("->u8") { ("->u8", "1") } else { ("", "") };
        text == format!("fnf(){returned}{{g(a,b,c,d);h(a,b,c,d);{value}}}")
    };
    let pass = PASSES.iter().find(|pass| pass.name == "return-types").unwrap();
    assert!(is_needed(pass, "rust", text, agrees));
}

#[test]
fn the_results_of_a_function_go_with_the_values_only_with_the_pass_for_that() {
    let text = "package p\n\nfunc f() (A, B) {\n\tg(a, b, c, d)\n\th(a, b, c, d)\n\treturn k(1)\n}\n";
    let agrees = |contents: &Contents| {
        let text = without_blanks(contents);
        let (results, returns) = if text.contains("(A,B)") { ("(A,B)", "returnk(1)") } else { ("", "") };
        text == format!("packagepfuncf(){results}{{g(a,b,c,d)h(a,b,c,d){returns}}}")
    };
    let pass = PASSES.iter().find(|pass| pass.name == "function-results").unwrap();
    assert!(is_needed(pass, "go", text, agrees));
}

#[test]
fn the_function_around_a_library_goes_only_with_the_pass_for_that() {
    let text =
        "(function (g, m) {\n  g.m = m();\n})(this, function () {\n  f();\n  h();\n  return { k };\n});\n";
    let agrees = |contents: &Contents| {
        let text = without_blanks(contents);
        let original = "(function(g,m){g.m=m();})(this,function(){f();h();return{k};});";
        [original, "(function(m){this.m=m();})(function(){f();h();return{k};});"].contains(&&text[..])
            || ["this.m=(function(){f();h();return{k};})();", "f();h();this.m={k};"].contains(&&text[..])
    };
    let pass = PASSES.iter().find(|pass| pass.name == "immediate-calls").unwrap();
    assert!(is_needed(pass, "javascript", text, agrees));
}

#[test]
fn a_body_that_must_return_becomes_a_stub_only_with_the_pass_for_that() {
    let class = |body: &str| format!("class A {{\n    B f(int b) {{ {body} }}\n}}\n");
    let text = class("C c = g(b); return c.d(b);");
    let agrees = |contents: &Contents| {
        let text = without_blanks(contents);
        ["Cc=g(b);returnc.d(b);", "thrownull;"]
            .iter()
            .any(|body| text == format!("classA{{Bf(intb){{{body}}}}}"))
    };
    let pass = PASSES.iter().find(|pass| pass.name == "stubs").unwrap();
    assert!(is_needed(pass, "java", &text, agrees));
}

fn without_blanks(contents: &Contents) -> String {
    String::from_utf8_lossy(&contents[0]).split_whitespace().collect()
}

fn saves_runs(name: &str, language: &str, text: &str, keep: &(dyn Fn(&[u8]) -> bool + Sync)) {
    let runs = |passes: Vec<&'static Pass>| {
        let test = |c: &Contents| if keep(&c[0]) { Verdict::Interesting } else { Verdict::Boring };
        let options = Options { passes, ..Options::default() };
        reduced_with(base(language, text.as_bytes()), &test, &options).0.stats.runs
    };
    let with = runs(PASSES.iter().collect());
    let without = runs(PASSES.iter().filter(|pass| pass.name != name).collect());
    assert!(with < without, "{with} runs with the pass, {without} without");
}
