//! Reads the patterns that the user names: files in JSON or in the text form.

use super::given::{read, unreadable};
use super::language;
use crate::error::UserError;
use lopper_languages::grammar::{Grammar, Parser};
use lopper_languages::{Language, Parsed};
use lopper_patterns::Pattern;
use std::fs;
use std::path::{Path, PathBuf};

/// A pattern, and the parser for its files.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) pattern: Pattern,
    /// The parser, if the pattern belongs to a user's grammar.
    pub(super) parser: Option<&'static Parser>,
    pub(super) language: &'static dyn Language,
}

impl Loaded {
    /// Reads a pattern file, which is in JSON unless there is a `grammar`.
    pub(super) fn read(path: &Path, grammar: Option<&Path>) -> Result<Self, UserError> {
        let bytes = read(path)?;
        let shown = path.display();
        let broken = |error: lopper_patterns::NotAPattern| {
            UserError::usage(format!("'{shown}' cannot be read as a pattern")).fact(error.to_string())
        };
        let parser = grammar.map(language::parser).transpose()?.map(Parser::leak);
        let json = std::str::from_utf8(&bytes).ok().filter(|text| text.contains("\"lopper_pattern\""));
        let pattern = match (json, parser) {
            (Some(json), _) => Pattern::from_json(json).map_err(broken)?,
            (None, Some(parser)) => Pattern::of_grammar(parser.grammar(), &bytes).map_err(broken)?,
            (None, None) => {
                return Err(UserError::usage(format!("'{shown}' is not a pattern in JSON"))
                    .help("lopper generalize writes one with --json FILE")
                    .help("name the grammar of a pattern in its text form with --grammar FILE.json"));
            }
        };
        let parser = match (&pattern.grammar, parser) {
            (Some(json), None) => Some(embedded(path, json)?),
            (_, parser) => parser,
        };
        let language = match parser {
            Some(parser) => parser.derivation_trees(),
            None => lopper_languages::named(&pattern.language).ok_or_else(|| {
                let language = &pattern.language;
                UserError::usage(format!(
                    "'{shown}' is a pattern of the language '{language}', which is unknown"
                ))
                .help("lopper languages lists the languages")
            })?,
        };
        Ok(Self { pattern, parser, language })
    }

    /// A file in the pattern's language; `None` if the user's grammar does not accept it.
    pub(super) fn parse(&self, text: Vec<u8>) -> Option<Parsed> {
        let file = Parsed::new(self.language, text);
        (self.parser.is_none() || file.syntax.errors == 0).then_some(file)
    }
}

/// The parser for the grammar inside a pattern file.
fn embedded(path: &Path, json: &str) -> Result<&'static Parser, UserError> {
    let grammar = Grammar::read(json).map_err(|problems| {
        let error = UserError::usage(format!("the grammar in '{}' cannot be used", path.display()));
        problems.iter().fold(error, |error, problem| error.fact(problem.to_string()))
    })?;
    Ok(Parser::new(grammar).leak())
}

/// The files that the user names; a folder stands for all files below it, in the order of their names.
pub(super) fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, UserError> {
    let mut files = Vec::new();
    let mut open: Vec<PathBuf> = named.iter().rev().cloned().collect();
    while let Some(path) = open.pop() {
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        let entries = fs::read_dir(&path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        let entries = entries.map_err(|error| unreadable(&path, &error))?;
        let mut below: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
        // A link below a folder is not followed: its target may be elsewhere.
        below.retain(|path| !path.is_symlink());
        below.sort();
        open.extend(below.into_iter().rev());
    }
    Ok(files)
}
