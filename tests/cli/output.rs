//! The place of the result, and the files that no run may touch.

use super::{C, NEEDLE, needle};
use crate::Checked;
use crate::kit::{Project, is_above_permissions, names_in, skip};
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn the_result_lies_beside_the_file_under_a_name_of_its_own() -> Checked {
    let project = needle()?;
    let run = project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?.says(&["a.reduced.c"])?;
    assert_eq!(project.read("a.reduced.c")?.trim(), "needle", "{}", run.stderr);
    assert_eq!(names_in(&project.folder())?, ["a.c", "a.reduced.c", "test.sh"]);
    Ok(())
}

#[test]
fn a_result_beside_a_file_in_another_folder_is_found_there() -> Checked {
    let project = needle()?;
    fs::create_dir(project.path("sub"))?;
    project.file("sub/no_ending", "hay needle hay")?;
    project.reduce(&["./test.sh", "sub/no_ending"])?.exits_with(0)?.says(&["sub/no_ending.reduced"])?;
    assert_eq!(project.read("sub/no_ending.reduced")?.trim(), "needle");
    Ok(())
}

#[test]
fn an_earlier_result_is_not_overwritten() -> Checked {
    let project = needle()?;
    project.file("a.reduced.c", "an earlier result")?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?.says(&["a.reduced.2.c"])?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?.says(&["a.reduced.3.c"])?;
    assert_eq!(project.read("a.reduced.c")?, "an earlier result");
    assert_eq!(project.read("a.reduced.2.c")?, project.read("a.reduced.3.c")?);
    Ok(())
}

#[test]
fn the_output_option_names_the_result_and_may_overwrite() -> Checked {
    let project = needle()?;
    project.file("out.c", "something that was there")?;
    project.reduce(&["./test.sh", "a.c", "-o", "out.c"])?.exits_with(0)?.says(&["out.c"])?;
    assert_eq!(project.read("out.c")?.trim(), "needle");
    assert_eq!(names_in(&project.folder())?, ["a.c", "out.c", "test.sh"]);
    Ok(())
}

#[test]
fn the_input_keeps_its_bytes_and_its_time() -> Checked {
    let project = needle()?;
    let input = project.path("a.c");
    let before = fs::metadata(&input)?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    project.reduce(&["./test.sh", "a.c", "-o", "b.c"])?.exits_with(0)?;
    let after = fs::metadata(&input)?;
    assert_eq!(fs::read(&input)?, C.as_bytes());
    assert_eq!(before.modified()?, after.modified()?);
    assert_eq!(before.permissions(), after.permissions());
    Ok(())
}

#[test]
fn an_output_that_is_the_input_is_refused() -> Checked {
    let project = needle()?;
    project.reduce(&["./test.sh", "a.c", "-o", "./a.c"])?.exits_with(2)?.says(&["--in-place"])?;
    assert_eq!(project.read("a.c")?, C);
    std::os::unix::fs::symlink("a.c", project.path("link.c"))?;
    project.reduce(&["./test.sh", "link.c", "-o", "a.c"])?.exits_with(2)?;
    assert_eq!(project.read("a.c")?, C);
    Ok(())
}

#[test]
fn in_place_replaces_the_file_and_keeps_the_original_beside_it() -> Checked {
    let project = needle()?;
    fs::set_permissions(project.path("a.c"), fs::Permissions::from_mode(0o640))?;
    project.reduce(&["./test.sh", "a.c", "--in-place"])?.exits_with(0)?;
    assert_eq!(project.read("a.c")?.trim(), "needle");
    assert_eq!(project.read("a.c.orig")?, C);
    assert_eq!(names_in(&project.folder())?, ["a.c", "a.c.orig", "test.sh"]);
    let mode = fs::metadata(project.path("a.c"))?.permissions().mode();
    assert_eq!(mode & 0o777, 0o640, "permissions stay");
    Ok(())
}

#[test]
fn in_place_never_overwrites_another_backup() -> Checked {
    let project = needle()?;
    project.file("a.c.orig", "the real original")?;
    let run = project.reduce(&["./test.sh", "a.c", "--in-place"])?.exits_with(2)?;
    run.says(&["the backup", "a.c.orig", "already exists", "--output"])?;
    assert_eq!(project.read("a.c")?, C);
    assert_eq!(project.read("a.c.orig")?, "the real original");
    project.is_left_clean()
}

