//! Selects an expression of a longer statement: `DELETE FROM a WHERE b = 1` becomes `SELECT b = 1`.

use crate::levels::outermost;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "selects",
    summary: "makes a statement of an expression in a longer one: SELECT and the expression",
    languages: &["sql"],
    proves: true,
    examples: &[Example {
        language: "sql",
        before: "SELECT 0 FROM a JOIN b ON 1 IS NOT NULL = 2;\n",
        keep: &["1 IS NOT NULL = 2"],
        after: "SELECT 1 IS NOT NULL = 2;\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// The number of expressions of a statement that are tried: the longest ones.
const MOST: usize = 4;

fn plan(base: &Base) -> Vec<Group> {
    let statements =
        PASS.files(base).flat_map(|file| file.with(Role::Statement).map(move |n| selected(file, n)));
    vec![Group::choices(statements).doubtful()]
}

/// What makes the statement one that only selects an expression in it. O(nodes of the statement).
fn selected(file: File<'_>, statement: NodeId) -> Vec<Unit> {
    let size = |node: NodeId| file.tokens_in(file.range(node)).len();
    let own = size(statement);
    let is_value = |&node: &NodeId| file.has(node, Role::Expression) && !file.has(node, Role::Literal);
    let mut values = outermost(file, file.descendants(statement).filter(is_value).collect());
    values.retain(|&node| size(node) > 1 && size(node) + 1 < own);
    values.sort_by_key(|&node| usize::MAX - size(node));
    let select = |node: NodeId| file.replace(statement, [b"SELECT ", file.node_text(node)].concat());
    values.into_iter().take(MOST).map(select).collect()
}
