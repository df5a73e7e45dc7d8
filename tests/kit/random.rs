//! Pseudorandom numbers: the same seed gives the same numbers.

/// `SplitMix64` (Steele, Lea, Flood, 2014).
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must be above 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let (a, b) = (self.below(length + 1), self.below(length + 1));
        a.min(b)..a.max(b)
    }

    /// A variant of `text`, at most this long: pieces of it are moved, repeated or cut, and bytes are
    /// changed.
    pub(crate) fn bend(&mut self, text: &[u8], most: usize) -> Vec<u8> {
        let start = self.below(text.len().max(1));
        let mut bent = text[start..text.len().min(start + most)].to_vec();
        for _ in 0..self.below(6) {
            let range = self.range(bent.len());
            match self.below(6) {
                0 => drop(bent.drain(range)),
                1 => {
                    let piece = bent[range].to_vec();
                    let at = self.below(bent.len() + 1);
                    bent.splice(at..at, piece);
                }
                2 => {
                    let piece = text[self.range(text.len())].to_vec();
                    bent.splice(range.start..range.start, piece.into_iter().take(60));
                }
                3 if !range.is_empty() => bent[range.start] = self.next() as u8,
                4 => {
                    let byte = b"(){}[]\"'\\\n\t ;,:#/*\0\xff\r"[self.below(21)];
                    bent.insert(range.start, byte);
                }
                _ => bent.truncate(range.end),
            }
        }
        bent.truncate(most);
        bent
    }

    /// One of these items; there must be some.
    pub(crate) fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// True with a probability of one in this many.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
