//! Bindings: what names mean: definitions, the scopes they hold in, and their uses.
//!
//! A language's `bindings.scm` says which nodes define names, of what sort, and which open scopes; all
//! else is the same for every language. Tolerant: a use that nothing defines is just unresolved, and what
//! would take types to tell apart (fields and methods of the same name) is one definition.

use crate::role::Role;
use crate::tree::{NodeId, Tree};
use std::collections::HashMap;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// A variable.
    Variable,
    /// A parameter of a function.
    Parameter,
    /// A function or method.
    Function,
    /// A type, by its own name.
    Type,
    /// A structure, union or enumeration, by the name that follows the keyword.
    Tag,
    /// A part of a structure or object.
    Field,
    /// A constant of an enumeration.
    Constant,
    /// A place to jump to.
    Label,
    /// What the preprocessor replaces.
    Macro,
    /// What comes from another file.
    Import,
}

/// Captures that define sorts, as `bindings.scm` spells them.
const SORTS: &[(&str, Sort)] = &[
    ("variable", Sort::Variable),
    ("parameter", Sort::Parameter),
    ("function", Sort::Function),
    ("type", Sort::Type),
    ("tag", Sort::Tag),
    ("field", Sort::Field),
    ("constant", Sort::Constant),
    ("label", Sort::Label),
    ("macro", Sort::Macro),
    ("import", Sort::Import),
];

/// Names of one space are never mistaken for those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Space {
    Ordinary,
    Tag,
    Field,
    Label,
    Keyword,
}

impl Sort {
    fn space(self) -> Space {
        match self {
            Self::Tag => Space::Tag,
            Self::Field => Space::Field,
            Self::Label => Space::Label,
            _ => Space::Ordinary,
        }
    }
}

/// What a capture of `bindings.scm` says of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// `@SORT`: the names defined in it, down to the next such node, are of this sort.
    Holder(Sort),
    /// `@definition`: a name that is defined here; `@definition.SORT`: of a sort of its own.
    Definition(Option<Sort>),
    /// `@use.SORT`: a use in the space of that sort.
    Use(Sort),
    /// `@keyword`: a use of a parameter of some function, in a call.
    Keyword,
    /// `@scope`: names defined below hold below.
    Scope,
    /// `@scope.class`: names defined below hold below, but not in scopes inside; they are fields as well.
    ClassScope,
    /// `@outer`: a name that the scope around shares with the one around that.
    Outer,
    /// `@global`: a name that the scope around shares with the whole file.
    Global,
}

impl Fact {
    /// The fact that a capture's name stands for.
    pub(crate) fn named(capture: &str) -> Option<Self> {
        let sort = |name: &str| SORTS.iter().find(|(n, _)| *n == name).map(|(_, sort)| *sort);
        match capture.split_once('.') {
            Some(("definition", name)) => sort(name).map(|sort| Self::Definition(Some(sort))),
            Some(("use", name)) => sort(name).map(Self::Use),
            Some(("scope", "class")) => Some(Self::ClassScope),
            Some(_) => None,
            None => match capture {
                "definition" => Some(Self::Definition(None)),
                "scope" => Some(Self::Scope),
                "keyword" => Some(Self::Keyword),
                "outer" => Some(Self::Outer),
                "global" => Some(Self::Global),
                name => sort(name).map(Self::Holder),
            },
        }
    }
}

/// Where a name is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name.
    pub name: NodeId,
    /// What goes if the name is no longer to be defined here: a statement or an item of a list.
    pub whole: NodeId,
}

/// A thing that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// What the name stands for.
    pub sort: Sort,
    /// The node in which the name holds.
    pub scope: NodeId,
    /// Where it is defined, declared or given a value; never empty, in the order of the text.
    pub places: Vec<Place>,
    /// Where else the name stands for it, in the order of the text.
    pub uses: Vec<NodeId>,
}

/// What the names of a file mean.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    definitions: Vec<Definition>,
    /// Every resolved name with its definition, in the order of the text.
    names: Vec<(NodeId, u32)>,
}

impl Bindings {
    /// All definitions, in the order of their first places.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// The definition that a name belongs to, by its index. O(log names).
    pub fn of(&self, name: NodeId) -> Option<usize> {
        let at = self.names.binary_search_by_key(&name, |(n, _)| *n).ok()?;
        Some(self.names[at].1 as usize)
    }

    /// The names that stand in a node, each with its definition's index. O(log names) to find the first.
    pub fn within(&self, tree: &Tree, node: NodeId) -> impl Iterator<Item = (NodeId, usize)> {
        let from = self.names.partition_point(|(n, _)| *n < node);
        let inside = self.names[from..].iter().take_while(move |(n, _)| tree.is_within(*n, node));
        inside.map(|&(name, definition)| (name, definition as usize))
    }
}

