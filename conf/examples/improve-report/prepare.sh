#!/bin/sh
# Begins afresh, so that the example can be run again and again.
set -eu
rm -rf .loopkeeper/work
mkdir -p .loopkeeper/work
cp orders.csv .loopkeeper/work/orders.csv
echo "begins with $(wc -l <orders.csv) lines"
