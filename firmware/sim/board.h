/*
 * The scanner's board: an ATmega2560 that runs the real binary, the matrix at its pins, the other
 * end of USART0, and a list of what is to happen when. Time is counted in cycles of 16 MHz and
 * only passes in `board_run`, so every run is repeatable to the cycle.
 */
#ifndef SIM_BOARD_H
#define SIM_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "matrix.h"
#include "strips.h"

enum { BOARD_MHZ = 16 };

typedef struct Board Board;

typedef enum { RESET_POWER, RESET_EXTERNAL, RESET_BROWN_OUT, RESET_WATCHDOG } ResetCause;

typedef enum {
    ACT_CLOSE,
    ACT_OPEN,
    ACT_HANG,
    ACT_FIELD, /* in microtesla at a sensor */
    ACT_REST,  /* in millivolts of a sensor without a field; 0: it is dead */
    ACT_CUT,   /* the wire that brings the token to a strip */
    ACT_JOIN,
} ActKind;

typedef struct {
    ActKind kind;
    uint8_t row; /* of the reed or sensor; 0 where there is none */
    uint8_t column;
    int32_t value;
} Act;

/* Who is told; each with `context`. */
typedef struct {
    void *context;
    /* A byte has gone out; `cycle` is when its stop bit ends. */
    void (*byte)(void *context, uint64_t cycle, uint8_t byte);
    /* The chip was reset by its watchdog. */
    void (*reset)(void *context, uint64_t cycle);
} BoardEar;

/* What the serial port's registers stand at. */
typedef struct {
    uint32_t baud;     /* bits a second; 0 while it is switched off */
    uint32_t overruns; /* bytes lost because the firmware did not fetch them */
} BoardLine;

typedef struct {
    bool diodes;
    bool bootloader; /* it hides from the firmware why it was reset, as the Mega's does */
    uint64_t settle_us;
    unsigned strips; /* of Hall sensors, in a chain */
    StripRace race;
    unsigned noise_mv;
} BoardBuild;

/* Load the firmware and power on; NULL, with a sentence on stderr, if that cannot be. */
Board *board_open(const char *elf, BoardBuild build, BoardEar ear);
void board_close(Board *board);

uint64_t board_cycle(const Board *board);
const Matrix *board_matrix(const Board *board);
const Strips *board_strips(const Board *board);
BoardLine board_line(const Board *board);

/* Let time pass up to this cycle; false once the firmware has crashed or stopped for ever. */
bool board_run(Board *board, uint64_t cycle);

/* Do something when the cycle comes, at once if it has gone by. */
void board_plan(Board *board, uint64_t cycle, Act act);

/* Put a byte on the wire to the chip, behind those under way. */
void board_send(Board *board, uint8_t byte);

/* Forget the bytes that are still on the wire to the chip. */
void board_hang_up(Board *board);

/* Start the chip afresh; RESET_POWER also wipes its memory. The watchdog resets by itself. */
void board_reset(Board *board, ResetCause cause);

/* The deepest that the stack has been since power on, in bytes, and the bytes of static memory. */
uint32_t board_stack(const Board *board);
uint32_t board_static(const Board *board);

#endif