/// Resolves the names of a tree. O(nodes), plus for each name the scopes around it.
pub(crate) fn resolve(text: &[u8], tree: &Tree, facts: &[(NodeId, Fact)], hoisted: bool) -> Bindings {
    let mut resolver = Resolver::new(text, tree, hoisted);
    // What is shared by a scope needs to know the scopes.
    let is_shared = |fact: Fact| matches!(fact, Fact::Outer | Fact::Global);
    for shared in [false, true] {
        let facts = facts.iter().filter(|(_, fact)| is_shared(*fact) == shared);
        facts.for_each(|&(node, fact)| resolver.note(node, fact));
    }
    resolver.define();
    resolver.resolve()
}

type Key<'a> = (NodeId, Space, &'a [u8]);

struct Resolver<'a> {
    text: &'a [u8],
    tree: &'a Tree,
    /// Whether a name holds in its scope before its definition, too.
    hoisted: bool,
    holders: HashMap<NodeId, Sort>,
    names: HashMap<NodeId, Option<Sort>>,
    uses: HashMap<NodeId, Space>,
    /// Whether a scope is that of a class.
    scopes: HashMap<NodeId, bool>,
    /// Names that a scope shares with the one around, or with the whole file.
    shared: HashMap<(NodeId, &'a [u8]), Fact>,
    known: HashMap<Key<'a>, u32>,
    /// The parameters of a name: if they are several, it takes types to tell which is meant.
    keywords: HashMap<&'a [u8], Vec<u32>>,
    definitions: Vec<Definition>,
}

impl<'a> Resolver<'a> {
    fn new(text: &'a [u8], tree: &'a Tree, hoisted: bool) -> Self {
        Self {
            text,
            tree,
            hoisted,
            holders: HashMap::new(),
            names: HashMap::new(),
            uses: HashMap::new(),
            scopes: HashMap::from([(NodeId::ROOT, false)]),
            shared: HashMap::new(),
            known: HashMap::new(),
            keywords: HashMap::new(),
            definitions: Vec::new(),
        }
    }

    fn note(&mut self, node: NodeId, fact: Fact) {
        match fact {
            Fact::Holder(sort) => {
                self.holders.entry(node).or_insert(sort);
            }
            Fact::Definition(sort) => {
                let known = self.names.entry(node).or_default();
                *known = known.or(sort);
            }
            Fact::Use(sort) => {
                self.uses.insert(node, sort.space());
            }
            Fact::Keyword => {
                self.uses.insert(node, Space::Keyword);
            }
            Fact::Scope => {
                self.scopes.entry(node).or_insert(false);
            }
            Fact::ClassScope => {
                self.scopes.insert(node, true);
            }
            Fact::Outer | Fact::Global => {
                self.shared.insert((self.scope_above(node), self.name(node)), fact);
            }
        }
    }

