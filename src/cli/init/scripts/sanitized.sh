
# The sanitizers find no undefined behaviour.
@REFERENCE@ -w -O1 -fsanitize=address,undefined -fno-sanitize-recover=all "$1" -o sanitized 2>/dev/null || exit 125
ASAN_OPTIONS=detect_leaks=0 timeout @SECONDS@ ./sanitized 2>/dev/null </dev/null | cmp -s - expected.txt || exit 125
