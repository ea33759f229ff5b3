#include "matrix.h"

#include <string.h>

/* What is pulled to ground by an output, and whether a high output is joined to it. */
typedef struct {
    uint32_t rows;
    uint16_t columns;
    bool shorted;
} Low;

static bool several(uint32_t bits) {
    return (bits & (bits - 1U)) != 0U;
}

static Low through_diodes(const Matrix *matrix, Low low) {
    for (unsigned row = 0; row < MATRIX_ROWS; row++) {
        if (low.rows >> row & 1U) {
            low.columns |= matrix->closed[row];
        }
    }
    return low;
}

static Low through_chains(const Matrix *matrix, Low low) {
    Low before;
    do {
        before = low;
        low = through_diodes(matrix, low);
        for (unsigned row = 0; row < MATRIX_ROWS; row++) {
            if (matrix->closed[row] & low.columns) {
                low.rows |= (uint32_t)1 << row;
            }
        }
    } while (low.rows != before.rows || low.columns != before.columns);
    return low;
}

static Low pulled_low(const Matrix *matrix) {
    const MatrixPins *pins = &matrix->pins;
    Low low = {
        .rows = pins->row_outputs & ~pins->row_highs,
        .columns = (uint16_t)(pins->column_outputs & ~pins->column_highs),
    };
    low = matrix->diodes ? through_diodes(matrix, low) : through_chains(matrix, low);
    low.shorted = (low.rows & pins->row_outputs & pins->row_highs) != 0U ||
                  (low.columns & pins->column_outputs & pins->column_highs) != 0U;
    return low;
}

/* Let the levels follow that have had their time. */
static void follow(Matrix *matrix, uint64_t now) {
    uint16_t moving = matrix->levels ^ matrix->targets;
    for (unsigned column = 0; moving >> column; column++) {
        uint16_t bit = (uint16_t)(1U << column);
        if ((moving & bit) && now - matrix->since[column] >= matrix->settle) {
            matrix->levels ^= bit;
        }
    }
}

static void solve(Matrix *matrix, uint64_t now) {
    follow(matrix, now);
    Low low = pulled_low(matrix);
    /* A column that nothing pulls keeps its charge: firmware that forgets a pull-up is seen. */
    uint16_t floating = (uint16_t) ~(low.columns | matrix->pins.column_highs);
    uint16_t targets =
        (uint16_t)((matrix->pins.column_highs & ~low.columns) | (matrix->levels & floating));
    uint16_t turned = targets ^ matrix->targets;
    for (unsigned column = 0; turned >> column; column++) {
        if ((unsigned)turned >> column & 1U) {
            matrix->since[column] = now;
        }
    }
    matrix->targets = targets;
    if (low.shorted && !matrix->are_shorted) {
        matrix->faults.shorted++;
    }
    matrix->are_shorted = low.shorted;
}

void matrix_init(Matrix *matrix, bool diodes, uint64_t settle) {
    memset(matrix, 0, sizeof *matrix);
    matrix->diodes = diodes;
    matrix->settle = settle;
}

void matrix_power_off(Matrix *matrix) {
    uint16_t closed[MATRIX_ROWS];
    memcpy(closed, matrix->closed, sizeof closed);
    matrix_init(matrix, matrix->diodes, matrix->settle);
    memcpy(matrix->closed, closed, sizeof closed);
}

void matrix_switch(Matrix *matrix, unsigned row, unsigned column, bool closed, uint64_t now) {
    uint16_t bit = (uint16_t)(1U << column);
    uint16_t others = (uint16_t)(matrix->closed[row] & ~bit);
    matrix->closed[row] = closed ? (uint16_t)(others | bit) : others;
    solve(matrix, now);
}

void matrix_drive(Matrix *matrix, MatrixPins pins, uint64_t now) {
    uint32_t before = matrix->pins.row_outputs & ~matrix->pins.row_highs;
    uint32_t driven = pins.row_outputs & ~pins.row_highs;
    matrix->pins = pins;
    uint32_t newly = driven & ~before;
    for (unsigned row = 0; newly != 0U; row++, newly >>= 1) {
        matrix->drives[row] += newly & 1U;
    }
    if (several(driven) && !matrix->are_together) {
        matrix->faults.together++;
    }
    matrix->are_together = several(driven);
    solve(matrix, now);
}

uint16_t matrix_columns(Matrix *matrix, uint64_t now) {
    follow(matrix, now);
    return matrix->levels;
}
