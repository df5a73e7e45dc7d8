//! Replaces a statement by one that only uses a variable of another statement: Go refuses variables without a use.

use crate::c::is;
use crate::levels::levels;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "discards",
    summary: "replaces a statement by `_ = a` for the variables that nothing else uses",
    languages: &["go"],
    examples: &[Example {
        language: "go",
        before: "package p\n\nfunc f(a []int) {\n\tb, c := a[0], a[1]\n\tif b > 1 {\n\t\tg(b)\n\t}\n\tg(c, b)\n}\n",
        keep: &["b, c := a[0], a[1]"],
        after: "package p\n\nfunc f(a []int) {\n\tb, c := a[0], a[1]\n\t_ = b\n\t_ = c\n}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// Of a statement that uses more variables alone, the text would hardly be smaller.
const MOST: usize = 2;

fn plan(base: &Base) -> Vec<Group> {
    let is_listed = |file: File<'_>, node: NodeId| {
        file.has(node, Role::Statement) && file.parent(node).is_some_and(|n| is(&file, n, "statement_list"))
    };
    let group = |level: Vec<(File<'_>, NodeId)>| {
        let ways =
            level.into_iter().map(|(file, statement)| discarding(file, statement).into_iter().collect());
        Group::choices(ways.collect::<Vec<Vec<Unit>>>()).doubtful()
    };
    levels(PASS.files(base), is_listed).into_iter().map(group).collect()
}

/// The statement becomes one for all variables of statements around or before it whose last uses it has.
fn discarding(file: File<'_>, statement: NodeId) -> Option<Unit> {
    let definitions = file.bindings().definitions();
    let mut lost: BTreeMap<usize, NodeId> = BTreeMap::new();
    for (name, index) in file.bindings().within(&file, statement) {
        let definition = &definitions[index];
        let mut places = file.places(definition).map(|place| place.name);
        let is_local = definition.sort == Sort::Variable && definition.scope != NodeId::ROOT;
        if places.any(|name| file.is_within(name, statement)) {
            // What is used elsewhere needs its definition.
            if file.uses(definition).any(|used| !file.is_within(used, statement)) {
                return None;
            }
        } else if is_local && !file.has(name, Role::Target) {
            lost.entry(index).or_insert(name);
        }
    }
    lost.retain(|&index, _| {
        let is_read_outside =
            |used: NodeId| !file.is_within(used, statement) && !file.has(used, Role::Target);
        !file.uses(&definitions[index]).any(is_read_outside)
    });
    let names: Vec<&[u8]> = lost.values().map(|&name| file.node_text(name)).collect();
    if names.is_empty() || names.len() > MOST {
        return None;
    }
    let blanks = vec![&b"_"[..]; names.len()];
    let text = [&blanks.join(&b", "[..])[..], b" = ", &names.join(&b", "[..])].concat();
    // As many names, blanks and commas, and an equals sign.
    let tokens = 4 * names.len() - 1;
    (file.tokens_in(file.range(statement)).len() > tokens).then(|| file.replace(statement, text))
}
