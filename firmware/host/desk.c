#include "desk.h"

#include <string.h>

static const uint32_t BUILD = 0x89ABCDEF;

enum { INCOMING_SIZE = 4096, OUTGOING_SIZE = 8192, NO_ROW = 0xFF, NO_STRIP = 0xFF };

static struct {
    uint16_t closed[MATRIX_ROWS_MAX];
    uint8_t driven;
    uint16_t levels[MATRIX_ROWS_MAX][MATRIX_COLUMNS_MAX / 2];
    uint8_t strips;    /* in the chain */
    uint8_t cut;       /* strips that the token reaches */
    bool shorted;      /* the token seems to be back for ever */
    uint8_t with_token;
    uint8_t started; /* the column that is being read */
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

static void take_token(void) {
    desk.with_token = NO_STRIP;
}

static void give_token(void) {
    desk.with_token = 0;
}

static void pass_token(void) {
    if (desk.with_token != NO_STRIP) {
        desk.with_token++;
    }
}

static bool token_is_back(void) {
    bool reaches_the_last = desk.with_token + 1 == desk.strips && desk.with_token < desk.cut;
    return desk.shorted || reaches_the_last;
}

static void start_level(uint8_t column) {
    desk.started = column;
}

static uint16_t take_level(void) {
    if (desk.with_token == NO_STRIP) {
        desk.misuses++;
    }
    bool is_there = desk.with_token < desk.strips && desk.with_token < desk.cut;
    return is_there ? desk.levels[desk.with_token][desk.started] : 0;
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
    desk.with_token = NO_STRIP;
    desk_strips(MATRIX_ROWS_MAX - 1, MATRIX_ROWS_MAX, false);
    for (uint8_t at_row = 0; at_row < MATRIX_ROWS_MAX; at_row++) {
        for (uint8_t column = 0; column < MATRIX_COLUMNS_MAX / 2; column++) {
            desk_level(at_row, column, HALL_MIDDLE);
        }
    }
    desk.room = UINT16_MAX;
    board = (struct hardware){
        .build = BUILD,
        .rows = rows,
        .columns = columns,
        .drive_row = drive_row,
        .release_rows = release_rows,
        .settle = settle,
        .read_columns = read_columns,
        .strips = MATRIX_ROWS_MAX - 1,
        .sensors = columns < MATRIX_COLUMNS_MAX / 2 ? columns : MATRIX_COLUMNS_MAX / 2,
        .give_token = give_token,
        .pass_token = pass_token,
        .take_token = take_token,
        .token_is_back = token_is_back,
        .start_level = start_level,
        .take_level = take_level,
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

void desk_level(uint8_t at_row, uint8_t column, uint16_t level) {
    desk.levels[at_row][column] = level;
}

void desk_strips(uint8_t strips, uint8_t cut, bool shorted) {
    desk.strips = strips;
    desk.cut = cut;
    desk.shorted = shorted;
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
    if (desk.driven != NO_ROW || desk.with_token != NO_STRIP) {
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
