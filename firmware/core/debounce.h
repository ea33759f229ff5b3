/* Debouncing by time: a cell has changed once it has been steady long enough.
 *
 * Defer, never eager, and each cell for itself: an edge starts the wait anew, so chatter of any
 * length is one change or none. Counting milliseconds and not scans, it is right at any scan
 * period. Raw is what the contact does, cooked is what is reported. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#include "matrix.h"
#include <stdint.h>

struct debounce {
    uint8_t columns;                  /* contacts a row, 1..MATRIX_COLUMNS_MAX */
    uint16_t steady;                  /* how long a cell has to be steady, in the unit of `now` */
    uint16_t raw[MATRIX_ROWS_MAX];    /* as last read, bit c is column c, 1 = closed */
    uint16_t cooked[MATRIX_ROWS_MAX]; /* as reported */
    uint16_t since[MATRIX_CONTACTS_MAX]; /* when the raw state of a cell last changed */
};

/* Begin anew; every row is to be taken (debounce_take) before it is scanned. rows * columns is at
 * most MATRIX_CONTACTS_MAX. */
void debounce_start(struct debounce *debounce, uint8_t columns, uint16_t steady);

/* Take a row as it is: raw and cooked alike. */
void debounce_take(struct debounce *debounce, uint8_t row, uint16_t raw);

/* Scan a row: `raw` as read at `now`; returns the columns whose cooked state has changed.
 * `now` may wrap; it is in any unit, milliseconds on the board. */
uint16_t debounce_scan(struct debounce *debounce, uint8_t row, uint16_t raw, uint16_t now);

#endif
