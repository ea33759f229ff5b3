#include "play.h"

#include <stdlib.h>
#include <string.h>

static const double POINTS_A_GAME = 20.0; /* of the Pin game, where points and games are mixed */

struct roll roll_dice(struct chance *chance) {
    int one = 1 + (int)chance_below(chance, FACES), other = 1 + (int)chance_below(chance, FACES);
    return one > other ? (struct roll){one, other} : (struct roll){other, one};
}

double worth_of_points(enum game game, double points) {
    return points / (game == PIN ? POINTS_A_GAME : 1);
}

void worth_of_ends(enum game game, const double *points, double greed, double *worth) {
    int ends = ends_of(game);
    for (int k = 0; k < ends; k++) {
        double sign = 2 * k + 1 < ends ? -1 : 2 * k + 1 > ends ? 1 : 0;
        worth[k] = sign * ((1 - greed) + greed * worth_of_points(game, points[k]));
    }
}

/* The greedy player of pi_app/players/judging.py. */
struct marks {
    double struck, off, point, home_point, blot, pip;
};

static double runner_marks(const int8_t *own) {
    double sum = 12 * own[OFF];
    for (int n = 1; n < PLACES; n++) {
        int held = own[n] > 0, ahead = n > HOME && n <= ACROSS;
        sum += (2 + 3 * ahead) * held - 0.1 * n * own[n];
    }
    return sum;
}

static double greedy_marks(enum game game, const struct board *after) {
    if (game == FEVGA) {
        return runner_marks(after->opp);
    }
    const struct marks pinner = {100, 10, 3, 0, -2, 0}, hitter = {20, 12, 4, 3, -3, -0.1};
    const struct marks marks = game == PIN ? pinner : hitter;
    /* The board is the enemy's to roll: own are his men. */
    const int8_t *own = after->opp, *enemy = after->own;
    int last = 0;
    double sum = marks.struck * (enemy[BAR] + __builtin_popcount(after->own_pinned));
    for (int n = 1; n < PLACES; n++) {
        last = enemy[n] ? n : last;
        sum += marks.pip * n * own[n];
    }
    sum += marks.off * own[OFF];
    for (int n = 1; n < BAR; n++) {
        if (own[n] == 0 || board_opp_pinned(after, n)) {
            continue;
        }
        if (own[n] > 1 || enemy[BAR - n]) {
            sum += marks.point + (n <= HOME ? marks.home_point : 0);
        } else if (n > BAR - last) {
            sum += marks.blot;
        }
    }
    return sum;
}

double judged(enum game game, const struct player *player, const struct board *after) {
    struct outcome outcome;
    if (board_outcome(game, after, &outcome)) {
        if (player->kind == GREEDY) {
            return -1e6 * outcome.points;
        }
        return -player->worth[end_of(game, outcome)];
    }
    if (player->kind == GREEDY) {
        return greedy_marks(game, after);
    }
    double ends[ENDS_MAX], sum = 0;
    network_ends(player->network, after, ends);
    for (int k = 0; k < ends_of(game); k++) {
        sum += ends[k] * player->worth[k];
    }
    return -sum;
}

/* What is left to a player after the other's best answers to each roll. */
static double deeper(enum game game, const struct player *player, const struct board *after,
                     struct results *scratch) {
    struct outcome outcome;
    if (board_outcome(game, after, &outcome)) {
        return -player->worth[end_of(game, outcome)];
    }
    double sum = 0;
    for (int high = 1; high <= FACES; high++) {
        for (int low = 1; low <= high; low++) {
            board_results(game, after, high, low, scratch);
            double best = -1e9;
            for (int i = 0; i < scratch->count; i++) {
                double worth = judged(game, player, &scratch->boards[i]);
                best = worth > best ? worth : best;
            }
            sum -= (high == low ? 1 : 2) * best;
        }
    }
    return sum / (FACES * FACES);
}

static int choose_deeper(enum game game, const struct player *player,
                         const struct results *results, double *worths) {
    static struct results scratch;
    int best = -1;
    double most = -1e9;
    for (int times = 0; times < player->examined && times < results->count; times++) {
        int next = 0;
        for (int i = 1; i < results->count; i++) {
            next = worths[i] > worths[next] ? i : next;
        }
        worths[next] = -1e9;
        double worth = deeper(game, player, &results->boards[next], &scratch);
        if (worth > most) {
            most = worth;
            best = next;
        }
    }
    return best;
}

int choose(enum game game, const struct player *player, const struct results *results,
           struct chance *chance) {
    if (results->count == 1) {
        return 0;
    }
    if (player->kind == RANDOM) {
        return (int)chance_below(chance, (uint32_t)results->count);
    }
    double worths[RESULTS_MAX], most = -1e12;
    int best = 0, alike = 0;
    for (int i = 0; i < results->count; i++) {
        worths[i] = judged(game, player, &results->boards[i]);
        alike = worths[i] > most ? 1 : alike + (worths[i] == most);
        if (worths[i] > most || (worths[i] == most && chance_below(chance, (uint32_t)alike) == 0)) {
            most = worths[i];
            best = i;
        }
    }
    return player->ply > 1 ? choose_deeper(game, player, results, worths) : best;
}

int play_game(enum game game, const struct player *first, const struct player *second, long number,
              struct chance *chance) {
    static struct results results;
    struct board board = board_start(game);
    struct outcome outcome;
    struct roll roll = roll_dice(chance);
    while ((game == BACKGAMMON || game == HYPERGAMMON) && roll.high == roll.low) {
        roll = roll_dice(chance);
    }
    for (long turn = number;; turn++) {
        board_results(game, &board, roll.high, roll.low, &results);
        board = results.boards[choose(game, turn % 2 ? second : first, &results, chance)];
        if (board_outcome(game, &board, &outcome)) {
            /* Seen by who would be next. */
            return turn % 2 ? outcome.points : -outcome.points;
        }
        roll = roll_dice(chance);
    }
}

void tally_add(struct tally *tally, int points) {
    tally->won += points > 0;
    tally->tied += points == 0;
    tally->lost += points < 0;
    tally->points += points;
    tally->squares += (double)points * points;
}
