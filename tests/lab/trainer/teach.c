/* By Adam (Kingma and Ba, 2015), in small batches; only rows that a batch has touched move. */
#include "teach.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DIGITS = 13, BATCH = 128, ENDS = 6, MOST_HELD_BACK = 20000 };

struct lesson {
    uint64_t men[4]; /* own, 25 to 13 pips and 12 to 0, and the other's, a digit each */
    float ends[ENDS];
};

struct lessons {
    long count, space;
    struct lesson *lessons;
};

/* What a batch wants of one class's weights. */
struct slope {
    float rows[ROWS_MAX][HIDDEN_MAX];
    float out[HIDDEN_MAX + 1][ENDS_MAX];
    bool touched[ROWS_MAX];
    bool any;
    long steps;
};

struct adam {
    struct slope slopes[CLASSES];
    struct layer mean[CLASSES], square[CLASSES];
};

static void *room(void *old, size_t size) {
    void *made = realloc(old, size);
    if (made == NULL) {
        fprintf(stderr, "trainer: out of memory\n");
        exit(2);
    }
    return made;
}

static uint64_t digits(const char *text) {
    char some[DIGITS + 1] = "";
    memcpy(some, text, DIGITS);
    return strtoull(some, NULL, 16);
}

static float at_least_nothing(float chance) { return chance > 0 ? chance : 0; }

static struct lesson lesson_of(const char *own, const char *opp, const float *told) {
    float win = told[0], gammon = told[1], backgammon = told[2];
    float lost_gammon = told[3], lost_backgammon = told[4];
    struct lesson lesson = {
        .men = {digits(own), digits(own + DIGITS), digits(opp), digits(opp + DIGITS)},
        .ends = {lost_backgammon, lost_gammon - lost_backgammon, 1 - win - lost_gammon,
                 win - gammon, gammon - backgammon, backgammon},
    };
    for (int k = 0; k < ENDS; k++) {
        lesson.ends[k] = at_least_nothing(lesson.ends[k]);
    }
    return lesson;
}

struct lessons *lessons_read(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return NULL;
    }
    struct lessons *read = room(NULL, sizeof *read);
    *read = (struct lessons){0};
    char own[2 * DIGITS + 1], opp[2 * DIGITS + 1];
    float told[5];
    while (fscanf(file, "%26s %26s %f %f %f %f %f", own, opp, told, told + 1, told + 2, told + 3,
                  told + 4) == 7) {
        if (read->count == read->space) {
            read->space = read->space ? 2 * read->space : 1 << 20;
            read->lessons = room(read->lessons, (size_t)read->space * sizeof *read->lessons);
        }
        read->lessons[read->count++] = lesson_of(own, opp, told);
    }
    fclose(file);
    return read;
}

long lessons_count(const struct lessons *lessons) { return lessons->count; }

static struct board board_of(const struct lesson *lesson) {
    struct board board = {0};
    for (int n = 0; n < DIGITS; n++) {
        board.own[n + DIGITS] = (int8_t)(lesson->men[0] >> 4 * n & 15);
        board.own[n] = (int8_t)(lesson->men[1] >> 4 * n & 15);
        board.opp[n + DIGITS] = (int8_t)(lesson->men[2] >> 4 * n & 15);
        board.opp[n] = (int8_t)(lesson->men[3] >> 4 * n & 15);
    }
    return board;
}

static void shuffle(struct lesson *lessons, long count, struct chance *chance) {
    for (long i = count - 1; i > 0; i--) {
        uint64_t drawn = (uint64_t)chance_below(chance, 1u << 31) << 31 ^ chance_below(chance, 1u << 31);
        long j = (long)(drawn % (uint64_t)(i + 1));
        struct lesson kept = lessons[i];
        lessons[i] = lessons[j];
        lessons[j] = kept;
    }
}

static void see(struct adam *adam, const struct net *net, const struct lesson *lesson) {
    struct board board = board_of(lesson);
    struct active active;
    int class = feature_list(net->game, &board, &active);
    const struct layer *layer = &net->classes[class];
    struct slope *slope = &adam->slopes[class];
    float hidden[HIDDEN_MAX], ends[ENDS_MAX], wrong[ENDS_MAX] = {0}, back[HIDDEN_MAX];
    int count = net_forward(net, &active, class, hidden, ends);
    slope->any = true;
    for (int k = 0; k < count; k++) {
        wrong[k] = (ends[k] - lesson->ends[k]) / BATCH;
        slope->out[net->hidden][k] += wrong[k];
    }
    for (int j = 0; j < net->hidden; j++) {
        float sum = 0.0f;
        for (int k = 0; k < ENDS_MAX; k++) {
            sum += wrong[k] * layer->out[j][k];
            slope->out[j][k] += hidden[j] * wrong[k];
        }
        back[j] = sum * hidden[j] * (1.0f - hidden[j]);
    }
    for (int i = 0; i < active.count; i++) {
        float *row = slope->rows[active.rows[i]];
        slope->touched[active.rows[i]] = true;
        for (int j = 0; j < net->hidden; j++) {
            row[j] += back[j];
        }
    }
}

