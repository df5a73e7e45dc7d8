//! Puts what a macro stands for in the place of its calls, and deletes the macro: what stands in a macro is tokens only, and
//! no other pass knows its items, names and types.

use super::macro_rules::{Code, Rule, rules};
use crate::c::{all, child};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "expansions",
    summary: "puts what a macro stands for in the place of its calls, and deletes the macro",
    languages: &["rust"],
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "rust",
            before: "macro_rules! make {\n    ($n:ident, $($f:ident: $t:ty),* $(,)?) => {\n        struct $n { $($f: Vec<$t>),* }\n    };\n}\nmake! { S, a: [u8; 2], b: Vec<Vec<u8>>, }\n",
            keep: &["struct ", "[u8; 2]"],
            after: "struct S { a: Vec<[u8; 2]>, b: Vec<Vec<Vec<u8>>> }\n",
        },
        Example {
            language: "rust",
            before: "macro_rules! twice { ($a:expr) => { 2 * $a }; }\nmacro_rules! add { ($a:expr, $b:expr) => {{ let c = $a; c + $b }}; }\nfn f(x: u8) -> u8 { g(twice!(x + 1)) + twice![x] }\nfn g(x: u8) -> u8 { add!(x, 1) }\n",
            keep: &["2 * ", "fn f(x: u8) -> u8 { g(", "x + 1", "fn g(x: u8) -> u8 {", "let c = "],
            after: "fn f(x: u8) -> u8 { g(2 * (x + 1)) + (2 * x) }\nfn g(x: u8) -> u8 { { let c = x; c + 1 } }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// How many bytes of text a plan may hold.
const TEXT: usize = 1 << 20;

fn plan(base: &Base) -> Vec<Group> {
    let mut left = TEXT;
    let mut ways = Vec::new();
    for file in PASS.files(base) {
        for definition in all(file, "macro_definition") {
            ways.extend(expanded(file, definition, &mut left).unwrap_or_default());
        }
    }
    vec![Group::choices(ways.into_iter().map(|unit| [unit])).doubtful()]
}

/// All calls at once, with the definition, or what can be expanded alone if the definition has to stay.
fn expanded(file: File<'_>, definition: NodeId, left: &mut usize) -> Option<Vec<Unit>> {
    let name = child(&file, definition, "identifier")?;
    let code = Code::new(file.text(), file.tokens_in(file.range(definition)));
    let rules = rules(&code)?;
    let mut calls: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
    let mut is_needed = false;
    let bound = file.definition(name).filter(|d| d.places.len() == 1)?;
    for used in file.uses(bound).filter(|&used| !file.is_within(used, definition)) {
        let call = expansion(file, used, &rules);
        let is_apart =
            |(range, _): &(Range<usize>, _)| calls.last().is_none_or(|(last, _)| last.end <= range.start);
        let Some((range, text)) = call.filter(is_apart) else {
            is_needed = true;
            continue;
        };
        *left = left.checked_sub(text.len())?;
        is_needed |= Code::mentions(&text, file.language().lexis(), file.node_text(name));
        calls.push((range, text));
    }
    let units = calls.into_iter().map(|(range, text)| file.write(range, text));
    if is_needed {
        return Some(units.collect());
    }
    Some(vec![Unit::together(units.chain([file.drop(definition)]))])
}

/// The bytes of a call, and what the macro stands for there.
fn expansion(file: File<'_>, used: NodeId, rules: &[Rule<'_>]) -> Option<(Range<usize>, Vec<u8>)> {
    let name = file.range(used);
    let code = Code::new(file.text(), file.tokens_in(name.start..file.range(outermost(file, used)).end));
    if code.word(1) != b"!" {
        return None;
    }
    let close = code.partner(2).filter(|&close| close > 2)?;
    let mut range = name.start..code.end(close);
    if let Some(path) = file.parent(used).filter(|&n| file.range(n).end == name.end) {
        range.start = file.range(path).start;
    }
    let body = rules.iter().find_map(|rule| rule.expand(&code, 3..close))?;
    let around =
        file.ancestors(used).find(|&n| file.has(n, Role::Statement) || is_longer(file, n, &range))?;
    let whole = file.range(around);
    let rest = file.text().get(range.end..whole.end).map(<[u8]>::trim_ascii);
    if file.has(around, Role::Statement) && whole.start == range.start && matches!(rest, Some(b"" | b";")) {
        let is_whole = rest == Some(b"") || matches!(body.last(), None | Some(b';' | b'}'));
        let end = if is_whole { &b""[..] } else { b";" };
        return Some((whole, [&body[..], end].concat()));
    }
    let lexis = file.language().lexis();
    let is_operand = file.has(around, Role::Expression) && !file.has(around, Role::Arguments);
    let (front, back): (&[u8], &[u8]) = match Code::shape(&body, lexis) {
        (true, _) => (b"{ ", b" }"),
        (_, true) if is_operand => (b"(", b")"),
        _ => (b"", b""),
    };
    Some((range, [front, &body, back].concat()))
}

