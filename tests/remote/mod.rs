//! Tests on a cluster: a small server with bad manners, in this process, and buildbox-casd, if it is installed.

mod casd;
mod server;

use crate::Checked;
use crate::documents::{blocks, run, stage};
use crate::kit::{Finished, Project, has, skip};
use bazel_remote_apis::build::bazel::remote::execution::v2 as api;
use rustix::process::Signal;
use server::{Answer, Demands, Fake};
use std::error::Error;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tonic::Code;

/// A program of which the test needs one line.
const TEXT: &str = "one();\ntwo();\nneedle();\nfour();\nfive();\nsix();\nseven();\neight();\n";
/// What is left of it.
const RESULT: &str = "needle\n";

fn project() -> std::io::Result<Project> {
    Project::with("grep -q needle \"$1\"", "a.c", TEXT)
}

/// Reduces `a.c` on a cluster at this address.
fn reduce(project: &Project, address: &str, options: &[&str]) -> Result<Finished, Box<dyn Error>> {
    project.reduce(&[&["--executor", address], options, &["./test.sh", "a.c"]].concat())
}

/// Reduces `a.c` on a server with these answers, which must have the result and the number of runs of this machine.
fn reduces_as_here(answers: &[Answer], options: &[&str]) -> Result<Fake, Box<dyn Error>> {
    let project = project()?;
    let here = project.reduce(&["./test.sh", "a.c"])?.exits_with(0)?;
    let result = project.read("a.reduced.c")?;
    assert_eq!(result, RESULT);
    let fake = Fake::start(Demands::default(), answers)?;
    let there = reduce(&project, &fake.address(), &[&["-o", "there.c"], options].concat())?.exits_with(0)?;
    assert_eq!((project.read("there.c")?, there.runs()?), (result, here.runs()?));
    Ok(fake)
}

#[test]
fn the_commands_about_clusters_run() -> Checked {
    let page = "docs/remote.md";
    let plain = Fake::start(Demands::default(), &[])?;
    let instance = Demands { instance: "INSTANCE".to_owned(), ..Demands::default() };
    let named = Fake::start(instance, &[])?;
    let mut count = 0;
    for block in blocks(std::path::Path::new(page))? {
        if block.contains("buildbox-casd") {
            casd::reduces_by_the_block_of(page, &block)?;
            continue;
        }
        let block = block.replace("reapi://build.example:8980/INSTANCE", &named.address());
        let block = block.replace("reapi://build.example:8980", &plain.address());
        let project = stage()?;
        std::fs::create_dir(project.path("tools"))?;
        project
            .script("tools/mycc", "grep -q 'needle(i' \"$3\" && echo 'mycc: internal error' >&2; exit 3")?;
        match block.strip_prefix("#!/bin/sh\n") {
            Some(lines) => {
                project.script("script.sh", lines)?;
                let command =
                    format!("lopper reduce --executor {} --with tools ./script.sh crash.c", plain.address());
                run(page, &project, &command)?;
            }
            None => run(page, &project, &block.replace("TEST FILE", "./test.sh crash.c"))?,
        }
        count += 1;
    }
    assert_eq!(count, 3);
    Ok(())
}

#[test]
fn a_run_on_a_cluster_has_the_result_and_the_number_of_runs_of_this_machine() -> Checked {
    let fake = reduces_as_here(&[], &["-j4"])?;
    let extra: Vec<usize> =
        fake.seen(|seen| seen.sent.iter().skip(1).map(|blobs| blobs.iter().sum()).collect());
    assert!(!extra.is_empty() && extra.iter().all(|&bytes| bytes <= TEXT.len() + 2048), "{extra:?}");
    Ok(())
}

