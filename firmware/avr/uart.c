#include "uart.h"

#include "../core/frame.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

enum {
    BAUD_RATE = 500000,
    RECEIVED_SIZE = 256, /* 5.1 ms of bytes: more than the longest scan */
    OUTGOING_SIZE = 256,
};

static const uint16_t divisor = F_CPU / 8 / BAUD_RATE - 1;

_Static_assert(F_CPU % (8ul * BAUD_RATE) == 0, "the baud rate is exact");
_Static_assert((RECEIVED_SIZE & (RECEIVED_SIZE - 1)) == 0, "the ring wraps by a mask");
_Static_assert(OUTGOING_SIZE == UINT8_MAX + 1, "the ring wraps with its uint8_t places");
_Static_assert(OUTGOING_SIZE > (int)FRAME_WIRE_MAX, "a whole frame fits the empty ring");

/* Places are one byte each, so that each side reads the other's without turning interrupts off. */
static volatile uint8_t received[RECEIVED_SIZE];
static volatile uint8_t received_in;
static volatile uint8_t received_out;
static volatile uint16_t overruns;

static volatile uint8_t outgoing[OUTGOING_SIZE];
static volatile uint8_t outgoing_in;
static volatile uint8_t outgoing_out;

static void count_overrun(void) {
    if (overruns < UINT16_MAX) {
        overruns++;
    }
}

ISR(USART0_RX_vect) {
    bool missed = (UCSR0A & _BV(DOR0)) != 0;
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)((received_in + 1) & (RECEIVED_SIZE - 1));
    if (missed) {
        count_overrun();
    }
    if (next == received_out) {
        count_overrun();
    } else {
        received[received_in] = byte;
        received_in = next;
    }
}

ISR(USART0_UDRE_vect) {
    if (outgoing_in == outgoing_out) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    } else {
        UDR0 = outgoing[outgoing_out];
        outgoing_out++;
    }
}

void uart_start(void) {
    UCSR0A = _BV(U2X0); /* before the divisor, which counts eighths of a bit with it */
    UBRR0 = divisor;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

bool uart_has_received(void) {
    return received_in != received_out;
}

bool uart_receive(uint8_t *byte) {
    if (!uart_has_received()) {
        return false;
    }
    *byte = received[received_out];
    received_out = (uint8_t)((received_out + 1) & (RECEIVED_SIZE - 1));
    return true;
}

uint16_t uart_overruns(void) {
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        count = overruns;
    }
    return count;
}

uint16_t uart_transmit_room(void) {
    uint8_t used = (uint8_t)(outgoing_in - outgoing_out);
    return (uint16_t)(OUTGOING_SIZE - 1 - used);
}

void uart_transmit(uint8_t byte) {
    outgoing[outgoing_in] = byte;
    outgoing_in++;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        UCSR0B |= _BV(UDRIE0);
    }
}
