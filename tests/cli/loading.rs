//! tree-sitter grammars that are loaded at run time.

use crate::Checked;
use crate::kit::Project;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder of the crate of the grammar for JSON.
pub(crate) fn json_grammar() -> Result<PathBuf, Box<dyn Error>> {
    grammar("tree-sitter-json-0.24")
}

/// The folder of the crate of a grammar: cargo has unpacked it to build this test.
fn grammar(prefix: &str) -> Result<PathBuf, Box<dyn Error>> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home =
        home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo"))).ok_or("no home")?;
    for registry in fs::read_dir(home.join("registry").join("src"))? {
        for package in fs::read_dir(registry?.path())? {
            let package = package?;
            if package.file_name().to_string_lossy().starts_with(prefix) {
                return Ok(package.path());
            }
        }
    }
    Err(format!("cargo has not unpacked {prefix}").into())
}

/// Lists with a number in them, in a file whose name tells nothing.
const LISTS: &str = "{\"a\": [1, {\"b\": [true, [7]]}, null], \"c\": \"d\", \"e\": [2, 3]}\n";

fn project() -> Result<Project, Box<dyn Error>> {
    Ok(Project::with("tr -d ' \\n' < \"$1\" | grep -q '\\[[^]]*\\[7\\]'", "lists.dat", LISTS)?)
}

/// Runs Lopper with a cache of its own.
fn lopper(project: &Project, arguments: &[&str]) -> Result<crate::kit::Finished, Box<dyn Error>> {
    let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
    command.args(arguments).env("XDG_CACHE_HOME", project.outside());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    project.spawn(command)?.finish()
}

#[test]
fn a_folder_with_a_grammar_is_compiled_and_its_roles_are_guessed() -> Checked {
    let (project, folder) = (project()?, json_grammar()?);
    let folder = folder.to_string_lossy();
    let tree = lopper(&project, &["parse", "lists.dat", "--grammar-lib", &folder])?.exits_with(0)?;
    assert!(tree.stdout.contains("number 7..8 \"1\" [optional, expression, literal]"), "{}", tree.stdout);
    let roles = lopper(&project, &["parse", "lists.dat", "--grammar-lib", &folder, "--print-roles"])?;
    assert!(roles.stdout.lines().any(|line| line == "(_ \",\" @separator)"), "{}", roles.stdout);
    let reduce = ["reduce", "./test.sh", "lists.dat", "--grammar-lib", &folder, "-o", "out.dat"];
    let run = lopper(&project, &reduce)?.exits_with(0)?;
    assert_eq!(project.read("out.dat")?.trim_end(), "[[7]");
    assert!(run.runs()? < 60, "{}", run.stderr);
    Ok(())
}

#[test]
fn printed_roles_can_be_corrected_and_used() -> Checked {
    let (project, folder) = (project()?, json_grammar()?);
    let folder = folder.to_string_lossy();
    let options = ["parse", "lists.dat", "--grammar-lib", &folder];
    let guess = lopper(&project, &[&options[..], &["--print-roles"]].concat())?.exits_with(0)?.stdout;
    project.file("mine.scm", guess + "(pair key: (string) @name)\n")?;
    let tree = lopper(&project, &[&options[..], &["--roles", "mine.scm"]].concat())?.exits_with(0)?;
    assert!(tree.stdout.contains("string 1..4 [literal, name, verbatim]"), "{}", tree.stdout);
    project.file("mine.scm", "(pair) @nonsense")?;
    let refused = lopper(&project, &[&options[..], &["--roles", "mine.scm"]].concat())?.exits_with(2)?;
    refused.says(&["'mine.scm' cannot be used", "@nonsense has no meaning"])?;
    Ok(())
}

/// Compiles a shared library.
fn library(project: &Project, name: &str, text: &str) -> Checked {
    let source = project.file(&format!("{name}.c"), text)?;
    let target = project.path(&format!("{name}.so"));
    let done = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(target).arg(source).status()?;
    if done.success() { Ok(()) } else { Err("cc failed".into()) }
}