#[test]
fn a_second_run_is_answered_by_the_cache_of_the_cluster() -> Checked {
    let project = Project::with("echo . >>\"$OUTSIDE/runs\"; grep -q needle \"$1\"", "a.c", TEXT)?;
    let fake = Fake::start(Demands::default(), &[])?;
    // The cache knows a run by its time limit, too, which follows the time of the first run.
    let outside = format!("OUTSIDE={}", project.outside().display());
    let options = ["--executor-env", &outside, "-j1", "--timeout", "60"];
    reduce(&project, &fake.address(), &options)?.exits_with(0)?;
    let first = project.reported("runs").lines().count();
    assert!(first > 5, "{first}");
    reduce(&project, &fake.address(), &[&options[..], &["-o", "again.c"]].concat())?.exits_with(0)?;
    assert_eq!(project.reported("runs").lines().count(), first);
    assert_eq!(project.read("again.c")?, RESULT);
    Ok(())
}

#[test]
fn what_a_cluster_does_wrong_is_never_a_verdict() -> Checked {
    use Answer::{Emptied, Ended, Failed, Killed, Result, Status};
    let answers = [
        Status(Code::Unavailable),
        Result,
        Status(Code::ResourceExhausted),
        Result,
        Failed(Code::Unavailable),
        Failed(Code::Internal),
        Ended,
        Result,
        Emptied,
        Result,
        Killed(137),
        Result,
        Failed(Code::ResourceExhausted),
        Failed(Code::Aborted),
    ];
    let fake = reduces_as_here(&answers, &["-j1"])?;
    assert!(fake.seen(|seen| seen.waits) >= 1, "the answer that ended too soon is waited for");
    Ok(())
}

#[test]
fn a_run_that_the_worker_ends_each_time_is_out_of_memory_for_the_search_only() -> Checked {
    let answers = [vec![Answer::Result; 12], vec![Answer::Killed(137); 4]].concat();
    let project = project()?;
    let fake = Fake::start(Demands::default(), &answers)?;
    let run = reduce(&project, &fake.address(), &["-j1"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, RESULT, "{}", run.stderr);
    Ok(())
}

#[test]
fn speculation_that_is_not_needed_is_cancelled_on_the_cluster() -> Checked {
    // The checks at the beginning need fewer runs; then one hangs until it is cancelled.
    let answers = [vec![Answer::Result; 12], vec![Answer::Waits]].concat();
    let project = project()?;
    let fake = Fake::start(Demands::default(), &answers)?;
    let mut run = project.start(&["reduce", "--executor", &fake.address(), "-j1", "./test.sh", "a.c"])?;
    run.wait_until("the run hangs", || fake.seen(|seen| seen.executions) >= 13)?;
    run.signal(Signal::INT)?;
    run.finish()?.exits_with(130)?;
    assert_eq!(fake.seen(|seen| seen.cancelled.clone()), ["operations/13"]);
    Ok(())
}

#[test]
fn a_candidate_that_hangs_is_timed_out_by_the_cluster() -> Checked {
    let script = "grep -q needle \"$1\" || exit 1; grep -q seven \"$1\" || sleep 60";
    let project = Project::with(script, "a.c", TEXT)?;
    let fake = Fake::start(Demands::default(), &[])?;
    let run = reduce(&project, &fake.address(), &["-j2", "--timeout", "1"])?.exits_with(0)?;
    let result = project.read("a.reduced.c")?;
    assert!(result.contains("needle") && result.contains("seven"), "{result}\n{}", run.stderr);
    Ok(())
}

#[test]
fn a_run_that_began_here_is_resumed_on_a_cluster_and_the_other_way_round() -> Checked {
    let project = project()?;
    let fake = Fake::start(Demands::default(), &[])?;
    let here = project.reduce(&["./test.sh", "a.c", "-o", "here.c"])?.exits_with(0)?;
    for (begin, end) in [(&*fake.address(), "local"), ("local", &*fake.address())] {
        let options = ["-o", "there.c", "--max-tests", "4"];
        reduce(&project, begin, &options)?.exits_with(0)?;
        let resumed = reduce(&project, end, &["-o", "there.c", "--resume"])?.exits_with(0)?;
        assert_eq!(project.read("there.c")?, project.read("here.c")?);
        assert_eq!(resumed.runs()?, here.runs()?);
    }
    Ok(())
}

#[test]
fn the_output_of_a_test_on_a_cluster_meets_conditions() -> Checked {
    let project = Project::new()?;
    project.file("a.c", TEXT)?;
    let fake = Fake::start(Demands::default(), &[])?;
    let command = ["--", "sh", "-c", "grep needle \"$1\" >&2; kill -SEGV $$", "sh", "{}"];
    let options = ["--executor", &fake.address(), "--stderr", "needle", "--signal", "SEGV", "a.c"];
    project.reduce(&[&options[..], &command].concat())?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, RESULT);
    Ok(())
}

