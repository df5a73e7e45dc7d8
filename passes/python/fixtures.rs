//! What a test is given stands where it is asked for: what a fixture returns, the values of a
//! parametrisation, what `setUp` does.

use crate::functions::{items, name_in};
use crate::parameters::mentions;
use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "fixtures",
    summary: "puts what a test is given where it is asked for: fixtures, parametrisations, setUp",
    grain: Grain::Coarse,
    proves: false,
    reaches: false,
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
};

/// So many rows of a parametrisation are tried.
const ROWS: usize = 4;
/// What unittest and pytest call before each test of a class.
const BEFORE: [&[u8]; 2] = [b"setUp", b"setup_method"];

fn plan(base: &Base) -> Vec<Group> {
    let mut choices = Vec::new();
    for (id, file) in base.files() {
        let tests = Tests { file, id, functions: function_definitions(file) };
        for &function in &tests.functions {
            choices.push(tests.returned(function).into_iter().collect());
            choices.extend(tests.parametrisations(function));
            choices.push(tests.done_before(function).into_iter().collect());
        }
    }
    vec![Group::choices(choices).doubtful()]
}

struct Tests<'a> {
    file: &'a Parsed,
    id: FileId,
    functions: Vec<NodeId>,
}

fn function_definitions(file: &Parsed) -> Vec<NodeId> {
    let tree = file.tree();
    tree.nodes().filter(|&n| tree.kind_name(n) == "function_definition").collect()
}

impl Tests<'_> {
    fn is(&self, node: NodeId, kind: &str) -> bool {
        self.file.tree().kind_name(node) == kind
    }

    fn drop(&self, node: NodeId) -> Unit {
        Unit::Drop { file: self.id, node }
    }

    fn replace(&self, node: NodeId, by: Source) -> Unit {
        Unit::Replace { file: self.id, node, by }
    }

    fn name(&self, function: NodeId) -> Option<&[u8]> {
        let tree = self.file.tree();
        tree.child_with(function, Role::FunctionName).map(|n| self.file.node_text(n))
    }

    fn decorators(&self, function: NodeId) -> Vec<NodeId> {
        let tree = self.file.tree();
        let whole = tree.parent(function).into_iter();
        whole.flat_map(|n| tree.children(n)).filter(|&n| self.is(n, "decorator")).collect()
    }

    /// What becomes of a function that no longer has the parameter of this name; `None` if it never had.
    fn without(&self, function: NodeId, name: &[u8], by: &Source) -> Option<Vec<Unit>> {
        let parameters = items(self.file.tree(), function, Role::Parameters);
        let parameter = parameters.into_iter().find(|&n| name_in(self.file, n) == Some(name))?;
        let uses = mentions(self.file, function, parameter, name);
        let replaced = uses.map(|node| self.replace(node, by.clone()));
        Some(std::iter::once(self.drop(parameter)).chain(replaced).collect())
    }

    /// A fixture that asks for nothing becomes a function that is called.
    fn returned(&self, fixture: NodeId) -> Option<Unit> {
        let (file, tree) = (self.file, self.file.tree());
        let decorators = self.decorators(fixture);
        let name = self.name(fixture).filter(|_| !decorators.is_empty())?;
        if !items(tree, fixture, Role::Parameters).is_empty() {
            return None;
        }
        let call = Source::made([name, b"()"].concat());
        let users = self.functions.iter().filter_map(|&function| self.without(function, name, &call));
        let mut units: Vec<Unit> = users.flatten().collect();
        if units.is_empty() {
            return None;
        }
        units.extend(decorators.into_iter().map(|node| self.drop(node)));
        let yields = tree.descendants(fixture).filter(|&n| tree.is_leaf(n) && file.node_text(n) == b"yield");
        units.extend(yields.map(|node| self.replace(node, Source::text("return"))));
        Some(Unit::Together(units.into()))
    }

    /// For each parametrisation of a test: the ways in which it becomes one with the values of a row.
    fn parametrisations(&self, test: NodeId) -> Vec<Vec<Unit>> {
        let decorators = self.decorators(test).into_iter();
        decorators.map(|decorator| self.rows(test, decorator).unwrap_or_default()).collect()
    }

    fn rows(&self, test: NodeId, decorator: NodeId) -> Option<Vec<Unit>> {
        let (file, tree) = (self.file, self.file.tree());
        let call = tree.child_with(decorator, Role::Call)?;
        let [names, rows] = items(tree, call, Role::Arguments)[..] else { return None };
        let strings = tree.descendants(names).filter(|&n| self.is(n, "string_content"));
        let names: Vec<&[u8]> =
            strings.flat_map(|n| file.node_text(n).split(|&c| c == b',').map(<[u8]>::trim_ascii)).collect();
        let with = |row: NodeId| {
            let values = match items(tree, row, Role::Arguments) {
                arguments if !arguments.is_empty() => arguments,
                _ if names.len() == 1 => vec![row],
                _ => tree.children(row).filter(|&n| tree.is_named(n)).collect(),
            };
            let pairs = names.iter().zip(values).map(|(name, n)| self.without(test, name, &Source::Node(n)));
            let units = pairs.collect::<Option<Vec<_>>>()?.into_iter().flatten();
            Some(Unit::Together(std::iter::once(self.drop(decorator)).chain(units).collect()))
        };
        let rows = tree.children(rows).filter(|&n| tree.is_named(n)).take(ROWS);
        Some(rows.filter_map(with).collect())
    }

    /// What is done before each test of a class is done in the tests.
    fn done_before(&self, before: NodeId) -> Option<Unit> {
        let (file, tree) = (self.file, self.file.tree());
        if !BEFORE.contains(&self.name(before)?) {
            return None;
        }
        let block = tree.parent(before)?;
        let is_test = |&&n: &&NodeId| tree.parent(n) == Some(block) && n != before;
        let done = tree.range(tree.child_with(before, Role::Body)?);
        let mut units = vec![self.drop(before)];
        for &test in self.functions.iter().filter(is_test) {
            let body = tree.child_with(test, Role::Body)?;
            let first = tree.first_leaf(body);
            // A test that is all on one line goes on below it.
            let (lead, indentation) = match layout::indentation(&file.text, tree.range(first).start) {
                Some(own) => (Vec::new(), own.to_vec()),
                None => {
                    let own = [layout::indentation(&file.text, tree.range(test).start)?, b"    "].concat();
                    ([b"\n", &own[..]].concat(), own)
                }
            };
            let done = layout::moved(file, done.clone(), &indentation);
            let by = [&lead[..], &done, b"\n", &indentation, file.node_text(first)].concat();
            units.push(self.replace(first, Source::made(by)));
        }
        Some(Unit::Together(units.into()))
    }
}
