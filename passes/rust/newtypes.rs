//! Replaces a structure that holds at most one value by the type of that value, and its values by what they hold.

use super::meant;
use super::tuples::{SHARED, is_access, owner};
use crate::c::{all, child, is};
use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "newtypes",
    summary: "replaces a structure by its only field, in all uses",
    languages: &["rust"],
    proves: true,
    examples: &[
        Example {
            language: "rust",
            before: "struct S<T>(Vec<T>, );\nimpl<U> A for S<U> { fn f(self) -> usize { self.0.len() } }\nfn g(S(x): S<u8>) { h(S::<u8>(x), x.0) }\n",
            keep: &["x.0"],
            after: "impl<U> A for Vec<U> { fn f(self) -> usize { self.len() } }\nfn g(x: Vec<u8>) { h(x, x.0) }\n",
        },
        Example {
            language: "rust",
            before: "struct A;\nstruct B<T> { a: T }\nstruct C(u8);\nimpl C { fn new() -> C { C::f() } }\nfn f(x: A, y: B<B<A>>) -> u8 {\n    let B { a } = B { a: 1 + 2 }.b();\n    y.a.c(A)\n}\n",
            keep: &["C::f()"],
            after: "struct C(u8);\nimpl C { fn new() -> C { C::f() } }\nfn f(x: (), y: ()) -> u8 {\n    let a = (1 + 2).b();\n    y.c(())\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let (own, accesses) = (own_values(file), accesses(file));
        let of_structure = |structure| ways(file, structure, &own, &accesses).unwrap_or_default();
        all(file, "struct_item").map(of_structure).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// The uses of `Self`, by the definition of the type that it stands for.
pub(super) fn own_values(file: File<'_>) -> BTreeMap<usize, Vec<NodeId>> {
    let mut values: BTreeMap<usize, Vec<NodeId>> = BTreeMap::new();
    for name in file.with(Role::Name).filter(|&n| file.node_text(n) == b"Self") {
        if let Some(owner) = meant(file, name) {
            values.entry(owner).or_default().push(name);
        }
    }
    values
}

/// The accesses to the first places of tuples, by the definition of the type if they are behind `self`.
fn accesses(file: File<'_>) -> BTreeMap<Option<usize>, Vec<NodeId>> {
    let is_first = |n: &NodeId| file.children(*n).last().is_some_and(|n| file.node_text(n) == b"0");
    let mut accesses: BTreeMap<Option<usize>, Vec<NodeId>> = BTreeMap::new();
    for access in all(file, "field_expression").filter(is_first) {
        accesses.entry(owner(file, access)).or_default().push(access);
    }
    accesses
}

/// A structure with at most one field.
struct Newtype<'a> {
    file: File<'a>,
    parameters: Vec<&'a [u8]>,
    /// The type of the field.
    typed: Option<NodeId>,
}

/// The only field is read behind `self`, or everywhere: a tuple does not tell whose `.0` is.
fn ways(
    file: File<'_>,
    structure: NodeId,
    own_values: &BTreeMap<usize, Vec<NodeId>>,
    accesses: &BTreeMap<Option<usize>, Vec<NodeId>>,
) -> Option<Vec<Unit>> {
    let own = file.bindings().of(child(&file, structure, "type_identifier")?)?;
    let list = |kind: &str| child(&file, structure, kind).map_or(vec![], |list| items_of(&file, list));
    let named = list("field_declaration_list");
    let field = named.iter().find_map(|&n| child(&file, n, "field_identifier"));
    let types: Vec<NodeId> = match named.len() {
        0 => {
            list("ordered_field_declaration_list").into_iter().filter(|&n| file.has(n, Role::Type)).collect()
        }
        _ => named.iter().filter_map(|&n| file.named_children(n).last()).collect(),
    };
    if types.len() > 1 {
        return None;
    }
    let parameters = list("type_parameters").into_iter().filter_map(|n| file.named_children(n).next());
    let parameters = parameters.map(|n| file.node_text(n)).collect();
    let newtype = Newtype { file, parameters, typed: types.first().copied() };
    let definition = &file.bindings().definitions()[own];
    let mut units = vec![file.drop(structure)];
    for used in file.uses(definition) {
        units.push(newtype.without(used)?);
    }
    for &used in own_values.get(&own).into_iter().flatten() {
        let path = file.parent(used).is_some_and(|n| file.kind_name(n).starts_with("scoped"));
        let is_type = file.has(used, Role::Type) && !newtype.is_value(used);
        if !path && !is_type {
            units.push(newtype.without(used)?);
        }
    }
    let (certain, others) = match field.map(|name| file.definition(name)) {
        Some(definition) => {
            let uses = definition.into_iter().flat_map(|definition| file.uses(definition));
            let accesses = uses.filter_map(|used| file.parent(used)).filter(|&n| is_access(file, n));
            let is_certain = definition.is_some_and(|d| d.places.len() == 1);
            accesses.partition(|&access| is_certain || owner(file, access) == Some(own))
        }
        None if newtype.typed.is_none() => (Vec::new(), Vec::new()),
        None => {
            let of = |owner: Option<usize>| accesses.get(&owner).cloned().unwrap_or_default();
            (of(Some(own)), of(None))
        }
    };
    let without = |access: NodeId| {
        let object = file.children(access).next().unwrap_or(access);
        file.cut(file.range(object).end..file.range(access).end)
    };
    units.extend(certain.into_iter().map(without));
    let mut ways = vec![Unit::together(units.iter().cloned())];
    if (1..=SHARED).contains(&others.len()) {
        ways.push(Unit::together(units.into_iter().chain(others.into_iter().map(without))));
    }
    Some(ways)
}

impl Newtype<'_> {
    /// The name of the structure with its type arguments.
    fn whole(&self, name: NodeId) -> NodeId {
        let is_generic = |n: &NodeId| {
            self.file.kind_name(*n).starts_with("generic") && self.file.children(*n).next() == Some(name)
        };
        self.file.parent(name).filter(is_generic).unwrap_or(name)
    }

    /// Whether a name begins a value or a pattern.
    fn is_value(&self, name: NodeId) -> bool {
        let file = self.file;
        let whole = self.whole(name);
        file.parent(whole).is_some_and(|around| {
            let kinds = ["call_expression", "struct_expression", "tuple_struct_pattern", "struct_pattern"];
            kinds.contains(&file.kind_name(around)) && file.children(around).next() == Some(whole)
        })
    }

    /// A unit that puts what the structure holds in the place of a use. There is none for a path through it.
    fn without(&self, name: NodeId) -> Option<Unit> {
        let file = self.file;
        let whole = self.whole(name);
        let around = file.parent(whole)?;
        if self.is_value(name) {
            return self.held(around, whole);
        }
        if file.has(whole, Role::Type) {
            return self.type_in_place(whole);
        }
        let is_alone = self.typed.is_none() && !file.kind_name(around).starts_with("scoped");
        (is_alone && !is(&file, around, "use_declaration")).then(|| file.replace(whole, "()"))
    }

    /// The only value in an expression or pattern.
    fn held(&self, value: NodeId, path: NodeId) -> Option<Unit> {
        let file = self.file;
        let (whole, path) = (file.range(value), file.range(path).end);
        let lists = ["arguments", "field_initializer_list"];
        let list = file.children(value).find(|&n| lists.contains(&file.kind_name(n))).unwrap_or(value);
        let items: Vec<NodeId> =
            items_of(&file, list).into_iter().filter(|&n| file.range(n).start >= path).collect();
        let [item] = items[..] else {
            let is_empty = items.is_empty() && self.typed.is_none();
            return is_empty.then(|| file.write(whole, *b"()"));
        };
        let is_named = ["field_initializer", "field_pattern"].contains(&file.kind_name(item));
        let held = if is_named { file.named_children(item).last()? } else { item };
        let inner = file.range(held);
        let compound = ["binary_", "unary_", "range_", "closure_", "assignment_", "type_cast_", "reference_"];
        let is_compound = compound.iter().any(|kind| file.kind_name(held).starts_with(kind));
        if is_compound && file.parent(value).is_some_and(|n| file.has(n, Role::Expression)) {
            let ends = [file.write(whole.start..inner.start, *b"("), file.write(inner.end..whole.end, *b")")];
            return Some(Unit::together(ends));
        }
        Some(self.only(whole, inner))
    }

    /// Deletes all of a range but an inner one.
    fn only(&self, whole: Range<usize>, inner: Range<usize>) -> Unit {
        let ends = [whole.start..inner.start, inner.end..whole.end];
        let ends = ends.into_iter().filter(|range| !range.is_empty());
        Unit::together(ends.map(|range| self.file.cut(range)).collect::<Vec<_>>())
    }

    /// Puts the type of the field in the place of the structure, with the arguments of this use.
    fn type_in_place(&self, whole: NodeId) -> Option<Unit> {
        let file = self.file;
        let Some(typed) = self.typed else { return Some(file.replace(whole, "()")) };
        let list = child(&file, whole, "type_arguments");
        let arguments = list.map_or(vec![], |list| items_of(&file, list));
        let argument = |text: &[u8]| {
            let place = self.parameters.iter().position(|&parameter| parameter == text)?;
            Some(arguments.get(place).copied())
        };
        if let Some(argument) = argument(file.node_text(typed)) {
            // Small edits leave what is inside to other edits.
            return Some(self.only(file.range(whole), file.range(argument?)));
        }
        let (start, mut end) = (file.range(typed).start, file.range(typed).start);
        let mut text = Vec::new();
        for node in file.descendants(typed).filter(|&n| file.range(n).start >= start) {
            let Some(argument) = argument(file.node_text(node)) else { continue };
            let range = file.range(node);
            if range.start >= end {
                text.extend_from_slice(&file.text()[end..range.start]);
                text.extend_from_slice(file.node_text(argument?));
                end = range.end;
            }
        }
        text.extend_from_slice(&file.text()[end..file.range(typed).end]);
        Some(file.replace(whole, text))
    }
}
