//! `lopper match --where`: which files satisfy a formula over patterns.

use super::Exit;
use super::given::read;
use super::patterns::{Form, Loaded, files};
use crate::error::UserError;
use crate::report;
use lopper_languages::Parsed;
use lopper_patterns::algebra::Formula;
use lopper_patterns::{Extras, Haystack};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

/// The patterns and the formula over them.
#[derive(Debug, clap::Args)]
pub(super) struct FormulaOptions {
    /// A pattern for --where, with its name in the formula
    #[arg(long = "pattern", value_name = "NAME=FILE", requires = "formula")]
    named: Vec<String>,
    /// Print the names of the files that satisfy this formula: 'D & !Z', 'D >= 2'
    #[arg(long = "where", value_name = "FORMULA", conflicts_with = "classify")]
    formula: Option<String>,
}

impl FormulaOptions {
    /// The formula, if there is one.
    pub(super) fn formula(&self) -> Result<Option<Formula>, UserError> {
        self.formula.as_deref().map(formula).transpose()
    }

    /// The patterns that a formula names. Others are not read.
    fn patterns(
        &self,
        formula: &Formula,
        grammar: Option<&Path>,
    ) -> Result<BTreeMap<String, Loaded>, UserError> {
        let mut patterns = BTreeMap::new();
        for text in &self.named {
            let (name, file) = text.split_once('=').ok_or_else(|| unnamed(text))?;
            if formula.caps().contains_key(name) {
                let form = Form { grammar, language: None, like: None };
                let loaded = Loaded::read(Path::new(file), &form)?;
                patterns.insert(name.to_owned(), Loaded { pattern: loaded.pattern.evocative(), ..loaded });
            }
        }
        match formula.caps().into_keys().find(|name| !patterns.contains_key(name)) {
            Some(unknown) => Err(undefined(&unknown)),
            None => Ok(patterns),
        }
    }
}

/// The formula of `--where`.
pub(super) fn formula(text: &str) -> Result<Formula, UserError> {
    Formula::read(text).map_err(|error| {
        UserError::usage("the formula of --where cannot be read")
            .fact(text.to_owned())
            .fact(error.to_string())
            .help("write it like D & !Z, D >= 2, or (D | Z) & D = 1")
    })
}

/// A `--pattern` without a name.
pub(super) fn unnamed(text: &str) -> UserError {
    UserError::usage(format!("--pattern '{text}' has no name"))
        .help("--pattern 'D=((<expr>))' names the pattern D")
}

/// A formula with a name that no `--pattern` has.
pub(super) fn undefined(name: &str) -> UserError {
    UserError::usage(format!("the formula names a pattern '{name}' that does not exist"))
        .help(format!("--pattern '{name}=...' defines it"))
}

/// Prints the names of the files that satisfy the formula. A pattern counts as often as it is found.
pub(super) fn run(
    condition: &FormulaOptions,
    formula: &Formula,
    paths: &[PathBuf],
    grammar: Option<&Path>,
    extras: Extras,
    quiet: bool,
) -> Result<Exit, UserError> {
    let patterns = condition.patterns(formula, grammar)?;
    let mut exit = Exit::NotFound;
    for path in files(paths)? {
        let text = read(&path)?;
        let Some(counts) = counts(&patterns, &text, extras) else { continue };
        if !formula.holds(&|name| counts.get(name).copied().unwrap_or(0)) {
            continue;
        }
        exit = Exit::Reduced;
        if quiet || !report::answer(&format!("{}\n", path.display()))? {
            break;
        }
    }
    Ok(exit)
}

/// How often each pattern is found in a text; `None` if a user's grammar does not accept it.
fn counts(patterns: &BTreeMap<String, Loaded>, text: &[u8], extras: Extras) -> Option<BTreeMap<String, u32>> {
    // All patterns of a language share one tree. Every user's grammar is a language of its own.
    let mut parsed: BTreeMap<(&str, Option<&str>), Parsed> = BTreeMap::new();
    for loaded in patterns.values() {
        let key = (&*loaded.pattern.language, loaded.pattern.grammar.as_deref());
        if let Entry::Vacant(place) = parsed.entry(key) {
            place.insert(loaded.parse(text.to_vec())?);
        }
    }
    let haystacks: BTreeMap<_, Haystack> =
        parsed.iter().map(|(key, file)| (*key, Haystack::new(file))).collect();
    let count = |(name, loaded): (&String, &Loaded)| {
        let haystack = haystacks.get(&(&*loaded.pattern.language, loaded.pattern.grammar.as_deref()));
        let found = haystack.map_or(0, |haystack| haystack.find(&loaded.pattern, extras).len());
        (name.clone(), u32::try_from(found).unwrap_or(u32::MAX))
    };
    Some(patterns.iter().map(count).collect())
}
