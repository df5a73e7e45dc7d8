//! What the text of a test names beside the test: a cluster gets the single files among it without `--with`.

use crate::conditions::TestPlan;
use crate::files::folder_of;
use crate::oracle::command::quoted;
use crate::oracle::system::is_of_system;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The number of files that are sent unasked.
const MOST: usize = 64;
/// The bytes of such a file.
const LARGEST: u64 = 1 << 20;

/// What was found; see the module.
#[derive(Debug, Default)]
pub(super) struct Beside {
    /// The files to send.
    pub(super) sent: BTreeSet<PathBuf>,
    /// What only `--with` sends.
    kept: Vec<Kept>,
}

/// What is not sent unasked.
#[derive(Debug)]
struct Kept {
    path: PathBuf,
    why: Why,
}

/// Why it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Folder,
    Hidden,
    Outside,
    Large,
    Many,
}

impl Why {
    /// The reason, in words.
    fn sentence(self) -> String {
        match self {
            Self::Folder => "it is a folder".to_owned(),
            Self::Hidden => "its name begins with a dot".to_owned(),
            Self::Outside => "it is outside of the test's folder".to_owned(),
            Self::Large => format!("it has more than {} MB", LARGEST >> 20),
            Self::Many => format!("there are more than {MOST} such files"),
        }
    }
}

impl Beside {
    /// What the files of a test name in their folders, and what the files found name there. What `known` names, such as
    /// the input, or is in a folder of it, is not looked for.
    pub(super) fn of(plan: &TestPlan, known: &[PathBuf]) -> Self {
        let mut seen: BTreeSet<PathBuf> =
            plan.files().map(Path::to_owned).chain(known.iter().filter_map(|path| whole(path))).collect();
        let is_known: BTreeSet<PathBuf> = seen.iter().filter_map(|path| whole(path)).collect();
        let mut texts: Vec<PathBuf> =
            plan.files().filter(|path| !is_of_system(path)).map(Path::to_owned).collect();
        let mut found = Self::default();
        while let Some(file) = texts.pop() {
            if file.metadata().is_ok_and(|metadata| metadata.len() > LARGEST) {
                continue;
            }
            let Ok(text) = fs::read_to_string(&file) else { continue };
            let folder: PathBuf = folder_of(&file).components().collect();
            for word in words(&text) {
                let path: PathBuf = folder.join(word).components().collect();
                if !path.exists() || !seen.insert(path.clone()) {
                    continue;
                }
                let Some(whole) =
                    whole(&path).filter(|path| !is_known.iter().any(|known| path.starts_with(known)))
                else {
                    continue;
                };
                match found.reason_against(&folder, &path, &whole) {
                    // The test's own folder, or one around it.
                    Some(Why::Folder | Why::Outside) if is_around(&whole, &folder) => {}
                    Some(why) => found.kept.push(Kept { path, why }),
                    None => {
                        texts.push(path.clone());
                        found.sent.insert(path);
                    }
                }
            }
        }
        found
    }

    /// Why this path of a folder, which leads to `whole`, is not sent, if it is not.
    fn reason_against(&self, folder: &Path, path: &Path, whole: &Path) -> Option<Why> {
        let below = path.strip_prefix(folder).ok()?;
        let inside =
            self::whole(folder).and_then(|folder| whole.strip_prefix(folder).ok().map(Path::to_owned));
        let Some(inside) = inside.filter(|_| below.components().all(|part| part != Component::ParentDir))
        else {
            return Some(Why::Outside);
        };
        let metadata = whole.metadata().ok()?;
        if !metadata.is_file() {
            return Some(Why::Folder);
        }
        let is_hidden = |path: &Path| path.iter().any(|name| name.as_encoded_bytes().starts_with(b"."));
        if is_hidden(below) || is_hidden(&inside) {
            return Some(Why::Hidden);
        }
        if metadata.len() > LARGEST {
            return Some(Why::Large);
        }
        (self.sent.len() >= MOST).then_some(Why::Many)
    }

    /// What the user should know before the first run: what is sent unasked, and which files are not.
    pub(super) fn notices(&self) -> Vec<String> {
        let sent: Vec<String> = self.sent.iter().map(|path| shown(path)).collect();
        let verb = if sent.len() == 1 { "is" } else { "are" };
        let sent = (!sent.is_empty())
            .then(|| format!("the test names {} beside it, which {verb} sent, too", sent.join(", ")));
        let files = self.kept.iter().filter(|kept| kept.why != Why::Folder);
        sent.into_iter().chain(files.map(|kept| format!("{}; {}", kept.fact(), kept.help()))).collect()
    }

    /// For the message about a test that does not work on a cluster: what it lacks, and what sends that.
    pub(super) fn lacks(&self) -> impl Iterator<Item = (String, String)> {
        self.kept.iter().map(|kept| (kept.fact(), kept.help()))
    }
}

impl Kept {
    fn fact(&self) -> String {
        format!("the test names {}, which is not sent: {}", shown(&self.path), self.why.sentence())
    }

    fn help(&self) -> String {
        format!("--with {} sends it", quoted(&shown(&self.path)))
    }
}

fn whole(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// Whether a folder is this one, or around it.
fn is_around(whole: &Path, folder: &Path) -> bool {
    self::whole(folder).is_some_and(|folder| folder.starts_with(whole))
}

/// A path for a command line in the current folder.
fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(current).unwrap_or(path).display().to_string()
}

