//! Deletes comments.

use crate::{Base, Example, Grain, Group, Pass};
use lopper_languages::role::Role;

pub(crate) const PASS: Pass = Pass {
    name: "comments",
    summary: "deletes comments",
    examples: &[
        Example {
            language: "c",
            before: "/* about\n   it */\nint a; // and it\nint /* why? */ b;\n",
            keep: &["int a;", "b;", "why?"],
            after: "int a;\nint /* why? */ b;\n",
        },
        Example {
            language: "python",
            before: "# about\nif a:\n    # inside\n    b('#', # end\n      c)\n",
            keep: &["b('#',"],
            after: "if a:\n    b('#',\n      c)\n",
        },
        Example {
            language: "text",
            before: "-- about\na /* why? */ b;\n; c\n/*\n * d\n */\ne // f\n",
            keep: &["a", "b;", "e"],
            after: "a b;\ne\n",
        },
    ],
    plan,
    // A reduction that is stopped early shall not leave comments around nothing.
    grain: Grain::Coarse,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let comments =
        PASS.files(base).flat_map(|file| file.with(Role::Comment).map(move |node| file.drop(node)));
    vec![Group::deletions(comments)]
}
