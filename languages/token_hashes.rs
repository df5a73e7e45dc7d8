//! Hashes of runs of tokens, each in logarithmic time.

use crate::lexer::Token;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// A prime with room for sums and products in 64 and 128 bits.
const MODULUS: u64 = (1 << 61) - 1;
/// The base of the polynomial; any large number will do.
const BASE: u64 = 0x0a3b_1956_35cf_d271;

/// The hashes of all prefixes of a text's tokens, as polynomials (Karp and Rabin, Efficient randomized pattern-matching algorithms,
/// 1987, section 3).
#[derive(Debug)]
pub struct TokenHashes {
    /// The hashes of the first 0, 1, 2, ... tokens.
    prefixes: Vec<u64>,
}

fn product(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(MODULUS)) as u64
}

/// A power of [`BASE`]. O(log exponent).
fn power(mut exponent: usize) -> u64 {
    let (mut power, mut square) = (1, BASE);
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        exponent /= 2;
    }
    power
}

impl TokenHashes {
    pub(crate) fn new(text: &[u8], tokens: &[Token]) -> Self {
        let mut hash = 0;
        let next = |token: &Token| {
            hash = (product(hash, BASE) + xxh3_64(&text[token.range()]) % MODULUS) % MODULUS;
            hash
        };
        Self { prefixes: std::iter::once(0).chain(tokens.iter().map(next)).collect() }
    }

    /// The hash of the tokens with these indices, which must exist. O(log tokens).
    pub fn of(&self, range: Range<usize>) -> u64 {
        let before = product(self.prefixes[range.start], power(range.len()));
        (self.prefixes[range.end] + MODULUS - before) % MODULUS
    }
}

#[cfg(test)]
mod tests {
    use crate::{Parsed, text::TEXT};

    #[test]
    fn equal_runs_of_tokens_have_the_same_hash_wherever_they_are() {
        let file = Parsed::new(&TEXT, b"a b c x a b c x b a".to_vec());
        let of = |range| file.token_hashes().of(range);
        assert_eq!(of(0..3), of(4..7));
        assert_eq!(of(1..4), of(5..8));
        assert_ne!(of(0..2), of(8..10), "the order counts");
        assert_ne!(of(0..3), of(0..4));
        assert_ne!(of(0..1), of(1..2));
        assert_eq!(of(3..3), of(10..10));
    }
}
