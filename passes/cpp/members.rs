//! Moves a member that needs no object out of its class: a method becomes a function, a static field a variable, and the
//! objects before its name go. So does a function that a class defines as its friend.

use super::classes::members;
use super::{text_with, with_blanks_behind};
use crate::c::{all, at, child, is};
use crate::uses::statement;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::tree::NodeId;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "members",
    summary: "moves a member that needs no object out of its class",
    languages: &["cpp"],
    pump: true,
    examples: &[
        Example {
            language: "cpp",
            before: "struct a { int b; virtual int f(int c) const { return c; } int g() { return f(b); } a h(); };\na x;\nint y = x.f(1) + x.g() + x.h().b;\n",
            keep: &[
                "struct a { ",
                "int b;",
                "int f(int c) ",
                "{ return c; }",
                "return f(b);",
                "a h();",
                "1) + x.g() + ",
                ".b;",
            ],
            after: "int f(int c) { return c; }\nstruct a { int b; int g() { return f(b); } };\na h();\na x;\nint y = f(1) + x.g() + h().b;\n",
        },
        Example {
            language: "cpp",
            before: "namespace n {\nstruct a { static inline int b; static int c; static int f(int); };\nint a::c = 2;\nint a::f(int d) { return d + c; }\n}\nint x = n::a::b + n::a::f(n::a::c);\n",
            keep: &["struct a { ", "int b;", "c = 2;", "f(int);", "d + c", "b + ", "f("],
            after: "namespace n {\ninline int b;\nint f(int);\nstruct a { };\nint c = 2;\nint f(int d) { return d + c; }\n}\nint x = n::b + n::f(n::c);\n",
        },
        Example {
            language: "cpp",
            before: "class a { int b; friend int f(a c) { return c.b; } friend class g; };\nint d = f({});\n",
            keep: &["a { int b; ", "f(a c) { return c.b; }", "friend class g;", "\nint d = f({});"],
            after: "class a { int b; friend class g; };\nint f(a c) { return c.b; }\nint d = f({});\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let moved = PASS.files(base).flat_map(|file| {
        let taken = names_outside(file);
        let classes = members(file).into_iter();
        let classes = classes.filter_map(|(body, members)| Some((Class::new(file, body)?, members)));
        let friends = all(file, "friend_declaration").filter_map(|friend| befriended(file, friend));
        let units = classes.flat_map(|(class, members)| {
            let is_free =
                |d: &&Definition| d.places.first().is_some_and(|p| !taken.contains(file.node_text(p.name)));
            members.into_iter().filter(is_free).filter_map(move |d| class.without(d)).collect::<Vec<_>>()
        });
        units.chain(friends).collect::<Vec<_>>()
    });
    vec![Group::deletions(moved).doubtful()]
}

/// The names of what is defined outside classes.
fn names_outside(file: File<'_>) -> BTreeSet<&[u8]> {
    let others = file.definitions().enumerate().filter(|(index, _)| !file.bindings().is_member(*index));
    others.flat_map(|(_, d)| d.places.iter().map(move |place| file.node_text(place.name))).collect()
}

fn lines(texts: &[Vec<u8>]) -> Vec<u8> {
    texts.iter().flat_map(|text| [&text[..], b"\n"].concat()).collect()
}

/// Moves a function behind the class that defines it as its friend.
fn befriended(file: File<'_>, friend: NodeId) -> Option<Unit> {
    let class = Class::new(file, file.parent(friend)?)?;
    let is_function = |&n: &NodeId| matches!(file.kind_name(n), "function_definition" | "declaration");
    let text = free_text(file, file.children(friend).find(is_function)?, Vec::new());
    Some(Unit::together([file.drop(friend), class.followed_by(&[text])]))
}

/// A class among other definitions.
struct Class<'a> {
    file: File<'a>,
    body: NodeId,
    /// The statement that defines the class.
    whole: NodeId,
    /// The lists of the template's parameters, if it is a template.
    parameters: Option<NodeId>,
    name: Option<NodeId>,
}

impl<'a> Class<'a> {
    fn new(file: File<'a>, body: NodeId) -> Option<Self> {
        let class = file.parent(body)?;
        let whole = statement(&file, class);
        let template = Some(whole).filter(|&n| is(&file, n, "template_declaration"));
        let around = file.parent(whole)?;
        matches!(file.kind_name(around), "translation_unit" | "declaration_list").then_some(())?;
        let parameters = template.and_then(|n| child(&file, n, "template_parameter_list"));
        Some(Self { file, body, whole, parameters, name: child(&file, class, "type_identifier") })
    }

    /// Moves what a member's name stands for out of the class.
    fn without(&self, definition: &Definition) -> Option<Unit> {
        let file = self.file;
        let (mut before, mut behind, mut units) = (Vec::new(), Vec::new(), Vec::new());
        let wholes: BTreeSet<NodeId> =
            file.places(definition).map(|place| statement(&file, place.name)).collect();
        let is_outside = |&n: &NodeId| file.parent(n) != Some(self.body);
        let is_defined_outside = wholes.iter().any(is_outside);
        for &whole in &wholes {
            let member = Member::new(file, whole, definition).filter(|_| self.is_free(whole, definition))?;
            if is_outside(&whole) {
                units.extend(member.qualifier.clone().map(|range| file.cut(range)));
                continue;
            }
            if !member.is_method && !member.is_static {
                return None;
            }
            units.push(file.drop(whole));
            if member.is_method || !is_defined_outside {
                let text = free_text(file, whole, Vec::new());
                if self.mentions_class(whole) { behind.push(text) } else { before.push(text) }
            }
        }
        if !before.is_empty() {
            units.push(file.write(at(&file, self.whole), lines(&before)));
        }
        if !behind.is_empty() {
            units.push(self.followed_by(&behind));
        }
        units.extend(without_objects(file, definition).into_iter().map(|range| file.cut(range)));
        Some(Unit::together(units))
    }

