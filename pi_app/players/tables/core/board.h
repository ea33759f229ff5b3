/* The board of the tables games as the side on roll sees it, and the legal turns.
 *
 * own[n] counts the mover's checkers with n pips to go, opp[n] the other side's with n to go as
 * that side counts: 25 is the bar, 0 is off.  `across` tells the other side's number of a point. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

enum { OFF = 0, HOME = 6, ACROSS = 12, MOTHER = 24, BAR = 25, PLACES = 26, CHECKERS = 15, FACES = 6 };
/* Four steps among fifteen checkers: at most C(18, 4) = 3060 results. */
enum { RESULTS_MAX = 4096 };

enum game { BACKGAMMON, PORTES, PIN, HYPERGAMMON, FEVGA, GAMES };

struct board {
    int8_t own[PLACES];
    int8_t opp[PLACES];
    uint32_t own_pinned; /* bit n: one of own[n] lies beneath an enemy */
    uint32_t opp_pinned;
    uint64_t key; /* a sum over own checkers, alike for alike ones */
};

/* How a game ended for the side on roll; points 0 is a tie. `kind` counts 1 to 3: single, gammon,
 * backgammon; 0 is a mother or a tie. */
struct outcome {
    int points;
    int kind;
};

struct results {
    int count;
    struct board boards[RESULTS_MAX]; /* each seen by the side that is on roll next */
};

const char *game_name(enum game game);
bool game_named(const char *name, enum game *game);
/* Whether no win counts three. */
static inline bool doubles_only(enum game game) { return game == PORTES || game == FEVGA; }

/* The number that the other side gives the mover's point n; in Fevga both go the same way round. */
static inline int across(enum game game, int n) {
    return game != FEVGA ? BAR - n : n > ACROSS ? n - ACROSS : n + ACROSS;
}

/* How many checkers a side has, at most CHECKERS. */
int checkers_of(enum game game);
/* Work out the key. */
void board_seal(struct board *board);
struct board board_start(enum game game);
bool board_outcome(enum game game, const struct board *board, struct outcome *outcome);
/* Every position after a legal turn, each once; a forfeit's too. */
void board_results(enum game game, const struct board *board, int high, int low,
                   struct results *results);
/* Two words of 26 hexadecimal digits, men with 25 pips to go first, and two of those pinned. */
bool board_read(const char *text, struct board *board);
void board_write(const struct board *board, char text[112]);

static inline int board_own_pinned(const struct board *board, int n) {
    return (int)(board->own_pinned >> n & 1u);
}

static inline int board_opp_pinned(const struct board *board, int n) {
    return (int)(board->opp_pinned >> n & 1u);
}

#endif
