//! Lets a parameter of a function have its bound for a type: `fn f<T: A>(a: T)` becomes `fn f(a: impl A)`.

use crate::c::{all, is};
use crate::functions::items_of;
use crate::generics::Going;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "impl-traits",
    summary: "replaces a type parameter that is the type of one parameter of the function by `impl` with its bound",
    languages: &["rust"],
    proves: true,
    examples: &[Example {
        language: "rust",
        before: "fn f<T: Fn(u8) + Send, U>(a: T, b: U) { a(1); }\nfn g() { f::<fn(u8), u8>(h, 2); }\n",
        keep: &["fn f", "(a: ", "Fn(u8) + Send", ", b: ", ") { a(1); }", "f", "(h, 2)"],
        after: "fn f(a: impl Fn(u8) + Send, b: impl Sized) { a(1); }\nfn g() { f(h, 2); }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let functions = all(file, "function_item").chain(all(file, "function_signature_item"));
        let lists = functions.filter_map(move |n| file.child_with(n, Role::TypeParameters));
        lists.flat_map(move |list| {
            (0..items_of(&file, list).len()).filter_map(move |place| abbreviated(file, list, place))
        })
    });
    vec![Group::deletions(units).doubtful()]
}

/// The parameter at a place of a list becomes `impl` with its bound where it is used.
fn abbreviated(file: File<'_>, list: NodeId, place: usize) -> Option<Unit> {
    let going = Going::new(file, list, place);
    let (&[parameter], &[mention]) = (going.parameters.as_slice(), going.mentions().as_slice()) else {
        return None;
    };
    file.parent(mention).filter(|&n| is(&file, n, "parameter"))?;
    is(&file, parameter, "type_parameter").then_some(())?;
    let bounds = file.children(parameter).find(|&n| is(&file, n, "trait_bounds"));
    let bounds = bounds.map_or(&b" Sized"[..], |n| file.node_text(n).strip_prefix(b":").unwrap_or_default());
    Some(going.unit(&[b"impl ", bounds.trim_ascii_start()].concat()))
}
