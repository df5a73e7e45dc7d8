//! Lets a structured binding become an object: `auto [a, b] = f();` becomes `auto a = f();`, and `b` becomes `a.second`.

use crate::c::fields::{Field, fields};
use crate::c::{all, child, is};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

/// The classes that are tried for a value of unknown type.
const CLASSES: usize = 2;

pub(crate) const PASS: Pass = Pass {
    name: "structured-bindings",
    summary: "replaces the names of a structured binding by one object and its fields",
    languages: &["cpp"],
    proves: true,
    examples: &[
        Example {
            language: "cpp",
            before: "struct s { int b; double *c, d; };\nint f() { auto [h, i, j] = k(); return *i; }\n",
            keep: &["struct s { int b; double *c, d; };", "int f() { auto ", " = k(); return *"],
            after: "struct s { int b; double *c, d; };\nint f() { auto h = k(); return *h.c; }\n",
        },
        Example {
            language: "cpp",
            before: "int f() { for (auto &[a, b] : c()) d(b); }\n",
            keep: &["int f() { for (auto &", " : c()) d("],
            after: "int f() { for (auto &a : c()) d(a.second); }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let bindings = PASS.files(base).flat_map(|file| {
        let bindings: Vec<NodeId> = all(file, "structured_binding_declarator").collect();
        if bindings.is_empty() {
            return Vec::new();
        }
        let classes = all(file, "struct_specifier").chain(all(file, "class_specifier"));
        let classes: Vec<Vec<&[u8]>> = classes.map(|class| names_of_fields(file, class)).collect();
        bindings.into_iter().map(|n| ways(file, n, &classes)).collect::<Vec<_>>()
    });
    vec![Group::choices(bindings).doubtful()]
}

/// The names of a class's fields, in their order, without its functions.
fn names_of_fields<'a>(file: File<'a>, class: NodeId) -> Vec<&'a [u8]> {
    let is_function = |field: &Field| {
        let mut around = file.ancestors(field.name).take_while(|&n| n != field.declaration);
        around.any(|n| is(&file, n, "function_declarator"))
    };
    let fields = fields(file, class).into_iter().filter(|field| !is_function(field));
    fields.map(|field| file.node_text(field.name)).collect()
}

/// A unit for each way to name the parts of the object: as fields of a class, of a pair or of a tuple, or as elements of an array.
fn ways(file: File<'_>, binding: NodeId, classes: &[Vec<&[u8]>]) -> Vec<Unit> {
    let names: Vec<NodeId> = file.named_children(binding).filter(|&n| is(&file, n, "identifier")).collect();
    let Some(&first) = names.first() else { return Vec::new() };
    let object = String::from_utf8_lossy(file.node_text(first));
    let field = |name: &[u8]| format!("{object}.{}", String::from_utf8_lossy(name));
    let of_class = classes.iter().filter(|fields| fields.len() == names.len()).take(CLASSES);
    let mut parts: Vec<Vec<String>> =
        of_class.map(|fields| fields.iter().map(|name| field(name)).collect()).collect();
    if names.len() == 2 {
        parts.push(vec![field(b"first"), field(b"second")]);
    }
    parts.push((0..names.len()).map(|i| format!("std::get<{i}>({object})")).collect());
    if is_of_array(file, binding) {
        parts.push((0..names.len()).map(|i| format!("{object}[{i}]")).collect());
    }
    let uses =
        |name: NodeId| file.definition(name).into_iter().flat_map(move |definition| file.uses(definition));
    let way = |parts: Vec<String>| {
        let used = names.iter().zip(parts).flat_map(|(&name, part)| {
            uses(name)
                .filter(move |&n| n != name)
                .map(move |n| file.write(file.range(n), part.clone().into_bytes()))
        });
        Unit::together(used.chain([file.write(file.range(binding), object.as_bytes().to_vec())]))
    };
    parts.into_iter().map(way).collect()
}

/// Whether a binding's value is a name, which may be that of an array.
fn is_of_array(file: File<'_>, binding: NodeId) -> bool {
    let declarator = file.ancestors(binding).find(|&n| is(&file, n, "init_declarator"));
    declarator.is_some_and(|n| child(&file, n, "identifier").is_some())
}
