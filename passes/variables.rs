//! Deletes a variable, and replaces each use by its value.

use crate::functions::{name_in, part};
use crate::operands::operand;
use crate::uses::{is_alone, signed, statement};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

pub(crate) const PASS: Pass = Pass {
    name: "variables",
    summary: "replaces the uses of a variable by its value, and deletes the assignment",
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "int f(float p) { int a = p, b = 2; c = a; return c + b; }\n",
            keep: &["f(float p)", "return", " + "],
            after: "int f(float p) { return p + 2; }\n",
        },
        Example {
            language: "c",
            before: "int f() { int *p = &a[1]; *p = p->b; }\n",
            keep: &["= ", "b"],
            after: "int f() { *&a[1] = (&a[1])->b; }\n",
        },
        Example {
            language: "python",
            before: "def f(x):\n    y = g(x)\n    print(y)\n    x = 1\n    return x\n",
            keep: &["print(", "g(x)", "return"],
            after: "def f(x):\n    print(g(x))\n    x = 1\n    return x\n",
        },
        Example {
            language: "javascript",
            before: "function f(x) {\n  const size = x + 1;\n  return { size };\n}\n",
            keep: &["function f(x)", "return {", "x + 1"],
            after: "function f(x) {\n  return { size: x + 1 };\n}\n",
        },
        Example {
            language: "javascript",
            before: "class A {\n  a = new B;\n  f() { return g(this.a); }\n}\n",
            keep: &["class A", "f()", "return g(", "new B"],
            after: "class A {\n  f() { return g(new B); }\n}\n",
        },
        Example {
            language: "python",
            before: "class A:\n    def f(self):\n        self.a = b + 1\n        self.c = self.a\n    def g(self, x):\n        self.d = x\n        return x.a.e - self.c + x.k\n    k = 2\nprint(A().d)\n",
            keep: &["class A", "def f(self)", "def g(self, x)", "self.d = x", "e - ", "print(A().d)"],
            after: "class A:\n    def f(self):\n        pass\n    def g(self, x):\n        self.d = x\n        return (b + 1).e - (b + 1) + 2\nprint(A().d)\n",
        },
        Example {
            language: "ruby",
            before: "class A\n  def f\n    @a = B.new\n  end\n  def g(x)\n    @c = x\n    @a.h(@a, @c)\n  end\nend\n",
            keep: &["class A", "def f", "def g(x)", "@c = x", ".h(", "@c)"],
            after: "class A\n  def f\n  end\n  def g(x)\n    @c = x\n    B.new.h(B.new, @c)\n  end\nend\n",
        },
        Example {
            language: "php",
            before: "<?php\nfunction f($a) { $b = $a[1]; return $b * $b->c; }\n",
            keep: &["function f($a)", "return", " * "],
            after: "<?php\nfunction f($a) { return $a[1] * $a[1]->c; }\n",
        },
        Example {
            language: "smtlib",
            before: "(declare-fun a () Int)\n(define-fun b () Int (+ a 1))\n(assert (let ((c b)) (< c a)))\n",
            keep: &["(declare-fun a () Int)", "(assert (let ", "(< ", " a)"],
            after: "(declare-fun a () Int)\n(assert (let () (< (+ a 1) a)))\n",
        },
        Example {
            language: "scheme",
            before: "(define a (+ b 1))\n(let ((c 2)) (display (list a c)))\n",
            keep: &["(let ", "(display (list "],
            after: "(let () (display (list (+ b 1) 2)))\n",
        },
        Example {
            language: "bash",
            before: "a=b\nc \"$a\" $a\n",
            keep: &["c \"", "\" "],
            after: "c \"b\" b\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let propagated = PASS.files(base).flat_map(|file| {
        let variables = file.with(Role::Variable).filter_map(move |n| propagated(file, n));
        variables.chain(file.definitions().filter_map(move |d| stored(file, d)))
    });
    vec![Group::deletions(propagated).doubtful()]
}

