//! The name spaces of a C++ program, and from where the names in them are known.

use crate::File;
use crate::c::is;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// A name space, by its number.
pub(super) type Space = u32;

/// The text outside of all name spaces.
pub(super) const GLOBAL: Space = 0;
/// Stands for a place whose name space is another one than the text tells, such as a member outside of its class.
pub(super) const ANY: Space = Space::MAX;

pub(super) struct Spaces<'a> {
    /// For each name space: the one around it. The global one is around itself.
    around: Vec<Space>,
    /// For each name space: whether a directive opens it.
    is_open: Vec<bool>,
    /// The name spaces by those around them and their names.
    known: BTreeMap<(Space, &'a [u8]), Space>,
    /// For each name of name spaces: all that it may mean.
    named: BTreeMap<&'a [u8], BTreeSet<Space>>,
    /// Other names for name spaces, with the last name of what each means.
    aliases: Vec<(&'a [u8], &'a [u8])>,
    /// The last names of the name spaces that directives open.
    opened: BTreeSet<&'a [u8]>,
    /// The names of inline name spaces, whose names are known in the name space around them.
    inline: BTreeSet<&'a [u8]>,
}

impl<'a> Spaces<'a> {
    /// The name spaces of a file, of which only the global one is entered yet. O(tokens).
    pub(super) fn new(file: File<'a>) -> Self {
        let words: Vec<&[u8]> = file.tokens().iter().map(|token| &file.text()[token.range()]).collect();
        let mut spaces = Self {
            around: vec![GLOBAL],
            is_open: vec![false],
            known: BTreeMap::new(),
            named: BTreeMap::new(),
            aliases: Vec::new(),
            opened: BTreeSet::new(),
            inline: BTreeSet::new(),
        };
        for (at, pair) in words.windows(2).enumerate() {
            match pair {
                [b"using", b"namespace"] => {
                    // `using namespace a::b` opens `b` alone: the names of `a` still need their qualifier.
                    let end = words[at..].iter().take(MOST).position(|word| *word == b";");
                    spaces.opened.extend(end.map(|end| words[at + end - 1]));
                }
                [b"inline", b"namespace"] => spaces.inline.extend(words.get(at + 2)),
                _ => {}
            }
        }
        spaces
    }

    /// The name space that a definition of one in another is.
    pub(super) fn enter(&mut self, file: &File<'a>, mut space: Space, node: NodeId) -> Space {
        for name in names(file, node) {
            space = self.inner(space, name);
            self.named.entry(name).or_default().insert(space);
        }
        space
    }

    fn inner(&mut self, space: Space, name: &'a [u8]) -> Space {
        if self.inline.contains(name) {
            return space;
        }
        // The way out to the global one is walked for each name that is looked up.
        let depth = std::iter::successors(Some(space), |&space| Some(self.around[space as usize]))
            .take_while(|&space| space != GLOBAL)
            .take(DEPTH)
            .count();
        if depth == DEPTH {
            return space;
        }
        let next = self.around.len() as Space;
        let inner = *self.known.entry((space, name)).or_insert(next);
        if inner == next {
            self.around.push(space);
            self.is_open.push(self.opened.contains(name));
        }
        inner
    }

    /// Learns another name for a name space.
    pub(super) fn learn_alias(&mut self, file: &File<'a>, node: NodeId) {
        if let [alias, .., meant] = names(file, node)[..] {
            self.aliases.push((alias, meant));
        }
    }

    /// Gives aliases their meanings, once all name spaces are entered.
    pub(super) fn finish(&mut self) {
        for (alias, meant) in std::mem::take(&mut self.aliases) {
            let meant = self.named.get(meant).cloned().unwrap_or_default();
            self.named.entry(alias).or_default().extend(meant);
        }
    }

    /// Whether a name is that of a name space so far.
    pub(super) fn is_space(&self, name: &[u8]) -> bool {
        self.named.contains_key(name) || self.aliases.iter().any(|(alias, _)| *alias == name)
    }

    /// The name spaces that a qualifier may mean; `None` if it is that of a class.
    pub(super) fn named(&self, qualifier: &[u8]) -> Option<&BTreeSet<Space>> {
        self.named.get(qualifier)
    }

    /// The scope of the names in a name space: those of one that a directive opens, or that is not known, are known everywhere.
    pub(super) fn scope(&self, space: Space) -> Space {
        let is_closed = space != ANY && !self.is_open[space as usize];
        if is_closed { space } else { GLOBAL }
    }

    /// Whether the names of a scope are known in a name space without a qualifier.
    pub(super) fn is_known_in(&self, space: Space, mut place: Space) -> bool {
        while place != space && place != GLOBAL && place != ANY {
            place = self.around[place as usize];
        }
        space == place || space == GLOBAL || place == ANY
    }
}

/// Name spaces within this many others count as part of the innermost of these.
const DEPTH: usize = 32;

/// The tokens of a directive that are looked at.
const MOST: usize = 32;

/// The names in the head of a definition of name spaces, or of an alias, in order.
fn names<'a>(file: &File<'a>, node: NodeId) -> Vec<&'a [u8]> {
    let parts = file.named_children(node).filter(|&n| !is(file, n, "declaration_list"));
    let names = parts.flat_map(|part| std::iter::once(part).chain(file.descendants(part)));
    names.filter(|&n| is(file, n, "namespace_identifier")).map(|n| file.node_text(n)).collect()
}
