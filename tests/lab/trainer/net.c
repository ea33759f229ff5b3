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
                layer->out[k][j] = small(&chance, 0.05f);
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
                layer->out[k][j] = (float)from->out[k][j] / (float)network->out_scale;
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

/* Sums side by side: gcc and clang keep them in registers where a register has 32 bytes. */
typedef float lanes __attribute__((vector_size(32)));
enum { LANES = 8, TOGETHER = 4 * LANES };
_Static_assert(HIDDEN_MAX % TOGETHER == 0, "sums are taken side by side");

/* By address: returned by value, the lanes pass in other registers on processors with AVX-512. */
static void add_lanes(lanes *sum, const float *at) {
    lanes taken;
    memcpy(&taken, at, sizeof taken);
    *sum += taken;
}

static void add_rows(const struct layer *layer, const struct active *active, int hidden,
                     float *sum) {
    for (int at = 0; at < hidden; at += TOGETHER) {
        lanes a = {0}, b = {0}, c = {0}, d = {0};
        for (int i = 0; i < active->count; i++) {
            const float *row = layer->rows[active->rows[i]] + at;
            add_lanes(&a, row), add_lanes(&b, row + LANES);
            add_lanes(&c, row + 2 * LANES), add_lanes(&d, row + 3 * LANES);
        }
        const lanes sums[] = {a, b, c, d};
        memcpy(sum + at, sums, sizeof sums);
    }
}

/* Four sums side by side for each end. */
typedef float quarters __attribute__((vector_size(16)));

static void add_out(const struct layer *layer, const float *hidden, int length, int count,
                    float *logits) {
    for (int k = 0; k < count; k++) {
        quarters sums = {layer->out[k][length]};
        for (int j = 0; j < length; j += 4) {
            quarters units, weights;
            memcpy(&units, hidden + j, sizeof units);
            memcpy(&weights, layer->out[k] + j, sizeof weights);
            sums += units * weights;
        }
        logits[k] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
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
    add_out(layer, hidden, net->hidden, count, ends);
    softmax(ends, count);
    return count;
}

void net_back(const struct layer *layer, int length, int count, const float *hidden,
              const float *wanted, float *back) {
    memset(back, 0, (size_t)length * sizeof *back);
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < length; j++) {
            back[j] += wanted[k] * layer->out[k][j];
        }
    }
    for (int j = 0; j < length; j++) {
        back[j] = back[j] * hidden[j] * (1.0f - hidden[j]);
    }
}

void net_learn(struct net *net, const struct active *active, int class, const float *target,
               float step) {
    struct layer *layer = &net->classes[layer_of(net->shared, class)];
    float hidden[HIDDEN_MAX], ends[ENDS_MAX], wanted[ENDS_MAX], back[HIDDEN_MAX];
    int count = net_forward(net, active, class, hidden, ends);
    for (int k = 0; k < count; k++) {
        wanted[k] = step * (target[k] - ends[k]);
    }
    net_back(layer, net->hidden, count, hidden, wanted, back);
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < net->hidden; j++) {
            layer->out[k][j] += hidden[j] * wanted[k];
        }
        layer->out[k][net->hidden] += wanted[k];
    }
    for (int i = 0; i < active->count; i++) {
        float *row = layer->rows[active->rows[i]];
        for (int j = 0; j < net->hidden; j++) {
            row[j] += back[j];
        }
    }
}
