//! Reports of many programs, and the text that names the failure in each.

use super::Failure;
use crate::oracle::NamedFile;
use crate::oracle::executor::Run;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// The failure of a run with this wait status and this standard error on a candidate `a.c`.
fn failure(status: i32, stderr: &str) -> Failure {
    let output = [b"compiling\n".to_vec(), stderr.as_bytes().to_vec()];
    let run = Run { status: Ok(ExitStatus::from_raw(status)), time: Duration::ZERO, output, answer: None };
    Failure::of(&run, &vec![NamedFile::new("a.c", "int total; f(\"key 12\");")])
}

const CODE_1: i32 = 1 << 8;
const SEGV: i32 = 11;

/// What the failure reports.
fn mark(stderr: &str) -> String {
    let shown = failure(CODE_1, stderr).to_string();
    let mark = shown.split_once(" and reports ").map_or("", |(_, mark)| mark);
    mark.trim_end_matches(" with no ordinary error before it").trim_matches('"').to_owned()
}

#[test]
fn the_report_that_names_the_failure_is_found_in_the_output_of_many_tools() {
    for (output, expected) in [
        (
            "a.c: In function 'f':\n/tmp/w/a.c:3:9: internal compiler error: in expand, at cfg/expr.cc:1126\n 3 | f();\n",
            "internal compiler error: in expand, at cfg/expr.cc:1126",
        ),
        (
            "cc1: sema.cpp:88: void Sema::check(int): Assertion `depth == 0 && \"open\"' failed.\nAborted\n",
            "cc1: sema.cpp:88: void Sema::check(int): Assertion `depth == 0 && \"open\"' failed.",
        ),
        (
            "\nthread 'main' (71) panicked at crates/eval/src/stack.rs:20:7:\nindex out of bounds: the len is 4 but the index is 9\nnote: run with",
            "panicked at crates/eval/src/stack.rs:20:7: index out of bounds: the len is N but the index is N",
        ),
        (
            "==4711==ERROR: AddressSanitizer: heap-use-after-free on address 0x6020 at pc 0x55\nREAD of size 4\n    #0 0x7f in __interceptor_memcpy (lib+0x3)\n    #1 0x55e1 in list_next src/list.c:40\n    #2 0x55e2 in main\n",
            "AddressSanitizer: heap-use-after-free in list_next",
        ),
        (
            "==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x60\nREAD of size 4\n    #0 0x55 in drop a.c:20\n    #1 0x56 in main a.c:36\n\n0x60 is located\nfreed by thread T0 here:\n    #0 0x7f in __interceptor_free asan.cpp:52\n    #1 0x57 in other a.c:20\n",
            "AddressSanitizer: heap-use-after-free in drop",
        ),
        (
            "src/eval.c:9:4: runtime error: shift exponent 77 is too large\n",
            "runtime error: shift exponent N is too large",
        ),
        (
            "Traceback (most recent call last):\n  File \"/tmp/x/a.c\", line 3, in run\n    go()\nKeyError: 'gone'\n\nDuring handling:\n\nTraceback (most recent call last):\n  File \"a.py\"\nlib.errors.Broken: no rule for 'key 12' at 17: {'a': 1, 'b': 2}\n",
            "lib.errors.Broken: no rule for '...' at N: {...}",
        ),
        (
            "==== FAILURES ====\n    def test():\n>       assert f(3) == 4\nE       assert 5 == 4\nE        +  where 5 = f(3)\n",
            "assert N == N",
        ),
        (
            "An exception has occurred in the compiler (17.0.15).\njava.lang.AssertionError\n\tat jdk.compiler/com.sun.util.Assert.error(Assert.java:155)\n\tat jdk.compiler/com.sun.code.Types.merge(Types.java:19)\n",
            "java.lang.AssertionError in com.sun.code.Types.merge",
        ),
        (
            "/x/bundle.js:3\n   throw e\nTypeError: x.y is not a function\n    at Parser.next (/x/parser.js:40:11)\n    at main (/x/a.js:1:1)\n",
            "TypeError: x.y is not a function in Parser.next",
        ),
        (
            "panic: runtime error: slice bounds [3:2]\n\ngoroutine 1 [running]:\n",
            "runtime error: slice bounds {...}",
        ),
        (
            "terminate called after throwing an instance of 'std::out_of_range'\n  what():  pos 7\n",
            "terminate called after throwing an instance of 'std::out_of_range' what(): pos N",
        ),
        (
            "warning: x\nInternal error: link failed @ sym.c:2225\n",
            "Internal error: link failed @ sym.c:2225",
        ),
        (
            "Panicked at src/infer.rs:2:1 when checking `/w/a.c`: `types(Id(191b), Id(c0f)): 4e`\n",
            "Panicked at src/infer.rs:2:1 when checking `FILE`: `types(Id(N), Id(N)): N`",
        ),
        ("fatal: no memory at 0x7ffe\n", "fatal: no memory at ADDRESS"),
        ("/tmp/lopper-1/work/a.c:12:5: error: unknown type\n", "FILE: error: unknown type"),
    ] {
        assert_eq!(mark(output), expected);
    }
}

