//! Makes a free function of a function in an `impl`, in all uses, if it does not look at the object it is called on. A
//! type that only served to hold functions is then free to go.

use super::implemented;
use crate::c::{all, child, is};
use crate::functions::{items_of, name_in};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "free-functions",
    summary: "makes a free function of a function in an `impl` that does not use its object",
    languages: &["rust"],
    proves: true,
    examples: &[
        Example {
            language: "rust",
            before: "struct S;\nimpl S {\n    fn f<T>(&self, a: T) -> Self { S }\n    fn g(self) { self.f::<u8>(1); S::f(&self, 2); }\n}\n",
            keep: &["struct S", "fn g(self) { ", "<u8>(1); ", "2"],
            after: "struct S;\nfn f<T>(a: T) -> S { S }\nimpl S {\n    fn g(self) { f::<u8>(1); f(2); }\n}\n",
        },
        Example {
            language: "rust",
            before: "struct S<T, U>(T, U);\nimpl<'a, T: A, U: B<'a>> S<T, U> {\n    fn new<'b, C>(a: U) -> C {}\n}\nfn g() { h(S::<u8, u16>::new, 0) }\n",
            keep: &["struct S<T", "U: B<'a>", "'b", "C", "(a: U) -> C {}", "fn g() { h("],
            after: "struct S<T, U>(T, U);\nfn new<'a, 'b, U: B<'a>, C>(a: U) -> C {}\nfn g() { h(new, 0) }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS
        .files(base)
        .flat_map(|file| all(file, "function_item").filter_map(move |function| freed(file, function)));
    vec![Group::deletions(units).doubtful()]
}

fn freed(file: File<'_>, function: NodeId) -> Option<Unit> {
    let list = file.parent(function)?;
    let owner = file.parent(list).filter(|&n| is(&file, n, "impl_item"))?;
    let is_of_trait = file.children(owner).any(|n| file.node_text(n) == b"for");
    let name = child(&file, function, "identifier")?;
    let definition = file.definition(name).filter(|d| d.places.len() == 1)?;
    let object = child(&file, child(&file, function, "parameters")?, "self_parameter");
    if is_of_trait || mentions_object(file, function) {
        return None;
    }
    let mut units = Vec::new();
    for used in file.uses(definition) {
        if file.is_within(used, function) {
            return None;
        }
        units.push(reached(file, used, object.is_some())?);
    }
    let text = text(file, owner, function, object)?;
    if items_of(&file, list) == [function] {
        units.push(file.replace(owner, text));
    } else {
        let start = file.range(owner).start;
        units.push(file.write(start..start, [&text[..], b"\n"].concat()));
        units.push(file.drop(function));
    }
    Some(Unit::together(units))
}

/// Whether the body or another parameter speaks of `self`.
fn mentions_object(file: File<'_>, function: NodeId) -> bool {
    let mut own = file.descendants(function).filter(|&n| is(&file, n, "self"));
    own.any(|n| !file.parent(n).is_some_and(|around| is(&file, around, "self_parameter")))
}

/// Cuts the object or the type in front of a use. Where a call through the type passes the object, that goes, too.
fn reached(file: File<'_>, used: NodeId, has_object: bool) -> Option<Unit> {
    let path = file.parent(used).filter(|&n| file.children(n).last() == Some(used))?;
    let cut = file.cut(file.range(path).start..file.range(used).start);
    match file.kind_name(path) {
        "field_expression" => Some(cut),
        "scoped_identifier" if !has_object => Some(cut),
        "scoped_identifier" => {
            let around = file.parent(path)?;
            let call = if is(&file, around, "generic_function") { file.parent(around)? } else { around };
            let passed = items_of(&file, child(&file, call, "arguments")?);
            Some(Unit::together([cut, file.drop(*passed.first()?)]))
        }
        _ => None,
    }
}

/// The function as it stands outside of the `impl`: without the object, and with what it needs of the type's parameters.
fn text(file: File<'_>, owner: NodeId, function: NodeId, object: Option<NodeId>) -> Option<Vec<u8>> {
    let of = implemented(file, owner)?;
    let whole = file.range(function);
    let mut edits: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
    if let Some(object) = object {
        let end = file.range(object).end;
        let rest = &file.text()[end..];
        let comma = file.next_sibling(object).filter(|&n| file.node_text(n) == b",");
        let blanks = rest.iter().skip(1).take_while(|c| c.is_ascii_whitespace()).count();
        edits.push((file.range(object).start..comma.map_or(end, |_| end + 1 + blanks), Vec::new()));
    }
    let own = file.descendants(function).filter(|&n| file.has(n, Role::Name) && file.node_text(n) == b"Self");
    let own: Vec<NodeId> = own.collect();
    edits.extend(own.iter().map(|&n| (file.range(n), file.node_text(of).to_vec())));
    let mut named: BTreeSet<&[u8]> = names(file, function).collect();
    if !own.is_empty() {
        named.extend(names(file, of));
    }
    let outer = needed(file, parameters(file, owner), &mut named);
    if !outer.is_empty() {
        let (mut lifetimes, mut others): (Vec<NodeId>, Vec<NodeId>) =
            outer.into_iter().partition(|&n| is(&file, n, "lifetime_parameter"));
        for parameter in parameters(file, function) {
            let list = if is(&file, parameter, "lifetime_parameter") { &mut lifetimes } else { &mut others };
            list.push(parameter);
        }
        let texts: Vec<&[u8]> = lifetimes.into_iter().chain(others).map(|n| file.node_text(n)).collect();
        let end = file.range(child(&file, function, "identifier")?).end;
        let place = child(&file, function, "type_parameters").map_or(end..end, |n| file.range(n));
        edits.push((place, [b"<", &texts.join(&b", "[..])[..], b">"].concat()));
    }
    edits.sort_unstable_by_key(|(range, _)| range.start);
    let (mut text, mut from) = (Vec::new(), whole.start);
    for (range, by) in edits {
        text.extend_from_slice(&file.text()[from..range.start]);
        text.extend_from_slice(&by);
        from = range.end;
    }
    text.extend_from_slice(&file.text()[from..whole.end]);
    Some(text)
}

/// The type parameters and lifetimes of an item.
fn parameters(file: File<'_>, item: NodeId) -> Vec<NodeId> {
    child(&file, item, "type_parameters").map_or(vec![], |list| items_of(&file, list))
}

fn names<'a>(file: File<'a>, node: NodeId) -> impl Iterator<Item = &'a [u8]> {
    let nodes = std::iter::once(node).chain(file.descendants(node));
    nodes.filter(move |&n| file.has(n, Role::Name)).map(move |n| file.node_text(n))
}

/// The parameters that these names need, in their order. What a parameter demands may need others.
fn needed<'a>(file: File<'a>, parameters: Vec<NodeId>, named: &mut BTreeSet<&'a [u8]>) -> Vec<NodeId> {
    let mut needed: BTreeSet<NodeId> = BTreeSet::new();
    loop {
        let is_new = |n: &&NodeId| {
            let name = name_in(file, **n).map(|n| file.node_text(n));
            !needed.contains(*n) && name.is_some_and(|name| named.contains(name))
        };
        let Some(&next) = parameters.iter().find(is_new) else { return needed.into_iter().collect() };
        named.extend(names(file, next));
        needed.insert(next);
    }
}
