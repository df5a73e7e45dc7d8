//! Dissolves a class: its members move to the scope around it, and what names an object of it, or the class, goes.

use crate::c::{all, child, is};
use crate::uses::statement;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::bindings::Definition;
use lopper_languages::tree::NodeId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "classes",
    summary: "deletes a class and its objects, but not its members, which become functions and variables",
    languages: &["cpp"],
    proves: true,
    examples: &[
        Example {
            language: "cpp",
            before: "struct a : z { a() : n(1) {} static int n; virtual int f() const override { return this->n; } };\na x, *p;\nint a::n = 2;\nint g() { a y(1); return x.f() + p->n + y.n + a().f(); }\n",
            keep: &["int n;", "int f() ", "n = 2;", "int g() {", "return "],
            after: " static int n; int f() { return n; } \nint n = 2;\nint g() { return f() + n + n + f(); }\n",
        },
        Example {
            language: "cpp",
            before: "struct a { int f(); struct b { int c; } d; };\nstruct e : a { };\nint g(a *x, int y) { return x->f() + x->d.c; }\n",
            keep: &[
                "int f();",
                "struct b { int c; } d;",
                "struct e",
                "int g(",
                " *x, int y)",
                "f() + ",
                "d.c",
            ],
            after: " int f(); struct b { int c; } d; \nstruct e { };\nint g(int *x, int y) { return f() + d.c; }\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let dissolved = PASS.files(base).flat_map(|file| {
        let members = members(file);
        let bodies = all(file, "field_declaration_list");
        let units = bodies.filter_map(|body| Dissolved::new(file, body)?.unit(members.get(&body)));
        units.collect::<Vec<_>>()
    });
    vec![Group::deletions(dissolved).doubtful()]
}

/// The definitions of members, by the body of their class. O(places).
pub(super) fn members(file: File<'_>) -> BTreeMap<NodeId, Vec<&Definition>> {
    let mut members: BTreeMap<NodeId, Vec<&Definition>> = BTreeMap::new();
    let is_scope = |n: &NodeId| {
        matches!(file.kind_name(*n), "field_declaration_list" | "compound_statement" | "parameter_list")
    };
    for definition in file.definitions() {
        let around = file.places(definition).filter_map(|place| file.ancestors(place.name).find(is_scope));
        for body in around.filter(|&n| is(&file, n, "field_declaration_list")).collect::<BTreeSet<_>>() {
            members.entry(body).or_default().push(definition);
        }
    }
    members
}

/// A class without its braces.
struct Dissolved<'a> {
    file: File<'a>,
    class: NodeId,
    body: NodeId,
    /// The class, or the declaration that also declares objects of it.
    whole: NodeId,
    /// The changes, with the bytes that they concern.
    changes: Vec<(Range<usize>, Unit)>,
    /// Nodes that go as a whole, with all changes inside them.
    gone: Vec<NodeId>,
    /// The objects whose members are used.
    objects: Vec<NodeId>,
}

impl<'a> Dissolved<'a> {
    fn new(file: File<'a>, body: NodeId) -> Option<Self> {
        let class = file.parent(body)?;
        let around = file.parent(class)?;
        let whole = match file.kind_name(around) {
            "translation_unit" | "declaration_list" => class,
            "declaration" | "field_declaration" => around,
            _ => return None,
        };
        Some(Self { file, class, body, whole, changes: vec![], gone: vec![], objects: vec![] })
    }

    fn unit(mut self, members: Option<&Vec<&Definition>>) -> Option<Unit> {
        let Self { file, class, whole, .. } = self;
        let name = child(&file, class, "type_identifier");
        let names = name.map_or(vec![], |name| file.bindings().occurrences(name));
        self.constructors(&names);
        self.accesses(members.into_iter().flatten().copied());
        self.specifiers();
        for name in names.into_iter().filter(|&name| file.parent(name) != Some(class)) {
            self.named(name)?;
        }
        if whole != class && !self.is_unused(whole) {
            return None;
        }
        let (open, close) = (child(&file, self.body, "{")?, child(&file, self.body, "}")?);
        let last = file.next_sibling(whole).filter(|&n| is(&file, n, ";")).unwrap_or(whole);
        self.cut(file.range(whole).start..file.range(open).end);
        self.cut(file.range(close).start..file.range(last).end);
        let within = |range: &Range<usize>, node: &NodeId| {
            let whole = file.range(*node);
            whole.start <= range.start && range.end <= whole.end
        };
        let Self { changes, gone, .. } = self;
        let changes = changes.into_iter().filter(|(range, _)| !gone.iter().any(|node| within(range, node)));
        let is_inner =
            |node: &NodeId| gone.iter().any(|other| other != node && file.is_within(*node, *other));
        let gone = gone.iter().filter(|node| !is_inner(node)).map(|&node| file.drop(node));
        Some(Unit::together(changes.map(|(_, unit)| unit).chain(gone)))
    }

