//! Guesses what a hand-written language says: the roles of a grammar's nodes, its lexical table and its layout, from
//! its `node-types.json` and `grammar.json`, as far as they are there.
//!
//! The roles are guessed as a query in the notation of `roles.scm`, so that a user can print, correct and use it.

mod bindings;
mod rules;
mod tables;

use self::rules::Rules;
use self::tables::{CALLS, Words};
use crate::layout::Layout;
use crate::lexis::Lexis;
use crate::role::{ROLES, Role};
use crate::slots::NodeType;
use std::collections::{BTreeMap, BTreeSet};

/// The guess.
pub(crate) struct Guess {
    /// The roles, as a query. Some of its lines may be refused by the grammar.
    pub(crate) roles: Vec<String>,
    /// The definitions, scopes and uses of names, as a query. Some of its lines may be refused by the grammar.
    pub(crate) bindings: Vec<String>,
    pub(crate) lexis: Lexis,
    pub(crate) layout: Layout,
    pub(crate) constants: Vec<&'static str>,
    pub(crate) truths: Vec<(&'static str, &'static str)>,
    pub(crate) consumers: &'static [(&'static str, &'static str)],
}

/// Guesses from the entries of `node-types.json` and the text of `grammar.json`, which may be empty. Linear in both,
/// times the nesting of hidden rules.
pub(crate) fn guess(types: &[NodeType], grammar: &str) -> Guess {
    let rules = Rules::read(grammar);
    let mut guesser = Guesser::new(types, &rules);
    guesser.sequences();
    guesser.supertypes();
    guesser.leaves();
    guesser.compounds();
    guesser.punctuation();
    let bindings = guesser.bindings();
    Guess {
        bindings,
        roles: guesser.lines,
        lexis: tables::lexis(&rules),
        layout: tables::layout(&rules),
        constants: tables::constants(&rules),
        truths: tables::truths(&rules),
        consumers: tables::consumers(&rules),
    }
}

/// The state of a guess.
struct Guesser<'a> {
    rules: &'a Rules,
    /// The kinds that nodes have, without the supertypes.
    kinds: Vec<&'a NodeType>,
    /// The kinds of each supertype, also those of the supertypes in it.
    supertypes: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The kinds of statements, definitions and the like.
    statements: BTreeSet<&'a str>,
    /// The shortest text of each rule.
    shortest: BTreeMap<&'a str, String>,
    /// The kinds of whole files.
    roots: BTreeSet<&'a str>,
    /// The kinds of blocks, as far as they are known.
    blocks: BTreeSet<&'a str>,
    /// The kinds of names, as far as they are known.
    names: BTreeSet<&'a str>,
    lines: Vec<String>,
}

/// The capture of a role.
fn capture(role: Role) -> &'static str {
    ROLES.iter().find(|(_, known)| *known == role).map_or("", |(name, _)| name)
}

impl<'a> Guesser<'a> {
    fn new(types: &'a [NodeType], rules: &'a Rules) -> Self {
        let supertypes = supertypes(types);
        let is_kind = |t: &&NodeType| t.named && !supertypes.contains_key(&t.kind[..]);
        let kinds: Vec<&NodeType> = types.iter().filter(is_kind).collect();
        let of = |name: &str| supertypes.get(name).cloned().unwrap_or_default();
        let is_statement = |name: &&&str| Words::of(name).last_is(tables::STATEMENTS);
        let mut statements: BTreeSet<&str> =
            supertypes.keys().filter(is_statement).flat_map(|name| of(name)).collect();
        let is_item = |name: &str| {
            Words::of(name).last_is(tables::STATEMENTS) || Words::of(name).last_is(tables::ITEMS)
        };
        statements.extend(kinds.iter().map(|t| &t.kind[..]).filter(|name| is_item(name)));
        let roots = roots(types, &kinds);
        let (blocks, names, lines) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        Self { rules, kinds, supertypes, statements, shortest: rules.shortest(), roots, blocks, names, lines }
    }

