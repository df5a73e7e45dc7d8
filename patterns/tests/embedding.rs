//! Patterns of minima, embedded in programs that were not reduced.

use super::source_code::{language, marked};
use crate::{Closeness, Enclosed, Ground, Names, Needle, Outside, Pattern, enclosed};
use lopper_languages::Parsed;

/// How close the pattern is found in a file, and the texts of all matches.
fn found(name: &str, pattern: &str, text: &str) -> Option<(Closeness, Vec<String>)> {
    let pattern = marked(name, pattern);
    let file = Parsed::new(language(name), text.into());
    let needle = Needle::new(&pattern, language(name));
    let (closeness, matches) = needle.find(&Ground::new(&file), Closeness::Meant)?;
    Some((closeness, matches.into_iter().map(|found| text[found.range].to_owned()).collect()))
}

fn closeness(name: &str, pattern: &str, text: &str) -> Option<Closeness> {
    found(name, pattern, text).map(|(closeness, _)| closeness)
}

#[test]
fn what_a_reduction_deletes_may_be_there() {
    let pattern = "class <name>:\n    def <name>(self):\n        return max(<expression>, 7)\n";
    let is = |text: &str| closeness("python", pattern, text);
    assert_eq!(is("class C:\n    def f(self):\n        return max(1, 7)\n"), Some(Closeness::Exact));
    assert_eq!(
        is("class C:\n    def f(self):\n        pass\n        return max(1, 7)\n"),
        Some(Closeness::Statements)
    );
    let long = "import os\nclass C(B):\n    x = 1\n    @property\n    def f(self, a):\n        if a:\n            return [max(a + 1, a, 7)]\n";
    assert_eq!(is(long), Some(Closeness::Embedded));
    assert_eq!(is("class C:\n    def f(self):\n        return max(7, 1)\n"), None, "another order");
    assert_eq!(is("class C:\n    def f(self): max(1, 7)\n"), None, "no return");
    assert_eq!(is("class C: pass\ndef f(self):\n    return max(1, 7)\n"), None, "not in the class");
}

#[test]
fn the_head_of_a_loop_is_not_its_body() {
    let pattern = "void f(void) {\n    for (;; <expression>++)\n        return;\n}\n";
    let is = |text: &str| closeness("c", pattern, text);
    assert_eq!(
        is("int f(int x) { for (x = 0; x < 3; x++) { g(); return; } }"),
        None,
        "the name f had to be void"
    );
    assert_eq!(is("void f(void) { for (x = 0; x < 3; x++) { g(); return; } }"), Some(Closeness::Embedded));
    assert_eq!(is("void f(void) { for (x = 0; x < 3; g()) { x++; return; } }"), None);
}

#[test]
fn names_that_are_coupled_are_the_same_thing() {
    let pattern = "<$name_1> = open(<expression>)\n<$name_1>.read(7)\n";
    let is = |text: &str| closeness("python", pattern, text);
    assert_eq!(
        is("def f():\n    a = b = open(1, 2)\n    if b:\n        print(b.read(7))\n"),
        Some(Closeness::Embedded)
    );
    assert_eq!(is("def f():\n    a = open(1)\n    c.read(7)\n"), None);
    assert_eq!(
        is("def f():\n    a = open(1)\ndef g(a):\n    a.read(7)\n"),
        None,
        "another variable of this name"
    );
}

#[test]
fn definitions_are_elsewhere_and_names_stand_for_what_they_name() {
    let pattern = "f(char <$name_1>) {\n    <$name_1> |= 7;\n}\n";
    let is = |text: &str| closeness("c", pattern, text);
    assert_eq!(is("f(void) { char c = 1; c |= 7; }"), Some(Closeness::Meant));
    assert_eq!(is("typedef signed char int8_t; int8_t c;\nf(void) { c |= 7; }"), Some(Closeness::Meant));
    assert_eq!(is("typedef signed char s; typedef s t; t c;\nf(void) { c |= 7; }"), Some(Closeness::Meant));
    assert_eq!(is("f(void) { char b; int c = 1; c |= 7; }"), None, "of another type");
    let pattern = "def <name>(<$name_1>):\n    print(copy(<$name_1>), <$name_1>)\n";
    let is = |text: &str| closeness("python", pattern, text);
    assert_eq!(is("def f():\n    x = range(3)\n    y = copy(x)\n    print(y, x)\n"), Some(Closeness::Meant));
    assert_eq!(is("def f():\n    x = range(3)\n    y = copy(x)\n    print(x, x)\n"), None);
}

#[test]
fn of_matches_within_each_other_the_innermost_counts() {
    let text = "def f():\n    def g():\n        return 0, max(1)\n    return 0, max(2)\n";
    let (_, matches) =
        found("python", "def <name>():\n    pass\n    return max(<expression>)\n", text).unzip();
    assert_eq!(matches, None, "there is no pass");
    let (_, matches) = found("python", "def <name>():\n    return max(<number:1..>)\n", text).unwrap();
    assert_eq!(matches, ["def g():\n        return 0, max(1)"]);
}

#[test]
fn brackets_that_the_reduction_left_must_be_there() {
    let pattern = "int <name> = ((<expression>));\n";
    assert_eq!(closeness("c", pattern, "int f(void) { static int x = g((1)); }"), None);
    assert_eq!(
        closeness("c", pattern, "int f(void) { static int x = g(((1))); }"),
        Some(Closeness::Embedded)
    );
}

