//! The effects of all passes together: one line per transformation that users of other reducers know.

mod others;

use crate::kit::{reduced, tokens};
use lopper::languages::{measure::Measure, named, text::TEXT};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// A transformation: its name, a program, the texts that must be kept (tokens separated by blanks,
/// alternatives separated by bars), and the expected tokens of the result.
pub(crate) type Line = (&'static str, &'static str, &'static [&'static str], &'static str);

pub(crate) const CPP: &[Line] = &[
    (
        "a namespace goes with its qualifiers",
        "namespace n { int f(); } int x = n::f();",
        &["namespace n { int f ( ) ; } int x = n :: f ( ) | int f ( ) ; int x = f ( )"],
        "int f ( ) ; int x = f ( ) ;",
    ),
    (
        "a template becomes plain",
        "template <class T, int N> struct s { T a; }; s<int, 3> x;",
        &["template < class T , int N > struct s { T a ; } ; s < int , 3 > x | struct s { int a ; } ; s x"],
        "struct s { int a ; } ; s x ;",
    ),
    (
        "a parameter of a member of a nested class goes everywhere",
        "struct b { struct c { int d(int k); }; }; int b::c::d(int k) { return k + k; } int y(b::c x) { return x.d(1) + x.d(2); }",
        &[
            "struct b { struct c { int d ( int k ) ; } ; } ; int b :: c :: d ( int k ) { return | struct b { struct c { int d ( ) ; } ; } ; int b :: c :: d ( ) { return",
            "( b :: c x ) { return x . d ( 1 ) + x . d ( 2 ) | ( b :: c x ) { return x . d ( ) + x . d ( )",
        ],
        "struct b { struct c { int d ( ) ; } ; } ; int b :: c :: d ( ) { return ; } d ( b :: c x ) { return x . d ( ) + x . d ( ) ; }",
    ),
    (
        "members leave their class",
        "struct a { int n; int f(int k) { return this->n - k; } }; a x; int g() { return x.f(1) * x.n; }",
        &[
            "int f ( int k ) { return this -> n - k | int f ( int k ) { return n - k",
            "int g ( ) { return x . f ( 1 ) * x . n | int g ( ) { return f ( 1 ) * n",
            "struct a { int n ; int f | int n ; int f",
            "x ; int g | } int g",
        ],
        "int n ; int f ( int k ) { return n - k ; } int g ( ) { return f ( 1 ) * n ; }",
    ),
    (
        "a class becomes a structure",
        "class c { public: int a; int b; };",
        &["class c { public : int a | struct c { int a"],
        "struct c { int a ; } ;",
    ),
];

