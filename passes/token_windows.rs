//! Deletes windows of neighbouring tokens, which need not match any grammar rule.

use crate::{Base, Example, File, Group, Pass, Unit};

pub(crate) const PASS: Pass = Pass {
    name: "token-windows",
    summary: "deletes windows of neighbouring tokens, the widest first",
    examples: &[Example {
        language: "c",
        before: "static int one; int two() { return three + four; }\n",
        keep: &["one;", "two(", "four"],
        after: "one; int two() { four; }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// The widest and the narrowest window, in tokens; single tokens have a pass of their own.
pub(crate) const WIDEST: usize = 4;
const NARROWEST: usize = 2;

fn plan(base: &Base) -> Vec<Group> {
    let places =
        || (NARROWEST..=WIDEST).rev().flat_map(|width| (0..width).map(move |offset| (width, offset)));
    let all = places().map(|(width, offset)| {
        let windows = PASS.files(base).flat_map(|file| windows(file, width, offset));
        Group::deletions(windows.map(|(_, unit)| unit)).doubtful()
    });
    // No node spans the end of one item and the beginning of the next, and in a broken program the number of errors does not
    // tell whether a window that joins them is worth a run.
    let joins = places().map(|(width, offset)| {
        let broken = PASS.files(base).filter(|file| file.parsed.syntax().errors > 0);
        let windows = broken.flat_map(|file| {
            let is_end = move |at: usize| &file.text()[file.tokens()[at].range()] == b";";
            windows(file, width, offset).filter(move |(first, _)| (*first..first + width).any(is_end))
        });
        Group::deletions(windows.map(|(_, unit)| unit)).doubtful().beyond_grammar()
    });
    all.chain(joins.filter(|group| !group.units().is_empty())).collect()
}

/// Windows that lie side by side: the first token of each, and the unit that deletes it.
fn windows(file: File<'_>, width: usize, offset: usize) -> impl Iterator<Item = (usize, Unit)> {
    let starts = (offset..(file.tokens().len() + 1).saturating_sub(width)).step_by(width);
    starts.map(move |first| (first, file.cut_tokens(first, (1 << width) - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_broken_program_windows_that_join_two_items_are_tested_whatever_the_grammar_says() {
        let joins = |text: &str| {
            let base = Base::of_example("c", text);
            let groups = plan(&base).into_iter().filter(Group::is_beyond_grammar).collect::<Vec<_>>();
            let left =
                |group: &Group, unit| group.render_alone(&base, unit).unwrap().apply(0, text.as_bytes());
            let units =
                groups.iter().flat_map(|group| (0..group.units().len()).map(move |unit| (group, unit)));
            units.map(|(group, unit)| String::from_utf8(left(group, unit)).unwrap()).collect::<Vec<_>>()
        };
        let broken = joins("int a; int b = (");
        assert!(broken.iter().any(|left| left.split_whitespace().eq(["int", "a", "=", "("])), "{broken:?}");
        assert!(broken.iter().all(|left| !left.contains(';')), "{broken:?}");
        assert_eq!(joins("int a; int b = 1;"), Vec::<String>::new());
    }
}
