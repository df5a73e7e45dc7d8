//! Names by their spelling, and which of them a program uses without a definition or a body after a change.

use super::calls::Calls;
use super::imports::Imports;
use super::joined;
use super::models::stands_for_another;
use super::parts::Parts;
use crate::{Base, File, Unit};
use lopper_languages::bindings::{Definition, Place, Sort};
use lopper_languages::edit::{Candidate, Edit, FileId};
use lopper_languages::lexer::tokens;
use lopper_languages::references::Naming;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use lopper_languages::{Parsed, Typing};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What a program lacks after a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lack {
    /// A module imports a name as soon as it is loaded, and the module that it names does not define it any more.
    pub import: bool,
    /// A name is used, and nothing defines or declares it any more.
    pub definition: bool,
    /// A function is used, and nothing has a body for it any more.
    pub body: bool,
    /// A function no longer returns, a class has lost a member that it must have, or such a member has other types than the one
    /// of the library that it stands for.
    pub part: bool,
    /// A call passes more or fewer arguments than the function has parameters.
    pub argument: bool,
}

impl Lack {
    /// The number of kinds.
    pub const KINDS: usize = 5;

    /// For each kind whether it is lacking. The first one that is explains best why a test refuses the program.
    pub fn kinds(self) -> [bool; Self::KINDS] {
        let Self { import, definition, body, part, argument } = self;
        [import, definition, body, part, argument]
    }
}

/// The names that the files of a base define, by their spelling; in languages without types without the members of objects,
/// since `a.b` may mean another `b` than the one that is defined here. The files of a program in C or C++ have the names of
/// file scope in common.
pub struct Names {
    programs: Vec<Program>,
    imports: Imports,
    calls: Calls,
    /// The parts of the files in languages whose compilers demand them.
    parts: Vec<Parts>,
}

impl Names {
    /// The names of all files. O(tokens log tokens).
    pub fn new(base: &Base) -> Self {
        let files: Vec<File<'_>> = base
            .files()
            .filter(|(_, parsed)| parsed.is_regular())
            .map(|(id, parsed)| File { id, parsed })
            .collect();
        let names = Self::of(files.iter().map(|&file| (file, file.language().typing() != Typing::None)));
        let parts = files.iter().filter(|file| file.language().has_stubs());
        let parts = parts.map(|&file| Parts::new(file)).collect();
        Self { imports: Imports::new(base), calls: Calls::new(base), parts, ..names }
    }

    /// The names of these files, each with those of the members of objects or without; not what they import and call.
    pub(super) fn of<'a>(files: impl Iterator<Item = (File<'a>, bool)>) -> Self {
        let (linked, others): (Vec<_>, Vec<_>) =
            files.partition(|(file, _)| file.language().naming() == Naming::Includes);
        let programs = std::iter::once(linked).chain(others.into_iter().map(|file| vec![file]));
        let programs = programs.filter(|files| !files.is_empty()).map(|files| Program::new(&files));
        let programs = programs.filter(|program| !program.names.is_empty()).collect();
        Self { programs, imports: Imports::default(), calls: Calls::default(), parts: Vec::new() }
    }

    /// Whether nothing is known of any file.
    pub(super) fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }

    /// What a program lacks after a candidate that it has before: it uses or imports names that nothing defines any more.
    /// O(log tokens) for each definition that the candidate deletes, for each token that it adds, and for each place of a name
    /// without definitions.
    pub fn lacking(&self, base: &Base, candidate: &Candidate) -> Lack {
        let (import, argument) = (self.imports.lack(base, candidate), self.calls.lack(candidate));
        let part = self.parts.iter().any(|parts| parts.lack_after(candidate));
        let mut lack = Lack { import, argument, part, ..Lack::default() };
        for program in &self.programs {
            let mut changes = Changes::default();
            for file in candidate.files().filter(|file| program.defined.contains_key(file)) {
                let edits = candidate.edits_of(file);
                if candidate.removes(file) {
                    changes.gone.insert(file, std::iter::once(0..u32::MAX).collect());
                } else {
                    let (mut gone, mut replaced) = (Vec::new(), Vec::new());
                    let mut new: Vec<&Edit> = Vec::new();
                    for edit in edits {
                        let (start, end) = (edit.start as u32, edit.end as u32);
                        if let Some(kept) = kept(base.file(file), edit) {
                            gone.extend([start..kept.start as u32, kept.end as u32..end]);
                            continue;
                        }
                        let stands = !matches!(edit.text.trim_ascii(), b"" | b";");
                        replaced.extend(stands.then_some(start..end));
                        gone.push(start..end);
                        new.push(edit);
                    }
                    changes.gone.insert(file, joined(gone));
                    changes.replaced.insert(file, joined(replaced));
                    let lexis = base.file(file).language.lexis();
                    let words = new.into_iter().flat_map(|edit| {
                        tokens(&edit.text, lexis).map(|token| program.number_of(&edit.text[token.range()]))
                    });
                    changes.added.extend(words.flatten());
                }
            }
            let of_program = program.lack(&changes);
            lack.definition |= of_program.definition;
            lack.body |= of_program.body;
        }
        lack
    }

    /// Whether a unit deletes all definitions of a name, and leaves uses of it.
    pub(super) fn lack_after(&self, base: &Base, unit: &Unit) -> bool {
        self.programs.iter().any(|program| {
            let deleted = program.defined.keys().map(|&file| {
                let mut gone = Vec::new();
                unit.deleted(base, file, &|_| true, &mut gone);
                (file, joined(gone))
            });
            let gone = deleted.filter(|(_, gone)| !gone.is_empty()).collect();
            program.lack(&Changes { gone, ..Changes::default() }).definition
        })
    }
}

