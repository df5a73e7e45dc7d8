//! The end of a reduction: writes, verifies and reports the result.

use super::formatting::{Formatter, Means, is_accepted};
use super::listeners::Listeners;
use super::logging;
use super::request::Request;
use super::told;
use crate::cli::input::{Input, measure};
use crate::cli::{Exit, left_behind, remark_unanswered};
use crate::error::UserError;
use crate::journal::{Form, Keeper, Log, Other, RunFolder, other_name};
use crate::oracle::command::quoted;
use crate::oracle::command_oracle::CommandOracle;
use crate::oracle::{Contents, Fault, NamedFile, Verdict};
use crate::output::{Saved, put_in_place};
use crate::report::{self, Summary, as_one};
use crate::run::{End, Options, Reduced};
use lopper_engine::flicker::Tally;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The state of a run at its end.
pub(super) struct Closing<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) test: &'a CommandOracle,
    /// The time limit of the final test run on the result.
    pub(super) limit: Duration,
    pub(super) log: &'a Log,
    /// What the files that are replaced in place held when the run began.
    pub(super) held: &'a Contents,
}

impl Closing<'_> {
    /// Ends the run. With `was_kept`, the run folder stays in any case.
    pub(super) fn close(
        self,
        outcome: Reduced,
        mut listeners: Listeners,
        was_kept: bool,
    ) -> Result<Exit, UserError> {
        let Request { arguments, options, input, base, start, .. } = self.request;
        let Input { path: file, original, .. } = input;
        listeners.audience.finish();
        let edited = listeners.refuse_edited_test();
        let is_edited = edited.is_err() || !listeners.output.is_untouched();
        let end = match (outcome.end, edited) {
            (End::Interrupted, Err(error)) => {
                report::error(&error);
                End::Interrupted
            }
            // The edit itself may have ended the run.
            (end @ End::Broken(_), _) | (end, Ok(())) => end,
            (_, Err(error)) => End::Broken(error),
        };
        let Listeners { mut audience, mut keeper, mut output, best: (found, size), .. } = listeners;
        let fingerprint = told::fingerprint(&end, base, &found);
        let formatted = self.formatted(&end, &found, &mut keeper, audience.flicker());
        let is_formatted = formatted.is_some();
        let (best, size) = formatted.map_or((found, size), |best| {
            let size = measure(&best, base);
            (best, size)
        });
        let settled = output.settle(&best, file, !matches!(end, End::Interrupted));

        let settled = match settled {
            Ok(()) => replaced(self.request, (self.held, &best), &mut output),
            failed => failed,
        };
        let (quiet, lines) = (arguments.is_quiet(), told::lines);
        let summary = Summary {
            files: (input.form != Form::File).then_some((original.len(), best.len())),
            before: (base.measure(), lines(original)),
            after: (size, lines(&best)),
            stats: &outcome.stats,
            flicker: audience.flicker(),
            time: start.elapsed(),
            fingerprint: fingerprint.as_deref(),
            output: &output.path().to_string_lossy(),
        };
        let (ending, summary) = (ending(&end, options), summary.text());
        if !quiet {
            report::remark(&format!("{ending}\n{}", summary.trim_end()));
        }
        let mut answered = Ok(true);
        if arguments.diff {
            answered = report::answer(&diff(input, &best, output.path()));
        }
        // The driver has looked at the result of a complete run once more. If the test flickers, many runs have
        // confirmed the result, and one more would tell nothing.
        let is_complete = matches!(end, End::Fixpoint) && options.algorithm.is_none() && best != *original;
        let verified = match audience.flicker() {
            None if !is_complete && !is_formatted => verify(self.test, &best, &end, self.limit),
            _ => Ok(()),
        };
        let left = self.test.close();
        remark_unanswered(self.test);
        if !left.is_empty() {
            report::remark(&left_behind(&left));
        }
        let error = end.error().or(settled.as_ref().err()).or(verified.as_ref().err());
        logging::end(self.log, ending, &summary, error);
        let finished = matches!(end, End::Fixpoint) && verified.is_ok() && settled.is_ok();
        let told = told::ending(&end, finished, error, (&best, size), fingerprint, &outcome.stats);
        if let Some(page) = audience.ends(told, &as_one(&best), told::language(base, &best)) {
            told::publish(arguments, &page);
        }
        let others = others(&keeper, &input.name());
        let kept = !finished || arguments.keep_run || was_kept || audience.has_bugs() || others.is_some();
        if let Some(others) = others.filter(|_| !quiet) {
            report::remark(&others);
        }
        if kept && !quiet && keeper.folder().is_there() {
            report::remark(&kept_folder(finished, is_edited, audience.has_bugs(), keeper.folder()));
        }
        keeper.finish(finished, kept || arguments.generalize);
        match (&end, settled) {
            (End::Broken(error), Err(moved)) if error.title == moved.title => return Err(moved),
            (End::Interrupted | End::Broken(_), Err(error)) => report::error(&error),
            (_, settled) => settled?,
        }
        verified?;
        answered?;
        match end {
            End::Broken(error) => Err(error),
            End::Interrupted => Ok(Exit::Interrupted),
            End::Fixpoint if best == *original => Ok(Exit::NothingToReduce),
            End::Fixpoint | End::Tests | End::Time | End::Asked => Ok(Exit::Reduced),
        }
    }

    /// The best program as the formatter lays it out; `None` if there is no formatter, nothing to lay out, or a reason to
    /// leave the program as it is, which is told if the formatter is the user's.
    fn formatted(
        &self,
        end: &End,
        best: &Contents,
        keeper: &mut Keeper,
        flicker: Option<Tally>,
    ) -> Option<Contents> {
        let Request { arguments, base, formatter, interrupt, asked_to_undo, .. } = self.request;
        let formatter = formatter.as_ref()?;
        if matches!(end, End::Interrupted | End::Broken(_))
            || asked_to_undo.get().is_some()
            || keeper.is_formatted(best)
        {
            return None;
        }
        let folder = keeper.folder().path().to_owned();
        let (timeout, memory) = (arguments.limits.timeout, self.test.memory);
        let means = Means { folder: &folder, timeout, memory, interrupt };
        let (formatted, mut reasons) = formatter.format(best, base, &means);
        let mut is_used = formatted != *best;
        if is_used && let Err(why) = self.refuse_layout(&formatted, flicker, keeper) {
            is_used = false;
            reasons.push(format!("the result is not formatted: {why}"));
        }
        for reason in reasons {
            self.log.note(&reason);
            if !arguments.is_quiet() && matches!(formatter, Formatter::Command(_)) {
                report::remark(&reason);
            }
        }
        is_used.then_some(formatted)
    }

    /// Says why a layout cannot be used, if that is so. Otherwise, the journal knows it.
    fn refuse_layout(
        &self,
        formatted: &Contents,
        flicker: Option<Tally>,
        keeper: &mut Keeper,
    ) -> Result<(), String> {
        let Request { base, options, .. } = self.request;
        if !options.protected.is_kept(formatted) {
            return Err("the formatter changes what is protected".to_owned());
        }
        let grammar = base.files[0].language.parser().filter(|_| options.stay_in_grammar);
        if grammar.is_some_and(|grammar| formatted.iter().any(|file| grammar.errors(file) > 0)) {
            return Err("the grammar refuses what the formatter makes".to_owned());
        }
        match is_accepted(self.test, self.limit, flicker, formatted) {
            Ok(true) => keeper.format(formatted).map_err(|error| error.title),
            Ok(false) => Err("the test refuses what the formatter makes".to_owned()),
            Err(Fault::Broken(error)) => Err(error.title),
            Err(Fault::Interrupted | Fault::Cancelled) => Err("the test was stopped".to_owned()),
        }
    }
}

