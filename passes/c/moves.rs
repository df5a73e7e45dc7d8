//! Moves a declaration: a parameter becomes a local or global variable, a local variable becomes a parameter
//! or a global variable, and a global variable that only one function uses becomes its parameter.

use super::{FAMILY, child, declared, function_around, is, specifiers};
use crate::functions::{Function, functions, items, name_in, value};
use crate::parameters::{Going, going};
use crate::uses::statement;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Place, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "moves",
    summary: "turns parameters into variables, variables into parameters, and local variables into global ones",
    languages: FAMILY,
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "float f(float *a, int b) { return *a; }\nint main() { return f(0, 1) + f(x, 2); }\n",
            keep: &["float *a", "int b) {", "return *a", "main", "1)", "2)"],
            after: "float *a;\nfloat f(int b) { return *a; }\nint main() { return f(1) + f(2); }\n",
        },
        Example {
            language: "c",
            before: "float f(a, b) float a; { return a; }\nint main() { return f(0, 1); }\nint a;\n",
            keep: &["b) ", "float a;", "return a", "1)", "int a;"],
            after: "float f(b) { float a; return a; }\nint main() { return f(1); }\nint a;\n",
        },
        Example {
            language: "c",
            before: "int g() { char d = 0; return d; }\n",
            keep: &["char d", "g()", "return d"],
            after: "char d;\nint g() { return d; }\n",
        },
        Example {
            language: "c",
            before: "float a;\nint f(void) { return a; }\nint g() { char c[2]; return c[0]; }\n",
            keep: &["float a", "return a", "char c[2]", "return c[0]"],
            after: "int f(float a) { return a; }\nint g(char c[2]) { return c[0]; }\n",
        },
        Example {
            language: "cpp",
            before: "template <class T> char *f(T a) { char *d = 0; return d; }\n",
            keep: &["char *d", "T a", "return d"],
            after: "template <class T> char *f(T a, char *d) { return d; }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let moves = Moves::new(file);
        let mut ways: Vec<Vec<Unit>> = file.definitions().map(|d| moves.of_variable(d)).collect();
        for function in functions(file) {
            ways.extend(moves.of_parameters(&function));
        }
        ways
    });
    vec![Group::choices(ways).doubtful()]
}

struct Moves<'a> {
    file: File<'a>,
    /// The names that the file defines outside functions.
    global: BTreeSet<&'a [u8]>,
}

impl<'a> Moves<'a> {
    fn new(file: File<'a>) -> Self {
        let is_global =
            |d: &&Definition| d.scope == NodeId::ROOT && d.sort != Sort::Field && d.sort != Sort::Tag;
        let global = file.definitions().filter(is_global);
        let global = global.map(|d| file.node_text(d.places[0].name)).collect();
        Self { file, global }
    }

    fn of_variable(&self, definition: &Definition) -> Vec<Unit> {
        let file = self.file;
        let [place] = definition.places[..] else { return Vec::new() };
        let Some((declaration, _)) = declared(&file, place.name) else { return Vec::new() };
        let stands_alone = file.parent(declaration).is_some_and(|n| file.has(n, Role::Block));
        if definition.sort != Sort::Variable || definition.uses.is_empty() || !stands_alone {
            return Vec::new();
        }
        let Some(typed) = self.typed(&[place]) else { return Vec::new() };
        let gone = file.drop(place.whole);
        let moved = |unit: Unit| Unit::together([gone.clone(), unit]);
        let mut ways = Vec::new();
        if let Some(function) = self.only_user(definition).filter(|&f| !self.is_used(f)) {
            ways.extend(self.parameter_of(function, &typed).map(moved));
        }
        if definition.scope != NodeId::ROOT
            && let Some(function) = function_around(&file, place.name)
        {
            ways.extend(self.global_before(function, &[place], &typed).map(moved));
        }
        ways
    }

