#!/bin/sh
# Every page that the contents list must be there, and no line may be a mark of a conflict.
set -eu
if grep -q -e '^<<<<<<<' -e '^>>>>>>>' -- book/*.md; then
    echo 'a conflict was left in a page'
    exit 1
fi
[ -f book/contents.md ] || exit 0
sed -n 's/^- //p' book/contents.md | while read -r fruit; do
    test -f "book/$fruit.md" || { echo "$fruit.md is missing"; exit 1; }
done
