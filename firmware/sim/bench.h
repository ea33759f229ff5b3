/* The board on the bench: what the commands, the pace and the main program share. */
#ifndef SIM_BENCH_H
#define SIM_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board.h"
#include "port.h"

enum {
    LINE_ROOM = 4096,
    PENDING_ROOM = 4096,
};

typedef struct {
    const char *elf;
    const char *link;
    bool diodes;
    uint64_t settle_us;
    uint64_t boot_ms;
    uint64_t strips;
    uint64_t out_ohm;
    uint64_t scatter_mv;
    uint64_t seed;
    uint64_t noise_mv;
} Options;

typedef struct {
    Board *board;
    Port port;
    Options options;
    bool powered;
    bool crashed;
    bool quitting;
    uint64_t anchor_ns; /* when the chip stood at `anchor_cycle` */
    uint64_t anchor_cycle;
    uint8_t pending[PENDING_ROOM]; /* sent in this slice */
    size_t pending_count;
    char line[LINE_ROOM]; /* what has come of a command */
    size_t line_count;
} Bench;

/* Obey one line and print the answer; the commands are told at the head of main.c. */
void bench_obey(Bench *bench, char *line);

/* Read a whole number of decimal digits, at most `most`; `word` may be NULL. */
bool bench_read_number(const char *word, uint64_t most, uint64_t *number);

/* From now on, or from so many milliseconds later, the chip's time goes with the clock's. */
void bench_anchor(Bench *bench, uint64_t later_ms);

/* Let the chip catch up with the clock and put on the port what it has sent. */
void bench_keep_pace(Bench *bench);

#endif
