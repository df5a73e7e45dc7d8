//! Puts what a header of the standard library says of its names in their place, or declares the functions that are called, and deletes
//! the `#include`.
//!
//! The sizes are those of most compilers for 64-bit systems; where they are others, the test refuses the result.

use super::{FAMILY, all, child};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::lexer::{Token, TokenKind};
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "standard-headers",
    summary: "puts what a header of the standard library defines in the place of its names, and deletes the `#include`",
    languages: FAMILY,
    proves: true,
    examples: &[
        Example {
            language: "c",
            before: "#include <limits.h>\n#include <stdint.h>\nuint8_t a[CHAR_BIT];\n",
            keep: &[" a["],
            after: "unsigned char a[8];\n",
        },
        Example {
            language: "c",
            before: "#include <stdlib.h>\nint main(void) { abort(); }\n",
            keep: &["int main(void) { ", "abort(); }"],
            after: "void abort();\nint main(void) { abort(); }\n",
        },
        Example {
            language: "cpp",
            before: "#include <cstdint>\nint64_t a(std::uint16_t);\n",
            keep: &[" a("],
            after: "long a(unsigned short);\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The names that a header defines, each with what it means.
const NAMES: &[(&str, &[(&str, &str)])] = &[
    (
        "float.h",
        &[("DBL_MAX", "__DBL_MAX__"), ("FLT_MAX", "__FLT_MAX__"), ("DBL_EPSILON", "__DBL_EPSILON__")],
    ),
    (
        "limits.h",
        &[
            ("CHAR_BIT", "8"),
            ("CHAR_MAX", "127"),
            ("SCHAR_MAX", "127"),
            ("UCHAR_MAX", "255"),
            ("SHRT_MAX", "32767"),
            ("SHRT_MIN", "(-32768)"),
            ("USHRT_MAX", "65535"),
            ("INT_MAX", "2147483647"),
            ("INT_MIN", "(-2147483647 - 1)"),
            ("UINT_MAX", "4294967295u"),
            ("LONG_MAX", "9223372036854775807l"),
            ("LONG_MIN", "(-9223372036854775807l - 1)"),
            ("ULONG_MAX", "18446744073709551615ul"),
            ("LLONG_MAX", "9223372036854775807ll"),
            ("LLONG_MIN", "(-9223372036854775807ll - 1)"),
            ("ULLONG_MAX", "18446744073709551615ull"),
        ],
    ),
    (
        "math.h",
        &[
            ("INFINITY", "__builtin_inff()"),
            ("NAN", "__builtin_nanf(\"\")"),
            ("M_PI", "3.14159265358979323846"),
        ],
    ),
    ("stdalign.h", &[("alignas", "_Alignas"), ("alignof", "_Alignof")]),
    (
        "stdarg.h",
        &[
            ("va_list", "__builtin_va_list"),
            ("va_start", "__builtin_va_start"),
            ("va_arg", "__builtin_va_arg"),
            ("va_copy", "__builtin_va_copy"),
            ("va_end", "__builtin_va_end"),
        ],
    ),
    ("stdbool.h", &[("bool", "_Bool"), ("true", "1"), ("false", "0")]),
    ("stddef.h", SIZES),
    (
        "stdint.h",
        &[
            ("int8_t", "signed char"),
            ("uint8_t", "unsigned char"),
            ("int16_t", "short"),
            ("uint16_t", "unsigned short"),
            ("int32_t", "int"),
            ("uint32_t", "unsigned"),
            ("int64_t", "long"),
            ("uint64_t", "unsigned long"),
            ("intptr_t", "long"),
            ("uintptr_t", "unsigned long"),
            ("intmax_t", "long"),
            ("uintmax_t", "unsigned long"),
            ("INT8_MAX", "127"),
            ("UINT8_MAX", "255"),
            ("INT16_MAX", "32767"),
            ("UINT16_MAX", "65535"),
            ("INT32_MAX", "2147483647"),
            ("INT32_MIN", "(-2147483647 - 1)"),
            ("UINT32_MAX", "4294967295u"),
            ("INT64_MAX", "9223372036854775807l"),
            ("INT64_MIN", "(-9223372036854775807l - 1)"),
            ("UINT64_MAX", "18446744073709551615ul"),
            ("SIZE_MAX", "18446744073709551615ul"),
        ],
    ),
    ("stdio.h", &[("EOF", "(-1)"), ("NULL", "0"), ("size_t", "unsigned long")]),
    ("stdlib.h", &[("EXIT_SUCCESS", "0"), ("EXIT_FAILURE", "1"), ("NULL", "0"), ("size_t", "unsigned long")]),
    ("string.h", SIZES),
];

const SIZES: &[(&str, &str)] = &[
    ("NULL", "0"),
    ("size_t", "unsigned long"),
    ("ptrdiff_t", "long"),
    ("wchar_t", "int"),
    ("offsetof", "__builtin_offsetof"),
];

/// The headers that include another one, or may stand for it.
const ALSO: &[(&str, &str)] = &[("inttypes.h", "stdint.h")];

/// A type, and the functions with results of it.
type Results = (&'static str, &'static [&'static str]);

/// The functions that a header declares, by the types of their results.
const FUNCTIONS: &[(&str, &[Results])] = &[
    ("ctype.h", &[("int", &["isalnum", "isalpha", "isdigit", "isspace", "isupper", "tolower", "toupper"])]),
    (
        "math.h",
        &[(
            "double",
            &[
                "ceil", "cos", "exp", "fabs", "floor", "fmod", "ldexp", "log", "pow", "round", "sin", "sqrt",
                "tan",
            ],
        )],
    ),
    (
        "stdio.h",
        &[("int", &["getchar", "printf", "putchar", "puts", "scanf", "snprintf", "sprintf", "sscanf"])],
    ),
    (
        "stdlib.h",
        &[
            ("double", &["atof", "strtod"]),
            ("int", &["abs", "atexit", "atoi", "rand", "system"]),
            ("long", &["atol", "labs", "strtol"]),
            ("void", &["abort", "exit", "free", "qsort", "srand"]),
            ("void *", &["calloc", "malloc", "realloc"]),
            ("char *", &["getenv"]),
        ],
    ),
    (
        "string.h",
        &[
            ("char *", &["strcat", "strchr", "strcpy", "strdup", "strncpy", "strrchr", "strstr", "strtok"]),
            ("int", &["memcmp", "strcmp", "strncmp"]),
            ("unsigned long", &["strlen"]),
            ("void *", &["memchr", "memcpy", "memmove", "memset"]),
        ],
    ),
];

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let includes: Vec<NodeId> = all(file, "preproc_include").collect();
        let defined: BTreeSet<&[u8]> = match includes.is_empty() {
            true => BTreeSet::new(),
            false => file.definitions().map(|definition| file.node_text(definition.places[0].name)).collect(),
        };
        includes.into_iter().map(move |include| ways(file, include, &defined))
    });
    vec![Group::choices(ways).doubtful()]
}

/// The names of a header give way to what they mean, with and without declarations of its functions.
fn ways(file: File<'_>, include: NodeId, defined: &BTreeSet<&[u8]>) -> Vec<Unit> {
    let Some(header) =
        child(&file, include, "system_lib_string").and_then(|path| header(file.node_text(path)))
    else {
        return Vec::new();
    };
    let (header, tokens) = (header.as_str(), file.tokens());
    let own = file.range(include);
    let names = listed(NAMES, header);
    let meanings = (0..tokens.len()).filter_map(|at| {
        let range = qualified(file, at)?;
        let name = &file.text()[tokens[at].range()];
        let (_, meaning) = names.iter().find(|(known, _)| known.as_bytes() == name)?;
        (!defined.contains(name) && !own.contains(&range.start)).then(|| file.write(range, *meaning))
    });
    let meanings: Vec<Unit> = meanings.collect();
    let without = || meanings.iter().cloned().chain([file.drop(include)]);
    let declared = match file.language().name() == "c" {
        true => declarations(file, listed(FUNCTIONS, header), defined),
        false => String::new(),
    };
    // The range of a directive has its line end.
    let line = own.start..file.text()[..own.end].trim_ascii_end().len();
    let with = (!declared.is_empty())
        .then(|| Unit::together(meanings.iter().cloned().chain([file.write(line, declared)])));
    let plain = (!meanings.is_empty()).then(|| Unit::together(without()));
    plain.into_iter().chain(with).collect()
}

/// The name of a header in C: `limits.h` for `<climits>`.
fn header(path: &[u8]) -> Option<String> {
    let path = std::str::from_utf8(path).ok()?.strip_prefix('<')?.strip_suffix('>')?;
    let name = match path.strip_prefix('c') {
        Some(rest) if !path.ends_with(".h") => format!("{rest}.h"),
        _ => path.to_owned(),
    };
    let also = ALSO.iter().find(|(one, _)| *one == name);
    Some(also.map_or(name.clone(), |(_, other)| (*other).to_owned()))
}

/// What a table has for a header.
fn listed<T>(table: &'static [(&str, &'static [T])], header: &str) -> &'static [T] {
    table.iter().find(|(known, _)| *known == header).map_or(&[], |(_, listed)| listed)
}

