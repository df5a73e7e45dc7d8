//! Members that stand for a member of another class or trait of the same file.

use crate::File;
use lopper_languages::bindings::{Definition, Place};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

/// How many other members of its name are looked at for a member.
const OTHERS: usize = 64;

/// Whether a member of a class stands for one of another class of the file, whose name is in the head of its own class.
/// O(places and tokens of the head).
pub(super) fn stands_for_another(file: File<'_>, definition: &Definition, member: Place) -> bool {
    let class = |place: Place| file.parent(place.whole).and_then(|list| Some((file.parent(list)?, list)));
    let Some((own, list)) = class(member).filter(|_| file.has(member.whole, Role::Override)) else {
        return false;
    };
    let head = file.tokens_in(file.range(own).start..file.range(list).start);
    let others = file.places(definition).filter(|place| !file.has(place.whole, Role::Override));
    others.take(OTHERS).any(|place| {
        let around = class(place).filter(|&(class, _)| class != own);
        let name = around.and_then(|(class, _)| name_of(file, class));
        name.is_some_and(|name| head.iter().any(|t| &file.text()[t.range()] == file.node_text(name)))
    })
}

/// The name that a class or trait defines; none for what only gives members to a type.
fn name_of(file: File<'_>, class: NodeId) -> Option<NodeId> {
    let name = file.child_with(class, Role::Name)?;
    let mut places = file.definition(name).into_iter().flat_map(|definition| file.places(definition));
    places.any(|place| place.name == name && place.whole == class).then_some(name)
}

/// Whether the member with this node stands for one of another class of the file.
pub(super) fn is_modelled(file: File<'_>, member: NodeId) -> bool {
    let name = file.child_with(member, Role::Name);
    let definition = name.and_then(|name| file.definition(name));
    definition.is_some_and(|definition| {
        let place = file.places(definition).find(|place| Some(place.name) == name);
        place.is_some_and(|place| stands_for_another(file, definition, place))
    })
}