/// Puts the result in the place of several files, or of a folder's, if the user has asked for that.
fn replaced(
    request: &Request,
    (held, best): (&Contents, &Contents),
    output: &mut Saved,
) -> Result<(), UserError> {
    let Request { arguments, input, .. } = request;
    let Saved::Folder(folder) = output else { return Ok(()) };
    if !arguments.in_place {
        return Ok(());
    }
    put_in_place(held, best, |path| input.place(path))
        .map_err(|error| error.fact(format!("the result is in '{}'", folder.path().display())))?;
    folder.move_to(&input.path);
    Ok(())
}

/// The changes as unified diffs, one for each file that differs.
fn diff(input: &Input, best: &Contents, output: &Path) -> String {
    if let (Form::File, [before], [after]) = (input.form, &input.original[..], &best[..]) {
        return report::diff(before, after, (&*input.path, output));
    }
    let nothing = Path::new("/dev/null").to_owned();
    let both = |path: &Arc<Path>| {
        let of = |files: &Contents| files.iter().find(|file| file.path == *path).cloned();
        let (before, after) = (of(&input.original), of(best));
        let below = path.strip_prefix(input.prefix()).unwrap_or(path);
        let folder = if input.form == Form::Folder { input.path.clone() } else { PathBuf::new() };
        let name = |file: &Option<NamedFile>, folder: &Path| {
            file.as_ref().map_or_else(|| nothing.clone(), |_| folder.join(below))
        };
        let text = |file: &Option<NamedFile>| file.as_ref().map_or_else(Vec::new, |file| file.to_vec());
        report::diff(&text(&before), &text(&after), (&name(&before, &folder), &name(&after, output)))
    };
    let paths: BTreeSet<&Arc<Path>> = input.original.iter().chain(best).map(|file| &file.path).collect();
    paths.into_iter().map(both).collect()
}

