//! Replaces a function by a variable: of the type that it returns or that one of its parameters has, or with the value that it
//! returns. A compiler that fails on a type fails on it wherever it stands, and a variable is the smallest place for it.

use crate::functions::{Function, functions, items_of, mentions, name_in, part};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::bindings::{Call, Place};
use lopper_languages::edit::FileId;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::iter::once;

pub(crate) const PASS: Pass = Pass {
    name: "typed-variables",
    summary: "replaces a function by a variable with its result's type or value, or with a parameter's type, and its calls by the variable",
    languages: &["c", "cpp", "csharp", "go", "java", "javascript", "python", "rust", "typescript"],
    grain: Grain::Coarse,
    examples: &[
        Example {
            language: "c",
            before: "struct A { int b; };\nstruct A *f(int a) { return 0; }\nint g() { f(1); return f(2)->b; }\n",
            keep: &["struct A { int b; };", "int g() {", "return f", "->b"],
            after: "struct A { int b; };\nstruct A *f;\nint g() { return f->b; }\n",
        },
        Example {
            language: "cpp",
            before: "template <class T> struct A {};\nvoid f(int a, A<int> &b) { g(); }\nvoid g() { A<int>() + 1; }\n",
            keep: &["template <class T> struct A {};", "A<int> &b", "g", "A<int>() + 1"],
            after: "template <class T> struct A {};\nA<int> &b;\nauto g = A<int>() + 1;\n",
        },
        Example {
            language: "csharp",
            before: "class A {\n    B<int>[] F(int a) { return null; }\n    int G() { return F(1).Length; }\n}\n",
            keep: &["class A", "B<int>[] F", "int G() { return F", ".Length"],
            after: "class A {\n    B<int>[] F;\n    int G() { return F.Length; }\n}\n",
        },
        Example {
            language: "go",
            before: "package p\n\ntype a[T any] struct{}\n\nfunc f(b int) a[int] { return g() }\n",
            keep: &["type a[T any] struct{}", " a[int]"],
            after: "package p\n\ntype a[T any] struct{}\n\nvar f a[int]\n",
        },
        Example {
            language: "java",
            before: "class A {\n    java.util.List<String> f(int a) { return null; }\n    int g() { f(1); return f(2).size(); }\n}\n",
            keep: &["class A", "List<String>", "int g() {", "return f", ".size()"],
            after: "class A {\n    java.util.List<String> f;\n    int g() { return f.size(); }\n}\n",
        },
        Example {
            language: "javascript",
            before: "function f(a) {}\nfunction g() { return h(); }\ni(f, f(1), g);\n",
            keep: &["i(f, f", "g", "h()"],
            after: "var f;\nvar g = h();\ni(f, f, g);\n",
        },
        Example {
            language: "python",
            before: "def f(a: list[int]):\n    g()\ndef h() -> \"i\":\n    return j()[1]\ndef k():\n    pass\n",
            keep: &[": list[int]", "\"i\"", "j()[1]", "k"],
            after: "a: list[int]\nh: \"i\" = j()[1]\nk = 0\n",
        },
        Example {
            language: "rust",
            before: "struct A<T>(T);\nfn f<T>(a: u8) -> A<T> { g(a) }\n",
            keep: &["struct A<T>(T);", " A<T>"],
            after: "struct A<T>(T);\ntype f<T> = A<T>;\n",
        },
        Example {
            language: "typescript",
            before: "function f(a: number): A<B>[] { throw 0; }\nclass C { h(): D<E> { return i(); } }\nj = f(1).k;\n",
            keep: &["A<B>[]", "class C {", "D<E>", "i()", "j = f", ".k"],
            after: "let f: A<B>[];\nclass C { h: D<E> = i(); }\nj = f.k;\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// How a language declares a variable, if not like a function without parameters: by a keyword, the name, a mark, the type, and an end.
struct Form {
    keyword: &'static str,
    mark: &'static str,
    end: &'static str,
    /// What a variable has that has neither a type nor a value; `None` if it must have one.
    nothing: Option<&'static str>,
}

fn form(language: &str) -> Option<Form> {
    match language {
        "go" => Some(Form { keyword: "var ", mark: " ", end: "", nothing: None }),
        "javascript" => Some(Form { keyword: "var ", mark: ": ", end: ";", nothing: Some("") }),
        "python" => Some(Form { keyword: "", mark: ": ", end: "", nothing: Some(" = 0") }),
        // A variable would need a value, and another name for a type needs none.
        "rust" => Some(Form { keyword: "type ", mark: " = ", end: ";", nothing: None }),
        "typescript" => Some(Form { keyword: "let ", mark: ": ", end: ";", nothing: Some("") }),
        _ => None,
    }
}

/// The type of a variable whose value may have any type, or nearly so.
fn any_type(language: &str) -> &'static str {
    match language {
        "cpp" => "auto",
        "csharp" => "object",
        "java" => "Object",
        _ => "int",
    }
}

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        functions(file).into_iter().map(move |function| ways(file, &function)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// A variable with the type or value of the result, or with the type of a parameter if nothing uses the function.
fn ways(file: File<'_>, function: &Function<'_>) -> Vec<Unit> {
    let definition = &file.bindings().definitions()[function.definition];
    // Another declaration of the function would have to go with it.
    let ([place], [node]) = (&definition.places[..], &function.nodes[..]) else { return Vec::new() };
    let Some(list) = part(&file, *node, Role::Parameters) else { return Vec::new() };
    let body = file.descendants(place.whole).find(|&n| file.has(n, Role::Body));
    let is_little = body.is_none_or(|body| file.tokens_in(file.range(body)).len() <= LITTLE);
    let declared = Declared { file, form: form(file.language().name()), place: *place, node: *node, list };
    let bare = is_little.then(|| declared.with_result(None));
    let is_outside = |id: FileId, n: NodeId| id != file.id || !file.is_within(n, place.whole);
    let value = body.and_then(|body| only_value(file, body, list));
    let results = bare.into_iter().chain(value.map(|value| declared.with_result(Some(value)))).flatten();
    if !definition.uses.iter().any(|used| is_outside(used.file, used.name)) {
        let parameters = items_of(&file, list).into_iter().filter(|_| is_little);
        let parameters = parameters.filter_map(|parameter| declared.with_parameter(parameter));
        return results.chain(parameters).collect();
    }
    if declared.is_alias() || definition.uses.iter().any(|used| used.file != file.id) {
        return Vec::new();
    }
    let calls = function.calls.iter().filter(|call| is_outside(call.file, call.whole));
    let calls: Vec<Unit> = calls.map(|call| without_arguments(file, call)).collect();
    results.map(|result| Unit::together(once(result).chain(calls.iter().cloned()))).collect()
}

/// Other passes have emptied the bodies of functions, or made stubs of them, if what is in them does not matter: a body with more
/// tokens has to stay.
const LITTLE: usize = 6;

/// The value in a body that only returns or computes one, unless it depends on a parameter.
fn only_value(file: File<'_>, body: NodeId, list: NodeId) -> Option<NodeId> {
    let [statement] = items_of(&file, body)[..] else { return None };
    let [value] = items_of(&file, statement)[..] else { return None };
    let depends = |&parameter: &NodeId| !mentions(file, value, parameter).is_empty();
    let is_value = file.has(value, Role::Expression) && !items_of(&file, list).iter().any(depends);
    is_value.then_some(value)
}

/// A call becomes the name of what it calls, which is no statement in most languages.
fn without_arguments(file: File<'_>, call: &Call) -> Unit {
    let statement = file.parent(call.whole).filter(|&n| {
        file.has(n, Role::Statement)
            && file.named_children(n).count() == 1
            && !file.has(call.whole, Role::Returned)
    });
    let arguments = part(&file, call.whole, Role::Arguments).unwrap_or(call.whole);
    file.drop(statement.unwrap_or(arguments))
}

/// A function that becomes a variable.
struct Declared<'a> {
    file: File<'a>,
    form: Option<Form>,
    /// The only declaration of the function.
    place: Place,
    node: NodeId,
    list: NodeId,
}

impl Declared<'_> {
    /// Whether the language has no variables without a value, so that another name for the type has to do.
    fn is_alias(&self) -> bool {
        self.file.language().name() == "rust"
    }

    /// A variable with the type that the function returns, and with this value.
    fn with_result(&self, value: Option<NodeId>) -> Option<Unit> {
        let file = self.file;
        let whole = file.range(self.place.whole);
        let value = value.map_or(vec![], |value| [b" = ", file.node_text(value)].concat());
        let Some(Form { keyword, mark, end, nothing }) = &self.form else {
            let owners = once(self.node).chain(file.ancestors(self.node));
            let mut owners = owners.take_while(|&n| file.is_within(n, self.place.whole));
            let typed = owners.find_map(|n| file.children(n).find(|&n| file.has(n, Role::Type)));
            let is_void = typed.filter(|&n| file.node_text(n) == b"void");
            if value.is_empty() && (typed.is_none() || is_void.is_some()) {
                return None;
            }
            let any = is_void.map(|typed| file.replace(typed, any_type(file.language().name())));
            let variable = file.write(file.range(self.list).start..whole.end, [&value, &b";"[..]].concat());
            return Some(Unit::together(any.into_iter().chain([variable])));
        };
        let behind = file.children(self.node).skip_while(|&n| n != self.list).skip(1);
        let behind = behind.take_while(|&n| !file.has(n, Role::Body));
        // A type of TypeScript stands in an annotation.
        let mut behind = behind.flat_map(|n| once(n).chain(file.named_children(n)));
        let typed = behind.find(|&n| file.has(n, Role::Type));
        let typed = typed.map(|typed| [mark.as_bytes(), file.node_text(typed)].concat());
        if self.is_alias() && !value.is_empty() {
            return None;
        }
        let value = if typed.is_none() && value.is_empty() { (*nothing)?.into() } else { value };
        let is_member = file.parent(self.place.whole).is_some_and(|n| file.has(n, Role::Members));
        let keyword = if is_member { "" } else { keyword };
        let name = &file.text()[file.range(self.place.name).start..file.range(self.list).start];
        let typed = typed.unwrap_or_default();
        Some(file.write(whole, [keyword.as_bytes(), name, &typed, &value, end.as_bytes()].concat()))
    }

    /// A variable with the type of a parameter.
    fn with_parameter(&self, parameter: NodeId) -> Option<Unit> {
        let file = self.file;
        let typed = once(parameter).chain(file.descendants(parameter)).find(|&n| file.has(n, Role::Type))?;
        let text = match &self.form {
            None => [file.node_text(parameter), b";"].concat(),
            Some(Form { keyword, mark, end, .. }) => {
                let name = file.node_text(name_in(file, parameter)?);
                [keyword.as_bytes(), name, mark.as_bytes(), file.node_text(typed), end.as_bytes()].concat()
            }
        };
        Some(file.write(file.range(self.place.whole), text))
    }
}
