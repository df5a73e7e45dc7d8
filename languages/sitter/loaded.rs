//! Grammars that are loaded at run time, and that nobody has written a language for.

use super::Grammar;
use super::compiled::{BINDINGS_FILE, Compiled, accepted};
use crate::guess;
use crate::references::Naming;
use crate::slots::{KindRef, NodeType, NodeTypes, entries};
use crate::{Fault, Typing};
use std::fmt;
use std::sync::OnceLock;
use tree_sitter::Parser;

/// A tree-sitter grammar that was loaded at run time, with the texts that lie beside it.
#[derive(Debug)]
pub struct Loaded {
    /// The name of the language.
    pub name: String,
    /// The grammar.
    pub grammar: tree_sitter::Language,
    /// The text of its `node-types.json`; empty if there is none.
    pub node_types: String,
    /// The text of its `grammar.json`; empty if there is none.
    pub rules: String,
    /// The roles as the user gives them, in place of those that are guessed.
    pub roles: Option<String>,
    /// The definitions and uses of names as the user gives them, in place of those that are guessed.
    pub bindings: Option<String>,
}

/// Why a loaded grammar cannot be used as a language.
#[derive(Debug)]
pub enum Unloaded {
    /// This version of tree-sitter cannot run it.
    Grammar(String),
    /// There is a fault in the roles.
    Roles(String),
    /// There is a fault in the definitions and uses of names.
    Bindings(String),
}

impl fmt::Display for Unloaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Grammar(why) | Self::Roles(why) | Self::Bindings(why)) = self;
        f.write_str(why)
    }
}

impl Loaded {
    /// The language, with guessed roles if the user gives none. It stays in memory until the process ends.
    ///
    /// # Errors
    /// If this version of tree-sitter cannot run the grammar, or if there is a fault in what the user gives.
    pub fn into_language(self) -> Result<&'static Grammar, Unloaded> {
        Parser::new().set_language(&self.grammar).map_err(|e| Unloaded::Grammar(e.to_string()))?;
        let mut types = entries(&self.node_types);
        if types.is_empty() {
            types = kinds(&self.grammar);
        }
        let guess = guess::guess(&types, &self.rules);
        let known = NodeTypes::of(&types);
        let roles = self.roles.unwrap_or_else(|| accepted(&guess.roles, &self.grammar, &known));
        let bindings = self.bindings.unwrap_or_else(|| accepted(&guess.bindings, &self.grammar, &known));
        let grammar = self.grammar;
        let language = Box::leak(Box::new(Grammar {
            name: self.name.leak(),
            extensions: &[],
            lexis: Box::leak(Box::new(guess.lexis)),
            layout: guess.layout,
            constants: guess.constants.leak(),
            truths: guess.truths.leak(),
            consumers: guess.consumers,
            // Most compilers refuse names that nothing defines. The last sweep tests such candidates all the same.
            refuses: &[Fault::Undefined],
            typing: Typing::None,
            implied: None,
            hidden: None,
            masks: &[],
            marked: &[],
            embedded: &[],
            indivisible: true,
            containers: &[],
            grammar: Box::leak(Box::new(move || grammar.clone())),
            node_types: self.node_types.leak(),
            samples: &[],
            roles: roles.leak(),
            bindings: bindings.leak(),
            naming: Naming::Words,
            semantics: None,
            compiled: OnceLock::new(),
        }));
        let compiled = Compiled::new(language, &known).map_err(|e| match e.starts_with(BINDINGS_FILE) {
            true => Unloaded::Bindings(e),
            false => Unloaded::Roles(e),
        })?;
        // The cell is empty: nobody else has seen the language.
        let _ = language.compiled.set(compiled);
        Ok(language)
    }
}

