//! `lopper grammar check`: the faults of a grammar by name.

use crate::cli::Exit;
use crate::cli::given::read;
use crate::error::UserError;
use crate::report;
use lopper_languages::grammar::{Grammar, Parser};
use std::path::Path;

/// Prints each fault on a line, with advice on the next one.
pub(super) fn check(path: &Path) -> Result<Exit, UserError> {
    let text = read(path)?;
    let json = std::str::from_utf8(&text).map_err(|error| {
        UserError::usage(format!("the grammar '{}' is not UTF-8", path.display())).fact(error.to_string())
    })?;
    match Grammar::read(json) {
        Ok(grammar) => {
            grammar.remarks().iter().for_each(|remark| report::remark(remark));
            let (nonterminals, rules) = (grammar.names().len(), grammar.rules().len());
            let parser = Parser::new(grammar);
            let kind = match parser.is_deterministic() {
                true => "LALR(1), so no text has two trees, and files are checked in linear time",
                false => "not LALR(1): texts may have several trees, and files take longer to check",
            };
            report::remark(&format!("{nonterminals} nonterminals, {rules} rules; {kind}"));
            Ok(Exit::Reduced)
        }
        Err(problems) => {
            for problem in problems {
                if !report::answer(&format!("{problem}\n  help: {}\n", problem.help()))? {
                    break;
                }
            }
            Ok(Exit::NotFound)
        }
    }
}
