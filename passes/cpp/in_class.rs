//! Moves the definition of a member that stands outside its class to its declaration in the class.

use super::text_with;
use crate::c::{all, child, is};
use crate::functions;
use crate::uses::statement;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "in-class",
    summary: "moves the definition of a member to its declaration in the class",
    languages: &["cpp"],
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "cpp",
            before: "struct a { a(); static int f(int b = 1); int f(); };\nint a::f(int c) { return c; }\na::a() : x(1) { }\n",
            keep: &["struct a { ", "static int f(", " { return c; }", "int f();", "a() : x(1) { }"],
            after: "struct a { a() : x(1) { } static int f(int c) { return c; } int f(); };\n",
        },
        Example {
            language: "cpp",
            before: "template <class T> struct a { T f(T); template <class U> void g(U); };\ntemplate <class V> V a<V>::f(V b) { return b; }\ntemplate <class V> template <class W> void a<V>::g(W c) { V d; }\n",
            keep: &["struct a { ", " b) { return b; }", "<class W> void ", "g(W c) { ", " d; }"],
            after: "template <class T> struct a { T f(T b) { return b; } template <class W> void g(W c) { T d; } };\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let moved = PASS.files(base).flat_map(|file| {
        let declared = declared(file);
        let outside = all(file, "function_definition").filter_map(|n| moved(file, n, &declared));
        outside.collect::<Vec<_>>()
    });
    vec![Group::deletions(moved).doubtful()]
}

/// What finds a method: the body of its class, its name, and the number of its parameters.
type Key<'a> = (NodeId, &'a [u8], usize);

/// The methods that are declared in classes without a body: the statement of each. O(nodes).
fn declared(file: File<'_>) -> BTreeMap<Key<'_>, NodeId> {
    let mut declared = BTreeMap::new();
    for body in all(file, "field_declaration_list") {
        for whole in file.named_children(body) {
            let inner = innermost(file, whole);
            let is_plain = matches!(file.kind_name(inner), "field_declaration" | "declaration");
            let Some(declarator) = declarator(file, inner).filter(|_| is_plain) else { continue };
            let Some(name) = file.children(declarator).next() else { continue };
            declared.entry((body, file.node_text(name), parameters(file, declarator))).or_insert(whole);
        }
    }
    declared
}

/// What a template declares, or the node itself.
fn innermost(file: File<'_>, whole: NodeId) -> NodeId {
    let mut inner = whole;
    while let Some(next) =
        file.named_children(inner).last().filter(|_| is(&file, inner, "template_declaration"))
    {
        inner = next;
    }
    inner
}

/// The declarator of the function that a declaration or definition is about.
fn declarator(file: File<'_>, whole: NodeId) -> Option<NodeId> {
    let mut node = whole;
    while !is(&file, node, "function_declarator") {
        node = file.children(node).find(|&n| file.kind_name(n).ends_with("_declarator"))?;
    }
    Some(node)
}

fn parameters(file: File<'_>, declarator: NodeId) -> usize {
    child(&file, declarator, "parameter_list").map_or(0, |list| file.named_children(list).count())
}

/// Moves a definition into its class.
fn moved(file: File<'_>, definition: NodeId, declared: &BTreeMap<Key<'_>, NodeId>) -> Option<Unit> {
    let declarator = declarator(file, definition)?;
    let (mut scopes, mut name) = (Vec::new(), file.children(declarator).next()?);
    let qualified = name;
    while is(&file, name, "qualified_identifier") {
        scopes.push(file.children(name).next()?);
        name = file.named_children(name).last()?;
    }
    let outer = statement(&file, definition);
    let scope = *scopes.last()?;
    let class = file.first_leaf(scope);
    let body = file
        .definition(class)
        .into_iter()
        .flat_map(|d| file.places(d))
        .find_map(|place| child(&file, file.parent(place.name)?, "field_declaration_list"))?;
    let target = *declared.get(&(body, file.node_text(name), parameters(file, declarator)))?;
    let heads = heads_of(file, outer);
    let of_member = heads_of(file, target).len();
    let (of_classes, own) = heads.split_at_checked(heads.len().checked_sub(of_member)?)?;
    let start = own.first().map_or(definition, |&head| head);
    let mut edits: Vec<(Range<usize>, Vec<u8>)> =
        vec![(file.range(qualified).start..file.range(name).start, Vec::new())];
    // The parameters of the classes' templates have other names there.
    let of_target = file.ancestors(target).filter(|&n| is(&file, n, "template_declaration"));
    for (&theirs, ours) in of_classes.iter().rev().zip(of_target) {
        let items =
            |n| child(&file, n, "template_parameter_list").map_or(vec![], |n| functions::items_of(&file, n));
        for (their, our) in items(theirs).into_iter().zip(items(ours)) {
            let name = functions::name_in(file, our)?;
            let mentions = functions::mentions(file, definition, their).into_iter();
            edits.extend(mentions.map(|n| (file.range(n), file.node_text(name).to_vec())));
        }
    }
    let specifiers = file.children(innermost(file, target)).filter(|&n| {
        matches!(file.kind_name(n), "storage_class_specifier" | "virtual" | "explicit_function_specifier")
    });
    let begin = file.range(definition).start;
    let before: Vec<u8> = specifiers.flat_map(|n| [file.node_text(n), b" "].concat()).collect();
    edits.push((begin..begin, before));
    let text = text_with(file, file.range(start).start..file.range(outer).end, edits);
    Some(Unit::together([file.drop(outer), file.replace(target, text)]))
}

/// The templates that a statement consists of, the outermost one first.
fn heads_of(file: File<'_>, whole: NodeId) -> Vec<NodeId> {
    let mut heads = Vec::new();
    let mut node = whole;
    while is(&file, node, "template_declaration") {
        heads.push(node);
        let Some(next) = file.named_children(node).last() else { break };
        node = next;
    }
    heads
}
