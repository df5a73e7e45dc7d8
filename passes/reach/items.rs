//! What the items of every language have in common: those around them, their tokens, and the names in their text.

use super::Item;
use crate::File;
use lopper_languages::tree::NodeId;

/// Items for nodes that come in the order of the text, each before those in it. An item inside another one stays with it.
/// O(n) for n nodes.
pub(crate) fn items_of(file: File<'_>, nodes: impl Iterator<Item = NodeId>) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    for node in nodes {
        while open.last().is_some_and(|&at| !file.is_within(node, items[at as usize].node)) {
            open.pop();
        }
        let parent = open.last().copied();
        open.push(items.len() as u32);
        items.push(Item::new(file, node, parent));
    }
    items
}

/// Gives items their tokens, outside of the items in them, and the names that these mention: `meant` gets the index of a token, and
/// the item. O(tokens log tokens), beside `meant`.
pub(crate) fn mention<M: IntoIterator<Item = u32>>(
    file: File<'_>,
    items: &mut [Item],
    meant: impl Fn(usize, u32) -> M,
) {
    let mut open: Vec<u32> = Vec::new();
    let mut next = 0;
    for (at, token) in file.tokens().iter().enumerate() {
        while items.get(next).is_some_and(|item| item.range.start <= token.start) {
            open.push(next as u32);
            next += 1;
        }
        while open.last().is_some_and(|&item| items[item as usize].range.end <= token.start) {
            open.pop();
        }
        let Some(&number) = open.last() else { continue };
        let item = &mut items[number as usize];
        item.tokens += 1;
        item.mentions.extend(meant(at, number));
    }
    for item in items {
        item.mentions.sort_unstable();
        item.mentions.dedup();
    }
}
