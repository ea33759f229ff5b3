#include "scanner.h"

#include <stddef.h>
#include <string.h>

enum {
    RECEIVED_AT_ONCE_MAX = 128, /* bytes; a host that never pauses must not stop the scan */
    WIRE_US_PER_BYTE = 20,
    REPORT_WIRE_MAX = REPORT_HEAD_SIZE + MATRIX_BITMAP_MAX + FRAME_CRC_SIZE + 2,
};

_Static_assert(1ul * QUEUE_LENGTH * REPORT_WIRE_MAX * WIRE_US_PER_BYTE < REPEAT_MS * 1000ul,
               "a full queue is sent before its next round begins");

void scanner_start(struct scanner *scanner, const struct hardware *hardware,
                   enum reset_cause cause) {
    memset(scanner, 0, sizeof *scanner);
    scanner->hardware = hardware;
    scanner->cause = cause;
    scanner->hello_due = true;
}

static bool between(uint8_t low, uint8_t value, uint8_t high) {
    return low <= value && value <= high;
}

static enum fault find_fault(const struct hardware *hardware, const struct geometry *wanted) {
    if (!between(1, wanted->rows, hardware->rows)) {
        return FAULT_ROWS;
    }
    if (!between(1, wanted->columns, hardware->columns)) {
        return FAULT_COLUMNS;
    }
    if ((uint16_t)wanted->rows * wanted->columns > MATRIX_CELLS_MAX) {
        return FAULT_CELLS;
    }
    if (!between(1, wanted->debounce_ms, DEBOUNCE_MS_MAX)) {
        return FAULT_DEBOUNCE;
    }
    if (wanted->kind != CELLS_REEDS) {
        return FAULT_KIND;
    }
    return FAULT_NONE;
}

static void set_geometry(struct scanner *scanner, const struct geometry *geometry) {
    scanner->geometry = *geometry;
    scanner->bitmap_size = (uint8_t)(((uint16_t)geometry->rows * geometry->columns + 7) / 8);
    scanner->column_mask = (uint16_t)((1ul << geometry->columns) - 1);
    debounce_start(&scanner->debounce, geometry->columns, geometry->debounce_ms);
}

static void configure(struct scanner *scanner, const struct configure *wanted) {
    queue_clear(&scanner->queue);
    memset(scanner->bitmap, 0, sizeof scanner->bitmap);
    scanner->token = wanted->token;
    scanner->fault = wanted->version == PROTOCOL_VERSION
                         ? find_fault(scanner->hardware, &wanted->geometry)
                         : FAULT_VERSION;
    const struct geometry none = {.rows = 0};
    set_geometry(scanner, scanner->fault == FAULT_NONE ? &wanted->geometry : &none);
    scanner->state = scanner->fault == FAULT_NONE ? SCANNER_STARTING : SCANNER_WAITING;
    scanner->hello_due = true;
    scanner->heartbeat_due = false;
}

static bool take_configure(struct scanner *scanner, const uint8_t *payload, uint8_t length) {
    struct configure wanted;
    if (!message_read_configure(payload, length, &wanted)) {
        return false;
    }
    configure(scanner, &wanted);
    return true;
}

static bool take_ack(struct scanner *scanner, const uint8_t *payload, uint8_t length) {
    struct ack ack;
    if (!message_read_ack(payload, length, &ack)) {
        return false;
    }
    if (scanner->state != SCANNER_READY || ack.token != scanner->token) {
        return false;
    }
    queue_acknowledge(&scanner->queue, ack.sequence);
    return true;
}

static bool take_who(struct scanner *scanner, uint8_t length) {
    if (length != WHO_SIZE) {
        return false;
    }
    scanner->hello_due = true;
    return true;
}

static void begin_round(struct scanner *scanner, uint32_t now) {
    queue_repeat(&scanner->queue);
    scanner->round_ms = now;
}

static bool take_picture(struct scanner *scanner, uint8_t length) {
    if (length != PICTURE_SIZE || scanner->state == SCANNER_WAITING) {
        return false;
    }
    if (scanner->queue.count > 0) {
        begin_round(scanner, scanner->hardware->clock_ms());
    } else {
        scanner->heartbeat_due = scanner->state == SCANNER_READY;
    }
    return true;
}

/* Do what a message asks; false when it is to be ignored and counted. */
static bool take_message(struct scanner *scanner, const uint8_t *payload, uint8_t length) {
    switch (payload[0]) {
    case MESSAGE_WHO:
        return take_who(scanner, length);
    case MESSAGE_CONFIGURE:
        return take_configure(scanner, payload, length);
    case MESSAGE_ACK:
        return take_ack(scanner, payload, length);
    case MESSAGE_PICTURE:
        return take_picture(scanner, length);
    default:
        return false;
    }
}

static void count_bad_frame(struct scanner *scanner) {
    if (scanner->bad_frames < UINT16_MAX) {
        scanner->bad_frames++;
    }
}

static void take_byte(struct scanner *scanner, uint8_t byte) {
    struct frame_decoder *decoder = &scanner->decoder;
    enum frame_event event = frame_feed(decoder, byte);
    bool understood = true;
    if (event == FRAME_WHOLE) {
        understood = take_message(scanner, decoder->body, decoder->payload_length);
    }
    if (event == FRAME_BAD || !understood) {
        count_bad_frame(scanner);
    }
}

