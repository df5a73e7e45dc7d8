//! Makes a parameter of a local variable, or of a value of a known type, in a function that nothing calls: where the value
//! came from no longer matters, and what made it may go.

use crate::functions::{Function, functions, name_in, part};
use crate::rust::{head, implemented};
use crate::uses::{free_name, taken_names};
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::Typing;
use lopper_languages::bindings::{Definition, Sort};
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass {
    name: "inputs",
    summary: "makes a parameter of a local variable or value with a known type, in a function that nothing calls",
    // Elsewhere a value needs no type.
    needs: |language| language.has_stubs(),
    pump: true,
    examples: &[
        Example {
            language: "rust",
            before: "struct S;\nimpl S {\n    fn new() -> Self { loop {} }\n    fn f(&mut self) { g() }\n}\nfn g() {}\nfn h(b: u8) {\n    let mut x: Vec<S> = i(1);\n    x.push(S::new());\n}\nfn main() { let a: S = j(); }\n",
            keep: &["fn f(&mut self) { g() }", "fn g() {}", "x.push(", "fn h(b: u8", "a: S = j()"],
            after: "struct S;\nimpl S {\n    fn f(&mut self) { g() }\n}\nfn g() {}\nfn h(b: u8, mut x: Vec<S>, c: S) {\n    x.push(c);\n}\nfn main() { let a: S = j(); }\n",
        },
        Example {
            language: "java",
            before: "class A {\n    int b;\n    void f() {\n        A x = new A();\n        x.b = g();\n        new B(1).h();\n    }\n    int g() { return 1; }\n}\n",
            keep: &["int b;", "x.b = ", ".h();"],
            after: "class A {\n    int b;\n    void f(A x, int a, B c) {\n        x.b = a;\n        c.h();\n    }\n}\n",
        },
        Example {
            language: "go",
            before: "package p\n\nfunc f() int { return 1 }\n\nfunc g() {\n\tvar x []int = h(2)\n\ti(x, f())\n}\n",
            keep: &["i(x, "],
            after: "package p\n\nfunc g(x []int, a int) {\n\ti(x, a)\n}\n",
        },
        Example {
            language: "go",
            before: "package p\n\nvar _ = f[int]\n\nfunc f[T any]() {\n\tvar x T\n\tg(x, <-make(chan T))\n}\n",
            keep: &["_ = f[int]", "g(x, <-"],
            after: "package p\n\nvar _ = f[int]\n\nfunc f[T any](x T, a chan T) {\n\tg(x, <-a)\n}\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// The number of values in a function that are tried.
const VALUES: usize = 16;

fn plan(base: &Base) -> Vec<Group> {
    let ways = PASS.files(base).flat_map(|file| {
        let taken = taken_names(file);
        let (functions, generic) = (functions(file), generic(file));
        let is_free = |function: &&Function<'_>| {
            let definition = &file.bindings().definitions()[function.definition];
            let is_called = |name: NodeId| is_called(file, name);
            !file.uses(definition).any(is_called) && function.nodes.len() == definition.places.len()
        };
        let free = functions.iter().filter(is_free).flat_map(|function| function.nodes.iter().copied());
        free.map(|function| ways(file, function, &generic, &taken)).collect::<Vec<_>>()
    });
    vec![Group::choices(ways).doubtful()]
}

/// Whether arguments follow a name, perhaps behind types: `f(1)`, `a.f(1)`, `f[int](1)`.
fn is_called(file: File<'_>, name: NodeId) -> bool {
    let (start, mut end) = (file.range(name).start, file.range(name).end);
    let callees = std::iter::once(name).chain(file.ancestors(name)).take_while(|&n| {
        let range = file.range(n);
        let is_callee = (range.start == start || range.end == end) && !file.has(n, Role::Statement);
        end = range.end;
        is_callee
    });
    let mut behind = callees.filter_map(|n| file.next_sibling(n));
    behind.any(|n| file.node_text(n).starts_with(b"("))
}

/// The names of type parameters.
fn generic(file: File<'_>) -> BTreeSet<&[u8]> {
    let lists = file.with(Role::TypeParameters);
    let parameters = lists.flat_map(|list| file.descendants(list).filter(|&n| file.has(n, Role::Name)));
    parameters.map(|name| file.node_text(name)).collect()
}

/// All local variables become parameters, or one of them, or a value.
fn ways(file: File<'_>, function: NodeId, generic: &BTreeSet<&[u8]>, taken: &BTreeSet<&[u8]>) -> Vec<Unit> {
    let list = part(&file, function, Role::Parameters).filter(|&list| file.node_text(list).ends_with(b")"));
    let is_owed = file.has(function, Role::Override);
    let Some(list) = list.filter(|_| !is_owed) else { return Vec::new() };
    let name = part(&file, function, Role::FunctionName).or_else(|| name_in(file, function));
    if name.is_some_and(|name| file.node_text(name) == b"main") {
        return Vec::new();
    }
    let inputs = Inputs { file, function, list, generic, taken };
    let inner = inputs.inner();
    let locals: Vec<Local> = inner.iter().filter_map(|&name| inputs.local(name)).collect();
    let is_value = |n: NodeId| {
        file.has(n, Role::Expression) || file.children(n).next().is_some_and(|n| file.node_text(n) == b"new")
    };
    let values = inner.iter().filter(|&&n| is_value(n));
    let set: BTreeSet<NodeId> = locals.iter().filter_map(|local| local.value).collect();
    let values = values.filter(|&n| !set.contains(n));
    let values = values.filter_map(|&value| Some((value, inputs.type_of(value)?))).take(VALUES);
    let mut ways: Vec<Unit> = (locals.len() > 1).then(|| inputs.of_locals(&locals)).into_iter().collect();
    ways.extend(locals.chunks(1).map(|one| inputs.of_locals(one)));
    ways.extend(values.flat_map(|(value, typed)| inputs.of_value(value, &typed)));
    ways
}

/// A function that nothing calls.
struct Inputs<'a, 'b> {
    file: File<'a>,
    function: NodeId,
    list: NodeId,
    generic: &'b BTreeSet<&'a [u8]>,
    taken: &'b BTreeSet<&'a [u8]>,
}

/// A local variable with what declares it as a parameter.
struct Local {
    parameter: Vec<u8>,
    whole: NodeId,
    value: Option<NodeId>,
}

/// The type of a value, and the function that made it if nothing else calls that.
struct Typed {
    text: Vec<u8>,
    maker: Option<NodeId>,
}

impl Inputs<'_, '_> {
    /// The nodes behind the parameters that are not in another function. O(nodes).
    fn inner(&self) -> Vec<NodeId> {
        let file = self.file;
        let mut end = file.range(self.list).end;
        let is_inner = |&node: &NodeId| {
            let range = file.range(node);
            let is_inner = range.start >= end;
            if is_inner && file.has(node, Role::Function) {
                end = range.end;
            }
            is_inner
        };
        file.descendants(self.function).filter(is_inner).collect()
    }

    fn local(&self, name: NodeId) -> Option<Local> {
        let file = self.file;
        let definition = file.definition(name).filter(|d| d.sort == Sort::Variable)?;
        let place = file.places(definition).next().filter(|place| place.name == name)?;
        let whole = Some(place.whole).filter(|&n| n != self.function && file.has(n, Role::Statement))?;
        let value = file.descendants(whole).find(|&n| file.has(n, Role::Value));
        let is_before = |n: &NodeId| value.is_none_or(|value| file.range(*n).end <= file.range(value).start);
        let is_said = |n: &NodeId| !matches!(file.node_text(*n), b"var" | b"_");
        let typed = part(&file, whole, Role::Type).filter(is_before).filter(is_said);
        let parameter = match typed.map(|typed| (file.range(typed), file.range(name))) {
            Some((typed, name)) => {
                let (start, end) = (typed.start.min(name.start), typed.end.max(name.end));
                let before = file.text()[file.range(whole).start..start].trim_ascii_end();
                let mutable: &[u8] = if before.ends_with(b"mut") { b"mut " } else { b"" };
                [mutable, &file.text()[start..end]].concat()
            }
            None => self.declared(file.node_text(name), &self.type_of(value?)?.text),
        };
        Some(Local { parameter, whole, value })
    }

    /// What declares a parameter.
    fn declared(&self, name: &[u8], typed: &[u8]) -> Vec<u8> {
        match self.file.language().typing() {
            Typing::None => name.to_vec(),
            Typing::Before => [typed, b" ", name].concat(),
            Typing::Behind(mark) => [name, mark.as_bytes(), typed].concat(),
        }
    }

    /// The type of a value, if it is spelled somewhere and has no type parameters.
    fn type_of(&self, value: NodeId) -> Option<Typed> {
        let file = self.file;
        // `new A()`, `A { b: 1 }`
        let created = file.named_children(value).next().filter(|&n| file.has(n, Role::Type));
        if let Some(typed) = created {
            let is_array = file.next_sibling(typed).is_some_and(|n| file.node_text(n).starts_with(b"["));
            let definition = file.definition(name_in(file, typed)?);
            let is_bare = name_in(file, typed) == Some(typed);
            let lacks = is_bare && definition.is_some_and(|definition| is_generic(file, definition));
            let text = file.node_text(typed);
            let text = text.strip_suffix(b"<>").unwrap_or(text).to_vec();
            // A type that the function itself writes may be one of its parameters.
            return (!is_array && !lacks).then_some(Typed { text, maker: None });
        }
        let call = file.bindings().call(value)?;
        let Some(definition) = file.definition(call.callee) else {
            // `make([]int, 3)`
            let arguments = file.child_with(value, Role::Arguments)?;
            let typed = file.named_children(arguments).next().filter(|&n| file.has(n, Role::Type))?;
            return Some(Typed { text: file.node_text(typed).to_vec(), maker: None });
        };
        let path = file.parent(call.callee).filter(|&n| n != value);
        if definition.sort == Sort::Type {
            let text = file.node_text(path.unwrap_or(call.callee)).to_vec();
            return (!is_generic(file, definition)).then_some(Typed { text, maker: None });
        }
        let makers = file
            .places(definition)
            .filter_map(|place| file.ancestors(place.name).next().filter(|&n| file.has(n, Role::Function)));
        let makers: Vec<NodeId> = makers.collect();
        let owner = path.and_then(|path| file.children(path).next()).and_then(|owner| head(file, owner));
        let is_of_owner = |&maker: &NodeId| {
            let of = type_around(file, maker).and_then(|of| head(file, of));
            of.zip(owner).is_some_and(|(of, owner)| file.node_text(of) == file.node_text(owner))
        };
        let of_owner: Vec<NodeId> = makers.iter().copied().filter(is_of_owner).collect();
        let makers = if of_owner.is_empty() { makers } else { of_owner };
        let mut texts: Vec<&[u8]> = makers.iter().map(|&n| self.returned(n)).collect::<Option<_>>()?;
        texts.dedup();
        let [text] = texts[..] else { return None };
        let is_single = definition.places.len() == 1 && definition.uses.len() == 1;
        let maker = makers.first().copied().filter(|_| is_single);
        Some(Typed { text: text.to_vec(), maker })
    }

    /// What a function returns.
    fn returned(&self, function: NodeId) -> Option<&[u8]> {
        let file = self.file;
        let typed = file.children(function).filter(|&n| file.has(n, Role::Type)).last()?;
        let is_self = file.node_text(typed) == b"Self";
        let typed = if is_self { type_around(file, function)? } else { typed };
        let text = file.node_text(typed);
        (text != b"void" && self.is_known(typed)).then_some(text)
    }

    fn is_known(&self, typed: NodeId) -> bool {
        let file = self.file;
        let mut nodes = std::iter::once(typed).chain(file.descendants(typed));
        !nodes.any(|n| file.has(n, Role::Name) && self.generic.contains(file.node_text(n)))
    }

    fn of_locals(&self, locals: &[Local]) -> Unit {
        let parameters: Vec<&[u8]> = locals.iter().map(|local| &local.parameter[..]).collect();
        let drops = locals.iter().map(|local| self.file.drop(local.whole));
        Unit::together(drops.chain([self.added(&parameters.join(&b", "[..]))]).collect::<Vec<_>>())
    }

    /// A value gives way to a parameter, with or without the function that made it.
    fn of_value(&self, value: NodeId, typed: &Typed) -> Vec<Unit> {
        let file = self.file;
        let around = file.parent(value);
        let is_alone =
            around.is_some_and(|n| file.has(n, Role::Statement) && file.named_children(n).count() == 1);
        if is_alone || file.has(value, Role::Statement) || file.has(value, Role::Target) {
            return Vec::new();
        }
        let letter = (b'a'..=b'z').map(|c| vec![c]).find(|name| !self.taken.contains(&name[..]));
        let name = letter.unwrap_or_else(|| free_name(b"a", self.taken));
        let kept = [self.added(&self.declared(&name, &typed.text)), file.replace(value, name)];
        let without = typed.maker.filter(|&maker| !file.is_within(value, maker));
        let without = without.map(|maker| Unit::together(kept.iter().cloned().chain([file.drop(maker)])));
        without.into_iter().chain([Unit::together(kept)]).collect()
    }

    /// A unit that adds a parameter.
    fn added(&self, parameter: &[u8]) -> Unit {
        let list = self.file.node_text(self.list);
        let before = list.strip_suffix(b")").unwrap_or(list).trim_ascii_end();
        let comma: &[u8] = if before.ends_with(b"(") || before.ends_with(b",") { b"" } else { b", " };
        let end = self.file.range(self.list).end - 1;
        self.file.write(end..end, [comma, parameter].concat())
    }
}

/// The type whose `impl` a function is in.
fn type_around(file: File<'_>, function: NodeId) -> Option<NodeId> {
    file.ancestors(function).find_map(|n| implemented(file, n))
}

/// Whether a type has parameters.
fn is_generic(file: File<'_>, definition: &Definition) -> bool {
    let mut owners = file.places(definition).filter_map(|place| file.parent(place.name));
    owners.any(|owner| file.child_with(owner, Role::TypeParameters).is_some())
}
