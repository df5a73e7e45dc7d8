//! Deletes definitions that nothing uses, each with all that only it reaches, in large batches.
//!
//! Most of a preprocessed program is of this sort: a library, whose headers use each other. In languages
//! whose compilers do not refuse undeclared names, the pass `definitions` alone takes about as few runs. In languages without a
//! grammar, `text/items.rs` finds the definitions.

use crate::reach::{self, LARGE, Reach};
use crate::{Base, Example, File, Grain, Group, Pass};

pub(crate) const PASS: Pass = Pass {
    name: "unused",
    summary: "deletes definitions that nothing uses, with what only they use; in languages with types, if a file is large or has many of them",
    languages: &["c", "cpp", "csharp", "go", "java", "kotlin", "rust", "smtlib", "tsx", "typescript", "text"],
    grain: Grain::Coarse,
    clears: true,
    examples: &[
        Example {
            language: "cpp",
            before: "typedef int t;\nint two(t a) { return a; }\nint one() { return two(A); }\nint A; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n; int o; int p; int q; int r; int s; int u; int v; int w; int x; int y; int z;\nint main() { return A; }\n",
            keep: &[
                "main", "A", "int c;", "int d;", "int e;", "int f;", "int g;", "int h;", "int i;", "int j;",
                "int k;", "int l;", "int m;", "int n;", "int o;", "int p;", "int q;", "int r;", "int s;",
                "int u;", "int v;", "int w;", "int x;", "int y;", "int z;",
            ],
            after: "int A; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n; int o; int p; int q; int r; int s; int u; int v; int w; int x; int y; int z;\nint main() { return A; }\n",
        },
        Example {
            language: "c",
            before: "int g(int);\nint g(int a) { return h(a); }\nint h(int a) { return a ? g(a - 1) : 0; }\n#ifdef X\nint l() { return h(2); }\n#endif\nint main() { int a = 1; int b = 2; return a * 1 + b + a * 2 + b + a * 3 + b + a * 4 + b + a * 5 + b + a * 6 + b + a * 7 + b + a * 8 + b + a * 9 + b + a * 10 + b + a * 11 + b + a * 12 + b + a * 13 + b + a * 14 + b + a * 15 + b + a * 16 + b + a * 17 + b + a * 18 + b + a * 19 + b + a * 20 + b + a * 21 + b + a * 22 + b + a * 23 + b + a * 24 + b + a * 25 + b + a * 26 + b + a * 27 + b + a * 28 + b + a * 29 + b + a * 30 + b + a * 31 + b; }\n",
            keep: &["#ifdef X", "main"],
            after: "#ifdef X\n#endif\nint main() { int a = 1; int b = 2; return a * 1 + b + a * 2 + b + a * 3 + b + a * 4 + b + a * 5 + b + a * 6 + b + a * 7 + b + a * 8 + b + a * 9 + b + a * 10 + b + a * 11 + b + a * 12 + b + a * 13 + b + a * 14 + b + a * 15 + b + a * 16 + b + a * 17 + b + a * 18 + b + a * 19 + b + a * 20 + b + a * 21 + b + a * 22 + b + a * 23 + b + a * 24 + b + a * 25 + b + a * 26 + b + a * 27 + b + a * 28 + b + a * 29 + b + a * 30 + b + a * 31 + b; }\n",
        },
        Example {
            language: "go",
            before: "package p\nfunc two() {}\nfunc one() { two() }\nvar A int; var B int; var C int; var D int; var E int; var F int; var G int; var H int; var I int; var J int; var K int; var L int; var M int; var N int; var O int; var P int; var Q int; var R int; var S int; var T int; var U int; var V int; var W int;\nfunc main() {}\n",
            keep: &[
                "var A int;",
                "var B int;",
                "var C int;",
                "var D int;",
                "var E int;",
                "var F int;",
                "var G int;",
                "var H int;",
                "var I int;",
                "var J int;",
                "var K int;",
                "var L int;",
                "var M int;",
                "var N int;",
                "var O int;",
                "var P int;",
                "var Q int;",
                "var R int;",
                "var S int;",
                "var T int;",
                "var U int;",
                "var V int;",
                "var W int;",
                "main",
            ],
            after: "package p\nvar A int; var B int; var C int; var D int; var E int; var F int; var G int; var H int; var I int; var J int; var K int; var L int; var M int; var N int; var O int; var P int; var Q int; var R int; var S int; var T int; var U int; var V int; var W int;\nfunc main() {}\n",
        },
        Example {
            language: "java",
            before: "class Main { int A; int B; int C; int D; int E; int F; int G; int H; int I; int J; int K; int L; int M; int N; int O; int P; int Q; int R; int S; int T; int U; int V; int W;\nint two() { return 2; }\nint one() { return two(); }\nvoid main() {} }\n",
            keep: &[
                "int A;", "int B;", "int C;", "int D;", "int E;", "int F;", "int G;", "int H;", "int I;",
                "int J;", "int K;", "int L;", "int M;", "int N;", "int O;", "int P;", "int Q;", "int R;",
                "int S;", "int T;", "int U;", "int V;", "int W;", "main",
            ],
            after: "class Main { int A; int B; int C; int D; int E; int F; int G; int H; int I; int J; int K; int L; int M; int N; int O; int P; int Q; int R; int S; int T; int U; int V; int W;\nvoid main() {} }\n",
        },
        Example {
            language: "rust",
            before: "fn two() {}\nfn one() { two() }\nstatic A: i32 = 0; static B: i32 = 0; static C: i32 = 0; static D: i32 = 0; static E: i32 = 0; static F: i32 = 0; static G: i32 = 0; static H: i32 = 0; static I: i32 = 0; static J: i32 = 0; static K: i32 = 0; static L: i32 = 0; static M: i32 = 0; static N: i32 = 0; static O: i32 = 0; static P: i32 = 0; static Q: i32 = 0; static R: i32 = 0; static S: i32 = 0; static T: i32 = 0; static U: i32 = 0; static V: i32 = 0; static W: i32 = 0;\nfn main() {}\n",
            keep: &[
                "static A: i32 = 0;",
                "static B: i32 = 0;",
                "static C: i32 = 0;",
                "static D: i32 = 0;",
                "static E: i32 = 0;",
                "static F: i32 = 0;",
                "static G: i32 = 0;",
                "static H: i32 = 0;",
                "static I: i32 = 0;",
                "static J: i32 = 0;",
                "static K: i32 = 0;",
                "static L: i32 = 0;",
                "static M: i32 = 0;",
                "static N: i32 = 0;",
                "static O: i32 = 0;",
                "static P: i32 = 0;",
                "static Q: i32 = 0;",
                "static R: i32 = 0;",
                "static S: i32 = 0;",
                "static T: i32 = 0;",
                "static U: i32 = 0;",
                "static V: i32 = 0;",
                "static W: i32 = 0;",
                "main",
            ],
            after: "static A: i32 = 0; static B: i32 = 0; static C: i32 = 0; static D: i32 = 0; static E: i32 = 0; static F: i32 = 0; static G: i32 = 0; static H: i32 = 0; static I: i32 = 0; static J: i32 = 0; static K: i32 = 0; static L: i32 = 0; static M: i32 = 0; static N: i32 = 0; static O: i32 = 0; static P: i32 = 0; static Q: i32 = 0; static R: i32 = 0; static S: i32 = 0; static T: i32 = 0; static U: i32 = 0; static V: i32 = 0; static W: i32 = 0;\nfn main() {}\n",
        },
        Example {
            language: "csharp",
            before: "class Main { int A; int B; int C; int D; int E; int F; int G; int H; int I; int J; int K; int L; int M; int N; int O; int P; int Q; int R; int S; int T; int U; int V; int W;\nint two() { return 2; }\nint one() { return two(); }\nvoid main() {} }\n",
            keep: &[
                "int A;", "int B;", "int C;", "int D;", "int E;", "int F;", "int G;", "int H;", "int I;",
                "int J;", "int K;", "int L;", "int M;", "int N;", "int O;", "int P;", "int Q;", "int R;",
                "int S;", "int T;", "int U;", "int V;", "int W;", "main",
            ],
            after: "class Main { int A; int B; int C; int D; int E; int F; int G; int H; int I; int J; int K; int L; int M; int N; int O; int P; int Q; int R; int S; int T; int U; int V; int W;\nvoid main() {} }\n",
        },
        Example {
            language: "kotlin",
            before: "fun two() {}\nfun one() { two() }\nval A = 0\nval B = 0\nval C = 0\nval D = 0\nval E = 0\nval F = 0\nval G = 0\nval H = 0\nval I = 0\nval J = 0\nval K = 0\nval L = 0\nval M = 0\nval N = 0\nval O = 0\nval P = 0\nval Q = 0\nval R = 0\nval S = 0\nval T = 0\nval U = 0\nval V = 0\nval W = 0\nfun main() {}\n",
            keep: &[
                "val A = 0",
                "val B = 0",
                "val C = 0",
                "val D = 0",
                "val E = 0",
                "val F = 0",
                "val G = 0",
                "val H = 0",
                "val I = 0",
                "val J = 0",
                "val K = 0",
                "val L = 0",
                "val M = 0",
                "val N = 0",
                "val O = 0",
                "val P = 0",
                "val Q = 0",
                "val R = 0",
                "val S = 0",
                "val T = 0",
                "val U = 0",
                "val V = 0",
                "val W = 0",
                "main",
            ],
            after: "val A = 0\nval B = 0\nval C = 0\nval D = 0\nval E = 0\nval F = 0\nval G = 0\nval H = 0\nval I = 0\nval J = 0\nval K = 0\nval L = 0\nval M = 0\nval N = 0\nval O = 0\nval P = 0\nval Q = 0\nval R = 0\nval S = 0\nval T = 0\nval U = 0\nval V = 0\nval W = 0\nfun main() {}\n",
        },
        Example {
            language: "typescript",
            before: "function two() {}\nfunction one() { two(); }\nlet A; let B; let C; let D; let E; let F; let G; let H; let I; let J; let K; let L; let M; let N; let O; let P; let Q; let R; let S; let T; let U; let V; let W;\nfunction main() {}\n",
            keep: &[
                "let A;", "let B;", "let C;", "let D;", "let E;", "let F;", "let G;", "let H;", "let I;",
                "let J;", "let K;", "let L;", "let M;", "let N;", "let O;", "let P;", "let Q;", "let R;",
                "let S;", "let T;", "let U;", "let V;", "let W;", "main",
            ],
            after: "let A; let B; let C; let D; let E; let F; let G; let H; let I; let J; let K; let L; let M; let N; let O; let P; let Q; let R; let S; let T; let U; let V; let W;\nfunction main() {}\n",
        },
        Example {
            language: "tsx",
            before: "function two() {}\nfunction one() { two(); }\nlet A; let B; let C; let D; let E; let F; let G; let H; let I; let J; let K; let L; let M; let N; let O; let P; let Q; let R; let S; let T; let U; let V; let W;\nfunction main() {}\n",
            keep: &[
                "let A;", "let B;", "let C;", "let D;", "let E;", "let F;", "let G;", "let H;", "let I;",
                "let J;", "let K;", "let L;", "let M;", "let N;", "let O;", "let P;", "let Q;", "let R;",
                "let S;", "let T;", "let U;", "let V;", "let W;", "main",
            ],
            after: "let A; let B; let C; let D; let E; let F; let G; let H; let I; let J; let K; let L; let M; let N; let O; let P; let Q; let R; let S; let T; let U; let V; let W;\nfunction main() {}\n",
        },
        Example {
            language: "smtlib",
            before: "(declare-fun a () Int)\n(define-fun b () Int (+ a 1))\n(assert (= b 1))\n(push 1)\n(push 2)\n(push 3)\n(push 4)\n(push 5)\n(push 6)\n(push 7)\n(push 8)\n(push 9)\n(push 10)\n(push 11)\n(push 12)\n(push 13)\n(push 14)\n(push 15)\n(push 16)\n(push 17)\n(push 18)\n(push 19)\n(push 20)\n(push 21)\n(push 22)\n(push 23)\n(push 24)\n",
            keep: &[
                "(push 1)",
                "(push 2)",
                "(push 3)",
                "(push 4)",
                "(push 5)",
                "(push 6)",
                "(push 7)",
                "(push 8)",
                "(push 9)",
                "(push 10)",
                "(push 11)",
                "(push 12)",
                "(push 13)",
                "(push 14)",
                "(push 15)",
                "(push 16)",
                "(push 17)",
                "(push 18)",
                "(push 19)",
                "(push 20)",
                "(push 21)",
                "(push 22)",
                "(push 23)",
                "(push 24)",
            ],
            after: "(push 1)\n(push 2)\n(push 3)\n(push 4)\n(push 5)\n(push 6)\n(push 7)\n(push 8)\n(push 9)\n(push 10)\n(push 11)\n(push 12)\n(push 13)\n(push 14)\n(push 15)\n(push 16)\n(push 17)\n(push 18)\n(push 19)\n(push 20)\n(push 21)\n(push 22)\n(push 23)\n(push 24)\n",
        },
        Example {
            language: "text",
            before: "let size = 1\nlet twice = size\nlet rec double x = x\nlet rec f x =\n  if twice then double x else\n  x\nlet rec g x = f x\nlet y = 2\nprint y\n",
            keep: &["print y", "let y = 2"],
            after: "let y = 2\nprint y\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// A small file with fewer unused definitions is left to other passes, whose units go further, where names have bindings.
const MANY: usize = 24;

fn plan(base: &Base) -> Vec<Group> {
    // What nothing in its own file uses may be there for another one.
    if base.is_of_several() {
        return Vec::new();
    }
    let reaches = PASS.files(base).filter_map(|file| Some((file, reach::of(file)?)));
    let is_worth_a_run = |(file, reach): &(File<'_>, Reach)| match reach.roots().count() {
        0 | 1 => false,
        roots => roots >= MANY || file.tokens().len() >= LARGE || file.language().bindings_query().is_empty(),
    };
    let reaches = reaches.filter(is_worth_a_run);
    reaches.map(|(_, reach)| Group::reaching(reach).doubtful()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::Parsed;
    use std::sync::Arc;

    #[test]
    fn what_another_file_may_use_is_not_unused() {
        let functions: String = (0..30).map(|i| format!("int f{i}() {{ return {i}; }}\n")).collect();
        let parsed = |text: &str| Arc::new(Parsed::new(lopper_languages::named("c").unwrap(), text.into()));
        let alone = Base { files: vec![parsed(&functions)] };
        assert_eq!(plan(&alone).iter().map(|group| group.units().len()).sum::<usize>(), 30);
        let with_user = Base { files: vec![parsed(&functions), parsed("int main() { return f1(); }\n")] };
        assert!(plan(&with_user).is_empty());
    }
}
