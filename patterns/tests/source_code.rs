//! Patterns of source code.

use crate::{Evidence, Extras, Fill, Generalizing, Haystack, Instances, Names, Options, Pattern};
use lopper_engine::Verdict;
use lopper_languages::{Language, Parsed};

const C_SAMPLE: &str = include_str!("../../languages/c/samples/everything.c");
const PYTHON_SAMPLE: &str = include_str!("../../languages/python/samples/everything.py");

pub(super) fn language(name: &str) -> &'static dyn Language {
    lopper_languages::named(name).unwrap()
}

pub(super) fn generalizing(name: &str, text: &str, original: &str, options: Options) -> Generalizing {
    let [example, original] = [text, original].map(|text| Parsed::new(language(name), text.into()));
    Generalizing::of_source(&example, &[&original], options)
}

fn generalized(name: &str, text: &str, original: &str, test: impl Fn(&str) -> bool) -> Pattern {
    let options = Options { distinct: 6, joint: 10, draws: 60, instances: 40, ..Options::thrifty(1) };
    let machine = generalizing(name, text, original, options);
    let pattern = machine.run(|text| test(std::str::from_utf8(text).unwrap()).into());
    assert_eq!(pattern.check(), Ok(()));
    pattern
}

/// The pattern with this text form.
pub(super) fn marked(name: &str, text: &str) -> Pattern {
    Pattern::of_text(language(name), text.as_bytes()).unwrap()
}

pub(super) fn shown(pattern: &Pattern) -> String {
    String::from_utf8(pattern.to_text(&Names::of_roles())).unwrap()
}

const DIVISION: &str = "int main(void) {\n  int x = 1;\n  x = x / 0;\n  return x;\n}\n";

fn divides_by_zero(text: &str) -> bool {
    text.contains(" / 0;")
}

#[test]
fn all_but_the_cause_may_vary_in_c() {
    let pattern = generalized("c", DIVISION, C_SAMPLE, divides_by_zero);
    let text = shown(&pattern);
    assert!(text.contains("\n  <statement>\n"), "{text}");
    assert!(text.contains("<expression> / 0;\n  <statements>\n"), "{text}");
    assert!(text.starts_with("<statements>\n<type> <name>("), "{text}");
    let rate = pattern.rate.unwrap();
    assert_eq!((rate.failing, rate.valid), (40, 40));
    assert!(pattern.runs < 2000, "{}", pattern.runs);
    let zero = pattern.fixed.iter().find(|f| &pattern.example[f.range.clone()] == b"0").unwrap();
    assert!(zero.evidence.counterexample.is_some(), "{zero:?}");
}

#[test]
fn all_but_the_cause_may_vary_in_python() {
    let text = "class C:\n    def f(self, a):\n        return [lambda: super() for x in [1]]\n";
    let pattern = generalized("python", text, PYTHON_SAMPLE, |text| {
        text.find("class ").is_some_and(|at| text[at..].contains("lambda: super() for "))
    });
    let text = shown(&pattern);
    assert!(text.contains("class <name>:\n    <statements>\n    def <name>("), "{text}");
    assert!(text.contains("        return [lambda: super() for <name> in <expression>]\n"), "{text}");
    assert_eq!(pattern.rate.unwrap().failing, 40);
}

#[test]
fn the_name_of_a_function_or_type_is_no_expression_where_it_is_defined() {
    let text = "struct S<T>(T);\nfn f(p: u8) -> u8 { 1 / 0 }\n";
    let pattern =
        generalized("rust", text, text, |text| text.starts_with("struct ") && text.contains(" { 1 / 0 }"));
    let text = shown(&pattern);
    assert!(text.contains("struct <name><"), "{text}");
    assert!(text.contains("fn <name>("), "{text}");
    assert!(!text.contains("fn <expression>("), "{text}");
}

#[test]
fn the_own_text_of_a_place_that_is_drawn_does_not_keep_it_open() {
    let text = "int f(void) {\n  return 7;\n}\n";
    let machine = generalizing("c", text, text, Options::thrifty(1));
    let pattern = machine.run(|drawn| match drawn == text.as_bytes() {
        true => Verdict::Interesting,
        false => Verdict::Invalid,
    });
    let seen: Vec<_> = pattern.fixed.iter().map(|f| (f.evidence.failing, f.evidence.invalid)).collect();
    assert!(seen.iter().any(|(failing, _)| *failing == 1), "{seen:?}");
    assert!(seen.iter().all(|(_, invalid)| *invalid <= 16), "{seen:?}");
}

#[test]
fn the_same_name_is_the_same_hole() {
    let text = "x = f(1)\nprint(x)\n";
    let pattern = generalized("python", text, PYTHON_SAMPLE, |text| {
        let name = text.lines().find_map(|line| line.strip_suffix(" = f(1)"));
        name.is_some_and(|name| text.lines().any(|line| line == format!("print({name})")))
    });
    assert!(shown(&pattern).contains("<$name_1> = f(1)"), "{}", shown(&pattern));
    assert!(shown(&pattern).contains("print(<$name_1>)"), "{}", shown(&pattern));
    for Evidence { draws, failing, passing, invalid, .. } in pattern.holes.iter().map(|hole| &hole.evidence) {
        assert!(failing + passing + invalid <= *draws, "{failing} + {passing} + {invalid} of {draws}");
    }
}

