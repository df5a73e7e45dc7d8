//! Checks whether a grammar can be used. Each problem has a name and advice.

use super::rules::{Grammar, Nonterminal, Rule, RuleId, Symbol, starts_upper_case};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A problem with a grammar file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Problem {
    /// The file is not JSON, or not an object.
    NotJson {
        /// The message of the JSON reader.
        message: String,
    },
    /// A value does not have the form that a grammar requires.
    Shape {
        /// The place of the value.
        place: String,
        /// The required form.
        wanted: String,
    },
    /// A key is not the name of a nonterminal.
    Name {
        /// The key.
        name: String,
    },
    /// A nonterminal is defined twice.
    Repeated {
        /// The nonterminal.
        name: String,
    },
    /// The start symbol has no rules.
    NoStart {
        /// The start symbol.
        name: String,
    },
    /// A nonterminal is used but has no rules.
    Undefined {
        /// The nonterminal.
        name: String,
        /// The nonterminal whose rule uses it.
        by: String,
    },
    /// A nonterminal has rules but is not used by any.
    Unused {
        /// The nonterminal.
        name: String,
    },
    /// A nonterminal is used only by rules that the start symbol does not lead to.
    Unreachable {
        /// The nonterminal.
        name: String,
    },
    /// No derivation from a nonterminal ever ends.
    Unproductive {
        /// The nonterminal.
        name: String,
    },
    /// A nonterminal has the same alternative twice, so every text with it would have several trees.
    Duplicate {
        /// The nonterminal.
        name: String,
        /// The alternative.
        expansion: String,
    },
    /// A nonterminal derives itself and nothing else, so texts would have infinitely many trees.
    Cyclic {
        /// The nonterminals of the cycle, with the first one again at the end.
        names: Vec<String>,
    },
    /// The grammar has more names and texts than a tree can have kinds of nodes.
    TooLarge,
}

impl Problem {
    /// Advice on how to fix the problem.
    pub fn help(&self) -> String {
        match self {
            Problem::NotJson { .. } => {
                "a grammar is an object: {\"<start>\": [\"<a> + <a>\", \"\"], \"<a>\": [...]}".to_owned()
            }
            Problem::Shape { wanted, .. } => format!("there should be {wanted}"),
            Problem::Name { name } => format!("names of nonterminals are in angle brackets: \"<{name}>\""),
            Problem::Repeated { name } => format!("put all alternatives of {name} in one list"),
            Problem::NoStart { name } => format!(
                "define {name}, or name another start symbol: {{\"[start]\": \"<s>\", \"[grammar]\": {{...}}}}"
            ),
            Problem::Undefined { name, .. } => {
                format!(
                    "define {name}, or, if it stands for itself, write the symbol {{\"lit\": \"{name}\"}}"
                )
            }
            Problem::Unused { name } | Problem::Unreachable { name } => {
                format!("remove {name}, or use it in a rule that the start symbol leads to")
            }
            Problem::Unproductive { name } => {
                format!("give {name} an alternative that does not lead back to itself")
            }
            Problem::Duplicate { .. } => "remove one of the two".to_owned(),
            Problem::Cyclic { .. } => "remove one of these rules, or add a text to it".to_owned(),
            Problem::TooLarge => "make it smaller: at most 60,000 nonterminals and texts".to_owned(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NotJson { message } => write!(f, "not a grammar in JSON: {message}"),
            Problem::Shape { place, .. } => write!(f, "wrong form: {place}"),
            Problem::Name { name } => write!(f, "not a name of a nonterminal: \"{name}\""),
            Problem::Repeated { name } => write!(f, "repeated: {name} is defined twice"),
            Problem::NoStart { name } => write!(f, "undefined: the start symbol {name} has no rules"),
            Problem::Undefined { name, by } => {
                write!(f, "undefined: {by} uses {name}, which has no rules")
            }
            Problem::Unused { name } => write!(f, "unused: no rule uses {name}"),
            Problem::Unreachable { name } => {
                write!(f, "unreachable: the start symbol does not lead to {name}")
            }
            Problem::Unproductive { name } => {
                write!(f, "unproductive: every derivation of {name} is infinite")
            }
            Problem::Duplicate { name, expansion } => {
                write!(f, "duplicate: {name} has the alternative {expansion} twice")
            }
            Problem::Cyclic { names } => write!(f, "cyclic: {}", names.join(" -> ")),
            Problem::TooLarge => f.write_str("too large: too many nonterminals and texts"),
        }
    }
}

/// A grammar that is being read.
pub(super) struct Draft {
    start: String,
    tokens: Vec<String>,
    names: Vec<String>,
    ids: BTreeMap<String, Nonterminal>,
    rules: Vec<Rule>,
    defined: BTreeSet<Nonterminal>,
    /// For each used nonterminal, the first nonterminal whose rule uses it.
    users: BTreeMap<Nonterminal, Nonterminal>,
    remarks: Vec<String>,
    problems: Vec<Problem>,
}

impl Draft {
    pub(super) fn new(start: String, tokens: Vec<String>) -> Self {
        Self {
            start,
            tokens,
            names: Vec::new(),
            ids: BTreeMap::new(),
            rules: Vec::new(),
            defined: BTreeSet::new(),
            users: BTreeMap::new(),
            remarks: Vec::new(),
            problems: Vec::new(),
        }
    }

    pub(super) fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    pub(super) fn remark(&mut self, remark: String) {
        self.remarks.push(remark);
    }

