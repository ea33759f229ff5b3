#include "board.h"
#include "delay.h"
#include "grow.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_adc.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_io.h>

enum {
    MCUSR = 0x54,
    PAINT = 0xC5,
    DATA_OFFSET = 0x800000, /* where the linker puts RAM */
    HANG_OPCODE = 0xCFFF,   /* rjmp to itself */
    LONGEST_RUN = 4000,     /* cycles between two looks at the timers */
    NEAR = 32,              /* a delay begins so few instructions after its cause */
    JTD = 1 << 7,           /* in MCUCR: the JTAG interface is off */
    JTAG_ROWS = 0xF << 20,  /* PF4..PF7 */
    MCUCR = 0x55,
    ADCSRA = 0x7A,
    DDRH = 0x101,
    PORTH = 0x102,
    TOKEN_BIT = 3, /* in port H, and the two after it */
    CLOCK_BIT = 4,
    CLEAR_BIT = 5,
    SENSOR_US = 20,      /* a sensor wakes up */
    COLUMN_FALL_US = 14, /* 47 kOhm and 300 pF */
    CHIP_MV = 5000,
};

/* Data addresses of the ports' PIN registers; DDR and PORT follow. Groups of eight, from bit 0. */
static const uint16_t ROW_PORTS[] = {0x109, 0x106, 0x2F, 0x23}; /* L, K, F, B */
static const uint16_t COLUMN_PORTS[] = {0x20, 0x26};            /* A, C */
enum { ROW_PORT_COUNT = 4, COLUMN_PORT_COUNT = 2, DDR = 1, PORT = 2 };

typedef struct {
    uint64_t cycle;
    Act act;
} Plan;

typedef struct {
    Plan *items; /* latest first: the next one is the last */
    size_t count;
    size_t room;
} Agenda;

struct Board {
    avr_io_t module; /* first: it is found again by its address when the chip is reset */
    avr_t *avr;
    Matrix matrix;
    Strips strips;
    BoardEar ear;
    Agenda agenda;
    Wire wire;
    uint32_t static_end; /* the first address behind the static memory */
    bool bootloader;
    unsigned near; /* instructions for which a delay is looked for */
    bool woken;    /* the timer that wakes the chip for us has gone */
    bool started;  /* it was reset and has not run since */
};

/* --- the pins ------------------------------------------------------------------------------ */

static uint32_t gathered(const avr_t *avr, const uint16_t *ports, unsigned count, unsigned which) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < count; i++) {
        bits |= (uint32_t)avr->data[ports[i] + which] << (8U * i);
    }
    return bits;
}

static void pins_changed(Board *board) {
    const avr_t *avr = board->avr;
    MatrixPins pins = {
        .row_outputs = gathered(avr, ROW_PORTS, ROW_PORT_COUNT, DDR),
        .row_highs = gathered(avr, ROW_PORTS, ROW_PORT_COUNT, PORT),
        .column_outputs = (uint16_t)gathered(avr, COLUMN_PORTS, COLUMN_PORT_COUNT, DDR),
        .column_highs = (uint16_t)gathered(avr, COLUMN_PORTS, COLUMN_PORT_COUNT, PORT),
    };
    if (!(avr->data[MCUCR] & JTD)) {
        pins.row_outputs &= ~(uint32_t)JTAG_ROWS; /* theirs until the firmware asks for them */
    }
    matrix_drive(&board->matrix, pins, avr->cycle);
}

static void look_for_delay(Board *board) {
    board->near = NEAR;
    board->avr->run_cycle_count = 1; /* come back after this instruction */
}

static void on_port_written(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param) {
    Board *board = param;
    avr->data[address] = value;
    pins_changed(board);
    if (board->matrix.pins.row_outputs) {
        look_for_delay(board);
    }
}

static void strips_changed(Board *board) {
    unsigned high = board->avr->data[PORTH] & board->avr->data[DDRH]; /* resistors pull them low */
    StripPins pins = {
        .token = high >> TOKEN_BIT & 1U,
        .clock = high >> CLOCK_BIT & 1U,
        .clear = high >> CLEAR_BIT & 1U,
    };
    strips_drive(&board->strips, pins, board->avr->cycle);
}

