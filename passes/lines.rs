//! Deletes lines, whatever they contain: the one pass that needs no structure at all.

use crate::{Base, Example, Group, Pass};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "lines",
    summary: "deletes lines",
    examples: &[Example {
        language: "text",
        before: "one\n  two (2)\nthree\n\nfour",
        keep: &["two (2)", "four"],
        after: "  two (2)\nfour",
    }],
    plan,
    ..Pass::DEFAULT
};

/// The most neighbouring lines that go together.
const WINDOW: usize = 4;

fn plan(base: &Base) -> Vec<Group> {
    let lines = PASS.files(base).flat_map(|file| file.lines().map(move |line| file.cut(line)));
    let single = Group::deletions(lines).beyond_grammar();
    // In a program that the grammar does not accept, nothing else tells where an item ends.
    let broken = || PASS.files(base).filter(|file| base.is_small() && file.parsed.syntax().errors > 0);
    let windows = (2..=WINDOW).rev().map(|width| {
        let units = broken().flat_map(|file| {
            let lines: Vec<Range<usize>> = file.lines().collect();
            let windows = lines.windows(width).map(|window| window[0].start..window[width - 1].end);
            windows.map(|range| file.cut(range)).collect::<Vec<_>>()
        });
        Group::deletions(units).doubtful().beyond_grammar()
    });
    std::iter::once(single).chain(windows.filter(|group| !group.units().is_empty())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::reduce;

    #[test]
    fn of_a_broken_program_neighbouring_lines_go_together() {
        let text = "int a;\nlayout(x) uniform B {\n    int b;\n};\nvoid main() { a; }\n";
        let is_whole = |text: &str| text.matches('{').count() == text.matches("}").count();
        let has_items = |text: &str| text.matches("};").count() == text.matches("uniform").count();
        let left = reduce(&PASS, Base::of_example("c", text), |text| {
            text.contains("main") && text.contains("int a;") && is_whole(text) && has_items(text)
        });
        assert_eq!(left, "int a;\nvoid main() { a; }\n");
    }
}
