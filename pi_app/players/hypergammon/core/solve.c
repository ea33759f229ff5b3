#include "solve.h"

#include <stdlib.h>
#include <string.h>

enum { STANDS_MAX = 3276, PIPS_MAX = BAR * CHECKERS_MAX, NOWHERE = 31 };
enum { ALIKE_MAX = 128 }; /* more than there are stands of as many pips */
/* Two dice, then the higher one alone, then the lower; or a doublet's four steps, three, two, one. */
enum { GROUPS = 4 };

/* A way to play: the points that it lands on, as bits by the mover's numbers, and the stand it ends
 * in.  Whether it is legal depends on the other side by these points alone. */
struct way {
    uint32_t landed;
    int32_t stand;
};

struct ways {
    struct way *all;
    int32_t count, room;
};

struct solution {
    int checkers, stands;
    int8_t men[STANDS_MAX][CHECKERS_MAX]; /* ascending; a checker that the game lacks is off */
    int16_t number[BAR + 1][BAR + 1][BAR + 1];
    int32_t from[PIPS_MAX + 2]; /* the first stand of so many pips */
    uint32_t closed[STANDS_MAX], blots[STANDS_MAX]; /* bits by the other side's numbers */
    int8_t blot[STANDS_MAX][CHECKERS_MAX];          /* each checker's bit, NOWHERE if it is no blot */
    int16_t struck[STANDS_MAX][1 << CHECKERS_MAX];  /* the stand after these checkers are hit */
    /* ways.all[first[stand][roll][group]] and on, up to the next group's first */
    int32_t first[STANDS_MAX][ROLLS][GROUPS + 1];
    struct ways ways;
    int32_t (*values)[VALUES];    /* [moved * stands + on_roll] */
    uint16_t (*chances)[CHANCES]; /* the same */
    int32_t (*new_values)[VALUES];
    uint16_t (*new_chances)[CHANCES];
};

static size_t place(const struct solution *solution, int moved, int on_roll) {
    return (size_t)moved * (size_t)solution->stands + (size_t)on_roll;
}

/* 1 a plain win against this stand, 2 a gammon, 3 a backgammon. */
static int kind_of(const struct solution *solution, int loser) {
    const int8_t *men = solution->men[loser];
    if (men[CHECKERS_MAX - solution->checkers] == 0) {
        return 1;
    }
    return men[CHECKERS_MAX - 1] >= BAR - HOME ? 3 : 2;
}

static int pips_of(const int8_t *men) { return men[0] + men[1] + men[2]; }

