/* trainer train | refine | meet | results | rate | perft: see README.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "learn.h"

enum { LINE_MAX_ = 256, PROGRESS_GAMES = 500 };

static int fail(const char *what, const char *value) {
    fprintf(stderr, "trainer: %s %s\n", what, value);
    return 2;
}

static void *room(size_t size) {
    void *made = calloc(1, size);
    if (made == NULL) {
        exit(fail("out of", "memory"));
    }
    return made;
}

static void print_tally(const struct tally *tally) {
    double games = (double)(tally->won + tally->tied + tally->lost);
    double share = ((double)tally->won + (double)tally->tied / 2) / games, z = 1.959964;
    double middle = (share + z * z / (2 * games)) / (1 + z * z / games);
    double half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) /
                  (1 + z * z / games);
    double mean = tally->points / games;
    double spread = z * sqrt((tally->squares / games - mean * mean) / games);
    printf("%.0f games, won %ld, tied %ld, lost %ld: %.4f (%.4f to %.4f), points %+.4f +- %.4f\n",
           games, tally->won, tally->tied, tally->lost, share, middle - half, middle + half, mean,
           spread);
}

static void meet(enum game game, const struct player *first, const struct player *second,
                 long games, uint64_t seed, struct tally *tally) {
    for (long number = 0; number < games; number++) {
        struct chance chance = {seed * 1000003u + (uint64_t)number * 7919u};
        tally_add(tally, play_game(game, first, second, number, &chance));
    }
}

static void tell(const struct net *net, long games) {
    struct shipped *shipped = room(sizeof *shipped);
    struct tally tally = {0};
    struct player greedy = {.kind = GREEDY};
    struct player learned = {.kind = NET, .shipped = shipped, .ply = 1};
    ship(net, shipped);
    worth_of_ends(net->game, net->points, net->game == PIN ? 0 : 1, learned.worth);
    meet(net->game, &learned, &greedy, PROGRESS_GAMES, 1, &tally);
    printf("%ld learned, scale %d, %.0f s; against greedy: ", games, shipped->scale,
           (double)clock() / CLOCKS_PER_SEC);
    print_tally(&tally);
    fflush(stdout);
    free(shipped);
}

static int run_train(int count, char **words) {
    enum game game;
    if (count != 9 || !game_named(words[0], &game)) {
        return fail("write", "train GAME SEED GAMES FIRST_STEP LAST_STEP LAMBDA GREED quiet|tell FILE");
    }
    struct course course = {strtoull(words[1], NULL, 10), strtol(words[2], NULL, 10),
                            atof(words[3]),               atof(words[4]),
                            atof(words[5]),               atof(words[6]), 0};
    struct net *net = room(sizeof *net);
    struct shipped *shipped = room(sizeof *shipped);
    net_begin(net, game, course.seed);
    learn(net, &course, strcmp(words[7], "tell") == 0 ? tell : NULL);
    ship(net, shipped);
    bool good = shipped_write(shipped, words[8], course.seed, course.games);
    free(net);
    free(shipped);
    return good ? 0 : fail("cannot write", words[8]);
}

static int run_refine(int count, char **words) {
    struct net *net = room(sizeof *net);
    struct shipped *shipped = room(sizeof *shipped);
    long games;
    if (count != 10 || !shipped_read(shipped, words[0], &games)) {
        return fail("write", "refine FILE SEED GAMES FIRST_STEP LAST_STEP LAMBDA GREED SPARRING "
                             "quiet|tell FILE");
    }
    struct course course = {strtoull(words[1], NULL, 10), strtol(words[2], NULL, 10),
                            atof(words[3]),               atof(words[4]),
                            atof(words[5]),               atof(words[6]),
                            atof(words[7])};
    net_resume(net, shipped, games);
    learn(net, &course, strcmp(words[8], "tell") == 0 ? tell : NULL);
    ship(net, shipped);
    bool good = shipped_write(shipped, words[9], course.seed, games + course.games);
    free(net);
    free(shipped);
    return good ? 0 : fail("cannot write", words[9]);
}

/* random, greedy, or FILE:PLY:EXAMINED:GREED. */
static bool read_player(enum game game, const char *text, struct player *player) {
    memset(player, 0, sizeof *player);
    if (strcmp(text, "random") == 0 || strcmp(text, "greedy") == 0) {
        player->kind = text[0] == 'r' ? RANDOM : GREEDY;
        return true;
    }
    char path[LINE_MAX_] = "";
    double greed = 1;
    player->kind = NET;
    struct shipped *shipped = room(sizeof *shipped);
    if (sscanf(text, "%255[^:]:%d:%d:%lf", path, &player->ply, &player->examined, &greed) != 4 ||
        !shipped_read(shipped, path, NULL)) {
        return false;
    }
    if (game == PORTES) {
        shipped->points[0] = shipped->points[5] = 2;
    }
    worth_of_ends(game, shipped->points, greed, player->worth);
    player->shipped = shipped;
    return true;
}