    /// Gives the nodes of a kind or supertype a role.
    fn role(&mut self, kind: &str, role: Role) {
        self.lines.push(format!("({kind}) @{}", capture(role)));
    }

    /// Blocks, and the statements in them.
    fn sequences(&mut self) {
        for t in self.kinds.clone() {
            let is_root = self.roots.contains(&t.kind[..]);
            let is_list = Words::of(&t.kind).has(tables::NO_SEQUENCES);
            let repeated = if is_list { BTreeSet::new() } else { self.repeated(t) };
            let statements: BTreeSet<&str> = repeated.intersection(&self.statements).copied().collect();
            let is_sequence = !repeated.is_empty() && (is_root || self.is_sequence(&t.kind));
            // What stands between statements is one, whatever its name is.
            let public = repeated.clone();
            let is_made_of_statements = is_sequence || statements.len() * 2 > repeated.len();
            let items = if is_made_of_statements { repeated } else { statements };
            let is_block = is_root
                || t.kind == "block"
                || is_sequence
                || (!items.is_empty() && self.looks_like_a_block(&t.kind));
            if is_block {
                let filler = self.shortest.get(&t.kind[..]).filter(|text| !is_root && is_pair(text));
                let line = match filler {
                    Some(text) => format!("(({}) @block (#set! filler {text:?}))", t.kind),
                    None => format!("({}) @block", t.kind),
                };
                self.lines.push(line);
                self.blocks.insert(&t.kind);
            }
            // What names are exported and imported goes one by one, as the definitions of these names do.
            let is_public = Words::of(&t.kind).has(tables::PUBLIC);
            let items = if is_public && items.is_empty() { public } else { items };
            self.lines.extend(items.iter().map(|item| format!("({} ({item}) @statement)", t.kind)));
        }
    }

