#!/bin/sh
# SPDX-License-Identifier: MIT
# Checks the protocol models with Spin: each must hold, and must fail once what protects it is removed.
# Exit status: 0 all as expected, 1 not, 77 Spin or a C compiler is missing (skipped).
set -u
here=$(cd "$(dirname "$0")" && pwd)
compiler=${CC:-cc}

for tool in spin "$compiler"; do
    command -v "$tool" >/dev/null 2>&1 && continue
    echo "skipped: '$tool' is missing (Debian, Ubuntu: apt-get install spin gcc)"
    exit 77
done

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0

# check <model> <holds|fails> [spin options]: exhaustive search, compared with what is expected.
check() {
    model=$1 expected=$2
    shift 2
    rm -f pan pan.* ./*.trail
    if ! spin -a "$@" "$here/$model.pml" >spin.log 2>&1 ||
        ! "$compiler" -O2 -w -DSAFETY -DVECTORSZ=2048 -o pan pan.c 2>>spin.log; then
        cat spin.log
        echo "FAILED: $model $* does not compile"
        status=1
        return
    fi
    ./pan -m1000000 -w24 >pan.log 2>&1
    found=fails
    grep -q 'errors: 0' pan.log && found=holds
    grep -q 'max search depth too small\|out of memory' pan.log && found='was not searched to the end'
    states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log)
    if [ "$found" = "$expected" ]; then
        echo "ok: $model $* $found ($states states)"
    else
        echo "FAILED: $model $* $found, expected: $expected"
        cat pan.log
        status=1
    fi
}

check park holds
check park fails -DNO_FENCE
check park fails -DNO_WAKER_FENCE
check park fails -DNO_SLEEPER_FENCE
check claim holds
check claim fails -DNO_GENERATION
check complete holds
check complete fails -DNO_FENCE
exit $status
