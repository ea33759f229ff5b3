/* Learning from games against itself. */
#ifndef LEARN_H
#define LEARN_H

#include "play.h"

struct course {
    uint64_t seed;
    long games;
    double first_step, last_step; /* falling geometrically */
    double lambda;
    double greed;
    double sparring; /* the share of games against the greedy player */
};

/* Learn; the net is the mean of what it was in the last third. `tell` is called twenty times. */
void learn(struct net *net, const struct course *course, void (*tell)(const struct net *, long));

#endif
