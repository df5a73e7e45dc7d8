//! Tests of semantic errors. gcc 12 accepts and refuses the same programs, with `-std=gnu11 -w`.

use super::DEPTH;
use crate::Parsed;
use crate::c::C;
use proptest::prelude::*;

fn errors(text: &str) -> usize {
    let file = Parsed::new(&C, text.as_bytes().to_vec());
    file.semantic_errors()
}

/// Programs that a compiler accepts.
const RIGHT: &[&str] = &[
    "typedef unsigned long size_t; void *malloc(size_t); char *f() { return (char *)malloc(sizeof(size_t) + 1); }",
    "struct s; struct s *f(struct s *a) { return a ? a : 0; } struct s { int a : 3; union { int b; char c; }; struct s *d; }; int g(struct s a) { return a.b + a.d->c; }",
    "enum e { A, B = A + 2 }; enum e f(enum e a) { switch (a) { case A: return B; default: break; } return 0; } unsigned g[B];",
    "f(a, b) int a; char *b; { return b[a] + a[b]; } main() { return f(1, \"x\"); }",
    "int f(int, ...); int (*g)(int, ...) = f; int h() { return g(1, 2.5, \"\") + (*g)(2) + (**f)(3); }",
    "int a[] = { 1, [2] = 3 }, *b = a + 1, *c = &a[1], **d = &c; struct s { int x[2]; } e = { { 1 } }, *g = &e; int *h = &(&e)->x[1];",
    "int f(int n) { int a[n]; for (int i = 0; i < n; i++) { if (!a[i]) continue; a[i] -= i; } l: while (n--) goto l; return a - &a[1]; }",
    "double f(float a, long b) { a *= b; b <<= 2; return a / b + -a - !a + (b % 3 & ~1); }",
    "static int a; extern int b; int b; extern int b; static int f(void); int f(void) { extern int b; int a = b; { char a; } return a; }",
    "typedef struct { int a; } T; T f(T a) { T b = a, c = (T){ 1 }; b = c; return ({ T d = b; d; }); } typedef int U, V[2]; typedef int U;",
    "void f(void); void g() { return f(); } int h(void *a) { f(); return a == 0 || a != (void *)1 && *(int *)a > 'a'; }",
    "int f(); int f(int a) { return later(a); } int later(int a) { return a; } x; *y; z = 1, w[2]; int g() { return x + *y + w[0]; }",
    "int f(char a[3], int g(int)) { a++; a = 0; return g(a != 0); } int h(char (*a)[3]) { return sizeof a[0] + sizeof(*a); }",
    "struct a { struct b *c; } *d; int f() { struct b { int c; }; struct b e = { 1 }; return e.c + (d->c == 0); }",
    "__attribute__((noreturn)) void f(); void * __attribute__((malloc)) g(int); int h() { __builtin_trap(); asm(\"nop\"); return __func__[0]; }",
    "#include <stdio.h>\nint f(FILE *a) { return fileno(a) + EOF; }",
    "#define T int\n#define X(a) a; \nT f(T a) { X(a = 1) return a; }",
];

