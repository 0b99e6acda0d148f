#!/bin/sh
# Writes the page of one item. Apples and pears are listed in the contents, the others stand alone.
set -eu
fruit=$LOOPKEEPER_ITEM
if [ -n "${LOOPKEEPER_FEEDBACK:-}" ]; then
    echo "told: $LOOPKEEPER_FEEDBACK"
fi
printf '# %s\n\nAll about %s, written in attempt %s.\n' "$fruit" "$fruit" "$LOOPKEEPER_ATTEMPT" > "$fruit.md"
case $fruit in
    apples | pears) printf '%s %s\n' '-' "$fruit" >> contents.md ;;
esac
