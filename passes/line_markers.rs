//! Line markers go: the `# 1 "file.c"` that a preprocessor leaves.

use crate::{Base, Example, Grain, Group, Pass, Unit};

pub(crate) const PASS: Pass = Pass {
    name: "line-markers",
    summary: "deletes the line markers that a C preprocessor leaves",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "c",
        before: "# 1 \"a.c\"\n#define A 1\n# 7 \"b.h\" 1 3\nint a;\n#line 9\nint b;\n",
        keep: &["#define A 1", "int a;", "int b;", "# 7"],
        after: "#define A 1\n# 7 \"b.h\" 1 3\nint a;\nint b;\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for (id, file) in base.files() {
        if file.language.lexis().line_comments.contains(&"#") {
            continue;
        }
        let mut start = 0;
        for line in file.text.split_inclusive(|&c| c == b'\n') {
            let end = start + line.len() as u32;
            if is_marker(line) {
                units.push(Unit::Cut { file: id, range: start..end });
            }
            start = end;
        }
    }
    vec![Group::deletions(units)]
}

fn is_marker(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").map_or(rest, <[u8]>::trim_ascii_start);
    rest.first().is_some_and(u8::is_ascii_digit)
}
