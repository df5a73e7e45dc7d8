//! Guesses where names are defined, in which nodes they are visible, and what is called: a query in the notation of
//! `bindings.scm`.

use super::Guesser;
use super::tables::{self, Words};
use crate::slots::NodeType;
use std::collections::{BTreeMap, BTreeSet};

/// The kinds of the nodes in a field, or of the children without a field.
type Slots<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The key of the children without a field.
const NO_FIELD: &str = "";

/// A kind of nodes, with what may be in them.
struct Kind<'a> {
    node: &'a NodeType,
    words: Words<'a>,
    slots: Slots<'a>,
}

impl<'a> Guesser<'a> {
    /// The query. Roles must be guessed before, since they tell which nodes are names and blocks. Linear in the entries
    /// of `node-types.json`, times the kinds of names.
    pub(super) fn bindings(&self) -> Vec<String> {
        let kinds: Vec<Kind<'a>> = self.kinds.iter().map(|t| self.kind(t)).collect();
        let by_name = self.kinds.iter().map(|t| (&t.kind[..], *t)).collect();
        let mut guess = Bindings { guesser: self, by_name, lines: Vec::new() };
        // Where variables are declared, an assignment defines none.
        let declares = |kind: &Kind<'a>| {
            let is_declaration =
                sort(&kind.words) == Some("variable") && !kind.words.has(tables::ASSIGNMENTS);
            let is_assignment = |inner: &&str| Words::of(inner).has(tables::ASSIGNMENTS);
            let is_around_one = kind.slots.values().flatten().any(is_assignment);
            is_declaration && !is_around_one && !guess.defined(kind).is_empty()
        };
        let has_declarations = kinds.iter().any(declares);
        let heads = Self::heads(&kinds);
        for kind in &kinds {
            guess.scope(kind);
            guess.definition(kind, &heads, has_declarations);
            guess.patterns(kind, has_declarations);
            guess.parameters(kind);
            guess.uses(kind);
        }
        guess.lines
    }

    fn kind(&self, node: &'a NodeType) -> Kind<'a> {
        let mut slots: Slots<'a> = BTreeMap::new();
        let fields = node.fields.iter().map(|(name, children)| (&name[..], children));
        for (field, children) in fields.chain(node.children.iter().map(|children| (NO_FIELD, children))) {
            let named = children.types.iter().filter(|kind| kind.named);
            slots.insert(field, named.flat_map(|kind| self.below(&kind.kind)).collect());
        }
        Kind { node, words: Words::of(&node.kind), slots }
    }

    /// The kinds around each head: a node with the name of a function and its parameters, behind which another node has
    /// the body.
    fn heads(kinds: &[Kind<'a>]) -> BTreeMap<&'a str, Vec<&'a str>> {
        let is_head = |kind: &Kind<'_>| {
            kind.words.last_is(tables::HEADS) && sort(&kind.words) == Some("function") && body(kind).is_none()
        };
        let heads: BTreeSet<&str> =
            kinds.iter().filter(|kind| is_head(kind)).map(|kind| &kind.node.kind[..]).collect();
        let mut around: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for kind in kinds.iter().filter(|kind| !heads.contains(&kind.node.kind[..])) {
            for head in kind.slots.values().flatten().filter(|inner| heads.contains(*inner)) {
                around.entry(head).or_default().push(&kind.node.kind);
            }
        }
        around
    }
}

/// The field of a body, if the nodes of a kind have one.
fn body<'a>(kind: &Kind<'a>) -> Option<&'a str> {
    kind.slots.keys().copied().find(|field| tables::BODIES.contains(field))
}

