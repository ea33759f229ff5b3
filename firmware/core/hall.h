/* Linear Hall sensors: from the levels of a strip to the poles that lie on it.
 *
 * A level is what the converter reads, 0..1023; it rests in the middle and rises for one pole and
 * falls for the other. What counts is its distance from the cell's own zero, which is learnt while
 * nothing lies there and follows slow drift; PROTOCOL.md tells the rules and why. */
#ifndef HALL_H
#define HALL_H

#include "matrix.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    HALL_POLES = 2, /* contacts a cell: bit 0 north, the level is above its zero; bit 1 south */
    HALL_MIDDLE = 512,
    HALL_SILENT = 140,     /* below it no sensor drives the column */
    HALL_DRIFT_MS = 2000,  /* a zero moves one step in so long at most */
    HALL_SILENT_SCANS = 8, /* so many scans have to agree on who is silent */
};

struct hall {
    uint8_t columns; /* cells a strip */
    uint8_t operate; /* steps from the zero at which a pole is seen */
    uint8_t release; /* and below which it is gone; at most operate */
    uint32_t drift_ms;
    uint16_t levels[MATRIX_CELLS_MAX];         /* as last read */
    uint16_t zeros[MATRIX_CELLS_MAX];          /* 0: not learnt yet */
    uint16_t contacts[MATRIX_ROWS_MAX];        /* of each strip in this scan, two a cell */
    uint8_t silent[MATRIX_CELLS_MAX / 8];      /* cells whose column nobody drives, as told */
    uint8_t now_silent[MATRIX_CELLS_MAX / 8];  /* in this scan */
    uint8_t last_silent[MATRIX_CELLS_MAX / 8]; /* in the one before */
    uint8_t same_count;                        /* scans that agreed with the one before them */
};

/* Begin anew with these thresholds. Zeros are kept while the strips have as many cells as before. */
void hall_start(struct hall *hall, uint8_t columns, uint8_t operate, uint8_t release);

/* A scan begins. */
void hall_begin_scan(struct hall *hall);

/* The poles at a cell by the level that was just read: a contact each; `before` is what they were. */
uint8_t hall_poles(struct hall *hall, uint16_t cell, uint8_t before);

/* Learn the zeros of a strip whose levels show that nothing lies there; for the first scan. */
void hall_learn(struct hall *hall, uint8_t row);

/* Let the zeros of a strip move one step; `closed` are contacts that may not be empty. */
void hall_follow(struct hall *hall, uint8_t row, uint16_t closed);

/* The scan has ended; true when what is told of who is silent has changed. */
bool hall_note_silent(struct hall *hall, bool at_once);

#endif
