//! Normalises white space: each statement on a line of its own, and no superfluous blanks.

use crate::{Base, Blank, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "white-space",
    summary: "shortens the white space between tokens to the usual minimum",
    examples: &[
        Example {
            language: "c",
            before: "    int\nf ( int   a )\n{\n        if (a)\n                g ( a ,\n 1 ) ;\n}\n",
            keep: &["f"],
            after: "int f(int a) {\n    if (a)\n        g(a, 1);\n}\n",
        },
        Example {
            language: "cpp",
            before: "template<class T>\n  int f() {\n        g();\n    }\n",
            keep: &["f"],
            after: "template<class T> int f() {\n    g();\n}\n",
        },
        Example {
            language: "python",
            before: "class A :\n        x   =  [ 1 ,\n  2 ]\n        def f ( self ) :\n                return  'a  b'\n",
            keep: &["A"],
            after: "class A:\n    x = [1, 2]\n    def f(self):\n        return 'a  b'\n",
        },
        Example {
            language: "go",
            before: "package p\n\nfunc f() {\n\t\tif a {\n\t\t\t\tg(b,\n\t\t\t\t  1)\n\t\t\t}\n\t\t}\n",
            keep: &["package p"],
            after: "package p\nfunc f() {\n\tif a {\n\t\tg(b, 1)\n\t}\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The width of a level of indentation in blanks.
const STEP: usize = 4;

fn plan(base: &Base) -> Vec<Group> {
    vec![Group::deletions(PASS.files(base).flat_map(blanks))]
}

fn blanks(file: File<'_>) -> Vec<Unit> {
    let mut units = Vec::new();
    let owners = owners(file);
    let line: fn(usize) -> Blank = match has_tabs(file) {
        true => |depth| Blank::Tabs(u16::try_from(depth).unwrap_or(u16::MAX)),
        false => |depth| Blank::Line(u16::try_from(depth * STEP).unwrap_or(u16::MAX)),
    };
    let indented = file.tokens().first().map_or(0, |first| first.start as usize);
    if indented > 0 && owners[0].is_some() && file.text()[..indented].iter().all(u8::is_ascii_whitespace) {
        units.push(file.cut(0..indented));
    }
    for (i, pair) in file.tokens().windows(2).enumerate() {
        let (start, end) = (pair[0].end as usize, pair[1].start as usize);
        let gap = &file.text()[start..end];
        // The gap contains a comment or a line continuation.
        if gap.is_empty() || !gap.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let (Some(left), Some(right)) = (owners[i], owners[i + 1]) else { continue };
        let starts = file.range(right.statement).start == end;
        let blank = if gap.contains(&b'\n') && (starts || left.statement != right.statement) {
            line(right.depth)
        } else {
            between(file.text(), left, start, end)
        };
        let length = match blank {
            Blank::None => 0,
            Blank::One => 1,
            Blank::Line(width) | Blank::Tabs(width) => 1 + usize::from(width),
        };
        if length < gap.len() || (length == gap.len() && blank == Blank::One && gap != b" ") {
            units.push(file.blank(start..end, blank));
        }
    }
    units
}

/// Whether more lines begin with a tab than with another blank.
fn has_tabs(file: File<'_>) -> bool {
    let beginning =
        |blank: u8| file.lines().filter(|l| file.text()[l.clone()].first() == Some(&blank)).count();
    beginning(b'\t') > beginning(b' ')
}

/// The blank between two tokens on a line.
fn between(text: &[u8], owner: Owner, left_end: usize, right_start: usize) -> Blank {
    let (left, right) = (text[left_end - 1], text[right_start]);
    let tight = matches!(left, b'(' | b'[' | b'!' | b'~')
        || matches!(right, b')' | b']' | b',' | b';' | b':')
        || (owner.named && matches!(right, b'(' | b'['));
    if tight { Blank::None } else { Blank::One }
}

/// The statement that a token belongs to, and its level of indentation.
#[derive(Clone, Copy)]
struct Owner {
    statement: NodeId,
    depth: usize,
    /// Whether the token is neither a keyword nor punctuation.
    named: bool,
}

/// Whether what is inside a node stands further to the right. The list of what stands between the braces of a body does not
/// do so once more, and neither does what a template is of.
fn indents(file: File<'_>, node: NodeId) -> bool {
    let is_list = || file.children(node).next().is_some_and(|first| file.is_named(first));
    let is_in_body =
        || file.parent(node).is_some_and(|n| file.has(n, Role::Body) && !file.has(n, Role::Block));
    let has_body = || file.children(node).any(|n| file.has(n, Role::Body));
    match (file.has(node, Role::Block), file.has(node, Role::Body)) {
        (true, false) => !(is_list() && is_in_body()),
        (is_block, is_body) => is_body && (is_block || file.has(node, Role::Statement) || !has_body()),
    }
}

/// The owner of every token; `None` for tokens behind the last leaf. O(nodes + tokens).
fn owners(file: File<'_>) -> Vec<Option<Owner>> {
    let above = |owner: Owner, node: NodeId| Owner {
        named: false,
        statement: if file.has(node, Role::Statement) { node } else { owner.statement },
        depth: owner.depth + usize::from(node != NodeId::ROOT && indents(file, node)),
    };
    let mut of_node = vec![Owner { statement: NodeId::ROOT, depth: 0, named: false }; file.len()];
    for node in file.nodes() {
        if let Some(parent) = file.parent(node) {
            of_node[node.0 as usize] = above(of_node[parent.0 as usize], parent);
        }
    }
    let mut leaves = file.nodes().filter(|&n| file.is_leaf(n) && !file.range(n).is_empty()).peekable();
    let mut owners = vec![None; file.tokens().len()];
    for (token, owner) in file.tokens().iter().zip(&mut owners) {
        while leaves.next_if(|&leaf| file.range(leaf).end <= token.start as usize).is_some() {}
        let Some(&leaf) = leaves.peek() else { break };
        // The brackets of a block are indented one level less than its contents.
        let is_bracket = matches!(file.node_text(leaf), b"{" | b"}");
        let is_block = |&n: &NodeId| match file.has(n, Role::Block) {
            true => !file.is_named(leaf),
            false => file.has(n, Role::Body) && is_bracket,
        };
        let block = file.parent(leaf).filter(is_block);
        let named = file.is_named(leaf);
        *owner = Some(Owner { named, ..of_node[block.unwrap_or(leaf).0 as usize] });
    }
    owners
}