pub(crate) const C: &[Line] = &[
    (
        "a function goes, and what depended on it runs once",
        "int lib(int x) { int a = x; a = a + 1; a = a * 2; a = a - 3; h(a); return a; } int main() { int n = lib(1); while (lib(n)) { bug(); } return n; }",
        &[
            "int lib ( int x ) { int a = x ; a = a + 1 ; a = a * 2 ; a = a - 3 ; h ( a ) ; return a ; } int main ( ) { int n = lib ( 1 ) ; while ( lib ( n ) ) { bug ( ) ; } return n ; } | int main ( ) { int n = 1 ; { bug ( ) ; } return n ; }",
        ],
        "int main ( ) { int n = 1 ; { bug ( ) ; } return n ; }",
    ),
    ("a body becomes a declaration", "int f(void) { g(); h(); }", &["int f ( void )"], "int f ( void ) ;"),
    (
        "a function goes with its calls",
        "int f(int a) { return a; } int main() { f(1); x = 2; return f(3); }",
        &["int main ( ) {", "x = 2", "return"],
        "int main ( ) { x = 2 ; return ; }",
    ),
    (
        "a parameter goes with its arguments",
        "int f(int a, int b) { return g(b, a); } int x = f(1, 2) + f(3, 4);",
        &[
            "int f ( int a , int b ) { | int f ( int b ) {",
            "return g ( b",
            "int x",
            "= f (",
            "2 ) + f (",
            "4 )",
        ],
        "int f ( int b ) { return g ( b ) ; } int x = f ( 2 ) + f ( 4 ) ;",
    ),
    (
        "a field goes with what reaches it",
        "struct s { int a, b; } x; int main() { x.a = 1; x.b = 2; return x.a; }",
        &["struct", "{ int a , b ; } | { int b ; }", "} x ;", "main ( ) {", "x . b = 2"],
        "struct { int b ; } x ; main ( ) { x . b = 2 ; }",
    ),
    (
        "an enum constant becomes its value",
        "enum e { A, B, C = 7 }; int x = f(1, C);",
        &["f ( 1", "C = 7 | , 7", "C ) | 7 )", "int x"],
        "int x = f ( 1 , 7 ) ;",
    ),
    (
        "a call becomes what is returned",
        "int f(int a) { return a + a; } int main() { x = f(y); }",
        &["int f ( int a ) { return a + a ; } int main ( ) { x = f ( y ) | int main ( ) { x = y + y"],
        "int main ( ) { x = y + y ; }",
    ),
    (
        "a call becomes a value",
        "int main() { x = f(y) + g; }",
        &["int main ( ) {", "x = f | x = 0", "+ g"],
        "int main ( ) { x = 0 + g ; }",
    ),
    (
        "a function is inlined",
        "void f(int a) { g(a); h(a); } int main() { f(1); }",
        &[
            "void f ( int a ) { g ( a ) ; h ( a ) ; } int main ( ) { f ( 1 ) ; | int main ( ) { { g ( 1 ) ; h ( 1 ) ; | int main ( ) { g ( 1 ) ; h ( 1 ) ;",
        ],
        "int main ( ) { g ( 1 ) ; h ( 1 ) ; }",
    ),
    (
        "what a function returns goes",
        "int f() { if (x) return y(1, 2); return 0; }",
        &["f ( )", "if ( x ) return"],
        "f ( ) { if ( x ) return ; }",
    ),
    (
        "a type's other name is expanded",
        "typedef struct s { int a; } t; t x;",
        &["struct s { int a ; }", "; t x | struct s x"],
        "struct s { int a ; } ; struct s x ;",
    ),
    (
        "a type becomes int",
        "static const unsigned long long x; struct s *f(void);",
        &["long x ; | int x ;", "* f | int f", "( void )"],
        "int x ; int f ( void ) ;",
    ),
    (
        "a structure becomes its field",
        "struct s { float a; }; int main() { struct s x; x.a = 1; return x.a; }",
        &[
            "struct s { float a ; } ; int main ( ) { struct s x ; | int main ( ) { float x ;",
            "x . a = 1 | x = 1",
            "return x",
        ],
        "int main ( ) { float x ; x = 1 ; return x ; }",
    ),
    (
        "a variable is set where it is used",
        "int f(int a) { a = g(1); h(a, a); }",
        &["int f ( int a ) { a = g ( 1 ) ; h ( a , a ) | int f ( int a ) { h ( a = g ( 1 ) , a )"],
        "int f ( int a ) { h ( a = g ( 1 ) , a ) ; }",
    ),
    (
        "a field becomes a variable",
        "struct s { int *a; int b; }; int f(struct s *p) { p->b = 1; return p->a[2]; }",
        &["struct s { int * a ; int b ; } ; int f ( struct s * p ) { p -> b = 1 ; return p -> a [ 2 ] \
           | int * a ; struct s { int b ; } ; int f ( struct s * p ) { p -> b = 1 ; return a [ 2 ]"],
        "int * a ; struct s { int b ; } ; int f ( struct s * p ) { p -> b = 1 ; return a [ 2 ] ; }",
    ),
    (
        "a field that is a structure becomes its fields",
        "struct s { struct { int a, b; } c; int d; } *p; int f() { return p->c.a + p->c.b; }",
        &[
            "struct s { struct { int a , b ; } c ; int d ; } * p ; int f ( ) { return p -> c . a + p -> c . b \
           | struct s { int a , b ; int d ; } * p ; int f ( ) { return p -> a + p -> b",
        ],
        "struct s { int a , b ; int d ; } * p ; int f ( ) { return p -> a + p -> b ; }",
    ),
    (
        "an address and its access cancel",
        "int f() { return (&x[1])->a; }",
        &["int f ( ) { return ( & x [ 1 ] ) -> a | int f ( ) { return x [ 1 ] . a"],
        "int f ( ) { return x [ 1 ] . a ; }",
    ),
    (
        "a sum stays together in the place of a variable",
        "int f() { int a = b + c; return a * 2; }",
        &["int f ( ) { int a = b + c ; return a * 2 | int f ( ) { return ( b + c ) * 2"],
        "int f ( ) { return ( b + c ) * 2 ; }",
    ),
    (
        "an array becomes an element",
        "float a[3] = {1, 2, 3}; int main() { return a[i] + a[0]; }",
        &["float a [ 3 ] = { 1 , 2 , 3 | float a = 3", "int main ( ) {", "return a"],
        "float a = 3 ; int main ( ) { return a ; }",
    ),
    (
        "a pointer becomes what it points to",
        "int main() { float *p = &x; *p = y; return *p; }",
        &["int main ( ) { float", "= y", "return * p | return p"],
        "int main ( ) { float p = y ; return p ; }",
    ),
    (
        "address and value cancel out",
        "int main() { return *&*&x; }",
        &["int main ( ) {", "return", "x"],
        "int main ( ) { return x ; }",
    ),
    ("an initial value goes", "int a[2] = {1, 2}, b = 3;", &["int a [ 2 ]", ", b"], "int a [ 2 ] , b ;"),
    (
        "operators give way to operands",
        "int main() { x = (a, (int) b ? c : d * sizeof(e)); }",
        &["int main ( ) {", "x = ( a | x = c", "c"],
        "int main ( ) { x = c ; }",
    ),
    (
        "an assignment with an operator becomes a plain one",
        "int main() { x += 1; }",
        &["int main ( ) {", "x += | x =", "1"],
        "int main ( ) { x = 1 ; }",
    ),
    (
        "a loop becomes its first round",
        "int main() { for (int i = 0; i < 9; i++) f(i); }",
        &["int main ( ) {", "int i = 0", "f ( i )"],
        "int main ( ) { int i = 0 ; f ( i ) ; }",
    ),
    (
        "a loop becomes its body",
        "int main() { do { while (a) f(b); } while (c); }",
        &["int main ( ) {", "f ( b )"],
        "int main ( ) { f ( b ) ; }",
    ),
    (
        "a loop becomes a simpler one",
        "int main() { for (a = 0; b; c++) if (d) break; }",
        &["int main ( ) {", "( a = 0 ; b ; | while ( b )", "break"],
        "int main ( ) { while ( b ) break ; }",
    ),
    (
        "a switch becomes a case",
        "int main() { switch (a) { case 1: b(); break; case 2: c(); } }",
        &["int main ( ) {", "c ( )"],
        "int main ( ) { c ( ) ; }",
    ),
    (
        "labels and gotos go",
        "int main() { goto l; a(); l: b(); }",
        &["int main ( ) {", "b ( )"],
        "int main ( ) { b ( ) ; }",
    ),
    (
        "an if becomes a branch",
        "int main() { if (a) b(); else if (c) d(); else e(); }",
        &["int main ( ) {", "d ( )"],
        "int main ( ) { d ( ) ; }",
    ),
    (
        "old parameters move into the list",
        "int f(a) float a; { return a; }",
        &["f (", "f ( a ) float a | f ( float a", "{ return a"],
        "f ( float a ) { return a ; }",
    ),
    (
        "directives and branches of them go",
        "#include <a.h>\n#ifdef X\nint a;\n#else\nint b;\n#endif\n#define Y 3\nint c = Y;\n",
        &["int b", "int c = Y | int c = 3", "3"],
        "int b ; int c = 3 ;",
    ),
    (
        "another variable stands in",
        "int main() { int a; int b; a = f(a, 1); g(b, a); }",
        &["int main ( ) { int", "a = f ( a", "g ( b , a | g ( a , a"],
        "int main ( ) { int a = f ( a ) ; g ( a , a ) ; }",
    ),
    (
        "a union becomes a field",
        "union u { int a; char b; } x; int main() { return x.b; }",
        &["int main ( ) {", "return x", "x ; int", "char"],
        "char x ; int main ( ) { return x ; }",
    ),
    (
        "attributes and storage go",
        "static __attribute__((noinline)) int f(register int a) { return a; }",
        &["int f (", "int a", "return a"],
        "int f ( int a ) { return a ; }",
    ),
    (
        "bit-fields become fields",
        "struct s { unsigned a : 3; } x;",
        &["struct", "{ unsigned a | { int a"],
        "struct { int a ; } ;",
    ),
    (
        "declarations become one",
        "int main() { float a; g(a); float b = 2; h(b); }",
        &["int main ( ) { float a", "g ( a ) ;", "b = 2", "h ( b )", "float b | , b"],
        "int main ( ) { float a , b = 2 ; g ( a ) ; h ( b ) ; }",
    ),
    (
        "a parameter becomes a global variable",
        "int f(float a) { g(&a); h(a); } int main() { f(1); f(2); }",
        &["f ( float a ) { g ( & a ) ; h ( a ) ; } int main ( ) { f ( 1 ) ; f ( 2 ) ; } \
            | float a ; f ( ) { g ( & a ) ; h ( a ) ; } int main ( ) { f ( ) ; f ( ) ; } \
            | float a ; int f ( ) { g ( & a ) ; h ( a ) ; } int main ( ) { f ( ) ; f ( ) ; }"],
        "float a ; f ( ) { g ( & a ) ; h ( a ) ; } int main ( ) { f ( ) ; f ( ) ; }",
    ),
    (
        "a parameter becomes a local variable",
        "int f(float a) { g(&a); h(a); } int a(void) { f(1); f(2); }",
        &[
            "f ( float a ) { g | f ( ) { float a ; g",
            "g ( & a ) ; h ( a ) ; } int a ( void ) {",
            "f ( 1 ) ; f ( 2 | f ( ) ; f ( )",
        ],
        "f ( ) { float a ; g ( & a ) ; h ( a ) ; } int a ( void ) { f ( ) ; f ( ) ; }",
    ),
    (
        "a local variable becomes global",
        "int main() { float a = 0; g(&a); h(a); }",
        &[
            "float a ; main ( ) { g | float a ; int main ( ) { g | { float a = 0 ; g",
            "g ( & a ) ; h ( a )",
            "main ( ) {",
        ],
        "float a ; main ( ) { g ( & a ) ; h ( a ) ; }",
    ),
    (
        "a global variable becomes a parameter",
        "float a; int f() { g(&a); h(a); }",
        &["float a ; int f ( ) { g | float a ; f ( ) { g | f ( float a ) { g", "g ( & a ) ; h ( a )"],
        "f ( float a ) { g ( & a ) ; h ( a ) ; }",
    ),
    (
        "a local variable becomes a parameter",
        "int f(void) { int b[2]; g(b); h(b); }",
        &["f ( void ) { int b [ 2 ] ; g | f ( int b [ 2 ] ) { g", "g ( b ) ; h ( b )"],
        "f ( int b [ 2 ] ) { g ( b ) ; h ( b ) ; }",
    ),
    (
        "a condition becomes true",
        "int main() { if (f(a) && b) g(); }",
        &["main ( ) { if ( f ( a ) && b | main ( ) { if ( 1", "g ( )"],
        "main ( ) { if ( 1 ) g ( ) ; }",
    ),
    (
        "an assignment of a target and something else becomes one with an operator",
        "int main() { *a = b - c(*a) + *a; }",
        &["main ( ) { * a", "= b - c ( * a ) + * a | += b - c ( * a )"],
        "main ( ) { * a += b - c ( * a ) ; }",
    ),
    (
        "a comparison that holds in more cases lets a value go",
        "int main() { int b = 0; if (c == 1) b = 0; else g(b); }",
        &[
            "int b = 0 ; if ( c == 1 | int b = 0 ; if ( c <= 1 | int b ; if ( c <= 1",
            "main ( ) {",
            "1 ) b = 0 ; else g ( b ) ;",
        ],
        "main ( ) { int b ; if ( c <= 1 ) b = 0 ; else g ( b ) ; }",
    ),
    (
        "a do loop becomes a while loop",
        "int main() { do f(a); while (b); }",
        &["do f ( a ) ; while ( b ) ; | while ( b ) f ( a ) ;"],
        "while ( b ) f ( a ) ;",
    ),
    (
        "a value becomes zeros",
        "struct s a = f(1);",
        &["struct s a = f ( 1 | struct s a = { 0"],
        "struct s a = { 0 } ;",
    ),
    (
        "a statement expression becomes statements",
        "int main() { x = ({ int a; f(y); z; }); }",
        &["main ( ) { x = ( { int a ; f ( y ) ; z ; | main ( ) { int a ; f ( y ) ; x = z ;"],
        "main ( ) { int a ; f ( y ) ; x = z ; }",
    ),
    (
        "a comma becomes a semicolon",
        "int main() { x = (f(1), b); }",
        &["main ( ) { x = ( f ( 1 ) , b ) ; | main ( ) { f ( 1 ) ; x = b ;"],
        "main ( ) { f ( 1 ) ; x = b ; }",
    ),
    (
        "parameters lose their int",
        "int f(int a, int b, t c) { g(a, b, c); }",
        &["int f ( int a , int b , t c ) { g ( | f ( a , b , c ) t c ; { g (", "g ( a , b , c )"],
        "f ( a , b , c ) t c ; { g ( a , b , c ) ; }",
    ),
    (
        "branches of directives go",
        "#if X\nint a;\n#elif Y\nint b;\n#else\nint c;\n#endif\n",
        &["int b"],
        "int b ;",
    ),
    ("a body becomes empty", "int f(void) { g(); h(); }", &["int f ( void ) {"], "int f ( void ) { }"),
    (
        "a call becomes an argument",
        "int main() { x = f(y, z); }",
        &["int main ( ) {", "x = f ( y , z | x = z"],
        "int main ( ) { x = z ; }",
    ),
    (
        "a type's other name is expanded by a level",
        "typedef float a; typedef a b; b x; a y;",
        &["typedef float a ;", "b x ; | a x ;", "a y"],
        "typedef float a ; a x ; a y ;",
    ),
    (
        "a name of a pointer type is expanded",
        "typedef float *a; a x, y[2];",
        &["typedef float * a ; a x , y [ 2 ] ; | float * x , * y [ 2 ] ;"],
        "float * x , * y [ 2 ] ;",
    ),
    (
        "a type becomes void",
        "int f() { if (x) return y(1, 2); return 0; }",
        &["int f ( ) { if ( x ) return y ( 1 , 2 ) ; return 0 ; } | void f ( ) { if ( x ) return"],
        "void f ( ) { if ( x ) return ; }",
    ),
    (
        "a size becomes a number",
        "int main() { x = sizeof(struct s); }",
        &["int main ( ) { x = sizeof ( struct s ) ; | int main ( ) { x = 0 ;"],
        "int main ( ) { x = 0 ; }",
    ),
    (
        "a compound literal becomes an element",
        "int main() { x = (struct s) { y, z }; }",
        &["int main ( ) { x = ( struct s ) { y , z } ; | int main ( ) { x = z ;"],
        "int main ( ) { x = z ; }",
    ),
    (
        "a value that is kept is returned",
        "int main() { int a = f(b, 1); }",
        &["int main ( ) { int a = f ( b , 1 ) ; | int main ( ) { return f ( b , 1 ) ;"],
        "int main ( ) { return f ( b , 1 ) ; }",
    ),
    (
        "a global variable becomes what a function returns",
        "int a; void f(int b) { a = b + 1; } int main() { f(2); return g(a, 3); }",
        &["int a ; void f ( int b ) { a = b + 1 ; } int main ( ) { f ( 2 ) ; return g ( a , 3 ) ; } \
            | int f ( int b ) { return b + 1 ; } int main ( ) { return g ( f ( 2 ) , 3 ) ; }"],
        "int f ( int b ) { return b + 1 ; } int main ( ) { return g ( f ( 2 ) , 3 ) ; }",
    ),
    (
        "an array loses a dimension",
        "float a[3][4]; int main() { return a[i][j]; }",
        &["float a [ 3 ] [ 4 | float a [ 4 | float a [ 3", "int main ( ) {", "return a [ i"],
        "float a [ 3 ] ; int main ( ) { return a [ i ] ; }",
    ),
    (
        "a parameter goes with its argument in every call",
        "int f(int a, int b) { return g(b); } int x = f(1, 2) + f(3, 2);",
        &["int f ( int a , int b ) { return g ( b ) ; } int x = f ( 1 , 2 ) + f ( 3 , 2 ) ; \
            | int f ( int b ) { return g ( b ) ; } int x = f ( 2 ) + f ( 2 ) ;"],
        "int f ( int b ) { return g ( b ) ; } int x = f ( 2 ) + f ( 2 ) ;",
    ),
    (
        "a typedef is expanded in all uses at once",
        "typedef float a; a x; a *y; g z;",
        &["typedef float a ; a x ; a * y ; g z ; | float x ; float * y ; g z ;"],
        "float x ; float * y ; g z ;",
    ),
    (
        "two variables become one",
        "int a; int b; int main() { f(a, a); g(b); }",
        &["int a ; int b ; int main ( ) { f ( a , a ) ; g ( b | int b ; int main ( ) { f ( b , b ) ; g ( b"],
        "int b ; int main ( ) { f ( b , b ) ; g ( b ) ; }",
    ),
    (
        "a variable is inverted",
        "int main() { int x = 0; while (f()) { x = 1; if (!x) g(); } }",
        &["main ( ) { int x = 0 ; while ( f ( ) ) { x = 1 ; if ( ! x ) g ( ) ; \
            | main ( ) { int x = 1 ; while ( f ( ) ) { x = 0 ; if ( x ) g ( ) ;"],
        "main ( ) { int x = 1 ; while ( f ( ) ) { x = 0 ; if ( x ) g ( ) ; } }",
    ),
    (
        "a flag with the opposite value makes a condition deletable",
        "int main() { int x = 0; if (f(1)) x = 1; g(x); }",
        &["main ( ) { int x = 0 ; if ( f ( 1 ) ) x = 1 ; g ( x \
            | main ( ) { int x = 1 ; if ( f ( 1 ) ) x = 1 ; g ( x | main ( ) { int x = 1 ; g ( x"],
        "main ( ) { int x = 1 ; g ( x ) ; }",
    ),
    (
        "an assignment with an operator becomes an increment",
        "int main() { x += 1; }",
        &["main ( ) { x += 1 ; | main ( ) { x ++ ;"],
        "main ( ) { x ++ ; }",
    ),
    (
        "a line of a macro goes",
        "#define F(x) a(x); \\\n if (x) { b(x, 1, 2); c(x); } \\\n d(x)\n",
        &["# define F ( x ) a ( x ) ; if ( x ) { b ( x , 1 , 2 ) ; c ( x ) ; } d ( x ) \
            | # define F ( x ) a ( x ) ; d ( x )"],
        "# define F ( x ) a ( x ) ; d ( x )",
    ),
    (
        "neighbouring tokens of a macro go",
        "#define A b c d e f\n",
        &["# define A b c d e f | # define A b f"],
        "# define A b f",
    ),
    ("a single token of a macro goes", "#define A @ b\n", &["# define A @ b | # define A @"], "# define A @"),
    (
        "the tokens around a token of a macro go",
        "#define A b < c > d\n",
        &["# define A b < c > d | # define A b c d"],
        "# define A b c d",
    ),
    (
        "the brackets in a macro go",
        "#define A (a + b + c)\nint x = A;\n",
        &["# define A ( a + b + c ) int x = A ; | # define A a + b + c int x = A ;"],
        "# define A a + b + c int x = A ;",
    ),
    ("a name becomes a letter", "int value = 3;", &["int", "= 3 ;"], "int a = 3 ;"),
    (
        "all copies of an argument go at once",
        "int main() { f(x + 1); k(1); g(x + 1); }",
        &["main ( ) { f ( x + 1 ) ; k ( 1 ) ; g ( x + 1 ) ; | main ( ) { f ( ) ; k ( 1 ) ; g ( ) ;"],
        "main ( ) { f ( ) ; k ( 1 ) ; g ( ) ; }",
    ),
    (
        "all copies of an operator go at once",
        "int main() { f(-a, b, -c); }",
        &["main ( ) { f ( - a , b , - c ) ; | main ( ) { f ( a , b , c ) ;"],
        "main ( ) { f ( a , b , c ) ; }",
    ),
    (
        "a value finds a smaller use",
        "int v; int f() { g(a, b + 1); return 0; }",
        &["int v ; int f ( ) { g ( a , b + 1 ) ; return 0 ; } \
            | int v ; int f ( ) { v = b + 1 ; return 0 ; }"],
        "int v ; int f ( ) { v = b + 1 ; return 0 ; }",
    ),
    (
        "a condition becomes a statement",
        "int f() { if (g()) h(); }",
        &["int f ( ) { if ( g ( ) ) h ( ) ; } | int f ( ) { g ( ) ; h ( ) ; }"],
        "int f ( ) { g ( ) ; h ( ) ; }",
    ),
    (
        "a variable is read where it is set",
        "int a; void f(long b) { a = b; } int main() { f(2); g(a); }",
        &["int a ; void f ( long b ) { a = b ; } int main ( ) { f ( 2 ) ; g ( a ) ; } \
            | void f ( long b ) { g ( b ) ; } int main ( ) { f ( 2 ) ; }"],
        "void f ( long b ) { g ( b ) ; } int main ( ) { f ( 2 ) ; }",
    ),
    (
        "a call becomes what is returned, with its argument converted",
        "int f(char a) { return a; } int b = f(c);",
        &["int f ( char a ) { return a ; } int b = f ( c ) ; | int b = ( char ) c ;"],
        "int b = ( char ) c ;",
    ),
    (
        "a conversion goes with its argument",
        "int main() { printf(\"%s%X\", a, b); }",
        &["int main ( ) { printf ( \"%s%X\" , a , b ) ; } | int main ( ) { printf ( \"%X\" , b ) ; }"],
        "int main ( ) { printf ( \"%X\" , b ) ; }",
    ),
    (
        "a structure is defined where it is used",
        "struct s { int a; }; int f(struct s b);",
        &["struct s { int a ; } ; int f ( struct s b ) | int f ( struct s { int a ; } b ) \
            | int f ( struct { int a ; } b )"],
        "int f ( struct { int a ; } b ) ;",
    ),
    (
        "a name of a standard type is expanded",
        "typedef unsigned char uint8_t; uint8_t f(uint8_t a);",
        &[
            "typedef unsigned char uint8_t ; uint8_t f ( uint8_t a ) ; | unsigned char f ( unsigned char a ) ;",
        ],
        "unsigned char f ( unsigned char a ) ;",
    ),
];

