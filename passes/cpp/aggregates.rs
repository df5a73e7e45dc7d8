//! Deletes a constructor that only gives its arguments to the fields, in their order, and lets the creations of objects do that:
//! `a b(1)` becomes `a b{1}`.

use super::objects::{constructor, creations, whole_name};
use crate::c::{all, child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "aggregates",
    summary: "deletes a constructor that only gives its arguments to the fields, and creates objects by `a{b, c}`",
    languages: &["cpp"],
    proves: true,
    examples: &[Example {
        language: "cpp",
        before: "struct a { int x, y; a(int b, int c) : x(b), y(c) {} } i(7, 8);\nint f(int e) { a g(1, e), h{2, 3}; return k(a(e, 4), new a(5, 6)); }\n",
        keep: &[
            "struct a { int x, y; ",
            "} i",
            "7, 8",
            "int f(int e) { a g",
            "1, e",
            ", h{2, 3}",
            "return k(a",
            "e, 4",
            "new a",
            "5, 6",
        ],
        after: "struct a { int x, y; } i{7, 8};\nint f(int e) { a g{1, e}, h{2, 3}; return k(a{e, 4}, new a{5, 6}); }\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let classes = PASS.files(base).flat_map(|file| {
        let bodies = all(file, "field_declaration_list");
        bodies.filter_map(move |body| aggregate(file, body)).collect::<Vec<_>>()
    });
    vec![Group::deletions(classes).doubtful()]
}

fn aggregate(file: File<'_>, body: NodeId) -> Option<Unit> {
    let class = file.parent(body)?;
    let name = child(&file, class, "type_identifier")?;
    let uses: Vec<NodeId> = file.uses(file.definition(name)?).collect();
    let mut constructors = uses.iter().filter_map(|&n| constructor(file, n));
    let declarator = constructors.next().filter(|_| constructors.next().is_none())?;
    let function = file.parent(declarator).filter(|&n| file.parent(n) == Some(body))?;
    let does_nothing = |n: NodeId| file.named_children(n).next().is_none();
    child(&file, function, "compound_statement").filter(|&n| does_nothing(n))?;
    let text = |n: NodeId| file.node_text(n);
    let of =
        |list: NodeId, kind: &'static str| file.named_children(list).filter(move |&n| is(&file, n, kind));
    let initializers = child(&file, function, "field_initializer_list")?;
    let given: Option<Vec<(&[u8], &[u8])>> = of(initializers, "field_initializer")
        .map(|n| {
            let [field, values] = file.named_children(n).collect::<Vec<_>>()[..] else { return None };
            let [value] = file.named_children(values).collect::<Vec<_>>()[..] else { return None };
            Some((text(field), text(value)))
        })
        .collect();
    let parameters = of(child(&file, declarator, "parameter_list")?, "parameter_declaration");
    let parameters = parameters.filter_map(|n| file.named_children(n).last());
    let declared = of(body, "field_declaration").flat_map(|n| of(n, "field_identifier"));
    let (fields, values): (Vec<&[u8]>, Vec<&[u8]>) = given?.into_iter().unzip();
    let gives_all = declared.map(text).take(fields.len()).eq(fields) && parameters.map(text).eq(values);
    gives_all.then_some(())?;
    let types = uses.into_iter().map(|name| whole_name(file, name)).chain([class]);
    let created = types.flat_map(|named| creations(file, named)).filter_map(|list| {
        let (open, close) = (child(&file, list, "(")?, child(&file, list, ")")?);
        Some([file.replace(open, "{"), file.replace(close, "}")])
    });
    Some(Unit::together(created.flatten().chain([file.drop(function)])))
}
