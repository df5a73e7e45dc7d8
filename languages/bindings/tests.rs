//! The bindings of C and Python.

use crate::Parsed;
use std::fmt::Write;

/// A line per definition: its sort, its name, then the lines (from 1) of its places and of its uses.
fn bindings(language: &str, text: &str) -> String {
    let language = crate::named(language).unwrap_or(&crate::text::TEXT);
    let file = Parsed::new(language, text.as_bytes().to_vec());
    let line = |at: usize| text[..at].matches('\n').count() + 1;
    let lines = |nodes: Vec<_>| -> Vec<usize> {
        nodes.into_iter().map(|n| line(file.tree().range(n).start)).collect()
    };
    let mut out = String::new();
    for definition in file.bindings(0).definitions() {
        let name = file.node_text(definition.places[0].name);
        let places = lines(definition.places.iter().map(|p| p.name).collect());
        let uses = lines(definition.uses.iter().map(|used| used.name).collect());
        let name = String::from_utf8_lossy(name);
        let _ = writeln!(out, "{:?} {name} {places:?} {uses:?}", definition.sort);
    }
    out
}

/// The texts of the calls of what a program defines, in the order of the definitions.
fn calls(language: &str, text: &str) -> Vec<String> {
    let language = crate::named(language).unwrap_or(&crate::text::TEXT);
    let file = Parsed::new(language, text.as_bytes().to_vec());
    let calls = file.bindings(0).definitions().iter().flat_map(|definition| &definition.calls);
    calls.map(|call| String::from_utf8_lossy(file.node_text(call.whole)).into_owned()).collect()
}

#[test]
fn names_of_c_are_told_apart_by_scope_and_space() {
    let text = "typedef struct s { int s; } t;
int f(int a, t b);
int x, *y = &x;
int f(int a, t b) {
    int x = a + b.s;
    { char x; x = 1; }
    goto x;
x:  return x + f(a, b);
}
enum { A, B = A };
#define M A
int (*p)(int) = f, q[M];
struct s z = { .s = B };
";
    let expected = "Tag s [1] [13]
Field s [1] [5, 13]
Type t [1] [2, 4]
Function f [2, 4] [8, 12]
Parameter a [2] []
Parameter b [2] []
Variable x [3] [3]
Variable y [3] []
Parameter a [4] [5, 8]
Parameter b [4] [5, 8]
Variable x [5] [8]
Variable x [6] [6]
Label x [8] [7]
Constant A [10] [10, 11]
Constant B [10] [13]
Macro M [11] [12]
Variable p [12] []
Variable q [12] []
Variable z [13] []
";
    assert_eq!(bindings("c", text), expected);
}

#[test]
fn names_of_cpp_are_told_apart_by_scope_and_members_by_name() {
    let text = "namespace n { struct s { int a; int f(); s(int a) : a(a) {} }; }
template <class T, int N = 3> class v : n::s { T b[N]; int g() { return a + this->a; } };
int n::s::f() { return a; }
int over(int a);
int over(n::s a) { return a.f() + a.a; }
auto l = [k = 1](int x) { return x + k; };
using t = v<int>;
template <class U> concept c = sizeof(U) > 1;
template <c U> void h(U &u) { for (auto &e : u) { auto [p, q] = e; n::over(p + q); } }
template <class... R> int r(R... x) { t y; return n::s::a + h<int>(x...); }
";
    let expected = "Namespace n [1] [2, 3, 5, 9, 10]
Type s [1] [1, 2, 3, 5, 10]
Field a [1] [1, 2, 2, 3, 5, 10]
Function f [1, 3] [5]
Parameter a [1] [1]
Parameter T [2] [2]
Parameter N [2] [2]
Type v [2] [7]
Field b [2] []
Function g [2] []
Function over [4, 5] [9]
Parameter a [4] []
Parameter a [5] [5, 5]
Variable l [6] []
Variable k [6] [6]
Parameter x [6] [6]
Type t [7] [10]
Parameter U [8] [8]
Type c [8] [9]
Parameter U [9] [9]
Function h [9] [10]
Parameter u [9] [9]
Variable e [9] [9]
Variable p [9] [9]
Variable q [9] [9]
Parameter R [10] [10]
Function r [10] []
Parameter x [10] [10]
Variable y [10] []
";
    assert_eq!(bindings("cpp", text), expected);
}

