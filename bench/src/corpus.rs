//! The corpus: a case is a folder with `input.*`, `interesting.sh` and perhaps `case.toml`.

use lopper::error::UserError;
use lopper::languages::{self, Language, Parsed};
use lopper::oracle::command::TestCommand;
use lopper::oracle::{Contents, NamedFile};
use lopper::passes::Base;
use serde::Deserialize;
use std::ffi::OsString;
use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
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
    /// The input.
    pub(crate) text: Vec<u8>,
    /// The language of the input.
    pub(crate) language: &'static dyn Language,
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
        inputs.retain(|p| p.is_file() && file_name(p).starts_with("input."));
        let [input] = &inputs[..] else {
            return Err(broken(&format!("it has {} files named input.*", inputs.len())));
        };
        let script = folder.join("interesting.sh");
        let text = fs::read(input).map_err(|e| broken(&e.to_string()))?;
        let test = fs::read(&script).map_err(|e| broken(&format!("interesting.sh: {e}")))?;
        let settings: Settings = match fs::read_to_string(folder.join("case.toml")) {
            Ok(toml) => toml::from_str(&toml).map_err(|e| broken(&format!("case.toml: {e}")))?,
            Err(_) => Settings::default(),
        };
        let language = match &settings.language {
            None => languages::detect(&file_name(input)),
            Some(name) => languages::named(name).ok_or_else(|| broken(&format!("no language '{name}'")))?,
        };
        let word = |word: &String| {
            let file = folder.join(word);
            if word.contains(['.', '/']) && file.exists() { file.into() } else { word.into() }
        };
        let server = settings.server.as_ref().map(|words| words.iter().map(word).collect());
        let timeout = settings.timeout.map(Duration::try_from_secs_f64).transpose();
        let mut hash = Xxh3::new();
        for part in [&text, &test] {
            hash.update(&part.len().to_le_bytes());
            hash.update(part);
        }
        Ok(Self {
            name: file_name(&folder),
            script,
            file_name: file_name(input),
            text,
            language,
            timeout: timeout.map_err(|e| broken(&format!("case.toml: {e}")))?,
            server,
            hash: format!("{:016x}", hash.digest()),
        })
    }

    /// The input, read in the case's language.
    pub(crate) fn base(&self) -> Base {
        let path = Path::new(&self.file_name).into();
        Base { files: vec![Arc::new(Parsed::at(path, self.language, self.text.clone()))] }
    }

    /// The input, as it is tested.
    pub(crate) fn original(&self) -> Contents {
        vec![NamedFile::new(&self.file_name, self.text.clone())]
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
                .help("a case is a folder with input.* and interesting.sh"));
        }
        for folder in inner {
            found.push(Case::read(&folder)?);
        }
    }
    Ok(found)
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
