//! An import of a module or of some of its names becomes one of all its names: `import a; a.b(a.c)` becomes
//! `from a import *; b(c)`.

use crate::{Base, Example, Grain, Group, Pass, Source, Unit};
use lopper_languages::Parsed;
use lopper_languages::edit::FileId;
use lopper_languages::tree::NodeId;

pub(crate) const PASS: Pass = Pass {
    name: "imports",
    summary: "makes an import of a module, or of some of its names, one of all its names",
    grain: Grain::Fine,
    proves: false,
    reaches: false,
    pump: false,
    examples: &[Example {
        language: "python",
        before: "import a, os\nimport b.c\nimport d\nfrom e import (f, g)\nb.c.h(b.c.i, d, d.j, a.k, a.l)\n",
        keep: &["import a, os", "from", "b", "c", "h(", "i, d, d.j, a.k, a.l)"],
        after: "import a, os\nfrom b.c import *\nimport d\nfrom e import *\nh(i, d, d.j, a.k, a.l)\n",
    }],
    plan,
};

fn plan(base: &Base) -> Vec<Group> {
    let mut units = Vec::new();
    for (id, file) in base.files() {
        for node in file.tree().nodes() {
            units.extend(match file.tree().kind_name(node) {
                "import_statement" => of_module(file, id, node),
                "import_from_statement" => of_names(file, id, node),
                _ => None,
            });
        }
    }
    vec![Group::deletions(units).doubtful()]
}

/// The only thing that a statement imports is a module, and all its uses ask for one of its names.
fn of_module(file: &Parsed, id: FileId, statement: NodeId) -> Option<Unit> {
    let (tree, bindings) = (file.tree(), file.bindings());
    let mut imported = tree.children(statement).filter(|&n| tree.is_named(n));
    let module = imported.next().filter(|&n| tree.kind_name(n) == "dotted_name")?;
    if imported.next().is_some() {
        return None;
    }
    let name = file.node_text(module);
    let definition = &bindings.definitions()[bindings.of(tree.children(module).next()?)?];
    let all = [b"from ", name, b" import *"].concat();
    let mut units = vec![Unit::Replace { file: id, node: statement, by: Source::made(all) }];
    for &used in &definition.uses {
        let mut path = std::iter::once(used).chain(tree.ancestors(used));
        path.find(|&n| file.node_text(n) == name)?;
        let attribute = path.next().filter(|&n| tree.kind_name(n) == "attribute")?;
        let by = Source::Node(tree.children(attribute).last()?);
        units.push(Unit::Replace { file: id, node: attribute, by });
    }
    Some(Unit::Together(units.into()))
}

/// Instead of some of a module's names, all.
fn of_names(file: &Parsed, id: FileId, statement: NodeId) -> Option<Unit> {
    let tree = file.tree();
    let import = tree.children(statement).find(|&n| file.node_text(n) == b"import")?;
    let names = tree.range(import).end..tree.range(statement).end;
    let by = Source::made([&file.text[tree.range(statement).start..names.start], b" *"].concat());
    Some(Unit::Replace { file: id, node: statement, by })
}
