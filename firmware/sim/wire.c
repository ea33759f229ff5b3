#include "wire.h"

#include "grow.h"

#include <simavr/sim_avr.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECEIVE_BUFFERS = 3, /* two in the chip's buffer, one in its shift register */
    BITS_A_BYTE = 10,
    UCSR0A = 0xC0,
    UCSR0B = 0xC1,
    UBRR0L = 0xC4,
    UBRR0H = 0xC5,
    U2X = 1 << 1,
    DATA_OVERRUN = 1 << 3,
    TXEN = 1 << 3,
};

static uint32_t cycles_a_bit(const Wire *wire) {
    const uint8_t *data = wire->avr->data;
    uint32_t divider = (uint32_t)(data[UBRR0L] | (data[UBRR0H] & 0x0F) << 8) + 1U;
    return divider * (data[UCSR0A] & U2X ? 8U : 16U);
}

static void on_byte_sent(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    Wire *wire = param;
    uint64_t from = wire->avr->cycle;
    if (wire->sent_until > from) {
        from = wire->sent_until;
    }
    wire->sent_until = from + BITS_A_BYTE * (uint64_t)cycles_a_bit(wire);
    wire->ear(wire->context, wire->sent_until, (uint8_t)value);
}

static avr_uart_t *find_uart(const avr_t *avr) {
    for (avr_io_t *io = avr->io_port; io; io = io->next) {
        avr_uart_t *uart = (avr_uart_t *)io;
        if (io->kind && strcmp(io->kind, "uart") == 0 && uart->name == '0') {
            return uart;
        }
    }
    return NULL;
}

bool wire_connect(Wire *wire, avr_t *avr, WireEar ear, void *context) {
    *wire = (Wire){.avr = avr, .uart = find_uart(avr), .ear = ear, .context = context};
    if (!wire->uart) {
        return false;
    }
    avr_irq_register_notify(wire->uart->io.irq + UART_IRQ_OUTPUT, on_byte_sent, wire);
    wire->uart->flags = 0; /* no sleep where firmware polls, no echo on the console */
    return true;
}

void wire_free(Wire *wire) {
    free(wire->bytes);
}

void wire_reset(Wire *wire) {
    wire->sent_until = 0;
}

void wire_send(Wire *wire, uint8_t byte) {
    if (wire->count == 0) {
        uint64_t soonest = wire->avr->cycle + wire->uart->cycles_per_byte;
        wire->first = 0;
        wire->next = wire->next > soonest ? wire->next : soonest;
    }
    if (wire->first + wire->count == wire->room) {
        wire->bytes = grown(wire->bytes, &wire->room, sizeof *wire->bytes);
    }
    wire->bytes[wire->first + wire->count++] = byte;
}

void wire_hang_up(Wire *wire) {
    wire->count = 0;
}

static void deliver_byte(Wire *wire) {
    uint8_t byte = wire->bytes[wire->first++];
    wire->count--;
    wire->next += wire->uart->cycles_per_byte;
    const uart_fifo_t *fifo = &wire->uart->input;
    unsigned waiting = (unsigned)(fifo->write - fifo->read) % uart_fifo_fifo_size;
    if (waiting >= RECEIVE_BUFFERS) {
        wire->overruns++;
        wire->avr->data[UCSR0A] |= DATA_OVERRUN;
        return;
    }
    avr_raise_irq(wire->uart->io.irq + UART_IRQ_INPUT, byte);
}

void wire_deliver(Wire *wire) {
    while (wire->count && wire->next <= wire->avr->cycle) {
        deliver_byte(wire);
    }
}

uint64_t wire_next(const Wire *wire, uint64_t latest) {
    return wire->count && wire->next < latest ? wire->next : latest;
}

uint32_t wire_baud(const Wire *wire) {
    bool on = wire->avr->data[UCSR0B] & TXEN;
    return on ? wire->avr->frequency / cycles_a_bit(wire) : 0U;
}