/// The part of what an edit replaces that it puts in the place of the whole, such as a body in the place of a loop: no word of it is
/// new. O(tokens that are replaced).
fn kept(file: &Parsed, edit: &Edit) -> Option<Range<usize>> {
    let part = Some(edit.text.trim_ascii()).filter(|part| !part.is_empty())?;
    let is_part = |range: &Range<usize>| {
        let is_word = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
        let ends = || !part.last().is_some_and(|&c| is_word(c)) || !is_word(file.text[range.end]);
        range.end <= edit.end && file.text[range.clone()] == *part && (range.end == edit.end || ends())
    };
    let tokens = file.tokens_in(edit.start..edit.end).iter();
    tokens.map(|token| token.range().start..token.range().start + part.len()).find(is_part)
}

/// Whether a definition is that of a type parameter. O(depth).
fn is_type_parameter(file: File<'_>, definition: &Definition) -> bool {
    let is_listed = |place: Place| file.ancestors(place.name).any(|n| file.has(n, Role::TypeParameters));
    definition.sort == Sort::Type && file.places(definition).next().is_some_and(is_listed)
}

/// What a candidate does to the names of a program.
#[derive(Default)]
struct Changes {
    /// What it deletes of each file, in the order of the text.
    gone: BTreeMap<FileId, Vec<Range<u32>>>,
    /// Those of these ranges in whose place it puts more than the end of a declaration.
    replaced: BTreeMap<FileId, Vec<Range<u32>>>,
    /// The names in what it adds.
    added: BTreeSet<usize>,
}

impl Changes {
    fn leave(&self, place: (FileId, u32)) -> bool {
        !within(&self.gone, place)
    }

    /// Whether a function has its body, or another one in its place.
    fn leave_body(&self, body: (FileId, u32)) -> bool {
        self.leave(body) || within(&self.replaced, body)
    }
}

/// Whether a place is in one of these ranges, which are in the order of the text.
fn within(ranges: &BTreeMap<FileId, Vec<Range<u32>>>, (file, place): (FileId, u32)) -> bool {
    ranges.get(&file).is_some_and(|ranges| {
        let next = ranges.partition_point(|range| range.end <= place);
        ranges.get(next).is_some_and(|range| range.start <= place)
    })
}

/// The names that files define together.
struct Program {
    /// The number of each name.
    numbers: BTreeMap<Vec<u8>, usize>,
    names: Vec<Places>,
    /// Where each file defines names, and where the bodies of its functions begin, in the order of the text, but for
    /// parameters and labels, which nothing elsewhere uses, and for members that are left out.
    defined: BTreeMap<FileId, Vec<(u32, usize)>>,
    /// What is visible in a part of a file only, and used there.
    locals: BTreeMap<FileId, Locals>,
}

/// The parameters, type parameters, labels and local variables of a file. Their names say little, since other functions have
/// the like; their uses are known.
#[derive(Default)]
struct Locals {
    all: Vec<Local>,
    /// Where each of them is defined, with its index, in the order of the text.
    places: Vec<(u32, usize)>,
}

struct Local {
    /// The number of its name.
    name: usize,
    places: Vec<u32>,
    uses: Vec<u32>,
}

