#include "core.h"

#include <stdlib.h>
#include <string.h>

static void read_men(const uint8_t *bytes, int8_t *men) {
    for (int i = 0; i < BYTES; i++) {
        men[2 * i] = (int8_t)(bytes[i] & 15);
        men[2 * i + 1] = (int8_t)(bytes[i] >> 4);
    }
}

static uint32_t read_pinned(const uint8_t *bytes) {
    int8_t men[PLACES];
    read_men(bytes, men);
    return places_of(men, 1);
}

static struct board read_board(const uint8_t *bytes) {
    struct board board = {0};
    read_men(bytes, board.own);
    read_men(bytes + BYTES, board.opp);
    board.own_pinned = read_pinned(bytes + 2 * BYTES);
    board.opp_pinned = read_pinned(bytes + 3 * BYTES);
    board_seal(&board);
    return board;
}

struct network *spotter_tables_open(const char *path) {
    struct network *network = malloc(sizeof *network);
    feature_begin();
    if (network && !(network_read(network, path, NULL) &&
                     (network->game == PIN || bearoff_begin()))) {
        free(network);
        return NULL;
    }
    return network;
}

void spotter_tables_close(struct network *network) { free(network); }

/* Nobody loses more than one point who has borne off a checker. */
static void only_possible(const struct network *network, const struct board *board, double *ends) {
    if (network->game == PIN) {
        return;
    }
    if (board->own[OFF]) {
        ends[2] += ends[1] + ends[0];
        ends[1] = ends[0] = 0;
    }
    if (board->opp[OFF]) {
        ends[3] += ends[4] + ends[5];
        ends[4] = ends[5] = 0;
    }
}

void spotter_tables_ends(const struct network *network, const uint8_t *boards, int32_t count,
                         double *ends) {
    struct sums sums = {.layer = NULL};
    for (int32_t i = 0; i < count; i++) {
        struct board board = read_board(boards + i * BOARD_BYTES);
        network_ends_after(network, &board, &sums, ends + i * ENDS_MAX);
        only_possible(network, &board, ends + i * ENDS_MAX);
    }
}

/* The worth of a result to who made it, and its ends. */
static double worth_of(const struct network *network, const struct board *board,
                       struct sums *sums, const double *worths, const double *finals, int32_t most,
                       double *ends) {
    struct outcome outcome;
    int count = ends_of(network->game);
    if (board_outcome(network->game, board, &outcome)) {
        int points = outcome.points > most ? most : outcome.points < -most ? -most : outcome.points;
        memset(ends, 0, (size_t)count * sizeof *ends);
        ends[end_of(network->game, outcome)] = 1;
        return finals[most - points];
    }
    network_ends_after(network, board, sums, ends);
    only_possible(network, board, ends);
    double sum = 0;
    for (int k = 0; k < count; k++) {
        sum += ends[k] * worths[k];
    }
    return -sum;
}

/* What the best result of a roll tells, TOLD numbers, and the result itself. */
static void best_of(const struct network *network, const struct board *board, int high, int low,
                    struct sums *sums, const double *worths, const double *finals, int32_t most,
                    struct results *results, double *told, struct board *best) {
    memset(told, 0, TOLD * sizeof *told);
    told[0] = -1e9;
    board_results(network->game, board, high, low, results);
    double ends[ENDS_MAX] = {0};
    for (int i = 0; i < results->count; i++) {
        const struct board *result = &results->boards[i];
        double worth = worth_of(network, result, sums, worths, finals, most, ends);
        if (worth > told[0]) {
            told[0] = worth;
            memcpy(told + 1, ends, sizeof ends);
            *best = *result;
        }
    }
}

static double share_of(int high, int low) { return (high == low ? 1.0 : 2.0) / (FACES * FACES); }

void spotter_tables_rolls(const struct network *network, const uint8_t *bytes,
                          const double *worths, const double *finals, int32_t most, double *told) {
    struct results *results = malloc(sizeof *results);
    struct board board = read_board(bytes), best;
    struct sums sums = {.layer = NULL};
    memset(told, 0, ROLLS * TOLD * sizeof *told);
    for (int high = 1; results && high <= FACES; high++) {
        for (int low = 1; low <= high; low++, told += TOLD) {
            best_of(network, &board, high, low, &sums, worths, finals, most, results, told, &best);
        }
    }
    free(results);
}

void spotter_tables_answered(const struct network *network, const uint8_t *bytes,
                             const double *worths, const double *finals, int32_t most,
                             double *told) {
    double rolls[ROLLS * TOLD], *of_roll = rolls;
    spotter_tables_rolls(network, bytes, worths, finals, most, rolls);
    memset(told, 0, TOLD * sizeof *told);
    for (int high = 1; high <= FACES; high++) {
        for (int low = 1; low <= high; low++, of_roll += TOLD) {
            for (int k = 0; k < TOLD; k++) {
                told[k] += share_of(high, low) * of_roll[k];
            }
        }
    }
}

/* Add `weight` times what a turn tells, as the side that is on roll first sees it. */
static void add_told(enum game game, double *sum, const double *told, bool own, double weight) {
    int count = ends_of(game);
    sum[0] += (own ? weight : -weight) * told[0];
    for (int k = 0; k < count; k++) {
        sum[1 + k] += weight * told[1 + (own ? count - 1 - k : k)];
    }
}

/* A roll's luck is what it is worth above the mean of all rolls.  Without the luck of its rolls a
 * game comes to the means of all its turns less what the rolls before the last one brought. */
void spotter_tables_played_on(const struct network *network, const uint8_t *bytes,
                              const double *worths, const double *finals, int32_t most,
                              const uint8_t *dice, int32_t turns, double *told) {
    struct results *results = malloc(sizeof *results);
    struct board board = read_board(bytes), next = board;
    struct sums sums = {.layer = NULL};
    struct outcome outcome;
    memset(told, 0, TOLD * sizeof *told);
    for (int turn = 0; results && turn < turns; turn++, board = next) {
        double of_roll[TOLD], came[TOLD] = {0};
        bool own = turn % 2 == 0;
        const double *others = own ? worths + ENDS_MAX : worths;
        const double *ours = own ? finals : finals + 2 * most + 1;
        for (int high = 1; high <= FACES; high++) {
            for (int low = 1; low <= high; low++) {
                struct board best;
                best_of(network, &board, high, low, &sums, others, ours, most, results, of_roll,
                        &best);
                add_told(network->game, told, of_roll, own, share_of(high, low));
                if (high == dice[2 * turn] && low == dice[2 * turn + 1]) {
                    memcpy(came, of_roll, sizeof came);
                    next = best;
                }
            }
        }
        if (turn + 1 == turns || board_outcome(network->game, &next, &outcome)) {
            break;
        }
        add_told(network->game, told, came, own, -1);
    }
    free(results);
}