#[test]
fn a_pattern_in_rust_names_a_structure_and_defines_what_is_inside() {
    let text = "struct S(u8);
enum E { A(u8, u8) }
fn f(S(x): S, e: E) -> u8 {
    if let E::A(y, _) = e { y } else { x }
}
";
    let found = bindings("rust", text);
    let named = |name: &str| {
        let line = found.lines().find(|line| line.split(' ').nth(1) == Some(name));
        line.unwrap_or_default().to_owned()
    };
    assert_eq!(named("S"), "Type S [1] [3, 3]", "{found}");
    assert_eq!(named("x"), "Variable x [3] [4]", "{found}");
    assert_eq!(named("y"), "Variable y [4] [4]", "{found}");
}

#[test]
fn a_shorthand_in_rust_is_a_use_of_the_field_beside_the_variable() {
    let text = "struct A { x: u8, y: u8 }
fn f(x: u8) -> A {
    A { x, y: 1 }
}
fn g(a: A) -> u8 {
    let A { x, y: z } = a;
    x + z
}
";
    let expected = "Type A [1] [2, 3, 5, 6]
Field x [1] [3, 6]
Field y [1] [3, 6]
Function f [2] []
Parameter x [2] [3]
Function g [5] []
Parameter a [5] [6]
Variable x [6] [7]
Variable z [6] [7]
";
    assert_eq!(bindings("rust", text), expected);
}

#[test]
fn names_in_a_pair_are_variables_of_a_loop_in_rust_and_parameters_of_a_closure() {
    let text = "fn f(v: V) {
    for (i, x) in v { g(i, x); }
    v.map(|(a, b)| a + b)
}
fn h((k, l): (u8, u8)) -> u8 { k + l }
";
    let expected = "Function f [1] []
Parameter v [1] [2, 3]
Variable i [2] [2]
Variable x [2] [2]
Parameter a [3] [3]
Parameter b [3] [3]
Function h [5] []
Parameter k [5] [5]
Parameter l [5] [5]
";
    assert_eq!(bindings("rust", text), expected);
}

#[test]
fn a_path_in_rust_tells_whose_variant_or_function_a_name_is() {
    let text = "enum A { X(u8), Y }
enum B<T> { X, Z { z: T } }
impl<T> B<T> { fn new() -> Self { Self::X } fn get(&self) {} }
impl A { fn new() -> A { A::X(1) } fn get(&self) { B::get(b) } }
impl C for A { fn new() {} fn h(&self) -> bool { g(Self::Y) } }
fn f() { a::B::<u8>::new(); A::new().get(); match b { B::X => B::Z { z: 1 } } }
fn g() { D::X; D::new() }
";
    let found = bindings("rust", text);
    let named = |name: &str| -> Vec<&str> {
        found.lines().filter(|line| line.split(' ').nth(1) == Some(name)).collect()
    };
    // The name of an unknown owner is taken for that of the first known one.
    assert_eq!(named("X"), ["Constant X [1] [4, 7]", "Constant X [2] [3, 6]"]);
    assert_eq!(named("Y"), ["Constant Y [1] [5]"]);
    assert_eq!(named("Z"), ["Constant Z [2] [6]"]);
    assert_eq!(named("new"), ["Function new [3, 5] [6, 7]", "Function new [4] [6]"]);
    assert_eq!(named("get"), ["Function get [3, 4] [4, 6]"]);
}

#[test]
fn a_call_with_type_arguments_is_a_call_in_rust() {
    let text = "fn f<T>(a: T) {}\nimpl S { fn g<T>(&self) {} fn h<T>() {} }\nfn i(s: S) { f::<u8>(1); s.g::<u8>(); S::h::<u8>(); }\n";
    assert_eq!(calls("rust", text), ["f::<u8>(1)", "s.g::<u8>()", "S::h::<u8>()"]);
}

#[test]
fn a_call_with_type_arguments_is_a_call_in_go() {
    let text = "package p\nfunc f[T any](a T) {}\nfunc g() { f[int](1, 2); f[int]; f(2); f[int, int]() }\n";
    assert_eq!(calls("go", text), ["f[int](1, 2)", "f(2)", "f[int, int]()"]);
}