#[test]
fn instances_are_found_by_their_pattern_and_other_files_are_not() {
    let pattern = generalized("c", DIVISION, C_SAMPLE, divides_by_zero);
    let sample = Parsed::new(language("c"), C_SAMPLE.into());
    let files = [&sample];
    let mut instances = Instances::of_source(&pattern, language("c"), &files, 7, Fill::All).unwrap();
    for _ in 0..20 {
        let text = instances.draw().unwrap().text;
        let file = Parsed::new(language("c"), text.clone());
        let found = Haystack::new(&file).find(&pattern, Extras::Comments);
        assert_eq!(found.len(), 1, "{}", String::from_utf8_lossy(&text));
    }
    assert!(!Haystack::new(&sample).has(&pattern, Extras::Statements));
}

#[test]
fn the_size_of_batches_changes_nothing() {
    let verdict = |text: &[u8]| match text.iter().map(|&b| usize::from(b)).sum::<usize>() % 11 {
        0 => Verdict::Invalid,
        1 if !divides_by_zero(&String::from_utf8_lossy(text)) => Verdict::Interesting,
        _ => divides_by_zero(&String::from_utf8_lossy(text)).into(),
    };
    let few = Options { distinct: 4, joint: 6, draws: 30, instances: 10, ..Options::thrifty(5) };
    for (most, most_runs) in [(2, 2000), (8, 2000), (2, 90), (8, 90)] {
        let options = Options { most_runs, ..few.clone() };
        let alone = generalizing("c", DIVISION, C_SAMPLE, options.clone()).run(verdict);
        let mut batches = generalizing("c", DIVISION, C_SAMPLE, options);
        loop {
            let verdicts: Vec<Verdict> = batches.ask(most).iter().map(|text| verdict(text)).collect();
            if verdicts.is_empty() {
                break;
            }
            batches.learn(&verdicts);
        }
        assert_eq!(batches.pattern(), alone);
    }
}

#[test]
fn ranges_of_numbers_and_lengths_have_confirmed_ends() {
    let text = "int f(void) {\n  return g(\"0123456789\", 40);\n}\n";
    let pattern = generalized("c", text, C_SAMPLE, |text| {
        let call = text.split_once("return g(\"").and_then(|(_, rest)| rest.split_once(");"));
        let arguments = call.and_then(|(call, _)| call.split_once("\", "));
        arguments.is_some_and(|(string, number)| {
            string.len() >= 8 && number.parse::<u64>().is_ok_and(|number| (17..=4711).contains(&number))
        })
    });
    assert!(shown(&pattern).contains("return g(<string:8..>, <number:17..4711>);"), "{}", shown(&pattern));
    assert_eq!(pattern.rate.unwrap().failing, 40);
}

#[test]
fn statements_whose_order_means_nothing_are_found_in_any_order() {
    let fails = |text: &str| ["a();", "b();", "c();"].iter().all(|call| text.contains(call));
    let pattern = generalized("c", "void f(void) {\n  a();\n  b();\n  c();\n}\n", C_SAMPLE, fails);
    let file = |text: &str| Parsed::new(language("c"), text.into());
    let found = |text: &str| Haystack::new(&file(text)).has(&pattern, Extras::Comments);
    assert!(found("void g(void) { c(); a(); b(); }"));
    assert!(!found("void g(void) { c(); a(); a(); }"));
    let ordered = |text: &str| text.find("a();").zip(text.find("b();")).is_some_and(|(a, b)| a < b);
    let pattern = generalized("c", "void f(void) {\n  a();\n  b();\n}\n", C_SAMPLE, ordered);
    assert!(!Haystack::new(&file("void g(void) { b(); a(); }")).has(&pattern, Extras::Comments));
}

#[test]
fn the_text_form_is_read_back() {
    for (name, text) in [
        ("c", "<statements>\nlong double <name> = <expression>;\n<statements>\n"),
        (
            "c",
            "<name>(char <$name_1>) {\n    <statements>\n    <$name_1> |= (<expression>, <number:3..>);\n    <statements>\n}\n",
        ),
        ("c", "int f(<type> a) { <statements> return \\<name> <operator> 3; }\n"),
        (
            "c",
            "struct {\n   <type> <$name_1>;\n} <$name_2>;\nint f() { g(<items>, <string:8..>); <statement> }\n",
        ),
        (
            "python",
            "<statements>\nclass <name>:\n    <statements>\n    def f(self, <items>):\n        return <expression>\n        <statements>\n<statements>\n",
        ),
        ("python", "def f(<$name_1>):\n    <$name_1>(<kind:integer>, <$name_1>)\n    <statements>\n"),
    ] {
        let pattern = marked(name, text);
        assert_eq!(shown(&pattern), text);
        assert_eq!(shown(&Pattern::from_json(&pattern.to_json(&Names::of_roles()).unwrap()).unwrap()), text);
    }
    let refused = Pattern::of_text(language("c"), b"int f(void) {\n    int <operator> x;\n}\n").unwrap_err();
    assert_eq!(refused.to_string(), "<operator> in line 2 stands where nothing of that sort can be");
}

#[test]
fn a_pattern_is_the_same_after_it_was_printed() {
    let pattern = generalized("c", DIVISION, C_SAMPLE, divides_by_zero);
    let again = marked("c", &shown(&pattern));
    assert_eq!(shown(&again), shown(&pattern));
    let kinds =
        |pattern: &Pattern| pattern.nodes.iter().map(|n| (n.kind.clone(), n.hole)).collect::<Vec<_>>();
    let sorts = |pattern: &Pattern| pattern.holes.iter().map(|hole| hole.sort.clone()).collect::<Vec<_>>();
    assert_eq!(sorts(&again), sorts(&pattern));
    assert_eq!(kinds(&again).len(), kinds(&pattern).len());
}
