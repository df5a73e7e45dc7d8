//! `lopper grammar count`: whether numbers of derivations are numbers of texts.

use lopper_languages::grammar::{Grammar, Parser, Trees};
use lopper_patterns::Random;
use lopper_patterns::algebra::{Lengths, RefinedGrammar};

/// How many texts of each length are looked at for several derivations, and up to which length.
const TEXTS: usize = 20;
const LONGEST: usize = 12;

/// What the numbers mean: texts if no text has two derivations, else derivations, with a text that has several.
pub(super) fn meaning(product: &RefinedGrammar, lengths: &Lengths, longest: usize) -> String {
    let refined = Grammar::read(&product.to_json().to_string()).ok();
    let Some(parser) = refined.map(Parser::new) else { return "there are no texts".to_owned() };
    if parser.is_deterministic() {
        return "no text has two derivations: these are the numbers of texts".to_owned();
    }
    // The same seed always: the same question has the same answer.
    let mut random = Random::new(0);
    for length in 1..=longest.min(LONGEST) {
        for _ in 0..TEXTS {
            let Some(derivation) = lengths.sample(length, &mut random) else { break };
            let text = derivation.text(product.grammar());
            let trees = parser.trees(text.as_bytes());
            if trees != Trees::Exactly(1) {
                return format!("derivations are counted, and a text may have several: {text:?} has {trees}");
            }
        }
    }
    "derivations are counted; no text with several was found".to_owned()
}
