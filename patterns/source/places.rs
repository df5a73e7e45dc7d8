//! What may vary in source code: nodes, groups of equal texts, values, the order of statements, and the places where
//! further ones may stand.

use crate::bisection::Value;
use crate::corpus::is_list;
use crate::drawing::{Opening, Place};
use crate::find::is_operator;
use crate::literals::{integer, length};
use crate::pattern::Sort;
use lopper_languages::Parsed;
use lopper_languages::bindings::{self, Definition};
use lopper_languages::layout::Layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The greatest number, and the longest string, that are tried at the end of a range.
const GREATEST: i64 = i32::MAX as i64;
const LONGEST: i64 = 2000;

/// Blocks with more statements are not tried in other orders.
const MOST_STATEMENTS: usize = 12;

pub(super) fn sorts(file: &Parsed, node: usize) -> Vec<Sort> {
    let tree = file.tree();
    let id = NodeId(node as u32);
    let others = [Role::Comment, Role::Separator, Role::Terminator];
    if node == 0 || tree.range(id).is_empty() || tree.is_error(id) || others.iter().any(|&r| tree.has(id, r))
    {
        return Vec::new();
    }
    let roles = [Role::Statement, Role::Expression, Role::Type];
    let role = roles.into_iter().find(|&role| tree.has(id, role) && !is_given(file, id));
    let mut sorts: Vec<Sort> = role.map(Sort::Role).into_iter().collect();
    if tree.has(id, Role::Literal) {
        sorts.push(Sort::Kind(tree.kind_name(id).to_owned()));
    }
    if is_operator(file, id) {
        sorts.push(Sort::Operator);
    }
    sorts
}

/// Whether a node is the name of a function, parameter or type where it is defined: nothing but a name can stand there.
fn is_given(file: &Parsed, node: NodeId) -> bool {
    let bindings = file.bindings(0);
    let definition = bindings.of(node).map(|definition| &bindings.definitions()[definition]);
    let is_place = |definition: &Definition| definition.places.iter().any(|place| place.name == node);
    definition.is_some_and(|known| known.sort != bindings::Sort::Variable && is_place(known))
}

/// All occurrences of a name, and literals that occur several times.
pub(super) fn groups(file: &Parsed, is_open: &dyn Fn(usize) -> bool) -> Vec<Opening> {
    let tree = file.tree();
    let bindings = file.bindings(0);
    let mut groups: Vec<(Sort, Vec<NodeId>)> = Vec::new();
    let mut done: BTreeSet<NodeId> = BTreeSet::new();
    let mut literals: BTreeMap<(&str, &[u8]), Vec<NodeId>> = BTreeMap::new();
    for node in tree.nodes().filter(|&n| is_open(n.0 as usize)) {
        if tree.has(node, Role::Name) && tree.is_leaf(node) && !done.contains(&node) {
            let mut all = bindings.occurrences(node);
            if !all.contains(&node) {
                all = vec![node];
            }
            done.extend(all.iter().copied());
            all.retain(|n| is_open(n.0 as usize));
            groups.push((Sort::Role(Role::Name), all));
        } else if tree.has(node, Role::Literal) {
            literals.entry((tree.kind_name(node), file.node_text(node))).or_default().push(node);
        }
    }
    for ((kind, _), nodes) in literals.into_iter().filter(|(_, nodes)| nodes.len() > 1) {
        groups.push((Sort::Kind(kind.to_owned()), nodes));
    }
    let opening = |(sort, nodes): (Sort, Vec<NodeId>)| {
        let places: Vec<Place> = nodes.into_iter().map(|n| Place::Node(n.0 as usize)).collect();
        Opening { coupled: places.len() > 1, ..Opening::new(sort, places) }
    };
    groups.into_iter().map(opening).collect()
}

pub(super) fn values(file: &Parsed, is_open: &dyn Fn(usize) -> bool) -> Vec<Value> {
    let tree = file.tree();
    let literals = tree.nodes().filter(|&n| is_open(n.0 as usize) && tree.has(n, Role::Literal));
    let value = |literal: NodeId| {
        let (text, node) = (file.node_text(literal), literal.0 as usize);
        let number = integer(text).map(|own| Value { node, is_length: false, own, most: GREATEST });
        number.or_else(|| length(text).map(|own| Value { node, is_length: true, own, most: LONGEST }))
    };
    literals.filter_map(value).filter(|value| (0..=value.most).contains(&value.own)).collect()
}