    /// Adds declarations behind the class.
    fn followed_by(&self, declarations: &[Vec<u8>]) -> Unit {
        let file = self.file;
        let semicolon = file.next_sibling(self.whole).filter(|&n| is(&file, n, ";"));
        let end = file.range(semicolon.unwrap_or(self.whole)).end;
        file.write(end..end, [&b"\n"[..], lines(declarations).trim_ascii_end()].concat())
    }

    /// Whether a member mentions neither an object of the class nor anything else that is known only inside the class.
    fn is_free(&self, member: NodeId, definition: &Definition) -> bool {
        let file = self.file;
        let is_this = |n: NodeId| is(&file, n, "this");
        let is_inner = |other: &Definition| {
            let is_own = std::ptr::eq(other, definition);
            let mut places = file.places(other).filter(|place| !file.is_within(place.name, member));
            !is_own
                && places.any(|place| {
                    file.is_within(place.name, self.body)
                        || self.parameters.is_some_and(|n| file.is_within(place.name, n))
                })
        };
        let is_reached = |name: NodeId| file.parent(name).is_some_and(|n| is(&file, n, "field_expression"));
        let definitions = file.bindings().definitions();
        let mut names = file.bindings().within(&file, member).filter(|(name, _)| !is_reached(*name));
        !file.descendants(member).any(is_this) && !names.any(|(_, index)| is_inner(&definitions[index]))
    }

    fn mentions_class(&self, member: NodeId) -> bool {
        let file = self.file;
        let index = self.name.and_then(|name| file.bindings().of(name));
        index.is_some_and(|index| file.bindings().within(&file, member).any(|(_, other)| other == index))
    }
}

/// A declaration of a member.
struct Member {
    is_method: bool,
    is_static: bool,
    /// What names the class before the member's name.
    qualifier: Option<Range<usize>>,
}

impl Member {
    /// `None` if it is no plain declaration of one member.
    fn new(file: File<'_>, whole: NodeId, definition: &Definition) -> Option<Self> {
        let name = file.places(definition).map(|place| place.name).find(|&n| file.is_within(n, whole))?;
        matches!(file.kind_name(whole), "function_definition" | "field_declaration" | "declaration")
            .then_some(())?;
        let is_item = |n: &NodeId| is(&file, *n, ",");
        (!file.children(whole).any(|n| is_item(&n))).then_some(())?;
        let mut around = file.ancestors(name).take_while(|&n| n != whole);
        let is_method = around.any(|n| is(&file, n, "function_declarator"));
        let is_static = file.children(whole).any(|n| file.node_text(n) == b"static");
        let qualified = file.parent(name).filter(|&n| is(&file, n, "qualified_identifier"));
        let qualifier = qualified.map(|n| file.range(n).start..file.range(name).start);
        Some(Self { is_method, is_static, qualifier })
    }
}

/// The text of a member without what only members have, and with other texts in place of some parts.
pub(super) fn free_text(
    file: File<'_>,
    member: NodeId,
    mut changes: Vec<(Range<usize>, Vec<u8>)>,
) -> Vec<u8> {
    let declarators = file.children(member).filter(|&n| file.kind_name(n).ends_with("declarator"));
    let below = declarators.flat_map(|n| file.children(n));
    let is_of_members = |n: &NodeId| match file.kind_name(*n) {
        "virtual" | "virtual_specifier" | "explicit_function_specifier" => true,
        "storage_class_specifier" => file.node_text(*n) == b"static",
        "type_qualifier" => file.parent(*n) != Some(member),
        _ => false,
    };
    let range = file.range(member);
    changes.extend(
        file.children(member)
            .chain(below)
            .filter(is_of_members)
            .map(|part| (with_blanks_behind(file, file.range(part), range.end), Vec::new())),
    );
    let mut text = text_with(file, range, changes);
    if !text.ends_with(b";") && !text.ends_with(b"}") {
        text.push(b';');
    }
    text
}

/// What stands before the names of a member: objects, `this`, and the class.
fn without_objects(file: File<'_>, definition: &Definition) -> Vec<Range<usize>> {
    let before = |name: NodeId| {
        let whole = file.parent(name)?;
        matches!(file.kind_name(whole), "field_expression" | "qualified_identifier").then_some(())?;
        Some(file.range(whole).start..file.range(name).start)
    };
    let mut ranges: Vec<Range<usize>> = file.uses(definition).filter_map(before).collect();
    // What an object consists of goes with it: `a.f()` in `a.f().f()`.
    ranges.sort_by_key(|range| (range.start, Reverse(range.end)));
    let mut end = 0;
    ranges.retain(|range| {
        let is_outer = range.start >= end && !range.is_empty();
        end = if is_outer { range.end } else { end };
        is_outer
    });
    ranges
}
