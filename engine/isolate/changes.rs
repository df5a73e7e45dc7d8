//! The changes between a passing and a failing input, and the input with some of them made.

use super::without_tokens;
use crate::{Contents, NamedFile};
use lopper_languages::edit::FileId;
use lopper_languages::lexer::tokens;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use lopper_languages::{Language, Parsed};
use lopper_passes::{Base, Group, Unit};
use similar::{Algorithm, ChangeTag, capture_diff_slices};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// The parts into which an input is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Characters of UTF-8, or single bytes.
    Characters,
    /// Words, each with the blanks after it.
    Words,
    /// Lines.
    Lines,
    /// Neighbouring changed lines, as in a diff.
    Hunks,
    /// Tokens of the language.
    Tokens,
    /// Items of lists, with their separators.
    Items,
    /// Nodes of the tree that are optional in the grammar.
    Nodes,
    /// Files of a folder.
    Files,
}

impl By {
    /// All divisions.
    pub const ALL: &[Self] = &[
        Self::Characters,
        Self::Words,
        Self::Lines,
        Self::Hunks,
        Self::Tokens,
        Self::Items,
        Self::Nodes,
        Self::Files,
    ];

    /// The name for users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Characters => "characters",
            Self::Words => "words",
            Self::Lines => "lines",
            Self::Hunks => "hunks",
            Self::Tokens => "tokens",
            Self::Items => "items",
            Self::Nodes => "nodes",
            Self::Files => "files",
        }
    }

    /// The noun for one part in messages.
    pub fn noun(self) -> &'static str {
        self.name().trim_end_matches('s')
    }

    /// A description in one line.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Characters => "Characters",
            Self::Words => "Words, with the blanks after them",
            Self::Lines => "Lines",
            Self::Hunks => "Groups of changed lines, as in a diff; requires --passing",
            Self::Tokens => "Tokens of the language",
            Self::Items => "Items of lists, with their separators",
            Self::Nodes => "Nodes of the tree that are optional in the grammar",
            Self::Files => "Files of a folder",
        }
    }
}

/// The changes that turn a passing input into a failing one. Without a passing input, each part of the
/// failing one is a change.
#[derive(Debug)]
pub struct Changes {
    /// The text of each change, for display.
    labels: Vec<String>,
    /// The permissions of the divided file.
    mode: Option<u32>,
    how: How,
}

#[derive(Debug)]
enum How {
    /// The path of a file, and the pieces of its text.
    Pieces(Arc<Path>, Vec<Piece>),
    /// A file whose tokens are the changes.
    Tokens(Box<Parsed>),
    /// A file and a group of its units: a change that is not made deletes its unit.
    Units(Base, Group),
    /// Files of a folder.
    Files(Vec<Sides>),
}

/// A piece of text, and the condition for it.
#[derive(Debug)]
struct Piece {
    text: Vec<u8>,
    when: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    With(usize),
    Without(usize),
}

/// A file in the passing and in the failing folder, and the change between them.
#[derive(Debug)]
struct Sides {
    passing: Option<NamedFile>,
    failing: Option<NamedFile>,
    change: Option<usize>,
}

impl Changes {
    /// The changes from one text to another, of the file at this path.
    pub fn of_text(
        by: By,
        path: &Path,
        language: &'static dyn Language,
        passing: &[u8],
        failing: &[u8],
    ) -> Self {
        if passing.is_empty() && matches!(by, By::Tokens | By::Items | By::Nodes) {
            return Self::of_units(by, Parsed::at(path.into(), language, failing.to_vec()));
        }
        let pieces = |text| cut(by, text, language).into_iter().map(|range| &text[range]);
        let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (pieces(passing).collect(), pieces(failing).collect());
        let owners = owners(by, Parsed::new(language, failing.to_vec()), new.len());
        Self::of_pieces(path, &old, &new, &owners, by == By::Hunks)
    }

