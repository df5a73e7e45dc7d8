//! Lets a block discard a part of the value that it ends with: `{ f("", g(1)) }` becomes `{ g(1); }`.

use crate::c::is;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "tails",
    summary: "replaces the value of a block, a closure or a case by a part of it, which is discarded",
    languages: &["rust"],
    proves: true,
    examples: &[
        Example {
            language: "rust",
            before: "fn f() { log!(\"{}\", g(1).h()) }\n",
            keep: &["fn f() {", "g(1).h()", "}"],
            after: "fn f() { g(1).h(); }\n",
        },
        Example {
            language: "rust",
            before: "fn f() { g(|a| assert_eq!(a, b + 1)); match c { d => log!(\"{:?}\", e[0]), } }\n",
            keep: &["g(|a| ", "b + 1", "match c { d => ", "e[0]"],
            after: "fn f() { g(|a| { b + 1; }); match c { d => { e[0]; }, } }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// How many parts of a value are tried, the outermost first.
const PARTS: usize = 8;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| file.with(Role::Call).map(move |call| ways(file, call)));
    vec![Group::choices(ways).doubtful()]
}

/// The parts of a value as statements, if nothing but the end of a block, a closure or a case takes the value.
fn ways(file: File<'_>, value: NodeId) -> Vec<Unit> {
    let Some(around) = file.parent(value) else { return Vec::new() };
    let is_last = file.named_children(around).last() == Some(value);
    let (before, after) = match file.kind_name(around) {
        "block" if is_last => ("", ";"),
        "closure_expression" | "match_arm" if is_last => ("{ ", "; }"),
        _ => return Vec::new(),
    };
    let added = before.trim().len() + after.split_whitespace().count();
    let size = |node| file.tokens_in(file.range(node)).len();
    let is_part = |&n: &NodeId| {
        file.has(n, Role::Expression)
            && !file.is_leaf(n)
            && !file.has(n, Role::Literal)
            && size(n) + added < size(value)
    };
    let parts = file.descendants(value).filter(is_part).filter(|&n| !is(&file, n, "block")).take(PARTS);
    // No copy of the part: values may be nested thousands of times.
    let range = file.range(value);
    let unit = |part| {
        let kept = file.range(part);
        let front = (range.start < kept.start || !before.is_empty())
            .then(|| file.write(range.start..kept.start, before));
        Unit::together(front.into_iter().chain([file.write(kept.end..range.end, after)]))
    };
    parts.map(unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::reduce;

    #[test]
    fn a_part_that_the_value_begins_with_gets_both_brackets() {
        let base = Base::of_example("rust", "fn f() { g(|a| h(a).i(1, 2)); }\n");
        let left = reduce(&PASS, base, |text| text.contains("h(a)") && text.contains("g(|a|"));
        assert_eq!(left, "fn f() { g(|a| { h(a).i; }); }\n");
    }
}
