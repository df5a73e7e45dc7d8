//! The contract of every pass: its examples come out exactly, and its units render to valid edits on any
//! text.

use super::*;
use lopper_languages::ON_REQUEST;
use lopper_languages::edit::{Candidate, Edit, FileId};
use lopper_languages::grammar::{Generator, Grammar, Parser};
use proptest::prelude::*;
use std::path::Path;
use std::sync::OnceLock;

pub(crate) fn base(language: &str, text: &[u8]) -> Base {
    let language = lopper_languages::named(language).unwrap_or(&lopper_languages::text::TEXT);
    Base { files: vec![Arc::new(Parsed::new(language, text.to_vec()))] }
}

/// The candidate that puts each new text in the place of the first such old one in a file.
pub(crate) fn changed(base: &Base, changes: &[(FileId, &str, &str)]) -> Candidate {
    let edit = |&(file, old, new): &(FileId, &str, &str)| {
        let start = std::str::from_utf8(&base.file(file).text).unwrap().find(old).unwrap();
        Edit::replace(file, start..start + old.len(), new.as_bytes().to_vec())
    };
    Candidate::merge(changes.iter().map(edit).collect()).unwrap()
}

/// Whether the grammar finds at most as many errors in the candidate as in the base.
fn is_valid(base: &Base, candidate: &Candidate) -> bool {
    candidate.files().filter(|&id| !candidate.removes(id)).all(|id| {
        let file = base.file(id);
        file.language.reparse(file, candidate.edits_of(id)) <= file.syntax().errors
    })
}

/// The base after a candidate.
fn after(base: &Base, candidate: &Candidate) -> Base {
    let left = base.files().filter(|(id, _)| !candidate.removes(*id));
    let file = |(id, file): (FileId, &Arc<Parsed>)| {
        let changed = file.with_text(candidate.apply(id, &file.text));
        Arc::new(candidate.path(id).map(|path| changed.with_path(Arc::clone(path))).unwrap_or(changed))
    };
    let mut files: Vec<Arc<Parsed>> = left.map(file).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Base { files }
}

/// Takes one unit at a time, the first one that the predicate, the grammar and the measure allow, until there
/// is none.
pub(crate) fn reduce(pass: &Pass, mut base: Base, interesting: impl Fn(&str) -> bool) -> String {
    'again: loop {
        for group in (pass.plan)(&base) {
            for unit in 0..group.units().len() {
                let Ok(candidate) = group.render(&base, &[unit]) else { continue };
                let next = after(&base, &candidate);
                let text = next.to_example();
                if (next.measure(), &text) < (base.measure(), &base.to_example())
                    && is_valid(&base, &candidate)
                    && interesting(&text)
                {
                    base = next;
                    continue 'again;
                }
            }
        }
        return base.to_example();
    }
}

