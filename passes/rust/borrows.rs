//! Makes a reference of a type with a lifetime, if the program does not define the type: to its first type argument, or to `()`.

use super::head;
use crate::c::{child, is};
use crate::functions::items_of;
use crate::levels::levels;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "borrows",
    summary: "makes a reference of a type with a lifetime",
    languages: &["rust"],
    examples: &[Example {
        language: "rust",
        before: "use b::Cow;\nstruct S<'a, T>(a::Iter<'a, T>);\nimpl<'a> c::D<'a> for S<'a, u8> { fn f(&self, d: Cow<'a>) {} }\n",
        keep: &["struct S<'a, T>(", "'a", " T", "impl<'a> c::D<'a> for S<'a, u8>", "d: "],
        after: "use b::Cow;\nstruct S<'a, T>(&'a T);\nimpl<'a> c::D<'a> for S<'a, u8> { fn f(&self, d: &'a ()) {} }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let levels = levels(PASS.files(base), |file, node| is(&file, node, "generic_type"));
    let groups = levels.into_iter().map(|level| {
        Group::deletions(level.into_iter().filter_map(|(file, node)| borrowed(file, node))).doubtful()
    });
    groups.collect()
}

fn borrowed(file: File<'_>, node: NodeId) -> Option<Unit> {
    let is_own = |name: NodeId| file.definition(name).is_some_and(|d| d.sort != Sort::Import);
    let is_type = file.filler(node).is_some() && !head(file, node).is_some_and(is_own);
    let arguments = child(&file, node, "type_arguments").filter(|_| is_type)?;
    let lifetime = child(&file, arguments, "lifetime")?;
    let argument = items_of(&file, arguments).into_iter().find(|&n| file.has(n, Role::Type));
    let referent = argument.map_or(&b"()"[..], |n| file.node_text(n));
    Some(file.replace(node, [b"&", file.node_text(lifetime), b" ", referent].concat()))
}
