//! Deletes an exception from all `throws` clauses and handlers; a statement without other handlers becomes its body. The
//! compiler demands both or neither.

use crate::c::{all, child, is};
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit};
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass = Pass {
    name: "exceptions",
    summary: "deletes an exception from all `throws` clauses and handlers at once",
    languages: &["java"],
    grain: Grain::Coarse,
    examples: &[Example {
        language: "java",
        before: "class A {\n    void f() throws B, C { g(); }\n    void h() throws B {\n        try { f(); } catch (C e) { i(); }\n        try { f(); } finally { j(); }\n    }\n}\n",
        keep: &["void f()", "void h()", "f();", "finally { j"],
        after: "class A {\n    void f() { g(); }\n    void h() {\n        f();\n        try { f(); } finally { j(); }\n    }\n}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let exceptions = exceptions(file);
        let names: Vec<&[u8]> = exceptions.keys().copied().collect();
        let each = exceptions.into_values().map(move |nodes| without(file, &nodes));
        let all = names.len() > 1;
        each.chain(
            all.then(|| without(file, &self::exceptions(file).into_values().flatten().collect::<Vec<_>>())),
        )
        .collect::<Vec<_>>()
    });
    vec![Group::choices(units.map(|unit| vec![unit])).doubtful()]
}

/// The types in `throws` clauses and handlers, by their text.
fn exceptions(file: File<'_>) -> BTreeMap<&[u8], Vec<NodeId>> {
    let mut exceptions: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
    let lists = all(file, "throws").chain(all(file, "catch_type"));
    for name in lists.flat_map(|list| file.named_children(list)) {
        exceptions.entry(file.node_text(name)).or_default().push(name);
    }
    exceptions
}

fn without(file: File<'_>, names: &[NodeId]) -> Unit {
    let names: BTreeSet<NodeId> = names.iter().copied().collect();
    let mut gone: BTreeSet<NodeId> = BTreeSet::new();
    let mut handlers: BTreeMap<NodeId, BTreeSet<NodeId>> = BTreeMap::new();
    for &name in &names {
        let Some(list) = file.parent(name) else { continue };
        let is_all = file.named_children(list).all(|n| names.contains(&n));
        let handler = file.ancestors(list).find(|&n| is(&file, n, "catch_clause"));
        match handler.filter(|_| is(&file, list, "catch_type") && is_all) {
            Some(handler) => {
                file.parent(handler).into_iter().for_each(|whole| {
                    handlers.entry(whole).or_default().insert(handler);
                });
            }
            None => {
                gone.insert(if is_all { list } else { name });
            }
        }
    }
    let mut bodies = Vec::new();
    for (whole, handlers) in handlers {
        let others = file.named_children(whole).filter(|n| !handlers.contains(n));
        match child(&file, whole, "block").filter(|_| others.count() == 1) {
            Some(body) => bodies.push((whole, body)),
            None => gone.extend(handlers),
        }
    }
    // What stands in a statement that becomes its body is left for the next time.
    let is_inner = |n: NodeId| bodies.iter().any(|(whole, _)| *whole != n && file.is_within(n, *whole));
    let drops = gone.iter().filter(|&&n| !is_inner(n)).map(|&n| file.drop(n));
    let bodies = bodies.iter().filter(|(whole, _)| !is_inner(*whole));
    let bodies = bodies.map(|&(whole, body)| file.replace(whole, Source::Inside(body)));
    Unit::together(drops.chain(bodies).collect::<Vec<_>>())
}