#[test]
fn only_a_colon_defines_the_variables_of_a_loop_or_of_a_case_in_go() {
    let text = "package p
func f(c chan int) {
    var a, b int
    for a = range c { g(a) }
    for b := range c { g(b) }
    select { case a = <-c: g(a)
    case b := <-c: g(b) }
}
";
    let expected = "Function f [2] []
Parameter c [2] [4, 5, 6, 7]
Variable a [3] [4, 4, 6, 6]
Variable b [3] []
Variable b [5] [5]
Variable b [7] [7]
";
    assert_eq!(bindings("go", text), expected);
}

#[test]
fn members_of_a_class_in_php_are_found_behind_its_name() {
    let text = "<?php
class A {
    const B = 1;
    static $c;
    static function f($x) { return self::B + static::$c + $x; }
    function g($x) { return $x?->g(self::f($x)) . A::B; }
}
";
    let expected = "Type A [2] [6]
Constant B [3] [5, 6]
Field c [4] [5]
Field f [5] [6]
Parameter x [5] [5]
Field g [6] [6]
Parameter x [6] [6, 6]
";
    assert_eq!(bindings("php", text), expected);
    assert_eq!(calls("php", text), ["self::f($x)", "$x?->g(self::f($x))"]);
}

#[test]
fn parameters_of_class_methods_in_ruby_belong_to_their_method() {
    let text = "class A
  def self.f(x)
    x
  end
  def self.g(x)
    f(x)
    x.h
  end
  def h
  end
end
";
    let found = bindings("ruby", text);
    assert!(found.contains("Parameter x [2] [3]\n") && found.contains("Parameter x [5] [6, 7]\n"), "{found}");
    assert_eq!(calls("ruby", text), ["f(x)", "x.h"]);
}

#[test]
fn old_c_needs_no_types() {
    let text = "x;\nint f(a, b) float b; { x = a + b; }\nint main() { f(x); }\n";
    let expected = "Variable x [1] [2, 3]
Function f [2] [3]
Parameter a [2] [2]
Parameter b [2, 2] [2]
Function main [3] []
";
    assert_eq!(bindings("c", text), expected);
}

#[test]
fn names_of_python_are_visible_in_their_whole_scope_and_those_of_classes_only_there() {
    let text = "import os.path, sys as s
from m import n
count = 0
class A(n):
    limit = 1
    def f(self, a, *rest, b=count):
        global count
        count = a + b + self.limit
        self.value = limit
        return [x for x in rest if x]
    @property
    def g(self): return self.f(self.value)
def h(): return later
later = lambda y: y + os.sep + s
with open(later) as w: print(w, A().g, b=later, self=w)
";
    let expected = "Import os [1] [14]
Import s [1] [14]
Import n [2] [4]
Variable count [3, 8] [6, 7]
Type A [4] [15]
Variable limit [5] [8]
Function f [6] [12]
Parameter self [6] [8, 9]
Parameter a [6] [8]
Parameter rest [6] [10]
Parameter b [6] [8]
Field value [9] [12]
Variable x [10] [10, 10]
Function g [12] [15]
Parameter self [12] [12, 12]
Function h [13] []
Variable later [14] [13, 15, 15]
Parameter y [14] [14]
Variable w [15] [15, 15]
";
    assert_eq!(bindings("python", text), expected);
}

#[test]
fn a_definition_is_deleted_with_its_item_or_statement() {
    let text = b"int a, *b = 0; struct s { int c; } d; enum { E, F }; int f(int g) { int h; }\n";
    let file = Parsed::new(&crate::c::C, text.to_vec());
    let places = file.bindings(0).definitions().iter().map(|d| d.places[0].whole);
    let wholes: Vec<_> = places.map(|n| String::from_utf8_lossy(file.node_text(n))).collect();
    let expected = [
        "a",
        "*b = 0",
        "struct s { int c; } d;",
        "int c;",
        "struct s { int c; } d;",
        "E",
        "F",
        "int f(int g) { int h; }",
        "int g",
        "int h;",
    ];
    assert_eq!(wholes, expected);
}