static void move(float *weights, float *mean, float *square, float *slope, int length, float rate,
                 long steps) {
    const float KEPT = 0.9f, SQUARES_KEPT = 0.999f, LEAST = 1e-7f;
    float whole = 1.0f / (1.0f - powf(KEPT, (float)steps));
    float squares_whole = 1.0f / (1.0f - powf(SQUARES_KEPT, (float)steps));
    for (int i = 0; i < length; i++) {
        mean[i] = KEPT * mean[i] + (1.0f - KEPT) * slope[i];
        square[i] = SQUARES_KEPT * square[i] + (1.0f - SQUARES_KEPT) * slope[i] * slope[i];
        weights[i] -= rate * mean[i] * whole / (sqrtf(square[i] * squares_whole) + LEAST);
        slope[i] = 0.0f;
    }
}

static void step(struct adam *adam, struct net *net, float rate) {
    for (int class = 0; class < CLASSES; class++) {
        struct slope *slope = &adam->slopes[class];
        if (!slope->any) {
            continue;
        }
        slope->any = false;
        slope->steps++;
        struct layer *layer = &net->classes[class], *mean = &adam->mean[class];
        struct layer *square = &adam->square[class];
        for (int row = 0; row < ROWS_MAX; row++) {
            if (slope->touched[row]) {
                slope->touched[row] = false;
                move(layer->rows[row], mean->rows[row], square->rows[row], slope->rows[row],
                     net->hidden, rate, slope->steps);
            }
        }
        move(layer->out[0], mean->out[0], square->out[0], slope->out[0],
             (net->hidden + 1) * ENDS_MAX, rate, slope->steps);
    }
}

static double equity(const float *ends) {
    return 3.0 * (double)(ends[5] - ends[0]) + 2.0 * (double)(ends[4] - ends[1]) +
           (double)(ends[3] - ends[2]);
}

/* The root of the mean square by which an equity is off. */
static double wrong_by(const struct net *net, const struct lesson *lessons, long count) {
    double squares = 0;
    for (long i = 0; i < count; i++) {
        struct board board = board_of(&lessons[i]);
        struct active active;
        float hidden[HIDDEN_MAX], ends[ENDS_MAX];
        int class = feature_list(net->game, &board, &active);
        net_forward(net, &active, class, hidden, ends);
        double wrong = equity(ends) - equity(lessons[i].ends);
        squares += wrong * wrong;
    }
    return count ? sqrt(squares / (double)count) : 0;
}

/* How often games end how. */
static void count_ends(struct net *net, const struct lessons *lessons) {
    for (int k = 0; k < ENDS; k++) {
        net->points[k] = k < ENDS / 2 ? ENDS / 2 - k : k - ENDS / 2 + 1;
        net->counted[k] = 0;
    }
    for (long i = 0; i < lessons->count; i++) {
        for (int k = 0; k < ENDS; k++) {
            net->counted[k] += (double)lessons->lessons[i].ends[k];
        }
    }
}

void teach(struct net *net, struct lessons *lessons, const struct schedule *schedule) {
    struct adam *adam = room(NULL, sizeof *adam);
    memset(adam, 0, sizeof *adam);
    struct chance chance = {schedule->seed};
    long held_back = lessons->count / 100 < MOST_HELD_BACK ? lessons->count / 100 : MOST_HELD_BACK;
    long count = lessons->count - held_back;
    shuffle(lessons->lessons, lessons->count, &chance);
    if (net->counted[0] == 0) {
        count_ends(net, lessons);
    }
    for (int epoch = 0; epoch < schedule->epochs; epoch++) {
        for (long i = 0; i < count; i++) {
            see(adam, net, &lessons->lessons[i]);
            if (i % BATCH == BATCH - 1) {
                double gone = ((double)epoch + (double)i / (double)count) / schedule->epochs;
                step(adam, net,
                     (float)(schedule->first_rate *
                             pow(schedule->last_rate / schedule->first_rate, gone)));
            }
        }
        printf("epoch %d, %.0f s: %.4f off in %ld held back\n", epoch + 1,
               (double)clock() / CLOCKS_PER_SEC,
               wrong_by(net, lessons->lessons + count, held_back), held_back);
        fflush(stdout);
        shuffle(lessons->lessons, count, &chance);
    }
    free(adam);
}
