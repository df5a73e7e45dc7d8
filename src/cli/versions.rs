//! What `lopper --version` tells: the versions of Lopper and of the grammars in this build.

use std::fmt::Write;
use std::sync::LazyLock;

/// The versions of all packages, as Cargo has resolved them.
const LOCK: &str = include_str!("../../Cargo.lock");

/// The version, and a line with the version of each grammar; for bug reports, since a grammar decides how a file is
/// parsed.
pub(super) fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut text = format!("{}\n", env!("CARGO_PKG_VERSION"));
        for (name, version) in packages() {
            if is_built(name) {
                let _ = write!(text, "\n{name} {version}");
            }
        }
        text
    });
    &TEXT
}

/// Whether a package is Tree-sitter, or a grammar of this build.
fn is_built(name: &str) -> bool {
    match name {
        "tree-sitter-language" | "tree-sitter-loader" | "tree-sitter-tags" => false,
        "tree-sitter-typescript" => cfg!(feature = "typescript"),
        "tree-sitter-c-sharp" => cfg!(feature = "csharp"),
        "tree-sitter-kotlin-ng" => cfg!(feature = "kotlin"),
        _ => name.starts_with("tree-sitter"),
    }
}

/// The names and versions of all packages.
fn packages() -> impl Iterator<Item = (&'static str, &'static str)> {
    LOCK.split("[[package]]").skip(1).filter_map(|package| {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
            line.and_then(|line| line.strip_suffix('"'))
        };
        Some((field("name")?, field("version")?))
    })
}
