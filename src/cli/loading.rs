//! Loads tree-sitter grammars at run time: from a shared library, or from a folder with `src/parser.c`.
//!
//! A grammar is someone else's native code: see `rehearsal.rs`.

use crate::error::UserError;
use lopper_languages::sitter::{Loaded, Native};
use std::fs;
use std::path::{Path, PathBuf};
use tree_sitter_loader::{CompileConfig, Loader};
use xxhash_rust::xxh3::xxh3_128;

/// The error for a grammar that cannot be used.
pub(super) fn unusable(given: &str) -> UserError {
    UserError::usage(format!("the grammar '{given}' cannot be used"))
}

/// The error for a grammar that cannot be loaded.
fn unloadable(given: &str, why: impl Into<String>) -> UserError {
    let error = unusable(given).fact(why);
    match cfg!(target_env = "musl") {
        true => error.help("this static binary cannot load a library: install Lopper from another package"),
        false => error,
    }
}

/// As many lines of a compiler are shown as facts.
const LINES: usize = 4;

/// The error for sources that the compiler or the linker refuses, with the first lines of what it says.
fn refused(given: &str, source: &Path, message: &str) -> UserError {
    let is_telling = |line: &&str| !matches!(line.trim(), "" | "Stdout:" | "Stderr:");
    let mut lines = message.lines().map(|line| line.trim_start_matches("Stderr: ")).filter(is_telling);
    let error = unloadable(given, lines.next().unwrap_or("it cannot be compiled"));
    let error = lines.take(LINES).fold(error, UserError::fact);
    if !message.contains("_external_scanner_") {
        return error;
    }
    let folder = source.display();
    match source.join("scanner.cc").is_file() {
        true => error.help(format!(
            "its scanner is in C++, which is not compiled here; make a library and give that: \
             c++ -shared -fPIC -I {folder} -x c {folder}/parser.c -x c++ {folder}/scanner.cc -o NAME.so"
        )),
        false => {
            error.help(format!("the grammar needs a scanner of its own: there is no {folder}/scanner.c"))
        }
    }
}

/// Loads a grammar, and returns the bytes of all that it is made of, too. Its code runs in this process.
///
/// # Errors
/// If there is no grammar in this place, or it cannot be compiled or loaded.
pub(super) fn load(given: &str) -> Result<(Loaded, Vec<u8>), UserError> {
    let (path, symbol) = place(given)?;
    let (folders, name, grammar, mut content);
    if path.is_dir() {
        let source = source(given, &path, symbol.as_deref())?;
        folders = vec![source.clone()];
        let named = || named_by_rules(&source).or_else(|| named_by_parser(&source));
        name = symbol.unwrap_or_else(|| named().unwrap_or_else(|| stem(&path)));
        content = sources(&source);
        grammar = compiled(&source, &name, xxh3_128(&content)).map_err(|e| refused(given, &source, &e))?;
    } else {
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        folders = vec![folder.join("src"), folder];
        name = symbol.unwrap_or_else(|| stem(&path));
        content = fs::read(&path).map_err(|e| super::given::unreadable(&path, &e))?;
        grammar = Loader::load_language(&path, &function(&name)).map_err(|e| {
            unloadable(given, e.to_string()).help("name the function of the library: PATH:tree_sitter_NAME")
        })?;
    }
    let beside = |file: &str| folders.iter().find_map(|folder| fs::read_to_string(folder.join(file)).ok());
    let (node_types, rules) =
        (beside("node-types.json").unwrap_or_default(), beside("grammar.json").unwrap_or_default());
    content.extend_from_slice(node_types.as_bytes());
    content.extend_from_slice(rules.as_bytes());
    let is_taken = lopper_languages::named(&name).is_some();
    let name = if is_taken { format!("{name} (loaded)") } else { name };
    Ok((Loaded { name, grammar, node_types, rules, roles: None, bindings: None }, content))
}

