/* Who plays, and games between two of them. */
#ifndef PLAY_H
#define PLAY_H

#include "net.h"

enum kind { RANDOM, GREEDY, NET };

struct player {
    enum kind kind;
    const struct network *network;
    double worth[ENDS_MAX]; /* of each way to end */
    int ply;                /* 1 or 2 */
    int examined;           /* by two plies, of the best by one */
};

struct tally {
    long won, tied, lost;
    double points, squares;
};

struct roll {
    int high, low;
};

enum { POINTS_MAX = 3 * CHECKERS * MOTHER }; /* of a game: the Pin game counts pips up to three times */

struct roll roll_dice(struct chance *chance);
double worth_of_points(enum game game, double points);
/* What each way to end is worth; `greed` 0 counts games alone and 1 points alone. */
void worth_of_ends(enum game game, const double *points, double greed, double *worth);
/* What a player thinks of a result, before it is looked at more deeply. */
double judged(enum game game, const struct player *player, const struct board *after);
/* The number of the result that is chosen. */
int choose(enum game game, const struct player *player, const struct results *results,
           struct chance *chance);
/* Points of the first, who begins in games of even number. */
int play_game(enum game game, const struct player *first, const struct player *second, long number,
              struct chance *chance);
void tally_add(struct tally *tally, int points);

#endif
