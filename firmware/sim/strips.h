/*
 * The strips of Hall sensors as an electrical network: who has the token, and what the analogue
 * columns show.
 *
 * A strip is a flip-flop and up to five sensors. A rising clock passes every flip-flop's token to
 * the next strip; a strip that has it drives the columns, after its sensors have woken up. A column
 * that nobody drives falls to ground through its resistor.
 *
 * All flip-flops share a slow clock, and their thresholds differ, so neighbours are clocked some
 * nanoseconds apart. A strip whose clock comes later than its neighbour's new token takes that one:
 * the token jumps. hardware/decisions/hall.md has the figures.
 */
#ifndef SIM_STRIPS_H
#define SIM_STRIPS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    STRIPS = 31,
    STRIP_COLUMNS = 5,
    STRIP_BACK = STRIP_COLUMNS, /* the channel on which the last strip's token comes back */
    STRIP_SUPPLY_MV = 3300,
    STRIP_UV_A_UT = 15, /* sensitivity: 15 mV/mT */
};

/* What the chip does with the chain's three lines. */
typedef struct {
    bool token;
    bool clock;
    bool clear; /* low takes every token */
} StripPins;

typedef struct {
    unsigned count;  /* strips in the chain; 0: there is none */
    uint64_t settle; /* cycles that a sensor needs to wake up */
    uint64_t fall;   /* cycles in which an idle column falls to 1/e */
    unsigned noise_mv;
    int32_t field_ut[STRIPS][STRIP_COLUMNS];
    int32_t rest_mv[STRIPS][STRIP_COLUMNS]; /* without a field; 0: no sensor, or a dead one */
    uint32_t cuts;                          /* strips that no token can come to */
    uint32_t jumps;                         /* strips that take their neighbour's new token */
    StripPins pins;
    uint32_t tokens;
    uint32_t gives;                  /* times that the first strip was given a token */
    uint64_t since;                  /* when the tokens last moved */
    double held_mv[STRIP_COLUMNS];   /* the columns then */
    uint32_t chance;
} Strips;

/* How a chain was built: ohms between each flip-flop and its OUT, and how far the flip-flops'
 * thresholds scatter (one standard deviation). */
typedef struct {
    unsigned out_ohm;
    unsigned scatter_mv;
    uint32_t seed;
} StripRace;

/* A chain of strips that rest in the middle, on which no token jumps. */
void strips_init(Strips *strips, unsigned count, uint64_t settle, uint64_t fall);

/* Draw every flip-flop's threshold anew. */
void strips_scatter(Strips *strips, StripRace race);

/* The power goes; fields and faults stay. */
void strips_power_off(Strips *strips);

void strips_drive(Strips *strips, StripPins pins, uint64_t now);

/* A channel's level in millivolts at the cycle `now`. */
uint32_t strips_level(Strips *strips, unsigned channel, uint64_t now);

#endif
