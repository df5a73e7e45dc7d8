//! Uses of names, and how to remove them.

use crate::{File, Source, Unit};
use lopper_languages::bindings::Space;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};
use std::collections::BTreeSet;

/// The statement around a node, or the node itself if it is a statement.
pub(crate) fn statement(tree: &Tree, node: NodeId) -> NodeId {
    let is_statement = |n: &NodeId| tree.has(*n, Role::Statement);
    std::iter::once(node).chain(tree.ancestors(node)).find(is_statement).unwrap_or(NodeId::ROOT)
}

/// What cannot stay without a name in it: a pattern among several, the case with the pattern, one entry among several of a
/// table, or the statement around the name.
pub(crate) fn user(tree: &Tree, name: NodeId) -> NodeId {
    case(tree, name).or_else(|| entry(tree, name)).unwrap_or_else(|| statement(tree, name))
}

/// The entry with a name, one among several in a table or in the list that a statement consists of: `a` or `b: a` in
/// `exports = { a, b: a }`. The fields of a structure, behind its name, may all have to be there.
fn entry(tree: &Tree, name: NodeId) -> Option<NodeId> {
    let around = std::iter::once(name).chain(tree.ancestors(name));
    let mut entries =
        around.take_while(|&n| !tree.has(n, Role::Statement)).filter(|&n| tree.has(n, Role::FieldValue));
    let entry = entries.next()?;
    let list = tree.parent(entry)?;
    let is_optional = tree.has(list, Role::Expression) || is_of_statement(tree, list);
    (is_optional && has_several(tree, list)).then_some(entry)
}

/// Whether a statement consists of a list: that of `export { a }`.
fn is_of_statement(tree: &Tree, list: NodeId) -> bool {
    tree.parent(list).is_some_and(|n| tree.has(n, Role::Statement))
}

fn has_several(tree: &Tree, list: NodeId) -> bool {
    tree.named_children(list).nth(1).is_some()
}

/// What cannot stay without a name that a pattern consists of: one pattern among several, or else the case with the pattern.
fn case(tree: &Tree, name: NodeId) -> Option<NodeId> {
    let around = std::iter::once(name).chain(tree.ancestors(name));
    let mut patterns =
        around.take_while(|&n| !tree.has(n, Role::Statement)).filter(|&n| tree.has(n, Role::Pattern));
    match (patterns.next()?, patterns.next()) {
        (alternative, Some(_)) => Some(alternative),
        (pattern, None) => Some(tree.parent(pattern).unwrap_or(pattern)),
    }
}

/// A name with the sign before it that belongs to it, as `$a` in PHP; where there is none, the name itself.
pub(crate) fn signed(file: File<'_>, name: NodeId) -> NodeId {
    let range = file.range(name);
    let is_sign = |c: u8| file.language().lexis().sigils.contains(&char::from(c));
    let around = file.parent(name).filter(|&n| {
        let whole = file.range(n);
        whole.end == range.end && whole.start + 1 == range.start && is_sign(file.text()[whole.start])
    });
    around.unwrap_or(name)
}

/// A unit that removes a use: the expression becomes a constant, a type becomes its filler, or the statement
/// is deleted.
///
/// `value` is the value of the name, if it is known.
pub(crate) fn without(file: File<'_>, node: NodeId, value: Option<Source>) -> Unit {
    let node = signed(file, node);
    if let Some(case) = case(&file, node) {
        return file.drop(case);
    }
    if let Some(constraint) = constraint(file, node) {
        return file.drop(constraint);
    }
    let (whole, is_type) = whole_type(file, node);
    if let Some(filler) = file.filler(whole).filter(|_| is_type && !is_object(file, whole)) {
        return file.replace(whole, filler);
    }
    let mut items = [Some(node), file.parent(node)].into_iter().flatten();
    let begins = |item: NodeId| file.range(item).start == file.range(node).start;
    if let Some(item) = items.find(|&item| file.has(item, Role::FieldValue) && begins(item)) {
        let stays = |list: NodeId| has_several(&file, list) || !is_of_statement(&file, list);
        return file.drop(if file.parent(item).is_none_or(stays) { item } else { statement(&file, item) });
    }
    let reached = reached(file, whole);
    let gone = |node| file.drop(user(&file, node));
    if file.has(reached, Role::Target)
        && let Some(assignment) = file.parent(reached)
    {
        let assigned = file.child_with(assignment, Role::Value);
        let assigned = assigned.filter(|_| !is_alone(&file, assignment));
        return assigned.map_or_else(|| gone(assignment), |n| file.replace(assignment, n));
    }
    let constant = || file.language().constants().first().map(|&text| Source::text(text));
    match value.or_else(constant).filter(|_| file.has(reached, Role::Expression)) {
        Some(value) => file.replace(reached, value),
        None => gone(node),
    }
}