/// What stands at the places in these ranges; the places are in the order of the text. O(log places) for each range, and the result.
fn inside(places: &[(u32, usize)], ranges: &[Range<u32>]) -> impl Iterator<Item = usize> {
    ranges.iter().flat_map(|range| {
        let from = places.partition_point(|(place, _)| *place < range.start);
        places[from..].iter().take_while(|(place, _)| *place < range.end).map(|(_, index)| *index)
    })
}

/// The places in each file; they are in the order of files. O(log places) for each file.
fn by_file(mut places: &[(FileId, u32)]) -> impl Iterator<Item = &[(FileId, u32)]> {
    std::iter::from_fn(move || {
        let file = places.first()?.0;
        let (first, others) = places.split_at(places.partition_point(|place| place.0 <= file));
        places = others;
        Some(first)
    })
}

/// Where a name stands.
#[derive(Default)]
struct Places {
    /// Sorted.
    definitions: Vec<(FileId, u32)>,
    /// The definitions that other files may use.
    shared: Vec<(FileId, u32)>,
    /// The definitions of members that stand for one of a class or trait of the same file. Sorted.
    owed: Vec<(FileId, u32)>,
    /// Where the bodies begin, if it names functions.
    bodies: Vec<(FileId, u32)>,
    /// All places, in the order of files; in broken texts, the parser may see names that are no tokens.
    all: Vec<(FileId, u32)>,
}

