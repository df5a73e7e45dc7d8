//! Formulas over counts of matches: `D & !Z`, `D >= 2`, `(D | Z) & D = 1`.

use std::collections::BTreeMap;
use std::fmt;

/// A Boolean formula over the numbers of matches of named subtrees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The number of matches of this subtree is in the range, ends included; `None` is any number.
    Count(String, u32, Option<u32>),
    /// All hold.
    And(Vec<Formula>),
    /// At least one holds.
    Or(Vec<Formula>),
    /// It does not hold.
    Not(Box<Formula>),
}

/// Why a text is no formula: what was expected, and at which byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// What could have stood there.
    pub expected: &'static str,
    /// The first byte that could not be read.
    pub at: usize,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is expected at byte {}", self.expected, self.at + 1)
    }
}

impl std::error::Error for Malformed {}

/// How deep formulas may be nested.
const DEPTH: usize = 200;

impl Formula {
    /// Reads a formula: names, `!` or `not`, `&` or `and`, `|` or `or`, brackets, and comparisons of a name with a number
    /// by `=`, `!=`, `<`, `<=`, `>`, `>=`. A name alone means at least one match. `!` binds closest, then `&`, then `|`.
    ///
    /// # Errors
    /// What was expected where.
    pub fn read(text: &str) -> Result<Self, Malformed> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let formula = reader.or()?;
        reader.blanks();
        if reader.at < text.len() { Err(reader.expected("'&', '|' or the end")) } else { Ok(formula) }
    }

    /// Whether it holds for these numbers of matches, or their caps.
    pub fn holds(&self, count: &dyn Fn(&str) -> u32) -> bool {
        match self {
            Self::Count(name, least, most) => {
                let count = count(name);
                *least <= count && most.is_none_or(|most| count <= most)
            }
            Self::And(parts) => parts.iter().all(|part| part.holds(count)),
            Self::Or(parts) => parts.iter().any(|part| part.holds(count)),
            Self::Not(part) => !part.holds(count),
        }
    }

    /// The names in it, each with the number from which the formula no longer tells numbers of matches apart.
    pub fn caps(&self) -> BTreeMap<String, u32> {
        let mut caps = BTreeMap::new();
        self.add_caps(&mut caps);
        caps
    }

    fn add_caps(&self, caps: &mut BTreeMap<String, u32>) {
        match self {
            Self::Count(name, least, most) => {
                let cap = caps.entry(name.clone()).or_insert(1);
                *cap = (*cap).max(*least).max(most.map_or(0, |most| most.saturating_add(1)));
            }
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.add_caps(caps)),
            Self::Not(part) => part.add_caps(caps),
        }
    }
}

#[derive(Clone, Copy)]
enum Comparison {
    AtLeast,
    AtMost,
    Equal,
    Unequal,
    Above,
    Below,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn expected(&self, expected: &'static str) -> Malformed {
        Malformed { expected, at: self.at }
    }

    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Reads one of these operators, if it comes next; words end where letters end.
    fn takes(&mut self, operators: &[&str]) -> bool {
        self.blanks();
        let rest = &self.text[self.at..];
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let found = operators.iter().find(|operator| {
            let next = rest.strip_prefix(**operator).map(|rest| rest.chars().next());
            next.is_some_and(|next| !operator.ends_with(is_word) || !next.is_some_and(is_word))
        });
        self.at += found.map_or(0, |operator| operator.len());
        found.is_some()
    }

    fn list(
        &mut self,
        operators: &[&str],
        part: fn(&mut Self) -> Result<Formula, Malformed>,
    ) -> Result<Vec<Formula>, Malformed> {
        let mut parts = vec![part(self)?];
        while self.takes(operators) {
            parts.push(part(self)?);
        }
        Ok(parts)
    }

    fn or(&mut self) -> Result<Formula, Malformed> {
        let mut parts = self.list(&["||", "|", "or"], Self::and)?;
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::Or(parts) })
    }

    fn and(&mut self) -> Result<Formula, Malformed> {
        let mut parts = self.list(&["&&", "&", "and"], Self::not)?;
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::And(parts) })
    }

    fn not(&mut self) -> Result<Formula, Malformed> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.expected("a formula that is nested less deeply"));
        }
        let formula = if self.takes(&["!", "not"]) {
            Formula::Not(Box::new(self.not()?))
        } else if self.takes(&["("]) {
            let formula = self.or()?;
            if !self.takes(&[")"]) {
                return Err(self.expected("')'"));
            }
            formula
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        Ok(formula)
    }

    fn comparison(&mut self) -> Result<Formula, Malformed> {
        let name = self.word(|c| c.is_alphanumeric() || c == '_');
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            self.at -= name.len();
            return Err(self.expected("a name, '!' or '('"));
        }
        const OPERATORS: [(&str, Comparison); 7] = [
            (">=", Comparison::AtLeast),
            ("<=", Comparison::AtMost),
            ("!=", Comparison::Unequal),
            ("==", Comparison::Equal),
            ("=", Comparison::Equal),
            (">", Comparison::Above),
            ("<", Comparison::Below),
        ];
        let Some((_, comparison)) = OPERATORS.iter().find(|(operator, _)| self.takes(&[operator])) else {
            return Ok(Formula::Count(name, 1, None));
        };
        let n = self.number()?;
        Ok(match comparison {
            Comparison::AtLeast => Formula::Count(name, n, None),
            Comparison::AtMost => Formula::Count(name, 0, Some(n)),
            Comparison::Equal => Formula::Count(name, n, Some(n)),
            Comparison::Unequal => Formula::Not(Box::new(Formula::Count(name, n, Some(n)))),
            Comparison::Above => Formula::Count(name, n + 1, None),
            // No number is below 0.
            Comparison::Below if n == 0 => Formula::Or(Vec::new()),
            Comparison::Below => Formula::Count(name, 0, Some(n - 1)),
        })
    }

    fn word(&mut self, is_part: fn(char) -> bool) -> String {
        self.blanks();
        let word: String = self.text[self.at..].chars().take_while(|&c| is_part(c)).collect();
        self.at += word.len();
        word
    }

    /// A number of matches. Larger ones than a thousand would make automata too large.
    fn number(&mut self) -> Result<u32, Malformed> {
        let word = self.word(|c| c.is_ascii_digit());
        let number = word.parse().ok().filter(|&number| number <= 1000);
        number.ok_or_else(|| {
            self.at -= word.len();
            self.expected("a number from 0 to 1000")
        })
    }
}
