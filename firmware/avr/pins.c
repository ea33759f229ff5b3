#include "pins.h"

#include <avr/io.h>
#include <util/delay.h>

#ifndef SETTLE_US
#error "SETTLE_US: how long a row settles, in microseconds (the Makefile gives 20)"
#endif

/* The JTAG interface would hold PF4..PF7. It goes off only if told twice within four cycles. */
static void free_jtag_pins(void) {
    uint8_t off = MCUCR | _BV(JTD);
    MCUCR = off;
    MCUCR = off;
}

void pins_start(void) {
    free_jtag_pins();
    PORTL = PORTK = PORTF = PORTB = 0;
    pins_release_rows();
    DDRA = DDRC = 0;
    PORTA = PORTC = 0xFF;
}

/* A row's PORT bit is always 0: as an output it is low, as an input it floats. */
void pins_release_rows(void) {
    DDRL = 0;
    DDRK = 0;
    DDRF = 0;
    DDRB = 0;
}

void pins_drive_row(uint8_t row) {
    uint8_t bit = (uint8_t)(1u << (row % 8));
    pins_release_rows();
    switch (row / 8) {
    case 0:
        DDRL = bit;
        break;
    case 1:
        DDRK = bit;
        break;
    case 2:
        DDRF = bit;
        break;
    default:
        DDRB = bit;
        break;
    }
}

void pins_settle(void) {
    _delay_us(SETTLE_US);
}

uint16_t pins_read_columns(void) {
    uint8_t low = PINA;
    uint8_t high = PINC;
    return (uint16_t) ~((uint16_t)((uint16_t)high << 8) | low);
}
