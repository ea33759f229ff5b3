/* The scanner: answers the host, scans the matrix, reports every change until it is acknowledged.
 *
 *   state     | CONFIGURE accepted | refused | each scan                       | sends by itself
 *   waiting   | starting           | waiting | -                               | HELLO, 5 a second
 *   starting  | starting           | waiting | picture becomes REPORT 0: ready | STRIPS while broken
 *   ready     | starting           | waiting | a REPORT for each change        | queue, heartbeat
 *
 * Strips of Hall sensors are read only while their chain is whole: till then no picture is made or
 * changed.
 */
#ifndef SCANNER_H
#define SCANNER_H

#include "debounce.h"
#include "frame.h"
#include "hall.h"
#include "hardware.h"
#include "message.h"
#include "queue.h"

enum {
    HELLO_MS = 200,     /* between HELLOs while waiting for a CONFIGURE */
    HEARTBEAT_MS = 200, /* from the last REPORT to the next when nothing changes */
    REPEAT_MS = 50,     /* between the rounds in which unacknowledged reports are sent */
    DEBOUNCE_MS_MAX = 50,
    CHAIN_BROKEN = 0,    /* the token does not come back */
    CHAIN_UNKNOWN = 254, /* it has not been tried yet */
    CHAIN_SHORTED = 255, /* it seems to be back although no strip has it */
};

enum scanner_state {
    SCANNER_WAITING,  /* not configured */
    SCANNER_STARTING, /* configured, no line read yet */
    SCANNER_READY,    /* scanning */
};

struct scanner {
    const struct hardware *hardware;
    enum scanner_state state;
    enum reset_cause cause;
    enum fault fault;
    uint16_t token; /* of the last CONFIGURE, 0 before the first */
    struct geometry geometry;
    uint8_t row_contacts;  /* columns, or twice as many with Hall sensors */
    uint8_t bitmap_size;   /* bytes */
    uint16_t contact_mask; /* a bit for each contact of a row */
    uint8_t chain;         /* strips that the token has passed, or CHAIN_BROKEN or CHAIN_SHORTED */
    uint8_t asked_row;     /* whose levels the host wants to see */
    uint16_t bad_frames;  /* frames ignored since reset, saturating */
    bool hello_due;
    bool heartbeat_due;
    bool strips_due;
    bool levels_due;
    uint32_t hello_ms;  /* when the last HELLO was sent */
    uint32_t report_ms; /* when the last REPORT was sent */
    uint32_t strips_ms; /* when the last STRIPS was sent */
    uint32_t round_ms;  /* when the first report of this round became due */
    uint8_t bitmap[MATRIX_BITMAP_MAX];
    struct debounce debounce;
    struct hall hall;
    struct queue queue;
    struct frame_decoder decoder;
    uint8_t payload[FRAME_PAYLOAD_MAX];
    uint8_t wire[FRAME_WIRE_MAX];
};

/* Begin as after a reset; a HELLO is due at once. */
void scanner_start(struct scanner *scanner, const struct hardware *hardware,
                   enum reset_cause cause);

/* Read every line once and queue what has changed; about once a millisecond. */
void scanner_scan(struct scanner *scanner);

/* Take what has been received and send what is due; as often as there is time. Never waits. */
void scanner_serve(struct scanner *scanner);

#endif
