//! Files of every kind, and the candidate as the test sees it.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::Project;
use std::fs;

#[test]
fn the_candidate_is_alone_in_a_private_folder_under_its_own_name() -> Checked {
    let report = "echo \"$#|$1|$(pwd -P)|$(ls -A)|$TMPDIR|$(ls -A \"$TMPDIR\")|$(cat)\" >>\"$OUTSIDE/log\"";
    let project = Project::with(&format!("{report}\n{NEEDLE}"), "a.c", C)?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    let log = project.reported("log");
    assert!(log.lines().count() > 5, "{log}");
    let tmp = fs::canonicalize(project.tmp())?.display().to_string();
    for (run, line) in log.lines().enumerate() {
        // The last of the three first runs on the original is under another name.
        let name = if run == 2 { "another.c" } else { "a.c" };
        let [count, path, cwd, files, tmpdir, temporary, stdin] = line.split('|').collect::<Vec<_>>()[..]
        else {
            return Err(format!("not seven parts: {line}").into());
        };
        assert_eq!((count, files, temporary, stdin), ("1", name, "", ""), "{line}");
        assert_eq!(path, format!("{cwd}/{name}"), "absolute, and in the folder where the test runs");
        assert!(cwd.starts_with(&tmp) && cwd != tmp, "a folder of its own, below TMPDIR: {line}");
        assert!(tmpdir.starts_with(&tmp) && tmpdir != tmp && tmpdir != cwd, "a private TMPDIR: {line}");
    }
    project.is_left_clean()
}

#[test]
fn files_that_a_test_leaves_are_removed_before_its_next_run_and_at_the_end() -> Checked {
    let script = format!(
        "echo \"$(ls -A . \"$TMPDIR\" | grep -c left)\" >>\"$OUTSIDE/log\"\n\
         touch left \"$TMPDIR/left\"; mkdir -p left.d/x; touch left.d/x/y; ln -s / left.link; chmod 500 left.d/x\n\
         {NEEDLE}"
    );
    let project = Project::with(&script, "a.c", C)?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    let log = project.reported("log");
    assert!(log.lines().count() > 5 && log.lines().all(|l| l == "0"), "{log}");
    assert!(fs::metadata("/bin/sh").is_ok(), "links are not followed");
    project.is_left_clean()
}

