// SPDX-License-Identifier: MIT
// checker: how the steps of checking report what is wrong.
//
// Terms of a text are shown with the text and a caret, terms of a descriptor with their number.
#include "query/check/checker.h"

#include "base/log.h"
#include "world/state.h"

// Where to put the caret: at a word of the term if the term has it, else at the term.
static int64_t find_column(const ecs__terms_t *terms, int32_t position, const char *word) {
    const char *found = word ? strstr(terms->expr + position, word) : NULL;
    return found ? found - terms->expr : position;
}

static void append_term(const ecs__checker_t *checker, int32_t term, ecs_strbuf_t *buf) {
    char *text = ecs_term_str(checker->world, &checker->terms->array[term]);
    ecs_strbuf_append(buf, "term %d (%s): ", term, text);
    ecs_os_free(text);
}

bool ecs__check_fail(
    const ecs__checker_t *checker, int32_t term, const char *word, const char *fmt, ...) {
    if (checker->silent) return false;
    const ecs__terms_t *terms = checker->terms;
    bool in_text = term >= 0 && terms->texts[term].position >= 0;
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    if (term >= 0 && !in_text) append_term(checker, term, &buf);
    va_list args;
    va_start(args, fmt);
    ecs_strbuf_vappend(&buf, fmt, args);
    va_end(args);
    char *sentence = ecs_strbuf_get(&buf);
    int64_t column = in_text ? find_column(terms, terms->texts[term].position, word) : -1;
    ecs_parser_error(checker->name, in_text ? terms->expr : NULL, column, "%s", sentence);
    ecs_os_free(sentence);
    return false;
}

bool ecs__check_unsupported(const ecs__checker_t *checker, int32_t term, const char *sentence) {
    ecs__check_fail(checker, term, NULL, "%s", sentence);
    ecs__log_set_last_error(ECS_UNSUPPORTED);
    return false;
}
