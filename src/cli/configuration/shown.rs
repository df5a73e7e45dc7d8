//! What `--show-config` prints: each value, and where it comes from.

use super::file::{File, KEYS, NAME};
use super::{has, is_given};
use clap::{ArgMatches, Command};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The table; `places` are the folders in which the files may be, the nearest one first.
pub(super) fn table(
    command: &Command,
    given: &ArgMatches,
    places: &[PathBuf],
    files: &[Option<File>],
) -> String {
    let mut rows = Vec::new();
    for key in KEYS {
        let id = key.name.replace('-', "_");
        if !has(command, &id) {
            continue;
        }
        let of_file = files.iter().flatten().find_map(|file| {
            let (_, value) = file.values.iter().find(|(name, _)| *name == key.name)?;
            Some((value.clone(), source(&file.path)))
        });
        let (value, from) = match given.get_raw(&id).filter(|_| is_given(given, &id)) {
            Some(words) => {
                let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
                (words.join(" "), "command line".to_owned())
            }
            None => of_file.unwrap_or_else(|| (key.default.to_owned(), "default".to_owned())),
        };
        rows.push((key.name.to_owned(), value, from));
    }
    if has(command, "ending") {
        let mut endings: Vec<(String, String, String)> = Vec::new();
        let words = given.get_raw("ending").into_iter().flatten();
        let words = words.map(|word| word.to_string_lossy().into_owned());
        let on_line = words.filter_map(|word| {
            let (ending, language) = word.split_once('=')?;
            Some((ending.to_owned(), language.to_owned(), "command line".to_owned()))
        });
        let in_files = files.iter().flatten().flat_map(|file| {
            file.languages.iter().map(|(ending, name)| (ending.clone(), name.clone(), source(&file.path)))
        });
        for (ending, language, from) in on_line.chain(in_files) {
            let name = format!("language of {ending}");
            if endings.iter().all(|(taken, ..)| *taken != name) {
                endings.push((name, language, from));
            }
        }
        rows.extend(endings);
    }
    let mut text = String::new();
    for (place, file) in places.iter().zip(files) {
        let state = if file.is_some() { "read" } else { "there is none" };
        let _ = writeln!(text, "{} ({state})", source(&place.join(NAME)));
    }
    text.push('\n');
    let width = |of: fn(&(String, String, String)) -> &String| {
        rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0)
    };
    let (first, second) = (width(|row| &row.0), width(|row| &row.1));
    for (name, value, from) in &rows {
        let _ = writeln!(text, "{name:<first$}  {value:<second$}  {from}");
    }
    text
}

/// The path of a file, in full where it can be told.
fn source(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}
