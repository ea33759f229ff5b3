/*
 * scanner-sim: the scanner's real firmware on an emulated board.
 *
 *     scanner-sim [--no-diodes] [--settle US] [--strips N] [--noise MV] [--out OHM] [--scatter MV]
 *                 [--seed N] [--boot MS] [--port LINK] FIRMWARE.elf
 *
 * --strips puts a chain of N strips of Hall sensors on the chip's analogue pins, with --noise their
 * levels shake by so many millivolts. --out is the resistor at each strip's OUT, 2200 at first;
 * --scatter the standard deviation of the flip-flops' thresholds, 100 at first, drawn from --seed.
 *
 * Commands are lines on stdin. Each is answered on stdout by any number of lines and, last, by
 * "ok" with what was asked for, or "error" with the reason. The end of stdin ends the program.
 *
 *     close R C        the reed at row R and column C closes now
 *     open R C         it opens
 *     hang             the main program is stuck: the watchdog's business
 *     field R C UT     the field at the sensor of strip R, column C is now UT microtesla
 *     rest R C MV      its output without a field, 1650 at first; 0: it is dead or was never there
 *     cut R            no token comes to strip R any more
 *     join R           it comes again
 *     at US WHAT       one of those above when US microseconds have passed since the start
 *     cycles           ok CYCLES: of 16 MHz since the start
 *     reset            as by the board's button
 *     drives           ok N...: how often each row has been driven since power on
 *     scans            ok N: how often the first strip has been given the token since power on
 *     faults           ok TOGETHER SHORTED: see matrix.h
 *     line             ok BAUD OVERRUNS: what the registers say, bytes the firmware has missed
 *     stack            ok STACK STATIC: bytes of RAM, the stack's deepest since power on
 *     quit
 *
 * Without --port time stands still but for these, and everything is repeatable to the cycle:
 *
 *     run US           let time pass; "tx CYCLE BYTE" for every byte that the firmware has sent,
 * its stop bit ending at CYCLE, "reset CYCLE" for every reset by the watchdog send HEX these bytes
 * go to the firmware, behind those under way
 *
 * With --port time is the clock's, and the serial line is a terminal behind LINK:
 *
 *     unplug           the cable is pulled, and with it the power
 *     drop             the line breaks, the power stays
 *     plug             it is plugged in again
 *
 * --boot puts the real board's bootloader before the firmware: it hides why the chip was reset, and
 * with --port the chip is reset when the port is opened and begins MS later. A byte takes 22 us
 * here, not 20: the emulator reckons with a parity bit.
 */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLICE_MS = 1 };

static void say_ready(void) {
    puts("ok");
    fflush(stdout);
}

/* Take what stdin has and obey every whole line; false at its end. */
static bool take_commands(Bench *bench) {
    ssize_t count = read(STDIN_FILENO, bench->line + bench->line_count,
                         sizeof bench->line - 1 - bench->line_count);
    if (count <= 0) {
        return false;
    }
    bench->line_count += (size_t)count;
    char *end;
    while (!bench->quitting && (end = memchr(bench->line, '\n', bench->line_count))) {
        size_t length = (size_t)(end - bench->line) + 1;
        *end = '\0';
        bench_obey(bench, bench->line);
        bench->line_count -= length;
        memmove(bench->line, end + 1, bench->line_count);
    }
    if (bench->line_count == sizeof bench->line - 1) {
        bench->line_count = 0;
        puts("error a line longer than 4 KiB");
    }
    fflush(stdout);
    return !bench->quitting;
}

/* --- what the board tells ------------------------------------------------------------------ */

static void on_byte(void *context, uint64_t cycle, uint8_t byte) {
    Bench *bench = context;
    if (!bench->options.link) {
        printf("tx %" PRIu64 " %02x\n", cycle, (unsigned)byte);
    } else if (bench->pending_count < sizeof bench->pending) {
        bench->pending[bench->pending_count++] = byte;
    }
}

static void on_watchdog(void *context, uint64_t cycle) {
    const Bench *bench = context;
    if (!bench->options.link) {
        printf("reset %" PRIu64 "\n", cycle);
    }
}

/* --- time ---------------------------------------------------------------------------------- */