static void on_strip_port_written(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param) {
    Board *board = param;
    avr->data[address] = value;
    strips_changed(board);
    look_for_delay(board);
}

static void on_conversion(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    Board *board = param;
    union {
        uint32_t value;
        avr_adc_mux_t mux;
    } asked = {.value = value};
    uint32_t mv = strips_level(&board->strips, asked.mux.src, board->avr->cycle);
    avr_raise_irq(avr_io_getirq(board->avr, AVR_IOCTL_ADC_GETIRQ, (int)asked.mux.src), mv);
}

/* Who asks the converter once will ask again until it is ready. */
static uint8_t on_converter_asked(avr_t *avr, avr_io_addr_t address, void *param) {
    look_for_delay(param);
    return avr->data[address];
}

static void connect_strips(Board *board) {
    avr_t *avr = board->avr;
    for (unsigned data = DDRH; data <= PORTH; data++) {
        avr->io[AVR_DATA_TO_IO(data)].w.c = on_strip_port_written;
        avr->io[AVR_DATA_TO_IO(data)].w.param = board;
    }
    avr->io[AVR_DATA_TO_IO(ADCSRA)].r.c = on_converter_asked;
    avr->io[AVR_DATA_TO_IO(ADCSRA)].r.param = board;
    avr->vcc = avr->avcc = CHIP_MV;
    avr->aref = STRIP_SUPPLY_MV;
    avr_irq_t *trigger = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER);
    avr_irq_register_notify(trigger, on_conversion, board);
}

static void on_pin_written(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param) {
    avr->data[address + PORT] ^= value; /* a one toggles the output */
    pins_changed(param);
}

static uint8_t on_column_read(avr_t *avr, avr_io_addr_t address, void *param) {
    Board *board = param;
    uint16_t levels = matrix_columns(&board->matrix, avr->cycle);
    avr->data[address] = (uint8_t)(address == COLUMN_PORTS[0] ? levels : levels >> 8);
    return avr->data[address];
}

/* A row's own level is no concern of the scanner; it reads as what the chip makes of it. */
static uint8_t on_row_read(avr_t *avr, avr_io_addr_t address, void *param) {
    (void)param;
    avr->data[address] = avr->data[address + PORT];
    return avr->data[address];
}

/*
 * The simulator's own ports are replaced, not listened to: they raise a pin's level again at every
 * write to PORT and skip writes that change nothing, which would overwrite the matrix's levels.
 */
static void take_over(Board *board, uint16_t pin, avr_io_read_t read) {
    for (unsigned which = 0; which <= PORT; which++) {
        avr_io_addr_t io = (avr_io_addr_t)AVR_DATA_TO_IO(pin + which);
        board->avr->io[io].w.c = which ? on_port_written : on_pin_written;
        board->avr->io[io].w.param = board;
    }
    board->avr->io[AVR_DATA_TO_IO(pin)].r.c = read;
    board->avr->io[AVR_DATA_TO_IO(pin)].r.param = board;
}

/* --- what happens when --------------------------------------------------------------------- */

void board_plan(Board *board, uint64_t cycle, Act act) {
    Agenda *agenda = &board->agenda;
    if (agenda->count == agenda->room) {
        agenda->items = grown(agenda->items, &agenda->room, sizeof *agenda->items);
    }
    size_t place = agenda->count++;
    while (place > 0 && agenda->items[place - 1].cycle <= cycle) {
        agenda->items[place] = agenda->items[place - 1];
        place--;
    }
    agenda->items[place] = (Plan){.cycle = cycle, .act = act};
}

/* The main program is stuck for good; interrupts go on, for they must not feed the dog. */
static void hang(avr_t *avr) {
    uint32_t place = avr->flashend + 1U - 8U;
    avr->flash[place] = HANG_OPCODE & 0xFF;
    avr->flash[place + 1] = HANG_OPCODE >> 8;
    avr->pc = place;
    avr->state = cpu_Running;
}

