/* Hypergammon solved: what every position is worth to the side on roll when both sides play best.
 *
 * One side's checkers are a *stand*, a number; stands are in order of their pips, 0 has all checkers
 * off.  A position is two stands: that of the side which has just moved, and that of the side on roll.
 * Positions with as many pips in sum are a *layer*.  Without a hit each play leads to a lower layer,
 * so layers are worked out from the lowest on, and all of them again until nothing changes. */
#ifndef SOLVE_H
#define SOLVE_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of a position, to the side on roll.  With a cube it may double first. */
enum value {
    POINTS, /* without a cube, mean points */
    WINS,   /* the same if every win counts 1 */
    MINE,   /* it owns the cube; mean points at a stake of 1 */
    THEIRS, /* the other side owns the cube */
    MIDDLE, /* the cube is centred */
    JACOBY, /* the cube is centred and until it is turned every win counts 1 */
    VALUES,
};
/* How likely the side on roll wins, wins a gammon or more, a backgammon, loses a gammon or more, a
 * backgammon, if both play for points without a cube. */
enum chance { WIN, GAMMON, BACKGAMMON, LOST_GAMMON, LOST_BACKGAMMON, CHANCES };

/* Values are whole numbers, so that every machine finds the same: so many are one point.  So many
 * are certainty among the chances. */
enum { POINT = 1 << 29, SURE = 65535 };
enum { CHECKERS_MAX = 3, BAR = 25, HOME = 6, FACES = 6, ROLLS = 21 };

struct solution;

/* NULL where there is no memory; `checkers` a side, 1 to 3. */
struct solution *spotter_hypergammon_open(int32_t checkers);
void spotter_hypergammon_close(struct solution *solution);
int32_t spotter_hypergammon_stands(const struct solution *solution);
int32_t spotter_hypergammon_layers(const struct solution *solution);
/* Work out a part of a layer, one of so many, from what is known; several threads may do one part
 * each.  Without `races` only where the sides can still meet, for races are exact after one pass. */
void spotter_hypergammon_judge(struct solution *solution, int32_t layer, int32_t part,
                               int32_t parts, bool races);
/* Keep what the same calls found; returns the greatest change of a value. */
int32_t spotter_hypergammon_keep(struct solution *solution, int32_t layer, int32_t part,
                                 int32_t parts, bool races);
/* Write or read all positions in which this stand is on roll, by the other side's stand: VALUES
 * numbers each, CHANCES numbers each. */
void spotter_hypergammon_write(const struct solution *solution, int32_t stand, int32_t *values,
                               uint16_t *chances);
void spotter_hypergammon_read(struct solution *solution, int32_t stand, const int32_t *values,
                              const uint16_t *chances);

#endif