/// C, but with names of one sort visible in their whole block.
static HOISTING: crate::sitter::Grammar = crate::sitter::Grammar {
    name: "hoisting",
    extensions: &[],
    lexis: &crate::lexis::Lexis::DEFAULT,
    layout: crate::layout::Layout::Free,
    constants: &[],
    truths: &[],
    consumers: &[],
    refuses: &[],
    typing: crate::Typing::None,
    implied: None,
    hidden: None,
    masks: &[],
    marked: &[],
    embedded: &[],
    indivisible: false,
    naming: crate::references::Naming::Words,
    containers: &[],
    grammar: &|| tree_sitter_c::LANGUAGE.into(),
    node_types: tree_sitter_c::NODE_TYPES,
    samples: &[],
    roles: crate::c::ROLES,
    bindings: concat!(
        include_str!("../c/shared_bindings.scm"),
        include_str!("../c/bindings.scm"),
        "(compound_statement) @hoisted.variable"
    ),
    semantics: None,
    compiled: std::sync::OnceLock::new(),
};

#[test]
fn a_value_is_read_before_the_name_that_it_is_given_to_is_known() {
    let cases = [
        (
            "rust",
            "fn x() {}\nfn f() {\nlet x =\nx();\nx; }\n",
            "Function x [1] [4]\nFunction f [2] []\nVariable x [3] [5]\n",
        ),
        (
            "rust",
            "fn f(x: A) {\nif let Some(x) =\nx {\nx }\nfor x in\nx {\nx } }\n",
            "Function f [1] []\nParameter x [1] [3, 6]\nVariable x [2] [4]\nVariable x [5] [7]\n",
        ),
        (
            "rust",
            "fn f() {\nlet x = {\nlet y = 1;\ny };\nx }\n",
            "Function f [1] []\nVariable x [2] [5]\nVariable y [3] [4]\n",
        ),
        (
            "rust",
            "fn f() {\nlet x = 1;\nlet x =\nx + 1;\nx }\n",
            "Function f [1] []\nVariable x [2, 3] [4, 5]\n",
        ),
        (
            "go",
            "package p\nfunc f(x A) {\nif x :=\nx.g();\nx {\nvar x =\nx\nx() } }\n",
            "Function f [2] []\nParameter x [2] [4]\nVariable x [3] [5, 7]\nVariable x [6] [8]\n",
        ),
        (
            "go",
            "package p\nfunc f(x A) {\nswitch x :=\nx.(type) {\ncase B:\nx.g() } }\n",
            "Function f [2] []\nParameter x [2] [4]\nVariable x [3] [6]\n",
        ),
        (
            "lua",
            "local x = 1\nfor i, x in g(\nx) do\nlocal x =\nx\nh(x) end\n",
            "Variable x [1] [3]\nVariable i [2] []\nVariable x [2] [5]\nVariable x [4] [6]\n",
        ),
        ("scheme", "(define x 1)\n(let ((x\nx))\nx)\n", "Variable x [1] [3]\nVariable x [2] [4]\n"),
        ("scheme", "(define x 1)\n(letrec ((x\nx))\nx)\n", "Variable x [1] []\nVariable x [2] [3, 4]\n"),
        (
            "smtlib",
            "(declare-const x Int)\n(assert (let ((x\nx))\nx))\n",
            "Function x [1] [3]\nVariable x [2] [4]\n",
        ),
        (
            "wat",
            "(module (func $x (local $x i32)\n(drop (local.get $x))\n(block $x\n(br $x) (call $y)))\n(func $y)\n(type $y (func)))\n",
            "Function $x [1] []\nVariable $x [1] [2]\nLabel $x [3] [4]\nFunction $y [5] [4]\nTag $y [6] []\n",
        ),
        (
            "python",
            "x = 1\ndef f(x=\nx):\n  return x\n",
            "Variable x [1] [3]\nFunction f [2] []\nParameter x [2] [4]\n",
        ),
    ];
    for (language, text, expected) in cases {
        assert_eq!(bindings(language, text), expected, "{language}: {text}");
    }
}

