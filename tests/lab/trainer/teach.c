/* By Adam (Kingma and Ba, 2015), in small batches; only rows that a batch has touched move.  Each class
 * has weights and lessons of its own, and a thread. */
#include "teach.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 128, TOLD_OF_SIX = 5, MOST_HELD_BACK = 20000, LINE_MAX_ = 512 };

struct lesson {
    int count;
    int16_t *rows; /* those that are on */
    float ends[ENDS_MAX];
};

struct lessons {
    struct {
        long count, space;
        struct lesson *lessons;
    } of[CLASSES];
};

/* What a batch wants of the weights, and what Adam keeps of the batches before. */
struct adam {
    struct layer slope, mean, square;
    bool touched[ROWS_MAX];
    long steps;
};

struct pupil {
    struct net *net;
    int class;
    struct lesson *lessons;
    long count;
    const struct schedule *schedule;
    double worth[ENDS_MAX];
    struct adam *adam;
};

static void *room(void *old, size_t size) {
    void *made = realloc(old, size);
    if (made == NULL) {
        fprintf(stderr, "trainer: out of memory\n");
        exit(2);
    }
    return made;
}

const char *board_at(enum game game, const char *line, struct board *board) {
    char text[LINE_MAX_];
    int length = (game == PIN ? 4 : 2) * (PLACES + 1) - 1;
    snprintf(text, sizeof text, "%.*s %026d %026d", length, line, 0, 0); /* else nothing is pinned */
    return (int)strlen(line) >= length && board_read(text, board) ? line + length : NULL;
}

static int told_of(enum game game) { return game == PIN ? ends_of(game) : TOLD_OF_SIX; }

void print_lesson(enum game game, const char *line, const double *ends) {
    const double six[] = {ends[3] + ends[4] + ends[5], ends[4] + ends[5], ends[5], ends[0] + ends[1],
                          ends[0]};
    struct board board;
    const char *after = board_at(game, line, &board);
    printf("%.*s", (int)(after - line), line);
    for (int k = 0; k < told_of(game); k++) {
        printf(" %.5f", game == PIN ? ends[k] : six[k]);
    }
    puts("");
}

/* Whether so many numbers are there, and nothing else. */
static bool read_told(const char *text, int count, float *told) {
    for (int k = 0; k < count; k++) {
        char *next;
        told[k] = strtof(text, &next);
        if (next == text) {
            return false;
        }
        text = next;
    }
    return text[strspn(text, " \n")] == '\0';
}

static void take_told(enum game game, const float *told, float *ends) {
    const float six[] = {told[4],           told[3] - told[4], 1 - told[0] - told[3],
                         told[0] - told[1], told[1] - told[2], told[2]};
    for (int k = 0; k < ends_of(game); k++) {
        float chance = game == PIN ? told[k] : six[k];
        ends[k] = chance > 0 ? chance : 0;
    }
}

static void add_lesson(struct lessons *lessons, enum game game, const struct board *board,
                       const float *told) {
    struct active active;
    int class = feature_list(game, board, &active);
    long count = lessons->of[class].count++;
    if (count == lessons->of[class].space) {
        lessons->of[class].space = count ? 2 * count : 1 << 16;
        lessons->of[class].lessons = room(lessons->of[class].lessons,
                                          (size_t)lessons->of[class].space * sizeof(struct lesson));
    }
    struct lesson *lesson = &lessons->of[class].lessons[count];
    size_t size = (size_t)active.count * sizeof *active.rows;
    lesson->count = active.count;
    lesson->rows = room(NULL, size);
    memcpy(lesson->rows, active.rows, size);
    take_told(game, told, lesson->ends);
}

struct lessons *lessons_read(enum game game, const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return NULL;
    }
    struct lessons *lessons = room(NULL, sizeof *lessons);
    *lessons = (struct lessons){0};
    char line[LINE_MAX_];
    for (long number = 1; fgets(line, sizeof line, file); number++) {
        struct board board;
        float told[ENDS_MAX] = {0};
        const char *after = board_at(game, line, &board);
        if (after == NULL || !read_told(after, told_of(game), told)) {
            fprintf(stderr, "trainer: %s, line %ld is no lesson: %s", path, number, line);
            exit(2);
        }
        add_lesson(lessons, game, &board, told);
    }
    fclose(file);
    return lessons;
}

