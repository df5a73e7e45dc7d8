//! Replaces a function that returns an inner function by the inner function, if it is called once: `a = f(1)`, where `def f(b)` ends
//! with `return g`, becomes `a = f`, where `f` has the parameters and the body of `g`. Applies a decorator: `@f` before
//! `def a(): ...` becomes `def a` with the parameters and the body of the inner function, behind the original, if that is needed.

use super::texts::{change, changed};
use crate::c::is;
use crate::functions::{items_of, mentions, name_in};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "closures",
    summary: "replaces a function that returns an inner one by the inner one, and applies decorators",
    languages: &["python"],
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "python",
            before: "def make(a, b):\n    c = a + 1\n    def d(e):\n        nonlocal c\n        c = f(e)\n    d.g = a\n    return d\n\nh = make(2, 3)\nh()\n",
            keep: &["c = ", "a + 1", "(e):", " c\n", "c = f(e)", ".g = a", "h()"],
            after: "a = 2\nc = a + 1\ndef make(e):\n    global c\n    c = f(e)\nmake.g = a\n\nh = make\nh()\n",
        },
        Example {
            language: "python",
            before: "def f(g):\n    @wraps(g)\n    def h(*a):\n        i(a)\n        return g(*a)\n    return h\n\nclass A:\n    @f\n    def b(self, c):\n        j(c)\n",
            keep: &["i(a)", "return g(*a)", "class A:", "def b(", "j(c)"],
            after: "class A:\n    def g(self, c):\n        j(c)\n    @wraps(g)\n    def b(*a):\n        i(a)\n        return g(*a)\n",
        },
        Example {
            language: "python",
            before: "def f(g):\n    def h():\n        i()\n    return h\n\n@f\ndef b(c):\n    j(c)\n\nb()\n",
            keep: &["i()", "b()"],
            after: "def b():\n    i()\n\nb()\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let makers = file.definitions().filter_map(move |d| Some((d, Maker::new(file, d)?)));
        makers.map(|(definition, maker)| {
            maker.in_place(definition).into_iter().chain(maker.decorated(definition)).collect::<Vec<_>>()
        })
    });
    vec![Group::choices(ways).doubtful()]
}

/// A function that ends with `return` and the name of an inner function.
struct Maker<'a> {
    file: File<'a>,
    function: NodeId,
    parameters: Vec<NodeId>,
    /// The statements before the last one.
    statements: Vec<NodeId>,
    /// The name of the inner function.
    made: NodeId,
}

impl<'a> Maker<'a> {
    fn new(file: File<'a>, definition: &Definition) -> Option<Self> {
        let [place] = definition.places[..] else { return None };
        let function = file
            .parent(place.name)
            .filter(|&n| is(&file, n, "function_definition") && place.file == file.id)?;
        file.parent(function).filter(|&n| file.has(n, Role::Block))?;
        let mut statements = items_of(&file, file.child_with(function, Role::Body)?);
        let last = statements.pop().filter(|&n| file.kind_name(n) == "return_statement")?;
        let returned = file.named_children(last).next()?;
        let made = file.places(file.definition(returned)?).last()?.name;
        let defined = file.parent(made).filter(|&n| is(&file, n, "function_definition"))?;
        statements.iter().any(|&n| n == defined || file.parent(defined) == Some(n)).then_some(())?;
        let parameters = items_of(&file, file.child_with(function, Role::Parameters)?);
        Some(Self { file, function, parameters, statements, made })
    }

    /// Replaces the function by its statements, with its parameters as variables, if its only use is a call.
    fn in_place(&self, definition: &Definition) -> Option<Unit> {
        let file = self.file;
        let name = file.child_with(self.function, Role::FunctionName)?;
        let &[call] = definition.calls.as_slice() else { return None };
        (definition.uses.len() == 1 && !file.is_within(call.whole, self.function)).then_some(())?;
        let list = file.child_with(call.whole, Role::Arguments)?;
        let arguments = items_of(&file, list);
        let to = layout::indentation(file.text(), file.range(self.function).start)?;
        let mut text = Vec::new();
        for (place, &parameter) in self.parameters.iter().enumerate() {
            if mentions(file, self.function, parameter).is_empty() {
                continue;
            }
            let value = file.node_text(*arguments.get(place)?);
            text.extend([file.node_text(name_in(file, parameter)?), b" = ", value, b"\n", to].concat());
        }
        text.extend(self.body(to, file.node_text(name))?);
        let called = file.replace(call.whole, Source::made(file.node_text(name).to_vec()));
        Some(Unit::together([file.replace(self.function, Source::made(text)), called]))
    }

    /// Puts the statements in the place of the only function that has this one as a decorator.
    fn decorated(&self, definition: &Definition) -> Option<Unit> {
        let file = self.file;
        let &[parameter] = self.parameters.as_slice() else { return None };
        let used = file.uses(definition).next().filter(|_| definition.uses.len() == 1)?;
        let decorator = file.parent(used).filter(|&n| file.kind_name(n) == "decorator")?;
        let whole = file.parent(decorator)?;
        let function = file.next_sibling(decorator).filter(|&n| is(&file, n, "function_definition"))?;
        let (start, end) = (file.range(decorator).start, file.range(function).end);
        let to = layout::indentation(file.text(), start)?;
        let name = file.child_with(function, Role::FunctionName)?;
        let mut text = Vec::new();
        if !mentions(file, self.function, parameter).is_empty() {
            let original = file.text()[file.range(function).start..file.range(name).start].to_vec();
            text.extend(original);
            text.extend_from_slice(file.node_text(name_in(file, parameter)?));
            text.extend_from_slice(&file.text()[file.range(name).end..end]);
            text.extend([b"\n", to].concat());
        }
        text.extend(self.body(to, file.node_text(name))?);
        let others = file.text()[file.range(whole).start..start].to_vec();
        let text = Source::made([others, text].concat());
        Some(Unit::together([file.drop(self.function), file.replace(whole, text)]))
    }

    /// The statements, indented by `to`, in which the inner function has this name.
    fn body(&self, to: &[u8], name: &[u8]) -> Option<Vec<u8>> {
        let file = self.file;
        let (first, last) = (*self.statements.first()?, *self.statements.last()?);
        let range = file.range(first).start..file.range(last).end;
        let names = file.bindings().occurrences(self.made);
        let names = names
            .into_iter()
            .filter(|&n| range.contains(&file.range(n).start))
            .map(|n| change(file, n, name));
        // What was a variable of the function is one of the module.
        let nonlocal = file.tokens_in(range.clone()).iter().map(|token| token.range());
        let nonlocal = nonlocal.filter(|r| to.is_empty() && &file.text()[r.clone()] == b"nonlocal");
        let changes = names.chain(nonlocal.map(|r| (r, b"global".to_vec()))).collect();
        Some(changed(file, range, to, changes))
    }
}
