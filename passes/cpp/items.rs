//! The items of a C++ program that may be deleted as a whole: what stands in the file, in name spaces and in classes.

use crate::c::{child, is};
use crate::reach::{Item, Reach};
use crate::{Base, File};
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the items of a file reach. O(nodes log nodes).
pub(super) fn reach(file: File<'_>) -> Reach {
    let mut items = Items::new(file);
    items.collect();
    items.define();
    items.mention();
    items.guard();
    let names = items.numbers.len();
    Reach::new(file.id, items.items, names)
}

/// What the items of a base reach if it is one large file, in which other passes do well to weigh what they free.
pub(crate) fn large(base: &Base) -> Option<Arc<Reach>> {
    let mut files = base.files().map(|(id, parsed)| File { id, parsed });
    let is_large = |file: &File<'_>| file.language().name() == "cpp" && file.tokens().len() >= LARGE;
    let file = files.next().filter(|file| is_large(file) && !base.is_of_several())?;
    Some(Arc::new(reach(file)))
}

/// The tokens of a large file.
const LARGE: usize = 8192;

/// Names that the compiler looks up although the program does not mention them, with the token that makes it do so.
const IMPLICIT: &[(&[u8], &[&[u8]])] = &[
    (
        b"<=>",
        &[
            b"strong_ordering",
            b"weak_ordering",
            b"partial_ordering",
            b"less",
            b"greater",
            b"equal",
            b"equivalent",
            b"unordered",
        ],
    ),
    (b"typeid", &[b"type_info"]),
    (b"for", &[b"begin", b"end"]),
    (b"auto", &[b"tuple_size", b"tuple_element", b"get"]),
    (b"noexcept", &[b"true_type", b"false_type"]),
    (b"co_await", COROUTINE),
    (b"co_yield", COROUTINE),
    (b"co_return", COROUTINE),
];

const COROUTINE: &[&[u8]] = &[
    b"coroutine_traits",
    b"coroutine_handle",
    b"promise_type",
    b"get_return_object",
    b"get_return_object_on_allocation_failure",
    b"initial_suspend",
    b"final_suspend",
    b"unhandled_exception",
    b"return_void",
    b"return_value",
    b"yield_value",
    b"await_transform",
    b"await_ready",
    b"await_suspend",
    b"await_resume",
    b"from_address",
    b"address",
];

struct Items<'a> {
    file: File<'a>,
    items: Vec<Item>,
    of_node: BTreeMap<NodeId, u32>,
    /// The numbers of all words.
    numbers: BTreeMap<&'a [u8], u32>,
    /// For each word: whether an item outside of classes defines a type of this name.
    is_type: Vec<bool>,
}

impl<'a> Items<'a> {
    fn new(file: File<'a>) -> Self {
        let mut numbers = BTreeMap::new();
        let words =
            file.tokens().iter().map(|token| &file.text()[token.range()]).filter(|text| is_word(text));
        let implicit = IMPLICIT.iter().flat_map(|(_, names)| names.iter().copied());
        for word in words.chain(implicit) {
            let next = numbers.len() as u32;
            numbers.entry(word).or_insert(next);
        }
        let is_type = vec![false; numbers.len()];
        Self { file, items: Vec::new(), of_node: BTreeMap::new(), numbers, is_type }
    }

