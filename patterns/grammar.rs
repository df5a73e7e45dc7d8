//! Patterns of a user's grammar: from an example, and from their text form.

use crate::pattern::{Evidence, Hole, Node, NotAPattern, Pattern, Sort};
use crate::text::{Names, Piece, pieces};
use lopper_languages::Parsed;
use lopper_languages::grammar::{Generator, Grammar, Parser, Spot, Symbol};
use lopper_languages::layout::Layout;
use lopper_languages::tree::NodeId;
use serde_json::Value;
use std::collections::BTreeMap;

/// The name of the language of all users' grammars.
pub(crate) const LANGUAGE: &str = "grammar";

/// The nodes of a file, as those of a pattern without holes. Where blanks mean nothing the root has all of them.
pub(crate) fn nodes(file: &Parsed) -> Vec<Node> {
    let tree = file.tree();
    let mut nodes: Vec<Node> = Vec::with_capacity(tree.len());
    for id in tree.nodes() {
        let last = tree.last_leaf(id).0 as usize + 1;
        let (kind, named) = (tree.kind_name(id).to_owned(), tree.is_named(id));
        nodes.push(Node { kind, named, range: tree.range(id), last, hole: None, any_order: false });
    }
    if let Some(root) = nodes.first_mut().filter(|_| file.language.layout() != Layout::Exact) {
        root.range = 0..file.text.len();
    }
    nodes
}

impl Pattern {
    /// The pattern without holes of a text: only the text itself is an instance. Of a user's grammar it is without
    /// the line end that the grammar does not derive.
    pub fn of_example(file: &Parsed) -> Self {
        let grammar = file.language.parser().map(|parser| parser.grammar().write());
        let end = if grammar.is_some() { file.tree().range(NodeId::ROOT).end } else { file.text.len() };
        Self {
            language: file.language.name().to_owned(),
            grammar,
            example: file.text[..end].to_vec(),
            nodes: nodes(file),
            holes: Vec::new(),
            fixed: Vec::new(),
            constructors: Vec::new(),
            rate: None,
            excerpt: None,
            outside: Vec::new(),
            runs: 0,
        }
    }

    /// Reads the text form of a pattern of a grammar: it is derived from the start symbol, or else from the
    /// first other nonterminal that derives it. A line end at the end is ignored if nothing derives it.
    ///
    /// # Errors
    /// If no nonterminal derives it.
    pub fn of_grammar(grammar: &Grammar, text: &[u8]) -> Result<Self, NotAPattern> {
        let names = Names::of_grammar(grammar);
        let trimmed = text.strip_suffix(b"\n").unwrap_or(text);
        let reader = Reader::new(grammar, &pieces(text, &names))?;
        let whole = reader.read(&pieces(text, &names));
        whole.or_else(|| reader.read(&pieces(trimmed, &names))).ok_or_else(|| {
            NotAPattern("no nonterminal of the grammar derives the text with these holes".to_owned())
        })
    }
}

/// Reads text forms by a grammar in which nonterminals also derive marks that stand for holes.
struct Reader<'g> {
    grammar: &'g Grammar,
    parser: Parser,
    /// The mark of each nonterminal that holes are named after.
    marks: BTreeMap<String, char>,
}

impl<'g> Reader<'g> {
    fn new(grammar: &'g Grammar, pieces: &[Piece]) -> Result<Self, NotAPattern> {
        let broken = || NotAPattern("the grammar cannot be extended by holes".to_owned());
        let is_used = |mark: char| {
            let mut bytes = [0; 4];
            let mark = mark.encode_utf8(&mut bytes).as_bytes();
            let has = |text: &[u8]| text.windows(mark.len()).any(|window| window == mark);
            pieces.iter().any(|piece| matches!(piece, Piece::Text(text) if has(text)))
        };
        // Characters for private use.
        let mut free = ('\u{10_0000}'..='\u{10_fffd}').filter(|&mark| !is_used(mark));
        let mut marks = BTreeMap::new();
        for piece in pieces {
            if let Piece::Hole(name, _) = piece
                && !marks.contains_key(&format!("<{name}>"))
            {
                marks.insert(format!("<{name}>"), free.next().ok_or_else(broken)?);
            }
        }
        let mut rules: Vec<(String, Vec<Value>)> = Vec::new();
        let top = std::iter::successors(Some("<pattern>".to_owned()), |name| Some(format!("<{name}>")));
        let top = top.take(100).find(|name| grammar.named(name).is_none()).ok_or_else(broken)?;
        let others = grammar.names().iter().filter(|name| *name != grammar.name(grammar.start()));
        let starts = [grammar.name(grammar.start())].into_iter().chain(others.map(String::as_str));
        rules.push((top.clone(), starts.map(|name| Value::from(vec![name])).collect()));
        for name in grammar.names() {
            let mut alternatives = Vec::new();
            for rule in grammar.named(name).into_iter().flat_map(|n| grammar.alternatives(n)) {
                alternatives
                    .push(Value::from_iter(grammar.rule(rule).right.iter().map(|s| symbol(grammar, s))));
            }
            alternatives.extend(marks.get(name).map(|mark| Value::from(vec![mark.to_string()])));
            rules.push((name.clone(), alternatives));
        }
        let lines = rules
            .iter()
            .map(|(name, rules)| format!("{}: {}", Value::from(name.as_str()), Value::from(rules.clone())));
        let json = format!(
            "{{\"[start]\": {}, \"[grammar]\": {{{}}}}}",
            Value::from(top),
            lines.collect::<Vec<_>>().join(",\n")
        );
        let extended = Grammar::read(&json).map_err(|problems| {
            NotAPattern(problems.first().map_or_else(String::new, |problem| problem.to_string()))
        })?;
        Ok(Self { grammar, parser: Parser::new(extended), marks })
    }

