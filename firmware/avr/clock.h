/* Timer 0: a tick every millisecond. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdbool.h>
#include <stdint.h>

void clock_start(void);

/* Milliseconds since clock_start. */
uint32_t clock_ms(void);

/* Whether a millisecond has begun since this was last asked. */
bool clock_take_tick(void);

/* Whether clock_take_tick would say yes; to be asked with interrupts off. */
bool clock_ticked(void);

#endif
