/* The network that plays: rows of weights that are added up, one hidden layer of sigmoids, and a
 * softmax over the ways a game can end for the side on roll, from the worst to the best.
 *
 * All are whole numbers until the very end, so that whoever adds them up in another order finds the
 * same.  A file is a line of JSON and the weights; tests/lab/trainer/README.md tells its form. */
#ifndef NETWORK_H
#define NETWORK_H

#include <stddef.h>

#include "bearoff.h"
#include "rows.h"

enum { HIDDEN_MAX = 256, ENDS_MAX = 16, ACTIVATION = 4096, ROWS_TEXT = 64 };

struct whole_layer {
    int16_t rows[ROWS_MAX][HIDDEN_MAX];
    int16_t out[ENDS_MAX][HIDDEN_MAX + 1]; /* the bias follows the hidden units */
};

struct network {
    enum game game;
    bool shared; /* one layer, CONTACT's, for all positions with contact */
    int hidden;
    int scale;     /* of rows: so much is 1 */
    int out_scale;
    struct whole_layer classes[CLASSES];
    double points[ENDS_MAX]; /* what games that ended so came to, and their share */
    double shares[ENDS_MAX];
    int16_t activation[65536]; /* by a sum as it lies in its 16 bits */
};

/* The layer of a class. */
static inline int layer_of(bool shared, int class) {
    return shared && class != RACE ? CONTACT : class;
}

/* How many ways to end, and the way of an outcome; the other side's way is ends - 1 - way. */
int ends_of(enum game game);
int end_of(enum game game, struct outcome outcome);

/* Whether 32 bits hold what the last layers add up, whatever is on. */
bool network_fits(const struct network *network);
/* Fill in the sigmoid of `scale`. */
void network_prepare(struct network *network);
/* The sums of the board before, which has most rows in common with the next result of the same roll;
 * `layer` is NULL before the first. */
struct sums {
    const struct whole_layer *layer;
    struct levels levels;
    uint16_t hidden[HIDDEN_MAX];
};

/* The chances of the ends; exact where both bear off, if `bearoff_begin` was called. */
void network_ends(const struct network *network, const struct board *board, double *ends);
/* The same with the sums of the board before, which are replaced. */
void network_ends_after(const struct network *network, const struct board *board,
                        struct sums *sums, double *ends);
/* `games` is how many it has learned from; it may be NULL. */
bool network_read(struct network *network, const char *path, long *games);

/* Of the file: its rows as the header lists them, its weights' length in bytes, its checksum. */
void network_rows_text(enum game game, bool shared, char text[ROWS_TEXT]);
size_t network_length(enum game game, bool shared, int hidden);
uint32_t network_crc32(const uint8_t *bytes, size_t length);

#endif