#[test]
fn every_example_has_exactly_the_result_in_the_manual() {
    let mut wrong = String::new();
    for pass in PASSES {
        assert!(!pass.examples.is_empty(), "{pass:?} has no example");
        for example in pass.examples {
            if lopper_languages::named(example.language).is_none() {
                // It is tried where the features for all languages are on.
                let is_on_request = ON_REQUEST.iter().any(|(name, ..)| *name == example.language);
                assert!(is_on_request, "{pass:?} has an example in {}", example.language);
                continue;
            }
            let base = Base::of_example(example.language, example.before);
            assert!(base.files.iter().all(|file| file.syntax().errors == 0), "{pass:?}: {}", example.before);
            assert_eq!(base.to_example(), example.before, "{pass:?}");
            assert!(base.is_of_several() || !pass.several, "{pass:?}: {}", example.before);
            let keep = |text: &str| example.keep.iter().all(|k| text.contains(k));
            assert!(keep(example.before), "{pass:?} does not start from an interesting text");
            let after = reduce(pass, base, keep);
            if after != example.after {
                wrong +=
                    &format!("{pass:?} ({})\n{after}\ninstead of\n{}\n\n", example.language, example.after);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The pass that docs/adding-a-pass.md adds.
#[path = "../docs/trailing_blanks.rs"]
mod trailing_blanks;

#[test]
fn the_pass_of_the_guide_compiles_and_its_example_comes_out() {
    let guide = include_str!("../docs/adding-a-pass.md");
    let block = guide.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(block, Some(include_str!("../docs/trailing_blanks.rs")), "the guide shows another pass");
    let [example] = trailing_blanks::PASS.examples else { panic!("one example") };
    let base = base(example.language, example.before.as_bytes());
    let keep = |text: &str| example.keep.iter().all(|k| text.contains(k));
    assert_eq!(reduce(&trailing_blanks::PASS, base, keep), example.after);
}

#[test]
fn a_pass_plans_only_for_its_languages() {
    for pass in PASSES.iter().filter(|pass| !pass.languages.is_empty()) {
        // A language may be left out of this program by its features.
        let is_known = |name: &&&str| lopper_languages::all().iter().any(|l| l.name() == **name);
        let mut known = pass.languages.iter().filter(is_known).peekable();
        assert!(known.peek().is_some(), "{pass:?} is for {:?}", pass.languages);
        assert!(known.all(|l| pass.examples.iter().any(|e| e.language == *l)), "{pass:?}");
        for (language, file, text) in lopper_languages::samples() {
            let groups = (pass.plan)(&base(language, text.as_bytes()));
            let units: usize = groups.iter().map(|group| group.units().len()).sum();
            assert!(units == 0 || pass.languages.contains(&language), "{pass:?} plans for {file}");
        }
    }
}

#[test]
fn names_are_unique() {
    let names: std::collections::BTreeSet<_> = PASSES.iter().map(|p| p.name).collect();
    assert_eq!(names.len(), PASSES.len());
    assert!(PASSES.iter().all(|p| named(p.name).is_some_and(|n| n.name == p.name)));
}

/// Checks the contract: plans are deterministic; each unit alone, and all units of a group together, render
/// to sorted, disjoint edits inside the text that change something.
fn check_contract(base: &Base) -> Result<(), TestCaseError> {
    prop_assert_eq!(canonical(base), canonical(base), "the canonical form differs");
    for pass in PASSES {
        let groups = (pass.plan)(base);
        let again = (pass.plan)(base);
        prop_assert_eq!(groups.len(), again.len());
        for (group, again) in groups.iter().zip(&again) {
            prop_assert_eq!(group.units(), again.units(), "{:?} plans differently", pass);
            let mut one_of_each: Vec<usize> = Vec::new();
            for unit in 0..group.units().len() {
                let same = one_of_each.last().is_some_and(|&last| group.choice(last) == group.choice(unit));
                if !same {
                    one_of_each.push(unit);
                }
                if let Ok(candidate) = group.render(base, &[unit]) {
                    check_candidate(base, &candidate)?;
                }
            }
            if let Ok(candidate) = group.render(base, &one_of_each) {
                check_candidate(base, &candidate)?;
            }
        }
    }
    Ok(())
}

fn check_candidate(base: &Base, candidate: &Candidate) -> Result<(), TestCaseError> {
    let changes = |id| !candidate.edits_of(id).is_empty() || candidate.path(id).is_some();
    prop_assert!(base.files().any(|(id, _)| changes(id)));
    for (id, file) in base.files().filter(|(id, _)| !candidate.removes(*id)) {
        let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
        let torn = is_text(&file.text) && !is_text(&candidate.apply(id, &file.text));
        prop_assert!(!torn, "a character is cut in two: {:?}", candidate.edits_of(id));
        let edits = candidate.edits_of(id);
        prop_assert!(edits.iter().all(|e| e.start <= e.end && e.end <= file.text.len()));
        prop_assert!(edits.windows(2).all(|w| w[0].end <= w[1].start));
    }
    Ok(())
}

#[test]
fn every_pass_keeps_the_contract_on_every_sample() {
    for (language, _, text) in lopper_languages::samples() {
        check_contract(&base(language, text.as_bytes())).unwrap_or_else(|e| panic!("{language}: {e}"));
    }
}

#[test]
fn what_a_unit_frees_in_a_large_program_goes_with_it_and_counts_as_its_weight() {
    let in_cpp = |i| {
        format!("struct s{i} {{ int n; int f() {{ return n; }} }};\nint g{i}(s{i} *x) {{ return x->f(); }}\n")
    };
    let in_c = |i| {
        format!(
            "struct s{i} {{ int n; }};\nint g{i}(struct s{i} *);\nint g{i}(struct s{i} *x) {{ return x->n; }}\n"
        )
    };
    let parts: [(&str, &dyn Fn(usize) -> String); 2] = [("cpp", &in_cpp), ("c", &in_c)];
    for (language, part) in parts {
        let parts: String = (0..300).map(part).collect();
        let calls: String = (0..300).map(|i| format!("  g{i}(0);\n")).collect();
        let base = base(language, format!("{parts}int main() {{\n{calls}}}\n").as_bytes());
        let file = base.file(0);
        let is_call = |unit: &Unit| {
            matches!(unit, Unit::Drop { node, .. } if file.tree().range(*node) == {
                let start = file.text.windows(6).position(|text| text == b"g7(0);").unwrap();
                start..start + 6
            })
        };
        let delete = (crate::delete::PASS.plan)(&base);
        let found = delete.iter().find_map(|group| Some((group, group.units().iter().position(is_call)?)));
        let (group, unit) = found.unwrap();
        assert!(group.weight(&base, unit) > 30, "{language}: {}", group.weight(&base, unit));
        let candidate = group.render(&base, &[unit]).unwrap();
        let left = String::from_utf8(candidate.apply(0, &file.text)).unwrap();
        let rest = parts.replace(&part(7), "");
        assert_eq!(left, format!("{rest}int main() {{\n{calls}}}\n").replace("  g7(0);\n", ""));
        for pass in ["delete", "definitions", "unused"] {
            for group in (crate::named(pass).unwrap().plan)(&base) {
                for unit in (0..group.units().len()).step_by(37) {
                    check_candidate(&base, &group.render(&base, &[unit]).unwrap()).unwrap();
                }
                let all: Vec<usize> = (0..group.units().len())
                    .filter(|&unit| unit == 0 || group.choice(unit) != group.choice(unit - 1))
                    .collect();
                let candidate = group.render(&base, &all);
                candidate.iter().for_each(|candidate| check_candidate(&base, candidate).unwrap());
            }
        }
    }
}

#[test]
fn every_pass_keeps_the_contract_on_all_samples_as_the_files_of_one_base() {
    let parsed = |(language, file, text): &(&str, &str, &str)| {
        let path = Path::new(language).join(file);
        let language = lopper_languages::named(language).unwrap_or(&lopper_languages::text::TEXT);
        Arc::new(Parsed::at(path.into(), language, text.as_bytes().to_vec()))
    };
    let base = Base { files: lopper_languages::samples().iter().map(parsed).collect() };
    check_contract(&base).unwrap_or_else(|e| panic!("{e}"));
}

/// A pass, a language, a program, and the result of one unit of the pass. In each program, something else has
/// the same name.
const NAMES: [(&str, &str, &str, &str); 8] = [
    (
        "parameters",
        "c",
        "struct s { int a; } x;\nint f(int a) { { char a; g(a); } return a + x.a; }\nint h = f(1);\n",
        "struct s { int a; } x;\nint f() { { char a; g(a); } return 1 + x.a; }\nint h = f();\n",
    ),
    (
        "inline",
        "python",
        "def f(a):\n    return [a for a in b] + a\nprint(f(2))\n",
        "print([a for a in b] + 2)\n",
    ),
    (
        "inline",
        "python",
        "def f(): return 1\nclass A:\n    def f(self): return 2\nprint(f(), A().f())\n",
        "class A:\n    def f(self): return 2\nprint(1, A().f())\n",
    ),
    (
        "parameters",
        "python",
        "class A:\n    def f(self, a): return 1\nclass B:\n    def f(self, b): return 2\nx.f(a=3)\n",
        "class A:\n    def f(self): return 1\nclass B:\n    def f(self): return 2\nx.f()\n",
    ),
    (
        "rename",
        "python",
        "def f(long): return long\ndef g(long): return long\nf(long=g(long=1))\nh(long=2)\n",
        "def f(a): return a\ndef g(long): return long\nf(a=g(long=1))\nh(long=2)\n",
    ),
    ("variables", "python", "a = g()\nprint(a, x.a)\n", "print(g(), x.a)\n"),
    (
        "aliases",
        "c",
        "typedef int t;\nint f() { typedef char t; t y; }\nt x;\n",
        "int f() { typedef char t; t y; }\nint x;\n",
    ),
    (
        "methods",
        "python",
        "class A:\n    def f(self): return 1\nf = str\nA().f()\nf()\n",
        "def f(self): return 1\nclass A:\n    pass\nf = str\nf(A())\nf()\n",
    ),
];

#[test]
fn other_things_with_the_same_name_are_left_alone() {
    for (pass, language, before, after) in NAMES {
        let texts = accepted(pass, &base(language, before.as_bytes()));
        assert!(texts.iter().any(|text| text == after), "{pass} makes of {before}:\n{}", texts.join("\n"));
    }
}

/// Texts with characters of two, three and four bytes: in names, strings, comments, and elsewhere.
const LONG_CHARACTERS: [(&str, &str); 4] = [
    ("c", "int größe = L'é'; char *名 = \"zwölf €\"; // ½ 🦀\nint f(int größe) { return größe + 名[0]; }\n"),
    ("c", "int a = § 1; /* ü */ ☃ b€ = \"\\u00fc🦀\"; int x = größe(🦀);\n"),
    ("python", "größe = 'äöü' + f\"{名}€\"  # ½\ndef 名(größe=1): return größe or '🦀'\nprint(🦀, größe)\n"),
    ("text", "größe: 1, 名[½]\n  \"zwölf\" €5 (🦀🦀)\n\u{85}\u{a0}x é\n"),
];

#[test]
fn no_pass_cuts_a_character_of_several_bytes_in_two() {
    for (language, text) in LONG_CHARACTERS {
        check_contract(&base(language, text.as_bytes())).unwrap_or_else(|e| panic!("{language}: {e}"));
    }
}

/// A language that a user's grammar defines.
fn arithmetic() -> &'static Parser {
    static ARITHMETIC: OnceLock<&Parser> = OnceLock::new();
    let json = include_str!("../examples/grammars/arithmetic.json");
    ARITHMETIC.get_or_init(|| Parser::new(Grammar::read(json).unwrap()).leak())
}

/// A base in that language.
fn sum(text: &str) -> Base {
    Base { files: vec![Arc::new(Parsed::new(arithmetic(), text.as_bytes().to_vec()))] }
}

/// The texts that a single unit of a pass yields, if the grammar accepts them.
fn accepted(pass: &str, base: &Base) -> Vec<String> {
    let mut texts = Vec::new();
    for group in (named(pass).unwrap().plan)(base) {
        for unit in 0..group.units().len() {
            let Ok(candidate) = group.render(base, &[unit]) else { continue };
            let text = candidate.apply(0, &base.file(0).text);
            if is_valid(base, &candidate) {
                texts.push(String::from_utf8_lossy(&text).into_owned());
            }
        }
    }
    texts.sort();
    texts.dedup();
    texts
}

#[test]
fn generic_passes_work_on_texts_of_a_users_grammar() {
    assert_eq!(
        accepted("delete", &sum("1+(2*34)")),
        ["(2*34)", "1", "1+(2)", "1+(2*3)", "1+(2*4)", "1+(34)"]
    );
    assert_eq!(accepted("delete", &sum("-1.5")), ["-1", "1.5"]);
    assert_eq!(
        accepted("descendants", &sum("1+(2*3)")),
        ["(2*3)", "1", "1+(2)", "1+(3)", "1+2", "1+2*3", "1+3", "2*3"]
    );
    assert_eq!(accepted("fillers", &sum("1+(2)")), ["0", "0+(2)", "1+(0)", "1+0"]);
    assert_eq!(accepted("substitutes", &sum("1+(22)")), ["1+1", "1+22", "22"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_pass_keeps_the_contract_on_texts_of_a_grammar(
        seed in any::<u64>(),
        (at, length) in (0usize..200, 0usize..3),
    ) {
        let mut text = Generator::new(arithmetic().grammar(), seed, 6).derivation().text(arithmetic().grammar());
        text.truncate(300);
        let at = at % (text.len() + 1);
        text.drain(at..(at + length).min(text.len()));
        check_contract(&sum(&text))?;
    }

    #[test]
    fn every_pass_keeps_the_contract_on_broken_samples(
        sample in any::<proptest::sample::Index>(),
        cuts in proptest::collection::vec((0usize..4000, 0usize..40), 0..6),
        other in any::<proptest::sample::Index>(),
    ) {
        let (_, _, text) = *sample.get(&lopper_languages::samples());
        let mut text = text.as_bytes().to_vec();
        for (at, length) in cuts {
            let at = at % (text.len() + 1);
            text.drain(at..(at + length).min(text.len()));
        }
        text.truncate(1500);
        check_contract(&base(other.get(lopper_languages::all()).name(), &text))?;
    }

    #[test]
    fn every_pass_keeps_the_contract_on_broken_files_that_refer_to_each_other(
        example in any::<proptest::sample::Index>(),
        cuts in proptest::collection::vec((any::<proptest::sample::Index>(), 0usize..400, 0usize..20), 0..6),
    ) {
        let examples = PASSES.iter().flat_map(|pass| pass.examples).map(|e| Base::of_example(e.language, e.before));
        let examples: Vec<Base> = examples.filter(Base::is_of_several).collect();
        let mut base = example.get(&examples).clone();
        for (file, at, length) in cuts {
            let file = &mut base.files[file.index(examples[example.index(examples.len())].files.len())];
            let mut text = file.text.to_vec();
            let at = at % (text.len() + 1);
            text.drain(at..(at + length).min(text.len()));
            *file = Arc::new(file.with_text(text));
        }
        check_contract(&base)?;
    }

    #[test]
    fn every_pass_keeps_the_contract_on_any_characters(text in "[a-z\"'(){};:=.# \né€🦀名\u{a0}]{0,60}") {
        for language in lopper_languages::all() {
            check_contract(&base(language.name(), text.as_bytes()))?;
        }
    }

    #[test]
    fn every_pass_keeps_the_contract_on_any_bytes(text in proptest::collection::vec(any::<u8>(), 0..80)) {
        for language in lopper_languages::all() {
            check_contract(&base(language.name(), &text))?;
        }
    }
}
