#!/bin/sh
# Counts the instructions of the hottest operations and compares them with baseline.txt, which holds
# for the compiler named in it. Counts do not depend on how busy the machine is.
#
#   sh tests/budget/run.sh             fails if an operation takes over 3 % more than its budget
#   sh tests/budget/run.sh --update    writes baseline.txt anew
#
# 77: valgrind is missing, or the compiler is another one. BUILD=<folder> is the release build.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../../build/release}
ops=$build/tests/budget_ops
baseline=$here/baseline.txt

command -v valgrind >/dev/null 2>&1 || { echo "budget: valgrind is not installed" >&2; exit 77; }
[ -x "$ops" ] || { echo "budget: $ops is missing: build the preset release with valgrind's headers installed" >&2; exit 77; }
compiler=$(grep '^CMAKE_C_COMPILER:' "$build/CMakeCache.txt" | cut -d= -f2-)
version=$("$compiler" --version | head -1 | cut -d' ' -f2-)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
valgrind -q --tool=callgrind --collect-atstart=no --callgrind-out-file="$folder/out" "$ops" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; exit 1; }

# Each dump names its operation and how often it was done, and ends with the sum.
counts() {
    for file in $(find "$folder" -name 'out.*' | sort -V); do
        awk '/^desc: Trigger: Client Request:/ { name = $5; times = $6 }
             /^(totals|summary):/ { count = $2 }
             END { if (name) printf "%s %.1f\n", name, count / times }' "$file"
    done
}

if [ "${1:-}" = --update ]; then
    { echo "# instructions per operation; $version"; counts; } >"$baseline"
    cat "$baseline"
    exit 0
fi
grep -qxF "# instructions per operation; $version" "$baseline" ||
    { echo "budget: $baseline was made with another compiler than $version" >&2; exit 77; }
counts | awk -v baseline="$baseline" '
    BEGIN { while ((getline line < baseline) > 0) { split(line, part, " "); budget[part[1]] = part[2] } }
    {
        if (!($1 in budget)) { printf "%-26s %10.1f  has no budget: run with --update\n", $1, $2; bad = 1; next }
        change = 100 * ($2 / budget[$1] - 1)
        over = change > 3
        bad = bad || over
        printf "%-26s %10.1f  budget %10.1f  %+6.1f %%%s\n", $1, $2, budget[$1], change, over ? "  OVER" : ""
        seen++
    }
    END { if (!seen) print "budget: nothing was counted"; exit bad || !seen }'
