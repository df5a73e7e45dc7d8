//! Names that a module and the file it moves to have both defined: the module's own get other spellings.

use crate::File;
use crate::referrers::{Referrer, Referrers};
use crate::spellings;
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::edit::FileId;
use lopper_languages::references::Form;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The other spellings of a module's names.
#[derive(Default)]
pub(super) struct Spellings<'a>(BTreeMap<&'a [u8], Vec<u8>>);

impl<'a> Spellings<'a> {
    /// The spellings for a module on its way into a host. Left out are names that the host both imports from the module
    /// and defines itself, and those that a third file may use in a way that cannot be changed.
    pub(super) fn new(referrers: &Referrers<'a>, module: FileId, host: FileId) -> Self {
        let file = |id: FileId| File { id, parsed: referrers.base.file(id) };
        let (module, host) = (file(module), file(host));
        let taken = taken(referrers, module, host);
        let meeting = own(module).filter(|(_, name)| taken.contains(name));
        let meeting: Vec<&[u8]> = meeting.map(|(_, name)| name).collect();
        let Some(free) = (!meeting.is_empty()).then(|| unseen(referrers, module, host, meeting)) else {
            return Self::default();
        };
        let mut words = spellings::words(&[module, host]);
        Self(free.into_iter().filter_map(|name| Some((name, spellings::other(name, &mut words)?))).collect())
    }

    /// The spelling in the host of a name of the module.
    pub(super) fn of(&self, name: &[u8]) -> Option<&[u8]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// The changes of the module's text, in order.
    pub(super) fn changes(&self, module: File<'_>) -> Vec<(Range<u32>, Vec<u8>)> {
        let mut changes = BTreeMap::new();
        for (definition, name) in own(module).filter(|_| !self.0.is_empty()) {
            let Some(new) = self.of(name) else { continue };
            let names = module.places(definition).map(|place| place.name).chain(module.uses(definition));
            for range in names.map(|name| module.range(name)) {
                changes.insert((range.start as u32, range.end as u32), new.to_vec());
            }
        }
        changes.into_iter().map(|((start, end), new)| (start..end, new)).collect()
    }
}

/// What a file defines itself for all of its text, with its names.
fn own<'a>(file: File<'a>) -> impl Iterator<Item = (&'a Definition, &'a [u8])> {
    let is_own = |d: &&Definition| {
        d.scope == NodeId::ROOT && matches!(d.sort, Sort::Function | Sort::Variable | Sort::Type)
    };
    file.definitions().filter(is_own).map(move |d| (d, file.node_text(d.places[0].name)))
}

/// The names that the host defines or imports, except those that it imports from the module.
fn taken<'a>(referrers: &Referrers<'a>, module: File<'a>, host: File<'a>) -> BTreeSet<&'a [u8]> {
    let of_module = referrers.of(module.id).iter().filter(|by| by.file == host.id);
    let imports: Vec<Range<usize>> =
        of_module.filter_map(|by| Some(referrers.statement(*by)?.range.clone())).collect();
    let is_imported = |name: NodeId| {
        let at = host.range(name).start;
        imports.iter().any(|import| import.contains(&at))
    };
    let is_own = |d: &&Definition| {
        let sorts = [Sort::Function, Sort::Variable, Sort::Type, Sort::Import];
        d.scope == NodeId::ROOT
            && sorts.contains(&d.sort)
            && host.places(d).all(|place| !is_imported(place.name))
    };
    host.definitions().filter(is_own).map(|d| host.node_text(d.places[0].name)).collect()
}

/// Those of the names that third files only import one by one, or not at all.
fn unseen<'a>(
    referrers: &Referrers<'a>,
    module: File<'a>,
    host: File<'a>,
    mut names: Vec<&'a [u8]>,
) -> Vec<&'a [u8]> {
    let others = referrers.of(module.id).iter().filter(|by| ![module.id, host.id].contains(&by.file));
    let is_open = |by: &&Referrer| {
        let Some(statement) = referrers.statement(**by) else { return false };
        let pairs = statement.items.iter().zip(referrers.targets(**by));
        let mut items = pairs.filter(|(_, target)| **target == Some(module.id));
        items.any(|(item, _)| match &item.form {
            Form::Name { module: from, name, .. } => {
                referrers.submodule(by.file, from, name) == Some(module.id)
            }
            _ => true,
        })
    };
    let open: BTreeSet<FileId> = others.filter(is_open).map(|by| by.file).collect();
    for id in open {
        let words = spellings::words(&[File { id, parsed: referrers.base.file(id) }]);
        names.retain(|name| !words.contains(*name));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Base;

    #[test]
    fn a_name_that_a_third_file_uses_through_the_module_keeps_its_spelling() {
        let spelled = |third: &str| {
            let text = format!(
                "=== a.py\nimport p.m\ndef f(): pass\np.m.f()\n=== p/m.py\ndef f(): pass\n=== z.py\n{third}\n"
            );
            let base = Base::of_example("python", &text);
            Spellings::new(&Referrers::new(&base), 1, 0).of(b"f").map(<[u8]>::to_vec)
        };
        assert!(spelled("from p.m import f").is_some() && spelled("import p.m\ng()").is_some());
        for third in ["import p.m\np.m.f()", "from p import m\nm.f()", "from p.m import *\nf()"] {
            assert_eq!(spelled(third), None, "{third}");
        }
    }
}
