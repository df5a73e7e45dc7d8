//! Deletes nodes with their separators, their terminators and their lines; emptied blocks get fillers.

use crate::Base;
use lopper_languages::Parsed;
use lopper_languages::edit::{Edit, FileId};
use lopper_languages::layout::deletion;
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

/// Adds the edits that remove `nodes`. O(n log n) for n nodes, plus all their siblings.
pub(crate) fn remove(base: &Base, nodes: Vec<(FileId, NodeId)>, edits: &mut Vec<Edit>) {
    let with_parent = |(file, node): (FileId, NodeId)| {
        let parent = base.file(file).tree().parent(node);
        (file, parent.unwrap_or(NodeId::ROOT), node)
    };
    let mut nodes: Vec<_> = nodes.into_iter().map(with_parent).collect();
    nodes.sort_unstable();
    nodes.dedup();
    for siblings in nodes.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (file, parent, _) = siblings[0];
        let gone: Vec<NodeId> = siblings.iter().map(|s| s.2).collect();
        if gone == [NodeId::ROOT] {
            edits.push(Edit::delete(file, 0..base.file(file).text.len()));
        } else {
            remove_siblings(base.file(file), file, parent, &gone, edits);
        }
    }
}

/// Removes `gone` (sorted, not empty) from the children of `parent`.
fn remove_siblings(file: &Parsed, id: FileId, parent: NodeId, gone: &[NodeId], edits: &mut Vec<Edit>) {
    let tree = file.tree();
    let children: Vec<NodeId> = tree.children(parent).collect();
    let goes = |n: &NodeId| gone.binary_search(n).is_ok();
    if let Some(filler) = tree.filler(parent).filter(|_| tree.has(parent, Role::Block))
        && children.iter().filter(|&&n| is_content(tree, n)).all(goes)
    {
        edits.push(Edit::replace(id, tree.range(parent), filler.as_bytes()));
        return;
    }
    let role = |i: usize, role: Role| children.get(i).is_some_and(|&n| tree.has(n, role));
    // Separators belong to items, not to the comments between them.
    let is_comment = |n: &NodeId| tree.has(*n, Role::Comment);
    for &comment in gone.iter().filter(|n| is_comment(n)) {
        edits.push(Edit::delete(id, deletion(file, tree.range(comment))));
    }
    let goes = |n: &NodeId| goes(n) && !is_comment(n);
    let mut i = 0;
    while i < children.len() {
        if !goes(&children[i]) {
            i += 1;
            continue;
        }
        // A run of deleted children, with the separators between them.
        let first = i;
        let mut last = i;
        loop {
            let next = last + 1 + usize::from(punctuates(tree, children.get(last + 1)));
            if !children.get(next).is_some_and(goes) {
                break;
            }
            last = next;
        }
        i = last + 1;
        let mut range = tree.range(children[first]).start..tree.range(children[last]).end;
        if punctuates(tree, children.get(last + 1)) {
            range.end = tree.range(children[last + 1]).end;
            i += 1;
        } else if first > 0 && role(first - 1, Role::Separator) {
            range.start = tree.range(children[first - 1]).start;
        }
        edits.push(Edit::delete(id, deletion(file, range)));
    }
}

fn is_content(tree: &Tree, node: NodeId) -> bool {
    tree.is_named(node) && !tree.has(node, Role::Comment)
}

fn punctuates(tree: &Tree, node: Option<&NodeId>) -> bool {
    node.is_some_and(|&n| tree.has(n, Role::Separator) || tree.has(n, Role::Terminator))
}
