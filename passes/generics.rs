//! Deletes a type parameter with its arguments in all uses; where it was, one of the arguments stands, or a bound. A
//! lifetime goes from all references.

use crate::functions::{items_of, name_in};
use crate::levels::outermost;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::lexis::Lexis;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "generics",
    summary: "deletes a type parameter or lifetime with its arguments, and replaces its uses by a type",
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "java",
            before: "class A<T, K extends B> {\n    K k;\n    void f(T a, A<T, K> b) {}\n}\nclass C extends A<String, D> {}\n",
            keep: &["k;", "void f(", " a, A", "b)", "class C extends A"],
            after: "class A {\n    D k;\n    void f(String a, A b) {}\n}\nclass C extends A {}\n",
        },
        Example {
            language: "rust",
            before: "struct S<'a, T> { a: &'a T }\nimpl<'a, T: Clone> S<'a, T> where T: Copy { fn f(&'a self) -> T {} }\nfn g(s: S<'_, u8>) {}\n",
            keep: &["struct S", "a: &", "impl", "fn f(&", "self) -> ", "fn g(s: S"],
            after: "struct S { a: &u8 }\nimpl S { fn f(&self) -> u8 {} }\nfn g(s: S) {}\n",
        },
        Example {
            language: "rust",
            before: "struct S<'a, T, U> { a: &'a T, b: U }\nfn f() -> S<u8, u16> {}\n",
            keep: &["struct S<'a", "a: &'a", "b: ", "fn f() -> S"],
            after: "struct S<'a> { a: &'a u8, b: u16 }\nfn f() -> S {}\n",
        },
        Example {
            language: "rust",
            before: "struct S<'a>(&'a u8);\nfn f<'a>() -> S<'a> {}\nimpl<'a> A for S<'a> {}\n",
            keep: &["struct S<'a>(&'a u8)", "fn f", "() -> S<'", "impl", "A for S<'"],
            after: "struct S<'a>(&'a u8);\nfn f() -> S<'static> {}\nimpl A for S<'static> {}\n",
        },
        Example {
            language: "rust",
            before: "struct S<'a> { a: b::Iter<'a, u8> }\nfn f(a: S<'_>) {}\n",
            keep: &["struct S", "a: b::Iter<'", "fn f(a: S"],
            after: "struct S { a: b::Iter<'static, u8> }\nfn f(a: S) {}\n",
        },
        Example {
            language: "go",
            before: "type s[T any] struct{ a T }\n\nfunc (b *s[T]) f(t T) { b.a = t }\nfunc g(x s[string]) {}\n",
            keep: &["type s", "a ", "func (b *s", ") f(t ", "b.a = t", "func g(x s"],
            after: "type s struct{ a string }\n\nfunc (b *s) f(t string) { b.a = t }\nfunc g(x s) {}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of types that are tried in the place of a parameter.
const TYPES: usize = 4;

/// The name of a lifetime that is not given.
const ELIDED: &[u8] = b"_";

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let class = plain_class(file);
        let lists = file.with(Role::TypeParameters);
        lists.flat_map(move |list| {
            let count = items_of(&file, list).len();
            (0..count).map(move |place| ways(file, list, place, class))
        })
    });
    let lifetimes = PASS.files(base).flat_map(lifetimes);
    vec![Group::deletions(lifetimes).doubtful(), Group::choices(ways).doubtful()]
}

/// The name of the first class without type parameters. O(nodes).
fn plain_class(file: File<'_>) -> Option<NodeId> {
    let is_plain = |&class: &NodeId| file.child_with(class, Role::TypeParameters).is_none();
    let mut classes = file.with(Role::Members).filter_map(|n| file.parent(n)).filter(is_plain);
    classes.find_map(|n| declared(file, n))
}

/// The ways to delete the parameter at a place of a list: its uses become one of several types, among them this class.
fn ways(file: File<'_>, list: NodeId, place: usize, class: Option<NodeId>) -> Vec<Unit> {
    let going = Going::new(file, list, place);
    let mut ways: Vec<Unit> = Vec::new();
    for text in going.types(class) {
        ways.extend(Some(going.unit(text)).filter(|unit| !ways.contains(unit)));
    }
    ways
}

/// A parameter that goes, with what goes with it.
pub(crate) struct Going<'a> {
    file: File<'a>,
    /// The names of the parameter, and of parameters that have no other purpose than to be its arguments.
    names: Vec<NodeId>,
    pub(crate) parameters: Vec<NodeId>,
    arguments: Vec<NodeId>,
    /// The parameters and arguments, or lists that have no others.
    gone: BTreeSet<NodeId>,
}

