# Turns the examples of a page into a test program: one test, with a world of its own, per section.
#
#   ```c                     emitted as it stands
#   <!-- c    … -->          emitted too, but not shown by readers of the page: set-up and checks
#   <!-- file … -->          the same in front of all tests: types, functions
#
# A line "expression;  /* true */" or "/* false */" becomes an assertion of it. Line numbers are those of the page.
# Run: awk -v page=<path> -f extract.awk <page>
BEGIN {
    print "// Made from " page " by tests/docs/extract.awk."
    print "#include \"support/world.h\"\n#include \"support/abort.h\"\n#include \"support/check.h\""
}
function put(text) {
    if (mode == "file") file = file text "\n"; else body[tests] = body[tests] text "\n"
}
function begin(kind) {
    mode = kind
    if (kind == "c" && !used) { tests++; used = 1; name[tests] = section }
    put("#line " (NR + 1) " \"" page "\"")
}
/^##* / {
    if (mode == "") {
        section = tolower($0)
        gsub(/[^a-z0-9]+/, "_", section); gsub(/^_|_$/, "", section)
        used = 0
    }
}
mode == "" && /^```c$/ { begin("c"); ending = "```"; next }
mode == "" && /^<!-- c$/ { begin("c"); ending = "-->"; next }
mode == "" && /^<!-- file$/ { begin("file"); ending = "-->"; next }
mode != "" && $0 == ending { mode = ""; next }
mode != "" && match($0, /; *\/\* (true|false)[^a-z]/) {
    code = substr($0, 1, RSTART - 1)
    sub(/^ */, "", code)
    put(($0 ~ /\/\* true/ ? "assert_true(" : "assert_false(") code ");")
    next
}
mode != "" { put($0) }
END {
    printf "%s", file
    for (i = 1; i <= tests; i++) {
        print "static void " name[i] "(void **state) {\n    ecs_world_t *world = *state;\n    (void)world;"
        printf "%s}\n", body[i]
    }
    print "int main(void) {\n    const struct CMUnitTest tests[] = {"
    for (i = 1; i <= tests; i++) print "        world_test(" name[i] "),"
    print "    };\n    return cmocka_run_group_tests(tests, NULL, NULL);\n}"
}
