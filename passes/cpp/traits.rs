//! Makes a template of its own of the only member of a class template: `a<T>::b` becomes `a<T>`.
//!
//! A trait of a library computes one value or one type. The member gets the name of its class, so that it cannot meet another one's.

use super::items::declared;
use super::members::free_text;
use super::{text_with, with_blanks_behind};
use crate::c::{all, child, is};
use crate::uses::statement;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "traits",
    summary: "makes a template of its own of the only member of a class template",
    languages: &["cpp"],
    proves: true,
    examples: &[
        Example {
            language: "cpp",
            before: "template <class, class> struct a;\ntemplate <class T, class U> struct a { static const int b = 1 + a<U *, T>::b; };\ntemplate <class T> struct a<T, int> { static const int b = 2; };\nint c = a<char, a<int, char>::b>::b;\n",
            keep: &["T", "U", "const int", "= 1 + a<U *, T>", "= 2;", "int c = a<char, a<int, char>"],
            after: "template <class T, class U> const int a = 1 + a<U *, T>;\ntemplate <class T> const int a<T, int> = 2;\nint c = a<char, a<int, char> >;\n",
        },
        Example {
            language: "cpp",
            before: "template <class T> struct a { typedef const T *b; };\ntemplate <class T> typename a<T>::b c(typename a<a<T>::b>::b);\n",
            keep: &["T", "const", "*"],
            after: "template <class T> using a = const T *;\ntemplate <class T> a<T> c(a<a<T> >);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A class whose name occurs more often is left as it is.
const MOST: usize = 512;

fn plan(base: &Base) -> Vec<Group> {
    let made = PASS.files(base).flat_map(|file| {
        let mut classes: BTreeMap<&[u8], Vec<Trait>> = BTreeMap::new();
        for body in all(file, "field_declaration_list") {
            if let Some(class) = Trait::new(file, body) {
                classes.entry(file.node_text(class.name)).or_default().push(class);
            }
        }
        let mut named: BTreeMap<&[u8], Vec<NodeId>> = BTreeMap::new();
        for node in all(file, "type_identifier") {
            named.entry(file.node_text(node)).or_default().push(node);
        }
        classes.into_iter().filter_map(move |(name, classes)| template(file, &classes, named.get(name)?))
    });
    vec![Group::deletions(made).doubtful()]
}

/// A class template with one member.
struct Trait {
    /// The name of the class.
    name: NodeId,
    /// The name with the arguments of a specialization.
    full_name: NodeId,
    /// The whole template.
    whole: NodeId,
    /// What stands behind the parameters of the template.
    class: NodeId,
    member: NodeId,
    member_name: NodeId,
}

impl Trait {
    fn new(file: File<'_>, body: NodeId) -> Option<Self> {
        let class = file.parent(body)?;
        let whole = file.parent(class).filter(|&n| is(&file, n, "template_declaration"))?;
        let mut parts = file.named_children(class);
        let full_name = parts.next()?;
        let name = if is(&file, full_name, "template_type") {
            file.named_children(full_name).next()?
        } else {
            full_name
        };
        (is(&file, name, "type_identifier") && parts.next() == Some(body)).then_some(())?;
        let is_member = |n: &NodeId| !matches!(file.kind_name(*n), "access_specifier" | "comment");
        let mut members = file.named_children(body).filter(is_member);
        let member = members.next().filter(|_| members.next().is_none())?;
        let member_name = member_name(file, member)?;
        Some(Self { name, full_name, whole, class, member, member_name })
    }

    fn is_type(&self, file: File<'_>) -> bool {
        matches!(file.kind_name(self.member), "alias_declaration" | "type_definition")
    }

    /// The text of the template that takes the place of the class, if these ranges are cut.
    fn text(&self, file: File<'_>, cuts: &[Range<usize>]) -> Vec<u8> {
        let mut changes: Vec<(Range<usize>, Vec<u8>)> =
            cuts.iter().map(|cut| (cut.clone(), Vec::new())).collect();
        let name = file.node_text(self.full_name);
        if is(&file, self.member, "type_definition") {
            // A template cannot be a `typedef`.
            let range = file.range(self.member);
            let keyword = file.children(self.member).next().map_or(range.clone(), |n| file.range(n));
            changes.push((file.range(self.member_name), Vec::new()));
            let text = text_with(file, keyword.end..range.end, changes);
            let aliased = text.trim_ascii().strip_suffix(b";").unwrap_or(&text).trim_ascii();
            return [b"using ", name, b" = ", aliased, b";"].concat();
        }
        changes.push((file.range(self.member_name), name.to_vec()));
        free_text(file, self.member, changes)
    }
}

/// The name of the only thing that a member declares.
fn member_name(file: File<'_>, member: NodeId) -> Option<NodeId> {
    let is_list = file.children(member).any(|n| is(&file, n, ","));
    let kind = match file.kind_name(member) {
        "alias_declaration" | "type_definition" => "type_identifier",
        "field_declaration" | "function_definition" => "field_identifier",
        _ => return None,
    };
    let mut names = file.descendants(member).filter(|&n| is(&file, n, kind));
    let name = if is(&file, member, "type_definition") { names.next_back() } else { names.next() };
    name.filter(|_| !is_list)
}

/// Makes templates of the members of a class template and its specializations, if nothing else uses the class.
fn template(file: File<'_>, classes: &[Trait], named: &[NodeId]) -> Option<Unit> {
    let first = classes.first().filter(|_| named.len() <= MOST)?;
    let member = file.node_text(first.member_name);
    let is_alike = |class: &Trait| {
        file.node_text(class.member_name) == member && class.is_type(file) == first.is_type(file)
    };
    // Templates of types have no specializations but as classes.
    let may_be_several = !first.is_type(file) && classes.iter().all(is_alike);
    (classes.len() == 1 || may_be_several).then_some(())?;
    let (mut cuts, mut units) = (Vec::new(), Vec::new());
    for &name in named {
        if classes.iter().any(|class| class.name == name) {
            continue;
        }
        match used(file, name, member) {
            Some(parts) => cuts.extend(parts),
            None => units.push(file.drop(declared_alone(file, name)?)),
        }
    }
    if cuts.is_empty() {
        return None;
    }
    let is_inside = |cut: &&Range<usize>| {
        let within = |class: &Trait| {
            file.range(class.class).start <= cut.start && cut.end <= file.range(class.whole).end
        };
        classes.iter().any(within)
    };
    units.extend(cuts.iter().filter(|cut| !is_inside(cut)).map(|cut| file.cut(cut.clone())));
    for class in classes {
        let (start, end) = (file.range(class.class).start, file.range(class.whole).end);
        units.push(file.write(start..end, class.text(file, &cuts)));
    }
    Some(Unit::together(units))
}

/// The ranges that go where a class stands before its member: `typename` and `::b` in `typename a<T>::b`; `None` where it stands alone.
fn used(file: File<'_>, name: NodeId, member: &[u8]) -> Option<Vec<Range<usize>>> {
    let with_arguments = file.parent(name).filter(|&n| is(&file, n, "template_type"))?;
    let whole = file.parent(with_arguments).filter(|&n| is(&file, n, "qualified_identifier"))?;
    let last = file.named_children(whole).last().filter(|&n| file.node_text(n) == member)?;
    let tail = file.range(with_arguments).end..file.range(last).end;
    let outermost = file.ancestors(whole).find(|&n| !is(&file, n, "qualified_identifier"))?;
    let typename = file.children(outermost).next().filter(|&n| file.node_text(n) == b"typename");
    let typename =
        typename.filter(|&n| is(&file, outermost, "dependent_type") && file.range(n).end <= tail.start);
    let typename = typename.map(|n| with_blanks_behind(file, file.range(n), tail.start));
    Some(typename.into_iter().chain([tail]).collect())
}

/// The declaration of a class template without a body whose name this is.
fn declared_alone(file: File<'_>, name: NodeId) -> Option<NodeId> {
    let whole = statement(&file, name);
    let class = Some(declared(file, whole)).filter(|_| is(&file, whole, "template_declaration"))?;
    let has_body = child(&file, class, "field_declaration_list").is_some();
    (file.parent(name) == Some(class) && !has_body).then_some(whole)
}
