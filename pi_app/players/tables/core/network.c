#include "network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_MAX = 2048 };

/* The Pin game's ends: so many points at most, and more; then the mother; a tie is in the middle. */
static const int PIN_POINTS[] = {80, 40, 20, 10, 5};
enum { PIN_STEPS_OF_POINTS = 5, PIN_WAYS = PIN_STEPS_OF_POINTS + 2 };

int ends_of(enum game game) { return game == PIN ? 2 * PIN_WAYS + 1 : 6; }

static int way_won(enum game game, int points, int kind) {
    if (game != PIN) {
        return kind - 1;
    }
    if (kind == 0) {
        return 0;
    }
    int way = PIN_WAYS - 1;
    for (int i = 0; i < PIN_STEPS_OF_POINTS && points <= PIN_POINTS[i]; i++) {
        way--;
    }
    return way;
}

int end_of(enum game game, struct outcome outcome) {
    int ends = ends_of(game);
    if (outcome.points == 0) {
        return ends / 2;
    }
    if (outcome.points > 0) {
        return (ends + 1) / 2 + way_won(game, outcome.points, outcome.kind);
    }
    return ends / 2 - 1 - way_won(game, -outcome.points, outcome.kind);
}

void network_prepare(struct network *network) {
    for (int lane = 0; lane < 65536; lane++) {
        double x = (double)(lane - 32768) / network->scale;
        network->activation[lane] = (int32_t)floor(ACTIVATION / (1.0 + exp(-x)) + 0.5);
    }
}

typedef int16_t halves __attribute__((vector_size(64)));
typedef int16_t few_halves __attribute__((vector_size(32)));
typedef int32_t wholes __attribute__((vector_size(64)));
enum { HALVES = 32, TOGETHER = 8 };
_Static_assert(HIDDEN_MAX % HALVES == 0 && (int)ENDS_MAX == 16, "sums are taken side by side");

/* Whoever wrote the weights made sure that 16 bits hold the sums. */
static void add_rows(const struct network *network, const struct whole_layer *layer,
                     const struct active *active, int16_t *sum) {
    for (int at = 0; at < network->hidden; at += HALVES) {
        halves sums = {0};
        for (int i = 0; i < active->count; i++) {
            halves taken;
            memcpy(&taken, layer->rows[active->rows[i]] + at, sizeof taken);
            sums += taken;
        }
        memcpy(sum + at, &sums, sizeof sums);
    }
}

static void add_out(const struct network *network, const struct whole_layer *layer,
                    const int16_t *sum, int64_t *logits) {
    for (int k = 0; k < ENDS_MAX; k++) {
        logits[k] = (int64_t)ACTIVATION * layer->out[network->hidden][k];
    }
    for (int j = 0; j < network->hidden; j += TOGETHER) {
        /* Eight products of 2^12 and 2^15 stay below 2^31. */
        wholes part = {0};
        for (int i = j; i < j + TOGETHER; i++) {
            few_halves taken;
            memcpy(&taken, layer->out[i], sizeof taken);
            part += network->activation[sum[i] + 32768] * __builtin_convertvector(taken, wholes);
        }
        for (int k = 0; k < ENDS_MAX; k++) {
            logits[k] += part[k];
        }
    }
}

void network_ends(const struct network *network, const struct board *board, double *ends) {
    struct active active;
    int class = feature_list(network->game, board, &active), count = ends_of(network->game);
    if (class == RACE && network->game != PIN && bearoff_knows(board)) {
        bearoff_ends(board, ends);
        return;
    }
    const struct whole_layer *layer = &network->classes[layer_of(network->shared, class)];
    int16_t sum[HIDDEN_MAX];
    int64_t logits[ENDS_MAX];
    add_rows(network, layer, &active, sum);
    add_out(network, layer, sum, logits);
    int64_t most = logits[0];
    for (int k = 1; k < count; k++) {
        most = logits[k] > most ? logits[k] : most;
    }
    double all = 0;
    for (int k = 0; k < count; k++) {
        ends[k] = exp((double)(logits[k] - most) / ((double)ACTIVATION * network->out_scale));
        all += ends[k];
    }
    for (int k = 0; k < count; k++) {
        ends[k] /= all;
    }
}

uint32_t network_crc32(const uint8_t *bytes, size_t length) {
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
        }
    }
    return ~crc;
}

size_t network_length(enum game game, bool shared, int hidden) {
    size_t whole = 0;
    for (int class = 0; class < CLASSES; class++) {
        if (layer_of(shared, class) != class) {
            continue;
        }
        whole += (size_t)feature_rows(game, class) * (size_t)hidden;
        whole += (size_t)(hidden + 1) * (size_t)ends_of(game);
    }
    return 2 * whole;
}

/* The rows of each layer that is kept. */
void network_rows_text(enum game game, bool shared, char text[ROWS_TEXT]) {
    int contact = feature_rows(game, CONTACT), race = feature_rows(game, RACE);
    if (shared) {
        snprintf(text, ROWS_TEXT, "%d, %d", contact, race);
    } else {
        snprintf(text, ROWS_TEXT, "%d, %d, %d, %d, %d", contact, contact, contact, contact, race);
    }
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

static void take_body(struct network *network, const uint8_t *at) {
    for (int class = 0; class < CLASSES; class++) {
        if (layer_of(network->shared, class) != class) {
            continue;
        }
        struct whole_layer *layer = &network->classes[class];
        for (int row = 0; row < feature_rows(network->game, class); row++) {
            for (int j = 0; j < network->hidden; j++) {
                layer->rows[row][j] = get_whole(&at);
            }
        }
        for (int j = 0; j <= network->hidden; j++) {
            for (int k = 0; k < ends_of(network->game); k++) {
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

bool network_read(struct network *network, const char *path, long *games) {
    char header[HEADER_MAX], name[16] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    memset(network, 0, sizeof *network);
    bool good = fgets(header, sizeof header, file) != NULL;
    const char *named = good ? strstr(header, "\"game\": \"") : NULL;
    good = named && sscanf(named, "\"game\": \"%15[a-z]", name) == 1 &&
           game_named(name, &network->game);
    network->hidden = good ? (int)number_of(header, "hidden") : 0;
    good = good && network->hidden > 0 && network->hidden <= HIDDEN_MAX &&
           network->hidden % HALVES == 0;
    char rows[ROWS_TEXT], key[ROWS_TEXT + 16];
    if (good) {
        network_rows_text(network->game, true, rows);
        snprintf(key, sizeof key, "\"rows\": [%s]", rows);
        network->shared = strstr(header, key) != NULL;
    }
    size_t length = good ? network_length(network->game, network->shared, network->hidden) : 0;
    uint8_t *body = malloc(length + 1);
    good = good && body && fread(body, 1, length + 1, file) == length &&
           (long)network_crc32(body, length) == number_of(header, "crc32");
    fclose(file);
    if (good) {
        take_body(network, body);
        network->scale = (int)number_of(header, "scale");
        network->out_scale = (int)number_of(header, "out_scale");
        figures_of(header, "points", ends_of(network->game), network->points);
        figures_of(header, "shares", ends_of(network->game), network->shares);
        if (games) {
            *games = number_of(header, "games");
        }
        network_prepare(network);
    }
    free(body);
    return good;
}
