#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <stdio.h>
#include <time.h>

enum {
    MOST_LAG_MS = 100, /* after a longer pause of ours the time is not made up for */
    CYCLES_A_MS = BOARD_MHZ * 1000,
    NS_A_MS = 1000000,
};

static uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

void bench_anchor(Bench *bench, uint64_t later_ms) {
    bench->anchor_ns = clock_ns() + later_ms * NS_A_MS;
    bench->anchor_cycle = board_cycle(bench->board);
}

void bench_keep_pace(Bench *bench) {
    uint64_t now = clock_ns();
    if (!bench->powered || now < bench->anchor_ns) {
        return; /* without power, or in the bootloader */
    }
    uint64_t target = bench->anchor_cycle + (now - bench->anchor_ns) * BOARD_MHZ / 1000U;
    if (target > board_cycle(bench->board) + MOST_LAG_MS * (uint64_t)CYCLES_A_MS) {
        bench_anchor(bench, 0);
        return;
    }
    if (!board_run(bench->board, target)) {
        fputs("scanner-sim: the firmware has crashed\n", stderr);
        bench->crashed = true;
    }
    port_write(&bench->port, bench->pending, bench->pending_count);
    bench->pending_count = 0;
}