    /// Adds all items, each before those in it.
    fn collect(&mut self) {
        let file = self.file;
        let children = |node: NodeId| file.named_children(node).collect::<Vec<_>>().into_iter().rev();
        // The nodes that are yet to be read, the next one last, each with the item around it.
        let mut due: Vec<(NodeId, Option<u32>)> = vec![(NodeId::ROOT, None)];
        while let Some((node, parent)) = due.pop() {
            match file.kind_name(node) {
                // No items: comments, the name of a name space, and the conditions of preprocessor directives.
                "comment" | "namespace_identifier" | "identifier" | "string_literal" => {}
                kind if is_container(file, node, kind) => due.extend(children(node).map(|n| (n, parent))),
                kind => {
                    let stays = parent.is_some() && !is_assertion(kind) && self.is_needed(node);
                    let at = self.add(node, parent, stays);
                    if let Some(body) = self.class_body(node) {
                        due.extend(children(body).map(|n| (n, Some(at))));
                    } else if let Some(body) = self.function_body(node) {
                        // Statements stay with what they are in.
                        let statements = file.named_children(body).filter(|&n| file.has(n, Role::Statement));
                        for statement in statements {
                            self.add(statement, Some(at), true);
                        }
                    }
                }
            }
        }
    }

    fn add(&mut self, node: NodeId, parent: Option<u32>, stays: bool) -> u32 {
        let at = self.items.len() as u32;
        let range = self.file.range(node);
        let range = range.start as u32..range.end as u32;
        let (names, guards, mentions) = Default::default();
        self.items.push(Item { node, range, parent, stays, names, guards, mentions, tokens: 0 });
        self.of_node.insert(node, at);
        at
    }

    /// The body of the class that an item defines.
    fn class_body(&self, mut node: NodeId) -> Option<NodeId> {
        let file = self.file;
        loop {
            let is_inner: fn(&str) -> bool = match file.kind_name(node) {
                "class_specifier" | "struct_specifier" | "union_specifier" => {
                    return child(&file, node, "field_declaration_list");
                }
                "template_declaration" | "declaration" | "field_declaration" | "type_definition" => |kind| {
                    matches!(
                        kind,
                        "template_declaration" | "class_specifier" | "struct_specifier" | "union_specifier"
                    )
                },
                _ => return None,
            };
            node = file.children(node).find(|&n| is_inner(file.kind_name(n)))?;
        }
    }

    fn function_body(&self, mut node: NodeId) -> Option<NodeId> {
        let file = self.file;
        while is(&file, node, "template_declaration") {
            let is_inner =
                |&n: &NodeId| matches!(file.kind_name(n), "template_declaration" | "function_definition");
            node = file.children(node).find(is_inner)?;
        }
        child(&file, node, "compound_statement").filter(|_| is(&file, node, "function_definition"))
    }

    /// Whether a member stays although nothing mentions it: a field, or a virtual function.
    fn is_needed(&self, node: NodeId) -> bool {
        let file = self.file;
        let header = self.header(node);
        let is_virtual = |n: &NodeId| matches!(file.kind_name(*n), "virtual" | "virtual_specifier");
        if header.iter().any(is_virtual) {
            return true;
        }
        let has = |kind: &str| header.iter().any(|&n| is(&file, n, kind));
        is(&file, node, "field_declaration") && has("field_identifier") && !has("function_declarator")
    }

