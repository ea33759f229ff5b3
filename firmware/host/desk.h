/* The core on a desk instead of a board: contacts, clock and wire are variables.
 *
 * One scanner, one debounced row and one decoder, for tests that come in through ctypes and for
 * check.c. */
#ifndef DESK_H
#define DESK_H

#include "../core/scanner.h"
#include <stdbool.h>
#include <stdint.h>

/* A scanner that has just been reset, all reeds open, all levels in the middle, at 0 ms; for a board with this many lines. */
void desk_start(uint8_t cause, uint8_t rows, uint8_t columns);

void desk_contact(uint8_t row, uint8_t column, bool closed);

/* What the sensor of a strip says from now on, 0..1023. */
void desk_level(uint8_t row, uint8_t column, uint16_t level);

/* The chain has so many strips, of which the token reaches the first `cut`; `shorted` it seems to
 * be back for ever. */
void desk_strips(uint8_t strips, uint8_t cut, bool shorted);

void desk_clock(uint32_t ms);

/* How many bytes the line takes from now on; UINT16_MAX is a line that never fills. */
void desk_room(uint16_t bytes);

/* Bytes lost on receiving, as the board would count them. */
void desk_overruns(uint16_t count);

/* Put bytes from the host; returns how many found room. */
uint16_t desk_put(const uint8_t *bytes, uint16_t count);

/* Take what the scanner has sent; returns how many bytes. */
uint16_t desk_take(uint8_t *bytes, uint16_t most);

void desk_scan(void);
void desk_serve(void);

/* The scanner itself, to look into. */
const struct scanner *desk_scanner(void);

/* How often the hardware was used against its contract: columns read without a row driven or
 * a strip with the token, a row left driven or a token left with a strip after a scan, a byte put without room. */
uint16_t desk_misuses(void);

/* One row of `columns`, taken as `raw`, that has to be steady for `steady`. */
void desk_row_start(uint8_t columns, uint16_t steady, uint16_t raw);
uint16_t desk_row_scan(uint16_t raw, uint16_t now);

/* Scan the row so many times, `step` apart from `now` on; returns the columns that ever changed. */
uint16_t desk_row_rest(uint16_t raw, uint16_t now, uint16_t step, uint32_t scans);

/* One decoder: forget all; feed one byte, which gives the length of a whole payload, 0, or -1 for
 * a bad frame. */
void desk_decoder_start(void);
int16_t desk_decode(uint8_t byte, uint8_t payload[FRAME_PAYLOAD_MAX]);

#endif
