/* What the scanner needs of the board it runs on. */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <stdbool.h>
#include <stdint.h>

struct hardware {
    uint32_t build; /* which program this is, for the host to show */

    uint8_t rows;    /* rows that can be driven, 1..MATRIX_ROWS_MAX */
    uint8_t columns; /* columns that can be sensed, 1..MATRIX_COLUMNS_MAX */

    /* Pull this row low and let all others float; row is 0..rows-1. */
    void (*drive_row)(uint8_t row);

    /* Let every row float. */
    void (*release_rows)(void);

    /* Wait until the columns follow the row just driven: at least 20 microseconds. */
    void (*settle)(void);

    /* The columns that are pulled low: bit c is column c, 1 = low, and so its reed is closed. */
    uint16_t (*read_columns)(void);

    /* Milliseconds since reset; wraps after 2^32. */
    uint32_t (*clock_ms)(void);

    /* Take one received byte; false when there is none. */
    bool (*receive)(uint8_t *byte);

    /* Bytes lost on receiving since reset, saturating. */
    uint16_t (*overruns)(void);

    /* How many bytes can be put at once without waiting; at least FRAME_WIRE_MAX when idle. */
    uint16_t (*transmit_room)(void);

    /* Put one byte; only called when there is room. */
    void (*transmit)(uint8_t byte);
};

#endif
