//! References: the places where a file names other files, such as an `#include`, an import, or a line of a Makefile.
//!
//! They are read from the tokens, without a tree, so that many files cost little.

use crate::edit::FileId;
use crate::lexer::{Token, TokenKind, tokens};
use crate::lexis::Lexis;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Component, Path};

/// How the files of a language name other files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// By `#include`, as in C.
    Includes,
    /// By imports of modules, as in Python.
    Modules,
    /// By the paths of modules in imports, exports and calls of `require`, as in JavaScript; elsewhere as `Words` do.
    Specifiers,
    /// By the names of modules in `mod a;`, as in Rust; elsewhere as `Words` do.
    Declarations,
    /// By a path, or the end of one, anywhere in the text.
    Words,
}

/// What is named at a place, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// The text of this path stands for the reference.
    Text(String),
    /// The module of this dotted name: `import a.b`, perhaps under another name.
    Module {
        /// The dotted name.
        module: String,
        /// The name after `as`.
        alias: Option<Range<usize>>,
    },
    /// A name of a module, or a module of a package: `from a.b import c`.
    Name {
        /// The dotted name, with a dot before it for each step up.
        module: String,
        /// The name.
        name: Range<usize>,
        /// The name after `as`.
        alias: Option<Range<usize>>,
    },
    /// All names of the module of this dotted name.
    All(String),
    /// The path of a module from the file's folder, perhaps without its ending or without `index`; empty if the item
    /// of the list names no module.
    Specifier {
        /// The path.
        path: String,
        /// The place of the path, without quotes.
        place: Range<usize>,
    },
    /// The module of this path, without its ending, in the folder of the file's modules.
    Declared(String),
    /// A path among other words.
    Word(String),
}

/// One of the files that a statement names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The item of the statement's list, without separators.
    pub range: Range<usize>,
    /// What it names.
    pub form: Form,
}

/// A statement, a directive or a line that names files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// All of it, without the line end.
    pub range: Range<usize>,
    /// In `from a.b import c`: the module's name.
    pub module: Option<Range<usize>>,
    /// What it names; never empty.
    pub items: Vec<Item>,
    /// The rule of a Makefile that begins with this line.
    pub rule: Option<Rule>,
}

/// What stands before the colon of a rule in a Makefile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// How many of the statement's first items are targets.
    pub targets: usize,
    /// Whether other words are targets, too: `all`, `%.o` or `$(objs)`.
    pub has_others: bool,
}

impl Statement {
    /// The ranges to delete so that only the items that stay are left: the whole statement if none does, and a rule with its
    /// last target. A rule that has other targets stays without prerequisites.
    pub fn without(&self, text: &[u8], goes: impl FnMut(&Item) -> bool) -> Vec<Range<usize>> {
        let goes: Vec<bool> = self.items.iter().map(goes).collect();
        let first = self.rule.map_or(0, |rule| rule.targets);
        let (targets, others) = goes.split_at(first);
        let goes_whole = match self.rule {
            Some(rule) => !rule.has_others && targets.iter().all(|&goes| goes),
            None => others.iter().all(|&goes| goes),
        };
        if goes_whole {
            return vec![self.range.clone()];
        }
        let range = |i: usize| self.items[i].range.clone();
        // The separator between an item and the next one, if that is all that stands between them: not a colon, and no words
        // that name no file.
        let separator = |i: usize| {
            let gap = range(i).end..range(i + 1).start;
            let is_word = matches!(self.items[i].form, Form::Word(_));
            let separates = !is_word || !text[gap.clone()].iter().any(|&c| c == b':' || is_of_path(c));
            separates.then_some(gap)
        };
        let mut ranges = Vec::new();
        let mut at = 0;
        while let Some(start) = (at..goes.len()).find(|&i| goes[i]) {
            let last = (start..goes.len() - 1).find(|&i| !goes[i + 1] || separator(i).is_none());
            let last = last.unwrap_or(goes.len() - 1);
            // An item goes with the separator behind it, the last one with the separator before it.
            let behind = (last + 1 < goes.len()).then(|| separator(last)).flatten();
            let before = start.checked_sub(1).and_then(separator).filter(|_| behind.is_none());
            let from = before.map_or(range(start).start, |gap| gap.start);
            ranges.push(from..behind.map_or(range(last).end, |gap| gap.end));
            at = last + 1;
        }
        ranges
    }
}

/// The largest text in which paths among other words count, in bytes: beyond it, a file holds data.
const LARGEST: usize = 64 << 10;

/// The statements of a text that name files, in order. Linear.
pub(crate) fn statements(naming: Naming, text: &[u8], lexis: &Lexis) -> Vec<Statement> {
    match naming {
        Naming::Includes => includes(text),
        Naming::Modules => imports(text, lexis),
        Naming::Specifiers => specifiers(text, lexis),
        Naming::Declarations => declarations(text, lexis),
        Naming::Words if text.len() <= LARGEST => words(text),
        Naming::Words => Vec::new(),
    }
}

fn string(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

/// The lines of a text, without their ends.
fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    text.split_inclusive(|&c| c == b'\n').scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some(start..start + line.trim_ascii_end().len())
    })
}