    fn name(&self, node: NodeId) -> &'a [u8] {
        &self.text[self.tree.range(node)]
    }

    fn scope_above(&self, node: NodeId) -> NodeId {
        self.tree.ancestors(node).find(|n| self.scopes.contains_key(n)).unwrap_or(NodeId::ROOT)
    }

    fn define(&mut self) {
        let mut names: Vec<(NodeId, Option<Sort>)> = self.names.iter().map(|(n, s)| (*n, *s)).collect();
        names.sort_unstable();
        let held: Vec<Option<NodeId>> = names.iter().map(|(name, _)| self.holder(*name)).collect();
        let mut counts: HashMap<NodeId, usize> = HashMap::new();
        held.iter().flatten().for_each(|holder| *counts.entry(*holder).or_default() += 1);
        for ((name, forced), holder) in names.into_iter().zip(held) {
            let Some(holder) = holder else { continue };
            let Some(sort) = forced.or_else(|| self.holders.get(&holder).copied()) else { continue };
            let alone = counts.get(&holder) == Some(&1);
            let place = Place { name, whole: self.whole(name, holder, sort, alone) };
            self.add(self.scope(name, holder, sort), sort, place);
        }
    }

    /// The nearest holder around a name, or the name itself.
    fn holder(&self, name: NodeId) -> Option<NodeId> {
        std::iter::once(name).chain(self.tree.ancestors(name)).find(|n| self.holders.contains_key(n))
    }

    /// The node in which a name holds.
    fn scope(&self, name: NodeId, holder: NodeId, sort: Sort) -> NodeId {
        let heads = |sorts: &'static [Sort]| {
            let is_head = |n: &NodeId| self.holders.get(n).is_some_and(|s| sorts.contains(s));
            self.tree.ancestors(holder).find(is_head).unwrap_or(NodeId::ROOT)
        };
        match sort {
            Sort::Field | Sort::Macro => NodeId::ROOT,
            // Those of a declaration hold in it, whatever it declares.
            Sort::Parameter => heads(&[Sort::Function, Sort::Variable, Sort::Type, Sort::Field]),
            Sort::Label => heads(&[Sort::Function]),
            _ => {
                let mut scope = self.scope_above(holder);
                while scope != NodeId::ROOT
                    && let Some(fact) = self.shared.get(&(scope, self.name(name)))
                {
                    scope = if *fact == Fact::Global { NodeId::ROOT } else { self.scope_above(scope) };
                }
                scope
            }
        }
    }

    /// What goes with a name: the item of a list if its holder defines several, else the holder, or the
    /// statement around it where it cannot go alone.
    fn whole(&self, name: NodeId, holder: NodeId, sort: Sort, alone: bool) -> NodeId {
        let tree = self.tree;
        let path = std::iter::once(name).chain(tree.ancestors(name));
        let child = path.take_while(|&n| n != holder).last().unwrap_or(holder);
        let is_separator = |n: Option<NodeId>| n.is_some_and(|n| tree.has(n, Role::Separator));
        let before = || tree.children(holder).take_while(|&n| n != child).last();
        if !alone && child != holder && (is_separator(tree.next_sibling(child)) || is_separator(before())) {
            return child;
        }
        if matches!(sort, Sort::Parameter | Sort::Constant | Sort::Field)
            && !tree.has(holder, Role::Statement)
        {
            return holder;
        }
        let is_statement = |n: &NodeId| tree.has(*n, Role::Statement);
        std::iter::once(holder).chain(tree.ancestors(holder)).find(is_statement).unwrap_or(holder)
    }

    fn add(&mut self, scope: NodeId, sort: Sort, place: Place) {
        let name = self.name(place.name);
        let key = (scope, sort.space(), name);
        // What a class defines is reached through its objects, too.
        let is_shared = self.scopes.get(&scope) == Some(&true);
        let field = (NodeId::ROOT, Space::Field, name);
        let known = self.known.get(&key).or_else(|| self.known.get(&field).filter(|_| is_shared)).copied();
        let index = known.unwrap_or(self.definitions.len() as u32);
        match self.definitions.get_mut(index as usize) {
            Some(definition) => definition.places.push(place),
            None => self.definitions.push(Definition { sort, scope, places: vec![place], uses: Vec::new() }),
        }
        self.known.insert(key, index);
        if is_shared {
            self.known.insert(field, index);
        }
        if sort == Sort::Parameter {
            let others = self.keywords.entry(name).or_default();
            others.extend(Some(index).filter(|index| !others.contains(index)));
        }
    }

    fn resolve(mut self) -> Bindings {
        let tree = self.tree;
        let mut names: Vec<(NodeId, u32)> = Vec::new();
        for (index, definition) in (0..).zip(&self.definitions) {
            names.extend(definition.places.iter().map(|place| (place.name, index)));
        }
        let mut scopes: Vec<NodeId> = Vec::new();
        for node in tree.nodes() {
            while scopes.last().is_some_and(|&s| !tree.is_within(node, s)) {
                scopes.pop();
            }
            let opens = self.scopes.contains_key(&node) || self.holders.contains_key(&node);
            if opens {
                scopes.push(node);
            }
            if !tree.has(node, Role::Name) || self.names.contains_key(&node) {
                continue;
            }
            if let Some(index) = self.look_up(&scopes, node) {
                names.push((node, index));
                self.definitions[index as usize].uses.push(node);
            }
        }
        names.sort_unstable();
        Bindings { definitions: self.definitions, names }
    }

    /// The definition of a use in these scopes, innermost last.
    fn look_up(&self, scopes: &[NodeId], node: NodeId) -> Option<u32> {
        let name = self.name(node);
        let space = self.uses.get(&node).copied().unwrap_or(Space::Ordinary);
        if space == Space::Keyword {
            return self
                .keywords
                .get(name)
                .and_then(|all| if let [only] = all[..] { Some(only) } else { None });
        }
        let mut is_inner = false;
        let mut later = None;
        for &scope in scopes.iter().rev() {
            let is_class = self.scopes.get(&scope).copied();
            if let Some(&index) = self.known.get(&(scope, space, name))
                && !(is_inner && is_class == Some(true))
            {
                let first = self.definitions[index as usize].places[0].name;
                if self.hoisted || space != Space::Ordinary || first < node {
                    return Some(index);
                }
                later = later.or(Some(index));
            }
            is_inner |= is_class == Some(false);
        }
        later
    }
}

