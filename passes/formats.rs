//! Deletes a conversion of a format string with the argument that it prints: `printf("%s %d", a, b)` becomes
//! `printf(" %d", b)`.

use crate::literals::inside_quotes;
use crate::{Base, Example, File, Group, Pass, Unit};
use lopper_languages::lexer::TokenKind;
use lopper_languages::role::Role;
use lopper_languages::tree::NodeId;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    name: "formats",
    summary: "deletes a conversion of a format string together with its argument",
    examples: &[
        Example {
            language: "c",
            before: "int main() { fprintf(f, \"%-5s%% %lX\\n\", a, b + 1); }\n",
            keep: &["fprintf(f, \"", "% %lX\\n\", ", "b + 1"],
            after: "int main() { fprintf(f, \"%% %lX\\n\", b + 1); }\n",
        },
        Example {
            language: "python",
            before: "a = '{} {:d}'.format(b, c)\nd = '%s %d' % (e, f)\n",
            keep: &["{:d}'.format(", "c)", "%d' % (", "f)"],
            after: "a = ' {:d}'.format(c)\nd = ' %d' % (f)\n",
        },
    ],
    plan,
    ..Pass::DEFAULT
};

fn plan(base: &Base) -> Vec<Group> {
    let units = PASS.files(base).flat_map(|file| {
        let strings = file.tokens().iter().filter(|token| token.kind == TokenKind::String);
        strings.flat_map(move |token| {
            let conversions = conversions(file.text(), inside_quotes(file, token));
            let values =
                file.at(token.range()).map_or(vec![], |string| values(file, string, conversions.len()));
            conversions
                .into_iter()
                .zip(values)
                .map(move |(conversion, value)| Unit::together([file.cut(conversion), file.drop(value)]))
        })
    });
    vec![Group::deletions(units).doubtful()]
}

/// The places of the conversions in a format string: `%d`, `%-5ls`, `{}`, `{:x}`; not `%%` and `{{`.
fn conversions(text: &[u8], inner: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = inner.start;
    while at < inner.end {
        let rest = &text[at..inner.end];
        let length = match rest {
            [b'%', b'%', ..] | [b'{', b'{', ..] => {
                at += 2;
                continue;
            }
            [b'%', after @ ..] => {
                let letter = after.iter().position(|c| c.is_ascii_alphabetic() && !b"hlLqjzt".contains(c));
                letter.map(|letter| letter + 2)
            }
            [b'{', after @ ..] => after.iter().position(|&c| c == b'}').map(|close| close + 2),
            _ => None,
        };
        found.extend(length.map(|length| at..at + length));
        at += length.unwrap_or(1);
    }
    found
}

/// The values that follow a format string: the arguments behind it, those of a method called on it, or those
/// that an operator gives it.
fn values(file: File<'_>, string: NodeId, count: usize) -> Vec<NodeId> {
    let items = |list: NodeId| file.children(list).filter(|&n| file.is_named(n)).collect::<Vec<_>>();
    let around = std::iter::once(string).chain(file.ancestors(string));
    let Some((string, parent)) = around
        .take(3)
        .filter_map(|n| Some((n, file.parent(n)?)))
        .find(|&(n, parent)| file.range(n) != file.range(parent))
    else {
        return Vec::new();
    };
    let after: Vec<NodeId> = items(parent).into_iter().skip_while(|&n| n != string).skip(1).collect();
    let of_call = file.parent(parent).and_then(|call| file.child_with(call, Role::Arguments));
    let found = match (of_call.filter(|&list| list != parent), &after[..]) {
        (Some(list), _) => items(list),
        (None, &[list]) if count > 1 => items(list),
        _ => after,
    };
    found.into_iter().take(count).collect()
}
