#include "scanner.h"

#include <stddef.h>
#include <string.h>

enum {
    RECEIVED_AT_ONCE_MAX = 255, /* bytes; a host that never pauses must not stop the scan */
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
    bool is_hall = wanted->kind == CELLS_HALL;
    if (!between(1, wanted->rows, is_hall ? hardware->strips : hardware->rows)) {
        return FAULT_ROWS;
    }
    if (!between(1, wanted->columns, is_hall ? hardware->sensors : hardware->columns)) {
        return FAULT_COLUMNS;
    }
    if ((uint16_t)wanted->rows * wanted->columns > MATRIX_CELLS_MAX) {
        return FAULT_CELLS;
    }
    if (!between(1, wanted->debounce_ms, DEBOUNCE_MS_MAX)) {
        return FAULT_DEBOUNCE;
    }
    if (wanted->kind != CELLS_REEDS && !is_hall) {
        return FAULT_KIND;
    }
    if (is_hall && !between(1, wanted->release, wanted->operate)) {
        return FAULT_THRESHOLDS;
    }
    return FAULT_NONE;
}

static uint8_t bytes_for(uint16_t bits) {
    return (uint8_t)((bits + 7) / 8);
}

static void set_geometry(struct scanner *scanner, const struct geometry *geometry) {
    scanner->geometry = *geometry;
    uint8_t poles = geometry->kind == CELLS_HALL ? HALL_POLES : 1;
    scanner->row_contacts = (uint8_t)(geometry->columns * poles);
    scanner->bitmap_size = bytes_for((uint16_t)geometry->rows * scanner->row_contacts);
    scanner->contact_mask = (uint16_t)((1ul << scanner->row_contacts) - 1);
    debounce_start(&scanner->debounce, scanner->row_contacts, geometry->debounce_ms);
    if (geometry->kind == CELLS_HALL) {
        hall_start(&scanner->hall, geometry->columns, geometry->operate, geometry->release);
    }
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
    scanner->strips_due = false;
    scanner->levels_due = false;
    scanner->chain = CHAIN_UNKNOWN;
    scanner->strips_ms = scanner->hardware->clock_ms();
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

static bool take_ask_levels(struct scanner *scanner, const uint8_t *payload, uint8_t length) {
    if (length != ASK_LEVELS_SIZE || scanner->geometry.kind != CELLS_HALL ||
        payload[1] >= scanner->geometry.rows) {
        return false;
    }
    scanner->asked_row = payload[1];
    scanner->levels_due = true;
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
    case MESSAGE_ASK_LEVELS:
        return take_ask_levels(scanner, payload, length);
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

static void send_strips(struct scanner *scanner, uint32_t now) {
    uint8_t size = bytes_for((uint16_t)scanner->geometry.rows * scanner->geometry.columns);
    transmit_frame(scanner, message_write_strips(scanner->chain, scanner->hall.silent, size,
                                                 scanner->payload));
    scanner->strips_due = false;
    scanner->strips_ms = now;
}

static void send_levels(struct scanner *scanner) {
    uint8_t columns = scanner->geometry.columns;
    uint16_t cell = (uint16_t)scanner->asked_row * columns;
    transmit_frame(scanner,
                   message_write_levels(scanner->asked_row, columns, &scanner->hall.levels[cell],
                                        &scanner->hall.zeros[cell], scanner->payload));
    scanner->levels_due = false;
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
    if (scanner->geometry.kind == CELLS_HALL && now - scanner->strips_ms >= HEARTBEAT_MS) {
        scanner->strips_due = true;
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
    } else if (scanner->strips_due) {
        send_strips(scanner, now);
    } else if (scanner->levels_due) {
        send_levels(scanner);
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
    return hardware->read_columns() & scanner->contact_mask;
}

static void push_report(struct scanner *scanner, uint32_t now) {
    if (scanner->queue.count == 0) {
        scanner->round_ms = now;
    }
    queue_push(&scanner->queue, now, scanner->bitmap);
}

static void flip(struct scanner *scanner, uint8_t contact) {
    uint8_t *byte = &scanner->bitmap[contact / 8];
    *byte = (uint8_t)(*byte ^ (1u << (contact % 8)));
}

static uint8_t first_contact(const struct scanner *scanner, uint8_t row) {
    return (uint8_t)(row * scanner->row_contacts);
}

static void scan_row(struct scanner *scanner, uint8_t row, uint16_t raw, uint32_t now) {
    uint16_t changed = debounce_scan(&scanner->debounce, row, raw, (uint16_t)(now & 0xFFFF));
    for (uint8_t contact = first_contact(scanner, row); changed != 0; changed >>= 1, contact++) {
        if (changed & 1u) {
            flip(scanner, contact);
            push_report(scanner, now);
        }
    }
}

static void take_row(struct scanner *scanner, uint8_t row, uint16_t raw) {
    debounce_take(&scanner->debounce, row, raw);
    for (uint8_t contact = first_contact(scanner, row); raw != 0; raw >>= 1, contact++) {
        if (raw & 1u) {
            flip(scanner, contact);
        }
    }
}

static void begin_following(struct scanner *scanner, uint32_t now) {
    push_report(scanner, now);
    scanner->state = SCANNER_READY;
}

static void scan_reeds(struct scanner *scanner, uint32_t now) {
    for (uint8_t row = 0; row < scanner->geometry.rows; row++) {
        uint16_t raw = read_row(scanner, row);
        if (scanner->state == SCANNER_STARTING) {
            take_row(scanner, row, raw);
        } else {
            scan_row(scanner, row, raw, now);
        }
    }
    scanner->hardware->release_rows();
    if (scanner->state == SCANNER_STARTING) {
        begin_following(scanner, now);
    }
}

/* Each level is judged while the next one is converted. */
static uint16_t read_strip(struct scanner *scanner, uint8_t row) {
    const struct hardware *hardware = scanner->hardware;
    struct hall *hall = &scanner->hall;
    uint16_t before = scanner->state == SCANNER_STARTING ? 0 : scanner->debounce.raw[row];
    uint16_t cell = (uint16_t)row * hall->columns;
    uint16_t contacts = 0;
    uint8_t shift = 0;
    hardware->start_level(0);
    for (uint8_t next = 1; next <= hall->columns; next++, cell++) {
        hall->levels[cell] = hardware->take_level();
        if (next < hall->columns) {
            hardware->start_level(next);
        }
        contacts |= (uint16_t)((uint16_t)hall_poles(hall, cell, (uint8_t)(before & 3u)) << shift);
        before >>= HALL_POLES;
        shift = (uint8_t)(shift + HALL_POLES);
    }
    return contacts;
}

/* Read every strip; true if the token came back from the last one, neither sooner nor later. */
static bool read_strips(struct scanner *scanner) {
    const struct hardware *hardware = scanner->hardware;
    hall_begin_scan(&scanner->hall);
    hardware->give_token();
    for (uint8_t row = 0; row < scanner->geometry.rows; row++) {
        if (row > 0) {
            hardware->pass_token();
        }
        scanner->hall.contacts[row] = read_strip(scanner, row);
    }
    bool came_back = hardware->token_is_back();
    hardware->take_token();
    return came_back && !hardware->token_is_back();
}

static uint8_t count_strips(const struct hardware *hardware) {
    hardware->take_token();
    if (hardware->token_is_back()) {
        return CHAIN_SHORTED;
    }
    hardware->give_token();
    uint8_t count = 1;
    while (count <= hardware->strips && !hardware->token_is_back()) {
        hardware->pass_token();
        count++;
    }
    hardware->take_token();
    return count <= hardware->strips ? count : CHAIN_BROKEN;
}

static void set_chain(struct scanner *scanner, uint8_t chain) {
    if (scanner->chain != chain) {
        scanner->chain = chain;
        scanner->strips_due = true;
    }
}

static void scan_strip(struct scanner *scanner, uint8_t row, uint32_t now) {
    uint16_t contacts = scanner->hall.contacts[row];
    if (scanner->state == SCANNER_STARTING) {
        hall_learn(&scanner->hall, row);
        take_row(scanner, row, contacts);
    } else {
        scan_row(scanner, row, contacts, now);
    }
}

static void follow_drift(struct scanner *scanner, uint32_t now) {
    if (now - scanner->hall.drift_ms < HALL_DRIFT_MS) {
        return;
    }
    scanner->hall.drift_ms = now;
    for (uint8_t row = 0; row < scanner->geometry.rows; row++) {
        const struct debounce *debounce = &scanner->debounce;
        hall_follow(&scanner->hall, row, debounce->raw[row] | debounce->cooked[row]);
    }
}

static void scan_hall(struct scanner *scanner, uint32_t now) {
    bool is_whole = read_strips(scanner);
    bool is_first = scanner->state == SCANNER_STARTING;
    uint8_t rows = scanner->geometry.rows;
    set_chain(scanner, is_whole ? rows : count_strips(scanner->hardware));
    bool at_once = is_first || scanner->chain != rows; /* a broken chain explains who is silent */
    if (hall_note_silent(&scanner->hall, at_once)) {
        scanner->strips_due = true;
    }
    if (!is_whole) {
        return;
    }
    for (uint8_t row = 0; row < rows; row++) {
        scan_strip(scanner, row, now);
    }
    if (is_first) {
        begin_following(scanner, now);
    }
    follow_drift(scanner, now);
}

void scanner_scan(struct scanner *scanner) {
    if (scanner->state == SCANNER_WAITING) {
        return;
    }
    uint32_t now = scanner->hardware->clock_ms();
    if (scanner->geometry.kind == CELLS_HALL) {
        scan_hall(scanner, now);
    } else {
        scan_reeds(scanner, now);
    }
}
