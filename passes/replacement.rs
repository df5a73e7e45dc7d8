//! The text that takes the place of a node.

use crate::functions::{Passed, arguments, cast, further_arguments, items, name_in, object, rest_mark};
use crate::operands::operand;
use crate::uses::{signed, statement};
use crate::{Base, File, Source};
use lopper_languages::bindings::{Call, Sort};
use lopper_languages::edit::{Edit, FileId};
use lopper_languages::layout;
use lopper_languages::lexer::tokens;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) fn replacement(base: &Base, id: FileId, node: NodeId, by: &Source) -> Edit {
    let file = File { id, parsed: base.file(id) };
    let place = file.range(node);
    let line = layout::line_start(file.text(), place.start);
    let blanks = file.text()[line..].iter().take_while(|c| matches!(c, b' ' | b'\t')).count();
    let indentation = &file.text()[line..place.start.min(line + blanks)];
    let expanded = |range, function, call, converted| {
        let text = layout::moved(file.parsed, Range::clone(&range), indentation);
        let call = file.bindings().call(call);
        let passed = call.map_or(vec![], |call| arguments(file, function, &call));
        let value = |passed: Passed<'_>| if converted { cast(file, &passed) } else { passed.text.to_vec() };
        let mut values: Vec<(NodeId, Vec<u8>)> = passed.into_iter().map(|p| (p.name, value(p))).collect();
        values.extend(call.into_iter().flat_map(|call| reached(file, &range, function, &call)));
        let mut by_place = call.map_or(BTreeMap::new(), |call| objects(file, &range, function, &call));
        by_place.extend(call.into_iter().flat_map(|call| spread(file, &range, function, &call)));
        rewritten(file, range, &text, &values, by_place)
    };
    let text = match *by {
        Source::Text(ref text) => text.to_vec(),
        Source::Node(source) => layout::moved(file.parsed, file.range(source), indentation),
        Source::Inside(block) => layout::moved(file.parsed, inside(base, id, block), indentation),
        Source::Expansion { what, function, call, converted } => {
            let text = expanded(file.range(what), function, call, converted);
            if file.has(what, Role::Returned) || file.has(what, Role::Expression) {
                operand(file, &text, node)
            } else {
                text
            }
        }
        Source::Spread { returned, function, call, converted, unused } => {
            let last = statement(&file, returned);
            let before = file.parent(last).map_or(place.start..place.start, |body| inside(base, id, body));
            let before = before.start..file.range(last).start;
            let before = before.start..before.start + file.text()[before].trim_ascii_end().len();
            if unused {
                return Edit::replace(id, place, expanded(before, function, call, converted));
            }
            let value = expanded(file.range(returned), function, call, converted);
            let called = file.range(call);
            let parts: [&[u8]; 6] = [
                &expanded(before, function, call, converted),
                b"\n",
                indentation,
                &file.text()[place.start..called.start],
                &operand(file, &value, call),
                &file.text()[called.end..place.end],
            ];
            parts.concat()
        }
    };
    Edit::replace(id, place, behind_field(file, node, text))
}

/// What takes the place of a name, behind the name of the field if it stands for that, too: `a: 1` for `a` in `A { a }`.
fn behind_field(file: File<'_>, name: NodeId, text: Vec<u8>) -> Vec<u8> {
    let field = file.node_text(name);
    if !file.has(name, Role::Shorthand) || text == field {
        return text;
    }
    [field, b": ", &text].concat()
}

/// What stands for the object that a method is called on, by the starts of the words for it in a range of the method: words such
/// as `this`, or the name that the method gives it before its own. Where that is a parameter, it is passed like the others.
/// O(nodes in the range).
fn objects(file: File<'_>, range: &Range<usize>, function: NodeId, call: &Call) -> BTreeMap<u32, Vec<u8>> {
    let lexis = file.language().lexis();
    let Some(object) = object(file, call) else { return BTreeMap::new() };
    let given = given_name(file, function).and_then(|name| file.bindings().of(name));
    let is_word = |n: &NodeId| lexis.is_receiver(file.node_text(*n));
    let first = items(&file, function, Role::Parameters).first().copied();
    let is_passed = first.is_some_and(|n| is_word(&n) && name_in(file, n).is_some());
    let is_meant = |n: &NodeId| match given {
        Some(_) => file.bindings().of(*n) == given,
        None => !is_passed && is_word(n),
    };
    let words = file.tree().starting_in(range.clone()).filter(is_meant);
    words.map(|n| (file.range(n).start as u32, operand(file, file.node_text(object), n))).collect()
}

/// What stands for arguments that a function takes in any number and passes on in a range, as `*a` in `f(*a)`, by the starts of the
/// tokens. O(nodes in the range).
fn spread(file: File<'_>, range: &Range<usize>, function: NodeId, call: &Call) -> BTreeMap<u32, Vec<u8>> {
    let start = |node: NodeId| file.range(node).start as u32;
    let mut by_place = BTreeMap::new();
    for (name, arguments) in further_arguments(file, function, call) {
        let text = arguments.iter().map(|&n| file.node_text(n)).collect::<Vec<_>>().join(&b", "[..]);
        for used in file.bindings().occurrences(name) {
            let passed = file.parent(used).filter(|&n| rest_mark(file, n).is_some());
            let Some(passed) = passed.filter(|_| range.contains(&file.range(used).start)) else { continue };
            by_place.insert(start(passed), text.clone());
            by_place.insert(start(used), Vec::new());
            if arguments.is_empty() {
                let is_separator = |n: &NodeId| file.has(*n, Role::Separator);
                let beside = file.previous_sibling(passed).filter(is_separator);
                let beside = beside.or_else(|| file.next_sibling(passed).filter(is_separator));
                by_place.extend(beside.map(|separator| (start(separator), Vec::new())));
            }
        }
    }
    by_place
}

