#!/bin/sh
# shellcheck disable=SC2046 # what pkg-config prints is a list of words
#
# Builds the consumers against an installed Muster with pkg-config: shared, and static.
# Usage: pkg_config.sh <prefix> <libdir> <work folder> <cc> <c++>
set -eu
prefix=$1 libdir=$2 work=$3 cc=$4 cxx=$5
here=$(dirname "$0")
command -v pkg-config >/dev/null || { echo "skipped: pkg-config is not installed"; exit 77; }

mus() { PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig pkg-config "$@" muster; }

set -x
"$cc" -std=c11 "$here/consumer.c" $(mus --cflags --libs) -Wl,-rpath,"$prefix/$libdir" -o "$work/pc_c"
"$cxx" -std=c++17 "$here/consumer.cpp" $(mus --cflags --libs) -Wl,-rpath,"$prefix/$libdir" -o "$work/pc_cpp"
"$cc" -std=c11 "$here/consumer.c" $(mus --cflags) "$prefix/$libdir/libmuster.a" \
    $(mus --static --libs-only-l | sed 's/-lmuster//') -o "$work/pc_static"
"$work/pc_c"
"$work/pc_cpp"
"$work/pc_static"
