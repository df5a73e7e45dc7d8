//! Deletes the type that a function returns together with the returned values, which cannot stay without it.

use crate::c::{all, child, is};
use crate::functions::items_of;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "return-types",
    summary: "deletes the type that a function returns together with the returned values",
    languages: &["rust"],
    grain: Grain::Coarse,
    examples: &[Example {
        language: "rust",
        before: "fn f(a: u8) -> Result<u8, ()> {\n    if a > 1 { return Err(()); }\n    let g = || return 1;\n    Ok(a)\n}\n",
        keep: &["fn f(a: u8)", "if a > 1", "let g = || return 1;"],
        after: "fn f(a: u8) {\n    if a > 1 { return; }\n    let g = || return 1;\n}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS
        .files(base)
        .flat_map(|file| all(file, "function_item").map(move |function| ways(file, function)));
    vec![Group::choices(ways).doubtful()]
}

/// The value at the end of the body goes, or becomes a statement.
fn ways(file: File<'_>, function: NodeId) -> Vec<Unit> {
    let arrow = file.children(function).find(|&n| file.node_text(n) == b"->");
    let typed = arrow.and_then(|arrow| file.next_sibling(arrow));
    let (Some(arrow), Some(typed), Some(body)) = (arrow, typed, child(&file, function, "block")) else {
        return Vec::new();
    };
    let mut units = vec![file.cut(file.range(arrow).start..end_of_blanks(file, file.range(typed).end))];
    for returned in file.descendants(body).filter(|&n| is(&file, n, "return_expression")) {
        let owner = file
            .ancestors(returned)
            .find(|&n| matches!(file.kind_name(n), "closure_expression" | "function_item" | "async_block"));
        let value = file.named_children(returned).next().filter(|_| owner == Some(function));
        let keyword = file.children(returned).next().map(|n| file.range(n).end);
        units.extend(value.zip(keyword).map(|(value, from)| file.cut(from..file.range(value).end)));
    }
    let last = items_of(&file, body).pop();
    let Some(last) = last.filter(|&n| file.has(n, Role::Expression) && !is(&file, n, "return_expression"))
    else {
        return vec![Unit::together(units)];
    };
    let has_returns = file.descendants(last).any(|n| is(&file, n, "return_expression"));
    let end = file.range(last).end;
    let kept = Unit::together(units.iter().cloned().chain([file.write(end..end, *b";")]));
    let gone = (!has_returns).then(|| Unit::together(units.into_iter().chain([file.drop(last)])));
    gone.into_iter().chain([kept]).collect()
}

/// Where the blanks behind a place end.
fn end_of_blanks(file: File<'_>, place: usize) -> usize {
    let blanks = file.text()[place..].iter().take_while(|c| **c == b' ');
    place + blanks.count()
}