    /// The changes of a file without a passing text. Each part is deleted together with its separator, line
    /// or blanks.
    fn of_units(by: By, file: Parsed) -> Self {
        let text = |range: Range<usize>| String::from_utf8_lossy(&file.text[range]).into_owned();
        if by == By::Tokens {
            let labels = file.tokens().iter().map(|token| text(token.range())).collect();
            return Self { labels, mode: None, how: How::Tokens(Box::new(file)) };
        }
        let unit = |node| (Unit::Drop { file: 0 as FileId, node }, text(file.tree().range(node)));
        let (units, labels): (Vec<_>, Vec<_>) = wanted(by, &file).into_iter().map(unit).unzip();
        let base = Base { files: vec![Arc::new(file)] };
        Self { labels, mode: None, how: How::Units(base, Group::deletions(units)) }
    }

    /// The changes from one sequence of pieces to another. All new pieces of one owner are one change, which
    /// includes the pieces deleted there. With `hunks`, all changes between two equal pieces are one.
    fn of_pieces(path: &Path, old: &[&[u8]], new: &[&[u8]], owners: &[Option<NodeId>], hunks: bool) -> Self {
        let mut labels: Vec<String> = Vec::new();
        let mut owned: BTreeMap<NodeId, usize> = BTreeMap::new();
        let mut pieces = Vec::new();
        let mut label = |change: Option<usize>, sign: &str, text: &[u8]| {
            let change = change.unwrap_or(labels.len());
            if change == labels.len() {
                labels.push(String::new());
            }
            labels[change] += &format!("{sign}{}", String::from_utf8_lossy(text));
            change
        };
        let mut hunk = None;
        for op in capture_diff_slices(Algorithm::Myers, old, new) {
            let place = op.new_range();
            let hunk_owner = owners.get(place.start).copied().flatten();
            for change in op.iter_changes(old, new) {
                let text = change.value().to_vec();
                let owner = change.new_index().map_or(hunk_owner, |i| owners.get(i).copied().flatten());
                let known = owner.and_then(|owner| owned.get(&owner).copied()).or(hunk);
                let when = match change.tag() {
                    ChangeTag::Equal => When::Always,
                    ChangeTag::Insert => When::With(label(known, "", &text)),
                    ChangeTag::Delete => When::Without(label(known, "-", &text)),
                };
                hunk = match when {
                    When::With(change) | When::Without(change) if hunks => Some(change),
                    _ => None,
                };
                if let (Some(owner), When::With(change) | When::Without(change)) = (owner, when) {
                    owned.insert(owner, change);
                }
                pieces.push(Piece { text, when });
            }
        }
        Self { labels, mode: None, how: How::Pieces(path.into(), pieces) }
    }

    /// The changes from one folder to another: files that are added, deleted or changed, in content or
    /// permissions.
    pub fn of_folder(passing: &Contents, failing: &Contents) -> Self {
        let mut files: BTreeMap<&Path, [Option<&NamedFile>; 2]> = BTreeMap::new();
        for (side, of) in [passing, failing].into_iter().enumerate() {
            for file in of {
                files.entry(&*file.path).or_default()[side] = Some(file);
            }
        }
        let mut labels = Vec::new();
        let mut sides = Vec::new();
        for (path, [passing, failing]) in files {
            let change = (passing != failing).then_some(labels.len());
            if change.is_some() {
                let sign = if failing.is_some() { "" } else { "-" };
                labels.push(format!("{sign}{}", path.display()));
            }
            sides.push(Sides { passing: passing.cloned(), failing: failing.cloned(), change });
        }
        Self { labels, mode: None, how: How::Files(sides) }
    }

    /// The same changes of a file with these permissions.
    pub fn with_mode(self, mode: u32) -> Self {
        Self { mode: Some(mode), ..self }
    }

    /// The number of changes.
    pub fn count(&self) -> usize {
        self.labels.len()
    }

    /// Whether the input is a folder.
    pub fn is_folder(&self) -> bool {
        matches!(self.how, How::Files(_))
    }

    /// The text that a change inserts, or, after a `-`, the text that it deletes.
    pub fn label(&self, change: usize) -> &str {
        &self.labels[change]
    }

