/* The limits of a matrix: what the protocol and the buffers have room for. */
#ifndef MATRIX_H
#define MATRIX_H

enum {
    MATRIX_ROWS_MAX = 32,
    MATRIX_COLUMNS_MAX = 16, /* a row's columns fit a uint16_t */
    MATRIX_CELLS_MAX = 128,
    MATRIX_CONTACTS_MAX = 256, /* one a reed, two a Hall sensor */
    MATRIX_BITMAP_MAX = MATRIX_CONTACTS_MAX / 8, /* bytes */
};

#endif
