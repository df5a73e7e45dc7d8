//! Patterns of nodes: reads the queries of a language, in the notation of tree-sitter.
//!
//! Supported are nodes, supertypes and wildcards, fields and absent fields, punctuation in quotes, alternatives in
//! square brackets, anchors, captures, and the predicates `#eq?`, `#any-of?`, `#not-any-of?`, `#begins?`, `#set! filler` and
//! `#set! stub`. Lopper matches them on its own tree: tree-sitter's queries took longer than its parser, and half a second to
//! compile for C++.

use crate::slots::NodeTypes;

/// The patterns of a query.
pub(super) struct Patterns {
    pub(super) patterns: Vec<Pattern>,
    /// The names of the captures; a [`Step`] refers to them by their indices.
    pub(super) captures: Vec<String>,
}

/// A pattern, with its predicates.
pub(super) struct Pattern {
    pub(super) root: Step,
    pub(super) conditions: Vec<Condition>,
    pub(super) texts: Texts,
}

/// The texts that may replace the nodes that a pattern captures.
#[derive(Clone, Copy, Default)]
pub(super) struct Texts {
    pub(super) filler: Option<&'static str>,
    pub(super) stub: Option<&'static str>,
}

/// A node of a pattern.
pub(super) struct Step {
    pub(super) what: What,
    /// The field that the node must be in.
    pub(super) field: Option<u16>,
    pub(super) captures: Vec<u16>,
    /// The fields that the node must not have.
    pub(super) absent: Vec<u16>,
    pub(super) children: Vec<Step>,
    /// Whether no named sibling may come between this node and the one of the step before, or the start.
    pub(super) is_next: bool,
    /// Whether no named child may follow the node of the last step in `children`.
    pub(super) ends: bool,
}

/// The nodes that a step is for.
pub(super) enum What {
    /// Nodes of this kind.
    Kind(u16),
    /// Nodes of the supertype with this index.
    Supertype(u8),
    /// Errors.
    Error,
    /// All nodes.
    Any,
    /// All nodes but punctuation and keywords.
    Named,
    /// The nodes of any of these steps.
    OneOf(Vec<Step>),
}

/// A condition on the texts of captured nodes.
pub(super) enum Condition {
    /// Two captures have equal texts.
    Equal(u16, u16),
    /// A capture has one of these texts.
    AnyOf(u16, Vec<String>),
    /// A capture has none of these texts.
    NoneOf(u16, Vec<String>),
    /// A capture begins with this text.
    Begins(u16, String),
}

/// Reads the patterns of a query. `mentioned` lists the supertypes that queries of the grammar mention, to which
/// those of this query are added; a [`What`] refers to them by their indices.
///
/// # Errors
/// A message with the line of the first fault.
pub(super) fn read(
    query: &str,
    grammar: &tree_sitter::Language,
    types: &NodeTypes,
    mentioned: &mut Vec<String>,
) -> Result<Patterns, String> {
    let read = Patterns { patterns: Vec::new(), captures: Vec::new() };
    let mut reader = Reader { words: words(query), at: 0, grammar, types, mentioned, read };
    while reader.at < reader.words.len() {
        let line = reader.words[reader.at].0;
        let pattern = reader.pattern().map_err(|message| format!("line {line}: {message}"))?;
        reader.read.patterns.push(pattern);
    }
    Ok(reader.read)
}

/// The words of a query, with their lines: names with their marks, strings, brackets.
fn words(query: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (line, mut rest) in (1..).zip(query.lines()) {
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next().filter(|c| *c != ';') else { break };
            let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '"' | ';');
            let length = match first {
                '"' => {
                    let mut escaped = false;
                    let end = rest[1..].find(|c: char| {
                        let is_end = c == '"' && !escaped;
                        escaped = c == '\\' && !escaped;
                        is_end
                    });
                    end.map_or(rest.len(), |end| end + 2)
                }
                '(' | ')' | '[' | ']' => 1,
                _ => rest.find(is_end).unwrap_or(rest.len()),
            };
            words.push((line, rest[..length].to_owned()));
            rest = &rest[length..];
        }
    }
    words
}