/// The folder of the sources of a grammar: this one or its `src`, or that of the only grammar below it, or of the one with
/// this name.
///
/// # Errors
/// If there is none, or one of several would have to be chosen.
fn source(given: &str, path: &Path, symbol: Option<&str>) -> Result<PathBuf, UserError> {
    let in_folder = |folder: &Path| {
        [folder.join("src"), folder.to_owned()].into_iter().find(|folder| folder.join("parser.c").is_file())
    };
    if let Some(source) = in_folder(path) {
        return Ok(source);
    }
    // The repositories of a few grammars have several, as typescript/ and tsx/, or grammars/ocaml/.
    let below = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
    };
    let folders = [path.to_owned(), path.join("grammars")];
    let mut found: Vec<PathBuf> = folders.iter().flat_map(|folder| below(folder)).collect();
    found.retain(|folder| in_folder(folder).is_some());
    found.sort_unstable();
    let is_meant = |folder: &&PathBuf| symbol.is_some_and(|symbol| stem(folder) == symbol);
    let only = if let [only] = &found[..] { Some(only) } else { found.iter().find(is_meant) };
    if let Some(source) = only.and_then(|folder| in_folder(folder)) {
        return Ok(source);
    }
    match found.first() {
        None => Err(unusable(given).fact("the folder has neither src/parser.c nor parser.c").help(
            "tree-sitter generate makes src/parser.c from grammar.js; the crates of grammars on crates.io have it",
        )),
        Some(first) => {
            let names: Vec<String> = found.iter().map(|folder| stem(folder)).collect();
            let help = format!("name one of them: --grammar-lib {}", first.display());
            Err(unusable(given).fact(format!("the folder has several grammars: {}", names.join(", "))).help(help))
        }
    }
}

/// The path, made absolute, and the name of the grammar if a symbol is given.
fn place(given: &str) -> Result<(PathBuf, Option<String>), UserError> {
    let whole = Path::new(given).canonicalize();
    match (given.rsplit_once(':'), whole) {
        (_, Ok(path)) => Ok((path, None)),
        (Some((path, symbol)), Err(_)) => {
            let found = Path::new(path).canonicalize();
            let path = found.map_err(|e| super::given::unreadable(Path::new(path), &e))?;
            Ok((path, Some(symbol.strip_prefix("tree_sitter_").unwrap_or(symbol).to_owned())))
        }
        (None, Err(e)) => Err(super::given::unreadable(Path::new(given), &e)),
    }
}

/// The function that returns the grammar of this name.
fn function(name: &str) -> String {
    format!("tree_sitter_{}", name.replace('-', "_"))
}

/// The name of a grammar, by the name of its library or folder: `zig` for `libtree-sitter-zig.so.14`.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.split('.').next().unwrap_or_default();
    let name = name.strip_prefix("lib").unwrap_or(name);
    let name = name.strip_prefix("tree-sitter-").unwrap_or(name);
    // The folder of a crate ends with its version.
    let version = name.rfind('-').filter(|at| name[at + 1..].chars().all(|c| c.is_ascii_digit()));
    version.map_or(name, |at| &name[..at]).to_owned()
}

/// The name that a grammar gives itself.
fn named_by_rules(source: &Path) -> Option<String> {
    let rules: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(source.join("grammar.json")).ok()?).ok()?;
    Some(rules.get("name")?.as_str()?.to_owned())
}

/// The name of a grammar by the function that its parser defines.
fn named_by_parser(source: &Path) -> Option<String> {
    const DEFINITION: &str = "const TSLanguage *tree_sitter_";
    let text = String::from_utf8_lossy(&fs::read(source.join("parser.c")).ok()?).into_owned();
    let behind = &text[text.rfind(DEFINITION)? + DEFINITION.len()..];
    Some(behind[..behind.find('(')?].to_owned())
}

/// The C and C++ sources of a grammar, one after the other.
fn sources(source: &Path) -> Vec<u8> {
    let files = ["parser.c", "scanner.c", "scanner.cc"];
    files.iter().filter_map(|file| fs::read(source.join(file)).ok()).flatten().collect()
}

/// Compiles a grammar unless that was done before, and loads it. The libraries of different sources lie in different
/// folders of the user's cache.
fn compiled(source: &Path, name: &str, key: u128) -> Result<Native, String> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let cache = cache.or_else(home).unwrap_or_else(std::env::temp_dir);
    let folder = cache.join("lopper").join("grammars").join(format!("{key:032x}"));
    let loader = Loader::with_parser_lib_path(folder);
    let mut task = CompileConfig::new(source, None, None);
    name.clone_into(&mut task.name);
    loader.load_language_at_path_with_name(task).map_err(|e| e.to_string())
}