    /// The files with only the changes `made`, which is sorted; `None` if the edits cannot be rendered. All
    /// changes together give the failing input.
    pub fn files(&self, made: &[usize]) -> Option<Contents> {
        let is_made = |change: &usize| made.binary_search(change).is_ok();
        let file = |path: &Arc<Path>, text: Vec<u8>| {
            Some(vec![NamedFile { path: Arc::clone(path), content: Arc::new(text), mode: self.mode }])
        };
        match &self.how {
            How::Pieces(path, pieces) => {
                let is_there = |piece: &&Piece| match piece.when {
                    When::Always => true,
                    When::With(change) => is_made(&change),
                    When::Without(change) => !is_made(&change),
                };
                let text = pieces.iter().filter(is_there).flat_map(|piece| &piece.text).copied().collect();
                file(path, text)
            }
            How::Tokens(parsed) => {
                let gone: Vec<usize> = (0..self.count()).filter(|change| !is_made(change)).collect();
                file(&parsed.path, without_tokens(parsed, &gone)?)
            }
            How::Units(base, group) => {
                let gone: Vec<usize> = (0..self.count()).filter(|change| !is_made(change)).collect();
                let text = &base.files[0].text;
                let text = match &gone[..] {
                    [] => text.to_vec(),
                    gone => group.render(base, gone).ok()?.apply(0, text),
                };
                file(&base.files[0].path, text)
            }
            How::Files(files) => {
                let of = |sides: &Sides| {
                    let fails = sides.change.is_none_or(|change| is_made(&change));
                    if fails { sides.failing.clone() } else { sides.passing.clone() }
                };
                Some(files.iter().filter_map(of).collect())
            }
        }
    }
}

/// Divides a text into pieces that cover it.
fn cut(by: By, text: &[u8], language: &dyn Language) -> Vec<Range<usize>> {
    let mut starts: Vec<usize> = match by {
        By::Characters => text
            .utf8_chunks()
            .flat_map(|chunk| {
                let at = chunk.valid().as_ptr() as usize - text.as_ptr() as usize;
                let valid = chunk.valid().char_indices().map(move |(i, _)| at + i);
                let end = at + chunk.valid().len();
                valid.chain((0..chunk.invalid().len()).map(move |i| end + i))
            })
            .collect(),
        By::Words => {
            let starts_word =
                |i: &usize| !text[*i].is_ascii_whitespace() && (*i == 0 || text[i - 1].is_ascii_whitespace());
            (0..text.len()).filter(starts_word).collect()
        }
        By::Lines | By::Hunks => (0..text.len()).filter(|&i| i == 0 || text[i - 1] == b'\n').collect(),
        By::Tokens | By::Items | By::Nodes | By::Files => {
            tokens(text, language.lexis()).map(|token| token.range().start).collect()
        }
    };
    if starts.first().is_some_and(|&start| start > 0) || starts.is_empty() && !text.is_empty() {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(&start, end)| start..end).collect()
}

/// The nodes into which a file is divided, in pre-order.
fn wanted(by: By, file: &Parsed) -> Vec<NodeId> {
    let tree = file.tree();
    let in_list = |node: NodeId| {
        let mut siblings = tree.parent(node).into_iter().flat_map(|parent| tree.children(parent));
        tree.is_named(node) && siblings.any(|sibling| tree.has(sibling, Role::Separator))
    };
    let is_wanted = |&node: &NodeId| tree.is_optional(node) && (by == By::Nodes || in_list(node));
    tree.nodes().filter(is_wanted).collect()
}