#[test]
fn a_folder_that_the_test_names_is_sent_by_with_only() -> Checked {
    let project = Project::with("PATH=\"$(dirname \"$0\")/tools:$PATH\"; look \"$1\"", "a.c", TEXT)?;
    std::fs::create_dir(project.path("tools"))?;
    project.script("tools/look", "grep -q needle \"$1\"")?;
    let fake = Fake::start(Demands::default(), &[])?;
    let refused = reduce(&project, &fake.address(), &[])?.exits_with(3)?;
    for text in [
        "accepts the original file here, but not on the cluster",
        "the test names tools, which is not sent: it is a folder",
        "--with tools sends it",
    ] {
        assert!(refused.stderr.contains(text), "{}", refused.stderr);
    }
    let run = reduce(&project, &fake.address(), &["--with", "tools"])?.exits_with(0)?;
    assert!(!run.stderr.contains("tools"), "{}", run.stderr);
    assert_eq!(project.read("a.reduced.c")?, RESULT);
    Ok(())
}

/// A project whose test reads a file beside it by way of a script in a folder.
fn project_with_files() -> std::io::Result<Project> {
    let project = Project::with("\"$(dirname \"$0\")/tools/look\" \"$1\" # a.c", "a.c", TEXT)?;
    std::fs::create_dir(project.path("tools"))?;
    project.script("tools/look", "here=${0%/*}; grep -qf \"$here/wanted.txt\" \"$1\"")?;
    project.file("tools/wanted.txt", "needle\n")?;
    project.file("tools/other.txt", "not named\n")?;
    Ok(project)
}

#[test]
fn files_that_the_test_names_beside_it_are_sent_and_said_to_be() -> Checked {
    let project = project_with_files()?;
    let fake = Fake::start(Demands::default(), &[])?;
    let run = reduce(&project, &fake.address(), &[])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, RESULT);
    let notice = "lopper: the test names tools/look, tools/wanted.txt beside it, which are sent, too\n";
    assert!(run.stderr.contains(notice), "{}", run.stderr);
    let here = project.reduce(&["./test.sh", "a.c", "-o", "here.c"])?.exits_with(0)?;
    assert_eq!(run.runs()?, here.runs()?);
    assert!(!here.stderr.contains("beside it"), "{}", here.stderr);
    Ok(())
}

#[test]
fn a_file_with_blanks_in_its_name_is_sent_or_named_for_a_shell() -> Checked {
    let script = "here=${0%/*}; cat \"$here/my large file\" >&2; grep -qf \"$here/wanted words.txt\" \"$1\"";
    let project = Project::with(script, "a.c", TEXT)?;
    project.file("wanted words.txt", "needle\n")?;
    project.file("my large file", "x".repeat((1 << 20) + 1))?;
    let fake = Fake::start(Demands::default(), &[])?;
    let run = reduce(&project, &fake.address(), &[])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, RESULT);
    for notice in
        ["the test names wanted words.txt beside it, which is sent", "--with 'my large file' sends it"]
    {
        assert!(run.stderr.contains(notice), "{}", run.stderr);
    }
    Ok(())
}

