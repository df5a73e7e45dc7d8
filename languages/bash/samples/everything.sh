#!/bin/bash
# A comment.
set -eu
name=world
list=(one two "three four")
count=0

greet() {
    local greeting=$1
    echo "$greeting, ${name:-nobody}!" >&2
    return 0
}

function total {
    for value in "${list[@]}" 1 2; do
        count=$((count + 1))
        if [ "$value" = two ] && ! test -f /dev/null; then
            continue
        elif [[ $value == t* ]]; then
            break
        else
            greet "$value"
        fi
    done
    while read -r line; do echo "$line"; done < /etc/hostname
    for ((i = 0; i < 3; i++)); do :; done
}

case "$name" in
    w*) total ;;
    a | b) echo 'a or b' ;;
    *) exit 1 ;;
esac
cat <<END | sort -u || true
text with $name
END
(cd /tmp && ls -l | wc -l)
export PATH="$PATH:/bin"
greet hello "$(date +%s)" 2> /dev/null