#[test]
fn in_place_takes_a_backup_that_is_the_same() -> Checked {
    let project = needle()?;
    project.file("a.c.orig", C)?;
    project.reduce(&["./test.sh", "a.c", "--in-place"])?.exits_with(0)?;
    assert_eq!((project.read("a.c")?.trim(), &*project.read("a.c.orig")?), ("needle", C));
    Ok(())
}

#[test]
fn in_place_follows_a_link() -> Checked {
    let project = needle()?;
    fs::create_dir(project.path("sub"))?;
    fs::rename(project.path("a.c"), project.path("sub/real.c"))?;
    std::os::unix::fs::symlink("sub/real.c", project.path("a.c"))?;
    project.reduce(&["./test.sh", "a.c", "--in-place"])?.exits_with(0)?;
    assert!(fs::symlink_metadata(project.path("a.c"))?.is_symlink());
    assert_eq!(project.read("sub/real.c")?.trim(), "needle");
    Ok(())
}

#[test]
fn in_place_and_output_exclude_each_other() -> Checked {
    let project = needle()?;
    project.reduce(&["./test.sh", "a.c", "--in-place", "-o", "b.c"])?.exits_with(2)?.says(&["--in-place"])?;
    assert_eq!(names_in(&project.folder())?, ["a.c", "test.sh"]);
    Ok(())
}

#[test]
fn the_output_holds_a_whole_interesting_program_at_every_moment() -> Checked {
    // The test itself looks at the output, which is the file that a power cut would leave.
    let look = "test -f \"$OUTSIDE/../here/out.c\" && { grep -q needle \"$OUTSIDE/../here/out.c\" || \
                echo broken >>\"$OUTSIDE/seen\"; echo looked >>\"$OUTSIDE/seen\"; }";
    let project = Project::with(&format!("{look}\n{NEEDLE}"), "a.c", C)?;
    project.reduce(&["./test.sh", "a.c", "-o", "out.c"])?.exits_with(0)?;
    let seen = project.reported("seen");
    assert!(seen.contains("looked"), "the output is there while the test runs");
    assert!(!seen.contains("broken"), "{seen}");
    Ok(())
}

#[test]
fn an_output_in_a_missing_folder_is_refused_with_help() -> Checked {
    let project = needle()?;
    let run = project.reduce(&["./test.sh", "a.c", "-o", "no/such/out.c"])?.exits_with(2)?;
    run.says(&["no/such/out.c", "cannot be written", "--output"])?;
    project.is_left_clean()
}

#[test]
fn an_output_that_is_a_folder_is_refused() -> Checked {
    let project = needle()?;
    fs::create_dir(project.path("sub"))?;
    project.reduce(&["./test.sh", "a.c", "-o", "sub"])?.exits_with(2)?.says(&["'sub'", "--output"])?;
    assert_eq!(names_in(&project.folder())?, ["a.c", "sub", "test.sh"]);
    Ok(())
}

#[test]
fn a_folder_that_cannot_be_written_to_is_refused_with_help() -> Checked {
    if is_above_permissions() {
        skip("a_folder_that_cannot_be_written_to_is_refused_with_help", "root may write everywhere");
        return Ok(());
    }
    let project = needle()?;
    fs::create_dir(project.path("sub"))?;
    fs::rename(project.path("a.c"), project.path("sub/a.c"))?;
    fs::set_permissions(project.path("sub"), fs::Permissions::from_mode(0o500))?;
    let run = project.reduce(&["./test.sh", "sub/a.c"]);
    fs::set_permissions(project.path("sub"), fs::Permissions::from_mode(0o700))?;
    run?.exits_with(2)?.says(&["cannot be written", "--output"])?;
    Ok(())
}

#[test]
fn paths_may_have_blanks_and_quotes() -> Checked {
    let project = Project::new()?;
    fs::create_dir(project.path("it's a \"folder\""))?;
    project.script("it's a \"folder\"/my test.sh", NEEDLE)?;
    project.file("it's a \"folder\"/a b's $x.c", C)?;
    let arguments = ["it's a \"folder\"/my test.sh", "it's a \"folder\"/a b's $x.c"];
    project.reduce(&arguments)?.exits_with(0)?;
    assert_eq!(project.read("it's a \"folder\"/a b's $x.reduced.c")?.trim(), "needle");
    Ok(())
}
