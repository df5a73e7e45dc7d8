//! Units after which compilers refuse a program, as far as its spelling tells: it uses names that nothing in it defines any
//! more, a function no longer returns, or a class lacks a member that it must have.

use crate::{Base, File, Unit};
use lopper_languages::bindings::Sort;
use lopper_languages::edit::{Candidate, Edit, FileId};
use lopper_languages::lexer::tokens;
use lopper_languages::role::Role;
use lopper_languages::{Fault, Typing};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What a base cannot do without.
pub(crate) struct Lacking {
    /// The names of the files in languages whose compilers demand definitions of them.
    names: Vec<NamesOf>,
    /// The parts of the files in languages whose compilers demand them.
    parts: Vec<Parts>,
}

impl Lacking {
    /// What these files cannot do without. O(tokens log tokens).
    pub(crate) fn new<'a>(files: impl Iterator<Item = File<'a>>) -> Self {
        let mut lacking = Self { names: Vec::new(), parts: Vec::new() };
        for file in files {
            if file.language().refuses(Fault::Undefined) {
                lacking.names.push(NamesOf::new(file, true));
            }
            if file.language().has_stubs() {
                lacking.parts.push(Parts::new(file));
            }
        }
        lacking
    }

    /// For each unit, whether the program lacks something after it; empty if nothing is known of the files.
    pub(crate) fn among(&self, base: &Base, units: &[Unit]) -> Vec<bool> {
        if self.names.is_empty() && self.parts.is_empty() {
            return Vec::new();
        }
        let lacks = |unit: &Unit| {
            self.names.iter().any(|names| names.lack_after(base, unit))
                || self.parts.iter().any(|parts| parts.lacks(base, unit))
        };
        units.iter().map(lacks).collect()
    }
}

