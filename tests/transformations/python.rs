//! Transformations in Python.

use super::Line;

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
        "a call gets the function that it runs in its context",
        "with a.b(c):\n    d.e(f, g=1)\n",
        &["with a . b ( c ) : d . e ( f , g = 1 ) | a . b ( c , d . e , f , g = 1 )"],
        "a . b ( c , d . e , f , g = 1 )",
    ),
    (
        "a call runs the code of a function that only it gets",
        "def f():\n    with g(): h\n    i\na.b(c, f)\n",
        &["def f ( ) : with g ( ) : h i a . b ( c , f ) | with a . b ( c ) : with g ( ) : h i"],
        "with a . b ( c ) : with g ( ) : h i",
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