/// Programs that a compiler refuses, each of them for one reason.
const WRONG: &[&str] = &[
    "int f() { return a; }",
    "a f() { return 0; }",
    "int a; a b;",
    "int f(a b);",
    "int f() { { int a; } return a; }",
    "typedef int T; int f() { return T + 1; }",
    "int f(int a) { return *a; }",
    "int f(int a) { return a[1]; }",
    "int f(int a) { return a(1); }",
    "int f(int a) { return a->b; }",
    "struct s { int a; }; int f(struct s *b) { return b->c; }",
    "struct s { int a; }; int f(struct s b) { return b; }",
    "struct s { int a; }; int f(struct s b) { return b + 1; }",
    "struct s { int a; }; int f(struct s b) { if (b) return 1; return 0; }",
    "struct s; int f(struct s *b) { return b->a; }",
    "struct s; int f() { struct s a; return 0; }",
    "struct s a;",
    "struct s; int f() { return sizeof(struct s); }",
    "enum e f() { return 0; }",
    "int f() { void a; return 0; }",
    "int f(int a) { f(a) = 1; return a; }",
    "int f(int a) { a++ ++; return a; }",
    "int a[2]; int f() { a = 0; return 0; }",
    "int f(int a) { return &1 != 0; }",
    "void f(); int g() { return f(); }",
    "void f(); int g() { int a = f(); return a; }",
    "int f(char *a, char *b) { return a + b; }",
    "int f(char *a) { return a * 2; }",
    "int f(double a) { return a % 2; }",
    "int f(char *a) { return ~a; }",
    "char *f(double a) { return a; }",
    "int f(int a); int g() { return f(); }",
    "int f(int a); int g() { return f(1, 2); }",
    "int f(int a, ...); int g() { return f(); }",
    "struct s { int a; } b; int f(int); int g() { return f(b); }",
    "int f(int); int f(char *);",
    "int f(int a) { return a; } int f(int a) { return a; }",
    "int f(); static int f() { return 0; }",
    "int a; char a;",
    "int f() { int a; int a; return a; }",
    "int f(int a, int a) { return a; }",
    "int f(int a) { int a; return a; }",
    "int a; int f() { return a; } typedef int a;",
    "struct s { int a; }; struct s { int a; };",
    "struct s { int a; }; union s *b;",
    "struct s { int a; int a; };",
    "struct s { int f(); };",
    "struct s { struct t a; };",
    "enum { A, A };",
    "enum {};",
    "int f(void, int);",
    "int f(void a) { return 0; }",
    "int f(a, int b);",
    "int f { return 0; }",
    "int f()[2];",
    "int a[2][];",
    "int f() { int a[]; return 0; }",
    "int a = 1, b = a;",
    "int f(); int a = f();",
    "int *a[2], *b = a[1];",
    "int a; int b = &a;",
    "int a = { f };",
    "int n; int a[n];",
    "int a[2] = 1;",
    "int f(int a) { switch (a) { case a: ; } return 0; }",
    "int f(char *a) { switch (a) { default: ; } return 0; }",
    "int f() { break; return 0; }",
    "int f() { continue; return 0; }",
    "int f() { switch (1) { case 1: continue; } return 0; }",
    "int f() { goto l; return 0; }",
    "int f() { l: l: return 0; }",
    "int f() { case 1: return 0; }",
    "static static int a;",
    "unsigned float a;",
    "short long a;",
    "{ }",
    "1;",
    "if (1) ;",
];

#[test]
fn programs_that_compilers_accept_have_no_errors() {
    for text in RIGHT {
        assert_eq!(errors(text), 0, "{text}");
    }
    for (name, text) in crate::Language::samples(&C) {
        assert_eq!(errors(text), 0, "{name}");
    }
}

#[test]
fn programs_that_compilers_refuse_have_errors() {
    for text in WRONG {
        assert_ne!(errors(text), 0, "{text}");
    }
}

#[test]
fn names_from_elsewhere_may_mean_anything() {
    for wrong in ["int f() { return a; }", "a f() { return 0; }", "struct s a;", "enum e f() { return 0; }"] {
        assert_eq!(errors(&format!("#include \"a.h\"\n{wrong}")), 0, "{wrong}");
    }
    assert_ne!(errors("#include \"a.h\"\nint f(int a) { return *a; }"), 0, "a parameter is known");
}

#[test]
fn what_is_too_deep_is_not_looked_at() {
    for (open, close) in [("(", ")"), ("-(", ")"), ("sizeof(", ")")] {
        let depth = 20 * DEPTH;
        let text = format!("int f() {{ return {}a{}; }}", open.repeat(depth), close.repeat(depth));
        assert_eq!(errors(&text), 0);
    }
    let blocks = format!("int f() {}{}", "{".repeat(20 * DEPTH), "}".repeat(20 * DEPTH));
    assert_eq!(errors(&blocks), 0);
}

#[test]
fn a_text_that_nests_initializers_in_initializers_does_not_take_long() {
    let nested = (0..40).fold("1".to_owned(), |inner, _| format!("((int[]){{ {inner} }}[0])"));
    errors(&format!("int a = {nested};"));
    assert_ne!(errors(&format!("int b = *2; int a = {nested};")), 0, "what stands before is looked at");
}

proptest! {
    /// Whatever is cut out of programs, the rest is checked without a panic.
    #[test]
    fn no_text_makes_the_check_panic(
        which in 0..RIGHT.len(),
        cuts in proptest::collection::vec((0.0..1.0, 0.0..0.3), 1..4),
    ) {
        let mut text = RIGHT[which].to_owned();
        for (at, length) in cuts {
            let count = text.len() as f64;
            let start = (at * count) as usize;
            let end = (start + (length * count) as usize).min(text.len());
            text.replace_range(start..end, "");
        }
        errors(&text);
    }
}
