//! The JSON form of patterns, which holds all that is known of one. `docs/generalizing.md` describes it.

use crate::pattern::{
    Alternative, Constructors, Evidence, Fixed, Hole, Interval, Node, NotAPattern, Outside, Pattern, Rate,
    Sort,
};
use crate::pattern::{role_name, role_named};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::ops::Range;

/// The version of the form that is written, and the only one that is read.
const VERSION: u32 = 1;

/// Bytes: a string where they are UTF-8, else their values.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Values(Vec<u8>),
}

impl Bytes {
    fn new(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Values(bytes.to_vec()),
        }
    }

    fn into(self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.into_bytes(),
            Self::Values(values) => values,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    lopper_pattern: u32,
    language: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    grammar: Option<Box<RawValue>>,
    text: Bytes,
    example: Bytes,
    nodes: Vec<NodeForm>,
    holes: Vec<HoleForm>,
    #[serde(default)]
    fixed: Vec<FixedForm>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    constructors: Vec<ConstructorsForm>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rate: Option<RateForm>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    excerpt: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    outside: Vec<OutsideForm>,
    #[serde(default)]
    runs: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OutsideForm {
    kind: String,
    counterexample: Bytes,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeForm {
    kind: String,
    start: usize,
    end: usize,
    last: usize,
    #[serde(skip_serializing_if = "is_false", default)]
    unnamed: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    hole: Option<usize>,
    #[serde(skip_serializing_if = "is_false", default)]
    any_order: bool,
}

fn is_false(value: &bool) -> bool {
    !value
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum SortForm {
    Nonterminal(String),
    Role(String),
    Kind(String),
    Operator,
    Statements(String),
    Items(String),
    Number { least: Option<i64>, most: Option<i64> },
    Length { least: Option<i64>, most: Option<i64> },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EvidenceForm {
    draws: usize,
    failing: usize,
    passing: usize,
    invalid: usize,
    instances: Vec<Bytes>,
    counterexample: Option<Bytes>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HoleForm {
    sort: SortForm,
    #[serde(skip_serializing_if = "is_false", default)]
    coupled: bool,
    #[serde(skip_serializing_if = "is_false", default)]
    weak: bool,
    evidence: EvidenceForm,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FixedForm {
    start: usize,
    end: usize,
    sort: SortForm,
    evidence: EvidenceForm,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConstructorsForm {
    start: usize,
    end: usize,
    nonterminal: String,
    alternatives: Vec<AlternativeForm>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AlternativeForm {
    shown: String,
    drawn: usize,
    instance: Option<Bytes>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RateForm {
    failing: usize,
    valid: usize,
    invalid: usize,
    confidence: f64,
    bound: f64,
}

impl SortForm {
    fn new(sort: &Sort) -> Self {
        match sort {
            Sort::Nonterminal(name) => Self::Nonterminal(name.clone()),
            Sort::Role(role) => Self::Role(role_name(*role).to_owned()),
            Sort::Kind(kind) => Self::Kind(kind.clone()),
            Sort::Operator => Self::Operator,
            Sort::Statements(kind) => Self::Statements(kind.clone()),
            Sort::Items(kind) => Self::Items(kind.clone()),
            Sort::Number(Interval { least, most }) => Self::Number { least: *least, most: *most },
            Sort::Length(Interval { least, most }) => Self::Length { least: *least, most: *most },
        }
    }

    fn into(self) -> Result<Sort, NotAPattern> {
        Ok(match self {
            Self::Nonterminal(name) => Sort::Nonterminal(name),
            Self::Role(name) => Sort::Role(
                role_named(&name).ok_or_else(|| NotAPattern(format!("there is no role '{name}'")))?,
            ),
            Self::Kind(kind) => Sort::Kind(kind),
            Self::Operator => Sort::Operator,
            Self::Statements(kind) => Sort::Statements(kind),
            Self::Items(kind) => Sort::Items(kind),
            Self::Number { least, most } => Sort::Number(Interval { least, most }),
            Self::Length { least, most } => Sort::Length(Interval { least, most }),
        })
    }
}

impl EvidenceForm {
    fn new(evidence: &Evidence) -> Self {
        Self {
            draws: evidence.draws,
            failing: evidence.failing,
            passing: evidence.passing,
            invalid: evidence.invalid,
            instances: evidence.instances.iter().map(|text| Bytes::new(text)).collect(),
            counterexample: evidence.counterexample.as_deref().map(Bytes::new),
        }
    }

    fn into(self) -> Evidence {
        Evidence {
            draws: self.draws,
            failing: self.failing,
            passing: self.passing,
            invalid: self.invalid,
            instances: self.instances.into_iter().map(Bytes::into).collect(),
            counterexample: self.counterexample.map(Bytes::into),
        }
    }
}

impl ConstructorsForm {
    fn new(place: &Constructors) -> Self {
        let alternative = |known: &Alternative| AlternativeForm {
            shown: known.shown.clone(),
            drawn: known.drawn,
            instance: known.instance.as_deref().map(Bytes::new),
        };
        Self {
            start: place.range.start,
            end: place.range.end,
            nonterminal: place.nonterminal.clone(),
            alternatives: place.alternatives.iter().map(alternative).collect(),
        }
    }

    fn into(self) -> Constructors {
        let alternative = |form: AlternativeForm| Alternative {
            shown: form.shown,
            drawn: form.drawn,
            instance: form.instance.map(Bytes::into),
        };
        Constructors {
            range: self.start..self.end,
            nonterminal: self.nonterminal,
            alternatives: self.alternatives.into_iter().map(alternative).collect(),
        }
    }
}

impl Pattern {
    /// Writes the pattern as JSON, on one line for each node, hole and fixed node.
    ///
    /// # Errors
    /// A number that JSON does not have, such as a rate that is infinite.
    pub fn to_json(&self, names: &crate::Names) -> Result<String, NotAPattern> {
        let node = |node: &Node| NodeForm {
            kind: node.kind.clone(),
            start: node.range.start,
            end: node.range.end,
            last: node.last,
            unnamed: !node.named,
            hole: node.hole,
            any_order: node.any_order,
        };
        let hole = |hole: &Hole| HoleForm {
            sort: SortForm::new(&hole.sort),
            coupled: hole.coupled,
            weak: hole.weak,
            evidence: EvidenceForm::new(&hole.evidence),
        };
        let fixed = |fixed: &Fixed| FixedForm {
            start: fixed.range.start,
            end: fixed.range.end,
            sort: SortForm::new(&fixed.sort),
            evidence: EvidenceForm::new(&fixed.evidence),
        };
        let rate = |rate: &Rate| RateForm {
            failing: rate.failing,
            valid: rate.valid,
            invalid: rate.invalid,
            confidence: rate.confidence,
            bound: rate.bound,
        };
        let mut out = format!("{{\n\"lopper_pattern\": {VERSION}");
        let mut field = |name: &str, value: String| out.push_str(&format!(",\n\"{name}\": {value}"));
        field("language", json(&self.language)?);
        if let Some(grammar) = &self.grammar {
            field("grammar", grammar.trim_end().to_owned());
        }
        field("text", json(&Bytes::new(&self.to_text(names)))?);
        field("example", json(&Bytes::new(&self.example))?);
        field("nodes", lines(self.nodes.iter().map(node))?);
        field("holes", lines(self.holes.iter().map(hole))?);
        field("fixed", lines(self.fixed.iter().map(fixed))?);
        if !self.constructors.is_empty() {
            field("constructors", lines(self.constructors.iter().map(ConstructorsForm::new))?);
        }
        if let Some(known) = &self.rate {
            field("rate", json(&rate(known))?);
        }
        if let Some(excerpt) = &self.excerpt {
            field("excerpt", excerpt.to_json(names)?.trim_end().to_owned());
        }
        if !self.outside.is_empty() {
            let form = |outside: &Outside| OutsideForm {
                kind: outside.kind.clone(),
                counterexample: Bytes::new(&outside.counterexample),
            };
            field("outside", lines(self.outside.iter().map(form))?);
        }
        field("runs", self.runs.to_string());
        out.push_str("\n}\n");
        Ok(out)
    }

    /// Reads what [`Self::to_json`] writes. The text form in it is for readers, and ignored.
    ///
    /// # Errors
    /// What is wrong with the data.
    pub fn from_json(json: &str) -> Result<Self, NotAPattern> {
        let whole: Whole = serde_json::from_str(json).map_err(|e| NotAPattern(e.to_string()))?;
        if whole.lopper_pattern != VERSION {
            return Err(NotAPattern(format!("the form has version {}, not {VERSION}", whole.lopper_pattern)));
        }
        let node = |node: NodeForm| Node {
            kind: node.kind,
            named: !node.unnamed,
            range: Range { start: node.start, end: node.end },
            last: node.last,
            hole: node.hole,
            any_order: node.any_order,
        };
        let hole = |hole: HoleForm| {
            let (coupled, weak, evidence) = (hole.coupled, hole.weak, hole.evidence.into());
            Ok(Hole { sort: hole.sort.into()?, coupled, weak, evidence })
        };
        let fixed = |fixed: FixedForm| {
            let (range, evidence) = (fixed.start..fixed.end, fixed.evidence.into());
            Ok(Fixed { range, sort: fixed.sort.into()?, evidence })
        };
        let outside = |outside: OutsideForm| Outside {
            kind: outside.kind,
            counterexample: outside.counterexample.into(),
        };
        let rate = |rate: RateForm| Rate {
            failing: rate.failing,
            valid: rate.valid,
            invalid: rate.invalid,
            confidence: rate.confidence,
            bound: rate.bound,
        };
        let pattern = Self {
            language: whole.language,
            grammar: whole.grammar.map(|grammar| grammar.get().to_owned()),
            example: whole.example.into(),
            nodes: whole.nodes.into_iter().map(node).collect(),
            holes: whole.holes.into_iter().map(hole).collect::<Result<_, NotAPattern>>()?,
            fixed: whole.fixed.into_iter().map(fixed).collect::<Result<_, NotAPattern>>()?,
            constructors: whole.constructors.into_iter().map(ConstructorsForm::into).collect(),
            rate: whole.rate.map(rate),
            excerpt: whole.excerpt.map(|json| Self::from_json(json.get()).map(Box::new)).transpose()?,
            outside: whole.outside.into_iter().map(outside).collect(),
            runs: whole.runs,
        };
        pattern.check()?;
        Ok(pattern)
    }
}

/// A JSON list with an element on each line.
fn lines<T: Serialize>(elements: impl Iterator<Item = T>) -> Result<String, NotAPattern> {
    let lines = elements.map(|element| json(&element)).collect::<Result<Vec<_>, _>>()?;
    Ok(if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", lines.join(",\n")) })
}

/// A value as JSON, on one line.
fn json<T: Serialize>(value: &T) -> Result<String, NotAPattern> {
    serde_json::to_string(value).map_err(|e| NotAPattern(e.to_string()))
}
