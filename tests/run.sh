#!/bin/sh
# Installs what is missing, builds, and runs the tests.
#
#   sh tests/run.sh                    everything, checks on (preset debug)
#   sh tests/run.sh -R unit/ecs        what comes after is for ctest: only tests whose name matches
#   PRESET=asan sh tests/run.sh        another preset: release, debug, asan, tsan, coverage, fuzz
set -eu
case ${1:-} in
-h | --help)
    sed -n '1d; s/^# \{0,1\}//p; /^set/q' "$0"
    exit
    ;;
esac
cd "$(dirname "$0")/.."
. cmake/install_missing.sh
preset=${PRESET:-debug}

need_build_tools
need_command c++ g++
need_header cmocka.h libcmocka-dev
need_command spin spin
need_command pkg-config pkg-config
case $preset-${CC:-cc} in
fuzz-* | *-clang*) need_clang_runtime ;;
esac
install_missing

echo "==> configuring preset $preset in build/$preset"
cmake --preset "$preset" --log-level=NOTICE -DMUSTER_WERROR="${MUSTER_WERROR:-OFF}"
echo "==> building"
cmake --build --preset "$preset"
CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}
export CTEST_PARALLEL_LEVEL
echo "==> testing: ctest --preset $preset $*"
ctest --preset "$preset" --no-tests=error "$@"
