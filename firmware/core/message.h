/* The messages inside the frames, byte by byte; PROTOCOL.md tells the same in words. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "frame.h"
#include "queue.h"
#include <stdbool.h>
#include <stdint.h>

enum { PROTOCOL_VERSION = 2 };

enum message_type {
    MESSAGE_WHO = 0x01,
    MESSAGE_CONFIGURE = 0x02,
    MESSAGE_ACK = 0x03,
    MESSAGE_PICTURE = 0x04,
    MESSAGE_ASK_LEVELS = 0x05,
    MESSAGE_HELLO = 0x81,
    MESSAGE_REPORT = 0x82,
    MESSAGE_STRIPS = 0x83,
    MESSAGE_LEVELS = 0x84,
};

enum message_size {
    WHO_SIZE = 1,
    CONFIGURE_SIZE = 10,
    ACK_SIZE = 5,
    PICTURE_SIZE = 1,
    ASK_LEVELS_SIZE = 2,
    HELLO_SIZE = 20,
    REPORT_HEAD_SIZE = 9, /* before the bitmap */
    STRIPS_HEAD_SIZE = 2,
    LEVELS_HEAD_SIZE = 2,
};

/* Why the chip started. */
enum reset_cause {
    RESET_UNKNOWN = 0,
    RESET_POWER = 1,
    RESET_EXTERNAL = 2,
    RESET_BROWN_OUT = 3,
    RESET_WATCHDOG = 4,
};

/* Why a CONFIGURE was refused. */
enum fault {
    FAULT_NONE = 0,
    FAULT_VERSION = 1,
    FAULT_ROWS = 2,
    FAULT_COLUMNS = 3,
    FAULT_CELLS = 4,
    FAULT_DEBOUNCE = 5,
    FAULT_KIND = 6,
    FAULT_THRESHOLDS = 7,
};

/* What stands at the crossings of rows and columns. */
enum cell_kind {
    CELLS_NONE = 0, /* not configured */
    CELLS_REEDS = 1,
    CELLS_HALL = 2,
};

/* The matrix that the host asks for; all zero when there is none. */
struct geometry {
    uint8_t rows;
    uint8_t columns;
    uint8_t debounce_ms;
    uint8_t kind;    /* an enum cell_kind */
    uint8_t operate; /* thresholds of Hall sensors, in steps of the converter; 0 for reeds */
    uint8_t release;
};

struct configure {
    uint8_t version;
    uint16_t token; /* never 0 */
    struct geometry geometry;
};

struct ack {
    uint16_t token;
    uint16_t sequence;
};

struct hello {
    uint16_t token; /* 0 before any CONFIGURE */
    struct geometry geometry;
    enum reset_cause cause;
    enum fault fault;
    uint16_t bad_frames; /* frames ignored since reset, saturating */
    uint16_t overruns;   /* bytes lost on receiving since reset, saturating */
    uint32_t build;      /* which program this is */
};

/* Read a CONFIGURE; false when it is malformed or without a token. */
bool message_read_configure(const uint8_t *payload, uint8_t length, struct configure *configure);

/* Read an ACK; false when it is malformed. */
bool message_read_ack(const uint8_t *payload, uint8_t length, struct ack *ack);

/* Write a HELLO; returns its length. */
uint8_t message_write_hello(const struct hello *hello, uint8_t payload[FRAME_PAYLOAD_MAX]);

/* Write a STRIPS: how long the chain is, and `size` bytes of who is silent; returns its length. */
uint8_t message_write_strips(uint8_t chain, const uint8_t *silent, uint8_t size,
                             uint8_t payload[FRAME_PAYLOAD_MAX]);

/* Write a LEVELS of one strip; returns its length. */
uint8_t message_write_levels(uint8_t row, uint8_t columns, const uint16_t *levels,
                             const uint16_t *zeros, uint8_t payload[FRAME_PAYLOAD_MAX]);

/* Write a REPORT with `bitmap_size` bytes of its bitmap; returns its length. */
uint8_t message_write_report(const struct report *report, uint16_t sequence, uint8_t bitmap_size,
                             uint8_t payload[FRAME_PAYLOAD_MAX]);

#endif
