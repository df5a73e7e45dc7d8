//! Strings that name a module, or something in one, as `mock.patch("package.module.name")` does.

use crate::referrers::Referrers;
use crate::{File, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::lexer::TokenKind;
use lopper_languages::references::module_path;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The strings of a base that name modules.
pub(super) struct Strings {
    by_module: BTreeMap<FileId, Vec<Named>>,
    /// The folders with an `__init__.py`.
    packages: BTreeSet<PathBuf>,
}

/// A module in a string.
struct Named {
    file: FileId,
    /// The dotted name of the module.
    module: Range<usize>,
    /// What follows it.
    name: Option<Range<usize>>,
}

/// A longer string is a text.
const LONGEST: usize = 256;

impl Strings {
    /// Linear in the tokens, times the logarithm of the number of files.
    pub(super) fn new<'a>(referrers: &Referrers<'_>, files: impl Iterator<Item = File<'a>>) -> Self {
        let mut strings = Self { by_module: BTreeMap::new(), packages: BTreeSet::new() };
        for file in files {
            if file.parsed.path.ends_with("__init__.py") {
                strings.packages.extend(file.parsed.path.parent().map(Path::to_path_buf));
            }
            for token in file.tokens().iter().filter(|token| token.kind == TokenKind::String) {
                if let Some((module, named)) = named(referrers, file, token.range()) {
                    strings.by_module.entry(module).or_default().push(named);
                }
            }
        }
        strings
    }

    /// The units that put the name of another file in the place of a module's in strings of other files; `spelled` gives
    /// names of the module their new spelling.
    pub(super) fn moved<'s>(
        &self,
        referrers: &Referrers<'_>,
        module: FileId,
        host: FileId,
        spelled: impl Fn(&[u8]) -> Option<&'s [u8]>,
    ) -> Vec<Unit> {
        let mut units = Vec::new();
        for named in self.by_module.get(&module).into_iter().flatten().filter(|named| named.file != module) {
            let file = File { id: named.file, parsed: referrers.base.file(named.file) };
            let Some(name) = self.name(referrers, file, named, module, host) else { continue };
            units.push(file.write(named.module.clone(), name));
            let new =
                named.name.clone().and_then(|range| Some((spelled(&file.text()[range.clone()])?, range)));
            units.extend(new.map(|(new, range)| file.write(range, new.to_vec())));
        }
        units
    }

    /// The dotted name of a file, from where the name of the module counts: without the folders that are no packages.
    fn name(
        &self,
        referrers: &Referrers<'_>,
        file: File<'_>,
        named: &Named,
        module: FileId,
        host: FileId,
    ) -> Option<String> {
        let own = module_path(&referrers.base.file(module).path);
        let there = &referrers.base.file(host).path;
        let parts = module_path(there);
        let count = file.text()[named.module.clone()].split(|&c| c == b'.').count();
        let root = own.len().checked_sub(count)?;
        let is_below = parts.get(..root).is_some_and(|above| above == &own[..root]);
        let is_package = |at: usize| {
            let folder: PathBuf = there.iter().take(at + 1).collect();
            at + 1 == parts.len() || self.packages.contains(&folder) || parts.get(at) == own.get(at)
        };
        let from = (root..parts.len()).find(|&at| is_package(at)).filter(|_| is_below)?;
        Some(parts[from..].join("."))
    }
}

/// What a string names, if it is nothing but a dotted name.
fn named(referrers: &Referrers<'_>, file: File<'_>, range: Range<usize>) -> Option<(FileId, Named)> {
    let text = &file.text()[range.clone()];
    let open = text.iter().position(|c| matches!(c, b'"' | b'\''))? + 1;
    let inside = text.get(open..text.len().checked_sub(1)?)?;
    let is_of_name = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.');
    let is_name = inside.len() <= LONGEST && inside.contains(&b'.') && inside.iter().all(is_of_name);
    let inside = std::str::from_utf8(inside).ok().filter(|_| is_name)?;
    let start = range.start + open;
    // The longest name of a module comes first.
    let ends = inside.rmatch_indices('.').map(|(at, _)| at);
    let ends = std::iter::once(inside.len()).chain(ends);
    ends.filter(|&end| !inside[..end].starts_with('.')).find_map(|end| {
        let module = referrers.paths.module(file.id, &inside[..end])?;
        let rest = inside.get(end + 1..).map(|rest| rest.split('.').next().map_or(0, str::len));
        let name = rest.map(|length| start + end + 1..start + end + 1 + length);
        Some((module, Named { file: file.id, module: start..start + end, name }))
    })
}
