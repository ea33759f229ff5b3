/* Throws chance at the core, under the address and undefined-behaviour sanitizers.
 *
 *   check [INPUTS [SEED]]
 *
 * Half of the inputs go into a decoder that stands alone at the edge of its own memory, half into a
 * whole scanner. Ends with 1 and a line that says which promise was broken, with which seed. */
#include "desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_MAX = 96, DEFAULT_INPUTS = 200000, DEFAULT_SEED = 1 };

struct input {
    uint8_t bytes[INPUT_MAX];
    uint8_t length;
};

struct tally {
    unsigned long whole;
    unsigned long bad;
    unsigned long reports;
    unsigned long hellos;
    unsigned long strips;
    unsigned long levels;
};

static uint32_t chance_state;
static uint32_t seed;

static uint32_t chance(uint32_t below) {
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 17;
    chance_state ^= chance_state << 5;
    return chance_state % below;
}

static uint8_t any_byte(void) {
    return (uint8_t)chance(256);
}

static void promise(bool kept, const char *what) {
    if (!kept) {
        fprintf(stderr, "check: broken promise: %s (seed %lu)\n", what, (unsigned long)seed);
        exit(1);
    }
}

static void make_garbage(struct input *input) {
    input->length = (uint8_t)chance(INPUT_MAX + 1);
    uint32_t kinds = chance(2) ? 256 : 4; /* few kinds of bytes make many short blocks */
    for (uint8_t i = 0; i < input->length; i++) {
        input->bytes[i] = (uint8_t)chance(kinds);
    }
}

static void make_frame(struct input *input, const uint8_t *payload, uint8_t length) {
    uint8_t wire[FRAME_WIRE_MAX];
    input->length = frame_encode(payload, length, wire);
    promise(input->length == length + FRAME_CRC_SIZE + 2, "a frame is its payload and four bytes");
    memcpy(input->bytes, wire, input->length);
}

static void make_any_frame(struct input *input) {
    uint8_t payload[FRAME_PAYLOAD_MAX];
    uint8_t length = (uint8_t)(1 + chance(FRAME_PAYLOAD_MAX));
    for (uint8_t i = 0; i < length; i++) {
        payload[i] = (uint8_t)(chance(3) ? any_byte() : 0);
    }
    make_frame(input, payload, length);
}

static void damage(struct input *input) {
    uint32_t at = chance(input->length);
    switch (chance(4)) {
    case 0:
        input->bytes[at] ^= (uint8_t)(1u << chance(8));
        break;
    case 1:
        input->length = (uint8_t)at;
        break;
    case 2:
        input->bytes[at] = any_byte();
        break;
    default:
        break;
    }
}

static void make_message(struct input *input) {
    const struct scanner *scanner = desk_scanner();
    uint8_t low = (uint8_t)(scanner->token & 0xFF);
    uint8_t high = (uint8_t)(scanner->token >> 8);
    uint8_t sequence = (uint8_t)(scanner->queue.oldest_sequence + chance(40));
    uint8_t sequence_high = (uint8_t)(scanner->queue.oldest_sequence >> 8);
    const uint8_t acknowledge[] = {MESSAGE_ACK, low, high, sequence, sequence_high};
    const uint8_t who[] = {MESSAGE_WHO};
    const uint8_t picture[] = {MESSAGE_PICTURE};
    const uint8_t ask_levels[] = {MESSAGE_ASK_LEVELS, (uint8_t)chance(34)};
    const uint8_t configure[] = {
        MESSAGE_CONFIGURE,
        (uint8_t)(chance(9) ? PROTOCOL_VERSION : any_byte()),
        any_byte(),
        any_byte(),
        (uint8_t)chance(34),
        (uint8_t)chance(7),
        (uint8_t)chance(52),
        (uint8_t)(chance(9) ? 1 + chance(2) : any_byte()),
        (uint8_t)(20 + chance(20)),
        (uint8_t)chance(25),
    };
    uint32_t kind = chance(40);
    if (kind == 0) {
        make_frame(input, configure, sizeof configure);
    } else if (kind < 30) {
        make_frame(input, acknowledge, sizeof acknowledge);
    } else if (kind < 32) {
        make_frame(input, ask_levels, sizeof ask_levels);
    } else if (kind < 35) {
        make_frame(input, picture, sizeof picture);
    } else {
        make_frame(input, who, sizeof who);
    }
}

static void feed_decoder(struct frame_decoder *decoder, const struct input *input,
                         struct tally *tally) {
    for (uint8_t i = 0; i < input->length; i++) {
        enum frame_event event = frame_feed(decoder, input->bytes[i]);
        promise(decoder->length <= FRAME_BODY_MAX, "a body stays within its buffer");
        if (event == FRAME_WHOLE) {
            uint8_t size = decoder->payload_length;
            promise(1 <= size && size <= FRAME_PAYLOAD_MAX, "a payload has 1 to 62 bytes");
            tally->whole++;
        }
        tally->bad += event == FRAME_BAD;
    }
}

