#include "debounce.h"

_Static_assert(MATRIX_COLUMNS_MAX <= 16, "the columns of a row are bits of a uint16_t");

void debounce_start(struct debounce *debounce, uint8_t columns, uint16_t steady) {
    debounce->columns = columns;
    debounce->steady = steady;
}

void debounce_take(struct debounce *debounce, uint8_t row, uint16_t raw) {
    debounce->raw[row] = raw;
    debounce->cooked[row] = raw;
}

static uint16_t *row_since(struct debounce *debounce, uint8_t row) {
    return &debounce->since[(uint16_t)row * debounce->columns];
}

static void note_edges(uint16_t *since, uint16_t edges, uint16_t now) {
    for (; edges != 0; edges >>= 1, since++) {
        if (edges & 1u) {
            *since = now;
        }
    }
}

static uint16_t steady_cells(const uint16_t *since, uint16_t waiting, uint16_t now,
                             uint16_t steady) {
    uint16_t ripe = 0;
    for (uint16_t bit = 1; waiting != 0; waiting >>= 1, bit = (uint16_t)(bit << 1), since++) {
        if ((waiting & 1u) && (uint16_t)(now - *since) >= steady) {
            ripe |= bit;
        }
    }
    return ripe;
}

uint16_t debounce_scan(struct debounce *debounce, uint8_t row, uint16_t raw, uint16_t now) {
    uint16_t edges = debounce->raw[row] ^ raw;
    uint16_t waiting = debounce->cooked[row] ^ raw;
    if ((edges | waiting) == 0) {
        return 0;
    }
    uint16_t *since = row_since(debounce, row);
    note_edges(since, edges, now);
    debounce->raw[row] = raw;
    uint16_t changed = steady_cells(since, waiting, now, debounce->steady);
    debounce->cooked[row] ^= changed;
    return changed;
}