#[test]
fn where_names_are_defined_is_guessed_printed_and_can_be_corrected() -> Checked {
    let (project, folder) = (project()?, grammar("tree-sitter-lua-0.5")?);
    let folder = folder.to_string_lossy();
    project.file("a.dat", "local function f(a) return a end\nlocal x = f(1)\nlocal y = x\nprint(2)\n")?;
    let parse = ["parse", "a.dat", "--grammar-lib", &folder];
    let guess = lopper(&project, &[&parse[..], &["--print-bindings"]].concat())?.exits_with(0)?.stdout;
    let line = "(function_declaration name: (identifier) @definition) @function";
    assert!(guess.lines().any(|own| own == line), "{guess}");
    let all_or_none = "grep -q print \"$1\" || exit 1\nhas() { tr '\\n' ' ' < a.dat | grep -q \"$1\"; }\n! has '[fxy]' || has 'f.*x.*y'";
    project.script("names.sh", all_or_none)?;
    let reduce = ["reduce", "./names.sh", "a.dat", "--grammar-lib", &folder, "--pass", "definitions"];
    lopper(&project, &[&reduce[..], &["-o", "out.dat"]].concat())?.exits_with(0)?;
    assert_eq!(project.read("out.dat")?, "print(2)\n");
    project.file("none.scm", "(chunk) @hoisted")?;
    let without = [&reduce[..], &["-o", "none.dat", "--bindings", "none.scm"]].concat();
    lopper(&project, &without)?.exits_with(4)?;
    project.file("none.scm", "(chunk) @nonsense")?;
    let refused = lopper(&project, &[&parse[..], &["--bindings", "none.scm"]].concat())?.exits_with(2)?;
    refused.says(&["the bindings in 'none.scm' cannot be used", "@nonsense has no meaning"])?;
    Ok(())
}

#[test]
fn a_folder_with_several_grammars_is_searched() -> Checked {
    let (project, folder) = (project()?, json_grammar()?.join("src"));
    for name in ["one", "two"] {
        let target = project.path(&format!("all/grammars/{name}/src"));
        fs::create_dir_all(target.join("tree_sitter"))?;
        for file in ["parser.c", "tree_sitter/parser.h"] {
            fs::copy(folder.join(file), target.join(file))?;
        }
        let parse = |grammar: &str| lopper(&project, &["parse", "lists.dat", "--grammar-lib", grammar]);
        match name {
            // The name of the function is in parser.c.
            "one" => drop(parse("all")?.exits_with(0)?),
            _ => parse("all")?
                .exits_with(2)?
                .says(&["several grammars: one, two", "all/grammars/one"])
                .map(drop)?,
        }
    }
    Ok(())
}

#[test]
fn a_grammar_that_cannot_be_loaded_or_crashes_is_explained() -> Checked {
    let project = project()?;
    library(&project, "crash", "void *tree_sitter_crash(void) { __builtin_trap(); }\n")?;
    let parse = |grammar: &str| lopper(&project, &["parse", "lists.dat", "--grammar-lib", grammar]);
    let crash = parse("crash.so")?.exits_with(2)?;
    crash.says(&[
        "'crash.so' cannot be used",
        "it crashed when it was loaded",
        "signal",
        "--language text",
    ])?;
    parse("crash.so:tree_sitter_other")?.exits_with(2)?.says(&["tree_sitter_other"])?;
    parse("lists.dat")?.exits_with(2)?.says(&["'lists.dat' cannot be used"])?;
    parse("none.so")?.exits_with(2)?.says(&["none.so"])?;
    parse(".")?.exits_with(2)?.says(&["neither src/parser.c nor parser.c"])?;
    let source = json_grammar()?.join("src");
    fs::create_dir_all(project.path("other/tree_sitter"))?;
    fs::copy(source.join("tree_sitter/parser.h"), project.path("other/tree_sitter/parser.h"))?;
    project.file("other/parser.c", "int x = ;\n")?;
    parse("other")?.exits_with(2)?.says(&["'other' cannot be used", "\n  ", "error: "])?;
    let scanner = "void tree_sitter_other_external_scanner_scan(void);\n\
                   void *tree_sitter_other(void) { tree_sitter_other_external_scanner_scan(); return 0; }\n";
    project.file("other/parser.c", scanner)?;
    parse("other")?.exits_with(2)?.says(&["needs a scanner of its own", "scanner.c"])?;
    project.file("other/scanner.cc", "")?;
    parse("other")?.exits_with(2)?.says(&["its scanner is in C++", "c++ -shared"])?;
    let both = ["parse", "lists.dat", "--grammar-lib", "crash.so", "--language", "c"];
    lopper(&project, &both)?.exits_with(2)?;
    Ok(())
}

#[test]
#[ignore = "takes ten seconds"]
fn a_grammar_that_hangs_is_given_up() -> Checked {
    let project = project()?;
    library(&project, "hang", "void *tree_sitter_hang(void) { for (;;); }\n")?;
    let run = lopper(&project, &["parse", "lists.dat", "--grammar-lib", "hang.so"])?.exits_with(2)?;
    run.says(&["'hang.so' cannot be used", "it took more than 10 s"])?;
    project.is_left_clean()
}
