#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

enum {
    PRESCALER = 64,
    TICKS_PER_SECOND = 1000,
    COMPARE = F_CPU / PRESCALER / TICKS_PER_SECOND - 1,
};

_Static_assert(COMPARE <= UINT8_MAX, "timer 0 has eight bits");
_Static_assert(F_CPU == (COMPARE + 1ul) * PRESCALER * TICKS_PER_SECOND, "the tick is exact");

static volatile uint32_t milliseconds;
static volatile bool ticked;

ISR(TIMER0_COMPA_vect) {
    milliseconds++;
    ticked = true;
}

void clock_start(void) {
    OCR0A = COMPARE;
    TCCR0A = _BV(WGM01);
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00);
}

uint32_t clock_ms(void) {
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        now = milliseconds;
    }
    return now;
}

bool clock_take_tick(void) {
    bool tick = ticked;
    if (tick) {
        ticked = false;
    }
    return tick;
}

bool clock_ticked(void) {
    return ticked;
}