#[test]
fn names_are_hoisted_by_scope_and_sort() {
    let text = b"int a; typedef int t; int f() { a = sizeof(t); int a; typedef int t; }\n";
    let uses = |language: &'static dyn crate::Language| {
        let file = Parsed::new(language, text.to_vec());
        let count = |d: &super::Definition| (file.node_text(d.places[0].name).to_owned(), d.uses.len());
        let counts: Vec<(Vec<u8>, usize)> = file.bindings(0).definitions().iter().map(count).collect();
        counts.into_iter().map(|(name, uses)| format!("{} {uses}", String::from_utf8_lossy(&name))).collect()
    };
    let (plain, hoisting): (Vec<String>, Vec<String>) = (uses(&crate::c::C), uses(&HOISTING));
    assert_eq!(plain, ["a 1", "t 1", "f 0", "a 0", "t 0"]);
    assert_eq!(hoisting, ["a 0", "t 1", "f 0", "a 1", "t 0"]);
}

#[test]
fn calls_belong_to_definitions_and_free_names_of_one_spelling_to_each_other() {
    let text = "def f(): return g(f)\nclass A:\n    def f(self): return g(f())\nA().f(A.f)\nh.k(h, k.k)\n";
    let file = Parsed::new(&crate::python::PYTHON, text.as_bytes().to_vec());
    let (tree, bindings) = (file.tree(), file.bindings(0));
    let text_of = |n| String::from_utf8_lossy(file.node_text(n)).into_owned();
    let calls = |d: &super::Definition| d.calls.iter().map(|call| text_of(call.whole)).collect::<Vec<_>>();
    let all: Vec<Vec<String>> = bindings.definitions().iter().map(calls).collect();
    // The function f, the class A, the method f, and its parameter.
    assert_eq!(all, [vec!["f()"], vec!["A()"], vec!["A().f(A.f)"], vec![]]);
    let count = |name: &str| {
        let is_name = |n: &crate::tree::NodeId| tree.has(*n, crate::role::Role::Name) && text_of(*n) == name;
        tree.nodes().filter(is_name).map(|n| bindings.occurrences(n).len()).collect::<Vec<_>>()
    };
    assert_eq!(count("f"), [3, 3, 3, 3, 3, 3]);
    assert_eq!((count("g"), count("h"), count("k")), (vec![2, 2], vec![2, 2], vec![2, 1, 2]));
    let whole = tree.nodes().find(|n| text_of(*n) == "h.k(h, k.k)" && bindings.call(*n).is_some());
    assert_eq!(whole.and_then(|n| bindings.call(n)).map(|call| text_of(call.callee)), Some("k".into()));
}

#[test]
fn words_such_as_super_call_the_class_whose_constructor_they_call() {
    let calls = |grammar, text: &str| {
        let file = Parsed::new(grammar, text.as_bytes().to_vec());
        let text_of = |n| String::from_utf8_lossy(file.node_text(n)).into_owned();
        let calls = |d: &super::Definition| d.calls.iter().map(|c| text_of(c.whole)).collect::<Vec<_>>();
        let bindings = file.bindings(0);
        let classes = bindings.definitions().iter().filter(|d| d.sort == super::Sort::Type);
        classes.map(calls).collect::<Vec<_>>()
    };
    let java = "class A { A(int a) { this(); } }\nclass B<T> extends A { B() { super(1); } Object b = new B<T>(); }\n";
    assert_eq!(calls(&crate::java::JAVA, java), [vec!["this();", "super(1);"], vec!["new B<T>()"], vec![]]);
    let python = "class A:\n    pass\nclass B(A):\n    def f(self): super().__init__(super().f())\nA()\n";
    assert_eq!(calls(&crate::python::PYTHON, python), [vec!["super().__init__(super().f())", "A()"], vec![]]);
}

#[test]
fn places_uses_and_calls_name_the_file_that_they_are_in() {
    let file = Parsed::new(&crate::python::PYTHON, b"def f(): return f()\n".to_vec());
    for id in [0, 2, 1, 2] {
        let [definition] = file.bindings(id).definitions() else { panic!("one definition") };
        let files = (definition.places[0].file, definition.uses[0].file, definition.calls[0].file);
        assert_eq!(files, (id, id, id));
        assert_eq!(file.bindings(id).occurrences(definition.uses[0].name).len(), 2);
    }
}