#[test]
fn large_and_hidden_files_those_outside_and_too_many_are_named_and_not_sent() -> Checked {
    let text = "cat \"${0%/*}/large\" ./.secret ../case/b/here.txt ../outside.txt ./link >/dev/null || exit 1; grep -q needle \"$1\"";
    let project = Project::new()?;
    std::fs::create_dir_all(project.path("case/b"))?;
    let many: Vec<String> = (10..75).map(|number| format!("many{number}")).collect();
    let script = format!("cd \"${{0%/*}}\"\ncat {} >/dev/null\n{text}", many.join(" "));
    project.script("case/test.sh", &script)?;
    for name in &many {
        project.file(&format!("case/{name}"), "x")?;
    }
    for (name, size) in
        [("case/large", (1 << 20) + 1), ("case/.secret", 1), ("case/b/here.txt", 1), ("outside.txt", 1)]
    {
        project.file(name, "x".repeat(size))?;
    }
    project.file("a.c", TEXT)?;
    std::os::unix::fs::symlink("../outside.txt", project.path("case/link"))?;
    let fake = Fake::start(Demands::default(), &[])?;
    let run = project.reduce(&["--executor", &fake.address(), "case/test.sh", "a.c"])?.exits_with(3)?;
    for (name, why) in [
        ("case/large", "it has more than 1 MB"),
        ("case/.secret", "its name begins with a dot"),
        ("case/../outside.txt", "it is outside of the test's folder"),
        ("case/../case/b/here.txt", "it is outside of the test's folder"),
        ("case/link", "it is outside of the test's folder"),
        ("case/many74", "there are more than 64 such files"),
    ] {
        let fact = format!("the test names {name}, which is not sent: {why}");
        assert!(run.stderr.contains(&format!("lopper: {fact}; --with {name} sends it\n")), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("\n  {fact}\n")), "{}", run.stderr);
    }
    Ok(())
}

#[test]
fn a_refused_token_an_unknown_instance_and_a_dead_server_have_one_message_each() -> Checked {
    let project = project()?;
    let demands = Demands { instance: "a/b".into(), token: Some("secret".into()), tls: None };
    let fake = Fake::start(demands, &[])?;
    project.file("token", "wrong\n")?;
    let token = ["--executor-token-file", "token"];
    let refused = reduce(&project, &fake.address(), &token)?.exits_with(2)?;
    assert!(refused.stderr.contains("refuses access\n  the token is not valid"), "{}", refused.stderr);
    project.file("token", "secret\n")?;
    let other = format!("reapi://127.0.0.1:{}/other", fake.port);
    let unknown = reduce(&project, &other, &token)?.exits_with(2)?;
    assert!(unknown.stderr.contains("has no instance 'other'"), "{}", unknown.stderr);
    reduce(&project, &fake.address(), &token)?.exits_with(0)?;
    let address = fake.address();
    drop(fake);
    let dead = reduce(&project, &address, &token)?.exits_with(2)?;
    assert!(dead.stderr.contains("does not answer"), "{}", dead.stderr);
    Ok(())
}

#[test]
fn a_token_may_be_in_a_variable_which_a_file_replaces() -> Checked {
    let project = project()?;
    let fake = Fake::start(Demands { token: Some("secret".into()), ..Demands::default() }, &[])?;
    let address = fake.address();
    let reduce = |token: &str, options: &[&str]| {
        let mut command = project.command(env!("CARGO_BIN_EXE_lopper"));
        command.args(["reduce", "--executor", &address]).args(options).args(["./test.sh", "a.c"]);
        command.env("LOPPER_EXECUTOR_TOKEN", token).stdout(Stdio::piped()).stderr(Stdio::piped());
        project.spawn(command)?.finish()
    };
    for token in ["wrong", ""] {
        let refused = reduce(token, &[])?.exits_with(2)?;
        assert!(refused.stderr.contains("refuses access\n  the token is not valid"), "{}", refused.stderr);
        assert!(refused.stderr.contains("LOPPER_EXECUTOR_TOKEN"), "{}", refused.stderr);
    }
    let run = reduce("secret", &["--keep-run"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, RESULT);
    for kept in ["log.txt", "journal.jsonl"] {
        assert!(!project.read(&format!("a.reduced.c.lopper/{kept}"))?.contains("secret"), "{kept}");
    }
    assert!(!run.stderr.contains("secret"), "{}", run.stderr);
    project.file("token", "secret\n")?;
    reduce("wrong", &["--executor-token-file", "token"])?.exits_with(0)?;
    Ok(())
}

#[test]
#[expect(deprecated, reason = "older servers look for the platform in the command")]
fn every_action_and_its_command_have_the_properties_of_the_command_line() -> Checked {
    let project = project()?;
    let fake = Fake::start(Demands::default(), &[])?;
    let image = "container-image=docker://gcc@sha256:1=2";
    let options = ["--executor-property", image, "--executor-property", "OSFamily=linux"];
    reduce(&project, &fake.address(), &options)?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, RESULT);
    let platforms: Vec<_> = fake.seen(|seen| {
        let of_actions = seen.actions.iter().map(|action| action.platform.clone());
        of_actions.chain(seen.commands.iter().map(|command| command.platform.clone())).collect()
    });
    // The API wants them sorted.
    let wanted = [("OSFamily", "linux"), ("container-image", "docker://gcc@sha256:1=2")];
    let has_all = |platform: &Option<api::Platform>| {
        let properties = platform.iter().flat_map(|platform| &platform.properties);
        properties.map(|one| (&*one.name, &*one.value)).eq(wanted)
    };
    assert!(platforms.len() > 2 && platforms.iter().all(has_all), "{platforms:?}");
    let refused = reduce(&project, &fake.address(), &["--executor-property", "OSFamily"])?.exits_with(2)?;
    assert!(refused.stderr.contains("KEY=VALUE"), "{}", refused.stderr);
    Ok(())
}