    /// The nodes of an item outside of bodies and parameters.
    fn header(&self, node: NodeId) -> Vec<NodeId> {
        let file = self.file;
        let mut header = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let is_part = |&n: &NodeId| {
                let kind = file.kind_name(n);
                !matches!(
                    kind,
                    "compound_statement"
                        | "field_declaration_list"
                        | "parameter_list"
                        | "template_parameter_list"
                        | "initializer_list"
                        | "template_argument_list"
                        | "base_class_clause"
                        | "field_initializer_list"
                )
            };
            let parts: Vec<NodeId> = file.children(node).filter(is_part).collect();
            header.extend(&parts);
            open.extend(parts);
        }
        header
    }

    fn number(&self, node: NodeId) -> Option<u32> {
        self.numbers.get(self.file.node_text(node)).copied()
    }

    /// Gives each item the names that it defines.
    fn define(&mut self) {
        let file = self.file;
        for definition in file.definitions().filter(|d| !matches!(d.sort, Sort::Parameter | Sort::Label)) {
            let is_type = matches!(definition.sort, Sort::Type | Sort::Tag);
            for place in file.places(definition) {
                let Some((item, number)) = self.item_around(place.name).zip(self.number(place.name)) else {
                    continue;
                };
                let item = &mut self.items[item as usize];
                item.names.push(number);
                self.is_type[number as usize] |= is_type && item.parent.is_none();
            }
        }
        for item in &mut self.items {
            if is(&file, item.node, "using_declaration") {
                let last = file.descendants(item.node).rfind(|&n| is_word(file.node_text(n)));
                let is_directive = file.children(item.node).any(|n| is(&file, n, "namespace"));
                let name =
                    last.filter(|_| !is_directive).and_then(|n| self.numbers.get(file.node_text(n)).copied());
                item.names.extend(name);
            }
            item.names.sort_unstable();
            item.names.dedup();
            let asserts = is_assertion(file.kind_name(item.node));
            item.stays |= item.names.is_empty() && !asserts || !is_complete(file, item.node);
        }
    }

    /// The item that a name is defined for: not one in whose body or parameters the name stands.
    fn item_around(&self, name: NodeId) -> Option<u32> {
        let file = self.file;
        for node in std::iter::once(name).chain(file.ancestors(name)) {
            if let Some(&item) = self.of_node.get(&node) {
                return Some(item);
            }
            let kind = file.kind_name(node);
            if matches!(
                kind,
                "compound_statement" | "parameter_list" | "template_parameter_list" | "lambda_expression"
            ) {
                return None;
            }
        }
        None
    }

    /// Gives each item the names that it mentions. O(tokens log words).
    fn mention(&mut self) {
        let file = self.file;
        let mut open: Vec<u32> = Vec::new();
        let mut next = 0;
        for token in file.tokens() {
            while self.items.get(next).is_some_and(|item| item.range.start <= token.start) {
                open.push(next as u32);
                next += 1;
            }
            while open.last().is_some_and(|&item| self.items[item as usize].range.end <= token.start) {
                open.pop();
            }
            let Some(&item) = open.last() else { continue };
            let text = &file.text()[token.range()];
            let implicit =
                IMPLICIT.iter().find(|(sign, _)| *sign == text).map_or(&[][..], |(_, names)| names);
            let item = &mut self.items[item as usize];
            item.tokens += 1;
            item.mentions
                .extend(std::iter::once(&text).chain(implicit).filter_map(|word| self.numbers.get(word)));
        }
        for item in &mut self.items {
            item.mentions.sort_unstable();
            item.mentions.dedup();
        }
    }

    /// Gives each item the names without which nothing can use it.
    fn guard(&mut self) {
        let file = self.file;
        for at in 0..self.items.len() {
            let item = &self.items[at];
            if item.parent.is_some() {
                continue;
            }
            let header = self.header(item.node);
            let mut guards: Vec<u32> = Vec::new();
            for &node in &header {
                let around = file.parent(node).map_or("", |n| file.kind_name(n));
                match (file.kind_name(node), around) {
                    // A member outside of its class.
                    ("qualified_identifier", "function_declarator" | "init_declarator")
                        if self.is_first(node) =>
                    {
                        guards.extend(file.named_children(node).next().and_then(|n| self.type_in(n)));
                    }
                    // A specialization.
                    ("template_type", "class_specifier" | "struct_specifier") => {
                        guards.extend(self.types_in(node))
                    }
                    _ => {}
                }
            }
            if item.names.is_empty() && header.iter().any(|&n| is(&file, n, "operator_name")) {
                let mut lists = file.descendants(item.node).filter(|&n| is(&file, n, "parameter_list"));
                guards.extend(lists.next().iter().flat_map(|&n| self.types_in(n)));
            }
            guards.sort_unstable();
            guards.dedup();
            self.items[at].guards = guards;
        }
    }

    fn is_first(&self, node: NodeId) -> bool {
        let around = self.file.parent(node);
        around.is_some_and(|around| self.file.named_children(around).next() == Some(node))
    }

    /// The type that the first name in a node means.
    fn type_in(&self, node: NodeId) -> Option<u32> {
        let name = self.file.first_leaf(node);
        self.number(name).filter(|&number| self.is_type[number as usize])
    }

    /// The types that a node names.
    fn types_in(&self, node: NodeId) -> impl Iterator<Item = u32> {
        let tokens = self.file.tokens_in(self.file.range(node)).iter();
        let numbers = tokens.filter_map(|token| self.numbers.get(&self.file.text()[token.range()]).copied());
        numbers.filter(|&number| self.is_type[number as usize])
    }
}

