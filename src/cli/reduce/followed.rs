//! The candidate of an earlier run that failed in another way, and that is reduced in its turn.

use super::arguments::Arguments;

use super::place;
use crate::conditions::{Failure, TestPlan};
use crate::error::UserError;
use crate::journal::{Form, Others, RunFolder, held_by, other_name};
use crate::oracle::command::quoted;
use std::path::PathBuf;

/// The candidate; see the module.
pub(super) struct Followed {
    /// The command line for its reduction, whose result is written beside it.
    pub(super) arguments: Arguments,
    /// The candidate's file in the run folder.
    pub(super) path: PathBuf,
    signature: String,
    /// The failure for which the earlier run looked, if it learned that from the original.
    original: Option<Failure>,
}

impl Followed {
    /// The candidate that `--follow` names; `None` without that option.
    ///
    /// # Errors
    /// If there is no such run, or no such candidate in it.
    pub(super) fn find(arguments: &Arguments) -> Result<Option<Self>, UserError> {
        let Some(wanted) = &arguments.follow else { return Ok(None) };
        let (_, paths) = arguments.plan_and_files()?;
        let (file, form) = Form::named(&paths)?;
        let shown = quoted(&file.to_string_lossy());
        let Some((_, output)) = place::of_earlier(arguments, &file, form) else {
            return Err(UserError::usage(format!("there is no earlier run of {shown} to follow"))
                .fact("a run keeps its folder if candidates have failed in other ways, and lists them in the end")
                .help("name the same test, FILE and --output as for that run"));
        };
        let folder = held_by(&output);
        let past = RunFolder::look(&folder)?;
        let Some(past) = past.filter(|past| !past.others.is_empty()) else {
            return Err(UserError::usage(format!(
                "in the earlier run of {shown}, no candidate failed in another way"
            ))
            .fact(format!("its journal is in {}", quoted(&folder.to_string_lossy()))));
        };
        let mut others = Others::default();
        past.others.iter().for_each(|other| _ = others.take(other));
        let found = named(&others, wanted).ok_or_else(|| {
            let error =
                UserError::usage(format!("no failure, or more than one, is named by {}", quoted(wanted)));
            let listed = others.list().map(|(number, other)| format!("{number}: {}", other.signature));
            listed.fold(error, UserError::fact).help("name one by its number: --follow 1")
        });
        let (number, signature) = found?;
        let mut arguments = arguments.clone();
        arguments.output = None;
        Ok(Some(Self {
            arguments,
            path: folder.join(other_name(number, &past.header.name)),
            signature,
            original: past.header.failure.as_deref().and_then(Failure::recorded),
        }))
    }

    /// Holds candidates to the failure.
    pub(super) fn hold(&self, plan: &mut TestPlan) {
        if let Some(original) = &self.original {
            plan.learn(original.clone());
        }
        plan.follow(self.signature.clone());
    }
}

/// The failure with this number or text, or the only one whose text contains it.
fn named(others: &Others, wanted: &str) -> Option<(usize, String)> {
    let all = || others.list().map(|(number, other)| (number, other.signature.clone()));
    let is_exact =
        |(number, signature): &(usize, String)| signature == wanted || number.to_string() == wanted;
    all().find(is_exact).or_else(|| {
        let mut partly = all().filter(|(_, signature)| signature.contains(wanted));
        partly.next().filter(|_| partly.next().is_none())
    })
}