#[test]
fn operators_alone_are_no_circumstance() {
    assert_eq!(closeness("python", "<$name_1> = <$name_1>\n", "a.b = b + a\n"), None);
    assert_eq!(closeness("python", "<$name_1> = <$name_1>\n", "b = b\n"), Some(Closeness::Exact));
}

#[test]
fn a_deep_or_long_file_is_no_trouble() {
    let pattern = "f() {\n    return g(1, 7);\n}\n";
    let deep = format!("f() {{ return {}g(1, 7){}; }}", "(".repeat(20_000), ")".repeat(20_000));
    assert_eq!(closeness("c", pattern, &deep), Some(Closeness::Embedded));
    let long = format!("f() {{ {} }}", "if (x) return g(7, x = y);\n".repeat(20_000));
    assert_eq!(closeness("c", pattern, &long), None);
}

#[test]
fn an_excerpt_is_looked_for_before_looser_matches_and_its_parts_are_told() {
    let mut pattern = marked("python", "def <name>():\n    <$name_1> += c\n");
    let excerpt = marked("python", "def <name>():\n    <$name_1> = <$name_1> + c\n");
    pattern.excerpt = Some(Box::new(excerpt));
    assert_eq!(Pattern::from_json(&pattern.to_json(&Names::of_roles()).unwrap()), Ok(pattern.clone()));
    let text = "def f(a):\n    if a:\n        b = b + c\n    return b\n";
    let file = Parsed::new(language("python"), text.into());
    let ground = Ground::new(&file);
    let needle = Needle::new(&pattern, language("python"));
    let (closeness, matches) = needle.find(&ground, Closeness::Meant).unwrap();
    assert_eq!((closeness, matches.len()), (Closeness::Excerpt, 1));
    let parts: Vec<&str> = matches[0].parts.iter().map(|part| &text[part.clone()]).collect();
    assert!(parts.starts_with(&["def", "f"]) && parts.ends_with(&["b", "=", "b", "+", "c"]), "{parts:?}");
    assert!(!parts.contains(&"if") && !parts.contains(&"return"), "{parts:?}");
    assert_eq!(needle.find(&ground, Closeness::Statements), None);
    pattern.excerpt = None;
    assert_eq!(Needle::new(&pattern, language("python")).find(&ground, Closeness::Meant), None);
}

#[test]
fn an_excerpt_is_not_looked_for_in_definitions_in_which_it_passes() {
    let finds = |excerpt: &str, text: &str, outside: &[&str]| {
        let mut pattern = marked("python", "nothing()\n");
        let mut excerpt = marked("python", excerpt);
        let outside = outside.iter().map(|kind| (*kind).to_owned());
        excerpt.outside = outside.map(|kind| Outside { kind, counterexample: b"f".to_vec() }).collect();
        pattern.excerpt = Some(Box::new(excerpt));
        assert_eq!(Pattern::from_json(&pattern.to_json(&Names::of_roles()).unwrap()), Ok(pattern.clone()));
        let file = Parsed::new(language("python"), text.into());
        let found = Needle::new(&pattern, language("python")).find(&Ground::new(&file), Closeness::Excerpt);
        found.map_or(0, |(_, matches)| matches.len())
    };
    let text = "def f():\n    a = open\nclass C:\n    def g():\n        b = open\nif x:\n    c = open\n";
    let in_function = ["function_definition"];
    assert_eq!(finds("<name> = open\n", text, &[]), 3);
    assert_eq!(finds("<name> = open\n", text, &["class_definition"]), 2);
    assert_eq!(finds("<name> = open\n", text, &in_function), 1);
    // Without a word of its own it is matched closely, and only if something is known of where it fails.
    assert_eq!(finds("<name> = <name>\n", text, &[]), 0);
    assert_eq!(finds("<name> = <name>\n", text, &in_function), 1);
    assert_eq!(finds("<name> = <name>\n", "a = f(b)\n", &in_function), 0);
}

#[test]
fn a_program_is_put_into_the_bodies_of_the_definitions_of_another() {
    let texts = |name: &str, excerpt: &str, program: &str| -> Vec<(String, String)> {
        let [excerpt, program] =
            [excerpt, program].map(|text| Parsed::new(language(name), text.as_bytes().to_vec()));
        let text = |one: Enclosed| (one.kind, String::from_utf8(one.text).unwrap());
        enclosed(&excerpt, &program).into_iter().map(text).collect()
    };
    let is = |kind: &str, text: &str| (kind.to_owned(), text.to_owned());
    let program = "class C(A):\n    x = 1\n    def f(self):\n        pass\ndef g():\n    h()\ng()\n";
    let found = [
        is("class_definition", "class C(A):\n    if a:\n        b()\n"),
        is("function_definition", "def g():\n    if a:\n        b()\n"),
        is("function_definition", "def f(self):\n    if a:\n        b()\n"),
    ];
    assert_eq!(texts("python", "if a:\n    b()\n", program), found);
    let program =
        "int f(void);\nstruct s { int a; };\nint g(int a) {\n    { int f(int); }\n    return a;\n}\n";
    let found = [is("function_definition", "int g(int a) {\nint x = 1;\n}\n")];
    assert_eq!(texts("c", "int x = 1;\n", program), found);
}