fn includes(text: &[u8]) -> Vec<Statement> {
    let include = |line: Range<usize>| {
        let rest = text[line.clone()].trim_ascii_start();
        let start = line.end - rest.len();
        let rest = rest.strip_prefix(b"#")?.trim_ascii_start();
        let rest = ["include_next", "include", "import"]
            .iter()
            .find_map(|word| rest.strip_prefix(word.as_bytes()))?;
        let rest = rest.trim_ascii_start();
        let close = if rest.first()? == &b'<' { b'>' } else { b'"' };
        let path = rest.get(1..)?.split(|&c| c == close).next().filter(|_| matches!(rest[0], b'<' | b'"'))?;
        let from = line.end - rest.len();
        let item =
            Item { range: from..(from + path.len() + 2).min(line.end), form: Form::Text(string(path)) };
        Some(Statement { range: start..item.range.end, module: None, items: vec![item], rule: None })
    };
    lines(text).filter_map(include).collect()
}

/// The characters of a path.
fn is_of_path(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c >= 0x80 || matches!(c, b'_' | b'.' | b'/' | b'-' | b'+' | b'@')
}

/// The lines of a text, each with those that continue it after a backslash.
fn continued_lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for line in lines(text) {
        match joined.last_mut().filter(|last| text[..last.end].ends_with(b"\\")) {
            Some(last) => last.end = line.end,
            None => joined.push(line),
        }
    }
    joined
}

/// The lines with words that may be paths: with a dot or a slash inside. The lines of a recipe that name none belong to the
/// rule of a Makefile before them.
fn words(text: &[u8]) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    let mut is_in_rule = false;
    for line in continued_lines(text) {
        let items = paths_in(text, line.clone());
        let start = line.end - text[line.clone()].trim_ascii_start().len();
        if items.is_empty() {
            is_in_rule &= text.get(line.start) == Some(&b'\t') && start < line.end;
            if let Some(rule) = statements.last_mut().filter(|_| is_in_rule) {
                rule.range.end = line.end;
            }
            continue;
        }
        let rule = rule(text, &line, &items).filter(|_| start == line.start);
        is_in_rule = rule.is_some();
        statements.push(Statement { range: start..line.end, module: None, items, rule });
    }
    statements
}

/// The words of a line that may be paths.
fn paths_in(text: &[u8], line: Range<usize>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut at = line.start;
    while let Some(start) = (at..line.end).find(|&i| is_of_path(text[i])) {
        let end = (start..line.end).find(|&i| !is_of_path(text[i])).unwrap_or(line.end);
        let word = &text[start..end];
        if word.iter().any(|c| matches!(c, b'.' | b'/')) && word.iter().any(u8::is_ascii_alphanumeric) {
            items.push(Item { range: start..end, form: Form::Word(string(word)) });
        }
        at = end;
    }
    items
}

/// The rule that a line begins: words, and a colon, without an assignment.
fn rule(text: &[u8], line: &Range<usize>, items: &[Item]) -> Option<Rule> {
    let colon = line.clone().find(|&at| text[at] == b':')?;
    let targets = items.partition_point(|item| item.range.end <= colon);
    let mut words = text[line.start..colon].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut named = items[..targets].iter().map(|item| &text[item.range.clone()]).peekable();
    let others = words.clone().filter(|word| named.next_if(|name| name == word).is_none()).count();
    let assigns = text[line.start..colon].contains(&b'=') || text.get(colon + 1) == Some(&b'=');
    let is_rule = words.next().is_some() && named.peek().is_none() && !assigns;
    is_rule.then_some(Rule { targets, has_others: others > 0 })
}

/// Reads the imports of a text in JavaScript, and its other paths.
fn specifiers(text: &[u8], lexis: &Lexis) -> Vec<Statement> {
    let tokens: Vec<Token> = tokens(text, lexis).collect();
    let script = Script { text, tokens: &tokens };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let read = match script.word(at) {
            b"import" | b"export" if script.begins(at) => script.import(at),
            b"const" | b"let" | b"var" if script.begins(at) => script.declaration(at),
            _ => None,
        };
        at = match read {
            Some((statement, end)) => {
                found.push(statement);
                end
            }
            None => at + 1,
        };
    }
    with_words(found, text)
}

/// Statements, and elsewhere the lines with words that may be paths.
fn with_words(mut found: Vec<Statement>, text: &[u8]) -> Vec<Statement> {
    let others = if text.len() <= LARGEST { words(text) } else { Vec::new() };
    let is_elsewhere = |other: &Statement| {
        let next = found.partition_point(|statement: &Statement| statement.range.end <= other.range.start);
        found.get(next).is_none_or(|statement| other.range.end <= statement.range.start)
    };
    let mut all: Vec<Statement> = others.into_iter().filter(is_elsewhere).collect();
    all.append(&mut found);
    all.sort_by_key(|statement| statement.range.start);
    all
}

