//! Why a token is still there: what was tried on it, and with which verdict.

use super::recorder::Refused;
use lopper_languages::lexer::tokens;
use lopper_languages::lexis::Lexis;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::rc::Rc;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::Xxh3;

/// The time after which a difference need not be the least one any more.
const PATIENCE: Duration = Duration::from_millis(20);

/// A refused candidate, as a change of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attempt {
    /// Its number among the refused candidates.
    pub(super) refused: usize,
    /// The tokens of the result that it lacks, by their numbers: runs of neighbours.
    pub(super) lost: Vec<Range<usize>>,
    /// The tokens that it has in their place.
    pub(super) gained: Vec<String>,
}

impl Attempt {
    /// How far the candidate is from the result; the nearest ones say most.
    fn distance(&self) -> usize {
        self.lost.iter().map(Range::len).sum::<usize>() + 2 * self.gained.len()
    }
}

/// For each token of a result with `count` tokens, the nearest candidates without it, at most `most`. Each candidate is
/// compared with the program of its time, or with the first one of `programs`, which differ from the result in names
/// only. Candidates that have more tokens of their own than they lack are left out: they are changes of larger programs.
///
/// There may be as many programs as commits, and a candidate may lack most of a long result. So one program is held at
/// a time, and an attempt once for all of its tokens.
pub(super) fn attempts(
    count: usize,
    programs: impl Iterator<Item = (usize, String)>,
    lexis: &Lexis,
    refused: &VecDeque<Refused>,
    most: usize,
) -> Vec<Vec<Rc<Attempt>>> {
    let mut programs = programs
        .map(|(commits, text)| (commits, words_in(&text, lexis)))
        .filter(|(_, words)| words.len() == count)
        .peekable();
    let mut nearest: Vec<Vec<Rc<Attempt>>> = vec![Vec::new(); count];
    let Some((_, mut words)) = programs.next() else { return nearest };
    let mut seen = BTreeSet::new();
    // The candidates are in the order of their tests.
    for (number, candidate) in refused.iter().enumerate() {
        while let Some((_, next)) = programs.next_if(|(commits, _)| *commits <= candidate.commits) {
            words = next;
        }
        let others = words_in(&String::from_utf8_lossy(&candidate.text), lexis);
        let Some(attempt) = attempt(number, &words, &others) else { continue };
        if !seen.insert(key(&attempt)) {
            continue;
        }
        let attempt = Rc::new(attempt);
        for token in attempt.lost.iter().cloned().flatten() {
            let list = &mut nearest[token];
            let at = list.partition_point(|other| other.distance() <= attempt.distance());
            if at < most {
                list.insert(at, Rc::clone(&attempt));
                list.truncate(most);
            }
        }
    }
    nearest
}

/// The tokens of a program, as text.
fn words_in(text: &str, lexis: &Lexis) -> Vec<String> {
    let word = |range: Range<usize>| String::from_utf8_lossy(&text.as_bytes()[range]).into_owned();
    tokens(text.as_bytes(), lexis).map(|token| word(token.range())).collect()
}

/// What distinguishes two attempts, in short.
fn key(attempt: &Attempt) -> u128 {
    let mut hasher = Xxh3::new();
    for range in &attempt.lost {
        hasher.update(&range.start.to_le_bytes());
        hasher.update(&range.end.to_le_bytes());
    }
    for word in &attempt.gained {
        hasher.update(&usize::MAX.to_le_bytes());
        hasher.update(word.as_bytes());
    }
    hasher.digest128()
}

/// The change from a program, given by its words, to a candidate.
fn attempt(number: usize, words: &[String], others: &[String]) -> Option<Attempt> {
    if others.len() > words.len() {
        return None;
    }
    let same = |pair: &(&String, &String)| pair.0 == pair.1;
    let begin = words.iter().zip(others).take_while(same).count();
    let left = others.len() - begin;
    let end = words.iter().rev().zip(others.iter().rev()).take(left).take_while(same).count();
    let (old, new) = (&words[begin..words.len() - end], &others[begin..others.len() - end]);
    let deadline = Some(Instant::now() + PATIENCE);
    let (mut lost, mut gained) = (Vec::new(), Vec::new());
    for operation in capture_diff_slices_deadline(Algorithm::Myers, old, new, deadline) {
        if matches!(operation, DiffOp::Equal { .. }) {
            continue;
        }
        let range = operation.old_range();
        if !range.is_empty() {
            lost.push(begin + range.start..begin + range.end);
        }
        gained.extend_from_slice(&new[operation.new_range()]);
    }
    let count: usize = lost.iter().map(Range::len).sum();
    (count > 0 && gained.len() <= count).then_some(Attempt { refused: number, lost, gained })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Verdict;
    use std::sync::Arc;

    fn refused(texts: &[&str]) -> VecDeque<Refused> {
        let one = |text: &&str| Refused {
            pass: "delete",
            verdict: Verdict::Boring,
            run: 1,
            commits: 0,
            text: Arc::new(text.as_bytes().to_vec()),
            remark: None,
        };
        texts.iter().map(one).collect()
    }

    #[test]
    fn a_token_knows_the_nearest_candidates_without_it() {
        let lexis = lopper_languages::detect("a.c").lexis();
        let refused = refused(&["f(b);", "b;", "f(0, b);", "f(b);", "g(x, y, z, b);", "f(a, b);"]);
        let program = (0, "f(a, b);".to_owned());
        let nearest = attempts(7, [program].into_iter(), lexis, &refused, 2);
        let of_a: Vec<usize> = nearest[2].iter().map(|attempt| attempt.refused).collect();
        assert_eq!(of_a, [0, 2], "without `a,`; with 0 in its place; no candidate twice");
        assert_eq!((nearest[2][0].lost[0].clone(), nearest[2][0].gained.len()), (2..4, 0));
        assert_eq!(nearest[2][1].gained, ["0"]);
        assert!(nearest[4].is_empty(), "every candidate has b: {:?}", nearest[4]);
    }

    #[test]
    fn a_candidate_is_compared_with_the_program_of_its_time() {
        let lexis = lopper_languages::detect("a.c").lexis();
        let mut refused = refused(&["total;", "a;"]);
        refused[1].commits = 2;
        let programs = [(1, "int total;".to_owned()), (2, "int a;".to_owned())];
        let nearest = attempts(3, programs.into_iter(), lexis, &refused, 5);
        assert_eq!(nearest[0].len(), 1, "both candidates lack nothing but `int`: {nearest:?}");
        assert!(nearest[1].is_empty() && nearest[0][0].gained.is_empty(), "{nearest:?}");
    }
}
