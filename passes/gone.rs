//! Nodes that are deleted together, and the definitions that are lost with them.

use crate::file::Key;
use crate::links::Links;
use crate::{Base, File, cpp};
use lopper_languages::bindings::Definition;
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A node with its file.
pub(crate) type Node = (FileId, NodeId);

/// Deleted nodes, none of which is within another one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gone(BTreeSet<Node>);

impl Gone {
    /// Whether a node is deleted, by itself or with a node around it: no other than the last one before it can be around
    /// it. O(log nodes).
    pub(crate) fn contains(&self, base: &Base, (file, node): Node) -> bool {
        let before = self.0.range(..=(file, node)).next_back();
        before.is_some_and(|&(other, n)| other == file && base.file(file).tree().is_within(node, n))
    }

    /// Deletes a node that is not deleted yet, in the place of the nodes in it.
    pub(crate) fn insert(&mut self, base: &Base, (file, node): Node) {
        let tree = base.file(file).tree();
        let inner = self.0.range((file, node)..);
        let inner = inner.take_while(|&&(other, n)| other == file && tree.is_within(n, node));
        let inner: Vec<Node> = inner.copied().collect();
        for node in inner {
            self.0.remove(&node);
        }
        self.0.insert((file, node));
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The nodes, in order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> {
        self.0.iter().copied()
    }
}

/// The names that lose what they need with some others, although other places define the same names: the uses in a class
/// whose member is lost while other classes have such a member, and all of a class of which only the name is declared any
/// more, since few uses do without its members.
pub(crate) fn bereft(file: File<'_>, names: impl Iterator<Item = (NodeId, usize)>) -> Vec<NodeId> {
    let bindings = file.bindings();
    let classes = CLASSES.iter().find(|(language, _)| *language == file.language().name());
    let mut bereft = Vec::new();
    for (name, index) in names {
        let definition = &bindings.definitions()[index];
        let Some(place) = definition.places.iter().find(|place| place.name == name) else { continue };
        if definition.places.len() < 2 || definition.uses.len() > MOST {
            continue;
        }
        let others = || definition.places.iter().filter(|other| other.name != name);
        let uses = definition.uses.iter().map(|used| used.name);
        if bindings.is_member(index) {
            let Some(class) = file.ancestors(place.name).find(|&n| file.has(n, Role::Block)) else {
                continue;
            };
            let is_inside = |node: NodeId| file.tree().is_within(node, class);
            if !others().any(|other| is_inside(other.name)) {
                bereft.extend(uses.filter(|&used| is_inside(used) && is_alone(file, used)));
            }
        } else if let Some((_, defines)) = classes
            && defines(file, place.whole)
            && !others().any(|other| defines(file, other.whole))
        {
            bereft.extend(others().map(|other| other.name));
            bereft.extend(uses);
        }
    }
    bereft
}

/// A language whose classes may be declared without their members: its name, and whether a node defines a class with members.
type Classes = (&'static str, fn(File<'_>, NodeId) -> bool);

const CLASSES: &[Classes] = &[("cpp", cpp::complete::defines_members)];

/// A name with more uses is left alone.
const MOST: usize = 512;

/// Whether no object, class or name space stands before a name.
fn is_alone(file: File<'_>, name: NodeId) -> bool {
    let tokens = file.tokens();
    let at = tokens.partition_point(|token| (token.start as usize) < file.range(name).start);
    let before = at.checked_sub(1).map(|at| &file.text()[tokens[at].range()]);
    !before.is_some_and(|word| file.language().lexis().is_access(word))
}

/// The definitions that are lost with some of their names: those of which no name is left, but not those that were `seen`.
pub(crate) fn lost<'a>(
    links: &'a Links<'a>,
    file: FileId,
    names: impl Iterator<Item = (NodeId, usize)>,
    seen: &mut BTreeSet<Key>,
    is_gone: impl Fn(Node) -> bool,
) -> Vec<&'a Definition> {
    let mut lost = Vec::new();
    for (name, index) in names {
        let key = links.key((file, index));
        let definition = links.get(key);
        let mut places = definition.places.iter().map(|place| (place.file, place.name));
        let is_place = places.clone().any(|place| place == (file, name));
        if is_place && places.all(&is_gone) && seen.insert(key) {
            lost.push(definition);
        }
    }
    lost
}

/// Identifies a definition and a way to delete it. What depends on a definition of weight may be half of the program,
/// and would not look the same after any commit.
pub(crate) fn subject(base: &Base, definition: &Definition, way: usize) -> u64 {
    let place = definition.places[0];
    let mut hash = DefaultHasher::new();
    (base.file(place.file).node_text(place.name), definition.sort, way).hash(&mut hash);
    hash.finish()
}
