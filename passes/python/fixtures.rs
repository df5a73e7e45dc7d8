//! Moves the context of a test into the test: the value that a fixture returns, the values of a
//! parametrisation, the statements of `setUp`.

use crate::functions::{items, mentions, name_in};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "fixtures",
    summary: "moves fixtures, parametrisations and `setUp` into the tests that use them",
    languages: &["python"],
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "python",
            before: "@fixture\ndef shop():\n    return 1\n@fixture\ndef basket(shop):\n    yield 2 + shop\ndef test(basket):\n    assert basket\n",
            keep: &["shop", "basket", "2 + ", "def test(", "assert "],
            after: "def shop():\n    return 1\ndef basket():\n    return 2 + shop()\ndef test():\n    assert basket()\n",
        },
        Example {
            language: "python",
            before: "@mark.parametrize('a, b', [(1, 2), param(3, 4, id='x')])\n@mark.parametrize(['c'], [[5]])\ndef test(a, b=7, c):\n    assert a - b - c\n",
            keep: &["def test(", "assert ", " - ", "3", "4", "[5]"],
            after: "def test():\n    assert 3 - 4 - [5]\n",
        },
        Example {
            language: "python",
            before: "class A(TestCase):\n    def setUp(self):\n        self.a = 1\n        f()\n    def test(self):\n        assert self.a\n",
            keep: &["class A(TestCase)", "self.a = 1", "f()", "def test", "assert self.a"],
            after: "class A(TestCase):\n    def test(self):\n        self.a = 1\n        f()\n        assert self.a\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of rows of a parametrisation that are tried.
const ROWS: usize = 4;
/// The methods that unittest and pytest call before each test of a class.
const BEFORE: [&[u8]; 2] = [b"setUp", b"setup_method"];

fn plan(base: &Base) -> Vec<Group> {
    let mut choices = Vec::new();
    for file in PASS.files(base) {
        let tests = Tests { file, functions: function_definitions(file) };
        for &function in &tests.functions {
            choices.push(tests.returned(function).into_iter().collect());
            choices.extend(tests.parametrisations(function));
            choices.push(tests.done_before(function).into_iter().collect());
        }
    }
    vec![Group::choices(choices).doubtful()]
}

struct Tests<'a> {
    file: File<'a>,
    functions: Vec<NodeId>,
}

fn function_definitions(file: File<'_>) -> Vec<NodeId> {
    file.nodes().filter(|&n| file.kind_name(n) == "function_definition").collect()
}

impl Tests<'_> {
    fn name(&self, function: NodeId) -> Option<&[u8]> {
        let file = self.file;
        file.child_with(function, Role::FunctionName).map(|n| file.node_text(n))
    }

    fn declares(&self, parameter: NodeId, name: &[u8]) -> bool {
        name_in(self.file, parameter).is_some_and(|n| self.file.node_text(n) == name)
    }

    fn decorators(&self, function: NodeId) -> Vec<NodeId> {
        let file = self.file;
        let whole = file.parent(function).into_iter();
        whole.flat_map(|n| file.children(n)).filter(|&n| file.kind_name(n) == "decorator").collect()
    }

    /// The units that remove the parameter of this name from a function; `None` if the function has none.
    fn without(&self, function: NodeId, name: &[u8], by: &Source) -> Option<Vec<Unit>> {
        let parameters = items(&self.file, function, Role::Parameters);
        let parameter = parameters.into_iter().find(|&n| self.declares(n, name))?;
        let uses = mentions(self.file, function, parameter).into_iter();
        let replaced = uses.map(|node| self.file.replace(node, by.clone()));
        Some(std::iter::once(self.file.drop(parameter)).chain(replaced).collect())
    }

    /// Turns a fixture without parameters into a function, and its uses into calls.
    fn returned(&self, fixture: NodeId) -> Option<Unit> {
        let file = self.file;
        let decorators = self.decorators(fixture);
        let name = self.name(fixture).filter(|_| !decorators.is_empty())?;
        if !items(&file, fixture, Role::Parameters).is_empty() {
            return None;
        }
        let call = Source::made([name, b"()"].concat());
        let users = self.functions.iter().filter_map(|&function| self.without(function, name, &call));
        let mut units: Vec<Unit> = users.flatten().collect();
        if units.is_empty() {
            return None;
        }
        units.extend(decorators.into_iter().map(|node| file.drop(node)));
        let yields = file.descendants(fixture).filter(|&n| file.is_leaf(n) && file.node_text(n) == b"yield");
        units.extend(yields.map(|node| file.replace(node, "return")));
        Some(Unit::together(units))
    }

    /// For each parametrisation of a test, the ways to replace its parameters by the values of one row.
    fn parametrisations(&self, test: NodeId) -> Vec<Vec<Unit>> {
        let decorators = self.decorators(test).into_iter();
        decorators.map(|decorator| self.rows(test, decorator).unwrap_or_default()).collect()
    }

    fn rows(&self, test: NodeId, decorator: NodeId) -> Option<Vec<Unit>> {
        let file = self.file;
        let call = file.child_with(decorator, Role::Call)?;
        let [names, rows] = items(&file, call, Role::Arguments)[..] else { return None };
        let strings = file.descendants(names).filter(|&n| file.kind_name(n) == "string_content");
        let names: Vec<&[u8]> =
            strings.flat_map(|n| file.node_text(n).split(|&c| c == b',').map(<[u8]>::trim_ascii)).collect();
        let with = |row: NodeId| {
            let values = match items(&file, row, Role::Arguments) {
                arguments if !arguments.is_empty() => arguments,
                _ if names.len() == 1 => vec![row],
                _ => file.named_children(row).collect(),
            };
            let pairs = names.iter().zip(values).map(|(name, n)| self.without(test, name, &Source::Node(n)));
            let units = pairs.collect::<Option<Vec<_>>>()?.into_iter().flatten();
            Some(Unit::together(std::iter::once(file.drop(decorator)).chain(units)))
        };
        let rows = file.named_children(rows).take(ROWS);
        Some(rows.filter_map(with).collect())
    }

    /// Moves the statements that run before each test of a class into the tests.
    fn done_before(&self, before: NodeId) -> Option<Unit> {
        let file = self.file;
        if !BEFORE.contains(&self.name(before)?) {
            return None;
        }
        let block = file.parent(before)?;
        let is_test = |&&n: &&NodeId| file.parent(n) == Some(block) && n != before;
        let done = file.range(file.child_with(before, Role::Body)?);
        let mut units = vec![file.drop(before)];
        for &test in self.functions.iter().filter(is_test) {
            let body = file.child_with(test, Role::Body)?;
            let first = file.first_leaf(body);
            // If the whole test is on one line, its body continues below.
            let (lead, indentation) = match layout::indentation(file.text(), file.range(first).start) {
                Some(own) => (Vec::new(), own.to_vec()),
                None => {
                    let own = [layout::indentation(file.text(), file.range(test).start)?, b"    "].concat();
                    ([b"\n", &own[..]].concat(), own)
                }
            };
            let done = layout::moved(file.parsed, done.clone(), &indentation);
            let by = [&lead[..], &done, b"\n", &indentation, file.node_text(first)].concat();
            units.push(file.replace(first, by));
        }
        Some(Unit::together(units))
    }
}