#[cfg(test)]
mod tests {
    use crate::Parsed;
    use std::fmt::Write;

    /// A line a definition: its sort, its name, then the lines (from 1) of its places and of its uses.
    fn bindings(language: &str, text: &str) -> String {
        let language = crate::named(language).unwrap_or(&crate::text::TEXT);
        let file = Parsed::new(language, text.as_bytes().to_vec());
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        let lines = |nodes: Vec<_>| -> Vec<usize> {
            nodes.into_iter().map(|n| line(file.tree().range(n).start)).collect()
        };
        let mut out = String::new();
        for definition in file.bindings().definitions() {
            let name = file.node_text(definition.places[0].name);
            let places = lines(definition.places.iter().map(|p| p.name).collect());
            let uses = lines(definition.uses.clone());
            let name = String::from_utf8_lossy(name);
            let _ = writeln!(out, "{:?} {name} {places:?} {uses:?}", definition.sort);
        }
        out
    }

    #[test]
    fn names_of_c_are_told_apart_by_scope_and_space() {
        let text = "typedef struct s { int s; } t;
int f(int a, t b);
int x, *y = &x;
int f(int a, t b) {
    int x = a + b.s;
    { char x; x = 1; }
    goto x;
x:  return x + f(a, b);
}
enum { A, B = A };
#define M A
int (*p)(int) = f, q[M];
struct s z = { .s = B };
";
        let expected = "Tag s [1] [13]
Field s [1] [5, 13]
Type t [1] [2, 4]
Function f [2, 4] [8, 12]
Parameter a [2] []
Parameter b [2] []
Variable x [3] [3]
Variable y [3] []
Parameter a [4] [5, 8]
Parameter b [4] [5, 8]
Variable x [5] [8]
Variable x [6] [6]
Label x [8] [7]
Constant A [10] [10]
Constant B [10] [13]
Macro M [11] [12]
Variable p [12] []
Variable q [12] []
Variable z [13] []
";
        assert_eq!(bindings("c", text), expected);
    }

    #[test]
    fn old_c_needs_no_types() {
        let text = "x;\nint f(a, b) float b; { x = a + b; }\nint main() { f(x); }\n";
        let expected = "Variable x [1] [2, 3]
Function f [2] [3]
Parameter a [2] [2]
Parameter b [2, 2] [2]
Function main [3] []
";
        assert_eq!(bindings("c", text), expected);
    }

    #[test]
    fn names_of_python_hold_in_the_whole_scope_and_those_of_classes_only_there() {
        let text = "import os.path, sys as s
from m import n
count = 0
class A(n):
    limit = 1
    def f(self, a, *rest, b=count):
        global count
        count = a + b + self.limit
        self.value = limit
        return [x for x in rest if x]
    @property
    def g(self): return self.f(self.value)
def h(): return later
later = lambda y: y + os.sep + s
with open(later) as w: print(w, A().g, b=later, self=w)
";
        let expected = "Import os [1] [14]
Import s [1] [14]
Import n [2] [4]
Variable count [3, 8] [6, 7]
Type A [4] [15]
Variable limit [5] [8]
Function f [6] [12]
Parameter self [6] [8, 9]
Parameter a [6] [8]
Parameter rest [6] [10]
Parameter b [6] [8, 15]
Field value [9] [12]
Variable x [10] [10, 10]
Function g [12] [15]
Parameter self [12] [12, 12]
Function h [13] []
Variable later [14] [13, 15, 15]
Parameter y [14] [14]
Variable w [15] [15, 15]
";
        assert_eq!(bindings("python", text), expected);
    }

    #[test]
    fn what_goes_with_a_name_is_an_item_or_a_statement() {
        let text = b"int a, *b = 0; struct s { int c; } d; enum { E, F }; int f(int g) { int h; }\n";
        let file = Parsed::new(&crate::c::C, text.to_vec());
        let places = file.bindings().definitions().iter().map(|d| d.places[0].whole);
        let wholes: Vec<_> = places.map(|n| String::from_utf8_lossy(file.node_text(n))).collect();
        let expected = [
            "a",
            "*b = 0",
            "struct s { int c; } d;",
            "int c;",
            "struct s { int c; } d;",
            "E",
            "F",
            "int f(int g) { int h; }",
            "int g",
            "int h;",
        ];
        assert_eq!(wholes, expected);
    }
}
