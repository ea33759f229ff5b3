#include "strips.h"

#include <math.h>
#include <string.h>

enum { LEAST_MV = 100, NOISE_SEED = 1, NORMAL_DRAWS = 12 };

/* Volts, nanoseconds and picofarads as in hardware/make/hall/race.py. */
static const double CHIP_V = 5.0, STRIP_V = 3.3, THRESHOLD_V = 1.5, LEAST_V = 0.9, MOST_V = 2.2;
static const double CLOCK_NS = (220 + 25) * 0.250, WIRE_NS = 0.5, DELAY_NS = 1.5, HOLD_NS = 1.0;
static const double INPUT_PF = 6.0;

void strips_init(Strips *strips, unsigned count, uint64_t settle, uint64_t fall) {
    memset(strips, 0, sizeof *strips);
    strips->count = count;
    strips->settle = settle;
    strips->fall = fall;
    strips->chance = NOISE_SEED;
    for (unsigned row = 0; row < STRIPS; row++) {
        for (unsigned column = 0; column < STRIP_COLUMNS; column++) {
            strips->rest_mv[row][column] = STRIP_SUPPLY_MV / 2;
        }
    }
}

void strips_power_off(Strips *strips) {
    strips->pins = (StripPins){.token = false};
    strips->tokens = 0;
    strips->gives = 0;
    memset(strips->held_mv, 0, sizeof strips->held_mv);
}

/* From -1 up to 1. */
static double draw(uint32_t *chance) {
    *chance = *chance * 1664525U + 1013904223U;
    return (double)(*chance >> 8) / (1U << 23) - 1.0;
}

static double noise(Strips *strips) {
    return strips->noise_mv * draw(&strips->chance);
}

/* The sum of twelve draws has a standard deviation of two. */
static double threshold_v(StripRace race, uint32_t *chance) {
    double sum = 0;
    for (unsigned i = 0; i < NORMAL_DRAWS; i++) {
        sum += draw(chance);
    }
    return fmin(fmax(THRESHOLD_V + race.scatter_mv / 1000.0 * sum / 2, LEAST_V), MOST_V);
}

void strips_scatter(Strips *strips, StripRace race) {
    uint32_t chance = race.seed;
    double clocked_before = 0;
    strips->jumps = 0;
    for (unsigned row = 0; row < strips->count; row++) {
        double threshold = threshold_v(race, &chance);
        double clocked = row * WIRE_NS + CLOCK_NS * -log(1 - threshold / CHIP_V);
        double slowed = race.out_ohm / 1000.0 * INPUT_PF * -log(1 - threshold / STRIP_V);
        if (row > 0 && clocked + HOLD_NS > clocked_before + DELAY_NS + slowed) {
            strips->jumps |= 1U << row;
        }
        clocked_before = clocked;
    }
}

static double clipped(double mv) {
    return fmin(fmax(mv, LEAST_MV), STRIP_SUPPLY_MV - LEAST_MV);
}

/* Several strips that drive one column meet in the middle of what they would say. */
static double driven_mv(const Strips *strips, unsigned column, unsigned *drivers) {
    double sum = 0;
    *drivers = 0;
    for (unsigned row = 0; row < strips->count; row++) {
        int32_t rest = strips->rest_mv[row][column];
        if ((strips->tokens >> row & 1U) && rest > 0) {
            sum += clipped(rest + strips->field_ut[row][column] * STRIP_UV_A_UT / 1000.0);
            ++*drivers;
        }
    }
    return *drivers ? sum / *drivers : 0;
}

static double column_mv(const Strips *strips, unsigned column, uint64_t now) {
    unsigned drivers;
    double mv = driven_mv(strips, column, &drivers);
    double lapse = (double)(now - strips->since);
    if (drivers && lapse >= (double)strips->settle) {
        return mv;
    }
    return strips->held_mv[column] * exp(-lapse / (double)strips->fall);
}

static void move(Strips *strips, uint32_t tokens, uint64_t now) {
    for (unsigned column = 0; column < STRIP_COLUMNS; column++) {
        strips->held_mv[column] = column_mv(strips, column, now);
    }
    strips->tokens = tokens;
    strips->since = now;
}

/* Each strip's next token: its neighbour's old one, or, where the token jumps, the new one. */
static uint32_t shifted(const Strips *strips, bool token) {
    uint32_t taken = 0;
    for (unsigned row = 0; row < strips->count; row++) {
        uint32_t neighbours = strips->jumps >> row & 1U ? taken : strips->tokens;
        bool given = row == 0 ? token : neighbours >> (row - 1) & 1U;
        taken |= (uint32_t)given << row;
        taken &= ~strips->cuts;
    }
    return taken;
}

void strips_drive(Strips *strips, StripPins pins, uint64_t now) {
    bool rises = pins.clock && !strips->pins.clock;
    strips->pins = pins;
    uint32_t tokens = strips->tokens;
    if (!pins.clear) {
        tokens = 0;
    } else if (rises) {
        tokens = shifted(strips, pins.token);
        strips->gives += pins.token;
    }
    if (tokens != strips->tokens) {
        move(strips, tokens, now);
    }
}

uint32_t strips_level(Strips *strips, unsigned channel, uint64_t now) {
    if (strips->count == 0 || channel > STRIP_BACK) {
        return 0;
    }
    if (channel == STRIP_BACK) {
        return strips->tokens >> (strips->count - 1) & 1U ? STRIP_SUPPLY_MV : 0;
    }
    return (uint32_t)fmax(0, column_mv(strips, channel, now) + noise(strips));
}
