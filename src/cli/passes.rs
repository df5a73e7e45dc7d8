//! `lopper passes`: which passes there are, and what each does.

use super::Exit;
use crate::error::UserError;
use crate::report;
use lopper_passes::Pass;
use std::fmt::Write;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Show this pass with its examples
    name: Option<String>,
    /// Show all passes with their examples, as Markdown
    #[arg(long, conflicts_with = "name")]
    markdown: bool,
}

/// Lists the passes, or shows one.
pub(super) fn run(arguments: &Arguments, passes: &'static [Pass]) -> Result<Exit, UserError> {
    let text = match &arguments.name {
        Some(name) => manual(find(passes, name)?),
        None if arguments.markdown => markdown(passes),
        None => passes.iter().map(|p| format!("{:16} {}{}\n", p.name, p.summary, only_for(p))).collect(),
    };
    report::answer(&text)?;
    Ok(Exit::Reduced)
}

/// The pass of this name.
pub(super) fn find(passes: &'static [Pass], name: &str) -> Result<&'static Pass, UserError> {
    passes.iter().find(|pass| pass.name == name).ok_or_else(|| {
        let names: Vec<&str> = passes.iter().map(|p| p.name).collect();
        UserError::usage(format!("there is no pass '{name}'"))
            .help(format!("the passes are {}", names.join(", ")))
    })
}

/// The manual of all passes: what `docs/passes.md` holds.
fn markdown(passes: &[Pass]) -> String {
    let intro = "# The passes\n\nMade by `lopper passes --markdown`; the examples are tests.\n";
    passes.iter().fold(intro.to_owned(), |text, pass| text + "\n" + &manual(pass))
}

/// The languages of a pass that is not for all.
fn only_for(pass: &Pass) -> String {
    match pass.languages {
        [] => String::new(),
        languages => format!(" (only for {})", languages.join(" and ")),
    }
}

fn manual(pass: &Pass) -> String {
    let mut out = format!("## {}\n\nIt {}{}.\n", pass.name, pass.summary, only_for(pass));
    for example in pass.examples {
        let _ = writeln!(out, "\n```{}\n{}```", example.language, ended(example.before));
        match example.keep {
            [] => out.push_str("becomes\n"),
            keep => {
                let keep: Vec<String> = keep.iter().map(|k| format!("`{}`", k.replace('\n', "⏎"))).collect();
                let _ = writeln!(out, "becomes, where {} must stay,", keep.join(" "));
            }
        }
        let _ = writeln!(out, "```{}\n{}```", example.language, ended(example.after));
    }
    out
}

fn ended(text: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}
