//! The syntax checks that Lopper knows: commands that accept a valid text of a language.

use crate::oracle::command::TestCommand;
use std::ffi::OsString;

/// A check.
struct Check {
    language: &'static str,
    /// What must be installed.
    program: &'static str,
    words: &'static [&'static str],
}

const PYTHON: &str = "import sys; compile(open(sys.argv[1], 'rb').read(), 'f', 'exec', dont_inherit=True)";

/// A compiler that crashes has not rejected the text: an ordinary error is exit code 1.
const RUST: &str = "RUSTC_ICE=0 rustc --edition 2021 --cap-lints allow --crate-type lib --crate-name t --emit metadata \
                    --out-dir . \"$1\" 2>/dev/null; test $? -ne 1";
const JAVA: &str = "javac -proc:none -Xlint:none -d . \"$1\" 2>/dev/null; test $? -ne 1";

const CHECKS: &[Check] = &[
    Check { language: "c", program: "cc", words: &["cc", "-w", "-fsyntax-only", "{}"] },
    Check { language: "java", program: "javac", words: &["sh", "-c", JAVA, "sh", "{}"] },
    Check { language: "javascript", program: "node", words: &["node", "--check", "{}"] },
    Check { language: "python", program: "python3", words: &["python3", "-I", "-S", "-c", PYTHON, "{}"] },
    Check { language: "rust", program: "rustc", words: &["sh", "-c", RUST, "sh", "{}"] },
];

/// The check of a language, if Lopper knows one and its program is installed.
pub(super) fn usual(language: &str) -> Option<TestCommand> {
    let check = CHECKS.iter().find(|check| check.language == language)?;
    TestCommand::line(&[OsString::from(check.program)]).ok()?;
    let words: Vec<OsString> = check.words.iter().map(OsString::from).collect();
    TestCommand::line(&words).ok()
}