/// For each piece that `cut` makes of a file's tokens, the innermost node into which the file is divided;
/// `None` for other divisions.
fn owners(by: By, file: Parsed, pieces: usize) -> Vec<Option<NodeId>> {
    let mut owners = vec![None; pieces];
    if matches!(by, By::Items | By::Nodes) {
        let shift = pieces - file.tokens().len();
        for node in wanted(by, &file) {
            let range = file.tree().range(node);
            let first = file.tokens().partition_point(|token| token.range().start < range.start);
            let last = file.tokens().partition_point(|token| token.range().start < range.end);
            owners[first + shift..last + shift].fill(Some(node));
        }
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::grammar::{Grammar, Parser};
    use lopper_languages::named;
    use proptest::prelude::*;

    fn python() -> &'static dyn Language {
        named("python").expect("there is Python")
    }

    fn text(changes: &Changes, made: &[usize]) -> String {
        let files = changes.files(made).expect("they can be made");
        String::from_utf8_lossy(&files[0].content).into_owned()
    }

    fn changes(by: By, passing: &str, failing: &str) -> Changes {
        Changes::of_text(by, Path::new("a.py"), python(), passing.as_bytes(), failing.as_bytes())
    }

    #[test]
    fn lists_lose_their_items_with_the_commas() {
        let changes = changes(By::Items, "", "f(a, [b, c], d)\n");
        assert_eq!(
            (0..changes.count()).map(|i| changes.label(i)).collect::<Vec<_>>(),
            ["a", "[b, c]", "b", "c", "d"]
        );
        assert_eq!(text(&changes, &[1, 3, 4]), "f([c], d)\n");
        assert_eq!(text(&changes, &[]), "f()\n");
    }

    #[test]
    fn tokens_of_a_grammar_keep_every_blank_in_place() {
        let json = r#"{"<start>": ["<word><start>", "<word>"], "<word>": ["a ", "b", "c"]}"#;
        let grammar = Grammar::read(json).expect("it is a grammar");
        let language = Parser::new(grammar).leak();
        let changes = Changes::of_text(By::Tokens, Path::new("a"), language, b"", b"a b(c");
        assert_eq!([text(&changes, &[0]), text(&changes, &[1, 3])], ["a ".to_owned(), " bc".to_owned()]);
    }

    #[test]
    fn nodes_are_deleted_with_their_lines() {
        let changes = changes(By::Nodes, "", "def f(a):\n    x = 1\n    return a\ny = 2\n");
        let without = |label: &str| {
            let made: Vec<usize> = (0..changes.count()).filter(|&i| changes.label(i) != label).collect();
            text(&changes, &made)
        };
        assert_eq!(without("x = 1"), "def f(a):\n    return a\ny = 2\n");
        assert_eq!(without("y = 2"), "def f(a):\n    x = 1\n    return a\n");
    }

    #[test]
    fn between_two_texts_all_changes_of_an_item_are_one() {
        let changes = changes(By::Items, "f(a, b + 1, c)\n", "f(a, b * 2, d)\n");
        assert_eq!(changes.count(), 2);
        assert_eq!(text(&changes, &[0]), "f(a, b * 2, c)\n");
        assert_eq!(text(&changes, &[1]), "f(a, b + 1, d)\n");
    }

    #[test]
    fn files_are_added_deleted_and_changed() {
        let files = |list: &[(&str, &str)]| -> Contents {
            let file = |(path, text): &(&str, &str)| NamedFile::new(path, *text);
            list.iter().map(file).collect()
        };
        let (old, new) =
            (files(&[("a", "1"), ("b", "1"), ("c", "1")]), files(&[("a", "1"), ("b", "2"), ("d", "1")]));
        let changes = Changes::of_folder(&old, &new);
        assert_eq!((0..changes.count()).map(|i| changes.label(i)).collect::<Vec<_>>(), ["b", "-c", "d"]);
        assert_eq!(changes.files(&[]), Some(old));
        assert_eq!(changes.files(&[0, 1, 2]), Some(new));
        assert_eq!(changes.files(&[1]), Some(files(&[("a", "1"), ("b", "1")])));
    }

    const TEXT_WAYS: [By; 6] = [By::Characters, By::Words, By::Lines, By::Tokens, By::Items, By::Nodes];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn all_changes_give_the_failing_text_and_none_the_passing_one(
            passing: Vec<u8>, failing: Vec<u8>, lines in "([a-c(), \n]{0,30})", more in "([a-c(), \n]{0,30})"
        ) {
            for (passing, failing) in [(&passing[..], &failing[..]), (lines.as_bytes(), more.as_bytes())] {
                for by in TEXT_WAYS {
                    let changes = Changes::of_text(by, Path::new("a"), python(), passing, failing);
                    let all: Vec<usize> = (0..changes.count()).collect();
                    let given = |made: &[usize]| changes.files(made).map(|files| files[0].content.to_vec());
                    prop_assert_eq!(given(&all), Some(failing.to_vec()));
                    let nothing_left = !passing.is_empty() || matches!(by, By::Characters | By::Words | By::Lines);
                    if nothing_left {
                        prop_assert_eq!(given(&[]), Some(passing.to_vec()));
                    }
                }
            }
        }
    }
}