/// The words of a script that may be paths from its own folder: `x`, `./x`, `$(dirname "$0")/x`, `${0%/*}/x`, `"$here/x"`,
/// `here + "/x"`. Comments and files that it writes do not count.
fn words(text: &str) -> BTreeSet<&str> {
    let mut words = BTreeSet::new();
    for line in text.lines().filter(|line| !is_comment(line)) {
        let mut at = 0;
        while let Some(start) = line[at..].find(is_of_path).map(|start| at + start) {
            at = line[start..].find(|c| !is_of_path(c)).map_or(line.len(), |length| start + length);
            let (before, word) = (&line[..start], line[start..at].trim_end_matches('.'));
            let word = match before.chars().next_back() {
                Some('$') => word.split_once('/').map_or("", |(_, rest)| rest),
                Some(')' | '}' | '"' | '\'' | '`') => word.strip_prefix('/').unwrap_or(word),
                _ => word,
            };
            if !word.is_empty() && !word.starts_with('/') && !is_output(before) {
                words.insert(word);
            }
        }
        words.extend(quotations(line));
    }
    words
}

/// As `words`, the texts between quotation marks that have characters, such as blanks, that only those may have:
/// `"x y"`, `"$(dirname "$0")/x y"`, `"${0%/*}/x y"`, `"$here"/'x y'`.
fn quotations<'a>(line: &'a str) -> impl Iterator<Item = &'a str> {
    ['"', '\''].into_iter().flat_map(move |mark| {
        let marks = line.match_indices(mark).map(|(at, _)| at);
        let text = move |(start, end): (usize, usize)| {
            let (before, text) = (&line[..start], &line[start + 1..end]);
            let after = |mark: char, text: &'a str| text.split_once(mark).map(|(_, rest)| rest);
            let path = match text.get(..2).unwrap_or(text) {
                "${" => after('}', text)?,
                "$(" => after(')', text)?,
                begin if begin.starts_with('$') => after('/', text)?,
                begin if begin.starts_with('`') => after('`', &text[1..]).unwrap_or(&text[1..]),
                _ => text.strip_prefix([')', '}']).unwrap_or(text),
            };
            let path = path.strip_prefix('/').unwrap_or(path);
            let is_path =
                path.contains(|c| !is_of_path(c)) && !path.trim().is_empty() && !path.starts_with('/');
            (is_path && !is_output(before)).then_some(path)
        };
        marks.clone().zip(marks.skip(1)).filter_map(text)
    })
}

/// Whether a path may have a character without quotation marks.
fn is_of_path(c: char) -> bool {
    c.is_alphanumeric() || "._-+/".contains(c)
}

/// Whether a line is a comment of a shell, of Python or of C, and no directive.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("//")
        || line.strip_prefix('#').is_some_and(|rest| !rest.starts_with(char::is_alphabetic))
}

/// Whether what follows is the name of a file to write: `>x`, `> "$x`, `-o x`.
fn is_output(before: &str) -> bool {
    let before = before.trim_end_matches(['$', '{', '"', '\'']).trim_end();
    before.ends_with('>') || before.ends_with(" -o")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        words(text).into_iter().filter(|word| word.contains("x.")).collect()
    }

    #[test]
    fn a_path_from_the_own_folder_is_found_however_a_script_writes_it() {
        for text in [
            "diff x.json out",
            "diff ./x.json out",
            r#"diff "$(dirname "$0")/x.json" out"#,
            r#"diff "$(dirname "$0")"/x.json out"#,
            "diff `dirname $0`/x.json out",
            r#"diff "${0%/*}/x.json""#,
            r#"diff "$here/x.json""#,
            r#"diff "${here}/x.json""#,
            "tool --config=x.json",
            "tool @x.json;",
            "open(os.path.join(here, 'x.json'))",
            "open(here + \"/x.json\")",
            "#include \"x.json\"",
        ] {
            assert_eq!(
                found(text).iter().map(|word| word.trim_start_matches("./")).collect::<Vec<_>>(),
                ["x.json"],
                "{text}"
            );
        }
        assert_eq!(found("$here/data/x.json"), ["data/x.json"]);
    }

    #[test]
    fn a_name_with_blanks_is_found_in_quotation_marks() {
        for text in [
            r#"diff "x. y.json" out"#,
            "diff 'x. y.json' out",
            r#"diff "$(dirname "$0")/x. y.json" out"#,
            r#"diff "$(dirname "$0")"/'x. y.json' out"#,
            r#"diff "$(dirname $0)/x. y.json" out"#,
            r#"diff "`dirname $0`/x. y.json" "a b" out"#,
            r#"diff "${0%/*}/x. y.json""#,
            r#"diff "$here/x. y.json""#,
            "open(os.path.join(here, 'x. y.json'))",
            "open(here + \"/x. y.json\")",
        ] {
            assert!(found(text).contains(&"x. y.json"), "{text}: {:?}", found(text));
        }
        for text in ["tool >'x. y.json'", "tool > \"$here/x. y.json\"", "# \"x. y.json\"", "cat 'x. y.json"] {
            assert!(!found(text).contains(&"x. y.json"), "{text}");
        }
    }

    #[test]
    fn comments_outputs_and_absolute_paths_are_no_paths_from_the_own_folder() {
        for text in [
            "# see x.json",
            "  // see x.json",
            "#!/x.sh",
            "tool >x.json",
            "tool 2>> \"$x.json\"",
            "cc -o x.out \"$1\"",
            "cat /x.json",
            "cat ~/x.json",
            "cat $x.json",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