#[test]
fn a_test_may_change_or_remove_its_candidate() -> Checked {
    for spoil in ["rm \"$1\"", "echo spoilt >\"$1\"", "chmod 000 \"$1\"", "mkdir x && mv \"$1\" x"] {
        let project = Project::with(&format!("{NEEDLE} || exit 1\n{spoil}"), "a.c", C)?;
        project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
        assert_eq!(project.read("a.reduced.c")?.trim(), "needle", "{spoil}");
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn a_test_that_cannot_tell_is_counted_and_its_candidate_is_not_taken() -> Checked {
    // Without `limit`, the test cannot tell.
    let project = Project::with(&format!("grep -q limit \"$1\" || exit 125\n{NEEDLE}"), "a.c", C)?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    let result = project.read("a.reduced.c")?;
    assert!(result.contains("needle") && result.contains("limit"), "{result}");
    let line = run.stderr.lines().find(|l| l.starts_with("runs")).unwrap_or_default();
    assert!(line.contains("could not tell") && !line.contains(" 0 could not tell"), "{line}");
    Ok(())
}

#[test]
fn a_candidate_that_takes_too_long_is_not_taken() -> Checked {
    // Without `limit`, the test hangs.
    let script = format!("grep -q limit \"$1\" || test ! -s \"$1\" || sleep 1000\n{NEEDLE}");
    let project = Project::with(&script, "a.txt", "one\nlimit needle\n")?;
    let run = project.reduce(&["./test.sh", "a.txt", "--timeout", "0.5"])?.exits_with(0)?;
    let result = project.read("a.reduced.txt")?;
    assert!(result.contains("needle") && result.contains("limit"), "{result}");
    let line = run.stderr.lines().find(|l| l.starts_with("runs")).unwrap_or_default();
    assert!(line.contains("timed out") && !line.contains(" 0 timed out"), "{line}");
    project.is_left_clean()
}

#[test]
fn nothing_to_reduce_has_an_exit_code_of_its_own() -> Checked {
    let project = Project::with("grep -qx needle \"$1\"", "a.txt", "needle\n")?;
    let run = project.reduce(&["./test.sh", "a.txt"])?;
    run.exits_with(if project.read("a.reduced.txt")? == "needle\n" { 4 } else { 0 })?;
    let project = Project::with("cmp -s \"$1\" \"$OUTSIDE/../here/a.txt\"", "a.txt", C)?;
    project.reduce(&["./test.sh", "a.txt"])?.exits_with(4)?;
    assert_eq!(project.read("a.reduced.txt")?, C);
    Ok(())
}

#[test]
fn an_empty_file_is_nothing_to_reduce() -> Checked {
    for name in ["a.c", "a.py", "a.txt"] {
        let project = Project::with("exit 0", name, "")?;
        project.reduce(&["./test.sh", name, "-o", "out"])?.exits_with(4)?;
        assert_eq!(project.read("out")?, "");
    }
    Ok(())
}

/// Programs with both kinds of line ends, and the results of deleting statements.
const MIXED: &[(&str, &str, &str)] = &[
    (
        "a.c",
        "/* a */\r\nint keep1;\r\nint gone1;\nint keep2;\n\r\nint gone2;\r\n\r\nint keep3(int a, int b)\r\n\
         {\n  gone3();\r\n  return a;\n}\r\n",
        "/* a */\r\nint keep1;\r\nint keep2;\n\r\nint keep3()\r\n{\n  return;\n}\r\n",
    ),
    (
        "a.py",
        "class A:\r\n    def keep1(self):\n        gone1()\r\n        return 1\r\n\r\n    def keep2(self):\n\
        \x20       x = 1\r\n        gone2()\n        return 2\n    def keep3(self):\r\n        return 3\r\n",
        "class A:\r\n    def keep1():\n        return\r\n\r\n    def keep2():\n        pass\n    def keep3():\r\n\
        \x20       pass\r\n",
    ),
    ("a.txt", "keep1\r\ngone\nkeep2\n\r\ngone\r\nkeep3 return\ngone", "keep1\r\nkeep2\n\r\nkeep3 return"),
];

#[test]
fn a_file_with_mixed_line_ends_keeps_its_bytes_where_nothing_was_deleted() -> Checked {
    for (name, before, after) in MIXED {
        let script = "for word in keep1 keep2 keep3 return; do grep -q $word \"$1\" || exit 1; done";
        let project = Project::with(script, name, before)?;
        project.reduce(&["./test.sh", name, "-o", "out", "--pass", "delete"])?.exits_with(0)?;
        assert_eq!(project.read("out")?, *after, "{name}");
    }
    Ok(())
}

const WINDOWS: &str = "one\r\nneedle\r\ntwo\r\nelse\r\n";

#[test]
fn windows_line_ends_are_deleted_and_kept_with_their_lines() -> Checked {
    let project = Project::with("grep -q needle \"$1\" && grep -q 'else' \"$1\"", "a.txt", WINDOWS)?;
    project.reduce(&["./test.sh", "a.txt", "--pass", "lines", "-o", "lines"])?.exits_with(0)?;
    assert_eq!(project.read("lines")?, "needle\r\nelse\r\n");
    project.reduce(&["./test.sh", "a.txt", "-o", "all"])?.exits_with(0)?;
    assert_eq!(project.read("all")?.split_whitespace().collect::<Vec<_>>(), ["needle", "else"]);
    Ok(())
}

#[test]
fn no_line_end_is_added_to_a_last_line_without_one() -> Checked {
    let project = Project::with(NEEDLE, "a.txt", "one\nneedle")?;
    project.reduce(&["./test.sh", "a.txt"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.txt")?, "needle");
    Ok(())
}

#[test]
fn zero_bytes_and_broken_utf_8_are_reduced_like_any_text() -> Checked {
    for name in ["a.c", "a.py", "a.txt"] {
        let mut text = b"int a\0b;\n\xff\xfe\xc3(\n\xe2\x82 needle \x80\n".to_vec();
        text.extend([0, 0, b'\n', 0xf0, 0x9f]);
        let project = Project::with(
            "grep -aq needle \"$1\" && LC_ALL=C grep -aq \"$(printf '\\303')\" \"$1\"",
            name,
            &text,
        )?;
        project.reduce(&["./test.sh", name, "-o", "out", "--diff"])?.exits_with(0)?;
        let result = fs::read(project.path("out"))?;
        let has = |part: &[u8]| result.windows(part.len()).any(|w| w == part);
        assert!(has(b"needle") && has(b"\xc3"), "{name}: {result:?}");
        assert!(result.len() < text.len() && !has(b"int"), "{name}: {result:?}");
    }
    Ok(())
}

#[test]
fn a_folder_is_no_file_for_a_command_that_takes_one() -> Checked {
    let project = needle()?;
    fs::create_dir(project.path("sub"))?;
    project.lopper(&["parse", "sub"])?.exits_with(2)?.says(&[
        "'sub'",
        "cannot be read",
        "this command takes files",
    ])?;
    project
        .lopper(&["generalize", "./test.sh", "."])?
        .exits_with(2)?
        .says(&["have a text", "name the files"])?;
    Ok(())
}

#[test]
fn a_missing_file_is_named() -> Checked {
    needle()?.reduce(&["./test.sh", "none.c"])?.exits_with(2)?.says(&[
        "'none.c'",
        "cannot be read",
        "No such file",
    ])?;
    Ok(())
}

#[test]
fn a_name_that_is_not_utf_8_is_no_reason_to_crash() -> Checked {
    use std::os::unix::ffi::OsStrExt;
    let project = needle()?;
    let name = std::ffi::OsStr::from_bytes(b"a\xff.c");
    fs::write(project.folder().join(name), C)?;
    let run = project.reduce(&["./test.sh".as_ref(), name])?;
    assert!(matches!(run.status.code(), Some(0 | 2)), "{}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    Ok(())
}

#[test]
fn every_single_byte_and_every_encoding_is_reduced_or_left() -> Checked {
    let utf_16: Vec<u8> = "int a;\nneedle\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let keeps =
        "LC_ALL=C grep -aq \"$(printf 'n\\000e' | tr -d '\\000')\" \"$1\" || [ \"$(wc -c <\"$1\")\" -gt 3 ]";
    for name in ["a.c", "a.py", "a.txt"] {
        for text in [
            &utf_16[..],
            b"\xef\xbb\xbfint needle;",
            b"x",
            b"\0",
            b"\xff",
            b"\n",
            b"\r\n\r\n",
            b"\\",
            b"\"",
            b"(",
        ] {
            let project = Project::with(&format!("[ -s \"$1\" ] || exit 1\n{keeps} || exit 0"), name, text)?;
            let run = project.reduce(&["./test.sh", name, "-o", "out"])?;
            assert!(matches!(run.status.code(), Some(0 | 4)), "{name} {text:?}: {}", run.stderr);
            assert!(!fs::read(project.path("out"))?.is_empty(), "{name} {text:?}");
            project.is_left_clean()?;
        }
    }
    Ok(())
}

/// A large or deep input: no crash, no stack overflow, and a smaller result after a few runs.
fn survives(name: &str, text: &[u8], runs: &str) -> Checked {
    let project = Project::with(NEEDLE, name, text)?;
    let arguments = ["./test.sh", name, "-o", "out", "--max-tests", runs, "--timeout", "60", "-q"];
    let mut all = vec!["reduce"];
    all.extend(arguments);
    let run = project.start(&all)?.finish_within(std::time::Duration::from_secs(1800))?;
    assert!(matches!(run.status.code(), Some(0 | 4)), "{name}: {} {}", run.status, run.stderr);
    assert!(fs::read(project.path("out"))?.windows(6).any(|w| w == b"needle"), "{name}");
    project.is_left_clean()
}

#[test]
fn a_line_of_five_megabytes_is_no_problem() -> Checked {
    survives("a.txt", &[&vec![b'a'; 5_000_000][..], b" needle"].concat(), "6")
}

#[test]
fn a_thousand_nested_ifs_are_no_problem() -> Checked {
    let ifs = format!("int main(){{{}needle;}}\n", "if(1)".repeat(1000));
    survives("a.c", ifs.as_bytes(), "6")
}

#[test]
fn a_hundred_thousand_nested_ifs_are_no_problem() -> Checked {
    let ifs = format!("int main(){{{}needle;}}\n", "if(1)".repeat(100_000));
    survives("a.c", ifs.as_bytes(), "6")
}

#[test]
fn a_hundred_thousand_nested_brackets_are_no_problem() -> Checked {
    let (open, close) = ("(".repeat(100_000), ")".repeat(100_000));
    survives("a.txt", format!("{open}needle{close}\n").as_bytes(), "6")
}

#[test]
#[ignore = "takes minutes"]
fn fifty_megabytes_are_no_problem() -> Checked {
    survives("a.txt", &[&b"one two, three\n".repeat(3_300_000)[..], b"needle\n"].concat(), "6")
}