impl<'a> Going<'a> {
    pub(crate) fn new(file: File<'a>, list: NodeId, place: usize) -> Self {
        let (names, parameters, arguments) = (Vec::new(), Vec::new(), Vec::new());
        let mut going = Self { file, names, parameters, arguments, gone: BTreeSet::new() };
        going.parameter(list, place);
        let parameters = items_of(&file, list);
        // Arguments for lifetimes may be missing where those for types are given.
        let is_alike = |&n: &NodeId| {
            parameters.get(place).is_some_and(|&p| is_lifetime(file, n) == is_lifetime(file, p))
        };
        let before = parameters.iter().take(place).copied().filter(is_alike).count();
        let declared = file.parent(list).and_then(|owner| declared(file, owner));
        let uses = declared.map_or(vec![], |name| file.bindings().occurrences(name));
        let lists =
            uses.into_iter().filter_map(|name| file.child_with(file.parent(name)?, Role::TypeArguments));
        for list in lists {
            let arguments = items_of(&file, list);
            let argument = arguments.iter().copied().filter(is_alike).nth(before);
            match argument {
                Some(_) if arguments.len() == 1 => going.gone.insert(list),
                Some(argument) => going.gone.insert(argument),
                None if arguments.is_empty() && parameters.len() == 1 => going.gone.insert(list),
                None => continue,
            };
            if let Some(argument) = argument {
                going.arguments.push(argument);
                going.implied(argument);
            }
        }
        going
    }

    fn parameter(&mut self, list: NodeId, place: usize) {
        let items = items_of(&self.file, list);
        let Some(&parameter) = items.get(place) else { return };
        let siblings_go = items.iter().filter(|n| **n != parameter).all(|n| self.gone.contains(n));
        if siblings_go {
            items.iter().for_each(|n| {
                self.gone.remove(n);
            });
        }
        self.gone.insert(if siblings_go { list } else { parameter });
        self.parameters.push(parameter);
        self.names.extend(name_in(self.file, parameter));
    }

    /// An argument that is itself a parameter, or one of something without a name, such as an `impl`, takes that parameter
    /// with it.
    fn implied(&mut self, argument: NodeId) {
        let file = self.file;
        let name = name_in(file, argument).filter(|&n| file.range(n).end == file.range(argument).end);
        let definition = name.and_then(|name| file.definition(name));
        let Some(place) = definition.and_then(|d| file.places(d).next()) else { return };
        if file.is_within(place.name, argument) {
            // A method in Go names the parameters of its receiver where their arguments would stand.
            self.names.push(place.name);
            return;
        }
        let list = file.ancestors(place.name).find(|&n| file.has(n, Role::TypeParameters));
        let Some(list) = list.filter(|&n| file.parent(n).is_some_and(|n| declared(file, n).is_none())) else {
            return;
        };
        let at = items_of(&file, list).iter().position(|&n| file.is_within(place.name, n));
        if let Some(at) = at.filter(|_| !self.names.contains(&place.name)) {
            self.parameter(list, at);
        }
    }

    /// The types that may stand for the parameter, most likely ones first.
    fn types(&self, class: Option<NodeId>) -> Vec<&'a [u8]> {
        let file = self.file;
        let is_parameter = |n: NodeId| name_in(file, n).is_some_and(|n| is_type_parameter(file, n));
        let (less, more): (Vec<NodeId>, Vec<NodeId>) =
            self.arguments.iter().copied().partition(|&n| is_parameter(n));
        let mentions = self.mentions();
        let bound = self.parameters.iter().filter_map(|&n| {
            let is_type = |n: NodeId| file.has(n, Role::Type) && !file.has(n, Role::Constraint);
            file.descendants(n).find(|n| is_type(*n) && !self.names.contains(n))
        });
        let filler = mentions.iter().find_map(|&n| file.filler(n)).map_or(&b""[..], str::as_bytes);
        if self.parameters.iter().any(|&n| is_lifetime(file, n)) {
            return if filler.is_empty() { Vec::new() } else { vec![filler, ELIDED] };
        }
        let mut texts: Vec<&[u8]> = Vec::new();
        // An argument may be the parameter itself, where a method names it.
        let own: Vec<&[u8]> = self.names.iter().map(|&n| file.node_text(n)).collect();
        let nodes = more.into_iter().chain(bound).chain(class).chain(less);
        // Where no argument is written, a number may be what it is inferred from.
        let number = file.language().lexis().number_type.as_bytes();
        for text in nodes.map(|n| file.node_text(n)).chain([filler, number]) {
            if !text.is_empty() && !own.contains(&text) && !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts.truncate(TYPES);
        texts
    }

    /// The uses of the parameters that stay.
    pub(crate) fn mentions(&self) -> Vec<NodeId> {
        let file = self.file;
        let names = self.names.iter().flat_map(|&name| file.bindings().occurrences(name));
        let mut mentions: Vec<NodeId> =
            names.filter(|&n| !self.gone.iter().any(|&gone| file.is_within(n, gone))).collect();
        mentions.sort_unstable();
        mentions.dedup();
        mentions
    }

