//! Passes for C++.

pub(crate) mod abbreviated_templates;
pub(crate) mod aggregates;
pub(crate) mod autos;
pub(crate) mod casts;
pub(crate) mod classes;
pub(crate) mod complete;
pub(crate) mod concepts;
pub(crate) mod declarations;
pub(crate) mod default_objects;
pub(crate) mod functors;
mod guards;
pub(crate) mod in_class;
pub(crate) mod items;
pub(crate) mod lambdas;
pub(crate) mod member_types;
pub(crate) mod members;
pub(crate) mod namespaces;
mod objects;
pub(crate) mod operator_calls;
pub(crate) mod operator_functions;
pub(crate) mod scoped_enums;
mod spaces;
pub(crate) mod structs;
pub(crate) mod structured_bindings;
pub(crate) mod templates;
pub(crate) mod traits;

use crate::File;
use lopper_languages::tree::NodeId;
use std::ops::Range;

/// Whether a node is one of these outermost nodes, or lies in one. O(log nodes).
fn is_in(file: File<'_>, node: NodeId, outer: &[NodeId]) -> bool {
    let behind = outer.partition_point(|&n| n <= node);
    outer[..behind].last().is_some_and(|&n| file.is_within(node, n))
}

/// A part with the blanks behind it, but not beyond `end`.
fn with_blanks_behind(file: File<'_>, part: Range<usize>, end: usize) -> Range<usize> {
    let blanks = file.text()[part.end..end].iter().take_while(|c| c.is_ascii_whitespace()).count();
    part.start..part.end + blanks
}

/// The text of a range with other texts in place of some disjoint parts of it.
fn text_with(file: File<'_>, range: Range<usize>, mut changes: Vec<(Range<usize>, Vec<u8>)>) -> Vec<u8> {
    changes.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut text, mut end) = (Vec::new(), range.start);
    for (changed, by) in changes {
        // What lies in a part that is replaced, or outside the range, needs no change.
        if changed.start >= end && changed.end <= range.end {
            text.extend_from_slice(&file.text()[end..changed.start]);
            text.extend(by);
            end = changed.end;
        }
    }
    text.extend_from_slice(&file.text()[end..range.end]);
    text
}
