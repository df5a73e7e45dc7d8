//! Properties of every search.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The input of a published example, which ddmin reduces to `()`.
pub(super) const MYSTERY: &str = "V\"/+!aF-(V4EOz*+s/Q,7)2@0_";

/// The published candidates of ddmin, in order, after the input itself.
pub(super) const MYSTERY_TESTS: [&str; 16] = [
    "z*+s/Q,7)2@0_",
    "V\"/+!aF-(V4EO",
    "F-(V4EOz*+s/Q,7)2@0_",
    "Oz*+s/Q,7)2@0_",
    "F-(V4EQ,7)2@0_",
    ",7)2@0_",
    "F-(V4EQ",
    "V4EQ,7)2@0_",
    "F-(Q,7)2@0_",
    "Q,7)2@0_",
    "F-()2@0_",
    "2@0_",
    "F-()",
    "()",
    ")",
    "(",
];

/// The published test: a bracket opens before one closes.
pub(super) fn mystery(text: &str) -> bool {
    matches!((text.find('('), text.find(')')), (Some(opens), Some(closes)) if opens < closes)
}

/// A text without the characters at these indices.
pub(super) fn without(text: &str, gone: &[usize]) -> String {
    text.chars().enumerate().filter(|(i, _)| !gone.contains(i)).map(|(_, c)| c).collect()
}

/// Units of equal weight without alternatives, most of which can be deleted.
pub(super) fn outline(count: usize) -> Outline {
    Outline {
        choices: (0..count).collect(),
        weights: vec![1; count],
        floor: 0,
        chance: Chance::guess(0.9999),
    }
}

/// Far more tests than any search needs for the outlines of these tests.
const TOO_MANY: usize = 20_000;

/// Runs a search; returns the taken units and all sets in the order of the queries. Panics if the search
/// breaks a rule that holds for every search.
pub(super) fn run(
    start: fn(Outline, Vec<usize>) -> Box<dyn Search>,
    outline: Outline,
    accepts: impl Fn(&[usize]) -> bool,
) -> (Vec<usize>, Vec<Vec<usize>>) {
    let choices = outline.choices.clone();
    let mut search = start(outline, (0..choices.len()).collect());
    let (mut asked, mut accepted) = (Vec::new(), vec![Vec::new()]);
    let mut foreseen: Vec<Vec<usize>> = Vec::new();
    while let Some(wanted) = search.ask() {
        assert!(asked.len() < TOO_MANY, "it does not end");
        assert!(wanted.windows(2).all(|w| w[0] < w[1]), "sorted, no unit twice: {wanted:?}");
        assert_eq!(search.ask().as_ref(), Some(&wanted), "asking twice changes nothing");
        assert_eq!(search.fork().ask().as_ref(), Some(&wanted), "a copy wants the same");
        let made: BTreeSet<usize> = wanted.iter().map(|&unit| choices[unit]).collect();
        assert_eq!(made.len(), wanted.len(), "two units of one choice: {wanted:?}");
        assert!(search.taken().iter().all(|unit| wanted.contains(unit)), "what is taken is included");
        assert!((0.0..=1.0).contains(&search.odds()), "{}", search.odds());
        if !foreseen.is_empty() {
            assert_eq!(foreseen.remove(0), wanted, "what lies ahead comes, whatever the verdicts are");
        }
        let ahead = search.ahead(3);
        assert!(ahead.len() <= 3 && ahead.iter().zip(&foreseen).all(|(a, b)| a == b), "{ahead:?}");
        foreseen = ahead;
        let verdict = accepts(&wanted);
        search.learn(verdict);
        if verdict {
            accepted.push(wanted.clone());
        }
        asked.push(wanted);
        assert!(accepted.iter().any(|set| set == search.taken()), "taken but not accepted");
    }
    assert_eq!(search.ask(), None, "the end is the end");
    (search.taken().to_vec(), asked)
}

/// Choices of one to `alternatives` units with random weights: choice, weight, whether the unit must stay.
fn units(alternatives: usize) -> impl Strategy<Value = Vec<(usize, usize, bool)>> {
    let unit = || (0usize..30, proptest::bool::weighted(0.3));
    let choice = proptest::collection::vec(unit(), 1..=alternatives);
    proptest::collection::vec(choice, 0..40).prop_map(|choices| {
        let all = choices.into_iter().enumerate();
        all.flat_map(|(choice, units)| units.into_iter().map(move |(w, stays)| (choice, w, stays))).collect()
    })
}

fn outline_of(units: &[(usize, usize, bool)], floor: usize, chance: f64) -> Outline {
    Outline {
        choices: units.iter().map(|unit| unit.0).collect(),
        weights: units.iter().map(|unit| unit.1).collect(),
        floor,
        chance: Chance::guess(chance),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Without a floor, and if the test looks only at needed units, each search takes all others.
    #[test]
    fn all_units_that_are_not_needed_are_taken(units in units(1), chance in 0.01..0.9999) {
        let free: Vec<usize> = (0..units.len()).filter(|&unit| !units[unit].2).collect();
        for kind in SEARCHES {
            let accepts = |set: &[usize]| set.iter().all(|&unit| !units[unit].2);
            let (taken, _) = run(kind.start, outline_of(&units, 0, chance), accepts);
            prop_assert_eq!(&taken, &free, "{}", kind.name);
        }
    }

    /// Of each choice, every search takes the first alternative that is not needed.
    #[test]
    fn each_choice_takes_its_first_alternative_that_works(units in units(3), chance in 0.01..0.9999) {
        let mut made = BTreeSet::new();
        let mut works = |unit: &usize| !units[*unit].2 && made.insert(units[*unit].0);
        let first: Vec<usize> = (0..units.len()).filter(|unit| works(unit)).collect();
        for kind in SEARCHES {
            let accepts = |set: &[usize]| set.iter().all(|&unit| !units[unit].2);
            let (taken, _) = run(kind.start, outline_of(&units, 0, chance), accepts);
            prop_assert_eq!(&taken, &first, "{}", kind.name);
        }
    }

    /// `run` checks the rules; here units also conflict with each other, or need each other.
    #[test]
    fn no_test_makes_a_search_break_a_rule(
        units in units(3),
        floor in 0usize..60,
        chance in 0.01..0.9999,
        step in 2usize..9,
    ) {
        for kind in SEARCHES {
            let accepts = |set: &[usize]| {
                let has = |unit: usize| set.binary_search(&unit).is_ok();
                let fits = |&unit: &usize| match unit % 3 {
                    0 => !units[unit].2,
                    1 => !has(unit + step),
                    _ => has(unit / 2),
                };
                set.iter().all(fits)
            };
            run(kind.start, outline_of(&units, floor, chance), accepts);
        }
    }
}
