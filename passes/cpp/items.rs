//! The items of a C++ program that may be deleted as a whole: what stands in the file, in name spaces and in classes.

use crate::File;
use crate::c::{child, is};
use crate::reach::{Item, Reach};
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// What the items of a file reach. O(nodes log nodes).
pub(crate) fn reach(file: File<'_>) -> Reach {
    let mut items = Items::new(file);
    items.collect();
    items.define();
    items.mention();
    items.guard();
    let names = items.is_type.len();
    Reach::new(file.id, items.items, names)
}

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

/// A name that at least this many items define is taken for that of overloaded functions, each of which is called with
/// objects of its parameters' types. With fewer definitions, an argument may be converted to a type that no caller names.
const OVERLOADED: usize = 3;

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
    /// For each item: the name space around it.
    spaces: Vec<Space<'a>>,
    of_node: BTreeMap<NodeId, u32>,
    /// For each word that is defined: the numbers of the names with this spelling, one for each scope.
    names: BTreeMap<&'a [u8], Vec<(Scope<'a>, u32)>>,
    /// The name that is defined at a place.
    defined: BTreeMap<u32, u32>,
    /// For each name: whether it means a type, and not only gives another name to one.
    is_type: Vec<bool>,
    /// Name spaces whose names are known everywhere, by a directive.
    opened: Vec<Space<'a>>,
    /// The names of all name spaces so far.
    known_spaces: BTreeSet<&'a [u8]>,
}

/// The outermost name space around something; empty if there is none, or if its names are known everywhere.
type Space<'a> = &'a [u8];

/// Where a name is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope<'a> {
    /// In a name space: names without a qualifier mean it only there.
    Space(Space<'a>),
    /// In a class or function.
    Inner,
}

impl<'a> Items<'a> {
    fn new(file: File<'a>) -> Self {
        let words: Vec<&[u8]> = file.tokens().iter().map(|token| &file.text()[token.range()]).collect();
        // `using namespace a::b` opens `b` alone: the names of `a` still need their qualifier.
        let is_opened = |words: &&[&[u8]]| words[..2] == [&b"using"[..], b"namespace"] && words[3] == b";";
        let opened = words.windows(4).filter(is_opened);
        let opened = opened.map(|words| words[2]).collect();
        let (items, spaces, of_node, names, defined, is_type, known_spaces) = Default::default();
        Self { file, items, spaces, of_node, names, defined, is_type, opened, known_spaces }
    }

    /// Adds all items, each before those in it.
    fn collect(&mut self) {
        let file = self.file;
        let children = |node: NodeId| file.named_children(node).collect::<Vec<_>>().into_iter().rev();
        // The nodes that are yet to be read, the next one last, each with the item and the name space around it.
        let mut due: Vec<(NodeId, Option<u32>, Option<Space<'a>>)> = vec![(NodeId::ROOT, None, None)];
        while let Some((node, parent, space)) = due.pop() {
            let kind = file.kind_name(node);
            if matches!(kind, "namespace_definition" | "namespace_alias_definition") {
                self.learn_spaces(node);
            }
            match kind {
                // No items: comments, the name of a name space, and the conditions of preprocessor directives.
                "comment" | "namespace_identifier" | "identifier" | "string_literal" => {}
                _ if is_container(file, node, kind) => {
                    let space = space.or_else(|| self.space_of(node));
                    due.extend(children(node).map(|n| (n, parent, space)));
                }
                _ => {
                    let stays = parent.is_some() && !is_assertion(kind) && self.is_needed(node);
                    let at = self.add(node, parent, space.unwrap_or_default(), stays);
                    if let Some(body) = self.class_body(node) {
                        due.extend(children(body).map(|n| (n, Some(at), space)));
                    } else if let Some(body) = self.function_body(node) {
                        // Statements stay with what they are in.
                        let statements = file.named_children(body).filter(|&n| file.has(n, Role::Statement));
                        for statement in statements {
                            self.add(statement, Some(at), space.unwrap_or_default(), true);
                        }
                    }
                }
            }
        }
    }

    /// The name space that a node is; an empty one if names in it are known everywhere.
    fn space_of(&self, node: NodeId) -> Option<Space<'a>> {
        let file = self.file;
        let name = file.node_text(child(&file, node, "namespace_identifier")?);
        Some(if self.opened.contains(&name) { b"" } else { name })
    }