pub(crate) const PYTHON: &[Line] = &[
    (
        "an attribute becomes a variable",
        "class A:\n    def f(self):\n        self.a = g()\n        h(self.a, self.a)\n",
        &["def f ( self ) : self . a = g ( ) h ( self . a , self . a ) \
           | def f ( self ) : a = g ( ) h ( a , a )"],
        "def f ( self ) : a = g ( ) h ( a , a )",
    ),
    (
        "an attribute that is always the same becomes its value",
        "class A:\n    def f(self):\n        self.a = g\n    def i(self):\n        return h(self.a, self.a)\n",
        &["def f ( self ) : self . a = g def i ( self ) : return h ( self . a , self . a ) \
           | def i ( self ) : return h ( g , g )"],
        "def i ( self ) : return h ( g , g )",
    ),
    (
        "a class becomes its base",
        "class A:\n    def f(self): g(1)\nclass B(A):\n    def h(self): i(2)\nB().f()\n",
        &["class A : def f ( self ) : g ( 1 ) class B ( A ) : def h ( self ) : i ( 2 ) B ( ) . f ( ) \
           | class A : def f ( self ) : g ( 1 ) def h ( self ) : i ( 2 ) A ( ) . f ( )"],
        "class A : def f ( self ) : g ( 1 ) def h ( self ) : i ( 2 ) A ( ) . f ( )",
    ),
    (
        "a method of a base class is done in place",
        "class A:\n    def f(self, a): g(a)\nclass B(A):\n    def f(self, b): super().f(b)\n",
        &["class A : def f ( self , a ) : g ( a ) class B ( A ) : def f ( self , b ) : super ( ) . f ( b ) \
           | class B ( A ) : def f ( self , b ) : g ( b )"],
        "class B ( A ) : def f ( self , b ) : g ( b )",
    ),
    (
        "a property becomes an attribute",
        "class A:\n    def __init__(self, a): self.a = a\n    @property\n    def b(self): return self.a\nc(A(1).b, 2)\n",
        &[
            "def __init__ ( self , a ) : self . a = a @ property def b ( self ) : return self . a c ( A ( 1 ) . b , 2 ) \
           | def __init__ ( self , a ) : self . b = a c ( A ( 1 ) . b , 2 )",
            "class A",
        ],
        "class A : def __init__ ( self , a ) : self . b = a c ( A ( 1 ) . b , 2 )",
    ),
    (
        "an object becomes what it wraps",
        "class A:\n    def __init__(self, b): self.a = b\nc(A(1).a, 2)\n",
        &["class A : def __init__ ( self , b ) : self . a = b c ( A ( 1 ) . a , 2 ) \
           | def A ( b ) : return b c ( A ( 1 ) , 2 )"],
        "def A ( b ) : return b c ( A ( 1 ) , 2 )",
    ),
    (
        "a condition says when a loop ends",
        "while True:\n    if a(): break\n    b(2)\n",
        &["while True : if a ( ) : break b ( 2 ) | while not ( a ( ) ) : b ( 2 )"],
        "while not ( a ( ) ) : b ( 2 )",
    ),
    (
        "an assignment of several values becomes several assignments",
        "a, b = c(1), d(2)\n",
        &["a , b = c ( 1 ) , d ( 2 ) | a = c ( 1 ) b = d ( 2 )"],
        "a = c ( 1 ) b = d ( 2 )",
    ),
    (
        "a loop that yields its elements becomes what it goes through",
        "def f(a):\n    for b in g(a): yield b\nprint(*f(1))\n",
        &["def f ( a ) : for b in g ( a ) : yield b print ( * f ( 1 ) ) \
            | def f ( a ) : return g ( a ) print ( * f ( 1 ) ) | print ( * g ( 1 ) )"],
        "print ( * g ( 1 ) )",
    ),
    (
        "a loop becomes one round of it",
        "for a in [2, b]:\n    f(a)\n    g(a, a)\n",
        &["for a in [ 2 , b ] : f ( a ) g ( a , a ) | a = b f ( a ) g ( a , a ) | f ( b ) g ( b , b )"],
        "f ( b ) g ( b , b )",
    ),
    (
        "a variable that is set again is replaced by its value until then",
        "a = c(1)\na = d(a, 2)\ne(a)\n",
        &["a = c ( 1 ) a = d ( a , 2 ) e ( a ) | a = d ( c ( 1 ) , 2 ) e ( a )"],
        "a = d ( c ( 1 ) , 2 ) e ( a )",
    ),
    (
        "a word goes from all strings",
        "assert f('ab cd') == ['ab', 'x']\n",
        &["assert f ( 'ab cd' ) == [ 'ab' , 'x' ] | assert f ( ' cd' ) == [ '' , 'x' ]"],
        "assert f ( ' cd' ) == [ '' , 'x' ]",
    ),
    (
        "an import goes with its names",
        "import os\nfrom sys import path as p\nprint(os.sep, p)\nx(1)\n",
        &["x ( 1 )"],
        "x ( 1 )",
    ),
    ("a function goes with its calls", "def f(a):\n    return a\ny = f(1)\nx(1)\n", &["x ( 1 )"], "x ( 1 )"),
    (
        "an attribute goes with its uses",
        "class A:\n    def f(self):\n        self.a = 1\n        self.b = 2\n    def g(self):\n        return x(self.b, self.a)\n",
        &["class", "def g ( self", "return x (", "self . b"],
        "class A : def g ( self ) : return x ( self . b )",
    ),
    (
        "decorators, annotations, docstrings and defaults go",
        "@d\ndef f(a: int = 1, *r, **k) -> str:\n    'doc'\n    return a\n",
        &["def f ( a", "return a"],
        "def f ( a ) : return a",
    ),
    (
        "base classes and keywords of calls go",
        "class A(B, metaclass=C):\n    x = f(1, key=2)\n",
        &["class A", "x = f ( 1"],
        "class A : x = f ( 1 )",
    ),
    (
        "blocks become what is in them",
        "with a as b:\n    try:\n        for c in d:\n            while e:\n                f(1)\n    except E:\n        pass\n    finally:\n        g()\n",
        &["f ( 1 )"],
        "f ( 1 )",
    ),
    (
        "an elif chain becomes a branch",
        "if a:\n    b()\nelif c:\n    d()\nelse:\n    e()\n",
        &["d ( )"],
        "d ( )",
    ),
    (
        "a match becomes a case",
        "match a:\n    case 1:\n        b()\n    case _:\n        c()\n",
        &["c ( )"],
        "c ( )",
    ),
    (
        "async goes",
        "async def f():\n    async with a:\n        await b\n",
        &["def f", "with a", "b"],
        "def f ( ) : with a : b",
    ),
    (
        "a comprehension becomes its element or what it goes through",
        "x = [f(a) for a in b if c]\ny = {d for d in e}\n",
        &["x = [ f | x = f", "y = { d for d in e | y = e"],
        "x = f y = e",
    ),
    ("a lambda becomes its body", "x = lambda a: g(1)\n", &["x = lambda a : g | x = g"], "x = g"),
    ("an f-string becomes a string", "x = f'{a}' + 'b'\n", &["x = f'{a}' + | x = 0 +", "'b'"], "x = 0 + 'b'"),
    ("an f-string becomes its expression", "x = f'{a}b'\n", &["x = f'{a}b' | x = a"], "x = a"),
    (
        "a call becomes an argument, the receiver or the callee",
        "x = f(a)\ny = b.g(c)\nz = h(d)\n",
        &["x = f ( a | x = a", "y = b", "z = h"],
        "x = a y = b z = h",
    ),
    ("attributes, subscripts and slices go", "x = a.b[1:2].c[d]\n", &["x = a"], "x = a"),
    (
        "unpacking becomes a single target",
        "a, b = c\n(d, *e) = f\n",
        &["a , b = | b = ", "c", "( d , * e ) = f | d = f"],
        "b = c d = f",
    ),
    ("a chain of comparisons becomes one", "x = a < b < c\n", &["x = a < b < c | x = b < c"], "x = b < c"),
    ("a walrus becomes its value", "x = (y := f)\n", &["x = ( y := f | x = f"], "x = f"),
    (
        "values of returns go",
        "def f():\n    if a: return b(1)\n    yield c\n    raise d\n    assert e, g\n",
        &["def f", "return", "yield", "raise", "assert e"],
        "def f ( ) : return yield raise assert e",
    ),
    (
        "a method becomes a function",
        "class A:\n    @staticmethod\n    def f(a):\n        return g\n",
        &["def f ( a )", "return g"],
        "def f ( a ) : return g",
    ),
    (
        "a nested function is hoisted",
        "def f():\n    def h(a):\n        return g\n",
        &["def h ( a )", "return g"],
        "def h ( a ) : return g",
    ),
    (
        "an import of a name becomes one of the module",
        "from a import b, c\nx = b\n",
        &["from a import b | import a"],
        "import a",
    ),
    (
        "a fixture becomes what it returns",
        "@pytest.fixture\ndef a():\n    yield g(1)\ndef test(a): f(a)\n",
        &["@ pytest . fixture def a ( ) : yield g ( 1 ) def test ( a ) : f ( a ) \
            | def a ( ) : return g ( 1 ) def test ( ) : f ( a ( ) ) | def test ( ) : f ( g ( 1 ) )"],
        "def test ( ) : f ( g ( 1 ) )",
    ),
    (
        "a parametrisation becomes one of its rows",
        "@mark.parametrize('a, b', [(1, 2), (3, 4)])\ndef test(a, b): f(a, b)\n",
        &[
            "@ mark . parametrize ( 'a, b' , [ ( 1 , 2 ) , | @ mark . parametrize ( 'a, b' , [ ( 3 | f ( 3",
            "4 ) ] ) def test ( a , b ) : f ( a , b ) | def test ( ) : f ( 3 , 4 )",
        ],
        "def test ( ) : f ( 3 , 4 )",
    ),
    (
        "what is done before each test is done in the test",
        "class A(TestCase):\n    def setUp(self): self.a = g(1)\n    def test(self): f(self.a)\n",
        &[
            "class A ( TestCase )",
            "def setUp ( self ) : self . a = g ( 1 ) def test ( self ) : f ( self . a ) \
            | def test ( self ) : self . a = g ( 1 ) f ( self . a )",
        ],
        "class A ( TestCase ) : def test ( self ) : self . a = g ( 1 ) f ( self . a )",
    ),
    (
        "a method becomes a function, and its class goes",
        "class A:\n    def f(self, a):\n        g(self)\n        return a\nb = A().f(2)\n",
        &[
            "class A : def f ( self , a ) : g ( self ) return a b = A ( ) . f ( 2 ) \
            | return a class A : pass b = f ( A ( ) , 2 ) | return a class A : pass b = f ( 0 , 2 ) \
            | return a b = f ( 0 , 2 )",
            "def f ( self , a ) : g ( self ) return a",
        ],
        "def f ( self , a ) : g ( self ) return a b = f ( 0 , 2 )",
    ),
    (
        "a method that only returns something is inlined",
        "class A:\n    def f(self, a): return g(self.b, a)\nprint(c.f(2))\n",
        &["class A : def f ( self , a ) : return g ( self . b , a ) print ( c . f ( 2 ) ) \
            | class A : pass print ( g ( c . b , 2 ) ) | print ( g ( c . b , 2 ) )"],
        "print ( g ( c . b , 2 ) )",
    ),
    (
        "a generator becomes a list of its element",
        "x = sum(1 for a in b)\n",
        &["x = sum ( 1 for | x = sum ( [ 1"],
        "x = sum ( [ 1 ] )",
    ),
    (
        "an import of a module becomes one of all its names",
        "import a.b\na.b.c(a.b.d, a.b.e)\n",
        &["import a . b a . b . c ( a . b . d , a . b . e ) | import * c ( d , e )", "a . b"],
        "from a . b import * c ( d , e )",
    ),
    (
        "an import of some names becomes one of all",
        "from a import (b, c)\nx = b\n",
        &["from a", "b | *"],
        "from a import *",
    ),
    (
        "an assignment of a target and something else becomes one with an operator",
        "x = x ** 2\n",
        &["x = x ** 2 | x **= 2"],
        "x **= 2",
    ),
    (
        "a comparison that holds in more cases lets an assignment go",
        "b = 0\nif c == 1: b = 0\nelse: g(b)\n",
        &["b = 0 if c == 1 | b = 0 if c <= 1 | if c <= 1", "1 : b = 0 else : g ( b )"],
        "if c <= 1 : b = 0 else : g ( b )",
    ),
    (
        "an expression becomes the simplest constant",
        "x = f(a + b, [c, d])\n",
        &["x = f ( a + b , | x = f ( 0 ,", ", [ c , d ] ) | , 0 )"],
        "x = f ( 0 , 0 )",
    ),
    (
        "an operand stands for the whole",
        "x = a and not b or c\n",
        &["x = a and not b | x = not b | x = b"],
        "x = b",
    ),
    (
        "all uses of a variable become a constant",
        "a = f()\nx(a, 1)\ny(a, 2)\n",
        &["x ( a , 1 | x ( 0 , 1", "y ( a , 2 | y ( 0 , 2"],
        "x ( 0 , 1 ) y ( 0 , 2 )",
    ),
    (
        "a function is inlined",
        "def f(a):\n    g(a)\n    h(a)\nf(1)\n",
        &["g ( a | g ( 1", "h ( a | h ( 1", "f ( 1 | g ( 1"],
        "g ( 1 ) h ( 1 )",
    ),
    (
        "global declarations go",
        "def f():\n    global a\n    a = 1\n",
        &["def f", "a = 1"],
        "def f ( ) : a = 1",
    ),
    ("a type annotation loses its parts", "x: Dict[str, List[int]] = f\n", &["x : Dict"], "x : Dict"),
];