    /// The ways to move each parameter of a function that has a body.
    fn of_parameters(&self, function: &Function) -> Vec<Vec<Unit>> {
        let file = self.file;
        let is_definition = |&&n: &&NodeId| is(&file, statement(&file, n), "function_definition");
        let Some(&head) = function.nodes.iter().find(is_definition) else { return Vec::new() };
        let parameters = items(&file, head, Role::Parameters);
        let ways = |(place, &item): (usize, &NodeId)| self.of_parameter(function, head, place, item);
        parameters.iter().enumerate().map(ways).collect()
    }

    fn of_parameter(&self, function: &Function, head: NodeId, place: usize, item: NodeId) -> Vec<Unit> {
        let file = self.file;
        let Some(definition) = name_in(file, item).and_then(|name| file.definition(name)) else {
            return Vec::new();
        };
        let Some(typed) = self.typed(&definition.places).filter(|_| !definition.uses.is_empty()) else {
            return Vec::new();
        };
        let whole = statement(&file, head);
        let Going { drops, arguments, .. } = going(file, function, place);
        let moved = |unit: Unit| Unit::together(drops.iter().cloned().chain([unit]));
        let argument = arguments.first().map(|&n| file.node_text(value(&file, n)));
        let set = argument.map(|argument| [&typed, &b" = "[..], argument].concat());
        let ways = [
            self.global_before(whole, &definition.places, &typed),
            self.local_in(whole, &typed),
            set.and_then(|typed| self.local_in(whole, &typed)),
        ];
        ways.into_iter().flatten().map(moved).collect()
    }

    /// The declaration of a name, without its value.
    fn typed(&self, places: &[Place]) -> Option<Vec<u8>> {
        let file = self.file;
        let Some((declaration, item)) = places.iter().find_map(|place| declared(&file, place.name)) else {
            return Some([b"int ", file.node_text(places.first()?.name)].concat());
        };
        let declarator = if is(&file, item, "init_declarator") { super::first(&file, item)? } else { item };
        Some([specifiers(file, declaration)?, b" ", file.node_text(declarator)].concat())
    }

    /// The function that contains all uses of a variable, if there is only one.
    fn only_user(&self, definition: &Definition) -> Option<NodeId> {
        let mut functions = self.file.uses(definition).map(|name| function_around(&self.file, name));
        let first = functions.next()?;
        first.filter(|_| functions.all(|f| f == first))
    }

    /// Whether a function is used, or declared more than once.
    fn is_used(&self, function: NodeId) -> bool {
        let file = self.file;
        let bindings = file.bindings();
        let mut names = bindings.within(&file, function).map(|(_, d)| &bindings.definitions()[d]);
        names.find(|d| d.sort == Sort::Function).is_none_or(|d| d.places.len() > 1 || !d.uses.is_empty())
    }

    fn parameter_of(&self, function: NodeId, typed: &[u8]) -> Option<Unit> {
        let file = self.file;
        let list = file.descendants(function).find(|&n| file.has(n, Role::Parameters))?;
        let is_item = |n: &NodeId| file.is_named(*n) && file.node_text(*n) != b"void";
        Some(match file.children(list).any(|n| is_item(&n)) {
            true => file.replace(child(&file, list, ")")?, [b", ", typed, b")"].concat()),
            false => file.replace(list, [b"(", typed, b")"].concat()),
        })
    }

    fn local_in(&self, function: NodeId, typed: &[u8]) -> Option<Unit> {
        let file = self.file;
        let open = child(&file, child(&file, function, "compound_statement")?, "{")?;
        let by = [b"{ ", typed, b";"].concat();
        Some(file.replace(open, by))
    }

    /// A global declaration before a function, if the name is not used there.
    fn global_before(&self, function: NodeId, places: &[Place], typed: &[u8]) -> Option<Unit> {
        let file = self.file;
        if self.global.contains(file.node_text(places.first()?.name)) {
            return None;
        }
        let leaf = file.first_leaf(statement(&file, function));
        let by = [typed, b";\n", file.node_text(leaf)].concat();
        Some(file.replace(leaf, by))
    }
}
