//! Puts what a macro of the preprocessor stands for in the place of its uses, and deletes the macro. Tokens only: neither the
//! definition nor what it becomes has to be in the grammar, so that `a##b` and macros that make functions are no obstacle.

use super::{FAMILY, all, child};
use crate::{Base, Example, File, Grain, Group, Pass, Unit};
use lopper_languages::edit::FileId;
use lopper_languages::lexer::{self, Token, TokenKind, bracket};
use lopper_languages::lexis::Lexis;
use lopper_languages::tree::NodeId;
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "macros",
    summary: "puts what a macro of the preprocessor stands for in the place of its uses, and deletes the macro",
    languages: FAMILY,
    grain: Grain::Coarse,
    pump: true,
    examples: &[
        Example {
            language: "c",
            before: "#define CALL(f, ...) test_##f(#f, ##__VA_ARGS__)\n#define NEG(a) - a\n#define PUTS CALL(puts)\nint g() { PUTS; CALL(printf, NEG(-NEG(-1)), 2); }\n",
            keep: &["int g() { "],
            after: "int g() { test_puts(\"puts\"); test_printf(\"printf\", - - - -1, 2); }\n",
        },
        Example {
            language: "cpp",
            before: "#define TYPE(n) struct n##_ { int m; }\nTYPE(a);\n",
            keep: &["{ int m; }"],
            after: "struct a_ { int m; };\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

/// How many bytes of text a plan may hold.
const TEXT: usize = 1 << 20;
/// How deep calls of a macro in its own arguments are followed.
const DEPTH: usize = 16;

fn plan(base: &Base) -> Vec<Group> {
    let macros: Vec<_> = PASS.files(base).flat_map(|file| macros(file)).collect();
    let mut places: BTreeMap<&[u8], Vec<(FileId, usize)>> =
        macros.iter().map(|known| (known.name, Vec::new())).collect();
    for (id, file) in base.files().filter(|_| !macros.is_empty()) {
        for (at, token) in file.tokens().iter().enumerate() {
            if let Some(places) = places.get_mut(&file.text[token.range()]) {
                places.push((id, at));
            }
        }
    }
    let mut left = TEXT;
    let units = macros.chunk_by(|one, other| one.file.id == other.file.id).flat_map(|macros| {
        let directives = directives(macros[0].file);
        let expanded = |known: &Macro<'_>| known.expanded(&places[known.name], &directives, &mut left);
        macros.iter().filter_map(expanded).collect::<Vec<_>>()
    });
    vec![Group::choices(units.map(|unit| [unit])).doubtful()]
}

/// A macro.
struct Macro<'a> {
    file: File<'a>,
    definition: NodeId,
    name: &'a [u8],
    /// The names of the parameters; `None` if the macro has no list of them.
    parameters: Option<Vec<&'a [u8]>>,
    /// Whether the last parameter stands for any number of arguments.
    is_variadic: bool,
    /// What the macro stands for.
    body: Range<usize>,
}

/// The macros of a file that are defined once.
fn macros(file: File<'_>) -> Vec<Macro<'_>> {
    let definitions = ["preproc_def", "preproc_function_def"].into_iter().flat_map(|kind| all(file, kind));
    let mut macros: Vec<Macro<'_>> = definitions.filter_map(|definition| read(file, definition)).collect();
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    macros.iter().for_each(|known| *counts.entry(known.name).or_default() += 1);
    macros.retain(|known| counts[known.name] == 1);
    macros
}

fn read(file: File<'_>, definition: NodeId) -> Option<Macro<'_>> {
    let name = child(&file, definition, "identifier")?;
    let list = child(&file, definition, "preproc_params");
    let start = file.range(list.unwrap_or(name)).end;
    let body = child(&file, definition, "preproc_arg").map_or(start..start, |n| file.range(n));
    let mut is_variadic = false;
    let parameters = list.map(|list| {
        let mut names: Vec<&[u8]> = Vec::new();
        let mut is_first = true;
        for token in file.tokens_in(file.range(list)) {
            match &file.text()[token.range()] {
                b"," => is_first = true,
                b"..." if is_first => {
                    (is_variadic, names) = (true, [names, vec![&b"__VA_ARGS__"[..]]].concat())
                }
                b"..." => is_variadic = true,
                name if token.kind == TokenKind::Word => {
                    names.push(name);
                    is_first = false;
                }
                _ => {}
            }
        }
        names
    });
    Some(Macro { file, definition, name: file.node_text(name), parameters, is_variadic, body })
}

impl Macro<'_> {
    /// All uses at once, without the definition; `None` if there is none, or if one of them cannot be expanded.
    fn expanded(
        &self,
        places: &[(FileId, usize)],
        directives: &[Directive<'_>],
        left: &mut usize,
    ) -> Option<Unit> {
        let file = self.file;
        let own = file.range(self.definition);
        let mut units = Vec::new();
        let mut behind = 0;
        for &(id, at) in places {
            let start = file.tokens().get(at)?.start as usize;
            if id == file.id && (own.contains(&start) && !self.body.contains(&start) || start < behind) {
                continue;
            }
            let is_in_own_body = self.body.contains(&start);
            let next = directives.partition_point(|(range, _)| range.end <= start);
            let directive = directives.get(next).filter(|(range, _)| range.contains(&start));
            if id != file.id || is_in_own_body || directive.is_some_and(|(_, word)| *word != b"define") {
                return None;
            }
            let (end, text) = self.at(file.text(), file.tokens(), at, 0)?;
            *left = left.checked_sub(text.len())?;
            let text = if directive.is_some() { text } else { without_continuations(&text) };
            units.push(file.write(start..end, text));
            behind = end;
        }
        (!units.is_empty()).then(|| Unit::together(units.into_iter().chain([file.drop(self.definition)])))
    }

    /// The end of the use of the macro that begins with a token, and what it stands for.
    fn at(&self, text: &[u8], tokens: &[Token], at: usize, depth: usize) -> Option<(usize, Vec<u8>)> {
        let Some(parameters) = &self.parameters else {
            return Some((tokens[at].end as usize, self.filled(&BTreeMap::new(), depth)?));
        };
        let (end, mut arguments) = self.arguments(text, &tokens[at + 1..]).filter(|_| depth < DEPTH)?;
        if parameters.is_empty() && arguments == [b""] {
            arguments.clear();
        }
        if self.is_variadic && arguments.len() + 1 == parameters.len() {
            arguments.push(b"");
        }
        if arguments.len() != parameters.len() {
            return None;
        }
        let values = parameters.iter().copied().zip(arguments).collect();
        Some((end, self.filled(&values, depth)?))
    }

    /// The arguments in the list that tokens begin with, and its end; `None` if they begin with none.
    fn arguments<'t>(&self, text: &'t [u8], tokens: &[Token]) -> Option<(usize, Vec<&'t [u8]>)> {
        let word = |token: &Token| &text[token.range()];
        let mut arguments: Vec<&[u8]> = Vec::new();
        let mut from = tokens.first().filter(|token| word(token) == b"(")?.end as usize;
        let mut open = 0;
        for token in tokens {
            open += bracket(word(token)).map_or(0, |(_, step)| step);
            let is_comma = open == 1 && word(token) == b"," && !self.is_last(arguments.len());
            if open == 0 || is_comma {
                arguments.push(text[from..token.start as usize].trim_ascii());
                from = token.end as usize;
            }
            if open == 0 {
                return Some((from, arguments));
            }
        }
        None
    }

    /// Whether the argument with this index is the last one, with all commas in it.
    fn is_last(&self, index: usize) -> bool {
        self.is_variadic && self.parameters.as_ref().is_some_and(|names| index + 1 == names.len())
    }

    /// The body with arguments in the place of parameters. O(text).
    fn filled(&self, values: &BTreeMap<&[u8], &[u8]>, depth: usize) -> Option<Vec<u8>> {
        let text = self.file.text();
        let lexis = self.file.language().lexis();
        let body = &text[self.body.clone()];
        let tokens: Vec<Token> = lexer::tokens(body, lexis).collect();
        let word = |at: usize| tokens.get(at).map_or(&b""[..], |token| &body[token.range()]);
        let mut made = Vec::new();
        let mut from = 0;
        let mut is_pasted = false;
        for (at, token) in tokens.iter().enumerate() {
            let range = token.range();
            if range.start < from {
                continue;
            }
            if is_pasted {
                made.truncate(made.trim_ascii_end().len());
            } else {
                made.extend_from_slice(&body[from..range.start]);
            }
            from = range.end;
            let argument = values.get(word(at));
            let will_paste = word(at + 1) == b"##";
            match word(at) {
                b"##" => {
                    made.truncate(made.trim_ascii_end().len());
                    is_pasted = true;
                    continue;
                }
                b"#" if values.contains_key(word(at + 1)) => {
                    made.extend(quoted(values[word(at + 1)]));
                    from = tokens[at + 1].range().end;
                }
                // A comma goes with an empty list of arguments.
                _ if is_pasted && argument == Some(&&b""[..]) && made.ends_with(b",") => drop(made.pop()),
                own => match argument {
                    Some(argument) if is_pasted && made.ends_with(b",") => {
                        made.push(b' ');
                        made.extend_from_slice(argument);
                    }
                    Some(argument) if is_pasted || will_paste => made.extend_from_slice(argument),
                    Some(argument) => add(&mut made, &self.within(argument, lexis, depth + 1)?),
                    None if is_pasted => made.extend_from_slice(own),
                    None => add(&mut made, own),
                },
            }
            is_pasted = false;
            if made.len() > TEXT {
                return None;
            }
        }
        Some(made)
    }

    /// An argument in which the macro itself is expanded.
    fn within(&self, argument: &[u8], lexis: &Lexis, depth: usize) -> Option<Vec<u8>> {
        let tokens: Vec<Token> = lexer::tokens(argument, lexis).collect();
        let mut made = Vec::new();
        let mut from = 0;
        for (at, token) in tokens.iter().enumerate() {
            let range = token.range();
            if range.start < from || argument[range.clone()] != *self.name {
                continue;
            }
            let (end, text) = self.at(argument, &tokens, at, depth)?;
            made.extend_from_slice(&argument[from..range.start]);
            add(&mut made, &text);
            from = end;
        }
        made.extend_from_slice(&argument[from..]);
        Some(made)
    }
}

/// Appends a text, behind a blank if the last token would be another one without.
fn add(made: &mut Vec<u8>, text: &[u8]) {
    let is_word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
    let merges = |(last, first): (&u8, &u8)| {
        is_word(last) && is_word(first) || last == first && bracket(&[*last]).is_none()
    };
    if made.last().zip(text.first()).is_some_and(merges) {
        made.push(b' ');
    }
    made.extend_from_slice(text);
}

/// A text as a string.
fn quoted(text: &[u8]) -> Vec<u8> {
    let escaped = text.iter().flat_map(|&c| {
        let escape = matches!(c, b'"' | b'\\').then_some(b'\\');
        escape.into_iter().chain([if c == b'\n' { b' ' } else { c }])
    });
    std::iter::once(b'"').chain(escaped).chain([b'"']).collect()
}

/// A text without the backslashes that continue its lines.
fn without_continuations(text: &[u8]) -> Vec<u8> {
    let mut made: Vec<u8> = Vec::new();
    for (index, line) in text.split(|&c| c == b'\n').enumerate() {
        if index > 0 {
            let end = made.strip_suffix(b"\r").unwrap_or(&made);
            made.truncate(end.strip_suffix(b"\\").unwrap_or(end).len());
            made.push(b'\n');
        }
        made.extend_from_slice(line);
    }
    made
}

/// A line that begins with `#`, with those that continue it, and the word behind the `#`.
type Directive<'a> = (Range<usize>, &'a [u8]);

/// The directives of a file, in the order of the text.
fn directives(file: File<'_>) -> Vec<Directive<'_>> {
    let text = file.text();
    let mut directives: Vec<Directive<'_>> = Vec::new();
    let mut is_continued = false;
    for line in file.lines() {
        let content = text[line.clone()].trim_ascii();
        let word = content.strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
        match (is_continued, word) {
            (true, _) => directives.last_mut().into_iter().for_each(|(range, _)| range.end = line.end),
            (false, Some(word)) => {
                let end = word.iter().position(|c| !c.is_ascii_alphabetic()).unwrap_or(word.len());
                directives.push((line, &word[..end]));
            }
            (false, None) => {}
        }
        is_continued = (is_continued || word.is_some()) && content.ends_with(b"\\");
    }
    directives
}

#[cfg(test)]
mod tests {
    use super::plan;
    use crate::Base;

    /// The texts in which one macro is expanded.
    fn expanded(text: &str) -> Vec<String> {
        let base = Base::of_example("c", text);
        let groups = plan(&base);
        let units = groups.iter().flat_map(|group| (0..group.units().len()).map(move |unit| (group, unit)));
        let applied = |(group, unit): (&crate::Group, usize)| {
            group.render_alone(&base, unit).unwrap().apply(0, text.as_bytes())
        };
        units.map(|unit| String::from_utf8(applied(unit)).unwrap()).collect()
    }

    #[test]
    fn a_macro_may_stand_for_whole_functions_and_lines_may_be_continued() {
        let text = "#define F(name) \\\n  test_##name() { \\\n    name(); }\nF(a)\nF(b)\n";
        assert_eq!(expanded(text), ["test_a() { \n    a(); }\ntest_b() { \n    b(); }\n"]);
        let nested = "#define F(g) \\\n  g() {} \\\n  int g;\n#define H(x) \\\n  F(x) \\\n  F(y)\n";
        assert_eq!(expanded(nested), ["#define H(x) \\\n  x() {} \\\n  int x; \\\n  y() {} \\\n  int y;\n"]);
    }

    #[test]
    fn a_macro_stays_if_a_use_of_it_cannot_be_expanded() {
        for text in [
            "#define F(a) a\nint b = F(1, 2);\n",
            "#define F(a) a\nint b = F;\n",
            "#define F(a) a + F(a)\nint b = F(1);\n",
            "#define F(a) a\nint b = F(1;\n",
            "#define F 1\n#ifdef F\nint b = F;\n#endif\n",
            "#define F 1\n#define F 2\nint b = F;\n",
            "#define F 1\n",
        ] {
            assert_eq!(expanded(text), Vec::<String>::new(), "{text}");
        }
    }
}
