//! Makes an abbreviated function template: `template <class T> int f(T a)` becomes `int f(auto a)`, and `template <c T>` becomes
//! `c auto`. So does the template of a lambda expression.

use super::templates::Template;
use crate::c::{all, child, is};
use crate::functions;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "abbreviated-templates",
    summary: "replaces a parameter of a function template that is the type of one parameter of the function by `auto`",
    languages: &["cpp"],
    proves: true,
    examples: &[
        Example {
            language: "cpp",
            before: "template <typename T> int f(const T &a) { return 1; }\nint x = f<float>(2) + f(3);\n",
            keep: &["int f(const ", " &a) { return 1; }\nint x = f", "(2) + f(3);"],
            after: "int f(const auto &a) { return 1; }\nint x = f(2) + f(3);\n",
        },
        Example {
            language: "cpp",
            before: "struct s { template <class T, c U> T f(T a, U b); };\ntemplate <class T, c U> T s::f(T a, U b) { }\n",
            keep: &["T f(T a, ", " b); };", "T s::f(T a, ", " b) { }"],
            after: "struct s { template <class T> T f(T a, c auto b); };\ntemplate <class T> T s::f(T a, c auto b) { }\n",
        },
        Example {
            language: "cpp",
            before: "int x = []<class T>(T a) { return 1; }(2);\n",
            keep: &["a) { return 1; }(2)"],
            after: "int x = [](auto a) { return 1; }(2);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let templates =
        PASS.files(base).flat_map(|file| file.definitions().flat_map(move |d| of_template(file, d)));
    let lambdas = PASS.files(base).flat_map(|file| {
        let heads = all(file, "lambda_expression").filter_map(move |n| Head::of_lambda(file, n));
        heads.flat_map(|head| {
            let unit = |place| head.abbreviated(place);
            (0..head.parameters.len()).filter_map(unit).collect::<Vec<_>>()
        })
    });
    vec![Group::deletions(templates.chain(lambdas)).doubtful()]
}

/// For each parameter of a template, the unit that abbreviates it in all declarations of the template.
fn of_template(file: File<'_>, definition: &Definition) -> Vec<Unit> {
    let Some(template) = Template::new(file, definition) else { return Vec::new() };
    let heads: Option<Vec<Head<'_>>> = template.whole.iter().map(|&n| Head::of_template(file, n)).collect();
    let Some(heads) = heads else { return Vec::new() };
    let most = heads.iter().map(|head| head.parameters.len()).max().unwrap_or(0);
    let unit = |place: usize| {
        let declared: Option<Vec<Unit>> = heads.iter().map(|head| head.abbreviated(place)).collect();
        Some(Unit::together(declared?.into_iter().chain(template.arguments_at(place))))
    };
    (0..most).filter_map(unit).collect()
}

/// What stands before a function: `template <class T>`, or `<class T>` in a lambda expression.
struct Head<'a> {
    file: File<'a>,
    range: Range<usize>,
    parameters: Vec<NodeId>,
    /// The template or the lambda expression.
    whole: NodeId,
}

impl<'a> Head<'a> {
    fn of_template(file: File<'a>, whole: NodeId) -> Option<Self> {
        let function = file.named_children(whole).last()?;
        let range = file.range(whole).start..file.range(function).start;
        Some(Self { range, ..Self::of_lambda(file, whole)? })
    }

    fn of_lambda(file: File<'a>, whole: NodeId) -> Option<Self> {
        let list = child(&file, whole, "template_parameter_list")?;
        Some(Self { file, range: file.range(list), parameters: file.named_children(list).collect(), whole })
    }

    /// Replaces the parameter at a place by `auto` if its only mention is the whole type of one parameter of the function.
    fn abbreviated(&self, place: usize) -> Option<Unit> {
        let file = self.file;
        let parameter = *self.parameters.get(place)?;
        let &[mention] = functions::mentions(file, self.whole, parameter).as_slice() else { return None };
        let of = file.parent(mention).filter(|&n| file.child_with(n, Role::Type) == Some(mention))?;
        file.parent(of).filter(|&n| is(&file, n, "parameter_list"))?;
        let gone = match self.parameters.len() {
            1 => file.cut(self.range.clone()),
            _ => file.drop(parameter),
        };
        let text = match file.child_with(parameter, Role::Type) {
            Some(constraint) => [file.node_text(constraint), b" auto"].concat(),
            None => b"auto".to_vec(),
        };
        Some(Unit::together([gone, file.write(file.range(mention), text)]))
    }
}
