//! Goals: a formula over counts that can only grow, and what is left of it once some counts are known.

use super::formula::Formula;

/// A formula over the counts of numbered subtrees.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    formula: Indexed,
    caps: Vec<u32>,
}

#[derive(Clone, Debug)]
enum Indexed {
    Count(usize, u32, Option<u32>),
    And(Vec<Indexed>),
    Or(Vec<Indexed>),
    Not(Box<Indexed>),
}

impl Goal {
    /// A formula over these names. A name that is not among them counts as never found.
    pub(super) fn new(formula: &Formula, names: &[&str], caps: &[u32]) -> Self {
        Self { formula: indexed(formula, names), caps: caps.to_vec() }
    }

    /// Whether the formula holds for these counts.
    pub(super) fn holds(&self, counts: &[u32]) -> bool {
        self.formula.holds(counts)
    }

    /// Raises to its cap every count that no longer matters, whatever is added to it and to the others, and says which
    /// ones still matter. This keeps the formula's value: a part that is decided has the value that it has at the caps.
    pub(super) fn settle(&self, counts: &mut [u32]) -> Vec<bool> {
        let mut live = vec![false; counts.len()];
        if let Err(open) = self.formula.decide(counts, &self.caps) {
            open.into_iter().for_each(|subtree| live[subtree] = true);
        }
        for ((count, cap), _) in counts.iter_mut().zip(&self.caps).zip(&live).filter(|(_, live)| !**live) {
            *count = *cap;
        }
        live
    }
}

fn indexed(formula: &Formula, names: &[&str]) -> Indexed {
    let all = |parts: &[Formula]| parts.iter().map(|part| indexed(part, names)).collect();
    match formula {
        Formula::Count(name, least, most) => match names.iter().position(|known| known == name) {
            Some(subtree) => Indexed::Count(subtree, *least, *most),
            None if *least == 0 => Indexed::And(Vec::new()),
            None => Indexed::Or(Vec::new()),
        },
        Formula::And(parts) => Indexed::And(all(parts)),
        Formula::Or(parts) => Indexed::Or(all(parts)),
        Formula::Not(part) => Indexed::Not(Box::new(indexed(part, names))),
    }
}

impl Indexed {
    fn holds(&self, counts: &[u32]) -> bool {
        match self {
            Self::Count(subtree, least, most) => {
                let count = counts[*subtree];
                *least <= count && most.is_none_or(|most| count <= most)
            }
            Self::And(parts) => parts.iter().all(|part| part.holds(counts)),
            Self::Or(parts) => parts.iter().any(|part| part.holds(counts)),
            Self::Not(part) => !part.holds(counts),
        }
    }

    /// The value that it has for these counts and for all higher ones; or else the subtrees on which it depends.
    fn decide(&self, counts: &[u32], caps: &[u32]) -> Result<bool, Vec<usize>> {
        let all = |parts: &[Self], neutral: bool| {
            let mut open = Vec::new();
            for part in parts {
                match part.decide(counts, caps) {
                    Ok(value) if value == neutral => {}
                    Ok(value) => return Ok(value),
                    Err(more) => open.extend(more),
                }
            }
            if open.is_empty() { Ok(neutral) } else { Err(open) }
        };
        match self {
            Self::Count(subtree, least, most) => {
                let count = counts[*subtree];
                let is_final = match most {
                    _ if count == caps[*subtree] => true,
                    None => count >= *least,
                    Some(most) => count > *most,
                };
                if is_final { Ok(self.holds(counts)) } else { Err(vec![*subtree]) }
            }
            Self::And(parts) => all(parts, true),
            Self::Or(parts) => all(parts, false),
            Self::Not(part) => part.decide(counts, caps).map(|value| !value),
        }
    }
}
