//! Statements.

use super::Checker;
use crate::tree::NodeId;

impl Checker<'_> {
    /// The statements and declarations of a block, in the scope that is open.
    pub(super) fn statements(&mut self, block: NodeId) {
        for part in self.parts(block) {
            self.declaration_or_statement(part);
        }
    }

    /// A declaration or a statement.
    pub(super) fn declaration_or_statement(&mut self, node: NodeId) {
        self.deeper(|checker| checker.shallow_statement(node));
    }

    fn shallow_statement(&mut self, node: NodeId) {
        match self.kind(node) {
            "declaration" | "type_definition" => self.declaration(node),
            "struct_specifier" | "union_specifier" | "enum_specifier" => drop(self.type_of(node)),
            "function_definition" => self.definition(node),
            "compound_statement" => {
                self.scopes.open();
                self.statements(node);
                self.scopes.close();
            }
            "expression_statement" | "if_statement" | "else_clause" | "attributed_statement" => {
                self.inner(node)
            }
            "switch_statement" => {
                self.switches += 1;
                self.inner(node);
                self.switches -= 1;
            }
            "while_statement" | "do_statement" => {
                self.loops += 1;
                self.inner(node);
                self.loops -= 1;
            }
            "for_statement" => {
                self.scopes.open();
                self.loops += 1;
                self.inner(node);
                self.loops -= 1;
                self.scopes.close();
            }
            "case_statement" => {
                self.error_if(self.switches == 0);
                let colon = self.tree.children(node).find(|&part| self.kind(part) == ":");
                for part in self.parts(node) {
                    let is_value = colon.is_some_and(|colon| part < colon);
                    match is_value {
                        true => self.constant(part),
                        false => self.declaration_or_statement(part),
                    }
                }
            }
            "break_statement" => self.error_if(self.loops + self.switches == 0),
            "continue_statement" => self.error_if(self.loops == 0),
            "return_statement" => self.return_statement(node),
            "goto_statement" => {
                let label = self.parts(node).first().map(|&label| self.text(label));
                let label = label.filter(|_| self.tree.children(node).all(|part| self.kind(part) != "*"));
                if let Some(function) = &mut self.function {
                    function.gotos.extend(label);
                }
            }
            "labeled_statement" => {
                let parts = self.parts(node);
                let name = parts.first().map(|&name| self.text(name));
                let is_second = match (&mut self.function, name) {
                    (Some(function), Some(name)) => !function.labels.insert(name),
                    _ => false,
                };
                self.error_if(is_second);
                parts.into_iter().skip(1).for_each(|part| self.declaration_or_statement(part));
            }
            kind if kind.starts_with("preproc_") => self.preprocessed(node),
            kind if kind.ends_with("expression") || kind == "identifier" => drop(self.value(node)),
            _ => {}
        }
    }

    /// The conditions and statements of a statement.
    fn inner(&mut self, node: NodeId) {
        for part in self.parts(node) {
            let is_statement = self.kind(part).ends_with("_statement")
                || matches!(self.kind(part), "declaration" | "else_clause");
            match (is_statement, self.kind(node)) {
                (true, _) => self.declaration_or_statement(part),
                (false, "expression_statement" | "for_statement" | "attributed_statement") => {
                    drop(self.value(part))
                }
                (false, "switch_statement") => {
                    let value = self.value(part);
                    self.error_if(!value.may_be_integer());
                }
                (false, _) => self.condition(part),
            }
        }
    }

    /// The lines between those of a condition of the preprocessor.
    fn preprocessed(&mut self, node: NodeId) {
        if matches!(self.kind(node), "preproc_if" | "preproc_ifdef" | "preproc_else" | "preproc_elif") {
            let is_statement = |kind: &str| kind.ends_with("_statement") || kind.ends_with("declaration");
            for part in self.parts(node) {
                if is_statement(self.kind(part)) || self.kind(part).starts_with("preproc_") {
                    self.declaration_or_statement(part);
                }
            }
        }
    }

    fn return_statement(&mut self, node: NodeId) {
        let Some(&part) = self.parts(node).first() else { return };
        let value = self.value(part);
        if let Some(function) = &self.function
            && !function.result.is_void()
        {
            let is_wrong = !value.is_assignable_to(&function.result);
            self.error_if(is_wrong);
        }
    }
}
