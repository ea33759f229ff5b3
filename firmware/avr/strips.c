#include "strips.h"

#include <avr/io.h>
#include <util/delay.h>

#ifndef STRIP_SETTLE_US
#error "STRIP_SETTLE_US: how long a strip settles, in microseconds (the Makefile gives 25)"
#endif

enum {
    TOKEN = _BV(PH3),
    CLOCK = _BV(PH4),
    CLEAR = _BV(PH5), /* low takes the token from every strip; a resistor holds it low during a reset */
    BACK_CHANNEL = 5,
    BACK_LEVEL = 512, /* the converter reads it: a port's own threshold is too near 3.3 V */
};

/* A conversion in 13 cycles of 1 MHz, the fastest clock that the data sheet allows. */
void strips_start_level(uint8_t column) {
    ADMUX = column; /* and REFS 0: AREF, nothing else may drive it */
    ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2);
}

uint16_t strips_take_level(void) {
    while (ADCSRA & _BV(ADSC)) {
    }
    return ADC;
}

static void clock_once(void) {
    PORTH |= CLOCK;
    PORTH &= (uint8_t)~CLOCK;
    _delay_us(STRIP_SETTLE_US);
}

void strips_take_token(void) {
    PORTH &= (uint8_t) ~(TOKEN | CLOCK | CLEAR);
    DDRH |= TOKEN | CLOCK | CLEAR;
}

void strips_give_token(void) {
    strips_take_token();
    DIDR0 = 0x3F;
    PORTH |= CLEAR | TOKEN;
    clock_once();
    PORTH &= (uint8_t)~TOKEN;
}

void strips_pass_token(void) {
    clock_once();
}

bool strips_token_is_back(void) {
    strips_start_level(BACK_CHANNEL);
    return strips_take_level() >= BACK_LEVEL;
}
