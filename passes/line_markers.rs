//! Deletes line markers: the lines `# 1 "file.c"` that a preprocessor writes.

use crate::{Base, Example, Group, Pass};

pub(crate) const PASS: Pass = Pass {
    name: "line-markers",
    summary: "deletes the line markers of a C preprocessor",
    examples: &[Example {
        language: "c",
        before: "# 1 \"a.c\"\n#define A 1\n# 7 \"b.h\" 1 3\nint a;\n#line 9\nint b;\n",
        keep: &["#define A 1", "int a;", "int b;", "# 7"],
        after: "#define A 1\n# 7 \"b.h\" 1 3\nint a;\nint b;\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    // A `#` that begins a comment does not begin a line marker.
    let files = PASS.files(base).filter(|file| !file.language().lexis().line_comments.contains(&"#"));
    let markers = files.flat_map(|file| {
        let markers = file.lines().filter(move |line| is_marker(&file.text()[line.clone()]));
        markers.map(move |line| file.cut(line))
    });
    vec![Group::deletions(markers)]
}

fn is_marker(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").map_or(rest, <[u8]>::trim_ascii_start);
    rest.first().is_some_and(u8::is_ascii_digit)
}
