#include "desk.h"

#include <string.h>

static const uint32_t BUILD = 0x89ABCDEF;

enum { INCOMING_SIZE = 4096, OUTGOING_SIZE = 8192, NO_ROW = 0xFF };

static struct {
    uint16_t closed[MATRIX_ROWS_MAX];
    uint8_t driven;
    uint16_t misuses;
    uint32_t ms;
    uint16_t room;
    uint16_t overruns;
    uint8_t incoming[INCOMING_SIZE];
    uint16_t incoming_count;
    uint16_t incoming_taken;
    uint8_t outgoing[OUTGOING_SIZE];
    uint16_t outgoing_count;
} desk;

static struct hardware board;
static struct scanner scanner;
static struct debounce row;
static struct frame_decoder decoder;

static void drive_row(uint8_t driven) {
    desk.driven = driven;
}

static void release_rows(void) {
    desk.driven = NO_ROW;
}

static void settle(void) {
}

static uint16_t read_columns(void) {
    if (desk.driven >= board.rows) {
        desk.misuses++;
        return 0;
    }
    return desk.closed[desk.driven];
}

static uint32_t clock_ms(void) {
    return desk.ms;
}

static bool receive(uint8_t *byte) {
    if (desk.incoming_taken == desk.incoming_count) {
        desk.incoming_taken = desk.incoming_count = 0;
        return false;
    }
    *byte = desk.incoming[desk.incoming_taken++];
    return true;
}

static uint16_t overruns(void) {
    return desk.overruns;
}

static uint16_t transmit_room(void) {
    uint16_t left = (uint16_t)(OUTGOING_SIZE - desk.outgoing_count);
    return desk.room < left ? desk.room : left;
}

static void transmit(uint8_t byte) {
    desk.outgoing[desk.outgoing_count++] = byte;
    if (desk.room == 0) {
        desk.misuses++;
    } else if (desk.room != UINT16_MAX) {
        desk.room--;
    }
}

void desk_start(uint8_t cause, uint8_t rows, uint8_t columns) {
    memset(&desk, 0, sizeof desk);
    desk.driven = NO_ROW;
    desk.room = UINT16_MAX;
    board = (struct hardware){
        .build = BUILD,
        .rows = rows,
        .columns = columns,
        .drive_row = drive_row,
        .release_rows = release_rows,
        .settle = settle,
        .read_columns = read_columns,
        .clock_ms = clock_ms,
        .receive = receive,
        .overruns = overruns,
        .transmit_room = transmit_room,
        .transmit = transmit,
    };
    scanner_start(&scanner, &board, (enum reset_cause)cause);
}

void desk_contact(uint8_t at_row, uint8_t column, bool closed) {
    uint16_t bit = (uint16_t)(1u << column);
    uint16_t others = desk.closed[at_row] & (uint16_t)~bit;
    desk.closed[at_row] = closed ? others | bit : others;
}

void desk_clock(uint32_t ms) {
    desk.ms = ms;
}

void desk_room(uint16_t bytes) {
    desk.room = bytes;
}

void desk_overruns(uint16_t count) {
    desk.overruns = count;
}

uint16_t desk_put(const uint8_t *bytes, uint16_t count) {
    uint16_t room = (uint16_t)(INCOMING_SIZE - desk.incoming_count);
    uint16_t fits = count < room ? count : room;
    memcpy(&desk.incoming[desk.incoming_count], bytes, fits);
    desk.incoming_count = (uint16_t)(desk.incoming_count + fits);
    return fits;
}

uint16_t desk_take(uint8_t *bytes, uint16_t most) {
    uint16_t count = desk.outgoing_count < most ? desk.outgoing_count : most;
    memcpy(bytes, desk.outgoing, count);
    desk.outgoing_count = (uint16_t)(desk.outgoing_count - count);
    memmove(desk.outgoing, &desk.outgoing[count], desk.outgoing_count);
    return count;
}

void desk_scan(void) {
    scanner_scan(&scanner);
    if (desk.driven != NO_ROW) {
        desk.misuses++;
    }
}

void desk_serve(void) {
    scanner_serve(&scanner);
}

const struct scanner *desk_scanner(void) {
    return &scanner;
}

uint16_t desk_misuses(void) {
    return desk.misuses;
}

void desk_row_start(uint8_t columns, uint16_t steady, uint16_t raw) {
    debounce_start(&row, columns, steady);
    debounce_take(&row, 0, raw);
}

uint16_t desk_row_scan(uint16_t raw, uint16_t now) {
    return debounce_scan(&row, 0, raw, now);
}

uint16_t desk_row_rest(uint16_t raw, uint16_t now, uint16_t step, uint32_t scans) {
    uint16_t changed = 0;
    for (; scans > 0; scans--, now = (uint16_t)(now + step)) {
        changed |= desk_row_scan(raw, now);
    }
    return changed;
}

void desk_decoder_start(void) {
    memset(&decoder, 0, sizeof decoder);
}

int16_t desk_decode(uint8_t byte, uint8_t payload[FRAME_PAYLOAD_MAX]) {
    switch (frame_feed(&decoder, byte)) {
    case FRAME_WHOLE:
        memcpy(payload, decoder.body, decoder.payload_length);
        return decoder.payload_length;
    case FRAME_BAD:
        return -1;
    default:
        return 0;
    }
}
