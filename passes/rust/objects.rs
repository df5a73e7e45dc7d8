//! Puts a function that takes the type arguments of a trait object in the place of the object: where only the types matter,
//! that needs no trait, and no box around it.

use crate::c::{all, child, is};
use crate::functions::items_of;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "objects",
    summary: "replaces the type of a trait object by that of a function",
    languages: &["rust"],
    proves: true,
    examples: &[Example {
        language: "rust",
        before: "type A = Box<dyn for<'a> B<'a, &'a u8, C = D>>;\nfn f(x: &'static dyn Fn(u8) -> E, y: &dyn F<u8>, z: &dyn G) {}\n",
        keep: &["type A = ", "fn f(x: ", "y: &", "z: &dyn G"],
        after: "type A = for<'a> fn(&'a u8, D);\nfn f(x: fn(u8) -> E, y: &fn(u8), z: &dyn G) {}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS
        .files(base)
        .flat_map(|file| all(file, "dynamic_type").map(move |object| ways(file, object).unwrap_or_default()));
    vec![Group::choices(ways).doubtful()]
}

/// The function stands in the place of the pointer to the object, or of the object.
fn ways(file: File<'_>, object: NodeId) -> Option<Vec<Unit>> {
    let bound = file.named_children(object).last()?;
    let inner = if is(&file, bound, "higher_ranked_trait_bound") {
        file.named_children(bound).last()?
    } else {
        bound
    };
    let lifetimes = &file.text()[file.range(bound).start..file.range(inner).start];
    let signature = match file.kind_name(inner) {
        "generic_type" => {
            let arguments = items_of(&file, child(&file, inner, "type_arguments")?).into_iter();
            let types = arguments.filter_map(|n| match file.has(n, Role::Type) {
                true => Some(n),
                // `A = B`
                false => file.named_children(n).last().filter(|&n| file.has(n, Role::Type)),
            });
            let types: Vec<&[u8]> = types.map(|n| file.node_text(n)).collect();
            [b"(", &types.join(&b", "[..])[..], b")"].concat()
        }
        "function_type" => {
            let list = child(&file, inner, "parameters")?;
            file.text()[file.range(list).start..file.range(inner).end].to_vec()
        }
        _ => return None,
    };
    let text = [lifetimes, b"fn", &signature].concat();
    let around = file.parent(object).and_then(|list| match file.kind_name(list) {
        "type_arguments" if items_of(&file, list).len() == 1 => file.parent(list),
        "reference_type" => Some(list),
        _ => None,
    });
    let places = around.filter(|&n| file.has(n, Role::Type)).into_iter().chain([object]);
    Some(places.map(|place| file.replace(place, text.clone())).collect())
}
