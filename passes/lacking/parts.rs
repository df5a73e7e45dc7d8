//! The parts of a file that something around them needs.

use super::joined;
use super::models::is_modelled;
use crate::{Base, File, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::edit::{Candidate, Edit, FileId};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

/// The parts of a file that something around them needs: the last statement of a function that must return, members that
/// stand for those of other classes, and the types of a library in the heads of those that stand for its members.
pub(super) struct Parts {
    file: FileId,
    /// In the order of the text.
    parts: Vec<Part>,
}

/// The place of a part, and that of the body, class or function that needs it.
struct Part {
    range: Range<usize>,
    of: Range<usize>,
    /// Whether nothing else may be in its place.
    is_fixed: bool,
}

/// The body of a function, as far as it has been read.
struct Body {
    range: Range<usize>,
    /// The place of its last statement.
    last: Range<usize>,
    /// Whether a value is returned in there.
    returns: bool,
    /// Whether it is the shortest one that compilers accept.
    is_stub: bool,
}

impl Body {
    /// The last statement, if it returns a value.
    fn part(self) -> Option<Part> {
        (self.returns || self.is_stub).then_some(Part { range: self.last, of: self.range, is_fixed: false })
    }
}

impl Parts {
    /// The parts of a file. O(nodes).
    pub(super) fn new(file: File<'_>) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        let mut open: Vec<Body> = Vec::new();
        for node in file.nodes() {
            let range = file.range(node);
            while let Some(body) = open.pop_if(|body| body.range.end <= range.start) {
                parts.extend(body.part());
            }
            let has_stub = file.stub(node).is_some();
            let returns = file.has(node, Role::Returned) && !has_stub;
            if let Some(body) = open.last_mut() {
                if (returns || file.has(node, Role::Statement)) && body.last.end <= range.start {
                    (body.last, body.returns) = (range.clone(), false);
                }
                body.returns |= returns;
            }
            if file.has(node, Role::Override)
                && let Some(class) = file.parent(node)
            {
                parts.push(Part { range: range.clone(), of: file.range(class), is_fixed: false });
                if !is_modelled(file, node) {
                    let fixed = |ty| Part { range: file.range(ty), of: range.clone(), is_fixed: true };
                    parts.extend(foreign_types(file, node).into_iter().map(fixed));
                }
            }
            if has_stub {
                let is_stub = file.stub(node) != file.filler(node)
                    && file.stub(node).is_some_and(|stub| file.node_text(node) == stub.as_bytes());
                open.push(Body { last: range.start..range.start, range, returns: false, is_stub });
            }
        }
        parts.extend(open.into_iter().filter_map(Body::part));
        parts.sort_unstable_by_key(|part| part.range.start);
        Self { file: file.id, parts }
    }

    /// Whether edits delete a part, or replace one that must not change, and leave what needs it.
    /// O(log parts) for each edit, plus the parts in what it replaces.
    pub(super) fn lack_after(&self, candidate: &Candidate) -> bool {
        let is_changed = |part: &Part, edit: &Edit| {
            let text = edit.text.trim_ascii();
            let owner_goes = text != b"{}" && edit.start <= part.of.start && part.of.end <= edit.end;
            let is_empty = matches!(text, b"" | b";" | b"{}");
            part.range.end <= edit.end && !owner_goes && (part.is_fixed || is_empty)
        };
        candidate.edits_of(self.file).iter().any(|edit| {
            let from = self.parts.partition_point(|part| part.range.start < edit.start);
            let inside = self.parts[from..].iter().take_while(|part| part.range.start < edit.end);
            inside.into_iter().any(|part| is_changed(part, edit))
        })
    }

    /// Whether a unit deletes a part and leaves what needs it. O(log parts) for each body or class that it deletes.
    pub(super) fn lacks(&self, base: &Base, unit: &Unit) -> bool {
        let mut gone = Vec::new();
        unit.deleted(base, self.file, &|_| true, &mut gone);
        joined(gone).into_iter().any(|range| {
            let (start, end) = (range.start as usize, range.end as usize);
            let mut at = self.parts.partition_point(|part| part.range.start < start);
            while let Some(part) = self.parts.get(at).filter(|part| part.range.start < end) {
                let is_owned_inside = part.of.start >= start;
                if !is_owned_inside && part.range.end <= end {
                    return true;
                }
                // What needs the part is deleted with it, and so is all that it needs.
                let behind = if is_owned_inside { part.of.end } else { 0 };
                at = self.parts.partition_point(|part| part.range.start < behind).max(at + 1);
            }
            false
        })
    }
}

/// The outermost types in the head of a function that name nothing of the file. O(nodes of the head).
fn foreign_types(file: File<'_>, function: NodeId) -> Vec<NodeId> {
    let end =
        file.child_with(function, Role::Body).map_or(file.range(function).end, |body| file.range(body).start);
    let mut found: Vec<NodeId> = Vec::new();
    for node in file.tree().starting_in(file.range(function).start..end).filter(|&n| file.has(n, Role::Type))
    {
        if found.last().is_none_or(|&last| file.range(last).end <= file.range(node).start) {
            found.push(node);
        }
    }
    let is_own = |n| file.definition(n).is_some_and(|definition| definition.sort != Sort::Import);
    found.retain(|&ty| !file.tree().starting_in(file.range(ty)).any(is_own));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{base, changed};

    #[test]
    fn a_function_that_must_return_needs_its_last_statement_and_a_class_what_stands_for_another_member() {
        let text = b"class A extends B {\n    @Override int f(int a) { g(); return a; }\n    void g() { h(); return; }\n    int h() { if (a) { return 1; } else { return 2; } }\n    C c = () -> { k(); return x; };\n}\n";
        let base = base("java", text);
        let file = File { id: 0, parsed: base.file(0) };
        let lacks = |text: &str| {
            let node = file.tree().nodes().find(|&n| file.node_text(n) == text.as_bytes()).expect(text);
            Parts::new(file).lacks(&base, &file.drop(node))
        };
        assert!(lacks("return a;") && !lacks("g();"));
        assert!(!lacks("return;") && !lacks("h();"), "nothing is returned there");
        assert!(
            lacks("if (a) { return 1; } else { return 2; }") && !lacks("return 2;"),
            "as far as the spelling tells"
        );
        assert!(lacks("return x;") && !lacks("C c = () -> { k(); return x; };"));
        assert!(lacks("@Override int f(int a) { g(); return a; }") && !lacks("void g() { h(); return; }"));
        let class = std::str::from_utf8(text).unwrap().trim_end();
        assert!(!lacks(class), "the class is gone, too");
    }

    #[test]
    fn a_member_that_stands_for_one_of_a_library_keeps_its_types_and_a_stub_what_is_in_it() {
        let text = "impl A for B { fn f(&self, a: c::D) -> e::F {loop{}} fn k(_: L) {} }\nstruct L;\nimpl G for B { fn f(a: H) {} }\ntrait G { fn f(a: H); }\nfn f() -> I { J }\n";
        let base = base("rust", text.as_bytes());
        let parts = Parts::new(File { id: 0, parsed: base.file(0) });
        let lack = |part: &str, by: &str| parts.lack_after(&changed(&base, &[(0, part, by)]));
        assert!(lack("c::D", "()") && lack("a: c::D", "") && lack(" -> e::F", "") && lack("e::F", "u8"));
        assert!(!lack("c::", "") && !lack("a: H", "") && !lack("I", "()") && !lack("L", "M"));
        assert!(lack("loop{}", "") && lack("{loop{}}", "{}") && !lack("loop{}", "g()"));
        assert!(lack("J", "") && !lack("J", "j") && !lack("{ J }", "{loop{}}"));
        assert!(!lack("impl A for B { fn f(&self, a: c::D) -> e::F {loop{}} fn k(_: L) {} }", ""));
    }
}
