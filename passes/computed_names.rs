//! Replaces a computed name in a call by the name of a function, a method or a member of the program: `this["on" + a](b)`
//! becomes `this.onOpen(b)`. What computed the name can go then, and other passes see what is called.

use crate::functions::{object, part};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Call, Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "computed-names",
    summary: "replaces a computed name in a call by the name of a function or method of the program",
    examples: &[
        Example {
            language: "javascript",
            before: "class A {\n  f(a) { return this[\"on\" + a](1); }\n  onOpen(b) { return b; }\n}\n",
            keep: &["class A", "f(a) { return this", "(1)", "onOpen(b)", "return b"],
            after: "class A {\n  f(a) { return this.onOpen(1); }\n  onOpen(b) { return b; }\n}\n",
        },
        Example {
            language: "php",
            before: "<?php\nclass A {\n  function f($a) { return $this->{\"on\" . $a}(1); }\n  function onOpen($b) { return $b; }\n}\nfunction g() {}\n$a = \"g\";\n$a();\n",
            keep: &[
                "class A",
                "function f($a) { return $this",
                "(1)",
                "function onOpen($b)",
                "return $b",
                "function g()",
                "$a = \"g\";",
            ],
            after: "<?php\nclass A {\n  function f($a) { return $this->onOpen(1); }\n  function onOpen($b) { return $b; }\n}\nfunction g() {}\n$a = \"g\";\ng();\n",
        },
        Example {
            language: "python",
            before: "class A:\n    def f(self, a):\n        return getattr(self, 'on_' + a)(1)\n    def on_open(self, b):\n        return b\n",
            keep: &["class A", "def f(self, a)", "return ", "(1)", "def on_open(self, b)", "return b"],
            after: "class A:\n    def f(self, a):\n        return self.on_open(1)\n    def on_open(self, b):\n        return b\n",
        },
        Example {
            language: "ruby",
            before: "class A\n  def f(a)\n    self.send(\"on_\" + a, 1)\n  end\n  def on_open(b)\n    b\n  end\nend\n",
            keep: &["class A", "def f(a)", "self.", "1", "def on_open(b)"],
            after: "class A\n  def f(a)\n    self.on_open(1)\n  end\n  def on_open(b)\n    b\n  end\nend\n",
        },
        Example {
            language: "lua",
            before: "function A.f(a) return A[\"on\" .. a](1) end\nfunction A.open(b) return b end\n",
            keep: &["function A.f(a) return A", "(1)", "function A.open(b) return b"],
            after: "function A.f(a) return A.open(1) end\nfunction A.open(b) return b end\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// How many names are tried in the place of one; those that nothing else asks for come first.
const MOST: usize = 6;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let computed: Vec<NodeId> = file.with(Role::ComputedName).collect();
        let names = if computed.is_empty() { Names::default() } else { Names::of(file) };
        computed.into_iter().map(move |node| ways(file, &names, node))
    });
    vec![Group::choices(ways).doubtful()]
}

/// The names of the functions of a file.
#[derive(Default)]
struct Names<'a> {
    members: Vec<&'a [u8]>,
    others: Vec<&'a [u8]>,
}

impl<'a> Names<'a> {
    fn of(file: File<'a>) -> Self {
        let name_of = |definition: &Definition| {
            let mut names = file.places(definition).map(|place| place.name);
            names.find(|&n| file.has(n, Role::FunctionName))
        };
        let is_member = |index: usize, definition: &Definition| {
            definition.sort == Sort::Field || file.bindings().is_member(index)
        };
        let mut found: Vec<(bool, bool, &[u8])> = Vec::new();
        for (index, definition) in file.definitions().enumerate() {
            let name = name_of(definition);
            let is_used = !definition.uses.is_empty();
            found.extend(name.map(|n| (is_used, is_member(index, definition), file.node_text(n))));
        }
        found.sort_by_key(|&(is_used, ..)| is_used);
        let names = |of_members: bool| {
            let names = found.iter().filter(|&&(_, is_member, _)| is_member == of_members);
            names.map(|&(.., name)| name).take(MOST).collect()
        };
        Self { members: names(true), others: names(false) }
    }
}

fn ways(file: File<'_>, names: &Names<'_>, node: NodeId) -> Vec<Unit> {
    let Some(form) = Form::of(file, node) else { return Vec::new() };
    let names = if matches!(form, Form::Function) { &names.others } else { &names.members };
    // A function seldom calls itself by a computed name.
    let functions = file.ancestors(node).filter(|&n| file.has(n, Role::Function));
    let around = functions.filter_map(|n| part(&file, n, Role::FunctionName)).map(|n| file.node_text(n));
    let around: Vec<&[u8]> = around.take(MOST).collect();
    let (own, others): (Vec<&[u8]>, Vec<&[u8]>) = names.iter().partition(|&name| around.contains(name));
    others.into_iter().chain(own).filter_map(|name| form.with(file, node, name)).collect()
}

/// How a program asks for what has a computed name.
enum Form {
    /// In brackets behind an object: `a[e](b)`.
    Element { access: NodeId },
    /// Behind the sign of an access: `$a->$e($b)`.
    Member,
    /// By a call on the object, which gets the name before the other arguments: `a.send(e, b)`.
    Sent(Call),
    /// By a call that gets the object and the name: `getattr(a, e)(b)`.
    Got(Call),
    /// By the value of a variable: `$e($b)`.
    Function,
}

impl Form {
    fn of(file: File<'_>, node: NodeId) -> Option<Self> {
        let around = file.parent(node)?;
        if file.has(around, Role::Arguments) {
            let call = file.bindings().call(file.parent(around)?)?;
            return Some(if object(file, &call).is_some() { Self::Sent(call) } else { Self::Got(call) });
        }
        let is = |n: Option<NodeId>, text: &[u8]| n.is_some_and(|n| file.node_text(n) == text);
        if is(file.next_sibling(node), b"]") {
            return Some(Self::Element { access: around });
        }
        let is_first = file.children(around).next() == Some(node);
        Some(if is_first { Self::Function } else { Self::Member })
    }

    /// A unit that puts a name.
    fn with(&self, file: File<'_>, node: NodeId, name: &[u8]) -> Option<Unit> {
        let sign = file.language().lexis().accesses.first()?.as_bytes();
        Some(match self {
            Self::Function => file.replace(node, name.to_vec()),
            Self::Member => {
                let siblings: Vec<NodeId> = file.children(file.parent(node)?).collect();
                let at = siblings.iter().position(|&n| n == node)?;
                let is = |n: Option<&NodeId>, text: &[u8]| n.is_some_and(|&n| file.node_text(n) == text);
                let open = at.checked_sub(1).filter(|&i| is(siblings.get(i), b"{"));
                let close = Some(at + 1).filter(|&i| is(siblings.get(i), b"}"));
                let (first, last) = open.zip(close).unwrap_or((at, at));
                let range = file.range(*siblings.get(first)?).start..file.range(*siblings.get(last)?).end;
                file.write(range, name)
            }
            Self::Element { access } => {
                let object = file.children(*access).next()?;
                let end = file.range(object).end;
                file.write(end..file.range(*access).end, [sign, name].concat())
            }
            Self::Sent(call) => Unit::together([file.replace(call.callee, name.to_vec()), file.drop(node)]),
            Self::Got(call) => {
                let list = part(&file, call.whole, Role::Arguments)?;
                let object = file.named_children(list).next().filter(|&n| n != node)?;
                file.replace(call.whole, [file.node_text(object), sign, name].concat())
            }
        })
    }
}