#[test]
fn a_keyword_is_a_use_of_a_parameter_of_the_function_that_is_called() {
    let text = "from m import k
def f(a, b): f(b=1)
def g(a, c): b = 1
f(a=1, c=2)
g(a=f(a=3), b=2)
class A:
    def __init__(self, a): pass
    def h(self, a): pass
A(a=1).h(a=2)
v = lambda a: a
w = v
v(a=1), w(a=2), w(c=3)
k(c=1), u(c=1), [f][0](c=1)
@f(a=g)
class B(a=1): pass
";
    let expected = "Import k [1] [13]
Function f [2] [2, 4, 5, 13, 14]
Parameter a [2] [4, 5, 14]
Parameter b [2] [2]
Function g [3] [5, 14]
Parameter a [3] [5]
Parameter c [3] [12]
Variable b [3] []
Type A [6] [9]
Function __init__ [7] []
Parameter self [7] []
Parameter a [7] [9]
Function h [8] [9]
Parameter self [8] []
Parameter a [8] [9]
Variable v [10] [11, 12]
Parameter a [10] [10, 12]
Variable w [11] [12, 12]
Type B [15] []
";
    assert_eq!(bindings("python", text), expected);
}

#[test]
fn a_keyword_in_a_call_of_methods_of_the_same_name_is_the_first_parameter_of_its_name() {
    let text = "class A:
    def f(self, a): pass
class B:
    def f(self, b, a): pass
x.f(a=1, b=2)
";
    let expected = "Type A [1] []
Function f [2, 4] [5]
Parameter self [2] []
Parameter a [2] [5]
Type B [3] []
Parameter self [4] []
Parameter b [4] [5]
Parameter a [4] []
";
    assert_eq!(bindings("python", text), expected);
}

#[test]
fn values_and_blocks_of_llvm_are_found_by_their_names_without_marks() {
    let text = "define i32 @f(i32 %a) {
e:
  %b = add i32 %a, 1
  br label %c
c:
  %d = phi %t [ %b, %e ]
  ret i32 %d
}
%t = type i32
@g = global i32 (i32)* @f
";
    let expected = "Function f [1] [10]
Parameter a [1] [3]
Variable e [2] [6]
Variable b [3] [6]
Variable c [5] [4]
Variable d [6] [7]
Tag t [9] [6]
Variable g [10] []
";
    assert_eq!(bindings("llvm", text), expected);
}

#[test]
fn the_functions_that_a_call_of_a_class_calls_are_its_constructors() {
    let language = crate::named("python").unwrap();
    let text = "class A:\n    def __new__(cls): pass\n    def __init__(self): pass\n    def f(self): pass\nclass B:\n    def g(self):\n        class C:\n            def __init__(self): pass\ndef __init__(): pass\n";
    let file = crate::Parsed::new(language, text.as_bytes().to_vec());
    let bindings = file.bindings(0);
    let line = |node| text[..file.tree().range(node).start].lines().count();
    let of = |class: usize| file.node_text(bindings.definitions()[class].places[0].name);
    let found: Vec<_> = bindings.constructors().map(|(class, name)| (of(class), line(name))).collect();
    assert_eq!(found, [(&b"A"[..], 2), (b"A", 3), (b"C", 8)]);
}

#[test]
fn the_key_of_a_pattern_is_no_use_of_a_variable() {
    let expected = "Variable a [1] []\nVariable b [2] [3]\n";
    assert_eq!(bindings("javascript", "let a = 1;\nlet { a: b } = c;\nb;\n"), expected);
}

/// The text that goes with each definition of a program, behind its name.
fn wholes(language: &str, text: &str) -> Vec<String> {
    let language = crate::named(language).unwrap_or(&crate::text::TEXT);
    let file = Parsed::new(language, text.as_bytes().to_vec());
    let text_of = |n| String::from_utf8_lossy(file.node_text(n)).into_owned();
    let places = file.bindings(0).definitions().iter().flat_map(|definition| &definition.places);
    places.map(|place| format!("{}: {}", text_of(place.name), text_of(place.whole))).collect()
}

