//! Recognises a text that differs little from a known one, and reads only the part that the difference
//! affects.

use super::earley::{Chart, Item, Maker, Tops, top};
use super::table::{After, Dot, Table};
use std::collections::BTreeSet;
use std::ops::Range;

/// What an item's future depends on: items with equal stands behave alike on the text that follows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stand {
    /// The item started in this set.
    Here(Dot),
    /// The item started in this earlier set, before all changes.
    Before(Dot, u32),
    /// Completing the item completes this item of an earlier set, before all changes.
    Leads(Dot, Dot, u32),
}

/// A text and its chart.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) chart: &'a Chart,
    pub(super) text: &'a [u8],
}

impl Known<'_> {
    /// The end of the longest accepted prefix of `text`, which differs from the known text only in the bytes
    /// `changed`. The bytes before these are not read again; those behind them are read only until the stands
    /// of the items equal those of the known text.
    ///
    /// Two items have equal stands if their dots are equal and they started in the same set, or if Leo's
    /// shortcut leads both to the same item: nothing else of an item's past matters.
    pub(super) fn accepted(self, table: &Table, changed: Range<usize>, text: &[u8]) -> Option<u32> {
        let sets = self.chart.ends.len() as u32;
        let from = (changed.start as u32).min(sets);
        let mut maker = Maker::new(table, text, Some(self.chart), from);
        maker.look_back();
        let same = text.len() - (self.text.len() - changed.end);
        let mut tops = Tops::new();
        for at in from..=text.len() as u32 {
            if maker.ahead.is_empty() {
                break;
            }
            let crosses = maker.ahead.iter().skip(1).any(|items| !items.is_empty());
            maker.set(at);
            let Some(behind) = (at as usize).checked_sub(same) else { continue };
            let old = (changed.end + behind) as u32;
            if (behind < CLOSE || behind.is_multiple_of(CLOSE))
                && old < sets
                && !crosses
                && !self.chart.crosses(table, self.text, old)
                && let Some(stands) = self.stands(table, &mut tops, old, from)
                && maker.stands(at) == Some(stands)
            {
                // The stands decide how the rest is read, but not whether a prefix ends here, so only later
                // ends carry over.
                let accepted = self.chart.accepted().filter(|&end| end > old);
                return accepted.map(|end| end - old + at).or(maker.accepted());
            }
        }
        maker.accepted()
    }

    fn stands(self, table: &Table, tops: &mut Tops, set: u32, from: u32) -> Option<BTreeSet<Stand>> {
        stands(table, |_| self.chart, tops, set, from)
    }
}

/// Behind a change, so many sets are compared with those of the known text one by one, then one in so many.
const CLOSE: usize = 32;

/// The stands of the items of a set; `None` if they depend on sets from `from` on.
fn stands<'c>(
    table: &Table,
    of: impl Fn(u32) -> &'c Chart,
    tops: &mut Tops,
    set: u32,
    from: u32,
) -> Option<BTreeSet<Stand>> {
    let chart = of(set);
    let items = chart.items[chart.set(set)].iter();
    let open = items.filter(|item| !matches!(table.after[item.dot as usize], After::End(_)));
    open.map(|item| {
        if item.origin == set {
            return Some(Stand::Here(item.dot));
        }
        let left = table.left(item.dot);
        let only = left.and_then(|n| Some((item.origin, n, of(item.origin).only(table, item.origin, n)?)));
        match only.map(|only| top(table, &of, tops, only)) {
            Some((dot, origin)) => (origin < from).then_some(Stand::Leads(item.dot, dot, origin)),
            None => (item.origin < from).then_some(Stand::Before(item.dot, item.origin)),
        }
    })
    .collect()
}

impl Chart {
    /// Whether a terminal starts before `at` and ends behind it.
    fn crosses(&self, table: &Table, text: &[u8], at: u32) -> bool {
        let near = (table.longest as u32 - 1).min(at);
        (at - near..at).any(|set| {
            let mut items = self.items[self.set(set)].iter();
            let past = (at - set) as usize;
            items.any(|i| table.scanned(i.dot, &text[set as usize..]).is_some_and(|length| length > past))
        })
    }
}

impl Maker<'_> {
    /// Scans from the last sets of the base.
    fn look_back(&mut self) {
        let Some(base) = self.base else { return };
        let from = self.chart.from;
        let near = (self.table.longest as u32).min(from);
        if from == 0 {
            self.ahead.push_back(vec![Item { dot: self.table.top() - 1, origin: 0 }]);
        }
        for set in from - near..from {
            for item in &base.items[base.set(set)] {
                let length = self.table.scanned(item.dot, &self.text[set as usize..]);
                if let Some(past) = length.and_then(|l| l.checked_sub((from - set) as usize)) {
                    // Distances count from the next set.
                    self.scan(*item, past + 1);
                }
            }
        }
    }

    fn stands(&mut self, set: u32) -> Option<BTreeSet<Stand>> {
        let mut tops = std::mem::take(&mut self.chart.tops);
        let stands = stands(self.table, |set| self.of(set), &mut tops, set, self.chart.from);
        self.chart.tops = tops;
        stands
    }

    /// The end of the longest prefix that is accepted so far, including those of the base's sets.
    fn accepted(&self) -> Option<u32> {
        let base = self.base.map_or(&[][..], |base| &base.accepts);
        let before = base.iter().rev().find(|&&end| end < self.chart.from).copied();
        self.chart.accepted().or(before)
    }
}
