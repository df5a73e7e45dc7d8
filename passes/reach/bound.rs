//! The statements of a file as items, in languages whose bindings find every use of a name.

use super::{Reach, items_of, mention};
use crate::File;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

/// What the statements at the level of the file reach. O(n log n) for n nodes and tokens.
pub(super) fn reach(file: File<'_>) -> Reach {
    let bindings = file.bindings();
    let tree = file.tree();
    let statements = file.children(NodeId::ROOT).filter(|&node| file.has(node, Role::Statement));
    let mut items = items_of(file, statements);
    mention(file, &mut items, |_, _| None);
    // Only what is visible in the whole file is used by other statements.
    let shared = (0..).zip(bindings.definitions()).filter(|(_, known)| known.scope == NodeId::ROOT);
    let names: BTreeMap<usize, u32> = (0..).zip(shared).map(|(name, (at, _))| (at, name)).collect();
    for item in &mut items {
        let mentioned = bindings.within(tree, item.node);
        item.mentions = mentioned.filter_map(|(_, at)| names.get(&at).copied()).collect();
        item.mentions.sort_unstable();
        item.mentions.dedup();
    }
    for (at, &name) in &names {
        for place in &bindings.definitions()[*at].places {
            let found = items.binary_search_by(|item| match tree.is_within(place.name, item.node) {
                true => std::cmp::Ordering::Equal,
                false => item.node.cmp(&place.name),
            });
            if let Ok(item) = found {
                items[item].names.push(name);
            }
        }
    }
    Reach::new(file.id, items, names.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Base;

    #[test]
    fn what_only_one_assertion_uses_goes_with_it() {
        let text = "(declare-fun a () Int)\n(define-fun b () Int (+ a 1))\n(declare-fun c () Int)\n(assert (= b 1))\n(assert (let ((a c)) (= a 2)))\n";
        let base = Base::of_example("smtlib", text);
        let file = File { id: 0, parsed: base.file(0) };
        let reach = reach(file);
        let roots: Vec<&[u8]> = reach.roots().map(|node| file.node_text(node)).collect();
        assert_eq!(roots, [&b"(assert (= b 1))"[..], b"(assert (let ((a c)) (= a 2)))"]);
        assert_eq!((reach.without(&[0]).len(), reach.without(&[1]).len()), (3, 2));
    }
}