/// The kinds of a grammar without `node-types.json`, as far as the grammar itself names them.
fn kinds(grammar: &tree_sitter::Language) -> Vec<NodeType> {
    let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    let name = |id: u16| grammar.node_kind_for_id(id).unwrap_or_default().to_owned();
    let is_kind = |id: &u16| grammar.node_kind_is_named(*id) && grammar.node_kind_is_visible(*id);
    let of = |id: u16, subtypes| NodeType { kind: name(id), named: true, subtypes, ..NodeType::default() };
    let supertypes = grammar.supertypes().iter().map(|&id| {
        let kinds =
            grammar.subtypes_for_supertype(id).iter().map(|&kind| KindRef { kind: name(kind), named: true });
        of(id, kinds.collect())
    });
    let mut all: Vec<NodeType> =
        (0..count).filter(is_kind).map(|id| of(id, Vec::new())).chain(supertypes).collect();
    all.sort_by(|one, other| one.kind.cmp(&other.kind));
    all.dedup_by(|one, other| one.kind == other.kind);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Parsed;
    use crate::role::Role;

    /// A language of this build as if it were loaded, with its `node-types.json` or without.
    fn loaded(grammar: &Grammar, with_types: bool) -> &'static Grammar {
        let loaded = Loaded {
            name: format!("loaded {}", grammar.name),
            grammar: (grammar.grammar)(),
            node_types: if with_types { grammar.node_types.to_owned() } else { String::new() },
            rules: String::new(),
            roles: None,
            bindings: None,
        };
        loaded.into_language().unwrap()
    }

    /// The nodes of the samples that have the role by hand, and how many of these have it by the guess.
    fn agreement(grammar: &'static Grammar, guessed: &'static Grammar, role: Role) -> (usize, usize) {
        let (mut by_hand, mut by_both) = (0, 0);
        for (_, text) in grammar.samples {
            let own = Parsed::new(grammar, text.as_bytes().to_vec());
            // What a grammar must not see is known only by hand.
            let other = Parsed::new(guessed, grammar.hide(text.as_bytes(), 0).1.into_owned());
            assert_eq!(own.tree().len(), other.tree().len());
            for node in own.tree().nodes().filter(|node| own.tree().has(*node, role)) {
                by_hand += 1;
                by_both += usize::from(other.tree().has(node, role));
            }
        }
        (by_hand, by_both)
    }

    #[test]
    fn the_guess_agrees_with_what_people_wrote() {
        use crate::{go::GO, java::JAVA, javascript::JAVASCRIPT, lua::LUA, python::PYTHON, rust::RUST};
        let roles = [
            (Role::Statement, 85),
            (Role::Block, 95),
            (Role::Body, 80),
            (Role::Expression, 80),
            (Role::Literal, 95),
            (Role::Name, 95),
            (Role::Function, 95),
            (Role::Call, 95),
            (Role::Comment, 95),
            (Role::Separator, 95),
            (Role::Verbatim, 90),
        ];
        let all =
            [&GO, &JAVA, &JAVASCRIPT, &LUA, &PYTHON, &RUST].map(|grammar| (grammar, loaded(grammar, true)));
        for (role, least) in roles {
            let counts = all.iter().map(|(grammar, guessed)| agreement(grammar, guessed, role));
            let (by_hand, by_both) = counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            assert!(by_both * 100 >= by_hand * least, "{role:?}: {by_both} of {by_hand}");
        }
    }

    /// The places of definitions and the resolved uses in the samples by hand, and how many of both the guess resolves
    /// to the same place.
    fn agreement_of_names(grammar: &'static Grammar, guessed: &'static Grammar) -> (usize, usize) {
        let (mut by_hand, mut by_both) = (0, 0);
        for (_, text) in grammar.samples {
            let own = Parsed::new(grammar, text.as_bytes().to_vec());
            let other = Parsed::new(guessed, grammar.hide(text.as_bytes(), 0).1.into_owned());
            let (hand, guess) = (own.bindings(0), other.bindings(0));
            for definition in hand.definitions() {
                let range = |name| own.tree().range(name);
                let places = || definition.places.iter().map(|place| range(place.name));
                for name in places().chain(definition.uses.iter().map(|used| range(used.name))) {
                    by_hand += 1;
                    let guessed = other.tree().innermost_at(name).and_then(|name| guess.of(name));
                    let same = guessed.map(|index| &guess.definitions()[index]);
                    let is_same = same.is_some_and(|same| {
                        let mut theirs = same.places.iter().map(|place| other.tree().range(place.name));
                        theirs.any(|place| places().any(|own| own == place))
                    });
                    by_both += usize::from(is_same);
                }
            }
        }
        (by_hand, by_both)
    }

    #[test]
    fn the_guess_resolves_most_names_as_people_did() {
        use crate::{
            c::C, go::GO, java::JAVA, javascript::JAVASCRIPT, lua::LUA, python::PYTHON, ruby::RUBY,
            rust::RUST,
        };
        let expected = [
            (&C, 80),
            (&GO, 80),
            (&JAVA, 85),
            (&JAVASCRIPT, 85),
            (&LUA, 75),
            (&PYTHON, 80),
            (&RUBY, 90),
            (&RUST, 85),
        ];
        for (grammar, least) in expected {
            let (by_hand, by_both) = agreement_of_names(grammar, loaded(grammar, true));
            assert!(by_both * 100 >= by_hand * least, "{}: {by_both} of {by_hand}", grammar.name);
        }
    }

    #[test]
    fn without_node_types_the_names_of_kinds_still_tell_something() {
        let guessed = loaded(&crate::go::GO, false);
        for role in [Role::Name, Role::Literal, Role::Comment, Role::Body, Role::Separator] {
            let (by_hand, by_both) = agreement(&crate::go::GO, guessed, role);
            assert!(by_both * 10 >= by_hand * 8, "{role:?}: {by_both} of {by_hand}");
        }
    }

    #[test]
    fn roles_of_the_user_replace_the_guess_and_faults_in_them_are_told() {
        let grammar = |roles: &str| Loaded {
            name: "loaded".to_owned(),
            grammar: (crate::json::JSON.grammar)(),
            node_types: crate::json::JSON.node_types.to_owned(),
            rules: String::new(),
            roles: Some(roles.to_owned()),
            bindings: None,
        };
        let language = grammar("(number) @name").into_language().unwrap();
        let parsed = Parsed::new(language, b"[1]".to_vec());
        let has = |role| parsed.tree().nodes().any(|node| parsed.tree().has(node, role));
        assert!(has(Role::Name) && !has(Role::Literal));
        let fault = |roles| grammar(roles).into_language().map(|_| ()).unwrap_err().to_string();
        assert!(fault("\n(nonsense) @name").contains("line 2: the grammar has no node 'nonsense'"));
        assert!(fault("(number) @nonsense").contains("@nonsense has no meaning"));
    }
}