/// Deletes the assignments to a field that no declaration mentions, if all of them give it the same value, and replaces
/// the field by that value wherever objects are asked for it.
fn stored(file: File<'_>, field: &Definition) -> Option<Unit> {
    if field.sort != Sort::Field {
        return None;
    }
    let accessed = |name: NodeId| {
        let selects = |&n: &NodeId| file.has(n, Role::Access) && file.children(n).next() != Some(name);
        let is_whole = |&n: &NodeId| file.has(n, Role::Expression) || file.has(n, Role::Target);
        // A field of Ruby is accessed by its name alone.
        file.parent(name).filter(selects).or_else(|| Some(name).filter(is_whole))
    };
    let set = |name: NodeId| {
        let assignment =
            accessed(name).filter(|&n| file.has(n, Role::Target)).and_then(|n| file.parent(n))?;
        let value = file.child_with(assignment, Role::Value).filter(|_| is_alone(&file, assignment))?;
        Some((statement(&file, assignment), value))
    };
    let sets = file.places(field).map(|place| set(place.name)).collect::<Option<Vec<_>>>()?;
    let &(_, value) = sets.first()?;
    let text = file.node_text(value);
    if sets.iter().any(|&(_, other)| file.node_text(other) != text) {
        return None;
    }
    // What only one function knows, others cannot use.
    let knows = |used: NodeId| {
        let names = file.bindings().within(&file, value).map(|(_, d)| &file.bindings().definitions()[d]);
        names.map(|d| d.scope).all(|scope| file.is_within(used, scope))
    };
    let uses =
        file.uses(field).map(|name| accessed(name).filter(|&n| knows(n) && !file.has(n, Role::Target)));
    let uses = uses.collect::<Option<Vec<NodeId>>>().filter(|uses| !uses.is_empty())?;
    let gone = sets.iter().map(|&(statement, _)| file.drop(statement));
    let replaced = uses.into_iter().map(|node| file.replace(node, operand(file, text, node)));
    Some(Unit::together(gone.chain(replaced)))
}

/// Deletes the assignment, and replaces the name by the value in the rest of the function.
fn propagated(file: File<'_>, variable: NodeId) -> Option<Unit> {
    let (name, value) = (part(&file, variable, Role::VariableName)?, part(&file, variable, Role::Value)?);
    let name = name_in(file, name)?;
    let scope = scope(&file, variable);
    let mut uses = file.bindings().occurrences(name);
    uses.retain(|&n| file.is_within(n, scope) && !file.is_within(n, variable));
    if uses.is_empty() {
        return None;
    }
    let text = file.node_text(value);
    let access = |name| {
        let node = signed(file, name);
        file.parent(node).filter(|&around| selects(file, around, node)).unwrap_or(node)
    };
    let replaced = uses.into_iter().map(access).map(|node| file.replace(node, operand(file, text, node)));
    let gone = file.drop(alone(&file, variable));
    Some(Unit::together(std::iter::once(gone).chain(replaced)))
}

/// Whether a node asks an object for the part with this name.
fn selects(file: File<'_>, access: NodeId, name: NodeId) -> bool {
    let mut before = file.children(access).take_while(|&n| n != name);
    let is_sign = |n: NodeId| file.language().lexis().is_access(file.node_text(n));
    file.has(access, Role::Access) && before.next().is_some() && before.last().is_some_and(is_sign)
}

/// The function around a node, or the whole file.
fn scope(tree: &Tree, node: NodeId) -> NodeId {
    let is_function =
        |n: &NodeId| tree.has(*n, Role::Body) && tree.parent(*n).is_some_and(|p| heads(tree, p));
    tree.ancestors(node).find(is_function).unwrap_or(NodeId::ROOT)
}

/// Whether a node is the whole definition of a function.
fn heads(tree: &Tree, node: NodeId) -> bool {
    let is_head = |n: NodeId| tree.has(n, Role::Function) && statement(tree, n) == node;
    tree.has(node, Role::Function) || tree.children(node).any(is_head)
}

/// The statement that consists only of this variable, or the variable itself.
fn alone(tree: &Tree, variable: NodeId) -> NodeId {
    let around = tree.parent(variable).filter(|&n| tree.has(n, Role::Statement));
    let is_other = |&n: &NodeId| tree.is_named(n) && !tree.has(n, Role::Type) && n != variable;
    around.filter(|&n| !tree.children(n).any(|n| is_other(&n))).unwrap_or(variable)
}
