#include "queue.h"

#include <stddef.h>
#include <string.h>

_Static_assert((QUEUE_LENGTH & (QUEUE_LENGTH - 1)) == 0, "places in the queue wrap by a mask");
_Static_assert(QUEUE_LENGTH <= 128, "places in the queue are added in a uint8_t");

static uint8_t place(const struct queue *queue, uint8_t nth) {
    return (uint8_t)((queue->first + nth) & (QUEUE_LENGTH - 1));
}

void queue_clear(struct queue *queue) {
    queue->first = 0;
    queue->count = 0;
    queue->sent = 0;
    queue->told = 0;
    queue->oldest_sequence = 0;
    queue->lost = 0;
}

static void count_merged(struct queue *queue) {
    if (queue->lost < UINT16_MAX) {
        queue->lost++;
    }
    if (queue->sent == QUEUE_LENGTH) {
        queue->sent = QUEUE_LENGTH - 1;
    }
}

void queue_push(struct queue *queue, uint32_t ms, const uint8_t bitmap[MATRIX_BITMAP_MAX]) {
    if (queue->count == QUEUE_LENGTH) {
        count_merged(queue);
    } else {
        queue->count++;
    }
    struct report *newest = &queue->reports[place(queue, (uint8_t)(queue->count - 1))];
    newest->ms = ms;
    newest->lost = queue->lost;
    memcpy(newest->bitmap, bitmap, MATRIX_BITMAP_MAX);
}

static uint8_t less(uint8_t value, uint8_t dropped) {
    return value > dropped ? (uint8_t)(value - dropped) : 0;
}

void queue_acknowledge(struct queue *queue, uint16_t sequence) {
    uint16_t before = (uint16_t)(sequence - queue->oldest_sequence);
    if (before >= queue->told) {
        return;
    }
    uint8_t dropped = (uint8_t)(before + 1);
    queue->first = place(queue, dropped);
    queue->count = less(queue->count, dropped);
    queue->sent = less(queue->sent, dropped);
    queue->told = less(queue->told, dropped);
    queue->oldest_sequence = (uint16_t)(sequence + 1);
}

const struct report *queue_next(const struct queue *queue, uint16_t *sequence) {
    if (queue->sent == queue->count) {
        return NULL;
    }
    *sequence = (uint16_t)(queue->oldest_sequence + queue->sent);
    return &queue->reports[place(queue, queue->sent)];
}

void queue_sent(struct queue *queue) {
    queue->sent++;
    if (queue->told < queue->sent) {
        queue->told = queue->sent;
    }
}

void queue_repeat(struct queue *queue) {
    queue->sent = 0;
}

uint16_t queue_newest_sequence(const struct queue *queue) {
    return (uint16_t)(queue->oldest_sequence + queue->count - 1);
}
