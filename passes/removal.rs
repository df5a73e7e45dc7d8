//! Deletes nodes with their separators, their terminators and their lines; emptied blocks and places of bodies get fillers.

use crate::Base;
use lopper_languages::Parsed;
use lopper_languages::edit::{Edit, FileId};
use lopper_languages::layout::{self, Layout, deletion};
use lopper_languages::role::Role;
use lopper_languages::tree::{NodeId, Tree};

/// Adds the edits that remove `nodes`. O(n log n) for n nodes, plus the depth of their previous siblings.
pub(crate) fn remove(base: &Base, nodes: Vec<(FileId, NodeId)>, edits: &mut Vec<Edit>) {
    let known = edits.len();
    add_removals(base, nodes, edits);
    take_spare_lines(base, &mut edits[known..]);
}

/// Lets deletions of whole lines take blank lines with them that would pile up: those between two of them, and the fewer of those before
/// and behind them.
fn take_spare_lines(base: &Base, edits: &mut [Edit]) {
    edits.sort_by_key(|edit| (edit.file, edit.start));
    let text = |edit: &Edit| &base.file(edit.file).text[..];
    let are_lines = |edit: &Edit| {
        let ends = |at: usize| at == 0 || text(edit)[at - 1] == b'\n';
        let is_free = base.file(edit.file).language.layout() != Layout::Exact;
        is_free && edit.text.is_empty() && edit.end > edit.start && ends(edit.start) && ends(edit.end)
    };
    let follows = |edit: &Edit, next: &Edit| {
        let between = text(edit).get(edit.end..next.start);
        edit.file == next.file && between.is_some_and(|between| between.iter().all(u8::is_ascii_whitespace))
    };
    for lines in edits.chunk_by_mut(|edit, next| are_lines(edit) && are_lines(next) && follows(edit, next)) {
        let start = lines[0].start;
        for at in 1..lines.len() {
            lines[at - 1].end = lines[at].start;
        }
        if let Some(last) = lines.last_mut().filter(|edit| are_lines(edit)) {
            last.end = layout::behind_spare_lines(text(last), start, last.end);
        }
    }
}