static void check_decoder(unsigned long inputs, struct tally *tally) {
    struct frame_decoder *decoder = calloc(1, sizeof *decoder);
    promise(decoder != NULL, "there is memory");
    for (unsigned long i = 0; i < inputs; i++) {
        struct input input;
        if (chance(2)) {
            make_garbage(&input);
        } else {
            make_any_frame(&input);
            if (chance(2)) {
                damage(&input);
            }
        }
        feed_decoder(decoder, &input, tally);
    }
    free(decoder);
}

static void check_sent(struct frame_decoder *decoder, struct tally *tally) {
    uint8_t sent[1024];
    uint16_t count;
    while ((count = desk_take(sent, sizeof sent)) > 0) {
        for (uint16_t i = 0; i < count; i++) {
            enum frame_event event = frame_feed(decoder, sent[i]);
            promise(event != FRAME_BAD, "what the scanner sends are sound frames");
            if (event == FRAME_WHOLE) {
                tally->hellos += decoder->body[0] == MESSAGE_HELLO;
                tally->reports += decoder->body[0] == MESSAGE_REPORT;
                tally->strips += decoder->body[0] == MESSAGE_STRIPS;
                tally->levels += decoder->body[0] == MESSAGE_LEVELS;
            }
        }
    }
}

static void check_queue(const struct queue *queue) {
    promise(queue->count <= QUEUE_LENGTH, "the queue holds at most its length");
    promise(queue->first < QUEUE_LENGTH, "the queue begins inside its buffer");
    promise(queue->sent <= queue->count, "no more are sent than wait");
    promise(queue->told <= queue->count, "no more are told than wait");
}

/* Of a cell's two contacts never both are reported closed. */
static void check_poles(const struct scanner *scanner) {
    if (scanner->geometry.kind != CELLS_HALL) {
        return;
    }
    for (uint8_t i = 0; i < scanner->bitmap_size; i++) {
        promise((scanner->bitmap[i] & scanner->bitmap[i] >> 1 & 0x55) == 0, "a cell has one pole");
    }
}

static void one_step(struct frame_decoder *decoder, uint32_t ms, struct tally *tally) {
    struct input input;
    if (chance(4) == 0) {
        make_garbage(&input);
    } else {
        make_message(&input);
        if (chance(8) == 0) {
            damage(&input);
        }
    }
    desk_put(input.bytes, input.length);
    desk_level((uint8_t)chance(MATRIX_ROWS_MAX), (uint8_t)chance(MATRIX_COLUMNS_MAX / 2),
               (uint16_t)chance(1024));
    if (chance(50) == 0) { /* mostly as it is to be */
        uint8_t rows = desk_scanner()->geometry.rows;
        desk_strips(chance(3) ? rows : (uint8_t)chance(33), (uint8_t)(chance(2) ? 255 : chance(33)),
                    chance(20) == 0);
    }
    desk_contact((uint8_t)chance(MATRIX_ROWS_MAX), (uint8_t)chance(MATRIX_COLUMNS_MAX), chance(2));
    desk_clock(ms);
    desk_room(chance(8) ? UINT16_MAX : (uint16_t)chance(200));
    desk_scan();
    desk_serve();
    check_sent(decoder, tally);
    check_poles(desk_scanner());
    check_queue(&desk_scanner()->queue);
}

static void check_scanner(unsigned long inputs, struct tally *tally) {
    struct frame_decoder decoder = {.length = 0};
    uint32_t ms = UINT32_MAX - 1000;
    desk_start(RESET_POWER, MATRIX_ROWS_MAX, MATRIX_COLUMNS_MAX);
    for (unsigned long i = 0; i < inputs; i++) {
        ms += chance(4);
        one_step(&decoder, ms, tally);
    }
    promise(desk_misuses() == 0, "the hardware is used as it says");
}

static unsigned long argument(int count, char **values, int nth, unsigned long otherwise) {
    return count > nth ? strtoul(values[nth], NULL, 10) : otherwise;
}

int main(int count, char **values) {
    unsigned long inputs = argument(count, values, 1, DEFAULT_INPUTS);
    seed = (uint32_t)argument(count, values, 2, DEFAULT_SEED);
    chance_state = seed != 0 ? seed : DEFAULT_SEED;
    struct tally tally = {.whole = 0};
    check_decoder(inputs / 2, &tally);
    check_scanner(inputs - inputs / 2, &tally);
    printf("inputs %lu whole %lu bad %lu reports %lu hellos %lu strips %lu levels %lu\n", inputs,
           tally.whole, tally.bad, tally.reports, tally.hellos, tally.strips, tally.levels);
    return 0;
}
