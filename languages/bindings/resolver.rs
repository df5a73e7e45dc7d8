//! Resolves names: from the facts that a query gives to the definition of each name.

use super::{Bindings, Call, Definition, Fact, Place, Sort, Space, Use};
use crate::edit::FileId;
use crate::role::Role;
use crate::tree::{NodeId, Tree};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Resolves the names of the tree of a file. O(nodes), plus for each name the scopes around it.
pub(crate) fn resolve(file: FileId, text: &[u8], tree: &Tree, facts: &[(NodeId, Fact)]) -> Bindings {
    let mut resolver = Resolver::new(file, text, tree);
    // Shared names are noted last, since they need the scopes.
    let is_shared = |fact: Fact| matches!(fact, Fact::Outer | Fact::Global);
    for shared in [false, true] {
        let facts = facts.iter().filter(|(_, fact)| is_shared(*fact) == shared);
        facts.for_each(|&(node, fact)| resolver.note(node, fact));
    }
    resolver.define();
    resolver.resolve()
}

/// Where the names that a scope defines can be used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Inside it.
    Block,
    /// Inside it but not in nested scopes, and as a field.
    Class,
    /// Inside it, and as a field.
    Members,
}

/// The last part of a path that is no version: `b` of `a/b`, `a/b/v2` and `a/b.v2`.
fn last_part(path: &[u8]) -> &[u8] {
    let is_version = |part: &[u8]| {
        part.strip_prefix(b"v").is_some_and(|n| !n.is_empty() && n.iter().all(u8::is_ascii_digit))
    };
    let part = path.rsplit(|&c| c == b'/').find(|part| !is_version(part)).unwrap_or(path);
    match part.iter().rposition(|&c| c == b'.') {
        Some(dot) if is_version(&part[dot + 1..]) => &part[..dot],
        _ => part,
    }
}

/// What is around a use, outermost first.
#[derive(Default)]
struct Around {
    /// The scopes and the holders of definitions.
    scopes: Vec<NodeId>,
    /// The nodes that are read before the names that their parents define are known.
    before: Vec<NodeId>,
}

type Key<'a> = (NodeId, Space, &'a [u8]);

struct Resolver<'a> {
    file: FileId,
    text: &'a [u8],
    tree: &'a Tree,
    /// Scopes in which names of a sort, or of all sorts, are visible before their definitions.
    hoisted: HashSet<(NodeId, Option<Sort>)>,
    holders: HashMap<NodeId, Sort>,
    names: HashMap<NodeId, Option<Sort>>,
    uses: HashMap<NodeId, Space>,
    /// Paths whose last parts are names.
    paths: HashSet<NodeId>,
    /// Uses that declare a type where nothing else does.
    introductions: HashSet<NodeId>,
    callees: Vec<NodeId>,
    /// Names of functions that are called when the class around them is called.
    constructors: Vec<NodeId>,
    /// The names of base classes.
    bases: Vec<NodeId>,
    /// Words that call the constructor of the class around them, or of its base classes.
    constructing: BTreeMap<NodeId, bool>,
    scopes: HashMap<NodeId, Extent>,
    /// The scopes inside which the names that they hold are visible.
    own_scopes: HashSet<NodeId>,
    /// Names that are not definitions, whatever other facts say.
    mentions: HashSet<NodeId>,
    /// Names of members that are defined outside their class.
    members: HashSet<NodeId>,
    /// The statements that own names, with their own names.
    owners: HashMap<NodeId, &'a [u8]>,
    /// Names that can be reached only behind that of their owner.
    owned: HashSet<NodeId>,
    /// The definitions of such names, by the name of the owner and their own.
    of_owners: HashMap<(&'a [u8], &'a [u8]), u32>,
    /// Whether a name that nothing else defines may be a field.
    has_members: bool,
    /// Nodes that are read before the names that their parents define are known.
    before: HashSet<NodeId>,
    /// Names that a scope shares with the scope around it, or with the whole file.
    shared: HashMap<(NodeId, &'a [u8]), Fact>,
    known: HashMap<Key<'a>, u32>,
    /// The parameters with each name.
    parameters: HashMap<&'a [u8], Vec<u32>>,
    definitions: Vec<Definition>,
}

