//! Fragments of languages that can stand almost anywhere: one file a language.

use crate::random::Random;
use std::collections::BTreeMap;

/// The file of each language that has one.
const FILES: &[(&str, &str)] = &[
    ("c", include_str!("pools/c.txt")),
    ("java", include_str!("pools/java.txt")),
    ("javascript", include_str!("pools/javascript.txt")),
    ("python", include_str!("pools/python.txt")),
    ("rust", include_str!("pools/rust.txt")),
];

/// Fragments by sections: `expression`, `statement`, `top` (statements outside of functions), `type`, `operator`,
/// `parameter`; and those of blocks and lists that hold something else, by what the grammar calls them: `class_body`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    sections: BTreeMap<&'static str, Vec<&'static str>>,
}

/// So deep are fragments within fragments at most.
const DEPTH: usize = 3;

impl Pool {
    /// The fragments of a language; none if it has no file.
    pub(crate) fn of(language: &str) -> Self {
        let mut pool = Self::default();
        let text = FILES.iter().find(|(name, _)| *name == language).map_or("", |(_, text)| text);
        let mut section = "";
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
            match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                Some(name) if !name.is_empty() && name.chars().all(|c| c == '_' || c.is_lowercase()) => {
                    section = name
                }
                _ => pool.sections.entry(section).or_default().push(line),
            }
        }
        pool
    }

    /// Whether there are fragments of a section.
    pub(crate) fn has(&self, section: &str) -> bool {
        self.sections.contains_key(section)
    }

    /// The section of this name, if there are fragments of it.
    pub(crate) fn named(&self, section: &str) -> Option<&'static str> {
        self.sections.get_key_value(section).map(|(name, _)| *name)
    }

    /// The fragments of a section that have no others in them, in the order of the file.
    pub(crate) fn flat(&self, section: &str) -> Vec<Vec<u8>> {
        let all = self.sections.get(section).map_or(&[][..], Vec::as_slice);
        let flat = all.iter().filter(|template| self.hole(template).is_none());
        flat.map(|template| template.replace("\\n", "\n").into_bytes()).collect()
    }

    /// A random fragment of a section, with names from `names` where the file asks for one. `None` if there is none.
    pub(crate) fn draw(&self, section: &str, names: &[Vec<u8>], random: &mut Random) -> Option<Vec<u8>> {
        self.draw_at(section, names, random, 0)
    }

    fn draw_at(
        &self,
        section: &str,
        names: &[Vec<u8>],
        random: &mut Random,
        depth: usize,
    ) -> Option<Vec<u8>> {
        if section == "name" {
            return random.one(names).cloned();
        }
        let all = self.sections.get(section)?;
        let is_flat =
            |template: &&&'static str| self.hole(template).is_none_or(|(_, name, _)| name == "name");
        let flat: Vec<&'static str> = all.iter().filter(is_flat).copied().collect();
        let template = *random.one(if depth < DEPTH { all } else { &flat })?;
        let mut out = Vec::new();
        let mut rest = template;
        while let Some((before, name, after)) = self.hole(rest) {
            out.extend_from_slice(before.as_bytes());
            out.extend_from_slice(&self.draw_at(name, names, random, depth + 1)?);
            rest = after;
        }
        out.extend_from_slice(rest.as_bytes());
        Some(String::from_utf8_lossy(&out).replace("\\n", "\n").into_bytes())
    }

    /// The first hole of a template, with what stands before it and behind it.
    fn hole<'t>(&self, template: &'t str) -> Option<(&'t str, &'t str, &'t str)> {
        let mut from = 0;
        while let Some(open) = template[from..].find('<').map(|at| from + at) {
            if let Some((name, after)) = template[open + 1..].split_once('>')
                && (name == "name" || self.sections.contains_key(name))
            {
                return Some((&template[..open], name, after));
            }
            from = open + 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lopper_languages::Parsed;

    /// What stands before and behind a fragment of a section in a text of the language.
    fn frame(language: &str, section: &str) -> (&'static str, &'static str) {
        match (language, section) {
            ("c", "statement") => ("void f() { int n;\n", "\n}"),
            ("c" | "java", "expression") => ("int x = ", ";"),
            ("c", "type") => ("", " x;"),
            ("c", "parameter") => ("void f(", ") { }"),
            ("java", "statement") => ("class A { void f() { int n;\n", "\n} }"),
            ("java", "class_body") => ("class A {\n", "\n}"),
            ("java", "type") => ("class A { ", " x; }"),
            ("java", "parameter") => ("class A { void f(", ") { } }"),
            ("java", "type_arguments") => ("class A { B<", "> x; }"),
            ("javascript", "expression") => ("x = [", "];"),
            ("javascript", "class_body") => ("class A {\n", "\n}"),
            ("javascript", "parameter") => ("function f(", ") { }"),
            ("javascript", "object") => ("x = { ", " };"),
            ("javascript", "variable_declaration") => ("var ", ";"),
            ("javascript", "lexical_declaration") => ("let ", ";"),
            ("python", "parameter") => ("def f(", "): pass\n"),
            ("rust", "statement") => ("fn f() { let n = 0;\n", "\n}"),
            ("rust", "expression") => ("fn f() { let x = ", "; }"),
            ("rust", "declaration_list") => ("impl A {\n", "\n}"),
            ("rust", "type") => ("type A = ", ";"),
            ("rust", "parameter") => ("fn f(", ") { }"),
            ("rust", "type_parameters") => ("struct A<", ">;"),
            ("rust", "type_arguments") => ("type A = B<", ">;"),
            ("rust", "tuple_type") => ("type A = (u8, ", ");"),
            ("rust", "field_declaration_list") => ("struct A { ", " }"),
            ("rust", "ordered_field_declaration_list") => ("struct A(", ");"),
            ("rust", "enum_variant_list") => ("enum A { ", " }"),
            _ => ("", "\n"),
        }
    }

    #[test]
    fn every_fragment_is_of_its_language() {
        for (name, _) in FILES {
            let language = lopper_languages::named(name).unwrap();
            let pool = Pool::of(name);
            let names = [b"n".to_vec()];
            let mut random = Random::new(3);
            for section in pool.sections.keys().filter(|section| **section != "operator") {
                let (before, after) = frame(name, section);
                for _ in 0..200 {
                    let fragment = pool.draw(section, &names, &mut random).unwrap();
                    assert!(!fragment.is_empty() && fragment.len() < 400);
                    assert!(!String::from_utf8_lossy(&fragment).contains("<expression>"));
                    let text = [before.as_bytes(), &fragment, after.as_bytes()].concat();
                    let errors = Parsed::new(language, text.clone()).syntax().errors;
                    assert_eq!(errors, 0, "{name}, {section}: {}", String::from_utf8_lossy(&text));
                }
            }
        }
    }

    #[test]
    fn a_language_without_a_file_has_no_fragments() {
        assert_eq!(Pool::of("text").draw("expression", &[], &mut Random::new(0)), None);
    }
}
