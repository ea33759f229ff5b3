/* What is rounded, written, read and played with. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

enum { LANE_MAX = 32767, SCALE_MAX = 2048, OUT_SCALE = 2048, HEADER_MAX = 2048, ROWS_TEXT = 64 };

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
        for (int i = 0; class != RACE && game != PIN && i < BAR_STEPS; i++) {
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
    double most = most_of_steps(layer, row, PRIME_STEPS, j, sign), window = -1e9;
    row += PRIME_STEPS;
    for (int i = 0; i < WINDOW; i++) {
        window = fmax(window, sign * (double)layer->rows[row + i][j]);
    }
    row += WINDOW;
    for (int i = 0; i <= (game == PIN); i++) {
        most += most_of_steps(layer, row + i * SHOT_STEPS, SHOT_STEPS, j, sign);
    }
    return most + window;
}

static double greatest(enum game game, const struct layer *layer, int class) {
    int rows = feature_rows(game, class);
    int contact = PRIME_STEPS + WINDOW + SHOT_STEPS * (game == PIN ? 2 : 1);
    int side = (rows - 1) / 2 - (class != RACE ? contact : 0);
    double most = 0;
    for (int j = 0; j < HIDDEN; j++) {
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

static void prepare(struct shipped *shipped) {
    for (int lane = 0; lane < 65536; lane++) {
        double x = (double)(lane - 32768) / shipped->scale;
        shipped->activation[lane] = (int32_t)floor(ACTIVATION / (1.0 + exp(-x)) + 0.5);
    }
}

/* What games of each end came to, and their shares, alike for both sides. */
static void take_figures(const struct net *net, struct shipped *shipped) {
    int ends = ends_of(net->game);
    double all = 0;
    for (int k = 0; k < ends; k++) {
        all += net->counted[k];
    }
    for (int k = 0; k < ends; k++) {
        double both = net->counted[k] + net->counted[ends - 1 - k];
        shipped->points[k] = net->points[k];
        shipped->shares[k] = all > 0 ? both / (2 * all) : 0;
    }
}

void ship(const struct net *net, struct shipped *shipped) {
    memset(shipped, 0, sizeof *shipped);
    shipped->game = net->game;
    shipped->shared = net->shared;
    shipped->scale = SCALE_MAX;
    shipped->out_scale = OUT_SCALE;
    for (int class = 0; class < CLASSES; class++) {
        if (layer_of(net->shared, class) != class) {
            continue;
        }
        /* A tenth more, for what rounding adds. */
        double most = 1.1 * greatest(net->game, &net->classes[class], class);
        while (shipped->scale > 1 && most * shipped->scale > LANE_MAX) {
            shipped->scale /= 2;
        }
    }
    for (int class = 0; class < CLASSES; class++) {
        if (layer_of(net->shared, class) != class) {
            continue;
        }
        for (int row = 0; row < feature_rows(net->game, class); row++) {
            for (int j = 0; j < HIDDEN; j++) {
                shipped->classes[class].rows[row][j] =
                    rounded(net->classes[class].rows[row][j], shipped->scale);
            }
        }
        for (int j = 0; j <= HIDDEN; j++) {
            for (int k = 0; k < ends_of(net->game); k++) {
                shipped->classes[class].out[j][k] =
                    rounded(net->classes[class].out[j][k], shipped->out_scale);
            }
        }
    }
    take_figures(net, shipped);
    prepare(shipped);
}

typedef int16_t halves __attribute__((vector_size(64)));
typedef int16_t few_halves __attribute__((vector_size(32)));
typedef int32_t wholes __attribute__((vector_size(64)));
enum { HALVES = 32, BLOCKS = HIDDEN / HALVES, TOGETHER = 8 };
_Static_assert(HIDDEN % HALVES == 0 && ENDS_MAX == 16, "sums are taken side by side");

/* `ship` made sure that 16 bits hold them. */
static void add_rows(const struct whole_layer *layer, const struct active *active, int16_t *sum) {
    halves sums[BLOCKS] = {0};
    for (int i = 0; i < active->count; i++) {
        const int16_t *row = layer->rows[active->rows[i]];
        for (int block = 0; block < BLOCKS; block++) {
            halves taken;
            memcpy(&taken, row + block * HALVES, sizeof taken);
            sums[block] += taken;
        }
    }
    memcpy(sum, sums, sizeof sums);
}

