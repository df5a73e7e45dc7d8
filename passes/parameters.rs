//! Deletes a parameter with its argument in every call, and replaces its uses in the function.

use crate::functions::{
    Function, PassedOn, constructors, default_of, functions, items, mentions, name_in, parts, value,
};
use crate::links::Links;
use crate::uses::{statement, without};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "parameters",
    summary: "deletes a parameter with its arguments, and replaces its uses by an argument or a constant",
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "c",
            before: "int f(int a, char *b);\nint f(int a, char *b) { return g(a); }\nint h = f(1, 0) + f(2, 0);\n",
            keep: &["return g(", "f(1", "f(2"],
            after: "int f(int a);\nint f(int a) { return g(a); }\nint h = f(1) + f(2);\n",
        },
        Example {
            language: "c",
            before: "int f(int a) { return g(a); }\nint h(int b) { return f(b) + f(2); }\n",
            keep: &["return g(", "h(int b)", "f(", ") + f("],
            after: "int f() { return g(2); }\nint h(int b) { return f() + f(); }\n",
        },
        Example {
            language: "c",
            before: "#define F(a, b) (a + g(b))\nint h = F(1, 2);\n",
            keep: &["(a + g(", "= F(1"],
            after: "#define F(a) (a + g(2))\nint h = F(1);\n",
        },
        Example {
            language: "c",
            before: "int f(a, b) float a; { return a + b; }\nint h = f(0.5f, 2);\n",
            keep: &["return", "+", "= f("],
            after: "int f() { return 0.5f + 2; }\nint h = f();\n",
        },
        Example {
            language: "cpp",
            before: "int f(int a = 1) { return a; }\ntemplate <class T = float, class U = char> struct s { T b; U c; };\nint d = f();\ns<> e;\n",
            keep: &["int f(", "return ", "int d = f(", "class U = char> struct s { ", " b; U c; ", "> e;"],
            after: "int f() { return 1; }\ntemplate <class U = char> struct s { float b; U c; };\nint d = f();\ns<> e;\n",
        },
        Example {
            language: "python",
            before: "class A:\n    def f(self, a, b=2):\n        return g(a)\nA().f(7, b=3)\n",
            keep: &["return g(", "self"],
            after: "class A:\n    def f(self):\n        return g(7)\nA().f()\n",
        },
        Example {
            language: "python",
            before: "def f(a, b):\n    return a(b)\ndef g(a, b):\n    h(a)\nrun(1, f, int, 2)\nrun(target=g, args=(3, 4))\n",
            keep: &["def f(", "return ", "(", "def g(", "h(", "run(1, f", "run(target=g, args=("],
            after: "def f():\n    return int(2)\ndef g():\n    h(3)\nrun(1, f)\nrun(target=g, args=())\n",
        },
        Example {
            language: "c",
            before: "=== a.c\n#include \"a.h\"\nint f(int a, char *b) { return g(a); }\n=== a.h\nint f(int a, char *b);\n=== b.c\n#include \"a.h\"\nint h = f(1, 0) + f(2, 0);\n",
            keep: &["return g(", "f(1", "f(2"],
            after: "=== a.c\n#include \"a.h\"\nint f(int a) { return g(a); }\n=== a.h\nint f(int a);\n=== b.c\n#include \"a.h\"\nint h = f(1) + f(2);\n",
        },
        Example {
            language: "python",
            before: "=== a.py\nfrom b import f, A\nimport b\nf(7, b=3)\nb.f(7, 4)\nA().m(5)\n=== b.py\ndef f(a, b=2): return g(a, b)\nclass A:\n    def m(self, x): return x\n",
            keep: &["return g(", "b)", "def m(self", "b=3"],
            after: "=== a.py\nfrom b import f, A\nimport b\nf(b=3)\nb.f(4)\nA().m()\n=== b.py\ndef f(b=2): return g(7, b)\nclass A:\n    def m(self): return 5\n",
        },
        Example {
            language: "python",
            before: "=== a.py\nfrom b import A, B\nA(1, 2, 3)\nB(4)\n=== b.py\nclass A:\n    def __init__(self, a, b, c):\n        self.a = a + c\nclass B:\n    def __init__(self, d):\n        self.d = d\ndef f(): return A(5, 6, c=7)\n",
            keep: &["self, a", " = a", "(1", "self, d", "B(4", "A(5"],
            after: "=== a.py\nfrom b import A, B\nA(1)\nB(4)\n=== b.py\nclass A:\n    def __init__(self, a):\n        self.a = a + 3\nclass B:\n    def __init__(self, d):\n        self.d = d\ndef f(): return A(5)\n",
        },
        Example {
            language: "javascript",
            before: "class A {\n  constructor(a, b) { this.b = b; }\n}\nf(new A(1, 2), new A(3, 4));\n",
            keep: &["b) { this.b = b", "2), new A("],
            after: "class A {\n  constructor(b) { this.b = b; }\n}\nf(new A(2), new A(4));\n",
        },
        Example {
            language: "java",
            before: "class A {\n    int c;\n    A(int a, int b) { c = b; }\n}\nclass B extends A {\n    B(int d) { super(d, 2); }\n    B() { this(4); }\n    Object e = new B(3);\n}\n",
            keep: &["int c;", "A(", "int b) { c = b", "B(int d) { super(", "2)", "B() { this(4)", "new B(3)"],
            after: "class A {\n    int c;\n    A(int b) { c = b; }\n}\nclass B extends A {\n    B(int d) { super(2); }\n    B() { this(4); }\n    Object e = new B(3);\n}\n",
        },
        Example {
            language: "java",
            before: "enum E {\n    F(1, 2);\n    E(int a, int b) { f(b); }\n}\n",
            keep: &["F(", "2)", "int b) { f(b"],
            after: "enum E {\n    F(2);\n    E(int b) { f(b); }\n}\n",
        },
        Example {
            language: "php",
            before: "<?php\nclass A { function __construct($a, $b) { f($b); } }\nclass B extends A { function __construct($c) { parent::__construct($c, 2); } }\nnew A(3, 4);\n",
            keep: &[
                "class A",
                "$b) { f($b)",
                "class B extends A { function __construct($c) { parent::__construct(",
                "2)",
                "new A(",
                "4)",
            ],
            after: "<?php\nclass A { function __construct($b) { f($b); } }\nclass B extends A { function __construct($c) { parent::__construct(2); } }\nnew A(4);\n",
        },
        Example {
            language: "python",
            before: "class A:\n    def __init__(self, a, b): print(b)\nclass B(A):\n    def __init__(self, c):\n        super().__init__(c, 2)\nA(3, 4)\nB(5)\n",
            keep: &[
                "class A",
                "(self, ",
                "b): print(b)",
                "self, c",
                "super().__init__(",
                "2)",
                "A(",
                "4)",
                "B(5)",
            ],
            after: "class A:\n    def __init__(self, b): print(b)\nclass B(A):\n    def __init__(self, c):\n        super().__init__(2)\nA(4)\nB(5)\n",
        },
        Example {
            language: "csharp",
            before: "class A {\n    public A(int a, int b) { F(b); }\n}\nclass B : A {\n    B(int d) : base(d, 2) { }\n    object e = new B(3);\n}\n",
            keep: &["public A(", "int b) { F(b)", "B(int d) : base(", "2)", "new B(3)"],
            after: "class A {\n    public A(int b) { F(b); }\n}\nclass B : A {\n    B(int d) : base(2) { }\n    object e = new B(3);\n}\n",
        },
        Example {
            language: "javascript",
            before: "class A {\n  constructor(a, b) { f(b); }\n}\nclass B extends A {\n  constructor(c) { super(c, 2); }\n}\nnew B(3);\n",
            keep: &["b) { f(b)", "constructor(c) { super(", "2)", "new B(3)"],
            after: "class A {\n  constructor(b) { f(b); }\n}\nclass B extends A {\n  constructor(c) { super(2); }\n}\nnew B(3);\n",
        },
        Example {
            language: "typescript",
            before: "class A {\n  constructor(a: T, b: U) { f(b); }\n}\nclass B extends A {\n  constructor(c: T) { super(c, 2); }\n}\nnew B(3);\n",
            keep: &["b: U) { f(b)", "constructor(c: T) { super(", "2)", "new B(3)"],
            after: "class A {\n  constructor(b: U) { f(b); }\n}\nclass B extends A {\n  constructor(c: T) { super(2); }\n}\nnew B(3);\n",
        },
        Example {
            language: "javascript",
            before: "=== a.js\nimport e, { f as g } from './b.js';\nconst m = require('./m');\ng(1, 2);\ne(3, 4);\nm.h(5, 6);\n=== b.js\nexport function f(a, b) { return b; }\nexport default function d(x, y) { return y; }\n=== m.js\nfunction h(p, q) { return q; }\nmodule.exports = { h };\n",
            keep: &["f(", "b) { return b", "y) { return y", "q) { return q", "2)", "4)", "6)"],
            after: "=== a.js\nimport e, { f as g } from './b.js';\nconst m = require('./m');\ng(2);\ne(4);\nm.h(6);\n=== b.js\nexport function f(b) { return b; }\nexport default function d(y) { return y; }\n=== m.js\nfunction h(q) { return q; }\nmodule.exports = { h };\n",
        },
        Example {
            language: "php",
            before: "<?php\nfunction f($a, $b) { return g($a); }\necho f(1, 2) + f(3, 4);\n",
            keep: &["return g(", "f(1", "f(3"],
            after: "<?php\nfunction f($a) { return g($a); }\necho f(1) + f(3);\n",
        },
        Example {
            language: "ruby",
            before: "def f(a, b)\n  return g(a)\nend\nputs(f(1, 2) + f(3, 4))\n",
            keep: &["return g(", "f(1", "f(3"],
            after: "def f(a)\n  return g(a)\nend\nputs(f(1) + f(3))\n",
        },
        Example {
            language: "go",
            before: "package p\n\nfunc f(a int, b string) int { return a }\n\nfunc main() { f(1, \"x\") }\n",
            keep: &["func main", "f("],
            after: "package p\n\nfunc f() int { return 1 }\n\nfunc main() { f() }\n",
        },
        Example {
            language: "lua",
            before: "local function f(a, b) return a end\nprint(f(1, \"x\"))\n",
            keep: &["print(", "f("],
            after: "local function f() return 1 end\nprint(f())\n",
        },
        Example {
            language: "javascript",
            before: "const f = (a, b) => b + 1;\nC.prototype.g = function (c, d) { return d; };\nh(f(1, 2), x.g(3, 4));\n",
            keep: &[
                "const f = (",
                "b) => b + 1",
                "C.prototype.g = function (",
                "d) { return d; }",
                "h(f(",
                "2), x.g(",
                "4));",
            ],
            after: "const f = (b) => b + 1;\nC.prototype.g = function (d) { return d; };\nh(f(2), x.g(4));\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let links = Links::new(base);
    let mut choices = Vec::new();
    let made = of_classes(base, &links);
    // What calls of a class call has parameters of its own: other constructors only share its name.
    let of_class: BTreeSet<Place> = made.iter().flat_map(|(places, _)| places).copied().collect();
    let is_other = |function: &Function<'_>| {
        let id = function.file().id;
        function.nodes.is_empty() || !function.nodes.iter().all(|&node| of_class.contains(&(id, node)))
    };
    for file in PASS.files(base) {
        let here = functions(file).into_iter().filter(|f| !links.is_joined((file.id, f.definition)));
        for function in here.filter(is_other) {
            let passed_on = function.passed_on();
            let places = 0..most(std::slice::from_ref(&function));
            choices.extend(places.map(|place| ways_to_go(file, &function, &passed_on, place)));
        }
    }
    let joined = links.joined().map(|definition| parts(base, definition));
    for parts in joined.filter(|parts| parts.iter().any(is_other)) {
        choices.extend((0..most(&parts)).map(|place| ways_to_go_everywhere(&parts, place)));
    }
    for (_, parts) in made {
        // The first parameter may stand for the new object.
        let first = usize::from(parts.iter().all(|part| part.is_method));
        choices.extend((first..most(&parts)).map(|place| ways_to_go_everywhere(&parts, place)));
    }
    vec![Group::choices(choices).doubtful()]
}

