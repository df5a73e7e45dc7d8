#!/usr/bin/env python3
"""Prints the licences of all crates that are part of the binary; a package of a binary must carry them.

    packaging/licences.py x86_64-unknown-linux-gnu remote > THIRD-PARTY-LICENCES.txt
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("licen", "copying", "unlicense", "notice")


def linked(metadata):
    """The ids of the packages that `lopper` links, without what only builds or tests it."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [metadata["resolve"]["root"]]
    found = set()
    while waiting:
        package = waiting.pop()
        if package in found:
            continue
        found.add(package)
        for dependency in nodes[package]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return found


def texts(folder):
    """The files of a package that hold its licence."""
    return sorted(f for f in folder.iterdir() if f.is_file() and f.name.lower().startswith(NAMES))


def main():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", sys.argv[1]]
    command += ["--features", ",".join(sys.argv[2:])]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    ours = set(metadata["workspace_members"])
    part = linked(metadata) - ours
    packages = sorted((p for p in metadata["packages"] if p["id"] in part), key=lambda p: p["name"])
    print("Lopper is linked with these crates. Where a crate has several licences, Lopper uses it under one that")
    print("deny.toml allows.\n")
    for package in packages:
        print(f"- {package['name']} {package['version']}: {package['license']}")
    shown = {}
    for package in packages:
        for file in texts(Path(package["manifest_path"]).parent):
            text = file.read_text(errors="replace").strip()
            shown.setdefault(text, []).append(f"{package['name']} {package['version']} ({file.name})")
    for text, names in shown.items():
        print("\n" + "=" * 100 + "\n" + "\n".join(names) + "\n" + "=" * 100 + "\n\n" + text)


if len(sys.argv) < 2:
    sys.exit("usage: packaging/licences.py TARGET [FEATURE...] > FILE")
main()
