//! Replaces a loop by its body without the `break` and `continue` in it, or lets the condition of the loop say when it
//! ends: `while True: if a: b() else: break` becomes `while a: b()`.

use super::texts::{change, changed};
use crate::functions::items_of;
use crate::{Base, Example, File, Grain, Group, Pass, Source, Unit, inside};
use lopper_languages::layout;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "breaks",
    summary: "replaces a loop with `break` by its body, or by a loop whose condition says when it ends",
    languages: &["python"],
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "python",
            before: "while True:\n    if a():\n        b()\n        for c in d:\n            break\n    else:\n        break\n",
            keep: &["if a():", "b()", "for c in d:\n", "break"],
            after: "if a():\n    b()\n    for c in d:\n        break\nelse:\n    pass\n",
        },
        Example {
            language: "python",
            before: "while True:\n    if a():\n        b()\n    else:\n        break\n",
            keep: &["while", "a()", "b()"],
            after: "while a():\n    b()\n",
        },
        Example {
            language: "python",
            before: "while 1:\n    if a() or b:\n        break\n    c()\n    d()\n",
            keep: &["while", "a() or b", "c()", "d()"],
            after: "while not (a() or b):\n    c()\n    d()\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let is_loop = move |&n: &NodeId| matches!(file.kind_name(n), "while_statement" | "for_statement");
        file.tree().nodes().filter(is_loop).map(move |node| ways(base, file, node))
    });
    vec![Group::choices(ways).doubtful()]
}

fn ways(base: &Base, file: File<'_>, node: NodeId) -> Vec<Unit> {
    let Some(body) = file.child_with(node, Role::Body) else { return Vec::new() };
    let exits: Vec<NodeId> = file.descendants(body).filter(|&n| is_exit_of(file, n, node)).collect();
    if exits.is_empty() {
        return Vec::new();
    }
    let to = layout::indentation(file.text(), file.range(node).start);
    let passes = exits.into_iter().map(|n| change(file, n, *b"pass")).collect();
    let once = to.map(|to| changed(file, inside(base, file.id, body), to, passes));
    let once = once.map(|text| file.replace(node, Source::made(text)));
    once.into_iter().chain(conditional(base, file, node, body)).collect()
}

/// Whether a statement leaves a loop, or its round.
fn is_exit_of(file: File<'_>, node: NodeId, around: NodeId) -> bool {
    let is_border = |&n: &NodeId| {
        let kind = file.kind_name(n);
        matches!(kind, "while_statement" | "for_statement") || file.has(n, Role::Function)
    };
    matches!(file.kind_name(node), "break_statement" | "continue_statement")
        && file.ancestors(node).find(is_border) == Some(around)
}

/// A loop that begins with a condition for its end, as a loop with that condition.
fn conditional(base: &Base, file: File<'_>, node: NodeId, body: NodeId) -> Option<Unit> {
    let keyword = file.children(node).next().filter(|&n| file.node_text(n) == b"while")?;
    let items = items_of(&file, body);
    let (&first, rest) = items.split_first().filter(|(n, _)| file.kind_name(**n) == "if_statement")?;
    let condition = file.children(first).find(|&n| file.has(n, Role::Expression))?;
    let branch = file.child_with(first, Role::Body)?;
    let is_break = |n: NodeId| file.node_text(n).trim_ascii_end() == b"break";
    let others: Vec<NodeId> = file.children(first).skip_while(|&n| n != branch).skip(1).collect();
    let to = layout::indentation(file.text(), file.range(node).start)?;
    let inner = [to, b"    "].concat();
    let asked = file.node_text(condition);
    let (asked, range) = match others[..] {
        [] if is_break(branch) => {
            let range = file.range(*rest.first()?).start..file.range(*rest.last()?).end;
            ([b"not (", asked, b")"].concat(), range)
        }
        [other] if rest.is_empty() && file.child_with(other, Role::Body).is_some_and(is_break) => {
            (asked.to_vec(), inside(base, file.id, branch))
        }
        _ => return None,
    };
    let text = layout::moved(file.parsed, range, &inner);
    let text = [file.node_text(keyword), b" ", &asked, b":\n", &inner, &text].concat();
    Some(file.replace(node, Source::made(text)))
}
