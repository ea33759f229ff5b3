/* What has been learned, rounded and written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

enum { LANE_MAX = 32767, SCALE_MAX = 2048, OUT_SCALE = 2048 };

static int16_t rounded(float value, int scale) {
    float scaled = value * (float)scale;
    if (scaled > LANE_MAX || scaled < -LANE_MAX) {
        fprintf(stderr, "the weight %f is too great to be rounded\n", (double)value);
        exit(1);
    }
    return (int16_t)lrintf(scaled);
}

/* No sum of rows that can be on together may leave 16 bits: for each hidden unit and each block of
 * rows the greatest there can be is added up. */
static double most_of_side(enum game game, const struct layer *layer, int class, int first, int j,
                           double sign) {
    /* best[c]: with c checkers placed. */
    double best[CHECKERS + 1] = {0};
    for (int c = 1; c <= CHECKERS; c++) {
        best[c] = -1e9;
    }
    static const int8_t AT[STEPS] = {1, 2, 3, 4, 5, 7};
    for (int n = 1; n <= POINTS; n++) {
        double with[CHECKERS + 1] = {0}, next[CHECKERS + 1];
        for (int c = 1; c <= CHECKERS; c++) {
            for (int i = 0; i < STEPS && c >= AT[i]; i++) {
                with[c] += sign * (double)layer->rows[first + (n - 1) * STEPS + i][j];
            }
            if (class != RACE && game == PIN) {
                int pins = first + POINTS * STEPS + CHECKERS + (n - 1) * PIN_STEPS;
                double more = 0;
                for (int i = 0; i < PIN_STEPS && i < c; i++) {
                    more += sign * (double)layer->rows[pins + i][j];
                }
                with[c] += more > 0 ? more : 0;
            }
        }
        for (int c = 0; c <= CHECKERS; c++) {
            next[c] = best[c];
            for (int here = 1; here <= c; here++) {
                next[c] = fmax(next[c], best[c - here] + with[here]);
            }
        }
        memcpy(best, next, sizeof best);
    }
    double most = -1e9;
    for (int c = 0; c <= CHECKERS; c++) {
        double off = 0, bar = 0, bars = 0;
        for (int i = 0; i < CHECKERS - c; i++) {
            off += sign * (double)layer->rows[first + POINTS * STEPS + i][j];
        }
        for (int i = 0; class != RACE && game != PIN && game != FEVGA && i < BAR_STEPS; i++) {
            bar += sign * (double)layer->rows[first + POINTS * STEPS + CHECKERS + i][j];
            bars = fmax(bars, bar);
        }
        /* Some may be pinned or on the bar, so that fewer are placed than are not off. */
        for (int placed = 0; placed <= c; placed++) {
            most = fmax(most, best[placed] + off + bars);
        }
    }
    return most;
}

static double most_of_steps(const struct layer *layer, int row, int length, int j, double sign) {
    double most = 0, sum = 0;
    for (int i = 0; i < length; i++) {
        sum += sign * (double)layer->rows[row + i][j];
        most = fmax(most, sum);
    }
    return most;
}

static double most_of_contact(enum game game, const struct layer *layer, int row, int j,
                              double sign) {
    double most = 0;
    for (const struct block *block = contact_blocks(game); block->rows; block++) {
        double one_of = -1e9;
        for (int i = 0; i < block->rows; i++) {
            one_of = fmax(one_of, sign * (double)layer->rows[row + i][j]);
        }
        most += block->steps ? most_of_steps(layer, row, block->rows, j, sign) : one_of;
        row += block->rows;
    }
    return most;
}

static double greatest(const struct net *net, int class) {
    const struct layer *layer = &net->classes[class];
    enum game game = net->game;
    int contact = 0;
    for (const struct block *block = contact_blocks(game); class != RACE && block->rows; block++) {
        contact += block->rows;
    }
    int side = (feature_rows(game, class) - 1) / 2 - contact;
    double most = 0;
    for (int j = 0; j < net->hidden; j++) {
        for (double sign = -1; sign <= 1; sign += 2) {
            double sum = sign * (double)layer->rows[0][j];
            sum += most_of_side(game, layer, class, 1, j, sign);
            sum += most_of_side(game, layer, class, 1 + side, j, sign);
            if (class != RACE) {
                sum += most_of_contact(game, layer, 1 + 2 * side, j, sign);
                sum += most_of_contact(game, layer, 1 + 2 * side + contact, j, sign);
            }
            most = fmax(most, sum);
        }
    }
    return most;
}

