// SPDX-License-Identifier: MIT
// bench_size: how large the library is, and what including its header costs.
//
// Known only where the shared library was built too, and to programs for ELF.
#define _POSIX_C_SOURCE 200809L // popen

#include "bench.h"

#include <stdio.h>

#if defined(BENCH_LIBRARY) && defined(__ELF__)
#include <elf.h>

// As `strip` leaves it: the end of what is loaded, and the table of sections behind it.
static double library_size(bench_run_t *run) {
    Elf64_Ehdr header;
    Elf64_Shdr section;
    uint64_t end = 0, kept = 0;
    FILE *file = fopen(BENCH_LIBRARY, "rb");
    bool is_read = file && fread(&header, sizeof header, 1, file) == 1 &&
                   header.e_shentsize == sizeof section &&
                   !fseek(file, (long)header.e_shoff, SEEK_SET);
    for (int32_t i = 0; is_read && i < header.e_shnum; i++) {
        is_read = fread(&section, sizeof section, 1, file) == 1;
        if (!(section.sh_flags & SHF_ALLOC)) continue;
        kept++;
        uint64_t size = section.sh_type == SHT_NOBITS ? 0 : section.sh_size;
        if (section.sh_offset + size > end) end = section.sh_offset + size;
    }
    if (file) fclose(file);
    if (!is_read) bench_wrong(run, "cannot read " BENCH_LIBRARY);
    return (double)(end + kept * sizeof section) / 1000;
}

static double compile(bench_run_t *run, const char *text) {
    double begin = bench_now();
    FILE *compiler = popen(BENCH_COMPILE " -fsyntax-only -x c -", "w");
    if (compiler) fputs(text, compiler);
    if (!compiler || pclose(compiler)) bench_wrong(run, "the compiler fails");
    return (bench_now() - begin) / 1e6;
}

static double include_muster(bench_run_t *run) { return compile(run, "#include <muster.h>\n"); }
static double include_nothing(bench_run_t *run) { return compile(run, "int unit;\n"); }

const bench_t bench_size[] = {
    { .name = "size/library",
        .row = "36",
        .unit = "KB",
        .about = "the shared library without symbols for debuggers",
        .goal_kind = GOAL_AT_MOST,
        .goal = 400,
        .ours = library_size },
    { .name = "size/header",
        .row = "",
        .unit = "ms",
        .about = "compiling a file that includes <muster.h>",
        .limit_is = "an empty file",
        .ours = include_muster,
        .limit = include_nothing },
    { 0 },
};
#else
const bench_t bench_size[] = { { 0 } };
#endif