/// A node of a function, and its file.
type Place = (FileId, NodeId);

/// The constructors of each class that is called, with all these calls.
fn of_classes<'a>(base: &'a Base, links: &'a Links<'_>) -> Vec<(Vec<Place>, Vec<Function<'a>>)> {
    let mut found = Vec::new();
    for file in PASS.files(base) {
        let mut names: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
        file.bindings().constructors().for_each(|(class, name)| names.entry(class).or_default().push(name));
        for (class, names) in names {
            let class = links.get(links.key((file.id, class)));
            if !class.calls.is_empty() {
                let parts = constructors(base, file, &names, class);
                let places = parts.iter().flat_map(|part| part.nodes.iter().map(|&node| (file.id, node)));
                found.push((places.collect(), parts));
            }
        }
    }
    found
}

/// The number of parameters of a function, of which there are several parts.
fn most(parts: &[Function<'_>]) -> usize {
    let count = |part: &Function<'_>| {
        let file = part.file();
        part.nodes.iter().map(|&node| items(&file, node, Role::Parameters).len()).max()
    };
    parts.iter().filter_map(count).max().unwrap_or(0)
}

/// What must change to delete a function's parameter.
pub(crate) struct Going {
    /// The units that delete the parameter and its arguments.
    pub(crate) drops: Vec<Unit>,
    /// The uses of the parameter in the function.
    pub(crate) uses: Vec<NodeId>,
    /// The arguments for the parameter in calls.
    pub(crate) arguments: Vec<NodeId>,
}

