//! Makes ordinary functions of operators: `operator==` gets a name, wherever the program declares, defines or names it.

use crate::c::{all, child};
use crate::uses::free_short_names;
use crate::{Base, Example, File, Group, Pass, Source, Unit};
use lopper_languages::layout::deletion;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass = Pass {
    name: "operator-functions",
    summary: "makes an ordinary function of an operator such as `operator==`, or of a conversion such as `operator int`",
    languages: &["cpp"],
    proves: true,
    examples: &[
        Example {
            language: "cpp",
            before: "struct s { void operator ()(int) const; s *operator->(); };\nvoid s::operator()(int) const {}\nvoid f(s t) { t.operator()(1); t->operator->(); }\n",
            keep: &[
                "struct s { void ",
                "(int) const; s *operator->()",
                "void s::",
                "(int) const {}",
                "t->operator->(); }",
                "(1)",
            ],
            after: "struct s { void a(int) const; s *operator->(); };\nvoid s::a(int) const {}\nvoid f(s t) { t.a(1); t->operator->(); }\n",
        },
        Example {
            language: "cpp",
            before: "struct s { virtual operator long() const { return 0; } } t;\nlong u = t;\n",
            keep: &["virtual", "long", "() const { return 0; }", "long u = "],
            after: "struct s { virtual long a() const { return 0; } } t;\nlong u = t;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let functions = PASS.files(base).flat_map(|file| {
        let named = operators(file).into_values().map(Written::Name);
        let conversions = all(file, "operator_cast").filter_map(move |cast| conversion(file, cast));
        named
            .chain(conversions)
            .zip(free_short_names(file))
            .map(move |(operator, name)| operator.renamed(file, &name))
    });
    vec![Group::deletions(functions).doubtful()]
}

/// How the program writes an operator.
enum Written {
    /// By these names, such as `operator==`.
    Name(Vec<NodeId>),
    /// As a conversion: this word before its type, and this declarator behind it.
    Conversion(NodeId, NodeId),
}

impl Written {
    fn renamed(self, file: File<'_>, name: &str) -> Unit {
        match self {
            Self::Name(places) => {
                let replaced = places.into_iter().map(|place| file.replace(place, Source::made(name)));
                Unit::together(replaced.collect::<Vec<_>>())
            }
            Self::Conversion(word, declarator) => {
                let at = file.range(declarator).start;
                Unit::together([
                    file.cut(deletion(file.parsed, file.range(word))),
                    file.write(at..at, format!(" {name}")),
                ])
            }
        }
    }
}

/// The names of operators, by their spelling without blanks.
pub(super) fn operators(file: File<'_>) -> BTreeMap<Vec<u8>, Vec<NodeId>> {
    let spelled = |node| file.node_text(node).iter().copied().filter(|c| !c.is_ascii_whitespace()).collect();
    let mut operators: BTreeMap<Vec<u8>, Vec<NodeId>> = BTreeMap::new();
    for node in all(file, "operator_name") {
        operators.entry(spelled(node)).or_default().push(node);
    }
    // Behind an object, the name of an operator is one token.
    for node in all(file, "field_identifier").filter(|&n| file.node_text(n).starts_with(b"operator")) {
        let spelling: Vec<u8> = spelled(node);
        operators.entry(spelling).and_modify(|places| places.push(node));
    }
    operators
}

/// The conversion to a type that ends before the brackets of the function.
fn conversion(file: File<'_>, cast: NodeId) -> Option<Written> {
    let word = child(&file, cast, "operator")?;
    Some(Written::Conversion(word, child(&file, cast, "abstract_function_declarator")?))
}
