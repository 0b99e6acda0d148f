#!/bin/sh
# Writes the page of one item. Apples and pears are listed in the contents, the others stand alone.
set -eu
fruit=$LOOPKEEPER_ITEM
if [ -n "${LOOPKEEPER_FEEDBACK:-}" ]; then
    echo "told: $LOOPKEEPER_FEEDBACK"
fi
mkdir -p book
printf '# %s\n\nAll about %s, written in attempt %s.\n' "$fruit" "$fruit" "$LOOPKEEPER_ATTEMPT" > "book/$fruit.md"
case $fruit in
    apples | pears) printf '%s %s\n' '-' "$fruit" >> book/contents.md ;;
esac