struct Reader<'a> {
    words: Vec<(usize, String)>,
    at: usize,
    grammar: &'a tree_sitter::Language,
    types: &'a NodeTypes,
    mentioned: &'a mut Vec<String>,
    read: Patterns,
}

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.words.get(self.at).map_or("", |(_, word)| word)
    }

    fn next(&mut self) -> String {
        let word = self.peek().to_owned();
        self.at += 1;
        word
    }

    fn takes(&mut self, word: &str) -> bool {
        let is_here = self.peek() == word;
        self.at += usize::from(is_here);
        is_here
    }

    fn pattern(&mut self) -> Result<Pattern, String> {
        let mut pattern =
            Pattern { root: Step::of(What::Any), conditions: Vec::new(), texts: Texts::default() };
        // A pattern with predicates stands in a pair of brackets of its own.
        let is_grouped =
            self.peek() == "(" && self.words.get(self.at + 1).is_some_and(|(_, w)| w == "(" || w == "[");
        self.at += usize::from(is_grouped);
        pattern.root = self.step(&mut pattern.conditions, &mut pattern.texts)?;
        while is_grouped && !self.takes(")") {
            if !self.is_predicate() {
                return Err(format!("'{}' where a predicate or ')' belongs", self.peek()));
            }
            self.predicate(&mut pattern.conditions, &mut pattern.texts)?;
        }
        Ok(pattern)
    }

    fn is_predicate(&self) -> bool {
        self.peek() == "(" && self.words.get(self.at + 1).is_some_and(|(_, word)| word.starts_with('#'))
    }

    fn predicate(&mut self, conditions: &mut Vec<Condition>, texts: &mut Texts) -> Result<(), String> {
        self.at += 1;
        let name = self.next();
        let mut arguments = Vec::new();
        while !self.takes(")") {
            if self.peek().is_empty() {
                return Err("a bracket is not closed".to_owned());
            }
            arguments.push(self.next());
        }
        match (&name[..], &arguments[..]) {
            ("#set!", [key, value]) if key == "filler" => texts.filler = Some(text(value).leak()),
            ("#set!", [key, value]) if key == "stub" => texts.stub = Some(text(value).leak()),
            ("#eq?", [one, other]) if other.starts_with('@') => {
                let pair = (self.capture(one)?, self.capture(other)?);
                conditions.push(Condition::Equal(pair.0, pair.1));
            }
            ("#eq?" | "#any-of?" | "#not-any-of?", [one, values @ ..]) => {
                let values = values.iter().map(|value| text(value)).collect();
                let kind = if name == "#not-any-of?" { Condition::NoneOf } else { Condition::AnyOf };
                conditions.push(kind(self.capture(one)?, values));
            }
            ("#begins?", [one, value]) => {
                conditions.push(Condition::Begins(self.capture(one)?, text(value)));
            }
            _ => return Err(format!("the predicate {name} is not supported")),
        }
        Ok(())
    }

    fn capture(&mut self, word: &str) -> Result<u16, String> {
        let name = word.strip_prefix('@').ok_or_else(|| format!("'{word}' where a capture belongs"))?;
        let captures = &mut self.read.captures;
        let known = captures.iter().position(|known| known == name).unwrap_or_else(|| {
            captures.push(name.to_owned());
            captures.len() - 1
        });
        Ok(known as u16)
    }

    fn step(&mut self, conditions: &mut Vec<Condition>, texts: &mut Texts) -> Result<Step, String> {
        let is_next = self.takes(".");
        let field = match self.peek().strip_suffix(':') {
            Some(name) => Some(self.field(name)?),
            None => None,
        };
        self.at += usize::from(field.is_some());
        let word = self.next();
        let mut step = match &word[..] {
            "(" => self.node(conditions, texts)?,
            "[" => {
                let mut steps = Vec::new();
                while !self.takes("]") {
                    steps.push(self.step(conditions, texts)?);
                }
                Step::of(What::OneOf(steps))
            }
            "_" => Step::of(What::Any),
            quoted if quoted.starts_with('"') => Step::of(What::Kind(self.kind(&text(quoted), false)?)),
            other => return Err(format!("'{other}' where a node belongs")),
        };
        (step.field, step.is_next) = (field, is_next);
        while self.peek().starts_with('@') {
            let name = self.next();
            step.captures.push(self.capture(&name)?);
        }
        if matches!(self.peek(), "*" | "+" | "?") {
            return Err("repetitions are not supported".to_owned());
        }
        Ok(step)
    }

    /// The node behind an opening bracket.
    fn node(&mut self, conditions: &mut Vec<Condition>, texts: &mut Texts) -> Result<Step, String> {
        let name = self.next();
        let mut step = Step::of(match &name[..] {
            "_" => What::Named,
            "ERROR" => What::Error,
            // Queries do not know all supertypes of `node-types.json`.
            _ if self.types.is_supertype(&name) && self.grammar.id_for_node_kind(&name, true) == 0 => {
                let kinds = self.types.kinds(&name).into_iter();
                let kinds = kinds.map(|kind| self.grammar.id_for_node_kind(kind, true)).filter(|id| *id != 0);
                What::OneOf(kinds.map(|kind| Step::of(What::Kind(kind))).collect())
            }
            _ if self.types.is_supertype(&name) => {
                let known = &mut *self.mentioned;
                let index = known.iter().position(|k| *k == name).unwrap_or_else(|| {
                    known.push(name.clone());
                    known.len() - 1
                });
                if index >= u8::BITS as usize {
                    return Err("too many supertypes".to_owned());
                }
                What::Supertype(index as u8)
            }
            _ => What::Kind(self.kind(&name, true)?),
        });
        while !self.takes(")") {
            if self.is_predicate() {
                self.predicate(conditions, texts)?;
            } else if let Some(name) = self.peek().strip_prefix('!') {
                let field = self.field(name)?;
                step.absent.push(field);
                self.at += 1;
            } else if self.peek() == "." && self.words.get(self.at + 1).is_some_and(|(_, word)| word == ")") {
                step.ends = true;
                self.at += 1;
            } else {
                let child = self.step(conditions, texts)?;
                step.children.push(child);
            }
        }
        Ok(step)
    }

    fn field(&self, name: &str) -> Result<u16, String> {
        let id = self.grammar.field_id_for_name(name).map(|id| id.get());
        id.ok_or_else(|| format!("the grammar has no field '{name}'"))
    }

    fn kind(&self, name: &str, is_named: bool) -> Result<u16, String> {
        let id = self.grammar.id_for_node_kind(name, is_named);
        if id == 0 { Err(format!("the grammar has no node '{name}'")) } else { Ok(id) }
    }
}

impl Step {
    fn of(what: What) -> Self {
        Self {
            what,
            field: None,
            captures: Vec::new(),
            absent: Vec::new(),
            children: Vec::new(),
            is_next: false,
            ends: false,
        }
    }
}

/// The text of a string in quotes.
fn text(quoted: &str) -> String {
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(quoted);
    let mut text = String::new();
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                other => other.unwrap_or('\\'),
            },
            plain => plain,
        });
    }
    text
}
