"""Menus and their handlers, with tests; one of them fails."""

import functools
import unittest


class Action:
    """Something that a user can choose."""

    def __init__(self, name, shortcut=None, enabled=True):
        self.name = name
        self.shortcut = shortcut
        self.enabled = enabled
        self.calls = 0

    def __call__(self, *arguments):
        if not self.enabled:
            raise RuntimeError(f"{self.name} is disabled")
        self.calls += 1
        return self.name, arguments

    def __repr__(self):
        return f"Action({self.name!r})"


class Menu:
    """Actions by name, with handlers that remember whom they belong to."""

    def __init__(self, title, actions=()):
        self.title = title
        self.actions = {}
        self.handlers = {}
        for action in actions:
            self.add(action)

    def add(self, action):
        if action.name in self.actions:
            raise KeyError(action.name)
        self.actions[action.name] = action
        return action

    def connect(self):
        # The mistake: each handler sees the last action.
        for name, action in sorted(self.actions.items()):
            self.handlers[name] = lambda *arguments: action(*arguments)

    def connect_properly(self):
        for name, action in self.actions.items():
            self.handlers[name] = functools.partial(action)

    def trigger(self, name, *arguments):
        try:
            handler = self.handlers[name]
        except KeyError:
            raise LookupError(f"{self.title} has no {name}") from None
        return handler(*arguments)

    def shortcuts(self):
        return {a.shortcut: a.name for a in self.actions.values() if a.shortcut}

    def __len__(self):
        return len(self.actions)


class Journal:
    """Remembers what was triggered."""

    limit = 3

    def __init__(self):
        self.lines = []

    def write(self, line):
        self.lines.append(line)
        if len(self.lines) > self.limit:
            del self.lines[: -self.limit]

    def last(self, default=""):
        return self.lines[-1] if self.lines else default


def example():
    return Menu("File", [Action("open", "o"), Action("save", "s"), Action("close"), Action("print", "p")])


class MenuTest(unittest.TestCase):
    def setUp(self):
        self.menu = example()
        self.journal = Journal()

    def test_names_are_different(self):
        with self.assertRaises(KeyError):
            self.menu.add(Action("save"))

    def test_shortcuts(self):
        self.assertEqual(self.menu.shortcuts(), {"o": "open", "s": "save", "p": "print"})

    def test_missing_handler(self):
        with self.assertRaisesRegex(LookupError, "File has no open"):
            self.menu.trigger("open")

    def test_handlers_belong_to_their_actions(self):
        self.menu.connect()
        for name in ("open", "save", "close"):
            self.journal.write(name)
            answer, _ = self.menu.trigger(name, 1)
            self.assertEqual(answer, name)

    def test_proper_handlers(self):
        self.menu.connect_properly()
        self.assertEqual(self.menu.trigger("print", 2, 3), ("print", (2, 3)))
        self.assertEqual(self.menu.actions["print"].calls, 1)

    def test_disabled_actions(self):
        action = self.menu.add(Action("undo", enabled=False))
        self.menu.connect_properly()
        self.assertRaises(RuntimeError, self.menu.trigger, "undo")
        self.assertEqual(action.calls, 0)

    def test_journal_forgets(self):
        for number in range(5):
            self.journal.write(str(number))
        self.assertEqual(self.journal.lines, ["2", "3", "4"])
        self.assertEqual(self.journal.last(), "4")

    def test_length(self):
        self.assertEqual(len(self.menu), 4)
        self.assertEqual(Journal().last("none"), "none")


if __name__ == "__main__":
    unittest.main()
