//! The items of a C++ program that may be deleted as a whole: what stands in the file, in name spaces and in classes.

use crate::File;
use crate::c::{child, is};
use crate::cpp::spaces::{ANY, GLOBAL, Space, Spaces};
use crate::reach::{Item, Reach, mention};
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

/// What the items of a file reach. O(nodes log nodes).
pub(crate) fn reach(file: File<'_>) -> Reach {
    let mut items = Items::new(file);
    items.collect();
    items.define();
    items.repeat();
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

pub(super) struct Items<'a> {
    pub(super) file: File<'a>,
    pub(super) items: Vec<Item>,
    /// For each item: the name space from which its names are looked up.
    pub(super) places: Vec<Space>,
    of_node: BTreeMap<NodeId, u32>,
    spaces: Spaces<'a>,
    /// For each word that is defined: the numbers of the names with this spelling, one for each scope.
    names: BTreeMap<&'a [u8], Vec<(Scope, u32)>>,
    /// The name that is defined at a place.
    defined: BTreeMap<u32, u32>,
    /// For each name: whether it means a type, and not only gives another name to one.
    pub(super) is_type: Vec<bool>,
}

/// Where a name is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    /// In a name space.
    Space(Space),
    /// In a class or function.
    Inner,
}

/// How a name is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way<'a> {
    /// Without a qualifier, from a name space.
    From(Space),
    /// In what a qualifier means: a name space, or else a class.
    In(&'a [u8]),
    /// As a member of an object.
    Member,
    /// In all ways: a call may find a function by the types of its arguments.
    Any,
}

impl<'a> Items<'a> {
    fn new(file: File<'a>) -> Self {
        let (items, places, of_node, names, defined, is_type) = Default::default();
        Self { file, items, places, of_node, spaces: Spaces::new(file), names, defined, is_type }
    }

    /// Adds all items, each before those in it.
    fn collect(&mut self) {
        let file = self.file;
        let children = |node: NodeId| file.named_children(node).collect::<Vec<_>>().into_iter().rev();
        // The nodes that are yet to be read, the next one last, each with the item and the name space around it.
        let mut due: Vec<(NodeId, Option<u32>, Space)> = vec![(NodeId::ROOT, None, GLOBAL)];
        while let Some((node, parent, space)) = due.pop() {
            let kind = file.kind_name(node);
            if kind == "namespace_alias_definition" {
                self.spaces.learn_alias(&file, node);
            }
            match kind {
                // No items: comments, the name of a name space, and the conditions of preprocessor directives.
                "comment" | "namespace_identifier" | "identifier" | "string_literal" => {}
                _ if is_container(file, node, kind) => {
                    let is_space = kind == "namespace_definition";
                    let space = if is_space { self.spaces.enter(&file, space, node) } else { space };
                    due.extend(children(node).map(|n| (n, parent, space)));
                }
                _ => {
                    let stays = parent.is_some() && !is_assertion(kind) && self.is_needed(node);
                    let at = self.add(node, parent, space, stays);
                    let space = self.places[at as usize];
                    if let Some(body) = self.class_body(node) {
                        due.extend(children(body).map(|n| (n, Some(at), space)));
                    } else if let Some(body) = self.function_body(node) {
                        // Statements stay with what they are in.
                        let statements = file.named_children(body).filter(|&n| file.has(n, Role::Statement));
                        for statement in statements {
                            self.add(statement, Some(at), space, true);
                        }
                    }
                }
            }
        }
        self.spaces.finish();
    }

