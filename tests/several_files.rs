//! Reductions of several files, with predicates in place of the user's test.

use crate::kit::{Log, as_example, reduced_with};
use lopper::languages::{detect, measure::Measure};
use lopper::oracle::{Contents, Verdict};
use lopper::passes::{Base, PASSES};
use lopper::run::{Options, Reduced};
use std::path::Path;
use std::sync::Arc;

/// A package with a test that fails because of `area`.
const PACKAGE: &str = "\
=== Makefile
test: tests/test_shapes.py
	python -m unittest tests.test_shapes
=== shapes/__init__.py
from .circle import Circle
from .square import Square, side
from . import colours
=== shapes/base.py
class Shape:
    def __init__(self, size, colour='red'):
        self.size = size
        self.colour = colour
=== shapes/circle.py
from .base import Shape
class Circle(Shape):
    def area(self):
        return 3 * self.size ** 2
=== shapes/colours.py
NAMES = ['red', 'green']
=== shapes/square.py
import math
from .base import Shape
def side(square):
    return square.size
class Square(Shape):
    def area(self):
        return crash(side(self))
=== tests/__init__.py
=== tests/test_shapes.py
import unittest
from shapes import Square, colours
class Test(unittest.TestCase):
    def test_colour(self):
        self.assertIn('red', colours.NAMES)
    def test_area(self):
        self.assertEqual(4, Square(2).area())
";

/// A program of several files.
const PROGRAM: &str = "\
=== Makefile
OBJECTS = main.o src/stack.o src/text.o
main: $(OBJECTS)
	cc -o main $(OBJECTS)
src/text.o: src/text.c include/text.h
	cc -c -o src/text.o src/text.c
