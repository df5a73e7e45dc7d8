//! Recognising a text that differs a little from a known one: only what the difference changes is read.

use super::earley::{Chart, Item, Maker, Tops, top};
use super::table::{After, Dot, Table};
use std::collections::BTreeSet;
use std::ops::Range;

/// What an item has to do with what follows: all items of a set that are the same in this do the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stand {
    /// It started here.
    Here(Dot),
    /// It started in this set, before all changes.
    Before(Dot, u32),
    /// When it is complete, this item of a set before all changes is too.
    Leads(Dot, Dot, u32),
}

/// A text that was recognised.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) chart: &'a Chart,
    pub(super) text: &'a [u8],
}

impl Known<'_> {
    /// The end of the longest prefix that the grammar accepts of `text`, which differs from this one only in
    /// the bytes `changed`. What is before them is not read again, and what is behind them only until the
    /// items mean the same as they did.
    ///
    /// Two items mean the same if their dots are the same and they started in the same set, or if Leo's
    /// shortcut leads both to the same item: nothing else of an item's past counts.
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
                // Whether the text ends well just here is no matter of what follows: that differs.
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

/// Behind a change every set is compared with the old one as far as this, then one of so many.
const CLOSE: usize = 32;

/// What the items of a set mean; `None` if that depends on the sets after `from`.
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
    /// Whether a terminal that starts before `at` ends behind it.
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
                    // Sets are counted from the one that comes next.
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

    /// The end of the longest prefix that is accepted so far, those of the base's sets included.
    fn accepted(&self) -> Option<u32> {
        let base = self.base.map_or(&[][..], |base| &base.accepts);
        let before = base.iter().rev().find(|&&end| end < self.chart.from).copied();
        self.chart.accepted().or(before)
    }
}
