//! A grammar's files in compiled form: kinds, slots, and the queries for roles and bindings.

use super::matching::Matcher;
use super::pattern;
use super::{Embedded, Grammar};
use crate::bindings::Fact;
use crate::guess;
use crate::role::{ROLES, Role};
use crate::slots::{NodeTypes, Slot, entries};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use tree_sitter::{Parser, Query};

/// The names of the query files, for messages.
const ROLES_FILE: &str = "roles.scm";
pub(super) const BINDINGS_FILE: &str = "bindings.scm";

/// A grammar's files in compiled form.
pub struct Compiled {
    pub(super) grammar: tree_sitter::Language,
    pub(super) kinds: &'static [&'static str],
    /// How many children a field of a kind takes; field 0 is for children without a field.
    pub(super) slots: HashMap<(u16, u16), Slot>,
    /// The marks around the names of a kind.
    pub(super) marks: HashMap<u16, Marks>,
    /// How the texts of leaves are parsed that are parts of programs, by the leaf's kind.
    pub(super) embedded: HashMap<u16, &'static Embedded>,
    /// The supertypes of each kind, as bits.
    pub(super) supertypes: Vec<u64>,
    /// Captures the nodes that are used as the supertypes which the patterns mention, in their order.
    pub(super) supertypes_query: Query,
    pub(super) roles: Matcher,
    /// Whether a pattern of the roles has a stub.
    pub(super) has_stubs: bool,
    /// The query for roles: that of the language, or a guess.
    pub(super) roles_text: Cow<'static, str>,
    /// The role of each capture.
    pub(super) captures: Vec<Option<Role>>,
    pub(super) bindings: Matcher,
    /// The fact that each capture of the binding query stands for.
    pub(super) facts: Vec<Option<Fact>>,
}

/// The marks around the names of a kind.
pub(super) struct Marks {
    /// The length of the mark before a name, in bytes.
    before: usize,
    /// The length of the mark behind it, in bytes.
    pub(super) behind: usize,
    /// The kind of the mark behind it.
    pub(super) kind_behind: u16,
}

impl Marks {
    /// The range of the name in a token with this range.
    pub(super) fn name(&self, token: Range<usize>) -> Range<usize> {
        let is_whole = self.before + self.behind < token.len();
        if is_whole { token.start + self.before..token.end - self.behind } else { token }
    }
}

impl Compiled {
    /// Compiles a grammar's files; roles are guessed if there are none.
    ///
    /// # Errors
    /// A message about the first fault in a query.
    pub(super) fn new(g: &Grammar, types: &NodeTypes) -> Result<Self, String> {
        let grammar = (g.grammar)();
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let kinds: Vec<&'static str> =
            (0..count).map(|id| &*grammar.node_kind_for_id(id).unwrap_or("").to_owned().leak()).collect();
        let fields = u16::try_from(grammar.field_count()).unwrap_or(u16::MAX);
        let mut slots = HashMap::new();
        for (kind, name) in kinds.iter().enumerate() {
            for field in 0..=fields {
                let field_name = grammar.field_name_for_id(field).filter(|_| field > 0);
                if field > 0 && field_name.is_none() {
                    continue;
                }
                if let Some(slot) = types.slot(name, field_name) {
                    slots.insert((kind as u16, field), slot);
                }
            }
        }
        let marks_of = |(kind, name): (u16, &&str)| {
            let (_, before, behind) = g.marked.iter().find(|(marked, ..)| marked == name)?;
            let kind_behind = grammar.id_for_node_kind(behind, false);
            Some((kind, Marks { before: before.len(), behind: behind.len(), kind_behind }))
        };
        let marks = (0..).zip(&kinds).filter_map(marks_of).collect();
        let embedded = g.embedded.iter().map(|e| (grammar.id_for_node_kind(e.kind, true), e)).collect();
        let supertypes = kinds.iter().map(|name| types.supertypes(name)).collect();
        let refused = |file: &'static str| move |e: String| format!("{file}: {e}");
        let roles_text = match g.roles {
            "" => Cow::Owned(accepted(&guess::guess(&entries(g.node_types), "").roles, &grammar, types)),
            written => Cow::Borrowed(written),
        };
        let mut mentioned = Vec::new();
        let mut read =
            |file, text| pattern::read(text, &grammar, types, &mut mentioned).map_err(refused(file));
        let (roles, bindings) = (read(ROLES_FILE, &roles_text)?, read(BINDINGS_FILE, g.bindings)?);
        let role = |name: &str| ROLES.iter().find(|(n, _)| *n == name).map(|(_, role)| *role);
        let captures = meanings(&roles.captures, role).map_err(refused(ROLES_FILE))?;
        let facts = meanings(&bindings.captures, Fact::named).map_err(refused(BINDINGS_FILE))?;
        let query: String = mentioned.iter().map(|name| format!("({name}) @{name}\n")).collect();
        let supertypes_query =
            Query::new(&grammar, &query).map_err(|e| refused("the list of supertypes")(e.to_string()))?;
        let has_stubs = roles.patterns.iter().any(|pattern| pattern.texts.stub.is_some());
        let (roles, bindings) = (Matcher::new(roles, kinds.len()), Matcher::new(bindings, kinds.len()));
        let kinds = kinds.leak();
        Ok(Self {
            kinds,
            slots,
            marks,
            embedded,
            supertypes,
            supertypes_query,
            captures,
            roles,
            has_stubs,
            roles_text,
            bindings,
            facts,
            grammar,
        })
    }

