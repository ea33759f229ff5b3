/* Lists that grow. */
#ifndef SIM_GROW_H
#define SIM_GROW_H

#include <stddef.h>

/* The list with twice the room, which is counted in items of `size` bytes; it never fails. */
void *grown(void *items, size_t *room, size_t size);

#endif
