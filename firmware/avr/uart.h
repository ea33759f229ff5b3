/* USART0 at 500 000 baud 8N1, with rings of bytes on both ways. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);

/* Take one received byte; false when there is none. */
bool uart_receive(uint8_t *byte);

/* Whether a received byte waits. */
bool uart_has_received(void);

/* Bytes lost since uart_start because nobody took them in time, saturating. */
uint16_t uart_overruns(void);

/* Bytes that can be put now. */
uint16_t uart_transmit_room(void);

/* Put one byte; only when there is room. */
void uart_transmit(uint8_t byte);

#endif
