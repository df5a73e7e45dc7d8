//! Formulas over patterns of a grammar, from the command line.

use crate::cli::formulas::{formula, undefined, unnamed};
use crate::cli::given::unreadable;
use crate::error::UserError;
use lopper_languages::grammar::{Folding, Grammar};
use lopper_patterns::Pattern;
use lopper_patterns::algebra::{Automaton, Formula, RefinedGrammar, Subtree};
use std::fs;
use std::path::PathBuf;

/// How many rules a refined grammar may have.
const LIMIT: usize = 1_000_000;

/// The grammar, the patterns, and the formula over them.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Texts {
    /// The context-free grammar, in JSON
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) grammar: PathBuf,
    /// A pattern and its name in the formula; @FILE reads the pattern from a file
    #[arg(long, value_name = "NAME=PATTERN")]
    pattern: Vec<String>,
    /// The formula [default: all texts; with one pattern, those that contain it]
    #[arg(long = "where", value_name = "FORMULA")]
    formula: Option<String>,
}

impl Texts {
    /// Whether all texts of the grammar are meant.
    pub(in crate::cli) fn are_all(&self) -> bool {
        self.pattern.is_empty() && self.formula.is_none()
    }
}

/// A formula, and the automaton that answers it.
pub(in crate::cli) struct Question<'g> {
    pub(in crate::cli) automaton: Automaton<'g>,
    /// The names of the patterns, in the order of the automaton's subtrees.
    names: Vec<String>,
}

impl<'g> Question<'g> {
    /// Reads the patterns and the formula.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub(in crate::cli) fn read(texts: &Texts, grammar: &'g Grammar) -> Result<Self, UserError> {
        let mut subtrees = Vec::new();
        for text in &texts.pattern {
            let (name, pattern) = text.split_once('=').ok_or_else(|| unnamed(text))?;
            subtrees.push((name.to_owned(), subtree(grammar, name, pattern)?));
        }
        let formula = match (&texts.formula, &texts.pattern[..]) {
            (Some(text), _) => formula(text)?,
            (None, []) => Formula::And(Vec::new()),
            (None, [_]) => Formula::Count(subtrees[0].0.clone(), 1, None),
            (None, _) => {
                return Err(UserError::usage("there are several patterns and no formula")
                    .help("--where says how they are combined, such as --where 'D & !Z'"));
            }
        };
        let caps = formula.caps();
        if let Some(unknown) = caps.keys().find(|name| subtrees.iter().all(|(known, _)| known != *name)) {
            return Err(undefined(unknown));
        }
        // A pattern that is not in the formula would only make the automaton larger.
        subtrees.retain(|(name, _)| caps.contains_key(name));
        let names = subtrees.iter().map(|(name, _)| name.clone()).collect();
        Ok(Self { automaton: Automaton::answering(grammar, &subtrees, &formula), names })
    }

    /// The grammar of exactly the texts that satisfy the formula.
    ///
    /// # Errors
    /// If it would be too large.
    pub(in crate::cli) fn product(&self) -> Result<RefinedGrammar<'g>, UserError> {
        RefinedGrammar::product(&self.automaton, LIMIT).map_err(|error| {
            let name = self.names.get(error.subtree).map_or("", String::as_str);
            UserError::usage(error.to_string())
                .fact(format!("the pattern '{name}' has most of the states"))
                .help("leave it out, or ask for fewer occurrences of it")
        })
    }
}

/// The evocative subtree of a pattern.
fn subtree(grammar: &Grammar, name: &str, pattern: &str) -> Result<Subtree, UserError> {
    let text = match pattern.strip_prefix('@') {
        Some(file) => {
            let path = PathBuf::from(file);
            fs::read(&path).map_err(|error| unreadable(&path, &error))?
        }
        None => pattern.as_bytes().to_vec(),
    };
    let broken = |error: &dyn std::error::Error| {
        UserError::usage(format!("the pattern '{name}' cannot be used"))
            .fact(error.to_string())
            .help("write holes as nonterminals of the grammar, such as <expr>")
    };
    let pattern = Pattern::of_grammar(grammar, &text).map_err(|error| broken(&error))?;
    Subtree::characteristic(grammar, &pattern).map_err(|error| broken(&error))
}

/// What a grammar and a formula say about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Answer {
    /// A tree of the text satisfies the formula.
    Holds,
    /// The text has trees, and none does.
    Fails,
    /// The grammar does not derive the text.
    Underivable,
}

/// Answers for a text with or without the line end at its end, which need not be part of it, as for `lopper parse`.
pub(in crate::cli) fn answer(folding: &mut Folding<'_, Automaton<'_>>, text: &[u8]) -> Answer {
    let mut answer = Answer::Underivable;
    for text in [text.strip_suffix(b"\n"), Some(text)].into_iter().flatten() {
        let states = folding.states(text);
        if states.iter().any(|state| folding.fold().holds(state)) {
            return Answer::Holds;
        }
        if !states.is_empty() {
            answer = Answer::Fails;
        }
    }
    answer
}
