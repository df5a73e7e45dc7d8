//! Random numbers that depend on a seed alone.

/// A stream of random numbers. The same seed gives the same numbers everywhere.
///
/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014): SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The stream of a part of what `seed` decides, independent of those of all other parts.
    pub fn part(seed: u64, part: u64) -> Self {
        let mut random = Self(seed ^ part.wrapping_mul(0xd605_bbb5_8c8a_bbb9));
        random.next();
        random
    }

    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "the stream never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `count`; 0 if that is 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.next()) * count as u128) >> 64) as usize
    }

    /// One of these, if there are any.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_its_numbers_and_parts_of_it_differ() {
        let numbers = |mut random: Random| (0..8).map(|_| random.next()).collect::<Vec<_>>();
        assert_eq!(numbers(Random::new(7)), numbers(Random::new(7)));
        let parts: Vec<_> = (0..100).map(|part| numbers(Random::part(7, part))).collect();
        assert!((1..100).all(|i| !parts[..i].contains(&parts[i])));
    }

    #[test]
    fn all_numbers_below_a_count_come_up() {
        let mut random = Random::new(1);
        let mut seen = [0; 10];
        (0..1000).for_each(|_| seen[random.below(10)] += 1);
        assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
        assert_eq!(random.one::<u8>(&[]), None);
    }
}
