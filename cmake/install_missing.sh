# shellcheck shell=sh
# Sourced by tests/run.sh, demos/run.sh and .ci/run: finds out what is missing and installs it.
#
#   need_command <command> <Debian package>
#   need_header <header> <Debian package>
#   install_missing            installs all that was found missing, or says what to install and ends
#
# Installs with apt-get as root or through sudo; elsewhere the user is told.
missing=

need_command() {
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}

need_header() {
    # Without a compiler everything is found missing, which is right on a bare machine. cmocka.h wants
    # the standard headers before it.
    printf '#include <%s>\n' stdarg.h stddef.h stdint.h setjmp.h "$1" |
        ${CC:-cc} -x c -fsyntax-only - >/dev/null 2>&1 || missing="$missing $2"
}

install_missing() {
    [ -n "$missing" ] || return 0
    as_root=
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    if ! command -v apt-get >/dev/null 2>&1 || { [ -n "$as_root" ] && ! command -v sudo >/dev/null 2>&1; }; then
        echo "Please install, then run this again (names of Debian packages):$missing" >&2
        exit 1
    fi
    echo "==> installing:$missing"
    $as_root apt-get update -q </dev/null
    # shellcheck disable=SC2086 # a list of words
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing </dev/null
    missing=
}

# The sanitizers' and libFuzzer's run-time libraries are a package of their own.
need_clang_runtime() {
    need_command clang clang
    echo 'int main(void) { return 0; }' |
        clang -x c -fsanitize=address -o /dev/null - >/dev/null 2>&1 || missing="$missing libclang-rt-dev"
}

# What every build needs.
need_build_tools() {
    need_command cmake cmake
    need_command ninja ninja-build
    case ${CC:-cc} in
    *clang*) need_command "$CC" clang ;;
    *) need_command "${CC:-cc}" gcc ;;
    esac
    need_header stdlib.h libc6-dev
    need_header ck_pr.h libck-dev
}
