// SPDX-License-Identifier: MIT
// supported: what queries can mean but the engine cannot evaluate yet (WLD-02).
//
// One line per feature. Teaching the engine a feature means removing its line.
#include "query/check/supported.h"

#include <muster/ecs/entity.h>
#include <muster/ecs/name.h>

static bool cascades_beside(const ecs__checker_t *c, const ecs_term_t *term) {
    return term->src.id & EcsCascade && ecs__relationship_is_beside(c->world, term->trav);
}

static const ecs__term_rule_t features[] = {
    { .in_world = cascades_beside, .text = "cascade along relationships kept beside tables" },
};

bool ecs__check_supported(const ecs__checker_t *checker) {
    for (int32_t i = 0; i < checker->terms->count; i++) {
        for (size_t f = 0; f < sizeof features / sizeof *features; f++) {
            if (ecs__rule_is_met(&features[f], checker, &checker->terms->array[i])) {
                return ecs__check_unsupported(checker, i, features[f].text);
            }
        }
    }
    return true;
}