fn kept_folder(finished: bool, is_edited: bool, bugs: bool, folder: &RunFolder) -> String {
    let shown = quoted(&folder.path().to_string_lossy());
    match (finished, bugs) {
        (false, _) if is_edited => {
            format!("the journal is in {shown}; restore the test and the file before you use --resume")
        }
        (false, _) => format!("run the same command with --resume to continue; the journal is in {shown}"),
        (true, true) => format!("the log to send with a bug report is in {shown}"),
        (true, false) => format!("the journal is in {shown}: see lopper replay and lopper undo"),
    }
}

/// The list of the failures other than the original's, if there are any.
fn others(keeper: &Keeper, name: &str) -> Option<String> {
    let folder = keeper.folder().path();
    let line = |(number, other): (usize, &Other)| {
        let path = folder.join(other_name(number, name));
        format!("\n  {} ({} tokens): {}", quoted(&path.to_string_lossy()), other.tokens, other.signature)
    };
    let lines: String = keeper.others().list().map(line).collect();
    let begin = "candidates failed in other ways, too; the smallest one of each:";
    let end = "\n  help: to reduce the first one, run the same command with --resume --follow 1";
    (!lines.is_empty()).then(|| format!("{begin}{lines}{end}"))
}

fn ending(end: &End, options: &Options) -> &'static str {
    match end {
        End::Fixpoint if options.algorithm.is_some() => "the algorithm has ended",
        End::Fixpoint => "no pass finds anything more",
        End::Tests => "the limit of --max-tests is reached",
        End::Time => "the limit of --max-time is reached",
        End::Asked => "finished early, as you asked",
        End::Interrupted => "interrupted",
        End::Broken(_) => "stopped by an error",
    }
}

/// Checks that the test still accepts the result.
fn verify(test: &CommandOracle, best: &Contents, end: &End, limit: Duration) -> Result<(), UserError> {
    if matches!(end, End::Interrupted | End::Broken(_)) {
        return Ok(());
    }
    match test.run_in_the_end(best, limit) {
        Err(Fault::Broken(error)) => Err(error),
        Err(Fault::Interrupted | Fault::Cancelled) | Ok(Verdict::Interesting) => Ok(()),
        Ok(verdict) => Err(UserError::bad_test("the test no longer accepts the result")
            .fact(format!("it accepted this file during the run; its verdict is now {verdict:?}"))
            .help("its answer depends on something besides the file, such as time, load or chance")),
    }
}