long lessons_count(const struct lessons *lessons) {
    long count = 0;
    for (int class = 0; class < CLASSES; class++) {
        count += lessons->of[class].count;
    }
    return count;
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

static float equity(const struct pupil *pupil, const float *ends) {
    float sum = 0;
    for (int k = 0; k < ends_of(pupil->net->game); k++) {
        sum += (float)pupil->worth[k] * ends[k];
    }
    return sum;
}

static void think(const struct pupil *pupil, const struct lesson *lesson, float *hidden, float *ends) {
    struct active active = {.count = lesson->count};
    memcpy(active.rows, lesson->rows, (size_t)lesson->count * sizeof *lesson->rows);
    net_forward(pupil->net, &active, pupil->class, hidden, ends);
}

/* Down the cross entropy of the ends and the square of the equity's error. */
static void see(struct pupil *pupil, const struct lesson *lesson) {
    const struct layer *layer = &pupil->net->classes[pupil->class];
    struct layer *slope = &pupil->adam->slope;
    int length = pupil->net->hidden, count = ends_of(pupil->net->game);
    float hidden[HIDDEN_MAX], ends[ENDS_MAX], wrong[ENDS_MAX], back[HIDDEN_MAX];
    think(pupil, lesson, hidden, ends);
    float thought = equity(pupil, ends), off = thought - equity(pupil, lesson->ends);
    for (int k = 0; k < count; k++) {
        float by_equity = off * ends[k] * ((float)pupil->worth[k] - thought);
        wrong[k] = (ends[k] - lesson->ends[k] + (float)pupil->schedule->equity * by_equity) / BATCH;
    }
    net_back(layer, length, count, hidden, wrong, back);
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < length; j++) {
            slope->out[k][j] += hidden[j] * wrong[k];
        }
        slope->out[k][length] += wrong[k];
    }
    for (int i = 0; i < lesson->count; i++) {
        float *row = slope->rows[lesson->rows[i]];
        pupil->adam->touched[lesson->rows[i]] = true;
        for (int j = 0; j < length; j++) {
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

static void step(struct pupil *pupil, float rate) {
    struct adam *adam = pupil->adam;
    struct layer *layer = &pupil->net->classes[pupil->class];
    int length = pupil->net->hidden;
    adam->steps++;
    for (int row = 0; row < ROWS_MAX; row++) {
        if (adam->touched[row]) {
            adam->touched[row] = false;
            move(layer->rows[row], adam->mean.rows[row], adam->square.rows[row],
                 adam->slope.rows[row], length, rate, adam->steps);
        }
    }
    for (int k = 0; k < ends_of(pupil->net->game); k++) {
        move(layer->out[k], adam->mean.out[k], adam->square.out[k], adam->slope.out[k], length + 1,
             rate, adam->steps);
    }
}

/* The root of the mean square by which an equity is off. */
static double wrong_by(const struct pupil *pupil, const struct lesson *lessons, long count) {
    double squares = 0;
    for (long i = 0; i < count; i++) {
        float hidden[HIDDEN_MAX], ends[ENDS_MAX];
        think(pupil, &lessons[i], hidden, ends);
        double wrong = (double)equity(pupil, ends) - (double)equity(pupil, lessons[i].ends);
        squares += wrong * wrong;
    }
    return sqrt(squares / (double)count);
}

static void learn_epoch(struct pupil *pupil, int epoch, long count) {
    const struct schedule *schedule = pupil->schedule;
    double fall = schedule->last_rate / schedule->first_rate;
    for (long i = 0; i < count; i++) {
        see(pupil, &pupil->lessons[i]);
        if (i % BATCH == BATCH - 1) {
            double gone = ((double)epoch + (double)i / (double)count) / schedule->epochs;
            step(pupil, (float)(schedule->first_rate * pow(fall, gone)));
        }
    }
}

static void *learn_class(void *argument) {
    struct pupil *pupil = argument;
    struct chance chance = {pupil->schedule->seed + (uint64_t)pupil->class};
    long held_back = pupil->count / 100 < MOST_HELD_BACK ? pupil->count / 100 : MOST_HELD_BACK;
    long count = pupil->count - held_back;
    if (count < BATCH) {
        printf("class %d: %ld lessons are too few\n", pupil->class, pupil->count);
        return NULL;
    }
    shuffle(pupil->lessons, pupil->count, &chance);
    for (int epoch = 0; epoch < pupil->schedule->epochs; epoch++) {
        learn_epoch(pupil, epoch, count);
        printf("class %d, epoch %d: %.4f off in %ld held back\n", pupil->class, epoch + 1,
               wrong_by(pupil, pupil->lessons + count, held_back), held_back);
        fflush(stdout);
        shuffle(pupil->lessons, count, &chance);
    }
    return NULL;
}

/* How often games end how. */
static void count_ends(struct net *net, const struct lessons *lessons) {
    int count = ends_of(net->game);
    for (int k = 0; k < count; k++) {
        net->points[k] = k < count / 2 ? count / 2 - k : k - count / 2 + 1;
    }
    for (int class = 0; class < CLASSES; class++) {
        for (long i = 0; i < lessons->of[class].count; i++) {
            for (int k = 0; k < count; k++) {
                net->counted[k] += (double)lessons->of[class].lessons[i].ends[k];
            }
        }
    }
}

void teach(struct net *net, struct lessons *lessons, const struct schedule *schedule) {
    struct pupil pupils[CLASSES];
    pthread_t threads[CLASSES];
    if (net->counted[0] == 0) {
        count_ends(net, lessons);
    }
    for (int class = 0; class < CLASSES; class++) {
        struct pupil *pupil = &pupils[class];
        *pupil = (struct pupil){.net = net,
                                .class = class,
                                .lessons = lessons->of[class].lessons,
                                .count = lessons->of[class].count,
                                .schedule = schedule};
        worth_of_ends(net->game, net->points, 1, pupil->worth);
        pupil->adam = room(NULL, sizeof *pupil->adam);
        memset(pupil->adam, 0, sizeof *pupil->adam);
        if (pthread_create(&threads[class], NULL, learn_class, pupil) != 0) {
            fprintf(stderr, "trainer: no thread\n");
            exit(2);
        }
    }
    for (int class = 0; class < CLASSES; class++) {
        pthread_join(threads[class], NULL);
        free(pupils[class].adam);
    }
}
