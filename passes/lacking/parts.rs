//! The parts of a file that something around them needs.

use super::joined;
use crate::{Base, File, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use std::ops::Range;

/// The parts of a file that something around them needs: the last statement of a function that must return, and members that
/// stand for those of other classes.
pub(super) struct Parts {
    file: FileId,
    /// In the order of the text.
    parts: Vec<Part>,
}

/// The place of a part, and that of the body or class that needs it.
struct Part {
    range: Range<usize>,
    of: Range<usize>,
}

/// The body of a function, as far as it has been read.
struct Body {
    range: Range<usize>,
    /// The place of its last statement.
    last: Range<usize>,
    /// Whether a value is returned in there.
    returns: bool,
}

impl Body {
    /// The last statement, if it returns a value.
    fn part(self) -> Option<Part> {
        self.returns.then_some(Part { range: self.last, of: self.range })
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
                parts.push(Part { range: range.clone(), of: file.range(class) });
            }
            if has_stub {
                open.push(Body { last: range.start..range.start, range, returns: false });
            }
        }
        parts.extend(open.into_iter().filter_map(Body::part));
        parts.sort_unstable_by_key(|part| part.range.start);
        Self { file: file.id, parts }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::base;

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
}