static void receive(struct scanner *scanner) {
    uint8_t byte;
    for (uint8_t i = 0; i < RECEIVED_AT_ONCE_MAX && scanner->hardware->receive(&byte); i++) {
        take_byte(scanner, byte);
    }
}

static void transmit_frame(struct scanner *scanner, uint8_t payload_length) {
    uint8_t length = frame_encode(scanner->payload, payload_length, scanner->wire);
    for (uint8_t i = 0; i < length; i++) {
        scanner->hardware->transmit(scanner->wire[i]);
    }
}

static void send_hello(struct scanner *scanner, uint32_t now) {
    const struct hello hello = {
        .token = scanner->token,
        .geometry = scanner->geometry,
        .cause = scanner->cause,
        .fault = scanner->fault,
        .bad_frames = scanner->bad_frames,
        .overruns = scanner->hardware->overruns(),
        .build = scanner->hardware->build,
    };
    transmit_frame(scanner, message_write_hello(&hello, scanner->payload));
    scanner->hello_due = false;
    scanner->hello_ms = now;
}

static void send_report(struct scanner *scanner, const struct report *report, uint16_t sequence,
                        uint32_t now) {
    transmit_frame(scanner,
                   message_write_report(report, sequence, scanner->bitmap_size, scanner->payload));
    scanner->heartbeat_due = false;
    scanner->report_ms = now;
}

static void send_heartbeat(struct scanner *scanner, uint32_t now) {
    struct report report = {.ms = now, .lost = scanner->queue.lost};
    memcpy(report.bitmap, scanner->bitmap, sizeof report.bitmap);
    send_report(scanner, &report, queue_newest_sequence(&scanner->queue), now);
}

static void note_what_is_due(struct scanner *scanner, uint32_t now) {
    if (scanner->state == SCANNER_WAITING && now - scanner->hello_ms >= HELLO_MS) {
        scanner->hello_due = true;
    }
    if (scanner->state != SCANNER_READY) {
        return;
    }
    if (scanner->queue.count == 0) {
        if (now - scanner->report_ms >= HEARTBEAT_MS) {
            scanner->heartbeat_due = true;
        }
    } else if (now - scanner->round_ms >= REPEAT_MS) {
        begin_round(scanner, now);
    }
}

/* Send one frame; false when nothing is due. */
static bool send_one(struct scanner *scanner, uint32_t now) {
    uint16_t sequence;
    const struct report *report = queue_next(&scanner->queue, &sequence);
    if (scanner->hello_due) {
        send_hello(scanner, now);
    } else if (report != NULL) {
        send_report(scanner, report, sequence, now);
        queue_sent(&scanner->queue);
    } else if (scanner->heartbeat_due) {
        send_heartbeat(scanner, now);
    } else {
        return false;
    }
    return true;
}

void scanner_serve(struct scanner *scanner) {
    receive(scanner);
    uint32_t now = scanner->hardware->clock_ms();
    note_what_is_due(scanner, now);
    while (scanner->hardware->transmit_room() >= FRAME_WIRE_MAX && send_one(scanner, now)) {
    }
}

static uint16_t read_row(const struct scanner *scanner, uint8_t row) {
    const struct hardware *hardware = scanner->hardware;
    hardware->drive_row(row);
    hardware->settle();
    return hardware->read_columns() & scanner->column_mask;
}

static void push_report(struct scanner *scanner, uint32_t now) {
    if (scanner->queue.count == 0) {
        scanner->round_ms = now;
    }
    queue_push(&scanner->queue, now, scanner->bitmap);
}

static void flip(struct scanner *scanner, uint8_t cell) {
    uint8_t *byte = &scanner->bitmap[cell / 8];
    *byte = (uint8_t)(*byte ^ (1u << (cell % 8)));
}

static uint8_t first_cell(const struct scanner *scanner, uint8_t row) {
    return (uint8_t)(row * scanner->geometry.columns);
}

static void scan_row(struct scanner *scanner, uint8_t row, uint32_t now) {
    uint16_t raw = read_row(scanner, row);
    uint16_t changed = debounce_scan(&scanner->debounce, row, raw, (uint16_t)(now & 0xFFFF));
    for (uint8_t cell = first_cell(scanner, row); changed != 0; changed >>= 1, cell++) {
        if (changed & 1u) {
            flip(scanner, cell);
            push_report(scanner, now);
        }
    }
}

static void take_row(struct scanner *scanner, uint8_t row) {
    uint16_t raw = read_row(scanner, row);
    debounce_take(&scanner->debounce, row, raw);
    for (uint8_t cell = first_cell(scanner, row); raw != 0; raw >>= 1, cell++) {
        if (raw & 1u) {
            flip(scanner, cell);
        }
    }
}

static void take_first_picture(struct scanner *scanner, uint32_t now) {
    for (uint8_t row = 0; row < scanner->geometry.rows; row++) {
        take_row(scanner, row);
    }
    push_report(scanner, now);
    scanner->state = SCANNER_READY;
}

void scanner_scan(struct scanner *scanner) {
    if (scanner->state == SCANNER_WAITING) {
        return;
    }
    uint32_t now = scanner->hardware->clock_ms();
    if (scanner->state == SCANNER_STARTING) {
        take_first_picture(scanner, now);
    } else {
        for (uint8_t row = 0; row < scanner->geometry.rows; row++) {
            scan_row(scanner, row, now);
        }
    }
    scanner->hardware->release_rows();
}
