//! Transformations in languages other than C, C++ and Python.

use super::{Line, check};
use lopper::languages::named;

/// Transformations, each behind the name of its language.
const OTHERS: &[(&str, Line)] = &[
    (
        "java",
        (
            "a body that must return becomes a stub",
            "class A { B f(int b) { C c = g(b); return c.d(b); } }",
            &[
                "class A { B f ( int b ) { C c = g ( b ) ; return c . d ( b ) ; } } | class A { B f ( int b ) { throw null ; } }",
            ],
            "class A { B f ( int b ) { throw null ; } }",
        ),
    ),
    (
        "csharp",
        (
            "a body that must return becomes a stub",
            "class A { B F(int b) { var c = G(b); return c.D(b); } }",
            &[
                "class A { B F ( int b ) { var c = G ( b ) ; return c . D ( b ) ; } } | class A { B F ( int b ) { throw null ; } }",
            ],
            "class A { B F ( int b ) { throw null ; } }",
        ),
    ),
    (
        "kotlin",
        (
            "a value that must have a type becomes a stub",
            "fun f(a: A): B = g(a, h(a))",
            &["fun f ( a : A ) : B = g ( a , h ( a ) ) | fun f ( a : A ) : B = TODO ( )"],
            "fun f ( a : A ) : B = TODO ( )",
        ),
    ),
    (
        "typescript",
        (
            "a body that must return becomes a stub",
            "function f(a: A): B { const c = g(a); return c.d(a); }",
            &[
                "function f ( a : A ) : B { const c = g ( a ) ; return c . d ( a ) ; } | function f ( a : A ) : B { throw 0 }",
            ],
            "function f ( a : A ) : B { throw 0 }",
        ),
    ),
    (
        "javascript",
        (
            "what a method returns is asked of the object that it was called on",
            "class A { f(a) { return this.b + a; } } g(x.y.f(2));",
            &[
                "class A { f ( a ) { return this . b + a ; } } g ( x . y . f ( 2 ) ) ; | g ( x . y . b + 2 ) ;",
            ],
            "g ( x . y . b + 2 ) ;",
        ),
    ),
    (
        "php",
        (
            "a variable is replaced by its value",
            "<?php function f($a) { $b = $a[1]; return $b->c * 2; }",
            &[
                "<?php function f ( $a ) { $b = $a [ 1 ] ; return $b -> c * 2 ; } | <?php function f ( $a ) { return $a [ 1 ] -> c * 2 ; }",
            ],
            "<?php function f ( $a ) { return $a [ 1 ] -> c * 2 ; }",
        ),
    ),
    (
        "javascript",
        (
            "a value finds a smaller use",
            "function f(a) { log(\"%s\", a.b, 2); }",
            &["function f (", "log ( \"%s\" , a . b , 2 ) | return a . b"],
            "function f ( ) { return a . b }",
        ),
    ),
    (
        "javascript",
        (
            "a loop becomes one round of it",
            "for (const a of [2, b]) { f(a); g(a, a); }",
            &[
                "for ( const a of [ 2 , b ] ) { f ( a ) ; g ( a , a ) ; } | { const a = b ; f ( a ) ; g ( a , a ) ; }",
            ],
            "{ const a = b ; f ( a ) ; g ( a , a ) ; }",
        ),
    ),
    (
        "rust",
        (
            "a loop becomes one round of it",
            "fn f() { for a in g(3) { h(a, a); } }",
            &["fn f ( ) {", "for a in g ( 3 ) { h ( a , a ) ; } | let a = 3 ; h ( a , a ) ;"],
            "fn f ( ) { let a = 3 ; h ( a , a ) ; }",
        ),
    ),
    (
        "go",
        (
            "a condition becomes a statement",
            "package a\n\nfunc f() {\n\tfor b(1) {\n\t\tc(2)\n\t}\n}\n",
            &["package a", "func f ( ) {", "for b ( 1 ) { c ( 2 ) } | b ( 1 ) c ( 2 )"],
            "package a func f ( ) { b ( 1 ) c ( 2 ) }",
        ),
    ),
    (
        "go",
        (
            "what loses its last use goes with it",
            "package a\n\nimport (\n\t\"b\"\n\t\"c/d\"\n)\n\nfunc f() {\n\tx := d.E()\n\tb.G(x, 1)\n\th(2)\n}\n",
            &[
                "package a import ( \"b\" \"c/d\" ) func f ( ) { x := d . E ( ) b . G ( x , 1 ) h ( 2 ) } | package a import ( ) func f ( ) { h ( 2 ) } | package a func f ( ) { h ( 2 ) }",
            ],
            "package a func f ( ) { h ( 2 ) }",
        ),
    ),
    (
        "php",
        (
            "a call becomes what is returned",
            "<?php\nfunction f($a) { return $a + 1; }\necho f($b);\n",
            &["<?php", "function f ( $a ) { return $a + 1 ; } echo f ( $b ) | echo $b + 1"],
            "<?php echo $b + 1 ;",
        ),
    ),
    (
        "csharp",
        (
            "a type parameter goes with its arguments",
            "class A<T> { T t; } class B { A<string> a; A<string> b; }",
            &[
                "class A < T > { T t ; } class B { A < string > a ; A < string > b ; } | class A { string t ; } class B { A a ; A b ; }",
            ],
            "class A { string t ; } class B { A a ; A b ; }",
        ),
    ),
    (
        "csharp",
        (
            "a class and its base become one",
            "class A { int a() { return 1; } } class B : A { int b() { return a(); } }",
            &[
                "class A { int a ( ) { return 1 ; } } class B : A { int b ( ) { return a ( ) ; } } | class B { int b ( ) { return a ( ) ; } int a ( ) { return 1 ; } } | class A { int a ( ) { return 1 ; } int b ( ) { return a ( ) ; } }",
            ],
            "class A { int a ( ) { return 1 ; } int b ( ) { return a ( ) ; } }",
        ),
    ),
    (
        "kotlin",
        (
            "a type parameter goes with its arguments",
            "class A<T> { var t: T? = null }\nfun f(a: A<String>, b: A<String>) {}\n",
            &[
                "class A < T > { var t : T ? = null } fun f ( a : A < String > , b : A < String > ) | class A { var t : String ? = null } fun f ( a : A , b : A )",
            ],
            "class A { var t : String ? = null } fun f ( a : A , b : A )",
        ),
    ),
    (
        "kotlin",
        (
            "a call becomes what is returned",
            "fun f(a: Int) = a + 1\nfun g(b: Int) { print(f(b)) }\n",
            &[
                "{ print ( f ( b ) ) } | { print ( b + 1 ) }",
                "fun f ( a : Int ) = a + 1 | print ( b + 1 )",
                "fun g ( b : Int )",
            ],
            "fun g ( b : Int ) { print ( b + 1 ) }",
        ),
    ),
    (
        "typescript",
        (
            "a value finds a smaller use",
            "function f(a: any): any { log(2, a.b); }",
            &["function f (", "log ( 2 , a . b ) | return a . b"],
            "function f ( ) { return a . b }",
        ),
    ),
];

#[test]
fn programs_in_other_languages_are_reduced_to_the_listed_tokens() {
    for (language, line) in OTHERS {
        match named(language) {
            Some(_) => check(language, std::slice::from_ref(line)),
            None => eprintln!("{language} is not in this build: '{}' is skipped", line.0),
        }
    }
}
