/* The watchdog, and why the chip started. */
#ifndef RESET_H
#define RESET_H

#include "../core/message.h"

/* Why the chip started; forgets it and stops the watchdog. To be called first: after a watchdog
 * reset the watchdog still runs, at its shortest time (16 ms). */
enum reset_cause reset_take_cause(void);

/* Arm the watchdog: a quarter of a second without reset_postpone resets the chip. */
void reset_start_watchdog(void);

void reset_postpone(void);

#endif
