//! Semantic errors of C: what compilers refuse although the grammar accepts it.
//!
//! Each name gets a type from its declaration, and each expression from its operands; C11, 6.5 to 6.9, says which go together.
//! What is not known has a type that goes with everything: names from files that are included, macros, and extensions of
//! compilers. What compilers only warn of, such as a function that nothing declares, is no error.

mod declarations;
mod expressions;
mod scopes;
mod statements;
#[cfg(test)]
mod tests;
mod types;

use self::scopes::{Named, Object, Scopes};
use self::types::{Integer, Type};
use crate::Parsed;
use crate::tree::{NodeId, Tree};
use std::collections::BTreeSet;

/// The number of semantic errors in a text of C. O([`STEPS`] nodes log names).
pub(crate) fn errors(file: &Parsed) -> usize {
    let mut checker = Checker::new(file);
    checker.items(NodeId::ROOT);
    checker.end_of_file();
    checker.errors
}

/// How deeply expressions, statements and declarators are looked at: deeper ones would take too much of the stack.
const DEPTH: usize = 150;
/// The number of steps for each node of a file. What is nested in initializers is looked at again for each of them; without a limit,
/// thirty levels would take hours.
const STEPS: usize = 16;

/// The state of a check.
struct Checker<'a> {
    file: &'a Parsed,
    tree: &'a Tree,
    scopes: Scopes<'a>,
    errors: usize,
    /// Whether all declarations are in the file.
    is_whole: bool,
    /// The names of which nothing is known: those of macros, and those in what the parser could not read.
    macros: BTreeSet<&'a [u8]>,
    depth: usize,
    /// The number of steps that are left.
    steps: usize,
    /// The function whose body is looked at.
    function: Option<Body<'a>>,
    /// The number of loops, and of switches, around what is looked at.
    loops: usize,
    switches: usize,
    /// Variables of the file whose types are not complete yet.
    incomplete: Vec<Type>,
}

/// What is known of the body of a function.
struct Body<'a> {
    result: Type,
    labels: BTreeSet<&'a [u8]>,
    gotos: Vec<&'a [u8]>,
}

impl<'a> Checker<'a> {
    fn new(file: &'a Parsed) -> Self {
        let tree = file.tree();
        let mut macros = BTreeSet::new();
        let (mut is_whole, mut unread) = (true, 0);
        for node in tree.nodes() {
            match tree.kind_name(node) {
                "preproc_include" => is_whole = false,
                _ if tree.is_error(node) && tree.range(node).end > unread => {
                    unread = tree.range(node).end;
                    let words = file.tokens_in(tree.range(node)).iter();
                    macros.extend(words.map(|word| &file.text[word.range()]));
                }
                "preproc_def" | "preproc_function_def" => {
                    let name = tree.named_children(node).next();
                    macros.extend(name.map(|name| &file.text[tree.range(name)]));
                }
                _ => {}
            }
        }
        Self {
            file,
            tree,
            scopes: Scopes::default(),
            errors: 0,
            is_whole,
            macros,
            depth: 0,
            steps: STEPS * tree.len(),
            function: None,
            loops: 0,
            switches: 0,
            incomplete: Vec::new(),
        }
    }

    fn text(&self, node: NodeId) -> &'a [u8] {
        &self.file.text[self.tree.range(node)]
    }

    fn kind(&self, node: NodeId) -> &'static str {
        self.tree.kind_name(node)
    }

    /// The named children, but for comments.
    fn parts(&self, node: NodeId) -> Vec<NodeId> {
        self.tree.named_children(node).filter(|&n| self.kind(n) != "comment").collect()
    }

    fn error(&mut self) {
        self.errors += 1;
    }

    fn error_if(&mut self, is_wrong: bool) {
        self.errors += usize::from(is_wrong);
    }

    /// Whether a name may mean something that is declared nowhere in the file.
    fn may_be_foreign(&self, name: &[u8]) -> bool {
        !self.is_whole || name.starts_with(b"__") || self.macros.contains(name)
    }

    /// Runs a part of the check one level deeper; `None` if that is too deep, or if no steps are left.
    fn deeper<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEPTH || self.steps == 0 {
            return None;
        }
        (self.depth, self.steps) = (self.depth + 1, self.steps - 1);
        let result = check(self);
        self.depth -= 1;
        Some(result)
    }

    /// What stands at the level of the file, or in a part of it that is compiled under a condition.
    fn items(&mut self, node: NodeId) {
        for item in self.parts(node) {
            match self.kind(item) {
                "function_definition" => self.definition(item),
                "linkage_specification"
                | "declaration_list"
                | "preproc_if"
                | "preproc_ifdef"
                | "preproc_else"
                | "preproc_elif" => drop(self.deeper(|checker| checker.items(item))),
                "compound_statement" => self.error(),
                "expression_statement" => self.implied(item),
                kind if kind.ends_with("_statement") => self.error(),
                _ => self.declaration_or_statement(item),
            }
        }
    }

    /// An expression at the level of the file: a declaration without its type, if anything.
    fn implied(&mut self, statement: NodeId) {
        let first = self.tree.first_leaf(statement);
        let may_declare = matches!(self.kind(first), "identifier" | "*" | "(" | ";");
        self.error_if(!may_declare);
        for name in self.tree.descendants(statement) {
            if self.kind(name) != "identifier" {
                continue;
            }
            let implied = Object { ty: Type::Unknown, is_static: false, is_defined: false, is_extern: true };
            self.scopes.declare_at_file_level(self.text(name), Named::Object(implied));
        }
    }

    /// What can be told only when all of the file has been seen.
    fn end_of_file(&mut self) {
        for incomplete in std::mem::take(&mut self.incomplete) {
            self.error_if(self.is_incomplete(&incomplete));
        }
    }

    /// Whether a type lacks its members: no variable can have it, and no value.
    fn is_incomplete(&self, ty: &Type) -> bool {
        match ty {
            Type::Void => true,
            Type::Record(record) => self.scopes.record(*record).fields.is_none() && self.is_whole,
            Type::Integer(Integer::Enumeration(enumeration)) => {
                !self.scopes.is_enumerated(*enumeration) && self.is_whole
            }
            Type::Array(element, _) => self.is_incomplete(element),
            _ => false,
        }
    }
}