/// Each two neighbours exchanged, and all in reverse.
pub(super) fn orders(file: &Parsed, is_open: &dyn Fn(usize) -> bool) -> Vec<(usize, Vec<Vec<u8>>)> {
    let tree = file.tree();
    let mut orders = Vec::new();
    for block in tree.nodes().filter(|&n| is_open(n.0 as usize) && tree.has(n, Role::Block)) {
        let statements = tree.children(block).filter(|&n| tree.has(n, Role::Statement));
        let ranges: Vec<Range<usize>> = statements.map(|n| tree.range(n)).collect();
        if !(2..=MOST_STATEMENTS).contains(&ranges.len()) {
            continue;
        }
        let in_order = |order: &[usize]| {
            let (mut text, mut at) = (Vec::new(), 0);
            for (range, &other) in ranges.iter().zip(order) {
                text.extend_from_slice(&file.text[at..range.start]);
                text.extend_from_slice(&file.text[ranges[other].clone()]);
                at = range.end;
            }
            text.extend_from_slice(&file.text[at..]);
            text
        };
        let own: Vec<usize> = (0..ranges.len()).collect();
        let mut texts = Vec::new();
        for first in 1..own.len() {
            let mut order = own.clone();
            order.swap(first - 1, first);
            texts.push(in_order(&order));
        }
        texts.push(in_order(&own.iter().rev().copied().collect::<Vec<_>>()));
        orders.push((block.0 as usize, texts));
    }
    orders
}

/// Before, between and behind the statements of blocks and the items of lists.
pub(super) fn gaps(file: &Parsed, is_open: &dyn Fn(usize) -> bool) -> Vec<Opening> {
    let tree = file.tree();
    let mut gaps = Vec::new();
    for node in tree.nodes().filter(|&n| is_open(n.0 as usize)) {
        let kind = tree.kind_name(node).to_owned();
        let (sort, is_block) = match () {
            () if tree.has(node, Role::Block) => (Sort::Statements(kind), true),
            () if is_list(file, node) => (Sort::Items(kind), false),
            () => continue,
        };
        let parent = node.0 as usize;
        let is_item = |&n: &NodeId| {
            let others = [Role::Separator, Role::Terminator, Role::Comment];
            tree.is_named(n) && !others.iter().any(|&role| tree.has(n, role)) && !tree.range(n).is_empty()
        };
        let items: Vec<NodeId> = tree.children(node).filter(is_item).collect();
        let mut places: Vec<Place> = Vec::new();
        for item in &items {
            let (before, at) = (Some(item.0 as usize), tree.range(*item).start);
            places.push(Place::Gap { parent, before, at });
        }
        // Between two items of a list it would be unclear whose separators are whose.
        if !is_block {
            places.truncate(1);
        }
        // Behind the last item, before what closes the list. By indentation the end of a block is the end of its
        // last line: only the last statement of the file may have several.
        let is_indented = is_block && file.language.layout() == Layout::Indented;
        let last = items.last().map(|&last| tree.range(last).end);
        let after = last.or_else(|| tree.children(node).next().map(|open| tree.range(open).end));
        let closing = tree.children(node).find(|&n| {
            tree.range(n).start >= last.unwrap_or(0) && Some(n) != tree.children(node).next() && !is_item(&n)
        });
        let is_long = last.is_some_and(|end| {
            let start = items.last().map_or(end, |&last| tree.range(last).start);
            file.text[start..end].contains(&b'\n')
        });
        let after = match () {
            () if parent == 0 => Some(file.text.len()).filter(|_| file.text.last() == Some(&b'\n')),
            () if is_indented && is_long => None,
            () => after,
        };
        if let Some(at) = after {
            let at = if is_block { end_of_statement(file, node, at) } else { at };
            let closing = closing.filter(|&n| tree.range(n).start >= at);
            places.push(Place::Gap { parent, before: closing.map(|n| n.0 as usize), at });
        }
        gaps.extend(places.into_iter().map(|place| Opening::new(sort.clone(), vec![place])));
    }
    gaps
}

/// Where a statement's own end is, with the punctuation that ends it.
fn end_of_statement(file: &Parsed, block: NodeId, at: usize) -> usize {
    let tree = file.tree();
    let mut ends =
        tree.children(block).filter(|&n| tree.has(n, Role::Terminator) && tree.range(n).start >= at);
    ends.next().map_or(at, |end| tree.range(end).end)
}
