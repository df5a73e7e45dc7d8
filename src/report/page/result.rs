//! The result on the page: each token is highlighted, and leads to what was tried on it.

use super::recorder::{Refused, VERDICTS};
use super::why::{Attempt, attempts};
use super::{Account, escaped};
use lopper_languages::Parsed;
use lopper_languages::lexer::{Token, TokenKind};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

/// The bytes of the page for what was tried, about; the number of attempts that are shown for a token, and the bytes of
/// one of them.
const ROOM: usize = 1_200_000;
const SHOWN: usize = 6;
const SIZE: usize = 300;
/// The characters of a part of a candidate that are shown.
const LENGTH: usize = 60;

/// Writes the result, and what was tried on each token.
pub(super) fn write(out: &mut String, account: &Account) {
    let Account { recorder, result, language, .. } = account;
    let file = Parsed::new(*language, result.to_vec());
    let room = ROOM / SIZE / file.tokens().len().max(1);
    let (tokens, programs) = (file.tokens(), recorder.last_programs());
    let nearest = attempts(tokens.len(), programs, language.lexis(), &recorder.refused, room.min(SHOWN));
    let explains = room > 0;
    out.push_str("<h2>The result</h2>\n<p><button data-copy=\"result\">Copy</button>");
    if explains {
        out.push_str(
            " <span class=\"dim\">Why is this still here? A click on a token shows what was tried on it.</span>",
        );
    }
    out.push_str("</p>\n<pre id=\"result\"><code>");
    let mut at = 0;
    for (number, token) in tokens.iter().enumerate() {
        write_gap(out, &result[at..token.range().start]);
        let (class, text) = (class(&file, token), shown(&result[token.range()]));
        let _ = match explains {
            true => write!(out, "<a href=\"#t{number}\" class=\"{class}\">{text}</a>"),
            false => write!(out, "<a class=\"{class}\">{text}</a>"),
        };
        at = token.range().end;
    }
    write_gap(out, &result[at..]);
    out.push_str("</code></pre>\n");
    for (number, list) in nearest.iter().enumerate().filter(|_| explains) {
        let token = shown(&result[tokens[number].range()]);
        let _ =
            write!(out, "<div class=\"why\" id=\"t{number}\"><p>Why is <code>{token}</code> still here?</p>");
        if list.is_empty() {
            out.push_str(
                "<p>No candidate without it was tested near the end of the run: no pass proposed one, or the grammar \
                 refused all of them.</p>",
            );
        } else {
            out.push_str("<ul>");
            let mut told = BTreeSet::new();
            for attempt in list {
                let refused = &recorder.refused[attempt.refused];
                let text = attempted(attempt, refused, result, tokens);
                let (pass, run) = (escaped(refused.pass), refused.run);
                // Several parts of a program may have the same text.
                if told.insert(text.clone()) {
                    let _ = write!(out, "<li>{text} <span class=\"dim\">({pass}, run {run})</span></li>");
                }
            }
            out.push_str("</ul>");
        }
        out.push_str("</div>\n");
    }
}

/// Writes what is between two tokens: blanks and comments.
fn write_gap(out: &mut String, gap: &[u8]) {
    let text = shown(gap);
    let _ = match gap.iter().all(u8::is_ascii_whitespace) {
        true => write!(out, "{text}"),
        false => write!(out, "<span class=\"c\">{text}</span>"),
    };
}

fn shown(text: &[u8]) -> String {
    escaped(&String::from_utf8_lossy(text))
}

/// Whether a grammar names the kind although its words belong to the language, as a rule.
fn is_of_language(kind: &str) -> bool {
    let is_type = matches!(kind, "primitive_type" | "void_type" | "boolean_type");
    let is_value = matches!(kind, "boolean" | "boolean_literal" | "true" | "false" | "null" | "null_literal");
    is_type || is_value || matches!(kind, "none" | "nil" | "this" | "self" | "super")
}

/// The class of a token: a keyword is a word whose kind the grammar does not name, or one of the language's other words.
fn class(file: &Parsed, token: &Token) -> &'static str {
    let is_keyword = || {
        let tree = file.tree();
        tree.innermost_at(token.range()).is_some_and(|node| {
            let kind = tree.kind_name(node);
            !tree.is_named(node) || is_of_language(kind) || kind.starts_with("keyword_")
        })
    };
    match token.kind {
        TokenKind::Word if is_keyword() => "k",
        TokenKind::Word => "w",
        TokenKind::Number => "n",
        TokenKind::String => "s",
        TokenKind::Operator => "o",
    }
}

/// An attempt: what the candidate lacks, what it has instead, and what the test said.
fn attempted(attempt: &Attempt, refused: &Refused, result: &[u8], tokens: &[Token]) -> String {
    let text = |range: &Range<usize>| {
        let bytes = tokens[range.start].range().start..tokens[range.end - 1].range().end;
        short(&String::from_utf8_lossy(&result[bytes]))
    };
    let lost: Vec<String> =
        attempt.lost.iter().take(4).map(|range| format!("<code>{}</code>", text(range))).collect();
    let more = if attempt.lost.len() > lost.len() { " …" } else { "" };
    let mut out = format!("without {}{more}", lost.join(" and "));
    if !attempt.gained.is_empty() {
        let _ = write!(out, ", with <code>{}</code> instead", short(&attempt.gained.join(" ")));
    }
    let said = VERDICTS.iter().find(|(verdict, _)| *verdict == refused.verdict).map_or("", |(_, said)| said);
    let remark = refused
        .remark
        .as_deref()
        .map_or_else(String::new, |remark| format!(": <samp>{}</samp>", escaped(remark)));
    let _ = write!(out, ": {said}{remark}");
    out
}

/// The beginning of a text, for HTML.
fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => escaped(&text[..end]) + "…",
        None => escaped(&text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_language_are_keywords_and_names_are_not() {
        for (name, text, keywords) in [
            ("a.c", "long double a = b;", "long double"),
            ("a.py", "if None: return self", "if None return"),
            ("a.java", "class A { void f() { g(true, null, this); } }", "class void true null this"),
            ("a.sql", "SELECT a FROM b;", "SELECT FROM"),
        ] {
            let file = Parsed::new(lopper_languages::detect(name), text.as_bytes().to_vec());
            let words = file.tokens().iter().filter(|token| class(&file, token) == "k");
            let words: Vec<&str> = words.map(|token| &text[token.range()]).collect();
            assert_eq!(words.join(" "), keywords, "{name}");
        }
    }
}
