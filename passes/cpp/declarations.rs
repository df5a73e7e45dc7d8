//! Deletes the bodies of functions, of which declarations are left.
//!
//! Most functions of a preprocessed C++ program only have to be declared, and what only their bodies use goes with these.

use crate::c::is;
use crate::lacking::Lacking;
use crate::levels::levels;
use crate::reach::large;
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    name: "declarations",
    summary: "deletes the bodies of functions, but not their declarations",
    languages: &["cpp"],
    grain: Grain::Coarse,
    examples: &[Example {
        language: "cpp",
        before: "struct t { t() : a(1) { f(); } int a; int i(); }; int g() { return 1; } int h(t *x) { return x->i(); } int t::i() { return 3; }\nint n[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120 };\n",
        keep: &[
            "t() : a(1)",
            "int i();",
            "int g()",
            "int h(t *x) { return x->i(); }",
            "int n[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120 };",
        ],
        after: "struct t { t() : a(1) {} int a; int i(); }; int g() ; int h(t *x) { return x->i(); }\nint n[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120 };\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let Some(reach) = large(base) else { return Vec::new() };
    let levels = levels(PASS.files(base), |file, node| declaration(file, node).is_some());
    let parts = levels.into_iter().flat_map(|level| {
        let (demanded, others): (Vec<_>, Vec<_>) =
            level.into_iter().partition(|&(file, node)| is_demanded(file, node));
        // An empty body gives no constant and no type.
        let may_go = |&(file, node): &(File<'_>, NodeId)| declaration(file, node) != Some("{}");
        [others, demanded.into_iter().filter(may_go).collect()]
    });
    let group = |bodies: Vec<(File<'_>, NodeId)>| {
        let units = bodies.into_iter().filter_map(|(file, node)| without_body(file, node));
        let group = Group::deletions(units);
        let lacking = Lacking::new(PASS.files(base)).among(base, group.units());
        group.lacking(lacking).freeing(|| Some(Arc::clone(&reach)))
    };
    parts.map(group).collect()
}

/// Whether the compiler may need the body: to put it in the place of calls, to compute a constant, or to find the type of
/// the result.
fn is_demanded(file: File<'_>, body: NodeId) -> bool {
    let head = file.parent(body).map_or(0, |function| file.range(function).start)..file.range(body).start;
    let has =
        |word: &[u8]| file.tokens_in(head.clone()).iter().any(|token| &file.text()[token.range()] == word);
    let is_inline = has(b"__always_inline__") || has(b"always_inline");
    is_inline || has(b"constexpr") || has(b"consteval") || (has(b"auto") && !has(b"->"))
}

/// A function without its body. A member that is defined outside of its class is declared there, and may not be declared
/// again.
fn without_body(file: File<'_>, body: NodeId) -> Option<Unit> {
    let function = file.parent(body)?;
    let name = file.descendants(function).find(|&n| is(&file, n, "function_declarator"))?;
    let is_outside = file.children(name).next().is_some_and(|n| is(&file, n, "qualified_identifier"));
    if !is_outside {
        return Some(file.replace(body, declaration(file, body)?));
    }
    let templates = file.ancestors(function).take_while(|&n| is(&file, n, "template_declaration"));
    Some(file.drop(templates.last().unwrap_or(function)))
}

/// What takes the place of the body of a function that has more.
fn declaration(file: File<'_>, node: NodeId) -> Option<&'static str> {
    let is_function = |n: NodeId| is(&file, n, "function_definition");
    let is_body = file.has(node, Role::Block) && file.parent(node).is_some_and(is_function);
    file.filler(node).filter(|filler| is_body && file.node_text(node) != filler.as_bytes())
}