/// The name of the object that a method is called on, if the method declares it before its own name, as in Go.
fn given_name(file: File<'_>, function: NodeId) -> Option<NodeId> {
    let is_before = |n: &NodeId| !file.has(*n, Role::FunctionName) && !file.has(*n, Role::Parameters);
    let before = file.children(function).take_while(is_before);
    let mut names = before.flat_map(|n| file.descendants(n)).filter(|&n| file.has(n, Role::Name));
    names.find(|&n| file.definition(n).is_some_and(|definition| definition.sort == Sort::Parameter))
}

/// The members of a method's class that a range of it names without an object, as its call reaches them: `a.b` for `b`, if the
/// call is `a.f()`.
fn reached(file: File<'_>, range: &Range<usize>, function: NodeId, call: &Call) -> Vec<(NodeId, Vec<u8>)> {
    let way = &file.text()[file.range(call.whole).start..file.range(call.callee).start];
    let class = file.parent(statement(&file, function)).filter(|&n| n != NodeId::ROOT && !way.is_empty());
    let Some(class) = class else { return Vec::new() };
    let bindings = file.bindings();
    let is_of_class = |name: NodeId| {
        let index = bindings.of(name).filter(|&index| bindings.is_member(index));
        index.is_some_and(|index| {
            let mut places = file.places(&bindings.definitions()[index]);
            places.any(|place| file.parent(statement(&file, place.name)) == Some(class))
        })
    };
    let is_bare = |name: NodeId| {
        let node = signed(file, name);
        let access = file.parent(node).filter(|&n| file.has(n, Role::Access));
        access.is_none_or(|n| file.children(n).next() == Some(node))
    };
    let mut reached: BTreeMap<usize, NodeId> = BTreeMap::new();
    let mut others: BTreeSet<usize> = BTreeSet::new();
    for name in file.tree().starting_in(range.clone()).filter(|&n| is_of_class(n)) {
        let Some(index) = bindings.of(name) else { continue };
        if is_bare(name) {
            reached.entry(index).or_insert(name);
        } else {
            others.insert(index);
        }
    }
    let reached = reached.into_iter().filter(|(index, _)| !others.contains(index));
    reached.map(|(_, name)| (name, [way, file.node_text(name)].concat())).collect()
}

/// The text of a range for another place, with other texts in place of some names: wherever the names stand
/// for the same thing. If the bindings do not know that, or the grammar does not accept the text, as in some macros, every
/// equal word is replaced unless it is the name of an object's part.
pub(crate) fn bound(
    file: File<'_>,
    what: Range<usize>,
    text: &[u8],
    values: &[(NodeId, Vec<u8>)],
) -> Vec<u8> {
    rewritten(file, what, text, values, BTreeMap::new())
}

/// The same, with further texts in place of the tokens that start at certain places.
fn rewritten(
    file: File<'_>,
    what: Range<usize>,
    text: &[u8],
    values: &[(NodeId, Vec<u8>)],
    mut by_place: BTreeMap<u32, Vec<u8>>,
) -> Vec<u8> {
    let bindings = file.bindings();
    let is_accepted = file.tree().starting_in(what.clone()).any(|n| file.has(n, Role::Name));
    let mut by_word: BTreeMap<&[u8], &[u8]> = BTreeMap::new();
    for (name, value) in values {
        let (name, value) = (*name, &value[..]);
        if !is_accepted || bindings.of(name).is_none() {
            by_word.insert(file.node_text(name), value);
            continue;
        }
        let places = bindings.occurrences(name).into_iter().map(|n| (n, token_start(file, n)));
        let places = places.filter(|(_, place)| what.contains(place));
        let value = |n| behind_field(file, n, operand(file, value, n));
        by_place.extend(places.map(|(n, place)| (place as u32, value(n))));
    }
    let lexis = file.language().lexis();
    // Both texts have the same tokens; only the white space before them may differ.
    let places = file.tokens_in(what).iter().map(|token| Some(token.start));
    let places = places.chain(std::iter::repeat(None));
    let mut out = Vec::with_capacity(text.len());
    let (mut end, mut selects) = (0, false);
    for (token, place) in tokens(text, lexis).zip(places) {
        let word = &text[token.range()];
        let by_word = || by_word.get(word).copied().filter(|_| !selects);
        let value = place.and_then(|place| by_place.get(&place)).map(Vec::as_slice).or_else(by_word);
        if value.is_none_or(|value| !value.is_empty()) {
            out.extend(&text[end..token.range().start]);
        }
        out.extend(value.unwrap_or(word));
        end = token.range().end;
        selects = lexis.is_access(word);
    }
    out.extend(&text[end..]);
    out
}

/// The start of the token that ends with a name: a sigil before the name, as in `$name`, belongs to it.
fn token_start(file: File<'_>, name: NodeId) -> usize {
    let start = file.range(name).start;
    let before = file.text()[..start].last().copied().map(char::from);
    start - usize::from(before.is_some_and(|c| file.language().lexis().sigils.contains(&c)))
}

/// The byte range of a block's contents: its children without the brackets at the ends.
pub fn inside(base: &Base, id: FileId, block: NodeId) -> Range<usize> {
    let file = base.file(id);
    let tree = file.tree();
    let range = tree.range(block);
    let is_content = |n: &NodeId| tree.is_named(*n) || tree.has(*n, Role::Terminator);
    let mut content = tree.children(block).filter(is_content);
    let Some(first) = content.next() else { return range.start..range.start };
    let last = content.last().unwrap_or(first);
    tree.range(first).start..tree.range(last).end
}
