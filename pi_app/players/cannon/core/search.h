/* What the program is asked, by way of cffi; `DECLARED` in `player.py` has the same words. */
#ifndef SPOTTER_CANNON_SEARCH_H
#define SPOTTER_CANNON_SEARCH_H

#include "board.h"


typedef struct {
    uint64_t low, high;
} cannon_points;

typedef struct {
    cannon_points soldiers[2], town[2];
    int32_t mover;
} cannon_position;

typedef struct {
    cannon_points changed, lost;
} cannon_action;

typedef struct {
    int32_t depth;
    int64_t nodes;
    int32_t milliseconds;
} cannon_limits;

typedef struct {
    int32_t best, depth, rated_depth;
    int64_t nodes;
    int32_t worths[MOST_ACTIONS];
} cannon_findings;

/* False where the position cannot stand on a board. */
bool read_position(const cannon_position *asked, Position *position);

/* The position's own action that is like this one; false where there is none. */
bool find_action(const Position *position, const cannon_action *asked, Action *action);

uint64_t mixed(uint64_t number);

/* How many positions so many turns lead to, as `spotter perft` counts; -1: no such position. */
int64_t spotter_cannon_perft(const cannon_position *asked, int32_t depth);

/* The actions of a position in order, at most MOST_ACTIONS; returns how many, -1: no such position. */
int32_t spotter_cannon_actions(const cannon_position *asked, cannon_action *found);

/* What a position is worth to its mover without search, in hundredths of a soldier. */
int32_t spotter_cannon_evaluate(const cannon_position *asked, const int32_t *weights);

/* What each of these actions is worth; 0, -1: no such position, -2: not legal, -3: no memory. */
int32_t spotter_cannon_search(const cannon_position *asked, const int32_t *weights,
                              const cannon_action *actions, int32_t number,
                              const cannon_limits *limits, cannon_findings *findings);

#endif
