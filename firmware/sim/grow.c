#include "grow.h"

#include <stdio.h>
#include <stdlib.h>

void *grown(void *items, size_t *room, size_t size) {
    *room = *room ? *room * 2 : 64;
    void *larger = realloc(items, *room * size);
    if (!larger) {
        fputs("scanner-sim: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return larger;
}
