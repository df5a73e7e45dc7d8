//! The corpus: a case is a folder with `input.*` or a folder `input`, `interesting.sh` and perhaps `case.toml`.

use lopper::entries::Selection;
use lopper::error::UserError;
use lopper::languages::{self, Parsed};
use lopper::oracle::command::TestCommand;
use lopper::oracle::contents::contents_of;
use lopper::oracle::{Contents, NamedFile};
use lopper::output::write_new;
use lopper::passes::Base;
use serde::Deserialize;
use std::ffi::OsString;
use std::fs;
use std::num::NonZeroU32;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use xxhash_rust::xxh3::Xxh3;

/// The number of answers after which a server is replaced, as by default in the command.
const ANSWERS: NonZeroU32 = NonZeroU32::MIN.saturating_add(999);

/// The contents of `case.toml`; all fields are optional.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Settings {
    /// A one-line description of the failure, for the reader.
    #[serde(default)]
    #[expect(dead_code, reason = "for whoever reads the file")]
    pub(crate) about: String,
    /// The language, if the name of the input does not determine it.
    #[serde(default)]
    pub(crate) language: Option<String>,
    /// The time limit of one run of the test, in seconds.
    #[serde(default)]
    pub(crate) timeout: Option<f64>,
    /// The words of a server that tests as the script does; words that name files do so from the case's folder.
    #[serde(default)]
    pub(crate) server: Option<Vec<String>>,
}

/// An input, and the test of its failure.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// The folder's name.
    pub(crate) name: String,
    /// The test.
    pub(crate) script: PathBuf,
    /// The input's own name.
    pub(crate) file_name: String,
    /// Whether the input is a folder.
    pub(crate) is_folder: bool,
    /// The input, each file in its language.
    base: Base,
    /// The time limit of one run of the test, if the case gives one.
    pub(crate) timeout: Option<Duration>,
    /// The words of the server that tests as the script does, if the case has one.
    pub(crate) server: Option<Vec<OsString>>,
    /// A fingerprint of the input and the test.
    pub(crate) hash: String,
}

impl Case {
    /// Reads the case in a folder.
    ///
    /// # Errors
    /// If a part is missing or invalid.
    pub(crate) fn read(folder: &Path) -> Result<Self, UserError> {
        let broken = |what: &str| UserError::usage(format!("'{}' is no case: {what}", folder.display()));
        let folder = fs::canonicalize(folder).map_err(|e| broken(&e.to_string()))?;
        let mut inputs = entries(&folder)?;
        inputs.retain(|p| {
            file_name(p).starts_with("input.") && p.is_file() || p.ends_with("input") && p.is_dir()
        });
        let [input] = &inputs[..] else {
            return Err(broken(&format!("it has {} inputs: input.*, or a folder", inputs.len())));
        };
        let script = folder.join("interesting.sh");
        let test = fs::read(&script).map_err(|e| broken(&format!("interesting.sh: {e}")))?;
        let settings: Settings = match fs::read_to_string(folder.join("case.toml")) {
            Ok(toml) => toml::from_str(&toml).map_err(|e| broken(&format!("case.toml: {e}")))?,
            Err(_) => Settings::default(),
        };
        let contents = contents(input)?;
        let base = base_of(&contents, settings.language.as_deref())?;
        let word = |word: &String| {
            let file = folder.join(word);
            if word.contains(['.', '/']) && file.exists() { file.into() } else { word.into() }
        };
        let server = settings.server.as_ref().map(|words| words.iter().map(word).collect());
        let timeout = settings.timeout.map(Duration::try_from_secs_f64).transpose();
        let mut hash = Xxh3::new();
        for part in contents.iter().map(|file| &**file).chain([&test]) {
            hash.update(&part.len().to_le_bytes());
            hash.update(part);
        }
        Ok(Self {
            name: file_name(&folder),
            script,
            file_name: file_name(input),
            is_folder: input.is_dir(),
            base,
            timeout: timeout.map_err(|e| broken(&format!("case.toml: {e}")))?,
            server,
            hash: format!("{:016x}", hash.digest()),
        })
    }

    /// The input, read in the case's language.
    pub(crate) fn base(&self) -> Base {
        self.base.clone()
    }

