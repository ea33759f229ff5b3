#include "bearoff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSITIONS = 54264, TURNS = 32, ENDS = 6 };

/* How likely a side has no checker left after so many turns, and its first one off: at [n], in
 * exactly n turns. */
struct table {
    float all[POSITIONS][TURNS];
    float first[POSITIONS][TURNS];
    float mean_all[POSITIONS];
    float mean_first[POSITIONS];
};

static struct table *table;
static int32_t below[HOME + 1][CHECKERS + 2]; /* positions of fewer checkers on so many points */

static int number_of(const int8_t *men) {
    int number = 0, left = 0;
    for (int n = 1; n <= HOME; n++) {
        left += men[n];
        number += below[n][left];
    }
    return number;
}

/* Ways to place up to `most` checkers on `points` points. */
static int32_t ways(int points, int most) {
    int32_t product = 1;
    for (int i = 1; i <= points; i++) {
        product = product * (most + i) / i;
    }
    return product;
}

static void count_below(void) {
    for (int points = 1; points <= HOME; points++) {
        for (int men = 1; men <= CHECKERS; men++) {
            below[points][men] = ways(points, men - 1);
        }
    }
}

struct turn {
    int dice[4];
    int length;
    int best_all, best_first; /* the number of the position with the least mean */
    bool bears_off;           /* some way bears one off */
};

static void consider(struct turn *turn, const int8_t *men, bool off) {
    int number = number_of(men);
    if (turn->best_all < 0 || table->mean_all[number] < table->mean_all[turn->best_all]) {
        turn->best_all = number;
    }
    turn->bears_off = turn->bears_off || off;
    if (turn->best_first < 0 || table->mean_first[number] < table->mean_first[turn->best_first]) {
        turn->best_first = number;
    }
}

/* All ways to go on; with equal dice an origin is never higher than the one before, `top`. */
static void move_on(struct turn *turn, int8_t *men, int depth, int top, bool off) {
    int highest = HOME;
    while (highest > 0 && men[highest] == 0) {
        highest--;
    }
    if (depth == turn->length || highest == 0) {
        consider(turn, men, off);
        return;
    }
    int die = turn->dice[depth];
    for (int from = highest < top ? highest : top; from >= 1; from--) {
        int target = from - die;
        if (men[from] == 0 || (target < 0 && from != highest)) {
            continue;
        }
        men[from]--;
        men[target > 0 ? target : OFF] += target > 0;
        move_on(turn, men, depth + 1, turn->length == 4 ? from : HOME, off || target <= 0);
        men[target > 0 ? target : OFF] -= target > 0;
        men[from]++;
    }
}

static void add_turn(float *sum, const float *after, float weight) {
    for (int n = 0; n + 1 < TURNS; n++) {
        sum[n + 1] += weight * after[n];
    }
}

static float mean_of(const float *chances) {
    float mean = 0;
    for (int n = 1; n < TURNS; n++) {
        mean += (float)n * chances[n];
    }
    return mean;
}

static void work_out(int8_t *men) {
    int number = number_of(men);
    for (int high = 1; high <= FACES; high++) {
        for (int low = 1; low <= high; low++) {
            struct turn turn = {.best_all = -1, .best_first = -1};
            turn.length = high == low ? 4 : 2;
            for (int order = 0; order < (high == low ? 1 : 2); order++) {
                for (int i = 0; i < turn.length; i++) {
                    turn.dice[i] = (i + order) % 2 ? low : high;
                }
                move_on(&turn, men, 0, HOME, false);
            }
            float weight = (high == low ? 1.0f : 2.0f) / (FACES * FACES);
            add_turn(table->all[number], table->all[turn.best_all], weight);
            if (turn.bears_off) {
                table->first[number][1] += weight;
            } else {
                add_turn(table->first[number], table->first[turn.best_first], weight);
            }
        }
    }
    table->mean_all[number] = mean_of(table->all[number]);
    table->mean_first[number] = mean_of(table->first[number]);
}

/* Every position of up to `left` checkers more on this point and those below, the highest first. */
static void work_out_all(int8_t *men, int point, int left) {
    if (point == 0) {
        if (number_of(men)) {
            work_out(men);
        }
        return;
    }
    for (men[point] = 0; men[point] <= left; men[point]++) {
        work_out_all(men, point - 1, left - men[point]);
    }
    men[point] = 0;
}

bool bearoff_begin(void) {
    if (table == NULL) {
        count_below();
        table = calloc(1, sizeof *table);
        if (table) {
            int8_t men[PLACES] = {0};
            table->all[0][0] = table->first[0][0] = 1;
            work_out_all(men, HOME, CHECKERS);
        }
    }
    return table != NULL;
}

bool bearoff_knows(const struct board *board) {
    uint32_t men = places_of(board->own, 1) | places_of(board->opp, 1);
    return table && men >> (HOME + 1) == 0;
}

static double at_most_sure(double chance) { return chance > 1 ? 1 : chance; }

/* The chance that who is on roll with `mine` is ready no later than the other with `theirs`. */
static double sooner(const float *mine, const float *theirs) {
    double sum = 0, later = 1;
    for (int n = 0; n < TURNS; n++) {
        sum += (double)mine[n] * later; /* the other needs n turns or more */
        later -= (double)theirs[n];
    }
    return at_most_sure(sum);
}

/* The same for who is not on roll: strictly sooner in turns. */
static double sooner_after(const float *mine, const float *theirs) {
    double sum = 0, later = 1;
    for (int n = 0; n < TURNS; n++) {
        later -= (double)theirs[n];
        sum += (double)mine[n] * later; /* the other needs more than n turns */
    }
    return at_most_sure(sum);
}

void bearoff_ends(const struct board *board, double *ends) {
    int own = number_of(board->own), opp = number_of(board->opp);
    double win = sooner(table->all[own], table->all[opp]), gammon = 0, lost_gammon = 0;
    if (board->opp[OFF] == 0) {
        gammon = sooner(table->all[own], table->first[opp]);
    }
    if (board->own[OFF] == 0) {
        lost_gammon = sooner_after(table->all[opp], table->first[own]);
    }
    const double told[ENDS] = {0, lost_gammon, fmax(1 - win - lost_gammon, 0), fmax(win - gammon, 0), gammon, 0};
    memcpy(ends, told, sizeof told);
}