    fn add(&mut self, node: NodeId, parent: Option<u32>, space: Space<'a>, stays: bool) -> u32 {
        let at = self.items.len() as u32;
        let range = self.file.range(node);
        let range = range.start as u32..range.end as u32;
        let (names, guards, mentions) = Default::default();
        let repeats = matches!(self.file.kind_name(node), "using_declaration" | "template_instantiation")
            || parent.is_none() && self.is_outside(node);
        let has_members = self.class_body(node).is_some();
        let tokens = 0;
        self.items.push(Item {
            node,
            range,
            parent,
            stays,
            names,
            repeats,
            has_members,
            needs_members: repeats,
            guards,
            mentions,
            tokens,
        });
        self.spaces.push(space);
        self.of_node.insert(node, at);
        at
    }

    /// Learns the names of a name space, or of another name for one.
    fn learn_spaces(&mut self, node: NodeId) {
        let file = self.file;
        let parts = file.named_children(node).filter(|&n| !is(&file, n, "declaration_list"));
        let names = parts.flat_map(|part| std::iter::once(part).chain(file.descendants(part)));
        let names = names.filter(|&n| is(&file, n, "namespace_identifier"));
        self.known_spaces.extend(names.map(|n| file.node_text(n)));
    }

    /// Whether an item is a member outside of its class: the last name before its own is that of no name space.
    fn is_outside(&self, node: NodeId) -> bool {
        let file = self.file;
        let is_qualified = |n: NodeId| is(&file, n, "qualified_identifier");
        let mut header = self.header(node).into_iter();
        let Some(mut name) = header.find(|&n| is_qualified(n) && self.is_declared(n)) else { return false };
        while let Some(inner) = file.named_children(name).last().filter(|&n| is_qualified(n)) {
            name = inner;
        }
        let scope = file.named_children(name).next().filter(|_| file.named_children(name).count() > 1);
        scope.is_some_and(|scope| !self.known_spaces.contains(file.node_text(scope)))
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

    /// The number of the name that an item defines by a word.
    fn number(&mut self, item: u32, word: &'a [u8]) -> u32 {
        let (space, item) = (self.spaces[item as usize], &self.items[item as usize]);
        let is_member =
            item.parent.is_some() || item.repeats && !is(&self.file, item.node, "using_declaration");
        let scope = if is_member { Scope::Inner } else { Scope::Space(space) };
        let names = self.names.entry(word).or_default();
        if let Some((_, number)) = names.iter().find(|(known, _)| *known == scope) {
            return *number;
        }
        let number = self.is_type.len() as u32;
        names.push((scope, number));
        self.is_type.push(false);
        number
    }

    /// The names that a word may mean. One without a qualifier means nothing in another name space.
    fn meant(&self, word: &[u8], space: Space<'_>, is_plain: bool) -> impl Iterator<Item = u32> {
        let is_known = move |scope: &Scope<'_>| match scope {
            Scope::Space(other) => !is_plain || other.is_empty() || *other == space,
            Scope::Inner => true,
        };
        let names = self.names.get(word).into_iter().flatten();
        names.filter(move |(scope, _)| is_known(scope)).map(|(_, number)| *number)
    }

