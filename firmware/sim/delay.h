/*
 * Most of the firmware's time goes into waiting: for rows to settle, in a loop that counts a
 * register down, and for the converter, in a loop that asks it. All their rounds but the last ones
 * are taken in one step, to the same cycle.
 */
#ifndef SIM_DELAY_H
#define SIM_DELAY_H

#include <simavr/sim_avr.h>
#include <stdbool.h>

/* If the chip stands at such a loop, skip what no timer and no interrupt falls into. */
bool delay_skip(avr_t *avr);

#endif
