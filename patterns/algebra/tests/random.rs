//! Products of random grammars, patterns and formulas against brute force over all trees of all short texts.

use super::*;
use crate::algebra::subtree::Part;
use lopper_languages::grammar::{Fold, RuleId, Trees};

/// A derivation tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Tree {
    rule: RuleId,
    children: Vec<Child>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Child {
    Text(Vec<u8>),
    Node(Tree),
}

/// The fold whose states are the trees themselves.
struct AllTrees;

impl Fold for AllTrees {
    type State = Tree;
    type Partial = Tree;

    fn begin(&self, rule: RuleId) -> Tree {
        Tree { rule, children: Vec::new() }
    }

    fn terminal(&self, partial: &Tree, text: &[u8]) -> Tree {
        partial.with(Child::Text(text.to_vec()))
    }

    fn nonterminal(&self, partial: &Tree, state: &Tree) -> Tree {
        partial.with(Child::Node(state.clone()))
    }

    fn end(&self, partial: &Tree) -> Tree {
        partial.clone()
    }
}

impl Tree {
    fn with(&self, child: Child) -> Self {
        let children = self.children.iter().cloned().chain([child]).collect();
        Self { rule: self.rule, children }
    }

    /// Whether the subtree from its concrete node `at` downwards is at this node.
    fn has(&self, subtree: &Subtree, at: usize) -> bool {
        let node = &subtree.nodes[at];
        let fits = |(part, child): (&Part, &Child)| match (part, child) {
            (Part::Any, _) => true,
            (Part::Node(below), Child::Node(tree)) => tree.has(subtree, *below),
            (Part::Char(c), Child::Text(text)) => *text == c.to_string().into_bytes(),
            _ => false,
        };
        node.rule == self.rule && node.parts.iter().zip(&self.children).all(fits)
    }

    /// The number of nodes at which the subtree is.
    fn count(&self, subtree: &Subtree) -> u32 {
        let below = self.children.iter().map(|child| match child {
            Child::Node(tree) => tree.count(subtree),
            Child::Text(_) => 0,
        });
        u32::from(self.has(subtree, 0)) + below.sum::<u32>()
    }
}

const NONTERMINALS: [&str; 3] = ["<start>", "<A>", "<B>"];

/// The rules of three nonterminals over a, b and c. Many grammars are ambiguous, and some cannot be used.
fn rules() -> impl Strategy<Value = Vec<Vec<String>>> {
    let symbol = prop::sample::select(vec!["a", "b", "c", "<start>", "<A>", "<B>"]);
    let rule = prop::collection::vec(symbol, 0..4).prop_map(|symbols| symbols.concat());
    prop::collection::vec(prop::collection::vec(rule, 1..4), 3)
}

/// A pattern: an alternative of a nonterminal, in which another one may stand for its first hole.
fn pattern(rules: &[Vec<String>], [left, rule, below]: [usize; 3]) -> String {
    let outer = &rules[left % 3][rule % rules[left % 3].len()];
    let inner =
        |name: &str| NONTERMINALS.iter().position(|n| *n == name).map(|n| &rules[n][below % rules[n].len()]);
    let hole = outer.find('<').and_then(|from| Some((from, from + outer[from..].find('>')? + 1)));
    match hole {
        Some((from, to)) if below % 2 == 0 => inner(&outer[from..to])
            .map_or(outer.clone(), |text| format!("{}{text}{}", &outer[..from], &outer[to..])),
        _ => outer.clone(),
    }
}

const FORMULAS: [&str; 6] = ["P", "!P", "P & Q", "P >= 2 | !Q", "P = 1 & Q <= 1", "!(P | Q)"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_product_of_any_grammar_accepts_what_brute_force_accepts(
        rules in rules(), choices in prop::array::uniform6(0usize..60), formula in 0usize..6
    ) {
        let json: Vec<String> = NONTERMINALS.iter().zip(&rules).map(|(n, rules)| format!("{n:?}: {rules:?}")).collect();
        let Ok(grammar) = Grammar::read(&format!("{{{}}}", json.join(","))) else { return Ok(()) };
        let [a, b, c, d, e, f] = choices;
        let texts_of_patterns = [pattern(&rules, [a, b, c]), pattern(&rules, [d, e, f])];
        let mut subtrees = Vec::new();
        for text in &texts_of_patterns {
            let read = Pattern::of_grammar(&grammar, text.as_bytes()).ok();
            let Some(Ok(subtree)) = read.map(|p| Subtree::characteristic(&grammar, &p)) else { return Ok(()) };
            subtrees.push(subtree);
        }
        let [p, q] = texts_of_patterns.each_ref().map(String::as_str);
        let automaton = automaton(&grammar, &[("P", p), ("Q", q)], FORMULAS[formula]);
        let product = product(&automaton);
        let refined = (!product.is_empty()).then(|| Grammar::read(&product.to_json().to_string()).map(Parser::new));
        let refined = refined.transpose().map_err(|e| TestCaseError::fail(format!("{e:?}")))?;
        let question = Formula::read(FORMULAS[formula]).expect("it is a formula");
        let parser = Parser::new(grammar.clone());
        for text in texts(&["a", "b", "c"], 4) {
            if !matches!(parser.trees(text.as_bytes()), Trees::Exactly(0..=200)) {
                continue;
            }
            let satisfies = |tree: &Tree| {
                question.holds(&|name| tree.count(&subtrees[usize::from(name == "Q")]))
            };
            let holds = parser.fold(&AllTrees, text.as_bytes()).iter().any(satisfies);
            let accepts = refined.as_ref().is_some_and(|refined| refined.accepts(text.as_bytes()));
            prop_assert_eq!(accepts, holds, "{:?} of {:?} with {} and {} in {:?}", FORMULAS[formula], text, p, q, rules);
        }
    }
}
