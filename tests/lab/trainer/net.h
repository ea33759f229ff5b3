/* The network that learns, with floats; `ship` rounds it to the one that plays. */
#ifndef NET_H
#define NET_H

#include "network.h"

struct layer {
    float rows[ROWS_MAX][HIDDEN_MAX];
    float out[ENDS_MAX][HIDDEN_MAX + 1]; /* the bias follows the hidden units */
};

struct net {
    enum game game;
    int hidden;
    bool shared; /* one layer, CONTACT's, for all positions with contact */
    struct layer classes[CLASSES];
    double points[ENDS_MAX];  /* what games that ended so came to, and how many */
    double counted[ENDS_MAX];
};

void net_begin(struct net *net, enum game game, int hidden, uint64_t seed);
int net_forward(const struct net *net, const struct active *active, int class, float *hidden,
                float *ends);
/* How a hidden unit's sum should move for the chances to move by `wanted`. */
void net_back(const struct layer *layer, int length, int count, const float *hidden,
              const float *wanted, float *back);
void net_learn(struct net *net, const struct active *active, int class, const float *target,
               float step);

/* From now on each class has a layer of its own. */
void net_part(struct net *net);
/* What a file holds learns on, each class for itself; how often games ended how is told by their number. */
void net_resume(struct net *net, const struct network *network, long games);

void ship(const struct net *net, struct network *network);
bool network_write(const struct network *network, const char *path, uint64_t seed, long games);

/* Chance that is the same for the same seed. */
struct chance {
    uint64_t state;
};
uint32_t chance_below(struct chance *chance, uint32_t bound);

#endif