/// Programs that must grow for a while before they shrink; otherwise as above.
type Pump = (&'static str, &'static str, &'static [&'static str], &'static str, &'static str);

const PUMPS: &[Pump] = &[
    (
        "a macro with parameters is expanded",
        "#define F(a) g(a, a, a)\nint c = F(3) + F(4) + F(5) + F(6);\n",
        &[
            "# define F ( a ) g ( a , a , a ) int c = F ( 3 ) + F ( 4 ) + F ( 5 ) + F ( 6 ) ; | int c = g ( 3",
            "F ( 4 | + g ( 4",
            "F ( 5 | + g ( 5",
            "F ( 6 | + g ( 6",
        ],
        "int c = g ( 3 , 3 , 3 ) + g ( 4 , 4 , 4 ) + g ( 5 , 5 , 5 ) + g ( 6 , 6 , 6 ) ;",
        "int c = g ( 3 ) + g ( 4 ) + g ( 5 ) + g ( 6 ) ;",
    ),
    (
        "a parameter becomes a local variable with its argument",
        "void f(float a) { g(&a); } int main() { f(1); }",
        &["void f ( float a ) { g ( & a ) ; } int main ( ) { f ( 1 ) ; \
            | f ( ) { float a = 1 ; g ( & a ) ; } int main ( ) { f ( ) ; \
            | main ( ) { float a = 1 ; g ( & a ) ; | main ( ) { { float a = 1 ; g ( & a ) ;"],
        "f ( ) { float a = 1 ;",
        "main ( ) { float a = 1 ; g ( & a ) ; }",
    ),
    (
        "a call is lifted out of another one",
        "int main() { h(1, k(2, f(1))); }",
        &["main ( ) { h ( 1 , k ( 2 , f ( 1 ) ) ) ; | main ( ) { f ( 1 ) ; h ("],
        "f ( 1 ) ; h ( 1 , k ( 2 , 0 ) ) ;",
        "main ( ) { f ( 1 ) ; h ( ) ; }",
    ),
    (
        "an assignment is lifted out of a call",
        "int main() { h(1, k(2, x = f(1))); }",
        &["main ( ) { h ( 1 , k ( 2 , x = f ( 1 ) ) ) ; | main ( ) { x = f ( 1 ) ; h ("],
        "x = f ( 1 ) ; h ( 1 , k ( 2 , x ) ) ;",
        "main ( ) { x = f ( 1 ) ; h ( ) ; }",
    ),
    (
        "a loop becomes two rounds",
        "int main() { while (a) f(b); }",
        &[
            "main ( ) { while ( a ) f ( b ) ; | main ( ) { f ( b ) ; f ( b ) ; | main ( ) { f ( ) ; f ( b ) ; | main ( ) { f ( ) ; f ( ) ;",
        ],
        "f ( b ) ; f ( b ) ;",
        "main ( ) { f ( ) ; f ( ) ; }",
    ),
    (
        "a union becomes a structure",
        "union u { float a; int b; } x;",
        &[
            "union u { float a ; int b ; } x ; | struct u { float a ; int b ; } x ; | struct u { float a ; } x ;",
        ],
        "struct u { float a ; int b ; } x ;",
        "struct u { float a ; } x ;",
    ),
];

