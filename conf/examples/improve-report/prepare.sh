#!/bin/sh
# Starts again, so that the example can run repeatedly.
set -eu
rm -rf .loopkeeper/work
mkdir -p .loopkeeper/work
cp orders.csv .loopkeeper/work/orders.csv
echo "begins with $(wc -l <orders.csv) lines"