    /// Gives each item the names that it defines.
    fn define(&mut self) {
        let file = self.file;
        for definition in file.definitions().filter(|d| !matches!(d.sort, Sort::Parameter | Sort::Label)) {
            let is_type = matches!(definition.sort, Sort::Type | Sort::Tag);
            for place in file.places(definition) {
                let word = file.node_text(place.name);
                let Some(item) = self.item_around(place.name).filter(|_| is_word(word)) else { continue };
                let number = self.number(item, word);
                self.defined.insert(file.range(place.name).start as u32, number);
                let item = &mut self.items[item as usize];
                item.names.push(number);
                self.is_type[number as usize] |=
                    is_type && item.parent.is_none() && !is_alias(file, item.node);
            }
        }
        for at in 0..self.items.len() {
            let node = self.items[at].node;
            if is(&file, node, "using_declaration") && !file.children(node).any(|n| is(&file, n, "namespace"))
            {
                let last = file.descendants(node).map(|n| file.node_text(n)).rfind(|text| is_word(text));
                let name = last.map(|word| self.number(at as u32, word));
                self.items[at].names.extend(name);
            }
            let item = &mut self.items[at];
            item.names.sort_unstable();
            item.names.dedup();
            let asserts = is_assertion(file.kind_name(node));
            item.stays |= item.names.is_empty() && !asserts || !is_complete(file, node);
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
        for (at, token) in file.tokens().iter().enumerate() {
            while self.items.get(next).is_some_and(|item| item.range.start <= token.start) {
                open.push(next as u32);
                next += 1;
            }
            while open.last().is_some_and(|&item| self.items[item as usize].range.end <= token.start) {
                open.pop();
            }
            let Some(&item) = open.last() else { continue };
            let meant = self.meant_at(at, item);
            let item = &mut self.items[item as usize];
            item.tokens += 1;
            item.mentions.extend(meant);
        }
        for item in &mut self.items {
            if is(&file, item.node, "preproc_call") {
                // The words of a pragma are no names.
                item.mentions.clear();
            }
            item.mentions.sort_unstable();
            item.mentions.dedup();
        }
    }

    /// The names that a token of an item may mean, and those that the compiler looks up because of it.
    fn meant_at(&self, at: usize, item: u32) -> Vec<u32> {
        let tokens = self.file.tokens();
        let text = |at: usize| tokens.get(at).map_or(&b""[..], |token| &self.file.text()[token.range()]);
        if let Some(&name) = self.defined.get(&tokens[at].start) {
            return vec![name];
        }
        let word = text(at);
        let is_selected = at > 0 && matches!(text(at - 1), b"::" | b"." | b"->" | b"template");
        // A call may find a function by the types of its arguments.
        let is_plain = !is_selected && text(at + 1) != b"(" && !self.is_macro(item);
        let binds = || text(at + 1) == b"[" || text(at + 1).starts_with(b"&") && text(at + 2) == b"[";
        let is_sign = |sign: &[u8]| sign == word && (word != b"auto" || binds());
        let implicit = IMPLICIT.iter().filter(|(sign, _)| is_sign(sign)).flat_map(|(_, names)| *names);
        let implicit = implicit.flat_map(|word| self.meant(word, b"", false));
        self.meant(word, self.spaces[item as usize], is_plain).chain(implicit).collect()
    }

    /// Whether an item is a macro, which is used anywhere.
    fn is_macro(&self, item: u32) -> bool {
        self.file.kind_name(self.items[item as usize].node).starts_with("preproc")
    }

    /// Gives each item the names without which nothing can use it.
    fn guard(&mut self) {
        let file = self.file;
        let mut definers = vec![0; self.is_type.len()];
        self.items.iter().flat_map(|item| &item.names).for_each(|&name| definers[name as usize] += 1);
        for at in 0..self.items.len() {
            let item = &self.items[at];
            if item.parent.is_some() {
                continue;
            }
            let (header, space) = (self.header(item.node), self.spaces[at]);
            let mut guards: Vec<u32> = Vec::new();
            if is(&file, item.node, "template_instantiation") {
                guards.extend(self.types_in(item.node, space));
            }
            for &node in &header {
                match file.kind_name(node) {
                    // A member outside of its class.
                    "qualified_identifier" if self.is_declared(node) => {
                        guards.extend(self.types_in(node, space))
                    }
                    // A specialization of a function or variable.
                    "template_function" if self.is_declared(node) => {
                        let name = file.node_text(file.first_leaf(node));
                        guards.extend(self.meant(name, space, true).take(1));
                        guards.extend(self.types_in(node, space));
                    }
                    // A specialization of a class.
                    "template_type" if self.is_declared(node) => guards.extend(self.types_in(node, space)),
                    _ => {}
                }
            }
            let is_operator = || header.iter().any(|&n| is(&file, n, "operator_name"));
            let is_overloaded =
                |names: &[u32]| names.iter().any(|&name| definers[name as usize] >= OVERLOADED);
            if item.names.is_empty() && is_operator() || is_overloaded(&item.names) {
                // An overloaded function is called with objects of its types.
                let mut lists = file.descendants(item.node).filter(|&n| is(&file, n, "parameter_list"));
                guards.extend(lists.next().iter().flat_map(|&n| self.types_in(n, space)));
                self.items[at].needs_members |= self.function_body(self.items[at].node).is_some();
            }
            guards.sort_unstable();
            guards.dedup();
            self.items[at].guards = guards;
        }
    }

    /// Whether a node is the name of what a declaration declares.
    fn is_declared(&self, node: NodeId) -> bool {
        let file = self.file;
        let Some(around) = file.parent(node) else { return false };
        match file.kind_name(around) {
            "function_declarator" | "init_declarator" => file.named_children(around).next() == Some(node),
            "declaration" | "class_specifier" | "struct_specifier" | "union_specifier" => {
                !file.has(node, Role::Type)
            }
            _ => false,
        }
    }

    /// The types that a node names, without those in arguments of arguments: a use of the specialization
    /// `S<T, void_t<F<T>>>` need not name F.
    fn types_in(&self, node: NodeId, space: Space<'_>) -> Vec<u32> {
        let file = self.file;
        let mut types = Vec::new();
        let mut open = vec![(node, 0)];
        while let Some((node, depth)) = open.pop() {
            let depth = depth + usize::from(is(&file, node, "template_argument_list"));
            if depth < 2 {
                let is_type = |number: &u32| self.is_type[*number as usize];
                let meant = |is_plain| self.meant(file.node_text(node), space, is_plain).find(is_type);
                types.extend(meant(true).or_else(|| meant(false)));
                open.extend(file.named_children(node).map(|part| (part, depth)));
            }
        }
        types
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

/// Whether an item gives another name to a type.
fn is_alias(file: File<'_>, node: NodeId) -> bool {
    let declared = file.named_children(node).last().filter(|_| is(&file, node, "template_declaration"));
    matches!(file.kind_name(declared.unwrap_or(node)), "alias_declaration" | "type_definition")
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
    fn a_name_means_nothing_in_another_name_space_without_a_qualifier_or_arguments() {
        let text = "namespace n { int a() { return 1; } int b() { return 2; } int c; struct d { }; int e() { return 3; } }\nnamespace m { int b = 0, c; int f() { return b + n::c + e(); } }\nint main() { return m::f(); }\n";
        assert_eq!(without(text, "int b() {"), ["int b() { return 2; }"]);
        assert_eq!(
            without(text, "int main"),
            [
                "int c;",
                "int e() { return 3; }",
                "int b = 0, c;",
                "int f() { return b + n::c + e(); }",
                "int main() { return m::f(); }"
            ]
        );
    }

    #[test]
    fn names_in_a_name_space_that_is_opened_are_known_everywhere_also_those_of_inner_ones() {
        let text = "namespace n { inline namespace i { struct a { }; struct b { }; } typedef a c; }\nusing namespace n;\nint f() { c x; return 0; }\nint main() { b y; }\n";
        assert_eq!(without(text, "int f"), ["struct a { }", "typedef a c;", "int f() { c x; return 0; }"]);
    }

    #[test]
    fn a_name_space_stays_closed_if_an_inner_one_is_opened() {
        let text = "namespace n { namespace i { } int a() { return 1; } int f() { using namespace n::i; return 0; } }\nint a(int b, int c) { return 2; }\nint d = 3;\nint main() { int a = d; return a; }\nint g() { return n::a() + n::f(); }\n";
        let lost = without(text, "int g");
        assert!(lost.contains(&"int a() { return 1; }".to_owned()), "{lost:?}");
    }

    #[test]
    fn overloads_go_with_their_types_and_the_words_of_a_pragma_mean_nothing() {
        let text = "#pragma GCC visibility push(default)\nstruct a {}; struct b {}; struct c {};\nint push() { a x; return 0; }\nint f(a) { return 0; }\nint f(b) { return 0; }\nint f(c) { return 0; }\nint main() { b y; f(y); c z; f(z); }\n";
        assert_eq!(
            without(text, "int push"),
            ["struct a {}", "int push() { a x; return 0; }", "int f(a) { return 0; }"]
        );
    }

    #[test]
    fn a_constant_of_a_class_in_its_value_is_no_member_outside_of_the_class() {
        let text = "template<class T> struct c { static int v; };\ntemplate<class T> int d = c<T>::v;\nint f() { return d<int>; }\nint main() { return d<char>; }\n";
        assert_eq!(without(text, "int f"), ["int f() { return d<int>; }"]);
    }

    #[test]
    fn a_member_outside_of_its_class_goes_with_its_declaration() {
        let text = "namespace n { struct a { int f(); int g(); }; int a::f() { return 1; } int a::g() { return 2; } }\nint n::a::h() { return 3; }\nint main() { n::a x; return x.g(); }\n";
        assert_eq!(
            without(text, "int a::f"),
            ["int f();", "int a::f() { return 1; }"],
            "the declaration and the definition are one root"
        );
    }

    /// What goes with the first `end` bytes.
    fn freed(text: &str, end: u32) -> Vec<String> {
        let base = base("cpp", text.as_bytes());
        let file = File { id: 0, parsed: base.file(0) };
        let freed = reach(file).freed(std::slice::from_ref(&(0..end)));
        freed
            .into_iter()
            .map(|(node, _)| String::from_utf8_lossy(file.node_text(node)).into_owned())
            .collect()
    }

    #[test]
    fn a_name_of_another_name_space_goes_with_what_it_names() {
        let text =
            "extern int f();\nnamespace n { using ::f; }\nusing namespace n;\nint main() { return 0; }\n";
        assert_eq!(freed(text, 15), ["using ::f;"]);
    }

    #[test]
    fn what_needs_the_members_of_a_class_goes_with_them_although_the_name_stays() {
        let text = "class a { void f(); int g; };\nclass a;\nvoid a::f() { g = 1; }\ntemplate class b<a>;\nint operator+(a, int) { return 1; }\nint main() { a *x = 0; return x == 0; }\n";
        let users = ["void a::f() { g = 1; }", "template class b<a>;", "int operator+(a, int) { return 1; }"];
        assert_eq!(freed(text, 29), users);
    }
}
