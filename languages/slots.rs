//! Facts from a grammar's node types: which children are optional, and which kinds share a supertype.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// One entry of a grammar's `node-types.json`.
#[derive(Deserialize)]
struct NodeType {
    #[serde(rename = "type")]
    kind: String,
    named: bool,
    #[serde(default)]
    fields: BTreeMap<String, Slot>,
    children: Option<Slot>,
    #[serde(default)]
    subtypes: Vec<KindRef>,
}

#[derive(Deserialize)]
struct KindRef {
    #[serde(rename = "type")]
    kind: String,
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
    /// The kinds that are supertypes.
    above: BTreeSet<String>,
}

impl NodeTypes {
    /// Reads `node-types.json`. A text of any other form gives no facts: then no slot is optional, and the
    /// reparse filter decides.
    pub(crate) fn read(json: &str) -> Self {
        let types: Vec<NodeType> = serde_json::from_str(json).unwrap_or_default();
        let mut slots = BTreeMap::new();
        for t in types.iter().filter(|t| t.named) {
            for (field, slot) in &t.fields {
                slots.insert((t.kind.clone(), Some(field.clone())), *slot);
            }
            if let Some(slot) = t.children {
                slots.insert((t.kind.clone(), None), slot);
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
        let above = types.iter().filter(|t| !t.subtypes.is_empty()).map(|t| t.kind.clone()).collect();
        Self { slots, supertypes, above }
    }

    /// The slot for children in `field` (`None`: without a field) of a node of kind `parent`.
    pub(crate) fn slot(&self, parent: &str, field: Option<&str>) -> Option<Slot> {
        let key = (parent.to_owned(), field.map(str::to_owned));
        self.slots.get(&key).copied()
    }

    /// Whether `kind` is a supertype.
    pub(crate) fn is_supertype(&self, kind: &str) -> bool {
        self.above.contains(kind)
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
    fn a_text_of_another_form_gives_no_facts() {
        assert_eq!(NodeTypes::read("not JSON").slot("module", None), None);
    }
}
