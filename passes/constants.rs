//! Replaces an expression by the simplest constant.

use crate::levels::levels;
use crate::uses::is_called;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::Fault;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "constants",
    summary: "replaces an expression by a simple constant",
    examples: &[
        Example {
            language: "python",
            before: "x = f(a, b[1])\ny = g() + 1\n",
            keep: &["x = f(", ")", "y = ", " + "],
            after: "x = f(0, 0)\ny = 0 + 0\n",
        },
        Example { language: "c", before: "int a = b(c) * 2;\n", keep: &["int a ="], after: "int a = 0;\n" },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    // Where compilers know the types, no constant can be called.
    let is_called = |file: File<'_>, node| file.language().refuses(Fault::Undefined) && is_called(file, node);
    let levels =
        levels(PASS.files(base), |file, node| file.has(node, Role::Expression) && !is_called(file, node));
    let choices = |level: Vec<_>| Group::choices(level.into_iter().map(simpler)).doubtful();
    levels.into_iter().map(choices).collect()
}

fn simpler((file, node): (File<'_>, NodeId)) -> Vec<Unit> {
    let text = file.node_text(node);
    // Constants are ranked: none is replaced by a later one, or two would alternate. Replacing a single token
    // gains little.
    let count = match file.tokens_in(file.range(node)).len() {
        ..=1 => 1,
        _ => usize::MAX,
    };
    let constants = file.language().constants().iter().take(count).take_while(|c| c.as_bytes() != text);
    constants.map(|&constant| file.replace(node, constant)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::base;

    #[test]
    fn no_constant_is_called_where_types_are_known() {
        for (language, text, is_called) in
            [("rust", "fn f() { a.b(1 + 2); }\n", false), ("javascript", "a.b(1 + 2);\n", true)]
        {
            let base = base(language, text.as_bytes());
            let groups = plan(&base);
            let after = |group: &Group, unit| {
                let candidate = group.render(&base, &[unit]).unwrap();
                String::from_utf8(candidate.apply(0, text.as_bytes())).unwrap()
            };
            let units = groups.iter().flat_map(|g| (0..g.units().len()).map(move |unit| after(g, unit)));
            let texts: Vec<String> = units.collect();
            assert_eq!(texts.iter().any(|text| text.contains("0(1 + 2)")), is_called, "{texts:?}");
            assert!(texts.iter().any(|text| text.contains("a.b(0)")), "{texts:?}");
        }
    }

    #[test]
    fn nothing_takes_the_place_of_a_value_where_the_language_has_a_word_for_it() {
        for (language, text, nothing) in [
            ("python", "f(x).g\n", "None.g\n"),
            ("javascript", "f(x).g;\n", "null.g;\n"),
            ("lua", "y = f(x)\n", "y = nil\n"),
        ] {
            let base = base(language, text.as_bytes());
            let groups = plan(&base);
            let after = |group: &Group, unit| group.render(&base, &[unit]).unwrap().apply(0, text.as_bytes());
            let mut texts = groups.iter().flat_map(|g| (0..g.units().len()).map(move |unit| after(g, unit)));
            assert!(texts.any(|text| text == nothing.as_bytes()), "{language}");
        }
    }
}