    fn add(&mut self, node: NodeId, parent: Option<u32>, space: Space, stays: bool) -> u32 {
        let at = self.items.len() as u32;
        let is_outside = parent.is_none() && self.is_outside(node);
        let has_members = self.class_body(node).is_some();
        self.items.push(Item { stays, has_members, ..Item::new(self.file, node, parent) });
        self.places.push(if is_outside { ANY } else { space });
        self.of_node.insert(node, at);
        at
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
        scope.is_some_and(|scope| !self.spaces.is_space(file.node_text(scope)))
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

    pub(super) fn function_body(&self, mut node: NodeId) -> Option<NodeId> {
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
    pub(super) fn header(&self, node: NodeId) -> Vec<NodeId> {
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
    fn number(&mut self, at: u32, word: &'a [u8]) -> u32 {
        let space = self.places[at as usize];
        let item = &self.items[at as usize];
        // A friend is none of the class, but of the name space around it.
        let is_friend = || is(&self.file, declared(self.file, item.node), "friend_declaration");
        let is_member = item.parent.is_some() && !is_friend() || self.is_outer(at);
        let scope = if is_member { Scope::Inner } else { Scope::Space(self.spaces.scope(space)) };
        let names = self.names.entry(word).or_default();
        if let Some((_, number)) = names.iter().find(|(known, _)| *known == scope) {
            return *number;
        }
        let number = self.is_type.len() as u32;
        names.push((scope, number));
        self.is_type.push(false);
        number
    }

    /// Whether an item is a member outside of its class, or an instance of a template.
    pub(super) fn is_outer(&self, at: u32) -> bool {
        let item = &self.items[at as usize];
        let is_instance = is(&self.file, item.node, "template_instantiation");
        item.parent.is_none() && (is_instance || self.places[at as usize] == ANY)
    }

    /// The names that a word may mean: all with its spelling if the way to look it up finds none.
    pub(super) fn meant(&self, word: &[u8], way: Way<'_>) -> Vec<u32> {
        let all = self.names.get(word).into_iter().flatten();
        let found: Vec<u32> =
            all.clone().filter(|(scope, _)| self.is_known(*scope, way)).map(|(_, number)| *number).collect();
        // A name without a qualifier means nothing in another name space.
        let is_sure = !found.is_empty() || matches!(way, Way::From(_));
        if is_sure { found } else { all.map(|(_, number)| *number).collect() }
    }

    fn is_known(&self, scope: Scope, way: Way<'_>) -> bool {
        match (scope, way) {
            (Scope::Space(space), Way::From(place)) => self.spaces.is_known_in(space, place),
            (Scope::Space(space), Way::In(qualifier)) => {
                let spaces = self.spaces.named(qualifier);
                spaces.is_none_or(|spaces| space == GLOBAL || spaces.contains(&space))
            }
            (Scope::Space(_), Way::Member) => false,
            (Scope::Inner, Way::In(qualifier)) => self.spaces.named(qualifier).is_none(),
            (Scope::Inner, _) | (_, Way::Any) => true,
        }
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
            let last = self.used_name(node);
            let name = last.map(|word| self.number(at as u32, word));
            let item = &mut self.items[at];
            item.names.extend(name);
            item.names.sort_unstable();
            item.names.dedup();
            let asserts = is_assertion(file.kind_name(node));
            item.stays |= item.names.is_empty() && !asserts || !is_complete(file, node);
        }
    }

    /// The name that a declaration makes known from another scope.
    fn used_name(&self, node: NodeId) -> Option<&'a [u8]> {
        let file = self.file;
        let is_used =
            is(&file, node, "using_declaration") && !file.children(node).any(|n| is(&file, n, "namespace"));
        let mut words = file.descendants(node).map(|n| file.node_text(n)).filter(|_| is_used);
        words.rfind(|text| is_word(text))
    }

    /// Gives each item the names that it cannot stay without: those that it only tells more of.
    fn repeat(&mut self) {
        let file = self.file;
        for at in 0..self.items.len() {
            let item = &self.items[at];
            let repeats = match self.used_name(item.node).filter(|_| item.parent.is_none()) {
                Some(word) => {
                    let meant = self.meant(word, self.qualifier(item.node));
                    // One of several may do.
                    if meant.len() == 1 { meant } else { Vec::new() }
                }
                None if self.is_outer(at as u32)
                    || is(&file, item.node, "using_declaration")
                    || item.parent.is_none() && self.is_guide(item.node) =>
                {
                    item.names.clone()
                }
                None => continue,
            };
            self.items[at].repeats = repeats;
        }
    }

    /// How the last name of a declaration of names from another scope is looked up.
    fn qualifier(&self, node: NodeId) -> Way<'a> {
        let file = self.file;
        let words: Vec<&[u8]> =
            file.tokens_in(file.range(node)).iter().map(|token| &file.text()[token.range()]).collect();
        match words[..] {
            [.., qualifier, b"::", _, b";"] if is_word(qualifier) && qualifier != b"using" => {
                Way::In(qualifier)
            }
            _ => Way::From(GLOBAL),
        }
    }