/// The sort of what the nodes of a kind define, by their name, as captures spell it.
pub(super) fn sort(words: &Words<'_>) -> Option<&'static str> {
    let known = tables::SORTS.iter().find(|(known, _)| words.has(known)).map(|(_, sort)| *sort);
    let is_parameter =
        known == Some("parameter") && !words.last_is(&["list", "parameters", "part", "clause"]);
    let defines = words.last_is(tables::DEFINITIONS) || (words.0.len() == 1 && known.is_some());
    let is_only_a_type = known == Some("type") && words.last_is(&["type"]) && {
        let before = Words(words.0[..words.0.len() - 1].to_vec());
        !tables::SORTS.iter().any(|(known, sort)| *sort == "type" && before.has(known))
    };
    match known {
        _ if is_only_a_type || words.has(tables::NO_DEFINITIONS) => None,
        _ if words.has(&["enum"]) && words.last_is(&["constant", "case", "member", "entry"]) => {
            Some("constant")
        }
        Some("parameter") => known.filter(|_| is_parameter),
        Some(_) => known.filter(|_| defines),
        None => words.last_is(&["definition", "declaration", "decl", "declarator"]).then_some("variable"),
    }
}

/// The query so far.
struct Bindings<'g, 'a> {
    guesser: &'g Guesser<'a>,
    by_name: BTreeMap<&'a str, &'a NodeType>,
    lines: Vec<String>,
}

impl<'a> Bindings<'_, 'a> {
    fn is_name(&self, kind: &str) -> bool {
        self.guesser.names.contains(kind)
    }

    /// The kinds of names among the children in a field.
    fn names(&self, kind: &Kind<'a>, field: &str) -> Vec<&'a str> {
        let children = kind.slots.get(field).into_iter().flatten().copied();
        children.filter(|child| self.is_name(child) && self.is_leaf(child)).collect()
    }

    /// The kinds of names among all children.
    fn all_names(&self, kind: &Kind<'a>) -> BTreeSet<&'a str> {
        kind.slots.keys().flat_map(|field| self.names(kind, field)).collect()
    }

    /// Patterns for the names in a field: those that are there, and those in a list or in a longer form of a name.
    fn places(&self, kind: &Kind<'a>, field: &str) -> Vec<String> {
        let of = |name: &str| format!("({name}) @definition");
        let mut places: Vec<String> = self.names(kind, field).into_iter().map(of).collect();
        let there = kind.slots.get(field).into_iter().flatten();
        for around in there.filter_map(|inner| self.by_name.get(inner)) {
            let words = Words::of(&around.kind);
            let is_long = words.last_is(tables::NAMES) && !words.has(tables::QUALIFIED);
            if (is_long || words.last_is(&["list", "tuple"])) && !self.is_leaf(&around.kind) {
                let inner = self.all_names(&self.guesser.kind(around));
                places.extend(inner.iter().map(|name| format!("({} {})", around.kind, of(name))));
            }
        }
        places
    }

    /// Patterns for the names that a kind defines by its own name, with the fields they are in.
    fn defined(&self, kind: &Kind<'a>) -> Vec<String> {
        let fields = || tables::DEFINED.iter().copied();
        let mut places = fields().map(|field| (field, self.places(kind, field)));
        let in_field = places.find(|(_, places)| !places.is_empty());
        let has_field = fields().any(|field| kind.slots.contains_key(field));
        match in_field {
            Some((field, places)) => places.iter().map(|place| format!("{field}: {place}")).collect(),
            None if has_field || self.guesser.rules.has_commas(&kind.node.kind) => vec![],
            // Without a field for it, the name is what comes first.
            None => self.places(kind, NO_FIELD).iter().map(|place| format!(". {place}")).collect(),
        }
    }

    /// Whether nodes of this kind have no parts, so that their text is the name.
    fn is_leaf(&self, name: &str) -> bool {
        let of_kind = self.by_name.get(name);
        of_kind.is_none_or(|t| super::is_leaf(t))
    }

    /// What opens a scope: the file, blocks, and whatever has a body. Names are visible in all of it, since nobody knows
    /// in which languages they are visible only behind their definitions.
    fn scope(&mut self, kind: &Kind<'a>) {
        let name = &kind.node.kind;
        let has_block = || kind.slots.values().flatten().any(|inner| self.guesser.blocks.contains(inner));
        // Around the clauses of a function, whose name is in them, its name must be visible outside.
        let is_function = sort(&kind.words) == Some("function") && !self.defined(kind).is_empty();
        let is_class =
            matches!(sort(&kind.words), Some("type" | "namespace")) && !self.defined(kind).is_empty();
        if self.guesser.roots.contains(&name[..]) {
            self.lines.push(format!("({name}) @hoisted"));
        } else if is_class {
            self.lines.push(format!("({name}) @scope.members @hoisted"));
        } else if is_function || body(kind).is_some() || has_block() || kind.words.has(tables::BRANCHES) {
            self.lines.push(format!("({name}) @scope @hoisted"));
        }
    }

    /// What defines a name, by the kind's own name.
    fn definition(&mut self, kind: &Kind<'a>, heads: &BTreeMap<&str, Vec<&str>>, has_declarations: bool) {
        let Some(sort) = sort(&kind.words) else { return };
        if has_declarations && sort == "variable" && kind.words.has(tables::ASSIGNMENTS) {
            return;
        }
        let name = &kind.node.kind;
        if sort == "type" && kind.words.has(&["enum", "enumeration"]) && self.guesser.rules.has_commas(name) {
            let names = self.names(kind, NO_FIELD).into_iter();
            self.lines.extend(names.map(|inner| format!("({name} ({inner}) @definition @constant)")));
        }
        for place in self.defined(kind) {
            let place = format!("({name} {place})");
            match heads.get(&name[..]) {
                Some(around) => {
                    self.lines.extend(around.iter().map(|outer| format!("({outer} {place}) @{sort} @scope")));
                }
                None => self.lines.push(format!("{place} @{sort}")),
            }
        }
    }

    /// The names in patterns, which values are bound to.
    fn patterns(&mut self, kind: &Kind<'a>, has_declarations: bool) {
        let name = &kind.node.kind;
        let is_assignment = kind.words.has(tables::ASSIGNMENTS) && !has_declarations;
        let is_loop = kind.words.has(tables::LOOPS);
        let is_operation = kind.words.has(tables::OPERATIONS);
        if is_operation && !has_declarations {
            self.assignments(kind);
        }
        for (field, _) in kind.node.fields.iter().filter(|(field, _)| {
            tables::PATTERNS.contains(&&field[..]) && !is_operation
                || (is_loop || is_assignment) && tables::TARGETS.contains(&&field[..])
        }) {
            let sort = sort(&kind.words).unwrap_or("variable");
            // A name among many other things that may be here is a name for itself.
            self.lines.push(format!("({name} {field}: (_)) @{sort}"));
            for place in self.places(kind, field) {
                self.lines.push(format!("({name} {field}: {place}) @{sort}"));
            }
        }
        if kind.words.has(&["pattern", "patterns"]) && !kind.words.last_is(&["expression", "definition"]) {
            if self.is_name(name) && self.is_leaf(name) {
                self.lines.push(format!("({name}) @definition"));
            } else if kind.node.fields.is_empty() {
                let names = self.names(kind, NO_FIELD).into_iter();
                self.lines.extend(names.map(|inner| format!("({name} ({inner}) @definition)")));
            }
        }
    }

    /// Operations that give the name on their left a value.
    fn assignments(&mut self, kind: &Kind<'a>) {
        let name = &kind.node.kind;
        for field in ["left", "lhs"] {
            for place in self.places(kind, field) {
                self.lines.extend(
                    tables::GIVING.iter().map(|operator| {
                        format!("({name} {field}: {place} operator: {operator:?}) @variable")
                    }),
                );
            }
        }
    }

    /// The names in a list of parameters.
    fn parameters(&mut self, kind: &Kind<'a>) {
        let name = &kind.node.kind;
        if kind.words.last_is(tables::PARAMETERS) && !kind.words.has(tables::NO_DEFINITIONS) {
            let all = self.all_names(kind);
            self.lines.extend(all.iter().map(|inner| format!("({name} ({inner}) @definition @parameter)")));
        }
        if sort(&kind.words) != Some("function") {
            return;
        }
        for field in ["parameter", "parameters", "param"] {
            let all = self.names(kind, field).into_iter();
            self.lines.extend(all.map(|inner| format!("({name} {field}: ({inner}) @definition @parameter)")));
        }
        // Arguments that a function takes, as a call gives them.
        for (field, inner) in kind.slots.iter().filter(|(field, _)| tables::ARGUMENTS.contains(field)) {
            for list in inner.iter().filter_map(|inner| self.by_name.get(inner)) {
                let all = self.all_names(&self.guesser.kind(list));
                self.lines.extend(all.iter().map(|inner| {
                    format!("({name} {field}: ({} ({inner}) @definition @parameter))", list.kind)
                }));
            }
        }
    }

    /// The names of members, and of what is called.
    fn uses(&mut self, kind: &Kind<'a>) {
        let name = &kind.node.kind;
        if kind.words.has(tables::ACCESSES) && !kind.words.has(tables::CALLS) {
            for field in tables::MEMBERS.iter().filter(|field| kind.slots.contains_key(**field)) {
                let names = self.names(kind, field).into_iter();
                self.lines.extend(names.map(|inner| format!("({name} {field}: ({inner}) @use.qualified)")));
            }
        }
        if kind.words.has(tables::CALLS) {
            let field = tables::CALLEES.iter().find(|field| kind.slots.contains_key(**field));
            let place = field.map_or(". ".to_owned(), |field| format!("{field}: "));
            let names = self.names(kind, field.unwrap_or(&NO_FIELD)).into_iter();
            self.lines.extend(names.map(|inner| format!("({name} {place}({inner}) @callee)")));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::guess::guess;
    use crate::slots::entries;

    #[test]
    fn the_name_of_a_function_is_visible_outside_of_what_is_around_its_clauses() {
        let types = entries(
            r#"[{"type": "file", "named": true, "root": true, "fields": {}, "children": {"multiple": true,
                "required": false, "types": [{"type": "function_declaration", "named": true}]}},
            {"type": "function_declaration", "named": true, "fields": {"clause": {"multiple": true,
                "required": true, "types": [{"type": "function_clause", "named": true}]}}},
            {"type": "function_clause", "named": true, "fields": {
                "name": {"multiple": false, "required": true, "types": [{"type": "identifier", "named": true}]},
                "body": {"multiple": false, "required": true, "types": [{"type": "identifier", "named": true}]}}},
            {"type": "identifier", "named": true}]"#,
        );
        let lines = guess(&types, "").bindings;
        let has = |line: &str| lines.iter().any(|own| own == line);
        assert!(has("(file) @hoisted"), "{lines:#?}");
        assert!(has("(function_clause name: (identifier) @definition) @function"), "{lines:#?}");
        assert!(has("(function_clause) @scope @hoisted"), "{lines:#?}");
        assert!(!has("(function_declaration) @scope @hoisted"), "{lines:#?}");
    }
}