=== include/stack.h
#ifndef STACK_H
#define STACK_H
struct stack { int depth; int items[8]; };
int push(struct stack *stack, int item);
#endif
=== include/text.h
char *upper(char *text);
=== main.c
#include \"include/stack.h\"
#include \"include/text.h\"
#include <stdio.h>
int main(void) {
    struct stack stack = {0};
    puts(upper(\"text\"));
    return push(&stack, 3);
}
=== src/stack.c
#include \"../include/stack.h\"
int push(struct stack *stack, int item) {
    crash(stack->items[stack->depth++] = item);
    return 0;
}
=== src/text.c
#include \"../include/text.h\"
char *upper(char *text) { return text; }
";

fn is_valid(contents: &Contents) -> bool {
    contents.iter().all(|file| detect(&file.path.to_string_lossy()).parse(file).errors == 0)
}

/// Reduces an example of several files as long as it is valid and has these texts.
fn reduced(example: &str, options: &Options, keep: &[&str]) -> (Reduced, Log) {
    let test = |contents: &Contents| {
        let text = as_example(contents);
        let holds = is_valid(contents) && keep.iter().all(|part| text.contains(part));
        if holds { Verdict::Interesting } else { Verdict::Boring }
    };
    let (outcome, log) = reduced_with(Base::of_example("text", example), &test, options);
    assert_eq!(log.bugs, [], "no pass may panic");
    (outcome, log)
}

#[track_caller]
fn leaves(example: &str, keep: &[&str], expected: &str) {
    let (outcome, _) = reduced(example, &Options::default(), keep);
    assert_eq!(as_example(&outcome.contents), expected);
}

#[test]
fn files_that_the_failure_does_not_need_go_with_what_refers_to_them() {
    leaves(PACKAGE, &["=== shapes/square.py", "crash("], "=== shapes/square.py\ncrash()\n");
    leaves(PROGRAM, &["=== src/stack.c", "crash("], "=== src/stack.c\ncrash();\n");
}

#[test]
fn a_file_that_must_stay_loses_its_text() {
    let keep = ["=== shapes/__init__.py", "=== shapes/square.py", "=== tests/", "crash("];
    leaves(PACKAGE, &keep, "=== shapes/__init__.py\n=== shapes/square.py\ncrash()\n=== tests/__init__.py\n");
}

#[test]
fn definitions_go_with_their_declarations_imports_and_uses_in_other_files() {
    let program = "\
=== a.c
#include \"a.h\"
int twice(int x) { return x + x; }
int loud(int x) { return crash(x); }
=== a.h
int twice(int x);
int loud(int x);
=== main.c
#include \"a.h\"
int main(void) { return twice(1) + loud(twice(2)); }
";
    // Whatever is called is declared, as for a compiler.
    let compiles = |contents: &Contents| {
        let text = as_example(contents);
        let has = |path: &str, word: &str| {
            contents.iter().any(|f| f.path.ends_with(path) && String::from_utf8_lossy(f).contains(word))
        };
        let is_declared = |name: &str| {
            !text.contains(name) || has("a.c", name) && has("a.h", name) && has("main.c", "#include")
        };
        is_valid(contents)
            && ["twice(", "loud("].iter().all(|name| is_declared(name))
            && ["return crash(", "int main(void) { return "].iter().all(|part| text.contains(part))
    };
    let test = |c: &Contents| if compiles(c) { Verdict::Interesting } else { Verdict::Boring };
    let several = ["files", "includes", "sources", "modules"];
    let passes = PASSES.iter().filter(|pass| !several.contains(&pass.name)).collect();
    let options = Options { passes, ..Options::default() };
    let (outcome, _) = reduced_with(Base::of_example("c", program), &test, &options);
    let left = as_example(&outcome.contents);
    assert!(!left.contains("twice"), "{left}");
}

#[test]
fn the_number_of_workers_changes_nothing_for_several_files() {
    let run = |jobs| {
        let options = Options { jobs, ..Options::default() };
        let (outcome, log) = reduced(PROGRAM, &options, &["include/stack.h", "crash(", "push(&", "main("]);
        (outcome.contents, outcome.stats, log)
    };
    let alone = run(1);
    for jobs in [2, 3, 8] {
        assert_eq!(run(jobs), alone, "{jobs} workers");
    }
}

#[test]
fn every_accepted_program_is_smaller_than_the_one_before() {
    let (_, log) = reduced(PROGRAM, &Options::default(), &["crash(", "main("]);
    let mut measures: Vec<Measure> = vec![Base::of_example("text", PROGRAM).measure()];
    measures.extend(log.accepted.iter().map(|(_, measure)| *measure));
    assert!(measures.len() > 5 && measures.is_sorted_by(|a, b| a >= b), "{measures:?}");
}

#[test]
fn a_reduction_never_ends_without_a_file() {
    let (outcome, _) = reduced(PACKAGE, &Options::default(), &[]);
    assert_eq!(outcome.contents.len(), 1);
}

/// The text of a file with those of the files that its lines include or import.
fn expanded(contents: &Contents, path: &Path, depth: usize) -> String {
    let Some(file) = contents.iter().find(|file| path == &*file.path) else { return String::new() };
    let text = String::from_utf8_lossy(file).into_owned();
    let named = |line: &str| {
        let words: Vec<&str> = line.split(|c| " \"".contains(c)).filter(|word| !word.is_empty()).collect();
        let name = match words[..] {
            ["#include", path] => path.trim_start_matches("../").to_owned(),
            ["import", path, ";"] => path.trim_start_matches("./").to_owned(),
            ["from", module, ..] => format!("{}.py", module.trim_start_matches('.').replace('.', "/")),
            _ => return None,
        };
        contents.iter().find(|file| file.path.ends_with(&name)).map(|file| Arc::clone(&file.path))
    };
    let line = |line: &str| match named(line).filter(|_| depth < 4) {
        Some(other) => expanded(contents, &other, depth + 1),
        None => line.to_owned() + "\n",
    };
    text.lines().map(line).collect()
}

/// Whether one of the files has all these texts, in itself or in what it includes or imports.
pub(crate) fn links(contents: &Contents, keep: &[&str]) -> bool {
    let whole = |path: &Path| {
        let text = expanded(contents, path, 0);
        keep.iter().all(|part| text.contains(part))
    };
    is_valid(contents) && contents.iter().any(|file| whole(&file.path))
}

/// A pass, and a program of several files that is larger without it, with the texts that one file must have in itself
/// or in what it names.
pub(crate) const LINKED: &[(&str, &str, &[&str])] = &[
    (
        "modules",
        PACKAGE,
        &[
            "self.size = size",
            "def side(square):\n    return square.size",
            "crash(side(self))",
            "class Square",
        ],
    ),
    (
        "includes",
        PROGRAM,
        &["struct stack { int depth; int items[8]; };", "char *upper(char *text);", "push(&stack, 3)"],
    ),
    (
        "scripts",
        "=== lib/f.js\nimport \"./g.js\";\nfunction f(x) { return x; }\n=== lib/g.js\nconst g = 2;\n=== main.js\nimport \"./lib/f.js\";\ncrash(1);\n",
        &["crash(1)", "function f(x) { return x; }", "const g = 2"],
    ),
    ("paths", PACKAGE, &["self.size = size", "crash(side(self))"]),
];

/// Whether each of these files has its text, in itself or in what it includes or imports.
pub(crate) fn links_each(contents: &Contents, keep: &[(&str, &str)]) -> bool {
    let has = |(path, text): &(&str, &str)| expanded(contents, Path::new(path), 0).contains(text);
    is_valid(contents) && keep.iter().all(has)
}

/// A pass, and a program of several files that is larger without it, with the texts that each file must have in itself
/// or in what it names.
type Apart = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

pub(crate) const APART: &[Apart] = &[
    (
        "copies",
        "=== a.c\n#include \"h.h\"\nint a;\n=== b.c\n#include \"h.h\"\nint b;\n=== h.h\nint x;\n",
        &[("a.c", "int x;\nint a;"), ("b.c", "int x;\nint b;")],
    ),
    (
        "module-copies",
        "=== a.py\nfrom u import x\na = x\n=== b.py\nfrom u import x\nb = x\n=== u.py\nx = 1\n",
        &[("a.py", "x = 1\na ="), ("b.py", "x = 1\nb =")],
    ),
];

#[test]
fn modules_headers_and_sources_become_one_file() {
    for (pass, program, keep) in LINKED {
        let test = |c: &Contents| if links(c, keep) { Verdict::Interesting } else { Verdict::Boring };
        let (outcome, log) = reduced_with(Base::of_example("text", program), &test, &Options::default());
        assert_eq!(log.bugs, [], "no pass may panic");
        assert_eq!(outcome.contents.len(), 1, "{pass}: {}", as_example(&outcome.contents));
    }
}

#[test]
fn folders_and_files_get_short_names_wherever_they_are_named() {
    let keep = ["struct stack { int depth;", "char *upper(char *text);", "push(&stack, 3)"];
    let test = |contents: &Contents| {
        let makefile = contents.iter().find(|file| &*file.path == Path::new("Makefile"));
        let is_made = makefile.is_some_and(|file| String::from_utf8_lossy(file).lines().count() == 5);
        if links(contents, &keep) && is_made { Verdict::Interesting } else { Verdict::Boring }
    };
    let passes = PASSES.iter().filter(|pass| pass.name == "paths").collect();
    let options = Options { passes, ..Options::default() };
    let (outcome, _) = reduced_with(Base::of_example("text", PROGRAM), &test, &options);
    let paths: Vec<String> = outcome.contents.iter().map(|file| file.path.display().to_string()).collect();
    assert!(paths.iter().all(|path| path == "Makefile" || path.len() <= 5), "{paths:?}");
    let text = as_example(&outcome.contents);
    assert!(!["include/", "src/", "stack.h", "text.c"].iter().any(|name| text.contains(name)), "{text}");
}