static void act(Board *board, Act what) {
    switch (what.kind) {
    case ACT_CLOSE:
    case ACT_OPEN:
        matrix_switch(&board->matrix, what.row, what.column, what.kind == ACT_CLOSE,
                      board->avr->cycle);
        break;
    case ACT_HANG:
        hang(board->avr);
        break;
    case ACT_FIELD:
        board->strips.field_ut[what.row][what.column] = what.value;
        break;
    case ACT_REST:
        board->strips.rest_mv[what.row][what.column] = what.value;
        break;
    case ACT_CUT:
        board->strips.cuts |= 1U << what.row;
        break;
    case ACT_JOIN:
        board->strips.cuts &= ~(1U << what.row);
        break;
    }
}

static void act_all_due(Board *board) {
    Agenda *agenda = &board->agenda;
    uint64_t now = board->avr->cycle;
    while (agenda->count && agenda->items[agenda->count - 1].cycle <= now) {
        act(board, agenda->items[--agenda->count].act);
    }
    wire_deliver(&board->wire);
}

static uint64_t next_due(const Board *board, uint64_t latest) {
    const Agenda *agenda = &board->agenda;
    uint64_t next = latest;
    if (agenda->count && agenda->items[agenda->count - 1].cycle < next) {
        next = agenda->items[agenda->count - 1].cycle;
    }
    return wire_next(&board->wire, next);
}

static avr_cycle_count_t on_wake(avr_t *avr, avr_cycle_count_t when, void *param) {
    (void)avr, (void)when;
    ((Board *)param)->woken = true;
    return 0;
}

static void start_firmware(Board *board) {
    board->started = false;
    if (board->bootloader) {
        board->avr->data[MCUSR] = 0;
    }
}

/* Up to `cycle`, in which nothing happens from outside; a timer keeps sleep from skipping it. */
static bool run_undisturbed(Board *board, uint64_t cycle) {
    avr_t *avr = board->avr;
    board->woken = true;
    while (avr->cycle < cycle) {
        if (board->woken) {
            board->woken = false;
            avr_cycle_timer_register(avr, cycle - avr->cycle, on_wake, board);
        }
        if (board->started) {
            start_firmware(board);
        }
        avr->run_cycle_limit = LONGEST_RUN;
        if (board->near) {
            avr->run_cycle_count = 1; /* one instruction, and look again */
            board->near = delay_skip(avr) ? 0 : board->near - 1;
        }
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            return false;
        }
    }
    avr_cycle_timer_cancel(avr, on_wake, board);
    return true;
}

bool board_run(Board *board, uint64_t cycle) {
    act_all_due(board);
    while (board->avr->cycle < cycle) {
        if (!run_undisturbed(board, next_due(board, cycle))) {
            return false;
        }
        act_all_due(board);
    }
    return true;
}

/* --- the chip ------------------------------------------------------------------------------ */

/* Called for every reset, the watchdog's too: registers are cleared and all timers are gone. */
static void on_reset(avr_io_t *module) {
    Board *board = (Board *)module;
    board->woken = true;
    board->started = true;
    wire_reset(&board->wire);
    pins_changed(board);
    strips_changed(board);
    if (board->avr->run != avr_callback_run_raw) {
        board->ear.reset(board->ear.context, board->avr->cycle);
    }
}

void board_reset(Board *board, ResetCause cause) {
    avr_t *avr = board->avr;
    const avr_regbit_t flags[] = {
        [RESET_POWER] = avr->reset_flags.porf,
        [RESET_EXTERNAL] = avr->reset_flags.extrf,
        [RESET_BROWN_OUT] = avr->reset_flags.borf,
        [RESET_WATCHDOG] = avr->reset_flags.wdrf,
    };
    if (cause == RESET_POWER) {
        memset(avr->data + avr->ioend + 1, PAINT, (size_t)avr->ramend - avr->ioend);
        matrix_power_off(&board->matrix);
        strips_power_off(&board->strips);
    }
    avr_reset(avr);
    avr_regbit_set(avr, flags[cause]);
}

