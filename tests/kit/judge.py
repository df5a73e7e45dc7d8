"""Judges variants of a Python program, for tests/known_answers.rs: as text, or with nodes of its tree reduced.

The only argument is JSON: the program's path, the rules for reducing nodes ("delete", "simplify",
"alternatives"), the function to call, an argument with the result that it must have ("works", or null),
and one with the result that it should have but has not ("fails"). The first line of output has the numbers of nodes
and reductions. Every line of input is JSON as well: a text to judge, a list of reductions to apply and
judge, or such a list in {"show": ...} to print. The verdicts are "fail" (the failure is still there), "pass" and
"unresolved".
"""

import ast
import json
import os
import sys

REQUEST = json.loads(sys.argv[1])
ALTERNATIVES = REQUEST["rules"] == "alternatives"
CONSTANTS = (True, False, "")
TRUTHS = (False, True)
# Parents and fields whose node may be absent.
OPTIONAL = {("FunctionDef", "returns"), ("arg", "annotation"), ("Assert", "msg"), ("Return", "value")}


def preorder(node):
    yield node
    for child in ast.iter_child_nodes(node):
        yield from preorder(child)


def is_value(node):
    return isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store)


def deletion(node):
    """Every node can be deleted, except the root and constants, which the book's visitor never visits."""
    return [None if isinstance(node, (ast.Module, ast.Constant)) else "gone"]


def simplification(node):
    """Like deletion, but nodes of some kinds are replaced by simpler ones."""
    simpler = {ast.Assign: "pass", ast.Compare: ("constant", False), ast.BoolOp: ("operand", 0), ast.If: "body"}
    return [simpler.get(type(node), deletion(node)[0])]


def alternatives(node):
    """Exercise 1: all reductions of a node."""
    if isinstance(node, ast.BoolOp):
        operands = [("operand", i) for i in range(len(node.values))]
        return operands + [("constant", value) for value in TRUTHS]
    if isinstance(node, ast.If):
        return ["gone"] + ["else"] * bool(node.orelse) + ["body"]
    if isinstance(node, ast.stmt):
        return ["gone"]
    return [("constant", value) for value in CONSTANTS] if is_value(node) else []


def uses(nodes):
    """Replaces all uses of a variable by a constant; a variable is a name that is assigned somewhere."""
    names = [node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    return [(name, ("constant", value)) for name in dict.fromkeys(names) for value in TRUTHS]


class Variant:
    """The program's tree with some reductions applied; the tree itself is not changed."""

    def __init__(self, reductions, made):
        # Python shares nodes without children: such a node is kept if any of its uses is kept.
        key = lambda node, rule: (node if isinstance(node, str) else id(node), rule)
        kept = {key(*reduction) for i, reduction in enumerate(reductions) if i not in made}
        self.rules = {}
        for reduction in reductions:
            node, rule = key(*reduction)
            if rule is not None and (node, rule) not in kept:
                self.rules.setdefault(node, rule)

    def reduced(self, node):
        """The replacement of a node: a node, a list of statements, or None."""
        rule = self.rules.get(id(node))
        if rule is None and isinstance(node, ast.Name) and is_value(node):
            rule = self.rules.get(node.id)
        if rule is None:
            return self.copied(node)
        if rule == "gone":
            return None
        if rule == "pass":
            return ast.Pass()
        # In the book, a node that replaces its parent is not reduced itself.
        if rule == "body":
            return self.all(node.body) if ALTERNATIVES else node.body
        if rule == "else":
            return self.all(node.orelse)
        if rule[0] == "operand":
            operand = node.values[rule[1]]
            return self.reduced(operand) if ALTERNATIVES else operand
        return ast.Constant(rule[1])

    def all(self, nodes):
        reduced = []
        for node in nodes:
            new = self.reduced(node) if isinstance(node, ast.AST) else node
            reduced += new if isinstance(new, list) else [] if new is None else [new]
        return reduced

    def copied(self, node):
        fields = {}
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                value = self.all(value)
                if name == "body" and not value and ALTERNATIVES and not isinstance(node, ast.Module):
                    value = [ast.Pass()]
            elif isinstance(value, ast.AST):
                value = self.reduced(value)
                if value is None and (type(node).__name__, name) not in OPTIONAL:
                    raise SyntaxError("a part is missing that must be there")
            fields[name] = value
        return type(node)(**fields)


def judge(program):
    try:
        names = {}
        exec(compile(program, "program", "exec"), names)
        function = names[REQUEST["function"]]
        for given, expected in [REQUEST["works"]] if REQUEST["works"] else []:
            if function(given) != expected:
                return "unresolved"
        given, expected = REQUEST["fails"]
        return "pass" if function(given) == expected else "fail"
    except Exception:
        return "unresolved"


def main():
    answers, sys.stdout = sys.stdout, open(os.devnull, "w")
    with open(REQUEST["program"], encoding="utf-8") as file:
        tree = ast.parse(file.read())
    nodes = list(ast.walk(tree) if ALTERNATIVES else preorder(tree))
    rules = {"delete": deletion, "simplify": simplification, "alternatives": alternatives}[REQUEST["rules"]]
    reductions = uses(nodes) if ALTERNATIVES else []
    reductions += [(node, rule) for node in nodes for rule in rules(node)]

    def variant(made):
        return ast.fix_missing_locations(Variant(reductions, set(made)).reduced(tree))

    def answer(asked):
        try:
            if isinstance(asked, str):
                return judge(asked)
            if isinstance(asked, dict):
                return ast.unparse(variant(asked["show"]))
            return judge(variant(asked))
        except SyntaxError:
            return "unresolved"

    # Without `unparse`, this Python is too old; 0 nodes make the tests skip.
    counts = {"nodes": len(nodes) if hasattr(ast, "unparse") else 0, "reductions": len(reductions)}
    print(json.dumps(counts), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=answers, flush=True)


main()
