/*
 * The reeds as an electrical network: what the sensed columns show for what the pins drive.
 *
 * A closed reed joins its row and its column. With a diode at every reed current only flows from
 * the column into the row; without diodes it finds its way through any chain of closed reeds, and
 * reeds seem closed that are open (ghosts). A level follows its cause only after the settle time:
 * wires have capacitance, pull-ups are weak.
 */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

enum { MATRIX_ROWS = 32, MATRIX_COLUMNS = 16 };

/* What the chip does with its pins; bit n is row or column n. */
typedef struct {
    uint32_t row_outputs;    /* 1: the row is an output */
    uint32_t row_highs;      /* its level as an output, its pull-up as an input */
    uint16_t column_outputs; /* the same for the columns */
    uint16_t column_highs;
} MatrixPins;

/* Counted since power on; none of them happens with sound firmware on a sound board. */
typedef struct {
    uint32_t together; /* times that a second row was driven low beside the first */
    uint32_t shorted;  /* times that a high output was joined to a low one */
} MatrixFaults;

typedef struct {
    bool diodes;
    uint64_t settle; /* in cycles */
    uint16_t closed[MATRIX_ROWS];
    MatrixPins pins;
    MatrixFaults faults;
    bool are_together;
    bool are_shorted;
    uint32_t drives[MATRIX_ROWS]; /* times that each row was driven low */
    uint16_t levels;              /* of the columns, as they are read */
    uint16_t targets;             /* where the levels are going */
    uint64_t since[MATRIX_COLUMNS];
} Matrix;

/* All reeds open, nothing driven; without charge every level is low. */
void matrix_init(Matrix *matrix, bool diodes, uint64_t settle);

/* The power goes: outputs, counters and charge go with it; the reeds stay as they are. */
void matrix_power_off(Matrix *matrix);

/* A reed closes or opens at the cycle `now`. */
void matrix_switch(Matrix *matrix, unsigned row, unsigned column, bool closed, uint64_t now);

/* The chip has changed its pins. */
void matrix_drive(Matrix *matrix, MatrixPins pins, uint64_t now);

/* The levels of the columns at the cycle `now`; it never goes back. */
uint16_t matrix_columns(Matrix *matrix, uint64_t now);

#endif
