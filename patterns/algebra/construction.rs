//! The constructions of the paper: refined grammars, nonterminal by nonterminal, with readable names.
//!
//! Gopinath, Nemati and Zeller, "Input Algebras" (ICSE 2021), section 4, with the erratum on negation: a rule that has
//! several reachable positions avoids a subtree only if all of them do. The grammars derive the same texts as the products
//! of [`RefinedGrammar::product`], but may be more ambiguous: a text with two causes has a tree for each.

use super::product::TooLarge;
use super::refined::{Refined, RefinedGrammar, RefinedPart};
use super::refinement::{Atom, Kind, Refinement};
use super::subtree::{Part, Subtree};
use lopper_languages::grammar::{Grammar, Nonterminal, RuleId, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// A rule of the base grammar with refined symbols.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RefinedRule {
    /// The rule of the base grammar.
    pub rule: RuleId,
    /// What stands at each of its symbols.
    pub tokens: Vec<Token>,
}

/// What stands at a symbol of a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Token {
    /// The literal of the rule.
    Literal,
    /// This character of the rule's class.
    Char(char),
    /// The rule's class without these characters.
    Except(BTreeSet<char>),
    /// The rule's nonterminal, refined.
    Nonterminal(Refinement),
}

impl Token {
    /// What both tokens allow; `None` if that is nothing.
    pub fn and(&self, other: &Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Nonterminal(one), Self::Nonterminal(two)) => {
                match Refinement::and([one.clone(), two.clone()]) {
                    Refinement::Bottom => return None,
                    both => Self::Nonterminal(both),
                }
            }
            (Self::Char(one), Self::Char(two)) if one != two => return None,
            (Self::Char(c), Self::Except(chars)) | (Self::Except(chars), Self::Char(c)) => {
                if chars.contains(c) {
                    return None;
                }
                Self::Char(*c)
            }
            (Self::Except(one), Self::Except(two)) => Self::Except(one.union(two).copied().collect()),
            _ => self.clone(),
        })
    }

    /// What the token forbids of its symbol.
    fn not(&self) -> Vec<Self> {
        match self {
            Self::Literal | Self::Nonterminal(Refinement::Top) => Vec::new(),
            Self::Char(c) => vec![Self::Except([*c].into())],
            Self::Except(chars) => chars.iter().map(|c| Self::Char(*c)).collect(),
            Self::Nonterminal(refinement) => vec![Self::Nonterminal(refinement.clone().negated())],
        }
    }
}

impl RefinedRule {
    /// The rules that miss this one at one place and have these tokens elsewhere.
    fn missed(&self, elsewhere: &[Token]) -> Vec<Self> {
        let places = self.tokens.iter().enumerate();
        let missed = places.flat_map(|(at, token)| token.not().into_iter().map(move |token| (at, token)));
        let rule = |(at, token)| {
            let mut tokens = elsewhere.to_vec();
            tokens[at] = token;
            Self { rule: self.rule, tokens }
        };
        missed.map(rule).collect()
    }

    /// What both rules derive, place by place; `None` if that is nothing.
    pub fn and(&self, other: &Self) -> Option<Self> {
        if self.rule != other.rule {
            return None;
        }
        let tokens = self.tokens.iter().zip(&other.tokens).map(|(one, two)| one.and(two));
        Some(Self { rule: self.rule, tokens: tokens.collect::<Option<_>>()? })
    }

    /// One rule for both, if they differ in one nonterminal only.
    pub fn or(&self, other: &Self) -> Option<Self> {
        let pairs = || self.tokens.iter().zip(&other.tokens);
        if self.rule != other.rule || pairs().filter(|(one, two)| one != two).count() > 1 {
            return None;
        }
        let either = |(one, two): (&Token, &Token)| match (one, two) {
            (one, two) if one == two => Some(one.clone()),
            (Token::Nonterminal(one), Token::Nonterminal(two)) => {
                Some(Token::Nonterminal(Refinement::or([one.clone(), two.clone()])))
            }
            _ => None,
        };
        Some(Self { rule: self.rule, tokens: pairs().map(either).collect::<Option<_>>()? })
    }
}

/// The rules that both lists derive: all compatible pairs.
pub fn conjunction(one: &[RefinedRule], two: &[RefinedRule]) -> Vec<RefinedRule> {
    let both = one.iter().flat_map(|one| two.iter().filter_map(|two| one.and(two)));
    both.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Constructions over a grammar and some named subtrees.
#[derive(Clone, Debug)]
pub struct Constructions<'g> {
    grammar: &'g Grammar,
    names: Vec<String>,
    subtrees: Vec<Subtree>,
    /// For each nonterminal, those in its derivations; itself only if it is recursive.
    reachable: Vec<BTreeSet<Nonterminal>>,
}