/// Whether a node only holds items.
fn is_container(file: File<'_>, node: NodeId, kind: &str) -> bool {
    match kind {
        "namespace_definition" | "linkage_specification" => child(&file, node, "declaration_list").is_some(),
        _ => matches!(
            kind,
            "translation_unit"
                | "declaration_list"
                | "preproc_if"
                | "preproc_ifdef"
                | "preproc_else"
                | "preproc_elif"
        ),
    }
}

/// Whether an item defines no name, and is not needed by anything.
fn is_assertion(kind: &str) -> bool {
    matches!(kind, "static_assert_declaration" | "template_instantiation")
}

/// Whether the parser has found the end of an item.
fn is_complete(file: File<'_>, node: NodeId) -> bool {
    let ends = |node: NodeId| matches!(file.node_text(node).last(), Some(b';' | b'}' | b':'));
    let follows = |node: NodeId| file.next_sibling(node).is_some_and(|next| is(&file, next, ";"));
    !file.is_error(node) && (ends(node) || follows(node))
}

fn is_word(text: &[u8]) -> bool {
    text.first().is_some_and(|c| c.is_ascii_alphabetic() || *c == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::base;

    /// The texts of the items that go without the root that begins so.
    fn without(text: &str, root: &str) -> Vec<String> {
        let base = base("cpp", text.as_bytes());
        let file = File { id: 0, parsed: base.file(0) };
        let text = |node| String::from_utf8_lossy(file.node_text(node)).into_owned();
        let reach = reach(file);
        let roots: Vec<String> = reach.roots().map(text).collect();
        let at = roots.iter().position(|text| text.starts_with(root));
        let at = at.unwrap_or_else(|| panic!("{root} is none of {roots:?}"));
        reach.without(&[at]).into_iter().map(text).collect()
    }

    #[test]
    fn members_go_with_what_mentions_them_and_fields_stay_with_their_class() {
        let text = "struct a { int n; virtual int v(); int f() { return g(); } int g(); };\nint a::g() { return n; }\nint h(a *x) { return x->f(); }\nint main() { a y; }\n";
        assert_eq!(
            without(text, "int h"),
            [
                "int f() { return g(); }",
                "int g();",
                "int a::g() { return n; }",
                "int h(a *x) { return x->f(); }"
            ]
        );
    }

    #[test]
    fn operators_and_specializations_go_with_their_types() {
        let text = "struct a {}; struct b {};\ntemplate<class T> struct t { };\ntemplate<> struct t<a> { };\na operator+(a, a); b operator+(b, b);\nint f() { a x; return 0; }\nint main() { return t<b>(); }\n";
        assert_eq!(
            without(text, "int f"),
            [
                "struct a {}",
                "template<> struct t<a> { };",
                "a operator+(a, a);",
                "int f() { a x; return 0; }"
            ]
        );
    }

    #[test]
    fn a_constant_of_a_class_in_its_value_is_no_member_outside_of_the_class() {
        let text = "template<class T> struct c { static int v; };\ntemplate<class T> int d = c<T>::v;\nint f() { return d<int>; }\nint main() { return d<char>; }\n";
        assert_eq!(without(text, "int f"), ["int f() { return d<int>; }"]);
    }
}
