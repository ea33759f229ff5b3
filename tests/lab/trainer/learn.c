#include "learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_MAX = 2000, MEAN_EVERY = 50, NOBODY = -1 };
enum { WEIGHTS = CLASSES * (sizeof(struct layer) / sizeof(float)) };

struct record {
    struct active active;
    int class;
};

struct school {
    struct net *net;
    enum game game;
    struct course course;
    struct chance chance;
    struct results results;
    struct record records[TURNS_MAX];
    float ends[TURNS_MAX + 1][ENDS_MAX]; /* what was thought of each board when it came */
    double worth[ENDS_MAX];
};

static double rated(struct school *school, const struct board *board, float *ends) {
    struct outcome outcome;
    if (board_outcome(school->game, board, &outcome)) {
        return -school->worth[end_of(school->game, outcome)];
    }
    struct active active;
    float hidden[HIDDEN_MAX];
    int class = feature_list(school->game, board, &active);
    int count = net_forward(school->net, &active, class, hidden, ends);
    double sum = 0;
    for (int k = 0; k < count; k++) {
        sum += (double)ends[k] * school->worth[k];
    }
    return -sum;
}

static struct board best_of(struct school *school) {
    float ends[ENDS_MAX];
    double most = -1e12;
    int best = 0;
    for (int i = 0; i < school->results.count && school->results.count > 1; i++) {
        double worth = rated(school, &school->results.boards[i], ends);
        if (worth > most) {
            most = worth;
            best = i;
        }
    }
    return school->results.boards[best];
}

static void remember(struct school *school, const struct board *board, int turn) {
    struct record *record = &school->records[turn];
    float hidden[HIDDEN_MAX];
    record->class = feature_list(school->game, board, &record->active);
    net_forward(school->net, &record->active, record->class, hidden, school->ends[turn]);
}

/* A game; its turns, or 0 if it was too long to learn from.  `guest` is the parity of the turns
 * that the greedy player makes, or NOBODY. */
static int play_through(struct school *school, int guest, struct outcome *outcome) {
    static const struct player greedy = {.kind = GREEDY};
    struct board board = board_start(school->game);
    for (int turn = 0; turn < TURNS_MAX; turn++) {
        remember(school, &board, turn);
        struct roll roll = roll_dice(&school->chance);
        struct results *results = &school->results;
        board_results(school->game, &board, roll.high, roll.low, results);
        if (turn % 2 == guest) {
            board = results->boards[choose(school->game, &greedy, results, &school->chance)];
        } else {
            board = best_of(school);
        }
        if (board_outcome(school->game, &board, outcome)) {
            return turn + 1;
        }
    }
    return 0;
}

static int guest_of(struct school *school) {
    if (school->course.sparring <= 0) {
        return NOBODY;
    }
    uint32_t drawn = chance_below(&school->chance, 1000), parity = chance_below(&school->chance, 2);
    return drawn < 1000 * school->course.sparring ? (int)parity : NOBODY;
}

static void turn_round(float *ends, int count) {
    for (int k = 0; k < count / 2; k++) {
        float kept = ends[k];
        ends[k] = ends[count - 1 - k];
        ends[count - 1 - k] = kept;
    }
}

/* From the end back: each board learns from what came of it and, by lambda, of all after it; with a
 * guest only what it left to him, for it is not known who sits there. */
static void learn_back(struct school *school, int turns, int guest, int end, float step) {
    int count = ends_of(school->game);
    float lambda = (float)school->course.lambda;
    float target[ENDS_MAX] = {0};
    target[end] = 1.0f; /* seen by who would be next */
    for (int turn = turns - 1; turn >= 0; turn--) {
        turn_round(target, count);
        if (guest != NOBODY && turn % 2 != guest) {
            continue;
        }
        const struct record *record = &school->records[turn];
        net_learn(school->net, &record->active, record->class, target, step);
        for (int k = 0; k < count; k++) {
            target[k] = lambda * target[k] + (1.0f - lambda) * school->ends[turn][k];
        }
    }
}

static void count_points(struct net *net, struct outcome outcome) {
    if (outcome.points == 0) {
        net->counted[ends_of(net->game) / 2] += 1;
        return;
    }
    if (outcome.points < 0) {
        outcome.points = -outcome.points;
    }
    int won = end_of(net->game, outcome), lost = ends_of(net->game) - 1 - won;
    net->counted[won] += 1;
    net->points[won] += (outcome.points - net->points[won]) / net->counted[won];
    net->points[lost] = net->points[won];
}

static void guess_points(struct net *net) {
    static const double PIN_GUESS[] = {2, 3, 8, 15, 30, 60, 120};
    int ends = ends_of(net->game);
    for (int k = (ends + 1) / 2; k < ends; k++) {
        int way = k - (ends + 1) / 2;
        net->points[k] = net->game == PIN ? PIN_GUESS[way] : doubles_only(net->game) && way ? 2 : way + 1;
        net->points[ends - 1 - k] = net->points[k];
        net->counted[k] = 100; /* so much the guess weighs */
    }
}

static void add_to_mean(const struct net *net, double *mean) {
    const float *weights = (const float *)net->classes;
    for (size_t i = 0; i < WEIGHTS; i++) {
        mean[i] += (double)weights[i];
    }
}

static void take_mean(struct net *net, const double *mean, long added) {
    float *weights = (float *)net->classes;
    for (size_t i = 0; i < WEIGHTS; i++) {
        weights[i] = (float)(mean[i] / (double)added);
    }
}

void learn(struct net *net, const struct course *course, void (*tell)(const struct net *, long)) {
    struct school *school = calloc(1, sizeof *school);
    double *mean = calloc(WEIGHTS, sizeof *mean);
    if (school == NULL || mean == NULL) {
        abort();
    }
    school->net = net;
    school->game = net->game;
    school->course = *course;
    school->chance.state = course->seed * 2654435761u + 1;
    if (net->shared) {
        guess_points(net);
    }
    long added = 0;
    for (long game = 0; game < course->games; game++) {
        struct outcome outcome;
        double gone = (double)game / (double)course->games;
        double step = course->first_step * pow(course->last_step / course->first_step, gone);
        worth_of_ends(net->game, net->points, course->greed, school->worth);
        int guest = guest_of(school);
        int turns = play_through(school, guest, &outcome);
        if (turns) {
            learn_back(school, turns, guest, end_of(net->game, outcome), (float)step);
            count_points(net, outcome);
        }
        if (game % MEAN_EVERY == 0 && 3 * game >= 2 * course->games) {
            add_to_mean(net, mean);
            added++;
        }
        if (tell && (game + 1) % (course->games / 20 + 1) == 0) {
            tell(net, game + 1);
        }
    }
    if (added) {
        take_mean(net, mean, added);
    }
    free(mean);
    free(school);
}
