/* The board of the tables games as the side on roll sees it, and the legal turns.
 *
 * own[n] counts the mover's checkers with n pips to go, opp[n] the other side's with n to go as
 * that side counts: 25 is the bar, 0 is off.  `across` tells the other side's number of a point. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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

/* Sets of places: bit n is the place with n pips to go. */
enum { ON_POINTS = (1 << BAR) - 2 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first of eight bytes is the lowest");
/* Which of eight bytes are at least `least`; all are below 128. */
static inline uint32_t bytes_from(int least, const void *bytes) {
    const uint64_t EACH = 0x0101010101010101u, GATHER = 0x0102040810204080u;
    uint64_t eight;
    memcpy(&eight, bytes, sizeof eight);
    eight = (eight + EACH * (uint64_t)(128 - least)) >> 7 & EACH; /* the highest bit of each tells */
    return (uint32_t)(eight * GATHER >> 56);
}

/* Where at least `count` men stand. */
static inline uint32_t places_of(const int8_t *men, int count) {
    return bytes_from(count, men) | bytes_from(count, men + 8) << 8 |
           bytes_from(count, men + 16) << 16 | (uint32_t)(men[24] >= count) << 24 |
           (uint32_t)(men[25] >= count) << 25;
}

/* Place n becomes place 25 - n. */
static inline uint32_t mirrored(uint32_t places) {
    places = __builtin_bswap32(places);
    places = (places >> 4 & 0x0f0f0f0fu) | (places & 0x0f0f0f0fu) << 4;
    places = (places >> 2 & 0x33333333u) | (places & 0x33333333u) << 2;
    places = (places >> 1 & 0x55555555u) | (places & 0x55555555u) << 1;
    return places >> (31 - BAR);
}

/* The points among these by the other side's numbers; in Fevga both go the same way round. */
static inline uint32_t across(enum game game, uint32_t places) {
    places &= ON_POINTS;
    return game == FEVGA ? (places >> ACROSS | places << ACROSS) & ON_POINTS : mirrored(places);
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
