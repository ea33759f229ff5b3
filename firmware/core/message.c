#include "message.h"

#include <string.h>

_Static_assert(REPORT_HEAD_SIZE + MATRIX_BITMAP_MAX <= FRAME_PAYLOAD_MAX, "a report is one frame");

static uint16_t read_u16(const uint8_t *bytes) {
    return (uint16_t)((uint16_t)bytes[1] << 8 | bytes[0]);
}

static void write_u16(uint8_t *bytes, uint16_t value) {
    bytes[0] = (uint8_t)(value & 0xFF);
    bytes[1] = (uint8_t)(value >> 8);
}

static void write_u32(uint8_t *bytes, uint32_t value) {
    write_u16(bytes, (uint16_t)(value & 0xFFFF));
    write_u16(bytes + 2, (uint16_t)(value >> 16));
}

static struct geometry read_geometry(const uint8_t *bytes) {
    return (struct geometry){
        .rows = bytes[0],
        .columns = bytes[1],
        .debounce_ms = bytes[2],
        .kind = bytes[3],
        .operate = bytes[4],
        .release = bytes[5],
    };
}

static void write_geometry(uint8_t *bytes, const struct geometry *geometry) {
    bytes[0] = geometry->rows;
    bytes[1] = geometry->columns;
    bytes[2] = geometry->debounce_ms;
    bytes[3] = geometry->kind;
    bytes[4] = geometry->operate;
    bytes[5] = geometry->release;
}

bool message_read_configure(const uint8_t *payload, uint8_t length, struct configure *configure) {
    if (length != CONFIGURE_SIZE) {
        return false;
    }
    configure->version = payload[1];
    configure->token = read_u16(&payload[2]);
    configure->geometry = read_geometry(&payload[4]);
    return configure->token != 0;
}

bool message_read_ack(const uint8_t *payload, uint8_t length, struct ack *ack) {
    if (length != ACK_SIZE) {
        return false;
    }
    ack->token = read_u16(&payload[1]);
    ack->sequence = read_u16(&payload[3]);
    return true;
}

uint8_t message_write_hello(const struct hello *hello, uint8_t payload[FRAME_PAYLOAD_MAX]) {
    payload[0] = MESSAGE_HELLO;
    payload[1] = PROTOCOL_VERSION;
    write_u16(&payload[2], hello->token);
    write_geometry(&payload[4], &hello->geometry);
    payload[10] = (uint8_t)hello->cause;
    payload[11] = (uint8_t)hello->fault;
    write_u16(&payload[12], hello->bad_frames);
    write_u16(&payload[14], hello->overruns);
    write_u32(&payload[16], hello->build);
    return HELLO_SIZE;
}

uint8_t message_write_strips(uint8_t chain, const uint8_t *silent, uint8_t size,
                             uint8_t payload[FRAME_PAYLOAD_MAX]) {
    payload[0] = MESSAGE_STRIPS;
    payload[1] = chain;
    memcpy(&payload[STRIPS_HEAD_SIZE], silent, size);
    return (uint8_t)(STRIPS_HEAD_SIZE + size);
}

uint8_t message_write_levels(uint8_t row, uint8_t columns, const uint16_t *levels,
                             const uint16_t *zeros, uint8_t payload[FRAME_PAYLOAD_MAX]) {
    payload[0] = MESSAGE_LEVELS;
    payload[1] = row;
    uint8_t length = LEVELS_HEAD_SIZE;
    for (uint8_t column = 0; column < columns; column++, length = (uint8_t)(length + 4)) {
        write_u16(&payload[length], levels[column]);
        write_u16(&payload[length + 2], zeros[column]);
    }
    return length;
}

uint8_t message_write_report(const struct report *report, uint16_t sequence, uint8_t bitmap_size,
                             uint8_t payload[FRAME_PAYLOAD_MAX]) {
    payload[0] = MESSAGE_REPORT;
    write_u16(&payload[1], sequence);
    write_u32(&payload[3], report->ms);
    write_u16(&payload[7], report->lost);
    memcpy(&payload[REPORT_HEAD_SIZE], report->bitmap, bitmap_size);
    return (uint8_t)(REPORT_HEAD_SIZE + bitmap_size);
}
