"""Plans tasks after their needs and retires those that are done, in rounds."""

import heapq
import sys
from collections import defaultdict, deque


class Task:
    __slots__ = ("name", "needs", "cost", "state", "log")

    def __init__(self, name, needs=(), cost=1):
        self.name = name
        self.needs = tuple(needs)
        self.cost = cost
        self.state = "waiting"
        self.log = []

    def note(self, text, *values):
        self.log.append(text % values)

    def is_ready(self, done):
        return self.state == "waiting" and all(need in done for need in self.needs)

    def __lt__(self, other):
        return (self.cost, self.name) < (other.cost, other.name)


class CycleError(Exception):
    pass


class Planner:
    def __init__(self, tasks):
        self.tasks = {task.name: task for task in tasks}
        self.users = defaultdict(set)
        self.done = set()
        self.spent = 0
        for task in tasks:
            for need in task.needs:
                self.users[need].add(task.name)

    def check(self):
        """Looks for cycles, depth first."""
        state = {}

        def visit(name, path):
            if state.get(name) == "open":
                raise CycleError(" -> ".join(path + [name]))
            if name in state:
                return
            state[name] = "open"
            for need in self.tasks[name].needs:
                visit(need, path + [name])
            state[name] = "closed"

        for name in sorted(self.tasks):
            visit(name, [])

    def ready(self):
        heap = [task for task in self.tasks.values() if task.is_ready(self.done)]
        heapq.heapify(heap)
        while heap:
            yield heapq.heappop(heap)

    def run(self, task):
        task.state = "done"
        task.note("%s ran for %d", task.name, task.cost)
        self.done.add(task.name)
        self.spent += task.cost

    def retire(self):
        # The mistake: the dictionary is changed while it is walked through.
        for name, task in self.tasks.items():
            if task.state == "done" and not self.users[name] - self.done:
                task.note("%s is retired", name)
                del self.tasks[name]

    def levels(self):
        depth = {}
        queue = deque(sorted(self.tasks))
        while queue:
            name = queue.popleft()
            needs = self.tasks[name].needs
            if all(need in depth for need in needs):
                depth[name] = 1 + max((depth[need] for need in needs), default=0)
            else:
                queue.append(name)
        return depth


def read(lines):
    for line in lines:
        head, _, rest = line.partition(":")
        name, _, cost = head.strip().partition("*")
        yield Task(name.strip(), rest.split(), int(cost or 1))


PLAN = """\
fetch * 3:
unpack: fetch
configure * 2: unpack
compile * 8: configure
test * 5: compile
document * 2: unpack
package: test document
announce: package
"""


def show(planner, out=sys.stdout):
    width = max(len(name) for name in planner.tasks)
    for name, depth in sorted(planner.levels().items(), key=lambda item: (item[1], item[0])):
        print(f"{depth:2} {name:{width}} {'#' * planner.tasks[name].cost}", file=out)


def main(rounds=10):
    planner = Planner(list(read(PLAN.splitlines())))
    planner.check()
    show(planner)
    for number in range(rounds):
        ready = list(planner.ready())
        if not ready:
            break
        for task in ready:
            planner.run(task)
        print(f"round {number}: {', '.join(task.name for task in ready)}; {planner.spent} spent")
        if number > 2:
            planner.retire()
    print("left:", *sorted(planner.tasks))


if __name__ == "__main__":
    main()