/// Reads the declarations of modules in a text in Rust, each with its attributes and the comments about it, and other paths.
fn declarations(text: &[u8], lexis: &Lexis) -> Vec<Statement> {
    let tokens: Vec<Token> = tokens(text, lexis).collect();
    let word = |at: usize| tokens.get(at).map_or(&b""[..], |token: &Token| &text[token.range()]);
    let mut found = Vec::new();
    // The names of the modules around a token, one for each open bracket that belongs to a module.
    let mut open: Vec<Option<String>> = Vec::new();
    let mut start = 0;
    for at in 0..tokens.len() {
        let is_module = word(at) == b"mod" && tokens.get(at + 1).is_some_and(|t| t.kind == TokenKind::Word);
        match word(at) {
            b"mod" if is_module && word(at + 2) == b";" => {
                let names = open.iter().flatten().cloned().chain([string(word(at + 1))]);
                let form = Form::Declared(names.collect::<Vec<_>>().join("/"));
                let items = vec![Item { range: tokens[at + 1].range(), form }];
                let range = above(text, tokens[start].range().start)..tokens[at + 2].range().end;
                // An attribute that names the file.
                if !(start..at).any(|at| word(at) == b"path") {
                    found.push(Statement { range, module: None, items, rule: None });
                }
            }
            b"{" => {
                let is_of_module = at > start + 1 && word(at - 2) == b"mod";
                open.push(Some(string(word(at.saturating_sub(1)))).filter(|_| is_of_module));
            }
            b"}" => drop(open.pop()),
            _ => {}
        }
        if matches!(word(at), b";" | b"{" | b"}") {
            start = at + 1;
        }
    }
    with_words(found, text)
}

/// Where the comments begin that stand on the lines above an item and are about it, or where the item does.
fn above(text: &[u8], mut start: usize) -> usize {
    while let Some(line) = text[..start].trim_ascii_end().rsplit(|&c| c == b'\n').next() {
        let before = text[..start].trim_ascii_end().len() - line.len();
        let gap = &text[before + line.len()..start];
        let is_about =
            line.trim_ascii_start().starts_with(b"///") && gap.iter().filter(|&&c| c == b'\n').count() == 1;
        if !is_about {
            break;
        }
        start = before + line.len() - line.trim_ascii_start().len();
    }
    start
}

/// The tokens of a text in JavaScript.
#[derive(Clone, Copy)]
struct Script<'a> {
    text: &'a [u8],
    tokens: &'a [Token],
}

impl<'a> Script<'a> {
    fn word(self, at: usize) -> &'a [u8] {
        self.tokens.get(at).map_or(b"", |token| &self.text[token.range()])
    }

    /// Whether a line ends before this token.
    fn is_first(self, at: usize) -> bool {
        at == 0 || self.text[self.tokens[at - 1].range().end..self.tokens[at].range().start].contains(&b'\n')
    }

    /// Whether a statement may begin at this token.
    fn begins(self, at: usize) -> bool {
        self.is_first(at) || matches!(self.word(at - 1), b";" | b"{" | b"}")
    }

    /// What a string names, if it is one.
    fn specifier(self, at: usize) -> Option<Form> {
        let token = self.tokens.get(at).filter(|token| token.kind == TokenKind::String)?;
        let place = token.range().start + 1..token.range().end.saturating_sub(1);
        let is_quoted = matches!(self.text[token.range().start], b'"' | b'\'' | b'`');
        let path = self.text.get(place.clone()).filter(|_| is_quoted)?;
        Some(Form::Specifier { path: string(path), place })
    }

    /// The statement with these items that begins with one token and ends before another one, and where it ends.
    fn statement(self, start: usize, end: usize, items: Vec<Item>) -> (Statement, usize) {
        let end = if self.word(end) == b";" { end + 1 } else { end };
        (Statement { range: extent(&self.tokens[start..end]), module: None, items, rule: None }, end)
    }

    /// The import, or the export of what another module has, that begins with this token.
    fn import(self, start: usize) -> Option<(Statement, usize)> {
        let is_of_list = |at: &usize| {
            let kind = self.tokens[*at].kind;
            kind == TokenKind::Word && self.word(*at) != b"from"
                || matches!(self.word(*at), b"{" | b"}" | b"," | b"*")
        };
        let end = (start + 1..self.tokens.len()).find(|at| !is_of_list(at))?;
        let at = match self.word(end) {
            b"from" => end + 1,
            _ if end == start + 1 && self.word(start) == b"import" => end,
            _ => return None,
        };
        let item = Item { range: self.tokens.get(at)?.range(), form: self.specifier(at)? };
        Some(self.statement(start, at + 1, vec![item]))
    }

    /// The declaration that begins with this token, if the first thing that it declares is the value of `require`.
    fn declaration(self, start: usize) -> Option<(Statement, usize)> {
        let required = |item: Range<usize>| {
            let value = item.clone().find(|&at| self.word(at) == b"=")? + 1;
            let is_call = self.word(value) == b"require" && self.word(value + 1) == b"(";
            self.specifier(value + 2).filter(|_| is_call && item.contains(&(value + 2)))
        };
        let mut items = Vec::new();
        let mut first = start + 1;
        loop {
            let end = self.end_of_declarator(first);
            let form = required(first..end);
            let none = Form::Specifier { path: String::new(), place: 0..0 };
            if first == end || items.is_empty() && form.is_none() {
                return None;
            }
            items.push(Item { range: extent(&self.tokens[first..end]), form: form.unwrap_or(none) });
            if self.word(end) != b"," {
                return Some(self.statement(start, end, items));
            }
            first = end + 1;
        }
    }

    /// The token that ends what is declared from this token on. A line may end a declaration, too.
    fn end_of_declarator(self, first: usize) -> usize {
        let mut depth = 0_usize;
        for at in first..self.tokens.len() {
            let word = self.word(at);
            let continues = |at: usize| self.tokens[at].kind == TokenKind::Operator;
            match word {
                b")" | b"]" | b"}" if depth == 0 => return at,
                b"," | b";" if depth == 0 => return at,
                _ if depth == 0 && at > first && self.is_first(at) => {
                    let is_open = continues(at - 1) && !matches!(self.word(at - 1), b")" | b"]" | b"}");
                    if !is_open && (!continues(at) || word == b"{") {
                        return at;
                    }
                }
                _ => {}
            }
            match word {
                b"(" | b"[" | b"{" => depth += 1,
                b")" | b"]" | b"}" => depth -= 1,
                _ => {}
            }
        }
        self.tokens.len()
    }
}