/// Certificates of an authority, and of a server and a client that it has signed; `None` without openssl.
fn certificates(project: &Project) -> Result<Option<PathBuf>, Box<dyn Error>> {
    if !has("openssl") {
        return Ok(None);
    }
    let script = "set -e; openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority
for n in server client; do
    openssl req -newkey rsa:2048 -nodes -keyout $n.key -out $n.csr -subj /CN=$n
    echo subjectAltName=DNS:localhost >$n.ext
    openssl x509 -req -in $n.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out $n.pem -days 2 -extfile $n.ext
done";
    let made = Command::new("sh").args(["-c", script]).current_dir(project.folder()).output()?;
    if !made.status.success() {
        return Err(String::from_utf8_lossy(&made.stderr).into());
    }
    Ok(Some(project.folder()))
}

#[test]
fn only_a_server_with_a_trusted_certificate_gets_anything() -> Checked {
    let project = project()?;
    let Some(folder) = certificates(&project)? else {
        skip("only_a_server_with_a_trusted_certificate_gets_anything", "there is no openssl");
        return Ok(());
    };
    let fake = Fake::start(Demands { tls: Some((folder, true)), ..Demands::default() }, &[])?;
    let secure = format!("grpcs://localhost:{}", fake.port);
    let strange = reduce(&project, &secure, &[])?.exits_with(2)?;
    assert!(strange.stderr.contains("no trusted connection"), "{}", strange.stderr);
    let other_name = format!("grpcs://127.0.0.1:{}", fake.port);
    let trusted = ["--executor-ca", "ca.pem"];
    let misnamed = reduce(&project, &other_name, &trusted)?.exits_with(2)?;
    assert!(misnamed.stderr.contains("no trusted connection"), "{}", misnamed.stderr);
    let unknown = reduce(&project, &secure, &trusted)?.exits_with(2)?;
    assert!(unknown.stderr.contains("no trusted connection"), "{}", unknown.stderr);
    let known = ["--executor-certificate", "client.pem", "--executor-key", "client.key"];
    reduce(&project, &secure, &[trusted, known[..2].try_into()?, known[2..].try_into()?].concat())?
        .exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, RESULT);
    Ok(())
}

