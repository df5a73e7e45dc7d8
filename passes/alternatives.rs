//! Simplifies the last branch of an `if`: makes an `else` of the last `elif`, and moves what stands in an `else` behind the statement.

use crate::splits::{contents, items};
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::layout::{self, Layout};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "alternatives",
    summary: "makes an `else` of the last `elif`, and moves what stands in an `else` behind the statement",
    examples: &[
        Example {
            language: "python",
            before: "def f(a):\n    if a:\n        return 1\n    elif g(a):\n        a += 2\n        return a\n",
            keep: &["def f(a)", "if a:", "return 1", "a += 2", "return a"],
            after: "def f(a):\n    if a:\n        return 1\n    a += 2\n    return a\n",
        },
        Example {
            language: "python",
            before: "if a:\n    b()\nelif c:\n    d()\nelif e:\n    f()\n",
            keep: &["if a:", "b()", "elif c:", "d()\nel", "f()"],
            after: "if a:\n    b()\nelif c:\n    d()\nelse:\n    f()\n",
        },
        Example {
            language: "ruby",
            before: "def f(a)\n  if a\n    return 1\n  elsif b\n    return 2\n  elsif c\n    d\n    3\n  end\nend\n",
            keep: &["def f(a)", "if a", "return 1", "b", "return 2", "d\n", "3"],
            after: "def f(a)\n  if a\n    return 1\n  elsif b\n    return 2\n  end\n  d\n  3\nend\n",
        },
        Example {
            language: "lua",
            before: "function f(a) if a then return 1 elseif b then return 2 elseif c then return 3 end end\n",
            keep: &["function f(a)", "if a then", "return 1", "b then", "return 2", "return 3"],
            after: "function f(a) if a then return 1 elseif b then return 2 end return 3 end\n",
        },
        Example {
            language: "bash",
            before: "f() {\n  if a; then\n    b\n  elif c; then\n    d\n  fi\n}\n",
            keep: &["f()", "if a", "b\n  e", "d\n  fi"],
            after: "f() {\n  if a; then\n    b\n  else\n    d\n  fi\n}\n",
        },
        Example {
            language: "php",
            before: "<?php\nfunction f() { if (a()) { return 1; } elseif (b()) { return 2; } }\n",
            keep: &["function f()", "a()", "return 1;", "return 2;"],
            after: "<?php\nfunction f() { if (a()) { return 1; } return 2; }\n",
        },
        Example {
            language: "rust",
            before: "fn f() -> u8 { if a { return 1; } else { g(); 2 } }\n",
            keep: &["fn f()", "-> u8", "if a", "return 1;", "g();", "2"],
            after: "fn f() -> u8 { if a { return 1; } g(); 2 }\n",
        },
        Example {
            language: "go",
            before: "package a\n\nfunc f() int {\n\tif a {\n\t\treturn 1\n\t} else {\n\t\tg()\n\t\treturn 2\n\t}\n}\n",
            keep: &["func f() int", "if a", "return 1", "g()", "return 2"],
            after: "package a\n\nfunc f() int {\n\tif a {\n\t\treturn 1\n\t}\n\tg()\n\treturn 2\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The keywords of branches with a condition behind the first one.
const CONDITIONAL: [&[u8]; 3] = [b"elif", b"elsif", b"elseif"];

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for file in PASS.files(base) {
        units.extend(file.nodes().filter_map(|node| without_condition(file, node)));
        units.extend(items(file).filter_map(|statement| behind(base, file, statement)));
    }
    vec![Group::deletions(units)]
}

/// The unit that makes an `else` of a last branch with a condition, such as `elif a:`.
fn without_condition(file: File<'_>, branch: NodeId) -> Option<Unit> {
    let start = file.range(branch).start;
    let mut parts = file.children(branch);
    let keyword = parts.next().filter(|&n| file.is_leaf(n))?;
    if !CONDITIONAL.contains(&file.node_text(keyword)) || follows_another(file, branch) {
        return None;
    }
    let is = |text: &'static [u8]| move |n: &NodeId| file.node_text(*n) == text;
    let leaves = || file.children(branch).map(|n| file.first_leaf(n));
    let end = if let Some(then) = leaves().find(is(b"then")) {
        file.range(then).end
    } else if let Some(colon) = leaves().find(is(b":")) {
        file.range(colon).start
    } else {
        file.range(parts.find(|&n| file.is_named(n))?).end
    };
    Some(file.write(start..end, "else"))
}

/// Whether another branch follows this one, or stands in it at its end.
fn follows_another(file: File<'_>, branch: NodeId) -> bool {
    let is_keyword = |text: &[u8]| text == b"else" || CONDITIONAL.contains(&text);
    let begins = |n: NodeId| is_keyword(file.node_text(file.first_leaf(n)));
    file.next_sibling(branch).is_some_and(begins) || file.children(branch).skip(1).any(begins)
}

/// The unit that moves what stands in the `else` at the end of a statement behind the statement.
fn behind(base: &Base, file: File<'_>, statement: NodeId) -> Option<Unit> {
    let layout = file.language().layout();
    let range = file.range(statement);
    let indentation = layout::indentation(file.text(), range.start);
    let between = match layout {
        Layout::Free => b" ".to_vec(),
        Layout::Exact => return None,
        Layout::Indented => [b"\n", indentation?].concat(),
        Layout::Lines => [b"\n", indentation.unwrap_or_default()].concat(),
    };
    let keyword = last_else(file, statement)?;
    let clause = file.parent(keyword)?;
    // In some grammars the keyword and the branch are parts of the statement, in others they have a node of their own.
    let mut parts = file.children(clause).skip_while(|&n| n != keyword).skip(1).filter(|&n| file.is_named(n));
    let first = parts.next()?;
    let last = parts.last().unwrap_or(first);
    let end = file.range(last).end;
    let body = if first == last { contents(base, file, first) } else { file.range(first).start..end };
    let before = file.text()[range.start..file.range(keyword).start].trim_ascii_end();
    let moved = layout::moved(file.parsed, body, indentation.unwrap_or_default());
    let text = [before, &file.text()[end..range.end], &between, &moved].concat();
    Some(file.replace(statement, Source::made(text)))
}

/// The `else` of the last branch of a statement.
fn last_else(file: File<'_>, statement: NodeId) -> Option<NodeId> {
    let is_else = |n: &NodeId| file.is_leaf(*n) && file.node_text(*n) == b"else";
    let is_inner = |n: NodeId| file.has(n, Role::Block) && !is_else(&file.first_leaf(n));
    let next = |&node: &NodeId| file.named_children(node).last().filter(|&n| !is_inner(n));
    let last = std::iter::successors(Some(statement), next);
    last.filter_map(|node| file.children(node).find(is_else)).last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::base;

    #[test]
    fn a_name_that_begins_like_a_keyword_is_no_further_branch() {
        let units = |text: &str| {
            plan(&base("python", text.as_bytes())).iter().map(|g| g.units().len()).sum::<usize>()
        };
        assert_eq!(units("if a:\n    b()\nelif element:\n    eliminate()\n"), 1);
        assert_eq!(units("if a:\n    b()\nelif c:\n    d()\nelif e:\n    f()\n"), 1);
    }
}
