//! Programs in which a flag with the opposite initial value makes more deletions possible.

use crate::Checked;
use crate::kit::{Project, has, skip};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// Removes comments from a text, except `#` between quotes; it mishandles quotes.
const COMMENTS: &str = "\
def without_comments(text):
    comment = False
    quote = False
    rest = []
    for c in text:
        if c == '#' and not quote:
            comment = True
        elif c == '\\n' and not quote:
            comment = False
        elif c == '\\'' or c == '\"' and comment:
            quote = not quote
        elif not comment:
            rest.append(c)
    # nothing of a comment is left
    assert '#' not in rest
    return rest
";

/// A test that calls a function of the candidate: it must work on `works` and fail on `fails`.
fn script(function: &str, works: (&str, &str), fails: (&str, &str)) -> String {
    format!(
        "#!/bin/sh
exec timeout 5 python3 -S -E -B - \"$1\" <<'END'
import sys
names = {{}}
exec(compile(open(sys.argv[1]).read(), 'candidate', 'exec'), names)
function = names['{function}']
sys.exit(not (function({}) == {} and function({}) != {}))
END
",
        works.0, works.1, fails.0, fails.1
    )
}

/// The nodes of the program in Python's own tree, without those that only tell how others are used.
const NODES: &str = "\
import ast, sys
skipped = (ast.Module, ast.arguments, ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)
nodes = ast.walk(ast.parse(open(sys.argv[1]).read()))
print(sum(not isinstance(node, skipped) for node in nodes))
";

/// Reduces a program and counts the nodes of the result.
fn nodes_left(program: &str, script: &str) -> Result<usize, Box<dyn std::error::Error>> {
    let project = Project::new()?;
    project.executable("test.sh", script)?;
    project.file("a.py", program)?;
    let run = project.start(&["reduce", "./test.sh", "a.py"])?;
    run.finish_within(Duration::from_secs(1800))?.exits_with(0)?;
    let mut count = project.command("python3");
    count.args(["-c", NODES]).arg(project.path("a.reduced.py")).stdout(Stdio::piped());
    Ok(project.spawn(count)?.finish()?.exits_with(0)?.stdout.trim().parse()?)
}

#[test]
fn a_flag_with_the_opposite_initial_value_makes_a_branch_deletable() -> Checked {
    let name = "a_flag_with_the_opposite_initial_value_makes_a_branch_deletable";
    if !has("python3") {
        skip(name, "there is no python3");
        return Ok(());
    }
    let test = script("without_comments", (r"'#a\nb'", "['b']"), ("\"'b'\"", "list(\"'b'\")"));
    assert!(nodes_left(COMMENTS, &test)? <= 36);
    Ok(())
}

#[test]
fn the_markup_of_the_specification_loses_its_quotes() -> Checked {
    let name = "the_markup_of_the_specification_loses_its_quotes";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/spec/rhm.py");
    if !has("python3") || !file.exists() {
        skip(name, "there is no python3, or no ../shared/spec/rhm.py");
        return Ok(());
    }
    let test = script("remove_html_markup", ("'<foo>bar</foo>'", "'bar'"), ("'\"foo\"'", "'\"foo\"'"));
    assert!(nodes_left(&std::fs::read_to_string(file)?, &test)? <= 35);
    Ok(())
}