    /// Whether the first file is in this language.
    pub(crate) fn is_in(&self, language: &str) -> bool {
        self.base.files.first().is_some_and(|file| file.language.name() == language)
    }

    /// The input, as it is tested.
    pub(crate) fn original(&self) -> Contents {
        contents_of(&self.base)
    }

    /// Writes the input, or what a permutation made of it, to this path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&self, contents: &Contents, path: &Path) -> std::io::Result<()> {
        match (self.is_folder, &contents[..]) {
            (false, [file]) => fs::write(path, &**file),
            (_, files) => write_new(path, Path::new(&self.file_name), &files.to_vec()),
        }
    }

    /// What a reducer has left at this path, under the name of the input.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn result(&self, path: &Path) -> Result<Contents, UserError> {
        if self.is_folder != path.is_dir() {
            return Err(UserError::usage(format!("'{}' is no result of '{}'", path.display(), self.name)));
        }
        let below = |file: NamedFile| {
            let own = std::iter::once(Component::Normal(self.file_name.as_ref()));
            let path: PathBuf = own.chain(file.path.components().skip(1)).collect();
            NamedFile { path: path.into(), ..file }
        };
        Ok(contents(path)?.into_iter().map(below).collect())
    }

    /// The command that tests a candidate: the script, or the server.
    ///
    /// # Errors
    /// If it is not executable, or there is no server.
    pub(crate) fn command(&self, has_server: bool) -> Result<TestCommand, UserError> {
        match &self.server {
            _ if !has_server => TestCommand::program(&self.script),
            Some(words) => TestCommand::server(words, ANSWERS),
            None => Err(UserError::usage(format!("the case '{}' has no server", self.name))
                .help("its case.toml names one: server = [\"COMMAND\", \"WORD\"]")),
        }
    }

    /// The extension of the input's name.
    pub(crate) fn ending(&self) -> &str {
        self.file_name.rsplit_once('.').map_or("", |(_, ending)| ending)
    }
}

/// The cases in these folders: each folder is a case or contains cases. Sorted by name within each folder.
///
/// # Errors
///
/// If a folder is neither.
pub(crate) fn cases(folders: &[PathBuf]) -> Result<Vec<Case>, UserError> {
    let mut found = Vec::new();
    for folder in folders {
        if folder.join("interesting.sh").is_file() {
            found.push(Case::read(folder)?);
            continue;
        }
        let mut inner = entries(folder)?;
        inner.retain(|path| path.join("interesting.sh").is_file());
        if inner.is_empty() {
            return Err(UserError::usage(format!("there are no cases in '{}'", folder.display()))
                .help("a case is a folder with input.*, or a folder input, and interesting.sh"));
        }
        for folder in inner {
            found.push(Case::read(&folder)?);
        }
    }
    Ok(found)
}

/// Files as a base, in the language of this name, or each in that of its own name.
///
/// # Errors
/// If there is no such language.
pub(crate) fn base_of(contents: &Contents, language: Option<&str>) -> Result<Base, UserError> {
    let parsed = |file: &NamedFile| {
        let language = match language {
            None => languages::detect(&file.path.to_string_lossy()),
            Some(name) => languages::named(name)
                .ok_or_else(|| UserError::usage(format!("there is no language '{name}'")))?,
        };
        let parsed = Parsed::at(Arc::clone(&file.path), language, Arc::clone(&file.content));
        Ok(Arc::new(parsed.with_mode(file.mode)))
    };
    Ok(Base { files: contents.iter().map(parsed).collect::<Result<_, UserError>>()? })
}

/// The files of an input, under its own name.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn contents(input: &Path) -> Result<Contents, UserError> {
    let name = file_name(input);
    if input.is_dir() {
        return Ok(lopper::entries::read(input, Path::new(&name), &Selection::usual()?)?.contents);
    }
    let text = fs::read(input).map_err(|e| {
        UserError::usage(format!("the file '{}' cannot be read", input.display())).fact(e.to_string())
    })?;
    Ok(vec![NamedFile::new(&name, text)])
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, UserError> {
    let unreadable = |e: std::io::Error| {
        UserError::usage(format!("the folder '{}' cannot be read", folder.display())).fact(e.to_string())
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
}