static void add_out(const struct shipped *shipped, const struct whole_layer *layer,
                    const int16_t *sum, int64_t *logits) {
    for (int k = 0; k < ENDS_MAX; k++) {
        logits[k] = (int64_t)ACTIVATION * layer->out[HIDDEN][k];
    }
    for (int j = 0; j < HIDDEN; j += TOGETHER) {
        /* Eight products of 2^12 and 2^15 stay below 2^31. */
        wholes part = {0};
        for (int i = j; i < j + TOGETHER; i++) {
            few_halves taken;
            memcpy(&taken, layer->out[i], sizeof taken);
            part += shipped->activation[sum[i] + 32768] * __builtin_convertvector(taken, wholes);
        }
        for (int k = 0; k < ENDS_MAX; k++) {
            logits[k] += part[k];
        }
    }
}

void shipped_ends(const struct shipped *shipped, const struct board *board, double *ends) {
    struct active active;
    int class = feature_list(shipped->game, board, &active), count = ends_of(shipped->game);
    const struct whole_layer *layer = &shipped->classes[layer_of(shipped->shared, class)];
    int16_t sum[HIDDEN];
    int64_t logits[ENDS_MAX];
    add_rows(layer, &active, sum);
    add_out(shipped, layer, sum, logits);
    int64_t most = logits[0];
    for (int k = 1; k < count; k++) {
        most = logits[k] > most ? logits[k] : most;
    }
    double all = 0;
    for (int k = 0; k < count; k++) {
        ends[k] = exp((double)(logits[k] - most) / ((double)ACTIVATION * shipped->out_scale));
        all += ends[k];
    }
    for (int k = 0; k < count; k++) {
        ends[k] /= all;
    }
}

static uint32_t crc32(const uint8_t *bytes, size_t length) {
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
        }
    }
    return ~crc;
}

static size_t body_length(enum game game, bool shared) {
    size_t whole = 0;
    for (int class = 0; class < CLASSES; class++) {
        if (layer_of(shared, class) != class) {
            continue;
        }
        whole += (size_t)feature_rows(game, class) * HIDDEN;
        whole += (size_t)(HIDDEN + 1) * (size_t)ends_of(game);
    }
    return 2 * whole;
}

static uint8_t *put_whole(uint8_t *at, int16_t value) {
    *at++ = (uint8_t)((uint16_t)value & 255u);
    *at++ = (uint8_t)((uint16_t)value >> 8);
    return at;
}

static uint8_t *body_of(const struct shipped *shipped) {
    uint8_t *body = malloc(body_length(shipped->game, shipped->shared)), *at = body;
    for (int class = 0; body && class < CLASSES; class++) {
        if (layer_of(shipped->shared, class) != class) {
            continue;
        }
        const struct whole_layer *layer = &shipped->classes[class];
        for (int row = 0; row < feature_rows(shipped->game, class); row++) {
            for (int j = 0; j < HIDDEN; j++) {
                at = put_whole(at, layer->rows[row][j]);
            }
        }
        for (int j = 0; j <= HIDDEN; j++) {
            for (int k = 0; k < ends_of(shipped->game); k++) {
                at = put_whole(at, layer->out[j][k]);
            }
        }
    }
    return body;
}

/* The rows of each layer that is kept. */
static void rows_text(enum game game, bool shared, char text[ROWS_TEXT]) {
    int contact = feature_rows(game, CONTACT), race = feature_rows(game, RACE);
    if (shared) {
        snprintf(text, ROWS_TEXT, "%d, %d", contact, race);
    } else {
        snprintf(text, ROWS_TEXT, "%d, %d, %d, %d, %d", contact, contact, contact, contact, race);
    }
}

