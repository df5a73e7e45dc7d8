//! The effects of all passes together: one line per transformation that users of other reducers know.

mod others;
mod python;

pub(crate) use self::python::PYTHON;
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
        "a function returns a type of a library, and the members of the class go",
        "struct s { int m(); int n(); int o(); }; std::string t(); s f(); s g();",
        &[
            "struct s",
            "s g ( )",
            "std :: string t ( )",
            "struct s { int m ( ) ; int n ( ) ; int o ( ) ; } ; | std :: string f ( )",
            "s f ( ) | std :: string f ( )",
        ],
        "std :: string t ( ) ; std :: string f ( ) ; struct s g ( ) ;",
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
        "an expression becomes a variable that is visible there",
        "void f(int a) { a++; g(h(1) + 2); }",
        &["void f ( int a ) {", "g ( h ( 1 ) + 2 ) | g ( a )"],
        "void f ( int a ) { g ( a ) ; }",
    ),
    (
        "a use finds another variable, and the first one goes",
        "int f(int a, int b) { return a + b * b; }",
        &["int f ( int a , int b ) { return a + b * b ; } | int f ( int a , int b ) { return b + b * b ; } \
            | int f ( int b ) { return b + b * b ; }"],
        "int f ( int b ) { return b + b * b ; }",
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
