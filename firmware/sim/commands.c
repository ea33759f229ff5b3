#include "bench.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse(const char *why) {
    printf("error %s\n", why);
}

static void agree(void) {
    puts("ok");
}

bool bench_read_number(const char *word, uint64_t most, uint64_t *number) {
    char *end = NULL;
    errno = 0;
    *number = word ? strtoull(word, &end, 10) : 0;
    return word && *word >= '0' && *word <= '9' && *end == '\0' && errno == 0 && *number <= most;
}

static char *next_word(void) {
    return strtok(NULL, " ");
}

/* What can be done to the board, how many rows and columns it has there, and whether with a value. */
static const struct {
    const char *word;
    ActKind kind;
    unsigned rows;
    unsigned columns;
    bool valued;
} ACTS[] = {
    {"hang", ACT_HANG, 0, 0, false},
    {"close", ACT_CLOSE, MATRIX_ROWS, MATRIX_COLUMNS, false},
    {"open", ACT_OPEN, MATRIX_ROWS, MATRIX_COLUMNS, false},
    {"field", ACT_FIELD, STRIPS, STRIP_COLUMNS, true},
    {"rest", ACT_REST, STRIPS, STRIP_COLUMNS, true},
    {"cut", ACT_CUT, STRIPS, 0, false},
    {"join", ACT_JOIN, STRIPS, 0, false},
};
enum { ACT_COUNT = sizeof ACTS / sizeof *ACTS, MOST_VALUE = 1000000 };

static bool read_value(const char *word, int32_t *value) {
    uint64_t number;
    bool negative = word && *word == '-';
    if (!bench_read_number(negative ? word + 1 : word, MOST_VALUE, &number)) {
        return false;
    }
    *value = negative ? -(int32_t)number : (int32_t)number;
    return true;
}

static bool read_act(const char *word, Act *act) {
    size_t nth = 0;
    while (strcmp(ACTS[nth].word, word) != 0) {
        nth++;
    }
    *act = (Act){.kind = ACTS[nth].kind};
    uint64_t row = 0;
    uint64_t column = 0;
    if ((ACTS[nth].rows && !bench_read_number(next_word(), ACTS[nth].rows - 1, &row)) ||
        (ACTS[nth].columns && !bench_read_number(next_word(), ACTS[nth].columns - 1, &column)) ||
        (ACTS[nth].valued && !read_value(next_word(), &act->value))) {
        return false;
    }
    act->row = (uint8_t)row;
    act->column = (uint8_t)column;
    return true;
}

static bool is_act(const char *word) {
    for (size_t i = 0; word && i < ACT_COUNT; i++) {
        if (strcmp(ACTS[i].word, word) == 0) {
            return true;
        }
    }
    return false;
}

static void plan(Bench *bench, uint64_t cycle, const char *word) {
    Act act;
    if (!read_act(word, &act)) {
        refuse("a reed is named by its row 0..31 and its column 0..15, a sensor by 0..30 and 0..4");
        return;
    }
    board_plan(bench->board, cycle, act);
    if (cycle <= board_cycle(bench->board)) {
        board_run(bench->board, 0);
    }
    agree();
}

static void do_act(Bench *bench, const char *word) {
    plan(bench, 0, word);
}

static void do_at(Bench *bench, const char *word) {
    (void)word;
    uint64_t us;
    bool timed = bench_read_number(next_word(), UINT64_MAX / BOARD_MHZ, &us);
    const char *what = next_word();
    if (!timed || !is_act(what)) {
        refuse("say: at MICROSECONDS and what is to happen");
        return;
    }
    plan(bench, us * BOARD_MHZ, what);
}

static void do_cycles(Bench *bench, const char *word) {
    (void)word;
    printf("ok %" PRIu64 "\n", board_cycle(bench->board));
}

static void do_drives(Bench *bench, const char *word) {
    (void)word;
    fputs("ok", stdout);
    for (unsigned row = 0; row < MATRIX_ROWS; row++) {
        printf(" %" PRIu32, board_matrix(bench->board)->drives[row]);
    }
    putchar('\n');
}

static void do_scans(Bench *bench, const char *word) {
    (void)word;
    printf("ok %" PRIu32 "\n", board_strips(bench->board)->gives);
}

