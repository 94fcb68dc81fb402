#!/bin/sh
# shellcheck disable=SC2086 # DEMO_ARGS, BENCH_ARGS and the list of demos are lists of words
#
# Installs what is missing, builds an optimised Muster, and runs the demos without a window.
#
#   sh demos/run.sh              all demos, short, on 1, 2 … workers; then a part of the benchmarks
#   sh demos/run.sh life boids   only these
#   sh demos/run.sh bench        only the benchmarks
#
# Each demo compares its result with a known one, and its checksum across worker counts; one that
# finds a difference ends with a sentence and this script with a status other than 0.
# DEMO_ARGS and BENCH_ARGS are passed on. For more, run build/release/demos/<demo> --help.
set -eu
case ${1:-} in
-h | --help)
    sed -n '1,3d; s/^# \{0,1\}//p; /^set/q' "$0"
    exit
    ;;
esac
demos="life solar_system boids particles battle factory ecosystem save_load modules modules_loaded replay inspector bench"
for name in "$@"; do
    case " $demos " in
    *" $name "*) ;;
    *)
        echo "there is no demo '$name', but: $demos" >&2
        exit 2
        ;;
    esac
done
[ $# -eq 0 ] || demos=$*
cd "$(dirname "$0")/.."
. cmake/install_missing.sh

need_build_tools
install_missing

echo "==> configuring and building in build/release"
cmake --preset release --log-level=NOTICE
targets=$(printf ' demo_%s' $demos)
cmake --build --preset release --target demo_hello $targets

failed=
run() {
    printf '\n==> %s\n' "$*"
    name=$1
    shift
    "build/release/demos/$name" "$@" || failed="$failed $name"
}

run hello
for demo in $demos; do
    case $demo in
    inspector) run inspector --check ;; # else it waits for commands
    bench) run bench ${BENCH_ARGS:---quick} ;;
    *) run "$demo" ${DEMO_ARGS:-} ;;
    esac
done

if [ -n "$failed" ]; then
    printf '\n==> FAILED:%s\n' "$failed" >&2
    exit 1
fi
printf '\n==> all demos gave the results they should\n'
