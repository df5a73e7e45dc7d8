//! Calls, and whether a candidate leaves some that do not fit the parameters of the function.

use crate::functions::{items, part, parts};
use crate::links::Links;
use crate::{Base, File};
use lopper_languages::Typing;
use lopper_languages::edit::{Candidate, Edit, FileId};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The functions of a program, as far as all their calls pass an argument for each parameter; in languages with types only,
/// since the others refuse a call when it is reached.
#[derive(Default)]
pub(super) struct Calls {
    /// The lists of parameters and arguments of each function, which have the same number of items.
    functions: Vec<Vec<List>>,
    /// Where the items begin, each with the number of its function, in the order of the text.
    items: BTreeMap<FileId, Vec<(u32, usize)>>,
}

struct List {
    file: FileId,
    range: Range<usize>,
    items: Vec<Range<usize>>,
}

impl Calls {
    /// The functions of all files. O(calls log calls).
    pub(super) fn new(base: &Base) -> Self {
        let mut calls = Self::default();
        let links = Links::new(base);
        for (_, definition) in links.definitions() {
            let is_typed = base.file(definition.places[0].file).language.typing() != Typing::None;
            if !is_typed || definition.calls.is_empty() {
                continue;
            }
            let mut lists = Vec::new();
            for one in parts(base, definition) {
                let of_nodes = one.nodes.iter().map(|&node| (node, Role::Parameters));
                let of_calls = one.calls.iter().map(|call| (call.whole, Role::Arguments));
                lists
                    .extend(of_nodes.chain(of_calls).filter_map(|(node, role)| list(one.file(), node, role)));
            }
            let count = lists.first().map_or(0, |list: &List| list.items.len());
            let takes_any = |list: &List| base.file(list.file).text[list.range.clone()].ends_with(b"...)");
            let is_equal = |list: &List| list.items.len() == count && !takes_any(list);
            if count > 0 && lists.len() > 1 && lists.iter().all(is_equal) {
                calls.add(lists);
            }
        }
        calls.items.values_mut().for_each(|items| items.sort_unstable());
        calls
    }

    fn add(&mut self, lists: Vec<List>) {
        for list in &lists {
            let starts = list.items.iter().map(|item| (item.start as u32, self.functions.len()));
            self.items.entry(list.file).or_default().extend(starts);
        }
        self.functions.push(lists);
    }

    /// Whether two lists of a function no longer have the same number of items. O(log items) for each range that the candidate
    /// deletes, and for each list of the functions of which it deletes items.
    pub(super) fn lack(&self, candidate: &Candidate) -> bool {
        let touched = candidate.edits().iter().filter(is_deletion).flat_map(|edit| {
            let items = self.items.get(&edit.file).map_or(&[][..], Vec::as_slice);
            let from = items.partition_point(|(start, _)| (*start as usize) < edit.start);
            items[from..].iter().take_while(|(start, _)| (*start as usize) < edit.end)
        });
        let touched: BTreeSet<usize> = touched.map(|(_, function)| *function).collect();
        touched.into_iter().any(|function| {
            let left = self.functions[function].iter().filter_map(|list| left(candidate, list));
            left.collect::<BTreeSet<usize>>().len() > 1
        })
    }
}

/// Whether an edit puts nothing in the place of what it deletes.
fn is_deletion(edit: &&Edit) -> bool {
    edit.text.trim_ascii().is_empty()
}

fn list(file: File<'_>, node: NodeId, role: Role) -> Option<List> {
    let range = file.range(part(&file, node, role)?);
    let items = items(&file, node, role).into_iter().map(|item| file.range(item)).collect();
    Some(List { file: file.id, range, items })
}

/// The number of items that a candidate leaves of a list; `None` if the list is gone, too.
fn left(candidate: &Candidate, list: &List) -> Option<usize> {
    if candidate.removes(list.file) {
        return None;
    }
    let edits = candidate.edits_of(list.file);
    let covers = |range: &Range<usize>| {
        let next = edits.partition_point(|edit| edit.end < range.end);
        edits[next..].iter().find(|edit| edit.start <= range.start && range.end <= edit.end)
    };
    if covers(&list.range).is_some() {
        return None;
    }
    let stays = |item: &&Range<usize>| covers(item).is_none_or(|edit| !is_deletion(&edit));
    Some(list.items.iter().filter(stays).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::changed;

    #[test]
    fn calls_do_not_fit_where_an_argument_goes_alone_or_a_parameter_does() {
        let text = "=== a.c\nint f(int a, int b);\nint p(char *a, ...);\nint g() { p(\"\", 3); return f(1, 2) + f(4, 5); }\n=== b.c\nint f(int a, int b) { return 0; }\n";
        let base = Base::of_example("c", text);
        let calls = Calls::new(&base);
        let lacks = |changes: &[(FileId, &str, &str)]| calls.lack(&changed(&base, changes));
        let parameter = [(0, ", int b", ""), (1, ", int b", "")];
        let argument = [(0, ", 2", ""), (0, ", 5", "")];
        assert!(lacks(&argument[..1]) && lacks(&argument) && lacks(&parameter));
        assert!(!lacks(&[parameter, argument].concat()));
        assert!(!lacks(&[(0, ", 2", ", 0")]), "there is another argument");
        assert!(!lacks(&[(0, "f(4, 5)", "0")]) && !lacks(&[(0, ", 3", "")]));
        assert!(!lacks(&[(0, "return f(1, 2) + f(4, 5);", ""), (1, ", int b", ""), (0, ", int b", "")]));
    }

    #[test]
    fn a_language_without_types_has_calls_with_any_number_of_arguments() {
        let base = Base::of_example("javascript", "function f(a) {}\nf(1);\n");
        let calls = Calls::new(&base);
        assert!(!calls.lack(&Candidate::merge(vec![Edit::delete(0, 19..20)]).unwrap()));
    }
}
