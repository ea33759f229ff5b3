/* Frames on the wire: payload and CRC-16, COBS-encoded, closed by 0x00.
 *
 * CRC-16/GENIBUS: polynomial 0x1021, start and final 0xFFFF, not reflected, high byte first. COBS leaves
 * no 0x00 inside a frame, so whoever listens in the middle is in step again at the next 0x00. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FRAME_CRC_SIZE = 2,
    FRAME_BODY_MAX = 64, /* bytes: payload and CRC */
    FRAME_PAYLOAD_MAX = FRAME_BODY_MAX - FRAME_CRC_SIZE,
    FRAME_WIRE_MAX = FRAME_BODY_MAX + 2, /* one code byte before, 0x00 after */
};

enum frame_event {
    FRAME_NOTHING, /* no frame has ended */
    FRAME_WHOLE,   /* a frame has ended; its payload stays until the next byte is fed */
    FRAME_BAD,     /* a frame has ended and is dropped: broken COBS, too long, or wrong CRC */
};

/* A frame half received. All zero is its beginning. */
struct frame_decoder {
    uint8_t body[FRAME_BODY_MAX]; /* payload and CRC so far */
    uint8_t length;               /* bytes in body */
    uint8_t payload_length;       /* bytes of payload, after FRAME_WHOLE */
    uint8_t code;                 /* the code byte of the open block, 0 before the first */
    uint8_t left;                 /* bytes that the open block still lacks */
    bool too_long;                /* more came than fits; dropped up to the next 0x00 */
};

/* The CRC of `length` bytes. */
uint16_t frame_crc(const uint8_t *bytes, uint8_t length);

/* Encode a payload of 1..FRAME_PAYLOAD_MAX bytes; returns the bytes written, the closing 0x00
 * included, or 0 when the length is out of range. */
uint8_t frame_encode(const uint8_t *payload, uint8_t length, uint8_t wire[FRAME_WIRE_MAX]);

/* Take one byte off the wire. An empty frame (0x00 after 0x00) is nothing and no error. */
enum frame_event frame_feed(struct frame_decoder *decoder, uint8_t byte);

#endif
