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

bool message_read_configure(const uint8_t *payload, uint8_t length, struct configure *configure) {
    if (length != CONFIGURE_SIZE) {
        return false;
    }
    configure->version = payload[1];
    configure->token = read_u16(&payload[2]);
    configure->rows = payload[4];
    configure->columns = payload[5];
    configure->debounce_ms = payload[6];
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
    payload[4] = hello->rows;
    payload[5] = hello->columns;
    payload[6] = hello->debounce_ms;
    payload[7] = (uint8_t)hello->cause;
    payload[8] = (uint8_t)hello->fault;
    write_u16(&payload[9], hello->bad_frames);
    write_u16(&payload[11], hello->overruns);
    return HELLO_SIZE;
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
