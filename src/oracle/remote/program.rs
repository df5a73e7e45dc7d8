//! The test as it is sent: its files, and its commands as one line for the shell of a worker.
//!
//! On a worker, the folder of a run has three parts: `work` with the candidate, in which the test runs, `tmp`, which
//! TMPDIR names, and `test` with the files of the test. Those keep their places relative to each other, so a script finds
//! what is beside it in the same way as on this machine.

use super::cluster::Settings;
use super::tree::{Blob, Digest, Folder, text};
use crate::error::UserError;
use crate::oracle::command::{TestCommand, quoted};
use crate::oracle::system::is_of_system;
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use prost::Message;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Stands for the folder of the run in a word, until the words become a line for the shell. No path holds it.
const ROOT: &str = "\0";

/// The file with the exit code of the test. The exit code of the run itself is 0, since many clusters keep only such
/// results for the next time, and since a worker that fails leaves no such file.
pub(super) const STATUS: &str = "status";

/// The variables of every run, unless the user sets them.
const PATH: (&str, &str) = ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");

/// The test as it is sent; see the module.
#[derive(Debug)]
pub(super) struct Program {
    /// The blobs of everything but the candidate.
    pub(super) blobs: Vec<Blob>,
    /// The commands.
    pub(super) commands: Vec<Digest>,
    /// The folder of the test's files.
    test: Option<Digest>,
    /// An empty folder.
    empty: Digest,
    /// What a worker must have, if anything.
    pub(super) platform: Option<api::Platform>,
}

impl Program {
    /// The test with these commands, whose arguments are these paths of a candidate.
    ///
    /// # Errors
    /// If a file cannot be read, or a name is not UTF-8.
    pub(super) fn new(
        commands: &[TestCommand],
        arguments: &[Arc<Path>],
        settings: &Settings,
    ) -> Result<Self, UserError> {
        let sent = sent(commands, &settings.with);
        let platform = platform(&settings.properties);
        let above = common_folder(&sent);
        let place = |path: &Path| Path::new("test").join(path.strip_prefix(&above).unwrap_or(path));
        let mut root = Folder::default();
        for path in &sent {
            root.put_from(&place(path), path)?;
        }
        let mut blobs = Vec::new();
        let test = root.take_folder("test").map(|folder| folder.encode(&mut blobs));
        let empty = Folder::default().encode(&mut blobs);
        let moved: Vec<(&str, String)> = sent
            .iter()
            .map(|path| Ok((text(path)?, format!("{ROOT}/{}", text(&place(path))?))))
            .collect::<Result<_, UserError>>()?;
        let paths: Vec<PathBuf> =
            arguments.iter().map(|path| Path::new(ROOT).join("work").join(path)).collect();
        let mut digests = Vec::new();
        for command in commands {
            let words = command.words(&paths);
            let words: Vec<&str> =
                words.iter().map(|word| text(Path::new(word))).collect::<Result<_, _>>()?;
            let line: Vec<String> = words.iter().map(|word| shell_word(word, &moved)).collect();
            let blob = Blob::new(message(&line.join(" "), &settings.variables, &platform).encode_to_vec());
            digests.push(blob.digest);
            blobs.push(blob);
        }
        Ok(Self { blobs, commands: digests, test, empty, platform })
    }

    /// The folder of a run of the test on a candidate in the folder with this digest.
    pub(super) fn root(&self, work: Digest) -> Folder {
        let mut root = Folder::default();
        root.put_known("work", work);
        root.put_known("tmp", self.empty);
        if let Some(test) = self.test {
            root.put_known("test", test);
        }
        root
    }
}

/// What a worker must have; `None` if that is nothing.
fn platform(properties: &[(String, String)]) -> Option<api::Platform> {
    let property = |(name, value): &(String, String)| api::platform::Property {
        name: name.clone(),
        value: value.clone(),
    };
    let properties: Vec<_> = properties.iter().map(property).collect();
    (!properties.is_empty()).then_some(api::Platform { properties })
}

