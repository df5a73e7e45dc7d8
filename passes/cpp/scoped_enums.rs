//! Makes a plain enumeration of a scoped one: its constants are named without it.

use crate::c::{all, child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "scoped-enums",
    summary: "makes a plain enumeration of a scoped one, whose constants are named without it",
    languages: &["cpp"],
    proves: true,
    examples: &[Example {
        language: "cpp",
        before: "namespace n { enum class e : char { A, B }; }\nn::e x = n::e::A;\nint f(e y) { return y == e::B; }\n",
        keep: &["namespace n {", "A, B };", "n::e x = n::", "A;", "f(e y) { return y == "],
        after: "namespace n { enum e : char { A, B }; }\nn::e x = n::A;\nint f(e y) { return y == B; }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let plain = PASS
        .files(base)
        .flat_map(|file| all(file, "enum_specifier").filter_map(move |scoped| plain(file, scoped)));
    vec![Group::deletions(plain).doubtful()]
}

fn plain(file: File<'_>, scoped: NodeId) -> Option<Unit> {
    let keyword = child(&file, scoped, "class").or_else(|| child(&file, scoped, "struct"))?;
    let name = child(&file, scoped, "type_identifier")?;
    let behind = file.next_sibling(keyword)?;
    let mut units = vec![file.cut(file.range(keyword).start..file.range(behind).start)];
    for used in file.bindings().occurrences(name) {
        let qualified = file.parent(used).filter(|&n| is(&file, n, "qualified_identifier"));
        let behind = file.next_sibling(used).and_then(|mark| file.next_sibling(mark));
        if let Some(behind) = behind.filter(|_| qualified.is_some()) {
            units.push(file.cut(file.range(used).start..file.range(behind).start));
        }
    }
    Some(Unit::together(units))
}
