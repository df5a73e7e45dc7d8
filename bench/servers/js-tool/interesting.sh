#!/bin/sh
# The formatter cannot read the length of something that is not there.
timeout 20 node "$(dirname "$0")/tool.js" "$1" >/dev/null 2>err.txt && exit 1
grep -q '^SyntaxError' err.txt && exit 125
grep -q "^TypeError: .*reading 'length'" err.txt
