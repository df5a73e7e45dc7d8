//! The excerpt of a file: what of it fails if nothing is rewritten, only deleted; and its pattern.

use super::Work;
use crate::excerpt::{Excerpts, is_found};
use crate::generalization::generalize;
use crate::oracle::{Test, Verdict};
use crate::reduce;
use crate::report;
use crate::run::{End, Event, Options};
use lopper_languages::Parsed;
use lopper_passes::Base;
use lopper_patterns::{Closeness, Generalizing, Pattern};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The budget of the excerpt's pattern is this part of that of the pattern.
const SHARE: usize = 4;

impl Work<'_> {
    /// Adds to a pattern that of an excerpt of the file, if `lopper match` finds the file by it; says why the search ended.
    /// `asked` is the test that also recognises invalid texts, and `known` what the test is known to say.
    ///
    /// It is not journaled: a run that is resumed looks for it again.
    pub(super) fn excerpt(
        &self,
        pattern: &mut Pattern,
        test: &dyn Test,
        asked: &dyn Test,
        known: &HashMap<u128, Verdict>,
    ) -> End {
        let file = &self.original[0];
        let original = Arc::new(Parsed::at(Arc::clone(&file.path), self.language, file.to_vec()));
        let excerpts = Excerpts { test, original: &original, known, runs: AtomicUsize::new(0) };
        let options = Options { max_tests: None, known: Arc::default(), ..self.options.clone() };
        let mut runs = report::runs(self.arguments.limits.verbosity());
        let mut listener = |event: &Event| runs(event);
        let base = Base { files: vec![Arc::clone(&original)] };
        let reduced = reduce::reduce(base, &excerpts, &options, &mut listener);
        if !matches!(reduced.end, End::Fixpoint) {
            return reduced.end;
        }
        let example = Parsed::new(self.language, reduced.contents[0].to_vec());
        let budget = self.arguments.budget / SHARE;
        let few = lopper_patterns::Options::excerpt(self.arguments.seed, budget);
        let few = lopper_patterns::Options { timed_out_as: self.arguments.timeout_as.verdict(), ..few };
        let mut search = Generalizing::of_source(&example, &[&original], few);
        let (end, stats) = generalize(&mut search, &reduced.contents, asked, &options, &mut listener);
        if !matches!(end, End::Fixpoint) {
            return end;
        }
        pattern.excerpt = Some(Box::new(search.pattern()));
        let is_known = is_found(pattern, &original, Closeness::Excerpt);
        if !self.arguments.limits.quiet {
            let (tokens, runs) = (reduced.measure.tokens, excerpts.runs.load(Ordering::Relaxed));
            let found = format!(
                "excerpt: {tokens} tokens of the file fail by themselves; {runs} more runs reduced the file to them, and {} \
                 generalized them",
                stats.runs
            );
            let known =
                if is_known { "" } else { "\nthe excerpt is left out: too many programs have what it has" };
            report::remark(&format!("{found}{known}"));
        }
        if !is_known {
            pattern.excerpt = None;
        }
        End::Fixpoint
    }
}