    /// The kinds of which a node may have any number as children, without the comments between them.
    fn repeated(&self, t: &'a NodeType) -> BTreeSet<&'a str> {
        let repeated = self.rules.repeated(&t.kind);
        let is_repeated = |kind: &str| match &repeated {
            Some(names) => names.contains(kind) || names.iter().any(|name| self.is_in(kind, name)),
            None => self.roots.contains(&t.kind[..]) || Words::of(&t.kind).last_is(tables::BLOCKS),
        };
        let children = t.fields.values().chain(&t.children).filter(|children| children.slot.multiple);
        let kinds = children.flat_map(|children| &children.types).filter(|kind| kind.named);
        let kinds = kinds.flat_map(|kind| self.below(&kind.kind));
        kinds.filter(|kind| is_repeated(kind) && !Words::of(kind).has(tables::COMMENTS)).collect()
    }

    /// Whether the children of a kind are a sequence of statements, by its name and by what is between them.
    fn is_sequence(&self, kind: &str) -> bool {
        let name = Words::of(kind);
        name.last_is(tables::SEQUENCES) && !self.rules.has_commas(kind)
    }

    fn is_in(&self, kind: &str, supertype: &str) -> bool {
        self.supertypes.get(supertype).is_some_and(|kinds| kinds.contains(kind))
    }

    /// The kinds of a supertype, or the kind itself.
    fn below(&self, kind: &'a str) -> BTreeSet<&'a str> {
        self.supertypes.get(kind).cloned().unwrap_or_else(|| BTreeSet::from([kind]))
    }

    /// Whether a node with statements as children has little else.
    fn looks_like_a_block(&self, kind: &str) -> bool {
        match self.rules.rules.get(kind).map(rules::Rule::core) {
            None => Words::of(kind).last_is(tables::BLOCKS),
            Some(rule) if rule.form.starts_with("REPEAT") => true,
            Some(rule) => {
                let first = rule.members.first().map(rules::Rule::core);
                first.is_some_and(|part| {
                    part.form == "STRING" && matches!(part.text(), "{" | "(" | "[" | "begin" | "do")
                }) || Words::of(kind).last_is(tables::BLOCKS)
            }
        }
    }

    /// What the names of supertypes say.
    fn supertypes(&mut self) {
        for (name, kinds) in self.supertypes.clone() {
            let Some(role) = tables::role_of_supertype(name) else { continue };
            self.role(name, role);
            if role == Role::Literal {
                kinds.iter().for_each(|kind| self.role(kind, role));
            }
        }
        for role in [Role::Expression, Role::Type] {
            let says = |name: &str| tables::role_of_supertype(name) == Some(role);
            if !self.supertypes.keys().any(|name| says(name)) {
                let kinds: Vec<&NodeType> = self.kinds.iter().copied().filter(|t| says(&t.kind)).collect();
                kinds.iter().for_each(|t| self.role(&t.kind, role));
            }
        }
    }

    /// Names, literals and comments.
    fn leaves(&mut self) {
        let owners = self.rules.owners();
        let word = self.rules.word.as_deref().unwrap_or_default();
        let words = owners.get(word).cloned().unwrap_or_default();
        let given = self.given_names();
        for t in self.kinds.clone() {
            let name = Words::of(&t.kind);
            let is_named_so = name.last_is(tables::NAMES) || given.contains(&t.kind[..]);
            let is_word = words.contains(&t.kind[..]) || self.rules.looks_like_a_name(&t.kind);
            let is_word = is_word && t.children.is_none();
            if is_leaf(t) && (is_word || is_named_so) && !name.has(tables::LITERALS) {
                self.role(&t.kind, Role::Name);
                self.names.insert(&t.kind);
            }
            if name.last_is(tables::LITERALS) {
                self.role(&t.kind, Role::Literal);
            }
            if name.has(tables::VERBATIM) && !name.last_is(&["content", "type", "sequence"]) {
                self.role(&t.kind, Role::Verbatim);
            }
            if name.has(tables::COMMENTS) {
                self.role(&t.kind, Role::Comment);
            }
        }
    }

    /// The kinds of leaves that are in the field `name` of definitions, if no more than two are: where many are, it is no
    /// name that is expected there.
    fn given_names(&self) -> BTreeSet<&'a str> {
        let leaves: BTreeSet<&str> = self.kinds.iter().filter(|t| is_leaf(t)).map(|t| &t.kind[..]).collect();
        let mut given = BTreeSet::new();
        for t in self.kinds.iter().filter(|t| bindings::sort(&Words::of(&t.kind)).is_some()) {
            let Some(children) = t.fields.get("name") else { continue };
            let kinds =
                children.types.iter().filter(|kind| kind.named).flat_map(|kind| self.below(&kind.kind));
            let kinds: BTreeSet<&str> = kinds.filter(|kind| leaves.contains(kind)).collect();
            if kinds.len() <= 2 {
                given.extend(kinds);
            }
        }
        given
    }

    /// Functions, calls, variables and bodies: nodes whose parts have roles.
    fn compounds(&mut self) {
        self.lines.push("(_ condition: (_) @expression)".to_owned());
        if self.kinds.iter().all(|t| t.fields.is_empty()) {
            // Without `node-types.json`, nobody knows whose fields these are.
            self.lines.extend(tables::BODIES.iter().map(|body| format!("(_ {body}: (_) @body)")));
        }
        for t in self.kinds.clone() {
            let (kind, name) = (&t.kind, Words::of(&t.kind));
            let field =
                |names: &'static [&'static str]| names.iter().find(|name| t.fields.contains_key(**name));
            for (body, _) in t.fields.iter().filter(|(field, _)| tables::BODIES.contains(&&field[..])) {
                self.lines.push(format!("({kind} {body}: (_) @body)"));
            }
            if name.has(tables::FUNCTIONS) && t.fields.contains_key("name") {
                let child = |kind: &&str| Words::of(kind).last_is(tables::PARAMETERS);
                let children = t.children.iter().flat_map(|c| &c.types).map(|k| &k.kind[..]).find(child);
                let parameters = field(tables::PARAMETERS).map(|field| format!("{field}: (_)"));
                if let Some(parameters) = parameters.or(children.map(|kind| format!("({kind})"))) {
                    let parts = format!("name: (_) @function_name {parameters} @parameters");
                    self.lines.push(format!("({kind} {parts}) @function"));
                }
            }
            if let Some(arguments) = field(tables::ARGUMENTS)
                && name.has(CALLS)
            {
                self.lines.push(format!("({kind} {arguments}: (_) @arguments) @call"));
            }
            if let (Some(value), Some(target)) = (field(tables::VALUES), field(tables::TARGETS))
                && name.has(tables::VARIABLES)
            {
                self.lines
                    .push(format!("({kind} {target}: (_) @variable_name {value}: (_) @value) @variable"));
                self.lines.push(format!("({kind} {target}: (_) @target {value}: (_) @value)"));
            }
            if name.has(tables::ACCESSES)
                && name.last_is(&["expression", "call", "access", "index", "subscript"])
            {
                self.role(kind, Role::Access);
            }
            if name.has(&["return"]) && !name.last_is(&["type"]) {
                self.lines.push(format!("({kind} (_) @returned)"));
            }
            if name.has(&["unary", "prefix", "not"]) {
                self.lines.extend(["!", "not"].map(|word| format!("({kind} {word:?}) @negation")));
            }
        }
    }