#[test]
fn a_member_goes_without_its_class_and_a_variable_without_its_function() {
    let php = "<?php class A { const B = 1; public $c; function f() { foreach ($d as $e) {} } }";
    let expected = [
        "A: class A { const B = 1; public $c; function f() { foreach ($d as $e) {} } }",
        "B: const B = 1;",
        "c: public $c;",
        "f: function f() { foreach ($d as $e) {} }",
        "e: foreach ($d as $e) {}",
    ];
    assert_eq!(wholes("php", php), expected);
    let ruby = "class A\ndef self.f()\n@a = 1\nB = 2\nend\nend\n";
    let expected = [
        "A: class A\ndef self.f()\n@a = 1\nB = 2\nend\nend",
        "f: def self.f()\n@a = 1\nB = 2\nend",
        "@a: @a = 1",
        "B: B = 2",
    ];
    assert_eq!(wholes("ruby", ruby), expected);
    let javascript = "class A { b = 1; f() { for (const c of d) g(); try {} catch (e) {} } }";
    let expected = [
        "A: class A { b = 1; f() { for (const c of d) g(); try {} catch (e) {} } }",
        "b: b = 1",
        "f: f() { for (const c of d) g(); try {} catch (e) {} }",
        "c: for (const c of d) g();",
        "e: try {} catch (e) {}",
    ];
    assert_eq!(wholes("javascript", javascript), expected);
    let rust = "fn f() { for a in b {} match c { S(d) => {} } }";
    let expected = [
        "f: fn f() { for a in b {} match c { S(d) => {} } }",
        "a: for a in b {}",
        "d: match c { S(d) => {} }",
    ];
    assert_eq!(wholes("rust", rust), expected);
    let java = "class A { void f() { for (int a : b) {} try {} catch (C d) {} } }";
    let expected = [
        "A: class A { void f() { for (int a : b) {} try {} catch (C d) {} } }",
        "f: void f() { for (int a : b) {} try {} catch (C d) {} }",
        "a: for (int a : b) {}",
        "d: try {} catch (C d) {}",
    ];
    assert_eq!(wholes("java", java), expected);
    let bash = "for a in b; do :; done\nf() { for c in d; do :; done; }\n";
    let expected =
        ["a: for a in b; do :; done", "f: f() { for c in d; do :; done; }", "c: for c in d; do :; done"];
    assert_eq!(wholes("bash", bash), expected);
}

#[test]
#[cfg(feature = "csharp")]
fn a_variable_of_c_sharp_goes_without_its_method() {
    let text = "class A { void F() { foreach (var a in b) {} try {} catch (C d) {} g(e is C h); } }";
    let expected = [
        "A: class A { void F() { foreach (var a in b) {} try {} catch (C d) {} g(e is C h); } }",
        "F: void F() { foreach (var a in b) {} try {} catch (C d) {} g(e is C h); }",
        "a: foreach (var a in b) {}",
        "d: try {} catch (C d) {}",
        "h: g(e is C h);",
    ];
    assert_eq!(wholes("csharp", text), expected);
}

#[test]
#[cfg(feature = "kotlin")]
fn a_variable_of_kotlin_goes_without_its_function() {
    let text = "fun f() { for (a in b) {}\ntry {} catch (d: C) {} }";
    let expected = [
        "f: fun f() { for (a in b) {}\ntry {} catch (d: C) {} }",
        "a: for (a in b) {}",
        "d: try {} catch (d: C) {}",
    ];
    assert_eq!(wholes("kotlin", text), expected);
}

#[test]
fn a_lifetime_belongs_to_the_item_that_it_is_a_parameter_of() {
    let text = "struct S<'a>(&'a u8);
fn f<'a>() -> S<'a> {}
impl<'a> A for S<'a> {
    fn g<'b>(b: &'b u8, c: &'a u8) {}
    fn h<'b>(b: &'b u8) where T: for<'c> B<'c> {}
}
";
    let labels: String = bindings("rust", text)
        .lines()
        .filter(|line| line.starts_with("Label"))
        .map(|line| format!("{line}\n"))
        .collect();
    let expected = "Label a [1] [1]\nLabel a [2] [2]\nLabel a [3] [3, 4]\nLabel b [4] [4]\nLabel b [5] [5]\nLabel c [5] [5]\n";
    assert_eq!(labels, expected);
}

#[test]
fn a_label_of_llvm_belongs_to_its_function() {
    let text = "define void @f() {
a:
  br label %a
}
define void @g() {
a:
  br label %a
}
";
    let found = bindings("llvm", text);
    assert!(found.contains("Variable a [2] [3]\nFunction g [5] []\nVariable a [6] [7]"), "{found}");
}
