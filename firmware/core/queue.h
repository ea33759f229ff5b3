/* The reports that the host has not acknowledged yet, oldest first.
 *
 * Every change is one report with a sequence number of its own. When the queue is full, the newest
 * report takes the new state under its old number, and `lost` says so. */
#ifndef QUEUE_H
#define QUEUE_H

#include "matrix.h"
#include <stdbool.h>
#include <stdint.h>

enum { QUEUE_LENGTH = 32 };

struct report {
    uint32_t ms;                       /* when the change was certain, on the scanner's clock */
    uint16_t lost;                     /* changes merged since the queue was cleared, saturating */
    uint8_t bitmap[MATRIX_BITMAP_MAX]; /* every cell, debounced */
};

/* All zero is an empty queue whose first report will have sequence 0. */
struct queue {
    struct report reports[QUEUE_LENGTH];
    uint8_t first;            /* where the oldest report is */
    uint8_t count;            /* reports that wait */
    uint8_t sent;             /* how many of them have been sent in this round */
    uint8_t told;             /* how many of them have ever been sent */
    uint16_t oldest_sequence; /* of the oldest report, or of the next one if none waits */
    uint16_t lost;            /* changes merged since the queue was cleared, saturating */
};

void queue_clear(struct queue *queue);

/* Add a change, or merge it into the newest report when the queue is full. */
void queue_push(struct queue *queue, uint32_t ms, const uint8_t bitmap[MATRIX_BITMAP_MAX]);

/* Drop the reports up to this sequence; one that was never sent cannot have arrived. */
void queue_acknowledge(struct queue *queue, uint16_t sequence);

/* The report to send next and its sequence, or NULL when all have been sent in this round. */
const struct report *queue_next(const struct queue *queue, uint16_t *sequence);

/* The report that queue_next gave has been sent. */
void queue_sent(struct queue *queue);

/* Begin a new round: all are to be sent again. */
void queue_repeat(struct queue *queue);

/* The sequence of the newest report ever pushed. */
uint16_t queue_newest_sequence(const struct queue *queue);

#endif
