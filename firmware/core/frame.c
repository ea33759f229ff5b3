#include "frame.h"

enum { CRC_START = 0xFFFF, CRC_FINAL = 0xFFFF };

_Static_assert(FRAME_BODY_MAX < 254, "a frame has no COBS block that ends without a zero");
_Static_assert(FRAME_WIRE_MAX <= UINT8_MAX, "lengths on the wire are counted in a uint8_t");

/* One byte into the CRC without a table: the polynomial's few taps, taken eight bits at once. */
static uint16_t crc_add(uint16_t crc, uint8_t byte) {
    uint8_t high = (uint8_t)((crc >> 8) ^ byte);
    high ^= (uint8_t)(high >> 4);
    uint16_t taps = high;
    return (uint16_t)((uint16_t)(crc << 8) ^ (uint16_t)(taps << 12) ^ (uint16_t)(taps << 5) ^ taps);
}

uint16_t frame_crc(const uint8_t *bytes, uint8_t length) {
    uint16_t crc = CRC_START;
    for (uint8_t i = 0; i < length; i++) {
        crc = crc_add(crc, bytes[i]);
    }
    return (uint16_t)(crc ^ CRC_FINAL);
}

/* The writing end of COBS: where the next byte goes, and where the open block's code byte is. */
struct cobs_writer {
    uint8_t *wire;
    uint8_t length;
    uint8_t code_at;
};

static void cobs_open_block(struct cobs_writer *writer) {
    writer->code_at = writer->length++;
}

static void cobs_close_block(struct cobs_writer *writer) {
    writer->wire[writer->code_at] = (uint8_t)(writer->length - writer->code_at);
}

static void cobs_write(struct cobs_writer *writer, uint8_t byte) {
    if (byte == 0) {
        cobs_close_block(writer);
        cobs_open_block(writer);
    } else {
        writer->wire[writer->length++] = byte;
    }
}

uint8_t frame_encode(const uint8_t *payload, uint8_t length, uint8_t wire[FRAME_WIRE_MAX]) {
    if (length == 0 || length > FRAME_PAYLOAD_MAX) {
        return 0;
    }
    struct cobs_writer writer = {.wire = wire, .length = 0, .code_at = 0};
    uint16_t crc = frame_crc(payload, length);
    cobs_open_block(&writer);
    for (uint8_t i = 0; i < length; i++) {
        cobs_write(&writer, payload[i]);
    }
    cobs_write(&writer, (uint8_t)(crc >> 8));
    cobs_write(&writer, (uint8_t)(crc & 0xFF));
    cobs_close_block(&writer);
    wire[writer.length++] = 0;
    return writer.length;
}

static void decoded(struct frame_decoder *decoder, uint8_t byte) {
    if (decoder->length == FRAME_BODY_MAX) {
        decoder->too_long = true;
    } else {
        decoder->body[decoder->length++] = byte;
    }
}

static void begin_block(struct frame_decoder *decoder, uint8_t code) {
    if (decoder->code != 0) {
        decoded(decoder, 0);
    }
    decoder->code = code;
    decoder->left = (uint8_t)(code - 1);
}

static bool body_is_sound(const struct frame_decoder *decoder) {
    if (decoder->too_long || decoder->left != 0 || decoder->length <= FRAME_CRC_SIZE) {
        return false;
    }
    uint8_t payload_length = (uint8_t)(decoder->length - FRAME_CRC_SIZE);
    const uint8_t *tail = &decoder->body[payload_length];
    uint16_t told = (uint16_t)((uint16_t)tail[0] << 8 | tail[1]);
    return frame_crc(decoder->body, payload_length) == told;
}

static enum frame_event end_frame(struct frame_decoder *decoder) {
    enum frame_event event = FRAME_NOTHING;
    if (decoder->code != 0) {
        event = body_is_sound(decoder) ? FRAME_WHOLE : FRAME_BAD;
    }
    decoder->payload_length =
        event == FRAME_WHOLE ? (uint8_t)(decoder->length - FRAME_CRC_SIZE) : 0;
    decoder->length = 0;
    decoder->code = 0;
    decoder->left = 0;
    decoder->too_long = false;
    return event;
}

enum frame_event frame_feed(struct frame_decoder *decoder, uint8_t byte) {
    if (byte == 0) {
        return end_frame(decoder);
    }
    if (decoder->left == 0) {
        begin_block(decoder, byte);
    } else {
        decoded(decoder, byte);
        decoder->left--;
    }
    return FRAME_NOTHING;
}