static bool wait_for_command(int timeout_ms) {
    struct pollfd look = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&look, 1, timeout_ms) > 0;
}

static void receive(Bench *bench) {
    uint8_t bytes[256];
    size_t count = port_read(&bench->port, bytes, sizeof bytes);
    for (size_t i = 0; i < count; i++) {
        board_send(bench->board, bytes[i]);
    }
}

static int run_paced(Bench *bench) {
    bench->port = (Port){.link = bench->options.link, .master = -1};
    if (!port_plug(&bench->port)) {
        return EXIT_FAILURE;
    }
    say_ready();
    bench->powered = true;
    bench_anchor(bench, 0);
    bool going = true;
    while (going && !bench->crashed) {
        bool asked = wait_for_command(SLICE_MS);
        bench_keep_pace(
            bench); /* first, so that what is asked for happens now and not a while ago */
        if (asked) {
            going = take_commands(bench);
        }
        if (port_opened(&bench->port) && bench->options.boot_ms) {
            board_hang_up(bench->board);
            board_reset(bench->board, RESET_EXTERNAL);
            bench_anchor(bench, bench->options.boot_ms);
        }
        receive(bench);
    }
    port_unplug(&bench->port);
    return bench->crashed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run_still(Bench *bench) {
    say_ready();
    while (take_commands(bench)) {
    }
    return EXIT_SUCCESS;
}

/* --- start --------------------------------------------------------------------------------- */

static bool read_options(int count, char **words, Options *options) {
    *options = (Options){.diodes = true, .settle_us = 5, .out_ohm = 2200, .scatter_mv = 100};
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : NULL;
        if (strcmp(words[i], "--no-diodes") == 0) {
            options->diodes = false;
        } else if (strcmp(words[i], "--settle") == 0 &&
                   bench_read_number(value, 1000, &options->settle_us)) {
            i++;
        } else if (strcmp(words[i], "--strips") == 0 &&
                   bench_read_number(value, STRIPS, &options->strips)) {
            i++;
        } else if (strcmp(words[i], "--out") == 0 &&
                   bench_read_number(value, 10000, &options->out_ohm)) {
            i++;
        } else if (strcmp(words[i], "--scatter") == 0 &&
                   bench_read_number(value, 1000, &options->scatter_mv)) {
            i++;
        } else if (strcmp(words[i], "--seed") == 0 &&
                   bench_read_number(value, UINT32_MAX, &options->seed)) {
            i++;
        } else if (strcmp(words[i], "--noise") == 0 &&
                   bench_read_number(value, 1000, &options->noise_mv)) {
            i++;
        } else if (strcmp(words[i], "--boot") == 0 &&
                   bench_read_number(value, 10000, &options->boot_ms)) {
            i++;
        } else if (strcmp(words[i], "--port") == 0 && value) {
            options->link = words[++i];
        } else if (words[i][0] != '-' && !options->elf) {
            options->elf = words[i];
        } else {
            return false;
        }
    }
    return options->elf != NULL;
}

int main(int count, char **words) {
    static Bench bench;
    if (!read_options(count, words, &bench.options)) {
        fputs("usage: scanner-sim [--no-diodes] [--settle US] [--strips N] [--noise MV] "
              "[--out OHM] [--scatter MV] [--seed N] [--boot MS] [--port LINK] ELF\n",
              stderr);
        return EXIT_FAILURE;
    }
    BoardEar ear = {.context = &bench, .byte = on_byte, .reset = on_watchdog};
    BoardBuild build = {
        .diodes = bench.options.diodes,
        .bootloader = bench.options.boot_ms > 0,
        .settle_us = bench.options.settle_us,
        .strips = (unsigned)bench.options.strips,
        .noise_mv = (unsigned)bench.options.noise_mv,
        .race = {.out_ohm = (unsigned)bench.options.out_ohm,
                 .scatter_mv = (unsigned)bench.options.scatter_mv,
                 .seed = (uint32_t)bench.options.seed},
    };
    bench.board = board_open(bench.options.elf, build, ear);
    if (!bench.board) {
        return EXIT_FAILURE;
    }
    int status = bench.options.link ? run_paced(&bench) : run_still(&bench);
    board_close(bench.board);
    return status;
}
