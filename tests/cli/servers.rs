//! A server as the test: a process that starts once and answers for many candidates.

use super::{C, NEEDLE};
use crate::Checked;
use crate::kit::{Finished, Project};
use lopper::conditions::TestPlan;
use lopper::oracle::Verdict;
use lopper::oracle::command::TestCommand;
use lopper::oracle::executor::{Answer, Run};
use rustix::process::{Pid, Signal, kill_process};
use std::error::Error;
use std::num::NonZeroU32;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

/// A server that looks for a needle. `begin` runs before it is ready, and `check` for each candidate, with $path,
/// $serial, and the $verdict that may be changed.
fn server(begin: &str, check: &str) -> String {
    format!(
        "{begin}
echo . >>\"$OUTSIDE/starts\"
echo '{{\"protocol\": 1}}'
while read -r line; do
    rest=${{line#*\\\"path\\\":\\\"}}; path=${{rest%%\\\"*}}
    rest=${{line#*\\\"serial\\\":}}; serial=${{rest%%,*}}
    verdict=boring
    grep -q needle \"$path\" && verdict=interesting
    {check}
    echo \"{{\\\"serial\\\": $serial, \\\"verdict\\\": \\\"$verdict\\\"}}\"
done"
    )
}

fn project(begin: &str, check: &str) -> std::io::Result<Project> {
    let project = Project::new()?;
    project.script("server.sh", &server(begin, check))?;
    project.file("a.c", C)?;
    Ok(project)
}

/// Reduces `a.c` by the server with one worker.
fn reduce(project: &Project, options: &[&str]) -> Result<Finished, Box<dyn Error>> {
    project.reduce(&[&["-j1", "--server", "./server.sh", "a.c"], options].concat())
}

fn starts(project: &Project) -> usize {
    project.reported("starts").lines().count()
}

/// Reduces by the server, which must have the result of the plain test.
fn reduces(project: &Project) -> Result<Finished, Box<dyn Error>> {
    let run = reduce(project, &[])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, "needle\n");
    project.is_left_clean()?;
    Ok(run)
}

#[test]
fn a_server_starts_once_and_gives_the_result_of_a_script_for_every_number_of_workers() -> Checked {
    let project = project("", "")?;
    project.script("test.sh", NEEDLE)?;
    project.reduce(&["./test.sh", "a.c", "-o", "plain.c"])?.exits_with(0)?;
    let run = reduce(&project, &["-o", "one.c"])?.exits_with(0)?;
    let run = run.says(&["a candidate is interesting if the server `server.sh` says so"])?;
    assert!(!run.stderr.contains("no answer"), "{}", run.stderr);
    assert_eq!(starts(&project), 1);
    project.reduce(&["--server", "./server.sh", "a.c", "-o", "three.c", "-j3"])?.exits_with(0)?;
    assert_eq!(project.read("plain.c")?, project.read("one.c")?);
    assert_eq!(project.read("plain.c")?, project.read("three.c")?);
    project.is_left_clean()
}

#[test]
fn a_server_is_replaced_after_a_number_of_answers() -> Checked {
    let project = project("", "echo . >>\"$OUTSIDE/answers\"")?;
    reduce(&project, &["--server-answers", "4"])?.exits_with(0)?;
    let answers = project.reported("answers").lines().count();
    assert!(answers > 8);
    assert_eq!(starts(&project), answers.div_ceil(4));
    project.is_left_clean()
}

#[test]
fn noise_half_lines_and_old_answers_do_not_confuse() -> Checked {
    for (begin, check) in [
        ("echo loading; echo '[1]'; echo '{}'", "echo checking; echo '{\"level\": \"info\"}'"),
        ("printf ' '; sleep 0.05", ""),
        (
            "",
            "printf '{\"serial\": '; sleep 0.002; echo \"$serial, \\\"verdict\\\": \\\"$verdict\\\"}\"; continue",
        ),
        ("", "echo \"{\\\"serial\\\": $((serial - 1)), \\\"verdict\\\": \\\"interesting\\\"}\""),
        ("", "echo \"{\\\"serial\\\": $serial, \\\"verdict\\\": \\\"$verdict\\\"}\""),
        ("", "head -c 300000 /dev/zero | tr '\\0' '\\n'; head -c 300000 /dev/zero | tr '\\0' 'x'; echo"),
        ("", "head -c 60000 /dev/zero >&2"),
    ] {
        let project = project(begin, check)?;
        let run = reduces(&project).map_err(|e| format!("{check}: {e}"))?;
        assert!(!run.stderr.contains("no answer"), "{check}: {}", run.stderr);
        assert_eq!(starts(&project), 1, "{check}");
    }
    Ok(())
}

#[test]
fn a_candidate_without_an_answer_from_two_processes_is_invalid_and_reported() -> Checked {
    for check in [
        "exit 3",
        "kill -SEGV $$",
        "exec >&-; sleep 1000",
        "echo \"{\\\"serial\\\": $serial, \\\"verdict\\\": \\\"perhaps\\\"}\"; continue",
        "echo \"{\\\"serial\\\": $serial}\"; continue",
        "echo \"{\\\"verdict\\\": \\\"interesting\\\"}\"; continue",
        "echo \"{\\\"serial\\\": $((serial + 1)), \\\"verdict\\\": \\\"interesting\\\"}\"; continue",
        "echo '{\"protocol\": 1}'",
        "head -c 3000000 /dev/zero; sleep 1000",
    ] {
        let project = project("", &format!("if ! grep -q main \"$path\"; then {check}; fi"))?;
        let run = reduce(&project, &[])?.exits_with(0).map_err(|e| format!("{check}: {e}"))?;
        let run =
            run.says(&["the server gave no answer for ", "although two processes were asked: invalid"])?;
        assert!(!run.stderr.contains("0 could not tell"), "{}", run.stderr);
        let result = project.read("a.reduced.c")?;
        assert!(result.contains("needle") && result.contains("main"), "{check}: {result}");
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn a_server_that_ended_by_what_earlier_candidates_left_in_it_is_asked_again() -> Checked {
    let project = project("count=0", "count=$((count + 1)); [ $count -gt 5 ] && exit 3")?;
    let run = reduces(&project)?;
    assert!(!run.stderr.contains("no answer"), "{}", run.stderr);
    assert!(starts(&project) > 2, "{}", starts(&project));
    Ok(())
}

#[test]
fn a_server_that_ends_between_two_candidates_is_replaced() -> Checked {
    let project = project(
        "",
        "echo \"{\\\"serial\\\": $serial, \\\"verdict\\\": \\\"$verdict\\\"}\"; [ $serial -eq 4 ] && exit 0; continue",
    )?;
    let run = reduces(&project)?;
    assert!(!run.stderr.contains("no answer"), "{}", run.stderr);
    assert_eq!(starts(&project), 2);
    Ok(())
}

#[test]
fn a_candidate_on_which_a_server_hangs_times_out() -> Checked {
    for hang in
        ["sleep 1000", "trap '' TERM; sleep 1000 & setsid sleep 1001", "exec <&-; while :; do :; done"]
    {
        let project = project("", &format!("if grep -q limit \"$path\"; then :; else {hang}; fi"))?;
        let run = reduce(&project, &["--timeout", "1", "--max-tests", "5"])?.exits_with(0)?;
        assert!(!run.stderr.contains(" 0 timed out"), "{hang}: {}", run.stderr);
        assert!(!run.stderr.contains("no answer"), "{hang}: {}", run.stderr);
        assert!(project.read("a.reduced.c")?.contains("limit"));
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn the_start_of_a_server_counts_for_no_limit() -> Checked {
    let project = project("sleep 1.5", "")?;
    let run = reduce(&project, &["--timeout", "1", "--server-answers", "12"])?.exits_with(0)?;
    assert!(run.stderr.contains(" 0 timed out"), "{}", run.stderr);
    assert!(starts(&project) > 1);
    project.is_left_clean()
}

#[test]
fn a_server_that_takes_too_much_memory_is_killed_and_its_candidate_asked_again_if_others_came_before()
-> Checked {
    // A shell grows by what its variables hold.
    let grow = "x=x; i=0; while [ $i -lt 27 ]; do x=$x$x; i=$((i + 1)); done; sleep 1";
    let always = project("", &format!("grep -q main \"$path\" || {{ {grow}; }}"))?;
    let limits = ["--memory-limit", "60M", "--timeout", "30", "--max-tests", "12"];
    reduce(&always, &limits)?.exits_with(0)?;
    assert!(always.read("a.reduced.c")?.contains("main"));
    always.is_left_clean()?;
    let later = project("count=0", &format!("count=$((count + 1)); [ $count -gt 6 ] && {{ {grow}; }}"))?;
    reduce(&later, &["--memory-limit", "60M", "--timeout", "30"])?.exits_with(0)?;
    assert_eq!(later.read("a.reduced.c")?, "needle\n");
    later.is_left_clean()
}

#[test]
fn what_a_candidate_leaves_running_is_killed_after_its_answer_and_what_the_server_needs_stays() -> Checked {
    let begin = "sleep 1000 </dev/null >/dev/null 2>&1 & needed=$!";
    let check = "kill -0 $needed || exit 3; [ -z \"$left\" ] || ! kill -0 $left 2>/dev/null || verdict=boring
        setsid sleep 1001 </dev/null & sleep 1002 & left=$!";
    let project = project(begin, check)?;
    let run = reduces(&project)?;
    assert!(!run.stderr.contains("no answer"), "{}", run.stderr);
    assert_eq!(starts(&project), 1);
    Ok(())
}

#[test]
fn what_a_server_started_before_it_was_ready_ends_with_it() -> Checked {
    let begin = "[ -e \"$OUTSIDE/daemon\" ] && kill -0 $(cat \"$OUTSIDE/daemon\") 2>/dev/null && touch \"$OUTSIDE/two\"
        (setsid sh -c 'echo $$ >\"$OUTSIDE/daemon\"; exec sleep 1000' </dev/null >/dev/null 2>&1 &)
        until [ -s \"$OUTSIDE/daemon\" ]; do sleep 0.01; done";
    let project = project(begin, "")?;
    reduce(&project, &["--server-answers", "4"])?.exits_with(0)?;
    assert!(starts(&project) > 2 && !project.outside().join("two").exists());
    project.is_left_clean()
}

#[test]
fn a_run_is_resumed_with_its_server() -> Checked {
    let project = project("", "echo . >>\"$OUTSIDE/answers\"")?;
    reduce(&project, &["--max-tests", "12"])?.exits_with(0)?.says(&["--resume"])?;
    let answers = project.reported("answers").lines().count();
    reduce(&project, &["--resume"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, "needle\n");
    let resumed = project.reported("answers").lines().count() - answers;
    reduce(&project, &["-o", "again.c"])?.exits_with(0)?;
    let whole = project.reported("answers").lines().count() - answers - resumed;
    assert!(resumed < whole, "{resumed} answers, although {whole} are enough from the beginning");
    project.is_left_clean()
}

#[test]
fn each_candidate_has_an_empty_folder_and_the_server_one_of_its_own() -> Checked {
    let begin = "cd \"$TMPDIR\"; [ -z \"$(ls -A)\" ] || exit 9; here=$PWD; touch own";
    let check = "rest=${line#*\\\"folder\\\":\\\"}; folder=${rest%%\\\"*}
        rest=${line#*\\\"tmp\\\":\\\"}; tmp=${rest%%\\\"*}
        [ -e own ] && [ \"$(ls -A \"$folder\")\" = a.c ] && [ -z \"$(ls -A \"$tmp\")\" ] || exit 9
        case $path in \"$folder\"/a.c) ;; *) exit 9;; esac
        touch \"$folder/left\" \"$tmp/left\"; cd \"$folder\"; cd \"$here\"";
    let project = project(begin, check)?;
    reduce(&project, &["--server-answers", "5"])?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, "needle\n");
    assert!(starts(&project) > 1);
    project.is_left_clean()
}

#[test]
fn the_answer_invalid_is_counted_and_one_of_the_original_explained() -> Checked {
    let project = project("", "grep -q main \"$path\" || verdict=invalid; echo what I saw >&2")?;
    let run = reduce(&project, &[])?.exits_with(0)?;
    assert!(!run.stderr.contains(" 0 could not tell") && !run.stderr.contains("no answer"), "{}", run.stderr);
    project.file("a.c", "int x;\n")?;
    let run = reduce(&project, &[])?.exits_with(3)?;
    run.says(&[
        "cannot tell",
        "the server answered that it cannot tell",
        "    what I saw",
        "printf",
        "\"path\": \"a.c\"",
    ])?;
    project.is_left_clean()
}

#[test]
fn a_server_that_does_not_start_is_an_error_that_says_why() -> Checked {
    for (script, why) in [
        ("echo no module named x >&2; exit 7", &["it ended with exit code 7", "    no module named x"][..]),
        (
            "echo '{\"protocol\": 2}'; sleep 1000",
            &["it speaks version 2 of the protocol, but Lopper speaks version 1"],
        ),
        ("kill -ABRT $$", &["it was ended by a signal"]),
        ("exec >&-; sleep 1000", &["it closed its standard output"]),
    ] {
        let project = project("", "")?;
        project.script("server.sh", script)?;
        let run = reduce(&project, &[])?.exits_with(3)?;
        run.says(&["the server '", "server.sh' does not start"])?.says(why)?;
        project.is_left_clean()?;
    }
    let project = project("", "")?;
    project.reduce(&["--server", "./none.sh", "a.c"])?.exits_with(2)?.says(&["none.sh", "does not exist"])?;
    Ok(())
}

#[test]
fn options_that_make_no_sense_with_a_server_are_refused() -> Checked {
    let project = project("", "")?;
    project.script("test.sh", NEEDLE)?;
    for (options, why) in [
        (&["--stderr", "x"][..], "conditions on the exit code or the output of a server"),
        (&["--like-original"], "conditions on the exit code or the output of a server"),
        (&["--", "./test.sh", "{}"], "both a test and a server"),
        (&["./test.sh"], "both a test and a server"),
    ] {
        reduce(&project, options)?.exits_with(2)?.says(&[why])?;
    }
    project
        .reduce(&["--server", "./server.sh {}", "a.c"])?
        .exits_with(2)?
        .says(&["before there is a candidate"])?;
    project.reduce(&["--server", "", "a.c"])?.exits_with(2)?.says(&["empty command"])?;
    project
        .reduce(&["./test.sh", "a.c", "--server-answers", "3"])?
        .exits_with(2)?
        .says(&["--server <COMMAND>"])?;
    assert_eq!(starts(&project), 0);
    Ok(())
}

#[test]
fn other_commands_may_be_required_besides_a_server() -> Checked {
    let project = project("", "")?;
    reduce(&project, &["--require", "grep -q main {}", "--reject", "grep -q nothing {}"])?.exits_with(0)?;
    let result = project.read("a.reduced.c")?;
    assert!(result.contains("main") && result.contains("needle"), "{result}");
    assert_eq!(starts(&project), 1, "the other commands leave it alone");
    project.is_left_clean()
}

#[test]
fn a_server_can_be_the_test_of_isolate_and_generalize() -> Checked {
    let project = project("", "")?;
    let run = project.lopper(&["isolate", "--server", "./server.sh", "a.c"])?.exits_with(0)?;
    assert!(run.stdout.contains("needle") || run.stderr.contains("needle"), "{}{}", run.stdout, run.stderr);
    let generalize = ["generalize", "--server", "./server.sh", "a.c", "--budget", "60", "--instances", "10"];
    let run = project.lopper(&[&generalize[..], &["--require", "none"]].concat())?.exits_with(0)?;
    assert!(run.stdout.contains("needle"), "{}", run.stdout);
    project.is_left_clean()
}

#[test]
fn a_signature_names_a_failure_other_than_the_one_that_is_looked_for() -> Checked {
    let plan = TestPlan::from(TestCommand::server(&["true".into()], NonZeroU32::MIN)?);
    for (verdict, slip) in [(Verdict::Boring, Some("E1")), (Verdict::Interesting, None)] {
        let judgement = plan.judge(&vec![], false, |_, _| {
            let signature = (verdict == Verdict::Boring).then(|| "E1".to_owned());
            let answer = Some(Answer { verdict: Some(verdict), signature });
            Ok(Run {
                status: Ok(ExitStatus::default()),
                answer,
                time: Duration::ZERO,
                output: Default::default(),
            })
        });
        let judgement = judgement.map_err(|fault| format!("{fault:?}"))?;
        assert_eq!(judgement.verdict, verdict);
        assert_eq!(judgement.slip.map(|slip| slip.signature).as_deref(), slip);
    }
    Ok(())
}

/// Starts a reduction with slow answers, and waits until a candidate is being judged.
fn running(jobs: &str) -> Result<(Project, crate::kit::Running), Box<dyn Error>> {
    let project = project(
        "sleep 1003 </dev/null >/dev/null 2>&1 &",
        "sleep 0.05; [ $serial -eq 3 ] && touch \"$OUTSIDE/third\"",
    )?;
    let mut run = project.start(&["reduce", "--server", "./server.sh", "a.c", jobs])?;
    run.wait_until("some answers", || project.outside().join("third").exists())?;
    Ok((project, run))
}

#[test]
fn ctrl_c_leaves_no_server() -> Checked {
    for signal in [Signal::INT, Signal::TERM] {
        let (project, run) = running("-j2")?;
        run.signal(signal)?;
        let start = Instant::now();
        run.finish()?.exits_with(130)?;
        assert!(start.elapsed() < Duration::from_secs(10), "takes {:?} to end", start.elapsed());
        project.is_left_clean()?;
    }
    Ok(())
}

#[test]
fn kill_9_leaves_no_server() -> Checked {
    let (project, run) = running("-j2")?;
    run.signal(Signal::KILL)?;
    drop(run.finish()?);
    project.is_left_clean()
}

#[test]
fn ctrl_c_while_a_server_starts_leaves_none() -> Checked {
    let project = project("touch \"$OUTSIDE/begun\"; sleep 1000 & sleep 1001", "")?;
    let mut run = project.start(&["reduce", "--server", "./server.sh", "a.c"])?;
    run.wait_until("the start", || project.outside().join("begun").exists())?;
    run.signal(Signal::INT)?;
    run.finish()?.exits_with(130)?;
    project.is_left_clean()
}

#[test]
fn a_server_whose_helper_is_killed_is_replaced() -> Checked {
    let (project, run) = running("-j1")?;
    let helpers = project.descendants()?;
    let helper = helpers.iter().find(|(_, line)| line.contains("run-tests-for-lopper"));
    let helper = helper.and_then(|(pid, _)| Pid::from_raw(*pid)).ok_or("there is no helper")?;
    kill_process(helper, Signal::KILL)?;
    run.finish()?.exits_with(0)?;
    assert_eq!(project.read("a.reduced.c")?, "needle\n");
    assert_eq!(starts(&project), 2);
    project.is_left_clean()
}