static void do_faults(Bench *bench, const char *word) {
    (void)word;
    MatrixFaults faults = board_matrix(bench->board)->faults;
    printf("ok %" PRIu32 " %" PRIu32 "\n", faults.together, faults.shorted);
}

static void do_line(Bench *bench, const char *word) {
    (void)word;
    BoardLine line = board_line(bench->board);
    printf("ok %" PRIu32 " %" PRIu32 "\n", line.baud, line.overruns);
}

static void do_stack(Bench *bench, const char *word) {
    (void)word;
    printf("ok %" PRIu32 " %" PRIu32 "\n", board_stack(bench->board), board_static(bench->board));
}

static void do_reset(Bench *bench, const char *word) {
    (void)word;
    board_reset(bench->board, RESET_EXTERNAL);
    agree();
}

static void do_quit(Bench *bench, const char *word) {
    (void)word;
    bench->quitting = true;
    agree();
}

static void do_run(Bench *bench, const char *word) {
    (void)word;
    uint64_t us;
    if (!bench_read_number(next_word(), UINT32_MAX, &us)) {
        refuse("say: run MICROSECONDS");
        return;
    }
    uint64_t until = board_cycle(bench->board) + us * BOARD_MHZ;
    if (!board_run(bench->board, until)) {
        refuse("the firmware has crashed, or sleeps with its interrupts off");
        return;
    }
    printf("ok %" PRIu64 "\n", board_cycle(bench->board));
}

static void do_send(Bench *bench, const char *word) {
    (void)word;
    const char *hex = next_word();
    size_t length = hex ? strlen(hex) : 0;
    if (length % 2 != 0 || (hex && strspn(hex, "0123456789abcdefABCDEF") != length)) {
        refuse("say: send HEX, two digits a byte");
        return;
    }
    for (size_t i = 0; i < length; i += 2) {
        char digits[3] = {hex[i], hex[i + 1], '\0'};
        board_send(bench->board, (uint8_t)strtoul(digits, NULL, 16));
    }
    agree();
}

static void do_unplug(Bench *bench, const char *word) {
    port_unplug(&bench->port);
    board_hang_up(bench->board);
    bench->pending_count = 0;
    bench->powered = strcmp(word, "drop") == 0;
    agree();
}

static void do_plug(Bench *bench, const char *word) {
    (void)word;
    if (bench->port.master >= 0) {
        refuse("it is plugged in");
        return;
    }
    if (!port_plug(&bench->port)) {
        refuse("the system gives no terminal");
        return;
    }
    if (!bench->powered) {
        board_reset(bench->board, RESET_POWER);
        bench->powered = true;
        bench_anchor(bench, 0);
    }
    agree();
}

typedef enum { ALWAYS, STILL, PACED } When;

typedef struct {
    const char *name;
    When when;
    void (*run)(Bench *bench, const char *word);
} Command;

static const Command COMMANDS[] = {
    {"close", ALWAYS, do_act},     {"open", ALWAYS, do_act},      {"hang", ALWAYS, do_act},
    {"field", ALWAYS, do_act},     {"rest", ALWAYS, do_act},      {"cut", ALWAYS, do_act},
    {"join", ALWAYS, do_act},      {"scans", ALWAYS, do_scans},
    {"at", ALWAYS, do_at},         {"cycles", ALWAYS, do_cycles}, {"drives", ALWAYS, do_drives},
    {"faults", ALWAYS, do_faults}, {"line", ALWAYS, do_line},     {"stack", ALWAYS, do_stack},
    {"reset", ALWAYS, do_reset},   {"quit", ALWAYS, do_quit},     {"run", STILL, do_run},
    {"send", STILL, do_send},      {"unplug", PACED, do_unplug},  {"drop", PACED, do_unplug},
    {"plug", PACED, do_plug},
};

void bench_obey(Bench *bench, char *line) {
    const char *word = strtok(line, " ");
    When now = bench->options.link ? PACED : STILL;
    if (!word) {
        refuse("an empty line");
        return;
    }
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        if (strcmp(word, COMMANDS[i].name) != 0) {
            continue;
        }
        if (COMMANDS[i].when == ALWAYS || COMMANDS[i].when == now) {
            COMMANDS[i].run(bench, word);
        } else {
            refuse(now == PACED ? "time runs by itself here" : "there is no --port");
        }
        return;
    }
    refuse("unknown command");
}