impl<'g> Constructions<'g> {
    /// Constructions over these subtrees. O(nonterminals · rules).
    pub fn new(grammar: &'g Grammar, subtrees: &[(String, Subtree)]) -> Self {
        let (names, subtrees) = subtrees.iter().cloned().unzip();
        let direct = |n: Nonterminal| {
            let right = grammar.alternatives(n).flat_map(|rule| &grammar.rule(rule).right);
            right.filter_map(Symbol::nonterminal).collect::<BTreeSet<_>>()
        };
        let all = (0..grammar.names().len() as u32).map(Nonterminal);
        let direct: Vec<BTreeSet<Nonterminal>> = all.map(direct).collect();
        let closure = |first: &BTreeSet<Nonterminal>| {
            let mut reached = first.clone();
            let mut open: Vec<Nonterminal> = first.iter().copied().collect();
            while let Some(n) = open.pop() {
                open.extend(direct[n.0 as usize].iter().filter(|&&below| reached.insert(below)));
            }
            reached
        };
        Self { grammar, names, subtrees, reachable: direct.iter().map(closure).collect() }
    }

    /// The nonterminals in derivations from this one; itself only if it is recursive.
    pub fn reachable(&self, nonterminal: Nonterminal) -> &BTreeSet<Nonterminal> {
        &self.reachable[nonterminal.0 as usize]
    }

    /// The symbols of a rule that are a nonterminal or lead to it.
    pub fn reachable_positions(&self, rule: RuleId, nonterminal: Nonterminal) -> Vec<usize> {
        let leads = |n: Nonterminal| n == nonterminal || self.reachable(n).contains(&nonterminal);
        let right = self.grammar.rule(rule).right.iter().enumerate();
        right.filter(|(_, symbol)| symbol.nonterminal().is_some_and(leads)).map(|(at, _)| at).collect()
    }

