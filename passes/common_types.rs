//! Replaces a type by one that every program of the language knows, such as `Object`, and deletes its definition or import.

use crate::uses::whole_type;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "common-types",
    summary: "replaces a type by one that every program of the language knows, and deletes its definition or import",
    needs: |language| !language.lexis().common_types.is_empty(),
    examples: &[
        Example {
            language: "java",
            before: "import a.b.Map;\nclass A {\n    Map<A, B> c = d;\n    e.Map f;\n}\n",
            keep: &["class A {", " c = d", " f;"],
            after: "class A {\n    Object c = d;\n    Object f;\n}\n",
        },
        Example {
            language: "java",
            before: "import a.b.*;\nclass A {\n    B c = d;\n}\n",
            keep: &["class A {", " c = d"],
            after: "class A {\n    Object c = d;\n}\n",
        },
        Example {
            language: "csharp",
            before: "class A {\n    delegate int F(int a);\n    event F B;\n}\n",
            keep: &["class A {", " B;", "event "],
            after: "class A {\n    event object B;\n}\n",
        },
        Example {
            language: "kotlin",
            before: "class A {\n    val b = 1\n}\nfun f(a: List<A>): A { return a }\n",
            keep: &["fun f(a: List<", "{ return a }"],
            after: "fun f(a: List<Any>): Any { return a }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let openings = openings(file);
        types(file).into_values().map(move |names| ways(file, &names, &openings)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// What a name stands for: a definition, or else its spelling.
type Meaning<'a> = (Option<usize>, &'a [u8]);

/// The types in a file that have names, each with the names that stand for it. O(names log names).
fn types(file: File<'_>) -> BTreeMap<Meaning<'_>, Vec<NodeId>> {
    let mut types: BTreeMap<Meaning<'_>, Vec<NodeId>> = BTreeMap::new();
    for name in file.with(Role::Name).filter(|&name| whole_type(file, name).1) {
        let definition = file.bindings().of(name);
        let spelling = if definition.is_some() { &b""[..] } else { file.node_text(name) };
        types.entry((definition, spelling)).or_default().push(name);
    }
    types
}

/// The statements of a file that make all names of a package known, as `import a.*;` does.
fn openings(file: File<'_>) -> Vec<NodeId> {
    let places: BTreeSet<NodeId> =
        file.definitions().flat_map(|d| file.places(d)).map(|place| place.whole).collect();
    let is_import = |&n: &NodeId| {
        let first = file.tokens_in(file.range(n)).first().map(|token| &file.text()[token.range()]);
        file.has(n, Role::Statement) && first.is_some_and(|word| IMPORTS.contains(&word))
    };
    file.children(NodeId::ROOT).filter(is_import).filter(|n| !places.contains(n)).collect()
}

/// The words with which such statements begin.
const IMPORTS: [&[u8]; 2] = [b"import", b"using"];

/// The ways to replace a type by a common one. A longer name makes the program smaller only together with the statements that open
/// packages.
fn ways(file: File<'_>, names: &[NodeId], openings: &[NodeId]) -> Vec<Unit> {
    let mut wholes: Vec<NodeId> = Vec::new();
    for whole in names.iter().map(|&name| whole_type(file, name).0) {
        if !wholes.last().is_some_and(|&last| file.is_within(whole, last)) {
            wholes.push(whole);
        }
    }
    let definition = names.first().and_then(|&name| file.definition(name));
    let is_replaceable = definition.is_none_or(|d| {
        let is_type = matches!(d.sort, Sort::Type | Sort::Import);
        is_type && file.places(d).all(|place| file.has(place.whole, Role::Statement))
    });
    let places = |d| file.places(d).map(|place| place.whole).collect();
    let gone: Vec<NodeId> = definition.map(places).unwrap_or_default();
    wholes.retain(|&whole| !gone.iter().any(|&gone| file.is_within(whole, gone)));
    let length = wholes.iter().map(|&whole| file.range(whole).len()).max().unwrap_or(0);
    let common = file.language().lexis().common_types.iter();
    let way = |&name: &&'static str| {
        let gone = if gone.is_empty() && name.len() >= length { openings } else { &gone };
        let replaced = wholes.iter().map(|&whole| file.replace(whole, name));
        let unit = Unit::together(replaced.chain(gone.iter().map(|&node| file.drop(node))));
        (!gone.is_empty() || name.len() < length).then_some(unit)
    };
    common.filter(|_| is_replaceable && !wholes.is_empty()).filter_map(way).collect()
}
