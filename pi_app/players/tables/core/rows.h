/* What the network sees of a board: a list of rows, all binary.
 *
 * The layout is told in README.md; the Python evaluator has the same. */
#ifndef ROWS_H
#define ROWS_H

#include "board.h"

/* The class of a board: four with contact, and races.  In the Pin game 1 has own checkers pinned and
 * 2 the other side's; else 1 has own checkers on the last six points or on the bar, 2 the other
 * side's; 3 is both. */
enum { CONTACT = 0, OWN_BEHIND = 1, OPP_BEHIND = 2, RACE = 4, CLASSES = 5 };
enum {
    STEPS = 6, /* a point's count reaches 1, 2, 3, 4, 5, 7 */
    POINTS = 24,
    BAR_STEPS = 4,
    PIN_STEPS = 3,
    PRIME_STEPS = 4,   /* a wall of 3, 4, 5, 6 points */
    WINDOW = 64,       /* which of the six points before the enemy's last checker are held */
    SHOT_STEPS = 12,
    WAY_STEPS = 12, /* pips that Fevga's first checker has to go still */
    ROWS_MAX = 900,
    ACTIVE_MAX = 256,
    BLOCKS_MAX = 120,
};

struct active {
    int count;
    int16_t rows[ACTIVE_MAX];
};

/* Rows of one meaning: of `steps` all up to some one are on together, else one of them. */
struct block {
    int rows;
    bool steps;
};

/* What is on of each block, in the order of the rows: of steps how many, else 1 + which; 0: none.
 * Row 0, which is always on, is in no block. */
struct levels {
    uint8_t of[BLOCKS_MAX];
};

/* What a side has with contact behind its men, in the order of its rows; the last is empty. */
const struct block *contact_blocks(enum game game);
/* Work out, once, the tables that the others read. */
void feature_begin(void);
/* The name of a game's rows, as its file has it. */
const char *feature_name(enum game game);
/* Rows of each class, the first is always on. */
int feature_rows(enum game game, int class);
/* The class of a board, and what is on. */
int feature_levels(enum game game, const struct board *board, struct levels *levels);
/* The rows that are on now and were not before, and those that are so no more, in a class. */
void feature_changes(enum game game, int class, const struct levels *before,
                     const struct levels *now, struct active *come, struct active *gone);
/* The class of a board, and its rows. */
int feature_list(enum game game, const struct board *board, struct active *active);

#endif