uint32_t board_static(const Board *board) {
    return board->static_end - (board->avr->ioend + 1U);
}

uint32_t board_stack(const Board *board) {
    uint32_t lowest = board->static_end;
    while (lowest <= board->avr->ramend && board->avr->data[lowest] == PAINT) {
        lowest++;
    }
    return board->avr->ramend + 1U - lowest;
}

uint64_t board_cycle(const Board *board) {
    return board->avr->cycle;
}

const Matrix *board_matrix(const Board *board) {
    return &board->matrix;
}

const Strips *board_strips(const Board *board) {
    return &board->strips;
}

BoardLine board_line(const Board *board) {
    return (BoardLine){.baud = wire_baud(&board->wire), .overruns = board->wire.overruns};
}

void board_send(Board *board, uint8_t byte) {
    wire_send(&board->wire, byte);
}

void board_hang_up(Board *board) {
    wire_hang_up(&board->wire);
}

static void no_sleep(avr_t *avr, avr_cycle_count_t cycles) {
    (void)avr, (void)cycles;
}

static void log_to_stderr(avr_t *avr, const int level, const char *format, va_list arguments) {
    (void)avr;
    if (level <= LOG_ERROR) {
        vfprintf(stderr, format, arguments);
    }
}

static uint32_t find_static_end(const elf_firmware_t *firmware) {
    for (uint32_t i = 0; i < firmware->symbolcount; i++) {
        if (strcmp(firmware->symbol[i]->symbol, "_end") == 0) {
            return firmware->symbol[i]->addr - DATA_OFFSET;
        }
    }
    return 0;
}

static bool load(Board *board, const char *elf) {
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(elf, &firmware) != 0 || firmware.flashsize == 0) {
        fprintf(stderr, "scanner-sim: %s is no AVR program; build it with make avr\n", elf);
        return false;
    }
    board->static_end = find_static_end(&firmware);
    if (board->static_end <= board->avr->ioend || board->static_end > board->avr->ramend) {
        fprintf(stderr, "scanner-sim: %s has no symbol _end in RAM; was it stripped?\n", elf);
        return false;
    }
    avr_load_firmware(board->avr, &firmware);
    board->avr->frequency = BOARD_MHZ * 1000000U;
    return true;
}

static void connect_board(Board *board) {
    for (unsigned i = 0; i < ROW_PORT_COUNT; i++) {
        take_over(board, ROW_PORTS[i], on_row_read);
    }
    for (unsigned i = 0; i < COLUMN_PORT_COUNT; i++) {
        take_over(board, COLUMN_PORTS[i], on_column_read);
    }
    connect_strips(board);
    board->module.kind = "matrix";
    board->module.reset = on_reset;
    avr_register_io(board->avr, &board->module);
    board->avr->sleep = no_sleep;
}

Board *board_open(const char *elf, BoardBuild build, BoardEar ear) {
    avr_global_logger_set(log_to_stderr);
    Board *board = calloc(1, sizeof *board);
    avr_t *avr = board ? avr_make_mcu_by_name("atmega2560") : NULL;
    if (!avr) {
        fputs("scanner-sim: this simavr has no atmega2560\n", stderr);
        free(board);
        return NULL;
    }
    board->avr = avr;
    board->ear = ear;
    avr_init(avr);
    board->bootloader = build.bootloader;
    matrix_init(&board->matrix, build.diodes, build.settle_us * BOARD_MHZ);
    strips_init(&board->strips, build.strips, SENSOR_US * BOARD_MHZ, COLUMN_FALL_US * BOARD_MHZ);
    board->strips.noise_mv = build.noise_mv;
    strips_scatter(&board->strips, build.race);
    if (!wire_connect(&board->wire, avr, ear.byte, ear.context) || !load(board, elf)) {
        board_close(board);
        return NULL;
    }
    connect_board(board);
    board_reset(board, RESET_POWER);
    return board;
}

void board_close(Board *board) {
    avr_terminate(board->avr);
    free(board->avr);
    free(board->agenda.items);
    wire_free(&board->wire);
    free(board);
}