    /// Whether an item tells how the arguments of a class template follow from those of its constructor.
    pub(super) fn is_guide(&self, node: NodeId) -> bool {
        let file = self.file;
        let node = declared(file, node);
        let function = child(&file, node, "function_declarator").filter(|_| is(&file, node, "declaration"));
        let is_first = function.is_some_and(|function| {
            let mut before = file.named_children(node).take_while(|&n| n != function);
            before.all(|n| is(&file, n, "explicit_function_specifier"))
        });
        is_first && function.and_then(|n| child(&file, n, "trailing_return_type")).is_some()
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
        let mut items = std::mem::take(&mut self.items);
        let directives: Vec<bool> = items.iter().map(|item| self.is_directive(item.node)).collect();
        mention(self.file, &mut items, |at, item| self.meant_at(at, item, directives[item as usize]));
        for item in &mut items {
            if is(&self.file, item.node, "preproc_call") {
                // The words of a pragma are no names.
                item.mentions.clear();
            }
        }
        self.items = items;
    }

    /// The names that a token of an item may mean, and those that the compiler looks up because of it.
    fn meant_at(&self, at: usize, item: u32, is_directive: bool) -> Vec<u32> {
        let tokens = self.file.tokens();
        let text = |at: usize| tokens.get(at).map_or(&b""[..], |token| &self.file.text()[token.range()]);
        if let Some(&name) = self.defined.get(&tokens[at].start) {
            return vec![name];
        }
        let word = text(at);
        let before = |steps: usize| at.checked_sub(steps).map_or(&b""[..], text);
        let way = match before(1) {
            b"::" if is_word(before(2)) => Way::In(before(2)),
            b"." | b"->" => Way::Member,
            b"::" | b"template" => Way::Any,
            // A call may find a function by the types of its arguments.
            _ if text(at + 1) == b"(" || is_directive => Way::Any,
            _ => Way::From(self.places[item as usize]),
        };
        let binds = || text(at + 1) == b"[" || text(at + 1).starts_with(b"&") && text(at + 2) == b"[";
        let is_sign = |sign: &[u8]| sign == word && (word != b"auto" || binds());
        let implicit = IMPLICIT.iter().filter(|(sign, _)| is_sign(sign)).flat_map(|(_, names)| *names);
        let implicit = implicit.flat_map(|word| self.meant(word, Way::Any));
        self.meant(word, way).into_iter().chain(implicit).collect()
    }

