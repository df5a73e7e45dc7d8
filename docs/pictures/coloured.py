"""Reads a terminal's picture with its escape sequences (tmux capture-pane -e), and prints it as a page."""

import html
import re
import sys

COLOURS = {1: "#e06c75", 2: "#98c379", 3: "#e5c07b", 4: "#61afef", 5: "#c678dd", 6: "#56b6c2", 7: "#dcdfe4"}


def styled(codes):
    """The style for a list of codes, which follow each other."""
    style = {}
    codes = list(codes)
    while codes:
        code = codes.pop(0)
        if code == 0:
            style = {}
        elif code == 1:
            style["font-weight"] = "bold"
        elif code == 2:
            style["opacity"] = "0.6"
        elif code == 4:
            style["text-decoration"] = "underline"
        elif code == 7:
            style.update({"background": "#dcdfe4", "color": "#282c34"})
        elif code == 9:
            style["text-decoration"] = "line-through"
        elif code == 39:
            style.pop("color", None)
        elif code == 38 and codes[:1] == [5]:
            style["color"] = COLOURS.get(codes[1] % 8, "#dcdfe4")
            codes = codes[2:]
        elif code // 10 in (3, 9) and code % 10 < 8:
            style["color"] = COLOURS.get(code % 10, "#dcdfe4")
    return ";".join(f"{key}:{value}" for key, value in style.items())


print('<!DOCTYPE html><meta charset="utf-8"><body style="margin:0;background:#282c34">')
print('<pre style="margin:12px;color:#dcdfe4;font:16px/1.16 monospace">')
codes = []
for line in sys.stdin.read().splitlines():
    for number, part in enumerate(re.split(r"\x1b\[([0-9;]*)m", line)):
        if number % 2:
            codes = [int(code or 0) for code in part.split(";")] if part in ("", "0") else codes + [
                int(code or 0) for code in part.split(";")
            ]
        elif part:
            print(f'<span style="{styled(codes)}">{html.escape(part)}</span>', end="")
    print()
print("</pre>")
