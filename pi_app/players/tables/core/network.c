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
    for (int sum = INT16_MIN; sum <= INT16_MAX; sum++) {
        double x = (double)sum / network->scale;
        network->activation[(uint16_t)sum] = (int16_t)floor(ACTIVATION / (1.0 + exp(-x)) + 0.5);
    }
}

/* Vectors of 16 bytes, which every processor keeps in a register. The compiler keeps wider ones in
 * memory where it may not use wider registers, at several times the cost; where it may, they gain
 * little, because reading the rows takes longer than adding them. */
typedef uint16_t lanes __attribute__((vector_size(16)));
enum { LANES = 8, TOGETHER = 4 * LANES };
_Static_assert(HIDDEN_MAX % TOGETHER == 0, "sums are taken side by side");

static inline lanes taken(const void *from, int number) {
    lanes found;
    memcpy(&found, (const lanes *)from + number, sizeof found);
    return found;
}

/* Whoever wrote the weights made sure that 16 bits hold the sums; on the way there they may wrap. */
static void add_rows(const struct whole_layer *layer, const struct active *come,
                     const struct active *gone, int hidden, uint16_t *sum) {
    for (int at = 0; at < hidden; at += TOGETHER) {
        lanes a = taken(sum + at, 0), b = taken(sum + at, 1);
        lanes c = taken(sum + at, 2), d = taken(sum + at, 3);
        for (int i = 0; i < come->count; i++) {
            const int16_t *row = layer->rows[come->rows[i]] + at;
            a += taken(row, 0), b += taken(row, 1), c += taken(row, 2), d += taken(row, 3);
        }
        for (int i = 0; i < gone->count; i++) {
            const int16_t *row = layer->rows[gone->rows[i]] + at;
            a -= taken(row, 0), b -= taken(row, 1), c -= taken(row, 2), d -= taken(row, 3);
        }
        const lanes sums[] = {a, b, c, d};
        memcpy(sum + at, sums, sizeof sums);
    }
}

/* 32 bits hold the sums: `network_fits` has looked. */
static void add_out(const struct whole_layer *layer, const int16_t *hidden, int length, int ends,
                    int32_t *logits) {
    for (int k = 0; k < ends; k++) {
        int32_t sum = ACTIVATION * layer->out[k][length];
        for (int j = 0; j < length; j++) {
            sum += hidden[j] * layer->out[k][j];
        }
        logits[k] = sum;
    }
}

bool network_fits(const struct network *network) {
    for (int class = 0; class < CLASSES; class++) {
        for (int k = 0; k < ends_of(network->game); k++) {
            int64_t most = 0;
            for (int j = 0; j <= network->hidden; j++) {
                most += abs(network->classes[class].out[k][j]);
            }
            if (ACTIVATION * most > INT32_MAX) {
                return false;
            }
        }
    }
    return true;
}

static void renew(struct sums *sums, const struct network *network, int class,
                  const struct levels *levels) {
    const struct whole_layer *layer = &network->classes[layer_of(network->shared, class)];
    struct active come, gone;
    come.count = gone.count = 0;
    if (sums->layer != layer) {
        memset(&sums->levels, 0, sizeof sums->levels);
        memcpy(sums->hidden, layer->rows[0], sizeof sums->hidden);
    }
    feature_changes(network->game, class, &sums->levels, levels, &come, &gone);
    add_rows(layer, &come, &gone, network->hidden, sums->hidden);
    sums->levels = *levels;
    sums->layer = layer;
}

void network_ends(const struct network *network, const struct board *board, double *ends) {
    struct sums sums = {.layer = NULL};
    network_ends_after(network, board, &sums, ends);
}

void network_ends_after(const struct network *network, const struct board *board,
                        struct sums *sums, double *ends) {
    struct levels levels;
    int class = feature_levels(network->game, board, &levels), count = ends_of(network->game);
    int length = network->hidden / TOGETHER * TOGETHER; /* tells the compiler a divisor */
    if (class == RACE && network->game != PIN && bearoff_knows(board)) {
        bearoff_ends(board, ends);
        return;
    }
    int16_t hidden[HIDDEN_MAX];
    int32_t logits[ENDS_MAX];
    renew(sums, network, class, &levels);
    for (int at = 0; at < length; at += LANES) {
        for (int j = at; j < at + LANES; j++) {
            hidden[j] = network->activation[sums->hidden[j]];
        }
    }
    add_out(sums->layer, hidden, length, count, logits);
    int32_t most = logits[0];
    for (int k = 1; k < count; k++) {
        most = logits[k] > most ? logits[k] : most;
    }
    double all = 0;
    for (int k = 0; k < count; k++) {
        ends[k] = exp(((double)logits[k] - most) / ((double)ACTIVATION * network->out_scale));
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
                layer->out[k][j] = get_whole(&at);
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
           network->hidden % TOGETHER == 0;
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
        good = network_fits(network);
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