/// Reads the imports of a text in Python.
fn imports(text: &[u8], lexis: &Lexis) -> Vec<Statement> {
    let tokens: Vec<Token> = tokens(text, lexis).collect();
    let word = |i: usize| tokens.get(i).map_or(&b""[..], |token: &Token| &text[token.range()]);
    let mut found = Vec::new();
    let (mut depth, mut at) = (0_usize, 0);
    while at < tokens.len() {
        let begins = depth == 0 && (at == 0 || is_separated(text, &tokens, at));
        if begins && matches!(word(at), b"import" | b"from") {
            let end = end_of_statement(text, &tokens, at);
            let items = match word(at) {
                b"import" => modules(text, &tokens[at + 1..end]),
                _ => names(text, &tokens[at + 1..end]),
            };
            let import = tokens[at..end].iter().position(|token| &text[token.range()] == b"import");
            let module =
                import.filter(|&import| import > 1).map(|import| extent(&tokens[at + 1..at + import]));
            let range = extent(&tokens[at..end]);
            if !items.is_empty() {
                found.push(Statement { range, module, items, rule: None });
            }
            at = end;
            continue;
        }
        match word(at) {
            b"(" | b"[" | b"{" => depth += 1,
            b")" | b"]" | b"}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    found
}

/// Whether a statement begins at this token, if no bracket is open.
fn is_separated(text: &[u8], tokens: &[Token], at: usize) -> bool {
    let before = &tokens[at - 1];
    let word = &text[before.range()];
    let gap = &text[before.range().end..tokens[at].range().start];
    matches!(word, b";" | b":") || word != b"\\" && gap.contains(&b'\n')
}

fn end_of_statement(text: &[u8], tokens: &[Token], start: usize) -> usize {
    let mut depth = 0_usize;
    for at in start..tokens.len() {
        let word = &text[tokens[at].range()];
        if at > start && depth == 0 && (word == b";" || is_separated(text, tokens, at)) {
            return at;
        }
        match word {
            b"(" => depth += 1,
            b")" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    tokens.len()
}

/// The items of a list, without brackets and separators.
fn listed<'a>(text: &'a [u8], tokens: &'a [Token]) -> impl Iterator<Item = &'a [Token]> {
    let is_bracket = |token: &&Token| matches!(&text[token.range()], b"(" | b")");
    let from = tokens.iter().take_while(is_bracket).count();
    let to = tokens.len() - tokens[from..].iter().rev().take_while(is_bracket).count();
    tokens[from..to].split(|token| &text[token.range()] == b",").filter(|item| !item.is_empty())
}

/// The tokens before `as`, and the name after it.
fn aliased<'a>(text: &[u8], item: &'a [Token]) -> (&'a [Token], Option<Range<usize>>) {
    match item.iter().position(|token| &text[token.range()] == b"as") {
        Some(at) => (&item[..at], item.get(at + 1).map(Token::range)),
        None => (item, None),
    }
}

fn joined(text: &[u8], tokens: &[Token]) -> String {
    tokens.iter().map(|token| string(&text[token.range()])).collect()
}

fn extent(tokens: &[Token]) -> Range<usize> {
    tokens.first().map_or(0, |token| token.range().start)..tokens.last().map_or(0, |token| token.range().end)
}

fn modules(text: &[u8], tokens: &[Token]) -> Vec<Item> {
    let item = |item: &[Token]| {
        let (module, alias) = aliased(text, item);
        Item { range: extent(item), form: Form::Module { module: joined(text, module), alias } }
    };
    listed(text, tokens).map(item).collect()
}

fn names(text: &[u8], tokens: &[Token]) -> Vec<Item> {
    let Some(import) = tokens.iter().position(|token| &text[token.range()] == b"import") else {
        return Vec::new();
    };
    let module = joined(text, &tokens[..import]);
    let item = |item: &[Token]| {
        let (name, alias) = aliased(text, item);
        let [name] = name else { return None };
        let form = match name.kind == TokenKind::Word {
            true => Form::Name { module: module.clone(), name: name.range(), alias },
            false => Form::All(module.clone()),
        };
        Some(Item { range: extent(item), form })
    };
    listed(text, &tokens[import + 1..]).filter_map(item).collect()
}

/// The components of the dotted name of the module at a path, from the folder above all files.
pub fn module_path(path: &Path) -> Vec<String> {
    let mut parts = components(&path.with_extension(""));
    parts.pop_if(|last| last == PACKAGE);
    parts
}

/// The paths of a base, for the lookup of what a reference names.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// The components of each path.
    paths: Vec<Vec<String>>,
    /// The files with each name, in the order of the base.
    by_name: BTreeMap<String, Vec<FileId>>,
    /// The module that a folder stands for, if a package in JavaScript says so.
    mains: BTreeMap<Vec<String>, String>,
}

/// The endings of modules in Python.
const MODULES: [&str; 2] = ["py", "pyi"];
/// The file that makes a folder a package.
const PACKAGE: &str = "__init__";
/// The endings of modules in JavaScript and TypeScript.
const SCRIPTS: [&str; 9] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "json"];
/// The file that says which module a folder stands for, and the module if no such file does.
const PACKAGE_JSON: &str = "package.json";
const INDEX: &str = "index";

impl Paths {
    /// The index of these paths. O(n log n).
    pub fn new<'a>(paths: impl Iterator<Item = &'a Path>) -> Self {
        let mut index = Self::default();
        for (id, path) in (0..).zip(paths) {
            let components = components(path);
            if let Some(name) = components.last() {
                index.by_name.entry(name.clone()).or_default().push(id);
            }
            index.paths.push(components);
        }
        index
    }

    /// Reads from a file which module a package stands for, if it is a `package.json`. Linear.
    pub fn note_package(&mut self, file: FileId, text: &[u8]) {
        let path = &self.paths[file as usize];
        let (Some(PACKAGE_JSON), Some((_, folder))) = (path.last().map(String::as_str), path.split_last())
        else {
            return;
        };
        let key = b"\"main\"";
        let after = text.windows(key.len()).position(|part| part == key).map(|at| &text[at + key.len()..]);
        let mut parts = after.unwrap_or_default().split(|&c| c == b'"');
        let is_value = parts.next().is_some_and(|between| between.trim_ascii() == b":");
        if let Some(main) = parts.next().filter(|_| is_value) {
            self.mains.insert(folder.to_vec(), string(main));
        }
    }

    /// The file that an item of this file names.
    pub fn target(&self, from: FileId, text: &[u8], item: &Item) -> Option<FileId> {
        let found = match &item.form {
            Form::Text(path) => {
                self.relative(from, path).or_else(|| self.ending(from, &components(Path::new(path))))
            }
            Form::Specifier { path, .. } => self.specifier(from, path),
            Form::Declared(path) => self.declared(from, path),
            Form::Word(word) if word.starts_with('.') => {
                self.specifier(from, word).or_else(|| self.word(from, word))
            }
            Form::Word(word) => self.relative(from, word).or_else(|| self.word(from, word)),
            Form::Module { module, .. } => self.module(from, module),
            Form::All(module) => self.module(from, module),
            Form::Name { module, name, .. } => {
                let name = string(&text[name.clone()]);
                let dot = if module.ends_with('.') { "" } else { "." };
                self.module(from, &format!("{module}{dot}{name}")).or_else(|| self.module(from, module))
            }
        };
        found.filter(|&target| target != from)
    }

    /// The module of a dotted name, as a file of this name in this file would import it.
    pub fn module(&self, from: FileId, dotted: &str) -> Option<FileId> {
        let name = dotted.trim_start_matches('.');
        let up = dotted.len() - name.len();
        let mut path: Vec<String> =
            name.split('.').filter(|part| !part.is_empty()).map(String::from).collect();
        if up == 0 && path.is_empty() {
            return None;
        }
        if up > 0 {
            let own = self.paths.get(from as usize)?;
            let folder = own.get(..own.len().checked_sub(up)?)?;
            path.splice(0..0, folder.iter().cloned());
        }
        let find = |path: &[String]| match up > 0 {
            true => self.exactly(path),
            false => self.ending(from, path),
        };
        MODULES.iter().find_map(|ending| {
            let module = path
                .split_last()
                .and_then(|(last, folder)| find(&[folder, &[format!("{last}.{ending}")]].concat()));
            module.or_else(|| find(&[&path[..], &[format!("{PACKAGE}.{ending}")]].concat()))
        })
    }

    /// The module that a file declares: in a folder with the file's name or, if the file is the first one of its folder,
    /// beside it.
    fn declared(&self, from: FileId, path: &str) -> Option<FileId> {
        let own = self.paths.get(from as usize)?;
        let (name, folder) = own.split_last()?;
        let stem = name.strip_suffix(".rs").unwrap_or(name);
        let inner = [folder, &[stem.to_owned()]].concat();
        let parts = components(Path::new(path));
        let (last, above) = parts.split_last()?;
        let is_first = matches!(stem, "mod" | "lib" | "main");
        let folders = [Some(&inner[..]).filter(|_| !is_first), Some(folder)];
        folders.into_iter().flatten().find_map(|folder| {
            let file = self.exactly(&[folder, above, &[format!("{last}.rs")]].concat());
            file.or_else(|| self.exactly(&[folder, &parts, &["mod.rs".to_owned()]].concat()))
        })
    }

    /// The module of a specifier: a path from a file's folder, or the name of a package in a folder of packages above.
    pub fn specifier(&self, from: FileId, path: &str) -> Option<FileId> {
        if path.starts_with('.') {
            return self.script(self.path_from(from, path)?);
        }
        let own = self.paths.get(from as usize).filter(|_| !path.is_empty())?;
        let above = (0..own.len()).rev().map(|length| [&own[..length], &["node_modules".into()]].concat());
        above.into_iter().find_map(|folder| self.script([folder, components(Path::new(path))].concat()))
    }

    /// The module at a path that may lack its ending, or the one that a folder stands for.
    fn script(&self, path: Vec<String>) -> Option<FileId> {
        let main = self.mains.get(&path).map(|main| [&path[..], &components(Path::new(main))].concat());
        main.and_then(|main| self.script_at(main)).or_else(|| self.script_at(path))
    }

    fn script_at(&self, mut path: Vec<String>) -> Option<FileId> {
        let exact = self.exactly(&path);
        exact.or_else(|| self.with_ending(&mut path)).or_else(|| {
            path.push(INDEX.into());
            self.with_ending(&mut path)
        })
    }

    fn with_ending(&self, path: &mut [String]) -> Option<FileId> {
        let stem = path.last()?.clone();
        let found = SCRIPTS.iter().find_map(|ending| {
            *path.last_mut()? = format!("{stem}.{ending}");
            self.exactly(path)
        });
        *path.last_mut()? = stem;
        found
    }

    /// The file at a path that is given from a file's folder.
    pub fn relative(&self, from: FileId, path: &str) -> Option<FileId> {
        self.exactly(&self.path_from(from, path)?)
    }

    fn path_from(&self, from: FileId, path: &str) -> Option<Vec<String>> {
        let own = self.paths.get(from as usize)?;
        let mut at: Vec<String> = own[..own.len().saturating_sub(1)].to_vec();
        for component in Path::new(path).components() {
            match component {
                Component::ParentDir => drop(at.pop()?),
                Component::Normal(name) => at.push(name.to_string_lossy().into_owned()),
                _ => {}
            }
        }
        Some(at)
    }

    fn exactly(&self, path: &[String]) -> Option<FileId> {
        let with_name = self.by_name.get(path.last()?)?;
        with_name.iter().copied().find(|&id| self.paths[id as usize] == path)
    }

    /// The file whose path ends with this one: of several, the one with the shortest path, then the first.
    fn ending(&self, from: FileId, path: &[String]) -> Option<FileId> {
        let with_name = self.by_name.get(path.last()?)?;
        let of = |id: FileId| &self.paths[id as usize];
        let fitting = with_name.iter().copied().filter(|&id| id != from && of(id).ends_with(path));
        fitting.min_by_key(|&id| of(id).len())
    }

    /// The file that a word such as `a.c`, `a.o` or `./a` names.
    fn word(&self, from: FileId, word: &str) -> Option<FileId> {
        let path = components(Path::new(word));
        if let Some(found) = self.ending(from, &path) {
            return Some(found);
        }
        let stem = match word.strip_suffix(".o") {
            Some(stem) => stem,
            None if word.contains('/') => word,
            None => return None,
        };
        let path = components(Path::new(stem));
        let (name, folder) = path.split_last()?;
        // The names with this stem come one after the other.
        let named = self.by_name.range(format!("{name}.")..);
        let named = named
            .take_while(|(other, _)| other.strip_prefix(&**name).is_some_and(|rest| rest.starts_with('.')));
        let files = named.flat_map(|(_, files)| files.iter().copied()).filter(|&id| id != from);
        let is_there = |&id: &FileId| {
            let own = &self.paths[id as usize];
            own[..own.len() - 1].ends_with(folder)
        };
        // Object files may be in a folder of their own.
        let elsewhere = || files.clone().find(|_| word.ends_with(".o"));
        files.clone().find(is_there).or_else(elsewhere)
    }
}