/// A unit that removes a use as [`without`] does or, if it is in a list of values, with the entry of the outermost one: with
/// `["a", f]` for `f` in a table `[["a", f], ["b", g]]`.
pub(crate) fn without_entry(file: File<'_>, node: NodeId) -> Unit {
    let is_separator = |n: Option<NodeId>| n.is_some_and(|n| file.has(n, Role::Separator));
    let is_entry = |&n: &NodeId| {
        let Some(list) = file.parent(n) else { return false };
        let before = || file.children(list).take_while(|&other| other != n).last();
        file.has(list, Role::Expression)
            && (is_separator(file.tree().next_sibling(n)) || is_separator(before()))
    };
    let path =
        || std::iter::once(node).chain(file.ancestors(node)).take_while(|&n| !file.has(n, Role::Statement));
    match path().filter(is_entry).last() {
        Some(entry) if file.has(entry, Role::Expression) || file.has(entry, Role::FieldValue) => {
            file.drop(entry)
        }
        _ => without(file, node, None),
    }
}

/// What goes with a name that a constraint begins with: the constraint, its list if it is alone there, or what has the list.
fn constraint(file: File<'_>, name: NodeId) -> Option<NodeId> {
    let types = std::iter::once(name).chain(file.ancestors(name)).take_while(|&n| file.has(n, Role::Type));
    let constraint = types.filter(|&n| file.has(n, Role::Constraint)).last()?;
    let mut around = std::iter::once(constraint).chain(file.ancestors(constraint));
    let goes = around.find(|&n| file.is_optional(n)).filter(|&n| !file.has(n, Role::Statement))?;
    let list = file.parent(goes).filter(|&n| file.is_optional(n) && file.named_children(n).count() == 1);
    Some(list.unwrap_or(goes))
}

/// The type that a name stands for, with its path and its type arguments: `a.Map<b>` for `Map`; the name itself if it is
/// no type. And whether it is one that has a filler.
pub(crate) fn whole_type(file: File<'_>, name: NodeId) -> (NodeId, bool) {
    let is_type = |n: NodeId| file.has(n, Role::Type) && file.filler(n).is_some();
    let is_other = |n: NodeId| file.has(n, Role::TypeArguments) || is_access(file, n);
    let mut whole = name;
    while let Some(parent) = file.parent(whole).filter(|&n| is_type(n)) {
        let is_no_type = file.has(whole, Role::Type) && file.filler(whole).is_none();
        if file.range(parent) != file.range(whole) && !is_no_type && !file.children(parent).any(is_other) {
            break;
        }
        whole = parent;
    }
    (whole, is_type(whole))
}

/// Whether a token stands between the name of something and the name of what is within it.
pub(crate) fn is_access(file: File<'_>, node: NodeId) -> bool {
    let text = file.node_text(node);
    matches!(text, b"." | b"::")
        && file.language().lexis().accesses.iter().any(|sign| sign.as_bytes() == text)
}

/// Whether this is what a call calls.
pub(crate) fn is_called(file: File<'_>, node: NodeId) -> bool {
    let is_call = file.parent(node).is_some_and(|around| file.has(around, Role::Call));
    is_call && file.is_named(node) && !file.has(node, Role::Arguments)
}

/// Whether something within this is accessed: `Map::<a>` in `Map::<a>::new()`.
pub(crate) fn is_object(file: File<'_>, node: NodeId) -> bool {
    file.next_sibling(node).is_some_and(|n| is_access(file, n))
}

/// The widest expression that accesses something through a name: `a[1].b` for `a`.
fn reached(file: File<'_>, name: NodeId) -> NodeId {
    let mut node = name;
    while let Some(parent) = file.parent(node) {
        let is_access =
            file.has(parent, Role::Access) || file.has(parent, Role::Expression) && is_object(file, node);
        if !is_access || file.children(parent).find(|&n| file.is_named(n)) != Some(node) {
            break;
        }
        node = parent;
    }
    node
}

/// Whether an assignment is a statement of its own.
pub(crate) fn is_alone(tree: &Tree, assignment: NodeId) -> bool {
    let is_statement = |n: NodeId| tree.has(n, Role::Statement);
    is_statement(assignment)
        || tree.parent(assignment).is_some_and(|n| is_statement(n) && tree.named_children(n).count() == 1)
}

/// The names of a file that stand for something without an object before them.
pub(crate) fn taken_names(file: File<'_>) -> BTreeSet<&[u8]> {
    let definitions = file.definitions().filter(|d| d.sort.space() != Space::Field);
    definitions.flat_map(|d| d.places.iter().map(move |place| file.node_text(place.name))).collect()
}

/// The names of one letter, then those of two, and so on.
pub(crate) fn short_names() -> impl Iterator<Item = String> {
    let longer = |names: &Vec<String>| {
        let add = |name: &String| ('a'..='z').map(|c| format!("{name}{c}")).collect::<Vec<_>>();
        Some(names.iter().flat_map(add).collect())
    };
    std::iter::successors(Some(('a'..='z').map(String::from).collect()), longer).flatten()
}

/// Short names that no token of a file equals.
pub(crate) fn free_short_names(file: File<'_>) -> impl Iterator<Item = String> {
    let taken: BTreeSet<&[u8]> = file.tokens().iter().map(|token| &file.text()[token.range()]).collect();
    short_names().filter(move |name| !taken.contains(name.as_bytes()))
}

/// A name that stands for nothing else: the old one, perhaps with underscores.
pub(crate) fn free_name(old: &[u8], taken: &BTreeSet<&[u8]>) -> Vec<u8> {
    let mut name = old.to_vec();
    while taken.contains(&name[..]) {
        name.push(b'_');
    }
    name
}
