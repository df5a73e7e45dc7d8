//! Lets a loop over `range(...)` count to a number that is large enough, in the place of one that the program computes: tests
//! nest something as deep as `range(sys.getrecursionlimit())`.

use crate::functions::items_of;
use crate::{Base, Example, Group, Pass};
use lopper_languages::role::Role;

pub(crate) const PASS: Pass = Pass {
    name: "ranges",
    summary: "lets `range(...)` count to a large number that is written in its place",
    languages: &["python"],
    examples: &[Example {
        language: "python",
        before: "for a in range(b() + 10): c\nfor d in range(1, e.f()): g\nfor h in range(20): i\n",
        keep: &["for a in range(", "): c\nfor d in range(1, ", "): g\nfor h in range(20): i\n"],
        after: "for a in range(1000): c\nfor d in range(1, 1000): g\nfor h in range(20): i\n",
    }],
    plan,
    ..Pass::DEFAULT
};

/// The usual recursion limit of Python, and more than that, but soon counted.
const NUMBERS: [&str; 2] = ["1000", "9999"];

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        file.bindings().calls().iter().filter_map(move |call| {
            let (callee, list) =
                (file.named_children(call.whole).next()?, file.named_children(call.whole).last()?);
            let end = *items_of(&file, list).last()?;
            let is_written = file.has(end, Role::Literal);
            (file.node_text(callee) == b"range" && !is_written)
                .then(|| NUMBERS.map(|number| file.replace(end, number)))
        })
    });
    vec![Group::choices(units).doubtful()]
}
