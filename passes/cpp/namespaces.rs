//! Puts the contents of a namespace in its place: qualifiers and directives that name it are deleted.

use crate::c::{child, is};
use crate::uses::statement;
use crate::{File, Unit};
use lopper_languages::bindings::{Definition, Sort};

/// What dissolves each namespace of these files.
pub(crate) fn dissolved_in(files: &[File<'_>]) -> Vec<Unit> {
    let units = files.iter().flat_map(|&file| {
        let namespaces = file.definitions().filter(|d| d.sort == Sort::Namespace);
        namespaces.filter_map(move |definition| dissolved(file, definition))
    });
    units.collect()
}

fn dissolved(file: File<'_>, definition: &Definition) -> Option<Unit> {
    let mut units = Vec::new();
    for place in file.places(definition) {
        let whole = file.parent(place.name).filter(|&n| is(&file, n, "namespace_definition"))?;
        let body = child(&file, whole, "declaration_list")?;
        let (open, close) = (child(&file, body, "{")?, child(&file, body, "}")?);
        units.push(file.cut(file.range(whole).start..file.range(open).end));
        units.push(file.cut(file.range(close)));
    }
    for name in file.uses(definition) {
        let parent = file.parent(name)?;
        let behind = file.next_sibling(name).and_then(|mark| file.next_sibling(mark));
        units.push(match behind.filter(|_| !is(&file, parent, "using_declaration")) {
            Some(behind) => file.cut(file.range(name).start..file.range(behind).start),
            None => file.drop(statement(&file, name)),
        });
    }
    Some(Unit::together(units))
}
