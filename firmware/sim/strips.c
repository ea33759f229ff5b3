#include "strips.h"

#include <math.h>
#include <string.h>

enum { LEAST_MV = 100, NOISE_SEED = 1 };

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

static double noise(Strips *strips) {
    strips->chance = strips->chance * 1664525U + 1013904223U;
    return strips->noise_mv * ((double)(strips->chance >> 8) / (1U << 23) - 1.0);
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

void strips_drive(Strips *strips, StripPins pins, uint64_t now) {
    bool rises = pins.clock && !strips->pins.clock;
    strips->pins = pins;
    uint32_t tokens = strips->tokens;
    if (!pins.clear) {
        tokens = 0;
    } else if (rises) {
        tokens = (tokens << 1 | pins.token) & ~strips->cuts;
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
