//! Deletes conditional parts of a source file, or keeps one branch of them without the lines of the preprocessor; all parts with
//! the same condition at once, too.
//!
//! The parts are found line by line, since the grammar cannot read a file such as the usual header of a library in C, which
//! opens `extern "C" {` in one conditional part and closes it in another one.

use super::FAMILY;
use crate::{Base, Example, File, Group, Pass, Unit};
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "conditionals",
    summary: "deletes the lines between `#if` and `#endif`, or keeps one branch of them, of all conditions that are alike at once",
    languages: FAMILY,
    examples: &[
        Example {
            language: "c",
            before: "#ifdef A\nint d;\n#endif\nint a;\n#ifndef A\nint b;\n#else\nint c;\n#endif\n",
            keep: &["int a;\n", "int b;\n"],
            after: "int a;\nint b;\n",
        },
        Example {
            language: "cpp",
            before: "#if A \\\n    && B\nint a;\n#elif C\nint b;\n#if D\n#endif\n#else\nint c;\n#endif\n",
            keep: &["int b;\n"],
            after: "int b;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let files: Vec<(File<'_>, Vec<Conditional<'_>>)> =
        PASS.files(base).map(|file| (file, conditionals(file))).collect();
    let mut alike: BTreeMap<&[u8], Vec<(File<'_>, &Conditional<'_>)>> = BTreeMap::new();
    for (file, conditionals) in &files {
        for conditional in conditionals {
            alike.entry(conditional.condition).or_default().push((*file, conditional));
        }
    }
    let several = alike.into_values().filter(|all| all.len() > 1);
    let together = several.map(|all| {
        let where_it =
            |holds: bool| Unit::together(all.iter().flat_map(|(file, c)| c.where_it(holds, *file)));
        [where_it(false), where_it(true)]
    });
    let each = files.iter().flat_map(|(file, conditionals)| {
        conditionals.iter().map(|c| {
            let kept = (0..c.branches()).map(|branch| Unit::together(c.keeping(Some(branch), *file)));
            std::iter::once(Unit::together(c.keeping(None, *file))).chain(kept).collect::<Vec<_>>()
        })
    });
    vec![Group::choices(together).doubtful(), Group::choices(each).doubtful()]
}

/// The lines from an `#if` to its `#endif`.
struct Conditional<'a> {
    /// What makes the first branch hold, without `#if`; the name, for `#ifdef` and `#ifndef`.
    condition: &'a [u8],
    /// Whether the first branch holds where the condition does not.
    is_negated: bool,
    /// The lines of the preprocessor that open, divide and close it.
    lines: Vec<Range<usize>>,
    has_else: bool,
}

impl Conditional<'_> {
    fn branches(&self) -> usize {
        self.lines.len() - 1
    }

    /// Deletes all but a branch, or everything.
    fn keeping(&self, branch: Option<usize>, file: File<'_>) -> Vec<Unit> {
        let (start, end) = (self.lines[0].start, self.lines[self.branches()].end);
        let Some(branch) = branch else { return vec![file.cut(start..end)] };
        let kept = self.lines[branch].end..self.lines[branch + 1].start;
        vec![file.cut(start..kept.start), file.cut(kept.end..end)]
    }

    /// Keeps the branch that is read if the condition `holds`; if it does not, that is the one behind `#else`, or none.
    fn where_it(&self, holds: bool, file: File<'_>) -> Vec<Unit> {
        let branch = match holds != self.is_negated {
            true => Some(0),
            false => Some(self.branches() - 1).filter(|_| self.has_else),
        };
        self.keeping(branch, file)
    }
}

/// The conditional parts of a file, in the order of their ends. O(bytes + tokens).
fn conditionals(file: File<'_>) -> Vec<Conditional<'_>> {
    let (mut open, mut closed): (Vec<Conditional<'_>>, Vec<Conditional<'_>>) = Default::default();
    for line in directives(file) {
        let text = file.text()[line.clone()].trim_ascii_start()[1..].trim_ascii();
        let word = text.iter().take_while(|c| c.is_ascii_alphabetic()).count();
        let (word, condition) = (&text[..word], text[word..].trim_ascii());
        match (word, open.last_mut()) {
            (b"if" | b"ifdef" | b"ifndef", _) => {
                let is_negated = word == b"ifndef";
                open.push(Conditional { condition, is_negated, lines: vec![line], has_else: false });
            }
            (b"elif" | b"elifdef" | b"elifndef", Some(last)) => last.lines.push(line),
            (b"else", Some(last)) => {
                last.lines.push(line);
                last.has_else = true;
            }
            (b"endif", Some(last)) => {
                last.lines.push(line);
                closed.extend(open.pop());
            }
            _ => {}
        }
    }
    closed
}

/// The lines of the preprocessor, each with those that go on with it.
fn directives(file: File<'_>) -> impl Iterator<Item = Range<usize>> {
    let mut lines = file.lines();
    std::iter::from_fn(move || {
        let mut line = lines.find(|line| {
            // A line inside a comment or a string has no token of this sort.
            let first = file.tokens_in(line.clone()).first();
            let blanks = file.text()[line.clone()].iter().take_while(|c| c.is_ascii_whitespace()).count();
            first.is_some_and(|t| {
                t.start as usize == line.start + blanks && file.text()[t.range()].starts_with(b"#")
            })
        })?;
        while file.text()[line.clone()].trim_ascii_end().ends_with(b"\\") {
            let Some(next) = lines.next() else { break };
            line.end = next.end;
        }
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::reduce;

    #[test]
    fn a_block_goes_that_conditional_lines_open_and_close() {
        let text = "#ifdef A\nextern \"C\" {\n#endif\nint a; /*\n#endif */\n#ifdef A\n}\n#endif\n";
        let is_whole = |text: &str| text.contains('{') == text.contains('}') && text.contains("int a;");
        assert_eq!(reduce(&PASS, Base::of_example("c", text), is_whole), "int a; /*\n#endif */\n");
    }
}
