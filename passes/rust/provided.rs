//! Moves the body of a function from the `impl`s of a trait into the trait: none of them has to give one then.

use crate::c::{all, child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "provided",
    summary: "moves the body of a function from the `impl`s of a trait into the trait",
    languages: &["rust"],
    proves: true,
    examples: &[Example {
        language: "rust",
        before: "trait A { fn f<T: B>(&self, x: T) -> u8; fn g(); }\nimpl A for C {\n    fn f<T: B>(&self, x: T) -> u8 { x.h() }\n    fn g() {}\n}\nimpl A for D {\n    fn f<T: B>(&self, x: T) -> u8 { 2 }\n}\n",
        keep: &["trait A { fn f<T: B>(&self, x: T) -> u8", "x.h()", "fn g();", "fn g() {}", "impl A for D"],
        after: "trait A { fn f<T: B>(&self, x: T) -> u8 { x.h() } fn g(); }\nimpl A for C {\n    fn g() {}\n}\nimpl A for D {}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS
        .files(base)
        .flat_map(|file| all(file, "function_signature_item").filter_map(move |n| provided(file, n)));
    vec![Group::deletions(units).doubtful()]
}

/// The first body there is takes the place of the semicolon.
fn provided(file: File<'_>, signature: NodeId) -> Option<Unit> {
    let name = child(&file, signature, "identifier")?;
    let functions = file.places(file.definition(name)?).filter_map(|place| file.parent(place.name));
    let given: Vec<NodeId> = functions.filter(|&n| n != signature).collect();
    if !given.iter().all(|&n| is(&file, n, "function_item") && file.has(n, Role::Override)) {
        return None;
    }
    let body = child(&file, *given.first()?, "block")?;
    let end = file.range(signature).end;
    let text = [b" ", file.node_text(body)].concat();
    let gone = given.into_iter().map(|n| file.drop(n));
    Some(Unit::together(gone.chain([file.write(end - 1..end, text)])))
}
