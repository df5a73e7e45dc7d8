//! A pattern as a page of HTML: the text with its holes, what was seen in each, and why the rest had to stay.

use crate::pattern::{Evidence, Fixed, Pattern};
use crate::text::Names;
use std::fmt::Write;

/// So many instances are shown for each hole.
const SHOWN: usize = 5;

const STYLE: &str = "body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
pre, code { font: 14px/1.4 monospace; background: #f4f4f4; }
pre { padding: 1em; overflow: auto; }
code { padding: 0 0.2em; white-space: pre-wrap; }
a.hole { background: #cde3ff; color: #003a80; text-decoration: none; border-radius: 3px; }
a.weak, .weak { background: #ffe3b3; }
table { border-collapse: collapse; } td, th { text-align: left; vertical-align: top; padding: 0.2em 1em 0.2em 0; }";

impl Pattern {
    /// The page. `title` is plain text.
    pub fn to_html(&self, title: &str, names: &Names) -> String {
        let mut out = String::new();
        let title = escaped(title.as_bytes());
        let _ = write!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        out.push_str(&self.to_sections(names));
        out.push_str("<h2>The example</h2>\n<pre>");
        out.push_str(&escaped(&self.example));
        out.push_str("</pre>\n</body>\n</html>\n");
        out
    }

    /// The parts of a page that tell of the pattern: what the failure rate is, what may vary, and what must stay.
    pub fn to_sections(&self, names: &Names) -> String {
        let mut out = String::new();
        self.write_rate(&mut out);
        out.push_str("<pre>");
        for (text, hole) in self.shown_pieces(names) {
            match hole {
                None => out.push_str(&escaped(&text)),
                Some(hole) => {
                    let weak = if self.holes[hole].weak { " weak" } else { "" };
                    let _ =
                        write!(out, "<a class=\"hole{weak}\" href=\"#hole-{hole}\">{}</a>", escaped(&text));
                }
            }
        }
        out.push_str("</pre>\n<h2>What may vary</h2>\n");
        for hole in 0..self.holes.len() {
            self.write_hole(&mut out, hole);
        }
        out.push_str("<h2>What must stay</h2>\n<table>\n<tr><th>in the example</th><th>is not any</th><th>passes</th></tr>\n");
        let fixed = self.fixed.iter().filter(|fixed| !fixed.range.is_empty());
        for part in fixed {
            let own = escaped(&self.example[part.range.clone()]);
            let other = part.evidence.counterexample.as_deref().map_or_else(
                || "nothing valid was found to put there".to_owned(),
                |text| format!("<code>{}</code>", escaped(text)),
            );
            let sort = escaped(part.sort.name().as_bytes());
            let _ = writeln!(out, "<tr><td><code>{own}</code></td><td>{sort}</td><td>{other}</td></tr>");
        }
        out.push_str("</table>\n");
        self.write_constructors(&mut out);
        if let Some(excerpt) = &self.excerpt {
            out.push_str("<h2>What fails without being rewritten</h2>\n<pre>");
            out.push_str(&escaped(&excerpt.to_text(names)));
            for outside in &excerpt.outside {
                let (kind, text) = (escaped(outside.kind.as_bytes()), escaped(&outside.counterexample));
                let _ = write!(out, "</pre>\n<p>Not in a {kind}; this passes:</p>\n<pre>{text}");
            }
            out.push_str("</pre>\n");
        }
        out
    }

    fn write_rate(&self, out: &mut String) {
        if let Some(rate) = &self.rate {
            let _ = writeln!(
                out,
                "<p>{} of {} fresh instances fail; {} more were invalid. The rate is at least {:.1} % with a \
                 confidence of {} % (Clopper-Pearson).</p>",
                rate.failing,
                rate.valid,
                rate.invalid,
                100.0 * rate.bound,
                100.0 * rate.confidence
            );
        }
        let _ = writeln!(out, "<p>Found with {} runs of the test.</p>", self.runs);
    }

    fn write_hole(&self, out: &mut String, at: usize) {
        let hole = &self.holes[at];
        let Evidence { draws, failing, invalid, .. } = hole.evidence;
        let name = escaped(self.names()[at].as_bytes());
        let weak = if hole.weak { " <span class=\"weak\">weak</span>" } else { "" };
        let _ = writeln!(out, "<h3 id=\"hole-{at}\">{name}{weak}</h3>");
        let _ = writeln!(
            out,
            "<p>{failing} different texts failed, {invalid} were invalid, of {draws} drawn.</p>"
        );
        out.push_str("<ul>\n");
        let mut instances: Vec<&Vec<u8>> = hole.evidence.instances.iter().collect();
        // The shortest ones are read soonest.
        instances.sort_by_key(|text| text.len());
        for text in instances.into_iter().take(SHOWN) {
            let _ = writeln!(out, "<li>fails: <code>{}</code></li>", escaped(text));
        }
        if let Some((part, text)) = self.nearest_counterexample(at) {
            let own = escaped(&self.example[part.range.clone()]);
            let text = escaped(text);
            let _ = writeln!(out, "<li>passes: <code>{text}</code> in the place of <code>{own}</code></li>");
        }
        out.push_str("</ul>\n");
    }

    /// Which alternatives of the grammar can fail in the parts that must stay, if that was asked for.
    fn write_constructors(&self, out: &mut String) {
        if self.constructors.is_empty() {
            return;
        }
        out.push_str("<h2>What else may stand where something must stay</h2>\n<table>\n");
        out.push_str("<tr><th>in the example</th><th>is a</th><th>can be</th><th>texts</th></tr>\n");
        for place in &self.constructors {
            let own = escaped(&self.example[place.range.clone()]);
            let nonterminal = escaped(place.nonterminal.as_bytes());
            for (at, known) in place.alternatives.iter().enumerate() {
                let (own, nonterminal) = if at == 0 { (&*own, &*nonterminal) } else { ("", "") };
                let texts = match &known.instance {
                    Some(text) => format!("fails: <code>{}</code>", escaped(text)),
                    None if known.drawn == 0 => "there is no other text".to_owned(),
                    None => format!("none of {} different texts fails", known.drawn),
                };
                let shown = escaped(known.shown.as_bytes());
                let _ = writeln!(
                    out,
                    "<tr><td><code>{own}</code></td><td>{nonterminal}</td><td><code>{shown}</code></td><td>{texts}</td></tr>"
                );
            }
        }
        out.push_str("</table>\n");
    }

    /// The counterexample to the smallest part around a hole that had to stay, and that part.
    fn nearest_counterexample(&self, hole: usize) -> Option<(&Fixed, &[u8])> {
        let range = &self.nodes[self.nodes_of(hole).next()?].range;
        let around = self.fixed.iter().filter(|f| f.range.start <= range.start && range.end <= f.range.end);
        let known = around.filter(|f| !f.range.is_empty());
        let known = known.filter_map(|fixed| Some((fixed, fixed.evidence.counterexample.as_deref()?)));
        known.min_by_key(|(fixed, _)| fixed.range.len())
    }
}

/// Text as HTML shows it, in elements and in attributes between double quotes.
pub fn escaped(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::grammar::Grammar;

    #[test]
    fn a_page_shows_holes_and_no_text_is_read_as_markup() {
        let json = include_str!("../examples/grammars/html.json");
        let grammar = Grammar::read(json).unwrap();
        let mut pattern = Pattern::of_grammar(&grammar, b"<opening-tag>&<closing-tag>").unwrap();
        pattern.holes[0].evidence.instances = vec![b"<script>".to_vec()];
        pattern.fixed.push(Fixed {
            range: 0..pattern.example.len(),
            sort: crate::Sort::Nonterminal("<html>".to_owned()),
            evidence: Evidence { counterexample: Some(b"a\"".to_vec()), ..Evidence::default() },
        });
        pattern.constructors.push(crate::Constructors {
            range: 0..pattern.example.len(),
            nonterminal: "<html>".to_owned(),
            alternatives: vec![
                crate::Alternative { shown: "<b>".to_owned(), drawn: 1, instance: Some(b"<i>".to_vec()) },
                crate::Alternative { shown: "c".to_owned(), drawn: 7, instance: None },
            ],
        });
        let page = pattern.to_html("a < b", &Names::of_grammar(&grammar));
        assert!(page.contains("<title>a &lt; b</title>"), "{page}");
        let text = "<a class=\"hole\" href=\"#hole-0\">&lt;opening-tag&gt;</a>&amp;<a class=\"hole\" href=\"#hole-1\">";
        assert!(page.contains(text), "{page}");
        assert!(page.contains("<li>fails: <code>&lt;script&gt;</code></li>"), "{page}");
        assert!(page.contains("<li>passes: <code>a&quot;</code> in the place of"), "{page}");
        let fails = "<td><code>&lt;b&gt;</code></td><td>fails: <code>&lt;i&gt;</code></td>";
        assert!(page.contains(fails), "{page}");
        assert!(page.contains("<td><code>c</code></td><td>none of 7 different texts fails</td>"), "{page}");
        assert!(!page.contains("<script>"), "{page}");
    }
}
