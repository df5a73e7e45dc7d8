//! A name becomes a short one, wherever it stands for the same thing.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::bindings::Definition;
use lopper_languages::edit::FileId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "rename",
    summary: "gives what the program defines names of one letter",
    grain: Grain::Finish,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[
        Example {
            language: "c",
            before: "int first, a;\nint twice(int value) { return value + first; }\nint main() { return twice(a); }\n",
            keep: &["main"],
            after: "int b, a;\nint c(int d) { return d + b; }\nint main() { return c(a); }\n",
        },
        Example {
            language: "python",
            before: "from m import name\nclass Table:\n    def get(self, key=name): return self.get(key=key)\n",
            keep: &["get"],
            after: "from m import a\nclass b:\n    def get(d, e=a): return d.get(e=e)\n",
        },
    ],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let units = base.files().flat_map(|(id, file)| {
        let text = |token: &lopper_languages::lexer::Token| &file.text[token.range()];
        let taken: BTreeSet<&[u8]> = file.tokens.iter().map(text).collect();
        let names = short_names().filter(move |name| !taken.contains(name.as_bytes()));
        // A name that is as short as can be needs none.
        let long = |d: &&Definition| file.node_text(d.places[0].name).len() > 1;
        let definitions = file.bindings().definitions().iter().filter(long);
        let renamed = definitions.zip(names).filter_map(move |(d, name)| renamed(file, id, d, &name));
        renamed.collect::<Vec<_>>()
    });
    vec![Group::deletions(units.collect()).doubtful()]
}

/// The names of one letter, then those of two and so on.
fn short_names() -> impl Iterator<Item = String> {
    let longer = |names: &Vec<String>| {
        let add = |name: &String| ('a'..='z').map(|c| format!("{name}{c}")).collect::<Vec<_>>();
        Some(names.iter().flat_map(add).collect())
    };
    std::iter::successors(Some(('a'..='z').map(String::from).collect()), longer).flatten()
}

fn renamed(file: &Parsed, id: FileId, definition: &Definition, name: &str) -> Option<Unit> {
    if file.node_text(definition.places[0].name).len() <= name.len() {
        return None;
    }
    let names = definition.places.iter().map(|place| place.name).chain(definition.uses.iter().copied());
    let replaced = names.map(|node| Unit::Replace { file: id, node, by: Source::made(name) });
    Some(Unit::Together(replaced.collect()))
}
