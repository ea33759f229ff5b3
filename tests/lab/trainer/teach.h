/* Learning from positions whose chances another player has told. */
#ifndef TEACH_H
#define TEACH_H

#include "play.h"

struct lessons;

struct schedule {
    uint64_t seed;
    int epochs;
    double first_rate, last_rate; /* falling geometrically */
};

/* Read lines of own men, the other's, and five chances: to win, to win a gammon and a backgammon, to
 * lose a gammon and a backgammon.  NULL if there is no such file. */
struct lessons *lessons_read(const char *path);
long lessons_count(const struct lessons *lessons);
/* Learn all but some, which say after each epoch how far off an equity is. */
void teach(struct net *net, struct lessons *lessons, const struct schedule *schedule);

/* Print boards of games by this network, more or less led by chance, and some of what might have
 * been played instead: so many. */
void print_positions(const struct network *network, uint64_t seed, long count);

#endif