#[test]
fn the_same_crash_of_a_stripped_program_has_the_same_signature_at_every_address() {
    let dump = |base: u64| {
        let frame = |n: usize, at: u64, place: &str| format!(" #{n} {:#018x} {place}\n", base + at);
        let frames = [
            frame(0, 1, "llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/lib/libLLVM.so.1+0xea)"),
            frame(1, 2, "(/lib/libLLVM.so.1+0xdc)"),
            frame(2, 3, "(/lib/x86_64/libc.so.6+0x3c)"),
            frame(3, 4, "(/lib/libclang-cpp.so+0xd43)"),
            frame(4, 5, "clang::Sema::Check(int) (/lib/libclang-cpp.so+0xa)"),
        ];
        format!("Stack dump:\n0.\tProgram arguments: cc a.c\n{}", frames.concat())
    };
    let [one, two] = [0x7f00_0000_0000, 0x7f11_2233_0000].map(|base| failure(SEGV, &dump(base)));
    assert_eq!(one, two);
    assert_eq!(
        one.to_string(),
        "dies by SIGSEGV and reports \"Stack dump: in libclang-cpp.so+0xd43\" with no ordinary error before it"
    );
}

#[test]
fn a_stack_dump_tells_what_was_being_done() {
    let dump = |doing: &str| {
        let list = format!("0.\tProgram arguments: cc a.c\n1.\t<eof> parser at end of file\n{doing}\n");
        let frames = " #0 0x01 llvm::sys::PrintStackTrace(int) (/lib/libLLVM.so+0xdc)\n #1 0x02 f(int) (/lib/libclang.so+0xd43)\n";
        failure(SEGV, &format!("Stack dump:\n{list}{frames}")).to_string()
    };
    let body = "dies by SIGSEGV and reports \"instantiating function definition in f\" with no ordinary error before it";
    assert_eq!(dump("2.\ta.c:7:3: instantiating function definition 'n::s<int>::f'"), body);
    assert_eq!(dump("2.\ta.c:1:9: instantiating function definition 'a'"), body);
    assert_ne!(dump("2.\ta.c:1:9: parsing struct/union/class body 'a'"), body);
    assert_ne!(
        dump("2.\tRunning pass 'Early CSE' on function '@a'"),
        dump("2.\tRunning pass 'GVN' on function '@a'")
    );
}

#[test]
fn a_report_becomes_an_expression_for_grep() {
    let pattern = |stderr: &str| failure(CODE_1, stderr).pattern();
    for (output, expected) in [
        (
            "x: eval.c:3: f(): Assertion `a[0] > 16' failed.\n",
            r"x: eval\.c:3: f\(\): Assertion `a\[0\] > 16' failed\.",
        ),
        (
            "internal compiler error: in f, at /opt/gcc/f.c:7 (node 0x7f)\n",
            r"internal compiler error: in f, at .*f\.c:7 \(node .*\)",
        ),
        ("ERROR: AddressSanitizer: SEGV on\n    #0 0x55 in f a.c:3\n", "AddressSanitizer: SEGV.*f"),
        ("fatal: 12\n", "fatal:"),
    ] {
        assert_eq!(pattern(output).as_deref(), Some(expected));
    }
    assert_eq!(pattern("fine\n"), None);
}

#[test]
fn a_crash_after_an_ordinary_error_is_another_failure_unless_the_original_has_errors_too() {
    let crash = "internal compiler error: in expand, at expr.cc:1126\n";
    let alone = failure(CODE_1, crash);
    let warned =
        failure(CODE_1, &format!("a.c:1:2: warning: an error: unlikely\n0 errors\nerror in x\n{crash}"));
    assert!(alone.is_like(&alone) && warned.is_like(&alone), "{warned}");
    for error in [
        "a.c:3:9: error: no 'x'",
        "error[E0308]: types",
        "a.ts(1,2): error TS2304: x",
        "a.c:1: fatal error: y.h",
        "t.c:5: syntax error: token",
    ] {
        let late = failure(CODE_1, &format!("{error}\n{crash}"));
        assert!(!late.is_like(&alone) && alone.is_like(&late) && late.is_like(&late), "{error}: {late}");
        assert_eq!(alone.clone().common(&late), Some(late));
    }
    let rust = failure(CODE_1, "error: internal compiler error: in expand\n\nerror: the compiler panicked\n");
    assert!(rust.to_string().ends_with("with no ordinary error before it"), "{rust}");
    assert!(!failure(CODE_1, "a.c:1: error: x\n").to_string().contains("before it"));
}

#[test]
fn a_failure_without_a_report_is_told_by_its_signal() {
    assert!(failure(SEGV, "").is_one());
    assert!(!failure(CODE_1, "all is well\n").is_one());
    assert!(!failure(0, "0 errors, 1 error in a comment\n").is_one());
    assert_eq!(failure(SEGV, "").common(&failure(CODE_1, "")), None);
}

#[test]
fn a_journal_gives_the_failure_back() {
    for (status, output) in [
        (SEGV, ""),
        (CODE_1, "Internal error: a  b\n"),
        (CODE_1, "error: x\n"),
        (CODE_1, "error: x\nInternal error: a\n"),
    ] {
        let failure = failure(status, output);
        assert_eq!(Failure::recorded(&failure.record()), Some(failure));
    }
    assert_eq!(Failure::recorded("code x crash"), None);
}

#[test]
fn only_bugs_of_the_tool_are_finds_of_their_own() {
    assert!(failure(CODE_1, "a.c:1: error: expected ';'\n").slip().is_none());
    let slip = failure(CODE_1, "internal compiler error: in f, at f.c:1\n").slip();
    assert_eq!(slip.map(|slip| slip.signature).as_deref(), Some("internal compiler error: in f, at f.c:1"));
    assert_eq!(failure(SEGV, "").slip().map(|slip| slip.signature).as_deref(), Some("dies by SIGSEGV"));
}
