//! Replaces an import of a module, or of some of its names, by an import of all its names: `import a;
//! a.b(a.c)` becomes `from a import *; b(c)`.

use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "imports",
    summary: "replaces an import of a module, or of some of its names, by an import of all its names",
    languages: &["python"],
    examples: &[Example {
        language: "python",
        before: "import a, os\nimport b.c\nimport d\nfrom e import (f, g)\nb.c.h(b.c.i, d, d.j, a.k, a.l)\n",
        keep: &["import a, os", "from", "b", "c", "h(", "i, d, d.j, a.k, a.l)"],
        after: "import a, os\nfrom b.c import *\nimport d\nfrom e import *\nh(i, d, d.j, a.k, a.l)\n",
    }],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let imports =
        PASS.files(base).flat_map(|file| file.tree().nodes().filter_map(move |node| of_all(file, node)));
    vec![Group::deletions(imports).doubtful()]
}

fn of_all(file: File<'_>, statement: NodeId) -> Option<Unit> {
    match file.kind_name(statement) {
        "import_statement" => of_module(file, statement),
        "import_from_statement" => of_names(file, statement),
        _ => None,
    }
}

/// Handles a statement that imports only one module, of which all uses access one of its names.
fn of_module(file: File<'_>, statement: NodeId) -> Option<Unit> {
    let mut imported = file.named_children(statement);
    let module = imported.next().filter(|&n| file.kind_name(n) == "dotted_name")?;
    if imported.next().is_some() {
        return None;
    }
    let name = file.node_text(module);
    let definition = file.definition(file.children(module).next()?)?;
    let all = [b"from ", name, b" import *"].concat();
    let mut units = vec![file.replace(statement, all)];
    for used in file.uses(definition) {
        let mut path = std::iter::once(used).chain(file.ancestors(used));
        path.find(|&n| file.node_text(n) == name)?;
        let attribute = path.next().filter(|&n| file.kind_name(n) == "attribute")?;
        let by = file.children(attribute).last()?;
        units.push(file.replace(attribute, by));
    }
    Some(Unit::together(units))
}

/// Replaces an import of some of a module's names by one of all names.
fn of_names(file: File<'_>, statement: NodeId) -> Option<Unit> {
    let import = file.children(statement).find(|&n| file.node_text(n) == b"import")?;
    let names = file.range(import).end..file.range(statement).end;
    let by = [&file.text()[file.range(statement).start..names.start], b" *"].concat();
    Some(file.replace(statement, by))
}