/// The range of a word that names no field, with `std::` before it.
fn qualified(file: File<'_>, at: usize) -> Option<std::ops::Range<usize>> {
    let tokens = file.tokens();
    let token = tokens.get(at).filter(|token| token.kind == TokenKind::Word)?;
    let text = |token: &Token| &file.text()[token.range()];
    let before = |count: usize| at.checked_sub(count).map_or(&b""[..], |at| text(&tokens[at]));
    match before(1) {
        b"." | b"->" => None,
        b"::" if before(2) == b"std" => Some(tokens[at - 2].range().start..token.range().end),
        b"::" => None,
        _ => Some(token.range()),
    }
}

/// Declarations of the functions that are called, but not defined.
fn declarations(file: File<'_>, functions: &[Results], defined: &BTreeSet<&[u8]>) -> String {
    let tokens = file.tokens().windows(2).filter(|pair| file.text()[pair[1].range()] == *b"(");
    let called: BTreeSet<&[u8]> = tokens.map(|pair| &file.text()[pair[0].range()]).collect();
    let declared = functions.iter().flat_map(|(typed, names)| {
        let called = names.iter().filter(|name| called.contains(name.as_bytes()));
        let open = called.filter(|name| !defined.contains(name.as_bytes()));
        let blank = if typed.ends_with('*') { "" } else { " " };
        open.map(move |name| format!("{typed}{blank}{name}();"))
    });
    declared.collect::<Vec<_>>().join("\n")
}
