/* Why the chip started stands in MCUSR, but the Mega's bootloader (stk500v2) clears MCUSR and,
 * unlike optiboot, hands no copy on in r2. So the watchdog first interrupts, at half its time, and
 * that leaves a mark in memory which neither the reset nor the bootloader touches; at its full
 * time it resets. Behind that bootloader the other causes are unknown, and said to be. */
#include "reset.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <stdbool.h>

enum { WATCHDOG_MARK = 0x5AC3 };

static volatile uint16_t mark __attribute__((section(".noinit")));

ISR(WDT_vect) {
    mark = WATCHDOG_MARK;
}

static enum reset_cause cause_of(uint8_t status, bool marked) {
    if (status & _BV(PORF)) {
        return RESET_POWER;
    }
    if ((status & _BV(WDRF)) || (status == 0 && marked)) {
        return RESET_WATCHDOG;
    }
    if (status & _BV(BORF)) {
        return RESET_BROWN_OUT;
    }
    if (status & _BV(EXTRF)) {
        return RESET_EXTERNAL;
    }
    return RESET_UNKNOWN;
}

enum reset_cause reset_take_cause(void) {
    enum reset_cause cause = cause_of(MCUSR, mark == WATCHDOG_MARK);
    mark = 0;
    MCUSR = 0;
    wdt_disable();
    return cause;
}

void reset_start_watchdog(void) {
    wdt_enable(WDTO_120MS);
    WDTCSR |= _BV(WDIE);
}

/* If the watchdog has already interrupted, its mark is taken back and it is armed to interrupt again. */
void reset_postpone(void) {
    wdt_reset();
    if (mark != 0) {
        mark = 0;
        WDTCSR |= _BV(WDIE);
    }
}