impl<'a> Resolver<'a> {
    fn new(file: FileId, text: &'a [u8], tree: &'a Tree) -> Self {
        Self {
            file,
            text,
            tree,
            hoisted: HashSet::new(),
            holders: HashMap::new(),
            names: HashMap::new(),
            uses: HashMap::new(),
            paths: HashSet::new(),
            introductions: HashSet::new(),
            callees: Vec::new(),
            constructors: Vec::new(),
            bases: Vec::new(),
            constructing: BTreeMap::new(),
            scopes: HashMap::from([(NodeId::ROOT, Extent::Block)]),
            own_scopes: HashSet::new(),
            mentions: HashSet::new(),
            members: HashSet::new(),
            owners: HashMap::new(),
            owned: HashSet::new(),
            of_owners: HashMap::new(),
            has_members: false,
            before: HashSet::new(),
            shared: HashMap::new(),
            known: HashMap::new(),
            parameters: HashMap::new(),
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
            Fact::Path => {
                self.paths.insert(node);
            }
            Fact::Keyword => {
                self.uses.insert(node, Space::Keyword);
            }
            Fact::Introduction => {
                self.introductions.insert(node);
            }
            Fact::Callee => self.callees.push(node),
            Fact::Constructor => self.constructors.push(node),
            Fact::Base => self.bases.push(node),
            Fact::Constructing { base } => {
                self.constructing.insert(node, base);
            }
            Fact::Scope => {
                self.scopes.entry(node).or_insert(Extent::Block);
            }
            Fact::OwnScope => {
                self.scopes.entry(node).or_insert(Extent::Block);
                self.own_scopes.insert(node);
            }
            Fact::ClassScope => {
                self.scopes.insert(node, Extent::Class);
            }
            Fact::MemberScope => {
                self.scopes.insert(node, Extent::Members);
                self.has_members = true;
            }
            Fact::Qualified => {
                self.uses.insert(node, Space::Qualified);
            }
            Fact::Mention => {
                self.mentions.insert(node);
            }
            Fact::Member => {
                self.members.insert(node);
            }
            Fact::Owner => {
                let statement = self.tree.ancestors(node).find(|&n| self.tree.has(n, Role::Statement));
                self.owners.extend(statement.map(|statement| (statement, self.name(node))));
            }
            Fact::Owned => {
                self.owned.insert(node);
            }
            Fact::Before => {
                self.before.insert(node);
            }
            Fact::Hoisted(sort) => {
                self.hoisted.insert((node, sort));
            }
            Fact::Outer | Fact::Global => {
                self.shared.insert((self.scope_above(node), self.name(node)), fact);
            }
        }
    }

