//! How programs report a failure: one line of this registry for each form of report.

/// A form of report.
#[derive(Debug)]
pub(super) struct Form {
    /// Finds the report; its first group is the text that names the failure. `^` and `$` are the ends of lines.
    pub(super) report: &'static str,
    /// What the output contains besides, if the report alone could be anything.
    pub(super) needs: Option<&'static str>,
    /// Which of several reports names the failure.
    pub(super) which: Which,
    /// Finds the function at the top of the stack trace after the report, as its first group.
    pub(super) frame: Option<&'static Frames>,
    /// Whether this is a bug of the tool that runs, and not an error that any wrong input causes.
    pub(super) is_crash: bool,
    /// Whether quoted text names the failure even if it is from the candidate.
    pub(super) keeps_quotes: bool,
}

/// Which of several reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    First,
    Last,
}

/// The form of a stack trace.
#[derive(Debug)]
pub(super) struct Frames {
    /// Finds a frame.
    pub(super) frame: &'static str,
    /// Frames that are in every trace, since they handle the failure: all up to the last of them are skipped.
    pub(super) handler: &'static str,
}

const SANITIZER: Frames = Frames {
    frame: r"^\s*#\d+ 0x[0-9a-f]+ (?:in )?(\S+)",
    handler: r"^(?:__(?:asan|msan|tsan|ubsan|lsan|interceptor|sanitizer)\w*|_*(?:mem|str)[a-z]+|free|malloc|calloc|realloc|operator)$",
};

const LLVM: Frames = Frames {
    frame: r"^\s*#\d+ 0x[0-9a-f]+ (?:([^\s(][^(]*)\(|\((?:[^)]*/)?([^)]+)\))",
    handler: r"^(?:llvm::sys::.*|SignalHandler|libc\.so\.6\+.*|raise|abort|gsignal|__assert_fail.*|__restore_rt|__pthread_kill\w*)$",
};

const JAVA: Frames = Frames {
    frame: r"^\s+at (?:[\w.]+/)?([\w.$<>]+)\(",
    handler: r"^(?:java\.(?:lang|util)\..*|.*\bAssert(?:ions)?\.\w+)$",
};

const NODE: Frames =
    Frames { frame: r"^\s+at (?:new |async )?([\w.$<>]+) \(", handler: r"^(?:assert\.\w+|.*\bassert\b.*)$" };

const PLAIN: Form =
    Form { report: "", needs: None, which: Which::First, frame: None, is_crash: true, keeps_quotes: false };

/// All forms; the first one that is found counts, so the most telling ones come first.
pub(super) const FORMS: &[Form] = &[
    // Sanitizer report.
    Form { report: r"(?:ERROR|WARNING): (\w+Sanitizer: [a-zA-Z][\w-]*)", frame: Some(&SANITIZER), ..PLAIN },
    // Undefined behaviour.
    Form { report: r"(runtime error: .*)$", ..PLAIN },
    // Assertion.
    Form { report: r"^(.*\b[Aa]ssertion\b.*\b(?:failed|FAILED|failure)\b.*)$", keeps_quotes: true, ..PLAIN },
    // Internal compiler error.
    Form { report: r"(internal compiler error: .*)$", ..PLAIN },
    // Panic.
    Form { report: r"([Pp]anicked at (?:.*:\n.*|.*))$", ..PLAIN },
    // Error of the compiler's back end.
    Form { report: r"((?:LLVM ERROR: |UNREACHABLE executed|fatal error: error in backend: ).*)$", ..PLAIN },
    // Internal error.
    Form { report: r"((?i:internal error)\b.*)$", ..PLAIN },
    // Signal.
    Form { report: r"((?i:caught signal) .*)$", ..PLAIN },
    // Stack dump: the last line of its list says what was being done, and to what.
    Form {
        report: r"^Stack dump:\n(?:\d+\.\s.*\n)*[1-9]\d*\.\s+(?:\S+:\d+:\d+: )?([^'\n]*(?:'[^'\n]*' on)?)|^(Stack dump:)",
        frame: Some(&LLVM),
        ..PLAIN
    },
    // C++ exception.
    Form { report: r"(terminate called .*(?:\n\s+what\(\): .*)?)$", ..PLAIN },
    // Python exception.
    Form {
        report: r"^((?:\w+\.)*[A-Z]\w*(?:: .*)?)$",
        needs: Some(r"^\s*Traceback \(most recent call last\)"),
        which: Which::Last,
        is_crash: false,
        ..PLAIN
    },
    // Failure in pytest.
    Form { report: r"^E\s+(\S.*)$", needs: Some(r"^=+ FAILURES =+$"), is_crash: false, ..PLAIN },
    // Java exception.
    Form {
        report: r"((?:[\w$]+\.)+[\w$]*(?:Error|Exception)\b.*)$",
        needs: Some(r"^\s+at [\w.$/<>]+\("),
        frame: Some(&JAVA),
        ..PLAIN
    },
    // JavaScript exception.
    Form {
        report: r"^(?:Uncaught )?(\w*Error\b.*)$",
        needs: Some(r"^\s+at "),
        frame: Some(&NODE),
        is_crash: false,
        ..PLAIN
    },
    // Panic in Go.
    Form { report: r"^((?:panic|fatal error): .*)$", needs: Some(r"^goroutine \d+"), ..PLAIN },
    // Fatal error.
    Form {
        report: r"^(.*\b(?i:fatal|segmentation fault|bus error|core dumped|stack overflow|bug in)\b.*)$",
        is_crash: false,
        ..PLAIN
    },
    // Error.
    Form { report: r"^(.*\b(?i:error|exception|failed|failure)\b.*)$", is_crash: false, ..PLAIN },
];