/// The parts of a file that something around them needs: the last statement of a function that must return, and members that
/// stand for those of other classes.
struct Parts {
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
    fn new(file: File<'_>) -> Self {
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
    fn lacks(&self, base: &Base, unit: &Unit) -> bool {
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

/// The names that the files of a base define, by their spelling; in languages without types without the members of objects,
/// since `a.b` may mean another `b` than the one that is defined here.
pub struct Names(Vec<NamesOf>);

impl Names {
    /// The names of all files. O(tokens log tokens).
    pub fn new(base: &Base) -> Self {
        let files = base.files().filter(|(_, parsed)| parsed.is_regular());
        let names = files
            .map(|(id, parsed)| NamesOf::new(File { id, parsed }, parsed.language.typing() != Typing::None));
        Self(names.filter(|names| !names.defined.is_empty()).collect())
    }

    /// Whether a candidate uses a name that the base defines in the same file and that nothing there defines any more.
    /// O(log tokens) for each definition that it deletes, for each token that it adds, and for each place of a name without definitions.
    pub fn are_lacking(&self, base: &Base, candidate: &Candidate) -> bool {
        self.0.iter().any(|names| {
            let edits = candidate.edits_of(names.file);
            if candidate.removes(names.file) || edits.is_empty() {
                return false;
            }
            let gone = joined(edits.iter().map(|edit| edit.start as u32..edit.end as u32).collect());
            let lexis = base.file(names.file).language.lexis();
            let words = |edit: &Edit| {
                let text = &edit.text;
                tokens(text, lexis)
                    .filter_map(|token| names.number_of(&text[token.range()]))
                    .collect::<Vec<_>>()
            };
            let added: BTreeSet<usize> = edits.iter().flat_map(words).collect();
            names.lack(&gone, &added)
        })
    }
}

/// The names that a file defines.
struct NamesOf {
    file: FileId,
    /// The number of each name.
    numbers: BTreeMap<Vec<u8>, usize>,
    /// The places of each name.
    places: Vec<Places>,
    /// Where names are defined, in the order of the text, but for parameters and labels, which nothing elsewhere uses, and
    /// for members that are left out.
    defined: Vec<(u32, usize)>,
}

/// Where a name stands, in the order of the text.
#[derive(Default)]
struct Places {
    definitions: Vec<u32>,
    /// All of them; in broken texts, the parser may see names that are no tokens.
    all: Vec<u32>,
}

impl NamesOf {
    /// The names of a file, with those of the members of objects or without. O(tokens log tokens).
    fn new(file: File<'_>, has_members: bool) -> Self {
        let (mut numbers, mut places) = (BTreeMap::<Vec<u8>, usize>::new(), Vec::<Places>::new());
        let mut defined: Vec<(u32, usize)> = Vec::new();
        for (index, definition) in file.definitions().enumerate() {
            let is_inner = matches!(definition.sort, Sort::Parameter | Sort::Label);
            let is_unknown = !has_members && file.bindings().is_member(index);
            for place in file.places(definition) {
                let (start, text) = (file.range(place.name).start as u32, file.node_text(place.name));
                let number = match numbers.get(text) {
                    Some(&number) => number,
                    None => {
                        numbers.insert(text.to_vec(), places.len());
                        places.push(Places::default());
                        places.len() - 1
                    }
                };
                places[number].definitions.push(start);
                defined.extend((!is_inner && !is_unknown).then_some((start, number)));
            }
        }
        defined.sort_unstable();
        let mut names = Self { file: file.id, numbers, places, defined };
        for token in file.tokens() {
            if let Some(number) = names.number_of(&file.text()[token.range()]) {
                names.places[number].all.push(token.start);
            }
        }
        names
    }

    fn number_of(&self, name: &[u8]) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// Whether a unit deletes all definitions of a name, and leaves uses of it.
    fn lack_after(&self, base: &Base, unit: &Unit) -> bool {
        let mut gone = Vec::new();
        unit.deleted(base, self.file, &|_| true, &mut gone);
        self.lack(&joined(gone), &BTreeSet::new())
    }

    /// Whether all definitions of a name are in these ranges, and uses of it are not, unless what is added has the name, too.
    fn lack(&self, gone: &[Range<u32>], added: &BTreeSet<usize>) -> bool {
        let is_left = |place: &u32| {
            let next = gone.partition_point(|range| range.end <= *place);
            gone.get(next).is_none_or(|range| *place < range.start)
        };
        let deleted = gone.iter().flat_map(|range| {
            let from = self.defined.partition_point(|(place, _)| *place < range.start);
            self.defined[from..].iter().take_while(|(place, _)| *place < range.end).map(|(_, name)| *name)
        });
        let deleted: BTreeSet<usize> = deleted.collect();
        let mut places = deleted.difference(added).map(|&name| &self.places[name]);
        places.any(|places| !places.definitions.iter().any(is_left) && places.all.iter().any(is_left))
    }
}

/// Ranges in order, those that overlap as one.
fn joined(mut ranges: Vec<Range<u32>>) -> Vec<Range<u32>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<u32>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::base;

    #[test]
    fn names_lack_a_definition_if_a_use_and_no_other_definition_stays() {
        let text =
            b"struct a { int n; }; void g(a x);\nint f(int); int f(char);\nint h() { return b.n + f(1); }\nvoid j() { int i = 0; }\nint k(int i) { return i; }\n";
        let base = base("cpp", text);
        let file = File { id: 0, parsed: base.file(0) };
        let lacks = |texts: &[&str]| {
            let node = |text: &str| file.tree().nodes().find(|&n| file.node_text(n) == text.as_bytes());
            let units = texts.iter().map(|text| file.drop(node(text).unwrap()));
            NamesOf::new(file, true).lack_after(&base, &Unit::together(units))
        };
        let class = "struct a { int n; }";
        assert!(lacks(&[class]) && lacks(&[class, "void g(a x);"]), "a field is a name, too");
        assert!(!lacks(&[class, "void g(a x);", "int h() { return b.n + f(1); }"]));
        assert!(!lacks(&["int i = 0;"]), "i is a parameter elsewhere");
        assert!(!lacks(&["int f(int);"]) && lacks(&["int f(int);", "int f(char);"]));
    }

    #[test]
    fn names_are_lacking_after_a_candidate_unless_it_defines_them_elsewhere() {
        let text = b"int a; int b; int f() { return a; }\n";
        let base = base("c", text);
        let names = Names::new(&base);
        let lacks = |edits: &[(&str, &str)]| {
            let edit = |(old, new): &(&str, &str)| {
                let start = text.windows(old.len()).position(|window| window == old.as_bytes()).unwrap();
                Edit::replace(0, start..start + old.len(), new.as_bytes().to_vec())
            };
            names.are_lacking(&base, &Candidate::merge(edits.iter().map(edit).collect()).unwrap())
        };
        assert!(lacks(&[("int a;", "")]) && lacks(&[("int a;", "int c;")]));
        assert!(!lacks(&[("int b;", "")]), "no use of it is left");
        assert!(!lacks(&[("int a;", ""), ("return a;", "")]));
        assert!(!lacks(&[("int a;", ""), ("return a;", "int a; return a;")]), "the definition has moved");
    }

    #[test]
    fn a_member_is_lacking_only_where_types_tell_which_one_is_meant() {
        let lacks = |language: &str, text: &str, member: &str| {
            let base = base(language, text.as_bytes());
            let start = text.find(member).unwrap();
            let edits = vec![Edit::replace(0, start..start + member.len(), Vec::new())];
            Names::new(&base).are_lacking(&base, &Candidate::merge(edits).unwrap())
        };
        let python = "class A:\n    x = 1\n    def f(self): pass\ndef g(): b.f()\ng()\n";
        assert!(!lacks("python", python, "def f(self): pass"));
        assert!(lacks("python", python, "def g(): b.f()"));
        assert!(lacks("java", "class A { int x; void f() {} void g() { b.f(); } }\n", "void f() {}"));
    }

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