    fn name(&self, node: NodeId) -> &'a [u8] {
        let text = &self.text[self.tree.range(node)];
        if self.paths.contains(&node) { last_part(text) } else { text }
    }

    fn scope_above(&self, node: NodeId) -> NodeId {
        self.tree.ancestors(node).find(|n| self.scopes.contains_key(n)).unwrap_or(NodeId::ROOT)
    }

    fn define(&mut self) {
        self.names.retain(|name, _| !self.mentions.contains(name));
        let mut names: Vec<(NodeId, Option<Sort>)> = self.names.iter().map(|(n, s)| (*n, *s)).collect();
        names.sort_unstable();
        let held: Vec<Option<NodeId>> = names.iter().map(|(name, _)| self.holder(*name)).collect();
        let mut counts: HashMap<NodeId, usize> = HashMap::new();
        held.iter().flatten().for_each(|holder| *counts.entry(*holder).or_default() += 1);
        for ((name, forced), holder) in names.into_iter().zip(held) {
            let Some(holder) = holder else { continue };
            let Some(sort) = forced.or_else(|| self.holders.get(&holder).copied()) else { continue };
            let alone = counts.get(&holder) == Some(&1);
            let place = Place { file: self.file, name, whole: self.whole(name, holder, sort, alone) };
            self.add(self.scope(name, holder, sort), self.scope_above(holder), sort, place);
        }
    }

    /// The nearest holder around a name, or the name itself.
    fn holder(&self, name: NodeId) -> Option<NodeId> {
        std::iter::once(name).chain(self.tree.ancestors(name)).find(|n| self.holders.contains_key(n))
    }

    /// The node in which a name is visible.
    fn scope(&self, name: NodeId, holder: NodeId, sort: Sort) -> NodeId {
        let heads = |sorts: &'static [Sort]| {
            let is_head = |n: &NodeId| self.holders.get(n).is_some_and(|s| sorts.contains(s));
            self.tree.ancestors(holder).find(is_head).unwrap_or(NodeId::ROOT)
        };
        match sort {
            Sort::Field | Sort::Macro => NodeId::ROOT,
            // The parameters of a declaration are visible in it, whatever it declares.
            Sort::Parameter => heads(&[Sort::Function, Sort::Variable, Sort::Type, Sort::Field, Sort::Macro]),
            // A lifetime in Rust is a label, too, and may belong to a type.
            Sort::Label => heads(&[Sort::Function, Sort::Type]),
            _ => {
                let is_own = self.own_scopes.contains(&holder);
                let mut scope = if is_own { holder } else { self.scope_above(holder) };
                while scope != NodeId::ROOT
                    && let Some(fact) = self.shared.get(&(scope, self.name(name)))
                {
                    scope = if *fact == Fact::Global { NodeId::ROOT } else { self.scope_above(scope) };
                }
                scope
            }
        }
    }

    /// The node to delete for the definition of a name: the list item if the holder defines several names (the innermost
    /// one in an import), otherwise the holder, or the statement around it if the holder cannot be deleted alone.
    fn whole(&self, name: NodeId, holder: NodeId, sort: Sort, alone: bool) -> NodeId {
        let tree = self.tree;
        let path = || std::iter::once(name).chain(tree.ancestors(name)).take_while(|&n| n != holder);
        let child = path().last().unwrap_or(holder);
        let is_separator = |n: Option<NodeId>| n.is_some_and(|n| tree.has(n, Role::Separator));
        let is_item = |&n: &NodeId| {
            let before = || tree.children(tree.parent(n)?).take_while(|&other| other != n).last();
            n != holder && (is_separator(tree.next_sibling(n)) || is_separator(before()))
        };
        // The list of an import may be within another one.
        let inner = path().find(|n| sort == Sort::Import && is_item(n));
        if let Some(item) = inner.or(Some(child).filter(is_item)).filter(|_| !alone) {
            return item;
        }
        if matches!(sort, Sort::Parameter | Sort::Constant | Sort::Field)
            && !tree.has(holder, Role::Statement)
        {
            return holder;
        }
        let is_statement = |n: &NodeId| tree.has(*n, Role::Statement);
        std::iter::once(holder).chain(tree.ancestors(holder)).find(is_statement).unwrap_or(holder)
    }

    /// Adds a place of a name that is visible in `scope` and stands in the scope `around`.
    fn add(&mut self, scope: NodeId, around: NodeId, sort: Sort, place: Place) {
        let name = self.name(place.name);
        if let Some(owner) = self.owner(place.name).filter(|_| self.owned.contains(&place.name)) {
            self.add_owned(owner, name, scope, sort, place);
            return;
        }
        let key = match self.members.contains(&place.name) {
            true => (NodeId::ROOT, Space::Field, name),
            false => (scope, sort.space(), name),
        };
        // The names that a class defines can also be reached through its objects.
        let is_shared = self.scopes.get(&scope).is_some_and(|extent| *extent != Extent::Block);
        let field = (NodeId::ROOT, Space::Field, name);
        let known = self.known.get(&key).or_else(|| self.known.get(&field).filter(|_| is_shared)).copied();
        let index = self.add_to(known, scope, sort, place);
        self.known.insert(key, index);
        if is_shared {
            self.known.insert(field, index);
        }
        if sort == Sort::Field && self.scopes.get(&around) == Some(&Extent::Members) {
            self.known.insert((around, Space::Ordinary, name), index);
        }
        if sort == Sort::Parameter {
            let others = self.parameters.entry(name).or_default();
            others.extend(Some(index).filter(|index| !others.contains(index)));
        }
    }

    /// Adds a place to a known definition, or to a new one.
    fn add_to(&mut self, known: Option<u32>, scope: NodeId, sort: Sort, place: Place) -> u32 {
        let index = known.unwrap_or(self.definitions.len() as u32);
        match self.definitions.get_mut(index as usize) {
            Some(definition) => definition.places.push(place),
            None => self.definitions.push(Definition {
                sort,
                scope,
                places: vec![place],
                uses: Vec::new(),
                calls: Vec::new(),
            }),
        }
        index
    }

    /// Adds a place of a name that is reached behind that of its owner. Where the owner is not known, it is a member of
    /// anything, as other members are.
    fn add_owned(&mut self, owner: &'a [u8], name: &'a [u8], scope: NodeId, sort: Sort, place: Place) {
        let known = self.of_owners.get(&(owner, name)).copied();
        let index = self.add_to(known, scope, sort, place);
        self.of_owners.insert((owner, name), index);
        self.known.entry((NodeId::ROOT, Space::Field, name)).or_insert(index);
    }

    /// The name of the owner of the names in the statement around a node.
    fn owner(&self, node: NodeId) -> Option<&'a [u8]> {
        self.tree.ancestors(node).find_map(|n| self.owners.get(&n).copied())
    }

    /// What a name behind that of an owner stands for: `b` in `A::b`, and in `Self::b` within what belongs to `A`.
    fn look_up_owned(&self, node: NodeId) -> Option<u32> {
        let tree = self.tree;
        let mut before = tree.parent(node).and_then(|path| tree.children(path).next());
        while let Some(inner) = before.filter(|&n| !tree.has(n, Role::Name)) {
            let parts = tree.named_children(inner).filter(|&n| !tree.has(n, Role::TypeArguments));
            before = parts.last();
        }
        let owner = self.name(before?);
        let owner = if owner == b"Self" { self.owner(node)? } else { owner };
        self.of_owners.get(&(owner, self.name(node))).copied()
    }

    fn resolve(mut self) -> Bindings {
        let file = self.file;
        let calls = self.calls();
        let mut meanings = self.look_up_all();
        self.look_up_keywords(&calls, &mut meanings);
        let mut names: Vec<(NodeId, u32)> = Vec::new();
        for (index, definition) in (0..).zip(&self.definitions) {
            names.extend(definition.places.iter().map(|place| (place.name, index)));
        }
        let mut unresolved: Vec<(NodeId, u32)> = Vec::new();
        let mut free: Vec<(Space, Vec<NodeId>)> = Vec::new();
        let mut known: HashMap<(Space, &[u8]), usize> = HashMap::new();
        for (name, index) in meanings {
            if let Some(index) = index {
                names.push((name, index));
                self.definitions[index as usize].uses.push(Use { file, name });
                continue;
            }
            let index = *known.entry((self.space(name), self.name(name))).or_insert(free.len());
            if index == free.len() {
                free.push((self.space(name), Vec::new()));
            }
            free[index].1.push(name);
            unresolved.push((name, index as u32));
        }
        self.add_shorthands();
        names.sort_unstable();
        let members = self.known.iter().filter(|((_, space, _), _)| *space == Space::Field);
        let members = members.map(|(_, index)| *index).chain(self.of_owners.values().copied()).collect();
        let constructors = self.constructors_of_classes();
        let constructed = self.constructed();
        let is_introduced = |names: &Vec<NodeId>| names.iter().any(|name| self.introductions.contains(name));
        let introduced = (0..free.len()).filter(|&group| is_introduced(&free[group].1)).collect();
        let mut bindings = Bindings {
            file,
            definitions: self.definitions,
            names,
            unresolved,
            free,
            introduced,
            members,
            calls,
            constructors,
        };
        for call in &bindings.calls {
            let classes = constructed.get(&call.whole).into_iter().flatten().copied();
            let names = classes.chain([call.callee]);
            let called: BTreeSet<usize> = names.filter_map(|name| bindings.of(name)).collect();
            for index in called {
                bindings.definitions[index].calls.push(*call);
            }
        }
        bindings
    }

    /// Adds the uses of fields by names that stand for variables, too.
    fn add_shorthands(&mut self) {
        let tree = self.tree;
        let mut changed = HashSet::new();
        for name in tree.nodes().filter(|&n| tree.has(n, Role::Shorthand)) {
            if let Some(&index) = self.known.get(&(NodeId::ROOT, Space::Field, self.name(name))) {
                self.definitions[index as usize].uses.push(Use { file: self.file, name });
                changed.insert(index);
            }
        }
        for index in changed {
            let uses = &mut self.definitions[index as usize].uses;
            uses.sort_unstable();
            uses.dedup();
        }
    }

    /// The calls of named things, in the order of the text.
    fn calls(&self) -> Vec<Call> {
        let call =
            |&callee: &NodeId| Some(Call { file: self.file, whole: self.call_around(callee)?, callee });
        let mut calls: Vec<Call> =
            self.callees.iter().chain(self.constructing.keys()).filter_map(call).collect();
        calls.sort_unstable();
        calls.dedup_by_key(|call| call.whole);
        calls
    }

    /// The names of the classes whose constructors each call with a word such as `super` calls.
    fn constructed(&self) -> HashMap<NodeId, Vec<NodeId>> {
        if self.constructing.is_empty() {
            return HashMap::new();
        }
        let class = |node: NodeId| {
            let is_class = |n: &NodeId| self.holders.get(n) == Some(&Sort::Type);
            self.tree.ancestors(node).find(is_class)
        };
        let mut bases: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for &name in &self.bases {
            bases.entry(class(name).unwrap_or(NodeId::ROOT)).or_default().push(name);
        }
        let mut own: HashMap<NodeId, NodeId> = HashMap::new();
        let places = self.definitions.iter().filter(|d| d.sort == Sort::Type).flat_map(|d| &d.places);
        for place in places {
            own.extend(self.holder(place.name).map(|holder| (holder, place.name)));
        }
        let called = |(&word, &of_bases): (&NodeId, &bool)| {
            let class = class(word)?;
            let own = || own.get(&class).map(|&name| vec![name]);
            let names = if of_bases { bases.get(&class).cloned() } else { own() };
            Some((self.call_around(word)?, names?))
        };
        self.constructing.iter().filter_map(called).collect()
    }

    fn call_around(&self, node: NodeId) -> Option<NodeId> {
        self.tree.ancestors(node).find(|&n| self.tree.has(n, Role::Call))
    }

    fn space(&self, name: NodeId) -> Space {
        self.uses.get(&name).copied().unwrap_or(Space::Ordinary)
    }

    /// All names except those of places, in the order of the text, with their definitions; those of keywords
    /// are missing yet.
    fn look_up_all(&self) -> Vec<(NodeId, Option<u32>)> {
        let tree = self.tree;
        let mut meanings = Vec::new();
        let mut around = Around::default();
        for node in tree.nodes() {
            for nodes in [&mut around.scopes, &mut around.before] {
                while nodes.last().is_some_and(|&n| !tree.is_within(node, n)) {
                    nodes.pop();
                }
            }
            if self.scopes.contains_key(&node) || self.holders.contains_key(&node) {
                around.scopes.push(node);
            }
            around.before.extend(self.before.get(&node));
            if tree.has(node, Role::Name) && !self.names.contains_key(&node) {
                meanings.push((node, self.look_up(&around, node)));
            }
        }
        meanings
    }

    /// The definition of a use inside these nodes.
    fn look_up(&self, around: &Around, node: NodeId) -> Option<u32> {
        let name = self.name(node);
        let known = |space| self.known.get(&(NodeId::ROOT, space, name)).copied();
        match self.space(node) {
            Space::Qualified => {
                self.look_up_owned(node).or_else(|| known(Space::Ordinary)).or_else(|| known(Space::Field))
            }
            Space::Ordinary if self.has_members => {
                self.look_up_in(around, node, name, Space::Ordinary).or_else(|| known(Space::Field))
            }
            space => self.look_up_in(around, node, name, space),
        }
    }

    fn look_up_in(&self, around: &Around, node: NodeId, name: &[u8], space: Space) -> Option<u32> {
        let mut is_inner = false;
        let mut later = None;
        for &scope in around.scopes.iter().rev() {
            let extent = self.scopes.get(&scope).copied();
            if let Some(&index) = self.known.get(&(scope, space, name))
                && !(is_inner && extent == Some(Extent::Class))
                && !self.is_read_before(around, index)
            {
                let definition = &self.definitions[index as usize];
                let is_hoisted =
                    [None, Some(definition.sort)].iter().any(|sort| self.hoisted.contains(&(scope, *sort)));
                if is_hoisted || space != Space::Ordinary || definition.places[0].name < node {
                    return Some(index);
                }
                later = later.or(Some(index));
            }
            is_inner |= extent == Some(Extent::Block);
        }
        later
    }

    /// Whether what is inside these nodes is read before a definition is known.
    fn is_read_before(&self, around: &Around, index: u32) -> bool {
        let name = self.definitions[index as usize].places[0].name;
        // Each of these nodes lies within the one before it, so the last parent that begins before the name decides.
        let begins_before = |&node: &NodeId| self.tree.parent(node).is_some_and(|parent| parent < name);
        let at = around.before.partition_point(begins_before);
        at > 0 && name < around.before[at - 1]
    }

    /// Resolves the keywords of calls to parameters.
    fn look_up_keywords(&self, calls: &[Call], meanings: &mut [(NodeId, Option<u32>)]) {
        let mut constructors: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for &name in &self.constructors {
            constructors.entry(self.scope_above_function(name)).or_default().extend(self.holder(name));
        }
        for at in 0..meanings.len() {
            let (keyword, _) = meanings[at];
            if self.space(keyword) != Space::Keyword {
                continue;
            }
            let callee = self.call_around(keyword).and_then(|whole| {
                let call = calls.binary_search_by_key(&whole, |call| call.whole).ok()?;
                let callee = meanings.binary_search_by_key(&calls[call].callee, |(name, _)| *name).ok()?;
                meanings[callee].1
            });
            meanings[at].1 = callee.and_then(|callee| self.parameter(callee, keyword, &constructors));
        }
    }

    /// The names of constructors, each after the definition of its class.
    fn constructors_of_classes(&self) -> Vec<(u32, NodeId)> {
        let held = |node: &NodeId, sort| self.holders.get(node) == Some(&sort);
        let mut names: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for &name in &self.constructors {
            let function = self.tree.ancestors(name).find(|&n| self.tree.has(n, Role::Function));
            let mut above = function.into_iter().flat_map(|function| self.tree.ancestors(function));
            let class = above.find(|n| held(n, Sort::Type) || held(n, Sort::Function));
            if let Some(class) = class.filter(|class| held(class, Sort::Type)) {
                names.entry(class).or_default().push(name);
            }
        }
        let mut pairs = Vec::new();
        for (index, definition) in (0..).zip(&self.definitions).filter(|_| !names.is_empty()) {
            let classes = definition.places.iter().filter_map(|place| self.holder(place.name));
            let own = classes.filter_map(|class| names.get(&class)).flatten();
            pairs.extend(own.map(|&name| (index, name)).filter(|_| definition.sort == Sort::Type));
        }
        pairs.sort_unstable();
        pairs
    }

    /// The class or other scope around a function.
    fn scope_above_function(&self, name: NodeId) -> NodeId {
        self.holder(name).map_or(NodeId::ROOT, |function| self.scope_above(function))
    }

    /// The parameter that a keyword names in a call of this definition. If several functions may be called,
    /// as with methods of the same name, the first one with such a parameter counts. If the functions are
    /// unknown, as with a variable that holds one, the keyword must name the only parameter of that name in
    /// the file. The parameters of imported functions are unknown.
    fn parameter(
        &self,
        callee: u32,
        keyword: NodeId,
        constructors: &HashMap<NodeId, Vec<NodeId>>,
    ) -> Option<u32> {
        let name = self.name(keyword);
        let definition = &self.definitions[callee as usize];
        let is_function = |node: &NodeId| self.holders.get(node) == Some(&Sort::Function);
        let mut functions: Vec<NodeId> = Vec::new();
        for place in &definition.places {
            let Some(holder) = self.holder(place.name) else { continue };
            let value = self.tree.child_with(holder, Role::Value);
            functions.extend([Some(holder), value].into_iter().flatten().filter(is_function));
            functions.extend(constructors.get(&holder).into_iter().flatten());
        }
        let parameter = |function: &NodeId| {
            let index = *self.known.get(&(*function, Space::Ordinary, name))?;
            (self.definitions[index as usize].sort == Sort::Parameter).then_some(index)
        };
        if functions.is_empty() && definition.sort != Sort::Import {
            let all = self.parameters.get(name)?;
            return if let [only] = all[..] { Some(only) } else { None };
        }
        functions.iter().find_map(parameter)
    }
}