pub(crate) fn going(file: File<'_>, function: &Function, place: usize) -> Going {
    let mut gone: Vec<NodeId> = Vec::new();
    let mut uses: Vec<NodeId> = Vec::new();
    let mut names: Vec<NodeId> = Vec::new();
    for &node in &function.nodes {
        let Some(&item) = items(&file, node, Role::Parameters).get(place) else { continue };
        gone.push(item);
        names.extend(name_in(file, item));
        for mention in mentions(file, statement(&file, node), item) {
            match declaration(&file, node, mention) {
                Some(declaration) => gone.push(declaration),
                None => uses.push(mention),
            }
        }
    }
    let argument = |call| function.argument(call, place, &names);
    let arguments: Vec<NodeId> = function.calls.iter().filter_map(argument).collect();
    let drops = gone.iter().chain(&arguments).map(|&node| file.drop(node)).collect();
    Going { drops, uses, arguments }
}

/// The ways to delete a function's parameter: its uses become an argument, or a constant. The first ways also delete the
/// arguments in calls of other functions that get this one: those behind it, or those in a tuple or list.
fn ways_to_go(file: File<'_>, function: &Function, passed_on: &[PassedOn], place: usize) -> Vec<Unit> {
    let direct = going(file, function, place);
    let behind: Vec<NodeId> = passed_on.iter().filter_map(|call| call.direct(place)).collect();
    let packed: Vec<NodeId> = passed_on.iter().filter_map(|call| call.packed(place)).collect();
    let further = [behind, packed].into_iter().filter(|nodes| !nodes.is_empty());
    let with = further.flat_map(|nodes| {
        let drops = direct.drops.iter().cloned().chain(nodes.iter().map(|&node| file.drop(node))).collect();
        let arguments = direct.arguments.iter().copied().chain(nodes).collect();
        replaced(file, function, place, &Going { drops, uses: direct.uses.clone(), arguments })
    });
    with.chain(replaced(file, function, place, &direct)).collect()
}

