//! Stacks that share their lower parts.

/// The mark of a stack's lowest entry.
const BOTTOM: u32 = u32::MAX;
/// Entries that no stack needs any more are looked for when there are more entries than this.
const UNTIDY: usize = 1 << 16;

/// All entries of all stacks.
#[derive(Debug)]
pub(super) struct Stacks {
    entries: Vec<Entry>,
    /// How many entries there may be before unneeded ones are looked for.
    limit: usize,
    /// The values that were popped last; kept to reuse its memory.
    popped: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    below: u32,
    state: u32,
    /// The value of the symbol that led to the state: that of a nonterminal, or a character.
    value: u32,
}

impl Stacks {
    pub(super) fn new() -> Self {
        Self { entries: Vec::new(), limit: UNTIDY, popped: Vec::new() }
    }

    /// How many entries all stacks have.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// A stack with one more entry.
    pub(super) fn push(&mut self, below: Option<u32>, state: u32, value: u32) -> u32 {
        self.entries.push(Entry { below: below.unwrap_or(BOTTOM), state, value });
        self.entries.len() as u32 - 1
    }

    pub(super) fn state(&self, top: u32) -> u32 {
        self.entries[top as usize].state
    }

    pub(super) fn value(&self, top: u32) -> u32 {
        self.entries[top as usize].value
    }

    /// The stack without its topmost entries, and their values, the lowest one first. If the stack is the only one, the
    /// entries are forgotten.
    pub(super) fn pop(&mut self, mut top: u32, count: usize, is_alone: bool) -> (u32, Vec<u32>) {
        let mut values = std::mem::take(&mut self.popped);
        values.clear();
        for _ in 0..count {
            let entry = self.entries[top as usize];
            values.push(entry.value);
            if is_alone && top as usize + 1 == self.entries.len() {
                self.entries.pop();
            }
            top = entry.below;
        }
        values.reverse();
        (top, values)
    }

    /// Gives back the values that `pop` returned.
    pub(super) fn reuse(&mut self, values: Vec<u32>) {
        self.popped = values;
    }

    /// Forgets what no stack needs, if there is much of it.
    pub(super) fn tidy(&mut self, tops: &mut [u32]) {
        if self.entries.len() < self.limit {
            return;
        }
        let mut is_needed = vec![false; self.entries.len()];
        for &top in &*tops {
            let mut at = top;
            while at != BOTTOM && !std::mem::replace(&mut is_needed[at as usize], true) {
                at = self.entries[at as usize].below;
            }
        }
        // An entry stands behind the one below it, so that one has its new place before.
        let mut places = vec![BOTTOM; self.entries.len()];
        let mut kept = Vec::new();
        for (at, entry) in self.entries.iter().enumerate().filter(|(at, _)| is_needed[*at]) {
            places[at] = kept.len() as u32;
            let below = places.get(entry.below as usize).copied().unwrap_or(BOTTOM);
            kept.push(Entry { below, ..*entry });
        }
        tops.iter_mut().for_each(|top| *top = places[*top as usize]);
        self.limit = UNTIDY.max(kept.len() * 2);
        self.entries = kept;
    }
}
