#!/bin/sh
# Makes the repository anew; nothing outside of parallel-items/.loopkeeper is touched.
set -eu
cd "$(dirname "$0")"
rm -rf .loopkeeper/work
mkdir -p .loopkeeper/work
cd .loopkeeper/work
git init --quiet
git symbolic-ref HEAD refs/heads/main
git config user.name Example
git config user.email example@localhost
printf '# Contents\n' > contents.md
git add contents.md
git -c commit.gpgsign=false commit --quiet --no-verify --message 'An empty book'