/// The outermost node around a name that is no block, or its statement: the call ends within it.
fn outermost(file: File<'_>, used: NodeId) -> NodeId {
    file.ancestors(used).find(|&n| file.has(n, Role::Statement)).unwrap_or(NodeId::ROOT)
}

fn is_longer(file: File<'_>, node: NodeId, range: &Range<usize>) -> bool {
    let whole = file.range(node);
    whole.start < range.start || whole.end > range.end
}

#[cfg(test)]
mod tests {
    use super::plan;
    use crate::{Base, Unit};

    /// The texts in the places of calls, each with whether the definition goes, too.
    fn expansions(text: &str) -> Vec<(String, bool)> {
        let written = |unit: &Unit| match unit {
            Unit::Write { text, .. } => String::from_utf8_lossy(text).into_owned(),
            other => panic!("{other:?}"),
        };
        let base = Base::of_example("rust", text);
        let told = |unit: &Unit| match unit {
            Unit::Together(units) => (units[..units.len() - 1].iter().map(written).collect(), true),
            other => (written(other), false),
        };
        plan(&base).iter().flat_map(|group| group.units().iter().map(told).collect::<Vec<_>>()).collect()
    }

    #[track_caller]
    fn check(rule: &str, call: &str, expected: Option<&str>) {
        let found = expansions(&format!("macro_rules! m {{ {rule} }}\nfn f() {{ let a = {call}; }}\n"));
        assert_eq!(found.first().map(|(text, _)| text.as_str()), expected, "{rule} {call}");
    }

    #[test]
    fn a_macro_that_calls_itself_stays_for_the_next_step() {
        let rules = "($a:expr) => { $a }; ($a:expr, $($b:expr),+) => { $a.max(m!($($b),+)) };";
        let text = format!("macro_rules! m {{ {rules} }}\nfn f() -> u8 {{ m!(1, 2, 3) }}\n");
        assert_eq!(expansions(&text), [("1.max(m!(2, 3))".to_owned(), false)]);
    }

    #[test]
    fn the_first_rule_that_matches_is_taken() {
        check("() => { 0 }; ($a:literal) => { 1 }; ($a:ident) => { 2 };", "m!(x)", Some("2"));
        check("() => { 0 };", "m!(x)", None);
    }

    #[test]
    fn fragments_end_before_what_may_follow_them() {
        check("($t:ty = $e:expr) => { $e as $t };", "m!(Vec<[u8; 2]> = 3)", Some("3 as Vec<[u8; 2]>"));
        check(
            "($p:pat => $e:expr, $($r:tt)*) => { [$e, $($r)*] };",
            "m! { Some(_) | None => f::<u8, u8>(), 2 }",
            Some("[f::<u8, u8>(), 2]"),
        );
        check(
            "($v:vis $i:item $l:lifetime $b:block) => { $b };",
            "m! { pub(crate) struct S; 'a { 1 } }",
            Some("{ 1 }"),
        );
    }

    #[test]
    fn what_is_repeated_may_be_absent_and_end_with_a_separator() {
        check(
            "($([$($a:ident)*]),* $(,)?) => { g($(($($a),*)),*) };",
            "m! { [], [b c], }",
            Some("g((), (b, c))"),
        );
        check("($($a:ident)+) => { 1 };", "m!()", None);
        check("($($a:ident),*) => { 1 };", "m!(b c)", None);
    }

    #[test]
    fn angle_brackets_without_anything_between_them_go() {
        check("($($a:ident),*) => { f::<$($a),*>() };", "m!()", Some("f()"));
        check("($($a:ident),*) => { f::<$($a),*>() };", "m!(A, B)", Some("f::<A, B>()"));
    }

    #[test]
    fn an_operand_gets_round_brackets_and_several_statements_a_block() {
        check("($a:expr) => { -$a };", "m!(1 + 2)", Some("-(1 + 2)"));
        check("($a:expr) => { let b = $a; b };", "m!(1)", Some("{ let b = 1; b }"));
    }
}