static void number_stands(struct solution *solution) {
    static const int8_t ORDERS[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int checkers = solution->checkers, count = 0;
    for (int pips = 0; pips <= PIPS_MAX; pips++) {
        solution->from[pips] = count;
        for (int a = 0; a <= (checkers > 2 ? BAR : 0); a++) {
            for (int b = a; b <= (checkers > 1 ? BAR : 0); b++) {
                int c = pips - a - b;
                if (c < b || c > BAR) {
                    continue;
                }
                const int8_t men[3] = {(int8_t)a, (int8_t)b, (int8_t)c};
                memcpy(solution->men[count], men, sizeof men);
                for (int i = 0; i < 6; i++) {
                    const int8_t *order = ORDERS[i];
                    solution->number[men[order[0]]][men[order[1]]][men[order[2]]] = (int16_t)count;
                }
                count++;
            }
        }
    }
    solution->from[PIPS_MAX + 1] = solution->stands = count;
}

static void look_across(struct solution *solution, int stand) {
    const int8_t *men = solution->men[stand];
    for (int i = 0; i < CHECKERS_MAX; i++) {
        bool on_point = men[i] > 0 && men[i] < BAR;
        int alike = 0;
        for (int k = 0; k < CHECKERS_MAX; k++) {
            alike += men[k] == men[i];
        }
        uint32_t bit = on_point ? 1u << (BAR - men[i]) : 0;
        solution->blot[stand][i] = NOWHERE;
        if (alike > 1) {
            solution->closed[stand] |= bit;
        } else if (bit) {
            solution->blots[stand] |= bit;
            solution->blot[stand][i] = (int8_t)(BAR - men[i]);
        }
    }
    for (int some = 0; some < 1 << CHECKERS_MAX; some++) {
        int8_t after[CHECKERS_MAX];
        for (int i = 0; i < CHECKERS_MAX; i++) {
            after[i] = some >> i & 1 ? BAR : men[i];
        }
        solution->struck[stand][some] = solution->number[after[0]][after[1]][after[2]];
    }
}

/* Where checker i gets by a die, -1 if it may not move whatever the other side has. */
static int target(const int8_t *men, int i, int die) {
    int last = men[0] > men[1] ? men[0] : men[1];
    last = men[2] > last ? men[2] : last;
    if (men[i] == 0 || (last == BAR && men[i] != BAR)) {
        return -1;
    }
    int to = men[i] - die;
    if (to > 0) {
        return to;
    }
    return last > HOME || (to < 0 && men[i] != last) ? -1 : 0;
}

static bool add(struct solution *solution, int32_t since, uint32_t landed, const int8_t *men) {
    struct ways *ways = &solution->ways;
    struct way way = {landed, solution->number[men[0]][men[1]][men[2]]};
    for (int32_t i = since; i < ways->count; i++) {
        if (ways->all[i].landed == way.landed && ways->all[i].stand == way.stand) {
            return true;
        }
    }
    if (ways->count == ways->room) {
        ways->room = 2 * ways->room + 1024;
        struct way *more = realloc(ways->all, (size_t)ways->room * sizeof *more);
        if (!more) {
            return false;
        }
        ways->all = more;
    }
    ways->all[ways->count++] = way;
    return true;
}

/* Add all ways to play these dice in this order.  Any turn can be made from back to front, so a
 * doublet's origins never rise. */
static bool add_ways(struct solution *solution, int32_t since, const int8_t *men, uint32_t landed,
                     const int8_t *dice, int count, bool doublet, int top) {
    if (count == 0) {
        return add(solution, since, landed, men);
    }
    for (int i = 0; i < CHECKERS_MAX; i++) {
        int to = target(men, i, dice[0]);
        if (to < 0 || men[i] > top) {
            continue;
        }
        int8_t after[CHECKERS_MAX];
        memcpy(after, men, sizeof after);
        after[i] = (int8_t)to;
        uint32_t lands = to ? landed | 1u << to : landed;
        if (!add_ways(solution, since, after, lands, dice + 1, count - 1, doublet,
                      doublet ? men[i] : BAR)) {
            return false;
        }
    }
    return true;
}

static bool list_ways(struct solution *solution, int stand, int roll, int high, int low) {
    const int8_t *men = solution->men[stand];
    const int8_t dice[4] = {(int8_t)high, (int8_t)low, (int8_t)high, (int8_t)high};
    int32_t *first = solution->first[stand][roll];
    bool good = true;
    for (int group = 0; group < GROUPS; group++) {
        int32_t since = first[group] = solution->ways.count;
        if (high == low) {
            good = good && add_ways(solution, since, men, 0, dice, GROUPS - group, true, BAR);
        } else if (group == 0) {
            good = good && add_ways(solution, since, men, 0, dice, 2, false, BAR) &&
                   add_ways(solution, since, men, 0, dice + 1, 2, false, BAR);
        } else if (group < 3) {
            good = good && add_ways(solution, since, men, 0, dice + group - 1, 1, false, BAR);
        }
    }
    first[GROUPS] = solution->ways.count;
    return good;
}

static bool list_all_ways(struct solution *solution) {
    for (int stand = 0; stand < solution->stands; stand++) {
        int roll = 0;
        for (int high = 1; high <= FACES; high++) {
            for (int low = 1; low <= high; low++) {
                if (!list_ways(solution, stand, roll++, high, low)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* Games that the side which has just moved has won. */
static void end_games(struct solution *solution) {
    for (int loser = 1; loser < solution->stands; loser++) {
        int kind = kind_of(solution, loser);
        int32_t *values = solution->values[place(solution, 0, loser)];
        uint16_t *chances = solution->chances[place(solution, 0, loser)];
        for (int value = 0; value < VALUES; value++) {
            values[value] = value == WINS || value == JACOBY ? -POINT : -kind * POINT;
        }
        chances[LOST_GAMMON] = kind >= 2 ? SURE : 0;
        chances[LOST_BACKGAMMON] = kind >= 3 ? SURE : 0;
    }
}

static int32_t most_in_layer(const struct solution *solution) {
    int32_t most = 0;
    for (int layer = 0; layer <= 2 * PIPS_MAX; layer++) {
        int32_t count = 0;
        for (int pips = 0; pips <= PIPS_MAX; pips++) {
            int left = layer - pips;
            if (left >= 0 && left <= PIPS_MAX) {
                count += (solution->from[pips + 1] - solution->from[pips]) *
                         (solution->from[left + 1] - solution->from[left]);
            }
        }
        most = count > most ? count : most;
    }
    return most;
}

struct solution *spotter_hypergammon_open(int32_t checkers) {
    struct solution *solution = calloc(1, sizeof *solution);
    if (!solution || checkers < 1 || checkers > CHECKERS_MAX) {
        free(solution);
        return NULL;
    }
    solution->checkers = checkers;
    number_stands(solution);
    for (int stand = 0; stand < solution->stands; stand++) {
        look_across(solution, stand);
    }
    size_t count = (size_t)solution->stands * (size_t)solution->stands;
    size_t layer = (size_t)most_in_layer(solution);
    solution->values = calloc(count, sizeof *solution->values);
    solution->chances = calloc(count, sizeof *solution->chances);
    solution->new_values = calloc(layer, sizeof *solution->new_values);
    solution->new_chances = calloc(layer, sizeof *solution->new_chances);
    if (!solution->values || !solution->chances || !solution->new_values ||
        !solution->new_chances || !list_all_ways(solution)) {
        spotter_hypergammon_close(solution);
        return NULL;
    }
    end_games(solution);
    return solution;
}

void spotter_hypergammon_close(struct solution *solution) {
    free(solution->values);
    free(solution->chances);
    free(solution->new_values);
    free(solution->new_chances);
    free(solution->ways.all);
    free(solution);
}

int32_t spotter_hypergammon_stands(const struct solution *solution) { return solution->stands; }

int32_t spotter_hypergammon_layers(const struct solution *solution) {
    return 2 * BAR * solution->checkers + 1;
}

/* Some positions of a layer with the same side on roll, whose results lie side by side. */
struct batch {
    const struct solution *solution;
    int mine, count;
    int16_t theirs[ALIKE_MAX];
    int32_t least[ALIKE_MAX][VALUES]; /* of all results of a roll, to the other side */
    size_t best[ALIKE_MAX];         /* the place of the result with the least points */
    bool judged[ALIKE_MAX];
    int64_t sums[ALIKE_MAX][VALUES];
    int32_t ends[ALIKE_MAX][CHANCES];
};

static void consider(struct batch *batch, int i, int moved, int on_roll) {
    const struct solution *solution = batch->solution;
    size_t here = place(solution, moved, on_roll);
    const int32_t *values = solution->values[here];
    int32_t *least = batch->least[i];
    batch->best[i] = values[POINTS] < least[POINTS] ? here : batch->best[i];
    for (int value = 0; value < VALUES; value++) {
        least[value] = values[value] < least[value] ? values[value] : least[value];
    }
}

static int struck_by(const struct solution *solution, int theirs, uint32_t landed) {
    const int8_t *blot = solution->blot[theirs];
    return solution->struck[theirs][(landed >> blot[0] & 1u) | (landed >> blot[1] & 1u) << 1 |
                                    (landed >> blot[2] & 1u) << 2];
}

/* Play this way in all positions where it is legal. */
static void play(struct batch *batch, struct way way, const int16_t *open, int count,
                 bool *is_legal) {
    const struct solution *solution = batch->solution;
    for (int k = 0; k < count; k++) {
        int i = open[k], theirs = batch->theirs[i];
        if (way.landed & solution->closed[theirs]) {
            continue;
        }
        bool hits = way.landed & solution->blots[theirs];
        consider(batch, i, way.stand, hits ? struck_by(solution, theirs, way.landed) : theirs);
        is_legal[i] = true;
    }
}

/* Find the best results of a roll, by the first group that has a legal way. */
static void play_all(struct batch *batch, int roll) {
    const struct solution *solution = batch->solution;
    const int32_t *first = solution->first[batch->mine][roll];
    int16_t open[ALIKE_MAX];
    int count = batch->count;
    for (int i = 0; i < count; i++) {
        open[i] = (int16_t)i;
        batch->judged[i] = false;
        for (int value = 0; value < VALUES; value++) {
            batch->least[i][value] = INT32_MAX;
        }
    }
    for (int group = 0; group < GROUPS && count; group++) {
        for (int32_t way = first[group]; way < first[group + 1]; way++) {
            play(batch, solution->ways.all[way], open, count, batch->judged);
        }
        int left = 0;
        for (int k = 0; k < count; k++) {
            open[left] = open[k];
            left += !batch->judged[open[k]];
        }
        count = left;
    }
    for (int k = 0; k < count; k++) {
        consider(batch, open[k], batch->mine, batch->theirs[open[k]]);
    }
}

static void add_roll(struct batch *batch, int times) {
    for (int i = 0; i < batch->count; i++) {
        const uint16_t *best = batch->solution->chances[batch->best[i]];
        for (int value = 0; value < VALUES; value++) {
            batch->sums[i][value] -= times * (int64_t)batch->least[i][value];
        }
        for (int chance = 0; chance < CHANCES; chance++) {
            batch->ends[i][chance] += times * best[chance];
        }
    }
}

static int32_t mean_of(int64_t sum) {
    const int64_t all = FACES * FACES;
    return (int32_t)((sum + (sum < 0 ? -all / 2 : all / 2)) / all);
}

static void finish(const int64_t *sums, const int32_t *ends, int32_t *values, uint16_t *chances) {
    /* Who owns the cube is not who owns it for the side that is on roll next. */
    static const enum value ACROSS[VALUES] = {
        [POINTS] = POINTS, [WINS] = WINS,     [MINE] = THEIRS,
        [THEIRS] = MINE,   [MIDDLE] = MIDDLE, [JACOBY] = JACOBY,
    };
    static const enum chance OTHERS[CHANCES] = {WIN, LOST_GAMMON, LOST_BACKGAMMON, GAMMON, BACKGAMMON};
    /* A double is worth twice the taken position, or one point where the other side passes. */
    int64_t taken = 2 * (int64_t)mean_of(sums[MINE]);
    int64_t doubled = taken < POINT ? taken : POINT;
    for (int value = 0; value < VALUES; value++) {
        bool may_double = value == MINE || value == MIDDLE || value == JACOBY;
        int32_t rolled = mean_of(sums[ACROSS[value]]);
        values[value] = may_double && doubled > rolled ? (int32_t)doubled : rolled;
    }
    for (int chance = 0; chance < CHANCES; chance++) {
        int32_t mean = mean_of(ends[OTHERS[chance]]);
        chances[chance] = (uint16_t)(chance == WIN ? SURE - mean : mean);
    }
}

static bool shares_a_point(const struct solution *solution, int mine, int theirs) {
    const int8_t *men = solution->men[mine];
    uint32_t other = solution->closed[theirs] | solution->blots[theirs];
    return (other >> men[0] | other >> men[1] | other >> men[2]) & 1u;
}

static bool can_meet(const struct solution *solution, int mine, int theirs) {
    return solution->men[mine][CHECKERS_MAX - 1] + solution->men[theirs][CHECKERS_MAX - 1] > BAR;
}

/* A part of a layer: one batch after another. */
struct walk {
    struct batch batch;
    int32_t layer, part, parts;
    bool races;
    int32_t at; /* of the batch, among all positions of the layer */
    int32_t after;
};

/* Fill the next batch; false at the end. */
static bool next(struct walk *walk) {
    struct batch *batch = &walk->batch;
    const struct solution *solution = batch->solution;
    while (++batch->mine < solution->stands) {
        int left = walk->layer - pips_of(solution->men[batch->mine]);
        if (left <= 0 || left > PIPS_MAX) {
            continue;
        }
        int first = solution->from[left], last = solution->from[left + 1];
        walk->at = walk->after;
        walk->after += last - first;
        batch->count = 0;
        for (int theirs = first; theirs < last && batch->mine % walk->parts == walk->part; theirs++) {
            if ((walk->races || can_meet(solution, batch->mine, theirs)) &&
                !shares_a_point(solution, batch->mine, theirs)) {
                batch->theirs[batch->count++] = (int16_t)theirs;
            }
        }
        if (batch->count) {
            return true;
        }
    }
    return false;
}

static void judge(struct batch *batch) {
    int roll = 0;
    memset(batch->sums, 0, sizeof batch->sums);
    memset(batch->ends, 0, sizeof batch->ends);
    for (int high = 1; high <= FACES; high++) {
        for (int low = 1; low <= high; low++) {
            play_all(batch, roll++);
            add_roll(batch, high == low ? 1 : 2);
        }
    }
}

void spotter_hypergammon_judge(struct solution *solution, int32_t layer, int32_t part,
                               int32_t parts, bool races) {
    struct walk walk = {.batch.solution = solution, .layer = layer, .part = part, .parts = parts,
                        .races = races};
    while (next(&walk)) {
        judge(&walk.batch);
        for (int i = 0; i < walk.batch.count; i++) {
            finish(walk.batch.sums[i], walk.batch.ends[i], solution->new_values[walk.at + i],
                   solution->new_chances[walk.at + i]);
        }
    }
}

int32_t spotter_hypergammon_keep(struct solution *solution, int32_t layer, int32_t part,
                                 int32_t parts, bool races) {
    struct walk walk = {.batch.solution = solution, .layer = layer, .part = part, .parts = parts,
                        .races = races};
    int64_t most = 0;
    while (next(&walk)) {
        for (int i = 0; i < walk.batch.count; i++) {
            size_t here = place(solution, walk.batch.theirs[i], walk.batch.mine);
            for (int value = 0; value < VALUES; value++) {
                int32_t *known = &solution->values[here][value];
                int32_t found = solution->new_values[walk.at + i][value];
                int64_t change = (int64_t)found - *known;
                change = change < 0 ? -change : change;
                most = change > most ? change : most;
                *known = found;
            }
            memcpy(solution->chances[here], solution->new_chances[walk.at + i],
                   sizeof solution->chances[here]);
        }
    }
    return (int32_t)(most < INT32_MAX ? most : INT32_MAX);
}

void spotter_hypergammon_write(const struct solution *solution, int32_t stand, int32_t *values,
                               uint16_t *chances) {
    for (int moved = 0; moved < solution->stands; moved++) {
        size_t here = place(solution, moved, stand);
        memcpy(values + moved * VALUES, solution->values[here], sizeof solution->values[here]);
        memcpy(chances + moved * CHANCES, solution->chances[here], sizeof solution->chances[here]);
    }
}

void spotter_hypergammon_read(struct solution *solution, int32_t stand, const int32_t *values,
                              const uint16_t *chances) {
    for (int moved = 0; moved < solution->stands; moved++) {
        size_t here = place(solution, moved, stand);
        memcpy(solution->values[here], values + moved * VALUES, sizeof solution->values[here]);
        memcpy(solution->chances[here], chances + moved * CHANCES, sizeof solution->chances[here]);
    }
}