    /// Deletes the parameters with their arguments; their other uses become this type.
    pub(crate) fn unit(&self, text: &[u8]) -> Unit {
        let file = self.file;
        let mut drops = self.gone.clone();
        let mut replaced = Vec::new();
        for name in self.mentions() {
            match bounded(file, name) {
                Some(node) => {
                    drops.insert(node);
                }
                None => replaced.push(name),
            }
        }
        let ranges: Vec<Range<usize>> = drops.iter().map(|&n| file.range(n)).collect();
        let is_inside = |n: NodeId| {
            let own = file.range(n);
            ranges.iter().any(|r| *r != own && r.start <= own.start && own.end <= r.end)
        };
        let kept = replaced.iter().filter(|&&n| !is_inside(n)).map(|&n| file.replace(n, text.to_vec()));
        let drops = drops.iter().filter(|&&n| !is_inside(n)).map(|&n| without(file, n));
        Unit::together(kept.chain(drops).collect::<Vec<_>>())
    }
}

/// A unit that deletes a node, with the sign before it that stands only before type arguments: `::` in `f::<T>()`.
fn without(file: File<'_>, node: NodeId) -> Unit {
    let is_sign = |n: &NodeId| file.has(node, Role::TypeArguments) && file.node_text(*n) == b"::";
    match file.previous_sibling(node).filter(is_sign) {
        Some(sign) => file.cut(file.range(sign).start..file.range(node).end),
        None => file.drop(node),
    }
}

/// A bound of a parameter that can be deleted with the parameter, as in `where T: A`.
fn bounded(file: File<'_>, name: NodeId) -> Option<NodeId> {
    let parent = file.parent(name)?;
    let is_bound = file.next_sibling(name).is_some_and(|n| file.node_text(n).starts_with(b":"));
    let around = file.parent(parent).filter(|&n| items_of(&file, n).len() == 1 && file.is_optional(n));
    (is_bound && file.is_optional(parent)).then_some(around.unwrap_or(parent))
}

/// Whether a node begins with the mark of a lifetime.
fn is_lifetime(file: File<'_>, node: NodeId) -> bool {
    // The mark also opens a character.
    let Lexis { sigils, strings, .. } = *file.language().lexis();
    let is_mark = |c: &u8| {
        sigils.contains(&char::from(*c)) && strings.iter().any(|form| form.open.as_bytes().first() == Some(c))
    };
    file.node_text(node).first().is_some_and(is_mark)
}

/// Units that delete a lifetime wherever it stands: as a parameter, as an argument, or behind a reference.
fn lifetimes(file: File<'_>) -> Vec<Unit> {
    let mut lifetimes: BTreeMap<&[u8], BTreeSet<NodeId>> = BTreeMap::new();
    for name in file.with(Role::Name) {
        let Some(whole) = file.parent(name) else { continue };
        if is_lifetime(file, whole) && file.range(whole).end == file.range(name).end {
            lifetimes.entry(file.node_text(whole)).or_default().extend(unneeded(file, whole));
        }
    }
    let without = |gone| Unit::together(outermost(file, gone).into_iter().map(|n| file.drop(n)));
    lifetimes.into_values().filter(|gone| !gone.is_empty()).map(without).collect()
}

/// The smallest node around a lifetime that can be deleted.
fn unneeded(file: File<'_>, lifetime: NodeId) -> Option<NodeId> {
    let is_list = |n: NodeId| file.has(n, Role::TypeArguments) && items_of(&file, n).len() == 1;
    std::iter::once(lifetime).chain(file.ancestors(lifetime)).find(|&n| file.is_optional(n) || is_list(n))
}

fn is_type_parameter(file: File<'_>, name: NodeId) -> bool {
    let places = file.definition(name).map_or(&[][..], |definition| &definition.places[..]);
    places.iter().any(|place| file.ancestors(place.name).any(|n| file.has(n, Role::TypeParameters)))
}

/// The name that a node declares.
pub(crate) fn declared(file: File<'_>, node: NodeId) -> Option<NodeId> {
    let is_place =
        |n: NodeId| file.definition(n).is_some_and(|d| file.places(d).any(|place| place.name == n));
    file.children(node).find(|&n| file.has(n, Role::Name) && is_place(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::reduce;

    #[test]
    fn a_lifetime_that_is_not_static_is_not_named() {
        let text = "struct S<'a>(&'a u8);\nimpl<'a> A for S<'a> {}\n";
        let is_kept = |text: &str| text.contains("S<'a>(&'a u8)") && text.contains("A for S<'");
        let left =
            reduce(&PASS, Base::of_example("rust", text), |text| is_kept(text) && !text.contains("static"));
        assert_eq!(left, "struct S<'a>(&'a u8);\nimpl A for S<'_> {}\n");
    }

    #[test]
    fn a_type_that_is_inferred_from_a_number_becomes_one_of_numbers() {
        let text = "struct S<T> { a: T }\nimpl<T> S<T> { fn f(self) {} }\nfn g() { S { a: 0 }.f() }\n";
        let is_typed =
            |text: &str| !text.contains("a: ()") && text.contains("impl") && text.contains("f(self)");
        let is_used = |text: &str| text.contains("struct S") && text.contains("{ a: 0 }.f()");
        let left = reduce(&PASS, Base::of_example("rust", text), |text| is_typed(text) && is_used(text));
        assert_eq!(left, "struct S { a: u8 }\nimpl S { fn f(self) {} }\nfn g() { S { a: 0 }.f() }\n");
    }
}
