
# A second compiler agrees with the first one.
@SECOND@ -w "$1" -o second 2>/dev/null || exit 125
timeout @SECONDS@ ./second 2>/dev/null </dev/null | cmp -s - expected.txt || exit 125