#[test]
fn a_cluster_that_is_gone_for_good_ends_the_run_which_is_resumed_here() -> Checked {
    let project = Project::with("sleep 0.05; grep -q needle \"$1\"", "a.c", TEXT)?;
    project.reduce(&["./test.sh", "a.c", "-o", "here.c"])?.exits_with(0)?;
    let fake = Fake::start(Demands::default(), &[])?;
    let address = fake.address();
    let mut run = project.start(&["reduce", "--executor", &address, "-j2", "./test.sh", "a.c"])?;
    let falls_back =
        ["reduce", "--fallback-local", "--executor", &address, "./test.sh", "a.c", "-o", "back.c"];
    let other = project.start(&falls_back)?;
    run.wait_until("both run", || fake.seen(|seen| seen.executions) >= 25)?;
    drop(fake);
    let ended = run.finish()?.exits_with(2)?;
    assert!(
        ended.stderr.contains("does not answer") && ended.stderr.contains("--resume"),
        "{}",
        ended.stderr
    );
    project.reduce(&["--resume", "./test.sh", "a.c"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, project.read("here.c")?);
    let other = other.finish()?.exits_with(0)?;
    assert!(other.stderr.contains("the run goes on here"), "{}", other.stderr);
    assert_eq!(project.read("back.c")?, project.read("here.c")?);
    Ok(())
}

#[test]
fn options_for_a_cluster_are_refused_where_they_make_no_sense() -> Checked {
    let project = project()?;
    let says = |options: &[&str], text: &str| -> Checked {
        let run = project.reduce(&[options, &["./test.sh", "a.c"]].concat())?.exits_with(2)?;
        assert!(run.stderr.contains(text), "{}", run.stderr);
        Ok(())
    };
    says(&["--with", "a.c"], "--with is for tests on a cluster")?;
    says(&["--executor", "http://h:1"], "is not the address of a cluster")?;
    let cluster = ["--executor", "reapi://127.0.0.1:1"];
    says(&[&cluster[..], &["--goal", "time"]].concat(), "--goal time cannot be used")?;
    says(&[&cluster[..], &["--memory-limit", "1G"]].concat(), "--memory-limit cannot be used")?;
    says(&[&cluster[..], &["--with", "nothing"]].concat(), "'nothing' of --with does not exist")
}

/// Measures how well a cluster is used by a test that only sleeps: cargo test --release --features remote --test all --
/// --ignored --nocapture efficiency
#[test]
#[ignore = "it measures, and proves nothing"]
fn the_efficiency_of_sixteen_runs_at_once() -> Checked {
    // As few processes as possible: sleeping needs no processor, and everything else does.
    let needed = "3|17|29|31|44|58|61|77|83|90|102|115|121|133|140|152|160|171|188|199";
    let script = format!("sleep 0.2; [ $(grep -cxE '.item({needed}).' \"$1\") = 20 ]");
    let text: String = (0..400).map(|item| format!("(item{item})\n")).collect();
    let project = Project::with(&script, "a.txt", text)?;
    let fake = Fake::start(Demands::default(), &[])?;
    let alone = project
        .reduce(&["-j1", "--max-tests", "100", "./test.sh", "a.txt", "-o", "one.txt"])?
        .exits_with(0)?;
    println!("one worker, 100 runs:\n{}", alone.stderr);
    for place in ["local", &fake.address()] {
        let run = project.reduce(&["-j16", "--executor", place, "./test.sh", "a.txt"])?.exits_with(0)?;
        println!("{place}, 16 at once:\n{}", run.stderr);
    }
    println!("runs on the cluster: {}", fake.seen(|seen| seen.executions));
    Ok(())
}

#[test]
fn a_test_that_flickers_is_run_anew_although_the_cluster_has_a_cache() -> Checked {
    // Every second run accepts.
    let script = "echo . >>\"$OUTSIDE/runs\"; grep -q needle \"$1\" || exit 1; [ $(($(wc -l <\"$OUTSIDE/runs\") % 2)) = 1 ]";
    let project = Project::with(script, "a.c", TEXT)?;
    let fake = Fake::start(Demands::default(), &[])?;
    let variable = format!("OUTSIDE={}", project.outside().display());
    let options = ["--executor-env", &variable, "-j1", "--max-tests", "5"];
    let run = reduce(&project, &fake.address(), &options)?;
    let salted = fake.seen(|seen| seen.actions.iter().filter(|action| !action.salt.is_empty()).count());
    assert!(salted > 1, "{}", run.stderr);
    assert!(run.stderr.contains("flicker") || run.stderr.contains("accepted the original"), "{}", run.stderr);
    Ok(())
}
