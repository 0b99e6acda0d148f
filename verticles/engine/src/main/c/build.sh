#!/bin/sh
# Builds the launcher for both processors into the resources of this module, or into the folder given. The same source,
# compiler and linker give the same bytes. Built with gcc 12.2.0 and binutils 2.40 of Debian 12:
#   apt-get install gcc gcc-aarch64-linux-gnu
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../resources/dev/loopkeeper/process}
# The tests compare it with the source: a stale binary fails the build, which itself needs no compiler.
source=$(sha256sum "$here/launcher.c" | cut -d ' ' -f 1)

build() {
    "$1" -std=gnu11 -Os -Wall -Wextra -Werror -DSOURCE_SHA256="\"$source\"" \
        -ffreestanding -nostdlib -static -fno-pic -no-pie -fno-stack-protector -fno-asynchronous-unwind-tables \
        -fno-tree-loop-distribute-patterns -fno-ident $3 \
        -Wl,--build-id=none -Wl,-z,noseparate-code -Wl,-z,norelro -Wl,-z,noexecstack -s \
        -o "$2" "$here/launcher.c"
    chmod 644 "$2"
}

build "${CC_X86_64:-x86_64-linux-gnu-gcc}" "$out/launcher-x86_64" -fcf-protection=none
build "${CC_AARCH64:-aarch64-linux-gnu-gcc}" "$out/launcher-aarch64" -mgeneral-regs-only