/// The message for a command line of the shell.
#[expect(
    deprecated,
    reason = "older servers look for the platform here, and the API still wants it in both messages"
)]
fn message(line: &str, variables: &[(String, String)], platform: &Option<api::Platform>) -> api::Command {
    // The shell itself says nothing about a death by a signal, which is no output of the test.
    let script = format!(
        "R=$PWD; export TMPDIR=\"$R/tmp\" HOME=\"${{HOME:-$R/tmp}}\"; cd work || exit; exec 3>&2 2>/dev/null; \
         {line} 2>&3 3>&- </dev/null; echo $? >\"$R/{STATUS}\""
    );
    let mut all = vec![(PATH.0.to_owned(), PATH.1.to_owned())];
    all.retain(|(name, _)| variables.iter().all(|(own, _)| own != name));
    all.extend_from_slice(variables);
    all.sort();
    let variable = |(name, value)| api::command::EnvironmentVariable { name, value };
    api::Command {
        arguments: ["/bin/sh", "-c", &script].map(str::to_owned).to_vec(),
        environment_variables: all.into_iter().map(variable).collect(),
        output_paths: vec![STATUS.to_owned()],
        platform: platform.clone(),
        ..api::Command::default()
    }
}

/// The files and folders to send: programs and files that the commands name by absolute paths outside of the system's
/// folders, and what the user names. No path is below another one.
fn sent(commands: &[TestCommand], with: &[PathBuf]) -> BTreeSet<PathBuf> {
    let is_sent = |path: &&Path| !is_of_system(path) && path.is_file();
    let mut sent: BTreeSet<PathBuf> =
        commands.iter().flat_map(TestCommand::files).filter(is_sent).map(Path::to_owned).collect();
    sent.extend(with.iter().filter_map(|path| std::path::absolute(path).ok()));
    let all = sent.clone();
    sent.retain(|path| !all.iter().any(|above| above != path && path.starts_with(above)));
    sent
}

/// The innermost folder that holds all these paths.
fn common_folder(paths: &BTreeSet<PathBuf>) -> PathBuf {
    // Every path between the first and the last of a sorted set begins with what these two have in common.
    let [Some(first), Some(last)] = [paths.first(), paths.last()].map(|path| path.and_then(|p| p.parent()))
    else {
        return PathBuf::new();
    };
    let same = first.components().zip(last.components()).take_while(|(one, other)| one == other);
    same.map(|(component, _)| component).collect()
}

/// A word of a command line for the shell, with the paths on the worker in place of those on this machine.
fn shell_word(word: &str, moved: &[(&str, String)]) -> String {
    let mut word = word.to_owned();
    for (from, to) in moved {
        word = replaced(&word, from, to);
    }
    if !word.contains(ROOT) {
        return quoted(&word);
    }
    word.split(ROOT)
        .map(|part| if part.is_empty() { String::new() } else { quoted(part) })
        .collect::<Vec<_>>()
        .join("\"$R\"")
}

/// The word with another path in place of this one, wherever it is a whole path or the beginning of one.
fn replaced(word: &str, from: &str, to: &str) -> String {
    let (mut whole, mut rest) = (String::new(), word);
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let is_name = |c: char| c.is_alphanumeric() || "._-+".contains(c);
        let is_whole = !after.starts_with(is_name) && !before.ends_with(|c| is_name(c) && c != '-')
            || is_option(before) && !after.starts_with(is_name);
        whole.push_str(before);
        whole.push_str(if is_whole { to } else { from });
        rest = after;
    }
    whole + rest
}

/// Whether a path may follow directly, as in `-I/path`.
fn is_option(before: &str) -> bool {
    before.starts_with('-') && !before.contains('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_test_keep_their_places_relative_to_each_other() {
        let common = |paths: &[&str]| common_folder(&paths.iter().map(PathBuf::from).collect());
        assert_eq!(common(&["/h/case/test.sh"]), Path::new("/h/case"));
        assert_eq!(common(&["/h/case/test.sh", "/h/case/tool/a"]), Path::new("/h/case"));
        assert_eq!(common(&["/h/case/test.sh", "/h/tools"]), Path::new("/h"));
        assert_eq!(common(&["/a", "/h/tools"]), Path::new("/"));
    }

    #[test]
    fn a_word_names_the_files_of_the_test_and_the_candidate_on_the_worker() {
        let moved = [("/h/inc", format!("{ROOT}/test/inc"))];
        let word = |word: &str| shell_word(word, &moved);
        assert_eq!(word("-c"), "-c");
        assert_eq!(word("it's"), r"'it'\''s'");
        assert_eq!(word("/h/inc"), "\"$R\"/test/inc");
        assert_eq!(word("-I/h/inc/sys"), "-I\"$R\"/test/inc/sys");
        assert_eq!(word("x=/h/inc:/h/inc"), "x=\"$R\"/test/inc:\"$R\"/test/inc");
        assert_eq!(word("/h/include"), "/h/include");
        assert_eq!(word("/g/h/inc"), "/g/h/inc");
        assert_eq!(word(&format!("{ROOT}/work/a b.c")), "\"$R\"'/work/a b.c'");
    }
}