    /// The grammar of a subtree alone: a nonterminal for each concrete node, with one rule. What may be anything is the
    /// nonterminal of the base grammar, here without rules.
    ///
    /// # Errors
    /// If it would have more than `limit` rules.
    pub fn pattern_grammar(&self, subtree: usize, limit: usize) -> Result<RefinedGrammar<'g>, TooLarge> {
        let start = self.subtrees[subtree].nonterminal(self.grammar);
        let define = |n, refinement: &Refinement| match refinement {
            Refinement::Top => Vec::new(),
            other => self.rules(n, other),
        };
        self.collect((start, Refinement::matches(subtree, 0)), &define, limit)
    }

    /// The grammar that leads from the start symbol to places for a subtree, without the subtree: a rule for each place
    /// of a rule that leads there. What stands beside it is the nonterminal of the base grammar, here without rules.
    ///
    /// # Errors
    /// If it would have more than `limit` rules.
    pub fn reaching_grammar(&self, subtree: usize, limit: usize) -> Result<RefinedGrammar<'g>, TooLarge> {
        let define = |n, refinement: &Refinement| match refinement {
            Refinement::Top => Vec::new(),
            _ => self.reaching(n, subtree),
        };
        self.collect((self.grammar.start(), Refinement::contains(subtree)), &define, limit)
    }

    /// The grammar of all texts with the subtree.
    ///
    /// # Errors
    /// If it would have more than `limit` rules.
    pub fn at_least_one(&self, subtree: usize, limit: usize) -> Result<RefinedGrammar<'g>, TooLarge> {
        self.grammar(&Refinement::contains(subtree), limit)
    }

    /// The grammar of all texts in which the subtree matches at no more than one node.
    ///
    /// # Errors
    /// If it would have more than `limit` rules.
    pub fn at_most_one(&self, subtree: usize, limit: usize) -> Result<RefinedGrammar<'g>, TooLarge> {
        self.grammar(&Refinement::at_most(subtree, 1), limit)
    }

    /// The grammar of all texts in which the subtree matches at exactly so many nodes.
    ///
    /// # Errors
    /// If it would have more than `limit` rules.
    pub fn exactly(&self, subtree: usize, count: u32, limit: usize) -> Result<RefinedGrammar<'g>, TooLarge> {
        self.grammar(&Refinement::exactly(subtree, count), limit)
    }

    /// The grammar of all texts with a tree that a refinement allows, without nonterminals that derive nothing.
    ///
    /// # Errors
    /// If it would have more than `limit` rules.
    pub fn grammar(&self, refinement: &Refinement, limit: usize) -> Result<RefinedGrammar<'g>, TooLarge> {
        let start = (self.grammar.start(), refinement.clone());
        let grammar = self.collect(start, &|n, refinement| self.rules(n, refinement), limit)?;
        Ok(grammar.cleaned())
    }

    /// The rules of a refined nonterminal.
    pub fn rules(&self, nonterminal: Nonterminal, refinement: &Refinement) -> Vec<RefinedRule> {
        match refinement {
            Refinement::Top => self.base_rules(nonterminal),
            Refinement::Bottom => Vec::new(),
            Refinement::Is(atom) => self.rules_of_atom(nonterminal, *atom),
            Refinement::Not(atom) => self.negation(nonterminal, &self.rules_of_atom(nonterminal, *atom)),
            Refinement::And(parts) => {
                let rules = parts.iter().map(|part| self.rules(nonterminal, part));
                rules.reduce(|one, two| conjunction(&one, &two)).unwrap_or_default()
            }
            Refinement::Or(parts) => {
                let rules = parts.iter().flat_map(|part| self.rules(nonterminal, part));
                rules.collect::<BTreeSet<_>>().into_iter().collect()
            }
        }
    }

    /// The rules of a nonterminal that derive none of the trees of these rules: each rule has to miss every one of
    /// them, at one of its refined places.
    pub fn negation(&self, nonterminal: Nonterminal, rules: &[RefinedRule]) -> Vec<RefinedRule> {
        let mut all = Vec::new();
        for base in self.base_rules(nonterminal) {
            let mut missing = vec![base.clone()];
            for refined in rules.iter().filter(|refined| refined.rule == base.rule) {
                missing = conjunction(&missing, &refined.missed(&base.tokens));
            }
            all.extend(missing);
        }
        all
    }

    /// The rules that just miss a rule: one refined place is negated, the others stay as they are, and a place that
    /// is not refined but leads to one of the subtrees avoids `whole`, which the rule's nonterminal has.
    pub fn near_misses(&self, refined: &RefinedRule, whole: &Refinement) -> Vec<RefinedRule> {
        let leading: BTreeSet<usize> = whole
            .subtrees()
            .into_iter()
            .flat_map(|subtree| {
                self.reachable_positions(refined.rule, self.subtrees[subtree].nonterminal(self.grammar))
            })
            .collect();
        let around = |(at, token): (usize, &Token)| match token {
            Token::Nonterminal(Refinement::Top) if leading.contains(&at) => {
                Token::Nonterminal(whole.clone().negated())
            }
            other => other.clone(),
        };
        let tokens: Vec<Token> = refined.tokens.iter().enumerate().map(around).collect();
        refined.missed(&tokens)
    }

    fn base_rules(&self, nonterminal: Nonterminal) -> Vec<RefinedRule> {
        self.grammar.alternatives(nonterminal).map(|rule| self.base_rule(rule)).collect()
    }

    fn base_rule(&self, rule: RuleId) -> RefinedRule {
        let token = |symbol: &Symbol| match symbol {
            Symbol::Literal(_) => Token::Literal,
            Symbol::Class(_) => Token::Except(BTreeSet::new()),
            Symbol::Nonterminal(_) => Token::Nonterminal(Refinement::Top),
        };
        RefinedRule { rule, tokens: self.grammar.rule(rule).right.iter().map(token).collect() }
    }

    fn rules_of_atom(&self, nonterminal: Nonterminal, atom: Atom) -> Vec<RefinedRule> {
        let subtree = atom.subtree;
        let root = self.subtrees[subtree].nonterminal(self.grammar);
        let here = (nonterminal == root).then(|| vec![self.node_rule(subtree, 0)]);
        match atom.kind {
            Kind::Matches(node) => {
                let rule = self.node_rule(subtree, node);
                let is_its_own = self.grammar.rule(rule.rule).left == nonterminal;
                is_its_own.then_some(rule).into_iter().collect()
            }
            Kind::Contains => {
                let mut rules = self.reaching(nonterminal, subtree);
                rules.extend(here.into_iter().flatten());
                rules
            }
            Kind::Exactly(count) => self.counted(nonterminal, subtree, here, count, false),
            Kind::AtLeast(count) => self.counted(nonterminal, subtree, here, count, true),
        }
    }

    /// The rules whose places that lead to a subtree share out `count` matches, with the one `here`.
    fn counted(
        &self,
        nonterminal: Nonterminal,
        subtree: usize,
        here: Option<Vec<RefinedRule>>,
        count: u32,
        or_more: bool,
    ) -> Vec<RefinedRule> {
        let below = self.shared_out(nonterminal, subtree, count, or_more);
        let Some(here) = here else { return below };
        let elsewhere = self.negation(nonterminal, &here);
        let rest = self.shared_out(nonterminal, subtree, count - 1, or_more);
        let mut rules = conjunction(&here, &rest);
        rules.extend(conjunction(&elsewhere, &below));
        rules
    }

    fn shared_out(
        &self,
        nonterminal: Nonterminal,
        subtree: usize,
        count: u32,
        or_more: bool,
    ) -> Vec<RefinedRule> {
        let root = self.subtrees[subtree].nonterminal(self.grammar);
        let mut all = Vec::new();
        for base in self.base_rules(nonterminal) {
            // Each with the number of matches that the places to come still need.
            let mut begun = vec![(base.clone(), count)];
            for place in self.reachable_positions(base.rule, root) {
                let mut next = Vec::new();
                for (rule, left) in begun {
                    let mut with = |refinement: Refinement, left: u32| {
                        let mut rule = rule.clone();
                        rule.tokens[place] = Token::Nonterminal(refinement);
                        next.push((rule, left));
                    };
                    if or_more {
                        (0..left).for_each(|own| with(Refinement::exactly(subtree, own), left - own));
                        with(Refinement::at_least(subtree, left), 0);
                    } else {
                        (0..=left).for_each(|own| with(Refinement::exactly(subtree, own), left - own));
                    }
                }
                begun = next;
            }
            all.extend(begun.into_iter().filter(|(_, left)| *left == 0).map(|(rule, _)| rule));
        }
        all
    }

    /// The rule of a concrete node of a subtree.
    fn node_rule(&self, subtree: usize, node: usize) -> RefinedRule {
        let concrete = &self.subtrees[subtree].nodes[node];
        let mut rule = self.base_rule(concrete.rule);
        for (token, part) in rule.tokens.iter_mut().zip(&concrete.parts) {
            match part {
                Part::Any => {}
                Part::Char(c) => *token = Token::Char(*c),
                Part::Node(below) => *token = Token::Nonterminal(Refinement::matches(subtree, *below)),
            }
        }
        rule
    }

    /// The rules of a nonterminal that lead to a subtree, one for each place that does.
    fn reaching(&self, nonterminal: Nonterminal, subtree: usize) -> Vec<RefinedRule> {
        let root = self.subtrees[subtree].nonterminal(self.grammar);
        let mut rules = Vec::new();
        for base in self.base_rules(nonterminal) {
            for place in self.reachable_positions(base.rule, root) {
                let mut refined = base.clone();
                refined.tokens[place] = Token::Nonterminal(Refinement::contains(subtree));
                rules.push(refined);
            }
        }
        rules
    }

    /// The rules of a refined nonterminal and of all that they lead to.
    fn collect(
        &self,
        start: (Nonterminal, Refinement),
        define: &dyn Fn(Nonterminal, &Refinement) -> Vec<RefinedRule>,
        limit: usize,
    ) -> Result<RefinedGrammar<'g>, TooLarge> {
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        let mut open = vec![start];
        let mut rules: Vec<Vec<Refined>> = Vec::new();
        let mut count = 0;
        while let Some((nonterminal, refinement)) = open.get(rules.len()).cloned() {
            let mut own = Vec::new();
            for refined in define(nonterminal, &refinement) {
                let right = &self.grammar.rule(refined.rule).right;
                let parts = refined.tokens.iter().zip(right).map(|(token, symbol)| match (token, symbol) {
                    (Token::Nonterminal(refinement), Symbol::Nonterminal(n)) => {
                        let new = open.len();
                        let number = *numbers.entry((*n, refinement.clone())).or_insert(new);
                        if number == new {
                            open.push((*n, refinement.clone()));
                        }
                        RefinedPart::Nonterminal(number)
                    }
                    (Token::Char(c), _) => RefinedPart::Char(*c),
                    (Token::Except(chars), _) => RefinedPart::Except(chars.iter().copied().collect()),
                    (Token::Literal | Token::Nonterminal(_), _) => RefinedPart::Literal,
                });
                own.push(Refined { rule: refined.rule, parts: parts.collect() });
            }
            count += own.len();
            if count > limit {
                // The subtree that most nonterminals speak of.
                let about = |subtree: &usize| {
                    open.iter().filter(|(_, refinement)| refinement.subtrees().contains(subtree)).count()
                };
                let subtree = (0..self.subtrees.len()).max_by_key(about).unwrap_or(0);
                return Err(TooLarge { limit, subtree });
            }
            rules.push(own);
        }
        let mut taken = BTreeSet::new();
        let names = open.iter().map(|(n, refinement)| self.name(*n, refinement, &mut taken)).collect();
        Ok(RefinedGrammar { grammar: self.grammar, names, rules, starts: vec![0] })
    }

    /// The name of a refined nonterminal, such as `<expr and(D,neg(Z))>`, and that of the base grammar for `Top`.
    fn name(
        &self,
        nonterminal: Nonterminal,
        refinement: &Refinement,
        taken: &mut BTreeSet<String>,
    ) -> String {
        let base = self.grammar.name(nonterminal);
        if *refinement == Refinement::Top {
            return base.to_owned();
        }
        let mut name = format!("{} {}", base.trim_end_matches('>'), refinement.shown(&self.names));
        while self.grammar.named(&format!("{name}>")).is_some() || !taken.insert(name.clone()) {
            name.push('\'');
        }
        name + ">"
    }
}
