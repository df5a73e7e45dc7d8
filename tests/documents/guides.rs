//! The pages whose commands run, with what stands for their words; and those whose commands do not run.

/// A page whose commands run on the examples: what is there besides the files of [`stage`], as lines for a shell, and what
/// the words of its commands stand for.
pub(super) struct Guide {
    pub(super) page: &'static str,
    pub(super) prepared: &'static str,
    pub(super) words: &'static [(&'static str, &'static str)],
}

/// The pages.
pub(super) const GUIDES: &[Guide] = &[
    Guide {
        page: "README.md",
        prepared: "lopper reduce -q --max-tests 20 test.sh crash.c -o kept.c --keep-run
                   printf '1+(2)/0\\n' >sum.txt
                   lopper generalize --max-time 5 ./test.sh crash.c --json pattern.json",
        words: &[
            ("cargo run -- ", "lopper "),
            ("[OPTIONS] ", ""),
            (" [NAME]", ""),
            ("[--check] [--grammar FILE.json] FILE", "--check --grammar FILE.json sum.txt"),
            ("FILE.json", "examples/grammars/arithmetic.json"),
            ("FILE --like-original -- COMMAND...", "crash.c --like-original -- mytool {}"),
            ("init crash FILE -- COMMAND...", "init crash crash.c -- mytool {}"),
            ("FILE -- COMMAND...", "crash.c -- ./test.sh {}"),
            ("--server COMMAND FILE", "--server 'python3 lopper_server.py -- check.py' crash.c"),
            ("TEST FILE|FOLDER", "./test.sh crash.c"),
            ("TEST FILE...", "./test.sh crash.c"),
            ("TEST FILE", "./test.sh crash.c"),
            ("TEST FOLDER", "./several.sh project"),
            ("match PATTERN FILE...", "match pattern.json crash.c"),
            ("fuzz PATTERN -n N", "fuzz pattern.json -n 3"),
            ("RUN --to N", "kept.c --to 1"),
            ("RUN", "kept.c"),
            (
                "grammar with|count|sample|accepts ...",
                "grammar accepts --grammar examples/grammars/arithmetic.json --pattern 'Z=<factor>/0' --where Z sum.txt",
            ),
            ("python|node", "python"),
            ("SHELL", "bash"),
            ("man DIR", "man ."),
        ],
    },
    Guide {
        page: "docs/generalizing.md",
        prepared: "printf 'int half(int a) { return a / 2; }\\nint main(void) { return half(7) / 0; }\\n' >crash.c
                   printf '1+(2)/0\\n' >sum.txt
                   printf '#!/bin/sh\\ngrep -q \"/ *0\" \"$1\"\\n' >test.sh
                   mkdir bugs finds src
                   cp crash.c other.c && cp crash.c finds && cp crash.c src
                   lopper generalize --max-time 5 ./test.sh crash.c --json known.json && cp known.json bugs",
        words: &[
            ("-n 100 ", "-n 3 "),
            ("match PATTERN.json INPUT; echo $?", "match known.json crash.c; echo $?"),
            ("cd CASE && ", ""),
            ("MINIMUM --json PATTERN.json ./interesting.sh input.*", "crash.c --max-time 5 ./test.sh crash.c"),
        ],
    },
    Guide {
        page: "docs/grammars.md",
        prepared: "printf '((1))+(2)\\n' >sum.txt
                   printf '#!/bin/sh\\ngrep -qF \"((\" \"$1\"\\n' >test.sh
                   printf '1+2\\n' >one.txt
                   echo '1+2' >inputs
                   G='--grammar examples/grammars/arithmetic.json --pattern D=((<expr>)) --pattern Z=<factor>/0'",
        words: &[
            ("TEST", "./test.sh"),
            ("FILE.json", "examples/grammars/arithmetic.json"),
            ("FILE...", "one.txt"),
            ("-n 1000 ", "-n 3 "),
        ],
    },
    Guide {
        page: "docs/isolating.md",
        prepared: "printf 'z*+(s/Q,7)2@0_\\n' >mystery.txt
                   printf '#!/bin/sh\\ngrep -q \"[(]\" \"$1\"\\n' >has-brackets.sh
                   printf 'depth = 3\\nname = x\\n' >main.conf && printf 'user = a\\nuser = b\\n' >users.conf
                   printf '#!/bin/sh\\ngrep -q depth \"$1\" && grep -q user \"$2\"\\n' >test.sh
                   printf '#!/bin/sh\\ncd \"$1\" && python3 main.py 2>&1 | grep -q KeyError\\n' >build-fails.sh
                   printf 'a = 1\\n' >config.good && printf 'a = 1\\nb = 2\\n' >config.bad
                   printf '#!/bin/sh\\ngrep -q b \"$1\"\\n' >start-fails.sh
                   chmod +x *.sh",
        words: &[],
    },
    Guide {
        page: "docs/several-files.md",
        prepared: "printf '#!/bin/sh\\ngrep -q needle \"$1\" && test -f \"$2\"\\n' >both.sh
                   chmod +x both.sh && cp crash.c other.c",
        words: &[
            ("TEST FOLDER", "./several.sh project"),
            ("TEST FILE FILE...", "./both.sh crash.c other.c"),
            ("FOLDER -- COMMAND...", "project -- ./several.sh {}"),
        ],
    },
    Guide {
        page: "docs/servers.md",
        prepared: "printf 'import os\\nneedle = 1\\nprint(needle)\\n' >crash.py && cp crash.py input.py
                   mkdir mypkg modules && : >mypkg/__init__.py && : >modules/numpy.py
                   printf 'import numpy, sys\\nsys.exit(\"needle\" not in open(sys.argv[1]).read())\\n' >interesting.py
                   printf 'def test_total():\\n    a = 1\\n    assert a == 3, \"total\"\\n' >test_basket.py",
        words: &[
            ("'COMMAND' FILE", "'python3 lopper_server.py -- check.py' crash.py"),
            // An empty module takes its place.
            (
                "lopper reduce --server 'python3 lopper_server.py --import numpy",
                "PYTHONPATH=$PWD/modules lopper reduce --server 'python3 lopper_server.py --import numpy",
            ),
        ],
    },
    Guide {
        page: "docs/watching.md",
        prepared: "mkdir -p target/release && ln -s \"$(command -v lopper)\" target/release/lopper",
        words: &[(
            "bench/view-cost target/release/lopper CASES/c-sdcc-segv/interesting.sh CASES/c-sdcc-segv/input.c 4",
            concat!(
                "python3 ",
                env!("CARGO_MANIFEST_DIR"),
                "/bench/view-cost target/release/lopper test.sh crash.c 1"
            ),
        )],
    },
    Guide {
        page: "docs/conditions.md",
        prepared: "case=cases/c-avr-gcc-77624
                   mkdir -p target/release $case && ln -s \"$(command -v lopper)\" target/release/lopper
                   cp crash.c $case/input.c
                   printf '#!/bin/sh\\navr-gcc \"$1\" 2>&1 | grep -q builtins.c:5727\\n' >$case/interesting.sh
                   chmod +x $case/interesting.sh",
        words: &[
            (
                "bench/conditions/run CASES",
                concat!(env!("CARGO_MANIFEST_DIR"), "/bench/conditions/run cases"),
            ),
            ("lopper alone ", "lopper alone | grep 'own script: accepted' "),
            ("lopper like ", "lopper like | grep 'own script: accepted' "),
        ],
    },
    Guide {
        page: "docs/measuring.md",
        prepared: "cp test.sh interesting.sh && cp crash.c input.c
                   mkdir -p target/release && ln -s \"$(command -v lopper)\" target/release/lopper",
        words: &[("TEST FILE", "./test.sh crash.c")],
    },
    Guide {
        page: "docs/results.md",
        prepared: "true",
        words: &[(
            "-o OUT CASES/CASE/interesting.sh CASES/CASE/input.*",
            "-o out.c --max-tests 20 ./test.sh crash.c",
        )],
    },
    Guide {
        page: "docs/writing-a-test.md",
        prepared: "printf '[1, [[2]]]\\n' >input.json
                   printf 'let a = 1;\\nconsole.log(a);\\n' >wrong.js
                   printf 'int main(void) { int f(void) { return 1; } return f(); }\\n' >nested.c
                   cp test.sh interesting.sh && cp crash.c input.py && mkdir mypkg && : >mypkg/__init__.py",
        words: &[
            ("init crash FILE -- COMMAND {}", "init crash crash.c -- mytool {}"),
            ("init wrong-code FILE", "init wrong-code wrong.c"),
            ("init refused FILE", "init refused nested.c"),
            ("FILE::TEST", "test_basket.py::test_total"),
            ("FILE CLASS.TEST", "test_sum.py TestSum.test_sum"),
            ("FILE --seconds 5 -- COMMAND {}", "module.py --seconds 1 -- myloop {}"),
            ("gcc -O2", "mycc -O2"),
            ("cc -c \"$1\" 2>&1 | grep -q \"internal compiler error\"", "mytool \"$1\" 2>&1 | grep -q \"failed\""),
        ],
    },
    Guide {
        page: "docs/adding-a-language.md",
        prepared: "printf '[1, [[2]]]\\n' >input.json && cp input.json input.zig
                   printf '#!/bin/sh\\ngrep -qF \"[[\" \"$1\"\\n' >test.sh
                   ln -s \"$JSON_GRAMMAR\" tree-sitter-zig
                   cc -shared -fPIC -I tree-sitter-zig/src -o libtree-sitter-json.so tree-sitter-zig/src/parser.c",
        words: &[
            ("cargo run -- ", "lopper "),
            ("libtree-sitter-zig.so", "libtree-sitter-json.so"),
            ("FILE.zig", "input.zig"),
            ("FILE.json", "input.json"),
            ("TEST", "./test.sh"),
        ],
    },
];

/// The pages whose commands run as they are written.
pub(super) const AS_WRITTEN: &[&str] =
    &["docs/configuration.md", "docs/events.md", "docs/journal.md", "docs/report.md"];

/// The pages whose commands run in tests of their own.
pub(super) const IN_OWN_TESTS: &[&str] =
    &["docs/guarding.md", "docs/packages.md", "docs/recipes.md", "docs/remote.md", "docs/start.md"];

/// The pages with nothing but commands of cargo, which .ci/pages runs.
pub(super) const OF_CARGO: &[&str] = &["docs/adding-a-pass.md", "docs/reliability.md"];