impl Program {
    /// The names of files, each with those of the members of objects or without. O(tokens log tokens).
    fn new(files: &[(File<'_>, bool)]) -> Self {
        let (numbers, defined, locals) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut program = Self { numbers, names: Vec::new(), defined, locals };
        for &(file, has_members) in files {
            program.add_definitions(file, has_members);
        }
        for places in &mut program.names {
            places.definitions.sort_unstable();
            places.owed.sort_unstable();
        }
        for (file, _) in files {
            for token in file.tokens() {
                if let Some(number) = program.number_of(&file.text()[token.range()]) {
                    program.names[number].all.push((file.id, token.start));
                }
            }
        }
        program
    }

    fn add_definitions(&mut self, file: File<'_>, has_members: bool) {
        let mut defined: Vec<(u32, usize)> = Vec::new();
        let mut locals: Vec<Local> = Vec::new();
        for (index, definition) in file.definitions().enumerate() {
            let is_inner = matches!(definition.sort, Sort::Parameter | Sort::Label);
            let is_member = file.bindings().is_member(index);
            let is_shared = is_member || definition.scope == NodeId::ROOT;
            let is_local =
                is_inner || definition.sort == Sort::Variable || is_type_parameter(file, definition);
            if !is_shared && is_local {
                locals.extend(self.local(file, definition));
            }
            for place in file.places(definition) {
                let (start, text) = (file.range(place.name).start as u32, file.node_text(place.name));
                let number = self.number_for(text);
                let (name, at) = (&mut self.names[number], (file.id, start));
                name.definitions.push(at);
                name.shared.extend(is_shared.then_some(at));
                name.owed.extend(stands_for_another(file, definition, place).then_some(at));
                let of_function = (definition.sort == Sort::Function).then_some(place.whole);
                let body = of_function.and_then(|whole| file.child_with(whole, Role::Body));
                let body = body.map(|body| file.range(body).start as u32);
                name.bodies.extend(body.map(|body| (file.id, body)));
                if !is_inner && (has_members || !is_member) {
                    defined.extend(std::iter::once(start).chain(body).map(|place| (place, number)));
                }
            }
        }
        defined.sort_unstable();
        self.defined.insert(file.id, defined);
        let places = locals.iter().enumerate();
        let places = places.flat_map(|(i, local)| local.places.iter().map(move |&place| (place, i)));
        let mut places: Vec<(u32, usize)> = places.collect();
        places.sort_unstable();
        self.locals.insert(file.id, Locals { all: locals, places });
    }

    /// What is known of a local definition, if it is used and stands in one file.
    fn local(&mut self, file: File<'_>, definition: &Definition) -> Option<Local> {
        let start = |node: NodeId| file.range(node).start as u32;
        let is_here = definition.uses.iter().all(|used| used.file == file.id);
        (is_here && !definition.uses.is_empty()).then(|| Local {
            name: self.number_for(file.node_text(definition.places[0].name)),
            places: file.places(definition).map(|place| start(place.name)).collect(),
            uses: definition.uses.iter().map(|used| start(used.name)).collect(),
        })
    }

    /// The number of a name, which is added if it is new.
    fn number_for(&mut self, name: &[u8]) -> usize {
        self.number_of(name).unwrap_or_else(|| {
            self.numbers.insert(name.to_vec(), self.names.len());
            self.names.push(Places::default());
            self.names.len() - 1
        })
    }

    fn number_of(&self, name: &[u8]) -> Option<usize> {
        self.numbers.get(name).copied()
    }

    /// What the program lacks after these changes.
    fn lack(&self, changes: &Changes) -> Lack {
        let deleted = changes.gone.iter().flat_map(|(file, gone)| inside(&self.defined[file], gone));
        let deleted: BTreeSet<usize> = deleted.collect();
        let mut lack = Lack::default();
        for places in deleted.difference(&changes.added).map(|&name| &self.names[name]) {
            lack.definition |= places.lack_definition(changes);
            lack.body |= places.lack_body(changes);
        }
        lack.definition |= changes.gone.iter().any(|(file, gone)| self.lacks_local(changes, *file, gone));
        lack
    }

    /// Whether something local loses all its definitions and keeps a use, which no definition for several functions serves.
    fn lacks_local(&self, changes: &Changes, file: FileId, gone: &[Range<u32>]) -> bool {
        let locals = &self.locals[&file];
        let leaves = |&place: &u32| changes.leave((file, place));
        let is_lost = |local: usize| {
            let Local { name, places, uses } = &locals.all[local];
            !changes.added.contains(name)
                && !places.iter().any(leaves)
                && uses.iter().any(leaves)
                && !self.names[*name].shared.iter().any(|place| changes.leave(*place))
        };
        let changed: BTreeSet<usize> = inside(&locals.places, gone).collect();
        changed.into_iter().any(is_lost)
    }
}

impl Places {
    /// Whether a file uses the name, and neither defines it nor finds it in another file, or whether a member stands for one
    /// that is gone.
    fn lack_definition(&self, changes: &Changes) -> bool {
        if self.owed.iter().any(|place| changes.leave(*place)) {
            let others = || self.definitions.iter().filter(|place| self.owed.binary_search(place).is_err());
            return !others().any(|place| changes.leave(*place));
        }
        if self.shared.iter().any(|place| changes.leave(*place)) {
            return false;
        }
        let leaves = |places: &[(FileId, u32)]| places.iter().any(|place| changes.leave(*place));
        let defines = |file: FileId| {
            let from = self.definitions.partition_point(|place| place.0 < file);
            let first = by_file(&self.definitions[from..]).next();
            first.is_some_and(|places| places[0].0 == file && leaves(places))
        };
        by_file(&self.all).any(|places| !defines(places[0].0) && leaves(places))
    }

    /// Whether the name is used, and the bodies that it had are gone.
    fn lack_body(&self, changes: &Changes) -> bool {
        let is_used =
            |place: &(FileId, u32)| changes.leave(*place) && self.definitions.binary_search(place).is_err();
        !self.bodies.is_empty()
            && !self.bodies.iter().any(|body| changes.leave_body(*body))
            && self.all.iter().any(is_used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{base, changed};
    use std::sync::Arc;

    #[test]
    fn names_lack_a_definition_if_a_use_and_no_other_definition_stays() {
        let text =
            b"struct a { int n; }; void g(a x);\nint f(int); int f(char);\nint h() { return b.n + f(1); }\nvoid j() { int i = 0; }\nint k(int i) { return i; }\n";
        let base = base("cpp", text);
        let file = File { id: 0, parsed: base.file(0) };
        let lacks = |texts: &[&str]| {
            let node = |text: &str| file.tree().nodes().find(|&n| file.node_text(n) == text.as_bytes());
            let units = texts.iter().map(|text| file.drop(node(text).unwrap()));
            Names::of([(file, true)].into_iter()).lack_after(&base, &Unit::together(units))
        };
        let class = "struct a { int n; }";
        assert!(lacks(&[class]) && lacks(&[class, "void g(a x);"]), "a field is a name, too");
        assert!(!lacks(&[class, "void g(a x);", "int h() { return b.n + f(1); }"]));
        assert!(!lacks(&["int i = 0;"]), "i is a parameter elsewhere");
        assert!(!lacks(&["int f(int);"]) && lacks(&["int f(int);", "int f(char);"]));
    }

    #[test]
    fn the_parameters_of_a_type_are_lacking_whatever_others_have_their_names() {
        let text = b"struct A<T>(T);\nstruct B<T> { b: T }\nstruct C<T>(());\n";
        let base = base("rust", text);
        let file = File { id: 0, parsed: base.file(0) };
        let mut lists = file.with(Role::TypeParameters);
        let mut lacks =
            || Names::of([(file, true)].into_iter()).lack_after(&base, &file.drop(lists.next().unwrap()));
        assert!(lacks() && lacks() && !lacks());
    }

    #[test]
    fn a_member_is_lacking_where_another_stands_for_it() {
        let lacks = |language: &str, text: &str, members: &[&str]| {
            let base = base(language, text.as_bytes());
            let file = File { id: 0, parsed: base.file(0) };
            let node = |text: &&str| file.nodes().find(|&n| file.node_text(n) == text.as_bytes()).unwrap();
            let unit = Unit::together(members.iter().map(|member| file.drop(node(member))));
            Names::of([(file, true)].into_iter()).lack_after(&base, &unit)
        };
        let text = "trait A { fn f(); type T; fn g(); }\nimpl A for u8 { fn f() { } type T = (); }\nimpl B { fn g() {  } }\ntrait C {}\nimpl C for B { fn g() { } }\n";
        assert!(lacks("rust", text, &["fn f();"]) && lacks("rust", text, &["type T;"]));
        assert!(!lacks("rust", text, &["fn g();"]) && !lacks("rust", text, &["fn g() {  }"]));
        assert!(!lacks("rust", text, &["fn f();", "fn f() { }"]));
        assert!(!lacks("rust", text, &["fn f() { }"]), "the trait may give it");
        let text = "class A { void f() {} }\nclass B extends A { @Override void f() {;} }\nclass C extends D { @Override void g() {;} }\nclass E { void g() {} }\nclass F extends G { int h; @Override void h() {;} }\n";
        assert!(lacks("java", text, &["void f() {}"]) && !lacks("java", text, &["void g() {}"]));
        assert!(!lacks("java", text, &["int h;"]), "they have only the spelling in common");
    }

    #[test]
    fn names_are_lacking_after_a_candidate_unless_it_defines_them_elsewhere() {
        let text = b"int a; int b; int f() { return a; }\n";
        let base = base("c", text);
        let names = Names::new(&base);
        let lacks = |texts: &[(&str, &str)]| {
            let changes: Vec<_> = texts.iter().map(|&(old, new)| (0, old, new)).collect();
            names.lacking(&base, &changed(&base, &changes)).definition
        };
        assert!(lacks(&[("int a;", "")]) && lacks(&[("int a;", "int c;")]));
        assert!(!lacks(&[("int b;", "")]), "no use of it is left");
        assert!(!lacks(&[("int a;", ""), ("return a;", "")]));
        assert!(!lacks(&[("int a;", ""), ("return a;", "int a; return a;")]), "the definition has moved");
    }

    #[test]
    fn the_files_of_a_program_use_each_others_names_and_a_function_lacks_its_body() {
        let texts = [
            "int f(int); int g(int);\n",
            "int f(int a) { return a; }\n",
            "static int a; int h() { return f(a); }\n",
        ];
        let parsed = |text: &str| Arc::new(Parsed::new(lopper_languages::named("c").unwrap(), text.into()));
        let base = Base { files: texts.map(parsed).to_vec() };
        let names = Names::new(&base);
        let lack = |cuts: &[(FileId, &str)]| {
            let edit = |&(file, old): &(FileId, &str)| {
                let start = texts[file as usize].find(old).unwrap();
                Edit::replace(file, start..start + old.len(), Vec::new())
            };
            names.lacking(&base, &Candidate::merge(cuts.iter().map(edit).collect()).unwrap())
        };
        let (body, use_of_f) = ((1, "int f(int a) { return a; }"), (2, "return f(a);"));
        assert_eq!(lack(&[body]), Lack { body: true, ..Lack::default() });
        assert_eq!(lack(&[body, use_of_f]), Lack::default());
        assert_eq!(
            lack(&[(0, "int f(int);"), body]),
            Lack { definition: true, body: true, ..Lack::default() }
        );
        assert_eq!(lack(&[(0, "int f(int);")]), Lack::default(), "another file defines it");
        assert_eq!(lack(&[(0, "int g(int);")]), Lack::default(), "it had no body before");
        assert!(lack(&[(2, "static int a;")]).definition, "the parameter of another file is another name");
    }

    #[test]
    fn a_function_lacks_its_body_where_it_becomes_a_declaration_but_not_where_it_gets_another_body() {
        let text = b"int f(int a) { return a; }\nint main() { return f(0); }\n";
        let base = base("c", text);
        let lack = |new: &str| {
            let edits = vec![Edit::replace(0, 13..26, new.as_bytes().to_vec())];
            Names::new(&base).lacking(&base, &Candidate::merge(edits).unwrap())
        };
        assert_eq!(lack(";"), Lack { body: true, ..Lack::default() });
        assert_eq!(lack("{}"), Lack::default());
    }

    #[test]
    fn a_part_in_the_place_of_the_whole_lacks_what_is_defined_around_it() {
        let text = "int f(int a) { if (a) { int b = 1; g(b, c); } return a; }\nint h() { return f(1); }\n";
        let base = base("c", text.as_bytes());
        let names = Names::new(&base);
        let lack = |old: &str, new: &str| names.lacking(&base, &changed(&base, &[(0, old, new)]));
        let branch = "if (a) { int b = 1; g(b, c); }";
        assert_eq!(lack(branch, "{ int b = 1; g(b, c); }"), Lack::default());
        assert!(lack(branch, "g(b, c);").definition);
        let function = "int f(int a) { if (a) { int b = 1; g(b, c); } return a; }";
        assert!(lack(function, "int b = 1;").body && lack(function, "int b = 1;").definition);
        assert!(lack(function, "int f(int a)").body && !lack(function, "int f(int a) { return a; }").body);
    }

    #[test]
    fn what_is_local_is_lacking_where_its_uses_stay_although_other_functions_have_such_a_name() {
        let text = "int n;\nint f(int a) { int i = 1; return i; }\nint g(int i) { l: if (i) goto l; return i; }\nint h() { int n = 1; return n; }\n";
        let base = base("c", text.as_bytes());
        let names = Names::new(&base);
        let lacks = |parts: &[&str]| {
            let changes: Vec<_> = parts.iter().map(|&part| (0, part, "")).collect();
            names.lacking(&base, &changed(&base, &changes)).definition
        };
        assert!(lacks(&["int i = 1;"]) && lacks(&["int i"]) && lacks(&["l: "]));
        assert!(!lacks(&["int i = 1;", "return i;"]) && !lacks(&["int a"]));
        assert!(!lacks(&["int n = 1;"]), "the uses find the variable of the file");
    }

    #[test]
    fn a_member_is_lacking_only_where_types_tell_which_one_is_meant() {
        let lacks = |language: &str, text: &str, member: &str| {
            let base = base(language, text.as_bytes());
            Names::new(&base).lacking(&base, &changed(&base, &[(0, member, "")])).definition
        };
        let python = "class A:\n    x = 1\n    def f(self): pass\ndef g(): b.f()\ng()\n";
        assert!(!lacks("python", python, "def f(self): pass"));
        assert!(lacks("python", python, "def g(): b.f()"));
        assert!(lacks("java", "class A { int x; void f() {} void g() { b.f(); } }\n", "void f() {}"));
    }

    #[test]
    fn an_import_at_the_head_of_a_module_lacks_what_the_other_module_does_not_define_any_more() {
        let text = "=== a.py\nfrom m import f, g\ndef late():\n    from m import h\n=== m.py\ndef f(): pass\ndef g(): pass\ndef h(): pass\n=== n.py\nfrom a import f\n";
        let base = Base::of_example("python", text);
        let names = Names::new(&base);
        let lacks = |changes: &[(FileId, &str, &str)]| names.lacking(&base, &changed(&base, changes)).import;
        let (f, import) = ((1, "def f(): pass\n", ""), (0, "from m import f, g\n", ""));
        assert!(lacks(&[f]) && lacks(&[(1, "def f(): pass\ndef g(): pass\n", "")]));
        assert!(!lacks(&[(1, "def h(): pass\n", "")]), "the import may never run");
        assert!(!lacks(&[(1, "def g(): pass\n", ""), (0, ", g", "")]), "the import has changed");
        assert!(
            lacks(&[f, import]) && lacks(&[import]),
            "the third module imports what the first one imports"
        );
        assert!(!lacks(&[f, import, (2, "from a import f\n", "")]));
        assert!(!lacks(&[(1, "def f(): pass\n", "f = 1\n")]), "it has another definition");
        let remove = |files: &[FileId]| {
            let edits = files.iter().map(|&file| Edit::remove(file)).collect();
            names.lacking(&base, &Candidate::merge(edits).unwrap()).import
        };
        assert!(remove(&[1]) && remove(&[0, 1]) && !remove(&[2]) && !remove(&[0, 1, 2]));
    }
}
