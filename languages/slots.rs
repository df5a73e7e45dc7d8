//! Facts from a grammar's node types: which children are optional, and which kinds share a supertype.

use serde::Deserialize;
use std::collections::BTreeMap;

/// One entry of a grammar's `node-types.json`.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct NodeType {
    /// The name of the kind.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// Whether it is no punctuation or keyword.
    pub(crate) named: bool,
    /// Whether it is the kind of whole files.
    #[serde(default)]
    pub(crate) root: bool,
    /// The children with a field, by its name.
    #[serde(default)]
    pub(crate) fields: BTreeMap<String, Children>,
    /// The children without a field.
    pub(crate) children: Option<Children>,
    /// The kinds of a supertype.
    #[serde(default)]
    pub(crate) subtypes: Vec<KindRef>,
}

/// The children that a slot takes.
#[derive(Debug, Deserialize)]
pub(crate) struct Children {
    #[serde(flatten)]
    pub(crate) slot: Slot,
    /// Their kinds.
    #[serde(default)]
    pub(crate) types: Vec<KindRef>,
}

/// The name of a kind.
#[derive(Debug, Deserialize)]
pub(crate) struct KindRef {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// Whether it is no punctuation or keyword.
    #[serde(default)]
    pub(crate) named: bool,
}

/// The entries of a `node-types.json`; none if the text has another form. An entry of another form is left out, such as
/// the mark of a generator.
pub(crate) fn entries(json: &str) -> Vec<NodeType> {
    let entries: Vec<serde_json::Value> = serde_json::from_str(json).unwrap_or_default();
    entries.into_iter().filter_map(|entry| serde_json::from_value(entry).ok()).collect()
}

/// How many children a slot (a place in a node) takes.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub(crate) struct Slot {
    /// Whether the slot takes more than one child.
    pub(crate) multiple: bool,
    /// Whether the slot needs at least one child.
    pub(crate) required: bool,
}

/// Facts from a grammar's node types.
#[derive(Debug, Default)]
pub(crate) struct NodeTypes {
    slots: BTreeMap<(String, Option<String>), Slot>,
    /// The supertypes of each kind, direct and indirect, as bits.
    supertypes: BTreeMap<String, u64>,
    /// The kinds that are supertypes, with their bits.
    above: BTreeMap<String, u64>,
}

impl NodeTypes {
    /// Reads `node-types.json`. A text of any other form gives no facts: then no slot is optional, and the
    /// reparse filter decides.
    pub(crate) fn read(json: &str) -> Self {
        Self::of(&entries(json))
    }

    /// The facts of these entries.
    pub(crate) fn of(types: &[NodeType]) -> Self {
        let mut slots = BTreeMap::new();
        for t in types.iter().filter(|t| t.named) {
            for (field, children) in &t.fields {
                slots.insert((t.kind.clone(), Some(field.clone())), children.slot);
            }
            if let Some(children) = &t.children {
                slots.insert((t.kind.clone(), None), children.slot);
            }
        }
        let mut supertypes: BTreeMap<String, u64> = BTreeMap::new();
        for (bit, t) in types.iter().filter(|t| !t.subtypes.is_empty()).enumerate().take(64) {
            supertypes.entry(t.kind.clone()).or_default();
            for sub in &t.subtypes {
                *supertypes.entry(sub.kind.clone()).or_default() |= 1 << bit;
            }
        }
        // A supertype may itself be a subtype, so bits are passed down until nothing changes.
        let mut changed = true;
        while changed {
            changed = false;
            for t in types.iter().filter(|t| !t.subtypes.is_empty()) {
                let bits = supertypes.get(&t.kind).copied().unwrap_or(0);
                for sub in &t.subtypes {
                    let below = supertypes.entry(sub.kind.clone()).or_default();
                    changed |= *below | bits != *below;
                    *below |= bits;
                }
            }
        }
        let above = types.iter().filter(|t| !t.subtypes.is_empty()).enumerate();
        let above = above.map(|(bit, t)| (t.kind.clone(), if bit < 64 { 1 << bit } else { 0 })).collect();
        Self { slots, supertypes, above }
    }

    /// The slot for children in `field` (`None`: without a field) of a node of kind `parent`.
    pub(crate) fn slot(&self, parent: &str, field: Option<&str>) -> Option<Slot> {
        let key = (parent.to_owned(), field.map(str::to_owned));
        self.slots.get(&key).copied()
    }

    /// The kinds of a supertype that are no supertypes themselves. Linear in all kinds.
    pub(crate) fn kinds(&self, supertype: &str) -> Vec<&str> {
        let bit = self.above.get(supertype).copied().unwrap_or(0);
        let is_below = |(kind, bits): &(&String, &u64)| *bits & bit != 0 && !self.is_supertype(kind);
        self.supertypes.iter().filter(is_below).map(|(kind, _)| &kind[..]).collect()
    }

    /// Whether `kind` is a supertype.
    pub(crate) fn is_supertype(&self, kind: &str) -> bool {
        self.above.contains_key(kind)
    }

    /// The supertypes of `kind`, as bits.
    pub(crate) fn supertypes(&self, kind: &str) -> u64 {
        self.supertypes.get(kind).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_and_supertypes_are_read_from_a_real_grammar() {
        let types = NodeTypes::read(tree_sitter_python::NODE_TYPES);
        let slot = |parent, field| types.slot(parent, field);
        assert_eq!(slot("if_statement", Some("condition")), Some(Slot { multiple: false, required: true }));
        assert_eq!(slot("module", None), Some(Slot { multiple: true, required: false }));
        assert_eq!(slot("module", Some("no such field")), None);
        assert_ne!(types.supertypes("call") & types.supertypes("lambda"), 0);
        assert_eq!(types.supertypes("call") & types.supertypes("if_statement"), 0);
        assert!(types.is_supertype("expression") && !types.is_supertype("call"));
    }

    #[test]
    fn an_entry_of_another_form_does_not_cost_the_others() {
        let found =
            entries(r#"[{"type": "a", "named": true}, {"named": true}, {"type": "b", "named": false}]"#);
        let kinds: Vec<&str> = found.iter().map(|entry| &entry.kind[..]).collect();
        assert_eq!(kinds, ["a", "b"]);
    }

    #[test]
    fn a_text_of_another_form_gives_no_facts() {
        assert_eq!(NodeTypes::read("not JSON").slot("module", None), None);
    }
}
