//! Deletes end tags, also those without which the grammar does not accept an element: what reads HTML closes elements by itself.

use crate::{Base, Example, Group, Pass};

pub(crate) const PASS: Pass = Pass {
    name: "end-tags",
    summary: "deletes end tags, also where the grammar wants them",
    languages: &["html"],
    examples: &[Example {
        language: "html",
        before: "<ul><li><i>a</i></li><li>b</li></ul>\n",
        keep: &["<ul><li><i>a</i>", "<li>b", "</ul>"],
        after: "<ul><li><i>a</i><li>b</ul>\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let end_tags = PASS.files(base).flat_map(|file| {
        let tags = file.nodes().filter(move |&node| file.kind_name(node) == "end_tag");
        tags.map(move |tag| file.cut(file.range(tag)))
    });
    vec![Group::deletions(end_tags).beyond_grammar()]
}
