// SPDX-License-Identifier: MIT
// matches: the tables that the query of a system matches now, kept until the query says that they
// changed.
//
// A table that matches several times in a row (wildcards) is one entry. Quanta are made from this list, conflicts from which tables are
// in it: the order may be another in each tick.
#ifndef RT_SYSTEM_MATCHES_H
#define RT_SYSTEM_MATCHES_H

#include "system/access.h"

typedef struct rt_match_t {
    ecs_table_t *table;
    uint64_t number; /* of the table, rising with creation */
    int32_t first;   /* first match of the query in this table */
    int32_t count;
    uint64_t inherited; /* a bit per access item of RT_SCOPE_ROWS_OR_UP that the table inherits */
} rt_match_t;

typedef struct rt_matches_t {
    rt_match_t *list; /* in the order of the query */
    int32_t count, size;
    int32_t total;     /* matches of the query; -1 = the query cannot be cut */
    uint64_t *numbers; /* of the tables, ascending */
    int32_t number_count, number_size;
    uint64_t stamp;     /* of the query when the list was made */
    uint64_t listed;    /* raised whenever the list was made; 0 = never */
    uint64_t version;   /* raised whenever other tables are in it, or inherit */
    uint64_t may_be_up; /* what is inherited in any of the tables */
    uint64_t up_items;  /* and was in one with rows, since the list was made */
    bool sorted;        /* list is in the order of numbers, and not by chance */
    bool shows_empty;   /* tables without rows give results, too */
    bool stays_in_rows; /* no access item looks at others than the rows of $this, in these tables */
} rt_matches_t;

/** Make the list anew if the query changed. The numbers say whether anything is different now. */
void rt__matches_update(rt_matches_t *matches, const rt_access_t *access, const ecs_query_t *query);
void rt__matches_fini(rt_matches_t *matches);

/** Number of tables in both, counting stops at `limit`. */
int32_t rt__matches_common(const rt_matches_t *a, const rt_matches_t *b, int32_t limit);

#endif
