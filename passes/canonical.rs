//! The canonical form of a program: its tokens, with a number in place of each name that the program defines.
//!
//! Programs that differ only in such names, in comments and in white space have the same form.

use crate::file::Key;
use crate::links::Links;
use crate::{Base, File};
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::edit::FileId;
use lopper_languages::layout::Layout;
use lopper_languages::lexer::bracket;
use lopper_languages::role::Role;
use lopper_languages::words::each_word;
use std::collections::BTreeMap;
use std::ops::Range;

/// How names begin that belong to the language, such as Python's `__init__`.
const RESERVED: &[u8] = b"__";

/// What begins each part of the form.
#[derive(Clone, Copy)]
enum Mark {
    /// A file.
    File,
    /// A line, with the depth of its indentation.
    Line,
    /// White space where all of it is significant.
    Blanks,
    /// A token as it is spelled.
    Word,
    /// A name of the program, by the order of first appearance.
    Name,
}

/// The canonical form of a base; its files come in the order of their paths. O(n log n) besides the bindings.
pub fn canonical(base: &Base) -> Vec<u8> {
    let links = Links::new(base);
    let names = own_names(base, &links);
    let mut files: Vec<File> = base.files().map(|(id, parsed)| File { id, parsed }).collect();
    files.sort_by(|one, other| one.parsed.path.cmp(&other.parsed.path));
    let mut numbers: BTreeMap<Key, usize> = BTreeMap::new();
    let mut form = Form(Vec::new());
    for file in files {
        form.number(Mark::File, 0);
        write(file, &mut form, |range| {
            let key = *names.get(&(file.id, range.start, range.end))?;
            let next = numbers.len();
            Some(*numbers.entry(key).or_insert(next))
        });
    }
    form.0
}

/// The places of all names that the program defines, each with what it stands for.
fn own_names(base: &Base, links: &Links<'_>) -> BTreeMap<(FileId, usize, usize), Key> {
    let mut names = BTreeMap::new();
    for (key, definition) in links.definitions() {
        let places = definition.places.iter().map(|place| (place.file, place.name));
        let uses = definition.uses.iter().map(|used| (used.file, used.name));
        if !is_own(base, definition) {
            continue;
        }
        for (file, name) in places.chain(uses) {
            let Range { start, end } = base.file(file).tree().range(name);
            names.insert((file, start, end), key);
        }
    }
    names
}

/// Whether the program itself gives the name its meaning, and may choose another one: what is imported, or a function that
/// is only declared, comes from elsewhere.
fn is_own(base: &Base, definition: &Definition) -> bool {
    let first = &definition.places[0];
    if base.file(first.file).node_text(first.name).starts_with(RESERVED) {
        return false;
    }
    let has_body = || {
        definition.places.iter().any(|place| {
            let tree = base.file(place.file).tree();
            let mut below = tree.descendants(place.whole);
            below.any(|node| tree.has(node, Role::Block) || tree.has(node, Role::Body))
        })
    };
    match definition.sort {
        Sort::Import => false,
        Sort::Function => has_body(),
        _ => true,
    }
}

/// Writes the tokens of a file; `number` knows the numbers of the program's names.
fn write(file: File<'_>, form: &mut Form, mut number: impl FnMut(Range<usize>) -> Option<usize>) {
    let layout = file.language().layout();
    let (mut indents, mut nesting, mut is_first) = (Vec::new(), 0_usize, true);
    each_word(file.language(), file.text(), |gap, token| {
        let word = &file.text()[token.range()];
        match layout {
            // A line inside brackets is a part of the one before it.
            Layout::Indented if nesting > 0 => {}
            Layout::Indented if is_first || !gap.is_empty() => {
                form.number(Mark::Line, depth(&mut indents, gap))
            }
            Layout::Exact if !gap.is_empty() => form.text(Mark::Blanks, gap),
            Layout::Free | Layout::Lines if !is_first && !gap.is_empty() => form.number(Mark::Line, 0),
            _ => {}
        }
        is_first = false;
        match bracket(word) {
            Some((_, 1)) => nesting += 1,
            Some(_) => nesting = nesting.saturating_sub(1),
            None => {}
        }
        match number(token.range()) {
            Some(number) => form.number(Mark::Name, number),
            None => form.text(Mark::Word, word),
        }
    });
}

