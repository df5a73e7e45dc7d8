
# ... before any ordinary error: a tool that crashes after one may stumble over its own repairs.
sed -E @ERROR@ out.txt | tr -s '[:space:]' ' ' | grep -qE @PATTERN@ || exit 1
