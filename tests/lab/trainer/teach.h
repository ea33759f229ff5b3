/* Learning from positions whose chances another player has told. */
#ifndef TEACH_H
#define TEACH_H

#include "play.h"

struct lessons;

struct schedule {
    uint64_t seed;
    int epochs;
    double first_rate, last_rate; /* falling geometrically */
    double equity;                /* what the square of an equity's error counts for */
};

/* The board that begins a line, of two words or in the Pin game of four, and what follows; NULL if
 * there is none. */
const char *board_at(enum game game, const char *line, struct board *board);
/* A line of a board as `board_at` reads it, and its chances: to win, to win a gammon and a backgammon,
 * to lose a gammon and a backgammon; in the Pin game those of each end. */
void print_lesson(enum game game, const char *line, const double *ends);
/* Lines as `print_lesson` writes them; any other ends the program.  NULL if there is no such file. */
struct lessons *lessons_read(enum game game, const char *path);
long lessons_count(const struct lessons *lessons);
/* Learn all but some, which say after each epoch how far off an equity is. */
void teach(struct net *net, struct lessons *lessons, const struct schedule *schedule);

/* Print boards of games by this network, more or less led by chance, and some of what might have
 * been played instead: so many, less the races unless `races`. */
void print_positions(const struct network *network, uint64_t seed, long count, bool races);

#endif