fn joined(language: &str, text: &[u8]) -> String {
    tokens(language, text)
        .iter()
        .map(|t| String::from_utf8_lossy(t).into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether the grammar accepts a text that contains all these parts.
pub(crate) fn keeps(language: &str, text: &[u8], keep: &[&str]) -> bool {
    let words = joined(language, text);
    let has = |keep: &&str| keep.split(" | ").any(|one| words.contains(one.trim()));
    named(language).unwrap_or(&TEXT).parse(text).errors == 0 && keep.iter().all(has)
}

pub(crate) fn check(language: &str, lines: &[Line]) {
    let mut wrong = String::new();
    for (name, before, keep, after) in lines {
        assert!(keeps(language, before.as_bytes(), keep), "{name}: the program has not what must stay");
        let result = reduced(language, before, |text| keeps(language, text, keep));
        let left = joined(language, result.as_bytes());
        if left != *after {
            wrong += &format!("{name}:\n    {left}\n    instead of\n    {after}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn programs_that_grow_for_a_while_are_reduced_to_the_listed_tokens() {
    let mut wrong = String::new();
    for (name, before, keep, grown, after) in PUMPS {
        assert!(keeps("c", before.as_bytes(), keep), "{name}: the program has not what must stay");
        let measure = |text: &[u8]| Measure::of(text, named("c").unwrap_or(&TEXT).lexis());
        let smallest = Mutex::new(measure(before.as_bytes()));
        let has_grown = AtomicBool::new(false);
        let result = reduced("c", before, |text| {
            let keeps = keeps("c", text, keep);
            let mut smallest = smallest.lock().unwrap();
            if keeps && measure(text) > *smallest && joined("c", text).contains(grown) {
                has_grown.store(true, Ordering::Relaxed);
            }
            *smallest = measure(text).min(*smallest);
            keeps
        });
        let left = joined("c", result.as_bytes());
        if left != *after || !has_grown.into_inner() {
            wrong += &format!("{name}:\n    {left}\n    instead of\n    {after}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn sizes_and_bounds_become_as_small_as_possible() {
    let least = |text: &[u8], before: &str, least: u32| {
        let words = joined("c", text);
        let number = words.split_once(before).and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        number.is_some_and(|number: u32| number >= least)
    };
    let keep = |text: &[u8]| {
        keeps("c", text, &["] ; int main ( ) {", "; i ++ ) f ( a )"])
            && least(text, "float a [ ", 37)
            && least(text, "for ( ; i < ", 13)
    };
    let result = reduced("c", "float a[100]; int main() { for (; i < 200; i++) f(a); }", keep);
    assert_eq!(
        joined("c", result.as_bytes()),
        "float a [ 37 ] ; int main ( ) { for ( ; i < 13 ; i ++ ) f ( a ) ; }"
    );
}

#[test]
fn c_programs_are_reduced_to_the_listed_tokens() {
    check("c", C);
}

#[test]
fn cpp_programs_are_reduced_to_the_listed_tokens() {
    check("cpp", CPP);
}

#[test]
fn python_programs_are_reduced_to_the_listed_tokens() {
    check("python", PYTHON);
}
