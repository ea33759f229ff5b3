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

    uint8_t strips;  /* strips of Hall sensors that a chain may have */
    uint8_t sensors; /* of one strip, 1..MATRIX_COLUMNS_MAX / 2 */

    /* Give the token to the first strip and to no other, pass it on to the next one, or take it
     * from all. Whoever has it drives the analogue columns; it has settled when these return. */
    void (*give_token)(void);
    void (*pass_token)(void);
    void (*take_token)(void);

    /* Whether the last strip of the chain has the token. */
    bool (*token_is_back)(void);

    /* Begin to read a column's level; wait for it: 0..1023 of the strips' supply. */
    void (*start_level)(uint8_t column);
    uint16_t (*take_level)(void);

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
