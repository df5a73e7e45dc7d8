//! Replaces a property by what it returns: `a.p` becomes `a.b` if the property returns `self.b`. If it only returns an
//! attribute, that may get the property's name, since other classes may have something of that name, too.

use super::classes::function_of;
use crate::functions::items;
use crate::operands::operand;
use crate::replacement::bound;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "properties",
    summary: "replaces a property by the attribute or expression that it returns",
    languages: &["python"],
    pump: true,
    examples: &[
        Example {
            language: "python",
            before: "class A:\n    def __init__(self, a):\n        self.a = a\n    @property\n    def b(self):\n        return self.a\nclass B:\n    b = 1\nf(A(2).b, B().b)\n",
            keep: &["class A", "def __init__(self, a)", " = a", "class B", " = 1", "f(A(2).", ", B()."],
            after: "class A:\n    def __init__(self, a):\n        self.b = a\nclass B:\n    b = 1\nf(A(2).b, B().b)\n",
        },
        Example {
            language: "python",
            before: "class A:\n    @property\n    def b(self):\n        return self.c + 1\nf(d.e.b * 2)\n",
            keep: &["class A", " * 2"],
            after: "class A:\n    pass\nf((d.e.c + 1) * 2)\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let decorated = file.tree().nodes().filter(move |&n| file.kind_name(n) == "decorated_definition");
        decorated.map(move |whole| ways(file, whole))
    });
    vec![Group::choices(ways).doubtful()]
}

fn ways(file: File<'_>, whole: NodeId) -> Vec<Unit> {
    [given_name(file, whole), expanded(file, whole)].into_iter().flatten().collect()
}

/// The name, the object and the result of a property that only returns something.
fn parts(file: File<'_>, whole: NodeId) -> Option<(NodeId, NodeId, NodeId)> {
    let decorators = file.children(whole).filter(|&n| file.kind_name(n) == "decorator");
    let [decorator] = decorators.collect::<Vec<_>>()[..] else { return None };
    let function = function_of(file, whole).filter(|_| file.node_text(decorator) == b"@property")?;
    let [object] = items(&file, function, Role::Parameters)[..] else { return None };
    let [only] = items(&file, function, Role::Body)[..] else { return None };
    Some((file.child_with(function, Role::FunctionName)?, object, file.child_with(only, Role::Returned)?))
}

/// The attribute that a property returns gets the property's name.
fn given_name(file: File<'_>, whole: NodeId) -> Option<Unit> {
    let (name, object, returned) = parts(file, whole)?;
    let mut path = file.named_children(returned).filter(|_| file.has(returned, Role::Access));
    let (of, attribute) = (path.next()?, path.next()?);
    if file.node_text(of) != file.node_text(object) || !file.has(attribute, Role::Name) {
        return None;
    }
    let others = file.bindings().occurrences(attribute).into_iter().filter(|&n| !file.is_within(n, whole));
    let renamed = others.map(|n| file.replace(n, file.node_text(name).to_vec()));
    Some(Unit::together(std::iter::once(file.drop(whole)).chain(renamed)))
}

/// What a property returns stands wherever objects are asked for it.
fn expanded(file: File<'_>, whole: NodeId) -> Option<Unit> {
    let (name, object, returned) = parts(file, whole)?;
    let definition = file.definition(name)?;
    let mut units = vec![file.drop(whole)];
    for used in file.uses(definition) {
        let access = file.parent(used).filter(|&n| file.has(n, Role::Access))?;
        let asked = file.children(access).next().filter(|&n| n != used)?;
        let range = file.range(returned);
        let asked = file.node_text(asked).to_vec();
        let text = bound(file, range.clone(), &file.text()[range], &[(object, asked)]);
        units.push(file.replace(access, operand(file, &text, access)));
    }
    (definition.places.len() == 1 && units.len() > 1).then(|| Unit::together(units))
}