/* What games of each end came to, and their shares, alike for both sides. */
static void take_figures(const struct net *net, struct network *network) {
    int ends = ends_of(net->game);
    double all = 0;
    for (int k = 0; k < ends; k++) {
        all += net->counted[k];
    }
    for (int k = 0; k < ends; k++) {
        double both = net->counted[k] + net->counted[ends - 1 - k];
        network->points[k] = net->points[k];
        network->shares[k] = all > 0 ? both / (2 * all) : 0;
    }
}

static void round_out(const struct net *net, struct network *network) {
    for (int class = 0; class < CLASSES; class++) {
        for (int j = 0; layer_of(net->shared, class) == class && j <= network->hidden; j++) {
            for (int k = 0; k < ends_of(net->game); k++) {
                network->classes[class].out[k][j] =
                    rounded(net->classes[class].out[k][j], network->out_scale);
            }
        }
    }
}

void ship(const struct net *net, struct network *network) {
    memset(network, 0, sizeof *network);
    network->game = net->game;
    network->shared = net->shared;
    network->hidden = net->hidden;
    network->scale = SCALE_MAX;
    network->out_scale = OUT_SCALE;
    for (int class = 0; class < CLASSES; class++) {
        if (layer_of(net->shared, class) != class) {
            continue;
        }
        /* A tenth more, for what rounding adds. */
        double most = 1.1 * greatest(net, class);
        while (network->scale > 1 && most * network->scale > LANE_MAX) {
            network->scale /= 2;
        }
    }
    for (int class = 0; class < CLASSES; class++) {
        if (layer_of(net->shared, class) != class) {
            continue;
        }
        for (int row = 0; row < feature_rows(net->game, class); row++) {
            for (int j = 0; j < network->hidden; j++) {
                network->classes[class].rows[row][j] =
                    rounded(net->classes[class].rows[row][j], network->scale);
            }
        }
    }
    for (round_out(net, network); !network_fits(network); round_out(net, network)) {
        network->out_scale /= 2;
    }
    take_figures(net, network);
    network_prepare(network);
}

static uint8_t *put_whole(uint8_t *at, int16_t value) {
    *at++ = (uint8_t)((uint16_t)value & 255u);
    *at++ = (uint8_t)((uint16_t)value >> 8);
    return at;
}

static uint8_t *body_of(const struct network *network) {
    uint8_t *body = malloc(network_length(network->game, network->shared, network->hidden)), *at = body;
    for (int class = 0; body && class < CLASSES; class++) {
        if (layer_of(network->shared, class) != class) {
            continue;
        }
        const struct whole_layer *layer = &network->classes[class];
        for (int row = 0; row < feature_rows(network->game, class); row++) {
            for (int j = 0; j < network->hidden; j++) {
                at = put_whole(at, layer->rows[row][j]);
            }
        }
        for (int j = 0; j <= network->hidden; j++) {
            for (int k = 0; k < ends_of(network->game); k++) {
                at = put_whole(at, layer->out[k][j]);
            }
        }
    }
    return body;
}

bool network_write(const struct network *network, const char *path, uint64_t seed, long games) {
    enum game game = network->game;
    size_t length = network_length(game, network->shared, network->hidden);
    uint8_t *body = body_of(network);
    char rows[ROWS_TEXT];
    network_rows_text(game, network->shared, rows);
    FILE *file = body ? fopen(path, "wb") : NULL;
    if (file == NULL) {
        free(body);
        return false;
    }
    fprintf(file,
            "{\"format\": 1, \"game\": \"%s\", \"features\": \"%s\", \"hidden\": %d, "
            "\"ends\": %d, \"rows\": [%s], \"scale\": %d, \"out_scale\": %d, \"seed\": %llu, "
            "\"games\": %ld, \"crc32\": %lu, \"points\": [",
            game_name(game), feature_name(game), network->hidden, ends_of(game), rows, network->scale,
            network->out_scale, (unsigned long long)seed, games, (unsigned long)network_crc32(body, length));
    for (int k = 0; k < ends_of(game); k++) {
        fprintf(file, "%s%.4f", k ? ", " : "", network->points[k]);
    }
    fprintf(file, "], \"shares\": [");
    for (int k = 0; k < ends_of(game); k++) {
        fprintf(file, "%s%.6f", k ? ", " : "", network->shares[k]);
    }
    fprintf(file, "]}\n");
    bool good = fwrite(body, length, 1, file) == 1;
    free(body);
    return fclose(file) == 0 && good;
}