    /// Whether an item is a directive of the preprocessor, such as a macro, which is used anywhere.
    fn is_directive(&self, node: NodeId) -> bool {
        self.file.kind_name(node).starts_with("preproc")
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

/// What a template declares; a node that is no template itself.
pub(super) fn declared(file: File<'_>, mut node: NodeId) -> NodeId {
    let is_template = |n: NodeId| is(&file, n, "template_declaration");
    while let Some(inner) = file.named_children(node).last().filter(|_| is_template(node)) {
        node = inner;
    }
    node
}

/// Whether an item gives another name to a type.
fn is_alias(file: File<'_>, node: NodeId) -> bool {
    matches!(file.kind_name(declared(file, node)), "alias_declaration" | "type_definition")
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
    fn a_name_of_an_inner_name_space_goes_with_what_it_names_although_the_outer_one_has_such_a_name() {
        let text = "namespace n { namespace i { int f(); } int f(int); namespace j { using i::f; } using j::f; }\nint main() { return n::f(1); }\n";
        assert_eq!(freed(text, 37), ["using i::f;", "using j::f;"]);
    }

    #[test]
    fn a_friend_of_a_class_belongs_to_the_name_space_around_it() {
        let text = "namespace n { class s { friend int f(s *); template <class T> friend int g(T); int m; }; int f(s *x) { return x->m; } }\nint h(n::s *x) { return n::f(x); }\nint main() { n::s *y = 0; return y != 0; }\n";
        assert_eq!(without(text, "template"), ["template <class T> friend int g(T);"]);
        let with_f =
            ["friend int f(s *);", "int f(s *x) { return x->m; }", "int h(n::s *x) { return n::f(x); }"];
        assert_eq!(without(text, "int h"), with_f);
    }

    #[test]
    fn a_friend_of_a_class_in_another_one_is_known_everywhere() {
        let text = "namespace n { struct s { struct t; }; }\nstruct n::s::t { friend int f(t *); int m; };\nint f(n::s::t *x) { return x->m; }\nint h(n::s::t *x) { return f(x); }\nint main() { n::s::t *y = 0; return y != 0; }\n";
        assert!(without(text, "int h").contains(&"friend int f(t *);".to_owned()));
    }

    #[test]
    fn name_spaces_within_many_others_count_as_one_in_which_names_are_known() {
        let outer: String = (0..100).map(|at| format!("namespace a{at} {{ ")).collect();
        let inner = "int f() { return 1; } namespace b { int g() { return f(); } }";
        let text = format!("{outer}{inner} {}\nint main() {{ return a0::g(); }}\n", "}".repeat(100));
        assert_eq!(without(&text, "int main")[0], "int f() { return 1; }");
        let base = base("cpp", text.as_bytes());
        let mut items = Items::new(File { id: 0, parsed: base.file(0) });
        items.collect();
        assert!(items.places.iter().max() < Some(&50), "{:?}", items.places);
    }

    #[test]
    fn a_qualifier_and_an_object_tell_which_name_is_meant() {
        let text = "namespace n { int f() { return 1; } namespace i { int f() { return 2; } } }\nstruct s { int f() { return 3; } };\nint g() { return n::i::f(); }\nint h(s *x) { return x->f(); }\nint main() { return 0; }\n";
        assert_eq!(without(text, "int g"), ["int f() { return 2; }", "int g() { return n::i::f(); }"]);
        assert_eq!(without(text, "int f() { return 1"), ["int f() { return 1; }"], "nothing mentions it");
    }

    #[test]
    fn variables_heirs_and_guides_go_with_the_members_of_a_class_although_it_is_still_declared() {
        let text = "template <class T> struct a { T x; };\ntemplate <class T> struct a;\ntemplate <class T> a(T) -> a<T>;\nstruct b : a<int> { };\na<char> c;\na<int> *d;\nextern a<int> e;\nint main() { return d == 0; }\n";
        let users = ["template <class T> a(T) -> a<T>;", "struct b : a<int> { }", "a<char> c;"];
        assert_eq!(freed(text, 37), users);
    }

    #[test]
    fn what_needs_the_members_of_a_class_goes_with_them_although_the_name_stays() {
        let text = "class a { void f(); int g; };\nclass a;\nvoid a::f() { g = 1; }\ntemplate class b<a>;\nint operator+(a, int) { return 1; }\nint main() { a *x = 0; return x == 0; }\n";
        let users = ["void a::f() { g = 1; }", "template class b<a>;", "int operator+(a, int) { return 1; }"];
        assert_eq!(freed(text, 29), users);
    }
}
