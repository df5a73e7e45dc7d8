//! The language of a file: by its name, or else by the interpreter that its first line names.

use crate::{Language, ON_REQUEST, all, named, text};

/// Names of files, without their folders, that tell the language where no ending does.
const NAMES: &[(&str, &str)] = &[
    ("BUILD", "python"),
    ("Gemfile", "ruby"),
    ("PKGBUILD", "bash"),
    ("Podfile", "ruby"),
    ("Rakefile", "ruby"),
    ("SConscript", "python"),
    ("SConstruct", "python"),
    ("Vagrantfile", "ruby"),
    ("WORKSPACE", "python"),
    ("wscript", "python"),
];

/// Endings that mean something else in capitals: on systems where case matters, compilers take `x.C` for C++.
const CAPITALS: &[(&str, &str)] = &[("C", "cpp"), ("H", "cpp")];

/// The interpreters that scripts name in their first line, without version and folder.
const INTERPRETERS: &[(&str, &str)] = &[
    ("ash", "bash"),
    ("bash", "bash"),
    ("dash", "bash"),
    ("emacs", "scheme"),
    ("guile", "scheme"),
    ("ksh", "bash"),
    ("lua", "lua"),
    ("luajit", "lua"),
    ("node", "javascript"),
    ("nodejs", "javascript"),
    ("php", "php"),
    ("pypy", "python"),
    ("python", "python"),
    ("racket", "scheme"),
    ("ruby", "ruby"),
    ("sbcl", "scheme"),
    ("sh", "bash"),
];

/// The language of a file by its name: by its ending, or else by the whole name; `text` if neither tells it.
pub fn detect(file_name: &str) -> &'static dyn Language {
    let known = |table: &[(&str, &str)], word: &str| {
        let (_, language) = table.iter().find(|(w, _)| *w == word)?;
        named(language)
    };
    let name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    let ending = ending(name);
    let claims = |l: &&&dyn Language| has(l.extensions(), ending);
    let by_ending = || known(CAPITALS, ending).or_else(|| all().iter().find(claims).copied());
    by_ending().or_else(|| known(NAMES, name)).unwrap_or(&text::TEXT)
}

/// The language of the interpreter that the first line of a script names, as in `#!/usr/bin/env python3`.
pub fn detect_by_interpreter(text: &[u8]) -> Option<&'static dyn Language> {
    let line = text.strip_prefix(b"#!")?.split(|&c| c == b'\n').next()?;
    let line = str::from_utf8(line).ok()?;
    let is_command = |word: &&str| !word.starts_with('-') && !word.contains('=');
    let mut words = line.split_whitespace().filter(is_command).map(|w| w.rsplit('/').next().unwrap_or(w));
    let word = words.find(|word| *word != "env")?;
    let interpreter = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let (_, language) = INTERPRETERS.iter().find(|(known, _)| *known == interpreter)?;
    named(language)
}

/// The language that this build lacks and that would claim a file of this name, with the feature that adds it.
pub fn missing(file_name: &str) -> Option<(&'static str, &'static str)> {
    let ending = ending(file_name);
    let (name, _, feature) = ON_REQUEST.iter().find(|(_, extensions, _)| has(extensions, ending))?;
    named(name).is_none().then_some((*name, *feature))
}

fn has(extensions: &[&str], ending: &str) -> bool {
    extensions.iter().any(|extension| extension.eq_ignore_ascii_case(ending))
}

fn ending(file_name: &str) -> &str {
    file_name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_the_name_decides_the_language() {
        assert_eq!(detect("a/b.PY").name(), "python");
        assert_eq!(detect("x.i").name(), "c");
        assert!(["x.h", "x.c"].iter().all(|name| detect(name).name() == "c"));
        let cpp = ["x.cpp", "x.cc", "x.hpp", "x.ii", "x.c++", "x.C", "a/x.H"];
        assert!(cpp.iter().all(|name| detect(name).name() == "cpp"));
        assert_eq!(detect("Makefile").name(), "text");
        assert!(all().iter().all(|l| named(l.name()).is_some_and(|n| n.name() == l.name())));
    }

    #[test]
    fn languages_close_to_another_one_are_read_by_its_grammar() {
        assert!(["x.glsl", "x.frag", "x.cl", "x.hlsl"].iter().all(|name| detect(name).name() == "c"));
        assert!(["x.cu", "x.metal", "x.ino"].iter().all(|name| detect(name).name() == "cpp"));
        assert_eq!((detect("x.bzl").name(), detect("a.b/BUILD").name()), ("python", "python"));
    }

    #[test]
    fn every_table_names_languages_and_no_ending_is_claimed_twice() {
        for (word, language) in NAMES.iter().chain(CAPITALS).chain(INTERPRETERS) {
            assert!(named(language).is_some(), "{word}");
        }
        let requested = ON_REQUEST.iter().filter(|(name, ..)| named(name).is_none());
        let requested = requested.flat_map(|(_, extensions, _)| extensions.iter());
        let mut endings: Vec<&str> =
            all().iter().flat_map(|l| l.extensions()).chain(requested).copied().collect();
        endings.sort_unstable();
        assert!(endings.windows(2).all(|two| two[0] != two[1]), "{endings:?}");
    }

    #[test]
    fn the_first_line_of_a_script_names_its_language() {
        let of = |line: &str| detect_by_interpreter(line.as_bytes()).map(Language::name);
        assert_eq!(of("#!/bin/sh\necho"), Some("bash"));
        assert_eq!(of("#! /usr/local/bin/python3.11 -u"), Some("python"));
        assert_eq!(of("#!/usr/bin/env -S A=1 node --harmony\n"), Some("javascript"));
        for line in ["", "#!", "#!/usr/bin/env", "#!/bin/cat", "# python", " #!/bin/sh", "#!\u{e9}", "echo"] {
            assert_eq!(of(line), None, "{line}");
        }
        assert!(detect_by_interpreter(b"#!/bin/\xffsh").is_none());
    }
}
