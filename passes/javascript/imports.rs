//! Imports: the places where a module names another one, in both styles: `import` and `require`.

use crate::File;
use crate::referrers::{Referrer, Referrers};
use lopper_languages::edit::FileId;
use lopper_languages::references::{Form, Item};
use lopper_languages::tree::NodeId;

/// An import of a module: the statement, the call of `require`, or a call that is like it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Import {
    Statement(NodeId),
    Call(NodeId),
    Dynamic,
}

/// The strings of a file that may name modules, with those that they name.
pub(super) fn strings(referrers: &Referrers<'_>, file: File<'_>) -> Vec<(NodeId, Option<FileId>)> {
    let mut found = Vec::new();
    for (index, statement) in file.parsed.references().iter().enumerate() {
        let targets = referrers.targets(Referrer { file: file.id, statement: Some(index) });
        for (at, item) in statement.items.iter().enumerate() {
            let target = targets.get(at).copied().flatten();
            found.extend(string_of(file, item).map(|string| (string, target)));
        }
    }
    found
}

/// The string with the path of an item.
fn string_of(file: File<'_>, item: &Item) -> Option<NodeId> {
    let place = match &item.form {
        Form::Specifier { place, .. } => place.clone(),
        Form::Word(_) => item.range.clone(),
        _ => return None,
    };
    let inside = file.innermost_at(place)?;
    file.parent(inside).filter(|&n| file.kind_name(n) == "string")
}

/// The import with this path of a module, if it is one.
pub(super) fn import_of(file: File<'_>, string: NodeId) -> Option<Import> {
    let parent = file.parent(string)?;
    match file.kind_name(parent) {
        "import_statement" | "export_statement" => Some(Import::Statement(parent)),
        "arguments" => {
            let call = file.parent(parent)?;
            match file.node_text(file.children(call).next()?) {
                b"require" => Some(Import::Call(call)),
                b"import" => Some(Import::Dynamic),
                _ => None,
            }
        }
        _ => None,
    }
}
