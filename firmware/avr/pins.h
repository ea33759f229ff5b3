/* The matrix on the pins of an Arduino Mega 2560: rows driven, columns sensed. */
#ifndef PINS_H
#define PINS_H

#include <stdint.h>

enum {
    PINS_ROWS = 31,    /* PL0..7, PK0..7, PF0..7, PB0..6; PB7 carries the on-board LED */
    PINS_COLUMNS = 16, /* PA0..7, PC0..7 */
};

/* All rows floating, pull-ups on the columns. */
void pins_start(void);

void pins_drive_row(uint8_t row);
void pins_release_rows(void);
void pins_settle(void);
uint16_t pins_read_columns(void);

#endif