    /// What separates and ends items.
    fn punctuation(&mut self) {
        self.lines.push("(_ \",\" @separator)".to_owned());
        for (kind, text, role) in self.rules.punctuation() {
            if text != "," {
                self.lines.push(format!("({kind} {text:?} @{})", capture(role)));
            }
        }
    }
}

/// The kinds of whole files. Older versions of tree-sitter do not mark them: they are in nothing else then.
fn roots<'a>(types: &'a [NodeType], kinds: &[&'a NodeType]) -> BTreeSet<&'a str> {
    let marked: BTreeSet<&str> = types.iter().filter(|t| t.root).map(|t| &t.kind[..]).collect();
    if !marked.is_empty() {
        return marked;
    }
    let parts = |t: &'a NodeType| {
        let children = t.fields.values().chain(&t.children).flat_map(|children| &children.types);
        children.chain(&t.subtypes).map(|kind| &kind.kind[..])
    };
    let inner: BTreeSet<&str> = types.iter().flat_map(parts).collect();
    let outer = kinds.iter().filter(|t| !inner.contains(&t.kind[..]) && parts(t).next().is_some());
    outer.map(|t| &t.kind[..]).collect()
}

/// Whether nodes of a kind may be single tokens.
fn is_leaf(t: &NodeType) -> bool {
    t.fields.is_empty() && t.children.as_ref().is_none_or(|children| !children.slot.required)
}

/// Whether a text is a pair of brackets.
fn is_pair(text: &str) -> bool {
    matches!(text, "{}" | "()" | "[]" | "begin end" | "do end")
}

/// The kinds of each supertype, also those of the supertypes in it.
fn supertypes(types: &[NodeType]) -> BTreeMap<&str, BTreeSet<&str>> {
    let above: BTreeMap<&str, &NodeType> =
        types.iter().filter(|t| !t.subtypes.is_empty()).map(|t| (&t.kind[..], t)).collect();
    let kinds = |name: &str| {
        let mut found = BTreeSet::new();
        let (mut open, mut seen) = (vec![name.to_owned()], BTreeSet::new());
        while let Some(next) = open.pop() {
            let Some(t) = above.get(&next[..]).filter(|_| seen.insert(next.clone())) else { continue };
            for kind in &t.subtypes {
                match above.contains_key(&kind.kind[..]) {
                    true => open.push(kind.kind.clone()),
                    false => drop(found.insert(&kind.kind[..])),
                }
            }
        }
        found
    };
    above.keys().map(|name| (*name, kinds(name))).collect()
}