    /// The pattern of a text form, if a nonterminal derives it.
    fn read(&self, pieces: &[Piece]) -> Option<Pattern> {
        let mut marked = Vec::new();
        let mut numbers = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => marked.extend_from_slice(text),
                Piece::Hole(name, number) => {
                    let mark = self.marks.get(&format!("<{name}>"))?;
                    marked.extend_from_slice(mark.encode_utf8(&mut [0; 4]).as_bytes());
                    numbers.push(*number);
                }
            }
        }
        let (derivation, end) = self.parser.derivation(&marked)?;
        if end != marked.len() {
            return None;
        }
        let grammar = self.parser.grammar();
        let (spots, text) = derivation.spots(grammar);
        let mut building = Building::new(self.grammar);
        // The first node is the one above all that may be read, the last of a hole its mark.
        let mut open: Vec<(u32, usize)> = Vec::new();
        for (spot, at) in spots.iter().zip(0u32..).skip(1) {
            building.close(&mut open, at);
            let mark = |at: u32| spots.get(at as usize + 1).filter(|next| self.is_mark(next));
            if self.is_mark(spot) {
                continue;
            }
            open.push((spot.last, building.nodes.len()));
            match (spot.rule, spot.symbol) {
                (Some((left, _)), _) if mark(at).is_some() => {
                    let number = numbers.get(building.read).copied().flatten();
                    building.hole(grammar.name(left), number)?;
                }
                (Some((left, _)), _) => building.open(grammar.name(left), true, b""),
                (None, symbol) => {
                    let bytes = &text.as_bytes()[spot.start as usize..spot.end as usize];
                    building.open(&kind(symbol), false, bytes);
                }
            }
        }
        building.close(&mut open, u32::MAX);
        let pattern = Pattern {
            language: LANGUAGE.to_owned(),
            grammar: Some(self.grammar.write()),
            example: building.example,
            nodes: building.nodes,
            holes: building.holes,
            fixed: Vec::new(),
            constructors: Vec::new(),
            rate: None,
            excerpt: None,
            outside: Vec::new(),
            runs: 0,
        };
        pattern.check().is_ok().then_some(pattern)
    }

    fn is_mark(&self, spot: &Spot<'_>) -> bool {
        let Some(Symbol::Literal(text)) = spot.symbol else { return false };
        self.marks.values().any(|mark| text.starts_with(*mark))
    }
}

/// What trees call a terminal.
pub(crate) fn kind(symbol: Option<&Symbol>) -> String {
    match symbol {
        Some(Symbol::Literal(text)) => text.clone(),
        Some(Symbol::Class(class)) => format!("[{}]", class.source),
        _ => String::new(),
    }
}

/// A symbol as grammar files write it.
fn symbol(grammar: &Grammar, symbol: &Symbol) -> Value {
    match symbol {
        Symbol::Nonterminal(n) => Value::from(grammar.name(*n)),
        Symbol::Literal(text) => serde_json::json!({ "lit": text }),
        Symbol::Class(class) => serde_json::json!({ "class": class.source }),
    }
}

/// A pattern while it is read. The text of a hole in the example is a short one of its nonterminal.
struct Building<'g> {
    generator: Generator<'g>,
    grammar: &'g Grammar,
    example: Vec<u8>,
    nodes: Vec<Node>,
    holes: Vec<Hole>,
    /// The coupled holes by their names and numbers.
    coupled: BTreeMap<(String, u32), usize>,
    /// How many places of holes have been read.
    read: usize,
}

impl<'g> Building<'g> {
    fn new(grammar: &'g Grammar) -> Self {
        let (nodes, holes, coupled) = Default::default();
        let generator = Generator::new(grammar, 0, 0);
        Self { generator, grammar, example: Vec::new(), nodes, holes, coupled, read: 0 }
    }

    fn open(&mut self, kind: &str, named: bool, text: &[u8]) {
        let start = self.example.len();
        self.example.extend_from_slice(text);
        let (range, last) = (start..self.example.len(), self.nodes.len() + 1);
        self.nodes.push(Node { kind: kind.to_owned(), named, range, last, hole: None, any_order: false });
    }

    fn hole(&mut self, kind: &str, number: Option<u32>) -> Option<()> {
        self.read += 1;
        let known = number.map(|number| (kind.to_owned(), number));
        let hole = known.as_ref().and_then(|key| self.coupled.get(key).copied());
        let hole = hole.unwrap_or_else(|| {
            let sort = Sort::Nonterminal(kind.to_owned());
            let evidence = Evidence::default();
            self.holes.push(Hole { sort, coupled: number.is_some(), weak: false, evidence });
            self.holes.len() - 1
        });
        if let Some(key) = known {
            self.coupled.insert(key, hole);
        }
        self.generator.reseed(0);
        let derivation = self.generator.derivation_from(self.grammar.named(kind)?);
        self.open(kind, true, derivation.text(self.grammar).as_bytes());
        self.nodes.last_mut()?.hole = Some(hole);
        Some(())
    }

    /// Ends all nodes that end before the spot `at`.
    fn close(&mut self, open: &mut Vec<(u32, usize)>, at: u32) {
        while let Some((_, node)) = open.pop_if(|(last, _)| *last <= at) {
            let last = self.nodes.len();
            let node = &mut self.nodes[node];
            (node.last, node.range.end) = (last, self.example.len());
        }
    }
}