static int run_meet(int count, char **words) {
    enum game game;
    struct player first, second;
    if (count != 5 || !game_named(words[0], &game)) {
        return fail("write", "meet GAME FIRST SECOND GAMES SEED");
    }
    for (int i = 1; i < 3; i++) {
        if (!read_player(game, words[i], i == 1 ? &first : &second)) {
            return fail("no player", words[i]);
        }
    }
    struct tally tally = {0};
    meet(game, &first, &second, strtol(words[3], NULL, 10), strtoull(words[4], NULL, 10), &tally);
    print_tally(&tally);
    return 0;
}

/* Lines of a board and a roll in, in one line all results out. */
static int run_results(int count, char **words) {
    enum game game;
    char line[LINE_MAX_], text[112];
    struct results *results = room(sizeof *results);
    if (count != 1 || !game_named(words[0], &game)) {
        return fail("write", "results GAME");
    }
    while (fgets(line, sizeof line, stdin)) {
        struct board board;
        char *roll = strrchr(line, ' ');
        if (roll == NULL || strlen(roll) < 3 || !board_read(line, &board)) {
            return fail("no board and roll:", line);
        }
        board_results(game, &board, roll[1] - '0', roll[2] - '0', results);
        for (int i = 0; i < results->count; i++) {
            board_write(&results->boards[i], text);
            printf("%s%s", i ? "," : "", text);
        }
        printf("\n");
    }
    free(results);
    return 0;
}

/* Lines of a board in, the chances of the ends out. */
static int run_rate(int count, char **words) {
    char line[LINE_MAX_];
    struct shipped *shipped = room(sizeof *shipped);
    if (count != 1 || !shipped_read(shipped, words[0], NULL)) {
        return fail("write", "rate FILE");
    }
    while (fgets(line, sizeof line, stdin)) {
        struct board board;
        double ends[ENDS_MAX];
        if (!board_read(line, &board)) {
            return fail("no board:", line);
        }
        shipped_ends(shipped, &board, ends);
        for (int k = 0; k < ends_of(shipped->game); k++) {
            printf("%s%.12f", k ? " " : "", ends[k]);
        }
        printf("\n");
    }
    free(shipped);
    return 0;
}

int main(int count, char **words) {
    feature_begin();
    const char *what = count > 1 ? words[1] : "";
    if (strcmp(what, "train") == 0) {
        return run_train(count - 2, words + 2);
    }
    if (strcmp(what, "refine") == 0) {
        return run_refine(count - 2, words + 2);
    }
    if (strcmp(what, "meet") == 0) {
        return run_meet(count - 2, words + 2);
    }
    if (strcmp(what, "results") == 0) {
        return run_results(count - 2, words + 2);
    }
    if (strcmp(what, "rate") == 0) {
        return run_rate(count - 2, words + 2);
    }
    return fail("write", "train, refine, meet, results or rate");
}