bool shipped_write(const struct shipped *shipped, const char *path, uint64_t seed, long games) {
    enum game game = shipped->game;
    size_t length = body_length(game, shipped->shared);
    uint8_t *body = body_of(shipped);
    char rows[ROWS_TEXT];
    rows_text(game, shipped->shared, rows);
    FILE *file = body ? fopen(path, "wb") : NULL;
    if (file == NULL) {
        free(body);
        return false;
    }
    fprintf(file,
            "{\"format\": 1, \"game\": \"%s\", \"features\": \"tables-1\", \"hidden\": %d, "
            "\"ends\": %d, \"rows\": [%s], \"scale\": %d, \"out_scale\": %d, \"seed\": %llu, "
            "\"games\": %ld, \"crc32\": %lu, \"points\": [",
            game_name(game), HIDDEN, ends_of(game), rows, shipped->scale, shipped->out_scale, (unsigned long long)seed,
            games, (unsigned long)crc32(body, length));
    for (int k = 0; k < ends_of(game); k++) {
        fprintf(file, "%s%.4f", k ? ", " : "", shipped->points[k]);
    }
    fprintf(file, "], \"shares\": [");
    for (int k = 0; k < ends_of(game); k++) {
        fprintf(file, "%s%.6f", k ? ", " : "", shipped->shares[k]);
    }
    fprintf(file, "]}\n");
    bool good = fwrite(body, length, 1, file) == 1;
    free(body);
    return fclose(file) == 0 && good;
}

static long number_of(const char *header, const char *name) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(header, key);
    return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

static int16_t get_whole(const uint8_t **at) {
    uint16_t value = (uint16_t)((*at)[0] | (*at)[1] << 8);
    *at += 2;
    return (int16_t)value;
}

static void take_body(struct shipped *shipped, const uint8_t *at) {
    for (int class = 0; class < CLASSES; class++) {
        if (layer_of(shipped->shared, class) != class) {
            continue;
        }
        struct whole_layer *layer = &shipped->classes[class];
        for (int row = 0; row < feature_rows(shipped->game, class); row++) {
            for (int j = 0; j < HIDDEN; j++) {
                layer->rows[row][j] = get_whole(&at);
            }
        }
        for (int j = 0; j <= HIDDEN; j++) {
            for (int k = 0; k < ends_of(shipped->game); k++) {
                layer->out[j][k] = get_whole(&at);
            }
        }
    }
}

static void figures_of(const char *header, const char *name, int count, double *figures) {
    char key[32];
    snprintf(key, sizeof key, "\"%s\": [", name);
    const char *at = strstr(header, key);
    char *next = at ? (char *)(at + strlen(key)) : NULL;
    for (int k = 0; next && k < count; k++) {
        figures[k] = strtod(next, &next);
        next++;
    }
}

bool shipped_read(struct shipped *shipped, const char *path, long *games) {
    char header[HEADER_MAX], name[16] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    memset(shipped, 0, sizeof *shipped);
    bool good = fgets(header, sizeof header, file) != NULL;
    const char *named = good ? strstr(header, "\"game\": \"") : NULL;
    good = named && sscanf(named, "\"game\": \"%15[a-z]", name) == 1 &&
           game_named(name, &shipped->game) && number_of(header, "hidden") == HIDDEN;
    char rows[ROWS_TEXT], key[ROWS_TEXT + 16];
    if (good) {
        rows_text(shipped->game, true, rows);
        snprintf(key, sizeof key, "\"rows\": [%s]", rows);
        shipped->shared = strstr(header, key) != NULL;
    }
    size_t length = good ? body_length(shipped->game, shipped->shared) : 0;
    uint8_t *body = malloc(length + 1);
    good = good && body && fread(body, 1, length + 1, file) == length &&
           (long)crc32(body, length) == number_of(header, "crc32");
    fclose(file);
    if (good) {
        take_body(shipped, body);
        shipped->scale = (int)number_of(header, "scale");
        shipped->out_scale = (int)number_of(header, "out_scale");
        figures_of(header, "points", ends_of(shipped->game), shipped->points);
        figures_of(header, "shares", ends_of(shipped->game), shipped->shares);
        if (games) {
            *games = number_of(header, "games");
        }
        prepare(shipped);
    }
    free(body);
    return good;
}