    fn cut(&mut self, range: Range<usize>) {
        self.changes.push((range.clone(), self.file.cut(range)));
    }

    /// Deletes constructors and destructors.
    fn constructors(&mut self, names: &[NodeId]) {
        let file = self.file;
        for &name in names {
            let declarator = file.ancestors(name).find(|&n| is(&file, n, "function_declarator"));
            let Some(declarator) = declarator else { continue };
            let is_declared = |n: NodeId| match file.kind_name(n) {
                "identifier" => n == name,
                "destructor_name" => file.is_within(name, n),
                "qualified_identifier" => file.is_within(name, n) && file.next_sibling(name).is_none(),
                _ => false,
            };
            if file.children(declarator).next().is_some_and(is_declared) {
                self.goes(statement(&file, declarator));
            }
        }
    }

    fn goes(&mut self, node: NodeId) {
        if !self.gone.contains(&node) {
            self.gone.push(node);
        }
    }

    /// Replaces `object.member` by `member`.
    fn accesses<'d>(&mut self, members: impl Iterator<Item = &'d Definition>) {
        let file = self.file;
        let reached = |name: NodeId| file.parent(name).filter(|&n| is(&file, n, "field_expression"));
        let uses = members.flat_map(|definition| file.uses(definition));
        let mut accesses: Vec<(Range<usize>, NodeId, NodeId)> = uses
            .filter_map(|name| {
                let access = reached(name)?;
                Some((file.range(access), file.children(access).next()?, name))
            })
            .collect();
        // What an object consists of goes with it: `a.b` in `a.b.c`.
        accesses.sort_by_key(|(range, ..)| (range.start, Reverse(range.end)));
        let mut behind = 0;
        for (range, object, name) in accesses {
            if range.start >= behind {
                behind = file.range(object).end;
                self.objects.push(object);
                self.cut(range.start..file.range(name).start);
            }
        }
    }

    /// Deletes what only members have: access specifiers, `virtual`, `override`, `const` behind parameters.
    fn specifiers(&mut self) {
        let file = self.file;
        for member in file.children(self.body) {
            if is(&file, member, "access_specifier") {
                let colon = file.next_sibling(member).filter(|&n| is(&file, n, ":"));
                self.cut(file.range(member).start..file.range(colon.unwrap_or(member)).end);
                continue;
            }
            let declarators = file.children(member).filter(|&n| file.kind_name(n).ends_with("declarator"));
            let below = declarators.flat_map(|n| file.children(n));
            let is_of_members = |n: &NodeId| match file.kind_name(*n) {
                "virtual" | "virtual_specifier" | "bitfield_clause" | "explicit_function_specifier" => true,
                "type_qualifier" => file.parent(*n) != Some(member),
                _ => false,
            };
            for part in file.children(member).chain(below).filter(is_of_members) {
                self.changes.push((file.range(part), file.drop(part)));
            }
        }
    }

    /// Deletes a use of the name of the class, or puts `int` in its place. `None` if neither is possible.
    fn named(&mut self, name: NodeId) -> Option<()> {
        let file = self.file;
        let parent = file.parent(name)?;
        let is_of_object = self.objects.iter().any(|&object| file.is_within(name, object));
        if is_of_object || self.gone.iter().any(|&gone| file.is_within(name, gone)) {
            return Some(());
        }
        if is(&file, parent, "qualified_identifier") {
            let behind = file.next_sibling(name).and_then(|mark| file.next_sibling(mark))?;
            self.cut(file.range(name).start..file.range(behind).start);
            return Some(());
        }
        if let Some(bases) = file.ancestors(name).find(|&n| is(&file, n, "base_class_clause")) {
            let has_others = file.children(bases).any(|n| is(&file, n, ","));
            self.goes(if has_others { name } else { bases });
            return Some(());
        }
        let is_class =
            matches!(file.kind_name(parent), "struct_specifier" | "class_specifier" | "union_specifier");
        let named = if is_class { parent } else { name };
        let declaration = file.parent(named)?;
        let is_declaration = matches!(file.kind_name(declaration), "declaration" | "field_declaration");
        if is_declaration && self.is_unused(declaration) {
            self.goes(statement(&file, declaration));
        } else {
            self.changes.push((file.range(named), file.replace(named, "int")));
        }
        Some(())
    }

    /// Whether a declaration declares nothing but objects of which only members are used.
    fn is_unused(&self, declaration: NodeId) -> bool {
        let file = self.file;
        let is_object = |name: NodeId| self.objects.iter().any(|&object| file.is_within(name, object));
        let declarators = file.children(declaration).filter(|&n| n != self.class);
        let names = declarators.flat_map(|n| std::iter::once(n).chain(file.descendants(n)));
        let declared = names.filter_map(|name| {
            file.definition(name).filter(|definition| file.places(definition).any(|place| place.name == name))
        });
        declared.into_iter().all(|definition| file.uses(definition).all(is_object))
    }
}