fn add_removals(base: &Base, nodes: Vec<(FileId, NodeId)>, edits: &mut Vec<Edit>) {
    let with_parent = |(file, node): (FileId, NodeId)| {
        let parent = base.file(file).tree().parent(node);
        (file, parent.unwrap_or(NodeId::ROOT), node)
    };
    let mut nodes: Vec<_> = nodes.into_iter().map(with_parent).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let emptied = |siblings: &[(FileId, NodeId, NodeId)]| {
        let (file, parent, _) = siblings[0];
        let gone = |n: NodeId| siblings.binary_search_by_key(&n, |sibling| sibling.2).is_ok();
        declares_nothing(base.file(file).tree(), parent, gone).then_some((file, parent))
    };
    let wholes: Vec<_> = nodes.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter_map(emptied).collect();
    if !wholes.is_empty() {
        nodes.retain(|&(file, parent, _)| wholes.binary_search(&(file, parent)).is_err());
        nodes.extend(wholes.into_iter().map(with_parent));
        nodes.sort_unstable();
        nodes.dedup();
    }
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

/// Whether what is left of a statement in a block, once these children are gone, is only a type: that of the declared names,
/// which are all gone. A type that defines or declares a name itself, such as `struct s`, stays.
fn declares_nothing(tree: &Tree, statement: NodeId, gone: impl Fn(NodeId) -> bool) -> bool {
    let is_in_block = |n: NodeId| tree.parent(n).is_some_and(|parent| tree.has(parent, Role::Block));
    if !tree.has(statement, Role::Statement) || !is_in_block(statement) {
        return false;
    }
    let mut left = tree.children(statement).filter(|&n| tree.is_named(n) && !gone(n));
    let a_type = left.next().filter(|&n| tree.has(n, Role::Type));
    a_type.is_some_and(|n| left.next().is_none() && !tree.children(n).any(|part| tree.is_named(part)))
}

/// Removes `gone` (sorted, not empty) from the children of `parent`.
fn remove_siblings(file: &Parsed, id: FileId, parent: NodeId, gone: &[NodeId], edits: &mut Vec<Edit>) {
    let tree = file.tree();
    let gone = with_attributes(tree, gone);
    let goes = |n: &NodeId| gone.binary_search(n).is_ok();
    if let Some(filler) = tree.filler(parent).filter(|_| tree.has(parent, Role::Block))
        && tree.children(parent).filter(|&n| is_content(tree, n)).all(|n| goes(&n))
    {
        edits.push(Edit::replace(id, tree.range(parent), filler.as_bytes()));
        return;
    }
    // Separators belong to items, not to the comments between them.
    let is_comment = |n: &NodeId| tree.has(*n, Role::Comment);
    for &comment in gone.iter().filter(|n| is_comment(n)) {
        edits.push(Edit::delete(id, deletion(file, tree.range(comment))));
    }
    // A statement must stay where a body is, as behind `if (a)`.
    let filler = |n: NodeId| tree.filler(n).filter(|_| tree.has(n, Role::Body) && !tree.is_optional(n));
    for (&node, filler) in gone.iter().filter_map(|n| Some((n, filler(*n)?))) {
        edits.push(Edit::replace(id, tree.range(node), filler.as_bytes()));
    }
    let goes = |n: &NodeId| goes(n) && !is_comment(n) && filler(*n).is_none();
    let mut rest = gone.iter().copied().filter(goes).peekable();
    while let Some(first) = rest.next() {
        // A run of deleted children, with the separators between them.
        let mut last = first;
        let punctuation = loop {
            let punctuation = tree.next_sibling(last).filter(|&n| punctuates(tree, n));
            let next = tree.next_sibling(punctuation.unwrap_or(last));
            rest.next_if(|&n| Some(n) == punctuation);
            match rest.next_if(|&n| Some(n) == next) {
                Some(next) => last = next,
                None => break punctuation,
            }
        };
        let mut range = tree.range(first).start..tree.range(last).end;
        if let Some(punctuation) = punctuation {
            range.end = tree.range(punctuation).end;
        } else if let Some(before) = tree.previous_sibling(first).filter(|&n| tree.has(n, Role::Separator)) {
            range.start = tree.range(before).start;
        }
        edits.push(Edit::delete(id, deletion(file, range)));
    }
}

/// These children, sorted, with the attributes in front of each of them, and the comments in between.
fn with_attributes(tree: &Tree, gone: &[NodeId]) -> Vec<NodeId> {
    let is_attribute = |n: &NodeId| tree.has(*n, Role::Attribute);
    let describes = |n: &NodeId| is_attribute(n) || tree.has(*n, Role::Comment);
    let mut all = gone.to_vec();
    for &node in gone.iter().filter(|n| !is_attribute(n)) {
        let before = std::iter::successors(tree.previous_sibling(node), |&n| tree.previous_sibling(n));
        let above: Vec<NodeId> = before.take_while(describes).collect();
        let first = above.iter().rposition(is_attribute);
        all.extend(first.map_or(&[][..], |first| &above[..=first]));
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn is_content(tree: &Tree, node: NodeId) -> bool {
    tree.is_named(node) && !tree.has(node, Role::Comment)
}

fn punctuates(tree: &Tree, node: NodeId) -> bool {
    tree.has(node, Role::Separator) || tree.has(node, Role::Terminator)
}

#[cfg(test)]
mod tests {
    use crate::tests::base;
    use crate::{File, Group, PASSES, Unit};

    #[test]
    fn blank_lines_between_deleted_statements_go_and_the_longest_of_those_around_them_stay() {
        let text = "// a\n// b\n\n\nint x;\n\n\nint y;\n\nint z;\n\n\n\nint w;\n";
        let base = base("c", text.as_bytes());
        let file = File { id: 0, parsed: base.file(0) };
        let without = |texts: &[&str]| {
            let is_gone = |n: &_| texts.iter().any(|gone| file.node_text(*n) == gone.as_bytes());
            let units: Vec<Unit> = file.nodes().filter(is_gone).map(|n| file.drop(n)).collect();
            let all: Vec<usize> = (0..units.len()).collect();
            let group = Group::deletions(units);
            String::from_utf8(group.render(&base, &all).unwrap().apply(0, text.as_bytes())).unwrap()
        };
        assert_eq!(without(&["// a", "// b"]), "int x;\n\n\nint y;\n\nint z;\n\n\n\nint w;\n");
        assert_eq!(without(&["int y;"]), "// a\n// b\n\n\nint x;\n\n\nint z;\n\n\n\nint w;\n");
        assert_eq!(without(&["int y;", "int z;"]), "// a\n// b\n\n\nint x;\n\n\n\nint w;\n");
        assert_eq!(without(&["int x;", "int y;", "int z;", "int w;"]), "// a\n// b\n\n\n");
    }

    #[test]
    fn a_declaration_goes_with_the_last_of_its_names_unless_its_type_is_more_than_a_name() {
        let text = "int f() {\n  long i, j;\n  struct s k;\n  enum { A } l;\n  for (long m, n; ;) ;\n}\n";
        let base = base("c", text.as_bytes());
        let file = File { id: 0, parsed: base.file(0) };
        let after = |names: &[&str]| {
            let is_named = |n: &_| names.iter().any(|name| file.node_text(*n) == name.as_bytes());
            let nodes = file.tree().nodes().filter(is_named).map(|n| file.drop(n));
            let group = Group::deletions([Unit::together(nodes)]);
            String::from_utf8(group.render(&base, &[0]).unwrap().apply(0, text.as_bytes())).unwrap()
        };
        assert_eq!(after(&["i", "j"]), text.replace("  long i, j;\n", ""));
        assert_eq!(after(&["i"]), text.replace("i, ", ""));
        assert_eq!(after(&["k", "l"]), text.replace(" k;", ";").replace(" l;", ";"));
        assert_eq!(after(&["m", "n"]), text.replace(" m, n;", ";"));
    }

    #[test]
    fn an_item_goes_with_the_attributes_before_it_and_an_attribute_alone() {
        let texts = after_deletions("rust", b"#[a]\nstruct A;\n#[b]\n#[c(1)]\nimpl B {}\nstruct C;\n");
        assert!(texts.contains(&"#[a]\nstruct A;\nstruct C;\n".to_owned()), "{texts:?}");
        assert!(texts.contains(&"#[a]\nstruct A;\n#[c(1)]\nimpl B {}\nstruct C;\n".to_owned()), "{texts:?}");
    }

    #[test]
    fn an_item_goes_with_the_documentation_before_it_and_with_attributes_above_comments() {
        let texts =
            after_deletions("rust", b"#[a]\n// b\n/// c\nstruct A;\n// d\nstruct B;\n/// e\nstruct C;\n");
        let left = |text: &str| assert!(texts.contains(&text.to_owned()), "{text} is not in {texts:?}");
        left("// d\nstruct B;\n/// e\nstruct C;\n");
        left("#[a]\n// b\n/// c\nstruct A;\n// d\n/// e\nstruct C;\n");
        left("#[a]\n// b\n/// c\nstruct A;\n// d\nstruct B;\n");
    }

    /// The texts that the units of `delete` leave, each alone.
    fn after_deletions(language: &str, text: &[u8]) -> Vec<String> {
        let base = base(language, text);
        let delete = PASSES.iter().find(|pass| pass.name == "delete").unwrap();
        let left = |group: &Group, unit| {
            let candidate = group.render(&base, &[unit]).unwrap();
            String::from_utf8(candidate.apply(0, text)).unwrap()
        };
        let groups = (delete.plan)(&base);
        groups.iter().flat_map(|g| (0..g.units().len()).map(move |unit| left(g, unit))).collect()
    }
}
