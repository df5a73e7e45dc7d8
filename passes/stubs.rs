//! Replaces the body of a function by a stub: the shortest body that is allowed whatever the function returns.

use crate::levels::levels;
use crate::{Base, Example, File, Grain, Group, Pass};
use lopper_languages::lexer::tokens;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "stubs",
    summary: "replaces bodies of functions by the shortest ones that are allowed for every type of result (`{throw null;}`)",
    needs: |language| language.has_stubs(),
    grain: Grain::Coarse,
    examples: &[Example {
        language: "java",
        before: "class A {\n    A(int b) { this.b = b; }\n    List<A> f(int b) { g(); return h(b); }\n}\n",
        keep: &["A(int b)", "List<A> f(int b)"],
        after: "class A {\n    A(int b) {throw null;}\n    List<A> f(int b) {throw null;}\n}\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let stub = |file: File<'_>, node: NodeId| file.stub(node).filter(|stub| is_longer(file, node, stub));
    let levels = levels(PASS.files(base), |file, node| stub(file, node).is_some());
    let shrunk = |(file, node): (File<'_>, NodeId)| stub(file, node).map(|by| file.replace(node, by));
    levels.into_iter().map(|level| Group::deletions(level.into_iter().filter_map(shrunk))).collect()
}

/// Whether a body has more tokens than its stub.
fn is_longer(file: File<'_>, body: NodeId, stub: &str) -> bool {
    file.tokens_in(file.range(body)).len() > tokens(stub.as_bytes(), file.language().lexis()).count()
}