    fn id(&mut self, name: &str) -> Nonterminal {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = Nonterminal(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// Adds a nonterminal to the grammar unless it is there already.
    pub(super) fn declare(&mut self, name: &str) {
        self.id(name);
    }

    /// The symbol of a nonterminal that a rule of `by` uses.
    pub(super) fn used(&mut self, by: &str, name: &str) -> Symbol {
        let (by, id) = (self.id(by), self.id(name));
        self.users.entry(id).or_insert(by);
        Symbol::Nonterminal(id)
    }

    /// Adds the alternatives of a nonterminal; `read` reads them.
    pub(super) fn define(
        &mut self,
        name: &str,
        expansions: &[Value],
        read: impl Fn(&mut Self, &str, &Value) -> Option<(Vec<Symbol>, Option<f64>)>,
    ) {
        let left = self.id(name);
        if !self.defined.insert(left) {
            return self.problem(Problem::Repeated { name: name.to_owned() });
        }
        for expansion in expansions {
            if let Some((right, probability)) = read(self, name, expansion) {
                self.rules.push(Rule { left, right, probability });
            }
        }
    }
}

/// The grammar of a draft, or its problems.
pub(super) fn check(mut draft: Draft) -> Result<Grammar, Vec<Problem>> {
    if !draft.problems.is_empty() {
        return Err(draft.problems);
    }
    let Some(start) = draft.ids.get(&draft.start).copied().filter(|id| draft.defined.contains(id)) else {
        return Err(vec![Problem::NoStart { name: draft.start }]);
    };
    let name = |n: &Nonterminal| draft.names[n.index()].clone();
    let undefined = draft.users.iter().filter(|(id, _)| !draft.defined.contains(id));
    let undefined: Vec<_> =
        undefined.map(|(id, by)| Problem::Undefined { name: name(id), by: name(by) }).collect();
    if !undefined.is_empty() {
        return Err(undefined);
    }
    draft.rules.sort_by_key(|rule| rule.left);
    let of = |n: u32| {
        let at = |n: u32| draft.rules.partition_point(|rule| rule.left.0 < n) as RuleId;
        at(n)..at(n + 1)
    };
    let lexical = |name: &String| starts_upper_case(name) || draft.tokens.contains(name);
    let grammar = Grammar {
        alternatives: (0..draft.names.len() as u32).map(of).collect(),
        lexical: draft.names.iter().map(lexical).collect(),
        names: draft.names,
        rules: draft.rules,
        start,
        remarks: draft.remarks,
    };
    let problems = problems(&grammar, &draft.users);
    if problems.is_empty() { Ok(grammar) } else { Err(problems) }
}

fn problems(grammar: &Grammar, users: &BTreeMap<Nonterminal, Nonterminal>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let texts = grammar.rules.iter().flat_map(|r| &r.right).filter(|s| s.nonterminal().is_none());
    if texts.collect::<BTreeSet<_>>().len() + 4 * grammar.names.len() > 60_000 {
        problems.push(Problem::TooLarge);
    }
    let reachable = reachable(grammar);
    let productive = grammar.least(|rule, known| {
        let mut below = rule.right.iter().filter_map(Symbol::nonterminal);
        below.all(|n| known(n).is_some()).then_some(())
    });
    for nonterminal in grammar.nonterminals() {
        let name = || grammar.name(nonterminal).to_owned();
        if productive[nonterminal.index()].is_none() {
            problems.push(Problem::Unproductive { name: name() });
        }
        if !reachable[nonterminal.index()] {
            // A use by a nonterminal's own rules does not count.
            let used = users.get(&nonterminal).is_some_and(|&by| by != nonterminal);
            problems.push(match used {
                true => Problem::Unreachable { name: name() },
                false => Problem::Unused { name: name() },
            });
        }
        let mut seen = BTreeSet::new();
        for rule in grammar.alternatives(nonterminal) {
            if !seen.insert(&grammar.rule(rule).right) {
                problems.push(Problem::Duplicate { name: name(), expansion: grammar.shown(rule) });
            }
        }
    }
    problems.extend(cycle(grammar));
    problems
}

fn reachable(grammar: &Grammar) -> Vec<bool> {
    let mut reachable = vec![false; grammar.names.len()];
    let mut todo = vec![grammar.start];
    while let Some(nonterminal) = todo.pop() {
        if !std::mem::replace(&mut reachable[nonterminal.index()], true) {
            for rule in grammar.alternatives(nonterminal) {
                todo.extend(grammar.rule(rule).right.iter().filter_map(Symbol::nonterminal));
            }
        }
    }
    reachable
}

/// The first nonterminal that derives only itself, with the cycle.
fn cycle(grammar: &Grammar) -> Option<Problem> {
    let units = grammar.units();
    // Depth-first search: 0 is unseen, 1 is on the path, 2 is done; with the position in the list of unit
    // rules.
    let mut state = vec![0u8; units.len()];
    for root in grammar.nonterminals() {
        let mut way = vec![(root, 0)];
        while let Some((node, next)) = way.last_mut() {
            let node = *node;
            state[node.index()] = state[node.index()].max(1);
            let Some(&below) = units[node.index()].get(*next) else {
                state[node.index()] = 2;
                way.pop();
                continue;
            };
            *next += 1;
            if state[below.index()] == 0 {
                way.push((below, 0));
            } else if state[below.index()] == 1 {
                let from = way.iter().position(|(n, _)| *n == below).unwrap_or(0);
                let round = way[from..].iter().map(|(n, _)| *n).chain([below]);
                return Some(Problem::Cyclic { names: round.map(|n| grammar.name(n).to_owned()).collect() });
            }
        }
    }
    None
}