/// The ways to replace the uses of a parameter that goes.
fn replaced(file: File<'_>, function: &Function, place: usize, going: &Going) -> Vec<Unit> {
    let Going { drops, uses, arguments } = going;
    let with_uses = |used: &dyn Fn(NodeId) -> Unit| {
        Unit::together(drops.iter().cloned().chain(uses.iter().map(|&node| used(node))))
    };
    let constant = with_uses(&|node| without(file, node, None));
    let argument = arguments.iter().map(|&n| value(&file, n)).find(|&n| stands_in(file, function, n));
    let argument = argument.or_else(|| default(function, place).filter(|_| arguments.is_empty()));
    match argument.filter(|_| !uses.is_empty()) {
        Some(argument) => {
            let by = Source::Node(argument);
            let argument = with_uses(&|node| file.replace(node, by.clone()));
            vec![argument, constant]
        }
        None => vec![constant],
    }
}

/// Whether all names in an argument stand for the same in the function as in the call: a variable of the calling function would
/// have no definition there. A macro becomes a part of the call.
fn stands_in(file: File<'_>, function: &Function, argument: NodeId) -> bool {
    let definitions = file.bindings().definitions();
    let is_macro = definitions[function.definition].sort == Sort::Macro;
    let is_seen = |(_, index): (NodeId, usize)| {
        let definition = &definitions[index];
        file.bindings().is_member(index)
            || file.places(definition).any(|place| file.is_within(place.name, argument))
            || function.nodes.iter().all(|&node| file.is_within(node, definition.scope))
    };
    is_macro || file.bindings().within(file.tree(), argument).all(is_seen)
}

