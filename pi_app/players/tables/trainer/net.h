/* The network: rows of weights that are added up, one hidden layer of sigmoids, and a softmax over
 * the ways a game can end for the side on roll, from the worst to the best.
 *
 * `net` learns and has floats; `shipped` is what it is rounded to and what plays: whole numbers
 * until the very end, so that whoever adds them up in another order finds the same. */
#ifndef NET_H
#define NET_H

#include "rows.h"

#ifndef HIDDEN
#define HIDDEN 96
#endif

enum { ENDS_MAX = 16, ACTIVATION = 4096 };

struct layer {
    float rows[ROWS_MAX][HIDDEN];
    float out[HIDDEN + 1][ENDS_MAX]; /* the last is the bias */
};

struct net {
    enum game game;
    bool shared; /* one layer, CONTACT's, for all positions with contact */
    struct layer classes[CLASSES];
    double points[ENDS_MAX];  /* what games that ended so came to, and how many */
    double counted[ENDS_MAX];
};

struct whole_layer {
    int16_t rows[ROWS_MAX][HIDDEN];
    int16_t out[HIDDEN + 1][ENDS_MAX];
};

struct shipped {
    enum game game;
    bool shared;
    int scale;     /* of rows: so much is 1 */
    int out_scale;
    struct whole_layer classes[CLASSES];
    double points[ENDS_MAX];
    double shares[ENDS_MAX];
    int32_t activation[65536];
};

/* The layer of a class. */
static inline int layer_of(bool shared, int class) {
    return shared && class != RACE ? CONTACT : class;
}

/* How many ways to end, and the way of an outcome; the other side's way is ends - 1 - way. */
int ends_of(enum game game);
int end_of(enum game game, struct outcome outcome);

void net_begin(struct net *net, enum game game, uint64_t seed);
int net_forward(const struct net *net, const struct active *active, int class, float *hidden,
                float *ends);
void net_learn(struct net *net, const struct active *active, int class, const float *target,
               float step);

/* What a file holds learns on, each class for itself; how often games ended how is told by their number. */
void net_resume(struct net *net, const struct shipped *shipped, long games);

void ship(const struct net *net, struct shipped *shipped);
void shipped_ends(const struct shipped *shipped, const struct board *board, double *ends);
bool shipped_write(const struct shipped *shipped, const char *path, uint64_t seed, long games);
/* `games` may be NULL. */
bool shipped_read(struct shipped *shipped, const char *path, long *games);

/* Chance that is the same for the same seed. */
struct chance {
    uint64_t state;
};
uint32_t chance_below(struct chance *chance, uint32_t bound);

#endif