/// The depth of a line with this white space before it, whatever the width of each step is.
fn depth(indents: &mut Vec<usize>, gap: &[u8]) -> usize {
    let width = gap.iter().filter(|&&c| c != b'\n').count();
    indents.retain(|&outer| outer <= width);
    if width > 0 && indents.last() != Some(&width) {
        indents.push(width);
    }
    indents.len()
}

/// The bytes of a form. No two sequences of parts have the same bytes.
struct Form(Vec<u8>);

impl Form {
    fn number(&mut self, mark: Mark, number: usize) {
        self.0.push(mark as u8);
        self.0.extend((number as u64).to_le_bytes());
    }

    fn text(&mut self, mark: Mark, text: &[u8]) {
        self.number(mark, text.len());
        self.0.extend_from_slice(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(language: &str, one: &str, other: &str) -> bool {
        let of = |text| canonical(&Base::of_example(language, text));
        of(one) == of(other)
    }

    #[test]
    fn names_comments_and_white_space_do_not_count() {
        let one = "int total; // so far\nint twice(int value) { return value + total; }\n";
        let other = "int a;int b(int c){\n  return c+a;\n}\n";
        assert!(same("c", one, other));
        let one = "# adds\ndef add(one, two):\n    total = (one +\n        two)\n    return total\n";
        let other = "def a(b, c):\n\n  d = (b + c)\n  return d\n";
        assert!(same("python", one, other));
        let one = "fn add(one: u8) -> u8 { let two = one; two }\n";
        assert!(same("rust", one, "fn a(b: u8) -> u8 {\n    let c = b;\n    c\n}\n"));
    }

    #[test]
    fn tokens_and_the_structure_of_names_count() {
        let text = "int a; int b(int c) { return c + a; }\n";
        for other in [
            "int a; int b(int c) { return c + c; }\n",
            "int a; int b(int c) { return a + c; }\n",
            "int a; int b(int c) { return c - a; }\n",
            "int a; int b(int c) { return c + d; }\n",
            "long a; int b(int c) { return c + a; }\n",
            "int a = 1; int b(int c) { return c + a; }\n",
        ] {
            assert!(!same("c", text, other), "{other}");
        }
        assert!(!same("c", "#define A\nint b;\n", "#define A int b;\n"));
        let text = "if 1:\n  if 2:\n    a = 3\n  b = 4\n";
        assert!(!same("python", text, "if 1:\n  if 2:\n    a = 3\n    b = 4\n"));
    }

    #[test]
    fn names_from_elsewhere_count() {
        let called = |name: &str| format!("int {name}(int);\nint main() {{ return {name}(1); }}\n");
        assert!(!same("c", &called("abs"), &called("labs")));
        assert!(!same("c", "int main() { return f(); }\n", "int main() { return g(); }\n"));
        assert!(!same("python", "from os import path\npath\n", "from os import name\nname\n"));
        let method = |name: &str| format!("class A:\n    def {name}(self): pass\n");
        assert!(same("python", &method("get"), &method("put")));
        assert!(!same("python", &method("__init__"), &method("__del__")));
    }

    #[test]
    fn files_come_in_the_order_of_their_paths_and_share_names() {
        let one = "=== a.c\nint total = 1;\n=== b.c\nextern int total;\nint f() { return total; }\n";
        let other = "=== b.c\nextern int x;\nint y() { return x; }\n=== a.c\nint x = 1;\n";
        assert!(same("c", one, other));
        assert!(!same("c", one, "=== a.c\nint x = 1;\n=== b.c\nextern int z;\nint y() { return z; }\n"));
        assert!(!same("c", "=== a.c\nint a;\n=== b.c\n;\n", "=== a.c\nint a;;\n=== b.c\n"));
    }
}