fn components(path: &Path) -> Vec<String> {
    let normal = |component: Component<'_>| match component {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    };
    path.components().filter_map(normal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::named;

    fn read(language: &str, text: &str) -> Vec<Statement> {
        let language = named(language).unwrap();
        statements(language.naming(), text.as_bytes(), language.lexis())
    }

    /// Each statement with what its items name among these files.
    fn targets(files: &[&str], from: usize, language: &str, text: &str) -> Vec<(String, Vec<String>)> {
        let paths = Paths::new(files.iter().map(Path::new));
        let target = |item: &Item| paths.target(from as FileId, text.as_bytes(), item);
        let named = |item: &Item| target(item).map_or("?".into(), |id| files[id as usize].to_owned());
        let pair = |s: Statement| (text[s.range.clone()].to_owned(), s.items.iter().map(named).collect());
        read(language, text).into_iter().map(pair).collect()
    }

    fn pairs(expected: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
        let owned = |(text, files): &(&str, &[&str])| {
            ((*text).to_owned(), files.iter().map(|file| (*file).to_owned()).collect())
        };
        expected.iter().map(owned).collect()
    }

    /// What is left of a text without these paths among its words.
    fn without(text: &[u8], names: &[&str]) -> String {
        let mut left = text.to_vec();
        for statement in words(text).iter().rev() {
            let goes = |item: &Item| matches!(&item.form, Form::Word(word) if names.contains(&&**word));
            let ranges = statement.items.iter().any(goes).then(|| statement.without(text, goes));
            ranges.into_iter().flatten().rev().for_each(|range| drop(left.drain(range)));
        }
        String::from_utf8(left).unwrap()
    }

    #[test]
    fn an_include_names_a_file_beside_the_file_or_one_whose_path_ends_so() {
        let files = ["src/a.c", "src/b.h", "include/lib/c.h", "b.h"];
        let text = "#include \"b.h\"\n # include <lib/c.h> // c\n#include \"../b.h\"\n#include <stdio.h>\nint b.h;\n";
        let expected = pairs(&[
            ("#include \"b.h\"", &["src/b.h"]),
            ("# include <lib/c.h>", &["include/lib/c.h"]),
            ("#include \"../b.h\"", &["b.h"]),
            ("#include <stdio.h>", &["?"]),
        ]);
        assert_eq!(targets(&files, 0, "c", text), expected);
    }

    #[test]
    fn an_import_names_modules_packages_and_modules_of_packages() {
        let files = ["src/p/a.py", "src/p/__init__.py", "src/p/q/__init__.py", "src/p/q/b.py", "c.py"];
        let text = "'''\nimport c\n'''\nimport os, p.q.b as z, c\nfrom . import a, q, n\nfrom .q.b import (\n    f as g,\n    h,\n)\nfrom ..c import *\nif 1:\n    from p import *\nx = a.b; import c\n";
        let expected = pairs(&[
            ("import os, p.q.b as z, c", &["?", "src/p/q/b.py", "c.py"]),
            ("from . import a, q, n", &["?", "src/p/q/__init__.py", "src/p/__init__.py"]),
            ("from .q.b import (\n    f as g,\n    h,\n)", &["src/p/q/b.py", "src/p/q/b.py"]),
            ("from ..c import *", &["?"]),
            ("from p import *", &["src/p/__init__.py"]),
            ("import c", &["c.py"]),
        ]);
        assert_eq!(targets(&files, 0, "python", text), expected);
    }

    #[test]
    fn other_files_name_paths_object_files_and_paths_without_endings() {
        let files = ["Makefile", "src/a.c", "src/b.c", "lib/util.js"];
        let text = "OBJS = src/a.o b.o x.o out/b.o\nall: ; cc src/b.c\n\techo 1.5\n";
        let expected = pairs(&[
            ("OBJS = src/a.o b.o x.o out/b.o", &["src/a.c", "src/b.c", "?", "src/b.c"]),
            ("all: ; cc src/b.c", &["src/b.c"]),
            ("echo 1.5", &["?"]),
        ]);
        assert_eq!(targets(&files, 0, "text", text), expected);
        let text = "const u = require('./lib/util');";
        assert_eq!(targets(&files, 0, "javascript", text), pairs(&[(text, &["lib/util.js"])]));
    }

    #[test]
    fn a_rule_goes_with_its_targets_and_with_a_recipe_that_names_no_path() {
        let text = b"a.o b.o: c.h\n\tcc -c $<\n\nx = a.o: b.o\nall: a.o\n\tld\nd.o : c.h\n\tcc -c d.c\n\techo\ne.o := c.h\n$(x) : f.h Makefile g.h\ng.o : c.h\n\tcc g.c -o a.c\n";
        let without = |names: &[&str]| without(text, names);
        assert_eq!(
            without(&["a.o", "d.o", "d.c", "f.h", "g.c"]),
            "b.o: c.h\n\tcc -c $<\n\nx = : b.o\nall: \n\tld\n\n\t\n\techo\ne.o := c.h\n$(x) :  Makefile g.h\ng.o : c.h\n\tcc  -o a.c\n"
        );
        let left = without(&["c.h", "f.h", "g.h"]);
        assert!(left.contains("\nd.o : \n\tcc -c d.c\n"), "a target needs no prerequisite");
        assert!(left.contains("\n$(x) :  Makefile \ng.o : \n"), "{left}");
        assert!(without(&["a.o", "b.o"]).starts_with("\n\n\nall: \n\tld"));
        assert!(without(&["e.o"]).contains("\techo\n := c.h\n"), "no rule");
    }

    #[test]
    fn a_list_over_several_lines_has_no_backslash_behind_its_last_word() {
        let text = b"SRCS = a.c \\\n\tb.c \\\n\tc.c\nall: a.o \\\n  b.o\n\tcc\nx.c\n";
        let without = |names: &[&str]| without(text, names);
        assert!(without(&["c.c"]).starts_with("SRCS = a.c \\\n\tb.c\nall: "), "{}", without(&["c.c"]));
        assert!(without(&["a.c", "b.c"]).starts_with("SRCS = c.c\nall: "));
        assert!(without(&["b.o"]).ends_with("\nall: a.o\n\tcc\nx.c\n"));
        assert!(without(&["a.c", "b.c", "c.c"]).starts_with("\nall: "));
    }

    #[test]
    fn scripts_name_modules_without_endings_and_folders_by_their_index() {
        let files =
            ["lib/a.js", "lib/b/index.js", "lib/c.mjs", "node_modules/d/index.js", "data.json", "e.js"];
        let text = "import x, { y as z } from './b';\nimport './c.mjs'; export * from \"../e\"\nexport {\n  f,\n} from './b/index.js'\nconst d = require('d'), { g } = require('fs'), h = f(\n  1)\nvar o = { p: require('../data'),\n  q: 1 }\nvar k = require('./b').k\n;(function () { let m = require('../e')\nreturn import('./c') })()\nexport const n = 'e.js'\n";
        let expected = pairs(&[
            ("import x, { y as z } from './b';", &["lib/b/index.js"]),
            ("import './c.mjs';", &["lib/c.mjs"]),
            ("export * from \"../e\"", &["e.js"]),
            ("export {\n  f,\n} from './b/index.js'", &["lib/b/index.js"]),
            (
                "const d = require('d'), { g } = require('fs'), h = f(\n  1)",
                &["node_modules/d/index.js", "?", "?"],
            ),
            ("var o = { p: require('../data'),", &["data.json"]),
            ("var k = require('./b').k\n;", &["lib/b/index.js"]),
            ("let m = require('../e')", &["e.js"]),
            ("return import('./c') })()", &["lib/c.mjs"]),
            ("export const n = 'e.js'", &["e.js"]),
        ]);
        assert_eq!(targets(&files, 0, "javascript", text), expected);
    }

    #[test]
    fn a_crate_names_modules_by_declarations() {
        let files = ["src/lib.rs", "src/a.rs", "src/a/b.rs", "src/c/mod.rs", "src/t/d.rs", "src/e.rs"];
        let text = "use e::mod_x;\n/// Text.\n/// More.\n#[cfg(x)]\npub(crate) mod a;\n\n// No\nmod c; mod t {\n    mod d;\n    mod f {}\n}\n#[path = \"e.rs\"]\nmod g;\nmod lib;\n";
        let expected = pairs(&[
            ("/// Text.\n/// More.\n#[cfg(x)]\npub(crate) mod a;", &["src/a.rs"]),
            ("mod c;", &["src/c/mod.rs"]),
            ("mod d;", &["src/t/d.rs"]),
            ("#[path = \"e.rs\"]", &["src/e.rs"]),
            ("mod lib;", &["?"]),
        ]);
        assert_eq!(targets(&files, 0, "rust", text), expected);
        assert_eq!(targets(&files, 1, "rust", "mod b;"), pairs(&[("mod b;", &["src/a/b.rs"])]));
        assert_eq!(targets(&files, 1, "rust", "mod e;"), pairs(&[("mod e;", &["src/e.rs"])]));
    }

    #[test]
    fn a_folder_stands_for_the_main_module_of_its_package() {
        let files = ["package.json", "index.js", "lib/a.js", "test/t.js"];
        let named = |package: &str| {
            let mut paths = Paths::new(files.iter().map(Path::new));
            paths.note_package(0, package.as_bytes());
            paths.note_package(1, b"{\"main\": \"test/t.js\"}");
            paths.specifier(3, "..").map(|id| files[id as usize])
        };
        assert_eq!(named("{ \"main\" : \"./lib/a\" }"), Some("lib/a.js"));
        for package in ["{}", "{\"main\": \"gone.js\"}", "{\"a\": \"main\", \"b\": \"lib/a.js\"}", "\"main\""]
        {
            assert_eq!(named(package), Some("index.js"), "{package}");
        }
    }

    #[test]
    fn items_go_with_their_separators_and_the_statement_with_its_last_item() {
        let text = "from m import (a, b as c,\n  d, e)";
        let statement = &read("python", text)[0];
        let left = |gone: &[usize]| {
            let goes = |item: &Item| gone.iter().any(|&i| statement.items[i] == *item);
            let mut left = text.to_owned();
            for range in statement.without(text.as_bytes(), goes).into_iter().rev() {
                left.replace_range(range, "");
            }
            left
        };
        assert_eq!(left(&[0, 1]), "from m import (d, e)");
        assert_eq!(left(&[1, 3]), "from m import (a, d)");
        assert_eq!(left(&[2, 3]), "from m import (a, b as c)");
        assert_eq!(left(&[0, 1, 2, 3]), "");
    }
}
