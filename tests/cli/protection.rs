//! `--protect`, its marks, and `--keep-names`: what must stay is left byte for byte.

use crate::Checked;
use crate::kit::Project;

const TEXT: &str =
    "int first = 1;\nint second   =  2; /* two */\nint third = 3;\nint main() { return first + third; }\n";

fn project(text: &str) -> std::io::Result<Project> {
    Project::with(
        "grep -q third \"$1\" && cat \"$1\" > \"$OUTSIDE/$(ls \"$OUTSIDE\" | wc -l).$$\"",
        "a.c",
        text,
    )
}

#[test]
fn protected_lines_and_matches_stay_in_every_candidate() -> Checked {
    for algorithm in ["default", "perses", "ddmin-tokens"] {
        let project = project(TEXT)?;
        let options = ["-j", "1", "--algorithm", algorithm, "--protect", "2", "--protect", "ma.n"];
        project.reduce(&[&options[..], &["./test.sh", "a.c"]].concat())?.exits_with(0)?;
        let result = project.read("a.reduced.c")?;
        assert!(result.contains("int second   =  2; /* two */") && result.contains("main"), "{result}");
        assert!(!result.contains("first"), "{algorithm}: {result}");
        for name in crate::kit::names_in(&project.outside())? {
            let text = std::fs::read_to_string(project.outside().join(name))?;
            assert!(text.is_empty() || text.contains("int second   =  2; /* two */"), "{text}");
        }
    }
    Ok(())
}

#[test]
fn lines_between_marks_stay_with_the_marks() -> Checked {
    let marked = TEXT
        .replace("int second", "// lopper: keep\nint second")
        .replace("int third", "// lopper: end\nint third");
    let project = project(&marked)?;
    project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    let result = project.read("a.reduced.c")?;
    assert!(result.contains("// lopper: keep\nint second   =  2; /* two */\n// lopper: end"), "{result}");
    assert!(!result.contains("first"), "{result}");
    Ok(())
}

#[test]
fn a_part_that_is_not_there_is_a_mistake_of_the_user() -> Checked {
    let project = project(TEXT)?;
    project.reduce(&["--protect", "99", "./test.sh", "a.c"])?.exits_with(2)?.says(&["protects nothing"])?;
    project.reduce(&["--protect", "(", "./test.sh", "a.c"])?.exits_with(2)?;
    Ok(())
}

#[test]
fn names_are_kept_if_the_user_wants_it() -> Checked {
    let project = Project::with("grep -q 'int [a-z][a-z]* = 3;' \"$1\"", "a.c", TEXT)?;
    project.reduce(&["--keep-names", "./test.sh", "a.c"])?.exits_with(0)?;
    assert!(project.read("a.reduced.c")?.contains("third"));
    Ok(())
}
