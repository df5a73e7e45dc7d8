//! The excerpt of a file: what of it fails if nothing is rewritten, only deleted; and its pattern.

use super::Work;
use super::held::{Held, Question};
use crate::excerpt::{Excerpts, is_found};
use crate::generalization::{generalize, verdicts};
use crate::looks::Looks;
use crate::oracle::{Contents, Known, Test, Verdict};
use crate::reduce;
use crate::report;
use crate::run::{End, Event, Options};
use lopper_languages::Parsed;
use lopper_passes::Base;
use lopper_patterns::{Closeness, Enclosed, Generalizing, Outside, Pattern, enclosed};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The budget of the excerpt's pattern is this part of that of the pattern.
const SHARE: usize = 4;

impl Work<'_> {
    /// Adds to a pattern that of an excerpt of the file, if `lopper match` finds the file by it; says why the search ended.
    /// `asked` is the test that also recognises invalid texts, and `known` what the test is known to say.
    pub(super) fn excerpt(
        &self,
        pattern: &mut Pattern,
        test: &dyn Test,
        asked: &dyn Test,
        known: &Known,
        looks: Option<&mut Looks>,
        held: &mut Held,
    ) -> End {
        let file = &self.original[0];
        let original = Arc::new(Parsed::at(Arc::clone(&file.path), self.language, file.to_vec()));
        let excerpts = Excerpts { test, original: &original, known, runs: AtomicUsize::new(0) };
        let mut runs = report::runs(self.arguments.limits.verbosity());

        let options = Options { known: held.known(Question::Excerpt), ..self.options.clone() };
        let mut listener = |event: &Event| runs(event).and_then(|()| held.hear(Question::Excerpt, event));
        let base = Base { files: vec![Arc::clone(&original)] };
        let reduced = reduce::reduce(base, &excerpts, &options, &mut listener);
        if !matches!(reduced.end, End::Fixpoint | End::Tests) {
            return reduced.end;
        }

        let question = Question::Generalization;
        let known = held.known(question);
        let options = Options { max_tests: None, known, limit: None, ..self.options.clone() };
        let mut listener = |event: &Event| runs(event).and_then(|()| held.hear(question, event));
        let example = Parsed::new(self.language, reduced.contents[0].to_vec());
        let budget = Looks::room(self.arguments.budget / SHARE);
        let few = lopper_patterns::Options::excerpt(self.arguments.seed, budget);
        let few = lopper_patterns::Options { timed_out_as: self.arguments.timeout_as.verdict(), ..few };
        let mut search = Generalizing::of_source(&example, &[&original], few);
        let (end, mut stats) =
            generalize(&mut search, &reduced.contents, asked, &options, looks, &mut listener);
        if !matches!(end, End::Fixpoint) {
            return end;
        }
        let mut excerpt = search.pattern();
        let tried = enclosed(&example, &original);
        let candidates: Vec<Contents> =
            tried.iter().map(|tried| vec![file.with(tried.text.clone())]).collect();
        let (verdicts, end, more) = verdicts(&candidates, asked, &options, &mut listener);
        if !matches!(end, End::Fixpoint) {
            return end;
        }
        stats.add(&more);
        excerpt.outside = outside(&tried, &verdicts);
        let mut is_known = |excerpt: &Pattern| {
            pattern.excerpt = Some(Box::new(excerpt.clone()));
            is_found(pattern, &original, Closeness::Excerpt)
        };
        if !is_known(&excerpt) {
            // A deletion may have taken the definition away in which the file has it.
            excerpt.outside.clear();
        }
        let is_known = is_known(&excerpt);
        if !is_known {
            pattern.excerpt = None;
        }
        if !self.arguments.limits.quiet {
            let (tokens, runs) = (reduced.measure.tokens, excerpts.runs.load(Ordering::Relaxed));
            let found = format!(
                "excerpt: {tokens} tokens of the file fail by themselves; {runs} more runs reduced the file to them, and {} \
                 generalized them",
                stats.runs
            );
            let words: String = excerpt.outside.iter().map(said).collect();
            let known = match is_known {
                true => "",
                false if is_found(&Pattern::of_example(&example), &original, Closeness::Embedded) => {
                    "\nthe excerpt is left out: too many programs have what it has"
                }
                false => "\nthe excerpt is left out: lopper match does not find FILE by it",
            };
            report::remark(&format!("{found}{words}{known}"));
        }
        End::Fixpoint
    }
}

/// The kinds of definitions in which nothing fails, of the programs that were tried and the verdicts on them.
fn outside(tried: &[Enclosed], verdicts: &[Verdict]) -> Vec<Outside> {
    let mut all = Vec::new();
    let both: Vec<(&Enclosed, Verdict)> = tried.iter().zip(verdicts.iter().copied()).collect();
    for same in both.chunk_by(|one, other| one.0.kind == other.0.kind) {
        let passing = same.iter().find(|(_, verdict)| *verdict == Verdict::Boring);
        if let Some((Enclosed { kind, text }, _)) = passing
            && same.iter().all(|(_, verdict)| *verdict != Verdict::Interesting)
        {
            all.push(Outside { kind: kind.clone(), counterexample: text.clone() });
        }
    }
    all
}

fn said(outside: &Outside) -> String {
    let head = outside.counterexample.split(|&c| c == b'\n').next().unwrap_or_default();
    let head = String::from_utf8_lossy(head);
    format!("\nthe excerpt is not looked for in a {}: in {head:?} it passes", outside.kind)
}
