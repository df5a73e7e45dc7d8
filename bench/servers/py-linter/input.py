"""Counts words, and prints the most frequent ones."""

import collections
import re
import sys

WORD = re.compile(r"[a-z']+")


class Counter:
    """Counts the words of texts."""

    def __init__(self, stop=(), *, least=1):
        self.stop = set(stop)
        self.least = least
        self.counts = collections.Counter()

    def add(self, text):
        for word in WORD.findall(text.lower()):
            if word not in self.stop and len(word) >= self.least:
                self.counts[word] += 1

    def top(self, count=10):
        return self.counts.most_common(count)


def show(pairs, out=sys.stdout, *, width=20):
    for word, count in pairs:
        out.write(f"{word:{width}} {count}\n")


def report(*files, stop=(), width=20):
    counter = Counter(stop)
    for file in files:
        with open(file) as text:
            for line in text:
                counter.add(line)
    show(counter.top(), width=width)


def main(arguments):
    if not arguments:
        print("no files", file=sys.stderr)
        return 2
    report(*arguments, stop=["the", "a", "of"])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