/// The value that a function's parameter has in calls that pass none.
fn default(function: &Function, place: usize) -> Option<NodeId> {
    let file = function.file();
    let parameter = |&node: &NodeId| items(&file, node, Role::Parameters).get(place).copied();
    function.nodes.iter().filter_map(parameter).find_map(|parameter| default_of(file, parameter))
}

/// The ways to delete a parameter of a function that several files declare or call.
fn ways_to_go_everywhere(parts: &[Function<'_>], place: usize) -> Vec<Unit> {
    let mut drops = Vec::new();
    let mut uses = Vec::new();
    let mut argument: Option<&[u8]> = None;
    let parameter = |part: &Function<'_>| {
        let file = part.file();
        let found =
            part.nodes.iter().find_map(|&node| items(&file, node, Role::Parameters).get(place).copied());
        found.and_then(|parameter| name_in(file, parameter)).map(|name| file.node_text(name).to_vec())
    };
    let keyword = parts.iter().find_map(parameter).unwrap_or_default();
    for part in parts {
        let file = part.file();
        let going = going(file, part, place);
        let distant = |call| part.distant_argument(call, place, &keyword);
        let arguments: Vec<NodeId> = match part.nodes.is_empty() {
            true => part.calls.iter().filter_map(distant).collect(),
            false => going.arguments,
        };
        let mut values = arguments.iter().map(|&node| value(&file, node));
        let first = values.find(|&n| part.nodes.is_empty() || stands_in(file, part, n));
        argument = argument.or(first.map(|node| file.node_text(node)));
        drops.extend(going.drops);
        drops.extend(arguments.iter().filter(|_| part.nodes.is_empty()).map(|&node| file.drop(node)));
        uses.extend(going.uses.into_iter().map(|node| (file, node)));
    }
    if drops.is_empty() {
        return Vec::new();
    }
    let with_uses = |used: &dyn Fn(File<'_>, NodeId) -> Unit| {
        Unit::together(drops.iter().cloned().chain(uses.iter().map(|&(file, node)| used(file, node))))
    };
    let constant = with_uses(&|file, node| without(file, node, None));
    match argument.filter(|_| !uses.is_empty()) {
        Some(argument) => vec![with_uses(&|file, node| file.replace(node, Source::made(argument))), constant],
        None => vec![constant],
    }
}

/// The declaration between a function's head and its body that contains a name, as in old C.
fn declaration(tree: &Tree, function: NodeId, name: NodeId) -> Option<NodeId> {
    let whole = tree.parent(function)?;
    let child = tree.ancestors(name).find(|&n| tree.parent(n) == Some(whole))?;
    (child != function && tree.has(child, Role::Statement) && tree.has(whole, Role::Statement))
        .then_some(child)
}