    /// A parser for the grammar.
    pub(super) fn parser(&self) -> Parser {
        let mut parser = Parser::new();
        // This fails only for a grammar that this version of tree-sitter cannot run; `parse` then gives no
        // tree, and the file is read as `text`. The tests of the language would fail first.
        let _ = parser.set_language(&self.grammar);
        parser
    }

    /// The parser's state after a symbol; 0 if the grammar does not allow the symbol.
    pub(super) fn next_state(&self, state: u16, symbol: u16) -> u16 {
        let known = (state as usize) < self.grammar.parse_state_count();
        // `next_state` takes only symbols of the grammar, which the error symbol is not.
        if known && (symbol as usize) < self.kinds.len() { self.grammar.next_state(state, symbol) } else { 0 }
    }

    /// Whether `symbol` is allowed in `state`.
    pub(super) fn accepts(&self, state: u16, symbol: u16) -> bool {
        self.grammar.lookahead_iterator(state).is_some_and(|mut symbols| symbols.any(|s| s == symbol))
    }
}

/// The lines of a query that the grammar accepts.
pub(super) fn accepted(lines: &[String], grammar: &tree_sitter::Language, types: &NodeTypes) -> String {
    let mut mentioned = Vec::new();
    let mut accepts = |line: &str| {
        let before = mentioned.len();
        let is_read = pattern::read(line, grammar, types, &mut mentioned).is_ok();
        // Queries do not know all supertypes.
        let is_known = |name: &String| Query::new(grammar, &format!("({name}) @known")).is_ok();
        let is_accepted = is_read && mentioned[before..].iter().all(is_known);
        if !is_accepted {
            mentioned.truncate(before);
        }
        is_accepted
    };
    let lines: Vec<&str> = lines.iter().map(|line| &line[..]).filter(|line| accepts(line)).collect();
    lines.join("\n") + "\n"
}

/// The meaning of each capture of a query; `None` for a name that begins with `_`, which only predicates use.
///
/// # Errors
///
/// A message about a capture that has no meaning.
fn meanings<T>(names: &[String], meaning: impl Fn(&str) -> Option<T>) -> Result<Vec<Option<T>>, String> {
    let of = |name: &String| match meaning(name) {
        None if !name.starts_with('_') => Err(format!("the capture @{name} has no meaning")),
        known => Ok(known),
    };
    names.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_that_means_nothing_is_refused() {
        let grammar = (crate::python::PYTHON.grammar)();
        let types = NodeTypes::read(crate::python::PYTHON.node_types);
        let meant = |text| {
            let patterns = pattern::read(text, &grammar, &types, &mut Vec::new()).unwrap();
            meanings(&patterns.captures, Fact::named).map(|facts| facts.len())
        };
        assert_eq!(meant("(module) @scope ((identifier) @_name (#eq? @_name \"a\"))"), Ok(2));
        assert_eq!(meant("(module) @scoop"), Err("the capture @scoop has no meaning".into()));
        assert_eq!(meant("(module) @scope.klass"), Err("the capture @scope.klass has no meaning".into()));
    }
}
