/* The serial line at USART0: bytes to and from the firmware, each in its time. */
#ifndef SIM_WIRE_H
#define SIM_WIRE_H

#include <simavr/avr_uart.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Told of every byte that has gone out; `cycle` is when its stop bit ends. */
typedef void (*WireEar)(void *context, uint64_t cycle, uint8_t byte);

typedef struct {
    avr_t *avr;
    avr_uart_t *uart;
    WireEar ear;
    void *context;
    uint8_t *bytes; /* on their way to the firmware, from `first` */
    size_t first;
    size_t count;
    size_t room;
    uint64_t next;       /* when the stop bit of the first ends */
    uint64_t sent_until; /* when the stop bit of the last byte sent ends */
    uint32_t overruns;   /* bytes lost because the firmware did not fetch them */
} Wire;

/* Find the chip's USART0 and listen to it; false if it has none. */
bool wire_connect(Wire *wire, avr_t *avr, WireEar ear, void *context);
void wire_free(Wire *wire);

/* The chip was reset: what it was sending is cut off. */
void wire_reset(Wire *wire);

/* Put a byte on the wire to the firmware, behind those under way. */
void wire_send(Wire *wire, uint8_t byte);

/* Forget the bytes that are under way to the firmware. */
void wire_hang_up(Wire *wire);

/* Hand over what has come by now. */
void wire_deliver(Wire *wire);

/* When the next byte comes, if that is before `latest`. */
uint64_t wire_next(const Wire *wire, uint64_t latest);

/* Bits a second as the chip's registers say; 0 while it does not send. */
uint32_t wire_baud(const Wire *wire);

#endif
