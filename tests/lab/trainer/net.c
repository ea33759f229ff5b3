#include "net.h"

#include <math.h>
#include <string.h>

uint32_t chance_below(struct chance *chance, uint32_t bound) {
    uint64_t x = chance->state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((x ^ x >> 31) >> 32) % bound;
}

static float small(struct chance *chance, float most) {
    return most * ((float)chance_below(chance, 20001) / 10000.0f - 1.0f);
}

void net_begin(struct net *net, enum game game, int hidden, uint64_t seed) {
    struct chance chance = {seed};
    memset(net, 0, sizeof *net);
    net->game = game;
    net->hidden = hidden;
    net->shared = true;
    for (int class = 0; class < CLASSES; class++) {
        if (layer_of(true, class) != class) {
            continue;
        }
        struct layer *layer = &net->classes[class];
        for (int row = 0; row < feature_rows(game, class); row++) {
            for (int j = 0; j < net->hidden; j++) {
                layer->rows[row][j] = small(&chance, 0.1f);
            }
        }
        for (int j = 0; j < net->hidden; j++) {
            for (int k = 0; k < ends_of(game); k++) {
                layer->out[j][k] = small(&chance, 0.05f);
            }
        }
    }
}

void net_part(struct net *net) {
    for (int class = 0; class < CLASSES; class++) {
        net->classes[class] = net->classes[layer_of(net->shared, class)];
    }
    net->shared = false;
}

void net_resume(struct net *net, const struct network *network, long games) {
    memset(net, 0, sizeof *net);
    net->game = network->game;
    net->hidden = network->hidden;
    for (int class = 0; class < CLASSES; class++) {
        const struct whole_layer *from = &network->classes[layer_of(network->shared, class)];
        struct layer *layer = &net->classes[class];
        for (int row = 0; row < feature_rows(net->game, class); row++) {
            for (int j = 0; j < net->hidden; j++) {
                layer->rows[row][j] = (float)from->rows[row][j] / (float)network->scale;
            }
        }
        for (int j = 0; j <= net->hidden; j++) {
            for (int k = 0; k < ends_of(net->game); k++) {
                layer->out[j][k] = (float)from->out[k][j] / (float)network->out_scale;
            }
        }
    }
    for (int k = 0; k < ends_of(net->game); k++) {
        net->points[k] = network->points[k];
        net->counted[k] = network->shares[k] * (double)games;
    }
}

/* 1 / (1 + exp(-x)) within 2e-4 and the same wherever float is IEEE's: (1 + tanh(x/2)) / 2 by a
 * continued fraction, cut where it is 0 or 1. */
static float sigmoid(float x) {
    float y = 0.5f * x;
    y = y > 4.97f ? 4.97f : y < -4.97f ? -4.97f : y;
    float s = y * y;
    float top = y * (135135.0f + s * (17325.0f + s * (378.0f + s)));
    float bottom = 135135.0f + s * (62370.0f + s * (3150.0f + s * 28.0f));
    return 0.5f + 0.5f * (top / bottom);
}

static void softmax(float *ends, int count) {
    float most = ends[0], sum = 0.0f;
    for (int k = 1; k < count; k++) {
        most = ends[k] > most ? ends[k] : most;
    }
    for (int k = 0; k < count; k++) {
        ends[k] = expf(ends[k] - most);
        sum += ends[k];
    }
    for (int k = 0; k < count; k++) {
        ends[k] /= sum;
    }
}

/* Sixteen sums side by side: gcc and clang keep them in registers. */
typedef float lanes __attribute__((vector_size(64)));
enum { LANES = 16 };
_Static_assert(HIDDEN_MAX % LANES == 0 && (int)ENDS_MAX == (int)LANES,
               "sums are taken sixteen at a time");

/* By address: returned by value, the lanes pass in other registers on processors with AVX-512. */
static void take_lanes(lanes *taken, const float *at) {
    memcpy(taken, at, sizeof *taken);
}

static void add_rows(const struct layer *layer, const struct active *active, int hidden,
                     float *sum) {
    for (int at = 0; at < hidden; at += LANES) {
        lanes sums = {0};
        for (int i = 0; i < active->count; i++) {
            lanes taken;
            take_lanes(&taken, layer->rows[active->rows[i]] + at);
            sums += taken;
        }
        memcpy(sum + at, &sums, sizeof sums);
    }
}

static void add_out(const struct layer *layer, const float *hidden, int count, float *logits) {
    lanes sums[4] = {0};
    take_lanes(&sums[0], layer->out[count]);
    for (int j = 0; j < count; j += 4) {
        for (int i = 0; i < 4; i++) {
            lanes taken;
            take_lanes(&taken, layer->out[j + i]);
            sums[i] += hidden[j + i] * taken;
        }
    }
    sums[0] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    memcpy(logits, &sums[0], sizeof sums[0]);
}

int net_forward(const struct net *net, const struct active *active, int class, float *hidden,
                float *ends) {
    const struct layer *layer = &net->classes[layer_of(net->shared, class)];
    int count = ends_of(net->game);
    float sum[HIDDEN_MAX];
    add_rows(layer, active, net->hidden, sum);
    for (int j = 0; j < net->hidden; j++) {
        hidden[j] = sigmoid(sum[j]);
    }
    add_out(layer, hidden, net->hidden, ends);
    softmax(ends, count);
    return count;
}

void net_learn(struct net *net, const struct active *active, int class, const float *target,
               float step) {
    struct layer *layer = &net->classes[layer_of(net->shared, class)];
    float hidden[HIDDEN_MAX], ends[ENDS_MAX], wrong[ENDS_MAX] = {0}, back[HIDDEN_MAX];
    int count = net_forward(net, active, class, hidden, ends);
    for (int k = 0; k < count; k++) {
        wrong[k] = step * (target[k] - ends[k]);
    }
    for (int j = 0; j < net->hidden; j++) {
        float *out = layer->out[j];
        float h = hidden[j], sum = 0.0f;
        for (int k = 0; k < ENDS_MAX; k++) {
            sum += wrong[k] * out[k];
        }
        for (int k = 0; k < ENDS_MAX; k++) {
            out[k] += h * wrong[k];
        }
        back[j] = sum * h * (1.0f - h);
    }
    for (int k = 0; k < count; k++) {
        layer->out[net->hidden][k] += wrong[k];
    }
    for (int i = 0; i < active->count; i++) {
        float *row = layer->rows[active->rows[i]];
        for (int j = 0; j < net->hidden; j++) {
            row[j] += back[j];
        }
    }
}
