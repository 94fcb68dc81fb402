// SPDX-License-Identifier: MIT
// replay: feeds files to a fuzz target without libFuzzer, so that every build repeats past findings.
//
// Arguments are files or folders (not searched recursively). Also tries the empty input. Fails when
// nothing could be read, so that a moved corpus does not pass silently.
//
// `--random <count> <size>` adds random inputs of less than so many bytes, for targets that make sense of any bytes. An input that ends
// the program by abort() is left in the file failed_input.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replayed;
static const uint8_t *current; /* for the signal handler */
static size_t current_size;

static void keep_current(int signal_number) {
    int file = open("failed_input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && write(file, current, current_size) == (ssize_t)current_size) close(file);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void replay(const uint8_t *data, size_t size) {
    current = data, current_size = size;
    LLVMFuzzerTestOneInput(data, size);
    replayed++;
}

static void replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "replay: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    size_t size = 0, capacity = 4096;
    uint8_t *data = malloc(capacity);
    for (size_t got; data && (got = fread(data + size, 1, capacity - size, file)) > 0;) {
        size += got;
        if (size == capacity) {
            uint8_t *grown = realloc(data, capacity *= 2);
            if (!grown) free(data);
            data = grown;
        }
    }
    fclose(file);
    if (!data) {
        fprintf(stderr, "replay: out of memory while reading %s\n", path);
        exit(2);
    }
    // An exact-size copy lets the address sanitizer see a read past the end.
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) exit(2);
    memcpy(exact, data, size);
    free(data);
    replay(exact, size);
    free(exact);
}

static void replay_random(int count, int32_t longest) {
    uint8_t *data = malloc((size_t)longest);
    random_t random = random_init(random_seed());
    for (int n = random_tries(count); n > 0; n--) {
        size_t size = (size_t)random_below(&random, longest);
        for (size_t i = 0; i < size; i++) data[i] = (uint8_t)random_next(&random);
        replay(data, size);
    }
    free(data);
}

static void replay_folder(const char *path, DIR *folder) {
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        char *file = NULL;
        if (asprintf(&file, "%s/%s", path, entry->d_name) < 0) exit(2);
        replay_file(file);
        free(file);
    }
    closedir(folder);
}

int main(int argc, char **argv) {
    signal(SIGABRT, keep_current);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--random") == 0 && i + 2 < argc) {
            replay_random(atoi(argv[i + 1]), (int32_t)atoi(argv[i + 2]));
            i += 2;
            continue;
        }
        DIR *folder = opendir(argv[i]);
        if (folder) {
            replay_folder(argv[i], folder);
        } else {
            replay_file(argv[i]);
        }
    }
    printf("replay: %d inputs\n", replayed);
    return replayed > 0 ? 0 : 1;
}
